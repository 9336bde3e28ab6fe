//! What stands behind a head in other languages, or in it: arrows and conditions where a block belongs, further names,
//! values, dots; and what a keyword is missed in.

use super::super::context::Tokens;
use super::super::parts::{self, Reported};
use super::super::{Grammar, In, keyword};
use super::operators;
use crate::ast::Name;
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Foreign, Token, clip};
use crate::source::Span;
use crate::syntax::{Keyword, Modifier, Place, Row};

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
            | Keyword::On
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
        _ if action => format!("write `{{ {text} }}` in its place"),
        Keyword::When => format!("write `Transition {text} when ...` in the state that it leaves"),
        Keyword::OnFinish => format!("write `Transition {text} {{ AtEnd }}`"),
        _ => format!("a list of actions leads to no state: write `Transition {text}`"),
    };
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{}` after the head of `{}`", cx.slice(span), row.name),
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

/// `On mouseenter, mousedown { ... }`, `On click when ready { ... }`: goes over the further events and the condition, which
/// are reported.
pub(in crate::parse) fn further_events<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, row: &Row) {
    if row.keyword != Keyword::On {
        return;
    }
    let span = input.place();
    let (message, label, help) = match input.look(0) {
        Some(Token::Comma) => {
            while input.eat(Token::Comma).is_some() {
                if matches!(input.look(0), Some(Token::Name(_) | Token::Text(_))) {
                    input.bump();
                }
            }
            ("several events in one `On`", "expected one event", "write an `On` for each".to_owned())
        }
        Some(Token::When | Token::If) => {
            input.bump();
            let condition = parts::value(input, grammar);
            let text = clip(input.cx().slice(condition.span));
            let help = format!("ask for it in the actions: `{{ If {text} {{ ... }} }}`");
            ("a condition of an `On`", "expected `{` and actions", help)
        }
        _ => return,
    };
    let whole = span.to(input.previous());
    let code = if input.cx().slice(span) == "," { Code::StrayComma } else { Code::ForeignSyntax };
    input.cx().push(Diagnostic::new(code, message, whole, label).help(help));
}

/// `SetTrue open = true`: goes over the value, which is reported.
pub(in crate::parse) fn value_of_switch<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, row: &Row) {
    let switch =
        matches!(row.keyword, Keyword::SetTrue | Keyword::SetFalse | Keyword::Toggle | Keyword::Fire);
    let index = input.index();
    if !switch || input.look(0) != Some(Token::Assign) || input.cx().first_on_line(index) {
        return;
    }
    let sign = input.bump();
    let value = parts::value(input, grammar);
    let whole = sign.to(value.span);
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        format!("a value after `{}`", row.name),
        whole,
        "expected the next action or statement",
    )
    .help(format!("leave it out, or write `Set`; the form is `{}`", row.example));
    input.cx().push(diagnostic);
}

/// `Emit swiped force`, `Emit swiped: force`: goes over the value, which is reported. A further word behind it on the line
/// is that of an action.
pub(in crate::parse) fn value_of_event<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, row: &Row) {
    let index = input.index();
    let name = input.previous();
    let colon = input.look(0) == Some(Token::Colon);
    let at = usize::from(colon);
    let Some(value) = input.look(at).filter(|token| operators::starts_value(*token)) else { return };
    let cx = input.cx();
    if row.keyword != Keyword::Emit || cx.first_on_line(index) || cx.first_on_line(index + at) {
        return;
    }
    let action = match value {
        Token::Name(word) => {
            let target = match cx.token(index + at + 1) {
                Some(Token::Name(next)) => cx.keyword(next, Place::Actions).is_none(),
                next => matches!(next, Some(Token::Text(_))),
            };
            cx.keyword(word, Place::Actions).is_some() || target && !cx.first_on_line(index + at + 1)
        }
        _ => false,
    };
    if action && !colon {
        return;
    }
    let sign = input.place();
    if colon {
        input.bump();
    }
    let value = parts::value(input, grammar).span;
    let cx = input.cx();
    let mended = format!("({})", clip(cx.slice(value)));
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        "what an event carries stands in parentheses",
        sign.to(value),
        "expected the next action or statement",
    )
    .help(format!("write `Emit {}{mended}`", clip(cx.slice(name))))
    .fix(name.after().to(value), mended);
    cx.push(diagnostic);
}

/// `Loop` without its value before the next property: reported.
pub(in crate::parse) fn mode_left_out(input: &mut In<'_, '_>, row: &Row) -> Result<(), Reported> {
    let index = input.index();
    let next = input.look(0);
    let left_out = match next {
        Some(Token::Name(word)) => input.cx().keyword(word, Place::Animation).is_some(),
        Some(token) => token.is_closer(),
        None => false,
    };
    if row.keyword != Keyword::Loop || !left_out {
        return Ok(());
    }
    let keyword = input.previous();
    let cx = input.cx();
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        "`Loop` without how",
        keyword,
        "expected `none`, `loop` or `pingPong` behind it",
    )
    .help(
        "write `Looped` for a clip that begins anew at its end, or `Loop pingPong` for one that turns around",
    )
    .fix(keyword, "Looped");
    cx.report(index, diagnostic);
    Err(Reported)
}

/// `Extern IsNear`, `Global wind: number`: the keyword that is missing between, which is reported.
pub(in crate::parse) fn keyword_behind_modifier(
    input: &mut In<'_, '_>,
    place: Place,
    modifier: Modifier,
    start: Span,
) -> Option<Keyword> {
    let missing = match modifier {
        Modifier::Extern => Keyword::Predicate,
        Modifier::Global => Keyword::Param,
        Modifier::Override => return None,
    };
    let Some(Token::Name(symbol)) = input.look(0) else { return None };
    let span = input.place();
    let cx = input.cx();
    let word = cx.slice(span);
    if place != Place::Behavior
        || cx.any_keyword(symbol).is_some()
        || keyword::meant(&mut cx.nearest, word, place).is_some()
    {
        return None;
    }
    let mended = format!("{} {} {word}", modifier.name(), missing.name());
    let diagnostic = Diagnostic::new(
        Code::UnknownKeyword,
        format!("`{}` and a name alone", modifier.name()),
        start.to(span),
        format!("expected `{}`", clip(&mended)),
    )
    .help(format!("write `{}`", clip(&mended)))
    .fix(start.to(span), mended);
    cx.push(diagnostic);
    Some(missing)
}

/// `audio.play("x")` where an action or statement should stand: reported as what it is, and gone over.
pub(in crate::parse) fn call_of_method(input: &mut In<'_, '_>, place: Place) -> bool {
    let call = input.look(1) == Some(Token::Dot)
        && matches!(input.look(2), Some(Token::Name(_)))
        && input.look(3) == Some(Token::LeftParen);
    if !call || !matches!(place, Place::Actions | Place::Test) {
        return false;
    }
    let start = input.place();
    for _ in 0..3 {
        input.bump();
    }
    input.skip_balanced();
    let whole = start.to(input.previous());
    let cx = input.cx();
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{}` is a call of another language", clip(cx.slice(whole))),
        whole,
        "expected a keyword and what it acts on",
    )
    .help("write `Play Walk`, `PlayAudio \"door/open\"`, or for what the host does `Emit opened`");
    cx.push(diagnostic);
    true
}

