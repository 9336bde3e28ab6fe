//! Operations one by one, for blocks that have no form of expressions and actions; and the text of each operation.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use super::code;
use super::node::{self, Node};
use super::scope::Scope;
use crate::ids::CodeId;
use crate::op::Op;

/// A block as its operations. Places that are jumped to have labels, counted within the block.
pub(super) fn block(scope: &Scope<'_>, code: CodeId, ops: &[Op]) -> Node {
    let targets = ops.iter().enumerate().filter_map(|(at, op)| Some((at, jump(*op)?)));
    let mut labels: BTreeMap<usize, usize> = targets.map(|(at, skip)| (at + 1 + skip, 0)).collect();
    for (label, number) in labels.values_mut().zip(1..) {
        *label = number;
    }
    let mut lines = Vec::with_capacity(ops.len() + labels.len());
    for (at, op) in ops.iter().enumerate() {
        if let Some(label) = labels.get(&at) {
            lines.push(Node::Line(alloc::format!("L{label}:")));
        }
        let target = jump(*op).and_then(|skip| labels.get(&(at + 1 + skip)));
        lines.push(match (op, target) {
            (_, Some(label)) => Node::Line(alloc::format!("{} L{label}", op.mnemonic())),
            (Op::Call { code }, _) => {
                let (text, items) = code::expression(scope, "call ", *code, None);
                Node::item(text, items)
            }
            (Op::Damped { damp }, _) => {
                match (scope.damp_name(*damp, code), scope.rows.damps.get(damp.index())) {
                    (Some(name), _) => Node::Line(alloc::format!("damped {name}")),
                    (None, Some(row)) => {
                        let head = alloc::format!("damped {}s ", node::number(row.time));
                        let (text, items) = code::expression(scope, &head, row.input, None);
                        Node::item(text, items)
                    }
                    (None, None) => Node::Line(String::new()),
                }
            }
            (op, None) => Node::Line(plain(scope, *op)),
        });
    }
    if let Some(label) = labels.get(&ops.len()) {
        lines.push(Node::Line(alloc::format!("L{label}:")));
    }
    Node::block("Ops", lines)
}

const fn jump(op: Op) -> Option<usize> {
    match op {
        Op::Jump { skip }
        | Op::JumpIfFalse { skip }
        | Op::JumpIfFalseElsePop { skip }
        | Op::JumpIfTrueElsePop { skip } => Some(skip as usize),
        _ => None,
    }
}

/// An operation in a list of operations: its mnemonic, where its text as an expression does not say what it takes.
fn plain(scope: &Scope<'_>, op: Op) -> String {
    match op {
        Op::Builtin { builtin } => alloc::format!("builtin {}", builtin.name()),
        Op::Set { param } => alloc::format!("set {}", scope.param(param)),
        Op::Emit { emit } => match scope.rows.emits.get(emit.index()) {
            Some(row) => alloc::format!("emit {} {}", scope.name(row.name), row.types.count),
            None => String::new(),
        },
        Op::Variant { value } => alloc::format!("variant {value}"),
        Op::Param { param } => alloc::format!("param {}", scope.param(param)),
        _ => operation(scope, op),
    }
}

/// The text of an operation that takes nothing from the stack; the mnemonic of others.
pub(super) fn operation(scope: &Scope<'_>, op: Op) -> String {
    let of = |word: &str, name: String| alloc::format!("{word}({name})");
    let do_ = |word: &str, name: String| alloc::format!("{word} {name}");
    let stop = |word: &str, name: String, immediate| {
        alloc::format!("{word} {name}{}", if immediate { " immediate" } else { "" })
    };
    let text = |id| node::string(scope.text(id));
    let tag = |id| node::name(scope.behavior.tag_name(id));
    match op {
        Op::Number { value } => node::number(value),
        Op::Bool { value } => alloc::format!("{value}"),
        Op::Color { value } => node::color(value),
        Op::Text { value } => text(value),
        Op::Extern { predicate } => scope.external(predicate),
        Op::CameFrom { state } => of("came_from", scope.full_path(state)),
        Op::In { state } => of("in", scope.full_path(state)),
        Op::Tagged { tag: id } => of("tagged", tag(id)),
        Op::Playing { animation } => of("playing", scope.animation(animation)),
        Op::Finished { animation } => of("finished", scope.animation(animation)),
        Op::Time { animation } => of("time", scope.animation(animation)),
        Op::Phase { animation } => of("phase", scope.animation(animation)),
        Op::Weight { animation } => of("weight", scope.animation(animation)),
        Op::Value { property } => of("value", super::curves::property(scope, property, ", ")),
        Op::LayerWeight { layer } => of("layer_weight", scope.layer(layer)),
        Op::Fade { machine } => match scope.behavior.machine_name(machine) {
            Some(layer) => of("fade", node::name(layer)),
            None => op.mnemonic().into(),
        },
        Op::InSpan { span } => of("in_span", scope.span(span)),
        Op::Inside { component, probe } => {
            let row = scope.rows.components.get(usize::from(component));
            let name = row.map_or_else(String::new, |row| scope.name(row.name));
            of("inside", alloc::format!("{name}, probe {probe}"))
        }
        Op::Fire { param } => do_("Fire", scope.param(param)),
        Op::Play { animation } => do_("Play", scope.animation(animation)),
        Op::Stop { animation, immediate } => stop("Stop", scope.animation(animation), immediate),
        Op::StopGroup { group, immediate } => {
            stop("StopGroup", node::name(scope.behavior.group_name(group)), immediate)
        }
        Op::PlayTag { tag: id } => do_("PlayTag", tag(id)),
        Op::StopTag { tag: id } => do_("StopTag", tag(id)),
        Op::Audio { asset } => do_("PlayAudio", text(asset)),
        Op::Camera { name } => do_("SwitchCamera", text(name)),
        Op::Request { state, priority } => {
            let priority =
                if priority == 0 { String::new() } else { alloc::format!(" {{ Priority {priority} }}") };
            alloc::format!("Request {}{priority}", scope.full_path(state))
        }
        // `elapsed`, `dt`, `phase` and the like, and what only a list of operations shows.
        _ => op.mnemonic().into(),
    }
}
