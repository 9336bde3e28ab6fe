//! `If`, `Else` and `When` whose actions stand without braces: after the condition, on lines of their own, or between `then`
//! and `End`. It is told once a chain, at its `If`.

use super::super::block;
use super::super::context::Tokens;
use super::super::{Grammar, In, item};
use crate::ast::{self, Block, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Foreign, Token};
use crate::source::Span;
use crate::syntax::{Keyword, Place, Row};

/// Branches without braces that may stand in each other.
const DEPTH: u32 = 16;
/// A head or body that is longer is not shown again.
const SHORT: usize = 80;

/// `If open then { ... }`: goes over the `then`, which is reported.
pub(in crate::parse) fn then_before_block(input: &mut In<'_, '_>, row: &Row) {
    if !is_branch(row) || input.look(0) != Some(Token::Then) || input.look(1) != Some(Token::LeftBrace) {
        return;
    }
    let span = input.bump();
    let diagnostic =
        Diagnostic::new(Code::ForeignSyntax, "`then` before a block", span, "expected the block at once")
            .help(format!("the form is `{}`", row.example))
            .fix(span, "");
    input.cx().push(diagnostic);
}

fn is_branch(row: &Row) -> bool {
    matches!(row.keyword, Keyword::If | Keyword::Else | Keyword::When)
}

/// Whether the next token goes on with a branch that had no braces, which was reported.
pub(in crate::parse) fn goes_on_without_braces(input: &mut In<'_, '_>) -> bool {
    let place = input.place();
    input.cx().loose_end == Some(place)
}

/// The actions of an `If` or `Else` that stand without braces, where there are any: of the rest of the line, else of
/// the lines that are indented more. The item begins at `start`, and its head was read.
pub(in crate::parse) fn loose_branch<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    row: &Row,
    start: Span,
) -> Option<Block> {
    if !is_branch(row) || input.cx().loose_depth == DEPTH {
        return None;
    }
    let head = start.to(input.previous());
    let told = input.cx().loose_end == Some(start);
    let then = usize::from(input.look(0) == Some(Token::Then));
    let index = input.index() + then;
    let one_line = !input.cx().first_on_line(index);
    if then == 0 && !is_inside(input, one_line, start) {
        return None;
    }
    let mark = input.place();
    for _ in 0..then {
        input.bump();
    }
    let first = input.place();
    input.cx().loose_depth += 1;
    let outer = std::mem::replace(&mut input.cx().place, Place::Actions);
    let mut nodes: Vec<Node> = Vec::new();
    while is_inside(input, one_line, start) {
        let Some(Token::Name(word)) = input.look(0) else { break };
        let Some(keyword) = input.cx().keyword(word, Place::Actions) else { break };
        let item = item::item(input, grammar, keyword, ast::Modifiers::default());
        block::push_item(input, &mut nodes, item);
    }
    input.cx().place = outer;
    input.cx().loose_depth -= 1;
    let goes_on = match input.look(1) {
        Some(Token::Else) => true,
        Some(Token::Name(word)) => input.cx().keyword(word, Place::Actions) == Some(Keyword::Else),
        _ => false,
    };
    let end = input.previous();
    if goes_on && input.look(0) == Some(Token::Foreign(Foreign::Semicolon)) {
        super::nodes::semicolon(input);
    }
    let body = if nodes.is_empty() { mark } else { first.to(end) };
    let cx = input.cx();
    if !told {
        let name = row.name;
        let short = |span: Span| (span.range().len() < SHORT).then(|| cx.slice(span));
        let whole = match (short(head), short(body)) {
            (Some(head), Some(body)) if one_line && !nodes.is_empty() => Some(format!("{head} {{ {body} }}")),
            _ => None,
        };
        let mended = match (&whole, short(head)) {
            (Some(whole), _) => whole.clone(),
            (None, Some(head)) => format!("{head} {{ ... }}"),
            (None, None) => format!("{name} ... {{ ... }}"),
        };
        let diagnostic = Diagnostic::new(
            Code::UnexpectedToken,
            format!("the actions of `{name}` stand without braces"),
            if then == 1 { mark } else { first },
            if then == 1 { "expected `{` instead" } else { "expected `{` before this" },
        )
        .help(match row.keyword {
            Keyword::If => format!("write `{mended}`, and an `Else` in the same way: `Else {{ ... }}`"),
            _ => format!("write `{mended}`"),
        });
        cx.push(match whole {
            Some(whole) => diagnostic.fix(head.to(body), whole),
            None => diagnostic,
        });
    }
    if matches!(input.look(0), Some(Token::Name(_))) {
        let place = input.place();
        let index = input.index();
        let cx = input.cx();
        let ends = matches!(cx.slice(place), "End" | "end" | "EndIf" | "endif");
        if ends && (then == 1 || told || cx.first_on_line(index)) {
            input.bump();
        }
    }
    let place = input.place();
    input.cx().loose_end = Some(place);
    Some(Block { nodes, span: body })
}

/// Whether the next token begins an action of a branch without braces.
fn is_inside(input: &mut In<'_, '_>, one_line: bool, start: Span) -> bool {
    let Some(Token::Name(word)) = input.look(0) else { return false };
    let (index, place) = (input.index(), input.place());
    let cx = input.cx();
    let inside = if one_line {
        !cx.first_on_line(index)
    } else {
        cx.first_on_line(index) && cx.indent(place.start) > cx.indent(start.start)
    };
    let else_of_it = cx.keyword(word, Place::Actions) == Some(Keyword::Else) && one_line;
    inside && !else_of_it && cx.keyword(word, Place::Actions).is_some()
}
