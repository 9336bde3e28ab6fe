//! Motix beside hand-written Rust, LuaJIT, Luau and Rhai, measured in one run on one machine.
//!
//!     cd tests/comparison && cargo run --release
//!
//! prints tables of `docs/performance.md`. Nothing is printed of machines that do not reach the same states and weights in
//! every frame. `quick` as an argument measures little and checks the same; `write` also runs the other benchmarks, and
//! writes all figures into that page.

mod asking;
mod compiling;
#[allow(dead_code, reason = "the tick benchmark uses the rest")]
#[path = "../../benches/handwritten.rs"]
mod handwritten;
mod lua;
mod machines;
mod native;
mod page;
mod rhai;
#[path = "../../benches/workload.rs"]
mod workload;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use machines::{Machines, Row, measure};

/// How much is measured.
struct Size {
    instances: usize,
    frames: usize,
    /// Lua takes longer for a frame.
    lua_frames: usize,
    /// Rhai takes so long that it gets fewer.
    rhai_instances: usize,
    rhai_frames: usize,
    /// The best of so many rounds counts; the ways take turns.
    rounds: usize,
}

const WHOLE: Size = Size {
    instances: 100_000,
    frames: 100,
    lua_frames: 40,
    rhai_instances: 10_000,
    rhai_frames: 20,
    rounds: 3,
};
const QUICK: Size =
    Size { instances: 2_000, frames: 20, lua_frames: 20, rhai_instances: 1_000, rhai_frames: 10, rounds: 1 };

/// Builds for release, in a workspace that is named from the root, what is then found in [`release`].
fn cargo(arguments: &[&str], workspace: &str) {
    let mut cargo = Command::new(env!("CARGO"));
    let folder = motix_tests::root().join(workspace);
    cargo.args(["build", "--quiet", "--release", "--locked"]).args(arguments);
    cargo.arg("--target-dir").arg(motix_tests::root().join("target")).current_dir(folder);
    assert!(
        cargo.status().is_ok_and(|status| status.success()),
        "`cargo build {}` failed",
        arguments.join(" ")
    );
}

/// Where programs built for release lie.
fn release() -> PathBuf {
    motix_tests::root().join("target/release")
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, lines] = &arguments[..]
        && word == compiling::MEMORY
    {
        return compiling::memory(lines);
    }
    let is = |word: &str| arguments.first().is_some_and(|argument| argument == word);
    let engines = lua::Engines::build();
    let machines = table(&rows(if is("quick") { &QUICK } else { &WHOLE }, &engines));
    println!("{machines}");
    let compiling = compiling::table(&engines, is("quick"));
    println!("{compiling}");
    if is("write") {
        page::write(&machines, &compiling);
    }
}

/// The rows of all machines, each the best of its rounds.
fn rows(size: &Size, engines: &lua::Engines) -> Vec<Row> {
    let mut best: Vec<Row> = Vec::new();
    for _ in 0..size.rounds {
        let run = |name, mut machines: Box<dyn Machines>| {
            measure(name, size.instances, size.frames, &mut *machines)
        };
        let mut rows = vec![
            run(BY_HAND, Box::new(native::ByHand::new(size.instances))),
            run("by hand in Rust, looked at only on change", Box::new(native::OnChange::new(size.instances))),
            run(ONE_BY_ONE, Box::new(native::OneByOne::new(size.instances))),
            run(CROWD, Box::new(native::AsCrowd::new(size.instances))),
        ];
        rows.extend(engines.machines(size.instances, size.lua_frames));
        let mut run = |name, machines: &mut dyn Machines| {
            rows.push(measure(name, size.rhai_instances, size.rhai_frames, machines));
        };
        run("predicates in Rhai, the rest in Rust", &mut *rhai::predicates(size.rhai_instances));
        run("whole machine in Rhai, by hand", &mut rhai::Whole::new(size.rhai_instances));
        rows.iter().for_each(|row| rows[0].agree(row));
        if best.is_empty() {
            best = rows;
            continue;
        }
        for (best, row) in best.iter_mut().zip(rows) {
            best.tick = best.tick.min(row.tick);
            best.samples = best.samples.zip(row.samples).map(|(a, b)| a.min(b));
        }
    }
    best
}

const BY_HAND: &str = "by hand in Rust";
const ONE_BY_ONE: &str = "**Motix, one by one**";
const CROWD: &str = "**Motix, as a crowd**";

fn table(rows: &[Row]) -> String {
    let find = |name: &str| rows.iter().find(|row| row.name == name);
    let (Some(hand), Some(ours), Some(crowd)) = (find(BY_HAND), find(ONE_BY_ONE), find(CROWD)) else {
        return String::new();
    };
    let mut text = String::from(
        "| humanoids, ns an instance | tick | and samples read | by hand = 1 | Motix one by one = 1 | Motix as a crowd = 1 |\n|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let samples = row.samples.map_or_else(String::new, |samples| format!("{samples:.1}"));
        let _ = writeln!(
            text,
            "| {} | {:.1} | {samples} | {:.2} | {:.2} | {:.2} |",
            row.name,
            row.tick,
            row.tick / hand.tick,
            row.tick / ours.tick,
            row.tick / crowd.tick
        );
    }
    text
}
