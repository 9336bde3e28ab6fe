//! What holds for every behavior, host and moment, tried on many random ones.

use std::collections::BTreeSet;
use std::sync::Arc;

use motix_vm::ids::*;
use motix_vm::program::Program;
use motix_vm::program::tables::*;
use motix_vm::{Event, EventKind, Frame, Instance, Setup};

use crate::random::{Dice, Shape, behavior, call, tick};
use crate::support::program;

fn instance(dice: &mut Dice, timed: bool) -> (Arc<Program>, Instance) {
    let program = Arc::new(program(behavior(dice, Shape { timed }).tables()));
    let setup = Setup { seed: 7, ..Setup::default() };
    let instance = Instance::new(&program, BehaviorId(0), &setup).expect("it can be made");
    (program, instance)
}

/// What must hold after every tick.
#[track_caller]
fn check(program: &Program, instance: &Instance, frame: &Frame, dt_most: f32) {
    let rows = &program.behaviors()[0];
    let mut last_layer = 0;
    let mut places = BTreeSet::new();
    for sample in instance.samples() {
        let row = &rows.animations[sample.animation.index()];
        assert!(sample.layer.0 >= last_layer, "layers ascend");
        last_layer = sample.layer.0;
        assert!(sample.weight > 0.0 && sample.weight <= row.weight, "{sample:?}");
        assert!(sample.time.is_finite() && sample.time >= 0.0 && sample.time <= row.duration.unwrap_or(0.0));
        assert!((0.0..=1.0).contains(&sample.phase), "{sample:?}");
    }
    for (index, row) in rows.animations.iter().enumerate() {
        let id = AnimationId(index as u16);
        if instance.playing(id) && (row.group.is_some() || !row.additive) {
            let place = (row.group, if row.group.is_some() { LayerId(0) } else { row.layer });
            assert!(places.insert(place), "one holds a place: {place:?}");
        }
    }
    for layer in 0..rows.layers.len() {
        assert!((0.0..=1.0).contains(&instance.layer_weight(LayerId(layer as u16))));
    }
    let mut now = 0.0;
    for event in frame.events() {
        assert!(event.offset >= now && event.offset <= dt_most, "{event:?} after {now}");
        assert!(event.count > 0);
        now = event.offset;
    }
}

#[test]
fn random_hosts_never_break_what_must_hold() {
    for seed in 0..150 {
        let mut dice = Dice::new(seed);
        let (program, mut instance) = instance(&mut dice, true);
        let mut frame = Frame::new();
        for _ in 0..100 {
            for _ in 0..dice.below(4) {
                call(&mut dice, &mut instance);
            }
            tick(&mut dice, &mut instance, &mut frame);
            check(&program, &instance, &frame, 5.0);
        }
    }
}

#[test]
fn a_save_at_any_time_goes_on_bit_for_bit() {
    for seed in 0..60 {
        let mut dice = Dice::new(1000 + seed);
        let (program, mut one) = instance(&mut dice, true);
        let mut frames = [Frame::new(), Frame::new()];
        for _ in 0..40 {
            for _ in 0..dice.below(4) {
                call(&mut dice, &mut one);
            }
            let save = one.save();
            let setup = Setup { seed: 99, ..Setup::default() };
            let mut two = Instance::new(&program, BehaviorId(0), &setup).expect("it can be made");
            two.restore(&save).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            assert_eq!(two.save(), save);
            let mut same = dice.clone();
            for _ in 0..3 {
                tick(&mut dice, &mut one, &mut frames[0]);
                tick(&mut same, &mut two, &mut frames[1]);
                assert_eq!(frames[0].events(), frames[1].events());
                assert_eq!(one.save(), two.save());
            }
        }
    }
}

/// Events with their counts undone, for what several ticks report one by one.
fn undone(events: &[Event]) -> Vec<EventKind> {
    events.iter().flat_map(|event| std::iter::repeat_n(event.kind, event.count as usize)).collect()
}

