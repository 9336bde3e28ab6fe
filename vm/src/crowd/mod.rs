//! A crowd: many instances of one behavior, kept side by side and ticked together.
//!
//! To each member happens exactly what would happen to an instance by itself: the same bits, the same events. What
//! differs is where members are (one list for the words of all) and what a tick touches. Members are known by their
//! places, as in a list.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use crate::error::{CreateError, RestoreError, TickError};
use crate::frame::Output;
use crate::ids::{BehaviorId, ComponentId};
use crate::instance::behind::{Behind, catch_up};
use crate::instance::view::View;
use crate::instance::{Instance, Kind, MemberMut, MemberRef, MigrationReport, Sample, Setup};
use crate::program::Program;

mod frame;
#[cfg(feature = "rayon")]
mod parallel;
mod run;
mod schedule;
mod standing;

pub use self::frame::CrowdFrame;
pub use self::run::CrowdHost;

use self::run::Run;
use self::schedule::{Schedule, Step};
use self::standing::Standing;

/// Many running instances of one behavior.
///
/// A member is known by its place, from 0 to [`len`](Self::len), as in a [`Vec`]. It is read through a [`MemberRef`] and
/// set through a [`MemberMut`], which have the methods of an [`Instance`].
pub struct Crowd {
    program: Arc<Program>,
    behavior: BehaviorId,
    /// Words of a member.
    stride: usize,
    /// Texts of a member.
    texts_stride: usize,
    words: Vec<u32>,
    texts: Vec<Option<Arc<str>>>,
    /// For each member, reports of commands since the last tick; made by the first one that reports.
    pending: Vec<Option<Box<Output>>>,
    schedule: Schedule,
    standing: Standing,
}

impl Clone for Crowd {
    fn clone(&self) -> Self {
        Self {
            program: Arc::clone(&self.program),
            words: self.words.clone(),
            texts: self.texts.clone(),
            pending: self.pending.clone(),
            schedule: self.schedule.clone(),
            standing: self.standing.clone(),
            ..*self
        }
    }

    /// Becomes a copy of another; where there is room for as many members, and no reports wait, nothing is allocated.
    fn clone_from(&mut self, source: &Self) {
        self.program.clone_from(&source.program);
        (self.behavior, self.stride, self.texts_stride) =
            (source.behavior, source.stride, source.texts_stride);
        self.words.clone_from(&source.words);
        self.texts.clone_from(&source.texts);
        self.schedule.clone_from(&source.schedule);
        self.standing.clone_from(&source.standing);
        self.pending.resize_with(source.len(), || None);
        for (kept, pending) in self.pending.iter_mut().zip(&source.pending) {
            match (kept, pending.as_ref().filter(|pending| !pending.is_empty())) {
                (kept, Some(pending)) => *kept = Some(pending.clone()),
                (Some(kept), None) => kept.clear(),
                (None, None) => {}
            }
        }
    }
}

impl fmt::Debug for Crowd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crowd")
            .field("behavior", &self.behavior)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

impl Crowd {
    /// A crowd without members.
    ///
    /// # Errors
    ///
    /// The behavior is not in the program.
    pub fn new(program: &Arc<Program>, behavior: BehaviorId) -> Result<Self, CreateError> {
        let tree = program.layout(behavior).ok_or(CreateError::UnknownBehavior)?.tree;
        Ok(Self {
            program: program.clone(),
            behavior,
            stride: tree.words,
            texts_stride: tree.texts,
            words: Vec::new(),
            texts: Vec::new(),
            pending: Vec::new(),
            schedule: Schedule::default(),
            standing: Standing::default(),
        })
    }

