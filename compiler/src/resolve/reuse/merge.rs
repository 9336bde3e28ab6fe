//! Merging a block with what it inherits: opening, adding, overriding.
//!
//! What is inherited keeps its place. Removal goes first, so that a name that is removed can be declared anew;
//! animations go before the rest, since an inherited one may stand in a layer's block.

use crate::hash::{HashMap, HashSet};

use crate::ast::{Block, Head, Item, Modifiers, Name, Names, Node, Part};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::intern::{Interner, Symbol};
use crate::nearest::Nearest;
use crate::resolve::FileScopes;
use crate::source::Span;
use crate::syntax::{Keyword, Modifier, Place, written};

use super::key::{Key, called, keys, noun, place_of};
use super::remove::RemovedNames;
use super::{replace, stray, without_block};

/// Merges one behavior.
pub(super) struct Merger<'m, 'a> {
    pub(super) files: &'m FileScopes<'a>,
    pub(super) names: &'m mut Interner,
    pub(super) nearest: &'m mut Nearest,
    pub(super) diagnostics: &'m mut Diagnostics,
    /// The behavior.
    pub(super) derived: Name,
    /// The one it extends.
    pub(super) base: Name,
    /// Where it says so.
    pub(super) extends: Span,
    /// The files of what it inherits.
    pub(super) chain: &'m [usize],
    /// Whether something it would inherit is missing.
    pub(super) unsure: bool,
    pub(super) removed: RemovedNames,
    /// Whether something inherited is declared again.
    pub(super) clashes: bool,
    /// Inherited animations, and where each stands: a slot of the behavior, and a node of that layer's block.
    pub(super) animations: HashMap<Symbol, (usize, Option<usize>)>,
}

/// What a block inherits: by its places, each holding the node that was there or those that replace it.
pub(super) struct Slots {
    pub(super) nodes: Vec<Vec<Node>>,
    pub(super) index: HashMap<Key, Vec<usize>>,
}

impl Slots {
    pub(super) fn of(nodes: Vec<Node>, place: Place) -> Self {
        let mut index: HashMap<Key, Vec<usize>> = HashMap::default();
        for (slot, node) in nodes.iter().enumerate() {
            if let Node::Item(item) = node {
                for (key, _) in keys(item, place) {
                    index.entry(key).or_default().push(slot);
                }
            }
        }
        Self { nodes: nodes.into_iter().map(|node| vec![node]).collect(), index }
    }

    /// The first inherited item of that key.
    pub(super) fn item(&self, key: &Key) -> Option<&Item> {
        let slot = self.index.get(key)?.first()?;
        self.nodes[*slot].iter().find_map(|node| if let Node::Item(item) = node { Some(item) } else { None })
    }

    fn item_mut(&mut self, key: &Key) -> Option<&mut Item> {
        let slot = self.index.get(key)?.first()?;
        self.nodes[*slot]
            .iter_mut()
            .find_map(|node| if let Node::Item(item) = node { Some(item) } else { None })
    }

    /// Makes one item of several with that key, as `AnyState` may stand more than once.
    fn gather(&mut self, key: &Key) {
        let Some(list) = self.index.get_mut(key).filter(|list| list.len() > 1) else { return };
        let others: Vec<usize> = list.drain(1..).collect();
        let mut nodes = Vec::new();
        for slot in others {
            for node in self.nodes[slot].drain(..) {
                if let Node::Item(item) = node {
                    nodes.extend(item.block.map_or_else(Vec::new, |block| block.nodes));
                }
            }
        }
        if let Some(first) = self.item_mut(key) {
            let span = first.span;
            first.block.get_or_insert(Block { nodes: Vec::new(), span }).nodes.extend(nodes);
        }
    }

    fn into_nodes(self) -> Vec<Node> {
        self.nodes.into_iter().flatten().collect()
    }
}

/// How a block changes what it inherits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// It adds; what is there already needs `Override`.
    Opens,
    /// Its properties replace the inherited ones.
    Replaces,
}

