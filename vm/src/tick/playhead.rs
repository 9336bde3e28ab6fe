//! How a playhead travels: exact integer arithmetic over any distance, whatever it passes on the way.
//!
//! A trip is seen as forward from 0 to the end, a backward one in the mirror, in positions: 2^-31 of a clip. What is
//! left of its way, a fraction of a position, is carried along: it belongs to where it ends. Each
//! place of the clip is passed at distances that form one or two arithmetic sequences, so that a thousand cycles
//! cost as much as one. Nothing here knows instances or events.

use crate::place::{self, END, FAR_END};
use crate::program::tables::LoopMode;

/// The end as a distance.
pub(super) const CYCLE: u64 = END as u64;
/// The farthest a playhead goes in a step: beyond any count that could be told apart.
pub(super) const FAR: u64 = 1 << 62;

/// A trip of a playhead within a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trip {
    pub(super) mode: LoopMode,
    /// Where it starts, 0 to [`CYCLE`], in the direction of travel.
    pub(super) here: u64,
    /// How far it goes.
    pub(super) distance: u64,
    /// And so many parts of a position more.
    pub(super) fraction: u32,
    /// How far beyond that things count as reached.
    pub(super) tolerance: u64,
}

/// Passes of one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passes {
    /// The distance of the first.
    pub(super) first: u64,
    /// The distance of the last.
    pub(super) last: u64,
    /// How many.
    pub(super) count: u64,
}

/// Where a trip ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Arrival {
    /// The place, in the direction in which the trip began.
    pub(super) place: u64,
    /// Ends of cycles that were passed.
    pub(super) cycles: u64,
    /// The direction has turned.
    pub(super) turned: bool,
    /// It stands at the end and does not loop.
    pub(super) ended: bool,
}

/// The crossings with which a span begins or ends, or a marker is passed: going up at one place, coming back at
/// another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The place passed going forward.
    pub(super) up: u64,
    /// The place passed coming back in `pingPong`; `None` where that is the same pass.
    pub(super) down: Option<u64>,
}

impl Edge {
    /// A marker: at an end of the clip, both directions are one pass.
    pub(super) fn marker(place: u64) -> Self {
        Self { up: place, down: (place != 0 && place != CYCLE).then_some(place) }
    }
}

impl Trip {
    /// From a place in the direction of travel, so far, with what counts as reached beyond; all in places.
    #[inline]
    pub(super) fn new(mode: LoopMode, from: u64, way: u128, tolerance: u64) -> Self {
        let [fraction, here] = place::split(from);
        let to = way.saturating_add(fraction.into());
        Self {
            mode,
            here: here.into(),
            distance: u64::try_from(to >> 32).unwrap_or(FAR).min(FAR),
            fraction: to as u32,
            tolerance: tolerance >> 32,
        }
    }

    fn reach(self) -> u64 {
        let reach = self.distance.saturating_add(self.tolerance);
        if self.mode == LoopMode::None { reach.min(self.to_end()) } else { reach }
    }

    /// Whether it does not come to the end.
    pub(super) fn is_within(self) -> bool {
        self.distance.saturating_add(self.tolerance) < self.to_end()
    }

    /// The distance to the end of this pass.
    pub(super) fn to_end(self) -> u64 {
        CYCLE.saturating_sub(self.here)
    }

    fn sequence(&self, first: u64, period: u64) -> Option<Passes> {
        let rest = self.reach().checked_sub(first)?;
        let more = if self.mode == LoopMode::None { 0 } else { rest / period };
        Some(Passes { first, last: first + more * period, count: more + 1 })
    }

    /// The passes of an edge.
    pub(super) fn passes(&self, edge: Edge) -> Option<Passes> {
        let period = if self.mode == LoopMode::PingPong { 2 * CYCLE } else { CYCLE };
        let up = if edge.up > self.here {
            self.sequence(edge.up - self.here, period)
        } else if self.mode == LoopMode::None {
            None
        } else {
            self.sequence(edge.up + period - self.here, period)
        };
        let down = match edge.down {
            Some(down) if self.mode == LoopMode::PingPong => {
                self.sequence(2 * CYCLE - self.here - down, 2 * CYCLE)
            }
            _ => None,
        };
        match (up, down) {
            (Some(up), Some(down)) => Some(Passes {
                first: up.first.min(down.first),
                last: up.last.max(down.last),
                count: up.count + down.count,
            }),
            (up, down) => up.or(down),
        }
    }

    /// A position that is reached, with the fraction beyond it, as a place.
    fn place(self, position: u64) -> u64 {
        place::join(self.fraction, u32::try_from(position).unwrap_or(END)).min(FAR_END)
    }

    /// The passes of the end of a cycle.
    pub(super) fn ends(&self) -> Option<Passes> {
        self.sequence(self.to_end(), CYCLE)
    }

