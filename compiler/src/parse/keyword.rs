//! Words that are no keyword where they stand: misspelled ones, ones in the wrong case, ones that belong elsewhere.

use super::block::{self, push_item};
use super::context::Tokens;
use super::{Grammar, In, foreign, item};
use crate::ast::{self, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Token, clip};
use crate::nearest::Nearest;
use crate::source::Span;
use crate::syntax::{self, Keyword, Modifier, Part, Place};

/// The keyword of a place that was probably meant by a word.
pub(super) fn meant(nearest: &mut Nearest, word: &str, place: Place) -> Option<Keyword> {
    let here = || Keyword::ALL.iter().copied().filter(|keyword| keyword.stands_in(place));
    let synonym =
        || foreign::synonyms(word).find_map(|name| here().map(Keyword::name).find(|one| *one == name));
    let name = synonym().or_else(|| nearest.find(word, here().map(Keyword::name)))?;
    here().find(|keyword| keyword.name() == name)
}

/// The keyword of a declaration that the next word is near to.
pub(super) fn near_declaration(input: &mut In<'_, '_>) -> Option<&'static str> {
    let span = input.place();
    let cx = input.cx();
    let (word, place) = (cx.slice(span), cx.place);
    meant(&mut cx.nearest, word, place).map(Keyword::name)
}

/// Reports a reserved word that stands for a keyword, and goes over it.
pub(super) fn lower_case(input: &mut In<'_, '_>, name: &str) -> Span {
    let span = input.bump();
    let cx = input.cx();
    let word = cx.slice(span);
    let diagnostic = Diagnostic::new(
        Code::UnknownKeyword,
        format!("unknown keyword `{word}`"),
        span,
        format!("expected `{name}`"),
    )
    .help(format!("did you mean `{name}`? In lower case the word belongs to expressions"))
    .fix(span, name);
    cx.push(diagnostic);
    span
}

/// A word that is no keyword of this block; false where the next token is no word.
pub(super) fn unknown<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    place: Place,
    nodes: &mut Vec<Node>,
) -> bool {
    unknown_after(input, grammar, place, nodes, ast::Modifiers::default())
}

