//! Who holds the stick: one small trait, with a player and a patrol behind it.
//!
//! Both say only what they want; the body decides what comes of it.

use crate::body::Body;

/// What a character wants in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Intent {
    /// From -1 (back) to 1 (ahead).
    pub(crate) forward: f32,
    /// From -1 (right) to 1 (left).
    pub(crate) turn: f32,
    pub(crate) run: bool,
    /// Pressed in this frame.
    pub(crate) jump: bool,
    /// Pressed in this frame.
    pub(crate) dance: bool,
}

/// Something that steers a character.
pub(crate) trait Controls {
    /// What it wants at a time, in seconds, given where its body is.
    fn intent(&mut self, time: f32, body: &Body) -> Intent;
}

/// A player whose keys were recorded, so that the example plays the same each time.
pub(crate) struct Player {
    /// Seconds at which keys change, ascending, and the keys held from then on.
    tape: &'static [(f32, &'static str)],
    held: &'static str,
}

impl Player {
    /// Walks, runs a curve, jumps out of the run, stops and dances.
    pub(crate) fn demo() -> Self {
        Self {
            tape: &[
                (0.5, "w"),
                (2.0, "w shift"),
                (3.0, "w shift a"),
                (4.0, "w shift"),
                (4.5, "w shift space"),
                (4.6, "w shift"),
                (6.0, ""),
                (7.0, "f"),
                (7.1, ""),
                (8.0, "w"),
                (10.5, "d"),
                (11.5, "s"),
            ],
            held: "",
        }
    }
}

impl Controls for Player {
    fn intent(&mut self, time: f32, _: &Body) -> Intent {
        let held = self.tape.iter().rev().find(|(from, _)| *from <= time).map_or("", |(_, keys)| keys);
        let down = |keys: &str, key: &str| keys.split(' ').any(|each| each == key);
        let axis = |more, less| f32::from(i8::from(down(held, more)) - i8::from(down(held, less)));
        let pressed = |key| down(held, key) && !down(self.held, key);
        let intent = Intent {
            forward: axis("w", "s"),
            turn: axis("a", "d"),
            run: down(held, "shift"),
            jump: pressed("space"),
            dance: pressed("f"),
        };
        self.held = held;
        intent
    }
}

/// Walks from corner to corner, and hops at each.
pub(crate) struct Patrol {
    corners: Vec<(f32, f32)>,
    next: usize,
}

impl Patrol {
    /// Around a square with this corner and side, in meters.
    pub(crate) fn square(x: f32, z: f32, side: f32) -> Self {
        Self { corners: vec![(x, z + side), (x + side, z + side), (x + side, z), (x, z)], next: 0 }
    }
}

impl Controls for Patrol {
    fn intent(&mut self, _: f32, body: &Body) -> Intent {
        let (x, z) = self.corners[self.next % self.corners.len()];
        let (right, ahead) = (x - body.x, z - body.z);
        let arrived = right.hypot(ahead) < 0.7;
        if arrived {
            self.next += 1;
        }
        // How far its goal lies to the left, between -pi and pi.
        let left = ((-right).atan2(ahead) - body.facing + std::f32::consts::PI)
            .rem_euclid(2.0 * std::f32::consts::PI)
            - std::f32::consts::PI;
        Intent {
            forward: if left.abs() < 1.0 { 1.0 } else { 0.0 },
            turn: (left * 2.0).clamp(-1.0, 1.0),
            run: right.hypot(ahead) > 4.0,
            jump: arrived,
            dance: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_pressed_once_however_long_it_is_held() {
        let mut player = Player { tape: &[(1.0, "space"), (2.0, "")], held: "" };
        let body = Body::at(0.0, 0.0);
        let presses = (0..180).filter(|frame| player.intent(*frame as f32 / 60.0, &body).jump).count();
        assert_eq!(presses, 1);
    }

    #[test]
    fn a_patrol_reaches_each_of_its_corners() {
        let mut body = Body::at(0.0, 0.0);
        let mut patrol = Patrol::square(0.0, 0.0, 5.0);
        for frame in 0..60 * 40 {
            let intent = patrol.intent(frame as f32 / 60.0, &body);
            body.advance(&intent, 1.0 / 60.0);
        }
        assert!(patrol.next >= 5, "{} corners", patrol.next);
    }
}
