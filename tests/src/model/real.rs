//! A described behavior, compiled and run by the runtime, told in the model's terms.

use std::sync::Arc;

use motix_compiler::diagnostic::Severity;
use motix_compiler::pipeline::{Options, compile};
use motix_compiler::source::{Loader, ReadError};
use motix_vm::ids::{
    AnimationId, BehaviorId, ComponentId, GroupId, LayerId, MachineId, PropertyId, StateId, TagId,
};
use motix_vm::program::{BehaviorRef, BoolParam, NumberParam, TriggerParam};
use motix_vm::{
    EventKind, Frame, Hit, Input, Instance, PointerInput, PointerKind, Program, Setup, StopMode, Value,
};

use super::behavior::{self, Behavior, Param, Signal, Step};
use super::text::{self, Order};
use super::world::{Event, Kind, Shown};

/// A source in memory; it is the file that is asked for, whatever its name.
#[derive(Debug)]
pub struct Text<'t>(pub &'t str);

impl Loader for Text<'_> {
    fn load(&self, path: &str, _: &str) -> Result<(String, Vec<u8>), ReadError> {
        Ok((path.to_owned(), self.0.as_bytes().to_vec()))
    }
}

/// Compiles a source that must have no errors.
///
/// # Errors
/// The diagnostics.
pub fn program(source: &str) -> Result<Arc<Program>, String> {
    let compiled = compile("generated.motix", &Text(source), Options::default());
    let compiled = compiled.map_err(|error| format!("{error:?}"))?;
    compiled.program.clone().ok_or_else(|| {
        let errors = compiled.diagnostics.list().iter().filter(|report| report.severity == Severity::Error);
        errors
            .map(|report| format!("Diagnostic {:?} {} {:?}\n", report.code, report.message, report.span()))
            .collect()
    })
}

/// An event of the runtime, with its count.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    pub event: Event,
    pub count: u32,
}

/// Ids of a behavior of the program by positions in the description, and back.
#[derive(Clone, Debug)]
struct Ids {
    behavior: BehaviorId,
    animations: Vec<AnimationId>,
    layers: Vec<LayerId>,
    machines: Vec<MachineId>,
    states: Vec<Vec<StateId>>,
    groups: Vec<Option<GroupId>>,
    tags: Vec<Option<TagId>>,
    params: Vec<Id>,
    properties: Vec<Option<PropertyId>>,
}

#[derive(Clone, Copy, Debug)]
enum Id {
    Flag(BoolParam),
    Number(NumberParam),
    Trigger(TriggerParam),
}

fn show(error: &dyn std::fmt::Display) -> String {
    error.to_string()
}

impl Ids {
    fn find(behavior: &Behavior, found: BehaviorRef<'_>) -> Result<Self, String> {
        let mut params = Vec::new();
        for (index, row) in behavior.params.iter().enumerate() {
            let name = text::param(index);
            params.push(match row {
                Param::Flag(_) => Id::Flag(found.boolean(&name).map_err(|error| show(&error))?),
                Param::Number(_) => Id::Number(found.number(&name).map_err(|error| show(&error))?),
                Param::Trigger(_) => Id::Trigger(found.trigger(&name).map_err(|error| show(&error))?),
            });
        }
        let mut states = Vec::new();
        let mut machines = Vec::new();
        for (number, machine) in behavior.machines.iter().enumerate() {
            let id = match number {
                0 => found.main_machine().ok_or("no main machine")?,
                _ => found.machine(&text::layer(machine.layer)).map_err(|error| show(&error))?,
            };
            machines.push(id);
            let names = (0..machine.states.len()).map(|index| text::state(number, index));
            let ids: Result<Vec<StateId>, String> =
                names.map(|name| found.state(&name).map_err(|error| show(&error))).collect();
            states.push(ids?);
        }
        Ok(Self {
            behavior: found.id(),
            animations: (0..behavior.animations.len())
                .map(|index| found.animation(&text::animation(index)).map_err(|error| show(&error)))
                .collect::<Result<_, _>>()?,
            layers: (0..behavior.layers.len())
                .map(|index| found.layer(&text::layer(index)).map_err(|error| show(&error)))
                .collect::<Result<_, _>>()?,
            machines,
            states,
            // Groups and tags that no animation names are not in the program.
            groups: (0..behavior.groups).map(|index| found.group(&text::group(index)).ok()).collect(),
            tags: (0..behavior.tags).map(|index| found.tag(&text::tag(index)).ok()).collect(),
            params,
            // Nor are properties that nothing animates.
            properties: (0..behavior.rests.len())
                .map(|index| found.property(text::THING, &text::property(index)).ok())
                .collect(),
        })
    }

