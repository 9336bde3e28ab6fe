//! The import of layered machines in JSON: what must hold for any text, and what the result does.

mod common;

use std::collections::BTreeMap;

use motix_compiler::diagnostic::{Code, Diagnostics};
use motix_compiler::import::fmtion;
use motix_compiler::pipeline::{self, Compiled, Options};
use motix_compiler::source::{Loader, ReadError, SourceMap};

const SWITCH: &str = include_str!("../../tests/fixtures/import/switch.fmtion");
const WALKER: &str = include_str!("../../tests/fixtures/import/walker.fmtion");

const SAMPLES: &[&str] = &[
    SWITCH,
    WALKER,
    include_str!("../../tests/fixtures/import/blends.fmtion"),
    include_str!("../../tests/fixtures/import/entry.fmtion"),
    include_str!("../../tests/fixtures/import/any-and-exit.fmtion"),
    include_str!("../../tests/fixtures/import/exit-times.fmtion"),
    include_str!("../../tests/fixtures/import/fades.fmtion"),
    include_str!("../../tests/fixtures/import/layers.fmtion"),
    include_str!("../../tests/fixtures/import/listeners.fmtion"),
    include_str!("../../tests/fixtures/import/loops.fmtion"),
    include_str!("../../tests/fixtures/import/names.fmtion"),
    include_str!("../../tests/fixtures/import/nested.fmtion"),
    include_str!("../../tests/fixtures/import/parameters.fmtion"),
];

