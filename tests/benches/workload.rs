//! What the players of the benchmarks' humanoids do: everybody moves at first, then 2 % of them change their minds in
//! each frame.
//!
//! What an instance is told in a frame depends on nothing but the two numbers, so that machines in other processes and
//! other languages, and fewer instances of them, are told the same. Nothing is imported: other packages take this file
//! as it is.

/// Seconds a frame.
pub(crate) const DT: f32 = 1.0 / 60.0;

/// Frames that are not measured: caches fill, everybody starts to move.
pub(crate) const WARM_UP: usize = 20;

/// How fast a player wants to move, and at what speed.
pub(crate) const INPUTS: [(f32, f32); 3] = [(0.0, 16.0), (1.0, 16.0), (1.0, 20.0)];

/// The instances that are told something in this frame, and what.
pub(crate) fn inputs(frame: usize, instances: usize) -> Vec<(usize, (f32, f32))> {
    let share = if frame < WARM_UP / 2 { 1 } else { 50 };
    (0..instances)
        .filter_map(|index| {
            let draw = mixed((frame as u64) << 32 | index as u64);
            draw.is_multiple_of(share).then(|| (index, INPUTS[(draw >> 32) as usize % INPUTS.len()]))
        })
        .collect()
}

/// The number's bits, well mixed (splitmix64).
fn mixed(number: u64) -> u64 {
    let mut bits = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}