/// Goes over names with dots before them; gives the last one.
pub(super) fn go_over_dots(input: &mut In<'_, '_>) -> Option<Span> {
    let mut last = None;
    while input.look(0) == Some(Token::Dot) && matches!(input.look(1), Some(Token::Name(_))) {
        input.bump();
        last = Some(input.bump());
    }
    last
}

/// `Track "bg" scale.x`: the property with its dots, which are reported; `Track "bg" { ... }` is reported, and gone over.
pub(in crate::parse) fn property_of_track(input: &mut In<'_, '_>, row: &Row, first: Name) -> Name {
    if !matches!(row.keyword, Keyword::Track | Keyword::Rest) {
        return first;
    }
    let Some(last) = go_over_dots(input) else { return first };
    let span = first.span.to(last);
    let cx = input.cx();
    let text = cx.slice(span);
    let quoted = format!("`{text}`");
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        "a property with a dot",
        span,
        "expected one name, or the whole in backquotes",
    )
    .help(format!("write `` {} ``", clip(&quoted)))
    .fix(span, quoted);
    cx.push(diagnostic);
    Name { symbol: cx.names.intern(text), span, quoted: true }
}

/// `Track "bg" { opacity { ... } }`: the properties in a block of their own, which are reported and gone over.
pub(in crate::parse) fn properties_of_track(input: &mut In<'_, '_>, row: &Row) -> Result<(), Reported> {
    if row.keyword != Keyword::Track || input.look(0) != Some(Token::LeftBrace) {
        return Ok(());
    }
    let index = input.index();
    let open = input.place();
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        "a `Track` without its property",
        open,
        "expected the property before the block",
    )
    .help(format!("write a track for each: `{}`", row.example));
    input.skip_balanced();
    let after = input.index();
    let cx = input.cx();
    cx.report(index, diagnostic);
    cx.mute(after);
    Err(Reported)
}
