//! The pieces of an item's head, one function a kind.
//!
//! `Ok(None)` means that an optional piece is not there; `Err` that the head cannot go on, which was reported. A
//! missing value is an error node instead, so that the rest of the head can be read.

use super::context::Tokens;
use super::{Grammar, In, foreign, keyword};
use crate::ast::{
    self, Arrow, EventExpectation, EventPattern, EventRelation, Expr, ExprKind, Name, Names, Path, Text,
};
use crate::ast::{Type, TypeKind, UnaryOp};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Foreign, Token};
use crate::syntax::{Keyword, Part, Place, Row};

/// What was reported.
pub(super) struct Reported;

type Read<T> = Result<T, Reported>;

/// Reads a piece of the head of `row`.
pub(super) fn part<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    row: &'static Row,
    part: Part,
) -> Read<Option<ast::Part>> {
    let words = |input: &mut In<'t, '_>| input.look(0);
    Ok(Some(match part {
        Part::Name => {
            foreign::properties_of_track(input, row)?;
            let name = bracketed(input, row, |input| required_name(input, row))?;
            let name = foreign::property_of_track(input, row, name);
            let name = foreign::several_words(input, row, name);
            foreign::further_names(input, row);
            ast::Part::Names(Names::One(name))
        }
        Part::Names => {
            foreign::type_before_name(input, row)?;
            ast::Part::Names(Names::from(&bracketed(input, row, |input| names(input, row))?[..]))
        }
        Part::Path => {
            let path = bracketed(input, row, |input| required_path(input, row))?;
            let path = foreign::target_after_source(input, row, path)?;
            foreign::further_names(input, row);
            ast::Part::Path(path)
        }
        Part::Text => {
            foreign::behavior_before_title(input, row)?;
            let text = bracketed(input, row, |input| text(input, row))?;
            foreign::dot_after_target(input, row);
            ast::Part::Texts(vec![text])
        }
        Part::OptText => match text_token(input) {
            Some(text) => ast::Part::Texts(vec![text]),
            None if foreign::is_unquoted_target(input, row) => {
                ast::Part::Texts(vec![foreign::unquoted_text(input)])
            }
            None => return Ok(None),
        },
        Part::OptTexts => match words(input) {
            Some(Token::Text(_)) => ast::Part::Texts(texts(input, row)?),
            _ if foreign::is_unquoted_target(input, row) => ast::Part::Texts(texts(input, row)?),
            _ => return Ok(None),
        },
        Part::Texts => ast::Part::Texts(bracketed(input, row, |input| texts(input, row))?),
        Part::Value => {
            foreign::sign_before_value(input, row);
            foreign::mode_left_out(input, row)?;
            let other = foreign::other_wait(input, grammar, row);
            match other.or_else(|| foreign::unquoted_asset(input, row)) {
                Some(value) => ast::Part::Value(value),
                None => ast::Part::Value(value(input, grammar)),
            }
        }
        Part::OptLiteral => {
            foreign::sign_before_value(input, row);
            match literal(input) {
                Some(value) => ast::Part::Value(value),
                None => return Ok(None),
            }
        }
        Part::Pair => {
            let first = value(input, grammar);
            if input.eat(Token::Comma).is_none() {
                input.expected("`,` and a second value", form(row));
                return Ok(Some(ast::Part::Pair(Box::new([first, input.no_value()]))));
            }
            ast::Part::Pair(Box::new([first, value(input, grammar)]))
        }
        Part::Type => {
            if input.cx().overrides && input.look(0) != Some(Token::Colon) {
                return Ok(None);
            }
            ast::Part::Type(type_of(input, row)?)
        }
        Part::Of => {
            if let Some(behavior) = foreign::behavior_before_name(input, row) {
                return Ok(Some(ast::Part::Of(behavior)));
            }
            if input.eat(Token::Colon).is_none() && !foreign::sign_for_colon(input, row) {
                input.expected("`:` and the name of a behavior", form(row));
                if !starts_name(input) {
                    return Err(Reported);
                }
            }
            ast::Part::Of(required_path(input, row)?)
        }
        Part::Assign => {
            foreign::empty_parentheses(input, row);
            foreign::needless_type(input, row);
            ast::Part::Assign(foreign::assign(input, grammar, row)?)
        }
        Part::OptAssign => {
            foreign::empty_parentheses(input, row);
            let token = words(input);
            let assigns =
                matches!(token, Some(Token::Assign | Token::Equal | Token::Foreign(Foreign::ColonAssign)));
            if !assigns && !foreign::colon_for_assign(input) {
                return Ok(None);
            }
            ast::Part::Assign(foreign::assign(input, grammar, row)?)
        }
        Part::OptWhen => match words(input) {
            Some(Token::When) => {
                input.bump();
                ast::Part::When(value(input, grammar))
            }
            Some(Token::If) => {
                foreign::if_for_when(input);
                ast::Part::When(value(input, grammar))
            }
            Some(Token::Colon) if foreign::colon_for_when(input) => ast::Part::When(value(input, grammar)),
            _ => return Ok(None),
        },
        Part::OptOnRequest => {
            let (on, request) = (input.cx().words.on, input.cx().words.request);
            if !input.is_word(on) {
                return Ok(None);
            }
            let span = input.bump();
            if !input.is_word(request) {
                if let Some(condition) = foreign::on_condition(input, grammar, span) {
                    return Ok(Some(ast::Part::When(condition)));
                }
                input.expected("`request`", form(row));
                return Err(Reported);
            }
            ast::Part::OnRequest(span.to(input.bump()))
        }
        Part::OptFromState => {
            let from = input.cx().words.from;
            if !input.is_word(from) {
                return Ok(None);
            }
            input.bump();
            ast::Part::FromState(required_path(input, row)?)
        }
        Part::At | Part::From | Part::To => {
            let words = &input.cx().words;
            let (word, text) = match part {
                Part::At => (words.at, "`at` and a point of the clip"),
                Part::From => (words.from, "`from` and a point of the clip"),
                _ => (words.to, "`to` and a point of the clip"),
            };
            if !input.is_word(word) {
                input.expected(text, form(row));
                return Err(Reported);
            }
            input.bump();
            let value = value(input, grammar);
            match part {
                Part::At => ast::Part::At(value),
                Part::From => ast::Part::From(value),
                _ => ast::Part::To(value),
            }
        }
        Part::OptAtPoint => {
            let at = input.cx().words.at;
            if !input.is_word(at) {
                return Ok(None);
            }
            input.bump();
            let (x, y) = point(input, grammar)?;
            ast::Part::AtPoint(Box::new([x, y]))
        }
        Part::OptAs => {
            let word = input.cx().words.as_;
            if !input.is_word(word) {
                return Ok(None);
            }
            input.bump();
            ast::Part::As(required_name(input, row)?)
        }
        Part::For => {
            let word = input.cx().words.for_;
            if !input.is_word(word) {
                input.expected("`for` and the name of a behavior", form(row));
                return Err(Reported);
            }
            input.bump();
            ast::Part::For(required_path(input, row)?)
        }
        Part::OptExtends => {
            let word = input.cx().words.extends;
            if input.is_word(word) {
                input.bump();
            } else if !foreign::extends(input) {
                return Ok(None);
            }
            if !starts_name(input) || begins_next_item(input) {
                let form = "the form is `Behavior Guard extends Humanoid { ... }`";
                input.expected("the name of a behavior", Some(form.to_owned()));
                return Err(Reported);
            }
            let base = required_path(input, row)?;
            foreign::further_bases(input);
            ast::Part::Extends(base)
        }
        Part::OptImmediate => {
            let word = input.cx().words.immediate;
            if !input.is_word(word) {
                return Ok(None);
            }
            ast::Part::Immediate(input.bump())
        }
        Part::OptArguments => {
            if words(input) != Some(Token::LeftParen) {
                return Ok(None);
            }
            ast::Part::Arguments(arguments(input, grammar))
        }
        Part::Arrow => arrow(input, row)?,
        Part::OptIf => {
            let word = input.cx().words.if_;
            if words(input) == Some(Token::If) {
                keyword::lower_case(input, "If");
            } else if input.is_word(word) {
                input.bump();
            } else {
                return Ok(None);
            }
            ast::Part::If(value(input, grammar))
        }
        Part::Event => {
            foreign::text_before_event(input, row)?;
            let Some(name) = name_token(input) else {
                input.expected("an event: a word or a text in quotes", form(row));
                return Err(Reported);
            };
            foreign::further_events(input, grammar, row);
            ast::Part::Event(name)
        }
        Part::Expectation => expectation(input, grammar)?,
        Part::OptDuration => {
            let word = input.cx().words.duration;
            let named = matches!(input.look(1), Some(Token::Name(_) | Token::Quoted(_) | Token::Text(_)));
            if !(input.is_word(word) && named) {
                return Ok(None);
            }
            ast::Part::Duration(input.bump())
        }
        Part::Declaration => {
            // What may be removed where is for whoever knows what is inherited.
            let found = match words(input) {
                Some(Token::Name(word)) => {
                    let cx = input.cx();
                    let nested = cx.keyword(word, cx.place).or_else(|| cx.keyword(word, Place::State));
                    cx.keyword(word, Place::Behavior).or(nested)
                }
                _ => None,
            };
            let Some(found) = found else {
                let near = keyword::near_declaration(input);
                let help = near.map(|near| format!("did you mean `{near}`?")).or_else(|| form(row));
                input.expected("the keyword of a declaration, such as `State`", help);
                return Err(Reported);
            };
            ast::Part::Declaration(found, input.bump())
        }
    }))
}

