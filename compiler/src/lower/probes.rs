//! The expressions of tests as probes: what a running test asks of an instance.
//!
//! A probe is found by the place of its statement and its number there: 0 is the expression itself, the others are
//! its [`facts`].

use std::collections::BTreeMap;

use motix_vm::ids::MachineId;
use motix_vm::op::Op;
use motix_vm::program::tables::Probe;

use super::{Lowerer, type_of};
use crate::hir::{BinaryOp, Expectation, Expr, ExprKind, Hir, Statement, StatementKind, Ty};
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
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, sides) => {
            sides.iter().for_each(|side| collect(side, found));
        }
        ExprKind::Binary(op, sides) if op.is_comparison() => {
            found.extend(sides.iter().filter(|side| !is_literal(side)));
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

/// What tests ask of components: for each behavior, expressions that are to be probes of it.
pub(super) fn asked_inside(hir: &Hir) -> BTreeMap<usize, Vec<&Expr>> {
    let mut asked = BTreeMap::new();
    let mut open: Vec<(usize, &Statement)> = Vec::new();
    for test in &hir.tests {
        open.extend(test.statements.iter().map(|statement| (test.behavior.index(), statement)));
        while let Some((behavior, statement)) = open.pop() {
            match &statement.kind {
                StatementKind::Set(_, expr) | StatementKind::Expect(Expectation::Expr(expr)) => {
                    inside_of(hir, behavior, expr, &mut asked);
                }
                StatementKind::Repeat(_, inner) => open.extend(inner.iter().map(|inner| (behavior, inner))),
                _ => {}
            }
        }
    }
    asked
}

fn inside_of<'h>(hir: &'h Hir, behavior: usize, expr: &'h Expr, asked: &mut BTreeMap<usize, Vec<&'h Expr>>) {
    match &expr.kind {
        ExprKind::Inside(component, inner) => {
            let rows = hir.behaviors.get(behavior).map(|row| &row.components);
            let Some(row) = rows.and_then(|rows| rows.get(usize::from(*component))) else { return };
            inside_of(hir, row.behavior.index(), inner, asked);
            asked.entry(row.behavior.index()).or_default().push(inner);
        }
        _ => expr.operands().iter().for_each(|part| inside_of(hir, behavior, part, asked)),
    }
}

impl<'a> Lowerer<'a> {
    /// Makes probes of what tests of behaviors around this one ask of it.
    pub(super) fn inside_probes(&mut self, index: usize, asked: &[&Expr]) {
        for expr in asked {
            // Parts of an expectation are asked for more than once.
            if !self.inside.contains_key(&(index, expr.span)) {
                let probe = self.add_probe(expr);
                self.inside.insert((index, expr.span), probe);
            }
        }
    }

    /// The operation that asks a component.
    pub(super) fn inside(&self, component: u16, inner: &Expr) -> Op {
        let row = &self.behavior.components[usize::from(component)];
        let probe = self.inside.get(&(row.behavior.index(), inner.span)).copied().unwrap_or(u32::MAX);
        Op::Inside { component, probe }
    }

    /// The probes of a test's statements.
    pub(super) fn statements(&mut self, statements: &[Statement], probes: &mut Probes) {
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
        let index = self.add_probe(expr);
        probes.indices.insert(key, index as usize);
    }

    fn add_probe(&mut self, expr: &Expr) -> u32 {
        let ty = match expr.ty {
            // It reads as whether it is armed.
            Ty::Trigger => type_of(Ty::Bool),
            other => type_of(other),
        };
        let code = self.expression_block(expr);
        // What depends on a machine (`elapsed`, an armed trigger) is asked as the main machine would, or the only one.
        let machine = (!self.behavior.machines.is_empty()).then_some(MachineId(0));
        self.rows.probes.push(Probe { code, machine, ty });
        super::last(self.rows.probes.len())
    }
}
