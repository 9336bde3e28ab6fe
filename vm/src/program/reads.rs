//! Which parameters are read, so that setting one that nothing active reads wakes nothing.
//!
//! What reads is known by place: the conditions that are asked in a state, and all that is evaluated whatever the
//! state. A set of parameters is a mask in which parameters share bits once there are more of them than bits: it may
//! hold one too many, never one too few. Lists of actions do not count: what runs them changes more than they read.

use alloc::vec::Vec;

use super::tables::{Behavior, MotionKind};
use crate::ids::{CodeId, ParamId};
use crate::op::Op;

/// A set of parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reads(u64);

impl Reads {
    const NOTHING: Self = Self(0);
    const ANYTHING: Self = Self(u64::MAX);

    const fn of(param: ParamId) -> Self {
        Self(1 << (param.0 % 64))
    }

    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the parameter may be in it.
    #[inline]
    pub(crate) const fn hold(self, param: ParamId) -> bool {
        self.0 & Self::of(param).0 != 0
    }

    pub(super) fn all(sets: impl Iterator<Item = Self>) -> Self {
        sets.fold(Self::NOTHING, Self::with)
    }
}

/// What each block reads, with the blocks that it calls.
pub(super) fn of_codes(rows: &Behavior) -> Vec<Reads> {
    let mut reads: Vec<Reads> = Vec::with_capacity(rows.codes.len());
    for code in &rows.codes {
        let ops = code.ops.of(&rows.ops).iter();
        let own = Reads::all(ops.map(|op| match *op {
            Op::Param { param } => Reads::of(param),
            Op::Call { code } => of(&reads, code),
            _ => Reads::NOTHING,
        }));
        reads.push(own);
    }
    reads
}

/// What a block reads.
pub(super) fn of(reads: &[Reads], code: CodeId) -> Reads {
    reads.get(code.index()).copied().unwrap_or(Reads::ANYTHING)
}

/// What is read whatever the states: all that values are computed from, and the conditions that do not belong to a
/// state. Anything, where components may read too.
pub(super) fn always(rows: &Behavior, reads: &[Reads]) -> Reads {
    if !rows.components.is_empty() {
        return Reads::ANYTHING;
    }
    let layers = rows.layers.iter().flat_map(|layer| [layer.weight, layer.speed]);
    let motions = rows.motions.iter().flat_map(|motion| {
        let [x, y] = match motion.kind {
            MotionKind::Clip { phase, .. } => [phase, None],
            MotionKind::Blend1D { input, .. } => [Some(input), None],
            MotionKind::Blend2D { x, y, .. } => [Some(x), Some(y)],
            MotionKind::BlendDirect { .. } | MotionKind::Empty => [None, None],
        };
        [motion.speed, x, y]
    });
    let points = rows.points.iter().map(|point| point.weight);
    let damps = rows.damps.iter().map(|damp| Some(damp.input));
    let updates = rows.states.iter().map(|state| state.update);
    let any = rows.machines.iter().flat_map(|machine| machine.any.of(&rows.transitions));
    let any = any.map(|transition| transition.condition);
    let whens = rows.whens.iter().take(rows.behavior_whens as usize).map(|when| Some(when.condition));
    let all = layers.chain(motions).chain(points).chain(damps).chain(updates).chain(any).chain(whens);
    Reads::all(all.flatten().map(|code| of(reads, code)))
}