/// An example of the right form, for a message.
pub(super) fn form(row: &Row) -> Option<String> {
    Some(format!("the form is `{}`", row.example))
}

/// What a row's name is the name of, for a message.
pub(super) fn named(row: &Row) -> &'static str {
    match row.keyword {
        Keyword::Transition | Keyword::OnDone | Keyword::InitialState | Keyword::Request => {
            "the name of a state"
        }
        Keyword::OnEntry => "the name of a state",
        Keyword::Play | Keyword::Stop | Keyword::Clip => "the name of an animation",
        Keyword::ActiveLayer | Keyword::SuppressLayer | Keyword::LayerOf => "the name of a layer",
        Keyword::StopGroup | Keyword::Group => "the name of a group",
        Keyword::PlayTag | Keyword::StopTag | Keyword::Tags => "a tag",
        Keyword::Set | Keyword::SetTrue | Keyword::SetFalse | Keyword::Toggle | Keyword::Fire => {
            "the name of a parameter"
        }
        Keyword::Test | Keyword::Component => "the name of a behavior",
        Keyword::MaskOf => "the name of a mask",
        Keyword::Emit => "the name of an event",
        _ => "a name",
    }
}

/// The same for the item that is being read.
pub(super) fn form_help(input: &mut In<'_, '_>) -> Option<String> {
    input.cx().row.and_then(form)
}

