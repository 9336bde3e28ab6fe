//! `Const`: each after those it is made of, wherever they stand.

use crate::hash::HashMap;

use crate::ast::{self, ExprKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::Ty;
use crate::intern::Symbol;
use crate::resolve::{Found, ValueRef, order};
use crate::source::Span;

use super::context::{Checker, Constant, Site};
use super::expr::Want;

impl Checker<'_, '_> {
    /// The constants of the behavior.
    pub(super) fn check_consts(&mut self) {
        let rows = self.known.scope.consts.clone();
        self.known.consts = vec![None; rows.len()];
        let needs: Vec<Vec<usize>> = rows
            .iter()
            .map(|row| {
                let mut needs = Vec::new();
                each_name(row.item.assigned(), &mut |name| {
                    if let Some((ValueRef::Const(index), _)) = self.known.scope.values.get(&name.symbol) {
                        needs.push(*index);
                    }
                });
                needs
            })
            .collect();
        let names: Vec<(Symbol, Span)> = rows.iter().map(|row| (row.name.symbol, row.name.span)).collect();
        let ordered = order(&needs);
        self.report_cycles("constants", &names, &ordered.rings);
        let in_ring = members(&ordered.rings);
        for index in ordered.sorted {
            if !in_ring.contains_key(&index)
                && let Some(expr) = rows[index].item.assigned()
            {
                self.known.consts[index] = self.const_value(expr, rows[index].name.symbol);
            }
        }
    }

    /// The value of a constant.
    pub(super) fn const_value(&mut self, expr: &ast::Expr, name: Symbol) -> Option<Constant> {
        let typed = self.expr(expr, Want::ANY, Site::CONSTANT);
        if typed.ty == Ty::Error {
            return None;
        }
        let what = format!("the constant `{}`", self.text(name));
        let literal = self.fold_reported(&typed, &what)?;
        Some(Constant { literal, ty: typed.ty, unit: self.unit_of(expr) })
    }

    /// Reports definitions that need each other.
    pub(super) fn report_cycles(&mut self, what: &str, names: &[(Symbol, Span)], rings: &[Vec<usize>]) {
        for ring in rings {
            let text = |index: usize| format!("`{}`", self.text(names[index].0));
            let (message, label) = match &ring[..] {
                [one] => (format!("{} is defined by itself", text(*one)), "it reads itself".to_owned()),
                _ => {
                    let path: Vec<String> =
                        ring.iter().chain(ring.first()).take(9).map(|index| text(*index)).collect();
                    let rest = if ring.len() > 8 { " -> ..." } else { "" };
                    let message = format!("{what} are defined by each other: {}{rest}", path.join(" -> "));
                    (message, format!("reads {}", text(ring[1])))
                }
            };
            let mut report = Diagnostic::new(Code::DefinitionCycle, message, names[ring[0]].1, label);
            for at in 1..ring.len().min(8) {
                let next = text(ring[(at + 1) % ring.len()]);
                report = report.label(names[ring[at]].1, format!("reads {next}"));
            }
            self.report(report.help("define one of them without the others"));
        }
    }

    /// The values of the constants of all files; `checkers` makes one for a file.
    pub(super) fn const_needs(&self, expr: Option<&ast::Expr>) -> Vec<usize> {
        let mut needs = Vec::new();
        each_path(expr, &mut |path| {
            if let Found::Yes(index) = self.files.constant(&path.names) {
                needs.push(index);
            }
        });
        needs
    }
}

/// The members of rings, for look-ups.
pub(super) fn members(rings: &[Vec<usize>]) -> HashMap<usize, ()> {
    rings.iter().flatten().map(|index| (*index, ())).collect()
}

/// Every plain name in an expression that could stand for a value: arguments of questions, which name other things,
/// are among them where they are not told apart by the caller.
pub(super) fn each_name(expr: Option<&ast::Expr>, found: &mut dyn FnMut(ast::Name)) {
    each_path(expr, &mut |path| {
        if let [name] = &path.names[..] {
            found(*name);
        }
    });
}

fn each_path(expr: Option<&ast::Expr>, found: &mut dyn FnMut(&ast::Path)) {
    let mut open: Vec<&ast::Expr> = expr.into_iter().collect();
    while let Some(expr) = open.pop() {
        if let ExprKind::Path(path) = &expr.kind {
            found(path);
        }
        open.extend(expr.operands());
    }
}
