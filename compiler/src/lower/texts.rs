//! The text table of a program: each text once, in order of first use.

use crate::hash::HashMap;

use motix_vm::ids::TextId;

/// The table while it is built.
#[derive(Debug, Default)]
pub(super) struct Texts {
    ids: HashMap<String, TextId>,
    rows: Vec<String>,
}

impl Texts {
    /// The id of a text.
    pub(super) fn id(&mut self, text: &str) -> TextId {
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = TextId(self.rows.len() as u32);
        self.rows.push(text.to_owned());
        self.ids.insert(text.to_owned(), id);
        id
    }

    pub(super) fn into_rows(self) -> Vec<String> {
        self.rows
    }
}
