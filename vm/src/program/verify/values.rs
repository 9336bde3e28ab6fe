//! Every number is finite and in its documented range, and every initial value is one of its parameter's.

use super::{At, Checked, Context};
use crate::easing::{Easing, MOST_STEPS};
use crate::program::error::LoadErrorKind;
use crate::program::limits::{LONGEST_FADE, Limit};
use crate::program::tables::{Behavior, Lifetime, MarkTarget, MetadataValue, MotionKind, Param, Place, Type};

/// The least number above 0.
const ABOVE_ZERO: f32 = f32::from_bits(1);

pub(super) fn check(context: &Context<'_>, rows: &Behavior) -> Checked {
    for (row, item) in rows.enums.iter().enumerate() {
        let at = context.row("enums", row);
        at.require(item.variants.count > 0, LoadErrorKind::EmptyTable, "an enum has no variants")?;
        at.limit(Limit::Rows, item.variants.count as usize)?;
    }
    for (row, param) in rows.params.iter().enumerate() {
        check_param(context.row("params", row), rows, param)?;
    }
    for (row, layer) in rows.layers.iter().enumerate() {
        let at = context.row("layers", row);
        at.number("base_weight", layer.base_weight, 0.0, 1.0)?;
        at.number("lerp_rate", layer.lerp_rate, ABOVE_ZERO, f32::MAX)?;
    }
    for (row, animation) in rows.animations.iter().enumerate() {
        let at = context.row("animations", row);
        animation.duration.map_or(Ok(()), |seconds| at.number("duration", seconds, 0.0, f32::MAX))?;
        at.number("fade_in", animation.fade_in, 0.0, LONGEST_FADE)?;
        at.number("fade_out", animation.fade_out, 0.0, LONGEST_FADE)?;
        at.number("speed", animation.speed, f32::MIN, f32::MAX)?;
        at.number("weight", animation.weight, ABOVE_ZERO, 1.0)?;
        at.number("min_duration", animation.min_duration, 0.0, f32::MAX)?;
    }
    for (row, marker) in rows.markers.iter().enumerate() {
        place(context.row("markers", row), "at", marker.at)?;
    }
    for (row, span) in rows.spans.iter().enumerate() {
        place(context.row("spans", row), "from", span.from)?;
        place(context.row("spans", row), "to", span.to)?;
    }
    for (row, entry) in rows.metadata.iter().enumerate() {
        if let MetadataValue::Number(number) = entry.value {
            context.row("metadata", row).number("value", number, f32::MIN, f32::MAX)?;
        }
    }
    for (row, motion) in rows.motions.iter().enumerate() {
        if let MotionKind::Clip { start_at: Some(start), .. } = motion.kind {
            place(context.row("motions", row), "start_at", start)?;
        }
    }
    for (row, point) in rows.points.iter().enumerate() {
        context.row("points", row).number("x", point.x, f32::MIN, f32::MAX)?;
        context.row("points", row).number("y", point.y, f32::MIN, f32::MAX)?;
    }
    for (row, mark) in rows.marks.iter().enumerate() {
        if let MarkTarget::Weight(weight) = mark.target {
            context.row("marks", row).number("target", weight, 0.0, 1.0)?;
        }
    }
    for (row, transition) in rows.transitions.iter().enumerate() {
        let at = context.row("transitions", row);
        transition
            .random_weight
            .map_or(Ok(()), |weight| at.number("random_weight", weight, 0.0, f32::MAX))?;
        at.number("duration", transition.fade.duration.number(), 0.0, f32::MAX)?;
        easing(at, transition.fade.easing)?;
        let gate = transition.gate;
        gate.after.map_or(Ok(()), |seconds| at.number("after", seconds, 0.0, f32::MAX))?;
        match gate.exit {
            // Cycles, of which there may be many.
            Some(Place::Ratio(ratio)) => at.number("exit", ratio, 0.0, f32::MAX)?,
            Some(exit) => place(at, "exit", exit)?,
            None => {}
        }
        transition.start_at.map_or(Ok(()), |start| place(at, "start_at", start))?;
    }
    for (row, damp) in rows.damps.iter().enumerate() {
        context.row("damps", row).number("time", damp.time, 0.0, f32::MAX)?;
    }
    for (row, trigger) in rows.triggers.iter().enumerate() {
        let at = context.row("triggers", row);
        let is_trigger = rows.params.get(trigger.index()).is_some_and(|param| param.ty == Type::Trigger);
        at.require(is_trigger, LoadErrorKind::BadTrigger, "only a trigger can be consumed")?;
    }
    Ok(())
}

fn place(at: At<'_, '_>, field: &str, place: Place) -> Checked {
    match place {
        Place::Ratio(ratio) => at.number(field, ratio, 0.0, 1.0),
        Place::Seconds(seconds) => at.number(field, seconds, 0.0, f32::MAX),
    }
}

/// A control point moves to the right, so that the curve has one height everywhere.
pub(super) fn easing(at: At<'_, '_>, easing: Easing) -> Checked {
    match easing {
        Easing::CubicBezier { x1, y1, x2, y2 } => {
            at.number("x1", x1, 0.0, 1.0)?;
            at.number("x2", x2, 0.0, 1.0)?;
            at.number("y1", y1, f32::MIN, f32::MAX)?;
            at.number("y2", y2, f32::MIN, f32::MAX)
        }
        Easing::Steps(steps) => at.number("steps", steps.into(), 1.0, MOST_STEPS.into()),
        _ => Ok(()),
    }
}

fn check_param(at: At<'_, '_>, rows: &Behavior, param: &Param) -> Checked {
    at.number("min", param.min, f32::MIN, f32::MAX)?;
    at.number("max", param.max, f32::MIN, f32::MAX)?;
    at.number("step", param.step, 0.0, f32::MAX)?;
    at.require(param.min <= param.max, LoadErrorKind::BadNumber, "`min` is above `max`")?;
    if let Lifetime::Seconds(seconds) = param.lifetime {
        at.number("lifetime", seconds, 0.0, f32::MAX)?;
    }
    let initial = param.initial;
    let holds = match param.ty {
        Type::Bool => initial <= 1,
        Type::Number => number_holds(param, f32::from_bits(initial)),
        Type::Trigger => {
            at.require(!param.global, LoadErrorKind::BadTrigger, "a trigger cannot be global")?;
            initial == 0
        }
        Type::Text => (initial as usize) < at.context.tables.texts.len(),
        Type::Enum(id) => rows.enums.get(id.index()).is_some_and(|item| initial < item.variants.count),
        Type::Color => true,
    };
    at.require(holds, LoadErrorKind::BadInitial, "")
}

/// Inside the range, and on the grid as far as f32 can tell. Without a `min` the grid has no origin to check by.
fn number_holds(param: &Param, initial: f32) -> bool {
    if !(initial >= param.min && initial <= param.max) {
        return false;
    }
    if param.step == 0.0 || param.min == f32::MIN {
        return true;
    }
    let (min, step) = (f64::from(param.min), f64::from(param.step));
    let steps = libm::round((f64::from(initial) - min) / step);
    let tolerance = 1e-6 * f64::from(initial).abs().max(min.abs()) + 1e-3 * step;
    (min + steps * step - f64::from(initial)).abs() <= tolerance
}
