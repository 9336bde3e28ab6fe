//! Builds the text of a result: lines with their comments, blocks that stand on one line where they fit, literals.
//!
//! The formatter has the last word about the layout; what is decided here is which block is broken up.

use std::fmt::Write as _;

/// The longest line that is not broken.
const WIDTH: usize = 100;

/// Comments at an item, without their slashes.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    /// Lines before it.
    pub(super) before: Vec<String>,
    /// The one behind it on its line.
    pub(super) behind: Vec<String>,
}

/// The text so far.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) out: String,
}

impl Page {
    /// One line with its comments.
    pub(super) fn line(&mut self, indent: usize, line: &str, notes: Option<&Notes>) {
        let pad = "    ".repeat(indent);
        let empty = Notes::default();
        let notes = notes.unwrap_or(&empty);
        for note in &notes.before {
            let _ = writeln!(self.out, "{pad}// {note}");
        }
        if notes.behind.is_empty() {
            let _ = writeln!(self.out, "{pad}{line}");
        } else {
            let _ = writeln!(self.out, "{pad}{line}  // {}", notes.behind.join("; "));
        }
    }

    /// An item with a block: on one line if it fits, without the block if that is empty.
    pub(super) fn block(&mut self, indent: usize, head: &str, parts: &[String], notes: Option<&Notes>) {
        let joined = format!("{head} {{ {} }}", parts.join(" "));
        let width = indent * 4 + joined.chars().count();
        if parts.is_empty() {
            self.line(indent, head, notes);
        } else if width <= WIDTH {
            self.line(indent, &joined, notes);
        } else {
            self.line(indent, &format!("{head} {{"), notes);
            for part in parts {
                self.line(indent + 1, part, None);
            }
            self.line(indent, "}", None);
        }
    }

    /// An empty line between two groups of items.
    pub(super) fn gap(&mut self) {
        if !self.out.ends_with("{\n") && !self.out.ends_with("\n\n") && !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    /// Takes back the empty lines at the end.
    pub(super) fn trim(&mut self) {
        while self.out.ends_with("\n\n") {
            self.out.pop();
        }
    }
}

/// A number as a literal; one that is too large is the largest.
pub(super) fn number_text(number: f64) -> String {
    let limit = f64::from(f32::MAX);
    let number = number.clamp(-limit, limit);
    // -0 would read as a negation.
    let number = if number == 0.0 { 0.0 } else { number };
    format!("{number}")
}

/// A text as a literal.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
