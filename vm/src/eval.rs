//! The evaluator: runs a verified block of code on an instance.
//!
//! Verified code cannot underflow the stack, jump backwards or name what is not there, so evaluation has no errors.
//! Its work is bounded: each evaluation is charged with the block's greatest cost before it starts, and does not
//! start when the tick has no more to spend. Numbers stay finite. It does not decide anything.

use crate::float;
use crate::frame::{Event, EventKind};
use crate::ids::{CodeId, EmitId, ExternId, MachineId, ParamId};
use crate::instance::view::{View, trigger};
use crate::op::{Op, Word};
use crate::program::checks::{HOLDS, Test};
use crate::program::layout::{CodeInfo, ParamSlot};
use crate::program::tables::{Run, Type};
use crate::rng;
use crate::tick::Core;
use crate::value::{Color, EventValue};

/// The most values on the stack, calls included: what the verifier allows.
pub(crate) const STACK: usize = crate::program::limits::Limit::Stack.value();

/// Whether numbers are the same but for what sums of small steps miss.
#[inline]
fn near(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-4
}

impl View<'_> {
    /// Whether a condition that was decoded holds.
    pub(crate) fn pass_checks(&self, chain: Run, machine: Option<MachineId>) -> bool {
        let checks = chain.of(&self.layout.checks);
        let mut next = 0;
        while let Some(check) = checks.get(usize::from(next)) {
            let word = self.word(check.at as usize);
            let (a, b) = (f32::from_bits(word), f32::from_bits(check.value));
            let holds = match check.test {
                Test::Less => a < b,
                Test::LessEqual => a <= b,
                Test::Greater => a > b,
                Test::GreaterEqual => a >= b,
                Test::Equal => a == b,
                Test::Near => near(a, b),
                Test::Same => word == check.value,
                Test::Armed => {
                    let slot = self.layout.params.get(check.value as usize);
                    slot.is_some_and(|slot| self.sees_trigger(word, slot, machine))
                }
            };
            next = if holds { check.yes } else { check.no };
        }
        next == HOLDS
    }

    /// Whether a trigger with that word is armed for a machine.
    pub(crate) fn sees_trigger(&self, word: u32, slot: &ParamSlot, machine: Option<MachineId>) -> bool {
        let used = machine.is_some_and(|machine| self.bit(slot.side as usize, machine.index()));
        word & trigger::ARMED != 0 && !used
    }
}

impl Core<'_, '_> {
    /// The value of an expression, as a word; 0 where the tick has no more work to spend.
    #[inline]
    pub(crate) fn eval(&mut self, code: CodeId, machine: Option<MachineId>) -> u32 {
        let Some(info) = self.layout.codes.get(code.index()) else { return 0 };
        if !self.charge(info.cost) {
            return 0;
        }
        let sp = self.block(info, 0, machine);
        self.stack.get(sp.wrapping_sub(1)).copied().unwrap_or(0)
    }

    /// Whether a condition holds.
    #[inline]
    pub(crate) fn holds(&mut self, condition: Option<CodeId>, machine: Option<MachineId>) -> bool {
        let Some(code) = condition else { return true };
        match self.layout.codes.get(code.index()) {
            Some(info) if info.checks.count > 0 => {
                self.charge(info.cost) && self.view().pass_checks(info.checks, machine)
            }
            _ => self.eval(code, machine) != 0,
        }
    }

    /// Runs a list of actions.
    pub(crate) fn run(&mut self, list: Option<CodeId>, machine: Option<MachineId>) {
        let Some(code) = list else { return };
        let Some(info) = self.layout.codes.get(code.index()) else { return };
        if self.charge(info.cost) {
            self.fired = true;
            self.block(info, 0, machine);
        }
    }