pub(super) fn value<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>) -> Expr {
    input.cx().expression_depth = 0;
    let value = input.parse(&grammar.value).unwrap_or_else(|_| input.no_value());
    let value = foreign::word_operators(input, grammar, value);
    foreign::call_without_parentheses(input, grammar, value)
}

/// Reads `Play(Idle)` as `Play Idle`, with a report.
fn bracketed<'t, T>(
    input: &mut In<'t, '_>,
    row: &'static Row,
    read: impl FnOnce(&mut In<'t, '_>) -> Read<T>,
) -> Read<T> {
    if foreign::name_left_out(input, row) {
        input.expected("a name", form(row));
        return Err(Reported);
    }
    foreign::sign_before_value(input, row);
    if input.look(0) != Some(Token::LeftParen) {
        return read(input);
    }
    let open = input.bump();
    let result = read(input);
    let inner = open.after().to(input.previous());
    while input.look(0).is_some_and(|token| token != Token::RightParen) {
        input.skip_balanced();
    }
    input.bump();
    if result.is_ok() {
        foreign::parentheses(input, row, open, inner);
    }
    result
}

/// Whether the next token, at the start of a line, is more likely the next item than the value that is missing here.
pub(super) fn begins_next_item(input: &mut In<'_, '_>) -> bool {
    let index = input.index();
    let Some(Token::Name(word)) = input.look(0) else { return false };
    let cx = input.cx();
    let Some(keyword) = cx.keyword(word, cx.place) else { return false };
    if !cx.first_on_line(index) {
        return false;
    }
    let optional = matches!(keyword.row().head, [] | [Part::OptLiteral]);
    match cx.token(index + 1) {
        Some(Token::LeftBrace) => !matches!(keyword.row().block, crate::syntax::Block::None),
        Some(Token::Name(next)) => {
            !cx.first_on_line(index + 1) || optional || cx.keyword(next, cx.place).is_none()
        }
        Some(Token::RightBrace) | None => optional,
        Some(Token::Quoted(_) | Token::Not | Token::If) => true,
        Some(token) => token.is_literal(),
    }
}

