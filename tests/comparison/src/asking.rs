//! The hand-written machine with its predicates elsewhere: in a script that is asked for each instance.

use std::hint::black_box;

use crate::handwritten::{Command, Humanoid, State};
use crate::machines::Machines;

/// The conditions of the humanoid's transitions.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Predicate {
    Idle,
    Walking,
    Running,
}

/// Humanoids whose predicates `ask` answers, of a magnitude and a speed.
pub(crate) struct Asking<F> {
    all: Vec<Humanoid>,
    commands: Vec<Command>,
    ask: F,
}

impl<F: FnMut(Predicate, f32, f32) -> bool> Asking<F> {
    pub(crate) fn new(instances: usize, ask: F) -> Self {
        Self { all: vec![Humanoid::default(); instances], commands: Vec::new(), ask }
    }
}

impl<F: FnMut(Predicate, f32, f32) -> bool> Machines for Asking<F> {
    fn set(&mut self, index: usize, magnitude: f32, speed: f32) {
        (self.all[index].move_magnitude, self.all[index].walk_speed) = (magnitude, speed);
    }

    fn tick(&mut self, dt: f32) {
        for humanoid in &mut self.all {
            self.commands.clear();
            let mut ask = |predicate| (self.ask)(predicate, humanoid.move_magnitude, humanoid.walk_speed);
            // By priority, each only if those before it do not hold.
            let next = match humanoid.state {
                State::Idle if ask(Predicate::Running) => Some(State::Run),
                State::Idle if ask(Predicate::Walking) => Some(State::Walk),
                State::Walk if ask(Predicate::Running) => Some(State::Run),
                State::Walk if ask(Predicate::Idle) => Some(State::Idle),
                State::Run if ask(Predicate::Idle) => Some(State::Idle),
                State::Run if ask(Predicate::Walking) => Some(State::Walk),
                State::Jump if ask(Predicate::Idle) => Some(State::Idle),
                _ => None,
            };
            humanoid.step(next, dt, &mut self.commands);
            black_box(&self.commands);
        }
    }

    fn samples(&mut self) -> bool {
        false
    }

    fn state(&mut self, index: usize) -> u8 {
        self.all[index].state as u8
    }

    fn weight(&mut self, index: usize, clip: u8) -> f32 {
        self.all[index].weight(usize::from(clip))
    }
}
