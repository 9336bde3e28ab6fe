//! What a test expects: conditions, the state of a machine, events.

use motix_vm::ids::{AnimationId, ComponentId, MachineId, StateId};

use crate::ast::{self, BinaryOp, EventRelation, ExprKind, Item, Name, Part, Path, UnaryOp};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, EventPattern, Expectation, TestEvent, Ty};
use crate::intern::Symbol;
use crate::resolve::{Found, Seat};
use crate::source::Span;

use super::context::{Checker, Known, Site, join, written};
use super::expr::{bare, error, make};
use super::inside::{Inward, behind};
use super::unknown::FEW;

/// The events to name, with their arguments.
const EVENTS: &[(&str, &str)] = &[
    ("Enter", "Enter(State)"),
    ("Exit", "Exit(State)"),
    ("Play", "Play(Animation)"),
    ("Stop", "Stop(Animation)"),
    ("Finish", "Finish(Animation)"),
    ("Loop", "Loop(Animation)"),
    ("Reject", "Reject(Animation)"),
    ("Defer", "Defer(Animation)"),
    ("Marker", "Marker(Animation, name)"),
    ("SpanBegin", "SpanBegin(Animation, name)"),
    ("SpanEnd", "SpanEnd(Animation, name)"),
    ("Audio", "Audio(\"asset\")"),
    ("Camera", "Camera(\"name\")"),
    ("Emit", "Emit(name)"),
    ("ChainLimit", "ChainLimit"),
    ("Dropped", "Dropped(State)"),
    ("FadeStart", "FadeStart(State, State)"),
    ("FadeEnd", "FadeEnd(State, State)"),
    ("FadeCancel", "FadeCancel(State, State)"),
];

/// Whether events are of that kind.
pub(super) fn is_event(kind: &str) -> bool {
    EVENTS.iter().any(|(known, _)| *known == kind)
}

impl Checker<'_, '_> {
    /// What an `Expect` expects, and of which component where it asks for one's state.
    pub(super) fn expectation(&mut self, item: &Item) -> Option<(ComponentId, Expectation)> {
        for part in item.head.iter() {
            match part {
                Part::Value(value) => return self.expected_value(value),
                Part::Events(events) => {
                    let list: Vec<Option<TestEvent>> =
                        events.events.iter().map(|event| self.event(event)).collect();
                    let list: Option<Vec<TestEvent>> = list.into_iter().collect();
                    let list = list?;
                    let expectation = match (events.relation, list.first()) {
                        (EventRelation::Equal, _) => Expectation::Equal(list),
                        (EventRelation::Has, Some(event)) => Expectation::Has(*event),
                        (EventRelation::Lacks, Some(event)) => Expectation::Lacks(*event),
                        (_, None) => return None,
                    };
                    return Some((ComponentId::ROOT, expectation));
                }
                _ => {}
            }
        }
        None
    }

