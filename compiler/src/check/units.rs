//! Literals of properties: numbers in their ranges, durations, places in clips, words, switches.
//!
//! Every reader reports what is wrong and gives `None` then; the caller takes the default and goes on.

use motix_vm::program::limits::LONGEST_FADE;
use motix_vm::program::tables::Place;

use crate::ast::{self, ExprKind, UnaryOp};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Literal, Ty};
use crate::intern::Symbol;
use crate::resolve::{Found, ValueRef};

use super::context::{Checker, Site, join};
use super::expr::Want;

/// What a number was written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Nothing.
    None,
    /// `s` or `ms`.
    Seconds,
    /// `%`.
    Ratio,
}

/// From here on a bare number of seconds is probably one of milliseconds.
const LONG_SECONDS: f32 = 30.0;
/// A fade of more seconds is probably meant to take milliseconds.
const LONG_FADE: f32 = 60.0;
/// Whole numbers up to here are exact in an f32.
pub(super) const MOST_WHOLE: f32 = 16_777_216.0;

/// The range of a number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Range {
    /// Any.
    Any,
    /// Above 0.
    Positive,
    /// 0 or above.
    NotNegative,
    /// From 0 to 1.
    Share,
    /// Above 0, at most 1.
    PositiveShare,
    /// Between the two, both included.
    Between(f32, f32),
    /// A whole number between the two, both included.
    Whole(f32, f32),
}

impl Range {
    fn holds(self, value: f32) -> bool {
        match self {
            Range::Any => true,
            Range::Positive => value > 0.0,
            Range::NotNegative => value >= 0.0,
            Range::Share => (0.0..=1.0).contains(&value),
            Range::PositiveShare => value > 0.0 && value <= 1.0,
            Range::Between(low, high) | Range::Whole(low, high) => (low..=high).contains(&value),
        }
    }

    fn text(self) -> String {
        match self {
            Range::Any => "a number".to_owned(),
            Range::Positive => "a number above 0".to_owned(),
            Range::NotNegative => "0 or more".to_owned(),
            Range::Share => "a number from 0 to 1".to_owned(),
            Range::PositiveShare => "a number above 0, at most 1".to_owned(),
            Range::Between(low, high) => format!("a number from {low} to {high}"),
            Range::Whole(low, high) => format!("a whole number from {low} to {high}"),
        }
    }
}

impl Checker<'_, '_> {
    /// The unit of a constant expression: that of its literal; sums of one unit and multiples keep it.
    pub(super) fn unit_of(&self, expr: &ast::Expr) -> Unit {
        match &expr.kind {
            ExprKind::Duration(_) => Unit::Seconds,
            ExprKind::Ratio(_) => Unit::Ratio,
            ExprKind::Group(inner) | ExprKind::Unary(UnaryOp::Neg, inner) => self.unit_of(inner),
            ExprKind::Binary(op, _, sides) => {
                let [left, right] = &**sides;
                let (left, right) = (self.unit_of(left), self.unit_of(right));
                match op {
                    ast::BinaryOp::Add | ast::BinaryOp::Sub if left == right => left,
                    ast::BinaryOp::Mul if left == Unit::None => right,
                    ast::BinaryOp::Mul | ast::BinaryOp::Div if right == Unit::None => left,
                    _ => Unit::None,
                }
            }
            ExprKind::Path(path) => {
                if let [name] = &path.names[..]
                    && let Some((reference, _)) = self.known.scope.values.get(&name.symbol)
                {
                    return match reference {
                        ValueRef::Const(index) => self
                            .known
                            .consts
                            .get(*index)
                            .copied()
                            .flatten()
                            .map_or(Unit::None, |constant| constant.unit),
                        _ => Unit::None,
                    };
                }
                match self.files.constant(&path.names) {
                    Found::Yes(index) => self
                        .file_consts
                        .get(index)
                        .copied()
                        .flatten()
                        .map_or(Unit::None, |constant| constant.unit),
                    _ => Unit::None,
                }
            }
            _ => Unit::None,
        }
    }

    /// A constant of a type; `what` is what needs it, such as `` `Weight` ``.
    pub(super) fn constant(&mut self, expr: &ast::Expr, ty: Ty, what: &str) -> Option<Literal> {
        let typed = self.typed(expr, ty, what, Site::CONSTANT);
        self.fold_reported(&typed, what)
    }

