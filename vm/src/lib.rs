//! Motix runtime: placeholder header while the workspace is laid out.
#![no_std]
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

extern crate alloc;

pub mod builtin;
pub mod ids;
pub mod op;
pub mod program;

pub use program::disasm;
