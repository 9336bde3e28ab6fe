//! Layers and animations.

use motix_vm::ids::{AnimationId, GroupId, LayerId, MaskId, TagId};
use motix_vm::program::tables::{LoopMode, Place};

use super::{Declared, Expr, Literal, Track};
use crate::intern::Symbol;

/// A mask.
#[derive(Clone, Debug)]
pub struct Mask {
    /// Its name.
    pub name: Declared,
    /// Patterns of what is in it.
    pub include: Vec<Symbol>,
    /// Patterns of what is not.
    pub exclude: Vec<Symbol>,
}

/// A layer.
#[derive(Clone, Debug)]
pub struct Layer {
    /// Its name; the span of the behavior's name where it was not declared.
    pub name: Declared,
    /// Its place in the stack.
    pub order: i32,
    /// Its weight while active.
    pub base_weight: f32,
    /// The most its weight moves in a second.
    pub lerp_rate: f32,
    /// `Blend additive`.
    pub additive: bool,
    /// Its mask.
    pub mask: Option<MaskId>,
    /// Its weight as an expression.
    pub weight: Option<Expr>,
    /// Its speed as an expression.
    pub speed: Option<Expr>,
}

/// An animation.
#[derive(Clone, Debug)]
pub struct Animation {
    /// Its name.
    pub name: Declared,
    /// What the host knows it by.
    pub asset: Symbol,
    /// Its length in seconds; `None` where the host gives it.
    pub duration: Option<f32>,
    /// Where it plays when an action starts it.
    pub layer: LayerId,
    /// Its group.
    pub group: Option<GroupId>,
    /// What it does at the end.
    pub loop_mode: LoopMode,
    /// For contention.
    pub priority: i32,
    /// Seconds.
    pub fade_in: f32,
    /// Seconds.
    pub fade_out: f32,
    /// Clip seconds a second.
    pub speed: f32,
    /// In (0, 1].
    pub weight: f32,
    /// Whether its equals may replace it before it finishes.
    pub can_interrupt: bool,
    /// Seconds.
    pub min_duration: f32,
    /// Added to the pose.
    pub additive: bool,
    /// Its tags.
    pub tags: Vec<TagId>,
    /// Its markers, in order of declaration.
    pub markers: Vec<(Declared, Place)>,
    /// Its spans, in the behavior's table.
    pub spans: std::ops::Range<u32>,
    /// Its metadata.
    pub metadata: Vec<(Symbol, Literal)>,
    /// Its tracks, in order of declaration.
    pub tracks: Vec<Track>,
}

/// A span of an animation.
#[derive(Clone, Debug)]
pub struct AnimationSpan {
    /// Its name.
    pub name: Declared,
    /// The animation it belongs to.
    pub animation: AnimationId,
    /// Where it begins.
    pub from: Place,
    /// Where it ends.
    pub to: Place,
}
