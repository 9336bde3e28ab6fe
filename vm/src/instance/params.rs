//! The host sets and reads parameters, by typed id or by name.
//!
//! A value of the wrong type or not finite is refused and the old one stays; a number is clamped and snapped.

use alloc::borrow::ToOwned;
use alloc::string::String;

use super::Instance;
use super::view::{View, flag};
use crate::error::SetError;
use crate::ids::{ComponentId, ParamId};
use crate::program::tables::{Param, Type};
use crate::program::{
    BehaviorRef, BoolParam, ColorParam, EnumParam, NumberParam, TextParam, TriggerParam, UnknownName,
};
use crate::tick::admitted;
use crate::value::{Color, Value};

acting! {
    /// Sets a bool.
    ///
    /// # Errors
    ///
    /// The id is of another behavior, where it is of another type or none.
    pub fn set_bool(&mut self, param: BoolParam, value: bool) -> Result<(), SetError> {
        self.expect(param.id(), "bool", |ty| ty == Type::Bool)?;
        self.put_param(param.id(), u32::from(value));
        Ok(())
    }

    /// Sets a number: clamped to `Min..Max`, then to the nearest `Min + k * Step` inside, halves up.
    ///
    /// # Errors
    ///
    /// The number is NaN or infinite; the id is of another behavior.
    pub fn set_number(&mut self, param: NumberParam, value: f32) -> Result<(), SetError> {
        self.expect(param.id(), "number", |ty| ty == Type::Number)?;
        if !value.is_finite() {
            return Err(SetError::NotFinite { name: self.param_name(param.id()) });
        }
        self.put_param(param.id(), value.to_bits());
        Ok(())
    }

    /// Sets a text. One that the program does not hold is kept beside the block; setting what is set allocates
    /// nothing.
    ///
    /// # Errors
    ///
    /// The id is of another behavior.
    pub fn set_text(&mut self, param: TextParam, value: &str) -> Result<(), SetError> {
        self.expect(param.id(), "string", |ty| ty == Type::Text)?;
        self.quietly(|core| core.set_host_text(param.id(), value));
        Ok(())
    }

    /// Sets an enum to the variant at that position.
    ///
    /// # Errors
    ///
    /// The enum has no such variant; the id is of another behavior.
    pub fn set_variant(&mut self, param: EnumParam, variant: u16) -> Result<(), SetError> {
        let row = self.expect(param.id(), "enum", |ty| matches!(ty, Type::Enum(_)))?;
        if let (Type::Enum(id), Some(behavior)) = (row.ty, self.names())
            && behavior.variants(id).nth(usize::from(variant)).is_none()
        {
            let name = alloc::format!("{variant}");
            return Err(SetError::UnknownVariant(UnknownName::new("variant", &name, behavior.variants(id))));
        }
        self.put_param(param.id(), u32::from(variant));
        Ok(())
    }

    /// Sets a color.
    ///
    /// # Errors
    ///
    /// The id is of another behavior.
    pub fn set_color(&mut self, param: ColorParam, value: Color) -> Result<(), SetError> {
        self.expect(param.id(), "color", |ty| ty == Type::Color)?;
        self.put_param(param.id(), value.to_word());
        Ok(())
    }

    /// Fires a trigger: it is armed until consumed, or for its `Lifetime`. Fired twice before a tick is fired once.
    ///
    /// # Errors
    ///
    /// The id is of another behavior.
    pub fn fire(&mut self, param: TriggerParam) -> Result<(), SetError> {
        self.expect(param.id(), "trigger", |ty| ty == Type::Trigger)?;
        self.quietly(|core| core.fire(param.id()));
        Ok(())
    }

    /// Sets the parameter of that name. An enum also takes a variant's name as text; a trigger fires for `true`.
    ///
    /// # Errors
    ///
    /// No parameter has that name (the error names the nearest), the value is of another type or not finite, or the
    /// enum has no such variant.
    pub fn set<'v>(&mut self, name: &str, value: impl Into<Value<'v>>) -> Result<(), SetError> {
        let Some(behavior) = self.names() else { return Err(SetError::UnknownId) };
        let param = behavior.param(name).map_err(SetError::Unknown)?;
        let Some(row) = behavior.rows().params.get(param.index()) else { return Err(SetError::UnknownId) };
        let value = value.into();
        let word = match (row.ty, value) {
            (Type::Bool, Value::Bool(value)) => u32::from(value),
            (Type::Number, Value::Number(value)) if value.is_finite() => value.to_bits(),
            (Type::Number, Value::Number(_)) => return Err(SetError::NotFinite { name: name.to_owned() }),
            (Type::Color, Value::Color(color)) => color.to_word(),
            (Type::Trigger, Value::Trigger(fire) | Value::Bool(fire)) => {
                if fire {
                    self.quietly(|core| core.fire(param));
                }
                return Ok(());
            }
            (Type::Text, Value::Text(text)) => {
                self.quietly(|core| core.set_host_text(param, text));
                return Ok(());
            }
            (Type::Enum(id), Value::Text(variant) | Value::Variant { name: variant, .. }) => {
                u32::from(behavior.variant_index(id, variant).map_err(SetError::UnknownVariant)?)
            }
            (ty, value) => {
                return Err(SetError::WrongType {
                    name: name.to_owned(),
                    expected: ty.name(),
                    found: value.type_name(),
                });
            }
        };
        self.put_param(param, word);
        Ok(())
    }

    /// Writes a word of the parameter's type that is no text.
    #[inline]
    fn put_param(&mut self, param: ParamId, word: u32) {
        let (Some(rows), Some(layout)) =
            (self.program.behavior(self.behavior), self.program.layout(self.behavior))
        else {
            return;
        };
        let (Some(slot), Some(row)) = (layout.params.get(param.index()), rows.params.get(param.index()))
        else {
            return;
        };
        if row.global {
            self.quietly(|core| core.set_word(param, word));
            return;
        }
        let (at, Some(word)) = (slot.at as usize, admitted(rows, row, word)) else { return };
        if self.words.get(at) == Some(&word) {
            return;
        }
        // What a component has may be read by what is around it.
        let read = self.id() != ComponentId::ROOT || View::new(rows, layout, &self.words).reads(param);
        if read {
            // What is settled would not be known to be, and so be brought forward in another way.
            let settled = self.words.first().is_some_and(|first| first & flag::SETTLED != 0);
            if settled { self.wake() } else { self.touch() }
        }
        if let Some(to) = self.words.get_mut(at) {
            *to = word;
        }
        if let (Some(flags), true) = (self.words.first_mut(), read) {
            *flags &= !flag::FOUND;
        }
    }

    fn param_name(&self, param: ParamId) -> String {
        self.row(param).map_or("", |row| self.program.text(row.name)).to_owned()
    }

    /// The row of a parameter that must be of a type.
    fn expect(
        &self,
        param: ParamId,
        expected: &'static str,
        fits: impl FnOnce(Type) -> bool,
    ) -> Result<&Param, SetError> {
        let row = self.row(param).ok_or(SetError::UnknownId)?;
        if fits(row.ty) {
            return Ok(row);
        }
        Err(SetError::WrongType { name: self.param_name(param), expected: row.ty.name(), found: expected })
    }
}

