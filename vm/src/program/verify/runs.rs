//! Every run of rows lies in its table, and no row of a table belongs to two owners.
//!
//! Disjoint runs make everything that walks them linear in the table, whoever wrote it.

use alloc::vec::Vec;

use super::{At, Checked, Context};
use crate::program::error::LoadErrorKind;
use crate::program::tables::{Behavior, MotionKind, Run, Start};

pub(super) fn check(context: &Context<'_>, rows: &Behavior) -> Checked {
    let mut variants = Claims::new("variants", rows.variants.len());
    for (row, item) in rows.enums.iter().enumerate() {
        variants.claim(context.row("enums", row), item.variants)?;
    }
    let mut patterns = Claims::new("patterns", rows.patterns.len());
    for (row, mask) in rows.masks.iter().enumerate() {
        patterns.claim(context.row("masks", row), mask.include)?;
        patterns.claim(context.row("masks", row), mask.exclude)?;
    }
    let mut tags = Claims::new("tag_lists", rows.tag_lists.len());
    let mut markers = Claims::new("markers", rows.markers.len());
    let mut spans = Claims::new("spans", rows.spans.len());
    let mut metadata = Claims::new("metadata", rows.metadata.len());
    let mut curves = Claims::new("curves", rows.curves.len());
    for (row, animation) in rows.animations.iter().enumerate() {
        let at = context.row("animations", row);
        tags.claim(at, animation.tags)?;
        markers.claim(at, animation.markers)?;
        spans.claim(at, animation.spans)?;
        metadata.claim(at, animation.metadata)?;
        curves.claim(at, animation.curves)?;
    }
    let mut keys = Claims::new("keys", rows.keys.len());
    for (row, curve) in rows.curves.iter().enumerate() {
        keys.claim(context.row("curves", row), curve.keys)?;
    }
    let mut points = Claims::new("points", rows.points.len());
    let mut triangles = Claims::new("triangles", rows.triangles.len());
    for (row, motion) in rows.motions.iter().enumerate() {
        points.claim(context.row("motions", row), motion.kind.points())?;
        if let MotionKind::Blend2D { triangles: run, .. } = motion.kind {
            triangles.claim(context.row("motions", row), run)?;
        }
    }
    let mut states = Claims::new("states", rows.states.len());
    let mut transitions = Claims::new("transitions", rows.transitions.len());
    for (row, machine) in rows.machines.iter().enumerate() {
        states.claim(context.row("machines", row), machine.states)?;
        transitions.claim(context.row("machines", row), machine.any)?;
        transitions.claim(context.row("machines", row), machine.start.entry())?;
    }
    let mut entries = Claims::new("entries_from", rows.entries_from.len());
    let mut marks = Claims::new("marks", rows.marks.len());
    let mut whens = Claims::new("whens", rows.whens.len());
    for (row, state) in rows.states.iter().enumerate() {
        let at = context.row("states", row);
        entries.claim(at, state.entry_from)?;
        whens.claim(at, state.whens)?;
        marks.claim(at, state.marks)?;
        tags.claim(at, state.tags)?;
        transitions.claim(at, state.transitions)?;
        transitions.claim(at, state.any)?;
        transitions.claim(at, state.done)?;
        transitions.claim(at, state.start.map_or(Run::default(), Start::entry))?;
    }
    let mut triggers = Claims::new("triggers", rows.triggers.len());
    for (row, transition) in rows.transitions.iter().enumerate() {
        triggers.claim(context.row("transitions", row), transition.triggers)?;
    }
    for (row, when) in rows.whens.iter().enumerate() {
        triggers.claim(context.row("whens", row), when.triggers)?;
    }
    let mut hears = Claims::new("hears", rows.hears.len());
    for (row, listener) in rows.listeners.iter().enumerate() {
        hears.claim(context.row("listeners", row), listener.hears)?;
    }
    let mut types = Claims::new("emit_types", rows.emit_types.len());
    for (row, emit) in rows.emits.iter().enumerate() {
        types.claim(context.row("emits", row), emit.types)?;
    }
    let mut binds = Claims::new("binds", rows.binds.len());
    for (row, component) in rows.components.iter().enumerate() {
        binds.claim(context.row("components", row), component.binds)?;
    }
    let mut ops = Claims::new("ops", rows.ops.len());
    for (row, code) in rows.codes.iter().enumerate() {
        ops.claim(context.row("codes", row), code.ops)?;
    }
    Ok(())
}

/// Which rows of a table have an owner: one bit each.
struct Claims {
    table: &'static str,
    len: usize,
    taken: Vec<u64>,
}

impl Claims {
    fn new(table: &'static str, len: usize) -> Self {
        Self { table, len, taken: alloc::vec![0; len.div_ceil(64)] }
    }

    fn claim(&mut self, owner: At<'_, '_>, run: Run) -> Checked {
        let Run { first, count } = run;
        let table = self.table;
        if u64::from(first) + u64::from(count) > self.len as u64 {
            let detail = alloc::format!("{count} rows of `{table}` from {first}, and there are {}", self.len);
            return Err(owner.error(LoadErrorKind::BadRun, detail));
        }
        // A claim that fails ends the verification, so that all claims together cost no more than the table.
        for row in run.indices() {
            let bit = 1 << (row % 64);
            match self.taken.get_mut(row / 64) {
                Some(word) if *word & bit == 0 => *word |= bit,
                _ => {
                    let detail = alloc::format!("row {row} of `{table}`");
                    return Err(owner.error(LoadErrorKind::SharedRows, detail));
                }
            }
        }
        Ok(())
    }
}
