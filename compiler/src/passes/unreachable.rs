//! Lint: states that nothing leads to.
//!
//! Ways are transitions that can be taken, and `Request`s in actions and tests. A host can request any state, so this
//! is a note; a transition `on request` says that the host does. Of states that lead to one another only the first
//! is reported.

use motix_vm::ids::StateId;

use super::shadowed::Blockers;
use super::{Context, never_holds, walk};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::{Action, Behavior, Hir, Statement, StatementKind, Transition};

pub(super) fn run(hir: &mut Hir, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for (index, behavior) in context.own(hir) {
        let mut requested = Vec::new();
        walk::each_action(behavior, &mut |action| {
            if let Action::Request(state, _) = action {
                requested.push(*state);
            }
        });
        for test in hir.tests.iter().filter(|test| test.behavior.index() == index) {
            in_statements(&test.statements, &mut requested);
        }
        let ways = Ways::of(behavior);
        let mut reached = vec![false; behavior.states.len()];
        let initial = behavior.machines.iter().map(|machine| machine.initial);
        ways.reach(initial.chain(requested), &mut reached);
        for state in ways.roots(&reached) {
            report(behavior, state, context, diagnostics);
        }
    }
}

fn in_statements(statements: &[Statement], requested: &mut Vec<StateId>) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Request(state, _) => requested.push(*state),
            StatementKind::Repeat(_, inner) => in_statements(inner, requested),
            _ => {}
        }
    }
}

fn report(behavior: &Behavior, state: StateId, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let Some(row) = behavior.states.get(state.index()) else { return };
    let name = context.names.text(row.name.symbol);
    let report = Diagnostic::new(
        Code::UnreachableState,
        format!("no transition leads to the state `{name}`"),
        row.name.span,
        "only a request of the host can enter it",
    )
    .help(format!("add a transition to it: `Transition {name} when ...`"))
    .help(format!(
        "if the host requests it, say so where it does: `Transition {name} on request`, in a state or in `AnyState`"
    ));
    context.tell(behavior, report, diagnostics);
}

/// The targets of those transitions that can be taken or requested.
fn targets(transitions: &[Transition], decided: impl Fn(&Transition) -> bool) -> Vec<StateId> {
    transitions
        .iter()
        .filter(|transition| transition.on_request || !never_holds(transition) && decided(transition))
        .map(|transition| transition.target)
        .collect()
}

/// Which state leads to which.
struct Ways<'b> {
    behavior: &'b Behavior,
    /// Targets of the own transitions of each state that can be taken or requested.
    own: Vec<Vec<StateId>>,
    /// Targets of each machine's `AnyState`.
    any: Vec<Vec<StateId>>,
}

impl<'b> Ways<'b> {
    fn of(behavior: &'b Behavior) -> Self {
        let blockers = Blockers::of(behavior);
        let any = behavior.machines.iter().enumerate().map(|(machine, row)| {
            targets(&row.any, |transition| blockers.before_any(machine, transition).is_none())
        });
        let any = any.collect();
        let own = behavior.states.iter().enumerate().map(|(index, state)| {
            let blockers = blockers.of_state(StateId(index as u16));
            targets(&state.transitions, |transition| blockers.before(transition).is_none())
        });
        let own = own.collect();
        Self { behavior, own, any }
    }

    /// Marks what can be reached from these states, them and what is around them included.
    fn reach(&self, from: impl IntoIterator<Item = StateId>, reached: &mut [bool]) {
        let mut waiting: Vec<StateId> = from.into_iter().collect();
        let mut any_done = vec![false; self.any.len()];
        while let Some(state) = waiting.pop() {
            let index = state.index();
            let Some(row) = self.behavior.states.get(index).filter(|_| !reached[index]) else { continue };
            reached[index] = true;
            waiting.extend(row.parent);
            waiting.extend(&self.own[index]);
            let machine = row.machine.index();
            if !row.terminal && !std::mem::replace(&mut any_done[machine], true) {
                waiting.extend(&self.any[machine]);
            }
        }
    }

    /// Of the states that are not reached, those from which all the others can be, as few as possible.
    fn roots(&self, reached: &[bool]) -> Vec<StateId> {
        let lost: Vec<usize> = (0..reached.len()).filter(|index| !reached[*index]).collect();
        let mut entered = vec![false; reached.len()];
        for index in &lost {
            for target in &self.own[*index] {
                entered[target.index()] |= target.index() != *index;
            }
        }
        let mut known = reached.to_vec();
        let mut roots = Vec::new();
        // First those that none of the others leads to, then what is left: rings.
        for ring in [false, true] {
            for index in &lost {
                if !known[*index] && (ring || !entered[*index]) {
                    let state = StateId(*index as u16);
                    roots.push(state);
                    self.reach([state], &mut known);
                }
            }
        }
        roots.sort_unstable();
        roots
    }
}
