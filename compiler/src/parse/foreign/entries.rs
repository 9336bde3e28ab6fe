//! Entries of blends and tracks in the manner of other tools: colors as calls, properties of a clip without `Clip`,
//! animations before their position, points and easings without what they stand in.
//!
//! Each function recognizes one habit, and the entry is read as what was meant.

use super::super::block;
use super::super::context::Tokens;
use super::super::{Grammar, In, keyword, parts};
use super::mend;
use crate::ast::{
    self, Block, Entry, EntryKey, EntryValue, Expr, ExprKind, Item, Name, Names, Node, Path, Text,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::Token;
use crate::source::Span;
use crate::syntax::{Keyword, Place, Row};

/// `100%: rgb(1, 2, 3)`: goes over what stands in the parentheses.
pub(in crate::parse) fn color_call(input: &mut In<'_, '_>, name: &Path) -> bool {
    if input.look(0) != Some(Token::LeftParen) {
        return false;
    }
    let open = input.place();
    input.skip_balanced();
    let whole = name.span.to(input.previous());
    let inner = open.to(input.previous());
    let cx = input.cx();
    let word = cx.slice(name.span);
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{word}(...)` as the value of a key"),
        whole,
        "expected a number, a color or a constant",
    );
    let channels: Option<Vec<u8>> = cx
        .slice(inner)
        .trim_matches(['(', ')'])
        .split(',')
        .map(|channel| channel.trim().parse().ok())
        .collect();
    let diagnostic = match channels.as_deref() {
        Some([red, green, blue]) if word.eq_ignore_ascii_case("rgb") => {
            mend(diagnostic, whole, format!("#{red:02x}{green:02x}{blue:02x}"))
        }
        _ => diagnostic.help("a color is written `#rrggbb` or `#rrggbbaa`, in hexadecimal"),
    };
    cx.push(diagnostic);
    true
}

/// `1.4: Walk { Mirror }`: the motion that was meant, where properties stand behind an animation.
pub(in crate::parse) fn clip_properties<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    animation: &Expr,
) -> Option<Block> {
    let ExprKind::Path(path) = &animation.kind else { return None };
    if input.look(0) != Some(Token::LeftBrace) {
        return None;
    }
    let name = *path.names.first()?;
    let index = input.index();
    let open = input.place();
    let properties = block::braces(input, grammar, Place::Clip);
    let span = animation.span.to(properties.span);
    let cx = input.cx();
    let mended = format!("{{ Clip {} }}", cx.slice(span));
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("properties behind `{}` alone", cx.slice(animation.span)),
        open,
        "expected a motion in braces, with `Clip` before its animation",
    );
    let short = mended.len() <= 60 && !mended.contains('\n');
    let help = if short { format!("write `{mended}`") } else { "write `{ Clip ... }` around it".to_owned() };
    cx.report(index, diagnostic.help(help).fix(span, mended));
    let clip = Item {
        keyword: Keyword::Clip,
        keyword_span: animation.span,
        modifiers: ast::Modifiers::default(),
        head: ast::Head::One(ast::Part::Names(ast::Names::One(name))),
        block: Some(properties),
        span,
        doc: None,
    };
    Some(Block { nodes: vec![Node::Item(clip)], span })
}

/// `Idle: 0`: the entry that was meant, where a number stands behind the colon and an animation before it.
pub(in crate::parse) fn position_behind(input: &mut In<'_, '_>, key: &EntryKey) -> Option<Entry> {
    let EntryKey::Value(animation @ Expr { kind: ExprKind::Path(_), .. }) = key else { return None };
    let position = match (input.look(0), input.look(1)) {
        (Some(Token::Number(_) | Token::Ratio(_)), _) | (Some(Token::Minus), Some(Token::Number(_))) => {
            let start = input.place();
            input.eat(Token::Minus);
            start.to(input.bump())
        }
        _ => return None,
    };
    let span = animation.span.to(position);
    let cx = input.cx();
    let mended = format!("{}: {}", cx.slice(position), cx.slice(animation.span));
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "an animation before its position",
        span,
        "expected the position or weight first",
    );
    cx.push(mend(diagnostic, span, mended));
    // The position may be one that stands already: it is not asked for.
    let key = EntryKey::Value(Expr { kind: ExprKind::Error, span: position });
    Some(Entry { key, value: EntryValue::Value(animation.clone()), block: None, span })
}

/// `Idle 0`: an animation and a position behind it, without the colon; false where it is something else.
pub(in crate::parse) fn position_without_colon(input: &mut In<'_, '_>, nodes: &mut Vec<Node>) -> bool {
    let (Some(Token::Name(symbol)), Some(Token::Number(_))) = (input.look(0), input.look(1)) else {
        return false;
    };
    let index = input.index();
    let span = input.place();
    let cx = input.cx();
    let word = cx.slice(span);
    if cx.first_on_line(index + 1)
        || cx.any_keyword(symbol).is_some()
        || keyword::meant(&mut cx.nearest, word, Place::Blend).is_some()
    {
        return false;
    }
    input.bump();
    let position = input.bump();
    let whole = span.to(position);
    let cx = input.cx();
    let mended = format!("{}: {word}", cx.slice(position));
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "an entry without its `:`",
        whole,
        "expected the position, `:` and the animation",
    );
    cx.push(mend(diagnostic, whole, mended));
    let name = Name { symbol, span, quoted: false };
    let path = Path { names: Names::One(name), span };
    let value = EntryValue::Value(Expr { kind: ExprKind::Path(path), span });
    let key = EntryKey::Value(Expr { kind: ExprKind::Error, span: position });
    nodes.push(Node::Entry(Box::new(Entry { key, value, block: None, span: whole })));
    true
}

