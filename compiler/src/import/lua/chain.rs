//! Applies the calls of a builder's chain to the model.
//!
//! Each call is looked up in the table of methods. One that has no meaning here is reported and skipped, together
//! with the calls that belong to it. An argument whose value is not known is reported; what needs it is left out.

use motix_vm::program::limits::LONGEST_FADE;

use super::condition;
use super::methods::{self, Context, Meaning, Takes};
use super::model::{
    Action, ActionKind, Animation, Behavior, Data, Layer, Mark, Named, Place, Predicate, Property, State,
    Transition, Value,
};
use super::parse::shortened;
use super::scope::{Owner, Reader};
use super::tree::{ExprId, ExprKind, Key};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// A builder, and the part of it that the next call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) behavior: usize,
    pub(super) position: Position,
}

/// A part of a builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    Root,
    Animation(usize),
    Layer(usize),
    State(usize),
    Entry(usize),
    Exit(usize),
    Transition(usize, usize),
}

impl Position {
    fn context(self) -> Context {
        match self {
            Position::Root => Context::Root,
            Position::Animation(_) => Context::Animation,
            Position::Layer(_) => Context::Layer,
            Position::State(_) => Context::State,
            Position::Entry(_) => Context::Entry,
            Position::Exit(_) => Context::Exit,
            Position::Transition(..) => Context::Transition,
        }
    }

    fn parent(self) -> Option<Self> {
        match self {
            Position::Root => None,
            Position::Animation(_) | Position::Layer(_) | Position::State(_) => Some(Position::Root),
            Position::Entry(state) | Position::Exit(state) | Position::Transition(state, _) => {
                Some(Position::State(state))
            }
        }
    }

    /// Where a comment at a call that is about it stands.
    fn place(self) -> Place {
        match self {
            Position::Root => Place::Behavior,
            Position::Animation(index) => Place::Animation(index),
            Position::Layer(index) => Place::Layer(index),
            Position::State(state) | Position::Entry(state) | Position::Exit(state) => Place::State(state),
            Position::Transition(state, index) => Place::Transition(state, index),
        }
    }
}

/// The greatest whole number of the language, which counts in f32.
const MAX_WHOLE: f64 = 16_777_216.0;

/// A call of a chain.
struct Call<'a> {
    name: &'a str,
    span: Span,
    arguments: &'a [ExprId],
}

