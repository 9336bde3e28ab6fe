//! Letting time pass: from moment to moment until dt is used up.
//!
//! A moment is an instant at which something is due: an animation ends, a fade ends, a protection or a lifetime runs
//! out. Between moments everything moves along straight lines, so the steps are exact and a tick of any length
//! costs what its moments cost. What falls within [`SAME_MOMENT`] of a step's end is due there, once. Steps are whole
//! units of time, and none ends before what it goes to.

use super::Core;
use super::curves::Curve;
use super::playhead::{Arrival, CYCLE, Edge, Passes, Trip};
use crate::frame::{Event, EventKind};
use crate::ids::{MarkerId, SpanId};
use crate::instance::view::{END, play, word};
use crate::place::{self, FAR_END};
use crate::program::layout::{Contest, NONE, Slot};
use crate::program::tables::LoopMode;
use crate::time::{self, SAME_MOMENT, SAME_SECONDS};

/// The most moments of a tick at which something fires.
const MOMENTS: u32 = 100;

impl Core<'_, '_> {
    /// Lets so many units of time pass.
    pub(crate) fn advance(&mut self, total: u64) {
        let (mut done, mut fired) = (0_u64, 0);
        // What playheads passed in steps between which nothing else came, from the first event to behind the last.
        let mut passed = 0..0;
        // What is due a little after the end is due now, but once: one after the other, as far ahead as was looked.
        let mut ahead = 0;
        loop {
            self.layer_speeds();
            let (due, turn) = self.next_due();
            let rest = total - done;
            // With no work left to spend, the rest is one step: what was due in it is due at its end.
            let spent = self.budget == 0;
            let is_due = spent || due <= rest + SAME_MOMENT && (rest > 0 || due == 0 || due > ahead);
            let step = if spent { rest } else { due.min(rest) };
            // Playheads that turn around are looked at from there; nothing is due.
            let turns = !spent && turn < step;
            let step = if turns { turn } else { step };
            if rest == 0 {
                ahead = ahead.max(due);
            }
            done += step;
            // What the last step reported last is not later than what this one reports first.
            let begun = f64::from(self.now);
            self.now = (time::seconds(done) as f32).min(self.dt);
            self.fired = false;
            if passed.end != self.out.events.len() {
                passed.start = self.out.events.len();
            }
            self.pass_time(step, begun, passed.start);
            passed.end = self.out.events.len();
            if turns {
                passed.start = passed.end;
                continue;
            }
            if !is_due {
                return;
            }
            if fired == MOMENTS {
                self.cut_off();
            }
            // Once decisions are over nothing starts anew, so that what is due comes to an end.
            self.moment();
            if spent {
                return;
            }
            if self.fired {
                fired += 1;
                passed.start = passed.end;
            }
        }
    }

    /// The units of time until something is due, and until a playhead turns around in the middle of a fade.
    fn next_due(&mut self) -> (u64, u64) {
        let (mut seconds, mut turn) = (self.next_expiry(), u64::MAX);
        if !self.layout.tracks.is_empty() {
            self.refresh_rows();
            seconds = seconds.min(self.tracks_due());
            turn = time::units_until(self.turn_due());
        }
        let mut due = time::units_until(seconds);
        let (mut from, mut work) = (0, self.layout.sweep);
        while let Some((index, slot)) = self.next_active(from) {
            due = due.min(self.slot_due(slot));
            work = work.saturating_add(1 + slot.marks());
            from = index + 1;
        }
        self.charge(work);
        (due, turn)
    }

    #[inline]
    pub(super) fn slot_due(&self, slot: &Slot) -> u64 {
        let at = slot.at as usize;
        let fade = self.word(at + word::FADE);
        let flags = self.word(at + word::FLAGS);
        let mut due = u64::MAX;
        if fade != 0 {
            due = fade.into();
        } else if flags & play::FADING != 0 {
            return 0;
        }
        if slot.loop_mode == LoopMode::None && flags & play::ENDED == 0 {
            if self.view().duration(slot) == 0.0 {
                return 0;
            }
            let place = self.view().place(slot);
            let left = if self.view().rate(slot) < 0.0 { place } else { FAR_END - place };
            let step = self.view().step(slot);
            if step != 0 {
                due = due.min(left.div_ceil(step));
            }
        }
        if let (Contest::Group(group), true) = (slot.contest, slot.protection != NONE)
            && self.word(self.layout.waiting + group.index()) != 0
        {
            let protection = self.view().long(slot.protection as usize);
            if protection != 0 {
                due = due.min(protection);
            }
        }
        due
    }

