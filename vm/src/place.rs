//! Places in a clip: 2^-63 of it each, so that ways are added up without error.
//!
//! The upper half of a place is a position, 2^-31 of the clip; in these, places are compared with markers and gates. How
//! playheads travel is in `tick/playhead.rs`.

use crate::time;

/// The end of a clip as a position; 0 is its start.
pub(crate) const END: u32 = 1 << 31;
/// The end of a clip as a place.
pub(crate) const FAR_END: u64 = (END as u64) << 32;
/// The positions that rounding may miss.
pub(crate) const TOLERANCE: u32 = 2;

/// The way of a unit of time, rounded: of a clip of so many seconds at that speed, without direction. A clip without
/// length does not move; the cast saturates at two cycles a unit.
#[must_use]
pub(crate) fn step(speed: f64, duration: f32) -> u64 {
    if duration == 0.0 {
        return 0;
    }
    (speed.abs() / f64::from(duration) * (FAR_END as f64 / time::SECOND) + 0.5) as u64
}

/// The way within which things count as reached, by that of a unit of time: what is due in the same moment is, also where
/// both ends of the way were rounded to positions. Of a cycle that takes not much
/// longer than a moment it is a small part: whenever something is reached early, the playhead runs ahead of its time.
#[must_use]
#[inline]
pub(crate) fn tolerance(step: u64) -> u64 {
    let least = u64::from(TOLERANCE) << 32;
    step.saturating_mul(time::SAME_MOMENT).clamp(least, FAR_END / 64) + least
}

/// A place by its halves, the lower one first.
#[must_use]
#[inline]
pub(crate) const fn join(fraction: u32, position: u32) -> u64 {
    fraction as u64 | (position as u64) << 32
}

/// A place's halves, the lower one first.
#[must_use]
#[inline]
pub(crate) const fn split(place: u64) -> [u32; 2] {
    [place as u32, (place >> 32) as u32]
}

/// The position of a place that was reached in that direction: what is ahead is not counted.
#[must_use]
#[inline]
pub(crate) const fn reached(place: u64, backward: bool) -> u32 {
    (if backward { place.saturating_add(u32::MAX as u64) } else { place } >> 32) as u32
}

/// Seconds from the start of a clip of that many, and the share of it that has gone.
#[must_use]
#[inline]
pub(crate) fn seconds(place: u64, duration: f32) -> (f32, f32) {
    let [_, position] = split(place);
    let share = f64::from(position) / f64::from(END);
    ((share * f64::from(duration)) as f32, share as f32)
}
