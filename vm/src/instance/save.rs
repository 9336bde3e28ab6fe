//! Saving and restoring an instance, and the hash of a state.
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

use super::check::{check, room};
use super::sink::{Sink, StateHash};
use super::view::flag;
use super::{ComponentMut, ComponentRef, Instance, reports};
use crate::error::RestoreError;
use crate::ids::BehaviorId;
use crate::program::Program;

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

    /// Like [`save`](Self::save), appended to `bytes`: nothing is allocated where they have room, unless a
    /// large instance (of more than 512 bytes) rests, of which a copy is brought up to date.
    pub fn save_into(&self, bytes: &mut Vec<u8>) {
        bytes.reserve(16 + self.words.len() * 4 + 8);
        let whose = u32::from(VERSION) | u32::from(self.behavior.0) << 16;
        let hash = self.program.hash();
        bytes.words([u32::from_le_bytes(MAGIC), whose, hash as u32, (hash >> 32) as u32]);
        self.with_words_now(|words| put(bytes, &self.program, self.behavior, words, &self.texts));
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
        reader.has(tree.words)?;
        let (mut few, mut many) = ([0; 256], Vec::new());
        let words = room(&mut few, &mut many, tree.words);
        reader.words(words)?;
        let texts: Box<[Option<Arc<str>>]> =
            (0..tree.texts).map(|_| reader.text()).collect::<Result<_, _>>()?;
        let pending = reports::take(&mut reader, &self.program, self.behavior)?;
        if !reader.0.is_empty() {
            return Err(RestoreError::Length);
        }
        for (_, part) in self.program.parts(self.behavior) {
            check(&self.program, part, words, &texts).map_err(RestoreError::Invalid)?;
        }
        self.wake();
        self.words.copy_from_slice(words);
        self.stand();
        self.texts.clone_from_slice(&texts);
        self.await_reports(Some(pending).filter(|pending| !pending.is_empty()));
        Ok(())
    }
}

whole! {
    /// A hash of all that changes, with that of the program: what two machines compare to see whether they still have
    /// the same state.
    ///
    /// It covers what a save holds: equal saves have equal hashes, and saves that differ in one word never have the
    /// same. It is the same on every platform and with every compiler, but not with every version of this crate.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        let mut hash = self.hashed();
        reports::put(&mut hash, self.reports());
        hash.finish()
    }
}

impl ComponentRef<'_> {
    /// As [`Instance::state_hash`], of the component and what is inside it. Reports that wait for the next tick are
    /// the instance's.
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.hashed().finish()
    }
}

impl ComponentMut<'_> {
    /// As [`ComponentRef::state_hash`].
    #[must_use]
    pub fn state_hash(&self) -> u64 {
        self.hashed().finish()
    }
}

reading! {
    fn hashed(&self) -> StateHash {
        let mut hash = StateHash::new(self.program.hash());
        hash.words([u32::from(self.behavior.0)]);
        self.with_words_now(|words| put(&mut hash, &self.program, self.behavior, words, &self.texts));
        hash
    }
}

/// Gives the words and texts of a behavior with all that is inside it.
#[inline]
fn put(
    sink: &mut impl Sink,
    program: &Program,
    behavior: BehaviorId,
    words: &[u32],
    texts: &[Option<Arc<str>>],
) {
    let mut own = |behavior: BehaviorId, at: usize| {
        let count = program.layout(behavior).map_or(0, |layout| layout.words);
        let own = words.get(at..).and_then(|rest| rest.get(..count));
        if let Some((first, rest)) = own.and_then(<[u32]>::split_first) {
            // That there is nothing to decide, or nothing to do at all, is found out anew, not believed.
            sink.block(first & !flag::FOUND, rest);
        }
    };
    own(behavior, 0);
    if program.layout(behavior).is_some_and(|layout| layout.tree.parts > 1) {
        program.parts(behavior).skip(1).for_each(|(_, part)| own(part.behavior, part.words));
    }
    texts.iter().for_each(|text| sink.text(text.as_deref()));
}

/// What is left of a save.
pub(super) struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], RestoreError> {
        let (head, rest) = self.0.split_first_chunk().ok_or(RestoreError::Length)?;
        self.0 = rest;
        Ok(*head)
    }

    /// Refuses a length that cannot be, before memory is taken for it.
    fn has(&self, words: usize) -> Result<(), RestoreError> {
        if self.0.len() / 4 < words { Err(RestoreError::Length) } else { Ok(()) }
    }

    fn words(&mut self, words: &mut [u32]) -> Result<(), RestoreError> {
        let (head, rest) = self.0.split_at_checked(words.len() * 4).ok_or(RestoreError::Length)?;
        for (word, bytes) in words.iter_mut().zip(head.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        self.0 = rest;
        Ok(())
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
