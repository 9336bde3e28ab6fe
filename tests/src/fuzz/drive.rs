//! A host that does anything: calls in any order, with ids of anything, texts and numbers of any kind.
//!
//! After each call what must hold is checked, and that what was refused changed nothing.

use std::sync::Arc;

use motix_vm::ids::*;
use motix_vm::program::tables::Type;
use motix_vm::program::{BehaviorRef, Program};
use motix_vm::{
    Color, ComponentMut, Frame, Globals, Hit, Host, Input, Instance, PointerInput, PointerKind, Setup,
    StopMode, Value,
};

use super::beside::Beside;
use super::{Data, check};

/// The most calls.
const CALLS: usize = 64;
/// The most words of an instance that are compared after each call.
const COMPARED: usize = 1 << 14;
/// The most events of a tick.
pub(super) const EVENTS: usize = 2048;

/// A behavior of a program.
pub(super) type Of = (Arc<Program>, BehaviorId);

/// Makes an instance and calls it until the data is drawn; `other` is asked for behaviors to go on as.
///
/// # Panics
/// Where something is not as promised.
pub(super) fn drive(of: &Of, data: &mut Data<'_>, other: &mut dyn FnMut(&mut Data<'_>) -> Of) {
    let Some(mut world) = World::new(of, data) else { return };
    check::instance(&world.instance, &mut world.lists);
    for _ in 0..CALLS {
        if data.is_empty() {
            break;
        }
        world.step(data, other);
        check::instance(&world.instance, &mut world.lists);
    }
    for dt in [0.0, 0.1, 1.0, 1000.0] {
        world.tick(dt);
        check::instance(&world.instance, &mut world.lists);
    }
}

struct World {
    instance: Instance,
    frame: Frame,
    globals: Globals,
    saves: Vec<Vec<u8>>,
    answers: u8,
    /// Answers or the store changed since the last tick, which no instance can know.
    asked_anew: bool,
    lists: check::Lists,
    /// Where it is not too large.
    beside: Option<Beside>,
}

fn durations(behavior: BehaviorRef<'_>, data: &mut Data<'_>) -> Vec<(ComponentId, AnimationId, f32)> {
    let open = behavior.open_durations();
    open.map(|(component, animation)| (component, animation, data.pick(&[0.7, 0.0, 0.01, 3.0, 1e-6, 1e6])))
        .collect()
}

impl World {
    fn new((program, behavior): &Of, data: &mut Data<'_>) -> Option<Self> {
        let durations = durations(program.at(*behavior)?, data);
        let setup = Setup { seed: data.byte().into(), component_durations: &durations, ..Setup::default() };
        let instance = Instance::new(program, *behavior, &setup);
        let instance = instance.unwrap_or_else(|error| panic!("all durations are given: {error}"));
        let compared = instance.size_of_state() / 4 <= COMPARED;
        let beside = compared.then(|| Beside::new(&instance));
        Some(Self {
            instance,
            frame: Frame::with_limit(EVENTS),
            globals: Globals::new(),
            saves: Vec::new(),
            answers: data.byte(),
            asked_anew: true,
            lists: check::Lists::default(),
            beside,
        })
    }

    fn tick(&mut self, dt: f32) -> bool {
        let answers = self.answers;
        let mut answer = |_, id: ExternId| answers >> (id.0 % 8) & 1 != 0;
        if dt >= 0.0 && dt.is_finite() && !std::mem::take(&mut self.asked_anew) {
            check::settled(&self.instance, dt, &self.globals, &mut answer);
        }
        let mut globals = self.globals.clone();
        let mut host = Host { predicates: Some(&mut answer), globals: Some(&mut self.globals) };
        let ticked = self.instance.tick_with(dt, &mut host, &mut self.frame);
        assert_eq!(ticked.is_ok(), dt >= 0.0 && dt.is_finite(), "a tick of {dt}: {ticked:?}");
        if ticked.is_ok() {
            check::events(&self.frame, dt);
            if let Some(beside) = &mut self.beside {
                beside.tick(dt, &mut globals, &mut answer, &self.instance, &self.frame);
            }
        }
        ticked.is_ok()
    }

