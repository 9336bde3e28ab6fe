//! What a host reads after a tick: samples, states, times, weights.

use super::samples::Sample;
use super::shown::{Reader, Shown};
use super::view::View;
use super::{Host, Instance};
use crate::ids::{AnimationId, LayerId, MachineId, StateId};
use crate::value::Value;

reading! {
    /// The clips to show, layers ascending; only those with weight. Within a layer, the motions of its machine come
    /// before what actions started. After those of the behavior itself come those of its components, each with what is
    /// inside it.
    #[inline]
    pub fn samples(&self) -> impl Iterator<Item = Sample> + '_ {
        if let Some(known) = self.shows() {
            return Shown::Known(known);
        }
        let whose = (self.behavior, self.id());
        Shown::Read(Reader::new(&self.program, whose, &self.words, self.behind().units))
    }

    /// The same without those of components.
    #[inline]
    pub fn own_samples(&self) -> impl Iterator<Item = Sample> + '_ {
        self.view().map(|view| view.samples(self.id())).into_iter().flatten()
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
}

whole_acting! {
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
