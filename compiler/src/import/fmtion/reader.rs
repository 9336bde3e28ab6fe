//! What reading any object needs: its members by key, values of the types that are expected, reports with paths.
//!
//! A value of a wrong type is reported and counts as not being there, as does `null`.

use std::collections::BTreeSet;

use super::json::{Id, Json, Value};
use super::keys::{DOC, Kind};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::import::names::{self, Taken};
use crate::nearest::Nearest;

/// A text of the file and the node it is.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) id: Id,
}

/// A tree and where reports go.
pub(super) struct Reader<'t, 'd> {
    pub(super) json: &'t Json,
    pub(super) diagnostics: &'d mut Diagnostics,
    nearest: Nearest,
}

impl<'t, 'd> Reader<'t, 'd> {
    pub(super) fn new(json: &'t Json, diagnostics: &'d mut Diagnostics) -> Self {
        Self { json, diagnostics, nearest: Nearest::default() }
    }

    /// Reports something about a node.
    pub(super) fn report(&mut self, code: Code, id: Id, message: impl Into<String>, label: &str) {
        self.push(Diagnostic::new(code, message, self.json.span(id), label));
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports a name that is not there, with the one that may be meant.
    pub(super) fn unknown<'n>(
        &mut self,
        what: &str,
        word: &Word,
        known: impl IntoIterator<Item = &'n str>,
        label: &str,
    ) {
        let message = format!("there is no {what} `{}`", word.text.escape_debug());
        self.unknown_as(message, word, known, label);
    }

