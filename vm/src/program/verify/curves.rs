//! Tracks: properties are numbers or colors, keys ascend, an animation has one track a property.
//!
//! What loading prepares of them is bounded too: whether masks match the targets is found out once, not in a frame.

use super::{At, Checked, Context, values};
use crate::program::error::LoadErrorKind as Kind;
use crate::program::limits::Limit;
use crate::program::masks;
use crate::program::tables::{Behavior, Curve, Type};

pub(super) fn check(context: &Context<'_>, rows: &Behavior) -> Checked {
    if rows.properties.is_empty() && rows.curves.is_empty() {
        return Ok(());
    }
    for (row, property) in rows.properties.iter().enumerate() {
        let at = context.row("properties", row);
        at.require(matches!(property.ty, Type::Number | Type::Color), Kind::BadTrack, property.ty.name())?;
        property.rest.map_or(Ok(()), |rest| value(at, "rest", property.ty, rest))?;
    }
    for (row, curve) in rows.curves.iter().enumerate() {
        keys(context, rows, row, curve)?;
    }
    for (row, animation) in rows.animations.iter().enumerate() {
        let properties = animation.curves.of(&rows.curves).windows(2);
        let ascend = properties.into_iter().all(|pair| matches!(pair, [a, b] if a.property < b.property));
        let what = "the tracks of an animation stand by ascending property, each once";
        context.row("animations", row).require(ascend, Kind::Unsorted, what)?;
    }
    let work = masks::work(context.tables, rows);
    context.at("properties", None).limit(Limit::MaskWork, usize::try_from(work).unwrap_or(usize::MAX))
}

fn keys(context: &Context<'_>, rows: &Behavior, row: usize, curve: &Curve) -> Checked {
    let at = context.row("curves", row);
    at.require(curve.keys.count > 0, Kind::EmptyTable, "a track has no keys")?;
    let ty = rows.properties.get(curve.property.index()).map_or(Type::Number, |property| property.ty);
    let mut last = -1.0;
    for (row, key) in curve.keys.indices().zip(curve.keys.of(&rows.keys)) {
        let at = context.row("keys", row);
        at.number("at", key.at, 0.0, if curve.seconds { f32::MAX } else { 1.0 })?;
        at.require(key.at > last, Kind::Unsorted, "the keys of a track stand by ascending place")?;
        last = key.at;
        value(at, "value", ty, key.value)?;
        values::easing(at, key.easing)?;
    }
    Ok(())
}

/// Every word is a color.
fn value(at: At<'_, '_>, field: &str, ty: Type, word: u32) -> Checked {
    match ty {
        Type::Number => at.number(field, f32::from_bits(word), f32::MIN, f32::MAX),
        _ => Ok(()),
    }
}
