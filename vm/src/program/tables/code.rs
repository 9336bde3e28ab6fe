//! Blocks of code, and what has a name or a shape because code reads or reports it.

use super::{Run, Type};
use crate::ids::{CodeId, MachineId, TextId};
use crate::op::Word;

/// An expression with a name: a `Predicate` gives a bool, a `Let` a value of any type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Predicate {
    /// Its name.
    pub name: TextId,
    /// The expression.
    pub condition: CodeId,
}

/// A value that follows its input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damp {
    /// What it follows: an earlier block than those that read the damp, reading only earlier damps.
    pub input: CodeId,
    /// Seconds in which the distance shrinks to 1/e; 0 for at once.
    pub time: f32,
}

/// The shape of a custom event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Emit {
    /// Its name.
    pub name: TextId,
    /// The types of its values, in `emit_types`.
    pub types: Run,
}

/// A block of operations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Code {
    /// Its operations, in `ops`.
    pub ops: Run,
    /// What it leaves on the stack; `None` for an action list.
    pub result: Option<Word>,
}

/// An expression that a test reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The expression.
    pub code: CodeId,
    /// The machine that evaluates it.
    pub machine: Option<MachineId>,
    /// Its type, for showing the value.
    pub ty: Type,
}
