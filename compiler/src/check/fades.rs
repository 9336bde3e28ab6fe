//! Crossfades of transitions: what needs a `Duration`, and what asks for the motions on both sides.

use motix_vm::ids::{MachineId, StateId};
use motix_vm::program::tables::{Length, Place};

use crate::ast::Item;
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::MotionKind;
use crate::syntax::Keyword;

use super::context::Checker;
use super::defaults::Look;
use super::gates::Fault;
use super::motions::StateMotion;
use super::transitions::Role;

/// The properties of a transition's crossfade, where they are written.
#[derive(Default)]
pub(super) struct FadeItems<'i> {
    duration: Option<&'i Item>,
    /// Those that do something during a crossfade only.
    during: Vec<&'i Item>,
    sync: Option<&'i Item>,
    pub(super) instant: Option<&'i Item>,
    pub(super) start_at: Option<&'i Item>,
}

impl<'i> FadeItems<'i> {
    /// Remembers a property, given what the transition says so far.
    pub(super) fn add(&mut self, property: &'i Item, look: &Look) {
        match property.keyword {
            Keyword::Duration => self.duration = Some(property),
            Keyword::Sync if look.sync == Some(true) => {
                self.sync = Some(property);
                self.during.push(property);
            }
            Keyword::Easing | Keyword::LeadOut => self.during.push(property),
            Keyword::PauseOnExit if look.pause_on_exit == Some(true) => self.during.push(property),
            Keyword::EarlyExit if look.early_exit == Some(false) => self.during.push(property),
            _ => {}
        }
    }
}

impl Checker<'_, '_> {
    /// The rules on crossfades that need the whole transition. `written` is what it says itself, `full` with its
    /// defaults.
    pub(super) fn check_fade(
        &mut self,
        items: &FadeItems<'_>,
        written: &Look,
        full: &Look,
        machine: MachineId,
        role: Role,
        target: Option<StateId>,
    ) {
        let instant = items.instant.filter(|_| written.fades());
        if let (Some(instant), Some(duration)) = (instant, items.duration) {
            let report = Diagnostic::new(
                Code::InstantFade,
                "an `Instant` transition has no `Duration`",
                duration.span,
                "this takes time",
            )
            .label(instant.span, "and this takes none")
            .help("remove one of them");
            self.report(report);
        }
        if !full.fades() {
            for property in &items.during {
                self.fade_missing(property);
            }
        }
        if let (Some(duration), Some(target), Role::State(source)) = (items.duration, target, role)
            && full.fades()
        {
            self.check_fades_at_all(duration, source, target);
        }
        let share = matches!(written.duration, Some(Length::Cycles(_)));
        // Many states may have to be looked at, so only where something asks.
        let cycles = |this: &Self, motion| match motion {
            StateMotion::None => Err(Fault::NoMotion),
            StateMotion::Known(motion) if !this.known.hir.is_synced(motion) => Err(Fault::Unsynced(motion)),
            _ => Ok(()),
        };
        let asks = share || items.sync.is_some();
        let fault = if asks { self.all_fail(machine, role, cycles) } else { None };
        if let (Some(duration), true, Some(fault)) = (items.duration, share, fault) {
            self.no_cycle(duration, fault, machine, role);
        }
        if let Some(sync) = items.sync {
            if let Some(fault) = fault {
                self.no_cycle(sync, fault, machine, role);
            } else if let Some(target) = target
                && let Some(fault) = self.all_fail(machine, Role::State(target), cycles)
            {
                self.no_cycle(sync, fault, machine, Role::State(target));
            } else if let (Some(target), Role::State(source), true) = (target, role, full.fades()) {
                self.check_common_cycle(sync, source, target);
            }
        }
        let none = |_: &Self, motion| if motion == StateMotion::None { Err(Fault::NoMotion) } else { Ok(()) };
        if let (Some(start), Some(target)) = (items.start_at, target)
            && self.all_fail(machine, Role::State(target), none).is_some()
        {
            self.no_motion(start, machine, Role::State(target));
        }
    }

