//! An instance that is left alone: ticks in which nothing is due only count how far its block is behind.
//!
//! After a tick the block's horizon says how long that may go on; see `behind.rs`. Whatever sets something brings the
//! block forward first; a parameter alone lets it stay behind, but not for longer than to the next tick. Nobody can tell an
//! instance that rests from one that does not.

use super::Instance;
use super::behind::Behind;
use super::component::ComponentMut;
use super::kind::Kind;
use super::packed::{Known, Playing};
use crate::frame::Output;
use crate::time;

/// How an instance rests, in parts of 2^-48 s. In this order: what is read most stands in the first line of an instance.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Rest {
    /// How far its block is behind.
    behind: u64,
    /// How much longer that may go on.
    room: u64,
    /// What stays of what plays, as the last tick has left the block.
    first: Playing,
    /// What its block had left of ticks then.
    left: u32,
    /// The host has set something since the last tick. It may do so again, and then no horizon is worth its search.
    touched: bool,
    /// What else plays for a while.
    second: Playing,
}

impl Default for Rest {
    fn default() -> Self {
        let (first, second) = (Playing::UNKNOWN, Playing::NOTHING);
        Self { behind: 0, room: 0, first, left: 0, touched: false, second }
    }
}

impl Rest {
    /// Lets `dt` seconds pass, if nothing is due in them.
    #[inline(always)] // a call would cost as much as it does
    pub(super) fn pass(&mut self, dt: f32) -> bool {
        // As bits, a number that is finite and not negative is below infinity.
        if self.room == 0 || dt.to_bits() >= f32::INFINITY.to_bits() {
            return false;
        }
        let Some(parts) = time::parts(dt).filter(|parts| *parts <= self.room) else { return false };
        self.behind += parts;
        self.room -= parts;
        true
    }

    /// Whether the block stands where it should.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.behind == 0
    }

    /// Ends the rest: the block is brought to where it should be.
    #[inline]
    pub(super) fn catch_up(&mut self, kind: Kind<'_>, words: &mut [u32]) {
        self.room = 0;
        self.first = Playing::UNKNOWN;
        if self.behind > 0 {
            kind.catch_up(words, core::mem::take(&mut self.behind));
        }
    }

    /// Ends the rest and begins another one, if all that is between is a [lone tick](Kind::lone_tick).
    #[inline]
    pub(super) fn pass_alone(
        &mut self,
        kind: Kind<'_>,
        words: &mut [u32],
        dt: f32,
        alone: bool,
        out: &mut Output,
    ) -> bool {
        let horizon = kind.lone_tick(words, (self.behind, dt), alone, out);
        if let Some(room) = horizon {
            self.behind = 0;
            self.begin_with(kind, words, |_| room);
        }
        horizon.is_some()
    }

    /// A tick is over; the block may be left alone as far as the horizon.
    #[inline]
    pub(super) fn begin(&mut self, kind: Kind<'_>, words: &mut [u32]) {
        self.begin_with(kind, words, |words| kind.horizon(words).unwrap_or(0));
    }

    #[inline]
    fn begin_with(&mut self, kind: Kind<'_>, words: &mut [u32], room: impl FnOnce(&mut [u32]) -> u64) {
        self.room = if self.touched { 0 } else { room(words) };
        self.touched = false;
        let (first, second) = Playing::all(kind.layout, words).unwrap_or((Playing::UNKNOWN, None));
        (self.first, self.second) = (first, second.unwrap_or(Playing::NOTHING));
        self.left = time::left_of(words) as u32;
    }
}

impl Instance {
    #[inline]
    pub(super) fn behind(&self) -> Behind {
        Behind::of(&self.words, self.rest.behind)
    }

    /// What it plays, where the block need not be read for that.
    #[inline]
    pub(super) fn shows(&self) -> Option<Known<'_>> {
        let Rest { behind, ref first, left, ref second, .. } = self.rest;
        let layout = self.program.layout(self.behavior).filter(|_| first.is_known())?;
        let owed = time::whole(behind + u64::from(left));
        Some(Known::new([first, second], &layout.slots, owed))
    }

    /// Whether the block is left alone.
    pub(super) fn rests(&self) -> bool {
        !self.rest.is_over()
    }

    /// Something was set that the next tick has to see; meanwhile the block may stay behind.
    #[inline]
    pub(super) fn touch(&mut self) {
        self.rest.touched = true;
        self.rest.room = 0;
    }

    /// The block, which was woken, has become another.
    pub(super) fn stand(&mut self) {}

    /// Brings the block forward, because something is to be set.
    #[inline]
    pub(super) fn wake(&mut self) {
        self.rest.touched = true;
        if let Some(kind) = Kind::of(&self.program, self.behavior) {
            self.rest.catch_up(kind, &mut self.words);
        }
    }
}

/// What lends a component out, wakes the instance.
impl ComponentMut<'_> {
    pub(super) fn touch(&mut self) {}

    pub(super) fn wake(&mut self) {}
}
