//! Gates as moments: time in a state, places and ends of motions, markers.

use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::*;

use crate::motions::{at_end, clip, faded};
use crate::sketch::*;
use crate::support::{Builder, to};
use crate::world::{World, near};

/// A state with a clip and one without, and a gate between them.
fn gated(duration: f32, mode: LoopMode, gate: Gate) -> Builder {
    let mut b = Builder::new("Gated");
    b.layer("Base");
    let hold = b.flag("hold");
    let (_, motion) = clip(&mut b, "clip", duration, mode);
    let s = b.machine(None, &["A", "B"]);
    b.rows.states[0].motion = Some(motion);
    let free = b.condition(&[Op::Param { param: hold }, Op::Not]);
    b.from(s[0], &[Transition { gate, ..to(s[1], Some(free), 0) }]);
    b
}

fn exit(place: f32) -> Gate {
    Gate { exit: Some(Place::Ratio(place)), ..Gate::default() }
}

fn after(seconds: f32) -> Gate {
    Gate { after: Some(seconds), ..Gate::default() }
}

#[track_caller]
fn leaves_at(b: Builder, seconds: f32) {
    let mut world = World::new(b);
    world.tick(10.0);
    assert_eq!(world.state(), "B");
    near(world.instance.elapsed(MachineId(0)), 10.0 - seconds);
}

#[test]
fn timers_fire_at_their_own_moment_however_long_the_tick() {
    let mut b = Builder::new("Timers");
    b.layer("Base");
    let s = b.machine(None, &["Watch", "Bored", "Asleep"]);
    b.from(s[0], &[Transition { gate: after(2.0), ..to(s[1], None, 0) }]);
    b.from(s[1], &[Transition { gate: after(0.5), ..to(s[2], None, 0) }]);
    let mut world = World::new(b);
    world.tick(2.3);
    assert_eq!(world.state(), "Bored");
    near(world.instance.elapsed(MachineId(0)), 0.3);
    world.tick(0.3);
    assert_eq!(world.state(), "Asleep");
    near(world.instance.elapsed(MachineId(0)), 0.1);
}

#[test]
fn what_is_left_of_a_tick_is_spent_in_the_next_state() {
    let mut b = Builder::new("Finite");
    b.layer("Base");
    let motions = ["a", "b", "c"].map(|name| clip(&mut b, name, 0.5, LoopMode::None).1);
    let s = b.machine(None, &["A", "B", "C"]);
    for (state, motion) in s.iter().zip(motions) {
        b.rows.states[state.index()].motion = Some(motion);
    }
    b.from(s[0], &[at_end(to(s[1], None, 0))]);
    b.from(s[1], &[at_end(to(s[2], None, 0))]);
    let mut world = World::new(b);
    world.tick(0.35);
    near(world.time("a"), 0.35);
    assert_eq!(world.tick(0.35), ["Finish(a)", "Exit(A)", "Enter(B)"]);
    near(world.time("b"), 0.2);
    world.tick(0.35);
    assert_eq!(world.state(), "C");
    near(world.time("c"), 0.05);
}

#[test]
fn a_small_exit_time_is_not_stepped_over() {
    leaves_at(gated(1.0, LoopMode::Loop, exit(0.02)), 0.02);
}

#[test]
fn a_gate_that_stays_open_works_late() {
    let mut world = World::new(gated(1.0, LoopMode::None, exit(1.0)));
    world.set("hold", true);
    world.tick(3.0);
    world.set("hold", false);
    world.tick(0.1);
    assert_eq!(world.state(), "B");
    near(world.instance.elapsed(MachineId(0)), 0.1);
}

#[test]
fn a_gate_of_a_loop_is_open_only_at_each_passing() {
    let mut world = World::new(gated(1.0, LoopMode::Loop, exit(0.5)));
    world.set("hold", true);
    world.tick(2.7);
    world.set("hold", false);
    world.tick(0.1);
    assert_eq!(world.state(), "A");
    world.tick(1.0);
    near(world.instance.elapsed(MachineId(0)), 0.3);
    assert_eq!(world.state(), "B");
}

#[test]
fn a_gate_at_the_border_of_a_tick_is_asked_once() {
    let mut world = World::new(gated(1.0, LoopMode::Loop, exit(0.5)));
    world.set("hold", true);
    world.tick(0.5);
    world.set("hold", false);
    world.tick(0.1);
    assert_eq!(world.state(), "A");
}

#[test]
fn above_a_cycle_it_opens_once_and_stays() {
    leaves_at(gated(1.0, LoopMode::Loop, exit(2.5)), 2.5);
    let mut world = World::new(gated(1.0, LoopMode::Loop, exit(2.5)));
    world.set("hold", true);
    world.tick(2.8);
    world.set("hold", false);
    world.tick(0.0);
    assert_eq!(world.state(), "B");
}

#[test]
fn each_wrap_is_an_end() {
    let mut world = World::new(gated(0.4, LoopMode::Loop, exit(1.0)));
    world.set("hold", true);
    world.tick(0.7);
    world.set("hold", false);
    world.tick(0.3);
    near(world.instance.elapsed(MachineId(0)), 0.2);
}

