//! Texts made of texts: pieces of what stands in this repository put where they do not belong.
//!
//! Most changes keep delimiters balanced and tokens whole, so that parser, checker and lowering get to see them.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use motix_compiler::syntax::{Keyword, RESERVED};

use crate::random::Random;
use crate::{files, read};

/// Texts that break or bend something, wherever they stand.
const ODD: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "\"",
    "`",
    "=",
    "<",
    "-",
    "/*",
    "*/",
    "//",
    "///",
    ",",
    ":",
    ".",
    "é",
    "\u{0}",
    "1e999",
    "80%",
    "#ff",
    "0",
    "-1",
    "1e38",
    "1e-45",
    "0.1s",
    "200ms",
    "0s",
    "100%",
    "0%",
    "3.5",
    "65536",
    "4294967296",
    "<->",
    "->",
    "<-",
    "==",
    "~=",
    "\r\n",
    "\u{301}",
    "\u{202e}",
    "\"\\u{0}\"",
    "`a b`",
    "_",
];

/// What is put together.
struct Pieces {
    words: Vec<String>,
    lines: Vec<String>,
    /// Lines with a block, to its end.
    items: Vec<String>,
    /// The same by their first word.
    alike: BTreeMap<String, Vec<usize>>,
}

fn pieces() -> &'static Pieces {
    static PIECES: OnceLock<Pieces> = OnceLock::new();
    PIECES.get_or_init(|| {
        let folders = ["examples", "tests/behaviors", "tests/fixtures", "stdlib/std"];
        let sources: Vec<String> =
            folders.iter().flat_map(|folder| files(folder, "motix")).map(|path| read(&path)).collect();
        let mut words: Vec<String> = Keyword::ALL.iter().map(|keyword| keyword.name().to_owned()).collect();
        words.extend(RESERVED.iter().map(|word| (*word).to_owned()));
        let (mut lines, mut items) = (Vec::new(), Vec::new());
        for source in &sources {
            words.extend(source.split_whitespace().map(str::to_owned));
            lines.extend(source.lines().map(str::to_owned));
            items.extend(blocks(source));
        }
        for list in [&mut words, &mut lines, &mut items] {
            list.retain(|piece| piece.len() < 4096);
            list.sort();
            list.dedup();
        }
        let mut alike: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, item) in items.iter().enumerate() {
            alike.entry(first_word(item).to_owned()).or_default().push(index);
        }
        Pieces { words, lines, items, alike }
    })
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or("")
}

/// Every line that opens a block, with all up to the line that closes it.
fn blocks(source: &str) -> impl Iterator<Item = String> {
    let lines: Vec<&str> = source.lines().collect();
    (0..lines.len()).filter_map(move |first| {
        let length = block_length(&lines[first..])?;
        Some(lines[first..first + length].join("\n"))
    })
}

/// How many lines the block takes that the first one opens.
fn block_length(lines: &[&str]) -> Option<usize> {
    let mut depth = 0;
    for (index, line) in lines.iter().enumerate() {
        depth += line.matches('{').count() as i64 - line.matches('}').count() as i64;
        match depth {
            ..0 => return None,
            0 => return line.contains('{').then_some(index + 1).or((index > 0).then_some(index + 1)),
            _ => {}
        }
    }
    None
}

/// A text that is a little, or very, different.
#[must_use]
pub fn splice(source: &str, random: &mut Random) -> String {
    let mut text = source.to_owned();
    for _ in 0..=random.below(3) {
        text = match random.below(4) {
            0 => of_lines(&text, random),
            1 => of_blocks(&text, random),
            _ => of_words(&text, random),
        };
    }
    text
}

/// Words taken out, doubled, moved, exchanged, cut.
fn of_words(source: &str, random: &mut Random) -> String {
    let mut parts: Vec<&str> = source.split_inclusive(char::is_whitespace).collect();
    for _ in 0..=random.below(3) {
        if parts.is_empty() {
            parts.push(" ");
        }
        let at = random.below(parts.len());
        match random.below(8) {
            0 => {
                parts.remove(at);
            }
            1 => parts.insert(at, parts[at]),
            2 => {
                let other = random.below(parts.len());
                parts.swap(at, other);
            }
            3 | 4 => {
                if let Some(word) = random.pick(&pieces().words) {
                    // Also in place of the one that is there.
                    if random.below(2) == 0 {
                        parts.remove(at);
                    }
                    parts.insert(at, " ");
                    parts.insert(at, word);
                }
            }
            5 => parts.insert(at, random.pick(ODD).copied().unwrap_or("")),
            6 => {
                let other = parts[random.below(parts.len())];
                parts[at] = other;
            }
            _ => {
                let part = parts[at];
                let cut = random.below(part.chars().count());
                parts[at] = &part[..part.char_indices().nth(cut).map_or(0, |(index, _)| index)];
            }
        }
    }
    parts.concat()
}

/// Lines taken out, doubled, moved, brought in from elsewhere.
fn of_lines(source: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = source.split_inclusive('\n').collect();
    for _ in 0..=random.below(2) {
        let at = random.below(lines.len());
        match random.below(4) {
            0 if !lines.is_empty() => {
                lines.remove(at);
            }
            1 if !lines.is_empty() => {
                let line = lines[random.below(lines.len())];
                lines.insert(at, line);
            }
            2 if !lines.is_empty() => {
                let other = random.below(lines.len());
                lines.swap(at, other);
            }
            _ => {
                if let Some(line) = random.pick(&pieces().lines) {
                    lines.insert(at, "\n");
                    lines.insert(at, line);
                }
            }
        }
    }
    lines.concat()
}

/// Blocks doubled, taken out, exchanged for another of the same keyword, or put somewhere.
fn of_blocks(source: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = source.lines().collect();
    let known = pieces();
    let at = random.below(lines.len());
    let length = (lines.get(at..)).and_then(block_length).unwrap_or(0);
    let own: Vec<&str> = lines.get(at..at + length).unwrap_or_default().to_vec();
    let replacement: Vec<&str> = match random.below(5) {
        0 => Vec::new(),
        1 => [own.as_slice(), &own].concat(),
        2 | 3 if length > 0 => {
            let alike = own.first().and_then(|line| known.alike.get(first_word(line)));
            let other = alike.and_then(|alike| random.pick(alike)).and_then(|index| known.items.get(*index));
            other.map_or(own, |other| vec![other.as_str()])
        }
        _ => {
            let other = random.pick(&known.items).map_or("", String::as_str);
            let mut all = vec![other];
            all.extend(own);
            all
        }
    };
    lines.splice(at..at + length, replacement);
    lines.join("\n")
}
