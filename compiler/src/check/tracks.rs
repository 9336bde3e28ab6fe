//! Tracks and `Rest`: keys in their order, one type a property, one track a property in an animation.

use motix_vm::easing::Easing;
use motix_vm::ids::{MotionId, PropertyId, StateId};
use motix_vm::program::tables::Place;

use crate::ast::{self, Entry, EntryKey, EntryValue, ExprKind, Item, Name, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, BlendBy, Literal, MotionKind, Ty};
use crate::intern::Symbol;
use crate::resolve::saturate;
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, Seen, Site};
use super::expr::{Want, bare, error, make};
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
            if self.refuse(item) {
                continue;
            }
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
        let id = PropertyId(saturate(self.known.hir.properties.len()));
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
    fn property_text(&self, id: PropertyId) -> String {
        self.known.hir.properties.get(id.index()).map_or_else(String::new, |row| {
            format!("`{}` of `{}`", self.text(row.name), self.text(row.target))
        })
    }

    pub(super) fn check_tracks(&mut self, animation: &mut hir::Animation, item: &'a Item) {
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
            let first = animation.tracks.iter().find(|other| other.property == id).map(|other| other.span);
            if let Some(first) = first {
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

    /// `value("target", property)` in a test.
    pub(super) fn property_value(&mut self, name: Name, arguments: &[ast::Expr], span: Span) -> hir::Expr {
        let [target, property] = arguments else {
            self.count(name, "two: `value(\"target\", property)`", arguments.len(), span);
            return error(span);
        };
        let wrong = |this: &mut Self, at: &ast::Expr, label: &str, mended: Option<String>| {
            let report = Diagnostic::new(
                Code::ArgumentType,
                "`value` takes a target in quotes and the name of a property",
                at.span,
                label,
            );
            this.report(match mended {
                Some(mended) => report.help(format!("write `{mended}`")).fix(at.span, mended),
                None => report.help("write `value(\"target\", property)`"),
            });
            error(span)
        };
        let target_symbol = match &bare(target).kind {
            ExprKind::Text(text) => *text,
            ExprKind::Error => return error(span),
            ExprKind::Path(path) if path.names.len() == 1 => {
                let mended = format!("\"{}\"", self.text(path.names[0].symbol));
                return wrong(self, target, "expected a target in quotes", Some(mended));
            }
            _ => return wrong(self, target, "expected a target in quotes", None),
        };
        let property_name = match &bare(property).kind {
            ExprKind::Path(path) if path.names.len() == 1 => path.names[0],
            ExprKind::Error => return error(span),
            ExprKind::Text(text) => {
                let mended = self.written(*text);
                return wrong(self, property, "expected a name without quotes", Some(mended));
            }
            _ => return wrong(self, property, "expected the name of a property", None),
        };
        match self.known.properties.get(&(target_symbol, property_name.symbol)).copied() {
            Some(id) => {
                let ty = self.known.hir.properties[id.index()].ty;
                make(hir::ExprKind::Property(id), ty, span)
            }
            None => {
                self.unknown_property((target_symbol, target.span), property_name);
                error(span)
            }
        }
    }

    fn unknown_property(&mut self, (target, target_span): (Symbol, Span), name: Name) {
        if self.known.tracked.contains(&(target, name.symbol))
            || self.known.rests.contains(&(target, name.symbol))
        {
            return;
        }
        let rows = &self.known.hir.properties;
        let of_target: Vec<Symbol> =
            rows.iter().filter(|row| row.target == target).map(|row| row.name).collect();
        let target_text = self.text(target).to_owned();
        let report = if of_target.is_empty() {
            let mut targets: Vec<Symbol> = Vec::new();
            for row in rows {
                if !targets.contains(&row.target) && targets.len() < super::unknown::FEW {
                    targets.push(row.target);
                }
            }
            let near = self.nearest_of(&target_text, targets.iter().copied());
            let report = Diagnostic::new(
                Code::UnknownProperty,
                format!("no track is of `{target_text}`"),
                target_span,
                "expected the target of a track",
            );
            match near {
                Some(near) => {
                    let mended = format!("\"{near}\"");
                    report.help(format!("did you mean `{mended}`?")).fix(target_span, mended)
                }
                None if targets.is_empty() => report,
                None => report.help(format!("there are tracks of {}", self.choices(targets, "and"))),
            }
        } else {
            let word = self.text(name.symbol).to_owned();
            let near = self.nearest_of(&word, of_target.iter().copied());
            let report = Diagnostic::new(
                Code::UnknownProperty,
                format!("no track is of `{word}` of `{target_text}`"),
                name.span,
                "expected a property that a track animates",
            );
            match near {
                Some(near) => {
                    let mended = super::context::written(&near);
                    report.help(format!("did you mean `{near}`?")).fix(name.span, mended)
                }
                None => report.help(format!("it has tracks of {}", self.choices(of_target, "and"))),
            }
        };
        self.report(report);
    }

    /// What can be said of properties when everything else is known: a `Rest` that is missing or of no use.
    pub(super) fn check_properties(&mut self) {
        for index in 0..self.known.hir.properties.len() {
            let id = PropertyId(saturate(index));
            let row = &self.known.hir.properties[index];
            let (span, rest, name) = (row.span, row.rest, (row.target, row.name));
            // What is wrong with one of them was reported.
            let has_rest = self.known.rests.contains(&name);
            let has_track = self.known.tracked.contains(&name);
            let tracks = || {
                let all = self.known.hir.animations.iter();
                all.flat_map(|row| row.tracks.iter().map(move |track| (row, track)))
                    .filter(move |(_, track)| track.property == id)
            };
            let replacing = tracks().find(|(row, _)| {
                !row.additive
                    && !self.known.hir.layers.get(row.layer.index()).is_some_and(|layer| layer.additive)
            });
            match (rest, replacing) {
                (None, Some((_, track))) if !has_rest && !self.always_shown(id) => {
                    let value = track.keys.first().map(|key| key.value);
                    self.rest_missing(id, span, value);
                }
                (Some((_, rest)), None) if !has_track => self.rest_unused(id, rest),
                _ => {}
            }
        }
    }

    /// Whether a machine shows a track of the property in each of its states.
    fn always_shown(&self, id: PropertyId) -> bool {
        let states = &self.known.hir.states;
        let shown: Vec<bool> = self.motions_with(id);
        let motion = |leaf: usize| {
            let outward = std::iter::successors(Some(StateId(saturate(leaf))), |state| {
                states.get(state.index()).and_then(|row| row.parent)
            });
            outward.into_iter().find_map(|state| states.get(state.index())?.motion)
        };
        self.known.hir.machines.iter().any(|machine| {
            let mut own =
                (usize::from(machine.states.start)..usize::from(machine.states.end)).filter(|index| {
                    !states.iter().any(|inner| inner.parent.is_some_and(|parent| parent.index() == *index))
                });
            own.all(|leaf| {
                motion(leaf).is_some_and(|motion: MotionId| shown.get(motion.index()) == Some(&true))
            })
        })
    }

    /// By motion: whether every clip in it has a track of the property.
    fn motions_with(&self, id: PropertyId) -> Vec<bool> {
        let has = |animation: motix_vm::ids::AnimationId| {
            let row = self.known.hir.animations.get(animation.index());
            row.is_some_and(|row| !row.additive && row.tracks.iter().any(|track| track.property == id))
        };
        // What a blend is made of stands before it.
        let mut shown: Vec<bool> = Vec::with_capacity(self.known.hir.motions.len());
        for motion in &self.known.hir.motions {
            shown.push(match &motion.kind {
                MotionKind::Clip { animation, .. } => has(*animation),
                // All its weights may be 0.
                MotionKind::Blend { by: BlendBy::Weights { .. }, .. } | MotionKind::Empty => false,
                MotionKind::Blend { points, .. } => {
                    points.iter().all(|point| shown.get(point.motion.index()) == Some(&true))
                }
            });
        }
        shown
    }

    fn rest_missing(&mut self, id: PropertyId, span: Span, value: Option<Literal>) {
        let Some(row) = self.known.hir.properties.get(id.index()) else { return };
        let (target, name) = (self.text(row.target).to_owned(), self.written(row.name));
        let (nothing, example) = match value {
            Some(Literal::Color(color)) if color & 0xFF == 0xFF => {
                ("transparent", format!("#{:06x}", color >> 8))
            }
            Some(Literal::Color(color)) => ("transparent", format!("#{color:08x}")),
            Some(Literal::Number(number)) => ("0", shorten(number)),
            _ => ("0", "1".to_owned()),
        };
        let report = Diagnostic::new(
            Code::RestMissing,
            format!("{} is {nothing} where no clip with a track of it plays", self.property_text(id)),
            span,
            "it has no `Rest`",
        );
        self.report(report.help(format!(
            "write in the behavior what it is then, such as `Rest \"{target}\" {name} = {example}`"
        )));
    }

    fn rest_unused(&mut self, id: PropertyId, rest: Span) {
        let rows = &self.known.hir.properties;
        let (target, name) = (rows[id.index()].target, rows[id.index()].name);
        let others = rows.iter().map(|row| (row.target, row.name));
        let others: Vec<(Symbol, Symbol)> = others.filter(|row| self.known.tracked.contains(row)).collect();
        let target_text = self.text(target).to_owned();
        let near = self.nearest_of(&target_text, others.iter().filter(|row| row.1 == name).map(|row| row.0));
        let name_text = self.text(name).to_owned();
        let near_name =
            self.nearest_of(&name_text, others.iter().filter(|row| row.0 == target).map(|row| row.1));
        let report = Diagnostic::new(
            Code::RestUnused,
            format!("no track is of {}", self.property_text(id)),
            rest,
            "this value never changes",
        );
        self.report(match (near, near_name) {
            (Some(near), _) => report.help(format!("did you mean `\"{near}\"`?")),
            (None, Some(near)) => report.help(format!("did you mean `{near}`?")),
            (None, None) => report.help("remove it, or write a `Track` of it in an animation"),
        });
    }
}

fn place_text(place: Place) -> String {
    match place {
        Place::Ratio(share) => percent(share),
        Place::Seconds(seconds) => format!("{}s", shorten(seconds)),
    }
}
