//! Fixtures by stage: each file under `fixtures/` begins with the codes that it is to give, and its source and all
//! output stand together in a snapshot.
//!
//! `INSTA_UPDATE=always cargo test -p motix-tests fixtures` writes the snapshots anew.

use std::collections::BTreeSet;

use motix_compiler::diagnostic::Code;
use motix_tests::{codes, files, motixc, read};

/// The codes after `//@ expect:` in the first line.
fn expected(path: &str, source: &str) -> Vec<String> {
    let first = source.lines().next().unwrap_or("");
    let Some((_, list)) = first.split_once("@ expect:") else {
        panic!("{path}: the first line does not say `//@ expect: MX0000 …` or `//@ expect: none`")
    };
    list.split_whitespace().filter(|word| *word != "none").map(str::to_owned).collect()
}

fn snapshot(path: &str, content: &str) {
    let rest = path.strip_prefix("tests/fixtures/").unwrap_or(path);
    let (folder, name) = rest.rsplit_once('/').unwrap_or(("", rest));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(motix_tests::root().join("tests/snapshots").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, content));
}

fn section(title: &str, text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    format!("----- {title}\n{}\n", lines.join("\n"))
}

/// Whether the file is one that others use, not a fixture of its own.
fn is_part(path: &str) -> bool {
    path.contains("/parts/")
}

#[test]
fn sources_give_the_codes_they_name() {
    let mut wrong = Vec::new();
    for path in
        files("tests/fixtures", "motix").iter().filter(|path| !is_part(path) && !path.contains("/format/"))
    {
        let source = read(path);
        let run = motixc(&["check", "--format", "json", path]);
        let mut found = codes(&run.err);
        if !path.contains("/passes/") {
            // Lints have fixtures of their own; elsewhere they only distract.
            found.retain(|code| !code.starts_with("MX10"));
        }
        let expected = expected(path, &source);
        if found != expected {
            wrong.push(format!("{path}: expected {expected:?}, found {found:?}\n{}", run.err));
            continue;
        }
        let human = motixc(&["check", "--color", "never", path]);
        assert_eq!(human.out, "", "{path}: diagnostics go to standard error");
        snapshot(path, &(section("source", &source) + &section("diagnostics", &human.err)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn sources_are_formatted_once_and_for_all() {
    for path in files("tests/fixtures/format", "motix").iter().filter(|path| !is_part(path)) {
        let source = read(path);
        let run = motix_tests::motixc_with(&["fmt", "-"], &source);
        assert_eq!(run.code, 0, "{path}: {}", run.err);
        let again = motix_tests::motixc_with(&["fmt", "-"], &run.out);
        assert_eq!(again.out, run.out, "{path}: formatting again changes it");
        snapshot(path, &(section("source", &source) + &section("formatted", &run.out)));
    }
}

/// The files of other notations.
fn foreign() -> Vec<String> {
    ["lua", "fmtion", "json"].iter().flat_map(|ending| files("tests/fixtures/import", ending)).collect()
}

#[test]
fn files_of_other_notations_are_imported_and_the_results_check() {
    // Beside each other, as results use each other.
    let scratch = "target/imported";
    std::fs::create_dir_all(motix_tests::root().join(scratch)).expect("a folder for the results");
    let mut results = Vec::new();
    for path in foreign() {
        let source = read(&path);
        let run = motixc(&["import", "--color", "never", &path, "-o", "-"]);
        assert!(matches!(run.code, 0 | 1), "{path}: {}", run.err);
        snapshot(
            &path,
            &(section("source", &source) + &section("diagnostics", &run.err) + &section("result", &run.out)),
        );
        let name = path.rsplit('/').next().unwrap_or("").rsplit_once('.').map_or("", |(stem, _)| stem);
        let result = format!("{scratch}/{name}.motix");
        std::fs::write(motix_tests::root().join(&result), &run.out).expect("the result is written");
        results.push((path, result, run.out));
    }
    for (path, result, text) in results {
        let check = motixc(&["check", "--format", "json", &result]);
        let errors = codes(
            &check.err.lines().filter(|line| line.contains("\"error\"")).collect::<Vec<_>>().join("\n"),
        );
        assert!(errors.is_empty(), "{path}: the result does not check: {}\n{text}", check.err);
    }
}

/// Codes that no source text can give, or only one too large for a fixture: `hostile.rs` makes that.
const WITHOUT_FIXTURE: &[Code] = &[Code::Internal, Code::TooMany];

#[test]
fn every_code_has_a_fixture() {
    let mut found = BTreeSet::new();
    for path in
        files("tests/fixtures", "motix").iter().filter(|path| !is_part(path) && !path.contains("/format/"))
    {
        found.extend(expected(path, &read(path)));
    }
    for path in foreign() {
        found.extend(codes(&motixc(&["import", "--format", "json", &path, "-o", "-"]).err));
    }
    let missing: Vec<_> = Code::ALL
        .iter()
        .filter(|code| !found.contains(code.id()) && !WITHOUT_FIXTURE.contains(code))
        // Loading is tested in motix-vm, byte by byte.
        .filter(|code| !code.id().starts_with("MX08"))
        .map(|code| format!("{} {}", code.id(), code.title()))
        .collect();
    assert!(missing.is_empty(), "no fixture gives {missing:#?}");
}
