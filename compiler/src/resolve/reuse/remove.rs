//! `Remove`: taking inherited items away, and remembering it for what still names them.

use crate::hash::{HashMap, HashSet};

use crate::ast::{Item, Node, Part, Path};
use crate::diagnostic::{Code, Diagnostic, join};
use crate::intern::Symbol;
use crate::source::Span;
use crate::syntax::{Keyword, Place, written};

use super::key::{Key, dotted, keys, noun, place_of};
use super::merge::{Merger, items};

/// The name spaces of a behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Parameters, constants, `Let`s and predicates.
    Value,
    /// Enums.
    Enum,
    /// Masks.
    Mask,
    /// Layers.
    Layer,
    /// Animations.
    Animation,
    /// States.
    State,
    /// Components.
    Component,
}

/// Names that were taken away, and by what.
pub type RemovedNames = HashMap<(Space, Symbol), Removed>;

/// What took a name away.
#[derive(Clone, Copy, Debug)]
pub struct Removed {
    /// How messages call what it was the name of.
    pub noun: &'static str,
    /// The `Remove`.
    pub span: Span,
}

/// What may be removed in a block.
fn removable(keyword: Keyword, place: Place) -> bool {
    match place {
        Place::Behavior => matches!(
            keyword,
            Keyword::Param
                | Keyword::Const
                | Keyword::Let
                | Keyword::Predicate
                | Keyword::Enum
                | Keyword::Mask
                | Keyword::Layer
                | Keyword::Animation
                | Keyword::State
                | Keyword::Rest
                | Keyword::Listener
                | Keyword::Component
        ),
        Place::Layer => matches!(keyword, Keyword::Animation | Keyword::State),
        Place::State => matches!(keyword, Keyword::State | Keyword::Transition | Keyword::OnDone),
        _ => keyword == Keyword::Transition,
    }
}

/// A state in a tree: what its path is, and how it is told from others.
struct StateRow {
    path: Vec<Symbol>,
    /// How many of the path name a layer: none or one.
    layers: usize,
    at: Span,
    /// Its place among all.
    index: usize,
}

impl Merger<'_, '_> {
    /// Takes away what the `Remove`s of a block name.
    pub(super) fn remove_all(&mut self, nodes: &mut Vec<Node>, written: &[Node], place: Place) {
        let removes: Vec<&Item> = items(written).filter(|item| item.keyword == Keyword::Remove).collect();
        if removes.is_empty() {
            return;
        }
        let states = States::of(nodes, place);
        let index = index(nodes, place);
        let mut gone: HashSet<(Span, Option<Symbol>)> = HashSet::default();
        let mut seen: HashMap<(Keyword, Vec<Symbol>), Span> = HashMap::default();
        for item in removes {
            let Some((keyword, path)) = target(item) else { continue };
            let symbols: Vec<Symbol> = path.names.iter().map(|name| name.symbol).collect();
            if !removable(keyword, place) {
                self.cannot_remove(item, keyword, path, place);
                continue;
            }
            if let Some(first) = seen.insert((keyword, symbols.clone()), item.span) {
                let report = Diagnostic::new(
                    Code::PropertyTwice,
                    format!("`{}` is removed twice", dotted(&symbols, self.names)),
                    item.span,
                    "removed again here",
                );
                self.diagnostics.push(report.label(first, "first removed here").help("keep one of them"));
                continue;
            }
            if keyword == Keyword::State {
                self.remove_state(item, path, &symbols, &states, &mut gone);
                continue;
            }
            let found = index.get(&(space_key(keyword), symbols.clone()));
            let Some(found) = found.or_else(|| suffix(&index, keyword, &symbols)) else {
                self.nothing_to_remove(keyword, path, &index);
                continue;
            };
            for entry in found {
                if entry.keyword != keyword {
                    self.other_kind(item, keyword, path, entry);
                    continue;
                }
                gone.insert((entry.span, entry.name));
                self.forget(&entry.inside, item.span);
                if let Some(space) = space(keyword) {
                    let noun = noun(keyword);
                    self.removed.insert((space, symbols[0]), Removed { noun, span: item.span });
                }
            }
        }
        retain(nodes, &gone);
    }

