//! One test on one instance, statement by statement, to its end or its first expectation that does not hold.

use std::collections::BTreeMap;
use std::sync::Arc;

use motix_vm::ids::{ComponentId, ExternId, ParamId};
use motix_vm::program::BehaviorRef;
use motix_vm::program::tables::Type;
use motix_vm::{ComponentMut, Frame, Host, Instance, Program, Setup, StopMode, Value};

use super::events::{self, Seen};
use super::value::Known;
use super::{Fact, MAX_STATEMENTS, MAX_TICKS, MAX_WINDOW, Sent, TestFailure, TestOutcome, Verdict, Watch};
use crate::hir::{Expectation, Expr, Statement, StatementKind, Test, TestEvent, TestInput};
use crate::intern::Symbol;
use crate::lower;
use crate::pipeline::Compiled;
use crate::source::Span;

/// A rest of `Wait` below this is no tick of its own, in seconds: what is due so soon is due now.
const SHORTEST_TICK: f64 = 10e-6;
/// The length of an animation whose duration nothing gives, in seconds.
const DEFAULT_DURATION: f32 = 1.0;
/// How many events of a window a failure shows.
const SHOWN_EVENTS: usize = 40;

/// Runs a test.
pub(super) fn run<'a>(
    compiled: &'a Compiled,
    program: &'a Arc<Program>,
    test: &'a Test,
    mut watch: Option<&'a mut dyn Watch>,
) -> TestOutcome {
    let (Some(behavior), mut durations) = (program.at(test.behavior), test.durations.clone()) else {
        let reason = "the behavior is not in the program".into();
        return outcome(compiled, test, 0, 0.0, Verdict::Broken { span: test.span, reason });
    };
    for (component, animation) in behavior.open_durations() {
        if !test.durations.iter().any(|(owner, given, _)| (*owner, *given) == (component, animation)) {
            durations.push((component, animation, DEFAULT_DURATION));
        }
    }
    let setup = Setup { seed: test.seed, component_durations: &durations, ..Setup::default() };
    let instance = match Instance::new(program, test.behavior, &setup) {
        Ok(instance) => instance,
        Err(error) => {
            let verdict = Verdict::Broken { span: test.span, reason: error.to_string() };
            return outcome(compiled, test, 0, 0.0, verdict);
        }
    };
    if let Some(watch) = &mut watch {
        watch.begins(&instance);
    }
    let mut runner = Runner {
        watch,
        compiled,
        test,
        behavior,
        instance,
        frame: Frame::new(),
        answers: test.answers.iter().map(|(owner, id, answer)| ((*owner, *id), *answer)).collect(),
        window: Vec::new(),
        watched: looks_at_events(&test.statements),
        judged: false,
        saves: BTreeMap::new(),
        ticks: 0,
        statements: 0,
        time: 0.0,
    };
    let verdict = runner.statements(&test.statements).err().unwrap_or(Verdict::Passed);
    outcome(compiled, test, runner.ticks, runner.time, verdict)
}

pub(super) fn outcome(
    compiled: &Compiled,
    test: &Test,
    ticks: u64,
    time: f64,
    verdict: Verdict,
) -> TestOutcome {
    let behavior = compiled.hir.behaviors.get(test.behavior.index());
    TestOutcome {
        name: compiled.names.text(test.name).to_owned(),
        behavior: behavior.map_or_else(String::new, |row| compiled.names.text(row.name.symbol).to_owned()),
        span: test.span,
        ticks,
        time,
        verdict,
    }
}

/// A test under way. `Err` ends it.
struct Runner<'a> {
    watch: Option<&'a mut dyn Watch>,
    compiled: &'a Compiled,
    test: &'a Test,
    behavior: BehaviorRef<'a>,
    instance: Instance,
    frame: Frame,
    answers: BTreeMap<(ComponentId, ExternId), bool>,
    /// What happened since the window opened.
    window: Vec<Seen>,
    /// Whether any statement looks at the window; else it is not kept.
    watched: bool,
    /// Whether an `Expect events` looked at the window: the next statement that is no `Expect` opens a new one.
    judged: bool,
    saves: BTreeMap<Symbol, Vec<u8>>,
    ticks: u64,
    statements: u64,
    time: f64,
}

type Step = Result<(), Verdict>;

