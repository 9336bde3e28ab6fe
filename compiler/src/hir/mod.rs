//! The program after checking: every name resolved, every expression typed, every default filled in.
//!
//! It still speaks of the language (states, predicates, actions), not of tables and code. It is complete only where
//! no error was reported; `lower` takes it then. Ids are those of the program: rows keep their places in lowering.
//! Layers stand by ascending order, machines as they decide, the states of a machine together.

use motix_vm::ids::{AnimationId, MotionId};

use crate::intern::Symbol;
use crate::source::Span;

mod animations;
mod code;
mod components;
mod listeners;
mod machines;
mod tests;
mod tracks;
mod values;

pub use self::animations::*;
pub use self::code::*;
pub use self::components::*;
pub use self::listeners::*;
pub use self::machines::*;
pub use self::tests::*;
pub use self::tracks::*;
pub use self::values::*;

/// All that a file and what it uses declare.
#[derive(Debug, Default)]
pub struct Hir {
    /// The behaviors: those of the file first, in order of declaration, then those it uses, then those that are
    /// components of these and that the file does not see.
    pub behaviors: Vec<Behavior>,
    /// The tests of the file.
    pub tests: Vec<Test>,
}

/// A name that was declared.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// The name.
    pub symbol: Symbol,
    /// Where it was declared.
    pub span: Span,
    /// Its doc comment.
    pub doc: Option<Symbol>,
}

/// A behavior.
#[derive(Debug)]
pub struct Behavior {
    /// Its name.
    pub name: Declared,
    /// All that it writes itself; what it inherits stands elsewhere.
    pub written: Span,
    /// Its enum types: named ones that it uses, and those written in parameters.
    pub enums: Vec<Enum>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its `Let`s and `Predicate`s, each after those it reads.
    pub values: Vec<Value>,
    /// The predicates that the host answers.
    pub externs: Vec<Declared>,
    /// Its masks.
    pub masks: Vec<Mask>,
    /// Its layers by ascending order; never empty.
    pub layers: Vec<Layer>,
    /// Its groups, in order of first mention, which is their span.
    pub groups: Vec<Declared>,
    /// Its tags, in order of first mention.
    pub tags: Vec<Symbol>,
    /// Its animations.
    pub animations: Vec<Animation>,
    /// The spans of its animations: runs of one animation.
    pub spans: Vec<AnimationSpan>,
    /// The properties that tracks animate: those with a `Rest`, then as tracks mention them.
    pub properties: Vec<Property>,
    /// The motions of its states; a part of another stands before it.
    pub motions: Vec<Motion>,
    /// Its machines.
    pub machines: Vec<Machine>,
    /// Its states.
    pub states: Vec<State>,
    /// Its reactions.
    pub whens: Vec<When>,
    /// The behaviors inside it.
    pub components: Vec<Component>,
    /// Its listeners.
    pub listeners: Vec<Listener>,
}

impl Behavior {
    /// The clips of a motion: itself, or those of its children in their order.
    #[must_use]
    pub fn clips_of(&self, motion: MotionId) -> Vec<MotionId> {
        let mut clips = Vec::new();
        let mut open = vec![motion];
        while let Some(motion) = open.pop() {
            let Some(row) = self.motions.get(motion.index()) else { continue };
            if matches!(row.kind, MotionKind::Clip { .. }) {
                clips.push(motion);
            }
            open.extend(row.points().iter().rev().map(|point| point.motion));
        }
        clips
    }

    /// Whether all clips of a motion share one phase.
    #[must_use]
    pub fn is_synced(&self, motion: MotionId) -> bool {
        let mut open = vec![motion];
        while let Some(motion) = open.pop() {
            let Some(row) = self.motions.get(motion.index()) else { continue };
            if matches!(row.kind, MotionKind::Blend { sync: false, .. }) {
                return false;
            }
            open.extend(row.points().iter().map(|point| point.motion));
        }
        true
    }

    /// The animation of a motion that is a clip.
    #[must_use]
    pub fn animation_of(&self, motion: MotionId) -> Option<(AnimationId, &Animation)> {
        match self.motions.get(motion.index())?.kind {
            MotionKind::Clip { animation, .. } => Some((animation, self.animations.get(animation.index())?)),
            _ => None,
        }
    }
}
