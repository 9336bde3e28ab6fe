//! Components: after a behavior's own tick, each of them ticks as an instance would, between two copies of what it
//! shares with the behavior around it.
//!
//! Down go the values that the component is given, then it ticks with all that is inside it, then up come those that
//! it gives; the outer behavior sees them in its next decision. A copy is a `Set`: the side that takes it clamps. A
//! two-way bind remembers what both sides were, so that only a change is copied and nothing swings to and fro; a bind
//! of triggers remembers how often each had been fired, so that a firing is passed on once, whoever consumed it.

use alloc::sync::Arc;

use super::{Core, admitted};
use crate::ids::{ComponentId, ParamId, TextId};
use crate::instance::globals::Stored;
use crate::instance::view::flag;
use crate::program::Program;
use crate::program::layout::{BindSlot, Inner, Layout, NONE};
use crate::program::tables::{Behavior, Bind, Component, Type};

/// A value on its way between two blocks: a word, or a text that the host gave.
enum Given {
    Word(u32),
    Text(Arc<str>),
}

/// A component and what runs in it.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) row: &'a Component,
    pub(super) inner: Inner,
    rows: &'a Behavior,
    pub(super) layout: &'a Layout,
}

impl<'a> Place<'a> {
    fn of(program: &'a Program, row: &'a Component, inner: &Inner) -> Option<Self> {
        let (rows, layout) = (program.behavior(row.behavior)?, program.layout(row.behavior)?);
        Some(Self { row, inner: *inner, rows, layout })
    }
}

impl<'a, 'h> Core<'a, 'h> {
    /// Lets the components tick, in order of declaration.
    pub(crate) fn tick_components(&mut self, dt: f32, units: u64) {
        for place in self.places() {
            self.copy_down(place);
            self.within(place, 0, |core| core.tick_tree(dt, units));
            self.copy_up(place);
        }
    }

    /// Brings the components to where they begin, the parameters that they share at the values that stand here.
    pub(crate) fn create_components(&mut self) {
        self.create_binds(|_| true);
        for place in self.places() {
            self.within(place, 0, |core| core.create());
        }
    }

    /// Lets binds begin: the components take the values that stand here, and no firing is on its way. `which` chooses
    /// them by their rows.
    pub(crate) fn create_binds(&mut self, which: impl Fn(usize) -> bool) {
        for place in self.places() {
            let rows = place.row.binds.indices();
            for (_, (bind, slot)) in rows.zip(self.binds(place)).filter(|(row, _)| which(*row)) {
                if self.is_trigger(bind) {
                    self.put(slot.at as usize, self.firings(bind.param));
                    self.put(slot.at as usize + 1, self.firings_inside(place, bind.inner));
                } else {
                    self.give(place, bind, slot);
                }
            }
        }
    }

    /// What a probe of a component gives, as a word that is understood here. What is on the stack below `sp` stays.
    pub(crate) fn ask_inside(&mut self, component: usize, probe: usize, sp: usize) -> u32 {
        let Some(place) = self.place(component) else { return 0 };
        let Some(probe) = place.rows.probes.get(probe) else { return 0 };
        let word = self.within(place, sp, |core| core.eval(probe.code, probe.machine));
        let known = self.program.tables().texts.len();
        match probe.ty {
            // A text of the host stands among those of this block too, further behind.
            Type::Text if word as usize >= known => {
                word.saturating_add(u32::try_from(place.inner.texts).unwrap_or(u32::MAX))
            }
            _ => word,
        }
    }

