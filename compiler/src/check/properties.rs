//! Properties that tracks animate, when all tracks are known: what tests ask of them, and `Rest`s that are missing or
//! of no use.

use crate::hash::{HashMap, HashSet};
use std::collections::BTreeMap;

use motix_vm::ids::{AnimationId, PropertyId};

use crate::ast::{self, ExprKind, Name};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, BlendBy, Literal, MotionKind};
use crate::intern::Symbol;
use crate::resolve::saturate;
use crate::source::Span;

use super::context::Checker;
use super::expr::{bare, error, make};
use super::limits::{ROWS, too_many};
use super::units::shorten;
use super::unknown::FEW;

impl Checker<'_, '_> {
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
        match self.property_of(target_symbol, property_name.symbol, span) {
            Some(value) => value,
            None => {
                self.unknown_property((target_symbol, target.span), property_name);
                error(span)
            }
        }
    }

    /// A property of the behavior or, behind the target of a component, of that.
    fn property_of(&mut self, target: Symbol, name: Symbol, span: Span) -> Option<hir::Expr> {
        if let Some(id) = self.known.properties.get(&(target, name)).copied() {
            let ty = self.known.hir.properties[id.index()].ty;
            return Some(make(hir::ExprKind::Property(id), ty, span));
        }
        let text = self.text(target).to_owned();
        let components = self.known.hir.components.iter().zip(&self.known.inner).enumerate();
        let mut inside: Vec<(usize, usize, String)> = components
            .filter_map(|(row, (component, behavior))| {
                let rest = text.strip_prefix(self.text(component.target))?.strip_prefix('/')?;
                Some((row, (*behavior)?, rest.to_owned()))
            })
            .collect();
        // Where the targets of two components fit, the longer one is meant.
        inside.sort_by_key(|(_, _, rest)| rest.len());
        inside.into_iter().find_map(|(row, behavior, rest)| {
            let rest = self.names.intern(&rest);
            let value = self.as_other(behavior, |inside| inside.property_of(rest, name, span)).flatten()?;
            let ty = value.ty;
            Some(make(hir::ExprKind::Inside(saturate(row), Box::new(value)), ty, span))
        })
    }

    fn unknown_property(&mut self, (target, target_span): (Symbol, Span), name: Name) {
        if self.known.tracked.contains(&(target, name.symbol))
            || self.known.rests.contains(&(target, name.symbol))
            || self.anywhere_inside(|known| known.inner.iter().any(Option::is_none))
        {
            return;
        }
        let rows = &self.known.hir.properties;
        let of_target = rows.iter().filter(|row| row.target == target).map(|row| row.name);
        let of_target: Vec<Symbol> = of_target.take(FEW).collect();
        let target_text = self.text(target).to_owned();
        let report = if of_target.is_empty() {
            let mut targets: Vec<Symbol> = Vec::new();
            for row in rows {
                if !targets.contains(&row.target) && targets.len() < FEW {
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
        self.report_name(report);
    }

    /// What can be said of properties when everything else is known: a `Rest` that is missing or of no use.
    pub(super) fn check_properties(&mut self) {
        let count = self.known.hir.properties.len();
        if let Some(behavior) = self.known.scope.behavior.filter(|_| count > ROWS) {
            let count = self.known.rests.union(&self.known.tracked).count();
            let owner = format!("`{}`", self.text(behavior.name.symbol));
            let first = self.known.hir.properties.get(ROWS).map_or(behavior.name.span, |row| row.span);
            self.report(too_many(&owner, "properties", count, ROWS, first));
            return;
        }
        let replaced = self.replaced();
        let always = self.always_shown();
        let rows = self.known.hir.properties.iter().map(|row| (row.target, row.name));
        let tracked: Vec<_> = rows.filter(|name| self.known.tracked.contains(name)).take(FEW).collect();
        for (index, value) in replaced.into_iter().enumerate() {
            let id = PropertyId(saturate(index));
            let row = &self.known.hir.properties[index];
            let (span, rest, name) = (row.span, row.rest, (row.target, row.name));
            match (rest, value) {
                // What is wrong with one that is there was reported.
                (None, Some(value)) if !self.known.rests.contains(&name) && !always.contains(&id) => {
                    self.rest_missing(id, span, value);
                }
                (Some((_, rest)), _) if !self.known.tracked.contains(&name) => {
                    self.rest_unused(id, rest, &tracked);
                }
                _ => {}
            }
        }
    }

    /// By property: the first value of a track that does not add to what is below.
    fn replaced(&self) -> Vec<Option<Literal>> {
        let mut found = vec![None; self.known.hir.properties.len()];
        for row in &self.known.hir.animations {
            let layer = self.known.hir.layers.get(row.layer.index());
            if row.additive || layer.is_some_and(|layer| layer.additive) {
                continue;
            }
            for track in &row.tracks {
                if let (Some(place), Some(key)) = (found.get_mut(track.property.index()), track.keys.first())
                {
                    place.get_or_insert(key.value);
                }
            }
        }
        found
    }

    /// The properties of which some machine shows a track in each of its states.
    fn always_shown(&self) -> HashSet<PropertyId> {
        let states = &self.known.hir.states;
        let clips = self.clips_of_motions();
        let mut composite = vec![false; states.len()];
        for parent in states.iter().filter_map(|state| state.parent) {
            composite[parent.index()] = true;
        }
        let mut always = HashSet::default();
        'machines: for machine in &self.known.hir.machines {
            let mut leaves: BTreeMap<&[AnimationId], usize> = BTreeMap::new();
            let mut count = 0;
            for leaf in usize::from(machine.states.start)..usize::from(machine.states.end) {
                if composite.get(leaf) != Some(&false) {
                    continue;
                }
                let outward =
                    std::iter::successors(states.get(leaf), |state| states.get(state.parent?.index()));
                let motion = outward.into_iter().find_map(|state| state.motion);
                let Some(Some(clips)) = motion.and_then(|motion| clips.get(motion.index())) else {
                    continue 'machines;
                };
                *leaves.entry(clips).or_default() += 1;
                count += 1;
            }
            let mut shown: HashMap<PropertyId, usize> = HashMap::default();
            for (clips, leaves) in leaves {
                for property in self.common_tracks(clips) {
                    *shown.entry(property).or_default() += leaves;
                }
            }
            always.extend(
                shown.into_iter().filter(|(_, leaves)| *leaves == count).map(|(property, _)| property),
            );
        }
        always
    }

    /// By motion: the animations that it may play, each once; `None` where it may show none of them.
    fn clips_of_motions(&self) -> Vec<Option<Vec<AnimationId>>> {
        // What a blend is made of stands before it.
        let mut clips: Vec<Option<Vec<AnimationId>>> = Vec::with_capacity(self.known.hir.motions.len());
        for motion in &self.known.hir.motions {
            clips.push(match &motion.kind {
                MotionKind::Clip { animation, .. } => Some(vec![*animation]),
                // All its weights may be 0.
                MotionKind::Blend { by: BlendBy::Weights { .. }, .. } | MotionKind::Empty => None,
                MotionKind::Blend { points, .. } => {
                    let children = points.iter().map(|point| clips.get(point.motion.index())?.as_ref());
                    let children: Option<Vec<&Vec<AnimationId>>> = children.collect();
                    children.map(|children| {
                        let mut all: Vec<AnimationId> = children.into_iter().flatten().copied().collect();
                        all.sort_unstable();
                        all.dedup();
                        all
                    })
                }
            });
        }
        clips
    }

    /// The properties of which each of the animations has a track that does not add.
    fn common_tracks(&self, clips: &[AnimationId]) -> Vec<PropertyId> {
        let rows: Vec<&hir::Animation> =
            clips.iter().filter_map(|clip| self.known.hir.animations.get(clip.index())).collect();
        let Some((first, others)) = rows.split_first() else { return Vec::new() };
        if rows.iter().any(|row| row.additive) {
            return Vec::new();
        }
        let mut common: HashSet<PropertyId> = first.tracks.iter().map(|track| track.property).collect();
        for other in others {
            let own: HashSet<PropertyId> = other.tracks.iter().map(|track| track.property).collect();
            common.retain(|property| own.contains(property));
        }
        common.into_iter().collect()
    }

    fn rest_missing(&mut self, id: PropertyId, span: Span, value: Literal) {
        let Some(row) = self.known.hir.properties.get(id.index()) else { return };
        let (target, name) = (self.text(row.target).to_owned(), self.written(row.name));
        let (nothing, example) = match value {
            Literal::Color(color) if color & 0xFF == 0xFF => ("transparent", format!("#{:06x}", color >> 8)),
            Literal::Color(color) => ("transparent", format!("#{color:08x}")),
            Literal::Number(number) => ("0", shorten(number)),
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

    /// `others` are the targets and names of tracks.
    fn rest_unused(&mut self, id: PropertyId, rest: Span, others: &[(Symbol, Symbol)]) {
        let rows = &self.known.hir.properties;
        let (target, name) = (rows[id.index()].target, rows[id.index()].name);
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
