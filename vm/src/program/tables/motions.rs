//! Motions: what a state looks like while it is active.

use super::{Place, Run};
use crate::ids::{AnimationId, CodeId, MotionId};

/// What a state looks like while it is active.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// What plays.
    pub kind: MotionKind,
    /// Motion seconds a second, as an expression; `None` for 1.
    pub speed: Option<CodeId>,
}

/// What a motion plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MotionKind {
    /// One animation.
    Clip {
        /// The animation.
        animation: AnimationId,
        /// Where it starts.
        start_at: Option<Place>,
        /// Where it stands, 0 to 1, as an expression; `None` where it runs.
        phase: Option<CodeId>,
        /// With left and right exchanged, which is the host's to do.
        mirror: bool,
    },
    /// The two neighbors of a number.
    Blend1D {
        /// The number, as an expression.
        input: CodeId,
        /// The children, in `points`, by ascending `x`; `y` is 0.
        points: Run,
        /// The children share one phase.
        sync: bool,
    },
    /// The three neighbors of a place in the plane.
    Blend2D {
        /// The place, as expressions.
        x: CodeId,
        /// The same, upward.
        y: CodeId,
        /// The children, in `points`.
        points: Run,
        /// The triangulation, in `triangles`; empty where the points are collinear: then they stand in order along
        /// their line.
        triangles: Run,
        /// The children share one phase.
        sync: bool,
    },
    /// Each child with a weight of its own.
    BlendDirect {
        /// The children, in `points`, each with a weight.
        points: Run,
        /// The children share one phase.
        sync: bool,
        /// Weights are scaled to sum to 1 where they exceed it.
        normalize: bool,
    },
    /// The pose stays as it is.
    Empty,
}

impl MotionKind {
    /// The children; none of a clip.
    #[must_use]
    pub const fn points(&self) -> Run {
        match *self {
            Self::Blend1D { points, .. }
            | Self::Blend2D { points, .. }
            | Self::BlendDirect { points, .. } => points,
            Self::Clip { .. } | Self::Empty => Run { first: 0, count: 0 },
        }
    }
}

/// A child of a blend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Its motion.
    pub motion: MotionId,
    /// Where it stands.
    pub x: f32,
    /// The same, upward.
    pub y: f32,
    /// Its weight, in a `BlendDirect`.
    pub weight: Option<CodeId>,
}

/// Three points of a `Blend2D`, by their place in its run, counterclockwise.
///
/// Each begins with its point of the least coordinates (`x`, then `y`), and the triangles of a blend ascend by the
/// coordinates of their points, so that order of declaration changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triangle {
    /// The point of the least coordinates.
    pub a: u16,
    /// The next one.
    pub b: u16,
    /// The last one.
    pub c: u16,
}
