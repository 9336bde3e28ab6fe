//! Writes what a file describes as `.motix` text.

use super::model::{Clip, Layer, Listener, LoopMode, Machine, Motion, Param, Start, State, Transition, Ty};
use super::transitions::time;
use crate::import::names::written;
use crate::import::page::{Page, number_text, quoted};

/// The text of a machine.
pub(super) fn write(machine: &Machine) -> String {
    let mut page = Page::default();
    for row in &machine.uses {
        let alias = row.alias.as_ref().map(|alias| format!(" as {}", written(alias))).unwrap_or_default();
        page.line(0, &format!("Use {}{alias}", quoted(&row.path)), None);
    }
    page.gap();
    doc(&mut page, 0, &machine.doc);
    page.line(0, &format!("Behavior {} {{", written(&machine.name)), None);
    for param in &machine.params {
        doc(&mut page, 1, &param.doc);
        parameter(&mut page, param);
    }
    page.gap();
    for layer in &machine.layers {
        mask(&mut page, layer);
    }
    page.gap();
    for clip in &machine.clips {
        doc(&mut page, 1, &clip.doc);
        animation(&mut page, clip);
    }
    page.gap();
    for layer in &machine.layers {
        self::layer(&mut page, layer, &machine.clips);
    }
    page.gap();
    for listener in &machine.listeners {
        self::listener(&mut page, listener);
    }
    page.gap();
    for component in &machine.components {
        doc(&mut page, 1, &component.doc);
        let head = format!("Component {}: {}", written(&component.name), component.behavior);
        page.block(1, &head, &component.parts(), None);
    }
    page.trim();
    page.line(0, "}", None);
    page.out
}

fn doc(page: &mut Page, indent: usize, lines: &[String]) {
    for line in lines {
        page.line(indent, &format!("/// {line}"), None);
    }
}

fn parameter(page: &mut Page, param: &Param) {
    let ty = match &param.ty {
        Ty::Bool => "bool".to_owned(),
        Ty::Number => "number".to_owned(),
        Ty::Text => "string".to_owned(),
        Ty::Color => "color".to_owned(),
        Ty::Trigger => "trigger".to_owned(),
        Ty::Enum(variants) => {
            let names: Vec<String> = variants.iter().map(|variant| written(&variant.name)).collect();
            format!("enum({})", names.join(", "))
        }
    };
    let default = param.default.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
    let limits = [("Min", param.min), ("Max", param.max), ("Step", param.step)];
    let limit = |(word, value): (&str, Option<f64>)| Some(format!("{word} {}", number_text(value?)));
    let parts: Vec<String> = limits.into_iter().filter_map(limit).collect();
    page.block(1, &format!("Param {}: {ty}{default}", written(&param.name)), &parts, None);
}

fn mask(page: &mut Page, layer: &Layer) {
    let list = |word: &str, patterns: &[String]| {
        let texts: Vec<String> = patterns.iter().map(|pattern| quoted(pattern)).collect();
        (!texts.is_empty()).then(|| format!("{word} {}", texts.join(", ")))
    };
    let parts: Vec<String> =
        [list("Include", &layer.include), list("Exclude", &layer.exclude)].into_iter().flatten().collect();
    if !parts.is_empty() {
        page.block(1, &format!("Mask {}", written(&layer.name)), &parts, None);
    }
}

fn animation(page: &mut Page, clip: &Clip) {
    let mut parts = Vec::new();
    parts.extend(clip.asset.as_ref().map(|asset| format!("AssetId {}", quoted(asset))));
    parts.extend(clip.milliseconds.map(|length| format!("Duration {}", time(length))));
    parts.extend(clip.speed.map(|speed| format!("Speed {}", number_text(speed))));
    parts.extend(match clip.mode {
        LoopMode::None => None,
        LoopMode::Loop => Some("Looped".to_owned()),
        LoopMode::PingPong => Some("Loop pingPong".to_owned()),
    });
    page.block(1, &format!("Animation {}", written(&clip.name)), &parts, None);
}

