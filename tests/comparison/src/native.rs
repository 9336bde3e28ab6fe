//! The rows in Rust: the humanoid by hand, by hand and looked at only on change, and in Motix one by one and as a crowd.

use std::hint::black_box;
use std::sync::Arc;

use motix_tests::bench::{given, instance, program};
use motix_vm::ids::{AnimationId, MachineId};
use motix_vm::program::NumberParam;
use motix_vm::{Crowd, CrowdFrame, Frame, Instance, Program, Setup};

use crate::handwritten::{Command, Humanoid, State};
use crate::machines::Machines;

/// `tests/benches/handwritten.rs`.
pub(crate) struct ByHand {
    all: Vec<Humanoid>,
    commands: Vec<Command>,
}

impl ByHand {
    pub(crate) fn new(instances: usize) -> Self {
        Self { all: vec![Humanoid::default(); instances], commands: Vec::new() }
    }
}

impl Machines for ByHand {
    fn set(&mut self, index: usize, magnitude: f32, speed: f32) {
        (self.all[index].move_magnitude, self.all[index].walk_speed) = (magnitude, speed);
    }

    fn tick(&mut self, dt: f32) {
        for humanoid in &mut self.all {
            self.commands.clear();
            humanoid.tick(dt, &mut self.commands);
            black_box(&self.commands);
        }
    }

    fn samples(&mut self) -> bool {
        for humanoid in &self.all {
            let mut shown = humanoid.shown();
            while shown != 0 {
                let clip = shown.trailing_zeros() as usize % 4;
                shown &= shown - 1;
                if humanoid.weight(clip) > 0.0 {
                    black_box((clip, humanoid.weight(clip), humanoid.time(clip)));
                }
            }
        }
        true
    }

    fn state(&mut self, index: usize) -> u8 {
        self.all[index].state as u8
    }

    fn weight(&mut self, index: usize, clip: u8) -> f32 {
        self.all[index].weight(usize::from(clip))
    }
}

/// What an engineer gets who touches a character only when its player does something, and works weights and times
/// out where they are read. The humanoid allows it: nothing it decides depends on time.
pub(crate) struct OnChange {
    all: Vec<Character>,
    changed: Vec<usize>,
    commands: Vec<Command>,
    now: f32,
}

#[derive(Clone, Debug)]
struct Character {
    magnitude: f32,
    speed: f32,
    state: State,
    clips: [Clip; 4],
}

/// A clip as it was when its fade began.
#[derive(Clone, Copy, Debug, Default)]
struct Clip {
    since: f32,
    weight: f32,
    slope: f32,
    start: f32,
    playing: bool,
}

const DURATION: [f32; 3] = [2.0, 1.0, 0.7];
const FADE_IN: [f32; 3] = [0.2, 0.15, 0.1];
const FADE_OUT: [f32; 3] = [0.2, 0.15, 0.1];
const NEAR: f32 = 1e-4;

impl Clip {
    fn weight(&self, now: f32) -> f32 {
        let weight = self.weight + self.slope * (now - self.since);
        match weight {
            _ if weight < NEAR => 0.0,
            _ if weight > 1.0 - NEAR => 1.0,
            _ => weight,
        }
    }
}

impl OnChange {
    pub(crate) fn new(instances: usize) -> Self {
        let one = Character { magnitude: 0.0, speed: 16.0, state: State::Idle, clips: [Clip::default(); 4] };
        Self { all: vec![one; instances], changed: Vec::new(), commands: Vec::new(), now: 0.0 }
    }
}

impl Machines for OnChange {
    fn set(&mut self, index: usize, magnitude: f32, speed: f32) {
        (self.all[index].magnitude, self.all[index].speed) = (magnitude, speed);
        self.changed.push(index);
    }

    fn tick(&mut self, dt: f32) {
        let now = self.now;
        for index in self.changed.drain(..) {
            self.commands.clear();
            let character = &mut self.all[index];
            let next = match (character.magnitude, character.speed) {
                (magnitude, _) if magnitude <= 0.1 => State::Idle,
                (_, speed) if speed >= 18.0 => State::Run,
                _ => State::Walk,
            };
            let from = character.state;
            if next == from {
                continue;
            }
            character.state = next;
            self.commands.push(Command::Exit(from));
            let clip = &mut character.clips[from as usize];
            if clip.playing {
                (clip.weight, clip.since, clip.playing) = (clip.weight(now), now, false);
                clip.slope = -clip.weight / FADE_OUT[from as usize];
                self.commands.push(Command::Stop(from));
            }
            self.commands.push(Command::Enter(next));
            let clip = &mut character.clips[next as usize];
            if !clip.playing {
                (clip.weight, clip.since, clip.playing) = (clip.weight(now), now, true);
                if clip.weight == 0.0 {
                    clip.start = now;
                }
                clip.slope = (1.0 - clip.weight) / FADE_IN[next as usize];
                self.commands.push(Command::Play(next));
            }
            black_box(&self.commands);
        }
        self.now += dt;
    }

