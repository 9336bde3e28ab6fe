//! Writing parameters: clamping, snapping, texts that the program does not hold, and the store of global ones.
//!
//! The host's setters and the `Set` of action lists meet here. A write that changes nothing leaves no trace.

use alloc::sync::Arc;

use super::Core;
use crate::float;
use crate::ids::{ParamId, TextId};
use crate::instance::globals::Stored;
use crate::program::layout::ParamSlot;
use crate::program::tables::{Behavior, Param, Type};
use crate::value::Color;

/// The word that a parameter takes for one of its type: clamped and snapped; `None` for a variant that its enum does
/// not have.
#[inline]
pub(crate) fn admitted(rows: &Behavior, row: &Param, word: u32) -> Option<u32> {
    match row.ty {
        Type::Number => Some(float::snap(f32::from_bits(word), row.min, row.max, row.step).to_bits()),
        Type::Enum(id) => rows.enums.get(id.index()).filter(|item| word < item.variants.count).map(|_| word),
        Type::Bool | Type::Text | Type::Color => Some(word),
        Type::Trigger => None,
    }
}

impl Core<'_, '_> {
    /// A text by its word: one of the program's or one that the host gave.
    pub(crate) fn text(&self, word: u32) -> &str {
        let known = &self.program.tables().texts;
        match known.get(word as usize) {
            Some(text) => text,
            None => self.host_text(word).map_or("", |text| text),
        }
    }

    pub(super) fn host_text(&self, word: u32) -> Option<&Arc<str>> {
        let slot = (word as usize).checked_sub(self.program.tables().texts.len())?;
        self.texts.get(slot)?.as_ref()
    }

    /// `Set` in an action list. To a global parameter that the store holds, it writes the store.
    pub(crate) fn assign(&mut self, param: ParamId, word: u32) {
        let (layout, rows) = (self.layout, self.rows);
        let (Some(slot), Some(row)) = (layout.params.get(param.index()), rows.params.get(param.index()))
        else {
            return;
        };
        let Some(word) = admitted(rows, row, word) else { return };
        if row.global {
            let name = self.program.text(row.name);
            let stored = self.make_stored(row, word);
            if let (Some(store), Some(stored)) = (self.host.globals.as_mut(), stored)
                && store.replace(name, stored)
            {
                self.write(row, slot.at as usize, slot.side, word);
                return;
            }
            self.write(row, slot.extra as usize, slot.side.wrapping_add(1), word);
        }
        self.write(row, slot.at as usize, slot.side, word);
    }

    /// Writes a word; a text of the host is kept in the slot `side`, for it may not outlive where it came from.
    fn write(&mut self, row: &Param, at: usize, side: u32, word: u32) {
        if row.ty == Type::Text {
            let text = self.host_text(word).cloned();
            self.write_text(at, side, text.ok_or(TextId(word)));
        } else if self.word(at) != word {
            self.put(at, word);
            self.stir();
        }
    }

    pub(super) fn write_text(&mut self, at: usize, side: u32, text: Result<Arc<str>, TextId>) {
        let known = self.program.tables().texts.len();
        let same = match &text {
            Ok(text) => self.text(self.word(at)) == &**text,
            Err(id) => self.word(at) == id.0,
        };
        if same {
            return;
        }
        let (word, text) = match text {
            Ok(text) => (u32::try_from(known).unwrap_or(u32::MAX).saturating_add(side), Some(text)),
            Err(id) => (id.0, None),
        };
        if let Some(kept) = self.texts.get_mut(side as usize) {
            *kept = text;
        }
        self.put(at, word);
        self.stir();
    }

    /// The host sets a parameter. The word is of its type.
    pub(crate) fn set_word(&mut self, param: ParamId, word: u32) {
        let (layout, rows) = (self.layout, self.rows);
        let (Some(slot), Some(row)) = (layout.params.get(param.index()), rows.params.get(param.index()))
        else {
            return;
        };
        let Some(word) = admitted(rows, row, word) else { return };
        if row.global {
            self.write(row, slot.extra as usize, slot.side.wrapping_add(1), word);
        }
        self.write(row, slot.at as usize, slot.side, word);
    }