/// `Rest panel.opacity = 1`: a target without quotes and its property behind a dot; goes over the target and the dot.
pub(in crate::parse) fn target_with_dot(input: &mut In<'_, '_>, row: &Row) -> Option<Text> {
    let (Some(Token::Name(symbol)), Some(Token::Dot), Some(Token::Name(_))) =
        (input.look(0), input.look(1), input.look(2))
    else {
        return None;
    };
    if !matches!(row.keyword, Keyword::Track | Keyword::Rest) {
        return None;
    }
    let index = input.index();
    let span = input.bump();
    input.bump();
    let cx = input.cx();
    let whole = span.to(cx.span(index + 2));
    let mended = format!("\"{}\" {}", cx.slice(span), cx.slice(cx.span(index + 2)));
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "a target and its property joined by a dot",
        whole,
        "expected the target in quotes, a space and the property",
    );
    cx.push(mend(diagnostic, whole, mended));
    Some(Text { symbol, span })
}

/// `0, 1: Walk`: the second coordinate, where a point stands without parentheses.
pub(in crate::parse) fn bare_point<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    first: &Expr,
) -> Option<Expr> {
    if input.look(0) != Some(Token::Comma) {
        return None;
    }
    input.bump();
    let second = parts::value(input, grammar);
    let span = first.span.to(second.span);
    let cx = input.cx();
    let mended = format!("({})", cx.slice(span));
    let diagnostic =
        Diagnostic::new(Code::ForeignSyntax, "a point without parentheses", span, "expected `(x, y)`");
    cx.push(mend(diagnostic, span, mended));
    Some(second)
}

/// `Track "panel".opacity`: a dot between the target and its property.
pub(in crate::parse) fn dot_after_target(input: &mut In<'_, '_>, row: &Row) {
    let property = matches!(row.keyword, Keyword::Track | Keyword::Rest)
        && input.look(0) == Some(Token::Dot)
        && matches!(input.look(1), Some(Token::Name(_) | Token::Quoted(_)));
    if !property {
        return;
    }
    let dot = input.bump();
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "`.` between a target and its property",
        dot,
        "expected a space",
    )
    .help(format!("the form is `{}`", row.example))
    .fix(dot, " ");
    input.cx().push(diagnostic);
}

/// `0%: 0.6 easeOut`, `0%: 0.6 Easing easeOut`: an easing without its braces.
pub(in crate::parse) fn bare_easing(input: &mut In<'_, '_>) {
    let Some(Token::Name(_)) = input.look(0) else { return };
    let index = input.index();
    let start = input.place();
    let word = input.cx().slice(start);
    let with_keyword = word == Keyword::Easing.name();
    if input.cx().first_on_line(index) || !(with_keyword || is_curve(word)) {
        return;
    }
    let mut curve: Span = input.bump();
    if with_keyword {
        if !matches!(input.look(0), Some(Token::Name(_))) {
            return input.expected("the name of a curve", None);
        }
        curve = input.bump();
    }
    if input.look(0) == Some(Token::LeftParen) {
        input.skip_balanced();
        curve = curve.to(input.previous());
    }
    let whole = start.to(curve);
    let cx = input.cx();
    let mended = format!("{{ Easing {} }}", cx.slice(curve));
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "the easing of a key without braces",
        whole,
        "expected the next key, or the easing in braces",
    );
    cx.push(mend(diagnostic, whole, mended));
}

fn is_curve(word: &str) -> bool {
    word.starts_with("ease") || matches!(word, "linear" | "steps" | "cubicBezier")
}

/// `from: 0` and `to: 1`, as in CSS: the time that was meant.
pub(in crate::parse) fn css_key(input: &mut In<'_, '_>) -> Option<&'static str> {
    if input.look(1) != Some(Token::Colon) {
        return None;
    }
    let span = input.place();
    match input.cx().slice(span) {
        "from" => Some("0%"),
        "to" => Some("100%"),
        _ => None,
    }
}

/// Reports such a key, and gives it.
pub(in crate::parse) fn css_time(input: &mut In<'_, '_>, time: &'static str) -> EntryKey {
    let span = input.bump();
    let cx = input.cx();
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        format!("`{}` as the time of a key", cx.slice(span)),
        span,
        "expected a share of the clip or a time",
    );
    cx.push(mend(diagnostic, span, time.to_owned()));
    let share = if time == "0%" { 0.0 } else { 1.0 };
    EntryKey::Value(Expr { kind: ExprKind::Ratio(share), span })
}
