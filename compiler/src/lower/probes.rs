//! The expressions of tests as probes: what a running test asks of an instance.
//!
//! A probe is found by the place of its statement and its number there: 0 is the expression itself, the others are
//! its [`facts`].

use std::collections::BTreeMap;

use motix_vm::ids::MachineId;
use motix_vm::program::tables::Probe;

use super::{Lowerer, type_of};
use crate::hir::{BinaryOp, Expectation, Expr, ExprKind, Statement, StatementKind, Test, Ty};
use crate::source::Span;

/// The statement, and which of its expressions.
pub type ProbeKey = (Span, u32);

/// The indices of probes among those of the test's behavior.
#[derive(Debug, Default)]
pub struct Probes {
    indices: BTreeMap<ProbeKey, usize>,
}

impl Probes {
    /// The index of a probe.
    #[must_use]
    pub fn index(&self, key: ProbeKey) -> Option<usize> {
        self.indices.get(&key).copied()
    }
}

/// The parts of an expectation whose values explain why it does not hold: the sides of its comparisons and its
/// other conditions, without literals.
#[must_use]
pub fn facts(expr: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    collect(expr, &mut found);
    found
}

fn collect<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Literal(_) => {}
        // `state != S` is a negation of which the text shows no part.
        ExprKind::Not(operand) if operand.span != expr.span => collect(operand, found),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            collect(left, found);
            collect(right, found);
        }
        ExprKind::Binary(op, left, right) if op.is_comparison() => {
            found.extend([&**left, &**right].into_iter().filter(|side| !is_literal(side)));
        }
        _ => found.push(expr),
    }
}

fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) => true,
        ExprKind::Neg(operand) => is_literal(operand),
        _ => false,
    }
}

impl<'a> Lowerer<'a> {
    pub(super) fn probes(&mut self, tests: impl Iterator<Item = &'a Test>, probes: &mut Probes) {
        for test in tests {
            self.statements(&test.statements, probes);
        }
    }

    fn statements(&mut self, statements: &[Statement], probes: &mut Probes) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Set(_, value) => self.probe(value, (statement.span, 0), probes),
                StatementKind::Expect(Expectation::Expr(expr)) => {
                    self.probe(expr, (statement.span, 0), probes);
                    for (index, fact) in facts(expr).into_iter().enumerate() {
                        self.probe(fact, (statement.span, index as u32 + 1), probes);
                    }
                }
                StatementKind::Repeat(_, inner) => self.statements(inner, probes),
                _ => {}
            }
        }
    }

    fn probe(&mut self, expr: &Expr, key: ProbeKey, probes: &mut Probes) {
        let ty = match expr.ty {
            // It reads as whether it is armed.
            Ty::Trigger => type_of(Ty::Bool),
            other => type_of(other),
        };
        let code = self.expression_block(expr);
        // What depends on a machine (`elapsed`, an armed trigger) is asked as the main machine would, or the only one.
        let machine = (!self.behavior.machines.is_empty()).then_some(MachineId(0));
        probes.indices.insert(key, self.rows.probes.len());
        self.rows.probes.push(Probe { code, machine, ty });
    }
}
