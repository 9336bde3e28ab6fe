//! Names of behaviors that nothing declares: after `for`, `extends` and the like.

use crate::ast::Path;
use crate::diagnostic::{Code, Diagnostic, join};
use crate::intern::{Interner, Symbol};
use crate::nearest::Nearest;
use crate::syntax::written;

use super::FileScopes;

/// The module of the standard library that declares a behavior of this name, or has this name, and its first behavior.
fn in_library(text: &str) -> Option<(&'static str, &'static str)> {
    motix_stdlib::MODULES.iter().find_map(|module| {
        let mut behaviors = module.text.lines().filter_map(|line| {
            line.strip_prefix("Behavior ")?.split([' ', '{']).next().filter(|name| !name.is_empty())
        });
        let behavior = behaviors.find(|name| *name == text || module.name == text)?;
        Some((module.name, behavior))
    })
}

/// No more names are looked at for a message.
const FEW: usize = 256;

/// The report of a path that names no behavior where it is written.
#[must_use]
pub fn unknown_behavior(
    files: &FileScopes<'_>,
    path: &Path,
    names: &Interner,
    nearest: &mut Nearest,
) -> Diagnostic {
    let text: Vec<&str> = path.names.iter().map(|name| names.text(name.symbol)).collect();
    let text = text.join(".");
    let file = files.file_at(path.span);
    let behind = match &path.names[..] {
        [alias, _] if files.is_alias(file, alias.symbol) => Some(alias.symbol),
        _ => None,
    };
    let known: Vec<Symbol> = match behind {
        Some(alias) => files.behaviors_behind(file, alias).take(FEW).collect(),
        // What asks is no answer.
        None => {
            let others = files.visible_behaviors(file).filter(|row| !row.item.span.contains(path.span));
            others.take(FEW).map(|row| row.name.symbol).collect()
        }
    };
    let before = behind.map_or_else(String::new, |alias| format!("{}.", names.text(alias)));
    let last = path.names[path.names.len() - 1];
    let report = Diagnostic::new(
        Code::UnknownBehavior,
        format!("there is no behavior `{text}`"),
        path.span,
        "expected a behavior of this file, or of one that it uses",
    )
    .of_name(format!("behavior {text}"));
    if behind.is_none()
        && let Some((module, behavior)) = in_library(&text)
    {
        let report = report.help(format!("write `Use \"{module}\"` at the top of the file"));
        return if behavior == text {
            report
        } else {
            report.help(format!("a behavior is named by its name: `{behavior}`")).fix(path.span, behavior)
        };
    }
    let texts = known.iter().map(|symbol| names.text(*symbol));
    if let Some(near) = nearest.find(names.text(last.symbol), texts) {
        return report.help(format!("did you mean `{before}{near}`?")).fix(last.span, written(near));
    }
    if known.is_empty() {
        let report =
            report.help(format!("declare it: `Behavior {} {{ ... }}`", written(names.text(last.symbol))));
        return if behind.is_none() { report.help("or `Use` the file that declares it") } else { report };
    }
    let list: Vec<String> =
        known.iter().take(8).map(|symbol| format!("`{before}{}`", names.text(*symbol))).collect();
    let verb = if list.len() == 1 { "there is" } else { "there are" };
    report.help(format!("{verb} {}", join(&list, "and")))
}
