//! Programs that no compiler made: files of any bytes, files of the compiler with some bytes changed, tables with some
//! fields changed. What loads is run.

use std::sync::Arc;

use motix_vm::Program;
use motix_vm::disasm::disassemble;
use motix_vm::ids::BehaviorId;
use motix_vm::program::{EncodeOptions, LoadError};

use super::drive::drive;
use super::{Data, calls, programs, rows};
use crate::mutate::{changed, repaired};

/// Loads a file; it may check what memory that takes.
pub type Load = fn(&[u8]) -> Result<Program, LoadError>;

/// How many changes of one program: mostly few, so that some are let through.
const CHANGES: &[usize] = &[1, 1, 1, 2, 3, 6];
const KEEP: EncodeOptions = EncodeOptions { strip: false };

/// What the first byte says: a file as it stands, with the checksum mended; a changed file; changed tables. Says whether
/// it came to run.
///
/// # Panics
/// Where something is not as promised.
pub fn bytes(bytes: &[u8], load: Load) -> bool {
    let mut data = Data::new(bytes);
    match data.byte() % 4 {
        0 => file(&repaired(data.rest().to_vec()), load, &mut data),
        1 => {
            let start = programs::pick(&mut data);
            let good = start.program.encode(KEEP);
            let count = data.pick(CHANGES);
            let bad = changed(&good, count, &mut |end| data.below(end));
            file(&bad, load, &mut data)
        }
        _ => {
            let start = programs::pick(&mut data);
            let mut tables = start.program.tables().clone();
            for _ in 0..data.pick(CHANGES) {
                rows::change(&mut tables, &mut data);
            }
            match Program::verify(tables) {
                Ok(program) => file(&program.encode(KEEP), load, &mut data),
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    false
                }
            }
        }
    }
}

/// Loads and runs a file.
fn file(bytes: &[u8], load: Load, data: &mut Data<'_>) -> bool {
    let program = match load(bytes) {
        Ok(program) => Arc::new(program),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let again = program.encode(KEEP);
    let loaded = load(&again).unwrap_or_else(|error| panic!("what was verified loads: {error}"));
    assert!(loaded.encode(KEEP) == again, "what is written is read back");
    assert_eq!(loaded.hash(), program.hash());
    assert!(disassemble(&program).len() < 400 * again.len() + 1000, "a long text of a short program");
    // The first one is what was changed on purpose, another what a change elsewhere made of it.
    let other = data.below(program.behaviors().len());
    for behavior in [0, other].into_iter().filter_map(BehaviorId::from_index) {
        if program.behavior(behavior).is_some() {
            drive(&(program.clone(), behavior), &mut data.clone(), &mut calls::other);
        }
        if other == 0 {
            break;
        }
    }
    true
}
