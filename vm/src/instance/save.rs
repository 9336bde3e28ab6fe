//! Saving and restoring an instance.
//!
//! A save is the block, behind a head that says whose it is, and before it ends the texts and reports that stand
//! beside the block. It is restored as a whole or not at all. Carrying an instance to a changed program is not here.
//!
//! Layout, all little endian: `MXSV`, version u16, behavior u16, program hash u64, the words; for each text of the
//! host its length plus 1 as u32 (0 for none) and its bytes; the number of reports u32, how many were lost u32, and
//! for each report five words: kind, two ids, count, component.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::check::check;
use super::view::flag;
use super::{Instance, PENDING};
use crate::error::RestoreError;
use crate::frame::{EventKind, Output};
use crate::ids::{AnimationId, BehaviorId, ComponentId, MachineId, MarkerId, SpanId, StateId};
use crate::program::Program;
use crate::program::tables::Behavior;

const MAGIC: [u8; 4] = *b"MXSV";
const VERSION: u16 = 1;

impl Instance {
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
            // That there is nothing to decide is found out anew, not believed.
            let first = parts.next_if_eq(&index).is_some();
            put(if first { *word & !flag::QUIET } else { *word });
        }
        for text in &self.texts {
            let text = text.as_deref();
            let len = text.map_or(0, |text| u32::try_from(text.len() + 1).unwrap_or(0));
            bytes.extend_from_slice(&len.to_le_bytes());
            bytes.extend_from_slice(text.filter(|_| len > 0).unwrap_or("").as_bytes());
        }
        let mut put = |word: u32| bytes.extend_from_slice(&word.to_le_bytes());
        let pending = self.pending.as_deref();
        let events = pending.map_or(&[][..], |pending| &pending.events);
        put(u32::try_from(events.len()).unwrap_or(0));
        put(pending.map_or(0, |pending| pending.lost));
        for event in events {
            let (kind, a, b) = report_words(event.kind);
            put(kind);
            put(u32::from(a));
            put(u32::from(b));
            put(event.count);
            put(event.component.0);
        }
    }

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
        let pending = reports(&mut reader, &self.program, self.behavior)?;
        if !reader.0.is_empty() {
            return Err(RestoreError::Length);
        }
        for (_, part) in self.program.parts(self.behavior) {
            check(&self.program, part, &words, &texts).map_err(RestoreError::Invalid)?;
        }
        self.words = words;
        self.texts = texts;
        self.pending = Some(Box::new(pending));
        Ok(())
    }
}

struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], RestoreError> {
        let (head, rest) = self.0.split_first_chunk().ok_or(RestoreError::Length)?;
        self.0 = rest;
        Ok(*head)
    }

    fn word(&mut self) -> Result<u32, RestoreError> {
        self.array().map(u32::from_le_bytes)
    }

    fn text(&mut self) -> Result<Option<Arc<str>>, RestoreError> {
        let Some(len) = self.word()?.checked_sub(1) else { return Ok(None) };
        let (head, rest) = self.0.split_at_checked(len as usize).ok_or(RestoreError::Length)?;
        self.0 = rest;
        let text = core::str::from_utf8(head).map_err(|_| RestoreError::Invalid("a text"))?;
        Ok(Some(Arc::from(text)))
    }
}

/// What commands report, as words: a kind and two ids.
fn report_words(kind: EventKind) -> (u32, u16, u16) {
    match kind {
        EventKind::Play { animation } => (1, animation.0, 0),
        EventKind::Stop { animation } => (2, animation.0, 0),
        EventKind::Reject { animation } => (3, animation.0, 0),
        EventKind::Defer { animation } => (4, animation.0, 0),
        EventKind::Marker { animation, marker } => (5, animation.0, marker.0),
        EventKind::SpanBegin { animation, span } => (6, animation.0, span.0),
        EventKind::SpanEnd { animation, span } => (7, animation.0, span.0),
        EventKind::Dropped { machine, state } => (8, machine.0, state.0),
        // Commands report nothing else but that they were too many.
        _ => (0, 0, 0),
    }
}

fn reports(reader: &mut Reader<'_>, program: &Program, behavior: BehaviorId) -> Result<Output, RestoreError> {
    let mut pending = Output::new(PENDING);
    let count = reader.word()? as usize;
    pending.lost = reader.word()?;
    if count > PENDING {
        return Err(RestoreError::Invalid("a report"));
    }
    for _ in 0..count {
        let (kind, a, b, count) = (reader.word()?, reader.word()?, reader.word()?, reader.word()?);
        let (Ok(a), Ok(b)) = (u16::try_from(a), u16::try_from(b)) else {
            return Err(RestoreError::Invalid("a report"));
        };
        let component = ComponentId(reader.word()?);
        let rows = program.part(behavior, component).and_then(|part| program.behavior(part.behavior));
        let kind = rows
            .and_then(|rows| report(rows, kind, a, b))
            .filter(|report| count == 1 && report_words(*report) == (kind, a, b))
            .ok_or(RestoreError::Invalid("a report"))?;
        pending.component = component;
        pending.push(0.0, kind, count);
    }
    Ok(pending)
}

fn report(rows: &Behavior, kind: u32, a: u16, b: u16) -> Option<EventKind> {
    let animation = AnimationId(a);
    let row = rows.animations.get(animation.index());
    let (marker, span) = (MarkerId(b), SpanId(b));
    Some(match kind {
        0 => EventKind::ChainLimit { machine: None },
        1 if row.is_some() => EventKind::Play { animation },
        2 if row.is_some() => EventKind::Stop { animation },
        3 if row.is_some() => EventKind::Reject { animation },
        4 if row.is_some() => EventKind::Defer { animation },
        5 if row?.markers.indices().contains(&marker.index()) => EventKind::Marker { animation, marker },
        6 if row?.spans.indices().contains(&span.index()) => EventKind::SpanBegin { animation, span },
        7 if row?.spans.indices().contains(&span.index()) => EventKind::SpanEnd { animation, span },
        8 if rows.states.get(usize::from(b))?.machine == MachineId(a) => {
            EventKind::Dropped { machine: MachineId(a), state: StateId(b) }
        }
        _ => return None,
    })
}
