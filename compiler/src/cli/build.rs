//! `motixc build`: a source file to a `.motixb` program.

use std::path::Path;

use clap::Args;
use motix_vm::program::EncodeOptions;

use super::report::{self, Findings};
use super::{Context, Exit, Outcome, files};
use crate::pipeline::{Compiled, Options};

const EXAMPLES: &str = "\
Examples:
  motixc build player.motix                      writes player.motixb
  motixc build player.motix -o out/player.motixb
  motixc build player.motix --strip              smaller: without the places in the source
  motixc build player.motix -o - | wc -c         to standard output
  motixc build player.motix --depfile player.d   which files it was made of, for make and ninja

Nothing is written where there are errors. Tests are checked, but are not part of the program.";

/// Compile a source file to a program for motix-vm
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The source file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// Where to write the program; `-` is standard output [default: FILE with the extension .motixb]
    #[arg(short, long, value_name = "PATH")]
    output: Option<String>,
    /// Leave out the debug section, which says where things stand in the source
    #[arg(long)]
    strip: bool,
    /// Also write a Makefile rule that lists the source files
    #[arg(long, value_name = "PATH")]
    depfile: Option<String>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Outcome {
    let compiled = files::compile(context, &arguments.file, Options::default())?;
    let findings = Findings::of(&compiled);
    report::diagnostics(context, &[findings])?;
    let Some(program) = &compiled.program else { return Ok(Exit::Findings) };
    let output = arguments.output.clone().unwrap_or_else(|| match arguments.file.as_str() {
        "-" => "-".into(),
        path => Path::new(path).with_extension("motixb").to_string_lossy().into_owned(),
    });
    let bytes = program.encode(EncodeOptions { strip: arguments.strip });
    files::write(context, &output, &bytes)?;
    if let Some(depfile) = &arguments.depfile {
        files::write(context, depfile, rule(&output, &compiled).as_bytes())?;
    }
    Ok(Exit::Fine)
}

/// `output: source source`, as make reads it.
fn rule(output: &str, compiled: &Compiled) -> String {
    let mut rule = format!("{}:", escape(output));
    // Names in angle brackets and of the standard library are no files.
    let names = compiled.sources.files().map(|(_, file)| &file.name);
    for name in names.filter(|name| !name.starts_with('<') && !name.starts_with("std/")) {
        rule += &format!(" {}", escape(name));
    }
    rule + "\n"
}

fn escape(path: &str) -> String {
    path.replace('$', "$$").replace('#', "\\#").replace(' ', "\\ ")
}
