//! Names that are written as no name can be: of several words, with dashes, with the file of a clip behind them.

use super::super::In;
use super::super::context::Tokens;
use crate::ast::{Name, Names, Part, Path};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Token, clip};
use crate::syntax::{Keyword, Part as Piece, Row};

/// Words that join names in other languages.
const JOINING: &[&str] =
    &["extends", "extend", "inherits", "implements", "from", "with", "of", "in", "is", "as", "for", "on"];

/// `State Night Time { ... }`: gives the name that was meant, the first word having been read.
pub(in crate::parse) fn several_words(input: &mut In<'_, '_>, row: &Row, first: Name) -> Name {
    if let Some(name) = dashes(input, row, first) {
        return name;
    }
    let alone = matches!(row.keyword, Keyword::State | Keyword::Animation | Keyword::Layer | Keyword::Mask);
    let named = alone
        || matches!(
            row.keyword,
            Keyword::Param
                | Keyword::Predicate
                | Keyword::Let
                | Keyword::Const
                | Keyword::Enum
                | Keyword::Behavior
        );
    if first.quoted || !named {
        return first;
    }
    let index = input.index();
    let mut count = 0;
    while let Some(Token::Name(word)) = input.look(count) {
        let cx = input.cx();
        if cx.first_on_line(index + count) {
            break;
        }
        let joins = JOINING.contains(&&*cx.slice(cx.span(index + count)).to_ascii_lowercase());
        // Of two type words the first is one.
        if joins && count > 0 || cx.any_keyword(word).is_some() || count >= 4 {
            return first;
        }
        if joins && row.keyword != Keyword::Param {
            return first;
        }
        count += 1;
    }
    let cx = input.cx();
    // `Param hurt trigger`: a type without its colon.
    if row.keyword == Keyword::Param
        && count == 1
        && super::nearly::plain_type(cx.slice(cx.span(index))).is_some()
    {
        return first;
    }
    let ends = match cx.token(index + count) {
        Some(Token::LeftBrace | Token::Colon | Token::Assign) => true,
        None => alone,
        Some(token) => alone && (token.is_closer() || cx.first_on_line(index + count)),
    };
    if count == 0 || !ends {
        return first;
    }
    let mut span = first.span;
    for _ in 0..count {
        if let Some(Token::Name(word)) = input.look(0) {
            input.cx().lost.push(word);
        }
        span = span.to(input.bump());
    }
    let cx = input.cx();
    cx.lost.push(first.symbol);
    let words: Vec<&str> = cx.slice(span).split_whitespace().collect();
    let (spaced, joined) = (words.join(" "), capitals(&words));
    let diagnostic =
        Diagnostic::new(Code::UnexpectedToken, "a name of several words", span, "expected one word")
            .help(format!("write `{joined}`, or with the spaces in backquotes: `` `{spaced}` ``"))
            .fix(span, format!("`{spaced}`"));
    cx.push(diagnostic);
    Name { symbol: cx.names.intern(&spaced), span, quoted: true }
}

/// Words as one, the first as it is written.
fn capitals(words: &[&str]) -> String {
    let mut joined = String::new();
    for (at, word) in words.iter().enumerate() {
        let mut chars = word.chars();
        match chars.next() {
            Some(first) if at > 0 => joined.extend(first.to_uppercase()),
            Some(first) => joined.push(first),
            None => {}
        }
        joined.push_str(chars.as_str());
    }
    joined
}

/// `State Foo-Bar { ... }`, `Play idle-clip`: the name with its dashes.
pub(in crate::parse) fn dashes(input: &mut In<'_, '_>, row: &Row, first: Name) -> Option<Name> {
    let names = matches!(row.head.first(), Some(Piece::Name | Piece::Names | Piece::Path));
    if first.quoted || !names || row.keyword == Keyword::Set {
        return None;
    }
    let mut span = first.span;
    while input.look(0) == Some(Token::Minus)
        && let (dash, index) = (input.place(), input.index())
        && dash.start == span.end
        && input.cx().span(index + 1).start == dash.end
        && matches!(input.look(1), Some(Token::Name(_) | Token::Number(_)))
    {
        input.bump();
        if let Some(Token::Name(word)) = input.look(0) {
            input.cx().lost.push(word);
        }
        span = span.to(input.bump());
    }
    if span == first.span {
        return None;
    }
    let cx = input.cx();
    cx.lost.push(first.symbol);
    let name = cx.slice(span);
    let plain = name.replace('-', "_");
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        "a name with a dash",
        span,
        "expected a name of letters, digits and `_`",
    )
    .help(format!("write `{}`, or with the dash in backquotes: `` `{}` ``", clip(&plain), clip(name)))
    .fix(span, format!("`{name}`"));
    cx.push(diagnostic);
    Some(Name { symbol: cx.names.intern(name), span, quoted: true })
}

/// `Animation Hit "hit.fbx"`, `Animation Hit = "hit.fbx"`: whether the file of the clip stands behind its name, which
/// is gone over.
pub(in crate::parse) fn file_behind_name(input: &mut In<'_, '_>, row: &Row) -> bool {
    if row.keyword != Keyword::Animation {
        return false;
    }
    let sign = usize::from(matches!(input.look(0), Some(Token::Assign | Token::Colon)));
    let index = input.index();
    let cx = input.cx();
    if !matches!(cx.token(index + sign), Some(Token::Text(_))) || cx.first_on_line(index) {
        return false;
    }
    let (name, text) = (cx.span(index - 1), cx.span(index + sign));
    let asset = format!("AssetId {}", clip(cx.slice(text)));
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        format!("unexpected {} after `{}`", cx.found(index), clip(cx.slice(name))),
        cx.span(index).to(text),
        "expected the file in the block of the animation",
    )
    .help(format!("write `Animation {} {{ {asset} }}`", clip(cx.slice(name))));
    cx.push(diagnostic);
    for _ in 0..=sign {
        input.bump();
    }
    true
}

/// `Component LikeButton like`: the behavior, where it stands before the name, which is reported and put right.
pub(in crate::parse) fn behavior_before_name(input: &mut In<'_, '_>, row: &Row) -> Option<Path> {
    let Some(Token::Name(symbol)) = input.look(0) else { return None };
    let index = input.index();
    let span = input.place();
    let cx = input.cx();
    let upper = |text: &str| text.starts_with(char::is_uppercase);
    let Some(Part::Names(Names::One(first))) = cx.heads.last() else { return None };
    let (first, row_name) = (*first, row.name);
    let (behavior, name) = (cx.slice(first.span), cx.slice(span));
    if cx.first_on_line(index) || !upper(behavior) || upper(name) {
        return None;
    }
    let whole = first.span.to(span);
    let mended = format!("{name}: {behavior}");
    let diagnostic = Diagnostic::new(
        Code::ForeignSyntax,
        "a behavior before the name of a component",
        whole,
        "expected the name first, then `:` and the behavior",
    )
    .help(format!("write `{row_name} {}`", clip(&mended)))
    .fix(whole, mended);
    cx.push(diagnostic);
    cx.heads.pop();
    cx.heads.push(Part::Names(Names::One(Name { symbol, span, quoted: false })));
    input.bump();
    Some(Path { names: Names::One(first), span: first.span })
}

/// `Bind open => enabled`
pub(in crate::parse) fn fat_arrow(input: &mut In<'_, '_>) {
    let span = input.place();
    let diagnostic = Diagnostic::new(Code::ForeignOperator, "`=>` ties no parameters", span, "expected `->`")
        .help("write `->`")
        .fix(span, "->");
    input.cx().push(diagnostic);
}
