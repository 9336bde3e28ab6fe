//! How much of everything a program can hold: told once a kind, before ids are used.

use motix_vm::program::limits::Limit;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

use super::context::Checker;

/// The rows of a table: ids are 16 bits wide.
pub(super) const ROWS: usize = Limit::Rows.value();

impl Checker<'_, '_> {
    pub(super) fn check_limits(&mut self) {
        let scope = &self.known.scope;
        let spans = scope.animations.iter().map(|row| row.item);
        let marks =
            spans.flat_map(|item| item.items()).filter(|item| item.keyword == crate::syntax::Keyword::Span);
        let counts = [
            ("parameters", scope.params.len()),
            ("values", scope.lets.len()),
            ("predicates of the host", scope.externs.len()),
            ("masks", scope.masks.len()),
            ("groups", scope.groups.len()),
            ("tags", scope.tags.len()),
            ("animations", scope.animations.len()),
            ("spans", marks.count()),
            ("states", scope.states.len()),
            ("enums", self.known.hir.enums.len()),
            ("variants", self.known.hir.enums.iter().map(|row| row.variants.len()).max().unwrap_or(0)),
        ];
        for (what, count) in counts {
            self.check_number(what, count);
        }
        self.check_most("layers", self.known.scope.layers.len(), Limit::Layers.value());
    }

    /// Reports so many rows of a table, if they are too many.
    pub(super) fn check_number(&mut self, what: &str, count: usize) {
        self.check_most(what, count, ROWS);
    }

    fn check_most(&mut self, what: &str, count: usize, most: usize) {
        let Some(behavior) = self.known.scope.behavior.filter(|_| count > most) else { return };
        let name = format!("`{}`", self.text(behavior.name.symbol));
        let report = too_many(&name, what, count, most, behavior.name.span);
        self.report(report);
    }
}

/// The report of a table that is too long.
pub(super) fn too_many(owner: &str, what: &str, count: usize, most: usize, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::TooMany,
        format!("{owner} has {count} {what}, and {most} is the most"),
        span,
        format!("too many {what}"),
    )
    .help("split it into several behaviors")
}
