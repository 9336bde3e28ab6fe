//! Where a transition leads: through `Exit` and `OnDone` outward, through `Entry`, initial states and memories inward
//! to a leaf.
//!
//! A transition and all that it passes on its way are one decision: their conditions see the same triggers, and those
//! that they mention are used up together. Finding a way changes nothing; what a change of state does is in
//! `transition.rs`.

use super::Core;
use super::candidates::Candidate;
use crate::ids::{MachineId, StateId};
use crate::program::layout::NONE;
use crate::program::limits::Limit;
use crate::program::tables::{Run, Start, Target, Transition};

/// The most transitions that are passed: an `OnDone` for each state on the way out, an `Entry` for each on the way in.
const PASSED: usize = 2 * Limit::Nesting.value() + 1;

/// The transitions that a way passes, in the order of the way.
pub(super) struct Passed {
    ids: [u32; PASSED],
    len: usize,
}

impl Passed {
    pub(super) const fn new() -> Self {
        Self { ids: [0; PASSED], len: 0 }
    }

    fn push(&mut self, id: u32) {
        if let Some(place) = self.ids.get_mut(self.len) {
            *place = id;
            self.len += 1;
        }
    }

    pub(super) fn ids(&self) -> &[u32] {
        self.ids.get(..self.len).unwrap_or_default()
    }
}

/// Where a transition leads.
pub(super) struct Way<'a> {
    /// The leaf that is entered.
    pub(super) entered: StateId,
    /// The way out before, if it begins with `Exit`.
    pub(super) out: Option<WayOut<'a>>,
    pub(super) passed: Passed,
}

/// The way out of composites that are done.
pub(super) struct WayOut<'a> {
    /// Where it leads; `None` for the start of the machine.
    pub(super) target: Option<StateId>,
    /// The first and the last composite that is left as done; `None` where it began at the root.
    pub(super) done: Option<(StateId, StateId)>,
    /// The transition on it that gives the look.
    pub(super) look: Candidate<'a>,
    /// How many transitions it passes.
    pub(super) passed: usize,
}

