//! Checking: types, and the rules of the language; from trees to [`Hir`].
//!
//! One file a group of rules. Every rule reports what is wrong and goes on with something harmless, so that all
//! independent faults are told in one run and none follows from another. The result is complete only where nothing
//! was reported.

mod actions;
mod again;
mod animations;
mod blends;
mod calls;
mod colors;
mod components;
mod composites;
mod constants;
mod context;
mod dashes;
mod defaults;
mod easing;
mod expectations;
mod expr;
mod fades;
mod fold;
mod gates;
mod inherited;
mod inputs;
mod inside;
mod layers;
mod limits;
mod listeners;
mod machines;
mod mismatch;
mod motions;
mod operators;
mod params;
mod properties;
#[cfg(test)]
mod shape;
mod states;
mod tests;
mod tracks;
mod transitions;
mod tree;
mod types;
mod units;
mod unknown;
mod values;

use crate::hash::{HashMap, HashSet};

use motix_vm::ids::BehaviorId;

use crate::ast::{Item, Node, Part, Path};
use crate::diagnostic::{Code, Diagnostics};
use crate::hir::{self, Hir};
use crate::intern::{Interner, Symbol};
use crate::nearest::Nearest;
use crate::resolve::{
    Declaration, FileScopes, Found, Loaded, Reuse, Scope, Seat, duplicate, order, saturate, unknown_behavior,
};
use crate::source::Span;
use crate::syntax::Keyword;

use constants::members;
use context::{Checker, Constant, Known};
use inherited::Told;

/// Checks the files of a compilation.
pub fn check(loaded: &Loaded, names: &mut Interner, diagnostics: &mut Diagnostics) -> Hir {
    // The initial value of strings.
    names.intern("");
    let files = FileScopes::collect(&loaded.files, names, diagnostics);
    let mut nearest = Nearest::default();
    let reuse = Reuse::collect(&files, names, &mut nearest, diagnostics);
    for row in &files.enums {
        types::check_enum(row.item, names, diagnostics);
    }
    let mut run = Run {
        files: &files,
        reuse: &reuse,
        consts: Vec::new(),
        checked: Vec::new(),
        parts: Vec::new(),
        missed: Vec::new(),
        names,
        diagnostics,
        nearest: &mut nearest,
    };
    run.file_consts();
    run.program()
}

/// The state of one compilation.
struct Run<'a, 'c> {
    files: &'c FileScopes<'a>,
    reuse: &'a Reuse,
    consts: Vec<Option<Constant>>,
    /// The behaviors of all files that were checked; the one that is looked at is out.
    checked: Vec<Option<Known<'a>>>,
    /// How many parts an instance of each has.
    parts: Vec<u32>,
    /// Behaviors that nothing declares, and that those declared twice should probably be.
    missed: Vec<Symbol>,
    names: &'c mut Interner,
    diagnostics: &'c mut Diagnostics,
    nearest: &'c mut Nearest,
}

