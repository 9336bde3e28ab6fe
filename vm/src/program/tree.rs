//! The tree of an instance: its components, those inside them, and where each has its block.
//!
//! A component's block is laid out exactly as an instance of its behavior and stands behind the own words of the one
//! around it, so that whatever runs on a block runs on each of them. Parts of an instance are numbered: 0 is itself,
//! each component comes before what is inside it. Nothing here changes anything.

use alloc::vec::Vec;

use super::layout::Layout;
use super::tables::Tables;
use crate::ids::{BehaviorId, ComponentId};

/// A behavior with all that is inside it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tree {
    /// Itself and the components.
    pub(crate) parts: u32,
    /// Words of a block.
    pub(crate) words: usize,
    /// Texts of the host.
    pub(crate) texts: usize,
    /// How deep components stand in components; 0 without any.
    pub(crate) depth: usize,
    /// Whether any of it asks the host.
    pub(crate) asks: bool,
    /// Whether any of it has listeners.
    pub(crate) hears: bool,
}

/// Where a component is, seen from the behavior around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inner {
    /// Its number.
    pub(crate) part: u32,
    /// Its first word.
    pub(crate) words: usize,
    /// Its first text.
    pub(crate) texts: usize,
}

/// A part of an instance: the instance itself, or a component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) behavior: BehaviorId,
    /// Its first word.
    pub(crate) words: usize,
    /// Its first text.
    pub(crate) texts: usize,
}

/// The behaviors, each after those that are its components; or one that is inside itself.
pub(super) fn order(tables: &Tables) -> Result<Vec<usize>, usize> {
    let mut sorted = Vec::with_capacity(tables.behaviors.len());
    // 0 for new ones, 1 for those on the path, 2 for those that are done.
    let mut marks = alloc::vec![0_u8; tables.behaviors.len()];
    let mut path: Vec<(usize, usize)> = Vec::new();
    for start in 0..tables.behaviors.len() {
        path.push((start, 0));
        while let Some((behavior, edge)) = path.pop() {
            let Some(mark) = marks.get_mut(behavior) else { continue };
            match (*mark, edge) {
                (2, _) => continue,
                (1, 0) => return Err(behavior),
                _ => *mark = 1,
            }
            match tables.behaviors.get(behavior).and_then(|rows| rows.components.get(edge)) {
                Some(component) => path.extend([(behavior, edge + 1), (component.behavior.index(), 0)]),
                None => {
                    *mark = 2;
                    sorted.push(behavior);
                }
            }
        }
    }
    Ok(sorted)
}

/// Says in a layout where the components are; the layouts of their behaviors know that of theirs.
pub(super) fn place(tables: &Tables, layouts: &mut [Layout], behavior: usize) -> Option<Tree> {
    let rows = tables.behaviors.get(behavior)?;
    let own = layouts.get(behavior)?;
    let mut tree = Tree {
        parts: 1,
        words: own.words,
        texts: own.host_texts,
        depth: 0,
        asks: !rows.externs.is_empty(),
        hears: !rows.listeners.is_empty(),
    };
    let mut inner = Vec::with_capacity(rows.components.len());
    for component in &rows.components {
        let inside = layouts.get(component.behavior.index())?.tree;
        inner.push(Inner { part: tree.parts, words: tree.words, texts: tree.texts });
        tree.parts = tree.parts.saturating_add(inside.parts);
        tree.words = tree.words.saturating_add(inside.words);
        tree.texts = tree.texts.saturating_add(inside.texts);
        tree.depth = tree.depth.max(inside.depth + 1);
        tree.asks |= inside.asks;
        tree.hears |= inside.hears;
    }
    let layout = layouts.get_mut(behavior)?;
    (layout.inner, layout.tree) = (inner, tree);
    layout.few = layout.active_words == 1 && layout.tracks.is_empty() && tree.parts == 1;
    Some(tree)
}

impl super::Program {
    /// A part of an instance of that behavior.
    pub(crate) fn part(&self, behavior: BehaviorId, id: ComponentId) -> Option<Part> {
        self.parts_to(behavior, id, |_, _| {})
    }

    /// A part of an instance; `visit` sees the behaviors and rows of the components that lead to it, outermost first.
    pub(crate) fn parts_to(
        &self,
        behavior: BehaviorId,
        id: ComponentId,
        mut visit: impl FnMut(BehaviorId, usize),
    ) -> Option<Part> {
        let mut at = Part { behavior, words: 0, texts: 0 };
        let mut rest = id.0;
        if rest >= self.layout(behavior)?.tree.parts {
            return None;
        }
        while rest > 0 {
            let inner = &self.layout(at.behavior)?.inner;
            let row = inner.partition_point(|inner| inner.part <= rest).checked_sub(1)?;
            let found = inner.get(row)?;
            visit(at.behavior, row);
            at = Part {
                behavior: self.behavior(at.behavior)?.components.get(row)?.behavior,
                words: at.words + found.words,
                texts: at.texts + found.texts,
            };
            rest -= found.part;
        }
        Some(at)
    }

    /// All parts of an instance of that behavior.
    pub(crate) fn parts(&self, behavior: BehaviorId) -> impl Iterator<Item = (ComponentId, Part)> + '_ {
        let count = self.layout(behavior).map_or(0, |layout| layout.tree.parts);
        (0..count).map(ComponentId).filter_map(move |id| Some((id, self.part(behavior, id)?)))
    }
}
