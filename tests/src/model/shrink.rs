//! Makes a failing behavior and script smaller, by leaving things out for as long as it still fails.

use std::fmt::Write as _;

use super::behavior::*;

/// The smallest that still fails, found by leaving out one thing after the other.
#[must_use]
pub fn shrink(
    behavior: &Behavior,
    script: &[Step],
    fails: &mut dyn FnMut(&Behavior, &[Step]) -> Option<usize>,
) -> (Behavior, Vec<Step>) {
    let (mut behavior, mut script) = (behavior.clone(), script.to_vec());
    loop {
        let before = (script.len(), format!("{behavior:?}").len());
        if let Some(at) = fails(&behavior, &script) {
            script.truncate(at + 1);
        }
        let mut index = 0;
        while index < script.len() {
            let mut less = script.clone();
            less.remove(index);
            if fails(&behavior, &less).is_some() {
                script = less;
            } else {
                index += 1;
            }
        }
        let mut number = 0;
        loop {
            let mut less = behavior.clone();
            if !leave_out(&mut less, number) {
                break;
            }
            if format!("{less:?}") != format!("{behavior:?}")
                && names_what_is(&less, &script)
                && fails(&less, &script).is_some()
            {
                behavior = less;
            } else {
                number += 1;
            }
        }
        if before == (script.len(), format!("{behavior:?}").len()) {
            return (behavior, script);
        }
    }
}

/// Whether nothing names a machine that was left out.
fn names_what_is(behavior: &Behavior, script: &[Step]) -> bool {
    let count = behavior.machines.len();
    let mut text = String::new();
    // What is inside has machines of its own.
    for step in script.iter().filter(|step| !matches!(step, Step::Inner(..))) {
        let _ = write!(text, "{step:?}");
    }
    let _ = write!(text, "{:?}", Behavior { components: Vec::new(), ..behavior.clone() });
    let inner = |component: usize| {
        let steps = script.iter().filter_map(|step| match step {
            Step::Inner(index, step) if *index == component => Some((**step).clone()),
            _ => None,
        });
        steps.collect::<Vec<_>>()
    };
    let whole = !text.contains(&format!("Request({count},")) && !text.contains(&format!("In({count},"));
    let parts = behavior.components.iter().enumerate();
    whole && parts.into_iter().all(|(index, component)| names_what_is(&component.behavior, &inner(index)))
}

/// Leaves out one thing, the one of that number; `false` where there are not so many.
fn leave_out(behavior: &mut Behavior, number: usize) -> bool {
    let mut left = number;
    let mut hit = |count: usize| {
        let here = left < count;
        if !here {
            left -= count;
        }
        here.then_some(left)
    };
    less_behavior(behavior, &mut hit)
}

fn less_behavior(behavior: &mut Behavior, hit: &mut Hit<'_>) -> bool {
    if !behavior.components.is_empty() && hit(1).is_some() {
        behavior.components.pop();
        return true;
    }
    for component in &mut behavior.components {
        if let Some(index) = hit(component.binds.len()) {
            component.binds.remove(index);
            return true;
        }
        if less_behavior(&mut component.behavior, hit) {
            return true;
        }
    }
    if behavior.machines.len() > 1 && hit(1).is_some() {
        behavior.machines.pop();
        return true;
    }
    if let Some(index) = hit(behavior.listeners.len()) {
        behavior.listeners.remove(index);
        return true;
    }
    for (_, actions) in behavior.listeners.iter_mut().flat_map(|listener| &mut listener.hears) {
        if less_actions(actions, hit) {
            return true;
        }
    }
    if let Some(index) = hit(behavior.whens.len()) {
        behavior.whens.remove(index);
        return true;
    }
    for layer in &mut behavior.layers {
        if hit(1).is_some() {
            layer.speed = None;
            return true;
        }
    }
    for animation in &mut behavior.animations {
        if let Some(index) = hit(animation.markers.len()) {
            animation.markers.truncate(index);
            return true;
        }
        if let Some(index) = hit(animation.spans.len()) {
            animation.spans.remove(index);
            return true;
        }
        if let Some(index) = hit(animation.tracks.len()) {
            animation.tracks.remove(index);
            return true;
        }
        if hit(1).is_some() {
            animation.tags.clear();
            return true;
        }
    }
    for when in &mut behavior.whens {
        if less_actions(&mut when.actions, hit) || less_test(&mut when.test, hit) {
            return true;
        }
    }
    for machine in &mut behavior.machines {
        if let Some(index) = hit(machine.any.len()) {
            machine.any.remove(index);
            return true;
        }
        for row in &mut machine.any {
            if less_transition(row, hit) {
                return true;
            }
        }
        for state in &mut machine.states {
            if less_state(state, hit) {
                return true;
            }
        }
    }
    false
}

