//! Heads of items in the manner of other languages: signs, parentheses and words that do not belong there.

use super::super::block::{self, push_item};
use super::super::context::Tokens;
use super::super::parts::{self, Reported};
use super::super::{Grammar, In, item};
use super::operators::{mend, starts_value};
use crate::ast::{self, Text};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Foreign, Token, clip};
use crate::source::Span;
use crate::syntax::{Keyword, Part, Place, Row};

/// `Param Param speed: number`, `OnEntry OnEntry { ... }`: the keyword once more, which is gone over.
pub(in crate::parse) fn doubled_keyword(input: &mut In<'_, '_>, row: &Row) {
    let Some(Token::Name(word)) = input.look(0) else { return };
    let index = input.index();
    let (next, place) = (input.look(1), input.cx().place);
    let cx = input.cx();
    if cx.names.text(word) != row.name || cx.first_on_line(index) || cx.first_on_line(index + 1) {
        return;
    }
    let needs = match row.head.first() {
        Some(
            Part::Name | Part::Names | Part::Path | Part::Event | Part::Text | Part::Texts | Part::Value,
        ) => true,
        None | Some(Part::OptFromState | Part::OptTexts) => false,
        // `Step Step 3`
        Some(_) => return,
    };
    // A thing may have the keyword as its name.
    let doubled = match next {
        Some(Token::Name(next)) => needs && cx.keyword(next, place).is_none(),
        Some(Token::LeftBrace) => !needs,
        Some(token) => needs && (token.is_literal() || matches!(token, Token::Quoted(_))),
        None => false,
    };
    if !doubled {
        return;
    }
    let span = input.bump();
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        format!("`{}` is written twice", row.name),
        span,
        "the keyword once more",
    )
    .help(format!("leave one of them out; the form is `{}`", row.example))
    .fix(Span { end: input.place().start, ..span }, "");
    input.cx().push(diagnostic);
}

/// `Priority = 5`, `Priority: 5`
pub(in crate::parse) fn sign_before_value(input: &mut In<'_, '_>, row: &Row) {
    if !is_sign(input) {
        return;
    }
    let sign = input.bump();
    if std::mem::replace(&mut input.cx().sign, true) {
        return;
    }
    let mark = clip(input.cx().slice(sign));
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{mark}` between `{}` and its value", row.name),
        sign,
        "expected the value itself",
    )
    .help(format!("leave it out, here and elsewhere; the form is `{}`", row.example))
    .fix(sign, "");
    input.cx().push(diagnostic);
}

/// Whether `Param : number`, `Const = 5` goes on here: what follows the name, without the name.
pub(in crate::parse) fn name_left_out(input: &mut In<'_, '_>, row: &Row) -> bool {
    let sign = match row.head {
        [Part::Name | Part::Names, Part::Type | Part::Of, ..] => Token::Colon,
        [Part::Name | Part::Names, Part::Assign | Part::OptAssign, ..] => Token::Assign,
        _ => return false,
    };
    // `Param: speed: number` has a sign too many instead.
    input.look(0) == Some(sign) && input.look(2) != Some(sign)
}

/// The same between a word of metadata and its literal.
pub(in crate::parse) fn sign_before_literal(input: &mut In<'_, '_>) {
    if !is_sign(input) {
        return;
    }
    let sign = input.bump();
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "a sign between a word and its literal",
        sign,
        "expected the literal itself",
    )
    .help("leave it out; the form is `Author \"kit\"`")
    .fix(sign, "");
    input.cx().push(diagnostic);
}

fn is_sign(input: &mut In<'_, '_>) -> bool {
    let sign = matches!(
        input.look(0),
        Some(Token::Assign | Token::Colon | Token::Equal | Token::Foreign(Foreign::ColonAssign))
    );
    let bound = matches!(input.look(0), Some(Token::Greater | Token::GreaterEqual));
    sign && input.look(1).is_some_and(starts_value) || bound && input.look(1).is_some_and(Token::is_literal)
}

