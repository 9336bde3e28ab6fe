//! A reference model of what behaviors do, and generated behaviors to compare it with the runtime.
//!
//! [`behavior`] describes, [`text`] prints, [`invent`] makes them up, [`world`] runs them. None of it reads bytecode or
//! shares code with the runtime: where the two disagree, one of them is wrong about the contract.
#![allow(missing_docs)] // what the fields and variants are, their names say

pub mod behavior;
pub mod compare;
pub mod inputs;
pub mod invent;
mod machine;
mod mixes;
mod motions;
pub mod parts;
mod playhead;
mod plays;
pub mod real;
mod routes;
mod rows;
pub mod shrink;
pub mod text;
mod tracks;
mod values;
pub mod world;
