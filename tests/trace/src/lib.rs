//! Drives compiled behaviors with made-up inputs and hashes what comes out.
//!
//! The same program, seed and number of ticks give the same hash in every build, native or WebAssembly: `run` beside
//! this compares them. The inputs come from a generator of its own and from exact arithmetic, so that a difference is
//! the runtime's. It knows nothing of what a behavior is meant to do.

#![deny(unsafe_code)]

use std::fmt::{self, Write as _};
use std::sync::Arc;

use motix_vm::ids::{AnimationId, BehaviorId, ComponentId, GroupId, LayerId, PropertyId, StateId, TagId};
use motix_vm::program::tables::Type;
use motix_vm::{
    Color, Frame, Globals, Hit, Host, Input, Instance, PointerInput, PointerKind, Program, Sample, Setup,
    StopMode, Value,
};

#[cfg(target_arch = "wasm32")]
mod face;

/// Lengths of ticks: none, less than the smallest moment, those of usual frames, long ones.
const DTS: [f32; 12] =
    [0.0, 1e-9, 1e-5, 0.001, 1.0 / 144.0, 1.0 / 60.0, 1.0 / 60.0, 1.0 / 30.0, 0.1, 0.7, 3.0, 1000.0];

/// A small generator (splitmix64).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed(self.0)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.bits() % end.max(1) as u64) as usize
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        all.get(self.below(all.len())).copied()
    }

    /// An id below `end`, or now and then one that means nothing.
    fn id(&mut self, end: usize) -> u16 {
        u16::try_from(self.below(end + 1)).unwrap_or(u16::MAX)
    }

    /// A number with few digits, now and then a large one.
    fn number(&mut self) -> f32 {
        let number = self.below(401) as f32 / 64.0 - 1.0;
        if self.below(8) == 0 { number * 1000.0 } else { number }
    }
}

fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// A hash of words and of text that is written to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(pub u64);

impl Digest {
    fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 29);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    fn sample(&mut self, sample: Sample) {
        let Sample { key, component, animation, layer, weight, time, phase, cycle, additive, mirror, motion } =
            sample;
        let flags = u64::from(additive) | u64::from(mirror) << 1 | u64::from(motion) << 2;
        self.word(u64::from(key) | u64::from(cycle) << 32);
        self.word(u64::from(animation.0) | u64::from(layer.0) << 16 | u64::from(component.0) << 32);
        self.word(u64::from(weight.to_bits()) | u64::from(time.to_bits()) << 32);
        self.word(u64::from(phase.to_bits()) | flags << 32);
    }
}

impl fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.bytes(text.as_bytes());
        Ok(())
    }
}

/// A running behavior and the host that a generator makes up for it.
#[derive(Clone, Debug)]
pub struct Driver {
    /// What runs.
    pub instance: Instance,
    random: Random,
    globals: Globals,
    ticks: u64,
}

impl Driver {
    /// A behavior of a program, with durations where the program leaves them open. `None` where there is no such
    /// behavior.
    #[must_use]
    pub fn new(program: &Arc<Program>, behavior: BehaviorId, seed: u64) -> Option<Self> {
        let mut random = Random(mixed(seed ^ 0x006D_6F74_6978));
        let found = program.at(behavior)?;
        let durations: Vec<(ComponentId, AnimationId, f32)> = found
            .open_durations()
            .map(|(component, animation)| (component, animation, random.below(200) as f32 / 64.0))
            .collect();
        let setup = Setup { seed, component_durations: &durations, ..Setup::default() };
        let instance = Instance::new(program, behavior, &setup).ok()?;
        Some(Self { instance, random, globals: Globals::new(), ticks: 0 })
    }

    /// What a host might do in a frame, and a tick.
    pub fn step(&mut self, frame: &mut Frame) {
        // Often nothing: most of a game's frames are like that.
        let calls = [0, 0, 0, 1, 1, 2, 5][self.random.below(7)];
        for _ in 0..calls {
            self.call();
        }
        let dt = if self.random.below(4) > 0 { 1.0 / 60.0 } else { self.random.pick(&DTS).unwrap_or(0.0) };
        self.ticks += 1;
        let mut answer = answers(self.ticks);
        let mut host = Host { predicates: Some(&mut answer), globals: Some(&mut self.globals) };
        // It cannot be refused: the length is one of the above, and every predicate is answered.
        let ticked = self.instance.tick_with(dt, &mut host, frame);
        debug_assert!(ticked.is_ok(), "{ticked:?}");
    }

    /// What came out: the save, every sample and animated value, every event.
    #[must_use]
    pub fn digest(&self, frame: &Frame) -> Digest {
        let mut digest = Digest(self.instance.state_hash());
        digest.bytes(&self.instance.save());
        self.instance.samples().for_each(|sample| digest.sample(sample));
        let rows = &self.instance.program().behaviors()[self.instance.behavior().index()];
        for property in (0..rows.properties.len()).filter_map(PropertyId::from_index) {
            match self.instance.property(property) {
                Value::Number(number) => digest.word(number.to_bits().into()),
                Value::Color(color) => digest.word(color.to_word().into()),
                _ => {}
            }
        }
        for event in frame.events() {
            digest.word(u64::from(event.offset.to_bits()) | u64::from(event.count) << 32);
            digest.word(event.component.0.into());
            // Text has the variant and its ids, also of kinds that come later. A `Digest` takes all text.
            let written = write!(digest, "{:?} {:?}", event.kind, frame.values(event));
            debug_assert!(written.is_ok());
        }
        digest
    }

