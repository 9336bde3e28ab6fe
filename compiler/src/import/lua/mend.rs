//! Makes a model one that compiles: every name it refers to exists, once, and nothing contradicts itself.
//!
//! What had to be changed or left out is reported. Items keep their indices, which comments hold.

use std::collections::{BTreeMap, BTreeSet};

use super::model::{ActionKind, Behavior, Data, Layer, Named, Predicate, PredicateBody, Property, Value};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::import::names::{self, Taken};

/// Mends one behavior.
pub(super) fn mend(behavior: &mut Behavior, diagnostics: &mut Diagnostics) {
    clean_names(behavior, diagnostics);
    let mut mender = Mender { diagnostics };
    mender.unique(behavior.animations.iter_mut().filter_map(|row| row.name.as_mut()), "animation");
    mender.unique(behavior.layers.iter_mut().filter_map(|row| row.name.as_mut()), "layer");
    mender.unique(behavior.states.iter_mut().filter_map(|row| row.name.as_mut()), "state");
    mender.unique(behavior.predicates.iter_mut().map(|row| &mut row.name), "predicate");
    mender.markers(behavior);
    mender.layers(behavior);
    mender.orders(behavior);
    mender.marks(behavior);
    mender.actions(behavior);
    mender.transitions(behavior);
    mender.initial(behavior);
}

/// Gives what has a name that the language cannot write another one, the same wherever it stands.
fn clean_names(behavior: &mut Behavior, diagnostics: &mut Diagnostics) {
    let mut all: Vec<&mut Named> = Vec::new();
    for row in &mut behavior.animations {
        all.extend(row.name.iter_mut().chain(&mut row.layer).chain(&mut row.group).chain(&mut row.tags));
        all.extend(row.markers.iter_mut().map(|(name, _)| name));
    }
    all.extend(behavior.layers.iter_mut().filter_map(|row| row.name.as_mut()));
    for row in &mut behavior.states {
        all.extend(row.name.iter_mut().chain(&mut row.tags));
        all.extend(row.entry.iter_mut().chain(&mut row.exit).filter_map(|action| action.name.as_mut()));
        all.extend(row.marks.iter_mut().map(|mark| &mut mark.layer));
        for transition in &mut row.transitions {
            all.extend(transition.target.iter_mut().chain(&mut transition.predicate));
        }
    }
    all.extend(behavior.predicates.iter_mut().map(|row| &mut row.name));
    all.extend(behavior.initial.iter_mut());
    // Names that can stand as they are keep what they are called.
    let mut taken = Taken::default();
    for name in all.iter().filter(|name| names::clean(&name.text) == name.text) {
        if !taken.contains(&name.text) {
            taken.fresh(&name.text);
        }
    }
    let mut changed: BTreeMap<String, String> = BTreeMap::new();
    for name in all {
        let clean = names::clean(&name.text);
        if clean == name.text {
            continue;
        }
        // What only spells its letters in another way is the same name.
        if names::is_spelling(&name.text, &clean) {
            name.text = clean;
            continue;
        }
        let mended = changed.entry(name.text.clone()).or_insert_with(|| {
            let mended = taken.fresh(&clean);
            let message = format!("the name \"{}\" cannot stand here", name.text.escape_debug());
            let label = format!("it became `{mended}`");
            diagnostics.push(Diagnostic::new(Code::AdjustedValue, message, name.span, label));
            mended
        });
        name.text = mended.clone();
    }
}

fn texts<'m>(names: impl Iterator<Item = Option<&'m Named>>) -> BTreeSet<String> {
    names.flatten().map(|name| name.text.clone()).collect()
}

/// The greatest order of a layer.
const MAX_ORDER: i64 = 16_777_216;

struct Mender<'d> {
    diagnostics: &'d mut Diagnostics,
}