fn starts_name(input: &mut In<'_, '_>) -> bool {
    matches!(input.look(0), Some(Token::Name(_) | Token::Quoted(_) | Token::Text(_)))
}

/// A name, in whatever quotes.
pub(super) fn name_token(input: &mut In<'_, '_>) -> Option<Name> {
    let (symbol, quoted) = match input.look(0)? {
        Token::Name(symbol) => (symbol, false),
        Token::Quoted(symbol) | Token::Text(symbol) => (symbol, true),
        _ => return None,
    };
    Some(Name { symbol, span: input.bump(), quoted })
}

fn text_token(input: &mut In<'_, '_>) -> Option<Text> {
    match input.look(0)? {
        Token::Text(symbol) => Some(Text { symbol, span: input.bump() }),
        _ => None,
    }
}

pub(super) fn required_name(input: &mut In<'_, '_>, row: &Row) -> Read<Name> {
    if let Some(name) = reserved_name(input) {
        return Ok(name);
    }
    if begins_next_item(input) {
        input.expected(named(row), form(row));
        return Err(Reported);
    }
    name_token(input).ok_or_else(|| {
        input.expected(named(row), form(row));
        Reported
    })
}

/// A reserved word where a name must stand is taken as the name that was meant.
fn reserved_name(input: &mut In<'_, '_>) -> Option<Name> {
    let token = input.look(0).filter(|token| token.is_reserved())?;
    let next = input.look(1);
    let ends_head = match next {
        None | Some(Token::LeftBrace | Token::RightBrace | Token::Comma | Token::Colon | Token::Dot) => true,
        Some(Token::Assign | Token::When | Token::RightParen) => true,
        Some(Token::Name(_)) => !matches!(token, Token::When | Token::If | Token::Not),
        _ => false,
    };
    if !ends_head {
        return None;
    }
    let index = input.index();
    let span = input.place();
    let cx = input.cx();
    let word = cx.slice(span);
    let diagnostic =
        Diagnostic::new(Code::ReservedWord, format!("`{word}` is a reserved word"), span, "expected a name")
            .help(format!("as a name it stands in backquotes: `` `{word}` ``"))
            .fix(span, format!("`{word}`"));
    let symbol = cx.names.intern(word);
    cx.report(index, diagnostic);
    input.bump();
    Some(Name { symbol, span, quoted: true })
}

fn names(input: &mut In<'_, '_>, row: &Row) -> Read<Vec<Name>> {
    foreign::needless_commas(input);
    let first = required_name(input, row)?;
    let mut names = vec![foreign::several_words(input, row, first)];
    if foreign::file_behind_name(input, row) {
        return Ok(names);
    }
    while input.eat(Token::Comma).is_some() || foreign::missing_comma(input, row) {
        foreign::needless_commas(input);
        match required_name(input, row) {
            Ok(name) => names.push(name),
            Err(reported) => {
                // What was named is missed nowhere.
                input.cx().lost.extend(names.iter().map(|name| name.symbol));
                return Err(reported);
            }
        }
    }
    Ok(names)
}

