//! Members that stand side by side, and their tick.
//!
//! A run borrows them from their crowd. It can be split, so that several are ticked at once: no member sees another.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;
use core::hint::black_box;

use super::frame::Part;
use super::part_mut;
use super::schedule::{Sleepers, Step, Times};
use super::standing::StandingMut;
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
    pub(super) times: Times<'c>,
    pub(super) standing: StandingMut<'c>,
}

impl Run<'_> {
    /// The first members, so many, and the others.
    #[cfg(feature = "rayon")]
    pub(super) fn split(self, members: usize) -> Option<(Self, Self)> {
        let tree = self.kind.layout.tree;
        let words = self.words.split_at_mut_checked(members.checked_mul(tree.words)?)?;
        let texts = self.texts.split_at_mut_checked(members.checked_mul(tree.texts)?)?;
        let pending = self.pending.split_at_mut_checked(members)?;
        let times = self.times.split(members)?;
        let standing = self.standing.split(members);
        let kind = self.kind;
        let first = Run {
            kind,
            first: self.first,
            words: words.0,
            texts: texts.0,
            pending: pending.0,
            times: times.0,
            standing: standing.0,
        };
        let others = Run {
            kind,
            first: self.first + members,
            words: words.1,
            texts: texts.1,
            pending: pending.1,
            times: times.1,
            standing: standing.1,
        };
        Some((first, others))
    }

    /// Lets time pass for all of them, in order. The kind admits the step and the host.
    pub(super) fn tick(self, step: Step, host: &mut CrowdHost<'_>, part: &mut Part) {
        let Self { kind, first, words, texts, pending, mut times, standing } = self;
        times.wake(step, &mut Members { kind, first, words, texts, pending, standing, step, host, part });
    }
}

/// Members in a tick.
struct Members<'c, 'p, 'h, 's> {
    kind: Kind<'p>,
    first: usize,
    words: &'c mut [u32],
    texts: &'c mut [Option<Arc<str>>],
    pending: &'c mut [Option<Box<Output>>],
    standing: StandingMut<'c>,
    step: Step,
    host: &'h mut CrowdHost<'s>,
    part: &'h mut Part,
}

impl Sleepers for Members<'_, '_, '_, '_> {
    #[inline]
    fn near(&self, member: usize) {
        bring_near(self.words, self.kind.layout.tree.words, member);
        self.standing.bring_near(member);
    }

    #[inline]
    fn wake(&mut self, member: usize, touched: bool) -> Option<u64> {
        let (kind, step) = (self.kind, self.step);
        let tree = kind.layout.tree;
        let words = part_mut(self.words, tree.words, member)?;
        let behind = self.standing.behind(member, words, step.before);
        let alone = self.host.predicates.is_none();
        let part = &mut *self.part;
        part.out.begin();
        // Only what the host does leaves reports.
        let lone =
            if touched { None } else { kind.lone_tick(words, (behind, step.dt), alone, &mut part.out) };
        let horizon = match lone {
            Some(horizon) => Some(horizon),
            None => {
                if behind > 0 {
                    kind.catch_up(words, behind);
                }
                let pending = if touched { self.pending.get_mut(member)?.as_deref_mut() } else { None };
                let reports = pending.as_ref().is_some_and(|pending| !pending.events.is_empty());
                if reports || !kind.short_tick(words, step.dt, alone, &mut part.out) {
                    let texts = part_mut(self.texts, tree.texts, member)?;
                    let who = (self.first + member, step.dt);
                    whole_tick(kind, (words, texts), pending, who, self.host, part);
                }
                kind.horizon(words)
            }
        };
        part.keep(self.first + member);
        self.standing.set(member, kind.layout, words, step.after);
        horizon
    }
}

/// Reads of a member's words what tells where they are: it is of no interest, only that they come near.
#[inline]
fn bring_near(words: &[u32], stride: usize, member: usize) {
    black_box(words.get(member * stride).copied());
    black_box(words.get(member * stride + stride / 2).copied());
}

#[inline(never)]
fn whole_tick(
    kind: Kind<'_>,
    block: (&mut [u32], &mut [Option<Arc<str>>]),
    pending: Option<&mut Output>,
    (member, dt): (usize, f32),
    host: &mut CrowdHost<'_>,
    part: &mut Part,
) {
    let out = (&mut part.out, &mut part.stack[..]);
    let globals = host.globals.as_deref_mut();
    match &mut host.predicates {
        Some(predicates) => {
            let mut answer = |component, predicate| predicates(member, component, predicate);
            let mut host = Host { predicates: Some(&mut answer), globals };
            kind.whole_tick(block, pending, dt, &mut host, out);
        }
        None => kind.whole_tick(block, pending, dt, &mut Host { predicates: None, globals }, out),
    }
}
