//! A crowd: five thousand heroes cross a square, each at a pace of its own, and are ticked together.
//!
//! `cargo run -p motix-examples --bin crowd`. Every hero is a member of one [`Crowd`]: what the game knows of it is set
//! through a handle, and one tick moves all. The members that the host does not touch cost next to nothing.

use std::error::Error;
use std::io::{self, Write};

use motix_examples::compile;
use motix_vm::{Crowd, CrowdFrame, EventKind, Setup};

const BEHAVIOR: &str = "examples/humanoid.motix";
const HEROES: usize = 5000;
const SECONDS: u32 = 4;
const DT: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let program = compile(BEHAVIOR)?;
    let behavior = program.find("Hero")?;
    // Names are looked up once; from here on there are only numbers.
    let (speed, wave) = (behavior.number("speed")?, behavior.trigger("wave")?);
    let machine = behavior.main_machine().ok_or("a hero has states")?;

    let mut crowd = Crowd::new(&program, behavior.id())?;
    crowd.reserve(HEROES);
    for seed in 0..HEROES as u64 {
        crowd.push(&Setup { seed, ..Setup::default() })?;
    }

    let mut out = io::stdout().lock();
    let mut frame = CrowdFrame::new();
    let mut dice = Dice(1);
    for second in 0..SECONDS {
        let (mut entered, mut steps) = (0, 0);
        for _ in 0..60 {
            // What the game would know: each frame a few change their minds, and one waves.
            for _ in 0..HEROES / 100 {
                let wanted = [0.0, 1.5, 5.0][dice.below(3)];
                hero(&mut crowd, dice.below(HEROES))?.set_number(speed, wanted)?;
            }
            hero(&mut crowd, dice.below(HEROES))?.fire(wave)?;

            crowd.tick(DT, &mut frame)?;

            for (_, event) in frame.events() {
                match event.kind {
                    EventKind::Enter { .. } => entered += 1,
                    EventKind::Marker { .. } => steps += event.count,
                    _ => {}
                }
            }
        }
        writeln!(out, "{} s: {entered} states entered, {steps} markers passed", second + 1)?;
    }

    // Who does what, and what a renderer would draw.
    let mut states: Vec<(&str, usize)> = Vec::new();
    for member in crowd.members() {
        let name = member.state(machine).map_or("", |state| behavior.state_name(state));
        match states.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => states.push((name, 1)),
        }
    }
    states.sort_unstable();
    for (name, count) in states {
        writeln!(out, "{count:>6} in {name}")?;
    }
    let (mut clips, mut weight) = (0, 0.0);
    crowd.for_each_sample(|_, sample| {
        clips += 1;
        weight += f64::from(sample.weight);
    });
    writeln!(out, "{clips} clips to show, which weigh {weight:.1} together")?;
    Ok(())
}

fn hero(crowd: &mut Crowd, place: usize) -> Result<motix_vm::MemberMut<'_>, &'static str> {
    crowd.member_mut(place).ok_or("there is no such hero")
}

/// Numbers that are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}
