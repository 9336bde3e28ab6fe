//! What rolling back costs: 1,000 humanoids go back eight frames and are ticked up to the present again.
//!
//! `cargo bench -p motix-tests --bench rollback` prints a table. In each round it checks, by hashes, that what was
//! ticked again is what it was.

#![allow(clippy::print_stdout)] // the table is the product

use std::hint::black_box;
use std::time::{Duration, Instant};

use motix_tests::model::real::program;
use motix_tests::random::Random;
use motix_vm::{Frame, Instance, Setup};

const INSTANCES: usize = 1_000;
const FRAMES: usize = 8;
const ROUNDS: usize = 60;
const DT: f32 = 1.0 / 60.0;

/// What a player might do: stand, walk or run.
const INPUTS: [(f32, f32); 3] = [(0.0, 16.0), (1.0, 16.0), (1.0, 20.0)];

fn main() {
    let program =
        program(&motix_tests::read("tests/benches/humanoid.motix")).unwrap_or_else(|error| panic!("{error}"));
    let behavior = program.find("Humanoid").unwrap_or_else(|error| panic!("{error}"));
    let [magnitude, speed] = ["moveMagnitude", "walkSpeed"]
        .map(|name| behavior.number(name).unwrap_or_else(|error| panic!("{error}")));
    let new = || {
        Instance::new(&program, behavior.id(), &Setup::default()).unwrap_or_else(|error| panic!("{error}"))
    };
    let mut instances: Vec<Instance> = (0..INSTANCES).map(|_| new()).collect();
    let mut copies = instances.clone();
    let mut saves: Vec<Vec<u8>> = instances.iter().map(Instance::save).collect();
    let (mut frame, mut random) = (Frame::new(), Random::new(1));
    let mut times = [Duration::ZERO; 6];
    for _ in 0..ROUNDS {
        let mut lap = |slot: usize, work: &mut dyn FnMut()| {
            let start = Instant::now();
            work();
            times[slot] += start.elapsed();
        };
        // Everybody is given something new in one frame of fifty.
        let inputs: Vec<Vec<(usize, (f32, f32))>> = (0..FRAMES)
            .map(|_| {
                (0..INSTANCES)
                    .filter_map(|index| Some((index, INPUTS[random.below(150).checked_sub(147)?])))
                    .collect()
            })
            .collect();
        let mut play = |instances: &mut [Instance]| {
            for inputs in &inputs {
                for (index, (how_much, how_fast)) in inputs {
                    let instance = &mut instances[*index];
                    let set = instance
                        .set_number(magnitude, *how_much)
                        .and_then(|()| instance.set_number(speed, *how_fast));
                    set.unwrap_or_else(|error| panic!("{error}"));
                }
                for instance in instances.iter_mut() {
                    instance.tick(DT, &mut frame).unwrap_or_else(|error| panic!("{error}"));
                    black_box(frame.events());
                }
            }
        };
        lap(0, &mut || {
            for (instance, save) in instances.iter().zip(&mut saves) {
                save.clear();
                instance.save_into(save);
            }
        });
        lap(1, &mut || {
            copies.iter_mut().zip(&instances).for_each(|(copy, instance)| copy.clone_from(instance))
        });
        play(&mut instances);
        let mut hashes = Vec::with_capacity(INSTANCES);
        lap(2, &mut || hashes.extend(instances.iter().map(Instance::state_hash)));
        lap(3, &mut || {
            for (instance, save) in instances.iter_mut().zip(&saves) {
                instance.restore(save).unwrap_or_else(|error| panic!("{error}"));
            }
        });
        lap(4, &mut || play(&mut instances));
        assert!(instances.iter().map(Instance::state_hash).eq(hashes.iter().copied()), "it is what it was");
        lap(5, &mut || {
            instances.iter_mut().zip(&copies).for_each(|(instance, copy)| instance.clone_from(copy))
        });
        play(&mut instances);
        assert!(instances.iter().map(Instance::state_hash).eq(hashes.iter().copied()), "it is what it was");
    }
    let each = |slot: usize| times[slot].as_nanos() as f64 / (INSTANCES * ROUNDS) as f64;
    println!(
        "humanoid: {} bytes an instance, {} bytes a save\n",
        instances[0].size_of_state(),
        saves[0].len()
    );
    println!("{:<44} {:>10}", "", "ns an instance");
    let names = [
        "save into a buffer",
        "keep a copy",
        "hash",
        "restore a save",
        "tick 8 frames again",
        "go back to a copy",
    ];
    for (slot, name) in names.into_iter().enumerate() {
        println!("{name:<44} {:>10.1}", each(slot));
    }
    let all = |slots: [usize; 3]| slots.map(each).iter().sum::<f64>() * INSTANCES as f64 / 1e6;
    println!("\n{:<44} {:>10}", format!("{INSTANCES} instances back 8 frames and up again"), "ms");
    println!("{:<44} {:>10.2}", "with saves", all([0, 3, 4]));
    println!("{:<44} {:>10.2}", "with copies", all([1, 5, 4]));
}
