//! What a behavior declares, collected in one pass over its block.
//!
//! Layers, masks, animations and enums have a name space each, states one a machine; parameters, constants, `Let`s and
//! predicates share the one of values. Of two things with one name the first keeps it; the second is reported and
//! still has a row, so that what is wrong inside it is found too.

use crate::hash::{HashMap, HashSet};
use std::collections::hash_map::Entry;

use motix_vm::ids::{GroupId, LayerId, MachineId, StateId, TagId};

use crate::ast::{Item, Name, Node};
use crate::diagnostic::Diagnostics;
use crate::intern::{Interner, Symbol};
use crate::source::Span;
use crate::syntax::{Keyword, Modifier};

use super::{Declared, Inheritance, Space, States};

/// An item and one of its names.
#[derive(Clone, Copy, Debug)]
pub struct Declaration<'a> {
    /// The item.
    pub item: &'a Item,
    /// The name.
    pub name: Name,
}

/// A `Let` or `Predicate`.
#[derive(Clone, Copy, Debug)]
pub struct ValueRow<'a> {
    /// The item.
    pub item: &'a Item,
    /// Its name.
    pub name: Name,
    /// `Predicate`.
    pub predicate: bool,
}

/// A layer.
#[derive(Clone, Copy, Debug)]
pub struct LayerRow<'a> {
    /// The item; `None` for the layer that a behavior without layers has.
    pub item: Option<&'a Item>,
    /// Its name.
    pub name: Name,
}

/// An animation.
#[derive(Clone, Copy, Debug)]
pub struct Anim<'a> {
    /// The item.
    pub item: &'a Item,
    /// Its name.
    pub name: Name,
    /// The layer in whose block it stands: an index into [`Scope::layers`].
    pub layer: Option<usize>,
}

/// A state.
#[derive(Clone, Copy, Debug)]
pub struct StateRow<'a> {
    /// The item.
    pub item: &'a Item,
    /// Its name.
    pub name: Name,
    /// Its machine.
    pub machine: MachineId,
    /// The composite around it.
    pub parent: Option<StateId>,
    /// Behind the last state inside it, as an index into [`Scope::states`]; right behind itself for a leaf.
    pub end: usize,
}

/// A machine.
#[derive(Clone, Debug)]
pub struct MachineRow<'a> {
    /// Its layer: an index into [`Scope::layers`]; `None` for the main machine.
    pub layer: Option<usize>,
    /// The item in whose block it stands.
    pub owner: &'a Item,
    /// Its states, each before those inside it.
    pub states: Vec<Nested<'a>>,
    /// Its own block.
    pub block: Inside<'a>,
}

/// A state in the list of its machine.
#[derive(Clone, Debug)]
pub struct Nested<'a> {
    /// The item.
    pub item: &'a Item,
    /// Its name.
    pub name: Name,
    /// The state around it, as an index into the list.
    pub parent: Option<usize>,
    /// Behind the last state inside it.
    pub end: usize,
}

/// What the block of a machine or of a composite says of where to start and of all states inside.
#[derive(Clone, Debug, Default)]
pub struct Inside<'a> {
    /// `InitialState` items.
    pub initial: Vec<&'a Item>,
    /// `Entry` items.
    pub entry: Vec<&'a Item>,
    /// `AnyState` items.
    pub any: Vec<&'a Item>,
    /// Whether a part could not be read and may be what is missed.
    pub unclear: bool,
}

impl<'a> Inside<'a> {
    /// What the block of an item says.
    #[must_use]
    pub fn of(owner: &'a Item) -> Self {
        let mut inside = Self::default();
        for node in owner.nodes() {
            match node {
                Node::Item(item) => match item.keyword {
                    Keyword::InitialState => inside.initial.push(item),
                    Keyword::Entry => inside.entry.push(item),
                    Keyword::AnyState => inside.any.push(item),
                    _ => {}
                },
                Node::Error(_) => inside.unclear = true,
                _ => {}
            }
        }
        inside
    }
}

/// What a name of the value space stands for: an index into the list of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueRef {
    /// A parameter.
    Param(usize),
    /// A constant of the behavior.
    Const(usize),
    /// A `Let` or `Predicate`.
    Value(usize),
    /// A predicate that the host answers.
    Extern(usize),
}

/// Tags that things of one kind carry.
#[derive(Debug, Default)]
pub struct TagSet {
    ids: HashSet<TagId>,
    /// Their names, in order of first mention.
    pub names: Vec<Symbol>,
}

