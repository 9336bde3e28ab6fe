//! The arithmetic of the runtime: the same bits on every platform.
//!
//! Functions come from `libm`, never from the platform; every result is finite (0 where the exact one is not), so
//! that no NaN or infinity ever enters an instance. It knows no types but numbers.

use crate::builtin::Builtin;

/// The number, or 0 where it is NaN or infinite.
#[must_use]
#[inline]
pub fn finite(x: f32) -> f32 {
    if x.is_finite() { x } else { 0.0 }
}

/// An f64 as a finite f32; 0 where it has no such value.
#[inline]
pub(crate) fn narrow(x: f64) -> f32 {
    finite(x as f32)
}

/// A builtin of one to three arguments; those it does not have are ignored.
#[must_use]
pub fn builtin(function: Builtin, a: f32, b: f32, c: f32) -> f32 {
    finite(match function {
        Builtin::Min => a.min(b),
        Builtin::Max => a.max(b),
        Builtin::Mod => modulo(a, b),
        Builtin::Clamp => clamp(a, b, c),
        Builtin::Abs => a.abs(),
        Builtin::Sign => f32::from(i8::from(a > 0.0) - i8::from(a < 0.0)),
        Builtin::Floor => libm::floorf(a),
        Builtin::Ceil => libm::ceilf(a),
        Builtin::Round => libm::roundf(a),
        Builtin::Sqrt => libm::sqrtf(a),
        Builtin::Pow => libm::powf(a, b),
        Builtin::Lerp => a + (b - a) * c,
        Builtin::Smoothstep => smoothstep(a, b, c),
        Builtin::Length => length(a, b, 0.0),
        Builtin::Length3 => length(a, b, c),
        Builtin::Sin => libm::sinf(a),
        Builtin::Cos => libm::cosf(a),
        Builtin::Atan2 => libm::atan2f(a, b),
    })
}

/// The remainder with the sign of the divisor.
fn modulo(a: f32, b: f32) -> f32 {
    if b == 0.0 {
        return 0.0;
    }
    let rest = libm::fmodf(a, b);
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
}

/// Unlike `f32::clamp` it has an answer where the limits cross.
pub(crate) fn clamp(x: f32, low: f32, high: f32) -> f32 {
    x.min(high).max(low)
}

fn smoothstep(low: f32, high: f32, x: f32) -> f32 {
    if x <= low {
        return 0.0;
    }
    if x >= high {
        return 1.0;
    }
    let t = (x - low) / (high - low);
    t * t * (3.0 - 2.0 * t)
}

/// In f64, so that no square overflows.
fn length(x: f32, y: f32, z: f32) -> f32 {
    let (x, y, z) = (f64::from(x), f64::from(y), f64::from(z));
    libm::sqrt(x * x + y * y + z * z) as f32
}

/// The share of a distance that is left behind after `dt` seconds, where it shrinks to 1/e in `time` seconds.
pub(crate) fn decay(dt: f64, time: f32) -> f64 {
    if time <= 0.0 { 1.0 } else { -libm::expm1(-dt / f64::from(time)) }
}

/// A number brought into `min..=max`, then to the nearest `min + k * step` inside the range, halves up.
pub(crate) fn snap(value: f32, min: f32, max: f32, step: f32) -> f32 {
    let value = clamp(value, min, max);
    if step <= 0.0 {
        return value;
    }
    let (low, width) = (f64::from(min), f64::from(step));
    // The limits and the step are rounded themselves: the last step may lie a little beyond `max`.
    let slack = (f64::from(max).abs() + low.abs()) * 1.2e-7 / width + 1e-6;
    let last = libm::floor((f64::from(max) - low) / width + slack);
    let k = libm::floor((f64::from(value) - low) / width + 0.5);
    let snapped = low + k.min(last).max(0.0) * width;
    // A number that is on the grid but for the rounding of `step` itself stays as it was written.
    if (snapped - f64::from(value)).abs() <= width * 1e-6 {
        return value;
    }
    clamp(narrow(snapped), min, max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_finite_whatever_the_arguments() {
        let odd =
            [0.0, -0.0, 1.0, -1.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, f32::from_bits(1), 1e30, -3.5];
        for function in Builtin::ALL {
            for a in odd {
                for b in odd {
                    for c in odd {
                        assert!(builtin(*function, a, b, c).is_finite(), "{function:?}({a}, {b}, {c})");
                    }
                }
            }
        }
    }

    #[test]
    fn functions_do_what_their_rows_say() {
        let at = |function, a, b, c| builtin(function, a, b, c);
        assert_eq!(at(Builtin::Mod, -1.0, 3.0, 0.0), 2.0);
        assert_eq!(at(Builtin::Mod, 1.0, -3.0, 0.0), -2.0);
        assert_eq!(at(Builtin::Mod, 1.0, 0.0, 0.0), 0.0);
        assert_eq!(at(Builtin::Clamp, 5.0, 3.0, 1.0), 3.0);
        assert_eq!(at(Builtin::Round, -2.5, 0.0, 0.0), -3.0);
        assert_eq!(at(Builtin::Sqrt, -4.0, 0.0, 0.0), 0.0);
        assert_eq!(at(Builtin::Length, 3e30, 4e30, 0.0), 5e30);
        assert_eq!(at(Builtin::Length3, 2.0, 3.0, 6.0), 7.0);
        assert_eq!(at(Builtin::Smoothstep, 0.0, 1.0, 0.5), 0.5);
        assert_eq!(at(Builtin::Smoothstep, 1.0, 1.0, 1.0), 0.0);
        assert_eq!(at(Builtin::Pow, -8.0, 0.5, 0.0), 0.0);
        assert_eq!(at(Builtin::Sign, -0.0, 0.0, 0.0), 0.0);
    }

    #[test]
    fn snapping_takes_the_nearest_step_inside_the_range() {
        assert_eq!(snap(7.6, 0.0, 10.0, 0.5), 7.5);
        assert_eq!(snap(12.0, 0.0, 10.0, 0.5), 10.0);
        assert_eq!(snap(1.0, 0.0, 1.0, 0.4), 0.8);
        assert_eq!(snap(0.2, 0.0, 1.0, 0.4), 0.4);
        assert_eq!(snap(-0.2, -1.0, 1.0, 0.4), -0.2);
        assert_eq!(snap(0.3, 0.0, 0.3, 0.1), 0.3);
        assert_eq!(snap(10.0, 0.0, 10.0, 0.1), 10.0);
        assert_eq!(snap(100.3, 99.3, 100.3, 0.1), 100.3);
        assert_eq!(snap(5.0, 0.0, 0.0, 2.0), 0.0);
        assert!(snap(1e38, f32::MIN, f32::MAX, 1e-30).is_finite());
    }
}
