//! Blends: how a motion's weight is spread over its playheads, and the pace that they share.
//!
//! The children of a blend in step go at one pace: a cycle takes the mean of their cycles by weight. The heaviest
//! playhead speaks: its markers, spans and ends are those of the motion. Weights depend on inputs alone, so that they
//! are continuous wherever those are.

use super::Core;
use crate::frame::EventKind;
use crate::ids::{CodeId, MachineId, MotionId};
use crate::instance::track::{bits, row};
use crate::program::tables::{MotionKind, Point, Run, Triangle};
use crate::program::tracks::{NESTING, Track};

/// How a blend weighs its children.
enum Mix {
    /// Those with weight, by their places.
    Few([(usize, f64); 3]),
    /// Each by its expression, times this.
    Direct(f64),
}

impl Mix {
    fn one(place: usize) -> Self {
        Self::Few([(place, 1.0), (0, 0.0), (0, 0.0)])
    }

    fn two(low: usize, high: usize, share: f64) -> Self {
        Self::Few([(low, 1.0 - share), (high, share), (0, 0.0)])
    }
}

/// A walk through the playheads of a motion.
struct Spread<'t> {
    track: &'t Track,
    index: usize,
}

impl Core<'_, '_> {
    /// Gives the current rows their weights and paces. With `announce`, a change of the one that speaks is reported.
    pub(super) fn weigh(&mut self, track: &Track, announce: bool) {
        let Some(motion) = self.view().motion(track) else { return };
        let mut spread = Spread { track, index: 0 };
        self.spread(&mut spread, motion, 1.0, None, 1.0, 0);
        self.choose_speaker(track, announce);
    }

    fn spread(
        &mut self,
        spread: &mut Spread<'_>,
        motion: MotionId,
        share: f64,
        rate: Option<f64>,
        speed: f64,
        depth: usize,
    ) {
        let rows = self.rows;
        let (track, index) = (spread.track, spread.index);
        let Some(kind) = rows.motions.get(motion.index()).map(|row| row.kind) else { return };
        if index >= track.current || depth > NESTING {
            return;
        }
        if let MotionKind::Clip { .. } = kind {
            spread.index += 1;
            let Some(slot) = self.view().live_slot(track, index) else { return };
            // Else its weight and its pace follow from the tables.
            if !track.mixed {
                return;
            }
            let at = track.row(index);
            let pace = match rate {
                Some(rate) => rate,
                None => f64::from(self.own_pace(track.machine, motion, &slot)) * speed,
            };
            let (weight, pace) = (share.clamp(0.0, 1.0) as f32, crate::float::narrow(pace));
            self.shifted |= self.number(at + row::WEIGHT) != weight || self.number(at + row::PACE) != pace;
            self.put_number(at + row::WEIGHT, weight);
            self.put_number(at + row::PACE, pace);
            if depth > 0 {
                self.put(at + row::META, self.word(at + row::META) | bits::BLENDED);
            }
            return;
        }
        let own = self.speed_of(motion, track.machine);
        let (rate, speed) = match (is_synced(kind), rate) {
            (true, None) => (Some(self.cycle_rate(track, motion) * speed), 1.0),
            (true, rate) => (rate, 1.0),
            (false, _) => (None, speed * own),
        };
        let mix = self.mix(kind, track.machine);
        for (place, point) in kind.points().of(&rows.points).iter().enumerate() {
            self.charge(1);
            if self.layout.leaves_of(Some(point.motion)) > 0 && point.motion < motion {
                let weight = self.weight_in(&mix, place, point, track.machine);
                self.spread(spread, point.motion, share * weight, rate, speed, depth + 1);
            }
        }
    }

    fn speed_of(&mut self, motion: MotionId, machine: MachineId) -> f64 {
        let code = self.rows.motions.get(motion.index()).and_then(|row| row.speed);
        code.map_or(1.0, |code| self.number_of(code, machine))
    }

    fn number_of(&mut self, code: CodeId, machine: MachineId) -> f64 {
        f64::from(f32::from_bits(self.eval(code, Some(machine))))
    }