impl Merger<'_, '_> {
    /// The nodes of the behavior `written`, which extends `base`, all that was removed, and whether anything inherited
    /// is declared again.
    pub(super) fn behavior(mut self, base: &Item, written: &Item) -> (Vec<Node>, RemovedNames, bool) {
        let mut nodes = base.nodes().to_vec();
        let touched = touched(written.nodes());
        split(&mut nodes, &touched);
        self.remove_all(&mut nodes, written.nodes(), Place::Behavior);
        self.keep_layers(&mut nodes, written.nodes());
        self.outer_names(&mut nodes, written.nodes());
        let mut slots = Slots::of(nodes, Place::Behavior);
        self.override_animations(&mut slots, written.nodes());
        let nodes = self.block(slots, written.nodes(), Place::Behavior, Mode::Opens);
        (nodes, self.removed, self.clashes)
    }

    fn merge_block(&mut self, item: &mut Item, written: &Item, place: Place, mode: Mode) {
        item.doc = written.doc.or(item.doc);
        let Some(block) = &written.block else { return };
        let mut nodes = item.block.take().map_or_else(Vec::new, |block| block.nodes);
        self.remove_all(&mut nodes, &block.nodes, place);
        let slots = Slots::of(nodes, place);
        let nodes = self.block(slots, &block.nodes, place, mode);
        item.block = Some(Block { nodes, span: block.span });
    }

    fn block(&mut self, mut slots: Slots, written: &[Node], place: Place, mode: Mode) -> Vec<Node> {
        let mut added: Vec<Node> = Vec::new();
        let mut changed: HashMap<Key, Span> = HashMap::default();
        for node in written {
            let Node::Item(item) = node else {
                added.push(node.clone());
                continue;
            };
            if item.keyword == Keyword::Remove {
                continue;
            }
            if item.keyword == Keyword::Animation {
                self.add_animation(item, &mut added);
                continue;
            }
            let overrides = item.has(Modifier::Override);
            let found = keys(item, place);
            let (known, new): (Vec<_>, Vec<_>) =
                found.into_iter().partition(|(key, _)| slots.index.contains_key(key));
            for (key, name) in &new {
                if overrides && *key == Key::Reaction {
                    self.reaction(item);
                } else if overrides && !self.is_outer(key) {
                    self.nothing_to_override(item, key, *name, &slots);
                }
            }
            for (key, name) in &known {
                self.meet(&mut slots, item, key, *name, mode, &mut changed, &mut added);
            }
            // Of what cannot be found, the rest would only be missed too.
            let wrong = overrides && matches!(new.first(), Some((Key::List(..) | Key::Reaction, _)));
            if !wrong && (known.is_empty() || !new.is_empty()) {
                stray::report(item.nodes(), stray::Why::New, self.names, self.diagnostics);
                let names: Vec<Name> = new.iter().filter_map(|(_, name)| *name).collect();
                added.push(Node::Item(plain(item, &names)));
            }
        }
        let mut nodes = slots.into_nodes();
        nodes.extend(added);
        nodes
    }