    /// Lengthens the trip, within the tolerance, to a place that counts as reached: it is not to be passed again.
    pub(super) fn settle_on(&mut self, passes: Passes) {
        if passes.last > self.distance {
            self.tolerance = self.tolerance.saturating_sub(passes.last - self.distance);
            (self.distance, self.fraction) = (passes.last, 0);
        }
    }

    /// Where the trip ends, and the ends of cycles that it passes on the way.
    #[inline]
    pub(super) fn complete(&mut self) -> (Option<Passes>, Arrival) {
        let ends = self.ends();
        if let Some(ends) = ends {
            self.settle_on(ends);
        }
        (ends, self.arrive())
    }

    /// Where the trip ends, everything that counts as reached being settled.
    pub(super) fn arrive(&self) -> Arrival {
        let Some(ends) = self.ends() else {
            return Arrival {
                place: self.place(self.here + self.distance),
                cycles: 0,
                turned: false,
                ended: false,
            };
        };
        if self.mode == LoopMode::None {
            return Arrival { place: FAR_END, cycles: 0, turned: false, ended: true };
        }
        let rest = self.place(self.distance.saturating_sub(ends.last));
        let turned = self.mode == LoopMode::PingPong && ends.count % 2 == 1;
        Arrival {
            place: if turned { FAR_END - rest } else { rest },
            cycles: ends.count,
            turned,
            ended: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trip(mode: LoopMode, here: u64, distance: u64) -> Trip {
        Trip { mode, here, distance, fraction: 0, tolerance: 0 }
    }

    #[test]
    fn a_loop_passes_a_place_once_a_cycle() {
        let trip = trip(LoopMode::Loop, CYCLE / 4, 3 * CYCLE);
        let passes = trip.passes(Edge::marker(CYCLE / 2)).map(|passes| (passes.first, passes.count));
        assert_eq!(passes, Some((CYCLE / 4, 3)));
        assert_eq!(trip.arrive(), Arrival { place: FAR_END / 4, cycles: 3, turned: false, ended: false });
    }

    #[test]
    fn ping_pong_passes_a_place_twice_and_an_end_once() {
        let trip = trip(LoopMode::PingPong, 0, 2 * CYCLE);
        let count = |place| trip.passes(Edge::marker(place)).map(|passes| passes.count);
        assert_eq!(count(CYCLE / 4), Some(2));
        assert_eq!(count(CYCLE), Some(1));
        assert_eq!(count(0), Some(1));
        assert_eq!(trip.arrive(), Arrival { place: 0, cycles: 2, turned: false, ended: false });
    }

    #[test]
    fn ping_pong_turns() {
        let arrival = trip(LoopMode::PingPong, CYCLE / 2, CYCLE).arrive();
        assert_eq!(arrival, Arrival { place: FAR_END / 2, cycles: 1, turned: true, ended: false });
    }

    #[test]
    fn what_does_not_loop_stays_at_its_end() {
        let trip = trip(LoopMode::None, CYCLE / 2, 5 * CYCLE);
        assert_eq!(trip.arrive(), Arrival { place: FAR_END, cycles: 0, turned: false, ended: true });
        assert_eq!(trip.passes(Edge::marker(CYCLE)).map(|passes| passes.count), Some(1));
        assert_eq!(trip.passes(Edge::marker(CYCLE / 4)), None);
    }

    #[test]
    fn a_split_trip_passes_what_the_whole_one_does() {
        for mode in [LoopMode::None, LoopMode::Loop, LoopMode::PingPong] {
            for place in [0, 1, CYCLE / 3, CYCLE - 1, CYCLE] {
                let whole = trip(mode, 7, 5 * CYCLE).passes(Edge::marker(place)).map_or(0, |p| p.count);
                let (mut here, mut mirrored, mut count) = (7, false, 0);
                for _ in 0..80 {
                    let seen = if mirrored { CYCLE - place } else { place };
                    let part = trip(mode, here, CYCLE / 16);
                    count += part.passes(Edge::marker(seen)).map_or(0, |passes| passes.count);
                    let arrival = part.arrive();
                    if arrival.ended {
                        break;
                    }
                    mirrored ^= arrival.turned;
                    let place = if arrival.turned { FAR_END - arrival.place } else { arrival.place };
                    here = place >> 32;
                }
                assert_eq!(count, whole, "{mode:?} {place}");
            }
        }
    }

    #[test]
    fn distances_beyond_measure_do_not_overflow() {
        let far = Trip::new(LoopMode::PingPong, 1, u128::MAX >> 1, u64::MAX);
        assert!(far.passes(Edge::marker(5)).is_some());
        assert!(far.arrive().place <= FAR_END);
    }
}