    /// Runs a block on the stack from `sp` on; gives the stack pointer after it.
    fn block(&mut self, info: &CodeInfo, mut sp: usize, machine: Option<MachineId>) -> usize {
        let ops = info.ops.of(&self.rows.ops);
        let mut place = 0;
        macro_rules! push {
            ($value:expr) => {{
                let value: u32 = $value;
                if let Some(top) = self.stack.get_mut(sp) {
                    *top = value;
                }
                sp += 1;
            }};
        }
        macro_rules! pop {
            () => {{
                sp = sp.wrapping_sub(1);
                self.stack.get(sp).copied().unwrap_or(0)
            }};
        }
        macro_rules! number {
            (|$a:ident, $b:ident| $result:expr) => {{
                let ($b, $a) = (f32::from_bits(pop!()), f32::from_bits(pop!()));
                push!(float::finite($result).to_bits())
            }};
        }
        macro_rules! compare {
            (|$a:ident, $b:ident| $result:expr) => {{
                let ($b, $a) = (f32::from_bits(pop!()), f32::from_bits(pop!()));
                push!(u32::from($result))
            }};
        }
        while let Some(op) = ops.get(place) {
            place += 1;
            match *op {
                Op::Number { value } => push!(value.to_bits()),
                Op::Bool { value } => push!(u32::from(value)),
                Op::Variant { value } => push!(u32::from(value)),
                Op::Color { value } => push!(value),
                Op::Text { value } => push!(value.0),
                Op::Param { param } => push!(self.param(param, machine)),
                Op::Call { code } => {
                    if let Some(called) = self.layout.codes.get(code.index()) {
                        sp = self.block(called, sp, machine);
                    }
                }
                Op::Damped { damp } => push!(self.word(self.layout.damps + damp.index())),
                Op::Extern { predicate } => push!(u32::from(self.answer(predicate))),
                Op::Elapsed => push!(self.elapsed_here(machine).to_bits()),
                Op::Dt => push!(self.dt.to_bits()),
                Op::PointerX => push!(self.pointer[0].to_bits()),
                Op::PointerY => push!(self.pointer[1].to_bits()),
                Op::CameFrom { state } => push!(u32::from(self.view().came_from(state))),
                Op::In { state } => push!(u32::from(self.view().is_in(state))),
                Op::Tagged { tag } => {
                    // The one reading whose cost is not bounded by the operation: tags may be many.
                    let cost = self.rows.machines.len() + self.rows.tag_lists.len() / 64;
                    let may = self.charge(u32::try_from(cost).unwrap_or(u32::MAX));
                    push!(u32::from(may && self.view().is_tagged(tag)));
                }
                Op::Playing { animation } => push!(u32::from(self.view().playing(animation))),
                Op::Finished { animation } => push!(u32::from(self.view().finished(animation))),
                Op::Time { animation } => {
                    let may = self.charge_tracks();
                    push!(if may { self.view().reading(animation, |v, s| v.time(s)) } else { 0.0 }.to_bits());
                }
                Op::Phase { animation } => {
                    let may = self.charge_tracks();
                    push!(
                        if may { self.view().reading(animation, |v, s| v.phase(s)) } else { 0.0 }.to_bits()
                    );
                }
                Op::Weight { animation } => {
                    let may = self.charge_tracks();
                    push!(if may { self.view().total_weight(animation) } else { 0.0 }.to_bits());
                }
                Op::Value { property } => {
                    // All that could play is looked at.
                    let animations = u32::try_from(self.rows.animations.len()).unwrap_or(u32::MAX);
                    let may = self.charge(animations) && self.charge_tracks();
                    push!(if may { self.view().property(property) } else { 0 });
                }
                Op::LayerWeight { layer } => push!(self.view().layer_weight(layer).to_bits()),
                Op::InSpan { span } => {
                    let may = self.charge_tracks();
                    push!(u32::from(may && self.view().in_span(span)));
                }
                Op::MotionPhase => push!(self.view().motion_phase(machine.unwrap_or_default()).to_bits()),
                Op::MotionLoops => push!(self.view().motion_loops(machine.unwrap_or_default()).to_bits()),
                Op::MotionFinished => {
                    push!(u32::from(self.view().motion_finished(machine.unwrap_or_default())));
                }
                Op::Fade { machine } => push!(self.view().fade(machine).to_bits()),
                Op::Inside { component, probe } => {
                    push!(self.ask_inside(component.into(), probe as usize, sp));
                }
                Op::Neg => {
                    let a = f32::from_bits(pop!());
                    push!((-a).to_bits());
                }
                Op::Add => number!(|a, b| a + b),
                Op::Sub => number!(|a, b| a - b),
                Op::Mul => number!(|a, b| a * b),
                Op::Div => number!(|a, b| a / b),
                Op::Builtin { builtin } => {
                    let mut arguments = [0.0_f32; 3];
                    for argument in arguments.iter_mut().take(builtin.arguments().len()).rev() {
                        *argument = f32::from_bits(pop!());
                    }
                    let [a, b, c] = arguments;
                    push!(float::builtin(builtin, a, b, c).to_bits());
                }
                Op::Less => compare!(|a, b| a < b),
                Op::LessEqual => compare!(|a, b| a <= b),
                Op::Greater => compare!(|a, b| a > b),
                Op::GreaterEqual => compare!(|a, b| a >= b),
                Op::EqualNumber => compare!(|a, b| a == b),
                Op::Near => compare!(|a, b| near(a, b)),
                Op::EqualBool | Op::EqualVariant | Op::EqualColor => {
                    let (b, a) = (pop!(), pop!());
                    push!(u32::from(a == b));
                }
                Op::EqualText => {
                    let (b, a) = (pop!(), pop!());
                    push!(u32::from(self.same_text(a, b)));
                }
                Op::Not => {
                    let a = pop!();
                    push!(u32::from(a == 0));
                }
                Op::Jump { skip } => place += usize::from(skip),
                Op::JumpIfFalse { skip } => {
                    if pop!() == 0 {
                        place += usize::from(skip);
                    }
                }
                Op::JumpIfFalseElsePop { skip } => {
                    if pop!() == 0 {
                        sp += 1;
                        place += usize::from(skip);
                    }
                }
                Op::JumpIfTrueElsePop { skip } => {
                    if pop!() != 0 {
                        sp += 1;
                        place += usize::from(skip);
                    }
                }
                Op::Random => {
                    let (b, a) = (f32::from_bits(pop!()), f32::from_bits(pop!()));
                    push!(self.random(a, b).to_bits());
                }
                Op::Set { param } => {
                    let value = pop!();
                    self.assign(param, value);
                }
                Op::Fire { param } => self.fire(param),
                Op::Play { animation } => self.play(animation),
                Op::Stop { animation, immediate } => self.stop(animation, immediate),
                Op::StopGroup { group, immediate } => self.stop_group(group, immediate),
                Op::PlayTag { tag } => self.play_tag(tag),
                Op::StopTag { tag } => self.stop_tag(tag, false),
                Op::Emit { emit } => sp = self.emit(emit, sp),
                Op::Audio { asset } => self.event(EventKind::Audio { asset }),
                Op::Camera { name } => self.event(EventKind::Camera { name }),
                Op::Request { state, priority } => self.request(state, priority),
            }
        }
        sp
    }

