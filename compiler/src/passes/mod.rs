//! What happens to a checked program before it is lowered: one ordered list, one file a pass.
//!
//! Lints come before folding where they speak of what was written, after it where they need to know what is constant.
//! They speak of the first file only: what it uses was checked by itself. A pass never makes an error.

mod brief_triggers;
mod fold;
mod instant_cycles;
mod never_seen;
mod shadowed;
mod triangulate;
mod unreachable;
mod unused;
mod walk;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::hir::{Behavior, Hir, Transition};
use crate::intern::Interner;
use crate::source::{FileId, Span};

/// A pass: over the program, with the texts of its names.
type Pass = fn(&mut Hir, &Context<'_>, &mut Diagnostics);

/// What passes may look at.
struct Context<'a> {
    names: &'a Interner,
    /// The file that was asked for.
    root: FileId,
}

/// All passes, in their order.
const PASSES: &[(&str, Pass)] = &[
    ("unused", unused::run),
    ("fold", fold::run),
    ("triangulate", triangulate::run),
    ("shadowed", shadowed::run),
    ("never-seen", never_seen::run),
    ("unreachable", unreachable::run),
    ("instant-cycles", instant_cycles::run),
    ("brief-triggers", brief_triggers::run),
];

/// Runs all passes on a program without errors. `root` is the file that was asked for.
pub fn run(hir: &mut Hir, root: FileId, names: &Interner, diagnostics: &mut Diagnostics) {
    let context = Context { names, root };
    for (_, pass) in PASSES {
        pass(hir, &context, diagnostics);
    }
}

impl Context<'_> {
    /// The behaviors that lints speak of.
    fn own<'h>(&self, hir: &'h Hir) -> impl Iterator<Item = (usize, &'h Behavior)> {
        let root = self.root;
        hir.behaviors.iter().enumerate().filter(move |(_, behavior)| behavior.name.span.file == root)
    }

    /// Adds what a lint says of a behavior, unless it is all about what the behavior inherits: that is said of the
    /// one that it is inherited from.
    fn tell(&self, behavior: &Behavior, report: Diagnostic, diagnostics: &mut Diagnostics) {
        if report.labels.iter().any(|label| behavior.written.contains(label.span)) {
            diagnostics.push(report);
        }
    }

    fn state(&self, behavior: &Behavior, state: motix_vm::ids::StateId) -> String {
        behavior
            .states
            .get(state.index())
            .map_or_else(String::new, |row| self.names.text(row.name.symbol).to_owned())
    }
}

/// What a message about a transition shows: from its keyword to its target and condition, without its block.
fn head(transition: &Transition) -> Span {
    let end = transition.condition.as_ref().map_or(transition.target_span, |condition| condition.span);
    Span { end: end.end.clamp(transition.span.start, transition.span.end), ..transition.span }
}

/// Whether a transition is taken whenever it is decided.
fn always_holds(transition: &Transition) -> bool {
    !transition.on_request
        && transition.gate.is_open()
        && transition.condition.as_ref().is_none_or(walk::is_true)
}

/// Whether a transition is never taken by itself.
fn never_holds(transition: &Transition) -> bool {
    transition.on_request || transition.condition.as_ref().is_some_and(walk::is_false)
}
