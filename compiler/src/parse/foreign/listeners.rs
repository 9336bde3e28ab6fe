//! Listeners and inputs in other forms: an event and its target in one head, a listener in a state, a target before the
//! event.

use motix_vm::input::{InputKind, Source};

use super::super::block::{self, push_item};
use super::super::context::Tokens;
use super::super::parts::Reported;
use super::super::{Grammar, In};
use super::operators::mend;
use crate::ast::{self, Item, Name, Node, Part, Text};
use crate::diagnostic::{Code, Diagnostic};
use crate::lex::{Token, clip};
use crate::source::Span;
use crate::syntax::{Keyword, Place, Row};

/// Words before an event in other tools, in lower case.
const BEFORE_EVENTS: &[&str] =
    &["on", "onpointer", "onmouse", "ontouch", "onkey", "onevent", "oninput", "listener"];

/// What a head of an event says, in whatever order.
struct Said {
    kind: InputKind,
    text: Option<Text>,
    /// How many tokens it takes.
    length: usize,
}

/// `OnPointer click "x" { ... }`, `On click { ... }` or `Listener click "x" { ... }` where that is no item; false where
/// it is something else.
pub(in crate::parse) fn event_of_a_listener<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    place: Place,
    nodes: &mut Vec<Node>,
) -> bool {
    if !matches!(place, Place::Behavior | Place::Layer | Place::State | Place::Listener) {
        return false;
    }
    let Some(said) = said(input, place) else { return false };
    let index = input.index();
    let start = input.place();
    for _ in 1..said.length {
        input.bump();
    }
    let head = start.to(input.bump());
    let cx = input.cx();
    let (on, listener) = right_form(&said, said.text.map(|text| cx.slice(text.span)));
    let written = clip(cx.slice(head));
    let diagnostic = match place {
        Place::Listener => {
            let diagnostic = Diagnostic::new(
                Code::UnknownKeyword,
                format!("unknown keyword `{}`", clip(cx.slice(start))),
                head,
                format!("expected `{on}`"),
            )
            .help(format!("write `{on} {{ ... }}`"))
            .fix(head, on);
            match said.text.filter(|_| said.kind.source() != Source::Key) {
                Some(_) => diagnostic.help(format!("the target is the listener's: `{listener}`")),
                None => diagnostic,
            }
        }
        Place::State => Diagnostic::new(
            Code::MisplacedKeyword,
            format!("`{written}` in a `State`"),
            head,
            "listeners stand beside the states and hear in all of them",
        )
        .help(format!("write `{listener}` in the behavior"))
        .help("for this state only, fire a trigger there, and write `Transition Next when clicked` here"),
        _ => Diagnostic::new(
            Code::MisplacedKeyword,
            format!("`{written}` is not how a listener is written"),
            head,
            "expected `Listener`, and the event inside it",
        )
        .help(format!("write `{listener}`")),
    };
    cx.report(index, diagnostic);
    let block = block::braces(input, grammar, Place::Actions);
    let span = start.to(block.span);
    let symbol = input.cx().names.intern(said.kind.word());
    let mut on = Item {
        keyword: Keyword::On,
        keyword_span: start,
        modifiers: ast::Modifiers::default(),
        head: ast::Head::One(Part::Event(Name { symbol, span: head, quoted: false })),
        block: Some(block),
        span,
        doc: None,
    };
    let mut targets = said.text.map(|text| Part::Texts(vec![text]));
    if said.kind.source() == Source::Key {
        on.head.edit(|head| head.extend(targets.take()));
    }
    match place {
        Place::Listener => push_item(input, nodes, on),
        Place::State => nodes.push(Node::Error(span)),
        _ => {
            let block = ast::Block { nodes: vec![Node::Item(on)], span };
            let listener = Item {
                keyword: Keyword::Listener,
                keyword_span: start,
                modifiers: ast::Modifiers::default(),
                head: targets.into_iter().collect(),
                block: Some(block),
                span,
                doc: None,
            };
            push_item(input, nodes, listener);
        }
    }
    true
}

/// The `On` that was meant, and its listener.
fn right_form(said: &Said, text: Option<&str>) -> (String, String) {
    let word = said.kind.word();
    match text {
        Some(key) if said.kind.source() == Source::Key => {
            let on = format!("On {word} {key}");
            let listener = format!("Listener {{ {on} {{ ... }} }}");
            (on, listener)
        }
        Some(target) => (format!("On {word}"), format!("Listener {target} {{ On {word} {{ ... }} }}")),
        None => (format!("On {word}"), format!("Listener {{ On {word} {{ ... }} }}")),
    }
}

