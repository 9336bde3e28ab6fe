//! What is nearly right: a unit apart from its number, a word for an operator, a type before its name, a name of
//! several words, a list without its commas.

use super::super::context::Tokens;
use super::super::parts::Reported;
use super::super::{Grammar, In, block, keyword, parts};
use super::operators::mend;
use crate::ast::{self, BinaryOp, Expr, ExprKind, Name, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::intern::Symbol;
use crate::lex::{Foreign, Token, clip};
use crate::source::Span;
use crate::syntax::{Keyword, Place, Row};

/// `400 ms`: gives the duration, the number having been read.
pub(in crate::parse) fn spaced_unit(input: &mut In<'_, '_>, number: Span, value: f32) -> Option<ExprKind> {
    let index = input.index();
    if !matches!(input.look(0), Some(Token::Name(_))) || input.cx().place == Place::Metadata {
        return None;
    }
    let span = input.place();
    let cx = input.cx();
    let (unit, seconds) = match cx.slice(span) {
        "ms" | "msec" | "millis" | "milliseconds" => ("ms", value / 1000.0),
        "s" | "sec" | "secs" | "second" | "seconds" => ("s", value),
        "frames" | "frame" | "ticks" | "tick" if !cx.first_on_line(index) => {
            return frames(input, number, value);
        }
        _ => return None,
    };
    if cx.first_on_line(index) {
        return None;
    }
    let written = cx.slice(number);
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        format!("a space between `{written}` and its unit"),
        span,
        "expected the unit right after the number",
    );
    let mended = format!("{written}{unit}");
    cx.push(mend(diagnostic, number.to(span), mended));
    input.bump();
    Some(ExprKind::Duration(seconds))
}

/// `30 frames`
fn frames(input: &mut In<'_, '_>, number: Span, value: f32) -> Option<ExprKind> {
    let counts = input.cx().row.is_some_and(|row| row.keyword == Keyword::StepTicks);
    let span = input.bump();
    let cx = input.cx();
    let (unit, written) = (cx.slice(span), cx.slice(number));
    let diagnostic =
        Diagnostic::new(Code::UnknownUnit, format!("`{unit}` is no unit"), span, "expected `ms` or `s`");
    let diagnostic = if counts {
        diagnostic
            .help(format!("`Step` counts ticks: write `Step {written}`"))
            .fix(number.after().to(span), "")
    } else {
        let seconds = |rate: f32| (value / rate * 1000.0).round() / 1000.0;
        let (film, screen) = (seconds(30.0), seconds(60.0));
        diagnostic.help(format!("write the time: at 30 a second that is `{film}s`, at 60 `{screen}s`"))
    };
    cx.push(diagnostic);
    Some(if counts { ExprKind::Number(value) } else { ExprKind::Error })
}

/// `a is b`, `a AND b`: goes on over words that stand for operators.
pub(in crate::parse) fn word_operators<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    left: Expr,
) -> Expr {
    let mut whole = left;
    if let Some(between) = between(input, grammar, &whole) {
        whole = between;
    }
    while let Some((plain, span)) = word_operator(input, &whole) {
        let right = input.parse(&grammar.value).unwrap_or_else(|_| input.no_value());
        let cx = input.cx();
        let word = cx.slice(span);
        let diagnostic = if matches!(plain, "and" | "or") {
            Diagnostic::new(
                Code::UnknownKeyword,
                format!("unknown keyword `{word}`"),
                span,
                format!("expected `{plain}`"),
            )
            .help(format!("did you mean `{plain}`? The words of expressions are in lower case"))
        } else {
            let (left, right) = (clip(cx.slice(whole.span)), clip(cx.slice(right.span)));
            Diagnostic::new(
                Code::ForeignOperator,
                format!("`{word}` is no operator of this language"),
                span,
                format!("expected `{plain}`"),
            )
            .help(format!("write `{left} {plain} {right}`"))
        };
        cx.push(diagnostic.fix(span, plain));
        whole = Expr { kind: ExprKind::Error, span: whole.span.to(right.span) };
    }
    whole
}

