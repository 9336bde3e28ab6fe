//! Names and texts as small numbers.
//!
//! Two symbols are equal when their texts are; texts of names are in NFC. Symbols are numbered in order of first
//! appearance: nothing observable may depend on that number.

use crate::hash::HashMap;
use std::num::NonZeroU32;
use std::rc::Rc;

/// An interned text: its place among all, counted from 1, so that an option of one takes no more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(NonZeroU32);

/// All texts of a compilation.
#[derive(Debug, Default)]
pub struct Interner {
    ids: HashMap<Rc<str>, Symbol>,
    texts: Vec<Rc<str>>,
}

impl Interner {
    /// The symbol of a text.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.ids.get(text) {
            return *symbol;
        }
        let text: Rc<str> = text.into();
        self.texts.push(text.clone());
        let symbol = Symbol(NonZeroU32::MIN.saturating_add(self.texts.len() as u32 - 1));
        self.ids.insert(text, symbol);
        symbol
    }

    /// The symbol of a text that was interned before.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.ids.get(text).copied()
    }

    /// The text of the symbol that was the `number`th to appear, from 1: for dumps only.
    #[must_use]
    pub fn nth(&self, number: usize) -> Option<&str> {
        self.texts.get(number.checked_sub(1)?).map(|text| &**text)
    }

    /// The text of a symbol.
    #[must_use]
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0.get() as usize - 1]
    }
}
