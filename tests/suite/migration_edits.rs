//! Carrying instances through random edits of their source, tick by tick: what is there by name goes on, the report
//! tells the rest and only the rest, and what comes of it runs.
//!
//! What is expected is worked out from the drafts of the sources, not from programs. `MOTIX_RUNS=n` edits n times as much.

use std::collections::BTreeSet;
use std::sync::Arc;

use motix_tests::edits::{self, Draft, Motion, Ty};
use motix_tests::model::real::program;
use motix_tests::random::Random;
use motix_vm::ids::{ComponentId, MachineId, StateId};
use motix_vm::program::BehaviorRef;
use motix_vm::{ComponentRef, EventKind, Frame, Instance, Program, Setup, StopMode, Value};

use crate::model::runs;

/// What a run of edits has seen.
#[derive(Debug, Default)]
struct Seen {
    migrations: u32,
    refused: u32,
    lossless: u32,
    kept_fades: u32,
    kept_states: u32,
}

/// A part of an instance and its draft.
struct Part<'p> {
    path: String,
    draft: &'p Draft,
    file: &'p [Draft],
    part: ComponentRef<'p>,
    names: BehaviorRef<'p>,
}

/// Each component of a draft: its path and its position in the file.
fn paths(file: &[Draft], at: usize, before: &str, all: &mut Vec<(String, usize)>) {
    for component in &file[at].components {
        let path = format!("{before}{}", component.name);
        all.push((path.clone(), component.of));
        paths(file, component.of, &format!("{path}."), all);
    }
}

fn parts<'p>(file: &'p [Draft], instance: &'p Instance) -> Vec<Part<'p>> {
    let mut all = vec![(String::new(), file.len() - 1)];
    paths(file, file.len() - 1, "", &mut all);
    let names = instance.program().at(instance.behavior()).unwrap_or_else(|| panic!("a behavior"));
    let part = |(path, at): (String, usize)| {
        let id = if path.is_empty() {
            ComponentId::ROOT
        } else {
            names.component(&path).unwrap_or_else(|error| panic!("{error}"))
        };
        let part = instance.component(id).unwrap_or_else(|| panic!("{path}"));
        let names = names.component_behavior(id).unwrap_or_else(|| panic!("{path}"));
        Part { path, draft: &file[at], file, part, names }
    };
    all.into_iter().map(part).collect()
}

