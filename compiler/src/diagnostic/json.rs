//! Diagnostics as JSON, one object a line; the fields are part of the interface and only ever added to.

use serde::Serialize;

use super::Diagnostic;
use crate::source::{SourceMap, Span};

/// A place: lines and columns from 1, columns in characters, the end behind the last one; bytes from 0.
#[derive(Debug, Serialize)]
pub struct Place<'a> {
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    start_byte: u32,
    end_byte: u32,
}

impl<'a> Place<'a> {
    /// The place as tools read it.
    #[must_use]
    pub fn of(span: Span, sources: &'a SourceMap) -> Self {
        let file = sources.file(span.file);
        let (start, end) = (file.position(span.start), file.position(span.end));
        Self {
            file: &file.name,
            line: start.line,
            column: start.column,
            end_line: end.line,
            end_column: end.column,
            start_byte: span.start,
            end_byte: span.end,
        }
    }
}

#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    place: Option<Place<'a>>,
    code: &'a str,
    severity: &'a str,
    message: &'a str,
    labels: Vec<Label<'a>>,
    help: &'a [String],
    fix: Option<Fix<'a>>,
}

#[derive(Serialize)]
struct Label<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    message: &'a str,
}

#[derive(Serialize)]
struct Fix<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    replacement: &'a str,
}

/// The object, on one line without its end.
#[must_use]
pub fn line(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let object = Object {
        place: diagnostic.span().map(|span| Place::of(span, sources)),
        code: diagnostic.code.id(),
        severity: diagnostic.severity.name(),
        message: &diagnostic.message,
        labels: diagnostic
            .labels
            .iter()
            .map(|label| Label { place: Place::of(label.span, sources), message: &label.message })
            .collect(),
        help: &diagnostic.help,
        fix: diagnostic
            .fix
            .as_ref()
            .map(|fix| Fix { place: Place::of(fix.span, sources), replacement: &fix.replacement }),
    };
    // Strings and numbers always have a JSON form.
    serde_json::to_string(&object).unwrap_or_default()
}
