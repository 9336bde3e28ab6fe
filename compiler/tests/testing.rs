//! The test runner: windows of events, time, saves, and what a failure tells.

mod common;

use common::compile;
use motix_compiler::testing::{self, TestOutcome, Verdict};

const BEHAVIOR: &str = "Behavior X {
    Param n: number  Param go: trigger  Param mood: enum(calm, angry)  Param s: string = \"no\"
    Animation a { Duration 1s FadeIn 0 FadeOut 0 }
    Animation open { FadeIn 0 FadeOut 0 }
    Extern Predicate Allowed
    InitialState A
    State A { Transition B when n > 1 Transition B when go and Allowed }
    State B { Transition A when n < 1 OnEntry { Emit entered } }
    When mood == angry { Play a }
    When s == \"play\" { Play open }
}
";

/// What became of a test with this body, directly and through the program's bytes.
fn outcome(body: &str) -> TestOutcome {
    let compiled = compile(&format!("{BEHAVIOR}Test \"t\" for X {{\n{body}\n}}"));
    assert!(compiled.program.is_some(), "{:?}", compiled.diagnostics.list());
    let direct = testing::run(&compiled, None, false).remove(0);
    let loaded = testing::run(&compiled, None, true).remove(0);
    assert_eq!(format!("{direct:?}"), format!("{loaded:?}"));
    direct
}

fn passes(body: &str) {
    let outcome = outcome(body);
    assert!(outcome.passed(), "{outcome:?}");
}

/// Line of the failing statement (the body's first is 13), its values and its events.
fn fails(body: &str) -> (u32, Vec<String>, Option<Vec<String>>) {
    let compiled = compile(&format!("{BEHAVIOR}Test \"t\" for X {{\n{body}\n}}"));
    match outcome(body).verdict {
        Verdict::Failed(failure) => {
            let facts = failure.facts.iter().map(|fact| format!("{} is {}", fact.text, fact.value));
            (compiled.sources.position(failure.span).line, facts.collect(), failure.events)
        }
        other => panic!("{other:?}"),
    }
}

