//! What reading values costs: many panels of an interface whose values tracks animate, some of them in crossfades.
//!
//! `cargo bench -p motix-tests --bench values` prints a table. Before it measures, it checks that both ways to read
//! give the same.

#![allow(clippy::print_stdout)] // the table is the product

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use motix_compiler::pipeline::{Options, compile};
use motix_compiler::source::{Loader, ReadError};
use motix_tests::random::Random;
use motix_vm::{Frame, Instance, Program, Setup, Values};

const INSTANCES: usize = 10_000;
const FRAMES: usize = 120;
const WARM_UP: usize = 20;
const DT: f32 = 1.0 / 60.0;

struct Text(String);

impl Loader for Text {
    fn load(&self, path: &str, _: &str) -> Result<(String, Vec<u8>), ReadError> {
        Ok((path.to_owned(), self.0.clone().into_bytes()))
    }
}

fn program() -> Arc<Program> {
    let text = Text(motix_tests::read("examples/panel.motix"));
    let compiled = compile("panel.motix", &text, Options::default());
    let program = compiled.ok().and_then(|compiled| compiled.program);
    program.unwrap_or_else(|| panic!("examples/panel.motix does not compile"))
}

fn main() {
    let program = program();
    let Ok(panel) = program.find("Panel") else { panic!("no Panel") };
    let flag = |name| panel.boolean(name).unwrap_or_else(|error| panic!("{error}"));
    let (open, hovered) = (flag("open"), flag("hovered"));
    let new =
        || Instance::new(&program, panel.id(), &Setup::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut instances: Vec<Instance> = (0..INSTANCES).map(|_| new()).collect();
    let ids: Vec<_> = panel.properties().map(|row| row.id).collect();
    let (mut frame, mut values) = (Frame::new(), Values::new());
    let mut random = Random::new(1);
    let mut times = [Duration::ZERO; 4];
    for number in 0..FRAMES {
        for instance in &mut instances {
            if random.below(50) == 0 {
                let inputs = [(open, random.below(2) == 1), (hovered, random.below(2) == 1)];
                assert!(inputs.into_iter().all(|(param, on)| instance.set_bool(param, on).is_ok()));
            }
        }
        let mut lap = |slot: usize, work: &mut dyn FnMut()| {
            let start = Instant::now();
            work();
            if number >= WARM_UP {
                times[slot] += start.elapsed();
            }
        };
        lap(0, &mut || {
            for instance in &mut instances {
                if instance.tick(DT, &mut frame).is_ok() {
                    black_box(frame.events());
                }
            }
        });
        lap(1, &mut || {
            for instance in &instances {
                instance.samples().for_each(|sample| {
                    black_box(sample);
                });
            }
        });
        lap(2, &mut || {
            for instance in &instances {
                instance.read_values(&mut values);
                black_box(values.iter().count());
            }
        });
        lap(3, &mut || {
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
    let each = |time: Duration| time.as_nanos() as f64 / (INSTANCES * (FRAMES - WARM_UP)) as f64;
    println!("{} properties; ns an instance", ids.len());
    for (name, time) in ["tick", "samples", "all values at once", "all values one by one"].iter().zip(times) {
        println!("{name:<24} {:>8.1}", each(time));
    }
}