/// `Transition X if ready`
pub(in crate::parse) fn if_for_when(input: &mut In<'_, '_>) {
    let span = input.bump();
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "`if` before the condition of a transition",
        span,
        "expected `when`",
    )
    .help("a transition is written `Transition Target when condition`")
    .fix(span, "when");
    input.cx().push(diagnostic);
}

/// A word where a text in quotes was meant.
pub(in crate::parse) fn unquoted_text(input: &mut In<'_, '_>) -> Text {
    let mut span = input.bump();
    // `Use std/humanoid`: what clings to it belongs to it.
    while input.look(0).is_some()
        && input.place().start == span.end
        && !matches!(input.look(0), Some(token) if token.closer().is_some() || token.is_closer() || token == Token::Comma)
    {
        span = span.to(input.bump());
    }
    let cx = input.cx();
    let word = cx.slice(span).trim_matches('`').to_owned();
    let symbol = cx.names.intern(&word);
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        format!("`{}` without quotes", clip(&word)),
        span,
        "expected a text in quotes",
    );
    cx.push(mend(diagnostic, span, format!("\"{word}\"")));
    Text { symbol, span }
}

/// Whether `Listener button`, `On keydown Enter {`, `Pointer click button` goes on here.
pub(in crate::parse) fn is_unquoted_target(input: &mut In<'_, '_>, row: &Row) -> bool {
    let Some(Token::Name(word)) = input.look(0) else { return false };
    let index = input.index();
    let at = input.cx().words.at;
    !input.cx().first_on_line(index)
        && match row.keyword {
            Keyword::Listener => true,
            Keyword::On => input.look(1) == Some(Token::LeftBrace),
            _ => word != at && input.cx().keyword(word, Place::Test).is_none(),
        }
}

/// `AssetId anim/walk.glb`
pub(in crate::parse) fn unquoted_asset(input: &mut In<'_, '_>, row: &Row) -> Option<ast::Expr> {
    let asset = matches!(row.keyword, Keyword::AssetId | Keyword::PlayAudio | Keyword::SwitchCamera);
    let index = input.index();
    let path = matches!(input.look(0), Some(Token::Name(_)))
        && matches!(input.look(1), Some(Token::Slash | Token::Dot | Token::Minus));
    let clings = input.place().end == input.cx().span(index + 1).start;
    if !(asset && path && clings) {
        return None;
    }
    let text = unquoted_text(input);
    Some(ast::Expr { kind: ast::ExprKind::Text(text.symbol), span: text.span })
}

/// Whether `events == Enter(...)` begins here: an event, and no list of them.
pub(in crate::parse) fn event_alone(input: &mut In<'_, '_>) -> bool {
    if !matches!(input.look(2), Some(Token::Name(_))) || input.look(3) != Some(Token::LeftParen) {
        return false;
    }
    let index = input.index();
    let cx = input.cx();
    cx.slice(cx.span(index + 2)).starts_with(|c: char| c.is_ascii_uppercase())
}

/// `events == Enter(Walk)`
pub(in crate::parse) fn event_without_brackets(input: &mut In<'_, '_>, events: &[ast::EventPattern]) {
    let (Some(first), Some(last)) = (events.first(), events.last()) else { return };
    let cx = input.cx();
    let whole = first.span.to(last.span);
    let text = format!("[{}]", cx.slice(whole));
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        "an event where a list of events is compared",
        whole,
        "expected the events in brackets",
    );
    cx.push(mend(diagnostic, whole, text));
}

