//! The rows of a program as plain data, before verification.
//!
//! [`Tables`] is what the compiler builds and what a `.motixb` file decodes to. It promises nothing: any field may
//! hold anything. [`Program`](super::Program) is made from it by the verifier, and only that can be run.

use alloc::string::String;
use alloc::vec::Vec;

use super::debug::Debug;
use crate::easing::Easing;
use crate::ids::{
    AnimationId, CodeId, EnumId, GroupId, LayerId, MachineId, MaskId, MotionId, ParamId, StateId, TagId,
    TextId,
};
use crate::op::{Op, Word};

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
}

/// The type of a parameter or a reported value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// True or false.
    Bool,
    /// A finite f32.
    Number,
    /// Fired or not.
    Trigger,
    /// A text.
    Text,
    /// A variant of that enum.
    Enum(EnumId),
    /// RGBA.
    Color,
}

impl Type {
    /// The type's name in source; `enum` for all enums.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Type::Bool => "bool",
            Type::Number => "number",
            Type::Trigger => "trigger",
            Type::Text => "string",
            Type::Enum(_) => "enum",
            Type::Color => "color",
        }
    }

    /// How a value of this type stands on the stack; a trigger reads as a bool.
    #[must_use]
    pub const fn word(self) -> Word {
        match self {
            Type::Bool | Type::Trigger => Word::Bool,
            Type::Number => Word::Number,
            Type::Text => Word::Text,
            Type::Enum(_) => Word::Variant,
            Type::Color => Word::Color,
        }
    }
}

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: TextId,
    /// Its type.
    pub ty: Type,
    /// The initial value as a stack word (f32 bits, 0 or 1, variant, RGBA, `TextId`).
    pub initial: u32,
    /// Least value of a number; -f32::MAX where none is written.
    pub min: f32,
    /// Greatest value of a number; f32::MAX where none is written.
    pub max: f32,
    /// Step of a number, counted from `min`; 0 for none.
    pub step: f32,
    /// How long a trigger stays armed.
    pub lifetime: Lifetime,
    /// Looked up in the shared store first.
    pub global: bool,
}

/// How long a fired trigger stays armed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lifetime {
    /// Until a transition consumes it.
    Consumed,
    /// To the end of the next tick's decisions.
    Tick,
    /// That many seconds.
    Seconds(f32),
}

/// An enum type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enum {
    /// Its name; `None` for one written in a parameter.
    pub name: Option<TextId>,
    /// Its variants; never empty.
    pub variants: Run,
}

/// A layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// Its name.
    pub name: TextId,
    /// Its place in the stack; higher ones override lower ones.
    pub order: i32,
    /// Its weight while active, where no state and no `weight` says otherwise; 0 to 1.
    pub base_weight: f32,
    /// The most its weight moves in a second; above 0.
    pub lerp_rate: f32,
    /// Added to what is below, instead of overriding it.
    pub additive: bool,
    /// What it touches.
    pub mask: Option<MaskId>,
    /// The weight while active, as an expression.
    pub weight: Option<CodeId>,
    /// How fast its playheads run, as an expression.
    pub speed: Option<CodeId>,
}

/// A mask: names of bones or objects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mask {
    /// Its name.
    pub name: TextId,
    /// Patterns of what is in it.
    pub include: Run,
    /// Patterns of what is not, although included.
    pub exclude: Run,
}

/// How a playhead goes on at the end of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopMode {
    /// It stays at the end.
    None,
    /// It wraps to the start.
    Loop,
    /// It turns around.
    PingPong,
}

/// An animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Animation {
    /// Its name.
    pub name: TextId,
    /// What the host knows it by.
    pub asset: TextId,
    /// Seconds; `None` where the host gives it.
    pub duration: Option<f32>,
    /// Where it plays when an action starts it.
    pub layer: LayerId,
    /// Its group.
    pub group: Option<GroupId>,
    /// What it does at the end.
    pub loop_mode: LoopMode,
    /// For contention.
    pub priority: i32,
    /// Seconds from 0 to its weight.
    pub fade_in: f32,
    /// Seconds from its weight to 0.
    pub fade_out: f32,
    /// Clip seconds a second; may be negative.
    pub speed: f32,
    /// Above 0, at most 1.
    pub weight: f32,
    /// Whether its equals may replace it before it finishes.
    pub can_interrupt: bool,
    /// Seconds for which nothing replaces it.
    pub min_duration: f32,
    /// Added to the pose.
    pub additive: bool,
    /// Its tags, in `tag_lists`.
    pub tags: Run,
    /// Its markers.
    pub markers: Run,
    /// Its spans.
    pub spans: Run,
    /// Its metadata.
    pub metadata: Run,
}

/// A place in a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// A share of the clip, 0 to 1.
    Ratio(f32),
    /// Seconds from its start.
    Seconds(f32),
}

/// A marker of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// Its name.
    pub name: TextId,
    /// Where it stands.
    pub at: Place,
}

/// A span of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Its name.
    pub name: TextId,
    /// The animation it belongs to.
    pub animation: AnimationId,
    /// Where it begins.
    pub from: Place,
    /// Where it ends.
    pub to: Place,
}

/// One entry of an animation's metadata: a number or a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metadata {
    /// Its key.
    pub key: TextId,
    /// Its value.
    pub value: MetadataValue,
}

/// A value of metadata.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MetadataValue {
    /// A number.
    Number(f32),
    /// A text.
    Text(TextId),
    /// A bool.
    Bool(bool),
    /// A color.
    Color(u32),
}

/// A state machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Machine {
    /// Its layer; `None` for the main machine.
    pub layer: Option<LayerId>,
    /// Where its motions play: its layer, if it has one.
    pub motion_layer: LayerId,
    /// Its states.
    pub states: Run,
    /// The state it starts in: a leaf.
    pub initial: StateId,
    /// Whether the initial state's entry actions run on the first tick.
    pub enter: bool,
    /// The `AnyState` transitions, in the order in which they are decided.
    pub any: Run,
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

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// Where it goes: a state of the same machine.
    pub target: StateId,
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

/// An expression with a name: a `Predicate` gives a bool, a `Let` a value of any type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Predicate {
    /// Its name.
    pub name: TextId,
    /// The expression.
    pub condition: CodeId,
}

/// A value that follows its input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Damp {
    /// What it follows: an earlier block than those that read the damp, reading only earlier damps.
    pub input: CodeId,
    /// Seconds in which the distance shrinks to 1/e; 0 for at once.
    pub time: f32,
}

/// The shape of a custom event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Emit {
    /// Its name.
    pub name: TextId,
    /// The types of its values, in `emit_types`.
    pub types: Run,
}

/// A block of operations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Code {
    /// Its operations, in `ops`.
    pub ops: Run,
    /// What it leaves on the stack; `None` for an action list.
    pub result: Option<Word>,
}

/// An expression that a test reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Probe {
    /// The expression.
    pub code: CodeId,
    /// The machine that evaluates it.
    pub machine: Option<MachineId>,
    /// Its type, for showing the value.
    pub ty: Type,
}
