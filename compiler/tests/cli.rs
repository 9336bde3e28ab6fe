//! The command line: exit codes, which stream gets what, formats, files that cannot be used.

mod common;

use std::fs;
use std::path::PathBuf;

use common::{Run, motixc};

const GOOD: &str = "Behavior X {
    Param p: bool
    InitialState A
    State A { Transition B when p }
    State B { Transition A when not p }
}
Test \"goes\" for X { SetTrue p  Step  Expect state == B }
Test \"stays\" for X { Step  Expect state == A }
";
const BAD: &str = "Behavior X {\n    InitialState A\n    State A { Transition C }\n}\n";
const FAILING: &str =
    "Behavior X { InitialState A State A }\nTest \"no\" for X { Step\n    Expect elapsed > 1\n}\n";

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("motixc-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Writes a file; gives its path.
    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, content).unwrap();
        path
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn stdin(arguments: &[&str], input: &str) -> Run {
    motixc(arguments, input.as_bytes())
}

#[test]
fn check_tells_by_its_code_and_on_standard_error() {
    let good = stdin(&["check", "-"], GOOD);
    assert_eq!((good.code, good.out.as_str(), good.err.as_str()), (0, "", "no problems in 1 file\n"));
    let bad = stdin(&["check", "-"], BAD);
    assert_eq!((bad.code, bad.out.as_str()), (1, ""));
    assert!(bad.err.contains("<stdin>:3:26") && bad.err.ends_with("1 error\n"), "{}", bad.err);
    let warned = "Behavior X { Param p: bool InitialState A State A }";
    assert_eq!(stdin(&["check", "-"], warned).code, 0);
    assert_eq!(stdin(&["check", "-", "--deny-warnings"], warned).code, 1);
}

#[test]
fn every_format_reports_the_same() {
    let short = stdin(&["check", "-", "--format", "short"], BAD).err;
    assert!(short.starts_with("<stdin>:3:26: error[MX0202]: "), "{short}");
    let json = stdin(&["check", "-", "--format", "json"], BAD).err;
    let object: serde_json::Value = serde_json::from_str(json.trim_end()).unwrap();
    assert_eq!(object["file"], "<stdin>");
    assert_eq!((object["line"].as_u64(), object["column"].as_u64()), (Some(3), Some(26)));
    assert_eq!((object["end_line"].as_u64(), object["end_column"].as_u64()), (Some(3), Some(27)));
    assert_eq!((object["code"].as_str(), object["severity"].as_str()), (Some("MX0202"), Some("error")));
    for field in ["message", "labels", "help", "fix"] {
        assert!(object.get(field).is_some(), "{field}");
    }
    let github = stdin(&["check", "-", "--format", "github"], BAD).err;
    assert!(
        github.starts_with("::error file=<stdin>,line=3,endLine=3,col=26,endColumn=27,title=MX0202::"),
        "{github}"
    );
    let junit = stdin(&["check", "-", "--format", "junit"], BAD).err;
    assert!(junit.contains("failures=\"1\"") && junit.contains("classname=\"MX0202\""), "{junit}");
    assert!(stdin(&["check", "-", "--format", "junit"], GOOD).err.contains("failures=\"0\""));
}

#[test]
fn colors_are_off_unless_asked_for() {
    assert!(!stdin(&["check", "-"], BAD).err.contains('\u{1b}'));
    assert!(stdin(&["check", "-", "--color", "always"], BAD).err.contains('\u{1b}'));
    assert!(!stdin(&["test", "-"], FAILING).out.contains('\u{1b}'));
    assert!(stdin(&["test", "-", "--color", "always"], FAILING).out.contains('\u{1b}'));
}

