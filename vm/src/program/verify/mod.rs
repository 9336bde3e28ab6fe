//! The verifier: from [`Tables`] that may hold anything to facts about tables that may be run.
//!
//! What it lets through cannot make a tick fail, loop, index out of range or take unbounded time, and cannot make a
//! lookup or the disassembler grow beyond a multiple of the program. One file a concern; every rule is checked in
//! time linear in the tables (sorting names aside). What is not checked is harmless: rows that nothing refers to,
//! an enum value written by `Set` that the enum does not have (the runtime ignores it).

mod code;
mod components;
mod curves;
mod debug;
mod listeners;
mod motions;
mod names;
mod references;
mod runs;
mod structure;
mod uses;
mod values;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

pub(super) use self::code::CodeFacts;
use super::error::{LoadError, LoadErrorKind, Place};
use super::limits::Limit;
use super::tables::{Behavior, Tables};
use super::tree::Tree;
use crate::ids::TextId;

type Checked = Result<(), LoadError>;

/// Checks the text table. Gives its rows in the order of the texts.
pub(super) fn texts(tables: &Tables) -> Result<Vec<u32>, LoadError> {
    let context = Context { tables, behavior: None };
    context.at("texts", None).limit(Limit::LongRows, tables.texts.len())?;
    for (row, text) in tables.texts.iter().enumerate() {
        context.at("texts", Some(row)).limit(Limit::TextBytes, text.len())?;
    }
    names::texts(&context)
}

/// Checks which behaviors are inside which. Gives them, each after those that are its components.
pub(super) fn components(tables: &Tables) -> Result<Vec<usize>, LoadError> {
    let context = Context { tables, behavior: None };
    context.at("behaviors", None).limit(Limit::Behaviors, tables.behaviors.len())?;
    components::order(tables)
}

/// Checks what an instance of a behavior takes.
pub(super) fn tree(tables: &Tables, behavior: usize, tree: &Tree) -> Checked {
    let rows = tables.behaviors.get(behavior);
    components::tree(&Context { tables, behavior: rows.map(|rows| (behavior, rows)) }, tree)
}

/// Checks all other tables, in that order. Gives, for each behavior, the facts about its blocks of code.
pub(super) fn behaviors(tables: &Tables, order: &[usize]) -> Result<Vec<Vec<CodeFacts>>, LoadError> {
    let context = Context { tables, behavior: None };
    let mut facts: Vec<Vec<CodeFacts>> = alloc::vec![Vec::new(); tables.behaviors.len()];
    for (index, rows) in order.iter().filter_map(|index| Some((*index, tables.behaviors.get(*index)?))) {
        let context = Context { tables, behavior: Some((index, rows)) };
        sizes(&context, rows)?;
        references::check(&context, rows)?;
        runs::check(&context, rows)?;
        values::check(&context, rows)?;
        structure::check(&context, rows)?;
        motions::check(&context, rows)?;
        curves::check(&context, rows)?;
        listeners::check(&context, rows)?;
        let codes = code::check(&context, rows, &facts)?;
        uses::check(&context, rows, &codes)?;
        names::behavior(&context, rows)?;
        if let Some(known) = facts.get_mut(index) {
            *known = codes;
        }
    }
    let enums = components::Enums::new(tables);
    for (index, rows) in tables.behaviors.iter().enumerate().filter(|(_, rows)| !rows.components.is_empty()) {
        components::check(&Context { tables, behavior: Some((index, rows)) }, rows, &enums)?;
    }
    names::behaviors(&context)?;
    debug::check(&context)?;
    Ok(facts)
}

/// The size of the program as a file, without the outside of the file.
pub(super) fn file_size(tables: &Tables, size: usize) -> Checked {
    let context = Context { tables, behavior: None };
    // Room for the header and a row a section.
    context.at("behaviors", None).limit(Limit::FileBytes, size + 1024)
}

/// Where the verifier is: the program, and the behavior it looks at.
struct Context<'t> {
    tables: &'t Tables,
    behavior: Option<(usize, &'t Behavior)>,
}

impl<'t> Context<'t> {
    fn at(&self, table: &'static str, row: Option<usize>) -> At<'_, 't> {
        At { context: self, table, row }
    }

    fn row(&self, table: &'static str, row: usize) -> At<'_, 't> {
        self.at(table, Some(row))
    }
}

/// One row of one table, for checking its fields and saying where a fault is.
#[derive(Clone, Copy)]
struct At<'c, 't> {
    context: &'c Context<'t>,
    table: &'static str,
    row: Option<usize>,
}

impl At<'_, '_> {
    #[cold]
    fn error(self, kind: LoadErrorKind, detail: impl Into<String>) -> LoadError {
        let behavior = self.context.behavior;
        let name = behavior.and_then(|(_, rows)| self.context.tables.texts.get(rows.name.index()));
        LoadError::new(
            kind,
            detail,
            Place {
                behavior: behavior.map(|(index, _)| index),
                // The name is quoted from an unverified program: no more of it than a name needs.
                name: name.filter(|name| name.len() <= 64).map(|name| name.as_str().to_owned()),
                table: Some(self.table),
                row: self.row,
                ..Place::default()
            },
        )
    }

    /// An error unless `holds`.
    fn require(self, holds: bool, kind: LoadErrorKind, detail: &str) -> Checked {
        if holds { Ok(()) } else { Err(self.error(kind, detail)) }
    }

    #[inline]
    fn limit(self, limit: Limit, value: usize) -> Checked {
        if value <= limit.value() {
            return Ok(());
        }
        Err(self.error(LoadErrorKind::Limit(limit), alloc::format!("here it is {value}")))
    }

    /// A reference to a row of a table of `len` rows.
    #[inline]
    fn id(self, field: &str, index: usize, len: usize) -> Checked {
        if index < len {
            return Ok(());
        }
        Err(self.error(LoadErrorKind::UnknownId, alloc::format!("`{field}` is {index}, and there are {len}")))
    }

    fn text(self, field: &str, text: TextId) -> Checked {
        self.id(field, text.index(), self.context.tables.texts.len())
    }

    /// A number in a range; NaN is in none.
    fn number(self, field: &str, value: f32, low: f32, high: f32) -> Checked {
        if value >= low && value <= high {
            return Ok(());
        }
        let range = match (low, high) {
            (f32::MIN, f32::MAX) => String::from("finite"),
            (low, f32::MAX) => alloc::format!("finite and at least {low}"),
            (low, high) => alloc::format!("from {low} to {high}"),
        };
        Err(self.error(LoadErrorKind::BadNumber, alloc::format!("`{field}` is {value}, must be {range}")))
    }
}

/// The number of rows of each table.
fn sizes(context: &Context<'_>, rows: &Behavior) -> Checked {
    macro_rules! tables {
        ($( $limit:ident: $( $table:ident )+; )+) => { $( $(
            context.at(stringify!($table), None).limit(Limit::$limit, rows.$table.len())?;
        )+ )+ };
    }
    tables! {
        Layers: layers;
        Rows: params enums masks groups tags animations markers spans properties motions machines states whens
            listeners predicates externs damps emits;
        LongRows: binds variants patterns tag_lists metadata curves keys points triangles marks transitions triggers
            entries_from hears emit_types codes ops probes;
    }
    Ok(())
}