    /// One call of the host. What is refused is refused everywhere.
    fn call(&mut self) {
        let program = Arc::clone(self.instance.program());
        let Some(whole) = program.at(self.instance.behavior()) else { return };
        if self.random.below(6) == 0 {
            self.send(whole);
            return;
        }
        let parts: Vec<ComponentId> = std::iter::once(ComponentId::ROOT).chain(whole.components()).collect();
        let id = self.random.pick(&parts).unwrap_or(ComponentId::ROOT);
        let Some(behavior) = whole.component_behavior(id) else { return };
        let rows = &program.behaviors()[behavior.id().index()];
        let random = &mut self.random;
        let Some(mut part) = self.instance.component_mut(id) else { return };
        let mode = if random.below(2) == 0 { StopMode::FadeOut } else { StopMode::Immediate };
        let _ = match random.below(16) {
            0 => part.play(AnimationId(random.id(rows.animations.len()))).is_ok(),
            1 => part.stop(AnimationId(random.id(rows.animations.len())), mode).is_ok(),
            2 => part.stop_group(GroupId(random.id(rows.groups.len())), mode).is_ok(),
            3 => part.play_tag(TagId(random.id(rows.tags.len()))).is_ok(),
            4 => part.stop_tag(TagId(random.id(rows.tags.len())), mode).is_ok(),
            5 => part.request(StateId(random.id(rows.states.len())), random.below(3) as i32).is_ok(),
            6 => part.set_layer_target(LayerId(random.id(rows.layers.len())), random.number()).is_ok(),
            _ if rows.params.is_empty() => false,
            kind => {
                let row = &rows.params[random.below(rows.params.len())];
                let name = program.text(row.name);
                let value = match row.ty {
                    Type::Bool => Value::Bool(random.below(2) == 0),
                    Type::Trigger => Value::Trigger(true),
                    Type::Number => Value::Number(random.number()),
                    Type::Text => Value::Text(["", "none", "sword", "a longer text"][random.below(4)]),
                    Type::Enum(_) => Value::Variant { index: random.id(4), name: "" },
                    Type::Color => Value::Color(Color::from_word(random.bits() as u32)),
                };
                if row.global && kind == 7 {
                    self.globals.set(name, value).is_ok()
                } else {
                    part.set(name, value).is_ok()
                }
            }
        };
    }

    /// One input of the host.
    fn send(&mut self, whole: motix_vm::BehaviorRef<'_>) {
        let random = &mut self.random;
        let mut targets: Vec<String> = whole.scene_targets().collect();
        targets.push(String::from("nowhere"));
        let custom: Vec<&str> = whole.custom_inputs().collect();
        let names: Vec<&str> = targets.iter().map(String::as_str).collect();
        let name = random.pick(&names).unwrap_or("");
        let key = ["Enter", "Space", "a"][random.below(3)];
        let mut answer = answers(self.ticks);
        let mut host = Host { predicates: Some(&mut answer), globals: Some(&mut self.globals) };
        let input = match random.below(10) {
            0 => Input::Focus(name),
            1 => Input::Blur(name),
            2 => Input::KeyDown(key),
            3 => Input::KeyUp(key),
            4 => Input::Custom {
                name: random.pick(&custom).unwrap_or("other"),
                targets: std::slice::from_ref(&name),
            },
            5 => return self.instance.cancel_pointer(random.below(33) as u8),
            _ => {
                use PointerKind::{Click, Down, Enter, Leave, Move, Up};
                let at = [random.below(65) as f32 / 64.0, random.below(65) as f32 / 64.0];
                let hits = [Hit::new(name, at), Hit::new(random.pick(&names).unwrap_or(""), [0.5, 0.25])];
                let input = PointerInput {
                    kind: random.pick(&[Down, Up, Down, Up, Move, Click, Enter, Leave]).unwrap_or(Click),
                    pointer: random.below(3) as u8,
                    hits: &hits[..random.below(3)],
                    scene: at,
                };
                let _ = self.instance.send_with(&Input::Pointer(input), &mut host);
                return;
            }
        };
        let _ = self.instance.send_with(&input, &mut host);
    }
}

/// What the host says to `Extern Predicate`s in that tick.
fn answers(tick: u64) -> impl FnMut(ComponentId, motix_vm::ids::ExternId) -> bool {
    move |component, predicate| {
        let asked = u64::from(component.0) << 32 | u64::from(predicate.0) << 48;
        mixed((tick / 16) ^ asked).is_multiple_of(3)
    }
}

/// The hash of so many ticks of a behavior, in which it is also saved and taken up again from bytes. `None` where there
/// is no such behavior.
#[must_use]
pub fn trace(program: &Arc<Program>, behavior: BehaviorId, ticks: u32) -> Option<u64> {
    let mut driver = Driver::new(program, behavior, program.hash())?;
    let (mut frame, mut digest) = (Frame::new(), Digest(0));
    for tick in 0..ticks {
        driver.step(&mut frame);
        digest.word(driver.digest(&frame).0);
        if tick % 64 == 63 {
            let restored = driver.instance.restore(&driver.instance.save());
            digest.word(restored.is_ok().into());
        }
    }
    Some(digest.0)
}
