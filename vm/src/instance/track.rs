//! Reading a machine's track: its crossfade, and the playheads of its motions with their weights.
//!
//! The rows of a track are those of the current motion, then those that fade out; where those are, `pool.rs` says. A row
//! without a key is not in use.
//! Weights come from few words: a row's own, and the fade's progress. Nothing here changes anything.

use super::view::{END, NO_STATE, View, play};
use crate::ids::{AnimationId, MachineId, MotionId, StateId};
use crate::program::layout::{NONE, Slot};
use crate::program::tables::{Behavior, LoopMode, MotionKind, Run, Transition};
use crate::program::tracks::Track;

/// The words of a track's head. All but the first are those of a crossfade.
pub(crate) mod head {
    /// The state whose motion is the current one and, above, [`mark`](super::mark)s.
    pub(crate) const OWNER: usize = 0;
    /// Seconds that the fade still takes.
    pub(crate) const LEFT: usize = 1;
    /// Seconds that it takes; 0 without one.
    pub(crate) const DURATION: usize = 2;
    /// The leaf that it leaves and, above, the one that it enters.
    pub(crate) const STATES: usize = 3;
    /// Its transition, plus 1; 0 for none.
    pub(crate) const LOOK: usize = 4;
}

/// The words for the trip of the current motion within a step.
pub(crate) mod trip {
    /// Where it began, in the direction of play.
    pub(crate) const HERE: usize = 0;
    /// How far it went.
    pub(crate) const WAY: usize = 1;
}

/// Marks of a track.
pub(crate) mod mark {
    /// Its machine entered its leaf, and gates that are open at once were not asked yet.
    pub(crate) const FRESH: u32 = 1 << 16;
    /// Within a moment: the current motion reached its end.
    pub(crate) const FINISHED: u32 = 1 << 17;
    /// Within a moment: it began another cycle.
    pub(crate) const LOOPED: u32 = 1 << 18;
    /// Within a moment: a fade that held decisions back ended.
    pub(crate) const RELEASED: u32 = 1 << 19;
    /// Within a step: the trip goes backward.
    pub(crate) const BACKWARD: u32 = 1 << 20;
    /// With [`FRESH`]: the motion was there before the leaf, so that where it stands it has passed.
    pub(crate) const KEPT: u32 = 1 << 21;
    /// A fade is under way, but nothing fades out any more: what did, a changed program could not carry on.
    pub(crate) const WHOLE: u32 = 1 << 22;
    /// All that do not outlast a tick.
    pub(crate) const PASSING: u32 = FINISHED | LOOPED | RELEASED | BACKWARD;
}

/// The words of a row beside those of an animation: its place and its flags. Something else stands where an animation has
/// its weight and its fade.
pub(crate) mod row {
    /// What the host knows the playhead by; 0 where the row is not in use.
    pub(crate) const KEY: usize = 2;
    /// The motion (a clip) and, above, [`bits`](super::bits).
    pub(crate) const META: usize = 3;
    /// Its weight, where it has one of its own.
    pub(crate) const WEIGHT: usize = 5;
    /// Cycles a second, without the layer's speed, where it has a pace of its own.
    pub(crate) const PACE: usize = 6;
}

/// Bits of a row's [`META`](row::META).
pub(crate) mod bits {
    /// Rows with the same number here, unless 0, share their phase.
    pub(crate) const LOCK: u32 = 0xFF << 16;
    /// Where the number begins.
    pub(crate) const LOCK_AT: u32 = 16;
    /// It stands still.
    pub(crate) const PAUSED: u32 = 1 << 24;
    /// It is part of a blend, which gives its pace.
    pub(crate) const BLENDED: u32 = 1 << 25;
    /// It is the heaviest of its motion, and reports what it passes.
    pub(crate) const SPEAKS: u32 = 1 << 26;
    /// All bits that are used.
    pub(crate) const ALL: u32 = (1 << 27) - 1;
}

/// What the weights of all that fades out may sum to: 1, but for rounding.
pub(crate) const MOST_WEIGHT: f64 = 1.0 + 1e-3;

/// Whether weights of motions are what expressions say: only then may they sum to more than 1.
pub(crate) fn weighs_directly(rows: &Behavior) -> bool {
    rows.motions.iter().any(|row| matches!(row.kind, MotionKind::BlendDirect { .. }))
}

