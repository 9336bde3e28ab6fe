//! Lint: declarations that nothing mentions.
//!
//! A parameter that nothing reads or writes, and a named value that nothing uses, is a warning. An animation that no
//! action starts may be started by the host, so it is a note. A name that begins with `_` is left alone. A mention in
//! a test of the same file counts.

use crate::hash::HashSet;
use std::collections::BTreeSet;

use motix_vm::ids::{AnimationId, ComponentId, ParamId, TagId};

use super::{Context, walk};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::{
    Action, Behavior, Declared, Expectation, Expr, ExprKind, Hir, MotionKind, Statement, StatementKind,
    ValueId,
};
use crate::source::Span;

/// What is mentioned.
#[derive(Clone, Default)]
struct Mentions {
    params: BTreeSet<ParamId>,
    values: BTreeSet<ValueId>,
    animations: BTreeSet<AnimationId>,
    tags: BTreeSet<TagId>,
}

pub(super) fn run(hir: &mut Hir, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    // What is inherited is declared once, and used where any of those uses it that have it.
    let mut used: HashSet<Span> = HashSet::default();
    let mut all = Vec::new();
    // By behavior, what components and tests mention.
    let mut elsewhere = vec![Mentions::default(); hir.behaviors.len()];
    for component in hir.behaviors.iter().flat_map(|outer| &outer.components) {
        if let Some(mentions) = elsewhere.get_mut(component.behavior.index()) {
            mentions.params.extend(component.binds.iter().map(|bind| bind.inner));
        }
    }
    for test in &hir.tests {
        if let Some(mentions) = elsewhere.get_mut(test.behavior.index()) {
            mentions.statements(&test.statements);
        }
    }
    for (index, behavior) in context.own(hir) {
        let mut mentions = elsewhere.get_mut(index).map(std::mem::take).unwrap_or_default();
        walk::each_expression(behavior, &mut |expr| mentions.expression(expr));
        walk::each_action(behavior, &mut |action| mentions.action(action));
        for motion in &behavior.motions {
            if let MotionKind::Clip { animation, .. } = &motion.kind {
                mentions.animations.insert(*animation);
            }
        }
        mentions.params.extend(behavior.components.iter().flat_map(|row| &row.binds).map(|bind| bind.param));
        // From the last value to the first: each stands after those it reads, and one that is unused uses nothing.
        for (index, value) in behavior.values.iter().enumerate().rev() {
            if mentions.values.contains(&ValueId(index as u32)) {
                mentions.expression(walk::value_expression(&value.kind));
            }
        }
        used.extend(mentions.places(behavior));
        all.push((behavior, mentions));
    }
    for (behavior, mentions) in &all {
        report(behavior, mentions, &used, context, diagnostics);
    }
}

fn report(
    behavior: &Behavior,
    mentions: &Mentions,
    used: &HashSet<Span>,
    context: &Context<'_>,
    diagnostics: &mut Diagnostics,
) {
    let mut warn = |code, name: Declared, what: &str, label: &str, help: &str| {
        let text = context.names.text(name.symbol);
        if !text.starts_with('_') && !used.contains(&name.span) {
            let message = format!("the {what} `{text}` {label}");
            let report = Diagnostic::new(code, message, name.span, "declared here");
            context.tell(behavior, report.help(help), diagnostics);
        }
    };
    // What only an unused value reads is not reported beside that value.
    let mut indirect = Mentions::default();
    for value in &behavior.values {
        indirect.expression(walk::value_expression(&value.kind));
    }
    for (index, param) in behavior.params.iter().enumerate() {
        let id = ParamId(index as u16);
        if !mentions.params.contains(&id) && !indirect.params.contains(&id) {
            let help = "read it in a condition, or remove it";
            warn(Code::UnusedParam, param.name, "parameter", "is never used", help);
        }
    }
    for (index, value) in behavior.values.iter().enumerate() {
        let id = ValueId(index as u32);
        if !mentions.values.contains(&id) && !indirect.values.contains(&id) {
            let what = if value.predicate { "predicate" } else { "value" };
            warn(Code::UnusedValue, value.name, what, "is never used", "use it, or remove it");
        }
    }
    for (index, animation) in behavior.animations.iter().enumerate() {
        let id = AnimationId(index as u16);
        let tagged = animation.tags.iter().any(|tag| mentions.tags.contains(tag));
        if !mentions.animations.contains(&id) && !tagged {
            let help = "give it to a state as `Clip`, or start it with `Play` in an action, unless the host starts it";
            warn(Code::UnusedAnimation, animation.name, "animation", "is not used in this file", help);
        }
    }
}

impl Mentions {
    /// Where what is mentioned is declared.
    fn places<'b>(&'b self, behavior: &'b Behavior) -> impl Iterator<Item = Span> + 'b {
        let params = self.params.iter().filter_map(|id| Some(behavior.params.get(id.index())?.name.span));
        let values = self.values.iter().filter_map(|id| Some(behavior.values.get(id.0 as usize)?.name.span));
        let animations = behavior.animations.iter().enumerate().filter(|(index, animation)| {
            self.animations.contains(&AnimationId(*index as u16))
                || animation.tags.iter().any(|tag| self.tags.contains(tag))
        });
        params.chain(values).chain(animations.map(|(_, animation)| animation.name.span))
    }

    fn expression(&mut self, expr: &Expr) {
        walk::each_part(expr, &mut |part| match part.kind {
            ExprKind::Param(param) => drop(self.params.insert(param)),
            ExprKind::Value(value) => drop(self.values.insert(value)),
            ExprKind::Playing(animation)
            | ExprKind::Finished(animation)
            | ExprKind::Time(animation)
            | ExprKind::Phase(animation)
            | ExprKind::Weight(animation) => drop(self.animations.insert(animation)),
            _ => {}
        });
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Play(animation) | Action::Stop(animation, _) => {
                self.animations.insert(*animation);
            }
            Action::PlayTag(tag) | Action::StopTag(tag) => drop(self.tags.insert(*tag)),
            Action::Set(param, _) | Action::Fire(param) => drop(self.params.insert(*param)),
            _ => {}
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            if statement.component != ComponentId::ROOT {
                // What it names is of another behavior; a value that it sets is of this one.
                if let StatementKind::Set(_, value) = &statement.kind {
                    self.expression(value);
                }
                continue;
            }
            match &statement.kind {
                StatementKind::Set(param, value) => {
                    self.params.insert(*param);
                    self.expression(value);
                }
                StatementKind::Fire(param) => drop(self.params.insert(*param)),
                StatementKind::Play(animation) | StatementKind::Stop(animation, _) => {
                    self.animations.insert(*animation);
                }
                StatementKind::PlayTag(tag) | StatementKind::StopTag(tag) => drop(self.tags.insert(*tag)),
                StatementKind::Expect(Expectation::Expr(expr)) => self.expression(expr),
                StatementKind::Repeat(_, inner) => self.statements(inner),
                _ => {}
            }
        }
    }
}
