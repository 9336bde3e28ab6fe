//! Gates: the moments at which a transition is open, and when the next one is.
//!
//! `After` and what passes once stay open. A place in a motion that loops is open only while the playhead passes it,
//! at the moment at which a step ends. All of a transition's gates must be open. Whether its condition holds is not
//! asked here, but for gates that recur: one whose condition cannot change is not waited for.

use super::Core;
use super::candidates::{All, Candidate};
use super::playhead::{CYCLE, Edge, FAR, Trip};
use super::routes::Passed;
use crate::ids::{MachineId, StateId};
use crate::instance::track::{bits, head, mark, row, trip};
use crate::instance::view::{END, View, play};
use crate::place::TOLERANCE;
use crate::program::layout::{NONE, Slot};
use crate::program::tables::{Behavior, LoopMode, MotionKind, Place, Target};
use crate::program::tracks::Track;
use crate::time::{self, SAME_SECONDS};

/// A gate on a motion.
#[derive(Clone, Copy)]
enum Wait {
    /// It stays open once that distance is left behind; 0 is open.
    Stays(u64),
    /// It opens whenever the playhead passes, next after that distance.
    Recurs(u64),
    /// It never opens.
    Never,
}

impl View<'_> {
    /// Seconds in the state that owns a candidate; in the leaf for `AnyState`.
    fn time_in_owner(&self, machine: MachineId, candidate: &Candidate<'_>) -> f64 {
        let owner = candidate.owner.filter(|_| !candidate.any);
        let clock = owner.and_then(|state| self.layout.clocks.get(state.index())).copied();
        let at = match clock {
            Some(at) if at != NONE => at as usize,
            _ => self.machine_at(machine) + 3,
        };
        time::seconds(self.clock(at))
    }

    /// Where in a pass a gate on the motion's end or a place before or beyond it is.
    fn exit_at(&self, track: &Track, slot: &Slot, candidate: &Candidate<'_>, exit: Place) -> u64 {
        let share = match exit {
            Place::Ratio(ratio) => f64::from(ratio),
            Place::Seconds(seconds) => {
                let pace = f64::from(self.pace(track, track.index(slot.at as usize))).abs();
                // A blend's length follows from its pace; that of a clip without pace is its own.
                let duration = f64::from(self.duration(slot));
                let length = if pace > 0.0 && !self.is_clip(track) { 1.0 / pace } else { duration };
                if length > 0.0 { f64::from(seconds) / length } else { 0.0 }
            }
        };
        let mut at = share * CYCLE as f64;
        if candidate.row.gate.lead_out {
            let pace = f64::from(self.pace(track, track.index(slot.at as usize))) * self.layer_rate(track);
            at -= f64::from(self.seconds(track, candidate.row.fade.duration)) * pace.abs() * CYCLE as f64;
        }
        // Rounded; the cast saturates.
        (at + 0.5) as u64
    }

    fn is_clip(&self, track: &Track) -> bool {
        let motion = self.motion(track).and_then(|motion| self.rows.motions.get(motion.index()));
        motion.is_some_and(|motion| matches!(motion.kind, MotionKind::Clip { .. }))
    }

    /// Before which units of time and which position, in the direction of play, no gate of a leaf opens, for a motion that
    /// moves by itself; `NONE` and the end where nothing is waited for.
    pub(super) fn next_gate(&self, track: &Track, slot: Option<&Slot>) -> (u64, u32) {
        let (mut wait, mut next) = (u64::MAX, END);
        let Some(leaf) = self.leaf(track.machine) else { return (wait, next) };
        let gated = self.layout.states.get(leaf.index()).is_some_and(|info| info.gated);
        if !gated || self.rows.states.get(leaf.index()).is_some_and(|row| row.terminal) {
            return (wait, next);
        }
        for candidate in gated_of(self.rows, track.machine, leaf) {
            if let Some(after) = candidate.row.gate.after {
                let left = f64::from(after) - self.time_in_owner(track.machine, &candidate);
                if left > SAME_SECONDS {
                    wait = wait.min(time::units_until(left));
                }
            }
            if let (Some(exit), Some(slot)) = (candidate.row.gate.exit, slot) {
                let done = match slot.loop_mode {
                    LoopMode::None => 0,
                    _ => u64::from(self.flags(slot) >> play::CYCLES) * CYCLE,
                };
                let place = self.exit_at(track, slot, &candidate, exit);
                let place = if place > CYCLE { place.saturating_sub(done) } else { place };
                if let Ok(place) = u32::try_from(place)
                    && place > self.in_pass(slot)
                {
                    next = next.min(place);
                }
            }
        }
        (wait, next)
    }
}

