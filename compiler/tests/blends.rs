//! Blends from source to samples: whatever the points are, weights sum to 1, move as slowly as their input, and depend
//! on positions alone.

mod common;

use std::collections::BTreeMap;

use motix_vm::ids::BehaviorId;
use motix_vm::{Frame, Instance, Setup};

/// A sequence of numbers that is the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for index in (1..list.len()).rev() {
            list.swap(index, self.below(index as u64 + 1) as usize);
        }
    }
}

/// An instance whose one state blends these entries, and the names of its animations by id.
struct Blend {
    instance: Instance,
    frame: Frame,
    names: Vec<String>,
}

impl Blend {
    fn new(head: &str, entries: &[(String, String)]) -> Self {
        let names: Vec<String> = entries.iter().map(|(_, name)| name.clone()).collect();
        let list: Vec<String> = entries.iter().map(|(key, name)| format!("{key}: {name}")).collect();
        let text = format!(
            "Behavior X {{ Param x, y: number Animation {} {{ Duration 1s Looped }}
             InitialState S State S {{ {head} {{ {} }} }} }}",
            names.join(", "),
            list.join(" ")
        );
        let compiled = common::compile(&text);
        let Some(program) = &compiled.program else { panic!("{:?}\n{text}", common::codes(&compiled)) };
        let setup = Setup::default();
        let instance = Instance::new(program, BehaviorId(0), &setup).unwrap();
        Self { instance, frame: Frame::new(), names }
    }

    fn weights(&mut self, x: f32, y: f32) -> BTreeMap<String, f32> {
        self.instance.set("x", x).unwrap();
        self.instance.set("y", y).unwrap();
        self.instance.tick(0.01, &mut self.frame).unwrap();
        let samples = self.instance.samples();
        samples.map(|sample| (self.names[sample.animation.index()].clone(), sample.weight)).collect()
    }
}

/// Walks the input along a line through and around the points, in small steps.
fn walk(head: &str, mut entries: Vec<(String, String)>, dice: &mut Dice) {
    let mut one = Blend::new(head, &entries);
    dice.shuffle(&mut entries);
    let mut other = Blend::new(head, &entries);
    let mut place = || dice.below(8001) as f32 / 1000.0 - 4.0;
    let (mut x, mut y, to_x, to_y) = (place(), place(), place(), place());
    let way = (to_x - x).hypot(to_y - y).max(0.1);
    let mut before: Option<BTreeMap<String, f32>> = None;
    for _ in 0..(way * 100.0) as usize {
        x += (to_x - x) / way * 0.01;
        y += (to_y - y) / way * 0.01;
        let weights = one.weights(x, y);
        assert_eq!(weights, other.weights(x, y), "{head} {entries:?} at {x} {y}");
        let sum: f32 = weights.values().sum();
        assert!((sum - 1.0).abs() < 1e-5, "{head} {entries:?} at {x} {y}: {weights:?}");
        for name in &one.names {
            let of = |weights: &BTreeMap<String, f32>| weights.get(name).copied().unwrap_or(0.0);
            let moved = before.as_ref().map_or(0.0, |before| (of(&weights) - of(before)).abs());
            // No triangle between points on a grid is lower than a sixth of a step, with a longest edge of six.
            assert!(moved <= 0.0601, "{head} {entries:?} at {x} {y}: {name} moved by {moved}");
        }
        before = Some(weights);
    }
}

#[test]
fn weights_in_the_plane_are_continuous_and_depend_on_positions_alone() {
    let mut dice = Dice(3);
    for _ in 0..30 {
        let mut places: Vec<(i64, i64)> = (-2..=2).flat_map(|x| (-2..=2).map(move |y| (x, y))).collect();
        dice.shuffle(&mut places);
        places.truncate(1 + dice.below(9) as usize);
        let entry = |(index, (x, y)): (usize, &(i64, i64))| (format!("({x}, {y})"), format!("A{index}"));
        let entries = places.iter().enumerate().map(entry).collect();
        walk("Blend2D x, y", entries, &mut dice);
    }
}

#[test]
fn weights_along_a_line_are_continuous_and_depend_on_positions_alone() {
    let mut dice = Dice(5);
    for _ in 0..30 {
        let mut places: Vec<i64> = (-9..=9).collect();
        dice.shuffle(&mut places);
        places.truncate(1 + dice.below(6) as usize);
        let entry = |(index, x): (usize, &i64)| ((*x as f32 / 3.0).to_string(), format!("A{index}"));
        let entries = places.iter().enumerate().map(entry).collect();
        walk("Blend1D x", entries, &mut dice);
    }
}
