//! An animation that begins anew in the common tick: where it is then, and what is reported.

use super::course::Course;
use crate::frame::EventKind;
use crate::instance::view::play;
use crate::place::{self, FAR_END};
use crate::program::layout::{SLOT_WORDS, Slot};
use crate::tick::advance::Clock;
use crate::tick::playhead::Trip;

/// An animation that begins anew.
pub(super) struct Lap {
    /// Its first word.
    at: usize,
    pub(super) place: u64,
    pub(super) flags: u32,
    pub(super) offset: f32,
    pub(super) kind: EventKind,
    pub(super) count: u32,
}

impl Lap {
    /// `None` where it gets to its end only as far as can be told here, not by the measure of a tick.
    #[inline]
    pub(super) fn of(course: &Course, slot: &Slot, flags: u32, units: u64, dt: f32) -> Option<Self> {
        let way = u128::from(course.step) * u128::from(units);
        let mut trip = Trip::new(slot.loop_mode, course.from(), way, slot.tolerance);
        let ends = trip.ends()?;
        trip.settle_on(ends);
        let arrival = trip.arrive();
        let seconds = crate::time::seconds(units);
        let clock = Clock::steady(0.0, course.step, seconds);
        let flags = flags.wrapping_add((arrival.cycles as u32) << play::CYCLES);
        Some(Self {
            at: slot.at as usize,
            place: if course.backward { FAR_END - arrival.place } else { arrival.place },
            flags,
            offset: (clock.at(ends.first) as f32).min((seconds as f32).min(dt)),
            kind: EventKind::Loop { animation: slot.animation },
            count: u32::try_from(ends.count).unwrap_or(u32::MAX),
        })
    }

    pub(super) fn put(&self, words: &mut [u32]) {
        let slot = words.get_mut(self.at..).and_then(|words| words.first_chunk_mut::<SLOT_WORDS>());
        if let Some([low, high, _, _, flags]) = slot {
            ([*low, *high], *flags) = (place::split(self.place), self.flags);
        }
    }
}
