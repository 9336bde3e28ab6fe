//! Composite states, and where machines and composites start: `InitialState`, `Entry`, `History`, `AnyState` inside a
//! state, `OnDone`, `Exit`.

use motix_vm::ids::{MachineId, StateId};

use crate::ast::{Item, Part, Path};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, History, Start, Target};
use crate::resolve::{Inside, Seat, StateLookup, StateRow, saturate};
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, Seen, Site};
use super::transitions::Role;
use super::unknown::FEW;

/// What starts somewhere.
#[derive(Clone, Copy)]
pub(super) enum Whose<'a> {
    /// A machine, in the block of that item.
    Machine(MachineId),
    /// A composite.
    State(StateId, StateRow<'a>),
}

impl Whose<'_> {
    const fn machine(self) -> MachineId {
        match self {
            Self::Machine(machine) => machine,
            Self::State(_, row) => row.machine,
        }
    }

    const fn composite(self) -> Option<StateId> {
        match self {
            Self::Machine(..) => None,
            Self::State(state, _) => Some(state),
        }
    }

    const fn seat(self) -> Seat {
        match self {
            Self::Machine(..) => Seat::Machine,
            Self::State(state, _) => Seat::Inside(state),
        }
    }
}

/// Where something starts, where that is said, and whether `Enter` is written there.
pub(super) struct Begins {
    pub(super) start: Option<Start>,
    pub(super) span: Option<Span>,
    pub(super) enter: bool,
}

/// The keywords that are about the inside of a state.
pub(super) const fn is_about_inside(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::InitialState
            | Keyword::Entry
            | Keyword::AnyState
            | Keyword::History
            | Keyword::OnDone
            | Keyword::TransitionDefaults
    )
}

