//! Handles of the members of a crowd: the methods of an instance, for one of many.
//!
//! The methods are written beside this file and given to all ([`whole!`](super::component)); here is what a handle is,
//! and what only it has.

use alloc::boxed::Box;
use alloc::sync::Arc;

use super::Instance;
use super::behind::{Behind, catch_up};
use super::packed::{Known, Playing};
use super::rest::Rest;
use super::settled::is_marked;
use crate::frame::Output;
use crate::ids::BehaviorId;
use crate::program::Program;
use crate::program::layout::Slot;
use crate::time;

/// A member of a [`Crowd`](crate::Crowd), to read.
#[derive(Clone, Copy, Debug)]
pub struct MemberRef<'c> {
    pub(crate) program: &'c Arc<Program>,
    pub(crate) behavior: BehaviorId,
    pub(crate) words: &'c [u32],
    pub(crate) texts: &'c [Option<Arc<str>>],
    pub(crate) pending: Option<&'c Output>,
    pub(crate) behind: Behind,
}

/// Where a member stands, by the clock of its crowd; half a line of memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stand {
    /// The clock at which its words stand, less what they have left of ticks.
    since: u64,
    /// What stays of what it plays, as the last tick has left its words.
    first: Playing,
}

impl Stand {
    /// Of words that stand at that time of the clock.
    #[inline]
    pub(crate) fn new(words: &[u32], clock: u64, first: Playing) -> Self {
        Self { since: clock.wrapping_sub(time::left_of(words)), first }
    }

    /// By how many parts its words are behind.
    #[inline]
    pub(crate) fn behind(&self, words: &[u32], clock: u64) -> u64 {
        clock.wrapping_sub(self.since).wrapping_sub(time::left_of(words))
    }

    /// Whether its words need not be read for its samples.
    #[inline]
    pub(crate) fn is_known(&self) -> bool {
        self.first.is_known()
    }

    /// The units that are to pass yet in its words.
    #[inline]
    pub(crate) fn owed(&self, clock: u64) -> u64 {
        time::whole(clock.wrapping_sub(self.since))
    }

    /// Its samples at that time of the clock, where they are known.
    #[inline]
    pub(crate) fn samples<'a>(&'a self, second: &'a Playing, slots: &'a [Slot], clock: u64) -> Known<'a> {
        Known::new([&self.first, second], slots, self.owed(clock))
    }
}

/// A member that is lent out, in its crowd.
#[derive(Debug)]
pub(crate) struct Sleep<'c> {
    /// The clock of the crowd.
    pub(crate) clock: u64,
    pub(crate) stand: &'c mut Stand,
    /// Those that are to be woken in the next tick, a bit each,
    pub(crate) touched: &'c mut u64,
    /// and its own.
    pub(crate) bit: u64,
}

/// A member of a [`Crowd`](crate::Crowd), to read and to set.
#[derive(Debug)]
pub struct MemberMut<'c> {
    pub(crate) program: &'c Arc<Program>,
    pub(crate) behavior: BehaviorId,
    pub(crate) words: &'c mut [u32],
    pub(crate) texts: &'c mut [Option<Arc<str>>],
    pub(crate) pending: &'c mut Option<Box<Output>>,
    pub(crate) sleep: Sleep<'c>,
}

impl Instance {
    /// The instance as one of a crowd, to be copied there.
    pub(crate) fn as_member(&self) -> MemberRef<'_> {
        MemberRef {
            program: &self.program,
            behavior: self.behavior,
            words: &self.words,
            texts: &self.texts,
            pending: self.pending.as_deref(),
            behind: self.behind(),
        }
    }
}

impl MemberRef<'_> {
    /// A copy that runs on by itself.
    #[must_use]
    pub fn to_instance(&self) -> Instance {
        Instance {
            program: self.program.clone(),
            behavior: self.behavior,
            words: self.with_words_now(|words| words.into()),
            texts: self.texts.into(),
            pending: self.pending.cloned().map(Box::new),
            rest: Rest::default(),
        }
    }

    /// Whether no tick of any length, with the inputs as they are, would change or report anything: as
    /// [`Instance::is_settled`].
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let reports = self.pending.is_some_and(|pending| !pending.events.is_empty());
        let marked = || is_marked(self.program, self.behavior, self.words);
        !reports && (marked() || self.to_instance().is_settled())
    }

    pub(super) fn reports(&self) -> Option<&Output> {
        self.pending
    }

    pub(super) fn behind(&self) -> Behind {
        self.behind
    }
}

impl MemberMut<'_> {
    fn as_ref(&self) -> MemberRef<'_> {
        MemberRef {
            program: self.program,
            behavior: self.behavior,
            words: self.words,
            texts: self.texts,
            pending: self.pending.as_deref(),
            behind: self.behind(),
        }
    }

    /// A copy that runs on by itself.
    #[must_use]
    pub fn to_instance(&self) -> Instance {
        self.as_ref().to_instance()
    }

    /// Whether no tick of any length, with the inputs as they are, would change or report anything: as
    /// [`Instance::is_settled`].
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.as_ref().is_settled()
    }

    pub(super) fn reports(&self) -> Option<&Output> {
        self.pending.as_deref()
    }

    pub(super) fn behind(&self) -> Behind {
        Behind::of(self.words, self.sleep.stand.behind(self.words, self.sleep.clock))
    }

    /// As of an [`Instance`].
    #[inline]
    pub(super) fn touch(&mut self) {
        *self.sleep.touched |= self.sleep.bit;
    }

    /// As of an [`Instance`]: what the words have left of ticks may be another.
    pub(super) fn stand(&mut self) {
        *self.sleep.stand = Stand::new(self.words, self.sleep.clock, Playing::UNKNOWN);
    }

    /// As of an [`Instance`].
    #[inline]
    pub(super) fn wake(&mut self) {
        self.touch();
        let behind = self.sleep.stand.behind(self.words, self.sleep.clock);
        if behind > 0 {
            catch_up(self.program, self.behavior, self.words, behind);
        }
        self.stand();
    }

    pub(super) fn kept(&mut self) -> &mut Option<Box<Output>> {
        self.pending
    }
}
