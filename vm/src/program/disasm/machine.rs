//! Layers, machines, states, transitions, reactions and listeners in the text form.

use alloc::string::String;
use alloc::vec::Vec;

use super::code;
use super::motion;
use super::node::{self, Node};
use super::rows::tags;
use super::scope::Scope;
use crate::ids::LayerId;
use crate::input::InputKind;
use crate::program::tables::{
    History, Layer, Listener, Machine, MarkTarget, Run, Start, State, Target, Transition, When,
};

/// The layers with their machines, the behavior's reactions, and the main machine.
pub(super) fn behavior(scope: &Scope<'_>) -> Vec<Node> {
    let rows = scope.rows;
    let inside = Inside::new(scope);
    let mut items = Vec::new();
    for (index, row) in rows.layers.iter().enumerate() {
        let id = LayerId::from_index(index);
        let machine = rows.machines.iter().find(|machine| machine.layer.is_some() && machine.layer == id);
        items.push(layer(scope, &inside, row, machine));
    }
    let own = Run { first: 0, count: rows.behavior_whens };
    items.extend(own.of(&rows.whens).iter().map(|when| reaction(scope, when)));
    items.extend(rows.listeners.iter().map(|row| listener(scope, row)));
    if let Some(main) = rows.machines.first().filter(|machine| machine.layer.is_none()) {
        items.extend(machine(scope, &inside, main));
    }
    items
}

/// Which states stand directly in which: the first inside, and the next beside, by row.
struct Inside {
    first: Vec<Option<usize>>,
    next: Vec<Option<usize>>,
}

impl Inside {
    fn new(scope: &Scope<'_>) -> Self {
        let states = &scope.rows.states;
        let none = || alloc::vec![None; states.len()];
        let (mut first, mut next) = (none(), none());
        for (row, state) in states.iter().enumerate().rev() {
            let outer = state.parent.and_then(|parent| first.get_mut(parent.index()));
            if let (Some(outer), Some(next)) = (outer, next.get_mut(row)) {
                *next = outer.replace(row);
            }
        }
        Self { first, next }
    }
}

fn layer(scope: &Scope<'_>, inside: &Inside, row: &Layer, own: Option<&Machine>) -> Node {
    let mut items = Vec::new();
    let mut line = |text: String| items.push(Node::Line(text));
    line(alloc::format!("Order {}", row.order));
    line(alloc::format!("BaseWeight {}", node::number(row.base_weight)));
    line(alloc::format!("LerpRate {}", node::number(row.lerp_rate)));
    if row.additive {
        line("Blend additive".into());
    }
    if let Some(mask) = row.mask {
        line(alloc::format!("Mask {}", node::name(scope.behavior.mask_name(mask))));
    }
    for (word, code) in [("Weight ", row.weight), ("Speed ", row.speed)] {
        if let Some(code) = code {
            let (text, lines) = code::expression(scope, word, code, None);
            items.push(Node::item(text, lines));
        }
    }
    if let Some(own) = own {
        items.extend(machine(scope, inside, own));
    }
    Node::block(alloc::format!("Layer {}", scope.name(row.name)), items)
}

fn machine(scope: &Scope<'_>, inside: &Inside, row: &Machine) -> Vec<Node> {
    let mut items = alloc::vec![start(scope, row.start, row.enter)];
    // That of a layer's machine is its layer; without motions it means nothing.
    let moves = row.states.of(&scope.rows.states).iter().any(|state| state.motion.is_some());
    if moves && row.layer.is_none() {
        items.push(Node::Line(alloc::format!("MotionLayer {}", scope.layer(row.motion_layer))));
    }
    items.extend(any_state(scope, row.any));
    for (index, outer) in row.states.indices().zip(row.states.of(&scope.rows.states)) {
        if outer.parent.is_none() {
            items.push(state(scope, inside, index, outer));
        }
    }
    items
}

/// Where a machine starts or a composite is entered. `enter`: entry actions run on the first tick, which those of an
/// `Entry` do anyhow.
fn start(scope: &Scope<'_>, start: Start, enter: bool) -> Node {
    let enter = enter.then(|| Node::Line("Enter".into()));
    match start {
        Start::State(state) => {
            Node::item(alloc::format!("InitialState {}", scope.path(state)), enter.into_iter().collect())
        }
        Start::Entry(run) => {
            let ways = run.of(&scope.rows.transitions).iter().map(|row| transition(scope, "Transition", row));
            Node::block("Entry", enter.into_iter().chain(ways).collect())
        }
    }
}

fn any_state(scope: &Scope<'_>, run: Run) -> Option<Node> {
    let any = run.of(&scope.rows.transitions).iter().map(|row| transition(scope, "Transition", row));
    (run.count > 0).then(|| Node::block("AnyState", any.collect()))
}

