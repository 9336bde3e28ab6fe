//! What a block that was left alone must be like: as if it had ticked one by one. On random animations and random ticks.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::{catch_up, horizon};
use crate::Frame;
use crate::ids::{
    AnimationId, BehaviorId, CodeId, GroupId, LayerId, MachineId, MotionId, ParamId, StateId, TextId,
};
use crate::instance::view::{View, word};
use crate::instance::{Instance, Setup, StopMode};
use crate::op::{Op, Word};
use crate::program::Program;
use crate::program::tables::{
    Animation, Behavior, Code, History, Layer, Length, Lifetime, LoopMode, Machine, Marker, Motion,
    MotionKind, Param, Place, Run, Span, Start, State, Tables, Target, Transition, Type,
};
use crate::time;

struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    fn share(&mut self) -> f32 {
        self.below(1001) as f32 / 1000.0
    }
}

/// Animations of all kinds that fixed rates move, and machines that play them and wait at gates; some durations are the
/// host's.
fn tables(dice: &mut Dice) -> Tables {
    // Nothing but animations that move, in loops and to their ends: a way of its own.
    let lean = dice.below(3) == 0;
    let name = TextId(0);
    let mut rows = Behavior { name, groups: vec![TextId(1)], ..Behavior::default() };
    let on = Param {
        name,
        ty: Type::Bool,
        initial: 0,
        min: 0.0,
        max: 0.0,
        step: 0.0,
        lifetime: Lifetime::Consumed,
        global: false,
    };
    rows.params.push(on);
    rows.ops.push(Op::Param { param: ParamId(0) });
    rows.codes.push(Code { ops: Run { first: 0, count: 1 }, result: Some(Word::Bool) });
    for order in 0..2 {
        rows.layers.push(Layer {
            name: TextId(order),
            order: order as i32,
            base_weight: 1.0,
            lerp_rate: 8.0,
            additive: false,
            mask: None,
            weight: None,
            speed: None,
        });
    }
    for index in 0..6 {
        let marked = if lean { 0 } else { dice.below(2) as u32 };
        let (markers, spans) = (rows.markers.len() as u32, rows.spans.len() as u32);
        let animation = AnimationId(index);
        if marked > 0 {
            rows.markers.push(Marker { name, at: Place::Ratio(dice.share()) });
            let from = dice.share() * 0.3;
            rows.spans.push(Span {
                name,
                animation,
                from: Place::Ratio(from),
                to: Place::Seconds(from + 0.1),
            });
        }
        rows.animations.push(Animation {
            name: TextId(index.into()),
            asset: name,
            duration: match lean {
                true => Some(dice.pick(&[0.3, 1.0, 2.5, 1000.0])),
                false => (dice.below(4) > 0).then(|| dice.pick(&[0.0, 0.3, 1.0, 2.5, 1000.0, 1e7])),
            },
            layer: LayerId(dice.below(2) as u16),
            group: (dice.below(3) == 0).then_some(GroupId(0)),
            loop_mode: dice.pick(&[LoopMode::None, LoopMode::Loop, LoopMode::PingPong]),
            priority: 0,
            fade_in: dice.pick(&[0.0, 0.15, 1.0, 100.0]),
            fade_out: dice.pick(&[0.0, 0.15, 1.0, 100.0]),
            speed: match lean {
                true => dice.pick(&[1.0, 1.0, 0.7, -1.0, 1e9]),
                false => dice.pick(&[1.0, 1.0, 0.7, -1.0, 0.0, 1e-9, 1e9]),
            },
            weight: dice.pick(&[1.0, 0.3]),
            can_interrupt: true,
            min_duration: if lean { 0.0 } else { dice.pick(&[0.0, 0.4, 1000.0]) },
            additive: dice.below(2) == 0,
            tags: Run::default(),
            markers: Run { first: markers, count: marked },
            spans: Run { first: spans, count: marked },
            metadata: Run::default(),
            curves: Run::default(),
        });
    }
    for machine in 0..if lean { 0 } else { dice.below(3) as u16 } {
        machine_of(dice, &mut rows, machine);
    }
    let texts = ["a", "b", "c", "d", "e", "f"].map(Into::into).to_vec();
    Tables { texts, behaviors: vec![rows], debug: None }
}

