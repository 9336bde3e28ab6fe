//! Playheads: loops, direction, markers, spans, clips without length, layer speeds.

use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::*;
use motix_vm::{Instance, Setup, StopMode};

use crate::sketch::*;
use crate::support::{Builder, program};
use crate::world::{World, near};

/// One animation `A` of a second.
fn clip(loop_mode: LoopMode, speed: f32) -> Builder {
    let mut b = Builder::new("Clip");
    let base = b.layer("Base");
    let id = b.animation("A", base);
    (b.row(id).loop_mode, b.row(id).speed) = (loop_mode, speed);
    b
}

const A: AnimationId = AnimationId(0);

fn playing(b: Builder) -> World {
    let mut world = World::new(b);
    world.play("A");
    world
}

#[test]
fn a_loop_wraps_and_counts() {
    let mut world = playing(clip(LoopMode::Loop, 1.0));
    world.tick(0.75);
    near(world.time("A"), 0.75);
    assert_eq!(world.tick(0.5), ["Loop(A)"]);
    near(world.time("A"), 0.25);
    assert_eq!(world.tick(3.5), ["Loop(A) x3"]);
    assert_eq!(world.timed(), ["0.750 Loop(A) x3"]);
    near(world.time("A"), 0.75);
    assert_eq!(world.instance.samples().map(|sample| sample.cycle).collect::<Vec<_>>(), [4]);
}

#[test]
fn a_loop_played_backward_starts_at_its_end() {
    let mut world = playing(clip(LoopMode::Loop, -2.0));
    world.tick(0.25);
    near(world.time("A"), 0.5);
    assert_eq!(world.tick(0.375), ["Loop(A)"]);
    near(world.time("A"), 0.75);
}

#[test]
fn ping_pong_turns_at_each_end() {
    let mut world = playing(clip(LoopMode::PingPong, 1.0));
    world.tick(0.75);
    assert_eq!(world.tick(0.5), ["Loop(A)"]);
    near(world.time("A"), 0.75);
    assert_eq!(world.tick(1.0), ["Loop(A)"]);
    near(world.time("A"), 0.25);
    assert_eq!(world.tick(2.0), ["Loop(A) x2"]);
    near(world.time("A"), 0.25);
}

#[test]
fn backward_a_clip_ends_at_its_start() {
    let mut world = playing(clip(LoopMode::None, -1.0));
    world.tick(0.75);
    near(world.time("A"), 0.25);
    assert_eq!(world.tick(0.25), ["Finish(A)"]);
    assert_eq!(world.time("A"), 0.0);
}

#[test]
fn markers_fire_once_for_each_crossing() {
    let mut b = clip(LoopMode::Loop, 1.0);
    b.marker(A, &[("left", Place::Ratio(0.0)), ("right", Place::Seconds(0.5)), ("end", Place::Ratio(1.0))]);
    let mut world = playing(b);
    assert_eq!(world.tick(0.5), ["Play(A)", "Marker(A, left)", "Marker(A, right)"]);
    assert_eq!(world.tick(0.4), [""; 0]);
    assert_eq!(world.tick(0.2), ["Marker(A, end)", "Loop(A)", "Marker(A, left)"]);
    assert_eq!(
        world.tick(2.0),
        ["Marker(A, right) x2", "Marker(A, end) x2", "Loop(A) x2", "Marker(A, left) x2"]
    );
    assert_eq!(world.timed().first().map(String::as_str), Some("0.400 Marker(A, right) x2"));
}

#[test]
fn markers_fire_backward_too() {
    let mut b = clip(LoopMode::None, -1.0);
    b.marker(A, &[("start", Place::Ratio(0.0)), ("mid", Place::Ratio(0.5))]);
    let mut world = playing(b);
    assert_eq!(world.tick(0.4), ["Play(A)"]);
    assert_eq!(world.tick(0.2), ["Marker(A, mid)"]);
    assert_eq!(world.tick(0.4), ["Marker(A, start)", "Finish(A)"]);
}

#[test]
fn outgoing_animations_still_fire_their_markers() {
    let mut b = clip(LoopMode::Loop, 1.0);
    b.row(A).fade_out = 0.5;
    b.marker(A, &[("mid", Place::Ratio(0.5))]);
    let mut world = playing(b);
    world.tick(0.4);
    world.stop("A", StopMode::FadeOut);
    assert_eq!(world.tick(0.2), ["Stop(A)", "Marker(A, mid)"]);
}

#[test]
fn a_span_that_began_always_ends() {
    let mut b = clip(LoopMode::Loop, 1.0);
    b.span(
        A,
        &[("first", Place::Ratio(0.0), Place::Ratio(0.5)), ("safe", Place::Ratio(0.25), Place::Ratio(1.0))],
    );
    let mut world = playing(b);
    assert_eq!(world.tick(0.3), ["Play(A)", "SpanBegin(A, first)", "SpanBegin(A, safe)"]);
    assert_eq!(world.tick(0.3), ["SpanEnd(A, first)"]);
    assert_eq!(world.tick(0.5), ["Loop(A)", "SpanEnd(A, safe)", "SpanBegin(A, first)"]);
    world.stop("A", StopMode::Immediate);
    assert_eq!(world.tick(0.1), ["Stop(A)", "SpanEnd(A, first)"]);
}

