//! Writes a model as `.motix` text.
//!
//! What fits stands on one line; the formatter has the last word about the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::condition::Condition;
use super::model::{
    Action, ActionKind, Behavior, ConstId, Data, Model, Place, PredicateBody, Property, State,
};
use super::names::parameters;
use super::tree::BinaryOp;
use crate::import::names::{self, Taken, written};
use crate::import::page::{Notes, Page, number_text, quoted};

/// The text of all behaviors and the constants that they use.
pub(super) fn write(model: &Model, stem: &str) -> String {
    let mut taken = Taken::default();
    let behaviors = behavior_names(model, stem, &mut taken);
    for predicate in model.behaviors.iter().flat_map(|behavior| &behavior.predicates) {
        if !taken.contains(&predicate.name.text) {
            taken.fresh(&predicate.name.text);
        }
    }
    let constants: Vec<String> =
        model.constants.iter().map(|constant| taken.fresh(&names::clean(&constant.name))).collect();
    let mut writer =
        Writer { page: Page::default(), constants: &constants, used: BTreeSet::new(), params: Vec::new() };
    for (behavior, name) in model.behaviors.iter().zip(&behaviors) {
        let mut taken = taken.clone();
        writer.params = parameters(&behavior.params, &mut taken);
        writer.behavior(behavior, name);
    }
    let mut head = Page::default();
    for id in &writer.used {
        let index = id.0 as usize;
        let (Some(name), Some(constant)) = (constants.get(index), model.constants.get(index)) else {
            continue;
        };
        let line = format!("Const {} = {}", written(name), literal(&constant.data));
        head.line(0, &line, model.notes.get(id));
    }
    head.gap();
    head.out + &writer.page.out
}

/// Names that say nothing about a behavior.
const GENERIC: &[&str] = &[
    "b",
    "behavior",
    "behaviour",
    "builder",
    "built",
    "def",
    "definition",
    "module",
    "result",
    "self",
    "m",
    "x",
];

fn behavior_names(model: &Model, stem: &str, taken: &mut Taken) -> Vec<String> {
    let stem = crate::import::behavior_name(stem);
    let name = |behavior: &Behavior| {
        let hint = behavior.hint.as_deref().filter(|hint| !GENERIC.contains(&hint.to_lowercase().as_str()));
        hint.map(names::pascal).filter(|name| !name.is_empty()).unwrap_or_else(|| stem.clone())
    };
    model.behaviors.iter().map(|behavior| taken.fresh(&name(behavior))).collect()
}

struct Writer<'m> {
    page: Page,
    constants: &'m [String],
    used: BTreeSet<ConstId>,
    /// The names of the parameters of the behavior at hand.
    params: Vec<String>,
}

