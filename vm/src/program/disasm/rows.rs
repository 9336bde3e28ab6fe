//! Declarations in the text form: parameters, enums, masks, animations, values with names, events.

use alloc::string::String;
use alloc::vec::Vec;

use super::code;
use super::curves;
use super::node::{self, Node};
use super::scope::Scope;
use crate::ids::DampId;
use crate::program::BehaviorRef;
use crate::program::tables::{
    Animation, Component, Enum, Lifetime, LoopMode, MetadataValue, Param, Place, Run, Type,
};

/// All declarations but those of layers and states.
pub(super) fn behavior(scope: &Scope<'_>) -> Vec<Node> {
    let rows = scope.rows;
    let mut items = Vec::new();
    items.extend(rows.enums.iter().filter_map(|item| {
        item.name.map(|name| {
            Node::Line(alloc::format!("Enum {} {{ {} }}", scope.name(name), variants(scope, item)))
        })
    }));
    items.extend(rows.params.iter().map(|param| parameter(scope, param)));
    items.extend(rows.masks.iter().map(|mask| {
        let list = |word: &str, run: Run| {
            let patterns = run.of(&rows.patterns).iter().map(|text| node::string(scope.text(*text)));
            (run.count > 0).then(|| Node::Line(alloc::format!("{word} {}", node::list(patterns))))
        };
        let patterns = [list("Include", mask.include), list("Exclude", mask.exclude)];
        Node::item(alloc::format!("Mask {}", scope.name(mask.name)), patterns.into_iter().flatten().collect())
    }));
    items.extend(rows.groups.iter().map(|name| Node::Line(alloc::format!("Group {}", scope.name(*name)))));
    items.extend(rows.tags.iter().map(|name| Node::Line(alloc::format!("Tag {}", scope.name(*name)))));
    items.extend(curves::properties(scope));
    items.extend(rows.animations.iter().map(|row| animation(scope, row)));
    items.extend(
        rows.externs.iter().map(|name| Node::Line(alloc::format!("Extern Predicate {}", scope.name(*name)))),
    );
    items.extend(rows.emits.iter().map(|emit| {
        let types = emit.types.of(&rows.emit_types).iter().map(|ty| type_name(scope, *ty));
        Node::Line(alloc::format!("Event {}({})", scope.name(emit.name), node::list(types)))
    }));
    items.extend(rows.components.iter().map(|row| component(scope, row)));
    values(scope, &mut items);
    items
}

fn component(scope: &Scope<'_>, row: &Component) -> Node {
    let inside = scope.behavior.program().at(row.behavior);
    let mut items =
        alloc::vec![Node::Line(alloc::format!("Target {}", node::string(scope.text(row.target))))];
    items.extend(row.binds.of(&scope.rows.binds).iter().map(|bind| {
        let inner = node::name(inside.map_or("", |inside| inside.param_name(bind.inner)));
        Node::Line(alloc::format!("Bind {} {} {inner}", scope.param(bind.param), bind.direction.arrow()))
    }));
    let of = node::name(inside.map_or("", BehaviorRef::name));
    Node::block(alloc::format!("Component {}: {of}", scope.name(row.name)), items)
}

/// `Predicate`s and `Let`s, smoothed values that nothing reads, and what tests read.
fn values(scope: &Scope<'_>, items: &mut Vec<Node>) {
    let rows = scope.rows;
    for predicate in &rows.predicates {
        let result = rows.codes.get(predicate.condition.index()).and_then(|code| code.result);
        let word = if result == Some(crate::op::Word::Bool) { "Predicate" } else { "Let" };
        let head = alloc::format!("{word} {} = ", scope.name(predicate.name));
        let variants = scope.enums.get(predicate.condition.index()).copied().flatten();
        // Its own block is printed here, unless others share it.
        let own = matches!(scope.home(predicate.condition), super::scope::Home::Named(name)
            if *name == scope.value(predicate.name));
        let (text, lines) = if own {
            code::definition(scope, &head, predicate.condition, variants)
        } else {
            code::expression(scope, &head, predicate.condition, variants)
        };
        items.push(Node::item(text, lines));
    }
    for (index, damp) in rows.damps.iter().enumerate() {
        if scope.read_damps.get(index) == Some(&false) && DampId::from_index(index).is_some() {
            let head = alloc::format!("Damp {}s ", node::number(damp.time));
            let (text, lines) = code::expression(scope, &head, damp.input, None);
            items.push(Node::item(text, lines));
        }
    }
    for probe in &rows.probes {
        let layer = probe.machine.and_then(|id| rows.machines.get(id.index())).map(|machine| {
            machine
                .layer
                .map_or_else(|| String::from(" in main"), |id| alloc::format!(" in {}", scope.layer(id)))
        });
        let head = alloc::format!("Probe{}: {} = ", layer.unwrap_or_default(), type_name(scope, probe.ty));
        let variants = if let Type::Enum(id) = probe.ty { Some(id) } else { None };
        let (text, lines) = code::expression(scope, &head, probe.code, variants);
        items.push(Node::item(text, lines));
    }
}

fn variants(scope: &Scope<'_>, item: &Enum) -> String {
    let names = item.variants.of(&scope.rows.variants).iter().map(|text| scope.name(*text));
    names.collect::<Vec<_>>().join(" ")
}

