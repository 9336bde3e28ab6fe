//! Files that are written from tables: compared on every run, rewritten with `UPDATE=1 cargo test -p motix-tests`.
//!
//! A generated file is committed, so that people and editors read it without building anything; the comparison keeps
//! it equal to the tables. It never edits part of a file.

use std::fs;

use motix_tests::root;

/// Compares the file at `path` (relative to the root) with `text`; with `UPDATE=1` in the environment, writes it.
///
/// # Panics
/// Where they differ, with the first line that does and how to rewrite the file.
pub(crate) fn compare(path: &str, text: &str) {
    let full = root().join(path);
    if std::env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(&full, text).unwrap_or_else(|error| panic!("{path}: {error}"));
        return;
    }
    let committed = fs::read_to_string(&full).unwrap_or_default();
    if committed == text {
        return;
    }
    let (mut old, mut new) = (committed.lines(), text.lines());
    let mut number = 0;
    let (old, new) = loop {
        number += 1;
        let pair = (old.next(), new.next());
        if pair.0 != pair.1 || pair == (None, None) {
            break pair;
        }
    };
    panic!(
        "{path} is not what the tables say; `UPDATE=1 cargo test -p motix-tests` rewrites it\n  line {number}\n  is:     {}\n  should: {}",
        old.unwrap_or("(end)"),
        new.unwrap_or("(end)")
    );
}