    /// A number in a range, without a unit of time.
    pub(super) fn number(&mut self, expr: &ast::Expr, what: &str, range: Range) -> Option<f32> {
        self.number_or(expr, what, range, |seconds| (seconds.to_string(), format!("write `{seconds}`")))
    }

    /// A change in a second, above 0.
    pub(super) fn rate(&mut self, expr: &ast::Expr, what: &str) -> Option<f32> {
        self.number_or(expr, what, Range::Positive, |seconds| {
            let rate = if seconds > 0.0 { shorten(1.0 / seconds) } else { "1".to_owned() };
            let help =
                format!("it is the change in a second: write `{rate}` to go from 0 to 1 in {seconds}s");
            (rate, help)
        })
    }

    /// A number in a range; for one with a unit of time, what was probably meant, and help that says so.
    fn number_or(
        &mut self,
        expr: &ast::Expr,
        what: &str,
        range: Range,
        meant: impl FnOnce(f32) -> (String, String),
    ) -> Option<f32> {
        let value = self.constant(expr, Ty::Number, what);
        let Some(Literal::Number(value)) = value else { return None };
        if self.unit_of(expr) == Unit::Seconds {
            let report = Diagnostic::new(
                Code::WrongUnit,
                format!("{what} is not a duration"),
                expr.span,
                format!("expected {}", range.text()),
            );
            let (number, help) = meant(value);
            self.report(report.help(help).fix(expr.span, number));
            return None;
        }
        self.in_range(expr, value, what, range)
    }

    /// The value if it is in the range; otherwise that was reported.
    pub(super) fn in_range(&mut self, expr: &ast::Expr, value: f32, what: &str, range: Range) -> Option<f32> {
        if range.holds(value) {
            return Some(value);
        }
        let mut report = Diagnostic::new(
            Code::OutOfRange,
            format!("{what} is {value}"),
            expr.span,
            format!("expected {}", range.text()),
        );
        if matches!(range, Range::Share | Range::PositiveShare) && (5.0..=100.0).contains(&value) {
            report = report.help(format!("write `{}` or `{value}%`", shorten(value / 100.0)));
        }
        self.report(report);
        None
    }

    /// A whole number in a range.
    pub(super) fn whole(&mut self, expr: &ast::Expr, what: &str, low: f32, high: f32) -> Option<i32> {
        let Some(Literal::Number(value)) = self.constant(expr, Ty::Number, what) else { return None };
        if self.unit_of(expr) != Unit::None {
            let report = Diagnostic::new(
                Code::WrongUnit,
                format!("{what} is a plain whole number"),
                expr.span,
                "expected a number without a unit",
            );
            self.report(report);
            return None;
        }
        if value.fract() != 0.0 {
            let report = Diagnostic::new(
                Code::NotWhole,
                format!("{what} is {value}, which is not whole"),
                expr.span,
                "expected a whole number",
            );
            let near = value.round();
            self.report(report.help(format!("write `{near}`")).fix(expr.span, near.to_string()));
            return None;
        }
        self.in_range(expr, value, what, Range::Whole(low, high)).map(|value| value as i32)
    }

    /// A priority.
    pub(super) fn priority(&mut self, expr: &ast::Expr) -> Option<i32> {
        self.whole(expr, "`Priority`", -MOST_WHOLE, MOST_WHOLE)
    }

    /// A number that has a unit; another type is told what is `needed`, and as an example `such`.
    fn constant_with_unit(&mut self, expr: &ast::Expr, what: &str, needed: &str, such: &str) -> Option<f32> {
        let typed = self.expr(expr, Want::of(Ty::Number), Site::CONSTANT);
        if !matches!(typed.ty, Ty::Number | Ty::Error) {
            let is = self.ty_text(typed.ty);
            let report = Diagnostic::new(
                Code::TypeMismatch,
                format!("{what} takes {needed}, and this is {is}"),
                expr.span,
                format!("expected {needed}"),
            );
            let mut report = self.type_help(report, expr, typed.ty, Ty::Number);
            if report.help.is_empty() {
                report = report.help(format!("write a number with its unit, such as {such}"));
            }
            self.report(report);
            return None;
        }
        match self.fold_reported(&typed, what)? {
            Literal::Number(value) => Some(value),
            _ => None,
        }
    }

