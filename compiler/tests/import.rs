//! The import of Luau files: what must hold for any text, however broken, deep or long.

mod common;

use motix_compiler::diagnostic::{Code, Diagnostics};
use motix_compiler::import::lua;
use motix_compiler::source::SourceMap;

const SAMPLES: &[&str] = &[
    include_str!("../../tests/fixtures/import/soldier.lua"),
    include_str!("../../tests/fixtures/import/continued.lua"),
    include_str!("../../tests/fixtures/import/losses.lua"),
    include_str!("../../tests/fixtures/import/several.lua"),
    include_str!("../../tests/fixtures/import/odd.lua"),
    include_str!("../../tests/fixtures/import/loops.lua"),
    include_str!("../../tests/fixtures/import/tables.lua"),
];

fn import(text: &str) -> (Option<String>, Diagnostics) {
    let mut sources = SourceMap::default();
    let file = sources.add("sample.lua", text);
    let mut diagnostics = Diagnostics::default();
    let result = lua::import(file, text, "sample.lua", &mut diagnostics);
    for diagnostic in diagnostics.list() {
        for label in &diagnostic.labels {
            assert!(text.get(label.span.range()).is_some(), "{diagnostic:?} points outside the text");
        }
    }
    (result, diagnostics)
}

/// A sequence of numbers that is the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

const SNIPPETS: &[&str] = &[
    "(", ")", "{", "}", "[[", "]]", "--[[", "\"", "'", "`", "end", "function", "if", "then", "local", ":",
    ":Done()", ":State(", "\0", "é", "\\", "--", "=", "..", "0x", "1e999", "return", "<", "::", "\r\n",
    "nil", ",",
];

#[test]
fn mutated_files_are_read_without_a_panic_and_what_comes_out_compiles() {
    let mut numbers = Numbers(7);
    for round in 0..800 {
        let mut text: Vec<char> = SAMPLES[round % SAMPLES.len()].chars().collect();
        for _ in 0..=numbers.below(4) {
            let at = numbers.below(text.len());
            match numbers.below(4) {
                0 => {
                    let end = (at + numbers.below(30)).min(text.len());
                    text.drain(at..end);
                }
                1 => {
                    let snippet = SNIPPETS[numbers.below(SNIPPETS.len())];
                    text.splice(at..at, snippet.chars());
                }
                2 => {
                    let from = numbers.below(text.len());
                    let piece: Vec<char> = text[from..].iter().take(60).copied().collect();
                    text.splice(at..at, piece);
                }
                _ => text.truncate(at.max(1)),
            }
        }
        let text: String = text.into_iter().collect();
        if let (Some(result), true) = (import(&text).0, round % 4 == 0) {
            let compiled = common::compile(&result);
            assert!(!compiled.diagnostics.has_errors(), "{:?}\n{result}", common::codes(&compiled));
        }
    }
}

#[test]
fn nesting_ends_in_an_error_not_in_an_overflow() {
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("f(", ")"),
        ("not ", ""),
        ("- ", ""),
        ("if a then ", " end "),
        ("function() ", ""),
    ] {
        let count = 100_000;
        let text = format!("local x = {}1{}", open.repeat(count), close.repeat(count));
        let (_, diagnostics) = import(&text);
        assert!(diagnostics.list().iter().any(|found| found.code == Code::UnreadableLua), "{open}");
        assert!(diagnostics.list().len() < 100, "{open}: {} diagnostics", diagnostics.list().len());
    }
    let blocks = "do ".repeat(100_000);
    assert!(import(&blocks).1.has_errors());
}

#[test]
fn long_files_take_time_that_grows_with_their_length() {
    let count = 4_000;
    let state = |at: usize| {
        format!(
            ":State(\"S{at}\"):OnEntry():Play(\"A\"):Done():Transition(\"S{}\", \"P{at}\"):Done():Done()\n",
            (at + 1) % count
        )
    };
    let predicate = |at: usize| {
        format!(":Predicate(\"P{at}\", function() return thing{at}.Value.Speed > {at} end) -- note\n")
    };
    let states: String = (0..count).map(state).collect();
    let predicates: String = (0..count).map(predicate).collect();
    let text =
        format!("local b = BehaviorBuilder.new()\n{states}{predicates}:InitialState(\"S0\"):Build()\n");
    let (result, diagnostics) = import(&text);
    let result = result.expect("there is a builder");
    assert!(!diagnostics.has_errors());
    assert!(result.contains("State S3999 {") && result.contains("Predicate P3999 = "));

    // Names that clash, chains without an end, noise.
    let same = format!("BehaviorBuilder.new(){}", ":State(\"S\"):Done()".repeat(count));
    assert!(import(&same).0.is_some_and(|text| text.contains("State S4000")));
    import(&format!("x{}", ".y".repeat(500_000)));
    import(&format!("x = 1{}", " + 1".repeat(300_000)));
    import(&format!("x{}", ":y()".repeat(300_000)));
    import(&"§".repeat(500_000));
    import(&"\"".repeat(300_000));
    import(&"end ".repeat(300_000));
}

