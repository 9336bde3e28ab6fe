//! Listeners.

pub use motix_vm::input::InputKind;

use super::Action;
use crate::intern::Symbol;
use crate::source::Span;

/// A listener.
#[derive(Clone, Debug)]
pub struct Listener {
    /// All of it.
    pub span: Span,
    /// The name of its target; `None` for the whole scene.
    pub target: Option<Symbol>,
    /// What it hears reaches the targets below too.
    pub pass_through: bool,
    /// What it does, in order of declaration.
    pub hears: Vec<Hear>,
}

/// `On`.
#[derive(Clone, Debug)]
pub struct Hear {
    /// All of it.
    pub span: Span,
    /// What is heard.
    pub input: InputKind,
    /// Of a key, the one it must be; of a custom event, its name.
    pub name: Option<Symbol>,
    /// What runs.
    pub actions: Vec<Action>,
}
