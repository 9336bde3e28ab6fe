//! Transitions: target, condition, properties; gates and crossfades have files of their own.

use std::collections::HashMap;

use motix_vm::easing::Easing;
use motix_vm::ids::{MachineId, StateId};
use motix_vm::program::tables::Length;

use crate::ast::{Item, Part};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir;
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, Seen, Site};
use super::defaults::Look;
use super::fades::FadeItems;
use super::gates::Gates;

impl Checker<'_, '_> {
    /// A transition of a state, or of `AnyState` where `source` is `None`.
    pub(super) fn transition(
        &mut self,
        item: &Item,
        machine: MachineId,
        source: Option<StateId>,
    ) -> Option<hir::Transition> {
        let site = Site::condition(Some(machine));
        let on_request = item
            .head
            .iter()
            .find_map(|part| if let Part::OnRequest(span) = part { Some(*span) } else { None });
        let condition = item.when().map(|when| self.condition_of(when, "`when`", site));
        if let (Some(when), Some(request)) = (item.when(), on_request) {
            let report = Diagnostic::new(
                Code::ConditionOnRequest,
                "a transition `on request` is never taken by itself, so its condition is never asked",
                when.span,
                "expected no condition",
            )
            .label(request, "because of this")
            .help("remove one of them");
            self.report(report);
        }
        let target = item.path().and_then(|path| {
            if self.is_exit(path)
                && self.known.scope.state_names.in_machine(machine, path.names[0].symbol).is_none()
            {
                self.unsupported("Transition Exit", path.span);
                return None;
            }
            self.state_in(path, machine)
        });
        self.transitions += 1;
        let mut transition = hir::Transition {
            span: item.span,
            order: self.transitions,
            target: target.unwrap_or_default(),
            target_span: item.path().map_or(item.span, |path| path.span),
            condition,
            priority: 0,
            instant: false,
            restart: false,
            fade: hir::Fade { duration: Length::Seconds(0.0), easing: Easing::Linear },
            gate: hir::Gate::default(),
            early_exit: true,
            pause_on_exit: false,
            sync: false,
            start_at: None,
            on_request: on_request.is_some(),
            random_weight: None,
            actions: Vec::new(),
        };
        let mut look = Look::default();
        let mut gates = Gates::default();
        let mut fade_items = FadeItems::default();
        let mut seen = Seen::default();
        for property in item.items() {
            if self.refuse(property) || !self.once(&mut seen, property) {
                continue;
            }
            if self.look(&mut look, property) {
                fade_items.add(property, &look);
                continue;
            }
            match property.keyword {
                Keyword::Instant => {
                    transition.instant = self.flag(property);
                    fade_items.instant = Some(property).filter(|_| transition.instant);
                }
                Keyword::Restart => transition.restart = self.flag(property),
                Keyword::StartAt => {
                    fade_items.start_at = Some(property);
                    transition.start_at = self.start_at(property, target);
                }
                Keyword::OnTransition => {
                    transition.actions.extend(self.actions(property, Site::actions(Some(machine))));
                }
                _ => self.gate(&mut gates, property),
            }
        }
        if let Some(lead_out) = gates.lead_out {
            fade_items.add(lead_out, &look);
        }
        let defaults = match transition.instant {
            true => Look::default(),
            false => self.machine_defaults.get(machine.index()).copied().unwrap_or_default(),
        };
        let full = look.or(defaults);
        transition.priority = full.priority.unwrap_or(0);
        transition.fade.duration = full.duration.unwrap_or(Length::Seconds(0.0));
        transition.fade.easing = full.easing.unwrap_or_default();
        transition.early_exit = full.early_exit.unwrap_or(true);
        transition.pause_on_exit = full.pause_on_exit.unwrap_or(false);
        // A default has nothing to say where there is no one phase; written in the transition, it was reported.
        let phases = [source, target].into_iter().flatten().all(|state| self.keeps_phase(state));
        transition.sync = full.sync.unwrap_or(false) && phases;
        transition.random_weight = full.random_weight;
        transition.gate = gates.gate;
        match on_request {
            Some(request) => self.check_requested(&gates, request),
            None => self.check_gates(&gates, machine, source),
        }
        self.check_fade(&fade_items, &look, &full, machine, source, target?);
        // Beyond the limit on states, ids stand for several.
        let exact = target.is_some_and(|state| state.0 < u16::MAX);
        if exact && source == target && !transition.restart {
            let report = Diagnostic::new(
                Code::SelfTransition,
                "a transition of a state to itself does nothing",
                transition.target_span,
                "this is the state itself",
            )
            .help("write `Restart` in its block to leave the state and enter it again");
            self.report(report);
        }
        Some(transition)
    }

    /// Reports transitions of one source and priority whose random weights are all 0.
    pub(super) fn check_random_weights(&mut self, transitions: &[hir::Transition]) {
        let mut groups: HashMap<i32, (bool, Vec<Span>)> = HashMap::new();
        let mut priorities = Vec::new();
        for transition in transitions.iter().filter(|transition| !transition.on_request) {
            let (zero, spans) = groups.entry(transition.priority).or_insert_with(|| {
                priorities.push(transition.priority);
                (true, Vec::new())
            });
            *zero &= transition.random_weight == Some(0.0);
            spans.push(transition.target_span);
        }
        for priority in priorities {
            let Some((true, spans)) = groups.get(&priority) else { continue };
            let mut report = Diagnostic::new(
                Code::NoWeight,
                "the random weights of these transitions are all 0, so none can be chosen",
                spans[0],
                "its `RandomWeight` is 0",
            );
            for span in spans.iter().skip(1).take(7) {
                report = report.label(*span, "and so is this one's");
            }
            self.report(report.help("give at least one of them a weight above 0"));
        }
    }
}
