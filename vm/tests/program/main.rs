//! Tests of programs: what the verifier refuses, the file format, names, and the text form.

mod container;
mod disasm;
mod lookup;
mod memory;
mod support;
mod verify;
