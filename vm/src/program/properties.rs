//! The properties that tracks are of, by name: what a host looks up once, and a list of them.

use super::BehaviorRef;
use super::names::UnknownName;
use super::tables::Type;
use crate::ids::PropertyId;
use crate::value::{Color, Value};

/// A property as a host sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PropertyInfo<'p> {
    /// Its id: the values that an instance gives are in the order of these.
    pub id: PropertyId,
    /// The object.
    pub target: &'p str,
    /// Which property of the object.
    pub name: &'p str,
    /// Number or color.
    pub ty: Type,
    /// Its value where no playing clip has a track for it.
    pub rest: Value<'static>,
}

/// The value of a property's word.
pub(crate) fn value(ty: Type, word: u32) -> Value<'static> {
    match ty {
        Type::Color => Value::Color(Color::from_word(word)),
        _ => Value::Number(f32::from_bits(word)),
    }
}

/// Properties of objects that tracks animate.
impl<'p> BehaviorRef<'p> {
    /// All of them, by id.
    pub fn properties(self) -> impl Iterator<Item = PropertyInfo<'p>> {
        self.rows.properties.iter().enumerate().filter_map(move |(index, row)| {
            Some(PropertyInfo {
                id: PropertyId::from_index(index)?,
                target: self.program.text(row.target),
                name: self.program.text(row.name),
                ty: row.ty,
                rest: value(row.ty, row.rest.unwrap_or(0)),
            })
        })
    }

    /// The property of a target.
    ///
    /// # Errors
    ///
    /// No track and no `Rest` is of it; the error names the nearest targets, or the nearest properties of that target.
    pub fn property(self, target: &str, name: &str) -> Result<PropertyId, UnknownName> {
        let found = self.properties().find(|known| known.target == target && known.name == name);
        found.map(|known| known.id).ok_or_else(|| {
            let of_target = || self.properties().filter(|known| known.target == target);
            if of_target().next().is_some() {
                UnknownName::new("property", name, of_target().map(|known| known.name))
            } else {
                UnknownName::new("target", target, self.properties().map(|known| known.target))
            }
        })
    }
}
