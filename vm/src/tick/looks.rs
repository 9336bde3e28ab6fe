//! What a transition looks like: crossfades, cuts, and the playheads that they start and end.
//!
//! The mix as it stands is the source of every fade: each playhead with its present weight, so that no interruption
//! is seen. What becomes of playheads between transitions is in `rows.rs`.

use super::Core;
use super::candidates::Candidate;
use crate::frame::EventKind;
use crate::ids::{MachineId, MotionId, StateId};
use crate::instance::pool::{Outgoing, Room};
use crate::instance::track::{bits, head, mark, row};
use crate::instance::view::{END, NO_STATE, View, play, word};
use crate::place::{self, FAR_END};
use crate::program::layout::Slot;
use crate::program::tables::{Length, LoopMode, MotionKind, Place};
use crate::program::tracks::{Track, clip_at};

/// How a change of state is to look.
pub(super) struct Look<'a> {
    pub(super) track: &'a Track,
    candidate: Option<Candidate<'a>>,
    /// Seconds of the fade; 0 for a cut.
    seconds: f32,
    /// The motion goes on: the state whose it is is not left.
    keep: bool,
    /// The state whose motion is the next one.
    owner: Option<StateId>,
}

/// The motion that a new one is to be in step with.
#[derive(Clone, Copy)]
struct Partner {
    place: u64,
    flags: u32,
    /// The number by which they stay in step; 0 where they only start so.
    lock: u32,
}

