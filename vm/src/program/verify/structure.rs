//! Layers, machines, states, transitions and clips fit together and stand in the order that the runtime relies on.

use alloc::vec::Vec;

use super::{At, Checked, Context};
use crate::ids::{MachineId, StateId};
use crate::program::error::LoadErrorKind as Kind;
use crate::program::limits::Limit;
use crate::program::tables::{Behavior, History, Place, Run, Start, Target, Transition};

pub(super) fn check(context: &Context<'_>, rows: &Behavior) -> Checked {
    layers(context, rows)?;
    clips(context, rows)?;
    machines(context, rows)?;
    states(context, rows)?;
    reactions(context, rows)
}

fn layers(context: &Context<'_>, rows: &Behavior) -> Checked {
    context.at("layers", None).require(
        !rows.layers.is_empty(),
        Kind::EmptyTable,
        "a behavior has no layers",
    )?;
    for (row, pair) in rows.layers.windows(2).enumerate() {
        let ascending = matches!(pair, [low, high] if low.order < high.order);
        context.row("layers", row + 1).require(
            ascending,
            Kind::Unsorted,
            "layers stand by ascending `order`",
        )?;
    }
    Ok(())
}

/// Markers ascend within their kind; spans belong to their animation and do not end before they begin.
fn clips(context: &Context<'_>, rows: &Behavior) -> Checked {
    for (row, animation) in rows.animations.iter().enumerate() {
        let (mut ratio, mut seconds) = (0.0, 0.0);
        for marker in animation.markers.of(&rows.markers) {
            let (last, place) = match marker.at {
                Place::Ratio(place) => (&mut ratio, place),
                Place::Seconds(place) => (&mut seconds, place),
            };
            context.row("animations", row).require(
                *last <= place,
                Kind::Unsorted,
                "markers stand by ascending place",
            )?;
            *last = place;
        }
    }
    for (row, span) in rows.spans.iter().enumerate() {
        let at = context.row("spans", row);
        let mine = rows.animations.get(span.animation.index()).map(|animation| animation.spans);
        at.require(
            mine.is_some_and(|run| run.indices().contains(&row)),
            Kind::BadSpan,
            "it is not in its animation's run",
        )?;
        let forward = match (span.from, span.to) {
            (Place::Ratio(from), Place::Ratio(to)) | (Place::Seconds(from), Place::Seconds(to)) => from <= to,
            // Which comes first depends on the duration.
            (Place::Ratio(_), Place::Seconds(_)) | (Place::Seconds(_), Place::Ratio(_)) => true,
        };
        at.require(forward, Kind::BadSpan, "it ends before it begins")?;
    }
    Ok(())
}

/// What a run of transitions is for, and so what they may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Of a state, or of an `AnyState`.
    Own,
    /// `OnDone`.
    Done,
}

/// The main machine first, then at most one a layer, ascending; their states cover the table in order.
fn machines(context: &Context<'_>, rows: &Behavior) -> Checked {
    let mut end = 0;
    for (row, machine) in rows.machines.iter().enumerate() {
        let at = context.row("machines", row);
        if row > 0 {
            let before = rows.machines.get(row - 1).and_then(|machine| machine.layer);
            at.require(
                machine.layer > before,
                Kind::Unsorted,
                "the main machine stands first, then one machine a layer, ascending",
            )?;
        }
        at.require(machine.states.count > 0, Kind::EmptyTable, "a machine has no states")?;
        at.require(
            machine.states.first as usize == end,
            Kind::BadMachine,
            "its states do not follow those of the machine before",
        )?;
        end = machine.states.indices().end;
        at.require(
            machine.layer.is_none_or(|layer| layer == machine.motion_layer),
            Kind::BadMachine,
            "its motions play in another layer",
        )?;
        transitions(context, rows, row, machine.any, Role::Own)?;
        let own = machine.states.indices();
        start(at, context, rows, machine.start, |target| own.contains(&target.index()))?;
    }
    context.at("machines", None).require(
        end == rows.states.len(),
        Kind::BadMachine,
        "states stand after those of the last machine",
    )
}

