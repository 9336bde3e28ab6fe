//! Where the things of a program stand in its source: kept for messages and tools, never read by a tick.
//!
//! The section is optional (`--strip` leaves it out) and holds its own texts, so that a stripped program has none of
//! them. A verified one fits its program: a table of places is empty or as long as the table it is about.

use alloc::string::String;
use alloc::vec::Vec;

use super::Program;
use crate::ids::{AnimationId, BehaviorId, ParamId, PropertyId, StateId, TransitionId};

/// The debug section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Debug {
    /// The names of the source files.
    pub files: Vec<String>,
    /// One row a behavior.
    pub behaviors: Vec<BehaviorDebug>,
}

/// The places of one behavior's things.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BehaviorDebug {
    /// The behavior itself.
    pub at: Spot,
    /// Its parameters, or empty.
    pub params: Vec<Spot>,
    /// Its animations, or empty.
    pub animations: Vec<Spot>,
    /// Its states, or empty.
    pub states: Vec<Spot>,
    /// Its transitions, or empty.
    pub transitions: Vec<Spot>,
    /// Its properties, or empty.
    pub properties: Vec<Spot>,
}

/// A place in a source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spot {
    /// The file, in `files`.
    pub file: u32,
    /// The line, counted from 1; 0 where it is not known.
    pub line: u32,
    /// The column in characters, counted from 1; 0 where it is not known.
    pub column: u32,
}

/// A place in a source file, for showing it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourcePlace<'p> {
    /// The name of the file, as it was given to the compiler.
    pub file: &'p str,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
}

impl core::fmt::Display for SourcePlace<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Where things stand in source. Each gives `None` where the program was stripped or the place is not known.
impl Program {
    /// The debug section.
    #[must_use]
    pub fn debug(&self) -> Option<&Debug> {
        self.tables.debug.as_ref()
    }

    /// Where a behavior is declared.
    #[must_use]
    pub fn behavior_source(&self, behavior: BehaviorId) -> Option<SourcePlace<'_>> {
        self.source_place(behavior, |rows| Some(&rows.at))
    }

    /// Where a parameter is declared.
    #[must_use]
    pub fn param_source(&self, behavior: BehaviorId, param: ParamId) -> Option<SourcePlace<'_>> {
        self.source_place(behavior, |rows| rows.params.get(param.index()))
    }

    /// Where an animation is declared.
    #[must_use]
    pub fn animation_source(&self, behavior: BehaviorId, animation: AnimationId) -> Option<SourcePlace<'_>> {
        self.source_place(behavior, |rows| rows.animations.get(animation.index()))
    }

    /// Where a state is declared.
    #[must_use]
    pub fn state_source(&self, behavior: BehaviorId, state: StateId) -> Option<SourcePlace<'_>> {
        self.source_place(behavior, |rows| rows.states.get(state.index()))
    }

    /// Where a transition is declared.
    #[must_use]
    pub fn transition_source(
        &self,
        behavior: BehaviorId,
        transition: TransitionId,
    ) -> Option<SourcePlace<'_>> {
        self.source_place(behavior, |rows| rows.transitions.get(transition.index()))
    }

    /// Where a property is first mentioned: by its `Rest`, or by a track.
    #[must_use]
    pub fn property_source(&self, behavior: BehaviorId, property: PropertyId) -> Option<SourcePlace<'_>> {
        self.source_place(behavior, |rows| rows.properties.get(property.index()))
    }

    fn source_place<'p>(
        &'p self,
        behavior: BehaviorId,
        spot: impl Fn(&'p BehaviorDebug) -> Option<&'p Spot>,
    ) -> Option<SourcePlace<'p>> {
        let debug = self.debug()?;
        let spot = spot(debug.behaviors.get(behavior.index())?)?;
        if spot.line == 0 {
            return None;
        }
        let file = debug.files.get(spot.file as usize)?;
        Some(SourcePlace { file, line: spot.line, column: spot.column })
    }
}
