//! Operators of other languages: in expressions and in assignments.

use super::super::context::{Context, Tokens};
use super::super::parts::{self, Reported};
use super::super::{Grammar, In};
use crate::ast::{Expr, ExprKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Foreign, Token, clip};
use crate::source::Span;
use crate::syntax::{Keyword, Row};

/// Adds the mended text of a place, in the help too where that is short.
pub(in crate::parse) fn mend(diagnostic: Diagnostic, span: Span, text: String) -> Diagnostic {
    let short = text.len() <= 100 && !text.contains('\n');
    let diagnostic = if short { diagnostic.help(format!("write `{text}`")) } else { diagnostic };
    diagnostic.fix(span, text)
}

/// `!x`
pub(in crate::parse) fn prefix(cx: &Context<'_>, foreign: Foreign, span: Span, operand: &Expr) -> Diagnostic {
    Diagnostic::new(
        Code::ForeignOperator,
        format!("`{}` is no operator of this language", foreign.text()),
        span,
        "expected `not`",
    )
    .help(format!("write `not {}`", plain(cx.slice(operand.span))))
    .fix(span, "not ")
}

/// A piece of source with the operators of the language, for a message.
fn plain(text: &str) -> String {
    let text = text.replace("&&", "and").replace("||", "or").replace("!==", "!=").replace("===", "==");
    let mut plain = String::new();
    for (at, c) in text.char_indices() {
        match c {
            '!' if !text[at + 1..].starts_with('=') => plain.push_str("not "),
            c => plain.push(c),
        }
    }
    clip(&plain)
}

/// An operator of another language between two operands, and whether the expression means something all the same.
pub(in crate::parse) fn infix(
    cx: &Context<'_>,
    token: Token,
    span: Span,
    lhs: &Expr,
    rhs: &Expr,
) -> Option<(Diagnostic, bool)> {
    let (left, right) = (cx.slice(lhs.span), cx.slice(rhs.span));
    let (message, expected) = match token {
        Token::Near if cx.in_test => return None,
        Token::Near => ("`~=` compares only in tests, where it means nearly equal".to_owned(), "!="),
        Token::Assign => ("`=` does not compare".to_owned(), "=="),
        Token::Foreign(foreign) => {
            let message = format!("`{}` is no operator of this language", foreign.text());
            let function = match foreign {
                Foreign::AndAnd | Foreign::Ampersand => Err("and"),
                Foreign::OrOr | Foreign::Pipe => Err("or"),
                Foreign::TripleEqual => Err("=="),
                Foreign::NotTripleEqual => Err("!="),
                Foreign::FatArrow => Err(">="),
                Foreign::Percent => Ok(Some("mod")),
                Foreign::Caret | Foreign::StarStar => Ok(Some("pow")),
                _ => Ok(None),
            };
            match function {
                Err(operator) => (message, operator),
                Ok(function) => {
                    let diagnostic =
                        Diagnostic::new(Code::ForeignOperator, message, span, "expected another operator");
                    let diagnostic = match function {
                        Some(name) => {
                            mend(diagnostic, lhs.span.to(rhs.span), format!("{name}({left}, {right})"))
                        }
                        None => diagnostic.help(foreign.advice()),
                    };
                    return Some((diagnostic, false));
                }
            }
        }
        _ => return None,
    };
    let diagnostic = Diagnostic::new(Code::ForeignOperator, message, span, format!("expected `{expected}`"))
        .help(format!("write `{} {expected} {}`", plain(left), plain(right)))
        .fix(span, expected);
    Some((diagnostic, true))
}