impl Part<'_> {
    fn machine(&self, layer: Option<&str>) -> Option<MachineId> {
        layer.map_or_else(|| self.names.main_machine(), |layer| self.names.machine(layer).ok())
    }

    fn leaf(&self, machine: MachineId) -> String {
        self.part.state(machine).map_or(String::new(), |state| self.names.state_path(state))
    }

    fn states(&self, layer: Option<&str>) -> Option<&[edits::State]> {
        self.draft.machines().find(|(name, _)| *name == layer).map(|(_, states)| states)
    }

    fn layer(&self, layer: Option<&str>) -> String {
        layer.unwrap_or(&self.draft.layers[0].name).to_owned()
    }

    /// A name as the report has it.
    fn told(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    fn told_state(&self, layer: Option<&str>, path: &str) -> String {
        self.told(&layer.map_or_else(|| path.to_owned(), |layer| format!("{layer}.{path}")))
    }

    /// The innermost state around a leaf that has a motion, with it.
    fn owner(&self, layer: Option<&str>, leaf: &str) -> Option<(String, Motion)> {
        let states = self.states(layer)?;
        let mut path = leaf;
        loop {
            let own = self.layer(layer);
            match edits::motion(self.draft, &edits::at(states, path)?.motion, &own) {
                Motion::None => path = path.rsplit_once('.')?.0,
                motion => return Some((path.to_owned(), motion)),
            }
        }
    }

    /// What the machine shows in all, without what actions started.
    fn sum(&self, layer: Option<&str>) -> f64 {
        let layer = self.names.layer(&self.layer(layer)).unwrap_or_else(|error| panic!("{error}"));
        let own = self.part.own_samples().filter(|sample| sample.layer == layer);
        let moved = own.filter(|sample| self.names.animation_name(sample.animation).starts_with('A'));
        moved.map(|sample| f64::from(sample.weight)).sum()
    }

    /// Whether every state of a machine has motions of one whole weight.
    fn is_whole(&self, layer: Option<&str>) -> bool {
        fn whole(part: &Part<'_>, layer: &str, states: &[edits::State], around: bool) -> bool {
            states.iter().all(|state| match edits::motion(part.draft, &state.motion, layer) {
                Motion::Empty | Motion::Direct(_) => false,
                Motion::None => {
                    if state.inner.is_empty() {
                        around
                    } else {
                        whole(part, layer, &state.inner, around)
                    }
                }
                _ => whole(part, layer, &state.inner, true),
            })
        }
        // Machines without a layer of their own may share one: then sums say nothing.
        let own = self.layer(layer);
        let alone = self.draft.machines().filter(|(name, _)| self.layer(*name) == own).count() == 1;
        alone && whole(self, &own, self.states(layer).unwrap_or_default(), false)
    }

    fn place(&self, animation: &str) -> Option<String> {
        let row = self.draft.animation(animation)?;
        let layer = self.draft.layers.iter().find(|layer| layer.name == row.layer);
        Some(match row.group {
            Some(group) => format!("G{group}"),
            None => layer.unwrap_or(&self.draft.layers[0]).name.clone(),
        })
    }

    /// Whether a motion of any state plays an animation.
    fn moves(&self, animation: &str) -> bool {
        fn moves(part: &Part<'_>, layer: &str, states: &[edits::State], animation: &str) -> bool {
            states.iter().any(|state| {
                let motion = edits::motion(part.draft, &state.motion, layer);
                motion.clips().iter().any(|clip| clip == animation)
                    || moves(part, layer, &state.inner, animation)
            })
        }
        self.draft.machines().any(|(layer, states)| moves(self, &self.layer(layer), states, animation))
    }

    fn playing(&self) -> Vec<String> {
        let all = self.draft.animations.iter().map(|row| row.name.clone());
        let id = |name: &str| self.names.animation(name).unwrap_or_else(|error| panic!("{error}"));
        all.filter(|name| self.part.playing(id(name))).collect()
    }

    /// Whether a component's parameter is bound in the behavior around it.
    fn is_bound(&self, param: &str, parts: &[Part<'_>]) -> bool {
        let (around, name) = self.path.rsplit_once('.').unwrap_or(("", &self.path));
        let outer = parts.iter().find(|part| part.path == around && !self.path.is_empty());
        let inward = outer.is_some_and(|outer| {
            let rows = outer.draft.components.iter().filter(|row| row.name == name);
            rows.flat_map(|row| edits::binds(outer.draft, self.draft, row)).any(|bind| bind.inner == param)
        });
        let outward = self.draft.components.iter().any(|row| {
            let binds = edits::binds(self.draft, &self.file[row.of], row);
            binds.iter().any(|bind| bind.outer == param)
        });
        inward || outward
    }
}

/// What must be in a report and what may be.
#[derive(Debug, Default)]
struct Expected {
    must: BTreeSet<(String, String)>,
    may: BTreeSet<(String, String)>,
}

impl Expected {
    fn must(&mut self, what: &str, name: String) {
        self.must.insert((what.to_owned(), name));
    }

    fn may(&mut self, what: &str, name: String) {
        self.may.insert((what.to_owned(), name));
    }
}

/// Compares an instance with what became of it; gives what is wrong.
fn judge(
    old: &[Part<'_>],
    new: &[Part<'_>],
    report: &motix_vm::MigrationReport,
    seen: &mut Seen,
) -> Result<(), String> {
    let mut expected = Expected::default();
    let told: BTreeSet<(String, String)> =
        report.lost.iter().map(|lost| (lost.what.to_owned(), lost.name.clone())).collect();
    if told.len() != report.lost.len() {
        return Err("something is told twice".into());
    }
    for was in old {
        let Some(is) = new.iter().find(|part| part.path == was.path) else {
            expected.must("component", was.path.clone());
            continue;
        };
        params(was, is, new, &mut expected)?;
        for (layer, _) in was.draft.machines() {
            machine(was, is, layer, &told, &mut expected, seen)?;
        }
        for layer in &was.draft.layers {
            if is.draft.layers.iter().any(|other| other.name == layer.name) {
                let weight = |part: &Part<'_>| {
                    part.names.layer(&layer.name).map_or(-1.0, |id| part.part.layer_weight(id))
                };
                if weight(was) != weight(is) {
                    return Err(format!("{}: the weight of layer {}", was.path, layer.name));
                }
            } else {
                expected.must("layer", was.told(&layer.name));
            }
        }
        plays(was, is, &told, &mut expected)?;
    }
    for lost in &told {
        if lost.0.starts_with("all but") {
            return Err(format!("{lost:?}"));
        }
        if !expected.must.contains(lost) && !expected.may.contains(lost) {
            return Err(format!("{lost:?} is told and was not to be lost"));
        }
    }
    if let Some(lost) = expected.must.iter().find(|lost| !told.contains(*lost)) {
        return Err(format!("{lost:?} is not told"));
    }
    seen.lossless += u32::from(told.is_empty());
    Ok(())
}

/// A value by what it is called.
fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Variant { name, .. } => (*name).to_owned(),
        other => format!("{other:?}"),
    }
}

