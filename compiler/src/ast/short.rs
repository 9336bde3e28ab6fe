//! Lists of the tree that are nearly always of one length, which then takes no memory of its own.
//!
//! They are slices to read, and look like lists where a tree is shown.

use std::fmt;
use std::ops::{Deref, DerefMut};

use super::{Name, Part};
use crate::source::Span;
use crate::syntax::Modifier;

/// One name or several. Nearly always it is one.
#[derive(Clone, Debug)]
pub enum Names {
    /// One.
    One(Name),
    /// None, or more than one.
    Many(Box<[Name]>),
}

impl Deref for Names {
    type Target = [Name];

    fn deref(&self) -> &[Name] {
        match self {
            Self::One(name) => std::slice::from_ref(name),
            Self::Many(names) => names,
        }
    }
}

impl From<&[Name]> for Names {
    fn from(names: &[Name]) -> Self {
        match names {
            [name] => Self::One(*name),
            _ => Self::Many(names.into()),
        }
    }
}

/// The pieces of an item's head, in the order of its row. Nearly always it is one.
#[derive(Clone)]
pub enum Head {
    /// One.
    One(Part),
    /// None, or more than one.
    Many(Vec<Part>),
}

impl Head {
    /// Changes the list.
    pub fn edit(&mut self, change: impl FnOnce(&mut Vec<Part>)) {
        let mut parts = match std::mem::replace(self, Self::Many(Vec::new())) {
            Self::One(part) => vec![part],
            Self::Many(parts) => parts,
        };
        change(&mut parts);
        *self = parts.into_iter().collect();
    }
}

impl FromIterator<Part> for Head {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Self {
        let mut parts = parts.into_iter();
        match (parts.next(), parts.next()) {
            (Some(part), None) => Self::One(part),
            (first, second) => {
                let mut list = Vec::with_capacity(usize::from(second.is_some()) * 2 + parts.size_hint().0);
                list.extend(first.into_iter().chain(second).chain(parts));
                Self::Many(list)
            }
        }
    }
}

impl Deref for Head {
    type Target = [Part];

    fn deref(&self) -> &[Part] {
        match self {
            Self::One(part) => std::slice::from_ref(part),
            Self::Many(parts) => parts,
        }
    }
}

impl DerefMut for Head {
    fn deref_mut(&mut self) -> &mut [Part] {
        match self {
            Self::One(part) => std::slice::from_mut(part),
            Self::Many(parts) => parts,
        }
    }
}

impl fmt::Debug for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// The words before a keyword, in order. Nearly always there are none.
#[derive(Clone, Default)]
#[expect(clippy::box_collection, reason = "an item is small because there are many, and few have modifiers")]
pub struct Modifiers(Option<Box<Vec<(Modifier, Span)>>>);

impl Modifiers {
    /// Adds one behind the others.
    pub fn push(&mut self, modifier: Modifier, span: Span) {
        self.0.get_or_insert_default().push((modifier, span));
    }

    /// Takes one away, if it is there.
    pub fn remove(&mut self, modifier: Modifier) {
        if let Some(list) = &mut self.0 {
            list.retain(|(found, _)| *found != modifier);
        }
    }
}

impl Deref for Modifiers {
    type Target = [(Modifier, Span)];

    fn deref(&self) -> &Self::Target {
        self.0.as_ref().map_or(&[], |list| list)
    }
}

impl fmt::Debug for Modifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
