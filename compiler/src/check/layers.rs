//! Masks and layers: their order in the stack, weights, speeds.

use crate::hash::HashMap;

use motix_vm::ids::MaskId;

use crate::ast::{Item, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Ty};
use crate::resolve::{Space, saturate};
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, Seen, Site};
use super::units::{MOST_WHOLE, Range};
use super::unknown::Kind;

impl<'a> Checker<'a, '_> {
    pub(super) fn check_masks(&mut self) {
        for row in self.known.scope.masks.clone() {
            let mut mask = hir::Mask {
                name: self.declared(row.item, row.name),
                include: Vec::new(),
                exclude: Vec::new(),
            };
            for item in row.item.items() {
                let list =
                    if item.keyword == Keyword::Exclude { &mut mask.exclude } else { &mut mask.include };
                list.extend(item.texts().iter().map(|text| text.symbol));
                self.check_patterns(item);
            }
            let unread = row.item.block.is_none()
                || row.item.nodes().iter().any(|node| matches!(node, Node::Error(_)));
            if mask.include.is_empty() && !unread {
                let report = Diagnostic::new(
                    Code::MaskMatchesNothing,
                    format!("the mask `{}` includes nothing", self.text(row.name.symbol)),
                    row.name.span,
                    "expected an `Include` in it",
                );
                self.report(if mask.exclude.is_empty() {
                    report.help("write what it is of, such as `Include \"Spine*\"`")
                } else {
                    report.help("for everything but what is excluded, write `Include \"*\"`")
                });
            }
            self.known.hir.masks.push(mask);
        }
    }

    /// Reports patterns that match no name.
    fn check_patterns(&mut self, item: &Item) {
        for pattern in item.texts() {
            if self.text(pattern.symbol).is_empty() {
                let report = Diagnostic::new(
                    Code::MaskMatchesNothing,
                    "an empty pattern matches nothing",
                    pattern.span,
                    "expected a name, with `*` and `?` where it may differ",
                );
                self.report(report.help("for everything, write `\"*\"`").fix(pattern.span, "\"*\""));
            }
        }
    }

    /// Reports masks that no layer uses.
    pub(super) fn check_mask_use(&mut self) {
        // A layer that names none of them may mean any of them, which was reported.
        let layers = self.known.scope.layers.iter().filter_map(|row| row.item).flat_map(Item::items);
        let mut named = layers.filter(|item| item.keyword == Keyword::MaskOf).filter_map(Item::name);
        if named.any(|name| !self.known.scope.mask_index.contains_key(&name.symbol)) {
            return;
        }
        for (index, row) in self.known.scope.masks.clone().into_iter().enumerate() {
            let used = self
                .known
                .hir
                .layers
                .iter()
                .any(|layer| layer.mask.is_some_and(|mask| mask.index() == index));
            let word = self.text(row.name.symbol).to_owned();
            let again = self.known.scope.mask_index.get(&row.name.symbol) != Some(&index);
            if !used && !again && !word.starts_with('_') {
                let report = Diagnostic::new(
                    Code::MaskUnused,
                    format!("no layer uses the mask `{word}`"),
                    row.name.span,
                    "declared here",
                );
                let written = self.written(row.name.symbol);
                self.report(report.help(format!("write `Mask {written}` in a layer, or remove it")));
            }
        }
    }

    /// Gives each layer its order and numbers layers, machines and states by it.
    pub(super) fn number_layers(&mut self) {
        let rows = self.known.scope.layers.clone();
        let mut orders: Vec<i32> = Vec::with_capacity(rows.len());
        let mut taken: HashMap<i32, Span> = HashMap::default();
        for row in &rows {
            let written = row.item.and_then(|item| item.items().find(|item| item.keyword == Keyword::Order));
            let next = orders.last().map_or(0, |last| last.saturating_add(1));
            let value = written.and_then(Item::value);
            let order =
                value.and_then(|value| self.whole(value, "`Order`", -MOST_WHOLE, MOST_WHOLE)).unwrap_or(next);
            let span = written.map_or(row.name.span, |item| item.span);
            if let Some(first) = taken.get(&order).copied() {
                if self.is_declared_twice(Space::Layer, row.name.symbol) {
                    orders.push(order);
                    continue;
                }
                let mut report = Diagnostic::new(
                    Code::OrderTaken,
                    format!("two layers have the order {order}"),
                    span,
                    if written.is_some() {
                        "this order is taken"
                    } else {
                        "its order, one more than the layer before it"
                    },
                )
                .label(first, "by this one");
                report =
                    report.help("give each layer an `Order` of its own; a higher one overrides a lower one");
                self.report(report);
            } else {
                taken.insert(order, span);
            }
            orders.push(order);
        }
        let mut sorted: Vec<usize> = (0..rows.len()).collect();
        sorted.sort_by_key(|index| (orders[*index], *index));
        self.known.scope.number(&sorted);
        for index in sorted {
            let row = rows[index];
            let doc = row.item.and_then(|item| item.doc);
            self.known.hir.layers.push(hir::Layer {
                name: hir::Declared { symbol: row.name.symbol, span: row.name.span, doc },
                order: orders[index],
                base_weight: 1.0,
                lerp_rate: 8.0,
                additive: false,
                mask: None,
                weight: None,
                speed: None,
            });
        }
    }

    pub(super) fn check_layers(&mut self) {
        for (index, row) in self.known.scope.layers.clone().into_iter().enumerate() {
            if let Some(item) = row.item {
                self.layer_properties(index, item);
            }
        }
    }

    fn layer_properties(&mut self, index: usize, item: &'a Item) {
        let id = self.known.scope.layer_ids[index];
        let machine = self.known.scope.state_names.machine_of(self.known.scope.layers[index].name.symbol);
        let site = Site::condition(machine);
        let mut seen = Seen::default();
        for property in item.items() {
            let is_property = matches!(
                property.keyword,
                Keyword::Order
                    | Keyword::BaseWeight
                    | Keyword::LerpRate
                    | Keyword::Blend
                    | Keyword::MaskOf
                    | Keyword::Weight
                    | Keyword::Speed
            );
            if !is_property || !self.once(&mut seen, property) {
                continue;
            }
            let value = property.value();
            match (property.keyword, value) {
                (Keyword::BaseWeight, Some(value)) => {
                    if let Some(weight) = self.number(value, "`BaseWeight`", Range::Share) {
                        self.known.hir.layers[id.index()].base_weight = weight;
                    }
                }
                (Keyword::LerpRate, Some(value)) => {
                    if let Some(rate) = self.rate(value, "`LerpRate`") {
                        self.known.hir.layers[id.index()].lerp_rate = rate;
                    }
                }
                (Keyword::Blend, Some(value)) => {
                    let choice = self.choice(value, "`Blend`", &["override", "additive"]);
                    self.known.hir.layers[id.index()].additive = choice == Some(1);
                }
                (Keyword::Weight, Some(value)) => {
                    let weight = self.typed(value, Ty::Number, "`Weight`", site);
                    self.known.hir.layers[id.index()].weight = Some(weight);
                }
                (Keyword::Speed, Some(value)) => {
                    let speed = self.typed(value, Ty::Number, "`Speed`", site);
                    self.known.hir.layers[id.index()].speed = Some(speed);
                }
                (Keyword::MaskOf, _) => {
                    let Some(name) = property.name() else { continue };
                    match self.known.scope.mask_index.get(&name.symbol).copied() {
                        Some(mask) => self.known.hir.layers[id.index()].mask = Some(MaskId(saturate(mask))),
                        None => self.unknown(Kind::Mask, name),
                    }
                }
                _ => {}
            }
        }
    }
}
