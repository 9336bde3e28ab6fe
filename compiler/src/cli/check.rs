//! `motixc check`: the diagnostics of files, and nothing else.

use clap::Args;

use super::report::{self, Findings, plural};
use super::{Context, Exit, Format, Outcome, files};
use crate::diagnostic::Severity;
use crate::pipeline::Options;

const EXAMPLES: &str = "\
Examples:
  motixc check player.motix                      errors, warnings and notes, with their source lines
  motixc check *.motix --format short            one line each, for editors
  motixc check player.motix --format json        one JSON object a line, for tools
  motixc check src/*.motix --deny-warnings       in CI
  cat player.motix | motixc check -

Diagnostics go to standard error. Exit code 1 means that there are errors.";

/// Find what is wrong in source files
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Let warnings fail the check too
    #[arg(long)]
    deny_warnings: bool,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Outcome {
    let mut all = Vec::with_capacity(arguments.files.len());
    for path in &arguments.files {
        all.push(files::compile(context, path, Options { tests: true })?);
    }
    let findings: Vec<_> = all.iter().map(|one| Findings { notes: true, ..Findings::of(one) }).collect();
    report::diagnostics(context, &findings)?;
    let silent = findings.iter().all(|one| one.diagnostics.list().is_empty());
    if silent && context.format == Format::Human {
        writeln!(context.err, "no problems in {}", plural(arguments.files.len(), "file"))?;
    }
    let warned =
        |one: &Findings<'_>| one.diagnostics.list().iter().any(|found| found.severity == Severity::Warning);
    let fails =
        findings.iter().any(|one| one.diagnostics.has_errors() || arguments.deny_warnings && warned(one));
    Ok(if fails { Exit::Findings } else { Exit::Fine })
}
