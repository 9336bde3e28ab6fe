//! Generated sources of any size, for benchmarks and limits: what people write, many times over.

use std::fmt::Write as _;

/// A source of about `lines` lines: behaviors of some 60 lines each, with parameters, layers, animations, predicates,
/// states, actions and transitions. The same number gives the same text.
#[must_use]
pub fn source(lines: usize) -> String {
    let mut text = String::with_capacity(lines * 40);
    let mut written = 0;
    let mut number = 0;
    while written < lines {
        let behavior = behavior(number);
        written += behavior.lines().count();
        text.push_str(&behavior);
        number += 1;
    }
    text
}

const GAITS: [&str; 6] = ["Idle", "Walk", "Run", "Crouch", "Swim", "Climb"];

fn behavior(number: usize) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "/// Behavior number {number}.\nBehavior Character{number} {{");
    text.push_str(
        "    Param speed: number = 0 { Min 0 Max 10 }\n    Param grounded: bool = true\n    Param jump: trigger { Lifetime 150ms }\n    Param mood: enum(calm, angry, sad) = calm\n\n    Layer Base { Order 0 BaseWeight 1.0 LerpRate 8.0 }\n    Layer Upper { Order 1 LerpRate 6.0 }\n\n",
    );
    for (index, gait) in GAITS.iter().enumerate() {
        let _ = writeln!(
            text,
            "    Animation {gait} {{ AssetId \"anim/{gait}.glb\" Duration {}.5s Layer Base Looped Priority {index} FadeIn 0.2 FadeOut 150ms }}",
            index + 1
        );
    }
    text.push('\n');
    for (index, gait) in GAITS.iter().enumerate() {
        let _ = writeln!(
            text,
            "    Predicate Is{gait} = speed >= {index} and speed < {} and grounded // {number}",
            index + 1
        );
    }
    text.push_str("\n    InitialState Idle\n\n");
    for (index, gait) in GAITS.iter().enumerate() {
        let _ = writeln!(
            text,
            "    State {gait} {{\n        OnEntry {{ Play {gait} }}\n        OnExit {{ Stop {gait} }}\n        ActiveLayer Base"
        );
        for (other, target) in GAITS.iter().enumerate() {
            if other != index {
                let _ = writeln!(
                    text,
                    "        Transition {target} when Is{target} and mood != sad {{ Priority {} }}",
                    other + 10
                );
            }
        }
        text.push_str("    }\n");
    }
    text.push_str("}\n\n");
    text
}
