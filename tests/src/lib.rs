//! The harness of Motix's tests: where things lie, and how a source is run through `motixc`.
//!
//! The tests themselves stand in `suite/`; this crate holds only what several of them share. They drive the command
//! line in this process: what a user sees is what is tested.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use motix_compiler::cli::loader::FileLoader;
use motix_compiler::pipeline::{Options, compile};
use motix_vm::Program;

pub mod bench;
pub mod docs;
pub mod edits;
pub mod fuzz;
pub mod generate;
pub mod model;
#[path = "../../vm/tests/program/mutate.rs"]
mod mutate;
pub mod random;

/// The root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// All files under `folder` (relative to the root) whose names end in `.extension`, sorted, as paths relative to the
/// root with `/`. Build products and version control are passed over.
#[must_use]
pub fn files(folder: &str, extension: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() {
                if name != "target" && name != ".git" {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(relative(&path));
            }
        }
    }
    found.sort();
    found
}

/// The text of a file, by its path relative to the root; bytes that are not UTF-8 are replaced.
///
/// # Panics
/// Where it cannot be read: a test then fails with the path.
#[must_use]
pub fn read(path: &str) -> String {
    let bytes = fs::read(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What a source file compiles to, by its path relative to the root.
///
/// # Panics
/// Where it does not compile: a test then fails with the path.
#[must_use]
pub fn program(path: &str) -> Arc<Program> {
    let path = root().join(path).to_string_lossy().into_owned();
    let loader =
        FileLoader::new(&path, &mut std::io::empty()).unwrap_or_else(|error| panic!("{path}: {error:?}"));
    let compiled = compile(&path, &loader, Options::default());
    compiled.ok().and_then(|compiled| compiled.program).unwrap_or_else(|| panic!("{path} does not compile"))
}

fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap_or(path);
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// What a run of `motixc` left.
#[derive(Debug)]
pub struct Run {
    /// The exit code.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs `motixc` in this process, from the root of the repository, with nothing on standard input.
#[must_use]
pub fn motixc(arguments: &[&str]) -> Run {
    motixc_with(arguments, "")
}

/// Runs `motixc` in this process, from the root of the repository, with `input` on standard input.
#[must_use]
pub fn motixc_with(arguments: &[&str], input: &str) -> Run {
    // Paths are shown as they are given; from the root they are the same on every machine. All tests go there, so
    // that it does not matter which does first.
    let moved = std::env::set_current_dir(root());
    debug_assert!(moved.is_ok());
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let arguments = std::iter::once("motixc").chain(arguments.iter().copied());
    let streams = motix_compiler::cli::Streams {
        input: &mut input.as_bytes(),
        out: &mut out,
        err: &mut err,
        out_color: false,
        err_color: false,
        columns: None,
    };
    let code = motix_compiler::cli::run_with(arguments, streams);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Run { code, out: text(out), err: text(err) }
}

/// The codes of diagnostics in the order of their places, from what `--format json` printed.
#[must_use]
pub fn codes(json_lines: &str) -> Vec<String> {
    json_lines
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter_map(|line| line.get("code").and_then(|code| code.as_str()).map(str::to_owned))
        .collect()
}

/// A block of code in a Markdown file.
#[derive(Debug)]
pub struct CodeBlock {
    /// What stands after the opening fence.
    pub info: String,
    /// The line of the opening fence, from 1.
    pub line: usize,
    /// The text between the fences.
    pub text: String,
}

/// The fenced blocks of a Markdown text whose first word of info is `language`.
#[must_use]
pub fn code_blocks(markdown: &str, language: &str) -> Vec<CodeBlock> {
    let mut blocks = Vec::new();
    let mut open: Option<CodeBlock> = None;
    for (number, line) in markdown.lines().enumerate() {
        match (&mut open, line.trim_start().strip_prefix("```")) {
            (None, Some(info)) => {
                open =
                    Some(CodeBlock { info: info.trim().to_owned(), line: number + 1, text: String::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks.retain(|block| block.info.split([',', ' ']).next() == Some(language));
    blocks
}
