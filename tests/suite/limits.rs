//! Every limit of a program is told of a source that exceeds it, before there is a program.

use std::fmt::Write as _;

use motix_tests::{codes, motixc_with};
use motix_vm::program::limits::Limit;

/// A row of texts, each with its number.
fn row(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut all, number| {
        let _ = write!(all, "{} ", text(number));
        all
    })
}

/// A behavior with that inside.
fn behavior(inside: &str) -> String {
    format!("Behavior A {{ InitialState S State S {inside} }}")
}

/// Behaviors of which each has so many of the next inside.
fn inside_each_other(depth: usize, times: usize) -> String {
    let parts = |number: usize| row(times, |part| format!("Component c{part}: B{}", number + 1));
    let nested =
        row(depth, |number| format!("Behavior B{number} {{ InitialState S State S {} }}", parts(number)));
    format!("{nested} Behavior B{depth} {{ Param p: bool InitialState S State S }}")
}

/// A source that exceeds the limit; `None` where no source can, as long as a file may be at most.
fn beyond(limit: Limit) -> Option<String> {
    let more = limit.value() + 1;
    Some(match limit {
        // A compiler writes three; as many rows as these take more than a source file holds.
        Limit::Sections | Limit::LongRows => return None,
        Limit::FileBytes => behavior(&format!(
            "Animation B {{ Metadata {{ {} }} }}",
            row(51, |key| format!("K{key} \"{key}{}\"", "x".repeat(1_000_000)))
        )),
        Limit::Behaviors => row(more, |number| format!("Behavior B{number} {{ }}")),
        Limit::Rows => behavior(&row(more, |number| format!("Param p{number}: bool"))),
        Limit::TextBytes => behavior(&format!("Animation B {{ AssetId \"{}\" }}", "x".repeat(more))),
        Limit::Layers => behavior(&row(more, |number| format!("Layer L{number}"))),
        Limit::Nesting => {
            let open = row(more, |number| format!("State S{number} {{ InitialState S{}", number + 1));
            format!("Behavior A {{ InitialState S0 {open} State S{more} {} }}", "}".repeat(more))
        }
        Limit::Stack => {
            // Every call waits with two values for the third.
            let (open, close) = ("clamp(p, 0, ".repeat(40), ")".repeat(40));
            behavior(&format!("Param p: number When {open} p {close} > 1 {{ Emit e }}"))
        }
        Limit::Calls => {
            let lets = row(more + 1, |number| format!("Let v{} = v{number} + 1", number + 1));
            behavior(&format!("Param p: number Let v0 = p {lets} When v{} > 0 {{ Emit e }}", more + 1))
        }
        Limit::Cost => {
            let lets = row(20, |number| format!("Let v{} = v{number} + v{number}", number + 1));
            behavior(&format!("Param p: number Let v0 = p {lets} When v20 > 0 {{ Emit e }}"))
        }
        Limit::MotionNesting => {
            let (open, close) = ("Blend1D p { 0: { ".repeat(more), "} }".repeat(more));
            format!(
                "Behavior A {{ Param p: number Animation B {{ Duration 1s Looped }} InitialState S \
                 State S {{ {open} Clip B {close} }} }}"
            )
        }
        Limit::MotionClips => {
            let points = row(more, |number| format!("{number}: B"));
            format!(
                "Behavior A {{ Param p: number Animation B {{ Duration 1s Looped }} InitialState S \
                 State S {{ Blend1D p {{ {points} }} }} }}"
            )
        }
        Limit::MaskWork => {
            let (target, pattern) = ("t".repeat(100_000), "p".repeat(1_000));
            behavior(&format!(
                "Rest \"{target}\" x = 0 Animation B {{ Duration 1s Track \"{target}\" x {{ 0%: 1 }} }}
                 Mask M {{ Include \"{pattern}\" }} Layer L {{ Mask M }}"
            ))
        }
        Limit::ComponentNesting => inside_each_other(more, 1),
        Limit::Components => inside_each_other(4, 17),
        Limit::StateWords => {
            let params = row(60_000, |number| format!("Param p{number}: number"));
            let parts = row(300, |part| format!("Component c{part}: B"));
            format!("Behavior B {{ {params} InitialState S State S }} {}", behavior(&parts))
        }
    })
}

#[test]
fn what_is_too_large_is_told_and_by_its_own_code() {
    for limit in Limit::ALL {
        let Some(source) = beyond(*limit) else { continue };
        let run = motixc_with(&["check", "--format", "json", "-"], &source);
        let found = codes(&run.err);
        let start = &run.err[..run.err.len().min(600)];
        assert_eq!(run.code, 1, "{limit:?}: {start}");
        let told = found.iter().filter(|code| code.starts_with("MX07")).count();
        assert_eq!(told, 1, "{limit:?}: {start}");
        assert!(!found.iter().any(|code| code.starts_with("MX09")), "{limit:?}: {start}");
    }
}

#[test]
fn the_page_on_the_format_has_all_limits() {
    let page = std::fs::read_to_string(motix_tests::root().join("docs/file-format.md")).unwrap_or_default();
    for limit in Limit::ALL {
        let digits = limit.value().to_string();
        let mut value = String::new();
        for (place, digit) in digits.chars().enumerate() {
            if place > 0 && (digits.len() - place) % 3 == 0 {
                value.push(',');
            }
            value.push(digit);
        }
        let mut rows = page.lines().filter(|line| line.starts_with(&format!("| {} |", limit.code())));
        let row = rows.next().unwrap_or_default();
        assert!(row.ends_with(&format!("| {value} |")), "{limit:?} is {value}, and the page says {row:?}");
    }
}
