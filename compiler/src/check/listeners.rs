//! Listeners: their targets, what they hear, and what they do then.

use crate::hash::HashMap;

use motix_vm::input::{InputKind, Source};

use crate::ast::{Item, Name, Node, Text};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Hear};
use crate::intern::{Interner, Symbol};
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, Known, Seen, Site, join};
use super::unknown::FEW;

/// Words of other worlds for what can be heard, in lower case, without `on` before them.
const FOREIGN: &[(&str, InputKind)] = &[
    ("hover", InputKind::Enter),
    ("mouseover", InputKind::Enter),
    ("pointerover", InputKind::Enter),
    ("enter", InputKind::Enter),
    ("unhover", InputKind::Leave),
    ("mouseout", InputKind::Leave),
    ("pointerout", InputKind::Leave),
    ("mouseexit", InputKind::Leave),
    ("pointerexit", InputKind::Leave),
    ("leave", InputKind::Leave),
    ("press", InputKind::Down),
    ("pressed", InputKind::Down),
    ("touchstart", InputKind::Down),
    ("mousepress", InputKind::Down),
    ("down", InputKind::Down),
    ("release", InputKind::Up),
    ("released", InputKind::Up),
    ("touchend", InputKind::Up),
    ("up", InputKind::Up),
    ("move", InputKind::Move),
    ("touchmove", InputKind::Move),
    ("drag", InputKind::Move),
    ("tap", InputKind::Click),
    ("clicked", InputKind::Click),
    ("mouseclick", InputKind::Click),
    ("pointerclick", InputKind::Click),
    ("doubleclick", InputKind::Click),
    ("dblclick", InputKind::Click),
    ("focusin", InputKind::Focus),
    ("focused", InputKind::Focus),
    ("focusout", InputKind::Blur),
    ("unfocus", InputKind::Blur),
    ("keypress", InputKind::KeyDown),
    ("keypressed", InputKind::KeyDown),
    ("key", InputKind::KeyDown),
    ("keyreleased", InputKind::KeyUp),
];

/// Names of keys on the web, beside the characters that they type.
const KEYS: &[&str] = &[
    "Enter",
    "Escape",
    "Tab",
    "Backspace",
    "Delete",
    "Insert",
    "Home",
    "End",
    "PageUp",
    "PageDown",
    "ArrowLeft",
    "ArrowRight",
    "ArrowUp",
    "ArrowDown",
    "Shift",
    "Control",
    "Alt",
    "Meta",
    "CapsLock",
    "ContextMenu",
    "F1",
    "F2",
    "F3",
    "F4",
    "F5",
    "F6",
    "F7",
    "F8",
    "F9",
    "F10",
    "F11",
    "F12",
];

/// What keys are called elsewhere, in lower case.
const OTHER_KEYS: &[(&str, &str)] = &[
    ("return", "Enter"),
    ("esc", "Escape"),
    ("space", " "),
    ("spacebar", " "),
    ("left", "ArrowLeft"),
    ("right", "ArrowRight"),
    ("up", "ArrowUp"),
    ("down", "ArrowDown"),
    ("leftarrow", "ArrowLeft"),
    ("rightarrow", "ArrowRight"),
    ("uparrow", "ArrowUp"),
    ("downarrow", "ArrowDown"),
    ("ctrl", "Control"),
    ("del", "Delete"),
    ("cmd", "Meta"),
    ("command", "Meta"),
    ("option", "Alt"),
    ("pgup", "PageUp"),
    ("pgdn", "PageDown"),
];

impl Checker<'_, '_> {
    pub(super) fn listener(&mut self, item: &Item) {
        let target = item.texts().first().copied();
        let target = target.filter(|target| self.has_text(*target, "a target", NAMELESS_TARGET));
        let mut listener = hir::Listener {
            span: item.span,
            target: target.map(|target| target.symbol),
            pass_through: false,
            hears: Vec::new(),
        };
        let mut seen = Seen::default();
        let mut heard: HashMap<(InputKind, Option<Symbol>), Span> = HashMap::default();
        let mut empty = true;
        for inner in item.items() {
            match inner.keyword {
                Keyword::PassThrough if self.once(&mut seen, inner) => {
                    listener.pass_through = self.flag(inner);
                    if item.texts().is_empty() {
                        self.nothing_below(item, inner);
                    }
                }
                Keyword::On => {
                    empty = false;
                    let Some(hear) = self.hear(inner) else { continue };
                    let head = head_of(inner);
                    match heard.get(&(hear.input, hear.name)).copied() {
                        Some(first) => self.heard_twice(first, head),
                        None => {
                            heard.insert((hear.input, hear.name), head);
                            listener.hears.push(hear);
                        }
                    }
                }
                _ => {}
            }
        }
        let whole = item
            .block
            .as_ref()
            .is_some_and(|block| block.nodes.iter().all(|node| matches!(node, Node::Item(_))));
        if empty && whole {
            let report = Diagnostic::new(
                Code::HearsNothing,
                "this listener hears nothing",
                head_of(item),
                "expected an `On` in its block",
            );
            self.report(report.help("say what it is to do: `On click { Toggle active }`, or remove it"));
        }
        self.known.targets.extend(listener.target);
        let customs = listener.hears.iter().filter(|hear| hear.input == InputKind::Custom);
        self.known.customs.extend(customs.filter_map(|hear| hear.name));
        self.known.hir.listeners.push(listener);
    }

