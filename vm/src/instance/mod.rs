//! An instance: one running behavior, and everything a host does with it.
//!
//! All that changes is one flat block of words whose layout the program fixed, and besides it only texts that the
//! host gave and reports of what it did between ticks. How a tick works is not here, only where it begins.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use crate::error::{CreateError, TickError};
use crate::eval::STACK;
use crate::frame::{Frame, Output};
use crate::ids::{AnimationId, BehaviorId};
use crate::program::Program;
use crate::program::layout::{Layout, NONE};
use crate::program::tables::{Behavior, Type};
use crate::rng;
use crate::tick::{Core, glide};

mod check;
mod check_tracks;
mod commands;
pub(crate) mod globals;
mod inputs;
mod params;
mod read;
mod reports;
mod resolve;
mod samples;
mod save;
mod shares;
pub(crate) mod track;
mod values;
pub(crate) mod view;

use self::view::flag;

pub use self::commands::StopMode;
pub use self::globals::Globals;
pub use self::samples::Sample;
pub use self::values::Values;
pub use crate::tick::Host;

/// Reports of host commands that are kept until the next tick.
const PENDING: usize = 256;

/// What an instance starts with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup<'s> {
    /// For `random` and `RandomWeight`.
    pub seed: u64,
    /// Seconds, for animations whose durations the program leaves to the host; others keep their own.
    pub durations: &'s [(AnimationId, f32)],
}

/// One running behavior.
///
/// It can be cloned (a copy runs on alone) and sent between threads; the program is shared.
#[derive(Clone, Debug)]
pub struct Instance {
    program: Arc<Program>,
    behavior: BehaviorId,
    words: Box<[u32]>,
    texts: Box<[Option<Arc<str>>]>,
    /// Reports of commands since the last tick; made by the first one that reports.
    pending: Option<Box<Output>>,
}

/// The parts of an instance that a [`Core`] borrows, and what it needs besides.
macro_rules! borrow {
    ($instance:ident, $rows:ident, $layout:ident, $out:expr, $stack:expr, $host:expr) => {
        Core::new(
            &$instance.program,
            $rows,
            $layout,
            &mut $instance.words,
            &mut $instance.texts,
            $out,
            $stack,
            $host,
        )
    };
}

impl Instance {
    /// A new instance, in the initial states of its machines. No action runs.
    ///
    /// # Errors
    ///
    /// The behavior is not in the program; durations are missing (all of them are listed), negative or not finite.
    pub fn new(program: &Arc<Program>, behavior: BehaviorId, setup: &Setup<'_>) -> Result<Self, CreateError> {
        let (Some(rows), Some(layout)) = (program.behavior(behavior), program.layout(behavior)) else {
            return Err(CreateError::UnknownBehavior);
        };
        let mut words = vec![0; layout.words].into_boxed_slice();
        durations(program, rows, layout, setup, &mut words)?;
        initial_words(rows, layout, setup.seed, &mut words);
        let mut instance = Self {
            program: program.clone(),
            behavior,
            words,
            texts: vec![None; layout.host_texts].into_boxed_slice(),
            pending: None,
        };
        instance.evaluate(&mut Host::default(), |core| {
            core.create_damps();
            core.create_layers();
            core.create_motions();
            core.forget_answers();
        });
        Ok(instance)
    }

    /// The program it runs.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The behavior it runs.
    #[must_use]
    pub fn behavior(&self) -> BehaviorId {
        self.behavior
    }

    /// Lets `dt` seconds pass; the frame then holds what happened. Without a host: see [`tick_with`](Self::tick_with).
    ///
    /// # Errors
    ///
    /// As [`tick_with`](Self::tick_with).
    pub fn tick(&mut self, dt: f32, frame: &mut Frame) -> Result<(), TickError> {
        if self.glide(dt, frame, true) { Ok(()) } else { self.whole_tick(dt, &mut Host::default(), frame) }
    }

    /// Lets `dt` seconds pass, with a host that answers and shares; the frame then holds what happened.
    ///
    /// Inputs set before the tick hold for all of it; what is read after it is the state at its end. A `dt` of 0
    /// decides, and lets no time pass. Nothing is allocated, unless the frame has never held so many events.
    ///
    /// # Errors
    ///
    /// `dt` is negative, NaN or infinite; or the behavior has `Extern Predicate`s and the host answers none. Nothing
    /// changes then, but the frame is cleared.
    pub fn tick_with(&mut self, dt: f32, host: &mut Host<'_>, frame: &mut Frame) -> Result<(), TickError> {
        if self.glide(dt, frame, host.predicates.is_none()) {
            Ok(())
        } else {
            self.whole_tick(dt, host, frame)
        }
    }

    /// The tick of an instance that has nothing to decide, if nothing is due in it. `alone` says that the host does
    /// not answer.
    #[inline]
    fn glide(&mut self, dt: f32, frame: &mut Frame, alone: bool) -> bool {
        frame.clear();
        let (Some(rows), Some(layout)) =
            (self.program.behavior(self.behavior), self.program.layout(self.behavior))
        else {
            return false;
        };
        let settled = flag::STARTED | flag::QUIET;
        // As bits, a number that is finite and not negative is below infinity.
        dt.to_bits() < f32::INFINITY.to_bits()
            && layout.plain
            && !(alone && layout.extern_words > 0)
            && self.words.first().is_some_and(|word| word & settled == settled)
            && self.pending.as_ref().is_none_or(|pending| pending.events.is_empty())
            && glide(rows, layout, &mut self.words, dt)
    }

