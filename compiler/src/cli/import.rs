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
use crate::import::{fmtion, lua};
use crate::source::{Loader, SourceMap, Span};

const EXAMPLES: &str = "\
Examples:
  motixc import soldier.lua                       the text on standard output
  motixc import switch.fmtion -o switch.motix     into a file
  motixc import - < soldier.lua | motixc check -

A file that ends in .fmtion or .json is a layered machine in JSON, one that ends in .lua or .luau uses the builder; of
others, and of standard input, those that begin with a brace are JSON.

Of Lua, a predicate that only compares becomes an expression; each field in it becomes a parameter named after its last word
(humanoid.WalkSpeed: walkSpeed), with the words before it where that name is taken. Other predicates become extern ones.
What has no counterpart is reported and listed at the top of the text. Exit code 1 means that the file cannot be read.";

/// Turn a Luau file with the behavior builder, or a layered machine in JSON, into .motix text
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The Luau or JSON file, or `-`
    file: String,
    /// Where to write the text; standard output if left out
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Outcome {
    if arguments.file.to_lowercase().ends_with(".motix") {
        return Err(Failure::Usage(format!(
            "`{0}` is Motix already, so there is nothing to import; `motixc check {0}` says what is wrong in it",
            arguments.file
        )));
    }
    let unreadable = |error| Failure::Usage(loader::describe(&arguments.file, &error));
    let files = FileLoader::new(&arguments.file, context.input).map_err(unreadable)?;
    let (name, bytes) = files.load(&arguments.file, "").map_err(unreadable)?;
    let mut sources = SourceMap::default();
    let mut diagnostics = Diagnostics::default();
    let text = match String::from_utf8(bytes) {
        Ok(text) => {
            let file = sources.add(&*name, text);
            let shown = if name == STDIN_NAME { "imported" } else { &name };
            let text = &sources.file(file).text;
            if is_json(&arguments.file, text) {
                fmtion::import(file, text, shown, &files, &mut diagnostics)
            } else {
                lua::import(file, text, shown, &mut diagnostics)
            }
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

/// Whether a file is JSON: by its ending, or else by its first letter.
fn is_json(path: &str, text: &str) -> bool {
    let ends = |endings: &[&str]| endings.iter().any(|ending| path.to_lowercase().ends_with(ending));
    if ends(&[".fmtion", ".json"]) {
        return true;
    }
    !ends(&[".lua", ".luau"]) && text.trim_start_matches('\u{feff}').trim_start().starts_with(['{', '['])
}