    /// `On`: what it hears, and what it does then.
    fn hear(&mut self, item: &Item) -> Option<Hear> {
        let event = item.event();
        let input = event.and_then(|event| self.input(event, true));
        let key = item.texts().first().copied();
        let source = input.map(InputKind::source);
        let site = if source == Some(Source::Pointer) { Site::POINTER } else { Site::actions(None) };
        let actions = self.actions(item, site);
        let (event, input) = (event?, input?);
        let name = match (source?, key) {
            (Source::Custom, None) => {
                let text = Text { symbol: event.symbol, span: event.span };
                self.has_text(text, "a custom event", NAMELESS_EVENT).then_some(event.symbol)
            }
            (Source::Key, Some(key)) => {
                if !self.has_text(key, "a key", "leave the text out to hear every key") {
                    return None;
                }
                self.check_key(key);
                Some(key.symbol)
            }
            (_, Some(key)) => {
                self.keyless(input, event, key);
                return None;
            }
            (_, None) => None,
        };
        let named = source? != Source::Custom || name.is_some();
        named.then_some(Hear { span: item.span, input, name, actions })
    }

    /// The kind of input that an event is. A text in quotes is a custom one, where there may be one.
    pub(super) fn input(&mut self, event: Name, custom: bool) -> Option<InputKind> {
        let word = self.text(event.symbol).to_owned();
        if event.quoted {
            let kind = InputKind::by_word(&word);
            if let (Some(_), true) = (kind, custom) {
                let report = Diagnostic::new(
                    Code::QuotedInput,
                    format!("`\"{word}\"` in quotes is an event of your own"),
                    event.span,
                    format!("the host's `{word}` stands without quotes"),
                );
                self.report(report.help(format!("write `{word}`")).fix(event.span, word));
            }
            return Some(InputKind::Custom);
        }
        let found = InputKind::by_word(&word);
        if found.is_none() {
            self.unknown_input(event, &word, custom);
        }
        found
    }

    fn unknown_input(&mut self, event: Name, word: &str, custom: bool) {
        if self.is_lost(event.symbol) {
            return;
        }
        let plain: String = word.to_lowercase().chars().filter(|char| !matches!(char, '_' | '-')).collect();
        let plain = plain.strip_prefix("on").unwrap_or(&plain);
        let known = |word: &str| InputKind::by_word(word).map(|_| word.to_owned());
        let foreign = || {
            let row = FOREIGN.iter().find(|(other, _)| *other == plain);
            row.map(|(_, kind)| kind.word().to_owned())
        };
        let near = known(plain).or_else(foreign).or_else(|| {
            let words = InputKind::ALL.iter().flat_map(|kind| kind.words()).copied();
            self.nearest.find(plain, words).map(str::to_owned)
        });
        let mut report = Diagnostic::new(
            Code::UnknownInput,
            format!("there is no event `{word}` of a pointer or a key"),
            event.span,
            "expected `click`, `mouseenter`, `keydown` or the like",
        );
        match near {
            Some(near) => {
                report = report.help(format!("did you mean `{near}`?")).fix(event.span, near);
            }
            None => {
                let words: Vec<String> = InputKind::ALL
                    .iter()
                    .filter(|kind| **kind != InputKind::Custom)
                    .map(|kind| format!("`{}`", kind.word()))
                    .collect();
                report = report.help(format!("there are {}", join(&words, "and")));
            }
        }
        if custom {
            report = report.help(format!("an event of your own stands in quotes: `On \"{word}\"`"));
        }
        self.report_name(report);
    }

    /// Whether a text says something; otherwise that is reported.
    pub(super) fn has_text(&mut self, text: Text, what: &str, help: &str) -> bool {
        let holds = !self.text(text.symbol).is_empty();
        if !holds {
            let report = Diagnostic::new(
                Code::EmptyTarget,
                format!("{what} needs a name"),
                text.span,
                "this text is empty",
            );
            self.report(report.help(help));
        }
        holds
    }

    /// Notes a key that the web calls otherwise.
    pub(super) fn check_key(&mut self, key: Text) {
        let word = self.text(key.symbol).to_owned();
        if KEYS.contains(&&*word) || word.chars().count() == 1 {
            return;
        }
        let lower = word.to_lowercase();
        let other = OTHER_KEYS.iter().find(|(other, _)| *other == lower).map(|(_, name)| *name);
        let letter = || {
            let rest = word.strip_prefix("Key").or_else(|| word.strip_prefix("Digit"))?;
            let mut chars = rest.chars();
            let char = chars.next().filter(|_| chars.next().is_none())?;
            Some(char.to_lowercase().to_string())
        };
        let near = other.map(str::to_owned).or_else(letter);
        let near = near.or_else(|| self.nearest.find(&word, KEYS.iter().copied()).map(str::to_owned));
        let Some(near) = near else { return };
        let report = Diagnostic::new(
            Code::OddKey,
            format!("the web calls no key `{word}`"),
            key.span,
            format!("its name there is `\"{near}\"`"),
        );
        let help = format!("write `\"{near}\"`, unless your host names its keys `{word}`");
        self.report(report.help(help).fix(key.span, format!("\"{near}\"")));
    }

