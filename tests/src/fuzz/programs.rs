//! The programs that fuzzers start from: every behavior of the examples, the tests and the standard library.

use std::sync::{Arc, OnceLock};

use motix_compiler::cli::loader::FileLoader;
use motix_compiler::pipeline::{Options, compile};
use motix_vm::Program;
use motix_vm::ids::BehaviorId;
use motix_vm::program::BehaviorRef;
use motix_vm::program::tables::Tables;

use super::Data;
use crate::{files, root};

/// A behavior.
pub(super) struct Start {
    /// A hash of the names of its file and its own.
    key: u16,
    /// The behavior is its first.
    pub(super) program: Arc<Program>,
}

/// All behaviors, by their keys.
pub(super) fn all() -> &'static [Start] {
    static ALL: OnceLock<Vec<Start>> = OnceLock::new();
    ALL.get_or_init(|| {
        let folders = ["examples", "stdlib/std", "tests/behaviors"];
        let mut all: Vec<Start> =
            folders.iter().flat_map(|folder| files(folder, "motix")).flat_map(|path| starts(&path)).collect();
        all.sort_by_key(|start| start.key);
        all
    })
}

fn starts(path: &str) -> Vec<Start> {
    let full = root().join(path).to_string_lossy().into_owned();
    let Ok(loader) = FileLoader::new(&full, &mut std::io::empty()) else { return Vec::new() };
    let Ok(compiled) = compile(&full, &loader, Options::default()) else { return Vec::new() };
    let Some(program) = compiled.program else { return Vec::new() };
    let name = |behavior: &BehaviorRef<'_>| key(&format!("{path}#{}", behavior.name()));
    program.iter().map(|behavior| Start { key: name(&behavior), program: alone(behavior) }).collect()
}

/// A program of a behavior, its first, and of those inside it: short, so that changes of it are changes of what runs.
fn alone(behavior: BehaviorRef<'_>) -> Arc<Program> {
    let all = behavior.program().tables();
    let mut kept = vec![behavior.id()];
    let mut at = 0;
    while let Some(rows) = kept.get(at).and_then(|id| all.behaviors.get(id.index())) {
        for component in &rows.components {
            if !kept.contains(&component.behavior) {
                kept.push(component.behavior);
            }
        }
        at += 1;
    }
    let mut tables = Tables {
        texts: all.texts.clone(),
        behaviors: kept.iter().map(|id| all.behaviors[id.index()].clone()).collect(),
        debug: all.debug.clone(),
    };
    for component in tables.behaviors.iter_mut().flat_map(|rows| &mut rows.components) {
        let at = kept.iter().position(|id| *id == component.behavior).and_then(BehaviorId::from_index);
        component.behavior = at.unwrap_or(component.behavior);
    }
    if let (Some(debug), Some(all)) = (&mut tables.debug, &all.debug) {
        debug.behaviors = kept.iter().map(|id| all.behaviors[id.index()].clone()).collect();
    }
    let program = Program::verify(tables);
    Arc::new(program.unwrap_or_else(|error| panic!("a part of a program is one: {error}")))
}

/// FNV-1a, folded.
fn key(name: &str) -> u16 {
    let hash =
        name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 16)) as u16
}

/// The behavior whose key is next to what is drawn: where behaviors are added, most of what a fuzzer found goes on to mean
/// the same.
pub(super) fn pick(data: &mut Data<'_>) -> &'static Start {
    let key = u16::from_le_bytes([data.byte(), data.byte()]);
    let all = all();
    let at = all.partition_point(|start| start.key < key);
    &all[at % all.len()]
}