pub(super) fn required_path(input: &mut In<'_, '_>, row: &Row) -> Read<Path> {
    if let Some(name) = reserved_name(input) {
        return Ok(Path { names: Names::One(name), span: name.span });
    }
    if begins_next_item(input) {
        input.expected(named(row), form(row));
        return Err(Reported);
    }
    let path = path(input, true).ok_or_else(|| {
        input.expected(named(row), form(row));
        Reported
    })?;
    match path.names[..] {
        [name] => Ok(match foreign::dashes(input, row, name) {
            Some(name) => Path { span: name.span, names: Names::One(name) },
            None => path,
        }),
        _ => Ok(path),
    }
}

/// Names joined by dots. The first may be a text only where `texts` says so: elsewhere that is a literal.
pub(super) fn path(input: &mut In<'_, '_>, texts: bool) -> Option<Path> {
    if !texts && matches!(input.look(0), Some(Token::Text(_))) {
        return None;
    }
    let first = name_token(input)?;
    let mut further: Vec<Name> = Vec::new();
    loop {
        match input.look(0) {
            Some(Token::Dot) => {}
            Some(Token::Foreign(Foreign::ColonColon)) => foreign::double_colon(input),
            Some(Token::Slash) if texts && foreign::slash_in_path(input) => {}
            _ => break,
        }
        input.bump();
        let name = reserved_name(input).or_else(|| name_token(input));
        let Some(name) = name else {
            input.expected("a name after the dot", None);
            break;
        };
        if further.is_empty() {
            further.push(first);
        }
        further.push(name);
    }
    Some(match further.last() {
        None => Path { names: Names::One(first), span: first.span },
        Some(last) => Path { span: first.span.to(last.span), names: Names::from(&further[..]) },
    })
}

fn text(input: &mut In<'_, '_>, row: &Row) -> Read<Text> {
    if let Some(text) = foreign::target_with_dot(input, row) {
        return Ok(text);
    }
    if let Some(text) = text_token(input) {
        return Ok(text);
    }
    if matches!(input.look(0), Some(Token::Name(_) | Token::Quoted(_))) && !begins_next_item(input) {
        return Ok(foreign::unquoted_text(input));
    }
    input.expected("a text in quotes", form(row));
    Err(Reported)
}

fn texts(input: &mut In<'_, '_>, row: &Row) -> Read<Vec<Text>> {
    let mut texts = vec![text(input, row)?];
    while input.eat(Token::Comma).is_some() || foreign::missing_comma(input, row) {
        texts.push(text(input, row)?);
    }
    Ok(texts)
}

/// A literal with its sign; nothing is reported where none stands.
pub(super) fn literal(input: &mut In<'_, '_>) -> Option<Expr> {
    let start = input.place();
    let ahead = usize::from(input.look(0) == Some(Token::Minus));
    let kind = match input.look(ahead)? {
        Token::Number(value) => ExprKind::Number(value),
        Token::Duration(value) => ExprKind::Duration(value),
        Token::Ratio(value) => ExprKind::Ratio(value),
        Token::Color(value) if ahead == 0 => ExprKind::Color(value),
        Token::Text(text) if ahead == 0 => ExprKind::Text(text),
        Token::True if ahead == 0 => ExprKind::Bool(true),
        Token::False if ahead == 0 => ExprKind::Bool(false),
        Token::Error if ahead == 0 => ExprKind::Error,
        _ => return None,
    };
    if ahead == 1 {
        input.bump();
    }
    let mut span = input.bump();
    let mut kind = kind;
    if let ExprKind::Number(value) = kind
        && let Some(duration) = foreign::spaced_unit(input, span, value)
    {
        kind = duration;
        span = span.to(input.previous());
    }
    let literal = Expr { kind, span };
    Some(match ahead {
        0 => literal,
        _ => Expr { kind: ExprKind::Unary(UnaryOp::Neg, Box::new(literal)), span: start.to(span) },
    })
}

