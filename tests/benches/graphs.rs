//! What a tick costs where it moves and where it rests: a button in two layers, a blend of nine points, a machine of
//! thirty states in states; whether it grows with what is not active; what an instance weighs, and what saving it costs.
//!
//! `cargo bench -p motix-tests --bench graphs` prints a table. Before it measures, it checks that what is to rest is
//! settled and that what is to move is not.

#![allow(clippy::print_stdout)] // the table is the product

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use motix_tests::bench::{given, instance, program};
use motix_vm::{Frame, Instance};

const INSTANCES: usize = 10_000;
const FRAMES: u32 = 60;
const DT: f32 = 1.0 / 60.0;

/// Hover and press in a layer each; it moves while it glows.
const BUTTON: &str = "Behavior Graph {
    Param go: bool
    Param pressed: bool
    Animation Idle { Duration 0.1s }
    Animation Glow { Looped Duration 1s }
    Animation Down { Duration 0.1s }
    InitialState Rest
    State Rest { Clip Idle  Transition Hover when go { Duration 0.1s } }
    State Hover { Clip Glow  Transition Rest when not go { Duration 0.1s } }
    Layer Press {
        Order 1
        InitialState Up
        State Up { Transition Pushed when pressed { Duration 0.05s } }
        State Pushed { Clip Down  Transition Up when not pressed { Duration 0.05s } }
    }
}";

/// Nine points in the plane; it moves while the clips do.
fn blend() -> String {
    let mut text =
        String::from("Behavior Graph { Param pace: number  Param x: number = 0.3  Param y: number = -0.2\n");
    let mut points = String::new();
    for place in 0..9 {
        let _ = writeln!(text, "Animation C{place} {{ Looped Duration {}s }}", 1.0 + f64::from(place) * 0.1);
        let _ = writeln!(points, "({}, {}): C{place}", place % 3 - 1, place / 3 - 1);
    }
    text + "InitialState Move\nState Move { Blend2D x, y {\n" + &points + "Speed pace } } }"
}

/// Thirty states, five in each of six; it moves while it plays.
fn composite() -> String {
    let mut text = String::from(
        "Behavior Graph { Param go: bool  Animation Walk { Looped Duration 1s }\nInitialState S0\n",
    );
    for outer in 0..6 {
        let _ = writeln!(text, "State S{outer} {{ InitialState I{outer}_0");
        for inner in 0..4 {
            let _ = writeln!(text, "State I{outer}_{inner} {{");
            let next = (inner + 1) % 4;
            if inner == 1 {
                let _ = writeln!(text, "Clip Walk  Transition I{outer}_0 when not go {{ Duration 0.1s }}");
            } else {
                let _ = writeln!(text, "Transition I{outer}_{next} when go {{ Duration 0.1s }}");
            }
            text.push_str("}\n");
        }
        let _ = writeln!(text, "Transition S{} when not go and go }}", (outer + 1) % 6);
    }
    text + "}"
}

/// Nanoseconds a tick of an instance that moves, or rests.
fn measure(source: &str, go: bool) -> f64 {
    let program = program(source);
    let mut frame = Frame::new();
    let mut one = instance(&program, given(program.find("Graph")));
    let pace = if go { 1.0 } else { 0.0 };
    given(one.set("go", go).or_else(|_| one.set("pace", pace)));
    for _ in 0..120 {
        given(one.tick(DT, &mut frame));
    }
    assert_eq!(one.is_settled(), !go, "{source}");
    let mut all: Vec<Instance> = vec![one; INSTANCES];
    let mut best = f64::INFINITY;
    for _ in 0..FRAMES {
        let start = Instant::now();
        for instance in &mut all {
            if instance.tick(DT, &mut frame).is_ok() {
                black_box(frame.events());
            }
        }
        best = best.min(start.elapsed().as_nanos() as f64 / INSTANCES as f64);
    }
    best
}

/// So many states, of which two are gone to and fro between, or animations, of which one plays.
fn many(states: usize, animations: usize) -> String {
    let mut text = String::from("Behavior Graph { Param x: number\nInitialState S0\n");
    for index in 0..animations {
        let _ = writeln!(text, "Animation A{index} {{ Looped Duration 1s FadeIn 0 FadeOut 0 }}");
    }
    let _ = writeln!(text, "State S0 {{ OnEntry {{ Play A{} }} Transition S1 when x > 5 }}", animations - 1);
    text.push_str("State S1 { Transition S0 when x <= 5 }\n");
    for index in 2..states {
        let _ = writeln!(text, "State S{index} {{ Transition S{} when x > 5 }}", index - 1);
    }
    text + "}"
}

