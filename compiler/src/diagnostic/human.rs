//! Diagnostics for people: source lines with labels, drawn by ariadne.
//!
//! The output depends on the diagnostics and sources alone; lines carry no trailing spaces. Nothing in a source or a
//! name can steer the terminal. Sources with lines too long to draw are shown without their text.

use std::cmp::Reverse;
use std::fmt;
use std::io::{self, Write};

use ariadne::{Cache, Color, Config, IndexType, Label, Report, ReportKind, Source};

use super::{Diagnostic, Severity, short};
use crate::source::{FileId, SourceMap, Span};

/// The longest source line that is drawn, in bytes.
const MAX_DRAWN_LINE: usize = 1000;
/// The most bytes of a file that are drawn from; larger ones are shown by place only.
const MAX_DRAWN_FILE: usize = 4 << 20;

/// Draws diagnostics; it keeps what it prepared of each source from one to the next.
pub struct Renderer<'a> {
    sources: &'a SourceMap,
    color: bool,
    prepared: Vec<Option<Source<String>>>,
}

impl<'a> Renderer<'a> {
    /// A renderer for diagnostics about these sources.
    #[must_use]
    pub fn new(sources: &'a SourceMap, color: bool) -> Self {
        Self { sources, color, prepared: Vec::new() }
    }

    /// Draws one diagnostic, ending in an empty line.
    ///
    /// # Errors
    /// Where `out` cannot be written.
    pub fn write(&mut self, diagnostic: &Diagnostic, out: &mut dyn Write) -> io::Result<()> {
        let drawable = diagnostic.labels.iter().all(|label| self.is_drawable(label.span));
        let Some(first) = diagnostic.span().filter(|_| drawable) else {
            return self.write_plain(diagnostic, out);
        };
        let report = self.report(diagnostic, first);
        self.draw(&report, out)
    }

    /// Draws an expectation of a test that does not hold, ending in an empty line.
    ///
    /// # Errors
    /// Where `out` cannot be written.
    pub fn write_failure(
        &mut self,
        message: &str,
        span: Span,
        label: &str,
        notes: &[String],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if !self.is_drawable(span) {
            writeln!(out, "{message}: {label}")?;
            notes.iter().try_for_each(|note| writeln!(out, "  {note}"))?;
            return writeln!(out);
        }
        let mut report = Report::build(ReportKind::Custom("failed", Color::Red), span)
            .with_config(self.config())
            .with_message(visible(message))
            .with_label(Label::new(span).with_message(visible(label)).with_color(Color::Red));
        for note in notes {
            report.add_note(visible(note));
        }
        self.draw(&report.finish(), out)
    }

    fn draw(&mut self, report: &Report<'_, Span>, out: &mut dyn Write) -> io::Result<()> {
        let mut bytes = Vec::new();
        report.write(&mut *self, &mut bytes)?;
        for line in String::from_utf8_lossy(&bytes).lines() {
            let line = trim_end(line);
            // The word before the message is colored whatever the configuration says.
            writeln!(out, "{}", if self.color { line } else { without_colors(&line) })?;
        }
        writeln!(out)
    }

    fn config(&self) -> Config {
        Config::new().with_index_type(IndexType::Byte).with_color(self.color)
    }

    fn report(&self, diagnostic: &Diagnostic, first: Span) -> Report<'static, Span> {
        let main = color_of(diagnostic.severity);
        let mut report = Report::build(ReportKind::Custom(diagnostic.severity.name(), main), first)
            .with_config(self.config())
            .with_code(diagnostic.code.id())
            .with_message(visible(&diagnostic.message));
        let mut labels: Vec<_> = diagnostic.labels.iter().enumerate().collect();
        // In the order of the lines, so that they stand in one piece of source, the main file first. Of one line the
        // rightmost comes first: then no arrow crosses a text.
        labels.sort_by_key(|(_, label)| {
            let span = label.span;
            (span.file != first.file, span.file, self.sources.position(span).line, Reverse(span.start))
        });
        for (order, (index, label)) in (0..).zip(labels) {
            let color = if index == 0 { main } else { Color::Cyan };
            let label = Label::new(label.span).with_message(visible(&label.message));
            report.add_label(label.with_color(color).with_order(order));
        }
        for help in &diagnostic.help {
            report.add_help(visible(help));
        }
        report.finish()
    }

    /// Without source text: the fact, the places, what to do.
    fn write_plain(&self, diagnostic: &Diagnostic, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", short::line(diagnostic, self.sources))?;
        for label in &diagnostic.labels {
            let file = self.sources.file(label.span.file);
            let position = file.position(label.span.start);
            writeln!(out, "  {}:{}:{}: {}", file.name, position.line, position.column, label.message)?;
        }
        for help in &diagnostic.help {
            writeln!(out, "  help: {help}")?;
        }
        writeln!(out)
    }

    fn is_drawable(&self, span: Span) -> bool {
        let file = self.sources.file(span.file);
        let text = file.text.as_bytes();
        if text.len() > MAX_DRAWN_FILE {
            return false;
        }
        // Of a label over several lines, its first and last one are drawn.
        [span.start, span.end].iter().all(|offset| {
            let at = (*offset as usize).min(text.len());
            let start = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |found| found + 1);
            let end =
                text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |found| at + found);
            end - start <= MAX_DRAWN_LINE
        })
    }
}

