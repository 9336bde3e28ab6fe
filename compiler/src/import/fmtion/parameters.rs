//! Parameters: types, initial values, ranges; values of a parameter's type, wherever they stand.

use std::collections::{BTreeMap, BTreeSet};

use super::json::{Id, Value};
use super::keys;
use super::model::{Param, Ty, Variant};
use super::reader::{Reader, Word};
use crate::diagnostic::Code;
use crate::import::names::{Taken, written};
use crate::import::page::{number_text, quoted};

/// The types by their words.
const TYPES: &[(&str, Ty)] = &[
    ("boolean", Ty::Bool),
    ("number", Ty::Number),
    ("string", Ty::Text),
    ("enum", Ty::Enum(Vec::new())),
    ("color", Ty::Color),
    ("trigger", Ty::Trigger),
    // Other spellings of them.
    ("bool", Ty::Bool),
    ("float", Ty::Number),
];

/// The parameters of a machine, found by what the file calls them.
#[derive(Debug, Default)]
pub(super) struct Params {
    pub(super) rows: Vec<Param>,
    index: BTreeMap<String, usize>,
}

impl Params {
    pub(super) fn find(&self, source: &str) -> Option<&Param> {
        self.index.get(source).map(|index| &self.rows[*index])
    }

    pub(super) fn sources(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.source.as_str())
    }

    /// The parameter that a key of an object names; one that is missing or unknown is reported with what follows.
    pub(super) fn named(
        &self,
        reader: &mut Reader<'_, '_>,
        object: Id,
        key: &str,
        label: &str,
    ) -> Option<&Param> {
        let word = reader.needed(object, key, label)?;
        self.find_or_report(reader, &word, label)
    }

    fn find_or_report(&self, reader: &mut Reader<'_, '_>, word: &Word, label: &str) -> Option<&Param> {
        let found = self.find(&word.text);
        if found.is_none() {
            reader.unknown("parameter", word, self.sources(), label);
        }
        found
    }

    /// The same for one that must be of a type.
    pub(super) fn typed(
        &self,
        reader: &mut Reader<'_, '_>,
        object: Id,
        key: &str,
        ty: &Ty,
        label: &str,
    ) -> Option<&Param> {
        let param = self.named(reader, object, key, label)?;
        if param.ty == *ty {
            return Some(param);
        }
        let id = reader.get(object, key)?;
        let message =
            format!("`{}` is {}, and this needs {}", param.source.escape_debug(), param.ty.name(), ty.name());
        reader.report(Code::WrongJsonType, id, message, label);
        None
    }
}

/// Reads the parameters of a machine.
pub(super) fn read(reader: &mut Reader<'_, '_>, machine: Id) -> Params {
    let mut params = Params::default();
    let mut taken = Taken::default();
    let list = reader.list(machine, "parameters");
    reader.keep(&list, "name", &mut taken);
    for id in list {
        if !reader.object(id, keys::PARAMETER) {
            continue;
        }
        let Some(source) = reader.needed(id, "name", "this parameter is not carried over") else { continue };
        if params.index.contains_key(&source.text) {
            let message = format!("the parameter `{}` is there twice", source.text.escape_debug());
            reader.report(Code::DuplicateInMachine, source.id, message, "the first one counts");
            continue;
        }
        let name = reader.name(&source, &mut taken);
        let param = parameter(reader, id, source.text.clone(), name);
        params.index.insert(source.text, params.rows.len());
        params.rows.push(param);
    }
    params
}

fn parameter(reader: &mut Reader<'_, '_>, id: Id, source: String, name: String) -> Param {
    let mut ty = ty(reader, id);
    if let Ty::Enum(variants) = &mut ty {
        *variants = options(reader, id);
        if variants.is_empty() {
            reader.missing(id, "options", "it became a string");
            ty = Ty::Text;
        }
    } else if let Some(options) = reader.get(id, "options") {
        misplaced(reader, options, "options are for enums");
    }
    let doc = reader.doc(id);
    let mut param = Param { source, name, ty, default: None, min: None, max: None, step: None, doc };
    if param.ty == Ty::Number {
        range(reader, id, &mut param);
    } else {
        for key in ["min", "max", "step"] {
            if let Some(value) = reader.get(id, key) {
                misplaced(reader, value, "a range is for numbers");
            }
        }
    }
    param.default = default(reader, id, &param);
    param
}

/// Reports a key that a parameter of this type does not have.
fn misplaced(reader: &mut Reader<'_, '_>, id: Id, label: &str) {
    let message = format!("`{}` is not carried over", reader.json.path(id));
    reader.report(Code::UnknownKey, id, message, label);
}

