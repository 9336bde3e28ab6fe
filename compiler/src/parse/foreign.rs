//! Syntax of other languages, read as what it means, with a report that says how it is written here.
//!
//! Each function recognizes one habit. None of them gives up: the item goes on as if it had been written right.

use super::block::{self, push_item};
use super::context::{Context, Tokens};
use super::{Grammar, In, item, keyword, parts};
use crate::ast::{self, Expr, Node, Text};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Foreign, Token, clip};
use crate::source::Span;
use crate::syntax::{Keyword, Part, Place, Row};

/// Adds the mended text of a place, in the help too where that is short.
pub(super) fn mend(diagnostic: Diagnostic, span: Span, text: String) -> Diagnostic {
    let short = text.len() <= 100 && !text.contains('\n');
    let diagnostic = if short { diagnostic.help(format!("write `{text}`")) } else { diagnostic };
    diagnostic.fix(span, text)
}

/// `!x`
pub(super) fn prefix(foreign: Foreign, span: Span, _operand: &Expr) -> Diagnostic {
    Diagnostic::new(
        Code::ForeignOperator,
        format!("`{}` is no operator of this language", foreign.text()),
        span,
        "expected `not`",
    )
    .help(foreign.advice())
    .fix(span, "not ")
}

/// An operator of another language between two operands, and whether the expression means something all the same.
pub(super) fn infix(
    cx: &Context<'_>,
    token: Token,
    span: Span,
    lhs: &Expr,
    rhs: &Expr,
) -> Option<(Diagnostic, bool)> {
    let text = |span: Span| cx.slice(span);
    let whole = lhs.span.to(rhs.span);
    let between = |op: &str| format!("{} {op} {}", text(lhs.span), text(rhs.span));
    let (message, label, mended, keeps) = match token {
        Token::Near if cx.in_test => return None,
        Token::Near => (
            "`~=` compares only in tests".to_owned(),
            "means `nearly equal` there",
            Some(between("!=")),
            true,
        ),
        Token::Assign => ("`=` does not compare".to_owned(), "expected `==`", Some(between("==")), true),
        Token::Foreign(foreign) => {
            let message = format!("`{}` is no operator of this language", foreign.text());
            let (label, mended, keeps) = match foreign {
                Foreign::AndAnd | Foreign::Ampersand => ("expected `and`", Some(between("and")), true),
                Foreign::OrOr | Foreign::Pipe => ("expected `or`", Some(between("or")), true),
                Foreign::TripleEqual => ("expected `==`", Some(between("==")), true),
                Foreign::NotTripleEqual => ("expected `!=`", Some(between("!=")), true),
                Foreign::Percent => (
                    "expected a function",
                    Some(format!("mod({}, {})", text(lhs.span), text(rhs.span))),
                    false,
                ),
                Foreign::Caret | Foreign::StarStar => (
                    "expected a function",
                    Some(format!("pow({}, {})", text(lhs.span), text(rhs.span))),
                    false,
                ),
                _ => ("expected another operator", None, false),
            };
            let diagnostic = Diagnostic::new(Code::ForeignOperator, message, span, label);
            return Some((
                match mended {
                    Some(mended) => mend(diagnostic, whole, mended),
                    None => diagnostic.help(foreign.advice()),
                },
                keeps,
            ));
        }
        _ => return None,
    };
    let diagnostic = Diagnostic::new(Code::ForeignOperator, message, span, label);
    Some((mended.into_iter().fold(diagnostic, |diagnostic, text| mend(diagnostic, whole, text)), keeps))
}

