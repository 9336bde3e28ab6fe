//! Lowering: what a source becomes, read off the tables and the disassembly of its program.

mod common;

use common::{compile, disassembled};
use motix_vm::ids::ParamId;
use motix_vm::op::Op;
use motix_vm::program::tables::{Behavior, Transition};

/// The behavior of a source, without errors.
fn behavior(text: &str) -> Behavior {
    let compiled = compile(text);
    let program = compiled.program.as_ref().unwrap_or_else(|| panic!("{:?}", common::codes(&compiled)));
    program.behaviors()[0].clone()
}

/// The operations of the condition of the first transition of `A`.
fn condition(declarations: &str, condition: &str) -> Vec<Op> {
    let text = format!(
        "Behavior X {{ {declarations} InitialState A State A {{ Transition B when {condition} }} State B }}"
    );
    let rows = behavior(&text);
    let code = rows.transitions[0].condition.unwrap();
    rows.codes[code.index()].ops.of(&rows.ops).to_vec()
}

const P: Op = Op::Param { param: ParamId(0) };
const Q: Op = Op::Param { param: ParamId(1) };

#[test]
fn and_or_and_if_jump_over_what_need_not_be_evaluated() {
    assert_eq!(condition("Param p, q: bool", "p and q"), [P, Op::JumpIfFalseElsePop { skip: 1 }, Q]);
    assert_eq!(condition("Param p, q: bool", "p or q"), [P, Op::JumpIfTrueElsePop { skip: 1 }, Q]);
    assert_eq!(
        condition("Param p, q: bool", "if p then q else not q"),
        [P, Op::JumpIfFalse { skip: 2 }, Q, Op::Jump { skip: 2 }, Q, Op::Not]
    );
}

#[test]
fn equality_is_that_of_the_type() {
    let number = Op::Number { value: 1.0 };
    assert_eq!(condition("Param p: number", "p == 1"), [P, number, Op::EqualNumber]);
    assert_eq!(condition("Param p: number", "p != 1"), [P, number, Op::EqualNumber, Op::Not]);
    assert_eq!(condition("Param p, q: bool", "p == q"), [P, Q, Op::EqualBool]);
    assert_eq!(condition("Param p, q: string", "p == q"), [P, Q, Op::EqualText]);
    assert_eq!(condition("Param p, q: color", "p == q"), [P, Q, Op::EqualColor]);
    assert_eq!(
        condition("Param p: enum(one, two)", "p == two"),
        [P, Op::Variant { value: 1 }, Op::EqualVariant]
    );
}

#[test]
fn what_is_constant_is_folded_with_the_arithmetic_of_the_runtime() {
    assert_eq!(
        condition("Param p: number", "p > 2 * 3 + min(4, 5)"),
        [P, Op::Number { value: 10.0 }, Op::Greater]
    );
    assert_eq!(condition("Param p: number", "p > 1 / 0"), [P, Op::Number { value: 0.0 }, Op::Greater]);
    assert_eq!(condition("Param p: bool", "p and 1 < 2"), [P]);
    assert_eq!(
        condition("Let three = 3 Param p: number", "p < three"),
        [P, Op::Number { value: 3.0 }, Op::Less]
    );
}

#[test]
fn folding_keeps_the_triggers_that_a_condition_consumes() {
    let text =
        "Behavior X { Param t: trigger InitialState A State A { Transition B when t or true } State B }";
    let rows = behavior(text);
    assert_eq!(rows.transitions[0].triggers.of(&rows.triggers), [ParamId(0)]);
}

#[test]
fn triggers_are_consumed_through_predicates_but_not_under_not() {
    let text = "Behavior X {
        Param go, stop, jump: trigger  Param n: number
        Predicate Asked = go and n > 0
        InitialState A
        State A { Transition B when Asked and not stop or jump }
        State B
    }";
    let rows = behavior(text);
    assert_eq!(rows.transitions[0].triggers.of(&rows.triggers), [ParamId(0), ParamId(2)]);
}

