//! Lint: a state that is left as soon as it is entered, by a transition without a condition.
//!
//! `Instant` says that this is meant, as does a weighted choice; a condition that is written, even `true`, too.

use motix_vm::ids::StateId;

use super::shadowed::acts_in;
use super::{Context, always_holds, head, leads};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::Hir;

pub(super) fn run(hir: &mut Hir, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for (_, behavior) in context.own(hir) {
        for (index, state) in behavior.states.iter().enumerate() {
            let leaves = state.transitions.iter().find(|transition| {
                always_holds(transition)
                    && transition.condition.is_none()
                    && !transition.instant
                    && transition.random_weight.is_none()
                    && acts_in(behavior, StateId(index as u16), transition)
                    && leads(behavior, transition.target, state.parent)
            });
            let Some(transition) = leaves else { continue };
            let name = context.names.text(state.name.symbol);
            let target = context.target(behavior, transition.target);
            let report = Diagnostic::new(
                Code::NeverSeen,
                format!("the state `{name}` is left at once and is never seen"),
                head(transition),
                "nothing holds this transition back",
            )
            .help(format!("add a condition: `Transition {target} when ...`"))
            .help(format!(
                "if `{name}` is only to be passed through, say so: `Transition {target} {{ Instant }}`"
            ));
            context.tell(behavior, report, diagnostics);
        }
    }
}
