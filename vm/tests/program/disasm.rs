//! The text form: complete, readable, and steady where something unrelated is added.

use std::collections::BTreeSet;

use motix_vm::disasm::disassemble;
use motix_vm::easing::Easing;
use motix_vm::ids::*;
use motix_vm::input::InputKind;
use motix_vm::op::{Op, Word};
use motix_vm::program::Program;
use motix_vm::program::tables::*;

use crate::support::{Builder, clip, program, sample, to};

fn text(tables: Tables) -> String {
    disassemble(&program(tables))
}

/// The text of one expression of numbers or bools, in a behavior with a few parameters.
fn expression(result: Word, ops: &[Op]) -> String {
    let mut b = Builder::new("B");
    b.layer("Base");
    b.param("on", Type::Bool, 0);
    b.number("x", 0.0);
    let mood = b.enumeration(Some("Mood"), &["calm", "angry"]);
    b.param("mood", Type::Enum(mood), 0);
    let code = b.code(Some(result), ops);
    let name = b.text("P");
    b.rows.predicates.push(Predicate { name, condition: code });
    let text = text(b.tables());
    let from = text.find(" P = ").expect("it is named") + 5;
    text[from..].split("\n    Layer").next().unwrap_or_default().to_owned()
}

const ON: Op = Op::Param { param: ParamId(0) };
const X: Op = Op::Param { param: ParamId(1) };
const MOOD: Op = Op::Param { param: ParamId(2) };

fn n(value: f32) -> Op {
    Op::Number { value }
}

#[test]
fn the_sample_reads_like_source() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/sample.disasm");
    let found = text(sample());
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(file, &found).expect("the snapshot can be written");
    }
    assert_eq!(found, std::fs::read_to_string(file).unwrap_or_default());
}

#[test]
fn expressions_have_the_parentheses_they_need() {
    let cases: &[(Word, &[Op], &str)] = &[
        (Word::Number, &[X, n(1.0), Op::Add, n(2.0), Op::Mul], "(x + 1.0) * 2.0"),
        (Word::Number, &[X, n(1.0), n(2.0), Op::Mul, Op::Add], "x + 1.0 * 2.0"),
        (Word::Number, &[X, n(1.0), n(2.0), Op::Sub, Op::Sub], "x - (1.0 - 2.0)"),
        (Word::Number, &[X, n(1.0), Op::Sub, n(2.0), Op::Sub], "x - 1.0 - 2.0"),
        (Word::Number, &[X, X, X, Op::Div, Op::Div], "x / (x / x)"),
        (Word::Number, &[X, Op::Neg, Op::Neg], "-(-x)"),
        (Word::Number, &[X, X, Op::Add, Op::Neg], "-(x + x)"),
        (Word::Number, &[X, n(-2.0), Op::Mul], "x * -2.0"),
        (Word::Bool, &[X, n(1.0), Op::Less, Op::Not], "not x < 1.0"),
        (Word::Bool, &[X, n(1.0), Op::EqualNumber, Op::Not], "x != 1.0"),
        (Word::Bool, &[ON, ON, Op::EqualBool, Op::Not, Op::Not], "not x"),
        (Word::Bool, &[X, n(1.0), Op::Near], "x ~= 1.0"),
        (Word::Bool, &[ON, Op::JumpIfFalseElsePop { skip: 1 }, ON, Op::Not], "not (on and on)"),
        (
            Word::Bool,
            &[ON, Op::JumpIfTrueElsePop { skip: 1 }, ON, Op::JumpIfFalseElsePop { skip: 1 }, ON],
            "(on or on) and on",
        ),
        (
            Word::Bool,
            &[ON, Op::JumpIfTrueElsePop { skip: 3 }, ON, Op::JumpIfFalseElsePop { skip: 1 }, ON],
            "on or on and on",
        ),
        (Word::Bool, &[MOOD, Op::Variant { value: 1 }, Op::EqualVariant], "mood == .angry"),
        (Word::Bool, &[MOOD, Op::Variant { value: 2 }, Op::EqualVariant], "mood == variant 2"),
        (
            Word::Bool,
            &[
                ON,
                Op::JumpIfFalse { skip: 2 },
                Op::Variant { value: 0 },
                Op::Jump { skip: 1 },
                Op::Variant { value: 1 },
                MOOD,
                Op::EqualVariant,
            ],
            "(if on then .calm else .angry) == mood",
        ),
        (
            Word::Number,
            &[ON, Op::JumpIfFalse { skip: 2 }, X, Op::Jump { skip: 1 }, n(0.1), Op::Neg],
            "-(if on then x else 0.1)",
        ),
    ];
    for (result, ops, expected) in cases {
        if *expected == "not x" {
            assert_eq!(expression(*result, ops), "not on != on");
        } else {
            assert_eq!(expression(*result, ops), *expected);
        }
    }
}

