//! The rows of a program as plain data, before verification.
//!
//! [`Tables`] is what the compiler builds and what a `.motixb` file decodes to. It promises nothing: any field may
//! hold anything. [`Program`](super::Program) is made from it by the verifier, and only that can be run.

use alloc::string::String;
use alloc::vec::Vec;

use super::debug::Debug;
use crate::ids::{ParamId, TagId, TextId};
use crate::op::Op;

mod animations;
mod code;
mod components;
mod curves;
mod fields;
mod listeners;
mod machines;
mod motions;
mod params;

pub use self::animations::*;
pub use self::code::*;
pub use self::components::*;
pub use self::curves::*;
pub use self::listeners::*;
pub use self::machines::*;
pub use self::motions::*;
pub use self::params::*;

/// A run of consecutive rows of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The index of the first row.
    pub first: u32,
    /// How many rows.
    pub count: u32,
}

impl Run {
    /// The rows of the run; empty where it reaches beyond the table, which a verified program's never do.
    #[must_use]
    pub fn of<T>(self, table: &[T]) -> &[T] {
        let first = self.first as usize;
        first.checked_add(self.count as usize).and_then(|end| table.get(first..end)).unwrap_or_default()
    }

    /// The indices of the rows.
    #[must_use]
    pub const fn indices(self) -> core::ops::Range<usize> {
        self.first as usize..(self.first as usize).saturating_add(self.count as usize)
    }
}

/// A whole program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tables {
    /// All texts, each once.
    pub texts: Vec<String>,
    /// The behaviors, in order of declaration.
    pub behaviors: Vec<Behavior>,
    /// Where things stand in source; `None` in a stripped program.
    pub debug: Option<Debug>,
}

/// One behavior. All ids in it point into its own tables, texts into the program's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Behavior {
    /// Its name.
    pub name: TextId,
    /// The parameters, in order of declaration.
    pub params: Vec<Param>,
    /// The enum types that parameters have.
    pub enums: Vec<Enum>,
    /// The variants' names of all enums.
    pub variants: Vec<TextId>,
    /// The layers by ascending `order`; never empty.
    pub layers: Vec<Layer>,
    /// The masks.
    pub masks: Vec<Mask>,
    /// The patterns of all masks.
    pub patterns: Vec<TextId>,
    /// The groups' names.
    pub groups: Vec<TextId>,
    /// The tags' names.
    pub tags: Vec<TextId>,
    /// The animations, in order of declaration.
    pub animations: Vec<Animation>,
    /// The tags of all animations and states.
    pub tag_lists: Vec<TagId>,
    /// The markers of all animations, within one by ascending place.
    pub markers: Vec<Marker>,
    /// The spans of all animations, in order of declaration.
    pub spans: Vec<Span>,
    /// The metadata of all animations.
    pub metadata: Vec<Metadata>,
    /// The properties that tracks are of.
    pub properties: Vec<Property>,
    /// The tracks of all animations, within one by ascending property.
    pub curves: Vec<Curve>,
    /// The keys of all tracks.
    pub keys: Vec<Key>,
    /// The motions; the children of a blend stand before it.
    pub motions: Vec<Motion>,
    /// The children of all blends.
    pub points: Vec<Point>,
    /// The triangles of all `Blend2D`s.
    pub triangles: Vec<Triangle>,
    /// The machines in the order in which they decide: the main machine, then layers by ascending order.
    pub machines: Vec<Machine>,
    /// The states; those of one machine stand together, a composite before what is inside it.
    pub states: Vec<State>,
    /// The layer marks of all states.
    pub marks: Vec<Mark>,
    /// The transitions: runs of one source, each in the order in which it is decided.
    pub transitions: Vec<Transition>,
    /// The triggers that transitions and reactions consume.
    pub triggers: Vec<ParamId>,
    /// The `OnEntry from` lists of all states.
    pub entries_from: Vec<EntryFrom>,
    /// The reactions (`When`): first the behavior's, then those of states.
    pub whens: Vec<When>,
    /// How many of `whens`, from the first, belong to the behavior.
    pub behavior_whens: u32,
    /// The listeners, in order of declaration.
    pub listeners: Vec<Listener>,
    /// What they hear.
    pub hears: Vec<Hear>,
    /// The values with names (`Predicate`, `Let`), in order of declaration.
    pub predicates: Vec<Predicate>,
    /// The names of the predicates that the host answers.
    pub externs: Vec<TextId>,
    /// The smoothed values.
    pub damps: Vec<Damp>,
    /// The shapes of custom events.
    pub emits: Vec<Emit>,
    /// The value types of all custom events.
    pub emit_types: Vec<Type>,
    /// The blocks of code; a block calls only earlier ones.
    pub codes: Vec<Code>,
    /// The operations of all blocks.
    pub ops: Vec<Op>,
    /// Expressions that a test reads; empty in a built program.
    pub probes: Vec<Probe>,
    /// The behaviors inside this one, in order of declaration.
    pub components: Vec<Component>,
    /// The parameters that all components share.
    pub binds: Vec<Bind>,
}
