//! Listeners: those of one target become one, and in it those of one event.

use super::json::{Id, Value};
use super::keys;
use super::model::{Listener, On, Ty};
use super::parameters::{self, Params};
use super::reader::{Reader, Word};
use crate::diagnostic::Code;
use crate::import::names::written;
use crate::import::page::quoted;

/// The events that the language has words for; others stand in quotes, and the host sends them.
const EVENTS: &[&str] = &[
    "mouseenter",
    "mouseleave",
    "mousedown",
    "mouseup",
    "mousemove",
    "pointerenter",
    "pointerleave",
    "pointerdown",
    "pointerup",
    "pointermove",
    "click",
    "focus",
    "blur",
    "keydown",
    "keyup",
];
/// Those that have a key.
const KEY_EVENTS: &[&str] = &["keydown", "keyup"];

const ACTIONS: &[&str] = &["setTrue", "setFalse", "toggle", "fire", "setValue", "playAudio", "switchCamera"];

const LOST: &str = "this action is not carried over";

/// Reads the listeners of a machine.
pub(super) fn read(reader: &mut Reader<'_, '_>, params: &Params, machine: Id) -> Vec<Listener> {
    let mut listeners: Vec<Listener> = Vec::new();
    for id in reader.list(machine, "globalListeners") {
        if !reader.object(id, keys::LISTENER) {
            continue;
        }
        let mut given = ["target", "key"].into_iter().filter_map(|key| reader.get(id, key));
        if let Some(wrong) = given.find(|value| !matches!(reader.json.value(*value), Value::Text(_))) {
            // Without it, the listener would hear more than it should.
            reader.wrong(wrong, "a text: this listener is not carried over");
            continue;
        }
        let (target, key) = (reader.text(id, "target"), reader.text(id, "key"));
        if let Some(empty) = [&target, &key].into_iter().flatten().find(|word| word.text.is_empty()) {
            let message = format!("`{}` has no name", reader.json.path(empty.id));
            reader.report(Code::MissingPart, empty.id, message, "this listener is not carried over");
            continue;
        }
        let target = target.map(|word| word.text);
        let Some(head) = event(reader, id, key) else { continue };
        let actions = actions(reader, params, id);
        if actions.is_empty() {
            continue;
        }
        let doc = reader.doc(id);
        let index = match listeners.iter().position(|listener| listener.target == target) {
            Some(index) => index,
            None => {
                listeners.push(Listener { doc: Vec::new(), target, events: Vec::new() });
                listeners.len() - 1
            }
        };
        let listener = &mut listeners[index];
        listener.doc.extend(doc);
        match listener.events.iter_mut().find(|on| mouse(&on.head) == mouse(&head)) {
            Some(on) => on.actions.extend(actions),
            None => listener.events.push(On { head, actions }),
        }
    }
    listeners
}

/// The event of a listener and its key, as they are written.
fn event(reader: &mut Reader<'_, '_>, id: Id, key: Option<Word>) -> Option<String> {
    let label = "this listener is not carried over";
    let word = reader.needed(id, "event", label)?;
    if word.text.is_empty() {
        reader.report(Code::MissingPart, word.id, "the event has no name", label);
        return None;
    }
    if !EVENTS.contains(&word.text.as_str()) {
        let message = format!("`{}` is an event that the host has to send", word.text.escape_debug());
        let label = format!("it became `On {}`", quoted(&word.text));
        reader.report(Code::Assumed, word.id, message, &label);
    }
    match key {
        Some(key) if KEY_EVENTS.contains(&word.text.as_str()) => {
            Some(format!("On {} {}", word.text, quoted(&key.text)))
        }
        Some(key) => {
            let message = format!("`{}` is not carried over", reader.json.path(key.id));
            reader.report(Code::UnknownKey, key.id, message, "only `keydown` and `keyup` have a key");
            Some(plain(&word.text))
        }
        None => Some(plain(&word.text)),
    }
}

/// An event in one of the two spellings that it may have.
fn mouse(head: &str) -> String {
    head.replacen("On pointer", "On mouse", 1)
}

fn plain(event: &str) -> String {
    if EVENTS.contains(&event) { format!("On {event}") } else { format!("On {}", quoted(event)) }
}

/// The actions of a listener as they are written.
fn actions(reader: &mut Reader<'_, '_>, params: &Params, id: Id) -> Vec<String> {
    let mut items: Vec<Id> = reader.get(id, "action").into_iter().collect();
    items.extend(reader.list(id, "actions"));
    if items.is_empty() {
        reader.missing(id, "action", "this listener is not carried over");
    }
    items.into_iter().filter_map(|item| action(reader, params, item)).collect()
}

fn action(reader: &mut Reader<'_, '_>, params: &Params, id: Id) -> Option<String> {
    if !matches!(reader.json.value(id), Value::Object(_)) {
        reader.wrong(id, "an action");
        return None;
    }
    let word = reader.needed(id, "type", LOST)?;
    let (keyword, ty) = match word.text.as_str() {
        "setTrue" => ("SetTrue", Ty::Bool),
        "setFalse" => ("SetFalse", Ty::Bool),
        "toggle" => ("Toggle", Ty::Bool),
        "fire" => ("Fire", Ty::Trigger),
        "setValue" => return set_value(reader, params, id),
        "playAudio" => {
            reader.object(id, keys::PLAY_AUDIO);
            let asset = reader.needed(id, "asset", LOST)?;
            return Some(format!("PlayAudio {}", quoted(&asset.text)));
        }
        "switchCamera" => {
            reader.object(id, keys::SWITCH_CAMERA);
            let camera = reader.needed(id, "camera", LOST)?;
            return Some(format!("SwitchCamera {}", quoted(&camera.text)));
        }
        _ => {
            reader.no_choice(&word, ACTIONS, LOST);
            return None;
        }
    };
    reader.object(id, keys::SWITCH);
    let param = params.typed(reader, id, "parameterId", &ty, LOST)?;
    Some(format!("{keyword} {}", written(&param.name)))
}

fn set_value(reader: &mut Reader<'_, '_>, params: &Params, id: Id) -> Option<String> {
    reader.object(id, keys::SET_VALUE);
    let param = params.named(reader, id, "parameterId", LOST)?;
    let name = written(&param.name);
    let Some(value) = reader.get(id, "value") else {
        reader.missing(id, "value", LOST);
        return None;
    };
    if param.ty == Ty::Trigger {
        if matches!(reader.json.value(value), Value::Bool(true)) {
            return Some(format!("Fire {name}"));
        }
        let message = format!("the trigger `{}` cannot be set", param.source.escape_debug());
        reader.report(Code::NotInMotix, value, message, LOST);
        return None;
    }
    parameters::literal(reader, value, param, LOST).map(|value| format!("Set {name} = {value}"))
}
