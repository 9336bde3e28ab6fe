//! The methods of the builder: one row each, with the context in which it is called and what it means.

use super::model::ActionKind;
use crate::nearest::Nearest;

/// What a method is called on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    Root,
    Animation,
    Layer,
    State,
    Entry,
    Exit,
    Transition,
}

impl Context {
    /// What it is, for messages.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Context::Root => "the behavior",
            Context::Animation => "an animation",
            Context::Layer => "a layer",
            Context::State => "a state",
            Context::Entry => "an entry list",
            Context::Exit => "an exit list",
            Context::Transition => "a transition",
        }
    }
}

/// What a property takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Bool,
    Text,
    /// Any finite number.
    Number,
    /// A whole number.
    Integer,
    /// Seconds, 0 or more.
    Seconds,
    /// Seconds of an animation's fade.
    Fade,
    /// Above 0.
    Positive,
    /// 0 to 1.
    Ratio,
    /// Above 0, at most 1.
    Share,
}

/// What a method means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Begins an item with a name.
    Open(Context),
    /// Begins a list of actions.
    List(Context),
    /// A property of the same name, or of that keyword.
    Property(&'static str, Takes),
    Action(ActionKind),
    /// `ActiveLayer` or `SuppressLayer`.
    Mark(bool),
    /// The layer of an animation.
    LayerName,
    GroupName,
    Tags,
    Marker,
    Transition,
    TransitionPriority,
    Predicate,
    Initial,
    Done,
    Build,
}

pub(super) struct Method {
    pub(super) context: Context,
    pub(super) name: &'static str,
    pub(super) meaning: Meaning,
}

const fn row(context: Context, name: &'static str, meaning: Meaning) -> Method {
    Method { context, name, meaning }
}

const fn property(context: Context, name: &'static str, takes: Takes) -> Method {
    row(context, name, Meaning::Property(name, takes))
}

pub(super) const METHODS: &[Method] = &[
    row(Context::Root, "Animation", Meaning::Open(Context::Animation)),
    row(Context::Root, "Layer", Meaning::Open(Context::Layer)),
    row(Context::Root, "State", Meaning::Open(Context::State)),
    row(Context::Root, "Predicate", Meaning::Predicate),
    row(Context::Root, "InitialState", Meaning::Initial),
    row(Context::Root, "Build", Meaning::Build),
    property(Context::Animation, "AssetId", Takes::Text),
    row(Context::Animation, "Layer", Meaning::LayerName),
    row(Context::Animation, "Group", Meaning::GroupName),
    property(Context::Animation, "Duration", Takes::Seconds),
    property(Context::Animation, "Looped", Takes::Bool),
    property(Context::Animation, "Priority", Takes::Integer),
    property(Context::Animation, "FadeIn", Takes::Fade),
    property(Context::Animation, "FadeOut", Takes::Fade),
    property(Context::Animation, "Speed", Takes::Number),
    property(Context::Animation, "Weight", Takes::Share),
    property(Context::Animation, "CanInterrupt", Takes::Bool),
    property(Context::Animation, "MinDuration", Takes::Seconds),
    property(Context::Animation, "Additive", Takes::Bool),
    row(Context::Animation, "Tags", Meaning::Tags),
    row(Context::Animation, "Tag", Meaning::Tags),
    row(Context::Animation, "Marker", Meaning::Marker),
    property(Context::Layer, "Order", Takes::Integer),
    property(Context::Layer, "BaseWeight", Takes::Ratio),
    property(Context::Layer, "LerpRate", Takes::Positive),
    row(Context::Layer, "Additive", Meaning::Property("Blend", Takes::Bool)),
    row(Context::State, "OnEntry", Meaning::List(Context::Entry)),
    row(Context::State, "OnExit", Meaning::List(Context::Exit)),
    row(Context::State, "ActiveLayer", Meaning::Mark(true)),
    row(Context::State, "SuppressLayer", Meaning::Mark(false)),
    row(Context::State, "Transition", Meaning::Transition),
    row(Context::State, "Tags", Meaning::Tags),
    row(Context::State, "Tag", Meaning::Tags),
    row(Context::Entry, "Play", Meaning::Action(ActionKind::Play)),
    row(Context::Entry, "Stop", Meaning::Action(ActionKind::Stop)),
    row(Context::Entry, "StopGroup", Meaning::Action(ActionKind::StopGroup)),
    row(Context::Entry, "PlayTag", Meaning::Action(ActionKind::PlayTag)),
    row(Context::Entry, "StopTag", Meaning::Action(ActionKind::StopTag)),
    row(Context::Transition, "Priority", Meaning::TransitionPriority),
];

/// The methods that can be called in a context.
fn callable(context: Context) -> impl Iterator<Item = &'static Method> {
    // Both lists take the same actions.
    let own = if context == Context::Exit { Context::Entry } else { context };
    METHODS.iter().filter(move |method| method.context == own)
}

/// What a method means in a context. `Done` ends every item.
pub(super) fn find(context: Context, name: &str) -> Option<Meaning> {
    if name == "Done" && context != Context::Root {
        return Some(Meaning::Done);
    }
    callable(context).find(|method| method.name == name).map(|method| method.meaning)
}

/// The method of a context whose name is near.
pub(super) fn nearest(context: Context, name: &str) -> Option<&'static str> {
    Nearest::default().find(name, callable(context).map(|method| method.name))
}
