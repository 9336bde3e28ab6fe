//! `When` and `OnUpdate`: what the behavior and its active states do without a change of state.
//!
//! A reaction runs when its condition becomes true, or each time a trigger that it consumes is fired while it
//! holds. Its state (one bit) is kept while its state is active.

use super::Core;
use crate::ids::MachineId;
use crate::instance::view::trigger::{ARMED, HIDDEN, SPENT};

impl Core<'_, '_> {
    /// Checks the reactions of the behavior, then those of the active states, outermost first; then what they used up
    /// is gone. `pass` says that a decision pass ends with that.
    pub(crate) fn reactions(&mut self, pass: bool) {
        let before = core::mem::replace(&mut self.fired, false);
        self.for_reactions(Self::reaction);
        let ran = core::mem::replace(&mut self.fired, before);
        self.settle_triggers(pass);
        if ran {
            self.fired = true;
            self.release_reactions();
        }
    }

    /// Sees which conditions hold no more after actions ran: they may become true again before the next check.
    fn release_reactions(&mut self) {
        self.for_reactions(|core, when, machine| {
            let condition = core.rows.whens.get(when).map(|when| when.condition);
            if core.view().bit(core.layout.whens, when) && !core.holds(condition, machine) {
                core.put_bit(core.layout.whens, when, false);
            }
        });
    }

    /// Takes the conditions of some reactions as they are, as if they had been so before.
    pub(crate) fn hold_reactions(&mut self, which: impl Fn(usize) -> bool) {
        self.for_reactions(|core, when, machine| {
            if which(when) {
                let holds = core.holds(core.rows.whens.get(when).map(|when| when.condition), machine);
                core.put_bit(core.layout.whens, when, holds);
            }
        });
    }

    fn for_reactions(&mut self, visit: impl Fn(&mut Self, usize, Option<MachineId>)) {
        if self.rows.whens.is_empty() {
            return;
        }
        for when in 0..self.rows.behavior_whens as usize {
            visit(self, when, None);
        }
        for machine in self.machines() {
            let leaf = self.view().leaf(machine).and_then(|leaf| self.layout.states.get(leaf.index()));
            if leaf.is_some_and(|leaf| leaf.reacts) {
                self.for_active(machine, |core, state| {
                    let whens = core.rows.states.get(state.index()).map(|row| row.whens).unwrap_or_default();
                    for when in whens.indices() {
                        visit(core, when, Some(machine));
                    }
                });
            }
        }
    }

    fn reaction(&mut self, index: usize, machine: Option<MachineId>) {
        let rows = self.rows;
        let Some(when) = rows.whens.get(index) else { return };
        let held = self.view().bit(self.layout.whens, index);
        if !self.holds(Some(when.condition), machine) {
            if held {
                self.put_bit(self.layout.whens, index, false);
            }
            return;
        }
        let fired = self.hide_triggers(index, machine);
        if held && !fired {
            return;
        }
        // What holds without the triggers goes on holding after they are consumed.
        let holds = !fired || self.holds(Some(when.condition), machine);
        if fired {
            self.show_triggers(index);
        }
        self.put_bit(self.layout.whens, index, holds);
        self.run(Some(when.actions), machine);
    }

    /// Takes the armed triggers of a reaction out of sight; whether there were any.
    fn hide_triggers(&mut self, when: usize, machine: Option<MachineId>) -> bool {
        let (rows, layout) = (self.rows, self.layout);
        let mut any = false;
        for param in rows.whens.get(when).map(|when| when.triggers).unwrap_or_default().of(&rows.triggers) {
            let Some(slot) = layout.params.get(param.index()) else { continue };
            let word = self.word(slot.at as usize);
            if self.view().sees_trigger(word, slot, machine) {
                self.put(slot.at as usize, word & !ARMED | HIDDEN);
                any = true;
            }
        }
        any
    }

    /// Brings them back, to be consumed when all reactions were checked: each of them sees the same firing.
    fn show_triggers(&mut self, when: usize) {
        let (rows, layout) = (self.rows, self.layout);
        for param in rows.whens.get(when).map(|when| when.triggers).unwrap_or_default().of(&rows.triggers) {
            let Some(slot) = layout.params.get(param.index()) else { continue };
            let word = self.word(slot.at as usize);
            if word & HIDDEN != 0 {
                self.put(slot.at as usize, word & !HIDDEN | ARMED | SPENT);
            }
        }
    }

    /// Runs the `OnUpdate` lists of the active states, outermost first.
    pub(crate) fn update(&mut self) {
        self.fired = false;
        for machine in self.machines() {
            let leaf = self.view().leaf(machine).and_then(|leaf| self.layout.states.get(leaf.index()));
            if leaf.is_some_and(|leaf| leaf.updates) {
                self.for_active(machine, |core, state| {
                    let list = core.rows.states.get(state.index()).and_then(|row| row.update);
                    core.run(list, Some(machine));
                });
            }
        }
        if self.fired {
            self.release_reactions();
        }
    }
}
