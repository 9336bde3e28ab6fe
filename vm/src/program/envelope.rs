//! The outside of a `.motixb` file: magic, version, checksum, and a table of sections. No allocation but one list.
//!
//! All numbers are little endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | magic `MOTIXB\r\n` |
//! | 2, 2 | format version: major, minor |
//! | 8 | checksum: FNV-1a, 64 bits, of all other bytes |
//! | 4 | number of sections |
//! | 16 each | a section: kind, flags (bit 0: required), offset in the file, length |
//! | ... | the sections, in the order of the table, without gaps |
//!
//! A reader refuses another major version and sections that it does not know and that are required; it reads newer
//! minor versions, and skips unknown sections that are not required.

use alloc::vec::Vec;

use super::error::{LoadError, LoadErrorKind as Kind, Place};
use super::limits::Limit;

/// What every file begins with. The line end shows a transfer that "mended" it.
pub const MAGIC: [u8; 8] = *b"MOTIXB\r\n";

/// The format's version: `(major, minor)`.
pub const VERSION: (u16, u16) = (1, 0);

const REQUIRED: u32 = 1;
const HEADER: usize = 24;
const ROW: usize = 16;

/// A section of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'b> {
    /// What it holds, by number.
    pub kind: u32,
    /// Whether a reader must know it.
    pub required: bool,
    /// Where it begins in the file.
    pub offset: usize,
    /// Its bytes.
    pub body: &'b [u8],
}

impl Section<'_> {
    /// What it holds, by name; `None` for a kind of a newer format.
    #[must_use]
    pub fn name(&self) -> Option<&'static str> {
        SectionKind::by_number(self.kind).map(SectionKind::name)
    }
}

macro_rules! section_kinds {
    ($( $name:ident = $number:literal $text:literal $required:literal; )+) => {
        /// The sections of this format.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum SectionKind { $( $name, )+ }

        impl SectionKind {
            const ALL: &'static [SectionKind] = &[ $( SectionKind::$name, )+ ];

            fn by_number(number: u32) -> Option<Self> {
                match number { $( $number => Some(Self::$name), )+ _ => None }
            }

            pub(super) const fn number(self) -> u32 {
                match self { $( Self::$name => $number, )+ }
            }

            pub(super) const fn name(self) -> &'static str {
                match self { $( Self::$name => $text, )+ }
            }

            /// Whether a file without it is refused.
            const fn required(self) -> bool {
                match self { $( Self::$name => $required, )+ }
            }
        }
    };
}

section_kinds! {
    Texts = 1 "texts" true;
    Behaviors = 2 "behaviors" true;
    Debug = 3 "debug" false;
}

/// FNV-1a with 64 bits: finds damage, not malice; the verifier is there for that.
#[derive(Clone, Copy)]
pub(crate) struct Fnv(pub(crate) u64);

impl Fnv {
    pub(crate) const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}

fn error(kind: Kind, detail: impl Into<alloc::string::String>, offset: usize) -> LoadError {
    LoadError::new(kind, detail, Place { offset: Some(offset as u64), ..Place::default() })
}

/// Takes a number from the front of `bytes`.
fn take<const N: usize>(bytes: &[u8], offset: usize) -> Result<[u8; N], LoadError> {
    bytes
        .get(offset..)
        .and_then(|rest| rest.first_chunk())
        .copied()
        .ok_or_else(|| error(Kind::Truncated, "", bytes.len()))
}

fn take_u32(bytes: &[u8], offset: usize) -> Result<u32, LoadError> {
    take(bytes, offset).map(u32::from_le_bytes)
}

/// The sections of a file, known or not, in its order: what a tool lists.
///
/// # Errors
///
/// Whatever is wrong with the file before the contents of its sections.
pub fn sections(bytes: &[u8]) -> Result<Vec<Section<'_>>, LoadError> {
    if bytes.len() > Limit::FileBytes.value() {
        let detail = alloc::format!("here it is {}", bytes.len());
        return Err(LoadError::new(Kind::Limit(Limit::FileBytes), detail, Place::default()));
    }
    magic(bytes)?;
    let major = u16::from_le_bytes(take(bytes, 8)?);
    let minor = u16::from_le_bytes(take(bytes, 10)?);
    if major > VERSION.0 {
        let detail = alloc::format!(
            "it has format {major}.{minor}, this runtime reads format {}: update motix-vm, or compile the source \
             with the motixc that belongs to this runtime",
            VERSION.0
        );
        return Err(error(Kind::NewerFormat, detail, 8));
    }
    if major < VERSION.0 {
        return Err(error(Kind::Malformed, alloc::format!("there never was a format {major}.{minor}"), 8));
    }
    let claimed = u64::from_le_bytes(take(bytes, 12)?);
    let count = take_u32(bytes, 20)? as usize;
    if let Some(size) = declared_size(bytes, count).filter(|size| *size > bytes.len()) {
        let detail = alloc::format!("its header tells of {size} bytes, and there are {}", bytes.len());
        return Err(error(Kind::Truncated, detail, bytes.len()));
    }
    if claimed != checksum(bytes) {
        return Err(error(Kind::Damaged, "", 12));
    }
    if count > Limit::Sections.value() {
        let detail = alloc::format!("here it is {count}");
        return Err(error(Kind::Limit(Limit::Sections), detail, 20));
    }
    let mut end = HEADER + count * ROW;
    let mut sections: Vec<Section<'_>> = Vec::with_capacity(count);
    for row in 0..count {
        let at = HEADER + row * ROW;
        let kind = take_u32(bytes, at)?;
        let required = take_u32(bytes, at + 4)? & REQUIRED != 0;
        let offset = take_u32(bytes, at + 8)? as usize;
        let length = take_u32(bytes, at + 12)? as usize;
        if offset != end {
            let detail = alloc::format!("section {row} begins at byte {offset}, must begin at byte {end}");
            return Err(error(Kind::SectionLayout, detail, at));
        }
        let body = offset.checked_add(length).and_then(|end| bytes.get(offset..end));
        let Some(body) = body else {
            let detail = alloc::format!("section {row} claims {length} bytes");
            return Err(error(Kind::Truncated, detail, bytes.len()));
        };
        if sections.iter().any(|other| other.kind == kind) {
            return Err(error(Kind::DuplicateSection, alloc::format!("kind {kind}"), at));
        }
        end = offset + length;
        sections.push(Section { kind, required, offset, body });
    }
    if end < bytes.len() {
        return Err(error(Kind::TrailingBytes, alloc::format!("{} of them", bytes.len() - end), end));
    }
    Ok(sections)
}

