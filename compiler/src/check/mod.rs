//! Checking: types, and the rules of the language; from trees to [`Hir`].
//!
//! One file a group of rules. Every rule reports what is wrong and goes on with something harmless, so that all
//! independent faults are told in one run and none follows from another. The result is complete only where nothing
//! was reported. Later versions' parts of the language are refused at each place.

mod actions;
mod animations;
mod blends;
mod calls;
mod constants;
mod context;
mod defaults;
mod easing;
mod expectations;
mod expr;
mod fades;
mod fold;
mod gates;
mod inherited;
mod layers;
mod limits;
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
mod types;
mod units;
mod unknown;
mod unsupported;
mod values;

use std::collections::{HashMap, HashSet};

use motix_vm::ids::BehaviorId;

use crate::ast::{Item, Node, Part};
use crate::diagnostic::Diagnostics;
use crate::hir::{self, Hir};
use crate::intern::{Interner, Symbol};
use crate::nearest::Nearest;
use crate::resolve::{
    Declaration, FileScopes, Found, Loaded, Reuse, Scope, duplicate, order, saturate, unknown_behavior,
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
    let mut run =
        Run { files: &files, reuse: &reuse, consts: Vec::new(), names, diagnostics, nearest: &mut nearest };
    run.file_consts();
    run.file_items();
    run.program()
}

/// The state of one compilation.
struct Run<'a, 'c> {
    files: &'c FileScopes<'a>,
    reuse: &'a Reuse,
    consts: Vec<Option<Constant>>,
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
            enum_ids: HashMap::new(),
            variants: HashMap::new(),
            value_ids: Vec::new(),
            value_types: Vec::new(),
            spans: HashMap::new(),
            properties: HashMap::new(),
            rests: HashSet::new(),
            tracked: HashSet::new(),
            markers: HashSet::new(),
            emits: HashMap::new(),
            emit_names: Vec::new(),
            audio_names: Vec::new(),
            camera_names: Vec::new(),
            audios: HashSet::new(),
            cameras: HashSet::new(),
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
            layer_known: Vec::new(),
            layer_missed: Vec::new(),
            tags_played: HashMap::new(),
            state_motions: Vec::new(),
            machine_defaults: Vec::new(),
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

    /// What concerns items of files whatever is in them.
    fn file_items(&mut self) {
        for file in 0..self.files.files.len() {
            for node in &self.files.files[file].tree.nodes {
                let Node::Item(item) = node else { continue };
                let mut checker = self.checker(Scope::of_file(file));
                checker.refuse(item);
            }
        }
    }

    fn program(&mut self) -> Hir {
        let listed = self.files.program_behaviors();
        let mut checked: Vec<Option<Known<'a>>> = Vec::new();
        checked.resize_with(self.files.behaviors.len(), || None);
        let mut told = Told::new(checked.len());
        let reuse = self.reuse;
        for index in reuse.order.iter().copied() {
            checked[index] = Some(self.behavior(index, &mut told));
        }
        let mut ids: HashMap<usize, BehaviorId> = HashMap::new();
        for (place, (_, index)) in listed.iter().enumerate() {
            ids.entry(*index).or_insert(BehaviorId(saturate(place)));
        }
        if listed.len() > usize::from(u16::MAX) {
            let row = self.files.behaviors[listed[usize::from(u16::MAX)].1];
            let report = limits::too_many("a program", "behaviors", listed.len(), row.name.span);
            self.diagnostics.push(report);
        }
        let tests = self.all_tests(&mut checked, &ids);
        let mut hir = Hir { behaviors: Vec::with_capacity(listed.len()), tests };
        for (alias, index) in listed {
            // A file that is used under two names has its behaviors once, under the first.
            let Some(done) = checked[index].take() else { continue };
            let mut behavior = done.hir;
            if let Some(alias) = alias {
                let full = format!("{}.{}", self.names.text(alias), self.names.text(behavior.name.symbol));
                behavior.name.symbol = self.names.intern(&full);
            }
            hir.behaviors.push(behavior);
        }
        hir
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

    fn all_tests(
        &mut self,
        checked: &mut [Option<Known<'a>>],
        ids: &HashMap<usize, BehaviorId>,
    ) -> Vec<hir::Test> {
        let mut tests = Vec::new();
        let mut titles: HashMap<Symbol, Span> = HashMap::new();
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
                    let report = unknown_behavior(files, path, self.names, self.nearest);
                    self.diagnostics.push(report);
                    continue;
                }
            };
            let Some(done) = checked[index].take() else { continue };
            let id = ids.get(&index).copied().unwrap_or_default();
            let mut checker = self.checker_knowing(done);
            tests.push(checker.test(item, title.symbol, id));
            checked[index] = Some(checker.known);
        }
        tests
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
                    let when = self.when(inner, None);
                    self.known.hir.whens.extend(when);
                }
                Keyword::Const | Keyword::Let | Keyword::InitialState | Keyword::AnyState => {
                    self.refuse(inner);
                }
                Keyword::Param | Keyword::Mask | Keyword::Layer | Keyword::Animation | Keyword::State => {}
                _ => {
                    self.refuse(inner);
                }
            }
        }
        for row in self.known.scope.layers.clone() {
            if let Some(layer) = row.item {
                for inner in layer.items() {
                    if inner.keyword == Keyword::Entry {
                        self.refuse(inner);
                    }
                }
            }
        }
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
    }
}