    fn animation(&self, id: AnimationId) -> usize {
        self.animations.iter().position(|known| *known == id).unwrap_or(usize::MAX)
    }
}

/// A part of an instance: the behavior itself, or a component.
#[derive(Clone, Debug)]
struct Part {
    id: ComponentId,
    ids: Ids,
    inside: Vec<usize>,
}

/// Does to an instance, or to a component of one, what a host does between ticks.
macro_rules! act {
    ($it:expr, $ids:expr, $step:expr) => {{
        let mode = |cut: bool| if cut { StopMode::Immediate } else { StopMode::FadeOut };
        let (it, ids) = ($it, $ids);
        match *$step {
            Step::SetFlag(param, value) => match ids.params[param] {
                Id::Flag(id) => it.set_bool(id, value).map_err(|error| show(&error)),
                _ => Err("no flag".into()),
            },
            Step::SetNumber(param, value) => match ids.params[param] {
                Id::Number(id) => it.set_number(id, value as f32).map_err(|error| show(&error)),
                _ => Err("no number".into()),
            },
            Step::Fire(param) => match ids.params[param] {
                Id::Trigger(id) => it.fire(id).map_err(|error| show(&error)),
                _ => Err("no trigger".into()),
            },
            Step::Request(machine, state, priority) => {
                it.request(ids.states[machine][state], priority).map_err(|error| show(&error))
            }
            Step::Play(animation) => it.play(ids.animations[animation]).map_err(|error| show(&error)),
            Step::Stop(animation, cut) => {
                it.stop(ids.animations[animation], mode(cut)).map_err(|error| show(&error))
            }
            Step::StopGroup(group, cut) => ids.groups[group]
                .map_or(Ok(()), |id| it.stop_group(id, mode(cut)))
                .map_err(|error| show(&error)),
            Step::PlayTag(tag) => {
                ids.tags[tag].map_or(Ok(()), |id| it.play_tag(id)).map_err(|error| show(&error))
            }
            Step::StopTag(tag) => ids.tags[tag]
                .map_or(Ok(()), |id| it.stop_tag(id, StopMode::FadeOut))
                .map_err(|error| show(&error)),
            Step::Inner(..) | Step::Send(_) | Step::Cancel(_) | Step::Tick(_) => {
                Err("no call of a host to one part".into())
            }
        }
    }};
}

/// What a part is like now.
#[derive(Clone, Debug)]
pub struct Now {
    /// The state of each machine.
    pub states: Vec<usize>,
    /// The crossfade of each machine.
    pub fades: Vec<f64>,
    /// The weight of each layer.
    pub levels: Vec<f64>,
    /// What is to be shown, with its key.
    pub shown: Vec<(u32, Shown)>,
    /// The properties that are in the program.
    pub properties: Vec<Option<f64>>,
}

/// A behavior in the runtime.
#[derive(Debug)]
pub struct Real {
    pub program: Arc<Program>,
    pub instance: Instance,
    pub frame: Frame,
    /// Whether anything heard the last input.
    pub heard: bool,
    /// The behavior itself is the first.
    parts: Vec<Part>,
}

impl Real {
    /// A new instance of the behavior, declared in that order.
    ///
    /// # Errors
    /// Where the compiler refuses it, or a name is not found.
    pub fn new(behavior: &Behavior, order: &Order, seed: u64) -> Result<Self, String> {
        Self::of(behavior, program(&text::source(behavior, order))?, seed)
    }

    /// A new instance of its compiled program.
    ///
    /// # Errors
    /// Where a name is not found.
    pub fn of(behavior: &Behavior, program: Arc<Program>, seed: u64) -> Result<Self, String> {
        let found = program.find(text::NAME).map_err(|error| error.to_string())?;
        let mut parts = Vec::new();
        find_parts(behavior, found, &mut Vec::new(), &mut parts)?;
        let setup = Setup { seed, ..Setup::default() };
        let instance = Instance::new(&program, found.id(), &setup).map_err(|error| show(&error))?;
        Ok(Self { program, instance, frame: Frame::new(), heard: false, parts })
    }