impl TagSet {
    fn insert(&mut self, id: TagId, name: Symbol) {
        if self.ids.insert(id) {
            self.names.push(name);
        }
    }

    /// Whether any carries it.
    #[must_use]
    pub fn contains(&self, id: TagId) -> bool {
        self.ids.contains(&id)
    }
}

/// A name that was declared once more. Probably it should be another one, which is then missed.
#[derive(Clone, Copy, Debug)]
pub struct Again {
    /// Its name space.
    pub space: Space,
    /// The name, where it is declared again.
    pub name: Name,
}

/// Of more of them none is kept: nobody reads what would be told of them.
const AGAIN: usize = 64;

/// The names of a behavior.
#[derive(Debug, Default)]
pub struct Scope<'a> {
    /// The behavior; `None` outside of any.
    pub behavior: Option<Declaration<'a>>,
    /// Its file.
    pub file: usize,
    /// What it inherits, where it extends another.
    pub inheritance: Option<&'a Inheritance>,
    /// Names of the value space, and where they are declared.
    pub values: HashMap<Symbol, (ValueRef, Span)>,
    /// Parameters in order of declaration.
    pub params: Vec<Declaration<'a>>,
    /// Constants in order of declaration.
    pub consts: Vec<Declaration<'a>>,
    /// `Let`s and `Predicate`s in order of declaration.
    pub lets: Vec<ValueRow<'a>>,
    /// Extern predicates in order of declaration.
    pub externs: Vec<Declaration<'a>>,
    /// Enums in order of declaration.
    pub enums: Vec<Declaration<'a>>,
    /// Enums by name.
    pub enum_index: HashMap<Symbol, usize>,
    /// Masks in order of declaration.
    pub masks: Vec<Declaration<'a>>,
    /// Masks by name.
    pub mask_index: HashMap<Symbol, usize>,
    /// Layers in order of declaration; never empty within a behavior.
    pub layers: Vec<LayerRow<'a>>,
    /// Layers by name.
    pub layer_index: HashMap<Symbol, usize>,
    /// The ids of layers; filled by [`number`](Self::number).
    pub layer_ids: Vec<LayerId>,
    /// Animations in order of declaration.
    pub animations: Vec<Anim<'a>>,
    /// Animations by name.
    pub animation_index: HashMap<Symbol, usize>,
    /// Components in order of declaration.
    pub components: Vec<Declaration<'a>>,
    /// Components by name.
    pub component_index: HashMap<Symbol, usize>,
    /// Groups in order of first mention.
    pub groups: Vec<Name>,
    /// Groups by name.
    pub group_index: HashMap<Symbol, GroupId>,
    /// Tags in order of first mention.
    pub tags: Vec<Symbol>,
    /// Tags by name.
    pub tag_index: HashMap<Symbol, TagId>,
    /// Tags that animations carry.
    pub animation_tags: TagSet,
    /// Tags that states carry.
    pub state_tags: TagSet,
    /// Machines: by order of declaration until [`number`](Self::number), then as they decide.
    pub machines: Vec<MachineRow<'a>>,
    /// States by id; filled by [`number`](Self::number).
    pub states: Vec<StateRow<'a>>,
    /// States by name; filled by [`number`](Self::number).
    pub state_names: States,
    /// What is declared once more, in order: the first of it.
    pub again: Vec<Again>,
}

impl<'a> Scope<'a> {
    /// The scope of a file's own expressions: nothing of a behavior is there.
    #[must_use]
    pub fn of_file(file: usize) -> Self {
        Self { file, ..Self::default() }
    }

    /// Collects what the behavior declares.
    pub fn collect(
        behavior: Declaration<'a>,
        file: usize,
        inheritance: Option<&'a Inheritance>,
        names: &mut Interner,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let mut scope = Self { behavior: Some(behavior), file, inheritance, ..Self::default() };
        let mut seen = Seen::default();
        for item in behavior.item.items() {
            scope.declare(item, &mut seen, names, diagnostics);
        }
        let main = scope.machine(None, behavior.item, names, diagnostics);
        scope.machines.insert(0, main);
        if inheritance.is_some_and(|inheritance| inheritance.lost) {
            scope.machines.iter_mut().for_each(|machine| machine.block.unclear = true);
        }
        scope.machines.retain(|machine| machine.layer.is_none() || machine.is_meant());
        if !scope.machines[0].is_meant() {
            scope.machines.remove(0);
        }
        if scope.layers.is_empty() {
            let name = Name { symbol: names.intern("Base"), span: behavior.name.span, quoted: false };
            scope.layer_index.insert(name.symbol, 0);
            scope.layers.push(LayerRow { item: None, name });
        }
        scope
    }