fn machine_of(dice: &mut Dice, rows: &mut Behavior, machine: u16) {
    let (first, none) = (rows.states.len() as u16, Run::default());
    for state in 0..3 {
        let animation = AnimationId(dice.below(6) as u16);
        let motion = (dice.below(4) > 0).then(|| {
            let start_at = (dice.below(3) == 0).then(|| Place::Ratio(dice.share()));
            let kind = MotionKind::Clip { animation, start_at, phase: None, mirror: false };
            rows.motions.push(Motion { kind, speed: None });
            MotionId(rows.motions.len() as u16 - 1)
        });
        let from = rows.transitions.len() as u32;
        let count = dice.below(3) as u32;
        for _ in 0..count {
            let mut row = Transition::new(Target::State(StateId(first + dice.below(3) as u16)));
            let choice = if motion.is_some() { dice.below(4) } else { 0 };
            row.gate.after = (choice == 0).then(|| dice.pick(&[0.0, 0.3, 2.0, 1000.0]));
            row.gate.exit = match choice {
                1 => Some(Place::Ratio(dice.share())),
                2 => Some(Place::Ratio(dice.pick(&[1.0, 2.5, 40.0]))),
                3 => Some(Place::Seconds(dice.share() * 0.2)),
                _ => None,
            };
            row.condition = dice.pick(&[None, Some(CodeId(0)), Some(CodeId(0))]);
            row.fade.duration = Length::Seconds(dice.pick(&[0.0, 0.0, 0.2]));
            row.sync = row.gate.after.is_none() && dice.below(4) == 0;
            rows.transitions.push(row);
        }
        rows.states.push(State {
            name: TextId(u32::from(first) + state),
            machine: MachineId(machine),
            parent: None,
            start: None,
            history: History::None,
            terminal: false,
            entry: None,
            entry_from: none,
            exit: None,
            update: None,
            motion,
            finish: None,
            repeat: None,
            whens: none,
            marks: none,
            tags: none,
            transitions: Run { first: from, count },
            any: none,
            done: none,
        });
    }
    let states = Run { first: first.into(), count: 3 };
    let (start, motion_layer) = (Start::State(StateId(first)), LayerId(machine));
    let layer = (machine > 0).then_some(LayerId(machine));
    rows.machines.push(Machine { layer, motion_layer, states, start, enter: false, any: none });
}

fn instance(dice: &mut Dice) -> Instance {
    let tables = tables(dice);
    let durations: Vec<_> = (0..6).map(|index| (AnimationId(index), dice.pick(&[0.5, 3.0, 0.0]))).collect();
    of(tables, &durations)
}

fn of(tables: Tables, durations: &[(AnimationId, f32)]) -> Instance {
    let program = match Program::verify(tables) {
        Ok(program) => Arc::new(program),
        Err(error) => panic!("{error}"),
    };
    match Instance::new(&program, BehaviorId(0), &Setup { durations, ..Setup::default() }) {
        Ok(instance) => instance,
        Err(error) => panic!("{error}"),
    }
}

fn call(dice: &mut Dice, instance: &mut Instance) {
    let animation = AnimationId(dice.below(6) as u16);
    let done = match dice.below(8) {
        6 | 7 => return assert!(instance.set("a", dice.below(2) == 0).is_ok()),
        0 => instance.stop(animation, StopMode::FadeOut),
        1 => instance.stop(animation, StopMode::Immediate),
        2 => instance.set_layer_target(LayerId(dice.below(2) as u16), dice.share()),
        _ => instance.play(animation),
    };
    assert_eq!(done, Ok(()));
}

/// A tick after which the block is not behind.
fn tick_awake(instance: &mut Instance, dt: f32) -> Frame {
    // What was touched does not rest after the next tick.
    instance.wake();
    tick(instance, dt)
}

fn tick(instance: &mut Instance, dt: f32) -> Frame {
    let mut frame = Frame::new();
    assert_eq!(instance.tick(dt, &mut frame), Ok(()));
    frame
}

const DTS: [f32; 8] = [1.0 / 60.0, 1.0 / 60.0, 0.001, 1e-6, 0.0, 0.11, 2e-8, 1.0 / 144.0];

/// As [`time::parts`], of what is not long.
fn parts(dt: f32) -> u64 {
    time::parts(dt).unwrap_or_default()
}

#[test]
fn a_block_that_was_left_alone_is_what_ticks_one_by_one_leave() {
    let (mut far, mut skipped) = (0, 0);
    for seed in 1..400 {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        let mut one = instance(&mut dice);
        for _ in 0..60 {
            for _ in 0..dice.below(3) {
                call(&mut dice, &mut one);
            }
            let dt = dice.pick(&DTS);
            tick_awake(&mut one, dt);
            let may_fade = dice.below(2) == 0;
            let Some(most) = horizon(&one.program, one.behavior, &one.words, may_fade) else { continue };
            let (start, mut behind) = (one.clone(), 0);
            far = far.max(most);
            for _ in 0..dice.below(200) {
                let dt = dice.pick(&DTS);
                behind += parts(dt);
                if behind > most {
                    behind -= parts(dt);
                    break;
                }
                let frame = tick_awake(&mut one, dt);
                assert_eq!(frame.events(), [], "seed {seed}");
                skipped += 1;
                // Read without being caught up with.
                let (rows, layout) = (&one.program.behaviors()[0], one.program.layout(one.behavior));
                let (_, owed) = time::pass_parts(start.words[0], behind);
                let view =
                    View { rows, layout: layout.unwrap_or_else(|| panic!()), words: &start.words, owed };
                assert!(view.samples(Default::default()).eq(one.samples()), "seed {seed}");
                assert_eq!(view.elapsed(MachineId(0)), one.elapsed(MachineId(0)));
                for animation in (0..6).map(AnimationId) {
                    assert_eq!(view.playing(animation), one.playing(animation), "seed {seed}");
                    assert_eq!(view.total_weight(animation), one.weight(animation), "seed {seed}");
                    assert_eq!(view.reading(animation, |view, slot| view.time(slot)), one.time(animation));
                }
            }
            let mut other = start;
            catch_up(&other.program, other.behavior, &mut other.words, behind);
            assert_eq!(other.save(), one.save(), "seed {seed}");
            assert_eq!(other.is_settled(), one.is_settled(), "seed {seed}");
        }
    }
    assert!(far == 1 << 62 && skipped > 10_000, "{far} {skipped}");
}

