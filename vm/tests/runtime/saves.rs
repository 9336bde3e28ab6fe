//! Saves: whose they are, and that nothing damaged gets in.

use motix_vm::error::RestoreError;
use motix_vm::ids::*;
use motix_vm::program::tables::{Bind, Component, Direction, Run, Tables, Type};
use motix_vm::{Frame, Instance, Setup, StopMode};

use crate::random::{Dice, Shape, behavior, call, tick};
use crate::sketch::humanoid;
use crate::support::program;
use crate::world::World;

#[test]
fn a_save_that_lost_reports_and_has_none_is_refused() {
    let mut world = World::new(humanoid());
    let mut save = world.instance.save();
    let lost = save.len() - 4;
    save[lost] = 1;
    assert_eq!(world.instance.restore(&save), Err(RestoreError::Invalid("a report")));
}

#[test]
fn a_save_of_another_program_is_refused() {
    let mut other = humanoid();
    other.rows.animations[0].fade_in = 0.7;
    let (other, mut world) = (World::new(other), World::new(humanoid()));
    let saved = other.program.hash();
    let here = world.program.hash();
    assert_eq!(
        world.instance.restore(&other.instance.save()),
        Err(RestoreError::OtherProgram { saved, here })
    );
}

#[test]
fn what_is_no_save_is_refused() {
    let mut world = World::new(humanoid());
    let save = world.instance.save();
    assert_eq!(world.instance.restore(b""), Err(RestoreError::NotASave));
    assert_eq!(world.instance.restore(b"nothing of the kind"), Err(RestoreError::NotASave));
    for len in 4..save.len() {
        assert!(world.instance.restore(&save[..len]).is_err());
    }
    let mut longer = save.clone();
    longer.push(0);
    assert_eq!(world.instance.restore(&longer), Err(RestoreError::Length));
    let mut newer = save.clone();
    newer[4] = 9;
    assert_eq!(world.instance.restore(&newer), Err(RestoreError::Version(9)));
    assert_eq!(world.instance.save(), save);
}

#[test]
fn host_texts_and_reports_are_saved() {
    let mut b = humanoid();
    let none = b.text("none");
    b.param("weapon", Type::Text, none.0);
    let mut world = World::new(b);
    world.set("weapon", "an axe");
    world.play("Jump");
    world.stop("Jump", StopMode::FadeOut);
    let save = world.instance.save();
    world.set("weapon", "none");
    world.ticks(3, 0.1);
    world.instance.restore(&save).expect("it is a save");
    assert_eq!(world.instance.get_by_name("weapon"), Ok(motix_vm::Value::Text("an axe")));
    // A report holds nothing besides what it says.
    let mut odd = save.clone();
    let second = odd.len() - 12;
    odd[second] = 1;
    assert_eq!(world.instance.restore(&odd), Err(RestoreError::Invalid("a report")));
    assert_eq!(world.tick(0.01), ["Play(Jump)", "Stop(Jump)"]);
}

#[test]
fn a_damaged_save_is_refused_or_is_a_state_like_any_other() {
    let (mut refused, mut taken) = (0, 0);
    for seed in 0..40 {
        let mut dice = Dice::new(300 + seed);
        let program = std::sync::Arc::new(program(behavior(&mut dice, Shape { timed: true }).tables()));
        let setup = Setup { seed: 1, ..Setup::default() };
        let mut instance = Instance::new(&program, BehaviorId(0), &setup).expect("it can be made");
        let mut frame = Frame::new();
        for _ in 0..20 {
            call(&mut dice, &mut instance);
            tick(&mut dice, &mut instance, &mut frame);
        }
        let save = instance.save();
        for _ in 0..200 {
            let mut bytes = save.clone();
            for _ in 0..1 + dice.below(3) {
                let place = 16 + dice.below(bytes.len() - 16);
                bytes[place] =
                    if dice.chance(50) { bytes[place] ^ 1 << dice.below(8) } else { dice.below(256) as u8 };
            }
            let mut other = instance.clone();
            if other.restore(&bytes).is_err() {
                assert_eq!(other.save(), save);
                refused += 1;
                continue;
            }
            taken += 1;
            for _ in 0..5 {
                call(&mut dice, &mut other);
                tick(&mut dice, &mut other, &mut frame);
                // It is a state that could have been saved.
                let again = other.save();
                instance.clone().restore(&again).expect("what runs can be saved");
            }
        }
    }
    assert!(refused > 100 && taken > 100, "{refused} refused, {taken} taken");
}

