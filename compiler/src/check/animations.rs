//! Animations: properties with their defaults, markers, spans, metadata.

use crate::hash::{HashMap, HashSet};

use motix_vm::ids::{AnimationId, LayerId, SpanId};
use motix_vm::program::tables::{LoopMode, Place};

use crate::ast::{self, Item, Node, Part};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Literal};
use crate::intern::Symbol;
use crate::resolve::{Anim, duplicate, saturate};
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, Seen, Site};
use super::expr::Want;
use super::units::{Range, percent, shorten};

impl<'a> Checker<'a, '_> {
    pub(super) fn check_animations(&mut self) {
        let groups = self.known.scope.groups.iter();
        let groups = groups.map(|group| hir::Declared { symbol: group.symbol, span: group.span, doc: None });
        self.known.hir.groups = groups.collect();
        self.known.hir.tags.clone_from(&self.known.scope.tags);
        // The names of one declaration share its properties and its messages.
        let mut last: Option<&'a Item> = None;
        for (index, row) in self.known.scope.animations.clone().into_iter().enumerate() {
            let id = AnimationId(saturate(index));
            let again = last.is_some_and(|item| std::ptr::eq(item, row.item));
            let animation = if again { self.same_again(row, id) } else { self.animation_row(row, id) };
            self.known.hir.animations.push(animation);
            last = Some(row.item);
        }
        self.layer_missed = vec![None; self.known.hir.animations.len()];
    }

    /// Another name of the declaration before: a copy with spans of its own.
    fn same_again(&mut self, row: Anim<'a>, id: AnimationId) -> hir::Animation {
        let before = self.known.hir.animations[self.known.hir.animations.len() - 1].clone();
        self.layer_known.push(self.layer_known[self.layer_known.len() - 1]);
        let start = self.known.hir.spans.len();
        for index in before.spans.start as usize..before.spans.end as usize {
            let span = hir::AnimationSpan { animation: id, ..self.known.hir.spans[index].clone() };
            self.known.spans.insert((id, span.name.symbol), SpanId(saturate(self.known.hir.spans.len())));
            self.known.hir.spans.push(span);
        }
        for (marker, _) in &before.markers {
            self.known.markers.insert((id, marker.symbol));
        }
        let has_asset = row.item.items().any(|item| item.keyword == Keyword::AssetId);
        hir::Animation {
            name: self.declared(row.item, row.name),
            asset: if has_asset { before.asset } else { row.name.symbol },
            spans: start as u32..self.known.hir.spans.len() as u32,
            ..before
        }
    }

    fn animation_row(&mut self, row: Anim<'a>, id: AnimationId) -> hir::Animation {
        let item = row.item;
        let own_layer = row.layer.and_then(|layer| self.known.scope.layer_ids.get(layer).copied());
        self.layer_known.push(own_layer.is_some() || self.known.scope.layers.len() == 1);
        let start = self.known.hir.spans.len() as u32;
        let mut animation = hir::Animation {
            name: self.declared(item, row.name),
            asset: row.name.symbol,
            duration: None,
            layer: own_layer.unwrap_or(LayerId(0)),
            group: None,
            loop_mode: LoopMode::None,
            priority: 0,
            fade_in: 0.1,
            fade_out: 0.1,
            speed: 1.0,
            weight: 1.0,
            can_interrupt: true,
            min_duration: 0.0,
            additive: false,
            tags: Vec::new(),
            markers: Vec::new(),
            spans: start..start,
            metadata: Vec::new(),
            tracks: Vec::new(),
        };
        let mut seen = Seen::default();
        let mut looped: Option<Span> = None;
        for property in item.items() {
            let repeats = matches!(
                property.keyword,
                Keyword::Marker | Keyword::Span | Keyword::Tags | Keyword::Metadata | Keyword::Track
            );
            if !repeats && !self.once(&mut seen, property) {
                continue;
            }
            if matches!(property.keyword, Keyword::Looped | Keyword::Loop) {
                if let Some(first) = looped {
                    let report = Diagnostic::new(
                        Code::PropertyTwice,
                        "`Looped` and `Loop` say the same thing",
                        property.span,
                        "said again here",
                    );
                    self.report(report.label(first, "first said here").help("keep one of them"));
                    continue;
                }
                looped = Some(property.span);
            }
            self.animation_property(&mut animation, property);
        }
        self.check_marks(&mut animation, item, id);
        self.check_tracks(&mut animation, item);
        animation.spans.end = self.known.hir.spans.len() as u32;
        animation
    }

    fn animation_property(&mut self, animation: &mut hir::Animation, property: &'a Item) {
        let keyword = property.keyword;
        match keyword {
            Keyword::Looped => {
                animation.loop_mode = if self.flag(property) { LoopMode::Loop } else { LoopMode::None };
                return;
            }
            Keyword::CanInterrupt => {
                animation.can_interrupt = self.flag(property);
                return;
            }
            Keyword::Additive => {
                animation.additive = self.flag(property);
                return;
            }
            Keyword::LayerOf => {
                let found = property.name().and_then(|name| self.layer(name));
                // A wrong name was reported; which layer it is does not matter any more.
                if let Some(known) = self.layer_known.last_mut() {
                    *known = true;
                }
                animation.layer = found.unwrap_or(animation.layer);
                return;
            }
            Keyword::Group => {
                let name = property.name();
                animation.group =
                    name.and_then(|name| self.known.scope.group_index.get(&name.symbol).copied());
                return;
            }
            Keyword::Tags => {
                let mut first: HashMap<Symbol, Span> = HashMap::default();
                for tag in property.names() {
                    if let Some(before) = first.insert(tag.symbol, tag.span) {
                        let report = duplicate("tag", self.names.text(tag.symbol), before, tag.span);
                        self.report(report);
                    } else if let Some(id) = self.known.scope.tag_index.get(&tag.symbol)
                        && !animation.tags.contains(id)
                    {
                        animation.tags.push(*id);
                    }
                }
                return;
            }
            Keyword::Metadata => {
                self.metadata(animation, property);
                return;
            }
            _ => {}
        }
        let Some(value) = property.value() else { return };
        match keyword {
            Keyword::AssetId => {
                animation.asset = self.constant_text(value, "`AssetId`").unwrap_or(animation.asset);
            }
            Keyword::Duration => animation.duration = self.duration(value, "`Duration`"),
            Keyword::Loop => animation.loop_mode = self.loop_mode(property, value),
            Keyword::Priority => animation.priority = self.priority(value).unwrap_or(0),
            Keyword::FadeIn => animation.fade_in = self.fade(value, "`FadeIn`").unwrap_or(0.1),
            Keyword::FadeOut => animation.fade_out = self.fade(value, "`FadeOut`").unwrap_or(0.1),
            Keyword::MinDuration => {
                animation.min_duration = self.duration(value, "`MinDuration`").unwrap_or(0.0)
            }
            Keyword::Speed => animation.speed = self.number(value, "`Speed`", Range::Any).unwrap_or(1.0),
            Keyword::Weight => {
                animation.weight = self.number(value, "`Weight`", Range::PositiveShare).unwrap_or(1.0)
            }
            _ => {}
        }
    }

    fn loop_mode(&mut self, property: &Item, value: &ast::Expr) -> LoopMode {
        if let ast::ExprKind::Bool(looped) = value.kind {
            let report = Diagnostic::new(
                Code::UnknownChoice,
                format!("`Loop` cannot be `{looped}`"),
                value.span,
                "expected `none`, `loop` or `pingPong`",
            );
            let mended = if looped { "Looped" } else { "Loop none" };
            self.report(report.help(format!("write `{mended}`")).fix(property.span, mended));
            return if looped { LoopMode::Loop } else { LoopMode::None };
        }
        match self.choice(value, "`Loop`", &["none", "loop", "pingPong"]) {
            Some(1) => LoopMode::Loop,
            Some(2) => LoopMode::PingPong,
            _ => LoopMode::None,
        }
    }

    fn metadata(&mut self, animation: &mut hir::Animation, block: &Item) {
        let mut seen: HashMap<Symbol, Span> = HashMap::default();
        for node in block.nodes() {
            let Node::Field(key, value) = node else { continue };
            if let Some(first) = seen.insert(key.symbol, key.span) {
                let report = duplicate("key", self.names.text(key.symbol), first, key.span);
                self.report(report);
                continue;
            }
            let typed = self.expr(value, Want::ANY, Site::CONSTANT);
            if let Some(
                literal @ (Literal::Number(_) | Literal::Text(_) | Literal::Bool(_) | Literal::Color(_)),
            ) = self.fold_reported(&typed, "metadata")
            {
                animation.metadata.push((key.symbol, literal));
            }
        }
    }

    fn check_marks(&mut self, animation: &mut hir::Animation, item: &'a Item, id: AnimationId) {
        let duration = animation.duration;
        let mut marker_names: HashMap<Symbol, Span> = HashMap::default();
        let mut span_names: HashMap<Symbol, Span> = HashMap::default();
        for mark in item.items() {
            let Some(name) = mark.name() else { continue };
            let word = self.text(name.symbol).to_owned();
            match mark.keyword {
                Keyword::Marker => {
                    if let Some(first) = marker_names.insert(name.symbol, name.span) {
                        let report = duplicate("marker", &word, first, name.span);
                        self.report(report);
                    }
                    self.known.markers.insert((id, name.symbol));
                    let at = mark
                        .head
                        .iter()
                        .find_map(|part| if let Part::At(at) = part { Some(at) } else { None });
                    let place =
                        at.and_then(|at| self.place_within(at, &format!("the marker `{word}`"), duration));
                    // One whose place is wrong is there all the same for who waits for it.
                    let place = place.unwrap_or(Place::Ratio(0.0));
                    animation.markers.push((self.declared(mark, name), place));
                }
                Keyword::Span => {
                    if let Some(first) = span_names.insert(name.symbol, name.span) {
                        let report = duplicate("span", &word, first, name.span);
                        self.report(report);
                    }
                    let mut ends = (None, None);
                    for part in mark.head.iter() {
                        match part {
                            Part::From(from) => ends.0 = Some(from),
                            Part::To(to) => ends.1 = Some(to),
                            _ => {}
                        }
                    }
                    let (Some(from), Some(to)) = ends else {
                        // What is missing was reported; the span is there for whoever asks for it.
                        let index = SpanId(saturate(self.known.hir.spans.len()));
                        self.known.spans.entry((id, name.symbol)).or_insert(index);
                        self.push_span(mark, name, id, Place::Ratio(0.0), Place::Ratio(1.0));
                        continue;
                    };
                    let what = format!("the span `{word}`");
                    let first = self.place_within(from, &what, duration);
                    let last = self.place_within(to, &what, duration);
                    let index = SpanId(saturate(self.known.hir.spans.len()));
                    self.known.spans.entry((id, name.symbol)).or_insert(index);
                    let (Some(first), Some(last)) = (first, last) else {
                        self.push_span(mark, name, id, Place::Ratio(0.0), Place::Ratio(1.0));
                        continue;
                    };
                    self.check_direction(first, last, duration, &word, from.span, to.span);
                    self.push_span(mark, name, id, first, last);
                }
                _ => {}
            }
        }
    }

    fn push_span(&mut self, mark: &Item, name: ast::Name, animation: AnimationId, from: Place, to: Place) {
        let name = self.declared(mark, name);
        self.known.hir.spans.push(hir::AnimationSpan { name, animation, from, to });
    }

    /// A place that is inside the clip, where its length is known.
    pub(super) fn place_within(
        &mut self,
        expr: &ast::Expr,
        what: &str,
        duration: Option<f32>,
    ) -> Option<Place> {
        let place = self.place(expr, what)?;
        if let (Place::Seconds(at), Some(duration)) = (place, duration)
            && at > duration
        {
            let report = Diagnostic::new(
                Code::PlaceOutside,
                format!("{what} is at {}s, after the clip's end", shorten(at)),
                expr.span,
                format!("the clip is {}s long", shorten(duration)),
            );
            self.report(report);
            return None;
        }
        Some(place)
    }

    fn check_direction(
        &mut self,
        from: Place,
        to: Place,
        duration: Option<f32>,
        word: &str,
        from_span: Span,
        to_span: Span,
    ) {
        let seconds = |place: Place| match (place, duration) {
            (Place::Seconds(seconds), _) => Some(seconds),
            (Place::Ratio(share), Some(duration)) => Some(share * duration),
            (Place::Ratio(_), None) => None,
        };
        let ends = match (from, to) {
            (Place::Ratio(from), Place::Ratio(to)) => Some((from, to)),
            _ => seconds(from).zip(seconds(to)),
        };
        let Some((first, last)) = ends else { return };
        if first < last {
            return;
        }
        let text = |place: Place| match place {
            Place::Ratio(share) => percent(share),
            Place::Seconds(seconds) => format!("{}s", shorten(seconds)),
        };
        let report = Diagnostic::new(
            Code::SpanBackwards,
            format!("the span `{word}` ends at {}, and begins at {}", text(to), text(from)),
            to_span,
            "expected a place after its beginning",
        )
        .label(from_span, "it begins here");
        let report = if first > last {
            report.help(format!("exchange them: `from {} to {}`", text(to), text(from)))
        } else {
            report.help("for a single moment, use a `Marker`")
        };
        self.report(report);
    }

    /// Reports animations that are played where nothing says in which layer.
    pub(super) fn check_missing_layers(&mut self) {
        let layers: Vec<Symbol> = self.known.hir.layers.iter().map(|layer| layer.name.symbol).collect();
        let mut told: HashSet<*const Item> = HashSet::default();
        for index in 0..self.layer_known.len() {
            if self.layer_known[index] {
                continue;
            }
            let tags = self.known.hir.animations[index].tags.clone();
            let by_tag = tags.iter().find_map(|tag| self.tags_played.get(tag).copied());
            let Some(played) = self.layer_missed[index].or(by_tag) else { continue };
            let row = self.known.scope.animations[index];
            if !told.insert(std::ptr::from_ref(row.item)) {
                continue;
            }
            let choices = self.choices(layers.iter().copied(), "or");
            let word = self.text(row.name.symbol).to_owned();
            let first = layers.first().map_or_else(String::new, |symbol| self.written(*symbol));
            let report = Diagnostic::new(
                Code::LayerMissing,
                format!("nothing says in which layer `{word}` plays"),
                row.name.span,
                format!("expected a `Layer` in it: {choices}"),
            )
            .label(played, "it is played here")
            .help(format!("write `Layer {first}` in the animation"));
            self.report(report);
        }
    }

    /// Remembers that an action plays the animation.
    pub(super) fn plays(&mut self, animation: AnimationId, span: Span) {
        if let Some(first) = self.layer_missed.get_mut(animation.index()) {
            first.get_or_insert(span);
        }
    }
}
