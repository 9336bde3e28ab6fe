//! Components: behaviors inside a behavior.

use motix_vm::ids::{BehaviorId, ParamId};
pub use motix_vm::program::tables::Direction;

use super::Declared;
use crate::intern::Symbol;
use crate::source::Span;

/// A component.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its name.
    pub name: Declared,
    /// What it runs.
    pub behavior: BehaviorId,
    /// What stands before the names of its targets.
    pub target: Symbol,
    /// What it shares with the behavior around it.
    pub binds: Vec<Bind>,
}

/// A `Bind`.
#[derive(Clone, Copy, Debug)]
pub struct Bind {
    /// All of it.
    pub span: Span,
    /// The parameter of the behavior around.
    pub param: ParamId,
    /// The component's.
    pub inner: ParamId,
    /// Which way values go.
    pub direction: Direction,
}