    fn remove_state(
        &mut self,
        item: &Item,
        path: &Path,
        symbols: &[Symbol],
        states: &States,
        gone: &mut HashSet<(Span, Option<Symbol>)>,
    ) {
        let found = states.find(symbols);
        match &found[..] {
            [] => {
                if self.unsure || path.names.iter().any(|name| self.is_lost(name.symbol)) {
                    return;
                }
                let last = path.names[path.names.len() - 1];
                let candidates: Vec<Symbol> =
                    states.rows.iter().take(256).filter_map(|row| row.path.last().copied()).collect();
                let report = self.missing("state", path);
                let report = self.near(report, last, candidates);
                self.diagnostics.push(report);
            }
            [one] => {
                gone.insert((one.at, None));
                let inside = states.inside(one);
                for row in inside {
                    let name = row.path[row.path.len() - 1];
                    let noun = noun(Keyword::State);
                    self.removed.insert((Space::State, name), Removed { noun, span: item.span });
                }
            }
            several => {
                let ways: Vec<String> = several
                    .iter()
                    .take(4)
                    .map(|row| format!("`Remove State {}`", dotted(&row.path, self.names)))
                    .collect();
                let mut report = Diagnostic::new(
                    Code::AmbiguousState,
                    format!("several inherited states are called `{}`", dotted(symbols, self.names)),
                    path.span,
                    "which one is meant?",
                );
                for row in several.iter().take(4) {
                    report = report.label(row.at, "one is this");
                }
                self.diagnostics.push(report.help(format!("write {}", join(&ways, "or"))));
            }
        }
    }

    /// Remembers the names of what stands in something that is removed.
    fn forget(&mut self, inside: &[(Space, Symbol)], span: Span) {
        self.removed.extend(inside.iter().map(|(space, name)| {
            let noun = noun(if *space == Space::State { Keyword::State } else { Keyword::Animation });
            ((*space, *name), Removed { noun, span })
        }));
    }

    fn missing(&self, what: &str, path: &Path) -> Diagnostic {
        let symbols: Vec<Symbol> = path.names.iter().map(|name| name.symbol).collect();
        Diagnostic::new(
            Code::NothingToRemove,
            format!(
                "`{}` inherits no {what} `{}` to remove",
                self.names.text(self.derived.symbol),
                dotted(&symbols, self.names)
            ),
            path.span,
            "this is not inherited",
        )
        .label(self.extends, format!("it inherits from `{}`", self.names.text(self.base.symbol)))
    }

    fn near(&mut self, report: Diagnostic, wrong: crate::ast::Name, candidates: Vec<Symbol>) -> Diagnostic {
        let names = &*self.names;
        let texts = candidates.iter().map(|symbol| names.text(*symbol));
        match self.nearest.find(names.text(wrong.symbol), texts) {
            Some(near) => report.help(format!("did you mean `{near}`?")).fix(wrong.span, written(near)),
            None if candidates.is_empty() => report.help("remove this line"),
            None => {
                let list: Vec<String> =
                    candidates.iter().take(8).map(|symbol| format!("`{}`", names.text(*symbol))).collect();
                let more = if candidates.len() > list.len() { ", and more" } else { "" };
                let list = if more.is_empty() { join(&list, "and") } else { list.join(", ") };
                report.help(format!("what may be removed: {list}{more}"))
            }
        }
    }

    fn nothing_to_remove(&mut self, keyword: Keyword, path: &Path, index: &Index) {
        if self.unsure || path.names.iter().any(|name| self.is_lost(name.symbol)) {
            return;
        }
        let last = path.names[path.names.len() - 1];
        let mut candidates: Vec<(Span, Symbol)> = index
            .iter()
            .filter(|((kind, _), _)| *kind == space_key(keyword))
            .filter_map(|((_, path), entries)| Some((entries.first()?.span, *path.last()?)))
            .collect();
        candidates.sort_unstable();
        let candidates = candidates.into_iter().map(|(_, symbol)| symbol).collect();
        let what = if keyword == Keyword::Transition { "transition from here to" } else { noun(keyword) };
        let report = self.missing(what, path);
        let report = self.near(report, last, candidates);
        self.diagnostics.push(report);
    }

