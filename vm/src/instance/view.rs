//! Reading an instance's block: what each word means, for the host, the evaluator and the tick alike.
//!
//! Nothing here changes anything. What has no value (an animation that does not play, an id of another behavior)
//! reads as 0, false or `None`.

use crate::ids::{AnimationId, LayerId, MachineId, ParamId, SpanId, StateId, TagId};
use crate::place::{self, FAR_END};
use crate::program::layout::{LAYER_WORDS, Layout, MACHINE_WORDS, NONE, SLOT_WORDS, Slot};
use crate::program::tables::{Behavior, LoopMode, Place, Span};
use crate::program::tracks::Track;
use crate::time;

/// A position in a clip: 0 is its start, this its end. Integer, so that equal places are equal and no time is lost.
pub(crate) use crate::place::END;
/// Stands for "no state" in the half words of a machine.
pub(crate) const NO_STATE: u32 = 0xFFFF;

/// Bits of the first word; above them is what is left of ticks, see `time.rs`.
pub(crate) mod flag {
    /// The first tick was.
    pub(crate) const STARTED: u32 = 1;
    /// Nothing that a decision reads has changed since one that did nothing.
    pub(crate) const QUIET: u32 = 2;
    /// Without new inputs, no tick of any length would change anything but clocks or report anything.
    pub(crate) const SETTLED: u32 = 4;
    /// What is found out anew, not believed: not saved.
    pub(crate) const FOUND: u32 = QUIET | SETTLED;
}

/// Bits of a trigger's word.
pub(crate) mod trigger {
    /// Fired and not yet consumed.
    pub(crate) const ARMED: u32 = 1;
    /// To be consumed at the end of this pass.
    pub(crate) const SPENT: u32 = 2;
    /// Fired in this pass.
    pub(crate) const FRESH: u32 = 4;
    /// Out of sight while a reaction's condition is tried without it.
    pub(crate) const HIDDEN: u32 = 8;
    /// Fired in this pass while it was armed from before it or used: armed anew when the pass is over.
    pub(crate) const AGAIN: u32 = 16;
}

/// Bits of an animation's last word; the cycles are above them.
pub(crate) mod play {
    /// Fading out.
    pub(crate) const FADING: u32 = 1;
    /// In a returning pass of `pingPong`.
    pub(crate) const TURNED: u32 = 2;
    /// Moves toward the start.
    pub(crate) const BACKWARD: u32 = 4;
    /// Does not loop and is at its end.
    pub(crate) const ENDED: u32 = 8;
    /// Where the cycles begin.
    pub(crate) const CYCLES: u32 = 4;

    /// A place after a way that ends before the end of the clip.
    #[inline]
    pub(crate) const fn moved(place: u64, way: u64, flags: u32) -> u64 {
        match flags & (ENDED | BACKWARD) {
            0 => place.wrapping_add(way),
            BACKWARD => place.wrapping_sub(way),
            _ => place,
        }
    }
}

/// The words of a slot.
pub(crate) mod word {
    /// The lower half of the place.
    pub(crate) const FRACTION: usize = 0;
    /// The upper half: the position, 0 to [`END`](super::END).
    pub(crate) const POSITION: usize = 1;
    /// Weight in the layer; during a fade, that with which it began.
    pub(crate) const WEIGHT: usize = 2;
    /// Units of time until the weight is what it is to be.
    pub(crate) const FADE: usize = 3;
    /// [`play`](super::play).
    pub(crate) const FLAGS: usize = 4;
}

impl Slot {
    /// The weight, with so many units left of a fade that began with `start`, and so many more that have passed.
    #[inline]
    pub(crate) fn weight_at(&self, start: f32, left: u32, flags: u32, owed: u64) -> f32 {
        if left == 0 {
            return start;
        }
        // As a tick would have it.
        if owed > 0 && u64::from(left) <= owed.saturating_add(time::SAME_MOMENT) {
            return if flags & play::FADING == 0 { self.weight } else { 0.0 };
        }
        self.weight_in_fade(start, u64::from(left).saturating_sub(owed) as u32, flags)
    }

    /// The weight in a fade that began with `start`, with so many units left of it.
    #[inline]
    pub(crate) fn weight_in_fade(&self, start: f32, left: u32, flags: u32) -> f32 {
        match flags & play::FADING {
            0 => self.fade_in.weight(start, self.weight, left),
            _ => self.fade_out.weight(start, 0.0, left),
        }
    }
}