#[test]
fn code_of_another_shape_is_shown_operation_by_operation() {
    // Jumps into the same place, as an optimizer might make them.
    let ops =
        [ON, Op::JumpIfFalse { skip: 4 }, ON, Op::JumpIfFalse { skip: 2 }, X, Op::Jump { skip: 1 }, n(0.0)];
    assert_eq!(
        expression(Word::Number, &ops),
        "ops {
        Ops {
            param on
            jump-if-false L1
            param on
            jump-if-false L1
            param x
            jump L2
            L1:
            0.0
            L2:
        }
    }"
    );
}

#[test]
fn an_action_does_not_pass_a_value_that_waits() {
    // `x` is read before it is set: `Set x = 1.0  Set y = x` would read it after.
    let mut b = Builder::new("B");
    b.layer("Base");
    let x = b.number("x", 0.0);
    let y = b.number("y", 0.0);
    let actions = b.actions(&[Op::Param { param: x }, n(1.0), Op::Set { param: x }, Op::Set { param: y }]);
    b.machine(None, &["A"]);
    b.rows.states[0].entry = Some(actions);
    assert!(text(b.tables()).contains("Ops { param x  1.0  set x  set y }"));
}

#[test]
fn odd_names_are_quoted() {
    let mut b = Builder::new("my behavior");
    b.layer("Base");
    for name in ["a.b", "`", "and", "dt", "", "é", "line\nend", "\u{1}0\u{2}"] {
        b.param(name, Type::Bool, 0);
    }
    let text = text(b.tables());
    let names: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("Param ")).collect();
    let expected = ["`a.b`", "`\\``", "`and`", "`dt`", "``", "é", "`line\\nend`", "`\\u{1}0\\u{2}`"];
    assert_eq!(names, expected.map(|name| format!("{name}: bool = false")));
    assert!(text.starts_with("Behavior `my behavior` {\n"));
}

#[test]
fn long_names_are_shortened_and_still_differ() {
    let with = |name: &str| {
        let mut b = Builder::new("B");
        b.layer("Base");
        b.param(name, Type::Bool, 0);
        text(b.tables())
    };
    let long = "x".repeat(100_000);
    assert!(with(&long).len() < 1000);
    assert_ne!(with(&format!("{long}y")), with(&format!("{long}z")));
}

/// A behavior whose state has two transitions on the same block.
fn used_twice(ops: &[Op]) -> String {
    let mut b = Builder::new("B");
    b.layer("Base");
    let shared = b.condition(ops);
    let idle = b.machine(None, &["Idle"])[0];
    b.rows.states[0].transitions = b.transitions(&[to(idle, Some(shared), 1), to(idle, Some(shared), 0)]);
    text(b.tables())
}

#[test]
fn a_long_block_with_several_users_is_printed_once() {
    let short = used_twice(&[Op::Elapsed, n(2.0), Op::Greater]);
    assert_eq!(short.matches("when elapsed > 2.0").count(), 2, "{short}");
    let mut ops = vec![Op::Elapsed];
    for _ in 0..20 {
        ops.extend([n(0.25), Op::Add]);
    }
    ops.extend([n(2.0), Op::Greater]);
    let long = used_twice(&ops);
    assert_eq!(long.matches("0.25 + 0.25 > 2.0").count(), 1, "{long}");
    assert_eq!(long.matches("when block(").count(), 2, "{long}");
}

