//! What a tick costs: 100,000 humanoids of which 2 % change state each frame, beside the same machine written by
//! hand in Rust, in the same run.
//!
//! `cargo bench -p motix-tests --bench tick` prints a table. Before it measures, it checks that both give the same
//! states, weights and times.

#![allow(clippy::print_stdout)] // the table is the product

mod handwritten;
mod workload;

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use handwritten::{Humanoid, State};
use motix_tests::bench::{Laps, given, instance, program};
use motix_tests::random::Random;
use motix_vm::program::{EncodeOptions, NumberParam};
use motix_vm::{BehaviorRef, Crowd, CrowdFrame, Frame, Instance, Program, Setup};
use workload::{DT, INPUTS, WARM_UP, inputs};

const INSTANCES: usize = 100_000;
const FRAMES: usize = 120;

struct Ours {
    instances: Vec<Instance>,
    magnitude: NumberParam,
    speed: NumberParam,
}

impl Ours {
    fn new(behavior: BehaviorRef<'_>, program: &Arc<Program>, count: usize) -> Self {
        Self {
            instances: (0..count).map(|_| instance(program, behavior)).collect(),
            magnitude: given(behavior.number("moveMagnitude")),
            speed: given(behavior.number("walkSpeed")),
        }
    }

    fn set(&mut self, index: usize, (magnitude, speed): (f32, f32)) {
        let instance = &mut self.instances[index];
        let set = instance
            .set_number(self.magnitude, magnitude)
            .and_then(|()| instance.set_number(self.speed, speed));
        given(set);
    }
}

fn main() {
    let program = program(&motix_tests::read("tests/benches/humanoid.motix"));
    let behavior = given(program.find("Humanoid"));
    agree(behavior, &program);
    let stripped = program.encode(EncodeOptions { strip: true }).len();
    let mut ours = Ours::new(behavior, &program, INSTANCES);
    println!(
        "humanoid: {stripped} bytes stripped, {} bytes an instance\n",
        ours.instances[0].size_of_state()
    );

    let mut theirs = vec![Humanoid::default(); INSTANCES];
    let (mut crowd, mut frames) = (crowd(behavior, &program), CrowdFrame::new());
    let mut frame = Frame::new();
    let mut commands = Vec::new();
    let mut laps = Laps::<7>::default();
    for number in 0..FRAMES {
        laps.counts = number >= WARM_UP;
        let inputs = inputs(number, INSTANCES);
        for (index, input) in &inputs {
            ours.set(*index, *input);
            (theirs[*index].move_magnitude, theirs[*index].walk_speed) = *input;
        }
        laps.lap(4, || {
            for (index, (magnitude, speed)) in &inputs {
                if let Some(mut member) = crowd.member_mut(*index) {
                    given(member.set_number(ours.magnitude, *magnitude));
                    given(member.set_number(ours.speed, *speed));
                }
            }
        });
        laps.lap(5, || {
            if crowd.tick(DT, &mut frames).is_ok() {
                frames.events().for_each(|event| {
                    black_box(event);
                });
            }
        });
        laps.lap(6, || {
            crowd.for_each_sample(|_, sample| {
                black_box((sample.animation, sample.weight, sample.time));
            });
        });
        laps.lap(0, || {
            for instance in &mut ours.instances {
                if instance.tick(DT, &mut frame).is_ok() {
                    black_box(frame.events());
                }
            }
        });
        laps.lap(1, || {
            for instance in &mut theirs {
                commands.clear();
                instance.tick(DT, &mut commands);
                black_box(&commands);
            }
        });
        laps.lap(2, || {
            for instance in &ours.instances {
                for sample in instance.samples() {
                    black_box((sample.animation, sample.weight, sample.time));
                }
            }
        });
        laps.lap(3, || {
            for instance in &theirs {
                let mut shown = instance.shown();
                while shown != 0 {
                    let clip = shown.trailing_zeros() as usize % 4;
                    shown &= shown - 1;
                    if instance.weight(clip) > 0.0 {
                        black_box((clip, instance.weight(clip), instance.time(clip)));
                    }
                }
            }
        });
    }
    for (instance, member) in ours.instances.iter().zip(crowd.members()).step_by(97) {
        assert_eq!(instance.state_hash(), member.state_hash());
    }
    let each = |part| laps.each(part, INSTANCES * (FRAMES - WARM_UP));
    let row = |name: &str, ours: f64, theirs: f64| {
        println!("{name:<28} {ours:>8.1} {theirs:>12.1} {:>8.2}", ours / theirs);
    };
    println!("{:<28} {:>8} {:>12} {:>8}", "ns an instance", "motix", "handwritten", "ratio");
    let (tick, whole) = (each(1), each(1) + each(3));
    row("tick", each(0), tick);
    row("tick and samples", each(0) + each(2), whole);
    row("crowd: tick", each(5), tick);
    row("crowd: tick and samples", each(5) + each(6), whole);
    row("crowd: with setting inputs", each(4) + each(5) + each(6), whole);
    println!("\n100,000 at rest: {:.3} ms a tick", at_rest(behavior, &program).as_secs_f64() * 1e3);
    #[cfg(feature = "rayon")]
    println!("100,000 on several threads: {:.2} times as quick", parallel(behavior, &program));
}

