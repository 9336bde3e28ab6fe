//! What the benchmarks share: sources in memory, their programs, instances, the clock.
//!
//! Nothing is caught here: a benchmark whose source has errors has no use.

use std::sync::Arc;
use std::time::{Duration, Instant as Clock};

use motix_vm::{BehaviorRef, Instance, Program, Setup};

pub use crate::model::real::Text;

/// What was asked for.
///
/// # Panics
/// Where there is a fault instead, with what it says.
pub fn given<T>(result: Result<T, impl std::fmt::Display>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

/// The program of a source.
///
/// # Panics
/// Where it has errors.
#[must_use]
pub fn program(source: &str) -> Arc<Program> {
    given(crate::model::real::program(source))
}

/// An instance that nothing is left open for.
///
/// # Panics
/// Where the host would have to give something.
#[must_use]
pub fn instance(program: &Arc<Program>, behavior: BehaviorRef<'_>) -> Instance {
    given(Instance::new(program, behavior.id(), &Setup::default()))
}

/// How long each part of a frame took, over the frames that count.
#[derive(Debug)]
pub struct Laps<const N: usize> {
    times: [Duration; N],
    /// Whether this frame counts.
    pub counts: bool,
}

impl<const N: usize> Default for Laps<N> {
    fn default() -> Self {
        Self { times: [Duration::ZERO; N], counts: false }
    }
}

impl<const N: usize> Laps<N> {
    /// Does a part of the frame.
    pub fn lap(&mut self, part: usize, work: impl FnOnce()) {
        let start = Clock::now();
        work();
        if self.counts {
            self.times[part] += start.elapsed();
        }
    }

    /// The nanoseconds of a part, divided among so many.
    #[must_use]
    pub fn each(&self, part: usize, among: usize) -> f64 {
        self.times[part].as_nanos() as f64 / among as f64
    }
}

/// The nanoseconds of the quickest of several runs; what `prepare` does is not measured.
pub fn best<P, T>(runs: usize, mut prepare: impl FnMut() -> P, mut work: impl FnMut(P) -> T) -> f64 {
    let run = |_| {
        let prepared = prepare();
        let start = Clock::now();
        let result = work(prepared);
        let time = start.elapsed();
        drop(std::hint::black_box(result));
        time.as_nanos() as f64
    };
    (0..runs).map(run).fold(f64::INFINITY, f64::min)
}
