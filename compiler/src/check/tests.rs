//! `Test` blocks: settings, then statements in the words of actions and a few of their own.

use crate::hash::{HashMap, HashSet};

use motix_vm::ids::{AnimationId, BehaviorId, ComponentId, ExternId};

use crate::ast::{Expr, Item, Part, Path};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Literal, Statement, StatementKind, Ty};
use crate::intern::Symbol;
use crate::resolve::{ValueRef, saturate};
use crate::source::Span;
use crate::syntax::Keyword;

use super::actions::is_immediate;
use super::context::{Checker, Seen, Site};
use super::units::{MOST_WHOLE, Range};
use super::unknown::Kind;

/// The most ticks of a `Step` and turns of a `Repeat`.
const MOST_TURNS: f32 = 1_000_000.0;
/// From here on a bare number for one tick is probably one of milliseconds.
const LONG_TICK: f32 = 5.0;

/// What a test's script had so far.
#[derive(Default)]
struct Script {
    seen: Seen,
    answers: HashMap<(ComponentId, ExternId), Span>,
    durations: HashMap<(ComponentId, AnimationId), Span>,
    saved: HashSet<Symbol>,
    saved_names: Vec<Symbol>,
    /// The first statement that is not a setting.
    begun: Option<Span>,
}

impl Checker<'_, '_> {
    /// A test of the behavior that this checker knows.
    pub(super) fn test(&mut self, item: &Item, name: Symbol, behavior: BehaviorId) -> hir::Test {
        let head = item.block.as_ref().map_or(item.span, |block| Span { end: block.span.start, ..item.span });
        let mut test = hir::Test {
            name,
            span: head,
            behavior,
            fps: 60.0,
            seed: 0,
            answers: Vec::new(),
            durations: Vec::new(),
            statements: Vec::new(),
        };
        let mut script = Script::default();
        for inner in item.items() {
            match inner.keyword {
                Keyword::Fps | Keyword::Seed => self.setting(&mut test, &mut script, inner),
                Keyword::Provide => self.provide(&mut test, &mut script, inner),
                _ => {
                    script.begun.get_or_insert(inner.span);
                    test.statements.extend(self.statement(inner, &mut script));
                }
            }
        }
        test
    }

    fn setting(&mut self, test: &mut hir::Test, script: &mut Script, item: &Item) {
        self.must_come_first(script, item);
        if !self.once(&mut script.seen, item) {
            return;
        }
        let Some(value) = item.value() else { return };
        if item.keyword == Keyword::Fps {
            test.fps = self.number(value, "`Fps`", Range::Between(1.0, 1000.0)).unwrap_or(60.0);
        } else {
            let seed = self.whole(value, "`Seed`", 0.0, MOST_WHOLE).unwrap_or(0);
            test.seed = u64::try_from(seed).unwrap_or(0);
        }
    }

    fn must_come_first(&mut self, script: &Script, item: &Item) {
        let Some(begun) = script.begun else { return };
        let report = Diagnostic::new(
            Code::TestOrder,
            format!("`{}` stands after the first statement", item.keyword.name()),
            item.span,
            "expected at the beginning of the test",
        )
        .label(begun, "the script begins here")
        .help("move it up: it holds from the start");
        self.report(report);
    }

    /// `Provide`: at the beginning a setting, later (answers only) a statement.
    fn provide(&mut self, test: &mut hir::Test, script: &mut Script, item: &Item) {
        if item.head.iter().any(|part| matches!(part, Part::Duration(_))) {
            self.must_come_first(script, item);
            test.durations.extend(self.provided_duration(script, item));
            return;
        }
        let Some((component, id, answer, span)) = self.provided_answer(item) else { return };
        if script.begun.is_some() {
            let kind = StatementKind::Provide(id, answer);
            test.statements.push(Statement { component, kind, span: item.span });
        } else if let Some(first) = script.answers.insert((component, id), span) {
            self.provided_twice(item, first, span);
        } else {
            test.answers.push((component, id, answer));
        }
    }

    fn provided_twice(&mut self, item: &Item, first: Span, second: Span) {
        let word = item.path().map_or_else(String::new, |path| self.path_text(&path.names));
        let report = Diagnostic::new(
            Code::PropertyTwice,
            format!("`{word}` is provided twice"),
            second,
            "provided again here",
        );
        self.report(report.label(first, "first provided here").help("keep one of them"));
    }

