//! Points of the plane: their order, and on which side of a line or circle they lie.
//!
//! All answers are exact for all finite f32, so that the compiler's triangulation, the verifier's checks and the
//! runtime's choice of a triangle never disagree. It knows neither blends nor weights.

use core::cmp::Ordering;

/// The order of points by `x`, then by `y`.
#[must_use]
pub fn order(a: [f32; 2], b: [f32; 2]) -> Ordering {
    let by = |a: f32, b: f32| a.partial_cmp(&b).unwrap_or(Ordering::Equal);
    let ([ax, ay], [bx, by_]) = (a, b);
    by(ax, bx).then(by(ay, by_))
}

/// Where `c` lies, seen from `a` to `b`: `Greater` is left (the three go counterclockwise), `Equal` on the line.
#[must_use]
pub fn turn(a: [f32; 2], b: [f32; 2], c: [f32; 2]) -> Ordering {
    let ([ax, ay], [bx, by], [cx, cy]) = (a.map(f64::from), b.map(f64::from), c.map(f64::from));
    // The determinant, multiplied out: each product of two f32 is exact in f64.
    sign(&[bx * cy, -(bx * ay), -(ax * cy), -(by * cx), by * ax, ay * cx])
}

/// Which of two points is nearer to the origin: `Less` where `a` is.
#[must_use]
pub fn nearer(a: [f32; 2], b: [f32; 2]) -> Ordering {
    let ([ax, ay], [bx, by]) = (a.map(f64::from), b.map(f64::from));
    sign(&[ax * ax, ay * ay, -(bx * bx), -(by * by)])
}

/// Where `d` lies, seen from the circle through `a`, `b` and `c`, which go counterclockwise: `Greater` is inside,
/// `Equal` on the circle.
#[must_use]
pub fn in_circle(a: [f32; 2], b: [f32; 2], c: [f32; 2], d: [f32; 2]) -> Ordering {
    let corners = [a, b, c, d].map(|point| point.map(f64::from));
    if let Some(clear) = circle_at_a_glance(corners) {
        return clear;
    }
    let [a, b, c, d] = corners;
    // The determinant along its column of squares, each multiplied by the area that the other three span.
    let mut terms = [0.0; 96];
    let mut places = terms.iter_mut();
    for (p, [u, v, w], plus) in
        [(a, [b, c, d], true), (b, [a, c, d], false), (c, [a, b, d], true), (d, [a, b, c], false)]
    {
        let (square, rest) = two_sum(p[0] * p[0], p[1] * p[1]);
        let area = [v[0] * w[1], -(v[0] * u[1]), -(u[0] * w[1]), -(v[1] * w[0]), v[1] * u[0], u[1] * w[0]];
        for part in area {
            for factor in [square, rest] {
                let (product, error) = two_product(factor, if plus { part } else { -part });
                for (term, place) in [product, error].into_iter().zip(&mut places) {
                    *place = term;
                }
            }
        }
    }
    sign(&terms)
}

/// The same where rounding cannot change it (Shewchuk's bound).
fn circle_at_a_glance([a, b, c, d]: [[f64; 2]; 4]) -> Option<Ordering> {
    let [a, b, c] = [a, b, c].map(|p| [p[0] - d[0], p[1] - d[1]]);
    let (mut area, mut most) = (0.0, 0.0_f64);
    for (p, q, r) in [(a, b, c), (b, c, a), (c, a, b)] {
        let square = p[0] * p[0] + p[1] * p[1];
        let (one, two) = (q[0] * r[1], q[1] * r[0]);
        area += square * (one - two);
        most += square * (one.abs() + two.abs());
    }
    let bound = most * (16.0 * f64::EPSILON);
    if area > bound {
        Some(Ordering::Greater)
    } else if -area > bound {
        Some(Ordering::Less)
    } else {
        None
    }
}

/// The sign of a sum, exactly; `Greater` for one above 0. At most 96 terms.
fn sign(terms: &[f64]) -> Ordering {
    // The sum of those so far, as numbers that do not overlap and are not 0, the greatest last (Shewchuk's expansions).
    let mut parts = [0.0_f64; 96];
    let mut count = 0;
    for term in terms {
        let mut carry = *term;
        let mut kept = 0;
        for index in 0..count {
            let rest;
            (carry, rest) = two_sum(carry, parts.get(index).copied().unwrap_or(0.0));
            if rest != 0.0
                && let Some(place) = parts.get_mut(kept)
            {
                *place = rest;
                kept += 1;
            }
        }
        if carry != 0.0
            && let Some(place) = parts.get_mut(kept)
        {
            *place = carry;
            kept += 1;
        }
        count = kept;
    }
    let greatest = count.checked_sub(1).and_then(|last| parts.get(last));
    greatest.and_then(|part| part.partial_cmp(&0.0)).unwrap_or(Ordering::Equal)
}

