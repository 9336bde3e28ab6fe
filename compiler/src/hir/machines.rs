//! Machines, states, motions, transitions and reactions.

use motix_vm::ids::{AnimationId, LayerId, MachineId, MotionId, StateId, TagId};
pub use motix_vm::program::tables::{Fade, History, Target};
use motix_vm::program::tables::{MarkTarget, Place};

use super::{Action, Declared, Expr};
use crate::intern::Symbol;
use crate::source::Span;

/// A state machine.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Its layer; `None` for the main machine.
    pub layer: Option<LayerId>,
    /// Where its motions play.
    pub motion_layer: LayerId,
    /// Its states.
    pub states: std::ops::Range<u16>,
    /// Where it starts.
    pub start: Start,
    /// Where that was said.
    pub start_span: Span,
    /// Whether the entry actions of where it starts run on the first tick.
    pub enter: bool,
    /// Its `AnyState` transitions, in order of declaration.
    pub any: Vec<Transition>,
}

/// Where a machine starts, or where a composite is entered.
#[derive(Clone, Debug)]
pub enum Start {
    /// `InitialState`.
    State(StateId),
    /// `Entry`: the first that holds, in order of declaration.
    Entry(Vec<Transition>),
}

impl Start {
    /// The transitions of an `Entry`; none otherwise.
    #[must_use]
    pub fn entry(&self) -> &[Transition] {
        match self {
            Self::State(_) => &[],
            Self::Entry(transitions) => transitions,
        }
    }

    /// All states that it may lead to.
    pub fn targets(&self) -> impl Iterator<Item = StateId> {
        let state = match self {
            Self::State(state) => Some(*state),
            Self::Entry(_) => None,
        };
        state.into_iter().chain(self.entry().iter().filter_map(|way| way.target.state()))
    }
}

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: Declared,
    /// Its machine.
    pub machine: MachineId,
    /// The composite around it.
    pub parent: Option<StateId>,
    /// Where it is entered, if it is a composite.
    pub start: Option<Start>,
    /// What it remembers.
    pub history: History,
    /// Marked `Terminal`, or terminal by having no transition that concerns it.
    pub terminal: bool,
    /// `OnEntry`, in order of declaration.
    pub entry: Vec<Action>,
    /// `OnEntry from`, in order of declaration.
    pub entry_from: Vec<(StateId, Vec<Action>)>,
    /// `OnExit`.
    pub exit: Vec<Action>,
    /// `OnUpdate`.
    pub update: Vec<Action>,
    /// Its own motion.
    pub motion: Option<MotionId>,
    /// `OnFinish`.
    pub finish: Vec<Action>,
    /// `OnLoop`.
    pub repeat: Vec<Action>,
    /// Its reactions.
    pub whens: Vec<When>,
    /// What it asks of layers.
    pub marks: Vec<(LayerId, MarkTarget, Span)>,
    /// Its tags.
    pub tags: Vec<TagId>,
    /// Its transitions, in order of declaration.
    pub transitions: Vec<Transition>,
    /// The `AnyState` transitions inside it, in order of declaration.
    pub any: Vec<Transition>,
    /// Its `OnDone` transitions, in order of declaration.
    pub done: Vec<Transition>,
}

impl State {
    /// Gives memory back that its lists hold for more than is in them: there are many states, and most lists are short.
    pub(crate) fn shrink(&mut self) {
        let actions = [&mut self.entry, &mut self.exit, &mut self.update, &mut self.finish, &mut self.repeat];
        actions.into_iter().for_each(Vec::shrink_to_fit);
        let transitions = [&mut self.transitions, &mut self.any, &mut self.done];
        transitions.into_iter().for_each(Vec::shrink_to_fit);
        self.entry_from.shrink_to_fit();
        self.whens.shrink_to_fit();
        self.marks.shrink_to_fit();
        self.tags.shrink_to_fit();
    }
}

/// A motion.
#[derive(Clone, Debug)]
pub struct Motion {
    /// All of it.
    pub span: Span,
    /// What it is.
    pub kind: MotionKind,
    /// Motion seconds a second.
    pub speed: Option<Expr>,
}

/// What a motion is.
#[derive(Clone, Debug)]
pub enum MotionKind {
    /// `Clip`.
    Clip {
        /// What plays.
        animation: AnimationId,
        /// Where it starts.
        start_at: Option<Place>,
        /// The place at which the playhead stands, 0 to 1.
        phase: Option<Expr>,
        /// Whether the host mirrors it.
        mirror: bool,
    },
    /// `Blend1D`, `Blend2D`, `BlendDirect`.
    Blend {
        /// What gives its children their weights.
        by: BlendBy,
        /// Its children; those with positions by ascending `x`, then `y`.
        points: Vec<Point>,
        /// They share one phase.
        sync: bool,
    },
    /// `Empty`.
    Empty,
}

