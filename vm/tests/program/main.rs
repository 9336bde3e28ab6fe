//! Tests of programs: what the verifier refuses, the file format, names, and the text form.

mod container;
mod disasm;
mod lookup;
mod memory;
mod mutate;
mod support;
mod verify;
mod verify_components;
mod verify_motions;
mod verify_tracks;
mod versions;