impl<'a> Core<'a, '_> {
    /// The leaf that is entered with a state, where the machine stands in `leaf`.
    ///
    /// A composite that is entered from outside resumes what it remembers; one that the machine is in begins anew.
    pub(super) fn descend(
        &mut self,
        machine: MachineId,
        target: StateId,
        leaf: Option<StateId>,
        passed: &mut Passed,
    ) -> StateId {
        let rows = self.rows;
        let mut state = target;
        // Each step goes inward.
        while let Some(start) = rows.states.get(state.index()).and_then(|row| row.start) {
            let memory = self.memory(state).filter(|_| !self.view().within(leaf, state));
            let inner = memory.or_else(|| self.begin(machine, start, passed));
            let Some(inner) = inner else { break };
            state = inner;
        }
        state
    }

    /// The leaf in which a machine starts.
    pub(super) fn descend_start(
        &mut self,
        machine: MachineId,
        leaf: Option<StateId>,
        passed: &mut Passed,
    ) -> Option<StateId> {
        let start = self.rows.machines.get(machine.index())?.start;
        let state = self.begin(machine, start, passed)?;
        Some(self.descend(machine, state, leaf, passed))
    }

    fn begin(&mut self, machine: MachineId, start: Start, passed: &mut Passed) -> Option<StateId> {
        match start {
            Start::State(state) => Some(state),
            Start::Entry(run) => {
                let (id, row) = self.first_that_holds(run, machine)?;
                passed.push(id);
                row.target.state()
            }
        }
    }

    fn first_that_holds(&mut self, run: Run, machine: MachineId) -> Option<(u32, &'a Transition)> {
        let rows = self.rows;
        self.charge_rows(run.count);
        (run.first..).zip(run.of(&rows.transitions)).find(|(_, row)| self.holds(row.condition, Some(machine)))
    }

    /// What a composite remembers.
    fn memory(&self, state: StateId) -> Option<StateId> {
        let at = self.layout.history.get(state.index()).copied().filter(|at| *at != NONE)?;
        let id = self.word(at as usize).checked_sub(1)?;
        u16::try_from(id).ok().map(StateId)
    }

    /// Notes what a composite is left in: nothing, if it is done.
    pub(super) fn remember(&mut self, state: StateId, leaf: StateId, done: Option<(StateId, StateId)>) {
        let Some(at) = self.layout.history.get(state.index()).copied().filter(|at| *at != NONE) else {
            return;
        };
        let is_done = done.is_some_and(|(first, last)| {
            self.view().within(Some(first), state) && self.view().within(Some(state), last)
        });
        // What is done inside it begins anew.
        let inner = done.map(|(_, last)| last).filter(|last| self.view().within(Some(*last), state));
        let inner = inner.unwrap_or(leaf);
        let deep = self.rows.states.get(state.index()).is_some_and(|row| row.history.is_deep());
        let parent = |inner: &StateId| self.rows.states.get(inner.index()).and_then(|row| row.parent);
        let kept = if deep {
            Some(inner)
        } else {
            self.view().outward(Some(inner)).find(|inner| parent(inner) == Some(state))
        };
        let word = kept.filter(|_| !is_done).map_or(0, |kept| u32::from(kept.0) + 1);
        self.put(at as usize, word);
    }

    /// The way out that a transition to `Exit` takes; `None` where no `OnDone` holds.
    pub(super) fn way_out(
        &mut self,
        machine: MachineId,
        candidate: Candidate<'a>,
        passed: &mut Passed,
    ) -> Option<WayOut<'a>> {
        let rows = self.rows;
        let mut around = candidate.around(rows);
        let mut out = WayOut { target: None, done: None, look: candidate, passed: 0 };
        while let Some(composite) = around {
            let row = rows.states.get(composite.index())?;
            let (id, way) = self.first_that_holds(row.done, machine)?;
            passed.push(id);
            out.passed += 1;
            out.done = Some((out.done.map_or(composite, |(first, _)| first), composite));
            // The innermost crossfade wins.
            if out.look.row.fade.duration.number() == 0.0 {
                out.look = Candidate { owner: Some(composite), any: false, id, row: way };
            }
            match way.target {
                Target::State(target) => {
                    out.target = Some(target);
                    return Some(out);
                }
                Target::Exit => around = row.parent,
            }
        }
        Some(out)
    }

    /// Where a transition leads from a leaf; `None` for an `Exit` without an `OnDone` that holds.
    #[inline(never)] // few lead farther than to a leaf
    pub(super) fn way_of(
        &mut self,
        machine: MachineId,
        leaf: StateId,
        candidate: Candidate<'a>,
    ) -> Option<Way<'a>> {
        let mut passed = Passed::new();
        let out = match candidate.row.target {
            Target::Exit => Some(self.way_out(machine, candidate, &mut passed)?),
            Target::State(_) => None,
        };
        let target = out.as_ref().map_or(candidate.row.target.state(), |out| out.target);
        let entered = match target {
            Some(target) => self.descend(machine, target, Some(leaf), &mut passed),
            None => self.descend_start(machine, Some(leaf), &mut passed)?,
        };
        Some(Way { entered, out, passed })
    }

    /// Whether going to `target` changes nothing. From inside, the transition of a state to a composite around it
    /// enters that anew; one of `AnyState` does not.
    pub(super) fn is_there(&mut self, machine: MachineId, leaf: StateId, target: StateId, any: bool) -> bool {
        if target == leaf {
            return true;
        }
        self.view().within(Some(leaf), target)
            && (any || self.descend(machine, target, Some(leaf), &mut Passed::new()) == leaf)
    }

    /// Whether an answer of [`is_there`](Self::is_there) or [`way_out`](Self::way_out) about this transition holds
    /// until something is set from outside.
    pub(super) fn is_lasting(&self, candidate: &Candidate<'a>) -> bool {
        match candidate.row.target {
            Target::State(target) => {
                candidate.any || self.layout.states.get(target.index()).is_none_or(|info| !info.wanders)
            }
            Target::Exit => {
                let around = self.view().outward(candidate.around(self.rows));
                let rows = around.filter_map(|state| self.rows.states.get(state.index()));
                let mut conditions = rows
                    .flat_map(|row| row.done.of(&self.rows.transitions))
                    .filter_map(|transition| transition.condition);
                conditions.all(|code| self.layout.is_fixed(code))
            }
        }
    }
}