    fn other_kind(&mut self, item: &Item, keyword: Keyword, path: &Path, entry: &Entry) {
        let text = self.names.text(path.names[0].symbol);
        let (was, is) = (noun(entry.keyword), noun(keyword));
        let report = Diagnostic::new(
            Code::OverrideKind,
            format!("`{text}` is inherited as a {was}, and removed as a {is}"),
            item.span,
            format!("expected `Remove {} {}`", entry.keyword.name(), written(text)),
        )
        .label(entry.at, format!("inherited from here as a {was}"))
        .help(format!("write `Remove {} {}`", entry.keyword.name(), written(text)))
        .fix(item.span, format!("Remove {} {}", entry.keyword.name(), written(text)));
        self.diagnostics.push(report);
    }

    fn cannot_remove(&mut self, item: &Item, keyword: Keyword, path: &Path, place: Place) {
        let symbols: Vec<Symbol> = path.names.iter().map(|name| name.symbol).collect();
        let text = dotted(&symbols, self.names);
        let help = match (keyword, place) {
            (Keyword::Transition | Keyword::OnDone, _) => {
                format!("open the state that has it: `State ... {{ Remove {} {text} }}`", keyword.name())
            }
            (Keyword::InitialState | Keyword::Entry, _) => {
                format!("a machine starts somewhere: write `Override InitialState {text}`")
            }
            _ if removable(keyword, Place::Behavior) => "write it in the behavior's own block".to_owned(),
            _ => format!("write `Override {}` to replace it", keyword.name()),
        };
        let report = Diagnostic::new(
            Code::NothingToRemove,
            format!("`Remove` cannot take away `{}` here", keyword.name()),
            item.span,
            "expected the declaration of something inherited",
        );
        self.diagnostics.push(report.help(help));
    }
}

/// What a `Remove` names.
fn target(item: &Item) -> Option<(Keyword, &Path)> {
    let keyword = item.head.iter().find_map(|part| match part {
        Part::Declaration(keyword, _) => Some(*keyword),
        _ => None,
    })?;
    Some((keyword, item.path()?))
}

fn space(keyword: Keyword) -> Option<Space> {
    Some(match keyword {
        Keyword::Param | Keyword::Const | Keyword::Let | Keyword::Predicate => Space::Value,
        Keyword::Enum => Space::Enum,
        Keyword::Mask => Space::Mask,
        Keyword::Layer => Space::Layer,
        Keyword::Animation => Space::Animation,
        Keyword::Component => Space::Component,
        _ => return None,
    })
}

/// One keyword for all of a name space.
fn space_key(keyword: Keyword) -> Keyword {
    match keyword {
        Keyword::Const | Keyword::Let | Keyword::Predicate => Keyword::Param,
        other => other,
    }
}

/// Something that can be removed.
#[derive(Debug)]
struct Entry {
    keyword: Keyword,
    /// The item, and its name where it has several.
    span: Span,
    name: Option<Symbol>,
    /// Where messages show it.
    at: Span,
    /// The names that go with it.
    inside: Vec<(Space, Symbol)>,
}

type Index = HashMap<(Keyword, Vec<Symbol>), Vec<Entry>>;

fn index(nodes: &[Node], place: Place) -> Index {
    let mut found = Index::default();
    for item in items(nodes) {
        let inner = if item.keyword == Keyword::Layer { item.nodes() } else { &[] };
        for item in
            std::iter::once(item).chain(items(inner).filter(|inner| inner.keyword == Keyword::Animation))
        {
            for (key, name) in keys(item, place) {
                let path = match key {
                    Key::Value(name) | Key::Named(_, name) | Key::Listener(Some(name)) => vec![name],
                    Key::Rest(target, property) => vec![target, property],
                    Key::List(Keyword::Transition | Keyword::OnDone, path) => path,
                    _ => continue,
                };
                found.entry((space_key(item.keyword), path)).or_default().push(Entry {
                    keyword: item.keyword,
                    span: item.span,
                    name: name.map(|name| name.symbol),
                    at: place_of(item, name),
                    inside: if item.keyword == Keyword::Layer { layer_names(item) } else { Vec::new() },
                });
            }
        }
    }
    found
}

