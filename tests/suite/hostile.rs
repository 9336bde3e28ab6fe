//! Input that nobody would write: whatever it is, the compiler ends with a message and the exit code for it.

use std::fs;
use std::path::PathBuf;

use motix_tests::fuzz::splice;
use motix_tests::random::Random;
use motix_tests::{codes, files, motixc, motixc_with, read};

/// The most diagnostics of a run.
const MOST: usize = 1_000;

/// Checks a text; the exit code is one of findings and there is a message.
fn refused(source: &str, code: &str) {
    let run = motixc_with(&["check", "--format", "json", "-"], source);
    let found = codes(&run.err);
    assert_eq!(run.code, 1, "{}", &run.err[..run.err.len().min(500)]);
    assert!(
        found.iter().any(|found| found == code),
        "{code} is not among {:?}",
        &found[..found.len().min(20)]
    );
    assert!(found.len() <= MOST, "{} diagnostics", found.len());
}

#[test]
fn a_line_of_ten_megabytes_is_read_to_its_end() {
    let name = "x".repeat(10 << 20);
    refused(&format!("Behavior A {{ InitialState S State S {{ Play {name} }} }}"), "MX0105");
    let sum = "1 + ".repeat((10 << 20) / 4);
    refused(&format!("Behavior A {{ Let a = {sum} 1 }}"), "MX0701");
    refused(&format!("Behavior A {{ {} }}", "State S ".repeat(1 << 17)), "MX0204");
}

#[test]
fn branches_without_braces_do_not_nest_without_end() {
    for branch in [" If a", " If a then", " If a Else"] {
        let actions = branch.repeat(100_000);
        refused(
            &format!(
                "Behavior A {{ Param a: bool InitialState S State S {{ OnEntry {{{actions} Play X }} }} }}"
            ),
            "MX0101",
        );
    }
}

#[test]
fn deep_nesting_ends_in_one_message() {
    for (open, close) in [("(", ")"), ("{", "}"), ("[", "]"), ("({", "})")] {
        let deep = format!("Behavior A {{ Let a = {}1{} }}", open.repeat(100_000), close.repeat(100_000));
        let run = motixc_with(&["check", "--format", "json", "-"], &deep);
        assert_eq!(run.code, 1);
        assert!(codes(&run.err).len() < 200, "{open}: {} diagnostics", codes(&run.err).len());
    }
    refused(&format!("Behavior A {{ Let a = {}1 }}", "(".repeat(100_000)), "MX0701");
    refused(&format!("Behavior A {{ Predicate a = {}true }}", "not ".repeat(100_000)), "MX0701");
    refused(&format!("Behavior A {{ Let a = {}1 }}", "- ".repeat(100_000)), "MX0701");
    refused(
        &format!("Behavior A {{ Let a = {}1{} }}", "if true then ".repeat(50_000), " else 2".repeat(50_000)),
        "MX0701",
    );
}

#[test]
fn nul_bytes_and_broken_encodings_are_named_with_their_place() {
    refused("Behavior A {\0 }", "MX0002");
    let folder = scratch("encoding");
    let file = folder.join("broken.motix");
    let _ = fs::write(&file, b"Behavior A { // \xff\xfe\n}");
    let run = motixc(&["check", "--format", "json", &file.to_string_lossy()]);
    assert_eq!((run.code, codes(&run.err)), (1, vec!["MX0001".to_owned()]), "{}", run.err);
    assert!(run.err.contains("16"), "the byte offset: {}", run.err);
}

#[test]
fn a_directory_or_nothing_instead_of_a_file_is_exit_code_2() {
    for verb in ["check", "build", "test", "run", "fmt", "disasm", "dump", "info", "import"] {
        for path in ["tests", "no/such/file.motix"] {
            let stage = if verb == "dump" { &["--stage", "ast"][..] } else { &[] };
            let run = motixc(&[&[verb, path], stage].concat());
            assert_eq!(run.code, 2, "{verb} {path}: {}{}", run.out, run.err);
            assert!(run.err.contains(path), "{verb} {path}: {}", run.err);
            assert!(run.out.is_empty(), "{verb} {path}: {}", run.out);
        }
    }
}

