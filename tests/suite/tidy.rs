//! The house rules that a machine can check: headers, sizes, arrows between modules, words that must not appear.

use motix_tests::{files, read};

/// Tables may be longer than other files: one row each of many things.
const TABLES: &[&str] = &["vm/src/op.rs", "compiler/src/syntax.rs", "compiler/src/diagnostic/codes.rs"];

const MOST_LINES: usize = 800;
const MEDIAN_LINES: usize = 250;

fn sources() -> Vec<(String, String)> {
    ["compiler", "vm", "stdlib", "examples", "tests"]
        .iter()
        .flat_map(|package| files(package, "rs"))
        .map(|path| {
            let text = read(&path);
            (path, text)
        })
        .collect()
}

#[test]
fn every_file_begins_with_what_it_is() {
    let bare: Vec<_> =
        sources().into_iter().filter(|(_, text)| !text.starts_with("//! ")).map(|(path, _)| path).collect();
    assert!(bare.is_empty(), "no `//!` header: {bare:#?}");
}

#[test]
fn files_stay_small() {
    let mut lengths = Vec::new();
    for (path, text) in sources() {
        let length = text.lines().count();
        lengths.push(length);
        assert!(
            length <= MOST_LINES || TABLES.contains(&path.as_str()),
            "{path} has {length} lines; the cap is {MOST_LINES}"
        );
    }
    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    assert!(median <= MEDIAN_LINES, "the median file has {median} lines; the cap is {MEDIAN_LINES}");
}

/// The modules of the compiler, in the order in which they may see each other: each imports only what stands before it.
const STAGES: &[&str] = &[
    "source",
    "hash",
    "intern",
    "nearest",
    "diagnostic",
    "syntax",
    "ast",
    "lex",
    "parse",
    "resolve",
    "hir",
    "check",
    "passes",
    "lower",
    "format",
    "pipeline",
    "testing",
    "import",
    "cli",
];

#[test]
fn a_stage_imports_only_what_stands_left_of_it() {
    for (path, text) in sources() {
        let Some(rest) = path.strip_prefix("compiler/src/") else { continue };
        let module = rest.split(['/', '.']).next().unwrap_or("");
        if matches!(module, "lib" | "bin") {
            continue;
        }
        let own = STAGES.iter().position(|stage| *stage == module);
        let own = own.unwrap_or_else(|| panic!("{path}: `{module}` is not in the list of stages"));
        for (number, line) in text.lines().enumerate() {
            for named in line.split("crate::").skip(1) {
                let named: String = named.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let Some(other) = STAGES.iter().position(|stage| *stage == named) else { continue };
                assert!(other <= own, "{path}:{}: `{module}` may not know `{named}`", number + 1);
            }
        }
        if module == "lower" {
            assert!(
                !text.contains("ast::") || text.contains("ast::BinaryOp"),
                "{path}: lowering never sees the syntax tree"
            );
        }
    }
}

#[test]
fn the_runtime_knows_no_source_text_and_the_program_no_instance() {
    for manifest in ["vm/Cargo.toml", "stdlib/Cargo.toml"] {
        let text = read(manifest);
        for other in ["motix-compiler", "motix-stdlib", "motix-vm"] {
            assert!(!text.contains(&format!("{other}.workspace")), "{manifest} depends on {other}");
        }
    }
    for (path, text) in sources() {
        if path.starts_with("vm/src/program/") {
            for module in ["instance", "tick", "frame"] {
                assert!(!text.contains(&format!("crate::{module}")), "{path} may not know `{module}`");
            }
        }
    }
}

#[test]
fn bincode_is_named_in_one_file() {
    for (path, text) in sources() {
        let named = text.contains("bincode::");
        assert!(
            !named
                || path == "vm/src/program/container.rs"
                || path.starts_with("vm/src/program/container/")
                || path.ends_with("tidy.rs"),
            "{path} names bincode"
        );
    }
}

#[test]
fn unsafe_code_is_forbidden_in_the_compiler_and_the_runtime() {
    for path in ["compiler/src/lib.rs", "vm/src/lib.rs"] {
        assert!(read(path).contains("#![forbid(unsafe_code)]"), "{path}");
    }
    assert!(read("vm/src/lib.rs").contains("#![no_std]") || read("vm/src/lib.rs").contains("no_std"));
}

#[test]
fn nothing_reads_a_clock_or_the_platforms_float_functions() {
    for (path, text) in sources() {
        if !(path.starts_with("vm/src/") || path.starts_with("compiler/src/"))
            || path.starts_with("compiler/src/cli/")
        {
            continue;
        }
        for word in [
            "std::time",
            "Instant::now",
            "thread::",
            ".sin()",
            ".cos()",
            ".exp()",
            ".powf(",
            ".powi(",
            ".mul_add(",
        ] {
            assert!(!text.contains(word), "{path} uses {word}");
        }
    }
}
