//! Lint: a comparison whose outcome the ranges of parameters decide: `speed > 10`, where `speed` has `Max 10`.
//!
//! Bounds are kept through what rounds in one direction only; all else may be anything. A comparison of constants is
//! left alone, and so is a global parameter, whose value may come from elsewhere.

use motix_vm::builtin::Builtin;

use super::{Context, walk};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::{Behavior, BinaryOp, Expr, ExprKind, Hir, Literal, Ty, ValueKind};

/// What a number is at least and at most.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    least: f32,
    most: f32,
}

impl Range {
    const ANY: Self = Self { least: f32::MIN, most: f32::MAX };
    const SHARE: Self = Self { least: 0.0, most: 1.0 };
    const COUNT: Self = Self { least: 0.0, most: f32::MAX };

    /// Of two bounds; anything where a calculation may have left the finite numbers, which gives 0.
    fn of(least: f32, most: f32) -> Self {
        let bounded = least > f32::MIN && most < f32::MAX;
        if bounded { Self { least, most } } else { Self::ANY }
    }
}

pub(super) fn run(hir: &mut Hir, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for (_, behavior) in context.own(hir) {
        if behavior.params.iter().all(|param| param.min.is_none() && param.max.is_none()) {
            continue;
        }
        // Values stand after those they read.
        let mut values: Vec<Range> = Vec::with_capacity(behavior.values.len());
        for value in &behavior.values {
            let expr = walk::value_expression(&value.kind);
            report_in(behavior, expr, &values, context, diagnostics);
            values.push(match &value.kind {
                ValueKind::Expr(expr) if expr.ty == Ty::Number => range(behavior, expr, &values),
                _ => Range::ANY,
            });
        }
        walk::each_expression(behavior, &mut |expr| {
            report_in(behavior, expr, &values, context, diagnostics);
        });
    }
}

fn range(behavior: &Behavior, expr: &Expr, values: &[Range]) -> Range {
    let of = |part: &Expr| range(behavior, part, values);
    match &expr.kind {
        ExprKind::Literal(Literal::Number(value)) => Range { least: *value, most: *value },
        ExprKind::Param(id) => match behavior.params.get(id.index()) {
            Some(row) if !row.global => {
                Range { least: row.min.unwrap_or(f32::MIN), most: row.max.unwrap_or(f32::MAX) }
            }
            _ => Range::ANY,
        },
        ExprKind::Value(value) => values.get(value.0 as usize).copied().unwrap_or(Range::ANY),
        ExprKind::MotionPhase | ExprKind::PointerX | ExprKind::PointerY | ExprKind::LayerWeight(_) => {
            Range::SHARE
        }
        ExprKind::Elapsed | ExprKind::Dt | ExprKind::MotionLoops | ExprKind::Time(_) => Range::COUNT,
        ExprKind::Neg(inner) => {
            let inner = of(inner);
            Range { least: -inner.most, most: -inner.least }
        }
        ExprKind::Binary(BinaryOp::Add, sides) => {
            let (left, right) = (of(&sides[0]), of(&sides[1]));
            Range::of(left.least + right.least, left.most + right.most)
        }
        ExprKind::Binary(BinaryOp::Sub, sides) => {
            let (left, right) = (of(&sides[0]), of(&sides[1]));
            Range::of(left.least - right.most, left.most - right.least)
        }
        ExprKind::Binary(BinaryOp::Mul, sides) => {
            let (left, right) = (of(&sides[0]), of(&sides[1]));
            let corners = [
                left.least * right.least,
                left.least * right.most,
                left.most * right.least,
                left.most * right.most,
            ];
            let least = corners.iter().copied().fold(f32::INFINITY, f32::min);
            Range::of(least, corners.iter().copied().fold(f32::NEG_INFINITY, f32::max))
        }
        ExprKind::Call(builtin, arguments) => match (builtin, &arguments[..]) {
            (Builtin::Min, [a, b]) => {
                let (a, b) = (of(a), of(b));
                Range { least: a.least.min(b.least), most: a.most.min(b.most) }
            }
            (Builtin::Max, [a, b]) => {
                let (a, b) = (of(a), of(b));
                Range { least: a.least.max(b.least), most: a.most.max(b.most) }
            }
            (Builtin::Abs, [a]) => {
                let a = of(a);
                let least = if a.least > 0.0 { a.least } else { (-a.most).max(0.0) };
                Range { least, most: a.most.max(-a.least) }
            }
            _ => Range::ANY,
        },
        _ => Range::ANY,
    }
}

