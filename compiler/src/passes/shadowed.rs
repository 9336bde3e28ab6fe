//! Lint: a transition that is never decided, because one without a condition always goes first.
//!
//! What this pass reports does not count as a way to a state for the passes after it; they ask [`Blockers`] too.

use std::cmp::Reverse;

use motix_vm::ids::StateId;

use super::{Context, always_holds, head, leads, outward, parent, within};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::{Behavior, Hir, Start, Target, Transition};

pub(super) fn run(hir: &mut Hir, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for (_, behavior) in context.own(hir) {
        let blockers = Blockers::of(behavior);
        for machine in &behavior.machines {
            let before = |first: &Transition, second: &Transition| before_any(behavior, None, first, second);
            report_all(behavior, &machine.any, before, context, diagnostics);
            report_all(behavior, machine.start.entry(), before_way, context, diagnostics);
        }
        for (index, state) in behavior.states.iter().enumerate() {
            let own = blockers.of_state(StateId(index as u16));
            for transition in &state.transitions {
                if let Some(first) = own.before(transition) {
                    report(behavior, transition, first, context, diagnostics);
                }
            }
            let composite = Some(StateId(index as u16));
            let before =
                |first: &Transition, second: &Transition| before_any(behavior, composite, first, second);
            report_all(behavior, &state.any, before, context, diagnostics);
            let entry = state.start.as_ref().map_or(&[][..], Start::entry);
            report_all(behavior, entry, before_way, context, diagnostics);
            let around = state.parent;
            let before_done = |first: &Transition, second: &Transition| {
                goes_before(first, second, Tie::Order) && leads(behavior, first.target, around)
            };
            report_all(behavior, &state.done, before_done, context, diagnostics);
        }
    }
}

/// Whether one `AnyState` transition, of a machine or inside a composite, goes before another in every state that it
/// concerns.
fn before_any(
    behavior: &Behavior,
    composite: Option<StateId>,
    first: &Transition,
    second: &Transition,
) -> bool {
    // Without `Restart` it is not taken in its own target, where the other may be; one that leads out of a composite
    // is taken everywhere inside.
    let acts = first.restart
        || first.target == second.target
        || composite
            .is_some_and(|state| acts_in(behavior, state, first) && leads(behavior, first.target, composite));
    goes_before(first, second, Tie::Order) && acts
}

fn before_way(first: &Transition, second: &Transition) -> bool {
    first.order < second.order
}

/// Reports those of a list before which another of it always goes.
fn report_all(
    behavior: &Behavior,
    list: &[Transition],
    before: impl Fn(&Transition, &Transition) -> bool,
    context: &Context<'_>,
    diagnostics: &mut Diagnostics,
) {
    let first_ones = first_ones(list.iter());
    for transition in list {
        if let Some(first) = first_ones.iter().find(|first| before(first, transition)) {
            report(behavior, transition, first, context, diagnostics);
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
    let target = context.target(behavior, transition.target);
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
    /// By machine, those of its `AnyState`.
    any: Vec<Vec<&'b Transition>>,
    /// By state, its own and those of the `AnyState` inside it.
    own: Vec<(Vec<&'b Transition>, Vec<&'b Transition>)>,
}

/// Those that go before transitions of one state, and how they stand to those of equal priority.
pub(super) struct StateBlockers<'b>(Vec<(&'b Transition, Tie)>);

impl<'b> Blockers<'b> {
    pub(super) fn of(behavior: &'b Behavior) -> Self {
        let any = behavior.machines.iter().map(|machine| first_ones(machine.any.iter())).collect();
        let own = behavior.states.iter().enumerate().map(|(index, state)| {
            let acts = |transition: &&Transition| acts_in(behavior, StateId(index as u16), transition);
            (first_ones(state.transitions.iter().filter(acts)), first_ones(state.any.iter()))
        });
        Self { behavior, any, own: own.collect() }
    }

    /// Whether an `AnyState` transition, of a machine or inside a composite, is never decided.
    pub(super) fn blocks_any(
        &self,
        machine: usize,
        composite: Option<usize>,
        transition: &Transition,
    ) -> bool {
        let first_ones = match composite {
            Some(state) => self.own.get(state).map(|(_, any)| any),
            None => self.any.get(machine),
        };
        let composite = composite.map(|state| StateId(state as u16));
        let before = |first: &&Transition| before_any(self.behavior, composite, first, transition);
        first_ones.is_some_and(|list| list.iter().any(before))
    }

    pub(super) fn of_state(&self, id: StateId) -> StateBlockers<'b> {
        let Some(state) = self.behavior.states.get(id.index()) else { return StateBlockers(Vec::new()) };
        let mut found: Vec<(&Transition, Tie)> = Vec::new();
        if !state.terminal {
            found.extend(
                self.any.get(state.machine.index()).into_iter().flatten().map(|row| (*row, Tie::Wins)),
            );
        }
        for outer in outward(self.behavior, id) {
            let Some((own, any)) = self.own.get(outer.index()) else { continue };
            let around = parent(self.behavior, outer);
            let certain = own.iter().filter(|row| leads(self.behavior, row.target, around));
            let tie = if outer == id { Tie::Order } else { Tie::Loses };
            found.extend(certain.map(|row| (*row, tie)));
            let certain = any.iter().filter(|row| leads(self.behavior, row.target, Some(outer)));
            found.extend(certain.map(|row| (*row, Tie::Wins)));
        }
        found.retain(|(transition, _)| acts_in(self.behavior, id, transition));
        StateBlockers(found)
    }
}

impl<'b> StateBlockers<'b> {
    /// The transition that always goes before one of the state's own.
    pub(super) fn before(&self, transition: &Transition) -> Option<&'b Transition> {
        self.0.iter().find(|(first, tie)| goes_before(first, transition, *tie)).map(|(first, _)| *first)
    }
}

/// Whether taking a transition in a state, or in one inside it, always changes something: otherwise others may be
/// taken there.
pub(super) fn acts_in(behavior: &Behavior, state: StateId, transition: &Transition) -> bool {
    let Target::State(target) = transition.target else { return true };
    transition.restart || !within(behavior, state, target) && !within(behavior, target, state)
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

/// Which of two transitions of equal priority goes first.
#[derive(Clone, Copy)]
pub(super) enum Tie {
    /// This one.
    Wins,
    /// The other one.
    Loses,
    /// The one that is declared first.
    Order,
}

/// Whether `first`, which always holds, is taken where `second` could be decided.
fn goes_before(first: &Transition, second: &Transition, tie: Tie) -> bool {
    let sooner = first.priority > second.priority
        || first.priority == second.priority
            && match tie {
                Tie::Wins => true,
                Tie::Loses => false,
                Tie::Order => first.order < second.order,
            };
    let chosen_by_weight = first.priority == second.priority
        && (first.random_weight.is_some() || second.random_weight.is_some());
    // Instant transitions are decided among themselves before the others are.
    let in_time = first.instant || !second.instant;
    sooner && !chosen_by_weight && in_time && !second.on_request
}
