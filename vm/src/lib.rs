//! Motix runtime: placeholder header while the workspace is laid out.
#![no_std]
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

extern crate alloc;

pub mod builtin;
pub mod error;
mod eval;
pub mod float;
pub mod frame;
pub mod ids;
pub mod instance;
pub mod op;
pub mod program;
mod rng;
mod tick;
pub mod value;

pub use frame::{Event, EventKind, Frame};
pub use instance::{Globals, Host, Instance, Sample, Setup, StopMode};
pub use program::{Program, disasm};
pub use value::{Color, EventValue, Value};
