//! Diagnostics as one line each: `file:line:column: error[MX0202]: message`.

use super::Diagnostic;
use crate::source::SourceMap;

/// The line, without its end; line breaks and the like in the message become spaces.
#[must_use]
pub fn line(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let severity = diagnostic.severity.name();
    let code = diagnostic.code.id();
    let message = diagnostic.message.replace(char::is_control, " ");
    match diagnostic.span() {
        Some(span) => {
            let file = sources.file(span.file);
            let position = file.position(span.start);
            format!("{}:{}:{}: {severity}[{code}]: {message}", file.name, position.line, position.column)
        }
        None => format!("{severity}[{code}]: {message}"),
    }
}
