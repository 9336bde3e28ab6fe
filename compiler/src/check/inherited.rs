//! What the check of a behavior says of what it inherits.
//!
//! A fault of the base is told once, where the base is checked. One that is there only because of what the behavior
//! changes is told where it is, with the `extends` that brings it in, and with no mending: the base may be right for
//! others.

use crate::hash::HashSet;

use crate::ast::Name;
use crate::diagnostic::{Code, Diagnostic, Diagnostics, MAX_DIAGNOSTICS};
use crate::intern::{Interner, Symbol};
use crate::resolve::{Inheritance, Space};
use crate::source::Span;

use super::context::Checker;

/// What was told of each behavior, with what it inherits.
pub(super) struct Told(Vec<HashSet<(Code, Option<Span>)>>);

impl Told {
    pub(super) fn new(behaviors: usize) -> Self {
        Self(vec![HashSet::default(); behaviors])
    }

    /// Passes on what was found in a behavior.
    pub(super) fn tell(
        &mut self,
        found: Diagnostics,
        index: usize,
        name: Name,
        inheritance: Option<&Inheritance>,
        names: &Interner,
        diagnostics: &mut Diagnostics,
    ) {
        let above = inheritance.and_then(|inheritance| inheritance.base);
        let mut own: HashSet<(Code, Option<Span>)> = HashSet::default();
        let lost = found.lost_errors();
        for mut report in found.into_list() {
            let key = (report.code, report.span());
            if let (Some(inheritance), Some(span)) = (inheritance, report.span())
                && !inheritance.written.contains(span)
            {
                if inheritance.clashes || above.is_some_and(|above| self.0[above].contains(&key)) {
                    own.insert(key);
                    continue;
                }
                report.fix = None;
                let whose = names.text(name.symbol);
                report = report.label(inheritance.extends, format!("`{whose}` inherits it here"));
            }
            own.insert(key);
            diagnostics.push(report);
        }
        diagnostics.count_lost(lost);
        if own.len() < MAX_DIAGNOSTICS
            && let Some(above) = above
        {
            // A fault that the base has may be gone here and come back in what extends this.
            own.extend(self.0[above].iter().copied());
        }
        self.0[index] = own;
    }
}

impl Checker<'_, '_> {
    /// Reports a name that was taken away, if it was.
    pub(super) fn removed(&mut self, space: Space, name: Symbol, at: Span) -> bool {
        let Some(inheritance) = self.known.scope.inheritance else { return false };
        let Some(removed) = inheritance.removed(space, name) else { return false };
        let what = removed.noun;
        let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        let report = Diagnostic::new(
            Code::RemovedName,
            format!("the {what} `{}` was removed, and this names it", self.text(name)),
            at,
            format!("expected {article} {what} that is there"),
        )
        .label(removed.span, "removed here");
        let report = match space {
            Space::State => {
                let word = self.written(name);
                report
                    .help(format!(
                        "a transition to it is removed in its state: `State ... {{ Remove Transition {word} }}`"
                    ))
                    .help("if a condition asks for it, override what has the condition")
            }
            _ => report.help("override what names it, or do not remove it"),
        };
        self.report_name(report);
        true
    }
}
