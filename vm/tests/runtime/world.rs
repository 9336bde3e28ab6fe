//! A running instance for tests: everything by name, events as text.

use std::fmt::Write as _;
use std::sync::Arc;

use motix_vm::ids::*;
use motix_vm::program::Program;
use motix_vm::program::tables::*;
use motix_vm::{Event, EventKind, EventValue, Frame, Host, Instance, Setup, StopMode, Value};

use crate::support::{Builder, program};

pub(crate) struct World {
    pub(crate) program: Arc<Program>,
    pub(crate) instance: Instance,
    pub(crate) frame: Frame,
}

impl World {
    pub(crate) fn new(builder: Builder) -> Self {
        Self::seeded(builder, 0)
    }

    pub(crate) fn seeded(builder: Builder, seed: u64) -> Self {
        let program = Arc::new(program(builder.tables()));
        let setup = Setup { seed, ..Setup::default() };
        let instance = Instance::new(&program, BehaviorId(0), &setup).expect("it can be made");
        Self { program, instance, frame: Frame::new() }
    }

    pub(crate) fn rows(&self) -> &Behavior {
        &self.program.behaviors()[0]
    }

    pub(crate) fn set<'v>(&mut self, name: &str, value: impl Into<Value<'v>>) {
        self.instance.set(name, value).expect("it can be set");
    }

    pub(crate) fn fire(&mut self, name: &str) {
        self.set(name, true);
    }

    /// One tick; gives its events.
    pub(crate) fn tick(&mut self, dt: f32) -> Vec<String> {
        self.instance.tick(dt, &mut self.frame).expect("it ticks");
        self.events()
    }

    pub(crate) fn tick_with(&mut self, dt: f32, host: &mut Host<'_>) -> Vec<String> {
        self.instance.tick_with(dt, host, &mut self.frame).expect("it ticks");
        self.events()
    }

    /// So many ticks; gives the events of all.
    pub(crate) fn ticks(&mut self, count: usize, dt: f32) -> Vec<String> {
        (0..count).flat_map(|_| self.tick(dt)).collect()
    }

    pub(crate) fn events(&self) -> Vec<String> {
        self.frame.events().iter().map(|event| self.show(event)).collect()
    }

    /// The events of the last tick with their times.
    pub(crate) fn timed(&self) -> Vec<String> {
        self.frame.events().iter().map(|event| format!("{:.3} {}", event.offset, self.show(event))).collect()
    }

    fn show(&self, event: &Event) -> String {
        let b = self.program.at(BehaviorId(0)).expect("it is there");
        let state = |state: StateId| self.program.text(self.rows().states[state.index()].name).to_owned();
        let clip = |animation| b.animation_name(animation);
        let times = if event.count == 1 { String::new() } else { format!(" x{}", event.count) };
        let marker = |id: MarkerId| self.program.text(self.rows().markers[id.index()].name);
        let span = |id: SpanId| self.program.text(self.rows().spans[id.index()].name);
        let text = match event.kind {
            EventKind::Enter { state: id, .. } => format!("Enter({})", state(id)),
            EventKind::Exit { state: id, .. } => format!("Exit({})", state(id)),
            EventKind::Dropped { state: id, .. } => format!("Dropped({})", state(id)),
            EventKind::FadeStart { from, to, .. } => format!("FadeStart({}, {})", state(from), state(to)),
            EventKind::FadeEnd { from, to, .. } => format!("FadeEnd({}, {})", state(from), state(to)),
            EventKind::FadeCancel { from, to, .. } => format!("FadeCancel({}, {})", state(from), state(to)),
            EventKind::Play { animation } => format!("Play({})", clip(animation)),
            EventKind::Stop { animation } => format!("Stop({})", clip(animation)),
            EventKind::Finish { animation } => format!("Finish({})", clip(animation)),
            EventKind::Loop { animation } => format!("Loop({})", clip(animation)),
            EventKind::Reject { animation } => format!("Reject({})", clip(animation)),
            EventKind::Defer { animation } => format!("Defer({})", clip(animation)),
            EventKind::Marker { animation, marker: id } => {
                format!("Marker({}, {})", clip(animation), marker(id))
            }
            EventKind::SpanBegin { animation, span: id } => {
                format!("SpanBegin({}, {})", clip(animation), span(id))
            }
            EventKind::SpanEnd { animation, span: id } => {
                format!("SpanEnd({}, {})", clip(animation), span(id))
            }
            EventKind::Audio { asset } => format!("Audio({})", self.program.text(asset)),
            EventKind::Camera { name } => format!("Camera({})", self.program.text(name)),
            EventKind::Emit { emit } => {
                let mut text = format!("Emit({}", b.emit_name(emit));
                for value in self.frame.values(event) {
                    match value {
                        EventValue::Number(number) => write!(text, ", {number}"),
                        EventValue::Bool(value) => write!(text, ", {value}"),
                        EventValue::Text(id) => write!(text, ", {}", self.program.text(*id)),
                        EventValue::HostText(value) => write!(text, ", {value}"),
                        EventValue::Variant(index) => write!(text, ", #{index}"),
                        EventValue::Color(color) => write!(text, ", {:08x}", color.to_word()),
                    }
                    .expect("texts take anything");
                }
                text + ")"
            }
            EventKind::ChainLimit { .. } => "ChainLimit".to_owned(),
            EventKind::EventLimit => "EventLimit".to_owned(),
        };
        text + &times
    }

    /// The leaf of the first machine.
    pub(crate) fn state(&self) -> &str {
        self.state_of(0)
    }

    pub(crate) fn state_of(&self, machine: u16) -> &str {
        let leaf = self.instance.state(MachineId(machine)).expect("it is somewhere");
        self.program.text(self.rows().states[leaf.index()].name)
    }

    pub(crate) fn clip(&self, name: &str) -> AnimationId {
        self.program.at(BehaviorId(0)).expect("it is there").animation(name).expect("it is there")
    }

    pub(crate) fn play(&mut self, name: &str) {
        self.instance.play(self.clip(name)).expect("it is there");
    }

    pub(crate) fn stop(&mut self, name: &str, mode: StopMode) {
        self.instance.stop(self.clip(name), mode).expect("it is there");
    }

    pub(crate) fn weight(&self, name: &str) -> f32 {
        self.instance.weight(self.clip(name))
    }

    pub(crate) fn time(&self, name: &str) -> f32 {
        self.instance.time(self.clip(name))
    }

    pub(crate) fn phase(&self, name: &str) -> f32 {
        self.instance.phase(self.clip(name))
    }

    /// The fade progress of a machine.
    pub(crate) fn fade(&self, machine: u16) -> f32 {
        self.instance.fade(MachineId(machine))
    }

    pub(crate) fn playing(&self, name: &str) -> bool {
        self.instance.playing(self.clip(name))
    }

    pub(crate) fn request(&mut self, state: StateId, priority: i32) {
        self.instance.request(state, priority).expect("it is there");
    }
}

/// Within 1e-4, as `~=` of tests.
#[track_caller]
pub(crate) fn near(a: f32, b: f32) {
    assert!((a - b).abs() <= 1e-4, "{a} is not near {b}");
}
