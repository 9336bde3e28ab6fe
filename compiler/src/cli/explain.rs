//! `motixc explain`: the page of a diagnostic code, or the list of all codes.

use clap::Args;
use motix_vm::program::LoadErrorKind;
use motix_vm::program::limits::Limit;

use super::{Context, Exit, Failure, Outcome};
use crate::diagnostic::Code;

const EXAMPLES: &str = "\
Examples:
  motixc explain MX0202        one code: what is wrong, why, and a mended example
  motixc explain               the list of all codes";

/// Explain a diagnostic code, with a wrong and a mended example
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The code, such as MX0202; without one, all codes are listed
    code: Option<String>,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Outcome {
    let Some(wanted) = &arguments.code else {
        for code in Code::ALL {
            writeln!(context.out, "{}  {:7}  {}", code.id(), code.severity().name(), code.title())?;
        }
        return Ok(Exit::Fine);
    };
    let Some(code) = find(wanted) else {
        if let Some((id, text)) = of_loading(wanted) {
            writeln!(
                context.out,
                "{id}: {text}\n\nThe runtime says this of a program that it does not load."
            )?;
            return Ok(Exit::Fine);
        }
        return Err(Failure::Usage(format!(
            "there is no diagnostic `{wanted}`; codes look like `MX0202`, and `motixc explain` lists them"
        )));
    };
    write!(context.out, "{}", code.page())?;
    Ok(Exit::Fine)
}

/// The code with this number; `202`, `0202` and `mx0202` are understood too.
fn find(wanted: &str) -> Option<Code> {
    Code::by_id(wanted).or_else(|| Code::by_id(&id_of(wanted)))
}

/// The fault of loading with this number, and what it means.
fn of_loading(wanted: &str) -> Option<(&'static str, &'static str)> {
    let faults = LoadErrorKind::ALL.iter().copied();
    let mut all = faults.chain(Limit::ALL.iter().copied().map(LoadErrorKind::Limit));
    all.find(|kind| kind.code() == id_of(wanted)).map(|kind| (kind.code(), kind.text()))
}

/// The code that is meant.
fn id_of(wanted: &str) -> String {
    format!("MX{:0>4}", wanted.trim_start_matches(['m', 'M', 'x', 'X']))
}
