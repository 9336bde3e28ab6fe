//! The model's ways between states: inward to a leaf, outward through `Exit`, and what is done on the way.

use super::behavior::*;
use super::world::{Kind, World};

/// A transition that concerns a machine as it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate<'b> {
    /// The state in whose block it stands; `None` for the `AnyState` of the machine.
    pub(super) owner: Option<usize>,
    /// It is one of an `AnyState`.
    pub(super) any: bool,
    pub(super) row: &'b Transition,
}

/// A change of state.
pub(super) struct Change<'b> {
    /// The innermost state that is neither left nor entered.
    common: Option<usize>,
    entered: usize,
    /// Composites that are left as done.
    done: Vec<usize>,
    look: Option<&'b Transition>,
    /// Whose actions run, in order.
    actions: Vec<&'b Transition>,
    /// What must hold on the way, beside the transition's own condition.
    pub(super) passed: Vec<&'b Test>,
}

impl<'b> World<'b> {
    /// What is declared from here, in the order in which it is asked; a request takes its look from it, from a
    /// terminal state too.
    pub(super) fn declared(&self, machine: usize) -> Vec<Candidate<'b>> {
        let behavior: &'b Behavior = self.behavior;
        let rows = &behavior.machines[machine];
        let leaf = self.machines[machine].state;
        let mut all = Vec::new();
        for state in rows.outward(leaf) {
            let any = rows.states[state].inside.as_ref().map_or(&[][..], |inside| &inside.any);
            all.extend(any.iter().map(|row| Candidate { owner: Some(state), any: true, row }));
        }
        all.extend(rows.any.iter().map(|row| Candidate { owner: None, any: true, row }));
        for state in rows.outward(leaf) {
            let own = rows.states[state].transitions.iter();
            all.extend(own.map(|row| Candidate { owner: Some(state), any: false, row }));
        }
        all.sort_by_key(|candidate| std::cmp::Reverse(candidate.row.priority));
        all
    }

    /// The same without what a terminal state is shielded from.
    pub(super) fn candidates(&self, machine: usize) -> Vec<Candidate<'b>> {
        let leaf = self.machines[machine].state;
        if self.behavior.machines[machine].states[leaf].terminal {
            Vec::new()
        } else {
            self.declared(machine)
        }
    }

    /// The leaf that is entered with a state. What is entered from outside resumes what it remembers.
    fn descend(&mut self, machine: usize, target: usize, passed: &mut Vec<&'b Test>) -> usize {
        let behavior: &'b Behavior = self.behavior;
        let rows = &behavior.machines[machine];
        let mut state = target;
        while let Some(inside) = &rows.states[state].inside {
            let active = rows.within(self.machines[machine].state, state);
            let memory = self.machines[machine].memory[state].filter(|_| !active);
            state = memory.unwrap_or_else(|| self.begin_of(machine, &inside.start, passed));
        }
        state
    }

    fn begin_of(&mut self, machine: usize, start: &'b Start, passed: &mut Vec<&'b Test>) -> usize {
        match start {
            Start::State(state) => *state,
            Start::Entry(rows) => {
                let holds = rows.iter().find(|(test, _)| self.holds(Some(machine), test));
                let Some((test, state)) = holds else { unreachable!("the last one holds") };
                passed.push(test);
                *state
            }
        }
    }

    /// Where a machine begins, and what it passes on the way there.
    pub(super) fn descend_start(&mut self, machine: usize, passed: &mut Vec<&'b Test>) -> usize {
        let behavior: &'b Behavior = self.behavior;
        let first = self.begin_of(machine, &behavior.machines[machine].start, passed);
        self.descend(machine, first, passed)
    }

    /// Whether going there changes nothing.
    fn is_there(&mut self, machine: usize, target: usize, any: bool) -> bool {
        let leaf = self.machines[machine].state;
        let inside = self.behavior.machines[machine].within(leaf, target);
        target == leaf || inside && (any || self.descend(machine, target, &mut Vec::new()) == leaf)
    }

    /// What a transition would do; `None` where it leads nowhere else, or nowhere.
    pub(super) fn change_of(&mut self, machine: usize, candidate: Candidate<'b>) -> Result<Change<'b>, bool> {
        let row = candidate.row;
        match row.target {
            Target::State(target) if !row.restart && self.is_there(machine, target, candidate.any) => {
                Err(true)
            }
            Target::State(target) => Ok(self.change_to(machine, target, row.restart, Some(row))),
            Target::Exit => self.way_out(machine, candidate).ok_or(false),
        }
    }

    /// The change to a state.
    pub(super) fn change_to(
        &mut self,
        machine: usize,
        target: usize,
        restart: bool,
        look: Option<&'b Transition>,
    ) -> Change<'b> {
        let rows = &self.behavior.machines[machine];
        let leaf = self.machines[machine].state;
        let from = if restart || target == leaf { rows.states[target].parent } else { Some(target) };
        let common = from.and_then(|from| rows.outward(from).find(|state| rows.within(leaf, *state)));
        let mut passed = Vec::new();
        let entered = self.descend(machine, target, &mut passed);
        Change { common, entered, done: Vec::new(), look, actions: look.into_iter().collect(), passed }
    }

    /// The change through `Exit` and the `OnDone`s that it comes by.
    fn way_out(&mut self, machine: usize, candidate: Candidate<'b>) -> Option<Change<'b>> {
        let behavior: &'b Behavior = self.behavior;
        let rows = &behavior.machines[machine];
        let parent = |owner: usize| rows.states[owner].parent;
        let mut around = if candidate.any { candidate.owner } else { candidate.owner.and_then(parent) };
        let (mut look, mut actions) = (candidate.row, vec![candidate.row]);
        let (mut done, mut passed, mut target) = (Vec::new(), Vec::new(), None);
        while let Some(composite) = around {
            let mut ways: Vec<&'b Transition> = rows.states[composite].inside.as_ref()?.done.iter().collect();
            ways.sort_by_key(|row| std::cmp::Reverse(row.priority));
            let way = ways.into_iter().find(|row| self.holds(Some(machine), &row.test))?;
            done.push(composite);
            passed.push(&way.test);
            actions.push(way);
            if matches!(look.duration, Length::Seconds(0.0)) {
                look = way;
            }
            match way.target {
                Target::State(state) => {
                    target = Some(state);
                    break;
                }
                Target::Exit => around = parent(composite),
            }
        }
        let outside = done.last().and_then(|last| parent(*last));
        let common = target.and_then(|target| {
            outside.and_then(|outside| rows.outward(outside).find(|state| rows.within(target, *state)))
        });
        let entered = match target {
            Some(target) => self.descend(machine, target, &mut passed),
            None => self.descend_start(machine, &mut passed),
        };
        Some(Change { common, entered, done, look: Some(look), actions, passed })
    }

    /// What a composite is left in: nothing, if it is done.
    fn remember(&mut self, machine: usize, state: usize, done: &[usize]) {
        let rows = &self.behavior.machines[machine];
        let Some(inside) = &rows.states[state].inside else { return };
        // What is done inside it begins anew.
        let last = done.last().copied().filter(|last| rows.within(*last, state));
        let inner = last.unwrap_or(self.machines[machine].state);
        let kept = match inside.history {
            _ if done.contains(&state) => None,
            History::None => None,
            History::Deep => Some(inner),
            History::Shallow => rows.outward(inner).find(|inner| rows.states[*inner].parent == Some(state)),
        };
        self.machines[machine].memory[state] = kept;
    }

    /// Leaves and enters what differs.
    pub(super) fn change(&mut self, machine: usize, change: &Change<'b>) {
        let behavior: &'b Behavior = self.behavior;
        let rows = &behavior.machines[machine];
        let (leaf, entered) = (self.machines[machine].state, change.entered);
        let stays = |state: usize| change.common.is_some_and(|common| rows.within(common, state));
        let owner = rows.owner(entered);
        // A move that does not leave the state whose motion plays lets it run on.
        let keep = owner.is_some_and(stays) && owner == rows.owner(leaf);
        let time = if keep { 0.0 } else { change.look.map_or(0.0, |row| self.fade_time(machine, row)) };
        if let (Some(fade), false) = (self.machines[machine].fade, keep) {
            self.say(Kind::FadeCancel(machine, fade.from, fade.to));
        }
        for state in rows.outward(leaf).take_while(|state| Some(*state) != change.common) {
            self.say(Kind::Exit(machine, state));
            self.run(machine, &rows.states[state].exit);
            self.remember(machine, state, &change.done);
        }
        let running = &mut self.machines[machine];
        running.before = Some(leaf);
        running.state = entered;
        running.fresh = true;
        let mut path: Vec<usize> =
            rows.outward(entered).take_while(|state| Some(*state) != change.common).collect();
        path.reverse();
        for state in &path {
            running.clocks[*state] = 0.0;
            running.held[*state].fill(false);
        }
        for row in &change.actions {
            self.run(machine, &row.actions);
        }
        for state in &path {
            rows.states[*state].marks.iter().for_each(|mark| self.mark(*mark));
        }
        for state in path {
            self.enter(machine, state);
            if let Some((other, list)) = &rows.states[state].entry_from
                && rows.within(leaf, *other)
            {
                self.run(machine, list);
            }
        }
        if keep {
            self.pass_by(machine);
        } else {
            self.start_motion(machine, change.look, Some((leaf, time)));
        }
    }

    /// The event of an entry and its actions.
    pub(super) fn enter(&mut self, machine: usize, state: usize) {
        let behavior = self.behavior;
        self.say(Kind::Enter(machine, state));
        self.run(machine, &behavior.machines[machine].states[state].entry);
    }

    /// A place that the motion has just passed opens no gate of the state that is entered.
    fn pass_by(&mut self, machine: usize) {
        for row in &mut self.machines[machine].rows {
            row.markers.clear();
            row.playhead.window = (row.playhead.seen, row.playhead.seen, false);
        }
    }

    /// The active states of a machine, outermost first.
    pub(super) fn active(&self, machine: usize) -> Vec<usize> {
        let mut all: Vec<usize> =
            self.behavior.machines[machine].outward(self.machines[machine].state).collect();
        all.reverse();
        all
    }

    /// The state whose motion plays and the active ones inside it, outermost first.
    pub(super) fn moved(&self, machine: usize) -> Vec<usize> {
        let rows = &self.behavior.machines[machine];
        let Some(owner) = rows.owner(self.machines[machine].state) else { return Vec::new() };
        self.active(machine).into_iter().filter(|state| rows.within(*state, owner)).collect()
    }
}
