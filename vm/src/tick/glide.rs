//! The common tick: time passes, and nothing is due in it.
//!
//! It does what `advance.rs` does with one step in which nothing happens, for behaviors in which only fixed rates
//! are at work; where anything is due, or a playhead would pass something, it declines and changes nothing. What
//! moves in it adds up: so many glides leave the block that one over their sum does, bit for bit. Therefore a block may be
//! left alone as far as its [`horizon`], be read meanwhile as if it were not behind, and be caught up with later.

use super::advance::{left_after, lerp};
use crate::instance::view::{View, flag, play};
use crate::place::{self, FAR_END};
use crate::program::layout::{Contest, LAYER_WORDS, Layout, MACHINE_WORDS, NONE, Slot};
use crate::program::tables::{Behavior, LoopMode};
use crate::time::SAME_MOMENT;

/// As far as a block is said to go without a tick: longer than anything lasts.
const ENDLESS: u64 = 1 << 62;

/// Lets so many units of time pass if nothing is due in them.
#[inline]
pub(crate) fn glide(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) -> bool {
    if !layout.glides {
        return false;
    }
    let mut still = true;
    let view = View::new(rows, layout, words);
    for index in 0..layout.active_words {
        let mut bits = view.word(layout.active + index);
        while bits != 0 {
            let slot = layout.slots.get(index * 32 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
            let ahead = slot.and_then(|slot| Ahead::of(view, slot));
            if !ahead.as_ref().is_some_and(|ahead| ahead.holds(units)) {
                return false;
            }
            still &= ahead.is_some_and(|ahead| ahead.still);
        }
    }
    forward(rows, layout, words, units);
    still &= !glide_layers(rows, layout, words, units);
    if still
        && !layout.updates
        && let Some(first) = words.first_mut()
        && *first & flag::QUIET != 0
    {
        *first |= flag::SETTLED;
    }
    true
}

/// The units of time that a block, as a tick has left it, may be behind: ticks of so many leave what [`catch_up`] does, and
/// report nothing. `None` where only a tick can tell what comes next.
pub(crate) fn horizon(rows: &Behavior, layout: &Layout, words: &[u32]) -> Option<u64> {
    let view = View::new(rows, layout, words);
    let first = view.word(0);
    if first & flag::SETTLED != 0 && !layout.asks {
        return Some(ENDLESS);
    }
    let quiet = flag::STARTED | flag::QUIET;
    if !layout.glides || !layout.plain || first & quiet != quiet || are_layers_moving(view) {
        return None;
    }
    let (mut units, mut still) = (ENDLESS, true);
    for index in 0..layout.active_words {
        let mut bits = view.word(layout.active + index);
        while bits != 0 {
            let slot = layout.slots.get(index * 32 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
            let ahead = Ahead::of(view, slot?)?;
            units = units.min(ahead.units()?);
            still &= ahead.still;
        }
    }
    // That it is settled, a tick has to find out.
    (!still || first & flag::SETTLED != 0).then_some(units)
}

/// Brings a block forward by units of time within its [`horizon`].
#[inline]
pub(crate) fn catch_up(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    if words.first().is_some_and(|first| first & flag::SETTLED != 0) {
        age(rows, layout, words, units);
    } else {
        forward(rows, layout, words, units);
    }
}

/// What is before an animation.
struct Ahead {
    /// Less than so many units until a fade is over, or what somebody waits for.
    wait: u64,
    /// A shorter way than that until it passes something.
    way: u64,
    /// The way of a unit.
    step: u64,
    /// Time changes nothing of it.
    still: bool,
}

impl Ahead {
    /// `None` where only a tick can tell.
    #[inline]
    fn of(view: View<'_>, slot: &Slot) -> Option<Self> {
        let at = slot.at as usize;
        let [fraction, position, _, fade, flags] = *view.words.get(at..)?.first_chunk()?;
        let mut ahead = Self { wait: ENDLESS, way: FAR_END, step: 0, still: fade == 0 };
        if fade != 0 {
            ahead.wait = u64::from(fade).saturating_sub(SAME_MOMENT);
        } else if flags & play::FADING != 0 {
            return None;
        }
        if slot.protection != NONE {
            ahead.protect(view, slot);
        }
        if flags & play::ENDED != 0 {
            return Some(ahead);
        }
        ahead.step = view.step(slot);
        if ahead.step == 0 {
            // What has no length is at its end at once.
            let stands = slot.loop_mode != LoopMode::None || view.duration(slot) > 0.0;
            return stands.then_some(ahead);
        }
        ahead.still = false;
        let backward = flags & play::BACKWARD != 0;
        if backward != ((view.rate(slot) < 0.0) != (flags & play::TURNED != 0)) {
            return None;
        }
        let place = place::join(fraction, position);
        let from = if backward { FAR_END.saturating_sub(place) } else { place };
        let next = if slot.marked { next_mark(view, slot, from, backward) } else { FAR_END };
        ahead.way = next.saturating_sub(from).saturating_sub(place::tolerance(ahead.step));
        Some(ahead)
    }

    /// The end of its protection is of interest where somebody waits for it.
    fn protect(&mut self, view: View<'_>, slot: &Slot) {
        let left = view.long(slot.protection as usize);
        self.still &= left == 0;
        if let Contest::Group(group) = slot.contest
            && left != 0
            && view.word(view.layout.waiting + group.index()) != 0
        {
            self.wait = self.wait.min(left.saturating_sub(SAME_MOMENT));
        }
    }

    /// Whether nothing is due in so many units.
    #[inline]
    fn holds(&self, units: u64) -> bool {
        let way = u128::from(self.step) * u128::from(units);
        units < self.wait && way < u128::from(self.way)
    }

    /// The most units in which nothing is due.
    #[inline]
    fn units(&self) -> Option<u64> {
        let most = self.way.checked_sub(1)?.checked_div(self.step).unwrap_or(ENDLESS);
        Some(most.min(self.wait.checked_sub(1)?))
    }
}

/// The first mark behind a place, both in the direction of travel: where nothing is, the end.
fn next_mark(view: View<'_>, slot: &Slot, from: u64, backward: bool) -> u64 {
    let [_, here] = place::split(from);
    let [_, mut next] = place::split(FAR_END);
    let end = next;
    let mut pass = |position: u32| {
        let place = if backward { end.saturating_sub(position) } else { position };
        if place > here {
            next = next.min(place);
        }
    };
    for marker in slot.markers.of(&view.rows.markers) {
        pass(view.position(slot, marker.at));
    }
    for (from, to) in slot.spans.of(&view.rows.spans).iter().filter_map(|span| view.edges(slot, span)) {
        pass(from);
        pass(to);
    }
    place::join(0, next)
}

/// Lets time pass for clocks and animations, in which nothing is due.
#[inline]
fn forward(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    age(rows, layout, words, units);
    for index in 0..layout.active_words {
        let mut bits = words.get(layout.active + index).copied().unwrap_or(0);
        while bits != 0 {
            let slot = layout.slots.get(index * 32 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
            if let Some(slot) = slot {
                forward_slot(rows, layout, slot, words, units);
            }
        }
    }
}

#[inline]
fn forward_slot(rows: &Behavior, layout: &Layout, slot: &Slot, words: &mut [u32], units: u64) {
    let view = View { rows, layout, words, owed: units };
    let [fraction, position] = place::split(view.place(slot));
    let protection = if slot.protection == NONE { 0 } else { view.long(slot.protection as usize) };
    if let Some([low, high, _, fade]) =
        words.get_mut(slot.at as usize..).and_then(|words| words.first_chunk_mut())
    {
        (*low, *high) = (fraction, position);
        *fade = u64::from(*fade).saturating_sub(units) as u32;
    }
    if protection != 0
        && let Some(left) =
            words.get_mut(slot.protection as usize..).and_then(|words| words.first_chunk_mut())
    {
        *left = place::split(left_after(protection, units));
    }
}

fn are_layers_moving(view: View<'_>) -> bool {
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
#[inline]
fn glide_layers(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) -> bool {
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
/// settled. Counted by hand: iterators over chunks divide for their lengths.
#[inline]
pub(crate) fn age(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    let mut at = layout.machines + MACHINE_WORDS - 2;
    for _ in 0..layout.machine_count {
        add(words, at, units);
        at += MACHINE_WORDS;
    }
    if !layout.clocks.is_empty() {
        age_clocks(rows, layout, words, units);
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
