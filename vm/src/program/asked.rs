//! What is asked while a leaf is active, as chains of [checks](super::checks): so it is seen at once that nothing holds.
//!
//! Of a leaf that asks anything else, or much, nothing is kept.

use alloc::vec::Vec;

use super::layout::{CodeInfo, StateInfo};
use super::tables::{Behavior, Run, State};
use crate::ids::StateId;

/// The most conditions that are kept for a leaf: those of states around it are kept with each.
const MOST: usize = 32;
/// Stands where something else is asked: no chain begins there.
const MORE: Run = Run { first: u32::MAX, count: 0 };

/// The conditions that are asked in each state.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    of: Vec<Run>,
    chains: Vec<Run>,
}

impl Asked {
    pub(super) fn new(rows: &Behavior, states: &[StateInfo], codes: &[CodeInfo]) -> Self {
        let mut asked = Self::default();
        for (state, info) in rows.states.iter().zip(states) {
            let first = asked.chains.len();
            let known = !info.restless && asked.add(rows, state, codes);
            let count = asked.chains.len() - first;
            let run = u32::try_from(first).ok().zip(u32::try_from(count).ok()).filter(|_| known);
            if run.is_none() {
                asked.chains.truncate(first);
            }
            asked.of.push(run.map_or(MORE, |(first, count)| Run { first, count }));
        }
        asked.chains.shrink_to_fit();
        asked
    }

    /// Adds what is asked while a state is active; whether that is all.
    fn add(&mut self, rows: &Behavior, state: &State, codes: &[CodeInfo]) -> bool {
        if state.terminal {
            return true;
        }
        let any = rows.machines.get(state.machine.index()).map_or(Run::default(), |machine| machine.any);
        let outer = |state: &State| state.parent.and_then(|parent| rows.states.get(parent.index()));
        let around = core::iter::successors(outer(state), |state| outer(state));
        let runs =
            [state.transitions, any].into_iter().chain(around.flat_map(|row| [row.transitions, row.any]));
        let mut left = MOST;
        for transition in runs.flat_map(|run| run.of(&rows.transitions)).filter(|row| !row.on_request) {
            let info = transition.condition.and_then(|code| codes.get(code.index()));
            let (Some(info), Some(rest)) = (info.filter(|info| info.checks.count > 0), left.checked_sub(1))
            else {
                return false;
            };
            left = rest;
            self.chains.push(info.checks);
        }
        true
    }

    /// The conditions that are asked while a leaf is active; `None` where more than this is asked.
    #[inline]
    pub(crate) fn of(&self, leaf: StateId) -> Option<&[Run]> {
        let run = self.of.get(leaf.index())?;
        self.chains.get(run.first as usize..)?.get(..run.count as usize)
    }
}
