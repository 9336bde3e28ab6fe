//! What transitions say of themselves, and what `TransitionDefaults` gives them where they say nothing.

use motix_vm::easing::Easing;
use motix_vm::ids::{MachineId, StateId};
use motix_vm::program::tables::Length;

use crate::ast::{self, Item};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Literal, Ty};
use crate::syntax::Keyword;

use super::context::{Checker, Seen};
use super::units::{Range, Unit, percent};

/// Properties that stand in transitions and in `TransitionDefaults`: those that are written.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Look {
    pub(super) priority: Option<i32>,
    pub(super) duration: Option<Length>,
    pub(super) easing: Option<Easing>,
    pub(super) early_exit: Option<bool>,
    pub(super) pause_on_exit: Option<bool>,
    pub(super) sync: Option<bool>,
    pub(super) random_weight: Option<f32>,
}

impl Look {
    /// This, and what it leaves out from another.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            priority: self.priority.or(other.priority),
            duration: self.duration.or(other.duration),
            easing: self.easing.or(other.easing),
            early_exit: self.early_exit.or(other.early_exit),
            pause_on_exit: self.pause_on_exit.or(other.pause_on_exit),
            sync: self.sync.or(other.sync),
            random_weight: self.random_weight.or(other.random_weight),
        }
    }

    /// Whether there is a crossfade.
    pub(super) fn fades(&self) -> bool {
        matches!(self.duration, Some(Length::Seconds(length) | Length::Cycles(length)) if length > 0.0)
    }
}

impl Checker<'_, '_> {
    /// The defaults for what stands in a composite, or else in the root of a machine.
    pub(super) fn defaults_around(&self, machine: MachineId, composite: Option<StateId>) -> Look {
        let found = match composite {
            Some(state) => self.state_defaults.get(state.index()),
            None => self.machine_defaults.get(machine.index()),
        };
        found.copied().unwrap_or_default()
    }

    /// The defaults that a block gives, over those of the block around it.
    pub(super) fn defaults_in(&mut self, owner: &Item, outer: Look) -> Look {
        let mut found = Look::default();
        let mut seen = Seen::default();
        for item in owner.items().filter(|item| item.keyword == Keyword::TransitionDefaults) {
            if !self.once(&mut seen, item) {
                continue;
            }
            let mut inner = Seen::default();
            for property in item.items() {
                if self.once(&mut inner, property) {
                    self.look(&mut found, property);
                }
            }
        }
        found.or(outer)
    }

    /// A property that may stand in `TransitionDefaults` too; false for others.
    pub(super) fn look(&mut self, look: &mut Look, property: &Item) -> bool {
        match (property.keyword, property.value()) {
            // A wrong value still says that this is not the default's.
            (Keyword::Priority, Some(value)) => look.priority = Some(self.priority(value).unwrap_or(0)),
            (Keyword::Duration, Some(value)) => {
                look.duration = Some(self.length(value).unwrap_or(Length::Seconds(1.0)));
            }
            (Keyword::Easing, Some(value)) => {
                look.easing = Some(self.easing(value).unwrap_or(Easing::Linear));
            }
            (Keyword::RandomWeight, Some(value)) => {
                let weight = self.number(value, "`RandomWeight`", Range::NotNegative);
                look.random_weight = Some(weight.unwrap_or(1.0));
            }
            (Keyword::EarlyExit, _) => look.early_exit = Some(self.flag(property)),
            (Keyword::PauseOnExit, _) => look.pause_on_exit = Some(self.flag(property)),
            (Keyword::Sync, _) => look.sync = Some(self.flag(property)),
            _ => return false,
        }
        true
    }

    /// The length of a crossfade: a duration, or a share of the source motion's cycle.
    fn length(&mut self, expr: &ast::Expr) -> Option<Length> {
        if self.unit_of(expr) != Unit::Ratio {
            let seconds = self.duration(expr, "`Duration`");
            self.warn_of_long_fade(expr, seconds, "`Duration`");
            return seconds.map(Length::Seconds);
        }
        let Some(Literal::Number(share)) = self.constant(expr, Ty::Number, "`Duration`") else { return None };
        if share < 0.0 {
            let report = Diagnostic::new(
                Code::OutOfRange,
                format!("`Duration` is {}", percent(share)),
                expr.span,
                "expected a share of 0% or more",
            );
            self.report(report);
            return None;
        }
        Some(Length::Cycles(share))
    }
}
