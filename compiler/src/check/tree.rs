//! Which behaviors are inside which: rings, how much that gives, and the list of the program's behaviors.

use crate::hash::{HashMap, HashSet};

use motix_vm::ids::BehaviorId;
use motix_vm::program::limits::Limit;

use crate::ast::Part;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::intern::Symbol;
use crate::resolve::{Found, order};
use crate::source::Span;

use super::Run;
use super::constants::members;

impl Run<'_, '_> {
    /// The components of all behaviors, bases first: a fault that others inherit is told once.
    pub(super) fn check_components(&mut self, ids: &HashMap<usize, BehaviorId>) {
        let mut told: HashSet<(Code, Option<Span>)> = HashSet::default();
        let reuse = self.reuse;
        for index in reuse.order.iter().copied() {
            let outer = std::mem::take(self.diagnostics);
            self.with(index, |checker| checker.check_components(ids));
            let found: Diagnostics = std::mem::replace(self.diagnostics, outer);
            self.diagnostics.count_lost(found.lost_errors());
            for report in found.into_list() {
                if told.insert((report.code, report.span())) {
                    self.diagnostics.push(report);
                }
            }
        }
    }

    /// Which behavior each component runs, and how many parts that gives.
    pub(super) fn resolve_components(&mut self) {
        let mut inner: Vec<Vec<Option<usize>>> = Vec::with_capacity(self.checked.len());
        let mut told: HashSet<Span> = HashSet::default();
        for index in 0..self.checked.len() {
            let rows =
                self.checked[index].as_ref().map_or_else(Vec::new, |known| known.scope.components.clone());
            let found = rows.iter().map(|row| {
                let path = row.item.head.iter().find_map(|part| match part {
                    Part::Of(path) => Some(path),
                    _ => None,
                })?;
                match self.files.behavior(&path.names) {
                    Found::Yes(index) => Some(index),
                    Found::Lost => None,
                    Found::No => {
                        // Told once, where others inherit it too.
                        if told.insert(path.span) {
                            self.missing_behavior(path);
                        }
                        None
                    }
                }
            });
            inner.push(found.collect());
        }
        let needs: Vec<Vec<usize>> =
            inner.iter().map(|inner| inner.iter().copied().flatten().collect()).collect();
        let ordered = order(&needs);
        for ring in &ordered.rings {
            self.component_ring(ring, &inner);
        }
        let in_ring = members(&ordered.rings);
        self.parts = vec![1; inner.len()];
        let mut depths = vec![0_usize; inner.len()];
        for index in ordered.sorted {
            // Without its rings, what is left of the program can be looked at.
            if in_ring.contains_key(&index) {
                inner[index].iter_mut().for_each(|inner| *inner = None);
            }
            let found = || inner[index].iter().copied().flatten();
            self.parts[index] = found().fold(1, |sum, inner| sum.saturating_add(self.parts[inner]));
            depths[index] = found().map(|inner| depths[inner] + 1).max().unwrap_or(0);
            self.limit_components(
                index,
                depths[index],
                found().all(|inner| is_small(self.parts[inner], depths[inner])),
                &inner[index],
            );
        }
        for (known, inner) in self.checked.iter_mut().zip(inner) {
            if let Some(known) = known {
                known.inner = inner;
            }
        }
    }

