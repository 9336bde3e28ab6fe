//! Carrying an instance to a changed program, by names.
//!
//! What has the same name (parameters also the same type, states the same path, components theirs) goes on; what is gone
//! is reported, by name, and what is new is as in a new instance. No action runs. The result passes the same gate as a
//! restored save; the order of declarations does not matter.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use super::Instance;
use super::check::check;
use super::component::ComponentRef;
use super::create::Setup;
use super::track::{bits, head, mark, row};
use super::view::{NO_STATE, View, flag, play, trigger, word};
use crate::error::CreateError;
use crate::eval::STACK;
use crate::frame::Output;
use crate::ids::{
    AnimationId, BehaviorId, ComponentId, GroupId, LayerId, MachineId, MotionId, ParamId, StateId, TextId,
};
use crate::op::Op;
use crate::place;
use crate::program::layout::{Contest, LAYER_WORDS, NONE, PRESS_WORDS, SLOT_WORDS, Slot};
use crate::program::tables::{Behavior, Lifetime, LoopMode, MotionKind, Run, Target, Type};
use crate::program::tracks::{ROW_WORDS, Track, clip_at};
use crate::program::tree::Part;
use crate::program::{BehaviorRef, Program};
use crate::tick::{FOLLOW, Host, admitted};

/// What could not be carried to the changed program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MigrationReport {
    /// Each thing once.
    pub lost: Vec<Lost>,
}

/// Something that the changed program has no place for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// What it is: `parameter`, `state`, `animation`, ...
    pub what: &'static str,
    /// Its name, with the path of its component before it.
    pub name: String,
}

impl fmt::Display for MigrationReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, lost) in self.lost.iter().enumerate() {
            write!(f, "{}{} `{}`", if index == 0 { "" } else { ", " }, lost.what, lost.name)?;
        }
        Ok(())
    }
}

impl Instance {
    /// An instance of a changed program that goes on where this one is, as far as names lead: parameters of the same type,
    /// states by path (in place of one that is gone, its nearest surviving ancestor's initial state, or the machine's),
    /// playheads, fades, layer weights, what composites remember, armed triggers, animations and those that wait, smoothed
    /// values, random state, components. No entry or exit action runs.
    ///
    /// `setup` is as for [`new`](Self::new); durations that this instance was given are taken over where it gives none. To
    /// the same behavior of the same program this is a copy.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new), for the changed program.
    pub fn migrate(
        &self,
        program: &Arc<Program>,
        behavior: BehaviorId,
        setup: &Setup<'_>,
    ) -> Result<(Self, MigrationReport), CreateError> {
        if program.hash() == self.program.hash() && behavior == self.behavior {
            return Ok((self.clone(), MigrationReport::default()));
        }
        let durations = self.durations_for(program, behavior, setup);
        let setup = Setup { component_durations: &durations, ..*setup };
        let mut instance = Self::new(program, behavior, &setup)?;
        let mut report = MigrationReport::default();
        instance.carry_all(self, &mut report, false);
        if let Err(what) = instance.checked() {
            // What passes no gate is not handed out; parameters always do.
            instance = Self::new(program, behavior, &setup)?;
            report = MigrationReport::default();
            instance.carry_all(self, &mut report, true);
            report.lost.push(Lost { what: "all but parameters, for", name: what.to_owned() });
        }
        if self.pending.as_ref().is_some_and(|pending| !pending.events.is_empty()) {
            let name = "since the last tick".to_owned();
            report.lost.push(Lost { what: "reports", name });
        }
        Ok((instance, report))
    }