    fn step(&mut self, data: &mut Data<'_>, other: &mut dyn FnMut(&mut Data<'_>) -> Of) {
        let before = if self.beside.is_some() { self.instance.save() } else { Vec::new() };
        let what = data.below(16);
        let taken = match what {
            0 | 1 => {
                let dt = data.pick(&[1.0 / 60.0, 0.0, 0.1, 0.7, 5.0, 1e-6, 100.0, 1e6]);
                self.tick(dt)
            }
            2 => {
                let dt = data.number();
                self.tick(dt)
            }
            3 => {
                self.answers = data.byte();
                self.asked_anew = true;
                true
            }
            4 => self.global(data),
            5 => self.send(data),
            6 => {
                let pointer = data.byte();
                self.instance.cancel_pointer(pointer);
                true
            }
            7 => {
                self.saves.push(self.instance.save());
                true
            }
            8 => self.restore(data),
            9 => self.migrate(other(data), data),
            _ => self.command(data),
        };
        if let Some(beside) = &mut self.beside {
            assert!(taken || before == self.instance.save(), "what was refused changed something");
            if what > 2 {
                beside.follow(&before, &self.instance);
            }
        }
    }

    fn global(&mut self, data: &mut Data<'_>) -> bool {
        self.asked_anew = true;
        let program = self.instance.program().clone();
        let Some(behavior) = program.at(self.instance.behavior()) else { return false };
        let names: Vec<&str> =
            behavior.params().filter(|info| info.row.global).map(|info| info.name).collect();
        let Some(name) = names.get(data.below(names.len())) else { return true };
        if data.one_in(4) {
            self.globals.remove(name);
            return true;
        }
        // The store is not of the instance, whose state is compared.
        self.globals.set(name, value(data, behavior, None)).is_ok()
            || self.globals.get(name).is_none_or(|_| true)
    }

    /// A save as it was, or changed; what is taken must be a state that the instance can be in.
    fn restore(&mut self, data: &mut Data<'_>) -> bool {
        let at = data.below(self.saves.len());
        let Some(save) = self.saves.get(at) else { return true };
        let mut save = save.clone();
        let changes = data.below(6).saturating_sub(2);
        for _ in 0..changes {
            match data.below(8) {
                0 => save.truncate(data.below(save.len())),
                1 => save.push(data.byte()),
                2 => {
                    let at = data.below(save.len());
                    if let Some(byte) = save.get_mut(at) {
                        *byte ^= 1 << data.below(8);
                    }
                }
                _ => {
                    // A word; the head has 16 bytes.
                    let at = 16 + 4 * data.below(save.len().saturating_sub(16) / 4);
                    let word = if data.one_in(2) { data.bits() } else { data.number().to_bits() };
                    if let Some(place) = save.get_mut(at..at + 4) {
                        place.copy_from_slice(&word.to_le_bytes());
                    }
                }
            }
        }
        let restored = self.instance.restore(&save);
        if changes == 0 && restored.is_ok() {
            assert!(self.instance.save() == save, "a save comes back as it was");
        }
        restored.is_ok()
    }

    fn migrate(&mut self, (program, behavior): Of, data: &mut Data<'_>) -> bool {
        let Some(changed) = program.at(behavior) else { return false };
        let durations = durations(changed, data);
        let setup = Setup { seed: 1, component_durations: &durations, ..Setup::default() };
        let (instance, report) = self
            .instance
            .migrate(&program, behavior, &setup)
            .unwrap_or_else(|error| panic!("all durations are given: {error}"));
        let failed = report.lost.iter().find(|lost| lost.what.starts_with("all but"));
        assert!(failed.is_none(), "{failed:?}");
        self.instance = instance;
        self.saves.push(self.instance.save());
        true
    }

    fn send(&mut self, data: &mut Data<'_>) -> bool {
        let program = self.instance.program().clone();
        let Some(behavior) = program.at(self.instance.behavior()) else { return false };
        let mut names: Vec<String> = behavior.scene_targets().take(6).collect();
        names.extend(behavior.custom_inputs().take(4).map(str::to_owned));
        names.extend(["Enter", "nowhere", ""].map(str::to_owned));
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let place = |data: &mut Data<'_>| [0; 2].map(|_| data.number());
        let name = data.pick(&names);
        let mut hits = Vec::new();
        let targets = [name, data.pick(&names)];
        let input = match data.below(8) {
            0 => Input::Focus(name),
            1 => Input::Blur(name),
            2 => Input::KeyDown(name),
            3 => Input::KeyUp(name),
            4 => Input::Custom { name, targets: &targets[..data.below(3)] },
            _ => {
                use PointerKind::{Click, Down, Enter, Leave, Move, Up};
                let kind = data.pick(&[Down, Up, Move, Click, Enter, Leave]);
                for _ in 0..data.below(4) {
                    hits.push(Hit::new(data.pick(&names), place(data)));
                }
                let pointer = data.pick(&[0, 0, 1, 31, 32, 255]);
                Input::Pointer(PointerInput { kind, pointer, hits: &hits, scene: place(data) })
            }
        };
        let answers = self.answers;
        let mut answer = |_, id: ExternId| answers >> (id.0 % 8) & 1 != 0;
        let mut host = Host { predicates: Some(&mut answer), globals: Some(&mut self.globals) };
        self.instance.send_with(&input, &mut host).is_ok()
    }

    fn command(&mut self, data: &mut Data<'_>) -> bool {
        let program = self.instance.program().clone();
        let Some(own) = program.at(self.instance.behavior()) else { return false };
        let parts = own.components().count();
        let id = ComponentId(data.below(parts + 2) as u32);
        match (self.instance.component_mut(id), own.component_behavior(id)) {
            (Some(part), Some(behavior)) => command(part, behavior, data),
            (None, None) => true,
            (part, _) => panic!("{id:?} is a component for one and not for the other: {part:?}"),
        }
    }
}