#[test]
fn a_horizon_is_not_short() {
    let mut ended = 0;
    for seed in 1..300 {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        let mut one = instance(&mut dice);
        for _ in 0..20 {
            call(&mut dice, &mut one);
            tick_awake(&mut one, 0.5);
            let may_fade = dice.below(2) == 0;
            let Some(most) = horizon(&one.program, one.behavior, &one.words, may_fade) else { continue };
            let seconds = most as f64 / (time::SECOND * time::SECOND);
            if seconds > 1000.0 {
                continue;
            }
            // Just before it nothing happens, just behind it something is due: a change of the block that is none of time.
            let mut early = one.clone();
            assert_eq!(tick_awake(&mut early, seconds as f32 * 0.999_999).events(), [], "seed {seed}");
            let mut late = one.clone();
            catch_up(&late.program, late.behavior, &mut late.words, most);
            let next = horizon(&late.program, late.behavior, &late.words, may_fade);
            assert!(next.is_none_or(|next| next < 1 << 25), "seed {seed}: {next:?}");
            ended += 1;
        }
    }
    assert!(ended > 500, "{ended}");
}

#[test]
fn the_short_way_through_a_tick_changes_nothing() {
    let (mut reports, mut settled) = (0, 0);
    for seed in 1..300 {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        let tables = tables(&mut dice);
        let durations: Vec<_> =
            (0..6).map(|index| (AnimationId(index), dice.pick(&[0.5, 3.0, 0.0]))).collect();
        // What counts seconds down keeps a behavior from it.
        let mut other = tables.clone();
        other.texts.push("timed".into());
        let timed = Param {
            name: TextId(6),
            ty: Type::Trigger,
            lifetime: Lifetime::Seconds(1.0),
            ..other.behaviors[0].params[0]
        };
        other.behaviors[0].params.push(timed);
        let (mut short, mut long) = (of(tables, &durations), of(other, &durations));
        for number in 0..200 {
            if dice.below(5) == 0 {
                let mut same = Dice(dice.0);
                call(&mut dice, &mut short);
                call(&mut same, &mut long);
                assert!(short.samples().eq(long.samples()), "seed {seed}, before tick {number}");
            }
            let dt = dice.pick(&DTS);
            let (frame, other) = (tick(&mut short, dt), tick(&mut long, dt));
            assert_eq!(frame.events(), other.events(), "seed {seed}, tick {number}");
            assert!(short.samples().eq(long.samples()), "seed {seed}, tick {number}");
            assert_eq!(short.elapsed(MachineId(0)), long.elapsed(MachineId(0)));
            for layer in [LayerId(0), LayerId(1)] {
                assert_eq!(short.layer_weight(layer), long.layer_weight(layer), "seed {seed}, tick {number}");
            }
            reports += frame.events().len();
        }
        for _ in 0..100 {
            tick(&mut short, 0.03);
            tick(&mut long, 0.03);
        }
        assert_eq!(short.is_settled(), long.is_settled(), "seed {seed}");
        settled += usize::from(short.is_settled());
    }
    assert!(reports > 10_000 && settled > 5, "{reports} {settled}");
}

/// A save may hold a weight that no fade has led to.
#[test]
fn a_weight_of_its_own_is_read_as_it_stands() {
    let mut found = 0;
    for seed in 1..60 {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        let mut one = instance(&mut dice);
        assert_eq!(one.play(AnimationId(0)), Ok(()));
        tick_awake(&mut one, 0.01);
        let at =
            one.view().and_then(|view| view.slot(AnimationId(0))).map_or(0, |(_, slot)| slot.at as usize);
        one.words[at + word::WEIGHT] = 0.125_f32.to_bits();
        one.words[at + word::FADE] = 0;
        tick_awake(&mut one, 1e-3);
        let view = one.view().unwrap_or_else(|| panic!());
        assert!(view.samples(Default::default()).eq(one.samples()), "seed {seed}");
        found += one.samples().filter(|sample| sample.weight == 0.125).count();
    }
    assert!(found > 5, "{found}");
}
