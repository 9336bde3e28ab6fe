//! Whether an instance is settled.
//!
//! Ticks find it out as they go (`tick/still.rs`). Between a change and the next tick that has done nothing, it is found
//! out here, on a copy.

use super::Instance;
use super::view::{View, flag, play, word};
use crate::frame::Frame;
use crate::ids::BehaviorId;
use crate::instance::track::bits;
use crate::program::Program;
use crate::program::layout::NONE;
use crate::program::tables::MotionKind;
use crate::tick::{Host, age};

/// Ticks that do nothing visible before one does nothing at all: triggers run out, reactions arm.
const TRIES: usize = 4;

impl Instance {
    /// Whether no tick of any length, with the inputs as they are, would change states, samples or layer weights, or
    /// report anything, its components included. Answers of the host and its store are inputs too. Time in a state
    /// counts only where a gate or a condition reads it.
    ///
    /// A host may leave a settled instance alone until it has something new for it; ticks of one are nearly free anyway.
    /// After a tick in which nothing happened this reads a flag. After others it tries a tick on a copy, unless something
    /// obviously moves. A behavior with `Extern Predicate`s or `Global Param`s is only known to be settled after such a
    /// tick.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        if self.pending.as_ref().is_some_and(|pending| !pending.events.is_empty()) {
            return false;
        }
        if is_marked(&self.program, self.behavior, &self.words) {
            return true;
        }
        // What rests without it has something before it.
        if self.rests() {
            return false;
        }
        if self.views().any(|view| view.layout.asks || moves(view)) {
            return false;
        }
        let mut copy = self.clone();
        let mut frame = Frame::with_limit(1);
        for _ in 0..TRIES {
            frame.clear();
            let ticked = copy.whole_tick(0.0, &mut Host::default(), &mut frame).is_ok();
            let alike = self.views().zip(copy.views()).all(|(before, now)| looks_alike(before, now));
            if !ticked || !frame.events().is_empty() || !alike {
                return false;
            }
            if is_marked(&copy.program, copy.behavior, &copy.words) {
                return true;
            }
        }
        false
    }

    /// The instance and its components.
    fn views(&self) -> impl Iterator<Item = View<'_>> {
        let parts = self.program.parts(self.behavior);
        parts.filter_map(|(_, part)| {
            let rows = self.program.behavior(part.behavior)?;
            Some(View::new(rows, self.program.layout(part.behavior)?, self.words.get(part.words..)?))
        })
    }
}

/// Whether all parts of a block are known to be settled.
pub(super) fn is_marked(program: &Program, behavior: BehaviorId, words: &[u32]) -> bool {
    let mut parts = program.parts(behavior);
    parts.all(|(_, part)| words.get(part.words).is_some_and(|word| word & flag::SETTLED != 0))
}

/// Lets so many units of time pass if all parts are known to be settled and none asks the host.
#[inline(never)]
pub(super) fn rest_all(program: &Program, behavior: BehaviorId, words: &mut [u32], units: u64) -> bool {
    let (Some(rows), Some(layout)) = (program.behavior(behavior), program.layout(behavior)) else {
        return false;
    };
    if rows.components.is_empty() {
        if !layout.asks {
            age(rows, layout, words, units);
        }
        return !layout.asks;
    }
    let settled = all_settled(program, behavior, words);
    if settled {
        for (_, part) in program.parts(behavior) {
            if let (Some(rows), Some(layout), Some(words)) =
                (program.behavior(part.behavior), program.layout(part.behavior), words.get_mut(part.words..))
            {
                age(rows, layout, words, units);
            }
        }
    }
    settled
}

/// Whether all parts are known to be settled and none asks the host.
pub(super) fn all_settled(program: &Program, behavior: BehaviorId, words: &[u32]) -> bool {
    program.parts(behavior).all(|(_, part)| {
        program.layout(part.behavior).is_some_and(|layout| !layout.asks)
            && words.get(part.words).is_some_and(|word| word & flag::SETTLED != 0)
    })
}

/// Whether something moves for certain, by what is in the block.
fn moves(view: View<'_>) -> bool {
    let slots = view.layout.slots.iter().enumerate();
    let fades = slots.filter(|(index, _)| view.is_active(*index)).any(|(_, slot)| {
        view.word(slot.at as usize + word::FADE) != 0
            || slot.speed_at == NONE && view.step(slot) != 0 && view.flags(slot) & play::ENDED == 0
    });
    fades
        || view.layout.tracks.iter().any(|track| {
            let runs = |index: usize| {
                let fixed = view.meta(track, index) & (bits::BLENDED | bits::LOCK | bits::PAUSED) == 0;
                let motion =
                    view.row_clip(track, index).and_then(|(motion, _)| view.rows.motions.get(motion.index()));
                let steady = motion.is_some_and(|motion| {
                    motion.speed.is_none() && !matches!(motion.kind, MotionKind::Clip { phase: Some(_), .. })
                });
                let live = view
                    .row_slot(track, index)
                    .is_some_and(|slot| view.flags(&slot) & play::ENDED == 0 && view.duration(&slot) > 0.0);
                fixed && steady && live && track.speed_at == NONE && view.pace(track, index) != 0.0
            };
            view.fading(track) || view.rows_used(track).any(runs)
        })
}

/// Whether layers, animations and playheads are as they were.
fn looks_alike(before: View<'_>, now: View<'_>) -> bool {
    let layout = before.layout;
    let same = |words: core::ops::Range<usize>| before.words.get(words.clone()) == now.words.get(words);
    let slots = layout.slots.first().map_or(layout.damps, |slot| slot.at as usize);
    same(layout.layers..layout.whens)
        && same(slots..layout.damps)
        && same(layout.pool.words())
        && layout.tracks.iter().all(|track| same(track.places..track.end()))
}
