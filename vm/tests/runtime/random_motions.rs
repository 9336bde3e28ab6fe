//! What holds for motions, fades and gates of every behavior, tried on many random ones.

use std::collections::BTreeMap;

use motix_vm::easing::Easing;
use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::*;
use motix_vm::{Event, EventKind, Instance, Setup};

use crate::motions::clip;
use crate::random::Dice;
use crate::sketch::*;
use crate::support::{Builder, to};
use crate::world::World;

/// What a random behavior may have.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// States without a motion, and with `Empty`.
    pub(crate) gaps: bool,
    /// Flags of the host decide beside gates.
    pub(crate) flags: bool,
    /// Transitions that cut.
    pub(crate) cuts: bool,
}

pub(crate) fn behavior(dice: &mut Dice, shape: Shape) -> Builder {
    let mut b = Builder::new("Motions");
    b.layer("Base");
    let flags: Vec<ParamId> = (0..3).map(|index| b.flag(&format!("f{index}"))).collect();
    let speed = b.number("speed", 1.0);
    let in_step = dice.chance(60);
    let count = 4 + dice.below(3);
    let names: Vec<String> = (0..count).map(|index| format!("S{index}")).collect();
    let motions: Vec<MotionId> = (0..count)
        .map(|index| {
            let mode = [LoopMode::None, LoopMode::Loop, LoopMode::Loop, LoopMode::PingPong][dice.below(4)];
            let duration = if dice.chance(8) { 0.0 } else { 0.1 + dice.number(1.2) };
            let (id, motion) = clip(&mut b, &format!("c{index}"), duration, mode);
            b.marker(id, &[("a", Place::Ratio(0.0)), ("b", Place::Ratio(dice.number(1.0)))]);
            b.span(id, &[("s", Place::Ratio(0.1), Place::Ratio(0.2 + dice.number(0.8)))]);
            b.row(id).speed = [1.0, 1.0, 0.7, 2.0, -1.0][dice.below(5)];
            if shape.flags && dice.chance(20) {
                let code = b.number_code(&[Op::Param { param: speed }]);
                b.rows.motions[motion.index()].speed = Some(code);
            }
            if shape.gaps && dice.chance(20) {
                b.rows.motions[motion.index()] = Motion { kind: MotionKind::Empty, speed: None };
            }
            motion
        })
        .collect();
    let mut motions = motions;
    if dice.chance(50) {
        let last = b.row(AnimationId(count as u16 - 1)).loop_mode;
        let children: Vec<(AnimationId, MotionId)> = (0..3)
            .map(|index| clip(&mut b, &format!("child{index}"), 0.3 + dice.number(1.0), last))
            .collect();
        b.span(children[1].0, &[("s", Place::Ratio(0.2), Place::Ratio(0.7))]);
        let points: Vec<Point> = children
            .iter()
            .enumerate()
            .map(|(index, (_, motion))| Point { motion: *motion, x: index as f32, y: 0.0, weight: None })
            .collect();
        let points = append(&mut b.rows.points, &points);
        let input = b.number_code(&[Op::Param { param: speed }]);
        let kind = MotionKind::Blend1D { input, points, sync: dice.chance(80) };
        b.rows.motions.push(Motion { kind, speed: None });
        motions[3] = MotionId(b.rows.motions.len() as u16 - 1);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let s = b.machine(None, &names);
    b.inside(s[1], &[s[2]]);
    let lap = b.emits("lap", &[]);
    for (index, state) in s.iter().enumerate() {
        if !(shape.gaps && dice.chance(20)) {
            b.rows.states[state.index()].motion = Some(motions[index]);
        }
        if dice.chance(30) {
            b.rows.states[state.index()].finish = Some(b.actions(&[lap]));
            b.rows.states[state.index()].repeat = Some(b.actions(&[lap]));
        }
    }
    // A composite starts inside.
    b.rows.machines[0].start = Start::State(s[0]);
    let list = |b: &mut Builder, dice: &mut Dice| {
        let mut all = Vec::new();
        for priority in (0..1 + dice.below(3) as i32).rev() {
            let condition = shape.flags.then(|| b.is(flags[dice.below(3)]));
            let gate = if !shape.flags || dice.chance(50) {
                let name = b.rows.markers.get(1).map(|marker| marker.name);
                match dice.below(5) {
                    0 => Gate { after: Some(0.05 + dice.number(0.8)), ..Gate::default() },
                    1 => Gate { exit: Some(Place::Ratio(0.05 + dice.number(1.0))), ..Gate::default() },
                    2 => Gate { exit: Some(Place::Seconds(0.05 + dice.number(0.3))), ..Gate::default() },
                    3 => Gate { exit: Some(Place::Ratio(1.0)), lead_out: true, ..Gate::default() },
                    _ => Gate { marker: name, ..Gate::default() },
                }
            } else {
                Gate::default()
            };
            let duration = if shape.cuts && dice.chance(30) { 0.0 } else { 0.2 + dice.number(0.5) };
            let duration =
                if shape.cuts && dice.chance(10) { Length::Cycles(0.5) } else { Length::Seconds(duration) };
            let easing =
                [Easing::Linear, Easing::Linear, Easing::EaseInOut, Easing::EaseOutBack][dice.below(4)];
            let easing = if shape.cuts { easing } else { Easing::Linear };
            all.push(Transition {
                gate,
                fade: Fade { duration, easing },
                early_exit: dice.chance(80),
                pause_on_exit: dice.chance(15),
                sync: in_step && dice.chance(60),
                start_at: dice.chance(20).then(|| Place::Ratio(dice.number(1.0))),
                restart: dice.chance(20),
                ..to(s[dice.below(count)], condition, priority)
            });
        }
        b.transitions(&all)
    };
    for state in &s {
        let run = list(&mut b, dice);
        b.rows.states[state.index()].transitions = run;
    }
    if shape.flags && dice.chance(40) {
        b.rows.machines[0].any = list(&mut b, dice);
    }
    gates_fit(&mut b, &s);
    b
}

/// Where no motion can be, a gate waits for time instead: the verifier refuses others. State 2 is inside state 1.
fn gates_fit(b: &mut Builder, s: &[StateId]) {
    let marked = |animation: AnimationId| b.rows.animations[animation.index()].markers.count > 0;
    let marks = |row: &Motion| matches!(row.kind, MotionKind::Clip { animation, .. } if marked(animation));
    let clips = b.rows.motions.iter().any(marks);
    let own: Vec<bool> = s.iter().map(|state| b.rows.states[state.index()].motion.is_some()).collect();
    for (index, state) in s.iter().enumerate() {
        let moves = own[index] || (index == 1 || index == 2) && (own[1] || own[2]);
        let run = b.rows.states[state.index()].transitions;
        for transition in &mut b.rows.transitions[run.indices()] {
            let gate = transition.gate;
            if !moves && gate.follows_motion() || !clips && gate.marker.is_some() {
                transition.gate = Gate { after: Some(0.3), ..Gate::default() };
            }
        }
    }
}

fn turn(dice: &mut Dice, world: &mut World, shape: Shape) {
    for name in ["f0", "f1", "f2"] {
        if dice.chance(20) {
            world.set(name, dice.chance(50));
        }
    }
    // Weights of a blend move as fast as their input.
    if shape.cuts && dice.chance(10) {
        world.set("speed", dice.number(3.0) - 1.0);
    }
    if shape.cuts && dice.chance(5) {
        world.request(StateId(dice.below(4) as u16), 0);
    }
}

fn weights(instance: &Instance) -> BTreeMap<AnimationId, f32> {
    let mut all = BTreeMap::new();
    for sample in instance.samples() {
        assert!(sample.weight > 0.0 && sample.weight <= 1.0 + 1e-4, "{sample:?}");
        assert!(sample.time.is_finite() && (0.0..=1.0).contains(&sample.phase), "{sample:?}");
        *all.entry(sample.animation).or_default() += sample.weight;
    }
    all
}

#[test]
fn weights_sum_to_one_and_move_no_faster_than_their_fade() {
    for seed in 0..150 {
        let mut dice = Dice::new(31_000 + seed);
        let shape = Shape { gaps: false, flags: true, cuts: false };
        let mut world = World::new(behavior(&mut dice, shape));
        let mut before = weights(&world.instance);
        for step in 0..200 {
            turn(&mut dice, &mut world, shape);
            let dt = [0.0, 0.001, 1.0 / 60.0, 1.0 / 60.0, 0.05][dice.below(5)];
            let outgoing = world.instance.samples().count();
            world.tick(dt);
            let now = weights(&world.instance);
            let sum: f32 = now.values().sum();
            assert!((sum - 1.0).abs() <= 1e-4, "seed {seed}, step {step}: {sum}");
            for id in before.keys().chain(now.keys()) {
                let (a, b) = (before.get(id).unwrap_or(&0.0), now.get(id).unwrap_or(&0.0));
                // The fastest fade takes 0.2 s; where a ninth playhead is dropped, its share goes to the others.
                let most = dt / 0.2 + 2e-4 + if outgoing >= 8 { 0.1 } else { 0.0 };
                assert!((a - b).abs() <= most, "seed {seed}, step {step}: {a} to {b} in {dt}");
            }
            before = now;
        }
    }
}

#[test]
fn nothing_breaks_with_gaps_and_cuts_and_events_balance() {
    for seed in 0..200 {
        let mut dice = Dice::new(52_000 + seed);
        let shape = Shape { gaps: true, flags: true, cuts: true };
        let mut world = World::new(behavior(&mut dice, shape));
        let (mut fades, mut spans) = (0_i64, BTreeMap::<u16, i64>::new());
        for step in 0..150 {
            turn(&mut dice, &mut world, shape);
            world.tick([0.0, 1e-6, 0.01, 1.0 / 60.0, 0.3, 4.0][dice.below(6)]);
            let sum: f32 = weights(&world.instance).values().sum();
            assert!(sum <= 1.0 + 1e-4, "seed {seed}, step {step}: {sum}");
            let mut now = 0.0;
            for event in world.frame.events() {
                assert!(event.offset >= now, "seed {seed}, step {step}: {event:?} after {now}");
                now = event.offset;
                match event.kind {
                    EventKind::FadeStart { .. } => fades += 1,
                    EventKind::FadeEnd { .. } | EventKind::FadeCancel { .. } => fades -= 1,
                    EventKind::SpanBegin { span, .. } => {
                        *spans.entry(span.0).or_default() += i64::from(event.count);
                    }
                    EventKind::SpanEnd { span, .. } => {
                        *spans.entry(span.0).or_default() -= i64::from(event.count);
                    }
                    _ => {}
                }
                assert!((0..=1).contains(&fades), "seed {seed}, step {step}: {:?}", world.events());
            }
            assert!(spans.values().all(|open| (0..=9).contains(open)), "seed {seed}, step {step}: {spans:?}");
            for (span, open) in &spans {
                let row = world.rows().spans[usize::from(*span)];
                let inside = world.instance.samples().any(|sample| sample.animation == row.animation);
                assert!(*open == 0 || inside || fades == 1, "seed {seed}, step {step}: {spans:?}");
            }
        }
    }
}

#[test]
fn a_save_in_the_middle_of_anything_goes_on_bit_for_bit() {
    for seed in 0..100 {
        let mut dice = Dice::new(77_000 + seed);
        let shape = Shape { gaps: true, flags: true, cuts: true };
        let mut world = World::new(behavior(&mut dice, shape));
        for _ in 0..40 {
            turn(&mut dice, &mut world, shape);
            let save = world.instance.save();
            let setup = Setup { seed: 9, ..Setup::default() };
            let mut other = Instance::new(&world.program, BehaviorId(0), &setup).expect("it can be made");
            other.restore(&save).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            let mut frame = motix_vm::Frame::new();
            for _ in 0..2 {
                let dt = [0.0, 0.01, 0.2, 1.5][dice.below(4)];
                world.tick(dt);
                other.tick(dt, &mut frame).expect("it ticks");
                assert_eq!(world.frame.events(), frame.events(), "seed {seed}");
                assert_eq!(world.instance.save(), other.save(), "seed {seed}");
            }
        }
    }
}

#[test]
fn a_damaged_save_is_refused_or_ticks_like_any_other() {
    let mut refused = 0;
    for seed in 0..40 {
        let mut dice = Dice::new(91_000 + seed);
        let shape = Shape { gaps: true, flags: true, cuts: true };
        let mut world = World::new(behavior(&mut dice, shape));
        for _ in 0..10 {
            turn(&mut dice, &mut world, shape);
            world.tick(0.07);
        }
        let save = world.instance.save();
        for _ in 0..60 {
            let mut bytes = save.clone();
            let at = 16 + dice.below(bytes.len() - 16);
            bytes[at] ^= 1 << dice.below(8);
            if world.instance.restore(&bytes).is_err() {
                refused += 1;
                continue;
            }
            for dt in [0.0, 0.1, 3.0] {
                world.tick(dt);
                weights(&world.instance);
            }
        }
    }
    assert!(refused > 200, "{refused}");
}

fn undone(events: &[Event]) -> Vec<EventKind> {
    events.iter().flat_map(|event| std::iter::repeat_n(event.kind, event.count as usize)).collect()
}

#[test]
fn one_tick_equals_its_parts() {
    for seed in 0..300 {
        let mut dice = Dice::new(13_000 + seed);
        let make = behavior(&mut dice, Shape { gaps: seed % 2 == 0, flags: false, cuts: true });
        let mut one = World::new(make);
        let mut many = World {
            program: one.program.clone(),
            instance: one.instance.clone(),
            frame: motix_vm::Frame::new(),
        };
        one.tick(1.0);
        let mut whole = undone(one.frame.events());
        if whole.iter().any(|kind| matches!(kind, EventKind::ChainLimit { .. })) {
            continue;
        }
        let count = 2 + dice.below(60);
        let mut parts = Vec::new();
        for _ in 0..count {
            many.tick(1.0 / count as f32);
            parts.extend(undone(many.frame.events()));
        }
        let order = |events: &[EventKind]| -> Vec<EventKind> {
            let states = |kind: &&EventKind| {
                matches!(
                    kind,
                    EventKind::Enter { .. } | EventKind::FadeStart { .. } | EventKind::FadeEnd { .. }
                )
            };
            events.iter().filter(states).copied().collect()
        };
        assert_eq!(order(&whole), order(&parts), "seed {seed}, {count} parts");
        for events in [&mut whole, &mut parts] {
            events.sort_by_key(|kind| format!("{kind:?}"));
        }
        assert_eq!(whole, parts, "seed {seed}, {count} parts");
        for id in 0..one.rows().animations.len() as u16 {
            let id = AnimationId(id);
            let (a, b) = (one.instance.weight(id), many.instance.weight(id));
            assert!((a - b).abs() <= 2e-4, "seed {seed}: {a} and {b}");
            let apart = (one.instance.phase(id) - many.instance.phase(id)).abs();
            assert!(apart <= 4e-4 || (1.0 - apart).abs() <= 4e-4, "seed {seed}: phase apart {apart}");
        }
    }
}
