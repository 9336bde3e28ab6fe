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
use super::view::View;
use crate::error::CreateError;
use crate::eval::STACK;
use crate::frame::Output;
use crate::ids::{AnimationId, BehaviorId, ComponentId, StateId};
use crate::program::layout::Layout;
use crate::program::tables::Behavior;
use crate::program::tree::Part;
use crate::program::{BehaviorRef, Program};
use crate::tick::{Core, Host};

mod binds;
mod motions;
mod params;
mod playing;
mod reports;
mod states;
mod targets;

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
    /// values, random state, components, what is on its way through a bind, reports that wait. No entry or exit action
    /// runs.
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
        if self.rests() {
            let mut awake = self.clone();
            awake.wake();
            return awake.migrate(program, behavior, setup);
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
        instance.carry_reports(self, &mut report);
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
        let parts: Vec<_> = program.parts(self.behavior).collect();
        let prefix = |id| {
            let path = changed.component_path(id);
            if path.is_empty() { path } else { format!("{path}.") }
        };
        for (id, part) in &parts {
            let Some(old) = from.counterpart(changed, *id) else { continue };
            let prefix = prefix(*id);
            let carry = Carry::of(old, &program, *part, self, &prefix, &mut report.lost);
            carry.into_iter().for_each(|mut carry| carry.params());
        }
        // Before anything reads the parameters of components, outer ones first.
        for (id, part) in &parts {
            let known = from.counterpart(changed, *id).is_some();
            let new = from.counterpart(changed, *id).map_or(Vec::new(), |old| {
                let carry = Carry::of(old, &program, *part, self, "", &mut report.lost);
                carry.map_or(Vec::new(), |mut carry| carry.binds())
            });
            self.act_on(*id, |core| core.create_binds(|bind| !known || new.contains(&bind)));
        }
        if params_only {
            return;
        }
        for (id, part) in parts {
            let create = |core: &mut Core<'_, '_>| {
                core.create_damps();
                core.create_layers();
                core.create_motions();
                core.forget_answers();
            };
            let Some(old) = from.counterpart(changed, id) else {
                self.act_on(id, create);
                continue;
            };
            let prefix = prefix(id);
            let lost = &mut report.lost;
            let Some(mut carry) = Carry::of(old, &program, part, self, &prefix, lost) else { continue };
            carry.states();
            let states = core::mem::take(&mut carry.states);
            self.act_on(id, create);
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
            self.act_on(id, |core| {
                core.hold_reactions(|when| !known.contains(&when));
                core.forget_answers();
            });
        }
        self.lost_components(from, report);
    }

    /// Does something in a part's block that reports nothing.
    fn act_on(&mut self, id: ComponentId, act: impl FnOnce(&mut Core<'_, '_>)) {
        if let Some(mut part) = self.component_mut(id) {
            part.act(&mut Output::new(0), &mut [0; STACK], &mut Host::default(), act);
        }
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
    layout: &'a Layout,
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
}
