//! What grows with what: the tick with the number of states and of instances, loading with the bytes of a file, memory
//! and saves with the behavior.
//!
//! `cargo bench -p motix-tests --bench scale` prints tables. What is told in pairs is to be the same in both.

#![allow(clippy::print_stdout)] // the tables are the product

mod workload;

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant as Clock;

use motix_tests::bench::{best, given, instance, program};
use motix_tests::generate;
use motix_vm::program::EncodeOptions;
use motix_vm::{Frame, Instance, Program};
use workload::{DT, WARM_UP, inputs};

const FRAMES: usize = 60;

fn main() {
    states();
    instances();
    loading();
    memory_and_saves();
}

/// A ring of so many states; `go` turned over leads each instance one state on.
fn ring(states: usize) -> String {
    let mut text = String::from("Behavior Ring { Param go: bool\nInitialState S0\n");
    for state in 0..states {
        let (next, back) = ((state + 1) % states, (state + states - 1) % states);
        let on = if state % 2 == 0 { "go" } else { "not go" };
        let _ = writeln!(
            text,
            "State S{state} {{ Transition S{next} when {on} {{ Duration 0.1s }}\nTransition S{back} when go and not go }}"
        );
    }
    text + "}"
}

fn states() {
    println!(
        "| ns an instance, of 10,000 | nothing changes | a state further in each frame |\n|---|---|---|"
    );
    for states in [10, 10_000] {
        let program = program(&ring(states));
        let behavior = given(program.find("Ring"));
        let go = given(behavior.boolean("go"));
        let mut all = vec![instance(&program, behavior); 10_000];
        let still = tick(&mut all, |_, _| {});
        let moving = tick(&mut all, |frame, all| {
            for instance in all {
                given(instance.set_bool(go, frame % 2 == 0));
            }
        });
        let last = all.first().and_then(|one| one.state(behavior.main_machine().unwrap_or_default()));
        assert_eq!(last.map(|state| behavior.state_name(state)), Some(&*format!("S{}", FRAMES % states)));
        println!("| {states} states | {still:.1} | {moving:.1} |");
    }
    println!();
}

/// The nanoseconds a tick of an instance: the median frame.
fn tick(all: &mut [Instance], mut host: impl FnMut(usize, &mut [Instance])) -> f64 {
    let mut frame = Frame::new();
    let mut times: Vec<u128> = (0..FRAMES)
        .map(|number| {
            host(number, all);
            let start = Clock::now();
            for instance in &mut *all {
                given(instance.tick(DT, &mut frame));
                black_box(frame.events());
            }
            start.elapsed().as_nanos()
        })
        .collect();
    times.sort_unstable();
    times[FRAMES / 2] as f64 / all.len() as f64
}

fn humanoid() -> Arc<Program> {
    program(&motix_tests::read("tests/benches/humanoid.motix"))
}

fn instances() {
    println!("| humanoids, 2 % changing | ns an instance |\n|---|---|");
    let program = humanoid();
    let behavior = given(program.find("Humanoid"));
    let (magnitude, speed) = (given(behavior.number("moveMagnitude")), given(behavior.number("walkSpeed")));
    for count in [100_000, 1_000_000] {
        let mut all: Vec<Instance> = (0..count).map(|_| instance(&program, behavior)).collect();
        let time = tick(&mut all, |frame, all| {
            for (index, (m, s)) in inputs(WARM_UP + frame, count) {
                given(all[index].set_number(magnitude, m).and_then(|()| all[index].set_number(speed, s)));
            }
        });
        println!("| {count} | {time:.1} |");
    }
    println!();
}

fn loading() {
    println!("| loading: decoded and verified | bytes | ms | ns a byte |\n|---|---|---|---|");
    for (lines, runs) in [(1_000, 50), (10_000, 20), (100_000, 5)] {
        let bytes = program(&generate::source(lines)).encode(EncodeOptions { strip: true });
        let time = best(runs, || (), |()| given(Program::load(&bytes)));
        let each = time / bytes.len() as f64;
        println!("| of {lines} lines | {} | {:.2} | {each:.1} |", bytes.len(), time / 1e6);
    }
    println!();
}

/// Ten states in each of three layers, with a clip each and crossfades.
fn layers() -> String {
    let mut text = String::from("Behavior Layers { Param go: bool\n");
    for layer in 0..3 {
        let _ = writeln!(text, "Layer L{layer} {{ Order {layer}\nInitialState S{layer}_0");
        for state in 0..10 {
            let (next, on) = ((state + 1) % 10, if state % 2 == 0 { "go" } else { "not go" });
            let _ = writeln!(
                text,
                "State S{layer}_{state} {{ Clip C{layer}_{state}\nTransition S{layer}_{next} when {on} {{ Duration 0.2s }} }}"
            );
        }
        text.push_str("}\n");
        for state in 0..10 {
            let _ = writeln!(text, "Animation C{layer}_{state} {{ Looped Duration 1s }}");
        }
    }
    text + "}"
}

fn memory_and_saves() {
    const SAVES: usize = 1_000;
    println!(
        "| an instance | bytes of state | bytes of a save | ns to save | ns to restore |\n|---|---|---|---|---|"
    );
    let thirty = program(&layers());
    for (what, program, name) in
        [("humanoid", humanoid(), "Humanoid"), ("30 states in 3 layers", thirty, "Layers")]
    {
        let behavior = given(program.find(name));
        let mut one = instance(&program, behavior);
        let mut frame = Frame::new();
        given(one.set("go", true).or_else(|_| one.set("moveMagnitude", 1.0)));
        // In the middle of a fade there is the most to keep.
        (0..5).for_each(|_| given(one.tick(DT, &mut frame)));
        let save = one.save();
        let mut bytes = Vec::with_capacity(save.len());
        let saving = best(
            20,
            || (),
            |()| {
                for _ in 0..SAVES {
                    bytes.clear();
                    one.save_into(black_box(&mut bytes));
                }
            },
        );
        assert_eq!(bytes, save);
        let restoring = best(
            20,
            || (),
            |()| {
                for _ in 0..SAVES {
                    given(one.restore(black_box(&save)));
                }
            },
        );
        assert_eq!(one.save(), save);
        println!(
            "| {what} | {} | {} | {:.0} | {:.0} |",
            one.size_of_state(),
            save.len(),
            saving / SAVES as f64,
            restoring / SAVES as f64
        );
    }
}