    fn keyless(&mut self, input: InputKind, event: Name, key: Text) {
        let word = self.text(event.symbol).to_owned();
        let text = self.text(key.symbol).to_owned();
        let shown = if input == InputKind::Custom { format!("\"{word}\"") } else { word };
        let report = Diagnostic::new(
            Code::KeyFilter,
            format!("`{shown}` comes from no key"),
            key.span,
            "expected the actions",
        );
        self.report(
            report.help(format!(
                "write `On {shown} {{ ... }}`; for the key, `On keydown \"{text}\" {{ ... }}`"
            )),
        );
    }

    fn nothing_below(&mut self, listener: &Item, item: &Item) {
        let report = Diagnostic::new(
            Code::NothingBelow,
            "this listener has no target, so nothing lies below it",
            item.span,
            "expected in a listener with a target",
        )
        .label(listener.keyword_span, "it hears the whole scene");
        self.report(report.help("remove it, or name a target: `Listener \"icon\" { PassThrough ... }`"));
    }

    fn heard_twice(&mut self, first: Span, again: Span) {
        let report = Diagnostic::new(
            Code::HeardTwice,
            "this listener hears the same twice",
            again,
            "heard again here",
        )
        .label(first, "first heard here");
        self.report(report.help("put the actions into one list; they run in order"));
    }

    /// Whether a listener of the behavior has that target.
    pub(super) fn has_target(&self, target: Symbol) -> bool {
        self.known.targets.contains(&target)
    }

    /// Whether a listener has that target: of the behavior or, behind the target of a component, of that.
    pub(super) fn has_scene_target(&self, target: Symbol) -> bool {
        has_target_of(&self.known, self.others, self.names, self.text(target))
    }

    /// Reports a target that no listener has.
    pub(super) fn unknown_target(&mut self, target: Text) {
        // What stands in a component of a behavior that is not known cannot be told.
        if self.anywhere_inside(|known| known.inner.iter().any(Option::is_none)) {
            return;
        }
        let word = self.text(target.symbol).to_owned();
        let known: Vec<String> = self.scene_targets();
        let known: Vec<Symbol> = known.iter().map(|target| self.names.intern(target)).collect();
        let near = self.nearest_of(&word, known.iter().copied());
        let report = Diagnostic::new(
            Code::UnknownTarget,
            format!("no listener of {} has the target `{word}`", self.behavior_text()),
            target.span,
            "expected the target of a listener",
        );
        self.report_name(match near {
            Some(near) => {
                report.help(format!("did you mean `\"{near}\"`?")).fix(target.span, format!("\"{near}\""))
            }
            None if known.is_empty() => report
                .help(format!("declare one in the behavior: `Listener \"{word}\" {{ On click {{ ... }} }}`")),
            None => {
                let verb = if known.len() == 1 { "its target is" } else { "its targets are" };
                report.help(format!("{verb} {}", self.choices(known, "and")))
            }
        });
    }
}

impl Checker<'_, '_> {
    /// Some of the targets that listeners have, those of components with the components' targets before them.
    fn scene_targets(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![(String::new(), &self.known)];
        while let Some((before, known)) = open.pop() {
            let own = known.hir.listeners.iter().filter_map(|listener| listener.target);
            found.extend(own.map(|target| format!("{before}{}", self.text(target))));
            if found.len() >= FEW {
                break;
            }
            for (component, inner) in known.hir.components.iter().zip(&known.inner) {
                if let Some(Some(inside)) = inner.and_then(|inner| self.others.get(inner)) {
                    open.push((format!("{before}{}/", self.text(component.target)), inside));
                }
            }
        }
        found.truncate(FEW);
        found
    }
}

/// Whether a listener of a behavior, or of what is inside it, has a target. Paths may be split in several ways.
fn has_target_of(known: &Known<'_>, others: &[Option<Known<'_>>], names: &Interner, target: &str) -> bool {
    let own = |listener: &crate::hir::Listener| listener.target.is_some_and(|own| names.text(own) == target);
    if known.hir.listeners.iter().any(own) {
        return true;
    }
    known.hir.components.iter().zip(&known.inner).any(|(component, inner)| {
        let rest = target.strip_prefix(names.text(component.target)).and_then(|rest| rest.strip_prefix('/'));
        let inside = inner.and_then(|inner| others.get(inner)?.as_ref());
        rest.zip(inside).is_some_and(|(rest, inside)| has_target_of(inside, others, names, rest))
    })
}

const NAMELESS_TARGET: &str =
    "name the target as the host's scene does, or leave the text out to hear all of it";
const NAMELESS_EVENT: &str = "write the name that the host sends: `On \"combo\"`";

/// The item without its block.
fn head_of(item: &Item) -> Span {
    let end = item.block.as_ref().map_or(item.span.end, |block| block.span.start);
    Span { end, ..item.span }
}
