//! The triangulation of `Blend2D`s: Delaunay, whatever the order of declaration.
//!
//! Points stand by ascending `x`, then `y`. A sweep along that order covers their hull with triangles; then edges are
//! exchanged until no circle around a triangle holds another point. Where four points are on one circle, the edge at
//! the one nearest to the origin is kept, of equally near ones at the least: as if points were lifted by amounts that
//! are as good as nothing and differ from one to the next. So there is one result, and the cells of a grid around the
//! origin are mirror images of each other. All questions are answered exactly.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use motix_vm::plane::{in_circle, nearer, turn};

use super::Context;
use crate::diagnostic::Diagnostics;
use crate::hir::{BlendBy, Hir, MotionKind};

pub(super) fn run(hir: &mut Hir, _: &Context<'_>, _: &mut Diagnostics) {
    for motion in hir.behaviors.iter_mut().flat_map(|behavior| &mut behavior.motions) {
        if let MotionKind::Blend { by: BlendBy::Plane { triangles, .. }, points, .. } = &mut motion.kind {
            let places: Vec<[f32; 2]> = points.iter().map(|point| point.at).collect();
            *triangles = triangulate(&places);
        }
    }
}

/// The triangles of points that are distinct and in order: counterclockwise, each with its least point first, in
/// ascending order. None where the points are on one line.
fn triangulate(points: &[[f32; 2]]) -> Vec<[u16; 3]> {
    let Some(mut mesh) = Mesh::sweep(points) else { return Vec::new() };
    mesh.exchange_edges();
    mesh.triangles()
}

/// Triangles by their edges.
struct Mesh<'p> {
    points: &'p [[f32; 2]],
    /// By each edge, in the direction that its triangle has: the triangle's third point.
    beside: BTreeMap<(u16, u16), u16>,
    /// How early each point is preferred among those on one circle.
    rank: Vec<usize>,
}

impl<'p> Mesh<'p> {
    /// Any triangles that cover the hull of the points.
    fn sweep(points: &'p [[f32; 2]]) -> Option<Self> {
        let [first, second, ..] = points else { return None };
        // The points before the first that is off their line.
        let line = points.iter().position(|point| turn(*first, *second, *point) != Ordering::Equal)?;
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by(|a, b| nearer(points[*a], points[*b]).then(a.cmp(b)));
        let mut rank = vec![0; points.len()];
        for (place, point) in order.into_iter().enumerate() {
            rank[point] = place;
        }
        let mut mesh = Self { points, beside: BTreeMap::new(), rank };
        let id = |index: usize| index as u16;
        // The hull, counterclockwise.
        let mut ring: Vec<u16> = (0..line).map(id).collect();
        if turn(*first, *second, points[line]) == Ordering::Less {
            ring.reverse();
        }
        for pair in ring.windows(2) {
            mesh.add(pair[0], pair[1], id(line));
        }
        ring.push(id(line));
        for point in (line + 1..points.len()).map(id) {
            // The edges that are seen from the point are neighbors; the first of them comes to the front.
            let seen = |ring: &[u16], at: usize| {
                mesh_turn(points, ring[at], ring[(at + 1) % ring.len()], point) == Ordering::Less
            };
            let start = (0..ring.len())
                .find(|at| seen(&ring, *at) && !seen(&ring, (at + ring.len() - 1) % ring.len()));
            ring.rotate_left(start.unwrap_or(0));
            let count = (0..ring.len()).take_while(|at| seen(&ring, *at)).count();
            for at in 0..count {
                mesh.add(ring[(at + 1) % ring.len()], ring[at], point);
            }
            ring.splice(1..count, [point]);
        }
        Some(mesh)
    }

    fn add(&mut self, a: u16, b: u16, c: u16) {
        for (from, to, third) in [(a, b, c), (b, c, a), (c, a, b)] {
            self.beside.insert((from, to), third);
        }
    }

    /// Exchanges edges until each is the right one of the two between its triangles.
    fn exchange_edges(&mut self) {
        let mut open: Vec<(u16, u16)> = self.beside.keys().filter(|(a, b)| a < b).copied().collect();
        while let Some((a, b)) = open.pop() {
            let (Some(c), Some(d)) = (self.beside.get(&(a, b)).copied(), self.beside.get(&(b, a)).copied())
            else {
                continue;
            };
            if !self.is_wrong(a, b, c, d) {
                continue;
            }
            self.beside.remove(&(a, b));
            self.beside.remove(&(b, a));
            self.add(a, d, c);
            self.add(d, b, c);
            open.extend([(a, d), (d, b), (b, c), (c, a)]);
        }
    }

    /// Whether the edge from `c` to `d` should stand instead of the one from `a` to `b`.
    fn is_wrong(&self, a: u16, b: u16, c: u16, d: u16) -> bool {
        let at = |point: u16| self.points[usize::from(point)];
        match in_circle(at(a), at(b), at(c), at(d)) {
            Ordering::Greater => true,
            Ordering::Less => false,
            Ordering::Equal => {
                let rank = |point: u16| self.rank[usize::from(point)];
                rank(c).min(rank(d)) < rank(a).min(rank(b))
            }
        }
    }

    fn triangles(&self) -> Vec<[u16; 3]> {
        let mut triangles: Vec<[u16; 3]> =
            self.beside.iter().map(|((a, b), c)| [*a, *b, *c]).filter(|[a, b, c]| a < b && a < c).collect();
        triangles.sort_unstable();
        triangles
    }
}

fn mesh_turn(points: &[[f32; 2]], a: u16, b: u16, c: u16) -> Ordering {
    let at = |point: u16| points[usize::from(point)];
    turn(at(a), at(b), at(c))
}

#[cfg(test)]
mod tests {
    use motix_vm::plane::order;

