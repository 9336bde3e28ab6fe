//! What the example hosts share: a behavior compiled when the host starts.
//!
//! A game would run `motixc build` once and ship the bytes; compiling at start keeps each example to one command.

use std::error::Error;
use std::fs;
use std::sync::Arc;

use motix_compiler::cli::loader::FileLoader;
use motix_compiler::pipeline::{self, Options};
use motix_vm::Program;

/// Compiles a file that is named from the root of the repository, whether the host runs there or in this package.
///
/// # Errors
///
/// The file cannot be read, or it has errors; the text says which command shows them.
pub fn compile(path: &str) -> Result<Arc<Program>, Box<dyn Error>> {
    let path = if fs::exists(path)? { path.to_owned() } else { format!("../{path}") };
    let loader = FileLoader::new(&path, &mut std::io::empty()).map_err(|error| format!("{error:?}"))?;
    let compiled =
        pipeline::compile(&path, &loader, Options::default()).map_err(|error| format!("{error:?}"))?;
    compiled.program.ok_or_else(|| format!("{path} has errors: run `motixc check {path}`").into())
}
