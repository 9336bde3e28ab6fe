//! What stands in blocks and is no item: entries of blends and tracks, variants of enums, fields of metadata.

use super::block::{self, holds};
use super::context::Tokens;
use super::{Grammar, In, foreign, item, parts};
use crate::ast::{Block, Entry, EntryKey, EntryValue, Expr, ExprKind, Modifiers, Name, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::intern::Symbol;
use crate::lex::Token;
use crate::syntax::Place;

/// Whether an entry begins at the next token.
pub(super) fn starts(input: &mut In<'_, '_>, place: Place) -> bool {
    match input.look(0) {
        Some(Token::Name(_)) => {
            // A word and a literal is rather an option, misspelled.
            let next = input.look(1);
            let value = matches!(
                next,
                Some(Token::True | Token::False | Token::Number(_) | Token::RightBrace) | None
            );
            place == Place::Blend && !value || place == Place::Track && foreign::css_key(input).is_some()
        }
        // A text or a switch is no position, which is told where its type is asked for.
        Some(Token::Quoted(_) | Token::Text(_) | Token::True | Token::False) => place == Place::Blend,
        Some(
            Token::Number(_)
            | Token::Duration(_)
            | Token::Ratio(_)
            | Token::LeftParen
            | Token::Minus
            | Token::Not
            | Token::If,
        ) => true,
        _ => false,
    }
}

/// `key: value`
pub(super) fn entry<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, place: Place, nodes: &mut Vec<Node>) {
    let start = input.place();
    if let Some(Node::Item(option)) = nodes.last() {
        let diagnostic = Diagnostic::new(
            Code::UnexpectedToken,
            "an entry after an option",
            start,
            format!("expected before `{}`", option.keyword.name()),
        )
        .help("entries come first, options after them");
        let index = input.index();
        input.cx().report(index, diagnostic);
    }
    let css = if place == Place::Track { foreign::css_key(input) } else { None };
    let key = if let Some(time) = css {
        foreign::css_time(input, time)
    } else if is_point(input) {
        input.bump();
        let (x, y) = parts::point_rest(input, grammar);
        EntryKey::Point(x, y)
    } else {
        let first = parts::value(input, grammar);
        let second = if place == Place::Blend { foreign::bare_point(input, grammar, &first) } else { None };
        match second {
            Some(second) => EntryKey::Point(first, second),
            None => EntryKey::Value(first),
        }
    };
    if input.eat(Token::Colon).is_none() {
        input.expected("`:` after the key of the entry", Some(form(place)));
        block::skip_to_item(input, place);
        nodes.push(Node::Error(start.to(input.previous())));
        return;
    }
    if place == Place::Blend
        && let Some(meant) = foreign::position_behind(input, &key)
    {
        nodes.push(Node::Entry(Box::new(meant)));
        return separator(input);
    }
    let value = match input.look(0) {
        Some(Token::LeftBrace) if place == Place::Blend => {
            EntryValue::Motion(block::braces(input, grammar, Place::Motion))
        }
        Some(Token::Name(word)) if place == Place::Blend && is_motion(input, word) => {
            EntryValue::Motion(without_braces(input, grammar, word))
        }
        _ => {
            let value = entry_value(input, place);
            let meant =
                if place == Place::Blend { foreign::clip_properties(input, grammar, &value) } else { None };
            meant.map_or(EntryValue::Value(value), EntryValue::Motion)
        }
    };
    if place == Place::Track {
        foreign::bare_easing(input);
    }
    let options = input.look(0) == Some(Token::LeftBrace);
    let block = (options && place == Place::Track).then(|| block::braces(input, grammar, Place::Key));
    let span = start.to(input.previous());
    nodes.push(Node::Entry(Box::new(Entry { key, value, block, span })));
    separator(input);
}

fn form(place: Place) -> String {
    match place {
        Place::Track => "the form is `50%: 0.6 { Easing easeOut }`".to_owned(),
        _ => "the form is `0: Idle`, in two dimensions `(0, 1): Walk`".to_owned(),
    }
}

/// Entries may be separated by commas.
fn separator(input: &mut In<'_, '_>) {
    if input.eat(Token::Comma).is_some() && input.look(0) == Some(Token::Comma) {
        foreign::comma(input, &mut []);
    }
}

/// Whether the parentheses that begin here hold a comma of their own.
fn is_point(input: &mut In<'_, '_>) -> bool {
    if input.look(0) != Some(Token::LeftParen) {
        return false;
    }
    let mut depth = 0usize;
    for ahead in 0.. {
        match input.look(ahead) {
            None => return false,
            Some(Token::Comma) if depth == 1 => return true,
            Some(token) if token.closer().is_some() => depth += 1,
            Some(token) if token.is_closer() => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return false;
                }
            }
            _ => {}
        }
    }
    false
}

