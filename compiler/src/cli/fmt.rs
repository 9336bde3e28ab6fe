//! `motixc fmt`: files in the one form that the formatter gives them.
//!
//! A file with syntax errors is reported and left as it is.

use clap::Args;

use super::report::{self, Findings};
use super::{Context, Exit, Failure, Outcome, files};
use crate::diagnostic::Diagnostics;
use crate::format;
use crate::lex;
use crate::source::SourceMap;

const EXAMPLES: &str = "\
Examples:
  motixc fmt player.motix                rewrites the file in its standard form
  motixc fmt --check src/*.motix         only lists the files that would change; exit code 1 if any
  motixc fmt - < player.motix            from standard input to standard output

Comments stay where they belong and the meaning stays the same. Files with syntax errors are left as they are.";

/// Format source files
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The files; `-` is standard input, whose form goes to standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Change nothing; list the files that are not in their standard form
    #[arg(long)]
    check: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Outcome {
    let mut exit = Exit::Fine;
    for path in &arguments.files {
        let bytes = files::read(context, path)?;
        if one(arguments, context, path, &bytes)? == Exit::Findings {
            exit = Exit::Findings;
        }
    }
    Ok(exit)
}

fn one(arguments: &Arguments, context: &mut Context<'_>, path: &str, bytes: &[u8]) -> Outcome {
    let shown = if path == "-" { super::loader::STDIN_NAME } else { path };
    if files::is_program(path, bytes) {
        return Err(Failure::Usage(format!("`{path}` is a compiled program, and only sources have a form")));
    }
    let mut sources = SourceMap::default();
    let text = match lex::decode(shown, bytes) {
        Ok(text) => text,
        Err(report) => {
            let mut diagnostics = Diagnostics::default();
            diagnostics.push(report);
            return refuse(context, &diagnostics, &sources);
        }
    };
    match format::format(text) {
        Ok(formatted) if arguments.check => {
            if formatted == text {
                return Ok(Exit::Fine);
            }
            writeln!(context.out, "{shown}")?;
            Ok(Exit::Findings)
        }
        Ok(formatted) => {
            if path == "-" || formatted != text {
                files::write(context, path, formatted.as_bytes())?;
            }
            Ok(Exit::Fine)
        }
        Err(diagnostics) => {
            sources.add(shown, text);
            refuse(context, &diagnostics, &sources)
        }
    }
}

/// Reports why a file keeps its form.
fn refuse(context: &mut Context<'_>, diagnostics: &Diagnostics, sources: &SourceMap) -> Outcome {
    report::diagnostics(context, &[Findings { diagnostics, sources, notes: false }])?;
    Ok(Exit::Findings)
}
