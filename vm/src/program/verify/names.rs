//! Names mean one thing: texts stand once, and things that are looked up by name do not share one.

use alloc::vec::Vec;

use super::{Checked, Context};
use crate::ids::TextId;
use crate::program::error::{LoadError, LoadErrorKind};
use crate::program::tables::Behavior;

/// Each text stands once, so that texts can be compared by id. Gives their rows in the order of the texts.
pub(super) fn texts(context: &Context<'_>) -> Result<Vec<u32>, LoadError> {
    let texts = &context.tables.texts;
    let mut order: Vec<u32> = (0..texts.len()).filter_map(|row| u32::try_from(row).ok()).collect();
    let text = |row: &u32| texts.get(*row as usize).map_or("", |text| text.as_str());
    order.sort_unstable_by(|a, b| text(a).cmp(text(b)));
    for pair in order.windows(2) {
        if let [a, b] = pair
            && text(a) == text(b)
        {
            let row = (*a).max(*b) as usize;
            return Err(context.row("texts", row).error(LoadErrorKind::DuplicateText, ""));
        }
    }
    Ok(order)
}

/// Behaviors have names of their own.
pub(super) fn behaviors(context: &Context<'_>) -> Checked {
    distinct(context, "behaviors", context.tables.behaviors.iter().map(|rows| rows.name))
}

/// Things of one kind in a behavior have names of their own; states among their siblings.
pub(super) fn behavior(context: &Context<'_>, rows: &Behavior) -> Checked {
    distinct(context, "params", rows.params.iter().map(|row| row.name))?;
    distinct(context, "layers", rows.layers.iter().map(|row| row.name))?;
    distinct(context, "masks", rows.masks.iter().map(|row| row.name))?;
    distinct(context, "groups", rows.groups.iter().copied())?;
    distinct(context, "tags", rows.tags.iter().copied())?;
    distinct(context, "animations", rows.animations.iter().map(|row| row.name))?;
    distinct(context, "predicates", rows.predicates.iter().map(|row| row.name))?;
    distinct(context, "externs", rows.externs.iter().copied())?;
    distinct(context, "components", rows.components.iter().map(|row| row.name))?;
    distinct(context, "states", rows.states.iter().map(|row| (row.machine, row.parent, row.name)))?;
    distinct(context, "properties", rows.properties.iter().map(|row| (row.target, row.name)))?;
    distinct(context, "enums", rows.enums.iter().enumerate().map(|(row, item)| item.name.ok_or(row)))?;
    for item in &rows.enums {
        distinct(context, "variants", item.variants.of(&rows.variants).iter().copied())?;
    }
    let spans = rows.spans.iter().map(|row| (row.animation, row.name));
    distinct::<(_, TextId)>(context, "spans", spans)
}

fn distinct<K: Ord + Copy>(
    context: &Context<'_>,
    table: &'static str,
    keys: impl Iterator<Item = K>,
) -> Checked {
    let mut keys: Vec<(K, usize)> = keys.enumerate().map(|(row, key)| (key, row)).collect();
    keys.sort_unstable();
    for pair in keys.windows(2) {
        if let [(a, _), (b, row)] = pair
            && a == b
        {
            return Err(context.row(table, *row).error(LoadErrorKind::DuplicateName, ""));
        }
    }
    Ok(())
}
