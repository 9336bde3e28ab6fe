//! What members show, packed: where one or two animations play, all that their samples need, so that reading all samples
//! of a crowd does not walk through the words of all.
//!
//! It follows from the words as the last tick left them, and is made anew whenever a member was awake. Of members that
//! show more, and of those that the host has touched since, it only says that their words are to be read. What fades out
//! stands apart from what stays: most of the time it need not even be looked at.

use alloc::vec::Vec;
use core::hint::black_box;

use crate::ids::ComponentId;
use crate::instance::view::{View, play};
use crate::instance::{Sample, simple_sample};
use crate::place;
use crate::program::layout::Layout;
use crate::time;

/// Stands for a slot where nothing plays.
const NOTHING: u16 = u16::MAX;
/// Stands for a slot where the words are to be read.
const WORDS: u16 = u16::MAX - 1;
/// A moment of [`First::until`], in bits of units of time: a thousandth of a second.
const MOMENT: u32 = 14;

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

/// An animation that plays.
#[derive(Clone, Copy, Debug)]
struct Playing {
    place: u64,
    /// With which it began its fade.
    weight: f32,
    /// Units of its fade that are left.
    fade: u32,
    /// [`play`] and cycles.
    flags: u32,
    /// The place of its slot; [`NOTHING`], [`WORDS`].
    slot: u16,
    /// For so many [`MOMENT`]s there is a second one, rounded up; for ever, if they are all that can be counted.
    until: u16,
}

impl Playing {
    const fn none(slot: u16) -> Self {
        Self { place: 0, weight: 0.0, fade: 0, flags: 0, slot, until: 0 }
    }

    /// Of an active slot; `None` where more than this is needed.
    #[inline]
    fn of(layout: &Layout, words: &[u32], index: u32) -> Option<Self> {
        let slot = layout.slots.get(index as usize).filter(|slot| slot.simple)?;
        let [fraction, position, weight, fade, flags] = *words.get(slot.at as usize..)?.first_chunk()?;
        let place = place::join(fraction, position);
        Some(Self { place, weight: f32::from_bits(weight), fade, flags, slot: index as u16, until: 0 })
    }

    #[inline]
    fn visit(&self, layout: &Layout, owed: u64, visit: &mut impl FnMut(Sample)) {
        let Some(slot) = layout.slots.get(usize::from(self.slot)) else { return };
        let weight = slot.weight_at(self.weight, self.fade, self.flags, owed);
        if weight > 0.0 {
            let place = play::moved(self.place, slot.step.wrapping_mul(owed), self.flags);
            visit(simple_sample(slot, ComponentId::ROOT, weight, place, self.flags));
        }
    }
}

impl First {
    /// Whether its words need not be read.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.playing.slot != WORDS
    }

    /// Whether a second animation plays, so many units later.
    #[inline]
    fn is_with_second(&self, owed: u64) -> bool {
        let until = self.playing.until;
        until == u16::MAX || until != 0 && owed >> MOMENT <= u64::from(until)
    }
}

/// What a member shows, by words that stand at that time of the clock.
#[inline]
fn of(layout: &Layout, words: &[u32], stood: u64) -> Option<(First, Option<Playing>)> {
    let since = stood.wrapping_sub(time::left(words.first().copied()?));
    let active = words.get(layout.active).copied()?;
    if active == 0 {
        return Some((First { since, playing: Playing::none(NOTHING) }, None));
    }
    let mut first = Playing::of(layout, words, active.trailing_zeros())?;
    let rest = active & (active - 1);
    if rest == 0 {
        return Some((First { since, playing: first }, None));
    }
    if !rest.is_power_of_two() {
        return None;
    }
    let mut second = Playing::of(layout, words, rest.trailing_zeros())?;
    if first.flags & play::FADING != 0 {
        core::mem::swap(&mut first, &mut second);
    }
    first.until = match second.flags & play::FADING {
        0 => u16::MAX,
        _ => u16::try_from((second.fade >> MOMENT) + 1).unwrap_or(u16::MAX),
    };
    Some((First { since, playing: first }, Some(second)))
}

impl Shown {
    /// Another member, of which the words are to be read.
    pub(super) fn push(&mut self) {
        self.first.push(First { since: 0, playing: Playing::none(WORDS) });
        self.second.push(Playing::none(NOTHING));
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

    /// The members, so many together.
    pub(super) fn chunks(&self, members: usize) -> impl Iterator<Item = &[First]> {
        self.first.chunks(members)
    }

    /// Calls `visit` with the samples of a member at that time of the clock, where its words need not be read.
    #[inline]
    pub(super) fn visit(
        &self,
        (member, first): (usize, &First),
        layout: &Layout,
        clock: u64,
        mut visit: impl FnMut(Sample),
    ) {
        let owed = time::whole(clock.wrapping_sub(first.since));
        let second = self.second.get(member).filter(|_| first.is_with_second(owed));
        match second {
            // In the order of slots.
            Some(second) if second.slot < first.playing.slot => {
                second.visit(layout, owed, &mut visit);
                first.playing.visit(layout, owed, &mut visit);
            }
            second => {
                first.playing.visit(layout, owed, &mut visit);
                if let Some(second) = second {
                    second.visit(layout, owed, &mut visit);
                }
            }
        }
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
        black_box(self.first.get(member).map(First::is_plain));
        black_box(self.second.get(member).map(|second| second.slot));
    }

    /// Says what a member shows, by words that stand at that time of the clock.
    #[inline]
    pub(super) fn set(&mut self, member: usize, layout: &Layout, words: &[u32], stood: u64) {
        let Some(first) = self.first.get_mut(member) else { return };
        let Some((playing, second)) = of(layout, words, stood) else {
            first.playing.slot = WORDS;
            return;
        };
        *first = playing;
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

/// Calls `visit` with the samples of a behavior with [few](Layout::few) to show.
#[inline]
pub(super) fn visit_words(view: View<'_>, mut visit: impl FnMut(Sample)) {
    let mut bits = view.few();
    while bits != 0 {
        if let Some(sample) = view.sample_of(ComponentId::ROOT, bits.trailing_zeros() as usize) {
            visit(sample);
        }
        bits &= bits - 1;
    }
}