/// `Play(Idle)`
pub(in crate::parse) fn parentheses(input: &mut In<'_, '_>, row: &Row, open: Span, inner: Span) {
    let whole = open.to(input.previous());
    let cx = input.cx();
    let inner = cx.slice(inner).trim().to_owned();
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{}` takes no parentheses", row.name),
        open,
        "expected a name or text after a space",
    );
    let text = format!(" {inner}");
    let short = text.len() <= 60 && !text.contains('\n');
    let diagnostic = if short { diagnostic.help(format!("write `{}{text}`", row.name)) } else { diagnostic };
    cx.push(diagnostic.fix(whole, text));
}

/// `OnEntry() {`, `Predicate IsDark() = ...`
pub(in crate::parse) fn empty_parentheses(input: &mut In<'_, '_>, row: &Row) {
    if (input.look(0), input.look(1)) != (Some(Token::LeftParen), Some(Token::RightParen)) {
        return;
    }
    let expected = match input.look(2) {
        Some(Token::LeftBrace) => "expected the block in braces",
        Some(Token::Assign) => "expected `=` and a value",
        _ => return,
    };
    let open = input.bump();
    let whole = open.to(input.bump());
    let diagnostic =
        Diagnostic::new(Code::ForeignSyntax, format!("`{}` takes no parentheses", row.name), whole, expected)
            .help(format!("leave them out; the form is `{}`", row.example))
            .fix(whole, "");
    input.cx().push(diagnostic);
}

/// `Transition Idle -> Walk`: gives the target where a source was written too.
pub(in crate::parse) fn target_after_source(
    input: &mut In<'_, '_>,
    row: &Row,
    first: ast::Path,
) -> Result<ast::Path, Reported> {
    let index = input.index();
    let arrow = matches!(input.look(0), Some(Token::Arrow | Token::Foreign(Foreign::FatArrow)));
    if row.keyword != Keyword::Transition || !arrow || input.cx().first_on_line(index) {
        return Ok(first);
    }
    let sign = input.bump();
    let target = parts::required_path(input, row)?;
    let cx = input.cx();
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "a transition with its source",
        first.span.to(sign),
        "expected the target alone",
    )
    .help(format!("write `Transition {}` in the state `{}`", cx.slice(target.span), cx.slice(first.span)))
    .fix(Span { end: target.span.start, ..first.span }, "");
    cx.push(diagnostic);
    Ok(target)
}

/// `Play A, B` where one name stands.
pub(in crate::parse) fn further_names(input: &mut In<'_, '_>, row: &Row) {
    let index = input.index();
    let more = match (input.look(0), input.look(1)) {
        (Some(Token::Comma), Some(Token::Name(word))) => {
            let cx = input.cx();
            cx.keyword(word, cx.place).is_none() && !cx.first_on_line(index + 1)
        }
        (Some(Token::Comma), Some(Token::Quoted(_) | Token::Text(_))) => true,
        _ => false,
    };
    if !more {
        return;
    }
    let span = input.place();
    let diagnostic = Diagnostic::new(
        Code::StrayComma,
        format!("several names after `{}`", row.name),
        span,
        "expected one name",
    )
    .help(format!("write one `{}` for each", row.name));
    input.cx().report(index, diagnostic);
    while input.look(0) == Some(Token::Comma) {
        input.bump();
        if matches!(input.look(0), Some(Token::Name(_) | Token::Quoted(_) | Token::Text(_))) {
            input.bump();
        }
    }
}

/// `Param light, , heavy: trigger`: commas before a name that no name stands before.
pub(in crate::parse) fn needless_commas(input: &mut In<'_, '_>) {
    let index = input.index();
    if input.look(0) != Some(Token::Comma) || input.cx().first_on_line(index) {
        return;
    }
    let span = input.place();
    let diagnostic = Diagnostic::new(
        Code::StrayComma,
        "a comma that separates nothing",
        span,
        "expected a name before it",
    )
    .help("leave it out")
    .fix(span, "");
    input.cx().report(index, diagnostic);
    while input.eat(Token::Comma).is_some() {}
}

/// `Component like of Heart`, `Component like = Heart`: another sign before the behavior, which is gone over.
pub(in crate::parse) fn sign_for_colon(input: &mut In<'_, '_>, row: &Row) -> bool {
    let span = input.place();
    let word = input.cx().slice(span);
    let sign = matches!(word, "=" | "of" | "is" | "as" | "extends");
    if !sign || !matches!(input.look(1), Some(Token::Name(_) | Token::Quoted(_))) {
        return false;
    }
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{word}` before the behavior of a component"),
        span,
        "expected `:`",
    )
    .help(format!("the form is `{}`", row.example))
    .fix(span, ":");
    input.bump();
    input.cx().push(diagnostic);
    true
}