impl<'a> Run<'a, '_> {
    fn checker(&mut self, scope: Scope<'a>) -> Checker<'a, '_> {
        let name = scope.behavior.map(|row| hir::Declared {
            symbol: row.name.symbol,
            span: row.name.span,
            doc: row.item.doc,
        });
        let whole = scope.behavior.map_or(self.files.files[scope.file].tree.span, |row| row.item.span);
        let written = scope.inheritance.map_or(whole, |inheritance| inheritance.written);
        let nameless = hir::Declared {
            symbol: self.names.intern(""),
            span: self.files.files[scope.file].tree.span,
            doc: None,
        };
        let known = Known {
            hir: empty(name.unwrap_or(nameless), written),
            scope,
            consts: Vec::new(),
            param_types: Vec::new(),
            enum_ids: HashMap::default(),
            variants: HashMap::default(),
            value_ids: Vec::new(),
            value_types: Vec::new(),
            spans: HashMap::default(),
            properties: HashMap::default(),
            rests: HashSet::default(),
            tracked: HashSet::default(),
            mistyped: HashSet::default(),
            markers: HashSet::default(),
            emits: HashMap::default(),
            emit_names: Vec::new(),
            audio_names: Vec::new(),
            camera_names: Vec::new(),
            audios: HashSet::default(),
            targets: HashSet::default(),
            customs: HashSet::default(),
            cameras: HashSet::default(),
            meant: Vec::new(),
            explained: Vec::new(),
            inner: Vec::new(),
        };
        self.checker_knowing(known)
    }

    /// A checker that goes on where another finished.
    fn checker_knowing(&mut self, known: Known<'a>) -> Checker<'a, '_> {
        Checker {
            names: self.names,
            diagnostics: self.diagnostics,
            nearest: self.nearest,
            files: self.files,
            file_consts: &self.consts,
            known,
            others: &mut self.checked,
            parts: &self.parts,
            layer_known: Vec::new(),
            layer_missed: Vec::new(),
            tags_played: HashMap::default(),
            state_motions: Vec::new(),
            machine_defaults: Vec::new(),
            state_defaults: Vec::new(),
            transitions: 0,
        }
    }

    /// The constants of all files, each after those it is made of.
    fn file_consts(&mut self) {
        let rows = self.files.consts.clone();
        self.consts = vec![None; rows.len()];
        let mut needs = Vec::with_capacity(rows.len());
        for row in &rows {
            needs.push(self.checker(Scope::of_file(row.file)).const_needs(row.item.assigned()));
        }
        let names: Vec<(Symbol, Span)> = rows.iter().map(|row| (row.name.symbol, row.name.span)).collect();
        let ordered = order(&needs);
        self.checker(Scope::of_file(0)).report_cycles("constants", &names, &ordered.rings);
        let in_ring = members(&ordered.rings);
        for index in ordered.sorted {
            let row = rows[index];
            if let Some(expr) = row.item.assigned()
                && !in_ring.contains_key(&index)
            {
                self.consts[index] =
                    self.checker(Scope::of_file(row.file)).const_value(expr, row.name.symbol);
            }
        }
    }

    fn program(&mut self) -> Hir {
        let mut told = Told::new(self.files.behaviors.len());
        self.checked.resize_with(self.files.behaviors.len(), || None);
        let reuse = self.reuse;
        let looked_at_again = self.looked_at_again();
        for index in reuse.order.iter().copied() {
            let mut known = self.behavior(index, &mut told);
            if !looked_at_again[index] {
                known.forget_names();
            }
            self.checked[index] = Some(known);
        }
        self.resolve_components();
        let listed = self.listed();
        let ids: HashMap<usize, BehaviorId> =
            listed.iter().enumerate().map(|(place, row)| (row.1, BehaviorId(saturate(place)))).collect();
        if listed.len() > usize::from(u16::MAX) {
            let row = self.files.behaviors[listed[usize::from(u16::MAX)].1];
            let report =
                limits::too_many("a program", "behaviors", listed.len(), limits::ROWS, row.name.span);
            self.diagnostics.push(report);
        }
        self.check_components(&ids);
        let tests = self.all_tests(&ids);
        let mut hir = Hir { behaviors: Vec::with_capacity(listed.len()), tests };
        for (name, index) in listed {
            let Some(done) = self.checked[index].take() else { continue };
            let mut behavior = done.hir;
            behavior.name.symbol = name;
            hir.behaviors.push(behavior);
        }
        hir
    }

    /// Of each behavior, whether its names are needed once more: it has components, is one, or a test plays it.
    fn looked_at_again(&self) -> Vec<bool> {
        let files = self.files;
        let mut again = vec![false; files.behaviors.len()];
        let named = |part: &Part| match part {
            Part::Of(path) | Part::For(path) => match files.behavior(&path.names) {
                Found::Yes(index) => Some(index),
                Found::Lost | Found::No => None,
            },
            _ => None,
        };
        for index in 0..again.len() {
            let item = self.reuse.of(index).map_or(files.behaviors[index].item, |inherited| &inherited.item);
            for component in item.items().filter(|item| item.keyword == Keyword::Component) {
                again[index] = true;
                component.head.iter().filter_map(named).for_each(|inner| again[inner] = true);
            }
        }
        for node in files.files.first().map_or(&[][..], |file| &file.tree.nodes) {
            let Node::Item(item) = node else { continue };
            if item.keyword == Keyword::Test {
                item.head.iter().filter_map(named).for_each(|index| again[index] = true);
            }
        }
        again
    }

    /// Looks at a behavior once more, with all others at hand.
    fn with<R>(&mut self, index: usize, act: impl FnOnce(&mut Checker<'a, '_>) -> R) -> Option<R> {
        let known = self.checked[index].take()?;
        let mut checker = self.checker_knowing(known);
        let result = act(&mut checker);
        let known = checker.known;
        self.checked[index] = Some(known);
        Some(result)
    }

    fn behavior(&mut self, index: usize, told: &mut Told) -> Known<'a> {
        let row = self.files.behaviors[index];
        let inheritance = self.reuse.of(index);
        let item = inheritance.map_or(row.item, |inheritance| &inheritance.item);
        let declaration = Declaration { item, name: row.name };
        let outer = std::mem::take(self.diagnostics);
        let scope = Scope::collect(declaration, row.file, inheritance, self.names, self.diagnostics);
        let mut checker = self.checker(scope);
        checker.run(item);
        let known = checker.known;
        let found = std::mem::replace(self.diagnostics, outer);
        told.tell(found, index, row.name, inheritance, self.names, self.diagnostics);
        known
    }

    fn all_tests(&mut self, ids: &HashMap<usize, BehaviorId>) -> Vec<hir::Test> {
        let mut tests = Vec::new();
        let mut titles: HashMap<Symbol, Span> = HashMap::default();
        let files = self.files;
        let nodes = files.files.first().map_or(&[][..], |file| &file.tree.nodes);
        for node in nodes {
            let Node::Item(item) = node else { continue };
            if item.keyword != Keyword::Test {
                continue;
            }
            let Some(title) = item.texts().first() else { continue };
            if let Some(first) = titles.insert(title.symbol, title.span) {
                self.diagnostics.push(duplicate("test", self.names.text(title.symbol), first, title.span));
            }
            let Some(path) =
                item.head.iter().find_map(|part| if let Part::For(path) = part { Some(path) } else { None })
            else {
                continue;
            };
            let index = match files.behavior(&path.names) {
                Found::Yes(index) => index,
                Found::Lost => continue,
                Found::No => {
                    self.missing_behavior(path);
                    continue;
                }
            };
            let id = ids.get(&index).copied().unwrap_or_default();
            tests.extend(self.with(index, |checker| checker.test(item, title.symbol, id)));
        }
        tests
    }
}