#[test]
fn files_that_cannot_be_used_are_told_apart() {
    let folder = Folder::new("unusable");
    let directory = folder.path("");
    for (path, words) in [
        (folder.path("none.motix"), "there is no such file"),
        (directory, "it is a directory"),
        (folder.path("none/there.motix"), "there is no such file"),
    ] {
        for verb in ["check", "test", "build", "fmt", "disasm", "info"] {
            let run = motixc(&[verb, &path], b"");
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{verb} {path}");
            assert!(run.err.contains(words) && run.err.contains("motixc: "), "{verb}: {}", run.err);
        }
    }
    let run = motixc(&["check", &folder.file("x.motix", b"Behavior \xff")], b"");
    assert_eq!(run.code, 1);
    assert!(run.err.contains("MX0001"), "{}", run.err);
    let program = stdin(&["build", "-"], GOOD);
    assert_eq!(program.code, 0);
    let program = folder.file("x.motixb", {
        let path = folder.file("y.motix", GOOD);
        let built = folder.path("y.motixb");
        assert_eq!(motixc(&["build", &path, "-o", &built], b"").code, 0);
        fs::read(built).unwrap()
    });
    let run = motixc(&["check", &program], b"");
    assert!(run.code == 2 && run.err.contains("is a compiled program"), "{}", run.err);
}

#[test]
fn wrong_usage_is_2_and_help_is_0() {
    assert_eq!(motixc(&[], b"").code, 2);
    assert_eq!(motixc(&["fly"], b"").code, 2);
    assert_eq!(motixc(&["check"], b"").code, 2);
    assert_eq!(motixc(&["check", "-", "--format", "csv"], b"").code, 2);
    for verb in ["check", "test", "build", "fmt", "explain", "info", "disasm", "dump", "import"] {
        let help = motixc(&[verb, "--help"], b"");
        assert_eq!((help.code, help.err.as_str()), (0, ""));
        assert!(help.out.contains("Examples:"), "{verb}");
    }
    let version = motixc(&["--version"], b"");
    assert!(version.code == 0 && version.out.starts_with("motixc "));
}

#[test]
fn build_writes_beside_the_source_or_where_it_is_told() {
    let folder = Folder::new("build");
    let source = folder.file("x y.motix", GOOD);
    let run = motixc(&["build", &source, "--depfile", &folder.path("x.d")], b"");
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    let whole = fs::read(folder.path("x y.motixb")).unwrap();
    let rule = fs::read_to_string(folder.path("x.d")).unwrap();
    assert!(rule.contains("x\\ y.motixb: ") && rule.ends_with("x\\ y.motix\n"), "{rule}");
    assert_eq!(motixc(&["build", &source, "--strip", "-o", &folder.path("z.motixb")], b"").code, 0);
    assert!(fs::read(folder.path("z.motixb")).unwrap().len() < whole.len());
    // Nothing is written where there are errors, and nothing is left over.
    let bad = folder.file("bad.motix", BAD);
    assert_eq!(motixc(&["build", &bad], b"").code, 1);
    assert!(!PathBuf::from(folder.path("bad.motixb")).exists());
    let run = motixc(&["build", &source, "-o", &folder.path("no/such/folder.motixb")], b"");
    assert!(run.code == 2 && run.err.contains("cannot write"), "{}", run.err);
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 5);
}

#[test]
fn a_program_and_its_source_disassemble_alike() {
    let folder = Folder::new("disasm");
    let source = folder.file("x.motix", GOOD);
    assert_eq!(motixc(&["build", &source], b"").code, 0);
    let program = folder.path("x.motixb");
    let from_source = motixc(&["disasm", &source], b"");
    assert_eq!(from_source.code, 0);
    assert_eq!(from_source.out, motixc(&["disasm", &program], b"").out);
    let bytes = fs::read(&program).unwrap();
    assert_eq!(from_source.out, motixc(&["disasm", "-"], &bytes).out);
    assert_eq!(from_source.out, stdin(&["disasm", "-"], GOOD).out);
    let broken = motixc(&["disasm", "-"], &bytes[..bytes.len() / 2]);
    assert_eq!((broken.code, broken.out.as_str()), (1, ""));
    assert!(broken.err.contains("error[MX08"), "{}", broken.err);
    let bad = stdin(&["disasm", "-"], BAD);
    assert_eq!((bad.code, bad.out.as_str()), (1, ""));
}

