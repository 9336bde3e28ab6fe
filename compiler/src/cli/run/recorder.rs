//! Records what an instance does: ids become names, and only what changes is kept.

use motix_vm::ids::{AnimationId, EmitId, LayerId, MachineId, ParamId, StateId};
use motix_vm::program::BehaviorRef;
use motix_vm::program::tables::Type;
use motix_vm::{Event, EventKind, EventValue, Frame, Instance, Value, Values};

use crate::cli::timeline::{
    Animation, Happening, Machine, Mark, MarkKind, Param, ParamValue, Playing, Recording, Tick,
};

/// A recording under way.
pub(super) struct Recorder<'p> {
    behavior: BehaviorRef<'p>,
    recording: Recording,
    params: Vec<ParamValue>,
    values: Values,
    time: f64,
}

impl<'p> Recorder<'p> {
    /// Begins with the state before the first tick.
    pub(super) fn new(behavior: BehaviorRef<'p>, instance: &Instance, fps: f32) -> Self {
        let rows = behavior.rows();
        let program = behavior.program();
        let machines = rows.machines.iter().enumerate().map(|(index, machine)| Machine {
            layer: MachineId::from_index(index).and_then(|id| behavior.machine_name(id)).map(str::to_owned),
            states: machine
                .states
                .indices()
                .filter_map(StateId::from_index)
                .map(|state| behavior.state_path(state))
                .collect(),
        });
        let animations = rows
            .animations
            .iter()
            .map(|row| Animation { name: program.text(row.name).to_owned(), layer: row.layer.index() });
        let initial: Vec<ParamValue> = (0..rows.params.len()).map(|index| read(instance, index)).collect();
        let params = rows.params.iter().zip(&initial);
        let params = params
            .map(|(row, value)| Param { name: program.text(row.name).to_owned(), initial: value.clone() });
        let mut values = Values::new();
        instance.read_values(&mut values);
        let properties = behavior.properties().zip(values.iter()).map(|(row, (_, value))| Param {
            name: format!("{} {}", row.target, row.name),
            initial: shown(value),
        });
        let recording = Recording {
            behavior: behavior.name().to_owned(),
            test: None,
            fps,
            machines: machines.collect(),
            layers: rows.layers.iter().map(|row| program.text(row.name).to_owned()).collect(),
            animations: animations.collect(),
            params: params.collect(),
            properties: properties.collect(),
            start: Tick::default(),
            ticks: Vec::new(),
            marks: Vec::new(),
        };
        let mut recorder = Self { behavior, recording, params: initial, values, time: 0.0 };
        recorder.recording.start = recorder.state(instance, 0.0);
        recorder
    }

    /// Seconds recorded.
    pub(super) fn time(&self) -> f64 {
        self.time
    }

    /// Notes something from outside, now.
    pub(super) fn mark(&mut self, kind: MarkKind, text: String) {
        self.recording.marks.push(Mark { time: self.time, kind, text });
    }

    /// Records a tick that has just been played.
    pub(super) fn tick(&mut self, instance: &Instance, frame: &Frame, dt: f32) {
        let start = self.time;
        self.time += f64::from(dt);
        let mut tick = self.state(instance, dt);
        tick.events = frame.events().iter().map(|event| self.happening(event, frame, start)).collect();
        self.recording.ticks.push(tick);
    }

    /// The recording, of a test or of none.
    pub(super) fn finish(mut self, test: Option<String>) -> Recording {
        self.recording.test = test;
        self.recording
    }

    fn state(&mut self, instance: &Instance, dt: f32) -> Tick {
        let rows = self.behavior.rows();
        let states = rows.machines.iter().enumerate().map(|(index, machine)| {
            let leaf = MachineId::from_index(index).and_then(|id| instance.state(id));
            leaf.map_or(usize::MAX, |leaf| leaf.index().saturating_sub(machine.states.first as usize))
        });
        let layers = (0..rows.layers.len()).filter_map(LayerId::from_index);
        let mut playing: Vec<(usize, Playing)> = Vec::new();
        for sample in instance.samples() {
            let index = sample.animation.index();
            let new = Playing { weight: sample.weight, time: sample.time, phase: sample.phase };
            match playing.iter_mut().find(|(known, _)| *known == index) {
                // Of several playheads the heaviest shows its time.
                Some((_, known)) => {
                    let weight = known.weight + new.weight;
                    if new.weight > known.weight {
                        *known = new;
                    }
                    known.weight = weight.min(1.0);
                }
                None => playing.push((index, new)),
            }
        }
        playing.sort_by_key(|(index, _)| *index);
        let mut changed = Vec::new();
        for (index, known) in self.params.iter_mut().enumerate() {
            let value = read(instance, index);
            if *known != value {
                changed.push((index, value.clone()));
                *known = value;
            }
        }
        instance.read_values(&mut self.values);
        Tick {
            time: self.time,
            dt,
            states: states.collect(),
            layers: layers.map(|layer| instance.layer_weight(layer)).collect(),
            playing,
            changed,
            values: self.values.changed().map(|(id, value)| (id.index(), shown(value))).collect(),
            events: Vec::new(),
        }
    }

