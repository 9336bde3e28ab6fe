//! Listeners: what a behavior does when a pointer, a key or the game says something.

use super::Run;
use crate::ids::{CodeId, TextId};
use crate::input::InputKind;

/// A listener.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listener {
    /// The name of its target in the scene; `None` for the whole scene.
    pub target: Option<TextId>,
    /// What it hears reaches the targets below too. Only with a target.
    pub pass_through: bool,
    /// What it does, in order of declaration.
    pub hears: Run,
}

/// What a listener does when it hears something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hear {
    /// The kind of input.
    pub input: InputKind,
    /// Of a key, the one it must be, if it must be one; of a custom event, its name.
    pub name: Option<TextId>,
    /// What runs, at once.
    pub actions: CodeId,
}