    fn place(&self, index: usize) -> Option<Place<'a>> {
        let (row, inner) = (self.rows.components.get(index)?, self.layout.inner.get(index)?);
        Place::of(self.program, row, inner)
    }

    pub(super) fn places(&self) -> impl Iterator<Item = Place<'a>> + use<'a> {
        let (program, rows, layout) = (self.program, self.rows, self.layout);
        let placed = rows.components.iter().zip(&layout.inner);
        placed.filter_map(move |(row, inner)| Place::of(program, row, inner))
    }

    fn binds(&self, place: Place<'a>) -> impl Iterator<Item = (&'a Bind, BindSlot)> + use<'a> {
        let (run, rows, layout) = (place.row.binds, self.rows, self.layout);
        let slots = layout.binds.get(run.indices()).unwrap_or_default();
        run.of(&rows.binds).iter().zip(slots.iter().copied())
    }

    fn is_trigger(&self, bind: &Bind) -> bool {
        self.layout.params.get(bind.param.index()).is_some_and(|slot| slot.is_trigger)
    }

    /// Does something in a component's block, with the stack from `sp` on. Its work is taken from the same budget.
    pub(super) fn within<R>(
        &mut self,
        place: Place<'a>,
        sp: usize,
        act: impl FnOnce(&mut Core<'_, 'h>) -> R,
    ) -> R {
        let Inner { part, words, texts } = place.inner;
        let outer = self.out.component;
        self.out.component = ComponentId(outer.0.saturating_add(part));
        let mut core = Core::new(
            self.program,
            place.rows,
            place.layout,
            span(self.words, words, place.layout.tree.words),
            span(self.texts, texts, place.layout.tree.texts),
            self.out,
            self.stack.get_mut(sp..).unwrap_or_default(),
            self.host,
        );
        core.budget = self.budget;
        let result = act(&mut core);
        self.budget = core.budget;
        self.out.component = outer;
        result
    }

    fn copy_down(&mut self, place: Place<'a>) {
        for (bind, slot) in self.binds(place).filter(|(bind, _)| bind.direction.is_down()) {
            if self.is_trigger(bind) {
                let count = self.firings(bind.param);
                if self.word(slot.at as usize) != count {
                    self.put(slot.at as usize, count);
                    self.within(place, 0, |core| core.fire(bind.inner));
                    self.count_on(slot.at as usize + 1);
                }
            } else if slot.at == NONE || !self.is_seen(&self.value(bind.param), slot, 0) {
                self.give(place, bind, slot);
            }
        }
    }

    fn copy_up(&mut self, place: Place<'a>) {
        for (bind, slot) in self.binds(place).filter(|(bind, _)| bind.direction.is_up()) {
            if self.is_trigger(bind) {
                let count = self.firings_inside(place, bind.inner);
                if self.word(slot.at as usize + 1) != count {
                    self.put(slot.at as usize + 1, count);
                    self.fire(bind.param);
                    self.count_on(slot.at as usize);
                }
                continue;
            }
            let given = self.value_inside(place, bind.inner);
            if slot.at == NONE || !self.is_seen(&given, slot, 1) {
                self.accept(bind.param, given);
                self.keep_seen(place, bind, slot);
            }
        }
    }

    /// How often a trigger was fired.
    fn firings(&self, param: ParamId) -> u32 {
        self.layout.params.get(param.index()).map_or(0, |slot| self.word(slot.fired as usize))
    }

    /// The same of a component's trigger.
    fn firings_inside(&self, place: Place<'a>, param: ParamId) -> u32 {
        let at = place.layout.params.get(param.index()).map_or(NONE, |param| param.fired);
        self.word(place.inner.words + at as usize)
    }

    /// One firing more was seen: the one that this bind passed on.
    fn count_on(&mut self, at: usize) {
        self.put(at, self.word(at).wrapping_add(1));
    }

    /// Gives a component the value that stands here.
    fn give(&mut self, place: Place<'a>, bind: &Bind, slot: BindSlot) {
        let Some((row, inner)) =
            place.rows.params.get(bind.inner.index()).zip(place.layout.params.get(bind.inner.index()))
        else {
            return;
        };
        match self.value(bind.param) {
            // Most values are words that differ in few ticks.
            Given::Word(word) if !row.global && row.ty != Type::Text => {
                let at = place.inner.words + inner.at as usize;
                if let Some(word) = admitted(place.rows, row, word)
                    && self.word(at) != word
                {
                    self.put(at, word);
                    self.put(place.inner.words, self.word(place.inner.words) & !flag::FOUND);
                }
            }
            given => self.within(place, 0, |core| core.accept(bind.inner, given)),
        }
        self.keep_seen(place, bind, slot);
    }

    /// Remembers both sides of a two-way bind.
    fn keep_seen(&mut self, place: Place<'a>, bind: &Bind, slot: BindSlot) {
        if slot.at == NONE {
            return;
        }
        match self.value(bind.param) {
            given if slot.side != NONE => {
                let text = if let Given::Text(text) = &given { Some(text.clone()) } else { None };
                let word = self.kept(&given, slot.side);
                if let Some(kept) = self.texts.get_mut(slot.side as usize) {
                    *kept = text;
                }
                self.put(slot.at as usize, word);
            }
            given => {
                let word = self.kept(&given, NONE);
                self.put(slot.at as usize, word);
                let inside = self.value_inside(place, bind.inner);
                let word = self.kept(&inside, NONE);
                self.put(slot.at as usize + 1, word);
            }
        }
    }

    /// The word of a value whose text is kept in the slot `side`.
    fn kept(&self, given: &Given, side: u32) -> u32 {
        match given {
            Given::Word(word) => *word,
            Given::Text(_) => {
                u32::try_from(self.program.tables().texts.len()).unwrap_or(u32::MAX).saturating_add(side)
            }
        }
    }

    /// Whether a two-way bind saw that value last: the outer side's (0), or the component's (1). Texts are equal on
    /// both sides.
    fn is_seen(&self, given: &Given, slot: BindSlot, side: usize) -> bool {
        let side = if slot.side == NONE { side } else { 0 };
        let word = self.word(slot.at as usize + side);
        match given {
            Given::Word(given) => *given == word,
            Given::Text(text) => self.host_text(word).is_some_and(|seen| seen == text),
        }
    }

    /// The value of a parameter.
    fn value(&self, param: ParamId) -> Given {
        let slot = self.layout.params.get(param.index());
        let word = slot.map_or(0, |slot| self.word(slot.at as usize));
        self.detached(self.rows, param, word, 0)
    }

    /// The value of a component's parameter.
    fn value_inside(&self, place: Place<'a>, param: ParamId) -> Given {
        let slot = place.layout.params.get(param.index());
        let word = slot.map_or(0, |slot| self.word(place.inner.words + slot.at as usize));
        self.detached(place.rows, param, word, place.inner.texts)
    }

    /// A parameter's word without the block that it is from, whose texts begin at `texts`.
    fn detached(&self, rows: &Behavior, param: ParamId, word: u32, texts: usize) -> Given {
        let is_text = rows.params.get(param.index()).is_some_and(|row| row.ty == Type::Text);
        let slot = (word as usize).checked_sub(self.program.tables().texts.len()).filter(|_| is_text);
        let text = slot.and_then(|slot| self.texts.get(texts + slot)?.as_ref());
        text.map_or(Given::Word(word), |text| Given::Text(text.clone()))
    }

    /// Sets a parameter to a value of another block.
    fn accept(&mut self, param: ParamId, given: Given) {
        let text = match given {
            Given::Word(word) => return self.assign(param, word),
            Given::Text(text) => text,
        };
        let (Some(slot), Some(row)) =
            (self.layout.params.get(param.index()), self.rows.params.get(param.index()))
        else {
            return;
        };
        if row.global {
            let name = self.program.text(row.name);
            let stored = || Stored::Text(text.clone());
            let kept = self.host.globals.as_mut().is_some_and(|store| store.replace(name, stored()));
            if !kept {
                self.write_text(slot.extra as usize, slot.side.wrapping_add(1), Ok(text.clone()));
            }
        }
        self.write_text(slot.at as usize, slot.side, Ok::<_, TextId>(text));
    }
}

fn span<T>(all: &mut [T], first: usize, count: usize) -> &mut [T] {
    all.get_mut(first..).and_then(|rest| rest.get_mut(..count)).unwrap_or_default()
}
