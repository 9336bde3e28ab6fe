//! Playheads of motions, and crossfades under way.
//!
//! A machine that is in the same state, with a motion of the same clips, goes on where it is; any other starts its
//! motion as in a new instance. A fade goes on where its transition is still there.

use alloc::vec::Vec;

use super::Carry;
use crate::ids::{MachineId, MotionId, StateId};
use crate::instance::pool::{Outgoing, Room};
use crate::instance::track::{MOST_WEIGHT, bits, head, mark, row, weighs_directly};
use crate::instance::view::{play, word};
use crate::program::tables::{Behavior, LoopMode, MotionKind, Run, Target};
use crate::program::tracks::{Track, clip_at};

impl Carry<'_> {
    pub(super) fn tracks(&mut self) {
        let (old_layout, layout) = (self.view.layout, self.layout);
        if layout.serial != 0 && old_layout.serial != 0 {
            let serial = self
                .view
                .word(old_layout.serial)
                .wrapping_add(self.words.get(layout.serial).copied().unwrap_or(0));
            self.put(layout.serial, serial);
        }
        for old in &old_layout.tracks {
            // That a machine is gone is told of the machine.
            let Some(machine) = self.machine(old.machine) else { continue };
            match layout.track(machine) {
                Some(new) => self.track(old, new),
                None => {
                    self.lose_motion(old);
                    self.lose_fade(old);
                }
            }
        }
    }

    fn lose_motion(&mut self, old: &Track) {
        if let Some(state) = self.view.owner(old) {
            self.lose("motion of the state", &self.names.state_full_path(state));
        }
    }

    fn lose_fade(&mut self, old: &Track) {
        if self.view.fading(old) {
            let states = self.view.word(old.at + head::STATES);
            self.lose("crossfade to the state", &self.names.state_full_path(StateId((states >> 16) as u16)));
        }
    }

    /// A machine's playheads and its fade. What does not fit starts as in a new instance.
    fn track(&mut self, old: &Track, new: &Track) {
        let view = self.view;
        let same = match (view.owner(old), self.new_view().owner(new)) {
            (Some(was), Some(is)) => self.states.get(&was) == Some(&is),
            (was, is) => was.is_none() && is.is_none(),
        };
        let (was, is) = (view.motion(old), self.new_view().motion(new));
        let clips =
            |rows: &Behavior, leaves: &[u16], motion: Option<MotionId>, most: usize| -> Vec<MotionId> {
                (0..most).map_while(|index| clip_at(rows, leaves, motion, index)).collect()
            };
        let old_clips = clips(view.rows, &view.layout.leaves, was, old.current);
        let new_clips = clips(self.rows, &self.layout.leaves, is, new.current);
        let alike = old_clips.len() == new_clips.len()
            && old_clips.iter().zip(&new_clips).all(|(old, new)| self.clip_is(*old, *new));
        if !same || !alike {
            self.lose_motion(old);
        } else {
            for (index, clip) in new_clips.iter().enumerate() {
                self.row((old, index), (new, new.row(index)), *clip);
                if new.mixed {
                    let weight = view.own_weight(old, index);
                    self.put(new.row(index) + row::WEIGHT, weight.to_bits());
                }
            }
            let marks = view.word(old.at + head::OWNER) & (mark::FRESH | mark::KEPT);
            let owner = self.words.get(new.at + head::OWNER).copied().unwrap_or(0) & 0xFFFF;
            self.put(new.at + head::OWNER, owner | marks);
        }
        let holds = self.new_view().holds_pose(new);
        let fades = self.fade(old, new, same);
        if !(fades || holds && view.holds_pose(old)) {
            return;
        }
        self.outgoing(old, new);
        self.bound(new);
    }

    /// Weights that only direct ones let sum to more than 1 are scaled where there are none any more.
    fn bound(&mut self, new: &Track) {
        let sum = self.new_view().outgoing_weight(new);
        if sum <= MOST_WEIGHT || weighs_directly(self.rows) {
            return;
        }
        for index in new.current..new.rows() {
            if let Some(at) = self.new_view().row(new, index) {
                let scaled = f64::from(self.new_view().number(at + row::WEIGHT)) / sum;
                self.put(at + row::WEIGHT, (scaled as f32).to_bits());
            }
        }
    }

    /// What fades out, or is held. The share of what does not fit goes to the others, as where a ninth comes.
    fn outgoing(&mut self, old: &Track, new: &Track) {
        let view = self.view;
        let mut total = 0.0;
        for index in view.outgoing(old) {
            let weight = view.own_weight(old, index);
            total += f64::from(weight);
            let clip = self.some_clip(MotionId(view.meta(old, index) as u16));
            let place = new.current + (index - old.current);
            let to = clip.and_then(|clip| Some((clip, self.make_room(new, place, weight)?)));
            match to {
                Some((clip, to)) => {
                    self.row((old, index), (new, to), clip);
                    self.put(to + row::WEIGHT, weight.to_bits());
                }
                None => {
                    if let Some((_, animation)) = view.row_clip(old, index) {
                        self.lose("animation", self.names.animation_name(animation));
                    }
                }
            }
        }
        self.new_outgoing().share(new, total);
        if total > 0.0 && !self.new_view().has_outgoing(new) && self.new_view().fading(new) {
            self.mark(new, mark::WHOLE);
        }
    }

    /// The first word of a row for a playhead that fades out at that place of a track. What is lighter may have to go for
    /// it.
    fn make_room(&mut self, new: &Track, place: usize, weight: f32) -> Option<usize> {
        if place >= new.rows() {
            return None;
        }
        if let Room::Instead(machine, lightest) = self.new_view().room(new, weight)? {
            let from = self.layout.track(machine)?;
            let total = self.new_view().outgoing_weight(from);
            self.drop_row(from, lightest);
            if machine != new.machine {
                self.new_outgoing().share(from, total);
            }
        }
        let Room::Free(row) = self.new_view().room(new, weight)? else { return None };
        Some(self.new_outgoing().take(new, place, row))
    }

    /// Takes a row back that was carried.
    fn drop_row(&mut self, new: &Track, index: usize) {
        if let Some((_, animation)) = self.new_view().row_clip(new, index) {
            let name = self.new_names.animation_name(animation);
            self.lose("animation", name);
        }
        self.new_outgoing().free(new, index);
    }

    fn new_outgoing(&mut self) -> Outgoing<'_> {
        Outgoing { rows: self.rows, layout: self.layout, words: self.words }
    }

    /// Whether two clips play the animation of the same name.
    fn clip_is(&self, old: MotionId, new: MotionId) -> bool {
        let clip = |rows: &Behavior, motion: MotionId| match rows.motions.get(motion.index())?.kind {
            MotionKind::Clip { animation, .. } => Some(animation),
            _ => None,
        };
        let old = clip(self.view.rows, old).and_then(|animation| self.animation(animation));
        old.is_some() && old == clip(self.rows, new)
    }

    /// A clip that plays the same: that of the same place, or any.
    fn some_clip(&self, old: MotionId) -> Option<MotionId> {
        if self.rows.motions.len() == self.view.rows.motions.len() && self.clip_is(old, old) {
            return Some(old);
        }
        (0..self.rows.motions.len()).filter_map(MotionId::from_index).find(|new| self.clip_is(old, *new))
    }

    fn mark(&mut self, new: &Track, mark: u32) {
        let at = new.at + head::OWNER;
        self.put(at, self.words.get(at).copied().unwrap_or(0) | mark);
    }

    /// Carries a row of a track to the words of one that plays a clip of the same animation.
    fn row(&mut self, (old, index): (&Track, usize), (new, to): (&Track, usize), clip: MotionId) {
        let Some(from) = self.view.row(old, index) else { return };
        for offset in [word::FRACTION, word::POSITION, row::KEY] {
            self.put(to + offset, self.view.word(from + offset));
        }
        if new.mixed {
            self.put(to + row::PACE, self.view.pace(old, index).to_bits());
        }
        let MotionKind::Clip { animation, .. } =
            self.rows.motions.get(clip.index()).map_or(MotionKind::Empty, |row| row.kind)
        else {
            return;
        };
        let mode = self.rows.animations.get(animation.index()).map(|row| row.loop_mode);
        let mut flags = self.view.word(from + word::FLAGS);
        if mode != Some(LoopMode::None) {
            flags &= !play::ENDED;
        }
        if mode != Some(LoopMode::PingPong) && flags & play::TURNED != 0 {
            flags ^= play::TURNED | play::BACKWARD;
        }
        self.put(to + word::FLAGS, flags);
        let meta = self.view.word(from + row::META) & bits::ALL & !0xFFFF;
        self.put(to + row::META, meta | u32::from(clip.0));
    }

    /// The fade under way, if its transition is still there.
    fn fade(&mut self, old: &Track, new: &Track, same: bool) -> bool {
        let view = self.view;
        if !view.fading(old) {
            return false;
        }
        let states = view.word(old.at + head::STATES);
        let state = |id: u32| self.states.get(&StateId(id as u16)).copied();
        let found = (state(states & 0xFFFF), state(states >> 16));
        let look = (view.word(old.at + head::LOOK) as usize).checked_sub(1);
        let look = look.and_then(|look| self.transition(old.machine, new.machine, look));
        let ((Some(from), Some(to)), Some(look), true) =
            (found, look, same && new.fades && (new.outgoing > 0 || old.outgoing == 0))
        else {
            self.lose_fade(old);
            return false;
        };
        for offset in [head::LEFT, head::DURATION] {
            self.put(new.at + offset, view.word(old.at + offset));
        }
        self.put(new.at + head::STATES, u32::from(from.0) | u32::from(to.0) << 16);
        self.put(new.at + head::LOOK, u32::try_from(look + 1).unwrap_or(0));
        self.mark(new, view.word(old.at + head::OWNER) & mark::WHOLE);
        true
    }

    /// The transition of the same source and target, of several the one in the same place among them.
    fn transition(&self, old: MachineId, new: MachineId, index: usize) -> Option<usize> {
        let target = |row: usize| match self.view.rows.transitions.get(row)?.target {
            Target::State(state) => Some(Target::State(*self.states.get(&state)?)),
            Target::Exit => Some(Target::Exit),
        };
        let wanted = target(index)?;
        let runs = |rows: &Behavior, state: Option<StateId>, machine: MachineId| -> Option<[Run; 3]> {
            Some(match state {
                Some(state) => {
                    let row = rows.states.get(state.index())?;
                    [row.transitions, row.any, row.done]
                }
                None => [rows.machines.get(machine.index())?.any, Run::default(), Run::default()],
            })
        };
        let owned =
            self.view.rows.machines.get(old.index())?.states.indices().filter_map(StateId::from_index);
        for state in owned.map(Some).chain([None]) {
            for (kind, run) in runs(self.view.rows, state, old)?.into_iter().enumerate() {
                if !run.indices().contains(&index) {
                    continue;
                }
                let before =
                    run.indices().take_while(|row| *row < index).filter(|row| target(*row) == Some(wanted));
                let place = before.count();
                let owner = match state {
                    Some(state) => Some(*self.states.get(&state)?),
                    None => None,
                };
                let run = *runs(self.rows, owner, new)?.get(kind)?;
                let is =
                    |row: &usize| self.rows.transitions.get(*row).is_some_and(|row| row.target == wanted);
                let all: Vec<usize> = run.indices().filter(is).collect();
                return all.get(place).or(all.last()).copied();
            }
        }
        None
    }
}
