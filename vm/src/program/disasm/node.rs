//! The layout of the text form, and how names, texts and numbers are written.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use crate::program::envelope::Fnv;

/// How wide a block may be to stand in one line.
const WIDTH: usize = 100;
/// Names and texts of more bytes are shortened.
const LONGEST: usize = 200;

/// A piece of the text form.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Line(String),
    Block { head: String, items: Vec<Node> },
}

impl Node {
    pub(super) fn block(head: impl Into<String>, items: Vec<Node>) -> Self {
        Self::Block { head: head.into(), items }
    }

    /// A block, or only its head where it has no items.
    pub(super) fn item(head: String, items: Vec<Node>) -> Self {
        if items.is_empty() { Self::Line(head) } else { Self::Block { head, items } }
    }

    pub(super) fn print(&self, indent: usize, out: &mut String) {
        let margin = |out: &mut String, indent| out.extend(core::iter::repeat_n("    ", indent));
        margin(out, indent);
        match self {
            Self::Line(text) => out.push_str(text),
            Self::Block { head, items } => {
                out.push_str(head);
                match one_line(head, items, WIDTH.saturating_sub(4 * indent)) {
                    Some(line) => out.push_str(&line),
                    None => {
                        out.push_str(" {\n");
                        items.iter().for_each(|item| item.print(indent + 1, out));
                        margin(out, indent);
                        out.push('}');
                    }
                }
            }
        }
        out.push('\n');
    }
}

/// The items behind their head in one line, if they are plain and few.
fn one_line(head: &str, items: &[Node], width: usize) -> Option<String> {
    let mut line = String::from(" {");
    for (index, item) in items.iter().enumerate() {
        let Node::Line(text) = item else { return None };
        line.push_str(if index == 0 { " " } else { "  " });
        line.push_str(text);
        // A label ends its line.
        if head.len() + line.len() + 2 > width || text.ends_with(':') {
            return None;
        }
    }
    line.push_str(if items.is_empty() { "}" } else { " }" });
    Some(line)
}

/// Words that mean something by themselves where a name can stand.
const RESERVED: [&str; 17] = [
    "and",
    "or",
    "not",
    "true",
    "false",
    "if",
    "then",
    "else",
    "when",
    "elapsed",
    "dt",
    "phase",
    "loops",
    "finished",
    "fade",
    "pointer_x",
    "pointer_y",
];

/// A name as in source: in backquotes where it is odd.
pub(super) fn name(text: &str) -> String {
    let mut characters = text.chars();
    let plain = characters.next().is_some_and(|first| first.is_alphabetic() || first == '_')
        && characters.all(|next| next.is_alphanumeric() || next == '_')
        && text.len() <= LONGEST
        && !RESERVED.contains(&text);
    if plain { text.into() } else { quoted(text, '`') }
}

/// A text as in source.
pub(super) fn string(text: &str) -> String {
    quoted(text, '"')
}

fn quoted(text: &str, quote: char) -> String {
    let shown = if text.len() <= LONGEST {
        text
    } else {
        let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= LONGEST).last();
        text.get(..end.unwrap_or(0)).unwrap_or_default()
    };
    let mut out = String::from(quote);
    for character in shown.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\\' => out.push_str("\\\\"),
            _ if character == quote => out.extend(['\\', quote]),
            _ if character.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    if shown.len() < text.len() {
        // What is not shown still counts in a comparison.
        let mut hash = Fnv::new();
        hash.write(text.as_bytes());
        let _ = write!(out, "\\… {} bytes, {:016x}", text.len(), hash.0);
    }
    out.push(quote);
    out
}

/// The shortest text that reads back as the same number.
pub(super) fn number(value: f32) -> String {
    alloc::format!("{value:?}")
}

/// A color as in source, always with its alpha.
pub(super) fn color(value: u32) -> String {
    alloc::format!("#{value:08x}")
}

/// Names between commas.
pub(super) fn list(names: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for name in names {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&name);
    }
    text
}
