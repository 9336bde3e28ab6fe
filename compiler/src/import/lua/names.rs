//! Names for parameters: words of Lua into names of the language.
//!
//! A parameter is named after the last word of what it reads, in camel case: `humanoid.WalkSpeed` is `walkSpeed`,
//! `character:GetAttribute("Aiming")` is `aiming`. A last `Value` and a word of one letter say nothing alone: the
//! word before them counts too. Where that is taken, the words before are put in front, then a number behind.

use std::collections::BTreeMap;

use super::model::Param;
use crate::import::names::{Taken, camel, clean};

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
