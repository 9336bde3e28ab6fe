//! The common tick: time passes, and nothing is due in it.
//!
//! It does what `advance.rs` does with one step in which nothing happens, for behaviors in which only fixed rates
//! are at work; where anything is due, or a playhead would pass something, it declines and changes nothing. What
//! moves in it adds up: so many glides leave the block that one over their sum does, bit for bit. Therefore a block may be
//! left alone as far as its [`horizon`], be read meanwhile as if it were not behind, and be caught up with later.

mod alone;
mod clocks;
mod course;
mod lap;

pub(crate) use self::alone::glide_alone;
pub(crate) use self::clocks::age;

use self::clocks::{are_layers_moving, glide_layers, protect_less};
use self::course::{Course, FadeEnd, Move, TrackCourse};
use self::lap::Lap;
use crate::frame::Output;
use crate::instance::active::{ActiveWords, sum_up};
use crate::instance::view::{View, flag};
use crate::program::layout::{Layout, Slot};
use crate::program::tables::{Behavior, LoopMode};
use crate::program::tracks::Track;
use crate::time::SAME_MOMENT;

/// As far as a block is said to go without a tick: longer than anything lasts.
const ENDLESS: u64 = 1 << 62;

/// Lets so many units of time pass, `dt` seconds, if nothing is due in them but that a single animation begins anew: that
/// is reported.
#[inline]
pub(crate) fn glide(
    rows: &Behavior,
    layout: &Layout,
    words: &mut [u32],
    (units, dt): (u64, f32),
    out: &mut Output,
) -> bool {
    if !layout.glides {
        return false;
    }
    let view = View::new(rows, layout, words);
    let ahead = match layout.lean {
        true => look_ahead::<true>(view, units),
        false => look_ahead::<false>(view, units),
    };
    let Some(Ahead { still, lap }) = ahead else { return false };
    if still && !layout.tracks.is_empty() {
        // Whether machines with motions are settled is more than can be told here.
        return false;
    }
    let lap = lap.and_then(|slot| {
        let course = Course::of::<true>(view, slot, false)?;
        Lap::of(&course, slot, view.flags(slot), units, dt)
    });
    let quiet = words.first().is_some_and(|first| first & flag::QUIET != 0);
    move_all(rows, layout, words, units, quiet);
    if let Some(lap) = lap {
        lap.put(words);
        out.push(lap.offset, lap.kind, lap.count);
    }
    age(rows, layout, words, units);
    let still = !glide_layers(rows, layout, words, units) && still;
    if still
        && !layout.updates
        && let Some(first) = words.first_mut()
        && *first & flag::QUIET != 0
    {
        *first |= flag::SETTLED;
    }
    true
}

/// What is ahead of a block in which nothing is due.
struct Ahead<'a> {
    /// Time changes nothing of what plays.
    still: bool,
    /// The animation that begins anew.
    lap: Option<&'a Slot>,
}

