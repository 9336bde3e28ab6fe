//! Tests in other words: `Wait for 1s`, `Wait until ready`, `Test Door "opens"`, events by paths.

use super::super::context::Tokens;
use super::super::parts::{self, Reported};
use super::super::{Grammar, In};
use super::behind;
use crate::ast::{Expr, ExprKind, Part, Text};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Token, clip};
use crate::source::Span;
use crate::syntax::{Keyword, Row};

/// `Wait for 1s`: goes over the word, which is reported. `Wait until ready`: goes over all of it; the value that was
/// meant is not known.
pub(in crate::parse) fn other_wait<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    row: &Row,
) -> Option<Expr> {
    let index = input.index();
    if row.keyword != Keyword::Wait || input.cx().first_on_line(index + 1) {
        return None;
    }
    let span = input.place();
    match input.cx().slice(span) {
        "for" if input.look(1).is_some_and(Token::is_literal) => {
            input.bump();
            let time = input.place();
            let cx = input.cx();
            let time = clip(cx.slice(time));
            let diagnostic = Diagnostic::new(
                Code::ForeignSyntax,
                "`for` before a time",
                span,
                "expected the time at once",
            )
            .help(format!("write `Wait {time}`"))
            .fix(span, "");
            cx.push(diagnostic);
            None
        }
        "until" => {
            input.bump();
            let condition = parts::value(input, grammar);
            let cx = input.cx();
            let text = clip(cx.slice(condition.span));
            let whole = span.to(condition.span);
            let diagnostic = Diagnostic::new(
                Code::ForeignSyntax,
                "a test waits for a time, not for a condition",
                whole,
                "expected a duration",
            )
            .help(format!("write how long that takes, then what is expected: `Wait 500ms  Expect {text}`"));
            cx.push(diagnostic);
            Some(Expr { kind: ExprKind::Error, span: whole })
        }
        _ => None,
    }
}

/// `Test Door "opens" { ... }`: the behavior before the title, which is reported and read.
pub(in crate::parse) fn behavior_before_title(input: &mut In<'_, '_>, row: &Row) -> Result<(), Reported> {
    let named = matches!(input.look(0), Some(Token::Name(_)));
    let Some(Token::Text(symbol)) = input.look(1).filter(|_| row.keyword == Keyword::Test && named) else {
        return Ok(());
    };
    let Some(path) = parts::path(input, false) else { return Ok(()) };
    let span = input.bump();
    let cx = input.cx();
    let mended = format!("{} for {}", cx.slice(span), cx.slice(path.span));
    let whole = path.span.to(span);
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        "a behavior before the title of a test",
        whole,
        "expected the title, `for` and the behavior",
    )
    .help(format!("write `Test {}`", clip(&mended)))
    .fix(whole, mended);
    cx.push(diagnostic);
    cx.heads.push(Part::Texts(vec![Text { symbol, span }]));
    cx.heads.push(Part::For(path));
    Err(Reported)
}

/// `Expect events has Opening.creak`: goes over what stands behind the dots, which is reported with the name before.
pub(in crate::parse) fn path_for_event(input: &mut In<'_, '_>, first: Span) -> bool {
    let Some(last) = behind::go_over_dots(input) else { return false };
    let whole = first.to(last);
    let cx = input.cx();
    let (owner, name) = (clip(cx.slice(first)), clip(cx.slice(last)));
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        format!("`{}` is no event", clip(cx.slice(whole))),
        whole,
        "expected the kind of an event",
    )
    .help(format!(
        "write what happened to it: `Marker({owner}, {name})`, `Enter({owner}.{name})` or the like"
    ));
    cx.push(diagnostic);
    true
}
