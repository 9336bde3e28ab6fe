//! Where the motions of machines stand in an instance's block.
//!
//! A machine that has motions, fades or gates has a track: a head, places for what fades out, and rows for the playheads
//! of its current motion. What fades out has its rows in a pool that all tracks share. Other machines have nothing, and
//! what follows from the tables has no words. What the words mean is the instance's concern.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

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
/// How many playheads that fade out a machine keeps.
pub(crate) const OUTGOING: usize = 8;
/// How many of them, at least, the pool holds of each machine.
const EACH: usize = 2;
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
    /// The first word of its places for what fades out.
    pub(crate) places: usize,
    /// The first word of its rows, behind the places.
    pub(crate) first: usize,
    /// Whether blends or speeds are in its motions, so that its rows keep weights and paces of their own. Else they have
    /// the whole weight of the motion, and the pace of its clip.
    pub(crate) mixed: bool,
    /// Rows of the current motion.
    pub(crate) current: usize,
    /// Rows, after these, of what fades out; they are in the pool.
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

    /// The first word of a row of the current motion.
    pub(crate) const fn row(&self, index: usize) -> usize {
        self.first + index * self.current_words()
    }

    /// Behind its last word.
    pub(crate) const fn end(&self) -> usize {
        self.row(self.current)
    }

    /// The place of a row of the current motion.
    pub(crate) const fn index(&self, row: usize) -> usize {
        (row - self.first) / self.current_words()
    }
}

/// The rows of what fades out, which all tracks share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pool {
    at: usize,
    pub(crate) rows: usize,
    /// The words of a row.
    pub(crate) row_words: usize,
    /// The bits of a place of a track, which hold the number of a row of the pool, plus 1; 0 where nothing fades out.
    bits: usize,
}

impl Pool {
    /// The pool of so many tracks; `mixed` if one of them is.
    fn of(tracks: usize, mixed: bool) -> Self {
        if tracks == 0 {
            return Self::default();
        }
        let rows = (tracks * EACH).max(OUTGOING);
        let bits = match rows {
            0..16 => 4,
            16..256 => 8,
            _ => 16,
        };
        Self { at: 0, rows, row_words: if mixed { PACED_WORDS } else { WEIGHED_WORDS }, bits }
    }

    /// The words of a track's places.
    const fn place_words(&self) -> usize {
        OUTGOING * self.bits / 32
    }

    /// The first word of a row.
    pub(crate) const fn row(&self, row: usize) -> usize {
        self.at + row * self.row_words
    }

    /// All its words.
    pub(crate) const fn words(&self) -> Range<usize> {
        self.at..self.row(self.rows)
    }

    /// The word in which a place of a track stands, and how far up.
    pub(crate) fn entry(&self, track: &Track, place: usize) -> Option<(usize, usize)> {
        let bit = place * self.bits;
        (place < track.outgoing).then_some((track.places + bit / 32, bit % 32))
    }

    /// The bits of a place.
    pub(crate) const fn mask(&self) -> u32 {
        (1 << self.bits) - 1
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

/// The tracks, and the pool of what fades out; `take` hands out words.
pub(super) fn tracks(
    rows: &Behavior,
    leaves: &[u16],
    layer_speed: &[u32],
    mut take: impl FnMut(usize) -> usize,
) -> (Vec<Track>, Pool) {
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
        tracks.push(Track {
            machine: id,
            at: 0,
            fades,
            trip: if follows { 0 } else { NONE },
            places: 0,
            first: 0,
            mixed,
            current,
            outgoing,
            layer,
            speed_at,
        });
    }
    let share = || tracks.iter().filter(|track| track.outgoing > 0);
    let mut pool = Pool::of(share().count(), share().any(|track| track.mixed));
    for track in &mut tracks {
        let [plain, fading] = HEAD_WORDS;
        track.at = take(if track.fades { fading } else { plain });
        if track.trip != NONE {
            track.trip = u32::try_from(take(TRIP_WORDS)).unwrap_or(NONE);
        }
        track.places = take(if track.outgoing > 0 { pool.place_words() } else { 0 });
        track.first = take(track.current * track.current_words());
    }
    pool.at = take(pool.rows * pool.row_words);
    (tracks, pool)
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