    /// Reports a behavior with too much inside; `first` says that nothing inside it was reported.
    fn limit_components(&mut self, index: usize, depth: usize, first: bool, inner: &[Option<usize>]) {
        let parts = self.parts[index];
        if is_small(parts, depth) || !first {
            return;
        }
        let name = self.files.behaviors[index].name;
        let text = self.names.text(name.symbol);
        let report = if depth > Limit::ComponentNesting.value() {
            let most = Limit::ComponentNesting.value();
            let message = format!("components stand in each other more than {most} deep in `{text}`");
            Diagnostic::new(Code::NestedTooDeep, message, name.span, "too much stands in each other here")
                .help("give the outer behaviors components of their own instead of a long chain")
        } else {
            let most = Limit::Components.value();
            let message = format!(
                "`{text}` has {} components, those inside others included, and {most} is the most",
                parts - 1
            );
            let mut sum = 0_u32;
            let row = inner.iter().position(|inner| {
                sum = sum.saturating_add(inner.map_or(0, |inner| self.parts[inner]));
                sum as usize > most
            });
            let known = self.checked[index].as_ref();
            let row = row.zip(known).and_then(|(row, known)| known.scope.components.get(row));
            let span = row.map_or(name.span, |row| row.name.span);
            Diagnostic::new(Code::TooMany, message, span, "the first that is too much")
                .help("let the host make several instances")
        };
        self.diagnostics.push(report);
    }

    fn component_ring(&mut self, ring: &[usize], inner: &[Vec<Option<usize>>]) {
        let files = self.files;
        let text = |index: usize| format!("`{}`", self.names.text(files.behaviors[index].name.symbol));
        // Where one of the ring names the next.
        let place = |at: usize| {
            let (from, to) = (ring[at], ring[(at + 1) % ring.len()]);
            let row = inner[from].iter().position(|inner| *inner == Some(to));
            let known = self.checked[from].as_ref();
            let row = row.zip(known).and_then(|(row, known)| known.scope.components.get(row));
            row.map_or(files.behaviors[from].name.span, |row| row.name.span)
        };
        let message = match ring {
            [one] => format!("the behavior {} is a component of itself", text(*one)),
            _ => {
                let path: Vec<String> =
                    ring.iter().chain(ring.first()).take(9).map(|index| text(*index)).collect();
                let rest = if ring.len() > 8 { " -> ..." } else { "" };
                format!("behaviors are components of each other: {}{rest}", path.join(" -> "))
            }
        };
        let label = |at: usize| format!("has {} inside", text(ring[(at + 1) % ring.len()]));
        let mut report = Diagnostic::new(Code::ComponentRing, message, place(0), label(0));
        for at in 1..ring.len().min(8) {
            report = report.label(place(at), label(at));
        }
        self.diagnostics.push(report.help("remove one of these components: an instance would never end"));
    }

    /// The behaviors of the program with their names: those of the first file and of those it uses, then those that
    /// are their components and that the file does not see.
    pub(super) fn listed(&mut self) -> Vec<(Symbol, usize)> {
        let mut listed: Vec<(Symbol, usize)> = Vec::new();
        let mut there: HashSet<usize> = HashSet::default();
        let mut taken: HashSet<Symbol> = HashSet::default();
        for (alias, index) in self.files.program_behaviors() {
            // A file that is used under two names has its behaviors once, under the first.
            if !there.insert(index) {
                continue;
            }
            let mut name = self.files.behaviors[index].name.symbol;
            if let Some(alias) = alias {
                let full = format!("{}.{}", self.names.text(alias), self.names.text(name));
                name = self.names.intern(&full);
            }
            taken.insert(name);
            listed.push((name, index));
        }
        let mut next = 0;
        while let Some((owner, index)) = listed.get(next).copied() {
            next += 1;
            let inner = self.checked[index].as_ref().map_or_else(Vec::new, |known| known.inner.clone());
            for index in inner.into_iter().flatten() {
                if !there.insert(index) {
                    continue;
                }
                let mut name = self.files.behaviors[index].name.symbol;
                let mut owner = owner;
                while !taken.insert(name) {
                    let full = format!("{}.{}", self.names.text(owner), self.names.text(name));
                    (owner, name) = (name, self.names.intern(&full));
                }
                listed.push((name, index));
            }
        }
        listed
    }
}

/// Whether so many parts, standing in each other so deep, are an instance that can be made.
fn is_small(parts: u32, depth: usize) -> bool {
    depth <= Limit::ComponentNesting.value() && parts as usize <= 1 + Limit::Components.value()
}
