//! What the language has and this version does not: one message at each place, and nothing that follows from it.

use crate::ast;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::Checker;

impl Checker<'_, '_> {
    /// Reports something written in source.
    pub(super) fn unsupported(&mut self, what: &str, span: Span) {
        let message = format!("`{what}` is not supported yet by this version of Motix");
        let report = Diagnostic::new(Code::NotSupportedYet, message, span, "not available yet");
        self.report(report.help("leave it out for now"));
    }

    /// Reports the item if this version does not know its keyword.
    pub(super) fn refuse(&mut self, item: &ast::Item) -> bool {
        if is_later(item.keyword) {
            self.unsupported(item.keyword.name(), item.keyword_span);
            return true;
        }
        false
    }
}

/// Keywords of which nothing is there yet, wherever they stand. `Duration` and others that mean something elsewhere
/// are told apart by who checks the block.
fn is_later(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::Component)
}
