//! The verifier's rules of motions that take more than one change: limits of trees, whole triangulations, gates.

use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::limits::Limit;
use motix_vm::program::tables::*;
use motix_vm::program::{LoadErrorKind as Kind, Program};

use crate::support::{Builder, clip, program, sample};
use crate::verify::{Change, NUMBER, over, triangle};

/// A behavior whose only state plays what `grow` makes of a clip: it gets the builder and the tree's top so far.
fn grown(steps: usize, grow: fn(&mut Builder, MotionId) -> Vec<Point>) -> Tables {
    let mut b = Builder::new("Grown");
    let layer = b.layer("Base");
    b.animation("Clip", layer);
    let code = b.code(NUMBER, &[Op::Elapsed]);
    assert_eq!(code, CodeId(0));
    b.rows.motions.push(Motion { kind: clip(AnimationId(0)), speed: None });
    for _ in 0..steps {
        let top = MotionId(b.rows.motions.len() as u16 - 1);
        let points = grow(&mut b, top);
        let run = Run { first: b.rows.points.len() as u32, count: points.len() as u32 };
        b.rows.points.extend(points);
        let kind = MotionKind::Blend1D { input: code, points: run, sync: true };
        b.rows.motions.push(Motion { kind, speed: None });
    }
    b.machine(None, &["A"]);
    b.rows.states[0].motion = MotionId::from_index(b.rows.motions.len() - 1);
    b.tables()
}

#[test]
fn motions_do_not_nest_without_bound() {
    let nested =
        |depth: usize| grown(depth - 1, |_, top| vec![Point { motion: top, x: 0.0, y: 0.0, weight: None }]);
    program(nested(Limit::MotionNesting.value()));
    assert_eq!(over(nested(Limit::MotionNesting.value() + 1)), Some(Kind::Limit(Limit::MotionNesting)));
}

#[test]
fn the_clips_of_a_motion_are_limited() {
    // Each step adds 85 clips beside what is there: three give 256.
    let wide = |b: &mut Builder, top: MotionId| {
        let point = |motion, x: usize| Point { motion, x: x as f32, y: 0.0, weight: None };
        let mut points = vec![point(top, 0)];
        for x in 1..=85 {
            points.push(point(MotionId(b.rows.motions.len() as u16), x));
            b.rows.motions.push(Motion { kind: clip(AnimationId(0)), speed: None });
        }
        points
    };
    program(grown(3, wide));
    assert_eq!(over(grown(4, wide)), Some(Kind::Limit(Limit::MotionClips)));
}

/// A `Blend2D` of these points and triangles.
fn plane(places: &[[f32; 2]], triangles: &[[u16; 3]]) -> Tables {
    let mut b = Builder::new("Plane");
    let layer = b.layer("Base");
    b.animation("Clip", layer);
    let code = b.code(NUMBER, &[Op::Elapsed]);
    for (index, [x, y]) in places.iter().enumerate() {
        b.rows.motions.push(Motion { kind: clip(AnimationId(0)), speed: None });
        b.rows.points.push(Point { motion: MotionId(index as u16), x: *x, y: *y, weight: None });
    }
    b.rows.triangles = triangles.iter().map(|[a, b, c]| triangle(*a, *b, *c)).collect();
    let all = |count: usize| Run { first: 0, count: count as u32 };
    let kind = MotionKind::Blend2D {
        x: code,
        y: code,
        points: all(places.len()),
        triangles: all(triangles.len()),
        sync: true,
    };
    b.rows.motions.push(Motion { kind, speed: None });
    b.tables()
}

#[test]
fn triangulations_are_whole() {
    let check = |places: &[[f32; 2]], triangles: &[[u16; 3]]| {
        let error = Program::verify(plane(places, triangles)).map(|_| ()).err()?;
        Some((error.kind(), error.detail().to_owned()))
    };
    let refused = |places: &[[f32; 2]], triangles: &[[u16; 3]], kind: Kind, why: &str| {
        let found = check(places, triangles);
        assert!(found.as_ref().is_some_and(|(k, detail)| *k == kind && detail.contains(why)), "{found:?}");
    };
    // A point in the middle of a square, a point on an edge, a single point.
    let star = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]];
    assert_eq!(check(&star, &[[0, 4, 3], [0, 1, 4], [3, 4, 2], [4, 1, 2]]), None);
    let edge = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [1.0, 1.0]];
    assert_eq!(check(&edge, &[[0, 1, 3], [1, 2, 3]]), None);
    assert_eq!(check(&[[3.0, 4.0]], &[]), None);
    refused(&edge, &[[0, 2, 3]], Kind::BadTriangles, "a point has no triangle");
    refused(&star, &[[0, 4, 3], [0, 1, 4], [4, 1, 2]], Kind::BadTriangles, "not convex");
    // Two triangles that touch in a point, and two far apart.
    refused(
        &[[0.0, 0.0], [1.0, -1.0], [1.0, 1.0], [-1.0, -1.0], [-1.0, 1.0]],
        &[[3, 0, 4], [0, 1, 2]],
        Kind::BadTriangles,
        "touches itself",
    );
    refused(
        &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [5.0, 0.0], [6.0, 0.0], [5.0, 1.0]],
        &[[0, 1, 2], [3, 4, 5]],
        Kind::BadTriangles,
        "several outlines",
    );
    // A fan of five sides that goes around its middle twice.
    let angle = |index: usize| {
        let turn = index as f32 * 0.8 * std::f32::consts::PI;
        [turn.cos(), turn.sin()]
    };
    let fan = [[0.0, 0.0], angle(0), angle(1), angle(2), angle(3), angle(4)];
    let mut sides = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5], [0, 5, 1]];
    let place = |index: u16| fan[usize::from(index)];
    for side in &mut sides {
        let least = (0..3).min_by(|a, b| place(side[*a]).partial_cmp(&place(side[*b])).unwrap()).unwrap();
        side.rotate_left(least);
    }
    sides.sort_by(|a, b| a.map(place).partial_cmp(&b.map(place)).unwrap());
    refused(&fan, &sides, Kind::BadTriangles, "they overlap");
    // Two points at one place.
    refused(
        &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]],
        &[[0, 1, 2], [0, 1, 3]],
        Kind::Unsorted,
        "order",
    );
    refused(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.1]], &[], Kind::BadTriangles, "one line");
    refused(&[[1.0, 1.0], [1.0, 1.0]], &[], Kind::Unsorted, "ascending");
    let many = [[0, 1, 2]; 6];
    refused(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]], &many, Kind::BadTriangles, "more than");
}

#[test]
fn gates_find_a_motion_around_or_inside() {
    // The sample's `Stance` has none of its own; `Combat` around it has. `Combat` may have none, `Attack` in it has.
    let with = |change: Change| {
        let mut tables = sample();
        change(&mut tables);
        Program::verify(tables).map(|_| ()).map_err(|error| error.kind())
    };
    let around: Change = |t| {
        let rows = &mut t.behaviors[0];
        rows.states[3].transitions = std::mem::take(&mut rows.states[4].transitions);
    };
    assert_eq!(with(around), Ok(()));
    assert_eq!(with(|t| t.behaviors[0].states[2].motion = None), Ok(()));
    assert_eq!(with(|t| t.behaviors[0].transitions[4].gate.exit = Some(Place::Ratio(0.5))), Ok(()));
    assert_eq!(with(|t| t.behaviors[0].transitions[0].gate.after = Some(0.5)), Ok(()));
}