type Hit<'h> = dyn FnMut(usize) -> Option<usize> + 'h;

fn less_state(state: &mut State, hit: &mut Hit<'_>) -> bool {
    for list in [&mut state.entry, &mut state.exit, &mut state.update, &mut state.finish, &mut state.repeat] {
        if less_actions(list, hit) {
            return true;
        }
    }
    if let Some(index) = hit(state.marks.len()) {
        state.marks.remove(index);
        return true;
    }
    if let Some(index) = hit(state.whens.len()) {
        state.whens.remove(index);
        return true;
    }
    if let Some(index) = hit(state.transitions.len()) {
        state.transitions.remove(index);
        return true;
    }
    if let Some(inside) = &mut state.inside {
        if let Some(index) = hit(inside.any.len()) {
            inside.any.remove(index);
            return true;
        }
        if hit(1).is_some() {
            inside.history = History::None;
            return true;
        }
        if let (Start::Entry(rows), Some(_)) = (&inside.start, hit(1)) {
            inside.start = Start::State(rows.last().map_or(0, |(_, state)| *state));
            return true;
        }
        if inside.any.iter_mut().chain(&mut inside.done).any(|row| less_transition(row, hit)) {
            return true;
        }
    }
    if hit(1).is_some() {
        state.entry_from = None;
        return true;
    }
    if less_motion(&mut state.motion, hit) {
        return true;
    }
    for when in &mut state.whens {
        if less_actions(&mut when.actions, hit) || less_test(&mut when.test, hit) {
            return true;
        }
    }
    state.transitions.iter_mut().any(|row| less_transition(row, hit))
}

fn less_motion(motion: &mut Motion, hit: &mut Hit<'_>) -> bool {
    match motion {
        Motion::None | Motion::Empty => false,
        Motion::Clip(clip) => {
            let simpler: [fn(&mut Clip); 2] = [|clip| clip.speed = None, |clip| clip.start = None];
            hit(simpler.len()).map(|index| simpler[index](clip)).is_some()
        }
        Motion::Blend(blend) => {
            if hit(1).is_some() {
                blend.speed = None;
                return true;
            }
            if let Some(index) = hit(blend.children.len()) {
                *motion = blend.children[index].clone();
                return true;
            }
            blend.children.iter_mut().any(|child| less_motion(child, hit))
        }
    }
}

fn less_transition(row: &mut Transition, hit: &mut Hit<'_>) -> bool {
    if less_actions(&mut row.actions, hit) || less_test(&mut row.test, hit) {
        return true;
    }
    let simpler: [fn(&mut Transition); 10] = [
        |row| row.easing = Easing::Linear,
        |row| row.early_exit = true,
        |row| row.random_weight = None,
        |row| row.pause = false,
        |row| row.sync = false,
        |row| row.start = None,
        |row| row.gate.after = None,
        |row| row.gate.motion = None,
        |row| row.priority = 0,
        |row| row.duration = Length::Seconds(0.0),
    ];
    hit(simpler.len()).map(|index| simpler[index](row)).is_some()
}

fn less_actions(list: &mut Vec<Action>, hit: &mut Hit<'_>) -> bool {
    if let Some(index) = hit(list.len()) {
        list.remove(index);
        return true;
    }
    list.iter_mut().any(|action| match action {
        Action::If(test, yes, no) => {
            if hit(1).is_some() {
                *action = yes.first().cloned().unwrap_or(Action::Emit(0));
                return true;
            }
            less_test(test, hit) || less_actions(no, hit)
        }
        _ => false,
    })
}

fn less_test(test: &mut Test, hit: &mut Hit<'_>) -> bool {
    match test {
        Test::Always => false,
        Test::And(a, _) | Test::Or(a, _) if hit(1).is_some() => {
            *test = (**a).clone();
            true
        }
        Test::And(_, b) | Test::Or(_, b) if hit(1).is_some() => {
            *test = (**b).clone();
            true
        }
        _ if hit(1).is_some() => {
            *test = Test::Always;
            true
        }
        _ => false,
    }
}
