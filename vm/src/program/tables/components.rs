//! Components: behaviors inside behaviors, and the parameters that they share.

use super::Run;
use crate::ids::{BehaviorId, ParamId, TextId};

/// A behavior inside another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Component {
    /// Its name in the behavior around it.
    pub name: TextId,
    /// What it runs.
    pub behavior: BehaviorId,
    /// What stands before the names of its targets in the host's scene.
    pub target: TextId,
    /// The parameters that it shares, in `binds`.
    pub binds: Run,
}

/// A parameter that a behavior shares with a component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bind {
    /// The outer behavior's parameter.
    pub param: ParamId,
    /// The component's.
    pub inner: ParamId,
    /// Which way values go.
    pub direction: Direction,
}

/// Which way values go between a behavior and a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the component, before it ticks.
    Down,
    /// From the component, after it ticked.
    Up,
    /// Both: what changed since the last time; where both did, to the component.
    Both,
}

impl Direction {
    /// Whether values go to the component.
    #[must_use]
    pub const fn is_down(self) -> bool {
        matches!(self, Self::Down | Self::Both)
    }

    /// Whether values come from the component.
    #[must_use]
    pub const fn is_up(self) -> bool {
        matches!(self, Self::Up | Self::Both)
    }

    /// The arrow in source, from the outer behavior's parameter to the component's.
    #[must_use]
    pub const fn arrow(self) -> &'static str {
        match self {
            Self::Down => "->",
            Self::Up => "<-",
            Self::Both => "<->",
        }
    }
}
