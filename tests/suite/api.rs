//! The public interface of the runtime, in `vm/api.txt`: a change of it is seen, and meant.
//!
//! It is read off the sources: every item, method, field and variant that is `pub`. The lint `unreachable_pub` sees to it
//! that nothing is `pub` which cannot be reached from outside. What a macro makes of its rows stands as the macro says.

use std::fmt::Write as _;

use motix_tests::{files, read};

use crate::generated::compare;

/// What an open brace belongs to: whose items are public without a `pub` of their own, and what to print before them.
struct Block {
    indent: usize,
    head: Option<String>,
    variants: bool,
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The public items of a file, one a line, indented below the `impl`, macro or type that they belong to.
fn items(text: &str) -> String {
    let mut out = String::new();
    let mut blocks: Vec<Block> = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with("//") || trimmed.starts_with(['#', '}']) {
            continue;
        }
        let depth = indent(line);
        blocks
            .retain(|block| block.indent < depth || (block.indent == depth && trimmed.starts_with("where")));
        let variant = blocks.last().is_some_and(|block| block.variants && depth == block.indent + 4);
        let public = trimmed.starts_with("pub ") && !trimmed.starts_with("pub mod");
        let opens = trimmed.starts_with("impl") || (trimmed.contains("! {") && !trimmed.contains('='));
        if !(public || variant || opens) {
            continue;
        }
        // Up to where the item's head ends, on whatever line.
        let mut head = String::from(trimmed);
        while !head.ends_with(['{', ';', ',', '}']) || head.matches('(').count() > head.matches(')').count() {
            let Some(next) = lines.next().map(str::trim).filter(|next| !next.starts_with("///")) else {
                break;
            };
            let space = if head.ends_with('(') || next.starts_with(')') { "" } else { " " };
            let _ = write!(head, "{space}{next}");
        }
        let shown = head.trim_end_matches(['{', ';', ',', ' ']).replace(",)", ")");
        if public || variant {
            for block in &mut blocks {
                if let Some(head) = block.head.take() {
                    let _ = writeln!(out, "{:1$}{head}", "", block.indent);
                }
            }
            let _ = writeln!(out, "{:depth$}{shown}", "");
        }
        if head.ends_with('{') {
            // What stands in an enum, or in one of its variants, is public as it is.
            let variants = variant || head.starts_with("pub enum");
            blocks.push(Block { indent: depth, head: opens.then_some(shown), variants });
        }
    }
    out
}

#[test]
fn the_public_interface_of_the_runtime_is_as_it_was() {
    let mut text = String::from(
        "What motix-vm offers, read off its sources by tests/suite/api.rs. A line that goes or changes breaks somebody.\n",
    );
    for path in files("vm/src", "rs") {
        let items = items(&read(&path));
        if !items.is_empty() {
            let _ = write!(text, "\n{path}\n{items}");
        }
    }
    assert!(
        text.contains("pub fn tick(&mut self, dt: f32, frame: &mut Frame) -> Result<(), TickError>\n"),
        "{text}"
    );
    compare("vm/api.txt", &text);
}
