//! Names for what is written: words of Lua into names of the language.
//!
//! A parameter is named after the last word of what it reads, in camel case: `humanoid.WalkSpeed` is `walkSpeed`,
//! `character:GetAttribute("Aiming")` is `aiming`. A last `Value` and a word of one letter say nothing alone: the
//! word before them counts too. Where that is taken, the words before are put in front, then a number behind.

use std::collections::{BTreeMap, BTreeSet};

use unicode_normalization::UnicodeNormalization;

use super::model::Param;
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

/// The last `count` telling words, as one name.
fn joined(words: &[String], count: usize) -> String {
    let mut words = words;
    if let [head @ .., last] = words
        && !head.is_empty()
        && last == "Value"
    {
        words = head;
    }
    let mut start = words.len().saturating_sub(count);
    if start > 0 && count == 1 && words.last().is_some_and(|last| last.chars().count() == 1) {
        start -= 1;
    }
    let name = camel(&words[start..].join(" "));
    // Changing case can leave letters that are not composed.
    if name.is_empty() { "value".to_owned() } else { clean(&name) }
}

/// A name for each parameter, none of them taken, all different.
pub(super) fn parameters(params: &[Param], taken: &mut Taken) -> Vec<String> {
    let mut counts = vec![1; params.len()];
    let names_of = |counts: &[usize]| -> Vec<String> {
        params.iter().zip(counts).map(|(param, count)| joined(&param.words, *count)).collect()
    };
    // Each round takes more words for those that clash and have some left.
    for _ in 0..8 {
        let names = names_of(&counts);
        let mut seen = BTreeMap::new();
        for name in &names {
            *seen.entry(name.as_str()).or_insert(0) += 1;
        }
        let mut changed = false;
        for (index, name) in names.iter().enumerate() {
            let clashes = seen.get(name.as_str()) != Some(&1) || taken.contains(name);
            if clashes && counts[index] < params[index].words.len() {
                counts[index] += 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    names_of(&counts).iter().map(|name| taken.fresh(name)).collect()
}

/// Names that are taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken {
    names: BTreeSet<String>,
    /// The number to try next behind a name.
    next: BTreeMap<String, u32>,
}

impl Taken {
    pub(super) fn contains(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// The name, with a number behind where it is taken; it is taken then.
    pub(super) fn fresh(&mut self, name: &str) -> String {
        let mut result = name.to_owned();
        while !self.names.insert(result.clone()) {
            let number = self.next.entry(name.to_owned()).or_insert(2);
            result = format!("{name}{number}");
            *number += 1;
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(sources: &[&str]) -> Vec<String> {
        let params: Vec<Param> = sources
            .iter()
            .map(|source| {
                let words = source.split('.').map(str::to_owned).collect();
                Param { source: (*source).to_owned(), words, ty: None, default: None }
            })
            .collect();
        parameters(&params, &mut Taken::default())
    }

    #[test]
    fn the_last_word_names_a_parameter() {
        assert_eq!(
            named(&["humanoid.WalkSpeed", "a.HP", "a.HPMax", "a.is-aiming", "a.look_at"]),
            ["walkSpeed", "hp", "hpMax", "isAiming", "lookAt"]
        );
        assert_eq!(
            named(&["door.Distance.Value", "root.Velocity.X", "Value", "x.3d"]),
            ["distance", "velocityX", "value", "n3d"]
        );
    }

    #[test]
    fn letters_of_any_script_stay() {
        assert_eq!(named(&["a.Ärger", "a.ÖrtlicheZeit", "a.日本"]), ["ärger", "örtlicheZeit", "日本"]);
    }

    #[test]
    fn words_before_it_tell_equal_ones_apart() {
        assert_eq!(
            named(&["a.Move.Speed", "b.Turn.Speed", "c.Turn.Speed"]),
            ["moveSpeed", "bTurnSpeed", "cTurnSpeed"]
        );
        assert_eq!(named(&["a.x", "a.y", "A.X"]), ["aX", "aY", "aX2"]);
    }
}