    fn provided_duration(
        &mut self,
        script: &mut Script,
        item: &Item,
    ) -> Option<(ComponentId, AnimationId, f32)> {
        let path = item.path()?;
        let animation = self.located(path, |inside, rest| {
            let animation = inside.find_animation(rest)?;
            Some((animation, inside.known_duration(animation)))
        });
        let seconds = item.assigned().and_then(|value| self.duration(value, "a provided `Duration`"));
        let ((component, (animation, known)), seconds) = (animation?, seconds?);
        if let Some(first) = script.durations.insert((component, animation), path.span) {
            self.provided_twice(item, first, path.span);
            return None;
        }
        if let Some(given) = known {
            let word = self.path_text(&path.names);
            let report = Diagnostic::new(
                Code::DurationKnown,
                format!("the length of `{word}` is not the host's to say"),
                path.span,
                "it has a `Duration` of its own",
            );
            self.report(report.label(given, "given here").help("remove one of them"));
            return None;
        }
        Some((component, animation, seconds))
    }

    /// Where an animation says how long it is.
    fn known_duration(&self, animation: AnimationId) -> Option<Span> {
        self.known.hir.animations.get(animation.index())?.duration?;
        let declared = self.known.scope.animations[animation.index()].item;
        let property = declared.items().find(|item| item.keyword == Keyword::Duration);
        Some(property.map_or(declared.span, |property| property.span))
    }

    fn provided_answer(&mut self, item: &Item) -> Option<(ComponentId, ExternId, bool, Span)> {
        let path = item.path()?;
        let found = self.located(path, |inside, rest| inside.answered(rest));
        let answer = item.assigned().and_then(|value| self.constant(value, Ty::Bool, "an answer"));
        match (found?, answer?) {
            ((component, id), Literal::Bool(answer)) => Some((component, id, answer, path.span)),
            _ => None,
        }
    }

    /// The predicate of the host that `Provide` names; otherwise it is reported.
    fn answered(&mut self, path: &Path) -> Option<ExternId> {
        if path.names.len() > 1 && self.near_component(path) {
            return None;
        }
        let name = self.single(path, Kind::Extern)?;
        match self.known.scope.values.get(&name.symbol).copied() {
            Some((ValueRef::Extern(index), _)) => Some(ExternId(saturate(index))),
            Some((ValueRef::Param(_), span)) => {
                let word = self.written(name.symbol);
                let report = Diagnostic::new(
                    Code::WrongKind,
                    format!(
                        "`{}` is a parameter, and `Provide` answers an `Extern Predicate`",
                        self.text(name.symbol)
                    ),
                    name.span,
                    "expected an `Extern Predicate`",
                )
                .label(span, "declared here");
                self.report(report.help(format!("write `Set {word} = ...`")));
                None
            }
            _ => {
                self.unknown(Kind::Extern, name);
                None
            }
        }
    }

    fn statements(&mut self, item: &Item, script: &mut Script) -> Vec<Statement> {
        let mut list = Vec::new();
        for inner in item.items() {
            match inner.keyword {
                Keyword::Fps | Keyword::Seed => self.must_come_first(script, inner),
                Keyword::Provide if inner.head.iter().any(|part| matches!(part, Part::Duration(_))) => {
                    self.must_come_first(script, inner);
                }
                Keyword::Provide => {
                    if let Some((component, id, answer, _)) = self.provided_answer(inner) {
                        let kind = StatementKind::Provide(id, answer);
                        list.push(Statement { component, kind, span: inner.span });
                    }
                }
                _ => list.extend(self.statement(inner, script)),
            }
        }
        list
    }

    /// A command to the behavior that has what the path names.
    fn command(&mut self, item: &Item, path: &Path) -> Option<StatementKind> {
        if path.names.len() > 1 && self.near_component(path) {
            return None;
        }
        Some(match item.keyword {
            Keyword::Play => StatementKind::Play(self.find_animation(path)?),
            Keyword::Stop => StatementKind::Stop(self.find_animation(path)?, is_immediate(item)),
            Keyword::StopGroup => StatementKind::StopGroup(self.find_group(path)?, is_immediate(item)),
            Keyword::PlayTag => StatementKind::PlayTag(self.find_animation_tag(path)?),
            _ => StatementKind::StopTag(self.find_animation_tag(path)?),
        })
    }

