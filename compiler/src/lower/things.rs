//! Rows of what machines use: parameters, enums, layers, masks, animations, named values.

use motix_vm::ids::DampId;
use motix_vm::op::{Op, Word};
use motix_vm::program::tables::{
    Animation, Bind, Component, Curve, Damp, Enum, Key, Layer, Marker, Mask, Metadata, MetadataValue, Param,
    Place, Predicate, Property, Run, Span,
};

use super::{Lowerer, last, type_of};
use crate::hir::{self, Literal, ValueId, ValueKind};

/// Appends rows to a table; gives the run that they are.
pub(super) fn append<T>(table: &mut Vec<T>, rows: impl IntoIterator<Item = T>) -> Run {
    let first = table.len() as u32;
    table.extend(rows);
    Run { first, count: table.len() as u32 - first }
}

impl Lowerer<'_> {
    /// Everything without code.
    pub(super) fn things(&mut self) {
        let behavior = self.behavior;
        for item in &behavior.enums {
            let name = item.name.map(|name| self.text(name.symbol));
            let variants: Vec<_> = item.variants.iter().map(|variant| self.text(*variant)).collect();
            let variants = append(&mut self.rows.variants, variants);
            self.rows.enums.push(Enum { name, variants });
        }
        for param in &behavior.params {
            let row = self.param(param);
            self.rows.params.push(row);
        }
        for mask in &behavior.masks {
            let name = self.text(mask.name.symbol);
            let include: Vec<_> = mask.include.iter().map(|pattern| self.text(*pattern)).collect();
            let exclude: Vec<_> = mask.exclude.iter().map(|pattern| self.text(*pattern)).collect();
            let include = append(&mut self.rows.patterns, include);
            let exclude = append(&mut self.rows.patterns, exclude);
            self.rows.masks.push(Mask { name, include, exclude });
        }
        self.rows.groups = behavior.groups.iter().map(|group| self.text(group.symbol)).collect();
        self.rows.tags = behavior.tags.iter().map(|tag| self.text(*tag)).collect();
        self.rows.externs = behavior.externs.iter().map(|answer| self.text(answer.symbol)).collect();
        for property in &behavior.properties {
            let row = self.property(property);
            self.rows.properties.push(row);
        }
        for animation in &behavior.animations {
            let row = self.animation(animation);
            self.rows.animations.push(row);
        }
        for span in &behavior.spans {
            let name = self.text(span.name.symbol);
            let row = Span { name, animation: span.animation, from: span.from, to: span.to };
            self.rows.spans.push(row);
        }
    }

    pub(super) fn components(&mut self) {
        let behavior = self.behavior;
        for component in &behavior.components {
            let binds = component.binds.iter().map(|bind| Bind {
                param: bind.param,
                inner: bind.inner,
                direction: bind.direction,
            });
            let binds = append(&mut self.rows.binds, binds);
            let (name, target) = (self.text(component.name.symbol), self.text(component.target));
            self.rows.components.push(Component { name, behavior: component.behavior, target, binds });
        }
    }

    fn param(&mut self, param: &hir::Param) -> Param {
        Param {
            name: self.text(param.name.symbol),
            ty: type_of(param.ty),
            initial: param.initial.map_or(0, |initial| self.word(initial)),
            min: param.min.unwrap_or(f32::MIN),
            max: param.max.unwrap_or(f32::MAX),
            step: param.step.unwrap_or(0.0),
            lifetime: param.lifetime,
            global: param.global,
        }
    }

    /// A value as a word of the stack.
    fn word(&mut self, literal: Literal) -> u32 {
        match literal {
            Literal::Bool(value) => value.into(),
            Literal::Number(value) => value.to_bits(),
            Literal::Text(text) => self.text(text).0,
            Literal::Variant(_, index) => index.into(),
            Literal::Color(color) => color,
        }
    }

    fn animation(&mut self, animation: &hir::Animation) -> Animation {
        let mut markers: Vec<_> = animation
            .markers
            .iter()
            .map(|(name, at)| Marker { name: self.text(name.symbol), at: *at })
            .collect();
        markers.sort_by(|a, b| compare(a.at, b.at, animation.duration));
        let metadata: Vec<_> =
            animation.metadata.iter().map(|(key, value)| self.metadata(*key, *value)).collect();
        let curves = self.tracks(&animation.tracks);
        Animation {
            name: self.text(animation.name.symbol),
            asset: self.text(animation.asset),
            duration: animation.duration,
            layer: animation.layer,
            group: animation.group,
            loop_mode: animation.loop_mode,
            priority: animation.priority,
            fade_in: animation.fade_in,
            fade_out: animation.fade_out,
            speed: animation.speed,
            weight: animation.weight,
            can_interrupt: animation.can_interrupt,
            min_duration: animation.min_duration,
            additive: animation.additive,
            tags: append(&mut self.rows.tag_lists, animation.tags.iter().copied()),
            markers: append(&mut self.rows.markers, markers),
            spans: Run {
                first: animation.spans.start,
                count: animation.spans.end.saturating_sub(animation.spans.start),
            },
            metadata: append(&mut self.rows.metadata, metadata),
            curves,
        }
    }

    fn property(&mut self, property: &hir::Property) -> Property {
        Property {
            target: self.text(property.target),
            name: self.text(property.name),
            ty: type_of(property.ty),
            rest: property.rest.map(|(rest, _)| self.word(rest)),
        }
    }

    /// The tracks of an animation, by property.
    fn tracks(&mut self, tracks: &[hir::Track]) -> Run {
        let mut order: Vec<&hir::Track> = tracks.iter().collect();
        order.sort_by_key(|track| track.property);
        let mut curves = Vec::with_capacity(order.len());
        for track in order {
            let keys = track.keys.iter().map(|key| Key {
                at: key.at,
                value: self.word(key.value),
                easing: key.easing,
            });
            let keys: Vec<Key> = keys.collect();
            let keys = append(&mut self.rows.keys, keys);
            curves.push(Curve { property: track.property, seconds: track.seconds, keys });
        }
        append(&mut self.rows.curves, curves)
    }

    fn metadata(&mut self, key: crate::intern::Symbol, value: Literal) -> Metadata {
        let value = match value {
            Literal::Bool(value) => MetadataValue::Bool(value),
            Literal::Number(value) => MetadataValue::Number(value),
            Literal::Text(text) => MetadataValue::Text(self.text(text)),
            Literal::Variant(id, index) => {
                let variant = self.behavior.enums[id.index()].variants[usize::from(index)];
                MetadataValue::Text(self.text(variant))
            }
            Literal::Color(color) => MetadataValue::Color(color),
        };
        Metadata { key: self.text(key), value }
    }

    /// `Let`s and `Predicate`s: a block each, in the order in which they need one another.
    pub(super) fn values(&mut self) {
        let behavior = self.behavior;
        for (index, value) in behavior.values.iter().enumerate() {
            let code = match &value.kind {
                ValueKind::Expr(expr) => self.expression_block(expr),
                ValueKind::Damp(input, time) => {
                    let input = self.expression_block(input);
                    self.rows.damps.push(Damp { input, time: *time });
                    let damp = DampId(last(self.rows.damps.len()) as u16);
                    self.damps.insert(ValueId(index as u32), damp);
                    let mut block = self.blocks.begin();
                    block.op(Op::Damped { damp }, 0, 1);
                    self.add_block(block, Some(Word::Number), value.name.span)
                }
            };
            self.values.push(code);
        }
        // The table of names is in order of declaration, so that adding a use reorders nothing.
        let mut order: Vec<_> = behavior.values.iter().zip(self.values.clone()).collect();
        order.sort_by_key(|(value, _)| value.name.span);
        for (value, condition) in order {
            let name = self.text(value.name.symbol);
            self.rows.predicates.push(Predicate { name, condition });
        }
    }

    pub(super) fn layers(&mut self) {
        let behavior = self.behavior;
        for layer in &behavior.layers {
            let row = Layer {
                name: self.text(layer.name.symbol),
                order: layer.order,
                base_weight: layer.base_weight,
                lerp_rate: layer.lerp_rate,
                additive: layer.additive,
                mask: layer.mask,
                weight: layer.weight.as_ref().map(|weight| self.expression_block(weight)),
                speed: layer.speed.as_ref().map(|speed| self.expression_block(speed)),
            };
            self.rows.layers.push(row);
        }
    }
}

/// The order of two places of a clip. Shares and seconds can be compared where the duration is known; where it is
/// not, shares stand first.
fn compare(a: Place, b: Place, duration: Option<f32>) -> std::cmp::Ordering {
    let seconds = |place| match (place, duration) {
        (Place::Ratio(ratio), Some(duration)) => ratio * duration,
        (Place::Ratio(_), None) => 0.0,
        (Place::Seconds(seconds), Some(_)) => seconds,
        (Place::Seconds(_), None) => 1.0,
    };
    let own = |place| match place {
        Place::Ratio(value) | Place::Seconds(value) => value,
    };
    let kind = |place| matches!(place, Place::Seconds(_));
    let by_seconds = seconds(a).total_cmp(&seconds(b));
    by_seconds.then_with(|| kind(a).cmp(&kind(b))).then_with(|| own(a).total_cmp(&own(b)))
}
