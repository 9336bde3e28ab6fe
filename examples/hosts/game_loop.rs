//! A game loop that embeds Motix: a crowd of heroes walks, runs and jumps; each frame the loop sets parameters, ticks,
//! and reads which clips play at which time with which weight.
//!
//! `cargo run -p motix-examples --bin game-loop`. A game would compile `humanoid.motix` once, with
//! `motixc build examples/humanoid.motix`, and ship the bytes; this one compiles at start, so that there is one command.

use std::error::Error;
use std::io::{self, Write};

use motix_examples::compile;
use motix_vm::program::{BoolParam, NumberParam, TriggerParam};
use motix_vm::{BehaviorRef, EventKind, Frame, Instance, Program, Setup};

const BEHAVIOR: &str = "examples/humanoid.motix";
const DT: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let program = compile(BEHAVIOR)?;
    let behavior = program.find("Hero")?;
    // Names are looked up once; from here on there are only numbers.
    let inputs = Inputs::of(behavior)?;

    let mut heroes = Vec::new();
    for seed in 0..3 {
        heroes.push(Hero::new(
            Instance::new(&program, behavior.id(), &Setup { seed, ..Setup::default() })?,
            seed,
        ));
    }

    let mut out = io::stdout().lock();
    // One frame serves every hero: it holds the events of the last tick.
    let mut frame = Frame::new();
    for number in 0..180_u32 {
        let time = number as f32 * DT;
        for (index, hero) in heroes.iter_mut().enumerate() {
            hero.think(&inputs, time)?;
            hero.instance.tick(DT, &mut frame)?;
            for event in frame.events() {
                if let Some(text) = describe(&program, behavior, event.kind) {
                    writeln!(out, "{:6.3} s  hero {index}  {text}", time + event.offset)?;
                }
            }
        }
        if number % 60 == 59 {
            show(&mut out, behavior, &heroes)?;
        }
    }
    Ok(())
}

/// The parameters that the game sets.
struct Inputs {
    speed: NumberParam,
    grounded: BoolParam,
    jump: TriggerParam,
    wave: TriggerParam,
}

impl Inputs {
    fn of(behavior: BehaviorRef<'_>) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            speed: behavior.number("speed")?,
            grounded: behavior.boolean("grounded")?,
            jump: behavior.trigger("jump")?,
            wave: behavior.trigger("wave")?,
        })
    }
}

/// A character of the game: some movement of its own, and an instance that animates it.
struct Hero {
    instance: Instance,
    delay: f32,
    speed: f32,
    height: f32,
    rise: f32,
}

impl Hero {
    fn new(instance: Instance, number: u64) -> Self {
        Self { instance, delay: number as f32 * 0.25, speed: 0.0, height: 0.0, rise: 0.0 }
    }

    /// The game's own logic. The behavior sees nothing of it but its parameters.
    fn think(&mut self, inputs: &Inputs, time: f32) -> Result<(), Box<dyn Error>> {
        let time = time - self.delay;
        let wanted = match time {
            ..0.3 => 0.0,
            0.3..1.0 => 1.5,
            1.0..2.0 => 5.0,
            _ => 0.0,
        };
        self.speed += (wanted - self.speed).clamp(-8.0 * DT, 8.0 * DT);
        if due(time, 0.1) {
            self.instance.fire(inputs.wave)?;
        }
        if due(time, 1.5) {
            self.instance.fire(inputs.jump)?;
            self.rise = 2.4;
        }
        self.rise -= 9.81 * DT;
        self.height = (self.height + self.rise * DT).max(0.0);
        self.instance.set_number(inputs.speed, self.speed)?;
        self.instance.set_bool(inputs.grounded, self.height == 0.0)?;
        Ok(())
    }
}

fn due(time: f32, at: f32) -> bool {
    (at..at + DT).contains(&time)
}

fn describe(program: &Program, behavior: BehaviorRef<'_>, kind: EventKind) -> Option<String> {
    Some(match kind {
        EventKind::Enter { state, .. } => format!("enters {}", behavior.state_name(state)),
        EventKind::Marker { animation, marker } => {
            format!("{} passes {}", behavior.animation_name(animation), behavior.marker_name(marker))
        }
        EventKind::Audio { asset } => format!("sound {}", program.text(asset)),
        EventKind::Emit { emit } => format!("reports {}", behavior.emit_name(emit)),
        _ => return None,
    })
}

/// What a renderer would take: each clip with its time and its weight, layer by layer.
fn show(out: &mut dyn Write, behavior: BehaviorRef<'_>, heroes: &[Hero]) -> io::Result<()> {
    for (index, hero) in heroes.iter().enumerate() {
        write!(out, "          hero {index} ")?;
        for sample in hero.instance.samples() {
            let name = behavior.clip(sample.component, sample.animation).map_or("", |clip| clip.name);
            let weight = sample.weight * hero.instance.layer_weight(sample.layer);
            write!(out, "  {name} {:.2} s x {weight:.2}", sample.time)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