    /// The same with a message of its own.
    pub(super) fn unknown_as<'n>(
        &mut self,
        message: String,
        word: &Word,
        known: impl IntoIterator<Item = &'n str>,
        label: &str,
    ) {
        let diagnostic = Diagnostic::new(Code::UnknownInMachine, message, self.json.span(word.id), label);
        let diagnostic = self.near(diagnostic, &word.text, known);
        self.push(diagnostic);
    }

    /// Reports a word that is none of a few, with the one that may be meant.
    pub(super) fn no_choice(&mut self, word: &Word, choices: &[&str], label: &str) {
        let path = self.json.path(word.id);
        let message = format!("`{path}` is `{}`, which has no counterpart", word.text.escape_debug());
        let diagnostic = Diagnostic::new(Code::NotInMotix, message, self.json.span(word.id), label);
        let mut diagnostic = self.near(diagnostic, &word.text, choices.iter().copied());
        if diagnostic.help.is_empty() {
            let list: Vec<String> = choices.iter().map(|choice| format!("`{choice}`")).collect();
            diagnostic = diagnostic.help(format!("known are {}", list.join(", ")));
        }
        self.push(diagnostic);
    }

    fn near<'n>(
        &mut self,
        diagnostic: Diagnostic,
        name: &str,
        known: impl IntoIterator<Item = &'n str>,
    ) -> Diagnostic {
        match self.nearest.find(name, known) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic,
        }
    }

    /// Whether a node is an object; other keys than those of its kind are reported, and keys that are there twice.
    pub(super) fn object(&mut self, id: Id, kind: &Kind) -> bool {
        let json = self.json;
        let Value::Object(members) = json.value(id) else {
            self.wrong(id, "an object");
            return false;
        };
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        for member in members {
            if self.diagnostics.is_full() {
                break;
            }
            if !seen.insert(&member.key) {
                let path = json.key_path(id, &member.key);
                let message = format!("`{path}` is there twice");
                self.push(Diagnostic::new(
                    Code::DuplicateInMachine,
                    message,
                    member.span,
                    "the last one counts",
                ));
            } else if !kind.keys.contains(&member.key.as_str()) && !DOC.contains(&member.key.as_str()) {
                let path = json.key_path(id, &member.key);
                let message = format!("`{path}` is not carried over");
                let label = format!("{} has no such key here", kind.name);
                let diagnostic = Diagnostic::new(Code::UnknownKey, message, member.span, label);
                let diagnostic = self.near(diagnostic, &member.key, kind.keys.iter().copied());
                self.push(diagnostic);
            }
        }
        true
    }

    /// The value of a key, unless it is `null` or not there.
    pub(super) fn get(&self, object: Id, key: &str) -> Option<Id> {
        let Value::Object(members) = self.json.value(object) else { return None };
        let member = members.iter().rev().find(|member| member.key == key)?;
        Some(member.value).filter(|value| !matches!(self.json.value(*value), Value::Null))
    }

    /// Reports a value of a wrong type.
    pub(super) fn wrong(&mut self, id: Id, expected: &str) {
        let is = match self.json.value(id) {
            Value::Null => "`null`",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::List(_) => "a list",
            Value::Object(_) => "an object",
        };
        let path = self.json.path(id);
        let what = if path.is_empty() { "the file".to_owned() } else { format!("`{path}`") };
        self.report(Code::WrongJsonType, id, format!("{what} is {is}"), &format!("expected {expected}"));
    }

    pub(super) fn text(&mut self, object: Id, key: &str) -> Option<Word> {
        let id = self.get(object, key)?;
        self.text_of(id)
    }

    pub(super) fn text_of(&mut self, id: Id) -> Option<Word> {
        if let Value::Text(text) = self.json.value(id) {
            return Some(Word { text: text.clone(), id });
        }
        self.wrong(id, "a text");
        None
    }

    /// A text without which its object means nothing: reported where it is missing.
    pub(super) fn needed(&mut self, object: Id, key: &str, label: &str) -> Option<Word> {
        if self.get(object, key).is_none() {
            self.missing(object, key, label);
        }
        self.text(object, key)
    }

    /// Reports that a key is missing.
    pub(super) fn missing(&mut self, object: Id, key: &str, label: &str) {
        let path = self.json.key_path(object, key);
        self.report(Code::MissingPart, object, format!("`{path}` is missing"), label);
    }

    pub(super) fn flag(&mut self, object: Id, key: &str) -> Option<bool> {
        let id = self.get(object, key)?;
        if let Value::Bool(value) = self.json.value(id) {
            return Some(*value);
        }
        self.wrong(id, "true or false");
        None
    }

    /// A number that is finite in 32 bits; a greater one is reported and becomes the greatest.
    pub(super) fn number(&mut self, object: Id, key: &str) -> Option<f64> {
        let id = self.get(object, key)?;
        self.number_of(id)
    }

    pub(super) fn number_of(&mut self, id: Id) -> Option<f64> {
        let Value::Number(value) = self.json.value(id) else {
            self.wrong(id, "a number");
            return None;
        };
        let most = f64::from(f32::MAX);
        self.within(id, *value, -most, most)
    }

    /// A number of a key, moved into a range; what was moved is reported.
    pub(super) fn number_in(&mut self, object: Id, key: &str, low: f64, high: f64) -> Option<f64> {
        let id = self.get(object, key)?;
        let value = self.number_of(id)?;
        self.within(id, value, low, high)
    }

    fn within(&mut self, id: Id, value: f64, low: f64, high: f64) -> Option<f64> {
        let moved = value.clamp(low, high);
        if moved != value {
            let side = if value < low { "low" } else { "high" };
            let path = self.json.path(id);
            let label = format!("it became {}", crate::import::page::number_text(moved));
            self.report(Code::AdjustedValue, id, format!("`{path}` is too {side}"), &label);
        }
        Some(moved)
    }

    /// The items of a list; none where the key is not there.
    pub(super) fn list(&mut self, object: Id, key: &str) -> Vec<Id> {
        let Some(id) = self.get(object, key) else { return Vec::new() };
        if let Value::List(items) = self.json.value(id) {
            return items.clone();
        }
        self.wrong(id, "a list");
        Vec::new()
    }

    /// The lines of the doc comment of an object.
    pub(super) fn doc(&mut self, object: Id) -> Vec<String> {
        let mut lines = Vec::new();
        for key in DOC {
            let text = self.text(object, key).map_or_else(String::new, |word| word.text);
            let clean = text.lines().map(|line| line.replace(char::is_control, " ").trim().to_owned());
            lines.extend(clean.filter(|line| !line.is_empty()));
        }
        lines
    }

    /// Keeps the names that the items of a list give under a key, where they can stand as they are.
    pub(super) fn keep(&self, items: &[Id], key: &str, taken: &mut Taken) {
        for item in items {
            let Some(Value::Text(text)) = self.get(*item, key).map(|id| self.json.value(id)) else {
                continue;
            };
            keep(text, taken);
        }
    }

    /// The same for items that are the names themselves.
    pub(super) fn keep_all(&self, items: &[Id], taken: &mut Taken) {
        for item in items {
            if let Value::Text(text) = self.json.value(*item) {
                keep(text, taken);
            }
        }
    }

    /// The name that a name of the file becomes: one that can be written, and that nothing else has.
    pub(super) fn name(&mut self, word: &Word, taken: &mut Taken) -> String {
        let clean = names::clean(&word.text);
        let stands = names::is_spelling(&word.text, &clean);
        let name = if stands { taken.own(&clean) } else { taken.fresh(&clean) };
        if name != clean || !stands {
            let shown = word.text.escape_debug();
            let (code, message) = if stands {
                (Code::DuplicateInMachine, format!("the name `{shown}` is given twice"))
            } else {
                (Code::AdjustedValue, format!("the name \"{shown}\" cannot stand here"))
            };
            self.report(code, word.id, message, &format!("it became `{name}`"));
        }
        name
    }
}

fn keep(text: &str, taken: &mut Taken) {
    let clean = names::clean(text);
    if names::is_spelling(text, &clean) {
        taken.keep(&clean);
    }
}
