//! Walks over a behavior's expressions and actions, for the passes.
//!
//! The order is that of the HIR. Expressions nest no deeper than the parser allows.

use crate::hir::{Action, Behavior, Expr, ExprKind, Literal, Start, Transition, ValueKind, When};

/// Whether the expression is the literal `true`.
pub(super) fn is_true(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(Literal::Bool(true)))
}

/// Whether the expression is the literal `false`.
pub(super) fn is_false(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Literal(Literal::Bool(false)))
}

/// Visits an expression and all inside it, outside first.
pub(super) fn each_part<'e>(expr: &'e Expr, visit: &mut impl FnMut(&'e Expr)) {
    visit(expr);
    for operand in expr.operands() {
        each_part(operand, visit);
    }
}

/// Visits the whole expressions of a behavior, except those of its named values.
pub(super) fn each_expression<'b>(behavior: &'b Behavior, visit: &mut impl FnMut(&'b Expr)) {
    for layer in &behavior.layers {
        layer.weight.iter().chain(&layer.speed).for_each(&mut *visit);
    }
    for motion in &behavior.motions {
        motion.expressions().for_each(&mut *visit);
    }
    for transition in each_transition(behavior) {
        transition.condition.iter().for_each(&mut *visit);
    }
    for when in each_when(behavior) {
        visit(&when.condition);
    }
    each_action(behavior, &mut |action| match action {
        Action::Set(_, value) => visit(value),
        Action::Emit(_, values) => values.iter().for_each(&mut *visit),
        Action::If(condition, ..) => visit(condition),
        _ => {}
    });
}

/// The expression behind a named value.
pub(super) const fn value_expression(kind: &ValueKind) -> &Expr {
    match kind {
        ValueKind::Expr(expr) | ValueKind::Damp(expr, _) => expr,
    }
}

/// All transitions: those of machines, then those of states.
pub(super) fn each_transition(behavior: &Behavior) -> impl Iterator<Item = &Transition> {
    let of_machines =
        behavior.machines.iter().flat_map(|machine| machine.start.entry().iter().chain(&machine.any));
    of_machines.chain(behavior.states.iter().flat_map(|state| {
        let entry = state.start.iter().flat_map(|start| start.entry());
        entry.chain(&state.transitions).chain(&state.done).chain(&state.any)
    }))
}

/// All reactions.
pub(super) fn each_when(behavior: &Behavior) -> impl Iterator<Item = &When> {
    behavior.whens.iter().chain(behavior.states.iter().flat_map(|state| &state.whens))
}

/// Visits all actions, those inside `If` after it.
pub(super) fn each_action<'b>(behavior: &'b Behavior, visit: &mut impl FnMut(&'b Action)) {
    for transition in each_transition(behavior) {
        each_of(&transition.actions, visit);
    }
    for when in each_when(behavior) {
        each_of(&when.actions, visit);
    }
    for hear in behavior.listeners.iter().flat_map(|listener| &listener.hears) {
        each_of(&hear.actions, visit);
    }
    for state in &behavior.states {
        each_of(&state.entry, visit);
        for (_, actions) in &state.entry_from {
            each_of(actions, visit);
        }
        each_of(&state.exit, visit);
        each_of(&state.update, visit);
        each_of(&state.finish, visit);
        each_of(&state.repeat, visit);
    }
}

/// Visits the actions of a list, those inside `If` after it.
pub(super) fn each_of<'b>(actions: &'b [Action], visit: &mut impl FnMut(&'b Action)) {
    for action in actions {
        visit(action);
        if let Action::If(_, then, otherwise) = action {
            each_of(then, visit);
            each_of(otherwise, visit);
        }
    }
}

/// Visits the whole expressions of a behavior for changing them, except those of its named values.
pub(super) fn each_expression_mut(behavior: &mut Behavior, visit: &mut impl FnMut(&mut Expr)) {
    for layer in &mut behavior.layers {
        layer.weight.iter_mut().chain(&mut layer.speed).for_each(&mut *visit);
    }
    for motion in &mut behavior.motions {
        motion.expressions_mut().for_each(&mut *visit);
    }
    for machine in &mut behavior.machines {
        in_start(&mut machine.start, visit);
        machine.any.iter_mut().for_each(|transition| in_transition(transition, visit));
    }
    for when in &mut behavior.whens {
        in_when(when, visit);
    }
    for hear in behavior.listeners.iter_mut().flat_map(|listener| &mut listener.hears) {
        in_actions(&mut hear.actions, visit);
    }
    for state in &mut behavior.states {
        state.start.iter_mut().for_each(|start| in_start(start, visit));
        for transition in state.transitions.iter_mut().chain(&mut state.done).chain(&mut state.any) {
            in_transition(transition, visit);
        }
        for when in &mut state.whens {
            in_when(when, visit);
        }
        in_actions(&mut state.entry, visit);
        for (_, actions) in &mut state.entry_from {
            in_actions(actions, visit);
        }
        in_actions(&mut state.exit, visit);
        in_actions(&mut state.update, visit);
        in_actions(&mut state.finish, visit);
        in_actions(&mut state.repeat, visit);
    }
}

fn in_start(start: &mut Start, visit: &mut impl FnMut(&mut Expr)) {
    if let Start::Entry(ways) = start {
        ways.iter_mut().for_each(|way| in_transition(way, visit));
    }
}

fn in_transition(transition: &mut Transition, visit: &mut impl FnMut(&mut Expr)) {
    transition.condition.iter_mut().for_each(&mut *visit);
    in_actions(&mut transition.actions, visit);
}

fn in_when(when: &mut When, visit: &mut impl FnMut(&mut Expr)) {
    visit(&mut when.condition);
    in_actions(&mut when.actions, visit);
}

fn in_actions(actions: &mut [Action], visit: &mut impl FnMut(&mut Expr)) {
    for action in actions {
        match action {
            Action::Set(_, value) => visit(value),
            Action::Emit(_, values) => values.iter_mut().for_each(&mut *visit),
            Action::If(condition, then, otherwise) => {
                visit(condition);
                in_actions(then, visit);
                in_actions(otherwise, visit);
            }
            _ => {}
        }
    }
}
