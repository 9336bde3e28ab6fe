//! Guards against getting slower: how many instructions fixed pieces of work take, beside the committed counts.
//!
//! `cargo bench -p motix-tests --bench instructions` runs each piece under `valgrind --tool=callgrind`. More than 5 %
//! above `instructions.txt` is an error, less is told. `MOTIX_BLESS=1` writes that file anew. Counts do not depend on
//! what else the machine does; of the machine itself, only x86-64 is the same everywhere, so nothing else is compared.

#![allow(clippy::print_stdout)] // the counts are the product

mod workload;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hint::black_box;
use std::ops::Range;
use std::process::{Command, ExitCode, Stdio};

use motix_compiler::pipeline::{Options, compile};
use motix_tests::bench::{Text, given, instance, program};
use motix_tests::{generate, read, root};
use motix_vm::program::{EncodeOptions, NumberParam};
use motix_vm::{Crowd, CrowdFrame, Frame, Instance, Program, Values};
use workload::{DT, WARM_UP, inputs};

/// The pieces of work, and their names.
const PARTS: &[(&str, fn())] = &[
    ("tick humanoids", tick_humanoids),
    ("tick settled humanoids", tick_settled),
    ("tick a crowd of humanoids", tick_crowd),
    ("tick panels", tick_panels),
    ("read samples", read_samples),
    ("read values", read_values),
    ("save and restore", save_and_restore),
    ("load", load),
    ("compile", compile_source),
    ("format", format_source),
];

const COUNTS: &str = "tests/benches/instructions.txt";
/// Per cent.
const TOLERANCE: u64 = 5;

/// Functions of the C library are chosen by the processor; these choices are the same on all.
const PLAIN_PROCESSOR: &str =
    "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-ERMS,-FSRM,-SSSE3,-SSE4_1,-SSE4_2,-BMI2";

fn main() -> ExitCode {
    // `cargo bench` adds arguments of its own.
    let part = std::env::args().nth(1).filter(|argument| !argument.starts_with("--"));
    if let Some((_, work)) = part.and_then(|part| PARTS.iter().find(|(name, _)| *name == part)) {
        work();
        return ExitCode::SUCCESS;
    }
    if std::env::consts::ARCH != "x86_64" {
        println!("skipped: the counts are those of x86-64");
        return ExitCode::SUCCESS;
    }
    if Command::new("valgrind").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("skipped: valgrind is not installed");
        return ExitCode::SUCCESS;
    }
    let counts: Vec<(&str, u64)> = PARTS.iter().map(|(name, _)| (*name, count(name))).collect();
    if std::env::var_os("MOTIX_BLESS").is_some() {
        let mut text = format!("# Instructions of {}; written by `MOTIX_BLESS=1`.\n", compiler());
        for (name, count) in &counts {
            let _ = writeln!(text, "{name}: {count}");
        }
        given(std::fs::write(root().join(COUNTS), text));
    }
    compare(&counts)
}

/// The piece of work whose instructions count; what it needs was made before.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
    // Not the last thing this function does: a jump would not come back here.
    black_box(());
}

/// The instructions of one piece, in a process of its own.
fn count(name: &str) -> u64 {
    let program = given(std::env::current_exe());
    let mut valgrind = Command::new("valgrind");
    valgrind.args([
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        "--toggle-collect=*instructions::counted*",
    ]);
    let run = given(valgrind.arg(program).arg(name).env("GLIBC_TUNABLES", PLAIN_PROCESSOR).output());
    let told = String::from_utf8_lossy(&run.stderr);
    let collected = told.lines().find_map(|line| line.split_once("Collected : "));
    let count = collected.and_then(|(_, count)| count.trim().parse().ok()).filter(|count| *count > 0);
    count.unwrap_or_else(|| panic!("`{name}` was not counted:\n{told}"))
}

fn compiler() -> String {
    let version = Command::new("rustc").arg("--version").output().map(|run| run.stdout).unwrap_or_default();
    let version = String::from_utf8_lossy(&version);
    version.split(' ').take(2).collect::<Vec<_>>().join(" ")
}

fn compare(counts: &[(&str, u64)]) -> ExitCode {
    let text = read(COUNTS);
    let committed: BTreeMap<&str, u64> = text
        .lines()
        .filter_map(|line| line.split_once(": "))
        .filter_map(|(name, count)| Some((name, count.parse().ok()?)))
        .collect();
    let mut code = ExitCode::SUCCESS;
    println!("{:<28}{:>14}{:>14}{:>10}", "instructions", "committed", "now", "change");
    for (name, count) in counts {
        let Some(before) = committed.get(name).copied() else {
            println!("{name:<28}{:>14}{count:>14}", "none");
            code = ExitCode::FAILURE;
            continue;
        };
        let change = (*count as f64 / before as f64 - 1.0) * 100.0;
        let word = if *count * 100 > before * (100 + TOLERANCE) {
            code = ExitCode::FAILURE;
            "  too many"
        } else if *count * 100 < before * (100 - TOLERANCE) {
            "  fewer: bless, so that they stay so"
        } else {
            ""
        };
        println!("{name:<28}{before:>14}{count:>14}{change:>9.1}%{word}");
    }
    if code != ExitCode::SUCCESS {
        let written = text.lines().next().unwrap_or_default();
        println!(
            "\nThis is {}; {written}\nWhere more is meant: `MOTIX_BLESS=1 cargo bench -p motix-tests --bench instructions`, and commit {COUNTS}.",
            compiler()
        );
    }
    code
}

