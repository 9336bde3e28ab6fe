//! Lint: a trigger that lasts for one tick, beside a gate that is open for a moment only.
//!
//! The condition is asked at that moment, so the trigger must have been fired just before it. A trigger with a longer
//! `Lifetime`, or none, waits for the gate.

use motix_vm::ids::{MotionId, ParamId, StateId};
use motix_vm::program::tables::{Lifetime, LoopMode, Place};

use super::{Context, outward};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::{Behavior, Expr, ExprKind, Hir, Transition, ValueKind};
use crate::source::Span;

pub(super) fn run(hir: &mut Hir, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for (_, behavior) in context.own(hir) {
        // Values stand after those they read.
        let mut of_values: Vec<Option<ParamId>> = Vec::with_capacity(behavior.values.len());
        for value in &behavior.values {
            let brief = match &value.kind {
                ValueKind::Expr(expr) => brief_in(behavior, expr, &of_values),
                ValueKind::Damp(..) => None,
            };
            of_values.push(brief.map(|(param, _)| param));
        }
        for (index, state) in behavior.states.iter().enumerate() {
            let mut around = outward(behavior, StateId(index as u16));
            let motion = around.find_map(|outer| behavior.states.get(outer.index())?.motion);
            for transition in &state.transitions {
                if let Some(condition) = &transition.condition
                    && is_momentary(behavior, motion, transition)
                    && let Some((param, span)) = brief_in(behavior, condition, &of_values)
                {
                    report(behavior, param, span, context, diagnostics);
                }
            }
        }
    }
}

/// Whether a gate of the transition is open only while the motion passes a place.
fn is_momentary(behavior: &Behavior, motion: Option<MotionId>, transition: &Transition) -> bool {
    let Some(motion) = motion else { return false };
    // The clips of a motion with a gate loop all, or none does.
    let clips = behavior.clips_of(motion);
    let Some((_, row)) = clips.first().and_then(|clip| behavior.animation_of(*clip)) else { return false };
    let loops = row.loop_mode != LoopMode::None;
    let within = match transition.gate.exit {
        None => false,
        Some(Place::Ratio(share)) => share <= 1.0,
        Some(Place::Seconds(_)) => true,
    };
    transition.gate.marker.is_some() || (loops && within)
}

/// The first trigger in an expression that lasts for one tick, not under a `not`.
fn brief_in(behavior: &Behavior, expr: &Expr, of_values: &[Option<ParamId>]) -> Option<(ParamId, Span)> {
    let found = match expr.kind {
        ExprKind::Not(_) => return None,
        ExprKind::Param(param) => behavior
            .params
            .get(param.index())
            .is_some_and(|row| row.lifetime == Lifetime::Tick)
            .then_some(param),
        ExprKind::Value(value) => of_values.get(value.0 as usize).copied().flatten(),
        _ => None,
    };
    found
        .map(|param| (param, expr.span))
        .or_else(|| expr.operands().iter().find_map(|part| brief_in(behavior, part, of_values)))
}

fn report(
    behavior: &Behavior,
    param: ParamId,
    span: Span,
    context: &Context<'_>,
    diagnostics: &mut Diagnostics,
) {
    let Some(row) = behavior.params.get(param.index()) else { return };
    let name = context.names.text(row.name.symbol);
    let report = Diagnostic::new(
        Code::BriefTrigger,
        format!("the trigger `{name}` lasts for one tick, and this gate is open for a moment"),
        span,
        "asked only at the moment when the gate opens",
    )
    .label(row.name.span, "declared with `Lifetime tick`")
    .help("give it the time that a press may come early: `Lifetime 200ms`");
    context.tell(behavior, report, diagnostics);
}