fn broken(body: &str) -> String {
    match outcome(body).verdict {
        Verdict::Broken { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_window_lasts_from_its_opening_to_the_statement_after_an_expectation_of_events() {
    // It opens at the start; expectations in a row see the same events.
    passes(
        "Set n = 2  Step  Expect events has Enter(B)  Expect events has Exit(A)  Expect n == 2  Expect events == [Enter(B)]",
    );
    // The next statement opens another one.
    passes("Set n = 2  Step  Expect events has Enter(B)  Set n = 2  Expect events lacks Enter(B)");
    passes("Set n = 2  Step  Expect events has Enter(B)  Step  Expect events == []");
    // An expectation of a value opens none, nor does it close one.
    passes("Set n = 2  Step  Expect state == B  Step  Expect events has Enter(B)");
    // Several ticks are in one window.
    passes("Set n = 2  Step  Set n = 0  Step  Expect events == [Enter(B), Enter(A)]");
    passes("Set n = 2  Step  Set n = 0  Step  Expect events == [Exit(A), Enter(B), Exit(B), Enter(A)]");
}

#[test]
fn a_list_of_events_is_exact_for_the_kinds_it_names() {
    passes("Set n = 2  Step  Expect events == [Emit(entered)]");
    assert!(matches!(
        outcome("Set n = 2  Step  Expect events == [Enter(B), Enter(B)]").verdict,
        Verdict::Failed(_)
    ));
    assert!(matches!(
        outcome("Set n = 2  Step  Expect events == [Enter(B), Exit(A)]").verdict,
        Verdict::Failed(_)
    ));
}

#[test]
fn waiting_takes_whole_ticks_and_then_the_rest() {
    let ticks = |body: &str| outcome(body).ticks;
    assert_eq!(ticks("Step"), 1);
    assert_eq!(ticks("Step 5"), 5);
    assert_eq!(ticks("Wait 250ms"), 15);
    assert_eq!(ticks("Wait 0.3s"), 18);
    assert_eq!(ticks("Wait 255ms"), 16);
    // 10 us and less are no tick of their own.
    assert_eq!(ticks("Wait 0.250009s"), 15);
    assert_eq!(ticks("Wait 0.25002s"), 16);
    assert_eq!(ticks("Fps 10  Wait 250ms"), 3);
    assert_eq!(ticks("Tick 5s"), 1);
    assert_eq!(ticks("Repeat 3 { Step 2 Repeat 2 { Step } }"), 12);
    assert!((outcome("Wait 250ms").time - 0.25).abs() < 1e-6);
}

#[test]
fn answers_come_from_provide() {
    passes("Fire go  Step  Expect state == A");
    passes("Provide Allowed = true  Fire go  Step  Expect state == B");
    passes("Provide Allowed = true  Step  Provide Allowed = false  Fire go  Step  Expect state == A");
}

#[test]
fn a_duration_is_given_or_one_second() {
    passes("Set s = \"play\"  Tick 0.9s  Expect playing(open)  Tick 0.2s  Expect not playing(open)");
    passes("Provide Duration open = 0.5s  Set s = \"play\"  Tick 0.6s  Expect finished(open)");
}

#[test]
fn a_saved_state_can_be_returned_to_several_times() {
    passes(
        "Set n = 2  Step  Save there  Set n = 0  Step  Expect state == A
         Restore there  Expect state == B  Expect n == 2  Set n = 0  Step  Restore there  Expect state == B",
    );
}

#[test]
fn a_failure_tells_the_values_and_the_moment() {
    let (line, facts, events) = fails("Set n = 1.5\nStep\nExpect n > 1 and n < 1.2");
    assert_eq!((line, events), (15, None));
    assert_eq!(facts, ["n is 1.5"]);
    let (_, facts, _) = fails("Expect state == B");
    assert_eq!(facts, ["state is A"]);
    let (_, facts, _) = fails("Expect mood == angry or s == \"yes\"");
    assert_eq!(facts, ["mood is calm", "s is \"no\""]);
    let (_, facts, _) = fails("Expect weight(a) + 1 ~= n * 2");
    assert_eq!(facts, ["weight(a) + 1 is 1", "n * 2 is 0"]);
    let (_, facts, _) = fails("Expect playing(a)");
    assert_eq!(facts, ["playing(a) is false"]);
    let (_, facts, _) = fails("Expect state != A or not (n == 0)");
    assert_eq!(facts, ["state != A is false", "n is 0"]);
    let Verdict::Failed(failure) = outcome("Wait 100ms  Expect n == 1").verdict else { panic!() };
    assert_eq!((failure.tick, failure.expected.as_str()), (6, "n == 1"));
    assert!((failure.time - 0.1).abs() < 1e-6);
}

#[test]
fn a_failure_of_events_shows_those_of_the_window() {
    let (_, facts, events) = fails("Set n = 2  Step  Expect events has Enter(A)");
    assert_eq!(facts, SILENT);
    assert_eq!(events.unwrap(), ["Exit(A)", "Enter(B)", "Emit(entered)"]);
    let (_, _, events) = fails("Step  Expect events has Play(a)");
    assert_eq!(events.unwrap(), SILENT);
}

const SILENT: [&str; 0] = [];

#[test]
fn a_test_that_would_not_end_is_stopped() {
    assert!(broken("Repeat 10 { Step 10  Step 999991 }").contains("ticks"));
    assert!(broken("Wait 100000s").contains("ticks"));
    assert!(broken("Repeat 1000000 { Repeat 1000000 { } }").contains("statements"));
}

#[test]
fn events_are_kept_only_for_a_test_that_looks_at_them() {
    let count = 1000;
    let animations: String =
        (0..count).map(|at| format!("Animation I{at} {{ Duration 0.5s Looped Additive }} ")).collect();
    let plays: String = (0..count).map(|at| format!("Play I{at} ")).collect();
    let behavior = format!(
        "Behavior X {{ {animations} InitialState A {{ Enter }} State A {{ OnEntry {{ {plays} }} }} }}\n"
    );
    let run = |body: &str| {
        let compiled = compile(&format!("{behavior} Test \"t\" for X {{ Fps 1 {body} }}"));
        testing::run(&compiled, None, false).remove(0)
    };
    assert!(run("Wait 200s  Expect weight(I3) == 1").passed());
    let Verdict::Broken { reason, .. } = run("Wait 200s  Repeat 1 { Expect events has Loop(I3) }").verdict
    else {
        panic!("its events are too many");
    };
    assert!(reason.contains("events"), "{reason}");
}

#[test]
fn a_filter_selects_by_a_part_of_the_name() {
    let text = format!("{BEHAVIOR} Test \"walks\" for X {{ Step }} Test \"jumps\" for X {{ Step }}");
    let compiled = compile(&text);
    let names = |filter| -> Vec<String> {
        testing::run(&compiled, filter, false).into_iter().map(|test| test.name).collect()
    };
    assert_eq!(names(None), ["walks", "jumps"]);
    assert_eq!(names(Some("ump")), ["jumps"]);
    assert_eq!(names(Some("fly")), SILENT);
}