#[test]
fn test_lists_each_test_and_fails_by_its_code() {
    let run = stdin(&["test", "-"], GOOD);
    assert_eq!(run.code, 0);
    assert!(run.out.contains("  ok      goes  (X, 1 tick, 0.0167 s)\n"), "{}", run.out);
    assert!(run.out.ends_with("\n2 passed\n"), "{}", run.out);
    let run = stdin(&["test", "-"], FAILING);
    assert_eq!(run.code, 1);
    for part in [
        "  FAILED  no",
        "`elapsed > 1` does not hold",
        "<stdin>:3:5",
        "not so after 1 tick (0.0167 s)",
        "`elapsed` is 0.01",
        "0 passed, 1 failed",
    ] {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    let run = stdin(&["test", "-"], BAD);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("MX0202") && run.out.contains("1 file with errors"), "{}", run.out);
}

#[test]
fn a_filter_that_selects_nothing_is_a_mistake() {
    let run = stdin(&["test", "-", "--filter", "goes"], GOOD);
    assert!(run.code == 0 && run.out.contains("1 passed"), "{}", run.out);
    let run = stdin(&["test", "-", "--filter", "flies"], GOOD);
    assert!(run.code == 2 && run.err.contains("no test has `flies` in its name"), "{}", run.err);
    let list = stdin(&["test", "-", "--list"], GOOD);
    assert_eq!((list.code, list.out.as_str()), (0, "<stdin>:7: goes\n<stdin>:8: stays\n"));
}

#[test]
fn test_reports_for_tools_on_standard_output() {
    let json = stdin(&["test", "-", "--format", "json"], FAILING);
    let object: serde_json::Value = serde_json::from_str(json.out.trim_end()).unwrap();
    assert_eq!(object["verdict"], "failed");
    assert_eq!(object["failure"]["line"], 3);
    assert_eq!(object["failure"]["values"][0]["expression"], "elapsed");
    let junit = stdin(&["test", "-", "--format", "junit"], FAILING);
    assert!(junit.code == 1 && junit.out.contains("<failure message=\"`elapsed &gt; 1` does not hold\">"));
    let junit = stdin(&["test", "-", "--format", "junit"], BAD);
    assert!(junit.code == 1 && junit.out.contains("<error message=\"1 error\">"), "{}", junit.out);
    let github = stdin(&["test", "-", "--format", "github"], FAILING);
    assert!(github.out.starts_with("::error file=<stdin>,line=3,title=test%3A no::"), "{}", github.out);
    let short = stdin(&["test", "-", "--format", "short"], GOOD);
    assert_eq!(short.out, "<stdin>:7:1: passed: goes\n<stdin>:8:1: passed: stays\n");
}

#[test]
fn stages_can_be_looked_at() {
    assert!(stdin(&["dump", "-", "--stage", "tokens"], GOOD).out.contains("1:10  Name(\"X\")"));
    assert!(stdin(&["dump", "-", "--stage", "ast"], BAD).out.contains("symbol: \"C\""));
    assert!(stdin(&["dump", "-", "--stage", "hir"], GOOD).out.contains("symbol: \"X\""));
    assert!(stdin(&["dump", "-", "--stage", "program"], GOOD).out.starts_with("Tables {"));
    let bad = stdin(&["dump", "-", "--stage", "hir"], BAD);
    assert_eq!((bad.code, bad.out.as_str()), (1, ""));
}

#[test]
fn info_tells_names_and_sizes() {
    let run = stdin(&["info", "-"], GOOD);
    assert!(run.out.contains("behavior X: ") && run.out.contains("parameter p: bool = false"), "{}", run.out);
    let json = stdin(&["info", "-", "--format", "json"], GOOD);
    let object: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(object["behaviors"][0]["machines"][0]["states"], serde_json::json!(["A", "B"]));
    assert!(object["behaviors"][0]["instance_bytes"].as_u64().unwrap() < 128);
}