    fn happening(&self, event: &Event, frame: &Frame, start: f64) -> Happening {
        let behavior = self.behavior;
        let program = behavior.program();
        let state = |state| behavior.state_full_path(state);
        let fade = |from, to| format!("{}, {}", state(from), state(to));
        let animation = |id: AnimationId| behavior.animation_name(id).to_owned();
        let (kind, inner) = match event.kind {
            EventKind::Enter { state: id, .. } => ("Enter", state(id)),
            EventKind::Exit { state: id, .. } => ("Exit", state(id)),
            EventKind::Dropped { state: id, .. } => ("Dropped", state(id)),
            EventKind::FadeStart { from, to, .. } => ("FadeStart", fade(from, to)),
            EventKind::FadeEnd { from, to, .. } => ("FadeEnd", fade(from, to)),
            EventKind::FadeCancel { from, to, .. } => ("FadeCancel", fade(from, to)),
            EventKind::Play { animation: id } => ("Play", animation(id)),
            EventKind::Stop { animation: id } => ("Stop", animation(id)),
            EventKind::Finish { animation: id } => ("Finish", animation(id)),
            EventKind::Loop { animation: id } => ("Loop", animation(id)),
            EventKind::Reject { animation: id } => ("Reject", animation(id)),
            EventKind::Defer { animation: id } => ("Defer", animation(id)),
            EventKind::Marker { animation: id, marker } => {
                let row = behavior.rows().markers.get(marker.index());
                ("Marker", format!("{}, {}", animation(id), row.map_or("", |row| program.text(row.name))))
            }
            EventKind::SpanBegin { animation: id, span } | EventKind::SpanEnd { animation: id, span } => {
                let row = behavior.rows().spans.get(span.index());
                let kind =
                    if matches!(event.kind, EventKind::SpanBegin { .. }) { "SpanBegin" } else { "SpanEnd" };
                (kind, format!("{}, {}", animation(id), row.map_or("", |row| program.text(row.name))))
            }
            EventKind::Audio { asset } => ("Audio", format!("\"{}\"", program.text(asset).escape_debug())),
            EventKind::Camera { name } => ("Camera", format!("\"{}\"", program.text(name).escape_debug())),
            EventKind::Emit { emit } => ("Emit", self.emitted(emit, frame.values(event))),
            EventKind::ChainLimit { machine } => {
                ("ChainLimit", machine.and_then(|id| behavior.machine_name(id)).unwrap_or("").to_owned())
            }
            EventKind::EventLimit => ("EventLimit", String::new()),
        };
        let text = if inner.is_empty() { kind.to_owned() } else { format!("{kind}({inner})") };
        let trouble = matches!(kind, "Dropped" | "Reject" | "ChainLimit" | "EventLimit");
        let time = start + f64::from(event.offset);
        Happening { time, kind, text, count: event.count, trouble }
    }

    /// `hit` or `hit: 3, "left"`.
    fn emitted(&self, emit: EmitId, values: &[EventValue]) -> String {
        let name = self.behavior.emit_name(emit);
        let rows = self.behavior.rows();
        let types = rows.emits.get(emit.index()).map_or(0..0, |row| row.types.indices());
        let types: Vec<Option<Type>> = types.map(|index| rows.emit_types.get(index).copied()).collect();
        let list: Vec<String> = values
            .iter()
            .enumerate()
            .map(|(index, value)| match (value, types.get(index).copied().flatten()) {
                (EventValue::Bool(value), _) => value.to_string(),
                (EventValue::Number(value), _) => value.to_string(),
                (EventValue::Text(text), _) => {
                    format!("\"{}\"", self.behavior.program().text(*text).escape_debug())
                }
                (EventValue::HostText(text), _) => format!("\"{}\"", text.escape_debug()),
                (EventValue::Variant(variant), Some(Type::Enum(id))) => {
                    let name = self.behavior.variants(id).nth(usize::from(*variant));
                    name.map_or_else(|| variant.to_string(), str::to_owned)
                }
                (EventValue::Variant(variant), _) => variant.to_string(),
                (EventValue::Color(color), _) => format!("#{:08x}", color.to_word()),
            })
            .collect();
        if list.is_empty() { name.to_owned() } else { format!("{name}: {}", list.join(", ")) }
    }
}

fn read(instance: &Instance, index: usize) -> ParamValue {
    let value = ParamId::from_index(index).and_then(|id| instance.get(id));
    value.map_or_else(|| ParamValue::Word(String::new()), shown)
}

fn shown(value: Value<'_>) -> ParamValue {
    match value {
        Value::Bool(value) => ParamValue::Bool(value),
        Value::Number(value) => ParamValue::Number(value),
        Value::Trigger(armed) => ParamValue::Trigger(armed),
        Value::Text(text) => ParamValue::Word(text.to_owned()),
        Value::Variant { name, .. } => ParamValue::Word(name.to_owned()),
        Value::Color(color) => ParamValue::Color(color.to_word()),
    }
}