    #[inline(never)]
    fn whole_tick(&mut self, dt: f32, host: &mut Host<'_>, frame: &mut Frame) -> Result<(), TickError> {
        if !(dt >= 0.0 && dt.is_finite()) {
            return Err(TickError::BadDt(dt));
        }
        // Not -0.
        let dt = dt.abs();
        let (Some(rows), Some(layout)) =
            (self.program.behavior(self.behavior), self.program.layout(self.behavior))
        else {
            return Ok(());
        };
        if !rows.externs.is_empty() && host.predicates.is_none() {
            return Err(TickError::NoPredicates(self.extern_names()));
        }
        if let Some(pending) = &mut self.pending {
            frame.out.take_over(pending);
        }
        borrow!(self, rows, layout, &mut frame.out, &mut frame.stack, host).tick(dt);
        Ok(())
    }

    #[cold]
    fn extern_names(&self) -> Vec<String> {
        let rows = self.program.behavior(self.behavior);
        rows.into_iter()
            .flat_map(|rows| &rows.externs)
            .map(|name| self.program.text(*name).to_owned())
            .collect()
    }

    /// Does something between ticks that reports nothing and evaluates nothing.
    #[inline]
    fn quietly<R: Default>(&mut self, act: impl FnOnce(&mut Core<'_, '_>) -> R) -> R {
        self.act(&mut Output::new(0), &mut [], &mut Host::default(), act)
    }

    /// Does something between ticks that may evaluate code.
    fn evaluate<R: Default>(&mut self, host: &mut Host<'_>, act: impl FnOnce(&mut Core<'_, '_>) -> R) -> R {
        self.act(&mut Output::new(0), &mut [0; STACK], host, act)
    }

    /// Does something between ticks; what it reports is kept for the next one.
    fn command<R: Default>(&mut self, act: impl FnOnce(&mut Core<'_, '_>) -> R) -> R {
        let mut pending = self.pending.take().unwrap_or_else(|| Box::new(Output::new(PENDING)));
        let result = self.act(&mut pending, &mut [], &mut Host::default(), act);
        self.pending = Some(pending);
        result
    }

    #[inline]
    fn act<R: Default>(
        &mut self,
        out: &mut Output,
        stack: &mut [u32],
        host: &mut Host<'_>,
        act: impl FnOnce(&mut Core<'_, '_>) -> R,
    ) -> R {
        let (Some(rows), Some(layout)) =
            (self.program.behavior(self.behavior), self.program.layout(self.behavior))
        else {
            return R::default();
        };
        act(&mut borrow!(self, rows, layout, out, stack, host))
    }

    /// The size of all that changes, in bytes, without texts that the host gave.
    #[must_use]
    pub fn size_of_state(&self) -> usize {
        self.words.len() * 4
    }
}

/// Brings the host's durations into the block.
fn durations(
    program: &Program,
    rows: &Behavior,
    layout: &Layout,
    setup: &Setup<'_>,
    words: &mut [u32],
) -> Result<(), CreateError> {
    // No duration is NaN, so that marks what is missing.
    let missing = f32::NAN.to_bits();
    let name = |animation: AnimationId| {
        let row = rows.animations.get(animation.index());
        row.map_or("", |row| program.text(row.name)).to_owned()
    };
    let open = || layout.slots.iter().filter(|slot| slot.duration_at != NONE);
    for slot in open() {
        if let Some(word) = words.get_mut(slot.duration_at as usize) {
            *word = missing;
        }
    }
    for (animation, seconds) in setup.durations {
        let slot =
            layout.slot_of.get(animation.index()).and_then(|slot| layout.slots.get(usize::from(*slot)));
        let Some(slot) = slot else { return Err(CreateError::UnknownAnimation(animation.0)) };
        if !(*seconds >= 0.0 && seconds.is_finite()) {
            return Err(CreateError::BadDuration { name: name(*animation), seconds: *seconds });
        }
        if let Some(word) = words.get_mut(slot.duration_at as usize) {
            // Not -0.
            *word = (*seconds + 0.0).to_bits();
        }
    }
    let mut lacking: Vec<AnimationId> = open()
        .filter(|slot| words.get(slot.duration_at as usize) == Some(&missing))
        .map(|slot| slot.animation)
        .collect();
    if lacking.is_empty() {
        return Ok(());
    }
    lacking.sort_unstable();
    Err(CreateError::MissingDurations(lacking.into_iter().map(name).collect()))
}

/// Parameters, states and random state as they are at creation.
fn initial_words(rows: &Behavior, layout: &Layout, seed: u64, words: &mut [u32]) {
    let mut put = |at: usize, word: u32| {
        if let Some(to) = words.get_mut(at) {
            *to = word;
        }
    };
    if let Some(at) = layout.rng {
        let state = rng::seed(seed);
        put(at, state as u32);
        put(at + 1, (state >> 32) as u32);
    }
    for (slot, row) in layout.params.iter().zip(&rows.params) {
        put(slot.at as usize, row.initial);
        if slot.extra != NONE && row.ty != Type::Trigger {
            put(slot.extra as usize, row.initial);
        }
    }
    for (index, start) in layout.starts.iter().enumerate() {
        let at = layout.machines + index * crate::program::layout::MACHINE_WORDS;
        put(at, u32::from(start.0) | view::NO_STATE << 16);
        put(at + 1, view::NO_STATE | view::NO_STATE << 16);
    }
}
