//! Proof that the runtime needs no std: a static library with its own allocator and panic handler.
//!
//! It only has to build. Wherever std came in through a dependency, the panic handler would be defined twice.
#![no_std]

extern crate alloc;

use core::alloc::{GlobalAlloc, Layout};
use core::ptr;

/// Never gives memory: nothing is run.
struct NoMemory;

// SAFETY: a null pointer is what an allocator gives when it has no memory, and nothing was given that could return.
unsafe impl GlobalAlloc for NoMemory {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        ptr::null_mut()
    }
    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: NoMemory = NoMemory;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Loads the bytes of a program, so that the runtime is linked in.
///
/// # Safety
/// `bytes` must point to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn motix_canary(bytes: *const u8, length: usize) -> bool {
    // SAFETY: the caller's promise.
    let bytes = unsafe { core::slice::from_raw_parts(bytes, length) };
    motix_vm::program::Program::load(bytes).is_ok()
}
