//! Deciding: which transition each machine takes at the start of a tick.
//!
//! Machines decide one after the other; each takes a pending request or the best transition that holds, and then
//! follows `Instant` transitions. The order of candidates is that of the contract: priority, then `AnyState`,
//! innermost, declaration. What a transition does is in `transition.rs`.

use super::Core;
use crate::frame::EventKind;
use crate::ids::{MachineId, StateId};
use crate::instance::track::{head, mark};
use crate::instance::view::{NO_STATE, flag};
use crate::program::limits::Limit;
use crate::program::tables::{Behavior, Run, Transition};

/// The most sources of candidates: a leaf, the states around it, `AnyState`.
const SOURCES: usize = Limit::Nesting.value() + 1;
/// The most `Instant` transitions in a row.
const HOPS: usize = 100;

impl<'a> Core<'a, '_> {
    /// One decision of the whole instance: transitions, reactions, and what triggers they used up.
    pub(crate) fn pass(&mut self) {
        self.deciding = true;
        self.fired = false;
        self.put(0, self.word(0) | flag::QUIET);
        let mut requests = false;
        for machine in self.machines() {
            // What is requested from here on is for the next tick.
            let at = self.view().machine_at(machine) + 1;
            let request = self.word(at) & 0xFFFF;
            self.put(at, NO_STATE | request << 16);
            requests |= request != NO_STATE;
        }
        let mut restless = self.layout.restless;
        for machine in self.machines() {
            self.decide(machine, requests);
            let leaf = self.view().leaf(machine).and_then(|leaf| self.layout.states.get(leaf.index()));
            restless |= leaf.is_some_and(|leaf| leaf.restless);
        }
        self.reactions(true);
        self.forget_answers();
        self.deciding = false;
        if restless || self.fired || self.cut {
            self.stir();
        }
    }

    fn decide(&mut self, machine: MachineId, requests: bool) {
        if requests && self.decide_request(machine) || self.decide_transition(machine, Ask::All) {
            self.decide_chain(machine);
        }
    }

    /// At a moment: what has gates that are open.
    pub(super) fn decide_moment(&mut self, machine: MachineId) {
        if self.decide_transition(machine, Ask::Gated) {
            self.decide_chain(machine);
        }
    }

    /// At the moment at which a fade ends that held decisions back.
    pub(super) fn decide_released(&mut self, machine: MachineId) {
        if self.decide_transition(machine, Ask::All) {
            self.decide_chain(machine);
        }
    }

    /// The `Instant` transitions that follow one.
    fn decide_chain(&mut self, machine: MachineId) {
        for _ in 0..HOPS {
            if !self.decide_transition(machine, Ask::Instant) {
                return;
            }
        }
        // Only a chain that would go on is one too long.
        let Some(leaf) = self.view().leaf(machine) else { return };
        if self.choose(machine, leaf, Ask::Instant, false).is_some() {
            self.event(EventKind::ChainLimit { machine: Some(machine) });
        }
    }

    /// Takes the request that was pending when the pass began. One for an active state counts as none.
    fn decide_request(&mut self, machine: MachineId) -> bool {
        let Some(target) = self.view().taken(machine) else { return false };
        let at = self.view().machine_at(machine) + 1;
        self.put(at, self.word(at) | NO_STATE << 16);
        let Some(leaf) = self.view().leaf(machine) else { return false };
        if self.view().within(Some(leaf), target) {
            return false;
        }
        let look = Candidates::new(self.rows, machine, leaf).find(|candidate| candidate.row.target == target);
        self.change(machine, target, false, look);
        true
    }

    fn decide_transition(&mut self, machine: MachineId, ask: Ask) -> bool {
        let track = self.layout.track(machine);
        if track.is_some_and(|track| self.view().held(track)) {
            return false;
        }
        let Some(leaf) = self.view().leaf(machine) else { return false };
        let chosen = self.choose(machine, leaf, ask, true);
        if let (Some(track), true) = (track, ask != Ask::Instant) {
            let at = track.at + head::OWNER;
            self.put(at, self.word(at) & !mark::FRESH);
        }
        let Some(candidate) = chosen else { return false };
        self.consume(candidate.row.triggers, machine);
        self.change(machine, candidate.row.target, candidate.row.restart, Some(candidate));
        true
    }

    /// The transition to take from a leaf. With `consume`, triggers of one that asks for what is so are consumed.
    fn choose(
        &mut self,
        machine: MachineId,
        leaf: StateId,
        ask: Ask,
        consume: bool,
    ) -> Option<Candidate<'a>> {
        let rows = self.rows;
        let (row, info) = (rows.states.get(leaf.index())?, self.layout.states.get(leaf.index())?);
        let any = rows.machines.get(machine.index())?.any;
        if row.terminal || any.count == 0 && !info.leaves {
            return None;
        }
        let mut draw = Draw::default();
        // Most states stand alone, without `AnyState`: no merging.
        if any.count == 0 && row.parent.is_none() {
            let first = row.transitions.first;
            let own = (first..).zip(row.transitions.of(&rows.transitions));
            let own = own.map(|(id, row)| Candidate { depth: 1, id, row });
            self.first(own, &mut draw, machine, leaf, ask, consume)
        } else {
            self.first(Candidates::new(rows, machine, leaf), &mut draw, machine, leaf, ask, consume)
        }
    }

    #[inline]
    fn first(
        &mut self,
        candidates: impl Iterator<Item = Candidate<'a>>,
        draw: &mut Draw<'a>,
        machine: MachineId,
        leaf: StateId,
        ask: Ask,
        consume: bool,
    ) -> Option<Candidate<'a>> {
        for candidate in candidates {
            let transition = candidate.row;
            if draw.is_over(transition) {
                break;
            }
            let gated = self.layout.gates && transition.gate.is_some();
            let asked = match ask {
                Ask::All => true,
                Ask::Instant => transition.instant,
                Ask::Gated => gated,
            };
            if transition.on_request || !asked || gated && !self.gate_open(machine, leaf, &candidate) {
                self.charge(1);
                continue;
            }
            if !self.holds(transition.condition, Some(machine)) {
                continue;
            }
            if !transition.restart && self.is_there(leaf, transition.target, candidate.depth == 0) {
                self.charge(1);
                if consume {
                    self.consume(transition.triggers, machine);
                }
                continue;
            }
            match (draw.priority, transition.random_weight) {
                (None, None) => return Some(candidate),
                (_, weight) => {
                    let weight = weight.unwrap_or(1.0);
                    draw.priority = Some(transition.priority);
                    draw.total += f64::from(weight);
                    // Each takes the place of those before with its share of the weight so far.
                    if weight > 0.0 && f64::from(self.draw()) * draw.total < f64::from(weight) {
                        draw.drawn = Some(candidate);
                    }
                }
            }
        }
        draw.drawn
    }

    /// Whether going to `target` changes nothing. From inside, the transition of an inner state to a composite enters
    /// that anew.
    pub(super) fn is_there(&self, leaf: StateId, target: StateId, any: bool) -> bool {
        let enters = self.layout.states.get(target.index()).map(|info| info.leaf);
        self.view().within(Some(leaf), target) && (any || enters == Some(leaf))
    }
}

