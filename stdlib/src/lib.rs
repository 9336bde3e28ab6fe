//! The standard library of Motix as text: the modules that `Use "std/..."` finds.
//!
//! It holds no logic; every module compiles without a diagnostic, which a test of the harness checks.
#![forbid(unsafe_code)]

/// All modules: the name after `Use`, and the source.
pub const MODULES: &[(&str, &str)] = &[];

/// The source of the module with this name, such as `std/humanoid`.
#[must_use]
pub fn find(name: &str) -> Option<&'static str> {
    MODULES.iter().find(|(module, _)| *module == name).map(|(_, text)| *text)
}
