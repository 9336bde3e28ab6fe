//! Makes the Rust blocks of the docs testable: copies of the pages in which each block is a whole program.
//!
//! Pages show no hidden lines, since most readers see them as they are. A copy adds, as lines hidden from rustdoc,
//! what the block leaves out: the names that the page's first block declares, and a `main`. Where a block reads a
//! compiled file, the copy compiles the last Motix block before it instead. It changes no page.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

/// The pages, and the name of the copy.
const PAGES: &[(&str, &str)] = &[
    ("README.md", "readme.md"),
    ("docs/tutorial.md", "tutorial.md"),
    ("docs/embedding.md", "embedding.md"),
    ("docs/poses.md", "poses.md"),
    ("docs/inputs.md", "inputs.md"),
];

fn main() -> io::Result<()> {
    let out = env::var("OUT_DIR").map_err(io::Error::other)?;
    for (page, copy) in PAGES {
        let path = Path::new("..").join(page);
        println!("cargo::rerun-if-changed={}", path.display());
        fs::write(Path::new(&out).join(copy), testable(&fs::read_to_string(&path)?))?;
    }
    Ok(())
}

/// Only the page's Rust blocks, each a whole program.
fn testable(page: &str) -> String {
    let mut out = String::new();
    let mut source = String::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(info) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> =
            lines.by_ref().map(|(_, line)| line).take_while(|line| !line.starts_with("```")).collect();
        match info {
            "motix" => source = block.join("\n"),
            "rust" => {
                let _ = writeln!(out, "Line {}:\n\n```rust\n{}```\n", number + 1, program(&block, &source));
            }
            _ => {}
        }
    }
    out
}

fn program(block: &[&str], source: &str) -> String {
    let mut text = String::new();
    let hidden = |text: &mut String, line: &str| {
        let _ = writeln!(text, "# {line}");
    };
    let compiled = format!("motix_tests::docs::compiled({source:?})");
    let whole = block.iter().any(|line| line.starts_with("fn main"));
    let has = |word: &str| block.iter().any(|line| line.contains(word));
    if !whole {
        hidden(&mut text, "fn main() -> Result<(), Box<dyn std::error::Error>> {");
    }
    if !whole && !has("let program") {
        for line in [
            "use motix_vm::{Frame, Globals, Host, Instance, Program, Setup};",
            "use std::sync::Arc;",
            &format!("let program = Arc::new(Program::load(&{compiled})?);"),
            "let sentry = program.find(\"Sentry\")?;",
            "let walk = sentry.animation(\"Walk\")?;",
            "let setup = Setup { durations: &[(walk, 0.9)], ..Setup::default() };",
            "let mut instance = Instance::new(&program, sentry.id(), &setup)?;",
            "let mut frame = Frame::new();",
            "let mut sees = |_, _| false;",
            "let mut host = Host { predicates: Some(&mut sees), globals: None };",
            "{",
        ] {
            hidden(&mut text, line);
        }
    }
    for line in block {
        match line.split_once("std::fs::read(\"") {
            Some((before, after)) => {
                let after = after.split_once(")?").map_or("", |(_, after)| after);
                let _ = writeln!(text, "{before}{compiled}{after}");
            }
            None => {
                let _ = writeln!(text, "{line}");
            }
        }
    }
    if !whole {
        if !has("let program") {
            hidden(&mut text, "}");
        }
        hidden(&mut text, "Ok(())");
        hidden(&mut text, "}");
    }
    text
}