    /// Tells of a `Sync` between motions that have no cycle in common.
    fn check_common_cycle(&mut self, sync: &Item, source: StateId, target: StateId) {
        let of = |this: &Self, state| match this.motion_in(state) {
            StateMotion::Known(motion) => Some((motion, this.ends_and_repeats(state)?)),
            _ => None,
        };
        let (Some((from, here)), Some((to, there))) = (of(self, source), of(self, target)) else { return };
        let fault = |runs: (bool, bool), other: (bool, bool)| match runs {
            (false, false) => Some("stands still"),
            (true, false) if other == (false, true) => Some("ends"),
            (false, true) if other == (true, false) => Some("loops"),
            _ => None,
        };
        let faults = [(from, fault(here, there)), (to, fault(there, here))];
        if faults.iter().all(|(_, fault)| fault.is_none()) {
            return;
        }
        let mut report = Diagnostic::new(
            Code::SyncOfNoCycle,
            "`Sync` keeps nothing in step here: the two motions have no cycle in common",
            sync.span,
            "one phase for both, during the crossfade",
        );
        for (motion, fault) in faults {
            if let (Some(row), Some(fault)) = (self.motion_row(motion), fault) {
                report = report.label(row.span, format!("this motion {fault}"));
            }
        }
        self.report(report.help("leave `Sync` out"));
    }

    /// Whether the motion of a state has one phase, if it has a motion.
    pub(super) fn keeps_phase(&self, state: StateId) -> bool {
        match self.motion_in(state) {
            StateMotion::Known(motion) => self.known.hir.is_synced(motion),
            StateMotion::None | StateMotion::Unclear => true,
        }
    }

    fn no_cycle(&mut self, property: &Item, fault: Fault, machine: MachineId, role: Role) {
        match fault {
            Fault::Unsynced(motion) => self.unsynced(property, motion),
            _ => self.no_motion(property, machine, role),
        }
    }

    /// Reports a crossfade between states in which one motion of a state around both runs on.
    fn check_fades_at_all(&mut self, duration: &Item, source: StateId, target: StateId) {
        let StateMotion::Known(motion) = self.motion_in(source) else { return };
        let own = self.motion_of(source) != StateMotion::None;
        let same = self.motion_in(target) == StateMotion::Known(motion);
        if own || !same || self.is_composite(source) || self.is_composite(target) {
            return;
        }
        let mut report = Diagnostic::new(
            Code::MotionRunsOn,
            "there is no crossfade here: the motion of the state around both runs on",
            duration.span,
            "it does nothing",
        );
        if let Some(row) = self.motion_row(motion) {
            report = report.label(row.span, "this motion plays before and after");
        }
        self.report(report.help("remove it, or give one of the two states a motion of its own"));
    }

    fn fade_missing(&mut self, property: &Item) {
        let word = property.keyword.name();
        let label = match property.keyword {
            Keyword::Sync => "without a fade, only the start of the target is in phase",
            _ => "it does nothing here",
        };
        let report = Diagnostic::new(
            Code::FadeMissing,
            format!("`{word}` concerns the crossfade, and this transition has none"),
            property.span,
            label,
        );
        self.report(report.help("give it a length: `Duration 200ms`"));
    }

    /// Where a transition starts its target's motion.
    pub(super) fn start_at(&mut self, property: &Item, target: Option<StateId>) -> Option<Place> {
        let leaf = target.filter(|target| !self.is_composite(*target));
        let motion = match leaf.map(|target| self.motion_in(target)) {
            Some(StateMotion::Known(motion)) => Some(motion),
            _ => None,
        };
        let duration = motion.and_then(|motion| self.known.hir.animation_of(motion)?.1.duration);
        let place = self.place_within(property.value()?, "`StartAt`", duration)?;
        if let (Place::Seconds(_), Some(motion)) = (place, motion)
            && let Some(row) = self.motion_row(motion)
            && matches!(row.kind, MotionKind::Blend { .. })
        {
            let report = Diagnostic::new(
                Code::BlendSeconds,
                "`StartAt` is a time, and the cycle of a blend has no fixed length",
                property.span,
                "expected a share of the cycle",
            )
            .label(row.span, "the motion that it starts");
            self.report(report.help("write a share, such as `StartAt 20%`"));
            return None;
        }
        Some(place)
    }
}
