//! Constants and enums of files that what is inherited names: they keep their meaning, or are overridden like others.

use crate::hash::HashSet;

use crate::ast::{EntryValue, Expr, ExprKind, Item, Name, Node, Part, TypeKind};
use crate::intern::Symbol;
use crate::resolve::{Found, order};
use crate::syntax::{Keyword, Modifier};

use super::key::{Key, keys};
use super::merge::{Merger, items, plain};

impl Merger<'_, '_> {
    /// Whether the name is that of a constant or enum of a file which what is inherited may name.
    pub(super) fn is_outer(&self, key: &Key) -> bool {
        match key {
            Key::Value(name) => self.chain.iter().any(|file| self.files.constant_in(*file, *name).is_some()),
            Key::Named(Keyword::Enum, name) => {
                self.chain.iter().any(|file| self.files.enumeration_in(*file, *name).is_some())
            }
            _ => false,
        }
    }

    /// Reports declarations that would change what inherited names mean, and brings in the constants of files that are
    /// made of an overridden one.
    pub(super) fn outer_names(&mut self, nodes: &mut Vec<Node>, written: &[Node]) {
        let declares = |item: &&Item| {
            matches!(
                item.keyword,
                Keyword::Param | Keyword::Const | Keyword::Let | Keyword::Predicate | Keyword::Enum
            )
        };
        let known: HashSet<Key> = items(nodes)
            .filter(declares)
            .flat_map(|item| keys(item, crate::syntax::Place::Behavior))
            .map(|(key, _)| key)
            .collect();
        let mut mentions: Option<Vec<Name>> = None;
        let mut overridden: HashSet<usize> = HashSet::default();
        for item in items(written).filter(declares) {
            for (key, name) in keys(item, crate::syntax::Place::Behavior) {
                let Some(name) = name else { continue };
                if known.contains(&key) || !self.is_outer(&key) {
                    continue;
                }
                if item.has(Modifier::Override) {
                    if item.keyword == Keyword::Const {
                        let rows =
                            self.chain.iter().filter_map(|file| self.files.constant_in(*file, name.symbol));
                        overridden.extend(rows);
                    }
                    continue;
                }
                let mentions = mentions.get_or_insert_with(|| mentioned(nodes));
                let meant =
                    mentions.iter().filter(|mention| mention.symbol == name.symbol).find_map(|mention| {
                        let path = std::slice::from_ref(mention);
                        let found = match item.keyword {
                            Keyword::Enum => self.files.enumeration(path),
                            _ => self.files.constant(path),
                        };
                        if let Found::Yes(index) = found { Some(index) } else { None }
                    });
                if let Some(index) = meant {
                    let row = match item.keyword {
                        Keyword::Enum => self.files.enums[index],
                        _ => self.files.consts[index],
                    };
                    let report = self.again(item, &key, name.span, row.name.span);
                    self.diagnostics.push(report);
                }
            }
        }
        if !overridden.is_empty() {
            let mentions = mentions.unwrap_or_else(|| mentioned(nodes));
            self.bring_in(nodes, &known, &mentions, &overridden);
        }
    }

    /// Constants of files that are made of overridden ones, as far as what is inherited needs them.
    fn bring_in(
        &mut self,
        nodes: &mut Vec<Node>,
        known: &HashSet<Key>,
        mentions: &[Name],
        overridden: &HashSet<usize>,
    ) {
        let files = self.files;
        let needs: Vec<Vec<usize>> = files
            .consts
            .iter()
            .map(|row| {
                let mut names = Vec::new();
                if let Some(expr) = row.item.assigned() {
                    expression(expr, &mut names);
                }
                names.iter().filter_map(|name| yes(files.constant(std::slice::from_ref(name)))).collect()
            })
            .collect();
        let sorted = order(&needs).sorted;
        let mut affected = vec![false; needs.len()];
        for index in sorted.iter().copied() {
            affected[index] = overridden.contains(&index) || needs[index].iter().any(|need| affected[*need]);
        }
        let mut needed = vec![false; needs.len()];
        for name in mentions.iter().filter(|name| !known.contains(&Key::Value(name.symbol))) {
            if let Some(index) = yes(files.constant(std::slice::from_ref(name))) {
                needed[index] = true;
            }
        }
        for index in sorted.iter().rev().copied() {
            if needed[index] {
                needs[index].iter().for_each(|need| needed[*need] = true);
            }
        }
        let mut brought: HashSet<Symbol> = HashSet::default();
        for (index, row) in files.consts.iter().enumerate() {
            let fits = affected[index] && needed[index] && !overridden.contains(&index);
            if fits && !known.contains(&Key::Value(row.name.symbol)) && brought.insert(row.name.symbol) {
                nodes.push(Node::Item(plain(row.item, &[])));
            }
        }
    }
}

fn yes(found: Found<usize>) -> Option<usize> {
    if let Found::Yes(index) = found { Some(index) } else { None }
}

/// Every plain name that stands for a value or a type in these nodes.
fn mentioned(nodes: &[Node]) -> Vec<Name> {
    let mut names = Vec::new();
    let mut open: Vec<&[Node]> = vec![nodes];
    while let Some(nodes) = open.pop() {
        for node in nodes {
            match node {
                Node::Item(item) => {
                    item.head.iter().for_each(|part| head(part, &mut names));
                    open.push(item.nodes());
                }
                Node::Entry(entry) => {
                    entry.expressions().for_each(|value| expression(value, &mut names));
                    if let EntryValue::Motion(block) = &entry.value {
                        open.push(&block.nodes);
                    }
                    open.extend(entry.block.as_ref().map(|block| &block.nodes[..]));
                }
                Node::Field(_, value) => expression(value, &mut names),
                Node::Name(_) | Node::Error(_) => {}
            }
        }
    }
    names
}

fn head(part: &Part, names: &mut Vec<Name>) {
    part.expressions().iter().for_each(|value| expression(value, names));
    if let Part::Type(ty) = part
        && let TypeKind::Named(path) = &ty.kind
        && let [name] = &path.names[..]
    {
        names.push(*name);
    }
}

fn expression(expr: &Expr, names: &mut Vec<Name>) {
    let mut open = vec![expr];
    while let Some(expr) = open.pop() {
        if let ExprKind::Path(path) = &expr.kind
            && let [name] = &path.names[..]
        {
            names.push(*name);
        }
        open.extend(expr.operands());
    }
}
