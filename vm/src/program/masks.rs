//! Masks: which names their patterns match, and which layers touch what.
//!
//! A pattern matches a whole name: `*` stands for any number of characters, `?` for one. What `Include` matches is in
//! a mask, unless `Exclude` matches it too; a layer without a mask touches everything. For the targets of tracks this
//! is found out when a program is loaded; a host asks once for each of its bones or objects.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::BehaviorRef;
use super::tables::{Behavior, Mask, Tables};
use crate::ids::{LayerId, MaskId, PropertyId, TextId};

/// Whether a pattern matches a name.
fn matches(pattern: &str, name: &str) -> bool {
    let (mut pattern, mut name) = (pattern.chars(), name.chars());
    // Behind the last `*`, and what it has not taken of the name.
    let mut star: Option<(core::str::Chars<'_>, core::str::Chars<'_>)> = None;
    loop {
        let (mut next_pattern, mut next_name) = (pattern.clone(), name.clone());
        match (next_pattern.next(), next_name.next()) {
            (None, None) => return true,
            (Some('*'), _) => {
                star = Some((next_pattern.clone(), name.clone()));
                pattern = next_pattern;
                continue;
            }
            (Some(wanted), Some(found)) if wanted == '?' || wanted == found => {
                (pattern, name) = (next_pattern, next_name);
                continue;
            }
            _ => {}
        }
        // The last `*` takes one character more.
        let Some((behind, taken)) = &mut star else { return false };
        if taken.next().is_none() {
            return false;
        }
        (pattern, name) = (behind.clone(), taken.clone());
    }
}

fn text(tables: &Tables, id: TextId) -> &str {
    tables.texts.get(id.index()).map_or("", |text| text.as_str())
}

/// Whether a name is in a mask.
fn includes(tables: &Tables, rows: &Behavior, mask: &Mask, name: &str) -> bool {
    let any = |run: super::tables::Run| {
        run.of(&rows.patterns).iter().any(|pattern| matches(text(tables, *pattern), name))
    };
    any(mask.include) && !any(mask.exclude)
}

/// The masks of the layers that have one.
fn masked(rows: &Behavior) -> impl Iterator<Item = (usize, &Mask)> {
    let layers = rows.layers.iter().enumerate();
    layers.filter_map(|(index, layer)| Some((index, rows.masks.get(layer.mask?.index())?)))
}

/// The steps that [`touches`] takes at most: no more than these products of lengths.
pub(super) fn work(tables: &Tables, rows: &Behavior) -> u64 {
    let length = |id: TextId| text(tables, id).len() as u64 + 1;
    let targets: u64 = rows.properties.iter().map(|property| length(property.target)).sum();
    let patterns: u64 = masked(rows)
        .map(|(_, mask)| {
            let all = mask.include.of(&rows.patterns).iter().chain(mask.exclude.of(&rows.patterns));
            1 + all.map(|pattern| length(*pattern)).sum::<u64>()
        })
        .sum();
    targets.saturating_mul(patterns)
}

/// Which layers touch the targets of which properties.
#[derive(Debug, Default)]
pub(crate) struct Touches {
    /// Words a property; 0 where no layer has a mask.
    words: usize,
    /// The layers that leave a property alone, a bit each.
    spared: Vec<u32>,
}

impl Touches {
    pub(super) fn of(tables: &Tables, rows: &Behavior) -> Self {
        if rows.properties.is_empty() || masked(rows).next().is_none() {
            return Self::default();
        }
        let words = rows.layers.len().div_ceil(32);
        let mut spared = vec![0; words * rows.properties.len()];
        for (property, bits) in rows.properties.iter().zip(spared.chunks_mut(words)) {
            let target = text(tables, property.target);
            for (layer, mask) in masked(rows) {
                if !includes(tables, rows, mask, target)
                    && let Some(word) = bits.get_mut(layer / 32)
                {
                    *word |= 1 << (layer % 32);
                }
            }
        }
        Self { words, spared }
    }