#[test]
fn a_smoothed_value_has_the_name_of_its_let() {
    let mut b = Builder::new("B");
    b.layer("Base");
    let x = b.number("x", 0.0);
    let input = b.code(Some(Word::Number), &[Op::Param { param: x }]);
    b.rows.damps.push(Damp { input, time: 0.15 });
    let code = b.code(Some(Word::Number), &[Op::Damped { damp: DampId(0) }]);
    let name = b.text("smoothed");
    b.rows.predicates.push(Predicate { name, condition: code });
    let weight = b.code(Some(Word::Number), &[Op::Damped { damp: DampId(0) }]);
    b.rows.layers[0].weight = Some(weight);
    let text = text(b.tables());
    assert!(text.contains("Let smoothed = damp(x, 0.15s)\n"), "{text}");
    assert!(text.contains("Weight smoothed"), "{text}");
}

#[test]
fn a_chain_of_ifs_is_flat() {
    let mut b = Builder::new("B");
    b.layer("Base");
    let on = b.param("on", Type::Bool, 0);
    let fire = b.param("jump", Type::Trigger, 0);
    let (read, fire) = (Op::Param { param: on }, Op::Fire { param: fire });
    let actions = b.actions(&[
        read,
        Op::JumpIfFalse { skip: 2 },
        fire,
        Op::Jump { skip: 5 },
        read,
        Op::JumpIfFalse { skip: 2 },
        fire,
        Op::Jump { skip: 1 },
        fire,
    ]);
    b.machine(None, &["A"]);
    b.rows.states[0].entry = Some(actions);
    let text = text(b.tables());
    let expected = "
            If on { Fire jump }
            Else If on { Fire jump }
            Else { Fire jump }
";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn names_that_mean_two_things_are_told_apart() {
    let with = |op: Op| {
        let mut b = Builder::new("B");
        b.layer("Base");
        b.param("ready", Type::Bool, 0);
        let name = b.text("ready");
        b.rows.externs.push(name);
        let constant = b.condition(&[Op::Bool { value: true }]);
        b.rows.predicates.push(Predicate { name, condition: constant });
        let condition = b.condition(&[op]);
        let idle = b.machine(None, &["Idle"])[0];
        b.rows.states[0].transitions = b.transitions(&[to(idle, Some(condition), 1)]);
        text(b.tables())
    };
    assert!(with(Op::Param { param: ParamId(0) }).contains("when ready {"));
    assert!(with(Op::Call { code: CodeId(0) }).contains("when predicate(ready) {"));
    assert!(with(Op::Extern { predicate: ExternId(0) }).contains("when extern(ready) {"));
}

/// What is added shows as added lines; no other line changes.
#[test]
fn adding_something_shifts_nothing() {
    let before = text(sample());
    let grown = {
        let mut b = Builder { texts: Vec::new(), rows: Behavior::default() };
        let tables = sample();
        b.texts = ["a text before all others".to_owned()].into_iter().chain(tables.texts).collect();
        b.rows = tables.behaviors[0].clone();
        shift_texts(&mut b.rows);
        b.param("added", Type::Bool, 0);
        b.animation("Added", LayerId(0));
        let code = b.condition(&[Op::Bool { value: true }]);
        let name = b.text("AlwaysTrue");
        b.rows.predicates.push(Predicate { name, condition: code });
        b.tables()
    };
    let after = text(grown);
    let mut rest = after.lines();
    for line in before.lines() {
        assert!(rest.any(|other| other == line), "this line is gone: {line}\n{after}");
    }
    assert_eq!(after.lines().count(), before.lines().count() + 3);
}

