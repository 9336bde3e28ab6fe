//! Luau files that use the builder (`BehaviorBuilder.new()` ... `:Build()`) into `.motix` text.
//!
//! Tokens, a tolerant tree of the whole file, then a walk that follows locals and applies the calls of each builder's
//! chain to a model; the model is mended so that it compiles, and written. What cannot be carried over is reported at
//! its place and listed in a comment at the top of the result. Nothing of Lua is run.

mod chain;
mod comments;
mod condition;
mod expr;
mod follow;
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

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{FileId, Span};

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
    let written = write::write(&model, super::stem(name));
    Some(super::finish(text, name, &diagnostics.list()[first..], &written))
}