/// Many humanoids, some frames old.
struct Humanoids {
    all: Vec<Instance>,
    magnitude: NumberParam,
    speed: NumberParam,
    out: Frame,
}

impl Humanoids {
    fn new() -> Self {
        let program = program(&read("tests/benches/humanoid.motix"));
        let behavior = given(program.find("Humanoid"));
        let mut this = Self {
            all: vec![instance(&program, behavior); 500],
            magnitude: given(behavior.number("moveMagnitude")),
            speed: given(behavior.number("walkSpeed")),
            out: Frame::new(),
        };
        this.frames(0..WARM_UP);
        this
    }

    /// Does what their players want, and ticks them.
    fn frames(&mut self, numbers: Range<usize>) {
        for number in numbers {
            for (index, (magnitude, speed)) in inputs(number, self.all.len()) {
                given(self.all[index].set_number(self.magnitude, magnitude));
                given(self.all[index].set_number(self.speed, speed));
            }
            for instance in &mut self.all {
                given(instance.tick(DT, &mut self.out));
                black_box(self.out.events());
            }
        }
    }
}

fn tick_humanoids() {
    let mut humanoids = Humanoids::new();
    counted(&mut || humanoids.frames(WARM_UP..WARM_UP + 60));
}

fn tick_settled() {
    let program = program(&read("tests/benches/humanoid.motix"));
    let mut one = instance(&program, given(program.find("Humanoid")));
    let mut out = Frame::new();
    // Nothing plays before somebody moves.
    given(one.tick(DT, &mut out));
    assert!(one.is_settled());
    counted(&mut || (0..20_000).for_each(|_| given(one.tick(DT, &mut out))));
}

fn tick_crowd() {
    let Humanoids { all, magnitude, speed, .. } = Humanoids::new();
    let [first, ..] = &all[..] else { return };
    let mut crowd = given(Crowd::new(first.program(), first.behavior()));
    for instance in &all {
        given(crowd.add(instance));
    }
    let mut out = CrowdFrame::new();
    counted(&mut || {
        for number in WARM_UP..WARM_UP + 60 {
            for (index, (how_much, how_fast)) in inputs(number, crowd.len()) {
                let Some(mut member) = crowd.member_mut(index) else { continue };
                given(member.set_number(magnitude, how_much));
                given(member.set_number(speed, how_fast));
            }
            given(crowd.tick(DT, &mut out));
            black_box(out.events().count());
        }
    });
}

/// Panels of an interface, in the middle of their crossfades.
fn panels() -> (Vec<Instance>, Frame) {
    let program = program(&read("examples/panel.motix"));
    let mut one = instance(&program, given(program.find("Panel")));
    let mut out = Frame::new();
    given(one.set("open", true).and_then(|()| one.set("hovered", true)));
    (0..3).for_each(|_| given(one.tick(DT, &mut out)));
    (vec![one; 500], out)
}

fn tick_panels() {
    let (mut all, mut out) = panels();
    counted(&mut || {
        for _ in 0..20 {
            for instance in &mut all {
                given(instance.tick(DT, &mut out));
            }
        }
    });
}

fn read_samples() {
    let humanoids = Humanoids::new();
    counted(&mut || {
        for _ in 0..20 {
            for instance in &humanoids.all {
                instance.samples().for_each(|sample| {
                    black_box(sample);
                });
            }
        }
    });
}

fn read_values() {
    let (all, _) = panels();
    let mut values = Values::new();
    counted(&mut || {
        for instance in &all {
            instance.read_values(&mut values);
            black_box(values.iter().count());
        }
    });
}

fn save_and_restore() {
    let mut humanoids = Humanoids::new();
    let mut bytes = Vec::with_capacity(4096);
    counted(&mut || {
        for instance in &mut humanoids.all {
            bytes.clear();
            instance.save_into(&mut bytes);
            given(instance.restore(&bytes));
        }
    });
}

fn load() {
    let bytes = program(&generate::source(2_000)).encode(EncodeOptions::default());
    counted(&mut || drop(black_box(Program::load(&bytes))));
}

fn compile_source() {
    let text = generate::source(2_000);
    counted(&mut || {
        let compiled = compile("generated.motix", &Text(&text), Options::default());
        let program = compiled.ok().and_then(|compiled| compiled.program);
        black_box(program.map(|program| program.encode(EncodeOptions::default()).len()));
    });
}

fn format_source() {
    let text = generate::source(2_000);
    counted(&mut || drop(black_box(motix_compiler::format::format(&text))));
}
