//! The program after checking: every name resolved, every expression typed, every default filled in.
//!
//! It still speaks of the language (states, predicates, actions), not of tables and code. It is complete only where
//! no error was reported; `lower` takes it then. Ids are those of the program: rows keep their places in lowering.
//! Layers stand by ascending order, machines as they decide, the states of a machine together.

use motix_vm::builtin::Builtin;
use motix_vm::ids::{
    AnimationId, BehaviorId, EnumId, ExternId, GroupId, LayerId, MachineId, MaskId, MotionId, ParamId,
    SpanId, StateId, TagId,
};
pub use motix_vm::program::tables::Fade;
use motix_vm::program::tables::{Lifetime, LoopMode, MarkTarget, Place};

pub use crate::ast::BinaryOp;
use crate::intern::Symbol;
use crate::source::Span;

/// All that a file and what it uses declare.
#[derive(Debug, Default)]
pub struct Hir {
    /// The behaviors: those of the file first, in order of declaration, then those it uses.
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
    /// Its groups, in order of first mention.
    pub groups: Vec<Symbol>,
    /// Its tags, in order of first mention.
    pub tags: Vec<Symbol>,
    /// Its animations.
    pub animations: Vec<Animation>,
    /// The spans of its animations: runs of one animation.
    pub spans: Vec<AnimationSpan>,
    /// The motions of its states; a part of another stands before it.
    pub motions: Vec<Motion>,
    /// Its machines.
    pub machines: Vec<Machine>,
    /// Its states.
    pub states: Vec<State>,
    /// Its reactions.
    pub whens: Vec<When>,
}

/// An enum type.
#[derive(Clone, Debug)]
pub struct Enum {
    /// Its name; `None` for one written in a parameter.
    pub name: Option<Declared>,
    /// Its variants; never empty.
    pub variants: Vec<Symbol>,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
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
    /// Something wrong was reported; it fits everything.
    Error,
}

/// A value that is known at compile time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// True or false.
    Bool(bool),
    /// A finite f32.
    Number(f32),
    /// A text.
    Text(Symbol),
    /// A variant of an enum.
    Variant(EnumId, u16),
    /// RGBA, red in the highest byte.
    Color(u32),
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: Declared,
    /// Its type; never `Error`.
    pub ty: Ty,
    /// Its initial value; `None` for a trigger.
    pub initial: Option<Literal>,
    /// Least value of a number.
    pub min: Option<f32>,
    /// Greatest value of a number.
    pub max: Option<f32>,
    /// Step of a number.
    pub step: Option<f32>,
    /// How long a trigger stays armed.
    pub lifetime: Lifetime,
    /// Looked up in the shared store first.
    pub global: bool,
}

/// A `Let` or `Predicate` of a behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub u32);

/// A `Let` or `Predicate`.
#[derive(Clone, Debug)]
pub struct Value {
    /// Its name.
    pub name: Declared,
    /// Whether it was declared as a predicate.
    pub predicate: bool,
    /// What it stands for.
    pub kind: ValueKind,
}

/// What a named value stands for.
#[derive(Clone, Debug)]
pub enum ValueKind {
    /// An expression.
    Expr(Expr),
    /// `damp(input, seconds)`.
    Damp(Expr, f32),
}

/// A mask.
#[derive(Clone, Debug)]
pub struct Mask {
    /// Its name.
    pub name: Declared,
    /// Patterns of what is in it.
    pub include: Vec<Symbol>,
    /// Patterns of what is not.
    pub exclude: Vec<Symbol>,
}

/// A layer.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Its name; the span of the behavior's name where it was not declared.
    pub name: Declared,
    /// Its place in the stack.
    pub order: i32,
    /// Its weight while active.
    pub base_weight: f32,
    /// The most its weight moves in a second.
    pub lerp_rate: f32,
    /// `Blend additive`.
    pub additive: bool,
    /// Its mask.
    pub mask: Option<MaskId>,
    /// Its weight as an expression.
    pub weight: Option<Expr>,
    /// Its speed as an expression.
    pub speed: Option<Expr>,
}

