//! How what plays in one layer shares it: the one rule behind mixed values and resolved weights.
//!
//! Motions of machines lie below, what actions started lies over them; each of the two together counts at most 1.
//! What they leave, the layers below show.

/// From here on weights together are 1: what rounding left of it.
const WHOLE: f64 = 1.0 - 1e-6;

/// How much of what is below a heap of weights covers: their sum, at most 1.
pub(super) fn cover(sum: f64) -> f64 {
    if sum >= WHOLE { 1.0 } else { sum.max(0.0) }
}

/// What each weight of a heap is multiplied with: 1, unless together they are scaled to 1.
pub(super) fn scale(sum: f64) -> f64 {
    if sum >= WHOLE { 1.0 / sum } else { 1.0 }
}
