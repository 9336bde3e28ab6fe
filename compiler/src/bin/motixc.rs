//! The command `motixc`: hands its arguments to [`motix_compiler::cli`] and exits with the code that comes back.

use std::io::{IsTerminal, stderr, stdin, stdout};
use std::process::ExitCode;

use motix_compiler::cli::{Streams, run_with};

fn main() -> ExitCode {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let streams = Streams {
        out_color: stdout().is_terminal() && !no_color,
        err_color: stderr().is_terminal() && !no_color,
        input: &mut stdin().lock(),
        out: &mut stdout().lock(),
        err: &mut stderr().lock(),
        columns: columns(),
    };
    let code = run_with(std::env::args_os(), streams);
    ExitCode::from(u8::try_from(code).unwrap_or(2))
}

/// The columns of the terminal: what `COLUMNS` says, else what the terminal itself does.
fn columns() -> Option<usize> {
    let told = std::env::var("COLUMNS").ok().and_then(|value| value.trim().parse().ok());
    told.or_else(|| terminal_size::terminal_size_of(stdout()).map(|(width, _)| usize::from(width.0)))
}
