//! Properties that tracks animate, and the tracks.

use motix_vm::easing::Easing;
use motix_vm::ids::PropertyId;

use super::{Literal, Ty};
use crate::intern::Symbol;
use crate::source::Span;

/// A property of a target.
#[derive(Clone, Debug)]
pub struct Property {
    /// The object.
    pub target: Symbol,
    /// Which of its properties.
    pub name: Symbol,
    /// Number or color.
    pub ty: Ty,
    /// Its first mention: target and name.
    pub span: Span,
    /// The value that says of which type it is.
    pub typed: Span,
    /// Its `Rest`, and where that stands.
    pub rest: Option<(Literal, Span)>,
}

/// The keyframes of a property in an animation.
#[derive(Clone, Debug)]
pub struct Track {
    /// The property.
    pub property: PropertyId,
    /// Whether its places are seconds; else they are shares of the clip.
    pub seconds: bool,
    /// Ascending; never empty.
    pub keys: Vec<Key>,
    /// Its target and property in source.
    pub span: Span,
}

/// A keyframe.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its place.
    pub at: f32,
    /// Its value.
    pub value: Literal,
    /// The way to the next.
    pub easing: Easing,
}
