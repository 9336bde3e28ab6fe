//! What all instances of a behavior share, and how the block of one ticks.
//!
//! An instance owns its block, a crowd those of many: both tick it here, so that nobody can tell them apart.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::packed::Playing;
use super::view::flag;
use super::{behind, settled};
use crate::error::TickError;
use crate::frame::Output;
use crate::ids::BehaviorId;
use crate::program::Program;
use crate::program::layout::Layout;
use crate::program::tables::Behavior;
use crate::tick::{Core, Host, glide, glide_alone, peek};
use crate::time;

/// A behavior of a program, looked up once for a tick.
#[derive(Clone, Copy)]
pub(crate) struct Kind<'p> {
    program: &'p Program,
    behavior: BehaviorId,
    rows: &'p Behavior,
    pub(crate) layout: &'p Layout,
}

impl<'p> Kind<'p> {
    #[inline]
    pub(crate) fn of(program: &'p Program, behavior: BehaviorId) -> Option<Self> {
        let (rows, layout) = (program.behavior(behavior)?, program.layout(behavior)?);
        Some(Self { program, behavior, rows, layout })
    }

    /// Whether a tick of that length may be, with a host that answers or not.
    pub(crate) fn admit(&self, dt: f32, answers: bool) -> Result<(), TickError> {
        if !(dt >= 0.0 && dt.is_finite()) {
            return Err(TickError::BadDt(dt));
        }
        if self.layout.tree.asks && !answers {
            return Err(TickError::NoPredicates(extern_names(self.program, self.behavior)));
        }
        Ok(())
    }

    /// The tick of a block that has nothing to decide and nothing to report from before, if nothing is due in it but the
    /// end of a loop; else nothing changes but that it may be known that there is nothing to decide. `alone` says that the host does not answer.
    #[inline]
    pub(crate) fn short_tick(&self, words: &mut [u32], dt: f32, alone: bool, out: &mut Output) -> bool {
        let (rows, layout) = (self.rows, self.layout);
        let first = words.first().copied().unwrap_or(0);
        // As bits, a number that is finite and not negative is below infinity.
        if dt.to_bits() >= f32::INFINITY.to_bits() {
            return false;
        }
        let (after, units) = time::pass(first, dt);
        let passed = first & flag::SETTLED != 0
            && settled::rest_all(self.program, self.behavior, words, units)
            || layout.plain
                && rows.components.is_empty()
                && !(alone && layout.extern_words > 0)
                && dt != 0.0
                && first & flag::STARTED != 0
                && (first & flag::QUIET != 0 || peek(rows, layout, words))
                && glide(rows, layout, words, (units, dt), out);
        if let (Some(first), true) = (words.first_mut(), passed) {
            *first = *first & !time::REST | after & time::REST;
            out.finish(dt);
        }
        passed
    }

    /// Catches up with a block that was left alone for so many parts, and lets a tick pass in which nothing is due but that
    /// the only animation that plays begins anew, if all that is certain; gives how long it may then be left alone. Else
    /// nothing changes. There is nothing to report from before; `alone` says that the host does not answer.
    #[inline]
    pub(crate) fn lone_tick(
        &self,
        words: &mut [u32],
        (behind, dt): (u64, f32),
        alone: bool,
        out: &mut Output,
    ) -> Option<u64> {
        let (rows, layout) = (self.rows, self.layout);
        let first = words.first().copied()?;
        // As bits, a number that is above 0 and finite.
        let lasts = (1..f32::INFINITY.to_bits()).contains(&dt.to_bits());
        if !lasts || alone && layout.extern_words > 0 {
            return None;
        }
        let (stood, owed) = time::pass_parts(first, behind);
        let (after, units) = time::pass_parts(stood, time::parts(dt)?);
        let room = glide_alone(rows, layout, words, (owed, units, dt), out)?;
        if let Some(first) = words.first_mut() {
            *first = after;
        }
        out.finish(dt);
        Some(if room == 0 { 0 } else { time::parts_within(after, room) })
    }

    /// How long a block may be left alone after a tick: see [`behind`]. Where that is not known, it is first asked whether
    /// the next tick has anything to decide. Animations may fade out unseen meanwhile where what plays is kept
    /// [packed](super::packed): else whoever reads the block again and again would meet them each time.
    #[inline]
    pub(crate) fn horizon(&self, words: &mut [u32]) -> Option<u64> {
        let first = words.first().copied().unwrap_or(0);
        if first & (flag::STARTED | flag::QUIET) == flag::STARTED {
            peek(self.rows, self.layout, words);
        }
        behind::horizon(self.program, self.behavior, words, Playing::may_be_known(self.layout, words))
    }

    /// Brings a block forward to where it would be.
    #[inline]
    pub(crate) fn catch_up(&self, words: &mut [u32], parts: u64) {
        behind::catch_up(self.program, self.behavior, words, parts);
    }

    /// The tick of a block, whatever happens in it; [admitted](Self::admit) before. What was reported since the last one
    /// is in `pending`.
    pub(crate) fn whole_tick(
        &self,
        (words, texts): (&mut [u32], &mut [Option<Arc<str>>]),
        pending: Option<&mut Output>,
        dt: f32,
        host: &mut Host<'_>,
        (out, stack): (&mut Output, &mut [u32]),
    ) {
        if let Some(pending) = pending {
            out.take_over(pending);
        }
        // Not -0.
        Core::new(self.program, self.rows, self.layout, words, texts, out, stack, host).tick(dt.abs());
    }
}

/// The names of the predicates that the host must answer.
#[cold]
pub(super) fn extern_names(program: &Program, behavior: BehaviorId) -> Vec<String> {
    let mut names = Vec::new();
    for (id, part) in program.parts(behavior) {
        let externs = program.behavior(part.behavior).map_or(&[][..], |rows| &rows.externs);
        names.extend(externs.iter().map(|name| program.inner_name(behavior, id, *name)));
    }
    names
}