    /// What is due now, in the order of the contract; the playheads have arrived.
    fn moment(&mut self) {
        let mut from = 0;
        while let Some((index, slot)) = self.next_active(from) {
            let at = slot.at as usize;
            if self.word(at + word::FLAGS) & play::FADING != 0 && self.word(at + word::FADE) == 0 {
                self.cut(index, slot);
            }
            from = index + 1;
        }
        self.end_fades();
        self.settle_groups();
        self.run_motion_lists();
        if !self.cut {
            self.deciding = true;
            self.decide_gates();
            self.reactions(false);
            self.deciding = false;
            self.forget_answers();
        }
        self.expire_triggers();
    }

    /// Moves everything by a step that begins there and ends at `now`. What is passed again adds to the counts of the events
    /// from `since` on.
    fn pass_time(&mut self, step: u64, begun: f64, since: usize) {
        let seconds = time::seconds(step);
        if step > 0 {
            self.move_damps(seconds);
            super::glide::age(self.rows, self.layout, self.words, step);
            self.move_layers(seconds);
            self.age_triggers(seconds as f32);
        }
        let first = self.out.events.len();
        let mut from = 0;
        while let Some((index, slot)) = self.next_active(from) {
            self.move_slot(index, slot, step, begun);
            from = index + 1;
        }
        self.move_tracks(step, begun);
        if self.out.events.len() > first {
            self.sort_events(first);
            if since < first {
                self.count_events(since, first);
            }
        }
    }

    /// Adds those of the events from `first` on that say the same as one from `since` on to its count: moments at which
    /// nothing came of what was asked do not show.
    fn count_events(&mut self, since: usize, first: usize) {
        let mut kept = first;
        for index in first..self.out.events.len() {
            let Some(event) = self.out.events.get(index).copied() else { break };
            let counts = !matches!(event.kind, EventKind::Finish { .. });
            let mut before = self.out.events.get_mut(since..first).unwrap_or_default().iter_mut();
            match before.find(|other| counts && other.kind == event.kind) {
                Some(other) => other.count = other.count.saturating_add(event.count),
                None => {
                    self.out.events.swap(kept, index);
                    kept += 1;
                }
            }
            self.charge(u32::try_from(first - since).unwrap_or(u32::MAX));
        }
        self.out.events.truncate(kept);
    }

    /// Moves an animation's fade, protection and playhead.
    #[inline]
    fn move_slot(&mut self, index: usize, slot: &Slot, step: u64, begun: f64) {
        let at = slot.at as usize;
        let flags = self.word(at + word::FLAGS);
        let fade = self.word(at + word::FADE);
        if fade != 0 {
            let left = left_after(fade.into(), step) as u32;
            self.put(at + word::FADE, left);
            if left == 0 {
                let target = if flags & play::FADING != 0 { 0.0 } else { slot.weight };
                self.put_number(at + word::WEIGHT, target);
            }
        }
        if slot.protection != NONE {
            let left = self.view().long(slot.protection as usize);
            self.put_long(slot.protection as usize, left_after(left, step));
        }
        if flags & play::ENDED != 0 {
            return;
        }
        if self.view().duration(slot) == 0.0 {
            if slot.loop_mode == LoopMode::None {
                self.put_long(at + word::FRACTION, FAR_END);
                self.finish(index, slot, begun);
            }
            return;
        }
        let pace = self.view().step(slot);
        if pace == 0 {
            return;
        }
        let backward = (self.view().rate(slot) < 0.0) != (flags & play::TURNED != 0);
        if backward != (flags & play::BACKWARD != 0) {
            self.turn(slot, begun);
        }
        let place = self.view().place(slot);
        let from = if backward { FAR_END - place } else { place };
        let way = u128::from(pace) * u128::from(step);
        let trip = Trip::new(slot.loop_mode, from, way, place::tolerance(pace));
        if !slot.marked && trip.is_within() {
            let to = from + way as u64;
            self.put_long(at + word::FRACTION, if backward { FAR_END - to } else { to });
            return;
        }
        let to_end = trip.to_end();
        let clock = Clock::steady(begun, pace, time::seconds(step));
        if self.travel(index, slot, trip, backward, clock, true).0.ended {
            self.finish(index, slot, clock.at(to_end));
        }
    }

