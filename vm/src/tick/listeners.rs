//! Listeners: what an input reaches, and the actions that run because of it, between ticks.
//!
//! An input goes through the targets it is for, from the topmost down, and stops at the first that hears it and does
//! not let it through; listeners of the whole scene hear it afterwards in any case. All listeners of a target hear it,
//! in order of declaration. What happened to a target is remembered per target: which pointers went down on it, where
//! they were last, whether it has the keyboard's focus.

use super::Core;
use crate::ids::TextId;
use crate::input::{Hit, Input, InputKind, PointerInput, PointerKind};
use crate::program::layout::PRESS_WORDS;
use crate::program::tables::Listener;

/// An input as listeners compare it.
#[derive(Clone, Copy)]
struct Signal {
    kind: InputKind,
    /// The key's or the event's name; `None` if no listener can know it.
    name: Option<TextId>,
}

/// What became of an input at a target.
#[derive(Clone, Copy, Default)]
struct Reach {
    /// Some listener heard it.
    heard: bool,
    /// It goes no further down.
    stopped: bool,
}

impl Reach {
    const fn and(self, other: Self) -> Self {
        Self { heard: self.heard || other.heard, stopped: self.stopped || other.stopped }
    }
}

impl<'a> Core<'a, '_> {
    /// Takes an input; whether any listener heard it. Its numbers were checked.
    pub(crate) fn input(&mut self, input: &Input<'_>) -> bool {
        let name = match *input {
            Input::KeyDown(name) | Input::KeyUp(name) | Input::Custom { name, .. } => {
                self.program.text_id(name)
            }
            Input::Pointer(_) | Input::Focus(_) | Input::Blur(_) => None,
        };
        let signal = Signal { kind: input.kind(), name };
        if !self.layout.globals.is_empty() {
            self.read_globals();
        }
        let heard = match *input {
            Input::Pointer(input) => self.point(&input, signal),
            Input::Focus(target) | Input::Blur(target) => {
                self.set_focus(target, signal.kind == InputKind::Focus);
                self.reach(target, signal).heard
            }
            Input::KeyDown(_) | Input::KeyUp(_) => match self.focused() {
                Some(target) => self.reach_text(target, signal).heard,
                None => false,
            },
            Input::Custom { targets: [], .. } => self.each(signal, |_, listener| listener.target.is_some()),
            Input::Custom { targets, .. } => {
                self.downward(targets.iter(), |core, target| core.reach(target, signal))
            }
        };
        self.pointer = match input {
            Input::Pointer(input) => input.scene.map(place),
            _ => self.pointer,
        };
        let mut scene = false;
        for listener in self.listeners_of(None) {
            scene |= self.hear(listener, signal);
        }
        self.forget_answers();
        heard || scene
    }

    /// Forgets that a pointer went down.
    pub(crate) fn release(&mut self, pointer: u8) {
        self.each_press(|core, at| core.put(at, core.word(at) & !bit(pointer)));
    }

    fn point(&mut self, input: &PointerInput<'_>, signal: Signal) -> bool {
        let pointer = input.pointer;
        match input.kind {
            PointerKind::Up if self.is_pressed(pointer) => {
                // Their places first: all that got the press get this, and what lies between does not matter.
                for hit in input.hits {
                    self.see(hit);
                }
                let heard = self.each(signal, |core, listener| {
                    let Some(at) = core.press_of(listener) else { return false };
                    core.pointer = [core.number(at + 1), core.number(at + 2)];
                    core.word(at) & bit(pointer) != 0
                });
                self.release(pointer);
                heard
            }
            PointerKind::Down => {
                self.release(pointer);
                self.downward(input.hits.iter(), |core, hit| {
                    let reach = core.hit(hit, signal);
                    if reach.heard
                        && let Some(at) = core.press_at(hit.target)
                    {
                        core.put(at, core.word(at) | bit(pointer));
                    }
                    reach
                })
            }
            _ => self.downward(input.hits.iter(), |core, hit| core.hit(hit, signal)),
        }
    }

    /// Goes through targets, from the topmost down, until one stops the input.
    fn downward<T>(
        &mut self,
        targets: impl Iterator<Item = T>,
        mut visit: impl FnMut(&mut Self, T) -> Reach,
    ) -> bool {
        let mut all = Reach::default();
        for target in targets {
            all = all.and(visit(self, target));
            if all.stopped {
                break;
            }
        }
        all.heard
    }

    fn hit(&mut self, hit: &Hit<'_>, signal: Signal) -> Reach {
        self.see(hit);
        self.pointer = hit.at.map(place);
        self.reach(hit.target, signal)
    }

    /// Remembers where the pointer is in a target.
    fn see(&mut self, hit: &Hit<'_>) {
        if let Some(at) = self.press_at(hit.target) {
            let [x, y] = hit.at.map(place);
            self.put_number(at + 1, x);
            self.put_number(at + 2, y);
        }
    }

    /// What becomes of an input at the target of that path.
    fn reach(&mut self, path: &str, signal: Signal) -> Reach {
        match self.program.text_id(path) {
            Some(target) => self.reach_text(target, signal),
            None => Reach::default(),
        }
    }

    fn reach_text(&mut self, target: TextId, signal: Signal) -> Reach {
        let mut reach = Reach::default();
        for listener in self.listeners_of(Some(target)) {
            if self.hear(listener, signal) {
                reach = reach.and(Reach { heard: true, stopped: !listener.pass_through });
            }
        }
        reach
    }

    /// The listeners of a target, or of the scene, in order of declaration.
    fn listeners_of(&self, target: Option<TextId>) -> impl Iterator<Item = &'a Listener> + use<'a> {
        let (rows, order) = (self.rows, &self.layout.by_target);
        let of = |row: &u16| rows.listeners.get(usize::from(*row));
        let first = order.partition_point(|row| of(row).is_some_and(|listener| listener.target < target));
        let rest = order.get(first..).unwrap_or_default().iter();
        rest.filter_map(move |row| rows.listeners.get(usize::from(*row)))
            .take_while(move |listener| listener.target == target)
    }

    /// All listeners of some kind hear an input, in order of declaration; whether any did.
    fn each(&mut self, signal: Signal, concerns: impl Fn(&mut Self, &Listener) -> bool) -> bool {
        let mut heard = false;
        for listener in &self.rows.listeners {
            heard |= concerns(self, listener) && self.hear(listener, signal);
        }
        heard
    }

    /// Runs what a listener does when it hears an input; whether it does anything.
    fn hear(&mut self, listener: &Listener, signal: Signal) -> bool {
        let mut heard = false;
        for hear in listener.hears.of(&self.rows.hears) {
            if hear.input == signal.kind && (hear.name.is_none() || hear.name == signal.name) {
                heard = true;
                self.run(Some(hear.actions), None);
            }
        }
        heard
    }

    fn set_focus(&mut self, target: &str, gained: bool) {
        let Some(at) = self.layout.focus else { return };
        let target = self.program.text_id(target);
        if gained {
            let known = target.filter(|target| self.listeners_of(Some(*target)).next().is_some());
            self.put(at, known.map_or(0, |target| target.0 + 1));
        } else if target.is_some() && target == self.focused() {
            self.put(at, 0);
        }
    }

    fn focused(&self) -> Option<TextId> {
        self.word(self.layout.focus?).checked_sub(1).map(TextId)
    }

    /// The words of what happens to a listener's target, if any of its listeners hears a press.
    fn press_of(&self, listener: &Listener) -> Option<usize> {
        let target = listener.target?;
        let place = self.layout.presses.binary_search(&target).ok()?;
        Some(self.layout.press + place * PRESS_WORDS)
    }

    fn press_at(&self, target: &str) -> Option<usize> {
        let target = self.program.text_id(target)?;
        let place = self.layout.presses.binary_search(&target).ok()?;
        Some(self.layout.press + place * PRESS_WORDS)
    }

    fn is_pressed(&self, pointer: u8) -> bool {
        let places = 0..self.layout.presses.len();
        places.into_iter().any(|place| self.word(self.layout.press + place * PRESS_WORDS) & bit(pointer) != 0)
    }

    fn each_press(&mut self, mut visit: impl FnMut(&mut Self, usize)) {
        for place in 0..self.layout.presses.len() {
            visit(self, self.layout.press + place * PRESS_WORDS);
        }
    }
}

const fn bit(pointer: u8) -> u32 {
    1_u32.wrapping_shl(pointer as u32)
}

/// A place as listeners read it. Not -0.
fn place(value: f32) -> f32 {
    value.clamp(0.0, 1.0) + 0.0
}
