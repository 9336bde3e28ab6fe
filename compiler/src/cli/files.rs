//! What verbs do with files: compile one, read bytes, write a product.
//!
//! A file that cannot be read or written is a [`Failure`] with the reason. Files are replaced as a whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::loader::{self, FileLoader};
use super::{Context, Failure};
use crate::pipeline::{self, Compiled, Options};
use crate::source::{FileId, Loader, ReadError};

/// Compiles the file that the user named; `-` is standard input.
pub(super) fn compile(context: &mut Context<'_>, path: &str, options: Options) -> Result<Compiled, Failure> {
    let compiled = FileLoader::new(path, context.input)
        .and_then(|loader| pipeline::compile(path, &loader, options))
        .map_err(|error| unreadable(path, &error))?;
    if is_program(path, compiled.sources.file(FileId(0)).text.as_bytes()) {
        return Err(Failure::Usage(format!(
            "`{path}` is a compiled program, and this needs the source; `motixc disasm` and `motixc info` read programs"
        )));
    }
    Ok(compiled)
}

/// Compiles a file whose bytes were read.
pub(super) fn compile_bytes(path: &str, bytes: Vec<u8>, options: Options) -> Result<Compiled, Failure> {
    let loader = Known { files: FileLoader::default(), bytes };
    pipeline::compile(path, &loader, options).map_err(|error| unreadable(path, &error))
}

/// A loader for a file whose bytes are here already.
struct Known {
    files: FileLoader,
    bytes: Vec<u8>,
}

impl Loader for Known {
    fn load(&self, path: &str, from: &str) -> Result<(String, Vec<u8>), ReadError> {
        match (from, path) {
            ("", "-") => Ok((loader::STDIN_NAME.into(), self.bytes.clone())),
            ("", path) => Ok((self.files.name(path), self.bytes.clone())),
            _ => self.files.load(path, from),
        }
    }
}

/// Reads a file as bytes; `-` is standard input.
pub(super) fn read(context: &mut Context<'_>, path: &str) -> Result<Vec<u8>, Failure> {
    let result = if path == "-" { loader::read_limited(context.input) } else { loader::read_source(path) };
    result.map_err(|error| unreadable(path, &error))
}

/// Whether a file is meant as a compiled program: by its first bytes, or where those are damaged, by its name.
pub(super) fn is_program(path: &str, bytes: &[u8]) -> bool {
    bytes.starts_with(&motix_vm::program::MAGIC) || path.ends_with(".motixb")
}

fn unreadable(path: &str, error: &ReadError) -> Failure {
    Failure::Usage(loader::describe(path, error))
}

/// Writes a product to a file, or to `out` for `-`.
pub(super) fn write(context: &mut Context<'_>, path: &str, bytes: &[u8]) -> Result<(), Failure> {
    if path == "-" {
        return Ok(context.out.write_all(bytes)?);
    }
    replace(Path::new(path), bytes)
        .map_err(|error| Failure::Usage(format!("cannot write `{path}`: {}", loader::words(&error))))
}

/// Puts the bytes beside the file first, so that nothing is lost where they do not fit.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let metadata = fs::metadata(&target).ok();
    if metadata.as_ref().is_some_and(fs::Metadata::is_dir) {
        return Err(io::Error::other("it is a directory"));
    }
    // Devices and pipes are written to, not replaced.
    if metadata.as_ref().is_some_and(|metadata| !metadata.is_file()) {
        return fs::write(&target, bytes);
    }
    let beside = beside(&target);
    let written = fs::File::create_new(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        match &metadata {
            Some(metadata) => file.set_permissions(metadata.permissions()),
            None => Ok(()),
        }
    });
    let replaced = written.and_then(|()| fs::rename(&beside, &target));
    if replaced.is_err() {
        // What is left over helps nobody; that it cannot be removed either is not the news.
        let _ = fs::remove_file(&beside);
    }
    replaced
}

fn beside(target: &Path) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    target.with_file_name(name)
}
