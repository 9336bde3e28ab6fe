//! Parameters and the types of values.

use super::Run;
use crate::ids::{EnumId, TextId};
use crate::op::Word;

/// The type of a parameter or a reported value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// True or false.
    Bool,
    /// A finite f32.
    Number,
    /// Fired or not.
    Trigger,
    /// A text.
    Text,
    /// A variant of that enum.
    Enum(EnumId),
    /// RGBA.
    Color,
}

impl Type {
    /// The type's name in source; `enum` for all enums.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Number => "number",
            Type::Trigger => "trigger",
            Type::Text => "string",
            Type::Enum(_) => "enum",
            Type::Color => "color",
        }
    }

    /// How a value of this type stands on the stack; a trigger reads as a bool.
    #[must_use]
    pub const fn word(self) -> Word {
        match self {
            Type::Bool | Type::Trigger => Word::Bool,
            Type::Number => Word::Number,
            Type::Text => Word::Text,
            Type::Enum(_) => Word::Variant,
            Type::Color => Word::Color,
        }
    }
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: TextId,
    /// Its type.
    pub ty: Type,
    /// The initial value as a stack word (f32 bits, 0 or 1, variant, RGBA, `TextId`).
    pub initial: u32,
    /// Least value of a number; -f32::MAX where none is written.
    pub min: f32,
    /// Greatest value of a number; f32::MAX where none is written.
    pub max: f32,
    /// Step of a number, counted from `min`; 0 for none.
    pub step: f32,
    /// How long a trigger stays armed.
    pub lifetime: Lifetime,
    /// Looked up in the shared store first.
    pub global: bool,
}

/// How long a fired trigger stays armed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lifetime {
    /// Until a transition consumes it.
    Consumed,
    /// To the end of the next tick's decisions.
    Tick,
    /// That many seconds.
    Seconds(f32),
}

/// An enum type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enum {
    /// Its name; `None` for one written in a parameter.
    pub name: Option<TextId>,
    /// Its variants; never empty.
    pub variants: Run,
}