#[test]
fn gates_follow_the_playhead_and_its_direction() {
    let mut fast = gated(1.0, LoopMode::None, exit(1.0));
    fast.rows.animations[0].speed = 2.0;
    leaves_at(fast, 0.5);
    let mut back = gated(1.0, LoopMode::None, exit(0.8));
    back.rows.animations[0].speed = -1.0;
    leaves_at(back, 0.8);
    let mut stopped = gated(1.0, LoopMode::None, exit(1.0));
    stopped.rows.animations[0].speed = 0.0;
    let mut world = World::new(stopped);
    world.tick(10.0);
    assert_eq!(world.state(), "A");
}

#[test]
fn ping_pong_counts_the_pass() {
    let mut world = World::new(gated(1.0, LoopMode::PingPong, exit(0.75)));
    world.set("hold", true);
    world.tick(1.5);
    world.set("hold", false);
    world.tick(0.5);
    near(world.instance.elapsed(MachineId(0)), 0.25);
}

#[test]
fn a_place_in_seconds_is_a_place_in_the_clip() {
    let gate = Gate { exit: Some(Place::Seconds(0.4)), ..Gate::default() };
    let mut b = gated(2.0, LoopMode::None, gate);
    b.rows.animations[0].speed = 2.0;
    leaves_at(b, 0.2);
}

#[test]
fn gates_at_the_time_of_entry_open_then() {
    leaves_at(gated(1.0, LoopMode::None, after(0.0)), 0.0);
    leaves_at(gated(0.0, LoopMode::None, exit(1.0)), 0.0);
    leaves_at(gated(1.0, LoopMode::Loop, exit(0.0)), 0.0);
}

#[test]
fn a_start_beyond_the_gate_opens_it_at_once_or_at_the_next_passing() {
    for (mode, seconds) in [(LoopMode::None, 0.0), (LoopMode::Loop, 0.75)] {
        let mut b = gated(1.0, mode, exit(0.25));
        if let MotionKind::Clip { start_at, .. } = &mut b.rows.motions[0].kind {
            *start_at = Some(Place::Ratio(0.5));
        }
        leaves_at(b, seconds);
    }
}

#[test]
fn markers_are_gates() {
    let mut b = gated(1.0, LoopMode::Loop, Gate::default());
    b.marker(AnimationId(0), &[("hit", Place::Ratio(0.3)), ("hit", Place::Ratio(0.6))]);
    let name = b.rows.markers[0].name;
    b.rows.transitions[0].gate.marker = Some(name);
    let mut world = World::new(b);
    world.set("hold", true);
    world.tick(0.4);
    world.set("hold", false);
    assert_eq!(world.tick(0.4), ["Marker(clip, hit)", "Exit(A)", "Enter(B)"]);
    near(world.instance.elapsed(MachineId(0)), 0.2);
}

#[test]
fn with_lead_out_the_fade_ends_with_the_motion() {
    let mut b = gated(1.0, LoopMode::None, Gate { lead_out: true, ..exit(1.0) });
    b.rows.transitions[0] = faded(0.3, b.rows.transitions[0]);
    let mut world = World::new(b);
    assert_eq!(world.tick(1.5), ["Exit(A)", "Enter(B)", "FadeStart(A, B)", "FadeEnd(A, B)"]);
    near(world.frame.events()[0].offset, 0.7);
    near(world.frame.events()[3].offset, 1.0);
}

#[test]
fn all_gates_must_be_open() {
    leaves_at(gated(1.0, LoopMode::Loop, Gate { after: Some(2.2), ..exit(0.5) }), 2.5);
    leaves_at(gated(1.0, LoopMode::None, Gate { after: Some(2.2), ..exit(0.5) }), 2.2);
}

#[test]
fn after_counts_in_the_state_that_owns_the_transition() {
    let mut b = Builder::new("Outer");
    b.layer("Base");
    let s = b.machine(None, &["Outer", "One", "Two", "Done"]);
    b.inside(s[0], &[s[1], s[2]]);
    b.rows.machines[0].start = Start::State(s[1]);
    b.from(s[0], &[Transition { gate: after(1.0), ..to(s[3], None, 0) }]);
    b.from(s[1], &[Transition { gate: after(0.4), ..to(s[2], None, 0) }]);
    let mut world = World::new(b);
    world.tick(0.5);
    assert_eq!(world.state(), "Two");
    world.tick(0.7);
    assert_eq!(world.state(), "Done");
    near(world.instance.elapsed(MachineId(0)), 0.2);
}