/// `Transition Walk: speed > 3`
pub(in crate::parse) fn colon_for_when(input: &mut In<'_, '_>) -> bool {
    let index = input.index();
    let Some(next) = input.look(1) else { return false };
    let cx = input.cx();
    let keyword = match next {
        Token::Name(word) => cx.keyword(word, cx.place).is_some(),
        _ => false,
    };
    if cx.token(index) != Some(Token::Colon)
        || cx.first_on_line(index)
        || cx.first_on_line(index + 1)
        || keyword
        || cx.token(index + 2) == Some(Token::LeftParen)
        || !starts_value(next)
    {
        return false;
    }
    let span = input.bump();
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "`:` before the condition of a transition",
        span,
        "expected `when`",
    )
    .help("a transition is written `Transition Target when condition`")
    .fix(span, " when");
    input.cx().push(diagnostic);
    true
}

/// `Transition to X`, `Transition -> X`
pub(in crate::parse) fn words_before_target(input: &mut In<'_, '_>, row: &Row) {
    if !matches!(row.keyword, Keyword::Transition | Keyword::OnDone | Keyword::InitialState) {
        return;
    }
    let to = input.cx().words.to;
    let on = input.cx().words.on;
    let extra = match input.look(0) {
        Some(Token::Arrow | Token::Foreign(Foreign::FatArrow)) => true,
        Some(Token::Name(word)) if word == to => match input.look(1) {
            Some(Token::Name(next)) => {
                let cx = input.cx();
                next != on && cx.keyword(next, cx.place).is_none()
            }
            Some(Token::Quoted(_) | Token::Text(_)) => true,
            _ => false,
        },
        _ => false,
    };
    if !extra {
        return;
    }
    let span = input.bump();
    let target = input.place();
    let cx = input.cx();
    let word = cx.slice(span);
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{word}` between `{}` and its target", row.name),
        span,
        "expected the name of a state",
    )
    .help(format!("write `{} {}`", row.name, clip(cx.slice(target))))
    .fix(Span { end: target.start.max(span.end), ..span }, "");
    cx.push(diagnostic);
}

/// Whether a `:` stands where a block may; the first of a builder's calls does not count.
pub(in crate::parse) fn ends_with_colon(input: &mut In<'_, '_>) -> bool {
    let index = input.index();
    let call = matches!((input.look(1), input.look(2)), (Some(Token::Name(_)), Some(Token::LeftParen)));
    input.look(0) == Some(Token::Colon) && !call && !input.cx().first_on_line(index)
}

/// `State Idle:` and lines that are indented further.
pub(in crate::parse) fn colon_block<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    row: &Row,
    place: Place,
    start: Span,
) -> ast::Block {
    let colon = input.bump();
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`:` after the head of `{}`", row.name),
        colon,
        "expected a block in braces, or nothing",
    )
    .help(format!("the form is `{}`", row.example))
    .fix(colon, if input.look(0) == Some(Token::LeftBrace) { "" } else { " {" });
    input.cx().push(diagnostic);
    if input.look(0) == Some(Token::LeftBrace) {
        return block::braces(input, grammar, place);
    }
    let indent = input.cx().indent(start.start);
    let mut nodes = Vec::new();
    let outer = input.cx().place;
    loop {
        let index = input.index();
        let at = input.place().start;
        let Some(Token::Name(word)) = input.look(0) else { break };
        let cx = input.cx();
        let inside = !cx.first_on_line(index) || cx.indent(at) > indent;
        let Some(keyword) = cx.keyword(word, place).filter(|_| inside) else { break };
        cx.place = place;
        let item = item::item(input, grammar, keyword, ast::Modifiers::default());
        push_item(input, &mut nodes, item);
        input.cx().place = outer;
    }
    ast::Block { nodes, span: colon.to(input.previous()) }
}