/// `Priority = 5`, `Priority: 5`
pub(super) fn sign_before_value(input: &mut In<'_, '_>, row: &Row) {
    if !is_sign(input) {
        return;
    }
    let sign = input.bump();
    let mark = clip(input.cx().slice(sign));
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{mark}` between `{}` and its value", row.name),
        sign,
        "expected the value itself",
    )
    .help(format!("leave it out; the form is `{}`", row.example))
    .fix(sign, "");
    input.cx().push(diagnostic);
}

/// The same between a word of metadata and its literal.
pub(super) fn sign_before_literal(input: &mut In<'_, '_>) {
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
    sign && input.look(1).is_some_and(|next| {
        next.ends_value() && !next.is_closer() || matches!(next, Token::Minus | Token::LeftParen | Token::Not)
    })
}

/// Goes over the `=` of an assignment; false where there is none, which was reported.
pub(super) fn assign(input: &mut In<'_, '_>, row: &Row) -> bool {
    let span = input.place();
    let index = input.index();
    let target = input.previous();
    let (message, mended) = match input.look(0) {
        Some(Token::Assign) => {
            input.bump();
            return true;
        }
        Some(Token::Equal) => ("`==` compares, it does not assign".to_owned(), "=".to_owned()),
        Some(Token::Foreign(Foreign::ColonAssign)) => {
            ("`:=` is no sign of this language".to_owned(), "=".to_owned())
        }
        Some(Token::Foreign(foreign)) => {
            let name = clip(input.cx().slice(target));
            let (op, one) = match foreign {
                Foreign::PlusAssign => ("+", false),
                Foreign::MinusAssign => ("-", false),
                Foreign::StarAssign => ("*", false),
                Foreign::SlashAssign => ("/", false),
                Foreign::PlusPlus => ("+", true),
                _ => {
                    input.expected("`=` and a value", parts::form(row));
                    return false;
                }
            };
            report_update(input, foreign.text(), &name, op);
            if one {
                input.bump();
                let after = input.index();
                input.cx().mute(after);
                return false;
            }
            input.bump();
            return true;
        }
        Some(Token::Minus) if input.look(1) == Some(Token::Minus) => {
            let name = clip(input.cx().slice(target));
            report_update(input, "--", &name, "-");
            input.bump();
            input.bump();
            let after = input.index();
            input.cx().mute(after);
            return false;
        }
        Some(token) if token.ends_value() && !token.is_closer() || token == Token::Minus => {
            if input.cx().first_on_line(index) {
                input.expected("`=` and a value", parts::form(row));
                return false;
            }
            let after = target.after();
            let found = input.cx().found(index);
            let diagnostic = Diagnostic::new(
                Code::UnexpectedToken,
                format!("unexpected {found} after `{}`", clip(input.cx().slice(target))),
                span,
                "expected `=` before the value",
            )
            .help(format!("the form is `{}`", row.example))
            .fix(after, " =");
            input.cx().report(index, diagnostic);
            return true;
        }
        _ => {
            input.expected("`=` and a value", parts::form(row));
            return false;
        }
    };
    let diagnostic = Diagnostic::new(Code::ForeignOperator, message, span, "expected `=`").fix(span, mended);
    input.cx().report(index, diagnostic);
    input.bump();
    true
}

/// `x += 1`, `x++`
fn report_update(input: &mut In<'_, '_>, sign: &str, name: &str, op: &str) {
    let index = input.index();
    let span = input.place();
    let diagnostic = Diagnostic::new(
        Code::ForeignOperator,
        format!("`{sign}` is no operator of this language"),
        span,
        "expected `=` and the new value",
    )
    .help(format!("write `Set {name} = {name} {op} 1`, or whatever the amount is"));
    input.cx().report(index, diagnostic);
}

/// `Transition X if ready`
pub(super) fn if_for_when(input: &mut In<'_, '_>) {
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

/// `guard::Mood`
pub(super) fn double_colon(input: &mut In<'_, '_>) {
    let span = input.place();
    let diagnostic =
        Diagnostic::new(Code::ForeignOperator, "`::` does not join names here", span, "expected `.`")
            .help("write `.`")
            .fix(span, ".");
    input.cx().push(diagnostic);
}

/// A word where a text in quotes was meant.
pub(super) fn unquoted_text(input: &mut In<'_, '_>) -> Text {
    let mut span = input.bump();
    // `Use std/humanoid`: what clings to it belongs to it.
    while input.look(0).is_some()
        && input.place().start == span.end
        && !matches!(input.look(0), Some(token) if token.closer().is_some() || token.is_closer())
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

/// `Play(Idle)`
pub(super) fn parentheses(input: &mut In<'_, '_>, row: &Row, open: Span, inner: Span) {
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

/// `Transition to X`, `Transition -> X`
pub(super) fn words_before_target(input: &mut In<'_, '_>, row: &Row) {
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
    let cx = input.cx();
    let word = cx.slice(span);
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{word}` between `{}` and its target", row.name),
        span,
        "expected the name of a state",
    )
    .help(format!("leave it out; the form is `{}`", row.example))
    .fix(span, "");
    cx.push(diagnostic);
}

/// `State Idle:` and lines that are indented further.
pub(super) fn colon_block<'t>(
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
        let item = item::item(input, grammar, keyword, Vec::new());
        push_item(input, &mut nodes, item);
        input.cx().place = outer;
    }
    ast::Block { nodes, span: colon.to(input.previous()) }
}

/// A comma between items.
pub(super) fn comma(input: &mut In<'_, '_>, nodes: &mut [Node]) {
    let span = input.place();
    let index = input.index();
    let after = match nodes.last() {
        Some(Node::Item(item)) => format!("a comma after `{}`", item.keyword.name()),
        _ => "a comma that separates nothing".to_owned(),
    };
    let diagnostic =
        Diagnostic::new(Code::StrayComma, after, span, "expected the next item, or the end of the block")
            .help("leave it out: commas stand in lists of names and values only, never between items")
            .fix(span, "");
    input.cx().report(index, diagnostic);
    while input.eat(Token::Comma).is_some() {}
}

