//! Playheads of motions as time passes: their rates, their ways, and when they are due.
//!
//! A row runs at its own pace unless it shares its phase with others: then all of them go the same way, at the mean
//! of their paces by weight. During a fade that mean changes along the fade's curve; the way is its integral.

use super::Core;
use super::advance::{Clock, Rank};
use super::curves::{Curve, Rate, Rest};
use super::looks::scrubbed;
use super::playhead::{CYCLE, Trip};
use crate::frame::EventKind;
use crate::ids::{CodeId, StateId};
use crate::instance::track::{bits, head, mark, row, trip};
use crate::instance::view::{END, play, word};
use crate::place::{self, FAR_END};
use crate::program::layout::{NONE, Slot};
use crate::program::tables::{LoopMode, MotionKind};
use crate::program::tracks::Track;
use crate::time::{self, SAME_SECONDS, SECOND};

impl<'a> Core<'a, '_> {
    /// Brings the rows up to date with the expressions that they depend on, before a step.
    pub(super) fn refresh_rows(&mut self) {
        let layout = self.layout;
        for track in &layout.tracks {
            self.refresh_blend(track);
            let end = self.view().row_end(track);
            if track.mixed {
                (0..end).for_each(|index| self.refresh_pace(track, index));
            }
            // Those in step go by the paces of all of them.
            for index in 0..end {
                if !self.is_faced(track, index) {
                    self.face(track, index);
                }
            }
        }
    }

    /// Whether a row that nothing but its clip's speed moves goes that way, or nothing moves it.
    fn is_faced(&self, track: &Track, index: usize) -> bool {
        let view = self.view();
        let Some(at) = view.row(track, index).filter(|at| view.word(at + row::KEY) != 0) else { return true };
        let (meta, flags) = (view.word(at + row::META), view.word(at + word::FLAGS));
        if track.mixed || track.speed_at != NONE || meta & bits::LOCK != 0 {
            return false;
        }
        let slot = view.clip_of(meta).and_then(|(_, animation)| view.slot(animation));
        let turned = flags & play::TURNED != 0;
        slot.is_none_or(|(_, slot)| ((slot.speed < 0.0) != turned) == (flags & play::BACKWARD != 0))
    }

    /// Turns a row whose speed has changed its sign before anything is measured in the direction of play.
    fn face(&mut self, track: &Track, index: usize) {
        let Some(slot) = self.view().live_slot(track, index) else { return };
        let flags = self.view().flags(&slot);
        let Some(backward) = self.heading(track, index) else { return };
        let backward = backward != (flags & play::TURNED != 0);
        if backward == (flags & play::BACKWARD != 0)
            || flags & play::ENDED != 0
            || self.scrub(track, index).is_some()
            || self.view().duration(&slot) == 0.0
        {
            return;
        }
        self.turn(&slot, f64::from(self.now));
        let owner = self.word(track.at + head::OWNER);
        let leads = index < track.current && self.view().speaks(track, index);
        if leads && owner & mark::FRESH == 0 && self.waiting_leaf(track).is_some() {
            // Gates are seen from the other side; what lies where it stands was passed.
            self.put(track.at + head::OWNER, owner | mark::FRESH | mark::KEPT);
        }
    }

    /// Brings the speed of the current motion up to date, where its cycle is about to be measured. A blend's mix, and
    /// with it its cycle, stays as it was shown last.
    pub(super) fn refresh_lead(&mut self, track: &Track) {
        self.layer_speeds();
        if let Some(index) = self.view().lead_index(track) {
            self.refresh_pace(track, index);
        }
    }

    /// Brings a row that plays one clip up to date with the clip's speed.
    fn refresh_pace(&mut self, track: &Track, index: usize) {
        let Some(at) = self.view().row(track, index).filter(|_| track.mixed) else { return };
        if self.word(at + row::KEY) == 0 || self.word(at + row::META) & bits::BLENDED != 0 {
            return;
        }
        let Some((motion, _)) = self.view().row_clip(track, index) else { return };
        if self.rows.motions.get(motion.index()).is_some_and(|motion| motion.speed.is_some())
            && let Some(slot) = self.view().row_slot(track, index)
        {
            let pace = self.own_pace(track.machine, motion, &slot);
            self.shifted |= self.number(at + row::PACE) != pace;
            self.put_number(at + row::PACE, pace);
        }
    }

    /// Brings a current blend up to date with its inputs.
    fn refresh_blend(&mut self, track: &Track) {
        let motion = self.view().motion(track).and_then(|motion| self.rows.motions.get(motion.index()));
        if motion.is_some_and(|motion| motion.kind.points().count > 0) {
            self.weigh(track, true);
        }
    }

    fn rest(&self, track: &Track) -> Option<Rest> {
        let look = self.view().look(track)?;
        let (left, duration) = (self.number(track.at + head::LEFT), self.number(track.at + head::DURATION));
        (left > 0.0).then(|| Rest {
            easing: look.fade.easing,
            left: f64::from(left),
            duration: f64::from(duration),
        })
    }

    /// The rate of a row.
    pub(super) fn row_rate(&self, track: &Track, index: usize) -> Rate {
        let still = Rate { out: 0.0, current: 0.0, blends: false };
        let Some(at) = self.view().row(track, index) else { return still };
        let meta = self.word(at + row::META);
        if meta & bits::PAUSED != 0 {
            return still;
        }
        let layer = self.view().layer_rate(track);
        let own = f64::from(self.view().pace_at(track, at)) * layer;
        let lock = meta & bits::LOCK;
        if lock == 0 {
            return Rate { out: own, current: own, blends: false };
        }
        let (mut sum, mut weights) = (0.0, 0.0);
        let mut current = None;
        for other in self.view().rows_used(track) {
            let meta = self.view().meta(track, other);
            if meta & bits::LOCK != lock || meta & bits::PAUSED != 0 {
                continue;
            }
            let pace = f64::from(self.view().pace(track, other)) * layer;
            if other < track.current {
                current = Some(pace);
            } else {
                let weight = f64::from(self.view().own_weight(track, other));
                sum += weight * pace;
                weights += weight;
            }
        }
        let out = (weights > 0.0).then(|| sum / weights);
        let (out, current) = (out.or(current).unwrap_or(own), current.or(out).unwrap_or(own));
        Rate { out, current, blends: out != current }
    }

    /// The seconds in which the current motion goes so far; infinite where it does not within this fade.
    pub(super) fn time_to(&self, track: &Track, slot: &Slot, distance: u64) -> f64 {
        if distance == 0 {
            return 0.0;
        }
        let index = track.index(slot.at as usize);
        let rate = self.row_rate(track, index);
        let cycles = distance as f64 / CYCLE as f64;
        match self.curve(track, rate) {
            Some(curve) => curve.seconds(cycles),
            None if self.view().is_steady(track, index) => {
                cycles / (self.view().step(slot) as f64 / FAR_END as f64 * SECOND)
            }
            None if rate.current == 0.0 => f64::INFINITY,
            None => cycles / rate.current.abs(),
        }
    }

    /// How a row's way bends along the fade, where it does.
    fn curve(&self, track: &Track, rate: Rate) -> Option<Curve> {
        let rest = self.rest(track).filter(|_| rate.blends)?;
        Some(Curve::new(rate, rest))
    }

    /// Whether a row goes backward from now on, but for its own turns; `None` where it stands.
    fn heading(&self, track: &Track, index: usize) -> Option<bool> {
        let rate = self.row_rate(track, index);
        match self.curve(track, rate) {
            Some(curve) => curve.heading(),
            None => (rate.current != 0.0).then_some(rate.current < 0.0),
        }
    }

    /// The seconds until rows that are in step turn around together, because of their paces the one in the other
    /// direction comes to weigh more.
    pub(super) fn turn_due(&mut self) -> f64 {
        let layout = self.layout;
        let mut due = f64::INFINITY;
        for track in &layout.tracks {
            if !self.view().fading(track) {
                continue;
            }
            let locked = |index: &usize| self.view().meta(track, *index) & bits::LOCK != 0;
            let Some(index) = (0..track.current).find(locked) else { continue };
            let rate = self.row_rate(track, index);
            if rate.turns() {
                // It is looked for along the curve, for each row.
                self.charge(u32::try_from(128 * track.rows()).unwrap_or(u32::MAX));
                due = due.min(self.curve(track, rate).map_or(f64::INFINITY, |curve| curve.turn()));
            }
        }
        due
    }

    /// The seconds until something of the tracks is due, gates included.
    pub(super) fn tracks_due(&mut self) -> f64 {
        let layout = self.layout;
        let mut due = f64::INFINITY;
        for track in &layout.tracks {
            self.charge(u32::try_from(1 + track.rows()).unwrap_or(u32::MAX));
            if self.view().fading(track) {
                due = due.min(f64::from(self.number(track.at + head::LEFT)));
            }
            due = due.min(self.end_due(track)).min(self.gates_due(track));
        }
        due
    }

    /// The seconds until the current motion ends, or begins another cycle where that is waited for.
    fn end_due(&mut self, track: &Track) -> f64 {
        let leaf = self.view().leaf(track.machine).and_then(|leaf| self.layout.states.get(leaf.index()));
        let repeats = leaf.is_some_and(|leaf| leaf.repeats) && !self.cut;
        let mut due = f64::INFINITY;
        for index in 0..track.current {
            if !self.view().row_used(track, index) || self.scrub(track, index).is_some() {
                continue;
            }
            let Some(slot) = self.view().row_slot(track, index) else { continue };
            let ended = self.view().flags(&slot) & play::ENDED != 0;
            let lead = self.view().speaks(track, index);
            let waits = if slot.loop_mode == LoopMode::None { !ended } else { repeats && lead };
            if !waits {
                continue;
            }
            if self.view().duration(&slot) == 0.0 {
                if slot.loop_mode == LoopMode::None {
                    return 0.0;
                }
                continue;
            }
            let left = END - self.view().in_pass(&slot);
            // Where it turns around, the end of the pass is the one in the new direction.
            let left = if left == 0 && slot.loop_mode != LoopMode::None { END } else { left };
            due = due.min(self.time_to(track, &slot, u64::from(left)));
            if left == 0 {
                return 0.0;
            }
        }
        due
    }

    /// The expression at which a row stands.
    pub(super) fn scrub(&self, track: &Track, index: usize) -> Option<CodeId> {
        self.scrub_of(self.view().meta(track, index))
    }

    /// The same by the row's word.
    fn scrub_of(&self, meta: u32) -> Option<CodeId> {
        match self.rows.motions.get(usize::from(meta as u16))?.kind {
            MotionKind::Clip { phase, .. } => phase,
            _ => None,
        }
    }

    /// Moves all rows, and then the fades, by a step.
    pub(super) fn move_tracks(&mut self, units: u64, begun: f64) {
        let (layout, step) = (self.layout, time::seconds(units));
        let mut order = layout.slots.len();
        for track in &layout.tracks {
            self.put_trip(track, 0, 0);
            let owner = self.word(track.at + head::OWNER);
            self.put(track.at + head::OWNER, owner & !mark::BACKWARD);
            for index in 0..self.view().row_end(track) {
                self.move_row(track, index, order + index, units, begun);
            }
            order += track.rows();
        }
        for track in &layout.tracks {
            if self.view().fading(track) {
                let left = f64::from(self.number(track.at + head::LEFT)) - step;
                let left = if left <= SAME_SECONDS { 0.0 } else { left as f32 };
                self.put_number(track.at + head::LEFT, left);
            }
        }
    }

    /// Keeps the trip of the current motion for the gates that follow it, if there are any.
    pub(super) fn put_trip(&mut self, track: &Track, here: u64, way: u64) {
        if track.trip != NONE {
            let at = track.trip as usize;
            self.put(at + trip::HERE, u32::try_from(here).unwrap_or(0));
            self.put(at + trip::WAY, u32::try_from(way).unwrap_or(u32::MAX));
        }
    }

    fn move_row(&mut self, track: &'a Track, index: usize, order: usize, units: u64, begun: f64) {
        let step = time::seconds(units);
        let Some(slot) = self.view().live_slot(track, index) else { return };
        let at = slot.at as usize;
        let (meta, flags) = (self.word(at + row::META), self.word(at + word::FLAGS));
        if let Some(code) = self.scrub_of(meta) {
            if meta & bits::PAUSED == 0 {
                self.move_scrubbed(track, &slot, code, order, step, begun);
            }
            return;
        }
        if flags & play::ENDED != 0 {
            return;
        }
        if self.view().duration(&slot) == 0.0 {
            if slot.loop_mode == LoopMode::None {
                self.put_long(at + word::FRACTION, FAR_END);
                self.finish_row(track, index, &slot, order, begun);
            }
            return;
        }
        if meta & bits::LOCK != 0 {
            self.charge(u32::try_from(track.rows()).unwrap_or(u32::MAX));
        }
        let rate = self.row_rate(track, index);
        let curve = self.curve(track, rate);
        let way = curve.map_or(rate.current.abs() * step, |curve| curve.way(step));
        let still = if step > 0.0 { way == 0.0 } else { rate.current == 0.0 && rate.out == 0.0 };
        if still {
            return;
        }
        let backward = flags & play::BACKWARD != 0;
        let rate = if step > 0.0 { way / step } else { rate.current.abs() };
        let place = self.view().place(&slot);
        let from = if backward { FAR_END - place } else { place };
        let (distance, tolerance) = if curve.is_none() && self.view().steady(meta) {
            let pace = self.view().step(&slot);
            (u128::from(pace) * u128::from(units), place::tolerance(pace))
        } else {
            let pace = (rate * (FAR_END as f64 / SECOND)) as u64;
            ((way * FAR_END as f64) as u128, place::tolerance(pace))
        };
        let mut trip = Trip::new(slot.loop_mode, from, distance, tolerance);
        let speaks = meta & bits::SPEAKS != 0;
        let lead = speaks && index < track.current;
        if lead {
            self.settle_on_gates(track, &slot, &mut trip);
            self.put_trip(track, trip.here, trip.distance);
            if backward {
                let owner = self.word(track.at + head::OWNER);
                self.put(track.at + head::OWNER, owner | mark::BACKWARD);
            }
        }
        if !slot.marked && trip.is_within() {
            let to = trip.arrive().place;
            self.put_long(at + word::FRACTION, if backward { FAR_END - to } else { to });
            return;
        }
        let (to_end, here) = (trip.to_end(), trip.here);
        let pace = rate * CYCLE as f64;
        if curve.is_some() {
            // The time of what is passed is found step by step.
            self.charge(256);
        }
        let clock = Clock { begun, pace, step, curve };
        let (arrival, gone) = self.travel(order, &slot, trip, backward, clock, speaks);
        if lead {
            self.put_trip(track, here, gone);
            if arrival.cycles > 0 {
                self.put(track.at + head::OWNER, self.word(track.at + head::OWNER) | mark::LOOPED);
            }
        }
        if arrival.ended {
            self.finish_row(track, index, &slot, order, clock.at(to_end));
        }
    }

    /// A playhead goes where its expression says, and passes what is on the way.
    fn move_scrubbed(
        &mut self,
        track: &Track,
        slot: &Slot,
        code: CodeId,
        order: usize,
        step: f64,
        begun: f64,
    ) {
        let at = slot.at as usize;
        let target = scrubbed(f32::from_bits(self.eval(code, Some(track.machine))));
        let position = self.word(at + word::POSITION);
        if target == position {
            return;
        }
        let backward = target < position;
        if backward != (self.word(at + word::FLAGS) & play::BACKWARD != 0) {
            self.turn(slot, begun);
        }
        if slot.marked && self.view().duration(slot) > 0.0 {
            let distance = u64::from(target.abs_diff(position));
            let trip = Trip {
                mode: LoopMode::None,
                here: u64::from(if backward { END.saturating_sub(position) } else { position }),
                distance,
                fraction: 0,
                tolerance: 0,
            };
            let pace = distance as f64 / step.max(SAME_SECONDS);
            let once = Slot { loop_mode: LoopMode::None, ..*slot };
            self.travel(order, &once, trip, backward, Clock { begun, pace, step, curve: None }, false);
        }
        self.put_long(at + word::FRACTION, place::join(0, target));
    }

    /// A row that does not loop is at its end. One that fades out does not say so.
    fn finish_row(&mut self, track: &Track, index: usize, slot: &Slot, order: usize, offset: f64) {
        let at = slot.at as usize + word::FLAGS;
        self.put(at, self.word(at) | play::ENDED);
        if index >= track.current || !self.view().speaks(track, index) {
            return;
        }
        self.fired = true;
        self.report(order, offset, Rank::Cycle, 0, EventKind::Finish { animation: slot.animation }, 1);
        self.put(track.at + head::OWNER, self.word(track.at + head::OWNER) | mark::FINISHED);
    }

    /// At a moment: fades that are over end.
    pub(super) fn end_fades(&mut self) {
        let layout = self.layout;
        for track in &layout.tracks {
            self.end_fade(track);
        }
    }

    /// At a moment: runs the lists of the states whose motion ended or began another cycle, outermost first.
    pub(super) fn run_motion_lists(&mut self) {
        let (layout, rows) = (self.layout, self.rows);
        for track in &layout.tracks {
            let at = track.at + head::OWNER;
            let marks = self.word(at);
            self.put(at, marks & !(mark::FINISHED | mark::LOOPED));
            if marks & (mark::FINISHED | mark::LOOPED) == 0 {
                continue;
            }
            let Some(owner) = self.view().owner(track) else { continue };
            self.for_active(track.machine, |core, state: StateId| {
                if !core.view().within(Some(state), owner) {
                    return;
                }
                let Some(row) = rows.states.get(state.index()) else { return };
                if marks & mark::FINISHED != 0 {
                    core.run(row.finish, Some(track.machine));
                }
                // Once decisions are over nobody waits for the end of a cycle.
                if marks & mark::LOOPED != 0 && !core.cut {
                    core.run(row.repeat, Some(track.machine));
                }
            });
        }
    }

    /// The end of a tick: blends are where their inputs are now, and what a step left behind is forgotten.
    pub(super) fn settle_tracks(&mut self) {
        let layout = self.layout;
        for track in &layout.tracks {
            self.refresh_blend(track);
            self.put_trip(track, 0, 0);
            self.put(track.at + head::OWNER, self.word(track.at + head::OWNER) & !mark::PASSING);
        }
    }
}
