//! The runtime of Motix: it loads a compiled behavior, ticks it every frame, and says which clips to show, at which
//! time, with which weight, and what happened.
//!
//! The whole of embedding it:
//!
//! ```
//! use std::sync::Arc;
//! use motix_vm::{EventKind, Frame, Instance, Program, Setup};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // What `motixc build humanoid.motix` wrote: idle, walk, run and jump. Loading verifies it, whatever the bytes are.
//! let program = Arc::new(Program::load(include_bytes!("../tests/golden/humanoid.motixb"))?);
//!
//! // Names are looked up once; a wrong one is an error that offers the nearest.
//! let humanoid = program.find("Humanoid")?;
//! let (move_magnitude, walk_speed) = (humanoid.number("moveMagnitude")?, humanoid.number("walkSpeed")?);
//! let (jump, base) = (humanoid.state("Jump")?, humanoid.layer("Base")?);
//! let main = humanoid.main_machine().ok_or("it has states")?;
//!
//! // One instance a character, one frame for all: it is filled by each tick.
//! let mut instance = Instance::new(&program, humanoid.id(), &Setup { seed: 1, ..Setup::default() })?;
//! let mut frame = Frame::new();
//!
//! for tick in 0..60 {
//!     // What the game knows goes in. A number is clamped to its range.
//!     instance.set_number(move_magnitude, if tick < 10 { 0.0 } else { 1.0 })?;
//!     instance.set_number(walk_speed, if tick < 30 { 16.0 } else { 20.0 })?;
//!     if tick == 45 {
//!         instance.request(jump, 100)?; // a manual transition: it comes before any condition
//!     }
//!
//!     instance.tick(1.0 / 60.0, &mut frame)?;
//!
//!     // What happened comes out, in the order of time...
//!     for event in frame.events() {
//!         match event.kind {
//!             EventKind::Enter { state, .. } => println!("{tick}: in {}", humanoid.state_name(state)),
//!             EventKind::Audio { asset } => println!("{tick}: play {}", program.text(asset)),
//!             _ => {}
//!         }
//!     }
//!     // ...and what to show: hand it to the engine.
//!     for sample in instance.samples() {
//!         let clip = humanoid.clip(sample.component, sample.animation).ok_or("it is of this behavior")?;
//!         println!("{tick}: {} at {:.2} s, weight {:.2}", clip.asset, sample.time, sample.weight);
//!     }
//!     assert_eq!(instance.layer_weight(base), 1.0);
//! }
//! assert_eq!(instance.state(main), Some(jump));
//!
//! // A save is bytes; restored, it goes on bit for bit.
//! let save = instance.save();
//! instance.tick(0.5, &mut frame)?;
//! instance.restore(&save)?;
//! assert_eq!(instance.save(), save);
//! # Ok(())
//! # }
//! ```
//!
//! # What it promises
//!
//! - **Nothing panics, hangs or grows without bound**, whatever the bytes, the program or the calls. A tick's work has
//!   a limit; past it, it reports [`EventKind::ChainLimit`] and decides nothing more.
//! - **A tick allocates nothing**, but for events when a frame never held so many.
//! - **The same program, inputs, `dt`s and seed give the same bits** on every platform: no clock, no platform
//!   arithmetic.
//! - **Ticks may be of any length.** Animations end, fades end and lifetimes run out at their own moments within a
//!   tick, so that one tick of a second is sixty of a sixtieth.
//! - **All that changes is one flat block**: small to keep, quick to copy. The program is shared between threads.
//!
//! # Where things are
//!
//! - [`program`]: loading, verification, names, the tables of the bytecode, the text form of a program
//! - [`instance`]: everything a host does with a running behavior
//! - [`crowd`]: many instances of one behavior, ticked together
//! - [`frame`]: what a tick reports
//! - [`input`]: what listeners hear
//! - [`value`], [`error`], [`ids`]: what these speak in
//! - [`op`], [`builtin`], [`easing`]: the operations, functions and easings of the bytecode, one row each; [`float`]:
//!   their arithmetic;
//!   [`plane`]: that of blends
//!
//! The crate needs `alloc` and no `std`. It does not know the language: that is the compiler's, which depends on it.
#![no_std]
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

extern crate alloc;

pub mod builtin;
pub mod crowd;
pub mod easing;
pub mod error;
mod eval;
pub mod float;
pub mod frame;
pub mod ids;
pub mod input;
pub mod instance;
pub mod op;
mod place;
pub mod plane;
pub mod program;
mod rng;
mod tick;
mod time;
pub mod value;

pub use crowd::{Crowd, CrowdFrame, CrowdHost};
pub use frame::{Event, EventKind, Frame};
pub use input::{Hit, Input, InputKind, PointerInput, PointerKind};
pub use instance::{
    ComponentMut, ComponentRef, Globals, Host, Instance, Lost, MemberMut, MemberRef, MigrationReport, Sample,
    Setup, StopMode, Values,
};
pub use program::{BehaviorRef, Program, Region, disasm};
pub use value::{Color, EventValue, Value};