/// The input that a word means, in whatever letters, also as `onClick`.
fn kind_of(word: &str) -> Option<InputKind> {
    let lower = word.to_lowercase();
    InputKind::by_word(lower.strip_prefix("on").unwrap_or(&lower))
}

/// Reads ahead over a word, an event and a text, up to a brace.
fn said(input: &mut In<'_, '_>, place: Place) -> Option<Said> {
    let index = input.index();
    let span = input.place();
    let word = input.cx().slice(span);
    let mut kind = kind_of(word);
    let plain = matches!(word, "Listener" | "On");
    let before = BEFORE_EVENTS.contains(&&*word.to_lowercase());
    if kind.is_none() && !before || plain && place == Place::Listener {
        return None;
    }
    let mut text = None;
    let mut length = 1;
    loop {
        let span = input.cx().span(index + length);
        match input.look(length)? {
            Token::LeftBrace => break,
            Token::Text(symbol) if text.is_none() => text = Some(Text { symbol, span }),
            Token::Name(_) if kind.is_none() => {
                let word = input.cx().slice(span);
                if word != "On" {
                    kind = Some(kind_of(word)?);
                }
            }
            _ => return None,
        }
        length += 1;
    }
    Some(Said { kind: kind?, text, length })
}

/// `Pointer "button" click`, `Key "Enter"`: whether the target or key stands where the event should, which is reported
/// and read.
pub(in crate::parse) fn text_before_event(input: &mut In<'_, '_>, row: &Row) -> Result<(), Reported> {
    let Some(Token::Text(symbol)) = input.look(0) else { return Ok(()) };
    if !matches!(row.keyword, Keyword::Pointer | Keyword::Key) {
        return Ok(());
    }
    let index = input.index();
    let span = input.place();
    let cx = input.cx();
    let behind = match cx.token(index + 1) {
        Some(Token::Name(_)) if !cx.first_on_line(index + 1) => {
            InputKind::by_word(cx.slice(cx.span(index + 1)))
        }
        Some(Token::Text(_)) => return Ok(()),
        _ => None,
    };
    let default = if row.keyword == Keyword::Key { InputKind::by_word("keydown") } else { None };
    let Some(kind) = behind.or(default) else { return Ok(()) };
    input.bump();
    let whole = if behind.is_some() { span.to(input.bump()) } else { span };
    let cx = input.cx();
    let text = cx.slice(span);
    let diagnostic = match (row.keyword, behind) {
        (Keyword::Key, None) => Diagnostic::new(
            Code::UnexpectedToken,
            format!("`Key {}` does not say what the key does", clip(text)),
            span,
            "expected `keydown` or `keyup` before it",
        ),
        (Keyword::Key, _) => Diagnostic::new(
            Code::UnexpectedToken,
            "a key before what it does",
            span,
            "expected the event first",
        ),
        _ => Diagnostic::new(
            Code::UnexpectedToken,
            "a target before its event",
            span,
            "expected the event first",
        ),
    };
    let mended = format!("{} {text}", kind.word());
    cx.push(diagnostic.help(format!("write `{} {mended}`", row.name)).fix(whole, mended));
    let name = Name {
        symbol: cx.names.intern(kind.word()),
        span: Span { start: whole.end, ..whole },
        quoted: false,
    };
    cx.heads.push(Part::Event(name));
    cx.heads.push(Part::Texts(vec![Text { symbol, span }]));
    Err(Reported)
}

/// `Click "button"` in a test.
pub(in crate::parse) fn input_as_statement(input: &mut In<'_, '_>, place: Place) -> Option<Diagnostic> {
    let span = input.place();
    let word = input.cx().slice(span);
    let kind = kind_of(word).filter(|_| place == Place::Test)?;
    let keyword = if kind.source() == Source::Key { Keyword::Key } else { Keyword::Pointer };
    let mended = format!("{} {}", keyword.name(), kind.word());
    let diagnostic = Diagnostic::new(
        Code::UnknownKeyword,
        format!("unknown keyword `{word}`"),
        span,
        format!("expected `{mended}`"),
    );
    Some(mend(diagnostic, span, mended))
}