#[test]
fn properties_and_masks_beyond_the_limits_are_one_message() {
    let behavior = |inside: &str| format!("Behavior A {{ InitialState S State S {inside} }}");
    let rests: String = (0..70_000).map(|number| format!("Rest \"t\" p{number} = 0\n")).collect();
    refused(&behavior(&rests), "MX0702");
    // What would take long to match whenever the program is loaded.
    let (target, pattern) = ("t".repeat(100_000), "p".repeat(1_000));
    let inside = format!(
        "Rest \"{target}\" x = 0 Animation B {{ Duration 1s Track \"{target}\" x {{ 0%: 1 }} }}
         Mask M {{ Include \"{pattern}\" }} Layer L {{ Mask M }}"
    );
    refused(&behavior(&inside), "MX0702");
}

#[test]
fn a_million_states_are_one_message_about_the_limit() {
    let mut source = String::from("Behavior A { InitialState s0\n");
    for number in 0..1_000_000 {
        source.push_str("State s");
        source.push_str(&number.to_string());
        source.push('\n');
    }
    source.push('}');
    let run = motixc_with(&["check", "--format", "json", "-"], &source);
    assert_eq!(run.code, 1);
    let found = codes(&run.err);
    assert!(found.iter().any(|code| code == "MX0702"), "{:?}", &found[..found.len().min(5)]);
    assert!(found.len() < 10, "{} diagnostics", found.len());
}

#[test]
fn mutated_sources_never_break_the_compiler() {
    let mut sources: Vec<_> = ["examples", "tests/behaviors", "stdlib/std"]
        .iter()
        .flat_map(|folder| files(folder, "motix"))
        .map(|path| read(&path))
        .collect();
    sources.sort_by_key(String::len);
    let mut random = Random::new(2026);
    for round in 0..400 {
        let Some(source) = random.pick(&sources) else { return };
        let mutated = splice(source, &mut random);
        let run = motixc_with(&["check", "--format", "json", "-"], &mutated);
        assert!(matches!(run.code, 0 | 1), "round {round}: exit code {}\n{}\n{mutated}", run.code, run.err);
        assert!(
            !codes(&run.err).iter().any(|code| code.starts_with("MX09")),
            "round {round}: {}\n{mutated}",
            run.err
        );
        assert_eq!(run.code == 0, !run.err.contains("\"severity\":\"error\""), "round {round}: {}", run.err);
        if run.code == 0 {
            let test = motixc_with(&["test", "-"], &mutated);
            assert!(matches!(test.code, 0 | 1), "round {round}: {}\n{mutated}", test.err);
        }
    }
}

#[test]
fn inheriting_is_bounded() {
    let chain: String =
        (1..5000).map(|n| format!("Behavior B{n} extends B{} {{ Param p{n}: bool }} ", n - 1)).collect();
    refused(&format!("Behavior B0 {{ InitialState S State S }} {chain}"), "MX0701");
    let states: String = (0..20_000).map(|n| format!("State S{n} ")).collect();
    let many: String = (0..20).map(|n| format!("Behavior B{n} extends A {{}} ")).collect();
    let long = format!("/* {} */", "x".repeat(1 << 20));
    refused(&format!("Behavior A {{ InitialState S State S {long} }} {many}"), "MX0702");
    // Everything once more, in ways that look for each among all.
    let opened: String = (0..20_000).map(|n| format!("State S{n} {{ OnEntry {{}} }} ")).collect();
    let removed: String = (0..20_000).map(|n| format!("Remove State S{n} ")).collect();
    let names: String = (0..20_000).map(|n| format!("Animation A{n} ")).collect();
    let overridden: String = (0..20_000).map(|n| format!("Override Animation A{n} {{ Looped }} ")).collect();
    refused(
        &format!(
            "Behavior A {{ InitialState S0 {states} Layer L {{ {names} }} }} \
             Behavior B extends A {{ {opened} {overridden} State S0 }} Behavior C extends A {{ {removed} Remove State S }}"
        ),
        "MX0204",
    );
    let consts: String = (1..20_000).map(|n| format!("Const C{n} = C{} ", n - 1)).collect();
    let run = motixc_with(
        &["check", "-"],
        &format!(
            "Const C0 = 0 {consts} Behavior A {{ Let x = C19999 InitialState S State S {{ When x > 1 {{ Emit a }} }} }} \
             Behavior B extends A {{ Override Const C0 = 1 }}"
        ),
    );
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn mutated_programs_never_break_the_tools() {
    let folder = scratch("programs");
    let good = folder.join("good.motixb").to_string_lossy().into_owned();
    assert_eq!(motixc(&["build", "examples/turret.motix", "-o", &good]).code, 0);
    let Ok(bytes) = fs::read(&good) else { panic!("{good} was not written") };
    let bad = folder.join("bad.motixb").to_string_lossy().into_owned();
    let mut random = Random::new(7);
    for _ in 0..200 {
        let mut mutated = bytes.clone();
        for _ in 0..=random.below(3) {
            let at = random.below(mutated.len());
            match random.below(3) {
                0 => mutated[at] ^= 1 << random.below(8),
                1 => mutated.truncate(at),
                _ => mutated.insert(at, random.below(256) as u8),
            }
            if mutated.is_empty() {
                break;
            }
        }
        let _ = fs::write(&bad, &mutated);
        for verb in ["disasm", "info"] {
            let run = motixc(&[verb, "--format", "json", &bad]);
            assert!(mutated == bytes || run.code != 0, "{verb} took a broken program");
            assert!(run.code == 0 || run.err.contains("MX08"), "{verb}: {}", run.err);
        }
    }
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("motix-{name}-{}", std::process::id()));
    let _ = fs::create_dir_all(&folder);
    folder
}
