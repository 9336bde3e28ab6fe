//! The model's blends: how a motion's weight is spread over its clips, and the pace that they share.

use super::behavior::*;
use super::world::{Role, World};

impl World<'_> {
    /// Brings the current motion of a machine up to date with its inputs: shares, pace, and which clip speaks.
    pub(super) fn refresh(&mut self, machine: usize) {
        let shares = match self.motion(machine) {
            Motion::Blend1D { input, points, .. } => {
                let places: Vec<f64> = points.iter().map(|(at, _)| *at).collect();
                along(&places, self.number(*input))
            }
            Motion::Blend2D { inputs: (x, y), points } => {
                let places: Vec<[f64; 2]> = points.iter().map(|(x, y, _)| [*x, *y]).collect();
                planar(&places, [self.number(*x), self.number(*y)])
            }
            _ => return,
        };
        let mut heaviest: Vec<f64> = shares.clone();
        heaviest.sort_by(|a, b| b.total_cmp(a));
        if heaviest.get(1).is_some_and(|second| heaviest[0] - second < 1e-5) {
            self.unsure = Some("two clips of a blend are heaviest");
        }
        let rows = self.machines[machine].rows.iter_mut().filter(|row| row.role == Role::Current);
        let mut rows: Vec<_> = rows.collect();
        // A cycle takes the mean of theirs.
        let cycle: f64 = rows
            .iter()
            .zip(&shares)
            .map(|(row, share)| {
                let clip = &self.behavior.animations[row.animation];
                share * clip.duration / clip.speed
            })
            .sum();
        for (row, share) in rows.iter_mut().zip(shares) {
            row.share = share;
            row.pace = Some(1.0 / cycle);
            row.speaks = share == heaviest[0];
        }
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