/// All texts of the sample's rows, one further.
fn shift_texts(rows: &mut Behavior) {
    let next = |text: &mut TextId| text.0 += 1;
    next(&mut rows.name);
    rows.params.iter_mut().for_each(|row| {
        next(&mut row.name);
        row.initial += u32::from(row.ty == Type::Text);
    });
    rows.enums.iter_mut().filter_map(|row| row.name.as_mut()).for_each(next);
    for table in [&mut rows.variants, &mut rows.patterns, &mut rows.groups, &mut rows.tags, &mut rows.externs]
    {
        table.iter_mut().for_each(next);
    }
    rows.layers.iter_mut().for_each(|row| next(&mut row.name));
    rows.masks.iter_mut().for_each(|row| next(&mut row.name));
    for row in &mut rows.animations {
        next(&mut row.name);
        next(&mut row.asset);
    }
    for row in &mut rows.properties {
        next(&mut row.target);
        next(&mut row.name);
    }
    rows.markers.iter_mut().for_each(|row| next(&mut row.name));
    rows.spans.iter_mut().for_each(|row| next(&mut row.name));
    for row in &mut rows.metadata {
        next(&mut row.key);
        if let MetadataValue::Text(text) = &mut row.value {
            next(text);
        }
    }
    rows.states.iter_mut().for_each(|row| next(&mut row.name));
    rows.transitions.iter_mut().filter_map(|row| row.gate.marker.as_mut()).for_each(next);
    rows.listeners.iter_mut().filter_map(|row| row.target.as_mut()).for_each(next);
    rows.hears.iter_mut().filter_map(|row| row.name.as_mut()).for_each(next);
    rows.predicates.iter_mut().for_each(|row| next(&mut row.name));
    rows.emits.iter_mut().for_each(|row| next(&mut row.name));
    for op in &mut rows.ops {
        match op {
            Op::Text { value: text } | Op::Audio { asset: text } | Op::Camera { name: text } => next(text),
            _ => {}
        }
    }
}

macro_rules! changes {
    ($( |$b:ident| $change:expr; )+) => {
        const CHANGES: &[(&str, fn(&mut Behavior))] =
            &[ $( (stringify!($change), |$b: &mut Behavior| { $change; }) ),+ ];
    };
}

