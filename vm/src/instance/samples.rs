//! Samples: which clips are to be shown, at which time, with which weight.
//!
//! They are read off the block, playhead by playhead; nothing is kept and nothing changes. Views for hosts that have
//! one channel a clip, or can only average, are made of them in `resolve.rs`.

use super::active::ActiveWords;
use super::track::row;
use super::view::{View, play};
use crate::ids::{AnimationId, ComponentId, LayerId};
use crate::place;
use crate::program::layout::{SLOT_WORDS, Slot};
use crate::program::tables::MotionKind;
use crate::program::tracks::Track;

/// A clip that is to be shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The same for as long as this playhead lives; of its own within its component.
    pub key: u32,
    /// The component that shows it, whose behavior the other ids are of; [`ComponentId::ROOT`] for the instance itself.
    pub component: ComponentId,
    /// The clip.
    pub animation: AnimationId,
    /// The layer it plays in; its weight is read beside this.
    pub layer: LayerId,
    /// Its share in the layer, above 0, at most 1.
    pub weight: f32,
    /// Seconds from the start of the clip.
    pub time: f32,
    /// The place in the clip, 0 to 1.
    pub phase: f32,
    /// How many cycles it has finished; counts modulo 2^28.
    pub cycle: u32,
    /// Added to what is below, instead of overriding it.
    pub additive: bool,
    /// To be shown with left and right exchanged.
    pub mirror: bool,
    /// Part of a machine's motion; else an action or the host started it, and it lies over the motions of its layer.
    pub motion: bool,
}

impl<'a> View<'a> {
    /// The clips to show, layers ascending; in a layer, motions first. Each says that it is of that component.
    #[inline]
    pub(crate) fn samples(self, component: ComponentId) -> Samples<'a> {
        Samples {
            view: self,
            component,
            bits: 0,
            first: 0,
            active: self.active_words(),
            tracks: &self.layout.tracks_by_layer,
            row: 0,
        }
    }
}

/// The clips to show, one after the other.
#[derive(Clone)]
pub(crate) struct Samples<'a> {
    view: View<'a>,
    component: ComponentId,
    /// The animations of a word that are still to come,
    bits: u32,
    /// the number of the first one of that word,
    first: usize,
    /// and the words after it.
    active: ActiveWords,
    /// The tracks that are still to come, by layer.
    tracks: &'a [u16],
    /// The next row of the first one.
    row: usize,
}

impl Iterator for Samples<'_> {
    type Item = Sample;

    fn next(&mut self) -> Option<Sample> {
        let view = self.view;
        while let Some((place, tracks)) = self.tracks.split_first() {
            let track = view.layout.tracks.get(usize::from(*place));
            let Some(track) = track.filter(|track| self.row < view.row_end(track)) else {
                (self.tracks, self.row) = (tracks, 0);
                continue;
            };
            while self.bits == 0
                && let Some(word) = self.active.next()
            {
                self.bits = view.word(view.layout.active + word);
                self.first = word * 32;
            }
            if let Some(slot) = self.next_slot().filter(|slot| slot.layer < track.layer) {
                self.bits &= self.bits - 1;
                if let Some(sample) = slot_sample(view, self.component, slot) {
                    return Some(sample);
                }
                continue;
            }
            self.row += 1;
            if let Some(sample) = row_sample(view, self.component, track, self.row - 1) {
                return Some(sample);
            }
        }
        self.next_of_slots()
    }
}

impl<'a> Samples<'a> {
    #[inline]
    fn next_of_slots(&mut self) -> Option<Sample> {
        loop {
            while let Some(slot) = self.next_slot() {
                self.bits &= self.bits - 1;
                if let Some(sample) = slot_sample(self.view, self.component, slot) {
                    return Some(sample);
                }
            }
            let word = self.active.next()?;
            self.bits = self.view.word(self.view.layout.active + word);
            self.first = word * 32;
        }
    }

    /// The slot of the next animation of the word.
    #[inline]
    fn next_slot(&self) -> Option<&'a Slot> {
        if self.bits == 0 {
            return None;
        }
        self.view.layout.slots.get(self.first + self.bits.trailing_zeros() as usize)
    }
}

#[inline(always)] // whoever reads but a part of it pays for that part alone
pub(super) fn slot_sample(view: View<'_>, component: ComponentId, slot: &Slot) -> Option<Sample> {
    let words = view.slot_words(slot);
    let weight = view.weight_of(slot, words);
    let [.., flags] = words;
    if weight <= 0.0 {
        None
    } else if slot.simple {
        Some(simple_sample(slot, component, weight, view.simple_place(slot, words), flags))
    } else {
        Some(sample(slot, component, weight, any_time(view, slot, words), flags))
    }
}

/// The sample of an animation that is [simple](Slot::simple).
#[inline(always)] // whoever reads but a part of it pays for that part alone
pub(crate) fn simple_sample(
    slot: &Slot,
    component: ComponentId,
    weight: f32,
    place: u64,
    flags: u32,
) -> Sample {
    sample(slot, component, weight, place::seconds(place, slot.duration), flags)
}

#[inline(always)] // whoever reads but a part of it pays for that part alone
fn sample(slot: &Slot, component: ComponentId, weight: f32, (time, phase): (f32, f32), flags: u32) -> Sample {
    Sample {
        key: u32::from(slot.animation.0),
        component,
        animation: slot.animation,
        layer: slot.layer,
        weight,
        time,
        phase,
        cycle: flags >> play::CYCLES,
        additive: slot.additive,
        mirror: false,
        motion: false,
    }
}

#[inline(never)] // most are simple
fn any_time(view: View<'_>, slot: &Slot, words: [u32; SLOT_WORDS]) -> (f32, f32) {
    view.time_and_phase(slot, view.place_of(slot, words))
}

fn row_sample(view: View<'_>, component: ComponentId, track: &Track, index: usize) -> Option<Sample> {
    let at = view.row(track, index)?;
    let key = view.word(at + row::KEY);
    if key == 0 {
        return None;
    }
    let weight = view.row_weight(track, index);
    let (motion, animation) = view.clip_of(view.word(at + row::META))?;
    let slot = view.slot_at(track, at)?;
    let kind = view.rows.motions.get(motion.index())?.kind;
    let additive = |layer: LayerId| view.rows.layers.get(layer.index()).is_some_and(|row| row.additive);
    (weight > 0.0).then(|| Sample {
        key,
        component,
        animation,
        layer: track.layer,
        weight,
        time: view.time(&slot),
        phase: view.phase(&slot),
        cycle: view.flags(&slot) >> play::CYCLES,
        additive: view.rows.animations.get(animation.index()).is_some_and(|row| row.additive)
            || additive(track.layer),
        mirror: matches!(kind, MotionKind::Clip { mirror: true, .. }),
        motion: true,
    })
}
