//! Layered machines in JSON (`.fmtion`) into `.motix` text.
//!
//! The JSON is read into a tree that knows where everything stands, then each part of it into a model with names of
//! the language, which is written. Whatever has no counterpart, has another type than is needed or is named and not
//! there is reported with its path, and listed in a comment at the top of the result. The result compiles.

mod clips;
mod conditions;
mod easing;
mod json;
mod keys;
mod layers;
mod listeners;
mod machine;
mod model;
mod nested;
mod parameters;
mod reader;
mod states;
mod transitions;
mod write;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{FileId, Loader};

use json::{Id, Value};
use nested::Around;
use reader::Reader;

/// Reads a JSON file and writes the machine that it describes as `.motix` text; `None` where it has none.
///
/// `name` is the file's name: the behavior is named after it unless the file names it, and files of nested machines
/// are looked for beside it through `files`. The text is at most `u32::MAX` bytes long.
pub fn import(
    file: FileId,
    text: &str,
    name: &str,
    files: &dyn Loader,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let first = diagnostics.list().len();
    let json = json::read(file, text, diagnostics)?;
    let mut reader = Reader::new(&json, diagnostics);
    let machine = machine_of(&mut reader)?;
    let model = model(&mut reader, machine, name, files);
    let written = write::write(&model);
    Some(super::finish(text, name, &diagnostics.list()[first..], &written))
}

/// The machine of a file: under its key, or the file itself. A file without one is reported.
fn machine_of(reader: &mut Reader<'_, '_>) -> Option<Id> {
    let root = reader.json.root();
    let found = match reader.json.value(root) {
        Value::Object(_) if reader.get(root, "layers").is_some() => {
            reader.object(root, keys::BARE_FILE);
            return Some(root);
        }
        Value::Object(_) => reader.get(root, "stateMachine"),
        _ => None,
    };
    let found = found.filter(|id| matches!(reader.json.value(*id), Value::Object(_)));
    match found {
        Some(machine) => {
            reader.object(root, keys::FILE);
            reader.object(machine, keys::MACHINE);
        }
        None => {
            let message = "there is no state machine in this file";
            let span = reader.json.span(root);
            let start = crate::source::Span { end: span.start, ..span };
            let diagnostic = Diagnostic::new(Code::NoStateMachine, message, start, "nothing to import");
            let help =
                "expected an object with the key `stateMachine`, which holds `parameters` and `layers`";
            reader.push(diagnostic.help(help));
        }
    }
    found
}

/// The name of the behavior of a machine.
fn name_of(reader: &mut Reader<'_, '_>, machine: Id, file: &str) -> String {
    nested::given_name(reader.text(machine, "name"))
        .unwrap_or_else(|| super::behavior_name(super::stem(file)))
}

fn model(reader: &mut Reader<'_, '_>, machine: Id, name: &str, files: &dyn Loader) -> model::Machine {
    let behavior = name_of(reader, machine, name);
    let doc = reader.doc(machine);
    let params = parameters::read(reader, machine);
    let root = reader.json.root();
    let mut clips = clips::Clips::read(reader, root);
    let layers = layers::read(reader, &params, &mut clips, machine);
    let listeners = listeners::read(reader, &params, machine);
    let around = Around { files, from: name, behavior: &behavior };
    let (uses, components) = nested::read(reader, &params, machine, &around);
    model::Machine {
        name: behavior.clone(),
        doc,
        uses,
        params: params.rows,
        clips: clips.rows,
        layers,
        listeners,
        components,
    }
}
