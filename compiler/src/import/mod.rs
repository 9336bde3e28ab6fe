//! Other notations into `.motix` text, one folder each.
//!
//! An importer is a pure function from a text to a text and diagnostics. What it cannot carry over it reports; it
//! never drops anything in silence. It knows nothing of later stages: its result is read like any other source.

pub mod lua;