fn type_of(input: &mut In<'_, '_>, row: &Row) -> Read<Type> {
    if input.eat(Token::Colon).is_none() {
        let form = foreign::type_by_value(input).or_else(|| form(row));
        input.expected("`:` and a type", form);
        let index = input.index();
        if !starts_name(input) || input.cx().first_on_line(index) || begins_next_item(input) {
            return Err(Reported);
        }
    }
    let start = input.place();
    let enum_ = input.cx().words.enum_;
    if input.is_word(enum_)
        && let Some(variants) = foreign::variants_in_braces(input)
    {
        let span = start.to(input.previous());
        return Ok(Type { kind: TypeKind::Enum(variants), span });
    }
    if input.is_word(enum_) && input.look(1) == Some(Token::LeftParen) {
        input.bump();
        input.bump();
        let mut variants = Vec::new();
        loop {
            match reserved_name(input).or_else(|| name_token(input)) {
                Some(name) => variants.push(name),
                None => input.expected("the name of a variant", form(row)),
            }
            if !next_in_list(input, Token::RightParen) {
                break;
            }
        }
        let span = start.to(input.bump());
        return Ok(Type { kind: TypeKind::Enum(variants), span });
    }
    let path = if begins_next_item(input) { None } else { path(input, false) };
    if path.is_some() {
        foreign::range_of_type(input);
    }
    match path {
        Some(path) => Ok(Type { span: path.span, kind: TypeKind::Named(path) }),
        None => {
            let types = "types are `bool`, `number`, `trigger`, `string`, `color`, `enum(a, b)` and the names of enums";
            input.expected("a type", Some(types.to_owned()));
            Ok(Type { kind: TypeKind::Error, span: start })
        }
    }
}

/// `(x, y)`
fn point<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>) -> Read<(Expr, Expr)> {
    if input.eat(Token::LeftParen).is_some() {
        return Ok(point_rest(input, grammar));
    }
    if matches!(input.look(0), Some(Token::Number(_))) && input.look(1) == Some(Token::Comma) {
        let x = value(input, grammar);
        if let Some(y) = foreign::bare_point(input, grammar, &x) {
            return Ok((x, y));
        }
    }
    input.expected("a point `(x, y)`", Some("the form is `at (0.5, 0.5)`".to_owned()));
    Err(Reported)
}

/// The rest of a point after its parenthesis.
pub(super) fn point_rest<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>) -> (Expr, Expr) {
    let x = value(input, grammar);
    let y = match input.eat(Token::Comma) {
        Some(_) => value(input, grammar),
        None => {
            input.expected("`,` and a second value", Some("a point is `(x, y)`".to_owned()));
            input.no_value()
        }
    };
    if input.look(0) != Some(Token::RightParen) {
        input.expected("`)`", None);
        while input.look(0).is_some_and(|token| token != Token::RightParen) {
            input.skip_balanced();
        }
    }
    input.bump();
    (x, y)
}

/// `(expression, ...)`, the parenthesis being next.
fn arguments<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>) -> Vec<Expr> {
    let mut list = Vec::new();
    input.bump();
    while !matches!(input.look(0), None | Some(Token::RightParen)) {
        list.push(value(input, grammar));
        if !next_in_list(input, Token::RightParen) {
            break;
        }
    }
    input.bump();
    list
}

/// Goes over the comma after an element of a list in parentheses or brackets; false where the list ends.
pub(super) fn next_in_list(input: &mut In<'_, '_>, closer: Token) -> bool {
    let what = if closer == Token::RightParen { "`,` or `)`" } else { "`,` or `]`" };
    if !matches!(input.look(0), None | Some(Token::Comma)) && input.look(0) != Some(closer) {
        input.expected(what, None);
        while input.look(0).is_some_and(|token| token != Token::Comma && !token.is_closer()) {
            input.skip_balanced();
        }
    }
    let more = input.eat(Token::Comma).is_some();
    if more && input.look(0) == Some(closer) {
        input.expected("another element after the comma", None);
        return false;
    }
    more
}

