//! Names that stand for nothing, or for another kind of thing than is needed.
//!
//! One way for all kinds: nothing where the name may be lost, else the near name of that kind, else what the name is
//! instead, else what there is.

use motix_vm::ids::MachineId;

use crate::ast::Name;
use crate::diagnostic::{Code, Diagnostic};
use crate::intern::Symbol;
use crate::resolve::{Found, Space, ValueRef};
use crate::source::Span;
use crate::syntax::Keyword;

use super::colors;
use super::context::{Checker, written};

/// Of lists that are copied for a message, no more is looked at: messages stay cheap, however many there are.
pub(super) const FEW: usize = 256;

/// A kind of thing that has names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Value,
    Constant,
    Condition,
    Param,
    Extern,
    State,
    Animation,
    Layer,
    Mask,
    Group,
    AnimationTag,
    StateTag,
}

impl Kind {
    fn code(self) -> Code {
        match self {
            Kind::Value | Kind::Constant => Code::UnknownName,
            Kind::Condition | Kind::Extern => Code::UnknownPredicate,
            Kind::Param => Code::UnknownParam,
            Kind::State => Code::UnknownState,
            Kind::Animation => Code::UnknownAnimation,
            Kind::Layer => Code::UnknownLayer,
            Kind::Mask => Code::UnknownMask,
            Kind::Group => Code::UnknownGroup,
            Kind::AnimationTag | Kind::StateTag => Code::UnknownTag,
        }
    }

    /// Its name space, where things of it can be removed.
    fn space(self) -> Option<Space> {
        Some(match self {
            Kind::Value | Kind::Constant | Kind::Condition | Kind::Param | Kind::Extern => Space::Value,
            Kind::State => Space::State,
            Kind::Animation => Space::Animation,
            Kind::Layer => Space::Layer,
            Kind::Mask => Space::Mask,
            Kind::Group | Kind::AnimationTag | Kind::StateTag => return None,
        })
    }

    /// With its article.
    pub(super) fn one(self) -> &'static str {
        match self {
            Kind::Value => "a value",
            Kind::Constant => "a literal or a constant",
            Kind::Condition => "a predicate",
            Kind::Param => "a parameter",
            Kind::Extern => "an `Extern Predicate`",
            Kind::State => "a state",
            Kind::Animation => "an animation",
            Kind::Layer => "a layer",
            Kind::Mask => "a mask",
            Kind::Group => "a group",
            Kind::AnimationTag => "a tag of an animation",
            Kind::StateTag => "a tag of a state",
        }
    }

    fn many(self) -> &'static str {
        match self {
            Kind::Value => "values",
            Kind::Constant => "constants",
            Kind::Condition => "conditions",
            Kind::Param => "parameters",
            Kind::Extern => "extern predicates",
            Kind::State => "states",
            Kind::Animation => "animations",
            Kind::Layer => "layers",
            Kind::Mask => "masks",
            Kind::Group => "groups",
            Kind::AnimationTag => "tags of animations",
            Kind::StateTag => "tags of states",
        }
    }

    /// How one is made.
    fn making(self, name: &str) -> String {
        match self {
            Kind::Constant => format!("declare it: `Const {name} = ...`"),
            Kind::Value => format!("declare it: `Param {name}: number`"),
            Kind::Condition => format!("declare it: `Predicate {name} = ...` or `Param {name}: bool`"),
            Kind::Param => format!("declare it: `Param {name}: bool`"),
            Kind::Extern => format!("declare it: `Extern Predicate {name}`"),
            Kind::State => format!("declare it: `State {name} {{ ... }}`"),
            Kind::Animation => format!("declare it: `Animation {name} {{ ... }}`"),
            Kind::Layer => format!("declare it: `Layer {name} {{ Order 1 }}`"),
            Kind::Mask => format!("declare it: `Mask {name} {{ Include \"...\" }}`"),
            Kind::Group => format!("a group is made by naming it in an animation: `Group {name}`"),
            Kind::AnimationTag => format!("a tag is made by giving it to an animation: `Tags {name}`"),
            Kind::StateTag => format!("a tag is made by giving it to a state: `Tags {name}`"),
        }
    }
}

