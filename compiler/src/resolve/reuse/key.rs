//! What an item of a behavior is known by, so that one that is inherited can be found again, and how messages call it.

use crate::ast::{Item, Name, Part};
use crate::intern::{Interner, Symbol};
use crate::source::Span;
use crate::syntax::{Keyword, Place, written};

/// What an item is known by in its block.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A parameter, constant, `Let` or predicate.
    Value(Symbol),
    /// A declaration that has a name space of its own.
    Named(Keyword, Symbol),
    /// A listener, by its target.
    Listener(Option<Symbol>),
    /// A `Rest`, by target and property.
    Rest(Symbol, Symbol),
    /// `InitialState` or `Entry`.
    Start,
    /// `Clip` and the like.
    Motion,
    /// `Looped` or `Loop`.
    Loop,
    /// `ActiveLayer` or `SuppressLayer`, by its layer.
    Mark(Symbol),
    /// A property that stands once.
    Property(Keyword),
    /// `AnyState`.
    AnyState,
    /// One of several, by what it names: transitions by their target, `OnEntry` by where one comes from.
    List(Keyword, Vec<Symbol>),
    /// A track, by target and property.
    Track(Symbol, Symbol),
    /// An `On`, by its event and key.
    On(Symbol, Option<Symbol>),
    /// A `Bind`, by the child's parameter.
    Bind(Vec<Symbol>),
    /// A reaction, which nothing names.
    Reaction,
}

impl Key {
    /// Whether only one such item may stand in a block, so that another needs `Override`.
    pub(super) fn is_unique(&self) -> bool {
        !matches!(self, Key::List(..) | Key::AnyState | Key::Reaction)
    }

    /// The name in it.
    pub(super) fn name(&self) -> Option<Symbol> {
        match self {
            Key::Value(name) | Key::Named(_, name) | Key::Mark(name) => Some(*name),
            Key::Listener(name) => *name,
            Key::List(_, path) => path.last().copied(),
            _ => None,
        }
    }
}

fn symbols(path: &crate::ast::Path) -> Vec<Symbol> {
    path.names.iter().map(|name| name.symbol).collect()
}

/// What an item is known by, once for each of its names, with the place of the name. An item that could not be read
/// far enough has none.
pub(super) fn keys(item: &Item, place: Place) -> Vec<(Key, Option<Name>)> {
    let named = |make: fn(Symbol) -> Key| -> Vec<(Key, Option<Name>)> {
        item.names().iter().map(|name| (make(name.symbol), Some(*name))).collect()
    };
    let target = item.texts().first().map(|text| text.symbol);
    let single = |key: Option<Key>| key.map(|key| (key, None)).into_iter().collect();
    match item.keyword {
        Keyword::Param | Keyword::Const | Keyword::Let | Keyword::Predicate => named(Key::Value),
        Keyword::Enum
        | Keyword::Mask
        | Keyword::Layer
        | Keyword::Animation
        | Keyword::State
        | Keyword::Component
        | Keyword::Marker
        | Keyword::Span => {
            let keyword = item.keyword;
            item.names().iter().map(|name| (Key::Named(keyword, name.symbol), Some(*name))).collect()
        }
        Keyword::Listener => single(Some(Key::Listener(target))),
        Keyword::Rest => single(target.zip(item.name()).map(|(text, name)| Key::Rest(text, name.symbol))),
        Keyword::Track => single(target.zip(item.name()).map(|(text, name)| Key::Track(text, name.symbol))),
        Keyword::InitialState | Keyword::Entry => single(Some(Key::Start)),
        Keyword::Clip | Keyword::Blend1D | Keyword::Blend2D | Keyword::BlendDirect | Keyword::Empty => {
            single(Some(Key::Motion))
        }
        Keyword::Looped | Keyword::Loop => single(Some(Key::Loop)),
        Keyword::ActiveLayer | Keyword::SuppressLayer => named(Key::Mark),
        Keyword::AnyState => single(Some(Key::AnyState)),
        Keyword::OnEntry => {
            let from = item.head.iter().find_map(|part| match part {
                Part::FromState(path) => Some(symbols(path)),
                _ => None,
            });
            single(Some(Key::List(Keyword::OnEntry, from.unwrap_or_default())))
        }
        Keyword::OnExit | Keyword::OnUpdate | Keyword::OnFinish | Keyword::OnLoop => {
            single(Some(Key::List(item.keyword, Vec::new())))
        }
        Keyword::Tags if place == Place::State => single(Some(Key::List(Keyword::Tags, Vec::new()))),
        Keyword::Transition | Keyword::OnDone => {
            single(item.path().map(|path| Key::List(item.keyword, symbols(path))))
        }
        Keyword::On => {
            let event = item.head.iter().find_map(|part| match part {
                Part::Event(name) => Some(name.symbol),
                _ => None,
            });
            single(event.map(|event| Key::On(event, target)))
        }
        Keyword::Bind => {
            let child = item.head.iter().rev().find_map(|part| match part {
                Part::Path(path) => Some(symbols(path)),
                _ => None,
            });
            single(child.map(Key::Bind))
        }
        Keyword::When => single(Some(Key::Reaction)),
        Keyword::Remove | Keyword::Metadata => Vec::new(),
        _ => single(Some(Key::Property(item.keyword))),
    }
}

/// Where messages show an item: its name, or what stands for one.
pub(super) fn place_of(item: &Item, name: Option<Name>) -> Span {
    let path = item.path().map(|path| path.span);
    let text = item.texts().first().map(|text| text.span);
    name.map(|name| name.span).or(path).or(text).unwrap_or(item.keyword_span)
}

/// How messages call the things of a declaration.
pub(super) fn noun(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Param => "parameter",
        Keyword::Const => "constant",
        Keyword::Let => "value",
        Keyword::Predicate => "predicate",
        Keyword::Enum => "enum",
        Keyword::Mask => "mask",
        Keyword::Layer => "layer",
        Keyword::Animation => "animation",
        Keyword::State => "state",
        Keyword::Component => "component",
        Keyword::Listener => "listener",
        Keyword::Rest => "rest value",
        Keyword::Transition => "transition",
        _ => keyword.name(),
    }
}

/// Names joined by dots.
pub(super) fn dotted(path: &[Symbol], names: &Interner) -> String {
    let texts: Vec<&str> = path.iter().map(|symbol| names.text(*symbol)).collect();
    texts.join(".")
}

/// How messages call an item: ``animation `Idle` ``, `` `InitialState` ``.
pub(super) fn called(item: &Item, key: &Key, names: &Interner) -> String {
    let keyword = item.keyword.name();
    match key {
        Key::Value(name) | Key::Named(_, name) => format!("{} `{}`", noun(item.keyword), names.text(*name)),
        Key::Listener(Some(target)) => format!("listener of `{}`", names.text(*target)),
        Key::Listener(None) => "listener of the whole scene".to_owned(),
        Key::Rest(target, property) => {
            format!("rest value of `{}` of `{}`", names.text(*property), names.text(*target))
        }
        Key::Mark(layer) => format!("`{keyword} {}`", written(names.text(*layer))),
        Key::List(Keyword::Transition, path) => format!("transition to `{}`", dotted(path, names)),
        Key::List(Keyword::OnDone, path) => format!("`OnDone {}`", dotted(path, names)),
        Key::List(Keyword::OnEntry, path) if !path.is_empty() => {
            format!("`OnEntry from {}`", dotted(path, names))
        }
        _ => format!("`{keyword}`"),
    }
}
