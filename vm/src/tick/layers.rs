//! Layers and smoothed values: weights on their way to targets, and expressions that are read again whenever
//! something may have changed.
//!
//! A layer's target is a number, or [`FOLLOW`] where it is the layer's `Weight` expression.

use super::Core;
use crate::float;
use crate::ids::{LayerId, MachineId, StateId};
use crate::program::layout::{LAYER_WORDS, NONE};
use crate::program::tables::{Mark, MarkTarget};

/// A target word that says: whatever the expression says.
pub(crate) const FOLLOW: u32 = u32::MAX;

/// How near a smoothed value comes to its input, as a share of it, before rounding may end the way.
const NEAR: f64 = 3e-5;

impl Core<'_, '_> {
    pub(super) fn layer_at(&self, layer: usize) -> usize {
        self.layout.layers + layer * LAYER_WORDS
    }

    /// The word of a layer's own target: its expression, or its base weight.
    fn base_target(&self, layer: LayerId) -> u32 {
        match self.rows.layers.get(layer.index()) {
            Some(row) if row.weight.is_some() => FOLLOW,
            Some(row) => row.base_weight.to_bits(),
            None => 0,
        }
    }

    fn mark_word(&self, mark: &Mark) -> u32 {
        match mark.target {
            MarkTarget::Base => self.base_target(mark.layer),
            MarkTarget::Weight(weight) => weight.to_bits(),
            MarkTarget::Zero => 0,
        }
    }

    /// Sets the targets that a state asks for.
    pub(crate) fn mark_layers(&mut self, state: StateId) {
        let rows = self.rows;
        let Some(row) = rows.states.get(state.index()) else { return };
        self.charge_rows(row.marks.count);
        for mark in row.marks.of(&rows.marks) {
            let target = self.mark_word(mark);
            self.put(self.layer_at(mark.layer.index()) + 1, target);
        }
    }

    /// The host sets a target.
    pub(crate) fn set_layer_target(&mut self, layer: LayerId, target: f32) {
        self.unsettle();
        self.put_number(self.layer_at(layer.index()) + 1, float::clamp(target, 0.0, 1.0));
    }

    /// Every layer as the initial states want it, without any way to go.
    pub(crate) fn create_layers(&mut self) {
        let layers = (0..self.rows.layers.len()).filter_map(LayerId::from_index);
        for layer in layers.clone() {
            let target = self.base_target(layer);
            self.put(self.layer_at(layer.index()) + 1, target);
        }
        for machine in self.machines() {
            self.for_active(machine, Self::mark_layers);
        }
        self.layer_speeds();
        for layer in layers {
            let target = self.target(layer.index());
            self.put_number(self.layer_at(layer.index()), target);
        }
    }

    /// Layers where the decided starts want them, unless the host said otherwise since creation.
    pub(crate) fn correct_layers(&mut self) {
        let layout = self.layout;
        for layer in (0..self.rows.layers.len()).filter_map(LayerId::from_index) {
            let created = self.wanted(layer, |_, machine| layout.starts.get(machine.index()).copied());
            let decided = self.wanted(layer, |core, machine| core.view().leaf(machine));
            let at = self.layer_at(layer.index());
            if self.word(at + 1) == created && created != decided {
                self.put(at + 1, decided);
                let target = self.target(layer.index());
                self.put_number(at, target);
            }
        }
    }

    /// The word of the target that the states around some leaves ask of a layer.
    fn wanted(&mut self, layer: LayerId, leaf: impl Fn(&Self, MachineId) -> Option<StateId>) -> u32 {
        let rows = self.rows;
        let mut target = self.base_target(layer);
        for machine in self.machines() {
            // Outermost first, so of each machine the innermost mark counts.
            let active = self.view().outward(leaf(self, machine));
            let marks = active
                .filter_map(|state| rows.states.get(state.index()))
                .find_map(|row| row.marks.of(&rows.marks).iter().rev().find(|mark| mark.layer == layer));
            if let Some(mark) = marks {
                target = self.mark_word(mark);
            }
        }
        self.charge_rows(u32::try_from(rows.marks.len()).unwrap_or(u32::MAX));
        target
    }

    pub(super) fn target(&mut self, layer: usize) -> f32 {
        let word = self.word(self.layer_at(layer) + 1);
        if word != FOLLOW {
            return f32::from_bits(word);
        }
        let code = self.rows.layers.get(layer).and_then(|row| row.weight);
        code.map_or(0.0, |code| float::clamp(f32::from_bits(self.eval(code, None)), 0.0, 1.0))
    }

    /// Moves every layer toward its target.
    pub(crate) fn move_layers(&mut self, step: f64) {
        let rows = self.rows;
        for (index, row) in rows.layers.iter().enumerate() {
            let at = self.layer_at(index);
            let word = self.word(at);
            if self.word(at + 1) == word {
                continue;
            }
            let (weight, target) = (f32::from_bits(word), self.target(index));
            self.put_number(at, super::advance::lerp(weight, target, row.lerp_rate, step));
        }
    }

    /// Reads the `Speed` expressions.
    pub(crate) fn layer_speeds(&mut self) {
        if !self.layout.layer_codes {
            return;
        }
        let (rows, layout) = (self.rows, self.layout);
        for (row, at) in rows.layers.iter().zip(&layout.layer_speed) {
            if let (Some(code), false) = (row.speed, *at == NONE) {
                let speed = self.eval(code, None);
                self.put(*at as usize, speed);
            }
        }
    }

    /// Every smoothed value at its input.
    pub(crate) fn create_damps(&mut self) {
        self.follow(|_| 1.0);
    }

    /// Those without a time are at their input always.
    pub(crate) fn immediate_damps(&mut self) {
        if !self.rows.damps.is_empty() {
            self.follow(|time| if time == 0.0 { 1.0 } else { 0.0 });
        }
    }

    /// Lets time pass for the smoothed values.
    pub(crate) fn move_damps(&mut self, step: f64) {
        if !self.rows.damps.is_empty() {
            self.follow(|time| float::decay(step, time));
        }
    }

    /// Moves each value by a share of its distance.
    fn follow(&mut self, share: impl Fn(f32) -> f64) {
        let rows = self.rows;
        for (index, damp) in rows.damps.iter().enumerate() {
            let share = share(damp.time);
            if share > 0.0 {
                let at = self.layout.damps + index;
                let (value, input) = (self.number(at), f32::from_bits(self.eval(damp.input, None)));
                let way = f64::from(input) - f64::from(value);
                let moved = float::narrow(f64::from(value) + way * share);
                // Where rounding would leave it short of its input for ever, it is there.
                let stuck = moved == value && way.abs() <= NEAR * f64::from(input).abs().max(1.0);
                self.put_number(at, if share < 1.0 && !stuck { moved } else { input });
            }
        }
    }
}
