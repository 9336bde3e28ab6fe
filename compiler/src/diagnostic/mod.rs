//! Diagnostics: what a stage has to say about a source, as data.
//!
//! A stage pushes [`Diagnostic`]s into the one [`Diagnostics`] sink and goes on. The text of a message states the
//! fact in lower case with the user's words in backquotes; a label says what is expected at its place; help says what
//! to do, with the mended text.

pub mod codes;
pub mod github;
pub mod human;
pub mod json;
pub mod junit;
pub mod short;

pub use codes::Code;

use crate::source::Span;

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The program cannot be built.
    Error,
    /// Probably not what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// The word that messages show.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A place and what it has to do with the matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there, or what is expected there.
    pub message: String,
}

/// A mended text for a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// The text to stand there.
    pub replacement: String,
}

/// One thing to say about a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its code.
    pub code: Code,
    /// How much it matters: as the table says, unless a command line says otherwise.
    pub severity: Severity,
    /// The fact.
    pub message: String,
    /// The places, the one it is about first; never empty once pushed by a stage that has a place to show.
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Vec<String>,
    /// The change that mends it, where there is one.
    pub fix: Option<Box<Fix>>,
    /// Where it is about one wrong name that may stand in several places.
    name: Option<Box<WrongName>>,
}

/// A name that is wrong, and how often it was met.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WrongName {
    /// Two of one key are one mistake.
    key: String,
    /// How many labels there were before those of further places.
    labels: usize,
    /// How many further places there are.
    further: usize,
}

/// Further places of a wrong name that are shown; the rest is counted.
const FURTHER: usize = 3;

impl Diagnostic {
    /// A diagnostic about `span`, with the severity of its code.
    #[must_use]
    pub fn new(code: Code, message: impl Into<String>, span: Span, label: impl Into<String>) -> Self {
        let mut diagnostic = Self::global(code, message);
        diagnostic.labels.push(Label { span, message: label.into() });
        diagnostic
    }

    /// A diagnostic that has no place in a source.
    #[must_use]
    pub fn global(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: code.severity(),
            message: message.into(),
            labels: Vec::new(),
            help: Vec::new(),
            fix: None,
            name: None,
        }
    }

    /// Says that it is about a name: what is reported of the same `key` in the same file is one mistake, and told once
    /// with all its places.
    #[must_use]
    pub fn of_name(mut self, key: impl Into<String>) -> Self {
        self.name = Some(Box::new(WrongName { key: key.into(), labels: 0, further: 0 }));
        self
    }

    /// Whether both are about one wrong name.
    fn is_of_name_of(&self, other: &Self) -> bool {
        let (Some(name), Some(others)) = (&self.name, &other.name) else { return false };
        name.key == others.key && self.span().map(|span| span.file) == other.span().map(|span| span.file)
    }

    /// Takes in a report of the same name: the one that comes first in the text stays.
    fn take_in(&mut self, mut other: Self) {
        if other.span() < self.span() {
            let further = self.name.as_mut().map_or(0, |name| std::mem::take(&mut name.further));
            let labels = self.name.as_ref().map_or(self.labels.len(), |name| name.labels);
            let shown = self.labels.split_off(labels);
            other.labels.extend(shown);
            if let Some(name) = &mut other.name {
                name.further += further;
            }
            std::mem::swap(self, &mut other);
        }
        let (Some(name), Some(span)) = (&mut self.name, other.span()) else { return };
        name.further += 1 + other.name.map_or(0, |name| name.further);
        // The first of them in the text are shown.
        let before = self.labels.iter().skip(name.labels).filter(|label| label.span < span).count();
        self.labels.insert(name.labels + before, Label { span, message: String::new() });
        self.labels.truncate(name.labels + FURTHER);
        let shown = self.labels.len() - name.labels;
        self.labels.iter_mut().skip(name.labels).for_each(|label| label.message = "and here".to_owned());
        if let (Some(last), Some(more @ 1..)) = (self.labels.last_mut(), name.further.checked_sub(shown)) {
            last.message = format!("and here, and in {more} more place{}", if more == 1 { "" } else { "s" });
        }
    }

    /// Adds another place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Says in a report of two things with one name that another name is missing, which one of them should have.
    pub fn is_missing(&mut self, place: Span, name: &str) {
        let message = format!("`{name}` is named here, and nothing declares it");
        self.labels.push(Label { span: place, message });
        self.help = vec![format!("should one of them be called `{name}`? Otherwise remove it")];
    }

    /// Adds what to do.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }

    /// Adds the change that mends it.
    #[must_use]
    pub fn fix(mut self, span: Span, replacement: impl Into<String>) -> Self {
        self.fix = Some(Box::new(Fix { span, replacement: replacement.into() }));
        self
    }

    /// The place it is about.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }
}

/// `a`, `b` and `c`.
#[must_use]
pub fn join(list: &[String], last: &str) -> String {
    match list {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., tail] => format!("{} {last} {tail}", head.join(", ")),
    }
}

/// How many diagnostics are kept. Nobody reads as many, and a hostile text could fill the memory with them.
pub const MAX_DIAGNOSTICS: usize = 1000;

