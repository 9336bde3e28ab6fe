//! The humanoid as an engineer would write it by hand: an enum, a match, a struct a character. The yardstick of the
//! tick benchmark and of `tests/comparison`; it reports the same entries, exits and animation commands and keeps the same weights and times.

/// What a tick reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// The state is left.
    Exit(State),
    /// The state is entered.
    Enter(State),
    /// The state's clip starts.
    Play(State),
    /// The state's clip is stopped.
    Stop(State),
}

/// The states; each has the clip of the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)] // their names say it
pub(crate) enum State {
    Idle,
    Walk,
    Run,
    Jump,
}

#[derive(Clone, Copy, Debug, Default)]
struct Clip {
    weight: f32,
    time: f32,
    /// Change of the weight in a second; 0 once it is where it is to be.
    slope: f32,
}

struct Settings {
    duration: f32,
    fade_in: f32,
    fade_out: f32,
    looped: bool,
}

const SETTINGS: [Settings; 4] = [
    Settings { duration: 2.0, fade_in: 0.2, fade_out: 0.2, looped: true },
    Settings { duration: 1.0, fade_in: 0.15, fade_out: 0.15, looped: true },
    Settings { duration: 0.7, fade_in: 0.1, fade_out: 0.1, looped: true },
    Settings { duration: 0.6, fade_in: 0.05, fade_out: 0.1, looped: false },
];

const LERP_RATE: f32 = 8.0;
const NEAR: f32 = 1e-4;

/// 68 bytes. Which clips play is kept in bits, so that those that do not are not even looked at.
#[derive(Clone, Debug)]
pub(crate) struct Humanoid {
    pub(crate) move_magnitude: f32,
    pub(crate) walk_speed: f32,
    pub(crate) state: State,
    /// A manual transition for the next tick.
    pub(crate) requested: Option<State>,
    layer_weight: f32,
    layer_target: f32,
    /// The clips that play and are not fading out, a bit each.
    playing: u8,
    /// The clips that have weight or are to get it.
    active: u8,
    clips: [Clip; 4],
}

impl Default for Humanoid {
    fn default() -> Self {
        Self {
            move_magnitude: 0.0,
            walk_speed: 16.0,
            state: State::Idle,
            requested: None,
            layer_weight: 1.0,
            layer_target: 1.0,
            playing: 0,
            active: 0,
            clips: [Clip::default(); 4],
        }
    }
}

impl Humanoid {
    pub(crate) fn tick(&mut self, dt: f32, commands: &mut Vec<Command>) {
        let idle = self.move_magnitude <= 0.1;
        let running = self.move_magnitude > 0.1 && self.walk_speed >= 18.0;
        let walking = self.move_magnitude > 0.1 && self.walk_speed < 18.0;
        let next = match self.state {
            _ if self.requested.is_some_and(|state| state != self.state) => self.requested,
            State::Idle if running => Some(State::Run),
            State::Idle if walking => Some(State::Walk),
            State::Walk if running => Some(State::Run),
            State::Walk if idle => Some(State::Idle),
            State::Run if idle => Some(State::Idle),
            State::Run if walking => Some(State::Walk),
            State::Jump if idle => Some(State::Idle),
            _ => None,
        };
        self.requested = None;
        self.step(next, dt, commands);
    }

    /// What follows the decision: the change of state, if any, then the time.
    #[inline]
    pub(crate) fn step(&mut self, next: Option<State>, dt: f32, commands: &mut Vec<Command>) {
        if let Some(next) = next {
            self.go(next, commands);
        }
        let step = LERP_RATE * dt;
        if self.layer_weight < self.layer_target {
            self.layer_weight = (self.layer_weight + step).min(self.layer_target);
        } else if self.layer_weight > self.layer_target {
            self.layer_weight = (self.layer_weight - step).max(self.layer_target);
        }
        let mut rest = self.active;
        while rest != 0 {
            let index = rest.trailing_zeros() as usize % 4;
            rest &= rest - 1;
            self.advance(index, dt);
        }
    }

    #[inline]
    fn advance(&mut self, index: usize, dt: f32) {
        let (clip, settings) = (&mut self.clips[index], &SETTINGS[index]);
        if clip.slope != 0.0 {
            clip.weight += clip.slope * dt;
            // Sums of f32 do not end where they should to the last bit.
            if clip.weight < NEAR {
                (clip.weight, clip.slope) = (0.0, 0.0);
                self.active &= !(1 << index);
                return;
            } else if clip.weight > 1.0 - NEAR {
                (clip.weight, clip.slope) = (1.0, 0.0);
            }
        }
        clip.time += dt;
        if clip.time >= settings.duration {
            if settings.looped {
                clip.time -= settings.duration;
            } else {
                clip.time = settings.duration;
                if self.playing & 1 << index != 0 {
                    self.playing &= !(1 << index);
                    clip.slope = -clip.weight / settings.fade_out;
                }
            }
        }
    }

    fn go(&mut self, next: State, commands: &mut Vec<Command>) {
        let from = self.state;
        commands.push(Command::Exit(from));
        let clip = &mut self.clips[from as usize];
        if self.playing & 1 << from as u8 != 0 {
            self.playing &= !(1 << from as u8);
            clip.slope = -clip.weight / SETTINGS[from as usize].fade_out;
            commands.push(Command::Stop(from));
        }
        self.state = next;
        self.layer_target = 1.0;
        commands.push(Command::Enter(next));
        let clip = &mut self.clips[next as usize];
        if self.playing & 1 << next as u8 == 0 {
            let settings = &SETTINGS[next as usize];
            if clip.weight == 0.0 || !settings.looped {
                clip.time = 0.0;
            }
            self.playing |= 1 << next as u8;
            self.active |= 1 << next as u8;
            clip.slope = (1.0 - clip.weight) / settings.fade_in;
            commands.push(Command::Play(next));
        }
    }

    /// The clips to show, from the lowest.
    pub(crate) fn shown(&self) -> u8 {
        self.active
    }

    pub(crate) fn weight(&self, clip: usize) -> f32 {
        self.clips[clip].weight
    }

    pub(crate) fn time(&self, clip: usize) -> f32 {
        self.clips[clip].time
    }

    pub(crate) fn layer_weight(&self) -> f32 {
        self.layer_weight
    }
}