fn states(context: &Context<'_>, rows: &Behavior) -> Checked {
    let mut depths: Vec<u8> = Vec::with_capacity(rows.states.len());
    let mut composite = alloc::vec![false; rows.states.len()];
    for (row, state) in rows.states.iter().enumerate() {
        let at = context.row("states", row);
        let machine = state.machine.index();
        at.require(
            rows.machines.get(machine).is_some_and(|machine| machine.states.indices().contains(&row)),
            Kind::BadMachine,
            "a state is not in the run of its machine",
        )?;
        let depth = match state.parent {
            None => 1,
            Some(parent) => {
                let same =
                    rows.states.get(parent.index()).is_some_and(|outer| outer.machine == state.machine);
                at.require(parent.index() < row && same, Kind::BadParent, "")?;
                if let Some(flag) = composite.get_mut(parent.index()) {
                    *flag = true;
                }
                depths.get(parent.index()).map_or(1, |depth| depth.saturating_add(1))
            }
        };
        at.limit(Limit::Nesting, depth.into())?;
        depths.push(depth);
        transitions(context, rows, machine, state.transitions, Role::Own)?;
        transitions(context, rows, machine, state.any, Role::Own)?;
        transitions(context, rows, machine, state.done, Role::Done)?;
        for entry in state.entry_from.of(&rows.entries_from) {
            same_machine(context, rows, "states", row, state.machine, entry.from)?;
        }
    }
    for (row, state) in rows.states.iter().enumerate() {
        let at = context.row("states", row);
        let leaf = composite.get(row) == Some(&false);
        at.require(!state.terminal || leaf && state.transitions.count == 0, Kind::BadTerminal, "")?;
        at.require(
            leaf == state.start.is_none(),
            Kind::BadStart,
            "`start` is for states with others inside",
        )?;
        let bare = state.any.count == 0 && state.done.count == 0 && state.history == History::None;
        at.require(!leaf || bare, Kind::BadComposite, "")?;
        if let Some(own) = state.start {
            start(at, context, rows, own, |target| is_inside(rows, target, row))?;
        }
    }
    Ok(())
}

/// Whether a state is inside that one: what is around a state stands before it.
fn is_inside(rows: &Behavior, state: StateId, outer: usize) -> bool {
    let parent = |state: &StateId| rows.states.get(state.index()).and_then(|row| row.parent);
    core::iter::successors(parent(&state), parent)
        .take_while(|state| state.index() >= outer)
        .any(|state| state.index() == outer)
}

/// A start leads inside; an `Entry` decides by conditions alone and always finds a way.
fn start(
    at: At<'_, '_>,
    context: &Context<'_>,
    rows: &Behavior,
    start: Start,
    inside: impl Fn(StateId) -> bool,
) -> Checked {
    let run = match start {
        Start::State(state) => return at.require(inside(state), Kind::BadStart, "`start` is not inside"),
        Start::Entry(run) => run,
    };
    at.require(run.count > 0, Kind::BadStart, "an `Entry` without transitions")?;
    let last = run.indices().last();
    for (row, transition) in run.indices().zip(run.of(&rows.transitions)) {
        let at = context.row("transitions", row);
        let leads = matches!(transition.target, Target::State(target) if inside(target));
        at.require(leads, Kind::BadStart, "a transition of an `Entry` does not lead inside")?;
        at.require(
            Some(row) != last || transition.condition.is_none(),
            Kind::BadStart,
            "the last transition of an `Entry` has a condition",
        )?;
        let bare = Transition {
            condition: transition.condition,
            triggers: transition.triggers,
            ..Transition::new(transition.target)
        };
        at.require(*transition == bare, Kind::BadStart, "a transition of an `Entry` has a condition only")?;
    }
    Ok(())
}

fn same_machine(
    context: &Context<'_>,
    rows: &Behavior,
    table: &'static str,
    row: usize,
    machine: MachineId,
    state: crate::ids::StateId,
) -> Checked {
    let same = rows.states.get(state.index()).is_some_and(|state| state.machine == machine);
    context.row(table, row).require(same, Kind::ForeignState, "")
}

/// The transitions of one source stay in its machine and stand in the order of decision.
fn transitions(context: &Context<'_>, rows: &Behavior, machine: usize, run: Run, role: Role) -> Checked {
    let mut last = i32::MAX;
    for (row, transition) in run.indices().zip(run.of(&rows.transitions)) {
        let at = context.row("transitions", row);
        match transition.target {
            Target::State(target) => {
                let own =
                    rows.states.get(target.index()).is_some_and(|state| state.machine.index() == machine);
                at.require(own, Kind::ForeignState, "`target` is a state of another machine")?;
            }
            Target::Exit => at.require(
                !transition.on_request && !transition.restart,
                Kind::BadComposite,
                "`Exit` cannot be requested or start over",
            )?,
        }
        let bare = !transition.instant
            && !transition.restart
            && !transition.on_request
            && transition.random_weight.is_none()
            && !transition.gate.is_some();
        at.require(
            role == Role::Own || bare,
            Kind::BadComposite,
            "an `OnDone` has a condition, a crossfade and actions only",
        )?;
        at.require(
            transition.priority <= last,
            Kind::Unsorted,
            "transitions of one source stand by descending `priority`",
        )?;
        last = transition.priority;
    }
    Ok(())
}

/// The behavior's reactions come first; those of states follow.
fn reactions(context: &Context<'_>, rows: &Behavior) -> Checked {
    let own = rows.behavior_whens as usize;
    context.at("whens", None).require(
        own <= rows.whens.len(),
        Kind::BadRun,
        "`behavior_whens` is above the number of rows",
    )?;
    for (row, state) in rows.states.iter().enumerate() {
        context.row("states", row).require(
            state.whens.count == 0 || state.whens.first as usize >= own,
            Kind::BadReactions,
            "",
        )?;
    }
    Ok(())
}