/// An animation.
#[derive(Clone, Debug)]
pub struct Animation {
    /// Its name.
    pub name: Declared,
    /// What the host knows it by.
    pub asset: Symbol,
    /// Its length in seconds; `None` where the host gives it.
    pub duration: Option<f32>,
    /// Where it plays when an action starts it.
    pub layer: LayerId,
    /// Its group.
    pub group: Option<GroupId>,
    /// What it does at the end.
    pub loop_mode: LoopMode,
    /// For contention.
    pub priority: i32,
    /// Seconds.
    pub fade_in: f32,
    /// Seconds.
    pub fade_out: f32,
    /// Clip seconds a second.
    pub speed: f32,
    /// In (0, 1].
    pub weight: f32,
    /// Whether its equals may replace it before it finishes.
    pub can_interrupt: bool,
    /// Seconds.
    pub min_duration: f32,
    /// Added to the pose.
    pub additive: bool,
    /// Its tags.
    pub tags: Vec<TagId>,
    /// Its markers, in order of declaration.
    pub markers: Vec<(Declared, Place)>,
    /// Its spans, in the behavior's table.
    pub spans: std::ops::Range<u32>,
    /// Its metadata.
    pub metadata: Vec<(Symbol, Literal)>,
}

/// A span of an animation.
#[derive(Clone, Debug)]
pub struct AnimationSpan {
    /// Its name.
    pub name: Declared,
    /// The animation it belongs to.
    pub animation: AnimationId,
    /// Where it begins.
    pub from: Place,
    /// Where it ends.
    pub to: Place,
}

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
    pub initial: StateId,
    /// Where that was said.
    pub initial_span: Span,
    /// Whether the initial state's entry actions run on the first tick.
    pub enter: bool,
    /// Its `AnyState` transitions, in order of declaration.
    pub any: Vec<Transition>,
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
}

/// A motion.
#[derive(Clone, Debug)]
pub struct Motion {
    /// All of it.
    pub span: Span,
    /// What it is.
    pub kind: MotionKind,
    /// Clip seconds a second.
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
    /// `Empty`.
    Empty,
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
    /// Where it goes.
    pub target: StateId,
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

/// An action.
#[derive(Clone, Debug)]
pub enum Action {
    /// `Play`.
    Play(AnimationId),
    /// `Stop`, and whether it cuts.
    Stop(AnimationId, bool),
    /// `StopGroup`, and whether it cuts.
    StopGroup(GroupId, bool),
    /// `PlayTag`.
    PlayTag(TagId),
    /// `StopTag`.
    StopTag(TagId),
    /// `Set`, `SetTrue`, `SetFalse`, `Toggle`.
    Set(ParamId, Expr),
    /// `Fire`.
    Fire(ParamId),
    /// `Emit`.
    Emit(Symbol, Vec<Expr>),
    /// `PlayAudio`.
    Audio(Symbol),
    /// `SwitchCamera`.
    Camera(Symbol),
    /// `Request` with its priority.
    Request(StateId, i32),
    /// `If`, `Else`.
    If(Expr, Vec<Action>, Vec<Action>),
}

/// A typed expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Where it was written.
    pub span: Span,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A known value.
    Literal(Literal),
    /// A parameter.
    Param(ParamId),
    /// A `Let` or `Predicate`.
    Value(ValueId),
    /// A predicate that the host answers.
    Extern(ExternId),
    /// `elapsed`.
    Elapsed,
    /// `dt`.
    Dt,
    /// `phase` of the machine's motion.
    MotionPhase,
    /// `loops` of the machine's motion.
    MotionLoops,
    /// `finished`, of the machine's motion.
    MotionFinished,
    /// `fade` in a test: the crossfade of that machine.
    Fade(MachineId),
    /// `came_from(State)`.
    CameFrom(StateId),
    /// `in(State)`; in a test also `state == Leaf`.
    In(StateId),
    /// `tagged(tag)`.
    Tagged(TagId),
    /// `playing(Anim)`.
    Playing(AnimationId),
    /// `finished(Anim)`.
    Finished(AnimationId),
    /// `time(Anim)`.
    Time(AnimationId),
    /// `phase(Anim)`.
    Phase(AnimationId),
    /// `weight(Anim)`.
    Weight(AnimationId),
    /// `layer_weight(Layer)`.
    LayerWeight(LayerId),
    /// `in_span(Anim.span)`.
    InSpan(SpanId),
    /// `random(a, b)`.
    Random(Box<Expr>, Box<Expr>),
    /// A pure function.
    Call(Builtin, Vec<Expr>),
    /// `-x`.
    Neg(Box<Expr>),
    /// `not x`.
    Not(Box<Expr>),
    /// `a op b`.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `if c then a else b`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Something wrong was reported.
    Error,
}

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its name.
    pub name: Symbol,
    /// From its keyword to its `for`.
    pub span: Span,
    /// The behavior it plays.
    pub behavior: BehaviorId,
    /// Ticks a second.
    pub fps: f32,
    /// The seed.
    pub seed: u64,
    /// What the host answers from the start; later `Provide`s are statements.
    pub answers: Vec<(ExternId, bool)>,
    /// Durations that the host gives, in seconds.
    pub durations: Vec<(AnimationId, f32)>,
    /// The script.
    pub statements: Vec<Statement>,
}

