//! A program: what the compiler made and the runtime runs.
//!
//! A [`Program`] is immutable and was verified: every id is in range, every block of code ends and leaves the stack
//! as it says, every number is finite and in its range. It knows nothing of instances.

use crate::ids::{BehaviorId, TextId};

pub mod tables;

/// A verified program.
#[derive(Debug)]
pub struct Program {
    tables: tables::Tables,
}

impl Program {
    /// The rows of the behaviors.
    #[must_use]
    pub fn behaviors(&self) -> &[tables::Behavior] {
        &self.tables.behaviors
    }

    /// The rows of one behavior.
    #[must_use]
    pub fn behavior(&self, id: BehaviorId) -> Option<&tables::Behavior> {
        self.tables.behaviors.get(id.index())
    }

    /// A text of the text table; empty for an id of another program.
    #[must_use]
    pub fn text(&self, id: TextId) -> &str {
        self.tables.texts.get(id.index()).map_or("", |text| text.as_str())
    }
}
