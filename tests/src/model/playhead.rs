//! A playhead of the model: a place on an endless line of passes, and what lies on the way.
//!
//! Everything looks [`NEAR`] ahead: what is due within 10 us is due now. A place that was seen is not seen again.

use super::behavior::{Animation, Loop, Place};

/// What is due within this many seconds is due now.
pub(super) const NEAR: f64 = 1e-5;

/// What lies on the way of a playhead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Passed {
    Finish,
    Loop,
    Marker(usize),
    SpanEnd(usize),
    SpanBegin(usize),
}

/// A playhead.
#[derive(Clone, Debug)]
pub struct Playhead {
    /// Seconds of the clip, never wrapped: pass `k` covers `k * duration .. (k + 1) * duration`.
    pub along: f64,
    /// Up to where things were reported.
    pub seen: f64,
    /// Does not loop and has reached its end.
    pub ended: bool,
    /// Finished cycles.
    pub cycles: f64,
    /// Which spans it is inside.
    pub inside: Vec<bool>,
    /// The stretch that the last step covered, and whether it begins where the playhead started.
    pub window: (f64, f64, bool),
    /// The sign of the last rate that was not 0.
    pub forward: bool,
    /// It turned around, or stopped, where rounding decides what it passed.
    pub unclear: bool,
}

impl Playhead {
    /// One that starts at `place`, running at `rate`; and what lies at its start.
    #[must_use]
    pub fn start(row: &Animation, place: f64, rate: f64) -> (Self, Vec<Passed>) {
        let mut passed = Vec::new();
        for (index, at) in row.markers.iter().enumerate() {
            if (at.seconds(row.duration) - place).abs() < 1e-6 || row.duration == 0.0 {
                passed.push(Passed::Marker(index));
            }
        }
        // In a clip of no length all lie at one time, and still in their order.
        passed.sort_by(|a, b| at(row, *a).total_cmp(&at(row, *b)));
        let mut inside = vec![false; row.spans.len()];
        for (index, (from, to)) in row.spans.iter().enumerate() {
            let (from, to) = (from.seconds(row.duration), to.seconds(row.duration));
            let (from, to) = if rate < 0.0 { (from + 1e-6, to + 1e-6) } else { (from - 1e-6, to - 1e-6) };
            if place >= from && place < to {
                inside[index] = true;
                passed.push(Passed::SpanBegin(index));
            }
        }
        let forward = rate >= 0.0;
        let playhead = Self {
            along: place,
            seen: place,
            ended: false,
            cycles: 0.0,
            inside,
            window: (place, place, true),
            forward,
            unclear: false,
        };
        (playhead, passed)
    }

    /// Moves by so many seconds of the clip; gives what it passed, each with the seconds of the clip that are left
    /// to the playhead behind it (below 0 for what is a little ahead).
    pub fn travel(&mut self, row: &Animation, by: f64, rate: f64) -> Vec<(f64, Passed)> {
        let near = NEAR * rate;
        if by != 0.0 && self.forward != (by > 0.0) {
            self.turn(row, by);
        }
        self.along += by;
        if self.ended || row.duration == 0.0 {
            return self.rest(row);
        }
        let reach = self.along + near;
        let sign = if self.forward { 1.0 } else { -1.0 };
        if (reach - self.seen) * sign <= 0.0 {
            self.window = (self.seen, self.seen, false);
            return Vec::new();
        }
        let mut found = Vec::new();
        let beyond = reach + near;
        let (low, high) = if self.forward { (self.seen, beyond) } else { (beyond, self.seen) };
        let duration = row.duration;
        let mut pass = (low / duration).floor() - 1.0;
        while pass * duration <= high {
            if row.mode != Loop::Once || pass == 0.0 {
                self.pass(row, pass, sign, &mut found);
            }
            pass += 1.0;
        }
        let (seen, along) = (self.seen, self.along);
        // Rounding decides whether it is passed in this step.
        self.unclear |= found.iter().any(|(at, _, _)| (at - reach).abs() < 0.7 * near.abs());
        found.retain(|(at, _, _)| (at - seen) * sign > 0.0 && (reach - at) * sign >= 0.0);
        found.sort_by(|a, b| {
            let place = |at: f64| (at * sign * 1e6).round();
            place(a.0).total_cmp(&place(b.0)).then(a.1.cmp(&b.1))
        });
        self.window = (seen, reach, false);
        self.seen = reach;
        let mut passed = Vec::new();
        let mut behind = f64::INFINITY;
        for (at, _, what) in found {
            match what {
                Passed::Finish => {
                    self.ended = true;
                    self.along = at;
                }
                Passed::Loop => self.cycles += 1.0,
                Passed::SpanBegin(index) if self.inside[index] => continue,
                Passed::SpanBegin(index) => self.inside[index] = true,
                Passed::SpanEnd(index) if !self.inside[index] => continue,
                Passed::SpanEnd(index) => self.inside[index] = false,
                Passed::Marker(_) => {}
            }
            // In this order, whatever the rounding of their places.
            behind = behind.min((along - at) * sign);
            passed.push((behind, what));
        }
        passed
    }