/// The names that a layer declares.
fn layer_names(layer: &Item) -> Vec<(Space, Symbol)> {
    let animations = layer.items().filter(|item| item.keyword == Keyword::Animation);
    let mut names: Vec<(Space, Symbol)> =
        animations.flat_map(Item::names).map(|name| (Space::Animation, name.symbol)).collect();
    let states = States::of(layer.nodes(), Place::Layer);
    names.extend(states.rows.iter().filter_map(|row| Some((Space::State, *row.path.last()?))));
    names
}

/// Transitions whose target is written with more or fewer of the states around it.
fn suffix<'i>(index: &'i Index, keyword: Keyword, path: &[Symbol]) -> Option<&'i Vec<Entry>> {
    if keyword != Keyword::Transition {
        return None;
    }
    let mut fitting = index.iter().filter(|((kind, other), _)| {
        *kind == Keyword::Transition && (other.ends_with(path) || path.ends_with(other))
    });
    let (_, found) = fitting.next()?;
    fitting.next().is_none().then_some(found)
}

/// The states of a block, with those inside them.
struct States {
    rows: Vec<StateRow>,
    by_name: HashMap<Symbol, Vec<usize>>,
}

impl States {
    fn of(nodes: &[Node], place: Place) -> Self {
        let mut this = Self { rows: Vec::new(), by_name: HashMap::default() };
        let mut open: Vec<(&Item, Vec<Symbol>, usize)> = Vec::new();
        for item in items(nodes) {
            match item.keyword {
                Keyword::State => open.push((item, Vec::new(), 0)),
                Keyword::Layer if place == Place::Behavior => {
                    let layer: Vec<Symbol> = item.name().map(|name| name.symbol).into_iter().collect();
                    let inner = item.items().filter(|inner| inner.keyword == Keyword::State);
                    open.extend(inner.map(|inner| (inner, layer.clone(), layer.len())));
                }
                _ => {}
            }
        }
        open.reverse();
        while let Some((item, mut path, layers)) = open.pop() {
            let Some(name) = item.name() else { continue };
            path.push(name.symbol);
            let inner: Vec<&Item> = item.items().filter(|inner| inner.keyword == Keyword::State).collect();
            open.extend(inner.into_iter().rev().map(|inner| (inner, path.clone(), layers)));
            this.by_name.entry(name.symbol).or_default().push(this.rows.len());
            let index = this.rows.len();
            this.rows.push(StateRow { path, layers, at: item.span, index });
        }
        this
    }

    /// The states that a path may mean: the one whose whole path it is, else those whose path ends so.
    fn find(&self, path: &[Symbol]) -> Vec<&StateRow> {
        let Some(list) = path.last().and_then(|last| self.by_name.get(last)) else { return Vec::new() };
        let fitting: Vec<&StateRow> =
            list.iter().map(|index| &self.rows[*index]).filter(|row| row.path.ends_with(path)).collect();
        let whole = fitting.iter().find(|row| row.path[row.layers..] == *path && row.layers == 0);
        whole
            .or_else(|| fitting.iter().find(|row| row.path == path))
            .map_or_else(|| fitting.clone(), |row| vec![*row])
    }

    /// A state and those inside it, which stand behind it.
    fn inside<'s>(&'s self, outer: &'s StateRow) -> impl Iterator<Item = &'s StateRow> {
        self.rows[outer.index..].iter().take_while(|row| row.path.starts_with(&outer.path))
    }
}

/// Takes items away, in all blocks.
fn retain(nodes: &mut Vec<Node>, gone: &HashSet<(Span, Option<Symbol>)>) {
    nodes.retain_mut(|node| {
        let Node::Item(item) = node else { return true };
        let name = item.names().first().map(|name| name.symbol);
        if gone.contains(&(item.span, None)) || gone.contains(&(item.span, name)) {
            return false;
        }
        if matches!(item.keyword, Keyword::Layer | Keyword::State)
            && let Some(block) = &mut item.block
        {
            retain(&mut block.nodes, gone);
        }
        true
    });
}