/// States nest no deeper than `Limit::Nesting`.
fn state(scope: &Scope<'_>, inside: &Inside, index: usize, row: &State) -> Node {
    let rows = scope.rows;
    let mut items = Vec::new();
    if row.terminal {
        items.push(Node::Line("Terminal".into()));
    }
    items.extend(row.start.map(|own| start(scope, own, false)));
    match row.history {
        History::None => {}
        History::Shallow => items.push(Node::Line("History shallow".into())),
        History::Deep => items.push(Node::Line("History deep".into())),
    }
    items.extend(tags(scope, row.tags).map(Node::Line));
    for mark in row.marks.of(&rows.marks) {
        let layer = scope.layer(mark.layer);
        items.push(Node::Line(match mark.target {
            MarkTarget::Base => alloc::format!("ActiveLayer {layer}"),
            MarkTarget::Weight(weight) => alloc::format!("ActiveLayer {layer} {}", node::number(weight)),
            MarkTarget::Zero => alloc::format!("SuppressLayer {layer}"),
        }));
    }
    items.extend(row.motion.map(|id| motion::motion(scope, id)));
    items.extend(row.entry.map(|code| code::actions(scope, "OnEntry", code)));
    for entry in row.entry_from.of(&rows.entries_from) {
        items.push(code::actions(
            scope,
            alloc::format!("OnEntry from {}", scope.path(entry.from)),
            entry.actions,
        ));
    }
    items.extend(row.exit.map(|code| code::actions(scope, "OnExit", code)));
    items.extend(row.update.map(|code| code::actions(scope, "OnUpdate", code)));
    items.extend(row.finish.map(|code| code::actions(scope, "OnFinish", code)));
    items.extend(row.repeat.map(|code| code::actions(scope, "OnLoop", code)));
    items.extend(row.whens.of(&rows.whens).iter().map(|when| reaction(scope, when)));
    let ways = |word, run: Run| run.of(&rows.transitions).iter().map(move |row| transition(scope, word, row));
    items.extend(ways("Transition", row.transitions));
    items.extend(ways("OnDone", row.done));
    items.extend(any_state(scope, row.any));
    let mut next = inside.first.get(index).copied().flatten();
    while let Some(inner) = next {
        items.extend(rows.states.get(inner).map(|row| state(scope, inside, inner, row)));
        next = inside.next.get(inner).copied().flatten();
    }
    Node::item(alloc::format!("State {}", scope.name(row.name)), items)
}

fn reaction(scope: &Scope<'_>, when: &When) -> Node {
    let (head, lines) = code::expression(scope, "When ", when.condition, None);
    let condition = (!lines.is_empty()).then(|| Node::block("Condition", lines));
    let mut items: Vec<Node> = condition.into_iter().collect();
    items.extend(consumed(scope, when.triggers));
    let Node::Block { items: actions, .. } = code::actions(scope, "", when.actions) else {
        return Node::Line(head);
    };
    items.extend(actions);
    Node::block(head, items)
}

fn listener(scope: &Scope<'_>, row: &Listener) -> Node {
    let text = |id| node::string(scope.text(id));
    let target = row.target.map_or_else(String::new, |target| alloc::format!(" {}", text(target)));
    let mut items = Vec::new();
    if row.pass_through {
        items.push(Node::Line("PassThrough".into()));
    }
    for hear in row.hears.of(&scope.rows.hears) {
        let words = match (hear.input, hear.name) {
            (InputKind::Custom, Some(name)) => text(name),
            (input, None) => input.word().into(),
            (input, Some(name)) => alloc::format!("{} {}", input.word(), text(name)),
        };
        items.push(code::actions(scope, alloc::format!("On {words}"), hear.actions));
    }
    Node::block(alloc::format!("Listener{target}"), items)
}

fn consumed(scope: &Scope<'_>, run: Run) -> Option<Node> {
    let names = run.of(&scope.rows.triggers).iter().map(|param| scope.param(*param));
    (run.count > 0).then(|| Node::Line(alloc::format!("Consumes {}", node::list(names))))
}

fn transition(scope: &Scope<'_>, word: &str, row: &Transition) -> Node {
    let mut head = match row.target {
        // A state that is called so is quoted.
        Target::State(target) if scope.path(target) == "Exit" => alloc::format!("{word} `Exit`"),
        Target::State(target) => alloc::format!("{word} {}", scope.path(target)),
        Target::Exit => alloc::format!("{word} Exit"),
    };
    if row.on_request {
        head.push_str(" on request");
    }
    let mut items = Vec::new();
    if let Some(condition) = row.condition {
        let (text, lines) = code::expression(scope, " when ", condition, None);
        head.push_str(&text);
        items.extend((!lines.is_empty()).then(|| Node::block("Condition", lines)));
    }
    if row.priority != 0 {
        items.push(Node::Line(alloc::format!("Priority {}", row.priority)));
    }
    for (holds, word) in [(row.instant, "Instant"), (row.restart, "Restart")] {
        items.extend(holds.then(|| Node::Line(word.into())));
    }
    items.extend(motion::look(scope, row));
    if let Some(weight) = row.random_weight {
        items.push(Node::Line(alloc::format!("RandomWeight {}", node::number(weight))));
    }
    items.extend(consumed(scope, row.triggers));
    items.extend(row.actions.map(|code| code::actions(scope, "OnTransition", code)));
    Node::item(head, items)
}
