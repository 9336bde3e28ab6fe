//! What tests send to listeners: `Pointer`, `Key`, `Custom`.

use motix_vm::input::{InputKind, Source};

use crate::ast::{Item, Name, Part, Text};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::TestInput;
use crate::intern::Symbol;
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, join};
use super::units::Range;
use super::unknown::FEW;

impl Checker<'_, '_> {
    /// The input of a statement.
    pub(super) fn sent(&mut self, item: &Item) -> Option<TestInput> {
        match item.keyword {
            Keyword::Pointer => self.pointed(item),
            Keyword::Key => self.typed_key(item),
            _ => self.custom(item),
        }
    }

    fn pointed(&mut self, item: &Item) -> Option<TestInput> {
        let event = item.event();
        let kind = event.and_then(|event| self.input_of(item, event, &[Source::Pointer, Source::Focus]));
        let targets = self.targets(item.texts());
        let at = item.head.iter().find_map(|part| match part {
            Part::AtPoint(point) => Some(&**point),
            _ => None,
        });
        let mut place = [0.5; 2];
        if let Some([x, y]) = at {
            let share = Range::Between(0.0, 1.0);
            let (across, down) =
                (self.number(x, "a pointer's place", share), self.number(y, "a pointer's place", share));
            place = [across?, down?];
        }
        let (kind, targets) = (kind?, targets?);
        if kind.source() == Source::Focus {
            if let Some([x, y]) = at {
                self.not_taken(
                    x.span.to(y.span),
                    "the focus has no place",
                    "not expected here",
                    "leave it out",
                );
                return None;
            }
            if targets.len() != 1 {
                let help = format!("name it: `Pointer {} \"field\"`", kind.word());
                self.not_taken(item.span, "the focus is on one target", "expected one target", &help);
                return None;
            }
        }
        self.check_heard(item, kind, &targets);
        Some(TestInput { kind, name: None, targets, at: place })
    }

    /// Tells of an input that nothing hears and that leaves nothing behind: no focus, no pressed button.
    fn check_heard(&mut self, item: &Item, kind: InputKind, targets: &[Symbol]) {
        let alone =
            matches!(kind, InputKind::Move | InputKind::Click | InputKind::KeyDown | InputKind::KeyUp);
        if !alone || !self.known.inner.is_empty() {
            return;
        }
        // Keys go to what has the focus; that another key does nothing is worth a test.
        let near = |target: &Option<Symbol>| {
            kind.source() == Source::Key || target.is_none_or(|target| targets.contains(&target))
        };
        let listeners = || self.known.hir.listeners.iter().filter(|listener| near(&listener.target));
        let mut hears = listeners().flat_map(|listener| &listener.hears);
        if hears.any(|hear| hear.input == kind) {
            return;
        }
        let mut words: Vec<String> = Vec::new();
        for hear in listeners().flat_map(|listener| &listener.hears) {
            let word = match hear.name {
                Some(name) if hear.input.source() == Source::Key => {
                    format!("`{} \"{}\"`", hear.input.word(), self.text(name))
                }
                _ => format!("`{}`", hear.input.word()),
            };
            if hear.input != InputKind::Custom && words.len() < 8 && !words.contains(&word) {
                words.push(word);
            }
        }
        let report = Diagnostic::new(
            Code::NothingHears,
            format!("no listener hears this `{}`", kind.word()),
            item.span,
            "nothing happens",
        );
        self.report(match words.is_empty() {
            true => report.help("write what is to happen in the behavior: `Listener { On ... { ... } }`"),
            false => report.help(format!("heard there: {}", join(&words, "and"))),
        });
    }

    fn typed_key(&mut self, item: &Item) -> Option<TestInput> {
        let event = item.event();
        let kind = event.and_then(|event| self.input_of(item, event, &[Source::Key]));
        let key = item.texts().first().copied()?;
        if !self.has_text(key, "a key", "write its name: `Key keydown \"Enter\"`") {
            return None;
        }
        self.check_key(key);
        self.check_heard(item, kind?, &[]);
        Some(TestInput { kind: kind?, name: Some(key.symbol), targets: Vec::new(), at: [0.5; 2] })
    }

