//! Keyframes: what animations do to properties of the host's objects, beside or instead of an asset.
//!
//! A [`Curve`] is a `Track` of the language. (What machines have is called a track in the runtime.)

use super::{Run, Type};
use crate::easing::Easing;
use crate::ids::{PropertyId, TextId};

/// A property of a target: what tracks are of. Target and name together are its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Property {
    /// The object, by the host's name.
    pub target: TextId,
    /// Which of its properties.
    pub name: TextId,
    /// Number or color.
    pub ty: Type,
    /// The word of its value where no playing clip has a track for it; 0 (also a transparent color) where none is
    /// declared.
    pub rest: Option<u32>,
}

/// The keyframes of a property in an animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The property.
    pub property: PropertyId,
    /// Whether the places of its keys are seconds from the start of the clip; else they are shares of it.
    pub seconds: bool,
    /// The keys, by ascending place; at least one.
    pub keys: Run,
}

/// A keyframe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Where it stands.
    pub at: f32,
    /// The word of its value.
    pub value: u32,
    /// The way to the next key.
    pub easing: Easing,
}
