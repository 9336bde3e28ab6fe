//! The command line: arguments in, output and an exit code out.
//!
//! [`run`] is the whole of `motixc` and is callable from tests. Products go to `out`, diagnostics to `err`. The exit
//! code is 0 where all is well, 1 where there are findings (diagnostics, failed tests, unformatted files), 2 where the
//! arguments or a file cannot be used. A verb is a file; it knows its flags and its output, never another verb.

use std::ffi::OsString;
use std::io::{self, Read, Write};

use clap::{Parser, Subcommand, ValueEnum};

mod build;
mod check;
mod disasm;
mod dump;
mod explain;
mod files;
mod fmt;
mod import;
mod info;
pub mod loader;
pub mod report;
mod run;
mod test;
pub mod timeline;

/// The streams of a run.
pub struct Streams<'a> {
    /// What `-` reads.
    pub input: &'a mut dyn Read,
    /// Where products go.
    pub out: &'a mut dyn Write,
    /// Where diagnostics go.
    pub err: &'a mut dyn Write,
    /// Whether `out` shows colors (under `--color auto`).
    pub out_color: bool,
    /// Whether `err` shows colors (under `--color auto`).
    pub err_color: bool,
    /// How many columns `out` shows, where it is a terminal.
    pub columns: Option<usize>,
}

/// What a verb works with.
pub struct Context<'a> {
    /// What `-` reads.
    pub input: &'a mut dyn Read,
    /// Where products go.
    pub out: &'a mut dyn Write,
    /// Where diagnostics go.
    pub err: &'a mut dyn Write,
    /// `--format`.
    pub format: Format,
    /// Whether to color what goes to `out`.
    pub out_color: bool,
    /// Whether to color what goes to `err`.
    pub err_color: bool,
    /// How many columns `out` shows, where that is known.
    pub columns: Option<usize>,
}

/// How a run ends where nothing stopped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: all is well.
    Fine,
    /// 1: there are errors, failed tests or unformatted files, and they were reported.
    Findings,
}

/// What stops a verb.
#[derive(Debug)]
pub enum Failure {
    /// The arguments or a file cannot be used; what to tell the user. Exit code 2.
    Usage(String),
    /// The output cannot be written. Exit code 2, or 0 where the reader has gone away.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

/// What a verb gives back.
pub type Outcome = Result<Exit, Failure>;

/// How a verb reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people: source lines, labels, help
    #[default]
    Human,
    /// One line each: `file:line:column: error[MX0202]: message`
    Short,
    /// One JSON object a line
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// A JUnit XML document
    Junit,
    /// Rows for plots (`run` only)
    Csv,
}

/// When to color.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Also into files and pipes
    Always,
    /// Not at all
    Never,
}

const EXAMPLES: &str = "\
Examples:
  motixc run player.motix --set speed=2  play it and show a timeline
  motixc check player.motix              find what is wrong
  motixc test player.motix               run its Test blocks
  motixc build player.motix              write player.motixb
  motixc explain MX0202                  what a diagnostic means, with a mended example

Exit codes: 0 fine, 1 diagnostics or failed tests, 2 wrong usage or unusable files.
`-` in place of a file means standard input or output. NO_COLOR turns colors off.";

/// The Motix compiler: animation behavior in, programs for motix-vm out.
#[derive(Debug, Parser)]
#[command(name = "motixc", version, after_help = EXAMPLES, max_term_width = 100)]
struct Arguments {
    /// How to report
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// When to color
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: ColorChoice,
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Run(run::Arguments),
    Check(check::Arguments),
    Test(test::Arguments),
    Build(build::Arguments),
    Fmt(fmt::Arguments),
    Explain(explain::Arguments),
    Import(import::Arguments),
    Info(info::Arguments),
    Disasm(disasm::Arguments),
    Dump(dump::Arguments),
}

/// Runs `motixc` with these arguments, the program's name first, reading nothing and without color unless asked.
pub fn run(
    args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> i32 {
    run_with(
        args,
        Streams { input: &mut io::empty(), out, err, out_color: false, err_color: false, columns: None },
    )
}

/// Runs `motixc` with these arguments, the program's name first, on these streams. Returns the exit code.
pub fn run_with(args: impl IntoIterator<Item = impl Into<OsString> + Clone>, streams: Streams<'_>) -> i32 {
    let Streams { input, out, err, out_color, err_color, columns } = streams;
    let arguments = match Arguments::try_parse_from(args) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and the version are products; everything else is a complaint.
            let (stream, color) = if error.use_stderr() { (err, err_color) } else { (out, out_color) };
            let text = error.render();
            let written = if color { write!(stream, "{}", text.ansi()) } else { write!(stream, "{text}") };
            return if written.is_ok() { error.exit_code() } else { 2 };
        }
    };
    let (out_color, err_color) = match arguments.color {
        ColorChoice::Auto => (out_color, err_color),
        ColorChoice::Always => (true, true),
        ColorChoice::Never => (false, false),
    };
    let mut context = Context { input, out, err, format: arguments.format, out_color, err_color, columns };
    let outcome = dispatch(arguments.verb, &mut context)
        .and_then(|exit| context.out.flush().map(|()| exit).map_err(Failure::Output));
    match outcome {
        Ok(Exit::Fine) => 0,
        Ok(Exit::Findings) => 1,
        // Whoever reads has seen enough: `motixc disasm x.motix | head`.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(Failure::Output(error)) => complain(&mut context, &format!("cannot write the output: {error}")),
        Err(Failure::Usage(message)) => complain(&mut context, &message),
    }
}

fn complain(context: &mut Context<'_>, message: &str) -> i32 {
    let (start, end) = if context.err_color { ("\u{1b}[1;31m", "\u{1b}[0m") } else { ("", "") };
    // Nothing is left to tell anyone where this fails too.
    let _ = writeln!(context.err, "{start}motixc:{end} {message}");
    2
}

fn dispatch(verb: Verb, context: &mut Context<'_>) -> Outcome {
    if context.format == Format::Csv && !matches!(verb, Verb::Run(_)) {
        return Err(Failure::Usage("`--format csv` is for `motixc run`; the other verbs know `human`, `short`, `json`, `github` and `junit`".into()));
    }
    match verb {
        Verb::Run(arguments) => run::run(&arguments, context),
        Verb::Check(arguments) => check::run(&arguments, context),
        Verb::Test(arguments) => test::run(&arguments, context),
        Verb::Build(arguments) => build::run(&arguments, context),
        Verb::Fmt(arguments) => fmt::run(&arguments, context),
        Verb::Explain(arguments) => explain::run(&arguments, context),
        Verb::Import(arguments) => import::run(&arguments, context),
        Verb::Info(arguments) => info::run(&arguments, context),
        Verb::Disasm(arguments) => disasm::run(&arguments, context),
        Verb::Dump(arguments) => dump::run(&arguments, context),
    }
}