/// A block that can be read.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) rows: &'a Behavior,
    pub(crate) layout: &'a Layout,
    pub(crate) words: &'a [u32],
    /// Units of time by which the block is behind: nothing was due in them.
    pub(crate) owed: u64,
}

impl<'a> View<'a> {
    /// A block that is not behind.
    #[inline]
    pub(crate) fn new(rows: &'a Behavior, layout: &'a Layout, words: &'a [u32]) -> Self {
        Self { rows, layout, words, owed: 0 }
    }

    #[inline]
    pub(crate) fn word(&self, at: usize) -> u32 {
        self.words.get(at).copied().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn number(&self, at: usize) -> f32 {
        f32::from_bits(self.word(at))
    }

    #[inline]
    pub(crate) fn bit(&self, first: usize, index: usize) -> bool {
        self.word(first + index / 32) >> (index % 32) & 1 == 1
    }

    /// Where a machine's words begin.
    #[inline]
    pub(crate) fn machine_at(&self, machine: MachineId) -> usize {
        self.layout.machines + machine.index() * MACHINE_WORDS
    }

    fn half(word: u32) -> Option<StateId> {
        let id = word & 0xFFFF;
        if id == NO_STATE { None } else { Some(StateId(id as u16)) }
    }

    /// The machine's current leaf.
    pub(crate) fn leaf(&self, machine: MachineId) -> Option<StateId> {
        self.rows.machines.get(machine.index())?;
        Self::half(self.word(self.machine_at(machine)))
    }

    /// Whether anything that is active may read a parameter.
    #[inline]
    pub(crate) fn reads(&self, param: ParamId) -> bool {
        let leaves = (0..self.layout.machine_count).map(|machine| {
            let leaf = self.word(self.layout.machines + machine * MACHINE_WORDS) & 0xFFFF;
            self.layout.states.get(leaf as usize)
        });
        self.layout.reads.hold(param)
            || leaves.into_iter().any(|leaf| leaf.is_none_or(|leaf| leaf.reads.hold(param)))
    }

    /// The leaf it came from.
    pub(crate) fn previous(&self, machine: MachineId) -> Option<StateId> {
        self.rows.machines.get(machine.index())?;
        Self::half(self.word(self.machine_at(machine)) >> 16)
    }

    /// The pending request.
    pub(crate) fn requested(&self, machine: MachineId) -> Option<StateId> {
        Self::half(self.word(self.machine_at(machine) + 1))
    }

    /// The request that this tick decides.
    pub(crate) fn taken(&self, machine: MachineId) -> Option<StateId> {
        Self::half(self.word(self.machine_at(machine) + 1) >> 16)
    }

    /// Seconds in the current leaf.
    pub(crate) fn elapsed(&self, machine: MachineId) -> f32 {
        if machine.index() >= self.rows.machines.len() {
            return 0.0;
        }
        time::seconds(self.clock(self.machine_at(machine) + 3)) as f32
    }

    /// Units of time that a clock has counted.
    pub(crate) fn clock(&self, at: usize) -> u64 {
        self.long(at).saturating_add(self.owed)
    }

    /// Two words as one number.
    #[inline]
    pub(crate) fn long(&self, at: usize) -> u64 {
        place::join(self.word(at), self.word(at + 1))
    }

    /// A state and those around it, innermost first.
    pub(crate) fn outward(&self, state: Option<StateId>) -> impl Iterator<Item = StateId> + use<'a> {
        let rows = self.rows;
        core::iter::successors(state, move |state| rows.states.get(state.index())?.parent)
    }

    /// Whether `inner` is `outer` or inside it.
    pub(crate) fn within(&self, inner: Option<StateId>, outer: StateId) -> bool {
        // What is around a state stands before it.
        self.outward(inner).take_while(|state| *state >= outer).any(|state| state == outer)
    }

    pub(crate) fn machine_of(&self, state: StateId) -> Option<MachineId> {
        self.rows.states.get(state.index()).map(|row| row.machine)
    }

    pub(crate) fn is_in(&self, state: StateId) -> bool {
        self.machine_of(state).is_some_and(|machine| self.within(self.leaf(machine), state))
    }

    pub(crate) fn came_from(&self, state: StateId) -> bool {
        self.machine_of(state).is_some_and(|machine| self.within(self.previous(machine), state))
    }

