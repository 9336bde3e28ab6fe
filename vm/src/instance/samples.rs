//! Samples: which clips are to be shown, at which time, with which weight.
//!
//! They are read off the block, playhead by playhead; nothing is kept and nothing changes. Views for hosts that have
//! one channel a clip, or can only average, are made of them in `resolve.rs`.

use super::track::row;
use super::view::{View, play};
use crate::ids::{AnimationId, ComponentId, LayerId};
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
    pub(crate) fn samples(self, component: ComponentId) -> impl Iterator<Item = Sample> + use<'a> {
        let view = self;
        let mut slots = (0..view.layout.active_words)
            .flat_map(move |word| {
                let bits = Bits(view.word(view.layout.active + word));
                bits.filter_map(move |bit| slot_sample(view, component, word * 32 + bit))
            })
            .peekable();
        let tracks: &'a [u16] = &view.layout.tracks_by_layer;
        let mut rows = tracks.iter().flat_map(move |track| track_samples(view, component, *track)).peekable();
        core::iter::from_fn(move || match (rows.peek(), slots.peek()) {
            (Some(row), Some(slot)) if row.layer > slot.layer => slots.next(),
            (Some(_), _) => rows.next(),
            (None, _) => slots.next(),
        })
    }
}

fn slot_sample(view: View<'_>, component: ComponentId, index: usize) -> Option<Sample> {
    let slot = view.layout.slots.get(index)?;
    let weight = view.weight(slot);
    (weight > 0.0).then(|| Sample {
        key: u32::from(slot.animation.0),
        component,
        animation: slot.animation,
        layer: slot.layer,
        weight,
        time: view.time(slot),
        phase: view.phase(slot),
        cycle: view.flags(slot) >> play::CYCLES,
        additive: slot.additive,
        mirror: false,
        motion: false,
    })
}

/// The samples of a machine's track, given by its place.
fn track_samples<'a>(
    view: View<'a>,
    component: ComponentId,
    track: u16,
) -> impl Iterator<Item = Sample> + use<'a> {
    let track = view.layout.tracks.get(usize::from(track));
    let rows = track.map_or(0, Track::rows);
    (0..rows).filter_map(move |index| row_sample(view, component, track?, index))
}

fn row_sample(view: View<'_>, component: ComponentId, track: &Track, index: usize) -> Option<Sample> {
    if !view.row_used(track, index) {
        return None;
    }
    let weight = view.row_weight(track, index);
    let (motion, animation) = view.row_clip(track, index)?;
    let slot = view.row_slot(track, index)?;
    let kind = view.rows.motions.get(motion.index())?.kind;
    let additive = |layer: LayerId| view.rows.layers.get(layer.index()).is_some_and(|row| row.additive);
    (weight > 0.0).then(|| Sample {
        key: view.word(track.row(index) + row::KEY),
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

/// The set bits of a word, from the lowest.
struct Bits(u32);

impl Iterator for Bits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(bit as usize)
    }
}
