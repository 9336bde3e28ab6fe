//! Lint: a ring of `Instant` transitions that can be gone round without end.
//!
//! Only rings whose transitions have no condition, or all the same one, are reported, and only where nothing on the
//! way can change that condition: it reads no trigger and nothing that depends on the state, and no action writes.

use std::collections::BTreeMap;

use motix_vm::ids::StateId;

use super::shadowed::acts_in;
use super::{Context, always_holds, head, never_holds, outward, walk};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::{Action, Behavior, Expr, ExprKind, Hir, History, Start, Target, Transition, Ty, ValueKind};

/// The most steps that the search takes in a behavior; past that, rings may go unreported.
const MAX_STEPS: usize = 1 << 20;

pub(super) fn run(hir: &mut Hir, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for (_, behavior) in context.own(hir) {
        for ring in Search::new(behavior).map_or_else(Vec::new, |mut search| search.rings()) {
            report(behavior, &ring, context, diagnostics);
        }
    }
}

fn report(behavior: &Behavior, ring: &[Way<'_>], context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let Some(first) = ring.first() else { return };
    let names: Vec<String> =
        ring.iter().chain([first]).map(|way| format!("`{}`", context.state(behavior, way.from))).collect();
    let condition = match first.transition.condition.is_some() {
        true => " while this condition holds",
        false => "",
    };
    let mut report = Diagnostic::new(
        Code::InstantCycle,
        format!("`Instant` transitions go round in a ring: {}", names.join(" -> ")),
        head(first.transition),
        format!("goes on at once{condition}"),
    );
    for way in ring.iter().skip(1).take(7) {
        report = report.label(head(way.transition), "and so does this one");
    }
    let report =
        report.help("make one of them wait: leave its `Instant` out, or give it a condition of its own");
    context.tell(behavior, report, diagnostics);
}

/// A transition from a state; one of `AnyState` is a way from each.
#[derive(Clone, Copy)]
struct Way<'b> {
    from: StateId,
    to: StateId,
    transition: &'b Transition,
}

struct Search<'b> {
    behavior: &'b Behavior,
    /// Which named values do not change on the way.
    lasting: Vec<bool>,
    steps: usize,
    /// States on rings that were found.
    done: Vec<bool>,
    /// In which round, one a condition, a state was seen, and how.
    seen: Vec<(usize, Seen)>,
}

impl<'b> Search<'b> {
    /// A search in a behavior that has `Instant` transitions.
    fn new(behavior: &'b Behavior) -> Option<Self> {
        if !walk::each_transition(behavior).any(|transition| transition.instant) {
            return None;
        }
        let mut lasting = Vec::with_capacity(behavior.values.len());
        // Values stand after those they read.
        for value in &behavior.values {
            let lasts = match &value.kind {
                ValueKind::Expr(expr) => write_key(expr, &lasting, &mut String::new()).is_some(),
                ValueKind::Damp(..) => false,
            };
            lasting.push(lasts);
        }
        let done = vec![false; behavior.states.len()];
        let seen = vec![(0, Seen::Closed); behavior.states.len()];
        Some(Self { behavior, lasting, steps: 0, done, seen })
    }

