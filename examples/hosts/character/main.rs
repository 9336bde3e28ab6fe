//! A third-person character: the body that a game moves, the controls of a player and of a patrol, and the behavior
//! that animates both.
//!
//! `cargo run -p motix-examples --bin character`. The behavior sees nothing but its parameters: where they come from,
//! friction, acceleration, turning, is in [`body`], and who holds the stick in [`controls`].

use std::error::Error;
use std::io::{self, Write};

use motix_examples::compile;
use motix_vm::ids::StateId;
use motix_vm::program::{BoolParam, NumberParam, TriggerParam};
use motix_vm::{BehaviorRef, EventKind, Frame, Instance, Setup};

mod body;
mod controls;
mod map;

use body::Body;
use controls::{Controls, Intent, Patrol, Player};
use map::Map;

const DT: f32 = 1.0 / 60.0;
const SECONDS: u32 = 12;

fn main() -> Result<(), Box<dyn Error>> {
    let program = compile("examples/character.motix")?;
    let behavior = program.find("Character")?;
    let inputs = Inputs::of(behavior)?;
    let spawn = |seed| Instance::new(&program, behavior.id(), &Setup { seed, ..Setup::default() });

    let mut cast = [
        ("player", '#', Character::new(spawn(0)?, Body::at(0.0, 0.0), Player::demo())),
        ("patrol", 'o', Character::new(spawn(1)?, Body::at(10.0, 2.0), Patrol::square(10.0, 2.0, 6.0))),
    ];

    let mut out = io::stdout().lock();
    let mut frame = Frame::new();
    let mut map = Map::new();
    for number in 0..SECONDS * 60 {
        let time = number as f32 * DT;
        for (name, letter, character) in &mut cast {
            character.think(&inputs, time)?;
            character.instance.tick(DT, &mut frame)?;
            map.mark(character.body.x, character.body.z, *letter);
            for event in frame.events() {
                if let EventKind::Enter { state, .. } = event.kind {
                    writeln!(
                        out,
                        "{:6.3} s  {name}  enters {}",
                        time + event.offset,
                        behavior.state_path(state)
                    )?;
                }
            }
        }
        if number % 60 == 59 {
            for (name, _, character) in &cast {
                show(&mut out, behavior, name, character)?;
            }
        }
    }
    writeln!(out, "\nseen from above, the player's way as # and the patrol's as o:\n{map}")
        .map_err(Into::into)
}

/// The parameters that the game sets.
struct Inputs {
    speed: NumberParam,
    turn: NumberParam,
    grounded: BoolParam,
    rise: NumberParam,
    jump: TriggerParam,
    dance: TriggerParam,
    /// The state in which a character stays where it is.
    dancing: StateId,
}

impl Inputs {
    fn of(behavior: BehaviorRef<'_>) -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            speed: behavior.number("speed")?,
            turn: behavior.number("turn")?,
            grounded: behavior.boolean("grounded")?,
            rise: behavior.number("rise")?,
            jump: behavior.trigger("jump")?,
            dance: behavior.trigger("dance")?,
            dancing: behavior.state("OnGround.Dancing")?,
        })
    }
}

/// A character of the game: who steers it, its body, and the instance that animates it.
struct Character {
    controls: Box<dyn Controls>,
    body: Body,
    instance: Instance,
}

impl Character {
    fn new(instance: Instance, body: Body, controls: impl Controls + 'static) -> Self {
        Self { controls: Box::new(controls), body, instance }
    }

    /// Steers and moves the body, then tells the behavior what it needs to know.
    fn think(&mut self, inputs: &Inputs, time: f32) -> Result<(), Box<dyn Error>> {
        let mut intent = self.controls.intent(time, &self.body);
        if self.instance.is_in(inputs.dancing) {
            intent = Intent::default();
        }
        if intent.jump {
            self.body.jump();
            self.instance.fire(inputs.jump)?;
        }
        if intent.dance {
            self.instance.fire(inputs.dance)?;
        }
        self.body.advance(&intent, DT);
        self.instance.set_number(inputs.speed, self.body.speed)?;
        self.instance.set_number(inputs.turn, self.body.turn)?;
        self.instance.set_number(inputs.rise, self.body.rise)?;
        self.instance.set_bool(inputs.grounded, self.body.grounded())?;
        Ok(())
    }
}

/// What a renderer would take: where the body is, and each clip with its time and weight.
fn show(out: &mut dyn Write, behavior: BehaviorRef<'_>, name: &str, character: &Character) -> io::Result<()> {
    let Body { x, y, z, speed, .. } = character.body;
    write!(out, "          {name}  at ({x:.1}, {y:.1}, {z:.1}) m, {speed:.1} m/s: ")?;
    for sample in character.instance.samples() {
        let clip = behavior.clip(sample.component, sample.animation).map_or("", |clip| clip.name);
        write!(out, " {clip} {:.2} s x {:.2} ", sample.time, sample.weight)?;
    }
    writeln!(out)
}
