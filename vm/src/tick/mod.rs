//! A tick: what an instance does in the interval from t to t + dt, in the order of the contract.
//!
//! [`Core`] is an instance under way: its block, the program, and where events go. A tick cannot fail, allocates
//! nothing but room for events that the frame never had before, and does no more work than its budget.
//! The files beside this one hold one concern each.

use alloc::sync::Arc;

use crate::frame::{EventKind, Output};
use crate::ids::{ComponentId, ExternId, MachineId};
use crate::instance::globals::Globals;
use crate::instance::view::{View, flag};
use crate::place;
use crate::program::Program;
use crate::program::layout::Layout;
use crate::program::tables::Behavior;
use crate::time;

mod advance;
mod animations;
mod blends;
mod candidates;
mod components;
mod curves;
mod decide;
mod gates;
mod glide;
mod layers;
mod listeners;
pub(crate) use self::layers::FOLLOW;
mod looks;
mod params;
mod peek;
mod playhead;
mod reactions;
mod routes;
mod rows;
mod still;
mod transition;
mod triggers;

pub(crate) use self::glide::{age, catch_up, glide, glide_alone, horizon};
pub(crate) use self::params::admitted;
pub(crate) use self::peek::peek;

/// The operations and steps that a tick may spend; past it, it decides nothing more.
const BUDGET: u32 = 1 << 21;

/// What the host lends to a tick.
#[derive(Default)]
pub struct Host<'h> {
    /// Answers to `Extern Predicate`s: pure, asked only when needed, at most once a decision. The component says whose
    /// predicate it is: [`ComponentId::ROOT`] for one of the instance's own behavior.
    pub predicates: Option<&'h mut dyn FnMut(ComponentId, ExternId) -> bool>,
    /// The store of `Global Param`s.
    pub globals: Option<&'h mut Globals>,
}

impl core::fmt::Debug for Host<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Host")
            .field("predicates", &self.predicates.is_some())
            .field("globals", &self.globals)
            .finish()
    }
}

/// An instance under way.
pub(crate) struct Core<'a, 'h> {
    pub(crate) program: &'a Program,
    pub(crate) rows: &'a Behavior,
    pub(crate) layout: &'a Layout,
    pub(crate) words: &'a mut [u32],
    pub(crate) texts: &'a mut [Option<Arc<str>>],
    pub(crate) out: &'a mut Output,
    /// The evaluator's; empty where nothing is evaluated.
    pub(crate) stack: &'a mut [u32],
    pub(crate) host: &'a mut Host<'h>,
    /// Seconds into the tick.
    pub(crate) now: f32,
    /// Seconds of the tick, as the host gave them.
    pub(crate) dt: f32,
    /// Where the pointer is in the target whose reaction runs.
    pub(crate) pointer: [f32; 2],
    /// Work that may still be done.
    budget: u32,
    /// Decisions are over for this tick.
    cut: bool,
    /// Inside a decision pass.
    deciding: bool,
    /// Something happened: a list ran, an event was reported.
    pub(crate) fired: bool,
    /// An answer of the host is kept.
    pub(crate) asked: bool,
    /// What the next decision would read is what this tick's read, and that did nothing.
    calm: bool,
    /// The weights or paces of a blend's playheads changed.
    shifted: bool,
}

impl<'a, 'h> Core<'a, 'h> {
    #[allow(clippy::too_many_arguments)] // the parts of an instance and of a frame, borrowed one by one
    #[inline]
    pub(crate) fn new(
        program: &'a Program,
        rows: &'a Behavior,
        layout: &'a Layout,
        words: &'a mut [u32],
        texts: &'a mut [Option<Arc<str>>],
        out: &'a mut Output,
        stack: &'a mut [u32],
        host: &'a mut Host<'h>,
    ) -> Self {
        Self {
            program,
            rows,
            layout,
            words,
            texts,
            out,
            stack,
            host,
            now: 0.0,
            dt: 0.0,
            pointer: [0.0; 2],
            budget: BUDGET,
            cut: false,
            deciding: false,
            fired: false,
            asked: false,
            calm: false,
            shifted: false,
        }
    }

    /// The whole tick of an instance. `dt` is finite and not negative.
    pub(crate) fn tick(&mut self, dt: f32) {
        let (first, units) = time::pass(self.word(0), dt);
        self.put(0, first);
        self.tick_own(dt, units);
        if !self.rows.components.is_empty() {
            let own = self.out.events.len();
            self.tick_components(dt, units);
            self.out.merge(own);
        }
        self.out.finish(dt);
    }

