//! Section 3 of the contract: requests, candidates, chains, triggers, the order of effects.

use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::*;

use crate::sketch::*;
use crate::support::{Builder, to};
use crate::world::World;

const TICK: f32 = 1.0 / 60.0;

/// A behavior with one layer and a main machine.
fn machine(names: &[&str]) -> (Builder, Vec<StateId>) {
    let mut b = Builder::new("Test");
    b.layer("Base");
    let states = b.machine(None, names);
    (b, states)
}

#[test]
fn priority_wins_then_declaration() {
    let (mut b, s) = machine(&["A", "Late", "Low", "First"]);
    let go = b.flag("go");
    let go = Some(b.is(go));
    // The builder stands for the compiler, which sorts them.
    b.from(s[0], &[to(s[3], go, 2), to(s[1], go, 2), to(s[2], go, 1)]);
    let mut world = World::new(b);
    world.set("go", true);
    world.tick(TICK);
    assert_eq!(world.state(), "First");
}

#[test]
fn at_equal_priority_any_state_comes_first_then_the_innermost() {
    for (any_priority, inner_priority, expected) in [(0, 0, "Any"), (-1, 0, "Inner"), (-1, -1, "Outer")] {
        let (mut b, s) = machine(&["Outer0", "Leaf", "Any", "Inner", "Outer"]);
        b.inside(s[0], &[s[1]]);
        b.rows.machines[0].start = Start::State(s[1]);
        b.rows.machines[0].any = b.transitions(&[to(s[2], None, any_priority)]);
        b.from(s[0], &[to(s[4], None, 0)]);
        b.from(s[1], &[to(s[3], None, inner_priority)]);
        let mut world = World::new(b);
        world.tick(TICK);
        assert_eq!(world.state(), expected);
    }
}

#[test]
fn conditions_are_evaluated_only_as_far_as_needed() {
    let (mut b, s) = machine(&["A", "B", "C"]);
    let (first, second) = (b.text("First"), b.text("Second"));
    b.rows.externs.extend([first, second]);
    let ask: Vec<_> = (0..2).map(|id| b.condition(&[Op::Extern { predicate: ExternId(id) }])).collect();
    b.from(s[0], &[to(s[1], Some(ask[0]), 1), to(s[2], Some(ask[1]), 0)]);
    let mut world = World::new(b);
    let mut asked = Vec::new();
    let mut answer = |_, id: ExternId| {
        asked.push(id.0);
        true
    };
    let mut host = motix_vm::Host { predicates: Some(&mut answer), globals: None };
    world.tick_with(TICK, &mut host);
    assert_eq!(asked, [0]);
}

#[test]
fn the_host_is_asked_once_a_decision() {
    let (mut b, s) = machine(&["A", "B"]);
    let name = b.text("Grounded");
    b.rows.externs.push(name);
    let grounded = Op::Extern { predicate: ExternId(0) };
    let twice = b.condition(&[grounded, Op::Not, Op::JumpIfTrueElsePop { skip: 1 }, grounded, Op::Not]);
    let again = b.condition(&[grounded, Op::Not]);
    b.from(s[0], &[to(s[1], Some(twice), 0), to(s[1], Some(again), 0)]);
    let mut world = World::new(b);
    let mut asked = 0;
    for tick in 1..=3 {
        let mut answer = |_, _| {
            asked += 1;
            true
        };
        let mut host = motix_vm::Host { predicates: Some(&mut answer), globals: None };
        world.tick_with(TICK, &mut host);
        assert_eq!(asked, tick);
    }
    assert_eq!(
        world.instance.tick(TICK, &mut world.frame).map_err(|error| error.to_string()),
        Err("the host must answer the extern predicates `Grounded`".to_owned())
    );
}

#[test]
fn a_machine_makes_one_step_a_tick_that_is_not_instant() {
    let (mut b, s) = machine(&["A", "B", "C", "D"]);
    b.from(s[0], &[to(s[1], None, 0)]);
    b.from(s[1], &[Transition { instant: true, ..to(s[2], None, 0) }]);
    b.from(s[2], &[to(s[3], None, 0)]);
    let mut world = World::new(b);
    assert_eq!(world.tick(TICK), ["Exit(A)", "Enter(B)", "Exit(B)", "Enter(C)"]);
    world.tick(TICK);
    assert_eq!(world.state(), "D");
}

