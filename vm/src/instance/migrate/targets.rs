//! What happened to the targets of listeners: pointers that are down, and the focus.

use super::Carry;
use crate::ids::TextId;
use crate::program::layout::PRESS_WORDS;

impl Carry<'_> {
    /// What happened to targets of listeners.
    pub(super) fn targets(&mut self) {
        for (place, target) in self.view.layout.presses.iter().enumerate() {
            let found = self.program.text_id(self.old_program.text(*target));
            let found = found.and_then(|target| self.layout.presses.binary_search(&target).ok());
            if let Some(to) = found {
                for offset in 0..PRESS_WORDS {
                    let word = self.view.word(self.view.layout.press + place * PRESS_WORDS + offset);
                    self.put(self.layout.press + to * PRESS_WORDS + offset, word);
                }
            }
        }
        let focused = self.view.layout.focus.and_then(|at| self.view.word(at).checked_sub(1)).map(TextId);
        let focused = focused.and_then(|target| self.program.text_id(self.old_program.text(target)));
        let known =
            |target: &TextId| self.rows.listeners.iter().any(|listener| listener.target == Some(*target));
        if let (Some(at), Some(target)) = (self.layout.focus, focused.filter(known)) {
            self.put(at, target.0 + 1);
        }
    }
}
