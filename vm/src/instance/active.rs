//! Which animations are active: a bit each, and where there are many, a word that sums them up.
//!
//! A bit of that word stands for some words of the others, and is set if any of their bits is. So what animations there
//! are costs nothing, only those that play do.

use super::view::View;
use crate::program::layout::{Layout, NONE};

impl View<'_> {
    /// The words of active animations that need to be looked at, by place among them.
    #[inline]
    pub(crate) fn active_words(&self) -> ActiveWords {
        let (all, group) = (self.layout.active_words, self.layout.active_group);
        if self.layout.active_sum == NONE {
            return ActiveWords { next: 0, end: all, groups: 0, group, all };
        }
        ActiveWords { next: 0, end: 0, groups: self.word(self.layout.active_sum as usize), group, all }
    }

    /// The first word from there on that needs to be looked at.
    #[inline]
    pub(crate) fn active_word_from(&self, word: usize) -> Option<usize> {
        if self.layout.active_sum == NONE || !word.is_multiple_of(self.layout.active_group) {
            return Some(word);
        }
        self.active_group_from(word)
    }

    #[inline(never)]
    fn active_group_from(&self, word: usize) -> Option<usize> {
        let first = word / self.layout.active_group;
        let after = u32::try_from(first).ok().and_then(|first| u32::MAX.checked_shl(first))?;
        let groups = self.word(self.layout.active_sum as usize) & after;
        (groups != 0).then(|| groups.trailing_zeros() as usize * self.layout.active_group)
    }

    /// The sum as the words say; 0 where there is none.
    pub(crate) fn sum_of_active(&self) -> u32 {
        let layout = self.layout;
        if layout.active_sum == NONE {
            return 0;
        }
        let words = self.words.get(layout.active..).and_then(|words| words.get(..layout.active_words));
        let groups = words.unwrap_or_default().chunks(layout.active_group);
        groups
            .zip(0..32)
            .fold(0, |sum, (words, bit)| sum | u32::from(words.iter().any(|word| *word != 0)) << bit)
    }
}

/// Words to look at, ascending.
#[derive(Clone, Debug)]
pub(crate) struct ActiveWords {
    next: usize,
    end: usize,
    /// The groups after those before `end`.
    groups: u32,
    group: usize,
    all: usize,
}

impl ActiveWords {
    /// The only word, where there is one.
    #[inline]
    pub(crate) const fn first() -> Self {
        Self { next: 0, end: 1, groups: 0, group: 1, all: 1 }
    }
}

impl Iterator for ActiveWords {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.next == self.end {
            if self.groups == 0 {
                return None;
            }
            self.next = self.groups.trailing_zeros() as usize * self.group;
            self.end = (self.next + self.group).min(self.all);
            self.groups &= self.groups - 1;
        }
        self.next += 1;
        Some(self.next - 1)
    }
}

/// Keeps the sum right where an animation has become active, or inactive.
pub(crate) fn sum_up(layout: &Layout, words: &mut [u32], index: usize, active: bool) {
    if layout.active_sum == NONE {
        return;
    }
    let group = index / 32 / layout.active_group;
    let (first, end) =
        (group * layout.active_group, ((group + 1) * layout.active_group).min(layout.active_words));
    let members = words.get(layout.active + first..layout.active + end).unwrap_or_default();
    let any = active || members.iter().any(|word| *word != 0);
    if let Some(sum) = words.get_mut(layout.active_sum as usize) {
        *sum = *sum & !(1 << group) | u32::from(any) << group;
    }
}
