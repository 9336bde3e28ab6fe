//! Names of other notations as names of the language: cleaned, told apart, in the case of letters that it uses.

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::UnicodeNormalization;

use crate::syntax::RESERVED;

/// A name as it can stand in the language: in NFC, without line ends and backquotes, never empty.
pub(super) fn clean(name: &str) -> String {
    let text: String = name.nfc().map(|c| if c.is_control() || c == '`' { '_' } else { c }).collect();
    if text.is_empty() { "unnamed".to_owned() } else { text }
}

/// Whether a clean name is the same letters as the name, composed.
pub(super) fn is_spelling(name: &str, clean: &str) -> bool {
    name.nfc().eq(clean.chars())
}

/// A name as it is written: in backquotes where it is not a plain word.
pub(super) fn written(name: &str) -> String {
    if is_word(name) && !RESERVED.contains(&name) { name.to_owned() } else { format!("`{name}`") }
}

fn is_word(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// The parts of a name: at spaces and signs, and where a capital begins a word.
fn parts(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut parts: Vec<String> = Vec::new();
    let mut fresh = true;
    for (at, letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            fresh = true;
            continue;
        }
        let after_small = at > 0 && !letters[at - 1].is_uppercase();
        let before_small = letters.get(at + 1).is_some_and(|letter| letter.is_lowercase());
        if letter.is_uppercase() && (after_small || before_small) {
            fresh = true;
        }
        match parts.last_mut() {
            Some(part) if !fresh => part.push(*letter),
            _ => parts.push(letter.to_string()),
        }
        fresh = false;
    }
    parts
}

fn capital(part: &str) -> String {
    let mut letters = part.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.flat_map(char::to_lowercase)).collect()
}

/// `walkSpeed` of `WalkSpeed`.
pub(super) fn camel(name: &str) -> String {
    let parts = parts(name);
    let Some((first, rest)) = parts.split_first() else { return String::new() };
    let joined = rest.iter().fold(first.to_lowercase(), |joined, part| joined + &capital(part));
    if joined.starts_with(|first: char| first.is_ascii_digit()) { format!("n{joined}") } else { joined }
}

/// `DoorGuard` of `door-guard`.
pub(super) fn pascal(name: &str) -> String {
    let joined: String = parts(name).iter().map(|part| capital(part)).collect();
    if joined.starts_with(|first: char| first.is_ascii_digit()) { format!("N{joined}") } else { joined }
}

/// Names that are taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    names: BTreeSet<String>,
    /// Names for those who are called so: not given to others.
    kept: BTreeSet<String>,
    /// The number to try next behind a name.
    next: BTreeMap<String, u32>,
}

impl Taken {
    pub(super) fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Keeps a name for what is called so.
    pub(super) fn keep(&mut self, name: &str) {
        self.kept.insert(name.to_owned());
    }

    /// The name itself, for what is called so, where it is not taken; else one for something that needs another.
    pub(super) fn own(&mut self, name: &str) -> String {
        self.kept.remove(name);
        self.fresh(name)
    }

    /// The name, with a number behind where it is taken or kept; it is taken then.
    pub(super) fn fresh(&mut self, name: &str) -> String {
        let mut result = name.to_owned();
        while self.kept.contains(&result) || !self.names.insert(result.clone()) {
            let number = self.next.entry(name.to_owned()).or_insert(2);
            result = format!("{name}{number}");
            *number += 1;
        }
        result
    }
}