    /// Moves a playhead and reports what it passes; gives where it arrived, and how far that was. One that does not
    /// speak reports no cycles.
    pub(super) fn travel(
        &mut self,
        index: usize,
        slot: &Slot,
        mut trip: Trip,
        backward: bool,
        clock: Clock,
        speaks: bool,
    ) -> (Arrival, u64) {
        let at = slot.at as usize;
        let (rows, animation) = (self.rows, slot.animation);
        let asked = trip;
        let mirror = |place: u32| u64::from(if backward { END - place } else { place });
        for (local, (row, marker)) in slot.markers.indices().zip(slot.markers.of(&rows.markers)).enumerate() {
            let place = mirror(self.view().position(slot, marker.at));
            let (Some(passes), Some(marker)) = (asked.passes(Edge::marker(place)), MarkerId::from_index(row))
            else {
                continue;
            };
            trip.settle_on(passes);
            let rank = if place == CYCLE { Rank::End } else { Rank::Start };
            self.passed(index, clock, passes, rank, local, EventKind::Marker { animation, marker });
        }
        for (local, (row, span)) in slot.spans.indices().zip(slot.spans.of(&rows.spans)).enumerate() {
            let (Some((from, to)), Some(span)) = (self.view().edges(slot, span), SpanId::from_index(row))
            else {
                continue;
            };
            let (near, far) = if backward { (mirror(to), mirror(from)) } else { (mirror(from), mirror(to)) };
            if let Some(passes) = asked.passes(Edge { up: near, down: Some(far) }) {
                trip.settle_on(passes);
                self.passed(
                    index,
                    clock,
                    passes,
                    Rank::Begin,
                    local,
                    EventKind::SpanBegin { animation, span },
                );
            }
            if let Some(passes) = asked.passes(Edge { up: far, down: Some(near) }) {
                trip.settle_on(passes);
                self.passed(index, clock, passes, Rank::Leave, local, EventKind::SpanEnd { animation, span });
            }
        }
        let (ends, arrival) = trip.complete();
        if let (Some(ends), true) = (ends, slot.loop_mode != LoopMode::None && speaks) {
            self.passed(index, clock, ends, Rank::Cycle, 0, EventKind::Loop { animation });
        }
        let (place, flags) = arrival.words(backward, self.word(at + word::FLAGS));
        self.put_long(at + word::FRACTION, place);
        self.put(at + word::FLAGS, flags);
        (arrival, trip.distance)
    }

    /// A playhead that does not loop has reached its end: the animation stops by itself.
    fn finish(&mut self, index: usize, slot: &Slot, offset: f64) {
        let at = slot.at as usize;
        let flags = self.word(at + word::FLAGS);
        self.put(at + word::FLAGS, flags | play::ENDED);
        self.put_bit(self.layout.finished, index, true);
        // One that was stopped before has been reported.
        if flags & play::FADING == 0 {
            self.fired = true;
            self.begin_fade_out(slot);
            let kind = EventKind::Finish { animation: slot.animation };
            self.report(index, offset, Rank::Cycle, 0, kind, 1);
        }
    }

    /// The direction changes where the playhead stands: spans are entered and left by their other edges.
    pub(super) fn turn(&mut self, slot: &Slot, begun: f64) {
        let (rows, animation, at) = (self.rows, slot.animation, slot.at as usize + word::FLAGS);
        let flags = self.word(at);
        self.put(at, flags ^ play::BACKWARD);
        for (row, span) in slot.spans.indices().zip(slot.spans.of(&rows.spans)) {
            let (Some(edges), Some(span)) = (self.view().edges(slot, span), SpanId::from_index(row)) else {
                continue;
            };
            let after = self.view().between(slot, edges);
            self.put(at, flags);
            let before = self.view().between(slot, edges);
            self.put(at, flags ^ play::BACKWARD);
            let kind = match (before, after) {
                (true, false) => EventKind::SpanEnd { animation, span },
                (false, true) => EventKind::SpanBegin { animation, span },
                _ => continue,
            };
            self.report(0, begun, Rank::End, 0, kind, 1);
        }
    }

