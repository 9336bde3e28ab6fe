//! What a user wants the listeners of a behavior to hear, in the words of `Pointer`, `Key` and `Custom` of tests.
//!
//! Targets and events are those that listeners have; a misspelled one is an error that names the nearest.

use motix_vm::input::{InputKind, Source};
use motix_vm::program::BehaviorRef;

use super::script::{bare, number};
use crate::testing::Sent;

type Read<T> = Result<T, String>;

/// `click icon, card at 0.3, 0.5`
pub(super) fn pointer(rest: &str, behavior: BehaviorRef<'_>) -> Read<Sent> {
    let (word, rest) = first_word(rest);
    let kind = kind(word, &[Source::Pointer, Source::Focus])?;
    let (names, at) =
        match rest.strip_prefix("at ").map(|place| ("", place)).or_else(|| rest.split_once(" at ")) {
            Some((names, at)) => (names, Some(place(at)?)),
            None => (rest, None),
        };
    let targets = targets(names, behavior)?;
    if kind.source() == Source::Focus && (targets.len() != 1 || at.is_some()) {
        return Err(format!("`{word}` is written `pointer {word} TARGET`"));
    }
    Ok(Sent { kind, name: String::new(), targets, at: at.unwrap_or([0.5; 2]) })
}

/// `keydown Enter`
pub(super) fn key(rest: &str) -> Read<Sent> {
    let (word, rest) = first_word(rest);
    let kind = kind(word, &[Source::Key])?;
    let name = bare(rest);
    if name.is_empty() {
        return Err(format!("the key is missing; it is written `key {word} Enter`"));
    }
    Ok(Sent { kind, name, targets: Vec::new(), at: [0.5; 2] })
}

/// `combo`, `combo icon, card`
pub(super) fn custom(rest: &str, behavior: BehaviorRef<'_>) -> Read<Sent> {
    let (word, rest) = first_word(rest);
    let name = bare(word);
    behavior.custom_input(&name).map_err(|why| why.to_string())?;
    Ok(Sent { kind: InputKind::Custom, name, targets: targets(rest, behavior)?, at: [0.5; 2] })
}

/// The word in front, or a text in quotes; and what follows. A colon may stand for the space.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let quoted = text.strip_prefix('"').and_then(|inner| inner.find('"')).map(|end| end + 2);
    let end = quoted.or_else(|| text.find(|c: char| c == ':' || c.is_whitespace())).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    (word, rest.strip_prefix(':').unwrap_or(rest).trim())
}

fn kind(word: &str, sources: &[Source]) -> Read<InputKind> {
    let known = || InputKind::ALL.iter().filter(|kind| sources.contains(&kind.source()));
    let found = InputKind::by_word(word).filter(|kind| sources.contains(&kind.source()));
    found.ok_or_else(|| {
        let words: Vec<String> = known().map(|kind| format!("`{}`", kind.word())).collect();
        format!("`{word}` is none of {}", words.join(", "))
    })
}

fn targets(names: &str, behavior: BehaviorRef<'_>) -> Read<Vec<String>> {
    let names = names.split(',').map(bare).filter(|name| !name.is_empty());
    names
        .map(|name| match behavior.scene_target(&name) {
            Ok(()) => Ok(name),
            Err(why) => Err(why.to_string()),
        })
        .collect()
}

fn place(text: &str) -> Read<[f32; 2]> {
    let inner = text.trim().trim_start_matches('(').trim_end_matches(')');
    let numbers = inner.split_once(',').and_then(|(x, y)| Some([number(x)?, number(y)?]));
    let inside = numbers.filter(|at| at.iter().all(|value| (0.0..=1.0).contains(value)));
    inside.ok_or_else(|| format!("a place is two numbers from 0 to 1, `at 0.3, 0.5`, not `{}`", text.trim()))
}
