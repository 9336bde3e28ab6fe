//! What begins where an item should, in the manner of other languages.

use super::super::block::{self, push_item};
use super::super::context::Tokens;
use super::super::{Grammar, In, item, keyword, parts};
use super::{entries, listeners, nearly, operators};
use crate::ast::{self, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Foreign, Token, clip};
use crate::source::Span;
use crate::syntax::{Keyword, Part, Place, Row};

/// A comma between items.
pub(in crate::parse) fn comma(input: &mut In<'_, '_>, nodes: &mut [Node]) {
    if nearly::decimal_comma(input) {
        return;
    }
    // Properties without braces are told as such, with the commas between them.
    if let (Some(Node::Item(before)), Some(Token::Name(word))) = (nodes.last(), input.look(1))
        && let crate::syntax::Block::Optional(inner) = before.keyword.row().block
        && before.block.is_none()
        && input.cx().keyword(word, inner).is_some()
        && !followed_by_line(input)
    {
        input.bump();
        return;
    }
    let span = input.place();
    let index = input.index();
    if std::mem::replace(&mut input.cx().comma, true) {
        while input.eat(Token::Comma).is_some() {}
        return;
    }
    let after = match nodes.last() {
        Some(Node::Item(item)) => format!("a comma after `{}`", item.keyword.name()),
        _ => "a comma that separates nothing".to_owned(),
    };
    let diagnostic =
        Diagnostic::new(Code::StrayComma, after, span, "expected the next item, or the end of the block")
            .help("leave it out, here and elsewhere: commas stand in lists of names and values only, never between items")
            .fix(span, "");
    input.cx().report(index, diagnostic);
    while input.eat(Token::Comma).is_some() {}
}

/// Whether a line begins after the next token.
fn followed_by_line(input: &mut In<'_, '_>) -> bool {
    let index = input.index();
    input.cx().first_on_line(index + 1)
}

/// `Transition Open when ready, not locked`: the rest of a condition behind a comma, which is reported and read.
fn comma_in_condition<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, nodes: &mut [Node]) -> bool {
    let Some(Node::Item(item)) = nodes.last_mut() else { return false };
    let Some(condition) = item.when().map(|condition| condition.span) else { return false };
    let begins = match input.look(1) {
        Some(Token::Not | Token::LeftParen | Token::Foreign(Foreign::Bang)) => true,
        Some(Token::Name(word)) => input.cx().any_keyword(word).is_none(),
        _ => false,
    };
    if item.block.is_some() || !begins || followed_by_line(input) {
        return false;
    }
    let comma = input.bump();
    let rest = parts::value(input, grammar);
    let cx = input.cx();
    let (first, second) = (clip(cx.slice(condition)), clip(cx.slice(rest.span)));
    let diagnostic =
        Diagnostic::new(Code::StrayComma, "a comma in a condition", comma, "expected `and` or `or`")
            .help(format!("write `{first} and {second}`"))
            .fix(comma, " and");
    cx.push(diagnostic);
    item.span = item.span.to(input.previous());
    let start = item.span;
    item.block = block::after_head(input, grammar, item.keyword.row(), start, true);
    item.span = item.block.as_ref().map_or(item.span, |block| item.span.to(block.span));
    true
}

/// What begins where an item should, in the manner of another language; false where it is nothing known.
pub(in crate::parse) fn node<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    place: Place,
    nodes: &mut Vec<Node>,
) -> bool {
    let Some(token) = input.look(0) else { return false };
    match token {
        Token::Comma if comma_in_condition(input, grammar, nodes) => {}
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
        Token::Name(_)
        | Token::Not
        | Token::LeftParen
        | Token::LeftBracket
        | Token::Foreign(Foreign::Bang)
            if missing_when(input, grammar, nodes) => {}
        Token::Name(_) if listeners::event_of_a_listener(input, grammar, place, nodes) => {}
        Token::Name(_) if place == Place::Blend && entries::position_without_colon(input, nodes) => {}
        Token::Name(_) if nearly::typed_declaration(input, grammar, place, nodes) => {}
        Token::Name(_) => return assignment(input, grammar, place, nodes) || lua(input, place, nodes),
        _ => return false,
    }
    true
}

pub(super) fn semicolon(input: &mut In<'_, '_>) {
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
        item.head.edit(|head| head.insert(1.min(head.len()), ast::Part::When(condition)));
    }
    true
}