// One change, and at least one, of every field that decides how the program behaves. Text 0 is `Sample`.
changes! {
    |b| b.name = TextId(1);
    |b| b.params[0].name = TextId(0);
    |b| b.params[1].initial = 0;
    |b| b.params[0].initial = 0.5_f32.to_bits();
    |b| b.params[3].initial = 0;
    |b| b.params[4].initial = 0;
    |b| b.params[5].initial = 0;
    |b| b.params[6].initial = 7;
    |b| b.params[0].min = -1.0;
    |b| b.params[0].max = 11.0;
    |b| b.params[0].step = 0.25;
    |b| b.params[7].step = 0.25;
    |b| b.params[2].lifetime = Lifetime::Tick;
    |b| b.params[2].lifetime = Lifetime::Consumed;
    |b| b.params[2].lifetime = Lifetime::Seconds(0.2);
    |b| b.params[7].global = false;
    |b| b.params[1].global = true;
    |b| b.params.swap(0, 7);
    |b| b.enums[0].name = None;
    |b| b.enums[0].name = Some(TextId(0));
    |b| b.enums[1].name = Some(TextId(0));
    |b| b.variants[0] = TextId(0);
    |b| b.variants[3] = TextId(0);
    |b| b.layers[1].name = TextId(0);
    |b| b.layers[1].order = 5;
    |b| b.layers[0].base_weight = 0.5;
    |b| b.layers[0].lerp_rate = 4.0;
    |b| b.layers[1].additive = false;
    |b| b.layers[1].mask = None;
    |b| b.layers[1].weight = None;
    |b| b.layers[1].weight = Some(CodeId(1));
    |b| b.layers[1].speed = None;
    |b| b.masks[0].name = TextId(0);
    |b| b.masks[0].include.count = 1;
    |b| b.masks[0].exclude.count = 0;
    |b| b.patterns[0] = TextId(0);
    |b| b.patterns[2] = TextId(0);
    |b| b.groups[0] = TextId(0);
    |b| b.tags[1] = TextId(0);
    |b| b.tags.swap(0, 1);
    |b| b.animations[0].name = TextId(0);
    |b| b.animations[0].asset = TextId(0);
    |b| b.animations[0].duration = None;
    |b| b.animations[0].duration = Some(2.0);
    |b| b.animations[0].layer = LayerId(1);
    |b| b.animations[0].group = Some(GroupId(0));
    |b| b.animations[0].loop_mode = LoopMode::None;
    |b| b.animations[0].loop_mode = LoopMode::PingPong;
    |b| b.animations[0].priority = -3;
    |b| b.animations[0].fade_in = 0.3;
    |b| b.animations[0].fade_out = 0.3;
    |b| b.animations[0].speed = 2.0;
    |b| b.animations[0].weight = 0.25;
    |b| b.animations[0].can_interrupt = false;
    |b| b.animations[0].min_duration = 0.3;
    |b| b.animations[0].additive = true;
    |b| b.animations[2].tags.count = 0;
    |b| b.animations[2].markers.count = 2;
    |b| b.animations[2].metadata.count = 1;
    |b| b.animations.swap(0, 1);
    |b| b.tag_lists[0] = TagId(1);
    |b| b.markers[0].name = TextId(0);
    |b| b.markers[0].at = Place::Ratio(0.3);
    |b| b.markers[0].at = Place::Seconds(0.25);
    |b| b.spans[0].name = TextId(0);
    |b| b.spans[0].from = Place::Ratio(0.1);
    |b| b.spans[0].to = Place::Seconds(0.6);
    |b| b.properties[0].target = TextId(0);
    |b| b.properties[0].name = TextId(0);
    |b| b.properties[0].rest = Some(2.0_f32.to_bits());
    |b| b.properties[0].rest = None;
    |b| b.properties[1].rest = Some(0);
    |b| b.animations[2].curves.count = 1;
    |b| b.curves[0].seconds = true;
    |b| b.curves[0].keys.count = 2;
    |b| b.curves[1].keys.count = 1;
    |b| b.keys[1].at = 0.75;
    |b| b.keys[1].value = 0.5_f32.to_bits();
    |b| b.keys[3].value = 0xFF00_01FF;
    |b| b.keys[1].easing = Easing::EaseIn;
    |b| b.keys[3].easing = Easing::Steps(4);
    |b| b.metadata[0].key = TextId(0);
    |b| b.metadata[0].value = MetadataValue::Text(TextId(0));
    |b| b.metadata[0].value = MetadataValue::Bool(true);
    |b| b.metadata[0].value = MetadataValue::Number(1.0);
    |b| b.metadata[0].value = MetadataValue::Color(1);
    |b| { b.machines[1].layer = Some(LayerId(0)); b.machines[1].motion_layer = LayerId(0) };
    |b| b.machines[0].start = Start::State(StateId(1));
    |b| b.machines[0].enter = false;
    |b| b.machines[0].any.count = 1;
    |b| b.states[0].name = TextId(0);
    |b| b.states[3].name = TextId(0);
    |b| b.machines[1].start = Start::State(StateId(7));
    |b| b.machines[1].start = Start::Entry(Run { first: 16, count: 1 });
    |b| b.states[4].parent = None;
    |b| { b.states[4].parent = Some(StateId(3)); b.states[3].start = Some(Start::State(StateId(4))) };
    |b| b.states[2].start = Some(Start::State(StateId(4)));
    |b| b.states[2].history = History::None;
    |b| b.states[2].history = History::Deep;
    |b| b.states[2].any.count = 0;
    |b| b.states[2].done.count = 1;
    |b| b.states[2].transitions = std::mem::take(&mut b.states[2].done);
    |b| b.transitions[12].target = Target::State(StateId(0));
    |b| b.transitions[13].target = Target::Exit;
    |b| b.transitions[14].target = Target::State(StateId(4));
    |b| b.transitions[15].condition = None;
    |b| b.states[5].terminal = false;
    |b| b.states[0].entry = None;
    |b| b.states[0].exit = None;
    |b| b.states[0].exit = b.states[0].entry;
    |b| b.states[1].update = None;
    |b| b.states[1].exit = b.states[0].exit.take();
    |b| b.states[1].entry_from.count = 0;
    |b| b.states[1].motion = None;
    |b| b.states[3].motion = b.states[4].motion.take();
    |b| b.states[4].finish = None;
    |b| b.states[4].finish = b.states[0].entry;
    |b| b.states[1].repeat = None;
    |b| b.states[1].finish = b.states[1].repeat.take();
    |b| b.machines[0].motion_layer = LayerId(0);
    |b| b.motions[1].kind = clip(AnimationId(0));
    |b| b.motions[1].speed = Some(CodeId(1));
    |b| b.motions[0].speed = None;
    |b| b.motions[14].kind = clip(AnimationId(0));
    |b| b.motions[0].kind = MotionKind::Clip {
        animation: AnimationId(0), start_at: None, phase: None, mirror: true
    };
    |b| b.motions[0].kind = MotionKind::Clip {
        animation: AnimationId(0), start_at: Some(Place::Seconds(0.2)), phase: None, mirror: true
    };
    |b| b.motions[0].kind = MotionKind::Clip {
        animation: AnimationId(0), start_at: Some(Place::Ratio(0.2)), phase: None, mirror: false
    };
    |b| b.motions[0].kind = MotionKind::Clip {
        animation: AnimationId(0), start_at: Some(Place::Ratio(0.2)), phase: Some(CodeId(1)), mirror: true
    };
    |b| if let MotionKind::Blend1D { input, .. } = &mut b.motions[2].kind { *input = CodeId(1) };
    |b| if let MotionKind::Blend1D { sync, .. } = &mut b.motions[2].kind { *sync = false };
    |b| if let MotionKind::Blend1D { points, .. } = &mut b.motions[2].kind { points.count = 1 };
    |b| if let MotionKind::Blend2D { x, .. } = &mut b.motions[8].kind { *x = CodeId(1) };
    |b| if let MotionKind::Blend2D { y, .. } = &mut b.motions[8].kind { *y = CodeId(1) };
    |b| if let MotionKind::Blend2D { sync, .. } = &mut b.motions[8].kind { *sync = false };
    |b| if let MotionKind::Blend2D { sync, .. } = &mut b.motions[13].kind { *sync = true };
    |b| if let MotionKind::BlendDirect { sync, .. } = &mut b.motions[10].kind { *sync = true };
    |b| if let MotionKind::BlendDirect { normalize, .. } = &mut b.motions[10].kind { *normalize = false };
    |b| b.points[0].x = -2.0;
    |b| b.points[3].y = -0.5;
    |b| b.points[4].y = 1.5;
    |b| b.points[6].weight = Some(CodeId(1));
    |b| b.points[7].weight = Some(CodeId(1));
    |b| { let (a, c) = (b.points[2].motion, b.points[3].motion); (b.points[2].motion, b.points[3].motion) = (c, a) };
    |b| b.triangles = vec![Triangle { a: 0, b: 1, c: 2 }, Triangle { a: 2, b: 1, c: 3 }];
    |b| b.states[0].whens.count = 0;
    |b| b.states[0].marks.count = 1;
    |b| b.states[1].tags.count = 0;
    |b| b.states[0].transitions.count = 2;
    |b| b.states.swap(0, 1);
    |b| b.entries_from[0].from = StateId(4);
    |b| b.entries_from[0].actions = b.states[0].entry.unwrap();
    |b| b.marks[0].layer = LayerId(1);
    |b| b.marks[0].target = MarkTarget::Zero;
    |b| b.marks[1].target = MarkTarget::Base;
    |b| b.marks[1].target = MarkTarget::Weight(0.7);
    |b| b.transitions[0].target = Target::State(StateId(1));
    |b| b.transitions[0].target = Target::State(StateId(3));
    |b| b.transitions[0].condition = None;
    |b| b.transitions[0].condition = b.transitions[1].condition;
    |b| b.transitions[0].priority = 21;
    |b| b.transitions[0].instant = true;
    |b| b.transitions[0].restart = true;
    |b| b.transitions[0].on_request = true;
    |b| b.transitions[1].random_weight = None;
    |b| b.transitions[1].random_weight = Some(0.0);
    |b| b.transitions[0].fade.duration = Length::Seconds(0.5);
    |b| b.transitions[0].fade.duration = Length::Cycles(0.5);
    |b| b.transitions[0].fade.duration = Length::Cycles(0.0);
    |b| b.transitions[9].fade.easing = Easing::Linear;
    |b| b.transitions[9].fade.easing = Easing::EaseOutBounce;
    |b| b.transitions[8].fade.easing = Easing::Steps(5);
    |b| b.transitions[10].fade.easing = Easing::CubicBezier { x1: 0.0, y1: -0.5, x2: 0.75, y2: 1.5 };
    |b| b.transitions[10].fade.easing = Easing::CubicBezier { x1: 0.25, y1: 0.5, x2: 0.75, y2: 1.5 };
    |b| b.transitions[10].fade.easing = Easing::CubicBezier { x1: 0.25, y1: -0.5, x2: 0.5, y2: 1.5 };
    |b| b.transitions[10].fade.easing = Easing::CubicBezier { x1: 0.25, y1: -0.5, x2: 0.75, y2: 1.0 };
    |b| b.transitions[9].gate.after = None;
    |b| b.transitions[9].gate.after = Some(1.5);
    |b| b.transitions[9].gate.exit = None;
    |b| b.transitions[9].gate.exit = Some(Place::Ratio(0.4));
    |b| b.transitions[9].gate.exit = Some(Place::Seconds(0.5));
    |b| b.transitions[9].gate.exit = Some(Place::Ratio(1.0));
    |b| b.transitions[8].gate.lead_out = false;
    |b| b.transitions[8].gate.marker = None;
    |b| b.transitions[8].gate.marker = b.transitions[10].gate.marker;
    |b| b.transitions[10].early_exit = true;
    |b| b.transitions[10].pause_on_exit = false;
    |b| b.transitions[9].sync = false;
    |b| b.transitions[10].start_at = None;
    |b| b.transitions[10].start_at = Some(Place::Seconds(0.5));
    |b| b.transitions[0].triggers.count = 0;
    |b| b.transitions[0].actions = None;
    |b| b.transitions.swap(1, 2);
    |b| b.whens[0].condition = CodeId(0);
    |b| b.whens[0].triggers.count = 0;
    |b| b.whens[0].actions = b.whens[1].actions;
    |b| b.behavior_whens = 0;
    |b| (b.listeners[0].target, b.listeners[0].pass_through) = (None, false);
    |b| b.listeners[0].target = Some(TextId(0));
    |b| b.listeners[1].target = Some(TextId(0));
    |b| b.listeners[0].pass_through = false;
    |b| b.listeners[0].hears.count = 1;
    |b| b.listeners.swap(0, 1);
    |b| b.hears[0].input = InputKind::Click;
    |b| b.hears[1].name = None;
    |b| b.hears[1].name = Some(TextId(0));
    |b| b.hears[1].input = InputKind::KeyUp;
    |b| b.hears[2].name = Some(TextId(0));
    |b| b.hears[2].input = InputKind::KeyDown;
    |b| b.hears[3].input = InputKind::Blur;
    |b| b.hears[3].actions = b.whens[0].actions;
    |b| b.predicates[0].name = TextId(0);
    |b| b.predicates[1].name = TextId(0);
    |b| b.predicates[0].condition = CodeId(1);
    |b| b.externs[0] = TextId(0);
    |b| b.damps[0].time = 0.2;
    |b| b.damps[0].input = CodeId(1);
    |b| b.emits[0].name = TextId(0);
    |b| b.emit_types[1] = Type::Enum(EnumId(1));
    |b| b.probes[0].machine = None;
    |b| b.probes[0].machine = Some(MachineId(0));
    |b| b.probes[0].code = CodeId(1);
    |b| b.probes.clear();
}

