//! The standard library of Motix: `.motix` modules that `Use "std/…"` finds, embedded as text.
//!
//! A module is a plain source file under `std/`; this crate only hands out the texts. It knows neither the compiler
//! nor the runtime.
#![forbid(unsafe_code)]

/// A module of the standard library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Module {
    /// What stands after `Use`: `std/humanoid`.
    pub name: &'static str,
    /// The source text.
    pub text: &'static str,
}

/// All modules, by name.
pub const MODULES: &[Module] = &[
    Module { name: "std/button", text: include_str!("../std/button.motix") },
    Module { name: "std/card", text: include_str!("../std/card.motix") },
    Module { name: "std/combat", text: include_str!("../std/combat.motix") },
    Module { name: "std/door", text: include_str!("../std/door.motix") },
    Module { name: "std/face", text: include_str!("../std/face.motix") },
    Module { name: "std/humanoid", text: include_str!("../std/humanoid.motix") },
    Module { name: "std/jump", text: include_str!("../std/jump.motix") },
    Module { name: "std/locomotion", text: include_str!("../std/locomotion.motix") },
    Module { name: "std/strafe", text: include_str!("../std/strafe.motix") },
];

/// The text of the module with this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static str> {
    MODULES.iter().find(|module| module.name == name).map(|module| module.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_stand_by_name_and_are_found() {
        assert!(MODULES.is_sorted_by_key(|module| module.name));
        for module in MODULES {
            assert_eq!(find(module.name), Some(module.text));
        }
        assert_eq!(find("std/nothing"), None);
    }
}