/// The sink of all stages.
#[derive(Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    /// How many of the list are errors.
    kept_errors: usize,
}

impl Diagnostics {
    /// Adds a diagnostic. Texts that quote something endless are cut; of more than [`MAX_DIAGNOSTICS`] the rest is
    /// counted but not kept, errors rather than others.
    pub fn push(&mut self, mut diagnostic: Diagnostic) {
        clip(&mut diagnostic.message);
        diagnostic.labels.iter_mut().for_each(|label| clip(&mut label.message));
        diagnostic.help.iter_mut().for_each(clip);
        if let Some(name) = &mut diagnostic.name {
            if name.further == 0 {
                name.labels = diagnostic.labels.len();
            }
            if let Some(same) = self.list.iter_mut().find(|kept| kept.is_of_name_of(&diagnostic)) {
                return same.take_in(diagnostic);
            }
        }
        let is_error = diagnostic.severity == Severity::Error;
        self.errors += usize::from(is_error);
        if self.is_full() {
            if !is_error || self.kept_errors == self.list.len() {
                return;
            }
            let other = self.list.iter().rposition(|kept| kept.severity != Severity::Error);
            other.map(|index| self.list.remove(index));
        }
        self.kept_errors += usize::from(is_error);
        self.list.push(diagnostic);
    }

    /// The report of this kind about a place, to say more in it.
    pub fn about(&mut self, code: Code, span: Span) -> Option<&mut Diagnostic> {
        self.list.iter_mut().find(|kept| kept.code == code && kept.span() == Some(span))
    }

    /// How many errors were counted but not kept.
    #[must_use]
    pub fn lost_errors(&self) -> usize {
        self.errors - self.kept_errors
    }

    /// Whether no more diagnostics are kept, so that what they would say need not be worked out.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.list.len() >= MAX_DIAGNOSTICS
    }

    /// Whether anything forbids building.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many errors there are.
    #[must_use]
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// All of them, to be passed on.
    #[must_use]
    pub fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }

    /// Counts errors that another sink did not keep.
    pub fn count_lost(&mut self, errors: usize) {
        self.errors += errors;
    }

    /// All, in the order in which they were found.
    #[must_use]
    pub fn list(&self) -> &[Diagnostic] {
        &self.list
    }

    /// All by place: file, offset, then order of finding; those without a place come first.
    #[must_use]
    pub fn sorted(&self) -> Vec<&Diagnostic> {
        let mut list: Vec<_> = self.list.iter().collect();
        list.sort_by_key(|diagnostic| diagnostic.span());
        list
    }
}

/// The longest text of a diagnostic, in bytes.
const MAX_TEXT: usize = 1000;

/// Cuts a text that is too long to be read.
fn clip(text: &mut String) {
    if text.len() > MAX_TEXT {
        let end = (0..=MAX_TEXT).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push_str("...");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_kept_rather_than_others_and_all_are_counted() {
        let mut diagnostics = Diagnostics::default();
        for code in [Code::UnusedParam, Code::UnknownName] {
            for _ in 0..MAX_DIAGNOSTICS - 1 {
                diagnostics.push(Diagnostic::global(code, "x"));
            }
        }
        let of = |severity| diagnostics.list().iter().filter(|kept| kept.severity == severity).count();
        assert_eq!((of(Severity::Error), of(Severity::Warning)), (MAX_DIAGNOSTICS - 1, 1));
        for _ in 0..3 {
            diagnostics.push(Diagnostic::global(Code::UnknownName, "x"));
        }
        assert_eq!(diagnostics.list().len(), MAX_DIAGNOSTICS);
        assert_eq!((diagnostics.error_count(), diagnostics.lost_errors()), (MAX_DIAGNOSTICS + 2, 2));
    }

    #[test]
    fn a_wrong_name_is_told_once_with_its_first_places() {
        let mut diagnostics = Diagnostics::default();
        let place = |at| Span::new(crate::source::FileId(0), at, at + 1);
        for at in [50, 20, 40, 10, 30, 60] {
            let report = Diagnostic::new(Code::UnknownName, "x", place(at), "here").label(place(0), "other");
            diagnostics.push(report.of_name("x"));
        }
        diagnostics.push(Diagnostic::new(Code::UnknownName, "x", place(70), "here").of_name("y"));
        assert_eq!(diagnostics.error_count(), 2);
        let labels = &diagnostics.list()[0].labels;
        let shown: Vec<_> = labels.iter().map(|label| (label.span.start, label.message.as_str())).collect();
        let more = (40, "and here, and in 2 more places");
        assert_eq!(shown, [(10, "here"), (0, "other"), (20, "and here"), (30, "and here"), more]);
    }

    #[test]
    fn no_text_is_endless() {
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(Diagnostic::global(Code::Internal, "\u{e9}".repeat(10_000)).help("x".repeat(1000)));
        let diagnostic = &diagnostics.list()[0];
        assert_eq!((diagnostic.message.len(), diagnostic.help[0].len()), (MAX_TEXT + 3, 1000));
    }
}
