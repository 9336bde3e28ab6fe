//! Tests of the runtime: each rule of the contract, and what must hold whatever happens.

mod animations;
mod blends;
mod components;
mod composites;
mod conditions;
mod crowd;
mod decide;
mod fades;
mod gates;
mod humanoid;
mod listeners;
mod moments;
mod motions;
mod params;
mod playheads;
mod pool;
mod properties;
mod random;
mod random_motions;
mod reactions;
mod saves;
mod sketch;
#[path = "../program/support.rs"]
#[allow(dead_code)] // the tests of programs use the rest
mod support;
mod values;
mod world;
