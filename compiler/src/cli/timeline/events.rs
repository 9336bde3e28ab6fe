//! The events of a recording, in groups of one time each, and their list under the timeline.

use super::recording::{Mark, MarkKind, Recording};
use super::style::{Paint, Style, width};

/// What happened at one time.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) time: f64,
    /// Whether something did not go as asked.
    pub(super) trouble: bool,
    /// Whether something came from outside.
    input: bool,
    pieces: Vec<(Paint, String)>,
}

impl Group {
    pub(super) fn paint(&self) -> Paint {
        match (self.trouble, self.input) {
            (true, _) => Paint::Trouble,
            (false, true) => Paint::Input,
            (false, false) => Paint::Bold,
        }
    }
}

/// Times that are nearer than this are one: the runtime's own measure of "now".
const SAME: f64 = 10e-6;
/// The most groups that are listed.
const MAX_LISTED: usize = 60;

/// All events and marks by time.
pub(super) fn groups(recording: &Recording) -> Vec<Group> {
    let mut all: Vec<(f64, Paint, String)> = Vec::new();
    // What comes from outside stands before what it caused.
    for Mark { time, kind, text } in &recording.marks {
        let (paint, sign) = match kind {
            MarkKind::Input => (Paint::Input, ""),
            MarkKind::Failed => (Paint::Trouble, "✗ "),
        };
        all.push((*time, paint, format!("{sign}{text}")));
    }
    for event in recording.ticks.iter().flat_map(|tick| &tick.events) {
        let paint = if event.trouble { Paint::Trouble } else { Paint::Plain };
        let times = if event.count > 1 { format!(" x{}", event.count) } else { String::new() };
        all.push((event.time, paint, format!("{}{times}", event.text)));
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut groups: Vec<Group> = Vec::new();
    for (time, paint, text) in all {
        let (trouble, input) = (paint == Paint::Trouble, paint == Paint::Input);
        match groups.last_mut() {
            Some(group) if time - group.time <= SAME => {
                group.pieces.push((paint, text));
                group.trouble |= trouble;
                group.input |= input;
            }
            _ => groups.push(Group { time, trouble, input, pieces: vec![(paint, text)] }),
        }
    }
    groups
}

/// The sign of a group on the axis: a to z, A to Z, then a star.
pub(super) fn letter(index: usize) -> String {
    let letters = ('a'..='z').chain('A'..='Z');
    letters.clone().nth(index).unwrap_or('*').to_string()
}

/// Writes the list of groups.
pub(super) fn list(out: &mut String, groups: &[Group], style: Style) {
    if groups.is_empty() {
        return;
    }
    out.push('\n');
    for (index, group) in groups.iter().take(MAX_LISTED).enumerate() {
        let letter = style.paint(group.paint(), &letter(index));
        let time = style.paint(Paint::Dim, &format!("{:>7.3} s", group.time));
        let head = format!("  {letter} {time}  ");
        let indent = 2 + 1 + 1 + 9 + 2;
        let mut column = indent;
        out.push_str(&head);
        let room = style.width.saturating_sub(indent).max(1);
        for (index, (paint, text)) in group.pieces.iter().enumerate() {
            let text = style.shown(&text.replace('✗', style.pick("✗", "FAILED:")));
            let gap = if index == 0 { "" } else { "  " };
            for (part, text) in wrapped(&text, room).into_iter().enumerate() {
                let gap = if part == 0 { gap } else { "" };
                if part > 0 || (column > indent && column + gap.len() + width(text) > style.width) {
                    out.push('\n');
                    out.push_str(&" ".repeat(indent));
                    column = indent;
                } else {
                    out.push_str(gap);
                    column += gap.len();
                }
                column += width(text);
                out.push_str(&style.paint(*paint, text));
            }
        }
        out.push('\n');
    }
    if groups.len() > MAX_LISTED {
        let more = format!("  and {} more moments, which `--format json` lists\n", groups.len() - MAX_LISTED);
        out.push_str(&style.paint(Paint::Dim, &more));
    }
}

/// The text in parts that take at most `columns` each, cut at spaces where there are some.
fn wrapped(text: &str, columns: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while width(rest) > columns {
        let fitting = super::style::head(rest, columns).len();
        let at = match rest[..fitting].rfind(' ') {
            Some(space) if space > 0 => space,
            // A letter wider than the room stands alone.
            _ if fitting == 0 => rest.chars().next().map_or(rest.len(), char::len_utf8),
            _ => fitting,
        };
        parts.push(rest[..at].trim_end());
        rest = rest[at..].trim_start();
    }
    if !rest.is_empty() || parts.is_empty() {
        parts.push(rest);
    }
    parts
}
