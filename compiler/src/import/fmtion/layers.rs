//! Layers: order, weight, mask, and the machine of each.

use std::collections::BTreeSet;

use super::clips::Clips;
use super::json::{Id, Value};
use super::keys;
use super::machine;
use super::model::{Layer, Start};
use super::parameters::Params;
use super::reader::{Reader, Word};
use crate::diagnostic::Code;
use crate::import::names::Taken;
use crate::import::page::number_text;

/// The greatest order of a layer.
const MOST_ORDER: i64 = 16_777_216;

/// Reads the layers of a machine.
pub(super) fn read(
    reader: &mut Reader<'_, '_>,
    params: &Params,
    clips: &mut Clips,
    machine: Id,
) -> Vec<Layer> {
    if reader.get(machine, "layers").is_none() {
        reader.missing(machine, "layers", "the behavior has no states");
    }
    let mut layers = Vec::new();
    let mut wanted = Vec::new();
    let mut taken = Taken::default();
    let list = reader.list(machine, "layers");
    reader.keep(&list, "name", &mut taken);
    for id in list {
        if !reader.object(id, keys::LAYER) {
            continue;
        }
        let name = match reader.text(id, "name") {
            Some(word) => reader.name(&word, &mut taken),
            None => {
                let name = taken.fresh(&format!("layer{}", layers.len()));
                if reader.get(id, "name").is_none() {
                    reader.missing(id, "name", &format!("it is called `{name}` now"));
                }
                name
            }
        };
        wanted.push(priority(reader, id));
        let (include, exclude) = mask(reader, id);
        let mut layer = Layer {
            name,
            doc: reader.doc(id),
            order: 0,
            weight: reader.number_in(id, "weight", 0.0, 1.0).filter(|weight| *weight != 1.0),
            additive: additive(reader, id),
            include,
            exclude,
            start: Start::Nowhere,
            any: Vec::new(),
            states: Vec::new(),
        };
        machine::read(reader, params, clips, id, &mut layer);
        layers.push(layer);
    }
    place(reader, &mut layers, &wanted);
    layers
}

/// The place of a layer in the stack that the file asks for, and where it does.
fn priority(reader: &mut Reader<'_, '_>, id: Id) -> Option<(i64, Id)> {
    let at = reader.get(id, "priority")?;
    let most = MOST_ORDER as f64;
    let value = reader.number_in(id, "priority", -most, most)?;
    if value.fract() != 0.0 {
        let message = format!("`{}` is not a whole number", reader.json.path(at));
        reader.report(Code::AdjustedValue, at, message, &format!("it became {}", number_text(value.round())));
    }
    Some((value.round() as i64, at))
}

/// Gives every layer an order of its own: the one it asks for, or one more than the layer before it.
fn place(reader: &mut Reader<'_, '_>, layers: &mut [Layer], wanted: &[Option<(i64, Id)>]) {
    let mut taken = BTreeSet::new();
    // Those that ask come first, so that no other takes their place.
    let mut kept = Vec::new();
    for row in wanted {
        kept.push(row.filter(|(order, _)| taken.insert(*order)).map(|(order, _)| order));
    }
    let mut next = 0i64;
    for ((layer, row), kept) in layers.iter_mut().zip(wanted).zip(kept) {
        layer.order = kept.unwrap_or_else(|| {
            while next > MOST_ORDER || !taken.insert(next) {
                next = if next > MOST_ORDER { -MOST_ORDER } else { next + 1 };
            }
            next
        });
        next = layer.order + 1;
        if let (None, Some((order, at))) = (kept, row) {
            let message = format!("another layer has the priority {order}");
            reader.report(Code::AdjustedValue, *at, message, &format!("its order became {}", layer.order));
        }
    }
}

fn additive(reader: &mut Reader<'_, '_>, id: Id) -> bool {
    let Some(word) = reader.text(id, "blendMode") else { return false };
    match word.text.as_str() {
        "additive" => true,
        "override" | "normal" => false,
        _ => {
            reader.no_choice(&word, &["override", "additive"], "it became `override`");
            false
        }
    }
}

/// The patterns that a layer's mask includes and excludes; a layer without patterns has no mask.
fn mask(reader: &mut Reader<'_, '_>, layer: Id) -> (Vec<String>, Vec<String>) {
    let Some(id) = reader.get(layer, "mask") else { return (Vec::new(), Vec::new()) };
    if !matches!(reader.json.value(id), Value::Object(_)) {
        return (patterns(reader, layer, "mask"), Vec::new());
    }
    reader.object(id, keys::MASK);
    let (mut include, exclude) = (patterns(reader, id, "include"), patterns(reader, id, "exclude"));
    if include.is_empty() && !exclude.is_empty() {
        include.push("*".to_owned());
    }
    (include, exclude)
}

fn patterns(reader: &mut Reader<'_, '_>, object: Id, key: &str) -> Vec<String> {
    let mut patterns = Vec::new();
    for item in reader.list(object, key) {
        let Some(Word { text, .. }) = reader.text_of(item) else { continue };
        if text.is_empty() {
            let message = "the pattern is empty, so it matches nothing";
            reader.report(Code::NotInMotix, item, message, "not carried over");
        } else {
            patterns.push(text);
        }
    }
    patterns
}
