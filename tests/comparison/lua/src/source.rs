//! The generated behaviors of the compiler's benchmark (`tests/src/generate.rs`), written as Lua tables: line by line
//! the same things, with a function a predicate and a function a condition.

use std::fmt::Write as _;

const GAITS: [&str; 6] = ["Idle", "Walk", "Run", "Crouch", "Swim", "Climb"];

/// So many behaviors, each a function that gives its tables.
pub(crate) fn source(behaviors: usize) -> String {
    let mut text = String::from("local all = {}\n");
    (0..behaviors).for_each(|number| behavior(&mut text, number));
    text.push_str("return all\n");
    text
}

fn behavior(text: &mut String, number: usize) {
    let _ = writeln!(text, "-- Behavior number {number}.\nall.Character{number} = function()\n    return {{");
    text.push_str(
        "        params = {\n            speed = { type = \"number\", value = 0, min = 0, max = 10 },\n            grounded = { type = \"bool\", value = true },\n            jump = { type = \"trigger\", lifetime = 0.15 },\n            mood = { type = \"enum\", variants = { \"calm\", \"angry\", \"sad\" }, value = \"calm\" },\n        },\n\n        layers = {\n            Base = { order = 0, baseWeight = 1.0, lerpRate = 8.0 },\n            Upper = { order = 1, lerpRate = 6.0 },\n        },\n\n        animations = {\n",
    );
    for (index, gait) in GAITS.iter().enumerate() {
        let _ = writeln!(
            text,
            "            {gait} = {{ assetId = \"anim/{gait}.glb\", duration = {}.5, layer = \"Base\", looped = true, priority = {index}, fadeIn = 0.2, fadeOut = 0.15 }},",
            index + 1
        );
    }
    text.push_str("        },\n\n        predicates = {\n");
    for (index, gait) in GAITS.iter().enumerate() {
        let _ = writeln!(
            text,
            "            Is{gait} = function(p) return p.speed >= {index} and p.speed < {} and p.grounded end, -- {number}",
            index + 1
        );
    }
    text.push_str("        },\n\n        initialState = \"Idle\",\n\n        states = {\n");
    for (index, gait) in GAITS.iter().enumerate() {
        let _ = writeln!(
            text,
            "            {gait} = {{\n                onEntry = {{ {{ \"Play\", \"{gait}\" }} }},\n                onExit = {{ {{ \"Stop\", \"{gait}\" }} }},\n                activeLayers = {{ \"Base\" }},\n                transitions = {{"
        );
        for (other, target) in GAITS.iter().enumerate() {
            if other != index {
                let _ = writeln!(
                    text,
                    "                    {{ \"{target}\", function(p, is) return is.Is{target}(p) and p.mood ~= \"sad\" end, priority = {} }},",
                    other + 10
                );
            }
        }
        text.push_str("                },\n            },\n");
    }
    text.push_str("        },\n    }\nend\n\n");
}
