//! Lint: an `OnDone` of a state that no `Exit` leaves.

use motix_vm::ids::StateId;

use super::{Context, head};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::{Behavior, Hir, Target, Transition};

pub(super) fn run(hir: &mut Hir, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for (_, behavior) in context.own(hir) {
        let left = left(behavior);
        for (state, left) in behavior.states.iter().zip(left) {
            let (Some(done), false) = (state.done.first(), left) else { continue };
            let name = context.names.text(state.name.symbol);
            let report = Diagnostic::new(
                Code::DoneNeverTaken,
                format!("no `Exit` leaves the state `{name}`, so its `OnDone` is never taken"),
                head(done),
                "never taken",
            )
            .label(state.name.span, "nothing inside it is done")
            .help("write `Transition Exit` in the state inside it that ends it; to leave it otherwise, `Transition`");
            context.tell(behavior, report, diagnostics);
        }
    }
}

/// By state, whether an `Exit` leaves it.
fn left(behavior: &Behavior) -> Vec<bool> {
    let exits = |transitions: &[Transition]| transitions.iter().any(|way| way.target == Target::Exit);
    let mut left = vec![false; behavior.states.len()];
    let mut leave = |state: Option<StateId>| {
        if let Some(place) = state.and_then(|state| left.get_mut(state.index())) {
            *place = true;
        }
    };
    for (index, state) in behavior.states.iter().enumerate() {
        if exits(&state.transitions) || exits(&state.done) {
            leave(state.parent);
        }
        if exits(&state.any) {
            leave(Some(StateId(index as u16)));
        }
    }
    left
}