/// `= value`, or what stands for it.
pub(in crate::parse) fn assign<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    row: &Row,
) -> Result<Expr, Reported> {
    let span = input.place();
    let index = input.index();
    let target = input.previous();
    let next = input.look(0);
    match next {
        Some(Token::Assign) => {
            input.bump();
        }
        Some(Token::Equal | Token::Foreign(Foreign::ColonAssign)) => {
            let message = match next {
                Some(Token::Equal) => "`==` compares, it does not assign",
                _ => "`:=` is no operator of this language",
            };
            let diagnostic = Diagnostic::new(Code::ForeignOperator, message, span, "expected `=`")
                .help("write `=`")
                .fix(span, "=");
            input.cx().report(index, diagnostic);
            input.bump();
        }
        Some(Token::Colon) if colon_for_assign(input) => {
            let diagnostic = Diagnostic::new(
                Code::ForeignSyntax,
                format!("`:` before the value of `{}`", clip(input.cx().slice(target))),
                span,
                "expected `=`",
            )
            .help(format!("the form is `{}`", row.example))
            .fix(span, " =");
            input.cx().report(index, diagnostic);
            input.bump();
        }
        Some(Token::Foreign(
            Foreign::PlusAssign | Foreign::MinusAssign | Foreign::StarAssign | Foreign::SlashAssign,
        )) => {
            let quiet = input.cx().silent(index);
            input.bump();
            let amount = parts::value(input, grammar);
            if !quiet {
                report_update(input, span, target, Some(amount.span));
            }
            return Ok(Expr { kind: ExprKind::Error, span: amount.span });
        }
        Some(Token::Foreign(Foreign::PlusPlus)) => {
            if !input.cx().silent(index) {
                report_update(input, span, target, None);
            }
            input.bump();
            return Ok(input.no_value());
        }
        Some(Token::Minus) if input.look(1) == Some(Token::Minus) => {
            input.bump();
            let whole = span.to(input.bump());
            report_update(input, whole, target, None);
            return Ok(input.no_value());
        }
        Some(Token::Name(word)) if word == input.cx().words.to && input.look(1).is_some_and(starts_value) => {
            input.bump();
            let diagnostic = Diagnostic::new(
                Code::ForeignSyntax,
                format!("`to` before the value of `{}`", clip(input.cx().slice(target))),
                span,
                "expected `=`",
            )
            .help(format!("the form is `{}`", row.example))
            .fix(span, "=");
            input.cx().report(index, diagnostic);
        }
        Some(token) if starts_value(token) && !input.cx().first_on_line(index) => {
            let cx = input.cx();
            let diagnostic = Diagnostic::new(
                Code::UnexpectedToken,
                format!("unexpected {} after `{}`", cx.found(index), clip(cx.slice(target))),
                span,
                "expected `=` before the value",
            )
            .help(format!("the form is `{}`", row.example))
            .fix(target.after(), " =");
            cx.report(index, diagnostic);
        }
        _ => {
            let name = clip(input.cx().slice(target));
            let help = match row.keyword {
                Keyword::Set => Some(format!(
                    "write `Set {name} = ...`, or for a trigger `Fire {name}`, for a bool `SetTrue {name}`"
                )),
                _ => parts::form(row),
            };
            input.expected("`=` and a value", help);
            return Err(Reported);
        }
    }
    Ok(parts::value(input, grammar))
}

/// Whether a `:` stands for `=` before a value on its line.
pub(in crate::parse) fn colon_for_assign(input: &mut In<'_, '_>) -> bool {
    let index = input.index();
    input.look(0) == Some(Token::Colon)
        && input.look(1).is_some_and(starts_value)
        && !input.cx().first_on_line(index)
        && !input.cx().first_on_line(index + 1)
}

pub(super) const fn starts_value(token: Token) -> bool {
    token.ends_value() && !token.is_closer() || matches!(token, Token::Minus | Token::Not | Token::LeftParen)
}

/// `x += 1`, `x++`
fn report_update(input: &mut In<'_, '_>, sign: Span, target: Span, amount: Option<Span>) {
    let cx = input.cx();
    let (name, mark) = (cx.slice(target), cx.slice(sign));
    let op = &mark[..1];
    let (amount, end) = match amount {
        Some(span) => (cx.slice(span), span),
        None => ("1", sign),
    };
    let diagnostic = Diagnostic::new(
        Code::ForeignOperator,
        format!("`{mark}` is no operator of this language"),
        sign,
        "expected `=` and the new value",
    )
    .help(format!("write `Set {name} = {}`", updated(name, op, amount)))
    .fix(sign.to(end), format!("= {}", updated(name, op, amount)));
    cx.push(diagnostic);
}

/// `x * (1 + 2)`: what `x *= 1 + 2` gives.
pub(super) fn updated(name: &str, op: &str, amount: &str) -> String {
    let single = amount.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    if single { format!("{name} {op} {amount}") } else { format!("{name} {op} ({amount})") }
}

/// `guard::Mood`
pub(in crate::parse) fn double_colon(input: &mut In<'_, '_>) {
    let span = input.place();
    let diagnostic =
        Diagnostic::new(Code::ForeignOperator, "`::` does not join names here", span, "expected `.`")
            .help("write `.`")
            .fix(span, ".");
    input.cx().push(diagnostic);
}

/// `Combat/Attack` where a path stands: whether names go on behind the sign, which is reported.
pub(in crate::parse) fn slash_in_path(input: &mut In<'_, '_>) -> bool {
    let span = input.place();
    let index = input.index();
    let name = matches!(input.look(1), Some(Token::Name(_) | Token::Quoted(_)));
    let clings = input.previous().end == span.start && input.cx().span(index + 1).start == span.end;
    if input.look(0) != Some(Token::Slash) || !name || !clings {
        return false;
    }
    let diagnostic =
        Diagnostic::new(Code::ForeignOperator, "`/` does not join names here", span, "expected `.`")
            .help("write `.`")
            .fix(span, ".");
    input.cx().push(diagnostic);
    true
}
