//! What binds saw last of their two sides: a change and a firing on their way between two blocks.
//!
//! A bind is known by the names of its component and of its two parameters. A new one begins as in a new instance: the
//! outer value wins.

use alloc::vec::Vec;

use super::Carry;
use super::params::converted;
use crate::program::layout::{BindSlot, NONE};
use crate::program::tables::{Behavior, Bind, Type};

/// One side of a bind's past: its rows and where it kept what it saw.
#[derive(Clone, Copy)]
struct Seen<'a> {
    /// The behavior of the component.
    inner: &'a Behavior,
    bind: &'a Bind,
    slot: BindSlot,
}

impl<'a> Carry<'a> {
    /// Carries what binds saw; gives the binds that have no past.
    pub(super) fn binds(&mut self) -> Vec<usize> {
        let mut new = Vec::new();
        let (rows, layout, program) = (self.rows, self.layout, self.program);
        for component in &rows.components {
            let Some(inner) = program.behavior(component.behavior) else { continue };
            for index in component.binds.indices() {
                let (Some(bind), Some(slot)) = (rows.binds.get(index), layout.binds.get(index)) else {
                    continue;
                };
                let to = Seen { inner, bind, slot: *slot };
                let from = self.past_bind(program.text(component.name), inner, bind);
                if from.and_then(|from| self.bind(from, to)).is_none() {
                    new.push(index);
                }
            }
        }
        new
    }

    /// The bind of the same names.
    fn past_bind(&self, component: &str, inner: &Behavior, bind: &Bind) -> Option<Seen<'a>> {
        let (rows, program) = (self.view.rows, self.old_program);
        let past = rows.components.iter().find(|row| program.text(row.name) == component)?;
        let past_inner = program.behavior(past.behavior)?;
        let names = (
            self.program.text(self.rows.params.get(bind.param.index())?.name),
            self.program.text(inner.params.get(bind.inner.index())?.name),
        );
        past.binds.indices().find_map(|index| {
            let (bind, slot) = (rows.binds.get(index)?, self.view.layout.binds.get(index)?);
            let own = program.text(rows.params.get(bind.param.index())?.name);
            let other = program.text(past_inner.params.get(bind.inner.index())?.name);
            ((own, other) == names).then_some(Seen { inner: past_inner, bind, slot: *slot })
        })
    }

    /// `None` where it has no past that the changed program understands.
    fn bind(&mut self, from: Seen<'_>, to: Seen<'_>) -> Option<()> {
        let (was, row) = (
            self.view.rows.params.get(from.bind.param.index())?,
            self.rows.params.get(to.bind.param.index())?,
        );
        let inner_row = to.inner.params.get(to.bind.inner.index())?;
        let inner_was = from.inner.params.get(from.bind.inner.index())?;
        if (was.ty == Type::Trigger) != (row.ty == Type::Trigger) {
            return None;
        }
        if to.slot.at == NONE {
            return Some(());
        }
        let at = if from.slot.at == NONE { return None } else { from.slot.at as usize };
        let (outer, inner) = (self.view.word(at), self.view.word(at + 1));
        let to_at = to.slot.at as usize;
        match (was.ty, row.ty) {
            (Type::Trigger, Type::Trigger) => {
                self.put(to_at, outer);
                self.put(to_at + 1, inner);
            }
            (Type::Text, Type::Text) => {
                let text = self.past_text(outer, from.slot.side);
                self.text(to.slot.at, to.slot.side, text);
            }
            _ => {
                let (old, new) = (self.old_program, self.program);
                let seen = converted((old, self.view.rows), (new, self.rows), was.ty, row, outer)?;
                let seen_inside =
                    converted((old, from.inner), (new, to.inner), inner_was.ty, inner_row, inner)?;
                // Where a range moved a side, the outer value wins, as at creation.
                if row.ty == Type::Number && (seen, seen_inside) != (outer, inner) {
                    return None;
                }
                self.put(to_at, seen);
                self.put(to_at + 1, seen_inside);
            }
        }
        Some(())
    }
}
