//! A draft as `.motix` text. What names something that is not there is left out.

use std::fmt::Write as _;

use super::*;

/// The source of all behaviors.
#[must_use]
pub fn source(file: &[Draft]) -> String {
    let mut out = String::new();
    for draft in file {
        write_draft(&mut out, file, draft);
    }
    out
}

fn write_draft(out: &mut String, file: &[Draft], draft: &Draft) {
    let _ = writeln!(out, "Behavior {} {{", draft.name);
    for param in &draft.params {
        let name = &param.name;
        let _ = match &param.ty {
            Ty::Flag => writeln!(out, "Param {name}: bool"),
            Ty::Number(min, max) => writeln!(out, "Param {name}: number {{ Min {min} Max {max} }}"),
            Ty::Trigger(0.0) => writeln!(out, "Param {name}: trigger"),
            Ty::Trigger(life) => writeln!(out, "Param {name}: trigger {{ Lifetime {life}s }}"),
            Ty::Text => writeln!(out, "Param {name}: string = \"none\""),
            Ty::Mood(variants) => writeln!(out, "Param {name}: enum({})", variants.join(", ")),
            Ty::Color => writeln!(out, "Param {name}: color = #102030"),
        };
    }
    if let Some(name) = smooth(draft) {
        let _ = writeln!(out, "Let s{name} = damp({name}, 150ms)");
        let _ = writeln!(out, "When s{name} > 0.5 {{ Emit smooth }}");
    }
    for layer in &draft.layers {
        let _ = writeln!(out, "Layer {} {{ BaseWeight {}", layer.name, layer.base_weight);
        write_machine(out, draft, &layer.states, &layer.name);
        let _ = writeln!(out, "}}");
    }
    for row in &draft.animations {
        let mode = ["none", "loop", "pingPong"][row.mode];
        let layer = draft.layers.iter().find(|layer| layer.name == row.layer).unwrap_or(&draft.layers[0]);
        let _ = write!(
            out,
            "Animation {} {{ Layer {} Duration {}s Loop {mode} Priority {} MinDuration {}s FadeIn 200ms FadeOut 300ms",
            row.name, layer.name, row.duration, row.priority, row.min_duration
        );
        if let Some(group) = row.group {
            let _ = write!(out, " Group G{group}");
        }
        let _ = writeln!(out, " }}");
    }
    write_machine(out, draft, &draft.states, &draft.layers[0].name);
    for component in &draft.components {
        let inner = &file[component.of];
        let _ = writeln!(out, "Component {}: {} {{", component.name, inner.name);
        for bind in binds(draft, inner, component) {
            let _ = writeln!(out, "Bind {} {} {}", bind.outer, DIRECTIONS[bind.direction], bind.inner);
        }
        let _ = writeln!(out, "}}");
    }
    let _ = writeln!(out, "}}");
}

/// The parameter that is smoothed.
fn smooth(draft: &Draft) -> Option<&str> {
    let name = draft.smooth.as_deref()?;
    matches!(draft.param(name)?.ty, Ty::Number(..)).then_some(name)
}

/// The binds that can be written.
#[must_use]
pub fn binds<'d>(draft: &Draft, inner: &Draft, component: &'d Component) -> Vec<&'d Bind> {
    let mut kept: Vec<&Bind> = Vec::new();
    for bind in &component.binds {
        let types = draft.param(&bind.outer).zip(inner.param(&bind.inner));
        let fits = types.is_some_and(|(outer, inner)| match (&outer.ty, &inner.ty) {
            (Ty::Mood(one), Ty::Mood(other)) => one == other,
            (one, other) => one.is_like(other),
        });
        if fits && !kept.iter().any(|other| other.inner == bind.inner || other.outer == bind.outer) {
            kept.push(bind);
        }
    }
    kept
}

fn write_machine(out: &mut String, draft: &Draft, states: &[State], layer: &str) {
    if let Some(first) = states.first() {
        let _ = writeln!(out, "InitialState {}", first.name);
        states.iter().for_each(|state| write_state(out, draft, states, state, layer));
    }
}

