//! What is compared: many humanoids in some language, and how they are measured.
//!
//! Every way to write them is told the same and must reach the same states in every frame, and the same weights. The
//! processes that run Lua take this file too: it imports nothing of Motix.

use std::time::Instant;

use crate::workload::{DT, WARM_UP, inputs};

/// Instances whose states are compared in every frame, and whose weights are.
const COMPARED: usize = 1_000;
/// The frame after which weights are compared: many are in the middle of a fade.
const WEIGHED: usize = 27;

/// Many humanoids.
pub(crate) trait Machines {
    /// What a player wants of one.
    fn set(&mut self, index: usize, magnitude: f32, speed: f32);
    /// Ticks all of them once.
    fn tick(&mut self, dt: f32);
    /// Reads every clip that has a weight; false where it is not part of the comparison.
    fn samples(&mut self) -> bool;
    /// The position of one's state: idle, walk, run, jump.
    fn state(&mut self, index: usize) -> u8;
    /// The weight of one's clip of that state.
    fn weight(&mut self, index: usize, clip: u8) -> f32;
}

/// What was measured of one way to write them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) instances: usize,
    /// Nanoseconds an instance, for telling it and its tick: the median frame.
    pub(crate) tick: f64,
    /// The same with all samples read.
    pub(crate) samples: Option<f64>,
    /// A number for the states after each frame.
    pub(crate) states: Vec<u64>,
    pub(crate) weights: Vec<f32>,
}

/// Ticks the machines through `frames` frames after those that are not measured.
pub(crate) fn measure(name: &str, instances: usize, frames: usize, machines: &mut dyn Machines) -> Row {
    let mut row = Row { name: name.to_owned(), instances, ..Row::default() };
    let (mut ticks, mut reads) = (Vec::new(), Vec::new());
    for frame in 0..WARM_UP + frames {
        let told = inputs(frame, instances);
        let start = Instant::now();
        for (index, (magnitude, speed)) in told {
            machines.set(index, magnitude, speed);
        }
        machines.tick(DT);
        let ticked = start.elapsed().as_nanos() as f64;
        let start = Instant::now();
        let read = machines.samples();
        let read = read.then(|| start.elapsed().as_nanos() as f64);
        if frame >= WARM_UP {
            ticks.push(ticked);
            reads.extend(read.map(|read| ticked + read));
        }
        let states = (0..COMPARED).map(|index| machines.state(index));
        row.states.push(states.fold(0xCBF2_9CE4_8422_2325, |hash, state| {
            (hash ^ u64::from(state)).wrapping_mul(0x0000_0100_0000_01B3)
        }));
        if frame == WEIGHED {
            let all = (0..COMPARED).flat_map(|index| (0..4).map(move |clip| (index, clip)));
            row.weights = all.map(|(index, clip)| machines.weight(index, clip)).collect();
        }
    }
    row.tick = median(&mut ticks) / instances as f64;
    row.samples = (!reads.is_empty()).then(|| median(&mut reads) / instances as f64);
    row
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_unstable_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

impl Row {
    /// As a line between processes.
    #[allow(dead_code, reason = "only the processes that run Lua write lines")]
    pub(crate) fn line(&self) -> String {
        let list = |items: Vec<String>| items.join(" ");
        format!(
            "{}\t{}\t{}\t{}\t{}",
            self.name,
            self.instances,
            self.tick,
            list(self.states.iter().map(u64::to_string).collect()),
            list(self.weights.iter().map(f32::to_string).collect()),
        )
    }

    /// What `line` wrote.
    #[allow(dead_code, reason = "only the process that prints the table reads lines")]
    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut parts = line.split('\t');
        Some(Self {
            name: parts.next()?.to_owned(),
            instances: parts.next()?.parse().ok()?,
            tick: parts.next()?.parse().ok()?,
            samples: None,
            states: parts.next()?.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?,
            weights: parts.next()?.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?,
        })
    }

    /// Panics where the other went through other states, or stood at other weights.
    #[allow(dead_code, reason = "only the process that prints the table compares")]
    pub(crate) fn agree(&self, other: &Row) {
        for (frame, (a, b)) in self.states.iter().zip(&other.states).enumerate() {
            assert_eq!(a, b, "`{}` and `{}` are in other states after frame {frame}", self.name, other.name);
        }
        assert_eq!(self.weights.len(), other.weights.len());
        for (place, (a, b)) in self.weights.iter().zip(&other.weights).enumerate() {
            assert!(
                (a - b).abs() < 1e-3,
                "instance {}: clip {} weighs {a} in `{}`, {b} in `{}`",
                place / 4,
                place % 4,
                self.name,
                other.name
            );
        }
    }
}