    /// The program that all run.
    #[must_use]
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The behavior that all run.
    #[must_use]
    pub fn behavior(&self) -> BehaviorId {
        self.behavior
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pending.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// Makes room for so many members more.
    pub fn reserve(&mut self, members: usize) {
        self.words.reserve(members.saturating_mul(self.stride));
        self.texts.reserve(members.saturating_mul(self.texts_stride));
        self.pending.reserve(members);
        self.schedule.reserve(members);
        self.standing.reserve(members, self.shows_few());
    }

    /// Whether what members show is kept beside their words.
    fn shows_few(&self) -> bool {
        self.program.layout(self.behavior).is_some_and(|layout| layout.few)
    }

    /// A new member, in the initial states of its machines; gives its place, the last one.
    ///
    /// # Errors
    ///
    /// As [`Instance::new`].
    pub fn push(&mut self, setup: &Setup<'_>) -> Result<usize, CreateError> {
        let instance = Instance::new(&self.program, self.behavior, setup)?;
        Ok(self.append(&instance))
    }

    /// A copy of an instance as a member, with all that it has done; gives its place, the last one.
    ///
    /// # Errors
    ///
    /// It is of another program or behavior; nothing changes then.
    pub fn add(&mut self, instance: &Instance) -> Result<usize, RestoreError> {
        let (saved, here) = (instance.program().hash(), self.program.hash());
        if saved != here {
            return Err(RestoreError::OtherProgram { saved, here });
        }
        if instance.behavior() != self.behavior {
            return Err(RestoreError::OtherBehavior);
        }
        Ok(self.append(instance))
    }

    fn append(&mut self, instance: &Instance) -> usize {
        let place = self.len();
        let member = instance.as_member();
        member.with_words_now(|words| self.words.extend_from_slice(words));
        self.texts.extend_from_slice(member.texts);
        self.pending.push(member.pending.cloned().map(Box::new));
        self.schedule.push();
        let words = part(&self.words, self.stride, place).unwrap_or_default();
        self.standing.push(words, self.schedule.clock(), self.shows_few());
        place
    }

    /// Takes a member out; the last one takes its place. `None` where there is no such place.
    pub fn swap_remove(&mut self, member: usize) -> Option<Instance> {
        let instance = self.member(member)?.to_instance();
        let last = self.len().checked_sub(1)?;
        fill(&mut self.words, self.stride, member, last);
        fill(&mut self.texts, self.texts_stride, member, last);
        self.pending.swap_remove(member);
        self.schedule.swap_remove(member);
        self.standing.swap_remove(member);
        Some(instance)
    }

    /// The crowd in a changed program: each member goes on as [`Instance::migrate`] has it, the durations and the seed
    /// of `setup` being those of all. The report tells each thing once that any member lost.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), and as [`Instance::new`] for each member.
    pub fn migrate(
        &self,
        program: &Arc<Program>,
        behavior: BehaviorId,
        setup: &Setup<'_>,
    ) -> Result<(Self, MigrationReport), CreateError> {
        let mut crowd = Self::new(program, behavior)?;
        let mut report = MigrationReport::default();
        for member in self.members() {
            let (instance, own) = member.to_instance().migrate(program, behavior, setup)?;
            crowd.append(&instance);
            for lost in own.lost {
                if !report.lost.contains(&lost) {
                    report.lost.push(lost);
                }
            }
        }
        Ok((crowd, report))
    }

    /// Takes all members out; the memory stays.
    pub fn clear(&mut self) {
        self.words.clear();
        self.texts.clear();
        self.pending.clear();
        self.schedule.clear();
        self.standing.clear();
    }

    /// A member, to read; `None` where there is no such place.
    #[must_use]
    pub fn member(&self, member: usize) -> Option<MemberRef<'_>> {
        let pending = self.pending.get(member)?.as_deref();
        let words = part(&self.words, self.stride, member)?;
        Some(MemberRef {
            program: &self.program,
            behavior: self.behavior,
            words,
            texts: part(&self.texts, self.texts_stride, member)?,
            pending,
            behind: Behind::of(words, self.standing.behind(member, words, self.schedule.clock())),
        })
    }

