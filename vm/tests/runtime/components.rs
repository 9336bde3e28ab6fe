//! Components: each runs as an instance of its behavior would, in the block and under the hand of the one around it.

use std::sync::Arc;

use motix_vm::error::{CreateError, RestoreError, SetError, TickError};
use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::Program;
use motix_vm::program::tables::*;
use motix_vm::{ComponentMut, EventKind, Frame, Host, Instance, Sample, Setup, StopMode, Value};

use crate::random::{Dice, Shape, behavior};
use crate::sketch::*;
use crate::support::{Builder, program};

const FIRST: ComponentId = ComponentId(1);
const SECOND: ComponentId = ComponentId(2);

/// The behavior of the builder, twice inside another that has nothing itself but what `ties` share with the first.
pub(crate) fn two_inside(mut b: Builder, ties: &[(&str, Type, Direction)]) -> Arc<Program> {
    let inner = std::mem::take(&mut b.rows);
    b.rows.name = b.text("Outer");
    b.layer("Base");
    for (index, (name, ty, direction)) in ties.iter().enumerate() {
        let initial = if *ty == Type::Text { b.text("none").0 } else { 0 };
        let param = b.param(name, *ty, initial);
        let of = b.text(name);
        let inner = inner.params.iter().position(|param| param.name == of).expect("it has the parameter");
        assert_eq!(param.index(), index);
        b.rows.binds.push(Bind { param, inner: ParamId(inner as u16), direction: *direction });
    }
    let binds = Run { first: 0, count: ties.len() as u32 };
    for (name, binds) in [("first", binds), ("second", Run { first: binds.count, count: 0 })] {
        let name = b.text(name);
        b.rows.components.push(Component { name, behavior: BehaviorId(1), target: name, binds });
    }
    Arc::new(program(Tables { texts: b.texts, behaviors: vec![b.rows, inner], debug: None }))
}

fn instance(program: &Arc<Program>, seed: u64) -> Instance {
    let setup = Setup { seed, ..Setup::default() };
    Instance::new(program, BehaviorId(0), &setup).expect("it can be made")
}

