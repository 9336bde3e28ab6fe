//! The model's listeners: what hears an input, and which targets it reaches.

use super::behavior::*;
use super::world::World;

/// What a behavior remembers of a target.
#[derive(Clone, Debug, Default)]
pub struct Touch {
    /// The pointers whose press it heard.
    pressed: Vec<u8>,
    /// Where a pointer was last in it.
    place: [f64; 2],
}

/// What became of an input.
#[derive(Clone, Copy, Default)]
struct Reach {
    heard: bool,
    stopped: bool,
}

impl<'b> World<'b> {
    /// Takes an input; whether anything heard it.
    pub(super) fn send(&mut self, input: &Input) -> bool {
        self.rewind();
        let pressed = input.signal == Signal::Up && self.is_pressed(input.pointer);
        if input.signal == Signal::Down {
            self.let_go_of(input.pointer);
        }
        let to_all = matches!(input.signal, Signal::Custom(_)) && input.targets.is_empty();
        let heard = match input.signal {
            Signal::KeyDown(_) | Signal::KeyUp(_) => self.focus_hears(input),
            _ if pressed => {
                for (spot, place) in &input.targets {
                    let Some(part) = self.at(spot) else { continue };
                    part.touches[spot.name].place = *place;
                }
                let heard = self.pressed_hear(input);
                self.let_go_of(input.pointer);
                heard
            }
            _ if to_all => self.targets_hear(input),
            _ => {
                if let (Signal::Focus | Signal::Blur, Some((spot, _))) = (input.signal, input.targets.first())
                {
                    self.move_focus(spot, input.signal == Signal::Focus);
                }
                self.go_down(input)
            }
        };
        self.scene_hears(input) || heard
    }

    /// What is done between ticks is the first of the next.
    fn rewind(&mut self) {
        self.now = 0.0;
        self.parts.iter_mut().for_each(|part| part.world.rewind());
    }

    /// The part whose target it is, if there is one.
    fn at(&mut self, spot: &Spot) -> Option<&mut Self> {
        spot.path.iter().try_fold(self, |world, part| world.parts.get_mut(*part).map(|part| &mut part.world))
    }

    /// Through the targets, until one keeps it.
    fn go_down(&mut self, input: &Input) -> bool {
        let mut heard = false;
        for (spot, place) in &input.targets {
            let Some(part) = self.at(spot) else { continue };
            if input.signal.is_of_pointer() {
                part.pointer = clamped(*place);
                part.touches[spot.name].place = *place;
            }
            let reach = part.hear_at(input.signal, Some(spot.name));
            if reach.heard && input.signal == Signal::Down {
                part.touches[spot.name].pressed.push(input.pointer);
            }
            heard |= reach.heard;
            if reach.stopped {
                break;
            }
        }
        heard
    }

    /// All listeners of a target, or of the scene, in order of declaration.
    fn hear_at(&mut self, signal: Signal, target: Option<usize>) -> Reach {
        let mut reach = Reach::default();
        let behavior: &'b Behavior = self.behavior;
        for listener in behavior.listeners.iter().filter(|row| row.target == target) {
            if self.hear(listener, signal) {
                reach.heard = true;
                reach.stopped |= !listener.pass_through;
            }
        }
        reach
    }

    fn hear(&mut self, listener: &'b Listener, signal: Signal) -> bool {
        let mut heard = false;
        for (_, actions) in listener.hears.iter().filter(|(own, _)| hears(*own, signal)) {
            heard = true;
            self.run_as(None, actions);
        }
        heard
    }

    fn scene_hears(&mut self, input: &Input) -> bool {
        self.pointer = clamped(input.scene);
        let own = self.hear_at(input.signal, None).heard;
        self.parts.iter_mut().fold(own, |heard, part| part.world.scene_hears(input) || heard)
    }

    fn targets_hear(&mut self, input: &Input) -> bool {
        let behavior: &'b Behavior = self.behavior;
        let mut heard = false;
        for listener in behavior.listeners.iter().filter(|row| row.target.is_some()) {
            heard |= self.hear(listener, input.signal);
        }
        self.parts.iter_mut().fold(heard, |heard, part| part.world.targets_hear(input) || heard)
    }

    /// What heard the press hears the release.
    fn pressed_hear(&mut self, input: &Input) -> bool {
        let behavior: &'b Behavior = self.behavior;
        let mut heard = false;
        for listener in &behavior.listeners {
            let Some(touch) = listener.target.map(|target| &self.touches[target]) else { continue };
            if touch.pressed.contains(&input.pointer) {
                self.pointer = clamped(touch.place);
                heard |= self.hear(listener, input.signal);
            }
        }
        self.parts.iter_mut().fold(heard, |heard, part| part.world.pressed_hear(input) || heard)
    }

    fn focus_hears(&mut self, input: &Input) -> bool {
        let own = self.focus.is_some_and(|target| self.hear_at(input.signal, Some(target)).heard);
        self.parts.iter_mut().fold(own, |heard, part| part.world.focus_hears(input) || heard)
    }

    /// There is one focus. A target that no listener has cannot keep it.
    fn move_focus(&mut self, spot: &Spot, gained: bool) {
        if gained {
            self.lose_focus();
        }
        let Some(part) = self.at(spot) else { return };
        if gained {
            part.focus = Some(spot.name);
        } else if part.focus == Some(spot.name) {
            part.focus = None;
        }
    }

    fn lose_focus(&mut self) {
        self.focus = None;
        self.parts.iter_mut().for_each(|part| part.world.lose_focus());
    }

    fn is_pressed(&self, pointer: u8) -> bool {
        self.touches.iter().any(|touch| touch.pressed.contains(&pointer))
            || self.parts.iter().any(|part| part.world.is_pressed(pointer))
    }

    /// The press of a pointer is forgotten.
    pub(super) fn let_go_of(&mut self, pointer: u8) {
        for touch in &mut self.touches {
            touch.pressed.retain(|other| *other != pointer);
        }
        self.parts.iter_mut().for_each(|part| part.world.let_go_of(pointer));
    }
}

/// Whether what a listener asks for is what came in.
fn hears(own: Signal, signal: Signal) -> bool {
    match (own, signal) {
        (Signal::KeyDown(None), Signal::KeyDown(_)) | (Signal::KeyUp(None), Signal::KeyUp(_)) => true,
        _ => own == signal,
    }
}

fn clamped(place: [f64; 2]) -> [f64; 2] {
    place.map(|at| at.clamp(0.0, 1.0))
}