impl Writer<'_> {
    fn behavior(&mut self, behavior: &Behavior, name: &str) {
        let notes = &behavior.notes;
        self.page.gap();
        self.page.line(0, &format!("Behavior {} {{", written(name)), notes.get(&Place::Behavior));
        for (param, name) in behavior.params.iter().zip(self.params.clone()) {
            let ty = param.ty.map_or("number", super::model::Ty::name);
            let default = param.default.as_ref().filter(|data| Some(data.ty()) == param.ty);
            let default = default.map(|data| format!(" = {}", literal(data))).unwrap_or_default();
            let source = param.source.replace(char::is_control, " ");
            self.page.line(1, &format!("Param {}: {ty}{default}  // {source}", written(&name)), None);
        }
        self.page.gap();
        for (index, layer) in behavior.layers.iter().enumerate() {
            let Some(name) = &layer.name else { continue };
            let parts = self.properties(&layer.properties);
            self.page.block(
                1,
                &format!("Layer {}", written(&name.text)),
                &parts,
                notes.get(&Place::Layer(index)),
            );
        }
        self.page.gap();
        self.animations(behavior);
        self.page.gap();
        self.predicates(behavior);
        self.page.gap();
        if let Some(initial) = &behavior.initial {
            let line = format!("InitialState {}", written(&initial.text));
            self.page.line(1, &line, notes.get(&Place::Initial));
        }
        self.page.gap();
        for (index, state) in behavior.states.iter().enumerate() {
            self.state(index, state, notes);
        }
        self.page.trim();
        self.page.line(0, "}", None);
    }

    fn animations(&mut self, behavior: &Behavior) {
        for (index, animation) in behavior.animations.iter().enumerate() {
            let Some(name) = &animation.name else { continue };
            let mut parts = self.properties(&animation.properties);
            let asset = parts.iter().position(|part| part.starts_with("AssetId ")).map_or(0, |at| at + 1);
            if let Some(group) = &animation.group {
                parts.insert(asset, format!("Group {}", written(&group.text)));
            }
            if let Some(layer) = &animation.layer {
                parts.insert(asset, format!("Layer {}", written(&layer.text)));
            }
            parts.extend(tags(&animation.tags));
            for (marker, at) in &animation.markers {
                parts.push(format!("Marker {} at {}s", written(&marker.text), literal(&at.data)));
            }
            let head = format!("Animation {}", written(&name.text));
            self.page.block(1, &head, &parts, behavior.notes.get(&Place::Animation(index)));
        }
    }

    fn properties(&mut self, properties: &[Property]) -> Vec<String> {
        let mut parts = Vec::new();
        for Property { keyword, value } in properties {
            let text = match (keyword, &value.data, value.constant) {
                (&"Blend", Data::Bool(additive), _) => {
                    if *additive {
                        "Blend additive".to_owned()
                    } else {
                        continue;
                    }
                }
                (_, Data::Bool(true), _) => (*keyword).to_owned(),
                (_, data @ Data::Bool(false), _) | (_, data, None) => format!("{keyword} {}", literal(data)),
                (_, _, Some(constant)) => format!("{keyword} {}", self.constant(constant)),
            };
            parts.push(text);
        }
        parts
    }

    fn constant(&mut self, id: ConstId) -> String {
        self.used.insert(id);
        self.constants.get(id.0 as usize).map_or_else(String::new, |name| written(name))
    }

    fn predicates(&mut self, behavior: &Behavior) {
        for (index, predicate) in behavior.predicates.iter().enumerate() {
            let notes = behavior.notes.get(&Place::Predicate(index));
            let name = written(&predicate.name.text);
            match &predicate.body {
                PredicateBody::Condition(condition) => {
                    let text = self.condition(condition, 0);
                    self.page.line(1, &format!("Predicate {name} = {text}"), notes);
                }
                PredicateBody::Host(why, lua) => {
                    let mut notes = notes.cloned().unwrap_or_default();
                    notes.before.push(format!("Left to the host: {why}."));
                    notes
                        .before
                        .extend(lua.lines().map(|line| format!("    {}", line.replace('\t', "    "))));
                    self.page.line(1, &format!("Extern Predicate {name}"), Some(&notes));
                }
            }
        }
    }

    fn state(&mut self, index: usize, state: &State, notes: &BTreeMap<Place, Notes>) {
        let Some(name) = &state.name else { return };
        let start = self.page.out.len();
        self.page.line(1, &format!("State {} {{", written(&name.text)), notes.get(&Place::State(index)));
        let inside = self.page.out.len();
        self.actions("OnEntry", &state.entry, |at| notes.get(&Place::Entry(index, at)));
        self.actions("OnExit", &state.exit, |at| notes.get(&Place::Exit(index, at)));
        for (at, mark) in state.marks.iter().enumerate().filter(|(_, mark)| !mark.dropped) {
            let keyword = if mark.active { "ActiveLayer" } else { "SuppressLayer" };
            let line = format!("{keyword} {}", written(&mark.layer.text));
            self.page.line(2, &line, notes.get(&Place::Mark(index, at)));
        }
        if let Some(line) = tags(&state.tags) {
            self.page.line(2, &line, None);
        }
        for (at, transition) in state.transitions.iter().enumerate() {
            let Some(target) = &transition.target else { continue };
            let mut head = format!("Transition {}", written(&target.text));
            if let Some(predicate) = &transition.predicate {
                let _ = write!(head, " when {}", written(&predicate.text));
            }
            let priority = transition.priority.as_ref().map(|value| match value.constant {
                Some(constant) => format!("Priority {}", self.constant(constant)),
                None => format!("Priority {}", literal(&value.data)),
            });
            let parts: Vec<String> = priority.into_iter().collect();
            self.page.block(2, &head, &parts, notes.get(&Place::Transition(index, at)));
        }
        if self.page.out.len() == inside {
            self.page.out.truncate(start);
            self.page.line(1, &format!("State {}", written(&name.text)), notes.get(&Place::State(index)));
        } else {
            self.page.line(1, "}", None);
        }
    }

    fn actions<'n>(&mut self, keyword: &str, actions: &[Action], notes: impl Fn(usize) -> Option<&'n Notes>) {
        let lines: Vec<(String, Option<&Notes>)> = actions
            .iter()
            .enumerate()
            .filter_map(|(at, action)| Some((action_text(action)?, notes(at))))
            .collect();
        let parts: Vec<String> = lines.iter().map(|(line, _)| line.clone()).collect();
        if lines.iter().all(|(_, notes)| notes.is_none()) {
            if !parts.is_empty() {
                self.page.block(2, keyword, &parts, None);
            }
            return;
        }
        if let [(line, notes)] = &lines[..] {
            self.page.line(2, &format!("{keyword} {{ {line} }}"), *notes);
            return;
        }
        self.page.line(2, &format!("{keyword} {{"), None);
        for (line, notes) in lines {
            self.page.line(3, &line, notes);
        }
        self.page.line(2, "}", None);
    }

    /// The text of a condition inside an operator of that level.
    fn condition(&mut self, condition: &Condition, outer: u8) -> String {
        let (text, level) = match condition {
            Condition::Literal(Data::Number(number)) if *number < 0.0 => (number_text(*number), 7),
            Condition::Literal(data) => (literal(data), 8),
            Condition::Constant(id) => (self.constant(*id), 8),
            Condition::Param(index) => {
                (self.params.get(*index).map_or_else(String::new, |name| written(name)), 8)
            }
            Condition::Not(inner) => (format!("not {}", self.condition(inner, 5)), 3),
            Condition::Negate(inner) => (format!("-{}", self.condition(inner, 8)), 7),
            Condition::Binary(op, a, b) => {
                let (word, level) = operator(*op);
                // Comparisons do not chain; the right side of the others binds one tighter.
                let left = if level == 4 { 5 } else { level };
                let (a, b) = (self.condition(a, left), self.condition(b, level + 1));
                (format!("{a} {word} {b}"), level)
            }
            Condition::Call(name, arguments) => {
                let list: Vec<String> = arguments.iter().map(|inner| self.condition(inner, 0)).collect();
                (format!("{name}({})", list.join(", ")), 8)
            }
            Condition::If(c, a, b) => {
                let (c, a, b) = (self.condition(c, 1), self.condition(a, 1), self.condition(b, 0));
                (format!("if {c} then {a} else {b}"), 0)
            }
        };
        if level < outer { format!("({text})") } else { text }
    }
}

