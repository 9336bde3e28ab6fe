//! What a host reads after a tick: samples, states, times, weights.

use super::track::row;
use super::view::{View, play, word};
use super::{Host, Instance};
use crate::ids::{AnimationId, LayerId, MachineId, StateId};
use crate::program::tables::MotionKind;
use crate::program::tracks::Track;
use crate::value::Value;

/// A clip that is to be shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The same for as long as this playhead lives.
    pub key: u32,
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
}

impl Instance {
    pub(super) fn view(&self) -> Option<View<'_>> {
        Some(View {
            rows: self.program.behavior(self.behavior)?,
            layout: self.program.layout(self.behavior)?,
            words: &self.words,
        })
    }

    /// The clips to show, layers ascending; only those with weight. Within a layer, the motions of its machine come
    /// before what actions started.
    pub fn samples(&self) -> impl Iterator<Item = Sample> + '_ {
        let view = self.view();
        let words = view.map_or(0, |view| view.layout.active_words);
        let mut slots = (0..words)
            .flat_map(move |word| {
                let bits = view.map_or(0, |view| view.word(view.layout.active + word));
                Bits(bits).filter_map(move |bit| sample(view?, word * 32 + bit))
            })
            .peekable();
        let tracks = view.map_or(&[][..], |view| &view.layout.tracks_by_layer);
        let mut rows = tracks.iter().flat_map(move |track| track_samples(view, *track)).peekable();
        core::iter::from_fn(move || match (rows.peek(), slots.peek()) {
            (Some(row), Some(slot)) if row.layer > slot.layer => slots.next(),
            (Some(_), _) => rows.next(),
            (None, _) => slots.next(),
        })
    }

    /// How far a machine's crossfade is after easing, 0 to 1; 1 where none runs.
    #[must_use]
    pub fn fade(&self, machine: MachineId) -> f32 {
        self.view().map_or(1.0, |view| view.fade(machine))
    }

    /// The state that a machine is in: a leaf. `None` for an id of another behavior.
    #[must_use]
    pub fn state(&self, machine: MachineId) -> Option<StateId> {
        self.view()?.leaf(machine)
    }

    /// Whether a state, or one inside it, is active.
    #[must_use]
    pub fn is_in(&self, state: StateId) -> bool {
        self.view().is_some_and(|view| view.is_in(state))
    }

    /// Seconds in the current state of a machine.
    #[must_use]
    pub fn elapsed(&self, machine: MachineId) -> f32 {
        self.view().map_or(0.0, |view| view.elapsed(machine))
    }

    /// The weight of a layer, 0 to 1.
    #[must_use]
    pub fn layer_weight(&self, layer: LayerId) -> f32 {
        self.view().map_or(0.0, |view| view.layer_weight(layer))
    }

    /// The weight of an animation in its layer, that of all its playheads.
    #[must_use]
    pub fn weight(&self, animation: AnimationId) -> f32 {
        self.view().map_or(0.0, |view| view.total_weight(animation))
    }

    /// Seconds from the start of the clip, of its newest playhead; 0 if it does not play.
    #[must_use]
    pub fn time(&self, animation: AnimationId) -> f32 {
        self.reading(animation, |view, slot| view.time(slot))
    }

    /// The place in the clip, 0 to 1, of its newest playhead; 0 if it does not play.
    #[must_use]
    pub fn phase(&self, animation: AnimationId) -> f32 {
        self.reading(animation, |view, slot| view.phase(slot))
    }

    /// Whether an animation that an action started plays and is not fading out.
    #[must_use]
    pub fn playing(&self, animation: AnimationId) -> bool {
        self.view().is_some_and(|view| view.playing(animation))
    }

    /// Whether an animation reached its end since it was last started.
    #[must_use]
    pub fn finished(&self, animation: AnimationId) -> bool {
        self.view().is_some_and(|view| view.finished(animation))
    }

    fn reading(
        &self,
        animation: AnimationId,
        read: impl Fn(&View<'_>, &crate::program::layout::Slot) -> f32,
    ) -> f32 {
        self.view().map_or(0.0, |view| view.reading(animation, read))
    }

    /// Evaluates one of the program's probes: the expressions of a test. `None` where it has no such probe.
    pub fn probe(&mut self, index: usize, host: &mut Host<'_>) -> Option<Value<'_>> {
        let probe = *self.program.behavior(self.behavior)?.probes.get(index)?;
        let word = self.evaluate(host, |core| {
            let word = core.eval(probe.code, probe.machine);
            core.forget_answers();
            word
        });
        Some(self.value(probe.ty, word))
    }
}

fn sample(view: View<'_>, index: usize) -> Option<Sample> {
    let slot = view.layout.slots.get(index)?;
    let weight = view.number(slot.at as usize + word::WEIGHT);
    (weight > 0.0).then(|| Sample {
        key: u32::from(slot.animation.0),
        animation: slot.animation,
        layer: slot.layer,
        weight,
        time: view.time(slot),
        phase: view.phase(slot),
        cycle: view.flags(slot) >> play::CYCLES,
        additive: slot.additive,
        mirror: false,
    })
}

/// The samples of a track, given by its place.
fn track_samples(view: Option<View<'_>>, track: u16) -> impl Iterator<Item = Sample> + '_ {
    let track = view.and_then(|view| view.layout.tracks.get(usize::from(track)));
    let rows = track.map_or(0, Track::rows);
    (0..rows).filter_map(move |index| row_sample(view?, track?, index))
}

fn row_sample(view: View<'_>, track: &Track, index: usize) -> Option<Sample> {
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
        animation,
        layer: track.layer,
        weight,
        time: view.time(&slot),
        phase: view.phase(&slot),
        cycle: view.flags(&slot) >> play::CYCLES,
        additive: view.rows.animations.get(animation.index()).is_some_and(|row| row.additive)
            || additive(track.layer),
        mirror: matches!(kind, MotionKind::Clip { mirror: true, .. }),
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
