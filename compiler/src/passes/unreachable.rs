//! Lint: states that nothing leads to.
//!
//! Ways are transitions that can be taken, and `Request`s in actions and tests. A host can request any state, so this
//! is a note; a transition `on request` says that the host does. Of states that lead to one another only the first
//! is reported.

use motix_vm::ids::StateId;

use super::shadowed::Blockers;
use super::{Context, never_holds, outward, walk, within};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::{Action, Behavior, Hir, Statement, StatementKind, Target, Transition};

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
        let starts = behavior.machines.iter().flat_map(|machine| machine.start.targets());
        ways.reach(starts.chain(requested), &mut reached);
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

/// The targets of those transitions that can be taken or requested. With them the states that are entered by the way
/// out that an `Exit` takes, if there is one.
fn targets(
    transitions: &[Transition],
    decided: impl Fn(&Transition) -> bool,
    exits: impl Fn() -> Vec<StateId>,
) -> Vec<StateId> {
    let mut targets = Vec::new();
    for transition in transitions {
        if transition.on_request || !never_holds(transition) && decided(transition) {
            match transition.target {
                Target::State(state) => targets.push(state),
                Target::Exit => targets.extend(exits()),
            }
        }
    }
    targets
}

/// Where `Exit` can lead out of a composite; at the root, to where the machine starts.
fn ways_out(behavior: &Behavior, machine: usize, composite: Option<StateId>) -> Vec<StateId> {
    let mut found = Vec::new();
    let mut around = composite;
    while let Some(row) = around.and_then(|outer| behavior.states.get(outer.index())) {
        let open = row.done.iter().filter(|way| !never_holds(way));
        found.extend(open.clone().filter_map(|way| way.target.state()));
        if !open.clone().any(|way| way.target == Target::Exit) {
            return found;
        }
        around = row.parent;
    }
    found.extend(behavior.machines.get(machine).into_iter().flat_map(|row| row.start.targets()));
    found
}

/// Which state leads to which.
struct Ways<'b> {
    behavior: &'b Behavior,
    /// Targets of the own transitions of each state that can be taken or requested.
    own: Vec<Vec<StateId>>,
    /// Targets of the `AnyState` inside each state.
    inside: Vec<Vec<StateId>>,
    /// Targets of each machine's `AnyState`.
    any: Vec<Vec<StateId>>,
}

impl<'b> Ways<'b> {
    fn of(behavior: &'b Behavior) -> Self {
        let blockers = Blockers::of(behavior);
        let any = behavior.machines.iter().enumerate().map(|(machine, row)| {
            let decided = |transition: &Transition| !blockers.blocks_any(machine, None, transition);
            targets(&row.any, decided, || ways_out(behavior, machine, None))
        });
        let any = any.collect();
        let (mut own, mut inside) = (Vec::new(), Vec::new());
        for (index, state) in behavior.states.iter().enumerate() {
            let id = StateId(index as u16);
            let machine = state.machine.index();
            let before = blockers.of_state(id);
            let decided = |transition: &Transition| before.before(transition).is_none();
            own.push(targets(&state.transitions, decided, || ways_out(behavior, machine, state.parent)));
            let decided = |transition: &Transition| !blockers.blocks_any(machine, Some(index), transition);
            inside.push(targets(&state.any, decided, || ways_out(behavior, machine, Some(id))));
        }
        Self { behavior, own, inside, any }
    }

    /// Marks what can be reached when these states are entered, them and what is around them included.
    fn reach(&self, from: impl IntoIterator<Item = StateId>, reached: &mut [bool]) {
        let mut waiting: Vec<StateId> = from.into_iter().collect();
        let mut any_done = vec![false; self.any.len()];
        let mut entered = vec![false; reached.len()];
        while let Some(target) = waiting.pop() {
            let Some(row) = self.behavior.states.get(target.index()) else { continue };
            if std::mem::replace(&mut entered[target.index()], true) {
                continue;
            }
            // Where it is entered if nothing inside is named.
            waiting.extend(row.start.iter().flat_map(|start| start.targets()));
            for state in outward(self.behavior, target) {
                let index = state.index();
                if std::mem::replace(&mut reached[index], true) {
                    break;
                }
                waiting.extend(&self.own[index]);
                waiting.extend(&self.inside[index]);
            }
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
            let starts = self.behavior.states[*index].start.iter().flat_map(|start| start.targets());
            let targets = self.own[*index].iter().chain(&self.inside[*index]).copied();
            for target in starts.chain(targets).filter(|target| target.index() != *index) {
                // One that enters what is inside a state enters that too.
                for state in outward(self.behavior, target) {
                    entered[state.index()] |= !within(self.behavior, StateId(*index as u16), state);
                }
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
