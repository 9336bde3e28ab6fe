//! `When`, `OnUpdate`, custom events and smoothed values.

use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::*;

use crate::sketch::*;
use crate::support::{Builder, to};
use crate::world::{World, near};

const TICK: f32 = 1.0 / 60.0;

fn when(condition: CodeId, actions: CodeId) -> When {
    When { condition, triggers: Run::default(), actions }
}

#[test]
fn a_reaction_runs_when_its_condition_becomes_true() {
    let mut b = Builder::new("When");
    b.layer("Base");
    let on = b.flag("on");
    let (condition, beep) = (b.is(on), b.emits("beep", &[]));
    let actions = b.actions(&[beep]);
    b.whens(None, &[when(condition, actions)]);
    let mut world = World::new(b);
    assert_eq!(world.tick(TICK), [""; 0]);
    world.set("on", true);
    assert_eq!(world.tick(TICK), ["Emit(beep)"]);
    assert_eq!(world.ticks(3, TICK), [""; 0]);
    world.set("on", false);
    world.tick(TICK);
    world.set("on", true);
    assert_eq!(world.tick(TICK), ["Emit(beep)"]);
}

#[test]
fn entering_counts_as_becoming_true() {
    let mut b = Builder::new("When");
    b.layer("Base");
    let (go, back) = (b.trigger("go"), b.trigger("back"));
    let s = b.machine(None, &["A", "B"]);
    let (there, here) = (b.on(go, s[1]), b.on(back, s[0]));
    b.from(s[0], &[there]);
    b.from(s[1], &[here]);
    let beep = b.emits("beep", &[]);
    let (condition, actions) = (b.condition(&[Op::Bool { value: true }]), b.actions(&[beep]));
    b.whens(Some(s[1]), &[when(condition, actions)]);
    let mut world = World::new(b);
    for _ in 0..2 {
        world.fire("go");
        assert_eq!(world.tick(TICK), ["Exit(A)", "Enter(B)", "Emit(beep)"]);
        assert_eq!(world.tick(TICK), [""; 0]);
        world.fire("back");
        world.tick(TICK);
    }
}

#[test]
fn a_trigger_makes_it_run_at_each_firing_and_is_consumed() {
    let mut b = Builder::new("When");
    b.layer("Base");
    let (wave, on) = (b.trigger("wave"), b.flag("on"));
    // Either: the bool is true all the time.
    let either =
        b.condition(&[Op::Param { param: on }, Op::JumpIfTrueElsePop { skip: 1 }, Op::Param { param: wave }]);
    let beep = b.emits("beep", &[]);
    let actions = b.actions(&[beep]);
    let triggers = b.consumes(&[wave]);
    let both = When { condition: either, triggers, actions };
    b.whens(None, &[both]);
    let mut world = World::new(b);
    for _ in 0..3 {
        world.fire("wave");
        assert_eq!(world.tick(TICK), ["Emit(beep)"]);
    }
    assert_eq!(world.tick(TICK), [""; 0]);
    world.set("on", true);
    assert_eq!(world.tick(TICK), ["Emit(beep)"]);
    world.fire("wave");
    assert_eq!(world.tick(TICK), ["Emit(beep)"]);
    assert_eq!(world.ticks(2, TICK), [""; 0], "the bool still holds, without becoming true");
}

#[test]
fn every_reaction_sees_the_same_firing_but_not_one_that_its_machine_used() {
    let mut b = Builder::new("When");
    b.layer("Base");
    let attack = b.trigger("attack");
    let s = b.machine(None, &["Idle", "Attack"]);
    let transition = b.on(attack, s[1]);
    b.from(s[0], &[transition]);
    let mut reaction = |name: &str| {
        let (condition, emit) = (b.is(attack), b.emits(name, &[]));
        let actions = b.actions(&[emit]);
        When { condition, triggers: b.consumes(&[attack]), actions }
    };
    let (one, two, combo) = (reaction("one"), reaction("two"), reaction("combo"));
    b.whens(None, &[one, two]);
    b.whens(Some(s[1]), &[combo]);
    let mut world = World::new(b);
    world.fire("attack");
    assert_eq!(world.tick(TICK), ["Exit(Idle)", "Enter(Attack)", "Emit(one)", "Emit(two)"]);
    world.fire("attack");
    assert_eq!(world.tick(TICK), ["Emit(one)", "Emit(two)", "Emit(combo)"]);
    assert_eq!(world.tick(TICK), [""; 0]);
}

#[test]
fn reactions_of_the_behavior_come_first_then_outer_states_then_updates() {
    let mut b = Builder::new("Order");
    b.layer("Base");
    let s = b.machine(None, &["Outer", "Inner"]);
    b.inside(s[0], &[s[1]]);
    b.rows.machines[0].start = Start::State(s[1]);
    let on = b.flag("on");
    let mut reaction = |name: &str| {
        let (condition, emit) = (b.is(on), b.emits(name, &[]));
        when(condition, b.actions(&[emit]))
    };
    let (all, outer, inner) = (reaction("all"), reaction("outer"), reaction("inner"));
    b.whens(None, &[all]);
    b.whens(Some(s[1]), &[inner]);
    b.whens(Some(s[0]), &[outer]);
    for (state, name) in s.iter().zip(["update outer", "update inner"]) {
        let emit = b.emits(name, &[Type::Number]);
        b.rows.states[state.index()].update = Some(b.actions(&[Op::Dt, emit]));
    }
    let mut world = World::new(b);
    world.set("on", true);
    let expected =
        ["Emit(all)", "Emit(outer)", "Emit(inner)", "Emit(update outer, 0.5)", "Emit(update inner, 0.5)"];
    assert_eq!(world.tick(0.5), expected);
    assert_eq!(world.tick(0.25), ["Emit(update outer, 0.25)", "Emit(update inner, 0.25)"]);
}

