//! An instance: one running behavior, and everything a host does with it.
//!
//! Components, and the members of a crowd, are seen through handles that have the methods of an instance.
//!
//! All that changes is one flat block of words whose layout the program fixed, and besides it only texts that the
//! host gave and reports of what it did between ticks. How a tick works is not here, only where it begins.

use alloc::boxed::Box;
use alloc::sync::Arc;

use crate::error::TickError;
use crate::frame::{Frame, Output};
use crate::ids::BehaviorId;
use crate::program::Program;

pub(crate) mod active;
#[macro_use]
mod component;
pub(crate) mod behind;
mod check;
mod check_tracks;
mod commands;
mod create;
pub(crate) mod globals;
mod inputs;
mod kind;
mod member;
mod migrate;
pub(crate) mod packed;
mod params;
pub(crate) mod pool;
mod read;
mod reports;
mod resolve;
mod rest;
mod samples;
mod save;
mod settled;
mod shares;
mod shown;
mod sink;
pub(crate) mod track;
mod values;
pub(crate) mod view;

pub(crate) use self::kind::Kind;

use self::rest::Rest;

pub use self::commands::StopMode;
pub use self::component::{ComponentMut, ComponentRef};
pub use self::create::Setup;
pub use self::globals::Globals;
pub use self::member::{MemberMut, MemberRef};
pub(crate) use self::member::{Sleep, Stand};
pub use self::migrate::{Lost, MigrationReport};
pub use self::samples::Sample;
pub use self::values::Values;
pub use crate::tick::Host;

/// Reports of host commands that are kept until the next tick.
const PENDING: usize = 256;

/// One running behavior.
///
/// It can be cloned (a copy runs on alone) and sent between threads; the program is shared.
///
/// It is two lines of memory; what most ticks and reads need stands in the first one.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Instance {
    program: Arc<Program>,
    behavior: BehaviorId,
    rest: Rest,
    words: Box<[u32]>,
    texts: Box<[Option<Arc<str>>]>,
    /// Reports of commands since the last tick; made by the first one that reports.
    pending: Option<Box<Output>>,
}

const _: () = assert!(size_of::<Instance>() <= 128);

impl Clone for Instance {
    fn clone(&self) -> Self {
        Self {
            program: Arc::clone(&self.program),
            behavior: self.behavior,
            words: self.words.clone(),
            texts: self.texts.clone(),
            pending: self.pending.clone(),
            rest: self.rest,
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
        self.rest = source.rest;
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
    #[inline(always)] // what rests is done in a few instructions
    pub fn tick(&mut self, dt: f32, frame: &mut Frame) -> Result<(), TickError> {
        frame.clear();
        if self.rest.pass(dt) { Ok(()) } else { self.tick_on(dt, &mut Host::default(), frame) }
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
    #[inline(always)] // what rests is done in a few instructions
    pub fn tick_with(&mut self, dt: f32, host: &mut Host<'_>, frame: &mut Frame) -> Result<(), TickError> {
        frame.clear();
        if self.rest.pass(dt) { Ok(()) } else { self.tick_on(dt, host, frame) }
    }

    /// The tick of an instance that does not rest.
    #[inline(never)]
    fn tick_on(&mut self, dt: f32, host: &mut Host<'_>, frame: &mut Frame) -> Result<(), TickError> {
        if self.glide(dt, frame, host.predicates.is_none()) {
            return Ok(());
        }
        self.whole_tick(dt, host, frame)
    }

    /// The tick of an instance in which nothing is due, if it is one. `alone` says that the host does not answer.
    fn glide(&mut self, dt: f32, frame: &mut Frame, alone: bool) -> bool {
        let reports = self.pending.as_ref().is_some_and(|pending| !pending.events.is_empty());
        let Some(kind) = Kind::of(&self.program, self.behavior).filter(|_| !reports) else { return false };
        if self.rest.pass_alone(kind, &mut self.words, dt, alone, &mut frame.out) {
            return true;
        }
        self.rest.catch_up(kind, &mut self.words);
        let passed = kind.short_tick(&mut self.words, dt, alone, &mut frame.out);
        if passed {
            self.rest.begin(kind, &mut self.words);
        }
        passed
    }

    #[inline(never)]
    fn whole_tick(&mut self, dt: f32, host: &mut Host<'_>, frame: &mut Frame) -> Result<(), TickError> {
        let Some(kind) = Kind::of(&self.program, self.behavior) else { return Ok(()) };
        kind.admit(dt, host.predicates.is_some())?;
        self.rest.catch_up(kind, &mut self.words);
        let (block, out) = ((&mut *self.words, &mut *self.texts), (&mut frame.out, &mut frame.stack[..]));
        kind.whole_tick(block, self.pending.as_deref_mut(), dt, host, out);
        self.rest.begin(kind, &mut self.words);
        Ok(())
    }

    /// The size of all that changes, in bytes, without texts that the host gave.
    #[must_use]
    pub fn size_of_state(&self) -> usize {
        self.words.len() * 4
    }
}