    /// A duration in seconds, 0 or more.
    pub(super) fn duration(&mut self, expr: &ast::Expr, what: &str) -> Option<f32> {
        self.duration_up_to(expr, what, f32::MAX)
    }

    /// The duration of an animation's fade.
    pub(super) fn fade(&mut self, expr: &ast::Expr, what: &str) -> Option<f32> {
        let value = self.duration_up_to(expr, what, LONGEST_FADE);
        self.warn_of_long_fade(expr, value, what);
        value
    }

    /// Warns of a fade that was probably meant to take milliseconds. One that is a constant has a name that says so.
    pub(super) fn warn_of_long_fade(&mut self, expr: &ast::Expr, seconds: Option<f32>, what: &str) {
        let Some(seconds) = seconds.filter(|seconds| *seconds > LONG_FADE) else { return };
        if !matches!(expr.kind, ExprKind::Duration(_)) {
            return;
        }
        let report = Diagnostic::new(
            Code::LongFade,
            format!("{what} is {seconds} seconds"),
            expr.span,
            "a fade that takes more than a minute",
        )
        .help(format!("did you mean `{seconds}ms`?"))
        .help("if not, give the time a name, which says so: `Const DUSK = 90s`");
        self.report(report.fix(expr.span, format!("{seconds}ms")));
    }

    fn duration_up_to(&mut self, expr: &ast::Expr, what: &str, most: f32) -> Option<f32> {
        let value = self.constant_with_unit(expr, what, "a duration", "`200ms` or `0.2s`")?;
        let unit = self.unit_of(expr);
        if unit == Unit::Ratio {
            let report = Diagnostic::new(
                Code::WrongUnit,
                format!("{what} is a duration, not a share"),
                expr.span,
                "expected a duration",
            );
            let seconds = shorten(value);
            self.report(report.help(format!("write the time, such as `{seconds}s`")));
            return None;
        }
        if value < 0.0 {
            let report = Diagnostic::new(
                Code::OutOfRange,
                format!("{what} is negative"),
                expr.span,
                "expected a duration of 0 or more",
            );
            self.report(report);
            return None;
        }
        let bare = unit == Unit::None && is_written(expr);
        if value > most {
            let report = Diagnostic::new(
                Code::OutOfRange,
                format!("{what} is {value} seconds"),
                expr.span,
                format!("expected at most {most} seconds"),
            );
            let report = match bare || matches!(expr.kind, ExprKind::Duration(_)) {
                true => {
                    report.help(format!("did you mean `{value}ms`?")).fix(expr.span, format!("{value}ms"))
                }
                false => report,
            };
            self.report(match bare {
                true => report,
                false => report.help("a slower change is one of a layer's weight, by its `LerpRate`"),
            });
            return None;
        }
        if bare && value >= LONG_SECONDS {
            let report = Diagnostic::new(
                Code::LongSeconds,
                format!("{what} is {value} seconds"),
                expr.span,
                "a number without a unit is seconds",
            );
            let help = format!("did you mean `{value}ms`? If not, write `{value}s`");
            self.report(report.help(help).fix(expr.span, format!("{value}ms")));
        }
        Some(value)
    }

    /// A place in a clip: with `%` or a unit of time.
    pub(super) fn place(&mut self, expr: &ast::Expr, what: &str) -> Option<Place> {
        self.place_up_to(expr, what, 1.0)
    }

