//! The model's components: behaviors inside a behavior, and the parameters that they share with it.

use super::behavior::*;
use super::world::{Value, World};

/// A component at work.
#[derive(Clone, Debug)]
pub struct Part<'b> {
    pub world: World<'b>,
    binds: Vec<Tied<'b>>,
}

/// A bind at work.
#[derive(Clone, Debug)]
struct Tied<'b> {
    row: &'b Bind,
    /// What both sides were after the last copy.
    last: [Value; 2],
    /// How often a trigger was fired on each side, as far as it was passed on.
    passed: [u64; 2],
}

impl<'b> World<'b> {
    /// The components as they are at creation: they begin with what the outer behavior gives them.
    pub(super) fn create_parts(&mut self) {
        let behavior: &'b Behavior = self.behavior;
        for component in &behavior.components {
            let given: Vec<(usize, Value)> =
                component.binds.iter().map(|row| (row.inner, self.values[row.outer])).collect();
            let world = World::given(&component.behavior, &given);
            let tie = |row: &'b Bind| Tied {
                row,
                last: [self.values[row.outer], world.values[row.inner]],
                passed: [0, 0],
            };
            let binds = component.binds.iter().map(tie).collect();
            self.parts.push(Part { world, binds });
        }
    }

    /// Among how many chance decided in this tick, in this part and those inside it.
    #[must_use]
    pub fn drawn_by_part(&self) -> Vec<Vec<usize>> {
        let mut all = vec![self.drawn.clone()];
        self.parts.iter().for_each(|part| all.extend(part.world.drawn_by_part()));
        all
    }

    /// Says what chance is to decide in the next tick, in the same order.
    pub fn prescribe<'d>(&mut self, draws: &mut impl Iterator<Item = &'d Vec<usize>>) {
        self.draws = draws.next().cloned().unwrap_or_default();
        self.drawn.clear();
        self.parts.iter_mut().for_each(|part| part.world.prescribe(draws));
    }

    /// Lets chance decide among so many.
    pub(super) fn draw(&mut self, options: usize) -> usize {
        let place = self.drawn.len();
        self.drawn.push(options);
        self.draws.get(place).map_or(0, |draw| (*draw).min(options - 1))
    }

    /// The components tick after all of this tick: values go down, each ticks, values go up.
    pub(super) fn tick_parts(&mut self, dt: f64) {
        for index in 0..self.parts.len() {
            let mut part = self.parts[index].clone();
            for tied in &mut part.binds {
                if tied.row.way != Way::Up {
                    tied.copy(self, &mut part.world, 0);
                }
            }
            part.world.tick(dt);
            for tied in &mut part.binds {
                if tied.row.way != Way::Down {
                    tied.copy(self, &mut part.world, 1);
                }
            }
            self.unsure = self.unsure.or(part.world.unsure);
            self.parts[index] = part;
        }
    }
}

impl<'b> Tied<'b> {
    /// Passes on what a side has: 0 is the outer one.
    fn copy(&mut self, outer: &mut World<'b>, inner: &mut World<'b>, from: usize) {
        let ids = [self.row.outer, self.row.inner];
        let worlds = [outer, inner];
        let (value, fired) = (worlds[from].values[ids[from]], worlds[from].firings[ids[from]]);
        let to = 1 - from;
        if let Value::Trigger(_) = value {
            if fired > self.passed[from] {
                worlds[to].now = 0.0;
                worlds[to].fire(ids[to]);
                // This firing does not come back; what was fired there is passed on all the same.
                self.passed[to] += 1;
            }
            self.passed[from] = fired;
        } else if self.row.way != Way::Both || value != self.last[from] {
            worlds[to].values[ids[to]] = value;
            self.last = [value; 2];
        }
    }
}
