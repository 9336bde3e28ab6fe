//! What the integration tests share: compiling a text, and running `motixc` on streams of their own.
#![allow(dead_code)] // each test binary uses some of it

use motix_compiler::pipeline::{self, Compiled, Options};
use motix_compiler::source::{Loader, ReadError};

/// One source, known as `test.motix`.
pub(crate) struct Text<'a>(pub(crate) &'a str);

impl Loader for Text<'_> {
    fn load(&self, path: &str, from: &str) -> Result<(String, Vec<u8>), ReadError> {
        match from {
            "" => Ok(("test.motix".into(), self.0.as_bytes().to_vec())),
            _ => Err(ReadError::Missing(vec![path.into()])),
        }
    }
}

/// Compiles a source with its tests.
pub(crate) fn compile(text: &str) -> Compiled {
    pipeline::compile("test.motix", &Text(text), Options { tests: true }).unwrap()
}

/// The codes of the diagnostics by place, each with its line.
pub(crate) fn codes(compiled: &Compiled) -> Vec<String> {
    let line = |span| compiled.sources.position(span).line;
    let list = compiled.diagnostics.sorted();
    list.iter().map(|found| format!("{} {}", found.code.id(), found.span().map_or(0, line))).collect()
}

/// The disassembly of a source without errors.
pub(crate) fn disassembled(text: &str) -> String {
    let compiled = compile(text);
    let program = compiled.program.as_ref().unwrap_or_else(|| panic!("{:?}", codes(&compiled)));
    motix_vm::disasm::disassemble(program)
}

/// What a run of `motixc` gave.
#[derive(Debug)]
pub(crate) struct Run {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

/// Runs `motixc` with these arguments and this standard input.
pub(crate) fn motixc(arguments: &[&str], mut input: &[u8]) -> Run {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let streams = motix_compiler::cli::Streams {
        input: &mut input,
        out: &mut out,
        err: &mut err,
        out_color: false,
        err_color: false,
        columns: None,
    };
    let arguments = std::iter::once("motixc").chain(arguments.iter().copied());
    let code = motix_compiler::cli::run_with(arguments, streams);
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Run { code, out: text(out), err: text(err) }
}
