//! What a builder describes, before it is checked and written: names as they stand in the Lua file, each with its place.

use std::collections::BTreeMap;

use super::condition::Condition;
use super::tree::ExprId;
use crate::import::page::Notes;
use crate::source::Span;

/// A text and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Named {
    pub(super) text: String,
    pub(super) span: Span,
}

/// A value of a property: what it is, and the constant that named it.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) data: Data,
    pub(super) constant: Option<ConstId>,
    pub(super) span: Span,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Data {
    Bool(bool),
    Number(f64),
    Text(String),
}

/// A constant of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ConstId(pub(super) u32);

/// A constant of the file: a local that is never written again, or a field of a table of such.
#[derive(Clone, Debug)]
pub(super) struct Constant {
    /// Its name as one word.
    pub(super) name: String,
    /// The expression that it was declared with.
    pub(super) value: ExprId,
    pub(super) data: Data,
}

/// A property of an animation or layer: a keyword of the language and its value.
#[derive(Clone, Debug)]
pub(super) struct Property {
    pub(super) keyword: &'static str,
    pub(super) value: Value,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Animation {
    pub(super) name: Option<Named>,
    pub(super) layer: Option<Named>,
    pub(super) group: Option<Named>,
    pub(super) tags: Vec<Named>,
    pub(super) markers: Vec<(Named, Value)>,
    pub(super) properties: Vec<Property>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub(super) name: Option<Named>,
    pub(super) properties: Vec<Property>,
}

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ActionKind {
    Play,
    Stop,
    StopGroup,
    PlayTag,
    StopTag,
}

#[derive(Clone, Debug)]
pub(super) struct Action {
    pub(super) kind: ActionKind,
    /// `None` where nothing has that name; that was reported.
    pub(super) name: Option<Named>,
    pub(super) immediate: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Transition {
    /// `None` where it is not known; that was reported.
    pub(super) target: Option<Named>,
    pub(super) predicate: Option<Named>,
    pub(super) priority: Option<Value>,
}

/// A layer that a state brings up (`true`) or down.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) layer: Named,
    pub(super) active: bool,
    /// Left out, and reported.
    pub(super) dropped: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct State {
    pub(super) name: Option<Named>,
    pub(super) entry: Vec<Action>,
    pub(super) exit: Vec<Action>,
    pub(super) marks: Vec<Mark>,
    pub(super) tags: Vec<Named>,
    pub(super) transitions: Vec<Transition>,
}

#[derive(Clone, Debug)]
pub(super) struct Predicate {
    pub(super) name: Named,
    pub(super) body: PredicateBody,
}

#[derive(Clone, Debug)]
pub(super) enum PredicateBody {
    /// An expression of the language.
    Condition(Condition),
    /// Left to the host: why, and the Lua text.
    Host(String, String),
}

/// Something that conditions read: a field, an attribute, a variable.
#[derive(Clone, Debug)]
pub(super) struct Param {
    /// How Lua gets it; two reads that are written alike are one parameter.
    pub(super) source: String,
    /// The words to name it by, the most telling last.
    pub(super) words: Vec<String>,
    /// `None` while nothing tells.
    pub(super) ty: Option<Ty>,
    /// What `or` gives in its place.
    pub(super) default: Option<Data>,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Bool,
    Number,
    Text,
}

/// A behavior of the file.
#[derive(Clone, Debug)]
pub(super) struct Behavior {
    /// The name to give it, where the file suggests one.
    pub(super) hint: Option<String>,
    pub(super) animations: Vec<Animation>,
    pub(super) layers: Vec<Layer>,
    pub(super) states: Vec<State>,
    pub(super) predicates: Vec<Predicate>,
    pub(super) params: Vec<Param>,
    /// The parameters by their sources.
    pub(super) sources: BTreeMap<String, usize>,
    pub(super) initial: Option<Named>,
    pub(super) notes: BTreeMap<Place, Notes>,
}

impl Behavior {
    pub(super) fn new(hint: Option<String>) -> Self {
        Self {
            hint,
            animations: Vec::new(),
            layers: Vec::new(),
            states: Vec::new(),
            predicates: Vec::new(),
            params: Vec::new(),
            sources: BTreeMap::new(),
            initial: None,
            notes: BTreeMap::new(),
        }
    }
}

/// An item of a behavior, by index: what a comment can stand at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Behavior,
    Animation(usize),
    Layer(usize),
    State(usize),
    Entry(usize, usize),
    Exit(usize, usize),
    Mark(usize, usize),
    Transition(usize, usize),
    Predicate(usize),
    Initial,
}

/// All that was found in a file.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) behaviors: Vec<Behavior>,
    pub(super) constants: Vec<Constant>,
    /// Comments at constants.
    pub(super) notes: BTreeMap<ConstId, Notes>,
}
