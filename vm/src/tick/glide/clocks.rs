//! What else time moves where nothing is due: protections, layers, and the clocks of machines and composites.

use crate::instance::view::View;
use crate::place;
use crate::program::layout::{LAYER_WORDS, Layout, MACHINE_WORDS, NONE};
use crate::program::tables::Behavior;
use crate::tick::advance::{left_after, lerp};

/// Lets time pass for what protects active animations.
#[inline(never)]
pub(super) fn protect_less(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    for index in View::new(rows, layout, words).active_words() {
        let mut bits = words.get(layout.active + index).copied().unwrap_or(0);
        while bits != 0 {
            let slot = layout.slots.get(index * 32 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
            if let Some(slot) = slot.filter(|slot| slot.protection != NONE)
                && let Some(left) =
                    words.get_mut(slot.protection as usize..).and_then(|words| words.first_chunk_mut())
            {
                let [low, high] = *left;
                *left = place::split(left_after(place::join(low, high), units));
            }
        }
    }
}

pub(super) fn are_layers_moving(view: View<'_>) -> bool {
    let mut at = view.layout.layers;
    for _ in 0..view.layout.layer_count {
        if view.word(at) != view.word(at + 1) {
            return true;
        }
        at += LAYER_WORDS;
    }
    false
}

/// Moves layers toward their targets; whether there are any to move.
#[inline(always)] // a call would cost as much as it does
pub(super) fn glide_layers(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) -> bool {
    let mut moved = false;
    let mut at = layout.layers;
    for index in 0..layout.layer_count {
        if let Some([weight, target]) = words.get_mut(at..).and_then(|words| words.first_chunk_mut())
            && weight != target
            && let Some(row) = rows.layers.get(index)
        {
            let seconds = crate::time::seconds(units);
            *weight =
                lerp(f32::from_bits(*weight), f32::from_bits(*target), row.lerp_rate, seconds).to_bits();
            moved = true;
        }
        at += LAYER_WORDS;
    }
    moved
}

/// Lets time pass for clocks, those of machines and of the active composites that count it: all that goes on in what is
/// settled.
#[inline(always)] // most have no more than a machine
pub(crate) fn age(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    age_machines(layout, words, units);
    if !layout.clocks.is_empty() {
        age_clocks(rows, layout, words, units);
    }
}

/// Counted by hand: iterators over chunks divide for their lengths.
#[inline(always)] // a call would cost as much as it does
fn age_machines(layout: &Layout, words: &mut [u32], units: u64) {
    let mut at = layout.machines + MACHINE_WORDS - 2;
    for _ in 0..layout.machine_count {
        add(words, at, units);
        at += MACHINE_WORDS;
    }
}

fn age_clocks(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    let mut at = layout.machines;
    for _ in 0..layout.machine_count {
        let leaf = words.get(at).map(|word| *word as u16);
        let mut state = leaf.and_then(|leaf| Some((leaf, rows.states.get(usize::from(leaf))?)));
        while let Some((id, row)) = state {
            if let Some(clock) = layout.clocks.get(usize::from(id)).filter(|clock| **clock != NONE) {
                add(words, *clock as usize, units);
            }
            state = row.parent.and_then(|parent| Some((parent.0, rows.states.get(parent.index())?)));
        }
        at += MACHINE_WORDS;
    }
}

#[inline]
fn add(words: &mut [u32], at: usize, units: u64) {
    if let Some(time) = words.get_mut(at..).and_then(|words| words.first_chunk_mut()) {
        let [low, high] = *time;
        *time = place::split(place::join(low, high).saturating_add(units));
    }
}
