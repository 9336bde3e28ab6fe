//! Expressions: a Pratt grammar by the precedence of the language, over values that never fail to be read.
//!
//! Where a value is missing stands an error, reported, so the grammar has nothing to backtrack over. Operators of
//! other languages are read as what they mean and reported once, when their operands are known. Trees are at most
//! [`MAX_EXPRESSION_DEPTH`] high, however long a chain is, so that they can be walked and dropped by recursion.

use chumsky::Parser as _;
use chumsky::input::MapExtra;
use chumsky::pratt::{infix, left, prefix};
use chumsky::prelude::{IterParser as _, any, custom, recursive};
use chumsky::primitive::select;

use super::context::Tokens as _;
use super::{Extra, In, Input, P, foreign, parts};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Foreign, Token};
use crate::source::Span;
use crate::syntax::Keyword;

/// How high the tree of an expression may be.
pub const MAX_EXPRESSION_DEPTH: u32 = 200;

/// How deep parentheses, calls and `if` may stand in each other.
const MAX_NESTED_VALUES: usize = 64;

/// An expression and the height of its tree; zero where it was cut for being too high.
#[derive(Clone)]
struct Tree {
    expr: Expr,
    height: u32,
    cut: bool,
}

/// An operator, its place, and what was written for it where that is foreign.
#[derive(Clone, Copy)]
struct Operator {
    op: BinaryOp,
    span: Span,
    foreign: Option<Token>,
}

type Extras<'t, 'b> = MapExtra<'t, 'b, Input<'t>, Extra<'t>>;

pub(super) fn value<'t>() -> P<'t, Expr> {
    tree().map(|tree| tree.expr).boxed()
}

fn tree<'t>() -> P<'t, Tree> {
    recursive(|tree| {
        let inner: P<'t, Tree> = tree.boxed();
        let for_atom = inner.clone();
        let atom = custom(move |input: &mut In<'t, '_>| Ok(atom(input, &for_atom)));
        let comparisons = atom.pratt((
            prefix(3, run(is_not, is_not), fold_run),
            infix(left(4), level(comparison), fold),
            infix(left(5), level(sum), fold),
            infix(left(6), level(product), fold),
            prefix(
                7,
                run(|token| token == Token::Minus, |token| token == Token::Minus || is_not(token)),
                fold_run,
            ),
        ));
        let for_side = inner.clone();
        let side = custom(move |input: &mut In<'t, '_>| {
            if is_alone(input, true) { Ok(self::atom(input, &for_side)) } else { input.parse(&comparisons) }
        });
        let operators =
            side.pratt((infix(left(1), level(or_operator), fold), infix(left(2), level(and_operator), fold)));
        custom(move |input: &mut In<'_, '_>| {
            let tree =
                if is_alone(input, false) { self::atom(input, &inner) } else { input.parse(&operators)? };
            Ok(match input.look(0) {
                Some(Token::Foreign(Foreign::Question)) => ternary(input, &inner, tree),
                _ => tree,
            })
        })
    })
    .boxed()
}

/// Whether the next token is a whole expression, or a whole side of an `and` or `or`: most are one word or number, and
/// need no look at operators.
fn is_alone(input: &mut In<'_, '_>, side: bool) -> bool {
    let Some(first) = input.look(0) else { return false };
    let whole = first.is_literal() || matches!(first, Token::Name(_) | Token::Quoted(_));
    whole
        && match input.look(1) {
            // `200 ms`
            Some(Token::Name(_)) => !matches!(first, Token::Number(_)),
            Some(
                Token::LeftBrace | Token::Comma | Token::Colon | Token::When | Token::Then | Token::Else,
            ) => true,
            Some(Token::And | Token::Or) => side,
            next => next.is_none_or(Token::is_closer),
        }
}

