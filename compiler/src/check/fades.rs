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
        let none = |_: &Self, motion| if motion == StateMotion::None { Err(Fault::NoMotion) } else { Ok(()) };
        let sourceless = (share || items.sync.is_some()) && self.all_fail(machine, source, none).is_some();
        if let (Some(duration), true) = (items.duration, share && sourceless) {
            self.no_motion(duration, machine, source);
        }
        if let Some(sync) = items.sync {
            if sourceless {
                self.no_motion(sync, machine, source);
            } else if targetless {
                self.no_motion(sync, machine, Some(target));
            }
        }
        if let (Some(start), true) = (items.start_at, targetless) {
            self.no_motion(start, machine, Some(target));
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
        let duration = target.and_then(|target| match self.motion_of(target) {
            StateMotion::Known(motion) => match self.motion_row(motion)?.kind {
                MotionKind::Clip { animation, .. } => {
                    self.known.hir.animations.get(animation.index())?.duration
                }
                MotionKind::Empty => None,
            },
            _ => None,
        });
        self.place_within(property.value()?, "`StartAt`", duration)
    }
}