/// `speed between 3 and 5`
fn between<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, left: &Expr) -> Option<Expr> {
    let Some(Token::Name(symbol)) = input.look(0) else { return None };
    let index = input.index();
    let span = input.place();
    let cx = input.cx();
    let silent = cx.silent(index) || left.span.start == left.span.end;
    if cx.slice(span) != "between"
        || silent
        || cx.first_on_line(index)
        || cx.keyword(symbol, cx.place).is_some()
    {
        return None;
    }
    input.bump();
    let right = input.parse(&grammar.value).unwrap_or_else(|_| input.no_value());
    let whole = left.span.to(right.span);
    let cx = input.cx();
    let mut diagnostic = Diagnostic::new(
        Code::ForeignOperator,
        "`between` is no operator of this language",
        span,
        "expected two comparisons",
    );
    diagnostic = match &right.kind {
        ExprKind::Binary(BinaryOp::And, _, bounds) => {
            let [low, high] = &**bounds;
            let [what, low, high] = [left.span, low.span, high.span].map(|span| clip(cx.slice(span)));
            let mended = format!("{what} >= {low} and {what} <= {high}");
            diagnostic.help(format!("write `{mended}`")).fix(whole, mended)
        }
        _ => diagnostic.help("write `x >= 3 and x <= 5`"),
    };
    cx.push(diagnostic);
    Some(Expr { kind: ExprKind::Error, span: whole })
}

fn word_operator(input: &mut In<'_, '_>, left: &Expr) -> Option<(&'static str, Span)> {
    let Some(Token::Name(symbol)) = input.look(0) else { return None };
    let index = input.index();
    let span = input.place();
    let cx = input.cx();
    let silent = cx.silent(index) || left.span.start == left.span.end;
    if silent || cx.first_on_line(index) || cx.keyword(symbol, cx.place).is_some() {
        return None;
    }
    let plain = match cx.slice(span) {
        "is" | "Is" | "IS" | "equals" | "eq" => "==",
        "isnt" | "neq" | "ne" => "!=",
        "AND" | "And" => "and",
        "OR" | "Or" => "or",
        _ => return None,
    };
    input.bump();
    if plain == "==" && input.look(0) == Some(Token::Not) {
        return Some(("!=", span.to(input.bump())));
    }
    Some((plain, span))
}

/// How a type that a word names elsewhere is called here.
pub(super) fn plain_type(word: &str) -> Option<&'static str> {
    Some(match word {
        "bool" | "boolean" | "Bool" | "Boolean" => "bool",
        "int" | "float" | "number" | "double" | "Int" | "Float" | "Number" => "number",
        "string" | "String" => "string",
        "trigger" => "trigger",
        "color" => "color",
        _ => return None,
    })
}

/// A type and a name that stand beside each other on a line.
fn type_and_name(input: &mut In<'_, '_>) -> Option<(&'static str, Symbol)> {
    let (Some(Token::Name(_)), Some(Token::Name(name))) = (input.look(0), input.look(1)) else { return None };
    let index = input.index();
    let span = input.place();
    let cx = input.cx();
    if cx.first_on_line(index + 1) || cx.any_keyword(name).is_some() {
        return None;
    }
    Some((plain_type(cx.slice(span))?, name))
}

/// `Param bool on`
pub(in crate::parse) fn type_before_name(input: &mut In<'_, '_>, row: &Row) -> Result<(), Reported> {
    if row.keyword != Keyword::Param || input.look(2) == Some(Token::Colon) {
        return Ok(());
    }
    let Some((ty, name)) = type_and_name(input) else { return Ok(()) };
    let span = input.bump();
    let whole = span.to(input.bump());
    let cx = input.cx();
    let mended = format!("{}: {ty}", cx.slice(Span { start: span.end, ..whole }).trim());
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "a type before the name of a parameter",
        span,
        "expected the name first, then `:` and the type",
    )
    .help(format!("write `Param {mended}`"))
    .fix(whole, mended);
    cx.push(diagnostic);
    cx.lost.push(name);
    Err(Reported)
}

