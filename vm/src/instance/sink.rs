//! What the state of an instance is written to: the bytes of a save, or a hash.
//!
//! Both take the same words and texts in the same order, so that a hash covers what a save holds. What that is, is not
//! here, but in `save.rs` and `reports.rs`.

use alloc::vec::Vec;

/// Takes a state, piece by piece.
pub(super) trait Sink {
    /// Takes some words.
    fn words<const N: usize>(&mut self, words: [u32; N]);

    /// Takes the words of a block.
    fn block(&mut self, first: u32, rest: &[u32]);

    /// Takes a text of the host, or that there is none.
    fn text(&mut self, text: Option<&str>);
}

/// Little endian; of a text its length plus 1 and its bytes, or 0 for none.
impl Sink for Vec<u8> {
    #[inline]
    fn words<const N: usize>(&mut self, words: [u32; N]) {
        self.extend_from_slice(words.map(u32::to_le_bytes).as_flattened());
    }

    #[inline]
    fn block(&mut self, first: u32, rest: &[u32]) {
        let start = self.len();
        self.resize(start + 4 + rest.len() * 4, 0);
        let places = self.get_mut(start..).unwrap_or_default().as_chunks_mut().0;
        if let Some((place, places)) = places.split_first_mut() {
            *place = first.to_le_bytes();
            for (place, word) in places.iter_mut().zip(rest) {
                *place = word.to_le_bytes();
            }
        }
    }

    fn text(&mut self, text: Option<&str>) {
        let length = text.map_or(0, |text| u32::try_from(text.len() + 1).unwrap_or(0));
        self.extend_from_slice(&length.to_le_bytes());
        self.extend_from_slice(text.filter(|_| length > 0).unwrap_or("").as_bytes());
    }
}

/// A hash of 64 bits, the same on every platform and with every compiler.
///
/// Each step can be undone, given the words before it: states of one program that differ in one place never have the
/// same hash. It finds accidents, not malice.
pub(super) struct StateHash(u64);

impl StateHash {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    #[inline]
    fn mix(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }

    #[inline]
    fn all(&mut self, words: &[u32]) {
        let (pairs, rest) = words.as_chunks::<2>();
        for [low, high] in pairs {
            self.mix(u64::from(*low) | u64::from(*high) << 32);
        }
        rest.iter().for_each(|word| self.mix(u64::from(*word)));
    }

    pub(super) fn finish(mut self) -> u64 {
        self.mix(0);
        self.mix(0);
        self.0
    }
}

impl Sink for StateHash {
    #[inline]
    fn words<const N: usize>(&mut self, words: [u32; N]) {
        self.all(&words);
    }

    #[inline]
    fn block(&mut self, first: u32, rest: &[u32]) {
        self.all(&[first]);
        self.all(rest);
    }

    fn text(&mut self, text: Option<&str>) {
        self.mix(text.map_or(0, |text| text.len() as u64 + 1));
        for bytes in text.unwrap_or("").as_bytes().chunks(8) {
            self.mix(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        }
    }
}
