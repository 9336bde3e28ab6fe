//! What most wakes are for: all that plays is one simple animation, and it begins anew.
//!
//! It does at once what would be done one after the other: [`catch_up`](super::catch_up), the common
//! [tick](super::glide), and the [`horizon`](super::horizon) of what that has left.

use super::clocks::{age, are_layers_moving};
use super::course::{Course, Move};
use super::lap::Lap;
use super::room_of;
use crate::frame::Output;
use crate::instance::view::{View, flag, play};
use crate::program::layout::Layout;
use crate::program::tables::{Behavior, LoopMode};
use crate::time::SAME_MOMENT;

/// Lets units pass for which a block was left alone, then those of a tick of `dt` seconds; gives the units for which it
/// may then be left alone, 0 where only a tick can tell. `None`, and nothing changes, where it is not certain that nothing
/// but a beginning anew is due.
#[inline]
pub(crate) fn glide_alone(
    rows: &Behavior,
    layout: &Layout,
    words: &mut [u32],
    (behind, units, dt): (u64, u64, f32),
    out: &mut Output,
) -> Option<u64> {
    let view = View::new(rows, layout, words);
    let quiet = flag::STARTED | flag::QUIET;
    let known = view.word(0) & (quiet | flag::SETTLED) == quiet;
    if !(known && layout.few && layout.lean && layout.glides && layout.plain) || are_layers_moving(view) {
        return None;
    }
    let active = view.word(layout.active);
    let gone = gone(view, active, behind);
    let alone = active & !gone;
    let slot = layout.slots.get(alone.trailing_zeros() as usize).filter(|_| alone.is_power_of_two())?;
    let flags = view.flags(slot);
    if slot.loop_mode != LoopMode::Loop {
        return None;
    }
    let stood = Course::of::<true>(view, slot, true)?;
    let start = stood.after(stood.step.wrapping_mul(behind), behind);
    let course = Course { fade: start.fade, place: start.place, ..stood };
    // The end of a fade cuts time in two: what is reported after it is reckoned from there.
    if course.fade != 0 && u64::from(course.fade) <= units.saturating_add(SAME_MOMENT) {
        return None;
    }
    let way = course.step.checked_mul(units)?;
    let laps = way >= course.room::<true>(view, slot).way;
    let lap = if laps { Lap::of(&course, slot, flags, units, dt) } else { None };
    let end = course.after(way, units);
    Move { weight: start.weight, ..end }.put(words);
    if gone != 0 {
        remove(layout, words, gone);
    }
    if let Some(lap) = lap {
        lap.put(words);
        out.push(lap.offset, lap.kind, lap.count);
    }
    age(rows, layout, words, behind.saturating_add(units));
    let room = room_of::<true>(View::new(rows, layout, words), slot, false);
    Some(room.map_or(0, |way| way.room))
}

/// Those of the active animations that are to have faded out after so many units.
#[inline]
fn gone(view: View<'_>, active: u32, units: u64) -> u32 {
    let (mut bits, mut gone) = (active, 0);
    while bits != 0 {
        let bit = bits & bits.wrapping_neg();
        bits ^= bit;
        let slot = view.layout.slots.get(bit.trailing_zeros() as usize);
        if let Some([.., fade, flags]) = slot.map(|slot| view.slot_words(slot)) {
            let fades = flags & play::FADING != 0 && fade != 0;
            gone |= if fades && u64::from(fade) <= units.saturating_add(SAME_MOMENT) { bit } else { 0 };
        }
    }
    gone
}

/// They do not play any more.
#[inline]
fn remove(layout: &Layout, words: &mut [u32], gone: u32) {
    if let Some(active) = words.get_mut(layout.active) {
        *active &= !gone;
    }
    let mut bits = gone;
    while bits != 0 {
        if let Some(slot) = layout.slots.get(bits.trailing_zeros() as usize) {
            Move { at: slot.at, gone: true, ..Move::default() }.put(words);
        }
        bits &= bits - 1;
    }
}
