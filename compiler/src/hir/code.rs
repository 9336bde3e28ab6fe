//! Actions and expressions.

use motix_vm::builtin::Builtin;
use motix_vm::ids::{
    AnimationId, ExternId, GroupId, LayerId, MachineId, ParamId, PropertyId, SpanId, StateId, TagId,
};

use super::{Literal, Ty, ValueId};
pub use crate::ast::BinaryOp;
use crate::intern::Symbol;
use crate::source::Span;

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
    /// `pointer_x`.
    PointerX,
    /// `pointer_y`.
    PointerY,
    /// `phase` of the machine's motion.
    MotionPhase,
    /// `loops` of the machine's motion.
    MotionLoops,
    /// `finished`, of the machine's motion.
    MotionFinished,
    /// `fade` in a test: the crossfade of that machine.
    Fade(MachineId),
    /// `value("target", property)` in a test.
    Property(PropertyId),
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
    /// In a test: an expression about a component, by its place among those of the behavior.
    Inside(u16, Box<Expr>),
    /// `random(a, b)`.
    Random(Box<[Expr; 2]>),
    /// A pure function.
    Call(Builtin, Vec<Expr>),
    /// `-x`.
    Neg(Box<Expr>),
    /// `not x`.
    Not(Box<Expr>),
    /// `a op b`.
    Binary(BinaryOp, Box<[Expr; 2]>),
    /// `if c then a else b`.
    If(Box<[Expr; 3]>),
    /// Something wrong was reported.
    Error,
}

impl Expr {
    /// The expressions that it is made of, from left to right; what is asked of a component is none of them.
    #[must_use]
    pub fn operands(&self) -> &[Expr] {
        match &self.kind {
            ExprKind::Random(sides) | ExprKind::Binary(_, sides) => &sides[..],
            ExprKind::Call(_, arguments) => arguments,
            ExprKind::Neg(operand) | ExprKind::Not(operand) => std::slice::from_ref(operand),
            ExprKind::If(parts) => &parts[..],
            _ => &[],
        }
    }

    /// The same, for changing them.
    pub fn operands_mut(&mut self) -> &mut [Expr] {
        match &mut self.kind {
            ExprKind::Random(sides) | ExprKind::Binary(_, sides) => &mut sides[..],
            ExprKind::Call(_, arguments) => arguments,
            ExprKind::Neg(operand) | ExprKind::Not(operand) => std::slice::from_mut(operand),
            ExprKind::If(parts) => &mut parts[..],
            _ => &mut [],
        }
    }
}
