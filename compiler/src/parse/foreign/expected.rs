//! Expectations and questions in other words: `event has`, `events contains`, `not events has`, `playing Walk`.

use motix_vm::builtin::Builtin;

use super::super::context::Tokens;
use super::super::{Grammar, In, parts};
use super::operators::mend;
use crate::ast::{EventRelation, Expr, ExprKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Token, clip};
use crate::syntax::Place;

/// The form that all help shows.
pub(in crate::parse) const FORM: &str = "the form is `Expect events has Enter(Walk)`";
/// Functions that are no builtins of numbers.
const QUESTIONS: &[&str] = &[
    "in",
    "came_from",
    "tagged",
    "playing",
    "finished",
    "time",
    "phase",
    "weight",
    "layer_weight",
    "in_span",
    "state",
    "fade",
];

/// What stands for the beginning of an expectation of events.
pub(in crate::parse) struct Meant {
    pub(in crate::parse) relation: EventRelation,
    /// Whether something was reported.
    pub(in crate::parse) reported: bool,
}

/// Goes over `events has` or `events lacks`, or over what stands for it, which is reported. `None` where neither does.
pub(in crate::parse) fn events_relation(input: &mut In<'_, '_>) -> Option<Meant> {
    let index = input.index();
    let events = input.cx().words.events;
    let not = usize::from(input.look(0) == Some(Token::Not));
    let word = match input.look(not) {
        Some(Token::Name(word)) => word,
        _ => return None,
    };
    let span = input.cx().span(index + not);
    // `Expect has Enter(Walk)`
    if not == 0
        && let Some((relation, true)) = relation(input, 0)
        && matches!(input.look(1), Some(Token::Name(_)))
    {
        let diagnostic = Diagnostic::new(
            Code::UnexpectedToken,
            format!("unexpected `{}` after `Expect`", input.cx().slice(span)),
            span,
            "expected `events` before it",
        )
        .help(FORM)
        .fix(crate::source::Span { end: span.start, ..span }, "events ");
        input.cx().push(diagnostic);
        input.bump();
        return Some(Meant { relation, reported: true });
    }
    let text = input.cx().slice(span);
    // `Expect event Marker(Walk, step)`
    if not == 0
        && matches!(input.look(1), Some(Token::Name(_)))
        && input.look(2) == Some(Token::LeftParen)
        && self::relation(input, 1).is_none()
        && (word == events || is_near(input, text))
    {
        let kind = input.cx().span(index + 1);
        if !input.cx().first_on_line(index + 1)
            && input.cx().slice(kind).starts_with(|char: char| char.is_ascii_uppercase())
        {
            let diagnostic = Diagnostic::new(
                Code::UnexpectedToken,
                format!("unexpected `{}` after `{}`", clip(input.cx().slice(kind)), clip(text)),
                kind,
                "expected `has` or `lacks` before it",
            )
            .help(FORM)
            .fix(span, "events has");
            input.cx().push(diagnostic);
            input.bump();
            return Some(Meant { relation: EventRelation::Has, reported: true });
        }
    }
    let (relation, plain) = relation(input, not + 1)?;
    let near = is_near(input, text);
    let cx = input.cx();
    if word != events && !near || cx.first_on_line(index + not + 1) {
        return None;
    }
    let verb = cx.span(index + not + 1);
    let mut reported = true;
    if word != events {
        let diagnostic = Diagnostic::new(
            Code::UnexpectedToken,
            format!("unexpected `{}` after `Expect`", clip(text)),
            span,
            "expected `events`",
        )
        .help("did you mean `events`?")
        .help(FORM)
        .fix(span, "events");
        cx.push(diagnostic);
    } else if !plain {
        let mended = if relation == EventRelation::Has { "has" } else { "lacks" };
        let diagnostic = Diagnostic::new(
            Code::UnexpectedToken,
            format!("unexpected `{}` after `events`", clip(cx.slice(verb))),
            verb,
            format!("expected `{mended}`"),
        )
        .help(format!("write `events {mended}`"))
        .fix(verb, mended);
        cx.push(diagnostic);
    } else if not == 1 {
        let opposite = if relation == EventRelation::Has { "lacks" } else { "has" };
        let whole = cx.span(index).to(verb);
        let diagnostic = Diagnostic::new(
            Code::UnexpectedToken,
            "`not` before `events`",
            cx.span(index),
            "expected `events`",
        );
        cx.push(mend(diagnostic, whole, format!("events {opposite}")));
    } else {
        reported = false;
    }
    for _ in 0..not + 2 {
        input.bump();
    }
    let relation = match relation {
        EventRelation::Has if not == 1 => EventRelation::Lacks,
        EventRelation::Lacks if not == 1 => EventRelation::Has,
        relation => relation,
    };
    Some(Meant { relation, reported })
}

