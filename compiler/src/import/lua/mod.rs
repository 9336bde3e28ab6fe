//! Luau files that use the builder (`BehaviorBuilder.new()` ... `:Build()`) into `.motix` text.
//!
//! Tokens, a tolerant tree of the whole file, then a walk that follows locals and applies the calls of each builder's
//! chain to a model; the model is mended so that it compiles, and written. What cannot be carried over is reported at
//! its place and listed in a comment at the top of the result. Nothing of Lua is run.

mod chain;
mod comments;
mod condition;
mod expr;
mod mend;
mod methods;
mod model;
mod names;
mod parse;
mod scope;
mod token;
mod tree;
mod types;
mod write;

use std::fmt::Write as _;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::format;
use crate::source::{FileId, Span};

/// The most remarks that are listed at the top of a result.
const MAX_LISTED: usize = 100;

/// Reads a Luau file and writes what its builders describe as `.motix` text; `None` where it has no builder.
///
/// `name` is the file's name: behaviors that the file gives no name are named after it. The text is at most
/// `u32::MAX` bytes long. The result compiles; durations are not in it, because builders do not know them.
pub fn import(file: FileId, text: &str, name: &str, diagnostics: &mut Diagnostics) -> Option<String> {
    let first = diagnostics.list().len();
    let tokens = token::lex(file, text, diagnostics);
    let tree = parse::parse(file, text, &tokens, diagnostics);
    let mut reader = scope::Reader::new(&tree, text, diagnostics);
    reader.block(&tree.block);
    if !reader.model.behaviors.is_empty() {
        reader.report_strays();
    }
    let scope::Reader { mut model, anchors, .. } = reader;
    if model.behaviors.is_empty() {
        let start = Span::new(file, 0, 0);
        let message = "there is no behavior builder in this file";
        let diagnostic = Diagnostic::new(Code::NoBuilder, message, start, "nothing to import");
        diagnostics
            .push(diagnostic.help("a builder begins with `BehaviorBuilder.new()` and ends with `:Build()`"));
        return None;
    }
    comments::attach(text, &tokens.comments, anchors, &mut model);
    for behavior in &mut model.behaviors {
        mend::mend(behavior, diagnostics);
    }
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = base.split('.').next().unwrap_or(base);
    let head = remarks(text, base, &diagnostics.list()[first..]);
    let written = head + &write::write(&model, stem);
    // What is written is the language; that the formatter takes it is tested.
    Some(format::format(&written).unwrap_or(written))
}

/// The comment at the top: where the text comes from and what to look at.
fn remarks(text: &str, name: &str, diagnostics: &[Diagnostic]) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    let mut out = format!("// Imported from {name}.\n");
    let mut remarks: Vec<&Diagnostic> = diagnostics.iter().collect();
    remarks.sort_by_key(|remark| remark.span());
    if !remarks.is_empty() {
        out.push_str("//\n// To be looked at, with the lines of that file:\n");
    }
    let mut line = 1;
    let mut at = 0;
    for remark in remarks.iter().take(MAX_LISTED) {
        let start = remark.span().map_or(0, |span| span.start as usize).min(text.len());
        line += text.as_bytes()[at.min(start)..start].iter().filter(|byte| **byte == b'\n').count();
        at = at.max(start);
        let label = remark.labels.first().map_or("", |label| label.message.as_str());
        let _ = writeln!(out, "//   {line}: {} ({label})", one_line(&remark.message));
    }
    if remarks.len() > MAX_LISTED {
        let _ = writeln!(out, "//   and {} more", remarks.len() - MAX_LISTED);
    }
    out.push('\n');
    out
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