    /// The tick of a component and of those inside it: so many units pass, as for the instance that it is part of.
    fn tick_tree(&mut self, dt: f32, units: u64) {
        let quiet = flag::STARTED | flag::QUIET;
        let first = self.word(0);
        // What is inside may be read here, and has not ticked yet.
        let settled = first & flag::SETTLED != 0 && !self.layout.asks && self.rows.components.is_empty();
        let calm = self.layout.plain && first & quiet == quiet;
        if settled {
            age(self.rows, self.layout, self.words, units);
        } else if !(calm && dt > 0.0 && glide(self.rows, self.layout, self.words, (units, dt), self.out)) {
            self.tick_own(dt, units);
        }
        if !self.rows.components.is_empty() {
            self.tick_components(dt, units);
        }
    }

    /// The tick without components.
    fn tick_own(&mut self, dt: f32, units: u64) {
        self.dt = dt;
        self.decide_all();
        self.find_settled();
        if dt == 0.0 || !glide(self.rows, self.layout, self.words, (units, dt), self.out) {
            self.advance(units);
            self.settle_tracks();
        }
        self.forget_answers();
    }

    /// Everything but parameters and states as it is at creation.
    pub(crate) fn create(&mut self) {
        self.create_damps();
        self.create_layers();
        self.create_motions();
        self.forget_answers();
        self.create_components();
    }

    /// What a tick does before it lets time pass.
    fn decide_all(&mut self) {
        if !self.layout.globals.is_empty() {
            self.read_globals();
        }
        self.immediate_damps();
        let flags = self.word(0);
        if flags & flag::STARTED == 0 {
            self.put(0, flags | flag::STARTED);
            if self.layout.undecided {
                self.decide_starts();
            }
            self.report_first_motions();
            self.enter_initial();
        }
        self.calm = true;
        if self.word(0) & flag::QUIET == 0 {
            self.pass();
        }
        if self.layout.updates {
            self.update();
        }
    }

    #[inline]
    pub(crate) fn view(&self) -> View<'_> {
        View::new(self.rows, self.layout, self.words)
    }

    #[inline]
    pub(crate) fn word(&self, at: usize) -> u32 {
        self.words.get(at).copied().unwrap_or(0)
    }

    #[inline]
    pub(crate) fn number(&self, at: usize) -> f32 {
        f32::from_bits(self.word(at))
    }

    #[inline]
    pub(crate) fn put(&mut self, at: usize, word: u32) {
        if let Some(to) = self.words.get_mut(at) {
            *to = word;
        }
    }

    /// A number of two words.
    #[inline]
    pub(crate) fn put_long(&mut self, at: usize, number: u64) {
        let [low, high] = place::split(number);
        self.put(at, low);
        self.put(at + 1, high);
    }

    #[inline]
    pub(crate) fn put_number(&mut self, at: usize, number: f32) {
        self.put(at, number.to_bits());
    }

    pub(crate) fn put_bit(&mut self, first: usize, index: usize, on: bool) {
        let (at, bit) = (first + index / 32, 1 << (index % 32));
        let word = self.word(at);
        self.put(at, if on { word | bit } else { word & !bit });
    }

    /// Something that conditions read has changed.
    #[inline]
    pub(crate) fn stir(&mut self) {
        self.put(0, self.word(0) & !flag::FOUND);
        self.calm = false;
    }

    /// Something has changed that conditions need not read.
    #[inline]
    pub(crate) fn unsettle(&mut self) {
        self.put(0, self.word(0) & !flag::SETTLED);
        self.calm = false;
    }

    /// Takes work from the budget; false, and the end of decisions for this tick, where it is spent.
    #[inline]
    pub(crate) fn charge(&mut self, work: u32) -> bool {
        match self.budget.checked_sub(work) {
            Some(rest) => {
                self.budget = rest;
                true
            }
            None => {
                self.budget = 0;
                self.cut_off();
                false
            }
        }
    }

    /// Takes the work of walking so many rows from the budget.
    #[inline]
    pub(crate) fn charge_rows(&mut self, rows: u32) {
        if rows > 0 {
            self.charge(rows);
        }
    }

    /// Ends the decisions of this tick and says so, once.
    #[cold]
    fn cut_off(&mut self) {
        if !self.cut {
            self.cut = true;
            self.event(EventKind::ChainLimit { machine: None });
        }
    }

    /// Reports an event of this moment.
    pub(crate) fn event(&mut self, kind: EventKind) {
        self.fired = true;
        self.unsettle();
        self.out.push(self.now, kind, 1);
    }

    /// Answers of the host hold for one decision.
    pub(crate) fn forget_answers(&mut self) {
        if !self.asked {
            return;
        }
        self.asked = false;
        for word in 0..self.layout.extern_words {
            self.put(self.layout.externs_known + word, 0);
            self.put(self.layout.externs_true + word, 0);
        }
    }

    /// The machines, in the order in which they decide.
    pub(crate) fn machines(&self) -> impl Iterator<Item = MachineId> + use<> {
        (0..self.rows.machines.len()).filter_map(MachineId::from_index)
    }
}
