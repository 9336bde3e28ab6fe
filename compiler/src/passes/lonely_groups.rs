//! Lint: a group that one animation names alone, with nearly the name of a group of several.
//!
//! A group is made by naming it, so that a slip makes another. Names that differ in a digit or in their last letter
//! (`HandL`, `HandR`) are meant to differ.

use super::Context;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::{Action, Behavior, Hir};

use super::walk;

pub(super) fn run(hir: &mut Hir, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    for (_, behavior) in context.own(hir) {
        if behavior.groups.len() > 1 {
            report_all(behavior, context, diagnostics);
        }
    }
}

/// Of behaviors with more groups, the first are looked at.
const MOST: usize = 256;

fn report_all(behavior: &Behavior, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let mut members = vec![0_usize; behavior.groups.len()];
    for group in behavior.animations.iter().filter_map(|row| row.group) {
        members[group.index()] += 1;
    }
    // What an action names is no slip.
    walk::each_action(behavior, &mut |action| {
        if let Action::StopGroup(group, _) = action {
            members[group.index()] = members[group.index()].max(2);
        }
    });
    for animation in &behavior.animations {
        let Some(group) = animation.group.filter(|group| members[group.index()] == 1) else { continue };
        let name = context.names.text(behavior.groups[group.index()].symbol);
        let mut others = behavior.groups.iter().zip(&members).take(MOST);
        let near = others.find_map(|(other, members)| {
            let text = context.names.text(other.symbol);
            (*members > 1 && is_slip(name, text)).then_some((text, other.span))
        });
        let Some((near, span)) = near else { continue };
        let own = behavior.groups[group.index()].span;
        let report = Diagnostic::new(
            Code::LonelyGroup,
            format!("the group `{name}` has one animation alone, and `{near}` has several"),
            own,
            "nothing else is in this group",
        )
        .label(span, format!("`{near}` is named here"))
        .help(format!("did you mean `{near}`?"))
        .fix(own, crate::syntax::written(near));
        context.tell(behavior, report, diagnostics);
    }
}

/// Whether the names differ by one slip: in case, by a letter too much, too few or other, or by two that are exchanged.
fn is_slip(a: &str, b: &str) -> bool {
    let letters = |text: &str| -> Vec<char> { text.chars().flat_map(char::to_lowercase).collect() };
    let (a, b) = (letters(a), letters(b));
    if a.len().min(b.len()) < 3 || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let same = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[same..], &b[same..]);
    let digit = |rest: &[char]| rest.first().is_some_and(char::is_ascii_digit);
    if digit(a) || digit(b) {
        return false;
    }
    match (a, b) {
        ([], []) => true,
        ([_, a @ ..], b) if a == b => true,
        (a, [_, b @ ..]) if a == b => true,
        ([_, a @ ..], [_, b @ ..]) if a == b => !a.is_empty(),
        ([a0, a1, a @ ..], [b0, b1, b @ ..]) => (a0, a1, a) == (b1, b0, b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_slip;

    #[test]
    fn slips_are_told_from_names_that_are_meant_to_differ() {
        for slip in ["Wepon", "Weaapon", "weapon", "Waepon", "Wezpon", "Weapons"] {
            assert!(is_slip(slip, "Weapon") && is_slip("Weapon", slip), "{slip}");
        }
        for (a, b) in [("HandL", "HandR"), ("Arm1", "Arm2"), ("Arm", "Arm2"), ("Head", "Hand"), ("A", "B")] {
            assert!(!is_slip(a, b), "{a} {b}");
        }
    }
}
