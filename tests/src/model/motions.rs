//! Makes up motions: clips, and blends of them.
//!
//! What blends have in common with the rest is in `invent.rs`. The model follows all that is made, but for marks of clips
//! whose speed is of either sign.

use super::behavior::*;
use super::invent::{GRIP, Inventor, LEVEL, PACE, SIGNED};

impl Inventor {
    pub(super) fn motion(&mut self, layer: usize) -> Motion {
        if self.shape.gaps && self.chance(20) {
            return if self.chance(40) { Motion::Empty } else { Motion::None };
        }
        if self.shape.blends && self.chance(30) {
            return self.blend(layer, true, None, 0);
        }
        let reused =
            if self.chance(15) { self.behavior.machines.last().map(|machine| machine.layer) } else { None };
        let animation = match (reused, self.behavior.animations.len()) {
            (Some(other), count) if other == layer && self.behavior.animations[count - 1].layer == layer => {
                count - 1
            }
            _ => self.animation(layer, 10),
        };
        if self.shape.blends && self.chance(8) {
            return Motion::Clip(Clip { animation, speed: None, start: None, phase: Some(GRIP) });
        }
        let row = &self.behavior.animations[animation];
        let turns = row.mode != Loop::Once && row.speed > 0.0;
        let speed = match self.random.below(10) {
            0 | 1 => Some(PACE),
            2 if turns => Some(SIGNED),
            _ => None,
        };
        let start = self.share();
        let start = if self.chance(15) && speed != Some(SIGNED) { Some(start) } else { None };
        Motion::Clip(Clip { animation, speed, start, phase: None })
    }

    /// A clip that loops, or does not, and goes forward.
    fn child(&mut self, layer: usize, mode: Loop) -> usize {
        let id = self.animation(layer, 0);
        let row = &mut self.behavior.animations[id];
        row.mode = mode;
        row.duration = row.duration.max(0.08);
        row.speed = row.speed.abs();
        id
    }

    /// A blend on inputs that conditions and hosts change. Children in step either all loop or none does.
    fn blend(&mut self, layer: usize, root: bool, mode: Option<Loop>, depth: usize) -> Motion {
        let sync = !root || self.chance(75);
        let mode = mode.unwrap_or_else(|| if sync && self.chance(25) { Loop::Once } else { Loop::Loop });
        let count = 2 + self.random.below(if depth == 0 { 3 } else { 2 });
        let children: Vec<Motion> = (0..count)
            .map(|_| {
                if depth < 2 && self.chance(20) {
                    return self.blend(layer, false, Some(mode), depth + 1);
                }
                let animation = self.child(layer, mode);
                let start = self.share();
                let (speed, start, phase) = match self.random.below(12) {
                    0 => (Some(PACE), None, None),
                    1 if !sync => (None, Some(start), None),
                    2 if !sync => (None, None, Some(GRIP)),
                    _ => (None, None, None),
                };
                Motion::Clip(Clip { animation, speed, start, phase })
            })
            .collect();
        let mix = match self.random.below(if self.shape.loose { 3 } else { 2 }) {
            0 => {
                let input = self.of(&[LEVEL, GRIP]);
                let width = if input == LEVEL { 0.75 } else { 0.4 };
                Mix::Line { input, places: (0..count).map(|index| index as f64 * width).collect() }
            }
            1 => {
                // Some lie on one line, and on one circle; where the model follows, in general position.
                let places = match self.shape.ties {
                    true => [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 0.5]],
                    false => [[0.0, 0.0], [1.0, -0.1], [0.2, 1.1], [1.3, 1.0], [2.1, 0.45]],
                };
                Mix::Plane { inputs: (LEVEL, SIGNED), places: places[..count].to_vec() }
            }
            _ => {
                let weights = (0..count).map(|index| match index {
                    0 => Weight::Always(self.of(&[0.35, 0.8])),
                    1 => Weight::Level(GRIP, 1.0),
                    _ => Weight::Level(LEVEL, 0.3),
                });
                Mix::Direct { weights: weights.collect(), normalize: self.chance(50) }
            }
        };
        // All children go the same way.
        let speed = if root && mode == Loop::Loop { self.of(&[PACE, SIGNED]) } else { PACE };
        let speed = if self.chance(20) { Some(speed) } else { None };
        Motion::Blend(Blend { mix, children, sync, speed })
    }
}
