//! Tests: scripts and what they expect.

use motix_vm::ids::{
    AnimationId, BehaviorId, ComponentId, ExternId, GroupId, MachineId, ParamId, SpanId, StateId, TagId,
};

use super::{Expr, InputKind};
use crate::intern::Symbol;
use crate::source::Span;

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
    pub answers: Vec<(ComponentId, ExternId, bool)>,
    /// Durations that the host gives, in seconds.
    pub durations: Vec<(ComponentId, AnimationId, f32)>,
    /// The script.
    pub statements: Vec<Statement>,
}

/// A statement of a test.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The component that it is about, where it names one; the ids of its kind are of that one's behavior.
    pub component: ComponentId,
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
    /// `Pointer`, `Key`, `Custom`.
    Input(TestInput),
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

/// What a test sends to the listeners.
#[derive(Clone, Debug)]
pub struct TestInput {
    /// What happens.
    pub kind: InputKind,
    /// Of a key or custom event, its name.
    pub name: Option<Symbol>,
    /// The targets that it is for, from the topmost down.
    pub targets: Vec<Symbol>,
    /// Where the pointer is in each of them.
    pub at: [f32; 2],
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
    /// `settled`; `not settled` (`true`).
    Settled(bool),
    /// `events has`.
    Has(TestEvent),
    /// `events lacks`.
    Lacks(TestEvent),
    /// `events ==`.
    Equal(Vec<TestEvent>),
}

/// An event that a test names, and where it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestEvent {
    /// The component whose behavior the pattern's ids are of. Sounds, cameras and limits are those of any part.
    pub component: ComponentId,
    /// What happens.
    pub pattern: EventPattern,
}

impl Expectation {
    /// Whether it looks at what happened.
    #[must_use]
    pub const fn is_of_events(&self) -> bool {
        matches!(self, Self::Has(_) | Self::Lacks(_) | Self::Equal(_))
    }
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