/// Which of these animations there are, that play in that layer.
#[must_use]
pub fn known<'n>(draft: &Draft, names: &'n [String], modes: &[usize], layer: &str) -> Vec<&'n str> {
    let fits = |name: &&String| {
        draft.animation(name).is_some_and(|row| {
            let own = draft.layers.iter().any(|layer| layer.name == row.layer);
            let plays = if own { &row.layer } else { &draft.layers[0].name };
            modes.contains(&row.mode) && plays == layer
        })
    };
    names.iter().filter(fits).map(String::as_str).collect()
}

/// The motion as it is printed.
#[must_use]
pub fn motion(draft: &Draft, motion: &Motion, layer: &str) -> Motion {
    let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect::<Vec<_>>();
    match motion {
        Motion::Clip(name) if known(draft, std::slice::from_ref(name), &[0, 1, 2], layer).is_empty() => {
            Motion::None
        }
        Motion::Blend(input, names) => {
            let number = draft.param(input).is_some_and(|param| matches!(param.ty, Ty::Number(..)));
            match owned(known(draft, names, &[1], layer)) {
                names if names.is_empty() || !number => Motion::None,
                names => Motion::Blend(input.clone(), names),
            }
        }
        Motion::Direct(names) => match owned(known(draft, names, &[1], layer)) {
            names if names.is_empty() => Motion::None,
            names => Motion::Direct(names),
        },
        other => other.clone(),
    }
}

fn write_state(out: &mut String, draft: &Draft, machine: &[State], state: &State, layer: &str) {
    let _ = writeln!(out, "State {} {{", state.name);
    if let Some(first) = state.inner.first() {
        let history = ["none", "shallow", "deep"][state.history];
        let _ = writeln!(out, "InitialState {} History {history}", first.name);
    }
    let _ = match motion(draft, &state.motion, layer) {
        Motion::None => Ok(()),
        Motion::Empty => writeln!(out, "Empty"),
        Motion::Clip(name) => writeln!(out, "Clip {name}"),
        Motion::Blend(input, names) => {
            let points = names.iter().enumerate().map(|(at, name)| format!("{at}: {name}"));
            writeln!(out, "Blend1D {input} {{ {} }}", points.collect::<Vec<_>>().join(" "))
        }
        Motion::Direct(names) => {
            let points = names.iter().map(|name| format!("0.25: {name}"));
            writeln!(out, "BlendDirect {{ {} }}", points.collect::<Vec<_>>().join(" "))
        }
    };
    let played = state.plays.as_ref().filter(|name| draft.animation(name).is_some());
    let play = played.map_or(String::new(), |name| format!(" Play {name}"));
    let stop = played.map_or(String::new(), |name| format!(" Stop {name}"));
    let _ = writeln!(out, "OnEntry {{ Emit in_{}{play} }}", state.name);
    let _ = writeln!(out, "OnExit {{ Emit out_{}{stop} }}", state.name);
    let is = |name: &str, fits: fn(&Ty) -> bool| draft.param(name).is_some_and(|param| fits(&param.ty));
    if let Some(name) = state.reacts.as_ref().filter(|name| is(name, |ty| *ty == Ty::Flag)) {
        let _ = writeln!(out, "When {name} {{ Emit saw_{} }}", state.name);
    }
    for row in &state.transitions {
        let Some(target) = path_of(machine, &row.target).filter(|_| row.target != state.name) else {
            continue;
        };
        let when = row.when.as_ref().filter(|name| is(name, |ty| matches!(ty, Ty::Flag | Ty::Trigger(_))));
        let when = when.map_or(String::new(), |name| format!(" when {name}"));
        let _ = write!(out, "Transition {target}{when} {{ After {}s Duration {}s", row.after, row.duration);
        for (set, word) in [(!row.early_exit, "EarlyExit false"), (row.pause, "PauseOnExit")] {
            let word = if set && row.duration > 0.0 { word } else { "" };
            let _ = write!(out, " {word}");
        }
        let _ = writeln!(out, " }}");
    }
    state.inner.iter().for_each(|inner| write_state(out, draft, machine, inner, layer));
    let _ = writeln!(out, "}}");
}