/// `bool on = false` where `Param on: bool = false` was meant; false where it is something else.
pub(in crate::parse) fn typed_declaration<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    place: Place,
    nodes: &mut Vec<Node>,
) -> bool {
    if place != Place::Behavior {
        return false;
    }
    let Some((ty, _)) = type_and_name(input) else { return false };
    let span = input.bump();
    let name = input.bump();
    let mut whole = span.to(name);
    let mut mended = format!("Param {}: {ty}", input.cx().slice(name));
    if input.eat(Token::Assign).is_some() {
        let value = parts::value(input, grammar);
        mended = format!("{mended} = {}", input.cx().slice(value.span));
        whole = whole.to(value.span);
    }
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "a parameter without its keyword",
        span,
        "expected `Param`, the name, `:` and the type",
    );
    input.cx().push(mend(diagnostic, whole, mended));
    if input.look(0) == Some(Token::LeftBrace) {
        input.skip_balanced();
    }
    // The words of it are known as lost, so nothing more is said about them.
    nodes.push(Node::Error(whole));
    true
}

/// `enum { calm, angry }`, the word being next: gives the variants where they do not stand in parentheses.
pub(in crate::parse) fn variants_in_braces(input: &mut In<'_, '_>) -> Option<Vec<Name>> {
    let closer = match input.look(1) {
        Some(Token::LeftBrace) => Token::RightBrace,
        Some(Token::LeftBracket) => Token::RightBracket,
        _ => return None,
    };
    let start = input.bump();
    let open = input.bump();
    let mut variants = Vec::new();
    let mut texts = Vec::new();
    while input.look(0).is_some_and(|token| token != closer) {
        match input.look(0) {
            Some(Token::Name(symbol) | Token::Quoted(symbol) | Token::Text(symbol)) => {
                let span = input.bump();
                let cx = input.cx();
                texts.push(cx.slice(span).trim_matches('"').to_owned());
                variants.push(Name { symbol, span, quoted: true });
            }
            _ => input.skip_balanced(),
        }
    }
    let whole = start.to(input.bump());
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "the variants of an enum stand in parentheses",
        open,
        "expected `(`",
    );
    input.cx().push(mend(diagnostic, whole, format!("enum({})", texts.join(", "))));
    Some(variants)
}

/// `State Idle = { ... }`
pub(in crate::parse) fn assign_before_block(input: &mut In<'_, '_>, row: &Row) {
    if (input.look(0), input.look(1)) != (Some(Token::Assign), Some(Token::LeftBrace)) {
        return;
    }
    let span = input.bump();
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`=` after the head of `{}`", row.name),
        span,
        "expected the block in braces",
    )
    .help(format!("leave it out; the form is `{}`", row.example))
    .fix(span, "");
    input.cx().push(diagnostic);
}