impl Runner<'_> {
    fn statements(&mut self, statements: &[Statement]) -> Step {
        for statement in statements {
            self.statements += 1;
            if self.statements > MAX_STATEMENTS {
                return Err(broken(statement.span, format!("it runs more than {MAX_STATEMENTS} statements")));
            }
            if self.judged && !matches!(statement.kind, StatementKind::Expect(_)) {
                self.window.clear();
                self.judged = false;
            }
            self.statement(statement)?;
            if let Some(watch) = &mut self.watch {
                watch.did(statement);
            }
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> Step {
        let Statement { component, span, .. } = *statement;
        match &statement.kind {
            StatementKind::Set(param, _) => {
                let value = self.probe(span, 0)?;
                self.set(component, *param, &value, span)
            }
            StatementKind::Fire(param) => self.set(component, *param, &Known::Bool(true), span),
            StatementKind::Request(state, priority) => {
                done(self.part(component, span)?.request(*state, *priority), span)
            }
            StatementKind::Play(animation) => done(self.part(component, span)?.play(*animation), span),
            StatementKind::Stop(animation, immediate) => {
                done(self.part(component, span)?.stop(*animation, mode(*immediate)), span)
            }
            StatementKind::StopGroup(group, immediate) => {
                done(self.part(component, span)?.stop_group(*group, mode(*immediate)), span)
            }
            StatementKind::PlayTag(tag) => done(self.part(component, span)?.play_tag(*tag), span),
            StatementKind::StopTag(tag) => {
                done(self.part(component, span)?.stop_tag(*tag, StopMode::FadeOut), span)
            }
            StatementKind::Input(input) => self.send(input, span),
            StatementKind::Provide(predicate, answer) => {
                self.answers.insert((component, *predicate), *answer);
                Ok(())
            }
            StatementKind::Step(count) => self.ticks(u64::from(*count), span),
            StatementKind::Wait(seconds) => self.wait(*seconds, span),
            StatementKind::Tick(dt) => self.tick(*dt, span),
            StatementKind::Expect(expectation) => self.expect(component, expectation, span),
            StatementKind::Save(name) => {
                self.saves.insert(*name, self.instance.save());
                Ok(())
            }
            StatementKind::Restore(name) => match self.saves.get(name) {
                Some(bytes) => done(self.instance.restore(bytes), span),
                None => {
                    let name = self.compiled.names.text(*name);
                    Err(broken(span, format!("nothing was saved as `{name}` before")))
                }
            },
            StatementKind::Repeat(count, inner) => {
                for _ in 0..*count {
                    // A loop around nothing takes time too.
                    self.statements += 1;
                    if self.statements > MAX_STATEMENTS {
                        return Err(broken(span, format!("it runs more than {MAX_STATEMENTS} statements")));
                    }
                    self.statements(inner)?;
                }
                Ok(())
            }
        }
    }

    /// The part of the instance that a statement is about.
    fn part(&mut self, component: ComponentId, span: Span) -> Result<ComponentMut<'_>, Verdict> {
        self.instance
            .component_mut(component)
            .ok_or_else(|| broken(span, "there is no such component".into()))
    }

    fn set(&mut self, component: ComponentId, param: ParamId, value: &Known, span: Span) -> Step {
        let inside = self.behavior.component_behavior(component).unwrap_or(self.behavior);
        let name = inside.param_name(param);
        let row = inside.rows().params.get(param.index());
        let is_trigger = row.is_some_and(|row| row.ty == Type::Trigger);
        let value = match value {
            Known::Bool(fired) if is_trigger => Value::Trigger(*fired),
            other => other.as_value(),
        };
        done(self.part(component, span)?.set(name, value), span)
    }

    /// Whole ticks of 1/Fps, then a shorter one for what is left.
    fn wait(&mut self, seconds: f64, span: Span) -> Step {
        let length = 1.0 / f64::from(self.test.fps);
        let whole = ((seconds + SHORTEST_TICK) / length).floor();
        // A number beyond the range becomes the greatest, which is too many.
        self.ticks(whole as u64, span)?;
        let rest = seconds - whole * length;
        if rest > SHORTEST_TICK { self.tick(rest as f32, span) } else { Ok(()) }
    }

    /// Tells the listeners what happens.
    fn send(&mut self, input: &TestInput, span: Span) -> Step {
        let text = |symbol: &Symbol| self.compiled.names.text(*symbol).to_owned();
        let sent = Sent {
            kind: input.kind,
            name: input.name.as_ref().map_or_else(String::new, text),
            targets: input.targets.iter().map(text).collect(),
            at: input.at,
        };
        let answers = &self.answers;
        let mut answer = |owner, predicate| answers.get(&(owner, predicate)).copied().unwrap_or(false);
        let mut host = Host { predicates: Some(&mut answer), globals: None };
        done(sent.with(|input| self.instance.send_with(input, &mut host)).map(drop), span)
    }

    fn ticks(&mut self, count: u64, span: Span) -> Step {
        // Before the first of them: nobody waits for ticks that lead to nothing.
        if self.ticks.saturating_add(count) > MAX_TICKS {
            return Err(too_many_ticks(span));
        }
        let dt = (1.0 / f64::from(self.test.fps)) as f32;
        (0..count).try_for_each(|_| self.tick(dt, span))
    }

    fn tick(&mut self, dt: f32, span: Span) -> Step {
        if self.ticks >= MAX_TICKS {
            return Err(too_many_ticks(span));
        }
        let answers = &self.answers;
        let mut answer = |owner, predicate| answers.get(&(owner, predicate)).copied().unwrap_or(false);
        let mut host = Host { predicates: Some(&mut answer), globals: None };
        done(self.instance.tick_with(dt, &mut host, &mut self.frame), span)?;
        self.ticks += 1;
        self.time += f64::from(dt);
        if let Some(watch) = &mut self.watch {
            watch.ticked(&self.instance, &self.frame, dt);
        }
        if !self.watched {
            return Ok(());
        }
        let events = self.frame.events();
        if self.window.len() + events.len() > MAX_WINDOW {
            return Err(broken(
                span,
                format!("more than {MAX_WINDOW} events since the last `Expect events`"),
            ));
        }
        self.window.extend(events.iter().map(Seen::of));
        Ok(())
    }

    /// The value of an expression of a statement.
    fn probe(&mut self, span: Span, number: u32) -> Result<Known, Verdict> {
        let answers = &self.answers;
        let mut answer = |owner, predicate| answers.get(&(owner, predicate)).copied().unwrap_or(false);
        let mut host = Host { predicates: Some(&mut answer), globals: None };
        let index = self.compiled.probes.index((span, number));
        let value = index.and_then(|index| self.instance.probe(index, &mut host));
        value.map(Known::of).ok_or_else(|| broken(span, "its expression is not in the program".into()))
    }

    fn expect(&mut self, component: ComponentId, expectation: &Expectation, span: Span) -> Step {
        let (holds, facts) = match expectation {
            Expectation::Expr(expr) => match self.probe(span, 0)? {
                Known::Bool(true) => return Ok(()),
                _ => (false, self.facts(expr, span)?),
            },
            Expectation::State { machine, state, negated } => {
                let leaf = self.instance.component(component).and_then(|part| part.state(*machine));
                let holds = (leaf == Some(*state)) != *negated;
                let inside = self.behavior.component_behavior(component).unwrap_or(self.behavior);
                let value = leaf.map_or_else(|| "none".into(), |leaf| inside.state_path(leaf));
                let path = self.behavior.component_path(component);
                let layer = inside.machine_name(*machine);
                let text = match (path.is_empty(), layer) {
                    (true, None) => "state".into(),
                    (true, Some(layer)) => format!("state({layer})"),
                    (false, None) => format!("state({path})"),
                    (false, Some(layer)) => format!("state({path}.{layer})"),
                };
                (holds, vec![Fact { text, value }])
            }
            Expectation::Settled(negated) => (self.instance.is_settled() != *negated, Vec::new()),
            Expectation::Has(pattern) => (self.has(*pattern), Vec::new()),
            Expectation::Lacks(pattern) => (!self.has(*pattern), Vec::new()),
            Expectation::Equal(patterns) => {
                self.judged = true;
                (events::are(patterns, &self.window, self.behavior, &self.compiled.names), Vec::new())
            }
        };
        if holds {
            return Ok(());
        }
        Err(Verdict::Failed(TestFailure {
            span,
            expected: self.expected(span),
            facts,
            events: self.judged_events(expectation),
            tick: self.ticks,
            time: self.time,
        }))
    }

    fn has(&mut self, pattern: TestEvent) -> bool {
        self.judged = true;
        let (behavior, names) = (self.behavior, &self.compiled.names);
        self.window.iter().any(|seen| events::matches(pattern, *seen, behavior, names))
    }

    /// The events to show beside an expectation of events.
    fn judged_events(&self, expectation: &Expectation) -> Option<Vec<String>> {
        if !expectation.is_of_events() {
            return None;
        }
        let left_out = self.window.len().saturating_sub(SHOWN_EVENTS);
        let mut shown = Vec::new();
        if left_out > 0 {
            shown.push(format!("{left_out} earlier ones"));
        }
        shown.extend(self.window.iter().skip(left_out).map(|seen| events::text(*seen, self.behavior)));
        Some(shown)
    }

    fn facts(&mut self, expr: &Expr, span: Span) -> Result<Vec<Fact>, Verdict> {
        let mut facts: Vec<Fact> = Vec::new();
        for (index, part) in lower::facts(expr).into_iter().enumerate() {
            let value = self.probe(span, index as u32 + 1)?.to_string();
            let fact = Fact { text: one_line(self.compiled.sources.text(part.span)), value };
            if !facts.contains(&fact) {
                facts.push(fact);
            }
        }
        Ok(facts)
    }

    /// The expectation as written, without its keyword.
    fn expected(&self, span: Span) -> String {
        let text = one_line(self.compiled.sources.text(span));
        text.strip_prefix("Expect ").map_or(text.clone(), str::to_owned)
    }
}

/// Whether any of the statements is an `Expect events`. Blocks nest as deep as the parser lets them.
fn looks_at_events(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match &statement.kind {
        StatementKind::Expect(expectation) => expectation.is_of_events(),
        StatementKind::Repeat(_, inner) => looks_at_events(inner),
        _ => false,
    })
}

/// The text with every run of blanks as one space.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

const fn mode(immediate: bool) -> StopMode {
    if immediate { StopMode::Immediate } else { StopMode::FadeOut }
}

fn done<E: std::fmt::Display>(result: Result<(), E>, span: Span) -> Step {
    result.map_err(|error| broken(span, error.to_string()))
}

const fn broken(span: Span, reason: String) -> Verdict {
    Verdict::Broken { span, reason }
}

fn too_many_ticks(span: Span) -> Verdict {
    broken(span, format!("it runs more than {MAX_TICKS} ticks"))
}