fn layer(page: &mut Page, layer: &Layer, clips: &[Clip]) {
    doc(page, 1, &layer.doc);
    let mut properties = format!("Order {}", layer.order);
    if let Some(weight) = layer.weight {
        properties += &format!(" BaseWeight {}", number_text(weight));
    }
    if layer.additive {
        properties += " Blend additive";
    }
    if !layer.include.is_empty() {
        properties += &format!(" Mask {}", written(&layer.name));
    }
    page.line(1, &format!("Layer {} {{", written(&layer.name)), None);
    page.line(2, &properties, None);
    let name = |state: usize| layer.states.get(state).map_or_else(String::new, |state| written(&state.name));
    match &layer.start {
        Start::Nowhere => {}
        Start::State(state) => page.line(2, &format!("InitialState {}", name(*state)), None),
        Start::Entry(rows) => transitions(page, "Entry", rows, name),
    }
    if !layer.any.is_empty() {
        transitions(page, "AnyState", &layer.any, name);
    }
    for row in layer.states.iter().filter(|state| !state.hidden) {
        state(page, row, clips, name);
    }
    page.line(1, "}", None);
}

fn transitions(page: &mut Page, keyword: &str, rows: &[Transition], name: impl Fn(usize) -> String) {
    page.line(2, &format!("{keyword} {{"), None);
    for row in rows {
        transition(page, row, &name);
    }
    page.line(2, "}", None);
}

fn state(page: &mut Page, state: &State, clips: &[Clip], name: impl Fn(usize) -> String) {
    doc(page, 2, &state.doc);
    let head = format!("State {}", written(&state.name));
    if state.terminal && state.motion.is_none() && state.transitions.is_empty() {
        return page.line(2, &format!("{head} {{ Terminal }}"), None);
    }
    if state.motion.is_none() && state.transitions.is_empty() {
        return page.line(2, &head, None);
    }
    page.line(2, &format!("{head} {{"), None);
    let clip = |index: usize| clips.get(index).map_or_else(String::new, |clip| written(&clip.name));
    let speed = |speed: Option<f64>| speed.map(|speed| format!("Speed {}", number_text(speed)));
    match &state.motion {
        None => {}
        Some(Motion::Empty) => page.line(3, "Empty", None),
        Some(Motion::Clip { clip: index, speed: value }) => {
            let parts: Vec<String> = speed(*value).into_iter().collect();
            page.block(3, &format!("Clip {}", clip(*index)), &parts, None);
        }
        Some(Motion::Blend { head, entries, speed: value }) => {
            let rows = entries.iter().map(|(position, index)| format!("{position}: {}", clip(*index)));
            let parts: Vec<String> = rows.chain(speed(*value)).collect();
            page.block(3, head, &parts, None);
        }
    }
    for row in &state.transitions {
        transition(page, row, &name);
    }
    page.line(2, "}", None);
}

fn transition(page: &mut Page, row: &Transition, name: impl Fn(usize) -> String) {
    doc(page, 3, &row.doc);
    let mut head = format!("Transition {}", name(row.target));
    if let Some(condition) = &row.condition {
        head += &format!(" when {condition}");
    }
    let mut parts: Vec<String> = row.gate.iter().chain(&row.fade).cloned().collect();
    parts.extend(row.random_weight.map(|weight| format!("RandomWeight {}", number_text(weight))));
    page.block(3, &head, &parts, None);
}

fn listener(page: &mut Page, listener: &Listener) {
    doc(page, 1, &listener.doc);
    let target = listener.target.as_ref().map(|target| format!(" {}", quoted(target))).unwrap_or_default();
    page.line(1, &format!("Listener{target} {{"), None);
    for on in &listener.events {
        page.block(2, &on.head, &on.actions, None);
    }
    page.line(1, "}", None);
}
