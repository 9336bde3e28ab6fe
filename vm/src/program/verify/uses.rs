//! Every place that names a block gets one of the right type, and what a block reads is there at that place.

use super::{At, Checked, CodeFacts, Context};
use crate::ids::{CodeId, DampId};
use crate::input::Source;
use crate::op::Word;
use crate::program::error::LoadErrorKind;
use crate::program::tables::{Behavior, MotionKind};

pub(super) fn check(context: &Context<'_>, rows: &Behavior, facts: &[CodeFacts]) -> Checked {
    let uses = Uses { rows, facts };
    for (row, layer) in rows.layers.iter().enumerate() {
        let at = context.row("layers", row);
        uses.optional(at, "weight", layer.weight, Some(Word::Number))?;
        uses.optional(at, "speed", layer.speed, Some(Word::Number))?;
    }
    for (row, state) in rows.states.iter().enumerate() {
        let at = context.row("states", row);
        uses.optional(at, "entry", state.entry, None)?;
        uses.optional(at, "exit", state.exit, None)?;
        uses.optional(at, "finish", state.finish, None)?;
        uses.optional(at, "repeat", state.repeat, None)?;
        if let Some(update) = state.update {
            uses.typed(at, "update", update, None)?;
            uses.placeless(at, "update", update)?;
        }
    }
    for (row, motion) in rows.motions.iter().enumerate() {
        let at = context.row("motions", row);
        uses.optional(at, "speed", motion.speed, Some(Word::Number))?;
        match motion.kind {
            MotionKind::Clip { phase, .. } => uses.optional(at, "phase", phase, Some(Word::Number))?,
            MotionKind::Blend1D { input, .. } => uses.of(at, "input", input, Some(Word::Number))?,
            MotionKind::Blend2D { x, y, .. } => {
                uses.of(at, "x", x, Some(Word::Number))?;
                uses.of(at, "y", y, Some(Word::Number))?;
            }
            MotionKind::BlendDirect { .. } | MotionKind::Empty => {}
        }
    }
    for (row, point) in rows.points.iter().enumerate() {
        uses.optional(context.row("points", row), "weight", point.weight, Some(Word::Number))?;
    }
    for (row, entry) in rows.entries_from.iter().enumerate() {
        uses.of(context.row("entries_from", row), "actions", entry.actions, None)?;
    }
    for (row, transition) in rows.transitions.iter().enumerate() {
        let at = context.row("transitions", row);
        uses.optional(at, "condition", transition.condition, Some(Word::Bool))?;
        uses.optional(at, "actions", transition.actions, None)?;
    }
    for (row, when) in rows.whens.iter().enumerate() {
        let at = context.row("whens", row);
        uses.of(at, "condition", when.condition, Some(Word::Bool))?;
        uses.of(at, "actions", when.actions, None)?;
    }
    for (row, hear) in rows.hears.iter().enumerate() {
        let at = context.row("hears", row);
        uses.timeless(at, "actions", hear.actions, None)?;
        if hear.input.source() != Source::Pointer {
            uses.placeless(at, "actions", hear.actions)?;
        }
    }
    for (row, predicate) in rows.predicates.iter().enumerate() {
        let result = rows.codes.get(predicate.condition.index()).and_then(|code| code.result);
        context.row("predicates", row).require(
            result.is_some(),
            LoadErrorKind::BadUse,
            "a value with a name is an action list",
        )?;
    }
    for (row, damp) in rows.damps.iter().enumerate() {
        let at = context.row("damps", row);
        uses.of(at, "input", damp.input, Some(Word::Number))?;
        let reads = facts.get(damp.input.index()).and_then(|known| known.damp);
        at.require(reads < DampId::from_index(row), LoadErrorKind::DampOrder, "")?;
    }
    for (row, probe) in rows.probes.iter().enumerate() {
        uses.of(context.row("probes", row), "code", probe.code, Some(probe.ty.word()))?;
    }
    Ok(())
}

struct Uses<'a> {
    rows: &'a Behavior,
    facts: &'a [CodeFacts],
}

impl Uses<'_> {
    fn optional(&self, at: At<'_, '_>, field: &str, code: Option<CodeId>, result: Option<Word>) -> Checked {
        code.map_or(Ok(()), |code| self.of(at, field, code, result))
    }

    /// A block anywhere but in `OnUpdate` and in reactions to the pointer.
    fn of(&self, at: At<'_, '_>, field: &str, code: CodeId, result: Option<Word>) -> Checked {
        self.timeless(at, field, code, result)?;
        self.placeless(at, field, code)
    }

    /// A block where no pointer is.
    fn placeless(&self, at: At<'_, '_>, field: &str, code: CodeId) -> Checked {
        let reads_pointer = self.facts.get(code.index()).is_some_and(|known| known.pointer);
        at.require(!reads_pointer, LoadErrorKind::BadPointer, field)
    }

    /// A block where no tick passes.
    fn timeless(&self, at: At<'_, '_>, field: &str, code: CodeId, result: Option<Word>) -> Checked {
        self.typed(at, field, code, result)?;
        let reads_dt = self.facts.get(code.index()).is_some_and(|known| known.dt);
        at.require(!reads_dt, LoadErrorKind::BadDt, field)
    }

    fn typed(&self, at: At<'_, '_>, field: &str, code: CodeId, result: Option<Word>) -> Checked {
        let found = self.rows.codes.get(code.index()).and_then(|code| code.result);
        if found == result {
            return Ok(());
        }
        let name = |word: Option<Word>| word.map_or("an action list", |word| word.name());
        let detail = alloc::format!("`{field}` is {}, must be {}", name(found), name(result));
        Err(at.error(LoadErrorKind::BadUse, detail))
    }
}
