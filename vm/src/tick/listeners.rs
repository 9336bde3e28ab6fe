//! Listeners: what an input reaches, and the actions that run because of it, between ticks.
//!
//! An input goes through the targets it is for, from the topmost down, and stops at the first that hears it and does
//! not let it through; listeners of the whole scene hear it afterwards in any case. All listeners of a target hear it,
//! in order of declaration. What happened to a target is remembered per target: which pointers went down on it, where
//! they were last, whether it has the keyboard's focus.
//!
//! A target's path may lead into components: `knob/hit` is the target `hit` of the component with the target `knob`.
//! Listeners of the outer behavior hear it before those of the component; those of the scene hear everything in all
//! parts.

use super::Core;
use super::components::Place;
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

impl<'a, 'h> Core<'a, 'h> {
    /// Takes an input; whether any listener heard it. Its numbers were checked.
    pub(crate) fn input(&mut self, input: &Input<'_>) -> bool {
        let name = match *input {
            Input::KeyDown(name) | Input::KeyUp(name) | Input::Custom { name, .. } => {
                self.program.text_id(name)
            }
            Input::Pointer(_) | Input::Focus(_) | Input::Blur(_) => None,
        };
        let signal = Signal { kind: input.kind(), name };
        self.each_part(&mut |core| {
            if !core.layout.globals.is_empty() {
                core.read_globals();
            }
        });
        let mut heard = match *input {
            Input::Pointer(input) => self.point(&input, signal),
            Input::Focus(target) | Input::Blur(target) => {
                self.set_focus(Some(target), signal.kind == InputKind::Focus);
                self.reach(target, signal).heard
            }
            Input::Custom { targets, .. } => {
                self.downward(targets.iter(), |core, target| core.reach(target, signal))
            }
            Input::KeyDown(_) | Input::KeyUp(_) => false,
        };
        self.each_part(&mut |core| match input {
            Input::KeyDown(_) | Input::KeyUp(_) => {
                if let Some(target) = core.focused() {
                    heard |= core.reach_text(target, signal).heard;
                }
            }
            Input::Custom { targets: [], .. } => {
                heard |= core.each(signal, |_, listener| listener.target.is_some());
            }
            _ => {}
        });
        self.each_part(&mut |core| {
            if let Input::Pointer(input) = input {
                core.pointer = input.scene.map(place);
            }
            for listener in core.listeners_of(None) {
                heard |= core.hear(listener, signal);
            }
        });
        self.forget_answers();
        heard
    }

    /// Visits this part and all inside it that may hear something.
    fn each_part(&mut self, visit: &mut dyn FnMut(&mut Core<'_, 'h>)) {
        visit(self);
        for place in self.places().filter(|place| place.layout.tree.hears) {
            self.within_part(place, |core| core.each_part(visit));
        }
    }

    /// Does something in a component. What the host answered there is forgotten.
    fn within_part<R>(&mut self, place: Place<'a>, act: impl FnOnce(&mut Core<'_, 'h>) -> R) -> R {
        self.within(place, 0, |core| {
            let result = act(core);
            core.forget_answers();
            result
        })
    }

    /// The component to which a target's path leads, and the path from there on.
    fn inward<'t>(&self, target: &'t str) -> Option<(Place<'a>, &'t str)> {
        let program = self.program;
        let led = self.places().filter(|place| place.layout.tree.hears).filter_map(|place| {
            let rest = target.strip_prefix(program.text(place.row.target))?.strip_prefix('/')?;
            Some((place, rest))
        });
        // Of two that fit, the longer one.
        led.min_by_key(|(_, rest)| rest.len())
    }

    /// Forgets that a pointer went down.
    pub(crate) fn release(&mut self, pointer: u8) {
        self.each_part(&mut |core| core.each_press(|core, at| core.put(at, core.word(at) & !bit(pointer))));
    }

    fn point(&mut self, input: &PointerInput<'_>, signal: Signal) -> bool {
        let pointer = input.pointer;
        match input.kind {
            PointerKind::Up if self.is_pressed(pointer) => {
                // Their places first: all that got the press get this, and what lies between does not matter.
                for hit in input.hits {
                    self.see(hit);
                }
                let mut heard = false;
                self.each_part(&mut |core| {
                    heard |= core.each(signal, |core, listener| {
                        let Some(at) = core.press_of(listener) else { return false };
                        core.pointer = [core.number(at + 1), core.number(at + 2)];
                        core.word(at) & bit(pointer) != 0
                    });
                });
                self.release(pointer);
                heard
            }
            PointerKind::Down => {
                self.release(pointer);
                self.downward(input.hits.iter(), |core, hit| core.hit(hit, signal, Some(pointer)))
            }
            _ => self.downward(input.hits.iter(), |core, hit| core.hit(hit, signal, None)),
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

    /// What becomes of a pointer's input at a target; one that goes down there is remembered.
    fn hit(&mut self, hit: &Hit<'_>, signal: Signal, down: Option<u8>) -> Reach {
        self.see_own(hit);
        self.pointer = hit.at.map(place);
        let own = self.reach_own(hit.target, signal);
        if let (true, Some(pointer), Some(at)) = (own.heard, down, self.press_at(hit.target)) {
            self.put(at, self.word(at) | bit(pointer));
        }
        let Some((place, rest)) = self.inward(hit.target) else { return own };
        own.and(self.within_part(place, |core| core.hit(&Hit::new(rest, hit.at), signal, down)))
    }

    /// Remembers where the pointer is in a target.
    fn see(&mut self, hit: &Hit<'_>) {
        self.see_own(hit);
        if let Some((place, rest)) = self.inward(hit.target) {
            self.within_part(place, |core| core.see(&Hit::new(rest, hit.at)));
        }
    }

    fn see_own(&mut self, hit: &Hit<'_>) {
        if let Some(at) = self.press_at(hit.target) {
            let [x, y] = hit.at.map(place);
            self.put_number(at + 1, x);
            self.put_number(at + 2, y);
        }
    }

    /// What becomes of an input at the target of that path: listeners of this behavior hear it, then those of the
    /// component that the path leads to.
    fn reach(&mut self, path: &str, signal: Signal) -> Reach {
        let own = self.reach_own(path, signal);
        let Some((place, rest)) = self.inward(path) else { return own };
        own.and(self.within_part(place, |core| core.reach(rest, signal)))
    }

    fn reach_own(&mut self, path: &str, signal: Signal) -> Reach {
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

    /// Gives the focus to a target, or takes it away. There is one focus: what gains it takes it from all others.
    fn set_focus(&mut self, target: Option<&str>, gained: bool) {
        if let Some(at) = self.layout.focus {
            let text = target.and_then(|target| self.program.text_id(target));
            if gained {
                let known = text.filter(|text| self.listeners_of(Some(*text)).next().is_some());
                self.put(at, known.map_or(0, |text| text.0 + 1));
            } else if text.is_some() && text == self.focused() {
                self.put(at, 0);
            }
        }
        let way = target.and_then(|target| self.inward(target));
        for place in self.places().filter(|place| place.layout.tree.hears) {
            let led = way.filter(|(led, _)| led.inner.part == place.inner.part);
            let rest = led.map(|(_, rest)| rest);
            if gained || rest.is_some() {
                self.within_part(place, |core| core.set_focus(rest, gained));
            }
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

    fn is_pressed(&mut self, pointer: u8) -> bool {
        let mut pressed = false;
        self.each_part(&mut |core| {
            core.each_press(|core, at| pressed |= core.word(at) & bit(pointer) != 0);
        });
        pressed
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
