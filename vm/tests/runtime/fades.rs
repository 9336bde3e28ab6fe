//! Crossfades: weights, interruption, events, steps in time.

use motix_vm::easing::Easing;
use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::*;

use crate::motions::{at_end, clip, faded};
use crate::sketch::*;
use crate::support::{Builder, to};
use crate::world::{World, near};

/// A machine of looping clips of 1 s, one a state; `to` says which is wanted, each over so many seconds.
fn ring(names: &[&str], seconds: f32, change: impl Fn(Transition) -> Transition) -> Builder {
    let mut b = Builder::new("Ring");
    b.layer("Base");
    let wanted = b.number("to", 0.0);
    let s = b.machine(None, names);
    let mut all = Vec::new();
    for (index, (name, state)) in names.iter().zip(&s).enumerate() {
        let (_, motion) = clip(&mut b, &name.to_lowercase(), 1.0, LoopMode::Loop);
        b.rows.states[state.index()].motion = Some(motion);
        let is =
            b.condition(&[Op::Param { param: wanted }, Op::Number { value: index as f32 }, Op::EqualNumber]);
        all.push(change(faded(seconds, to(*state, Some(is), 0))));
    }
    b.rows.machines[0].any = b.transitions(&all);
    b
}

fn weights(world: &World, names: &[&str]) -> Vec<f32> {
    names.iter().map(|name| world.weight(name)).collect()
}

#[track_caller]
fn sums_to_one(world: &World) {
    near(world.instance.samples().map(|sample| sample.weight).sum(), 1.0);
}

#[test]
fn leaving_in_mid_fade_turns_the_mix_around_without_a_jump() {
    let mut world = World::new(ring(&["Idle", "Hover"], 0.2, |t| t));
    world.set("to", 1.0);
    assert_eq!(world.tick(0.1), ["Exit(Idle)", "Enter(Hover)", "FadeStart(Idle, Hover)"]);
    near(world.fade(0), 0.5);
    world.set("to", 0.0);
    let events = world.tick(0.05);
    assert_eq!(events, ["FadeCancel(Idle, Hover)", "Exit(Hover)", "Enter(Idle)", "FadeStart(Hover, Idle)"]);
    near(world.weight("idle"), 0.625);
    near(world.weight("hover"), 0.375);
    // The old playhead of the same clip fades out beside the new one.
    assert_eq!(world.instance.samples().count(), 3);
    near(world.time("idle"), 0.05);
    world.tick(0.15);
    near(world.weight("idle"), 1.0);
    assert_eq!(world.events(), ["FadeEnd(Hover, Idle)"]);
    assert_eq!(world.instance.samples().count(), 1);
}

#[test]
fn keys_are_stable_and_new_for_each_playhead() {
    let mut world = World::new(ring(&["A", "B"], 0.2, |t| t));
    world.tick(0.0);
    let key = |world: &World, at: usize| world.instance.samples().nth(at).expect("it is there").key;
    let first = key(&world, 0);
    world.set("to", 1.0);
    world.tick(0.1);
    let keys: Vec<u32> = world.instance.samples().map(|sample| sample.key).collect();
    assert_eq!(keys.len(), 2);
    assert!(keys.contains(&first) && keys[0] != keys[1]);
    world.tick(0.2);
    assert_ne!(key(&world, 0), first);
}

#[test]
fn a_clip_never_moves_faster_than_the_fade() {
    let names = ["A", "B", "C"];
    let clips = ["a", "b", "c"];
    let mut world = World::new(ring(&names, 0.25, |t| t));
    let mut dice = crate::random::Dice::new(3);
    let mut before = weights(&world, &clips);
    for _ in 0..500 {
        if dice.chance(20) {
            world.set("to", dice.below(3) as f32);
        }
        world.tick(1.0 / 60.0);
        let now = weights(&world, &clips);
        for (a, b) in before.iter().zip(&now) {
            assert!((a - b).abs() <= 1.0 / 60.0 / 0.25 + 1e-4, "{before:?} {now:?}");
        }
        sums_to_one(&world);
        before = now;
    }
}