/// The seed of a component, as it is to be on every platform and for ever.
fn seed_inside(outer: u64, name: &str) -> u64 {
    let hash = name.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    let z = (outer ^ hash).wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// What a host may do between ticks, to an instance or a component alike.
macro_rules! touch {
    ($dice:expr, $part:expr, $rows:expr) => {{
        let dice: &mut Dice = $dice;
        let mut part = $part;
        match dice.below(8) {
            0 => part.set("n0", dice.number(2.0)).expect("it fits"),
            1 => part.set("n1", dice.number(2.0)).expect("it fits"),
            2 => part.set("f0", dice.chance(50)).expect("it fits"),
            3 => part.set("text", ["none", "a text of the host"][dice.below(2)]).expect("it fits"),
            4 => part.set(["t0", "t1", "t2"][dice.below(3)], true).expect("it fits"),
            5 => part.play(AnimationId(dice.below($rows.animations.len()) as u16)).expect("it is there"),
            6 => {
                let mode = if dice.chance(50) { StopMode::FadeOut } else { StopMode::Immediate };
                part.stop(AnimationId(dice.below($rows.animations.len()) as u16), mode).expect("it is there");
            }
            _ => {
                let state = StateId(dice.below($rows.states.len()) as u16);
                part.request(state, dice.below(3) as i32).expect("it is there");
            }
        }
    }};
}

fn kinds(frame: &Frame, component: ComponentId) -> Vec<(u32, EventKind, u32)> {
    let own = frame.events().iter().filter(|event| event.component == component);
    own.map(|event| (event.offset.to_bits(), event.kind, event.count)).collect()
}

#[test]
fn a_component_runs_as_an_instance_does() {
    let mut events = 0;
    for seed in 0..60 {
        let mut dice = Dice::new(700 + seed);
        let program = two_inside(behavior(&mut dice, Shape { timed: true }), &[]);
        let mut whole = instance(&program, seed);
        let setup = Setup { seed: seed_inside(seed, "second"), ..Setup::default() };
        let mut alone = Instance::new(&program, BehaviorId(1), &setup).expect("it can be made");
        let rows = &program.behaviors()[1];
        let mut frames = [Frame::new(), Frame::new()];
        for _ in 0..60 {
            for _ in 0..dice.below(4) {
                let mut same = dice.clone();
                touch!(&mut same, alone.component_mut(ComponentId::ROOT).expect("it is there"), rows);
                touch!(&mut dice, whole.component_mut(SECOND).expect("it is there"), rows);
            }
            let dt = [0.0, 0.001, 1.0 / 60.0, 0.7][dice.below(4)];
            whole.tick(dt, &mut frames[0]).expect("it ticks");
            alone.tick(dt, &mut frames[1]).expect("it ticks");
            assert_eq!(kinds(&frames[0], SECOND), kinds(&frames[1], ComponentId::ROOT), "seed {seed}");
            events += frames[1].events().len();
            let inside = whole.component(SECOND).expect("it is there");
            let root = |sample: Sample| Sample { component: ComponentId::ROOT, ..sample };
            assert!(inside.samples().map(root).eq(alone.samples()));
            let seen = whole.samples().filter(|sample| sample.component == SECOND);
            assert!(seen.map(root).eq(alone.samples()));
            for machine in (0..rows.machines.len()).map(|index| MachineId(index as u16)) {
                assert_eq!(inside.state(machine), alone.state(machine));
                assert_eq!(inside.elapsed(machine), alone.elapsed(machine));
            }
            for param in (0..rows.params.len()).map(|index| ParamId(index as u16)) {
                assert_eq!(inside.get(param), alone.get(param));
            }
        }
    }
    assert!(events > 1000, "{events}");
}

#[test]
fn events_stay_in_the_order_of_time() {
    let mut mixed = 0;
    for seed in 0..60 {
        let mut dice = Dice::new(40 + seed);
        let program = two_inside(behavior(&mut dice, Shape { timed: false }), &[]);
        let mut whole = instance(&program, seed);
        let rows = &program.behaviors()[1];
        let mut frame = Frame::new();
        for _ in 0..20 {
            for id in [FIRST, SECOND] {
                touch!(&mut dice, whole.component_mut(id).expect("it is there"), rows);
            }
            whole.tick(0.6, &mut frame).expect("it ticks");
            for pair in frame.events().windows(2) {
                assert!(pair[0].offset <= pair[1].offset);
                if pair[0].offset == pair[1].offset && pair[0].offset > 0.0 {
                    assert!(pair[0].component <= pair[1].component);
                }
                mixed += usize::from(pair[0].component > pair[1].component);
            }
        }
    }
    assert!(mixed > 50, "{mixed}");
}

const TIES: [(&str, Type, Direction); 6] = [
    ("n0", Type::Number, Direction::Down),
    ("n1", Type::Number, Direction::Both),
    ("f0", Type::Bool, Direction::Up),
    ("t0", Type::Trigger, Direction::Both),
    ("t1", Type::Trigger, Direction::Down),
    ("text", Type::Text, Direction::Both),
];

fn set_some(dice: &mut Dice, part: &mut ComponentMut<'_>) {
    match dice.below(5) {
        0 => part.set("n0", dice.number(2.0)).expect("it fits"),
        1 => part.set("n1", dice.number(2.0)).expect("it fits"),
        2 => part.set("f0", dice.chance(50)).expect("it fits"),
        3 => part.set("text", ["none", "one", "two"][dice.below(3)]).expect("it fits"),
        _ => part.set(["t0", "t1"][dice.below(2)], true).expect("it fits"),
    }
}

#[test]
fn what_is_tied_is_equal_after_each_tick_and_saves_go_on_bit_for_bit() {
    for seed in 0..40 {
        let mut dice = Dice::new(90 + seed);
        let program = two_inside(behavior(&mut dice, Shape { timed: true }), &TIES);
        let mut one = instance(&program, seed);
        let mut frames = [Frame::new(), Frame::new()];
        for _ in 0..40 {
            for _ in 0..dice.below(4) {
                let id = ComponentId(dice.below(2) as u32);
                set_some(&mut dice, &mut one.component_mut(id).expect("it is there"));
            }
            let save = one.save();
            let mut two = instance(&program, 99);
            two.restore(&save).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            assert_eq!(two.save(), save);
            let dt = [0.0, 1.0 / 60.0, 0.3][dice.below(3)];
            one.tick(dt, &mut frames[0]).expect("it ticks");
            two.tick(dt, &mut frames[1]).expect("it ticks");
            assert_eq!(frames[0].events(), frames[1].events());
            assert_eq!(one.save(), two.save());
            let inside = one.component(FIRST).expect("it is there");
            for name in ["n1", "f0", "text"] {
                assert_eq!(one.get_by_name(name), inside.get_by_name(name), "seed {seed}: {name}");
            }
        }
    }
}

#[test]
fn a_damaged_save_is_refused_or_is_a_state_like_any_other() {
    let (mut refused, mut taken) = (0, 0);
    for seed in 0..20 {
        let mut dice = Dice::new(60 + seed);
        let program = two_inside(behavior(&mut dice, Shape { timed: true }), &TIES);
        let mut one = instance(&program, seed);
        let mut frame = Frame::new();
        one.set("text", "a text of the host").expect("it fits");
        for _ in 0..10 {
            set_some(&mut dice, &mut one.component_mut(FIRST).expect("it is there"));
            one.tick(0.1, &mut frame).expect("it ticks");
        }
        one.component_mut(SECOND).expect("it is there").play(AnimationId(0)).expect("it is there");
        let save = one.save();
        for _ in 0..200 {
            let mut bytes = save.clone();
            for _ in 0..1 + dice.below(3) {
                let place = 16 + dice.below(bytes.len() - 16);
                bytes[place] ^= 1 << dice.below(8);
            }
            let mut other = one.clone();
            if other.restore(&bytes).is_err() {
                assert_eq!(other.save(), save);
                refused += 1;
                continue;
            }
            taken += 1;
            for _ in 0..5 {
                other.tick(0.1, &mut frame).expect("it ticks");
                one.clone().restore(&other.save()).expect("what runs can be saved");
            }
        }
        let cut = save.len() - dice.below(save.len());
        assert!(one.clone().restore(&save[..cut - 1]).is_err());
    }
    assert!(refused > 100 && taken > 100, "{refused} refused, {taken} taken");
}

/// A behavior with a trigger, an animation without a length and a predicate of the host.
fn asker() -> Builder {
    let mut b = Builder::new("Asker");
    let base = b.layer("Base");
    let wave = b.animation("Wave", base);
    b.row(wave).duration = None;
    let near = b.text("IsNear");
    b.rows.externs.push(near);
    b.trigger("go");
    let [far, close] = b.machine(None, &["Far", "Close"])[..] else { unreachable!() };
    let condition = b.condition(&[Op::Extern { predicate: ExternId(0) }]);
    b.from(far, &[crate::support::to(close, Some(condition), 0)]);
    b
}

#[test]
fn clips_are_named_through_their_component() {
    let mut b = asker();
    let asset = b.text("wave.glb");
    b.rows.animations[0].asset = asset;
    let program = two_inside(b, &[]);
    let outer = program.find("Outer").expect("it is there");
    for component in [FIRST, SECOND] {
        let clip = outer.clip(component, AnimationId(0)).expect("it is there");
        assert_eq!((clip.name, clip.asset), ("Wave", "wave.glb"));
    }
    // The outer behavior has no animation itself, and no third component.
    assert_eq!(outer.clip(ComponentId::ROOT, AnimationId(0)), None);
    assert_eq!(outer.clip(ComponentId(3), AnimationId(0)), None);
    assert_eq!(outer.clip(FIRST, AnimationId(1)), None);
}

#[test]
fn what_the_host_owes_is_listed_by_path_and_given_by_component() {
    let program = two_inside(asker(), &[]);
    let missing = Instance::new(&program, BehaviorId(0), &Setup::default()).map(|_| ());
    let names = vec!["first.Wave".to_owned(), "second.Wave".to_owned()];
    assert_eq!(missing, Err(CreateError::MissingDurations(names)));
    let wave = AnimationId(0);
    let give = |durations: &[(ComponentId, AnimationId, f32)]| {
        let setup = Setup { component_durations: durations, ..Setup::default() };
        Instance::new(&program, BehaviorId(0), &setup)
    };
    let given = |durations: &[(ComponentId, AnimationId, f32)]| give(durations).map(|_| ());
    let lacking = CreateError::MissingDurations(vec!["second.Wave".to_owned()]);
    assert_eq!(given(&[(FIRST, wave, 1.0)]), Err(lacking));
    let bad = CreateError::BadDuration { name: "first.Wave".to_owned(), seconds: -1.0 };
    assert_eq!(given(&[(FIRST, wave, -1.0)]), Err(bad));
    assert_eq!(given(&[(ComponentId(3), wave, 1.0)]), Err(CreateError::UnknownComponent(ComponentId(3))));
    assert_eq!(given(&[(FIRST, AnimationId(1), 1.0)]), Err(CreateError::UnknownAnimation(1)));
    let mut whole = give(&[(FIRST, wave, 1.0), (SECOND, wave, 2.0)]).expect("all are given");

    let mut frame = Frame::new();
    let names = vec!["first.IsNear".to_owned(), "second.IsNear".to_owned()];
    assert_eq!(whole.tick(0.1, &mut frame), Err(TickError::NoPredicates(names)));
    let mut asked = Vec::new();
    let mut answer = |component, predicate: ExternId| {
        asked.push((component, predicate));
        component == SECOND
    };
    let mut host = Host { predicates: Some(&mut answer), globals: None };
    whole.tick_with(0.1, &mut host, &mut frame).expect("it ticks");
    assert_eq!(asked, [(FIRST, ExternId(0)), (SECOND, ExternId(0))]);
    let state = |id| whole.component(id).and_then(|part| part.state(MachineId(0)));
    assert_eq!([state(FIRST), state(SECOND)], [Some(StateId(0)), Some(StateId(1))]);
}

#[test]
fn handles_do_what_an_instance_does() {
    let program = two_inside(humanoid(), &[]);
    let outer = program.find("Outer").expect("it is there");
    assert_eq!(outer.component("second"), Ok(SECOND));
    let mut whole = instance(&program, 0);
    assert!(whole.component(ComponentId(3)).is_none());
    assert!(whole.component_mut(ComponentId(3)).is_none());
    assert_eq!(whole.component(ComponentId::ROOT).map(|part| part.id()), Some(ComponentId::ROOT));
    assert_eq!(whole.size_of_state(), program.layout(BehaviorId(0)).map_or(0, |layout| layout.bytes()));

    let mut second = whole.component_mut(SECOND).expect("it is there");
    second.set("moveMagnitude", 1.0).expect("it fits");
    assert_eq!(
        second.set("moveMagnitude", f32::NAN),
        Err(SetError::NotFinite { name: "moveMagnitude".to_owned() })
    );
    assert!(matches!(second.set("moveMagnitud", 1.0), Err(SetError::Unknown(_))));
    second.play(AnimationId(3)).expect("it is there");
    assert!(second.play(AnimationId(4)).is_err());
    assert!(second.playing(AnimationId(3)));
    assert!(!whole.component(FIRST).expect("it is there").playing(AnimationId(3)));

    // What a command did is reported first, with the component that it was about.
    let mut frame = Frame::new();
    whole.tick(0.1, &mut frame).expect("it ticks");
    let events: Vec<_> = frame.events().iter().map(|event| (event.component, event.kind)).collect();
    assert_eq!(events[0], (SECOND, EventKind::Play { animation: AnimationId(3) }));
    assert!(events.contains(&(SECOND, EventKind::Enter { machine: MachineId(0), state: StateId(1) })));
    assert!(events.iter().all(|(component, _)| *component == SECOND));
    let second = whole.component(SECOND).expect("it is there");
    assert_eq!(second.get_by_name("moveMagnitude"), Ok(Value::Number(1.0)));
    assert!(whole.get_by_name("moveMagnitude").is_err());
    assert_eq!(whole.own_samples().count(), 0);

    // Reports of commands are in a save, with their component.
    whole.component_mut(FIRST).expect("it is there").play(AnimationId(2)).expect("it is there");
    let save = whole.save();
    let mut other = instance(&program, 0);
    other.restore(&save).expect("it is of the same program");
    other.tick(0.0, &mut frame).expect("it ticks");
    assert_eq!(frame.events()[0].component, FIRST);
    let mut odd = save.clone();
    let last = odd.len() - 4;
    odd[last] = 3;
    assert_eq!(other.restore(&odd), Err(RestoreError::Invalid("a report")));
}

#[test]
fn a_quiet_component_costs_no_decisions_and_wakes_up() {
    let program = two_inside(humanoid(), &[("moveMagnitude", Type::Number, Direction::Down)]);
    let mut whole = instance(&program, 0);
    let mut frame = Frame::new();
    for _ in 0..10 {
        whole.tick(0.05, &mut frame).expect("it ticks");
    }
    let state = |whole: &Instance| whole.component(FIRST).and_then(|part| part.state(MachineId(0)));
    assert_eq!(state(&whole), Some(StateId(0)));
    whole.set("moveMagnitude", 1.0).expect("it fits");
    whole.tick(0.05, &mut frame).expect("it ticks");
    assert_eq!(state(&whole), Some(StateId(1)));
    assert_eq!(whole.component(SECOND).and_then(|part| part.state(MachineId(0))), Some(StateId(0)));
    // Time goes on in those that have nothing to decide.
    assert!((whole.component(SECOND).map_or(0.0, |part| part.elapsed(MachineId(0))) - 0.55).abs() < 1e-4);
}
