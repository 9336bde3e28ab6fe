//! Diagnostics for people: source lines with labels, drawn by ariadne.
//!
//! The output depends on the diagnostics and sources alone; lines carry no trailing spaces. Sources with lines too
//! long to draw are shown without their text.

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
    prepared: Vec<Option<Source<&'a str>>>,
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
            .with_message(message)
            .with_label(Label::new(span).with_message(label).with_color(Color::Red));
        for note in notes {
            report.add_note(note);
        }
        self.draw(&report.finish(), out)
    }

    fn draw(&mut self, report: &Report<'_, Span>, out: &mut dyn Write) -> io::Result<()> {
        let mut bytes = Vec::new();
        report.write(&mut *self, &mut bytes)?;
        for line in String::from_utf8_lossy(&bytes).lines() {
            writeln!(out, "{}", trim_end(line))?;
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
            .with_message(&diagnostic.message);
        for (index, label) in diagnostic.labels.iter().enumerate() {
            let color = if index == 0 { main } else { Color::Cyan };
            let order = i32::try_from(index).unwrap_or(i32::MAX);
            report.add_label(
                Label::new(label.span).with_message(&label.message).with_color(color).with_order(order),
            );
        }
        for help in &diagnostic.help {
            report.add_help(help);
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

impl<'a> Cache<FileId> for &mut Renderer<'a> {
    type Storage = &'a str;

    fn fetch(&mut self, id: &FileId) -> Result<&Source<&'a str>, impl fmt::Debug> {
        let index = id.0 as usize;
        if self.prepared.len() <= index {
            self.prepared.resize_with(index + 1, || None);
        }
        let text = self.sources.file(*id).text.as_str();
        Ok::<_, fmt::Error>(self.prepared[index].get_or_insert_with(|| Source::from(text)))
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
