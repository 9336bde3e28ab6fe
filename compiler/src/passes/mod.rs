//! What happens to a checked program before it is lowered: one ordered list, one file a pass.
//!
//! Lints come before folding where they speak of what was written, after it where they need to know what is constant.
//! They speak of the first file only: what it uses was checked by itself. A pass never makes an error.

mod brief_triggers;
mod done;
mod fold;
mod instant_cycles;
mod lonely_groups;
mod never_seen;
mod ranges;
mod shadowed;
mod triangulate;
mod unreachable;
mod unused;
mod walk;

use motix_vm::ids::StateId;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::hir::{Behavior, Hir, Target, Transition};
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
    ("lonely-groups", lonely_groups::run),
    ("fold", fold::run),
    ("ranges", ranges::run),
    ("triangulate", triangulate::run),
    ("shadowed", shadowed::run),
    ("done", done::run),
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

    /// What a transition names as its target.
    fn target(&self, behavior: &Behavior, target: Target) -> String {
        target.state().map_or_else(|| "Exit".to_owned(), |state| self.state(behavior, state))
    }

    fn state(&self, behavior: &Behavior, state: StateId) -> String {
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

/// A state and those around it, innermost first.
fn outward(behavior: &Behavior, state: StateId) -> impl Iterator<Item = StateId> {
    std::iter::successors(Some(state), |state| parent(behavior, *state))
}

fn parent(behavior: &Behavior, state: StateId) -> Option<StateId> {
    behavior.states.get(state.index())?.parent
}

/// Whether a state is another, or inside it.
fn within(behavior: &Behavior, inner: StateId, outer: StateId) -> bool {
    // What is around a state stands before it.
    outward(behavior, inner).take_while(|state| *state >= outer).any(|state| state == outer)
}

/// Whether a transition out of `around` (`None` at the root) certainly leads somewhere.
fn leads(behavior: &Behavior, target: Target, around: Option<StateId>) -> bool {
    let mut around = around;
    // Outward with each step.
    loop {
        let (Target::Exit, Some(outer)) = (target, around) else { return true };
        let Some(row) = behavior.states.get(outer.index()) else { return false };
        let Some(way) = row.done.iter().find(|way| always_holds(way)) else { return false };
        if way.target != Target::Exit {
            return true;
        }
        around = row.parent;
    }
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
