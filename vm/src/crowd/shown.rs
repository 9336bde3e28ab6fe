//! What members show, packed: where a single animation plays, all that its sample needs in half a line
//! of memory, so that reading all samples of a crowd does not walk through the words of all.
//!
//! It follows from the words as the last tick left them, and is made anew whenever a member was awake. Of members that
//! show more, and of those that the host has touched since, it only says that their words are to be read.

use crate::ids::ComponentId;
use crate::instance::view::{View, play, word};
use crate::instance::{Sample, simple_sample};
use crate::place;
use crate::program::layout::Layout;
use crate::time;

/// What a member shows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Shown {
    /// The clock of the crowd at which the place was that, less what the block had left of ticks.
    since: u64,
    place: u64,
    weight: f32,
    /// The animation's [`play`] and cycles.
    flags: u32,
    /// Units of its fade that are left.
    fade: u32,
    /// The place of its slot.
    slot: u16,
    what: What,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum What {
    /// What its words say.
    #[default]
    Words,
    Nothing,
    /// A single animation, as it is here.
    One,
}

impl Shown {
    /// Of a behavior with [few](Layout::few) to show, by words that stand at that time of the clock.
    #[inline]
    pub(super) fn of(layout: &Layout, words: &[u32], stood: u64) -> Self {
        let get = |at: usize| words.get(at).copied().unwrap_or(0);
        let active = get(layout.active);
        if active == 0 {
            return Self { what: What::Nothing, ..Self::default() };
        }
        let index = active.trailing_zeros();
        let slot = layout.slots.get(index as usize).filter(|slot| slot.simple && active.is_power_of_two());
        let Some(slot) = slot else { return Self::default() };
        let at = slot.at as usize;
        Self {
            since: stood.wrapping_sub(time::left(get(0))),
            place: place::join(get(at + word::FRACTION), get(at + word::POSITION)),
            weight: f32::from_bits(get(at + word::WEIGHT)),
            fade: get(at + word::FADE),
            flags: get(at + word::FLAGS),
            slot: index as u16,
            what: What::One,
        }
    }

    /// Whether its words need not be read.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.what != What::Words
    }

    /// Calls `visit` with its samples at that time of the clock; false, if its words say what they are.
    #[inline]
    pub(super) fn visit(&self, layout: &Layout, clock: u64, visit: impl FnOnce(Sample)) -> bool {
        match self.what {
            What::Words => return false,
            What::Nothing => {}
            What::One => {
                let Some(slot) = layout.slots.get(usize::from(self.slot)) else { return false };
                let owed = time::whole(clock.wrapping_sub(self.since));
                let weight = slot.weight_at(self.weight, self.fade, self.flags, owed);
                if weight > 0.0 {
                    let place = play::moved(self.place, slot.step.wrapping_mul(owed), self.flags);
                    visit(simple_sample(slot, ComponentId::ROOT, weight, place, self.flags));
                }
            }
        }
        true
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
