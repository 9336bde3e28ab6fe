//! Layers and animations: what plays where, and how.

use super::Run;
use crate::ids::{AnimationId, CodeId, GroupId, LayerId, MaskId, TextId};

/// A layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Layer {
    /// Its name.
    pub name: TextId,
    /// Its place in the stack; higher ones override lower ones.
    pub order: i32,
    /// Its weight while active, where no state and no `weight` says otherwise; 0 to 1.
    pub base_weight: f32,
    /// The most its weight moves in a second; above 0.
    pub lerp_rate: f32,
    /// Added to what is below, instead of overriding it.
    pub additive: bool,
    /// What it touches.
    pub mask: Option<MaskId>,
    /// The weight while active, as an expression.
    pub weight: Option<CodeId>,
    /// How fast its playheads run, as an expression.
    pub speed: Option<CodeId>,
}

/// A mask: names of bones or objects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mask {
    /// Its name.
    pub name: TextId,
    /// Patterns of what is in it.
    pub include: Run,
    /// Patterns of what is not, although included.
    pub exclude: Run,
}

/// How a playhead goes on at the end of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopMode {
    /// It stays at the end.
    None,
    /// It wraps to the start.
    Loop,
    /// It turns around.
    PingPong,
}

/// An animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Animation {
    /// Its name.
    pub name: TextId,
    /// What the host knows it by.
    pub asset: TextId,
    /// Seconds; `None` where the host gives it.
    pub duration: Option<f32>,
    /// Where it plays when an action starts it.
    pub layer: LayerId,
    /// Its group.
    pub group: Option<GroupId>,
    /// What it does at the end.
    pub loop_mode: LoopMode,
    /// For contention.
    pub priority: i32,
    /// Seconds from 0 to its weight.
    pub fade_in: f32,
    /// Seconds from its weight to 0.
    pub fade_out: f32,
    /// Clip seconds a second; may be negative.
    pub speed: f32,
    /// Above 0, at most 1.
    pub weight: f32,
    /// Whether its equals may replace it before it finishes.
    pub can_interrupt: bool,
    /// Seconds for which nothing replaces it.
    pub min_duration: f32,
    /// Added to the pose.
    pub additive: bool,
    /// Its tags, in `tag_lists`.
    pub tags: Run,
    /// Its markers.
    pub markers: Run,
    /// Its spans.
    pub spans: Run,
    /// Its metadata.
    pub metadata: Run,
    /// Its tracks.
    pub curves: Run,
}

/// A place in a clip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// A share of the clip, 0 to 1.
    Ratio(f32),
    /// Seconds from its start.
    Seconds(f32),
}

/// A marker of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marker {
    /// Its name.
    pub name: TextId,
    /// Where it stands.
    pub at: Place,
}

/// A span of an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Its name.
    pub name: TextId,
    /// The animation it belongs to.
    pub animation: AnimationId,
    /// Where it begins.
    pub from: Place,
    /// Where it ends.
    pub to: Place,
}

/// One entry of an animation's metadata: a number or a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metadata {
    /// Its key.
    pub key: TextId,
    /// Its value.
    pub value: MetadataValue,
}

/// A value of metadata.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MetadataValue {
    /// A number.
    Number(f32),
    /// A text.
    Text(TextId),
    /// A bool.
    Bool(bool),
    /// A color.
    Color(u32),
}