    fn declare(&mut self, item: &'a Item, seen: &mut Seen, names: &Interner, diagnostics: &mut Diagnostics) {
        for name in item.names().iter().copied() {
            let row = Declaration { item, name };
            let mut value = |scope: &mut Self, reference: ValueRef| {
                if seen.values.declare(value_noun(reference, item), name, names, diagnostics) {
                    scope.values.insert(name.symbol, (reference, name.span));
                } else {
                    scope.declared_again(Space::Value, name);
                }
            };
            match item.keyword {
                Keyword::Param => {
                    value(self, ValueRef::Param(self.params.len()));
                    self.params.push(row);
                }
                Keyword::Const => {
                    value(self, ValueRef::Const(self.consts.len()));
                    self.consts.push(row);
                }
                Keyword::Predicate if item.has(Modifier::Extern) => {
                    value(self, ValueRef::Extern(self.externs.len()));
                    self.externs.push(row);
                }
                Keyword::Let | Keyword::Predicate => {
                    value(self, ValueRef::Value(self.lets.len()));
                    self.lets.push(ValueRow { item, name, predicate: item.keyword == Keyword::Predicate });
                }
                Keyword::Enum => {
                    if seen.enums.declare("enum", name, names, diagnostics) {
                        self.enum_index.insert(name.symbol, self.enums.len());
                    } else {
                        self.declared_again(Space::Enum, name);
                    }
                    self.enums.push(row);
                }
                Keyword::Mask => {
                    if seen.masks.declare("mask", name, names, diagnostics) {
                        self.mask_index.insert(name.symbol, self.masks.len());
                    } else {
                        self.declared_again(Space::Mask, name);
                    }
                    self.masks.push(row);
                }
                Keyword::Component => {
                    if seen.components.declare("component", name, names, diagnostics) {
                        self.component_index.insert(name.symbol, self.components.len());
                    } else {
                        self.declared_again(Space::Component, name);
                    }
                    self.components.push(row);
                }
                Keyword::Animation => self.declare_animation(row, None, seen, names, diagnostics),
                Keyword::Layer => self.declare_layer(row, seen, names, diagnostics),
                _ => {}
            }
        }
    }

    fn declare_animation(
        &mut self,
        row: Declaration<'a>,
        layer: Option<usize>,
        seen: &mut Seen,
        names: &Interner,
        diagnostics: &mut Diagnostics,
    ) {
        let Declaration { item, name } = row;
        if seen.animations.declare("animation", name, names, diagnostics) {
            self.animation_index.insert(name.symbol, self.animations.len());
        } else {
            self.declared_again(Space::Animation, name);
        }
        self.animations.push(Anim { item, name, layer });
        for property in item.items() {
            match property.keyword {
                Keyword::Group => {
                    if let Some(group) = property.name() {
                        let id = GroupId(saturate(self.groups.len()));
                        if let Entry::Vacant(place) = self.group_index.entry(group.symbol) {
                            place.insert(id);
                            self.groups.push(group);
                        }
                    }
                }
                Keyword::Tags => {
                    for tag in property.names() {
                        let id = self.mention_tag(tag.symbol);
                        self.animation_tags.insert(id, tag.symbol);
                    }
                }
                _ => {}
            }
        }
    }

    fn declare_layer(
        &mut self,
        row: Declaration<'a>,
        seen: &mut Seen,
        names: &Interner,
        diagnostics: &mut Diagnostics,
    ) {
        let index = self.layers.len();
        if seen.layers.declare("layer", row.name, names, diagnostics) {
            self.layer_index.insert(row.name.symbol, index);
        } else {
            self.declared_again(Space::Layer, row.name);
        }
        self.layers.push(LayerRow { item: Some(row.item), name: row.name });
        for item in row.item.items().filter(|item| item.keyword == Keyword::Animation) {
            for name in item.names().iter().copied() {
                self.declare_animation(Declaration { item, name }, Some(index), seen, names, diagnostics);
            }
        }
        let machine = self.machine(Some(index), row.item, names, diagnostics);
        self.machines.push(machine);
    }

