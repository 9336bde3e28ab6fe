//! Ticking a crowd on several threads, with the feature `rayon`.
//!
//! The members are split at fixed places, however many threads there are, and each piece reports into a part of the frame
//! of its own; the parts are put together in order. So the outcome is that of [`Crowd::tick`], bit for bit.

use super::frame::Part;
use super::schedule::{BLOCK, Step};
use super::{Crowd, CrowdFrame, CrowdHost, Run};
use crate::error::TickError;
use crate::ids::{ComponentId, ExternId};
use crate::instance::Kind;

/// Members that tick one after the other: whole blocks.
const PIECE: usize = 16 * BLOCK;

/// Answers to `Extern Predicate`s that may be asked for by several threads at once.
type Answers<'a> = &'a (dyn Fn(usize, ComponentId, ExternId) -> bool + Sync);

impl Crowd {
    /// As [`tick`](Self::tick), on the threads of rayon's pool: the same bits, and the same events in the same order.
    ///
    /// # Errors
    ///
    /// As [`tick`](Self::tick).
    pub fn par_tick(&mut self, dt: f32, frame: &mut CrowdFrame) -> Result<(), TickError> {
        self.tick_pieces(dt, None, frame)
    }

    /// As [`tick_with`](Self::tick_with), on the threads of rayon's pool, with answers of a host that several may ask at
    /// once. A store of `Global Param`s cannot be shared so: their own values stand.
    ///
    /// # Errors
    ///
    /// `dt` is negative, NaN or infinite. Nothing changes then, but the frame is cleared.
    pub fn par_tick_with(
        &mut self,
        dt: f32,
        predicates: &(impl Fn(usize, ComponentId, ExternId) -> bool + Sync),
        frame: &mut CrowdFrame,
    ) -> Result<(), TickError> {
        self.tick_pieces(dt, Some(predicates), frame)
    }

    fn tick_pieces(
        &mut self,
        dt: f32,
        answers: Option<Answers<'_>>,
        frame: &mut CrowdFrame,
    ) -> Result<(), TickError> {
        frame.clear();
        let program = self.program.clone();
        let Some(kind) = Kind::of(&program, self.behavior) else { return Ok(()) };
        kind.admit(dt, answers.is_some())?;
        let parts = frame.parts(self.len().div_ceil(PIECE));
        let (step, run) = self.run(kind, dt);
        tick(run, parts, step, answers);
        frame.put_together();
        Ok(())
    }
}

/// Ticks a run, a piece for each part.
fn tick(run: Run<'_>, parts: &mut [Part], step: Step, answers: Option<Answers<'_>>) {
    let half = parts.len().div_ceil(2);
    match parts {
        [] => {}
        [part] => match answers {
            Some(answers) => {
                let mut predicates = |member, component, predicate| answers(member, component, predicate);
                let mut host = CrowdHost { predicates: Some(&mut predicates), globals: None };
                run.tick(step, &mut host, part);
            }
            None => run.tick(step, &mut CrowdHost::default(), part),
        },
        parts => {
            let Some((first_parts, other_parts)) = parts.split_at_mut_checked(half) else { return };
            let Some((first, others)) = run.split(half * PIECE) else { return };
            rayon::join(
                || tick(first, first_parts, step, answers),
                || tick(others, other_parts, step, answers),
            );
        }
    }
}
