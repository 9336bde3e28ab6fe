//! What the language has and this version does not: one message at each place, and nothing that follows from it.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

use super::context::Checker;

impl Checker<'_, '_> {
    /// Reports something written in source.
    pub(super) fn unsupported(&mut self, what: &str, span: Span) {
        let message = format!("`{what}` is not supported yet by this version of Motix");
        let report = Diagnostic::new(Code::NotSupportedYet, message, span, "not available yet");
        self.report(report.help("leave it out for now"));
    }
}
