//! Deciding: which transition each machine takes at the start of a tick.
//!
//! Machines decide one after the other; each takes a pending request or the best transition that holds, and then
//! follows `Instant` transitions. The order of candidates is in `candidates.rs`, where they lead in `routes.rs`, what
//! a change of state does in `transition.rs`.

use super::Core;
use super::candidates::{All, Candidate, Candidates, FLAT, NESTED, Room, SHALLOW};
use super::routes::{Passed, Way, WayOut};
use super::transition::Change;
use crate::frame::EventKind;
use crate::ids::{MachineId, StateId};
use crate::instance::track::{head, mark};
use crate::instance::view::{NO_STATE, flag};
use crate::program::tables::{Target, Transition};

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
        if self.fired || self.cut {
            self.stir();
        } else if restless {
            self.put(0, self.word(0) & !flag::QUIET);
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
        if !self.layout.instants {
            return;
        }
        for _ in 0..HOPS {
            if !self.decide_transition(machine, Ask::Instant) {
                return;
            }
        }
        // Only a chain that would go on is one too long.
        let Some(leaf) = self.view().leaf(machine) else { return };
        if self.choose(machine, leaf, Ask::Instant, false, &mut Draw::default()).is_some() {
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
        let look = All::new(self.rows, machine, leaf)
            .find(|candidate| candidate.row.target == Target::State(target));
        let mut passed = Passed::new();
        let entered = self.descend(machine, target, Some(leaf), &mut passed);
        self.consume_passed(&passed, machine);
        self.change_to(machine, (leaf, entered), target, false, look);
        true
    }

    fn decide_transition(&mut self, machine: MachineId, ask: Ask) -> bool {
        let track = self.layout.track(machine);
        if track.is_some_and(|track| self.view().held(track)) {
            return false;
        }
        let Some(leaf) = self.view().leaf(machine) else { return false };
        let mut draw = Draw::default();
        let chosen = self.choose(machine, leaf, ask, true, &mut draw);
        if let (Some(track), true) = (track, ask != Ask::Instant) {
            let at = track.at + head::OWNER;
            self.put(at, self.word(at) & !(mark::FRESH | mark::KEPT));
        }
        let Some(candidate) = chosen else { return false };
        let (target, restart) = (candidate.row.target.state(), candidate.row.restart);
        // Most states are leaves: the way ends there.
        if let Some(target) = target.filter(|target| self.is_leaf(*target)) {
            self.consume(candidate.row.triggers, machine);
            self.change_to(machine, (leaf, target), target, restart, Some(candidate));
            return true;
        }
        let way = draw.way.or_else(|| self.way_of(machine, leaf, candidate));
        let Some(way) = way else { return false };
        self.consume(candidate.row.triggers, machine);
        self.consume_passed(&way.passed, machine);
        if let Some(out) = &way.out {
            self.leave(machine, candidate, &way, out);
        } else if let Some(target) = target {
            self.change_to(machine, (leaf, way.entered), target, restart, Some(candidate));
        }
        true
    }

    /// Takes a transition to `Exit`.
    fn leave(&mut self, machine: MachineId, candidate: Candidate<'a>, way: &Way<'a>, out: &WayOut<'a>) {
        // What is done is left, wherever the way leads.
        let outside = out.done.and_then(|(_, last)| self.around(last));
        let common = self.view().outward(out.target).find(|state| self.view().within(outside, *state));
        let change = Change {
            common,
            entered: way.entered,
            done: out.done,
            look: Some(out.look),
            actions: candidate.row.actions,
            ways: way.passed.ids().get(..out.passed).unwrap_or_default(),
        };
        self.change(machine, &change);
    }

    pub(super) fn consume_passed(&mut self, passed: &Passed, machine: MachineId) {
        let rows = self.rows;
        for row in passed.ids().iter().filter_map(|id| rows.transitions.get(*id as usize)) {
            self.consume(row.triggers, machine);
        }
    }

    fn is_leaf(&self, state: StateId) -> bool {
        self.rows.states.get(state.index()).is_some_and(|row| row.start.is_none())
    }

    /// The transition to take from a leaf. With `consume`, triggers of one that asks for what is so are consumed.
    fn choose(
        &mut self,
        machine: MachineId,
        leaf: StateId,
        ask: Ask,
        consume: bool,
        draw: &mut Draw<'a>,
    ) -> Option<Candidate<'a>> {
        let rows = self.rows;
        let (row, info) = (rows.states.get(leaf.index())?, self.layout.states.get(leaf.index())?);
        if row.terminal || !info.leaves {
            return None;
        }
        let any = rows.machines.get(machine.index())?.any;
        match Room::of(rows, leaf) {
            // Most states stand alone, without `AnyState`: no merging.
            Room::Flat if any.count == 0 => {
                let first = row.transitions.first;
                let own = (first..).zip(row.transitions.of(&rows.transitions));
                let own = own.map(|(id, row)| Candidate { owner: Some(leaf), any: false, id, row });
                self.first(own, draw, machine, leaf, ask, consume)
            }
            Room::Flat => {
                let all = Candidates::<FLAT>::new(rows, machine, leaf);
                self.first(all, draw, machine, leaf, ask, consume)
            }
            Room::Shallow => {
                let all = Candidates::<SHALLOW>::new(rows, machine, leaf);
                self.first(all, draw, machine, leaf, ask, consume)
            }
            Room::Nested => {
                let all = Candidates::<NESTED>::new(rows, machine, leaf);
                self.first(all, draw, machine, leaf, ask, consume)
            }
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
            if gated
                && transition.gate.lead_out
                && let Some(track) = self.layout.track(machine)
            {
                // Where it opens depends on how fast the motion is now, which may have been set in this very frame.
                self.refresh_lead(track);
            }
            if transition.on_request || !asked || gated && !self.gate_open(machine, &candidate) {
                self.charge(1);
                continue;
            }
            if !self.holds(transition.condition, Some(machine)) {
                continue;
            }
            match transition.target {
                Target::State(target) => {
                    if !transition.restart && self.is_there(machine, leaf, target, candidate.any) {
                        self.charge(1);
                        if consume {
                            self.consume(transition.triggers, machine);
                        }
                        continue;
                    }
                }
                Target::Exit => {
                    if self.way_out(machine, candidate, &mut Passed::new()).is_none() {
                        self.charge(1);
                        continue;
                    }
                }
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
                        // Those that come after it may use up what it asks for on its way.
                        let direct = transition.target.state().is_some_and(|target| self.is_leaf(target));
                        draw.way = if direct { None } else { self.way_of(machine, leaf, candidate) };
                    }
                }
            }
        }
        draw.drawn
    }
}

/// A weighted choice under way.
#[derive(Default)]
struct Draw<'a> {
    /// The priority of those that take part, once there are some.
    priority: Option<i32>,
    total: f64,
    drawn: Option<Candidate<'a>>,
    /// Where that leads, unless to a leaf.
    way: Option<Way<'a>>,
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

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ask {
    All,
    Instant,
    /// What has gates.
    Gated,
}
