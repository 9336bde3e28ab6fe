//! `motixc info`: what is in a program, and how large it is.

use clap::Args;
use motix_vm::ids::ParamId;
use motix_vm::program::tables::{Param, Start, Type};
use motix_vm::program::{BehaviorRef, EncodeOptions, sections};
use motix_vm::{Instance, Program, Setup, Value};
use serde_json::{Value as Json, json};
use std::sync::Arc;

use super::{Context, Exit, Format, Outcome, disasm};

const EXAMPLES: &str = "\
Examples:
  motixc info player.motixb              names, parameters and sizes of a program
  motixc info player.motix               the same from its source
  motixc info player.motix --format json for tools";

/// Show what is in a program: parameters, states, animations, sizes
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The source or program; `-` is standard input
    #[arg(value_name = "FILE")]
    file: String,
}

pub(super) fn run(arguments: &Arguments, context: &mut Context<'_>) -> Outcome {
    let Some(program) = disasm::program(context, &arguments.file)? else { return Ok(Exit::Findings) };
    let info = info(&program);
    if context.format == Format::Json {
        writeln!(context.out, "{info}")?;
    } else {
        write!(context.out, "{}", text(&info))?;
    }
    Ok(Exit::Fine)
}

fn info(program: &Arc<Program>) -> Json {
    let bytes = program.encode(EncodeOptions::default());
    let stripped = program.encode(EncodeOptions { strip: true }).len();
    let parts: Vec<Json> = sections(&bytes)
        .unwrap_or_default()
        .iter()
        .map(|section| json!({ "name": section.name().unwrap_or("unknown"), "bytes": section.body.len() }))
        .collect();
    json!({
        "hash": format!("{:016x}", program.hash()),
        "bytes": bytes.len(),
        "stripped_bytes": stripped,
        "sections": parts,
        "behaviors": program.iter().map(|behavior| of_behavior(program, behavior)).collect::<Vec<_>>(),
    })
}

fn of_behavior(program: &Arc<Program>, behavior: BehaviorRef<'_>) -> Json {
    let rows = behavior.rows();
    let text = |id| program.text(id);
    let open: Vec<_> = behavior.open_durations().map(|(owner, animation)| (owner, animation, 1.0)).collect();
    let setup = Setup { component_durations: &open, ..Setup::default() };
    let instance = Instance::new(program, behavior.id(), &setup).ok();
    json!({
        "name": behavior.name(),
        "instance_bytes": instance.as_ref().map(Instance::size_of_state),
        "parameters": behavior.params().map(|param| {
            let value = instance.as_ref().and_then(|instance| instance.get(param.id));
            parameter(behavior, param.id, param.row, value)
        }).collect::<Vec<_>>(),
        "layers": rows.layers.iter().map(|layer| text(layer.name)).collect::<Vec<_>>(),
        "animations": rows.animations.iter().map(|animation| json!({
            "name": text(animation.name),
            "asset": text(animation.asset),
            "duration": animation.duration.map(number),
        })).collect::<Vec<_>>(),
        "properties": behavior.properties().map(|row| json!({
            "target": row.target,
            "name": row.name,
            "type": row.ty.name(),
            "rest": value_of(Some(row.rest)),
        })).collect::<Vec<_>>(),
        "machines": (0..rows.machines.len()).filter_map(motix_vm::ids::MachineId::from_index).map(|id| {
            let machine = rows.machines[id.index()];
            let states = machine.states.indices();
            let ways = machine.start.entry().of(&rows.transitions).iter();
            let ways: Vec<_> = ways.filter_map(|way| way.target.state()).collect();
            let initial = match machine.start {
                Start::State(state) => json!(behavior.state_path(state)),
                Start::Entry(_) => Json::Null,
            };
            json!({
                "layer": behavior.machine_name(id),
                "initial": initial,
                "entry": ways.iter().map(|state| behavior.state_path(*state)).collect::<Vec<_>>(),
                "states": states.filter_map(motix_vm::ids::StateId::from_index)
                    .map(|state| behavior.state_path(state)).collect::<Vec<_>>(),
            })
        }).collect::<Vec<_>>(),
        "extern_predicates": rows.externs.iter().map(|name| text(*name)).collect::<Vec<_>>(),
        "components": rows.components.iter().map(|component| {
            let inside = program.at(component.behavior);
            json!({
                "name": text(component.name),
                "behavior": inside.map(|inside| inside.name()),
                "target": text(component.target),
                "binds": component.binds.of(&rows.binds).iter().map(|bind| format!(
                    "{} {} {}",
                    behavior.param_name(bind.param),
                    bind.direction.arrow(),
                    inside.map_or("", |inside| inside.param_name(bind.inner)),
                )).collect::<Vec<_>>(),
            })
        }).collect::<Vec<_>>(),
        "targets": behavior.scene_targets().collect::<Vec<_>>(),
        "hears": behavior.custom_inputs().collect::<Vec<_>>(),
        "events": rows.emits.iter().map(|emit| text(emit.name)).collect::<Vec<_>>(),
    })
}