    /// Cycles a second of a blend in step, or of a clip.
    fn cycle_rate(&mut self, track: &Track, motion: MotionId) -> f64 {
        let mut left = usize::from(crate::program::tracks::LEAVES);
        let (seconds, sign) = self.cycle(track, motion, 0, &mut left);
        if seconds > 0.0 && seconds.is_finite() { f64::from(sign) / seconds } else { 0.0 }
    }

    /// The seconds of a motion's cycle, and which way it goes.
    fn cycle(&mut self, track: &Track, motion: MotionId, depth: usize, left: &mut usize) -> (f64, i8) {
        let rows = self.rows;
        let Some(kind) = rows.motions.get(motion.index()).map(|row| row.kind) else { return (0.0, 1) };
        if let MotionKind::Clip { animation, .. } = kind {
            *left = left.saturating_sub(1);
            let Some((_, slot)) = self.view().slot(animation) else { return (0.0, 1) };
            let slot = *slot;
            let duration = f64::from(self.view().duration(&slot));
            let speed = self.speed_of(motion, track.machine) * f64::from(slot.speed);
            let sign = if speed < 0.0 { -1 } else { 1 };
            return (if duration == 0.0 { 0.0 } else { duration / speed.abs() }, sign);
        }
        let mix = self.mix(kind, track.machine);
        let (mut seconds, mut weights, mut way) = (0.0, 0.0, 0.0);
        for (place, point) in kind.points().of(&rows.points).iter().enumerate() {
            self.charge(1);
            if *left == 0 || depth >= NESTING || point.motion >= motion {
                break;
            }
            if self.layout.leaves_of(Some(point.motion)) == 0 {
                continue;
            }
            let weight = self.weight_in(&mix, place, point, track.machine);
            if weight > 0.0 {
                let (own, sign) = self.cycle(track, point.motion, depth + 1, left);
                seconds += weight * own;
                weights += weight;
                way += weight * f64::from(sign);
            }
        }
        let speed = self.speed_of(motion, track.machine);
        let sign = if (way < 0.0) != (speed < 0.0) { -1 } else { 1 };
        (if weights > 0.0 { seconds / weights / speed.abs() } else { 0.0 }, sign)
    }

    fn weight_in(&mut self, mix: &Mix, place: usize, point: &Point, machine: MachineId) -> f64 {
        match mix {
            Mix::Few(few) => few.iter().filter(|(at, _)| *at == place).map(|(_, weight)| weight).sum(),
            Mix::Direct(scale) => {
                point.weight.map_or(0.0, |code| self.number_of(code, machine).clamp(0.0, 1.0)) * scale
            }
        }
    }

    fn mix(&mut self, kind: MotionKind, machine: MachineId) -> Mix {
        let rows = self.rows;
        match kind {
            MotionKind::Blend1D { input, points, .. } => {
                let input = self.number_of(input, machine);
                along(points.of(&rows.points), input, |point| f64::from(point.x))
            }
            MotionKind::Blend2D { x, y, points, triangles, .. } => {
                let at = [self.number_of(x, machine), self.number_of(y, machine)];
                self.charge_rows(triangles.count);
                planar(points.of(&rows.points), triangles, &rows.triangles, at)
            }
            MotionKind::BlendDirect { points, normalize: true, .. } => {
                let mut sum = 0.0;
                for point in points.of(&rows.points) {
                    sum += self.weight_in(&Mix::Direct(1.0), 0, point, machine);
                }
                Mix::Direct(if sum > 1.0 { 1.0 / sum } else { 1.0 })
            }
            _ => Mix::Direct(1.0),
        }
    }

