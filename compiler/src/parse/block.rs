//! Blocks: what stands in them, and what to do where their braces are missing.

use super::context::Tokens;
use super::{Grammar, In, entry, foreign, item, keyword, parts};
use crate::ast::{self, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::Token;
use crate::source::Span;
use crate::syntax::{self, Keyword, Modifier, Place, Row};

/// All that stands in a block, up to its closer or the end of the file.
pub(super) fn nodes<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, place: Place) -> Vec<Node> {
    let outer = std::mem::replace(&mut input.cx().place, place);
    let mut nodes = input.cx().spare.pop().unwrap_or_default();
    while !matches!(input.look(0), None | Some(Token::RightBrace)) {
        let before = input.index();
        node(input, grammar, place, &mut nodes);
        if input.index() == before {
            // A closer of another kind, which balancing leaves nowhere; never stay in place.
            let span = input.bump();
            nodes.push(Node::Error(span));
        }
    }
    input.cx().place = outer;
    if nodes.len() > MANY {
        nodes.shrink_to_fit();
        return nodes;
    }
    // Most blocks are small: what they need exactly is worth a copy.
    let mut exact = Vec::with_capacity(nodes.len());
    exact.append(&mut nodes);
    input.cx().spare.push(nodes);
    exact
}

/// The nodes of a block that are not copied again.
const MANY: usize = 64;

fn node<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, place: Place, nodes: &mut Vec<Node>) {
    let index = input.index();
    if let Some(Token::Name(word)) = input.look(0) {
        if let Some(keyword) = input.cx().keyword(word, place) {
            if keyword == Keyword::Listener && foreign::event_of_a_listener(input, grammar, place, nodes) {
                return;
            }
            let keyword = if entry_for_on_entry(input, keyword, place) { Keyword::OnEntry } else { keyword };
            let item = item::item(input, grammar, keyword, ast::Modifiers::default());
            push_item(input, nodes, item);
            return;
        }
        if let Some(modifier) = input.cx().modifier(word)
            && takes_modifier(place, modifier)
        {
            return modified(input, grammar, place, modifier, nodes);
        }
    }
    match place {
        Place::Variants => return entry::variant(input, nodes),
        Place::Metadata => return entry::field(input, nodes),
        Place::Blend | Place::Track if entry::starts(input, place) => {
            return entry::entry(input, grammar, place, nodes);
        }
        _ => {}
    }
    if foreign::node(input, grammar, place, nodes) || keyword::unknown(input, grammar, place, nodes) {
        return;
    }
    let start = input.place();
    let help = input.cx().previous_literal(index).map(|row| {
        format!("after `{}` stands a literal or nothing; the form is `{}`", row.name, row.example)
    });
    let help = help.or_else(|| match nodes.last() {
        Some(Node::Item(before))
            if before.keyword == Keyword::Param && input.look(0) == Some(Token::LeftBracket) =>
        {
            Some("a range stands in braces: `{ Min 0 Max 10 }`".to_owned())
        }
        _ => None,
    });
    input.expected(holds(place), help);
    skip_to_item(input, place);
    nodes.push(Node::Error(start.to(input.previous())));
}

/// `Entry { Play Idle }` in a state: reported, and true.
fn entry_for_on_entry(input: &mut In<'_, '_>, keyword: Keyword, place: Place) -> bool {
    let (Some(Token::LeftBrace), Some(Token::Name(first))) = (input.look(1), input.look(2)) else {
        return false;
    };
    let cx = input.cx();
    let actions =
        cx.keyword(first, Place::Actions).is_some() && cx.keyword(first, Place::Transitions).is_none();
    if keyword != Keyword::Entry || place != Place::State || !actions {
        return false;
    }
    let span = input.place();
    let diagnostic = Diagnostic::new(
        Code::MisplacedKeyword,
        "`Entry` holds transitions, and these are actions",
        span,
        "expected `OnEntry`",
    )
    .help("did you mean `OnEntry`?")
    .fix(span, "OnEntry");
    input.cx().push(diagnostic);
    true
}

/// Whether the word is a modifier in such a block. `Override` stands wherever something inherited is opened, and is
/// told apart there from where it means nothing.
pub(super) fn takes_modifier(place: Place, modifier: Modifier) -> bool {
    match place {
        Place::File | Place::Behavior | Place::Layer => true,
        Place::State
        | Place::Transitions
        | Place::Animation
        | Place::Param
        | Place::Mask
        | Place::Listener
        | Place::Component
        | Place::Defaults => modifier == Modifier::Override,
        _ => false,
    }
}

