//! Whether the words of tracks are something that an instance can hold: a part of the gate in `check.rs`.
//!
//! What passes names only what is there: clips of the program, states of the machine, places in a clip, weights that
//! do not exceed 1. Nothing is set that only exists within a tick.

use super::track::{MOST_WEIGHT, bits, head, mark, row, trip, weighs_directly};
use super::view::{View, play, word};
use crate::ids::StateId;
use crate::place::FAR_END;
use crate::program::layout::NONE;
use crate::program::tables::LoopMode;
use crate::program::tracks::{Track, clip_at};

type Checked = Result<(), &'static str>;

fn require(holds: bool, what: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(what) }
}

/// Checks all tracks, and the clocks and memories of composites.
pub(super) fn check(view: View<'_>) -> Checked {
    for (index, at) in view.layout.history.iter().enumerate().filter(|(_, at)| **at != NONE) {
        let inner = match view.word(*at as usize) {
            0 => continue,
            word => u16::try_from(word - 1).ok().map(StateId),
        };
        let row = view.rows.states.get(index);
        let parent = inner.and_then(|inner| view.rows.states.get(inner.index())?.parent);
        let around = match row.is_some_and(|row| row.history.is_deep()) {
            true => view.outward(parent).find(|state| state.index() == index),
            false => parent,
        };
        require(around.is_some_and(|around| around.index() == index), "what a state remembers")?;
    }
    for (index, clock) in view.layout.clocks.iter().enumerate() {
        let active = || StateId::from_index(index).is_some_and(|state| view.is_in(state));
        let clear = || view.word(*clock as usize) == 0 && view.word(*clock as usize + 1) == 0;
        require(*clock == NONE || active() || clear(), "the time in a state")?;
    }
    for track in &view.layout.tracks {
        self::head(&view, track)?;
        rows(&view, track)?;
    }
    pool(&view)
}

/// Every row of the pool is in use at one place of a track, or empty.
fn pool(view: &View<'_>) -> Checked {
    let (pool, tracks) = (&view.layout.pool, &view.layout.tracks);
    let places = || tracks.iter().flat_map(|track| (0..track.outgoing).map(move |place| (track, place)));
    for from in (0..pool.rows).step_by(ROWS_AT_ONCE) {
        let mut used = 0_u128;
        for row in places().filter_map(|(track, place)| view.place_in_pool(track, place)) {
            require(row < pool.rows, "a playhead")?;
            if let Some(bit) = row.checked_sub(from).filter(|bit| *bit < ROWS_AT_ONCE) {
                require(used >> bit & 1 == 0, "a playhead")?;
                used |= 1 << bit;
            }
        }
        for row in from..pool.rows.min(from + ROWS_AT_ONCE) {
            let at = pool.row(row);
            let clear = || (at..at + pool.row_words).all(|at| view.word(at) == 0);
            let is_used = used >> (row - from) & 1 == 1;
            require(if is_used { view.word(at + row::KEY) != 0 } else { clear() }, "a playhead")?;
        }
    }
    Ok(())
}

/// The bits of a word of rows.
const ROWS_AT_ONCE: usize = 128;

fn head(view: &View<'_>, track: &Track) -> Checked {
    let at = track.at;
    let within = |at: usize, low: f32, high: f32| (low..=high).contains(&view.number(at));
    let owner = view.leaf(track.machine).and_then(|leaf| view.owner_of(leaf));
    let marks = view.word(at + head::OWNER) & !0xFFFF;
    let passing = marks & !mark::WHOLE;
    let fresh = matches!(passing, 0 | mark::FRESH) || passing == mark::FRESH | mark::KEPT;
    require(view.owner(track) == owner && fresh, "a motion")?;
    require(marks & mark::WHOLE == 0 || !view.has_outgoing(track), "a motion's weight")?;
    let trip = |word: usize| track.trip == NONE || view.word(track.trip as usize + word) == 0;
    require(trip(trip::HERE) && trip(trip::WAY), "a motion")?;
    if !view.fading(track) {
        let fade = [head::LEFT, head::STATES, head::LOOK];
        let clear = !track.fades || fade.into_iter().all(|word| view.word(at + word) == 0);
        return require(clear && marks & mark::WHOLE == 0, "a fade");
    }
    let duration = view.number(at + head::DURATION);
    require(within(at + head::DURATION, f32::MIN_POSITIVE, f32::MAX), "a fade")?;
    require(within(at + head::LEFT, f32::from_bits(1), duration), "a fade")?;
    let states = view.word(at + head::STATES);
    for id in [states & 0xFFFF, states >> 16] {
        let known = view.machine_of(StateId(id as u16)) == Some(track.machine);
        require(known, "a fade")?;
    }
    let look = view.word(at + head::LOOK) as usize;
    let own = look.checked_sub(1).is_some_and(|row| is_of(view, track, row));
    require(own, "a fade")
}

/// Whether a transition is one of the track's machine that can be under way.
fn is_of(view: &View<'_>, track: &Track, row: usize) -> bool {
    let Some(machine) = view.rows.machines.get(track.machine.index()) else { return false };
    let states = machine.states.of(&view.rows.states).iter();
    let runs = states.flat_map(|state| [state.transitions, state.any, state.done]);
    runs.chain([machine.any]).any(|run| run.indices().contains(&row))
}

fn rows(view: &View<'_>, track: &Track) -> Checked {
    let motion = view.motion(track);
    let leaves = view.layout.leaves_of(motion).min(track.current);
    let lasting = view.fading(track) || view.holds_pose(track);
    let mut sum = 0.0_f64;
    for index in 0..view.row_end(track) {
        let current = index < track.current;
        let Some(at) = view.row(track, index) else { continue };
        if !view.row_used(track, index) {
            let clear = (at..at + track.current_words()).all(|at| view.word(at) == 0);
            require(current && clear && index >= leaves, "a playhead")?;
            continue;
        }
        let wanted = if current { index < leaves } else { lasting };
        let meta = view.word(at + row::META);
        require(wanted && meta & !bits::ALL == 0, "a playhead")?;
        require(!current || meta & bits::PAUSED == 0, "a playhead")?;
        let Some(slot) = view.row_slot(track, index) else { return Err("a playhead") };
        let clips = clip_at(view.rows, &view.layout.leaves, motion, index);
        require(!current || view.row_clip(track, index).map(|(motion, _)| motion) == clips, "a playhead")?;
        let (flags, place) = (view.flags(&slot), view.long(at + word::FRACTION));
        require(place <= FAR_END && flags & play::FADING == 0, "a playhead")?;
        require(flags & play::TURNED == 0 || slot.loop_mode == LoopMode::PingPong, "a playhead")?;
        if flags & play::ENDED != 0 {
            let at_end = place == 0 || place == FAR_END;
            require(slot.loop_mode == LoopMode::None && at_end, "a playhead")?;
        }
        require(view.pace(track, index).is_finite(), "a playhead's speed")?;
        let weight = view.own_weight(track, index);
        require((0.0..=1.0).contains(&weight), "a playhead's weight")?;
        sum += if current { 0.0 } else { f64::from(weight) };
    }
    let speakers = (0..track.current).filter(|index| view.speaks(track, *index)).count();
    require(speakers == usize::from(leaves > 0), "a playhead")?;
    require(weighs_directly(view.rows) || sum <= MOST_WEIGHT, "the weights of playheads")
}
