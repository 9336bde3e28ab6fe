//! The inside of a `.motixb` file: each section is its rows in bincode. The only file that names bincode.
//!
//! Types are written field by field, as `tables/fields.rs` lists them; enums by explicit tag bytes, operations by their own. A list is
//! allocated only after a look at how many bytes are left, so that no file makes loading take more memory than a
//! small multiple of its own size. What comes out is [`Tables`], not yet verified.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use bincode::de::read::Reader;
use bincode::de::{Decode, Decoder, DecoderImpl};
use bincode::enc::write::Writer;
use bincode::enc::{Encode, Encoder, EncoderImpl};
use bincode::error::{AllowedEnumVariants, DecodeError, EncodeError};

use super::debug::{BehaviorDebug, Debug, Spot};
use super::envelope::{self, Fnv, Known, Section, SectionKind};
use super::error::{LoadError, LoadErrorKind, Place as ErrorPlace};
use super::limits::Limit;
use super::tables::*;
use crate::easing::Easing;
use crate::ids::*;
use crate::input::InputKind;
use crate::op::{Op, Word};

/// Counts what is decoded, not the file's bytes: a number of one byte counts 8.
const DECODED: usize = 16 * Limit::FileBytes.value();

type Config = bincode::config::Configuration<
    bincode::config::LittleEndian,
    bincode::config::Varint,
    bincode::config::Limit<DECODED>,
>;

const fn config() -> Config {
    bincode::config::standard().with_limit::<DECODED>()
}

const LYING: &str = "a list or text claims more than there is";

/// Reads a file's tables.
pub(super) fn decode(bytes: &[u8]) -> Result<Tables, LoadError> {
    let known = Known::read(bytes)?;
    Ok(Tables {
        texts: section(&known, SectionKind::Texts)?.unwrap_or_default(),
        behaviors: section(&known, SectionKind::Behaviors)?.unwrap_or_default(),
        debug: section(&known, SectionKind::Debug)?,
    })
}

fn section<T: Wire>(known: &Known<'_>, kind: SectionKind) -> Result<Option<T>, LoadError> {
    let Some(section) = known.get(kind) else { return Ok(None) };
    let mut decoder = DecoderImpl::new(Bytes { all: section.body, read: 0 }, config(), ());
    let result = T::take(&mut decoder);
    let read = decoder.reader().read;
    let value = result.map_err(|error| body_error(&section, kind, read, &error))?;
    if read < section.body.len() {
        let detail = alloc::format!("{} of them", section.body.len() - read);
        return Err(LoadError::new(LoadErrorKind::TrailingBytes, detail, place(&section, kind, read)));
    }
    Ok(Some(value))
}

fn place(section: &Section<'_>, kind: SectionKind, read: usize) -> ErrorPlace {
    let offset = Some((section.offset + read) as u64);
    ErrorPlace { section: Some(kind.name()), offset, ..ErrorPlace::default() }
}

fn body_error(section: &Section<'_>, kind: SectionKind, read: usize, error: &DecodeError) -> LoadError {
    let (why, detail) = match error {
        DecodeError::UnexpectedEnd { .. } => (LoadErrorKind::Truncated, String::new()),
        DecodeError::Other(LYING) => (LoadErrorKind::LyingLength, String::new()),
        DecodeError::Other(text) => (LoadErrorKind::Malformed, (*text).to_owned()),
        DecodeError::Utf8 { .. } => (LoadErrorKind::Malformed, "a text is not UTF-8".to_owned()),
        DecodeError::UnexpectedVariant { type_name, found, .. } => {
            (LoadErrorKind::Malformed, alloc::format!("{found} is no `{type_name}`"))
        }
        other => (LoadErrorKind::Malformed, alloc::format!("{other}")),
    };
    LoadError::new(why, detail, place(section, kind, read))
}

/// Writes tables as a file.
pub(super) fn encode(tables: &Tables, strip: bool) -> Vec<u8> {
    let mut sections = alloc::vec![
        (SectionKind::Texts, body(&tables.texts)),
        (SectionKind::Behaviors, body(&tables.behaviors)),
    ];
    if let Some(debug) = tables.debug.as_ref().filter(|_| !strip) {
        sections.push((SectionKind::Debug, body(debug)));
    }
    envelope::write(&sections)
}

fn body(value: &impl Wire) -> Vec<u8> {
    let mut encoder = EncoderImpl::new(Grow(Vec::new()), config());
    // Neither the writer nor a row's encoding has a way to fail.
    let _: Result<(), EncodeError> = value.put(&mut encoder);
    encoder.into_writer().0
}

/// A hash of everything but the debug section, and the number of bytes that went into it.
pub(super) fn hash(tables: &Tables) -> (u64, usize) {
    let mut encoder = EncoderImpl::new(Hasher { hash: Fnv::new(), count: 0 }, config());
    let _: Result<(), EncodeError> =
        tables.texts.put(&mut encoder).and_then(|()| tables.behaviors.put(&mut encoder));
    let hasher = encoder.into_writer();
    (hasher.hash.0, hasher.count)
}