    /// Lets the heaviest current row speak; of equals, the one that does already, else the first.
    fn choose_speaker(&mut self, track: &Track, announce: bool) {
        let before = self.view().lead_index(track);
        let mut best: Option<(usize, f32)> = None;
        for index in 0..track.current {
            if !self.view().row_used(track, index) {
                continue;
            }
            let weight = self.view().own_weight(track, index);
            let heavier = |(_, most): (usize, f32)| weight > most || weight == most && before == Some(index);
            if best.is_none_or(heavier) {
                best = Some((index, weight));
            }
        }
        let best = best.map(|(index, _)| index);
        if best == before {
            return;
        }
        self.shifted = true;
        if let Some(index) = before {
            if let Some(slot) = self.view().live_slot(track, index).filter(|_| announce) {
                self.end_spans(&slot);
            }
            let at = track.row(index) + row::META;
            self.put(at, self.word(at) & !bits::SPEAKS);
        }
        if let Some(index) = best {
            let at = track.row(index) + row::META;
            self.put(at, self.word(at) | bits::SPEAKS);
            if let Some(slot) = self.view().live_slot(track, index).filter(|slot| announce && slot.marked) {
                let animation = slot.animation;
                self.for_spans(&slot, |core, span| core.event(EventKind::SpanBegin { animation, span }));
            }
        }
    }
}

const fn is_synced(kind: MotionKind) -> bool {
    match kind {
        MotionKind::Blend1D { sync, .. }
        | MotionKind::Blend2D { sync, .. }
        | MotionKind::BlendDirect { sync, .. } => sync,
        MotionKind::Clip { .. } | MotionKind::Empty => false,
    }
}

/// The two neighbors of a place among points that ascend; outside, the end one.
fn along(points: &[Point], input: f64, place: impl Fn(&Point) -> f64) -> Mix {
    let above = points.iter().position(|point| place(point) > input);
    match above {
        Some(0) => Mix::one(0),
        None => Mix::one(points.len().saturating_sub(1)),
        Some(high) => {
            let at = |index: usize| points.get(index).map_or(0.0, &place);
            let (from, to) = (at(high - 1), at(high));
            Mix::two(high - 1, high, ((input - from) / (to - from)).clamp(0.0, 1.0))
        }
    }
}

/// Barycentric weights in the triangle around a place; outside all of them, those of the nearest point of an edge.
fn planar(points: &[Point], run: Run, triangles: &[Triangle], at: [f64; 2]) -> Mix {
    let place = |point: &Point| [f64::from(point.x), f64::from(point.y)];
    let triangles = run.of(triangles);
    if triangles.is_empty() {
        let (Some(first), Some(last)) = (points.first().map(place), points.last().map(place)) else {
            return Mix::one(0);
        };
        let line = [last[0] - first[0], last[1] - first[1]];
        let on = |p: [f64; 2]| (p[0] - first[0]) * line[0] + (p[1] - first[1]) * line[1];
        return along(points, on(at), |point| on(place(point)));
    }
    let mut nearest: Option<(f64, Mix)> = None;
    for triangle in triangles {
        let ids = [triangle.a, triangle.b, triangle.c].map(usize::from);
        let [a, b, c] = ids.map(|id| points.get(id).map_or([0.0; 2], place));
        let area = cross(a, b, c);
        let weights = [cross(at, b, c) / area, cross(a, at, c) / area, cross(a, b, at) / area];
        // Far away, rounding takes an edge for the place itself; then they are not parts of 1.
        let whole = (weights.iter().sum::<f64>() - 1.0).abs() < 1e-6;
        if whole && weights.iter().all(|weight| *weight >= 0.0) {
            let [x, y, z] = weights;
            return Mix::Few([(ids[0], x), (ids[1], y), (ids[2], z)]);
        }
        for (from, to, low, high) in [(a, b, ids[0], ids[1]), (b, c, ids[1], ids[2]), (c, a, ids[2], ids[0])]
        {
            let edge = [to[0] - from[0], to[1] - from[1]];
            let length = edge[0] * edge[0] + edge[1] * edge[1];
            let share = ((at[0] - from[0]) * edge[0] + (at[1] - from[1]) * edge[1]) / length;
            let share = share.clamp(0.0, 1.0);
            let away = [from[0] + edge[0] * share - at[0], from[1] + edge[1] * share - at[1]];
            let distance = away[0] * away[0] + away[1] * away[1];
            if nearest.as_ref().is_none_or(|(least, _)| distance < *least) {
                nearest = Some((distance, Mix::two(low, high, share)));
            }
        }
    }
    nearest.map_or(Mix::one(0), |(_, mix)| mix)
}

/// Twice the area of a triangle, positive where it runs counterclockwise.
fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}
