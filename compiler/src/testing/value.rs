//! Values that a test asked for, kept apart from the instance and written as in source.

use std::fmt;

use motix_vm::{Color, Value};

/// A value of its own.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    Bool(bool),
    Number(f32),
    Text(String),
    Variant(u16, String),
    Color(Color),
}

impl Known {
    pub(super) fn of(value: Value<'_>) -> Self {
        match value {
            Value::Bool(value) | Value::Trigger(value) => Known::Bool(value),
            Value::Number(value) => Known::Number(value),
            Value::Text(text) => Known::Text(text.to_owned()),
            Value::Variant { index, name } => Known::Variant(index, name.to_owned()),
            Value::Color(color) => Known::Color(color),
        }
    }

    /// The value as an instance takes it.
    pub(super) fn as_value(&self) -> Value<'_> {
        match self {
            Known::Bool(value) => Value::Bool(*value),
            Known::Number(value) => Value::Number(*value),
            Known::Text(text) => Value::Text(text),
            Known::Variant(index, name) => Value::Variant { index: *index, name },
            Known::Color(color) => Value::Color(*color),
        }
    }
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Known::Bool(value) => write!(f, "{value}"),
            Known::Number(value) => write!(f, "{value}"),
            Known::Text(text) => write!(f, "\"{}\"", text.escape_debug()),
            Known::Variant(_, name) => f.write_str(name),
            Known::Color(color) => write!(f, "#{:08x}", color.to_word()),
        }
    }
}
