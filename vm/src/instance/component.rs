//! Handles of components: the methods of an instance, for a part of it.
//!
//! What a host does with an instance it does with a component, and with a member of a crowd, in the same words, so the
//! methods are written once, in the files beside this one, and given to all: [`reading!`] those that change nothing,
//! [`acting!`] the others; [`whole!`] and [`whole_acting!`] those that components have not.

use alloc::boxed::Box;
use alloc::sync::Arc;

use super::behind::Behind;
use super::view::View;
use super::{Instance, PENDING};
use crate::eval::STACK;
use crate::frame::Output;
use crate::ids::{BehaviorId, ComponentId};
use crate::program::Program;
use crate::tick::{Core, Host};

/// Gives methods to an instance and to the handles of its components, and to those of the members of a crowd.
macro_rules! reading {
    ($( $methods:tt )*) => {
        whole! { $( $methods )* }
        #[allow(clippy::needless_borrow, reason = "the instance owns what a handle borrows")]
        impl crate::instance::ComponentRef<'_> { $( $methods )* }
        #[allow(clippy::needless_borrow, reason = "the instance owns what a handle borrows")]
        impl crate::instance::ComponentMut<'_> { $( $methods )* }
    };
}

/// Gives methods that change something to an instance and to the handles that may.
macro_rules! acting {
    ($( $methods:tt )*) => {
        whole_acting! { $( $methods )* }
        #[allow(clippy::needless_borrow, reason = "the instance owns what a handle borrows")]
        impl crate::instance::ComponentMut<'_> { $( $methods )* }
    };
}

/// Gives methods to an instance and to the handles of members of a crowd.
macro_rules! whole {
    ($( $methods:tt )*) => {
        impl Instance { $( $methods )* }
        #[allow(clippy::needless_borrow, reason = "the instance owns what a handle borrows")]
        impl crate::instance::MemberRef<'_> { $( $methods )* }
        #[allow(clippy::needless_borrow, reason = "the instance owns what a handle borrows")]
        impl crate::instance::MemberMut<'_> { $( $methods )* }
    };
}

/// Gives methods that change something to an instance and to the handles of members that may.
macro_rules! whole_acting {
    ($( $methods:tt )*) => {
        impl Instance { $( $methods )* }
        #[allow(clippy::needless_borrow, reason = "the instance owns what a handle borrows")]
        impl crate::instance::MemberMut<'_> { $( $methods )* }
    };
}

/// A component of an instance, to read.
#[derive(Clone, Copy, Debug)]
pub struct ComponentRef<'i> {
    pub(super) program: &'i Arc<Program>,
    pub(super) behavior: BehaviorId,
    pub(super) id: ComponentId,
    pub(super) words: &'i [u32],
    pub(super) texts: &'i [Option<Arc<str>>],
    pub(super) behind: Behind,
}

/// A component of an instance, to read and to set.
#[derive(Debug)]
pub struct ComponentMut<'i> {
    pub(super) program: &'i Arc<Program>,
    pub(super) behavior: BehaviorId,
    pub(super) id: ComponentId,
    pub(super) words: &'i mut [u32],
    pub(super) texts: &'i mut [Option<Arc<str>>],
    pub(super) pending: &'i mut Option<Box<Output>>,
}

whole! {
    /// A component, to read; [`ComponentId::ROOT`] gives the instance itself. `None` for an id of another behavior.
    #[must_use]
    pub fn component(&self, id: ComponentId) -> Option<ComponentRef<'_>> {
        let part = self.program.part(self.behavior, id)?;
        let tree = self.program.layout(part.behavior)?.tree;
        Some(ComponentRef {
            program: &self.program,
            behavior: part.behavior,
            id,
            words: self.words.get(part.words..)?.get(..tree.words)?,
            texts: self.texts.get(part.texts..)?.get(..tree.texts)?,
            behind: self.behind(),
        })
    }

    /// Which part of the instance this is.
    pub(super) const fn id(&self) -> ComponentId {
        ComponentId::ROOT
    }
}

