//! The ways of playheads that are in step while a fade changes their pace.
//!
//! The pace of all goes along the fade's curve from that of the ones that fade out to that of the current one; the way is
//! its integral. Where these two go in opposite directions, the way turns around: a step goes no farther than that, so
//! that within it a way has one direction. Nothing here knows instances.

use crate::easing::Easing;
use crate::time::SAME_SECONDS;

/// A rate in cycles a second: `out` without the fade's target, `current` with nothing but it.
#[derive(Clone, Copy)]
pub(super) struct Rate {
    pub(super) out: f64,
    pub(super) current: f64,
    /// It changes from one to the other along the fade.
    pub(super) blends: bool,
}

impl Rate {
    /// Whether it changes its direction on the way.
    pub(super) fn turns(self) -> bool {
        self.blends && (self.out < 0.0 && self.current > 0.0 || self.out > 0.0 && self.current < 0.0)
    }
}

/// The part of a fade's curve that is still to come.
#[derive(Clone, Copy)]
pub(super) struct Rest {
    pub(super) easing: Easing,
    pub(super) left: f64,
    pub(super) duration: f64,
}

impl Rest {
    /// How much of the fade's time is over.
    fn from(&self) -> f64 {
        (self.duration - self.left) / self.duration
    }

    /// The integral of progress over the next seconds; not beyond the fade's end.
    fn progress(&self, seconds: f64) -> f64 {
        let from = self.from();
        let to = (from + seconds / self.duration).min(1.0);
        (area(self.easing, to) - area(self.easing, from)) * self.duration
    }
}

/// The way of a row whose rate changes along a fade.
#[derive(Clone, Copy)]
pub(super) struct Curve {
    rate: Rate,
    rest: Rest,
    /// 1 or -1, the sign of its rate; 0 where it stands.
    sign: f64,
    /// The seconds for which it goes that way: until it turns around, or the fade ends.
    leg: f64,
}

impl Curve {
    pub(super) fn new(rate: Rate, rest: Rest) -> Self {
        if !rate.turns() {
            let sign = sign_of(rate.out + rate.current);
            return Self { rate, rest, sign, leg: rest.left };
        }
        let at = |t: f64| sign_of(rate.out + (rate.current - rate.out) * progress(rest.easing, t));
        // Where it has just turned around, rounding does not turn it back.
        let mut from = rest.from() + SAME_SECONDS.min(rest.left / 2.0) / rest.duration;
        let mut sign = at(from);
        let mut slice = slice_of(from);
        while slice < SLICES {
            slice += 1;
            let to = f64::from(slice) / f64::from(SLICES);
            let now = at(to);
            if sign * now < 0.0 {
                let turn = bisect(from, to, |t| at(t) == now);
                return Self { rate, rest, sign, leg: (turn - rest.from()) * rest.duration };
            }
            if sign == 0.0 {
                sign = now;
            }
            from = to;
        }
        Self { rate, rest, sign, leg: rest.left }
    }

    /// The cycles that it goes in a step that does not lead beyond its turn, in the direction of its way.
    pub(super) fn way(&self, step: f64) -> f64 {
        let way = self.rate.out * step + (self.rate.current - self.rate.out) * self.rest.progress(step);
        (way * self.sign).max(0.0)
    }

    /// The seconds in which it goes so many cycles; infinite where it does not before it turns or the fade ends.
    pub(super) fn seconds(&self, cycles: f64) -> f64 {
        if self.way(self.leg) < cycles {
            return f64::INFINITY;
        }
        bisect(0.0, self.leg, |middle| self.way(middle) >= cycles)
    }

    /// Whether it goes backward; `None` where it stands.
    pub(super) fn heading(&self) -> Option<bool> {
        (self.sign != 0.0).then_some(self.sign < 0.0)
    }

    /// The seconds until it turns around; infinite where it does not within the fade.
    pub(super) fn turn(&self) -> f64 {
        if self.leg < self.rest.left { self.leg } else { f64::INFINITY }
    }
}

fn sign_of(rate: f64) -> f64 {
    if rate == 0.0 { 0.0 } else { 1.0_f64.copysign(rate) }
}

/// The first place between two at which something holds that does at the second, as far as f64 can tell.
fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..BISECTIONS {
        let middle = (low + high) / 2.0;
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// Enough to tell times in a fade apart as far as f64 does.
const BISECTIONS: usize = 50;
/// The slices in which the area under a curve is measured, and in which a turn is looked for.
const SLICES: u16 = 128;

/// The last slice that begins not after `t`.
fn slice_of(t: f64) -> u16 {
    libm::floor(t * f64::from(SLICES)).min(f64::from(SLICES)) as u16
}

fn progress(easing: Easing, t: f64) -> f64 {
    f64::from(easing.at(t as f32).clamp(0.0, 1.0))
}

/// The area under an easing from 0 to `t`, the same way whatever steps lead there.
fn area(easing: Easing, t: f64) -> f64 {
    match easing {
        Easing::Linear => t * t / 2.0,
        Easing::Steps(count) => {
            let count = f64::from(count);
            let done = libm::floor(t * count);
            done * (done - 1.0) / (2.0 * count * count) + done / count * (t - done / count)
        }
        _ => {
            let width = 1.0 / f64::from(SLICES);
            let whole = slice_of(t);
            let mut sum = 0.0;
            let mut low = progress(easing, 0.0);
            for slice in 0..whole {
                let high = progress(easing, f64::from(slice + 1) * width);
                sum += (low + high) / 2.0 * width;
                low = high;
            }
            let begun = f64::from(whole) * width;
            sum + (low + progress(easing, t)) / 2.0 * (t - begun).max(0.0)
        }
    }
}
