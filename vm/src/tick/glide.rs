//! The common tick: time passes, and nothing is due in it.
//!
//! It does what `advance.rs` does with one step in which nothing happens, for behaviors in which only fixed rates
//! are at work; where anything is due, or a playhead would pass something, it declines and changes nothing. A
//! settled instance costs no more than this.

use super::advance::{SAME_MOMENT, dither, faded, lerp, ticks};
use crate::instance::view::{END, flag, play};
use crate::program::layout::{LAYER_WORDS, Layout, MACHINE_WORDS, NONE, Slot};
use crate::program::tables::Behavior;

/// Animations that one glide moves; with more it declines.
const MOST: usize = 4;

/// Lets `dt` seconds pass if nothing is due in them.
#[inline]
pub(crate) fn glide(rows: &Behavior, layout: &Layout, words: &mut [u32], dt: f32) -> bool {
    if !layout.glides || dt == 0.0 {
        return false;
    }
    let step = f64::from(dt);
    let counted = words.first().copied().unwrap_or(0).wrapping_add(flag::STEP);
    let quiet = counted & (flag::STARTED | flag::QUIET) == flag::STARTED | flag::QUIET;
    let mut moves = [(0_usize, 0_u32, 0_u32, 0_u32); MOST];
    let mut count = 0;
    for index in 0..layout.active_words {
        let mut bits = words.get(layout.active + index).copied().unwrap_or(0);
        while bits != 0 {
            let slot = layout.slots.get(index * 32 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
            let (Some(slot), Some(to)) = (slot, moves.get_mut(count)) else { return false };
            let Some((position, weight, fade)) = straight(slot, words, step, dither(counted)) else {
                return false;
            };
            *to = (slot.at as usize, position, weight, fade);
            count += 1;
        }
    }
    if let Some(first) = words.first_mut() {
        *first = counted;
    }
    age(layout, words, ticks(step));
    let mut still = count == 0;
    let mut at = layout.layers;
    for index in 0..layout.layer_count {
        if let Some([weight, target]) = words.get_mut(at..).and_then(|words| words.first_chunk_mut())
            && weight != target
            && let Some(row) = rows.layers.get(index)
        {
            *weight = lerp(f32::from_bits(*weight), f32::from_bits(*target), row.lerp_rate, step).to_bits();
            still = false;
        }
        at += LAYER_WORDS;
    }
    for (at, position, weight, fade) in moves.iter().take(count) {
        if let Some(to) = words.get_mut(*at..).and_then(|words| words.first_chunk_mut::<3>()) {
            *to = [*position, *weight, *fade];
        }
    }
    if still
        && quiet
        && !layout.updates
        && let Some(first) = words.first_mut()
    {
        *first |= flag::SETTLED;
    }
    true
}

/// Lets `dt` seconds pass for what is settled: only its clocks go on.
#[inline]
pub(crate) fn rest(rows: &Behavior, layout: &Layout, words: &mut [u32], dt: f32) {
    if dt == 0.0 {
        return;
    }
    if let Some(first) = words.first_mut() {
        *first = first.wrapping_add(flag::STEP);
    }
    let passed = ticks(f64::from(dt));
    age(layout, words, passed);
    if !layout.clocks.is_empty() {
        age_clocks(rows, layout, words, passed);
    }
}

/// Lets time pass for the machines. Counted by hand: iterators over chunks divide for their lengths.
#[inline]
fn age(layout: &Layout, words: &mut [u32], passed: u64) {
    let mut at = layout.machines + MACHINE_WORDS - 2;
    for _ in 0..layout.machine_count {
        add(words, at, passed);
        at += MACHINE_WORDS;
    }
}

/// Lets time pass for the active composites that count it.
pub(super) fn age_clocks(rows: &Behavior, layout: &Layout, words: &mut [u32], passed: u64) {
    let mut at = layout.machines;
    for _ in 0..layout.machine_count {
        let leaf = words.get(at).map(|word| *word as u16);
        let mut state = leaf.and_then(|leaf| Some((leaf, rows.states.get(usize::from(leaf))?)));
        while let Some((id, row)) = state {
            if let Some(clock) = layout.clocks.get(usize::from(id)).filter(|clock| **clock != NONE) {
                add(words, *clock as usize, passed);
            }
            state = row.parent.and_then(|parent| Some((parent.0, rows.states.get(parent.index())?)));
        }
        at += MACHINE_WORDS;
    }
}

#[inline]
fn add(words: &mut [u32], at: usize, passed: u64) {
    if let Some([low, high]) = words.get_mut(at..).and_then(|words| words.first_chunk_mut()) {
        let time = (u64::from(*low) | u64::from(*high) << 32).saturating_add(passed);
        (*low, *high) = (time as u32, (time >> 32) as u32);
    }
}

/// Where an animation is after a step in which it has nothing but a straight way before it: position, weight, fade.
#[inline]
fn straight(slot: &Slot, words: &[u32], step: f64, dither: f64) -> Option<(u32, u32, u32)> {
    let [position, mut weight, mut fade, flags] = *words.get(slot.at as usize..)?.first_chunk()?;
    if slot.marked || slot.pace == 0.0 {
        return None;
    }
    if slot.protection != NONE && words.get(slot.protection as usize).is_none_or(|left| *left != 0) {
        return None;
    }
    if fade != 0 {
        let left = f32::from_bits(fade);
        if f64::from(left) <= step + SAME_MOMENT {
            return None;
        }
        let target = if flags & play::FADING != 0 { 0.0 } else { slot.weight };
        let (now, rest) = faded(f32::from_bits(weight), target, left, step);
        (weight, fade) = (now.to_bits(), rest.to_bits());
    } else if flags & play::FADING != 0 {
        return None;
    }
    if flags & play::ENDED != 0 {
        return Some((position, weight, fade));
    }
    let backward = flags & play::BACKWARD != 0;
    let left = if backward { position } else { END.saturating_sub(position) };
    let distance = slot.pace * step + dither;
    if distance + slot.tolerance >= f64::from(left) {
        return None;
    }
    // Below `left`, so it fits.
    let distance = distance as i32 as u32;
    let position = if backward { position.wrapping_sub(distance) } else { position.wrapping_add(distance) };
    Some((position, weight, fade))
}
