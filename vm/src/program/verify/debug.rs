//! The debug section fits the program: a row a behavior, tables of places as long as what they are about.

use super::{Checked, Context};
use crate::program::error::LoadErrorKind;

pub(super) fn check(context: &Context<'_>) -> Checked {
    let Some(debug) = &context.tables.debug else { return Ok(()) };
    let at = context.at("debug", None);
    at.require(
        debug.behaviors.len() == context.tables.behaviors.len(),
        LoadErrorKind::BadDebug,
        "it is about another number of behaviors",
    )?;
    for (row, (rows, places)) in context.tables.behaviors.iter().zip(&debug.behaviors).enumerate() {
        let at = context.row("debug", row);
        for (things, spots) in [
            (rows.params.len(), &places.params),
            (rows.animations.len(), &places.animations),
            (rows.states.len(), &places.states),
            (rows.transitions.len(), &places.transitions),
            (rows.properties.len(), &places.properties),
        ] {
            at.require(
                spots.is_empty() || spots.len() == things,
                LoadErrorKind::BadDebug,
                "a table of places has another length than what it is about",
            )?;
        }
        let mut spots = core::iter::once(&places.at)
            .chain(&places.params)
            .chain(&places.animations)
            .chain(&places.states)
            .chain(&places.transitions)
            .chain(&places.properties);
        at.require(
            spots.all(|spot| (spot.file as usize) < debug.files.len() || spot.line == 0 && spot.file == 0),
            LoadErrorKind::BadDebug,
            "a place is in a file that is not listed",
        )?;
    }
    Ok(())
}
