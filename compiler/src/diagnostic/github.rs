//! Diagnostics as annotations of GitHub Actions: `::error file=...,line=...::message`.

use super::{Diagnostic, Severity};
use crate::source::SourceMap;

/// The command, without its line end.
#[must_use]
pub fn line(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let level = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let place = diagnostic.span().map_or_else(String::new, |span| {
        let file = sources.file(span.file);
        let (start, end) = (file.position(span.start), file.position(span.end));
        let mut place = format!("file={},line={},endLine={}", property(&file.name), start.line, end.line);
        // Columns are shown only where both ends are on one line.
        if start.line == end.line {
            place += &format!(",col={},endColumn={}", start.column, end.column);
        }
        place + ","
    });
    let mut message = diagnostic.message.clone();
    for label in &diagnostic.labels {
        message += &format!("\n{}: {}", sources.position(label.span).line, label.message);
    }
    for help in &diagnostic.help {
        message += &format!("\nhelp: {help}");
    }
    format!("::{level} {place}title={}::{}", diagnostic.code.id(), data(&message))
}

/// Escapes the text of a command.
#[must_use]
pub fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a command.
#[must_use]
pub fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