    /// The host sets a text.
    pub(crate) fn set_host_text(&mut self, param: ParamId, text: &str) {
        let Some(slot) = self.layout.params.get(param.index()) else { return };
        let global = self.rows.params.get(param.index()).is_some_and(|row| row.global);
        if self.text(self.word(slot.at as usize)) == text && !global {
            return;
        }
        let text = self.program.text_id(text).map_or_else(|| Ok(Arc::from(text)), Err);
        if global {
            self.write_text(slot.extra as usize, slot.side.wrapping_add(1), text.clone());
        }
        self.write_text(slot.at as usize, slot.side, text);
    }

    /// Brings what the store says into the block, or the own value where it says nothing that fits.
    pub(crate) fn read_globals(&mut self) {
        let (layout, rows, program) = (self.layout, self.rows, self.program);
        for param in &layout.globals {
            let (Some(slot), Some(row)) = (layout.params.get(param.index()), rows.params.get(param.index()))
            else {
                continue;
            };
            let stored =
                self.host.globals.as_ref().and_then(|store| store.stored(program.text(row.name))).cloned();
            match stored.and_then(|stored| self.read_stored(row, slot, stored)) {
                Some(Ok(word)) => self.write(row, slot.at as usize, slot.side, word),
                Some(Err(text)) => self.write_text(slot.at as usize, slot.side, text),
                None => self.write(row, slot.at as usize, slot.side, self.word(slot.extra as usize)),
            }
        }
    }

    /// What a stored value is to a parameter: a word, or a text; `None` if it does not fit the type.
    #[allow(clippy::type_complexity)] // a word or one of two kinds of text, used once
    fn read_stored(
        &self,
        row: &Param,
        slot: &ParamSlot,
        stored: Stored,
    ) -> Option<Result<u32, Result<Arc<str>, TextId>>> {
        match (row.ty, stored) {
            (Type::Bool, Stored::Bool(value)) => Some(Ok(u32::from(value))),
            (Type::Number, Stored::Number(value)) => admitted(self.rows, row, value.to_bits()).map(Ok),
            (Type::Color, Stored::Color(color)) => Some(Ok(color.to_word())),
            (Type::Text, Stored::Text(text)) => {
                let current = self.word(slot.at as usize);
                if self.text(current) == &*text {
                    return Some(Ok(current));
                }
                Some(Err(self.program.text_id(&text).map_or(Ok(text), Err)))
            }
            (Type::Enum(id), Stored::Text(name)) => {
                let variants = self.rows.enums.get(id.index())?.variants.of(&self.rows.variants);
                let index = variants.iter().position(|variant| self.program.text(*variant) == &*name)?;
                u32::try_from(index).ok().map(Ok)
            }
            _ => None,
        }
    }

    /// A word as a value for the store, where the store is to be written.
    fn make_stored(&self, row: &Param, word: u32) -> Option<Stored> {
        let store = self.host.globals.as_ref()?;
        let text = match row.ty {
            Type::Bool => return Some(Stored::Bool(word != 0)),
            Type::Number => return Some(Stored::Number(f32::from_bits(word))),
            Type::Color => return Some(Stored::Color(Color::from_word(word))),
            Type::Trigger => return None,
            Type::Text => {
                if let Some(text) = self.host_text(word) {
                    return Some(Stored::Text(text.clone()));
                }
                self.text(word)
            }
            Type::Enum(id) => {
                let variants = self.rows.enums.get(id.index())?.variants.of(&self.rows.variants);
                self.program.text(*variants.get(word as usize)?)
            }
        };
        match store.stored(self.program.text(row.name)) {
            Some(Stored::Text(known)) if &**known == text => Some(Stored::Text(known.clone())),
            // The one place where a tick may allocate: a text that the store has not yet.
            Some(_) => Some(Stored::Text(Arc::from(text))),
            None => None,
        }
    }
}