/// A weighted choice under way.
#[derive(Default)]
struct Draw<'a> {
    /// The priority of those that take part, once there are some.
    priority: Option<i32>,
    total: f64,
    drawn: Option<Candidate<'a>>,
}

impl Draw<'_> {
    /// Whether the choice is made, now that `next` comes. Where nothing had a chance it starts over.
    fn is_over(&mut self, next: &Transition) -> bool {
        if self.priority.is_none_or(|priority| priority == next.priority) {
            return false;
        }
        if self.drawn.is_none() {
            *self = Self::default();
        }
        self.drawn.is_some()
    }
}

/// A transition that may be taken.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    /// Whose it is: 0 for `AnyState`, 1 for the leaf, 2 for the state around it, and so on.
    pub(super) depth: usize,
    /// Its place in the table.
    pub(super) id: u32,
    pub(super) row: &'a Transition,
}

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ask {
    All,
    Instant,
    /// What has gates.
    Gated,
}

/// The candidates of a leaf in the order of decision: a merge of sorted runs, of which earlier ones win ties.
pub(super) struct Candidates<'a> {
    rows: &'a Behavior,
    runs: [Run; SOURCES],
    used: usize,
}

impl<'a> Candidates<'a> {
    pub(super) fn new(rows: &'a Behavior, machine: MachineId, leaf: StateId) -> Self {
        let mut runs = [Run { first: 0, count: 0 }; SOURCES];
        let any = rows.machines.get(machine.index()).map(|machine| machine.any);
        let states = core::iter::successors(rows.states.get(leaf.index()), |state| {
            rows.states.get(state.parent?.index())
        });
        let sources = any.into_iter().chain(states.map(|state| state.transitions));
        let mut used = 0;
        for (run, source) in runs.iter_mut().zip(sources) {
            *run = source;
            used += 1;
        }
        Self { rows, runs, used }
    }
}

impl<'a> Iterator for Candidates<'a> {
    type Item = Candidate<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut best: Option<(usize, &'a Transition)> = None;
        for (index, run) in self.runs.iter().take(self.used).enumerate() {
            let Some(head) = run.of(&self.rows.transitions).first() else { continue };
            if best.is_none_or(|(_, found)| head.priority > found.priority) {
                best = Some((index, head));
            }
        }
        let (depth, row) = best?;
        let run = self.runs.get_mut(depth)?;
        let id = run.first;
        *run = Run { first: run.first + 1, count: run.count - 1 };
        Some(Candidate { depth, id, row })
    }
}
