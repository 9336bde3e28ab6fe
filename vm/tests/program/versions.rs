//! Files of other versions: older ones stay loadable, newer ones are read or say what to update.
//!
//! `tests/golden` holds files as they were written; those of this version are written anew by
//! `MOTIX_BLESS=1 cargo test -p motix-vm`, those of released versions never.

use std::path::PathBuf;

use motix_vm::program::{LoadErrorKind as Kind, Program, VERSION};

use crate::memory::load;
use crate::mutate::{parts, put_together, repaired};
use crate::support::{program, sample};

fn golden() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden"))
}

/// A file as a compiler of another minor version would write it.
fn of_minor(bytes: &[u8], minor: u16) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[10..12].copy_from_slice(&minor.to_le_bytes());
    repaired(bytes)
}

fn error(bytes: &[u8]) -> (Kind, String) {
    let error = load(bytes).expect_err("it is not to be loaded");
    (error.kind(), error.to_string())
}

#[test]
fn files_of_all_versions_are_loaded() {
    // One of this version with a row in every table.
    let (path, newest) = (golden().join("sample.motixb"), program(sample()));
    if std::env::var_os("MOTIX_BLESS").is_some() {
        std::fs::write(&path, newest.encode(Default::default())).expect("it can be written");
    }
    let mut loaded = 0;
    for entry in std::fs::read_dir(golden()).expect("it is there") {
        let path = entry.expect("it can be read").path();
        if path.extension().is_none_or(|extension| extension != "motixb") {
            continue;
        }
        let bytes = std::fs::read(&path).expect("it can be read");
        let program = load(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let again = load(&program.encode(Default::default())).expect("what was loaded can be written");
        assert_eq!(again.tables(), program.tables(), "{}", path.display());
        loaded += 1;
    }
    assert!(loaded >= 2, "{loaded}");
    let bytes = std::fs::read(path).expect("it is there");
    assert_eq!(Program::load(&bytes).expect("it was loaded").tables(), newest.tables());
}

#[test]
fn a_newer_minor_version_is_read_if_all_of_it_is_known() {
    let bytes = program(sample()).encode(Default::default());
    let newer = load(&of_minor(&bytes, VERSION.1 + 1)).expect("there is nothing in it that is not known");
    assert_eq!(newer.tables(), &sample());
}

#[test]
fn a_newer_minor_version_with_something_new_says_what_to_update() {
    let bytes = program(sample()).encode(Default::default());
    // A type of parameter that is not known; a section that must be.
    let mut tag = parts(&bytes);
    tag[1].2[4] = 6;
    let mut section = parts(&bytes);
    section.push((77, 1, Vec::new()));
    for (parts, why) in [(tag, "bytes that mean nothing"), (section, "required section")] {
        let file = put_together(&parts);
        assert_ne!(error(&file).0, Kind::NewerFormat, "of this version it is a fault");
        let (kind, message) = error(&of_minor(&file, VERSION.1 + 2));
        assert_eq!(kind, Kind::NewerFormat);
        let versions = format!("it has format 1.{}, this runtime knows 1.{}", VERSION.1 + 2, VERSION.1);
        for part in [versions.as_str(), why, "update motix-vm"] {
            assert!(message.contains(part), "{message}");
        }
    }
    // What was cut off is short, of whatever version.
    let newer = of_minor(&bytes, VERSION.1 + 1);
    assert_eq!(error(&newer[..newer.len() - 1]).0, Kind::Truncated);
    // Damage is damage, whatever it does to the version.
    let mut damaged = bytes;
    damaged[10] = 9;
    assert_eq!(error(&damaged).0, Kind::Damaged);
}