/// The same after words that stand before keywords.
pub(super) fn unknown_after<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    place: Place,
    nodes: &mut Vec<Node>,
    modifiers: ast::Modifiers,
) -> bool {
    let Some(Token::Name(symbol)) = input.look(0) else { return false };
    let index = input.index();
    let span = input.place();
    if input.cx().silent(index) || input.cx().is_full() {
        input.cx().mute(index);
        block::skip_to_item(input, place);
        nodes.push(Node::Error(span.to(input.previous())));
        return true;
    }
    // What spills out of a block that ended too early is one mistake, however much it is.
    if place == Place::File && matches!(nodes.last(), Some(Node::Error(_))) {
        let word = input.cx().slice(span);
        if meant(&mut input.cx().nearest, word, place).is_none() {
            input.cx().mute(index);
        }
    }
    if modifiers.is_empty() && foreign::keyword_in_two_words(input, grammar, place, nodes) {
        return true;
    }
    if modifiers.is_empty() && foreign::call_of_method(input, place) {
        nodes.push(Node::Error(span.to(input.previous())));
        return true;
    }
    if let Some(keyword) = input.cx().any_keyword(symbol) {
        if foreign::properties_without_braces(input, grammar, keyword, nodes) {
            return true;
        }
        misplaced(input, grammar, place, keyword, nodes);
        return true;
    }
    let word = input.cx().slice(span);
    let lower = word.to_ascii_lowercase();
    let after_value =
        index.checked_sub(1).and_then(|before| input.cx().token(before)).is_some_and(Token::ends_value);
    if Token::reserved(&lower).is_some() && after_value && !input.cx().first_on_line(index) {
        let diagnostic = Diagnostic::new(
            Code::UnknownKeyword,
            format!("unknown keyword `{word}`"),
            span,
            format!("expected `{lower}`"),
        )
        .help(format!("did you mean `{lower}`? The words of expressions are in lower case"))
        .fix(span, lower);
        input.cx().report(index, diagnostic);
        block::skip_to_item(input, place);
        nodes.push(Node::Error(span.to(input.previous())));
        return true;
    }
    if foreign::else_if_word(input, place) {
        let span = input.bump();
        let item = item::else_if(input, grammar, span);
        push_item(input, nodes, item);
        return true;
    }
    if let Some(diagnostic) = foreign::input_as_statement(input, place) {
        input.cx().report(index, diagnostic);
        block::skip_to_item(input, place);
        nodes.push(Node::Error(span.to(input.previous())));
        return true;
    }
    let near = meant(&mut input.cx().nearest, word, place);
    if modifiers.iter().any(|(modifier, _)| *modifier == Modifier::Override)
        && near.is_none_or(|keyword| matches!(keyword.row().head.first(), Some(Part::Name | Part::Names)))
        && let Some(Token::LeftBrace | Token::Assign) = input.look(1)
    {
        // `Override OnEnty { ... }` beside the states instead of in one.
        let meant = input.cx().nearest.find(word, Keyword::ALL.iter().map(|keyword| keyword.name()));
        let meant = meant.and_then(|name| Keyword::ALL.iter().find(|keyword| keyword.name() == name));
        if let Some(keyword) = meant.filter(|keyword| word.len() >= 6 && !keyword.stands_in(place)) {
            misplaced(input, grammar, place, *keyword, nodes);
            return true;
        }
        let kind = if input.look(1) == Some(Token::Assign) { "Const" } else { "Animation" };
        let word = clip(word);
        let diagnostic = Diagnostic::new(
            Code::UnknownKeyword,
            format!("`Override` and a name alone: `{word}`"),
            span,
            "expected the keyword of what is inherited",
        )
        .help(format!("write `Override {kind} {word}`, or the keyword that the inherited thing has"));
        input.cx().report(index, diagnostic);
        block::skip_to_item(input, place);
        nodes.push(Node::Error(span.to(input.previous())));
        return true;
    }
    if let Some(keyword) = near
        && foreign::group_of_items(input, grammar, place, keyword, nodes)
    {
        return true;
    }
    if near.is_none_or(|keyword| keyword.name().to_ascii_lowercase() != lower)
        && modifiers.is_empty()
        && foreign::keyword_left_out(input, grammar, place, near, nodes)
    {
        return true;
    }
    if let Some(keyword) = near {
        let name = keyword.name();
        if foreign::initial_before_state(input, grammar, place, keyword, nodes) {
            return true;
        }
        // `State Idle { Initial }`: a mark of the state, as other tools have it.
        let marks = matches!(input.look(1), None | Some(Token::RightBrace | Token::True))
            || input.cx().first_on_line(index + 1);
        if keyword == Keyword::InitialState && place == Place::State && marks {
            let diagnostic = Diagnostic::new(
                Code::UnknownKeyword,
                format!("unknown keyword `{word}`"),
                span,
                "where a machine starts is said beside its states",
            )
            .help("remove it, and write `InitialState` and the name of the state before the states");
            input.cx().push(diagnostic);
            block::skip_to_item(input, place);
            nodes.push(Node::Error(span.to(input.previous())));
            return true;
        }
        let diagnostic = Diagnostic::new(
            Code::UnknownKeyword,
            format!("unknown keyword `{word}`"),
            span,
            format!("expected `{name}`"),
        )
        .help(format!("did you mean `{name}`?"))
        .fix(span, name);
        input.cx().push(diagnostic);
        // A value in the manner of another tool is not judged.
        if let (Some(Part::Value), Some(Token::Name(value))) = (keyword.row().head.first(), input.look(1))
            && foreign::synonyms(word).next().is_some()
        {
            input.cx().lost.push(value);
        }
        // Actions are added, so there may be none to override.
        let mut modifiers = modifiers;
        if keyword.row().block == syntax::Block::Required(Place::Actions) {
            modifiers.remove(Modifier::Override);
        }
        let item = item::item(input, grammar, keyword, modifiers);
        push_item(input, nodes, item);
        return true;
    }
    if let Some(modifier) = modifier_meant(&mut input.cx().nearest, word)
        .filter(|modifier| block::takes_modifier(place, *modifier) && modifiers.is_empty())
    {
        let diagnostic = Diagnostic::new(
            Code::UnknownKeyword,
            format!("unknown keyword `{word}`"),
            span,
            format!("expected `{}`", modifier.name()),
        )
        .help(format!("did you mean `{}`?", modifier.name()))
        .fix(span, modifier.name());
        input.cx().push(diagnostic);
        block::modified(input, grammar, place, modifier, nodes);
        return true;
    }
    let elsewhere = input.cx().nearest.find(word, Keyword::ALL.iter().map(|keyword| keyword.name()));
    // Short words are near to something by chance.
    let elsewhere = elsewhere.filter(|name| name.eq_ignore_ascii_case(word) || word.len() >= 8);
    if let Some(keyword) =
        elsewhere.and_then(|name| Keyword::ALL.iter().find(|keyword| keyword.name() == name))
    {
        misplaced(input, grammar, place, *keyword, nodes);
        return true;
    }
    let mut diagnostic = Diagnostic::new(
        Code::UnknownKeyword,
        format!("unknown keyword `{}`", clip(word)),
        span,
        format!("expected {}", block::holds(place)),
    );
    let switch = match word {
        "yes" | "on" | "True" | "TRUE" => Some("true"),
        "no" | "off" | "False" | "FALSE" => Some("false"),
        _ => None,
    };
    let advice = foreign::advice(word, place).or_else(|| foreign::component_instead(input, word, place));
    diagnostic = match input.cx().previous_literal(index) {
        Some(row) => match switch {
            Some(plain) => diagnostic.help(format!("write `{} {plain}`", row.name)).fix(span, plain),
            None => diagnostic
                .help(format!("after `{}` stands a literal or nothing: `{}`", row.name, row.example)),
        },
        None => match listed(place).filter(|_| advice.is_none()) {
            Some(names) => diagnostic.help(format!("here may stand {names}")),
            None => diagnostic,
        },
    };
    diagnostic.help.extend(advice.or_else(|| foreign::event_instead(word, place)));
    input.cx().report(index, diagnostic);
    block::skip_to_item(input, place);
    nodes.push(Node::Error(span.to(input.previous())));
    true
}