/// Words that begin a condition elsewhere.
const OTHER_WHENS: &[&str] = &["unless", "where", "while", "whenever", "If", "When"];

/// `Transition Walk speed > 3`, `Transition Walk [speed > 3]`
fn missing_when<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, nodes: &mut [Node]) -> bool {
    let index = input.index();
    let span = input.place();
    if input.cx().first_on_line(index) || input.cx().silent(index) {
        return false;
    }
    // `Transition Open AtEnd`: a property without its braces.
    if let Some(Token::Name(word)) = input.look(0)
        && input.cx().keyword(word, Place::Transition).is_some()
    {
        return false;
    }
    let Some(Node::Item(item)) = nodes.last_mut() else { return false };
    let row = item.keyword.row();
    let open = item::takes(row, Part::OptWhen) && item.block.is_none() && item.head.len() == 1;
    if !open {
        return false;
    }
    if nearly::two_states(input, grammar, item) || nearly::time_for_condition(input, item) {
        return true;
    }
    let cx = input.cx();
    let found = cx.found(index);
    let word = cx.slice(span);
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        format!("unexpected {found} after the target of `{}`", row.name),
        span,
        "expected `when` before a condition",
    )
    .help(format!("the form is `{}`", row.example));
    let diagnostic = match word {
        "unless" => diagnostic.help("write `when not (...)`"),
        "[" => diagnostic,
        word if OTHER_WHENS.contains(&word) => diagnostic.fix(span, "when"),
        _ => diagnostic.fix(Span { end: span.start, ..span }, "when "),
    };
    cx.report(index, diagnostic);
    let bracket = input.look(0) == Some(Token::LeftBracket);
    if bracket || OTHER_WHENS.contains(&word) {
        input.bump();
    }
    let condition = parts::value(input, grammar);
    if bracket {
        while input.look(0).is_some_and(|token| token != Token::RightBracket) {
            input.skip_balanced();
        }
        input.bump();
    }
    item.span = item.span.to(input.previous());
    item.head.edit(|head| head.push(ast::Part::When(condition)));
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
    let told = keyword == Keyword::Else && super::goes_on_without_braces(input);
    let span = if told { input.bump() } else { keyword::lower_case(input, keyword.name()) };
    let item = item::after_keyword(input, grammar, keyword, span, ast::Modifiers::default());
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
    let item = item::after_keyword(input, grammar, Keyword::Transition, span, ast::Modifiers::default());
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
        (Place::Behavior, Some(Token::Assign)) => Keyword::Let,
        (Place::File, Some(Token::Assign)) => Keyword::Const,
        (Place::Behavior, Some(Token::Colon)) => Keyword::Param,
        (Place::Behavior, Some(Token::Comma)) if names_before_colon(input) => Keyword::Param,
        _ => return false,
    };
    let span = input.place();
    let index = input.index();
    let cx = input.cx();
    let name = clip(cx.slice(span));
    let what = match keyword {
        Keyword::Set => "an assignment",
        Keyword::Let => "a named value",
        Keyword::Const => "a constant",
        _ => "a parameter",
    };
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("{what} without its keyword"),
        span,
        format!("expected `{} {name}`", keyword.name()),
    );
    let sign = cx.token(index + 1);
    cx.mute(index + 1);
    let item = item::after_keyword(
        input,
        grammar,
        keyword,
        Span { end: span.start, ..span },
        ast::Modifiers::default(),
    );
    let end = input.previous().end;
    let cx = input.cx();
    let value = cx.span(index + 2);
    let diagnostic = diagnostic
    .help(match sign {
        Some(Token::Foreign(Foreign::PlusPlus)) => format!("write `Set {name} = {name} + 1`"),
        Some(Token::Foreign(foreign)) if value.start < end => {
            let op = foreign.text().trim_end_matches('=').trim_start_matches(':');
            let mut value = clip(cx.slice(Span { end, ..value }));
            if !op.is_empty() {
                value = operators::updated(&name, op, &value);
            }
            format!("write `Set {name} = {value}`")
        }
        _ if keyword == Keyword::Let => {
            format!("write `Let {name}` for a value, `Predicate {name}` for a condition, `Param {name}: number` for what the host sets")
        }
        _ => format!("the form is `{}`", keyword.row().example),
    })
    .fix(Span { end: span.start, ..span }, format!("{} ", keyword.name()));
    cx.push(diagnostic);
    push_item(input, nodes, item);
    true
}

