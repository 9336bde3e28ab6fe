//! What a change of state does, in the order of the contract, and requests for one.
//!
//! Exits innermost first, the transition's own actions, marks, entries outermost first. A list of actions runs to
//! its end before anything else is decided. Which transition is taken is not decided here.

use super::Core;
use super::candidates::Candidate;
use super::routes::Passed;
use crate::frame::EventKind;
use crate::ids::{CodeId, MachineId, StateId};
use crate::instance::view::NO_STATE;
use crate::program::layout::NONE;
use crate::program::limits::Limit;

/// The states around a leaf and itself, outermost first.
struct Path {
    states: [StateId; Limit::Nesting.value()],
    len: usize,
}

impl Path {
    fn iter(&self) -> impl Iterator<Item = StateId> + '_ {
        self.states.iter().take(self.len).copied()
    }
}

/// A change of state.
pub(super) struct Change<'a, 'p> {
    /// The innermost state that is neither left nor entered.
    pub(super) common: Option<StateId>,
    /// The leaf that is entered.
    pub(super) entered: StateId,
    /// The first and the last composite that is left as done.
    pub(super) done: Option<(StateId, StateId)>,
    /// The transition that it looks like.
    pub(super) look: Option<Candidate<'a>>,
    /// The actions of the transition.
    pub(super) actions: Option<CodeId>,
    /// The `OnDone` transitions on the way, whose actions follow.
    pub(super) ways: &'p [u32],
}

