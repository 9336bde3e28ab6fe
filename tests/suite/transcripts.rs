//! What the docs show of the command line is what it prints: every `motixc` command in a ```` ```console ```` block is
//! run, and its output compared; `UPDATE=1 cargo test -p motix-tests transcripts` writes it.
//!
//! A file that a command names without a folder is the last ```` ```motix ```` (```` ```lua ````, ```` ```json ````) block before it, or the
//! last one with that name (```` ```motix other.motix ````); products stay in a scratch folder and can be named by later
//! commands of the page. Other files are those of the repository.
//! Output that ends in `…` is compared up to there. Commands other than `motixc` are not run.

use std::fs;
use std::path::{Path, PathBuf};

use motix_tests::{files, motixc, read, root};

/// How a command that is run begins.
const PROMPTS: &[&str] =
    &["$ motixc ", "$ cargo run --bin motixc -- ", "$ cargo run --quiet --bin motixc -- "];

const ELLIPSIS: &str = "…";

struct Page {
    /// Where files without a folder lie.
    scratch: PathBuf,
    /// The text of the last block of source, by the file's name or else its extension.
    sources: Vec<(String, String)>,
    /// The exit code of the last command.
    code: i32,
}

impl Page {
    fn new(path: &str) -> Self {
        // Relative to the root, where `motixc` runs: a program remembers its source's name, so sizes depend on it.
        let scratch = Path::new("target/transcripts").join(path.replace(['/', '.'], "-"));
        let place = root().join(&scratch);
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(&place).unwrap_or_else(|error| panic!("{}: {error}", scratch.display()));
        Self { scratch, sources: Vec::new(), code: 0 }
    }

    /// The page with the output of every command as it is now.
    fn refreshed(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            out.push_str(line);
            out.push('\n');
            let Some(info) = line.strip_prefix("```") else { continue };
            let mut block = Vec::new();
            for line in lines.by_ref().take_while(|line| !line.starts_with("```")) {
                block.push(line);
            }
            let language = info.split([',', ' ']).next().unwrap_or("");
            for (block_of, extension) in [("motix", ".motix"), ("lua", ".lua"), ("json", ".fmtion")] {
                if language == block_of {
                    let name = info.split(' ').find(|word| word.ends_with(extension)).unwrap_or(extension);
                    self.sources.retain(|(kept, _)| kept != name);
                    self.sources.push((name.to_owned(), block.join("\n") + "\n"));
                }
            }
            if language == "console" {
                out.push_str(&self.console(&block));
            } else {
                block.iter().for_each(|line| {
                    out.push_str(line);
                    out.push('\n');
                });
            }
            out.push_str("```\n");
        }
        out
    }

    fn console(&mut self, block: &[&str]) -> String {
        let mut out = String::new();
        let mut lines = block.iter().peekable();
        while let Some(line) = lines.next() {
            out.push_str(line);
            out.push('\n');
            let mut shown = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                shown.push(*line);
            }
            let now = if let Some(arguments) = PROMPTS.iter().find_map(|prompt| line.strip_prefix(prompt)) {
                self.run(arguments)
            } else if *line == "$ echo $?" {
                format!("{}\n", self.code)
            } else {
                shown.iter().flat_map(|line| [*line, "\n"]).collect()
            };
            if shown.last() == Some(&ELLIPSIS) && now.lines().count() >= shown.len() {
                now.lines().take(shown.len() - 1).for_each(|line| {
                    out.push_str(line);
                    out.push('\n');
                });
                out.push_str(ELLIPSIS);
                out.push('\n');
            } else {
                out.push_str(&now);
            }
        }
        out
    }

    fn run(&mut self, arguments: &str) -> String {
        let folder = format!("{}/", self.scratch.display());
        let mut words = words(arguments);
        for word in &mut words {
            let bare = !word.contains(['/', '=']) && !word.starts_with('-');
            let extension =
                [".motix", ".motixb", ".lua", ".fmtion"].into_iter().find(|end| word.ends_with(end));
            let Some(extension) = extension.filter(|_| bare) else { continue };
            // What the page shows last is what the file holds; products of earlier commands stay as they are.
            let named = self.sources.iter().find(|(kept, _)| kept == word);
            let source = named.or_else(|| self.sources.iter().find(|(kept, _)| kept == extension));
            word.insert_str(0, &folder);
            if let Some((_, text)) = source {
                fs::write(root().join(&*word), text).unwrap_or_else(|error| panic!("{word}: {error}"));
            }
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let run = motixc(&words);
        self.code = run.code;
        let text = (run.out + &run.err).replace(&folder, "");
        text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
    }
}

/// The words of a command line, as a shell splits them: quotes keep spaces.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in line.chars() {
        match (letter, quote) {
            (letter, Some(open)) if letter == open => quote = None,
            ('"' | '\'', None) => quote = Some(letter),
            (' ', None) => words.push(String::new()),
            (letter, _) => words.last_mut().into_iter().for_each(|word| word.push(letter)),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn what_the_docs_show_is_what_motixc_prints() {
    let mut pages = files("docs", "md");
    pages.extend(["README.md".to_owned(), "CONTRIBUTING.md".to_owned()]);
    let mut stale = Vec::new();
    for path in pages {
        let text = read(&path);
        let now = Page::new(&path).refreshed(&text);
        if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
            fs::write(root().join(&path), &now).unwrap_or_else(|error| panic!("{path}: {error}"));
        } else if now != text {
            let line = text.lines().zip(now.lines()).take_while(|(old, new)| old == new).count();
            stale.push(format!(
                "{path}:{}\n  shows:  {}\n  prints: {}",
                line + 1,
                text.lines().nth(line).unwrap_or(""),
                now.lines().nth(line).unwrap_or("")
            ));
        }
    }
    assert!(
        stale.is_empty(),
        "`UPDATE=1 cargo test -p motix-tests transcripts` rewrites what commands print:\n{}",
        stale.join("\n")
    );
}
