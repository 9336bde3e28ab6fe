//! Machines: where they start, their states, `AnyState`; and names of states.

use motix_vm::ids::{MachineId, StateId};

use crate::ast::Path;
use crate::diagnostic::{Code, Diagnostic};
use crate::hir;
use crate::resolve::{MachineRow, Space, StateLookup, saturate};
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, Seen};
use super::defaults::Look;
use super::unknown::{FEW, Kind};

impl<'a> Checker<'a, '_> {
    pub(super) fn check_machines(&mut self) {
        let mut next = 0_usize;
        let outer = match self.known.scope.behavior {
            Some(behavior) => self.defaults_in(behavior.item, Look::default()),
            None => Look::default(),
        };
        for (index, row) in self.known.scope.machines.clone().into_iter().enumerate() {
            let id = MachineId(saturate(index));
            let states = saturate(next)..saturate(next + row.states.len());
            next += row.states.len();
            let (initial, initial_span, enter) = self.initial_state(&row, id);
            let layer = row.layer.and_then(|layer| self.known.scope.layer_ids.get(layer).copied());
            let motion_layer = layer.unwrap_or_else(|| self.main_motion_layer(states.clone()));
            self.known.hir.machines.push(hir::Machine {
                layer,
                motion_layer,
                states: states.clone(),
                initial: initial.unwrap_or(StateId(states.start)),
                initial_span,
                enter,
                any: Vec::new(),
            });
            // The main machine's owner is the behavior, whose defaults are those of all its machines.
            let defaults = match row.layer {
                Some(_) => self.defaults_in(row.owner, outer),
                None => outer,
            };
            self.machine_defaults.push(defaults);
            let mut any_transitions = Vec::new();
            for any in &row.any {
                for item in any.items() {
                    if item.keyword == Keyword::Transition && !self.refuse(item) {
                        any_transitions.extend(self.transition(item, id, None));
                    }
                }
            }
            self.check_random_weights(&any_transitions);
            if let Some(machine) = self.known.hir.machines.last_mut() {
                machine.any = any_transitions;
            }
        }
    }

    fn initial_state(&mut self, row: &MachineRow<'a>, id: MachineId) -> (Option<StateId>, Span, bool) {
        let mut seen = Seen::default();
        let mut found = (None, row.owner.span, false);
        for item in &row.initial {
            if !self.once(&mut seen, item) {
                continue;
            }
            let Some(path) = item.path() else { continue };
            found.1 = path.span;
            found.0 = self.state_in(path, id);
            let mut inner = Seen::default();
            for option in item.items() {
                if option.keyword == Keyword::Enter && self.once(&mut inner, option) {
                    found.2 = self.flag(option);
                }
            }
        }
        if row.initial.is_empty() && !row.unclear {
            self.missing_initial(row);
        }
        found
    }

    fn missing_initial(&mut self, row: &MachineRow<'a>) {
        let owner = row.owner.name().map_or_else(String::new, |name| self.text(name.symbol).to_owned());
        let whose = match row.layer {
            None => format!("the behavior `{owner}`"),
            Some(_) => format!("the layer `{owner}`"),
        };
        let report = |span: Span, label: &str| {
            Diagnostic::new(Code::MissingInitialState, format!("{whose} has no `InitialState`"), span, label)
        };
        let report = match row.states.first() {
            Some(first) => {
                let name = self.written(first.name.symbol);
                let line = format!("InitialState {name}\n");
                let at = Span { end: first.item.span.start, ..first.item.span };
                report(first.name.span, "the machine has states, and nothing says where it starts")
                    .help(format!("write `InitialState {name}` before its states"))
                    .fix(at, line)
            }
            None => {
                let span = row.any.first().map_or(row.owner.span, |item| item.keyword_span);
                report(span, "these transitions have no state to start from")
                    .help("declare a state, and `InitialState`")
            }
        };
        self.report(report);
    }

    /// A state of one machine, which is the only one that may be meant.
    pub(super) fn state_in(&mut self, path: &Path, machine: MachineId) -> Option<StateId> {
        let own = match &path.names[..] {
            [name] => self.known.scope.state_names.in_machine(machine, name.symbol),
            [layer, name] if self.known.scope.state_names.machine_of(layer.symbol) == Some(machine) => {
                self.known.scope.state_names.in_machine(machine, name.symbol)
            }
            _ => None,
        };
        if own.is_some() {
            return own;
        }
        match self.known.scope.state_names.find(&path.names, Some(machine)) {
            StateLookup::Lost => None,
            StateLookup::Found(state) => {
                self.foreign_state(path, state, machine);
                None
            }
            StateLookup::Ambiguous(states) => {
                self.foreign_state(path, states[0], machine);
                None
            }
            StateLookup::Unknown => {
                if path.names.len() == 1 {
                    self.unknown_state(path.names[0], machine);
                } else {
                    self.unknown_state_path(path);
                }
                None
            }
        }
    }

    fn unknown_state_path(&mut self, path: &Path) {
        let text = self.path_text(&path.names);
        let [first, last] = [path.names[0], path.names[path.names.len() - 1]];
        if path.names.iter().any(|name| self.is_lost(name.symbol))
            || self.removed(Space::State, last.symbol, path.span)
        {
            return;
        }
        let mut report = Diagnostic::new(
            Code::UnknownState,
            format!("there is no state `{text}`"),
            path.span,
            "expected a state",
        );
        if let Some(machine) = self.known.scope.state_names.machine_of(first.symbol) {
            let states: Vec<_> = self.known.scope.machines[machine.index()]
                .states
                .iter()
                .take(FEW)
                .map(|state| state.name.symbol)
                .collect();
            let wrong = self.text(last.symbol).to_owned();
            let layer = self.text(first.symbol).to_owned();
            report = match self.nearest_of(&wrong, states.iter().copied()) {
                Some(near) => {
                    let mended = super::context::written(&near);
                    report.help(format!("did you mean `{layer}.{near}`?")).fix(last.span, mended)
                }
                None => report.help(format!("the layer `{layer}` has {}", self.choices(states, "and"))),
            };
        } else if self.known.scope.layer_index.contains_key(&first.symbol) {
            report = report.help(format!("the layer `{}` has no states", self.text(first.symbol)));
        } else if self.known.scope.state_names.anywhere(last.symbol).is_some() {
            let plain = self.written(last.symbol);
            report = report.help(format!("did you mean `{plain}`?")).fix(path.span, plain);
        }
        self.report(report);
    }

    fn foreign_state(&mut self, path: &Path, state: StateId, machine: MachineId) {
        let text = self.path_text(&path.names);
        let Some(row) = self.known.scope.states.get(state.index()).copied() else { return };
        let owner = self.machine_text(row.machine);
        let own = self.machine_text(machine);
        let report = Diagnostic::new(
            Code::ForeignTarget,
            format!("`{text}` is a state of {owner}, and this is {own}"),
            path.span,
            format!("expected a state of {own}"),
        )
        .label(row.name.span, "the state is declared here")
        .help("a machine moves among its own states; to move another machine, use `Request` in an action");
        self.report(report);
    }

    /// How messages call a machine.
    pub(super) fn machine_text(&self, machine: MachineId) -> String {
        match self.known.scope.machines.get(machine.index()).and_then(|row| row.layer) {
            None => "the main machine".to_owned(),
            Some(layer) => {
                format!("the machine of layer `{}`", self.text(self.known.scope.layers[layer].name.symbol))
            }
        }
    }

    /// A state seen from a machine; an unknown or ambiguous one is reported.
    pub(super) fn find_state(&mut self, path: &Path, own: Option<MachineId>) -> Option<StateId> {
        match self.known.scope.state_names.find(&path.names, own) {
            StateLookup::Found(state) => Some(state),
            StateLookup::Lost => None,
            StateLookup::Ambiguous(states) => {
                let text = self.path_text(&path.names);
                let rows: Vec<_> = states
                    .iter()
                    .filter_map(|state| self.known.scope.states.get(state.index()).copied())
                    .collect();
                let ways: Vec<String> = rows
                    .iter()
                    .filter_map(|row| {
                        let layer = self.known.scope.machines.get(row.machine.index())?.layer?;
                        let layer = self.written(self.known.scope.layers[layer].name.symbol);
                        Some(format!("`{layer}.{}`", self.written(row.name.symbol)))
                    })
                    .collect();
                let mut report = Diagnostic::new(
                    Code::AmbiguousState,
                    format!("several machines have a state `{text}`"),
                    path.span,
                    "which one is meant?",
                );
                for row in &rows {
                    report = report.label(row.name.span, "one is declared here");
                }
                self.report(report.help(format!("write {}", super::context::join(&ways, "or"))));
                None
            }
            StateLookup::Unknown => {
                if let [name] = &path.names[..] {
                    self.unknown(Kind::State, *name);
                } else {
                    self.unknown_state_path(path);
                }
                None
            }
        }
    }

    /// `Transition Exit`, where nothing is called so: a part of composite states.
    pub(super) fn is_exit(&self, path: &Path) -> bool {
        matches!(&path.names[..], [name] if self.text(name.symbol) == "Exit" && !name.quoted)
    }
}