    fn expected_value(&mut self, value: &ast::Expr) -> Option<(ComponentId, Expectation)> {
        if let ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), _, sides) = &bare(value).kind
            && let [left, right] = &**sides
            && let Some(compared) = self.compared_state(left, right, Site::TEST)
        {
            let (way, machine, state) = compared?;
            let expectation = Expectation::State { machine, state, negated: *op == BinaryOp::NotEqual };
            return Some((self.part_of(&way), expectation));
        }
        if let Some(negated) = self.asks_settled(value) {
            return Some((ComponentId::ROOT, Expectation::Settled(negated)));
        }
        let typed = self.condition_of(value, "`Expect`", Site::TEST);
        (typed.ty != Ty::Error).then_some((ComponentId::ROOT, Expectation::Expr(typed)))
    }

    /// `settled` (`false`) or `not settled` (`true`), where nothing declares that name.
    fn asks_settled(&self, value: &ast::Expr) -> Option<bool> {
        match &bare(value).kind {
            ExprKind::Unary(UnaryOp::Not, inner) => self.asks_settled(inner).map(|negated| !negated),
            ExprKind::Path(Path { names, .. }) => match names[..] {
                [name] if !name.quoted && self.text(name.symbol) == "settled" => {
                    let declared = self.known.scope.values.contains_key(&name.symbol)
                        || !matches!(self.files.constant(names), Found::No);
                    (!declared).then_some(false)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `settled` where it is part of something else, or outside tests.
    pub(super) fn lonely_settled(&mut self, span: Span, site: Site) {
        let report = if site.is_test() {
            let report = Diagnostic::new(
                Code::SettledInside,
                "`settled` is part of an expression",
                span,
                "it stands alone in an `Expect`",
            );
            report.help("write an `Expect` of its own: `Expect settled` or `Expect not settled`")
        } else {
            Diagnostic::new(
                Code::MisplacedBuiltin,
                "`settled` is there in tests only",
                span,
                "not available here",
            )
            .help("ask for what you wait for: `elapsed > 1s`, `finished`, `in(State)`")
        };
        self.report(report);
    }

    /// `state == S` inside an expression; `None` where neither side is `state`.
    pub(super) fn state_comparison(
        &mut self,
        op: BinaryOp,
        left: &ast::Expr,
        right: &ast::Expr,
        span: Span,
        site: Site,
    ) -> Option<hir::Expr> {
        let compared = self.compared_state(left, right, site)?;
        let Some((way, _, state)) = compared else { return Some(error(span)) };
        let inside = self.wrapped(&way, span, |_| make(hir::ExprKind::In(state), Ty::Bool, span));
        Some(match op {
            BinaryOp::Equal => inside,
            _ => make(hir::ExprKind::Not(Box::new(inside)), Ty::Bool, span),
        })
    }

    /// The way, machine and state of a comparison with `state`: `None` where it is none, `Some(None)` where it is
    /// wrong, which was reported.
    fn compared_state(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        site: Site,
    ) -> Option<Option<(Vec<Inward>, MachineId, StateId)>> {
        let (question, other) = match (self.asks_state(left), self.asks_state(right)) {
            (true, _) => (left, right),
            (false, true) => (right, left),
            (false, false) if self.state_without_parentheses(left, right, site) => return Some(None),
            (false, false) => return None,
        };
        if !site.is_test() {
            let help = match &bare(other).kind {
                ExprKind::Path(path) => format!("write `in({})`", self.path_text(&path.names)),
                _ => "write `in(State)`".to_owned(),
            };
            self.state_outside(question.span.to(other.span), question.span, &help);
            return Some(None);
        }
        let machine = self.asked_machine(question)?;
        let path = match &bare(other).kind {
            ExprKind::Path(path) => path,
            ExprKind::Text(text) => {
                let mended = self.written(*text);
                let report = Diagnostic::new(
                    Code::TypeMismatch,
                    "a state is compared with a string",
                    other.span,
                    "expected the name of a state",
                );
                self.report(report.help(format!("write `{mended}`, without quotes")).fix(other.span, mended));
                return Some(None);
            }
            ExprKind::Error => return Some(None),
            _ => {
                let report = Diagnostic::new(
                    Code::TypeMismatch,
                    "`state` is compared with the name of a state",
                    other.span,
                    "expected the name of a state",
                );
                self.report(report);
                return Some(None);
            }
        };
        Some(machine.and_then(|(way, machine)| {
            let state = self.at_end(&way, |inside| inside.state_in(path, machine, Seat::Machine))?;
            Some((way, machine, state))
        }))
    }

    /// Reports `like.state == Full` and `Arms == Raised`, where `like` is a component and `Arms` a layer.
    fn state_without_parentheses(&mut self, left: &ast::Expr, right: &ast::Expr, site: Site) -> bool {
        let (ExprKind::Path(path), true) = (&bare(left).kind, site.is_test()) else { return false };
        let ends = path.names.last().is_some_and(|last| !last.quoted && self.text(last.symbol) == "state");
        let way = if ends { &path.names[..path.names.len() - 1] } else { &path.names[..] };
        let Some(first) = way.first() else { return false };
        let scope = &self.known.scope;
        let layer = way.len() == 1 && scope.layer_index.contains_key(&first.symbol);
        let component = ends && scope.component_index.contains_key(&first.symbol);
        let state = match &bare(right).kind {
            ExprKind::Path(state) => scope.state_names.anywhere(state.names[0].symbol).is_some() || component,
            _ => false,
        };
        let value = !ends && scope.values.contains_key(&first.symbol);
        if value || !state || !(layer || component) {
            return false;
        }
        let mended = format!("state({})", self.path_text(way));
        let what = if component { "a component" } else { "a layer" };
        let report = Diagnostic::new(
            Code::TypeMismatch,
            format!("the state of {what} is asked for by `state`"),
            path.span,
            format!("expected `{mended}`"),
        );
        let help = match &bare(right).kind {
            ExprKind::Path(state) => format!("write `{mended} == {}`", self.path_text(&state.names)),
            _ => format!("write `{mended}`"),
        };
        self.report(report.help(help).fix(path.span, mended));
        true
    }

    /// Whether an expression is `state` or `state(Layer)`.
    fn asks_state(&self, expr: &ast::Expr) -> bool {
        let is = |path: &Path| match &path.names[..] {
            [name] => self.text(name.symbol) == "state" && !name.quoted,
            _ => false,
        };
        match &bare(expr).kind {
            ExprKind::Path(path) => is(path) && !self.known.scope.values.contains_key(&path.names[0].symbol),
            ExprKind::Call(path, _) => is(path),
            _ => false,
        }
    }

    /// The machine that `state` or `state(Layer)` asks; `Some(None)` where that is wrong, which was reported.
    #[expect(clippy::option_option, reason = "the outer one says whether anything was asked")]
    fn asked_machine(&mut self, question: &ast::Expr) -> Option<Option<(Vec<Inward>, MachineId)>> {
        match &bare(question).kind {
            ExprKind::Path(_) => {
                Some(self.main_machine("state", question.span).map(|machine| (Vec::new(), machine)))
            }
            ExprKind::Call(_, arguments) => Some(self.named_machine("state", arguments, question.span)),
            _ => Some(None),
        }
    }

    /// The main machine, of which `word` asks; where there is none, that is reported.
    fn main_machine(&mut self, word: &str, span: Span) -> Option<MachineId> {
        let main = self.known.scope.state_names.main();
        if main.is_none() && !self.has_unread() {
            let owner = self.behavior_text();
            let report = Diagnostic::new(
                Code::UnknownState,
                format!("{owner} has no main machine"),
                span,
                format!("`{word}` is that of the main machine"),
            );
            let layers: Vec<Symbol> = (self.known.scope.machines.iter().filter_map(|machine| machine.layer))
                .map(|layer| self.known.scope.layers[layer].name.symbol)
                .take(8)
                .collect();
            let ways: Vec<String> =
                layers.iter().map(|layer| format!("`{word}({})`", self.written(*layer))).collect();
            self.report(if ways.is_empty() {
                report
            } else {
                report.help(format!("write {}", join(&ways, "or")))
            });
        }
        main
    }

    /// The machine that `word(Layer)`, `word(component)` or `word(component.Layer)` names; what is wrong is reported.
    fn named_machine(
        &mut self,
        word: &str,
        arguments: &[ast::Expr],
        span: Span,
    ) -> Option<(Vec<Inward>, MachineId)> {
        let [argument] = arguments else {
            let report = Diagnostic::new(
                Code::ArgumentCount,
                format!("`{word}` takes a layer, and {} are given", arguments.len()),
                span,
                format!("expected `{word}(Layer)`"),
            );
            self.report(report);
            return None;
        };
        let ExprKind::Path(path) = &bare(argument).kind else {
            let report = Diagnostic::new(
                Code::ArgumentType,
                format!("`{word}` takes the name of a layer"),
                argument.span,
                "expected a layer",
            );
            self.report(report);
            return None;
        };
        let way = self.way(&path.names, true);
        let rest = behind(path, way.len());
        let machine = self.at_end(&way, |inside| {
            if rest.names.is_empty() {
                inside.main_machine(word, span)
            } else {
                inside.layer_machine(word, &rest)
            }
        })?;
        Some((way, machine))
    }

    /// The machine of the layer that a path names; what is wrong is reported.
    fn layer_machine(&mut self, word: &str, path: &Path) -> Option<MachineId> {
        if path.names.len() > 1 && self.near_component(path) {
            return None;
        }
        let name = self.single(path, super::unknown::Kind::Layer)?;
        if !self.known.scope.layer_index.contains_key(&name.symbol) {
            let layers: Vec<Symbol> = self.known.scope.layers.iter().map(|row| row.name.symbol).collect();
            let wrong = self.text(name.symbol).to_owned();
            if self.nearest_of(&wrong, layers).is_none() && self.near_component_name(name) {
                return None;
            }
        }
        self.layer(name)?;
        let machine = self.known.scope.state_names.machine_of(name.symbol);
        if machine.is_none() {
            let layer = self.text(name.symbol).to_owned();
            let report = Diagnostic::new(
                Code::UnknownState,
                format!("the layer `{layer}` has no states"),
                name.span,
                "expected a layer with a machine of its own",
            );
            self.report(report.help(format!("for the main machine, write `{word}` alone")));
        }
        machine
    }

    /// `fade`, or `fade(Layer)` where `arguments` are given: how far a machine's crossfade is.
    pub(super) fn fade_of(&mut self, arguments: Option<&[ast::Expr]>, span: Span) -> hir::Expr {
        let machine = match arguments {
            None => self.main_machine("fade", span).map(|machine| (Vec::new(), machine)),
            Some(arguments) => self.named_machine("fade", arguments, span),
        };
        match machine {
            Some((way, machine)) => {
                self.wrapped(&way, span, |_| make(hir::ExprKind::Fade(machine), Ty::Number, span))
            }
            None => error(span),
        }
    }

    /// `state` where it is not compared.
    pub(super) fn lonely_state(&mut self, span: Span, site: Site) {
        if !site.is_test() {
            self.state_outside(span, span, "write `in(State)` to ask whether a state is active");
            return;
        }
        let report = Diagnostic::new(
            Code::TypeMismatch,
            "`state` is compared with a state, by name",
            span,
            "expected `state == Name` or `state != Name`",
        );
        self.report(report);
    }

    fn state_outside(&mut self, span: Span, at: Span, help: &str) {
        let report = Diagnostic::new(
            Code::MisplacedBuiltin,
            "`state` is there in tests only",
            at,
            "not available here",
        );
        let fix = help.strip_prefix("write `").and_then(|rest| rest.strip_suffix('`')).map(str::to_owned);
        let report = report.help(help);
        self.report(match fix {
            Some(fix) if !fix.contains("State)") => report.fix(span, fix),
            _ => report,
        });
    }

    fn event(&mut self, event: &ast::EventPattern) -> Option<TestEvent> {
        let kind = self.text(event.kind.symbol).to_owned();
        let Some((_, shape)) = EVENTS.iter().find(|(known, _)| *known == kind) else {
            self.unknown_event(event.kind, &kind);
            return None;
        };
        let count = if !shape.contains('(') { 0 } else { 1 + usize::from(shape.contains(',')) };
        if event.arguments.len() != count {
            let report = Diagnostic::new(
                Code::EventArguments,
                format!(
                    "the event `{kind}` is named with {count} {}",
                    if count == 1 { "argument" } else { "arguments" }
                ),
                event.span,
                format!("expected `{shape}`"),
            );
            self.report(report.help(format!("write `{shape}`")));
            return None;
        }
        if let ("Audio" | "Camera", [text]) = (&kind[..], &event.arguments[..]) {
            let pattern = self.event_text(&kind, text, shape)?;
            return Some(TestEvent { component: ComponentId::ROOT, pattern });
        }
        let Some(first) = event.arguments.first() else {
            return Some(TestEvent { component: ComponentId::ROOT, pattern: EventPattern::ChainLimit });
        };
        let path = self.event_path(first, shape)?;
        let second = match event.arguments.get(1) {
            Some(second) => Some(self.event_path(second, shape)?),
            None => None,
        };
        let second = match second {
            Some(to) if kind.starts_with("Fade") => Some(self.other_state(path, to, shape)?),
            other => other.cloned(),
        };
        let (component, pattern) =
            self.located(path, |inside, path| inside.event_of(&kind, path, second.as_ref(), shape))?;
        Some(TestEvent { component, pattern })
    }

    /// The other state of a fade, as the component that has the first one names it.
    fn other_state(&mut self, first: &Path, other: &Path, shape: &str) -> Option<Path> {
        let inward = self.way(&first.names, false).len();
        let way = first.names.get(..inward).unwrap_or_default();
        let begins = other.names.get(..inward).unwrap_or_default();
        if way.len() == begins.len() && way.iter().zip(begins).all(|(one, two)| one.symbol == two.symbol) {
            return Some(behind(other, inward));
        }
        let component = self.path_text(way);
        let mended = format!("{component}.{}", self.path_text(&other.names));
        let report = Diagnostic::new(
            Code::EventArguments,
            "the two states of a fade are of the same machine",
            other.span,
            format!("expected a state of `{component}`"),
        );
        let report = report.help(format!("`{shape}` takes both by their path: write `{mended}`"));
        self.report(report.fix(other.span, mended));
        None
    }

    /// An event about the thing that a path names, which is of this behavior.
    fn event_of(
        &mut self,
        kind: &str,
        path: &Path,
        second: Option<&Path>,
        shape: &str,
    ) -> Option<EventPattern> {
        match (kind, second) {
            ("Enter", _) => self.find_state(path, None, Seat::Machine).map(EventPattern::Enter),
            ("Exit", _) => self.find_state(path, None, Seat::Machine).map(EventPattern::Exit),
            ("Dropped", _) => self.find_state(path, None, Seat::Machine).map(EventPattern::Dropped),
            ("Play", _) => self.find_animation(path).map(EventPattern::Play),
            ("Stop", _) => self.find_animation(path).map(EventPattern::Stop),
            ("Finish", _) => self.find_animation(path).map(EventPattern::Finish),
            ("Loop", _) => self.find_animation(path).map(EventPattern::Loop),
            ("Reject", _) => self.find_animation(path).map(EventPattern::Reject),
            ("Defer", _) => self.find_animation(path).map(EventPattern::Defer),
            ("FadeStart" | "FadeEnd" | "FadeCancel", Some(to)) => {
                let from = self.find_state(path, None, Seat::Machine)?;
                // The other one is of the same machine.
                let machine = self.known.scope.states.get(from.index()).map(|row| row.machine);
                let to = match machine {
                    Some(machine) => self.state_in(to, machine, Seat::Machine)?,
                    None => self.find_state(to, None, Seat::Machine)?,
                };
                Some(match kind {
                    "FadeStart" => EventPattern::FadeStart(from, to),
                    "FadeEnd" => EventPattern::FadeEnd(from, to),
                    _ => EventPattern::FadeCancel(from, to),
                })
            }
            ("Marker", Some(name)) => {
                let animation = self.find_animation(path)?;
                let name = self.event_name(name, shape)?;
                if !self.known.markers.contains(&(animation, name.symbol)) {
                    self.unknown_marker(animation, name);
                    return None;
                }
                Some(EventPattern::Marker(animation, name.symbol))
            }
            (_, Some(name)) => {
                let animation = self.find_animation(path)?;
                let name = self.event_name(name, shape)?;
                let span = self.span_of(animation, name)?;
                Some(if kind == "SpanBegin" {
                    EventPattern::SpanBegin(span)
                } else {
                    EventPattern::SpanEnd(span)
                })
            }
            (_, None) => {
                let name = self.event_name(path, shape)?;
                if !self.known.emits.contains_key(&name.symbol) {
                    self.never_emitted(name);
                    return None;
                }
                Some(EventPattern::Emit(name.symbol))
            }
        }
    }

    fn unknown_event(&mut self, name: Name, kind: &str) {
        let near = self.nearest_word(kind, EVENTS.iter().map(|(known, _)| *known));
        let mut report = Diagnostic::new(
            Code::UnknownEvent,
            format!("there is no event `{kind}`"),
            name.span,
            "expected the kind of an event",
        );
        report = match near {
            Some(near) => report.help(format!("did you mean `{near}`?")).fix(name.span, near),
            None if self.known.emits.contains_key(&name.symbol) => {
                let mended = format!("Emit({})", self.written(name.symbol));
                report.help(format!("for an event of your own, write `{mended}`")).fix(name.span, mended)
            }
            None if name.quoted => {
                let own = format!("Emit({})", self.written(name.symbol));
                report.help(format!(
                    "for an event of your own, write `{own}`; for a sound, `Audio(\"{kind}\")`"
                ))
            }
            None => match self.component_emitting(name.symbol) {
                Some(component) => {
                    let mended = format!("Emit({component}.{})", self.written(name.symbol));
                    report
                        .help(format!("for an event of a component, write `{mended}`"))
                        .fix(name.span, mended)
                }
                None => {
                    let list: Vec<String> = EVENTS.iter().map(|(known, _)| format!("`{known}`")).collect();
                    report.help(format!("the events are {}", join(&list, "and")))
                }
            },
        };
        self.report_name(report);
    }

    fn event_path<'e>(&mut self, expr: &'e ast::Expr, shape: &str) -> Option<&'e Path> {
        match &bare(expr).kind {
            ExprKind::Path(path) => return Some(path),
            ExprKind::Error => return None,
            ExprKind::Text(text) => {
                let mended = self.written(*text);
                let report = Diagnostic::new(
                    Code::EventArguments,
                    "an event's argument is a name, and this is a string",
                    expr.span,
                    format!("expected `{shape}`"),
                );
                self.report(report.help(format!("write `{mended}`, without quotes")).fix(expr.span, mended));
            }
            _ => {
                let report = Diagnostic::new(
                    Code::EventArguments,
                    "an event's argument is a name",
                    expr.span,
                    format!("expected `{shape}`"),
                );
                self.report(report);
            }
        }
        None
    }

    fn event_name(&mut self, path: &Path, shape: &str) -> Option<Name> {
        if let [name] = &path.names[..] {
            return Some(*name);
        }
        if self.near_component(path) {
            return None;
        }
        let report = Diagnostic::new(
            Code::EventArguments,
            "expected a name without dots",
            path.span,
            format!("expected `{shape}`"),
        );
        self.report(report);
        None
    }

    fn event_text(&mut self, kind: &str, expr: &ast::Expr, shape: &str) -> Option<EventPattern> {
        let ExprKind::Text(text) = &bare(expr).kind else {
            if !matches!(expr.kind, ExprKind::Error) {
                let report = Diagnostic::new(
                    Code::EventArguments,
                    format!("the event `{kind}` names its asset in quotes"),
                    expr.span,
                    format!("expected `{shape}`"),
                );
                self.report(report);
            }
            return None;
        };
        let audio = kind == "Audio";
        let says = |known: &Known<'_>| {
            if audio { known.audios.contains(text) } else { known.cameras.contains(text) }
        };
        if self.anywhere_inside(says) {
            return Some(if audio { EventPattern::Audio(*text) } else { EventPattern::Camera(*text) });
        }
        if self.has_unread() {
            return None;
        }
        let word = self.text(*text).to_owned();
        let names = if audio { &self.known.audio_names } else { &self.known.camera_names };
        let names: Vec<Symbol> = names.iter().take(FEW).copied().collect();
        let near = self.nearest_of(&word, names.iter().copied());
        let action = if audio { "PlayAudio" } else { "SwitchCamera" };
        let report = Diagnostic::new(
            Code::NeverReported,
            format!("no action of {} says `{action} \"{word}\"`", self.behavior_text()),
            expr.span,
            "this event can never happen",
        );
        self.report(match near {
            Some(near) => {
                report.help(format!("did you mean `\"{near}\"`?")).fix(expr.span, format!("\"{near}\""))
            }
            None => report,
        });
        None
    }

    /// Whether something of the behavior could not be read, which may have been an action.
    fn has_unread(&self) -> bool {
        let mut open: Vec<&Item> = self.known.scope.behavior.map(|row| row.item).into_iter().collect();
        while let Some(item) = open.pop() {
            if item.has_unread() {
                return true;
            }
            open.extend(item.items());
        }
        false
    }

    /// The component whose actions emit an event, as it is written.
    fn component_emitting(&self, event: Symbol) -> Option<String> {
        let mut components = self.known.scope.components.iter().zip(&self.known.inner);
        let component = components.find(|(_, inner)| {
            let inside = inner.and_then(|inner| self.others.get(inner)).and_then(Option::as_ref);
            inside.is_some_and(|inside| inside.emit_names.contains(&event))
        });
        component.map(|(row, _)| self.written(row.name.symbol))
    }

    fn never_emitted(&mut self, name: Name) {
        if self.is_lost(name.symbol) || self.has_unread() {
            return;
        }
        let word = self.text(name.symbol).to_owned();
        let names: Vec<Symbol> = self.known.emit_names.iter().take(FEW).copied().collect();
        let near = self.nearest_of(&word, names.iter().copied());
        let report = Diagnostic::new(
            Code::NeverReported,
            format!("no action of {} emits `{word}`", self.behavior_text()),
            name.span,
            "this event can never happen",
        );
        if let Some(component) = self.component_emitting(name.symbol) {
            let mended = format!("{component}.{}", self.written(name.symbol));
            let report = report.help(format!("its component does: write `Emit({mended})`"));
            return self.report(report.fix(name.span, mended));
        }
        self.report_name(match near {
            Some(near) => {
                let mended = written(&near);
                report.help(format!("did you mean `{near}`?")).fix(name.span, mended)
            }
            None if names.is_empty() => {
                report.help(format!("emit it in an action: `Emit {}`", written(&word)))
            }
            None => report.help(format!("it emits {}", self.choices(names, "and"))),
        });
    }

    fn unknown_marker(&mut self, animation: AnimationId, name: Name) {
        let Some(row) = self.known.hir.animations.get(animation.index()) else { return };
        if self.is_lost(name.symbol) {
            return;
        }
        let known: Vec<Symbol> = row.markers.iter().take(FEW).map(|(marker, _)| marker.symbol).collect();
        let of = self.text(row.name.symbol).to_owned();
        self.no_mark("marker", &of, name, known);
    }
}
