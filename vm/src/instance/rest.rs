//! An instance that is left alone: ticks in which nothing is due only count how far its block is behind.
//!
//! After a tick the block's horizon says how long that may go on; see `behind.rs`. Whatever sets something brings the
//! block forward first. Nobody can tell an instance that rests from one that does not.

use super::Instance;
use super::behind::Behind;
use super::component::ComponentMut;
use super::kind::Kind;
use super::member::MemberMut;
use crate::time;

/// How an instance rests, in parts of 2^-48 s.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rest {
    /// How far its block is behind.
    behind: u64,
    /// How much longer that may go on.
    room: u64,
    /// The host has set something since the last tick. It may do so again, and then no horizon is worth its search.
    touched: bool,
}

impl Rest {
    /// Lets `dt` seconds pass, if nothing is due in them.
    #[inline]
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
        if self.behind > 0 {
            kind.catch_up(words, core::mem::take(&mut self.behind));
        }
    }

    /// A tick is over; the block may be left alone as far as the horizon.
    #[inline]
    pub(super) fn begin(&mut self, horizon: impl FnOnce() -> Option<u64>) {
        self.room = if self.touched { 0 } else { horizon().unwrap_or(0) };
        self.touched = false;
    }
}

impl Instance {
    #[inline]
    pub(super) fn behind(&self) -> Behind {
        Behind::of(&self.words, self.rest.behind)
    }

    /// Whether the block is left alone.
    pub(super) fn rests(&self) -> bool {
        !self.rest.is_over()
    }

    /// Brings the block forward, because something is to be set.
    #[inline]
    pub(super) fn wake(&mut self) {
        self.rest.touched = true;
        if let Some(kind) = Kind::of(&self.program, self.behavior) {
            self.rest.catch_up(kind, &mut self.words);
        }
    }
}

/// What lends a component or a member out, wakes it.
impl ComponentMut<'_> {
    pub(super) fn wake(&mut self) {}
}

impl MemberMut<'_> {
    pub(super) fn wake(&mut self) {}
}
