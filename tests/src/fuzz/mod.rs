//! What must never happen, as plain functions of bytes: the fuzzers in `tests/fuzz/` call them for hours, the suite for
//! a few seconds on the corpora that the fuzzers left.
//!
//! [`source`](source()) takes a text through the whole compiler, [`bytes()`] takes changed programs through loader,
//! verifier and runtime, [`calls()`] takes a host's calls through the runtime. Each ends or panics; where it panics, it
//! found a fault. Equal bytes do the same everywhere.

mod beside;
mod bytes;
mod calls;
mod check;
mod data;
mod drive;
mod programs;
mod rows;
mod source;
mod splice;

pub use bytes::{Load, bytes};
pub use calls::calls;
use data::Data;
pub use source::source;
pub use splice::splice;
