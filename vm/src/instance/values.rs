//! The values of properties that tracks animate: what all that plays makes of them.
//!
//! A value is mixed on the samples, from the lowest layer up, beginning with the property's `Rest`. In each layer that
//! touches the target, what has a track for the property counts: motions over what is below, animations of actions
//! over these, all of it by the layer's weight; then what is additive is added. Everything is computed in f64 and
//! rounded once.

use alloc::vec::Vec;

use super::Instance;
use super::samples::Sample;
use super::shares::{cover, scale};
use super::view::View;
use crate::ids::{ComponentId, LayerId, PropertyId};
use crate::program::properties;
use crate::program::tables::{Behavior, Curve, Key, Property, Type};
use crate::value::{Color, Value};

/// A value while it is mixed. A number is the first; a color is its channels of light, each multiplied with the
/// opacity, and the opacity: so that what cannot be seen has no say.
type Lanes = [f64; 4];

/// The opacity that a transparent color counts with: so small that it is not seen, but it has a color.
const HARDLY: f64 = 1e-6;

fn lanes(ty: Type, word: u32) -> Lanes {
    if ty != Type::Color {
        return [f64::from(f32::from_bits(word)), 0.0, 0.0, 0.0];
    }
    let Color { r, g, b, a } = Color::from_word(word);
    let opacity = f64::from(a) / 255.0;
    let light = |channel: u8| f64::from(channel) * (opacity + HARDLY);
    [light(r), light(g), light(b), opacity]
}

/// The channels of a color by themselves: light 0 to 255, opacity 0 to 1.
fn channels([r, g, b, opacity]: Lanes) -> Lanes {
    let light = |channel: f64| channel / (opacity + HARDLY);
    [light(r), light(g), light(b), opacity]
}

fn word(ty: Type, value: Lanes) -> u32 {
    if ty != Type::Color {
        let [number, ..] = value;
        // Inside the range of f32, and not -0.
        return (number.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32 + 0.0).to_bits();
    }
    let [r, g, b, opacity] = channels(value);
    // Halves up, whatever rounding left of them; the cast saturates.
    let byte = |channel: f64| (channel + 0.5 + 1e-6) as u8;
    Color { r: byte(r), g: byte(g), b: byte(b), a: byte(opacity * 255.0) }.to_word()
}

fn mix(a: Lanes, b: Lanes, share: f64) -> Lanes {
    let mut mixed = a;
    for (to, b) in mixed.iter_mut().zip(b) {
        *to = *to * (1.0 - share) + b * share;
    }
    mixed
}

/// What a track says at the place of a sample.
fn curve_at(rows: &Behavior, ty: Type, curve: &Curve, sample: &Sample) -> Lanes {
    let keys = curve.keys.of(&rows.keys);
    let place = f64::from(if curve.seconds { sample.time } else { sample.phase });
    let next = keys.partition_point(|key| f64::from(key.at) <= place);
    let of = |key: Option<&Key>| key.map_or([0.0; 4], |key| lanes(ty, key.value));
    let Some(before) = next.checked_sub(1).and_then(|index| keys.get(index)) else { return of(keys.first()) };
    let Some(after) = keys.get(next) else { return of(keys.last()) };
    let from = f64::from(before.at);
    let share = (place - from) / (f64::from(after.at) - from);
    let eased = before.easing.at(share as f32);
    // A number may swing beyond its keys, a color has nowhere to go.
    let eased = if ty == Type::Color { eased.clamp(0.0, 1.0) } else { eased };
    mix(of(Some(before)), of(Some(after)), f64::from(eased))
}

/// Weighted values that share a layer.
#[derive(Clone, Copy, Debug, Default)]
struct Heap {
    sum: Lanes,
    weight: f64,
}

impl Heap {
    fn add(&mut self, value: Lanes, weight: f64) {
        for (to, value) in self.sum.iter_mut().zip(value) {
            *to += value * weight;
        }
        self.weight += weight;
    }

    /// Laid over what is below.
    fn over(&self, below: Lanes) -> Lanes {
        if self.weight == 0.0 {
            return below;
        }
        let (kept, scale) = (1.0 - cover(self.weight), scale(self.weight));
        let mut mixed = below;
        for (to, sum) in mixed.iter_mut().zip(self.sum) {
            *to = *to * kept + sum * scale;
        }
        mixed
    }
}

/// The value of one property under way.
#[derive(Clone, Copy, Debug)]
struct Mixer {
    ty: Type,
    /// What the layers so far make of it.
    value: Lanes,
    motions: Heap,
    actions: Heap,
    added: Lanes,
    /// Something of this layer has a track.
    used: bool,
}

impl Mixer {
    fn new(property: &Property) -> Self {
        Self {
            ty: property.ty,
            value: lanes(property.ty, property.rest.unwrap_or(0)),
            motions: Heap::default(),
            actions: Heap::default(),
            added: [0.0; 4],
            used: false,
        }
    }

    fn add(&mut self, rows: &Behavior, curve: &Curve, sample: &Sample) {
        let (value, weight) = (curve_at(rows, self.ty, curve, sample), f64::from(sample.weight));
        self.used = true;
        if sample.additive {
            let value = if self.ty == Type::Color { channels(value) } else { value };
            for (to, value) in self.added.iter_mut().zip(value) {
                *to += value * weight;
            }
        } else if sample.motion {
            self.motions.add(value, weight);
        } else {
            self.actions.add(value, weight);
        }
    }

    /// A layer is complete.
    fn close(&mut self, layer_weight: f64) {
        if !self.used {
            return;
        }
        let whole = self.actions.over(self.motions.over(self.value));
        let mixed = mix(self.value, whole, layer_weight);
        self.value = self.plus(mixed, layer_weight);
        (self.motions, self.actions) = (Heap::default(), Heap::default());
        (self.added, self.used) = ([0.0; 4], false);
    }

