//! Why a name was not found: the nearest ones, or the several that it could mean.
//!
//! The search for near names is bounded: names longer than a person types are not compared, few are offered.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// How many names are offered.
const OFFERED: usize = 3;
/// Longer names are not compared, in characters.
const LONGEST: usize = 64;
/// The greatest edit distance of a near name.
const DISTANCE: usize = 2;

/// A name that stands for nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// What was looked for: `parameter`, `state`, ...
    pub what: &'static str,
    /// The name that was given.
    pub name: String,
    /// Names that are near, the nearest first; at most three.
    pub nearest: Vec<String>,
}

impl UnknownName {
    /// `known` are the names there are.
    pub(crate) fn new<'n>(what: &'static str, name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        Self { what, name: name.to_owned(), nearest: nearest(name, known) }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} `{}`", self.what, self.name)?;
        let mut before = "; did you mean ";
        for name in &self.nearest {
            write!(f, "{before}`{name}`")?;
            before = " or ";
        }
        if self.nearest.is_empty() { Ok(()) } else { f.write_str("?") }
    }
}

impl core::error::Error for UnknownName {}

/// A name that could not be turned into the id that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookupError {
    /// Nothing has that name.
    Unknown(UnknownName),
    /// A parameter has that name, and another type.
    WrongType {
        /// The parameter's name.
        name: String,
        /// The type that was asked for.
        expected: &'static str,
        /// The type it has.
        found: &'static str,
    },
    /// Several states have that name.
    Ambiguous {
        /// The name that was given.
        name: String,
        /// The names that say which is meant.
        candidates: Vec<String>,
    },
}

impl fmt::Display for LookupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) => unknown.fmt(f),
            Self::WrongType { name, expected, found } => {
                write!(f, "parameter `{name}` is of type {found}, not {expected}")
            }
            Self::Ambiguous { name, candidates } => {
                write!(f, "state `{name}` could be ")?;
                for (index, candidate) in candidates.iter().enumerate() {
                    let before = if index == 0 { "" } else { " or " };
                    write!(f, "{before}`{candidate}`")?;
                }
                Ok(())
            }
        }
    }
}

impl core::error::Error for LookupError {}

impl From<UnknownName> for LookupError {
    fn from(unknown: UnknownName) -> Self {
        Self::Unknown(unknown)
    }
}

/// The known names within edit distance 2, or equal but for case; the nearest first, then in their order.
fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Vec<String> {
    let Some(wanted) = characters(name) else { return Vec::new() };
    let mut found: Vec<(usize, &str)> = Vec::new();
    for other in known {
        let Some(distance) = characters(other).and_then(|other| distance(&wanted, &other)) else { continue };
        let place = found.partition_point(|(least, _)| *least <= distance);
        if place < OFFERED && !found.iter().any(|(_, known)| *known == other) {
            found.insert(place, (distance, other));
            found.truncate(OFFERED);
        }
    }
    found.into_iter().map(|(_, name)| name.to_owned()).collect()
}

fn characters(name: &str) -> Option<Vec<char>> {
    // No name of that many characters has fewer bytes.
    let short = name.len() <= 4 * LONGEST;
    let characters: Vec<char> = name.chars().take(if short { LONGEST + 1 } else { 0 }).collect();
    (short && characters.len() <= LONGEST).then_some(characters)
}

/// The number of characters to insert, remove, or exchange; `None` above [`DISTANCE`], or where nothing would
/// remain of a short name. Equal but for case counts 1.
fn distance(a: &[char], b: &[char]) -> Option<usize> {
    let lower = |text: &[char]| text.iter().flat_map(|char| char.to_lowercase()).collect::<Vec<char>>();
    if lower(a) == lower(b) {
        return Some(usize::from(a != b));
    }
    if a.len().abs_diff(b.len()) > DISTANCE {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (line, from) in a.iter().enumerate() {
        let mut diagonal = line;
        let mut left = line + 1;
        let mut least = left;
        for (above, to) in row.iter_mut().skip(1).zip(b) {
            let value = (diagonal + usize::from(from != to)).min(left + 1).min(*above + 1);
            diagonal = *above;
            *above = value;
            left = value;
            least = least.min(value);
        }
        if let Some(first) = row.first_mut() {
            *first = line + 1;
        }
        if least > DISTANCE {
            return None;
        }
    }
    let distance = row.last().copied().unwrap_or_default();
    let longest = a.len().max(b.len());
    (distance <= DISTANCE && distance < longest).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(name: &str, known: &[&str]) -> Vec<String> {
        nearest(name, known.iter().copied())
    }

    #[test]
    fn near_names_come_nearest_first() {
        assert_eq!(near("sped", &["grounded", "sapeed", "speed"]), ["speed", "sapeed"]);
        assert_eq!(near("SPEED", &["speed"]), ["speed"]);
        assert_eq!(near("x", &["y", "zz"]), [""; 0]);
        assert_eq!(near("walk", &["swim", "fly"]), [""; 0]);
    }

    #[test]
    fn distances_count_edits() {
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars("walk"), &chars("walk")), Some(0));
        assert_eq!(distance(&chars("wlak"), &chars("walk")), Some(2));
        assert_eq!(distance(&chars("wa"), &chars("walk")), Some(2));
        assert_eq!(distance(&chars("w"), &chars("walk")), None);
    }

    #[test]
    fn long_names_are_not_compared() {
        let long = "x".repeat(100_000);
        assert_eq!(near(&long, &[&long]), [""; 0]);
    }
}