fn parameter(behavior: BehaviorRef<'_>, id: ParamId, row: &Param, value: Option<Value<'_>>) -> Json {
    let bound = |limit: f32, open: f32| (limit != open).then(|| number(limit));
    json!({
        "name": behavior.param_name(id),
        "type": row.ty.name(),
        "default": value_of(value),
        "min": bound(row.min, f32::MIN),
        "max": bound(row.max, f32::MAX),
        "step": bound(row.step, 0.0),
        "variants": match row.ty {
            Type::Enum(id) => Some(behavior.variants(id).collect::<Vec<_>>()),
            _ => None,
        },
        "global": row.global,
    })
}

fn value_of(value: Option<Value<'_>>) -> Json {
    match value {
        Some(Value::Bool(value)) => json!(value),
        Some(Value::Number(value)) => number(value),
        Some(Value::Text(text)) => json!(text),
        Some(Value::Variant { name, .. }) => json!(name),
        Some(Value::Color(color)) => json!(format!("#{:08x}", color.to_word())),
        Some(Value::Trigger(_)) | None => Json::Null,
    }
}

/// The number with the digits that tell it from its neighbors, not those of the f64 beside it.
fn number(value: f32) -> Json {
    value.to_string().parse::<f64>().map_or(Json::Null, |value| {
        match value.fract() == 0.0 && value.abs() < 1e9 {
            true => json!(value as i64),
            false => json!(value),
        }
    })
}

/// The same for people.
fn text(info: &Json) -> String {
    let mut text = format!(
        "program {}: {} bytes, {} stripped\n",
        word(&info["hash"]),
        info["bytes"],
        info["stripped_bytes"]
    );
    for section in list(&info["sections"]) {
        text += &format!("  {:<12} {:>7} bytes\n", word(&section["name"]), section["bytes"]);
    }
    for behavior in list(&info["behaviors"]) {
        text += &format!(
            "\nbehavior {}: {} bytes an instance\n",
            word(&behavior["name"]),
            behavior["instance_bytes"]
        );
        for param in list(&behavior["parameters"]) {
            text += &format!("  parameter {}: {}", word(&param["name"]), word(&param["type"]));
            if let Json::Array(variants) = &param["variants"] {
                text += &format!("({})", variants.iter().map(word).collect::<Vec<_>>().join(", "));
            }
            if !param["default"].is_null() {
                text += &format!(" = {}", word(&param["default"]));
            }
            for (field, name) in [("min", "Min"), ("max", "Max"), ("step", "Step")] {
                if !param[field].is_null() {
                    text += &format!("  {name} {}", param[field]);
                }
            }
            text += if param["global"] == Json::Bool(true) { "  global\n" } else { "\n" };
        }
        for (field, name) in [
            ("extern_predicates", "asks the host"),
            ("events", "events"),
            ("targets", "targets"),
            ("hears", "hears"),
        ] {
            if !list(&behavior[field]).is_empty() {
                text += &format!("  {name}: {}\n", words(&behavior[field]));
            }
        }
        text += &format!("  layers: {}\n", words(&behavior["layers"]));
        for machine in list(&behavior["machines"]) {
            let layer =
                machine["layer"].as_str().map_or_else(String::new, |layer| format!(" of layer {layer}"));
            text += &format!("  machine{layer}: {}\n", words(&machine["states"]));
        }
        for component in list(&behavior["components"]) {
            let field = |name| word(&component[name]);
            text += &format!("  component {}: {} at {}", field("name"), field("behavior"), field("target"));
            for bind in list(&component["binds"]) {
                text += &format!(", {}", word(bind));
            }
            text += "\n";
        }
        for animation in list(&behavior["animations"]) {
            let duration = match animation["duration"].as_f64() {
                Some(seconds) => format!("{seconds} s"),
                None => "duration from the host".into(),
            };
            let (name, asset) = (word(&animation["name"]), word(&animation["asset"]));
            text += &format!("  animation {name}: {duration}, asset {asset}\n");
        }
        for property in list(&behavior["properties"]) {
            let (target, name) = (&property["target"], word(&property["name"]));
            text += &format!(
                "  property {target} {name}: {} = {}\n",
                word(&property["type"]),
                word(&property["rest"])
            );
        }
    }
    text
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A text without quotes, anything else as JSON.
fn word(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn words(value: &Json) -> String {
    list(value).iter().map(word).collect::<Vec<_>>().join(", ")
}
