//! The host tells an instance what a pointer, a key or the game does, and listeners react at once.
//!
//! Hit tests are the host's: it says which targets are under the pointer. What reactions report comes first in the
//! next tick.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;

use super::kind::extern_names;
use super::{Host, Instance, PENDING};
use crate::eval::STACK;
use crate::frame::Output;
use crate::input::{Input, InputError, POINTERS, PointerInput};

whole_acting! {
    /// Tells the listeners what happened; whether any of them heard it. A target that no listener has is simply not
    /// heard. Without a host: see [`send_with`](Self::send_with).
    ///
    /// # Errors
    ///
    /// As [`send_with`](Self::send_with).
    pub fn send(&mut self, input: &Input<'_>) -> Result<bool, InputError> {
        self.send_with(input, &mut Host::default())
    }

    /// Tells the listeners what happened, with a host that answers and shares; whether any of them heard it.
    ///
    /// Their actions run at once, before this returns. Nothing is allocated, unless there was never anything to
    /// report between ticks.
    ///
    /// # Errors
    ///
    /// A place of the pointer is not finite, there is no such pointer, or the behavior has `Extern Predicate`s and
    /// the host answers none. Nothing changes then.
    pub fn send_with(&mut self, input: &Input<'_>, host: &mut Host<'_>) -> Result<bool, InputError> {
        if let Input::Pointer(pointer) = input {
            check(pointer)?;
        }
        let Some(tree) = self.program.layout(self.behavior).map(|layout| layout.tree) else {
            return Ok(false);
        };
        if !tree.hears {
            return Ok(false);
        }
        if tree.asks && host.predicates.is_none() {
            return Err(InputError::NoPredicates(extern_names(&self.program, self.behavior)));
        }
        let mut pending = self.pending.take().unwrap_or_else(|| Box::new(Output::new(PENDING)));
        pending.component = self.id();
        let heard = self.act(&mut pending, &mut [0; STACK], host, |core| core.input(input));
        *self.kept() = Some(pending);
        Ok(heard)
    }

    /// Forgets that a pointer went down, where it will not come up: the system took it away.
    pub fn cancel_pointer(&mut self, pointer: u8) {
        if pointer < POINTERS {
            self.quietly(|core| core.release(pointer));
        }
    }
}

fn check(input: &PointerInput<'_>) -> Result<(), InputError> {
    if input.pointer >= POINTERS {
        return Err(InputError::UnknownPointer(input.pointer));
    }
    let finite = |at: [f32; 2]| at.iter().all(|value| value.is_finite());
    if !finite(input.scene) {
        return Err(InputError::NotFinite { target: None });
    }
    match input.hits.iter().find(|hit| !finite(hit.at)) {
        Some(hit) => Err(InputError::NotFinite { target: Some(hit.target.to_owned()) }),
        None => Ok(()),
    }
}
