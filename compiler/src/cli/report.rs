//! Reports diagnostics in the format that was asked for.
//!
//! The order is that of places in the sources. It decides nothing: exit codes are the verbs' matter.

use std::io;

use super::{Context, Format};
use crate::diagnostic::junit::{self, Case, Suite, Verdict};
use crate::diagnostic::{Diagnostic, Diagnostics, Severity, github, human, json, short};
use crate::pipeline::Compiled;
use crate::source::SourceMap;

/// How many diagnostics are drawn with their sources; people mend the first ones first.
const MAX_DRAWN: usize = 100;

/// The sink of one compilation and the sources it speaks of.
#[derive(Clone, Copy, Debug)]
pub struct Findings<'a> {
    /// What to report.
    pub diagnostics: &'a Diagnostics,
    /// The sources.
    pub sources: &'a SourceMap,
    /// With the notes, which are for those who ask what there is to say; others only hear what is wrong.
    pub notes: bool,
}

impl<'a> Findings<'a> {
    /// Errors and warnings of a compilation.
    #[must_use]
    pub fn of(compiled: &'a Compiled) -> Self {
        Self { diagnostics: &compiled.diagnostics, sources: &compiled.sources, notes: false }
    }

    /// What to report, by place.
    #[must_use]
    pub fn sorted(&self) -> Vec<&'a Diagnostic> {
        let mut list = self.diagnostics.sorted();
        list.retain(|found| self.notes || found.severity != Severity::Note);
        list
    }
}

/// Reports the diagnostics of a command on `err`, then how many there were where people read.
///
/// # Errors
/// Where `err` cannot be written.
pub fn diagnostics(context: &mut Context<'_>, findings: &[Findings<'_>]) -> io::Result<()> {
    match context.format {
        Format::Junit => {
            let suites: Vec<_> = findings.iter().flat_map(suites).collect();
            write!(context.err, "{}", junit::document("motixc", &suites))
        }
        Format::Json => lines(context, findings, json::line),
        Format::Github => lines(context, findings, github::line),
        Format::Short => {
            lines(context, findings, short::line)?;
            summary(context, findings)
        }
        Format::Human | Format::Csv => {
            let mut drawn = 0;
            for one in findings {
                let mut renderer = human::Renderer::new(one.sources, context.err_color);
                let list = one.sorted();
                for diagnostic in list.iter().take(MAX_DRAWN - drawn) {
                    renderer.write(diagnostic, context.err)?;
                }
                drawn = (drawn + list.len()).min(MAX_DRAWN);
            }
            let total: usize = findings.iter().map(|one| one.sorted().len()).sum();
            if total > drawn {
                writeln!(context.err, "and {} more, which `--format short` lists\n", total - drawn)?;
            }
            summary(context, findings)
        }
    }
}

fn lines(
    context: &mut Context<'_>,
    findings: &[Findings<'_>],
    line: fn(&Diagnostic, &SourceMap) -> String,
) -> io::Result<()> {
    for one in findings {
        for diagnostic in one.sorted() {
            writeln!(context.err, "{}", line(diagnostic, one.sources))?;
        }
    }
    Ok(())
}

/// `2 errors, 1 warning`; nothing where there is nothing to count.
fn summary(context: &mut Context<'_>, findings: &[Findings<'_>]) -> io::Result<()> {
    let lost: usize = findings.iter().map(|one| one.diagnostics.lost_errors()).sum();
    let all = || findings.iter().flat_map(Findings::sorted);
    let parts: Vec<_> = [(Severity::Error, lost), (Severity::Warning, 0), (Severity::Note, 0)]
        .into_iter()
        .map(|(severity, lost)| {
            let shown = all().filter(|found| found.severity == severity).count();
            (shown + lost, severity.name())
        })
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| plural(count, name))
        .collect();
    if parts.is_empty() {
        return Ok(());
    }
    let unsaid = if lost > 0 { format!(", of which {lost} are not shown") } else { String::new() };
    writeln!(context.err, "{}{unsaid}", parts.join(", "))
}

/// `1 error`, `2 errors`.
#[must_use]
pub fn plural(count: usize, name: &str) -> String {
    format!("{count} {name}{}", if count == 1 { "" } else { "s" })
}

/// One suite a file, one case a diagnostic; one that passed for a file without any.
fn suites(findings: &Findings<'_>) -> Vec<Suite> {
    let mut suites: Vec<_> = findings
        .sources
        .files()
        .map(|(_, file)| Suite { name: file.name.clone(), cases: Vec::new() })
        .collect();
    for diagnostic in findings.sorted() {
        let index = diagnostic.span().map_or(0, |span| span.file.0 as usize);
        let line = diagnostic.span().map(|span| findings.sources.position(span).line);
        let text = plain(diagnostic, findings.sources);
        let message = diagnostic.message.clone();
        let verdict = match diagnostic.severity {
            Severity::Error => Verdict::Failed(message.clone(), text),
            Severity::Warning | Severity::Note => Verdict::Remarked(text),
        };
        let class = diagnostic.code.id().to_owned();
        if let Some(suite) = suites.get_mut(index) {
            suite.cases.push(Case { name: message, class, line, time: 0.0, verdict });
        }
    }
    for suite in &mut suites {
        if suite.cases.is_empty() {
            let verdict = Verdict::Passed;
            suite.cases.push(Case {
                name: "no diagnostics".into(),
                class: "motixc".into(),
                line: None,
                time: 0.0,
                verdict,
            });
        }
    }
    suites
}

/// The diagnostic as a few plain lines.
fn plain(diagnostic: &Diagnostic, sources: &SourceMap) -> String {
    let mut text = short::line(diagnostic, sources);
    for label in &diagnostic.labels {
        let position = sources.position(label.span);
        text += &format!("\n{}:{}: {}", position.line, position.column, label.message);
    }
    for help in &diagnostic.help {
        text += &format!("\nhelp: {help}");
    }
    text
}
