//! Values as the host sees them: of parameters, probes and custom events.
//!
//! Inside an instance every value is one 32-bit word; the types here carry the text or name that a word stands for.

use alloc::sync::Arc;

use crate::ids::TextId;

/// A color, 8 bits a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity: 255 is opaque.
    pub a: u8,
}

impl Color {
    /// The color as one word, red in the highest byte: `0xRRGGBBAA`.
    #[must_use]
    pub const fn to_word(self) -> u32 {
        u32::from_be_bytes([self.r, self.g, self.b, self.a])
    }

    /// The color of a word.
    #[must_use]
    pub const fn from_word(word: u32) -> Self {
        let [r, g, b, a] = word.to_be_bytes();
        Self { r, g, b, a }
    }
}

/// The value of a parameter or an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// True or false.
    Bool(bool),
    /// A finite number.
    Number(f32),
    /// Whether a trigger is armed. Set to `true` it fires, set to `false` it changes nothing.
    Trigger(bool),
    /// A text.
    Text(&'a str),
    /// A variant of an enum. When it is set by name, `Text` serves as well.
    Variant {
        /// Its position in the enum.
        index: u16,
        /// Its name.
        name: &'a str,
    },
    /// A color.
    Color(Color),
}

impl Value<'_> {
    /// The type's name in source.
    #[must_use]
    pub const fn type_name(&self) -> &'static str {
        match self {
            Value::Bool(_) => "bool",
            Value::Number(_) => "number",
            Value::Trigger(_) => "trigger",
            Value::Text(_) => "string",
            Value::Variant { .. } => "enum",
            Value::Color(_) => "color",
        }
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<f32> for Value<'_> {
    fn from(value: f32) -> Self {
        Value::Number(value)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(value: &'a str) -> Self {
        Value::Text(value)
    }
}

impl From<Color> for Value<'_> {
    fn from(value: Color) -> Self {
        Value::Color(value)
    }
}

/// A value that a custom event carries.
#[derive(Clone, Debug, PartialEq)]
pub enum EventValue {
    /// True or false.
    Bool(bool),
    /// A finite number.
    Number(f32),
    /// A text of the program.
    Text(TextId),
    /// A text that the host gave to the instance.
    HostText(Arc<str>),
    /// A variant of an enum, by its position.
    Variant(u16),
    /// A color.
    Color(Color),
}
