//! What the verifier lets through can be run: no host call and no tick panics, hangs, or leaves the numbers.

use std::sync::Arc;

use motix_vm::ids::*;
use motix_vm::program::tables::Type;
use motix_vm::program::{BehaviorRef, EncodeOptions, Program};
use motix_vm::{Frame, Host, Instance, Setup, StopMode};

use crate::mutate::{Random, changed};
use crate::support::{program, sample};

/// Drives an instance of a behavior with calls drawn from `random`.
fn drive(program: &Arc<Program>, behavior: BehaviorRef<'_>, random: &mut Random) {
    let rows = behavior.rows();
    let durations: Vec<(AnimationId, f32)> = (0..rows.animations.len())
        .map(|index| (AnimationId(index as u16), [0.0, 0.01, 0.7, 3.0][random.below(4)]))
        .collect();
    let setup = Setup { seed: 1, durations: &durations, ..Setup::default() };
    let Ok(mut instance) = Instance::new(program, behavior.id(), &setup) else { return };
    let mut frame = Frame::new();
    let mut answer = |_, id: ExternId| id.0.is_multiple_of(2);
    let mut saved = instance.save();
    for _ in 0..24 {
        let pick = |random: &mut Random, len: usize| random.below(len + 1) as u16;
        let animation = AnimationId(pick(random, rows.animations.len()));
        let _ = match random.below(8) {
            0 => instance.request(StateId(pick(random, rows.states.len())), random.below(3) as i32),
            1 => instance.play(animation),
            2 => instance.stop(animation, StopMode::FadeOut),
            3 => instance.stop(animation, StopMode::Immediate),
            4 => instance.stop_group(GroupId(pick(random, rows.groups.len())), StopMode::FadeOut),
            5 => instance.play_tag(TagId(pick(random, rows.tags.len()))),
            6 => instance.set_layer_target(LayerId(pick(random, rows.layers.len())), 0.5),
            _ => Ok(()),
        };
        for param in behavior.params() {
            let _ = match param.ty {
                Type::Bool => instance.set(param.name, random.below(2) == 0),
                Type::Number => instance.set(param.name, [0.0, -1.0, 5.0, f32::MAX][random.below(4)]),
                Type::Trigger => {
                    behavior.trigger(param.name).map_or(Ok(()), |trigger| instance.fire(trigger))
                }
                _ => Ok(()),
            };
        }
        let dt = [0.0, 0.016, 0.3, 100.0][random.below(4)];
        let mut host = Host { predicates: Some(&mut answer), ..Host::default() };
        instance.tick_with(dt, &mut host, &mut frame).expect("the time is good and the host answers");
        for event in frame.events() {
            assert!((0.0..=dt).contains(&event.offset) && event.count > 0, "{event:?}");
        }
        for sample in instance.samples() {
            let numbers = [sample.weight, sample.time, sample.phase];
            assert!(numbers.iter().all(|number| number.is_finite()), "{sample:?}");
            assert!(sample.weight > 0.0 && sample.weight <= 1.0, "{sample:?}");
            assert!((0.0..=1.0).contains(&sample.phase), "{sample:?}");
        }
        for layer in (0..rows.layers.len()).map(|index| LayerId(index as u16)) {
            assert!((0.0..=1.0).contains(&instance.layer_weight(layer)));
        }
        if random.below(6) == 0 {
            instance.restore(&saved).expect("it was saved by this instance");
        } else if random.below(4) == 0 {
            saved = instance.save();
        }
    }
}

#[test]
fn the_sample_runs() {
    let program = Arc::new(program(sample()));
    for seed in 0..40 {
        for behavior in program.iter() {
            drive(&program, behavior, &mut Random(seed));
        }
    }
}

#[test]
fn changed_programs_that_are_accepted_run() {
    let file = program(sample()).encode(EncodeOptions { strip: true });
    let mut random = Random(11);
    let mut run = 0;
    for _ in 0..2_000 {
        let Ok(program) = Program::load(&changed(&file, &mut random)) else { continue };
        let program = Arc::new(program);
        for behavior in program.iter() {
            drive(&program, behavior, &mut random);
            run += 1;
        }
    }
    assert!(run > 100, "only {run} were accepted");
}