    fn samples(&mut self) -> bool {
        for character in &self.all {
            for (place, clip) in character.clips[..3].iter().enumerate() {
                let weight = clip.weight(self.now);
                if weight > 0.0 {
                    black_box((place, weight, (self.now - clip.start) % DURATION[place]));
                }
            }
        }
        true
    }

    fn state(&mut self, index: usize) -> u8 {
        self.all[index].state as u8
    }

    fn weight(&mut self, index: usize, clip: u8) -> f32 {
        self.all[index].clips[usize::from(clip)].weight(self.now)
    }
}

/// The humanoid's program, and what a host looks up in it once.
struct Humanoids {
    program: Arc<Program>,
    magnitude: NumberParam,
    speed: NumberParam,
    machine: MachineId,
    clips: [AnimationId; 4],
    /// The states' positions in the order of the rows by hand.
    states: Vec<u8>,
}

impl Humanoids {
    fn new() -> Self {
        let program = program(&motix_tests::read("tests/benches/humanoid.motix"));
        let behavior = given(program.find("Humanoid"));
        let names = ["Idle", "Walk", "Run", "Jump"];
        let mut states = vec![0; names.len()];
        for (place, name) in names.iter().enumerate() {
            states[usize::from(given(behavior.state(name)).0)] = place as u8;
        }
        Self {
            magnitude: given(behavior.number("moveMagnitude")),
            speed: given(behavior.number("walkSpeed")),
            machine: behavior.main_machine().unwrap_or_default(),
            clips: names.map(|name| given(behavior.animation(name))),
            states,
            program: Arc::clone(&program),
        }
    }
}

/// Each an `Instance` of its own.
pub(crate) struct OneByOne {
    known: Humanoids,
    all: Vec<Instance>,
    frame: Frame,
}

impl OneByOne {
    pub(crate) fn new(instances: usize) -> Self {
        let known = Humanoids::new();
        let behavior = given(known.program.find("Humanoid"));
        let all = (0..instances).map(|_| instance(&known.program, behavior)).collect();
        Self { known, all, frame: Frame::new() }
    }
}

impl Machines for OneByOne {
    fn set(&mut self, index: usize, magnitude: f32, speed: f32) {
        given(self.all[index].set_number(self.known.magnitude, magnitude));
        given(self.all[index].set_number(self.known.speed, speed));
    }

    fn tick(&mut self, dt: f32) {
        for instance in &mut self.all {
            given(instance.tick(dt, &mut self.frame));
            black_box(self.frame.events());
        }
    }

    fn samples(&mut self) -> bool {
        for instance in &self.all {
            for sample in instance.samples() {
                black_box((sample.animation, sample.weight, sample.time));
            }
        }
        true
    }

    fn state(&mut self, index: usize) -> u8 {
        let state = self.all[index].state(self.known.machine);
        state.map_or(u8::MAX, |state| self.known.states[usize::from(state.0)])
    }

    fn weight(&mut self, index: usize, clip: u8) -> f32 {
        self.all[index].weight(self.known.clips[usize::from(clip)])
    }
}

/// All of them in a `Crowd`.
pub(crate) struct AsCrowd {
    known: Humanoids,
    all: Crowd,
    frame: CrowdFrame,
}

impl AsCrowd {
    pub(crate) fn new(instances: usize) -> Self {
        let known = Humanoids::new();
        let behavior = given(known.program.find("Humanoid")).id();
        let mut all = given(Crowd::new(&known.program, behavior));
        for _ in 0..instances {
            given(all.push(&Setup::default()));
        }
        Self { known, all, frame: CrowdFrame::new() }
    }
}

impl Machines for AsCrowd {
    fn set(&mut self, index: usize, magnitude: f32, speed: f32) {
        if let Some(mut member) = self.all.member_mut(index) {
            given(member.set_number(self.known.magnitude, magnitude));
            given(member.set_number(self.known.speed, speed));
        }
    }

    fn tick(&mut self, dt: f32) {
        given(self.all.tick(dt, &mut self.frame));
        black_box(self.frame.events().count());
    }

    fn samples(&mut self) -> bool {
        self.all.for_each_sample(|member, sample| {
            black_box((member, sample.animation, sample.weight, sample.time));
        });
        true
    }

    fn state(&mut self, index: usize) -> u8 {
        let state = self.all.member(index).and_then(|member| member.state(self.known.machine));
        state.map_or(u8::MAX, |state| self.known.states[usize::from(state.0)])
    }

    fn weight(&mut self, index: usize, clip: u8) -> f32 {
        let clip = self.known.clips[usize::from(clip)];
        self.all.member(index).map_or(f32::NAN, |member| member.weight(clip))
    }
}