/// What gives the children of a blend their weights.
#[derive(Clone, Debug)]
pub enum BlendBy {
    /// A number.
    Line(Expr),
    /// A place in the plane.
    Plane {
        /// The place.
        x: Expr,
        /// The same, upward.
        y: Expr,
        /// The triangulation, which a pass makes: places in the blend's points.
        triangles: Vec<[u16; 3]>,
    },
    /// An expression each.
    Weights {
        /// They are scaled to sum to 1 where they exceed it.
        normalize: bool,
    },
}

/// A child of a blend.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its motion.
    pub motion: MotionId,
    /// Where it stands: `x`, `y`.
    pub at: [f32; 2],
    /// Its weight, where it has one of its own.
    pub weight: Option<Expr>,
    /// Where that is written.
    pub span: Span,
}

impl Motion {
    /// The children of a blend; none of anything else.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        match &self.kind {
            MotionKind::Blend { points, .. } => points,
            MotionKind::Clip { .. } | MotionKind::Empty => &[],
        }
    }

    /// The expressions of the motion itself.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let (first, second) = match &self.kind {
            MotionKind::Clip { phase, .. } => (phase.as_ref(), None),
            MotionKind::Blend { by: BlendBy::Line(input), .. } => (Some(input), None),
            MotionKind::Blend { by: BlendBy::Plane { x, y, .. }, .. } => (Some(x), Some(y)),
            MotionKind::Blend { .. } | MotionKind::Empty => (None, None),
        };
        let weights = self.points().iter().filter_map(|point| point.weight.as_ref());
        self.speed.iter().chain(first).chain(second).chain(weights)
    }

    /// The same, for changing them.
    pub fn expressions_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        let (own, points) = match &mut self.kind {
            MotionKind::Clip { phase, .. } => ([phase.as_mut(), None], &mut [][..]),
            MotionKind::Blend { by, points, .. } => (
                match by {
                    BlendBy::Line(input) => [Some(input), None],
                    BlendBy::Plane { x, y, .. } => [Some(x), Some(y)],
                    BlendBy::Weights { .. } => [None, None],
                },
                &mut points[..],
            ),
            MotionKind::Empty => ([None, None], &mut [][..]),
        };
        let weights = points.iter_mut().filter_map(|point| point.weight.as_mut());
        self.speed.iter_mut().chain(own.into_iter().flatten()).chain(weights)
    }
}

/// When a transition is open, beside its condition.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gate {
    /// Seconds in the state that owns the transition.
    pub after: Option<f32>,
    /// The motion's playhead passes this; a share may be above 1. `AtEnd` is 1.
    pub exit: Option<Place>,
    /// One fade earlier.
    pub lead_out: bool,
    /// The motion passes its marker of that name.
    pub marker: Option<Symbol>,
}

impl Gate {
    /// Whether nothing holds the transition back but its condition.
    #[must_use]
    pub fn is_open(&self) -> bool {
        *self == Self::default()
    }
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Transition {
    /// All of it.
    pub span: Span,
    /// Its place among the transitions of the behavior, in order of declaration.
    pub order: u32,
    /// Where it goes.
    pub target: Target,
    /// Where its target is named.
    pub target_span: Span,
    /// When it may.
    pub condition: Option<Expr>,
    /// Higher wins.
    pub priority: i32,
    /// Taken in the same moment.
    pub instant: bool,
    /// Leaves and enters the current state again.
    pub restart: bool,
    /// Its crossfade.
    pub fade: Fade,
    /// What holds it back.
    pub gate: Gate,
    /// Whether the target's transitions may interrupt the fade.
    pub early_exit: bool,
    /// The source motion freezes while it fades out.
    pub pause_on_exit: bool,
    /// The motions share one phase.
    pub sync: bool,
    /// Where the target's motion starts.
    pub start_at: Option<Place>,
    /// Never by itself.
    pub on_request: bool,
    /// For the weighted choice.
    pub random_weight: Option<f32>,
    /// `OnTransition`.
    pub actions: Vec<Action>,
}

impl Transition {
    /// One that is taken whenever it is decided, with a cut.
    #[must_use]
    pub fn new(span: Span, order: u32, target: Target, target_span: Span) -> Self {
        Self {
            span,
            order,
            target,
            target_span,
            condition: None,
            priority: 0,
            instant: false,
            restart: false,
            fade: Fade::default(),
            gate: Gate::default(),
            early_exit: true,
            pause_on_exit: false,
            sync: false,
            start_at: None,
            on_request: false,
            random_weight: None,
            actions: Vec::new(),
        }
    }
}

/// A reaction.
#[derive(Clone, Debug)]
pub struct When {
    /// All of it.
    pub span: Span,
    /// Runs when this becomes true.
    pub condition: Expr,
    /// What runs.
    pub actions: Vec<Action>,
}