    fn passed(
        &mut self,
        index: usize,
        clock: Clock,
        passes: Passes,
        rank: Rank,
        local: usize,
        kind: EventKind,
    ) {
        let (offset, count) = clock.told(passes);
        self.report(index, offset, rank, local, kind, count);
    }

    pub(super) fn report(
        &mut self,
        index: usize,
        offset: f64,
        rank: Rank,
        local: usize,
        kind: EventKind,
        count: u32,
    ) {
        self.out.push_event(Event {
            offset: (offset as f32).min(self.now),
            kind,
            component: self.out.component,
            count,
            order: 0,
            first: u32::try_from(index).unwrap_or(u32::MAX),
            values: (rank as u32) << 24 | u32::try_from(local).unwrap_or(u32::MAX) & 0xFF_FFFF,
        });
    }

    /// Brings the events of a step into the order of time; at one moment, into that of the contract.
    fn sort_events(&mut self, first: usize) {
        let Some(events) = self.out.events.get_mut(first..) else { return };
        events.sort_unstable_by(|a, b| {
            a.offset.total_cmp(&b.offset).then(a.first.cmp(&b.first)).then(a.values.cmp(&b.values))
        });
        let mut rest = events;
        while let Some(start) = rest.first().map(|event| event.offset) {
            let same =
                rest.iter().take_while(|event| f64::from(event.offset - start) <= SAME_SECONDS).count();
            let (group, later) = rest.split_at_mut(same);
            if group.len() > 1 {
                group.sort_unstable_by(|a, b| {
                    a.first.cmp(&b.first).then(a.offset.total_cmp(&b.offset)).then(a.values.cmp(&b.values))
                });
            }
            for event in group {
                (event.offset, event.first, event.values) = (start, 0, 0);
            }
            rest = later;
        }
    }
}

impl Arrival {
    /// The place and the flags of a playhead that arrived, from what its flags were.
    #[inline]
    pub(super) fn words(&self, backward: bool, flags: u32) -> (u64, u32) {
        let place = if backward { FAR_END - self.place } else { self.place };
        let flags = flags.wrapping_add((self.cycles as u32) << play::CYCLES);
        (place, if self.turned { flags ^ (play::TURNED | play::BACKWARD) } else { flags })
    }
}

/// What is left of so many units after a step. Steps add up: two are the same as one of both.
#[inline]
pub(super) const fn left_after(left: u64, step: u64) -> u64 {
    match left.checked_sub(step) {
        Some(left) if left > SAME_MOMENT => left,
        _ => 0,
    }
}

/// A layer's weight after a step toward its target.
#[inline]
pub(super) fn lerp(weight: f32, target: f32, rate: f32, step: f64) -> f32 {
    let (most, way) = ((f64::from(rate) * step) as f32, target - weight);
    if way.abs() <= most { target } else { weight + most.copysign(way) }
}

/// How a playhead's distances are times.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    /// When its step began, in seconds into the tick.
    pub(super) begun: f64,
    /// Distance a second.
    pub(super) pace: f64,
    pub(super) step: f64,
    /// Where the pace changes within the step; it is the mean then.
    pub(super) curve: Option<Curve>,
}

impl Clock {
    /// For a step of so many seconds in which a unit of time is so long a way.
    pub(super) fn steady(begun: f64, way: u64, step: f64) -> Self {
        Self { begun, pace: way as f64 * (time::SECOND / (1_u64 << 32) as f64), step, curve: None }
    }

    pub(super) fn at(&self, distance: u64) -> f64 {
        let seconds = match &self.curve {
            Some(curve) => curve.seconds(distance as f64 / CYCLE as f64),
            None => distance as f64 / self.pace,
        };
        self.begun + seconds.min(self.step)
    }

    /// When passes are told of, and how many.
    #[inline]
    pub(super) fn told(&self, passes: Passes) -> (f64, u32) {
        (self.at(passes.first), u32::try_from(passes.count).unwrap_or(u32::MAX))
    }
}

/// The order of what one playhead does at one moment.
#[derive(Clone, Copy)]
pub(super) enum Rank {
    /// Markers at the end.
    End,
    /// `Finish` or `Loop`.
    Cycle,
    /// Markers at the start, and elsewhere.
    Start,
    /// Spans that end.
    Leave,
    /// Spans that begin.
    Begin,
}
