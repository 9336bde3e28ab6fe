//! Prints a line for each behavior of the programs it is given: the file, the behavior's number, the hash of its trace.
//!
//! `motix-trace TICKS FILE.motixb…`. What is hashed is in `lib.rs`; `wasm.mjs` beside this folder prints the same of a
//! WebAssembly build.

#![allow(clippy::print_stdout)] // the lines are the product

use std::path::Path;
use std::sync::Arc;

use motix_vm::Program;
use motix_vm::ids::BehaviorId;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let ticks = arguments.next().ok_or("usage: motix-trace TICKS FILE.motixb…")?.parse()?;
    for path in arguments {
        let program = Arc::new(Program::load(&std::fs::read(&path)?)?);
        let name = Path::new(&path).file_name().unwrap_or_default().to_string_lossy();
        for number in 0..program.behaviors().len() {
            let id = BehaviorId::from_index(number).ok_or("too many behaviors")?;
            let hash = motix_trace::trace(&program, id, ticks).ok_or("it cannot be made")?;
            println!("{name} {number} {hash:016x}");
        }
    }
    Ok(())
}