#[test]
fn loops_and_calls_end() {
    let nested = "for a = 1, 1000 do ".repeat(20) + "b:State('S' .. a):Done() " + &"end ".repeat(20);
    import(&format!("local b = BehaviorBuilder.new()\n{nested}\nb:Build()"));
    let huge = "for a = 1, 1e300 do b:State('S' .. a):Done() end for a = 1, 2, 0 do b:State('T'):Done() end";
    import(&format!("local b = BehaviorBuilder.new()\n{huge}\nb:Build()"));
    let calls = "local function f(b) f(b) f(b) f(b) b:State('S'):Done() end f(b)";
    import(&format!("local b = BehaviorBuilder.new()\n{calls}\nb:Build()"));
    let doubled = "local function f(b, s) b:State(s):Done() f(b, s .. s .. s .. s) end f(b, 'abc')";
    import(&format!("local b = BehaviorBuilder.new()\n{doubled}\nb:Build()"));
}

#[test]
fn what_is_lost_is_reported_and_listed() {
    let (result, diagnostics) = import(include_str!("../../tests/fixtures/import/losses.lua"));
    let result = result.expect("there is a builder");
    for found in diagnostics.list() {
        let listed = found.message.lines().next().unwrap_or("");
        assert!(result.contains(listed), "`{listed}` is not listed");
    }
    for code in [
        Code::NotCarriedOver,
        Code::UnknownArgument,
        Code::UnknownInBuilder,
        Code::PredicateLeftToHost,
        Code::ConditionalBuilder,
        Code::AdjustedValue,
        Code::DuplicateInBuilder,
        Code::MissingInitial,
        Code::OtherCode,
    ] {
        assert!(diagnostics.list().iter().any(|found| found.code == code), "{code:?} is missing");
    }
}

#[test]
fn a_file_without_a_builder_gives_no_text() {
    let (result, diagnostics) = import("local x = 1\nprint(x)\n");
    assert!(result.is_none());
    assert_eq!(diagnostics.list().iter().map(|found| found.code).collect::<Vec<_>>(), [Code::NoBuilder]);
}

#[test]
fn locals_that_change_are_no_constants() {
    let text = "local n = 1\nn += 1\nBehaviorBuilder.new():State('A'):Done():Predicate('P', function() return n > 1 end)";
    let result = import(text).0.expect("there is a builder");
    assert!(result.contains("Param n: number") && !result.contains("Const"), "{result}");
}

/// What becomes of a predicate with this Lua function, as written behind `Predicate P`.
fn predicate(before: &str, function: &str) -> String {
    let text = format!(
        "local x = script.Parent\n{before}\nBehaviorBuilder.new():State('A'):Done():Predicate('P', {function})"
    );
    let result = import(&text).0.expect("there is a builder");
    let compiled = common::compile(&result);
    assert!(!compiled.diagnostics.has_errors(), "{:?}\n{result}", common::codes(&compiled));
    let line = result.lines().find(|line| line.contains("Predicate P")).expect("there is a predicate");
    line.trim().to_owned()
}

#[test]
fn a_local_of_one_block_is_not_seen_in_another() {
    let v = "local v = x.Speed";
    for (function, expected) in [
        (
            "function() if x.A then return v > 1 elseif x.B then local v = x.Health return v > 2 end return false end",
            "Predicate P = if a then speed > 1 else b and health > 2",
        ),
        (
            "function() if x.A then local v = x.Health return v > 2 end return v > 1 end",
            "Predicate P = if a then health > 2 else speed > 1",
        ),
        (
            "function() if x.A then return v > 1 end local v = x.Health return v > 2 end",
            "Predicate P = if a then speed > 1 else health > 2",
        ),
        ("function() do local v = x.Health end return v > 1 end", "Predicate P = speed > 1"),
        // A name that was declared again in between: what it stood for is not kept.
        ("function() local w = v local v = x.Health return w > v end", "Extern Predicate P"),
        ("function() local w = v + 1 local v = 5 return w > v end", "Extern Predicate P"),
    ] {
        let result = predicate(v, function).replace("parentA", "a").replace("parentB", "b");
        assert_eq!(result, expected, "{function}");
    }
}