/// `Global Param`, `Extern Predicate`, `Override Animation`.
pub(super) fn modified<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    place: Place,
    first: Modifier,
    nodes: &mut Vec<Node>,
) {
    let start = input.bump();
    let mut modifiers = ast::Modifiers::default();
    modifiers.push(first, start);
    while let Some(Token::Name(word)) = input.look(0) {
        if let Some(keyword) = input.cx().keyword(word, place) {
            for (modifier, span) in modifiers.iter() {
                if !modifier.fits(keyword) {
                    let mut diagnostic = Diagnostic::new(
                        Code::MisplacedKeyword,
                        format!("`{}` cannot stand before `{}`", modifier.name(), keyword.name()),
                        *span,
                        format!("expected before {}", modifier.fits_what()),
                    );
                    if *modifier == Modifier::Override
                        && matches!(keyword, Keyword::State | Keyword::AnyState)
                    {
                        diagnostic = diagnostic.help(format!(
                            "an inherited `{}` is opened without it: what stands in its block is added, and `Override` \
                             stands there, before what it replaces",
                            keyword.name()
                        ));
                    }
                    input.cx().push(diagnostic);
                }
            }
            let item = item::item(input, grammar, keyword, modifiers);
            push_item(input, nodes, item);
            return;
        }
        let Some(modifier) = input.cx().modifier(word) else { break };
        modifiers.push(modifier, input.bump());
    }
    if let Some(keyword) = foreign::keyword_behind_modifier(input, place, first, start) {
        let at = input.place();
        let at = Span { end: at.start, ..at };
        let item = item::after_keyword(input, grammar, keyword, at, modifiers);
        push_item(input, nodes, item);
        return;
    }
    if keyword::unknown_after(input, grammar, place, nodes, modifiers) {
        return;
    }
    input.expected(first.fits_what(), None);
    skip_to_item(input, place);
    nodes.push(Node::Error(start.to(input.previous())));
}

/// Adds an item, after a look at the one before.
pub(super) fn push_item(input: &mut In<'_, '_>, nodes: &mut Vec<Node>, item: ast::Item) {
    if item.keyword == Keyword::Else {
        let follows = matches!(nodes.last(), Some(Node::Item(before)) if before.keyword == Keyword::If
            || before.keyword == Keyword::Else && before.head.iter().any(|part| matches!(part, ast::Part::If(_))));
        let silent = matches!(nodes.last(), Some(Node::Error(_)));
        if !follows && !silent {
            let diagnostic = Diagnostic::new(
                Code::MisplacedKeyword,
                "`Else` without an `If` before it",
                item.keyword_span,
                "expected right after the block of an `If` or `Else If`",
            );
            input.cx().push(diagnostic);
            nodes.push(Node::Error(item.span));
            return;
        }
    }
    nodes.push(Node::Item(item));
}

/// The block after a head, if there is one or should be one.
pub(super) fn after_head<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    row: &'static Row,
    start: Span,
    complete: bool,
) -> Option<ast::Block> {
    if input.look(0) == Some(Token::LeftParen) && !matches!(row.block, syntax::Block::None) {
        foreign::empty_parentheses(input, row);
    }
    if !matches!(row.block, syntax::Block::None) {
        foreign::assign_before_block(input, row);
    }
    foreign::then_before_block(input, row);
    if foreign::arrow_for_block(input, row) {
        return None;
    }
    let opens = input.look(0) == Some(Token::LeftBrace);
    let place = match row.block {
        syntax::Block::None => {
            foreign::condition_of_action(input, row);
            foreign::value_of_switch(input, grammar, row);
            foreign::value_of_event(input, grammar, row);
            if opens {
                stray_block(input, row);
            }
            return None;
        }
        syntax::Block::Optional(place) | syntax::Block::Required(place) => place,
    };
    let required = matches!(row.block, syntax::Block::Required(_));
    let in_test = input.cx().in_test;
    input.cx().in_test |= row.keyword == Keyword::Test;
    let variants = if opens { None } else { foreign::assigned_variants(input, row) };
    let block = if opens {
        Some(braces(input, grammar, place))
    } else if variants.is_some() {
        variants
    } else if complete && foreign::ends_with_colon(input) {
        Some(foreign::colon_block(input, grammar, row, place, start))
    } else if required && complete {
        without_braces(input, grammar, row, place, start)
    } else {
        None
    };
    input.cx().in_test = in_test;
    block
}

