//! Seeded changes of a good file: the same in every run.

use crate::container::{parts, put_together};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % below.max(1) as u64) as usize
    }
}

/// The file with a few bytes changed somewhere in its sections, and a checksum that fits.
pub(crate) fn changed(file: &[u8], random: &mut Random) -> Vec<u8> {
    let mut parts = parts(file);
    for _ in 0..=random.below(3) {
        let index = random.below(parts.len());
        let body = &mut parts[index].2;
        let at = random.below(body.len());
        match random.below(6) {
            0 => body[at] = random.below(256) as u8,
            1 => body[at] = body[at].wrapping_add(1),
            2 => body[at] = [0, 1, 127, 250, 251, 252, 253, 255][random.below(8)],
            3 => body.insert(at, random.below(256) as u8),
            4 => {
                body.remove(at);
            }
            _ => {
                let end = (at + random.below(12)).min(body.len());
                let copy = body[at..end].to_vec();
                let to = random.below(body.len());
                body.splice(to..to, copy);
            }
        }
    }
    put_together(&parts)
}
