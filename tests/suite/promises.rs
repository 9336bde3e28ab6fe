//! Promises about products that no other test looks at: sizes, and that formatting never changes a program.

use motix_tests::{files, motixc, motixc_with, program, read};
use motix_vm::program::EncodeOptions;
use motix_vm::{Instance, Setup};

#[test]
fn the_humanoid_is_small() {
    let program = program("tests/benches/humanoid.motix");
    let bytes = program.encode(EncodeOptions { strip: true }).len();
    assert!(bytes < 4096, "{bytes} bytes stripped");
    let Ok(humanoid) = program.find("Humanoid") else { panic!("no Humanoid") };
    let instance =
        Instance::new(&program, humanoid.id(), &Setup::default()).unwrap_or_else(|error| panic!("{error}"));
    assert!(instance.size_of_state() <= 128, "{} bytes an instance", instance.size_of_state());
}

#[test]
fn formatting_never_changes_a_program() {
    let sources = [
        "examples",
        "tests/behaviors",
        "tests/fixtures/check",
        "tests/fixtures/format",
        "tests/fixtures/passes",
    ];
    let mut compared = 0;
    for path in sources.iter().flat_map(|folder| files(folder, "motix")) {
        let source = read(&path);
        let before = motixc_with(&["disasm", "-"], &source);
        if before.code != 0 {
            continue;
        }
        let formatted = motixc_with(&["fmt", "-"], &source);
        assert_eq!(formatted.code, 0, "{path}: {}", formatted.err);
        let after = motixc_with(&["disasm", "-"], &formatted.out);
        assert_eq!(before.out, after.out, "{path}: formatting changed the program");
        compared += 1;
    }
    assert!(compared >= 10, "only {compared} sources compile");
}

#[test]
fn a_built_program_is_disassembled_like_its_source() {
    let folder = std::env::temp_dir().join(format!("motix-build-{}", std::process::id()));
    assert!(std::fs::create_dir_all(&folder).is_ok());
    let built = folder.join("built.motixb").to_string_lossy().into_owned();
    for path in files("examples", "motix") {
        for strip in [&[][..], &["--strip"][..]] {
            let run = motixc(&[&["build", &path, "-o", &built], strip].concat());
            assert_eq!(run.code, 0, "{path}: {}", run.err);
            assert_eq!(motixc(&["disasm", &built]).out, motixc(&["disasm", &path]).out, "{path}");
        }
    }
}
