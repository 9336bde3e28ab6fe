//! Fuzzes loader, verifier and runtime: programs that no compiler made.
#![no_main]

use libfuzzer_sys::fuzz_target;
use motix_tests::fuzz::bytes;

/// Counts what loading takes.
#[path = "../../../vm/tests/program/memory.rs"]
mod memory;

fuzz_target!(|data: &[u8]| {
    bytes(data, memory::load);
});
