//! Gives comments to the items they stand at.
//!
//! A comment behind something on its line belongs to that; one on lines of its own belongs to what comes next; one
//! inside a call to that call. Comments at code that is no builder are left with it.

use super::model::{Model, Place, PredicateBody};
use super::scope::{Anchor, Owner};
use crate::import::page::Notes;
use crate::source::Span;

/// Puts each comment into the notes of its item.
pub(super) fn attach(text: &str, comments: &[Span], mut anchors: Vec<Anchor>, model: &mut Model) {
    anchors.sort_by_key(|anchor| anchor.start);
    for comment in comments {
        let lines = content(text.get(comment.range()).unwrap_or(""));
        if lines.is_empty() {
            continue;
        }
        let next = anchors.partition_point(|anchor| anchor.start < comment.start);
        let before = &anchors[..next];
        let inside = before.iter().rev().take(8).find(|anchor| anchor.end >= comment.end);
        let head = text.get(..comment.start as usize).unwrap_or("");
        let trailing = !head.rsplit('\n').next().unwrap_or("").trim().is_empty();
        let (owner, behind) = match (inside, before.last(), anchors.get(next)) {
            (Some(anchor), _, _) => (anchor.owner, false),
            (None, Some(anchor), _) if trailing => (anchor.owner, lines.len() == 1),
            (None, _, Some(anchor)) if !trailing => {
                // A statement and the item that it declares begin at one place.
                let here = anchors[next..].iter().take_while(|other| other.start == anchor.start);
                let owners = here.map(|other| other.owner);
                (
                    owners.fold(
                        anchor.owner,
                        |found, other| if found == Owner::Nobody { other } else { found },
                    ),
                    false,
                )
            }
            _ => continue,
        };
        let Some(notes) = notes(owner, inside.is_some(), model) else { continue };
        if behind { notes.behind.extend(lines) } else { notes.before.extend(lines) }
    }
}

fn notes(owner: Owner, inside: bool, model: &mut Model) -> Option<&mut Notes> {
    match owner {
        Owner::Constant(id) => Some(model.notes.entry(id).or_default()),
        Owner::Item(behavior, place) => {
            let behavior = model.behaviors.get_mut(behavior)?;
            if let (Place::Predicate(index), true) = (place, inside)
                && matches!(behavior.predicates.get(index)?.body, PredicateBody::Host(..))
            {
                // The Lua text is kept whole, comments included.
                return None;
            }
            Some(behavior.notes.entry(place).or_default())
        }
        Owner::Nobody => None,
    }
}

/// The lines of a comment without dashes, brackets and what surrounds them.
fn content(comment: &str) -> Vec<String> {
    let rest = comment.trim_start_matches("#!").trim_start_matches('-');
    let level = rest.strip_prefix('[').map(|rest| rest.len() - rest.trim_start_matches('=').len());
    let body = match level {
        Some(level) if rest[level + 1..].starts_with('[') => {
            let inner = &rest[level + 2..];
            inner.strip_suffix(&format!("]{}]", "=".repeat(level))).unwrap_or(inner)
        }
        _ => rest,
    };
    body.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}