/// `light, heavy: trigger`
fn names_before_colon(input: &mut In<'_, '_>) -> bool {
    let mut ahead = 1;
    while input.look(ahead) == Some(Token::Comma) && matches!(input.look(ahead + 1), Some(Token::Name(_))) {
        ahead += 2;
    }
    ahead > 1 && input.look(ahead) == Some(Token::Colon)
}

/// `Stand { Clip Idle }`: a name and a block that tells which keyword was left out. `near` is the keyword that the word
/// is near to.
pub(in crate::parse) fn keyword_left_out<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    place: Place,
    near: Option<Keyword>,
    nodes: &mut Vec<Node>,
) -> bool {
    let (Some(Token::LeftBrace), Some(Token::Name(inner))) = (input.look(1), input.look(2)) else {
        return false;
    };
    let named = |row: &Row| matches!(row.head.first(), Some(Part::Name | Part::Names | Part::Path));
    let cx = input.cx();
    if near.is_some_and(|near| !named(near.row()))
        || place != Place::State && cx.keyword(inner, place).is_some()
    {
        return false;
    }
    let left_out = [
        (Keyword::State, Place::State),
        (Keyword::Animation, Place::Animation),
        (Keyword::Layer, Place::Layer),
    ];
    let found = left_out
        .into_iter()
        .find(|(keyword, holds)| keyword.stands_in(place) && cx.keyword(inner, *holds).is_some());
    let Some((keyword, _)) = found else { return false };
    let span = input.place();
    let index = input.index();
    let cx = input.cx();
    let name = cx.slice(span);
    let mended = format!("{} {}", keyword.name(), clip(name));
    let diagnostic = Diagnostic::new(
        Code::UnknownKeyword,
        format!("`{}` and a block, without a keyword", clip(name)),
        span,
        format!("expected `{mended}`"),
    )
    .help(format!("write `{mended} {{ ... }}`"))
    .fix(Span { end: span.start, ..span }, format!("{} ", keyword.name()));
    cx.report(index, diagnostic);
    let before = Span { end: span.start, ..span };
    let item = item::after_keyword(input, grammar, keyword, before, ast::Modifiers::default());
    push_item(input, nodes, item);
    true
}

/// `States { State Idle { ... } }`: a block around items that stand without one.
pub(in crate::parse) fn group_of_items<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    place: Place,
    keyword: Keyword,
    nodes: &mut Vec<Node>,
) -> bool {
    let named = matches!(keyword.row().head.first(), Some(Part::Name | Part::Names | Part::Path));
    let Some(Token::Name(inner)) = input.look(2) else { return false };
    let same = input.cx().keyword(inner, place) == Some(keyword);
    if !named || !same || input.look(1) != Some(Token::LeftBrace) {
        return false;
    }
    let span = input.bump();
    let row = keyword.row();
    let cx = input.cx();
    let diagnostic = Diagnostic::new(
        Code::UnknownKeyword,
        format!("unknown keyword `{}`", cx.slice(span)),
        span,
        format!("expected `{}` and {}", row.name, parts::named(row)),
    )
    .help(format!("no block stands around them; the form is `{}`", row.example));
    cx.push(diagnostic);
    nodes.extend(block::braces(input, grammar, place).nodes);
    true
}

/// `Initial State Idle { ... }`: the state, and the `InitialState` that was meant.
pub(in crate::parse) fn initial_before_state<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    place: Place,
    keyword: Keyword,
    nodes: &mut Vec<Node>,
) -> bool {
    let Some(Token::Name(word)) = input.look(1) else { return false };
    let state = keyword == Keyword::InitialState && input.cx().keyword(word, place) == Some(Keyword::State);
    if !state || !matches!(input.look(2), Some(Token::Name(_) | Token::Quoted(_) | Token::Text(_))) {
        return false;
    }
    let span = input.bump();
    let item = item::item(input, grammar, Keyword::State, ast::Modifiers::default());
    let Some(name) = item.name() else {
        push_item(input, nodes, item);
        return true;
    };
    let cx = input.cx();
    let state = cx.slice(name.span);
    let mended = format!("InitialState {state}");
    let diagnostic = Diagnostic::new(
        Code::UnknownKeyword,
        format!("unknown keyword `{}`", cx.slice(span)),
        span,
        "where a machine starts is said beside its states",
    )
    .help(format!("write `{mended}`, and then `State {state}`"))
    .fix(span, mended);
    cx.push(diagnostic);
    let path = ast::Path { names: ast::Names::One(name), span: name.span };
    nodes.push(Node::Item(ast::Item {
        keyword: Keyword::InitialState,
        keyword_span: span,
        modifiers: ast::Modifiers::default(),
        head: ast::Head::One(ast::Part::Path(path)),
        block: None,
        span,
        doc: None,
    }));
    push_item(input, nodes, item);
    true
}

