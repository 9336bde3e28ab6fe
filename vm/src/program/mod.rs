//! A program: what the compiler made and the runtime runs.
//!
//! A [`Program`] is immutable and was verified: every id is in range, every block of code ends and leaves the stack
//! as it says, every number is finite and in its range. It knows nothing of instances.

use alloc::vec::Vec;

use crate::ids::{BehaviorId, CodeId, ParamId, TextId};

mod asked;
pub(crate) mod checks;
mod components;
mod container;
pub mod debug;
pub mod disasm;
mod envelope;
mod error;
pub mod layout;
pub mod limits;
mod lookup;
pub(crate) mod masks;
mod names;
mod paths;
pub(crate) mod properties;
mod reads;
pub mod tables;
pub(crate) mod tracks;
pub(crate) mod tree;
mod verify;

pub use self::components::Clip;
pub(crate) use self::envelope::Fnv;
pub use self::envelope::{MAGIC, Section, VERSION, sections};
pub use self::error::{LoadError, LoadErrorKind, Place};
pub use self::lookup::{
    BehaviorRef, BoolParam, ColorParam, EnumParam, NumberParam, ParamInfo, TextParam, TriggerParam,
};
pub use self::masks::Region;
pub use self::names::{LookupError, UnknownName};
pub use self::properties::PropertyInfo;

/// A verified program. Behaviors keep their rows; the rows can be trusted.
#[derive(Debug)]
pub struct Program {
    tables: tables::Tables,
    /// The rows of the text table in the order of the texts.
    text_order: Vec<u32>,
    /// For each behavior, what is known of its blocks.
    facts: Vec<Vec<verify::CodeFacts>>,
    /// For each behavior, where an instance's words are.
    layouts: Vec<layout::Layout>,
    hash: u64,
}

/// How a program is written to a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeOptions {
    /// Without the debug section.
    pub strip: bool,
}

impl Program {
    /// Checks tables and takes them.
    ///
    /// # Errors
    ///
    /// The first rule that the tables break, with the place where they do.
    pub fn verify(tables: tables::Tables) -> Result<Self, LoadError> {
        let text_order = verify::texts(&tables)?;
        let order = verify::components(&tables)?;
        let facts = verify::behaviors(&tables, &order)?;
        let (hash, size) = container::hash(&tables);
        verify::file_size(&tables, size + container::debug_size(&tables))?;
        let tied = tied_triggers(&tables);
        let mut layouts: Vec<layout::Layout> = (tables.behaviors.iter().zip(&facts).zip(&tied))
            .map(|((rows, facts), tied)| {
                layout::Layout::of(rows, facts, masks::Touches::of(&tables, rows), tied)
            })
            .collect();
        for behavior in order {
            let tree = tree::place(&tables, &mut layouts, behavior);
            verify::tree(&tables, behavior, &tree.unwrap_or_default())?;
        }
        Ok(Self { tables, text_order, facts, layouts, hash })
    }

    /// Reads a `.motixb` file and verifies it. Takes memory of a small multiple of the file's size, whatever it holds.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, with its place; of a file of a newer format, that it is newer.
    pub fn load(bytes: &[u8]) -> Result<Self, LoadError> {
        let loaded = container::decode(bytes).and_then(Self::verify);
        loaded.map_err(|error| envelope::of_its_version(bytes, error))
    }

    /// Writes the program as a `.motixb` file. Equal programs give equal bytes.
    #[must_use]
    pub fn encode(&self, options: EncodeOptions) -> Vec<u8> {
        container::encode(&self.tables, options.strip)
    }

    /// A hash of everything but the debug section: a save belongs to the program with the same one.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// All rows.
    #[must_use]
    pub fn tables(&self) -> &tables::Tables {
        &self.tables
    }

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

    /// Where the words of a behavior's instances are.
    #[must_use]
    pub fn layout(&self, id: BehaviorId) -> Option<&layout::Layout> {
        self.layouts.get(id.index())
    }

    /// A text of the text table; empty for an id of another program.
    #[must_use]
    pub fn text(&self, id: TextId) -> &str {
        self.tables.texts.get(id.index()).map_or("", |text| text.as_str())
    }

    /// The id of a text, if the program holds it.
    #[must_use]
    pub fn text_id(&self, text: &str) -> Option<TextId> {
        let found = self.text_order.binary_search_by(|row| self.text(TextId(*row)).cmp(text)).ok()?;
        self.text_order.get(found).copied().map(TextId)
    }

    /// The most values that a block has on the stack, those of blocks it calls included; at most
    /// [`Limit::Stack`](limits::Limit::Stack).
    #[must_use]
    pub fn stack_depth(&self, behavior: BehaviorId, code: CodeId) -> usize {
        self.code_facts(behavior, code).map_or(0, |known| known.stack.into())
    }

    /// The most operations that a block runs, those of blocks it calls included; at most
    /// [`Limit::Cost`](limits::Limit::Cost).
    #[must_use]
    pub fn cost(&self, behavior: BehaviorId, code: CodeId) -> usize {
        self.code_facts(behavior, code).map_or(0, |known| known.cost as usize)
    }

    fn code_facts(&self, behavior: BehaviorId, code: CodeId) -> Option<&verify::CodeFacts> {
        self.facts.get(behavior.index())?.get(code.index())
    }
}

/// For each behavior, the triggers that binds tie to others, its own binds or those of behaviors around it.
fn tied_triggers(tables: &tables::Tables) -> Vec<Vec<ParamId>> {
    let mut tied: Vec<Vec<ParamId>> = alloc::vec![Vec::new(); tables.behaviors.len()];
    for (outer, rows) in tables.behaviors.iter().enumerate() {
        for component in &rows.components {
            for bind in component.binds.of(&rows.binds) {
                let is_trigger = rows
                    .params
                    .get(bind.param.index())
                    .is_some_and(|param| param.ty == tables::Type::Trigger);
                for (behavior, param) in [(outer, bind.param), (component.behavior.index(), bind.inner)] {
                    if let Some(tied) = tied.get_mut(behavior).filter(|_| is_trigger) {
                        tied.push(param);
                    }
                }
            }
        }
    }
    tied
}
