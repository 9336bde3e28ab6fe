//! The transitions that concern a leaf, in the order in which they are decided.
//!
//! That order is priority, then `AnyState` before states, then innermost, then declaration: a merge of sorted runs.
//! What a candidate asks for, and whether it is taken, is not decided here.

use core::iter;

use crate::ids::{MachineId, StateId};
use crate::program::limits::Limit;
use crate::program::tables::{Behavior, Run, State, Transition};

/// The most runs: of the states from a leaf outward, of the `AnyState`s inside them, of that of the machine.
pub(super) const NESTED: usize = 2 * Limit::Nesting.value();
/// The runs of a leaf with nothing around it: its own, and that of the machine's `AnyState`.
pub(super) const FLAT: usize = 2;
/// The runs of a leaf in few states, as most are: room for many is not free.
pub(super) const SHALLOW: usize = 16;

/// How much room a leaf's candidates need.
#[derive(Clone, Copy)]
pub(super) enum Room {
    Flat,
    Shallow,
    Nested,
}

impl Room {
    #[inline]
    pub(super) fn of(rows: &Behavior, leaf: StateId) -> Self {
        match rows.states.get(leaf.index()).and_then(|row| row.parent) {
            None => Self::Flat,
            Some(_) if outward(rows, leaf).nth(SHALLOW / 2).is_none() => Self::Shallow,
            Some(_) => Self::Nested,
        }
    }
}

/// A transition that may be taken.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    /// The state in whose block it stands; `None` for the `AnyState` of a machine.
    pub(super) owner: Option<StateId>,
    /// It is one of an `AnyState`.
    pub(super) any: bool,
    /// Its place in the table.
    pub(super) id: u32,
    pub(super) row: &'a Transition,
}

impl Candidate<'_> {
    /// The composite that it leaves where its target is `Exit`; `None` at the root of a machine.
    pub(super) fn around(&self, rows: &Behavior) -> Option<StateId> {
        if self.any { self.owner } else { rows.states.get(self.owner?.index())?.parent }
    }
}

/// Transitions of one place.
#[derive(Clone, Copy)]
struct Source {
    run: Run,
    owner: Option<StateId>,
    any: bool,
}

/// The candidates of a leaf, of at most `N` runs.
pub(super) struct Candidates<'a, const N: usize> {
    rows: &'a Behavior,
    sources: [Source; N],
    /// Those before are used up.
    first: usize,
    used: usize,
    /// The priority of the last one; none that is higher is left.
    last: i32,
}

impl<'a, const N: usize> Candidates<'a, N> {
    pub(super) fn new(rows: &'a Behavior, machine: MachineId, leaf: StateId) -> Self {
        let nothing = Source { run: Run { first: 0, count: 0 }, owner: None, any: false };
        let mut candidates = Self { rows, sources: [nothing; N], first: 0, used: 0, last: i32::MAX };
        for (state, row) in outward(rows, leaf).skip(1) {
            candidates.add(row.any, Some(state), true);
        }
        if let Some(row) = rows.machines.get(machine.index()) {
            candidates.add(row.any, None, true);
        }
        for (state, row) in outward(rows, leaf) {
            candidates.add(row.transitions, Some(state), false);
        }
        candidates
    }

    fn add(&mut self, run: Run, owner: Option<StateId>, any: bool) {
        if run.count > 0
            && let Some(place) = self.sources.get_mut(self.used)
        {
            *place = Source { run, owner, any };
            self.used += 1;
        }
    }
}

/// A state and those around it with their rows, innermost first.
fn outward(rows: &Behavior, leaf: StateId) -> impl Iterator<Item = (StateId, &State)> {
    let row = move |state: StateId| Some((state, rows.states.get(state.index())?));
    iter::successors(row(leaf), move |(_, state)| row(state.parent?))
}

impl<'a, const N: usize> Iterator for Candidates<'a, N> {
    type Item = Candidate<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut best: Option<(usize, &'a Transition)> = None;
        let mut used_up = true;
        for (index, source) in self.sources.iter().enumerate().take(self.used).skip(self.first) {
            let Some(head) = source.run.of(&self.rows.transitions).first() else {
                // Nothing is behind those at the front.
                self.first += usize::from(used_up);
                continue;
            };
            used_up = false;
            if best.is_none_or(|(_, found)| head.priority > found.priority) {
                best = Some((index, head));
                if head.priority == self.last {
                    break;
                }
            }
        }
        let (index, row) = best?;
        let source = self.sources.get_mut(index)?;
        let id = source.run.first;
        source.run = Run { first: id + 1, count: source.run.count - 1 };
        self.last = row.priority;
        Some(Candidate { owner: source.owner, any: source.any, id, row })
    }
}

/// The candidates of any leaf.
#[expect(
    clippy::large_enum_variant,
    reason = "it lives on the stack, and the small one is not to pay for the other"
)]
pub(super) enum All<'a> {
    Flat(Candidates<'a, FLAT>),
    Shallow(Candidates<'a, SHALLOW>),
    Nested(Candidates<'a, NESTED>),
}

impl<'a> All<'a> {
    #[inline]
    pub(super) fn new(rows: &'a Behavior, machine: MachineId, leaf: StateId) -> Self {
        match Room::of(rows, leaf) {
            Room::Flat => Self::Flat(Candidates::new(rows, machine, leaf)),
            Room::Shallow => Self::Shallow(Candidates::new(rows, machine, leaf)),
            Room::Nested => Self::Nested(Candidates::new(rows, machine, leaf)),
        }
    }
}

impl<'a> Iterator for All<'a> {
    type Item = Candidate<'a>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Flat(candidates) => candidates.next(),
            Self::Shallow(candidates) => candidates.next(),
            Self::Nested(candidates) => candidates.next(),
        }
    }
}