fn modifier_meant(nearest: &mut Nearest, word: &str) -> Option<Modifier> {
    let name = nearest.find(word, Modifier::ALL.iter().map(|modifier| modifier.name()))?;
    Modifier::ALL.iter().copied().find(|modifier| modifier.name() == name)
}

/// The keywords of a place, for a message; none where it has no keywords.
fn listed(place: Place) -> Option<String> {
    let mut names: Vec<&str> = Keyword::ALL
        .iter()
        .filter(|keyword| keyword.stands_in(place))
        .map(|keyword| keyword.name())
        .collect();
    names.dedup();
    if names.is_empty() {
        return None;
    }
    let more = names.len() > 24;
    names.truncate(24);
    let end = if more { " and more" } else { "" };
    Some(format!("`{}`{end}", names.join("`, `")))
}

/// A keyword of another block: reported with where it belongs, and read so that what it holds is not misread.
fn misplaced<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    place: Place,
    keyword: Keyword,
    nodes: &mut Vec<Node>,
) {
    let span = input.place();
    let index = input.index();
    let cx = input.cx();
    let word = clip(cx.slice(span));
    let name = keyword.name();
    let mut diagnostic = Diagnostic::new(
        Code::MisplacedKeyword,
        format!("`{word}` cannot stand {}", inside(place)),
        span,
        format!("expected {}", block::holds(place)),
    );
    diagnostic = if word == name {
        diagnostic.help(format!("`{name}` stands {}", homes(name)))
    } else {
        diagnostic.help(format!("did you mean `{name}`? It stands {}", homes(name)))
    };
    let advice = foreign::advice(&word, place);
    if advice.is_none()
        && let Some(other) = meant(&mut cx.nearest, &word, place).filter(|other| other.name() != name)
    {
        diagnostic = diagnostic.help(format!("did you mean `{}`?", other.name()));
    }
    diagnostic.help.extend(advice);
    if keyword == Keyword::Transition && place == Place::Actions {
        let target = match cx.token(index + 1) {
            Some(Token::Name(_) | Token::Quoted(_)) => clip(cx.slice(cx.span(index + 1))),
            _ => "Walk".to_owned(),
        };
        diagnostic = diagnostic.help(format!("an action asks for a state by `Request {target}`"));
    }
    cx.report(index, diagnostic);
    // `Transition Shut { OnFinish }`: without its block there is nothing of it to read.
    let alone = matches!(keyword.row().block, syntax::Block::Required(_)) && keyword.row().head.is_empty();
    if alone && cx.token(index + 1) != Some(Token::LeftBrace) {
        input.bump();
        nodes.push(Node::Error(span));
        return;
    }
    // What stands in it belongs to its own block, not to this one.
    let home = keyword.row().places[0];
    let outer = std::mem::replace(&mut cx.place, home);
    cx.quiet = true;
    let item = item::item(input, grammar, keyword, ast::Modifiers::default());
    let cx = input.cx();
    cx.place = outer;
    lose(&item, &mut cx.lost);
    nodes.push(Node::Error(item.span));
}

/// Remembers what an item that is not kept declares.
pub(super) fn lose(item: &ast::Item, lost: &mut Vec<crate::intern::Symbol>) {
    lost.extend(item.names().iter().map(|name| name.symbol));
    for inner in item.items() {
        lose(inner, lost);
    }
}

fn inside(place: Place) -> String {
    match place {
        Place::File => "outside of a behavior or test".to_owned(),
        Place::Actions => "in a list of actions".to_owned(),
        Place::Variants => "in an `Enum`".to_owned(),
        Place::Transitions => "in `Entry` or `AnyState`".to_owned(),
        Place::Defaults => "in `TransitionDefaults`".to_owned(),
        Place::Motion => "where a motion is expected".to_owned(),
        Place::Blend => "in a blend".to_owned(),
        Place::Key => "in a key of a track".to_owned(),
        Place::Metadata | Place::Listener => format!("in `{place:?}`"),
        Place::Animation | Place::InitialState => format!("in an `{place:?}`"),
        _ => format!("in a `{place:?}`"),
    }
}

/// Where a keyword may stand, for a message.
fn homes(name: &str) -> String {
    let mut places: Vec<String> = Vec::new();
    for keyword in Keyword::ALL.iter().filter(|keyword| keyword.name() == name) {
        for place in keyword.row().places {
            let text = if *place == Place::File { "at the top of a file".to_owned() } else { inside(*place) };
            if !places.contains(&text) {
                places.push(text);
            }
        }
    }
    match places.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        None => String::new(),
    }
}
