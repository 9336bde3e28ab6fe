//! The samples of an instance or of a part of it, and those of what is inside, one after the other.
//!
//! Hosts read them every frame of every instance. So where what an instance plays is kept [packed](super::packed), that is
//! read; all else takes the longer way.

use super::packed::Known;
use super::samples::{Cursor, Sample};
use super::view::View;
use crate::ids::{BehaviorId, ComponentId};
use crate::program::Program;

/// The samples of an instance or of a part of it. It is moved about, so it is small.
pub(crate) enum Shown<'a> {
    /// Kept beside the block.
    Known(Known<'a>),
    /// Read from the block.
    Read(Reader<'a>),
}

impl Iterator for Shown<'_> {
    type Item = Sample;

    #[inline(always)] // what is lent out does not stay in registers, so a copy is
    fn next(&mut self) -> Option<Sample> {
        match self {
            Self::Known(known) => known.next(),
            Self::Read(reader) => {
                let mut copy = *reader;
                let sample = copy.next();
                *reader = copy;
                sample
            }
        }
    }
}

/// Reads the samples of a part of an instance from its block, then those of each component inside.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    program: &'a Program,
    /// Of the part, and of all that is inside it.
    words: &'a [u32],
    /// Units of time by which all of it is behind.
    owed: u64,
    /// What the part is.
    behavior: BehaviorId,
    id: ComponentId,
    /// Which component inside the part is read, 0 for itself, and how far.
    inner: u32,
    cursor: Cursor,
}

impl<'a> Reader<'a> {
    #[inline]
    pub(super) fn new(
        program: &'a Program,
        (behavior, id): (BehaviorId, ComponentId),
        words: &'a [u32],
        owed: u64,
    ) -> Self {
        Self { program, words, owed, behavior, id, inner: 0, cursor: Cursor::default() }
    }

    /// What is being read.
    fn view(&self) -> Option<View<'a>> {
        let part = self.program.part(self.behavior, ComponentId(self.inner))?;
        Some(View {
            rows: self.program.behavior(part.behavior)?,
            layout: self.program.layout(part.behavior)?,
            words: self.words.get(part.words..)?,
            owed: self.owed,
        })
    }
}

impl Iterator for Reader<'_> {
    type Item = Sample;

    #[inline(never)] // most instances know what they show
    fn next(&mut self) -> Option<Sample> {
        loop {
            let id = ComponentId(self.id.0.saturating_add(self.inner));
            if let Some(sample) = self.cursor.next(self.view()?, id) {
                return Some(sample);
            }
            (self.inner, self.cursor) = (self.inner + 1, Cursor::default());
        }
    }
}