/// The operators of a level of precedence.
fn level<'t>(
    of: fn(Token) -> Option<BinaryOp>,
) -> impl chumsky::Parser<'t, Input<'t>, Operator, Extra<'t>> + Clone {
    select(move |token: Token, extra: &mut Extras<'t, '_>| {
        let op = of(token)?;
        // At the start of a line it stands for a transition.
        let span = extra.span();
        if token == Token::Foreign(Foreign::FatArrow) && extra.state().begins_line(span.start) {
            return None;
        }
        let foreign = matches!(token, Token::Foreign(_) | Token::Assign | Token::Near).then_some(token);
        Some(Operator { op, span, foreign })
    })
}

fn or_operator(token: Token) -> Option<BinaryOp> {
    matches!(token, Token::Or | Token::Foreign(Foreign::OrOr | Foreign::Pipe)).then_some(BinaryOp::Or)
}

fn and_operator(token: Token) -> Option<BinaryOp> {
    matches!(token, Token::And | Token::Foreign(Foreign::AndAnd | Foreign::Ampersand))
        .then_some(BinaryOp::And)
}

fn comparison(token: Token) -> Option<BinaryOp> {
    Some(match token {
        Token::Equal | Token::Assign | Token::Foreign(Foreign::TripleEqual) => BinaryOp::Equal,
        Token::NotEqual | Token::Foreign(Foreign::NotTripleEqual) => BinaryOp::NotEqual,
        Token::Less => BinaryOp::Less,
        Token::LessEqual => BinaryOp::LessEqual,
        Token::Greater => BinaryOp::Greater,
        Token::GreaterEqual | Token::Foreign(Foreign::FatArrow) => BinaryOp::GreaterEqual,
        Token::Near => BinaryOp::Near,
        _ => return None,
    })
}

fn sum(token: Token) -> Option<BinaryOp> {
    match token {
        Token::Plus | Token::Foreign(Foreign::DotDot) => Some(BinaryOp::Add),
        Token::Minus => Some(BinaryOp::Sub),
        _ => None,
    }
}

fn product(token: Token) -> Option<BinaryOp> {
    match token {
        Token::Star | Token::Foreign(Foreign::Percent | Foreign::Caret | Foreign::StarStar) => {
            Some(BinaryOp::Mul)
        }
        Token::Slash => Some(BinaryOp::Div),
        _ => None,
    }
}

fn is_not(token: Token) -> bool {
    matches!(token, Token::Not | Token::Foreign(Foreign::Bang))
}

/// Operators before an operand, read as one run so that a long one needs no recursion.
fn run<'t>(
    first: fn(Token) -> bool,
    more: fn(Token) -> bool,
) -> impl chumsky::Parser<'t, Input<'t>, Vec<(Token, Span)>, Extra<'t>> + Clone {
    let one = |of: fn(Token) -> bool| {
        any().filter(move |token: &Token| of(*token)).map_with(|token, extra| (token, extra.span()))
    };
    one(first).then(one(more).repeated().collect::<Vec<_>>()).map(|(first, mut rest)| {
        rest.insert(0, first);
        rest
    })
}

fn fold_run<'t>(run: Vec<(Token, Span)>, operand: Tree, extra: &mut Extras<'t, '_>) -> Tree {
    run.into_iter().rev().fold(operand, |operand, (token, span)| {
        let op = if token == Token::Minus { UnaryOp::Neg } else { UnaryOp::Not };
        if let Token::Foreign(foreign) = token {
            let cx = extra.state();
            let diagnostic = foreign::prefix(cx, foreign, span, &operand.expr);
            cx.push(diagnostic);
        }
        let whole = span.to(operand.expr.span);
        let (height, cut) = (operand.height, operand.cut);
        grow(extra, whole, height, cut, || ExprKind::Unary(op, Box::new(operand.expr)))
    })
}