fn arrow(input: &mut In<'_, '_>, row: &Row) -> Read<ast::Part> {
    let start = input.place();
    let (arrow, length) = match (input.look(0), input.look(1)) {
        (Some(Token::Arrow), _) => (Arrow::ToChild, 1),
        (Some(Token::Less), Some(Token::Minus)) => (Arrow::ToParent, 2),
        (Some(Token::Less), Some(Token::Arrow)) => (Arrow::Both, 2),
        (Some(Token::Foreign(Foreign::FatArrow)), _) => {
            foreign::fat_arrow(input);
            (Arrow::ToChild, 1)
        }
        _ => {
            input.expected("`->`, `<-` or `<->`", form(row));
            return Err(Reported);
        }
    };
    let mut span = start;
    for _ in 0..length {
        span = start.to(input.bump());
    }
    Ok(ast::Part::Arrow(arrow, span))
}

fn expectation<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>) -> Read<ast::Part> {
    let start = input.place();
    if let Some(meant) = foreign::events_relation(input) {
        let negated = meant.relation == EventRelation::Has && foreign::has_not(input);
        let relation = if negated { EventRelation::Lacks } else { meant.relation };
        // What is no event either is told when the rest is right.
        let text = meant.reported && matches!(input.look(0), Some(Token::Text(_)));
        let events = vec![event(input, grammar).ok_or(Reported)?];
        let span = start.to(input.previous());
        return Ok(if text {
            ast::Part::Value(Expr { kind: ExprKind::Error, span })
        } else {
            ast::Part::Events(EventExpectation { relation, events, span })
        });
    }
    let events = input.cx().words.events;
    if !input.is_word(events) {
        return Ok(ast::Part::Value(value(input, grammar)));
    }
    match input.look(1) {
        Some(Token::Equal) if input.look(2) == Some(Token::LeftBracket) => {}
        Some(Token::Equal) if foreign::event_alone(input) => {
            input.bump();
            let start = input.bump();
            let mut patterns = vec![event(input, grammar).ok_or(Reported)?];
            while input.eat(Token::Comma).is_some() {
                patterns.extend(event(input, grammar));
            }
            let span = start.to(input.previous());
            foreign::event_without_brackets(input, &patterns);
            return Ok(ast::Part::Events(EventExpectation {
                relation: EventRelation::Equal,
                events: patterns,
                span,
            }));
        }
        // A parameter may have that name.
        Some(token) if !matches!(token, Token::Name(_) | Token::Assign | Token::LeftBracket) => {
            return Ok(ast::Part::Value(value(input, grammar)));
        }
        _ => {
            input.bump();
            input.expected("`has`, `lacks` or `==`", Some(foreign::EXPECT_FORM.to_owned()));
            return Err(Reported);
        }
    }
    for _ in 0..3 {
        input.bump();
    }
    let relation = EventRelation::Equal;
    let mut patterns = Vec::new();
    while !matches!(input.look(0), None | Some(Token::RightBracket)) {
        patterns.extend(event(input, grammar));
        if !next_in_list(input, Token::RightBracket) {
            break;
        }
    }
    input.bump();
    let span = start.to(input.previous());
    Ok(ast::Part::Events(EventExpectation { relation, events: patterns, span }))
}

fn event<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>) -> Option<EventPattern> {
    let kind = if begins_next_item(input) { None } else { name_token(input) };
    let Some(kind) = kind else {
        input.expected("an event, such as `Enter(Walk)`", None);
        return None;
    };
    if foreign::path_for_event(input, kind.span) {
        return None;
    }
    let arguments =
        if input.look(0) == Some(Token::LeftParen) { arguments(input, grammar) } else { Vec::new() };
    let span = kind.span.to(input.previous());
    Some(EventPattern { kind, arguments, span })
}
