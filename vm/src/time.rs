//! Time as the runtime counts it: whole units of 2^-24 s, so that time is added up without error.
//!
//! A tick turns its seconds into units. What is left, counted in 2^-48 s, is kept for the next one: how many units have
//! passed depends on the sum of the ticks alone, not on how it was cut. Nothing here knows instances.

/// Units of a second.
pub(crate) const SECOND: f64 = 16_777_216.0;
/// Units within which things count as simultaneous, 10 us: sixty sixtieths in f32 are not quite 1.
pub(crate) const SAME_MOMENT: u64 = 168;
/// The same in seconds.
pub(crate) const SAME_SECONDS: f64 = SAME_MOMENT as f64 / SECOND;

/// Where what is left of a tick stands in a block's first word: above its flags.
const REST_AT: u32 = 8;
/// Bits of what is left.
const REST_BITS: u32 = 24;
/// From so many seconds on a number has no part of a unit.
const LONG: f32 = 32_768.0;
/// A tick lets no more units pass: twice of that can still be told from never.
const MOST: u64 = 1 << 62;

/// The bits of a block's first word that are not flags.
pub(crate) const REST: u32 = u32::MAX << REST_AT;

/// A block's first word after `dt` seconds, and the units that pass. `dt` is finite and not negative.
#[must_use]
#[inline]
pub(crate) fn pass(first: u32, dt: f32) -> (u32, u64) {
    match parts(dt) {
        Some(parts) => pass_parts(first, parts),
        None => (first, ((f64::from(dt) * SECOND) as u64).min(MOST)),
    }
}

/// The same for 2^-48 s each, of one tick or of several; less than 2^63 of them.
#[must_use]
#[inline]
pub(crate) const fn pass_parts(first: u32, parts: u64) -> (u32, u64) {
    let sum = parts + left(first);
    (first & !REST | (sum as u32) << REST_AT, whole(sum))
}

/// What a block's first word has left of ticks, in 2^-48 s.
#[must_use]
#[inline]
pub(crate) const fn left(first: u32) -> u64 {
    (first >> REST_AT) as u64
}

/// The same of all words of a block.
#[must_use]
#[inline]
pub(crate) fn left_of(words: &[u32]) -> u64 {
    words.first().map_or(0, |first| left(*first))
}

/// The whole units in so many 2^-48 s.
#[must_use]
#[inline]
pub(crate) const fn whole(parts: u64) -> u64 {
    parts >> REST_BITS
}

/// The most parts that are within so many units, from a block's first word on; at most 2^62.
#[must_use]
pub(crate) const fn parts_within(first: u32, units: u64) -> u64 {
    if units >= MOST >> REST_BITS {
        return MOST;
    }
    ((units + 1) << REST_BITS) - 1 - left(first)
}

/// Seconds as parts of 2^-48 s: exact, unless there is less than a unit of them. `None` for those of 2^15 s and more, which
/// are whole units.
#[must_use]
#[inline]
pub(crate) fn parts(dt: f32) -> Option<u64> {
    // By way of a signed number, which is quicker: it is below 2^63.
    (dt < LONG).then(|| (f64::from(dt) * (SECOND * SECOND)) as i64 as u64)
}

/// Seconds as units, to the nearest. The cast saturates.
#[must_use]
pub(crate) fn units(seconds: f64) -> u64 {
    (seconds * SECOND + 0.5) as u64
}

/// Seconds until something is due as units: not before it. The cast saturates; infinity is never.
#[must_use]
pub(crate) fn units_until(seconds: f64) -> u64 {
    libm::ceil(seconds * SECOND) as u64
}

/// Units as seconds.
#[must_use]
#[inline]
pub(crate) fn seconds(units: u64) -> f64 {
    units as f64 / SECOND
}

/// How long the weight of an animation takes to its target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fade {
    /// In units of time.
    pub(crate) units: u32,
    /// The share of it that is a unit; 0 where it takes no time.
    pub(crate) share: f64,
}

impl Fade {
    /// Of a number of seconds that the verifier let pass.
    #[must_use]
    pub(crate) fn of(seconds: f32) -> Self {
        let units = u32::try_from(units(seconds.into())).unwrap_or(u32::MAX);
        Self { units, share: if units == 0 { 0.0 } else { 1.0 / f64::from(units) } }
    }

    /// The weight on the way from `start` to `target` when so many units are left.
    #[inline]
    pub(crate) fn weight(self, start: f32, target: f32, left: u32) -> f32 {
        if left == self.units {
            return start;
        }
        let (start, target) = (f64::from(start), f64::from(target));
        (target + (start - target) * (f64::from(left) * self.share)) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::limits::LONGEST_FADE;

    #[test]
    fn units_depend_on_the_sum_of_ticks_alone() {
        let dts = [1.0 / 60.0, 1e-3, 0.25, 3e-8, 7.0, 1e-6];
        let (mut first, mut units, mut sum) = (5, 0, 0);
        for dt in dts.into_iter().cycle().take(10_001) {
            let passed;
            (first, passed) = pass(first, dt);
            units += passed;
            sum += parts(dt).unwrap_or_default();
        }
        assert_eq!((first, units), pass_parts(5, sum));
        assert_eq!(first & !REST, 5);
    }

    #[test]
    fn a_fade_begins_where_it_begins() {
        for units in 1..5000 {
            let seconds = units as f32 / SECOND as f32 * 256.0;
            let fade = Fade::of(seconds);
            assert_eq!(fade.weight(0.0, 0.7, fade.units), 0.0);
            assert_eq!(fade.weight(0.3, 0.0, fade.units), 0.3);
            assert!((0.0..3e-3).contains(&fade.weight(0.0, 0.7, fade.units - 1)));
        }
    }

    #[test]
    fn seconds_are_exact() {
        assert_eq!(pass(1, 1.0), (1, 1 << 24));
        assert_eq!(pass(1, 0.0), (1, 0));
        assert_eq!(pass(1, f32::EPSILON / 4.0), (1 | 1 << 31, 0));
        assert_eq!(pass(1 | 1 << 31, 32_767.0), (1 | 1 << 31, 32_767 << 24));
        assert_eq!(pass(3, 100_000.0), (3, 100_000 << 24));
        assert_eq!(pass(3, f32::MAX), (3, 1 << 62));
        assert_eq!(Fade::of(LONGEST_FADE).units, 240 << 24);
        assert_eq!(units_until(1.0), 1 << 24);
        assert_eq!(units_until(1e-9), 1);
        assert_eq!(units_until(f64::INFINITY), u64::MAX);
        assert_eq!(seconds(1 << 23), 0.5);
        for (first, units) in [(0, 0), (1 << 31, 0), (u32::MAX, 7), (5, 1 << 37)] {
            let parts = parts_within(first, units);
            assert_eq!(pass_parts(first, parts).1, units);
            assert_eq!(pass_parts(first, parts + 1).1, units + 1);
        }
    }
}