/// Whether a comparison holds, where that is certain.
fn outcome(op: BinaryOp, left: Range, right: Range) -> Option<bool> {
    let (below, above) = (left.most < right.least, left.least > right.most);
    let (up_to, from) = (left.most <= right.least, left.least >= right.most);
    let decided = |holds: bool, fails: bool| if holds { Some(true) } else { fails.then_some(false) };
    match op {
        BinaryOp::Less => decided(below, from),
        BinaryOp::LessEqual => decided(up_to, above),
        BinaryOp::Greater => decided(above, up_to),
        BinaryOp::GreaterEqual => decided(from, below),
        BinaryOp::Equal => decided(false, below || above),
        BinaryOp::NotEqual => decided(below || above, false),
        _ => None,
    }
}

/// Whether a parameter with bounds is in an expression.
fn has_bounds(behavior: &Behavior, expr: &Expr) -> bool {
    let mut found = false;
    walk::each_part(expr, &mut |part| {
        found |= match part.kind {
            ExprKind::Param(id) => {
                behavior.params.get(id.index()).is_some_and(|row| row.min.is_some() || row.max.is_some())
            }
            ExprKind::Value(_) => true,
            _ => false,
        };
    });
    found
}

fn report_in(
    behavior: &Behavior,
    expr: &Expr,
    values: &[Range],
    context: &Context<'_>,
    diagnostics: &mut Diagnostics,
) {
    walk::each_part(expr, &mut |part| {
        let ExprKind::Binary(op, sides) = &part.kind else { return };
        if !op.is_comparison() || sides[0].ty != Ty::Number {
            return;
        }
        let [left, right] = [0, 1].map(|side| range(behavior, &sides[side], values));
        let Some(holds) = outcome(*op, left, right) else { return };
        if sides.iter().any(|side| has_bounds(behavior, side)) {
            report(behavior, part, holds, (&sides[0], left), (&sides[1], right), context, diagnostics);
        }
    });
}

fn report(
    behavior: &Behavior,
    comparison: &Expr,
    holds: bool,
    left: (&Expr, Range),
    right: (&Expr, Range),
    context: &Context<'_>,
    diagnostics: &mut Diagnostics,
) {
    let (code, how) =
        if holds { (Code::AlwaysHolds, "always holds") } else { (Code::NeverHolds, "never holds") };
    // The side that is no constant is what the report is about.
    let (side, range) = if matches!(left.0.kind, ExprKind::Literal(_)) { right } else { left };
    let bounds = match (range.least > f32::MIN, range.most < f32::MAX) {
        // No `-0`.
        (true, true) => format!("from {} to {}", range.least + 0.0, range.most + 0.0),
        (true, false) => format!("at least {}", range.least),
        (false, _) => format!("at most {}", range.most),
    };
    let declared = match side.kind {
        ExprKind::Param(id) => behavior.params.get(id.index()).map(|row| row.name),
        ExprKind::Value(id) => behavior.values.get(id.0 as usize).map(|row| row.name),
        _ => None,
    };
    let subject = match declared {
        Some(name) => format!("`{}`", context.names.text(name.symbol)),
        None if std::ptr::eq(side, left.0) => "the left side".to_owned(),
        None => "the right side".to_owned(),
    };
    let message = format!("this {how}: {subject} is {bounds}");
    let mut report = Diagnostic::new(code, message, comparison.span, how);
    if let Some(name) = declared {
        report = report.label(name.span, "declared here");
    }
    let report = report.help(if holds {
        "leave it out, or change the `Min` and `Max` of the parameter"
    } else {
        "compare with a value that can be reached, or change the `Min` and `Max` of the parameter"
    });
    context.tell(behavior, report, diagnostics);
}