/// What begins where an item should, in the manner of another language; false where it is nothing known.
pub(super) fn node<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    place: Place,
    nodes: &mut Vec<Node>,
) -> bool {
    let Some(token) = input.look(0) else { return false };
    match token {
        Token::Comma => comma(input, nodes),
        Token::Foreign(Foreign::Semicolon) => semicolon(input),
        Token::When if late_when(input, grammar, nodes) => {}
        Token::When | Token::If | Token::Else => return reserved(input, grammar, place, nodes),
        Token::Arrow | Token::Foreign(Foreign::FatArrow)
            if matches!(place, Place::State | Place::Transitions) =>
        {
            arrow(input, grammar, nodes);
        }
        Token::Colon if matches!(input.look(1), Some(Token::Name(_))) => {
            return builder_call(input, place, nodes);
        }
        Token::Name(_) | Token::Not | Token::LeftParen | Token::Foreign(Foreign::Bang)
            if missing_when(input, grammar, nodes) => {}
        Token::Name(_) => return assignment(input, grammar, place, nodes) || lua(input, place, nodes),
        _ => return false,
    }
    true
}

fn semicolon(input: &mut In<'_, '_>) {
    let span = input.bump();
    let cx = input.cx();
    if std::mem::replace(&mut cx.semicolon, true) {
        return;
    }
    let diagnostic =
        Diagnostic::new(Code::ForeignOperator, "`;` ends nothing here", span, "expected the next item")
            .help("leave it out, here and elsewhere: an item ends where the next one begins")
            .fix(span, "");
    cx.push(diagnostic);
}

/// `Transition X { ... } when ready`
fn late_when<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, nodes: &mut [Node]) -> bool {
    let Some(Node::Item(item)) = nodes.last_mut() else { return false };
    if !item::takes(item.keyword.row(), Part::OptWhen) || item.block.is_none() {
        return false;
    }
    let span = input.bump();
    let condition = parts::value(input, grammar);
    let cx = input.cx();
    let text = clip(cx.slice(condition.span));
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "a condition after the block",
        span.to(condition.span),
        "expected before the block",
    )
    .label(
        item.block.as_ref().map_or(item.span, |block| Span { end: block.span.start + 1, ..block.span }),
        "the block begins here",
    )
    .help(format!("write `{} ... when {text} {{ ... }}`", item.keyword.name()));
    cx.push(diagnostic);
    if item.when().is_none() {
        item.head.insert(1.min(item.head.len()), ast::Part::When(condition));
    }
    true
}

/// `Transition Walk speed > 3`
fn missing_when<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, nodes: &mut [Node]) -> bool {
    let index = input.index();
    let span = input.place();
    if input.cx().first_on_line(index) || input.cx().silent(index) {
        return false;
    }
    let Some(Node::Item(item)) = nodes.last_mut() else { return false };
    let row = item.keyword.row();
    let open = item::takes(row, Part::OptWhen) && item.block.is_none() && item.head.len() == 1;
    if !open {
        return false;
    }
    let cx = input.cx();
    let found = cx.found(index);
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        format!("unexpected {found} after the target of `{}`", row.name),
        span,
        "expected `when` before a condition",
    )
    .help(format!("the form is `{}`", row.example))
    .fix(Span { end: span.start, ..span }, "when ");
    cx.report(index, diagnostic);
    let condition = parts::value(input, grammar);
    item.span = item.span.to(condition.span);
    item.head.push(ast::Part::When(condition));
    let start = item.span;
    item.block = block::after_head(input, grammar, row, start, true);
    item.span = item.block.as_ref().map_or(item.span, |block| item.span.to(block.span));
    true
}

/// `if`, `else`, `when` where `If`, `Else`, `When` were meant.
fn reserved<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, place: Place, nodes: &mut Vec<Node>) -> bool {
    let keyword = match input.look(0) {
        Some(Token::When) => Keyword::When,
        Some(Token::If) => Keyword::If,
        _ => Keyword::Else,
    };
    if !keyword.stands_in(place) {
        return false;
    }
    let span = keyword::lower_case(input, keyword.name());
    let item = item::after_keyword(input, grammar, keyword, span, Vec::new());
    push_item(input, nodes, item);
    true
}