#[test]
fn a_hash_covers_what_a_save_holds() {
    let (mut same, mut other) = (0, 0);
    for seed in 0..40 {
        let mut dice = Dice::new(700 + seed);
        let program = std::sync::Arc::new(program(behavior(&mut dice, Shape { timed: true }).tables()));
        let setup = Setup { seed: 1, ..Setup::default() };
        let mut instance = Instance::new(&program, BehaviorId(0), &setup).expect("it can be made");
        let (mut frame, mut before) = (Frame::new(), (instance.save(), instance.state_hash()));
        let mut copy = instance.clone();
        for _ in 0..60 {
            call(&mut dice, &mut instance);
            if dice.chance(50) {
                tick(&mut dice, &mut instance, &mut frame);
            }
            let now = (instance.save(), instance.state_hash());
            assert_eq!(now.0 == before.0, now.1 == before.1, "seed {seed}");
            if now == before {
                same += 1
            } else {
                other += 1
            }
            // A copy that was read from bytes knows less of what it need not decide.
            copy.restore(&now.0).expect("it is a save");
            assert_eq!(copy.state_hash(), now.1, "seed {seed}");
            copy.clone_from(&instance);
            assert_eq!((copy.save(), copy.state_hash()), now, "seed {seed}");
            before = now;
        }
    }
    assert!(same > 100 && other > 1000, "{same} alike, {other} not");
}

#[test]
fn a_hash_sees_every_bit_of_a_save() {
    let mut world = World::new(humanoid());
    world.set("moveMagnitude", 1.0);
    world.ticks(3, 0.04);
    world.play("Jump");
    let (save, hash) = (world.instance.save(), world.instance.state_hash());
    let mut seen = std::collections::BTreeSet::from([hash]);
    let mut taken = 0;
    for bit in 128..save.len() * 8 {
        let mut bytes = save.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if world.instance.restore(&bytes).is_ok() && world.instance.save() != save {
            taken += 1;
            assert!(seen.insert(world.instance.state_hash()), "bit {bit}");
        }
    }
    assert!(taken > 100, "{taken}");
}

#[test]
fn a_component_has_a_hash_of_its_own() {
    let mut b = humanoid();
    let inner = std::mem::take(&mut b.rows);
    b.rows.name = b.text("Outer");
    b.layer("Base");
    b.number("speed", 0.0);
    for (index, name) in ["first", "second"].into_iter().enumerate() {
        let name = b.text(name);
        let binds = Run { first: 0, count: 1 - index as u32 };
        b.rows.components.push(Component { name, behavior: BehaviorId(1), target: name, binds });
    }
    b.rows.binds.push(Bind { param: ParamId(0), inner: ParamId(0), direction: Direction::Down });
    let tables = Tables { texts: b.texts, behaviors: vec![b.rows, inner], debug: None };
    let program = std::sync::Arc::new(program(tables));
    let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
    let mut alone = Instance::new(&program, BehaviorId(1), &Setup::default()).expect("it can be made");
    let mut frame = Frame::new();
    let hash = |instance: &Instance, id| instance.component(id).map(|part| part.state_hash());
    let [first, second] = [ComponentId(1), ComponentId(2)];
    instance.set("speed", 1.0).expect("it can be set");
    alone.set("moveMagnitude", 1.0).expect("it can be set");
    instance.tick(0.0, &mut frame).expect("it ticks");
    let rest = (hash(&instance, first), hash(&instance, second));
    instance.tick(0.1, &mut frame).expect("it ticks");
    assert_ne!(hash(&instance, first), rest.0, "it walks");
    assert_eq!(instance.component_mut(first).map(|part| part.state_hash()), hash(&instance, first));
    assert_ne!(hash(&instance, first), hash(&instance, second));
    assert_ne!(hash(&instance, first), Some(instance.state_hash()));
    assert_eq!(hash(&instance, ComponentId(3)), None);
}

#[test]
fn an_instance_can_be_sent_and_copied() {
    fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<Instance>();
    is_send_and_sync::<motix_vm::Program>();
    let mut world = World::new(humanoid());
    world.set("moveMagnitude", 1.0);
    let copy = world.instance.clone();
    world.tick(0.1);
    assert_eq!(world.state(), "Walk");
    assert_eq!(copy.state(MachineId(0)), Some(StateId(0)));
}