    fn rings(&mut self) -> Vec<Vec<Way<'b>>> {
        // What a condition is, as text, and where it stands: first those without one.
        let mut sources: BTreeMap<String, Vec<StateId>> = BTreeMap::new();
        for (index, state) in self.behavior.states.iter().enumerate() {
            if state.start.is_some() {
                continue;
            }
            let around = outward(self.behavior, StateId(index as u16));
            let rows = around.filter_map(|outer| self.behavior.states.get(outer.index()));
            let own = rows.flat_map(|row| row.transitions.iter().chain(&row.any));
            for transition in own.chain(self.any(state.machine.index())) {
                if let Some(key) = self.key(transition) {
                    sources.entry(key).or_default().push(StateId(index as u16));
                }
                self.steps += 1;
            }
            if self.steps > MAX_STEPS {
                break;
            }
        }
        let mut rings = Vec::new();
        for (round, (key, from)) in sources.into_iter().enumerate() {
            for state in from {
                rings.extend(self.ring_from(state, &key, round + 1));
            }
        }
        rings
    }

    fn any(&self, machine: usize) -> &'b [Transition] {
        self.behavior.machines.get(machine).map_or(&[], |machine| &machine.any)
    }

    /// The ways out of a leaf that are open under a condition, in the order of decision: as far as one that is taken
    /// in any case.
    fn ways(&mut self, from: StateId, condition: &str) -> Vec<Way<'b>> {
        let behavior = self.behavior;
        let Some(state) = behavior.states.get(from.index()).filter(|state| !state.terminal) else {
            return Vec::new();
        };
        // `AnyState` before states, each innermost first.
        let around = || outward(behavior, from).filter_map(|state| behavior.states.get(state.index()));
        let mut all: Vec<&Transition> = around().skip(1).flat_map(|state| &state.any).collect();
        all.extend(self.any(state.machine.index()));
        all.extend(around().flat_map(|state| &state.transitions));
        self.steps += 1 + all.len();
        all.sort_by_key(|transition| std::cmp::Reverse(transition.priority));
        let mut ways = Vec::new();
        for transition in all.into_iter().filter(|transition| transition.instant) {
            if transition.target.state() == Some(from) && !transition.restart {
                continue;
            }
            let key = self.key(transition);
            if let (Some(to), Some(key)) = (self.leaf(transition.target), &key)
                && (key.is_empty() || key == condition)
            {
                ways.push(Way { from, to, transition });
            }
            let certain = acts_in(behavior, from, transition) && transition.random_weight.is_none();
            if certain && key.is_some_and(|key| key.is_empty()) {
                break;
            }
        }
        ways
    }

    /// The leaf that is entered with a target, where that is always the same.
    fn leaf(&self, target: Target) -> Option<StateId> {
        let mut state = target.state()?;
        loop {
            let row = self.behavior.states.get(state.index())?;
            match &row.start {
                None => return Some(state),
                Some(Start::State(inner)) if row.history == History::None => state = *inner,
                Some(_) => return None,
            }
        }
    }

    /// What an `Instant` transition waits for, as text: empty for nothing. `None` for one that is not `Instant`, is
    /// never taken, or waits for a gate or for something that going on may change.
    fn key(&self, transition: &Transition) -> Option<String> {
        if !transition.instant || !transition.gate.is_open() || never_holds(transition) {
            return None;
        }
        let mut text = String::new();
        if !always_holds(transition) {
            write_key(transition.condition.as_ref()?, &self.lasting, &mut text)?;
        }
        Some(text)
    }

    /// How a state was seen in this round; `None` where it was not.
    fn seen(&self, state: StateId, round: usize) -> Option<Seen> {
        let (last, seen) = self.seen[state.index()];
        (last == round).then_some(seen)
    }

    /// A ring that can be reached from a state, without recursion: chains may be long.
    fn ring_from(&mut self, start: StateId, condition: &str, round: usize) -> Option<Vec<Way<'b>>> {
        if self.seen(start, round).is_some() {
            return None;
        }
        let mut path: Vec<Way<'b>> = Vec::new();
        let mut waiting = vec![(start, self.ways(start, condition))];
        self.seen[start.index()] = (round, Seen::Open);
        while let Some((state, ways)) = waiting.last_mut() {
            let Some(way) = ways.pop().filter(|_| self.steps < MAX_STEPS) else {
                self.seen[state.index()] = (round, Seen::Closed);
                waiting.pop();
                path.pop();
                continue;
            };
            let target = way.to;
            path.push(way);
            match self.seen(target, round) {
                Some(Seen::Open) => {
                    let first = path.iter().position(|step| step.from == target)?;
                    let ring = path.split_off(first);
                    return self.is_new(&ring).then_some(ring);
                }
                Some(Seen::Closed) => drop(path.pop()),
                None => {
                    self.seen[target.index()] = (round, Seen::Open);
                    let ways = self.ways(target, condition);
                    waiting.push((target, ways));
                }
            }
        }
        None
    }

    /// Marks the states of a ring; whether none of them was on one before, and nothing on it changes its condition.
    fn is_new(&mut self, ring: &[Way<'b>]) -> bool {
        let mut new = true;
        for way in ring {
            new &= !std::mem::replace(&mut self.done[way.from.index()], true);
        }
        let conditional = ring.iter().any(|way| way.transition.condition.is_some());
        new && !(conditional && ring.iter().any(|way| self.writes(*way)))
    }

    /// Whether going this way writes a parameter.
    fn writes(&self, way: Way<'b>) -> bool {
        let mut writes = false;
        let mut look = |actions: &[Action]| {
            walk::each_of(actions, &mut |action| {
                writes |= matches!(action, Action::Set(..) | Action::Fire(_));
            });
        };
        look(&way.transition.actions);
        for state in outward(self.behavior, way.from) {
            let Some(state) = self.behavior.states.get(state.index()) else { continue };
            look(&state.entry);
            look(&state.exit);
            state.entry_from.iter().for_each(|(_, actions)| look(actions));
        }
        writes
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// On the way that is looked at.
    Open,
    /// Nothing new is found from there.
    Closed,
}

/// Writes an expression whose value does not change on the way; `None` for others.
fn write_key(expr: &Expr, lasting: &[bool], text: &mut String) -> Option<()> {
    let head = match &expr.kind {
        ExprKind::Param(_) if expr.ty == Ty::Trigger => return None,
        ExprKind::Literal(literal) => format!("{literal:?}"),
        ExprKind::Param(param) => format!("{param:?}"),
        ExprKind::Value(value) if lasting.get(value.0 as usize) == Some(&true) => format!("{value:?}"),
        ExprKind::Extern(answer) => format!("{answer:?}"),
        ExprKind::Call(builtin, _) => format!("{builtin:?}"),
        ExprKind::Neg(_) => "-".into(),
        ExprKind::Not(_) => "not".into(),
        ExprKind::Binary(op, ..) => format!("{op:?}"),
        ExprKind::If(..) => "if".into(),
        // The rest depends on the state, on time or on chance.
        _ => return None,
    };
    *text += &head;
    *text += "(";
    for operand in expr.operands() {
        write_key(operand, lasting, text)?;
        *text += ",";
    }
    *text += ")";
    Some(())
}