    use super::*;

    /// A sequence of numbers that is the same in each run.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, count: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % count
        }
    }

    fn in_order(points: &mut Vec<[f32; 2]>) {
        points.sort_by(|a, b| order(*a, *b));
        points.dedup();
    }

    fn sets() -> Vec<Vec<[f32; 2]>> {
        let mut dice = Dice(7);
        let mut sets = Vec::new();
        for round in 0..400 {
            let count = 1 + dice.below(24);
            let point = |dice: &mut Dice| match round % 4 {
                // Crowded places: many on one line or circle.
                0 => [dice.below(5) as f32 - 2.0, dice.below(5) as f32 - 2.0],
                1 => [dice.below(3) as f32 * 0.1, dice.below(9) as f32 * 0.3],
                2 => [dice.below(1 << 20) as f32 / 1e5 - 5.0, dice.below(1 << 20) as f32 / 1e5 - 5.0],
                // All magnitudes.
                _ => {
                    let mut wide = || {
                        let number = f32::from_bits(dice.below(1 << 31) as u32);
                        let number = if number.is_finite() { number } else { 1.0 };
                        if dice.below(2) == 0 { number } else { 0.0 - number }
                    };
                    [wide(), wide()]
                }
            };
            let mut points: Vec<[f32; 2]> = (0..count).map(|_| point(&mut dice)).collect();
            in_order(&mut points);
            sets.push(points);
        }
        sets
    }

    #[test]
    fn no_circle_around_a_triangle_holds_a_point_and_ties_go_to_the_preferred() {
        for points in sets() {
            let at = |point: u16| points[usize::from(point)];
            let triangles = triangulate(&points);
            let mesh = Mesh::sweep(&points);
            assert_eq!(triangles.is_empty(), mesh.is_none());
            let Some(mesh) = mesh else { continue };
            for [a, b, c] in &triangles {
                assert_eq!(turn(at(*a), at(*b), at(*c)), Ordering::Greater, "{points:?}");
                for d in 0..points.len() as u16 {
                    let inside = in_circle(at(*a), at(*b), at(*c), at(d));
                    assert_ne!(inside, Ordering::Greater, "{points:?}");
                    // Of all points on the circle the preferred one is a corner of each triangle in it.
                    if inside == Ordering::Equal {
                        let corners = [*a, *b, *c].map(|corner| mesh.rank[usize::from(corner)]);
                        assert!(corners.iter().min() <= Some(&mesh.rank[usize::from(d)]), "{points:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_hull_is_covered() {
        for points in sets() {
            let triangles = triangulate(&points);
            if triangles.is_empty() {
                continue;
            }
            let mut edges = BTreeMap::new();
            for [a, b, c] in &triangles {
                for edge in [(*a, *b), (*b, *c), (*c, *a)] {
                    assert!(edges.insert(edge, ()).is_none(), "{points:?}");
                }
            }
            // Each edge without a triangle on its other side has all points on this one.
            let outer: Vec<_> = edges.keys().filter(|(a, b)| !edges.contains_key(&(*b, *a))).collect();
            for (a, b) in &outer {
                let all = (0..points.len() as u16).all(|c| mesh_turn(&points, *a, *b, c) != Ordering::Less);
                assert!(all, "{points:?}");
            }
            // Euler's formula: nothing is missing, and no point is left out.
            assert_eq!(triangles.len(), 2 * points.len() - 2 - outer.len(), "{points:?}");
        }
    }

    #[test]
    fn a_grid_around_the_origin_is_its_own_mirror_image() {
        for steps in [[-1.0, 0.0, 1.0, 2.0, 3.0], [-0.3, 0.0, 0.3, 0.7, 1.1], [-2.0, 0.0, 2.0, 2.5, 7.0]] {
            let columns = [-steps[2], steps[1], steps[2]];
            let mut points: Vec<[f32; 2]> =
                columns.iter().flat_map(|x| steps.iter().map(|y| [*x + 0.0, *y])).collect();
            in_order(&mut points);
            let named = |mirror: f32| {
                let mut list: Vec<Vec<String>> = triangulate(&points)
                    .iter()
                    .map(|triangle| {
                        let mut corners: Vec<String> = triangle
                            .iter()
                            .map(|corner| {
                                let [x, y] = points[usize::from(*corner)];
                                format!("{} {y}", x * mirror + 0.0)
                            })
                            .collect();
                        corners.sort();
                        corners
                    })
                    .collect();
                list.sort();
                list
            };
            assert_eq!(named(1.0), named(-1.0));
            assert_eq!(named(1.0).len(), 16);
        }
    }

    #[test]
    fn points_on_one_line_have_no_triangles() {
        assert!(triangulate(&[]).is_empty());
        assert!(triangulate(&[[1.0, 2.0]]).is_empty());
        assert!(triangulate(&[[0.0, 0.0], [1.0, 2.0], [2.0, 4.0], [4.0, 8.0]]).is_empty());
        assert_eq!(triangulate(&[[0.0, 0.0], [1.0, 2.0], [2.0, 4.0], [4.0, 7.0]]).len(), 2);
    }

    #[test]
    fn as_many_points_as_there_can_be_take_no_time_to_speak_of() {
        let ring = |index: u16| {
            let t = f32::from(index) / 256.0;
            [(1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t)]
        };
        let grid = |index: u16| [f32::from(index % 16), f32::from(index / 16)];
        let curve = |index: u16| [f32::from(index), f32::from(index) * f32::from(index)];
        for shape in [&ring as &dyn Fn(u16) -> [f32; 2], &grid, &curve] {
            let mut points: Vec<[f32; 2]> = (0..256).map(shape).collect();
            in_order(&mut points);
            assert!(triangulate(&points).len() >= 254);
        }
    }
}
