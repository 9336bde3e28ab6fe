//! Blends: weights by one and two numbers and by expressions, one phase for all children.

use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::*;

use crate::motions::{clip, faded};
use crate::sketch::*;
use crate::support::{Builder, to};
use crate::world::{World, near};

fn blend(b: &mut Builder, points: &[Point], kind: impl Fn(Run) -> MotionKind) -> MotionId {
    let points = append(&mut b.rows.points, points);
    b.rows.motions.push(Motion { kind: kind(points), speed: None });
    MotionId(b.rows.motions.len() as u16 - 1)
}

fn point(motion: MotionId, x: f32, y: f32) -> Point {
    Point { motion, x, y, weight: None }
}

/// Idle at 0, walk at 1, run at 3, over the number `speed`.
fn pace() -> Builder {
    let mut b = Builder::new("Pace");
    b.layer("Base");
    let speed = b.number("speed", 0.0);
    let input = b.number_code(&[Op::Param { param: speed }]);
    let clips = [("idle", 1.0, 0.0), ("walk", 1.0, 1.0), ("run", 0.5, 3.0)];
    let points = clips.map(|(name, seconds, x)| point(clip(&mut b, name, seconds, LoopMode::Loop).1, x, 0.0));
    let motion = blend(&mut b, &points, |points| MotionKind::Blend1D { input, points, sync: true });
    b.machine(None, &["S", "T"]);
    b.rows.states[0].motion = Some(motion);
    b
}

#[test]
fn a_one_dimensional_blend_weighs_the_two_neighbours() {
    let mut world = World::new(pace());
    world.set("speed", 2.0);
    world.tick(1.0 / 60.0);
    near(world.weight("walk"), 0.5);
    near(world.weight("run"), 0.5);
    assert_eq!(world.weight("idle"), 0.0);
    for (speed, name) in [(99.0, "run"), (-1.0, "idle"), (1.0, "walk")] {
        world.set("speed", speed);
        world.tick(1.0 / 60.0);
        near(world.weight(name), 1.0);
        assert_eq!(world.instance.samples().count(), 1);
    }
}

#[test]
fn children_of_a_blend_share_a_phase() {
    let mut world = World::new(pace());
    world.set("speed", 2.0);
    world.tick(0.3);
    near(world.phase("walk"), 0.4);
    near(world.phase("run"), 0.4);
    near(world.time("run"), 0.2);
    // A child that gains weight joins.
    world.set("speed", 0.5);
    world.tick(0.0);
    near(world.phase("idle"), 0.4);
}

#[test]
fn without_sync_each_child_runs_by_itself() {
    let mut b = pace();
    if let MotionKind::Blend1D { sync, .. } = &mut b.rows.motions[3].kind {
        *sync = false;
    }
    let mut world = World::new(b);
    world.set("speed", 2.0);
    world.tick(0.2);
    near(world.phase("walk"), 0.2);
    near(world.phase("run"), 0.4);
}

#[test]
fn a_blend_has_a_speed_of_its_own() {
    for sync in [true, false] {
        let mut b = pace();
        let half = b.number_code(&[Op::Number { value: 0.5 }]);
        b.rows.motions[3].speed = Some(half);
        if let MotionKind::Blend1D { sync: own, .. } = &mut b.rows.motions[3].kind {
            *own = sync;
        }
        let mut world = World::new(b);
        world.set("speed", 1.0);
        world.tick(0.4);
        near(world.phase("walk"), 0.2);
    }
}

fn plane(points: &[(&str, f32, f32)], triangles: &[(u16, u16, u16)]) -> World {
    let mut b = Builder::new("Plane");
    b.layer("Base");
    let (x, y) = (b.number("x", 0.0), b.number("y", 0.0));
    let (x, y) = (b.number_code(&[Op::Param { param: x }]), b.number_code(&[Op::Param { param: y }]));
    let points: Vec<Point> =
        points.iter().map(|(name, x, y)| point(clip(&mut b, name, 1.0, LoopMode::Loop).1, *x, *y)).collect();
    let rows: Vec<Triangle> = triangles.iter().map(|(a, b, c)| Triangle { a: *a, b: *b, c: *c }).collect();
    let triangles = append(&mut b.rows.triangles, &rows);
    let motion = blend(&mut b, &points, |points| MotionKind::Blend2D { x, y, points, triangles, sync: true });
    b.machine(None, &["S"]);
    b.rows.states[0].motion = Some(motion);
    World::new(b)
}

#[track_caller]
fn weighs(world: &mut World, x: f32, y: f32, weights: &[(&str, f32)]) {
    world.set("x", x);
    world.set("y", y);
    world.tick(1.0 / 60.0);
    for (name, weight) in weights {
        near(world.weight(name), *weight);
    }
    near(world.instance.samples().map(|sample| sample.weight).sum(), 1.0);
}

