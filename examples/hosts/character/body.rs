//! The body of a character: a point that accelerates along its facing, is slowed by friction, turns, and jumps.
//!
//! Speed and turning follow their closed form, so that a body moves the same at 30 and at 240 frames a second. It knows
//! neither who steers it nor how it is animated.

use crate::controls::Intent;

/// Acceleration of a walk, in m/s². Its speed settles at acceleration / friction: 1.6 m/s.
const WALK: f32 = 12.8;
/// Acceleration of a run, in m/s²: 5 m/s.
const RUN: f32 = 40.0;
/// Acceleration backward, in m/s²: 1.5 m/s.
const BACK: f32 = 12.0;
/// Share of the speed that friction takes in a second, on the ground.
const FRICTION: f32 = 8.0;
/// The same in the air.
const DRAG: f32 = 0.5;
/// How fast it turns with a full stick, in rad/s.
const TURN: f32 = 2.5;
/// Share of the difference to the wanted rate of turning that is made up in a second.
const TURN_RESPONSE: f32 = 12.0;
/// Speed upward of a jump, in m/s.
const JUMP: f32 = 4.2;
const GRAVITY: f32 = 9.81;

/// Where a character is and how it moves.
pub(crate) struct Body {
    /// Meters to the right, seen from above.
    pub(crate) x: f32,
    /// Meters upward; 0 on the ground.
    pub(crate) y: f32,
    /// Meters ahead, seen from above.
    pub(crate) z: f32,
    /// Radians to the left of `z`.
    pub(crate) facing: f32,
    /// Meters a second along the facing.
    pub(crate) speed: f32,
    /// Radians a second to the left.
    pub(crate) turn: f32,
    /// Meters a second upward.
    pub(crate) rise: f32,
}

impl Body {
    pub(crate) fn at(x: f32, z: f32) -> Self {
        Self { x, y: 0.0, z, facing: 0.0, speed: 0.0, turn: 0.0, rise: 0.0 }
    }

    pub(crate) fn grounded(&self) -> bool {
        self.y <= 0.0 && self.rise <= 0.0
    }

    /// Leaves the ground, if it stands on it.
    pub(crate) fn jump(&mut self) {
        if self.grounded() {
            self.rise = JUMP;
        }
    }

    /// Moves for `dt` seconds as its character wants.
    pub(crate) fn advance(&mut self, intent: &Intent, dt: f32) {
        let grounded = self.grounded();
        let push = match intent.forward {
            forward if !grounded => forward * 0.0,
            forward if forward < 0.0 => forward * BACK,
            forward if intent.run => forward * RUN,
            forward => forward * WALK,
        };
        let friction = if grounded { FRICTION } else { DRAG };
        self.speed = approach(self.speed, push / friction, friction * dt);
        self.turn = approach(self.turn, intent.turn * TURN, TURN_RESPONSE * dt);
        self.facing += self.turn * dt;
        self.x -= self.facing.sin() * self.speed * dt;
        self.z += self.facing.cos() * self.speed * dt;
        if !grounded || self.rise > 0.0 {
            self.rise -= GRAVITY * dt;
            self.y += self.rise * dt;
            if self.y <= 0.0 {
                (self.y, self.rise) = (0.0, 0.0);
            }
        }
    }
}

/// What is left of the way to `target` shrinks to 1/e for each 1 of `amount`.
fn approach(value: f32, target: f32, amount: f32) -> f32 {
    target + (value - target) * (-amount).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(frames: u32, intent: &Intent) -> Body {
        let mut body = Body::at(0.0, 0.0);
        for _ in 0..frames {
            body.advance(intent, 2.0 / frames as f32);
        }
        body
    }

    #[test]
    fn speed_settles_where_friction_equals_acceleration() {
        let running = run(120, &Intent { forward: 1.0, run: true, ..Intent::default() });
        assert!((running.speed - RUN / FRICTION).abs() < 1e-3, "{}", running.speed);
        let backing = run(120, &Intent { forward: -1.0, run: true, ..Intent::default() });
        assert!((backing.speed + BACK / FRICTION).abs() < 1e-3, "{}", backing.speed);
    }

    #[test]
    fn speed_and_facing_do_not_depend_on_the_frame_rate() {
        let intent = Intent { forward: 1.0, turn: 0.5, ..Intent::default() };
        let (slow, fast) = (run(60, &intent), run(480, &intent));
        assert!((slow.speed - fast.speed).abs() < 1e-4);
        assert!((slow.facing - fast.facing).abs() < 0.02);
    }

    #[test]
    fn it_moves_along_its_facing() {
        let mut body = Body::at(0.0, 0.0);
        body.facing = std::f32::consts::FRAC_PI_2;
        body.advance(&Intent { forward: 1.0, ..Intent::default() }, 0.5);
        assert!(body.x < -0.1 && body.z.abs() < 1e-3, "{} {}", body.x, body.z);
    }

    #[test]
    fn a_jump_comes_down_again_and_needs_ground() {
        let mut body = Body::at(0.0, 0.0);
        body.jump();
        body.advance(&Intent::default(), 0.1);
        let rise = body.rise;
        body.jump();
        assert_eq!(body.rise, rise, "no second jump in the air");
        for _ in 0..60 {
            body.advance(&Intent::default(), 1.0 / 60.0);
        }
        assert!(body.grounded());
    }
}