#[test]
fn a_block_without_a_return_goes_on_behind_it() {
    let result = predicate(
        "",
        "function() local v = x.Foo if v > 3 then if v > 5 then return true end elseif v < -1 then return false end return v == 2 end",
    );
    assert_eq!(result, "Predicate P = if foo > 3 then foo > 5 or foo == 2 else not (foo < -1) and foo == 2");
    assert_eq!(predicate("", "function() if x.Foo > 3 then return true end end"), "Extern Predicate P");
    // Each way through is written out; too many of them are left to the host, soon.
    let ways = "if x.Foo > 1 then local a = 1 end ".repeat(100);
    assert_eq!(predicate("", &format!("function() {ways} return true end")), "Extern Predicate P");
    let locals = "local a = 1 ".repeat(100_000);
    assert_eq!(predicate("", &format!("function() {locals} return x.Foo > a end")), "Predicate P = foo > a");
    let returns: String =
        (0..150).map(|at| format!("if x.Foo == {at} then return x.Bar > {at} end ")).collect();
    predicate("", &format!("function() {returns} return false end"));
}

#[test]
fn numbers_that_would_differ_are_left_to_the_host() {
    assert_eq!(predicate("local zero = 0", "function() return x.Foo > 1 / zero end"), "Extern Predicate P");
    assert_eq!(predicate("", "function() return x.Foo % 0 == 1 end"), "Extern Predicate P");
    assert_eq!(predicate("local BIG = 1e300", "function() return x.Foo < BIG end"), "Extern Predicate P");
}

#[test]
fn a_text_that_is_not_utf8_is_reported() {
    let (_, diagnostics) = import(
        r"BehaviorBuilder.new():Animation('A'):AssetId('\xff'):Done():State('S'):Done():InitialState('S')",
    );
    let codes: Vec<Code> = diagnostics.list().iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::UnknownArgument]);
}

#[test]
fn a_name_that_cannot_stand_is_changed_everywhere_and_listed() {
    let text = "BehaviorBuilder.new():Animation('a_b'):Done():Animation('a`b'):Done():Animation(''):Done()\n\
                :State('S'):OnEntry():Play('a`b'):Done():Done():InitialState('T'):InitialState('S')";
    let (result, diagnostics) = import(text);
    let result = result.expect("there is a builder");
    for part in ["Animation a_b\n", "Animation a_b2\n", "Play a_b2", "InitialState S\n", "it became `a_b2`"] {
        assert!(result.contains(part), "`{part}` is missing:\n{result}");
    }
    let codes: Vec<Code> = diagnostics.list().iter().map(|found| found.code).collect();
    assert_eq!(codes, [Code::DuplicateInBuilder, Code::AdjustedValue, Code::AdjustedValue]);
}

#[test]
fn the_pages_show_what_they_say() {
    for code in Code::ALL.iter().filter(|code| ("MX1101".."MX1120").contains(&code.id())) {
        let path = format!("{}/src/diagnostic/pages/{}.md", env!("CARGO_MANIFEST_DIR"), code.id());
        let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let blocks: Vec<&str> =
            page.split("```lua\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        let [wrong, mended] = blocks[..] else { panic!("{path}: two blocks are expected") };
        let codes: Vec<Code> = import(wrong).1.list().iter().map(|found| found.code).collect();
        assert_eq!(codes.first(), Some(code), "{path}: {codes:?}");
        let codes: Vec<Code> = import(mended).1.list().iter().map(|found| found.code).collect();
        assert!(codes.is_empty(), "{path}: {codes:?}");
    }
}

#[test]
fn what_is_imported_compiles_and_runs() {
    let folder = format!("{}/../tests/fixtures/import", env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut played = 0;
    for path in paths.iter().filter(|path| path.extension().is_some_and(|end| end == "lua")) {
        let Some(text) = import(&std::fs::read_to_string(path).unwrap()).0 else { continue };
        let compiled = common::compile(&text);
        assert!(!compiled.diagnostics.has_errors(), "{path:?}: {:?}\n{text}", common::codes(&compiled));
        assert_eq!(motix_compiler::format::format(&text).ok().as_ref(), Some(&text), "{path:?}");
        for behavior in &compiled.hir.behaviors {
            let name = compiled.names.text(behavior.name.symbol);
            let run = common::motixc(&["run", "-", "--behavior", name], text.as_bytes());
            assert_eq!(run.code, 0, "{path:?}: {}", run.err);
            played += 1;
        }
    }
    assert!(played > 5);
}

#[test]
fn an_imported_soldier_walks_sprints_and_aims() {
    let text = import(SAMPLES[0]).0.unwrap();
    let flags = "--format json --for 1s --at 0.1s magnitude=1 --at 0.3s walkSpeed=20 --at 0.5s magnitude=0 \
                 --at 0.6s aiming=true --at 0.8s request:Jump --provide HasLanded=true";
    let arguments: Vec<&str> = ["run", "-"].into_iter().chain(flags.split_whitespace()).collect();
    let run = common::motixc(&arguments, text.as_bytes());
    let mut states: Vec<String> = Vec::new();
    for line in run.out.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let state = line["state"].as_str().unwrap().to_owned();
        if states.last() != Some(&state) {
            states.push(state);
        }
    }
    assert_eq!(states, ["Idle", "Walk", "Sprint", "Idle", "Aim", "Jump", "Idle", "Aim"], "{}", run.err);
}
