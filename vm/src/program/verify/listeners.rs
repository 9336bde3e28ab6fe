//! Listeners hear what there is: a name stands where a kind of input has one, and what passes on has a target.

use super::{Checked, Context};
use crate::input::Source;
use crate::program::error::LoadErrorKind as Kind;
use crate::program::tables::Behavior;

pub(super) fn check(context: &Context<'_>, rows: &Behavior) -> Checked {
    for (row, listener) in rows.listeners.iter().enumerate() {
        context.row("listeners", row).require(
            listener.target.is_some() || !listener.pass_through,
            Kind::BadListener,
            "nothing lies below the whole scene",
        )?;
    }
    for (row, hear) in rows.hears.iter().enumerate() {
        let (fits, detail) = match hear.input.source() {
            Source::Pointer | Source::Focus => (hear.name.is_none(), "this input has no name"),
            Source::Key => (true, ""),
            Source::Custom => (hear.name.is_some(), "a custom event has a name"),
        };
        context.row("hears", row).require(fits, Kind::BadListener, detail)?;
    }
    Ok(())
}