/// Ten states in each of three layers, each with a clip, with crossfades between them or cuts.
fn three_layers(fade: &str) -> String {
    let mut text = String::from("Behavior Graph { Param go: bool  Animation Walk { Looped Duration 1s }\n");
    for layer in 0..3 {
        let _ = writeln!(text, "Layer L{layer} {{ Order {layer} InitialState S{layer}_0");
        for state in 0..10 {
            let next = (state + 1) % 10;
            let _ = writeln!(
                text,
                "State S{layer}_{state} {{ Clip Walk  Transition S{layer}_{next} when go {fade} }}"
            );
        }
        text.push_str("}\n");
    }
    text + "}"
}

/// The best frame of many instances, in nanoseconds an instance; `each` does what is measured.
fn best_of(all: &mut [Instance], mut each: impl FnMut(&mut Instance, u32)) -> f64 {
    (0..FRAMES).fold(f64::INFINITY, |best, frame| {
        let start = Instant::now();
        all.iter_mut().for_each(|instance| each(instance, frame));
        best.min(start.elapsed().as_nanos() as f64 / all.len() as f64)
    })
}

fn instances(source: &str, count: usize) -> Vec<Instance> {
    let program = program(source);
    vec![instance(&program, given(program.find("Graph"))); count]
}

/// What a tick costs in which nothing is due, in which a condition is to be asked anew, and in which the state changes.
fn growth(source: &str) -> [f64; 3] {
    let mut all = instances(source, INSTANCES / 100);
    let mut frame = Frame::new();
    let program = all.first().map(|one| one.program().clone()).unwrap_or_else(|| panic!("no instances"));
    let x = given(given(program.find("Graph")).number("x"));
    let tick = |instance: &mut Instance, frame: &mut Frame| {
        if instance.tick(DT, frame).is_ok() {
            black_box(frame.events());
        }
    };
    let mut with = |all: &mut [Instance], value: &dyn Fn(u32) -> f32| {
        best_of(all, |instance, number| {
            given(instance.set_number(x, value(number)));
            tick(instance, &mut frame);
        })
    };
    let quiet = with(&mut all, &|_| 0.0);
    let asked = with(&mut all, &|frame| frame as f32 / 100.0);
    [quiet, asked, with(&mut all, &|frame| (frame % 2) as f32 * 10.0)]
}

fn main() {
    println!("{:<28}{:>10}{:>10}{:>10}", "ns a tick, the best frame", "moving", "settled", "share");
    for (name, source) in [
        ("button in two layers", BUTTON.to_owned()),
        ("blend of 9 points", blend()),
        ("30 states", composite()),
    ] {
        let (moving, settled) = (measure(&source, true), measure(&source, false));
        println!("{name:<28}{moving:>10.1}{settled:>10.1}{:>9.0}%", settled / moving * 100.0);
    }

    println!("\n{:<28}{:>10}{:>10}{:>10}", "ns a tick, the best frame", "quiet", "asked", "changing");
    for (name, states, animations) in [
        ("10 states", 10, 1),
        ("10,000 states", 10_000, 1),
        ("10 animations", 2, 10),
        ("10,000 animations", 2, 10_000),
    ] {
        let [quiet, asked, changing] = growth(&many(states, animations));
        println!("{name:<28}{quiet:>10.1}{asked:>10.1}{changing:>10.1}");
    }
    println!();
    for (name, fade) in [("cuts", ""), ("crossfades", "{ Duration 0.2s }")] {
        let mut all = instances(&three_layers(fade), INSTANCES);
        let mut bytes = Vec::new();
        let save = best_of(&mut all, |instance, _| {
            bytes.clear();
            instance.save_into(&mut bytes);
            black_box(&bytes);
        });
        let size = all.first().map_or(0, Instance::size_of_state);
        println!("30 states in 3 layers, {name}: {size} bytes, saved in {save:.1} ns");
    }
}
