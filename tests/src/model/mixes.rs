//! The model's blends: how a motion's weight is spread over its clips, and the pace that they share.

use super::behavior::*;
use super::world::{Kind, Role, World};

/// What one clip of a motion is to do now.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) clip: Clip,
    /// Its share of the motion's weight.
    pub(super) share: f64,
    /// In a blend, its cycles a second, without the speed of the layer.
    pub(super) pace: Option<f64>,
}

impl World<'_> {
    /// The clips of a machine's motion, with their weights and paces.
    pub(super) fn leaves(&self, machine: usize) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        self.spread(self.motion(machine), 1.0, None, None, &mut leaves);
        leaves
    }

    /// `pace` is that of a blend around, whose children are in step; `speed` that of one whose children are not.
    fn spread(
        &self,
        motion: &Motion,
        share: f64,
        pace: Option<f64>,
        speed: Option<f64>,
        leaves: &mut Vec<Leaf>,
    ) {
        match motion {
            Motion::None | Motion::Empty => {}
            Motion::Clip(clip) => {
                let own = speed.map(|speed| {
                    let row = &self.behavior.animations[clip.animation];
                    speed * row.speed * self.factor(clip.speed) / row.duration
                });
                leaves.push(Leaf { clip: *clip, share, pace: pace.or(own) });
            }
            Motion::Blend(blend) => {
                let around = speed.unwrap_or(1.0);
                let (pace, speed) = match (blend.sync, pace) {
                    (true, None) => {
                        let cycle = self.cycle(motion);
                        (Some(if cycle == 0.0 { 0.0 } else { around / cycle }), None)
                    }
                    (true, pace) => (pace, None),
                    (false, _) => (None, Some(around * self.factor(blend.speed))),
                };
                for (child, weight) in blend.children.iter().zip(self.weights(&blend.mix)) {
                    self.spread(child, share * weight, pace, speed, leaves);
                }
            }
        }
    }

    fn factor(&self, speed: Option<usize>) -> f64 {
        speed.map_or(1.0, |param| self.number(param))
    }

    /// The seconds of a cycle: of a blend the mean of those of its children, by weight. Below 0 it runs backward, at 0 not
    /// at all.
    fn cycle(&self, motion: &Motion) -> f64 {
        match motion {
            Motion::None | Motion::Empty => 0.0,
            Motion::Clip(clip) => {
                let row = &self.behavior.animations[clip.animation];
                row.duration / (row.speed * self.factor(clip.speed))
            }
            Motion::Blend(blend) => {
                let weights = self.weights(&blend.mix);
                let all: f64 = weights.iter().sum();
                let children = blend.children.iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
                let sum: f64 = children.map(|(child, weight)| weight * self.cycle(child)).sum();
                let speed = self.factor(blend.speed);
                if all == 0.0 || speed == 0.0 { 0.0 } else { sum / all / speed }
            }
        }
    }

    fn weights(&self, mix: &Mix) -> Vec<f64> {
        match mix {
            Mix::Line { input, places } => along(places, self.number(*input)),
            Mix::Plane { inputs: (x, y), places } => planar(places, [self.number(*x), self.number(*y)]),
            Mix::Direct { weights, normalize } => {
                let weight = |weight: &Weight| match *weight {
                    Weight::Always(weight) => weight,
                    Weight::Level(param, factor) => self.number(param) * factor,
                };
                let mut weights: Vec<f64> = weights.iter().map(|row| weight(row).clamp(0.0, 1.0)).collect();
                let sum: f64 = weights.iter().sum();
                if *normalize && sum > 1.0 {
                    weights.iter_mut().for_each(|weight| *weight /= sum);
                }
                weights
            }
        }
    }

    /// Brings the current motion of a machine up to date with its inputs: shares, pace, and which clip speaks.
    pub(super) fn refresh(&mut self, machine: usize) {
        let leaves = self.leaves(machine);
        if leaves.len() < 2 && leaves.iter().all(|leaf| leaf.pace.is_none()) {
            return;
        }
        let heaviest = self.heaviest(&leaves);
        let (mut told, mut near) = (Vec::new(), false);
        let rows = self.machines[machine].rows.iter_mut().filter(|row| row.role == Role::Current);
        for (index, (row, leaf)) in rows.zip(&leaves).enumerate() {
            (row.share, row.pace) = (leaf.share, leaf.pace);
            let speaks = index == heaviest;
            if row.speaks != speaks {
                // What does not speak need not have looked ahead.
                near |= row.playhead.is_about_to_pass(&self.behavior.animations[row.animation]);
                // Spans of one that has spoken end; the other begins within its own.
                for (span, _) in row.playhead.inside.iter().enumerate().filter(|(_, inside)| **inside) {
                    told.push(if speaks {
                        Kind::SpanBegin(row.animation, span)
                    } else {
                        Kind::SpanEnd(row.animation, span)
                    });
                }
            }
            row.speaks = speaks;
        }
        if near {
            self.unsure = Some("another clip of a blend speaks where something lies");
        }
        told.into_iter().for_each(|kind| self.say(kind));
    }

    /// The clip that speaks.
    pub(super) fn heaviest(&mut self, leaves: &[Leaf]) -> usize {
        let mut order: Vec<usize> = (0..leaves.len()).collect();
        order.sort_by(|a, b| leaves[*b].share.total_cmp(&leaves[*a].share));
        if let [first, second, ..] = order[..]
            && leaves[first].share - leaves[second].share < 1e-5
        {
            self.unsure = Some("two clips of a blend are heaviest");
        }
        order.first().copied().unwrap_or(0)
    }
}

