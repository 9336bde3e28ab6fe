//! Infers the types of parameters from how conditions use them.
//!
//! Lua converts silently where the language does not: a value used as a condition here and as a number there is a
//! conflict, and its predicate stays with the host.

use super::condition::Condition;
use super::model::{Constant, Data, Param, Ty};
use super::tree::BinaryOp;

impl Data {
    /// The number that it is.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Data::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The type of a value.
    pub(super) fn ty(&self) -> Ty {
        match self {
            Data::Bool(_) => Ty::Bool,
            Data::Number(_) => Ty::Number,
            Data::Text(_) => Ty::Text,
        }
    }
}

impl Ty {
    /// The word of the language.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Ty::Bool => "bool",
            Ty::Number => "number",
            Ty::Text => "string",
        }
    }
}

/// Gives the parameters in `condition` types, so that it is of type `expected`; the error says what does not fit.
/// Parameters that are only compared with each other become numbers.
pub(super) fn infer(
    condition: &Condition,
    expected: Ty,
    params: &mut [Param],
    constants: &[Constant],
) -> Result<(), String> {
    // Two rounds: the second knows what the first found out about the other side of a comparison.
    let mut inference = Inference { params, constants, settle: false };
    inference.check(condition, expected)?;
    inference.settle = true;
    inference.check(condition, expected)
}

struct Inference<'p> {
    params: &'p mut [Param],
    constants: &'p [Constant],
    settle: bool,
}

impl Inference<'_> {
    /// The type that an expression has by itself.
    fn known(&self, condition: &Condition) -> Option<Ty> {
        match condition {
            Condition::Literal(data) => Some(data.ty()),
            Condition::Constant(id) => self.constants.get(id.0 as usize).map(|constant| constant.data.ty()),
            Condition::Param(index) => self.params[*index].ty,
            Condition::Not(_) => Some(Ty::Bool),
            Condition::Negate(_) | Condition::Call(..) => Some(Ty::Number),
            Condition::Binary(op, ..) if is_arithmetic(*op) => Some(Ty::Number),
            Condition::Binary(..) => Some(Ty::Bool),
            Condition::If(_, a, b) => self.known(a).or_else(|| self.known(b)),
        }
    }

    fn check(&mut self, condition: &Condition, expected: Ty) -> Result<(), String> {
        match condition {
            Condition::Param(index) => {
                let param = &mut self.params[*index];
                let default = param.default.as_ref().map(Data::ty);
                let found = param.ty.or(default).unwrap_or(expected);
                param.ty = Some(found);
                fits(found, expected, &format!("`{}`", param.source))
            }
            Condition::Literal(_) | Condition::Constant(_) => {
                fits(self.known(condition).unwrap_or(expected), expected, "a value")
            }
            Condition::Not(inner) => {
                fits(Ty::Bool, expected, "a condition")?;
                self.check(inner, Ty::Bool)
            }
            Condition::Negate(inner) => {
                fits(Ty::Number, expected, "a number")?;
                self.check(inner, Ty::Number)
            }
            Condition::Call(_, arguments) => {
                fits(Ty::Number, expected, "a number")?;
                arguments.iter().try_for_each(|argument| self.check(argument, Ty::Number))
            }
            Condition::Binary(op, a, b) => {
                fits(if is_arithmetic(*op) { Ty::Number } else { Ty::Bool }, expected, "an operation")?;
                let operands = match op {
                    BinaryOp::And | BinaryOp::Or => Ty::Bool,
                    BinaryOp::Equal | BinaryOp::NotEqual => match self.known(a).or_else(|| self.known(b)) {
                        Some(ty) => ty,
                        None if self.settle => Ty::Number,
                        None => return Ok(()),
                    },
                    _ => Ty::Number,
                };
                self.check(a, operands)?;
                self.check(b, operands)
            }
            Condition::If(condition, a, b) => {
                self.check(condition, Ty::Bool)?;
                self.check(a, expected)?;
                self.check(b, expected)
            }
        }
    }
}

fn is_arithmetic(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div)
}

fn fits(found: Ty, expected: Ty, what: &str) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what} is used as a {} here, but is a {}", expected.name(), found.name()))
}