#[test]
fn an_endless_chain_is_cut_and_the_machine_stays_usable() {
    let (mut b, s) = machine(&["A", "B"]);
    let x = b.flag("x");
    let x = Some(b.is(x));
    b.from(s[0], &[Transition { instant: true, ..to(s[1], x, 0) }]);
    b.from(s[1], &[Transition { instant: true, ..to(s[0], x, 0) }]);
    let mut world = World::new(b);
    world.set("x", true);
    let events = world.tick(TICK);
    assert_eq!(events.iter().filter(|event| *event == "ChainLimit").count(), 1);
    // The first step and a hundred hops.
    assert_eq!(events.iter().filter(|event| event.starts_with("Enter")).count(), 101);
    world.set("x", false);
    assert_eq!(world.tick(TICK), [""; 0]);
}

#[test]
fn a_chain_of_exactly_a_hundred_hops_is_none_too_long() {
    let names: Vec<String> = (0..102).map(|index| format!("S{index}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (mut b, s) = machine(&names);
    for pair in s.windows(2) {
        b.from(pair[0], &[Transition { instant: true, ..to(pair[1], None, 0) }]);
    }
    let mut world = World::new(b);
    assert!(!world.tick(TICK).contains(&"ChainLimit".to_owned()));
    assert_eq!(world.state(), "S101");
}

#[test]
fn a_terminal_state_is_left_only_by_request() {
    let (mut b, s) = machine(&["Live", "Dead"]);
    b.from(s[0], &[to(s[1], None, 0)]);
    b.rows.states[s[1].index()].terminal = true;
    b.rows.machines[0].any = b.transitions(&[to(s[0], None, 0)]);
    let mut world = World::new(b);
    world.tick(TICK);
    world.ticks(10, TICK);
    assert_eq!(world.state(), "Dead");
    world.request(s[0], 0);
    world.tick(0.0);
    assert_eq!(world.state(), "Live");
}

#[test]
fn of_equal_requests_the_first_is_taken() {
    let (b, s) = machine(&["A", "B", "C"]);
    let mut world = World::new(b);
    world.request(s[1], 7);
    world.request(s[2], 7);
    assert_eq!(world.tick(TICK), ["Dropped(C)", "Exit(A)", "Enter(B)"]);
}

#[test]
fn a_request_looks_like_the_transition_it_would_take() {
    let (mut b, s) = machine(&["A", "B", "C"]);
    let (go, reset) = (b.trigger("go"), b.emits("look", &[]));
    let look = b.actions(&[reset]);
    let never = b.condition(&[Op::Bool { value: false }]);
    b.from(
        s[0],
        &[
            Transition { actions: Some(look), on_request: true, ..to(s[1], None, 5) },
            Transition { triggers: Run::default(), ..to(s[2], Some(never), 0) },
        ],
    );
    let consumed = b.on(go, s[2]);
    b.from(s[1], &[consumed]);
    let mut world = World::new(b);
    assert_eq!(world.tick(TICK), [""; 0], "one on request is never taken by itself");
    world.request(s[1], 0);
    assert_eq!(world.tick(TICK), ["Exit(A)", "Emit(look)", "Enter(B)"]);
    // The look's condition does not matter, and its triggers stay.
    world.request(s[2], 0);
    world.fire("go");
    assert_eq!(world.tick(TICK), ["Exit(B)", "Enter(C)"]);
    assert_eq!(world.instance.get_by_name("go"), Ok(motix_vm::Value::Trigger(true)));
}

#[test]
fn an_action_requests_for_the_next_tick_even_of_a_machine_that_decides_later() {
    let mut b = Builder::new("Test");
    let (base, upper) = (b.layer("Base"), b.layer("Upper"));
    let one = b.machine(Some(base), &["A", "B"]);
    let two = b.machine(Some(upper), &["C", "D", "E"]);
    b.from(one[0], &[to(one[1], None, 0)]);
    b.entry(one[1], &[Op::Request { state: two[2], priority: 9 }]);
    let mut world = World::new(b);
    world.request(two[1], 1);
    world.tick(TICK);
    assert_eq!(world.state_of(1), "D");
    world.tick(TICK);
    assert_eq!(world.state_of(1), "E");
}

#[test]
fn one_firing_drives_one_hop_and_every_layer_sees_it() {
    let mut b = Builder::new("Triggers");
    let layers = [b.layer("one"), b.layer("two"), b.layer("three")];
    let (go, other) = (b.trigger("go"), b.trigger("other"));
    let one = b.machine(Some(layers[0]), &["a", "b", "c"]);
    let two = b.machine(Some(layers[1]), &["d", "e", "f"]);
    let three = b.machine(Some(layers[2]), &["g", "h"]);
    let hops = [(one[0], go, one[1]), (one[1], go, one[2])];
    for (from, trigger, target) in hops {
        let transition = Transition { instant: true, ..b.on(trigger, target) };
        b.from(from, &[transition]);
    }
    for (from, trigger, target) in [(two[0], other, two[1]), (two[1], go, two[2]), (three[0], go, three[1])] {
        let transition = b.on(trigger, target);
        b.from(from, &[transition]);
    }
    let mut world = World::new(b);
    world.fire("go");
    world.tick(TICK);
    assert_eq!((world.state_of(0), world.state_of(1), world.state_of(2)), ("b", "d", "h"));
    world.fire("other");
    world.tick(TICK);
    assert_eq!((world.state_of(0), world.state_of(1)), ("b", "e"));
    world.ticks(10, TICK);
    world.fire("go");
    world.tick(TICK);
    assert_eq!((world.state_of(0), world.state_of(1)), ("c", "f"));
}

#[test]
fn fired_twice_is_fired_once_and_what_nobody_mentions_stays() {
    let (mut b, s) = machine(&["A", "B", "C"]);
    let (go, go2) = (b.trigger("go"), b.trigger("other"));
    let (first, second) = (b.on(go, s[1]), b.on(go, s[2]));
    b.from(s[0], &[first]);
    b.from(s[1], &[second]);
    let _ = go2;
    let mut world = World::new(b);
    world.fire("go");
    world.fire("go");
    world.fire("other");
    world.ticks(5, TICK);
    assert_eq!(world.state(), "B");
    assert_eq!(world.instance.get_by_name("other"), Ok(motix_vm::Value::Trigger(true)));
}

#[test]
fn fired_again_by_an_action_of_the_pass_it_is_armed_anew() {
    let (mut b, s) = machine(&["A", "B", "C"]);
    let go = b.trigger("go");
    let (first, second) = (b.on(go, s[1]), b.on(go, s[2]));
    b.from(s[0], &[first]);
    b.from(s[1], &[second]);
    b.entry(s[1], &[Op::Fire { param: go }]);
    let mut world = World::new(b);
    world.fire("go");
    world.tick(TICK);
    assert_eq!(world.state(), "B");
    world.tick(TICK);
    assert_eq!(world.state(), "C");
}

#[test]
fn lifetimes_end() {
    for (lifetime, ticks, expected) in [
        (Lifetime::Tick, 0, "B"),
        (Lifetime::Tick, 1, "A"),
        (Lifetime::Seconds(0.2), 1, "B"),
        (Lifetime::Seconds(0.2), 2, "A"),
        (Lifetime::Consumed, 9, "B"),
    ] {
        let (mut b, s) = machine(&["A", "B"]);
        let (go, open) = (b.trigger("go"), b.flag("open"));
        b.rows.params[go.index()].lifetime = lifetime;
        let both = b.condition(&[
            Op::Param { param: go },
            Op::JumpIfFalseElsePop { skip: 1 },
            Op::Param { param: open },
        ]);
        b.from(s[0], &[to(s[1], Some(both), 0)]);
        let mut world = World::new(b);
        world.fire("go");
        world.ticks(ticks, 0.1);
        world.set("open", true);
        world.tick(0.1);
        assert_eq!(world.state(), expected, "{lifetime:?} after {ticks}");
    }
}

#[test]
fn a_lifetime_counts_from_the_last_firing() {
    let (mut b, _) = machine(&["A"]);
    let go = b.trigger("go");
    b.rows.params[go.index()].lifetime = Lifetime::Seconds(0.2);
    let mut world = World::new(b);
    world.fire("go");
    world.tick(0.15);
    world.fire("go");
    world.tick(0.15);
    assert_eq!(world.instance.get_by_name("go"), Ok(motix_vm::Value::Trigger(true)));
    world.tick(0.05);
    assert_eq!(world.instance.get_by_name("go"), Ok(motix_vm::Value::Trigger(false)));
}

#[test]
fn any_state_with_its_target_current_consumes_and_blocks_nothing() {
    let (mut b, s) = machine(&["Idle", "Jump", "Other"]);
    let (one, two) = (b.trigger("one"), b.trigger("two"));
    let (idle, jump) = (b.on(one, s[0]), b.on(two, s[1]));
    b.rows.machines[0].any = b.transitions(&[Transition { priority: 1, ..idle }, jump]);
    let mut world = World::new(b);
    world.fire("one");
    assert_eq!(world.tick(TICK), [""; 0]);
    world.fire("two");
    world.ticks(3, TICK);
    assert_eq!(world.state(), "Jump");
    world.fire("one");
    world.fire("two");
    world.tick(TICK);
    assert_eq!(world.state(), "Idle");
}

#[test]
fn restart_leaves_and_enters_again() {
    let (mut b, s) = machine(&["A", "B"]);
    let hit = b.trigger("hit");
    let transition = Transition { restart: true, ..b.on(hit, s[0]) };
    b.rows.machines[0].any = b.transitions(&[transition]);
    let mut world = World::new(b);
    world.tick(1.0);
    world.fire("hit");
    assert_eq!(world.tick(0.25), ["Exit(A)", "Enter(A)"]);
    assert_eq!(world.instance.elapsed(MachineId(0)), 0.25);
}

#[test]
fn effects_come_in_the_order_of_the_contract() {
    let (mut b, s) = machine(&["Out", "In", "Far", "Deep"]);
    b.inside(s[0], &[s[1]]);
    b.inside(s[2], &[s[3]]);
    b.rows.machines[0].start = Start::State(s[1]);
    for (state, name) in s.iter().zip(["out", "in", "far", "deep"]) {
        let (on, off) = (b.emits(&format!("{name}+"), &[]), b.emits(&format!("{name}-"), &[]));
        b.entry(*state, &[on]);
        b.exit(*state, &[off]);
    }
    let (between, from_out, from_far) =
        (b.emits("between", &[]), b.emits("from out", &[]), b.emits("no", &[]));
    let actions = b.actions(&[between]);
    let lists =
        [(s[0], from_out), (s[2], from_far)].map(|(from, op)| EntryFrom { from, actions: b.actions(&[op]) });
    b.rows.states[s[3].index()].entry_from = append(&mut b.rows.entries_from, &lists);
    b.from(s[0], &[Transition { actions: Some(actions), ..to(s[2], None, 0) }]);
    let mut world = World::new(b);
    let expected = [
        "Exit(In)",
        "Emit(in-)",
        "Exit(Out)",
        "Emit(out-)",
        "Emit(between)",
        "Enter(Far)",
        "Emit(far+)",
        "Enter(Deep)",
        "Emit(deep+)",
        "Emit(from out)",
    ];
    assert_eq!(world.tick(TICK), expected);
}

#[test]
fn only_what_is_really_left_and_entered_runs() {
    let (mut b, s) = machine(&["Combat", "Stance", "Attack", "Explore"]);
    b.inside(s[0], &[s[1], s[2]]);
    b.rows.machines[0].start = Start::State(s[1]);
    let (attack, back) = (b.trigger("attack"), b.trigger("back"));
    let (to_attack, to_combat) = (b.on(attack, s[2]), b.on(back, s[0]));
    b.from(s[1], &[to_attack]);
    b.from(s[2], &[to_combat]);
    let mut world = World::new(b);
    world.fire("attack");
    assert_eq!(world.tick(TICK), ["Exit(Stance)", "Enter(Attack)"]);
    assert!(world.instance.is_in(s[0]) && !world.instance.is_in(s[1]));
    // To the composite from inside: its first state, without leaving it.
    world.fire("back");
    assert_eq!(world.tick(TICK), ["Exit(Attack)", "Enter(Stance)"]);
    // A request for an active composite is one for the current state.
    world.request(s[0], 0);
    assert_eq!(world.tick(TICK), [""; 0]);
}

#[test]
fn enter_runs_the_initial_entries_on_the_first_tick_once() {
    let (mut b, s) = machine(&["Idle", "Next"]);
    let hello = b.emits("hello", &[]);
    b.entry(s[0], &[hello]);
    b.rows.machines[0].enter = true;
    let mut world = World::new(b);
    assert_eq!(world.tick(TICK), ["Enter(Idle)", "Emit(hello)"]);
    assert_eq!(world.ticks(3, TICK), [""; 0]);
}

#[test]
fn random_weights_divide_the_choice() {
    let (mut b, s) = machine(&["A", "One", "Three", "Never", "Low"]);
    let weighted = |target, weight| Transition { random_weight: weight, ..to(target, None, 1) };
    b.from(
        s[0],
        &[weighted(s[1], Some(1.0)), weighted(s[2], Some(3.0)), weighted(s[3], Some(0.0)), to(s[4], None, 0)],
    );
    for state in [s[1], s[2], s[3]] {
        b.from(state, &[to(s[0], None, 0)]);
    }
    let mut world = World::seeded(b, 3);
    let mut counts = [0; 2];
    for _ in 0..2000 {
        world.tick(TICK);
        match world.state() {
            "One" => counts[0] += 1,
            "Three" => counts[1] += 1,
            other => panic!("{other} has no chance"),
        }
        world.tick(TICK);
    }
    assert!((400..600).contains(&counts[0]), "{counts:?}");
}

#[test]
fn a_missing_weight_counts_as_one_and_the_first_without_takes_all() {
    let (mut b, s) = machine(&["A", "One", "Two"]);
    b.from(s[0], &[to(s[1], None, 0), Transition { random_weight: Some(1000.0), ..to(s[2], None, 0) }]);
    let mut world = World::new(b);
    world.tick(TICK);
    assert_eq!(world.state(), "One");
}

#[test]
fn the_same_seed_makes_the_same_choices() {
    let walk = |seed| {
        let (mut b, s) = machine(&["A", "B", "C"]);
        for from in 0..3 {
            let other =
                |step: usize| Transition { random_weight: Some(1.0), ..to(s[(from + step) % 3], None, 0) };
            b.from(s[from], &[other(1), other(2)]);
        }
        World::seeded(b, seed).ticks(50, TICK)
    };
    assert_eq!(walk(1), walk(1));
    assert_ne!(walk(1), walk(2));
}

#[test]
fn a_settled_machine_wakes_up_when_something_changes() {
    let (mut b, s) = machine(&["A", "B"]);
    let x = b.number("x", 0.0);
    let there = b.equals(x, 1.0);
    b.from(s[0], &[to(s[1], Some(there), 0)]);
    let mut world = World::new(b);
    world.ticks(10, TICK);
    world.set("x", 1.0);
    world.tick(TICK);
    assert_eq!(world.state(), "B");
}

#[test]
fn conditions_on_time_are_asked_every_tick() {
    let (mut b, s) = machine(&["A", "B"]);
    let late = b.condition(&[Op::Elapsed, Op::Number { value: 0.45 }, Op::GreaterEqual]);
    b.from(s[0], &[to(s[1], Some(late), 0)]);
    let mut world = World::new(b);
    world.ticks(5, 0.1);
    assert_eq!(world.state(), "A");
    world.tick(0.1);
    assert_eq!(world.state(), "B");
}
