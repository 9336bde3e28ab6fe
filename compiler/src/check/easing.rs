//! Easings of crossfades: a word, or `cubicBezier(...)`, or `steps(n)`.

use motix_vm::easing::{Easing, MOST_STEPS};

use crate::ast::{self, ExprKind, Name};
use crate::diagnostic::{Code, Diagnostic};
use crate::intern::Symbol;
use crate::source::Span;

use super::context::Checker;
use super::expr::bare;
use super::units::Range;

/// The two that take numbers, as they are written.
const CALLS: &[(&str, &str)] = &[("cubicBezier", "cubicBezier(0.4, 0, 0.2, 1)"), ("steps", "steps(4)")];
/// The farthest that a control point may lie above or below.
const FARTHEST: f32 = 1_000.0;

impl Checker<'_, '_> {
    /// An easing; what is wrong is reported.
    pub(super) fn easing(&mut self, expr: &ast::Expr) -> Option<Easing> {
        let inner = bare(expr);
        match &inner.kind {
            ExprKind::Error => None,
            ExprKind::Path(path) if path.names.len() == 1 => {
                let word = self.text(path.names[0].symbol).to_owned();
                Easing::by_name(&word).or_else(|| {
                    self.unknown_easing(&word, expr.span);
                    None
                })
            }
            ExprKind::Text(text) => {
                let word = self.text(*text).to_owned();
                match Easing::by_name(&word) {
                    Some(_) => {
                        let report = Diagnostic::new(
                            Code::UnknownChoice,
                            format!("`Easing` cannot be `{word}`"),
                            expr.span,
                            "expected a word without quotes",
                        );
                        let help = format!("write `{word}`, without quotes");
                        self.report(report.help(help).fix(expr.span, word));
                    }
                    None => self.unknown_easing(&word, expr.span),
                }
                None
            }
            ExprKind::Call(path, arguments) if path.names.len() == 1 => {
                self.easing_call(path.names[0], arguments, inner.span)
            }
            _ => {
                match dashed(inner) {
                    Some((words, span)) => {
                        let texts: Vec<&str> = words.iter().map(|symbol| self.text(*symbol)).collect();
                        let word = texts.join("-");
                        self.unknown_easing(&word, span);
                    }
                    None => self.report(Diagnostic::new(
                        Code::UnknownChoice,
                        "`Easing` is the name of a curve",
                        expr.span,
                        "expected a word such as `easeInOut`",
                    )),
                }
                None
            }
        }
    }

    fn unknown_easing(&mut self, word: &str, span: Span) {
        let plain: String = word.chars().filter(|char| !matches!(char, '-' | '_' | ' ')).collect();
        let named = Easing::NAMED.iter().map(|easing| easing.name());
        let known: Vec<&'static str> = named.chain(CALLS.iter().map(|(name, _)| *name)).collect();
        // CSS and other tools write the same words with dashes or in another case.
        let near = known
            .iter()
            .copied()
            .find(|name| name.eq_ignore_ascii_case(&plain))
            .or_else(|| foreign(&plain))
            .or_else(|| self.nearest_word(word, known.iter().copied()));
        let mut report = Diagnostic::new(
            Code::UnknownChoice,
            format!("`Easing` cannot be `{word}`"),
            span,
            "expected the name of a curve",
        );
        if let Some(near) = near {
            let near = CALLS.iter().find(|(name, _)| *name == near).map_or(near, |(_, shape)| *shape);
            report = report.help(format!("did you mean `{near}`?")).fix(span, near);
        } else {
            report = report.help(
                "there are `linear`, `easeIn`, `easeOut`, `easeInOut`, the last three with `Quad`, `Cubic`, `Quart`, \
                 `Quint`, `Sine`, `Expo`, `Circ`, `Back`, `Elastic` or `Bounce` behind them, `cubicBezier(...)` and \
                 `steps(n)`",
            );
        }
        self.report(report);
    }

    fn easing_call(&mut self, name: Name, arguments: &[ast::Expr], span: Span) -> Option<Easing> {
        match (self.text(name.symbol), arguments) {
            ("cubicBezier", [x1, y1, x2, y2]) => {
                let x =
                    |this: &mut Self, expr| this.number(expr, "the time of a control point", Range::Share);
                let y = |this: &mut Self, expr| {
                    this.number(expr, "the height of a control point", Range::Between(-FARTHEST, FARTHEST))
                };
                let (x1, y1, x2, y2) = (x(self, x1), y(self, y1), x(self, x2), y(self, y2));
                Some(Easing::CubicBezier { x1: x1?, y1: y1?, x2: x2?, y2: y2? })
            }
            ("steps", [count]) => {
                let count = self.whole(count, "the number of steps", 1.0, f32::from(MOST_STEPS))?;
                u16::try_from(count).ok().map(Easing::Steps)
            }
            ("cubicBezier", _) => {
                self.count(name, "four numbers: `cubicBezier(x1, y1, x2, y2)`", arguments.len(), span);
                None
            }
            ("steps", _) => {
                self.count(name, "one number: `steps(4)`", arguments.len(), span);
                None
            }
            (word, _) => {
                let word = word.to_owned();
                if Easing::by_name(&word).is_some() {
                    let report = Diagnostic::new(
                        Code::ArgumentCount,
                        format!("the easing `{word}` takes nothing"),
                        span,
                        "expected the word alone",
                    );
                    self.report(report.help(format!("write `{word}`")).fix(span, word));
                } else {
                    self.unknown_easing(&word, name.span);
                }
                None
            }
        }
    }
}

/// Names that other tools have for the same curves.
fn foreign(word: &str) -> Option<&'static str> {
    Some(match &word.to_ascii_lowercase()[..] {
        "ease" | "smooth" | "smoothstep" | "inout" => "easeInOut",
        "in" => "easeIn",
        "out" => "easeOut",
        "lerp" | "none" => "linear",
        "bezier" => "cubicBezier",
        "step" | "stepped" => "steps",
        _ => return None,
    })
}

/// The words of `ease-in-out`, which reads as a subtraction, and where they stand; of a call its name alone.
fn dashed(expr: &ast::Expr) -> Option<(Vec<Symbol>, Span)> {
    match &expr.kind {
        ExprKind::Path(path) => dashed_name(path),
        ExprKind::Call(path, _) => dashed_name(path),
        ExprKind::Binary(ast::BinaryOp::Sub, _, sides) => {
            let [left, right] = &**sides;
            let (mut words, start) = dashed(left)?;
            let (last, end) = dashed(right)?;
            words.extend(last);
            Some((words, start.to(end)))
        }
        _ => None,
    }
}

fn dashed_name(path: &ast::Path) -> Option<(Vec<Symbol>, Span)> {
    match path.names[..] {
        [name] => Some((vec![name.symbol], path.span)),
        _ => None,
    }
}
