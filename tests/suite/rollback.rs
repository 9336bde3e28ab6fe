//! Rolling back: at every tick of a long run, from eight frames before, with the same inputs, the same bits.
//!
//! The inputs are those of `motix-trace`: whatever a host may do, now and then what makes no sense.

use std::collections::VecDeque;
use std::sync::Arc;

use motix_tests::{files, program};
use motix_trace::Driver;
use motix_vm::ids::BehaviorId;
use motix_vm::{Frame, Program};

/// How many frames a game goes back.
const FRAMES: usize = 8;

/// Runs a behavior, and after each tick again from a save of `FRAMES` before. Gives the number of events.
fn runs_again(name: &str, program: &Arc<Program>, behavior: BehaviorId, ticks: usize) -> usize {
    let Some(mut driver) = Driver::new(program, behavior, 7) else { panic!("{name}: it cannot be made") };
    let mut frame = Frame::new();
    // Where the host was before each of the last ticks, with the save, and what came of the tick.
    let mut kept: VecDeque<(Driver, Vec<u8>)> = VecDeque::new();
    let mut came: VecDeque<u64> = VecDeque::new();
    let mut events = 0;
    for tick in 0..ticks {
        kept.push_back((driver.clone(), driver.instance.save()));
        driver.step(&mut frame);
        came.push_back(driver.digest(&frame).0);
        events += frame.events().len();
        if kept.len() > FRAMES {
            kept.pop_front();
            came.pop_front();
        }
        let Some((before, save)) = kept.front() else { continue };
        let present = std::mem::replace(&mut driver, before.clone());
        // By the bytes, into an instance that is ahead; or by a copy.
        if tick % 2 == 0 {
            driver.instance = present.instance.clone();
            let restored = driver.instance.restore(save);
            assert_eq!(restored, Ok(()), "{name}, tick {tick}");
        } else {
            driver.instance = present.instance.clone();
            driver.instance.clone_from(&before.instance);
        }
        for (back, expected) in came.iter().enumerate() {
            driver.step(&mut frame);
            assert_eq!(driver.digest(&frame).0, *expected, "{name}, tick {tick}, frame {back} of {FRAMES}");
        }
        assert_eq!(driver.instance.state_hash(), present.instance.state_hash(), "{name}, tick {tick}");
    }
    events
}

#[test]
fn every_behavior_rolls_back_to_the_same_bits() {
    let (mut behaviors, mut events) = (0, 0);
    for path in files("examples", "motix").into_iter().chain(files("tests/behaviors", "motix")) {
        let program = program(&path);
        for behavior in program.iter() {
            events += runs_again(&format!("{path}, {}", behavior.name()), &program, behavior.id(), 60);
            behaviors += 1;
        }
    }
    assert!(behaviors > 200 && events > 5_000, "{behaviors} behaviors, {events} events");
}

#[test]
fn a_long_run_rolls_back_to_the_same_bits() {
    for path in ["examples/fighter.motix", "examples/card.motix", "examples/sentry.motix"] {
        let program = program(path);
        for behavior in program.iter() {
            let events = runs_again(path, &program, behavior.id(), 2_000);
            assert!(events > 100, "{path}, {}: {events} events", behavior.name());
        }
    }
}