fn params(was: &Part<'_>, is: &Part<'_>, new: &[Part<'_>], expected: &mut Expected) -> Result<(), String> {
    for param in &was.draft.params {
        let value = was.part.get_by_name(&param.name).map_err(|error| error.to_string())?;
        let other = is.draft.param(&param.name).filter(|other| other.ty.is_like(&param.ty));
        let wanted = match (&value, other.map(|other| &other.ty)) {
            (_, None) => None,
            (Value::Variant { name, .. }, Some(Ty::Mood(variants))) if !variants.contains(name) => None,
            (Value::Number(number), Some(Ty::Number(min, max))) => {
                Some(shown(&Value::Number(number.clamp(*min as f32, *max as f32))))
            }
            _ => Some(shown(&value)),
        };
        let Some(wanted) = wanted else {
            expected.must("parameter", was.told(&param.name));
            continue;
        };
        let found = is.part.get_by_name(&param.name).map_err(|error| error.to_string())?;
        if wanted != shown(&found) && !is.is_bound(&param.name, new) {
            return Err(format!("{}: {} was {value:?} and is {found:?}", was.path, param.name));
        }
    }
    Ok(())
}

fn machine(
    was: &Part<'_>,
    is: &Part<'_>,
    layer: Option<&str>,
    told: &BTreeSet<(String, String)>,
    expected: &mut Expected,
    seen: &mut Seen,
) -> Result<(), String> {
    let Some(machine) = was.machine(layer) else { return Err("no machine".into()) };
    let (Some(now), Some(states)) = (is.machine(layer), is.states(layer)) else {
        match layer {
            Some(layer) => expected.must("machine of the layer", was.told(layer)),
            None => expected.must("main machine of", was.told(was.names.name())),
        }
        return Ok(());
    };
    let path = was.leaf(machine);
    let place = format!("{} {layer:?} in {path}", was.path);
    let mut around = Some(path.as_str());
    while around.is_some_and(|path| edits::at(states, path).is_none()) {
        around = around.and_then(|path| path.rsplit_once('.')).map(|(outer, _)| outer);
    }
    let wanted = match around {
        Some(path) => edits::leaf(states, path),
        None => edits::leaf(states, &states[0].name),
    };
    let leaf = is.leaf(now);
    if leaf != wanted {
        return Err(format!("{place}: is in {leaf}, not in {wanted}"));
    }
    if leaf == path {
        seen.kept_states += 1;
        if was.part.elapsed(machine) != is.part.elapsed(now) {
            return Err(format!("{place}: time in state"));
        }
    } else {
        expected.must("state", was.told_state(layer, &path));
    }
    // Requests, and reports that one was dropped, are of any state of the machine.
    let inside = |name: &str| {
        let own = if was.path.is_empty() { Some(name) } else { name.strip_prefix(&format!("{}.", was.path)) };
        let own =
            own.and_then(|name| layer.map_or(Some(name), |layer| name.strip_prefix(&format!("{layer}."))));
        own.filter(|name| edits::at(was.states(layer).unwrap_or_default(), name).is_some()).map(str::to_owned)
    };
    for (what, name) in told {
        let gone = || inside(name).is_some_and(|name| edits::at(states, &name).is_none());
        if matches!(what.as_str(), "request of the state" | "report of") && gone() {
            expected.may(what, name.clone());
        }
    }
    let (before, after) = (was.owner(layer, &path), is.owner(layer, &leaf));
    let same = before.as_ref().map(|(path, _)| path) == after.as_ref().map(|(path, _)| path);
    let clips = |owner: &Option<(String, Motion)>| {
        owner.as_ref().map(|(_, motion)| motion.clips().to_vec()).unwrap_or_default()
    };
    let alike = clips(&before) == clips(&after);
    if let Some((owner, _)) = before.as_ref().filter(|_| !same || !alike) {
        expected.must("motion of the state", was.told_state(layer, owner));
    }
    let faded = |(what, name): &&(String, String)| what == "crossfade to the state" && inside(name).is_some();
    let lost: Vec<_> = told.iter().filter(faded).collect();
    let (fading, goes_on) = (was.part.fade(machine) < 1.0, is.part.fade(now) < 1.0);
    if fading {
        seen.kept_fades += u32::from(goes_on);
        lost.iter().for_each(|(what, name)| expected.may(what, name.clone()));
        let unchanged = was.states(layer).map(|states| format!("{states:?}")) == Some(format!("{states:?}"));
        if unchanged && same && alike && lost.is_empty() != goes_on {
            return Err(format!("{place}: the fade goes on ({goes_on}), told {lost:?}"));
        }
        if goes_on && was.part.fade(machine) != is.part.fade(now) {
            return Err(format!("{place}: the fade is at another place"));
        }
    } else if goes_on {
        return Err(format!("{place}: a fade that there was not"));
    }
    if was.is_whole(layer) && is.is_whole(layer) && (was.sum(layer) - 1.0).abs() < 1e-4 {
        let sum = is.sum(layer);
        if (sum - 1.0).abs() > 1e-4 {
            return Err(format!("{place}: weights sum to {sum}"));
        }
    }
    Ok(())
}

fn plays(
    was: &Part<'_>,
    is: &Part<'_>,
    told: &BTreeSet<(String, String)>,
    expected: &mut Expected,
) -> Result<(), String> {
    let (before, after) = (was.playing(), is.playing());
    if let Some(name) = after.iter().find(|name| !before.contains(*name)) {
        return Err(format!("{}: {name} plays and did not", was.path));
    }
    for name in &before {
        let Some(place) = is.place(name) else {
            expected.must("animation", was.told(name));
            continue;
        };
        let rivals = || before.iter().filter(|other| is.place(other).as_ref() == Some(&place));
        let free = rivals().count() == 1;
        let kept = after.contains(name);
        if free && !kept {
            return Err(format!("{}: {name} does not play any more", was.path));
        }
        if rivals().filter(|name| after.contains(name)).count() != 1 {
            return Err(format!("{}: {place} is held by more or less than one", was.path));
        }
        if !kept {
            expected.must("animation", was.told(name));
        }
        let (old, new) = (was.names.animation(name), is.names.animation(name));
        if let (Ok(old), Ok(new), true) = (old, new, kept)
            && name.starts_with('X')
            && was.part.phase(old) != is.part.phase(new)
        {
            return Err(format!("{}: {name} is at another place", was.path));
        }
    }
    // What fades out, and what waits.
    for row in &was.draft.animations {
        let name = was.told(&row.name);
        let gone = is.draft.animation(&row.name).is_none();
        // What fades out in a machine is the clip of a motion.
        if gone {
            expected.may("report of", name.clone());
        }
        if gone && !before.contains(&row.name) || !is.moves(&row.name) {
            expected.may("animation", name.clone());
        }
        if told.contains(&("waiting animation".to_owned(), name.clone())) {
            let moved = row.group.is_none_or(|group| is.place(&row.name) != Some(format!("G{group}")));
            let free = row
                .group
                .is_some_and(|group| !after.iter().any(|other| is.place(other) == Some(format!("G{group}"))));
            if gone || moved || free || after.contains(&row.name) {
                expected.may("waiting animation", name);
            }
        }
    }
    Ok(())
}

/// What a host does between ticks, at random.
fn host(random: &mut Random, file: &[Draft], instance: &mut Instance) {
    let mut all = vec![(String::new(), file.len() - 1)];
    paths(file, file.len() - 1, "", &mut all);
    let names = instance.program().clone();
    let names = names.at(instance.behavior()).unwrap_or_else(|| panic!("a behavior"));
    for _ in 0..random.below(5) {
        let (path, at) = all[random.below(all.len())].clone();
        let draft = &file[at];
        let id = if path.is_empty() { Some(ComponentId::ROOT) } else { names.component(&path).ok() };
        let id = id.unwrap_or_else(|| panic!("{path}"));
        let inside = names.component_behavior(id).unwrap_or_else(|| panic!("{path}"));
        let mut part = instance.component_mut(id).unwrap_or_else(|| panic!("{path}"));
        let animation = random.pick(&draft.animations).map(|row| row.name.clone()).unwrap_or_default();
        let result = match random.below(10) {
            0 => inside.animation(&animation).map(|id| part.stop(id, StopMode::FadeOut).is_ok()),
            1 | 2 if animation.starts_with('X') => {
                inside.animation(&animation).map(|id| part.play(id).is_ok())
            }
            3 => {
                let states: Vec<StateId> =
                    (0..inside.rows().states.len()).filter_map(StateId::from_index).collect();
                Ok(random.pick(&states).is_none_or(|state| part.request(*state, 0).is_ok()))
            }
            _ => {
                let Some(param) = random.pick(&draft.params) else { continue };
                let name = param.name.as_str();
                Ok(match &param.ty {
                    Ty::Flag => part.set(name, random.below(2) == 0),
                    Ty::Number(..) => part.set(name, random.below(12) as f32),
                    Ty::Trigger(_) => inside.trigger(name).map(|id| part.fire(id)).unwrap_or(Ok(())),
                    Ty::Text => part.set(name, ["none", "one", "calm"][random.below(3)]),
                    Ty::Mood(variants) => part.set(name, variants[random.below(variants.len())]),
                    Ty::Color => Ok(()),
                }
                .is_ok())
            }
        };
        assert!(result.is_ok_and(|done| done), "{path} {draft:?}");
    }
}

/// Ticks, and looks whether what comes out can be.
fn tick(instance: &mut Instance, frame: &mut Frame, dt: f32, place: &dyn Fn() -> String) {
    instance.tick(dt, frame).unwrap_or_else(|error| panic!("{error}"));
    for sample in instance.samples() {
        assert!(sample.weight > 0.0 && sample.weight <= 1.0, "{}: {sample:?}", place());
    }
    // Entry and exit actions run where a state is entered or left, and only there.
    let program = instance.program().clone();
    let names = program.at(instance.behavior()).unwrap_or_else(|| panic!("a behavior"));
    let mut open: Vec<(u32, String)> = Vec::new();
    for event in frame.events() {
        let Some(inside) = names.component_behavior(event.component) else { panic!("a component") };
        match event.kind {
            EventKind::Enter { state, .. } => {
                open.push((event.component.0, format!("in_{}", inside.state_name(state))));
            }
            EventKind::Exit { state, .. } => {
                open.push((event.component.0, format!("out_{}", inside.state_name(state))));
            }
            EventKind::Emit { emit } => {
                let name = inside.emit_name(emit);
                if name.starts_with("in_") || name.starts_with("out_") {
                    let found = open.iter().position(|known| *known == (event.component.0, name.to_owned()));
                    let found = found.unwrap_or_else(|| panic!("{}: {name} of a state that stays", place()));
                    open.remove(found);
                }
            }
            _ => {}
        }
    }
    assert!(open.is_empty(), "{}: {open:?} did not run", place());
}

fn behavior(program: &Arc<Program>) -> motix_vm::ids::BehaviorId {
    program.find(edits::NAME).unwrap_or_else(|error| panic!("{error}")).id()
}

/// Works on one file for so many edits that compile.
fn work(seed: u64, edits: u32, seen: &mut Seen) {
    let mut random = Random::new(seed);
    let (mut file, first) = loop {
        let file = edits::fresh(&mut random);
        match program(&edits::source(&file)) {
            Ok(first) => break (file, first),
            Err(_) => seen.refused += 1,
        }
    };
    let mut instance = Instance::new(&first, behavior(&first), &Setup { seed, ..Setup::default() })
        .unwrap_or_else(|error| panic!("{error}"));
    let mut frame = Frame::new();
    let mut done = 0;
    while done < edits {
        let number = done;
        let place = || format!("seed {seed}, edit {number}");
        for _ in 0..random.below(4) {
            host(&mut random, &file, &mut instance);
            let dt = [0.0, 1.0 / 60.0, 0.05, 0.13, 0.4][random.below(5)];
            tick(&mut instance, &mut frame, dt, &place);
        }
        host(&mut random, &file, &mut instance);
        let mut changed = file.clone();
        let mut how = Vec::new();
        for _ in 0..1 + random.below(3) {
            how.push(edits::edit(&mut random, &mut changed));
        }
        let source = edits::source(&changed);
        let Ok(program) = program(&source) else {
            seen.refused += 1;
            continue;
        };
        done += 1;
        let (mut moved, report) = instance
            .migrate(&program, behavior(&program), &Setup::default())
            .unwrap_or_else(|error| panic!("{}: {error}", place()));
        let judged = judge(&parts(&file, &instance), &parts(&changed, &moved), &report, seen);
        if let Err(wrong) = judged {
            let place = place();
            panic!("{place}: {how:?}\n{}\n{source}\n{wrong}\ntold: {report}", edits::source(&file));
        }
        seen.migrations += 1;
        let save = moved.save();
        let mut other = Instance::new(&program, behavior(&program), &Setup::default())
            .unwrap_or_else(|error| panic!("{}: {error}", place()));
        other.restore(&save).unwrap_or_else(|error| panic!("{}: {error}", place()));
        tick(&mut moved, &mut frame, 0.0, &place);
        tick(&mut moved, &mut frame, 0.03, &place);
        (file, instance) = (changed, moved);
    }
}

#[test]
fn instances_live_through_edits_of_their_source() {
    let mut seen = Seen::default();
    for seed in runs(25) {
        work(seed, 12, &mut seen);
    }
    // A test that skips or loses everything tests nothing.
    assert!(seen.refused < seen.migrations, "{seen:?}");
    assert!(seen.lossless * 4 > seen.migrations && seen.kept_fades > 10, "{seen:?}");
    assert!(seen.kept_states > seen.migrations, "{seen:?}");
}