/// How long a file is by its header and the part of its table that is there, so that one that was cut off can be told
/// from one with other damage; `None` where these do not fit together.
fn declared_size(bytes: &[u8], count: usize) -> Option<usize> {
    if count > Limit::Sections.value() {
        return None;
    }
    let mut end = HEADER + count * ROW;
    for row in 0..count {
        let at = HEADER + row * ROW;
        let Ok(length) = take_u32(bytes, at + 12) else { break };
        if take_u32(bytes, at + 8).ok()? as usize != end {
            return None;
        }
        end = end.checked_add(length as usize)?;
    }
    Some(end)
}

/// What to say of a file that is whole, but of a newer minor version, and holds what this one does not know.
pub(super) fn of_its_version(bytes: &[u8], error: LoadError) -> LoadError {
    let known = matches!(error.kind(), Kind::NotMotix | Kind::NewerFormat);
    let whole = !known && take(bytes, 12).map(u64::from_le_bytes) == Ok(checksum(bytes));
    match take(bytes, 10).map(u16::from_le_bytes) {
        Ok(minor) if whole && minor > VERSION.1 => {
            let detail = alloc::format!(
                "it has format {}.{minor}, this runtime knows {}.{} and does not understand all of it ({error}): update \
                 motix-vm, or compile the source with the motixc that belongs to this runtime",
                VERSION.0,
                VERSION.0,
                VERSION.1
            );
            LoadError::new(Kind::NewerFormat, detail, Place::default())
        }
        _ => error,
    }
}

fn magic(bytes: &[u8]) -> Result<(), LoadError> {
    if bytes.starts_with(&MAGIC) {
        return Ok(());
    }
    if !bytes.is_empty() && MAGIC.starts_with(bytes) {
        return Err(error(Kind::Truncated, "", bytes.len()));
    }
    let detail = if bytes.is_empty() {
        "it is empty"
    } else if bytes.starts_with(b"MOTIXB\n") || bytes.starts_with(b"MOTIXB\r\r\n") {
        "its line ends were changed, as for a text file; a compiled program must be copied as it is"
    } else {
        "it does not begin with `MOTIXB`; a `.motix` source is compiled first"
    };
    Err(error(Kind::NotMotix, detail, 0))
}

/// Of all bytes but itself.
fn checksum(bytes: &[u8]) -> u64 {
    let mut fnv = Fnv::new();
    fnv.write(bytes.get(..12).unwrap_or_default());
    fnv.write(bytes.get(20..).unwrap_or_default());
    fnv.0
}

/// The known sections of a file, each once.
pub(super) struct Known<'b> {
    sections: Vec<Section<'b>>,
}

impl<'b> Known<'b> {
    /// Reads the table; refuses what a reader must know and does not, and what it needs and is not there.
    pub(super) fn read(bytes: &'b [u8]) -> Result<Self, LoadError> {
        let sections = sections(bytes)?;
        for (row, section) in sections.iter().enumerate() {
            if section.required && section.name().is_none() {
                let detail = alloc::format!("kind {}: update motix-vm", section.kind);
                return Err(error(Kind::UnknownSection, detail, HEADER + row * ROW));
            }
        }
        for kind in SectionKind::ALL.iter().filter(|kind| kind.required()) {
            if !sections.iter().any(|section| section.kind == kind.number()) {
                let place = Place { section: Some(kind.name()), ..Place::default() };
                return Err(LoadError::new(Kind::MissingSection, "", place));
            }
        }
        Ok(Self { sections })
    }

    pub(super) fn get(&self, kind: SectionKind) -> Option<Section<'b>> {
        self.sections.iter().find(|section| section.kind == kind.number()).copied()
    }
}

/// Puts sections into a file.
pub(super) fn write(sections: &[(SectionKind, Vec<u8>)]) -> Vec<u8> {
    let bodies: usize = sections.iter().map(|(_, body)| body.len()).sum();
    let mut offset = HEADER + sections.len() * ROW;
    let mut bytes = Vec::with_capacity(offset + bodies);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.0.to_le_bytes());
    bytes.extend(VERSION.1.to_le_bytes());
    bytes.extend(0u64.to_le_bytes());
    // A verified program's file is no longer than `Limit::FileBytes`: the numbers fit.
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes();
    bytes.extend(number(sections.len()));
    for (kind, body) in sections {
        bytes.extend(kind.number().to_le_bytes());
        bytes.extend((if kind.required() { REQUIRED } else { 0 }).to_le_bytes());
        bytes.extend(number(offset));
        bytes.extend(number(body.len()));
        offset += body.len();
    }
    for (_, body) in sections {
        bytes.extend_from_slice(body);
    }
    let sum = checksum(&bytes).to_le_bytes();
    if let Some(place) = bytes.get_mut(12..20) {
        place.copy_from_slice(&sum);
    }
    bytes
}
