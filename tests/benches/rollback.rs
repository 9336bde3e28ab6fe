//! What rolling back costs: 1,000 humanoids go back eight frames and are ticked up to the present again.
//!
//! `cargo bench -p motix-tests --bench rollback` prints a table. In each round it checks, by hashes, that what was
//! ticked again is what it was.

#![allow(clippy::print_stdout)] // the table is the product

mod workload;

use std::hint::black_box;

use motix_tests::bench::{Laps, given, instance, program};
use motix_vm::{Frame, Instance};
use workload::{DT, inputs};

const INSTANCES: usize = 1_000;
const FRAMES: usize = 8;
const ROUNDS: usize = 60;

fn main() {
    let program = program(&motix_tests::read("tests/benches/humanoid.motix"));
    let behavior = given(program.find("Humanoid"));
    let (magnitude, speed) = (given(behavior.number("moveMagnitude")), given(behavior.number("walkSpeed")));
    let mut instances = vec![instance(&program, behavior); INSTANCES];
    let mut copies = instances.clone();
    let mut saves: Vec<Vec<u8>> = instances.iter().map(Instance::save).collect();
    let mut frame = Frame::new();
    let mut laps = Laps::<6>::default();
    laps.counts = true;
    for round in 0..ROUNDS {
        let told: Vec<_> = (0..FRAMES).map(|frame| inputs(round * FRAMES + frame, INSTANCES)).collect();
        let mut play = |instances: &mut [Instance]| {
            for inputs in &told {
                for (index, (how_much, how_fast)) in inputs {
                    given(instances[*index].set_number(magnitude, *how_much));
                    given(instances[*index].set_number(speed, *how_fast));
                }
                for instance in instances.iter_mut() {
                    given(instance.tick(DT, &mut frame));
                    black_box(frame.events());
                }
            }
        };
        laps.lap(0, || {
            for (instance, save) in instances.iter().zip(&mut saves) {
                save.clear();
                instance.save_into(save);
            }
        });
        laps.lap(1, || {
            copies.iter_mut().zip(&instances).for_each(|(copy, instance)| copy.clone_from(instance))
        });
        play(&mut instances);
        let mut hashes = Vec::with_capacity(INSTANCES);
        laps.lap(2, || hashes.extend(instances.iter().map(Instance::state_hash)));
        laps.lap(3, || {
            for (instance, save) in instances.iter_mut().zip(&saves) {
                given(instance.restore(save));
            }
        });
        laps.lap(4, || play(&mut instances));
        assert!(instances.iter().map(Instance::state_hash).eq(hashes.iter().copied()), "it is what it was");
        laps.lap(5, || {
            instances.iter_mut().zip(&copies).for_each(|(instance, copy)| instance.clone_from(copy))
        });
        play(&mut instances);
        assert!(instances.iter().map(Instance::state_hash).eq(hashes.iter().copied()), "it is what it was");
    }
    let each = |part: usize| laps.each(part, INSTANCES * ROUNDS);
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
