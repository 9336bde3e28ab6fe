//! Components stand in no ring, and the parameters that binds tie are of one type and written by one bind.
//!
//! Behaviors are looked at together here: whether rows point into their tables is checked for each by itself.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;

use super::{At, Checked, Context};
use crate::ids::TextId;
use crate::program::error::{LoadError, LoadErrorKind as Kind};
use crate::program::limits::Limit;
use crate::program::tables::{Behavior, Bind, Component, Tables, Type};
use crate::program::tree::{self, Tree};

/// Checks that no behavior is inside itself. Gives the behaviors, each after those that are its components.
pub(super) fn order(tables: &Tables) -> Result<Vec<usize>, LoadError> {
    for (index, rows) in tables.behaviors.iter().enumerate() {
        let context = Context { tables, behavior: Some((index, rows)) };
        context.at("components", None).limit(Limit::Rows, rows.components.len())?;
        for (row, component) in rows.components.iter().enumerate() {
            let behavior = component.behavior.index();
            context.row("components", row).id("behavior", behavior, tables.behaviors.len())?;
        }
    }
    tree::order(tables).map_err(|index| {
        let context = Context { tables, behavior: tables.behaviors.get(index).map(|rows| (index, rows)) };
        context.at("components", None).error(Kind::ComponentRing, "")
    })
}

/// Checks what an instance takes, its components included.
pub(super) fn tree(context: &Context<'_>, tree: &Tree) -> Checked {
    let at = context.at("components", None);
    at.limit(Limit::ComponentNesting, tree.depth)?;
    at.limit(Limit::Components, tree.parts.saturating_sub(1) as usize)?;
    at.limit(Limit::StateWords, tree.words)
}

/// Checks what is in the rows of all components and binds of a behavior.
pub(super) fn check(context: &Context<'_>, rows: &Behavior, enums: &Enums) -> Checked {
    let mut targets = BTreeSet::new();
    let mut written = BTreeSet::new();
    for (row, component) in rows.components.iter().enumerate() {
        let at = context.row("components", row);
        at.text("name", component.name)?;
        at.text("target", component.target)?;
        let target = context.tables.texts.get(component.target.index()).map_or("", |text| text.as_str());
        let named = !target.is_empty() && !target.starts_with('/') && !target.ends_with('/');
        at.require(named && targets.insert(component.target), Kind::BadTarget, "")?;
        let mut given = BTreeSet::new();
        for (row, bind) in component.binds.indices().zip(component.binds.of(&rows.binds)) {
            let at = context.row("binds", row);
            types(at, rows, component, bind, enums)?;
            let alone = (!bind.direction.is_up() || written.insert(bind.param))
                && (!bind.direction.is_down() || given.insert(bind.inner));
            at.require(alone, Kind::BadBind, "two binds write one parameter")?;
        }
    }
    Ok(())
}

fn types(at: At<'_, '_>, rows: &Behavior, component: &Component, bind: &Bind, enums: &Enums) -> Checked {
    let tables = at.context.tables;
    let inner = tables.behaviors.get(component.behavior.index()).map_or(&[][..], |rows| &rows.params);
    at.id("param", bind.param.index(), rows.params.len())?;
    at.id("inner", bind.inner.index(), inner.len())?;
    let here = at.context.behavior.map_or(0, |(index, _)| index);
    let ty = rows.params.get(bind.param.index()).map(|param| param.ty);
    let other = inner.get(bind.inner.index()).map(|param| param.ty);
    let same = match (ty, other) {
        (Some(Type::Enum(a)), Some(Type::Enum(b))) => {
            let kind = |behavior: usize, id: usize| enums.kinds.get(behavior)?.get(id);
            kind(here, a.index()).is_some_and(|a| Some(a) == kind(component.behavior.index(), b.index()))
        }
        (a, b) => a == b,
    };
    at.require(same, Kind::BadBind, "they are of different types")
}

/// Which enum types have the same variants.
pub(super) struct Enums {
    /// By behavior and enum: equal where all variants are.
    kinds: Vec<Vec<usize>>,
}

impl Enums {
    pub(super) fn new(tables: &Tables) -> Self {
        if tables.behaviors.iter().all(|rows| rows.binds.is_empty()) {
            return Self { kinds: Vec::new() };
        }
        let mut known: BTreeMap<&[TextId], usize> = BTreeMap::new();
        let mut kinds = Vec::with_capacity(tables.behaviors.len());
        for rows in &tables.behaviors {
            let of = rows.enums.iter().map(|item| {
                let next = known.len();
                *known.entry(item.variants.of(&rows.variants)).or_insert(next)
            });
            kinds.push(of.collect());
        }
        Self { kinds }
    }
}
