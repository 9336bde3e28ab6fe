//! The model's parameters, conditions and lists of actions.

use super::behavior::*;
use super::playhead::NEAR;
use super::world::{Kind, Latch, Value, World};

impl<'b> World<'b> {
    pub(super) fn number(&self, param: usize) -> f64 {
        match self.values[param] {
            Value::Number(value) => value,
            _ => 0.0,
        }
    }

    pub(super) fn fire(&mut self, param: usize) {
        let (ticks, deciding) = (self.ticks, self.deciding);
        let Value::Trigger(latch) = &mut self.values[param] else { return };
        self.firings[param] += 1;
        // Whoever decides later in the pass uses the first firing, as whoever decided before did.
        latch.again |= latch.armed && (latch.spent || deciding && !latch.fresh);
        latch.fresh |= !latch.armed && deciding;
        (latch.armed, latch.born, latch.age) = (true, ticks, 0.0);
    }

    /// Marks the triggers that a condition mentions, other than under a `not`, as consumed.
    pub(super) fn consume(&mut self, machine: Option<usize>, test: &Test) {
        match test {
            // What is not armed cannot be used up.
            Test::Fired(_) if !self.holds(machine, test) => {}
            Test::Fired(param) => {
                if let Value::Trigger(latch) = &mut self.values[*param] {
                    latch.spent = true;
                }
                if let Some(machine) = machine {
                    self.machines[machine].consumed[*param] = true;
                }
            }
            Test::And(a, b) | Test::Or(a, b) => {
                self.consume(machine, a);
                self.consume(machine, b);
            }
            _ => {}
        }
    }

    /// The end of a pass of decisions: what was consumed is gone for all.
    pub(super) fn spend(&mut self) {
        for value in &mut self.values {
            if let Value::Trigger(latch) = value {
                latch.armed &= !latch.spent || latch.again;
                (latch.spent, latch.fresh, latch.again) = (false, false, false);
            }
        }
        for machine in &mut self.machines {
            machine.consumed.fill(false);
        }
    }

    /// Triggers of one tick that were fired before this one are over.
    pub(super) fn expire_ticks(&mut self) {
        let ticks = self.ticks;
        for (value, row) in self.values.iter_mut().zip(&self.behavior.params) {
            if let (Value::Trigger(latch), Param::Trigger(Lifetime::Tick)) = (value, row) {
                latch.armed &= latch.born >= ticks;
            }
        }
    }

    fn over(value: &Value, row: &Param) -> bool {
        match (value, row) {
            (Value::Trigger(latch), Param::Trigger(Lifetime::Seconds(life))) => {
                latch.armed && latch.age + NEAR >= *life
            }
            _ => false,
        }
    }

    pub(super) fn expiring(&self) -> bool {
        self.values.iter().zip(&self.behavior.params).any(|(value, row)| Self::over(value, row))
    }

    pub(super) fn expire_seconds(&mut self) {
        for (value, row) in self.values.iter_mut().zip(&self.behavior.params) {
            if Self::over(value, row) {
                *value = Value::Trigger(Latch::default());
            }
        }
    }

    /// Whether a condition holds, as `machine` sees it; `None` is the behavior.
    pub(super) fn holds(&mut self, machine: Option<usize>, test: &Test) -> bool {
        match test {
            Test::Always => true,
            Test::Flag(param) => self.values[*param] == Value::Flag(true),
            Test::Fired(param) => {
                let armed = matches!(self.values[*param], Value::Trigger(latch) if latch.armed);
                armed && !machine.is_some_and(|machine| self.machines[machine].consumed[*param])
            }
            Test::Above(param, limit) => self.number(*param) > *limit,
            Test::Not(inner) => !self.holds(machine, inner),
            Test::And(a, b) => self.holds(machine, a) && self.holds(machine, b),
            Test::Or(a, b) => self.holds(machine, a) || self.holds(machine, b),
            Test::In(other, state) => {
                self.behavior.machines[*other].within(self.machines[*other].state, *state)
            }
            Test::CameFrom(state) => {
                let inside = |machine: usize, leaf| self.behavior.machines[machine].within(leaf, *state);
                machine.is_some_and(|machine| {
                    self.machines[machine].before.is_some_and(|leaf| inside(machine, leaf))
                })
            }
            Test::Playing(animation) => self.plays[*animation].playing,
            Test::Finished(animation) => self.plays[*animation].finished,
            Test::Ended => {
                machine.and_then(|machine| self.current(machine)).is_some_and(|row| row.playhead.ended)
            }
            Test::Loops(count) => {
                machine.and_then(|machine| self.current(machine)).map_or(0.0, |row| row.playhead.cycles)
                    >= *count
            }
            Test::Soft(index, limit) => {
                let value = self.soft[*index];
                if (value - limit).abs() < 1e-3 {
                    self.unsure = Some("a smoothed value is close");
                }
                value > *limit
            }
            Test::Elapsed(time) => {
                let elapsed = machine
                    .map_or(0.0, |machine| self.machines[machine].clocks[self.machines[machine].state]);
                if (elapsed - time).abs() < 5.0 * NEAR && *time > 0.0 {
                    self.unsure = Some("`elapsed` is close");
                }
                elapsed >= *time
            }
        }
    }

    /// Runs a list of actions of a machine's state.
    pub(super) fn run(&mut self, machine: usize, actions: &[Action]) {
        self.run_as(Some(machine), actions);
    }

