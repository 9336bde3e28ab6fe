//! Members that stand side by side, and their tick.
//!
//! A run borrows them from their crowd. It can be split, so that several are ticked at once: no member sees another.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;

use super::frame::Part;
use super::part_mut;
use crate::frame::Output;
use crate::ids::{ComponentId, ExternId};
use crate::instance::{Globals, Host, Kind};

/// What the host lends to a tick of a crowd.
#[derive(Default)]
pub struct CrowdHost<'h> {
    /// Answers to `Extern Predicate`s: pure, asked only when needed, at most once a decision of a member. The place says
    /// which member asks, the component whose predicate it is: [`ComponentId::ROOT`] for one of the member's own
    /// behavior.
    pub predicates: Option<&'h mut dyn FnMut(usize, ComponentId, ExternId) -> bool>,
    /// The store of `Global Param`s.
    pub globals: Option<&'h mut Globals>,
}

impl fmt::Debug for CrowdHost<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CrowdHost")
            .field("predicates", &self.predicates.is_some())
            .field("globals", &self.globals)
            .finish()
    }
}

/// Members that stand side by side.
pub(super) struct Run<'c> {
    pub(super) kind: Kind<'c>,
    /// The place of the first.
    pub(super) first: usize,
    pub(super) words: &'c mut [u32],
    pub(super) texts: &'c mut [Option<Arc<str>>],
    pub(super) pending: &'c mut [Option<Box<Output>>],
}

impl Run<'_> {
    /// The first members, so many, and the others.
    #[cfg(feature = "rayon")]
    pub(super) fn split(self, members: usize) -> Option<(Self, Self)> {
        let tree = self.kind.layout.tree;
        let words = self.words.split_at_mut_checked(members.checked_mul(tree.words)?)?;
        let texts = self.texts.split_at_mut_checked(members.checked_mul(tree.texts)?)?;
        let pending = self.pending.split_at_mut_checked(members)?;
        let kind = self.kind;
        let first = Run { kind, first: self.first, words: words.0, texts: texts.0, pending: pending.0 };
        let others =
            Run { kind, first: self.first + members, words: words.1, texts: texts.1, pending: pending.1 };
        Some((first, others))
    }

    /// Lets time pass for all of them, in order. The kind admits `dt` and the host.
    pub(super) fn tick(mut self, dt: f32, host: &mut CrowdHost<'_>, part: &mut Part) {
        let alone = host.predicates.is_none();
        for index in 0..self.pending.len() {
            self.tick_member(index, dt, alone, host, part);
        }
    }

    fn tick_member(
        &mut self,
        index: usize,
        dt: f32,
        alone: bool,
        host: &mut CrowdHost<'_>,
        part: &mut Part,
    ) -> Option<()> {
        let tree = self.kind.layout.tree;
        let words = part_mut(self.words, tree.words, index)?;
        let pending = self.pending.get_mut(index)?.as_deref_mut();
        let reports = pending.as_ref().is_some_and(|pending| !pending.events.is_empty());
        if !reports && self.kind.short_tick(words, dt, alone) {
            return Some(());
        }
        let (texts, member) = (part_mut(self.texts, tree.texts, index)?, self.first + index);
        part.out.begin();
        let out = (&mut part.out, &mut part.stack[..]);
        let globals = host.globals.as_deref_mut();
        match &mut host.predicates {
            Some(predicates) => {
                let mut answer = |component, predicate| predicates(member, component, predicate);
                let mut host = Host { predicates: Some(&mut answer), globals };
                self.kind.whole_tick((words, texts), pending, dt, &mut host, out);
            }
            None => {
                let mut host = Host { predicates: None, globals };
                self.kind.whole_tick((words, texts), pending, dt, &mut host, out);
            }
        }
        part.keep(member);
        Some(())
    }
}