    /// Goes to a place at once, and gives what lies on the way. It neither ends nor begins another cycle.
    pub fn scrub(&mut self, row: &Animation, to: f64) -> Vec<Passed> {
        let from = self.along;
        self.unclear = false;
        if to == from || row.duration == 0.0 {
            self.along = to;
            return Vec::new();
        }
        let (forward, mut passed) = (to > from, Vec::new());
        let inside = |from: f64, to: f64, place: f64| {
            if forward { from <= place && place < to } else { from < place && place <= to }
        };
        let mut found = Vec::new();
        let between =
            |place: f64| if forward { from < place && place <= to } else { to <= place && place < from };
        for (index, place) in row.markers.iter().enumerate() {
            found.push((place.seconds(row.duration), 0, Passed::Marker(index)));
        }
        for (index, (low, high)) in row.spans.iter().enumerate() {
            let (low, high) = (low.seconds(row.duration), high.seconds(row.duration));
            // Turned around where it stands, it is seen from the other side.
            let now = inside(low, high, from);
            if now != self.inside[index] {
                passed.push(if now { Passed::SpanBegin(index) } else { Passed::SpanEnd(index) });
            }
            let (first, last) = if forward { (low, high) } else { (high, low) };
            found.push((last, 1, Passed::SpanEnd(index)));
            found.push((first, 2, Passed::SpanBegin(index)));
            self.inside[index] = inside(low, high, to);
        }
        let ends = [0.0, row.duration];
        self.unclear = found.iter().any(|(place, ..)| (place - to).abs() < 1e-6 && !ends.contains(place));
        found.retain(|(place, ..)| between(*place));
        let way = |place: f64| if forward { place } else { -place };
        found.sort_by(|a, b| way(a.0).total_cmp(&way(b.0)).then(a.1.cmp(&b.1)));
        passed.extend(found.into_iter().map(|(_, _, what)| what));
        (self.along, self.seen, self.forward) = (to, to, forward);
        passed
    }

    /// Goes the way of `rate` from now on; what lies where it stands was passed.
    pub fn turn(&mut self, row: &Animation, rate: f64) {
        self.forward = rate > 0.0;
        self.unclear = self.lies_near(row);
        self.window = (self.seen, self.seen, false);
    }

    /// Whether an end, a marker or the edge of a span is so near that rounding decides whether it was passed.
    pub fn lies_near(&self, row: &Animation) -> bool {
        self.away(row).any(|away| away < 10.0 * NEAR)
    }

    /// Whether it is so short before one of them that it counts as passed.
    pub fn is_about_to_pass(&self, row: &Animation) -> bool {
        self.away(row).any(|away| away > 1e-9 && away < 4.0 * NEAR)
    }

    /// How far the ends, markers and edges of spans are.
    fn away(&self, row: &Animation) -> impl Iterator<Item = f64> {
        let (time, duration) = (self.time(row), row.duration);
        let edges = row.spans.iter().flat_map(|(from, to)| [*from, *to]).chain(row.markers.iter().copied());
        let places = edges.map(move |place| place.seconds(duration)).chain([0.0, duration]);
        places.map(move |place| (place - time).abs())
    }

    /// A clip of no length that does not loop ends at once.
    fn rest(&mut self, row: &Animation) -> Vec<(f64, Passed)> {
        self.window = (self.seen, self.seen, false);
        if self.ended || row.mode != Loop::Once {
            return Vec::new();
        }
        self.ended = true;
        vec![(0.0, Passed::Finish)]
    }

    /// What lies in one pass: place on the line, order at one place, what it is.
    fn pass(&self, row: &Animation, pass: f64, sign: f64, found: &mut Vec<(f64, u8, Passed)>) {
        let duration = row.duration;
        // Which way the clip runs in this pass, seen in the direction of play.
        let mirrored = row.mode == Loop::PingPong && pass.rem_euclid(2.0) == 1.0;
        let ahead = (sign > 0.0) != mirrored;
        let line = |place: f64| pass * duration + if mirrored { duration - place } else { place };
        // Where the direction of play enters this pass, and where it leaves it.
        let (enter, leave) = if sign > 0.0 {
            (pass * duration, (pass + 1.0) * duration)
        } else {
            ((pass + 1.0) * duration, pass * duration)
        };
        let at = |place: f64, other: f64| (place - other).abs() < 1e-6;
        for (index, place) in row.markers.iter().enumerate() {
            let place = line(place.seconds(duration));
            // A turn is one place, not two.
            if at(place, enter) && row.mode == Loop::PingPong {
                continue;
            }
            let order = if at(place, leave) { 0 } else { 2 };
            found.push((place, order, Passed::Marker(index)));
        }
        for (index, (from, to)) in row.spans.iter().enumerate() {
            let (first, last) = if ahead { (from, to) } else { (to, from) };
            found.push((line(last.seconds(duration)), 3, Passed::SpanEnd(index)));
            found.push((line(first.seconds(duration)), 4, Passed::SpanBegin(index)));
        }
        let end = if row.mode == Loop::Once { Passed::Finish } else { Passed::Loop };
        found.push((leave, 1, end));
    }

