//! What an `Override` of an item with parts changes: those it names.

use crate::hash::{HashMap, HashSet};

use crate::ast::{Block, Item, Node, Part, Type, TypeKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::intern::Interner;
use crate::syntax::{Keyword, Modifier, Place};

use super::key::{Key, keys};
use super::merge::{Merger, plain};
use super::stray;

/// Whether an `Override` of such an item leaves what it does not name.
pub(super) fn changes_parts(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Param
            | Keyword::Animation
            | Keyword::Mask
            | Keyword::Listener
            | Keyword::Component
            | Keyword::TransitionDefaults
    )
}

impl Merger<'_, '_> {
    /// Changes an inherited item as the written one says.
    pub(super) fn change(&mut self, inherited: &mut Item, written: &Item) {
        stray::report(written.nodes(), stray::Why::Inside, self.names, self.diagnostics);
        let ty = written.head.iter().find_map(|part| if let Part::Type(ty) = part { Some(ty) } else { None });
        if ty.is_some_and(|ty| !self.same_type(inherited, ty)) {
            return;
        }
        inherited.doc = written.doc.or(inherited.doc);
        for (modifier, span) in written.modifiers.iter() {
            if *modifier != Modifier::Override && !inherited.has(*modifier) {
                inherited.modifiers.push(*modifier, *span);
            }
        }
        for part in written.head.iter() {
            match part {
                Part::Assign(_) | Part::Of(_) => {
                    inherited.head.edit(|head| {
                        head.retain(|old| std::mem::discriminant(old) != std::mem::discriminant(part));
                        head.push(part.clone());
                    });
                }
                _ => {}
            }
        }
        let Some(block) = &written.block else { return };
        let old = inherited.block.get_or_insert(Block { nodes: Vec::new(), span: block.span });
        properties(&mut old.nodes, &plain(written, &[]), place(written.keyword));
    }

    /// Whether an `Override` names the inherited type; another is reported.
    fn same_type(&mut self, inherited: &Item, ty: &Type) -> bool {
        let old =
            inherited.head.iter().find_map(|part| if let Part::Type(ty) = part { Some(ty) } else { None });
        let Some(old) = old.filter(|old| !same(old, ty)) else { return true };
        let name = inherited.name().map_or("", |name| self.names.text(name.symbol));
        let is = type_text(old, self.names);
        let report = Diagnostic::new(
            Code::OverrideKind,
            format!("the inherited parameter `{name}` is `{is}`, and an `Override` cannot change that"),
            ty.span,
            format!("expected `{is}`, or no type"),
        )
        .label(old.span, "inherited from here")
        .help(format!("leave the type out, or write `{is}`"))
        .fix(ty.span, is);
        self.diagnostics.push(report);
        false
    }
}

fn same(one: &Type, other: &Type) -> bool {
    match (&one.kind, &other.kind) {
        (TypeKind::Named(one), TypeKind::Named(other)) => {
            // The same enum may be seen under a prefix.
            one.names.last().map(|name| name.symbol) == other.names.last().map(|name| name.symbol)
        }
        (TypeKind::Enum(one), TypeKind::Enum(other)) => {
            one.iter().map(|name| name.symbol).eq(other.iter().map(|name| name.symbol))
        }
        (TypeKind::Error, _) | (_, TypeKind::Error) => true,
        _ => false,
    }
}

fn type_text(ty: &Type, names: &Interner) -> String {
    let list = |list: &[crate::ast::Name], between: &str| {
        let texts: Vec<&str> = list.iter().map(|name| names.text(name.symbol)).collect();
        texts.join(between)
    };
    match &ty.kind {
        TypeKind::Named(path) => list(&path.names, "."),
        TypeKind::Enum(variants) => format!("enum({})", list(variants, ", ")),
        TypeKind::Error => String::new(),
    }
}

fn place(keyword: Keyword) -> Place {
    match keyword {
        Keyword::Param => Place::Param,
        Keyword::Animation => Place::Animation,
        Keyword::Mask => Place::Mask,
        Keyword::Listener => Place::Listener,
        Keyword::Component => Place::Component,
        _ => Place::Defaults,
    }
}

/// Puts each property of the written item in the place of the inherited ones that it is known by.
fn properties(inherited: &mut Vec<Node>, written: &Item, place: Place) {
    let mut index: HashMap<Key, Vec<usize>> = HashMap::default();
    for (at, node) in inherited.iter().enumerate() {
        if let Node::Item(item) = node {
            for (key, _) in keys(item, place) {
                index.entry(key).or_default().push(at);
            }
        }
    }
    let mut nodes: Vec<Option<Node>> = inherited.drain(..).map(Some).collect();
    for node in written.nodes() {
        let Node::Item(item) = node else {
            nodes.push(Some(node.clone()));
            continue;
        };
        if item.keyword == Keyword::Metadata {
            metadata(&mut nodes, item);
            continue;
        }
        // What is written twice is there twice, and the check says so.
        let places = keys(item, place).first().and_then(|(key, _)| index.remove(key)).unwrap_or_default();
        for at in &places {
            nodes[*at] = None;
        }
        match places.first() {
            Some(at) => nodes[*at] = Some(node.clone()),
            None => nodes.push(Some(node.clone())),
        }
    }
    inherited.extend(nodes.into_iter().flatten());
}

/// Puts each field in the place of the inherited one with its key.
fn metadata(nodes: &mut Vec<Option<Node>>, written: &Item) {
    let own: HashSet<_> = written
        .nodes()
        .iter()
        .filter_map(|node| if let Node::Field(key, _) = node { Some(key.symbol) } else { None })
        .collect();
    for node in nodes.iter_mut().flatten() {
        let Node::Item(item) = node else { continue };
        if item.keyword == Keyword::Metadata
            && let Some(block) = &mut item.block
        {
            block.nodes.retain(|node| !matches!(node, Node::Field(key, _) if own.contains(&key.symbol)));
        }
    }
    nodes.push(Some(Node::Item(written.clone())));
}
