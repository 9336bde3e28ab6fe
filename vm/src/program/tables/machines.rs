//! Machines, states, transitions and reactions.

use super::{Place, Run};
use crate::easing::Easing;
use crate::ids::{CodeId, LayerId, MachineId, MotionId, StateId, TextId};

/// A state machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    /// Its layer; `None` for the main machine.
    pub layer: Option<LayerId>,
    /// Where its motions play: its layer, if it has one.
    pub motion_layer: LayerId,
    /// Its states.
    pub states: Run,
    /// Where it starts.
    pub start: Start,
    /// Whether the entry actions of the states that it starts in run on the first tick.
    pub enter: bool,
    /// The `AnyState` transitions, in the order in which they are decided.
    pub any: Run,
}

/// Where a machine starts, or where a state with others inside is entered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// In that state.
    State(StateId),
    /// Where the first of these transitions that holds leads. They have conditions only, and the last has none.
    Entry(Run),
}

impl Start {
    /// The transitions of an `Entry`; none otherwise.
    #[must_use]
    pub const fn entry(self) -> Run {
        match self {
            Self::State(_) => Run { first: 0, count: 0 },
            Self::Entry(transitions) => transitions,
        }
    }
}

/// What a state with others inside remembers when it is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum History {
    /// Nothing.
    #[default]
    None,
    /// Which state directly inside was active.
    Shallow,
    /// Which leaf was active.
    Deep,
}

impl History {
    /// Whether it goes down to the leaf.
    #[must_use]
    pub const fn is_deep(self) -> bool {
        matches!(self, Self::Deep)
    }
}

/// A state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Its own name, without those around it.
    pub name: TextId,
    /// Its machine.
    pub machine: MachineId,
    /// The composite around it: an earlier row.
    pub parent: Option<StateId>,
    /// Where it is entered: of a composite, and only of one.
    pub start: Option<Start>,
    /// What it remembers: of a composite only.
    pub history: History,
    /// No `AnyState` concerns it and it has no transitions: it is left by request only.
    pub terminal: bool,
    /// `OnEntry` actions.
    pub entry: Option<CodeId>,
    /// `OnEntry from` lists, after the plain one.
    pub entry_from: Run,
    /// `OnExit` actions.
    pub exit: Option<CodeId>,
    /// `OnUpdate` actions.
    pub update: Option<CodeId>,
    /// Its own motion; the innermost active state that has one gives the machine's.
    pub motion: Option<MotionId>,
    /// `OnFinish` actions.
    pub finish: Option<CodeId>,
    /// `OnLoop` actions.
    pub repeat: Option<CodeId>,
    /// Its reactions.
    pub whens: Run,
    /// What it asks of layers.
    pub marks: Run,
    /// Its tags, in `tag_lists`.
    pub tags: Run,
    /// Its transitions, in the order in which they are decided.
    pub transitions: Run,
    /// The transitions of the `AnyState` inside it, in the order in which they are decided: of a composite only.
    pub any: Run,
    /// Its `OnDone` transitions, in the order in which they are decided: of a composite only.
    pub done: Run,
}

/// An `OnEntry from` list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EntryFrom {
    /// The state, or one inside it, that was left.
    pub from: StateId,
    /// The actions.
    pub actions: CodeId,
}

/// What a state asks of a layer on entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mark {
    /// The layer.
    pub layer: LayerId,
    /// The weight it is to have.
    pub target: MarkTarget,
}

/// The weight that a state asks of a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MarkTarget {
    /// `ActiveLayer`: its base weight, or its weight expression.
    Base,
    /// `ActiveLayer` with a weight, 0 to 1.
    Weight(f32),
    /// `SuppressLayer`: 0.
    Zero,
}

/// Where a transition goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// To a state of the same machine.
    State(StateId),
    /// Out of the composite around its source, the way that the first `OnDone` of that one which holds leads; at the
    /// root of a machine, in again where the machine starts.
    Exit,
}

impl Target {
    /// The state, unless it is found only on the way.
    #[must_use]
    pub const fn state(self) -> Option<StateId> {
        match self {
            Self::State(state) => Some(state),
            Self::Exit => None,
        }
    }
}

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// Where it goes.
    pub target: Target,
    /// When it may; `None` for always.
    pub condition: Option<CodeId>,
    /// Higher ones are decided first.
    pub priority: i32,
    /// Taken in the same moment as the one before.
    pub instant: bool,
    /// Leaves and enters the current state again.
    pub restart: bool,
    /// Never taken by itself: the look of a manual transition.
    pub on_request: bool,
    /// For the weighted choice among those of equal priority; `None` where it takes no part unless another does.
    pub random_weight: Option<f32>,
    /// The triggers it consumes, in `triggers`.
    pub triggers: Run,
    /// `OnTransition` actions.
    pub actions: Option<CodeId>,
    /// How the motions follow each other.
    pub fade: Fade,
    /// When it is open; without a gate, always.
    pub gate: Gate,
    /// Whether the target's own transitions may end the fade early.
    pub early_exit: bool,
    /// The source motion stands still while it fades out.
    pub pause_on_exit: bool,
    /// Both motions share one phase through the fade.
    pub sync: bool,
    /// Where the target motion starts; wins over the clip's own.
    pub start_at: Option<Place>,
}

impl Transition {
    /// One that is taken whenever it is decided, with a cut.
    #[must_use]
    pub const fn new(target: Target) -> Self {
        Self {
            target,
            condition: None,
            priority: 0,
            instant: false,
            restart: false,
            on_request: false,
            random_weight: None,
            triggers: Run { first: 0, count: 0 },
            actions: None,
            fade: Fade { duration: Length::Seconds(0.0), easing: Easing::Linear },
            gate: Gate { after: None, exit: None, lead_out: false, marker: None },
            early_exit: true,
            pause_on_exit: false,
            sync: false,
            start_at: None,
        }
    }
}

/// A crossfade.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fade {
    /// How long it takes; 0 for a cut.
    pub duration: Length,
    /// How progress becomes weight.
    pub easing: Easing,
}

/// How long a crossfade takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Length {
    /// Seconds.
    Seconds(f32),
    /// A share of the source motion's cycle.
    Cycles(f32),
}

impl Length {
    /// The number, whatever it counts.
    #[must_use]
    pub const fn number(self) -> f32 {
        match self {
            Self::Seconds(number) | Self::Cycles(number) => number,
        }
    }
}

impl Default for Length {
    fn default() -> Self {
        Self::Seconds(0.0)
    }
}

/// The moments at which a transition may be taken. All that are written must be open.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gate {
    /// Seconds in the state that owns the transition (for `AnyState`, in the leaf).
    pub after: Option<f32>,
    /// The motion's playhead passes this; a ratio may exceed 1. `AtEnd` is the ratio 1.
    pub exit: Option<Place>,
    /// The `AtEnd` gate opens one fade earlier.
    pub lead_out: bool,
    /// The motion passes its marker of that name.
    pub marker: Option<TextId>,
}

impl Gate {
    /// Whether there is any.
    #[must_use]
    pub const fn is_some(&self) -> bool {
        self.after.is_some() || self.follows_motion()
    }

    /// Whether it waits for a motion.
    #[must_use]
    pub const fn follows_motion(&self) -> bool {
        self.exit.is_some() || self.marker.is_some()
    }
}

/// A reaction without a change of state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct When {
    /// Runs when this becomes true.
    pub condition: CodeId,
    /// The triggers it consumes, in `triggers`.
    pub triggers: Run,
    /// What runs.
    pub actions: CodeId,
}
