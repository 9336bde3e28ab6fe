//! Syntax of other languages, read as what it means, with a report that says how it is written here.
//!
//! Each function recognizes one habit. None of them gives up: the item goes on as if it had been written right.

use super::block::{self, push_item};
use super::context::{Context, Tokens};
use super::parts::Reported;
use super::{Grammar, In, item, keyword, parts};
use crate::ast::{self, Expr, ExprKind, Node, Text};
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
pub(super) fn prefix(cx: &Context<'_>, foreign: Foreign, span: Span, operand: &Expr) -> Diagnostic {
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
pub(super) fn infix(
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
    sign && input.look(1).is_some_and(starts_value)
}

/// `= value`, or what stands for it.
pub(super) fn assign<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, row: &Row) -> Result<Expr, Reported> {
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
            input.expected("`=` and a value", parts::form(row));
            return Err(Reported);
        }
    }
    Ok(parts::value(input, grammar))
}

const fn starts_value(token: Token) -> bool {
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
    .help(format!("write `Set {name} = {name} {op} {amount}`"))
    .fix(sign.to(end), format!("= {name} {op} {amount}"));
    cx.push(diagnostic);
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
pub(super) fn ends_with_colon(input: &mut In<'_, '_>) -> bool {
    let index = input.index();
    let call = matches!((input.look(1), input.look(2)), (Some(Token::Name(_)), Some(Token::LeftParen)));
    input.look(0) == Some(Token::Colon) && !call && !input.cx().first_on_line(index)
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
    let opens = item.block.as_ref().map_or(item.span, |block| block.span).start;
    let head = clip(cx.slice(Span { end: opens, ..item.span }).trim_end());
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "a condition after the block",
        span.to(condition.span),
        "expected before the block",
    )
    .label(Span { start: opens, end: opens + 1, ..span }, "the block begins here")
    .help(format!("write `{head} when {text} {{ ... }}`"));
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
        Some(Token::Foreign(foreign)) => foreign.advice().replace("x", &name),
        _ => format!("the form is `{}`", keyword.row().example),
    })
    .fix(Span { end: span.start, ..span }, format!("{} ", keyword.name()));
    cx.push(diagnostic);
    cx.mute(index + 1);
    let item = item::after_keyword(input, grammar, keyword, Span { end: span.start, ..span }, Vec::new());
    push_item(input, nodes, item);
    true
}
