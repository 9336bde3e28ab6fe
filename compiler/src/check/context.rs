//! What checking a behavior carries along, and the words messages share.

use crate::hash::{HashMap, HashSet};

use motix_vm::ids::{AnimationId, EnumId, MachineId, PropertyId, SpanId};

use crate::ast::{self, Name};
pub(super) use crate::diagnostic::join;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::{self, Literal, Ty, ValueId};
use crate::intern::{Interner, Symbol};
use crate::nearest::Nearest;
use crate::resolve::{FileScopes, Scope, Seat, Space};
use crate::source::Span;
pub(super) use crate::syntax::written;

use super::defaults::Look;
use super::motions::StateMotion;
use super::units::Unit;

/// The value of a constant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constant {
    pub(super) literal: Literal,
    pub(super) ty: Ty,
    pub(super) unit: Unit,
}

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    /// Where a value must be known when compiling.
    Constant,
    /// In a `Let`, `Predicate`, condition or layer.
    Pure,
    /// In a list of actions.
    Actions,
    /// In the actions of an `OnUpdate`.
    Update,
    /// In the actions of what a pointer does to a listener.
    Pointer,
    /// In a test.
    Test,
}

/// Where an expression stands, and the machine that evaluates it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) place: Where,
    pub(super) machine: Option<MachineId>,
    /// From where it names states.
    pub(super) seat: Seat,
}

impl Site {
    pub(super) const CONSTANT: Self = Self::new(Where::Constant, None);
    pub(super) const PURE: Self = Self::new(Where::Pure, None);
    pub(super) const TEST: Self = Self::new(Where::Test, None);
    pub(super) const POINTER: Self = Self::new(Where::Pointer, None);

    const fn new(place: Where, machine: Option<MachineId>) -> Self {
        Self { place, machine, seat: Seat::Machine }
    }

    pub(super) const fn condition(machine: Option<MachineId>) -> Self {
        Self::new(Where::Pure, machine)
    }

    pub(super) const fn actions(machine: Option<MachineId>) -> Self {
        Self::new(Where::Actions, machine)
    }

    pub(super) const fn update(machine: Option<MachineId>) -> Self {
        Self::new(Where::Update, machine)
    }

    /// The same from a place within the machine.
    pub(super) const fn at(self, seat: Seat) -> Self {
        Self { seat, ..self }
    }

    pub(super) fn is_test(self) -> bool {
        self.place == Where::Test
    }
}

/// What an enum is known by within a behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum EnumKey {
    /// Declared in the behavior.
    Own(usize),
    /// Declared in a file.
    File(usize),
    /// Written in a parameter.
    Written(Span),
}

/// The values of a custom event, as first written.
#[derive(Clone, Debug)]
pub(super) struct EmitShape {
    pub(super) types: Vec<Ty>,
    pub(super) span: Span,
}

/// The state of checking one behavior (or, before any, the constants of files).
pub(super) struct Checker<'a, 'c> {
    pub(super) names: &'c mut Interner,
    pub(super) diagnostics: &'c mut Diagnostics,
    pub(super) nearest: &'c mut Nearest,
    pub(super) files: &'c FileScopes<'a>,
    pub(super) file_consts: &'c [Option<Constant>],
    /// What was found out about the behavior.
    pub(super) known: Known<'a>,
    /// What was found out about the other behaviors of all files; `None` for this one.
    pub(super) others: &'c mut Vec<Option<Known<'a>>>,
    /// How many parts an instance of each has.
    pub(super) parts: &'c [u32],
    /// By animation: whether its layer is known, and where it was first played if not.
    pub(super) layer_known: Vec<bool>,
    pub(super) layer_missed: Vec<Option<Span>>,
    /// By tag, where `PlayTag` names it.
    pub(super) tags_played: HashMap<motix_vm::ids::TagId, Span>,
    /// By state.
    pub(super) state_motions: Vec<StateMotion>,
    /// By machine.
    pub(super) machine_defaults: Vec<Look>,
    /// By state: for what stands in it.
    pub(super) state_defaults: Vec<Look>,
    /// How many transitions there were so far.
    pub(super) transitions: u32,
}

/// What is known of a behavior: its names, and what was checked so far. Tests that play it go on from there.
pub(super) struct Known<'a> {
    pub(super) scope: Scope<'a>,
    pub(super) hir: hir::Behavior,
    /// By declaration; `None` where it is wrong.
    pub(super) consts: Vec<Option<Constant>>,
    /// The parameter of each declaration, where it has a type.
    pub(super) param_types: Vec<Ty>,
    pub(super) enum_ids: HashMap<EnumKey, EnumId>,
    pub(super) variants: HashMap<(EnumId, Symbol), u16>,
    /// By declaration.
    pub(super) value_ids: Vec<ValueId>,
    /// By declaration; `Error` until it was checked.
    pub(super) value_types: Vec<Ty>,
    pub(super) spans: HashMap<(AnimationId, Symbol), SpanId>,
    /// By target and name.
    pub(super) properties: HashMap<(Symbol, Symbol), PropertyId>,
    /// Targets and names of which there is a `Rest`, and of which there is a `Track`, right or wrong.
    pub(super) rests: HashSet<(Symbol, Symbol)>,
    pub(super) tracked: HashSet<(Symbol, Symbol)>,
    /// The properties whose values are of two types, which is told once.
    pub(super) mistyped: HashSet<PropertyId>,
    pub(super) markers: HashSet<(AnimationId, Symbol)>,
    pub(super) emits: HashMap<Symbol, EmitShape>,
    /// Names of emitted events, sounds and cameras in order of first mention, for offers.
    pub(super) emit_names: Vec<Symbol>,
    pub(super) audio_names: Vec<Symbol>,
    pub(super) camera_names: Vec<Symbol>,
    pub(super) audios: HashSet<Symbol>,
    /// The targets of listeners, and the custom events that they hear.
    pub(super) targets: HashSet<Symbol>,
    pub(super) customs: HashSet<Symbol>,
    pub(super) cameras: HashSet<Symbol>,
    /// Names that nothing declares and that something declared twice should probably have, and what is so explained.
    pub(super) meant: Vec<(Space, Symbol)>,
    pub(super) explained: Vec<Span>,
    /// What each component runs: an index into the behaviors of all files; `None` where it is wrong.
    pub(super) inner: Vec<Option<usize>>,
}