/// `Any State { ... }`, `Exit Time 80%`: two words on a line that are one keyword; false where they are not.
pub(in crate::parse) fn keyword_in_two_words<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    place: Place,
    nodes: &mut Vec<Node>,
) -> bool {
    let (Some(Token::Name(_)), Some(Token::Name(_))) = (input.look(0), input.look(1)) else { return false };
    let index = input.index();
    let span = input.place();
    let cx = input.cx();
    let second = cx.span(index + 1);
    let joined = format!("{}{}", cx.slice(span), cx.slice(second));
    let mut here = Keyword::ALL.iter().filter(|keyword| keyword.stands_in(place));
    let found = here.find(|keyword| keyword.name().eq_ignore_ascii_case(&joined));
    let Some(keyword) = found.filter(|_| !cx.first_on_line(index + 1)) else { return false };
    // `Initial State Idle { ... }` is a state, with a mark.
    let state = *keyword == Keyword::InitialState && cx.token(index + 3) == Some(Token::LeftBrace);
    if state || cx.silent(index) {
        return false;
    }
    let whole = span.to(second);
    let name = keyword.name();
    let diagnostic = Diagnostic::new(
        Code::UnknownKeyword,
        format!("`{}` in two words", clip(cx.slice(whole))),
        whole,
        format!("expected `{name}`"),
    )
    .help(format!("write `{name}`"))
    .fix(whole, name);
    cx.push(diagnostic);
    input.bump();
    input.bump();
    let item = item::after_keyword(input, grammar, *keyword, whole, ast::Modifiers::default());
    push_item(input, nodes, item);
    true
}

/// `Transition Walk when ready Priority 2 Duration 1s`: properties without braces, which are read as if they had them;
/// false where the next word is none of the item before.
pub(in crate::parse) fn properties_without_braces<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    keyword: Keyword,
    nodes: &mut [Node],
) -> bool {
    let index = input.index();
    let Some(Node::Item(before)) = nodes.last_mut() else { return false };
    let crate::syntax::Block::Optional(inner) = before.keyword.row().block else { return false };
    if before.block.is_some() || !keyword.stands_in(inner) || input.cx().first_on_line(index) {
        return false;
    }
    let start = input.place();
    let outer = std::mem::replace(&mut input.cx().place, inner);
    let (mut properties, mut spans) = (Vec::new(), Vec::new());
    while let Some(Token::Name(word)) = input.look(0) {
        let index = input.index();
        let cx = input.cx();
        let Some(keyword) = cx.keyword(word, inner).filter(|_| !cx.first_on_line(index)) else { break };
        if cx.keyword(word, outer).is_some() {
            break;
        }
        let item = item::item(input, grammar, keyword, ast::Modifiers::default());
        spans.push(item.span);
        properties.push(Node::Item(item));
        while input.eat(Token::Comma).is_some() {}
    }
    input.cx().place = outer;
    let span = start.to(input.previous());
    let cx = input.cx();
    let owner = before.keyword.name();
    let diagnostic = Diagnostic::new(
        Code::MisplacedKeyword,
        format!("properties of `{owner}` without braces"),
        span,
        format!("expected `{{` before `{}`", keyword.name()),
    );
    let texts: Vec<&str> = spans.iter().map(|span| cx.slice(*span)).collect();
    let mended = format!("{{ {} }}", texts.join(" "));
    let diagnostic = super::mend(diagnostic, span, mended);
    cx.push(diagnostic);
    before.span = before.span.to(span);
    before.block = Some(ast::Block { nodes: properties, span });
    true
}
