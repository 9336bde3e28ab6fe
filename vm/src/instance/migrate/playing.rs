//! What stands beside the machines: weights of layers, animations that actions started and those that wait, smoothed
//! values.
//!
//! One animation holds a place in the changed program too: of two that come to compete, the first goes on.

use super::Carry;
use crate::ids::{AnimationId, GroupId, LayerId};
use crate::instance::active::sum_up;
use crate::instance::view::{play, word};
use crate::op::Op;
use crate::place;
use crate::program::Program;
use crate::program::layout::{Contest, LAYER_WORDS, Layout, NONE, SLOT_WORDS, Slot};
use crate::program::tables::{Behavior, LoopMode};
use crate::tick::FOLLOW;

impl Carry<'_> {
    pub(super) fn layers(&mut self) {
        for old in (0..self.view.rows.layers.len()).filter_map(LayerId::from_index) {
            let name = self.names.layer_name(old);
            let Ok(new) = self.new_names.layer(name) else {
                self.lose("layer", name);
                continue;
            };
            let from = self.view.layout.layers + old.index() * LAYER_WORDS;
            let to = self.layout.layers + new.index() * LAYER_WORDS;
            self.put(to, self.view.word(from));
            let target = self.view.word(from + 1);
            let follows = self.rows.layers.get(new.index()).is_some_and(|row| row.weight.is_some());
            if target != FOLLOW || follows {
                self.put(to + 1, target);
            }
            let speed = |layout: &Layout, layer: LayerId| {
                layout.layer_speed.get(layer.index()).copied().filter(|at| *at != NONE)
            };
            if let (Some(from), Some(to)) = (speed(self.view.layout, old), speed(self.layout, new)) {
                self.put(to as usize, self.view.word(from as usize));
            }
        }
    }

    pub(super) fn animation(&self, old: AnimationId) -> Option<AnimationId> {
        self.new_names.animation(self.names.animation_name(old)).ok()
    }

    pub(super) fn set_bit(&mut self, first: usize, index: usize) {
        let at = first + index / 32;
        let bit = self.words.get(at).copied().unwrap_or(0) | 1 << (index % 32);
        self.put(at, bit);
    }

    /// Animations that actions started.
    pub(super) fn slots(&mut self) {
        for (index, slot) in self.view.layout.slots.iter().enumerate() {
            let found = self.animation(slot.animation);
            if let Some((place, _)) = found.and_then(|found| self.new_view().slot(found))
                && self.view.bit(self.view.layout.finished, index)
            {
                self.set_bit(self.layout.finished, place);
            }
            if self.view.is_active(index) && found.is_none_or(|found| !self.slot(slot, found)) {
                self.lose("animation", self.names.animation_name(slot.animation));
            }
        }
    }

    fn slot(&mut self, old: &Slot, found: AnimationId) -> bool {
        let (view, layout) = (self.view, self.layout);
        let Some((place, slot)) = self.new_view().slot(found).map(|(place, slot)| (place, *slot)) else {
            return false;
        };
        let mut flags = view.flags(old);
        let fading = flags & play::FADING != 0;
        if slot.loop_mode != LoopMode::None {
            flags &= !play::ENDED;
        }
        if slot.loop_mode != LoopMode::PingPong && flags & play::TURNED != 0 {
            flags ^= play::TURNED | play::BACKWARD;
        }
        let taken = layout.slots.iter().enumerate().any(|(index, other)| {
            other.contest != Contest::Free
                && other.contest == slot.contest
                && self.new_view().is_active(index)
                && self.new_view().flags(other) & play::FADING == 0
        });
        let length = |slot: &Slot| if fading { slot.fade_out.units } else { slot.fade_in.units };
        let mut fade = view.word(old.at as usize + word::FADE);
        let mut weight = view.number(old.at as usize + word::WEIGHT);
        if length(&slot) != length(old) || slot.weight != old.weight {
            // One of another length, or to another weight, begins anew where it is.
            weight = view.weight(old).min(slot.weight);
            fade = if fade == 0 { 0 } else { length(&slot) };
        }
        if taken && !fading || fading && fade == 0 {
            return false;
        }
        if fade == 0 {
            weight = slot.weight;
        }
        self.set_bit(layout.active, place);
        sum_up(layout, self.words, place, true);
        let [fraction, position] = place::split(view.place(old));
        let words = [fraction, position, weight.to_bits(), fade, flags];
        for (offset, word) in words.into_iter().enumerate().take(SLOT_WORDS) {
            self.put(slot.at as usize + offset, word);
        }
        if slot.protection != NONE && old.protection != NONE && !fading {
            let left = view.long(old.protection as usize).min(slot.min_duration);
            for (offset, word) in place::split(left).into_iter().enumerate() {
                self.put(slot.protection as usize + offset, word);
            }
        }
        true
    }

    pub(super) fn waiting(&mut self) {
        for old in (0..self.view.rows.groups.len()).filter_map(GroupId::from_index) {
            let word = self.view.word(self.view.layout.waiting + old.index());
            let slot = (word as usize).checked_sub(1).and_then(|index| self.view.layout.slots.get(index));
            let Some(slot) = slot else { continue };
            let found = self.animation(slot.animation).and_then(|found| self.new_view().slot(found));
            let held = |contest: Contest| {
                self.layout.slots.iter().enumerate().any(|(index, other)| {
                    other.contest == contest
                        && self.new_view().is_active(index)
                        && self.new_view().flags(other) & play::FADING == 0
                })
            };
            let fits = found.and_then(|(place, new)| match new.contest {
                Contest::Group(group) if held(new.contest) && !self.new_view().playing(new.animation) => {
                    Some((u32::try_from(place + 1).ok()?, group))
                }
                _ => None,
            });
            match fits {
                Some((place, group)) => self.put(self.layout.waiting + group.index(), place),
                None => self.lose("waiting animation", self.names.animation_name(slot.animation)),
            }
        }
    }

    /// Smoothed values by the names that they have; those without, by their order where there are as many.
    pub(super) fn damps(&mut self) {
        let alike = self.view.rows.damps.len() == self.rows.damps.len();
        for index in 0..self.rows.damps.len() {
            let named = damp_name(self.program, self.rows, index);
            let found = match named {
                Some(name) => (0..self.view.rows.damps.len())
                    .find(|old| damp_name(self.old_program, self.view.rows, *old) == Some(name)),
                None => Some(index).filter(|_| alike),
            };
            if let Some(old) = found {
                self.put(self.layout.damps + index, self.view.word(self.view.layout.damps + old));
            }
        }
    }
}

/// The name of a smoothed value, if one stands for it.
fn damp_name<'p>(program: &'p Program, rows: &Behavior, damp: usize) -> Option<&'p str> {
    let is = |code: crate::ids::CodeId| {
        let ops = rows.codes.get(code.index()).map_or(&[][..], |code| code.ops.of(&rows.ops));
        matches!(ops, [Op::Damped { damp: id }] if id.index() == damp)
    };
    rows.predicates.iter().find(|row| is(row.condition)).map(|row| program.text(row.name))
}
