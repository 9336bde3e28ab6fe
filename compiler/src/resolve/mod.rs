//! Resolving: which files belong together, and which name stands for what.
//!
//! [`load`] follows `Use` through the loader. [`FileScopes`] holds what each file declares and what it brings in,
//! [`Reuse`] what each behavior inherits, [`Scope`] what a behavior declares, in one pass over its block and in any order of declaration. Names get ids
//! here; whether a name is used where it may is the checker's business. Nothing iterates over a hash map.

mod behaviors;
mod files;
mod reuse;
mod rings;
mod scope;
mod states;
mod uses;
mod words;

pub use behaviors::unknown_behavior;
pub use files::{ConstRow, EnumRow, FileScopes, Found};
pub use reuse::{Inheritance, Removed, RemovedNames, Reuse, Space};
pub use rings::{Order, order};
pub(crate) use scope::saturate;
pub use scope::{
    Again, Anim, Declaration, Inside, LayerRow, MachineRow, Nested, Scope, StateRow, TagSet, ValueRef,
    ValueRow,
};
pub use states::{Seat, StateLookup, States};
pub use uses::{Loaded, LoadedFile, Parse, UseEdge, load};
pub use words::unread_words;

use crate::hash::HashMap;

use crate::ast::Name;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::intern::{Interner, Symbol};
use crate::source::Span;

/// The places of names of one kind, to report those that are declared twice.
#[derive(Debug, Default)]
pub struct Declared {
    first: HashMap<Symbol, Span>,
}

impl Declared {
    /// Whether the name is new; one that is not was reported, `what` being `state`, `parameter`, ...
    pub fn declare(
        &mut self,
        what: &str,
        name: Name,
        names: &Interner,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        match self.first.entry(name.symbol) {
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(name.span);
                true
            }
            std::collections::hash_map::Entry::Occupied(first) => {
                diagnostics.push(duplicate(what, names.text(name.symbol), *first.get(), name.span));
                false
            }
        }
    }
}

/// The report of a name that is declared twice.
#[must_use]
pub fn duplicate(what: &str, name: &str, first: Span, second: Span) -> Diagnostic {
    let help = match what {
        "layer" => {
            "all of a layer stands in one block: put what is in this one there, or give it another name"
        }
        _ => "give one of them another name, or remove it",
    };
    Diagnostic::new(
        Code::DuplicateName,
        format!("the {what} `{name}` is declared twice"),
        second,
        "declared again here",
    )
    .label(first, "first declared here")
    .help(help)
}