    /// An item of which something like it is inherited.
    #[expect(clippy::too_many_arguments, reason = "one step of a loop")]
    fn meet(
        &mut self,
        slots: &mut Slots,
        item: &Item,
        key: &Key,
        name: Option<Name>,
        mode: Mode,
        changed: &mut HashMap<Key, Span>,
        added: &mut Vec<Node>,
    ) {
        let overrides = item.has(Modifier::Override);
        let at = place_of(item, name);
        let opens = matches!(item.keyword, Keyword::State | Keyword::AnyState)
            || item.keyword == Keyword::Layer && !overrides;
        if key.is_unique() && !self.first_change(item, key, at, changed) {
            return;
        }
        if opens {
            slots.gather(key);
            if let Some(inherited) = slots.item_mut(key) {
                let mut taken = inherited.clone();
                let inside = inner_place(item.keyword);
                self.merge_block(&mut taken, item, inside, Mode::Opens);
                if let Some(inherited) = slots.item_mut(key) {
                    *inherited = taken;
                }
            }
            return;
        }
        if !overrides {
            if !key.is_unique() {
                stray::report(item.nodes(), stray::Why::New, self.names, self.diagnostics);
                added.push(Node::Item(plain(item, &[])));
                return;
            }
            if mode == Mode::Opens {
                self.inherited_already(slots, item, key, at);
            }
        }
        if *key == Key::Reaction {
            self.reaction(item);
            return;
        }
        let Some(inherited) = slots.item_mut(key) else { return };
        if !same_kind(inherited.keyword, item.keyword, key) {
            let (was, is) = (noun(inherited.keyword), noun(item.keyword));
            let first = place_of(inherited, inherited.name());
            self.wrong_kind(at, first, key, was, is);
            return;
        }
        if item.keyword == Keyword::Layer {
            let mut taken = inherited.clone();
            self.merge_block(&mut taken, item, Place::Layer, Mode::Replaces);
            if let Some(inherited) = slots.item_mut(key) {
                *inherited = taken;
            }
            return;
        }
        if replace::changes_parts(item.keyword) {
            let mut taken = inherited.clone();
            self.change(&mut taken, item);
            if let Some(inherited) = slots.item_mut(key) {
                *inherited = taken;
            }
            return;
        }
        stray::report(item.nodes(), stray::Why::Inside, self.names, self.diagnostics);
        let names: Vec<Name> = name.into_iter().collect();
        let list = slots.index.get(key).cloned().unwrap_or_default();
        let again = changed.insert(key.clone(), at).is_some() && !key.is_unique();
        for (place, slot) in list.iter().enumerate() {
            match (place, again) {
                (0, true) => slots.nodes[*slot].push(Node::Item(plain(item, &names))),
                (0, false) => slots.nodes[*slot] = vec![Node::Item(plain(item, &names))],
                (_, true) => {}
                (_, false) => slots.nodes[*slot].clear(),
            }
        }
    }

    /// Whether what is unique is changed for the first time; otherwise that is reported.
    fn first_change(&mut self, item: &Item, key: &Key, at: Span, changed: &mut HashMap<Key, Span>) -> bool {
        let Some(first) = changed.insert(key.clone(), at) else { return true };
        let what = called(item, key, self.names);
        let (code, done) = match key.name() {
            Some(_) if item.has(Modifier::Override) => (Code::DuplicateName, "overridden"),
            Some(_) if matches!(item.keyword, Keyword::State | Keyword::Layer) => {
                (Code::DuplicateName, "opened")
            }
            Some(_) => (Code::DuplicateName, "declared"),
            None => (Code::PropertyTwice, "written"),
        };
        let the = if what.starts_with('`') { "" } else { "the " };
        let report =
            Diagnostic::new(code, format!("{the}{what} is {done} twice"), at, format!("{done} again here"))
                .label(first, format!("first {done} here"))
                .help(if done == "written" { "keep one of them" } else { "write all of it in one place" });
        self.diagnostics.push(report);
        false
    }

