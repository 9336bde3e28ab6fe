//! States by name: `Walk`, `Combat.Attack`, `Layer.Walk`, `Layer.Combat.Attack`.
//!
//! A name is first one of the main machine's, by path from its root or by the state's own name, then a path behind a
//! layer's name, then one of the other machines'. What could be several is an error that lists them.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::lookup::BehaviorRef;
use super::names::{LookupError, UnknownName};
use crate::ids::{MachineId, StateId};

/// More candidates than this are not listed.
const LISTED: usize = 8;

impl<'p> BehaviorRef<'p> {
    /// The state with that name or path.
    ///
    /// # Errors
    ///
    /// No state has it, or several could be meant.
    pub fn state(self, name: &str) -> Result<StateId, LookupError> {
        if let Some(main) = self.main_machine()
            && let Some(found) = self.state_of(main, name, name)?
        {
            return Ok(found);
        }
        let mut others = Vec::new();
        for machine in (0..self.rows.machines.len()).filter_map(MachineId::from_index) {
            let Some(layer) = self.machine_name(machine) else { continue };
            let inner = name.strip_prefix(layer).and_then(|rest| rest.strip_prefix('.'));
            if let Some(inner) = inner
                && let Some(found) = self.state_of(machine, name, inner)?
            {
                return Ok(found);
            }
            others.extend(self.state_of(machine, name, name)?);
        }
        match others.as_slice() {
            [] => Err(self.unknown_state(name).into()),
            [found] => Ok(*found),
            _ => Err(self.ambiguous(name, &others)),
        }
    }

    /// A state of one machine by path, else by its own name. `asked` is the whole name, for the error.
    fn state_of(self, machine: MachineId, asked: &str, name: &str) -> Result<Option<StateId>, LookupError> {
        let Some(machine) = self.rows.machines.get(machine.index()) else { return Ok(None) };
        let states = machine.states.indices().filter_map(StateId::from_index);
        if let Some(found) = states.clone().find(|state| self.has_path(*state, name)) {
            return Ok(Some(found));
        }
        let named: Vec<StateId> = states.filter(|state| self.state_name(*state) == name).collect();
        match named.as_slice() {
            [] => Ok(None),
            [found] => Ok(Some(*found)),
            _ => Err(self.ambiguous(asked, &named)),
        }
    }

    /// Whether the state's names from the root are that path. Names may hold dots, so it is not split.
    fn has_path(self, state: StateId, path: &str) -> bool {
        let mut rest = path;
        let mut at = Some(state);
        loop {
            let Some(state) = at else { return false };
            let Some(before) = rest.strip_suffix(self.state_name(state)) else { return false };
            at = self.parent(state);
            if at.is_none() {
                return before.is_empty();
            }
            let Some(before) = before.strip_suffix('.') else { return false };
            rest = before;
        }
    }

    fn parent(self, state: StateId) -> Option<StateId> {
        self.rows.states.get(state.index())?.parent
    }

    fn unknown_state(self, name: &str) -> UnknownName {
        let states = (0..self.rows.states.len()).filter_map(StateId::from_index);
        let paths: Vec<String> =
            states.flat_map(|state| [self.state_path(state), self.state_full_path(state)]).collect();
        let names = (0..self.rows.states.len()).filter_map(StateId::from_index).map(|id| self.state_name(id));
        let mut unknown = UnknownName::new("state", name, paths.iter().map(String::as_str).chain(names));
        // The end of a path is no path.
        let longer =
            paths.iter().filter(|path| path.strip_suffix(name).is_some_and(|before| before.ends_with('.')));
        let mut longer: Vec<String> = longer.take(LISTED).cloned().collect();
        longer.dedup();
        if !longer.is_empty() {
            unknown.nearest = longer;
        }
        unknown
    }

    fn ambiguous(self, name: &str, states: &[StateId]) -> LookupError {
        let candidates = states.iter().take(LISTED).map(|state| self.state_full_path(*state)).collect();
        LookupError::Ambiguous { name: name.to_owned(), candidates }
    }

    /// A state's own name; empty for an id of another behavior.
    #[must_use]
    pub fn state_name(self, state: StateId) -> &'p str {
        self.rows.states.get(state.index()).map_or("", |row| self.program.text(row.name))
    }

    /// A state's names from the root of its machine: `Combat.Attack`.
    #[must_use]
    pub fn state_path(self, state: StateId) -> String {
        let mut names = alloc::vec![self.state_name(state)];
        let mut at = state;
        while let Some(parent) = self.parent(at) {
            names.push(self.state_name(parent));
            at = parent;
        }
        names.reverse();
        names.join(".")
    }

    /// A state's path, with its layer before it where it is not of the main machine: `UpperBody.Combat.Attack`.
    #[must_use]
    pub fn state_full_path(self, state: StateId) -> String {
        let path = self.state_path(state);
        let layer = self.rows.states.get(state.index()).and_then(|row| self.machine_name(row.machine));
        match layer {
            Some(layer) => [layer, &path].join("."),
            None => path,
        }
    }
}