/// A block whose brace is the next token.
pub(super) fn braces<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, place: Place) -> ast::Block {
    let open = input.bump();
    let nodes = nodes(input, grammar, place);
    ast::Block { nodes, span: open.to(input.bump()) }
}

fn stray_block(input: &mut In<'_, '_>, row: &Row) {
    let index = input.index();
    let open = input.place();
    let diagnostic = Diagnostic::new(
        Code::UnexpectedToken,
        format!("`{}` takes no block", row.name),
        open,
        "expected the next item",
    )
    .help(match row.keyword {
        Keyword::Play => {
            "how it plays stands in its `Animation`, such as `Animation Walk { FadeIn 0.2 }`".to_owned()
        }
        _ => format!("the form is `{}`", row.example),
    });
    input.cx().report(index, diagnostic);
    input.skip_balanced();
}

/// A block that must stand but does not begin: the items that can only belong to it are read all the same.
fn without_braces<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    row: &Row,
    place: Place,
    head: Span,
) -> Option<ast::Block> {
    if let Some(block) = foreign::loose_branch(input, grammar, row, head) {
        return Some(block);
    }
    let start = input.place();
    let outer = input.cx().place;
    input.expected(&format!("`{{` and {}", contents(place)), parts::form(row));
    let mut nodes = Vec::new();
    while let Some(Token::Name(word)) = input.look(0) {
        let cx = input.cx();
        if cx.keyword(word, place).is_none() || cx.keyword(word, outer).is_some() {
            break;
        }
        cx.place = place;
        node(input, grammar, place, &mut nodes);
        input.cx().place = outer;
    }
    let span = if nodes.is_empty() { start } else { start.to(input.previous()) };
    (!nodes.is_empty()).then_some(ast::Block { nodes, span })
}

/// Goes to the next item of a block, or to its end.
pub(super) fn skip_to_item(input: &mut In<'_, '_>, place: Place) {
    if input.look(0).is_some_and(Token::is_closer) {
        return;
    }
    loop {
        input.skip_balanced();
        let index = input.index();
        match input.look(0) {
            None => return,
            Some(Token::Name(word)) => {
                let cx = input.cx();
                if cx.keyword(word, place).is_some() || cx.first_on_line(index) {
                    return;
                }
            }
            Some(token) if token.is_closer() => return,
            _ => {}
        }
    }
}

/// What stands in a block, for a message.
pub(super) fn holds(place: Place) -> &'static str {
    match place {
        Place::File => "`Use`, `Const`, `Enum`, `Behavior` or `Test`",
        Place::Behavior => "a declaration or a state",
        Place::Param => "a property of the parameter",
        Place::Variants => "the name of a variant",
        Place::Mask => "`Include` or `Exclude`",
        Place::Layer => "a property of the layer or a state",
        Place::Animation => "a property of the animation",
        Place::Metadata => "a word and a literal",
        Place::Track => "a key `time: value`",
        Place::Key => "`Easing`",
        Place::InitialState => "`Enter`",
        Place::Transitions => "a transition",
        Place::Defaults => "a property of transitions",
        Place::State => "a property, a transition or an action list of the state",
        Place::Transition => "a property of the transition",
        Place::Actions => "an action, such as `Play Idle`",
        Place::Request => "`Priority`",
        Place::Clip => "a property of the motion",
        Place::Blend => "an entry `position: Animation` or an option",
        Place::Motion => "a motion, such as `Clip Walk`",
        Place::Listener => "`On` and an event",
        Place::Component => "`Target` or `Bind`",
        Place::Test => "a statement, such as `Step` or `Expect state == Idle`",
    }
}

/// What a block consists of, for a message.
fn contents(place: Place) -> &'static str {
    match place {
        Place::Behavior => "declarations and states",
        Place::Actions => "actions",
        Place::Test => "statements",
        Place::Transitions => "transitions",
        Place::Variants => "the names of the variants",
        Place::Blend => "entries",
        Place::Track => "keys",
        Place::Motion => "a motion",
        Place::Metadata => "words, each with a literal",
        _ => "properties",
    }
}