/// What so many units bring; `None` where only a tick can tell.
#[inline]
fn look_ahead<const LEAN: bool>(view: View<'_>, units: u64) -> Option<Ahead<'_>> {
    let layout = view.layout;
    // What is due then would be a moment of decisions, if there were any.
    let quiet = view.word(0) & flag::QUIET != 0;
    let mut ahead = Ahead { still: true, lap: None };
    let mut arrives = false;
    for track in tracks::<LEAN>(layout) {
        ahead.still &= foresee_track(view, track, units)?;
    }
    for index in words_of::<LEAN>(view) {
        let mut bits = view.word(layout.active + index);
        while bits != 0 {
            let slot = layout.slots.get(index * 32 + bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            let next = match LEAN || slot.simple {
                true => foresee::<true>(view, slot, units, quiet)?,
                false => foresee_any(view, slot, units)?,
            };
            arrives |= next.arrives;
            ahead.still &= next.still;
            if next.laps && ahead.lap.replace(slot).is_some() {
                return None;
            }
        }
    }
    // The end of a fade cuts time in two: what is reported after it is reckoned from there.
    (ahead.lap.is_none() || !arrives).then_some(ahead)
}

/// The words of active animations to look at.
#[inline(always)] // so that it stays in registers
fn words_of<const LEAN: bool>(view: View<'_>) -> ActiveWords {
    if LEAN { ActiveWords::first() } else { view.active_words() }
}

#[inline(always)] // nothing is left of it where there are none
fn tracks<const LEAN: bool>(layout: &Layout) -> &[Track] {
    if LEAN { &[] } else { &layout.tracks }
}

/// What an animation does in a glide.
struct Next {
    /// Time changes nothing of it.
    still: bool,
    /// Its fade ends.
    arrives: bool,
    /// It begins anew.
    laps: bool,
}

#[inline(always)] // so that it stays in registers
fn foresee<const SIMPLE: bool>(view: View<'_>, slot: &Slot, units: u64, quiet: bool) -> Option<Next> {
    let course = Course::of::<SIMPLE>(view, slot, SIMPLE && quiet)?;
    let room = course.room::<SIMPLE>(view, slot);
    let way = course.step.checked_mul(units)?;
    let laps = way >= room.way;
    if units >= room.wait || laps && !(SIMPLE && slot.loop_mode == LoopMode::Loop) {
        return None;
    }
    let arrives = course.fade != 0 && u64::from(course.fade) <= units.saturating_add(SAME_MOMENT);
    Some(Next { still: course.is_still() && !room.young, arrives, laps })
}

#[inline(never)]
fn foresee_any(view: View<'_>, slot: &Slot, units: u64) -> Option<Next> {
    foresee::<false>(view, slot, units, false)
}

/// The units of time that a block, as a tick has left it, may be behind: ticks of so many leave what [`catch_up`] does, and
/// report nothing. `None` where only a tick can tell what comes next. With `may_fade`, animations may end their fade out
/// meanwhile.
pub(crate) fn horizon(rows: &Behavior, layout: &Layout, words: &[u32], may_fade: bool) -> Option<u64> {
    let view = View::new(rows, layout, words);
    let first = view.word(0);
    if first & flag::SETTLED != 0 && !layout.asks {
        return Some(ENDLESS);
    }
    let quiet = flag::STARTED | flag::QUIET;
    if !layout.glides || !layout.plain || first & quiet != quiet || are_layers_moving(view) {
        return None;
    }
    let (units, still) = match layout.lean {
        true => room_ahead::<true>(view, may_fade)?,
        false => room_ahead::<false>(view, may_fade)?,
    };
    // That it is settled, a tick has to find out.
    (!still || first & flag::SETTLED != 0).then_some(units)
}

/// How many units pass before anything is due, and whether time changes nothing of what plays.
#[inline]
fn room_ahead<const LEAN: bool>(view: View<'_>, may_fade: bool) -> Option<(u64, bool)> {
    let layout = view.layout;
    let (mut units, mut still) = (ENDLESS, true);
    // Whether anything goes on moving, and how long what does not is still to change.
    let (mut moves, mut changes) = (false, 0);
    for track in tracks::<LEAN>(layout) {
        let course = TrackCourse::of(view, track)?;
        let room = course.room(view, track);
        units = units.min(room.units(course.step())?);
        still &= course.step() == 0 && !room.young;
        moves |= course.step() != 0;
    }
    for index in words_of::<LEAN>(view) {
        let mut bits = view.word(layout.active + index);
        while bits != 0 {
            let slot = layout.slots.get(index * 32 + bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            let way = match LEAN || slot.simple {
                true => room_of::<true>(view, slot, may_fade)?,
                false => room_of_any(view, slot)?,
            };
            units = units.min(way.room);
            still &= way.stands;
            moves |= way.stays;
            changes = changes.max(way.changes);
        }
    }
    // Once nothing is left that changes, a tick has to find out that all is settled.
    Some((if moves || changes == 0 { units } else { units.min(changes) }, still))
}

/// What is before an animation that is left alone.
struct Way {
    /// The units that it goes before anything is due.
    room: u64,
    /// Time changes nothing of it.
    stands: bool,
    /// It moves, and goes on doing so.
    stays: bool,
    /// Else, the units for which anything of it does: its fade, its protection.
    changes: u64,
}

#[inline(always)] // so that it stays in registers
fn room_of<const SIMPLE: bool>(view: View<'_>, slot: &Slot, may_fade: bool) -> Option<Way> {
    let mut course = Course::of::<SIMPLE>(view, slot, SIMPLE)?;
    if course.end == FadeEnd::Gone && !may_fade {
        course.end = FadeEnd::Due;
    }
    let room = course.room::<SIMPLE>(view, slot);
    let stays = course.step != 0 && course.end != FadeEnd::Gone;
    let protected = if room.young { view.long(slot.protection as usize) } else { 0 };
    Some(Way {
        room: room.units(course.step)?,
        stands: course.is_still() && !room.young,
        stays,
        changes: if stays { 0 } else { protected.max(course.fade.into()) },
    })
}

#[inline(never)]
fn room_of_any(view: View<'_>, slot: &Slot) -> Option<Way> {
    room_of::<false>(view, slot, false)
}

/// Brings a block forward by units of time within its [`horizon`]. There was nothing to decide in them, whatever has been
/// set since.
#[inline]
pub(crate) fn catch_up(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    age(rows, layout, words, units);
    if words.first().is_none_or(|first| first & flag::SETTLED == 0) {
        move_all(rows, layout, words, units, true);
    }
}

/// Moves what plays by units in which nothing is due; `quiet` says that there is nothing to decide in them.
#[inline]
fn move_all(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64, quiet: bool) {
    match layout.lean {
        true => move_active::<true>(rows, layout, words, units, quiet),
        false => move_active::<false>(rows, layout, words, units, quiet),
    }
}

#[inline]
fn move_active<const LEAN: bool>(
    rows: &Behavior,
    layout: &Layout,
    words: &mut [u32],
    units: u64,
    quiet: bool,
) {
    for track in tracks::<LEAN>(layout) {
        let view = View::new(rows, layout, words);
        let moved = TrackCourse::of(view, track).and_then(|course| course.after(view, units));
        if let Some(moved) = moved {
            moved.put(words);
        }
    }
    for index in words_of::<LEAN>(View::new(rows, layout, words)) {
        let mut bits = words.get(layout.active + index).copied().unwrap_or(0);
        while bits != 0 {
            let place = index * 32 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let view = View::new(rows, layout, words);
            let Some(slot) = layout.slots.get(place) else { break };
            let moved = match LEAN || slot.simple {
                true => moved::<true>(view, slot, units, quiet),
                false => moved_any(view, slot, units),
            };
            let Some(moved) = moved else { continue };
            moved.put(words);
            if moved.gone {
                let (word, bit) = (layout.active + index, 1 << (place % 32));
                if let Some(word) = words.get_mut(word) {
                    *word &= !bit;
                }
                sum_up(layout, words, place, false);
            }
        }
    }
    if !LEAN && layout.protects {
        protect_less(rows, layout, words, units);
    }
}

#[inline(always)] // so that it stays in registers
fn moved<const SIMPLE: bool>(view: View<'_>, slot: &Slot, units: u64, quiet: bool) -> Option<Move> {
    let course = Course::of::<SIMPLE>(view, slot, SIMPLE && quiet)?;
    Some(course.after(course.step.wrapping_mul(units), units))
}

#[inline(never)]
fn moved_any(view: View<'_>, slot: &Slot, units: u64) -> Option<Move> {
    moved::<false>(view, slot, units, false)
}

/// Whether time changes nothing of a machine's playhead; `None` where something is due in so many units.
#[inline(never)]
fn foresee_track(view: View<'_>, track: &Track, units: u64) -> Option<bool> {
    let course = TrackCourse::of(view, track)?;
    let room = course.room(view, track);
    let way = course.step().checked_mul(units)?;
    (units < room.wait && way < room.way).then_some(course.step() == 0 && !room.young)
}