impl<'a> Reader<'a, '_> {
    fn call(&self, id: ExprId) -> Option<Call<'a>> {
        let tree = self.tree;
        match tree.kind(id) {
            ExprKind::Method(_, name, span, arguments) => {
                Some(Call { name, span: span.to(tree.span(id).after()), arguments })
            }
            _ => None,
        }
    }

    /// Applies calls; gives where the chain ends, if it can go on.
    pub(super) fn apply_all(&mut self, start: Cursor, calls: &[ExprId]) -> Option<Cursor> {
        let mut cursor = start;
        let mut built = false;
        let mut index = 0;
        while let Some(call) = calls.get(index).and_then(|id| self.call(*id)) {
            index += 1;
            match self.meaning(cursor.position, call.name) {
                Some((position, meaning)) => {
                    built = meaning == Meaning::Build;
                    let before = cursor.position;
                    cursor.position = position;
                    let (next, place) = self.apply(cursor, meaning, &call);
                    let place = if meaning == Meaning::Done { self.finished(cursor, before) } else { place };
                    self.anchor(call.span.start, call.span.end, Owner::Item(cursor.behavior, place));
                    cursor.position = next;
                }
                None if call.name == "Done" => self.report_unknown(cursor.position.context(), &call),
                None => {
                    self.report_unknown(cursor.position.context(), &call);
                    index += self.skipped(cursor.position, &calls[index..]);
                }
            }
        }
        (!built).then_some(cursor)
    }

    /// The item that a comment behind a `Done` belongs to.
    fn finished(&self, cursor: Cursor, position: Position) -> Place {
        let states = &self.model.behaviors[cursor.behavior].states;
        match position {
            Position::Entry(state) if !states[state].entry.is_empty() => {
                Place::Entry(state, states[state].entry.len() - 1)
            }
            Position::Exit(state) if !states[state].exit.is_empty() => {
                Place::Exit(state, states[state].exit.len() - 1)
            }
            position => position.place(),
        }
    }

    /// What a method means at a position or at one around it, where a `Done` was forgotten.
    fn meaning(&self, mut position: Position, name: &str) -> Option<(Position, Meaning)> {
        loop {
            if let Some(meaning) = methods::find(position.context(), name) {
                return Some((position, meaning));
            }
            position = position.parent()?;
        }
    }

    /// How many of the calls after an unknown one belong to it: those up to the `Done` that it needs, if what comes
    /// after that `Done` shows that it opened something.
    fn skipped(&self, position: Position, calls: &[ExprId]) -> usize {
        let own = position.context();
        let names: Vec<&str> = calls.iter().take(16).map_while(|id| Some(self.call(*id)?.name)).collect();
        let Some(done) = names.iter().position(|name| *name == "Done") else { return 0 };
        let inside = names[..done].iter().any(|name| methods::find(own, name).is_some());
        let opened = match (names.get(done + 1), position.parent()) {
            _ if inside => false,
            (_, None) => true,
            (Some(next), Some(parent)) => {
                *next != "Done"
                    && methods::find(own, next).is_some()
                    && methods::find(parent.context(), next).is_none()
            }
            (None, Some(_)) => false,
        };
        if opened { done + 1 } else { 0 }
    }

    fn report_unknown(&mut self, context: Context, call: &Call<'_>) {
        let head = Span::new(call.span.file, call.span.start, call.span.start + call.name.len() as u32);
        let message = format!("`:{}(...)` of {} has no counterpart", call.name, context.name());
        let mut diagnostic = Diagnostic::new(Code::NotCarriedOver, message, head, "not carried over");
        if let Some(near) = methods::nearest(context, call.name) {
            diagnostic = diagnostic.help(format!("did you mean `:{near}(...)`?"));
        }
        self.push(diagnostic);
    }

    fn behavior(&mut self, cursor: Cursor) -> &mut Behavior {
        &mut self.model.behaviors[cursor.behavior]
    }

    /// Applies one call; gives where the chain goes on, and the item that its comments belong to.
    fn apply(&mut self, cursor: Cursor, meaning: Meaning, call: &Call<'a>) -> (Position, Place) {
        let here = cursor.position;
        match (meaning, here) {
            (Meaning::Open(context), _) => {
                let name = self.name(call, 0);
                self.spare(call, 1);
                let behavior = self.behavior(cursor);
                let position = match context {
                    Context::Animation => {
                        behavior.animations.push(Animation { name, ..Animation::default() });
                        Position::Animation(behavior.animations.len() - 1)
                    }
                    Context::Layer => {
                        behavior.layers.push(Layer { name, ..Layer::default() });
                        Position::Layer(behavior.layers.len() - 1)
                    }
                    _ => {
                        behavior.states.push(State { name, ..State::default() });
                        Position::State(behavior.states.len() - 1)
                    }
                };
                (position, position.place())
            }
            (Meaning::List(context), Position::State(state)) => {
                self.spare(call, 0);
                let entry = context == Context::Entry;
                (if entry { Position::Entry(state) } else { Position::Exit(state) }, here.place())
            }
            (Meaning::Property(keyword, takes), Position::Animation(_) | Position::Layer(_)) => {
                self.property(cursor, keyword, takes, call);
                (here, here.place())
            }
            (Meaning::Action(kind), Position::Entry(state) | Position::Exit(state)) => {
                let entry = matches!(here, Position::Entry(_));
                let place = self.action(cursor, state, entry, kind, call);
                (here, place)
            }
            (Meaning::Mark(active), Position::State(state)) => {
                let layer = self.name(call, 0);
                self.spare(call, 1);
                let marks = &mut self.behavior(cursor).states[state].marks;
                marks.extend(layer.map(|layer| Mark { layer, active, dropped: false }));
                (here, Place::Mark(state, marks.len().saturating_sub(1)))
            }
            (Meaning::LayerName | Meaning::GroupName, Position::Animation(index)) => {
                let name = self.name(call, 0);
                self.spare(call, 1);
                let animation = &mut self.behavior(cursor).animations[index];
                if meaning == Meaning::LayerName {
                    animation.layer = name;
                } else {
                    animation.group = name;
                }
                (here, here.place())
            }
            (Meaning::Tags, Position::Animation(_) | Position::State(_)) => {
                let names = self.names(call);
                let behavior = self.behavior(cursor);
                match here {
                    Position::Animation(index) => behavior.animations[index].tags.extend(names),
                    Position::State(index) => behavior.states[index].tags.extend(names),
                    _ => {}
                }
                (here, here.place())
            }
            (Meaning::Marker, Position::Animation(index)) => {
                let (name, at) = (self.name(call, 0), self.value(call, 1, Takes::Seconds));
                self.spare(call, 2);
                if let (Some(name), Some(at)) = (name, at) {
                    self.behavior(cursor).animations[index].markers.push((name, at));
                }
                (here, here.place())
            }
            (Meaning::Transition, Position::State(state)) => {
                let index = self.transition(cursor, state, call);
                (Position::Transition(state, index), Place::Transition(state, index))
            }
            (Meaning::TransitionPriority, Position::Transition(state, index)) => {
                let priority = self.value(call, 0, Takes::Integer);
                self.spare(call, 1);
                self.behavior(cursor).states[state].transitions[index].priority = priority;
                (here, here.place())
            }
            (Meaning::Predicate, _) => {
                let place = self.predicate(cursor, call);
                (here, place)
            }
            (Meaning::Initial, _) => {
                let name = self.name(call, 0);
                self.spare(call, 1);
                let behavior = self.behavior(cursor);
                let before = behavior.initial.take();
                behavior.initial = name.or_else(|| before.clone());
                if before.is_some() && before != behavior.initial {
                    let message = "`:InitialState(...)` is called twice";
                    let label = "this one counts";
                    self.push(Diagnostic::new(Code::DuplicateInBuilder, message, call.span, label));
                }
                (here, Place::Initial)
            }
            (Meaning::Done, _) => (here.parent().unwrap_or(here), here.place()),
            (Meaning::Build, _) => (here, Place::Behavior),
            // The table gives these meanings in their contexts only.
            _ => (here, here.place()),
        }
    }

    fn action(
        &mut self,
        cursor: Cursor,
        state: usize,
        entry: bool,
        kind: ActionKind,
        call: &Call<'a>,
    ) -> Place {
        let name = self.name(call, 0);
        let cuts = matches!(kind, ActionKind::Stop | ActionKind::StopGroup);
        let immediate = cuts && call.arguments.len() > 1 && {
            let value = self.value(call, 1, Takes::Bool);
            value.is_some_and(|value| value.data == Data::Bool(true))
        };
        self.spare(call, if cuts { 2 } else { 1 });
        let state_row = &mut self.behavior(cursor).states[state];
        let list = if entry { &mut state_row.entry } else { &mut state_row.exit };
        let index = list.len();
        if name.is_none() {
            return Place::State(state);
        }
        list.push(Action { kind, name, immediate });
        if entry { Place::Entry(state, index) } else { Place::Exit(state, index) }
    }

    fn transition(&mut self, cursor: Cursor, state: usize, call: &Call<'a>) -> usize {
        let target = self.name(call, 0);
        let index = self.behavior(cursor).states[state].transitions.len();
        let predicate = match call.arguments.get(1).map(|id| (*id, self.tree.kind(self.tree.bare(*id)))) {
            None | Some((_, ExprKind::Nil)) => None,
            Some((id, ExprKind::Function(_))) => {
                let from = self.behavior(cursor).states[state].name.as_ref().map_or("", |name| &name.text);
                let to = target.as_ref().map_or("", |name| &name.text);
                // Two transitions between the same states have two conditions.
                let mut text = format!("{from}To{to}");
                let known =
                    self.behavior(cursor).predicates.iter().filter(|row| row.name.text.starts_with(&text));
                let count = known.count();
                if count > 0 {
                    text = format!("{text}{}", count + 1);
                }
                let name = Named { text, span: self.tree.span(id) };
                let body = condition::predicate(self, cursor.behavior, id);
                let behavior = self.behavior(cursor);
                behavior.predicates.push(Predicate { name: name.clone(), body });
                Some(name)
            }
            Some(_) => match self.name(call, 1) {
                Some(name) => Some(name),
                // Without its condition the transition would always hold.
                None => {
                    let transition = Transition { target: None, predicate: None, priority: None };
                    self.behavior(cursor).states[state].transitions.push(transition);
                    return index;
                }
            },
        };
        self.spare(call, 2);
        let transition = Transition { target, predicate, priority: None };
        self.behavior(cursor).states[state].transitions.push(transition);
        index
    }

    fn predicate(&mut self, cursor: Cursor, call: &Call<'a>) -> Place {
        let name = self.name(call, 0);
        self.spare(call, 2);
        let (Some(name), Some(body)) = (name, call.arguments.get(1)) else {
            if call.arguments.len() < 2 {
                self.missing(call, "the function of the predicate");
            }
            return Place::Behavior;
        };
        let body = condition::predicate(self, cursor.behavior, *body);
        let behavior = self.behavior(cursor);
        behavior.predicates.push(Predicate { name, body });
        Place::Predicate(behavior.predicates.len() - 1)
    }

    fn property(&mut self, cursor: Cursor, keyword: &'static str, takes: Takes, call: &Call<'a>) {
        // A switch may stand alone: `:Looped()`.
        let value = if takes == Takes::Bool && call.arguments.is_empty() {
            Some(Value { data: Data::Bool(true), constant: None, span: call.span })
        } else {
            self.value(call, 0, takes)
        };
        self.spare(call, 1);
        let Some(value) = value else { return };
        let behavior = self.behavior(cursor);
        let properties = match cursor.position {
            Position::Animation(index) => &mut behavior.animations[index].properties,
            Position::Layer(index) => &mut behavior.layers[index].properties,
            _ => return,
        };
        let before = properties.iter().position(|property| property.keyword == keyword);
        if let Some(before) = before {
            // As in Lua, the last one counts.
            properties.remove(before);
            let message = format!("`:{}(...)` is called twice", call.name);
            let diagnostic = Diagnostic::new(Code::DuplicateInBuilder, message, call.span, "this one counts");
            properties.push(Property { keyword, value });
            self.push(diagnostic);
        } else {
            properties.push(Property { keyword, value });
        }
    }

    /// The name in an argument.
    fn name(&mut self, call: &Call<'a>, index: usize) -> Option<Named> {
        self.value(call, index, Takes::Text).and_then(named)
    }

    /// All names in the arguments, or in a table that is the argument.
    fn names(&mut self, call: &Call<'a>) -> Vec<Named> {
        let mut ids = call.arguments.to_vec();
        if let Some(fields) = ids.first().and_then(|id| self.table(*id)) {
            ids =
                fields.iter().filter(|(key, _)| matches!(key, Key::None)).map(|(_, value)| *value).collect();
        }
        let inner = Call { name: call.name, span: call.span, arguments: &ids };
        (0..ids.len()).filter_map(|index| self.value(&inner, index, Takes::Text)).filter_map(named).collect()
    }

    fn missing(&mut self, call: &Call<'_>, what: &str) {
        let message = format!("`:{}(...)` lacks {what}", call.name);
        self.push(Diagnostic::new(Code::UnknownArgument, message, call.span, "not carried over"));
    }

    /// The value of an argument that has the right type; anything else is reported.
    fn value(&mut self, call: &Call<'_>, index: usize, takes: Takes) -> Option<Value> {
        let expected = match takes {
            Takes::Bool => "true or false",
            Takes::Text => "a text",
            _ => "a number",
        };
        let Some(id) = call.arguments.get(index).copied() else {
            self.missing(call, expected);
            return None;
        };
        let span = self.tree.span(id);
        if matches!(self.tree.kind(id), ExprKind::Error) {
            return None;
        }
        let constant = self.constant_at(id);
        let Some(data) = self.fold(id) else {
            let message = format!("the value of `{}` is not known here", shortened(self.source(span)));
            let label = format!("`:{}(...)` is not carried over", call.name);
            let help = "only literals and locals that are never written again have a value that is known";
            self.push(Diagnostic::new(Code::UnknownArgument, message, span, label).help(help));
            return None;
        };
        let fits = match takes {
            Takes::Bool => matches!(data, Data::Bool(_)),
            Takes::Text => matches!(data, Data::Text(_)),
            _ => matches!(data, Data::Number(_)),
        };
        if !fits {
            let message = format!("`:{}(...)` takes {expected}", call.name);
            self.push(Diagnostic::new(Code::UnknownArgument, message, span, "not carried over"));
            return None;
        }
        let value = Value { data, constant, span };
        Some(self.adjusted(value, takes))
    }

    /// The value, moved into the range that the language takes.
    fn adjusted(&mut self, value: Value, takes: Takes) -> Value {
        let Data::Number(number) = value.data else { return value };
        let limit = f64::from(f32::MAX);
        let (fitted, range) = match takes {
            Takes::Integer => {
                (number.round().clamp(-MAX_WHOLE, MAX_WHOLE), "it must be a whole number of at most 16777216")
            }
            Takes::Seconds => (number.clamp(0.0, limit), "a time is 0 or more"),
            Takes::Fade => (number.clamp(0.0, LONGEST_FADE.into()), "a fade takes 0 to 240 seconds"),
            Takes::Positive => (number.clamp(0.001, limit), "it must be above 0"),
            Takes::Ratio => (number.clamp(0.0, 1.0), "a weight lies between 0 and 1"),
            Takes::Share => (number.clamp(0.001, 1.0), "a weight is above 0 and at most 1"),
            _ => (number.clamp(-limit, limit), "it must be finite"),
        };
        if fitted == number {
            return value;
        }
        let message = format!("`{number}` became `{fitted}`");
        self.push(Diagnostic::new(Code::AdjustedValue, message, value.span, range));
        Value { data: Data::Number(fitted), constant: None, span: value.span }
    }

    /// Reports arguments from `index` on: they have no meaning.
    fn spare(&mut self, call: &Call<'_>, index: usize) {
        let Some(first) = call.arguments.get(index) else { return };
        let span = self.tree.span(*first);
        let message = format!("this argument of `:{}(...)` has no counterpart", call.name);
        self.push(Diagnostic::new(Code::NotCarriedOver, message, span, "not carried over"));
    }
}

fn named(value: Value) -> Option<Named> {
    match value.data {
        Data::Text(text) => Some(Named { text, span: value.span }),
        _ => None,
    }
}