/// A value for a parameter of that type, or of any.
fn value<'p>(data: &mut Data<'_>, behavior: BehaviorRef<'p>, ty: Option<Type>) -> Value<'p> {
    let any = [Type::Bool, Type::Number, Type::Trigger, Type::Text, Type::Color, Type::Enum(EnumId(0))];
    match ty.filter(|_| !data.one_in(8)).unwrap_or_else(|| data.pick(&any)) {
        Type::Bool => Value::Bool(data.one_in(2)),
        Type::Number => Value::Number(data.number()),
        Type::Trigger => Value::Trigger(!data.one_in(4)),
        Type::Text => Value::Text(data.pick(&["none", "", "given by the host", "another"])),
        Type::Color => Value::Color(Color::from_word(data.bits())),
        Type::Enum(id) => {
            let index = data.byte().into();
            let name = behavior.variants(id).nth(data.below(4)).unwrap_or("no variant");
            if data.one_in(2) { Value::Text(name) } else { Value::Variant { index, name } }
        }
    }
}

/// A command to a part of an instance, with ids of its behavior and a few beyond.
fn command(mut part: ComponentMut<'_>, behavior: BehaviorRef<'_>, data: &mut Data<'_>) -> bool {
    let rows = behavior.rows();
    let mut index = |len: usize| data.below(len + 2) as u16;
    let (animation, state, group) =
        (index(rows.animations.len()), index(rows.states.len()), index(rows.groups.len()));
    let (tag, layer) = (index(rows.tags.len()), index(rows.layers.len()));
    let mode = if data.one_in(2) { StopMode::Immediate } else { StopMode::FadeOut };
    match data.below(12) {
        0 | 1 => part.play(AnimationId(animation)).is_ok(),
        2 => part.stop(AnimationId(animation), mode).is_ok(),
        3 => part.stop_group(GroupId(group), mode).is_ok(),
        4 => part.play_tag(TagId(tag)).is_ok(),
        5 => part.stop_tag(TagId(tag), mode).is_ok(),
        6 => part.request(StateId(state), data.bits() as i32).is_ok(),
        7 => part.set_layer_target(LayerId(layer), data.number()).is_ok(),
        _ => {
            let at = data.below(rows.params.len());
            match behavior.params().nth(at).filter(|_| !data.one_in(16)) {
                Some(info) => part.set(info.name, value(data, behavior, Some(info.ty))).is_ok(),
                None => part.set("no such parameter", value(data, behavior, None)).is_ok(),
            }
        }
    }
}
