//! Every id of every row points into its table. Operations of code are checked with the code.

use super::{At, Checked, Context};
use crate::ids::{CodeId, LayerId, MotionId, StateId};
use crate::program::tables::{Behavior, MetadataValue, MotionKind, Start, Target, Type};

pub(super) fn check(context: &Context<'_>, rows: &Behavior) -> Checked {
    context.at("behaviors", context.behavior.map(|(index, _)| index)).text("name", rows.name)?;
    things(context, rows)?;
    motions(context, rows)?;
    machines(context, rows)?;
    listeners(context, rows)?;
    code(context, rows)
}

fn ty(at: At<'_, '_>, rows: &Behavior, ty: Type) -> Checked {
    match ty {
        Type::Enum(id) => at.id("ty", id.index(), rows.enums.len()),
        Type::Bool | Type::Number | Type::Trigger | Type::Text | Type::Color => Ok(()),
    }
}

fn layer(at: At<'_, '_>, rows: &Behavior, layer: LayerId) -> Checked {
    at.id("layer", layer.index(), rows.layers.len())
}

fn state(at: At<'_, '_>, rows: &Behavior, field: &str, state: StateId) -> Checked {
    at.id(field, state.index(), rows.states.len())
}

fn start(at: At<'_, '_>, rows: &Behavior, start: Start) -> Checked {
    match start {
        Start::State(inner) => state(at, rows, "start", inner),
        // Its run is checked with the runs.
        Start::Entry(_) => Ok(()),
    }
}

fn motion(at: At<'_, '_>, rows: &Behavior, motion: MotionId) -> Checked {
    at.id("motion", motion.index(), rows.motions.len())
}

fn block(at: At<'_, '_>, rows: &Behavior, field: &str, block: impl Into<Option<CodeId>>) -> Checked {
    block.into().map_or(Ok(()), |block| at.id(field, block.index(), rows.codes.len()))
}

/// Parameters, enums, layers, masks, animations and what is in them.
fn things(context: &Context<'_>, rows: &Behavior) -> Checked {
    for (row, param) in rows.params.iter().enumerate() {
        let at = context.row("params", row);
        at.text("name", param.name)?;
        ty(at, rows, param.ty)?;
    }
    for (row, item) in rows.enums.iter().enumerate() {
        item.name.map_or(Ok(()), |name| context.row("enums", row).text("name", name))?;
    }
    for (table, texts) in [
        ("variants", &rows.variants),
        ("patterns", &rows.patterns),
        ("groups", &rows.groups),
        ("tags", &rows.tags),
        ("externs", &rows.externs),
    ] {
        for (row, text) in texts.iter().enumerate() {
            context.row(table, row).text("text", *text)?;
        }
    }
    for (row, item) in rows.layers.iter().enumerate() {
        let at = context.row("layers", row);
        at.text("name", item.name)?;
        item.mask.map_or(Ok(()), |mask| at.id("mask", mask.index(), rows.masks.len()))?;
        block(at, rows, "weight", item.weight)?;
        block(at, rows, "speed", item.speed)?;
    }
    for (row, mask) in rows.masks.iter().enumerate() {
        context.row("masks", row).text("name", mask.name)?;
    }
    for (row, animation) in rows.animations.iter().enumerate() {
        let at = context.row("animations", row);
        at.text("name", animation.name)?;
        at.text("asset", animation.asset)?;
        layer(at, rows, animation.layer)?;
        animation.group.map_or(Ok(()), |group| at.id("group", group.index(), rows.groups.len()))?;
    }
    for (row, tag) in rows.tag_lists.iter().enumerate() {
        context.row("tag_lists", row).id("tag", tag.index(), rows.tags.len())?;
    }
    for (row, marker) in rows.markers.iter().enumerate() {
        context.row("markers", row).text("name", marker.name)?;
    }
    for (row, span) in rows.spans.iter().enumerate() {
        let at = context.row("spans", row);
        at.text("name", span.name)?;
        at.id("animation", span.animation.index(), rows.animations.len())?;
    }
    for (row, property) in rows.properties.iter().enumerate() {
        let at = context.row("properties", row);
        at.text("target", property.target)?;
        at.text("name", property.name)?;
    }
    for (row, curve) in rows.curves.iter().enumerate() {
        context.row("curves", row).id("property", curve.property.index(), rows.properties.len())?;
    }
    for (row, entry) in rows.metadata.iter().enumerate() {
        let at = context.row("metadata", row);
        at.text("key", entry.key)?;
        if let MetadataValue::Text(text) = entry.value {
            at.text("value", text)?;
        }
    }
    Ok(())
}

