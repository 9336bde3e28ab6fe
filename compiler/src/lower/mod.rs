//! From the checked program to the tables of the runtime.
//!
//! Rows keep the order and the ids of the HIR; the same source gives the same tables. It runs only where no error was
//! reported and never fails; what is larger than a program can be is reported with its place, and the tables that
//! come back then must not be verified. It decides nothing about the language.

mod action;
mod code;
mod debug;
mod expr;
mod machines;
mod probes;
mod texts;
mod things;
mod triggers;

use std::collections::BTreeMap;

use motix_vm::ids::{CodeId, DampId, EmitId, TextId};
use motix_vm::program::tables::{self, Emit, Tables, Type};

use self::code::Blocks;
pub use self::probes::{ProbeKey, Probes, facts};
use self::texts::Texts;
use self::triggers::Triggers;
use crate::diagnostic::Diagnostics;
use crate::hir::{Behavior, Hir, Test, Ty, ValueId};
use crate::intern::{Interner, Symbol};
use crate::resolve::order;
use crate::source::{SourceMap, Span};

/// What to put into the tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct LowerOptions {
    /// The expressions of the file's tests too, as probes.
    pub tests: bool,
}

/// What lowering gives.
#[derive(Debug)]
pub struct Lowered {
    /// The program's tables, not yet verified.
    pub tables: Tables,
    /// Where the expressions of the tests are among the probes.
    pub probes: Probes,
}

/// Lowers a program.
pub fn lower(
    hir: &Hir,
    names: &Interner,
    sources: &SourceMap,
    options: LowerOptions,
    diagnostics: &mut Diagnostics,
) -> Lowered {
    let mut texts = Texts::default();
    let mut probes = Probes::default();
    let mut inside = BTreeMap::new();
    let asked = if options.tests { probes::asked_inside(hir) } else { BTreeMap::new() };
    let mut behaviors: Vec<Option<LoweredBehavior>> = Vec::new();
    behaviors.resize_with(hir.behaviors.len(), || None);
    // Each after those that are its components: what tests ask of these is there then.
    let components = hir.behaviors.iter().map(|behavior| &behavior.components);
    let needs: Vec<Vec<usize>> =
        components.map(|rows| rows.iter().map(|row| row.behavior.index()).collect()).collect();
    let mut tests: Vec<Vec<&Test>> = vec![Vec::new(); if options.tests { hir.behaviors.len() } else { 0 }];
    for test in &hir.tests {
        if let Some(tests) = tests.get_mut(test.behavior.index()) {
            tests.push(test);
        }
    }
    for index in order(&needs).sorted {
        let behavior = &hir.behaviors[index];
        let mut lowerer = Lowerer::new(behavior, names, &mut texts, &mut inside, diagnostics);
        lowerer.things();
        lowerer.components();
        lowerer.values();
        lowerer.layers();
        lowerer.motions();
        lowerer.machines();
        lowerer.listeners();
        lowerer.inside_probes(index, asked.get(&index).map_or(&[], Vec::as_slice));
        for test in tests.get(index).into_iter().flatten() {
            lowerer.statements(&test.statements, &mut probes);
        }
        behaviors[index] = Some(lowerer.finish());
    }
    let behaviors: Vec<LoweredBehavior> = behaviors.into_iter().flatten().collect();
    let debug = debug::debug(hir, sources, &behaviors);
    let behaviors = behaviors.into_iter().map(|lowered| lowered.rows).collect();
    Lowered { tables: Tables { texts: texts.into_rows(), behaviors, debug: Some(debug) }, probes }
}

/// A behavior's rows, and what only the debug section needs.
struct LoweredBehavior {
    rows: tables::Behavior,
    /// The places of the rows of `transitions`.
    transition_spans: Vec<Span>,
}

/// Lowers one behavior.
struct Lowerer<'a> {
    behavior: &'a Behavior,
    names: &'a Interner,
    texts: &'a mut Texts,
    /// The probes that tests of behaviors around one ask: by behavior and by where they are written.
    inside: &'a mut BTreeMap<(usize, Span), u32>,
    diagnostics: &'a mut Diagnostics,
    rows: tables::Behavior,
    blocks: Blocks,
    /// The blocks of the named values.
    values: Vec<CodeId>,
    /// The smoothed ones among them.
    damps: BTreeMap<ValueId, DampId>,
    triggers: Triggers,
    emits: BTreeMap<(TextId, Vec<u32>), EmitId>,
    transition_spans: Vec<Span>,
}

impl<'a> Lowerer<'a> {
    fn new(
        behavior: &'a Behavior,
        names: &'a Interner,
        texts: &'a mut Texts,
        inside: &'a mut BTreeMap<(usize, Span), u32>,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        let rows = tables::Behavior {
            name: texts.id(names.text(behavior.name.symbol)),
            ..tables::Behavior::default()
        };
        Self {
            behavior,
            names,
            texts,
            inside,
            diagnostics,
            rows,
            blocks: Blocks::default(),
            values: Vec::new(),
            damps: BTreeMap::new(),
            triggers: Triggers::of(behavior),
            emits: BTreeMap::new(),
            transition_spans: Vec::new(),
        }
    }

    fn finish(mut self) -> LoweredBehavior {
        (self.rows.codes, self.rows.ops) = self.blocks.into_rows();
        LoweredBehavior { rows: self.rows, transition_spans: self.transition_spans }
    }

    fn text(&mut self, symbol: Symbol) -> TextId {
        self.texts.id(self.names.text(symbol))
    }

    /// The row of a custom event with values of these types; one a shape.
    fn emit(&mut self, name: Symbol, types: &[Ty]) -> EmitId {
        let name = self.text(name);
        let types: Vec<Type> = types.iter().copied().map(type_of).collect();
        let key = (name, types.iter().copied().map(rank).collect());
        let rows = &mut self.rows;
        *self.emits.entry(key).or_insert_with(|| {
            let run = things::append(&mut rows.emit_types, types);
            rows.emits.push(Emit { name, types: run });
            EmitId(last(rows.emits.len()) as u16)
        })
    }
}

/// The index of the last of `count` rows.
fn last(count: usize) -> u32 {
    u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX)
}

/// A number for each type, for ordering only.
fn rank(ty: Type) -> u32 {
    match ty {
        Type::Bool => 0,
        Type::Number => 1,
        Type::Trigger => 2,
        Type::Text => 3,
        Type::Color => 4,
        Type::Enum(id) => 5 + u32::from(id.0),
    }
}

/// The type as the runtime knows it. `Error` never comes here: lowering runs only without errors.
fn type_of(ty: Ty) -> Type {
    match ty {
        Ty::Bool | Ty::Error => Type::Bool,
        Ty::Number => Type::Number,
        Ty::Trigger => Type::Trigger,
        Ty::Text => Type::Text,
        Ty::Enum(id) => Type::Enum(id),
        Ty::Color => Type::Color,
    }
}
