//! The machine of a layer: its states, the transitions of each, where it starts.
//!
//! `entry`, `exit` and `any` are states of the notation that show nothing: where a machine begins, where it ends, and
//! the one whose transitions hold everywhere. Files declare them, or only name them in transitions.

use std::collections::BTreeMap;

use super::clips::Clips;
use super::json::{Id, Value};
use super::model::{Layer, Start, State, Transition};
use super::parameters::Params;
use super::reader::{Reader, Word};
use super::states::{self, Role};
use super::transitions;
use crate::diagnostic::Code;
use crate::import::names::Taken;

/// One end of a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Any,
    State(usize),
}

/// The states of a layer by their ids.
pub(super) struct States {
    ends: BTreeMap<String, End>,
    pub(super) rows: Vec<State>,
    taken: Taken,
    /// The state in which the machine begins by conditions.
    pub(super) entry: Option<usize>,
    /// Those in which it ends.
    pub(super) exits: Vec<usize>,
}

impl States {
    /// The state with that id, or what a word of the notation means; others are reported with what follows.
    pub(super) fn find(&mut self, reader: &mut Reader<'_, '_>, word: &Word, label: &str) -> Option<End> {
        if let Some(end) = self.ends.get(&word.text) {
            return Some(*end);
        }
        let role = match word.text.as_str() {
            "any" => Role::Any,
            "entry" => Role::Entry,
            "exit" => Role::Exit,
            _ => {
                let known = self.ends.keys().map(String::as_str).chain(["any", "entry", "exit"]);
                reader.unknown("state", word, known, label);
                return None;
            }
        };
        let name = if role == Role::Any { String::new() } else { self.taken.fresh(&word.text) };
        Some(self.add(word.text.clone(), role, name, Vec::new()))
    }

    fn add(&mut self, source: String, role: Role, name: String, doc: Vec<String>) -> End {
        let end = if role == Role::Any { End::Any } else { End::State(self.rows.len()) };
        // Of two with one id, the first is found by it.
        self.ends.entry(source).or_insert(end);
        if role != Role::Any {
            match role {
                Role::Entry if self.entry.is_none() => self.entry = Some(self.rows.len()),
                Role::Exit => self.exits.push(self.rows.len()),
                _ => {}
            }
            let terminal = role == Role::Exit;
            self.rows.push(State {
                name,
                doc,
                hidden: false,
                motion: None,
                terminal,
                transitions: Vec::new(),
            });
        }
        end
    }
}

/// Reads the machine of a layer.
pub(super) fn read(
    reader: &mut Reader<'_, '_>,
    params: &Params,
    clips: &mut Clips,
    id: Id,
    layer: &mut Layer,
) {
    let mut states = States {
        ends: BTreeMap::new(),
        rows: Vec::new(),
        taken: Taken::default(),
        entry: None,
        exits: Vec::new(),
    };
    let list = reader.list(id, "states");
    reader.keep(&list, "id", &mut states.taken);
    for state in list {
        if !matches!(reader.json.value(state), Value::Object(_)) {
            reader.wrong(state, "a state");
            continue;
        }
        let role = states::role(reader, state);
        let Some(word) = reader.needed(state, "id", "this state is not carried over") else { continue };
        // One that stands for all others needs no name.
        let name = if role == Role::Any { String::new() } else { reader.name(&word, &mut states.taken) };
        let doc = reader.doc(state);
        if let End::State(index) = states.add(word.text, role, name, doc) {
            states.rows[index].motion = states::motion(reader, params, clips, state, role);
        }
    }
    let mut entries: Vec<(Id, Transition)> = Vec::new();
    for transition in reader.list(id, "transitions") {
        let Some((from, row)) = transitions::read(reader, params, clips, &mut states, transition) else {
            continue;
        };
        match from {
            End::Any => layer.any.push(row),
            End::State(index) if states.entry == Some(index) => entries.push((transition, row)),
            End::State(index) => states.rows[index].transitions.push(row),
        }
    }
    layer.start = start(reader, &mut states, &layer.any, id, entries);
    layer.states = states.rows;
    let lists = layer.states.iter_mut().map(|state| &mut state.transitions).chain([&mut layer.any]);
    for list in lists {
        weights(reader, list, reader.get(id, "transitions").unwrap_or(id));
    }
}

/// Where the machine starts, given the transitions of its `entry`.
fn start(
    reader: &mut Reader<'_, '_>,
    states: &mut States,
    any: &[Transition],
    layer: Id,
    entries: Vec<(Id, Transition)>,
) -> Start {
    let named = reader.text(layer, "initialState");
    let named = named.and_then(|word| {
        let label = "this initial state is not carried over";
        match states.find(reader, &word, label)? {
            End::State(index) => Some((index, word.id)),
            End::Any => {
                reader.report(Code::NotInMotix, word.id, "a machine cannot begin in every state", label);
                None
            }
        }
    });
    let initial = match (named, states.entry) {
        (Some((index, _)), _) => index,
        (None, Some(entry)) if !entries.is_empty() => entry,
        (None, _) => {
            let first = (0..states.rows.len()).find(|index| states.entry != Some(*index));
            let Some(first) = first.or(states.entry) else { return Start::Nowhere };
            if reader.get(layer, "initialState").is_none() {
                let label = format!("`{}`, its first state, is the initial one now", states.rows[first].name);
                reader.missing(layer, "initialState", &label);
            }
            first
        }
    };
    let Some(entry) = states.entry else { return Start::State(initial) };
    let mut others = states.rows.iter().flat_map(|state| &state.transitions).chain(any);
    let entered = others.any(|row| row.target == entry);
    if initial != entry && !entered {
        states.rows[entry].hidden = true;
        let agrees =
            matches!(&entries[..], [(_, only)] if only.target == initial && only.condition.is_none());
        if let (Some((_, at)), Some((first, _)), false) = (named, entries.first(), agrees) {
            let span = reader.json.span(at);
            let message = "the layer begins in its `initialState`, so these transitions are never taken";
            let diagnostic = crate::diagnostic::Diagnostic::new(
                Code::NotInMotix,
                message,
                reader.json.span(*first),
                "not carried over",
            );
            reader.push(diagnostic.label(span, "it begins here"));
        }
        return Start::State(initial);
    }
    let plain = |row: &Transition| row.gate.is_none() && row.fade.is_empty() && row.random_weight.is_none();
    let always = entries.iter().position(|(_, row)| row.condition.is_none());
    let decides = initial == entry && !entered && entries.iter().all(|(_, row)| plain(row));
    let rows = entries.iter().map(|(_, row)| row.clone());
    match always {
        Some(last) if decides => {
            for (id, _) in entries.iter().skip(last + 1) {
                let message = "this transition comes after one without a condition";
                reader.report(Code::NotInMotix, *id, message, "it is never taken, and not carried over");
            }
            states.rows[entry].hidden = true;
            Start::Entry(rows.take(last + 1).collect())
        }
        // It waits for a condition, fades in, or is entered again: a state like others, that shows nothing.
        _ => {
            states.rows[entry].transitions = rows.collect();
            Start::State(initial)
        }
    }
}

/// Leaves out weights of which none can be chosen.
fn weights(reader: &mut Reader<'_, '_>, list: &mut [Transition], at: Id) {
    let zero = |row: &Transition| row.random_weight.is_some_and(|weight| weight as f32 == 0.0);
    if !list.is_empty() && list.iter().all(zero) {
        let message = "the random weights of these transitions are all 0";
        reader.report(Code::AdjustedValue, at, message, "they were left out");
        list.iter_mut().for_each(|row| row.random_weight = None);
    }
}
