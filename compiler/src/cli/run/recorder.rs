//! Records what an instance does: ids become names, and only what changes is kept.

use motix_vm::ids::{AnimationId, ComponentId, EmitId, LayerId, MachineId, ParamId, StateId};
use motix_vm::program::BehaviorRef;
use motix_vm::program::tables::Type;
use motix_vm::{Event, EventKind, EventValue, Frame, Instance, Value, Values};

use crate::cli::timeline::{
    Animation, Happening, Machine, Mark, MarkKind, Param, ParamValue, Playing, Recording, Tick,
};

/// A recording under way.
pub(super) struct Recorder<'p> {
    parts: Vec<Part<'p>>,
    recording: Recording,
    params: Vec<ParamValue>,
    /// Of each part.
    values: Vec<Values>,
    time: f64,
}

/// The instance itself or a component, and where its things begin among those of all.
struct Part<'p> {
    id: ComponentId,
    behavior: BehaviorRef<'p>,
    /// Its names from the instance on; empty for that.
    path: String,
    animations: usize,
    params: usize,
    properties: usize,
}

impl Part<'_> {
    /// The name of something of this part.
    fn name(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

impl<'p> Recorder<'p> {
    /// Begins with the state before the first tick.
    pub(super) fn new(behavior: BehaviorRef<'p>, instance: &Instance, fps: f32) -> Self {
        let mut recorder = Self {
            parts: Vec::new(),
            recording: Recording { behavior: behavior.name().to_owned(), fps, ..Recording::default() },
            params: Vec::new(),
            values: Vec::new(),
            time: 0.0,
        };
        for id in std::iter::once(ComponentId::ROOT).chain(behavior.components()) {
            if let Some(inside) = behavior.component_behavior(id) {
                recorder.add(id, inside, behavior.component_path(id), instance);
            }
        }
        recorder.recording.start = recorder.state(instance, 0.0);
        recorder
    }

    /// Adds what a part has to what is recorded.
    fn add(&mut self, id: ComponentId, behavior: BehaviorRef<'p>, path: String, instance: &Instance) {
        let (rows, program) = (behavior.rows(), behavior.program());
        let recording = &mut self.recording;
        let (animations, params) = (recording.animations.len(), recording.params.len());
        let properties = recording.properties.len();
        let part = Part { id, behavior, path, animations, params, properties };
        let first_layer = recording.layers.len();
        for (index, machine) in rows.machines.iter().enumerate() {
            let layer = MachineId::from_index(index).and_then(|id| behavior.machine_name(id));
            let states = machine.states.indices().filter_map(StateId::from_index);
            recording.machines.push(Machine {
                // A component's main machine goes by the component's name.
                layer: match layer {
                    Some(layer) => Some(part.name(layer)),
                    None => (!part.path.is_empty()).then(|| part.path.clone()),
                },
                states: states.map(|state| behavior.state_path(state)).collect(),
            });
        }
        recording.layers.extend(rows.layers.iter().map(|row| part.name(program.text(row.name))));
        recording.animations.extend(rows.animations.iter().map(|row| Animation {
            name: part.name(program.text(row.name)),
            layer: first_layer + row.layer.index(),
        }));
        for (index, row) in rows.params.iter().enumerate() {
            let value = read(instance, id, index);
            self.params.push(value.clone());
            recording.params.push(Param { name: part.name(program.text(row.name)), initial: value });
        }
        let mut values = Values::new();
        if let Some(inside) = instance.component(id) {
            inside.read_values(&mut values);
        }
        recording.properties.extend(behavior.properties().zip(values.iter()).map(|(row, (_, value))| {
            Param { name: part.name(&format!("{} {}", row.target, row.name)), initial: shown(value) }
        }));
        self.values.push(values);
        self.parts.push(part);
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
        let (mut states, mut weights) = (Vec::new(), Vec::new());
        for part in &self.parts {
            let (rows, inside) = (part.behavior.rows(), instance.component(part.id));
            states.extend(rows.machines.iter().enumerate().map(|(index, machine)| {
                let leaf = MachineId::from_index(index).and_then(|id| inside?.state(id));
                leaf.map_or(usize::MAX, |leaf| leaf.index().saturating_sub(machine.states.first as usize))
            }));
            let layers = (0..rows.layers.len()).filter_map(LayerId::from_index);
            weights.extend(layers.map(|layer| inside.map_or(0.0, |inside| inside.layer_weight(layer))));
        }
        let mut playing: Vec<(usize, Playing)> = Vec::new();
        for sample in instance.samples() {
            let Some(part) = self.parts.get(sample.component.index()) else { continue };
            let index = part.animations + sample.animation.index();
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
        for part in &self.parts {
            let own = self.params.iter_mut().skip(part.params).take(part.behavior.rows().params.len());
            for (index, known) in own.enumerate() {
                let value = read(instance, part.id, index);
                if *known != value {
                    changed.push((part.params + index, value.clone()));
                    *known = value;
                }
            }
        }
        let mut values = Vec::new();
        for (part, read) in self.parts.iter().zip(&mut self.values) {
            if let Some(inside) = instance.component(part.id) {
                inside.read_values(read);
                values.extend(read.changed().map(|(id, value)| (part.properties + id.index(), shown(value))));
            }
        }
        Tick { time: self.time, dt, states, layers: weights, playing, changed, values, events: Vec::new() }
    }

    fn happening(&self, event: &Event, frame: &Frame, start: f64) -> Happening {
        let Some(part) = self.parts.get(event.component.index()) else { return Happening::default() };
        let behavior = part.behavior;
        let program = behavior.program();
        let state = |state| part.name(&behavior.state_full_path(state));
        let fade = |from, to| format!("{}, {}", state(from), state(to));
        let animation = |id: AnimationId| part.name(behavior.animation_name(id));
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
            EventKind::Emit { emit } => ("Emit", part.name(&emitted(behavior, emit, frame.values(event)))),
            EventKind::ChainLimit { machine } => {
                let layer = machine.and_then(|id| behavior.machine_name(id));
                ("ChainLimit", layer.map_or_else(|| part.path.clone(), |layer| part.name(layer)))
            }
            EventKind::EventLimit => ("EventLimit", String::new()),
        };
        let text = if inner.is_empty() { kind.to_owned() } else { format!("{kind}({inner})") };
        let trouble = matches!(kind, "Dropped" | "Reject" | "ChainLimit" | "EventLimit");
        let time = start + f64::from(event.offset);
        Happening { time, kind, text, count: event.count, trouble }
    }
}

/// `hit` or `hit: 3, "left"`.
fn emitted(behavior: BehaviorRef<'_>, emit: EmitId, values: &[EventValue]) -> String {
    let name = behavior.emit_name(emit);
    let rows = behavior.rows();
    let types = rows.emits.get(emit.index()).map_or(0..0, |row| row.types.indices());
    let types: Vec<Option<Type>> = types.map(|index| rows.emit_types.get(index).copied()).collect();
    let list: Vec<String> = values
        .iter()
        .enumerate()
        .map(|(index, value)| match (value, types.get(index).copied().flatten()) {
            (EventValue::Bool(value), _) => value.to_string(),
            (EventValue::Number(value), _) => value.to_string(),
            (EventValue::Text(text), _) => {
                format!("\"{}\"", behavior.program().text(*text).escape_debug())
            }
            (EventValue::HostText(text), _) => format!("\"{}\"", text.escape_debug()),
            (EventValue::Variant(variant), Some(Type::Enum(id))) => {
                let name = behavior.variants(id).nth(usize::from(*variant));
                name.map_or_else(|| variant.to_string(), str::to_owned)
            }
            (EventValue::Variant(variant), _) => variant.to_string(),
            (EventValue::Color(color), _) => format!("#{:08x}", color.to_word()),
        })
        .collect();
    if list.is_empty() { name.to_owned() } else { format!("{name}: {}", list.join(", ")) }
}

fn read(instance: &Instance, component: ComponentId, index: usize) -> ParamValue {
    let part = instance.component(component);
    let value = ParamId::from_index(index).and_then(|id| part.as_ref()?.get(id));
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