reading! {
    /// The value of a parameter: the one that the last tick saw, or that was set since. `None` for an id of another
    /// behavior.
    #[must_use]
    pub fn get(&self, param: impl Into<ParamId>) -> Option<Value<'_>> {
        let param = param.into();
        let (view, row) = (self.view()?, self.row(param)?);
        let slot = view.layout.params.get(param.index())?;
        Some(self.value(row.ty, view.word(slot.at as usize)))
    }

    /// The value of the parameter of that name.
    ///
    /// # Errors
    ///
    /// No parameter has it; the error names the nearest.
    pub fn get_by_name(&self, name: &str) -> Result<Value<'_>, UnknownName> {
        let unknown = || UnknownName::new("parameter", name, core::iter::empty());
        let param = self.names().ok_or_else(unknown)?.param(name)?;
        self.get(param).ok_or_else(unknown)
    }

    /// A word of that type as a value.
    pub(super) fn value(&self, ty: Type, word: u32) -> Value<'_> {
        match ty {
            Type::Bool => Value::Bool(word != 0),
            Type::Number => Value::Number(f32::from_bits(word)),
            Type::Trigger => Value::Trigger(word & 1 != 0),
            Type::Color => Value::Color(Color::from_word(word)),
            Type::Text => {
                let known = self.program.tables().texts.get(word as usize).map(String::as_str);
                let slot = (word as usize).wrapping_sub(self.program.tables().texts.len());
                let given = || self.texts.get(slot).and_then(|text| text.as_deref());
                Value::Text(known.or_else(given).unwrap_or(""))
            }
            Type::Enum(id) => {
                let name = self.names().and_then(|behavior| behavior.variants(id).nth(word as usize));
                Value::Variant { index: word as u16, name: name.unwrap_or("") }
            }
        }
    }

    pub(super) fn names(&self) -> Option<BehaviorRef<'_>> {
        self.program.at(self.behavior)
    }

    fn row(&self, param: ParamId) -> Option<&Param> {
        self.program.behavior(self.behavior)?.params.get(param.index())
    }
}
