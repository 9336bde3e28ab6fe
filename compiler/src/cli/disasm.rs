//! `motixc disasm`: a program as text.

use std::sync::Arc;

use clap::Args;
use motix_vm::program::LoadError;
use motix_vm::{Program, disasm};

use super::report::{self, Findings};
use super::{Context, Exit, Failure, Format, Outcome, files};
use crate::pipeline::Options;

const EXAMPLES: &str = "\
Examples:
  motixc disasm player.motix            the program that the source compiles to
  motixc disasm player.motixb           a program that was built
  motixc build player.motix -o - | motixc disasm -
  motixc disasm player.motix > player.snapshot    for a test that compares it

The text is complete and stable: the same program gives the same text, and a change of one thing moves no other.";

/// Show a program as text, from its source or from a .motixb file
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The source or program; `-` is standard input
    #[arg(value_name = "FILE")]
    file: String,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Outcome {
    let Some(program) = program(context, &arguments.file)? else { return Ok(Exit::Findings) };
    write!(context.out, "{}", disasm::disassemble(&program))?;
    Ok(Exit::Fine)
}

/// The program in a file, compiled or loaded; `None` where it has errors, which were reported.
pub(super) fn program(context: &mut Context<'_>, path: &str) -> Result<Option<Arc<Program>>, Failure> {
    let bytes = files::read(context, path)?;
    if files::is_program(path, &bytes) {
        return load(context, path, &bytes);
    }
    let compiled = files::compile_bytes(path, bytes, Options::default())?;
    let findings = Findings::of(&compiled);
    report::diagnostics(context, &[findings])?;
    Ok(compiled.program)
}

/// The program that the bytes of a file hold; `None` where they hold none, which was reported.
pub(super) fn load(
    context: &mut Context<'_>,
    path: &str,
    bytes: &[u8],
) -> Result<Option<Arc<Program>>, Failure> {
    match Program::load(bytes) {
        Ok(program) => Ok(Some(Arc::new(program))),
        Err(error) => report_load(context, path, &error).map(|()| None),
    }
}

/// Reports a program that cannot be loaded, in the format that was asked for.
fn report_load(context: &mut Context<'_>, path: &str, error: &LoadError) -> Result<(), Failure> {
    let (code, message) = (error.code(), error.to_string());
    match context.format {
        Format::Json => {
            let object = serde_json::json!({
                "file": path, "code": code, "severity": "error", "message": message,
            });
            writeln!(context.err, "{object}")?;
        }
        _ => writeln!(context.err, "{path}: error[{code}]: {message}")?,
    }
    Ok(())
}
