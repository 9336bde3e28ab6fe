//! Whether an instance is settled: no tick of any length, with the inputs as they are, would change states, samples or
//! layer weights, or report anything.
//!
//! That is so where a decision has just done nothing, the next one would read the same, and time alone changes nothing
//! but clocks that nobody reads. It is found out within a tick, before time passes, and holds until an input comes: then
//! a tick is no more than its clocks. What moves unseen (a playhead without weight) counts as moving.

use super::Core;
use super::looks::scrubbed;
use crate::instance::track::{bits, row};
use crate::instance::view::{flag, play, word};
use crate::program::layout::{NONE, Slot};
use crate::program::tables::LoopMode;
use crate::program::tracks::Track;

impl Core<'_, '_> {
    /// After the decisions of a tick: marks the block as settled, or not.
    pub(super) fn find_settled(&mut self) {
        let settled = self.calm && self.is_still() && !self.cut;
        let first = self.word(0) & !flag::SETTLED;
        self.put(0, if settled { first | flag::SETTLED } else { first });
    }

    /// Whether time alone changes nothing but clocks that nobody reads. What moves most often is asked first.
    fn is_still(&mut self) -> bool {
        let layout = self.layout;
        let mut from = 0;
        while let Some((index, slot)) = self.next_active(from) {
            if !self.is_slot_still(slot) {
                return false;
            }
            from = index + 1;
        }
        if layout.tracks.iter().any(|track| self.view().fading(track)) {
            return false;
        }
        if !layout.tracks.iter().all(|track| self.is_track_still(track)) || self.drifts() {
            return false;
        }
        self.layer_speeds();
        self.shifted = false;
        self.refresh_rows();
        !self.shifted
            && self.tracks_due() == f64::INFINITY
            && self.next_expiry() == f64::INFINITY
            && self.are_layers_still()
            && self.are_damps_still()
    }

    /// Whether a clock or chance is read.
    fn drifts(&self) -> bool {
        let leaves = || self.machines().filter_map(|machine| self.view().leaf(machine));
        self.layout.drifts
            || leaves().any(|leaf| self.layout.states.get(leaf.index()).is_none_or(|info| info.drifts))
    }

    fn is_slot_still(&self, slot: &Slot) -> bool {
        let at = slot.at as usize;
        let young = slot.protection != NONE && self.view().long(slot.protection as usize) != 0;
        let stands = self.view().step(slot) == 0 && self.word(at + word::FADE) == 0;
        stands && !young && self.slot_due(slot) == u64::MAX
    }

    fn is_track_still(&mut self, track: &Track) -> bool {
        (0..self.view().row_end(track))
            .all(|index| !self.view().row_used(track, index) || self.is_row_still(track, index))
    }

    fn is_row_still(&mut self, track: &Track, index: usize) -> bool {
        let Some(at) = self.view().row(track, index) else { return true };
        if self.word(at + row::META) & bits::PAUSED != 0 {
            return true;
        }
        if let Some(code) = self.scrub(track, index) {
            let place = scrubbed(f32::from_bits(self.eval(code, Some(track.machine))));
            return place == self.word(at + word::POSITION);
        }
        let Some(slot) = self.view().row_slot(track, index) else { return true };
        if self.view().flags(&slot) & play::ENDED != 0 {
            return true;
        }
        if self.view().duration(&slot) == 0.0 {
            return slot.loop_mode != LoopMode::None;
        }
        let rate = self.row_rate(track, index);
        rate.out == 0.0 && rate.current == 0.0
    }

    fn are_layers_still(&mut self) -> bool {
        let rows = self.rows;
        rows.layers.iter().enumerate().all(|(index, row)| {
            let weight = self.number(self.layer_at(index));
            row.lerp_rate == 0.0 || weight == self.target(index)
        })
    }

    fn are_damps_still(&mut self) -> bool {
        let rows = self.rows;
        rows.damps.iter().enumerate().all(|(index, damp)| {
            let input = f32::from_bits(self.eval(damp.input, None));
            self.number(self.layout.damps + index) == input
        })
    }
}
