//! The compiler of the Motix language: `.motix` text in, checked programs for `motix-vm` out.
//!
//! Stages stand in the order in which they run; each imports only what stands before it.
#![forbid(unsafe_code)]

pub mod ast;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod diagnostic;
pub mod format;
pub mod hash;
pub mod hir;
pub mod import;
pub mod intern;
pub mod lex;
pub mod lower;
pub mod nearest;
pub mod parse;
pub mod passes;
pub mod pipeline;
pub mod resolve;
pub mod source;
pub mod syntax;
pub mod testing;
