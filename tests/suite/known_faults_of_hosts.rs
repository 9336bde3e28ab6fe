//! What users of other state machines suffer from, where it takes a host to see it.

use std::sync::Arc;

use motix_tests::model::real::program;
use motix_vm::{Event, Frame, Instance, Program, Setup};

const PAIR: &str = "Behavior Pair {
    Param isRunning: bool
    Param pace: number = 1
    Param tap: trigger
    Animation Stand { Duration 1s Looped }
    Animation Sprint { Duration 0.7s Looped Marker foot at 30% }
    Layer Base { Order 0 Speed pace }
    InitialState Standing
    State Standing { Clip Stand Transition Running when isRunning { Duration 250ms Easing easeInOut } }
    State Running { Clip Sprint Transition Standing when not isRunning { Duration 250ms } }
}";

fn instance(program: &Arc<Program>) -> Instance {
    let found = program.behaviors().len();
    assert_eq!(found, 1);
    let behavior = program.find("Pair").map(|found| found.id());
    let behavior = behavior.unwrap_or_else(|error| panic!("{error}"));
    Instance::new(program, behavior, &Setup::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn pair() -> (Arc<Program>, Instance) {
    let program = program(PAIR).unwrap_or_else(|error| panic!("{error}"));
    let instance = instance(&program);
    (program, instance)
}

fn tick(instance: &mut Instance, dt: f32, frame: &mut Frame) {
    instance.tick(dt, frame).unwrap_or_else(|error| panic!("{error}"));
}

fn set(instance: &mut Instance, running: bool) {
    instance.set("isRunning", running).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_wrong_name_is_an_error_that_offers_the_right_one() {
    let (program, mut instance) = pair();
    let save = instance.save();
    let error = instance.set("IsRunning", true).map_err(|error| error.to_string());
    assert_eq!(error, Err("unknown parameter `IsRunning`; did you mean `isRunning`?".to_owned()));
    assert!(instance.set("isRunning", 1.0).is_err(), "a number is no bool");
    assert!(instance.set("pace", f32::NAN).is_err());
    let behavior = program.find("Pair").unwrap_or_else(|error| panic!("{error}"));
    let error = behavior.state("Runing").map_err(|error| error.to_string());
    assert_eq!(error, Err("unknown state `Runing`; did you mean `Running`?".to_owned()));
    assert_eq!(instance.save(), save, "nothing changed");
}

#[test]
fn the_end_of_a_path_is_no_path_and_offers_the_whole() {
    let nested = "Behavior Thief {
        InitialState Foot
        State Foot {
            InitialState Pick
            State Pick { InitialState Down State Down { Transition Up } State Up { Transition Down } }
        }
    }";
    let program = program(nested).unwrap_or_else(|error| panic!("{error}"));
    let thief = program.find("Thief").unwrap_or_else(|error| panic!("{error}"));
    assert!(thief.state("Foot.Pick.Up").is_ok());
    let error = thief.state("Pick.Up").map_err(|error| error.to_string());
    assert_eq!(error, Err("unknown state `Pick.Up`; did you mean `Foot.Pick.Up`?".to_owned()));
}

/// The events of some ticks, and the bytes at their end.
fn trace(mut instance: Instance, bad: bool) -> (Vec<Event>, Vec<u8>) {
    let mut frame = Frame::new();
    let mut events = Vec::new();
    for number in 0..200 {
        set(&mut instance, number / 7 % 2 == 0);
        if bad {
            for dt in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.1] {
                assert!(instance.tick(dt, &mut frame).is_err());
                assert!(frame.events().is_empty());
            }
        }
        tick(&mut instance, 1.0 / 60.0, &mut frame);
        events.extend_from_slice(frame.events());
    }
    let save = instance.save();
    (events, save)
}

#[test]
fn a_dt_that_is_no_time_poisons_nothing() {
    let (program, first) = pair();
    assert_eq!(trace(first, false), trace(instance(&program), true));
}

#[test]
fn reading_twice_changes_nothing() {
    let (_, mut instance) = pair();
    let mut frame = Frame::new();
    set(&mut instance, true);
    tick(&mut instance, 0.1, &mut frame);
    let save = instance.save();
    let once: Vec<_> = instance.samples().collect();
    assert_eq!(once, instance.samples().collect::<Vec<_>>());
    assert_eq!(instance.save(), save);
}

#[test]
fn instances_of_one_program_may_run_on_many_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Program>();
    shared::<Instance>();
    let (program, first) = pair();
    let alone = trace(first, false);
    std::thread::scope(|scope| {
        let others: Vec<_> = (0..8)
            .map(|_| {
                let program = &program;
                scope.spawn(move || trace(instance(program), false))
            })
            .collect();
        for other in others {
            assert!(other.join().is_ok_and(|other| other == alone));
        }
    });
}

#[test]
fn ten_thousand_interruptions_with_stopped_clips_keep_one_size_and_one_sum() {
    let (_, mut instance) = pair();
    let mut frame = Frame::new();
    assert!(instance.set("pace", 0.0).is_ok());
    let size = instance.save().len();
    for number in 0..10_000 {
        set(&mut instance, number % 2 == 0);
        tick(&mut instance, 0.016, &mut frame);
        let sum: f32 = instance.samples().map(|sample| sample.weight).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum} after {number}");
        assert!(instance.samples().count() <= 9);
    }
    assert_eq!(instance.save().len(), size);
    // Fades keep wall time.
    set(&mut instance, true);
    tick(&mut instance, 0.0, &mut frame);
    tick(&mut instance, 0.3, &mut frame);
    assert_eq!(instance.samples().count(), 1);
}

#[test]
fn a_loop_keeps_its_time_for_three_days_of_frames() {
    // A day's drift shows in a fraction of it: 72 minutes of frames unless more are asked for.
    let times: u32 = std::env::var("MOTIX_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let (_, mut instance) = pair();
    let mut frame = Frame::new();
    let ticks = (270_000 * times).min(16_200_000);
    for _ in 0..ticks {
        tick(&mut instance, 0.016, &mut frame);
    }
    let expected = f64::from(0.016_f32) * f64::from(ticks);
    let Some(sample) = instance.samples().next() else { panic!("it plays") };
    let apart = (f64::from(sample.time) - expected.rem_euclid(1.0)).abs();
    assert!(apart.min(1.0 - apart) < 1e-3, "{} and not {}", sample.time, expected.rem_euclid(1.0));
    assert_eq!(u64::from(sample.cycle), expected as u64);
    // And one tick of three days is exact too.
    let begun = f64::from(sample.time);
    tick(&mut instance, 259_200.0, &mut frame);
    let after = instance.samples().next().map_or(0.0, |sample| f64::from(sample.time));
    let apart = (after - begun).abs();
    assert!(apart.min(1.0 - apart) < 1e-4, "{begun} became {after}");
}
