//! Runs the `Test` items of a compiled file, each on an instance of its own.
//!
//! [`run`] gives what became of every test as data; showing it is the command line's matter. A test never fails to
//! end: ticks and statements are counted. It can be run on the program as compiled or on what its bytes load to.

mod events;
mod run;
mod sent;
mod value;

pub use self::sent::Sent;

use std::sync::Arc;

use motix_vm::program::EncodeOptions;
use motix_vm::{Frame, Instance, Program};

use crate::hir::{Statement, Test};
use crate::pipeline::Compiled;
use crate::source::Span;

/// The most ticks of a test: four and a half hours at 60 a second.
pub const MAX_TICKS: u64 = 1_000_000;
/// The most statements that a test runs, those of `Repeat` each time.
pub const MAX_STATEMENTS: u64 = 1_000_000;
/// The most events that one window of `Expect events` holds.
pub const MAX_WINDOW: usize = 100_000;

/// What became of a test.
#[derive(Clone, Debug)]
pub struct TestOutcome {
    /// Its name.
    pub name: String,
    /// The behavior it plays.
    pub behavior: String,
    /// From its keyword to its `for`.
    pub span: Span,
    /// How many ticks it ran.
    pub ticks: u64,
    /// How many seconds it simulated.
    pub time: f64,
    /// How it ended.
    pub verdict: Verdict,
}

/// How a test ended.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// All that it expects holds.
    Passed,
    /// An expectation does not hold; the first one.
    Failed(TestFailure),
    /// It could not be run to its end.
    Broken {
        /// The statement at which it stopped.
        span: Span,
        /// Why.
        reason: String,
    },
}

/// An expectation that does not hold.
#[derive(Clone, Debug)]
pub struct TestFailure {
    /// The statement.
    pub span: Span,
    /// What is expected, as written.
    pub expected: String,
    /// What there is instead: parts of the expression and their values.
    pub facts: Vec<Fact>,
    /// The events of the window, for an expectation of events; the last ones where there are many.
    pub events: Option<Vec<String>>,
    /// How many ticks the test had run.
    pub tick: u64,
    /// How many seconds it had simulated.
    pub time: f64,
}

/// A part of an expectation and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The part, as written.
    pub text: String,
    /// Its value.
    pub value: String,
}

impl TestOutcome {
    /// Whether all that it expects holds.
    #[must_use]
    pub fn passed(&self) -> bool {
        matches!(self.verdict, Verdict::Passed)
    }
}

/// Watches a test as it runs.
pub trait Watch {
    /// The instance is there; nothing was done yet.
    fn begins(&mut self, instance: &Instance);
    /// A statement was carried out, or an expectation holds; for `Repeat`, after what is in it.
    fn did(&mut self, statement: &Statement);
    /// A tick was played.
    fn ticked(&mut self, instance: &Instance, frame: &Frame, dt: f32);
}

/// Runs one test on the program as compiled, watched; without a program it does not begin.
pub fn watch<'a>(compiled: &'a Compiled, test: &'a Test, watch: &'a mut dyn Watch) -> TestOutcome {
    match &compiled.program {
        Some(program) => run::run(compiled, program, test, Some(watch)),
        None => {
            let reason = "the file has errors".into();
            run::outcome(compiled, test, 0, 0.0, Verdict::Broken { span: test.span, reason })
        }
    }
}

/// Runs the tests whose names contain `filter`, in order of declaration; none where the file has errors.
/// `through_bytes`: on what the program's bytes load to.
#[must_use]
pub fn run(compiled: &Compiled, filter: Option<&str>, through_bytes: bool) -> Vec<TestOutcome> {
    let Some(program) = &compiled.program else { return Vec::new() };
    let reloaded = match through_bytes {
        true => Program::load(&program.encode(EncodeOptions { strip: true })).map(Arc::new),
        false => Ok(program.clone()),
    };
    selected(compiled, filter)
        .map(|test| match &reloaded {
            Ok(program) => run::run(compiled, program, test, None),
            Err(error) => {
                let reason = format!("the program's own bytes do not load: {error}");
                run::outcome(compiled, test, 0, 0.0, Verdict::Broken { span: test.span, reason })
            }
        })
        .collect()
}

/// The tests whose names contain `filter`.
pub fn selected<'c>(compiled: &'c Compiled, filter: Option<&'c str>) -> impl Iterator<Item = &'c Test> {
    compiled
        .hir
        .tests
        .iter()
        .filter(move |test| filter.is_none_or(|filter| compiled.names.text(test.name).contains(filter)))
}