    /// The machine in a block.
    fn machine(
        &mut self,
        layer: Option<usize>,
        owner: &'a Item,
        names: &Interner,
        diagnostics: &mut Diagnostics,
    ) -> MachineRow<'a> {
        let mut machine = MachineRow { layer, owner, states: Vec::new(), block: Inside::of(owner) };
        self.states_in(owner, None, &mut machine.states, names, diagnostics);
        machine
    }

    /// The states in a block, and their tags. Blocks nest no deeper than the parser allows.
    fn states_in(
        &mut self,
        owner: &'a Item,
        parent: Option<usize>,
        states: &mut Vec<Nested<'a>>,
        names: &Interner,
        diagnostics: &mut Diagnostics,
    ) {
        let mut declared = Declared::default();
        for item in owner.items() {
            match item.keyword {
                Keyword::Tags if owner.keyword == Keyword::State => {
                    for tag in item.names() {
                        let id = self.mention_tag(tag.symbol);
                        self.state_tags.insert(id, tag.symbol);
                    }
                }
                Keyword::State => {
                    let Some(name) = item.name() else { continue };
                    if !declared.declare("state", name, names, diagnostics) {
                        self.declared_again(Space::State, name);
                    }
                    let index = states.len();
                    states.push(Nested { item, name, parent, end: index + 1 });
                    self.states_in(item, Some(index), states, names, diagnostics);
                    states[index].end = states.len();
                }
                _ => {}
            }
        }
    }

    fn mention_tag(&mut self, tag: Symbol) -> TagId {
        if let Some(id) = self.tag_index.get(&tag) {
            return *id;
        }
        let id = TagId(saturate(self.tags.len()));
        self.tag_index.insert(tag, id);
        self.tags.push(tag);
        id
    }

    fn declared_again(&mut self, space: Space, name: Name) {
        if self.again.len() < AGAIN {
            self.again.push(Again { space, name });
        }
    }

    /// Whether the name is declared more than once in a name space.
    #[must_use]
    pub fn is_again(&self, space: Space, name: Symbol) -> bool {
        self.again.iter().any(|again| again.space == space && again.name.symbol == name)
    }

    /// Numbers layers, machines and states, given the layers (as indices) by ascending order.
    pub fn number(&mut self, layers: &[usize]) {
        self.layer_ids = vec![LayerId(0); self.layers.len()];
        for (place, layer) in layers.iter().enumerate() {
            self.layer_ids[*layer] = LayerId(saturate(place));
        }
        let ids = &self.layer_ids;
        self.machines.sort_by_key(|machine| machine.layer.map(|layer| ids[layer]));
        for (index, machine) in self.machines.iter().enumerate() {
            let id = MachineId(saturate(index));
            match machine.layer {
                None => self.state_names.set_main(id),
                Some(layer) => self.state_names.set_layer(self.layers[layer].name.symbol, id),
            }
            let first = self.states.len();
            for state in &machine.states {
                let parent = state.parent.map(|parent| StateId(saturate(first + parent)));
                let own = StateId(saturate(self.states.len()));
                self.state_names.insert(id, parent, state.name.symbol, own);
                let (item, name, end) = (state.item, state.name, first + state.end);
                self.states.push(StateRow { item, name, machine: id, parent, end });
            }
        }
    }
}

/// The noun of a name of the value space.
fn value_noun(reference: ValueRef, item: &Item) -> &'static str {
    match reference {
        ValueRef::Param(_) => "parameter",
        ValueRef::Const(_) => "constant",
        ValueRef::Extern(_) => "predicate",
        ValueRef::Value(_) if item.keyword == Keyword::Predicate => "predicate",
        ValueRef::Value(_) => "value",
    }
}

/// An index as an id; what does not fit is reported as a limit and never lowered.
pub(crate) fn saturate(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}

impl MachineRow<'_> {
    /// Whether anything says that there is a machine.
    fn is_meant(&self) -> bool {
        !self.states.is_empty()
            || !self.block.initial.is_empty()
            || !self.block.entry.is_empty()
            || !self.block.any.is_empty()
    }
}

/// Names that were declared, by name space.
#[derive(Default)]
struct Seen {
    values: Declared,
    enums: Declared,
    masks: Declared,
    layers: Declared,
    animations: Declared,
    components: Declared,
}