#[test]
fn on_finish_runs_at_its_moment_in_terminal_states_too_and_on_loop_at_each() {
    let mut b = gated(0.5, LoopMode::None, exit(9.0));
    let done = b.emits("done", &[]);
    b.rows.states[0].finish = Some(b.actions(&[done]));
    b.rows.states[0].transitions = Run::default();
    b.rows.states[0].terminal = true;
    let mut world = World::new(b);
    world.tick(2.0);
    assert_eq!(world.timed(), ["0.500 Finish(clip)", "0.500 Emit(done)"]);

    let mut b = gated(0.5, LoopMode::Loop, exit(9.0));
    let lap = b.emits("lap", &[]);
    b.rows.states[0].repeat = Some(b.actions(&[lap]));
    let mut world = World::new(b);
    world.tick(1.2);
    assert_eq!(world.timed(), ["0.500 Loop(clip)", "0.500 Emit(lap)", "1.000 Loop(clip)", "1.000 Emit(lap)"]);
}

#[test]
fn the_outgoing_side_no_longer_drives_the_machine() {
    let mut b = gated(0.5, LoopMode::None, after(0.4));
    let done = b.emits("done", &[]);
    b.rows.states[0].finish = Some(b.actions(&[done]));
    b.rows.transitions[0] = faded(0.5, b.rows.transitions[0]);
    let mut world = World::new(b);
    assert_eq!(world.tick(1.0), ["Exit(A)", "Enter(B)", "FadeStart(A, B)", "FadeEnd(A, B)"]);
}

#[test]
fn builtins_read_the_machines_motion() {
    let mut b = gated(0.4, LoopMode::Loop, exit(9.0));
    let loops = b.condition(&[Op::MotionLoops, Op::Number { value: 2.0 }, Op::GreaterEqual]);
    b.rows.transitions[0] = to(StateId(1), Some(loops), 0);
    let mut world = World::new(b);
    world.ticks(8, 0.1);
    assert_eq!(world.state(), "A");
    world.tick(0.1);
    assert_eq!(world.state(), "B");
    let mut b = gated(0.4, LoopMode::None, exit(9.0));
    let finished = b.condition(&[
        Op::MotionFinished,
        Op::JumpIfFalseElsePop { skip: 3 },
        Op::MotionPhase,
        Op::Number { value: 1.0 },
        Op::EqualNumber,
    ]);
    b.rows.transitions[0] = to(StateId(1), Some(finished), 0);
    let mut world = World::new(b);
    world.tick(0.5);
    assert_eq!(world.state(), "A");
    world.tick(0.1);
    assert_eq!(world.state(), "B");
}

#[test]
fn a_recurring_gate_that_cannot_be_taken_costs_nothing_in_a_long_tick() {
    let mut world = World::new(gated(0.001, LoopMode::Loop, exit(0.5)));
    world.set("hold", true);
    assert!(!world.tick(1.0e6).contains(&"ChainLimit".to_owned()));
    world.set("hold", false);
    world.tick(0.01);
    assert_eq!(world.state(), "B");
}

#[test]
fn gates_that_are_all_but_at_one_place_open_together() {
    // The marker lies less than 10 us behind the place; both belong to one moment.
    let mut b = gated(1.0, LoopMode::Loop, exit(0.5));
    b.marker(AnimationId(0), &[("hit", Place::Ratio(0.500_004))]);
    b.rows.transitions[0].gate.marker = Some(b.rows.markers[0].name);
    leaves_at(b, 0.5);
}

#[test]
fn any_state_counts_seconds_in_the_leaf_and_a_closed_gate_consumes_nothing() {
    let mut b = Builder::new("Any");
    b.layer("Base");
    let (go, next) = (b.trigger("go"), b.trigger("next"));
    let s = b.machine(None, &["A", "B", "C"]);
    let on = b.on(next, s[1]);
    b.from(s[0], &[on]);
    let late = Transition { gate: after(1.0), ..b.on(go, s[2]) };
    b.rows.machines[0].any = b.transitions(&[late]);
    let mut world = World::new(b);
    world.fire("go");
    world.tick(0.8);
    world.fire("next");
    world.tick(0.8);
    assert_eq!(world.state(), "B");
    world.tick(0.5);
    assert_eq!(world.state(), "C");
    near(world.instance.elapsed(MachineId(0)), 0.3);
}

#[test]
fn instant_transitions_follow_a_gated_one_in_the_same_moment() {
    let mut b = gated(0.5, LoopMode::None, exit(1.0));
    let third = b.text("C");
    let mut row = b.rows.states[1];
    row.name = third;
    b.rows.states.push(row);
    b.rows.machines[0].states.count = 3;
    b.from(StateId(1), &[Transition { instant: true, ..to(StateId(2), None, 0) }]);
    let mut world = World::new(b);
    world.tick(0.6);
    assert_eq!(world.state(), "C");
    near(world.instance.elapsed(MachineId(0)), 0.1);
}

#[test]
fn moments_without_end_are_cut_and_reported() {
    let mut b = Builder::new("Endless");
    b.layer("Base");
    let s = b.machine(None, &["A", "B"]);
    b.from(s[0], &[Transition { gate: after(0.0), ..to(s[1], None, 0) }]);
    b.from(s[1], &[Transition { gate: after(0.0), ..to(s[0], None, 0) }]);
    let mut world = World::new(b);
    assert!(world.tick(1.0).contains(&"ChainLimit".to_owned()));
    near(world.instance.elapsed(MachineId(0)), 1.0);
}