/// How many bytes the debug section takes.
pub(super) fn debug_size(tables: &Tables) -> usize {
    let mut encoder = EncoderImpl::new(Count(0), config());
    let _: Option<Result<(), EncodeError>> = tables.debug.as_ref().map(|debug| debug.put(&mut encoder));
    encoder.into_writer().0
}

/// Counts bytes.
struct Count(usize);

impl Writer for Count {
    fn write(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        self.0 += bytes.len();
        Ok(())
    }
}

struct Grow(Vec<u8>);

impl Writer for Grow {
    fn write(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

struct Hasher {
    hash: Fnv,
    count: usize,
}

impl Writer for Hasher {
    fn write(&mut self, bytes: &[u8]) -> Result<(), EncodeError> {
        self.hash.write(bytes);
        self.count += bytes.len();
        Ok(())
    }
}

/// A section's bytes; it knows how far it was read.
struct Bytes<'b> {
    all: &'b [u8],
    read: usize,
}

impl Reader for Bytes<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<(), DecodeError> {
        let Some(bytes) = self.peek_read(out.len()) else {
            return Err(DecodeError::UnexpectedEnd { additional: out.len() });
        };
        out.copy_from_slice(bytes);
        self.consume(out.len());
        Ok(())
    }

    fn peek_read(&mut self, count: usize) -> Option<&[u8]> {
        self.all.get(self.read..)?.get(..count)
    }

    fn consume(&mut self, count: usize) {
        self.read = self.read.saturating_add(count).min(self.all.len());
    }
}

type Put = Result<(), EncodeError>;
type Take<T> = Result<T, DecodeError>;

/// A value as it stands in a section. Not bincode's own traits: those of `Vec` allocate what a length claims.
trait Wire: Sized {
    /// The fewest bytes that a value takes; at least 1.
    const LEAST: usize = 1;
    fn put<E: Encoder>(&self, encoder: &mut E) -> Put;
    fn take<D: Decoder>(decoder: &mut D) -> Take<Self>;

    fn put_list<E: Encoder>(list: &[Self], encoder: &mut E) -> Put {
        put_length(list.len(), encoder)?;
        list.iter().try_for_each(|item| item.put(encoder))
    }

    fn take_list<D: Decoder>(decoder: &mut D) -> Take<Vec<Self>> {
        let length = take_length(decoder, Self::LEAST)?;
        let mut list = Vec::with_capacity(length);
        for _ in 0..length {
            list.push(Self::take(decoder)?);
        }
        Ok(list)
    }
}

fn put_length<E: Encoder>(length: usize, encoder: &mut E) -> Put {
    (length as u64).encode(encoder)
}

/// A length of that many items of at least `least` bytes, for which there are bytes enough.
fn take_length<D: Decoder>(decoder: &mut D, least: usize) -> Take<usize> {
    let length = usize::try_from(u64::decode(decoder)?).map_err(|_| DecodeError::Other(LYING))?;
    let bytes = length.checked_mul(least).ok_or(DecodeError::Other(LYING))?;
    decoder.reader().peek_read(bytes).ok_or(DecodeError::Other(LYING))?;
    Ok(length)
}

impl<T: Wire> Wire for Vec<T> {
    fn put<E: Encoder>(&self, encoder: &mut E) -> Put {
        T::put_list(self, encoder)
    }
    fn take<D: Decoder>(decoder: &mut D) -> Take<Self> {
        T::take_list(decoder)
    }
}

impl Wire for String {
    fn put<E: Encoder>(&self, encoder: &mut E) -> Put {
        put_length(self.len(), encoder)?;
        encoder.writer().write(self.as_bytes())
    }
    fn take<D: Decoder>(decoder: &mut D) -> Take<Self> {
        let length = take_length(decoder, 1)?;
        let bytes = decoder.reader().peek_read(length).unwrap_or_default();
        let text = core::str::from_utf8(bytes).map_err(|inner| DecodeError::Utf8 { inner })?.to_owned();
        decoder.reader().consume(length);
        Ok(text)
    }
}

impl<T: Wire> Wire for Option<T> {
    fn put<E: Encoder>(&self, encoder: &mut E) -> Put {
        self.is_some().encode(encoder)?;
        self.as_ref().map_or(Ok(()), |value| value.put(encoder))
    }
    fn take<D: Decoder>(decoder: &mut D) -> Take<Self> {
        if bool::decode(decoder)? { T::take(decoder).map(Some) } else { Ok(None) }
    }
}

