//! Samples: which clips are to be shown, at which time, with which weight.
//!
//! They are read off the block, playhead by playhead; nothing is kept and nothing changes. Views for hosts that have
//! one channel a clip, or can only average, are made of them in `resolve.rs`.

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
    /// The clips to show. Each says that it is of that component.
    pub(crate) fn samples(self, component: ComponentId) -> impl Iterator<Item = Sample> + use<'a> {
        let mut cursor = Cursor::default();
        core::iter::from_fn(move || cursor.next(self, component))
    }
}

/// How far the samples of a part of an instance have been read: layers ascending; in a layer, motions first.
#[derive(Clone, Copy, Default)]
pub(super) struct Cursor {
    /// The animations of a word that are still to come,
    bits: u32,
    /// and the place of the word after that.
    after: u32,
    /// The tracks that have been read, by layer,
    tracks: u16,
    /// and how many rows of the next one.
    rows: u32,
}

impl Cursor {
    /// The next clip to show. It says that it is of that component.
    pub(super) fn next(&mut self, view: View<'_>, component: ComponentId) -> Option<Sample> {
        let tracks = &view.layout.tracks_by_layer[..];
        while let Some(place) = tracks.get(usize::from(self.tracks)) {
            let track = view.layout.tracks.get(usize::from(*place));
            let Some(track) = track.filter(|track| (self.rows as usize) < view.row_end(track)) else {
                (self.tracks, self.rows) = (self.tracks + 1, 0);
                continue;
            };
            if let Some(slot) = self.next_slot(view).filter(|slot| slot.layer < track.layer) {
                self.bits &= self.bits - 1;
                if let Some(sample) = slot_sample(view, component, slot) {
                    return Some(sample);
                }
                continue;
            }
            self.rows += 1;
            if let Some(sample) = row_sample(view, component, track, self.rows as usize - 1) {
                return Some(sample);
            }
        }
        while let Some(slot) = self.next_slot(view) {
            self.bits &= self.bits - 1;
            if let Some(sample) = slot_sample(view, component, slot) {
                return Some(sample);
            }
        }
        None
    }

    /// The slot of the next animation.
    #[inline]
    fn next_slot<'a>(&mut self, view: View<'a>) -> Option<&'a Slot> {
        while self.bits == 0 {
            let word =
                view.active_word_from(self.after as usize).filter(|word| *word < view.layout.active_words)?;
            self.bits = view.word(view.layout.active + word);
            self.after = word as u32 + 1;
        }
        view.layout.slots.get((self.after as usize - 1) * 32 + self.bits.trailing_zeros() as usize)
    }
}

#[inline(always)] // whoever reads but a part of it pays for that part alone
fn slot_sample(view: View<'_>, component: ComponentId, slot: &Slot) -> Option<Sample> {
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