    /// Does what a host does; a tick fills the frame.
    ///
    /// # Errors
    /// Where the runtime refuses it.
    pub fn host(&mut self, step: &Step) -> Result<(), String> {
        let (mut part, mut step) = (0, step);
        while let Step::Inner(index, inner) = step {
            let Some(inside) = self.parts[part].inside.get(*index) else { return Ok(()) };
            (part, step) = (*inside, &**inner);
        }
        if let Step::Tick(dt) = step {
            return self.instance.tick(*dt, &mut self.frame).map_err(|error| show(&error));
        }
        match step {
            Step::Send(input) => return self.send(input),
            Step::Cancel(pointer) => {
                self.instance.cancel_pointer(*pointer);
                return Ok(());
            }
            _ => {}
        }
        let Part { id, ids, .. } = &self.parts[part];
        if part == 0 {
            return act!(&mut self.instance, ids, step);
        }
        let mut component = self.instance.component_mut(*id).ok_or("no such component")?;
        act!(&mut component, ids, step)
    }

    fn send(&mut self, input: &behavior::Input) -> Result<(), String> {
        let name = |spot: &behavior::Spot| {
            let path = spot.path.iter().map(|index| text::component(*index) + "/");
            path.collect::<String>() + &text::target(spot.name)
        };
        let names: Vec<String> = input.targets.iter().map(|(spot, _)| name(spot)).collect();
        let targets: Vec<&str> = names.iter().map(String::as_str).collect();
        let places = input.targets.iter().map(|(_, place)| place.map(|at| at as f32));
        let hits: Vec<Hit<'_>> =
            targets.iter().zip(places).map(|(target, place)| Hit::new(target, place)).collect();
        let scene = input.scene.map(|at| at as f32);
        let point = |kind| Input::Pointer(PointerInput { kind, pointer: input.pointer, hits: &hits, scene });
        let key = |index: Option<usize>| text::key(index.unwrap_or(0));
        let first = targets.first().copied().unwrap_or_default();
        let word;
        let sent = match input.signal {
            Signal::Enter => point(PointerKind::Enter),
            Signal::Leave => point(PointerKind::Leave),
            Signal::Down => point(PointerKind::Down),
            Signal::Up => point(PointerKind::Up),
            Signal::Move => point(PointerKind::Move),
            Signal::Click => point(PointerKind::Click),
            Signal::Focus => Input::Focus(first),
            Signal::Blur => Input::Blur(first),
            Signal::KeyDown(index) => {
                word = key(index);
                Input::KeyDown(&word)
            }
            Signal::KeyUp(index) => {
                word = key(index);
                Input::KeyUp(&word)
            }
            Signal::Custom(index) => {
                word = text::custom(index);
                Input::Custom { name: &word, targets: &targets }
            }
        };
        self.heard = self.instance.send(&sent).map_err(|error| show(&error))?;
        Ok(())
    }

    /// The state of each machine.
    #[must_use]
    pub fn states(&self) -> Vec<usize> {
        self.now(0).states
    }

    /// The crossfade of each machine.
    #[must_use]
    pub fn fades(&self) -> Vec<f64> {
        self.now(0).fades
    }

    /// The weight of each layer.
    #[must_use]
    pub fn levels(&self) -> Vec<f64> {
        self.now(0).levels
    }

    /// What is to be shown, with its key.
    #[must_use]
    pub fn shown(&self) -> Vec<(u32, Shown)> {
        self.now(0).shown
    }

    /// Whether an animation plays that actions and the host start.
    #[must_use]
    pub fn playing(&self, animation: usize) -> bool {
        self.instance.playing(self.parts[0].ids.animations[animation])
    }

    /// What the last tick reported.
    ///
    /// # Errors
    /// An event that the model does not know.
    pub fn events(&self) -> Result<Vec<Counted>, String> {
        self.events_of(0)
    }

    /// The parts directly inside one.
    #[must_use]
    pub fn inside(&self, part: usize) -> Vec<usize> {
        self.parts[part].inside.clone()
    }

    /// What a part is like.
    #[must_use]
    pub fn now(&self, part: usize) -> Now {
        let Part { id, ids, .. } = &self.parts[part];
        let Some(it) = self.instance.component(*id) else { unreachable!("it was found") };
        let leaf = |(number, id): (usize, &MachineId)| {
            let state = it.state(*id);
            ids.states[number].iter().position(|known| Some(*known) == state).unwrap_or(usize::MAX)
        };
        let shown = it.samples().filter(|sample| sample.component == *id).map(|sample| {
            let layer = ids.layers.iter().position(|known| *known == sample.layer).unwrap_or(usize::MAX);
            let shown = Shown {
                layer,
                animation: ids.animation(sample.animation),
                weight: f64::from(sample.weight),
                time: f64::from(sample.time),
            };
            (sample.key, shown)
        });
        Now {
            states: ids.machines.iter().enumerate().map(leaf).collect(),
            fades: ids.machines.iter().map(|id| f64::from(it.fade(*id))).collect(),
            levels: ids.layers.iter().map(|id| f64::from(it.layer_weight(*id))).collect(),
            shown: shown.collect(),
            properties: ids.properties.iter().map(|id| id.and_then(|id| number(it.property(id)))).collect(),
        }
    }

