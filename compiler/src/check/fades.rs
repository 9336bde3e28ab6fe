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
        source: Option<StateId>,
        target: StateId,
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
        let share = matches!(written.duration, Some(Length::Cycles(_)));
        let targetless = self.motion_of(target) == StateMotion::None;
        // Many states may have to be looked at, so only where something asks.
        let cycles = |this: &Self, motion| match motion {
            StateMotion::None => Err(Fault::NoMotion),
            StateMotion::Known(motion) if !this.known.hir.is_synced(motion) => Err(Fault::Unsynced(motion)),
            _ => Ok(()),
        };
        let asks = share || items.sync.is_some();
        let fault = if asks { self.all_fail(machine, source, cycles) } else { None };
        if let (Some(duration), true, Some(fault)) = (items.duration, share, fault) {
            self.no_cycle(duration, fault, machine, source);
        }
        if let Some(sync) = items.sync {
            if let Some(fault) = fault {
                self.no_cycle(sync, fault, machine, source);
            } else if let Err(fault) = cycles(self, self.motion_of(target)) {
                self.no_cycle(sync, fault, machine, Some(target));
            }
        }
        if let (Some(start), true) = (items.start_at, targetless) {
            self.no_motion(start, machine, Some(target));
        }
    }

    /// Whether the motion of a state has one phase, if it has a motion.
    pub(super) fn keeps_phase(&self, state: StateId) -> bool {
        match self.motion_of(state) {
            StateMotion::Known(motion) => self.known.hir.is_synced(motion),
            StateMotion::None | StateMotion::Unclear => true,
        }
    }

    fn no_cycle(&mut self, property: &Item, fault: Fault, machine: MachineId, state: Option<StateId>) {
        match fault {
            Fault::Unsynced(motion) => self.unsynced(property, motion),
            _ => self.no_motion(property, machine, state),
        }
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
        let motion = match target.map(|target| self.motion_of(target)) {
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