/// The rounded product of two numbers, and what the rounding left out (Dekker's).
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    let rest = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    (product, rest)
}

/// A number as the sum of two with half as many digits.
fn halves(number: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * number;
    let high = scaled - (scaled - number);
    (high, number - high)
}

/// The rounded sum of two numbers, and what the rounding left out.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let rest = sum - a;
    (sum, (a - (sum - rest)) + (b - rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_told() {
        let (a, b) = ([0.0, 0.0], [1.0, 0.0]);
        assert_eq!(turn(a, b, [0.5, 1.0]), Ordering::Greater);
        assert_eq!(turn(a, b, [0.5, -1.0]), Ordering::Less);
        assert_eq!(turn(a, b, [7.0, 0.0]), Ordering::Equal);
        assert_eq!(turn(a, a, [7.0, 3.0]), Ordering::Equal);
    }

    #[test]
    fn the_smallest_step_off_a_line_is_seen_whatever_the_magnitudes() {
        let tiny = f32::from_bits(1);
        assert_eq!(turn([0.0, 0.0], [f32::MAX, f32::MAX], [tiny, tiny]), Ordering::Equal);
        assert_eq!(turn([0.0, 0.0], [f32::MAX, f32::MAX], [tiny, 2.0 * tiny]), Ordering::Greater);
        assert_eq!(turn([tiny, 0.0], [f32::MAX, f32::MAX], [1.0, 1.0]), Ordering::Greater);
        assert_eq!(turn([0.0, tiny], [f32::MAX, f32::MAX], [1.0, 1.0]), Ordering::Less);
        let third = 1.0 / 3.0;
        assert_eq!(turn([0.1, 0.1], [third, third], [0.7, 0.7]), Ordering::Equal);
        assert_eq!(turn([0.1, 0.1], [third, third], [0.7, 0.700_000_05]), Ordering::Greater);
    }

    #[test]
    fn circles_are_told_however_thin() {
        let ring = [[5.0, 0.0], [4.0, 3.0], [-3.0, 4.0]];
        let [a, b, c] = ring;
        for (d, expected) in [
            ([0.0, 0.0], Ordering::Greater),
            ([3.0, -4.0], Ordering::Equal),
            ([-5.0, 0.0], Ordering::Equal),
            ([-5.0, f32::from_bits(1)], Ordering::Less),
            ([-4.999_999_5, 0.0], Ordering::Greater),
            ([9.0, 9.0], Ordering::Less),
            ([f32::MAX, f32::MIN], Ordering::Less),
        ] {
            assert_eq!(in_circle(a, b, c, d), expected, "{d:?}");
            assert_eq!(in_circle(c, a, b, d), expected, "{d:?}");
        }
        // Rectangles of any size have all corners on one circle.
        for (low, high) in [(0.1, 0.3), (-1e30, 7e-12), (f32::MIN, f32::MAX), (1e-38, f32::MAX)] {
            let corners = [[low, 0.7], [high, 0.7], [high, 3.3], [low, 3.3]];
            assert_eq!(
                in_circle(corners[0], corners[1], corners[2], corners[3]),
                Ordering::Equal,
                "{low} {high}"
            );
        }
    }

    #[test]
    fn the_nearer_to_the_origin_is_told() {
        assert_eq!(nearer([3.0, 4.0], [-5.0, 0.0]), Ordering::Equal);
        assert_eq!(nearer([3.0, 4.0], [5.000_000_5, 0.0]), Ordering::Less);
        assert_eq!(nearer([f32::MAX, 0.0], [f32::MAX, f32::from_bits(1)]), Ordering::Less);
    }

    #[test]
    fn the_corners_may_be_turned_around_and_exchanged() {
        let points = [[0.1, 0.2], [0.3, 0.7], [-5.0, 1e-20], [1e20, -0.0], [1e-30, 3.0]];
        for a in points {
            for b in points {
                for c in points {
                    assert_eq!(turn(a, b, c), turn(b, c, a));
                    assert_eq!(turn(a, b, c), turn(b, a, c).reverse());
                }
            }
        }
        assert_eq!(order([0.0, 1.0], [-0.0, 2.0]), Ordering::Less);
        assert_eq!(order([0.0, 1.0], [-0.0, 1.0]), Ordering::Equal);
    }
}
