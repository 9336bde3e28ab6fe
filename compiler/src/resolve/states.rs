//! States by name, seen from a machine.
//!
//! `S` is the own machine's state, then the main machine's, then that of the only other machine that has one.
//! `Layer.S` is that of a layer's machine.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use motix_vm::ids::{MachineId, StateId};

use crate::ast::Name;
use crate::intern::Symbol;

/// The result of looking a state up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateLookup {
    /// It is that one.
    Found(StateId),
    /// Several machines have one: the first few.
    Ambiguous(Vec<StateId>),
    /// No machine has one.
    Unknown,
    /// It stands where this version or the parser could not follow; nothing is to be said.
    Lost,
}

/// The names of all states of a behavior.
#[derive(Debug, Default)]
pub struct States {
    of_machine: HashMap<(MachineId, Symbol), StateId>,
    anywhere: HashMap<Symbol, StateId>,
    /// Further states of a name, few of them.
    others: HashMap<Symbol, Vec<StateId>>,
    layers: HashMap<Symbol, MachineId>,
    nested: HashSet<Symbol>,
    main: Option<MachineId>,
}

/// More states of one name are not listed.
const LISTED: usize = 4;

impl States {
    /// Makes the main machine known.
    pub fn set_main(&mut self, machine: MachineId) {
        self.main = Some(machine);
    }

    /// The main machine, where there is one.
    #[must_use]
    pub fn main(&self) -> Option<MachineId> {
        self.main
    }

    /// Makes the machine of a layer known.
    pub fn set_layer(&mut self, layer: Symbol, machine: MachineId) {
        self.layers.entry(layer).or_insert(machine);
    }

    /// The machine of a layer.
    #[must_use]
    pub fn machine_of(&self, layer: Symbol) -> Option<MachineId> {
        self.layers.get(&layer).copied()
    }

    /// Makes a state known; of two with one name in a machine the first stays.
    pub fn insert(&mut self, machine: MachineId, name: Symbol, state: StateId) {
        if let Entry::Vacant(place) = self.of_machine.entry((machine, name)) {
            place.insert(state);
            match self.anywhere.entry(name) {
                Entry::Vacant(place) => drop(place.insert(state)),
                Entry::Occupied(_) => {
                    let list = self.others.entry(name).or_default();
                    if list.len() < LISTED - 1 {
                        list.push(state);
                    }
                }
            }
        }
    }

    /// Makes a name known that stands for a state inside a state.
    pub fn insert_nested(&mut self, name: Symbol) {
        self.nested.insert(name);
    }

    /// The state of that name in one machine.
    #[must_use]
    pub fn in_machine(&self, machine: MachineId, name: Symbol) -> Option<StateId> {
        self.of_machine.get(&(machine, name)).copied()
    }

    /// Some state of that name, in whatever machine.
    #[must_use]
    pub fn anywhere(&self, name: Symbol) -> Option<StateId> {
        self.anywhere.get(&name).copied()
    }

    /// The state that a path means, seen from `own`.
    #[must_use]
    pub fn find(&self, path: &[Name], own: Option<MachineId>) -> StateLookup {
        match path {
            [name] => {
                let name = name.symbol;
                let near = own.and_then(|own| self.in_machine(own, name));
                if let Some(state) = near.or_else(|| self.main.and_then(|main| self.in_machine(main, name))) {
                    return StateLookup::Found(state);
                }
                match (self.anywhere(name), self.others.get(&name)) {
                    (None, _) if self.nested.contains(&name) => StateLookup::Lost,
                    (None, _) => StateLookup::Unknown,
                    (Some(state), None) => StateLookup::Found(state),
                    (Some(state), Some(others)) => {
                        StateLookup::Ambiguous([state].iter().chain(others).copied().collect())
                    }
                }
            }
            [layer, name] => {
                let found =
                    self.machine_of(layer.symbol).and_then(|machine| self.in_machine(machine, name.symbol));
                match found {
                    Some(state) => StateLookup::Found(state),
                    None if self.nested.contains(&name.symbol) => StateLookup::Lost,
                    None => StateLookup::Unknown,
                }
            }
            _ if path.iter().any(|name| self.nested.contains(&name.symbol)) => StateLookup::Lost,
            _ => StateLookup::Unknown,
        }
    }
}
