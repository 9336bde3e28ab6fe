//! Fuzzes the compiler: texts that are pieced together from those of this repository.
#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use motix_tests::fuzz::{source, splice};
use motix_tests::random::Random;

fuzz_target!(|bytes: &[u8]| source(bytes));

fuzz_mutator!(|data: &mut [u8], size: usize, most: usize, seed: u32| {
    let mut random = Random::new(seed.into());
    if random.below(4) == 0 {
        return fuzzer_mutate(data, size, most);
    }
    let text = splice(&String::from_utf8_lossy(&data[..size]), &mut random);
    let size = text.floor_char_boundary(most.min(data.len()));
    data[..size].copy_from_slice(&text.as_bytes()[..size]);
    size
});