/// Whether a motion begins without its braces: an animation of such a name has an entry, an option or the end after it.
fn is_motion(input: &mut In<'_, '_>, word: Symbol) -> bool {
    let next =
        matches!(input.look(1), Some(Token::Name(_) | Token::Quoted(_) | Token::Text(_) | Token::LeftBrace));
    let entry = input.look(2) == Some(Token::Colon);
    let option = match input.look(1) {
        Some(Token::Name(next)) => input.cx().keyword(next, Place::Blend).is_some(),
        _ => false,
    };
    next && !entry && !option && input.cx().keyword(word, Place::Motion).is_some()
}

/// `0: Clip Walk { Mirror }`: reported, and read.
fn without_braces<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, word: Symbol) -> Block {
    let (start, index) = (input.place(), input.index());
    let outer = std::mem::replace(&mut input.cx().place, Place::Motion);
    let keyword = input.cx().keyword(word, Place::Motion);
    let nodes = keyword
        .map(|keyword| Node::Item(item::item(input, grammar, keyword, Modifiers::default())))
        .into_iter()
        .collect();
    input.cx().place = outer;
    let span = start.to(input.previous());
    let mended = format!("{{ {} }}", input.cx().slice(span));
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        "a motion in a blend stands in braces",
        start,
        "expected `{` before it",
    );
    // What is long is not repeated.
    let help = if mended.len() <= 60 && !mended.contains('\n') {
        format!("write `{mended}`")
    } else {
        "write `{ ... }` around it".to_owned()
    };
    let diagnostic = diagnostic.help(help).fix(span, mended);
    input.cx().report(index, diagnostic);
    Block { nodes, span }
}

/// The name of an animation, or the value of a key: a literal or the name of a constant.
fn entry_value(input: &mut In<'_, '_>, place: Place) -> Expr {
    if place == Place::Track
        && let Some(literal) = parts::literal(input)
    {
        return literal;
    }
    match parts::path(input, place == Place::Blend) {
        Some(path) if place == Place::Track && foreign::color_call(input, &path) => input.no_value(),
        Some(path) => Expr { span: path.span, kind: ExprKind::Path(path) },
        None => {
            let what = if place == Place::Track {
                "a number or color"
            } else {
                "an animation, or a motion in braces"
            };
            input.expected(what, Some(form(place)));
            if matches!(input.look(0), Some(Token::Number(_) | Token::Duration(_) | Token::Ratio(_))) {
                input.bump();
            }
            input.no_value()
        }
    }
}

/// A variant of an enum.
pub(super) fn variant(input: &mut In<'_, '_>, nodes: &mut Vec<Node>) {
    let span = input.place();
    let name = match input.look(0) {
        Some(Token::Name(symbol)) => Some(Name { symbol, span, quoted: false }),
        Some(Token::Quoted(symbol) | Token::Text(symbol)) => Some(Name { symbol, span, quoted: true }),
        Some(token) if token.is_reserved() => {
            let word = input.cx().slice(span);
            let diagnostic = Diagnostic::new(
                Code::ReservedWord,
                format!("`{word}` is a reserved word"),
                span,
                "expected the name of a variant",
            )
            .help(format!("as a name it stands in backquotes: `` `{word}` ``"))
            .fix(span, format!("`{word}`"));
            let symbol = input.cx().names.intern(word);
            let index = input.index();
            input.cx().report(index, diagnostic);
            Some(Name { symbol, span, quoted: true })
        }
        _ => None,
    };
    match name {
        Some(name) => {
            input.bump();
            nodes.push(Node::Name(name));
            if input.look(0) == Some(Token::Assign) {
                input.expected(
                    "the next variant",
                    Some("variants have no numbers: `Enum Mood { calm angry }`".to_owned()),
                );
                block::skip_to_item(input, Place::Variants);
            }
            separator(input);
        }
        None => {
            input.expected(holds(Place::Variants), None);
            input.skip_balanced();
            nodes.push(Node::Error(span));
        }
    }
}

/// A field of metadata: any word and a literal.
pub(super) fn field(input: &mut In<'_, '_>, nodes: &mut Vec<Node>) {
    let span = input.place();
    let help = || Some("the form is `Author \"kit\"`".to_owned());
    let (symbol, quoted) = match input.look(0) {
        Some(Token::Name(symbol)) => (symbol, false),
        Some(Token::Quoted(symbol)) => (symbol, true),
        Some(Token::Comma) => return foreign::comma(input, nodes),
        _ => {
            input.expected(holds(Place::Metadata), help());
            input.skip_balanced();
            nodes.push(Node::Error(span));
            return;
        }
    };
    input.bump();
    foreign::sign_before_literal(input);
    match parts::literal(input) {
        Some(value) => nodes.push(Node::Field(Name { symbol, span, quoted }, value)),
        None => {
            input.expected("a literal: a number, a text in quotes, `true` or `false`", help());
            nodes.push(Node::Error(span));
        }
    }
}
