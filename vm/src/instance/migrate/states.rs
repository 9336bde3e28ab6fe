//! States by their paths: in which ones the machines are, how long, what composites remember, which reactions hold.
//!
//! In place of one that is gone its nearest surviving ancestor's initial state stands, or the machine's.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::Carry;
use crate::ids::{MachineId, StateId};
use crate::instance::view::NO_STATE;
use crate::program::layout::NONE;
use crate::program::tables::Behavior;

impl Carry<'_> {
    pub(super) fn machine(&self, old: MachineId) -> Option<MachineId> {
        match self.names.machine_name(old) {
            None => self.new_names.main_machine(),
            Some(layer) => self.new_names.machine(layer).ok(),
        }
    }

    /// The states, and in which ones the machines are.
    pub(super) fn states(&mut self) {
        let mut new = BTreeMap::new();
        for id in (0..self.rows.states.len()).filter_map(StateId::from_index) {
            if let Some(row) = self.rows.states.get(id.index()) {
                new.insert((row.machine, self.new_names.state_path(id)), id);
            }
        }
        for id in (0..self.view.rows.states.len()).filter_map(StateId::from_index) {
            let machine = self.view.machine_of(id).and_then(|machine| self.machine(machine));
            let found = machine.and_then(|machine| new.get(&(machine, self.names.state_path(id))));
            if let Some(found) = found {
                self.states.insert(id, *found);
            }
        }
        for old in (0..self.view.rows.machines.len()).filter_map(MachineId::from_index) {
            let Some(machine) = self.machine(old) else {
                match self.names.machine_name(old) {
                    Some(layer) => self.lose("machine of the layer", layer),
                    None => self.lose("main machine of", self.names.name()),
                }
                continue;
            };
            self.enter(old, machine);
        }
    }

    fn enter(&mut self, old: MachineId, machine: MachineId) {
        let (layout, view) = (self.layout, self.view);
        let leaf_of = |state: StateId| layout.states.get(state.index()).map(|info| info.leaf);
        let Some(was) = view.leaf(old) else { return };
        let mut around = view.outward(Some(was)).filter_map(|state| self.states.get(&state).copied());
        let kept = around.next().and_then(leaf_of);
        let Some(now) = kept.or_else(|| layout.starts.get(machine.index()).copied()) else { return };
        let same = self.states.get(&was) == Some(&now);
        if !same {
            self.lose("state", &self.names.state_full_path(was));
        }
        let previous = view.previous(old).and_then(|state| self.states.get(&state).copied());
        let previous = previous.filter(|state| leaf_of(*state) == Some(*state));
        let requested = view.requested(old).and_then(|state| self.states.get(&state).copied());
        if let (Some(state), None) = (view.requested(old), requested) {
            self.lose("request of the state", &self.names.state_full_path(state));
        }
        let half = |state: Option<StateId>| state.map_or(NO_STATE, |state| u32::from(state.0));
        let (from, to) = (view.machine_at(old), self.new_view().machine_at(machine));
        self.put(to, u32::from(now.0) | half(previous) << 16);
        self.put(to + 1, half(requested) | NO_STATE << 16);
        self.put(to + 2, if requested.is_some() { view.word(from + 2) } else { 0 });
        for offset in 3..5 {
            self.put(to + offset, if same { view.word(from + offset) } else { 0 });
        }
    }

    /// Times in composites and what they remember.
    pub(super) fn memories(&mut self) {
        let states = core::mem::take(&mut self.states);
        for (old, new) in &states {
            let place =
                |list: &[u32], state: StateId| list.get(state.index()).copied().filter(|at| *at != NONE);
            let clocks = (place(&self.view.layout.clocks, *old), place(&self.layout.clocks, *new));
            if let (Some(from), Some(to)) = clocks
                && self.new_view().is_in(*new)
            {
                for offset in 0..2 {
                    self.put(to as usize + offset, self.view.word(from as usize + offset));
                }
            }
            let kept = (place(&self.view.layout.history, *old), place(&self.layout.history, *new));
            let (Some(from), Some(to)) = kept else { continue };
            let inner = self.view.word(from as usize).checked_sub(1).and_then(|id| u16::try_from(id).ok());
            let inner = inner.and_then(|id| states.get(&StateId(id)).copied());
            let deep = self.rows.states.get(new.index()).is_some_and(|row| row.history.is_deep());
            let parent = inner.and_then(|inner| self.rows.states.get(inner.index())?.parent);
            let inside = if deep { self.new_view().within(parent, *new) } else { parent == Some(*new) };
            if let Some(inner) = inner.filter(|_| inside) {
                self.put(to as usize, u32::from(inner.0) + 1);
            }
        }
        self.states = states;
    }

    /// Which reactions hold, of those that have a counterpart: the ones that are known.
    pub(super) fn reactions(&mut self) -> Vec<usize> {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        if self.view.rows.behavior_whens == self.rows.behavior_whens {
            pairs.extend((0..self.rows.behavior_whens as usize).map(|when| (when, when)));
        }
        for (old, new) in self.states.iter().filter(|(_, new)| self.new_view().is_in(**new)) {
            let whens = |rows: &Behavior, state: StateId| rows.states.get(state.index()).map(|row| row.whens);
            if let (Some(old), Some(new)) = (whens(self.view.rows, *old), whens(self.rows, *new))
                && old.count == new.count
            {
                pairs.extend(old.indices().zip(new.indices()));
            }
        }
        for (old, new) in &pairs {
            if self.view.bit(self.view.layout.whens, *old) {
                self.set_bit(self.layout.whens, *new);
            }
        }
        pairs.into_iter().map(|(_, new)| new).collect()
    }
}