    fn checked(&self) -> Result<(), &'static str> {
        let mut parts = self.program.parts(self.behavior);
        parts.try_for_each(|(_, part)| check(&self.program, part, &self.words, &self.texts))
    }

    /// The durations of the setup, and before them those that this instance knows.
    fn durations_for(
        &self,
        program: &Program,
        behavior: BehaviorId,
        setup: &Setup<'_>,
    ) -> Vec<(ComponentId, AnimationId, f32)> {
        let mut all = Vec::new();
        if let Some(changed) = program.at(behavior) {
            for (id, animation) in changed.open_durations() {
                let Some(old) = self.counterpart(changed, id) else { continue };
                let (Some(view), Some(inside)) = (old.view(), changed.component_behavior(id)) else {
                    continue;
                };
                let name = inside.animation_name(animation);
                let found = old.program.at(old.behavior).and_then(|names| names.animation(name).ok());
                if let Some((_, slot)) = found.and_then(|found| view.slot(found)) {
                    all.push((id, animation, view.duration(slot)));
                }
            }
        }
        all.extend_from_slice(setup.component_durations);
        all
    }

    /// This instance's component of the same path.
    fn counterpart(&self, changed: BehaviorRef<'_>, id: ComponentId) -> Option<ComponentRef<'_>> {
        if id == ComponentId::ROOT {
            return self.component(id);
        }
        let own = self.program.at(self.behavior)?.component(&changed.component_path(id)).ok()?;
        self.component(own)
    }

    fn carry_all(&mut self, from: &Self, report: &mut MigrationReport, params_only: bool) {
        let program = self.program.clone();
        let Some(changed) = program.at(self.behavior) else { return };
        for (id, part) in program.parts(self.behavior) {
            let Some(old) = from.counterpart(changed, id) else { continue };
            let path = changed.component_path(id);
            let prefix = if path.is_empty() { path } else { format!("{path}.") };
            let lost = &mut report.lost;
            let Some(mut carry) = Carry::of(old, &program, part, self, &prefix, lost) else { continue };
            carry.params();
            if params_only {
                continue;
            }
            carry.states();
            let states = core::mem::take(&mut carry.states);
            if let Some(mut part) = self.component_mut(id) {
                part.act(&mut Output::new(0), &mut [0; STACK], &mut Host::default(), |core| {
                    core.create_damps();
                    core.create_layers();
                    core.create_motions();
                    core.forget_answers();
                });
            }
            let Some(mut carry) = Carry::of(old, &program, part, self, &prefix, lost) else { continue };
            carry.states = states;
            carry.layers();
            carry.slots();
            carry.waiting();
            carry.damps();
            carry.memories();
            carry.tracks();
            carry.targets();
            let known = carry.reactions();
            if let Some(mut part) = self.component_mut(id) {
                part.act(&mut Output::new(0), &mut [0; STACK], &mut Host::default(), |core| {
                    core.hold_reactions(|when| !known.contains(&when));
                    core.forget_answers();
                });
            }
        }
        self.lost_components(from, report);
    }

    fn lost_components(&self, from: &Self, report: &mut MigrationReport) {
        let (Some(old), Some(new)) = (from.program.at(from.behavior), self.program.at(self.behavior)) else {
            return;
        };
        for id in old.components() {
            let name = old.component_path(id);
            if new.component(&name).is_err() {
                report.lost.push(Lost { what: "component", name });
            }
        }
    }
}

/// One part of an instance on its way.
struct Carry<'a> {
    view: View<'a>,
    names: BehaviorRef<'a>,
    old_program: &'a Program,
    old_texts: &'a [Option<Arc<str>>],
    rows: &'a Behavior,
    layout: &'a crate::program::layout::Layout,
    new_names: BehaviorRef<'a>,
    program: &'a Program,
    words: &'a mut [u32],
    texts: &'a mut [Option<Arc<str>>],
    /// The states by those that they were.
    states: BTreeMap<StateId, StateId>,
    prefix: &'a str,
    lost: &'a mut Vec<Lost>,
}

impl<'a> Carry<'a> {
    fn of(
        old: ComponentRef<'a>,
        program: &'a Program,
        part: Part,
        instance: &'a mut Instance,
        prefix: &'a str,
        lost: &'a mut Vec<Lost>,
    ) -> Option<Self> {
        let old_rows = old.program.behavior(old.behavior)?;
        Some(Self {
            view: View::new(old_rows, old.program.layout(old.behavior)?, old.words),
            names: old.program.at(old.behavior)?,
            old_program: old.program,
            old_texts: old.texts,
            rows: program.behavior(part.behavior)?,
            layout: program.layout(part.behavior)?,
            new_names: program.at(part.behavior)?,
            program,
            words: instance.words.get_mut(part.words..)?,
            texts: instance.texts.get_mut(part.texts..)?,
            states: BTreeMap::new(),
            prefix,
            lost,
        })
    }
}