fn fold<'t>(lhs: Tree, operator: Operator, rhs: Tree, extra: &mut Extras<'t, '_>) -> Tree {
    let whole = lhs.expr.span.to(rhs.expr.span);
    let broken = matches!(lhs.expr.kind, ExprKind::Error) || matches!(rhs.expr.kind, ExprKind::Error);
    let mut kept = true;
    let mut operator = operator;
    if operator.op == BinaryOp::Near && !extra.state().in_test {
        // As in Lua; reported below.
        operator.op = BinaryOp::NotEqual;
    }
    if let Some(token) = operator.foreign {
        let cx = extra.state();
        if let Some((diagnostic, keeps)) = foreign::infix(cx, token, operator.span, &lhs.expr, &rhs.expr) {
            kept = keeps;
            cx.push(diagnostic);
        }
    }
    if operator.op.is_comparison()
        && !broken
        && let ExprKind::Binary(first, _, sides) = &lhs.expr.kind
        && first.is_comparison()
    {
        kept = false;
        let [_, middle] = &**sides;
        // `a < > b`: the missing value was reported.
        if !matches!(middle.kind, ExprKind::Error) {
            let cx = extra.state();
            let text = |span: Span| cx.slice(span);
            let (left, right) = (text(lhs.expr.span), text(rhs.expr.span));
            let mended = format!("{left} and {} {} {right}", text(middle.span), operator.op.text());
            let diagnostic = Diagnostic::new(
                Code::ChainedComparison,
                "comparisons cannot be chained",
                operator.span,
                "expected `and`, `or` or the end of the condition",
            );
            cx.push(foreign::mend(diagnostic, whole, mended));
        }
    }
    let (height, cut) = (lhs.height.max(rhs.height), lhs.cut || rhs.cut);
    if !kept {
        return Tree { expr: Expr { kind: ExprKind::Error, span: whole }, height: 1, cut };
    }
    grow(extra, whole, height, cut, || {
        ExprKind::Binary(operator.op, operator.span, Box::new([lhs.expr, rhs.expr]))
    })
}

/// A tree over trees of this height, or an error where that is too high.
fn grow<'t>(
    extra: &mut Extras<'t, '_>,
    span: Span,
    below: u32,
    cut: bool,
    kind: impl FnOnce() -> ExprKind,
) -> Tree {
    if below < MAX_EXPRESSION_DEPTH {
        return Tree { expr: Expr { kind: kind(), span }, height: below + 1, cut };
    }
    if !cut {
        extra.state().push(too_deep(span));
    }
    Tree { expr: Expr { kind: ExprKind::Error, span }, height: 1, cut: true }
}

fn too_deep(span: Span) -> Diagnostic {
    too_much(span, format!("an expression of more than {MAX_EXPRESSION_DEPTH} operations in a row"))
}

fn too_nested(span: Span) -> Diagnostic {
    too_much(span, format!("expressions nest more than {MAX_NESTED_VALUES} deep"))
}

fn too_much(span: Span, message: String) -> Diagnostic {
    Diagnostic::new(Code::NestedTooDeep, message, span, "too much for one expression")
        .help("give parts of it a name with `Let` or `Predicate`")
}