    /// Runs a list of actions of a machine's state; `None` is the behavior.
    pub(super) fn run_as(&mut self, machine: Option<usize>, actions: &[Action]) {
        self.acted |= !actions.is_empty();
        for action in actions {
            match action {
                Action::Play(animation) => self.play(*animation),
                Action::Stop(animation, cut) => self.stop(*animation, *cut),
                Action::StopGroup(group, cut) => self.stop_group(*group, *cut),
                Action::PlayTag(tag) => self.play_tag(*tag),
                Action::StopTag(tag) => self.stop_tag(*tag),
                Action::SetFlag(param, value) => self.values[*param] = Value::Flag(*value),
                Action::Toggle(param) => {
                    self.values[*param] = Value::Flag(self.values[*param] != Value::Flag(true));
                }
                Action::SetNumber(param, value) => self.values[*param] = Value::Number(*value),
                Action::SetPointer(param, down) => {
                    self.values[*param] = Value::Number(self.pointer[usize::from(*down)]);
                }
                Action::Fire(param) => self.fire(*param),
                Action::Emit(index) => self.say(Kind::Emit(*index)),
                Action::Request(other, state, priority) => self.request(*other, *state, *priority),
                Action::If(test, yes, no) => {
                    let list = if self.holds(machine, test) { yes } else { no };
                    self.run_as(machine, list);
                }
            }
        }
    }

    /// Reactions of the behavior, then those of the active states, outermost first. Whether any ran.
    pub(super) fn react(&mut self) -> bool {
        let mut ran = false;
        for (machine, state, index) in self.reactions() {
            ran |= self.react_to(machine, state, index);
        }
        ran
    }

    /// What actions made false is false, and may become true again before it is looked at next.
    pub(super) fn release(&mut self) {
        for (machine, state, index) in self.reactions() {
            let test = &self.when(machine, state, index).test;
            let holds = self.holds(machine, test);
            *self.held(machine, state, index) &= holds;
        }
    }

    /// Those that are looked at, by machine (`None` is the behavior), state, and place.
    fn reactions(&self) -> Vec<(Option<usize>, usize, usize)> {
        let mut all: Vec<_> = (0..self.behavior.whens.len()).map(|index| (None, 0, index)).collect();
        for machine in 0..self.machines.len() {
            for state in self.active(machine) {
                let count = self.behavior.machines[machine].states[state].whens.len();
                all.extend((0..count).map(|index| (Some(machine), state, index)));
            }
        }
        all
    }

    fn when(&self, machine: Option<usize>, state: usize, index: usize) -> &'b When {
        let behavior: &'b Behavior = self.behavior;
        let own = |machine: usize| &behavior.machines[machine].states[state].whens;
        &machine.map_or(&behavior.whens, own)[index]
    }

    fn held(&mut self, machine: Option<usize>, state: usize, index: usize) -> &mut bool {
        match machine {
            Some(machine) => &mut self.machines[machine].held[state][index],
            None => &mut self.held[index],
        }
    }

    /// Whether a trigger that a condition consumes is armed.
    fn fired(&mut self, machine: Option<usize>, test: &Test) -> bool {
        match test {
            Test::Fired(_) => self.holds(machine, test),
            Test::And(a, b) | Test::Or(a, b) => self.fired(machine, a) || self.fired(machine, b),
            _ => false,
        }
    }

    /// Runs a reaction that is newly true; gives whether it was.
    fn react_to(&mut self, machine: Option<usize>, state: usize, index: usize) -> bool {
        let when = self.when(machine, state, index);
        let holds = self.holds(machine, &when.test);
        let before = std::mem::replace(self.held(machine, state, index), holds);
        let fired = holds && self.fired(machine, &when.test);
        let runs = holds && (!before || fired);
        if runs {
            // Its triggers are used up before what it does.
            let holds = !fired || self.holds_without_triggers(machine, &when.test);
            *self.held(machine, state, index) = holds;
            self.consume(None, &when.test);
            self.run_as(machine, &when.actions);
        }
        runs
    }

    /// Whether a condition goes on holding when the triggers that it mentions are gone.
    fn holds_without_triggers(&mut self, machine: Option<usize>, test: &Test) -> bool {
        let values = self.values.clone();
        let mut gone = vec![false; values.len()];
        mark_triggers(test, &mut gone);
        for (value, gone) in self.values.iter_mut().zip(gone) {
            if let (Value::Trigger(latch), true) = (value, gone) {
                latch.armed = false;
            }
        }
        let holds = self.holds(machine, test);
        self.values = values;
        holds
    }
}

/// Marks the triggers that a condition consumes.
fn mark_triggers(test: &Test, marked: &mut [bool]) {
    match test {
        Test::Fired(param) => marked[*param] = true,
        Test::And(a, b) | Test::Or(a, b) => {
            mark_triggers(a, marked);
            mark_triggers(b, marked);
        }
        _ => {}
    }
}

/// Whether a condition consumes a trigger.
pub(super) fn mentions(test: &Test) -> bool {
    match test {
        Test::Fired(_) => true,
        Test::And(a, b) | Test::Or(a, b) => mentions(a) || mentions(b),
        _ => false,
    }
}

/// Whether a condition reads what changes without anybody setting it.
pub(super) fn takes_time(test: &Test) -> bool {
    match test {
        Test::Elapsed(_) | Test::Loops(_) | Test::Ended | Test::Soft(..) => true,
        Test::In(..) | Test::CameFrom(_) | Test::Playing(_) | Test::Finished(_) => true,
        Test::Not(inner) => takes_time(inner),
        Test::And(a, b) | Test::Or(a, b) => takes_time(a) || takes_time(b),
        _ => false,
    }
}
