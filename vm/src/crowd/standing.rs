//! Where members stand: how far their words are behind the crowd's clock, and what they show, kept
//! [packed](crate::instance::packed), so that reading all samples of a crowd does not walk through the words of all.

use alloc::vec::Vec;
use core::hint::black_box;

use crate::instance::packed::Playing;
use crate::instance::{Sleep, Stand};
use crate::program::layout::Layout;

/// Where all members stand.
#[derive(Debug, Default)]
pub(super) struct Standing {
    members: Vec<Stand>,
    /// What else each member plays for a while; nothing is kept of a behavior that may show much.
    second: Vec<Playing>,
}

/// The same of members that stand side by side.
pub(super) struct StandingMut<'c> {
    members: &'c mut [Stand],
    second: &'c mut [Playing],
}

impl Standing {
    /// Another member, whose words stand at that time of the clock, of a behavior that shows few or may show much.
    pub(super) fn push(&mut self, words: &[u32], clock: u64, few: bool) {
        self.members.push(Stand::new(words, clock, Playing::UNKNOWN));
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

    /// Where a member stands, to be lent out with it: what is to be woken, and its own bit there, are given.
    #[inline]
    pub(super) fn lend<'c>(
        &'c mut self,
        member: usize,
        clock: u64,
        (touched, bit): (&'c mut u64, u64),
    ) -> Option<Sleep<'c>> {
        Some(Sleep { clock, stand: self.members.get_mut(member)?, touched, bit })
    }

    /// All members of a behavior that shows few, and what else each of them plays for a while.
    pub(super) fn all(&self) -> impl Iterator<Item = (&Stand, &Playing)> {
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
        black_box(self.members.get(member).map(Stand::is_known));
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
        *to = Stand::new(words, clock, first);
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
