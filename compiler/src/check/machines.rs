//! Machines: where they start, their states, `AnyState`; and names of states.

use motix_vm::ids::{MachineId, StateId};

use crate::ast::{Name, Path};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Start};
use crate::intern::Symbol;
use crate::resolve::{MachineRow, Seat, Space, StateLookup, saturate};
use crate::source::Span;

use super::composites::Whose;
use super::context::{Checker, join};
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
            let begins = self.begins(&row.block, Whose::Machine(id));
            if begins.span.is_none() && !row.block.unclear {
                self.missing_initial(&row);
            }
            let layer = row.layer.and_then(|layer| self.known.scope.layer_ids.get(layer).copied());
            let motion_layer = layer.unwrap_or_else(|| self.main_motion_layer(states.clone()));
            self.known.hir.machines.push(hir::Machine {
                layer,
                motion_layer,
                states: states.clone(),
                start: begins.start.unwrap_or(Start::State(StateId(states.start))),
                start_span: begins.span.unwrap_or(row.owner.span),
                enter: begins.enter,
                any: Vec::new(),
            });
            // The main machine's owner is the behavior, whose defaults are those of all its machines.
            let defaults = match row.layer {
                Some(_) => self.defaults_in(row.owner, outer),
                None => outer,
            };
            self.machine_defaults.push(defaults);
            let any_transitions = self.any_state(&row.block, id, None);
            if let Some(machine) = self.known.hir.machines.last_mut() {
                machine.any = any_transitions;
            }
        }
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
                let span = row.block.any.first().map_or(row.owner.span, |item| item.keyword_span);
                report(span, "these transitions have no state to start from")
                    .help("declare a state, and `InitialState`")
            }
        };
        self.report(report);
    }

    /// A state of one machine, which is the only one that may be meant.
    pub(super) fn state_in(&mut self, path: &Path, machine: MachineId, seat: Seat) -> Option<StateId> {
        let names = &self.known.scope.state_names;
        let mut found = names.in_machine(machine, &path.names, seat);
        // Behind its layer's name.
        if let [layer, inner @ ..] = &path.names[..]
            && !inner.is_empty()
            && found == StateLookup::Unknown
            && names.machine_of(layer.symbol) == Some(machine)
        {
            found = names.in_machine(machine, inner, Seat::Machine);
        }
        match found {
            StateLookup::Found(state) => return Some(state),
            StateLookup::Ambiguous(states) => {
                self.ambiguous_state(path, &states);
                return None;
            }
            StateLookup::Unknown => {}
        }
        match self.known.scope.state_names.find(&path.names, Some(machine), seat) {
            StateLookup::Found(state) => self.foreign_state(path, state, machine),
            StateLookup::Ambiguous(states) => self.foreign_state(path, states[0], machine),
            StateLookup::Unknown => {
                if let [name] = path.names[..] {
                    self.unknown_state(name, machine);
                } else {
                    self.unknown_state_path(path, Some(machine), seat);
                }
            }
        }
        None
    }

    fn unknown_state_path(&mut self, path: &Path, own: Option<MachineId>, seat: Seat) {
        let text = self.path_text(&path.names);
        let [first, last] = [path.names[0], path.names[path.names.len() - 1]];
        let twice = |name: &Name| {
            [Space::State, Space::Layer].iter().any(|space| self.is_declared_twice(*space, name.symbol))
        };
        if path.names[..path.names.len() - 1].iter().any(twice)
            || path.names.iter().any(|name| self.is_lost(name.symbol))
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
        if self.known.scope.component_index.contains_key(&first.symbol) {
            let before: Vec<String> =
                path.names[..path.names.len() - 1].iter().map(|name| self.written(name.symbol)).collect();
            let asked = format!("state({}) == {}", before.join("."), self.written(last.symbol));
            return self.report(report.help(format!("a state of a component is asked for by `{asked}`")));
        }
        let before = &path.names[..path.names.len() - 1];
        let outer = match self.known.scope.state_names.find(before, own, seat) {
            StateLookup::Found(state) => Some(state),
            _ => None,
        };
        let layer = self.known.scope.state_names.machine_of(first.symbol).filter(|_| before.len() == 1);
        let states: Option<Vec<Symbol>> = match (outer, layer) {
            (Some(outer), _) => {
                let rows = &self.known.scope.states;
                let inside = outer.index() + 1..rows[outer.index()].end;
                let inner = rows[inside].iter().filter(|row| row.parent == Some(outer)).take(FEW);
                Some(inner.map(|row| row.name.symbol).collect())
            }
            (None, Some(machine)) => {
                let inner = self.known.scope.machines[machine.index()].states.iter().take(FEW);
                Some(inner.map(|state| state.name.symbol).collect())
            }
            (None, None) => None,
        };
        if let Some(states) = states {
            let wrong = self.text(last.symbol).to_owned();
            let before = self.path_text(before);
            let what = if outer.is_some() { "state" } else { "layer" };
            report = match self.nearest_of(&wrong, states.iter().copied()) {
                Some(near) => {
                    let mended = super::context::written(&near);
                    report.help(format!("did you mean `{before}.{near}`?")).fix(last.span, mended)
                }
                None if states.is_empty() => {
                    report.help(format!("the {what} `{before}` has no states inside"))
                }
                None => report.help(format!("the {what} `{before}` has {}", self.choices(states, "and"))),
            };
        } else if self.known.scope.layer_index.contains_key(&first.symbol) {
            report = report.help(format!("the layer `{}` has no states", self.text(first.symbol)));
        } else if self.known.scope.state_names.anywhere(last.symbol).is_some() {
            let plain = self.written(last.symbol);
            report = report.help(format!("did you mean `{plain}`?")).fix(path.span, plain);
        }
        self.report_name(report);
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
    pub(super) fn find_state(&mut self, path: &Path, own: Option<MachineId>, seat: Seat) -> Option<StateId> {
        match self.known.scope.state_names.find(&path.names, own, seat) {
            StateLookup::Found(state) => return Some(state),
            StateLookup::Ambiguous(states) => self.ambiguous_state(path, &states),
            StateLookup::Unknown => {
                if let [name] = &path.names[..] {
                    self.unknown(Kind::State, *name);
                } else {
                    self.unknown_state_path(path, own, seat);
                }
            }
        }
        None
    }

    fn ambiguous_state(&mut self, path: &Path, states: &[StateId]) {
        let text = self.path_text(&path.names);
        let mut rows = Vec::new();
        let mut ways: Vec<String> = Vec::new();
        for state in states {
            let Some(row) = self.known.scope.states.get(state.index()).copied() else { continue };
            ways.push(format!("`{}`", self.state_path(*state)));
            rows.push(row);
        }
        let several = rows.windows(2).any(|pair| pair[0].machine != pair[1].machine);
        let message = match several {
            true => format!("several machines have a state `{text}`"),
            false => format!("several states are called `{text}`"),
        };
        let mut report = Diagnostic::new(Code::AmbiguousState, message, path.span, "which one is meant?");
        for row in &rows {
            report = report.label(row.name.span, "one is declared here");
        }
        self.report(report.help(format!("write {}", join(&ways, "or"))));
    }

    /// A state's path as it is written from anywhere in the behavior.
    pub(super) fn state_path(&self, state: StateId) -> String {
        let mut names = Vec::new();
        let mut at = Some(state);
        while let Some(row) = at.and_then(|state| self.known.scope.states.get(state.index())) {
            names.push(self.written(row.name.symbol));
            at = row.parent;
        }
        let machine = self.known.scope.states.get(state.index()).map(|row| row.machine);
        let layer = machine.and_then(|machine| self.known.scope.machines.get(machine.index())?.layer);
        names.extend(layer.map(|layer| self.written(self.known.scope.layers[layer].name.symbol)));
        names.reverse();
        names.join(".")
    }
}
