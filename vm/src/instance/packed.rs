//! What a block shows, packed: where one or two simple animations play, all that their samples need beside the program.
//!
//! Hosts read the samples of everybody in every frame. So what plays is kept where the host's read comes by anyway, in an
//! instance itself and in a list of a crowd, and most reads do not walk through a block. It follows from the block as a
//! tick has left it, is made anew after each tick of it, and void when anything is set. What fades out stands apart from
//! what stays: most of the time it need not even be looked at.

use super::samples::{Sample, simple_sample};
use super::view::play;
use super::{ComponentMut, ComponentRef, MemberMut, MemberRef};
use crate::ids::ComponentId;
use crate::place;
use crate::program::layout::{Layout, Slot};
use crate::time::SAME_MOMENT;

/// Stands for a slot where nothing plays.
const NOTHING: u16 = u16::MAX;
/// Stands for a slot where the block is to be read.
const BLOCK: u16 = u16::MAX - 1;
/// A moment of [`Playing::until`], in bits of units of time: a thousandth of a second.
const MOMENT: u32 = 14;

/// An animation that plays.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Playing {
    place: u64,
    /// With which it began its fade.
    weight: f32,
    /// Units of its fade that are left.
    fade: u32,
    /// [`play`] and cycles.
    flags: u32,
    /// The place of its slot; [`NOTHING`], [`BLOCK`].
    slot: u16,
    /// For so many [`MOMENT`]s there is a second one, rounded up; for ever, if they are all that can be counted.
    until: u16,
}

impl Playing {
    /// Nothing plays.
    pub(crate) const NOTHING: Self = Self::none(NOTHING);
    /// Only the block says what plays.
    pub(crate) const UNKNOWN: Self = Self::none(BLOCK);

    const fn none(slot: u16) -> Self {
        Self { place: 0, weight: 0.0, fade: 0, flags: 0, slot, until: 0 }
    }

    /// Of an active slot; `None` where more than this is needed.
    #[inline]
    fn of(layout: &Layout, words: &[u32], index: u32) -> Option<Self> {
        let slot = layout.slots.get(index as usize).filter(|slot| slot.simple)?;
        let [fraction, position, weight, fade, flags] = *words.get(slot.at as usize..)?.first_chunk()?;
        // A fade that is over has led to its end; where it has not, the block knows more.
        let known = fade != 0 || weight == slot.weight.to_bits();
        let (place, weight) = (place::join(fraction, position), f32::from_bits(weight));
        known.then_some(Self { place, weight, fade, flags, slot: index as u16, until: 0 })
    }

    /// Whether a block plays so few that they may be known.
    #[inline]
    pub(crate) fn may_be_known(layout: &Layout, words: &[u32]) -> bool {
        layout.few && words.get(layout.active).is_some_and(|active| active.count_ones() <= 2)
    }

    /// What a block shows: what stays, if anything does, then what else there is for a while.
    #[inline]
    pub(crate) fn all(layout: &Layout, words: &[u32]) -> Option<(Self, Option<Self>)> {
        if !layout.few {
            return None;
        }
        let active = words.get(layout.active).copied()?;
        if active == 0 {
            return Some((Self::NOTHING, None));
        }
        let mut first = Self::of(layout, words, active.trailing_zeros())?;
        let rest = active & (active - 1);
        if rest == 0 {
            return Some((first, None));
        }
        if !rest.is_power_of_two() {
            return None;
        }
        let mut second = Self::of(layout, words, rest.trailing_zeros())?;
        if first.flags & play::FADING != 0 {
            core::mem::swap(&mut first, &mut second);
        }
        first.until = match second.flags & play::FADING {
            0 => u16::MAX,
            _ => u16::try_from((second.fade >> MOMENT) + 1).unwrap_or(u16::MAX),
        };
        Some((first, Some(second)))
    }

    /// Whether the block need not be read for it.
    #[inline]
    pub(crate) fn is_known(&self) -> bool {
        self.slot != BLOCK
    }

    /// Whether a second animation plays, so many units later.
    #[inline]
    fn is_with_second(&self, owed: u64) -> bool {
        let until = self.until;
        until != 0 && (until == u16::MAX || owed >> MOMENT <= u64::from(until))
    }

    /// Its sample, so many units later; `None` where nothing plays, or once it has faded out.
    #[inline(always)] // whoever reads but a part of it pays for that part alone
    pub(crate) fn sample(&self, slots: &[Slot], owed: u64) -> Option<Sample> {
        let slot = slots.get(usize::from(self.slot))?;
        let weight = if u64::from(self.fade) <= owed + SAME_MOMENT {
            if self.flags & play::FADING != 0 {
                return None;
            }
            slot.weight
        } else {
            slot.weight_in_fade(self.weight, self.fade - owed as u32, self.flags)
        };
        let place = play::moved(self.place, slot.step.wrapping_mul(owed), self.flags);
        (weight > 0.0).then(|| simple_sample(slot, ComponentId::ROOT, weight, place, self.flags))
    }
}

/// All that an instance plays, where that is known, to be read.
pub(crate) struct Known<'a> {
    next: Option<&'a Playing>,
    last: Option<&'a Playing>,
    slots: &'a [Slot],
    /// The units by which they are behind.
    owed: u64,
}

impl<'a> Known<'a> {
    /// Of what stays, and of what else there is for a while, so many units later.
    #[inline]
    pub(crate) fn new([first, second]: [&'a Playing; 2], slots: &'a [Slot], owed: u64) -> Self {
        let (next, last) = match first.is_with_second(owed) {
            false => (first, None),
            true if first.slot < second.slot => (first, Some(second)),
            true => (second, Some(first)),
        };
        Self { next: Some(next), last, slots, owed }
    }
}

impl Iterator for Known<'_> {
    type Item = Sample;

    #[inline(always)] // what is lent out does not stay in registers
    fn next(&mut self) -> Option<Sample> {
        while let Some(playing) = self.next {
            self.next = self.last.take();
            let sample = playing.sample(self.slots, self.owed);
            if sample.is_some() {
                return sample;
            }
        }
        None
    }
}

/// Parts of instances are read from their blocks, and so is a member by itself: a crowd reads all at once.
macro_rules! unknown {
    ($( $of:ty ),*) => {$(
        impl $of {
            #[inline]
            pub(super) const fn shows(&self) -> Option<Known<'_>> {
                None
            }
        }
    )*};
}
unknown!(ComponentRef<'_>, ComponentMut<'_>, MemberRef<'_>, MemberMut<'_>);
