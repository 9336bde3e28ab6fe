//! Any calls to any behavior that stands in this repository.

use motix_vm::ids::BehaviorId;

use super::drive::{Of, drive};
use super::{Data, programs};

/// Picks a behavior, makes an instance, calls it.
///
/// # Panics
/// Where something is not as promised.
pub fn calls(bytes: &[u8]) {
    let mut data = Data::new(bytes);
    let start = programs::pick(&mut data);
    drive(&(start.program.clone(), BehaviorId(0)), &mut data, &mut other);
}

/// A behavior to go on as.
pub(super) fn other(data: &mut Data<'_>) -> Of {
    (programs::pick(data).program.clone(), BehaviorId(0))
}