    /// What the last tick reported of a part.
    ///
    /// # Errors
    /// An event that the model does not know.
    pub fn events_of(&self, part: usize) -> Result<Vec<Counted>, String> {
        let Part { id, ids, .. } = &self.parts[part];
        let found = self.program.at(ids.behavior).ok_or("no behavior")?;
        let number = |name: &str| name[1..].parse::<usize>().unwrap_or(usize::MAX);
        let machine =
            |id: MachineId| ids.machines.iter().position(|known| *known == id).unwrap_or(usize::MAX);
        let state = |of: MachineId, id: StateId| {
            let states = ids.states.get(machine(of));
            states.and_then(|states| states.iter().position(|known| *known == id)).unwrap_or(usize::MAX)
        };
        let animation = |id| ids.animation(id);
        let tell = |kind: EventKind| {
            Some(match kind {
                EventKind::Enter { machine: of, state: id } => Kind::Enter(machine(of), state(of, id)),
                EventKind::Exit { machine: of, state: id } => Kind::Exit(machine(of), state(of, id)),
                EventKind::FadeStart { machine: of, from, to } => {
                    Kind::FadeStart(machine(of), state(of, from), state(of, to))
                }
                EventKind::FadeEnd { machine: of, from, to } => {
                    Kind::FadeEnd(machine(of), state(of, from), state(of, to))
                }
                EventKind::FadeCancel { machine: of, from, to } => {
                    Kind::FadeCancel(machine(of), state(of, from), state(of, to))
                }
                EventKind::Dropped { machine: of, state: id } => Kind::Dropped(machine(of), state(of, id)),
                EventKind::Play { animation: id } => Kind::Play(animation(id)),
                EventKind::Stop { animation: id } => Kind::Stop(animation(id)),
                EventKind::Defer { animation: id } => Kind::Defer(animation(id)),
                EventKind::Reject { animation: id } => Kind::Reject(animation(id)),
                EventKind::Finish { animation: id } => Kind::Finish(animation(id)),
                EventKind::Loop { animation: id } => Kind::Loop(animation(id)),
                EventKind::Marker { animation: id, marker } => {
                    Kind::Marker(animation(id), number(found.marker_name(marker)))
                }
                EventKind::SpanBegin { animation: id, span } => {
                    Kind::SpanBegin(animation(id), number(found.span_name(span)))
                }
                EventKind::SpanEnd { animation: id, span } => {
                    Kind::SpanEnd(animation(id), number(found.span_name(span)))
                }
                EventKind::Emit { emit } => Kind::Emit(number(found.emit_name(emit))),
                EventKind::ChainLimit { .. } => Kind::ChainLimit,
                EventKind::Audio { .. } | EventKind::Camera { .. } | EventKind::EventLimit => return None,
            })
        };
        let mut told = Vec::new();
        for event in self.frame.events().iter().filter(|event| event.component == *id) {
            let kind = tell(event.kind).ok_or_else(|| format!("{:?}", event.kind))?;
            told.push(Counted { event: Event { offset: f64::from(event.offset), kind }, count: event.count });
        }
        Ok(told)
    }
}

fn number(value: Value<'_>) -> Option<f64> {
    match value {
        Value::Number(value) => Some(f64::from(value)),
        _ => None,
    }
}

/// The parts of a behavior, itself first; `path` leads to it.
fn find_parts(
    behavior: &Behavior,
    root: BehaviorRef<'_>,
    path: &mut Vec<String>,
    parts: &mut Vec<Part>,
) -> Result<usize, String> {
    let id = match path.is_empty() {
        true => ComponentId::ROOT,
        false => root.component(&path.join(".")).map_err(|error| show(&error))?,
    };
    let found = if path.is_empty() { root } else { root.component_behavior(id).ok_or("no behavior")? };
    let place = parts.len();
    parts.push(Part { id, ids: Ids::find(behavior, found)?, inside: Vec::new() });
    for (index, component) in behavior.components.iter().enumerate() {
        path.push(text::component(index));
        let inside = find_parts(&component.behavior, root, path, parts)?;
        parts[place].inside.push(inside);
        path.pop();
    }
    Ok(place)
}
