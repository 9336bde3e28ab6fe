//! Loading takes memory of a small multiple of the file's size, whatever the file claims.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use motix_vm::program::Program;

/// Counts what each thread holds, and the most it held.
struct Counting;

thread_local! {
    static HELD: Cell<usize> = const { Cell::new(0) };
    static MOST: Cell<usize> = const { Cell::new(0) };
}

fn count(taken: usize, given: usize) {
    let held = HELD.get().wrapping_add(taken).wrapping_sub(given);
    HELD.set(held);
    if held as isize > MOST.get() as isize {
        MOST.set(held);
    }
}

// SAFETY: all calls go to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size(), 0);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(0, layout.size());
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many times its size a file may take while it is loaded, and what any file may take besides.
pub(crate) const TIMES: usize = 32;
pub(crate) const BESIDES: usize = 16 * 1024;

/// Loads a file and checks the most memory that it took.
pub(crate) fn load(bytes: &[u8]) -> Result<Program, motix_vm::program::LoadError> {
    HELD.set(0);
    MOST.set(0);
    let result = Program::load(bytes);
    let (most, allowed) = (MOST.get(), TIMES * bytes.len() + BESIDES);
    assert!(most <= allowed, "{} bytes took {most}, allowed are {allowed}", bytes.len());
    result
}