/// Motions and the children of blends. The points of triangles are checked with the triangles.
fn motions(context: &Context<'_>, rows: &Behavior) -> Checked {
    for (row, item) in rows.motions.iter().enumerate() {
        let at = context.row("motions", row);
        block(at, rows, "speed", item.speed)?;
        match item.kind {
            MotionKind::Clip { animation, phase, .. } => {
                at.id("animation", animation.index(), rows.animations.len())?;
                block(at, rows, "phase", phase)?;
            }
            MotionKind::Blend1D { input, .. } => block(at, rows, "input", input)?,
            MotionKind::Blend2D { x, y, .. } => {
                block(at, rows, "x", x)?;
                block(at, rows, "y", y)?;
            }
            MotionKind::BlendDirect { .. } | MotionKind::Empty => {}
        }
    }
    for (row, point) in rows.points.iter().enumerate() {
        let at = context.row("points", row);
        motion(at, rows, point.motion)?;
        block(at, rows, "weight", point.weight)?;
    }
    Ok(())
}

/// Machines, states, transitions and reactions.
fn machines(context: &Context<'_>, rows: &Behavior) -> Checked {
    for (row, machine) in rows.machines.iter().enumerate() {
        let at = context.row("machines", row);
        machine.layer.map_or(Ok(()), |id| layer(at, rows, id))?;
        at.id("motion_layer", machine.motion_layer.index(), rows.layers.len())?;
        start(at, rows, machine.start)?;
    }
    for (row, item) in rows.states.iter().enumerate() {
        let at = context.row("states", row);
        at.text("name", item.name)?;
        at.id("machine", item.machine.index(), rows.machines.len())?;
        item.parent.map_or(Ok(()), |parent| state(at, rows, "parent", parent))?;
        item.start.map_or(Ok(()), |own| start(at, rows, own))?;
        block(at, rows, "entry", item.entry)?;
        block(at, rows, "exit", item.exit)?;
        block(at, rows, "update", item.update)?;
        item.motion.map_or(Ok(()), |id| motion(at, rows, id))?;
        block(at, rows, "finish", item.finish)?;
        block(at, rows, "repeat", item.repeat)?;
    }
    for (row, mark) in rows.marks.iter().enumerate() {
        layer(context.row("marks", row), rows, mark.layer)?;
    }
    for (row, transition) in rows.transitions.iter().enumerate() {
        let at = context.row("transitions", row);
        if let Target::State(target) = transition.target {
            state(at, rows, "target", target)?;
        }
        block(at, rows, "condition", transition.condition)?;
        block(at, rows, "actions", transition.actions)?;
        transition.gate.marker.map_or(Ok(()), |marker| at.text("marker", marker))?;
    }
    for (row, trigger) in rows.triggers.iter().enumerate() {
        context.row("triggers", row).id("param", trigger.index(), rows.params.len())?;
    }
    for (row, entry) in rows.entries_from.iter().enumerate() {
        let at = context.row("entries_from", row);
        state(at, rows, "from", entry.from)?;
        block(at, rows, "actions", entry.actions)?;
    }
    for (row, when) in rows.whens.iter().enumerate() {
        let at = context.row("whens", row);
        block(at, rows, "condition", when.condition)?;
        block(at, rows, "actions", when.actions)?;
    }
    Ok(())
}

fn listeners(context: &Context<'_>, rows: &Behavior) -> Checked {
    for (row, listener) in rows.listeners.iter().enumerate() {
        listener.target.map_or(Ok(()), |target| context.row("listeners", row).text("target", target))?;
    }
    for (row, hear) in rows.hears.iter().enumerate() {
        let at = context.row("hears", row);
        hear.name.map_or(Ok(()), |name| at.text("name", name))?;
        block(at, rows, "actions", hear.actions)?;
    }
    Ok(())
}

/// What code refers to, and what refers to code alone.
fn code(context: &Context<'_>, rows: &Behavior) -> Checked {
    for (row, predicate) in rows.predicates.iter().enumerate() {
        let at = context.row("predicates", row);
        at.text("name", predicate.name)?;
        block(at, rows, "condition", predicate.condition)?;
    }
    for (row, damp) in rows.damps.iter().enumerate() {
        block(context.row("damps", row), rows, "input", damp.input)?;
    }
    for (row, emit) in rows.emits.iter().enumerate() {
        context.row("emits", row).text("name", emit.name)?;
    }
    for (row, value) in rows.emit_types.iter().enumerate() {
        ty(context.row("emit_types", row), rows, *value)?;
    }
    for (row, probe) in rows.probes.iter().enumerate() {
        let at = context.row("probes", row);
        block(at, rows, "code", probe.code)?;
        ty(at, rows, probe.ty)?;
        probe.machine.map_or(Ok(()), |machine| at.id("machine", machine.index(), rows.machines.len()))?;
    }
    Ok(())
}