#[test]
fn one_tick_equals_its_parts() {
    let mut compared = 0;
    for seed in 0..300 {
        let mut dice = Dice::new(5000 + seed);
        let (program, mut one) = instance(&mut dice, false);
        for _ in 0..dice.below(6) {
            call(&mut dice, &mut one);
        }
        let mut frame = Frame::new();
        // Decisions of the first tick apart: what is not instant makes one step a tick.
        for _ in 0..20 {
            one.tick(0.0, &mut frame).expect("it ticks");
        }
        if !frame.events().is_empty() {
            continue;
        }
        let mut many = one.clone();
        one.tick(0.6, &mut frame).expect("it ticks");
        let whole = undone(frame.events());
        let mut parts = Vec::new();
        let count = 2 + dice.below(60);
        for _ in 0..count {
            many.tick(0.6 / count as f32, &mut frame).expect("it ticks");
            parts.extend(undone(frame.events()));
        }
        let rows = &program.behaviors()[0];
        let mut sorted = [whole.clone(), parts.clone()];
        for events in &mut sorted {
            events.sort_by_key(|kind| format!("{kind:?}"));
        }
        assert_eq!(sorted[0], sorted[1], "seed {seed}, {count} parts");
        // Where nothing was counted, the order is the same too.
        if whole.len() == parts.len() && frame.events().len() < 2 {
            compared += 1;
        }
        for index in 0..rows.animations.len() as u16 {
            let id = AnimationId(index);
            for (a, b) in [(one.weight(id), many.weight(id)), (one.phase(id), many.phase(id))] {
                let apart = (a - b).abs();
                // A playhead just before its end and one just after are near.
                assert!(apart <= 2e-4 || (1.0 - apart).abs() <= 2e-4, "seed {seed}: {a} and {b}");
            }
        }
        for layer in 0..rows.layers.len() as u16 {
            let apart = one.layer_weight(LayerId(layer)) - many.layer_weight(LayerId(layer));
            assert!(apart.abs() <= 1e-4);
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn what_began_always_ends() {
    for seed in 0..60 {
        let mut dice = Dice::new(9000 + seed);
        let (program, mut instance) = instance(&mut dice, true);
        let mut frame = Frame::new();
        let mut open = [0_i64; 64];
        for _ in 0..100 {
            for _ in 0..dice.below(4) {
                call(&mut dice, &mut instance);
            }
            tick(&mut dice, &mut instance, &mut frame);
            for event in frame.events() {
                match event.kind {
                    EventKind::SpanBegin { span, .. } => open[span.index()] += i64::from(event.count),
                    EventKind::SpanEnd { span, .. } => open[span.index()] -= i64::from(event.count),
                    _ => {}
                }
            }
            for (index, row) in program.behaviors()[0].spans.iter().enumerate() {
                let alive = instance.weight(row.animation) > 0.0 || instance.playing(row.animation);
                let allowed = if alive { 0..=1 } else { 0..=0 };
                assert!(allowed.contains(&open[index]), "seed {seed}: span {index} is open {}", open[index]);
            }
        }
    }
}

#[test]
fn states_enter_and_exit_in_turns() {
    for seed in 0..60 {
        let mut dice = Dice::new(20_000 + seed);
        let (program, mut instance) = instance(&mut dice, true);
        let rows = &program.behaviors()[0];
        let mut frame = Frame::new();
        let mut active: Vec<bool> =
            (0..rows.states.len()).map(|state| instance.is_in(StateId(state as u16))).collect();
        for _ in 0..60 {
            for _ in 0..dice.below(4) {
                call(&mut dice, &mut instance);
            }
            tick(&mut dice, &mut instance, &mut frame);
            for event in frame.events() {
                let (state, now) = match event.kind {
                    EventKind::Enter { state, .. } => (state, true),
                    EventKind::Exit { state, .. } => (state, false),
                    _ => continue,
                };
                assert_ne!(active[state.index()], now, "seed {seed}: {event:?}");
                active[state.index()] = now;
            }
            for (state, active) in active.iter().enumerate() {
                assert_eq!(instance.is_in(StateId(state as u16)), *active);
            }
        }
    }
}

#[test]
fn the_order_of_declaring_animations_of_other_layers_does_not_matter() {
    // Layers ascend in the samples whatever the order of declaration.
    let mut b = crate::support::Builder::new("Order");
    let (low, high) = (b.layer("Low"), b.layer("High"));
    for (name, layer) in [("A", high), ("B", low), ("C", high), ("D", low)] {
        let id = b.animation(name, layer);
        b.rows.animations[id.index()].additive = true;
    }
    let mut world = crate::world::World::new(b);
    for name in ["A", "B", "C", "D"] {
        world.play(name);
    }
    world.tick(0.1);
    let order: Vec<u16> = world.instance.samples().map(|sample| sample.animation.0).collect();
    assert_eq!(order, [1, 3, 0, 2]);
    let _ = LoopMode::None;
}