    pub(crate) fn is_tagged(&self, tag: TagId) -> bool {
        (0..self.rows.machines.len()).filter_map(MachineId::from_index).any(|machine| {
            self.outward(self.leaf(machine)).any(|state| {
                self.rows
                    .states
                    .get(state.index())
                    .is_some_and(|row| row.tags.of(&self.rows.tag_lists).contains(&tag))
            })
        })
    }

    pub(crate) fn layer_weight(&self, layer: LayerId) -> f32 {
        if layer.index() >= self.rows.layers.len() {
            return 0.0;
        }
        self.number(self.layout.layers + layer.index() * LAYER_WORDS)
    }

    /// An animation's slot and the slot's index.
    pub(crate) fn slot(&self, animation: AnimationId) -> Option<(usize, &'a Slot)> {
        let index = usize::from(*self.layout.slot_of.get(animation.index())?);
        Some((index, self.layout.slots.get(index)?))
    }

    pub(crate) fn is_active(&self, index: usize) -> bool {
        self.bit(self.layout.active, index) && (self.owed == 0 || !self.is_gone(index))
    }

    /// Whether it has faded out meanwhile.
    fn is_gone(&self, index: usize) -> bool {
        let Some(slot) = self.layout.slots.get(index) else { return false };
        let [.., left, flags] = self.slot_words(slot);
        flags & play::FADING != 0 && u64::from(left) <= self.owed.saturating_add(time::SAME_MOMENT)
    }

    #[inline]
    pub(crate) fn flags(&self, slot: &Slot) -> u32 {
        self.word(slot.at as usize + word::FLAGS)
    }

    /// Whether an animation plays and is not fading out.
    pub(crate) fn playing(&self, animation: AnimationId) -> bool {
        self.slot(animation)
            .is_some_and(|(index, slot)| self.is_active(index) && self.flags(slot) & play::FADING == 0)
    }

    pub(crate) fn finished(&self, animation: AnimationId) -> bool {
        self.slot(animation).is_some_and(|(index, _)| self.bit(self.layout.finished, index))
    }

    #[inline]
    pub(crate) fn duration(&self, slot: &Slot) -> f32 {
        if slot.duration_at == NONE { slot.duration } else { self.number(slot.duration_at as usize) }
    }

    /// Seconds from the start of the clip.
    #[inline]
    pub(crate) fn time(&self, slot: &Slot) -> f32 {
        self.time_and_phase(slot, self.place(slot)).0
    }

    /// Seconds from the start of the clip, and the place in it, 0 to 1; of a clip without length 1, or 0 if it loops.
    #[inline]
    pub(crate) fn time_and_phase(&self, slot: &Slot, place: u64) -> (f32, f32) {
        let duration = self.duration(slot);
        let (time, phase) = place::seconds(place, duration);
        match slot.loop_mode {
            LoopMode::None if duration == 0.0 => (time, 1.0),
            _ if duration == 0.0 => (time, 0.0),
            _ => (time, phase),
        }
    }

    /// The place in the clip, of 2^63.
    #[inline]
    pub(crate) fn place(&self, slot: &Slot) -> u64 {
        self.place_of(slot, self.slot_words(slot))
    }

    /// The words of a slot.
    #[inline]
    pub(crate) fn slot_words(&self, slot: &Slot) -> [u32; SLOT_WORDS] {
        let words = self.words.get(slot.at as usize..).and_then(|words| words.first_chunk());
        words.copied().unwrap_or_default()
    }

    /// The same of a slot with those words.
    #[inline]
    pub(crate) fn place_of(&self, slot: &Slot, words: [u32; SLOT_WORDS]) -> u64 {
        let [fraction, position, _, _, flags] = words;
        let place = place::join(fraction, position).min(FAR_END);
        if self.owed == 0 {
            return place;
        }
        let way = self.step(slot).saturating_mul(self.owed);
        match flags & (play::ENDED | play::BACKWARD) {
            0 => place.saturating_add(way).min(FAR_END),
            play::BACKWARD => place.saturating_sub(way),
            _ => place,
        }
    }

    /// The same of one that is [simple](Slot::simple): what it owes lies before its end.
    #[inline]
    pub(crate) fn simple_place(&self, slot: &Slot, words: [u32; SLOT_WORDS]) -> u64 {
        let [fraction, position, _, _, flags] = words;
        play::moved(place::join(fraction, position), slot.step.wrapping_mul(self.owed), flags)
    }

    /// The position that a playhead has reached, of [`END`].
    #[inline]
    pub(crate) fn reached(&self, slot: &Slot) -> u32 {
        place::reached(self.place(slot), self.flags(slot) & play::BACKWARD != 0)
    }

