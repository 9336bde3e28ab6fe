//! Operators and the types they take.

use crate::ast::{self, BinaryOp, ExprKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Ty};
use crate::resolve::ValueRef;
use crate::source::Span;

use super::context::{Checker, Site};
use super::expr::{Want, as_name, bare, error, make};

impl Checker<'_, '_> {
    pub(super) fn negation(&mut self, inner: &ast::Expr, span: Span, site: Site) -> hir::Expr {
        let inner = self.operand(inner, "-", site);
        make(hir::ExprKind::Neg(Box::new(inner)), Ty::Number, span)
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        place: Span,
        [left, right]: &[ast::Expr; 2],
        span: Span,
        site: Site,
    ) -> hir::Expr {
        if op == BinaryOp::Sub && self.is_name_with_dash(left, right, span) {
            return error(span);
        }
        let (left, right, ty) = match op {
            BinaryOp::And | BinaryOp::Or => {
                let what = if op == BinaryOp::And { "`and`" } else { "`or`" };
                (self.condition_of(left, what, site), self.condition_of(right, what, site), Ty::Bool)
            }
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                if op == BinaryOp::Add && self.is_text(left) && self.is_text(right) {
                    let report = Diagnostic::new(
                        Code::OperandType,
                        "strings cannot be joined",
                        place,
                        "`+` takes two numbers",
                    );
                    self.report(report.help("emit the parts as values: `Emit name(first, second)`"));
                    return error(span);
                }
                (self.operand(left, op.text(), site), self.operand(right, op.text(), site), Ty::Number)
            }
            BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual => {
                return self.ordering(op, left, right, span, site);
            }
            BinaryOp::Near => {
                // Elsewhere the parser reported it, as the `!=` of another language.
                if !site.is_test() {
                    return error(span);
                }
                (self.operand(left, "~=", site), self.operand(right, "~=", site), Ty::Bool)
            }
            BinaryOp::Equal | BinaryOp::NotEqual => return self.equality(op, left, right, span, site),
        };
        make(hir::ExprKind::Binary(op, Box::new([left, right])), ty, span)
    }

    /// A number that an operator takes.
    fn operand(&mut self, expr: &ast::Expr, op: &str, site: Site) -> hir::Expr {
        let found = self.expr(expr, Want::of(Ty::Number), site);
        if matches!(found.ty, Ty::Number | Ty::Error) {
            return found;
        }
        let is = self.ty_text(found.ty);
        let report = Diagnostic::new(
            Code::OperandType,
            format!("`{op}` takes numbers, and this is {is}"),
            expr.span,
            "expected a number",
        );
        let report = self.number_help(report, expr, found.ty);
        self.report(report);
        error(expr.span)
    }

    fn ordering(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
        site: Site,
    ) -> hir::Expr {
        // A variant may be ordered by mistake: the other side says of which enum it is.
        let left_first = !self.needs_enum(left);
        let (first, second) = if left_first { (left, right) } else { (right, left) };
        let first_typed = self.expr(first, Want::of(Ty::Number), site);
        let want = if let Ty::Enum(_) = first_typed.ty { first_typed.ty } else { Ty::Number };
        let second_typed = self.expr(second, Want::of(want), site);
        let sides = [(first, &first_typed), (second, &second_typed)];
        let wrong = sides.iter().find(|(_, typed)| !matches!(typed.ty, Ty::Number | Ty::Error));
        if let Some((expr, typed)) = wrong {
            let (ty, at) = (typed.ty, expr.span);
            let is = self.ty_text(ty);
            let mut report = Diagnostic::new(
                Code::NoOrder,
                format!("`{}` compares numbers, and this is {is}", op.text()),
                at,
                "expected a number",
            );
            report = match ty {
                Ty::Enum(id) => {
                    let subject = self.brief(expr).unwrap_or_else(|| "...".to_owned());
                    let row = self.known.hir.enums.get(id.index());
                    let pair: Vec<String> = (row.iter().flat_map(|row| row.variants.iter().take(2)))
                        .map(|variant| format!("{subject} == {}", self.written(*variant)))
                        .collect();
                    report.help(format!("variants have no order; compare with each: `{}`", pair.join(" or ")))
                }
                Ty::Bool => report.help("write the condition alone, or `not` before it"),
                Ty::Color => report.help("colors can be compared with `==` and `!=` only"),
                _ => self.number_help(report, expr, ty),
            };
            self.report(report);
            return error(span);
        }
        let (left, right) =
            if left_first { (first_typed, second_typed) } else { (second_typed, first_typed) };
        make(hir::ExprKind::Binary(op, Box::new([left, right])), Ty::Bool, span)
    }

    fn equality(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
        site: Site,
    ) -> hir::Expr {
        if let Some(found) = self.state_comparison(op, left, right, span, site) {
            return found;
        }
        for (side, other) in [(left, right), (right, left)] {
            if self.is_trigger(side) {
                self.trigger_compared(op, side, other, span);
                return error(span);
            }
        }
        let left_first = !self.needs_enum(left);
        let (first, second) = if left_first { (left, right) } else { (right, left) };
        let mut first_typed = self.expr(first, Want::ANY, site);
        if first_typed.ty == Ty::Error && self.needs_enum(second) {
            return error(span);
        }
        let second_typed = self.expr(second, Want { ty: Some(first_typed.ty), condition: false }, site);
        // A declared name gives way to a variant of that name where the other side is that enum.
        if let Ty::Enum(id) = second_typed.ty
            && first_typed.ty != second_typed.ty
            && let Some(name) = as_name(first)
            && self.variant(id, name).is_some()
        {
            first_typed = self.expr(first, Want::of(second_typed.ty), site);
        }
        if first_typed.ty == Ty::Error || second_typed.ty == Ty::Error {
            return error(span);
        }
        if first_typed.ty != second_typed.ty {
            self.compared_types(op, first, first_typed.ty, second, second_typed.ty);
            return error(span);
        }
        let (left, right) =
            if left_first { (first_typed, second_typed) } else { (second_typed, first_typed) };
        make(hir::ExprKind::Binary(op, Box::new([left, right])), Ty::Bool, span)
    }

    fn compared_types(&mut self, op: BinaryOp, first: &ast::Expr, one: Ty, second: &ast::Expr, two: Ty) {
        let (one_text, two_text) = (self.ty_text(one), self.ty_text(two));
        let mut report = Diagnostic::new(
            Code::ComparedTypes,
            format!("{one_text} is never equal to {two_text}"),
            second.span,
            format!("this is {two_text}"),
        )
        .label(first.span, format!("this is {one_text}"));
        let pair = [(first, one, second, two), (second, two, first, one)];
        for (side, ty, other, other_ty) in pair {
            if let (Ty::Enum(_), ExprKind::Text(text)) = (ty, &bare(other).kind) {
                let word = self.written(*text);
                report =
                    report.help(format!("write the variant without quotes: `{word}`")).fix(other.span, word);
                break;
            }
            if let (Ty::Number, ExprKind::Bool(value)) = (ty, &bare(other).kind)
                && let Some(name) = as_name(side)
            {
                let word = self.written(name.symbol);
                let zero = *value == (op == BinaryOp::NotEqual);
                let sign = if zero { "==" } else { "!=" };
                report = report.help(format!("a number is not true or false; write `{word} {sign} 0`"));
                break;
            }
            if let (Ty::Bool, ExprKind::Number(value)) = (ty, &bare(other).kind)
                && let Some(name) = as_name(side)
            {
                let word = self.written(name.symbol);
                let zero = (*value == 0.0) == (op == BinaryOp::Equal);
                let mended = if zero { format!("not {word}") } else { word };
                report = report.help(format!("a bool stands alone; write `{mended}`"));
                break;
            }
            if let (Ty::Text, Ty::Number, ExprKind::Number(value)) = (ty, other_ty, &bare(other).kind) {
                let mended = format!("\"{value}\"");
                report =
                    report.help(format!("a string stands in quotes: `{mended}`")).fix(other.span, mended);
                break;
            }
            if let (Ty::Number, ExprKind::Text(_)) = (ty, &bare(other).kind) {
                report = self.number_help(report, other, Ty::Text);
                break;
            }
            if let (Ty::Enum(_), Ty::Enum(_)) = (ty, other_ty) {
                report = report.help(
                    "each `enum(...)` is a type of its own; declare one `Enum Name { ... }`, and use it for both",
                );
                break;
            }
        }
        self.report(report);
    }

    /// Whether an expression is the name of a trigger.
    pub(super) fn is_trigger(&self, expr: &ast::Expr) -> bool {
        let Some(name) = as_name(expr) else { return false };
        match self.known.scope.values.get(&name.symbol) {
            Some((ValueRef::Param(index), _)) => self.known.param_types.get(*index) == Some(&Ty::Trigger),
            Some((ValueRef::Value(index), _)) => self.known.value_types.get(*index) == Some(&Ty::Trigger),
            _ => false,
        }
    }

    fn is_text(&self, expr: &ast::Expr) -> bool {
        match &bare(expr).kind {
            ExprKind::Text(_) => true,
            ExprKind::Path(path) => match &path.names[..] {
                [name] => match self.known.scope.values.get(&name.symbol) {
                    Some((ValueRef::Param(index), _)) => {
                        self.known.param_types.get(*index) == Some(&Ty::Text)
                    }
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        }
    }

    fn trigger_compared(&mut self, op: BinaryOp, side: &ast::Expr, other: &ast::Expr, span: Span) {
        let Some(name) = as_name(side) else { return };
        let word = self.written(name.symbol);
        let mut report = Diagnostic::new(
            Code::TriggerAsValue,
            format!("the trigger `{}` is compared", self.text(name.symbol)),
            side.span,
            "a trigger stands alone as a condition",
        );
        if let ExprKind::Bool(value) = &bare(other).kind {
            let fired = *value == (op == BinaryOp::Equal);
            let mended = if fired { word } else { format!("not {word}") };
            report = report.help(format!("write `{mended}`")).fix(span, mended);
        } else {
            report = report.help(format!("write `{word}` alone"));
        }
        self.report(report);
    }
}
