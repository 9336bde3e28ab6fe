//! What fades out in several machines at once: they share their rows, and none is seen to make room for another as long
//! as it keeps no more than its share.

use std::collections::BTreeMap;

use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::*;
use motix_vm::{Sample, Setup};

use crate::motions::{clip, faded};
use crate::random::Dice;
use crate::sketch::Sketch;
use crate::support::{Builder, to};
use crate::world::{World, near};

const STATES: usize = 12;
const FADE: f32 = 0.5;

/// Machines in layers of their own, from the first of these numbers on: rings of states with looping clips, of which a
/// parameter says which is wanted, with crossfades between them all.
fn rings(machines: std::ops::Range<usize>) -> Builder {
    let mut b = Builder::new("Rings");
    let first = machines.start;
    for machine in machines {
        let layer = b.layer(&format!("Layer{machine}"));
        let wanted = b.number(&format!("to{machine}"), 0.0);
        let names: Vec<String> = (0..STATES).map(|state| format!("S{machine}_{state}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let states = b.machine((machine > first).then_some(layer), &names);
        let mut all = Vec::new();
        for (index, state) in states.iter().enumerate() {
            let duration = 0.7 + index as f32 * 0.1;
            let (id, motion) = clip(&mut b, &format!("c{machine}_{index}"), duration, LoopMode::Loop);
            b.row(id).layer = layer;
            b.rows.states[state.index()].motion = Some(motion);
            let place = index as f32;
            let is =
                b.condition(&[Op::Param { param: wanted }, Op::Number { value: place }, Op::EqualNumber]);
            all.push(faded(FADE, to(*state, Some(is), 0)));
        }
        let row = b.rows.machines.len() - 1;
        b.rows.machines[row].any = b.transitions(&all);
    }
    b
}

/// What a layer shows.
fn shown(world: &World, layer: usize) -> Vec<Sample> {
    world.instance.samples().filter(|sample| sample.layer.index() == layer).collect()
}

fn sum(samples: &[Sample]) -> f32 {
    samples.iter().map(|sample| sample.weight).sum()
}

#[test]
fn within_its_share_each_machine_shows_what_it_shows_alone() {
    // Places of four, eight and sixteen bits.
    for (machines, ticks) in [(1, 400), (2, 400), (3, 400), (5, 400), (9, 200), (140, 25)] {
        let mut dice = Dice::new(41_000 + machines as u64);
        let share = 8.max(2 * machines) / machines;
        let mut all = World::new(rings(0..machines));
        let mut alone: Vec<World> =
            (0..machines).map(|machine| World::new(rings(machine..machine + 1))).collect();
        let mut beyond = vec![false; machines];
        let mut before: BTreeMap<(usize, u32), f32> = BTreeMap::new();
        let (mut compared, mut dropped) = (0, 0);
        for tick in 0..ticks {
            let busy = if machines > 100 { 50 } else { [5, 15, 40][tick / 20 % 3] };
            for (machine, world) in alone.iter_mut().enumerate() {
                if dice.chance(busy) {
                    let to = dice.below(STATES) as f32;
                    world.set(&format!("to{machine}"), to);
                    all.set(&format!("to{machine}"), to);
                }
            }
            let dt = [1.0 / 60.0, 0.03][dice.below(2)];
            all.tick(dt);
            let mut fading = 0;
            let mut now = BTreeMap::new();
            for (machine, world) in alone.iter_mut().enumerate() {
                world.tick(dt);
                let (own, seen) = (shown(world, 0), shown(&all, machine));
                near(sum(&seen), 1.0);
                fading += seen.len() - 1;
                beyond[machine] = own.len() - 1 > share || beyond[machine] && own.len() > 1;
                if beyond[machine] {
                    dropped += usize::from(seen.len() < own.len());
                    continue;
                }
                let looks = |sample: &Sample| (sample.weight.to_bits(), sample.time.to_bits(), sample.cycle);
                let same = own.iter().map(looks).eq(seen.iter().map(looks));
                assert!(same, "{machines} machines, {machine}, tick {tick}:\n{own:?}\n{seen:?}");
                compared += own.len() - 1;
                for sample in &seen {
                    now.insert((machine, sample.key), sample.weight);
                    let was = before.get(&(machine, sample.key)).copied();
                    let most = dt / FADE + 1e-4;
                    assert!(was.is_none_or(|was| (was - sample.weight).abs() <= most), "{sample:?}");
                }
            }
            assert!(fading <= 8.max(2 * machines), "{machines} machines: {fading}");
            before = now;
        }
        assert!(compared > 20, "{machines} machines: {compared}");
        assert!(machines == 1 || dropped > 0, "{machines} machines");
    }
}

/// The weights of what fades out in the layers of two machines, newest last.
fn two(world: &World) -> [Vec<f32>; 2] {
    [0, 1].map(|layer| {
        let mut samples = shown(world, layer);
        near(sum(&samples), 1.0);
        samples.sort_by_key(|sample| sample.key);
        samples.pop();
        samples.iter().map(|sample| sample.weight).collect()
    })
}

#[test]
fn the_machine_that_keeps_the_most_gives_way() {
    let mut world = World::new(rings(0..2));
    let mut next = [0.0, 0.0];
    let mut turn = |world: &mut World, machine: usize| {
        next[machine] = (next[machine] + 1.0) % STATES as f32;
        world.set(&format!("to{machine}"), next[machine]);
        world.tick(0.02);
        two(world).map(|weights| weights.len())
    };
    for count in 1..=7 {
        assert_eq!(turn(&mut world, 0), [count, 0]);
    }
    assert_eq!(turn(&mut world, 1), [7, 1]);
    let [before, _] = two(&world);
    assert_eq!(turn(&mut world, 1), [6, 2]);
    // Its lightest is gone, and the others have its share. All of them faded by as much in that tick.
    let [after, _] = two(&world);
    let mut kept = before.clone();
    let lightest = (0..kept.len()).min_by(|a, b| kept[*a].total_cmp(&kept[*b])).unwrap_or(0);
    kept.remove(lightest);
    let scale = before.iter().sum::<f32>() / kept.iter().sum::<f32>();
    let faded = after.iter().sum::<f32>() / before.iter().sum::<f32>();
    assert!(kept.iter().zip(&after).all(|(was, is)| (was * scale * faded - is).abs() < 1e-5));
    assert_eq!(turn(&mut world, 1), [5, 3]);
    assert_eq!(turn(&mut world, 1), [4, 4]);
    // Whoever would keep more than the other gives way to itself.
    assert_eq!(turn(&mut world, 1), [4, 4]);
    assert_eq!(turn(&mut world, 0), [4, 4]);
    world.ticks(60, 0.02);
    assert_eq!(two(&world).map(|weights| weights.len()), [0, 0]);
    // And then there is room again.
    for count in 1..=8 {
        assert_eq!(turn(&mut world, 1), [0, count]);
    }
    assert_eq!(turn(&mut world, 1), [0, 8]);
}

/// Three machines in the middle of many fades.
fn busy(seed: u64) -> World {
    let mut dice = Dice::new(seed);
    let mut world = World::new(rings(0..3));
    for _ in 0..30 {
        world.set(&format!("to{}", dice.below(3)), dice.below(STATES) as f32);
        world.tick(0.02);
    }
    world
}

#[test]
fn no_save_makes_two_machines_share_a_row() {
    let world = busy(7);
    let save = world.instance.save();
    let mut accepted = 0;
    for bit in 16 * 8..save.len() * 8 {
        let mut bytes = save.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let mut other = World::new(rings(0..3));
        if other.instance.restore(&bytes).is_err() {
            continue;
        }
        accepted += 1;
        for _ in 0..40 {
            let mut keys: Vec<u32> = other.instance.samples().map(|sample| sample.key).collect();
            keys.sort_unstable();
            keys.dedup();
            // A changed key may be another's; that a row is missing or counts twice may not be.
            assert!(keys.len() + 1 >= other.instance.samples().count(), "bit {bit}");
            assert!((0..3).all(|layer| sum(&shown(&other, layer)) <= 1.01), "bit {bit}");
            other.tick(0.02);
        }
    }
    assert!(accepted > 100, "{accepted}");
}

#[test]
fn a_changed_program_with_less_room_keeps_the_share_of_each() {
    let mut world = World::new(rings(0..5));
    for turn in 1..=8 {
        world.set("to0", turn as f32);
        if turn > 6 {
            world.set("to1", turn as f32);
        }
        world.tick(0.02);
    }
    assert_eq!(two(&world).map(|weights| weights.len()), [8, 2]);
    let changed = World::new(rings(0..2));
    let setup = Setup::default();
    let (instance, report) =
        world.instance.migrate(&changed.program, BehaviorId(0), &setup).expect("it can be carried");
    let lost = report.lost.iter().filter(|lost| lost.what == "animation").count();
    let mut changed = World { instance, ..changed };
    assert_eq!((two(&changed).map(|weights| weights.len()), lost), ([6, 2], 2), "{report}");
    let (own, seen) = (shown(&world, 1), shown(&changed, 1));
    assert_eq!(
        own.iter().map(|sample| sample.weight).collect::<Vec<_>>(),
        seen.iter().map(|sample| sample.weight).collect::<Vec<_>>()
    );
    changed.ticks(40, 0.02);
    assert_eq!(two(&changed).map(|weights| weights.len()), [0, 0]);
}

#[test]
fn an_instance_pays_for_what_its_machines_may_keep() {
    let size = |machines: usize| World::new(rings(0..machines)).instance.size_of_state();
    // The pool has room for four; of the fifth it gets two rows.
    assert_eq!((size(5) - size(4)) - (size(4) - size(3)), 2 * 6 * 4);
}
