//! What follows from a name that is declared twice: nothing that is told by itself.
//!
//! Of two things with one name the second is probably meant to have another, which is then missed somewhere: the
//! report of the two says so, instead of one more error. And what the second has inside is not missed in the first.

use crate::ast::Name;
use crate::diagnostic::Code;
use crate::intern::Symbol;
use crate::resolve::Space;

use super::context::Checker;

impl Checker<'_, '_> {
    /// Whether the missing `name` is probably what one of two things with the same name should be called, which is
    /// said where those are reported. `near` is the name that it resembles, if any.
    pub(super) fn is_meant_by_another(&mut self, space: Space, name: Name, near: Option<&str>) -> bool {
        if self.known.meant.iter().any(|(known, symbol)| (*known, *symbol) == (space, name.symbol)) {
            return true;
        }
        let mut rows = self.known.scope.again.iter();
        let Some(row) = rows.find(|row| row.space == space && !self.known.explained.contains(&row.name.span))
        else {
            return false;
        };
        let again = row.name;
        // `Wallk`, where there are `Walk` and twice `Run`, is a slip of its own.
        if near.is_some_and(|near| near != self.text(again.symbol)) {
            return false;
        }
        let word = self.text(name.symbol).to_owned();
        let Some(report) = self.diagnostics.about(Code::DuplicateName, again.span) else { return false };
        report.is_missing(name.span, &word);
        self.known.explained.push(again.span);
        self.known.meant.push((space, name.symbol));
        true
    }

    /// Whether the name is declared twice, so that it is not clear of which of the two something is asked.
    pub(super) fn is_declared_twice(&self, space: Space, name: Symbol) -> bool {
        self.known.scope.is_again(space, name)
    }
}