    fn statement(&mut self, item: &Item, script: &mut Script) -> Option<Statement> {
        let mut component = ComponentId::ROOT;
        let kind = match item.keyword {
            Keyword::Set | Keyword::SetTrue | Keyword::SetFalse | Keyword::Toggle => {
                let (owner, param, value) = self.assignment(item, Site::TEST)?;
                component = owner;
                StatementKind::Set(param, value)
            }
            Keyword::Fire => {
                let (owner, param) = self.fired(item, Site::TEST)?;
                component = owner;
                StatementKind::Fire(param)
            }
            Keyword::Request => {
                let (owner, state, priority) = self.request(item, Site::TEST)?;
                component = owner;
                StatementKind::Request(state, priority)
            }
            Keyword::Play | Keyword::Stop | Keyword::StopGroup | Keyword::PlayTag | Keyword::StopTag => {
                let (owner, kind) = self.located(item.path()?, |inside, path| inside.command(item, path))?;
                component = owner;
                kind
            }
            Keyword::Pointer | Keyword::Key | Keyword::Custom => StatementKind::Input(self.sent(item)?),
            Keyword::StepTicks => {
                let ticks = match item.value() {
                    Some(value) => self.turns(value, "`Step`")?,
                    None => 1,
                };
                StatementKind::Step(ticks)
            }
            Keyword::Wait => StatementKind::Wait(f64::from(self.duration(item.value()?, "`Wait`")?)),
            Keyword::Tick => StatementKind::Tick(self.tick(item.value()?)?),
            Keyword::Expect => {
                let (owner, expectation) = self.expectation(item)?;
                component = owner;
                StatementKind::Expect(expectation)
            }
            Keyword::Save => {
                let name = item.name()?.symbol;
                if script.saved.insert(name) {
                    script.saved_names.push(name);
                }
                StatementKind::Save(name)
            }
            Keyword::Restore => StatementKind::Restore(self.restored(item, script)?),
            Keyword::Repeat => {
                let turns = item.value().and_then(|value| self.turns(value, "`Repeat`"));
                let statements = self.statements(item, script);
                StatementKind::Repeat(turns?, statements)
            }
            _ => return None,
        };
        Some(Statement { component, kind, span: item.span })
    }

    fn turns(&mut self, value: &Expr, what: &str) -> Option<u32> {
        if self.unit_of(value) == super::units::Unit::Seconds && what == "`Step`" {
            let report = Diagnostic::new(
                Code::WrongUnit,
                "`Step` counts ticks",
                value.span,
                "expected a whole number of ticks",
            );
            self.report(report.help("to let time pass, write `Wait 250ms`; for one long tick, `Tick 250ms`"));
            return None;
        }
        let turns = self.whole(value, what, 1.0, MOST_TURNS)?;
        u32::try_from(turns).ok()
    }

    fn tick(&mut self, value: &Expr) -> Option<f32> {
        let seconds = self.duration(value, "`Tick`")?;
        if let crate::ast::ExprKind::Number(number) = value.kind
            && (LONG_TICK..30.0).contains(&number)
        {
            let report = Diagnostic::new(
                Code::LongSeconds,
                format!("`Tick` is {number} seconds"),
                value.span,
                "a number without a unit is seconds",
            );
            let help = format!("did you mean `{number}ms`? If not, write `{number}s`");
            self.report(report.help(help).fix(value.span, format!("{number}ms")));
        }
        Some(seconds)
    }

    fn restored(&mut self, item: &Item, script: &Script) -> Option<Symbol> {
        let name = item.name()?;
        if script.saved.contains(&name.symbol) {
            return Some(name.symbol);
        }
        let word = self.text(name.symbol).to_owned();
        let near = self.nearest_of(&word, script.saved_names.iter().copied());
        let mut report = Diagnostic::new(
            Code::NothingSaved,
            format!("nothing was saved as `{word}` before"),
            name.span,
            "expected a name that a `Save` gave",
        );
        report = match near {
            Some(near) => {
                let mended = super::context::written(&near);
                report.help(format!("did you mean `{near}`?")).fix(name.span, mended)
            }
            None => report.help(format!(
                "write `Save {}` where the test is to come back to",
                self.written(name.symbol)
            )),
        };
        self.report(report);
        None
    }
}
