//! Source files: their texts, places in them, and the one door through which they are read.
//!
//! A [`Span`] counts bytes in one file. Nothing else in the compiler knows paths or touches a file system.

use std::fmt;
use std::ops::Range;

/// A file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A range of bytes in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`.
    #[must_use]
    pub const fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// From the start of this one to the end of the other, which stands later in the same file.
    #[must_use]
    pub fn to(self, end: Span) -> Self {
        Self { file: self.file, start: self.start.min(end.start), end: self.end.max(end.end) }
    }

    /// The empty range at this one's end.
    #[must_use]
    pub const fn after(self) -> Self {
        Self { file: self.file, start: self.end, end: self.end }
    }

    /// Whether the other one lies inside this one.
    #[must_use]
    pub fn contains(self, inner: Span) -> bool {
        self.file == inner.file && self.start <= inner.start && inner.end <= self.end
    }

    /// The range as indices.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.file.0, self.start, self.end)
    }
}

impl chumsky::span::Span for Span {
    type Context = FileId;
    type Offset = u32;
    fn new(file: FileId, range: Range<u32>) -> Self {
        Self { file, start: range.start, end: range.end }
    }
    fn context(&self) -> FileId {
        self.file
    }
    fn start(&self) -> u32 {
        self.start
    }
    fn end(&self) -> u32 {
        self.end
    }
}

impl ariadne::Span for Span {
    type SourceId = FileId;
    fn source(&self) -> &FileId {
        &self.file
    }
    fn start(&self) -> usize {
        self.start as usize
    }
    fn end(&self) -> usize {
        self.end as usize
    }
}

/// A line and a column, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// One source file.
#[derive(Debug)]
pub struct SourceFile {
    /// The name that messages show: the path as the user gave it, with `/`.
    pub name: String,
    /// The text.
    pub text: String,
    line_starts: Vec<u32>,
    /// How many characters stand before every [`MARK`]th byte, so that a column of a long line need not be counted.
    marks: Vec<u32>,
}

/// The distance of the marks in bytes.
const MARK: usize = 1024;

impl SourceFile {
    /// The line and column of a byte offset.
    #[must_use]
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_starts.partition_point(|start| *start <= offset).max(1);
        let start = self.line_starts[line - 1] as usize;
        let end = (offset as usize).clamp(start, self.text.len());
        let column = match self.text.as_bytes().get(start..end) {
            Some(bytes) if bytes.len() <= MARK => begun(bytes) + 1,
            _ => self.characters(end) - self.characters(start) + 1,
        };
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    }

    /// How many characters begin before a byte.
    fn characters(&self, end: usize) -> usize {
        let mark = (end / MARK).min(self.marks.len().saturating_sub(1));
        let marked = self.marks.get(mark).map_or(0, |count| *count as usize);
        marked + begun(&self.text.as_bytes()[mark * MARK..end])
    }

    /// The text of a line, counted from 1, without its end; empty past the last one.
    #[must_use]
    pub fn line(&self, line: u32) -> &str {
        let Some(start) = (line as usize).checked_sub(1).and_then(|index| self.line_starts.get(index)) else {
            return "";
        };
        let rest = &self.text[*start as usize..];
        rest.split('\n').next().unwrap_or("").trim_end_matches('\r')
    }
}

/// How many characters begin in these bytes of UTF-8.
fn begun(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

/// All files of a compilation.
#[derive(Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a file; texts are at most `u32::MAX` bytes long, which the loader guarantees.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let breaks = text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        let line_starts = std::iter::once(0).chain(breaks).collect();
        let mut count = 0;
        let marks = text.as_bytes().chunks(MARK).map(|chunk| {
            let before = count;
            count += begun(chunk) as u32;
            before
        });
        let marks = marks.collect();
        self.files.push(SourceFile { name: name.into(), text, line_starts, marks });
        FileId(self.files.len() as u32 - 1)
    }

    /// A file of this map.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    /// All files in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(index, file)| (FileId(index as u32), file))
    }

    /// The text of a place.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.file(span.file).text.get(span.range()).unwrap_or("")
    }

    /// The line and column where a place starts.
    #[must_use]
    pub fn position(&self, span: Span) -> Position {
        self.file(span.file).position(span.start)
    }
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// No such file; where it was looked for.
    Missing(Vec<String>),
    /// The system's own words.
    Unreadable(String),
    /// Longer than [`MAX_SOURCE_BYTES`].
    TooLarge(u64),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(_) => f.write_str("there is no such file"),
            Self::Unreadable(reason) => f.write_str(reason),
            Self::TooLarge(_) => write!(f, "it is longer than {} MiB", MAX_SOURCE_BYTES >> 20),
        }
    }
}

impl std::error::Error for ReadError {}

/// The longest source file.
pub const MAX_SOURCE_BYTES: u64 = 64 << 20;

/// What reads source files for the compiler.
pub trait Loader {
    /// The bytes of the file that `path`, as written in a `Use` of the file named `from`, means, and the name to show
    /// for it. The same file has the same name however it is reached.
    ///
    /// # Errors
    /// Where the file is missing, unreadable or too large.
    fn load(&self, path: &str, from: &str) -> Result<(String, Vec<u8>), ReadError>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_wherever_the_line_is() {
        let mut sources = SourceMap::default();
        let text = format!("{}\n{}x", "\u{e9}\u{1f600}a".repeat(700), "\u{e9}bc".repeat(900));
        let id = sources.add("a.motix", text.clone());
        let file = sources.file(id);
        let (mut line, mut column) = (1, 1);
        for (at, letter) in text.char_indices() {
            assert_eq!(file.position(at as u32), Position { line, column }, "{at}");
            (line, column) = if letter == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        assert_eq!(file.position(text.len() as u32), Position { line, column });
        assert_eq!(file.position(u32::MAX), Position { line, column });
        let id = sources.add("empty", "");
        assert_eq!(sources.file(id).position(0), Position { line: 1, column: 1 });
    }
}
