//! How much of everything a program can hold: told once a kind, before ids are used.

use motix_vm::program::limits::Limit;

use crate::ast::Item;
use crate::diagnostic::{Code, Diagnostic};
use crate::intern::Symbol;
use crate::resolve::Declaration;
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::Checker;

/// The rows of a table: ids are 16 bits wide.
pub(super) const ROWS: usize = Limit::Rows.value();

impl Checker<'_, '_> {
    pub(super) fn check_limits(&mut self) {
        let scope = &self.known.scope;
        let named = |rows: &[Declaration<'_>]| rows.get(ROWS).map(|row| row.name.span);
        let marks = scope.animations.iter().flat_map(|row| row.item.items());
        let marks: Vec<Span> =
            marks.filter(|item| item.keyword == Keyword::Span).map(|item| item.span).collect();
        let groups = scope.groups.get(ROWS).map(|group| group.span);
        let tags = scope.tags.get(ROWS).and_then(|tag| self.first_tag(*tag));
        let enums = &self.known.hir.enums;
        let variants = enums.iter().find(|row| row.variants.len() > ROWS);
        let counts = [
            ("parameters", scope.params.len(), named(&scope.params)),
            ("values", scope.lets.len(), scope.lets.get(ROWS).map(|row| row.name.span)),
            ("predicates of the host", scope.externs.len(), named(&scope.externs)),
            ("masks", scope.masks.len(), named(&scope.masks)),
            ("groups", scope.groups.len(), groups),
            ("tags", scope.tags.len(), tags),
            ("animations", scope.animations.len(), scope.animations.get(ROWS).map(|row| row.name.span)),
            ("spans", marks.len(), marks.get(ROWS).copied()),
            ("states", scope.states.len(), scope.states.get(ROWS).map(|row| row.name.span)),
            ("enums", enums.len(), enums.get(ROWS).and_then(|row| row.name.as_ref()).map(|name| name.span)),
            (
                "variants",
                variants.map_or(0, |row| row.variants.len()),
                variants.and_then(|row| row.name.as_ref()).map(|name| name.span),
            ),
        ];
        for (what, count, first) in counts {
            self.check_number(what, count, first);
        }
        let layers = &self.known.scope.layers;
        let most = Limit::Layers.value();
        let first = layers.get(most).map(|row| row.name.span);
        self.check_most("layers", layers.len(), most, first);
    }

    /// Where an animation or a state first has a word.
    fn first_tag(&self, word: Symbol) -> Option<Span> {
        let scope = &self.known.scope;
        let items =
            scope.animations.iter().map(|row| row.item).chain(scope.states.iter().map(|row| row.item));
        let words = items.flat_map(Item::items).filter(|item| item.keyword == Keyword::Tags);
        let mut names = words.flat_map(|item| item.names());
        names.find(|name| name.symbol == word).map(|name| name.span)
    }

    /// Reports so many rows of a table, if they are too many; `first` is the first that is.
    pub(super) fn check_number(&mut self, what: &str, count: usize, first: Option<Span>) {
        self.check_most(what, count, ROWS, first);
    }

    fn check_most(&mut self, what: &str, count: usize, most: usize, first: Option<Span>) {
        let Some(behavior) = self.known.scope.behavior.filter(|_| count > most) else { return };
        let name = format!("`{}`", self.text(behavior.name.symbol));
        let report = too_many(&name, what, count, most, first.unwrap_or(behavior.name.span));
        self.report(report);
    }
}

/// The report of a table that is too long; `span` is the first row that is too much.
pub(super) fn too_many(owner: &str, what: &str, count: usize, most: usize, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::TooMany,
        format!("{owner} has {count} {what}, and {most} is the most"),
        span,
        "the first that is too much",
    )
    .help("split it into several behaviors")
}
