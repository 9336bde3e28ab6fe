//! The figures of `docs/performance.md`: measured anew and written between the marks of that page.

use std::path::PathBuf;
use std::process::Command;

use motix_tests::bench::given;

/// The benchmarks of the main workspace, in the order of the page.
const BENCHES: [&str; 6] = ["tick", "graphs", "values", "scale", "rollback", "compile"];

fn page() -> PathBuf {
    motix_tests::root().join("docs/performance.md")
}

/// Runs the other benchmarks, and writes all figures into the page.
pub(crate) fn write(machines: &str, compiling: &str) {
    let mut text = given(std::fs::read_to_string(page()));
    text = replaced(&text, "code", &code());
    text = replaced(&text, "machines", machines);
    text = replaced(&text, "compiling", compiling);
    for bench in BENCHES {
        let run =
            run(env!("CARGO"), &["bench", "--quiet", "--locked", "-p", "motix-tests", "--bench", bench]);
        // What is no table of Markdown is shown as it was printed.
        let figures = if run.starts_with('|') { run } else { format!("```text\n{}\n```", run.trim_end()) };
        text = replaced(&text, bench, &figures);
    }
    given(std::fs::write(page(), text));
}

/// The text with what stands between the marks of that name changed.
fn replaced(text: &str, name: &str, figures: &str) -> String {
    let (open, close) = (format!("<!-- figures: {name} -->\n"), "<!-- end -->");
    let parts = text.split_once(&open).and_then(|(before, rest)| Some((before, rest.split_once(close)?.1)));
    let Some((before, after)) = parts else { panic!("docs/performance.md has no `{}`", open.trim()) };
    format!("{before}{open}\n{}\n\n{close}{after}", figures.trim_end())
}

/// Of what, by what and on what the figures are.
fn code() -> String {
    let subject = run("git", &["log", "-1", "--no-merges", "--format=%s"]);
    let rustc = run("rustc", &["--version"]);
    let processors = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let mut names = processors.lines().filter_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    let name = names.next().map_or_else(String::new, |(_, name)| format!(" of {name}"));
    format!(
        "The figures on this page are of the code at “{}”, built by {}, on {count} cores{name}.",
        subject.trim(),
        rustc.trim()
    )
}

/// What a program printed, run at the root of the repository.
fn run(program: &str, arguments: &[&str]) -> String {
    let run = Command::new(program).args(arguments).current_dir(motix_tests::root()).output();
    let run = given(run);
    assert!(run.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).into_owned()
}