impl<'a> View<'a> {
    /// The track of a machine.
    pub(crate) fn track(&self, machine: MachineId) -> Option<&'a Track> {
        self.layout.track(machine)
    }

    /// The state whose motion is the current one.
    pub(crate) fn owner(&self, track: &Track) -> Option<StateId> {
        let id = self.word(track.at + head::OWNER) & 0xFFFF;
        if id == NO_STATE { None } else { Some(StateId(id as u16)) }
    }

    /// The innermost state around a leaf that has a motion.
    pub(crate) fn owner_of(&self, leaf: StateId) -> Option<StateId> {
        self.outward(Some(leaf))
            .find(|state| self.rows.states.get(state.index()).is_some_and(|row| row.motion.is_some()))
    }

    /// The current motion.
    pub(crate) fn motion(&self, track: &Track) -> Option<MotionId> {
        self.rows.states.get(self.owner(track)?.index())?.motion
    }

    /// Whether the current motion holds what was there before.
    pub(crate) fn holds_pose(&self, track: &Track) -> bool {
        let motion = self.motion(track).and_then(|motion| self.rows.motions.get(motion.index()));
        motion.is_some_and(|motion| motion.kind == MotionKind::Empty)
    }

    /// Whether a fade is under way.
    pub(crate) fn fading(&self, track: &Track) -> bool {
        track.fades && self.word(track.at + head::DURATION) != 0
    }

    /// The transition whose fade is under way.
    pub(crate) fn look(&self, track: &Track) -> Option<&'a Transition> {
        let index = (self.word(track.at + head::LOOK) as usize).checked_sub(1).filter(|_| track.fades)?;
        self.rows.transitions.get(index)
    }

    /// Whether a fade holds the machine's own decisions back.
    pub(crate) fn held(&self, track: &Track) -> bool {
        self.fading(track) && self.look(track).is_some_and(|look| !look.early_exit)
    }

    /// The fade's progress after easing, 0 to 1; 1 without one.
    pub(crate) fn progress(&self, track: &Track) -> f32 {
        let Some(look) = self.look(track) else { return 1.0 };
        let time = 1.0 - self.number(track.at + head::LEFT) / self.number(track.at + head::DURATION);
        look.fade.easing.at(time.clamp(0.0, 1.0)).clamp(0.0, 1.0)
    }

    /// A machine's fade progress; 1 where it has none.
    pub(crate) fn fade(&self, machine: MachineId) -> f32 {
        self.track(machine).map_or(1.0, |track| self.progress(track))
    }

    /// What the host knows a row's playhead by; 0 where the row is not in use.
    pub(crate) fn key(&self, track: &Track, index: usize) -> u32 {
        self.row(track, index).map_or(0, |at| self.word(at + row::KEY))
    }

    pub(crate) fn row_used(&self, track: &Track, index: usize) -> bool {
        self.key(track, index) != 0
    }

    /// The rows in use.
    pub(crate) fn rows_used(&self, track: &'a Track) -> impl Iterator<Item = usize> + use<'a> {
        let view = *self;
        (0..view.row_end(track)).filter(move |index| view.row_used(track, *index))
    }

    /// The weight that each weight of the current motion is multiplied with, and that of those that fade out.
    pub(crate) fn factors(&self, track: &Track) -> (f32, f32) {
        let progress = self.progress(track);
        let out = if self.holds_pose(track) { 1.0 } else { 1.0 - progress };
        let whole = self.word(track.at + head::OWNER) & mark::WHOLE != 0;
        (if whole { 1.0 } else { progress }, out)
    }

    /// A row's weight among those that fade out or in the current motion.
    pub(crate) fn own_weight(&self, track: &Track, index: usize) -> f32 {
        if index < track.current && !track.mixed {
            return 1.0;
        }
        self.row(track, index).map_or(0.0, |at| self.number(at + row::WEIGHT))
    }

    /// A row's cycles a second, without the layer's speed.
    pub(crate) fn pace(&self, track: &Track, index: usize) -> f32 {
        self.row(track, index).map_or(0.0, |at| self.pace_at(track, at))
    }

    /// The same of a row whose first word is that.
    pub(crate) fn pace_at(&self, track: &Track, row: usize) -> f32 {
        if track.mixed {
            return self.number(row + row::PACE);
        }
        let clip = self.clip_of(self.word(row + row::META));
        let slot = clip.and_then(|(_, animation)| self.slot(animation));
        slot.map_or(0.0, |(_, slot)| self.clip_pace(slot, 1.0))
    }

    /// A clip's pace at a speed.
    pub(crate) fn clip_pace(&self, slot: &Slot, speed: f32) -> f32 {
        let duration = f64::from(self.duration(slot));
        if duration == 0.0 {
            return 0.0;
        }
        crate::float::narrow(f64::from(speed) * f64::from(slot.speed) / duration)
    }

    /// A row's weight in the layer.
    pub(crate) fn row_weight(&self, track: &Track, index: usize) -> f32 {
        let (current, out) = self.factors(track);
        self.own_weight(track, index) * if index < track.current { current } else { out }
    }

    /// The clip of a row and, above, its [`bits`].
    pub(crate) fn meta(&self, track: &Track, index: usize) -> u32 {
        self.row(track, index).map_or(0, |at| self.word(at + row::META))
    }

    /// The clip that a row plays, and its motion.
    pub(crate) fn row_clip(&self, track: &Track, index: usize) -> Option<(MotionId, AnimationId)> {
        self.clip_of(self.meta(track, index))
    }

    /// The same by the row's word.
    #[inline]
    pub(crate) fn clip_of(&self, meta: u32) -> Option<(MotionId, AnimationId)> {
        let motion = MotionId(meta as u16);
        match self.rows.motions.get(motion.index())?.kind {
            MotionKind::Clip { animation, .. } => Some((motion, animation)),
            _ => None,
        }
    }

    /// A row seen as the slot of an animation: its words, the clip's facts.
    #[inline]
    pub(crate) fn row_slot(&self, track: &Track, index: usize) -> Option<Slot> {
        self.slot_at(track, self.row(track, index)?)
    }

    /// The same of a row whose first word is that.
    pub(crate) fn slot_at(&self, track: &Track, row: usize) -> Option<Slot> {
        let meta = self.word(row + row::META);
        let (_, animation) = self.clip_of(meta)?;
        let (_, slot) = self.slot(animation)?;
        let at = u32::try_from(row).ok()?;
        let (layer, speed_at) = (track.layer, track.speed_at);
        // A block is behind only where no other row moves.
        let steady = self.steady(meta);
        let (step, fixed) = if steady { (slot.step, slot.fixed && speed_at == NONE) } else { (0, true) };
        let mut slot = Slot { at, step, fixed, protection: NONE, layer, speed_at, ..*slot };
        if meta & bits::SPEAKS == 0 {
            (slot.marked, slot.markers, slot.spans) = (false, Run::default(), Run::default());
        }
        Some(slot)
    }

    /// Whether a row runs at the pace of its animation and layer, alone.
    pub(crate) fn is_steady(&self, track: &Track, index: usize) -> bool {
        self.steady(self.meta(track, index))
    }

    /// The same by the row's word.
    #[inline]
    pub(crate) fn steady(&self, meta: u32) -> bool {
        let motion = self.rows.motions.get(usize::from(meta as u16));
        meta & (bits::BLENDED | bits::LOCK | bits::PAUSED) == 0
            && motion.is_some_and(|motion| {
                motion.speed.is_none() && matches!(motion.kind, MotionKind::Clip { phase: None, .. })
            })
    }

    /// Whether a row reports what it passes.
    pub(crate) fn speaks(&self, track: &Track, index: usize) -> bool {
        self.meta(track, index) & bits::SPEAKS != 0
    }

    /// A row in use as a slot.
    #[inline]
    pub(crate) fn live_slot(&self, track: &Track, index: usize) -> Option<Slot> {
        let at = self.row(track, index).filter(|at| self.word(at + row::KEY) != 0)?;
        self.slot_at(track, at)
    }

    /// How fast the track's layer runs.
    pub(crate) fn layer_rate(&self, track: &Track) -> f64 {
        if track.speed_at == NONE { 1.0 } else { f64::from(self.number(track.speed_at as usize)) }
    }

    /// How far a playhead is in its pass, in the direction of play.
    pub(crate) fn in_pass(&self, slot: &Slot) -> u32 {
        let position = self.reached(slot);
        if self.flags(slot) & play::BACKWARD == 0 { position } else { END - position }
    }

    /// The row by which gates and builtins know the current motion: the heaviest.
    pub(crate) fn lead_index(&self, track: &Track) -> Option<usize> {
        (0..track.current).find(|index| self.speaks(track, *index))
    }

    /// That row as a slot.
    pub(crate) fn lead(&self, track: &Track) -> Option<Slot> {
        self.live_slot(track, self.lead_index(track)?)
    }

    /// The cycle position of a machine's current motion; 0 without one.
    pub(crate) fn motion_phase(&self, machine: MachineId) -> f32 {
        let Some(slot) = self.track(machine).and_then(|track| self.lead(track)) else { return 0.0 };
        if self.duration(&slot) == 0.0 {
            return self.phase(&slot);
        }
        (f64::from(self.in_pass(&slot)) / f64::from(END)) as f32
    }

    /// How many cycles a machine's current motion has finished.
    pub(crate) fn motion_loops(&self, machine: MachineId) -> f32 {
        let lead = self.track(machine).and_then(|track| self.lead(track));
        lead.map_or(0.0, |slot| (self.flags(&slot) >> play::CYCLES) as f32)
    }

    /// Whether a machine's current motion does not loop and is at its end.
    pub(crate) fn motion_finished(&self, machine: MachineId) -> bool {
        let lead = self.track(machine).and_then(|track| self.lead(track));
        lead.is_some_and(|slot| slot.loop_mode == LoopMode::None && self.flags(&slot) & play::ENDED != 0)
    }

    /// The rows that play an animation.
    pub(crate) fn rows_of(
        &self,
        animation: AnimationId,
    ) -> impl Iterator<Item = (&'a Track, usize)> + use<'a> {
        let view = *self;
        let layout: &'a crate::program::layout::Layout = self.layout;
        layout.tracks.iter().flat_map(move |track| {
            view.rows_used(track)
                .filter(move |index| view.row_clip(track, *index).is_some_and(|(_, clip)| clip == animation))
                .map(move |index| (track, index))
        })
    }
}
