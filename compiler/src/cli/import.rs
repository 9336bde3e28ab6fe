//! `motixc import`: a file of another notation, as `.motix` text.
//!
//! The text goes to standard output or to `-o`; what could not be carried over is reported like any diagnostic. It is
//! written even where there are errors, because what could be read is of use; only a file without anything to import
//! gives no text.

use std::path::{Path, PathBuf};

use clap::Args;

use super::loader::{self, FileLoader, STDIN_NAME};
use super::report::{self, Findings};
use super::{Context, Exit, Failure, Outcome};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::import::lua;
use crate::source::{Loader, SourceMap, Span};

const EXAMPLES: &str = "\
Examples:
  motixc import soldier.lua                       the text on standard output
  motixc import soldier.lua -o soldier.motix      into a file
  motixc import - < soldier.lua | motixc check -

A predicate that only compares becomes an expression; each field in it becomes a parameter named after its last word
(humanoid.WalkSpeed: walkSpeed), with the words before it where that name is taken. Other predicates become extern ones.
What has no counterpart is reported and listed at the top of the text. Exit code 1 means that the Lua cannot be read.";

/// Turn a Luau file that uses the behavior builder into .motix text
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The Luau file, or `-`
    file: String,
    /// Where to write the text; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Outcome {
    let unreadable = |error| Failure::Usage(loader::describe(&arguments.file, &error));
    let files = FileLoader::new(&arguments.file, context.input).map_err(unreadable)?;
    let (name, bytes) = files.load(&arguments.file, "").map_err(unreadable)?;
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::default();
    let text = match String::from_utf8(bytes) {
        Ok(text) => {
            let file = sources.add(&*name, text);
            let shown = if name == STDIN_NAME { "imported" } else { &name };
            lua::import(file, &sources.file(file).text, shown, &mut diagnostics)
        }
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let file = sources.add(&*name, String::from_utf8_lossy(error.as_bytes()));
            let span = Span::new(file, at as u32, at as u32);
            let message = format!("the source is not valid UTF-8 from byte {at} on");
            diagnostics.push(Diagnostic::new(Code::InvalidUtf8, message, span, "not UTF-8"));
            None
        }
    };
    if let Some(text) = &text {
        match arguments.out.as_deref() {
            Some(path) if path != Path::new("-") => std::fs::write(path, text).map_err(|error| {
                Failure::Usage(format!("cannot write `{}`: {}", path.display(), loader::words(&error)))
            })?,
            _ => context.out.write_all(text.as_bytes())?,
        }
    }
    report::diagnostics(context, &[Findings { diagnostics: &diagnostics, sources: &sources, notes: true }])?;
    Ok(if diagnostics.has_errors() { Exit::Findings } else { Exit::Fine })
}