    fn custom(&mut self, item: &Item) -> Option<TestInput> {
        let name = item.event()?;
        let targets = self.targets(item.texts());
        if !name.quoted {
            let word = self.text(name.symbol).to_owned();
            let report = Diagnostic::new(
                Code::InputStatement,
                format!("`Custom` sends an event of your own, and `{word}` stands without quotes"),
                name.span,
                "expected a text in quotes",
            );
            let mended = format!("\"{word}\"");
            self.report(report.help(format!("write `Custom {mended}`")).fix(name.span, mended));
            return None;
        }
        if !self.anywhere_inside(|known| known.customs.contains(&name.symbol)) {
            self.unheard(name);
            return None;
        }
        Some(TestInput { kind: InputKind::Custom, name: Some(name.symbol), targets: targets?, at: [0.5; 2] })
    }

    /// The targets, if listeners have all of them.
    fn targets(&mut self, texts: &[Text]) -> Option<Vec<Symbol>> {
        let mut known = true;
        for text in texts {
            if !self.has_scene_target(text.symbol) {
                known = false;
                self.unknown_target(*text);
            }
        }
        known.then(|| texts.iter().map(|text| text.symbol).collect())
    }

    /// The kind of an event, if the statement takes it.
    fn input_of(&mut self, item: &Item, event: Name, sources: &[Source]) -> Option<InputKind> {
        let key = format!("key{}", self.text(event.symbol));
        if let Some(kind) = InputKind::by_word(&key).filter(|_| item.keyword == Keyword::Key && !event.quoted)
        {
            let report = Diagnostic::new(
                Code::UnknownInput,
                format!("there is no event `{}` of a key", self.text(event.symbol)),
                event.span,
                "expected `keydown` or `keyup`",
            );
            self.report(report.help(format!("write `{}`", kind.word())).fix(event.span, kind.word()));
            return None;
        }
        let kind = self.input(event, false)?;
        if sources.contains(&kind.source()) {
            return Some(kind);
        }
        let word = self.text(event.symbol).to_owned();
        let (fact, mended) = match kind.source() {
            Source::Pointer => {
                (format!("`{word}` comes from a pointer"), format!("Pointer {word} \"target\""))
            }
            Source::Focus => {
                (format!("`{word}` is the focus of a target"), format!("Pointer {word} \"target\""))
            }
            Source::Key => (format!("`{word}` comes from a key"), format!("Key {word} \"Enter\"")),
            Source::Custom if item.keyword == Keyword::Key => {
                (format!("`\"{word}\"` is not what a key does"), format!("Key keydown \"{word}\""))
            }
            Source::Custom if self.has_target(event.symbol) => (
                format!("`\"{word}\"` is a target, not what a pointer does"),
                format!("Pointer click \"{word}\""),
            ),
            Source::Custom => (format!("`\"{word}\"` is an event of your own"), format!("Custom \"{word}\"")),
        };
        let expected = match item.keyword {
            Keyword::Key => "expected `keydown` or `keyup`",
            _ => "expected what a pointer does: `click`, `mouseenter`, ...",
        };
        self.not_taken(event.span, &fact, expected, &format!("write `{mended}`"));
        None
    }

    fn not_taken(&mut self, span: Span, fact: &str, label: &str, help: &str) {
        self.report(Diagnostic::new(Code::InputStatement, fact, span, label).help(help));
    }

    fn unheard(&mut self, name: Name) {
        let heard = self.known.hir.listeners.iter().flat_map(|listener| &listener.hears);
        let heard = heard.filter(|hear| hear.input == InputKind::Custom);
        let heard: Vec<Symbol> = heard.filter_map(|hear| hear.name).take(FEW).collect();
        let word = self.text(name.symbol).to_owned();
        let near = self.nearest_of(&word, heard.iter().copied());
        let report = Diagnostic::new(
            Code::UnknownInput,
            format!("no listener of {} hears `\"{word}\"`", self.behavior_text()),
            name.span,
            "expected a custom event that a listener hears",
        );
        self.report_name(match near {
            Some(near) => {
                report.help(format!("did you mean `\"{near}\"`?")).fix(name.span, format!("\"{near}\""))
            }
            None if heard.is_empty() => {
                report.help(format!("hear it in a listener: `Listener {{ On \"{word}\" {{ ... }} }}`"))
            }
            None => report.help(format!("it hears {}", self.choices(heard, "and"))),
        });
    }
}
