//! `Let` and `Predicate`, each after those it reads; and predicates that the host answers.

use crate::ast::{self, ExprKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Ty, ValueId, ValueKind};
use crate::intern::Symbol;
use crate::resolve::{ValueRef, ValueRow, order};
use crate::source::Span;
use crate::syntax::Modifier;

use super::constants::members;
use super::context::{Checker, Site};
use super::expr::{Want, as_name, bare, error};
use super::units::Unit;

/// How deep values may read each other: the runtime's limit on calls, less those around a value.
const MOST_DEEP: u32 = 56;
/// How much evaluating a value may take, in operations: half of the runtime's limit, as this is an estimate.
const MOST_COSTLY: u64 = 32_768;

impl<'a> Checker<'a, '_> {
    pub(super) fn check_externs(&mut self) {
        for row in self.known.scope.externs.clone() {
            let declared = self.declared(row.item, row.name);
            self.known.hir.externs.push(declared);
            let word = row.item.modifiers.iter().find(|(modifier, _)| *modifier == Modifier::Extern);
            if let (Some(value), Some((_, span))) = (row.item.assigned(), word) {
                let name = self.text(row.name.symbol);
                let report = Diagnostic::new(
                    Code::MisplacedKeyword,
                    format!("`Extern` before the predicate `{name}`, which has a value"),
                    *span,
                    "the host answers what is `Extern`",
                )
                .label(value.span, "and this would be never asked")
                .help("remove `Extern`, or the `=` and what follows it");
                self.report(report);
            }
        }
    }

    pub(super) fn check_values(&mut self) {
        let rows = self.known.scope.lets.clone();
        self.known.value_types = vec![Ty::Error; rows.len()];
        self.known.value_ids = vec![ValueId(0); rows.len()];
        let needs: Vec<Vec<usize>> = rows.iter().map(|row| self.reads(row.item.assigned())).collect();
        let names: Vec<(Symbol, Span)> = rows.iter().map(|row| (row.name.symbol, row.name.span)).collect();
        let ordered = order(&needs);
        self.report_cycles("values", &names, &ordered.rings);
        let in_ring = members(&ordered.rings);
        let mut depths = vec![0_u32; rows.len()];
        let mut costs = vec![0_u64; rows.len()];
        for (place, index) in ordered.sorted.iter().copied().enumerate() {
            let row = rows[index];
            self.known.value_ids[index] = ValueId(u32::try_from(place).unwrap_or(u32::MAX));
            let kind = if in_ring.contains_key(&index) {
                ValueKind::Expr(error(row.name.span))
            } else {
                self.value_of(row)
            };
            self.known.value_types[index] = match &kind {
                ValueKind::Damp(..) => Ty::Number,
                ValueKind::Expr(expr) if row.predicate && expr.ty != Ty::Error => Ty::Bool,
                ValueKind::Expr(expr) => expr.ty,
            };
            let deepest = needs[index].iter().map(|need| depths[*need]).max().unwrap_or(0);
            depths[index] = deepest + 1;
            let own = row.item.assigned().map_or(1, size);
            costs[index] = needs[index].iter().fold(own, |sum, need| sum.saturating_add(costs[*need]));
            if depths[index] == MOST_DEEP + 1 {
                self.too_deep(row);
            }
            if costs[index] > MOST_COSTLY {
                // What reads it is not told again.
                costs[index] = 0;
                self.too_costly(row);
            }
            let name = self.declared(row.item, row.name);
            self.known.hir.values.push(hir::Value { name, predicate: row.predicate, kind });
        }
    }

    fn value_of(&mut self, row: ValueRow<'a>) -> ValueKind {
        let word = self.text(row.name.symbol).to_owned();
        let Some(body) = row.item.assigned() else {
            // That was reported by the parser.
            return ValueKind::Expr(error(row.name.span));
        };
        if row.predicate {
            let what = format!("the predicate `{word}`");
            return ValueKind::Expr(self.condition_of(body, &what, Site::PURE));
        }
        if let ExprKind::Call(path, arguments) = &bare(body).kind
            && path.names.len() == 1
            && self.text(path.names[0].symbol) == "damp"
        {
            return self.damp(path.names[0], arguments, body.span);
        }
        ValueKind::Expr(self.expr(body, Want { ty: None, condition: true }, Site::PURE))
    }

    fn damp(&mut self, name: ast::Name, arguments: &[ast::Expr], span: Span) -> ValueKind {
        let [input, time] = arguments else {
            self.count(name, "a number and a duration: `damp(value, 150ms)`", arguments.len(), span);
            return ValueKind::Expr(error(span));
        };
        let input = self.typed(input, Ty::Number, "`damp`", Site::PURE);
        let seconds = self.duration(time, "the time of `damp`");
        match seconds {
            Some(seconds) if self.unit_of(time) != Unit::Ratio => ValueKind::Damp(input, seconds),
            _ => ValueKind::Expr(error(span)),
        }
    }

    /// The values that an expression reads. Names of states, animations and the like are none of them, nor are names
    /// of variants beside a parameter of that enum.
    fn reads(&self, expr: Option<&ast::Expr>) -> Vec<usize> {
        let mut reads = Vec::new();
        let mut open: Vec<&ast::Expr> = expr.into_iter().collect();
        while let Some(expr) = open.pop() {
            match &expr.kind {
                ExprKind::Path(path) => {
                    if let [name] = &path.names[..]
                        && let Some((ValueRef::Value(index), _)) = self.known.scope.values.get(&name.symbol)
                    {
                        reads.push(*index);
                    }
                }
                ExprKind::Binary(ast::BinaryOp::Equal | ast::BinaryOp::NotEqual, _, sides) => {
                    let [left, right] = &**sides;
                    for (side, other) in [(left, right), (right, left)] {
                        if !self.is_variant_beside(side, other) {
                            open.push(side);
                        }
                    }
                }
                ExprKind::Call(path, arguments) => {
                    let pure = motix_vm::builtin::Builtin::by_name(self.text(path.names[0].symbol)).is_some();
                    if pure || matches!(self.text(path.names[0].symbol), "damp" | "random") {
                        open.extend(arguments);
                    }
                }
                _ => open.extend(expr.operands()),
            }
        }
        reads
    }

    fn is_variant_beside(&self, side: &ast::Expr, other: &ast::Expr) -> bool {
        let (Some(variant), Some(param)) = (as_name(side), as_name(other)) else { return false };
        let Some((ValueRef::Param(index), _)) = self.known.scope.values.get(&param.symbol) else {
            return false;
        };
        match self.known.param_types.get(*index) {
            Some(Ty::Enum(id)) => self.variant(*id, variant).is_some(),
            _ => false,
        }
    }

    fn too_deep(&mut self, row: ValueRow<'_>) {
        let report = Diagnostic::new(
            Code::ValuesTooDeep,
            format!(
                "`{}` reads values that read values, more than {MOST_DEEP} deep",
                self.text(row.name.symbol)
            ),
            row.name.span,
            "this one is too deep",
        );
        self.report(report.help("write some of them out"));
    }

    fn too_costly(&mut self, row: ValueRow<'_>) {
        let report = Diagnostic::new(
            Code::ValueTooCostly,
            format!(
                "evaluating `{}` could take more than {MOST_COSTLY} operations",
                self.text(row.name.symbol)
            ),
            row.name.span,
            "with all the values that it reads, each time it reads them",
        );
        self.report(
            report.help("read each value once, or keep a result in a parameter: `OnUpdate { Set x = ... }`"),
        );
    }
}

/// The parts of an expression.
fn size(expr: &ast::Expr) -> u64 {
    let mut open = vec![expr];
    let mut count = 0;
    while let Some(expr) = open.pop() {
        count += 1;
        open.extend(expr.operands());
    }
    count
}
