//! What members show, kept [packed](crate::instance::packed), so that reading all samples of a crowd does not walk through
//! the words of all.
//!
//! Of members that show more, and of those that the host has touched since the last tick, it only says that their words
//! are to be read.

use alloc::vec::Vec;
use core::hint::black_box;

use crate::instance::packed::{Known, Playing};
use crate::program::layout::{Layout, Slot};
use crate::time;

/// What the members show; of a behavior that may show much, nothing is kept.
#[derive(Debug, Default)]
pub(super) struct Shown {
    first: Vec<First>,
    second: Vec<Playing>,
}

/// The same of members that stand side by side.
pub(super) struct ShownMut<'c> {
    first: &'c mut [First],
    second: &'c mut [Playing],
}

/// An animation of a member, that which stays if there is one; half a line of memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct First {
    /// The clock of the crowd at which the places were those, less what the block had left of ticks.
    since: u64,
    playing: Playing,
}

impl First {
    /// Whether its words need not be read.
    #[inline]
    pub(super) fn is_known(&self) -> bool {
        self.playing.is_known()
    }

    /// The samples of a member at that time of the clock, where its words need not be read.
    #[inline]
    pub(super) fn samples<'a>(&'a self, second: &'a Playing, slots: &'a [Slot], clock: u64) -> Known<'a> {
        let owed = time::whole(clock.wrapping_sub(self.since));
        Known::new([&self.playing, second], slots, owed)
    }
}

impl Shown {
    /// Another member, of which the words are to be read.
    pub(super) fn push(&mut self) {
        self.first.push(First { since: 0, playing: Playing::UNKNOWN });
        self.second.push(Playing::NOTHING);
    }

    pub(super) fn reserve(&mut self, members: usize) {
        self.first.reserve(members);
        self.second.reserve(members);
    }

    /// The last member takes the place of another.
    pub(super) fn swap_remove(&mut self, member: usize) {
        if member < self.first.len() {
            self.first.swap_remove(member);
            self.second.swap_remove(member);
        }
    }

    pub(super) fn clear(&mut self) {
        self.first.clear();
        self.second.clear();
    }

    pub(super) fn as_mut(&mut self) -> ShownMut<'_> {
        ShownMut { first: &mut self.first, second: &mut self.second }
    }

    /// The members, so many together: what stays of each, and what else there is.
    pub(super) fn chunks(&self, members: usize) -> impl Iterator<Item = (&[First], &[Playing])> {
        self.first.chunks(members).zip(self.second.chunks(members))
    }
}

impl Clone for Shown {
    fn clone(&self) -> Self {
        Self { first: self.first.clone(), second: self.second.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.first.clone_from(&source.first);
        self.second.clone_from(&source.second);
    }
}

impl ShownMut<'_> {
    /// Reads of what a member shows: it is of no interest, only that it comes near.
    #[inline]
    pub(super) fn bring_near(&self, member: usize) {
        black_box(self.first.get(member).map(First::is_known));
        black_box(self.second.get(member).map(Playing::is_known));
    }

    /// Says what a member shows, by words that stand at that time of the clock.
    #[inline]
    pub(super) fn set(&mut self, member: usize, layout: &Layout, words: &[u32], stood: u64) {
        let Some(first) = self.first.get_mut(member) else { return };
        let since = stood.wrapping_sub(words.first().map_or(0, |first| time::left(*first)));
        let (playing, second) = Playing::all(layout, words).unwrap_or((Playing::UNKNOWN, None));
        *first = First { since, playing };
        if let (Some(second), Some(to)) = (second, self.second.get_mut(member)) {
            *to = second;
        }
    }

    /// The first members, so many, and the others.
    #[cfg(feature = "rayon")]
    pub(super) fn split(self, members: usize) -> (Self, Self) {
        let middle = members.min(self.first.len());
        let (first, second) = (self.first.split_at_mut(middle), self.second.split_at_mut(middle));
        (Self { first: first.0, second: second.0 }, Self { first: first.1, second: second.1 })
    }
}
