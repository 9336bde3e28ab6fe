//! The random numbers of an instance: PCG-XSH-RR, 64 bits of state that live in the instance's block.
//!
//! The same seed gives the same numbers on every platform. It is not for secrets.

use crate::program::Fnv;

/// The state after a seed; every seed starts elsewhere.
pub(crate) fn seed(seed: u64) -> u64 {
    // SplitMix64, so that neighbouring seeds have nothing in common.
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The seed of a component with that name, inside of what has a seed.
pub(crate) fn seed_of(outer: u64, name: &str) -> u64 {
    let mut hash = Fnv::new();
    hash.write(name.as_bytes());
    seed(outer ^ hash.0)
}

/// A number in `[0, 1)`, and the state after it.
pub(crate) fn next(state: u64) -> (f32, u64) {
    let after = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let mixed = (((state >> 18) ^ state) >> 27) as u32;
    let bits = mixed.rotate_right((state >> 59) as u32);
    ((bits >> 8) as f32 / 16_777_216.0, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_over_the_unit_range() {
        let mut state = seed(7);
        let mut buckets = [0_u32; 10];
        for _ in 0..10_000 {
            let (number, after) = next(state);
            assert!((0.0..1.0).contains(&number));
            state = after;
            if let Some(bucket) = buckets.get_mut((number * 10.0) as usize) {
                *bucket += 1;
            }
        }
        assert!(buckets.iter().all(|count| (900..1100).contains(count)), "{buckets:?}");
    }

    #[test]
    fn neighbouring_seeds_differ_at_once() {
        assert_ne!(next(seed(0)).0, next(seed(1)).0);
    }
}
