//! `motixc test`: runs the tests of files and shows what became of each.

use std::io;

use clap::Args;
use serde::Serialize;

use super::report::{self, Findings, plural};
use super::{Context, Exit, Failure, Format, Outcome, files};
use crate::diagnostic::json::Place;
use crate::diagnostic::junit::{self, Case, Suite};
use crate::diagnostic::{github, human};
use crate::pipeline::{Compiled, Options};
use crate::source::FileId;
use crate::testing::{self, TestFailure, TestOutcome, Verdict};

const EXAMPLES: &str = "\
Examples:
  motixc test player.motix                       all tests of a file
  motixc test tests/*.motix                      of several files
  motixc test player.motix --filter jump         those with `jump` in their names
  motixc test player.motix --list                only their names
  motixc test tests/*.motix --format junit > report.xml

A test is a block in a source file:
  Test \"starts to walk\" for Player {
      Set speed = 2
      Step
      Expect state == Walk
  }

Exit code 1 means that a test failed or a file has errors, 2 that no test matches the filter.";

/// Run the Test blocks of source files
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Only tests whose names contain this text
    #[arg(short = 't', long, value_name = "TEXT")]
    filter: Option<String>,
    /// List the tests without running them
    #[arg(long)]
    list: bool,
    /// Run on what the built program loads to, instead of on the program in memory
    #[arg(long)]
    through_bytes: bool,
}

/// A file and what became of its tests.
struct FileOutcome {
    compiled: Compiled,
    tests: Vec<TestOutcome>,
}

impl FileOutcome {
    fn name(&self) -> &str {
        &self.compiled.sources.file(FileId(0)).name
    }

    fn broken(&self) -> bool {
        self.compiled.program.is_none()
    }
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Outcome {
    let filter = arguments.filter.as_deref();
    let mut all = Vec::with_capacity(arguments.files.len());
    for path in &arguments.files {
        let compiled = files::compile(context, path, Options { tests: true })?;
        let findings = Findings::of(&compiled);
        if !findings.sorted().is_empty() {
            report::diagnostics(context, &[findings])?;
        }
        let tests = if arguments.list {
            Vec::new()
        } else {
            testing::run(&compiled, filter, arguments.through_bytes)
        };
        all.push(FileOutcome { compiled, tests });
    }
    let selected: usize = all.iter().map(|file| testing::selected(&file.compiled, filter).count()).sum();
    let any_broken = all.iter().any(FileOutcome::broken);
    if let (0, Some(filter), false) = (selected, filter, any_broken) {
        return Err(Failure::Usage(format!(
            "no test has `{filter}` in its name; `motixc test --list` shows the names"
        )));
    }
    if arguments.list {
        list(context, &all, filter)?;
    } else {
        show(context, &all)?;
    }
    let failed = all.iter().flat_map(|file| &file.tests).any(|test| !test.passed());
    Ok(if failed || any_broken { Exit::Findings } else { Exit::Fine })
}

fn list(context: &mut Context<'_>, all: &[FileOutcome], filter: Option<&str>) -> io::Result<()> {
    for file in all {
        for test in testing::selected(&file.compiled, filter) {
            let line = file.compiled.sources.position(test.span).line;
            writeln!(context.out, "{}:{line}: {}", file.name(), file.compiled.names.text(test.name))?;
        }
    }
    Ok(())
}

fn show(context: &mut Context<'_>, all: &[FileOutcome]) -> io::Result<()> {
    match context.format {
        Format::Human | Format::Csv => show_human(context, all),
        Format::Junit => {
            let suites: Vec<_> = all.iter().map(suite).collect();
            write!(context.out, "{}", junit::document("motixc test", &suites))
        }
        Format::Short => lines(context, all, short_line),
        Format::Json => lines(context, all, json_line),
        Format::Github => lines(context, all, github_line),
    }
}

fn lines(
    context: &mut Context<'_>,
    all: &[FileOutcome],
    line: fn(&FileOutcome, &TestOutcome) -> Option<String>,
) -> io::Result<()> {
    for file in all {
        for line in file.tests.iter().filter_map(|test| line(file, test)) {
            writeln!(context.out, "{line}")?;
        }
    }
    Ok(())
}

fn show_human(context: &mut Context<'_>, all: &[FileOutcome]) -> io::Result<()> {
    let color = context.out_color;
    let paint = |style: &str, text: &str| match color {
        true => format!("\u{1b}[{style}m{text}\u{1b}[0m"),
        false => text.to_owned(),
    };
    // A drawing ends in an empty line of its own.
    let mut drawn = false;
    for file in all {
        writeln!(context.out, "{}", paint("1", file.name()))?;
        if file.broken() {
            writeln!(context.out, "  {}  the file has errors", paint("31", "FAILED"))?;
        } else if file.tests.is_empty() {
            writeln!(context.out, "  {}", paint("2", "no tests"))?;
        }
        let mut renderer = human::Renderer::new(&file.compiled.sources, color);
        for test in &file.tests {
            let word = if test.passed() { paint("32", "ok    ") } else { paint("31", "FAILED") };
            let ticks = plural(usize::try_from(test.ticks).unwrap_or(usize::MAX), "tick");
            let details = format!("({}, {ticks}, {})", test.behavior, seconds(test.time));
            writeln!(context.out, "  {word}  {}  {}", test.name, paint("2", &details))?;
            drawn = !test.passed();
            if let Some((message, span, label, notes)) = explain(test) {
                writeln!(context.out)?;
                renderer.write_failure(&message, span, &label, &notes, context.out)?;
            }
        }
    }
    let tests = || all.iter().flat_map(|file| &file.tests);
    let passed = tests().filter(|test| test.passed()).count();
    let failed = tests().count() - passed;
    let broken = all.iter().filter(|file| file.broken()).count();
    let mut parts = vec![format!("{passed} passed")];
    if failed > 0 {
        parts.push(format!("{failed} failed"));
    }
    if broken > 0 {
        parts.push(format!("{} with errors", plural(broken, "file")));
    }
    let style = if failed + broken > 0 { "1;31" } else { "1;32" };
    let gap = if drawn { "" } else { "\n" };
    writeln!(context.out, "{gap}{}", paint(style, &parts.join(", ")))
}

/// `0.25 s`, with as many digits as tell something.
fn seconds(time: f64) -> String {
    let text = format!("{time:.4}");
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

/// What to say about a test that did not pass: the fact, the place, what to write there, what else to know.
fn explain(test: &TestOutcome) -> Option<(String, crate::source::Span, String, Vec<String>)> {
    match &test.verdict {
        Verdict::Passed => None,
        Verdict::Failed(failure) => {
            let message = format!("`{}` does not hold", failure.expected);
            let label = format!("not so {}", moment(failure));
            Some((message, failure.span, label, notes(failure)))
        }
        Verdict::Broken { span, reason } => {
            let message = format!("the test cannot go on: {reason}");
            Some((message, *span, "stopped here".into(), Vec::new()))
        }
    }
}

fn moment(failure: &TestFailure) -> String {
    format!(
        "after {} ({})",
        plural(usize::try_from(failure.tick).unwrap_or(usize::MAX), "tick"),
        seconds(failure.time)
    )
}

fn notes(failure: &TestFailure) -> Vec<String> {
    let facts: Vec<String> =
        failure.facts.iter().map(|fact| format!("`{}` is {}", fact.text, fact.value)).collect();
    let mut notes = Vec::new();
    if !facts.is_empty() {
        notes.push(facts.join(", "));
    }
    if let Some(events) = &failure.events {
        notes.push(match events.is_empty() {
            true => "no events since the window opened".into(),
            false => format!("events since the window opened: {}", events.join(", ")),
        });
    }
    notes
}

fn word(test: &TestOutcome) -> &'static str {
    match test.verdict {
        Verdict::Passed => "passed",
        Verdict::Failed(_) => "failed",
        Verdict::Broken { .. } => "broken",
    }
}

fn short_line(file: &FileOutcome, test: &TestOutcome) -> Option<String> {
    let details = explain(test);
    let span = details.as_ref().map_or(test.span, |(_, span, ..)| *span);
    let position = file.compiled.sources.position(span);
    let place = format!("{}:{}:{}", file.name(), position.line, position.column);
    Some(match details {
        None => format!("{place}: passed: {}", test.name),
        Some((message, _, label, notes)) => {
            let notes: String = notes.iter().map(|note| format!("; {note}")).collect();
            format!("{place}: {}: {}: {message}: {label}{notes}", word(test), test.name)
        }
    })
}

fn github_line(file: &FileOutcome, test: &TestOutcome) -> Option<String> {
    let (message, span, label, notes) = explain(test)?;
    let position = file.compiled.sources.position(span);
    let text = [vec![message, label], notes].concat().join("\n");
    Some(format!(
        "::error file={},line={},title={}::{}",
        github::property(file.name()),
        position.line,
        github::property(&format!("test: {}", test.name)),
        github::data(&text)
    ))
}

#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    name: &'a str,
    behavior: &'a str,
    verdict: &'a str,
    ticks: u64,
    time: f64,
    failure: Option<FailureObject<'a>>,
}

#[derive(Serialize)]
struct FailureObject<'a> {
    #[serde(flatten)]
    place: Place<'a>,
    message: String,
    expected: Option<&'a str>,
    values: Vec<ValueObject<'a>>,
    events: Option<&'a [String]>,
    tick: u64,
    time: f64,
}

#[derive(Serialize)]
struct ValueObject<'a> {
    expression: &'a str,
    value: &'a str,
}

fn json_line(file: &FileOutcome, test: &TestOutcome) -> Option<String> {
    let sources = &file.compiled.sources;
    let failure = explain(test).map(|(message, span, ..)| {
        let failure = match &test.verdict {
            Verdict::Failed(failure) => Some(failure),
            Verdict::Passed | Verdict::Broken { .. } => None,
        };
        FailureObject {
            place: Place::of(span, sources),
            message,
            expected: failure.map(|failure| failure.expected.as_str()),
            values: failure
                .map_or(&[][..], |failure| &failure.facts)
                .iter()
                .map(|fact| ValueObject { expression: &fact.text, value: &fact.value })
                .collect(),
            events: failure.and_then(|failure| failure.events.as_deref()),
            tick: failure.map_or(test.ticks, |failure| failure.tick),
            time: failure.map_or(test.time, |failure| failure.time),
        }
    });
    let object = Object {
        place: Place::of(test.span, sources),
        name: &test.name,
        behavior: &test.behavior,
        verdict: word(test),
        ticks: test.ticks,
        time: test.time,
        failure,
    };
    serde_json::to_string(&object).ok()
}

fn suite(file: &FileOutcome) -> Suite {
    let mut cases = Vec::new();
    if file.broken() {
        let errors = file.compiled.diagnostics.error_count();
        let details = file.compiled.diagnostics.sorted();
        let details: Vec<_> = details
            .iter()
            .map(|diagnostic| crate::diagnostic::short::line(diagnostic, &file.compiled.sources))
            .collect();
        cases.push(Case {
            name: "the file compiles".into(),
            class: file.name().to_owned(),
            line: None,
            time: 0.0,
            verdict: junit::Verdict::Broken(plural(errors, "error"), details.join("\n")),
        });
    }
    for test in &file.tests {
        let details = |notes: &[String], label: &str| {
            let line = short_line(file, test).unwrap_or_default();
            [vec![line, label.to_owned()], notes.to_vec()].concat().join("\n")
        };
        let verdict = match explain(test) {
            None => junit::Verdict::Passed,
            Some((message, _, label, notes)) => {
                let details = details(&notes, &label);
                match test.verdict {
                    Verdict::Broken { .. } => junit::Verdict::Broken(message, details),
                    Verdict::Passed | Verdict::Failed(_) => junit::Verdict::Failed(message, details),
                }
            }
        };
        cases.push(Case {
            name: test.name.clone(),
            class: test.behavior.clone(),
            line: Some(file.compiled.sources.position(test.span).line),
            time: test.time,
            verdict,
        });
    }
    Suite { name: file.name().to_owned(), cases }
}
