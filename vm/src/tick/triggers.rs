//! Triggers: latches that transitions and reactions consume, seen by all machines alike within a decision pass.
//!
//! A trigger that a machine used is gone for that machine at once, and for all at the end of the pass. Fired again
//! meanwhile, it is armed anew from then on: whoever decides later in the pass uses the first firing, as whoever
//! decided before did, so the order of machines does not matter. Between ticks a trigger's word holds only whether it is armed.

use super::Core;
use crate::ids::{MachineId, ParamId};
use crate::instance::view::trigger::{AGAIN, ARMED, FRESH, HIDDEN, SPENT};
use crate::program::layout::{NONE, ParamSlot};
use crate::program::tables::{Lifetime, Run};

impl Core<'_, '_> {
    /// Arms a trigger anew.
    pub(crate) fn fire(&mut self, param: ParamId) {
        let (Some(slot), Some(row)) =
            (self.layout.params.get(param.index()), self.rows.params.get(param.index()))
        else {
            return;
        };
        if !slot.is_trigger {
            return;
        }
        let word = self.word(slot.at as usize);
        let used = word & (SPENT | HIDDEN) != 0;
        if word & (ARMED | HIDDEN) == 0 {
            self.put(slot.at as usize, if self.deciding { ARMED | FRESH } else { ARMED });
        } else if used || self.deciding && word & FRESH == 0 {
            self.put(slot.at as usize, word | AGAIN);
        }
        // Otherwise it is a latch: of firings that nobody has used one is left.
        if let Lifetime::Seconds(seconds) = row.lifetime {
            self.put_number(slot.extra as usize, seconds);
        }
        if slot.fired != NONE {
            self.put(slot.fired as usize, self.word(slot.fired as usize).wrapping_add(1));
        }
        self.stir();
    }

    /// What a fired transition consumes: at once for its machine.
    pub(crate) fn consume(&mut self, triggers: Run, machine: MachineId) {
        let rows = self.rows;
        self.charge_rows(triggers.count);
        for param in triggers.of(&rows.triggers) {
            let Some(slot) = self.layout.params.get(param.index()) else { continue };
            let word = self.word(slot.at as usize);
            if self.view().sees_trigger(word, slot, Some(machine)) {
                self.put(slot.at as usize, word | SPENT);
                self.put_bit(slot.side as usize, machine.index(), true);
                self.stir();
            }
        }
    }

    /// The end of a pass, or of the reactions of a moment: what was used is gone; at the end of a pass also what
    /// lasts for a tick and was not fired in it.
    pub(crate) fn settle_triggers(&mut self, pass: bool) {
        let (layout, rows) = (self.layout, self.rows);
        for param in &layout.triggers {
            let (Some(slot), Some(row)) = (layout.params.get(param.index()), rows.params.get(param.index()))
            else {
                continue;
            };
            let word = self.word(slot.at as usize);
            if word == 0 {
                continue;
            }
            let over = pass && row.lifetime == Lifetime::Tick && word & FRESH == 0;
            if word & AGAIN != 0 {
                // Its lifetime counts from that firing on.
                self.put(slot.at as usize, ARMED);
                self.stir();
            } else if word & SPENT != 0 || over {
                self.disarm(slot);
            } else {
                self.put(slot.at as usize, ARMED);
            }
            self.clear_masks(slot);
        }
    }

    /// Lets time pass for the triggers that are armed for some seconds.
    pub(crate) fn age_triggers(&mut self, step: f32) {
        let layout = self.layout;
        for slot in layout.timed_triggers.iter().filter_map(|param| layout.params.get(param.index())) {
            if self.word(slot.at as usize) & ARMED != 0 {
                let left = self.number(slot.extra as usize) - step;
                self.put_number(slot.extra as usize, left.max(0.0));
            }
        }
    }

    /// The seconds until the first lifetime runs out.
    pub(crate) fn next_expiry(&self) -> f64 {
        let slots =
            self.layout.timed_triggers.iter().filter_map(|param| self.layout.params.get(param.index()));
        slots
            .filter(|slot| self.word(slot.at as usize) & ARMED != 0)
            .map(|slot| f64::from(self.number(slot.extra as usize)))
            .fold(f64::INFINITY, f64::min)
    }

    /// Disarms what ran out.
    pub(crate) fn expire_triggers(&mut self) {
        let layout = self.layout;
        for slot in layout.timed_triggers.iter().filter_map(|param| layout.params.get(param.index())) {
            let armed = self.word(slot.at as usize) & ARMED != 0;
            if armed && f64::from(self.number(slot.extra as usize)) <= crate::time::SAME_SECONDS {
                self.disarm(slot);
            }
        }
    }

    fn disarm(&mut self, slot: &ParamSlot) {
        self.put(slot.at as usize, 0);
        if slot.extra != NONE {
            self.put(slot.extra as usize, 0);
        }
        self.stir();
    }

    fn clear_masks(&mut self, slot: &ParamSlot) {
        for word in 0..self.layout.mask_words {
            self.put(slot.side as usize + word, 0);
        }
    }
}
