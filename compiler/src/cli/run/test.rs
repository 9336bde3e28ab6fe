//! Plays a `Test` block and records it.
//!
//! The test runs as `motixc test` runs it; this only watches. It ends at the first expectation that does not hold.

use motix_vm::program::BehaviorRef;
use motix_vm::{Frame, Instance};

use super::recorder::Recorder;
use super::select::Played;
use crate::cli::report::plural;
use crate::cli::timeline::{MarkKind, Recording};
use crate::cli::{Context, Exit, Failure, Outcome};
use crate::hir::{Statement, StatementKind, Test};
use crate::pipeline::Compiled;
use crate::testing::{self, TestOutcome, Verdict};

/// The most ticks that are recorded.
const MAX_RECORDED: usize = super::MAX_TICKS;

/// A test as it was played.
pub(super) struct Ended {
    outcome: TestOutcome,
    /// How many expectations held.
    held: usize,
    /// How many ticks were played beyond those recorded.
    unrecorded: usize,
}

/// Plays the test of that name.
pub(super) fn play(played: &Played, name: &str) -> Result<(Recording, Ended), Failure> {
    let Some(compiled) = played.compiled() else {
        return Err(Failure::Usage("a built program has no tests; `--test` needs the source".into()));
    };
    let test = find(compiled, name)?;
    let Some(behavior) = played.program().at(test.behavior) else {
        return Err(Failure::Usage(format!("the behavior of the test `{name}` is not in the program")));
    };
    let mut watcher = Watcher { compiled, behavior, fps: test.fps, recorder: None, held: 0, ticks: 0 };
    let outcome = testing::watch(compiled, test, &mut watcher);
    let Watcher { recorder, held, ticks, .. } = watcher;
    let Some(mut recorder) = recorder else {
        let Verdict::Broken { reason, .. } = &outcome.verdict else {
            return Err(Failure::Usage(format!("the test `{}` did not begin", outcome.name)));
        };
        return Err(Failure::Usage(format!("the test `{}` cannot begin: {reason}", outcome.name)));
    };
    match &outcome.verdict {
        Verdict::Passed => {}
        Verdict::Failed(failure) => {
            let facts: Vec<String> =
                failure.facts.iter().map(|fact| format!("{} is {}", fact.text, fact.value)).collect();
            let facts = if facts.is_empty() { String::new() } else { format!(": {}", facts.join(", ")) };
            recorder.mark(MarkKind::Failed, format!("Expect {}{facts}", failure.expected));
        }
        Verdict::Broken { reason, .. } => recorder.mark(MarkKind::Failed, reason.clone()),
    }
    let recording = recorder.finish(Some(outcome.name.clone()));
    Ok((recording, Ended { outcome, held, unrecorded: ticks.saturating_sub(MAX_RECORDED) }))
}

/// Says below the timeline how the test ended.
pub(super) fn conclude(context: &mut Context<'_>, played: &Played, ended: &Ended) -> Outcome {
    context.out.flush()?;
    let paint = |style: &str, text: &str, color: bool| match color {
        true => format!("\u{1b}[{style}m{text}\u{1b}[0m"),
        false => text.to_owned(),
    };
    let color = context.err_color;
    if ended.unrecorded > 0 {
        let note = paint("1;36", "note:", color);
        writeln!(context.err, "{note} only the first {MAX_RECORDED} ticks are shown")?;
    }
    let held = plural(ended.held, "expectation");
    let verb = if ended.held == 1 { "holds" } else { "hold" };
    if ended.outcome.passed() {
        writeln!(context.err, "{}: {held} {verb}", paint("1;32", "passed", color))?;
        return Ok(Exit::Fine);
    }
    let span = match &ended.outcome.verdict {
        Verdict::Failed(failure) => failure.span,
        Verdict::Broken { span, .. } => *span,
        Verdict::Passed => ended.outcome.span,
    };
    let place = played.compiled().map_or_else(String::new, |compiled| {
        let position = compiled.sources.position(span);
        format!(" at {}:{}", compiled.sources.file(span.file).name, position.line)
    });
    writeln!(context.err, "{}{place}: {held} {verb} before", paint("1;31", "FAILED", color))?;
    Ok(Exit::Findings)
}

/// The test of that name, or the only one whose name contains it.
fn find<'c>(compiled: &'c Compiled, name: &str) -> Result<&'c Test, Failure> {
    let tests = &compiled.hir.tests;
    let named = |test: &&Test| compiled.names.text(test.name) == name;
    if let Some(test) = tests.iter().find(named) {
        return Ok(test);
    }
    let near: Vec<&Test> =
        tests.iter().filter(|test| compiled.names.text(test.name).contains(name)).collect();
    match near[..] {
        [test] => Ok(test),
        [] => {
            let names = shown(compiled, &tests.iter().collect::<Vec<_>>());
            let rest = if tests.is_empty() {
                "; the file has none".to_owned()
            } else {
                format!("; there are {names}")
            };
            Err(Failure::Usage(format!("`--test`: no test has `{name}` in its name{rest}")))
        }
        _ => Err(Failure::Usage(format!("`--test`: `{name}` could be {}", shown(compiled, &near)))),
    }
}

/// The names of tests; of many the first ones.
fn shown(compiled: &Compiled, tests: &[&Test]) -> String {
    const SHOWN: usize = 10;
    let mut names: Vec<String> =
        tests.iter().take(SHOWN).map(|test| format!("`{}`", compiled.names.text(test.name))).collect();
    if tests.len() > SHOWN {
        names.push(format!("{} more", tests.len() - SHOWN));
    }
    names.join(", ")
}

struct Watcher<'c> {
    compiled: &'c Compiled,
    behavior: BehaviorRef<'c>,
    fps: f32,
    /// From the first statement on.
    recorder: Option<Recorder<'c>>,
    held: usize,
    ticks: usize,
}

impl testing::Watch for Watcher<'_> {
    fn begins(&mut self, instance: &Instance) {
        self.recorder = Some(Recorder::new(self.behavior, instance, self.fps));
    }

    fn did(&mut self, statement: &Statement) {
        match &statement.kind {
            // Time passes in ticks, which show themselves.
            StatementKind::Step(_)
            | StatementKind::Wait(_)
            | StatementKind::Tick(_)
            | StatementKind::Repeat(..) => {}
            StatementKind::Expect(_) => self.held += 1,
            _ if self.ticks > MAX_RECORDED => {}
            _ => {
                let text = self.compiled.sources.text(statement.span);
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                if let Some(recorder) = &mut self.recorder {
                    recorder.mark(MarkKind::Input, text);
                }
            }
        }
    }

    fn ticked(&mut self, instance: &Instance, frame: &Frame, dt: f32) {
        self.ticks += 1;
        if let Some(recorder) = self.recorder.as_mut().filter(|_| self.ticks <= MAX_RECORDED) {
            recorder.tick(instance, frame, dt);
        }
    }
}
