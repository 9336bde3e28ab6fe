//! Saving and restoring an instance.
//!
//! A save is the block, behind a head that says whose it is, and before it ends the texts and reports that stand
//! beside the block. It is restored as a whole or not at all. Carrying an instance to a changed program is not here.
//!
//! Layout, all little endian: `MXSV`, version u16, behavior u16, program hash u64, the words; for each text of the
//! host its length plus 1 as u32 (0 for none) and its bytes; the number of reports u32, how many were lost u32, and
//! the reports.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::check::check;
use super::view::flag;
use super::{Instance, reports};
use crate::error::RestoreError;

const MAGIC: [u8; 4] = *b"MXSV";
const VERSION: u16 = 1;

whole! {
    /// All that changes, as bytes. Restored into an instance of the same program and behavior, it goes on bit for
    /// bit.
    #[must_use]
    pub fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.save_into(&mut bytes);
        bytes
    }

    /// Like [`save`](Self::save), appended to `bytes`.
    pub fn save_into(&self, bytes: &mut Vec<u8>) {
        bytes.reserve(16 + self.words.len() * 4 + 8);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&self.behavior.0.to_le_bytes());
        bytes.extend_from_slice(&self.program.hash().to_le_bytes());
        let mut put = |word: u32| bytes.extend_from_slice(&word.to_le_bytes());
        let mut parts = self.program.parts(self.behavior).map(|(_, part)| part.words).peekable();
        for (index, word) in self.words.iter().enumerate() {
            // That there is nothing to decide, or nothing to do at all, is found out anew, not believed.
            let first = parts.next_if_eq(&index).is_some();
            put(if first { *word & !flag::FOUND } else { *word });
        }
        for text in self.texts.iter() {
            put_text(bytes, text.as_deref());
        }
        reports::put(bytes, self.reports());
    }
}

whole_acting! {
    /// Takes on a saved state of the same program and behavior.
    ///
    /// # Errors
    ///
    /// The bytes are no save, of another program or behavior, or hold what no instance can be: nothing changes then.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        let Some(tree) = self.program.layout(self.behavior).map(|layout| layout.tree) else {
            return Err(RestoreError::OtherBehavior);
        };
        let mut reader = Reader(bytes);
        if reader.array::<4>() != Ok(MAGIC) {
            return Err(RestoreError::NotASave);
        }
        let version = u16::from_le_bytes(reader.array()?);
        if version != VERSION {
            return Err(RestoreError::Version(version));
        }
        let behavior = u16::from_le_bytes(reader.array()?);
        let (saved, here) = (u64::from_le_bytes(reader.array()?), self.program.hash());
        if saved != here {
            return Err(RestoreError::OtherProgram { saved, here });
        }
        if behavior != self.behavior.0 {
            return Err(RestoreError::OtherBehavior);
        }
        // Their number is this program's, not the save's.
        let words: Box<[u32]> = (0..tree.words).map(|_| reader.word()).collect::<Result<_, _>>()?;
        let texts: Box<[Option<Arc<str>>]> =
            (0..tree.texts).map(|_| reader.text()).collect::<Result<_, _>>()?;
        let pending = reports::take(&mut reader, &self.program, self.behavior)?;
        if !reader.0.is_empty() {
            return Err(RestoreError::Length);
        }
        for (_, part) in self.program.parts(self.behavior) {
            check(&self.program, part, &words, &texts).map_err(RestoreError::Invalid)?;
        }
        self.words.copy_from_slice(&words);
        self.texts.clone_from_slice(&texts);
        *self.kept() = Some(Box::new(pending));
        Ok(())
    }
}

/// Appends a text of the host: its length plus 1 and its bytes, or 0 for none.
pub(super) fn put_text(bytes: &mut Vec<u8>, text: Option<&str>) {
    let len = text.map_or(0, |text| u32::try_from(text.len() + 1).unwrap_or(0));
    bytes.extend_from_slice(&len.to_le_bytes());
    bytes.extend_from_slice(text.filter(|_| len > 0).unwrap_or("").as_bytes());
}

/// What is left of a save.
pub(super) struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], RestoreError> {
        let (head, rest) = self.0.split_first_chunk().ok_or(RestoreError::Length)?;
        self.0 = rest;
        Ok(*head)
    }

    pub(super) fn word(&mut self) -> Result<u32, RestoreError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn text(&mut self) -> Result<Option<Arc<str>>, RestoreError> {
        let Some(len) = self.word()?.checked_sub(1) else { return Ok(None) };
        let (head, rest) = self.0.split_at_checked(len as usize).ok_or(RestoreError::Length)?;
        self.0 = rest;
        let text = core::str::from_utf8(head).map_err(|_| RestoreError::Invalid("a text"))?;
        Ok(Some(Arc::from(text)))
    }
}
