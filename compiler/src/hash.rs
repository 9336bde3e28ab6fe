//! Hash maps with a fast hash that is the same in every run.
//!
//! Keys are mostly small numbers, and texts of a few letters; those that collide on purpose cost time, not more than
//! the size of a source allows. Nothing iterates over these maps: their order must not show anywhere.

use std::hash::{BuildHasherDefault, Hasher};

/// A map.
pub type HashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<Folded>>;
/// A set.
pub type HashSet<K> = std::collections::HashSet<K, BuildHasherDefault<Folded>>;

/// Multiplies each word into the last and folds the product's halves together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Folded(u64);

/// The golden ratio: its multiples spread most evenly. A factor near 2^64 would undo itself in folding.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Folded {
    fn fold(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ FACTOR.rotate_left(17)) * u128::from(FACTOR);
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.fold(u64::from_le_bytes(*word));
        }
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.fold(u64::from_le_bytes(last));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.fold(value.into());
    }

    fn write_u16(&mut self, value: u16) {
        self.fold(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.fold(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.fold(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.fold(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.fold(value as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, BuildHasherDefault};

    use super::*;

    #[test]
    fn neighbors_spread() {
        let build = BuildHasherDefault::<Folded>::default();
        // Of maps the lowest bits choose the place, the highest seven tell neighbors apart.
        for bits in [0..10, 57..64] {
            let mut seen = HashSet::default();
            for key in 0..1024_u32 {
                seen.insert(build.hash_one(key) >> bits.start & ((1 << bits.len()) - 1));
            }
            assert!(seen.len() * 2 > 1 << bits.len(), "{bits:?}: {}", seen.len());
        }
    }

    #[test]
    fn texts_differ_by_length_and_letters() {
        let build = BuildHasherDefault::<Folded>::default();
        let texts = ["", "a", "b", "aa", "abcdefgh", "abcdefgh\0", "abcdefghi", "ihgfedcba"];
        let hashes: HashSet<u64> = texts.iter().map(|text| build.hash_one(text)).collect();
        assert_eq!(hashes.len(), texts.len());
    }
}
