//! An instance: one running behavior, and everything a host does with it.
//!
//! Components are seen through handles that have the methods of an instance.
//!
//! All that changes is one flat block of words whose layout the program fixed, and besides it only texts that the
//! host gave and reports of what it did between ticks. How a tick works is not here, only where it begins.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::error::TickError;
use crate::frame::{Frame, Output};
use crate::ids::BehaviorId;
use crate::program::Program;
use crate::tick::{Core, glide};
use crate::time;

#[macro_use]
mod component;
#[cfg_attr(not(test), expect(dead_code, reason = "only those who tick many instances leave some alone"))]
pub(crate) mod behind;
mod check;
mod check_tracks;
mod commands;
mod create;
pub(crate) mod globals;
mod inputs;
mod migrate;
mod params;
mod read;
mod reports;
mod resolve;
mod samples;
mod save;
mod settled;
mod shares;
mod sink;
pub(crate) mod track;
mod values;
pub(crate) mod view;

use self::view::flag;

pub use self::commands::StopMode;
pub use self::component::{ComponentMut, ComponentRef};
pub use self::create::Setup;
pub use self::globals::Globals;
pub use self::migrate::{Lost, MigrationReport};
pub use self::samples::Sample;
pub use self::values::Values;
pub use crate::tick::Host;

/// Reports of host commands that are kept until the next tick.
const PENDING: usize = 256;

/// One running behavior.
///
/// It can be cloned (a copy runs on alone) and sent between threads; the program is shared.
#[derive(Debug)]
pub struct Instance {
    program: Arc<Program>,
    behavior: BehaviorId,
    words: Box<[u32]>,
    texts: Box<[Option<Arc<str>>]>,
    /// Reports of commands since the last tick; made by the first one that reports.
    pending: Option<Box<Output>>,
}

impl Clone for Instance {
    fn clone(&self) -> Self {
        Self {
            program: Arc::clone(&self.program),
            behavior: self.behavior,
            words: self.words.clone(),
            texts: self.texts.clone(),
            pending: self.pending.clone(),
        }
    }

    /// Becomes a copy of another; where both are of one behavior, and no reports wait, nothing is allocated.
    fn clone_from(&mut self, source: &Self) {
        if !Arc::ptr_eq(&self.program, &source.program) {
            self.program = Arc::clone(&source.program);
        }
        self.behavior = source.behavior;
        self.words.clone_from(&source.words);
        self.texts.clone_from(&source.texts);
        self.await_reports(source.pending.as_deref().filter(|pending| !pending.is_empty()).cloned());
    }
}

impl Instance {
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
        let first = self.words.first().copied().unwrap_or(0);
        let quiet = flag::STARTED | flag::QUIET;
        // As bits, a number that is finite and not negative is below infinity.
        if dt.to_bits() >= f32::INFINITY.to_bits()
            || self.pending.as_ref().is_some_and(|pending| !pending.events.is_empty())
        {
            return false;
        }
        let (after, units) = time::pass(first, dt);
        let passed = first & flag::SETTLED != 0
            && settled::rest_all(&self.program, self.behavior, &mut self.words, units)
            || layout.plain
                && rows.components.is_empty()
                && !(alone && layout.extern_words > 0)
                && first & quiet == quiet
                && dt != 0.0
                && glide(rows, layout, &mut self.words, units);
        if let (Some(first), true) = (self.words.first_mut(), passed) {
            *first = *first & !time::REST | after & time::REST;
        }
        passed
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
        if layout.tree.asks && host.predicates.is_none() {
            return Err(TickError::NoPredicates(self.extern_names()));
        }
        if let Some(pending) = &mut self.pending {
            frame.out.take_over(pending);
        }
        let (words, texts) = (&mut self.words, &mut self.texts);
        let (out, stack) = (&mut frame.out, &mut frame.stack);
        Core::new(&self.program, rows, layout, words, texts, out, stack, host).tick(dt);
        Ok(())
    }

    #[cold]
    fn extern_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for (id, part) in self.program.parts(self.behavior) {
            let externs = self.program.behavior(part.behavior).map_or(&[][..], |rows| &rows.externs);
            names.extend(externs.iter().map(|name| self.program.inner_name(self.behavior, id, *name)));
        }
        names
    }

    /// These reports are to come first in the next tick, and no others.
    fn await_reports(&mut self, pending: Option<Output>) {
        match (&mut self.pending, pending) {
            (kept, Some(pending)) => *kept = Some(Box::new(pending)),
            (Some(kept), None) => kept.clear(),
            (None, None) => {}
        }
    }

    /// The size of all that changes, in bytes, without texts that the host gave.
    #[must_use]
    pub fn size_of_state(&self) -> usize {
        self.words.len() * 4
    }
}