    /// With what is additive; channels of colors stay what channels can be.
    fn plus(&self, value: Lanes, layer_weight: f64) -> Lanes {
        if self.added == [0.0; 4] {
            return value;
        }
        let sum = |value: Lanes| {
            let mut sum = value;
            for (to, added) in sum.iter_mut().zip(self.added) {
                *to += added * layer_weight;
            }
            sum
        };
        if self.ty != Type::Color {
            return sum(value);
        }
        let [r, g, b, opacity] = sum(channels(value));
        let opacity = opacity.clamp(0.0, 1.0);
        let light = |channel: f64| channel.clamp(0.0, 255.0) * (opacity + HARDLY);
        [light(r), light(g), light(b), opacity]
    }
}

impl View<'_> {
    /// The word of a property's value; 0 for an id of another behavior.
    pub(crate) fn property(&self, id: PropertyId) -> u32 {
        let Some(row) = self.rows.properties.get(id.index()) else { return 0 };
        let mut mixer = Mixer::new(row);
        let mut layer = LayerId(0);
        for sample in self.samples(ComponentId::ROOT) {
            if sample.layer != layer {
                mixer.close(f64::from(self.layer_weight(layer)));
                layer = sample.layer;
            }
            let curves = self.rows.animations.get(sample.animation.index()).map(|row| row.curves);
            let curves = curves.unwrap_or_default().of(&self.rows.curves);
            let curve = curves.binary_search_by_key(&id, |curve| curve.property);
            if let Some(curve) = curve.ok().and_then(|index| curves.get(index))
                && self.layout.touches.holds(id, layer)
            {
                mixer.add(self.rows, curve, &sample);
            }
        }
        mixer.close(f64::from(self.layer_weight(layer)));
        word(row.ty, mixer.value)
    }
}

/// The values of all properties of an instance: filled by [`Instance::read_values`], kept by the host from frame to
/// frame. It allocates when it is first filled.
#[derive(Clone, Debug, Default)]
pub struct Values {
    mixers: Vec<Mixer>,
    values: Vec<Read>,
}

/// A value that was read.
#[derive(Clone, Copy, Debug)]
struct Read {
    ty: Type,
    word: u32,
    /// It differs from what was read before.
    changed: bool,
}

impl Values {
    /// Without values.
    #[must_use]
    pub const fn new() -> Self {
        Self { mixers: Vec::new(), values: Vec::new() }
    }

    /// The value of a property; `None` where nothing was read of it.
    #[must_use]
    pub fn get(&self, property: PropertyId) -> Option<Value<'static>> {
        self.values.get(property.index()).map(|read| properties::value(read.ty, read.word))
    }

    /// All values, by property.
    pub fn iter(&self) -> impl Iterator<Item = (PropertyId, Value<'static>)> + '_ {
        self.list(|_| true)
    }

    /// Those that differ from what was read the time before; all of them after the first time.
    pub fn changed(&self) -> impl Iterator<Item = (PropertyId, Value<'static>)> + '_ {
        self.list(|read| read.changed)
    }

    fn list(&self, keep: fn(&Read) -> bool) -> impl Iterator<Item = (PropertyId, Value<'static>)> + '_ {
        let all = self.values.iter().enumerate().filter(move |(_, read)| keep(read));
        all.filter_map(|(index, read)| {
            Some((PropertyId::from_index(index)?, properties::value(read.ty, read.word)))
        })
    }
}

reading! {
    /// The value of a property, as all that plays mixes it; 0 for an id of another behavior.
    #[must_use]
    pub fn property(&self, id: PropertyId) -> Value<'static> {
        let Some(view) = self.view() else { return Value::Number(0.0) };
        let ty = view.rows.properties.get(id.index()).map_or(Type::Number, |row| row.ty);
        properties::value(ty, view.property(id))
    }

    /// Reads the values of all properties at once: as [`property`](Self::property) of each, and quicker.
    pub fn read_values(&self, out: &mut Values) {
        let Some(view) = self.view() else { return };
        let rows = view.rows;
        out.mixers.clear();
        out.mixers.extend(rows.properties.iter().map(Mixer::new));
        let mut layer = LayerId(0);
        let close = |mixers: &mut [Mixer], layer: LayerId| {
            let weight = f64::from(view.layer_weight(layer));
            mixers.iter_mut().for_each(|mixer| mixer.close(weight));
        };
        for sample in view.samples(self.id()) {
            let curves = rows.animations.get(sample.animation.index()).map(|row| row.curves);
            let curves = curves.unwrap_or_default().of(&rows.curves);
            if curves.is_empty() {
                continue;
            }
            if sample.layer != layer {
                close(&mut out.mixers, layer);
                layer = sample.layer;
            }
            for curve in curves {
                if let Some(mixer) = out.mixers.get_mut(curve.property.index())
                    && view.layout.touches.holds(curve.property, layer)
                {
                    mixer.add(rows, curve, &sample);
                }
            }
        }
        close(&mut out.mixers, layer);
        let known = out.values.len() == out.mixers.len();
        if !known {
            out.values.clear();
        }
        for (index, mixer) in out.mixers.iter().enumerate() {
            let (ty, word) = (mixer.ty, word(mixer.ty, mixer.value));
            match out.values.get_mut(index) {
                Some(read) => {
                    *read = Read { ty, word, changed: read.word != word || read.ty != ty };
                }
                None => out.values.push(Read { ty, word, changed: true }),
            }
        }
    }
}