/// `Behavior Guard: Humanoid`, `Behavior Guard inherits Humanoid`: reads what stands for `extends`, with a report.
pub(in crate::parse) fn extends(input: &mut In<'_, '_>) -> bool {
    let index = input.index();
    let span = input.place();
    let named = matches!(input.look(1), Some(Token::Name(_) | Token::Quoted(_)));
    let opens = matches!(input.look(2), Some(Token::LeftBrace | Token::Comma | Token::Dot));
    let cx = input.cx();
    let meant = match cx.token(index) {
        Some(Token::Colon) => true,
        Some(Token::Name(_)) => matches!(
            &*cx.slice(span).to_ascii_lowercase(),
            "extend" | "extends" | "inherit" | "inherits" | "implements" | "from" | "is"
        ),
        _ => false,
    };
    if !(meant && named && opens) || cx.first_on_line(index) {
        return false;
    }
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{}` before the behavior that is extended", cx.slice(span)),
        span,
        "expected `extends`",
    )
    .help("write `Behavior Guard extends Humanoid { ... }`")
    .fix(span, if cx.token(index) == Some(Token::Colon) { " extends" } else { "extends" });
    cx.push(diagnostic);
    input.bump();
    true
}

/// `extends Humanoid, Named`: goes over the further names, with a report.
pub(in crate::parse) fn further_bases(input: &mut In<'_, '_>) {
    if input.look(0) != Some(Token::Comma) {
        return;
    }
    let start = input.place();
    while input.eat(Token::Comma).is_some() && parts::path(input, true).is_some() {}
    let span = start.to(input.previous());
    let diagnostic =
        Diagnostic::new(Code::ForeignSyntax, "a behavior extends one other", span, "expected one behavior")
            .help("let that one extend the other, or put what they share into a `Component`")
            .fix(span, "");
    input.cx().push(diagnostic);
}

/// `Enum Mood = calm | wary`: the variants, with a report.
pub(in crate::parse) fn assigned_variants(input: &mut In<'_, '_>, row: &Row) -> Option<ast::Block> {
    let named = matches!(input.look(1), Some(Token::Name(_) | Token::Quoted(_) | Token::Text(_)));
    if row.keyword != Keyword::Enum || input.look(0) != Some(Token::Assign) || !named {
        return None;
    }
    let sign = input.bump();
    let mut nodes = Vec::new();
    while let Some(name) = parts::name_token(input) {
        nodes.push(Node::Name(name));
        if !matches!(input.look(0), Some(Token::Comma | Token::Foreign(Foreign::Pipe))) {
            break;
        }
        input.bump();
    }
    let whole = sign.to(input.previous());
    let cx = input.cx();
    let list: Vec<&str> = nodes
        .iter()
        .filter_map(|node| if let Node::Name(name) = node { Some(cx.slice(name.span)) } else { None })
        .collect();
    let mended = format!("{{ {} }}", list.join(" "));
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "the variants of an `Enum` stand in its block",
        sign,
        "expected `{`",
    )
    .help(format!("write `{}`", clip(&mended)))
    .fix(whole, mended);
    cx.push(diagnostic);
    Some(ast::Block { nodes, span: whole })
}

/// `Tags a b`, `Include "a" "b"`: whether one more element of the list follows without its comma.
pub(in crate::parse) fn missing_comma(input: &mut In<'_, '_>, row: &Row) -> bool {
    if input.look(0) == Some(Token::And) {
        return and_for_comma(input);
    }
    let index = input.index();
    let span = input.place();
    let previous = input.previous();
    let after = input.look(1);
    let more = match input.look(0) {
        Some(Token::Text(_)) => row.keyword != Keyword::Tags,
        Some(Token::Name(word)) if row.keyword == Keyword::Tags => {
            let cx = input.cx();
            let ends = match after {
                None | Some(Token::Comma | Token::RightBrace) => true,
                Some(Token::Name(next)) => {
                    // Of three words the last one may be followed by a literal.
                    let last = matches!(cx.token(index + 2), None | Some(Token::RightBrace));
                    cx.first_on_line(index + 1)
                        || cx.keyword(next, cx.place).is_some()
                        || last
                        || cx.first_on_line(index + 2)
                }
                _ => false,
            };
            let text = cx.slice(span);
            ends && cx.any_keyword(word).is_none()
                && keyword::meant(&mut cx.nearest, text, cx.place).is_none()
        }
        _ => false,
    };
    let cx = input.cx();
    if !more || cx.first_on_line(index) || cx.silent(index) {
        return false;
    }
    let (left, right) = (clip(cx.slice(previous)), clip(cx.slice(span)));
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        format!("unexpected `{right}` after `{left}`"),
        span,
        "expected `,` before it",
    )
    .help(format!("write `{left}, {right}`"))
    .fix(previous.after(), ",");
    cx.push(diagnostic);
    true
}

/// `Tags melee and heavy`
fn and_for_comma(input: &mut In<'_, '_>) -> bool {
    if !matches!(input.look(1), Some(Token::Name(_) | Token::Quoted(_) | Token::Text(_))) {
        return false;
    }
    let previous = input.previous();
    let span = input.bump();
    let next = input.place();
    let cx = input.cx();
    let (left, right) = (clip(cx.slice(previous)), clip(cx.slice(next)));
    let diagnostic = Diagnostic::new(Code::UnexpectedToken, "`and` in a list", span, "expected `,`")
        .help(format!("write `{left}, {right}`"))
        .fix(previous.after().to(span), ",");
    cx.push(diagnostic);
    true
}

/// `0,2`: a comma in a number; false where it is another comma.
pub(in crate::parse) fn decimal_comma(input: &mut In<'_, '_>) -> bool {
    let Some(before) = input.index().checked_sub(1) else { return false };
    let (whole, comma) = (input.previous(), input.place());
    let after = input.look(1);
    let cx = input.cx();
    let fraction = cx.span(before + 2);
    let digits = |span: Span| cx.slice(span).starts_with(|c: char| c.is_ascii_digit());
    let plain = cx.slice(whole).bytes().all(|byte| byte.is_ascii_digit());
    if !(matches!(after, Some(Token::Number(_) | Token::Duration(_) | Token::Ratio(_)))
        && cx.token(before).is_some_and(|token| matches!(token, Token::Number(_)))
        && plain
        && digits(fraction)
        && whole.end == comma.start
        && comma.end == fraction.start)
    {
        return false;
    }
    let span = whole.to(fraction);
    let written = cx.slice(span);
    let diagnostic = Diagnostic::new(
        Code::MalformedNumber,
        format!("`{written}` is not a number"),
        span,
        "expected a point in place of the comma",
    );
    let mended = written.replace(',', ".");
    cx.push(mend(diagnostic, span, mended));
    input.bump();
    input.bump();
    true
}

/// `Transition Idle Walk when ready`: the second is taken as the target.
pub(super) fn two_states<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, item: &mut ast::Item) -> bool {
    let named = matches!(input.look(0), Some(Token::Name(_) | Token::Quoted(_)));
    if item.keyword != Keyword::Transition || !named || input.look(1) != Some(Token::When) {
        return false;
    }
    let Some(target) = parts::path(input, false) else { return false };
    let start = item.keyword_span.after().to(target.span);
    let cx = input.cx();
    let source = cx.slice(Span { end: target.span.start, ..start }).trim();
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "a transition with its source",
        start,
        "expected the target alone",
    )
    .help(format!("write `Transition {}` in the state `{source}`", cx.slice(target.span)))
    .fix(start, format!(" {}", cx.slice(target.span)));
    cx.push(diagnostic);
    input.bump();
    let condition = parts::value(input, grammar);
    item.head = [ast::Part::Path(target), ast::Part::When(condition)].into_iter().collect();
    item.span = item.span.to(input.previous());
    let row = item.keyword.row();
    item.block = block::after_head(input, grammar, row, item.span, true);
    true
}

/// `Transition Walk after 2s`
pub(super) fn time_for_condition(input: &mut In<'_, '_>, item: &mut ast::Item) -> bool {
    let word = input.place();
    let known = matches!(input.cx().slice(word), "after" | "After" | "in");
    let time = matches!(input.look(1), Some(Token::Duration(_) | Token::Number(_)));
    if item.keyword != Keyword::Transition || !known || !time {
        return false;
    }
    input.bump();
    let time = input.bump();
    let cx = input.cx();
    let mended = format!("when elapsed >= {}", cx.slice(time));
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{}` before a time", cx.slice(word)),
        word,
        "expected `when` and a condition",
    );
    cx.push(mend(diagnostic, word.to(time), mended));
    let condition = ast::Part::When(Expr { kind: ExprKind::Error, span: time });
    item.head.edit(|head| head.push(condition));
    item.span = item.span.to(time);
    true
}