impl Known<'_> {
    /// Gives the memory of all names back, for a behavior at which nothing looks again.
    pub(super) fn forget_names(&mut self) {
        self.scope = Scope::default();
        self.variants = HashMap::default();
        self.param_types = Vec::new();
        self.value_ids = Vec::new();
        self.value_types = Vec::new();
    }
}

impl<'a> Checker<'a, '_> {
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports what is wrong with a name: told once of a behavior, with all places where the same is to be said.
    pub(super) fn report_name(&mut self, diagnostic: Diagnostic) {
        let key = format!("{} {}", self.behavior_text(), diagnostic.message);
        self.report(diagnostic.of_name(key));
    }

    pub(super) fn text(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }

    /// A name as it is written in source.
    pub(super) fn written(&self, symbol: Symbol) -> String {
        written(self.names.text(symbol))
    }

    /// A path as messages show it.
    pub(super) fn path_text(&self, path: &[Name]) -> String {
        let names: Vec<&str> = path.iter().map(|name| self.names.text(name.symbol)).collect();
        names.join(".")
    }

    /// A type as messages show it, with its article.
    pub(super) fn ty_text(&self, ty: Ty) -> String {
        match ty {
            Ty::Bool => "a bool".to_owned(),
            Ty::Number => "a number".to_owned(),
            Ty::Trigger => "a trigger".to_owned(),
            Ty::Text => "a string".to_owned(),
            Ty::Color => "a color".to_owned(),
            Ty::Error => "a value".to_owned(),
            Ty::Enum(id) => {
                let row = &self.known.hir.enums[id.index()];
                match row.name {
                    Some(name) => format!("a `{}`", self.text(name.symbol)),
                    None => format!("an enum of {}", self.choices(row.variants.iter().copied(), "and")),
                }
            }
        }
    }

    /// At most eight names in backquotes: `a`, `b` and `c`.
    pub(super) fn choices(&self, symbols: impl IntoIterator<Item = Symbol>, last: &str) -> String {
        let mut list: Vec<String> = Vec::new();
        for symbol in symbols.into_iter().take(64) {
            let text = format!("`{}`", self.text(symbol));
            if list.len() < 9 && !list.contains(&text) {
                list.push(text);
            }
        }
        if list.len() == 9 {
            list.truncate(8);
            return format!("{}, ...", list.join(", "));
        }
        join(&list, last)
    }

    /// The name of the behavior, for messages.
    pub(super) fn behavior_text(&self) -> String {
        self.known
            .scope
            .behavior
            .map_or_else(|| "this file".to_owned(), |row| format!("`{}`", self.text(row.name.symbol)))
    }

    /// Whether the name may have been declared in a part that could not be read.
    pub(super) fn is_lost(&self, symbol: Symbol) -> bool {
        let scope = &self.known.scope;
        // A component of a behavior that is not known, which was reported.
        let component = scope.component_index.get(&symbol);
        if component.is_some_and(|row| self.known.inner.get(*row).is_some_and(Option::is_none)) {
            return true;
        }
        self.files.lost(scope.file, symbol)
            || scope.inheritance.is_some_and(|inheritance| {
                inheritance.lost || inheritance.files.iter().any(|file| self.files.lost(*file, symbol))
            })
    }

    /// `name` of the item as a declaration.
    pub(super) fn declared(&self, item: &ast::Item, name: Name) -> hir::Declared {
        hir::Declared { symbol: name.symbol, span: name.span, doc: item.doc }
    }

    /// Whether the property stands for the first time in its block; otherwise it is reported.
    pub(super) fn once(&mut self, seen: &mut Seen, item: &ast::Item) -> bool {
        let word = item.keyword.name();
        if let Some((_, first)) =
            seen.few.iter().flatten().chain(&seen.more).find(|(other, _)| *other == word)
        {
            let report = Diagnostic::new(
                Code::PropertyTwice,
                format!("`{}` is written twice", item.keyword.name()),
                item.span,
                "written again here",
            )
            .label(*first, "first written here")
            .help("keep one of them");
            self.report(report);
            return false;
        }
        match seen.few.iter_mut().find(|place| place.is_none()) {
            Some(place) => *place = Some((word, item.span)),
            None => seen.more.push((word, item.span)),
        }
        true
    }
}

/// Properties that a block had so far; most have few.
#[derive(Debug, Default)]
pub(super) struct Seen {
    few: [Option<(&'static str, Span)>; 4],
    more: Vec<(&'static str, Span)>,
}
