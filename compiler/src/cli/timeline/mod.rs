//! A played behavior, shown: as a timeline for people, as lines for tools.
//!
//! Recording and showing are apart: [`Recording`] is plain data, [`render`], [`json`] and [`csv`] are pure functions
//! of it.

mod draw;
mod events;
mod lines;
mod recording;
mod style;

pub use draw::render;
pub use lines::{csv, json};
pub use recording::{
    Animation, Happening, Machine, Mark, MarkKind, Param, ParamValue, Playing, Recording, Tick,
};
pub use style::{MAX_WIDTH, MIN_WIDTH, Style};