    /// A member, to read and to set; `None` where there is no such place. What is set holds from the next tick on.
    pub fn member_mut(&mut self, member: usize) -> Option<MemberMut<'_>> {
        let pending = self.pending.get_mut(member)?;
        let words = part_mut(&mut self.words, self.stride, member)?;
        self.schedule.touch(member);
        self.standing.touch(member, words, self.schedule.clock(), |words, behind| {
            catch_up(&self.program, self.behavior, words, behind);
        });
        Some(MemberMut {
            program: &self.program,
            behavior: self.behavior,
            words,
            texts: part_mut(&mut self.texts, self.texts_stride, member)?,
            pending,
        })
    }

    /// The members, to read, by their places.
    pub fn members(&self) -> impl Iterator<Item = MemberRef<'_>> {
        (0..self.len()).filter_map(|member| self.member(member))
    }

    /// Calls `visit` with each sample of each member and the member's place: as their
    /// [`samples`](MemberRef::samples), one after the other, and quicker.
    pub fn for_each_sample(&self, mut visit: impl FnMut(usize, Sample)) {
        let layout = self.program.layout(self.behavior).filter(|layout| layout.few);
        let Some((rows, layout)) = self.program.behavior(self.behavior).zip(layout) else {
            for (place, member) in self.members().enumerate() {
                member.samples().for_each(|sample| visit(place, sample));
            }
            return;
        };
        let (clock, slots) = (self.schedule.clock(), &layout.slots[..]);
        for (place, (member, second)) in self.standing.all().enumerate() {
            if member.is_known() {
                member.samples(second, slots, clock).for_each(|sample| visit(place, sample));
            } else {
                let words = part(&self.words, self.stride, place).unwrap_or_default();
                let view = View { rows, layout, words, owed: member.owed(clock) };
                view.samples(ComponentId::ROOT).for_each(|sample| visit(place, sample));
            }
        }
    }

    /// Lets `dt` seconds pass for all; the frame then holds what happened, member by member. Without a host: see
    /// [`tick_with`](Self::tick_with).
    ///
    /// # Errors
    ///
    /// As [`tick_with`](Self::tick_with).
    pub fn tick(&mut self, dt: f32, frame: &mut CrowdFrame) -> Result<(), TickError> {
        self.tick_with(dt, &mut CrowdHost::default(), frame)
    }

    /// Lets `dt` seconds pass for all, with a host that answers and shares; the frame then holds what happened, member
    /// by member.
    ///
    /// The members tick in the order of their places: what one writes into the store, those behind it see in this tick.
    /// Nothing is allocated, unless the frame has never held so many events.
    ///
    /// # Errors
    ///
    /// `dt` is negative, NaN or infinite; or the behavior has `Extern Predicate`s and the host answers none. Nothing
    /// changes then, but the frame is cleared. So it is without members, too.
    pub fn tick_with(
        &mut self,
        dt: f32,
        host: &mut CrowdHost<'_>,
        frame: &mut CrowdFrame,
    ) -> Result<(), TickError> {
        frame.clear();
        let program = self.program.clone();
        let Some(kind) = Kind::of(&program, self.behavior) else { return Ok(()) };
        kind.admit(dt, host.predicates.is_some())?;
        let (step, run) = self.run(kind, dt);
        if let [part] = frame.parts(1) {
            run.tick(step, host, part);
        }
        Ok(())
    }

    /// All members, on their way to a tick.
    fn run<'c>(&'c mut self, kind: Kind<'c>, dt: f32) -> (Step, Run<'c>) {
        let (step, times) = self.schedule.step(dt);
        let run = Run {
            kind,
            first: 0,
            words: &mut self.words,
            texts: &mut self.texts,
            pending: &mut self.pending,
            times,
            standing: self.standing.as_mut(),
        };
        (step, run)
    }
}

/// What a member has in a list in which each has `stride` elements.
fn part<T>(all: &[T], stride: usize, member: usize) -> Option<&[T]> {
    all.get(member.checked_mul(stride)?..)?.get(..stride)
}

fn part_mut<T>(all: &mut [T], stride: usize, member: usize) -> Option<&mut [T]> {
    all.get_mut(member.checked_mul(stride)?..)?.get_mut(..stride)
}

/// Gives a member what the last one has, which is gone then.
fn fill<T: Clone>(all: &mut Vec<T>, stride: usize, member: usize, last: usize) {
    if let Some((before, end)) = all.split_at_mut_checked(last * stride)
        && let Some(to) = part_mut(before, stride, member)
    {
        to.clone_from_slice(end);
    }
    all.truncate(last * stride);
}