impl<'a> Checker<'a, '_> {
    /// The names of a kind, in order of declaration.
    fn names_of(&self, kind: Kind) -> Box<dyn Iterator<Item = Symbol> + '_> {
        let scope = &self.known.scope;
        match kind {
            Kind::Value => Box::new(
                (scope.params.iter().map(|row| row.name.symbol))
                    .chain(scope.lets.iter().map(|row| row.name.symbol))
                    .chain(scope.externs.iter().map(|row| row.name.symbol))
                    .chain(scope.consts.iter().map(|row| row.name.symbol))
                    .chain(self.files.visible_consts(scope.file).map(|row| row.name.symbol)),
            ),
            Kind::Constant => Box::new(
                (scope.consts.iter().map(|row| row.name.symbol))
                    .chain(self.files.visible_consts(scope.file).map(|row| row.name.symbol)),
            ),
            Kind::Condition => Box::new(
                (scope.lets.iter().map(|row| row.name.symbol))
                    .chain(scope.externs.iter().map(|row| row.name.symbol))
                    .chain(scope.params.iter().map(|row| row.name.symbol)),
            ),
            Kind::Param => Box::new(scope.params.iter().map(|row| row.name.symbol)),
            Kind::Extern => Box::new(scope.externs.iter().map(|row| row.name.symbol)),
            Kind::State => Box::new(scope.states.iter().map(|row| row.name.symbol)),
            Kind::Animation => Box::new(scope.animations.iter().map(|row| row.name.symbol)),
            Kind::Layer => Box::new(scope.layers.iter().map(|row| row.name.symbol)),
            Kind::Mask => Box::new(scope.masks.iter().map(|row| row.name.symbol)),
            Kind::Group => Box::new(scope.groups.iter().map(|group| group.symbol)),
            Kind::AnimationTag => Box::new(scope.animation_tags.names.iter().copied()),
            Kind::StateTag => Box::new(scope.state_tags.names.iter().copied()),
        }
    }

    /// What else the name stands for, and where that is declared.
    fn other_kind(&self, written: Name, but: Kind) -> Option<(&'static str, Option<Span>)> {
        let scope = &self.known.scope;
        let name = written.symbol;
        if let Some((reference, span)) = scope.values.get(&name) {
            let what = match reference {
                ValueRef::Param(_) => "a parameter",
                ValueRef::Const(_) => "a constant",
                ValueRef::Value(index) if scope.lets[*index].predicate => "a predicate",
                ValueRef::Value(_) => "a `Let`",
                ValueRef::Extern(_) => "an `Extern Predicate`",
            };
            let meant = matches!(but, Kind::Value | Kind::Constant | Kind::Condition);
            if !meant {
                return Some((what, Some(*span)));
            }
        }
        if but != Kind::State
            && let Some(state) = scope.state_names.anywhere(name)
        {
            return Some(("a state", scope.states.get(state.index()).map(|row| row.name.span)));
        }
        if but != Kind::Animation
            && let Some(index) = scope.animation_index.get(&name)
        {
            return Some(("an animation", Some(scope.animations[*index].name.span)));
        }
        if but != Kind::Layer
            && let Some(index) = scope.layer_index.get(&name)
        {
            return Some(("a layer", Some(scope.layers[*index].name.span)));
        }
        if but != Kind::Mask
            && let Some(index) = scope.mask_index.get(&name)
        {
            return Some(("a mask", Some(scope.masks[*index].name.span)));
        }
        if but != Kind::Group && scope.group_index.contains_key(&name) {
            return Some(("a group", None));
        }
        if let Some(tag) = scope.tag_index.get(&name) {
            if but != Kind::AnimationTag && scope.animation_tags.contains(*tag) {
                return Some(("a tag of animations", None));
            }
            if but != Kind::StateTag && scope.state_tags.contains(*tag) {
                return Some(("a tag of states", None));
            }
        }
        let alone = [written];
        if let Some(index) = scope.enum_index.get(&name) {
            return Some(("an enum", Some(scope.enums[*index].name.span)));
        }
        if let Found::Yes(index) = self.files.enumeration(&alone) {
            return Some(("an enum", Some(self.files.enums[index].name.span)));
        }
        if let Found::Yes(index) = self.files.constant(&alone)
            && !matches!(but, Kind::Value | Kind::Constant | Kind::Condition)
        {
            return Some(("a constant", Some(self.files.consts[index].name.span)));
        }
        if let Found::Yes(index) = self.files.behavior(&alone) {
            return Some(("a behavior", Some(self.files.behaviors[index].name.span)));
        }
        None
    }

    /// Reports a name that is none of `kind`.
    pub(super) fn unknown(&mut self, kind: Kind, name: Name) {
        self.unknown_within(kind, name, None);
    }

    /// Reports a name that is no state of a machine.
    pub(super) fn unknown_state(&mut self, name: Name, machine: MachineId) {
        self.unknown_within(Kind::State, name, Some(machine));
    }

    /// The names of a kind, or of the states of a machine.
    pub(super) fn candidates(
        &self,
        kind: Kind,
        machine: Option<MachineId>,
    ) -> Box<dyn Iterator<Item = Symbol> + '_> {
        match machine.and_then(|machine| self.known.scope.machines.get(machine.index())) {
            Some(row) => Box::new(row.states.iter().map(|state| state.name.symbol)),
            None => self.names_of(kind),
        }
    }

    /// The only one of a few names that is the beginning of `wrong`, or begins with it: `Stand` for `Standing`.
    fn longer_or_shorter(&self, wrong: &str, listed: &[Symbol]) -> Option<String> {
        let begins = |a: &str, b: &str| {
            let shorter = a.len().min(b.len());
            let heads = a.as_bytes().get(..shorter).zip(b.as_bytes().get(..shorter));
            shorter >= 4 && a != b && heads.is_some_and(|(a, b)| a.eq_ignore_ascii_case(b))
        };
        let mut found = listed.iter().map(|symbol| self.text(*symbol)).filter(|name| begins(name, wrong));
        let first = found.next().filter(|_| listed.len() < 9)?;
        found.next().is_none().then(|| first.to_owned())
    }

    /// The value or constant that is defined at a place: it is never meant there.
    fn defined_around(&self, span: Span) -> Option<Symbol> {
        let scope = &self.known.scope;
        let lets = scope.lets.iter().map(|row| (row.item, row.name));
        let consts = scope.consts.iter().map(|row| (row.item, row.name));
        let mut rows = lets.chain(consts);
        rows.find(|(item, _)| item.span.contains(span)).map(|(_, name)| name.symbol)
    }

    fn unknown_within(&mut self, kind: Kind, name: Name, machine: Option<MachineId>) {
        if self.is_lost(name.symbol) {
            return;
        }
        if kind.space().is_some_and(|space| self.removed(space, name.symbol, name.span)) {
            return;
        }
        if self.diagnostics.is_full() {
            // It is counted; nobody reads what it would say.
            self.report(Diagnostic::new(kind.code(), String::new(), name.span, ""));
            return;
        }
        let wrong = self.text(name.symbol).to_owned();
        let own = self.defined_around(name.span);
        let listed: Vec<Symbol> =
            self.candidates(kind, machine).filter(|one| Some(*one) != own).take(9).collect();
        let near = {
            let mut nearest = std::mem::take(self.nearest);
            let others = self.candidates(kind, machine).filter(|one| Some(*one) != own);
            let texts = others.map(|symbol| self.names.text(symbol));
            let found = nearest.find(&wrong, texts).map(str::to_owned);
            *self.nearest = nearest;
            found.or_else(|| self.longer_or_shorter(&wrong, &listed))
        };
        if let Some(space) = kind.space()
            && self.is_meant_by_another(space, name, near.as_deref())
        {
            return;
        }
        let other = self.other_kind(name, kind);
        let only_case = near.as_ref().is_some_and(|near| near.to_lowercase() == wrong.to_lowercase());
        if let Some((what, span)) = other
            && !only_case
        {
            self.wrong_kind(kind, name, what, span, near, &listed);
            return;
        }
        let layer = machine.and_then(|machine| self.known.scope.machines.get(machine.index())?.layer);
        let place = match layer {
            Some(layer) => format!("layer `{}`", self.text(self.known.scope.layers[layer].name.symbol)),
            None => self.behavior_text(),
        };
        let file = kind == Kind::Animation && name.quoted && wrong.contains(['.', '/']);
        let plain = plain_noun(kind);
        let mut report = Diagnostic::new(
            kind.code(),
            format!("there is no {plain} `{wrong}`"),
            name.span,
            match kind {
                Kind::Constant => "expected a literal or a constant".to_owned(),
                _ => format!("expected {} of {place}", kind.one()),
            },
        );
        if let Some(near) = near {
            let mended = written(&near);
            report = report.help(format!("did you mean `{near}`?")).fix(name.span, mended);
        } else if let (Kind::Condition, Some(gate)) = (kind, gate(&wrong)) {
            report =
                report.help(format!("it is no condition, but a property of a transition: `{{ {gate} }}`"));
        } else if file {
            let help = format!(
                "a file is named where its animation is declared: `Animation Walk {{ AssetId \"{wrong}\" }}`"
            );
            report = report.help(help).help("here stands the name of that animation");
        } else if let (Kind::Constant | Kind::Value, Some(color)) = (kind, colors::hexadecimal(&wrong)) {
            report = report.help(format!("a color is written `{color}`")).fix(name.span, color);
        } else if listed.is_empty() {
            report = report.help(kind.making(&written(&wrong)));
        } else {
            report = report.help(format!("{} of {place}: {}", kind.many(), self.choices(listed, "and")));
        }
        // One name is missed once, whatever is asked of it.
        let noun = if kind.space() == Some(Space::Value) { "value" } else { plain };
        let key = format!("{} {noun} {wrong}", self.behavior_text());
        self.report(report.of_name(key));
    }

    fn wrong_kind(
        &mut self,
        kind: Kind,
        name: Name,
        what: &str,
        span: Option<Span>,
        near: Option<String>,
        listed: &[Symbol],
    ) {
        let wrong = self.text(name.symbol).to_owned();
        let mut report = Diagnostic::new(
            Code::WrongKind,
            format!("`{wrong}` is {what}, not {}", kind.one()),
            name.span,
            format!("expected {}", kind.one()),
        );
        if let Some(span) = span {
            report = report.label(span, format!("declared here as {what}"));
        }
        if let Some(near) = near {
            let mended = written(&near);
            report = report.help(format!("did you mean `{near}`?")).fix(name.span, mended);
        } else if let (Kind::Value | Kind::Condition, "a state" | "an animation" | "a tag of states") =
            (kind, what)
        {
            let word = written(&wrong);
            let (ask, why) = match what {
                "a state" => ("in", "whether the state is active"),
                "an animation" => ("playing", "whether it plays"),
                _ => ("tagged", "whether an active state carries the tag"),
            };
            report = report
                .help(format!("write `{ask}({word})` to ask {why}"))
                .fix(name.span, format!("{ask}({word})"));
        } else if listed.is_empty() {
            report = report.help(kind.making(&written(&wrong)));
        } else {
            let choices = self.choices(listed.iter().copied(), "and");
            report = report.help(format!("{} of {}: {choices}", kind.many(), self.behavior_text()));
        }
        self.report_name(report);
    }

    /// The nearest of some names.
    pub(super) fn nearest_of(
        &mut self,
        name: &str,
        symbols: impl IntoIterator<Item = Symbol>,
    ) -> Option<String> {
        let names = &*self.names;
        self.nearest.find(name, symbols.into_iter().map(|symbol| names.text(symbol))).map(str::to_owned)
    }

    /// The nearest of some words.
    pub(super) fn nearest_word<'w>(
        &mut self,
        name: &str,
        words: impl IntoIterator<Item = &'w str>,
    ) -> Option<&'w str> {
        self.nearest.find(name, words)
    }
}

fn plain_noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Value | Kind::Constant => "value",
        Kind::Condition => "predicate",
        Kind::Param => "parameter",
        Kind::Extern => "extern predicate",
        Kind::State => "state",
        Kind::Animation => "animation",
        Kind::Layer => "layer",
        Kind::Mask => "mask",
        Kind::Group => "group",
        Kind::AnimationTag | Kind::StateTag => "tag",
    }
}

/// The property of a transition of that name which says when it is taken, as an example.
fn gate(word: &str) -> Option<&'static str> {
    let gates = [Keyword::AtEnd, Keyword::After, Keyword::ExitTime, Keyword::AtMarker];
    gates.iter().find(|keyword| keyword.name() == word).map(|keyword| keyword.row().example)
}