fn crowd(behavior: BehaviorRef<'_>, program: &Arc<Program>) -> Crowd {
    let mut crowd = given(Crowd::new(program, behavior.id()));
    for _ in 0..INSTANCES {
        given(crowd.push(&Setup::default()));
    }
    crowd
}

/// How much quicker a crowd in which everybody decides in each tick is on the threads of the pool than on one.
#[cfg(feature = "rayon")]
fn parallel(behavior: BehaviorRef<'_>, program: &Arc<Program>) -> f64 {
    let (mut one, mut frame) = (crowd(behavior, program), CrowdFrame::new());
    let (mut many, mut frames) = (one.clone(), CrowdFrame::new());
    let speed = given(behavior.number("moveMagnitude"));
    let mut times = [Duration::ZERO; 2];
    for number in 0..30 {
        for crowd in [&mut one, &mut many] {
            for index in 0..INSTANCES {
                let set =
                    crowd.member_mut(index).map(|mut member| member.set_number(speed, (number % 2) as f32));
                assert_eq!(set, Some(Ok(())));
            }
        }
        let start = Instant::now();
        assert_eq!(one.tick(DT, &mut frame), Ok(()));
        let half = Instant::now();
        assert_eq!(many.par_tick(DT, &mut frames), Ok(()));
        if number > 10 {
            times[0] += half - start;
            times[1] += half.elapsed();
        }
    }
    times[0].as_secs_f64() / times[1].as_secs_f64()
}

/// The tick of a crowd in which nobody has anything to do.
fn at_rest(behavior: BehaviorRef<'_>, program: &Arc<Program>) -> Duration {
    let (mut crowd, mut frame) = (crowd(behavior, program), CrowdFrame::new());
    let mut start = Instant::now();
    for number in 0..FRAMES {
        if number == WARM_UP {
            start = Instant::now();
        }
        assert_eq!(crowd.tick(DT, &mut frame), Ok(()));
    }
    assert!(crowd.members().all(|member| member.is_settled()));
    start.elapsed() / (FRAMES - WARM_UP) as u32
}

/// Both machines, given the same inputs, have the same states, weights and times.
fn agree(behavior: BehaviorRef<'_>, program: &Arc<Program>) {
    let mut ours = Ours::new(behavior, program, 64);
    let mut theirs = vec![Humanoid::default(); 64];
    let mut frame = Frame::new();
    let mut commands = Vec::new();
    let mut random = Random::new(3);
    let names = ["Idle", "Walk", "Run", "Jump"];
    let clips = names.map(|name| given(behavior.animation(name)));
    let jump = given(behavior.state("Jump"));
    for number in 0..2_000 {
        for index in 0..64 {
            if random.below(50) == 0 {
                let input = INPUTS[random.below(INPUTS.len())];
                ours.set(index, input);
                (theirs[index].move_magnitude, theirs[index].walk_speed) = input;
            }
            if random.below(200) == 0 {
                assert_eq!(ours.instances[index].request(jump, 0), Ok(()));
                theirs[index].requested = Some(State::Jump);
            }
            commands.clear();
            theirs[index].tick(DT, &mut commands);
            let instance = &mut ours.instances[index];
            assert_eq!(instance.tick(DT, &mut frame), Ok(()));
            assert_eq!(
                frame.events().iter().filter(|event| reported(event.kind)).count(),
                commands.len(),
                "tick {number}"
            );
            let state = instance
                .state(behavior.main_machine().unwrap_or_default())
                .map(|state| behavior.state_name(state));
            assert_eq!(state, Some(names[theirs[index].state as usize]), "tick {number}");
            assert!((instance.layer_weight(Default::default()) - theirs[index].layer_weight()).abs() < 1e-4);
            for (clip, animation) in clips.iter().enumerate() {
                let (weight, time) = (instance.weight(*animation), instance.time(*animation));
                let (expected, expected_time) = (theirs[index].weight(clip), theirs[index].time(clip));
                assert!(
                    (weight - expected).abs() < 1e-3,
                    "tick {number}: {} weighs {weight}, not {expected}",
                    names[clip]
                );
                assert!(
                    weight == 0.0 || apart(time, expected_time) < 1e-2,
                    "tick {number}: {} is at {time}, not {expected_time}",
                    names[clip]
                );
            }
        }
    }
}

/// The distance of two times on a loop of at most 2 s, near its ends too.
fn apart(a: f32, b: f32) -> f32 {
    let distance = (a - b).abs();
    [0.6, 0.7, 1.0, 2.0].iter().fold(distance, |least, length| least.min((distance - length).abs()))
}

/// The events that the hand-written machine reports too.
fn reported(kind: motix_vm::EventKind) -> bool {
    use motix_vm::EventKind::{Enter, Exit, Play, Stop};
    matches!(kind, Enter { .. } | Exit { .. } | Play { .. } | Stop { .. })
}