#[test]
fn use_finds_files_beside_the_one_that_uses_them() {
    let folder = Folder::new("use");
    fs::create_dir_all(folder.path("shared")).unwrap();
    folder.file("shared/limits.motix", "Const LIMIT = 3");
    let text = |path: &str| {
        format!(
            "Use \"{path}\" Behavior X {{ Param p: number InitialState A State A {{ Transition B when p > LIMIT }} State B }}"
        )
    };
    for path in [
        "./shared/limits.motix",
        "shared/limits.motix",
        "./shared/../shared/limits",
        ".\\\\shared\\\\limits.motix",
    ] {
        let main = folder.file("main.motix", text(path));
        let run = motixc(&["check", &main], b"");
        assert_eq!(run.code, 0, "{path}: {}", run.err);
    }
    let main = folder.file("main.motix", text("./nothing.motix"));
    let run = motixc(&["check", &main], b"");
    assert!(run.code == 1 && run.err.contains("nothing.motix"), "{}", run.err);
}

#[test]
fn explain_prints_pages() {
    let list = motixc(&["explain"], b"");
    assert_eq!(list.out.lines().count(), motix_compiler::diagnostic::Code::ALL.len());
    for asked in ["MX0202", "mx0202", "202"] {
        let run = motixc(&["explain", asked], b"");
        assert!(run.code == 0 && run.out.starts_with("# MX0202: "), "{}", run.out);
    }
    for (asked, told) in [("MX0804", "MX0804: the checksum"), ("871", "MX0871: ")] {
        let run = motixc(&["explain", asked], b"");
        assert!(run.code == 0 && run.out.starts_with(told), "{}", run.out);
    }
    for unknown in ["MX9999", "MX0899"] {
        assert_eq!(motixc(&["explain", unknown], b"").code, 2);
    }
}

#[test]
fn fmt_rewrites_checks_and_leaves_broken_files_alone() {
    let folder = Folder::new("fmt");
    let messy = "Behavior   X{InitialState A State A}";
    let path = folder.file("x.motix", messy);
    let check = motixc(&["fmt", "--check", &path], b"");
    assert_eq!((check.code, check.out.as_str()), (1, format!("{path}\n").as_str()));
    assert_eq!(fs::read_to_string(&path).unwrap(), messy);
    let run = motixc(&["fmt", &path], b"");
    assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
    let formatted = fs::read_to_string(&path).unwrap();
    assert_ne!(formatted, messy);
    let check = motixc(&["fmt", "--check", &path], b"");
    assert_eq!((check.code, check.out.as_str()), (0, ""));
    assert_eq!(stdin(&["fmt", "-"], messy).out, formatted);
    for broken in [&b"Behavior X { State"[..], b"Behavior \xff"] {
        let path = folder.file("broken.motix", broken);
        let run = motixc(&["fmt", &path], b"");
        assert_eq!((run.code, run.out.as_str()), (1, ""));
        assert!(run.err.contains("MX0"), "{}", run.err);
        assert_eq!(fs::read(&path).unwrap(), broken);
        assert_eq!(motixc(&["fmt", "--check", &path], b"").code, 1);
        assert_eq!(motixc(&["fmt", "-"], broken).out, "");
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 2);
}

#[cfg(unix)]
#[test]
fn fmt_keeps_permissions_and_links() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = Folder::new("links");
    let path = folder.file("x.motix", "Behavior   X{InitialState A State A}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&path, folder.path("link.motix")).unwrap();
    assert_eq!(motixc(&["fmt", &folder.path("link.motix")], b"").code, 0);
    assert!(fs::symlink_metadata(folder.path("link.motix")).unwrap().is_symlink());
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(motixc(&["fmt", "--check", &path], b"").code, 0);
}

#[test]
fn modules_of_the_library_are_named_as_use_names_them() {
    let checked = stdin(&["check", "std/humanoid"], "");
    assert_eq!((checked.code, checked.err.as_str()), (0, "no problems in 1 file\n"));
    let shown = stdin(&["info", "std/button"], "");
    assert_eq!(shown.code, 0, "{}", shown.err);
    let played = stdin(&["run", "std/door", "--for", "0.1s"], "");
    assert_eq!(played.code, 0, "{}", played.err);
    let unknown = stdin(&["check", "std/humanoids"], "");
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("there is no such file"), "{}", unknown.err);
}

#[test]
fn what_is_motix_already_is_not_imported() {
    let run = stdin(&["import", "Hero.MOTIX"], "");
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("`Hero.MOTIX` is Motix already"), "{}", run.err);
}
