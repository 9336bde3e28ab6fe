//! A decision that does nothing, found out without deciding.
//!
//! Where conditions only compare parameters, and there is nothing else that a decision looks at, most decisions come
//! down to seeing that no condition holds. That is seen here from the block alone; where anything might be to be done, a
//! whole tick decides.

use crate::ids::{MachineId, StateId};
use crate::instance::view::{NO_STATE, View, flag};
use crate::program::layout::{Layout, MACHINE_WORDS};
use crate::program::tables::Behavior;

/// Whether the next decision would do nothing; then the block says so. Only for behaviors whose layout is
/// [`peeks`](Layout::peeks).
pub(crate) fn peek(rows: &Behavior, layout: &Layout, words: &mut [u32]) -> bool {
    if !layout.peeks || !is_idle(View::new(rows, layout, words)) {
        return false;
    }
    if let Some(first) = words.first_mut() {
        *first |= flag::QUIET;
    }
    true
}

fn is_idle(view: View<'_>) -> bool {
    let layout = view.layout;
    for slot in layout.triggers.iter().filter_map(|param| layout.params.get(param.index())) {
        if view.word(slot.at as usize) != 0 {
            return false;
        }
    }
    let mut at = layout.machines;
    for machine in 0..layout.machine_count {
        let (leaf, machine) = (StateId(view.word(at) as u16), MachineId(machine as u16));
        let Some(asked) = layout.asked.of(leaf) else { return false };
        let requested = view.word(at + 1) != (NO_STATE | NO_STATE << 16);
        if requested || asked.iter().any(|chain| view.pass_checks(*chain, Some(machine))) {
            return false;
        }
        at += MACHINE_WORDS;
    }
    true
}