impl<'a> Core<'a, '_> {
    /// Goes from a leaf to a state, in which another leaf is entered. `restart`: the state is left if it is active.
    pub(super) fn change_to(
        &mut self,
        machine: MachineId,
        (leaf, entered): (StateId, StateId),
        target: StateId,
        restart: bool,
        look: Option<Candidate<'a>>,
    ) {
        let from = if restart || target == leaf { self.around(target) } else { Some(target) };
        let common = self.view().outward(from).find(|state| self.view().within(Some(leaf), *state));
        let actions = look.and_then(|look| look.row.actions);
        self.change(machine, &Change { common, entered, done: None, look, actions, ways: &[] });
    }

    /// The composite around a state.
    pub(super) fn around(&self, state: StateId) -> Option<StateId> {
        self.rows.states.get(state.index())?.parent
    }

    /// Changes the state: leaves and enters what differs, or must be left.
    pub(super) fn change(&mut self, machine: MachineId, change: &Change<'a, '_>) {
        let rows = self.rows;
        let Some(leaf) = self.view().leaf(machine) else { return };
        let entered = change.entered;
        self.stir();
        let common = change.common;
        let tracks = !self.layout.tracks.is_empty();
        let look = if tracks { self.prepare_look(machine, entered, common, change.look) } else { None };
        let mut next = Some(leaf);
        while let Some(state) = next.filter(|state| Some(*state) != common) {
            next = self.exit(machine, state);
            if !self.layout.history.is_empty() {
                self.remember(state, leaf, change.done);
            }
        }
        let at = self.view().machine_at(machine);
        self.put(at, u32::from(entered.0) | u32::from(leaf.0) << 16);
        self.put(at + 3, 0);
        self.put(at + 4, 0);
        self.run(change.actions, Some(machine));
        for way in change.ways.iter().filter_map(|id| rows.transitions.get(*id as usize)) {
            self.run(way.actions, Some(machine));
        }
        self.for_path(entered, common, Self::mark_layers);
        self.for_path(entered, common, |core, state| core.enter(machine, state, Some(leaf)));
        if let Some(look) = look {
            self.begin_look(machine, &look, leaf, entered);
        }
    }

    /// Decides each `Entry` on the way to where the machines start, and puts all as creation would have, had it known.
    pub(crate) fn decide_starts(&mut self) {
        for machine in self.machines() {
            let mut passed = Passed::new();
            let Some(leaf) = self.descend_start(machine, None, &mut passed) else { continue };
            self.consume_passed(&passed, machine);
            let at = self.view().machine_at(machine);
            self.put(at, u32::from(leaf.0) | NO_STATE << 16);
        }
        self.forget_answers();
        self.correct_layers();
        let layout = self.layout;
        for track in &layout.tracks {
            if self.view().leaf(track.machine) != layout.starts.get(track.machine.index()).copied() {
                self.create_motion(track);
            }
        }
    }

    /// Runs the entries that creation left out.
    pub(crate) fn enter_initial(&mut self) {
        for machine in self.machines() {
            if self.rows.machines.get(machine.index()).is_some_and(|row| row.enter)
                && let Some(leaf) = self.view().leaf(machine)
            {
                self.for_path(leaf, None, |core, state| core.enter(machine, state, None));
            }
        }
    }

    /// The states that contain `leaf` and itself, as far as `outside`, outermost first.
    fn path(&self, leaf: StateId, outside: Option<StateId>) -> Path {
        let mut path = Path { states: [StateId::default(); Limit::Nesting.value()], len: 0 };
        let inside = self.view().outward(Some(leaf)).take_while(|state| Some(*state) != outside);
        for (place, state) in path.states.iter_mut().zip(inside) {
            *place = state;
            path.len += 1;
        }
        if let Some(used) = path.states.get_mut(..path.len) {
            used.reverse();
        }
        path
    }

    /// Calls `visit` for the active states of a machine, outermost first.
    pub(crate) fn for_active(&mut self, machine: MachineId, visit: impl FnMut(&mut Self, StateId)) {
        let Some(leaf) = self.view().leaf(machine) else { return };
        self.for_path(leaf, None, visit);
    }

    /// Calls `visit` for the states that contain `leaf` and for itself, as far as `outside`, outermost first.
    #[inline]
    fn for_path(
        &mut self,
        leaf: StateId,
        outside: Option<StateId>,
        mut visit: impl FnMut(&mut Self, StateId),
    ) {
        // Most stand alone.
        if self.around(leaf) == outside {
            return visit(self, leaf);
        }
        for state in self.path(leaf, outside).iter() {
            visit(self, state);
        }
    }

    /// Leaves a state; gives the one around it.
    fn exit(&mut self, machine: MachineId, state: StateId) -> Option<StateId> {
        let row = self.rows.states.get(state.index())?;
        self.event(EventKind::Exit { machine, state });
        // Entered again, its reactions find their conditions newly true.
        for when in row.whens.indices() {
            self.put_bit(self.layout.whens, when, false);
        }
        self.run(row.exit, Some(machine));
        if let Some(clock) = self.layout.clocks.get(state.index()).filter(|clock| **clock != NONE) {
            self.put(*clock as usize, 0);
            self.put(*clock as usize + 1, 0);
        }
        row.parent
    }

    fn enter(&mut self, machine: MachineId, state: StateId, from: Option<StateId>) {
        let rows = self.rows;
        let Some(row) = rows.states.get(state.index()) else { return };
        self.event(EventKind::Enter { machine, state });
        self.run(row.entry, Some(machine));
        self.charge_rows(row.entry_from.count);
        for entry in row.entry_from.of(&rows.entries_from) {
            if self.view().within(from, entry.from) {
                self.run(Some(entry.actions), Some(machine));
            }
        }
    }

    /// Queues a request for the next decision. One a machine is kept, the best, of equals the first.
    pub(crate) fn request(&mut self, state: StateId, priority: i32) {
        let Some(machine) = self.view().machine_of(state) else { return };
        let at = self.view().machine_at(machine);
        if let Some(pending) = self.view().requested(machine) {
            let best = self.word(at + 2) as i32;
            let dropped = if priority > best { pending } else { state };
            self.event(EventKind::Dropped { machine, state: dropped });
            if priority <= best {
                return;
            }
        }
        self.put(at + 1, self.word(at + 1) & NO_STATE << 16 | u32::from(state.0));
        self.put(at + 2, priority as u32);
        self.stir();
    }
}