impl Carry<'_> {
    fn put(&mut self, at: usize, word: u32) {
        if let Some(to) = self.words.get_mut(at) {
            *to = word;
        }
    }

    fn new_view(&self) -> View<'_> {
        View::new(self.rows, self.layout, self.words)
    }

    fn lose(&mut self, what: &'static str, name: &str) {
        let lost = Lost { what, name: format!("{}{name}", self.prefix) };
        if !self.lost.contains(&lost) {
            self.lost.push(lost);
        }
    }

    fn params(&mut self) {
        let (flags, own) = (self.view.word(0), self.words.first().copied().unwrap_or(0));
        self.put(0, own & !flag::FOUND | flags & !flag::FOUND);
        if let (Some(from), Some(to)) = (self.view.layout.rng, self.layout.rng) {
            for offset in 0..2 {
                self.put(to + offset, self.view.word(from + offset));
            }
        }
        for index in 0..self.view.rows.params.len() {
            let Some(old) = ParamId::from_index(index) else { return };
            let name = self.names.param_name(old);
            let carried = self.new_names.param(name).ok().and_then(|new| self.param(old, new));
            if carried.is_none() {
                self.lose("parameter", name);
            }
        }
    }

    fn param(&mut self, old: ParamId, new: ParamId) -> Option<()> {
        let (from, to) = (self.view.layout.params.get(old.index())?, self.layout.params.get(new.index())?);
        let (was, is) = (self.view.rows.params.get(old.index())?, self.rows.params.get(new.index())?);
        let from_at = from.at as usize;
        match (was.ty, is.ty) {
            (Type::Trigger, Type::Trigger) => {
                let armed = self.view.word(from_at) & trigger::ARMED;
                self.put(to.at as usize, armed);
                if let Lifetime::Seconds(seconds) = is.lifetime {
                    let left = match was.lifetime {
                        Lifetime::Seconds(_) => self.view.number(from.extra as usize).min(seconds),
                        _ => seconds,
                    };
                    self.put(to.extra as usize, if armed != 0 { left.to_bits() } else { 0 });
                }
                return Some(());
            }
            (Type::Text, Type::Text) => {
                let own = |at: u32, side: u32| {
                    let word = self.view.word(at as usize);
                    match self.old_program.tables().texts.get(word as usize) {
                        Some(text) => Arc::from(text.as_str()),
                        None => self.old_texts.get(side as usize).cloned().flatten().unwrap_or_default(),
                    }
                };
                let now = own(from.at, from.side);
                let extra = if was.global { own(from.extra, from.side + 1) } else { now.clone() };
                self.text(to.at, to.side, now);
                if is.global {
                    self.text(to.extra, to.side + 1, extra);
                }
                return Some(());
            }
            _ => {}
        }
        let now = self.value(was.ty, is, self.view.word(from_at))?;
        self.put(to.at as usize, now);
        if is.global {
            let extra =
                if was.global { self.view.word(from.extra as usize) } else { self.view.word(from_at) };
            let extra = self.value(was.ty, is, extra)?;
            self.put(to.extra as usize, extra);
        }
        Some(())
    }

    fn value(&self, was: Type, row: &crate::program::tables::Param, value: u32) -> Option<u32> {
        let value = match (was, row.ty) {
            (Type::Bool, Type::Bool) | (Type::Number, Type::Number) | (Type::Color, Type::Color) => value,
            (Type::Enum(old), Type::Enum(new)) => {
                let variants = self.view.rows.enums.get(old.index())?.variants.of(&self.view.rows.variants);
                let name = self.old_program.text(*variants.get(value as usize)?);
                let variants = self.rows.enums.get(new.index())?.variants.of(&self.rows.variants);
                let found = variants.iter().position(|variant| self.program.text(*variant) == name)?;
                u32::try_from(found).ok()?
            }
            _ => return None,
        };
        admitted(self.rows, row, value)
    }

    fn text(&mut self, at: u32, side: u32, text: Arc<str>) {
        let known = self.program.text_id(&text);
        let host = u32::try_from(self.program.tables().texts.len()).unwrap_or(u32::MAX).saturating_add(side);
        self.put(at as usize, known.map_or(host, |id| id.0));
        if let Some(kept) = self.texts.get_mut(side as usize) {
            *kept = if known.is_some() { None } else { Some(text) };
        }
    }

    fn machine(&self, old: MachineId) -> Option<MachineId> {
        match self.names.machine_name(old) {
            None => self.new_names.main_machine(),
            Some(layer) => self.new_names.machine(layer).ok(),
        }
    }

    /// The states, and in which ones the machines are.
    fn states(&mut self) {
        let mut new = BTreeMap::new();
        for id in (0..self.rows.states.len()).filter_map(StateId::from_index) {
            if let Some(row) = self.rows.states.get(id.index()) {
                new.insert((row.machine, self.new_names.state_path(id)), id);
            }
        }
        for id in (0..self.view.rows.states.len()).filter_map(StateId::from_index) {
            let machine = self.view.machine_of(id).and_then(|machine| self.machine(machine));
            let found = machine.and_then(|machine| new.get(&(machine, self.names.state_path(id))));
            if let Some(found) = found {
                self.states.insert(id, *found);
            }
        }
        for old in (0..self.view.rows.machines.len()).filter_map(MachineId::from_index) {
            let Some(machine) = self.machine(old) else {
                let name = self.names.machine_name(old).unwrap_or_default();
                self.lose("machine of the layer", name);
                continue;
            };
            self.enter(old, machine);
        }
    }

    fn enter(&mut self, old: MachineId, machine: MachineId) {
        let (layout, view) = (self.layout, self.view);
        let leaf_of = |state: StateId| layout.states.get(state.index()).map(|info| info.leaf);
        let Some(was) = view.leaf(old) else { return };
        let mut around = view.outward(Some(was)).filter_map(|state| self.states.get(&state).copied());
        let kept = around.next().and_then(leaf_of);
        let Some(now) = kept.or_else(|| layout.starts.get(machine.index()).copied()) else { return };
        let same = self.states.get(&was) == Some(&now);
        if !same {
            self.lose("state", &self.names.state_full_path(was));
        }
        let previous = view.previous(old).and_then(|state| self.states.get(&state).copied());
        let previous = previous.filter(|state| leaf_of(*state) == Some(*state));
        let requested = view.requested(old).and_then(|state| self.states.get(&state).copied());
        if let (Some(state), None) = (view.requested(old), requested) {
            self.lose("request of the state", &self.names.state_full_path(state));
        }
        let half = |state: Option<StateId>| state.map_or(NO_STATE, |state| u32::from(state.0));
        let (from, to) = (view.machine_at(old), self.new_view().machine_at(machine));
        self.put(to, u32::from(now.0) | half(previous) << 16);
        self.put(to + 1, half(requested) | NO_STATE << 16);
        self.put(to + 2, if requested.is_some() { view.word(from + 2) } else { 0 });
        for offset in 3..5 {
            self.put(to + offset, if same { view.word(from + offset) } else { 0 });
        }
    }

    fn layers(&mut self) {
        for old in (0..self.view.rows.layers.len()).filter_map(LayerId::from_index) {
            let name = self.names.layer_name(old);
            let Ok(new) = self.new_names.layer(name) else {
                self.lose("layer", name);
                continue;
            };
            let from = self.view.layout.layers + old.index() * LAYER_WORDS;
            let to = self.layout.layers + new.index() * LAYER_WORDS;
            self.put(to, self.view.word(from));
            let target = self.view.word(from + 1);
            let follows = self.rows.layers.get(new.index()).is_some_and(|row| row.weight.is_some());
            if target != FOLLOW || follows {
                self.put(to + 1, target);
            }
            let speed = |layout: &crate::program::layout::Layout, layer: LayerId| {
                layout.layer_speed.get(layer.index()).copied().filter(|at| *at != NONE)
            };
            if let (Some(from), Some(to)) = (speed(self.view.layout, old), speed(self.layout, new)) {
                self.put(to as usize, self.view.word(from as usize));
            }
        }
    }

    fn animation(&self, old: AnimationId) -> Option<AnimationId> {
        self.new_names.animation(self.names.animation_name(old)).ok()
    }

    fn set_bit(&mut self, first: usize, index: usize) {
        let at = first + index / 32;
        let bit = self.words.get(at).copied().unwrap_or(0) | 1 << (index % 32);
        self.put(at, bit);
    }

    /// Animations that actions started.
    fn slots(&mut self) {
        for (index, slot) in self.view.layout.slots.iter().enumerate() {
            let found = self.animation(slot.animation);
            if let Some((place, _)) = found.and_then(|found| self.new_view().slot(found))
                && self.view.bit(self.view.layout.finished, index)
            {
                self.set_bit(self.layout.finished, place);
            }
            if self.view.is_active(index) && found.is_none_or(|found| !self.slot(slot, found)) {
                self.lose("animation", self.names.animation_name(slot.animation));
            }
        }
    }

    fn slot(&mut self, old: &Slot, found: AnimationId) -> bool {
        let (view, layout) = (self.view, self.layout);
        let Some((index, slot)) = self.new_view().slot(found).map(|(index, slot)| (index, *slot)) else {
            return false;
        };
        let mut flags = view.flags(old);
        let fading = flags & play::FADING != 0;
        if slot.loop_mode != LoopMode::None {
            flags &= !play::ENDED;
        }
        if slot.loop_mode != LoopMode::PingPong && flags & play::TURNED != 0 {
            flags ^= play::TURNED | play::BACKWARD;
        }
        let taken = layout.slots.iter().enumerate().any(|(index, other)| {
            other.contest != Contest::Free
                && other.contest == slot.contest
                && self.new_view().is_active(index)
                && self.new_view().flags(other) & play::FADING == 0
        });
        let kind = |slot: &Slot| if fading { slot.fade_out.units } else { slot.fade_in.units };
        let mut fade = view.word(old.at as usize + word::FADE);
        let mut weight = view.number(old.at as usize + word::WEIGHT);
        if kind(&slot) != kind(old) || slot.weight != old.weight {
            // One of another length or another way begins anew where it is.
            weight = view.weight(old).min(slot.weight);
            fade = if fade == 0 { 0 } else { kind(&slot) };
        }
        if taken && !fading || fading && fade == 0 {
            return false;
        }
        if fade == 0 {
            weight = slot.weight;
        }
        self.set_bit(layout.active, index);
        let [fraction, position] = place::split(view.place(old));
        let words = [fraction, position, weight.to_bits(), fade, flags];
        for (offset, word) in words.into_iter().enumerate().take(SLOT_WORDS) {
            self.put(slot.at as usize + offset, word);
        }
        if slot.protection != NONE && old.protection != NONE && !fading {
            let left = view.long(old.protection as usize).min(slot.min_duration);
            for (offset, word) in place::split(left).into_iter().enumerate() {
                self.put(slot.protection as usize + offset, word);
            }
        }
        true
    }

    fn waiting(&mut self) {
        for old in (0..self.view.rows.groups.len()).filter_map(GroupId::from_index) {
            let word = self.view.word(self.view.layout.waiting + old.index());
            let slot = (word as usize).checked_sub(1).and_then(|index| self.view.layout.slots.get(index));
            let Some(slot) = slot else { continue };
            let found = self.animation(slot.animation).and_then(|found| self.new_view().slot(found));
            let held = |contest: Contest| {
                self.layout.slots.iter().enumerate().any(|(index, other)| {
                    other.contest == contest
                        && self.new_view().is_active(index)
                        && self.new_view().flags(other) & play::FADING == 0
                })
            };
            let fits = found.and_then(|(place, new)| match new.contest {
                Contest::Group(group) if held(new.contest) && !self.new_view().playing(new.animation) => {
                    Some((u32::try_from(place + 1).ok()?, group))
                }
                _ => None,
            });
            match fits {
                Some((place, group)) => self.put(self.layout.waiting + group.index(), place),
                None => self.lose("waiting animation", self.names.animation_name(slot.animation)),
            }
        }
    }

    /// Smoothed values by the names that they have; those without, by their order where there are as many.
    fn damps(&mut self) {
        let alike = self.view.rows.damps.len() == self.rows.damps.len();
        for index in 0..self.rows.damps.len() {
            let named = damp_name(self.program, self.rows, index);
            let found = match named {
                Some(name) => (0..self.view.rows.damps.len())
                    .find(|old| damp_name(self.old_program, self.view.rows, *old) == Some(name)),
                None => Some(index).filter(|_| alike),
            };
            if let Some(old) = found {
                self.put(self.layout.damps + index, self.view.word(self.view.layout.damps + old));
            }
        }
    }

    /// Times in composites and what they remember.
    fn memories(&mut self) {
        let states = core::mem::take(&mut self.states);
        for (old, new) in &states {
            let place =
                |list: &[u32], state: StateId| list.get(state.index()).copied().filter(|at| *at != NONE);
            let clocks = (place(&self.view.layout.clocks, *old), place(&self.layout.clocks, *new));
            if let (Some(from), Some(to)) = clocks
                && self.new_view().is_in(*new)
            {
                for offset in 0..2 {
                    self.put(to as usize + offset, self.view.word(from as usize + offset));
                }
            }
            let kept = (place(&self.view.layout.history, *old), place(&self.layout.history, *new));
            let (Some(from), Some(to)) = kept else { continue };
            let inner = self.view.word(from as usize).checked_sub(1).and_then(|id| u16::try_from(id).ok());
            let inner = inner.and_then(|id| states.get(&StateId(id)).copied());
            let deep = self.rows.states.get(new.index()).is_some_and(|row| row.history.is_deep());
            let parent = inner.and_then(|inner| self.rows.states.get(inner.index())?.parent);
            let inside = if deep { self.new_view().within(parent, *new) } else { parent == Some(*new) };
            if let Some(inner) = inner.filter(|_| inside) {
                self.put(to as usize, u32::from(inner.0) + 1);
            }
        }
        self.states = states;
    }

    fn tracks(&mut self) {
        let (old_layout, layout) = (self.view.layout, self.layout);
        if layout.serial != 0 && old_layout.serial != 0 {
            let serial = self
                .view
                .word(old_layout.serial)
                .wrapping_add(self.words.get(layout.serial).copied().unwrap_or(0));
            self.put(layout.serial, serial);
        }
        for old in &old_layout.tracks {
            let Some(new) = self.machine(old.machine).and_then(|machine| layout.track(machine)) else {
                continue;
            };
            self.track(old, new);
        }
    }

    /// A machine's playheads and its fade. What does not fit starts as in a new instance.
    fn track(&mut self, old: &Track, new: &Track) {
        let view = self.view;
        let owner = view.owner(old).and_then(|state| self.states.get(&state).copied());
        let same = owner == self.new_view().owner(new);
        let (was, is) = (view.motion(old), self.new_view().motion(new));
        let clips =
            |rows: &Behavior, leaves: &[u16], motion: Option<MotionId>, most: usize| -> Vec<MotionId> {
                (0..most).map_while(|index| clip_at(rows, leaves, motion, index)).collect()
            };
        let old_clips = clips(view.rows, &view.layout.leaves, was, old.current);
        let new_clips = clips(self.rows, &self.layout.leaves, is, new.current);
        let alike = old_clips.len() == new_clips.len()
            && old_clips.iter().zip(&new_clips).all(|(old, new)| self.clip_is(*old, *new));
        if !same || !alike {
            if let Some(state) = view.owner(old) {
                self.lose("motion of the state", &self.names.state_full_path(state));
            }
        } else {
            for (index, clip) in new_clips.iter().enumerate() {
                self.row(old.row(index), new.row(index), *clip);
            }
            let marks = view.word(old.at + head::OWNER) & (mark::FRESH | mark::KEPT);
            let owner = self.words.get(new.at + head::OWNER).copied().unwrap_or(0) & 0xFFFF;
            self.put(new.at + head::OWNER, owner | marks);
        }
        let holds = self.new_view().holds_pose(new);
        let fades = self.fade(old, new, same);
        if !(fades || holds && view.holds_pose(old)) {
            return;
        }
        for index in 0..old.outgoing.min(new.outgoing) {
            let (from, to) = (old.row(old.current + index), new.row(new.current + index));
            if !view.row_used(old, old.current + index) {
                continue;
            }
            let clip = MotionId(view.word(from + row::META) as u16);
            match self.some_clip(clip) {
                Some(new) => self.row(from, to, new),
                None => {
                    if let Some((_, animation)) = view.row_clip(old, old.current + index) {
                        self.lose("animation", self.names.animation_name(animation));
                    }
                }
            }
        }
    }

    /// Whether two clips play the animation of the same name.
    fn clip_is(&self, old: MotionId, new: MotionId) -> bool {
        let clip = |rows: &Behavior, motion: MotionId| match rows.motions.get(motion.index())?.kind {
            MotionKind::Clip { animation, .. } => Some(animation),
            _ => None,
        };
        let old = clip(self.view.rows, old).and_then(|animation| self.animation(animation));
        old.is_some() && old == clip(self.rows, new)
    }

    /// A clip that plays the same: that of the same place, or any.
    fn some_clip(&self, old: MotionId) -> Option<MotionId> {
        if self.rows.motions.len() == self.view.rows.motions.len() && self.clip_is(old, old) {
            return Some(old);
        }
        (0..self.rows.motions.len()).filter_map(MotionId::from_index).find(|new| self.clip_is(old, *new))
    }

    fn row(&mut self, from: usize, to: usize, clip: MotionId) {
        for offset in 0..ROW_WORDS {
            self.put(to + offset, self.view.word(from + offset));
        }
        let MotionKind::Clip { animation, .. } =
            self.rows.motions.get(clip.index()).map_or(MotionKind::Empty, |row| row.kind)
        else {
            return;
        };
        let mode = self.rows.animations.get(animation.index()).map(|row| row.loop_mode);
        let mut flags = self.view.word(from + word::FLAGS);
        if mode != Some(LoopMode::None) {
            flags &= !play::ENDED;
        }
        if mode != Some(LoopMode::PingPong) && flags & play::TURNED != 0 {
            flags ^= play::TURNED | play::BACKWARD;
        }
        self.put(to + word::FLAGS, flags);
        let meta = self.view.word(from + row::META) & bits::ALL & !0xFFFF;
        self.put(to + row::META, meta | u32::from(clip.0));
    }

    /// The fade under way, if its transition is still there.
    fn fade(&mut self, old: &Track, new: &Track, same: bool) -> bool {
        let view = self.view;
        if !view.fading(old) {
            return false;
        }
        let states = view.word(old.at + head::STATES);
        let state = |id: u32| self.states.get(&StateId(id as u16)).copied();
        let found = (state(states & 0xFFFF), state(states >> 16));
        let look = (view.word(old.at + head::LOOK) as usize).checked_sub(1);
        let look = look.and_then(|look| self.transition(old.machine, new.machine, look));
        let ((Some(from), Some(to)), Some(look), true) =
            (found, look, same && (new.outgoing > 0 || old.outgoing == 0))
        else {
            self.lose("crossfade to the state", &self.names.state_full_path(StateId((states >> 16) as u16)));
            return false;
        };
        for offset in [head::LEFT, head::DURATION, head::BASE] {
            self.put(new.at + offset, view.word(old.at + offset));
        }
        self.put(new.at + head::STATES, u32::from(from.0) | u32::from(to.0) << 16);
        self.put(new.at + head::LOOK, u32::try_from(look + 1).unwrap_or(0));
        true
    }

    /// The transition of the same source and target, of several the one in the same place among them.
    fn transition(&self, old: MachineId, new: MachineId, index: usize) -> Option<usize> {
        let target = |row: usize| match self.view.rows.transitions.get(row)?.target {
            Target::State(state) => Some(Target::State(*self.states.get(&state)?)),
            Target::Exit => Some(Target::Exit),
        };
        let wanted = target(index)?;
        let runs = |rows: &Behavior, state: Option<StateId>, machine: MachineId| -> Option<[Run; 3]> {
            Some(match state {
                Some(state) => {
                    let row = rows.states.get(state.index())?;
                    [row.transitions, row.any, row.done]
                }
                None => [rows.machines.get(machine.index())?.any, Run::default(), Run::default()],
            })
        };
        let owned =
            self.view.rows.machines.get(old.index())?.states.indices().filter_map(StateId::from_index);
        for state in owned.map(Some).chain([None]) {
            for (kind, run) in runs(self.view.rows, state, old)?.into_iter().enumerate() {
                if !run.indices().contains(&index) {
                    continue;
                }
                let before =
                    run.indices().take_while(|row| *row < index).filter(|row| target(*row) == Some(wanted));
                let place = before.count();
                let owner = match state {
                    Some(state) => Some(*self.states.get(&state)?),
                    None => None,
                };
                let run = *runs(self.rows, owner, new)?.get(kind)?;
                let is =
                    |row: &usize| self.rows.transitions.get(*row).is_some_and(|row| row.target == wanted);
                let all: Vec<usize> = run.indices().filter(is).collect();
                return all.get(place).or(all.last()).copied();
            }
        }
        None
    }

    /// What happened to targets of listeners.
    fn targets(&mut self) {
        for (place, target) in self.view.layout.presses.iter().enumerate() {
            let found = self.program.text_id(self.old_program.text(*target));
            let found = found.and_then(|target| self.layout.presses.binary_search(&target).ok());
            if let Some(to) = found {
                for offset in 0..PRESS_WORDS {
                    let word = self.view.word(self.view.layout.press + place * PRESS_WORDS + offset);
                    self.put(self.layout.press + to * PRESS_WORDS + offset, word);
                }
            }
        }
        let focused = self.view.layout.focus.and_then(|at| self.view.word(at).checked_sub(1)).map(TextId);
        let focused = focused.and_then(|target| self.program.text_id(self.old_program.text(target)));
        let known =
            |target: &TextId| self.rows.listeners.iter().any(|listener| listener.target == Some(*target));
        if let (Some(at), Some(target)) = (self.layout.focus, focused.filter(known)) {
            self.put(at, target.0 + 1);
        }
    }

    /// Which reactions hold, of those that have a counterpart: the ones that are known.
    fn reactions(&mut self) -> Vec<usize> {
        let mut pairs: Vec<(usize, usize)> = Vec::new();
        if self.view.rows.behavior_whens == self.rows.behavior_whens {
            pairs.extend((0..self.rows.behavior_whens as usize).map(|when| (when, when)));
        }
        for (old, new) in self.states.iter().filter(|(_, new)| self.new_view().is_in(**new)) {
            let whens = |rows: &Behavior, state: StateId| rows.states.get(state.index()).map(|row| row.whens);
            if let (Some(old), Some(new)) = (whens(self.view.rows, *old), whens(self.rows, *new))
                && old.count == new.count
            {
                pairs.extend(old.indices().zip(new.indices()));
            }
        }
        for (old, new) in &pairs {
            if self.view.bit(self.view.layout.whens, *old) {
                self.set_bit(self.layout.whens, *new);
            }
        }
        pairs.into_iter().map(|(_, new)| new).collect()
    }
}

/// The name of a smoothed value, if one stands for it.
fn damp_name<'p>(program: &'p Program, rows: &Behavior, damp: usize) -> Option<&'p str> {
    let is = |code: crate::ids::CodeId| {
        let ops = rows.codes.get(code.index()).map_or(&[][..], |code| code.ops.of(&rows.ops));
        matches!(ops, [Op::Damped { damp: id }] if id.index() == damp)
    };
    rows.predicates.iter().find(|row| is(row.condition)).map(|row| program.text(row.name))
}