/// `Transition Walk on ready`, after `on`: gives the condition.
pub(in crate::parse) fn on_condition<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    on: Span,
) -> Option<Expr> {
    let index = input.index();
    let starts = matches!(input.look(0), Some(Token::Name(_) | Token::Quoted(_) | Token::Not));
    if !starts || input.cx().first_on_line(index) {
        return None;
    }
    let condition = parts::value(input, grammar);
    let cx = input.cx();
    let text = clip(cx.slice(condition.span));
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "`on` before a condition",
        on,
        "expected `when`, or `on request`",
    )
    .help(format!("write `when {text}`"))
    .fix(on, "when");
    cx.push(diagnostic);
    Some(condition)
}

/// `Const X: number = 3`: the type of a constant is that of its value.
pub(in crate::parse) fn needless_type(input: &mut In<'_, '_>, row: &Row) {
    let next = (input.look(0), input.look(2));
    if next != (Some(Token::Colon), Some(Token::Assign)) || !matches!(input.look(1), Some(Token::Name(_))) {
        return;
    }
    let colon = input.bump();
    let whole = colon.to(input.bump());
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("a type in a `{}`", row.name),
        whole,
        "expected `=` and a value, which has a type of its own",
    )
    .help(format!("leave it out; the form is `{}`", row.example))
    .fix(whole, "");
    input.cx().push(diagnostic);
}

