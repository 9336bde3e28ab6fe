//! States in states: what behaviors in `tests/behaviors` do not reach. Saves, depth, triggers and the order of machines.

use motix_vm::error::RestoreError;
use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::limits::Limit;
use motix_vm::program::tables::*;

use crate::sketch::*;
use crate::support::{Builder, leave, to};
use crate::world::World;

const TICK: f32 = 1.0 / 60.0;

fn machine(names: &[&str]) -> (Builder, Vec<StateId>) {
    let mut b = Builder::new("Test");
    b.layer("Base");
    let states = b.machine(None, names);
    (b, states)
}

/// Off, and a composite that remembers one of two states inside.
fn remembering(history: History) -> World {
    let (mut b, s) = machine(&["Off", "On", "Low", "High"]);
    b.inside(s[1], &s[2..]);
    b.rows.states[s[1].index()].history = history;
    let (on, off, next) = (b.trigger("on"), b.trigger("off"), b.trigger("next"));
    let (enter, leave, high) = (b.on(on, s[1]), b.on(off, s[0]), b.on(next, s[3]));
    b.from(s[0], &[enter]);
    b.from(s[1], &[leave]);
    b.from(s[2], &[high]);
    World::new(b)
}

#[test]
fn what_is_remembered_is_saved() {
    for history in [History::Shallow, History::Deep] {
        let mut world = remembering(history);
        for trigger in ["on", "next", "off"] {
            world.fire(trigger);
            world.tick(TICK);
        }
        let save = world.instance.save();
        let mut fresh = remembering(history);
        fresh.instance.restore(&save).expect("it is a save");
        fresh.fire("on");
        fresh.tick(TICK);
        assert_eq!(fresh.state(), "High");
    }
}

#[test]
fn a_memory_of_what_is_not_inside_is_refused() {
    for history in [History::Shallow, History::Deep] {
        let mut world = remembering(history);
        world.tick(TICK);
        let save = world.instance.save();
        let header = save.len() - world.instance.size_of_state();
        let mut refused = 0;
        for at in header..save.len() {
            // Off is not inside, nor is On itself, nor a state that is not there.
            for id in [1, 2, 5, 255] {
                let mut odd = save.clone();
                odd[at] = id;
                let answer = world.instance.restore(&odd);
                refused += usize::from(answer == Err(RestoreError::Invalid("what a state remembers")));
            }
        }
        assert!(refused >= 4, "{refused}");
    }
}

#[test]
fn without_history_nothing_is_kept() {
    let plain = remembering(History::None).instance.size_of_state();
    assert_eq!(remembering(History::Deep).instance.size_of_state(), plain + 4);
}

