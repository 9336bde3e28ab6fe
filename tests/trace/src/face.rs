//! The face that a WebAssembly build shows: three functions, for `wasm.mjs`.
//!
//! A program's bytes are written into the memory that `room` gives, `load` reads them, `trace` runs one behavior.

#![allow(unsafe_code)] // names that are seen from outside could be anything's; there is nothing else unsafe here

use std::sync::{Arc, Mutex};

use motix_vm::Program;
use motix_vm::ids::BehaviorId;

static BYTES: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static PROGRAM: Mutex<Option<Arc<Program>>> = Mutex::new(None);

/// Where to write so many bytes.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    let Ok(mut bytes) = BYTES.lock() else { return std::ptr::null_mut() };
    *bytes = vec![0; length];
    bytes.as_mut_ptr()
}

/// Takes what was written as a program; gives the number of its behaviors, or -1 where it is none.
#[unsafe(no_mangle)]
extern "C" fn load() -> i32 {
    let (Ok(bytes), Ok(mut program)) = (BYTES.lock(), PROGRAM.lock()) else { return -1 };
    *program = Program::load(&bytes).ok().map(Arc::new);
    program.as_ref().map_or(-1, |program| program.behaviors().len() as i32)
}

/// The hash of so many ticks of a behavior; 0 where there is none.
#[unsafe(no_mangle)]
extern "C" fn trace(behavior: u32, ticks: u32) -> u64 {
    let Ok(program) = PROGRAM.lock() else { return 0 };
    let id = BehaviorId::from_index(behavior as usize);
    let traced = program.as_ref().zip(id).and_then(|(program, id)| crate::trace(program, id, ticks));
    traced.unwrap_or(0)
}
