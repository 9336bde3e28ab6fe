//! What to say where a value has another type than is needed: the mended text, where it can be known.

use crate::ast::{self, ExprKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Ty};

use super::context::Checker;
use super::expr::{bare, error};

impl Checker<'_, '_> {
    /// The expression if it has the type; otherwise that is reported.
    pub(super) fn require(&mut self, found: hir::Expr, expr: &ast::Expr, ty: Ty, what: &str) -> hir::Expr {
        if found.ty == ty || found.ty == Ty::Error || ty == Ty::Error {
            return found;
        }
        let (is, needed) = (self.ty_text(found.ty), self.ty_text(ty));
        let report = Diagnostic::new(
            Code::TypeMismatch,
            format!("{what} takes {needed}, and this is {is}"),
            expr.span,
            format!("expected {needed}"),
        );
        let report = self.type_help(report, expr, found.ty, ty);
        self.report(report);
        error(expr.span)
    }

    /// A short expression as it is written; `None` for others.
    pub(super) fn brief(&self, expr: &ast::Expr) -> Option<String> {
        match &bare(expr).kind {
            ExprKind::Path(path) => {
                let names: Vec<String> = path.names.iter().map(|name| self.written(name.symbol)).collect();
                Some(names.join("."))
            }
            ExprKind::Call(path, arguments) if arguments.len() <= 3 => {
                let arguments =
                    arguments.iter().map(|argument| self.brief(argument)).collect::<Option<Vec<_>>>()?;
                Some(format!("{}({})", self.path_text(&path.names), arguments.join(", ")))
            }
            ExprKind::Number(value) => Some(value.to_string()),
            _ => None,
        }
    }

    /// Reports an expression of type `is` where a condition is needed.
    pub(super) fn not_condition(&mut self, expr: &ast::Expr, is: Ty, what: &str) {
        let text = self.ty_text(is);
        let mut report = Diagnostic::new(
            Code::NotCondition,
            format!("{what} takes a condition, and this is {text}"),
            expr.span,
            "expected something true or false",
        );
        let subject = self.brief(expr).unwrap_or_else(|| "...".to_owned());
        report = match is {
            Ty::Number => match &bare(expr).kind {
                ExprKind::Number(value) => {
                    let word = if *value == 0.0 { "false" } else { "true" };
                    report.help(format!("write `{word}`")).fix(expr.span, word)
                }
                _ => report.help(format!("compare it: `{subject} > 0` or `{subject} != 0`")),
            },
            Ty::Text => match &bare(expr).kind {
                ExprKind::Text(text) => {
                    let word = self.written(*text);
                    report.help(format!("a name stands without quotes: `{word}`"))
                }
                _ => report.help(format!("compare it: `{subject} == \"...\"`")),
            },
            Ty::Enum(id) => {
                let variant =
                    self.known.hir.enums.get(id.index()).and_then(|row| row.variants.first().copied());
                let variant = variant.map_or_else(|| "...".to_owned(), |variant| self.written(variant));
                report.help(format!("compare it: `{subject} == {variant}`"))
            }
            Ty::Color => report.help(format!("compare it: `{subject} == #000000`")),
            _ => report,
        };
        self.report(report);
    }

    /// Adds what mends a value of type `is` where a number is needed.
    pub(super) fn number_help(&self, report: Diagnostic, expr: &ast::Expr, is: Ty) -> Diagnostic {
        self.type_help(report, expr, is, Ty::Number)
    }

    pub(super) fn type_help(&self, report: Diagnostic, expr: &ast::Expr, is: Ty, needed: Ty) -> Diagnostic {
        let subject = self.brief(expr).unwrap_or_else(|| "...".to_owned());
        match (&bare(expr).kind, is, needed) {
            (ExprKind::Text(text), _, Ty::Number) => {
                let text = self.text(*text).trim();
                if text.parse::<f32>().is_ok_and(f32::is_finite) {
                    let mended = text.to_owned();
                    return report
                        .help(format!("a number stands without quotes: `{mended}`"))
                        .fix(expr.span, mended);
                }
                let unit = text.strip_suffix("ms").or(text.strip_suffix(['s', '%']));
                if unit.is_some_and(|number| number.parse::<f32>().is_ok_and(f32::is_finite)) {
                    let mended = text.to_owned();
                    return report.help(format!("write `{mended}`, without quotes")).fix(expr.span, mended);
                }
                report
            }
            (ExprKind::Text(text), _, Ty::Bool) if matches!(self.text(*text), "true" | "false") => {
                let mended = self.text(*text).to_owned();
                report.help(format!("write `{mended}`, without quotes")).fix(expr.span, mended)
            }
            (ExprKind::Text(text), _, Ty::Enum(_)) => {
                let mended = self.written(*text);
                report.help(format!("a variant stands without quotes: `{mended}`")).fix(expr.span, mended)
            }
            (ExprKind::Text(text), _, Ty::Color) => {
                let text = self.text(*text);
                if text.starts_with('#') {
                    return report
                        .help(format!("a color stands without quotes: `{text}`"))
                        .fix(expr.span, text);
                }
                report.help("a color is written `#rrggbb`")
            }
            (ExprKind::Number(value) | ExprKind::Duration(value), _, Ty::Text) => {
                let mended = format!("\"{value}\"");
                report.help(format!("a string stands in quotes: `{mended}`")).fix(expr.span, mended)
            }
            (ExprKind::Number(value), _, Ty::Bool) if *value == 0.0 || *value == 1.0 => {
                let mended = if *value == 0.0 { "false" } else { "true" };
                report.help(format!("write `{mended}`")).fix(expr.span, mended)
            }
            (ExprKind::Bool(value), _, Ty::Number) => {
                let mended = if *value { "1" } else { "0" };
                report.help(format!("write `{mended}`")).fix(expr.span, mended)
            }
            (_, Ty::Bool, Ty::Number) => {
                report.help(format!("choose the numbers: `if {subject} then 1 else 0`"))
            }
            (_, Ty::Number, Ty::Bool) => report.help(format!("compare it: `{subject} > 0`")),
            _ => report,
        }
    }
}