#[test]
fn the_deepest_state_is_left_through_every_state_around_it() {
    let depth = Limit::Nesting.value() - 1;
    let names: Vec<String> = (0..=depth).map(|index| format!("S{index}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (mut b, s) = machine(&names);
    let end = b.trigger("end");
    for pair in s.windows(2).skip(1) {
        b.inside(pair[0], &[pair[1]]);
    }
    for outer in &s[1..depth] {
        let condition = b.is(end);
        let triggers = b.consumes(&[end]);
        let way = Transition { triggers, ..leave(Some(condition)) };
        b.rows.states[outer.index()].done = b.transitions(&[way]);
    }
    let exit = b.on(end, s[0]);
    let exit = Transition { target: Target::Exit, ..exit };
    b.from(s[depth], &[exit]);
    let go = b.trigger("go");
    let enter = b.on(go, s[1]);
    b.from(s[0], &[enter]);
    let mut world = World::new(b);
    world.fire("go");
    assert_eq!(world.tick(TICK).len(), 1 + depth);
    assert_eq!(world.state(), format!("S{depth}"));
    world.fire("end");
    assert_eq!(world.tick(TICK).len(), depth + 1);
    assert_eq!(world.state(), "S0");
    assert_eq!(world.instance.get_by_name("end"), Ok(motix_vm::Value::Trigger(false)));
}

#[test]
fn candidates_of_many_sources_come_by_priority_then_from_the_inside() {
    // A chain of five states, each with transitions of priorities that interleave.
    let (mut b, s) = machine(&["A", "B", "C", "D", "E", "T0", "T1", "T2", "T3", "T4", "T5", "T6"]);
    for pair in s[..5].windows(2) {
        b.inside(pair[0], &[pair[1]]);
    }
    let level = b.number("level", 0.0);
    // Which one is to be taken, in the order that is expected: the conditions let all from there on hold.
    let from = |b: &mut Builder, place: usize| {
        let value = place as f32 + 0.5;
        Some(b.condition(&[Op::Param { param: level }, Op::Number { value }, Op::Less]))
    };
    let conditions: Vec<_> = (0..7).map(|place| from(&mut b, place)).collect();
    b.rows.machines[0].any = b.transitions(&[to(s[5], conditions[0], 9), to(s[8], conditions[3], 1)]);
    b.rows.states[s[2].index()].any = b.transitions(&[to(s[7], conditions[2], 1)]);
    b.from(s[0], &[to(s[6], conditions[1], 2)]);
    b.from(s[4], &[to(s[9], conditions[4], 1), to(s[11], conditions[6], -3)]);
    b.from(s[3], &[to(s[10], conditions[5], 1)]);
    let tables = b;
    for place in 0..7 {
        let mut world = World::new(Builder { texts: tables.texts.clone(), rows: tables.rows.clone() });
        world.set("level", place as f32);
        world.tick(TICK);
        assert_eq!(world.state(), format!("T{place}"));
    }
}

#[test]
fn an_entry_asks_the_host_in_the_first_tick() {
    let (mut b, s) = machine(&["A", "B"]);
    let name = b.text("Wet");
    b.rows.externs.push(name);
    let wet = b.condition(&[Op::Extern { predicate: ExternId(0) }]);
    let ways = b.transitions(&[to(s[1], Some(wet), 0), to(s[0], None, 0)]);
    b.rows.machines[0].start = Start::Entry(ways);
    b.rows.machines[0].enter = true;
    let mut world = World::new(b);
    assert_eq!(world.state(), "A");
    let mut answer = |_, _| true;
    let mut host = motix_vm::Host { predicates: Some(&mut answer), globals: None };
    assert_eq!(world.tick_with(0.0, &mut host), ["Enter(B)"]);
    assert_eq!(world.state(), "B");
}

#[test]
fn what_the_host_said_of_a_layer_before_the_first_tick_stays() {
    let mut b = Builder::new("Test");
    let layers = [b.layer("Base"), b.layer("Upper"), b.layer("Head")];
    let s = b.machine(None, &["A", "B"]);
    let wet = b.flag("wet");
    let is = b.is(wet);
    let ways = b.transitions(&[to(s[1], Some(is), 0), to(s[0], None, 0)]);
    b.rows.machines[0].start = Start::Entry(ways);
    let off = [layers[1], layers[2]].map(|layer| Mark { layer, target: MarkTarget::Zero });
    b.rows.states[s[1].index()].marks = append(&mut b.rows.marks, &off);
    let mut world = World::new(b);
    world.set("wet", true);
    world.instance.set_layer_target(layers[2], 0.5).expect("it is a layer");
    world.tick(0.0);
    assert_eq!(world.instance.layer_weight(layers[1]), 0.0);
    world.tick(10.0);
    assert_eq!(world.instance.layer_weight(layers[2]), 0.5);
}

/// A machine fires `go` again in an action while others decide about it.
fn relay(place: usize) -> World {
    let mut b = Builder::new("Test");
    let layers = [b.layer("one"), b.layer("two"), b.layer("three")];
    let (go, other) = (b.trigger("go"), b.trigger("other"));
    for (index, layer) in layers.into_iter().enumerate() {
        if index == place {
            let s = b.machine(Some(layer), &["Wait", "Fired"]);
            let actions = b.actions(&[Op::Fire { param: go }]);
            let fire = Transition { actions: Some(actions), ..b.on(other, s[1]) };
            b.from(s[0], &[fire]);
        } else {
            let s = b.machine(Some(layer), &["None", "Once", "Twice"]);
            for pair in s.windows(2) {
                let hop = b.on(go, pair[1]);
                b.from(pair[0], &[hop]);
            }
        }
    }
    World::new(b)
}

#[test]
fn a_trigger_fired_again_is_armed_anew_whatever_the_order_of_machines() {
    for place in 0..3 {
        let mut world = relay(place);
        world.fire("go");
        world.fire("other");
        world.tick(TICK);
        let others: Vec<u16> = (0..3).filter(|machine| usize::from(*machine) != place).collect();
        for machine in &others {
            assert_eq!(world.state_of(*machine), "Once", "{place}");
        }
        assert_eq!(world.instance.get_by_name("go"), Ok(motix_vm::Value::Trigger(true)), "{place}");
        world.tick(TICK);
        for machine in &others {
            assert_eq!(world.state_of(*machine), "Twice", "{place}");
        }
        assert_eq!(world.instance.get_by_name("go"), Ok(motix_vm::Value::Trigger(false)), "{place}");
    }
}

#[test]
fn fired_twice_by_one_list_a_trigger_is_fired_once() {
    let mut b = Builder::new("Test");
    let layers = [b.layer("one"), b.layer("two")];
    let (go, other) = (b.trigger("go"), b.trigger("other"));
    let one = b.machine(Some(layers[0]), &["Wait", "Fired"]);
    let two = b.machine(Some(layers[1]), &["None", "Once", "Twice"]);
    let fire = Op::Fire { param: go };
    let actions = b.actions(&[fire, fire]);
    let fires = Transition { actions: Some(actions), ..b.on(other, one[1]) };
    b.from(one[0], &[fires]);
    for pair in two.windows(2) {
        let hop = b.on(go, pair[1]);
        b.from(pair[0], &[hop]);
    }
    let mut world = World::new(b);
    world.fire("other");
    world.ticks(3, TICK);
    assert_eq!(world.state_of(1), "Once");
}

#[test]
fn a_gate_that_a_kept_motion_has_just_passed_waits_for_the_next_time() {
    let mut b = Builder::new("Test");
    b.layer("Base");
    let clip = b.animation("Loop", LayerId(0));
    let s = b.machine(None, &["Outer", "A", "B"]);
    b.inside(s[0], &s[1..]);
    b.rows.motions.push(Motion { kind: crate::support::clip(clip), speed: None });
    b.rows.states[s[0].index()].motion = Some(MotionId(0));
    let gate = Gate { exit: Some(Place::Ratio(0.5)), ..Gate::default() };
    for (from, target) in [(s[1], s[2]), (s[2], s[1])] {
        b.from(from, &[Transition { gate, ..to(target, None, 0) }]);
    }
    let mut world = World::new(b);
    let mut moves = |dt: f32| -> Vec<String> {
        let events = world.tick(dt);
        events.into_iter().filter(|event| !event.starts_with("Loop")).collect()
    };
    assert_eq!(moves(0.6), ["Exit(A)", "Enter(B)"]);
    assert_eq!(moves(0.8), [""; 0]);
    assert_eq!(moves(0.2), ["Exit(B)", "Enter(A)"]);
    // Each passing moves it once, in one long tick too.
    assert_eq!(moves(4.0).len(), 8);
}

#[test]
fn an_exit_that_cannot_lead_out_is_not_waited_for() {
    let mut b = Builder::new("Test");
    b.layer("Base");
    let clip = b.animation("Loop", LayerId(0));
    let s = b.machine(None, &["Outer", "A", "Done"]);
    b.inside(s[0], &s[1..2]);
    b.rows.motions.push(Motion { kind: crate::support::clip(clip), speed: None });
    b.rows.states[s[1].index()].motion = Some(MotionId(0));
    let open = b.flag("open");
    let is = b.is(open);
    b.rows.states[s[0].index()].done = b.transitions(&[to(s[2], Some(is), 0)]);
    let gate = Gate { exit: Some(Place::Ratio(1.0)), ..Gate::default() };
    b.from(s[1], &[Transition { gate, ..leave(None) }]);
    let mut world = World::new(b);
    // Many more ends than a tick has moments.
    assert_eq!(world.tick(100_000.5), ["Loop(Loop) x100000"]);
    world.set("open", true);
    world.tick(0.6);
    assert_eq!(world.state(), "Done");
}
