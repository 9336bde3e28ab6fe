//! States by name, seen from where they are named.
//!
//! A name is first one of the own machine: of the block in which it is used, then of the blocks around that, then of
//! whatever stands deeper, if only one does. Then it is one of the main machine, then a path behind a layer's name,
//! then one of the only other machine that has it. A path goes inward from the state that its first name means.

use crate::hash::HashMap;
use std::collections::hash_map::Entry;

use motix_vm::ids::{MachineId, StateId};

use crate::ast::Name;
use crate::intern::Symbol;

/// The result of looking a state up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateLookup {
    /// It is that one.
    Found(StateId),
    /// It could be several: the first few.
    Ambiguous(Vec<StateId>),
    /// There is none.
    Unknown,
}

/// From where a state is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// From the block of a machine, or from outside of all machines.
    Machine,
    /// From an item of a state, such as a transition: the states beside that one are nearest.
    State(StateId),
    /// From an item about the inside of a state, such as its `InitialState`: those inside are nearest.
    Inside(StateId),
}

/// A block that holds states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Block {
    Machine(MachineId),
    State(StateId),
}

/// The states of a name: the first few.
#[derive(Debug, Default)]
struct Few {
    listed: Vec<StateId>,
    more: bool,
}

impl Few {
    fn push(&mut self, state: StateId) {
        if self.listed.len() < LISTED {
            self.listed.push(state);
        } else {
            self.more = true;
        }
    }
}

/// More states of one name are not listed.
const LISTED: usize = 8;

/// The names of all states of a behavior.
#[derive(Debug, Default)]
pub struct States {
    of_block: HashMap<(Block, Symbol), StateId>,
    /// Those of a machine, however deep.
    of_machine: HashMap<(MachineId, Symbol), Few>,
    /// By state.
    around: Vec<(MachineId, Option<StateId>)>,
    layers: HashMap<Symbol, MachineId>,
    main: Option<MachineId>,
    /// The machines that have a state of a name, in order.
    machines: HashMap<Symbol, Vec<MachineId>>,
}

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

    /// Makes a state known, the states by ascending id; of two with one name in a block the first stays.
    pub fn insert(&mut self, machine: MachineId, parent: Option<StateId>, name: Symbol, state: StateId) {
        self.around.push((machine, parent));
        let block = parent.map_or(Block::Machine(machine), Block::State);
        if let Entry::Vacant(place) = self.of_block.entry((block, name)) {
            place.insert(state);
            self.of_machine.entry((machine, name)).or_default().push(state);
            let machines = self.machines.entry(name).or_default();
            if machines.last() != Some(&machine) {
                machines.push(machine);
            }
        }
    }

    /// Some state of that name, in whatever machine.
    #[must_use]
    pub fn anywhere(&self, name: Symbol) -> Option<StateId> {
        let machine = *self.machines.get(&name)?.first()?;
        self.of_machine.get(&(machine, name))?.listed.first().copied()
    }

    /// The state directly in a state, or in the root of its machine, that has the name.
    #[must_use]
    pub fn beside(&self, state: StateId, name: Symbol) -> Option<StateId> {
        let (machine, parent) = *self.around.get(state.index())?;
        self.of_block.get(&(parent.map_or(Block::Machine(machine), Block::State), name)).copied()
    }

    /// The composite around a state.
    #[must_use]
    pub fn parent(&self, state: StateId) -> Option<StateId> {
        self.around.get(state.index())?.1
    }

    /// The state at the end of a path that begins in a block.
    fn inward(&self, block: Block, path: &[Name]) -> Option<StateId> {
        let mut block = block;
        let mut found = None;
        for name in path {
            let state = *self.of_block.get(&(block, name.symbol))?;
            block = Block::State(state);
            found = Some(state);
        }
        found
    }

    /// The blocks that are tried in turn.
    fn blocks(&self, machine: MachineId, seat: Seat) -> Vec<Block> {
        let (mut state, own) = match seat {
            Seat::Machine => (None, None),
            Seat::State(state) => (self.parent(state), Some(Block::State(state))),
            Seat::Inside(state) => (Some(state), None),
        };
        let mut blocks = Vec::new();
        while let Some(outer) = state {
            blocks.push(Block::State(outer));
            state = self.parent(outer);
        }
        blocks.push(Block::Machine(machine));
        blocks.extend(own);
        blocks
    }

    /// The state of one machine that a path means.
    #[must_use]
    pub fn in_machine(&self, machine: MachineId, path: &[Name], seat: Seat) -> StateLookup {
        let near = self.blocks(machine, seat).into_iter().find_map(|block| self.inward(block, path));
        if let Some(state) = near {
            return StateLookup::Found(state);
        }
        let Some((first, rest)) = path.split_first() else { return StateLookup::Unknown };
        let Some(few) = self.of_machine.get(&(machine, first.symbol)) else { return StateLookup::Unknown };
        let ends = few.listed.iter().filter_map(|state| match rest {
            [] => Some(*state),
            _ => self.inward(Block::State(*state), rest),
        });
        let ends: Vec<StateId> = ends.collect();
        match ends[..] {
            [] => StateLookup::Unknown,
            [state] if !few.more => StateLookup::Found(state),
            _ => StateLookup::Ambiguous(ends),
        }
    }

    /// The state that a path means, seen from a place in `own`.
    #[must_use]
    pub fn find(&self, path: &[Name], own: Option<MachineId>, seat: Seat) -> StateLookup {
        let Some((first, rest)) = path.split_first() else { return StateLookup::Unknown };
        if let Some(own) = own {
            let found = self.in_machine(own, path, seat);
            if found != StateLookup::Unknown {
                return found;
            }
        }
        if let Some(main) = self.main.filter(|main| Some(*main) != own) {
            let found = self.in_machine(main, path, Seat::Machine);
            if found != StateLookup::Unknown {
                return found;
            }
        }
        if !rest.is_empty()
            && let Some(machine) = self.machine_of(first.symbol)
        {
            let found = self.in_machine(machine, rest, Seat::Machine);
            if found != StateLookup::Unknown {
                return found;
            }
        }
        let mut all = Vec::new();
        for machine in self.machines.get(&first.symbol).into_iter().flatten().take(LISTED) {
            match self.in_machine(*machine, path, Seat::Machine) {
                StateLookup::Found(state) => all.push(state),
                StateLookup::Ambiguous(states) => all.extend(states),
                StateLookup::Unknown => {}
            }
        }
        match all[..] {
            [] => StateLookup::Unknown,
            [state] => StateLookup::Found(state),
            _ => StateLookup::Ambiguous(all),
        }
    }
}
