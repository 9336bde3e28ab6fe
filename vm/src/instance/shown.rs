//! The samples of an instance or of a part of it, and those of what is inside, one after the other.
//!
//! Hosts read them every frame of every instance. So what plays few animations by itself, without motions and
//! components, is read by a loop over the bits of a word; all else takes the longer way.

use super::samples::{Sample, Samples, slot_sample};
use super::view::View;
use crate::ids::{BehaviorId, ComponentId};
use crate::program::Program;
#[cfg(doc)]
use crate::program::layout::Layout;

/// The samples of something and of what is inside it.
pub(crate) struct Shown<'a> {
    view: Option<View<'a>>,
    id: ComponentId,
    /// The animations that are still to come, where that is [all](Layout::few).
    bits: u32,
    /// Else what is still to come.
    more: Option<All<'a>>,
}

impl<'a> Shown<'a> {
    /// The samples of a part of an instance, of that behavior; without a view, none.
    #[inline]
    pub(super) fn of(
        view: Option<View<'a>>,
        program: &'a Program,
        behavior: BehaviorId,
        id: ComponentId,
    ) -> Self {
        match view {
            Some(view) if !view.layout.few => {
                let more = Some(All::of(view, program, behavior, id));
                Self { view: None, id, bits: 0, more }
            }
            _ => Self { view, id, bits: view.map_or(0, View::few), more: None },
        }
    }
}

impl Iterator for Shown<'_> {
    type Item = Sample;

    #[inline(always)] // what is lent out does not stay in registers
    fn next(&mut self) -> Option<Sample> {
        while self.bits != 0 {
            let (view, index) = (self.view?, self.bits.trailing_zeros());
            self.bits &= self.bits - 1;
            if let Some(sample) = view.sample_of(self.id, index as usize) {
                return Some(sample);
            }
        }
        // On a copy, which alone is lent out.
        let mut more = self.more.clone()?;
        let sample = more.advance();
        self.more = Some(more);
        sample
    }
}

impl View<'_> {
    /// What is active, where that is a single word.
    #[inline]
    pub(crate) fn few(self) -> u32 {
        self.word(self.layout.active)
    }

    /// The sample of an animation that is active, by its place among the slots.
    #[inline(always)] // so that it stays in registers
    pub(crate) fn sample_of(self, id: ComponentId, index: usize) -> Option<Sample> {
        slot_sample(self, id, self.layout.slots.get(index)?)
    }
}

/// The samples of something, then those of each component inside it.
#[derive(Clone)]
pub(crate) struct All<'a> {
    own: Option<Samples<'a>>,
    program: &'a Program,
    behavior: BehaviorId,
    /// What the components are inside of.
    id: ComponentId,
    words: &'a [u32],
    /// Units of time by which all of it is behind.
    owed: u64,
    /// The components that are still to come.
    next: u32,
    end: u32,
}

impl<'a> All<'a> {
    #[inline(never)]
    fn of(view: View<'a>, program: &'a Program, behavior: BehaviorId, id: ComponentId) -> Self {
        let (own, end) = (Some(view.samples(id)), view.layout.tree.parts);
        Self { own, program, behavior, id, words: view.words, owed: view.owed, next: 1, end }
    }

    #[inline(never)]
    fn advance(&mut self) -> Option<Sample> {
        loop {
            if let Some(sample) = self.own.as_mut().and_then(Iterator::next) {
                return Some(sample);
            }
            if self.next >= self.end {
                return None;
            }
            self.own = self.component(ComponentId(self.next));
            self.next += 1;
        }
    }

    /// The samples of a component.
    fn component(&self, inner: ComponentId) -> Option<Samples<'a>> {
        let part = self.program.part(self.behavior, inner)?;
        let view = View {
            rows: self.program.behavior(part.behavior)?,
            layout: self.program.layout(part.behavior)?,
            words: self.words.get(part.words..)?,
            owed: self.owed,
        };
        Some(view.samples(ComponentId(self.id.0.saturating_add(inner.0))))
    }
}