/// A value, whatever stands there.
fn atom<'t>(input: &mut In<'t, '_>, value: &P<'t, Tree>) -> Tree {
    let leaf = |kind, span| Tree { expr: Expr { kind, span }, height: 1, cut: false };
    let span = input.place();
    let Some(token) = input.look(0) else { return missing(input) };
    let kind = match token {
        Token::Number(value) => ExprKind::Number(value),
        Token::Duration(value) => ExprKind::Duration(value),
        Token::Ratio(value) => ExprKind::Ratio(value),
        Token::Color(value) => ExprKind::Color(value),
        Token::Text(text) => ExprKind::Text(text),
        Token::True => ExprKind::Bool(true),
        Token::False => ExprKind::Bool(false),
        Token::Error => ExprKind::Error,
        Token::Name(_) | Token::Quoted(_) => {
            if parts::begins_next_item(input) {
                return missing(input);
            }
            let Some(path) = parts::path(input, false) else { return missing(input) };
            if input.look(0) != Some(Token::LeftParen) {
                let span = path.span;
                return leaf(ExprKind::Path(path), span);
            }
            return nested(input, span, |input| {
                let (arguments, height, cut) = arguments(input, value);
                let span = path.span.to(input.previous());
                // How many arguments were meant is unknown where one of them could not be read.
                let arguments = arguments.filter(|_| !was_left_open(input));
                let kind = arguments.map_or(ExprKind::Error, |list| ExprKind::Call(Box::new(path), list));
                Tree { expr: Expr { kind, span }, height: height + 1, cut }
            });
        }
        Token::LeftParen => {
            return nested(input, span, |input| {
                input.bump();
                let inner = closed(input, value, Token::RightParen);
                let span = span.to(input.previous());
                let height = inner.height + 1;
                let kind = match was_left_open(input) {
                    true => ExprKind::Error,
                    false => ExprKind::Group(Box::new(inner.expr)),
                };
                Tree { expr: Expr { kind, span }, height, cut: inner.cut }
            });
        }
        Token::If => return nested(input, span, |input| conditional(input, value)),
        _ => return missing(input),
    };
    input.bump();
    if let ExprKind::Number(value) = kind
        && let Some(duration) = foreign::spaced_unit(input, span, value)
    {
        return leaf(duration, span.to(input.previous()));
    }
    leaf(kind, span)
}

fn missing(input: &mut In<'_, '_>) -> Tree {
    let help = match input.look(0) {
        Some(Token::When | Token::Then | Token::Else | Token::And | Token::Or) => None,
        Some(Token::Foreign(foreign)) => Some(foreign.advice().to_owned()),
        Some(Token::Greater) => Some("`not equal` is `!=`, `at least` is `>=`, `at most` is `<=`".to_owned()),
        _ => None,
    };
    let form = parts::form_help(input);
    let what = match input.cx().row {
        Some(row) if row.keyword == Keyword::History => "`none`, `shallow` or `deep`",
        _ => "a value",
    };
    input.expected(what, help.or(form));
    Tree { expr: input.no_value(), height: 1, cut: false }
}

/// Reads something that nests, within the limit.
fn nested<'t>(input: &mut In<'t, '_>, at: Span, read: impl FnOnce(&mut In<'t, '_>) -> Tree) -> Tree {
    if input.cx().expression_depth >= MAX_NESTED_VALUES {
        input.cx().push(too_nested(at));
        while !ends_expression(input) {
            input.skip_balanced();
        }
        let index = input.index();
        input.cx().mute(index);
        let span = at.to(input.previous());
        return Tree { expr: Expr { kind: ExprKind::Error, span }, height: 1, cut: true };
    }
    input.cx().expression_depth += 1;
    let tree = read(input);
    input.cx().expression_depth -= 1;
    // Heights of nested values are small against the limit, but a chain may hold them.
    if tree.height > MAX_EXPRESSION_DEPTH {
        if !tree.cut {
            input.cx().push(too_deep(tree.expr.span));
        }
        return Tree { expr: Expr { kind: ExprKind::Error, span: tree.expr.span }, height: 1, cut: true };
    }
    tree
}

/// Whether no expression goes on over the next token.
fn ends_expression(input: &mut In<'_, '_>) -> bool {
    match input.look(0) {
        None | Some(Token::LeftBrace | Token::Comma) => true,
        Some(Token::Name(_)) => {
            let index = input.index();
            input.cx().first_on_line(index)
        }
        Some(token) => token.is_closer(),
    }
}

/// A value and its closer, which the balancing pass guarantees.
fn closed<'t>(input: &mut In<'t, '_>, value: &P<'t, Tree>, closer: Token) -> Tree {
    let tree = read(input, value);
    if input.look(0) != Some(closer) {
        let what = if closer == Token::RightParen { "`)` or an operator" } else { "`]`" };
        input.expected(what, None);
        skip_to(input, closer);
    }
    input.bump();
    tree
}

/// Whether the closer before was put there by the balancing pass, which reported that it is missing: what was meant to
/// stand before it is not known.
fn was_left_open(input: &mut In<'_, '_>) -> bool {
    let closer = input.previous();
    closer.start == closer.end
}

