//! Constant folding: what is known at compile time is calculated once, with the runtime's own arithmetic.
//!
//! The meaning stays: a part that names a trigger is never dropped, because a transition consumes what its condition
//! mentions, and `random` is never dropped, because every draw moves the sequence.

use motix_vm::float;

use super::{Context, walk};
use crate::diagnostic::Diagnostics;
use crate::hir::{Behavior, BinaryOp, Expr, ExprKind, Hir, Literal, Ty, ValueKind};

pub(super) fn run(hir: &mut Hir, _: &Context<'_>, _: &mut Diagnostics) {
    for behavior in &mut hir.behaviors {
        fold_behavior(behavior);
    }
}

fn fold_behavior(behavior: &mut Behavior) {
    let mut known: Vec<Option<Literal>> = Vec::with_capacity(behavior.values.len());
    // Values stand after those they read.
    for value in &mut behavior.values {
        let literal = match &mut value.kind {
            ValueKind::Expr(expr) => {
                fold(expr, &known);
                literal(expr)
            }
            ValueKind::Damp(input, _) => {
                fold(input, &known);
                None
            }
        };
        known.push(literal);
    }
    walk::each_expression_mut(behavior, &mut |expr| fold(expr, &known));
}

fn fold(expr: &mut Expr, known: &[Option<Literal>]) {
    for operand in expr.operands_mut() {
        fold(operand, known);
    }
    if let Some(kind) = folded(expr, known) {
        expr.kind = kind;
    }
}

/// What an expression is, where its operands are folded already and that makes it simpler.
fn folded(expr: &mut Expr, known: &[Option<Literal>]) -> Option<ExprKind> {
    let literal = match &expr.kind {
        ExprKind::Value(value) => known.get(value.0 as usize).copied().flatten(),
        ExprKind::Neg(operand) => number(operand).map(|value| Literal::Number(-value)),
        ExprKind::Not(operand) => boolean(operand).map(|value| Literal::Bool(!value)),
        ExprKind::Call(builtin, arguments) => {
            let mut values = [0.0; 3];
            for (value, argument) in values.iter_mut().zip(arguments) {
                *value = number(argument)?;
            }
            let [a, b, c] = values;
            Some(Literal::Number(float::builtin(*builtin, a, b, c)))
        }
        ExprKind::Binary(op, sides) => match (literal(&sides[0]), literal(&sides[1])) {
            (Some(left), Some(right)) => calculate(*op, left, right),
            _ => return half_known(expr),
        },
        ExprKind::If(parts) if boolean(&parts[0]).is_some() => return choose(expr),
        _ => None,
    };
    literal.map(ExprKind::Literal)
}

/// `and` and `or` with one known side.
fn half_known(expr: &mut Expr) -> Option<ExprKind> {
    let ExprKind::Binary(op, sides) = &mut expr.kind else { return None };
    let [left, right] = &mut **sides;
    // The side that decides alone: `false` for `and`, `true` for `or`.
    let deciding = match op {
        BinaryOp::And => false,
        BinaryOp::Or => true,
        _ => return None,
    };
    let (value, other) = match (boolean(left), boolean(right)) {
        (Some(value), None) => (value, right),
        (None, Some(value)) => (value, left),
        _ => return None,
    };
    if value != deciding {
        return Some(std::mem::replace(&mut other.kind, ExprKind::Error));
    }
    droppable(other).then_some(ExprKind::Literal(Literal::Bool(value)))
}

/// `if` with a known condition.
fn choose(expr: &mut Expr) -> Option<ExprKind> {
    let ExprKind::If(parts) = &mut expr.kind else { return None };
    let [condition, then, otherwise] = &mut **parts;
    let (kept, dropped) = if boolean(condition)? { (then, otherwise) } else { (otherwise, then) };
    droppable(dropped).then(|| std::mem::replace(&mut kept.kind, ExprKind::Error))
}

/// Whether leaving an expression out changes nothing but its value.
fn droppable(expr: &Expr) -> bool {
    let mut droppable = true;
    walk::each_part(expr, &mut |part| {
        droppable &= match part.kind {
            ExprKind::Param(_) => part.ty != Ty::Trigger,
            // It may mention triggers.
            ExprKind::Value(_) | ExprKind::Random(..) => false,
            _ => true,
        };
    });
    droppable
}

fn calculate(op: BinaryOp, left: Literal, right: Literal) -> Option<Literal> {
    if let (Literal::Number(a), Literal::Number(b)) = (left, right) {
        return Some(match op {
            BinaryOp::Add => Literal::Number(float::finite(a + b)),
            BinaryOp::Sub => Literal::Number(float::finite(a - b)),
            BinaryOp::Mul => Literal::Number(float::finite(a * b)),
            BinaryOp::Div => Literal::Number(float::finite(a / b)),
            BinaryOp::Less => Literal::Bool(a < b),
            BinaryOp::LessEqual => Literal::Bool(a <= b),
            BinaryOp::Greater => Literal::Bool(a > b),
            BinaryOp::GreaterEqual => Literal::Bool(a >= b),
            BinaryOp::Equal => Literal::Bool(a == b),
            BinaryOp::NotEqual => Literal::Bool(a != b),
            BinaryOp::Near | BinaryOp::And | BinaryOp::Or => return None,
        });
    }
    match (op, left, right) {
        (BinaryOp::And, Literal::Bool(a), Literal::Bool(b)) => Some(Literal::Bool(a && b)),
        (BinaryOp::Or, Literal::Bool(a), Literal::Bool(b)) => Some(Literal::Bool(a || b)),
        (BinaryOp::Equal, a, b) => Some(Literal::Bool(a == b)),
        (BinaryOp::NotEqual, a, b) => Some(Literal::Bool(a != b)),
        _ => None,
    }
}

const fn literal(expr: &Expr) -> Option<Literal> {
    match expr.kind {
        ExprKind::Literal(literal) => Some(literal),
        _ => None,
    }
}

const fn number(expr: &Expr) -> Option<f32> {
    match literal(expr) {
        Some(Literal::Number(value)) => Some(value),
        _ => None,
    }
}

const fn boolean(expr: &Expr) -> Option<bool> {
    match literal(expr) {
        Some(Literal::Bool(value)) => Some(value),
        _ => None,
    }
}
