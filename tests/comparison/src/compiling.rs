//! The compiler's rows: text to verified bytes beside what Luau and LuaJIT take for the same behaviors as tables of Lua,
//! the memory it takes, and `motixc` as a process.

use std::fmt::Write as _;
use std::process::Command;
use std::time::Instant;

use motix_compiler::pipeline::{Options, compile};
use motix_tests::bench::{Text, best};
use motix_tests::generate;
use motix_vm::program::EncodeOptions;

use crate::lua::Engines;

/// The argument with which this program compiles once and tells the memory it took.
pub(crate) const MEMORY: &str = "memory";

/// How often `motixc` is started.
const STARTS: usize = 30;

pub(crate) fn table(engines: &Engines, quick: bool) -> String {
    let mut text = String::from(
        "| compiler | lines | ms | lines a second | µs a behavior | bytes of memory a line |\n|---|---|---|---|---|---|\n",
    );
    let sizes: &[(usize, usize)] =
        if quick { &[(10_000, 1)] } else { &[(10_000, 9), (100_000, 5), (300_000, 3)] };
    for &(lines, runs) in sizes {
        let source = generate::source(lines);
        let behaviors = source.matches("\nBehavior ").count();
        let mut row = |name: &str, lines: usize, nanoseconds: f64, memory: &str| {
            let _ = writeln!(
                text,
                "| {name} | {lines} | {:.1} | {:.0} | {:.1} | {memory} |",
                nanoseconds / 1e6,
                lines as f64 / nanoseconds * 1e9,
                nanoseconds / 1e3 / behaviors as f64
            );
        };
        let ours = best(runs, || (), |()| bytes(&source));
        row("**Motix**", source.lines().count(), ours, &peak(lines));
        for compiled in engines.compile(behaviors, runs) {
            row(&compiled.engine, compiled.lines, compiled.nanoseconds, "");
        }
    }
    format!("{text}\n{}", process())
}

/// The bytes of a source's program.
fn bytes(text: &str) -> Vec<u8> {
    let Ok(compiled) = compile("generated.motix", &Text(text), Options::default()) else {
        panic!("the generated source was not read")
    };
    let Some(program) = &compiled.program else {
        panic!("the generated source does not compile: {:?}", compiled.diagnostics.list().first())
    };
    program.encode(EncodeOptions::default())
}

/// The greatest memory, its own text included, of a process that compiles so many lines, for each of them.
fn peak(lines: usize) -> String {
    let program = std::env::current_exe().unwrap_or_else(|error| panic!("{error}"));
    let run = Command::new(program).args([MEMORY, &lines.to_string()]).output();
    let run = run.unwrap_or_else(|error| panic!("{error}"));
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).trim().to_owned()
}

/// Compiles so many lines and prints what [`peak`] reads: nothing where the system does not tell.
pub(crate) fn memory(lines: &str) {
    let lines = lines.parse().unwrap_or_else(|_| panic!("`{lines}` is not a number"));
    let text = generate::source(lines);
    std::hint::black_box(bytes(&text));
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<usize>().ok());
    if let Some(kibibytes) = kibibytes {
        println!("{}", kibibytes * 1024 / text.lines().count());
    }
}

/// How long `motixc check` takes from start to exit.
fn process() -> String {
    crate::cargo(&["--bin", "motixc"], "");
    let program = crate::release().join("motixc");
    let mut times: Vec<f64> = (0..STARTS)
        .map(|_| {
            let mut motixc = Command::new(&program);
            motixc.args(["check", "examples/humanoid.motix"]).current_dir(motix_tests::root());
            let start = Instant::now();
            let run = motixc.output();
            let time = start.elapsed().as_secs_f64() * 1e3;
            assert!(run.is_ok_and(|run| run.status.success()), "motixc failed");
            time
        })
        .collect();
    times.sort_unstable_by(f64::total_cmp);
    format!(
        "`motixc check examples/humanoid.motix`, from start to exit: {:.1} ms, the best of {STARTS} {:.1} ms.\n",
        times[STARTS / 2],
        times[0]
    )
}