/// A block's operations stand as they write themselves, after their number and their length in bytes.
impl Wire for Op {
    fn put<E: Encoder>(&self, encoder: &mut E) -> Put {
        Self::put_list(core::slice::from_ref(self), encoder)
    }
    fn take<D: Decoder>(decoder: &mut D) -> Take<Self> {
        Self::take_list(decoder)?.pop().ok_or(DecodeError::Other("an operation is missing"))
    }
    fn put_list<E: Encoder>(list: &[Self], encoder: &mut E) -> Put {
        let mut bytes = Vec::new();
        list.iter().for_each(|op| op.write(&mut bytes));
        put_length(list.len(), encoder)?;
        put_length(bytes.len(), encoder)?;
        encoder.writer().write(&bytes)
    }
    fn take_list<D: Decoder>(decoder: &mut D) -> Take<Vec<Self>> {
        let count = take_length(decoder, Self::LEAST)?;
        let length = take_length(decoder, 1)?;
        if count > length {
            return Err(DecodeError::Other(LYING));
        }
        let reader = decoder.reader();
        let mut bytes = reader.peek_read(length).unwrap_or_default();
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(Op::read(&mut bytes).ok_or(DecodeError::Other("there is no such operation"))?);
        }
        if !bytes.is_empty() {
            return Err(DecodeError::Other("there are bytes after the last operation"));
        }
        reader.consume(length);
        Ok(list)
    }
}

impl Wire for InputKind {
    fn put<E: Encoder>(&self, encoder: &mut E) -> Put {
        self.byte().encode(encoder)
    }
    fn take<D: Decoder>(decoder: &mut D) -> Take<Self> {
        Self::from_byte(u8::decode(decoder)?).ok_or(DecodeError::Other("there is no such input"))
    }
}

/// The easing's byte, then what it takes.
impl Wire for Easing {
    fn put<E: Encoder>(&self, encoder: &mut E) -> Put {
        self.byte().encode(encoder)?;
        match self {
            Self::CubicBezier { x1, y1, x2, y2 } => {
                [x1, y1, x2, y2].into_iter().try_for_each(|n| n.put(encoder))
            }
            Self::Steps(count) => count.put(encoder),
            _ => Ok(()),
        }
    }
    fn take<D: Decoder>(decoder: &mut D) -> Take<Self> {
        match u8::decode(decoder)? {
            Self::CUBIC_BEZIER => {
                let mut number = || f32::take(decoder);
                Ok(Self::CubicBezier { x1: number()?, y1: number()?, x2: number()?, y2: number()? })
            }
            Self::STEPS => u16::take(decoder).map(Self::Steps),
            byte => Self::from_byte(byte).ok_or(DecodeError::Other("there is no such easing")),
        }
    }
}

macro_rules! numbers {
    ($( $number:ty ),+) => { $(
        impl Wire for $number {
            fn put<E: Encoder>(&self, encoder: &mut E) -> Put {
                self.encode(encoder)
            }
            fn take<D: Decoder>(decoder: &mut D) -> Take<Self> {
                Self::decode(decoder)
            }
        }
    )+ };
}
numbers!(bool, u16, u32, i32, f32);

/// Structs, field by field in this order. `(0)` stands for the one of an id.
macro_rules! rows {
    ($( $row:ident { $( $field:tt )+ } )+) => { $(
        impl Wire for $row {
            // Every field takes at least a byte.
            const LEAST: usize = [$( stringify!($field) ),+].len();
            fn put<E: Encoder>(&self, encoder: &mut E) -> Put {
                $( self.$field.put(encoder)?; )+
                Ok(())
            }
            fn take<D: Decoder>(decoder: &mut D) -> Take<Self> {
                Ok(Self { $( $field: Wire::take(decoder)? ),+ })
            }
        }
    )+ };
}

crate::each_row!(rows);

/// Enums: a byte, then the value or the fields of the variant that has some. A byte is never given to another variant.
macro_rules! tagged {
    ($( $name:ident { $( $tag:literal $variant:ident $(($value:ident))? $({ $($field:ident)+ })? ),+ } )+) => { $(
        impl Wire for $name {
            fn put<E: Encoder>(&self, encoder: &mut E) -> Put {
                match self { $( Self::$variant $(($value))? $({ $($field),+ })? => {
                    u8::encode(&$tag, encoder)?;
                    $( $value.put(encoder)?; )?
                    $( $( $field.put(encoder)?; )+ )?
                } )+ }
                Ok(())
            }
            fn take<D: Decoder>(decoder: &mut D) -> Take<Self> {
                match u8::decode(decoder)? {
                    $( $tag => Ok(Self::$variant $(({
                        let $value = Wire::take(decoder)?;
                        $value
                    }))? $({ $( $field: Wire::take(decoder)? ),+ })?), )+
                    found => Err(DecodeError::UnexpectedVariant {
                        type_name: stringify!($name),
                        allowed: &AllowedEnumVariants::Allowed(&[$( $tag ),+]),
                        found: found.into(),
                    }),
                }
            }
        }
    )+ };
}

crate::each_choice!(tagged);
