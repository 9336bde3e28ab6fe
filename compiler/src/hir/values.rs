//! Types, parameters and named values.

use motix_vm::ids::EnumId;
use motix_vm::program::tables::Lifetime;

use super::{Declared, Expr};
use crate::intern::Symbol;

/// An enum type.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name; `None` for one written in a parameter.
    pub name: Option<Declared>,
    /// Its variants; never empty.
    pub variants: Vec<Symbol>,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
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
    /// Something wrong was reported; it fits everything.
    Error,
}

/// A value that is known at compile time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// True or false.
    Bool(bool),
    /// A finite f32.
    Number(f32),
    /// A text.
    Text(Symbol),
    /// A variant of an enum.
    Variant(EnumId, u16),
    /// RGBA, red in the highest byte.
    Color(u32),
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Declared,
    /// Its type; never `Error`.
    pub ty: Ty,
    /// Its initial value; `None` for a trigger.
    pub initial: Option<Literal>,
    /// Least value of a number.
    pub min: Option<f32>,
    /// Greatest value of a number.
    pub max: Option<f32>,
    /// Step of a number.
    pub step: Option<f32>,
    /// How long a trigger stays armed.
    pub lifetime: Lifetime,
    /// Looked up in the shared store first.
    pub global: bool,
}

/// A `Let` or `Predicate` of a behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub u32);

/// A `Let` or `Predicate`.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its name.
    pub name: Declared,
    /// Whether it was declared as a predicate.
    pub predicate: bool,
    /// What it stands for.
    pub kind: ValueKind,
}

/// What a named value stands for.
#[derive(Clone, Debug)]
pub enum ValueKind {
    /// An expression.
    Expr(Expr),
    /// `damp(input, seconds)`.
    Damp(Expr, f32),
}
