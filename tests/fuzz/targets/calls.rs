//! Fuzzes the runtime: a host's calls to the behaviors of this repository.
#![no_main]

use libfuzzer_sys::fuzz_target;
use motix_tests::fuzz::calls;

fuzz_target!(|data: &[u8]| calls(data));
