//! Lint: a transition that is never decided, because one without a condition always goes first.
//!
//! What this pass reports does not count as a way to a state for the passes after it; they ask [`Blockers`] too.

use std::cmp::Reverse;

use motix_vm::ids::StateId;

use super::{Context, always_holds, head};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::{Behavior, Hir, Transition};

pub(super) fn run(hir: &mut Hir, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for (_, behavior) in context.own(hir) {
        let blockers = Blockers::of(behavior);
        for (index, machine) in behavior.machines.iter().enumerate() {
            for transition in &machine.any {
                if let Some(first) = blockers.before_any(index, transition) {
                    report(behavior, transition, first, context, diagnostics);
                }
            }
        }
        for (index, state) in behavior.states.iter().enumerate() {
            let own = blockers.of_state(StateId(index as u16));
            for transition in &state.transitions {
                if let Some(first) = own.before(transition) {
                    report(behavior, transition, first, context, diagnostics);
                }
            }
        }
    }
}

fn report(
    behavior: &Behavior,
    transition: &Transition,
    first: &Transition,
    context: &Context<'_>,
    diagnostics: &mut Diagnostics,
) {
    let why = if first.priority > transition.priority {
        format!("this one has no condition and `Priority {}`, so it always goes first", first.priority)
    } else {
        "this one has no condition and is decided before it, so it always goes first".into()
    };
    let target = context.state(behavior, transition.target);
    let report = Diagnostic::new(
        Code::ShadowedTransition,
        format!("this transition to `{target}` is never taken"),
        head(transition),
        "never decided",
    )
    .label(head(first), why)
    .help("give the other one a condition, or this one a higher `Priority`");
    context.tell(behavior, report, diagnostics);
}

/// The transitions of a behavior that are taken whenever they are decided: of each source the few that matter.
pub(super) struct Blockers<'b> {
    behavior: &'b Behavior,
    any: Vec<Vec<&'b Transition>>,
}

/// Those that concern one state.
pub(super) struct StateBlockers<'b> {
    any: Vec<&'b Transition>,
    own: Vec<&'b Transition>,
}

impl<'b> Blockers<'b> {
    pub(super) fn of(behavior: &'b Behavior) -> Self {
        let any = behavior.machines.iter().map(|machine| first_ones(machine.any.iter())).collect();
        Self { behavior, any }
    }

    /// The `AnyState` transition that always goes before another, in every state that it concerns.
    pub(super) fn before_any(&self, machine: usize, transition: &Transition) -> Option<&'b Transition> {
        self.any.get(machine)?.iter().copied().find(|first| {
            // Without `Restart` it is not taken in its own target, where the other may be.
            goes_before(first, transition, false) && (first.restart || first.target == transition.target)
        })
    }

    pub(super) fn of_state(&self, id: StateId) -> StateBlockers<'b> {
        let Some(state) = self.behavior.states.get(id.index()) else {
            return StateBlockers { any: Vec::new(), own: Vec::new() };
        };
        let acts = |transition: &&Transition| transition.restart || transition.target != id;
        let any = self.any.get(state.machine.index()).map_or(&[][..], Vec::as_slice);
        StateBlockers {
            any: any.iter().copied().filter(|transition| !state.terminal && acts(transition)).collect(),
            own: first_ones(state.transitions.iter().filter(acts)),
        }
    }
}

impl<'b> StateBlockers<'b> {
    /// The transition that always goes before one of the state's own.
    pub(super) fn before(&self, transition: &Transition) -> Option<&'b Transition> {
        let any = self.any.iter().find(|first| goes_before(first, transition, true));
        any.or_else(|| self.own.iter().find(|first| goes_before(first, transition, false))).copied()
    }
}

/// Of the transitions that always hold, the first in the order of decision, the first that is `Instant`, and of each
/// the next with another target: no other can go before a transition that these do not.
fn first_ones<'b>(transitions: impl Iterator<Item = &'b Transition>) -> Vec<&'b Transition> {
    let mut all: Vec<_> = transitions.filter(|transition| always_holds(transition)).collect();
    all.sort_by_key(|transition| (Reverse(transition.priority), transition.order));
    let mut kept: Vec<&Transition> = Vec::new();
    for instant in [true, false] {
        let mut kind = all.iter().filter(|transition| transition.instant == instant);
        let Some(first) = kind.next() else { continue };
        kept.push(first);
        kept.extend(kind.find(|other| other.target != first.target));
    }
    kept
}

/// Whether `first`, which always holds, is taken where `second` could be decided. `outer`: it is of `AnyState` and
/// `second` is not.
fn goes_before(first: &Transition, second: &Transition, outer: bool) -> bool {
    let sooner = first.priority > second.priority
        || first.priority == second.priority && (outer || first.order < second.order);
    let chosen_by_weight = first.priority == second.priority
        && (first.random_weight.is_some() || second.random_weight.is_some());
    // Instant transitions are decided among themselves before the others are.
    let in_time = first.instant || !second.instant;
    sooner && !chosen_by_weight && in_time && !second.on_request
}