#[test]
fn a_terminal_state_still_updates_and_reacts() {
    let mut b = Builder::new("Terminal");
    b.layer("Base");
    let s = b.machine(None, &["Dead"]);
    let on = b.flag("on");
    let (beep, tick) = (b.emits("beep", &[]), b.emits("tick", &[]));
    let (condition, actions) = (b.is(on), b.actions(&[beep]));
    b.whens(Some(s[0]), &[when(condition, actions)]);
    b.rows.states[0].update = Some(b.actions(&[tick]));
    b.rows.states[0].terminal = true;
    let mut world = World::new(b);
    world.set("on", true);
    assert_eq!(world.tick(TICK), ["Emit(beep)", "Emit(tick)"]);
}

#[test]
fn custom_events_carry_values_of_every_type() {
    let mut b = Builder::new("Emit");
    b.layer("Base");
    let mood = b.enumeration(None, &["calm", "angry"]);
    let sword = b.text("sword");
    let weapon = b.param("weapon", Type::Text, sword.0);
    let types = [Type::Number, Type::Bool, Type::Text, Type::Text, Type::Enum(mood), Type::Color];
    let emit = b.emits("all", &types);
    let s = b.machine(None, &["A", "B"]);
    b.entry(
        s[1],
        &[
            Op::Number { value: 1.5 },
            Op::Bool { value: true },
            Op::Text { value: sword },
            Op::Param { param: weapon },
            Op::Variant { value: 1 },
            Op::Color { value: 0x1122_3344 },
            emit,
            Op::Audio { asset: sword },
            Op::Camera { name: sword },
        ],
    );
    b.from(s[0], &[to(s[1], None, 0)]);
    let mut world = World::new(b);
    world.set("weapon", "axe");
    let expected = [
        "Exit(A)",
        "Enter(B)",
        "Emit(all, 1.5, true, sword, axe, #1, 11223344)",
        "Audio(sword)",
        "Camera(sword)",
    ];
    assert_eq!(world.tick(TICK), expected);
}

#[test]
fn random_numbers_lie_in_their_range_and_follow_the_seed() {
    let draw = |seed| {
        let mut b = Builder::new("Random");
        b.layer("Base");
        let emit = b.emits("roll", &[Type::Number]);
        b.machine(None, &["A"]);
        let roll = [Op::Number { value: -2.0 }, Op::Number { value: 3.0 }, Op::Random, emit];
        b.rows.states[0].update = Some(b.actions(&roll));
        World::seeded(b, seed).ticks(100, TICK)
    };
    let numbers = |events: &[String]| -> Vec<f32> {
        let text = |event: &String| event.trim_start_matches("Emit(roll, ").trim_end_matches(')').to_owned();
        events.iter().map(|event| text(event).parse().expect("it is a number")).collect()
    };
    let events = draw(1);
    assert!(numbers(&events).iter().all(|number| (-2.0..3.0).contains(number)));
    assert_eq!(events, draw(1));
    assert_ne!(events, draw(2));
}

#[test]
fn a_smoothed_value_is_exact_for_any_dt() {
    let build = || {
        let mut b = Builder::new("Damp");
        b.layer("Base");
        let x = b.number("x", 2.0);
        let input = b.number_code(&[Op::Param { param: x }]);
        b.rows.damps.extend([Damp { input, time: 0.15 }, Damp { input, time: 0.0 }]);
        for damp in 0..2 {
            let code = b.number_code(&[Op::Damped { damp: DampId(damp) }]);
            b.rows.probes.push(Probe { code, machine: None, ty: Type::Number });
        }
        World::new(b)
    };
    let read = |world: &mut World, index| match world.instance.probe(index, &mut motix_vm::Host::default()) {
        Some(motix_vm::Value::Number(value)) => value,
        other => panic!("{other:?}"),
    };
    let (mut one, mut many) = (build(), build());
    assert_eq!(read(&mut one, 0), 2.0, "it starts at its input");
    for world in [&mut one, &mut many] {
        world.set("x", 10.0);
    }
    one.tick(0.3);
    many.ticks(30, 0.01);
    let exact = 10.0 - 8.0 * (-2.0_f32).exp();
    near(read(&mut one, 0), exact);
    near(read(&mut many, 0), exact);
    assert_eq!(read(&mut one, 1), 10.0);
}

#[test]
fn states_are_asked_about() {
    let mut b = Builder::new("Ask");
    b.layer("Base");
    let s = b.machine(None, &["Outer", "Inner", "Other"]);
    b.inside(s[0], &[s[1]]);
    b.rows.machines[0].start = Start::State(s[1]);
    let tag = b.text("grounded");
    b.rows.tags.push(tag);
    b.rows.states[s[0].index()].tags = append(&mut b.rows.tag_lists, &[TagId(0)]);
    b.from(s[0], &[to(s[2], None, 0)]);
    let asked = [
        Op::In { state: s[0] },
        Op::In { state: s[2] },
        Op::Tagged { tag: TagId(0) },
        Op::CameFrom { state: s[0] },
        Op::CameFrom { state: s[2] },
    ];
    for op in asked {
        let code = b.condition(&[op]);
        b.rows.probes.push(Probe { code, machine: Some(MachineId(0)), ty: Type::Bool });
    }
    let mut world = World::new(b);
    let ask = |world: &mut World| -> Vec<bool> {
        (0..asked.len())
            .map(|index| {
                world.instance.probe(index, &mut motix_vm::Host::default())
                    == Some(motix_vm::Value::Bool(true))
            })
            .collect()
    };
    assert_eq!(ask(&mut world), [true, false, true, false, false]);
    world.tick(TICK);
    assert_eq!(ask(&mut world), [false, true, false, true, false]);
}
