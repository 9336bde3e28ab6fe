//! Files that no compiler made, with a checksum that fits. The fuzzers make theirs with this too.

use motix_vm::program::{MAGIC, VERSION, sections};

/// A section: kind, flags, body.
pub(crate) type Part = (u32, u32, Vec<u8>);

/// Puts the right checksum into a changed file; what is too short to hold one stays as it is.
pub(crate) fn repaired(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let (head, rest) = (bytes.get(..12).unwrap_or_default(), bytes.get(20..).unwrap_or_default());
    for byte in head.iter().chain(rest) {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    }
    if let Some(place) = bytes.get_mut(12..20) {
        place.copy_from_slice(&hash.to_le_bytes());
    }
    bytes
}

/// A file of these sections: kind, flags, body.
pub(crate) fn file_of(rows: &[(u32, u32, &[u8])]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.0.to_le_bytes());
    bytes.extend(VERSION.1.to_le_bytes());
    bytes.extend([0; 8]);
    bytes.extend((rows.len() as u32).to_le_bytes());
    let mut offset = 24 + 16 * rows.len();
    for (kind, flags, body) in rows {
        for number in [*kind, *flags, offset as u32, body.len() as u32] {
            bytes.extend(number.to_le_bytes());
        }
        offset += body.len();
    }
    rows.iter().for_each(|(_, _, body)| bytes.extend_from_slice(body));
    repaired(bytes)
}

/// The sections of a good file, for building another.
pub(crate) fn parts(bytes: &[u8]) -> Vec<Part> {
    let sections = sections(bytes).unwrap_or_else(|error| panic!("the file is fine: {error}"));
    sections.iter().map(|row| (row.kind, u32::from(row.required), row.body.to_vec())).collect()
}

pub(crate) fn put_together(parts: &[Part]) -> Vec<u8> {
    let rows: Vec<(u32, u32, &[u8])> = parts.iter().map(|(k, f, body)| (*k, *f, body.as_slice())).collect();
    file_of(&rows)
}

/// The file with a few bytes changed somewhere in its sections; `below` draws a number below another.
pub(crate) fn changed(file: &[u8], changes: usize, below: &mut dyn FnMut(usize) -> usize) -> Vec<u8> {
    let mut parts = parts(file);
    for _ in 0..changes {
        let index = below(parts.len());
        let body = &mut parts[index].2;
        if body.is_empty() {
            continue;
        }
        let at = below(body.len());
        match below(6) {
            0 => body[at] = below(256) as u8,
            1 => body[at] = body[at].wrapping_add(1),
            2 => body[at] = [0, 1, 127, 250, 251, 252, 253, 255][below(8)],
            3 => body.insert(at, below(256) as u8),
            4 => {
                body.remove(at);
            }
            _ => {
                let end = (at + below(12)).min(body.len());
                let copy = body[at..end].to_vec();
                let to = below(body.len());
                body.splice(to..to, copy);
            }
        }
    }
    put_together(&parts)
}