/// `-> Walk when ready`
fn arrow<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, nodes: &mut Vec<Node>) {
    let span = input.bump();
    let cx = input.cx();
    let mark = cx.slice(span);
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{mark}` does not begin a transition"),
        span,
        "expected `Transition`",
    )
    .help(format!("the form is `{}`", Keyword::Transition.row().example))
    .fix(span, "Transition");
    cx.push(diagnostic);
    let item = item::after_keyword(input, grammar, Keyword::Transition, span, Vec::new());
    push_item(input, nodes, item);
}

/// `:State("Idle"):OnEntry()...`, the builder in Lua: one mistake however long it is.
fn builder_call(input: &mut In<'_, '_>, place: Place, nodes: &mut Vec<Node>) -> bool {
    if input.look(2) != Some(Token::LeftParen) {
        return false;
    }
    let start = input.place();
    let mut word = start;
    let mut first = true;
    while let (Some(Token::Colon | Token::Dot), Some(Token::Name(_))) = (input.look(0), input.look(1)) {
        input.bump();
        let name = input.bump();
        if std::mem::take(&mut first) {
            word = name;
        }
        if input.look(0) == Some(Token::LeftParen) {
            input.skip_balanced();
        }
    }
    let known = {
        let cx = input.cx();
        let symbol = cx.names.intern(cx.slice(word));
        cx.keyword(symbol, place).or_else(|| cx.any_keyword(symbol))
    };
    lua_report(input, start.to(word), known);
    nodes.push(Node::Error(start.to(input.previous())));
    true
}

fn lua_report(input: &mut In<'_, '_>, span: Span, known: Option<Keyword>) {
    let cx = input.cx();
    if std::mem::replace(&mut cx.lua, true) {
        return;
    }
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{}` is written for the builder in Lua", clip(cx.slice(span))),
        span,
        "expected an item of this language",
    );
    let diagnostic = match known {
        Some(keyword) => diagnostic.help(format!("here the form is `{}`", keyword.row().example)),
        None => diagnostic,
    };
    cx.push(diagnostic.help("`motixc import FILE.lua` turns a whole file into this language"));
}

/// `local x = ...`, `return ...`, `function ...`, `end`
fn lua(input: &mut In<'_, '_>, place: Place, nodes: &mut Vec<Node>) -> bool {
    let span = input.place();
    let word = input.cx().slice(span);
    if !matches!(word, "local" | "return" | "function" | "end" | "require") {
        return false;
    }
    lua_report(input, span, None);
    input.skip_balanced();
    // To where an item of ours stands at the start of a line.
    while let Some(token) = input.look(0) {
        if token.is_closer() {
            break;
        }
        if let Token::Name(word) = token {
            let at = input.index();
            let cx = input.cx();
            if cx.first_on_line(at) && cx.keyword(word, place).is_some() {
                break;
            }
        }
        input.skip_balanced();
    }
    nodes.push(Node::Error(span.to(input.previous())));
    true
}

/// `x = 1` where `Set x = 1` was meant, `speed: number` where `Param speed: number` was.
fn assignment<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    place: Place,
    nodes: &mut Vec<Node>,
) -> bool {
    let keyword = match (place, input.look(1)) {
        (
            Place::Actions | Place::Test,
            Some(
                Token::Assign
                | Token::Foreign(
                    Foreign::PlusAssign
                    | Foreign::MinusAssign
                    | Foreign::StarAssign
                    | Foreign::SlashAssign
                    | Foreign::PlusPlus
                    | Foreign::ColonAssign,
                ),
            ),
        ) => Keyword::Set,
        (Place::Behavior, Some(Token::Colon)) => Keyword::Param,
        _ => return false,
    };
    let span = input.place();
    let index = input.index();
    let cx = input.cx();
    let name = clip(cx.slice(span));
    let what = if keyword == Keyword::Set { "an assignment" } else { "a parameter" };
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("{what} without its keyword"),
        span,
        format!("expected `{} {name}`", keyword.name()),
    )
    .help(match cx.token(index + 1) {
        Some(Token::Foreign(foreign)) if keyword == Keyword::Set => match foreign {
            Foreign::PlusPlus | Foreign::PlusAssign => {
                format!("write `Set {name} = {name} + 1`, or whatever the amount is")
            }
            Foreign::MinusAssign => format!("write `Set {name} = {name} - 1`, or whatever the amount is"),
            _ => format!("the form is `{}`", keyword.row().example),
        },
        _ => format!("the form is `{}`", keyword.row().example),
    })
    .fix(Span { end: span.start, ..span }, format!("{} ", keyword.name()));
    cx.push(diagnostic);
    cx.mute(index + 1);
    let item = item::after_keyword(input, grammar, keyword, Span { end: span.start, ..span }, Vec::new());
    push_item(input, nodes, item);
    true
}