/// Files by name.
struct Files(BTreeMap<&'static str, String>);

impl Loader for Files {
    fn load(&self, path: &str, _: &str) -> Result<(String, Vec<u8>), ReadError> {
        let name = path.trim_start_matches("./");
        let found = self.0.get(name).ok_or_else(|| ReadError::Missing(vec![name.into()]))?;
        Ok((name.into(), found.clone().into_bytes()))
    }
}

fn import(text: &str) -> (Option<String>, Diagnostics) {
    import_as("sample.fmtion", text)
}

fn import_as(name: &str, text: &str) -> (Option<String>, Diagnostics) {
    let mut sources = SourceMap::default();
    let file = sources.add(name, text);
    let mut diagnostics = Diagnostics::default();
    let files = Files([("switch.fmtion", SWITCH.to_owned())].into());
    let result = fmtion::import(file, text, name, &files, &mut diagnostics);
    for diagnostic in diagnostics.list() {
        for label in &diagnostic.labels {
            assert!(text.get(label.span.range()).is_some(), "{diagnostic:?} points outside the text");
        }
    }
    (result, diagnostics)
}

/// Compiles a result beside that of the switch.
fn compile(result: &str) -> Compiled {
    let switch = import_as("switch.fmtion", SWITCH).0.expect("a machine");
    let files = Files([("test.motix", result.to_owned()), ("switch.motix", switch)].into());
    pipeline::compile("test.motix", &files, Options { tests: true }).expect("the sources can be read")
}

fn errors(compiled: &Compiled) -> Vec<String> {
    let list = common::codes(compiled);
    let is_error = |code: &&String| {
        Code::by_id(&code[..6])
            .is_some_and(|row| row.severity() == motix_compiler::diagnostic::Severity::Error)
    };
    list.iter().filter(is_error).cloned().collect()
}

/// A sequence of numbers that is the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Values of every type, sensible ones and others.
const VALUES: &[&str] = &[
    "null",
    "true",
    "false",
    "0",
    "-0.0",
    "1",
    "1.0",
    "0.5",
    "2",
    "-3",
    "1e38",
    "1e39",
    "-1e300",
    "1e-300",
    "1e999",
    "100",
    "16777217",
    "\"\"",
    "\"x\"",
    "\"any\"",
    "\"entry\"",
    "\"exit\"",
    "\"Exit\"",
    "\"idle\"",
    "\"hovered\"",
    "\"level\"",
    "\"theme\"",
    "\"loop\"",
    "\"none\"",
    "\"trigger\"",
    "\"boolean\"",
    "\"number\"",
    "\"enum\"",
    "\"string\"",
    "\"color\"",
    "\"animation\"",
    "\"blend1d\"",
    "\"blend2d\"",
    "\"blendDirect\"",
    "\"empty\"",
    "\"true\"",
    "\"when\"",
    "\"a`b\\n\"",
    "\"\\u0000\"",
    "\"\\u2028\"",
    "\"\\ufeff\"",
    "\"e\\u0301\"",
    "\"#fff\"",
    "\"ease\"",
    "\"easeOutBack\"",
    "\"steps(3)\"",
    "\"additive\"",
    "\"any\"",
    "\">=\"",
    "\"!=\"",
    "\"Speed\"",
    "\"dt\"",
    "\"//\"",
    "\"switch.fmtion\"",
    "[]",
    "{}",
    "[1, 2]",
    "[\"x\"]",
    "{\"type\": \"empty\"}",
    "{\"id\": \"x\"}",
    "[[]]",
    "[0.1, 0.2, 0.3, 0.4]",
];

const KEYS: &[&str] = &[
    "id",
    "name",
    "type",
    "from",
    "to",
    "loop",
    "speed",
    "duration",
    "exitTime",
    "easing",
    "value",
    "operator",
    "parameterId",
    "initialState",
    "priority",
    "weight",
    "mask",
    "blendMode",
    "min",
    "max",
    "step",
    "default",
    "options",
    "points",
    "children",
    "animationId",
    "randomWeight",
    "conditionMode",
    "conditions",
    "pauseOnExit",
    "earlyExit",
    "target",
    "event",
    "key",
    "action",
    "actions",
    "_note",
    "description",
    "asset",
    "camera",
    "file",
    "mode",
    "states",
    "transitions",
    "layers",
];

/// Exchanges, adds and removes values and keys, so that the text stays JSON.
fn mutate(value: &mut serde_json::Value, numbers: &mut Numbers, rate: usize) {
    use serde_json::Value;
    let fresh = |numbers: &mut Numbers| -> Value {
        serde_json::from_str(VALUES[numbers.below(VALUES.len())]).unwrap_or(Value::Null)
    };
    match value {
        Value::Array(items) => {
            if !items.is_empty() && numbers.below(rate) == 0 {
                let at = numbers.below(items.len());
                match numbers.below(3) {
                    0 => drop(items.remove(at)),
                    1 => items.push(items[at].clone()),
                    _ => items.push(fresh(numbers)),
                }
            }
            items.iter_mut().for_each(|item| mutate(item, numbers, rate));
        }
        Value::Object(members) => {
            if numbers.below(rate) == 0 {
                let key = KEYS[numbers.below(KEYS.len())];
                if numbers.below(3) == 0 {
                    members.remove(key);
                } else {
                    members.insert(key.to_owned(), fresh(numbers));
                }
            }
            members.iter_mut().for_each(|(_, member)| mutate(member, numbers, rate));
        }
        _ => {
            if numbers.below(rate) == 0 {
                *value = fresh(numbers);
            }
        }
    }
}

#[test]
fn whatever_stands_in_a_machine_the_result_compiles() {
    let mut numbers = Numbers(11);
    for round in 0..600 {
        let mut value: serde_json::Value =
            serde_json::from_str(SAMPLES[round % SAMPLES.len()]).expect("a sample is JSON");
        // A few changes, or many.
        let rate = [60, 25, 8][round % 3];
        mutate(&mut value, &mut numbers, rate);
        let text = value.to_string();
        let Some(result) = import(&text).0 else { continue };
        assert_eq!(motix_compiler::format::format(&result).ok().as_ref(), Some(&result), "{text}");
        // Files that are not there are the user's to import.
        let uses =
            result.lines().filter(|line| line.starts_with("Use ") && !line.contains("\"./switch.motix\""));
        if round % 2 == 0 && uses.count() == 0 {
            let compiled = compile(&result);
            assert!(errors(&compiled).is_empty(), "{:?}\n{text}\n{result}", errors(&compiled));
        }
    }
}

const SNIPPETS: &[&str] = &[
    "{", "}", "[", "]", "\"", ",", ":", "\\", "null", "1e999", "-", "0x", "//", "'", "\u{0}", "é",
    "\u{feff}", "\\u", "\\ud800", "NaN", "\r\n", "{}", "[]", "\"\"", "1",
];

#[test]
fn mutated_files_are_read_without_a_panic() {
    let mut numbers = Numbers(7);
    for round in 0..600 {
        let mut text: Vec<char> = SAMPLES[round % SAMPLES.len()].chars().collect();
        for _ in 0..=numbers.below(4) {
            let at = numbers.below(text.len());
            match numbers.below(4) {
                0 => drop(text.drain(at..(at + numbers.below(30)).min(text.len()))),
                1 => drop(text.splice(at..at, SNIPPETS[numbers.below(SNIPPETS.len())].chars())),
                2 => {
                    let from = numbers.below(text.len());
                    let piece: Vec<char> = text[from..].iter().take(60).copied().collect();
                    text.splice(at..at, piece);
                }
                _ => text.truncate(at.max(1)),
            }
        }
        import(&text.into_iter().collect::<String>());
    }
}

#[test]
fn hostile_files_end_in_an_error_and_in_time() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("{\"stateMachine\":", "}")] {
        let (result, diagnostics) = import(&format!("{}1{}", open.repeat(100_000), close.repeat(100_000)));
        assert!(result.is_none());
        assert_eq!(
            diagnostics.list().iter().map(|found| found.code).collect::<Vec<_>>(),
            [Code::UnreadableJson]
        );
    }
    for text in [
        "",
        " ",
        "\u{feff}",
        "1",
        "[]",
        "null",
        "\"\"",
        "{}",
        "{\"stateMachine\": 4}",
        "\0",
        "\u{feff}{",
        "[1e400]",
    ] {
        let (result, diagnostics) = import(text);
        assert!(result.is_none() && diagnostics.has_errors(), "{text:?}");
    }
    let (result, diagnostics) = import(&format!("\u{feff}{SWITCH}"));
    assert!(result.is_some() && !diagnostics.has_errors());
    // Megabytes of one thing.
    let many = |head: &str, item: &str, tail: &str| {
        let items = vec![item; 2_000_000 / item.len()].join(",");
        import(&format!("{head}{items}{tail}"))
    };
    let (_, diagnostics) = many("{\"stateMachine\": {\"layers\": [", "{\"states\": 4, \"wrong\": {}}", "]}}");
    assert!(diagnostics.is_full());
    many(
        "{\"stateMachine\": {\"layers\": [], \"parameters\": [",
        "{\"name\": \"x\", \"type\": \"boolean\"}",
        "]}}",
    );
    many("{\"stateMachine\": {", "\"layers\": []", "}}");
    many("[", "0", "]");
    let (result, _) = import(&format!("{{\"layers\": [{{\"name\": \"{}\"}}]}}", "x".repeat(2_000_000)));
    assert!(result.is_some());
    // Distinct names, and what refers to them.
    let count = 20_000;
    let states: Vec<String> =
        (0..count).map(|at| format!("{{\"id\": \"s{at}\", \"type\": \"empty\"}}")).collect();
    let transitions: Vec<String> =
        (0..count).map(|at| format!("{{\"from\": \"s{at}\", \"to\": \"s{}\"}}", (at + 1) % count)).collect();
    let text = format!(
        "{{\"layers\": [{{\"name\": \"l\", \"initialState\": \"s0\", \"states\": [{}], \"transitions\": [{}]}}]}}",
        states.join(","),
        transitions.join(",")
    );
    assert!(import(&text).0.is_some_and(|result| result.contains("State s19999 {")));
}

