//! Where the motions of machines stand in an instance's block.
//!
//! A machine that has motions, fades or gates has a track: a head, rows for the playheads of its current motion, and
//! rows for those that fade out. Other machines have nothing, and what follows from the tables has no words. What the
//! words mean is the instance's concern.

use alloc::vec;
use alloc::vec::Vec;

use super::layout::NONE;
use super::tables::{Behavior, Motion, MotionKind, Run};
use crate::ids::{LayerId, MachineId, MotionId};

/// The words of a track's head: without crossfades, and with them.
const HEAD_WORDS: [usize; 2] = [1, 5];
/// The words for a trip of the current motion within a step, where gates follow it.
const TRIP_WORDS: usize = 2;
/// The words that every row has.
const ROW_WORDS: usize = 5;
/// Those of a row that has a weight of its own, and of one that has a pace of its own too.
const WEIGHED_WORDS: usize = 6;
const PACED_WORDS: usize = 7;
/// How many playheads that fade out are kept.
pub(crate) const OUTGOING: usize = 8;
/// The most playheads of one motion; those beyond are not played.
pub(crate) const LEAVES: u16 = 1024;

/// Rows of playheads that tracks may have together for each row of motions and their children.
const SHARE: usize = 64;

/// How deep blends stand in blends; those around are not played.
pub(crate) const NESTING: usize = 16;

/// The track of a machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Track {
    pub(crate) machine: MachineId,
    /// The first word of its head.
    pub(crate) at: usize,
    /// Whether it has crossfades, and the words for them.
    pub(crate) fades: bool,
    /// The two words for a trip, where gates follow the motion; else [`NONE`].
    pub(crate) trip: u32,
    /// The first word of its rows.
    pub(crate) first: usize,
    /// Whether blends or speeds are in its motions, so that its rows keep weights and paces of their own. Else they have
    /// the whole weight of the motion, and the pace of its clip.
    pub(crate) mixed: bool,
    /// Rows of the current motion.
    pub(crate) current: usize,
    /// Rows, after these, of what fades out.
    pub(crate) outgoing: usize,
    /// Where its motions play.
    pub(crate) layer: LayerId,
    /// Where that layer's speed stands, or [`NONE`].
    pub(crate) speed_at: u32,
}

impl Track {
    /// How many rows it has.
    pub(crate) const fn rows(&self) -> usize {
        self.current + self.outgoing
    }

    /// The words of a row of the current motion.
    pub(crate) const fn current_words(&self) -> usize {
        if self.mixed { PACED_WORDS } else { ROW_WORDS }
    }

    /// The words of a row that fades out.
    pub(crate) const fn outgoing_words(&self) -> usize {
        if self.mixed { PACED_WORDS } else { WEIGHED_WORDS }
    }

    /// The words of a row.
    pub(crate) const fn words(&self, index: usize) -> usize {
        if index < self.current { self.current_words() } else { self.outgoing_words() }
    }

    /// The first word of a row.
    pub(crate) const fn row(&self, index: usize) -> usize {
        if index < self.current {
            return self.first + index * self.current_words();
        }
        self.first + self.current * self.current_words() + (index - self.current) * self.outgoing_words()
    }

    /// The place of a row of the current motion.
    pub(crate) const fn index(&self, row: usize) -> usize {
        (row - self.first) / self.current_words()
    }
}

/// The playheads of each motion.
pub(super) fn leaves(rows: &Behavior) -> Vec<u16> {
    let mut leaves: Vec<u16> = Vec::with_capacity(rows.motions.len());
    let mut depths: Vec<usize> = Vec::with_capacity(rows.motions.len());
    for motion in &rows.motions {
        let children = || motion.kind.points().of(&rows.points).iter();
        let depth = children().filter_map(|point| depths.get(point.motion.index())).max();
        let depth = depth.map_or(0, |depth| depth + 1);
        depths.push(depth);
        let count = match motion.kind {
            MotionKind::Clip { .. } => 1,
            MotionKind::Empty => 0,
            _ if depth > NESTING => 0,
            _ => {
                let counts = children().map(|point| leaves.get(point.motion.index()).copied().unwrap_or(0));
                counts.fold(0_u16, u16::saturating_add).min(LEAVES)
            }
        };
        leaves.push(count);
    }
    leaves
}