impl Mender<'_> {
    fn report(&mut self, code: Code, message: String, at: &Named, label: &str) {
        self.diagnostics.push(Diagnostic::new(code, message, at.span, label));
    }

    fn unknown(&mut self, what: &str, at: &Named, label: &str) {
        let message = format!("there is no {what} `{}` in the builder", at.text);
        self.report(Code::UnknownInBuilder, message, at, label);
    }

    /// Gives a later item of the same name another one.
    fn unique<'m>(&mut self, rows: impl Iterator<Item = &'m mut Named>, what: &str) {
        let mut taken = Taken::default();
        for name in rows {
            let fresh = taken.fresh(&name.text);
            if fresh != name.text {
                let message = format!("the {what} `{}` is declared twice", name.text);
                self.report(Code::DuplicateInBuilder, message, name, &format!("this one became `{fresh}`"));
                name.text = fresh;
            }
        }
    }

    /// Leaves out markers that a clip cannot have: two of a name, or behind its end.
    fn markers(&mut self, behavior: &mut Behavior) {
        for animation in &mut behavior.animations {
            let length = animation.properties.iter().find(|property| property.keyword == "Duration");
            let length = length.and_then(|property| property.value.data.number()).unwrap_or(f64::INFINITY);
            let mut seen = BTreeSet::new();
            animation.markers.retain(|(name, at)| {
                let message = if !seen.insert(name.text.clone()) {
                    format!("the marker `{}` is set twice", name.text)
                } else if at.data.number().is_some_and(|at| at > length) {
                    format!("the marker `{}` is behind the end of the clip", name.text)
                } else {
                    return true;
                };
                self.diagnostics.push(Diagnostic::new(
                    Code::DuplicateInBuilder,
                    message,
                    name.span,
                    "not carried over",
                ));
                false
            });
        }
    }

    /// Declares layers that are only mentioned, and puts animations without one into the first.
    fn layers(&mut self, behavior: &mut Behavior) {
        let mut known = texts(behavior.layers.iter().map(|row| row.name.as_ref()));
        let of_animations = behavior.animations.iter().filter_map(|row| row.layer.as_ref());
        let of_states = behavior.states.iter().flat_map(|row| row.marks.iter().map(|mark| &mark.layer));
        let mentioned: Vec<Named> = of_animations.chain(of_states).cloned().collect();
        for layer in mentioned {
            if known.insert(layer.text.clone()) {
                self.unknown("layer", &layer, "declared with the defaults");
                behavior.layers.push(Layer { name: Some(layer), ..Layer::default() });
            }
        }
        let named: Vec<Named> = behavior.layers.iter().filter_map(|row| row.name.clone()).collect();
        let [first, _, ..] = &named[..] else { return };
        for animation in &mut behavior.animations {
            if let (Some(name), None) = (&animation.name, &animation.layer) {
                let message = format!("the animation `{}` has no layer", name.text);
                let label = format!("it was put into `{}`", first.text);
                self.report(Code::AdjustedValue, message, name, &label);
                animation.layer = Some(first.clone());
            }
        }
    }

    /// Gives every layer an order of its own.
    fn orders(&mut self, behavior: &mut Behavior) {
        let mut taken = BTreeSet::new();
        let mut next = 0i64;
        let order = |row: &Layer| {
            row.properties
                .iter()
                .find(|property| property.keyword == "Order")
                .and_then(|property| property.value.data.number().map(|order| order as i64))
        };
        let mut unplaced = Vec::new();
        for (index, row) in behavior.layers.iter().enumerate().filter(|(_, row)| row.name.is_some()) {
            match order(row) {
                Some(order) if taken.insert(order) => next = next.max(order.saturating_add(1)),
                other => unplaced.push((index, other)),
            }
        }
        for (index, wanted) in unplaced {
            if next > MAX_ORDER {
                next = 0;
            }
            while !taken.insert(next) {
                next += 1;
            }
            let row = &mut behavior.layers[index];
            let Some(name) = row.name.clone() else { continue };
            if let Some(wanted) = wanted {
                let message = format!("another layer has the order {wanted}");
                self.report(Code::AdjustedValue, message, &name, &format!("its order became {next}"));
            }
            row.properties.retain(|property| property.keyword != "Order");
            let value = Value { data: Data::Number(next as f64), constant: None, span: name.span };
            row.properties.insert(0, Property { keyword: "Order", value });
        }
    }

    /// A state asks a layer for one thing.
    fn marks(&mut self, behavior: &mut Behavior) {
        for state in &mut behavior.states {
            let mut seen = BTreeSet::new();
            for mark in &mut state.marks {
                if mark.dropped || seen.insert(mark.layer.text.clone()) {
                    continue;
                }
                let message = format!("the state mentions the layer `{}` twice", mark.layer.text);
                self.diagnostics.push(Diagnostic::new(
                    Code::DuplicateInBuilder,
                    message,
                    mark.layer.span,
                    "not carried over",
                ));
                mark.dropped = true;
            }
        }
    }

    fn actions(&mut self, behavior: &mut Behavior) {
        let animations = texts(behavior.animations.iter().map(|row| row.name.as_ref()));
        let real = || behavior.animations.iter().filter(|row| row.name.is_some());
        let groups = texts(real().map(|row| row.group.as_ref()));
        let tags = texts(real().flat_map(|row| row.tags.iter().map(Some)));
        for action in behavior.states.iter_mut().flat_map(|row| row.entry.iter_mut().chain(&mut row.exit)) {
            let (known, what) = match action.kind {
                ActionKind::Play | ActionKind::Stop => (&animations, "animation"),
                ActionKind::StopGroup => (&groups, "animation with the group"),
                ActionKind::PlayTag | ActionKind::StopTag => (&tags, "animation with the tag"),
            };
            if let Some(name) = action.name.take_if(|name| !known.contains(&name.text)) {
                self.unknown(what, &name, "this action is not carried over");
            }
        }
    }

    fn transitions(&mut self, behavior: &mut Behavior) {
        let states = texts(behavior.states.iter().map(|row| row.name.as_ref()));
        let mut predicates = texts(behavior.predicates.iter().map(|row| Some(&row.name)));
        let mut missing = Vec::new();
        for transition in behavior.states.iter_mut().flat_map(|row| &mut row.transitions) {
            if let Some(target) = transition.target.take_if(|target| !states.contains(&target.text)) {
                self.unknown("state", &target, "this transition is not carried over");
            }
            if let Some(predicate) = &transition.predicate
                && predicates.insert(predicate.text.clone())
            {
                self.unknown("predicate", predicate, "declared as an `Extern Predicate`, left to the host");
                missing.push(predicate.clone());
            }
        }
        behavior.predicates.extend(missing.into_iter().map(|name| {
            let body = PredicateBody::Host("it is not in the Lua file".to_owned(), String::new());
            Predicate { name, body }
        }));
    }

    fn initial(&mut self, behavior: &mut Behavior) {
        let first = behavior.states.iter().find_map(|row| row.name.clone());
        let known = texts(behavior.states.iter().map(|row| row.name.as_ref()));
        let before = behavior.initial.take_if(|name| !known.contains(&name.text));
        if behavior.initial.is_some() {
            return;
        }
        if let Some(name) = &before {
            self.unknown("state", name, "this initial state is not carried over");
        }
        let Some(first) = first else { return };
        if before.is_none() {
            let message = "the builder has no `:InitialState(...)`".to_owned();
            self.report(Code::MissingInitial, message, &first, "its first state is the initial one now");
        }
        behavior.initial = Some(first);
    }
}