/// A statement of a test.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `Set`, `SetTrue`, `SetFalse`, `Toggle`: the value is evaluated when the statement runs.
    Set(ParamId, Expr),
    /// `Fire`.
    Fire(ParamId),
    /// `Request` with its priority.
    Request(StateId, i32),
    /// `Play`.
    Play(AnimationId),
    /// `Stop`, and whether it cuts.
    Stop(AnimationId, bool),
    /// `StopGroup`, and whether it cuts.
    StopGroup(GroupId, bool),
    /// `PlayTag`.
    PlayTag(TagId),
    /// `StopTag`.
    StopTag(TagId),
    /// `Provide` of an answer.
    Provide(ExternId, bool),
    /// `Step n`.
    Step(u32),
    /// `Wait`, in seconds.
    Wait(f64),
    /// `Tick`, in seconds.
    Tick(f32),
    /// `Expect`.
    Expect(Expectation),
    /// `Save`.
    Save(Symbol),
    /// `Restore`.
    Restore(Symbol),
    /// `Repeat n`.
    Repeat(u32, Vec<Statement>),
}

/// What a test expects.
#[derive(Clone, Debug)]
pub enum Expectation {
    /// An expression; a comparison at its root is shown with both sides.
    Expr(Expr),
    /// `state == S` or `state != S` (`true`): the leaf of a machine, so that the message can show it.
    State {
        /// The machine.
        machine: MachineId,
        /// The state it is compared with.
        state: StateId,
        /// `!=`.
        negated: bool,
    },
    /// `events has`.
    Has(EventPattern),
    /// `events lacks`.
    Lacks(EventPattern),
    /// `events ==`.
    Equal(Vec<EventPattern>),
}

/// An event that a test names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventPattern {
    /// `Enter(S)`.
    Enter(StateId),
    /// `Exit(S)`.
    Exit(StateId),
    /// `Play(A)`.
    Play(AnimationId),
    /// `Stop(A)`.
    Stop(AnimationId),
    /// `Finish(A)`.
    Finish(AnimationId),
    /// `Loop(A)`.
    Loop(AnimationId),
    /// `Reject(A)`.
    Reject(AnimationId),
    /// `Defer(A)`.
    Defer(AnimationId),
    /// `Marker(A, name)`.
    Marker(AnimationId, Symbol),
    /// `SpanBegin(A, name)`.
    SpanBegin(SpanId),
    /// `SpanEnd(A, name)`.
    SpanEnd(SpanId),
    /// `Audio("x")`.
    Audio(Symbol),
    /// `Camera("x")`.
    Camera(Symbol),
    /// `Emit(name)`.
    Emit(Symbol),
    /// `ChainLimit`.
    ChainLimit,
    /// `Dropped(S)`.
    Dropped(StateId),
    /// `FadeStart(A, B)`.
    FadeStart(StateId, StateId),
    /// `FadeEnd(A, B)`.
    FadeEnd(StateId, StateId),
    /// `FadeCancel(A, B)`.
    FadeCancel(StateId, StateId),
}
