//! A decision that does nothing, found out without deciding.
//!
//! Where conditions only compare parameters, and there is nothing else that a decision looks at, most decisions come
//! down to seeing that no condition holds. That is seen here from the block alone; where anything might be to be done, a
//! whole tick decides.

use crate::ids::MachineId;
use crate::instance::view::{NO_STATE, View, flag};
use crate::program::layout::{Layout, MACHINE_WORDS};
use crate::program::tables::{Behavior, Run};

/// The most transitions that are looked at: with more, a decision has to watch its budget.
const MOST: u32 = 1000;

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
    let (rows, layout) = (view.rows, view.layout);
    for slot in layout.triggers.iter().filter_map(|param| layout.params.get(param.index())) {
        if view.word(slot.at as usize) != 0 {
            return false;
        }
    }
    let mut left = MOST;
    let mut at = layout.machines;
    for (index, machine) in rows.machines.iter().enumerate() {
        let id = MachineId(index as u16);
        let leaf = usize::from(view.word(at) as u16);
        let (Some(row), Some(info)) = (rows.states.get(leaf), layout.states.get(leaf)) else { return false };
        if view.word(at + 1) != (NO_STATE | NO_STATE << 16) || info.restless {
            return false;
        }
        at += MACHINE_WORDS;
        if row.terminal || !info.leaves {
            continue;
        }
        if !(fails(view, row.transitions, id, &mut left) && fails(view, machine.any, id, &mut left)) {
            return false;
        }
        let mut outer = row.parent;
        while let Some(row) = outer.and_then(|outer| rows.states.get(outer.index())) {
            if !(fails(view, row.transitions, id, &mut left) && fails(view, row.any, id, &mut left)) {
                return false;
            }
            outer = row.parent;
        }
    }
    true
}

/// Whether no condition of these transitions holds.
#[inline]
fn fails(view: View<'_>, run: Run, machine: MachineId, left: &mut u32) -> bool {
    let Some(rest) = left.checked_sub(run.count) else { return false };
    *left = rest;
    run.of(&view.rows.transitions).iter().all(|transition| {
        let info = transition.condition.and_then(|code| view.layout.codes.get(code.index()));
        let fails = |chain: Run| chain.count > 0 && !view.pass_checks(chain, Some(machine));
        transition.on_request || info.is_some_and(|info| fails(info.checks))
    })
}