    /// The way of a unit of time.
    #[inline]
    pub(crate) fn step(&self, slot: &Slot) -> u64 {
        if slot.fixed { slot.step } else { place::step(self.rate(slot), self.duration(slot)) }
    }

    /// The place in the clip, 0 to 1; of a clip without length 1, or 0 if it loops.
    #[inline]
    pub(crate) fn phase(&self, slot: &Slot) -> f32 {
        self.time_and_phase(slot, self.place(slot)).1
    }

    /// The weight of an animation's slot, wherever it is in its fade.
    #[inline]
    pub(crate) fn weight(&self, slot: &Slot) -> f32 {
        self.weight_of(slot, self.slot_words(slot))
    }

    /// The same of a slot with those words.
    #[inline]
    pub(crate) fn weight_of(&self, slot: &Slot, words: [u32; SLOT_WORDS]) -> f32 {
        let [_, _, start, left, flags] = words;
        slot.weight_at(f32::from_bits(start), left, flags, self.owed)
    }

    /// A reading of an animation's newest playhead; 0 without one. One of a motion counts as newer than that of an
    /// action.
    pub(crate) fn reading(&self, animation: AnimationId, read: impl Fn(&Self, &Slot) -> f32) -> f32 {
        if !self.layout.tracks.is_empty() {
            let key = |at: &(&Track, usize)| self.key(at.0, at.1);
            let newest = self.rows_of(animation).max_by_key(key);
            if let Some(slot) = newest.and_then(|(track, index)| self.row_slot(track, index)) {
                return read(self, &slot);
            }
        }
        match self.slot(animation) {
            Some((index, slot)) if self.is_active(index) => read(self, slot),
            _ => 0.0,
        }
    }

    /// The weight of an animation in its layer, that of all its playheads.
    pub(crate) fn total_weight(&self, animation: AnimationId) -> f32 {
        let own = match self.slot(animation) {
            Some((index, slot)) if self.is_active(index) => self.weight(slot),
            _ => 0.0,
        };
        if self.layout.tracks.is_empty() {
            return own;
        }
        self.rows_of(animation).fold(own, |sum, (track, index)| sum + self.row_weight(track, index))
    }

    /// The clip seconds that a second of wall time moves a playhead, before `pingPong` turns it.
    #[inline]
    pub(crate) fn rate(&self, slot: &Slot) -> f64 {
        if slot.speed_at == NONE {
            return f64::from(slot.speed);
        }
        f64::from(slot.speed) * f64::from(self.number(slot.speed_at as usize))
    }

    /// A place of a clip as a position.
    pub(crate) fn position(&self, slot: &Slot, place: Place) -> u32 {
        let share = match place {
            Place::Ratio(ratio) => f64::from(ratio),
            Place::Seconds(seconds) => {
                let duration = f64::from(self.duration(slot));
                if duration > 0.0 { f64::from(seconds) / duration } else { 0.0 }
            }
        };
        // Rounded to nearest; the cast saturates.
        (share.min(1.0) * f64::from(END) + 0.5) as u32
    }

    /// Where a span begins and ends; `None` where nothing is between.
    pub(crate) fn edges(&self, slot: &Slot, span: &Span) -> Option<(u32, u32)> {
        let (from, to) = (self.position(slot, span.from), self.position(slot, span.to));
        (from < to && self.duration(slot) > 0.0).then_some((from, to))
    }

    /// Whether the playhead of an active slot is between those edges. The edge that it comes to first belongs to
    /// what is between, the other does not.
    pub(crate) fn between(&self, slot: &Slot, (from, to): (u32, u32)) -> bool {
        let position = self.reached(slot);
        if self.flags(slot) & play::BACKWARD == 0 {
            from <= position && position < to
        } else {
            from < position && position <= to
        }
    }

    pub(crate) fn in_span(&self, span: SpanId) -> bool {
        let Some(row) = self.rows.spans.get(span.index()) else { return false };
        let inside = |slot: &Slot| self.edges(slot, row).is_some_and(|edges| self.between(slot, edges));
        let Some((index, slot)) = self.slot(row.animation) else { return false };
        self.is_active(index) && inside(slot)
            || !self.layout.tracks.is_empty()
                && self
                    .rows_of(row.animation)
                    .any(|(track, index)| self.row_slot(track, index).is_some_and(|slot| inside(&slot)))
    }
}
