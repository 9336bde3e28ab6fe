//! `when is-open`: a name with dashes, which reads as a subtraction.

use crate::ast::{self, BinaryOp, ExprKind, Name};
use crate::diagnostic::{Code, Diagnostic};
use crate::resolve::Found;
use crate::source::Span;

use super::context::{Checker, written};
use super::expr::VALUES;
use super::unknown::Kind;

/// The most pieces of a name with dashes.
const PIECES: usize = 8;

impl Checker<'_, '_> {
    /// Whether a subtraction is rather a name with dashes: none of its pieces is a value, or some is none and the whole
    /// is nearly one. That is then reported, unless the name is lost. Blanks do not count, as the formatter puts them.
    pub(super) fn is_name_with_dash(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> bool {
        let Some(pieces) = pieces(left, right) else { return false };
        let known = pieces.iter().filter(|name| self.is_some_value(**name)).count();
        if known == pieces.len() || self.diagnostics.is_full() {
            return false;
        }
        if pieces.iter().any(|name| self.is_lost(name.symbol)) {
            return true;
        }
        let texts: Vec<&str> = pieces.iter().map(|name| self.text(name.symbol)).collect();
        let (word, joined) = (texts.join("-"), texts.join("_"));
        let whole = self.names.get(&word).map(|symbol| Name { symbol, ..pieces[0] });
        let declared = whole.is_some_and(|name| self.is_value(name));
        let plain = |text: &str| text.replace('_', "").to_lowercase();
        let mut all = self.candidates(Kind::Value, None);
        let near =
            all.find(|one| plain(self.text(*one)) == plain(&joined)).map(|one| self.text(one).to_owned());
        drop(all);
        if known > 0 && !declared && near.is_none() {
            return false;
        }
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

    fn is_value(&self, name: Name) -> bool {
        self.known.scope.values.contains_key(&name.symbol)
            || matches!(self.files.constant(&[name]), Found::Yes(_))
    }

    /// Whether the name is a value of any kind, builtins included.
    fn is_some_value(&self, name: Name) -> bool {
        self.is_value(name) || VALUES.contains(&self.text(name.symbol))
    }
}

/// The names of `a-b-c`; nothing where it is anything else.
fn pieces(left: &ast::Expr, right: &ast::Expr) -> Option<Vec<Name>> {
    let mut names = vec![plain_name(right)?];
    let mut left = left;
    while let ExprKind::Binary(BinaryOp::Sub, _, sides) = &left.kind {
        if names.len() == PIECES {
            return None;
        }
        names.push(plain_name(&sides[1])?);
        left = &sides[0];
    }
    names.push(plain_name(left)?);
    names.reverse();
    Some(names)
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