fn skip_to(input: &mut In<'_, '_>, closer: Token) {
    while input.look(0).is_some_and(|token| token != closer && !token.is_closer()) {
        input.skip_balanced();
    }
}

fn read<'t>(input: &mut In<'t, '_>, value: &P<'t, Tree>) -> Tree {
    input.parse(value).unwrap_or_else(|_| missing(input))
}

/// `(expression, ...)`; nothing where the list is broken.
fn arguments<'t>(input: &mut In<'t, '_>, value: &P<'t, Tree>) -> (Option<Vec<Expr>>, u32, bool) {
    let (mut list, mut height, mut cut, mut whole) = (Vec::new(), 1, false, true);
    input.bump();
    while !matches!(input.look(0), None | Some(Token::RightParen)) {
        let argument = read(input, value);
        height = height.max(argument.height);
        cut |= argument.cut;
        list.push(argument.expr);
        whole &= matches!(input.look(0), Some(Token::Comma | Token::RightParen));
        if !parts::next_in_list(input, Token::RightParen) {
            break;
        }
    }
    // A comma before the parenthesis promised one more.
    let last = input.index().saturating_sub(1);
    whole &= input.cx().token(last) != Some(Token::Comma);
    input.bump();
    (whole.then_some(list), height, cut)
}

/// `if c then a else b`, the `else if` of a chain read by a loop.
fn conditional<'t>(input: &mut In<'t, '_>, value: &P<'t, Tree>) -> Tree {
    let mut branches = Vec::new();
    let last = loop {
        let start = input.bump();
        let condition = read(input, value);
        word(input, Token::Then, "`then`");
        let then = read(input, value);
        branches.push((start, condition, then));
        if !word(input, Token::Else, "`else`: an `if` gives a value in either case") {
            break Tree { expr: input.no_value(), height: 1, cut: false };
        }
        if input.look(0) != Some(Token::If) {
            break read(input, value);
        }
    };
    branches.into_iter().rev().fold(last, |otherwise, (start, condition, then)| {
        let span = start.to(otherwise.expr.span);
        let height = condition.height.max(then.height).max(otherwise.height);
        let cut = condition.cut || then.cut || otherwise.cut;
        if height >= MAX_EXPRESSION_DEPTH {
            if !cut {
                input.cx().push(too_deep(span));
            }
            return Tree { expr: Expr { kind: ExprKind::Error, span }, height: 1, cut: true };
        }
        let kind = ExprKind::If(Box::new([condition.expr, then.expr, otherwise.expr]));
        Tree { expr: Expr { kind, span }, height: height + 1, cut }
    })
}

fn word(input: &mut In<'_, '_>, token: Token, what: &str) -> bool {
    let there = input.eat(token).is_some();
    if !there {
        input.expected(what, Some("a conditional value is written `if condition then a else b`".to_owned()));
    }
    there
}

/// `c ? a : b`
fn ternary<'t>(input: &mut In<'t, '_>, value: &P<'t, Tree>, condition: Tree) -> Tree {
    let mark = input.place();
    nested(input, mark, |input| {
        input.bump();
        let then = read(input, value);
        let otherwise = match input.eat(Token::Colon) {
            Some(_) => read(input, value),
            None => Tree { expr: input.no_value(), height: 1, cut: false },
        };
        let span = condition.expr.span.to(input.previous());
        let cx = input.cx();
        let text = |tree: &Tree| cx.slice(tree.expr.span);
        let mended = format!("if {} then {} else {}", text(&condition), text(&then), text(&otherwise));
        let diagnostic = Diagnostic::new(
            Code::ForeignOperator,
            "`?` is no operator of this language",
            mark,
            "a conditional value begins with `if`",
        );
        cx.push(foreign::mend(diagnostic, span, mended));
        Tree { expr: Expr { kind: ExprKind::Error, span }, height: 1, cut: condition.cut }
    })
}
