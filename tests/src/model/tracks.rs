//! The model's keyframes: what a property is, mixed from all that plays.
//!
//! Times may differ a little, and where a clip begins anew that changes much. So a value is a range: of all that it may be.

use super::behavior::*;
use super::machine::ease;
use super::world::World;

/// How far times may differ.
const APART: f64 = 3e-4;

/// From the least to the greatest that a value may be.
type Range = [f64; 2];

impl World<'_> {
    /// The value of each property.
    #[must_use]
    pub fn properties(&self) -> Vec<Range> {
        (0..self.behavior.rests.len()).map(|property| self.property(property)).collect()
    }

    fn property(&self, property: usize) -> Range {
        let mut value = [self.behavior.rests[property].unwrap_or(0.0); 2];
        for (layer, row) in self.behavior.layers.iter().enumerate() {
            if row.mask == Some(false) {
                continue;
            }
            let level = self.levels[layer].weight;
            let mut added = [0.0; 2];
            let mut over = value;
            for played in [false, true] {
                let (mut weights, mut sum) = (0.0, [0.0; 2]);
                for (animation, weight, time) in self.showing(layer, played) {
                    let clip = &self.behavior.animations[animation];
                    let Some(track) = clip.tracks.iter().find(|track| track.property == property) else {
                        continue;
                    };
                    let range = track.range(clip, time);
                    if row.additive || clip.additive {
                        added = mix([added, range], [1.0, weight]);
                    } else {
                        weights += weight;
                        sum = mix([sum, range], [1.0, weight]);
                    }
                }
                let scale = if weights > 1.0 { 1.0 / weights } else { 1.0 };
                over = mix([over, sum], [1.0 - weights.min(1.0), scale]);
            }
            value = mix([mix([value, over], [1.0 - level, level]), added], [1.0, level]);
        }
        value
    }

    /// What shows in a layer, motions or what actions started: each with its weight and time.
    fn showing(&self, layer: usize, played: bool) -> Vec<(usize, f64, f64)> {
        let mut all = Vec::new();
        let rows = &self.behavior.animations;
        if played {
            for (index, play) in
                self.plays.iter().enumerate().filter(|(index, _)| rows[*index].layer == layer)
            {
                if let Some(playhead) = &play.playhead {
                    all.push((index, play.weight(), playhead.time(&rows[index])));
                }
            }
            return all;
        }
        let machines = self.machines.iter().zip(&self.behavior.machines);
        for (machine, _) in machines.filter(|(_, own)| own.layer == layer) {
            for row in &machine.rows {
                let time = row.playhead.time(&rows[row.animation]);
                all.push((row.animation, machine.weight(row), time));
            }
        }
        all
    }
}

impl Track {
    /// What it may be at a time, or a little before or after.
    fn range(&self, clip: &Animation, time: f64) -> Range {
        if clip.duration == 0.0 {
            return [self.at(f64::from(clip.mode == Loop::Once)); 2];
        }
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        for by in [-APART, -APART / 2.0, 0.0, APART / 2.0, APART] {
            let share = (time + by) / clip.duration;
            let share = if clip.mode == Loop::Loop { share.rem_euclid(1.0) } else { share };
            let value = self.at(share);
            range = [range[0].min(value), range[1].max(value)];
        }
        range
    }

    fn at(&self, share: f64) -> f64 {
        let next = self.keys.iter().position(|(at, ..)| *at > share);
        match next {
            Some(0) => self.keys[0].1,
            None => self.keys.last().map_or(0.0, |(_, value, _)| *value),
            Some(next) => {
                let ((from, low, easing), (to, high, _)) = (self.keys[next - 1], self.keys[next]);
                low + (high - low) * ease(easing, (share - from) / (to - from))
            }
        }
    }
}

/// Two ranges by weight.
fn mix(ranges: [Range; 2], weights: [f64; 2]) -> Range {
    let [a, b] = ranges;
    let [first, second] = weights;
    [a[0] * first + b[0] * second, a[1] * first + b[1] * second]
}