impl<'a> Core<'a, '_> {
    /// The motion that gates follow, unless it is scrubbed.
    fn gate_slot(&self, track: &Track) -> Option<Slot> {
        let slot = self.view().lead(track)?;
        let motion = self.view().motion(track).and_then(|motion| self.rows.motions.get(motion.index()))?;
        (!matches!(motion.kind, MotionKind::Clip { phase: Some(_), .. })).then_some(slot)
    }

    /// The places of the markers with a gate's name, in the direction of play.
    fn marker_places(&self, slot: &Slot, candidate: &Candidate<'a>) -> impl Iterator<Item = u64> {
        let (rows, name) = (self.rows, candidate.row.gate.marker);
        let (slot, backward) = (*slot, self.view().flags(slot) & play::BACKWARD != 0);
        slot.markers.of(&rows.markers).iter().filter(move |marker| Some(marker.name) == name).map(
            move |marker| {
                let place = self.view().position(&slot, marker.at);
                u64::from(if backward { END - place } else { place })
            },
        )
    }

    /// How long to wait for a candidate's gates on the motion: for that of its place, and that of its marker.
    fn waits(&self, track: &Track, slot: &Slot, candidate: &Candidate<'a>) -> [Wait; 2] {
        let gate = &candidate.row.gate;
        let flags = self.view().flags(slot);
        if self.view().duration(slot) == 0.0 {
            return [Wait::Stays(0), Wait::Stays(0)];
        }
        let here = u64::from(self.view().in_pass(slot));
        let once = slot.loop_mode == LoopMode::None;
        let exit = gate.exit.map_or(Wait::Stays(0), |exit| {
            let at = self.view().exit_at(track, slot, candidate, exit);
            if once {
                let here = if flags & play::ENDED != 0 { CYCLE } else { here };
                return if at > CYCLE { Wait::Never } else { Wait::Stays(at.saturating_sub(here)) };
            }
            if at > CYCLE {
                let done = u64::from(flags >> play::CYCLES) * CYCLE + here;
                return Wait::Stays(at.saturating_sub(done));
            }
            Wait::Recurs(next(LoopMode::Loop, here, at))
        });
        let marker = gate.marker.map_or(Wait::Stays(0), |_| {
            let places = self.marker_places(slot, candidate);
            if once {
                let left = places.map(|place| place.saturating_sub(here)).min();
                return left.map_or(Wait::Never, Wait::Stays);
            }
            let least = places.map(|place| next(slot.loop_mode, here, place)).min();
            least.map_or(Wait::Never, Wait::Recurs)
        });
        [exit, marker]
    }

    /// Whether all gates of a candidate are open.
    pub(super) fn gate_open(&self, machine: MachineId, candidate: &Candidate<'a>) -> bool {
        let gate = &candidate.row.gate;
        if let Some(after) = gate.after
            && self.view().time_in_owner(machine, candidate) + SAME_SECONDS < f64::from(after)
        {
            return false;
        }
        if !gate.follows_motion() {
            return true;
        }
        let Some(track) = self.view().track(machine) else { return false };
        let Some(slot) = self.gate_slot(track) else { return false };
        let [exit, marker] = self.waits(track, &slot, candidate);
        let recurs = |wait: Wait, passed: &dyn Fn() -> bool| match wait {
            Wait::Stays(left) => left == 0,
            Wait::Recurs(_) => passed(),
            Wait::Never => false,
        };
        let here = self.view().in_pass(&slot);
        let fresh = self.word(track.at + head::OWNER) & (mark::FRESH | mark::KEPT) == mark::FRESH;
        let starts = |place: u64| fresh && place == u64::from(here);
        recurs(exit, &|| {
            gate.exit.is_some_and(|exit| {
                let place = self.view().exit_at(track, &slot, candidate, exit);
                starts(place) || self.passed_now(track, &slot, LoopMode::Loop, Edge { up: place, down: None })
            })
        }) && recurs(marker, &|| {
            let turned = self.view().flags(&slot) & play::BACKWARD != 0;
            let began = self.word(track.at + head::OWNER) & mark::BACKWARD != 0;
            self.marker_places(&slot, candidate).any(|place| {
                let then = if turned == began { place } else { CYCLE - place };
                starts(place) || self.passed_now(track, &slot, slot.loop_mode, Edge::marker(then))
            })
        })
    }

    /// Whether the step that ends now passed a place at its end, or so little before that it is the same moment.
    fn passed_now(&self, track: &Track, slot: &Slot, mode: LoopMode, edge: Edge) -> bool {
        if track.trip == NONE {
            return false;
        }
        let here = u64::from(self.word(track.trip as usize + trip::HERE));
        let distance = u64::from(self.word(track.trip as usize + trip::WAY));
        let way = Trip { mode, here, distance, fraction: 0, tolerance: 0 };
        let pace = self.view().pace(track, track.index(slot.at as usize));
        let pace = f64::from(pace) * self.view().layer_rate(track);
        let slack = ((pace.abs() * SAME_SECONDS * CYCLE as f64) as u64).min(FAR) + 2 * u64::from(TOLERANCE);
        distance > 0 && way.passes(edge).is_some_and(|passes| passes.last + slack >= distance)
    }

    /// The leaf whose gates a track waits for.
    pub(super) fn waiting_leaf(&self, track: &Track) -> Option<StateId> {
        let leaf = self.view().leaf(track.machine)?;
        let info = self.layout.states.get(leaf.index())?;
        let terminal = self.rows.states.get(leaf.index())?.terminal;
        (info.gated && !terminal && !self.cut && !self.view().held(track)).then_some(leaf)
    }

    /// The seconds until a gate of a track opens.
    pub(super) fn gates_due(&mut self, track: &'a Track) -> f64 {
        let Some(leaf) = self.waiting_leaf(track) else { return f64::INFINITY };
        if self.word(track.at + head::OWNER) & mark::FRESH != 0 {
            return 0.0;
        }
        let slot = self.gate_slot(track);
        let mut due = f64::INFINITY;
        for candidate in gated_of(self.rows, track.machine, leaf) {
            self.charge(2);
            let gate = &candidate.row.gate;
            let mut stays = gate.after.map_or(0.0, |after| {
                let left = f64::from(after) - self.view().time_in_owner(track.machine, &candidate);
                if left <= SAME_SECONDS { 0.0 } else { left }
            });
            let mut recurs = f64::INFINITY;
            if gate.follows_motion() {
                let Some(slot) = &slot else { continue };
                if self.word(slot.at as usize + row::META) & bits::LOCK != 0 {
                    // A way along a curve is found step by step.
                    self.charge(256);
                }
                for wait in self.waits(track, slot, &candidate) {
                    match wait {
                        Wait::Stays(0) => {}
                        Wait::Stays(way) => stays = stays.max(self.time_to(track, slot, way)),
                        Wait::Recurs(way) => recurs = recurs.min(self.time_to(track, slot, way)),
                        Wait::Never => stays = f64::INFINITY,
                    }
                }
            }
            if stays > 0.0 {
                due = due.min(stays);
            } else if recurs < due && self.may_take(track.machine, leaf, &candidate) {
                due = recurs;
            }
        }
        due
    }

    /// Whether it is of use to wait for a gate that recurs.
    fn may_take(&mut self, machine: MachineId, leaf: StateId, candidate: &Candidate<'a>) -> bool {
        let row = candidate.row;
        if row.random_weight == Some(0.0) {
            return false;
        }
        let fixed = row.condition.is_none_or(|code| self.layout.is_fixed(code));
        if fixed && !self.holds(row.condition, Some(machine)) {
            return false;
        }
        if !self.is_lasting(candidate) {
            return true;
        }
        match row.target {
            Target::State(target) => {
                row.restart || row.triggers.count > 0 || !self.is_there(machine, leaf, target, candidate.any)
            }
            Target::Exit => self.way_out(machine, *candidate, &mut Passed::new()).is_some(),
        }
    }

    /// Lengthens a trip of the current motion to the gates that it reaches.
    pub(super) fn settle_on_gates(&self, track: &'a Track, slot: &Slot, trip: &mut Trip) {
        let Some(leaf) = self.waiting_leaf(track) else { return };
        if self.gate_slot(track).is_none() || self.view().duration(slot) == 0.0 {
            return;
        }
        let asked = *trip;
        for candidate in gated_of(self.rows, track.machine, leaf) {
            if let Some(exit) = candidate.row.gate.exit {
                let mut place = self.view().exit_at(track, slot, &candidate, exit);
                if place > CYCLE {
                    let done = u64::from(self.view().flags(slot) >> play::CYCLES) * CYCLE;
                    place = place.saturating_sub(done);
                }
                let mode = if slot.loop_mode == LoopMode::None { LoopMode::None } else { LoopMode::Loop };
                if place <= CYCLE
                    && let Some(passes) = (Trip { mode, ..asked }).passes(Edge { up: place, down: None })
                {
                    trip.settle_on(passes);
                }
            }
            if candidate.row.gate.marker.is_some() {
                for place in self.marker_places(slot, &candidate) {
                    if let Some(passes) = asked.passes(Edge::marker(place)) {
                        trip.settle_on(passes);
                    }
                }
            }
        }
    }

    /// At a moment: every machine decides what has gates that are open.
    pub(super) fn decide_gates(&mut self) {
        let layout = self.layout;
        for track in &layout.tracks {
            let owner = self.word(track.at + head::OWNER);
            if owner & mark::RELEASED != 0 {
                self.put(track.at + head::OWNER, owner & !mark::RELEASED);
                self.stir();
                self.decide_released(track.machine);
            } else if self.waiting_leaf(track).is_some() {
                self.decide_moment(track.machine);
            }
        }
    }
}

/// The candidates of a machine that have gates.
fn gated_of(rows: &Behavior, machine: MachineId, leaf: StateId) -> impl Iterator<Item = Candidate<'_>> {
    All::new(rows, machine, leaf)
        .filter(|candidate| candidate.row.gate.is_some() && !candidate.row.on_request)
}

/// The distance to the next pass of a place.
fn next(mode: LoopMode, here: u64, place: u64) -> u64 {
    let edge = if mode == LoopMode::PingPong { Edge::marker(place) } else { Edge { up: place, down: None } };
    let trip = Trip { mode, here, distance: 2 * CYCLE, fraction: 0, tolerance: 0 };
    trip.passes(edge).map_or(CYCLE, |passes| passes.first)
}