/// The two neighbors of a place, linear; outside, the end one.
fn along(places: &[f64], input: f64) -> Vec<f64> {
    let mut shares = vec![0.0; places.len()];
    let last = places.len() - 1;
    let Some(above) = places.iter().position(|place| *place > input) else {
        shares[last] = 1.0;
        return shares;
    };
    if above == 0 {
        shares[0] = 1.0;
        return shares;
    }
    let share = (input - places[above - 1]) / (places[above] - places[above - 1]);
    shares[above - 1] = 1.0 - share;
    shares[above] = share;
    shares
}

fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Whether a point lies within the circle around three others.
fn in_circle([a, b, c]: [[f64; 2]; 3], p: [f64; 2]) -> bool {
    let row = |q: [f64; 2]| {
        let (x, y) = (q[0] - p[0], q[1] - p[1]);
        [x, y, x * x + y * y]
    };
    let [a1, b1, c1] = [row(a), row(b), row(c)];
    let determinant = a1[0] * (b1[1] * c1[2] - b1[2] * c1[1]) - a1[1] * (b1[0] * c1[2] - b1[2] * c1[0])
        + a1[2] * (b1[0] * c1[1] - b1[1] * c1[0]);
    determinant * cross(a, b, c).signum() > 0.0
}

/// Barycentric in the triangle of the Delaunay triangulation that holds the place; outside, the nearest point of the hull.
fn planar(places: &[[f64; 2]], at: [f64; 2]) -> Vec<f64> {
    let mut shares = vec![0.0; places.len()];
    let count = places.len();
    let mut nearest: Option<(f64, usize, usize, f64)> = None;
    for i in 0..count {
        for j in i + 1..count {
            let (a, b) = (places[i], places[j]);
            let edge = [b[0] - a[0], b[1] - a[1]];
            let length = edge[0] * edge[0] + edge[1] * edge[1];
            let share = ((at[0] - a[0]) * edge[0] + (at[1] - a[1]) * edge[1]) / length;
            let share = share.clamp(0.0, 1.0);
            let away = [a[0] + edge[0] * share - at[0], a[1] + edge[1] * share - at[1]];
            let distance = away[0] * away[0] + away[1] * away[1];
            // An edge of the hull has all others on one side.
            let sides: Vec<f64> =
                (0..count).filter(|k| *k != i && *k != j).map(|k| cross(a, b, places[k])).collect();
            let outer = sides.iter().all(|side| *side > 0.0) || sides.iter().all(|side| *side < 0.0);
            if outer && nearest.is_none_or(|(least, ..)| distance < least) {
                nearest = Some((distance, i, j, share));
            }
            for k in j + 1..count {
                let corners = [a, b, places[k]];
                let empty = (0..count)
                    .filter(|other| ![i, j, k].contains(other))
                    .all(|other| !in_circle(corners, places[other]));
                let area = cross(a, b, places[k]);
                let weights =
                    [cross(at, b, places[k]) / area, cross(a, at, places[k]) / area, cross(a, b, at) / area];
                if empty && weights.iter().all(|weight| *weight >= 0.0) {
                    [shares[i], shares[j], shares[k]] = weights;
                    return shares;
                }
            }
        }
    }
    if let Some((_, i, j, share)) = nearest {
        shares[i] = 1.0 - share;
        shares[j] = share;
    }
    shares
}