impl<'a> Checker<'a, '_> {
    /// Whether states stand in a state.
    pub(super) fn is_composite(&self, state: StateId) -> bool {
        self.known.scope.states.get(state.index()).is_some_and(|row| row.end > state.index() + 1)
    }

    /// Whether a state stands in another, however deep.
    fn is_inside(&self, state: StateId, outer: StateId) -> bool {
        let end = self.known.scope.states.get(outer.index()).map_or(0, |row| row.end);
        (outer.index() + 1..end).contains(&state.index())
    }

    /// Where a machine or a composite starts.
    pub(super) fn begins(&mut self, inside: &Inside<'a>, whose: Whose<'a>) -> Begins {
        let mut seen = Seen::default();
        let mut begins = Begins { start: None, span: None, enter: false };
        for item in &inside.initial {
            if self.once(&mut seen, item)
                && let Some(path) = item.path()
            {
                begins.span = Some(path.span);
                begins.start = self.inner_state(path, whose).map(Start::State);
                begins.enter = self.enters(item, whose);
            }
        }
        for item in &inside.entry {
            if !self.once(&mut seen, item) {
                continue;
            }
            if let Some(initial) = inside.initial.first() {
                let report = Diagnostic::new(
                    Code::TwoStarts,
                    "`InitialState` and `Entry` both say where to start",
                    item.keyword_span,
                    "said again here",
                )
                .label(initial.span, "said here")
                .help("keep one of them");
                self.report(report);
                continue;
            }
            begins.span = Some(item.keyword_span);
            // What it leads to is entered in the first tick like any state.
            begins.enter = whose.composite().is_none();
            begins.start = self.entry(item, whose).map(Start::Entry);
        }
        begins
    }

    fn enters(&mut self, item: &Item, whose: Whose<'_>) -> bool {
        let mut enter = false;
        let mut seen = Seen::default();
        for option in item.items() {
            if option.keyword == Keyword::Enter && self.once(&mut seen, option) {
                enter = self.flag(option);
                if let Whose::State(_, row) = whose {
                    let report = Diagnostic::new(
                        Code::EnterInside,
                        "`Enter` concerns the start of a machine, and this is the start of a state",
                        option.span,
                        format!(
                            "entering `{}` runs the entry actions of its initial state always",
                            self.text(row.name.symbol)
                        ),
                    )
                    .help("remove it, or write it where the machine starts: `InitialState ... { Enter }`");
                    self.report(report);
                }
            }
        }
        enter
    }

    /// A state in which something can start.
    fn inner_state(&mut self, path: &Path, whose: Whose<'_>) -> Option<StateId> {
        let state = self.state_in(path, whose.machine(), whose.seat())?;
        let Whose::State(outer, row) = whose else { return Some(state) };
        if self.is_inside(state, outer) {
            return Some(state);
        }
        let name = self.text(row.name.symbol).to_owned();
        let text = self.path_text(&path.names);
        let inner: Vec<_> = self.known.scope.states[outer.index() + 1..row.end]
            .iter()
            .filter(|inner| inner.parent == Some(outer))
            .take(FEW)
            .map(|inner| inner.name.symbol)
            .collect();
        let message = match state == outer {
            true => format!("`{name}` cannot start in itself"),
            false => format!("`{text}` is not inside `{name}`, which is to start there"),
        };
        let there = self.known.scope.states.get(state.index()).map(|row| row.name.span);
        let mut report = Diagnostic::new(
            Code::StartOutside,
            message,
            path.span,
            format!("expected a state inside `{name}`"),
        );
        if let Some(span) = there.filter(|_| state != outer) {
            report = report.label(span, format!("`{text}` stands here"));
        }
        self.report(report.help(format!("inside `{name}` there is {}", self.choices(inner, "and"))));
        None
    }

    /// The ways of an `Entry`; `None` where some are wrong.
    fn entry(&mut self, item: &'a Item, whose: Whose<'_>) -> Option<Vec<hir::Transition>> {
        let ways: Vec<&Item> = item.items().filter(|item| item.keyword == Keyword::Transition).collect();
        let checked: Vec<_> = ways.iter().map(|way| self.entry_way(way, whose)).collect();
        match ways.last() {
            None => {
                let report = Diagnostic::new(
                    Code::EntryUndecided,
                    "an `Entry` without transitions leads nowhere",
                    item.span,
                    "expected `Transition ...`",
                );
                self.report(report.help("write the ways in, the last one without a condition"));
                return None;
            }
            Some(last) => {
                if let Some(when) = last.when() {
                    let target = last.path().map_or_else(String::new, |path| self.path_text(&path.names));
                    let report = Diagnostic::new(
                        Code::EntryUndecided,
                        "the last transition of an `Entry` has a condition, so there may be no way in",
                        when.span,
                        "expected no condition",
                    );
                    self.report(report.help(format!(
                        "write `Transition {target}` as the last one, or add another without a condition"
                    )));
                    return None;
                }
            }
        }
        checked.into_iter().collect()
    }

    fn entry_way(&mut self, item: &Item, whose: Whose<'_>) -> Option<hir::Transition> {
        let site = Site::condition(Some(whose.machine())).at(whose.seat());
        let condition = item.when().map(|when| self.condition_of(when, "`when`", site));
        for part in item.head.iter() {
            if let Part::OnRequest(span) = part {
                self.misfit("on request", *span, "an `Entry` decides by conditions", None);
            }
        }
        for property in item.items() {
            let why = "an `Entry` decides by conditions, in the order of its transitions";
            self.misfit(property.keyword.name(), property.span, why, None);
        }
        let path = item.path()?;
        let target = self.inner_state(path, whose)?;
        let mut way = self.new_transition(item.span, Target::State(target), path.span);
        way.condition = condition;
        Some(way)
    }

    /// Reports a property that a kind of transition does not have.
    pub(super) fn misfit(&mut self, word: &str, span: Span, why: &str, because: Option<Span>) {
        let message = format!("`{word}` has no place here: {why}");
        let mut report =
            Diagnostic::new(Code::MisfitProperty, message, span, "expected a transition without this");
        if let Some(because) = because {
            report = report.label(because, "because of this");
        }
        self.report(report.help("remove it"));
    }

    /// The rules of a state with others inside.
    pub(super) fn composite(&mut self, state: &mut hir::State, row: StateRow<'a>, id: StateId) {
        let inside = Inside::of(row.item);
        let begins = self.begins(&inside, Whose::State(id, row));
        let lost = self.known.scope.inheritance.is_some_and(|inheritance| inheritance.lost);
        if begins.span.is_none() && !inside.unclear && !lost {
            self.missing_start_inside(row, id);
        }
        let first = StateId(saturate(id.index() + 1));
        state.start = Some(begins.start.unwrap_or(Start::State(first)));
        let mut seen = Seen::default();
        for item in row.item.items() {
            match item.keyword {
                Keyword::History if self.once(&mut seen, item) => {
                    let value = item.value();
                    let choice =
                        value.and_then(|value| self.choice(value, "`History`", &["none", "shallow", "deep"]));
                    state.history = match choice {
                        Some(1) => History::Shallow,
                        Some(2) => History::Deep,
                        _ => History::None,
                    };
                }
                Keyword::OnDone => state.done.extend(self.transition(item, row.machine, Role::Done(id))),
                _ => {}
            }
        }
        state.any = self.any_state(&inside, row.machine, Some(id));
    }

    /// The transitions of the `AnyState`s of a machine, or inside a composite.
    pub(super) fn any_state(
        &mut self,
        inside: &Inside<'a>,
        machine: MachineId,
        composite: Option<StateId>,
    ) -> Vec<hir::Transition> {
        let mut transitions = Vec::new();
        for item in inside.any.iter().flat_map(|any| any.items()) {
            if item.keyword == Keyword::Transition {
                transitions.extend(self.transition(item, machine, Role::Any(composite)));
            }
        }
        self.check_random_weights(&transitions);
        transitions
    }

    fn missing_start_inside(&mut self, row: StateRow<'a>, id: StateId) {
        let Some(first) = self.known.scope.states.get(id.index() + 1).copied() else { return };
        let owner = self.text(row.name.symbol).to_owned();
        let name = self.written(first.name.symbol);
        let at = Span { end: first.item.span.start, ..first.item.span };
        let report = Diagnostic::new(
            Code::MissingInitialState,
            format!("the state `{owner}` has no `InitialState`"),
            row.name.span,
            "it has states inside, and nothing says which one is entered",
        )
        .label(first.name.span, "the first one")
        .help(format!("write `InitialState {name}` before them"))
        .fix(at, format!("InitialState {name}\n"));
        self.report(report);
    }

    /// Reports what only a state with others inside can have.
    pub(super) fn not_composite(&mut self, row: StateRow<'a>, item: &Item) {
        let word = item.keyword.name();
        let name = self.text(row.name.symbol).to_owned();
        let why = match item.keyword {
            Keyword::History => "there is nothing to remember",
            Keyword::OnDone => "no `Exit` can lead out of it",
            Keyword::InitialState | Keyword::Entry => "there is nothing to start in",
            _ => "it would concern nothing",
        };
        let report = Diagnostic::new(
            Code::NotComposite,
            format!("`{word}` stands in `{name}`, which has no states inside"),
            item.keyword_span,
            why,
        )
        .label(row.name.span, "a state without others inside");
        self.report(report.help(match item.keyword {
            Keyword::AnyState | Keyword::TransitionDefaults => {
                "write it in the machine or in the composite whose states it is to concern"
            }
            Keyword::OnDone => "to leave the state itself, write `Transition`",
            _ => "remove it, or put states into the state",
        }));
    }

    /// `Exit`, unless a state is called so.
    pub(super) fn is_exit(&self, path: &Path, machine: MachineId, seat: Seat) -> bool {
        let [name] = &path.names[..] else { return false };
        self.text(name.symbol) == "Exit"
            && !name.quoted
            && self.known.scope.state_names.in_machine(machine, &path.names, seat) == StateLookup::Unknown
    }

    /// Whether a transition to `Exit` leads anywhere; where it cannot, that is reported.
    pub(super) fn exit_leads(&mut self, path: &Path, role: Role) -> bool {
        let around = match role {
            Role::State(state) | Role::Done(state) => self.known.scope.state_names.parent(state),
            Role::Any(composite) => composite,
        };
        // At the root it leads to where the machine starts.
        let Some(row) = around.and_then(|around| self.known.scope.states.get(around.index()).copied()) else {
            return true;
        };
        let done = row.item.items().any(|item| item.keyword == Keyword::OnDone);
        if !done {
            let name = self.text(row.name.symbol).to_owned();
            let report = Diagnostic::new(
                Code::ExitNowhere,
                format!("`Exit` leaves `{name}`, and nothing says where that leads"),
                path.span,
                "never taken",
            )
            .label(row.name.span, "this state has no `OnDone`")
            .help(format!(
                "write `OnDone ...` in `{name}`: to a state beside it, or `OnDone Exit` to leave what is around it too"
            ));
            self.report(report);
        }
        done
    }
}
