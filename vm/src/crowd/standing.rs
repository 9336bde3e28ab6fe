//! Where members stand: how far their words are behind the crowd's clock, and what they show, kept
//! [packed](crate::instance::packed), so that reading all samples of a crowd does not walk through the words of all.

use alloc::vec::Vec;
use core::hint::black_box;

use crate::instance::packed::{Known, Playing};
use crate::program::layout::{Layout, Slot};
use crate::time;

/// Where all members stand.
#[derive(Debug, Default)]
pub(super) struct Standing {
    members: Vec<Member>,
    /// What else each member plays for a while; nothing is kept of a behavior that may show much.
    second: Vec<Playing>,
}

/// The same of members that stand side by side.
pub(super) struct StandingMut<'c> {
    members: &'c mut [Member],
    second: &'c mut [Playing],
}

/// Where a member stands; half a line of memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member {
    /// The clock of the crowd at which its words stand, less what they have left of ticks.
    since: u64,
    /// What stays of what it plays, as the last tick has left its words.
    first: Playing,
}

impl Member {
    /// Of words that stand at that time of the clock.
    #[inline]
    fn new(words: &[u32], clock: u64, first: Playing) -> Self {
        Self { since: clock.wrapping_sub(left(words)), first }
    }

    /// By how many parts its words are behind.
    #[inline]
    fn behind(&self, words: &[u32], clock: u64) -> u64 {
        clock.wrapping_sub(self.since).wrapping_sub(left(words))
    }

    /// Whether its words need not be read for its samples.
    #[inline]
    pub(super) fn is_known(&self) -> bool {
        self.first.is_known()
    }

    /// The units that are to pass yet in its words.
    #[inline]
    pub(super) fn owed(&self, clock: u64) -> u64 {
        time::whole(clock.wrapping_sub(self.since))
    }

    /// Its samples at that time of the clock, where they are known.
    #[inline]
    pub(super) fn samples<'a>(&'a self, second: &'a Playing, slots: &'a [Slot], clock: u64) -> Known<'a> {
        Known::new([&self.first, second], slots, self.owed(clock))
    }
}

/// What words have left of ticks.
#[inline]
fn left(words: &[u32]) -> u64 {
    words.first().map_or(0, |first| time::left(*first))
}

impl Standing {
    /// Another member, whose words stand at that time of the clock, of a behavior that shows few or may show much.
    pub(super) fn push(&mut self, words: &[u32], clock: u64, few: bool) {
        self.members.push(Member::new(words, clock, Playing::UNKNOWN));
        if few {
            self.second.push(Playing::NOTHING);
        }
    }

    pub(super) fn reserve(&mut self, members: usize, few: bool) {
        self.members.reserve(members);
        self.second.reserve(if few { members } else { 0 });
    }

    /// The last member takes the place of another.
    pub(super) fn swap_remove(&mut self, member: usize) {
        if member < self.members.len() {
            self.members.swap_remove(member);
        }
        if member < self.second.len() {
            self.second.swap_remove(member);
        }
    }

    pub(super) fn clear(&mut self) {
        self.members.clear();
        self.second.clear();
    }

    pub(super) fn as_mut(&mut self) -> StandingMut<'_> {
        StandingMut { members: &mut self.members, second: &mut self.second }
    }

    /// By how many parts a member is behind.
    #[inline]
    pub(super) fn behind(&self, member: usize, words: &[u32], clock: u64) -> u64 {
        self.members.get(member).map_or(0, |member| member.behind(words, clock))
    }

    /// From now on a member stands where the clock does: `catch_up` brings its words forward, if they are behind. What it
    /// plays is not known any more.
    #[inline]
    pub(super) fn touch(
        &mut self,
        member: usize,
        words: &mut [u32],
        clock: u64,
        catch_up: impl FnOnce(&mut [u32], u64),
    ) {
        let Some(member) = self.members.get_mut(member) else { return };
        let behind = member.behind(words, clock);
        if behind > 0 {
            catch_up(words, behind);
        }
        *member = Member::new(words, clock, Playing::UNKNOWN);
    }

    /// All members of a behavior that shows few, and what else each of them plays for a while.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Member, &Playing)> {
        self.members.iter().zip(&self.second)
    }
}

impl Clone for Standing {
    fn clone(&self) -> Self {
        Self { members: self.members.clone(), second: self.second.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.members.clone_from(&source.members);
        self.second.clone_from(&source.second);
    }
}

impl StandingMut<'_> {
    /// Reads of a member: it is of no interest, only that it comes near.
    #[inline]
    pub(super) fn bring_near(&self, member: usize) {
        black_box(self.members.get(member).map(Member::is_known));
    }

    /// By how many parts a member is behind.
    #[inline]
    pub(super) fn behind(&self, member: usize, words: &[u32], clock: u64) -> u64 {
        self.members.get(member).map_or(0, |member| member.behind(words, clock))
    }

    /// A tick has left a member's words at that time of the clock.
    #[inline]
    pub(super) fn set(&mut self, member: usize, layout: &Layout, words: &[u32], clock: u64) {
        let Some(to) = self.members.get_mut(member) else { return };
        let (first, second) = Playing::all(layout, words).unwrap_or((Playing::UNKNOWN, None));
        *to = Member::new(words, clock, first);
        if let (Some(second), Some(to)) = (second, self.second.get_mut(member)) {
            *to = second;
        }
    }

    /// The first members, so many, and the others.
    #[cfg(feature = "rayon")]
    pub(super) fn split(self, members: usize) -> (Self, Self) {
        let (first, others) = self.members.split_at_mut(members.min(self.members.len()));
        let second = self.second.split_at_mut(members.min(self.second.len()));
        (Self { members: first, second: second.0 }, Self { members: others, second: second.1 })
    }
}
