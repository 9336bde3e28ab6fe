//! Motions of states: playheads, crossfades, steps in time. The numbers of the first tests are those of the shared cases.

use motix_vm::easing::Easing;
use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::*;

use crate::sketch::*;
use crate::support::{Builder, to};
use crate::world::{World, near};

/// A clip with a state's motion, in ascending order of state.
pub(crate) fn clip(
    b: &mut Builder,
    name: &str,
    duration: f32,
    loop_mode: LoopMode,
) -> (AnimationId, MotionId) {
    let id = b.animation(name, LayerId(0));
    let row = b.row(id);
    (row.duration, row.loop_mode) = (Some(duration), loop_mode);
    (id, motion(b, id))
}

pub(crate) fn motion(b: &mut Builder, animation: AnimationId) -> MotionId {
    let kind = MotionKind::Clip { animation, start_at: None, phase: None, mirror: false };
    b.rows.motions.push(Motion { kind, speed: None });
    MotionId(b.rows.motions.len() as u16 - 1)
}

pub(crate) fn faded(seconds: f32, transition: Transition) -> Transition {
    let fade = Fade { duration: Length::Seconds(seconds), easing: Easing::Linear };
    Transition { fade, ..transition }
}

pub(crate) fn at_end(transition: Transition) -> Transition {
    Transition { gate: Gate { exit: Some(Place::Ratio(1.0)), ..Gate::default() }, ..transition }
}

fn character() -> World {
    let mut b = Builder::new("Character");
    b.layer("Base");
    let (forward, shift, space) = (b.flag("forward"), b.flag("shift"), b.trigger("space"));
    let clips = [
        clip(&mut b, "idle", 2.0, LoopMode::Loop).1,
        clip(&mut b, "walk", 1.0, LoopMode::Loop).1,
        clip(&mut b, "run", 0.5, LoopMode::Loop).1,
        clip(&mut b, "dance", 1.5, LoopMode::None).1,
    ];
    let s = b.machine(None, &["Idle", "Walk", "Run", "Dance"]);
    for (state, clip) in s.iter().zip(clips) {
        b.rows.states[state.index()].motion = Some(clip);
    }
    let [idle, walk, run, dance] = s[..] else { unreachable!() };
    let go = b.is(forward);
    let stand = b.condition(&[Op::Param { param: forward }, Op::Not]);
    let fast = b.condition(&[
        Op::Param { param: forward },
        Op::JumpIfFalseElsePop { skip: 1 },
        Op::Param { param: shift },
    ]);
    let slow = b.condition(&[
        Op::Param { param: forward },
        Op::JumpIfFalseElsePop { skip: 2 },
        Op::Param { param: shift },
        Op::Not,
    ]);
    let jump = b.on(space, dance);
    let sync = |transition| Transition { sync: true, ..transition };
    b.from(idle, &[faded(0.5, to(walk, Some(go), 0)), faded(0.2, jump)]);
    b.from(walk, &[sync(faded(0.5, to(run, Some(fast), 0))), faded(0.5, to(idle, Some(stand), 0))]);
    b.from(run, &[sync(faded(0.5, to(walk, Some(slow), 0))), faded(0.5, to(idle, Some(stand), 0))]);
    b.from(dance, &[at_end(faded(0.5, to(idle, None, 0)))]);
    World::new(b)
}

#[test]
fn legs_stay_in_step_from_walk_to_run_and_back() {
    let mut world = character();
    world.set("forward", true);
    world.tick(0.4);
    assert_eq!(world.state(), "Walk");
    near(world.phase("walk"), 0.4);
    world.set("shift", true);
    world.tick(0.0);
    assert_eq!(world.state(), "Run");
    near(world.phase("run"), 0.4);
    near(world.time("run"), 0.2);
    world.tick(0.05);
    near(world.phase("run"), 0.4525);
    near(world.phase("walk"), 0.4525);
    world.tick(0.45);
    near(world.fade(0), 1.0);
    world.tick(0.1);
    near(world.phase("run"), 0.35);
}

#[test]
fn dance_plays_once_ignores_movement_and_returns_by_itself() {
    let mut world = character();
    world.fire("space");
    world.tick(0.1);
    assert_eq!(world.state(), "Dance");
    world.set("forward", true);
    world.tick(1.0);
    assert_eq!(world.state(), "Dance");
    world.set("forward", false);
    world.tick(0.5);
    assert_eq!(world.state(), "Idle");
    near(world.time("idle"), 0.1);
    near(world.time("dance"), 1.5);
    near(world.fade(0), 0.2);
}