impl Run<'_, '_> {
    /// Reports a behavior that does not exist; where one is declared twice that may be meant, that report says so.
    fn missing_behavior(&mut self, path: &Path) {
        let files = self.files;
        if let [name] = path.names[..]
            && !self.missed.contains(&name.symbol)
            && let Some(again) = files.behaviors_again(files.file_at(path.span)).get(self.missed.len())
            && let Some(report) = self.diagnostics.about(Code::DuplicateName, again.span)
        {
            report.is_missing(path.span, self.names.text(name.symbol));
            self.missed.push(name.symbol);
        }
        if !matches!(path.names[..], [name] if self.missed.contains(&name.symbol)) {
            let report = unknown_behavior(files, path, self.names, self.nearest);
            self.diagnostics.push(report);
        }
    }
}

impl<'a> Checker<'a, '_> {
    /// All rules of a behavior, in the order in which they need each other.
    fn run(&mut self, item: &'a Item) {
        self.check_consts();
        for row in self.known.scope.enums.clone() {
            types::check_enum(row.item, self.names, self.diagnostics);
        }
        self.check_params();
        self.check_externs();
        self.check_masks();
        self.number_layers();
        self.check_limits();
        self.check_rests(item);
        self.check_animations();
        self.check_values();
        self.check_layers();
        self.check_motions();
        self.check_machines();
        self.check_states();
        for inner in item.items() {
            match inner.keyword {
                Keyword::When => {
                    let when = self.when(inner, None, Seat::Machine);
                    self.known.hir.whens.extend(when);
                }
                Keyword::Listener => self.listener(inner),
                _ => {}
            }
        }
        let listeners = &self.known.hir.listeners;
        let first = listeners.get(limits::ROWS).map(|row| row.span);
        self.check_number("listeners", listeners.len(), first);
        self.check_missing_layers();
        self.check_properties();
        self.check_mask_use();
    }
}

fn empty(name: hir::Declared, written: Span) -> hir::Behavior {
    hir::Behavior {
        name,
        written,
        enums: Vec::new(),
        params: Vec::new(),
        values: Vec::new(),
        externs: Vec::new(),
        masks: Vec::new(),
        layers: Vec::new(),
        groups: Vec::new(),
        tags: Vec::new(),
        animations: Vec::new(),
        spans: Vec::new(),
        properties: Vec::new(),
        motions: Vec::new(),
        machines: Vec::new(),
        states: Vec::new(),
        whens: Vec::new(),
        listeners: Vec::new(),
        components: Vec::new(),
    }
}