    /// Changes inherited animations, wherever they and the changes stand.
    fn override_animations(&mut self, slots: &mut Slots, written: &[Node]) {
        for (slot, list) in slots.nodes.iter().enumerate() {
            let Some(Node::Item(item)) = list.first() else { continue };
            match item.keyword {
                Keyword::Animation => {
                    for name in item.names() {
                        self.animations.entry(name.symbol).or_insert((slot, None));
                    }
                }
                Keyword::Layer => {
                    for (inner, node) in item.nodes().iter().enumerate() {
                        let Node::Item(inside) = node else { continue };
                        if inside.keyword == Keyword::Animation {
                            for name in inside.names() {
                                self.animations.entry(name.symbol).or_insert((slot, Some(inner)));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        let mut changed: HashMap<Key, Span> = HashMap::default();
        for item in items(written) {
            match item.keyword {
                Keyword::Animation => self.override_animation(slots, item, &mut changed),
                Keyword::Layer => {
                    for inside in item.items().filter(|inside| inside.keyword == Keyword::Animation) {
                        self.override_animation(slots, inside, &mut changed);
                    }
                }
                _ => {}
            }
        }
    }

    fn override_animation(&mut self, slots: &mut Slots, item: &Item, changed: &mut HashMap<Key, Span>) {
        for name in item.names().iter().copied() {
            let key = Key::Named(Keyword::Animation, name.symbol);
            let Some((slot, inner)) = self.animations.get(&name.symbol).copied() else {
                if item.has(Modifier::Override) {
                    self.nothing_to_override(item, &key, Some(name), slots);
                }
                continue;
            };
            if !self.first_change(item, &key, name.span, changed) {
                continue;
            }
            let Some(Node::Item(outer)) = slots.nodes[slot].first_mut() else { continue };
            let inherited = match inner {
                None => outer,
                Some(inner) => {
                    let block = outer.block.as_mut().and_then(|block| block.nodes.get_mut(inner));
                    let Some(Node::Item(inside)) = block else { continue };
                    inside
                }
            };
            if !item.has(Modifier::Override) {
                let first = inherited.name().map_or(inherited.span, |name| name.span);
                let report = self.again(item, &key, name.span, first);
                self.diagnostics.push(report);
            }
            let mut taken = inherited.clone();
            self.change(&mut taken, item);
            *inherited = taken;
        }
    }

    /// An animation as far as it is none that is inherited.
    fn add_animation(&mut self, item: &Item, added: &mut Vec<Node>) {
        let new: Vec<Name> =
            item.names().iter().copied().filter(|name| !self.animations.contains_key(&name.symbol)).collect();
        if !new.is_empty() || item.names().is_empty() {
            stray::report(item.nodes(), stray::Why::New, self.names, self.diagnostics);
            added.push(Node::Item(plain(item, &new)));
        }
    }

    /// Keeps inherited animations where they play if this behavior adds layers: with a single layer none says which.
    fn keep_layers(&mut self, nodes: &mut Vec<Node>, written: &[Node]) {
        let layers: Vec<Name> =
            items(nodes).filter(|item| item.keyword == Keyword::Layer).filter_map(Item::name).collect();
        let adds = items(written).any(|item| item.keyword == Keyword::Layer);
        let only = match &layers[..] {
            _ if !adds => return,
            [] => Name { symbol: self.names.intern("Base"), span: self.base.span, quoted: false },
            [only] => *only,
            _ => return,
        };
        for node in nodes.iter_mut() {
            let Node::Item(item) = node else { continue };
            let Some(name) = item.name().filter(|_| item.keyword == Keyword::Animation) else { continue };
            if item.items().any(|property| property.keyword == Keyword::LayerOf) {
                continue;
            }
            let mut layer = without_block(item);
            layer.keyword = Keyword::LayerOf;
            layer.doc = None;
            layer.head = Head::One(Part::Names(Names::One(Name { span: name.span, ..only })));
            let block = item.block.get_or_insert(Block { nodes: Vec::new(), span: name.span });
            block.nodes.push(Node::Item(layer));
        }
        if layers.is_empty() {
            let mut layer = layer_item(only);
            layer.span = only.span;
            nodes.insert(0, Node::Item(layer));
        }
    }

    fn inherited_already(&mut self, slots: &Slots, item: &Item, key: &Key, at: Span) {
        let Some(inherited) = slots.item(key) else { return };
        let name = inherited.names().iter().find(|name| Some(name.symbol) == key.name()).copied();
        let first = place_of(inherited, name);
        let report = self.again(item, key, at, first);
        self.diagnostics.push(report);
    }

    /// The report of something that is inherited and declared again.
    pub(super) fn again(&mut self, item: &Item, key: &Key, at: Span, first: Span) -> Diagnostic {
        self.clashes = true;
        let what = called(item, key, self.names);
        let named = matches!(key, Key::Value(_) | Key::Named(..));
        let verb = if named { "declared" } else { "written" };
        let what = if named { format!("the {what}") } else { what };
        let start = Span { end: item.span.start, ..item.span };
        let help = match key.name().filter(|_| named) {
            Some(name) => format!(
                "to change it, write `Override {} {}`; for another thing, take another name",
                item.keyword.name(),
                written(self.names.text(name))
            ),
            None => "to replace what is inherited, write `Override` before it".to_owned(),
        };
        Diagnostic::new(
            Code::InheritedAgain,
            format!("{what} is inherited from `{}`, and {verb} again", self.names.text(self.base.symbol)),
            at,
            format!("{verb} again here"),
        )
        .label(first, "inherited from here")
        .help(help)
        .fix(start, "Override ")
    }

    fn nothing_to_override(&mut self, item: &Item, key: &Key, name: Option<Name>, slots: &Slots) {
        if self.unsure || key.name().is_some_and(|name| self.is_lost(name)) {
            return;
        }
        let base = self.names.text(self.base.symbol).to_owned();
        let what = called(item, key, self.names);
        let at = place_of(item, name);
        let report = Diagnostic::new(
            Code::NothingToOverride,
            format!("`{}` inherits no {what} to override", self.names.text(self.derived.symbol)),
            at,
            "this is not inherited",
        )
        .label(self.extends, format!("it inherits from `{base}`"));
        let wrong = key.name().map(|name| self.names.text(name).to_owned());
        let near = wrong.as_ref().and_then(|wrong| self.near_key(key, wrong, slots));
        let report = match near {
            Some(near) if name.is_some() => {
                report.help(format!("did you mean `{near}`?")).fix(at, written(&near))
            }
            Some(near) => report.help(format!("did you mean `{near}`?")),
            None => report.help("remove `Override` to add it"),
        };
        self.diagnostics.push(report);
    }

    /// The inherited name nearest to a wrong one of its kind.
    fn near_key(&mut self, key: &Key, wrong: &str, slots: &Slots) -> Option<String> {
        let mut candidates: Vec<(usize, Symbol)> = slots
            .index
            .iter()
            .filter(|(other, _)| alike(key, other))
            .filter_map(|(other, places)| Some((*places.first()?, other.name()?)))
            .collect();
        if let Key::Named(Keyword::Animation, _) = key {
            candidates = self.animations.iter().map(|(name, (slot, _))| (*slot, *name)).collect();
        }
        candidates.sort_unstable();
        let outer = self.chain.iter().flat_map(|file| match key {
            Key::Value(_) => self.files.visible_consts(*file).map(|row| row.name.symbol).collect(),
            Key::Named(Keyword::Enum, _) => {
                self.files.visible_enums(*file).map(|row| row.name.symbol).collect::<Vec<Symbol>>()
            }
            _ => Vec::new(),
        });
        let names = &*self.names;
        let texts =
            candidates.iter().map(|(_, symbol)| *symbol).chain(outer).map(|symbol| names.text(symbol));
        self.nearest.find(wrong, texts).map(str::to_owned)
    }

    fn wrong_kind(&mut self, at: Span, first: Span, key: &Key, was: &str, is: &str) {
        let name = key.name().map_or_else(String::new, |name| self.names.text(name).to_owned());
        let report = Diagnostic::new(
            Code::OverrideKind,
            format!("`{name}` is inherited as a {was}, and overridden as a {is}"),
            at,
            format!("expected a {was}"),
        )
        .label(first, format!("inherited from here as a {was}"))
        .help("override it as what it is, or take another name");
        self.diagnostics.push(report);
    }

    fn reaction(&mut self, item: &Item) {
        let report = Diagnostic::new(
            Code::NothingToOverride,
            "a `When` has no name to find the inherited one by",
            item.keyword_span,
            "this cannot be overridden",
        )
        .help("remove `Override` to add a reaction; to change one, let its condition read a predicate, and override that");
        self.diagnostics.push(report);
    }

    /// Whether the name may be inherited from a part that could not be read.
    pub(super) fn is_lost(&self, name: Symbol) -> bool {
        self.unsure || self.chain.iter().any(|file| self.files.lost(*file, name))
    }
}

/// Whether two keys are of one kind, so that the name of one may be meant by the other.
fn alike(key: &Key, other: &Key) -> bool {
    match (key, other) {
        (Key::Named(keyword, _), Key::Named(other, _)) => keyword == other,
        (Key::List(keyword, _), Key::List(other, _)) => keyword == other,
        _ => std::mem::discriminant(key) == std::mem::discriminant(other),
    }
}

/// The items among nodes.
pub(super) fn items(nodes: &[Node]) -> impl Iterator<Item = &Item> {
    nodes.iter().filter_map(|node| if let Node::Item(item) = node { Some(item) } else { None })
}

/// Whether one keyword may override the other: they are the same, or two words for one thing.
fn same_kind(inherited: Keyword, item: Keyword, key: &Key) -> bool {
    inherited == item || !matches!(key, Key::Value(_) | Key::Named(..))
}

/// The item without `Override`, with these of its names where it has several.
pub(super) fn plain(item: &Item, names: &[Name]) -> Item {
    let mut item = item.clone();
    item.modifiers.remove(Modifier::Override);
    if let Some(block) = &mut item.block {
        stray::strip(&mut block.nodes);
    }
    if !names.is_empty() {
        for part in item.head.iter_mut() {
            if let Part::Names(all) = part {
                *all = Names::from(names);
            }
        }
    }
    item
}

fn inner_place(keyword: Keyword) -> Place {
    match keyword {
        Keyword::Layer => Place::Layer,
        Keyword::AnyState => Place::Transitions,
        _ => Place::State,
    }
}

/// The layer that a behavior without layers has.
fn layer_item(name: Name) -> Item {
    Item {
        keyword: Keyword::Layer,
        keyword_span: name.span,
        modifiers: Modifiers::default(),
        head: Head::One(Part::Names(Names::One(name))),
        block: None,
        span: name.span,
        doc: None,
    }
}

/// The names that a block overrides, removes or declares.
fn touched(written: &[Node]) -> HashSet<Symbol> {
    let mut touched = HashSet::default();
    for item in items(written) {
        touched.extend(item.names().iter().map(|name| name.symbol));
        touched.extend(item.path().and_then(|path| path.names.last()).map(|name| name.symbol));
        if item.keyword == Keyword::Layer {
            touched.extend(item.items().flat_map(Item::names).map(|name| name.symbol));
            let paths = item.items().filter_map(Item::path);
            touched.extend(paths.filter_map(|path| path.names.last()).map(|name| name.symbol));
        }
    }
    touched
}

/// Writes declarations of several names, some of which are to change, as several declarations.
fn split(nodes: &mut Vec<Node>, touched: &HashSet<Symbol>) {
    let mut result = Vec::with_capacity(nodes.len());
    for node in nodes.drain(..) {
        let Node::Item(mut item) = node else {
            result.push(node);
            continue;
        };
        if item.keyword == Keyword::Layer
            && let Some(block) = &mut item.block
        {
            split(&mut block.nodes, touched);
        }
        let several = matches!(item.keyword, Keyword::Param | Keyword::Animation) && item.names().len() > 1;
        if !several || !item.names().iter().any(|name| touched.contains(&name.symbol)) {
            result.push(Node::Item(item));
            continue;
        }
        let mut run: Vec<Name> = Vec::new();
        for name in item.names().to_vec() {
            if touched.contains(&name.symbol) {
                if !run.is_empty() {
                    result.push(Node::Item(plain(&item, &run)));
                    run.clear();
                }
                result.push(Node::Item(plain(&item, &[name])));
            } else {
                run.push(name);
            }
        }
        if !run.is_empty() {
            result.push(Node::Item(plain(&item, &run)));
        }
    }
    *nodes = result;
}