#[test]
fn transitions_stand_by_descending_priority_then_as_declared() {
    let text = "Behavior X { Param p: number InitialState A
        State A {
            Transition B when p == 1
            Transition C when p == 2 { Priority 5 }
            Transition D when p == 3
            Transition E when p == 4 { Priority 5 }
        }
        State B  State C  State D  State E }";
    let rows = behavior(text);
    let target = |transition: &Transition| transition.target.state().map_or(u16::MAX, |state| state.0);
    let targets: Vec<u16> = rows.transitions.iter().map(target).collect();
    assert_eq!(targets, [2, 4, 1, 3]);
}

#[test]
fn values_come_before_what_reads_them_and_their_names_as_declared() {
    let text = "Behavior X { Param p: number
        Predicate Late = early > 1
        Let early = p * 2
        Let smooth = damp(early, 150ms)
        InitialState A
        State A { Transition B when Late and smooth > 0 }
        State B }";
    let compiled = compile(text);
    let program = compiled.program.as_ref().unwrap_or_else(|| panic!("{:?}", common::codes(&compiled)));
    let rows = &program.behaviors()[0];
    let names: Vec<&str> = rows.predicates.iter().map(|row| program.text(row.name)).collect();
    assert_eq!(names, ["Late", "early", "smooth"]);
    assert_eq!(rows.damps.len(), 1);
    assert_eq!(rows.damps[0].time, 0.15);
}

#[test]
fn markers_stand_by_place() {
    let text = "Behavior X { Animation a { Duration 2s Marker c at 1.5s Marker b at 50% Marker d at 0.2s } }";
    let compiled = compile(text);
    let program = compiled.program.as_ref().unwrap_or_else(|| panic!("{:?}", common::codes(&compiled)));
    let names: Vec<&str> = program.behaviors()[0].markers.iter().map(|row| program.text(row.name)).collect();
    assert_eq!(names, ["d", "b", "c"]);
}

#[test]
fn a_chain_of_else_if_jumps_to_one_end() {
    let text = "Behavior X { Param p: number InitialState A
        State A { OnUpdate {
            If p == 1 { Set p = 2 }
            Else If p == 2 { Set p = 3 }
            Else { Set p = 1 }
        } } }";
    let rows = behavior(text);
    let code = rows.codes[rows.states[0].update.unwrap().index()];
    let ops = code.ops.of(&rows.ops);
    let jumps: Vec<usize> = ops
        .iter()
        .enumerate()
        .filter_map(|(at, op)| match op {
            Op::Jump { skip } => Some(at + 1 + usize::from(*skip)),
            _ => None,
        })
        .collect();
    assert_eq!(jumps, [ops.len(), ops.len()]);
}

#[test]
fn one_shape_of_event_is_one_row() {
    let text = "Behavior X { Param p: number InitialState A
        State A { OnUpdate { Emit hit(p) Emit hit(2) Emit done } } }";
    let rows = behavior(text);
    assert_eq!(rows.emits.len(), 2);
    assert_eq!(rows.emit_types.len(), 1);
}

#[test]
fn what_does_too_much_is_an_error_with_its_place() {
    let mut text = String::from("Behavior X { Param p: number\nLet a0 = p + p\n");
    for step in 1..40 {
        text += &format!("Let a{step} = a{} + a{}\n", step - 1, step - 1);
    }
    text += "InitialState A State A { Transition B when a39 > 1 } State B }";
    let compiled = compile(&text);
    assert!(compiled.program.is_none());
    assert!(compiled.diagnostics.list().iter().any(|found| found.code.id().starts_with("MX07")));
    assert!(compiled.diagnostics.list().iter().all(|found| found.code.id() != "MX0901"));
}

#[test]
fn the_same_source_gives_the_same_program() {
    let text = "Behavior X { Param b, a: bool Mask m { Include \"x\" } Layer L { Order 0 Mask m }
        Animation z, y { Layer L Tags t, s } InitialState A
        State A { Transition B when a OnEntry { Play z PlayTag s Emit e } } State B }";
    let first = compile(text).program.unwrap();
    let second = compile(text).program.unwrap();
    assert_eq!(first.encode(Default::default()), second.encode(Default::default()));
    assert_eq!(disassembled(text), motix_vm::disasm::disassemble(&first));
}

