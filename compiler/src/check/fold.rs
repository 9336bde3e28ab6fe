//! The values of constant expressions, computed as a program would.

use motix_vm::builtin::Builtin;

use crate::ast::BinaryOp;
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Expr, ExprKind, Literal, Ty};

use super::context::Checker;

/// Why an expression has no constant value.
enum Fault<'e> {
    /// This part is known at run time only.
    NotConstant(&'e Expr),
    /// This part is not a finite number.
    NotFinite(&'e Expr),
    /// Something was reported.
    Reported,
}

impl Checker<'_, '_> {
    /// The value of an expression that must be constant; what is wrong is reported.
    pub(super) fn fold_reported(&mut self, expr: &Expr, what: &str) -> Option<Literal> {
        match fold(expr) {
            Ok(literal) => Some(literal),
            Err(Fault::Reported) => None,
            Err(Fault::NotConstant(part)) => {
                let report = Diagnostic::new(
                    Code::NotConstant,
                    format!("{what} must be known when compiling"),
                    part.span,
                    "this is known only when the behavior runs",
                );
                self.report(report.help("write a literal, or a `Const`"));
                None
            }
            Err(Fault::NotFinite(part)) => {
                let report = Diagnostic::new(
                    Code::NotFinite,
                    format!("{what} is not a finite number"),
                    part.span,
                    "this has no finite value",
                );
                self.report(report);
                None
            }
        }
    }
}

/// The value of a constant expression, in the arithmetic of the runtime.
fn fold(expr: &Expr) -> Result<Literal, Fault<'_>> {
    let finite = |value: f32| {
        if value.is_finite() { Ok(Literal::Number(value)) } else { Err(Fault::NotFinite(expr)) }
    };
    match &expr.kind {
        ExprKind::Literal(literal) => Ok(*literal),
        ExprKind::Error => Err(Fault::Reported),
        _ if expr.ty == Ty::Error => Err(Fault::Reported),
        ExprKind::Neg(inner) => finite(-number(inner)?),
        ExprKind::Not(inner) => Ok(Literal::Bool(!truth(inner)?)),
        ExprKind::If(parts) => {
            let [condition, then, other] = &**parts;
            let (condition, then, other) = (truth(condition)?, fold(then)?, fold(other)?);
            Ok(if condition { then } else { other })
        }
        ExprKind::Binary(op, sides) => {
            let [left, right] = &**sides;
            match op {
                BinaryOp::And => Ok(Literal::Bool(truth(left)? & truth(right)?)),
                BinaryOp::Or => Ok(Literal::Bool(truth(left)? | truth(right)?)),
                BinaryOp::Equal => Ok(Literal::Bool(fold(left)? == fold(right)?)),
                BinaryOp::NotEqual => Ok(Literal::Bool(fold(left)? != fold(right)?)),
                BinaryOp::Less => Ok(Literal::Bool(number(left)? < number(right)?)),
                BinaryOp::LessEqual => Ok(Literal::Bool(number(left)? <= number(right)?)),
                BinaryOp::Greater => Ok(Literal::Bool(number(left)? > number(right)?)),
                BinaryOp::GreaterEqual => Ok(Literal::Bool(number(left)? >= number(right)?)),
                BinaryOp::Near => Ok(Literal::Bool((number(left)? - number(right)?).abs() <= 1e-4)),
                BinaryOp::Add => finite(number(left)? + number(right)?),
                BinaryOp::Sub => finite(number(left)? - number(right)?),
                BinaryOp::Mul => finite(number(left)? * number(right)?),
                BinaryOp::Div => finite(number(left)? / number(right)?),
            }
        }
        ExprKind::Call(builtin, arguments) => {
            let values = arguments.iter().map(number).collect::<Result<Vec<f32>, _>>()?;
            match (builtin, &values[..]) {
                (Builtin::Min, [a, b]) => finite(a.min(*b)),
                (Builtin::Max, [a, b]) => finite(a.max(*b)),
                (Builtin::Clamp, [x, low, high]) => finite(x.min(*high).max(*low)),
                (Builtin::Abs, [x]) => finite(x.abs()),
                _ => Err(Fault::NotConstant(expr)),
            }
        }
        _ => Err(Fault::NotConstant(expr)),
    }
}

fn number(expr: &Expr) -> Result<f32, Fault<'_>> {
    match fold(expr)? {
        Literal::Number(value) => Ok(value),
        _ => Err(Fault::Reported),
    }
}

fn truth(expr: &Expr) -> Result<bool, Fault<'_>> {
    match fold(expr)? {
        Literal::Bool(value) => Ok(value),
        _ => Err(Fault::Reported),
    }
}