/// The clip of a motion's playhead, by its place among them.
pub(crate) fn clip_at(
    rows: &Behavior,
    leaves: &[u16],
    motion: Option<MotionId>,
    index: usize,
) -> Option<MotionId> {
    let mut motion = motion?;
    let mut index = index;
    loop {
        let kind = rows.motions.get(motion.index())?.kind;
        if let MotionKind::Clip { .. } = kind {
            return (index == 0).then_some(motion);
        }
        let mut child = None;
        for point in kind.points().of(&rows.points) {
            let count = usize::from(leaves.get(point.motion.index()).copied().unwrap_or(0));
            if index < count {
                child = Some(point.motion);
                break;
            }
            index -= count;
        }
        // Children are earlier rows, so this ends.
        motion = child.filter(|child| *child < motion)?;
    }
}

/// The tracks; `take` hands out words.
pub(super) fn tracks(
    rows: &Behavior,
    leaves: &[u16],
    layer_speed: &[u32],
    mut take: impl FnMut(usize) -> usize,
) -> Vec<Track> {
    let mut tracks = Vec::new();
    // Whoever shares motions among machines does not get more memory than the tables account for.
    let mut rest = SHARE * (rows.motions.len() + rows.points.len());
    for (index, machine) in rows.machines.iter().enumerate() {
        let Some(id) = MachineId::from_index(index) else { break };
        let states = machine.states.of(&rows.states);
        let transitions = || {
            let runs = states.iter().flat_map(|state| [state.transitions, state.any, state.done]);
            runs.chain([machine.any]).flat_map(|run: Run| run.of(&rows.transitions))
        };
        let motions = || states.iter().filter_map(|state| state.motion);
        let fades = transitions().any(|transition| transition.fade.duration.number() > 0.0);
        let gates = transitions().any(|transition| transition.gate.is_some());
        let follows = transitions().any(|transition| transition.gate.follows_motion());
        if motions().next().is_none() && !fades && !gates {
            continue;
        }
        let leaves_of = |motion: MotionId| leaves.get(motion.index()).copied().unwrap_or(0);
        let current = usize::from(motions().map(leaves_of).max().unwrap_or(0)).min(rest);
        rest -= current;
        let holds = motions()
            .any(|motion| rows.motions.get(motion.index()).is_some_and(|row| row.kind == MotionKind::Empty));
        let outgoing = if current > 0 && (fades || holds) { OUTGOING } else { 0 };
        let mixes = |motion: &Motion| motion.speed.is_some() || motion.kind.points().count > 0;
        let mixed = motions().any(|motion| rows.motions.get(motion.index()).is_some_and(mixes));
        let layer = machine.motion_layer;
        let speed_at = layer_speed.get(layer.index()).copied().unwrap_or(NONE);
        let [plain, fading] = HEAD_WORDS;
        let at = take(if fades { fading } else { plain });
        let trip = if follows { u32::try_from(take(TRIP_WORDS)).unwrap_or(NONE) } else { NONE };
        let mut track =
            Track { machine: id, at, fades, trip, first: 0, mixed, current, outgoing, layer, speed_at };
        track.first = take(current * track.current_words() + outgoing * track.outgoing_words());
        tracks.push(track);
    }
    tracks
}

/// The track of each machine.
pub(super) fn of_machines(rows: &Behavior, tracks: &[Track]) -> Vec<Option<u16>> {
    if tracks.is_empty() {
        return Vec::new();
    }
    let mut of = vec![None; rows.machines.len()];
    for (index, track) in tracks.iter().enumerate() {
        if let Some(place) = of.get_mut(track.machine.index()) {
            *place = u16::try_from(index).ok();
        }
    }
    of
}

/// The tracks by layer, those of one layer in order of machines.
pub(super) fn by_layer(tracks: &[Track]) -> Vec<u16> {
    let mut order: Vec<u16> = (0..tracks.len()).filter_map(|index| u16::try_from(index).ok()).collect();
    order.sort_by_key(|index| tracks.get(usize::from(*index)).map(|track| track.layer));
    order
}

/// Clocks of the composites whose own gates count seconds; `take` hands out words.
pub(super) fn clocks(rows: &Behavior, mut take: impl FnMut(usize) -> u32) -> Vec<u32> {
    let counts =
        |run: Run| run.of(&rows.transitions).iter().any(|transition| transition.gate.after.is_some());
    let mut clocks = vec![NONE; rows.states.len()];
    let mut any = false;
    for (state, clock) in rows.states.iter().zip(&mut clocks) {
        if state.start.is_some() && counts(state.transitions) {
            *clock = take(2);
            any = true;
        }
    }
    if any { clocks } else { Vec::new() }
}
