//! Makes up drafts, and edits them: one thing is added, removed, renamed, moved or set.

use super::*;
use crate::random::Random;

const VARIANTS: [&str; 4] = ["calm", "angry", "sad", "gone"];

struct Editor<'r> {
    random: &'r mut Random,
}

/// A file of three behaviors: one that is a component of the second and of the last, and the second of the last.
#[must_use]
pub fn fresh(random: &mut Random) -> File {
    let mut editor = Editor { random };
    let mut file: File = Vec::new();
    for (index, name) in ["Inner", "Outer", NAME].into_iter().enumerate() {
        let mut draft = editor.draft(name);
        for number in 0..index {
            let of = editor.random.below(index);
            draft.components.push(Component { name: format!("c{number}"), of, binds: Vec::new() });
        }
        file.push(draft);
    }
    for _ in 0..6 {
        editor.bind(&mut file);
    }
    file
}

/// Edits one thing; says what.
pub fn edit(random: &mut Random, file: &mut File) -> &'static str {
    let mut editor = Editor { random };
    let index = editor.random.below(file.len() + 2).min(file.len() - 1);
    match editor.random.below(20) {
        0 => editor.param(&mut file[index]),
        1 => editor.type_of(&mut file[index]),
        2 => editor.rename_param(file, index),
        3 => editor.layer(&mut file[index]),
        4 => editor.animation(&mut file[index]),
        5 => editor.timing(&mut file[index]),
        6 => editor.rename_animation(&mut file[index]),
        7 | 8 => editor.add_state(&mut file[index]),
        9 => editor.remove_state(&mut file[index]),
        10 => editor.rename_state(&mut file[index]),
        11 | 12 => editor.nest(&mut file[index]),
        13 => editor.unnest(&mut file[index]),
        14 | 15 => editor.motion_of(&mut file[index]),
        16 | 17 => editor.transition_of(&mut file[index]),
        18 => editor.component(file, index),
        _ => editor.bind(file),
    }
}

/// The states of one of the machines.
fn machine(draft: &mut Draft, which: usize) -> &mut Vec<State> {
    match draft.layers.iter().position(|layer| !layer.states.is_empty()) {
        Some(layer) if which.is_multiple_of(3) => &mut draft.layers[layer].states,
        _ => &mut draft.states,
    }
}

/// The layer of the same machine.
fn layer_of(draft: &Draft, which: usize) -> String {
    let own = draft.layers.iter().find(|layer| !layer.states.is_empty() && which.is_multiple_of(3));
    own.unwrap_or(&draft.layers[0]).name.clone()
}

/// The state of that number, counted outward first; what is done with it.
fn with_state<R>(
    states: &mut [State],
    number: &mut usize,
    act: &mut dyn FnMut(&mut State) -> R,
) -> Option<R> {
    for state in states {
        if *number == 0 {
            return Some(act(state));
        }
        *number -= 1;
        if let Some(done) = with_state(&mut state.inner, number, act) {
            return Some(done);
        }
    }
    None
}

fn count(states: &[State]) -> usize {
    states.iter().map(|state| 1 + count(&state.inner)).sum()
}

fn names(states: &[State], all: &mut Vec<String>) {
    for state in states {
        all.push(state.name.clone());
        names(&state.inner, all);
    }
}

/// Takes a state out of where it stands; a machine and a composite keep their last one.
fn take(states: &mut Vec<State>, name: &str) -> Option<State> {
    if let Some(at) = states.iter().position(|state| state.name == name) {
        return if states.len() > 1 { Some(states.remove(at)) } else { None };
    }
    states.iter_mut().find_map(|state| {
        if state.inner.len() == 1 && state.inner[0].name == name {
            return state.inner.pop();
        }
        take(&mut state.inner, name)
    })
}