whole_acting! {
    /// A component, to read and to set; [`ComponentId::ROOT`] gives the instance itself. `None` for an id of another
    /// behavior. What is set holds from the next tick on, where no bind gives the parameter another value.
    pub fn component_mut(&mut self, id: ComponentId) -> Option<ComponentMut<'_>> {
        self.wake();
        let part = self.program.part(self.behavior, id)?;
        let tree = self.program.layout(part.behavior)?.tree;
        Some(ComponentMut {
            program: &self.program,
            behavior: part.behavior,
            id,
            words: self.words.get_mut(part.words..)?.get_mut(..tree.words)?,
            texts: self.texts.get_mut(part.texts..)?.get_mut(..tree.texts)?,
            pending: &mut self.pending,
        })
    }
}

impl ComponentRef<'_> {
    /// Which part of the instance this is.
    #[must_use]
    pub const fn id(&self) -> ComponentId {
        self.id
    }

    pub(super) fn behind(&self) -> Behind {
        self.behind
    }
}

impl ComponentMut<'_> {
    /// Which part of the instance this is.
    #[must_use]
    pub const fn id(&self) -> ComponentId {
        self.id
    }

    pub(super) fn behind(&self) -> Behind {
        Behind::default()
    }
}

reading! {
    #[inline]
    pub(super) fn view(&self) -> Option<View<'_>> {
        let rows = self.program.behavior(self.behavior)?;
        let layout = self.program.layout(self.behavior)?;
        Some(View { rows, layout, words: &self.words, owed: self.behind().units })
    }

    /// Shows the words as they are now.
    #[inline]
    pub(crate) fn with_words_now<R>(&self, see: impl FnOnce(&[u32]) -> R) -> R {
        self.behind().undone(&self.program, self.behavior, self.id(), &self.words, see)
    }
}

acting! {
    /// Does something between ticks that reports nothing and evaluates nothing.
    #[inline]
    pub(super) fn quietly<R: Default>(&mut self, act: impl FnOnce(&mut Core<'_, '_>) -> R) -> R {
        self.act(&mut Output::new(0), &mut [], &mut Host::default(), act)
    }

    /// Does something between ticks; what it reports is kept for the next one.
    pub(super) fn command<R: Default>(&mut self, act: impl FnOnce(&mut Core<'_, '_>) -> R) -> R {
        let mut pending = self.pending.take().unwrap_or_else(|| Box::new(Output::new(PENDING)));
        pending.component = self.id();
        let result = self.act(&mut pending, &mut [], &mut Host::default(), act);
        *self.kept() = Some(pending);
        result
    }

    #[inline]
    pub(super) fn act<R: Default>(
        &mut self,
        out: &mut Output,
        stack: &mut [u32],
        host: &mut Host<'_>,
        act: impl FnOnce(&mut Core<'_, '_>) -> R,
    ) -> R {
        self.wake();
        let (Some(rows), Some(layout)) =
            (self.program.behavior(self.behavior), self.program.layout(self.behavior))
        else {
            return R::default();
        };
        act(&mut Core::new(&self.program, rows, layout, &mut self.words, &mut self.texts, out, stack, host))
    }
}

whole_acting! {
    /// These reports are to come first in the next tick, and no others.
    pub(super) fn await_reports(&mut self, pending: Option<Output>) {
        match (self.kept(), pending) {
            (kept, Some(pending)) => *kept = Some(Box::new(pending)),
            (Some(kept), None) => kept.clear(),
            (None, None) => {}
        }
    }

    /// Does something between ticks that may evaluate code.
    pub(super) fn evaluate<R: Default>(
        &mut self,
        host: &mut Host<'_>,
        act: impl FnOnce(&mut Core<'_, '_>) -> R,
    ) -> R {
        self.act(&mut Output::new(0), &mut [0; STACK], host, act)
    }
}

impl Instance {
    /// What was reported since the last tick.
    pub(super) fn reports(&self) -> Option<&Output> {
        self.pending.as_deref()
    }

    pub(super) fn kept(&mut self) -> &mut Option<Box<Output>> {
        &mut self.pending
    }
}

impl ComponentMut<'_> {
    fn kept(&mut self) -> &mut Option<Box<Output>> {
        self.pending
    }
}