    /// Takes the work of looking through the rows of all tracks from the budget.
    fn charge_tracks(&mut self) -> bool {
        let rows: usize = self.layout.tracks.iter().map(|track| 1 + track.rows()).sum();
        rows == 0 || self.charge(u32::try_from(rows).unwrap_or(u32::MAX))
    }

    /// A parameter's word; for a trigger, whether it is armed for the machine that asks.
    #[inline]
    fn param(&self, param: ParamId, machine: Option<MachineId>) -> u32 {
        let Some(slot) = self.layout.params.get(param.index()) else { return 0 };
        let word = self.word(slot.at as usize);
        if !slot.is_trigger {
            return word;
        }
        u32::from(self.view().sees_trigger(word, slot, machine))
    }

    fn elapsed_here(&self, machine: Option<MachineId>) -> f32 {
        self.view().elapsed(machine.unwrap_or_default())
    }

    /// The host's answer, asked for once a decision.
    fn answer(&mut self, predicate: ExternId) -> bool {
        let (word, bit) = (predicate.index() / 32, 1 << (predicate.index() % 32));
        let (known, truth) = (self.layout.externs_known + word, self.layout.externs_true + word);
        if self.word(known) & bit != 0 {
            return self.word(truth) & bit != 0;
        }
        let Some(ask) = self.host.predicates.as_mut() else { return false };
        let answer = ask(self.out.component, predicate);
        self.put(known, self.word(known) | bit);
        if answer {
            self.put(truth, self.word(truth) | bit);
        }
        self.asked = true;
        answer
    }

    /// Whether two words of texts are the same text. Each text of the program stands once.
    fn same_text(&self, a: u32, b: u32) -> bool {
        let known = self.program.tables().texts.len();
        a == b || (a as usize >= known || b as usize >= known) && self.text(a) == self.text(b)
    }

    fn random(&mut self, a: f32, b: f32) -> f32 {
        let share = f64::from(self.draw());
        float::narrow(f64::from(a) + (f64::from(b) - f64::from(a)) * share)
    }

    /// The next random number, in `[0, 1)`.
    pub(crate) fn draw(&mut self) -> f32 {
        let Some(at) = self.layout.rng else { return 0.0 };
        let state = u64::from(self.word(at)) | u64::from(self.word(at + 1)) << 32;
        let (number, after) = rng::next(state);
        self.put(at, after as u32);
        self.put(at + 1, (after >> 32) as u32);
        number
    }

    /// Reports a custom event with the values on the stack; gives the stack pointer without them.
    fn emit(&mut self, emit: EmitId, sp: usize) -> usize {
        let types = self.rows.emits.get(emit.index()).map(|row| row.types).unwrap_or_default();
        let types = types.of(&self.rows.emit_types);
        let base = sp.saturating_sub(types.len());
        self.fired = true;
        self.unsettle();
        if !self.out.room(types.len()) {
            self.out.lost = self.out.lost.saturating_add(1);
            return base;
        }
        let first = if types.is_empty() { 0 } else { self.out.values.len() };
        for (ty, place) in types.iter().zip(base..) {
            let word = self.stack.get(place).copied().unwrap_or(0);
            let value = self.event_value(*ty, word);
            self.out.values.push(value);
        }
        self.out.push_event(Event {
            offset: self.now,
            kind: EventKind::Emit { emit },
            component: self.out.component,
            count: 1,
            order: 0,
            first: u32::try_from(first).unwrap_or(u32::MAX),
            values: u32::try_from(types.len()).unwrap_or(0),
        });
        base
    }

    fn event_value(&self, ty: Type, word: u32) -> EventValue {
        match ty.word() {
            Word::Number => EventValue::Number(f32::from_bits(word)),
            Word::Bool => EventValue::Bool(word != 0),
            Word::Variant => EventValue::Variant(word as u16),
            Word::Color => EventValue::Color(Color::from_word(word)),
            Word::Text => {
                let slot = (word as usize).checked_sub(self.program.tables().texts.len());
                match slot.and_then(|slot| self.texts.get(slot)).and_then(Option::as_ref) {
                    Some(text) => EventValue::HostText(text.clone()),
                    None => EventValue::Text(crate::ids::TextId(word)),
                }
            }
        }
    }
}