#[test]
fn at_most_eight_fade_out_and_the_sum_stays() {
    let names: Vec<String> = (0..12).map(|index| format!("S{index}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut world = World::new(ring(&names, 10.0, |t| t));
    let size = world.instance.size_of_state();
    for index in 1..200 {
        world.set("to", (index % 12) as f32);
        world.tick(0.5);
        assert!(world.instance.samples().count() <= 9);
        sums_to_one(&world);
    }
    assert_eq!(world.instance.size_of_state(), size);
}

#[test]
fn an_easing_shapes_the_weights() {
    let eased = |t: Transition| Transition { fade: Fade { easing: Easing::EaseIn, ..t.fade }, ..t };
    let mut world = World::new(ring(&["A", "B"], 1.0, eased));
    world.set("to", 1.0);
    world.tick(0.5);
    near(world.fade(0), 0.25);
    near(world.weight("b"), 0.25);
    near(world.weight("a"), 0.75);
}

#[test]
fn a_duration_can_be_a_share_of_the_sources_cycle() {
    let share = |t: Transition| Transition { fade: Fade { duration: Length::Cycles(0.25), ..t.fade }, ..t };
    let mut b = ring(&["A", "B"], 1.0, share);
    b.rows.animations[0].duration = Some(2.0);
    let mut world = World::new(b);
    world.set("to", 1.0);
    world.tick(0.25);
    near(world.fade(0), 0.5);
}

#[test]
fn a_paused_source_stands_still_while_it_fades_out() {
    let pause = |t: Transition| Transition { pause_on_exit: true, ..t };
    let mut world = World::new(ring(&["A", "B"], 0.5, pause));
    world.tick(0.3);
    world.set("to", 1.0);
    world.tick(0.25);
    near(world.time("a"), 0.3);
    near(world.time("b"), 0.25);
    near(world.weight("a"), 0.5);
}

#[test]
fn without_pausing_the_source_plays_on() {
    let mut world = World::new(ring(&["A", "B"], 0.5, |t| t));
    world.tick(0.3);
    world.set("to", 1.0);
    world.tick(0.25);
    near(world.time("a"), 0.55);
}

#[test]
fn a_cut_replaces_at_once() {
    let mut world = World::new(ring(&["A", "B"], 0.0, |t| t));
    world.tick(0.3);
    world.set("to", 1.0);
    assert_eq!(world.tick(0.1), ["Exit(A)", "Enter(B)"]);
    assert_eq!(weights(&world, &["a", "b"]), [0.0, 1.0]);
    assert_eq!(world.fade(0), 1.0);
}

#[test]
fn a_state_without_motion_fades_the_rows_to_nothing() {
    let mut b = ring(&["A", "B"], 1.0, |t| t);
    b.rows.states[1].motion = None;
    let mut world = World::new(b);
    world.set("to", 1.0);
    world.tick(0.25);
    assert_eq!(weights(&world, &["a", "b"]), [0.75, 0.0]);
    world.set("to", 0.0);
    world.tick(0.5);
    // Half of what was there, and half of the new one.
    near(world.weight("a"), 0.375 + 0.5);
    world.set("to", 1.0);
    world.tick(2.0);
    assert_eq!(world.instance.samples().count(), 0);
}

#[test]
fn empty_holds_the_mix_as_it_is() {
    let mut b = ring(&["A", "B", "Hold"], 1.0, |t| t);
    b.rows.motions[2].kind = MotionKind::Empty;
    let mut world = World::new(b);
    world.set("to", 1.0);
    world.tick(0.25);
    world.set("to", 2.0);
    world.tick(5.0);
    assert_eq!(world.state(), "Hold");
    near(world.weight("a"), 0.75);
    near(world.weight("b"), 0.25);
    near(world.time("a"), 0.25);
    world.set("to", 1.0);
    world.tick(0.5);
    near(world.weight("a"), 0.375);
    near(world.weight("b"), 0.625);
    sums_to_one(&world);
}

#[test]
fn early_exit_false_holds_everything_back_until_the_fade_ends_but_no_request() {
    let hold = |t: Transition| Transition { early_exit: false, ..t };
    let mut world = World::new(ring(&["A", "B", "C"], 0.5, hold));
    world.set("to", 1.0);
    world.tick(0.1);
    world.set("to", 2.0);
    world.tick(0.3);
    assert_eq!(world.state(), "B");
    // The moment of the end lies in the tick; what is left is spent in the next state.
    world.tick(0.2);
    assert_eq!(world.timed()[0], "0.100 FadeEnd(A, B)");
    assert_eq!(world.state(), "C");
    near(world.instance.elapsed(MachineId(0)), 0.1);
    world.set("to", 0.0);
    world.request(StateId(0), 0);
    world.tick(0.0);
    assert_eq!(world.state(), "A");
}

#[test]
fn a_motion_around_inner_states_goes_on_through_their_changes() {
    let mut b = Builder::new("Outer");
    b.layer("Base");
    let go = b.flag("go");
    let (_, motion) = clip(&mut b, "outer", 1.0, LoopMode::Loop);
    let s = b.machine(None, &["Outer", "One", "Two"]);
    b.inside(s[0], &[s[1], s[2]]);
    b.rows.machines[0].start = Start::State(s[1]);
    b.rows.states[s[0].index()].motion = Some(motion);
    let is = b.is(go);
    b.from(s[1], &[to(s[2], Some(is), 0)]);
    let mut world = World::new(b);
    world.tick(0.3);
    world.set("go", true);
    world.tick(0.3);
    assert_eq!(world.state(), "Two");
    near(world.time("outer"), 0.6);
    near(world.weight("outer"), 1.0);
}

#[test]
fn a_transition_to_itself_starts_a_new_playhead() {
    let again = |t: Transition| Transition { restart: true, ..t };
    let mut b = ring(&["A", "B"], 1.0, again);
    let trigger = b.trigger("again");
    let on = faded(1.0, Transition { restart: true, ..b.on(trigger, StateId(0)) });
    b.rows.machines[0].any = b.transitions(&[on]);
    let mut world = World::new(b);
    world.tick(0.3);
    world.fire("again");
    world.tick(0.25);
    near(world.time("a"), 0.25);
    assert_eq!(world.instance.samples().count(), 2);
    sums_to_one(&world);
}

#[test]
fn a_request_looks_like_the_best_transition_to_its_target() {
    let mut b = ring(&["A", "B"], 1.0, |t| t);
    let slow = faded(2.0, Transition { on_request: true, ..to(StateId(1), None, 5) });
    b.from(StateId(0), &[slow]);
    let mut world = World::new(b);
    world.request(StateId(1), 0);
    assert_eq!(world.tick(1.0)[2], "FadeStart(A, B)");
    near(world.fade(0), 0.5);
}

#[test]
fn the_start_of_a_motion_is_where_the_transition_says() {
    let start = |t: Transition| Transition { start_at: Some(Place::Ratio(0.25)), ..t };
    let mut world = World::new(ring(&["A", "B"], 0.0, start));
    world.set("to", 1.0);
    world.tick(0.1);
    near(world.time("b"), 0.35);
}

#[test]
fn a_clip_backward_starts_at_its_end() {
    let mut b = ring(&["A", "B"], 0.0, |t| t);
    b.rows.animations[1].speed = -0.5;
    let mut world = World::new(b);
    world.set("to", 1.0);
    world.tick(0.5);
    near(world.time("b"), 0.75);
}

#[test]
fn a_scrubbed_clip_stands_where_its_expression_says_and_passes_markers() {
    let mut b = Builder::new("Grip");
    b.layer("Base");
    let grip = b.number("grip", 0.25);
    let (id, motion) = clip(&mut b, "fist", 2.0, LoopMode::None);
    b.marker(id, &[("half", Place::Ratio(0.5))]);
    let code = b.number_code(&[Op::Param { param: grip }]);
    if let MotionKind::Clip { phase, .. } = &mut b.rows.motions[motion.index()].kind {
        *phase = Some(code);
    }
    let s = b.machine(None, &["Hold", "Done"]);
    b.rows.states[0].motion = Some(motion);
    b.from(s[0], &[at_end(to(s[1], None, 0))]);
    let mut world = World::new(b);
    world.tick(0.5);
    near(world.phase("fist"), 0.25);
    world.set("grip", 1.0);
    assert_eq!(world.tick(0.5), ["Marker(fist, half)"]);
    near(world.phase("fist"), 1.0);
    world.set("grip", 0.0);
    assert_eq!(world.tick(0.5), ["Marker(fist, half)"]);
    assert_eq!((world.state(), world.phase("fist")), ("Hold", 0.0));
}

#[test]
fn markers_spans_and_loops_are_reported_as_of_animations() {
    let mut b = ring(&["A", "B"], 0.5, |t| t);
    b.marker(AnimationId(0), &[("start", Place::Ratio(0.0)), ("half", Place::Ratio(0.5))]);
    b.span(AnimationId(0), &[("first", Place::Ratio(0.0), Place::Ratio(0.25))]);
    let mut world = World::new(b);
    assert_eq!(
        world.tick(0.6),
        ["Marker(a, start)", "SpanBegin(a, first)", "SpanEnd(a, first)", "Marker(a, half)"]
    );
    world.set("to", 1.0);
    // What fades out still fires; a span that is cut ends.
    world.tick(0.45);
    assert_eq!(world.timed()[3..], ["0.400 Loop(a)", "0.400 Marker(a, start)", "0.400 SpanBegin(a, first)"]);
    assert_eq!(world.tick(0.1), ["FadeEnd(A, B)", "SpanEnd(a, first)"]);
}

#[test]
fn a_locked_pair_stays_locked_through_an_interruption() {
    let mut b = ring(&["Walk", "Run", "Idle"], 0.5, |t| t);
    b.rows.animations[1].duration = Some(0.5);
    for index in 0..2 {
        b.rows.transitions[index].sync = true;
    }
    let mut world = World::new(b);
    world.tick(0.4);
    world.set("to", 1.0);
    world.tick(0.25);
    world.set("to", 2.0);
    for _ in 0..20 {
        world.tick(0.02);
        near(world.phase("walk"), world.phase("run"));
    }
    world.tick(0.5);
    assert_eq!(world.weight("walk") + world.weight("run"), 0.0);
}

#[test]
fn the_speed_is_its_own_again_after_each_fade_in_step() {
    let mut b = ring(&["Walk", "Run"], 0.5, |t| Transition { sync: true, ..t });
    b.rows.animations[1].duration = Some(0.5);
    let mut world = World::new(b);
    for wanted in [1.0, 0.0, 1.0, 0.0] {
        world.set("to", wanted);
        world.tick(0.6);
        let (name, rate) = if wanted == 1.0 { ("run", 2.0) } else { ("walk", 1.0) };
        let before = world.phase(name);
        world.tick(0.1);
        near((world.phase(name) - before).rem_euclid(1.0), 0.1 * rate);
    }
}

#[test]
fn fades_in_step_are_the_same_however_time_is_cut() {
    for easing in [Easing::Linear, Easing::EaseInOut, Easing::Steps(3), Easing::EaseOutBounce] {
        let eased = |t: Transition| Transition { fade: Fade { easing, ..t.fade }, sync: true, ..t };
        let make = || {
            let mut b = ring(&["Walk", "Run"], 0.5, eased);
            b.rows.animations[1].duration = Some(0.5);
            let mut world = World::new(b);
            world.set("to", 1.0);
            world
        };
        let (mut one, mut many) = (make(), make());
        one.tick(0.4);
        many.ticks(40, 0.01);
        near(one.phase("run"), many.phase("run"));
        near(one.phase("walk"), one.phase("run"));
    }
}

#[test]
fn what_is_passed_again_between_moments_at_which_nothing_comes_of_it_is_counted() {
    for sync in [true, false] {
        let mut b = ring(&["Low", "High"], 1.0, |t| Transition { sync, ..t });
        for (id, seconds) in [(0, 4e-5), (1, 1e-5)] {
            b.rows.animations[id].duration = Some(seconds);
            b.marker(AnimationId(id as u16), &[("m", Place::Ratio(0.5))]);
        }
        let late = b.condition(&[Op::Elapsed, Op::Number { value: 9.0 }, Op::Greater]);
        let gate = Gate { exit: Some(Place::Ratio(0.5)), ..Gate::default() };
        b.from(StateId(1), &[Transition { gate, ..to(StateId(0), Some(late), 0) }]);
        let mut world = World::new(b);
        world.set("to", 1.0);
        let events = world.tick(0.004).split_off(3);
        // The gate is asked each time that it opens.
        let (high, low) = if sync { (100, 100) } else { (400, 100) };
        for (name, count) in [("low", low), ("high", high)] {
            for what in [format!("Marker({name}, m) x"), format!("Loop({name}) x")] {
                let mut told =
                    events.iter().filter_map(|event| event.strip_prefix(&what)?.parse::<i32>().ok());
                let found = told.next().filter(|found| (found - count).abs() <= 1);
                assert!(found.is_some() && told.next().is_none(), "{what} {events:?}");
            }
        }
        assert_eq!(events.len(), 4, "{events:?}");
    }
}

#[test]
fn a_logic_only_machine_reports_its_fades() {
    let mut b = Builder::new("Logic");
    b.layer("Base");
    let go = b.flag("go");
    let s = b.machine(None, &["A", "B"]);
    let is = b.is(go);
    b.from(s[0], &[faded(0.5, to(s[1], Some(is), 0))]);
    let mut world = World::new(b);
    world.set("go", true);
    world.tick(0.25);
    near(world.fade(0), 0.5);
    assert_eq!(world.tick(0.5), ["FadeEnd(A, B)"]);
}

#[test]
fn layers_keep_their_order_among_samples_and_the_layers_speed_drives_motions() {
    let mut b = ring(&["A", "B"], 0.5, |t| t);
    let low = b.animation("low", LayerId(0));
    let upper = b.layer("Upper");
    b.rows.machines[0].motion_layer = upper;
    let half = b.number_code(&[Op::Number { value: 0.5 }]);
    b.rows.layers[1].speed = Some(half);
    let mut world = World::new(b);
    world.play("low");
    world.tick(0.4);
    let seen: Vec<(AnimationId, LayerId)> =
        world.instance.samples().map(|sample| (sample.animation, sample.layer)).collect();
    assert_eq!(seen, [(low, LayerId(0)), (AnimationId(0), upper)]);
    near(world.time("a"), 0.2);
}