    /// Seconds from the start of the clip.
    #[must_use]
    pub fn time(&self, row: &Animation) -> f64 {
        let duration = row.duration;
        if duration == 0.0 {
            return 0.0;
        }
        match row.mode {
            Loop::Once => self.along.clamp(0.0, duration),
            Loop::Loop => self.along.rem_euclid(duration),
            Loop::PingPong => {
                let turn = self.along.rem_euclid(2.0 * duration);
                if turn > duration { 2.0 * duration - turn } else { turn }
            }
        }
    }

    /// The share of the current cycle that is done, in the direction of play.
    #[must_use]
    pub fn phase(&self, row: &Animation) -> f64 {
        if row.duration == 0.0 {
            return f64::from(row.mode == Loop::Once);
        }
        if self.ended {
            return 1.0;
        }
        (self.done(row, self.along) / row.duration).rem_euclid(1.0)
    }

    /// The phase; 0 from the moment at which another cycle was reported.
    #[must_use]
    pub fn cycle_seen(&self, row: &Animation) -> f64 {
        let pass = |along: f64| (self.done(row, along) / row.duration).floor();
        if row.mode != Loop::Once && pass(self.seen) > pass(self.along) { 0.0 } else { self.phase(row) }
    }

    /// How far ahead on the line a gate at `share` of the cycle lies: of one that loops, the next that was not seen.
    #[must_use]
    pub fn distance(&self, row: &Animation, share: f64) -> f64 {
        let ahead = share * row.duration - self.done(row, self.seen);
        let early = self.done(row, self.seen) - self.done(row, self.along);
        if row.mode == Loop::Once {
            return ahead + early;
        }
        let ahead = ahead.rem_euclid(row.duration);
        early + if ahead < 1e-9 { row.duration } else { ahead }
    }

    /// Whether one that does not loop has passed `share`.
    #[must_use]
    pub fn beyond(&self, row: &Animation, share: f64) -> bool {
        self.ended || self.done(row, self.seen) + 1e-9 >= share * row.duration
    }

    /// Whether it had passed `share` before the last step.
    #[must_use]
    pub fn was_beyond(&self, row: &Animation, share: f64) -> bool {
        let ended = self.ended && self.window.0 == self.window.1;
        ended || self.done(row, self.window.0) + 1e-9 >= share * row.duration
    }

    /// The share of a cycle that the last step covered.
    #[must_use]
    pub fn stretch(&self, row: &Animation) -> f64 {
        (self.window.1 - self.window.0).abs() / row.duration
    }

    /// Seconds of the clip from where play begins to a place on the line, in the direction of play.
    fn done(&self, row: &Animation, along: f64) -> f64 {
        if self.forward { along } else { row.duration - along }
    }

    /// Whether the last step passed `share` of a cycle; the start counts for a gate at the very start.
    #[must_use]
    pub fn just_passed(&self, row: &Animation, share: f64) -> bool {
        let duration = row.duration;
        let (low, high, fresh) = self.window;
        let (low, high) = if self.forward { (low, high) } else { (duration - low, duration - high) };
        let first = share * duration;
        // Of a long step only the end is now.
        let now = self.done(row, self.along);
        let low = if fresh { low } else { low.max(now - 2.0 * (high - now)) };
        let mut place = first + ((low - first) / duration).floor() * duration;
        while place <= high + 1e-9 {
            let starts = fresh && share < 1.0 && (place - low).abs() < 1e-9;
            if place > low + 1e-9 && place <= high || starts {
                return true;
            }
            place += duration;
        }
        false
    }
}

/// The place of a marker, as it was written.
fn at(row: &Animation, what: Passed) -> f64 {
    let Passed::Marker(index) = what else { return 0.0 };
    row.markers.get(index).map_or(0.0, |place| place.seconds(1.0))
}

/// The share of a cycle at which an `ExitTime` lies.
#[must_use]
pub(super) fn share(row: &Animation, place: Place) -> f64 {
    match place {
        Place::Share(share) => share,
        Place::Seconds(seconds) if row.duration > 0.0 => seconds / row.duration,
        Place::Seconds(_) => 0.0,
    }
}
