//! Lint: states that nothing leads to.
//!
//! Ways are transitions that can be taken, and `Request`s in actions and tests. A host can request any state, so this
//! is a note; a transition `on request` says that the host does. Of states that lead to one another only the first
//! is reported.

use motix_vm::ids::StateId;

use super::shadowed::Blockers;
use super::{Context, never_holds, outward, parent, walk, within};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::{Action, Behavior, Hir, Statement, StatementKind, Target, Transition};
use crate::nearest::Nearest;

/// No more inherited states are looked at for a message.
const FEW: usize = 256;

pub(super) fn run(hir: &mut Hir, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let mut nearest = Nearest::default();
    // By behavior, what tests request.
    let mut tested: Vec<Vec<StateId>> = vec![Vec::new(); hir.behaviors.len()];
    for test in &hir.tests {
        if let Some(requested) = tested.get_mut(test.behavior.index()) {
            in_statements(&test.statements, requested);
        }
    }
    for (index, behavior) in context.own(hir) {
        let mut requested = tested.get_mut(index).map(std::mem::take).unwrap_or_default();
        walk::each_action(behavior, &mut |action| {
            if let Action::Request(state, _) = action {
                requested.push(*state);
            }
        });
        let ways = Ways::of(behavior);
        let mut walk = ways.walk();
        let starts = behavior.machines.iter().flat_map(|machine| machine.start.targets());
        walk.reach(starts.chain(requested));
        let states = behavior.states.iter();
        let inherited = states.filter(|row| !behavior.written.contains(row.name.span)).take(FEW);
        let inherited: Vec<&str> = inherited.map(|row| context.names.text(row.name.symbol)).collect();
        for state in ways.roots(&mut walk) {
            report(behavior, state, &inherited, context, &mut nearest, diagnostics);
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

fn report(
    behavior: &Behavior,
    state: StateId,
    inherited: &[&str],
    context: &Context<'_>,
    nearest: &mut Nearest,
    diagnostics: &mut Diagnostics,
) {
    let Some(row) = behavior.states.get(state.index()) else { return };
    let name = context.names.text(row.name.symbol);
    // What was meant to open an inherited state, and is misspelled, is a state of its own.
    let opened = nearest.find(name, inherited.iter().copied());
    let mut report = Diagnostic::new(
        Code::UnreachableState,
        format!("no transition leads to the state `{name}`"),
        row.name.span,
        "only a request of the host can enter it",
    );
    if let Some(opened) = opened {
        report = report.help(format!("did you mean `{opened}`, which is inherited?"));
    }
    let report = report
    .help(format!("add a transition to it: `Transition {name} when ...`"))
    .help(format!(
        "if the host requests it, say so where it does: `Transition {name} on request`, in a state or in `AnyState`"
    ));
    context.tell(behavior, report, diagnostics);
}

/// Where a list of transitions leads.
#[derive(Default)]
struct Leads {
    /// The states that those which can be taken or requested name.
    targets: Vec<StateId>,
    /// Whether one of them is an `Exit`.
    exits: bool,
}

impl Leads {
    fn of(transitions: &[Transition], decided: impl Fn(&Transition) -> bool) -> Self {
        let mut leads = Self::default();
        for transition in transitions {
            if transition.on_request || !never_holds(transition) && decided(transition) {
                match transition.target {
                    Target::State(state) => leads.targets.push(state),
                    Target::Exit => leads.exits = true,
                }
            }
        }
        leads
    }
}

/// Which state leads to which.
struct Ways<'b> {
    behavior: &'b Behavior,
    /// The own transitions of each state.
    own: Vec<Leads>,
    /// The `AnyState` inside each state.
    inside: Vec<Leads>,
    /// The `OnDone`s of each state.
    done: Vec<Leads>,
    /// Each machine's `AnyState`.
    any: Vec<Leads>,
}

/// What is reached so far.
struct Walk<'w, 'b> {
    ways: &'w Ways<'b>,
    waiting: Vec<StateId>,
    /// States that are active at some time.
    reached: Vec<bool>,
    /// States that a transition names at some time.
    entered: Vec<bool>,
    /// Composites that an `Exit` leaves.
    left: Vec<bool>,
    /// Machines whose `AnyState` concerns something.
    any: Vec<bool>,
    /// Machines that an `Exit` enters anew.
    anew: Vec<bool>,
}

impl<'b> Ways<'b> {
    fn of(behavior: &'b Behavior) -> Self {
        let blockers = Blockers::of(behavior);
        let any = behavior.machines.iter().enumerate().map(|(machine, row)| {
            Leads::of(&row.any, |transition| !blockers.blocks_any(machine, None, transition))
        });
        let any = any.collect();
        let (mut own, mut inside, mut done) = (Vec::new(), Vec::new(), Vec::new());
        for (index, state) in behavior.states.iter().enumerate() {
            let machine = state.machine.index();
            let before = blockers.of_state(StateId(index as u16));
            own.push(Leads::of(&state.transitions, |transition| before.before(transition).is_none()));
            let decided = |transition: &Transition| !blockers.blocks_any(machine, Some(index), transition);
            inside.push(Leads::of(&state.any, decided));
            done.push(Leads::of(&state.done, |_| true));
        }
        Self { behavior, own, inside, done, any }
    }

    fn walk(&self) -> Walk<'_, 'b> {
        let states = || vec![false; self.behavior.states.len()];
        let machines = || vec![false; self.any.len()];
        let waiting = Vec::new();
        let (reached, entered, left) = (states(), states(), states());
        Walk { ways: self, waiting, reached, entered, left, any: machines(), anew: machines() }
    }

    /// Of the states that a walk did not reach, those from which all the others can be, as few as possible.
    fn roots(&self, walk: &mut Walk<'_, 'b>) -> Vec<StateId> {
        let lost: Vec<usize> = (0..self.own.len()).filter(|index| !walk.reached[*index]).collect();
        let mut entered = vec![false; self.own.len()];
        for index in &lost {
            let starts = self.behavior.states[*index].start.iter().flat_map(|start| start.targets());
            let lists = [&self.own[*index], &self.inside[*index], &self.done[*index]];
            let targets = lists.into_iter().flat_map(|leads| &leads.targets).copied();
            for target in starts.chain(targets).filter(|target| target.index() != *index) {
                // One that enters what is inside a state enters that too.
                for state in outward(self.behavior, target) {
                    entered[state.index()] |= !within(self.behavior, StateId(*index as u16), state);
                }
            }
        }
        let mut roots = Vec::new();
        // First those that none of the others leads to, then what is left: rings.
        for ring in [false, true] {
            for index in &lost {
                if !walk.reached[*index] && (ring || !entered[*index]) {
                    let state = StateId(*index as u16);
                    roots.push(state);
                    walk.reach([state]);
                }
            }
        }
        roots.sort_unstable();
        roots
    }
}

impl Walk<'_, '_> {
    /// Marks what can be reached when these states are entered, them and what is around them included.
    fn reach(&mut self, from: impl IntoIterator<Item = StateId>) {
        let ways = self.ways;
        self.waiting.extend(from);
        while let Some(target) = self.waiting.pop() {
            let Some(row) = ways.behavior.states.get(target.index()) else { continue };
            if std::mem::replace(&mut self.entered[target.index()], true) {
                continue;
            }
            // Where it is entered if nothing inside is named.
            self.waiting.extend(row.start.iter().flat_map(|start| start.targets()));
            let machine = row.machine.index();
            for state in outward(ways.behavior, target) {
                let index = state.index();
                if std::mem::replace(&mut self.reached[index], true) {
                    break;
                }
                self.follow(&ways.own[index], parent(ways.behavior, state), machine);
                self.follow(&ways.inside[index], Some(state), machine);
            }
            if !row.terminal && !std::mem::replace(&mut self.any[machine], true) {
                self.follow(&ways.any[machine], None, machine);
            }
        }
    }

    fn follow(&mut self, leads: &Leads, around: Option<StateId>, machine: usize) {
        let ways = self.ways;
        self.waiting.extend(&leads.targets);
        let (mut exits, mut around) = (leads.exits, around);
        // Outward with each step.
        while exits {
            let Some(composite) = around else {
                if !std::mem::replace(&mut self.anew[machine], true) {
                    let row = ways.behavior.machines.get(machine);
                    self.waiting.extend(row.into_iter().flat_map(|row| row.start.targets()));
                }
                return;
            };
            if std::mem::replace(&mut self.left[composite.index()], true) {
                return;
            }
            let done = &ways.done[composite.index()];
            self.waiting.extend(&done.targets);
            (exits, around) = (done.exits, parent(ways.behavior, composite));
        }
    }
}
