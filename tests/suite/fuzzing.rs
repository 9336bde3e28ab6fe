//! What the fuzzers found, and a few rounds of their own: `tests/fuzz/` has the fuzzers, which call the same functions.
#![allow(clippy::print_stdout, reason = "captured, and shown where a test fails")]

use std::cell::Cell;
use std::fs;

use motix_tests::fuzz::{bytes, calls, source, splice};
use motix_tests::random::Random;
use motix_tests::{files, read, root};

use crate::memory::load;
use crate::model::runs;

/// Hands every file of a corpus to the function that it belongs to.
fn corpus(name: &str, run: impl Fn(&[u8])) {
    let folder = root().join("tests/fuzz/corpus").join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(paths.len() > 50, "{} files in {}", paths.len(), folder.display());
    for path in paths {
        let found = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        // Shown where it panics.
        println!("{}", path.display());
        run(&found);
    }
}

/// Data of a seeded generator.
fn rounds(count: u64, run: impl Fn(&[u8])) {
    for round in runs(count) {
        let mut random = Random::new(round);
        let length = 16 + random.below(240);
        let data: Vec<u8> = (0..length).map(|_| random.bits() as u8).collect();
        // Shown where it panics.
        println!("round {round}");
        run(&data);
    }
}

#[test]
fn the_corpus_of_sources_does_no_harm() {
    corpus("source", source);
}

#[test]
fn the_corpus_of_programs_does_no_harm() {
    corpus("bytes", |data| {
        bytes(data, load);
    });
}

#[test]
fn the_corpus_of_calls_does_no_harm() {
    corpus("calls", calls);
}

#[test]
fn changed_programs_are_refused_or_run() {
    let (run, all) = (Cell::new(0), Cell::new(0));
    rounds(400, |data| {
        all.set(all.get() + 1);
        run.set(run.get() + usize::from(bytes(data, load)));
    });
    let (run, all) = (run.get(), all.get());
    assert!(all < 16 * run && run < all, "{run} of {all} came to run");
}

#[test]
fn any_calls_leave_an_instance_as_it_must_be() {
    rounds(200, calls);
}

#[test]
fn spliced_sources_do_no_harm() {
    let folders = ["examples", "tests/behaviors", "stdlib/std", "tests/fixtures"];
    let paths: Vec<String> = folders.iter().flat_map(|folder| files(folder, "motix")).collect();
    for round in runs(100) {
        let mut random = Random::new(round);
        let Some(path) = random.pick(&paths) else { return };
        let text = splice(&read(path), &mut random);
        // Shown where it panics.
        println!("round {round}, from {path}");
        source(text.as_bytes());
    }
}
