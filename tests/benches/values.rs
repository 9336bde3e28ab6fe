//! What reading values costs: many panels of an interface whose values tracks animate, some of them in crossfades.
//!
//! `cargo bench -p motix-tests --bench values` prints a table. Before it measures, it checks that both ways to read
//! give the same.

#![allow(clippy::print_stdout)] // the table is the product

use std::hint::black_box;

use motix_tests::bench::{Laps, given, instance, program};
use motix_tests::random::Random;
use motix_vm::{Frame, Instance, Values};

const INSTANCES: usize = 10_000;
const FRAMES: usize = 120;
const WARM_UP: usize = 20;
const DT: f32 = 1.0 / 60.0;

fn main() {
    let program = program(&motix_tests::read("examples/panel.motix"));
    let panel = given(program.find("Panel"));
    let (open, hovered) = (given(panel.boolean("open")), given(panel.boolean("hovered")));
    let mut instances: Vec<Instance> = (0..INSTANCES).map(|_| instance(&program, panel)).collect();
    let ids: Vec<_> = panel.properties().map(|row| row.id).collect();
    let (mut frame, mut values) = (Frame::new(), Values::new());
    let mut random = Random::new(1);
    let mut laps = Laps::<4>::default();
    for number in 0..FRAMES {
        for instance in &mut instances {
            if random.below(50) == 0 {
                let inputs = [(open, random.below(2) == 1), (hovered, random.below(2) == 1)];
                assert!(inputs.into_iter().all(|(param, on)| instance.set_bool(param, on).is_ok()));
            }
        }
        laps.counts = number >= WARM_UP;
        laps.lap(0, || {
            for instance in &mut instances {
                if instance.tick(DT, &mut frame).is_ok() {
                    black_box(frame.events());
                }
            }
        });
        laps.lap(1, || {
            for instance in &instances {
                instance.samples().for_each(|sample| {
                    black_box(sample);
                });
            }
        });
        laps.lap(2, || {
            for instance in &instances {
                instance.read_values(&mut values);
                black_box(values.iter().count());
            }
        });
        laps.lap(3, || {
            for instance in &instances {
                for id in &ids {
                    black_box(instance.property(*id));
                }
            }
        });
        let Some(instance) = instances.get(number) else { continue };
        instance.read_values(&mut values);
        assert!(values.iter().all(|(id, value)| instance.property(id) == value));
    }
    println!("{} properties; ns an instance", ids.len());
    let parts = ["tick", "samples", "all values at once", "all values one by one"];
    for (part, name) in parts.iter().enumerate() {
        println!("{name:<24} {:>8.1}", laps.each(part, INSTANCES * (FRAMES - WARM_UP)));
    }
}