fn ty(reader: &mut Reader<'_, '_>, id: Id) -> Ty {
    let Some(word) = reader.text(id, "type") else {
        if reader.get(id, "type").is_none() {
            reader.missing(id, "type", "it became a number");
        }
        return Ty::Number;
    };
    if let Some((_, ty)) = TYPES.iter().find(|(known, _)| *known == word.text) {
        return ty.clone();
    }
    let known: Vec<&str> = TYPES.iter().take(6).map(|(known, _)| *known).collect();
    reader.no_choice(&word, &known, "it became a number");
    Ty::Number
}

fn options(reader: &mut Reader<'_, '_>, id: Id) -> Vec<Variant> {
    let mut variants: Vec<Variant> = Vec::new();
    let mut taken = Taken::default();
    let mut seen = BTreeSet::new();
    let list = reader.list(id, "options");
    reader.keep_all(&list, &mut taken);
    for option in list {
        let Some(word) = reader.text_of(option) else { continue };
        if !seen.insert(word.text.clone()) {
            let message = format!("the option `{}` is there twice", word.text.escape_debug());
            reader.report(Code::DuplicateInMachine, option, message, "the first one counts");
            continue;
        }
        let name = reader.name(&word, &mut taken);
        variants.push(Variant { source: word.text, name });
    }
    variants
}

fn range(reader: &mut Reader<'_, '_>, id: Id, param: &mut Param) {
    param.min = reader.number(id, "min");
    param.max = reader.number(id, "max");
    if let (Some(min), Some(max)) = (param.min, param.max)
        && (min as f32) > (max as f32)
    {
        let Some(at) = reader.get(id, "max") else { return };
        let message = format!("`min` is {}, above `max`", number_text(min));
        reader.report(Code::AdjustedValue, at, message, "they were exchanged");
        (param.min, param.max) = (Some(max), Some(min));
    }
    let Some(step) = reader.number(id, "step") else { return };
    let Some(at) = reader.get(id, "step") else { return };
    if (step as f32) <= 0.0 {
        reader.report(Code::AdjustedValue, at, "a step is above 0", "it was left out");
    } else if param.min.is_none() {
        let label = "it was left out: Motix counts steps from `Min`";
        reader.report(Code::NotInMotix, at, "a step without a `min`", label);
    } else {
        param.step = Some(step);
    }
}

fn default(reader: &mut Reader<'_, '_>, id: Id, param: &Param) -> Option<String> {
    let value = reader.get(id, "default")?;
    match param.ty {
        Ty::Trigger => {
            if !matches!(reader.json.value(value), Value::Bool(false)) {
                let message = "a trigger begins not fired";
                reader.report(Code::NotInMotix, value, message, "not carried over");
            }
            None
        }
        Ty::Number => {
            let (low, high) = (param.min.unwrap_or(f64::MIN), param.max.unwrap_or(f64::MAX));
            reader.number_in(id, "default", low, high).map(number_text)
        }
        _ => literal(reader, value, param, "not carried over"),
    }
}

/// A value of a parameter's type as it is written; one that is none is reported with what follows.
pub(super) fn literal(reader: &mut Reader<'_, '_>, id: Id, param: &Param, label: &str) -> Option<String> {
    match (&param.ty, reader.json.value(id)) {
        (Ty::Bool, Value::Bool(value)) => Some(value.to_string()),
        (Ty::Number, Value::Number(_)) => reader.number_of(id).map(number_text),
        (Ty::Text, Value::Text(text)) => Some(quoted(text)),
        (Ty::Color, Value::Text(text)) => {
            let color = hex(text);
            if color.is_none() {
                let message = format!("`{}` is no color that Motix can write", text.escape_debug());
                let help = "write it with hexadecimal digits: `#ff8800`, `#ff880080`";
                let span = reader.json.span(id);
                reader.push(
                    crate::diagnostic::Diagnostic::new(Code::NotInMotix, message, span, label).help(help),
                );
            }
            color
        }
        (Ty::Enum(variants), Value::Text(text)) => {
            let found = variants.iter().find(|variant| variant.source == *text);
            if found.is_none() {
                let word = Word { text: text.clone(), id };
                let known = variants.iter().map(|variant| variant.source.as_str());
                let message =
                    format!("`{}` has no option `{}`", param.source.escape_debug(), text.escape_debug());
                reader.unknown_as(message, &word, known, label);
            }
            found.map(|variant| written(&variant.name))
        }
        (ty, _) => {
            let expected = format!("{}, as `{}` is: {label}", ty.name(), param.source.escape_debug());
            reader.wrong(id, &expected);
            None
        }
    }
}

/// A color as it is written: `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`.
fn hex(text: &str) -> Option<String> {
    let digits =
        text.strip_prefix('#').filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    match digits.len() {
        3 | 6 | 8 => Some(text.to_owned()),
        4 => Some(
            digits.chars().fold(String::from("#"), |out, digit| out + &String::from_iter([digit, digit])),
        ),
        _ => None,
    }
}