#[test]
fn every_change_shows() {
    let mut texts = BTreeSet::from([text(sample())]);
    let mut wrong = Vec::new();
    for (change, apply) in CHANGES {
        let mut tables = sample();
        tables.debug = None;
        apply(&mut tables.behaviors[0]);
        match Program::verify(tables) {
            Ok(program) if texts.insert(disassemble(&program)) => {}
            Ok(_) => wrong.push((change, "it does not show".to_owned())),
            Err(error) => wrong.push((change, error.to_string())),
        }
    }
    assert_eq!(wrong, []);
}

/// The same for every operand of every operation of the sample.
#[test]
fn every_change_of_code_shows() {
    let mut texts = BTreeSet::from([text(sample())]);
    let (mut shown, count) = (0, sample().behaviors[0].ops.len());
    for place in 0..count {
        let old = sample().behaviors[0].ops[place];
        for new in others(old) {
            let mut tables = sample();
            tables.behaviors[0].ops[place] = new;
            if let Ok(program) = Program::verify(tables) {
                assert!(texts.insert(disassemble(&program)), "does not show: {old:?} to {new:?} at {place}");
                shown += 1;
            }
        }
    }
    assert!(shown > count, "{shown} of {count}");
}

/// Other operations that could stand in the place of one.
fn others(op: Op) -> Vec<Op> {
    match op {
        Op::Number { value } => vec![n(value + 0.1), n(-value - 1.0)],
        Op::Variant { value } => vec![Op::Variant { value: value ^ 1 }, Op::Variant { value: 9 }],
        Op::Color { value } => vec![Op::Color { value: value ^ 1 }],
        Op::Text { .. } => vec![Op::Text { value: TextId(0) }],
        Op::Param { param } => {
            (0..8).map(ParamId).filter(|p| *p != param).map(|param| Op::Param { param }).collect()
        }
        Op::Set { param } => {
            (0..8).map(ParamId).filter(|p| *p != param).map(|param| Op::Set { param }).collect()
        }
        Op::Call { .. } => vec![Op::Bool { value: true }, n(3.0)],
        Op::Add => vec![Op::Sub, Op::Mul, Op::Div],
        Op::Greater => vec![Op::Less, Op::LessEqual, Op::GreaterEqual, Op::EqualNumber, Op::Near],
        Op::Neg => vec![Op::Builtin { builtin: motix_vm::builtin::Builtin::Abs }],
        Op::Builtin { .. } => vec![Op::Builtin { builtin: motix_vm::builtin::Builtin::Min }],
        Op::JumpIfFalseElsePop { skip } => vec![Op::JumpIfTrueElsePop { skip }],
        Op::JumpIfTrueElsePop { skip } => vec![Op::JumpIfFalseElsePop { skip }],
        Op::In { state } => vec![Op::In { state: StateId(state.0 ^ 1) }, Op::CameFrom { state }],
        Op::CameFrom { state } => vec![Op::CameFrom { state: StateId(state.0 ^ 1) }],
        Op::Tagged { .. } => vec![Op::Tagged { tag: TagId(0) }],
        Op::Playing { .. } => vec![Op::Playing { animation: AnimationId(0) }],
        Op::Finished { animation } => {
            vec![Op::Finished { animation: AnimationId(0) }, Op::Playing { animation }]
        }
        Op::Time { animation } => vec![Op::Time { animation: AnimationId(0) }, Op::Phase { animation }],
        Op::Weight { .. } => vec![Op::Weight { animation: AnimationId(0) }],
        Op::Value { property } => vec![Op::Value { property: PropertyId(2 - property.0) }],
        Op::LayerWeight { .. } => vec![Op::LayerWeight { layer: LayerId(0) }],
        Op::Play { animation } => vec![Op::Play { animation: AnimationId(1 - animation.0.min(1)) }],
        Op::Stop { animation, immediate } => vec![
            Op::Stop { animation, immediate: !immediate },
            Op::Stop { animation: AnimationId(2), immediate },
        ],
        Op::StopGroup { group, immediate } => vec![Op::StopGroup { group, immediate: !immediate }],
        Op::PlayTag { tag } => vec![Op::PlayTag { tag: TagId(1) }, Op::StopTag { tag }],
        Op::StopTag { .. } => vec![Op::StopTag { tag: TagId(1) }],
        Op::Audio { asset } => vec![Op::Audio { asset: TextId(0) }, Op::Camera { name: asset }],
        Op::Camera { .. } => vec![Op::Camera { name: TextId(0) }],
        Op::Request { state, priority } => {
            vec![Op::Request { state, priority: 0 }, Op::Request { state: StateId(0), priority }]
        }
        Op::Fade { machine } => vec![Op::Fade { machine: MachineId(1 - machine.0) }, Op::MotionPhase],
        Op::MotionPhase => vec![Op::MotionLoops, Op::Elapsed],
        Op::MotionLoops => vec![Op::MotionPhase, Op::Elapsed],
        Op::MotionFinished => vec![Op::Bool { value: true }],
        Op::Elapsed => vec![n(7.0)],
        Op::Dt => vec![Op::Elapsed],
        Op::PointerX => vec![Op::PointerY, Op::Elapsed],
        Op::PointerY => vec![Op::PointerX, n(1.0)],
        _ => Vec::new(),
    }
}