fn type_name(scope: &Scope<'_>, ty: Type) -> String {
    let Type::Enum(id) = ty else { return ty.name().into() };
    match scope.rows.enums.get(id.index()) {
        Some(Enum { name: Some(name), .. }) => scope.name(*name),
        Some(item) => {
            let names = item.variants.of(&scope.rows.variants).iter().map(|text| scope.name(*text));
            alloc::format!("enum({})", node::list(names))
        }
        None => String::new(),
    }
}

fn parameter(scope: &Scope<'_>, param: &Param) -> Node {
    let mut head = String::new();
    if param.global {
        head.push_str("Global ");
    }
    head.push_str("Param ");
    head.push_str(&scope.name(param.name));
    head.push_str(": ");
    head.push_str(&type_name(scope, param.ty));
    let initial = match param.ty {
        Type::Bool => Some(alloc::format!("{}", param.initial != 0)),
        Type::Number => Some(node::number(f32::from_bits(param.initial))),
        Type::Trigger => None,
        Type::Text => Some(node::string(scope.text(crate::ids::TextId(param.initial)))),
        Type::Enum(id) => Some(scope.variant(Some(id), param.initial).trim_start_matches('.').into()),
        Type::Color => Some(node::color(param.initial)),
    };
    if let Some(initial) = initial {
        head.push_str(" = ");
        head.push_str(&initial);
    }
    let mut items = Vec::new();
    let mut number = |word: &str, value: f32, default: f32| {
        if value != default {
            items.push(Node::Line(alloc::format!("{word} {}", node::number(value))));
        }
    };
    number("Min", param.min, f32::MIN);
    number("Max", param.max, f32::MAX);
    number("Step", param.step, 0.0);
    match param.lifetime {
        Lifetime::Consumed => {}
        Lifetime::Tick => items.push(Node::Line("Lifetime tick".into())),
        Lifetime::Seconds(seconds) => {
            items.push(Node::Line(alloc::format!("Lifetime {}s", node::number(seconds))));
        }
    }
    Node::item(head, items)
}

/// A place in a clip.
pub(super) fn place(place: Place) -> String {
    match place {
        // As it is stored: a percentage would round.
        Place::Ratio(ratio) => alloc::format!("ratio {}", node::number(ratio)),
        Place::Seconds(seconds) => alloc::format!("{}s", node::number(seconds)),
    }
}

fn animation(scope: &Scope<'_>, row: &Animation) -> Node {
    let rows = scope.rows;
    let mut items = Vec::new();
    let mut line = |text: String| items.push(Node::Line(text));
    line(alloc::format!("AssetId {}", node::string(scope.text(row.asset))));
    if let Some(seconds) = row.duration {
        line(alloc::format!("Duration {}s", node::number(seconds)));
    }
    line(alloc::format!("Layer {}", scope.layer(row.layer)));
    if let Some(group) = row.group {
        line(alloc::format!("Group {}", node::name(scope.behavior.group_name(group))));
    }
    match row.loop_mode {
        LoopMode::None => {}
        LoopMode::Loop => line("Looped".into()),
        LoopMode::PingPong => line("Loop pingPong".into()),
    }
    if row.priority != 0 {
        line(alloc::format!("Priority {}", row.priority));
    }
    line(alloc::format!("FadeIn {}", node::number(row.fade_in)));
    line(alloc::format!("FadeOut {}", node::number(row.fade_out)));
    for (word, value, default) in
        [("Speed", row.speed, 1.0), ("Weight", row.weight, 1.0), ("MinDuration", row.min_duration, 0.0)]
    {
        if value != default {
            line(alloc::format!("{word} {}", node::number(value)));
        }
    }
    if !row.can_interrupt {
        line("CanInterrupt false".into());
    }
    if row.additive {
        line("Additive".into());
    }
    if let Some(tags) = tags(scope, row.tags) {
        line(tags);
    }
    for marker in row.markers.of(&rows.markers) {
        line(alloc::format!("Marker {} at {}", scope.name(marker.name), place(marker.at)));
    }
    for span in row.spans.of(&rows.spans) {
        let (from, to) = (place(span.from), place(span.to));
        line(alloc::format!("Span {} from {from} to {to}", scope.name(span.name)));
    }
    for entry in row.metadata.of(&rows.metadata) {
        let value = match entry.value {
            MetadataValue::Number(number) => node::number(number),
            MetadataValue::Text(text) => node::string(scope.text(text)),
            MetadataValue::Bool(value) => alloc::format!("{value}"),
            MetadataValue::Color(color) => node::color(color),
        };
        line(alloc::format!("Metadata {} {value}", scope.name(entry.key)));
    }
    items.extend(curves::tracks(scope, row));
    Node::block(alloc::format!("Animation {}", scope.name(row.name)), items)
}

/// The tags of an animation or a state, where it has any.
pub(super) fn tags(scope: &Scope<'_>, run: Run) -> Option<String> {
    let names = run.of(&scope.rows.tag_lists).iter().map(|tag| node::name(scope.behavior.tag_name(*tag)));
    (run.count > 0).then(|| alloc::format!("Tags {}", node::list(names)))
}
