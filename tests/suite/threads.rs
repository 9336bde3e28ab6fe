//! Threads: a program is shared, instances go where they like, and nobody can tell.

use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier};
use std::thread;

use motix_tests::program;
use motix_trace::Driver;
use motix_vm::program::{LoadError, Region};
use motix_vm::{Frame, Globals, Instance, Program, Sample, Values};

/// Instances a thread.
const INSTANCES: u64 = 20;
const TICKS: usize = 200;

fn is_send_and_sync<T: Send + Sync + 'static>() {}

#[test]
fn what_a_host_holds_can_be_sent_and_shared() {
    is_send_and_sync::<Program>();
    is_send_and_sync::<Instance>();
    is_send_and_sync::<Frame>();
    is_send_and_sync::<Globals>();
    is_send_and_sync::<Values>();
    is_send_and_sync::<Region>();
    is_send_and_sync::<Sample>();
    is_send_and_sync::<LoadError>();
}

fn drivers(program: &Arc<Program>, seeds: std::ops::Range<u64>) -> Vec<Driver> {
    let behaviors: Vec<_> = program.iter().map(|behavior| behavior.id()).collect();
    let made =
        seeds.filter_map(|seed| Driver::new(program, behaviors[seed as usize % behaviors.len()], seed));
    made.collect()
}

fn tick(drivers: &mut [Driver], frame: &mut Frame) -> Vec<u64> {
    let mut digests = Vec::with_capacity(drivers.len());
    for driver in drivers {
        driver.step(frame);
        digests.push(driver.digest(frame).0);
    }
    digests
}

#[test]
fn two_threads_give_what_one_gives() {
    let program = program("examples/fighter.motix");
    let mut alone = drivers(&program, 0..2 * INSTANCES);
    assert_eq!(alone.len() as u64, 2 * INSTANCES);
    let mut frame = Frame::new();
    let expected: Vec<Vec<u64>> = (0..TICKS).map(|_| tick(&mut alone, &mut frame)).collect();
    // Both tick their half at the same time, then each hands the other an instance.
    let barrier = Barrier::new(2);
    let (to_second, from_first) = channel();
    let (to_first, from_second) = channel();
    let run = |seeds, give: std::sync::mpsc::Sender<Driver>, take: std::sync::mpsc::Receiver<Driver>| {
        let mut own = drivers(&program, seeds);
        let mut frame = Frame::new();
        let mut came = Vec::new();
        for _ in 0..TICKS {
            barrier.wait();
            came.push(tick(&mut own, &mut frame));
            let given = give.send(own.remove(0));
            own.push(take.recv().unwrap_or_else(|error| panic!("{given:?}, {error}")));
        }
        came
    };
    let (first, second) = thread::scope(|scope| {
        let other = scope.spawn(|| run(INSTANCES..2 * INSTANCES, to_first, from_first));
        let own = run(0..INSTANCES, to_second, from_second);
        (own, other.join().unwrap_or_default())
    });
    let both = |tick: usize| -> Vec<u64> { first[tick].iter().chain(&second[tick]).copied().collect() };
    for (tick, expected) in expected.iter().enumerate() {
        let (mut came, mut expected) = (both(tick), expected.clone());
        came.sort_unstable();
        expected.sort_unstable();
        assert_eq!(came, expected, "tick {tick}");
    }
}
