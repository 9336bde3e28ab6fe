//! Conditions that were decoded hold where their code says so, and decide as if they were run.

use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::*;
use motix_vm::{Frame, Host, Instance, Value};

use crate::random::Dice;
use crate::sketch::Sketch;
use crate::support::{Builder, to};
use crate::world::World;

const NUMBERS: [f32; 6] = [-1.0, -0.0, 0.0, 1.0, 1.000_05, 2.0];

struct Params {
    numbers: [ParamId; 2],
    flags: [ParamId; 2],
    grip: ParamId,
    trigger: ParamId,
}

/// A comparison, or what reads no parameter, or what cannot be decoded.
fn leaf(dice: &mut Dice, params: &Params) -> Vec<Op> {
    let number = Op::Param { param: params.numbers[dice.below(2)] };
    let value = Op::Number { value: NUMBERS[dice.below(6)] };
    let flag = Op::Param { param: params.flags[dice.below(2)] };
    let compare = [Op::Less, Op::LessEqual, Op::Greater, Op::GreaterEqual, Op::EqualNumber, Op::Near];
    match dice.below(20) {
        0..=5 => vec![number, value, compare[dice.below(6)]],
        6..=8 => vec![value, number, compare[dice.below(6)]],
        9..=12 => vec![flag],
        13 => vec![flag, Op::Bool { value: dice.chance(50) }, Op::EqualBool],
        14 => vec![Op::Param { param: params.grip }, Op::Variant { value: 1 }, Op::EqualVariant],
        15..=17 => vec![Op::Param { param: params.trigger }],
        18 => vec![Op::Bool { value: dice.chance(50) }],
        _ => vec![number, Op::Neg, value, Op::Less],
    }
}

fn condition(b: &mut Builder, dice: &mut Dice, params: &Params, depth: usize) -> Vec<Op> {
    if depth == 0 {
        return leaf(dice, params);
    }
    let skip = |ops: &[Op]| u16::try_from(ops.len()).unwrap_or(0);
    let left = condition(b, dice, params, depth - 1);
    let right = condition(b, dice, params, depth - 1);
    match dice.below(6) {
        0 => [left, vec![Op::Not]].concat(),
        1 | 2 => {
            let jump = Op::JumpIfFalseElsePop { skip: skip(&right) };
            [left, vec![jump], right].concat()
        }
        3 => {
            let jump = Op::JumpIfTrueElsePop { skip: skip(&right) };
            [left, vec![jump], right].concat()
        }
        4 => {
            // if left then right else not right
            let other = [right.clone(), vec![Op::Not]].concat();
            let (jump, over) = (Op::JumpIfFalse { skip: skip(&right) + 1 }, Op::Jump { skip: skip(&other) });
            [left, vec![jump], right, vec![over], other].concat()
        }
        _ => vec![Op::Call { code: b.condition(&left) }],
    }
}

/// A machine that goes from A to B where a condition holds, and a probe that runs its code.
fn behavior(dice: &mut Dice) -> Builder {
    let mut b = Builder::new("Test");
    b.layer("Base");
    let s = b.machine(None, &["A", "B"]);
    let enumeration = b.enumeration(None, &["loose", "tight"]);
    let params = Params {
        numbers: [b.number("n0", 0.0), b.number("n1", 0.0)],
        flags: [b.flag("f0"), b.flag("f1")],
        grip: b.param("grip", Type::Enum(enumeration), 0),
        trigger: b.trigger("go"),
    };
    let depth = dice.below(5);
    let ops = condition(&mut b, dice, &params, depth);
    let code = b.condition(&ops);
    b.from(s[0], &[to(s[1], Some(code), 0)]);
    b.rows.probes.push(Probe { code, machine: Some(MachineId(0)), ty: Type::Bool });
    b
}

fn set(dice: &mut Dice, instance: &mut Instance) {
    for name in ["n0", "n1"] {
        assert_eq!(instance.set(name, NUMBERS[dice.below(6)]), Ok(()));
    }
    for name in ["f0", "f1"] {
        assert_eq!(instance.set(name, dice.chance(50)), Ok(()));
    }
    assert_eq!(instance.set("grip", ["loose", "tight"][dice.below(2)]), Ok(()));
    assert_eq!(instance.set("go", dice.chance(30)), Ok(()));
}

#[test]
fn a_transition_is_taken_where_its_code_says_so() {
    let mut dice = Dice::new(5);
    let (mut taken, mut frame) = (0, Frame::new());
    for _ in 0..400 {
        let mut instance = World::new(behavior(&mut dice)).instance;
        let b = Some(StateId(1));
        // It has to be found out anew each time, also where the tick before has found that nothing holds.
        for _ in 0..12 {
            set(&mut dice, &mut instance);
            let holds = instance.probe(0, &mut Host::default()) == Some(Value::Bool(true));
            assert_eq!(instance.tick(0.01, &mut frame), Ok(()));
            assert_eq!(instance.state(MachineId(0)) == b, holds);
            if holds {
                taken += 1;
                break;
            }
        }
    }
    assert!(taken > 200, "{taken} transitions");
}