impl<'a> Core<'a, '_> {
    /// The motions of the initial states, as new as the instance.
    pub(crate) fn create_motions(&mut self) {
        let layout = self.layout;
        for track in &layout.tracks {
            self.create_motion(track);
        }
    }

    /// The motion of the state that a machine begins in, alone.
    pub(super) fn create_motion(&mut self, track: &Track) {
        let Some(leaf) = self.view().leaf(track.machine) else { return };
        for at in track.at..track.end() {
            self.put(at, 0);
        }
        let owner = self.view().owner_of(leaf);
        self.put(track.at + head::OWNER, owner_word(owner) | mark::FRESH);
        if let Some(motion) = self.view().motion(track) {
            self.start_motion(track, motion, None, None, false);
        }
    }

    /// The first tick reports where those motions start.
    pub(crate) fn report_first_motions(&mut self) {
        let layout = self.layout;
        for track in &layout.tracks {
            for index in 0..self.view().row_end(track) {
                if let Some(slot) = self.view().live_slot(track, index).filter(|slot| slot.marked) {
                    self.pass_start(&slot);
                }
            }
        }
    }

    /// What a change from `leaf` to `entered` will look like, of which `common` and what is around it stays. A fade
    /// that it ends is reported.
    pub(super) fn prepare_look(
        &mut self,
        machine: MachineId,
        entered: StateId,
        common: Option<StateId>,
        candidate: Option<Candidate<'a>>,
    ) -> Option<Look<'a>> {
        let track = self.layout.track(machine)?;
        let owner = self.view().owner_of(entered);
        let stays = |owner: StateId| self.view().within(common, owner);
        let keep = owner.is_some_and(stays) && owner == self.view().owner(track);
        // A motion that goes on has no crossfade, and one that is under way goes on too.
        let fade = candidate.filter(|_| !keep).map(|candidate| candidate.row.fade.duration);
        if let Some(Length::Cycles(_)) = fade {
            self.refresh_lead(track);
        }
        let seconds = fade.map_or(0.0, |duration| self.view().seconds(track, duration));
        if !keep && self.view().fading(track) {
            let (from, to) = self.fade_states(track);
            self.event(EventKind::FadeCancel { machine, from, to });
        }
        Some(Look { track, candidate, seconds, keep, owner })
    }

    fn fade_states(&self, track: &Track) -> (StateId, StateId) {
        let word = self.word(track.at + head::STATES);
        (StateId(word as u16), StateId((word >> 16) as u16))
    }

    /// Lets the look begin, after all entries.
    pub(super) fn begin_look(&mut self, machine: MachineId, look: &Look<'a>, from: StateId, to: StateId) {
        let (track, at) = (look.track, look.track.at);
        let rows = self.rows;
        if look.seconds > 0.0 {
            self.event(EventKind::FadeStart { machine, from, to });
        }
        // What a motion passed in this moment opens no gate of the state that is entered.
        self.put_trip(track, 0, 0);
        let owner = self.word(at + head::OWNER) & !mark::KEPT | mark::FRESH;
        if look.keep {
            self.put(at + head::OWNER, owner | mark::KEPT);
            return;
        }
        let transition = look.candidate.map(|candidate| candidate.row);
        let motion = look.owner.and_then(|state| rows.states.get(state.index())?.motion);
        let kind = motion.and_then(|motion| rows.motions.get(motion.index())).map(|row| row.kind);
        let hold = kind == Some(MotionKind::Empty);
        let pause = transition.is_some_and(|row| row.pause_on_exit) || hold;
        let lock = look.seconds > 0.0 && !pause && !hold;
        let partner = transition.filter(|row| row.sync).and_then(|_| self.partner(track, lock));
        if look.seconds > 0.0 || hold {
            self.rebase(track, pause);
            self.push_out(track, pause, partner.filter(|_| lock));
        } else {
            for index in 0..self.view().row_end(track) {
                self.cut_row(track, index);
            }
        }
        self.put(at + head::OWNER, owner_word(look.owner) | owner & !(0xFFFF | mark::WHOLE));
        self.put_fade(look, from, to);
        if let Some(motion) = motion {
            let start = transition.and_then(|row| row.start_at);
            self.start_motion(track, motion, partner, start, true);
        }
    }

    fn put_fade(&mut self, look: &Look<'_>, from: StateId, to: StateId) {
        let at = look.track.at;
        if !look.track.fades {
            return;
        }
        let id = look.candidate.map_or(0, |candidate| candidate.id + 1);
        let fades = look.seconds > 0.0;
        self.put_number(at + head::LEFT, if fades { look.seconds } else { 0.0 });
        self.put_number(at + head::DURATION, if fades { look.seconds } else { 0.0 });
        self.put(at + head::STATES, if fades { u32::from(from.0) | u32::from(to.0) << 16 } else { 0 });
        self.put(at + head::LOOK, if fades { id } else { 0 });
    }

    /// What a motion that is to be in step joins: the current one. It gets a number if it has none, where they stay so.
    fn partner(&mut self, track: &Track, stays: bool) -> Option<Partner> {
        let slot = self.view().lead(track)?;
        let meta = self.word(slot.at as usize + row::META);
        let mut lock = if stays { (meta & bits::LOCK) >> bits::LOCK_AT } else { 0 };
        if stays && lock == 0 {
            let taken = |lock: u32| {
                let meta = |index: usize| self.view().meta(track, index);
                self.view().rows_used(track).any(|index| meta(index) & bits::LOCK == lock << bits::LOCK_AT)
            };
            lock = (1..=255).find(|lock| !taken(*lock)).unwrap_or(255);
        }
        let place = self.view().place(&slot);
        Some(Partner { place, flags: self.view().flags(&slot), lock })
    }

    /// Gives every row that fades out its present weight as its own; one without weight is gone.
    fn rebase(&mut self, track: &Track, pause: bool) {
        let (_, factor) = self.view().factors(track);
        for index in track.current..self.view().row_end(track) {
            let Some(at) = self.view().row(track, index) else { continue };
            let weight = self.number(at + row::WEIGHT) * factor;
            if weight == 0.0 {
                self.cut_row(track, index);
                continue;
            }
            self.put_number(at + row::WEIGHT, weight);
            if pause {
                self.put(at + row::META, self.word(at + row::META) | bits::PAUSED);
            }
        }
    }

    /// Moves the current rows to those that fade out, which have their own weights already. Where there is no room,
    /// [the lightest](View::room) go, and the others of their machine get their share.
    fn push_out(&mut self, track: &'a Track, pause: bool, lock: Option<Partner>) {
        let (factor, _) = self.view().factors(track);
        let mut total = self.view().outgoing_weight(track);
        for index in 0..track.current {
            if !self.view().row_used(track, index) {
                continue;
            }
            let weight = self.view().own_weight(track, index) * factor;
            total += f64::from(weight);
            let room = if weight > 0.0 { self.make_room(track, weight) } else { None };
            let Some(to) = room else {
                self.cut_row(track, index);
                continue;
            };
            let at = track.row(index);
            for offset in 0..track.current_words() {
                let word = self.word(at + offset);
                self.put(to + offset, word);
                self.put(at + offset, 0);
            }
            self.put_number(to + row::WEIGHT, weight);
            let mut meta = self.word(to + row::META);
            if pause {
                meta |= bits::PAUSED;
            }
            if let Some(partner) = lock {
                meta = meta & !bits::LOCK | partner.lock << bits::LOCK_AT;
            }
            self.put(to + row::META, meta);
        }
        self.outgoing().share(track, total);
    }

    /// The first word of a row for a playhead that is to fade out with a weight. What is lighter may have to go for it.
    fn make_room(&mut self, track: &'a Track, weight: f32) -> Option<usize> {
        if let Room::Instead(machine, lightest) = self.view().room(track, weight)? {
            let from = self.layout.track(machine)?;
            let total = self.view().outgoing_weight(from);
            self.cut_row(from, lightest);
            if machine != track.machine {
                self.outgoing().share(from, total);
            }
        }
        let Room::Free(row) = self.view().room(track, weight)? else { return None };
        let index = self.view().free_place(track)?;
        Some(self.outgoing().take(track, index, row))
    }

    fn outgoing(&mut self) -> Outgoing<'_> {
        Outgoing { rows: self.rows, layout: self.layout, words: self.words }
    }

    /// Ends a playhead.
    fn cut_row(&mut self, track: &Track, index: usize) {
        let Some(slot) = self.view().live_slot(track, index) else { return };
        self.end_spans(&slot);
        if index >= track.current {
            self.outgoing().free(track, index);
            return;
        }
        for offset in 0..track.current_words() {
            self.put(track.row(index) + offset, 0);
        }
    }

    /// Starts the playheads of a motion. With a partner they start at its phase and share it from then on.
    fn start_motion(
        &mut self,
        track: &Track,
        motion: MotionId,
        partner: Option<Partner>,
        start: Option<Place>,
        report: bool,
    ) {
        let layout = self.layout;
        let lock = partner.map_or(0, |partner| partner.lock << bits::LOCK_AT);
        let leaves = layout.leaves_of(Some(motion)).min(track.current);
        for index in 0..leaves {
            let Some(clip) = clip_at(self.rows, &layout.leaves, Some(motion), index) else { continue };
            let at = track.row(index);
            let serial = self.word(layout.serial);
            self.put(layout.serial, serial.wrapping_add(1));
            self.put(at + row::META, u32::from(clip.0) | lock);
            // Above the ids of animations, by which those of actions are known.
            self.put(at + row::KEY, FIRST_KEY + serial % (u32::MAX - FIRST_KEY));
        }
        self.weigh(track, false);
        for index in 0..leaves {
            self.place_row(track, index, partner, start);
        }
        if report && let Some(slot) = self.view().lead(track).filter(|slot| slot.marked) {
            self.pass_start(&slot);
        }
    }

    /// Puts a row where it starts.
    fn place_row(&mut self, track: &Track, index: usize, partner: Option<Partner>, start: Option<Place>) {
        let at = track.row(index);
        let (Some((motion, _)), Some(slot)) =
            (self.view().row_clip(track, index), self.view().live_slot(track, index))
        else {
            return;
        };
        let (phase, own_start) = match self.rows.motions.get(motion.index()).map(|row| row.kind) {
            Some(MotionKind::Clip { phase, start_at, .. }) => (phase, start_at),
            _ => (None, None),
        };
        let backward = match (phase, partner) {
            // Speed is nothing to it.
            (Some(_), _) => false,
            // All that are in step go the same way.
            (None, Some(Partner { flags, lock: 1.., .. })) => {
                (flags & play::BACKWARD != 0) != (flags & play::TURNED != 0)
            }
            _ => f64::from(self.view().pace_at(track, at)) * self.view().layer_rate(track) < 0.0,
        };
        let mut flags = if backward { play::BACKWARD } else { 0 };
        let mut place = match (phase, partner, start.or(own_start)) {
            (Some(phase), ..) => {
                place::join(0, scrubbed(f32::from_bits(self.eval(phase, Some(track.machine)))))
            }
            (None, Some(partner), _) => {
                if partner.flags & play::TURNED != 0 && slot.loop_mode == LoopMode::PingPong {
                    flags ^= play::TURNED | play::BACKWARD;
                }
                partner.place
            }
            (None, None, Some(place)) => place::join(0, self.view().position(&slot, place)),
            (None, None, None) if backward => FAR_END,
            (None, None, None) => 0,
        };
        // At the end of a cycle the next one begins.
        let end = if flags & play::BACKWARD == 0 { FAR_END } else { 0 };
        if place == end && phase.is_none() {
            match slot.loop_mode {
                LoopMode::None => {}
                LoopMode::Loop => place = FAR_END - end,
                LoopMode::PingPong => flags ^= play::TURNED | play::BACKWARD,
            }
        }
        self.put_long(at + word::FRACTION, place);
        self.put(at + word::FLAGS, flags);
    }

    fn unlock_current(&mut self, track: &Track) {
        for index in 0..track.current {
            let at = track.row(index) + row::META;
            self.put(at, self.word(at) & !bits::LOCK);
        }
    }

    /// Ends the fade of a track that is over.
    pub(super) fn end_fade(&mut self, track: &Track) {
        if !self.view().fading(track) || self.number(track.at + head::LEFT) > 0.0 {
            return;
        }
        let (from, to) = self.fade_states(track);
        let released = self.view().held(track);
        self.event(EventKind::FadeEnd { machine: track.machine, from, to });
        if !self.view().holds_pose(track) {
            for index in track.current..self.view().row_end(track) {
                self.cut_row(track, index);
            }
        }
        for offset in [head::DURATION, head::STATES, head::LOOK] {
            self.put(track.at + offset, 0);
        }
        self.unlock_current(track);
        let owner = self.word(track.at + head::OWNER) & !mark::WHOLE;
        self.put(track.at + head::OWNER, if released { owner | mark::RELEASED } else { owner });
    }

    /// A clip's pace: cycles a second, without the layer's speed.
    pub(super) fn own_pace(&mut self, machine: MachineId, motion: MotionId, slot: &Slot) -> f32 {
        let code = self.rows.motions.get(motion.index()).and_then(|row| row.speed);
        let speed = code.map_or(1.0, |code| f32::from_bits(self.eval(code, Some(machine))));
        self.view().clip_pace(slot, speed)
    }
}

impl View<'_> {
    /// A fade's length in seconds.
    pub(super) fn seconds(&self, track: &Track, length: Length) -> f32 {
        match length {
            Length::Seconds(seconds) => seconds,
            Length::Cycles(cycles) => {
                let Some(slot) = self.lead(track) else { return 0.0 };
                let pace = f64::from(self.pace(track, track.index(slot.at as usize)));
                let pace = pace * self.layer_rate(track);
                let duration = f64::from(self.duration(&slot));
                let cycle = if pace == 0.0 { duration } else { 1.0 / pace.abs() };
                crate::float::narrow(f64::from(cycles) * cycle)
            }
        }
    }
}

/// The first key of a motion's playhead.
const FIRST_KEY: u32 = 1 << 16;

fn owner_word(owner: Option<StateId>) -> u32 {
    owner.map_or(NO_STATE, |state| u32::from(state.0))
}

/// A scrubbed place as a position.
pub(super) fn scrubbed(phase: f32) -> u32 {
    (f64::from(phase.clamp(0.0, 1.0)) * f64::from(END) + 0.5) as u32
}