    /// Whether a layer touches the target of a property.
    #[inline]
    pub(crate) fn holds(&self, property: PropertyId, layer: LayerId) -> bool {
        let word = self.spared.get(property.index() * self.words + layer.index() / 32);
        self.words == 0 || word.is_none_or(|word| word >> (layer.index() % 32) & 1 == 0)
    }
}

/// The layers that touch a bone or object. Bones with equal regions are shown the same mix.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Region {
    /// A bit a layer.
    layers: Box<[u32]>,
}

impl Region {
    /// Whether a layer touches it.
    #[must_use]
    #[inline]
    pub fn contains(&self, layer: LayerId) -> bool {
        self.layers.get(layer.index() / 32).is_some_and(|word| word >> (layer.index() % 32) & 1 == 1)
    }

    /// The layers, ascending.
    pub fn layers(&self) -> impl Iterator<Item = LayerId> + '_ {
        let all = (0..self.layers.len() * 32).filter_map(LayerId::from_index);
        all.filter(|layer| self.contains(*layer))
    }
}

/// What masks say about the host's bones and objects.
impl BehaviorRef<'_> {
    /// Whether a bone or object is in a mask; false for an id of another behavior.
    #[must_use]
    pub fn mask_includes(self, mask: MaskId, name: &str) -> bool {
        let mask = self.rows.masks.get(mask.index());
        mask.is_some_and(|mask| includes(self.program.tables(), self.rows, mask, name))
    }

    /// The region of a bone or object: the layers that touch it. To be asked once for each, not in a frame.
    #[must_use]
    pub fn region_of(self, name: &str) -> Region {
        self.region(|mask| includes(self.program.tables(), self.rows, mask, name))
    }

    /// The region of what only layers without a mask touch.
    #[must_use]
    pub fn unmasked(self) -> Region {
        self.region(|_| false)
    }

    fn region(self, touched: impl Fn(&Mask) -> bool) -> Region {
        let mut layers = vec![0_u32; self.rows.layers.len().div_ceil(32)].into_boxed_slice();
        for (index, layer) in self.rows.layers.iter().enumerate() {
            let mask = layer.mask.and_then(|mask| self.rows.masks.get(mask.index()));
            if mask.is_none_or(&touched)
                && let Some(word) = layers.get_mut(index / 32)
            {
                *word |= 1 << (index % 32);
            }
        }
        Region { layers }
    }

    /// The regions of several bones or objects: each region once, in order of first mention, and for each name which
    /// of them it has.
    #[must_use]
    pub fn regions<'n>(self, names: impl IntoIterator<Item = &'n str>) -> (Vec<Region>, Vec<usize>) {
        let mut known: alloc::collections::BTreeMap<Region, usize> = alloc::collections::BTreeMap::new();
        let mut regions = Vec::new();
        let of = names
            .into_iter()
            .map(|name| {
                let region = self.region_of(name);
                *known.entry(region).or_insert_with_key(|region| {
                    regions.push(region.clone());
                    regions.len() - 1
                })
            })
            .collect();
        (regions, of)
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_whole_names() {
        for (pattern, yes, no) in [
            ("Spine", &["Spine"][..], &["Spine1", "aSpine", ""][..]),
            ("Spine*", &["Spine", "Spine1", "Spine*"], &["spine", "LSpine"]),
            ("*Arm", &["Arm", "LeftArm", "ArmArm"], &["Arms"]),
            ("*a*b*", &["ab", "xaxbx", "aab"], &["ba", "a"]),
            ("?", &["x", "\u{e4}"], &["", "xy"]),
            ("Arm.?", &["Arm.L", "Arm.R"], &["Arm", "Arm.", "Arm.LR"]),
            ("*", &["", "x"], &[]),
            ("", &[""], &["x"]),
            ("a**?c", &["abc", "abbc"], &["ac"]),
        ] {
            for name in yes {
                assert!(matches(pattern, name), "`{pattern}` matches `{name}`");
            }
            for name in no {
                assert!(!matches(pattern, name), "`{pattern}` does not match `{name}`");
            }
        }
    }

    #[test]
    fn many_stars_take_no_longer_than_the_product_of_the_lengths() {
        let (pattern, name) = ("*a".repeat(500), "a".repeat(400) + "b");
        assert!(!matches(&pattern, &name));
    }
}