    /// A place in a clip or, where `most` is above 1, in one of its later cycles.
    pub(super) fn place_up_to(&mut self, expr: &ast::Expr, what: &str, most: f32) -> Option<Place> {
        let value = self.constant_with_unit(expr, what, "a place in the clip", "`80%` or `0.4s`")?;
        match self.unit_of(expr) {
            Unit::Ratio if (0.0..=most).contains(&value) => Some(Place::Ratio(value)),
            Unit::Seconds if value >= 0.0 => Some(Place::Seconds(value)),
            Unit::Ratio => {
                let report = Diagnostic::new(
                    Code::PlaceOutside,
                    format!("{what} is at {}, outside of the clip", percent(value)),
                    expr.span,
                    if most > 1.0 { "expected 0% or more" } else { "expected a place from 0% to 100%" },
                );
                self.report(report);
                None
            }
            Unit::Seconds => {
                let report = Diagnostic::new(
                    Code::PlaceOutside,
                    format!("{what} is before the clip begins"),
                    expr.span,
                    "expected 0s or more",
                );
                self.report(report);
                None
            }
            Unit::None => {
                let (share, seconds) = (percent(value), format!("{value}s"));
                let mut report = Diagnostic::new(
                    Code::PlaceUnit,
                    format!("{what} needs a unit: `{value}` could be a share of the clip or a time"),
                    expr.span,
                    "expected `%`, `s` or `ms`",
                );
                report = if (0.0..=1.0).contains(&value) {
                    report.help(format!(
                        "write `{share}` for that share of the clip, or `{seconds}` for that time"
                    ))
                } else if value > 1.0 && value <= 100.0 {
                    report.help(format!(
                        "write `{value}%` for that share of the clip, or `{seconds}` for that time"
                    ))
                } else {
                    report.help(format!("write `{value}ms` or `{seconds}`"))
                };
                self.report(report);
                None
            }
        }
    }

    /// A text that is known when compiling.
    pub(super) fn constant_text(&mut self, expr: &ast::Expr, what: &str) -> Option<Symbol> {
        match self.constant(expr, Ty::Text, what) {
            Some(Literal::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The switch of a boolean property: true where nothing stands after its keyword.
    pub(super) fn flag(&mut self, item: &ast::Item) -> bool {
        let Some(value) = item.value() else { return true };
        let what = format!("`{}`", item.keyword.name());
        if let ExprKind::Number(_) | ExprKind::Text(_) = &value.kind {
            let report = Diagnostic::new(
                Code::TypeMismatch,
                format!("{what} is on or off"),
                value.span,
                "expected `true`, `false` or nothing",
            );
            let on = !matches!(&value.kind, ExprKind::Number(number) if *number == 0.0);
            let mended = if on { "true" } else { "false" };
            self.report(
                report.help(format!("write `{} {mended}`", item.keyword.name())).fix(value.span, mended),
            );
            return on;
        }
        !matches!(self.constant(value, Ty::Bool, &what), Some(Literal::Bool(false)))
    }

    /// One of some words: its index.
    pub(super) fn choice(&mut self, expr: &ast::Expr, what: &str, words: &[&str]) -> Option<usize> {
        let (symbol, quoted) = match &expr.kind {
            ExprKind::Path(path) if path.names.len() == 1 => (Some(path.names[0].symbol), false),
            ExprKind::Text(text) => (Some(*text), true),
            ExprKind::Error => return None,
            _ => (None, false),
        };
        let word = symbol.map(|symbol| self.text(symbol).to_owned());
        let at = word.as_ref().and_then(|word| words.iter().position(|known| known == word));
        if let Some(at) = at
            && !quoted
        {
            return Some(at);
        }
        let list: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
        let list = join(&list, "or");
        let message = match &word {
            Some(word) => format!("{what} cannot be `{word}`"),
            None => format!("{what} is one of a few words"),
        };
        let mut report = Diagnostic::new(Code::UnknownChoice, message, expr.span, format!("expected {list}"));
        let meant = match (at, word) {
            (Some(at), _) => Some(words[at]),
            (None, Some(word)) => self.nearest_word(&word, words.iter().copied()),
            (None, None) => None,
        };
        if let Some(meant) = meant {
            let ask = if at.is_some() {
                format!("write `{meant}`, without quotes")
            } else {
                format!("did you mean `{meant}`?")
            };
            report = report.help(ask).fix(expr.span, meant);
        }
        self.report(report);
        None
    }
}

/// Whether the number stands there itself, and not a name of it.
fn is_written(expr: &ast::Expr) -> bool {
    matches!(expr.kind, ExprKind::Number(_))
}

/// A share as it is written: `80%`.
pub(super) fn percent(value: f32) -> String {
    // By way of the decimal digits: 0.35 in an f32 times 100 is not 35.
    let decimal: f64 = value.to_string().parse().unwrap_or_else(|_| f64::from(value));
    format!("{}%", shorten((decimal * 100.0) as f32))
}

/// A number without the noise of its last bits.
pub(super) fn shorten(value: f32) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
