//! Sources that somebody works on: a behavior with components as a draft, random edits of it, and its text.
//!
//! Drafts name things by words, so that an edit leaves everything else as it was. A name comes back now and then as
//! something else. What names a thing that is gone is not printed; a draft may still not compile.
#![allow(missing_docs)] // what the fields and variants are, their names say

mod change;
mod print;

pub use change::{edit, fresh};
pub use print::{binds, known, motion, source};

/// The name of the behavior that is run.
pub const NAME: &str = "Main";

/// A parameter's type.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    Flag,
    /// With its range.
    Number(f64, f64),
    /// With its lifetime in seconds; 0 is kept.
    Trigger(f64),
    Text,
    Mood(Vec<&'static str>),
    Color,
}

impl Ty {
    /// Whether a value of one is a value of the other.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    pub ty: Ty,
}

#[derive(Clone, Debug)]
pub struct Layer {
    pub name: String,
    pub base_weight: f64,
    /// Empty without a machine of its own.
    pub states: Vec<State>,
}

/// An animation; those of motions are called `A…`, those of actions `X…`.
#[derive(Clone, Debug)]
pub struct Animation {
    pub name: String,
    pub layer: String,
    pub duration: f64,
    /// 0 none, 1 loop, 2 pingPong.
    pub mode: usize,
    pub group: Option<usize>,
    pub min_duration: f64,
    pub priority: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    None,
    Empty,
    Clip(String),
    /// Their clips in a row, a parameter's value apart.
    Blend(String, Vec<String>),
    /// Weighted alike.
    Direct(Vec<String>),
}

impl Motion {
    /// The animations that it names.
    #[must_use]
    pub fn clips(&self) -> &[String] {
        match self {
            Self::None | Self::Empty => &[],
            Self::Clip(name) => std::slice::from_ref(name),
            Self::Blend(_, names) | Self::Direct(names) => names,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// A state's name, not its path.
    pub target: String,
    /// A flag or trigger that it waits for.
    pub when: Option<String>,
    pub after: f64,
    pub duration: f64,
    pub early_exit: bool,
    pub pause: bool,
}

#[derive(Clone, Debug)]
pub struct State {
    pub name: String,
    pub motion: Motion,
    pub inner: Vec<State>,
    /// 0 none, 1 shallow, 2 deep.
    pub history: usize,
    pub transitions: Vec<Transition>,
    /// What its entry plays, and its exit stops.
    pub plays: Option<String>,
    /// A flag whose change it reacts to.
    pub reacts: Option<String>,
}

/// `->`, `<-`, `<->`.
pub const DIRECTIONS: [&str; 3] = ["->", "<-", "<->"];

#[derive(Clone, Debug, PartialEq)]
pub struct Bind {
    pub outer: String,
    pub direction: usize,
    pub inner: String,
}

#[derive(Clone, Debug)]
pub struct Component {
    pub name: String,
    /// The position of its behavior among all.
    pub of: usize,
    pub binds: Vec<Bind>,
}

#[derive(Clone, Debug)]
pub struct Draft {
    pub name: String,
    pub params: Vec<Param>,
    /// The first is that of the main machine.
    pub layers: Vec<Layer>,
    pub animations: Vec<Animation>,
    pub states: Vec<State>,
    pub components: Vec<Component>,
    /// A parameter of numbers that is smoothed, by the same name with an `s` before it.
    pub smooth: Option<String>,
}

impl Draft {
    #[must_use]
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    #[must_use]
    pub fn animation(&self, name: &str) -> Option<&Animation> {
        self.animations.iter().find(|row| row.name == name)
    }

    /// The machines: their layers (`None` for the main one) and states.
    pub fn machines(&self) -> impl Iterator<Item = (Option<&str>, &[State])> {
        let layers = self.layers.iter().filter(|layer| !layer.states.is_empty());
        let own = layers.map(|layer| (Some(layer.name.as_str()), layer.states.as_slice()));
        std::iter::once((None, self.states.as_slice())).chain(own)
    }
}

/// The behaviors, each after those that it has as components; the last is the one that is run.
pub type File = Vec<Draft>;

/// A state by its path below these.
#[must_use]
pub fn at<'d>(states: &'d [State], path: &str) -> Option<&'d State> {
    let (first, rest) = path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let found = states.iter().find(|state| state.name == first)?;
    rest.map_or(Some(found), |rest| at(&found.inner, rest))
}

/// The path of the state with that name.
#[must_use]
pub fn path_of(states: &[State], name: &str) -> Option<String> {
    states.iter().find_map(|state| {
        if state.name == name {
            return Some(name.to_owned());
        }
        path_of(&state.inner, name).map(|path| format!("{}.{path}", state.name))
    })
}

/// The path of the leaf that is entered with a state of that path.
#[must_use]
pub fn leaf(states: &[State], path: &str) -> String {
    let mut path = path.to_owned();
    while let Some(inner) = at(states, &path).and_then(|state| state.inner.first()) {
        path = format!("{path}.{}", inner.name);
    }
    path
}