#[test]
fn a_two_dimensional_blend_is_barycentric_and_clamps_to_the_hull() {
    let points = [("center", 0.0, 0.0), ("n", 0.0, 1.0), ("far", 0.0, 2.0), ("e", 1.0, 0.0)];
    let mut world = plane(&points, &[(0, 3, 1), (1, 3, 2)]);
    weighs(&mut world, 0.25, 0.25, &[("center", 0.5), ("n", 0.25), ("e", 0.25)]);
    weighs(&mut world, 5.0, 0.0, &[("e", 1.0)]);
    weighs(&mut world, 0.0, 9.0, &[("far", 1.0)]);
    weighs(&mut world, -3.0, 0.5, &[("center", 0.5), ("n", 0.5)]);
    let mut before = Vec::new();
    for step in 0..400 {
        // A spiral in and out of the hull: nothing jumps.
        let (turn, reach) = (step as f32 * 0.05, step as f32 * 0.008);
        weighs(&mut world, turn.cos() * reach, turn.sin() * reach, &[]);
        let now: Vec<f32> = points.iter().map(|(name, ..)| world.weight(name)).collect();
        let most = before.iter().zip(&now).map(|(a, b): (&f32, &f32)| (a - b).abs()).fold(0.0, f32::max);
        assert!(before.is_empty() || most <= 0.4, "{before:?} {now:?}");
        before = now;
    }
}

#[test]
fn collinear_points_blend_along_their_line_and_one_point_is_that_point() {
    let mut world = plane(&[("a", 0.0, 0.0), ("b", 1.0, 1.0), ("c", 3.0, 3.0)], &[]);
    weighs(&mut world, 2.0, 2.0, &[("b", 0.5), ("c", 0.5)]);
    weighs(&mut world, 1.0, 0.0, &[("a", 0.5), ("b", 0.5)]);
    weighs(&mut world, 9.0, 9.0, &[("c", 1.0)]);
    let mut world = plane(&[("a", 4.0, 2.0)], &[]);
    weighs(&mut world, -2.0, 2.0, &[("a", 1.0)]);
}

#[test]
fn a_direct_blend_takes_its_weights_as_they_are_clamped() {
    for normalize in [false, true] {
        let mut b = Builder::new("Face");
        b.layer("Base");
        let params = ["smile", "frown"].map(|name| b.number(name, 0.0));
        let points: Vec<Point> = params
            .map(|param| {
                let weight = Some(b.number_code(&[Op::Param { param }]));
                let name = format!("clip{}", param.0);
                Point { weight, ..point(clip(&mut b, &name, 1.0, LoopMode::Loop).1, 0.0, 0.0) }
            })
            .to_vec();
        let motion =
            blend(&mut b, &points, |points| MotionKind::BlendDirect { points, sync: true, normalize });
        b.machine(None, &["S"]);
        b.rows.states[0].motion = Some(motion);
        let mut world = World::new(b);
        world.set("smile", 0.3);
        world.tick(0.1);
        near(world.weight("clip0"), 0.3);
        world.set("smile", 9.0);
        world.set("frown", 1.0);
        world.tick(0.1);
        near(world.weight("clip0"), if normalize { 0.5 } else { 1.0 });
    }
}

#[test]
fn the_heaviest_child_fires_its_markers_and_spans_that_began_end() {
    let mut b = pace();
    for id in [1, 2] {
        b.marker(AnimationId(id), &[("step", Place::Ratio(0.5))]);
        b.span(AnimationId(id), &[("down", Place::Ratio(0.0), Place::Ratio(0.9))]);
    }
    let mut world = World::new(b);
    world.set("speed", 1.2);
    assert_eq!(world.tick(0.6), ["SpanBegin(walk, down)", "Marker(walk, step)"]);
    world.set("speed", 2.9);
    let events = world.tick(0.5);
    assert_eq!(events[..2], ["SpanEnd(walk, down)", "SpanBegin(run, down)"]);
    assert!(events.contains(&"Marker(run, step)".to_owned()), "{events:?}");
    assert!(!events.contains(&"Marker(walk, step)".to_owned()), "{events:?}");
}

#[test]
fn a_blend_fades_out_as_it_stands_and_keeps_its_rows_in_step() {
    let mut b = pace();
    let go = b.flag("go");
    let is = b.is(go);
    let (_, other) = clip(&mut b, "other", 1.0, LoopMode::Loop);
    b.rows.states[1].motion = Some(other);
    b.from(StateId(0), &[faded(0.5, to(StateId(1), Some(is), 0))]);
    let mut world = World::new(b);
    world.set("speed", 2.0);
    world.tick(0.3);
    world.set("go", true);
    world.tick(0.25);
    for (name, weight) in [("walk", 0.25), ("run", 0.25), ("other", 0.5)] {
        near(world.weight(name), weight);
    }
    near(world.phase("walk"), world.phase("run"));
    near(world.phase("walk"), 0.4 + 0.25 / 0.75);
    let save = world.instance.save();
    world.instance.restore(&save).expect("it is a save of this program");
    world.tick(0.5);
    assert_eq!(world.instance.samples().count(), 1);
}

#[test]
fn blends_stand_in_blends() {
    let mut b = pace();
    let turn = b.number("turn", 0.0);
    let input = b.number_code(&[Op::Param { param: turn }]);
    let (_, left) = clip(&mut b, "left", 1.0, LoopMode::Loop);
    let points = [point(MotionId(3), 0.0, 0.0), point(left, 1.0, 0.0)];
    let motion = blend(&mut b, &points, |points| MotionKind::Blend1D { input, points, sync: true });
    b.rows.states[0].motion = Some(motion);
    let mut world = World::new(b);
    world.set("speed", 2.0);
    world.set("turn", 0.5);
    world.tick(0.35);
    for (name, weight) in [("walk", 0.25), ("run", 0.25), ("left", 0.5)] {
        near(world.weight(name), weight);
        near(world.phase(name), 0.35 / 0.875);
    }
}