/// What must be true of the imported walker, which carries the imported switch.
const WALKS: &str = "
Test \"walks, talks and fills its bag\" for Walker {
    Set y = 1
    SetTrue talking
    Step
    Expect weight(`walk-forward`) ~= 1
    Expect state(face) == hold
    Expect bag.hovered and state(bag.look) == hover
    Pointer click \"bag-root/plus\"
    Step
    Expect bag.level == 100
    // What the walker cannot hold is moved into its range.
    Expect joy == 1 and anger == 1
    Wait 50ms
    Expect state(bag.fill) != meter
    Wait 1s
    Expect events has FadeEnd(bag.idle, bag.hover)
}
";

#[test]
fn an_imported_walker_carries_an_imported_switch() {
    let compiled = compile(&(import_as("walker.fmtion", WALKER).0.expect("a machine") + WALKS));
    assert!(errors(&compiled).is_empty(), "{:?}", errors(&compiled));
    for through_bytes in [false, true] {
        let outcomes = motix_compiler::testing::run(&compiled, None, through_bytes);
        assert!(outcomes.len() == 1 && outcomes[0].passed(), "{outcomes:?}");
    }
}

#[test]
fn what_is_lost_is_listed_with_its_line() {
    for sample in SAMPLES {
        let (result, diagnostics) = import(sample);
        let result = result.expect("a machine");
        for found in diagnostics.list() {
            let line = sample[..found.span().map_or(0, |span| span.start as usize)].matches('\n').count() + 1;
            let listed = format!("//   {line}: {}", found.message);
            assert!(result.contains(&listed), "`{listed}` is not listed in\n{result}");
        }
    }
}

#[test]
fn pages_show_what_they_explain() {
    for code in Code::ALL.iter().filter(|code| ("MX1120".."MX1150").contains(&code.id())) {
        let blocks: Vec<&str> =
            code.page().split("```json\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        let [wrong, mended] = blocks[..] else { panic!("{}: two blocks are expected", code.id()) };
        let codes = |text: &str| import(text).1.list().iter().map(|found| found.code).collect::<Vec<_>>();
        assert!(codes(wrong).contains(code), "{}: {:?}", code.id(), codes(wrong));
        assert!(!codes(mended).contains(code), "{}: {:?}", code.id(), codes(mended));
    }
}
