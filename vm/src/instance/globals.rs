//! The store of `Global Param`s: values by name, shared by the instances that are ticked with it.
//!
//! It holds what the host put there and what action lists made of it; it does not know which behaviors use it.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;

use crate::error::SetError;
use crate::value::{Color, Value};

/// A value of the store. A variant of an enum is kept by its name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stored {
    Bool(bool),
    Number(f32),
    Text(Arc<str>),
    Color(Color),
}

/// Values that many instances share.
///
/// A `Global Param` reads the store first, at the start of each tick, and its instance's own value where the store
/// has none of its type. Action lists write back only what the store holds already.
#[derive(Clone, Debug, Default)]
pub struct Globals {
    values: BTreeMap<String, Stored>,
}

impl Globals {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a value into the store. A variant of an enum may be given by its name as text.
    ///
    /// # Errors
    ///
    /// A number that is not finite, and a trigger: the old value stays.
    pub fn set<'v>(&mut self, name: &str, value: impl Into<Value<'v>>) -> Result<(), SetError> {
        let stored = match value.into() {
            Value::Bool(value) => Stored::Bool(value),
            Value::Number(value) if value.is_finite() => Stored::Number(value),
            Value::Number(_) => return Err(SetError::NotFinite { name: name.to_owned() }),
            Value::Text(text) | Value::Variant { name: text, .. } => Stored::Text(Arc::from(text)),
            Value::Color(color) => Stored::Color(color),
            Value::Trigger(_) => {
                return Err(SetError::WrongType {
                    name: name.to_owned(),
                    expected: "value",
                    found: "trigger",
                });
            }
        };
        self.values.insert(name.to_owned(), stored);
        Ok(())
    }

    /// The value of that name; a variant is given as text.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<Value<'_>> {
        Some(match self.values.get(name)? {
            Stored::Bool(value) => Value::Bool(*value),
            Stored::Number(value) => Value::Number(*value),
            Stored::Text(text) => Value::Text(text),
            Stored::Color(color) => Value::Color(*color),
        })
    }

    /// Takes a value out of the store: instances fall back to their own.
    pub fn remove(&mut self, name: &str) {
        self.values.remove(name);
    }

    pub(crate) fn stored(&self, name: &str) -> Option<&Stored> {
        self.values.get(name)
    }

    /// Changes a value that the store holds; false where it holds none.
    pub(crate) fn replace(&mut self, name: &str, value: Stored) -> bool {
        match self.values.get_mut(name) {
            Some(old) => {
                *old = value;
                true
            }
            None => false,
        }
    }
}
