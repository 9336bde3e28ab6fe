//! Expressions to operations of the stack machine.
//!
//! Operands are evaluated from left to right; `and`, `or` and `if` skip what need not be evaluated.

use motix_vm::ids::CodeId;
use motix_vm::op::{Op, Word};
use motix_vm::program::limits::Limit;

use super::code::Block;
use super::{Lowerer, type_of};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{BinaryOp, Expr, ExprKind, Literal, Ty, ValueKind};
use crate::source::Span;

impl Lowerer<'_> {
    /// A block that gives the value of an expression.
    pub(super) fn expression_block(&mut self, expr: &Expr) -> CodeId {
        let mut block = self.blocks.begin();
        self.expression(&mut block, expr);
        self.add_block(block, Some(type_of(expr.ty).word()), expr.span)
    }

    /// Adds a finished block; reports it where it is too large to run.
    pub(super) fn add_block(&mut self, block: Block, result: Option<Word>, span: Span) -> CodeId {
        if let Some(limit) = block.exceeds() {
            self.diagnostics.push(too_large(limit, result.is_some(), span));
        }
        self.blocks.add(block, result)
    }

    /// Appends what pushes the value of an expression.
    pub(super) fn expression(&mut self, block: &mut Block, expr: &Expr) {
        match &expr.kind {
            ExprKind::Literal(literal) => {
                let op = self.literal(*literal);
                block.op(op, 0, 1);
            }
            ExprKind::Value(value) => match &self.behavior.values[value.0 as usize].kind {
                // A block of one operation: no need to call it.
                ValueKind::Damp(..) => block.op(Op::Damped { damp: self.damps[value] }, 0, 1),
                ValueKind::Expr(_) => block.call(&self.blocks, self.values[value.0 as usize]),
            },
            ExprKind::Random(bounds) => {
                bounds.iter().for_each(|bound| self.expression(block, bound));
                block.op(Op::Random, 2, 1);
            }
            ExprKind::Call(builtin, arguments) => {
                for argument in arguments {
                    self.expression(block, argument);
                }
                block.op(Op::Builtin { builtin: *builtin }, arguments.len(), 1);
            }
            ExprKind::Inside(component, inner) => {
                let op = self.inside(*component, inner);
                block.op(op, 0, 1);
            }
            ExprKind::Neg(operand) => {
                self.expression(block, operand);
                block.op(Op::Neg, 1, 1);
            }
            ExprKind::Not(operand) => {
                self.expression(block, operand);
                block.op(Op::Not, 1, 1);
            }
            ExprKind::Binary(op, sides) => self.binary(block, *op, sides),
            ExprKind::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                self.expression(block, condition);
                let no = block.jump(Op::JumpIfFalse { skip: 0 }, 1);
                self.expression(block, then);
                let end = block.jump(Op::Jump { skip: 0 }, 0);
                block.land(no);
                block.other_way();
                self.expression(block, otherwise);
                block.land(end);
            }
            other => block.op(read(other), 0, 1),
        }
    }

    fn literal(&mut self, literal: Literal) -> Op {
        match literal {
            Literal::Bool(value) => Op::Bool { value },
            Literal::Number(value) => Op::Number { value },
            Literal::Text(text) => Op::Text { value: self.text(text) },
            Literal::Variant(_, value) => Op::Variant { value },
            Literal::Color(value) => Op::Color { value },
        }
    }

    fn binary(&mut self, block: &mut Block, op: BinaryOp, [left, right]: &[Expr; 2]) {
        self.expression(block, left);
        let skip = match op {
            BinaryOp::And => Some(Op::JumpIfFalseElsePop { skip: 0 }),
            BinaryOp::Or => Some(Op::JumpIfTrueElsePop { skip: 0 }),
            _ => None,
        };
        if let Some(skip) = skip {
            let end = block.jump(skip, 1);
            self.expression(block, right);
            block.land(end);
            return;
        }
        self.expression(block, right);
        block.op(calculation(op, left.ty), 2, 1);
        if op == BinaryOp::NotEqual {
            block.op(Op::Not, 1, 1);
        }
    }
}

/// The operation on two values of a type. `and` and `or` are jumps and do not come here.
fn calculation(op: BinaryOp, ty: Ty) -> Op {
    match op {
        BinaryOp::Less => Op::Less,
        BinaryOp::LessEqual => Op::LessEqual,
        BinaryOp::Greater => Op::Greater,
        BinaryOp::GreaterEqual => Op::GreaterEqual,
        BinaryOp::Near => Op::Near,
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::Div => Op::Div,
        BinaryOp::Equal | BinaryOp::NotEqual | BinaryOp::And | BinaryOp::Or => match type_of(ty).word() {
            Word::Number => Op::EqualNumber,
            Word::Bool => Op::EqualBool,
            Word::Variant => Op::EqualVariant,
            Word::Color => Op::EqualColor,
            Word::Text => Op::EqualText,
        },
    }
}

/// What reads something that the instance holds.
fn read(kind: &ExprKind) -> Op {
    match *kind {
        ExprKind::Param(param) => Op::Param { param },
        ExprKind::Extern(predicate) => Op::Extern { predicate },
        ExprKind::Elapsed => Op::Elapsed,
        ExprKind::Dt => Op::Dt,
        ExprKind::PointerX => Op::PointerX,
        ExprKind::PointerY => Op::PointerY,
        ExprKind::MotionPhase => Op::MotionPhase,
        ExprKind::MotionLoops => Op::MotionLoops,
        ExprKind::MotionFinished => Op::MotionFinished,
        ExprKind::Property(property) => Op::Value { property },
        ExprKind::Fade(machine) => Op::Fade { machine },
        ExprKind::CameFrom(state) => Op::CameFrom { state },
        ExprKind::In(state) => Op::In { state },
        ExprKind::Tagged(tag) => Op::Tagged { tag },
        ExprKind::Playing(animation) => Op::Playing { animation },
        ExprKind::Finished(animation) => Op::Finished { animation },
        ExprKind::Time(animation) => Op::Time { animation },
        ExprKind::Phase(animation) => Op::Phase { animation },
        ExprKind::Weight(animation) => Op::Weight { animation },
        ExprKind::LayerWeight(layer) => Op::LayerWeight { layer },
        ExprKind::InSpan(span) => Op::InSpan { span },
        // Those with operands are handled before; `Error` is not lowered.
        ExprKind::Literal(_)
        | ExprKind::Value(_)
        | ExprKind::Inside(..)
        | ExprKind::Random(..)
        | ExprKind::Call(..)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Binary(..)
        | ExprKind::If(..)
        | ExprKind::Error => Op::Bool { value: false },
    }
}

fn too_large(limit: Limit, expression: bool, span: Span) -> Diagnostic {
    let what = if expression { "this expression" } else { "this list of actions" };
    let value = limit.value();
    let (fact, label, help) = match limit {
        Limit::Stack => (
            "needs too many values at once",
            format!("more than {value} values wait for others here"),
            "give parts of it names with `Let` and use those",
        ),
        Limit::Calls => (
            "goes through too many named values",
            format!("more than {value} `Let`s or `Predicate`s use one another from here"),
            "shorten the chain: write some of the values out where they are used",
        ),
        _ => (
            "takes too many steps",
            format!("more than {value} operations, those of the `Let`s and `Predicate`s it uses included"),
            "use fewer `Let`s and `Predicate`s that use one another several times, or split it up",
        ),
    };
    Diagnostic::new(Code::CodeTooLarge, format!("{what} {fact}"), span, label).help(help)
}
