//! How long a source takes from text to a verified program, stage by stage, and that it grows linearly.
//!
//! `cargo bench -p motix-tests --bench compile` prints a table; `-- 1000000` asks for another number of lines. Times are
//! the best of several runs; the columns `ns/line` and `B/line` are what must not grow. `B/line` is the most memory that
//! the process had so far, where the system tells.

#![allow(clippy::print_stdout)] // the table is the product

use std::time::{Duration, Instant};

use motix_compiler::pipeline::{Options, Stage, compile_watched};
use motix_tests::bench::Text;
use motix_tests::generate;

const STAGES: [(Stage, &str); 7] = [
    (Stage::Lex, "lex"),
    (Stage::Parse, "parse"),
    (Stage::Resolve, "resolve"),
    (Stage::Check, "check"),
    (Stage::Passes, "passes"),
    (Stage::Lower, "lower"),
    (Stage::Verify, "verify"),
];

fn main() {
    print!("{:>9} {:>9}", "lines", "KiB");
    STAGES.iter().for_each(|(_, name)| print!(" {name:>9}"));
    println!(" {:>9} {:>9} {:>9} {:>9}", "total ms", "encode", "ns/line", "B/line");
    let asked: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![1_000, 10_000, 100_000, 1_000_000] } else { asked };
    for lines in sizes {
        measure(lines, (300_000 / lines).clamp(3, 9));
    }
}

/// The most memory that the process had so far, in bytes.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}

fn measure(lines: usize, runs: usize) {
    let text = generate::source(lines);
    let lines = text.lines().count();
    let mut best: Option<([Duration; STAGES.len()], Duration, Duration)> = None;
    for _ in 0..runs {
        let mut times = [Duration::ZERO; STAGES.len()];
        let start = Instant::now();
        let mut last = start;
        let compiled = compile_watched("generated.motix", &Text(&text), Options::default(), &mut |stage| {
            let now = Instant::now();
            if let Some(index) = STAGES.iter().position(|(found, _)| *found == stage) {
                times[index] += now - last;
            }
            last = now;
        });
        let total = start.elapsed();
        let Ok(compiled) = compiled else { panic!("the generated source was not read") };
        let Some(program) = &compiled.program else {
            panic!("the generated source does not compile: {:?}", compiled.diagnostics.list().first())
        };
        let start = Instant::now();
        let bytes = program.encode(Default::default());
        let encode = start.elapsed();
        assert!(!bytes.is_empty());
        if best.is_none_or(|(_, found, _)| total < found) {
            best = Some((times, total, encode));
        }
    }
    let Some((times, total, encode)) = best else { return };
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    print!("{lines:>9} {:>9}", text.len() / 1024);
    times.iter().for_each(|time| print!(" {:>9.2}", ms(*time)));
    let peak = peak().map_or_else(|| "-".to_owned(), |bytes| (bytes / lines).to_string());
    let each = total.as_nanos() as f64 / lines as f64;
    println!(" {:>9.2} {:>9.2} {each:>9.0} {peak:>9}", ms(total), ms(encode));
}
