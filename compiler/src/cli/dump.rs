//! `motixc dump`: what a stage of the compiler made of a file, for those who work on the compiler or wonder about it.

use std::fmt::Write as _;

use clap::{Args, ValueEnum};

use super::report::{self, Findings};
use super::{Context, Exit, Outcome, files};
use crate::diagnostic::Diagnostics;
use crate::intern::Interner;
use crate::lex;
use crate::parse;
use crate::pipeline::{Compiled, Options};
use crate::source::FileId;

const EXAMPLES: &str = "\
Examples:
  motixc dump --stage tokens player.motix
  motixc dump --stage ast player.motix           the tree, also of a file with errors
  motixc dump --stage hir player.motix           after checking, folding and linting
  motixc dump --stage program player.motix       the tables of the program; `motixc disasm` is the readable form

Spans are written as file:start..end in bytes. The output may change from version to version.";

/// A stage of the compiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// What the lexer reads
    Tokens,
    /// The syntax tree
    Ast,
    /// The checked program
    Hir,
    /// The tables of the program
    Program,
}

/// Show what a stage of the compiler makes of a file
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The stage
    #[arg(long, value_enum, value_name = "STAGE")]
    stage: Stage,
    /// The source file; `-` is standard input
    #[arg(value_name = "FILE")]
    file: String,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Outcome {
    let compiled = files::compile(context, &arguments.file, Options { tests: true })?;
    let text = match arguments.stage {
        Stage::Tokens => Some(tokens(&compiled)),
        Stage::Ast => Some(tree(&compiled)),
        Stage::Hir => (!compiled.diagnostics.has_errors())
            .then(|| named(&format!("{:#?}", compiled.hir), &compiled.names)),
        Stage::Program => compiled.program.as_ref().map(|program| format!("{:#?}", program.tables())),
    };
    if let Some(text) = &text {
        writeln!(context.out, "{}", text.trim_end())?;
    }
    let findings = Findings::of(&compiled);
    report::diagnostics(context, &[findings])?;
    Ok(if compiled.diagnostics.has_errors() { Exit::Findings } else { Exit::Fine })
}

/// `line:column  token`, one a line.
fn tokens(compiled: &Compiled) -> String {
    let file = compiled.sources.file(FileId(0));
    let mut names = Interner::default();
    let mut text = String::new();
    let lexed = lex::lex(FileId(0), &file.text, &mut names, &mut Diagnostics::default());
    for (token, span) in lexed.tokens {
        let position = file.position(span.start);
        let place = format!("{}:{}", position.line, position.column);
        let _ = writeln!(text, "{place:>9}  {}", named(&format!("{token:?}"), &names));
    }
    text
}

fn tree(compiled: &Compiled) -> String {
    let file = compiled.sources.file(FileId(0));
    let (mut names, mut diagnostics) = (Interner::default(), Diagnostics::default());
    let lexed = lex::lex(FileId(0), &file.text, &mut names, &mut diagnostics);
    let tree = parse::parse(FileId(0), &lexed, &mut names, &mut diagnostics);
    named(&format!("{tree:#?}"), &names)
}

/// The text with every symbol as the text that it stands for. Nothing else in it can look like one: texts of the
/// source are symbols too.
fn named(text: &str, names: &Interner) -> String {
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("Symbol(") {
        let Some((number, after)) = after.split_once(')') else { break };
        let number = number.trim().trim_end_matches(',');
        let known = number.parse().ok().and_then(|number| names.nth(number));
        result += before;
        result += &known.map_or_else(|| format!("Symbol({number})"), |known| format!("{known:?}"));
        rest = after;
    }
    result + rest
}