fn operator(op: BinaryOp) -> (&'static str, u8) {
    match op {
        BinaryOp::Or => ("or", 1),
        BinaryOp::And => ("and", 2),
        BinaryOp::Equal => ("==", 4),
        BinaryOp::NotEqual => ("!=", 4),
        BinaryOp::Less => ("<", 4),
        BinaryOp::LessEqual => ("<=", 4),
        BinaryOp::Greater => (">", 4),
        BinaryOp::GreaterEqual => (">=", 4),
        BinaryOp::Add => ("+", 5),
        BinaryOp::Sub | BinaryOp::Concat => ("-", 5),
        BinaryOp::Mul => ("*", 6),
        BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod | BinaryOp::Pow => ("/", 6),
    }
}

fn action_text(action: &Action) -> Option<String> {
    let keyword = match action.kind {
        ActionKind::Play => "Play",
        ActionKind::Stop => "Stop",
        ActionKind::StopGroup => "StopGroup",
        ActionKind::PlayTag => "PlayTag",
        ActionKind::StopTag => "StopTag",
    };
    let immediate = if action.immediate { " immediate" } else { "" };
    Some(format!("{keyword} {}{immediate}", written(&action.name.as_ref()?.text)))
}

fn tags(tags: &[super::model::Named]) -> Option<String> {
    let mut seen = BTreeSet::new();
    let fresh = tags.iter().filter(|tag| seen.insert(tag.text.as_str()));
    let list: Vec<String> = fresh.map(|tag| written(&tag.text)).collect();
    (!list.is_empty()).then(|| format!("Tags {}", list.join(", ")))
}

/// A literal of the language.
fn literal(data: &Data) -> String {
    match data {
        Data::Bool(value) => value.to_string(),
        Data::Number(number) => number_text(*number),
        Data::Text(text) => quoted(text),
    }
}