impl Cache<FileId> for &mut Renderer<'_> {
    type Storage = String;

    fn fetch(&mut self, id: &FileId) -> Result<&Source<String>, impl fmt::Debug> {
        let index = id.0 as usize;
        if self.prepared.len() <= index {
            self.prepared.resize_with(index + 1, || None);
        }
        let text = self.sources.file(*id).text.as_str();
        Ok::<_, fmt::Error>(self.prepared[index].get_or_insert_with(|| Source::from(harmless(text))))
    }

    fn display<'b>(&self, id: &'b FileId) -> Option<impl fmt::Display + 'b> {
        Some(self.sources.file(*id).name.clone())
    }
}

const fn color_of(severity: Severity) -> Color {
    match severity {
        Severity::Error => Color::Red,
        Severity::Warning => Color::Yellow,
        Severity::Note => Color::Blue,
    }
}

/// The line without trailing spaces, also where a color is switched off after them.
fn trim_end(line: &str) -> String {
    const OFF: &str = "\u{1b}[0m";
    let mut kept = line.trim_end();
    let mut offs = 0;
    while let Some(head) = kept.strip_suffix(OFF) {
        offs += 1;
        kept = head.trim_end();
    }
    format!("{kept}{}", OFF.repeat(offs.min(1)))
}

/// The line without escape sequences for colors.
fn without_colors(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    for (index, part) in line.split('\u{1b}').enumerate() {
        let rest = if index == 0 { part } else { part.split_once('m').map_or("", |(_, rest)| rest) };
        plain.push_str(rest);
    }
    plain
}

/// Whether a letter steers a terminal, hides the order of what follows, or would be taken for the end of a line.
fn is_steering(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// The text with what steers a terminal replaced, byte for byte, so that places stay.
fn harmless(text: &str) -> String {
    let mut harmless = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let ends_line = letter == '\n' || letter == '\r' && letters.peek() == Some(&'\n');
        if ends_line || letter == '\t' || !is_steering(letter) {
            harmless.push(letter);
        } else {
            // A letter of as many bytes; none of those replaced has four.
            harmless.push(match letter.len_utf8() {
                1 => '?',
                2 => '\u{bf}',
                _ => char::REPLACEMENT_CHARACTER,
            });
        }
    }
    harmless
}

/// The message with what steers a terminal written out.
fn visible(message: &str) -> String {
    let mut visible = String::with_capacity(message.len());
    for letter in message.chars() {
        if is_steering(letter) && letter != '\n' {
            visible.extend(letter.escape_default());
        } else {
            visible.push(letter);
        }
    }
    visible
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    fn drawn(text: &str, start: usize, end: usize, color: bool) -> String {
        let mut sources = SourceMap::default();
        let file = sources.add("a.motix", text);
        let span = Span::new(file, start as u32, end as u32);
        let diagnostic = Diagnostic::new(Code::UnknownName, "`x\u{1b}[2J` is unknown", span, "here");
        let mut out = Vec::new();
        Renderer::new(&sources, color).write(&diagnostic, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn without_color_no_escape_is_written() {
        let text = drawn("a \u{1b}[31m b\r\nc", 2, 3, false);
        assert!(!text.contains('\u{1b}'), "{text:?}");
        assert!(text.contains("[MX0201] error: `x\\u{1b}[2J` is unknown"), "{text}");
        assert!(drawn("a b", 0, 1, true).contains('\u{1b}'));
    }

    #[test]
    fn places_are_those_of_the_other_formats() {
        for odd in ["\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\r", "\u{202e}", "\u{e9}"] {
            let text = format!("one {odd}\r\ntwo {odd} x\n");
            let at = text.find('x').unwrap();
            let mut sources = SourceMap::default();
            let file = sources.add("a.motix", text.clone());
            let position = sources.file(file).position(at as u32);
            let place = format!("a.motix:{}:{} ]", position.line, position.column);
            let drawn = drawn(&text, at, at + 1, false);
            assert!(drawn.contains(&place), "{odd:?}: {drawn}");
            assert!(drawn.contains("\n 2 \u{2502}"), "{odd:?}: {drawn}");
        }
    }

    #[test]
    fn lines_end_without_spaces_and_long_ones_are_left_out() {
        assert!(drawn("a b\n", 0, 1, false).lines().all(|line| line == line.trim_end()));
        let long = "x".repeat(MAX_DRAWN_LINE + 1);
        let text = drawn(&long, 5, 6, false);
        assert!(text.starts_with("a.motix:1:6: error[MX0201]"), "{text}");
        assert!(text.len() < 200);
    }

    #[test]
    fn the_end_of_a_file_can_be_shown() {
        for text in ["", "a", "a\n", "\n\n"] {
            assert!(drawn(text, text.len(), text.len(), false).contains("here"), "{text:?}");
        }
    }
}
