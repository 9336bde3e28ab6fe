//! The runtime against the reference model, on made-up behaviors. `MOTIX_RUNS=n` tries n times as many.

use motix_tests::model::compare::{Verdict, compare, report};
use motix_tests::model::invent::{self, Shape};
use motix_tests::model::shrink::shrink;

/// How many runs, where `usual` are enough for each change.
pub(crate) fn runs(usual: u64) -> std::ops::Range<u64> {
    let times = std::env::var("MOTIX_RUNS").ok().and_then(|text| text.parse().ok()).unwrap_or(1_u64);
    let first = std::env::var("MOTIX_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(0_u64);
    first..first + usual * times
}

#[test]
fn the_runtime_does_what_the_model_says() {
    let (mut all, mut unsure) = (0, 0);
    for seed in runs(600) {
        let behavior = invent::behavior(seed, Shape::ALL);
        for round in 0..2 {
            all += 1;
            let script = invent::script(seed * 2 + round, &behavior, 40);
            match compare(&behavior, &script) {
                Verdict::Same => {}
                Verdict::Unsure(_) => unsure += 1,
                Verdict::Differ(..) => {
                    let mut fails = |behavior: &_, script: &[_]| match compare(behavior, script) {
                        Verdict::Differ(at, text) if !text.contains("Diagnostic") => Some(at),
                        _ => None,
                    };
                    let (behavior, script) = shrink(&behavior, &script, &mut fails);
                    let Verdict::Differ(at, how) = compare(&behavior, &script) else {
                        unreachable!("it fails")
                    };
                    panic!("seed {seed}, round {round}:\n{}", report(&behavior, &script, at, &how));
                }
            }
        }
    }
    assert!(unsure * 4 < all, "{unsure} of {all} runs cannot be compared to their end");
}
