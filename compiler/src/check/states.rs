//! States: layer marks, tags, actions, transitions, and what a terminal or initial state may have.

use crate::hash::HashMap;

use motix_vm::ids::{LayerId, MachineId, StateId};
use motix_vm::program::tables::MarkTarget;

use crate::ast::{Item, Part};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Action, History, Start};
use crate::intern::Symbol;
use crate::resolve::{Seat, StateRow, duplicate, saturate};
use crate::source::Span;
use crate::syntax::Keyword;

use super::composites::is_about_inside;
use super::context::{Checker, Seen, Site};
use super::limits::ROWS;
use super::motions::{StateMotion, is_motion};
use super::transitions::Role;
use super::units::Range;

impl<'a> Checker<'a, '_> {
    pub(super) fn check_states(&mut self) {
        // Those beyond the limit were reported as such.
        for index in 0..self.known.scope.states.len().min(ROWS) {
            let row = self.known.scope.states[index];
            let state = self.state(row, StateId(saturate(index)));
            self.known.hir.states.push(state);
        }
        for index in 0..self.known.hir.machines.len() {
            self.check_start(MachineId(saturate(index)));
        }
    }

    fn state(&mut self, row: StateRow<'a>, id: StateId) -> hir::State {
        let item = row.item;
        let machine = Some(row.machine);
        let outer = self.defaults_around(row.machine, row.parent);
        let defaults = self.defaults_in(item, outer);
        self.state_defaults.push(defaults);
        let mut state = hir::State {
            name: self.declared(item, row.name),
            machine: row.machine,
            parent: row.parent,
            start: None,
            history: History::None,
            terminal: false,
            entry: Vec::new(),
            entry_from: Vec::new(),
            exit: Vec::new(),
            update: Vec::new(),
            motion: match self.motion_of(id) {
                StateMotion::Known(motion) => Some(motion),
                StateMotion::None | StateMotion::Unclear => None,
            },
            finish: Vec::new(),
            repeat: Vec::new(),
            whens: Vec::new(),
            marks: Vec::new(),
            tags: Vec::new(),
            transitions: Vec::new(),
            any: Vec::new(),
            done: Vec::new(),
        };
        let mut seen = Seen::default();
        let mut marks = HashMap::default();
        let mut tags = HashMap::default();
        let mut marked: Option<Span> = None;
        let mut first_transition: Option<Span> = None;
        let site = |site: Site| site.at(Seat::State(id));
        let composite = self.is_composite(id);
        let mut misplaced = false;
        for inner in item.items() {
            if is_about_inside(inner.keyword) {
                if !composite && !std::mem::replace(&mut misplaced, true) {
                    self.not_composite(row, inner);
                }
                continue;
            }
            if inner.keyword == Keyword::State || is_motion(inner.keyword) {
                continue;
            }
            match inner.keyword {
                Keyword::ActiveLayer | Keyword::SuppressLayer => self.mark(&mut state, &mut marks, inner),
                Keyword::OnEntry => {
                    let from = inner
                        .head
                        .iter()
                        .find_map(|part| if let Part::FromState(path) = part { Some(path) } else { None });
                    let actions = self.actions(inner, site(Site::actions(machine)));
                    match from {
                        None => state.entry.extend(actions),
                        Some(path) => {
                            if let Some(from) = self.state_in(path, row.machine, Seat::State(id)) {
                                state.entry_from.push((from, actions));
                            }
                        }
                    }
                }
                Keyword::OnExit => state.exit.extend(self.actions(inner, site(Site::actions(machine)))),
                Keyword::OnUpdate => state.update.extend(self.actions(inner, site(Site::update(machine)))),
                Keyword::OnFinish | Keyword::OnLoop => {
                    let actions = self.actions(inner, site(Site::actions(machine)));
                    self.check_runs(inner, id);
                    if inner.keyword == Keyword::OnFinish {
                        state.finish.extend(actions);
                    } else {
                        state.repeat.extend(actions);
                    }
                }
                Keyword::When => state.whens.extend(self.when(inner, machine, Seat::State(id))),
                Keyword::Tags => self.state_tags(&mut state, &mut tags, inner),
                Keyword::Terminal if self.once(&mut seen, inner) && self.flag(inner) => {
                    marked = Some(inner.keyword_span);
                }
                Keyword::Transition => {
                    first_transition.get_or_insert(inner.keyword_span);
                    state.transitions.extend(self.transition(inner, row.machine, Role::State(id)));
                }
                _ => {}
            }
        }
        if let (Some(marked), Some(first)) = (marked, first_transition) {
            let report = Diagnostic::new(
                Code::TerminalLeaves,
                format!("the terminal state `{}` has transitions", self.text(row.name.symbol)),
                first,
                "a terminal state is left by request only",
            )
            .label(marked, "marked terminal here")
            .help("remove `Terminal`, or its transitions");
            self.report(report);
        }
        self.check_random_weights(&state.transitions);
        if composite {
            self.composite(&mut state, row, id);
            if let Some(marked) = marked {
                self.terminal_composite(row, id, marked);
            }
        } else {
            state.terminal = marked.is_some() || first_transition.is_none() && !self.is_concerned(row);
        }
        state.shrink();
        state
    }

    /// Whether a transition of a state around concerns this one, or one of an `AnyState`.
    fn is_concerned(&self, row: StateRow<'_>) -> bool {
        let mut around = row.parent;
        while let Some(outer) = around.and_then(|outer| self.known.hir.states.get(outer.index())) {
            if !outer.transitions.is_empty() || !outer.any.is_empty() {
                return true;
            }
            around = outer.parent;
        }
        self.known.hir.machines.get(row.machine.index()).is_some_and(|machine| !machine.any.is_empty())
    }

    fn terminal_composite(&mut self, row: StateRow<'a>, id: StateId, marked: Span) {
        let name = self.text(row.name.symbol).to_owned();
        let mut report = Diagnostic::new(
            Code::TerminalComposite,
            format!("`{name}` is marked `Terminal` and has states inside"),
            marked,
            "expected in a state without others inside",
        );
        if let Some(first) = self.known.scope.states.get(id.index() + 1) {
            report = report.label(first.name.span, "this one is inside");
        }
        self.report(report.help("mark the states inside that are to be left by request only"));
    }

    fn mark(&mut self, state: &mut hir::State, marks: &mut HashMap<LayerId, (bool, Span)>, item: &Item) {
        let active = item.keyword == Keyword::ActiveLayer;
        let weight = item.value().map(|value| self.number(value, "the weight of a layer", Range::Share));
        let Some(name) = item.name() else { return };
        let Some(layer) = self.layer(name) else { return };
        if let Some((other, first)) = marks.get(&layer).copied() {
            let word = self.text(name.symbol).to_owned();
            let report = if other == active {
                Diagnostic::new(
                    Code::PropertyTwice,
                    format!("`{} {word}` is written twice", item.keyword.name()),
                    item.span,
                    "written again here",
                )
                .label(first, "first written here")
                .help("keep one of them")
            } else {
                Diagnostic::new(
                    Code::ActiveAndSuppressed,
                    format!("the layer `{word}` is both active and suppressed"),
                    item.span,
                    if active { "active here" } else { "suppressed here" },
                )
                .label(first, if active { "suppressed here" } else { "active here" })
                .help("keep one of them")
            };
            self.report(report);
            return;
        }
        marks.insert(layer, (active, item.span));
        let target = match (active, weight) {
            (false, _) => MarkTarget::Zero,
            (true, None | Some(None)) => MarkTarget::Base,
            (true, Some(Some(weight))) => MarkTarget::Weight(weight),
        };
        state.marks.push((layer, target, item.span));
    }

    fn state_tags(&mut self, state: &mut hir::State, seen: &mut HashMap<Symbol, Span>, item: &Item) {
        for tag in item.names() {
            if let Some(first) = seen.insert(tag.symbol, tag.span) {
                let report = duplicate("tag", self.names.text(tag.symbol), first, tag.span);
                self.report(report);
            } else if let Some(id) = self.known.scope.tag_index.get(&tag.symbol) {
                state.tags.push(*id);
            }
        }
    }

    /// A reaction.
    pub(super) fn when(&mut self, item: &Item, machine: Option<MachineId>, seat: Seat) -> Option<hir::When> {
        let site = Site::condition(machine).at(seat);
        let condition = item.value().map(|value| self.condition_of(value, "`When`", site));
        let actions = self.actions(item, Site::actions(machine).at(seat));
        Some(hir::When { span: item.span, condition: condition?, actions })
    }

    /// Notes an initial state whose entry plays something that will not be played at the start.
    fn check_start(&mut self, machine: MachineId) {
        let row = &self.known.hir.machines[machine.index()];
        if row.enter || self.known.scope.machines[machine.index()].block.initial.is_empty() {
            return;
        }
        let said = |item: &&Item| item.items().any(|option| option.keyword == Keyword::Enter);
        let initial = &self.known.scope.machines[machine.index()].block.initial;
        if initial.iter().any(said) {
            return;
        }
        let span = row.start_span;
        // The states on the way in, as far as that is known: outermost first.
        let mut path = Vec::new();
        let mut start = Some(&row.start);
        while let Some(Start::State(inner)) = start {
            let mut added = Vec::new();
            let mut at = Some(*inner);
            while let Some(id) = at.filter(|id| !path.contains(id)) {
                added.push(id);
                at = self.known.hir.states.get(id.index()).and_then(|state| state.parent);
            }
            // In a machine that is wrong a start may lead back.
            if added.is_empty() {
                break;
            }
            path.extend(added.into_iter().rev());
            start = self.known.hir.states.get(inner.index()).and_then(|state| state.start.as_ref());
        }
        let states = path.iter().filter_map(|id| Some((*id, self.known.hir.states.get(id.index())?)));
        let mut playing =
            states.filter(|(_, state)| state.machine == machine && first_play(&state.entry).is_some());
        let Some((id, state)) = playing.next() else { return };
        let Some(what) = first_play(&state.entry) else { return };
        let word = initial.first().and_then(|item| item.path()).map_or_else(String::new, |path| {
            let names: Vec<String> = path.names.iter().map(|name| self.written(name.symbol)).collect();
            names.join(".")
        });
        let entry = self.known.scope.states.get(id.index()).and_then(|row| {
            row.item.items().find(|item| item.keyword == Keyword::OnEntry).map(|item| item.keyword_span)
        });
        let played = match what {
            Action::Play(animation) => {
                self.known.hir.animations.get(animation.index()).map(|row| row.name.symbol)
            }
            Action::PlayTag(tag) => self.known.hir.tags.get(tag.index()).copied(),
            _ => None,
        };
        let played = played.map_or_else(|| "it".to_owned(), |symbol| format!("`{}`", self.text(symbol)));
        let mut report = Diagnostic::new(
            Code::EntryNotRun,
            format!(
                "the machine starts in `{}` without running its entry actions",
                self.text(state.name.symbol)
            ),
            span,
            format!("{played} does not play until the state is entered again"),
        );
        if let Some(entry) = entry {
            report = report.label(entry, "these actions do not run at the start");
        }
        let has_block = initial.iter().any(|item| item.block.is_some());
        let inherited =
            self.known.scope.inheritance.is_some_and(|inheritance| !inheritance.written.contains(span));
        let prefix = if inherited { "Override " } else { "" };
        report = report
            .help(format!("to run them on the first tick, write `{prefix}InitialState {word} {{ Enter }}`"));
        if !has_block {
            report = report.fix(span.after(), " { Enter }");
        }
        self.report(report);
    }
}

/// The first action that plays something.
fn first_play(actions: &[Action]) -> Option<&Action> {
    actions.iter().find_map(|action| match action {
        Action::Play(_) | Action::PlayTag(_) => Some(action),
        Action::If(_, then, other) => first_play(then).or_else(|| first_play(other)),
        _ => None,
    })
}