impl Editor<'_> {
    fn below(&mut self, end: usize) -> usize {
        self.random.below(end)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn of<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        &list[self.below(list.len())]
    }

    /// A name that is not in use; there are so few that they come back.
    fn name(&mut self, letter: char, most: usize, used: &[String]) -> Option<String> {
        let first = self.below(most);
        let mut all = (first..most).chain(0..first).map(|number| format!("{letter}{number}"));
        all.find(|name| !used.contains(name))
    }

    fn ty(&mut self) -> Ty {
        match self.below(7) {
            0 | 1 => Ty::Flag,
            2 => Ty::Number(0.0, *self.of(&[1.0, 3.0, 10.0])),
            3 => Ty::Trigger(*self.of(&[0.0, 0.0, 0.2, 5.0])),
            4 => Ty::Text,
            5 => {
                let first = self.below(2);
                Ty::Mood(VARIANTS[first..first + 2 + self.below(2)].to_vec())
            }
            _ => Ty::Color,
        }
    }

    fn draft(&mut self, name: &str) -> Draft {
        let mut draft = Draft {
            name: name.to_owned(),
            params: Vec::new(),
            layers: vec![Layer { name: "L0".into(), base_weight: 1.0, states: Vec::new() }],
            animations: Vec::new(),
            states: Vec::new(),
            components: Vec::new(),
            smooth: Some("p1".into()),
        };
        for _ in 0..5 {
            self.add_param(&mut draft);
        }
        for _ in 0..6 {
            self.add_animation(&mut draft);
        }
        for _ in 0..3 {
            self.add_state(&mut draft);
        }
        if self.chance(60) {
            self.layer(&mut draft);
        }
        for _ in 0..4 {
            self.nest(&mut draft);
            self.transition_of(&mut draft);
            self.transition_of(&mut draft);
        }
        draft
    }

    fn add_param(&mut self, draft: &mut Draft) {
        let used: Vec<String> = draft.params.iter().map(|param| param.name.clone()).collect();
        if let Some(name) = self.name('p', 9, &used) {
            let ty = self.ty();
            draft.params.push(Param { name, ty });
        }
    }

    fn param(&mut self, draft: &mut Draft) -> &'static str {
        if draft.params.len() > 3 && self.chance(50) {
            let at = self.below(draft.params.len());
            draft.params.remove(at);
            return "remove a parameter";
        }
        self.add_param(draft);
        "add a parameter"
    }

    fn type_of(&mut self, draft: &mut Draft) -> &'static str {
        let ty = self.ty();
        if let Some(param) = self.random.pick(&draft.params).map(|param| param.name.clone()) {
            draft.params.iter_mut().filter(|row| row.name == param).for_each(|row| row.ty = ty.clone());
        }
        "change a parameter's type"
    }

    fn rename_param(&mut self, file: &mut File, index: usize) -> &'static str {
        let draft = &mut file[index];
        let used: Vec<String> = draft.params.iter().map(|param| param.name.clone()).collect();
        if let (Some(new), Some(old)) = (self.name('p', 9, &used), self.random.pick(&used)) {
            draft.params.iter_mut().filter(|row| row.name == *old).for_each(|row| row.name = new.clone());
            for component in &mut draft.components {
                component
                    .binds
                    .iter_mut()
                    .filter(|row| row.outer == *old)
                    .for_each(|row| row.outer = new.clone());
            }
        }
        "rename a parameter"
    }

    fn layer(&mut self, draft: &mut Draft) -> &'static str {
        if draft.layers.len() > 1 && self.chance(40) {
            let at = 1 + self.below(draft.layers.len() - 1);
            draft.layers.remove(at);
            return "remove a layer";
        }
        if draft.layers.len() > 1 && self.chance(30) {
            let last = draft.layers.len() - 1;
            draft.layers.swap(1, last);
            return "move a layer";
        }
        let used: Vec<String> = draft.layers.iter().map(|layer| layer.name.clone()).collect();
        if let Some(name) = self.name('L', 4, &used) {
            let base_weight = *self.of(&[1.0, 0.5]);
            let own = self.chance(50) && draft.layers.iter().all(|layer| layer.states.is_empty());
            draft.layers.push(Layer { name: name.clone(), base_weight, states: Vec::new() });
            if own {
                for _ in 0..2 {
                    let state = self.state(draft, &name);
                    if let Some(layer) = draft.layers.last_mut() {
                        layer.states.extend(state);
                    }
                }
            }
        }
        "add a layer"
    }

    fn add_animation(&mut self, draft: &mut Draft) {
        let used: Vec<String> = draft.animations.iter().map(|row| row.name.clone()).collect();
        let letter = *self.of(&['A', 'A', 'X']);
        if let Some(name) = self.name(letter, 6, &used) {
            let row = Animation {
                name,
                layer: self.of(&draft.layers).name.clone(),
                duration: *self.of(&[0.3, 0.7, 1.0, 2.0]),
                mode: *self.of(&[0, 1, 1, 2]),
                group: *self.of(&[None, Some(0), Some(1)]),
                min_duration: *self.of(&[0.0, 0.0, 0.4]),
                priority: self.below(3),
            };
            draft.animations.push(row);
        }
    }

    fn animation(&mut self, draft: &mut Draft) -> &'static str {
        if draft.animations.len() > 4 && self.chance(40) {
            let at = self.below(draft.animations.len());
            draft.animations.remove(at);
            return "remove an animation";
        }
        self.add_animation(draft);
        "add an animation"
    }

    fn timing(&mut self, draft: &mut Draft) -> &'static str {
        let (duration, mode) = (*self.of(&[0.3, 0.7, 1.0, 2.0]), *self.of(&[0, 1, 1, 2]));
        let (group, layer) = (*self.of(&[None, Some(0), Some(1)]), self.of(&draft.layers).name.clone());
        let at = self.below(draft.animations.len());
        let what = self.below(5);
        let Some(row) = draft.animations.get_mut(at) else { return "nothing" };
        match what {
            0 => row.mode = mode,
            1 => row.group = group,
            2 => row.min_duration = 0.4 - row.min_duration,
            3 => row.layer = layer,
            _ => row.duration = duration,
        }
        "change an animation"
    }

    fn rename_animation(&mut self, draft: &mut Draft) -> &'static str {
        let used: Vec<String> = draft.animations.iter().map(|row| row.name.clone()).collect();
        let at = self.below(draft.animations.len());
        let letter = used.get(at).and_then(|name| name.chars().next()).unwrap_or('A');
        if let (Some(name), Some(row)) = (self.name(letter, 6, &used), draft.animations.get_mut(at)) {
            row.name = name;
        }
        "rename an animation"
    }

    fn motion(&mut self, draft: &Draft, layer: &str) -> Motion {
        let own = |row: &&super::Animation| row.name.starts_with('A') && row.layer == layer;
        let clips: Vec<&super::Animation> = draft.animations.iter().filter(own).collect();
        if clips.is_empty() {
            return Motion::None;
        }
        let some = |editor: &mut Self| {
            let mut names: Vec<String> = Vec::new();
            for _ in 0..1 + editor.below(3) {
                let name = &editor.of(&clips).name;
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            names
        };
        match self.below(12) {
            0 => Motion::None,
            1 => Motion::Empty,
            2 | 3 => {
                let numbers: Vec<&Param> =
                    draft.params.iter().filter(|param| matches!(param.ty, Ty::Number(..))).collect();
                let input = self.random.pick(&numbers).map_or(String::from("p0"), |param| param.name.clone());
                Motion::Blend(input, some(self))
            }
            4 => Motion::Direct(some(self)),
            _ => Motion::Clip(self.of(&clips).name.clone()),
        }
    }

    fn state(&mut self, draft: &Draft, layer: &str) -> Option<State> {
        let mut used = Vec::new();
        names(&draft.states, &mut used);
        draft.layers.iter().for_each(|layer| names(&layer.states, &mut used));
        let name = self.name('S', 14, &used)?;
        let played: Vec<&String> =
            draft.animations.iter().map(|row| &row.name).filter(|name| name.starts_with('X')).collect();
        let plays =
            if self.chance(40) { self.random.pick(&played).map(|name| (*name).clone()) } else { None };
        let reacts = if self.chance(20) { self.random.pick(&draft.params) } else { None };
        let reacts = reacts.map(|param| param.name.clone());
        let motion = self.motion(draft, layer);
        Some(State { name, motion, inner: Vec::new(), history: 0, transitions: Vec::new(), plays, reacts })
    }

    fn add_state(&mut self, draft: &mut Draft) -> &'static str {
        let which = self.below(6);
        let layer = layer_of(draft, which);
        let Some(state) = self.state(draft, &layer) else { return "nothing" };
        let states = machine(draft, which);
        let at = self.random.below(states.len() + 1);
        states.insert(at, state);
        "add a state"
    }

    fn remove_state(&mut self, draft: &mut Draft) -> &'static str {
        let states = machine(draft, self.below(6));
        let mut all = Vec::new();
        names(states, &mut all);
        if let Some(name) = self.random.pick(&all) {
            take(states, name);
        }
        "remove a state"
    }

    fn rename_state(&mut self, draft: &mut Draft) -> &'static str {
        let mut used = Vec::new();
        names(&draft.states, &mut used);
        draft.layers.iter().for_each(|layer| names(&layer.states, &mut used));
        let Some(new) = self.name('S', 14, &used) else { return "nothing" };
        let states = machine(draft, self.below(6));
        let (mut number, mut old) = (self.random.below(count(states)), String::new());
        with_state(states, &mut number, &mut |state| old = std::mem::replace(&mut state.name, new.clone()));
        for index in 0..count(states) {
            with_state(states, &mut { index }, &mut |state| {
                let rows = state.transitions.iter_mut().filter(|row| row.target == old);
                rows.for_each(|row| row.target = new.clone());
            });
        }
        "rename a state"
    }

    /// Moves a state into another.
    fn nest(&mut self, draft: &mut Draft) -> &'static str {
        let history = self.below(3);
        let states = machine(draft, self.below(6));
        let mut all = Vec::new();
        names(states, &mut all);
        let Some(moved) = self.random.pick(&all).and_then(|name| take(states, name)) else {
            return "nothing";
        };
        let mut number = self.random.below(count(states));
        with_state(states, &mut number, &mut |state| {
            state.history = history;
            state.inner.push(moved.clone());
        });
        "nest a state"
    }

    fn unnest(&mut self, draft: &mut Draft) -> &'static str {
        let states = machine(draft, self.below(6));
        let mut all = Vec::new();
        names(states, &mut all);
        all.retain(|name| !states.iter().any(|state| state.name == *name));
        if let Some(state) = self.random.pick(&all).and_then(|name| take(states, name)) {
            let at = self.random.below(states.len() + 1);
            states.insert(at, state);
        }
        "unnest a state"
    }

    fn motion_of(&mut self, draft: &mut Draft) -> &'static str {
        let which = self.below(6);
        let layer = layer_of(draft, which);
        let motion = self.motion(draft, &layer);
        let states = machine(draft, which);
        let mut number = self.random.below(count(states));
        with_state(states, &mut number, &mut |state| state.motion = motion.clone());
        "change a motion"
    }

    fn transition_of(&mut self, draft: &mut Draft) -> &'static str {
        let inputs: Vec<String> = draft
            .params
            .iter()
            .filter(|param| matches!(param.ty, Ty::Flag | Ty::Trigger(_)))
            .map(|param| param.name.clone())
            .collect();
        let when = if self.chance(60) { self.random.pick(&inputs).cloned() } else { None };
        let states = machine(draft, self.below(6));
        let mut all = Vec::new();
        names(states, &mut all);
        let Some(target) = self.random.pick(&all).cloned() else { return "nothing" };
        let row = Transition {
            target,
            when,
            after: *self.of(&[0.05, 0.2, 0.5]),
            duration: *self.of(&[0.0, 0.2, 0.2, 0.6]),
            early_exit: self.chance(80),
            pause: self.chance(20),
        };
        let (mut number, drop) = (self.random.below(count(states)), self.chance(35));
        let at = self.below(8);
        with_state(states, &mut number, &mut |state| {
            if drop && !state.transitions.is_empty() {
                state.transitions.remove(at % state.transitions.len());
            } else if state.transitions.len() < 3 {
                state.transitions.push(row.clone());
            } else {
                state.transitions[at % 3] = row.clone();
            }
        });
        "change a transition"
    }

    fn component(&mut self, file: &mut File, index: usize) -> &'static str {
        if index == 0 {
            return "nothing";
        }
        let of = self.below(index);
        let draft = &mut file[index];
        if !draft.components.is_empty() && self.chance(40) {
            let at = self.below(draft.components.len());
            draft.components.remove(at);
            return "remove a component";
        }
        let used: Vec<String> = draft.components.iter().map(|row| row.name.clone()).collect();
        if let Some(name) = self.name('c', 3, &used) {
            draft.components.insert(0, Component { name, of, binds: Vec::new() });
        }
        "add a component"
    }

    /// Adds or removes a bind of parameters of one type.
    fn bind(&mut self, file: &mut File) -> &'static str {
        let index = 1 + self.below(file.len() - 1);
        let at = self.below(file[index].components.len());
        let Some(component) = file[index].components.get(at) else { return "nothing" };
        if !component.binds.is_empty() && self.chance(25) {
            file[index].components[at].binds.pop();
            return "remove a bind";
        }
        let inner = &file[component.of];
        let mut pairs = Vec::new();
        for outer in &file[index].params {
            let fits = inner.params.iter().filter(|param| param.ty.is_like(&outer.ty));
            pairs.extend(fits.map(|param| (outer.name.clone(), param.name.clone())));
        }
        if let Some((outer, inner)) = self.random.pick(&pairs).cloned() {
            let bind = Bind { outer, direction: self.below(3), inner };
            file[index].components[at].binds.push(bind);
        }
        "add a bind"
    }
}
