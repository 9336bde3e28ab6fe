//! Other notations into `.motix` text, one folder each.
//!
//! An importer is a pure function from a text to a text and diagnostics. What it cannot carry over it reports; it
//! never drops anything in silence. It knows nothing of later stages: its result is read like any other source.

pub mod fmtion;
mod head;
pub mod lua;
mod names;
mod page;

use crate::diagnostic::Diagnostic;
use crate::format;

/// The name of a file without its folders.
fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// The name of a file without its folders and endings.
fn stem(name: &str) -> &str {
    let base = base(name);
    base.split('.').next().unwrap_or(base)
}

/// The name of a behavior that its file gives no name.
fn behavior_name(stem: &str) -> String {
    Some(names::pascal(stem)).filter(|name| !name.is_empty()).unwrap_or_else(|| "Imported".to_owned())
}

/// A result: what was written, under the comment about it, formatted.
fn finish(text: &str, name: &str, diagnostics: &[Diagnostic], written: &str) -> String {
    let result = head::head(text, base(name), diagnostics) + written;
    // What is written is the language; that the formatter takes it is tested.
    format::format(&result).unwrap_or(result)
}
