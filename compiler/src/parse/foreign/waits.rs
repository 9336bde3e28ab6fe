//! Heads of tests in other words: `Wait for 1s`, `Wait until ready`, `Test Door "opens"`; and what
//! stands in other languages for a block, a condition or a component.

use super::super::context::Tokens;
use super::super::parts::{self, Reported};
use super::super::{Grammar, In};
use crate::ast::{Expr, ExprKind, Part, Text};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Foreign, Token, clip};
use crate::source::Span;
use crate::syntax::{Keyword, Place, Row};

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

/// `When ready -> Open`, `OnFinish -> Idle`, `OnEntry -> Play Walk`: goes over the arrow and what stands behind it on the
/// line, which is reported; false where no arrow stands.
pub(in crate::parse) fn arrow_for_block(input: &mut In<'_, '_>, row: &Row) -> bool {
    let list = matches!(
        row.keyword,
        Keyword::When
            | Keyword::OnEntry
            | Keyword::OnExit
            | Keyword::OnUpdate
            | Keyword::OnFinish
            | Keyword::OnLoop
    );
    let arrow = matches!(input.look(0), Some(Token::Arrow | Token::Foreign(Foreign::FatArrow)));
    let index = input.index();
    if !list || !arrow || input.cx().first_on_line(index) {
        return false;
    }
    let span = input.bump();
    let behind = input.place();
    skip_line(input);
    let whole = span.to(input.previous());
    let cx = input.cx();
    let action = match cx.token(index + 1) {
        Some(Token::Name(word)) => cx.keyword(word, Place::Actions).is_some(),
        _ => false,
    };
    let text = clip(cx.slice(Span { start: behind.start, ..whole }));
    let help = match row.keyword {
        _ if action => format!("write `{} {{ {text} }}`", row.name),
        Keyword::When => format!("write `Transition {text} when ...` in the state that it leaves"),
        Keyword::OnFinish => format!("write `Transition {text} {{ AtEnd }}`"),
        _ => format!("a list of actions leads to no state: write `Transition {text}`"),
    };
    let name = row.name;
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`->` after `{name}`"),
        span,
        "expected `{` and actions",
    );
    cx.push(diagnostic.help(help));
    true
}

/// Goes to the end of the line, or of the block.
fn skip_line(input: &mut In<'_, '_>) {
    loop {
        let index = input.index();
        match input.look(0) {
            None => return,
            Some(token) if token.is_closer() || input.cx().first_on_line(index) => return,
            _ => input.skip_balanced(),
        }
    }
}

/// `Play Slam when angry`, `Play angry ? Slam : Swipe`: goes over a condition behind an action, which is reported.
pub(in crate::parse) fn condition_of_action(input: &mut In<'_, '_>, row: &Row) {
    let index = input.index();
    let before = input.previous();
    let chance = matches!(input.cx().slice(before), "random" | "choose" | "pick" | "oneOf");
    let asks = match input.look(0) {
        Some(Token::When | Token::If | Token::Foreign(Foreign::Question)) => true,
        Some(Token::LeftParen) => chance,
        _ => false,
    };
    if !matches!(
        row.keyword,
        Keyword::Play | Keyword::Stop | Keyword::Emit | Keyword::Fire | Keyword::Request
    ) || !asks
        || input.cx().first_on_line(index)
    {
        return;
    }
    let sign = input.look(0);
    let span = input.place();
    skip_line(input);
    let whole = span.to(input.previous());
    let cx = input.cx();
    let name = row.name;
    let help = match sign {
        Some(Token::LeftParen) => {
            "chance chooses among transitions, by their `RandomWeight`, or by `If random(0, 1) < 0.5 { ... }`"
                .to_owned()
        }
        Some(Token::Foreign(_)) => format!("write `If ready {{ {name} ... }} Else {{ {name} ... }}`"),
        _ => {
            let condition = clip(cx.slice(Span { start: span.end, ..whole }).trim());
            format!("write `If {condition} {{ {name} {} }}`", clip(cx.slice(before)))
        }
    };
    // What stands before is no name of what acts.
    if let (Some(Token::LeftParen | Token::Foreign(_)), Some(Token::Name(word))) =
        (sign, index.checked_sub(1).and_then(|before| cx.token(before)))
    {
        cx.lost.push(word);
    }
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        match sign {
            Some(Token::LeftParen) => format!("a choice in `{name}`"),
            _ => format!("a condition in `{name}`"),
        },
        whole,
        "expected the next action",
    );
    cx.push(diagnostic.help(help));
}

/// `Button quit { Target ... }` in a behavior.
pub(in crate::parse) fn component_instead(
    input: &mut In<'_, '_>,
    word: &str,
    place: Place,
) -> Option<String> {
    if place == Place::Component {
        return Some(format!(
            "what a component is to have comes from a parameter out here: `Bind ready -> {}`",
            clip(word)
        ));
    }
    let named = matches!(input.look(1), Some(Token::Name(_))) && input.look(2) == Some(Token::LeftBrace);
    let Some(Token::Name(inner)) = input.look(3).filter(|_| named && place == Place::Behavior) else {
        return None;
    };
    let index = input.index();
    let cx = input.cx();
    cx.keyword(inner, Place::Component)?;
    let name = cx.slice(cx.span(index + 1));
    Some(format!("a component is declared by its name: `Component {}: {}`", clip(name), clip(word)))
}

/// `On mouseenter, mousedown { ... }`: goes over the further events, which are reported.
pub(in crate::parse) fn further_events(input: &mut In<'_, '_>, row: &Row) {
    if row.keyword != Keyword::On || input.look(0) != Some(Token::Comma) {
        return;
    }
    let comma = input.place();
    while input.eat(Token::Comma).is_some() {
        if matches!(input.look(0), Some(Token::Name(_) | Token::Text(_))) {
            input.bump();
        }
    }
    let whole = comma.to(input.previous());
    let diagnostic =
        Diagnostic::new(Code::StrayComma, "several events in one `On`", whole, "expected one event")
            .help("write an `On` for each");
    input.cx().push(diagnostic);
}
