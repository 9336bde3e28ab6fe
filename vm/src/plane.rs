//! Points of the plane: their order, and on which side of a line they lie.
//!
//! Both answers are exact for all finite f32, so that the compiler's triangulation, the verifier's checks and the
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
    let products = [bx * cy, -(bx * ay), -(ax * cy), -(by * cx), by * ax, ay * cx];
    // Their exact sum, as numbers that do not overlap, the greatest last (Shewchuk's expansions).
    let mut parts = [0.0_f64; 6];
    for (count, product) in products.into_iter().enumerate() {
        let mut carry = product;
        for part in parts.iter_mut().take(count) {
            (carry, *part) = two_sum(carry, *part);
        }
        if let Some(last) = parts.get_mut(count) {
            *last = carry;
        }
    }
    let greatest = parts.iter().rev().find(|part| **part != 0.0);
    greatest.and_then(|part| part.partial_cmp(&0.0)).unwrap_or(Ordering::Equal)
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