#[test]
fn a_span_is_seen_by_conditions_and_entered_from_both_sides_in_ping_pong() {
    let mut b = clip(LoopMode::PingPong, 1.0);
    b.span(A, &[("late", Place::Ratio(0.75), Place::Ratio(1.0))]);
    let code = b.condition(&[Op::InSpan { span: SpanId(0) }]);
    b.rows.probes.push(Probe { code, machine: None, ty: Type::Bool });
    let mut world = playing(b);
    let inside = |world: &mut World| {
        world.instance.probe(0, &mut motix_vm::Host::default()) == Some(motix_vm::Value::Bool(true))
    };
    world.tick(0.5);
    assert!(!inside(&mut world));
    assert_eq!(world.tick(0.3), ["SpanBegin(A, late)"]);
    assert!(inside(&mut world));
    assert_eq!(world.tick(0.4), ["Loop(A)", "SpanEnd(A, late)", "SpanBegin(A, late)"]);
    assert_eq!(world.tick(0.2), ["SpanEnd(A, late)"]);
    assert!(!inside(&mut world));
}

#[test]
fn a_clip_without_length_has_a_phase_and_ends_at_once() {
    for (mode, phase, events) in [
        (LoopMode::None, 1.0, vec!["Play(A)", "Marker(A, here)", "Finish(A)"]),
        (LoopMode::Loop, 0.0, vec!["Play(A)", "Marker(A, here)"]),
        (LoopMode::PingPong, 0.0, vec!["Play(A)", "Marker(A, here)"]),
    ] {
        let mut b = clip(mode, 1.0);
        (b.row(A).duration, b.row(A).fade_in) = (Some(0.0), 0.0);
        b.marker(A, &[("here", Place::Ratio(0.5))]);
        let mut world = playing(b);
        assert_eq!(world.tick(0.05), events);
        assert_eq!((world.instance.phase(A), world.time("A")), (phase, 0.0));
        assert!(world.ticks(3, 0.05).iter().all(|event| !event.starts_with("Loop")));
    }
}

#[test]
fn a_layers_speed_moves_playheads_and_not_fades() {
    let mut b = clip(LoopMode::Loop, 1.0);
    b.row(A).fade_in = 0.4;
    let pace = b.number("pace", 2.0);
    b.rows.layers[0].speed = Some(b.number_code(&[Op::Param { param: pace }]));
    let mut world = playing(b);
    world.tick(0.2);
    near(world.time("A"), 0.4);
    near(world.weight("A"), 0.5);
    world.set("pace", -1.0);
    world.tick(0.1);
    near(world.time("A"), 0.3);
    world.set("pace", 0.0);
    world.tick(0.1);
    near(world.time("A"), 0.3);
    near(world.weight("A"), 1.0);
}

#[test]
fn reversing_in_the_first_pass_of_ping_pong_does_not_jump() {
    let mut b = clip(LoopMode::PingPong, 1.0);
    let pace = b.number("pace", 1.0);
    b.rows.layers[0].speed = Some(b.number_code(&[Op::Param { param: pace }]));
    let mut world = playing(b);
    world.tick(0.4);
    world.set("pace", -1.0);
    world.tick(0.1);
    near(world.time("A"), 0.3);
}

#[test]
fn the_host_gives_open_durations_and_hears_of_all_that_lack() {
    let mut b = Builder::new("Open");
    let base = b.layer("Base");
    let ids: Vec<AnimationId> = ["One", "Two", "Three"].iter().map(|name| b.animation(name, base)).collect();
    for id in &ids[..2] {
        b.row(*id).duration = None;
    }
    let program = std::sync::Arc::new(program(b.tables()));
    let make = |durations: &[(AnimationId, f32)]| {
        Instance::new(&program, BehaviorId(0), &Setup { durations, ..Setup::default() })
            .map_err(|error| error.to_string())
    };
    assert_eq!(make(&[]).err(), Some("the host must give the duration of `One`, `Two`".to_owned()));
    assert_eq!(make(&[(ids[0], 1.0)]).err(), Some("the host must give the duration of `Two`".to_owned()));
    for bad in [f32::NAN, -1.0, f32::INFINITY] {
        assert!(make(&[(ids[0], 1.0), (ids[1], bad)]).is_err());
    }
    assert!(make(&[(ids[0], 1.0), (ids[1], 1.0), (AnimationId(9), 1.0)]).is_err());
    let mut instance = make(&[(ids[0], 4.0), (ids[1], 0.5)]).expect("all are given");
    instance.play(ids[0]).expect("it is there");
    instance.tick(1.0, &mut motix_vm::Frame::new()).expect("it ticks");
    near(instance.phase(ids[0]), 0.25);
}

#[test]
fn slow_and_long_clips_lose_no_time() {
    let mut b = clip(LoopMode::None, 0.01);
    b.row(A).duration = Some(100.0);
    let mut world = playing(b);
    for _ in 0..10_000 {
        world.tick(0.001);
    }
    assert!((world.time("A") - 0.1).abs() < 1e-5, "{}", world.time("A"));
}

#[test]
fn a_tick_longer_than_any_count_ends() {
    let mut b = clip(LoopMode::PingPong, 1e30);
    b.row(A).duration = Some(1e-30);
    b.marker(A, &[("mid", Place::Ratio(0.5))]);
    b.span(A, &[("span", Place::Ratio(0.1), Place::Ratio(0.9))]);
    let mut world = playing(b);
    world.tick(f32::MAX);
    world.tick(f32::MAX);
    assert!((0.0..=1.0).contains(&world.instance.phase(A)));
}