/// Whether a word probably means `events`.
fn is_near(input: &mut In<'_, '_>, text: &str) -> bool {
    matches!(text, "event" | "Event" | "Events" | "evt" | "log")
        || input.cx().nearest.find(text, ["events"]).is_some()
}

/// The relation that a word says, and whether it says it as it should.
fn relation(input: &mut In<'_, '_>, ahead: usize) -> Option<(EventRelation, bool)> {
    let Some(Token::Name(word)) = input.look(ahead) else { return None };
    let index = input.index() + ahead;
    let span = input.cx().span(index);
    let words = &input.cx().words;
    if word == words.has {
        return Some((EventRelation::Has, true));
    }
    if word == words.lacks {
        return Some((EventRelation::Lacks, true));
    }
    match input.cx().slice(span) {
        "have" | "contain" | "contains" | "include" | "includes" => Some((EventRelation::Has, false)),
        "lack" | "miss" | "misses" | "without" => Some((EventRelation::Lacks, false)),
        _ => None,
    }
}

/// `playing Walk`, `abs x`: goes over what a function is given without parentheses, the function's name being the end
/// of `value`.
pub(in crate::parse) fn call_without_parentheses<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    value: Expr,
) -> Expr {
    let index = input.index();
    let (Some(Token::Name(next)), Some(before)) = (input.look(0), index.checked_sub(1)) else { return value };
    let cx = input.cx();
    let (name, argument) = (cx.span(before), cx.span(index));
    let asks = matches!(cx.token(before), Some(Token::Name(_))) && value.span.end == name.end;
    let function = cx.slice(name);
    if !asks
        || cx.silent(index)
        || cx.first_on_line(index)
        || cx.any_keyword(next).is_some()
        || cx.place == Place::Blend
        || !QUESTIONS.contains(&function) && Builtin::by_name(function).is_none()
    {
        return value;
    }
    let Some(path) = parts::path(input, false) else { return value };
    let cx = input.cx();
    let given = clip(cx.slice(path.span));
    let mended = match function {
        "state" => format!("state == {given}"),
        _ => format!("{function}({given})"),
    };
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        format!("unexpected `{given}` after `{function}`"),
        argument,
        if function == "state" { "expected `==` before it" } else { "expected it in parentheses" },
    );
    let whole = name.to(path.span);
    cx.push(mend(diagnostic, whole, mended));
    // `time Walk < 1` goes on.
    while input.look(0).is_some_and(is_operator) {
        input.bump();
        let _ = input.parse(&grammar.value);
    }
    Expr { kind: ExprKind::Error, span: value.span.to(input.previous()) }
}

const fn is_operator(token: Token) -> bool {
    matches!(
        token,
        Token::Less
            | Token::LessEqual
            | Token::Greater
            | Token::GreaterEqual
            | Token::Equal
            | Token::NotEqual
            | Token::Near
            | Token::Plus
            | Token::Minus
            | Token::Star
            | Token::Slash
            | Token::And
            | Token::Or
    )
}
