//! `when is-open`: a name with dashes, which reads as a subtraction.

use crate::ast::{self, BinaryOp, ExprKind, Name};
use crate::diagnostic::{Code, Diagnostic};
use crate::intern::Symbol;
use crate::source::Span;

use super::context::{Checker, written};
use super::unknown::Kind;

/// The most pieces of a name with dashes.
const PIECES: usize = 8;

impl Checker<'_, '_> {
    /// Whether a subtraction without blanks is rather a name with dashes: some piece of it is no value. That is then
    /// reported, unless the name is lost.
    pub(super) fn is_name_with_dash(
        &mut self,
        left: &ast::Expr,
        dash: Span,
        right: &ast::Expr,
        span: Span,
    ) -> bool {
        let Some(pieces) = pieces(left, dash, right) else { return false };
        if pieces.iter().any(|name| self.is_lost(name.symbol)) {
            return true;
        }
        if pieces.iter().all(|name| self.is_some_value(*name)) {
            return false;
        }
        let texts: Vec<&str> = pieces.iter().map(|name| self.text(name.symbol)).collect();
        let (word, joined) = (texts.join("-"), texts.join("_"));
        let declared = self.names.get(&word).is_some_and(|symbol| self.is_value(symbol));
        let plain = |text: &str| text.replace('_', "").to_lowercase();
        let same = self.candidates(Kind::Value, None).find(|one| plain(self.text(*one)) == plain(&joined));
        let near = match same {
            Some(symbol) => Some(self.text(symbol).to_owned()),
            None => {
                let known: Vec<Symbol> =
                    self.candidates(Kind::Value, None).take(super::unknown::FEW).collect();
                self.nearest_of(&joined, known)
            }
        };
        let report = Diagnostic::new(
            Code::UnknownName,
            match declared {
                true => format!("`{word}` stands without backquotes"),
                false => format!("there is no value `{word}`"),
            },
            span,
            "this reads as a subtraction",
        );
        let report = if declared {
            let quoted = format!("`{word}`");
            report.help(format!("a name with a dash stands in backquotes: `` {quoted} ``")).fix(span, quoted)
        } else if let Some(near) = near {
            report.help(format!("did you mean `{near}`?")).fix(span, written(&near))
        } else {
            report.help(format!("names have letters, digits and `_`: declare and write it as `{joined}`"))
        };
        self.report_name(report);
        true
    }

    fn is_value(&self, symbol: Symbol) -> bool {
        self.known.scope.values.contains_key(&symbol)
            || self.candidates(Kind::Value, None).any(|one| one == symbol)
    }

    /// Whether the name is a value of any kind, builtins included.
    fn is_some_value(&self, name: Name) -> bool {
        self.is_value(name.symbol)
            || matches!(
                self.text(name.symbol),
                "elapsed"
                    | "dt"
                    | "phase"
                    | "loops"
                    | "fade"
                    | "pointer_x"
                    | "pointer_y"
                    | "finished"
                    | "state"
            )
    }
}

/// The names of `a-b-c`; nothing where it is anything else.
fn pieces(left: &ast::Expr, dash: Span, right: &ast::Expr) -> Option<Vec<Name>> {
    let mut names = Vec::new();
    let (mut left, mut dash, mut right) = (left, dash, right);
    loop {
        if left.span.end != dash.start || dash.end != right.span.start || names.len() == PIECES {
            return None;
        }
        names.push(plain_name(right)?);
        match &left.kind {
            ExprKind::Binary(BinaryOp::Sub, inner, sides) => {
                (left, dash, right) = (&sides[0], *inner, &sides[1]);
            }
            _ => {
                names.push(plain_name(left)?);
                names.reverse();
                return Some(names);
            }
        }
    }
}

fn plain_name(expr: &ast::Expr) -> Option<Name> {
    match &expr.kind {
        ExprKind::Path(path) => match path.names[..] {
            [name] if !name.quoted => Some(name),
            _ => None,
        },
        _ => None,
    }
}
