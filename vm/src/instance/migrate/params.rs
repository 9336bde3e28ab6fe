//! Parameters that have the same name and type, and the state of chance.
//!
//! A value is clamped as if it were set. An enum's variants go by their names.

use alloc::sync::Arc;

use super::Carry;
use crate::ids::ParamId;
use crate::instance::view::{flag, trigger};
use crate::program::Program;
use crate::program::layout::NONE;
use crate::program::tables::{Behavior, Lifetime, Param, Type};
use crate::tick::admitted;

impl Carry<'_> {
    pub(super) fn params(&mut self) {
        let (flags, own) = (self.view.word(0), self.words.first().copied().unwrap_or(0));
        self.put(0, own & !flag::FOUND | flags & !flag::FOUND);
        if let (Some(from), Some(to)) = (self.view.layout.rng, self.layout.rng) {
            for offset in 0..2 {
                self.put(to + offset, self.view.word(from + offset));
            }
        }
        for index in 0..self.view.rows.params.len() {
            let Some(old) = ParamId::from_index(index) else { return };
            let name = self.names.param_name(old);
            let carried = self.new_names.param(name).ok().and_then(|new| self.param(old, new));
            if carried.is_none() {
                self.lose("parameter", name);
            }
        }
    }

    fn param(&mut self, old: ParamId, new: ParamId) -> Option<()> {
        let (from, to) = (self.view.layout.params.get(old.index())?, self.layout.params.get(new.index())?);
        let (was, is) = (self.view.rows.params.get(old.index())?, self.rows.params.get(new.index())?);
        let from_at = from.at as usize;
        match (was.ty, is.ty) {
            (Type::Trigger, Type::Trigger) => {
                let armed = self.view.word(from_at) & trigger::ARMED;
                self.put(to.at as usize, armed);
                if to.fired != NONE && from.fired != NONE {
                    self.put(to.fired as usize, self.view.word(from.fired as usize));
                }
                if let Lifetime::Seconds(seconds) = is.lifetime {
                    let left = match was.lifetime {
                        Lifetime::Seconds(_) => self.view.number(from.extra as usize).min(seconds),
                        _ => seconds,
                    };
                    self.put(to.extra as usize, if armed != 0 { left.to_bits() } else { 0 });
                }
                return Some(());
            }
            (Type::Text, Type::Text) => {
                let now = self.past_text(self.view.word(from_at), from.side);
                let extra = if was.global {
                    self.past_text(self.view.word(from.extra as usize), from.side + 1)
                } else {
                    now.clone()
                };
                self.text(to.at, to.side, now);
                if is.global {
                    self.text(to.extra, to.side + 1, extra);
                }
                return Some(());
            }
            _ => {}
        }
        let now = self.value(was.ty, is, self.view.word(from_at))?;
        self.put(to.at as usize, now);
        if is.global {
            let extra =
                if was.global { self.view.word(from.extra as usize) } else { self.view.word(from_at) };
            let extra = self.value(was.ty, is, extra)?;
            self.put(to.extra as usize, extra);
        }
        Some(())
    }

    fn value(&self, was: Type, row: &Param, value: u32) -> Option<u32> {
        converted((self.old_program, self.view.rows), (self.program, self.rows), was, row, value)
    }

    /// The text of a word in the old block; one of the host stands in the slot `side`.
    pub(super) fn past_text(&self, word: u32, side: u32) -> Arc<str> {
        match self.old_program.tables().texts.get(word as usize) {
            Some(text) => Arc::from(text.as_str()),
            None => self.old_texts.get(side as usize).cloned().flatten().unwrap_or_default(),
        }
    }

    /// Puts a text; one that the program does not hold is kept in the slot `side`.
    pub(super) fn text(&mut self, at: u32, side: u32, text: Arc<str>) {
        let known = self.program.text_id(&text);
        let host = u32::try_from(self.program.tables().texts.len()).unwrap_or(u32::MAX).saturating_add(side);
        self.put(at as usize, known.map_or(host, |id| id.0));
        if let Some(kept) = self.texts.get_mut(side as usize) {
            *kept = if known.is_some() { None } else { Some(text) };
        }
    }
}

/// A value's word in the changed program, clamped as if it were set; `None` where the type or the variant is another.
pub(super) fn converted(
    (old_program, old_rows): (&Program, &Behavior),
    (program, rows): (&Program, &Behavior),
    was: Type,
    row: &Param,
    value: u32,
) -> Option<u32> {
    let value = match (was, row.ty) {
        (Type::Bool, Type::Bool) | (Type::Number, Type::Number) | (Type::Color, Type::Color) => value,
        (Type::Enum(old), Type::Enum(new)) => {
            let variants = old_rows.enums.get(old.index())?.variants.of(&old_rows.variants);
            let name = old_program.text(*variants.get(value as usize)?);
            let variants = rows.enums.get(new.index())?.variants.of(&rows.variants);
            let found = variants.iter().position(|variant| program.text(*variant) == name)?;
            u32::try_from(found).ok()?
        }
        _ => return None,
    };
    admitted(rows, row, value)
}
