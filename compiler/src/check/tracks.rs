//! Tracks and `Rest`: keys in their order, one type a property, one track a property in an animation.

use crate::hash::HashMap;

use motix_vm::easing::Easing;
use motix_vm::ids::PropertyId;
use motix_vm::program::tables::Place;

use crate::ast::{self, Entry, EntryKey, EntryValue, Item, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Literal, Ty};
use crate::intern::Symbol;
use crate::resolve::saturate;
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, Seen, Site};
use super::expr::Want;
use super::limits::ROWS;
use super::units::{Unit, percent, shorten};

/// A key as it was written.
struct Written {
    place: Place,
    span: Span,
    value: Option<Literal>,
    easing: Easing,
}

impl<'a> Checker<'a, '_> {
    /// The `Rest`s of a behavior: the first properties.
    pub(super) fn check_rests(&mut self, behavior: &'a Item) {
        for item in behavior.items().filter(|item| item.keyword == Keyword::Rest) {
            let head = self.property_head(item);
            if let Some((target, name, _)) = head {
                self.known.rests.insert((target, name));
            }
            let value =
                item.assigned().and_then(|value| Some((self.track_value(value, "`Rest`")?, value.span)));
            let (Some(value), Some(head)) = (value, head) else { continue };
            let Some(id) = self.property_id(head, value) else { continue };
            let row = &mut self.known.hir.properties[id.index()];
            match row.rest {
                None => row.rest = Some((value.0, item.span)),
                Some((_, first)) => {
                    let text = self.property_text(id);
                    let report = Diagnostic::new(
                        Code::TrackTwice,
                        format!("{text} has two `Rest` values"),
                        item.span,
                        "declared again here",
                    );
                    self.report(report.label(first, "first declared here").help("keep one of them"));
                }
            }
        }
    }

    /// Target and name of a `Rest` or `Track`, and where they stand.
    fn property_head(&mut self, item: &Item) -> Option<(Symbol, Symbol, Span)> {
        let (target, name) = (item.texts().first()?, item.name()?);
        if self.text(target.symbol).is_empty() {
            let report = Diagnostic::new(
                Code::TrackEmpty,
                format!("this `{}` has no target", item.keyword.name()),
                target.span,
                "expected the name of an object of the host",
            );
            self.report(report);
            return None;
        }
        Some((target.symbol, name.symbol, target.span.to(name.span)))
    }

    /// A number or a color that is known when compiling.
    fn track_value(&mut self, value: &ast::Expr, what: &str) -> Option<Literal> {
        let typed = self.expr(value, Want::ANY, Site::CONSTANT);
        if !matches!(typed.ty, Ty::Number | Ty::Color | Ty::Error) {
            let found = self.ty_text(typed.ty);
            let report = Diagnostic::new(
                Code::TypeMismatch,
                format!("{what} is a number or a color, and this is {found}"),
                value.span,
                "expected a number or a color",
            );
            let report = match typed.kind {
                hir::ExprKind::Literal(Literal::Bool(on)) => {
                    report.help(format!("write `{}`", if on { 1 } else { 0 }))
                }
                _ => report,
            };
            self.report(report);
            return None;
        }
        let literal = self.fold_reported(&typed, what)?;
        if let (Literal::Number(number), Unit::Seconds) = (literal, self.unit_of(value)) {
            let report = Diagnostic::new(
                Code::WrongUnit,
                format!("{what} is not a duration"),
                value.span,
                "expected a number or a color",
            );
            self.report(report.help(format!("write `{number}`")).fix(value.span, number.to_string()));
            return None;
        }
        Some(literal)
    }

    /// The property of that target and name, with a value of it that decides its type, or must be of it.
    fn property_id(
        &mut self,
        (target, name, span): (Symbol, Symbol, Span),
        (value, value_span): (Literal, Span),
    ) -> Option<PropertyId> {
        let ty = if matches!(value, Literal::Color(_)) { Ty::Color } else { Ty::Number };
        if let Some(id) = self.known.properties.get(&(target, name)).copied() {
            return self.same_type(id, ty, value_span).then_some(id);
        }
        // One more than there can be, so that it is seen that there are too many.
        let count = self.known.hir.properties.len();
        if count > ROWS {
            return None;
        }
        let id = PropertyId(saturate(count));
        self.known.properties.insert((target, name), id);
        let row = hir::Property { target, name, ty, span, typed: value_span, rest: None };
        self.known.hir.properties.push(row);
        Some(id)
    }

    fn same_type(&mut self, id: PropertyId, ty: Ty, span: Span) -> bool {
        let Some(row) = self.known.hir.properties.get(id.index()) else { return false };
        let (known, typed) = (row.ty, row.typed);
        if known == ty {
            return true;
        }
        if !self.known.mistyped.insert(id) {
            return false;
        }
        let (is, was) = (self.ty_text(ty), self.ty_text(known));
        let report = Diagnostic::new(
            Code::PropertyType,
            format!("{} is {was} in one place and {is} in another", self.property_text(id)),
            span,
            format!("this is {is}"),
        )
        .label(typed, format!("this is {was}"))
        .help("a property is a number everywhere, or a color everywhere");
        self.report(report);
        false
    }

    /// A property as messages show it.
    pub(super) fn property_text(&self, id: PropertyId) -> String {
        self.known.hir.properties.get(id.index()).map_or_else(String::new, |row| {
            format!("`{}` of `{}`", self.text(row.name), self.text(row.target))
        })
    }

    pub(super) fn check_tracks(&mut self, animation: &mut hir::Animation, item: &'a Item) {
        let mut first: HashMap<PropertyId, Span> = HashMap::default();
        for track in item.items().filter(|inner| inner.keyword == Keyword::Track) {
            let Some(head) = self.property_head(track) else { continue };
            self.known.tracked.insert((head.0, head.1));
            let (mut keys, mut id, mut whole) = (Vec::new(), None, true);
            for node in track.nodes() {
                let Node::Entry(entry) = node else {
                    whole = false;
                    continue;
                };
                let Some(key) = self.key(entry, animation.duration) else {
                    whole = false;
                    continue;
                };
                if let (Some(value), EntryValue::Value(expr)) = (key.value, &entry.value) {
                    id = self.property_id(head, (value, expr.span)).or(id);
                }
                keys.push(key);
            }
            let Some(id) = id else {
                if whole && keys.is_empty() {
                    let report = Diagnostic::new(
                        Code::TrackEmpty,
                        "this `Track` has no keys",
                        track.span,
                        "expected `time: value` in its block",
                    );
                    self.report(report.help("write a key, such as `0%: 1.0`"));
                }
                continue;
            };
            if let Some(first) = first.get(&id).copied() {
                let text = self.property_text(id);
                let report = Diagnostic::new(
                    Code::TrackTwice,
                    format!("{text} has two tracks in this animation"),
                    head.2,
                    "a second track of it",
                );
                self.report(report.label(first, "the first").help("put the keys of both into one track"));
                continue;
            }
            first.insert(id, head.2);
            if let Some((seconds, keys)) = self.ordered(&keys, animation.duration) {
                animation.tracks.push(hir::Track { property: id, seconds, keys, span: head.2 });
            }
        }
    }

    fn key(&mut self, entry: &Entry, duration: Option<f32>) -> Option<Written> {
        let EntryKey::Value(at) = &entry.key else { return None };
        let EntryValue::Value(value) = &entry.value else { return None };
        let place = self.place_within(at, "the key", duration);
        let value = self.track_value(value, "the value of a key");
        let mut easing = Easing::Linear;
        let mut seen = Seen::default();
        for node in entry.block.iter().flat_map(|block| &block.nodes) {
            let Node::Item(option) = node else { continue };
            if option.keyword == Keyword::Easing
                && self.once(&mut seen, option)
                && let Some(curve) = option.value()
            {
                easing = self.easing(curve).unwrap_or(easing);
            }
        }
        Some(Written { place: place?, span: at.span, value, easing })
    }

    /// The keys with places of one kind, and whether that is seconds; `None` where they do not ascend.
    fn ordered(&mut self, keys: &[Written], duration: Option<f32>) -> Option<(bool, Vec<hir::Key>)> {
        let is_seconds = |key: &Written| matches!(key.place, Place::Seconds(_));
        let first = keys.first()?;
        let other = keys.iter().find(|key| is_seconds(key) != is_seconds(first));
        if let (Some(other), None) = (other, duration) {
            let report = Diagnostic::new(
                Code::KeyUnits,
                "which of these keys comes first is not known",
                other.span,
                if is_seconds(other) { "this is a time" } else { "this is a share of the clip" },
            )
            .label(
                first.span,
                if is_seconds(first) { "this is a time" } else { "this is a share of the clip" },
            )
            .help("give the animation a `Duration`, or write all keys of the track in one unit");
            self.report(report);
            return None;
        }
        let seconds = other.is_none() && is_seconds(first);
        let place = |key: &Written| match (key.place, duration) {
            (Place::Ratio(at), _) => at,
            (Place::Seconds(at), Some(duration)) if !seconds => {
                if duration > 0.0 {
                    at / duration
                } else {
                    0.0
                }
            }
            (Place::Seconds(at), _) => at,
        };
        for pair in keys.windows(2) {
            let (before, after) = (&pair[0], &pair[1]);
            if place(before) < place(after) {
                continue;
            }
            let (early, late) = (place_text(before.place), place_text(after.place));
            let same = place(before) == place(after);
            let report = Diagnostic::new(
                Code::KeyOrder,
                if same {
                    format!("two keys stand at {late}")
                } else {
                    format!("the key at {late} stands after the one at {early}")
                },
                after.span,
                format!("expected a place after {early}"),
            )
            .label(before.span, "the key before it")
            .help(if same {
                "keep one of them; for a jump, write `{ Easing steps(1) }` behind the key before"
            } else {
                "write the keys in order of time"
            });
            self.report(report);
            return None;
        }
        let keys = keys.iter().map(|key| {
            let value = key.value?;
            Some(hir::Key { at: place(key), value, easing: key.easing })
        });
        Some((seconds, keys.collect::<Option<Vec<_>>>()?))
    }
}

fn place_text(place: Place) -> String {
    match place {
        Place::Ratio(share) => percent(share),
        Place::Seconds(seconds) => format!("{}s", shorten(seconds)),
    }
}
