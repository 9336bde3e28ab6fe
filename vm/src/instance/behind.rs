//! Blocks that are behind: left alone while nothing is due in them, read as if they were not, and brought forward at last.
//!
//! Time is counted here in parts of 2^-48 s, which ticks add up without error; see `time.rs`. A block is one of a whole
//! instance, with those of its components.

use alloc::vec;

use crate::ids::{BehaviorId, ComponentId};
use crate::program::Program;
use crate::tick;
use crate::time;

use super::settled::all_settled;

/// How many parts of time a block, as a tick has left it, may be behind: ticks within them leave what [`catch_up`] does,
/// and report nothing. `None` where only a tick can tell what comes next. With `may_fade`, animations may end their fade
/// out meanwhile. Of what lasts for ever, 2^62: some hours.
pub(crate) fn horizon(program: &Program, behavior: BehaviorId, words: &[u32], may_fade: bool) -> Option<u64> {
    let (rows, layout) = (program.behavior(behavior)?, program.layout(behavior)?);
    let first = words.first().copied()?;
    if rows.components.is_empty() {
        return Some(time::parts_within(first, tick::horizon(rows, layout, words, may_fade)?));
    }
    all_settled(program, behavior, words).then(|| time::parts_within(first, u64::MAX))
}

/// Brings a block forward by so many parts within its [`horizon`].
pub(crate) fn catch_up(program: &Program, behavior: BehaviorId, words: &mut [u32], parts: u64) {
    let Some(first) = words.first_mut() else { return };
    let units;
    (*first, units) = time::pass_parts(*first, parts);
    forward(program, behavior, words, units);
}

/// The words of a block of which a copy needs no memory of its own.
const SOME: usize = 128;
/// The words of a block of which a copy is quick.
const FEW: usize = 32;

/// How far a block is behind.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Behind {
    /// In parts, of which the instance keeps what is not a whole unit.
    parts: u64,
    /// In whole units, which pass in all that is part of the instance.
    pub(crate) units: u64,
}

impl Behind {
    /// Of an instance's block, by so many parts.
    #[inline]
    pub(crate) fn of(words: &[u32], parts: u64) -> Self {
        let (_, units) = time::pass_parts(words.first().copied().unwrap_or(0), parts);
        Self { parts, units }
    }

    /// Shows the words of a part of an instance as they would be if it were not behind.
    #[inline]
    pub(super) fn undone<R>(
        self,
        program: &Program,
        behavior: BehaviorId,
        id: ComponentId,
        words: &[u32],
        see: impl FnOnce(&[u32]) -> R,
    ) -> R {
        if self.parts == 0 {
            return see(words);
        }
        let bring = |copy: &mut [u32]| {
            copy.copy_from_slice(words);
            match id {
                ComponentId::ROOT => catch_up(program, behavior, copy, self.parts),
                _ => forward(program, behavior, copy, self.units),
            }
        };
        if let Some(copy) = [0; FEW].get_mut(..words.len()) {
            bring(copy);
            see(copy)
        } else if let Some(copy) = [0; SOME].get_mut(..words.len()) {
            bring(copy);
            see(copy)
        } else {
            let mut copy = vec![0; words.len()];
            bring(&mut copy);
            see(&copy)
        }
    }
}

/// Lets units pass for a behavior and what is inside it.
fn forward(program: &Program, behavior: BehaviorId, words: &mut [u32], units: u64) {
    let (Some(rows), Some(layout)) = (program.behavior(behavior), program.layout(behavior)) else { return };
    tick::catch_up(rows, layout, words, units);
    if layout.tree.parts > 1 {
        forward_inside(program, behavior, words, units);
    }
}

#[inline(never)]
fn forward_inside(program: &Program, behavior: BehaviorId, words: &mut [u32], units: u64) {
    for (_, part) in program.parts(behavior).skip(1) {
        if let (Some(rows), Some(layout), Some(words)) =
            (program.behavior(part.behavior), program.layout(part.behavior), words.get_mut(part.words..))
        {
            tick::catch_up(rows, layout, words, units);
        }
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::panic, reason = "a test may")]
mod tests;