#[test]
fn motions_gates_and_crossfades_are_read_off_a_program() {
    let text = disassembled(
        "Behavior X {
            Param rate: number
            Param grip: number { Min 0 Max 1 }
            Animation Walk { Duration 1s Looped Marker left at 0% }
            Animation Slash { Duration 1s }
            TransitionDefaults { Duration 100ms Easing easeOut }
            InitialState A
            State A {
                Clip Walk { Speed 2 * rate StartAt 20% Mirror }
                OnLoop { Emit lap }
                Transition B when phase > 0.5 and loops >= 2 { AtMarker left Duration 25% Sync PauseOnExit }
                Transition C { After 1s ExitTime 250% StartAt 0.2s EarlyExit false }
            }
            State B {
                Clip Slash
                OnFinish { Emit done }
                Transition C when not finished { AtEnd LeadOut Easing steps(4) }
            }
            State C { Clip Slash { Phase grip } Transition D when rate > 1 { Instant } }
            State D { Empty }
        }",
    );
    for line in [
        "Clip Walk { StartAt ratio 0.2  Mirror  Speed 2.0 * rate }",
        "OnLoop { Emit lap }",
        "Transition B when phase > 0.5 and loops >= 2.0 {",
        "Duration ratio 0.25",
        "AtMarker left",
        "PauseOnExit",
        "ExitTime ratio 2.5",
        "StartAt 0.2s",
        "EarlyExit false",
        "OnFinish { Emit done }",
        "Easing steps(4)",
        "LeadOut",
        "Clip Slash { Phase grip }",
        "Empty",
        "MotionLayer Base",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    // What is instant takes no defaults.
    assert!(text.contains("Transition D when rate > 1.0 { Instant }"), "{text}");
}

/// A behavior whose one state has this motion.
fn with_motion(motion: &str) -> String {
    format!(
        "Behavior X {{ Param x, y: number Animation A, B, C, D {{ Looped }}
         InitialState S State S {{ {motion} }} }}"
    )
}

#[test]
fn the_order_of_positions_means_nothing() {
    let same = |one: &str, other: &str| {
        assert_eq!(disassembled(&with_motion(one)), disassembled(&with_motion(other)));
    };
    same("Blend1D x { 0: A 1: B 3: C }", "Blend1D x { 3: C 0: A 1: B }");
    same(
        "Blend1D x { -0: A 1: { Blend1D y { 0: B 1: C } } }",
        "Blend1D x { 1: { Blend1D y { 1: C 0: B } } 0: A }",
    );
    same(
        "Blend2D x, y { (0, 0): A (0, 1): B (1, 0): C (1, 1): D }",
        "Blend2D x, y { (1, 1): D (1, 0): C (0, 1): B (0, 0): A }",
    );
    same("Blend2D x, y { (2, 2): C (0, 0): A (1, 1): B }", "Blend2D x, y { (0, 0): A (1, 1): B (2, 2): C }");
}

#[test]
fn blends_are_triangulated_and_read_like_source() {
    let text = disassembled(&with_motion(
        "Blend2D x, y * 2 { (1, 1): A (0, 0): B (0, 1): { Clip C { Mirror Speed 2 } } (1, 0): D Speed y Sync false }",
    ));
    let expected = "
        Blend2D x, y * 2.0 {
            (0.0, 0.0): B
            (0.0, 1.0): {
                Clip C { Mirror  Speed 2.0 }
            }
            (1.0, 0.0): D
            (1.0, 1.0): A
            Triangle (0.0, 0.0), (1.0, 0.0), (1.0, 1.0)
            Triangle (0.0, 0.0), (1.0, 1.0), (0.0, 1.0)
            Sync false
            Speed y
        }
";
    assert!(text.contains(expected), "{text}");
    let text = disassembled(&with_motion("BlendDirect { x: A y * 0.5: B Normalize }"));
    assert!(text.contains("        BlendDirect { x: A  y * 0.5: B  Normalize }\n"), "{text}");
}
