//! The Rust blocks of the docs, as tests of documentation: `cargo test -p motix-tests --doc`.
//!
//! `build.rs` makes each block a whole program that reads what [`compiled`] gives instead of a file. There is nothing
//! else here but their inclusion.

use motix_compiler::cli::loader::FileLoader;
use motix_compiler::pipeline::{Options, compile};
use motix_vm::program::EncodeOptions;

/// The bytes of the `.motixb` file that a source compiles to.
///
/// # Panics
/// Where it has errors.
#[must_use]
pub fn compiled(source: &str) -> Vec<u8> {
    let loader = FileLoader::new("-", &mut source.as_bytes());
    let compiled = loader.and_then(|loader| compile("-", &loader, Options::default()));
    let program = compiled.ok().and_then(|compiled| compiled.program);
    let Some(program) = program else { panic!("the source has errors:\n{source}") };
    program.encode(EncodeOptions::default())
}

/// The page that the repository opens with.
#[doc = include_str!(concat!(env!("OUT_DIR"), "/readme.md"))]
pub mod readme {}

/// The tutorial.
#[doc = include_str!(concat!(env!("OUT_DIR"), "/tutorial.md"))]
pub mod tutorial {}

/// Motix in a Rust program.
#[doc = include_str!(concat!(env!("OUT_DIR"), "/embedding.md"))]
pub mod embedding {}

/// Samples and values in an engine.
#[doc = include_str!(concat!(env!("OUT_DIR"), "/poses.md"))]
pub mod poses {}

/// Pointers, keys and events of the game.
#[doc = include_str!(concat!(env!("OUT_DIR"), "/inputs.md"))]
pub mod inputs {}
