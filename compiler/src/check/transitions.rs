//! Transitions: target, condition, properties; gates and crossfades have files of their own.

use crate::hash::HashMap;

use motix_vm::ids::{MachineId, StateId};
use motix_vm::program::tables::Length;

use crate::ast::{Item, Part};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Target};
use crate::resolve::Seat;
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, Seen, Site};
use super::defaults::Look;
use super::fades::FadeItems;
use super::gates::Gates;

/// Whose a transition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Of a state.
    State(StateId),
    /// Of the `AnyState` of a machine, or of one inside a composite.
    Any(Option<StateId>),
    /// An `OnDone` of a composite.
    Done(StateId),
}

impl Role {
    /// The state in whose block it stands, unless it is of an `AnyState`.
    pub(super) const fn source(self) -> Option<StateId> {
        match self {
            Self::State(state) | Self::Done(state) => Some(state),
            Self::Any(_) => None,
        }
    }

    const fn seat(self) -> Seat {
        match self {
            Self::State(state) | Self::Done(state) => Seat::State(state),
            Self::Any(Some(state)) => Seat::Inside(state),
            Self::Any(None) => Seat::Machine,
        }
    }
}

impl Checker<'_, '_> {
    /// A transition.
    pub(super) fn transition(
        &mut self,
        item: &Item,
        machine: MachineId,
        role: Role,
    ) -> Option<hir::Transition> {
        let seat = role.seat();
        let site = Site::condition(Some(machine)).at(seat);
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
            if self.is_exit(path, machine, seat) {
                return self.exit_leads(path, role).then_some(Target::Exit);
            }
            self.state_in(path, machine, seat).map(Target::State)
        });
        let exits = item.path().is_some_and(|path| self.is_exit(path, machine, seat));
        if let (Some(request), true) = (on_request, exits) {
            self.misfit("on request", request, "a request names a state, and `Exit` is none", None);
        }
        let target_state = target.and_then(Target::state);
        let target_span = item.path().map_or(item.span, |path| path.span);
        let place = target.unwrap_or(Target::Exit);
        let mut transition = self.new_transition(item.span, place, target_span);
        transition.condition = condition;
        transition.on_request = on_request.is_some();
        let mut look = Look::default();
        let mut gates = Gates::default();
        let mut fade_items = FadeItems::default();
        let mut seen = Seen::default();
        for property in item.items() {
            if !self.once(&mut seen, property) {
                continue;
            }
            if let Some(why) = misfits(property.keyword, role, exits) {
                self.misfit(property.keyword.name(), property.span, why, exits.then_some(target_span));
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
                    transition.start_at = self.start_at(property, target_state);
                }
                Keyword::OnTransition => {
                    transition.actions.extend(self.actions(property, Site::actions(Some(machine)).at(seat)));
                }
                _ => self.gate(&mut gates, property),
            }
        }
        if let Some(lead_out) = gates.lead_out {
            fade_items.add(lead_out, &look);
        }
        let full = look.or(self.defaults_of(&look, transition.instant, exits, machine, role));
        transition.priority = full.priority.unwrap_or(0);
        transition.fade.duration = full.duration.unwrap_or(Length::Seconds(0.0));
        transition.fade.easing = full.easing.unwrap_or_default();
        transition.early_exit = full.early_exit.unwrap_or(true);
        transition.pause_on_exit = full.pause_on_exit.unwrap_or(false);
        // A default has nothing to say where there is no one phase; written in the transition, it was reported.
        let phases = [role.source(), target_state].into_iter().flatten().all(|state| self.keeps_phase(state));
        transition.sync = full.sync.unwrap_or(false) && phases;
        transition.random_weight = full.random_weight;
        transition.gate = gates.gate;
        match on_request {
            Some(request) => self.check_requested(&gates, request),
            None => self.check_gates(&gates, machine, role),
        }
        let target = target?;
        self.check_fade(&fade_items, &look, &full, machine, role, target_state);
        if let (Target::State(target), false) = (target, transition.restart) {
            self.check_leads_away(&transition, target, role);
        }
        Some(transition)
    }

    /// A transition that says nothing yet.
    pub(super) fn new_transition(
        &mut self,
        span: Span,
        target: Target,
        target_span: Span,
    ) -> hir::Transition {
        self.transitions += 1;
        hir::Transition::new(span, self.transitions, target, target_span)
    }

    /// What a transition leaves out and its surroundings give. An `Exit` that says nothing of its crossfade has that of
    /// the `OnDone` that it takes.
    fn defaults_of(&self, look: &Look, instant: bool, exits: bool, machine: MachineId, role: Role) -> Look {
        if instant {
            return Look::default();
        }
        let around = match role {
            Role::State(state) | Role::Done(state) => self.known.scope.state_names.parent(state),
            Role::Any(composite) => composite,
        };
        let mut defaults = self.defaults_around(machine, around);
        if exits && around.is_some() && !look.fades() {
            defaults = Look {
                priority: defaults.priority,
                random_weight: defaults.random_weight,
                ..Look::default()
            };
        }
        if matches!(role, Role::Done(_)) {
            defaults.random_weight = None;
        }
        defaults
    }

    /// Reports a transition that leads nowhere, as it is there already.
    fn check_leads_away(&mut self, transition: &hir::Transition, target: StateId, role: Role) {
        // Beyond the limit on states, ids stand for several.
        if target.0 == u16::MAX {
            return;
        }
        let (message, label) = match role {
            // To a composite from inside: it begins anew.
            Role::State(source) if source == target && !self.is_composite(target) => {
                ("a transition of a state to itself does nothing", "this is the state itself")
            }
            Role::Any(Some(around)) if around == target => (
                "an `AnyState` does not lead to a state that is active, as the one around it always is",
                "this is the state around it",
            ),
            _ => return,
        };
        let mut report = Diagnostic::new(Code::SelfTransition, message, transition.target_span, label);
        if let Some(hidden) = self.hidden_by(target) {
            report = report
                .label(hidden, "a state of the same name outside is hidden by it")
                .help("if the other one is meant, give one of them another name");
        }
        self.report(report.help("write `Restart` in its block to leave the state and enter it again"));
    }

    /// Where a state stands that has the same name and is around.
    fn hidden_by(&self, state: StateId) -> Option<Span> {
        let names = &self.known.scope.state_names;
        let name = self.known.scope.states.get(state.index())?.name.symbol;
        let mut at = names.parent(state);
        while let Some(outer) = at {
            if let Some(hidden) = names.beside(outer, name) {
                return self.known.scope.states.get(hidden.index()).map(|row| row.name.span);
            }
            at = names.parent(outer);
        }
        None
    }

    /// Reports transitions of one source and priority whose random weights are all 0.
    pub(super) fn check_random_weights(&mut self, transitions: &[hir::Transition]) {
        if transitions.iter().all(|transition| transition.random_weight != Some(0.0)) {
            return;
        }
        let mut groups: HashMap<i32, (bool, Vec<Span>)> = HashMap::default();
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

/// Why a property does not fit a kind of transition.
const fn misfits(keyword: Keyword, role: Role, exits: bool) -> Option<&'static str> {
    let gate = matches!(
        keyword,
        Keyword::After | Keyword::ExitTime | Keyword::AtEnd | Keyword::LeadOut | Keyword::AtMarker
    );
    match (role, keyword) {
        (Role::Done(_), _) if gate => Some("an `OnDone` is taken at the moment of the `Exit`"),
        (Role::Done(_), Keyword::Instant) => Some("an `OnDone` is taken at the moment of the `Exit` anyhow"),
        (Role::Done(_), Keyword::RandomWeight) => Some("of several `OnDone`s the first that holds is taken"),
        (_, Keyword::Restart) if exits => Some("an `Exit` leaves and enters in any case"),
        (Role::Done(_), Keyword::Restart) => Some("an `OnDone` leaves its state in any case"),
        _ => None,
    }
}
