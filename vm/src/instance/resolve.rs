//! Views of the samples for hosts that cannot layer: merged for those with one channel a clip, resolved for those that
//! can only average.
//!
//! Both are written into a list that the host keeps, so that nothing is allocated once it is long enough.

use alloc::vec::Vec;

use super::Instance;
use super::samples::Sample;
use super::shares::{cover, scale};
use crate::program::Region;

reading! {
    /// The samples without those of components, those of one animation in one layer merged into one: weights summed up
    /// to 1, the rest that of the heaviest (of equals, of the newest). Its `key` changes where another playhead became the heaviest: then the
    /// channel has to seek. Layers stand ascending, animations in order of declaration.
    ///
    /// `out` is cleared first.
    pub fn merged_samples(&self, out: &mut Vec<Sample>) {
        out.clear();
        out.extend(self.own_samples());
        merge(out, |sample| sample.layer.0);
    }

    /// The samples, without those of components, that reach a region, with the weights that they have in the end: for
    /// hosts that can only average.
    ///
    /// Weights that are not additive are at most 1 together; the bind pose, or what the host shows by itself, has the
    /// rest. A layer's weight is in them already. Additive ones stand outside of that sum.
    ///
    /// `out` is cleared first.
    pub fn resolved(&self, region: &Region, out: &mut Vec<Sample>) {
        out.clear();
        out.extend(self.own_samples().filter(|sample| region.contains(sample.layer)));
        // From the highest layer down: what it leaves.
        let mut left = 1.0;
        let mut end = out.len();
        while let Some(layer) = end.checked_sub(1).and_then(|last| out.get(last)).map(|sample| sample.layer) {
            let start = out.partition_point(|sample| sample.layer < layer);
            let Some(samples) = out.get_mut(start..end) else { return };
            let (mut motions, mut actions) = (0.0, 0.0);
            for sample in samples.iter().filter(|sample| !sample.additive) {
                let sum = if sample.motion { &mut motions } else { &mut actions };
                *sum += f64::from(sample.weight);
            }
            let weight = f64::from(self.layer_weight(layer));
            let below = 1.0 - cover(actions);
            for sample in samples {
                let share = match (sample.additive, sample.motion) {
                    (true, _) => 1.0,
                    (false, true) => scale(motions) * below,
                    (false, false) => scale(actions),
                };
                sample.weight = (f64::from(sample.weight) * share * weight * left) as f32;
            }
            left *= 1.0 - weight * (1.0 - below * (1.0 - cover(motions)));
            end = start;
        }
        out.retain(|sample| sample.weight > 0.0);
    }

    /// The same with those of one animation merged into one, whatever their layers: for hosts that can only average
    /// and have one channel a clip. `layer` is that of the heaviest. Animations stand in order of declaration.
    ///
    /// `out` is cleared first.
    pub fn merged_resolved(&self, region: &Region, out: &mut Vec<Sample>) {
        self.resolved(region, out);
        merge(out, |_| 0);
    }
}

/// Merges what plays the same animation in the same way, within what `part` tells apart.
fn merge(samples: &mut Vec<Sample>, part: impl Fn(&Sample) -> u16) {
    let channel = |sample: &Sample| (part(sample), sample.animation, sample.additive, sample.mirror);
    samples.sort_unstable_by(|a, b| {
        let heaviest_first = b.weight.total_cmp(&a.weight).then_with(|| b.key.cmp(&a.key));
        channel(a).cmp(&channel(b)).then(heaviest_first)
    });
    samples.dedup_by(|next, kept| {
        let same = channel(next) == channel(kept);
        if same {
            kept.weight = (kept.weight + next.weight).min(1.0);
        }
        same
    });
}