/// `elif ready { ... }`, `ElseIf ready { ... }`: whether the word stands for `Else If`.
pub(in crate::parse) fn else_if_word(input: &mut In<'_, '_>, place: Place) -> bool {
    let span = input.place();
    let cx = input.cx();
    let word = cx.slice(span);
    if place != Place::Actions || !matches!(word, "elif" | "Elif" | "elseif" | "elseIf" | "Elseif" | "ElseIf")
    {
        return false;
    }
    let diagnostic = Diagnostic::new(
        Code::UnknownKeyword,
        format!("unknown keyword `{word}`"),
        span,
        "expected `Else If`",
    )
    .help("write `Else If`, in two words")
    .fix(span, "Else If");
    cx.push(diagnostic);
    true
}

/// `events has not Enter(Walk)`: whether `lacks` was meant.
pub(in crate::parse) fn has_not(input: &mut In<'_, '_>) -> bool {
    if input.look(0) != Some(Token::Not) {
        return false;
    }
    let span = input.previous().to(input.bump());
    let diagnostic = Diagnostic::new(Code::UnexpectedToken, "`not` after `has`", span, "expected `lacks`")
        .help("write `lacks`")
        .fix(span, "lacks");
    input.cx().push(diagnostic);
    true
}

/// `number(0, 10)`: goes over a range in parentheses, which is reported.
pub(in crate::parse) fn range_of_type(input: &mut In<'_, '_>) {
    let index = input.index();
    if input.look(0) != Some(Token::LeftParen) || input.cx().first_on_line(index) {
        return;
    }
    let open = input.place();
    input.skip_balanced();
    let whole = open.to(input.previous());
    let cx = input.cx();
    // `0..10` was reported, with what to write instead.
    if (index..)
        .map_while(|index| cx.token(index).filter(|_| cx.span(index).end <= whole.end))
        .any(|token| token == Token::Error)
    {
        return;
    }
    let inner = cx.slice(whole).trim_matches(['(', ')']);
    let bounds =
        inner.split_once(',').map(|(min, max)| format!("{{ Min {} Max {} }}", min.trim(), max.trim()));
    let help = bounds.unwrap_or_else(|| "{ Min 0 Max 10 }".to_owned());
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "parentheses after a type",
        whole,
        "expected `=`, a block or nothing",
    )
    .help(format!("the range of a parameter stands in a block behind it: `{}`", clip(&help)));
    cx.push(diagnostic);
}

/// `Param health = 100`: the form with the type that the value has.
pub(in crate::parse) fn type_by_value(input: &mut In<'_, '_>) -> Option<String> {
    let index = input.index();
    let name = input.previous();
    let cx = input.cx();
    let (Some(Token::Assign), Some(value)) = (cx.token(index), cx.token(index + 1)) else { return None };
    let ty = match value {
        Token::Number(_) | Token::Duration(_) | Token::Ratio(_) | Token::Minus => "number",
        Token::True | Token::False => "bool",
        Token::Text(_) => "string",
        Token::Color(_) => "color",
        _ => return None,
    };
    let name = clip(cx.slice(name));
    Some(format!("write `Param {name}: {ty} = ...`"))
}
