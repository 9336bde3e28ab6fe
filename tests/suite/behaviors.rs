//! Behaviors whose `Test` blocks must pass, directly and through encoding and loading.

use motix_tests::{codes, files, motixc, read, root};

fn passes(path: &str) {
    for way in [&["test", "--color", "never"][..], &["test", "--color", "never", "--through-bytes"][..]] {
        let arguments: Vec<_> = way.iter().copied().chain([path]).collect();
        let run = motixc(&arguments);
        assert_eq!(run.code, 0, "motixc {}\n{}{}", arguments.join(" "), run.out, run.err);
    }
}

fn is_formatted(path: &str) {
    let run = motixc(&["fmt", "--check", path]);
    assert_eq!(run.code, 0, "{path} is not formatted: {}{}", run.out, run.err);
}

fn is_clean(path: &str) {
    let run = motixc(&["check", "--format", "json", path]);
    assert!(run.code == 0 && codes(&run.err).is_empty(), "{path} gives diagnostics: {}", run.err);
}

#[test]
fn the_rules_of_the_runtime_hold() {
    let found = files("tests/behaviors", "motix");
    assert!(!found.is_empty());
    for path in &found {
        passes(path);
        is_formatted(path);
        let check = motixc(&["check", "--color", "never", "--format", "short", path]);
        assert!(check.code == 0 && !check.err.contains("warning["), "{path} gives warnings: {}", check.err);
    }
}

#[test]
fn the_examples_hold() {
    let found = files("examples", "motix");
    assert!(found.len() >= 4);
    for path in &found {
        passes(path);
        is_clean(path);
        is_formatted(path);
    }
}

#[test]
fn the_standard_library_is_clean_and_formatted() {
    for path in files("stdlib/std", "motix") {
        is_clean(&path);
        is_formatted(&path);
        assert!(read(&path).contains("///"), "{path} explains itself");
    }
}

/// Cases that are handed to the project beside it: run where they are there.
#[test]
fn the_handed_cases_hold() {
    for name in ["builder.motix", "character.motix", "layers.motix"] {
        let path = root().join("../shared/cases").join(name);
        if path.is_file() {
            passes(&path.to_string_lossy());
        }
    }
}
