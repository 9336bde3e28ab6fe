//! Blocks of code end, touch only what exists, and leave on the stack what they say.
//!
//! A block is simulated once, from its first operation to its last, with the types of the stack. Jumps go forward,
//! so every way to a place has been seen when the place is reached, and no operation runs twice in one evaluation.
//! Calls go to earlier blocks, whose facts are known.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::{At, Context};
use crate::ids::{CodeId, DampId};
use crate::op::{Effect, Op, Signature, Word};
use crate::program::error::{LoadError, LoadErrorKind as Kind};
use crate::program::limits::Limit;
use crate::program::tables::{Behavior, Code, Type};

/// What is known of a verified block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodeFacts {
    /// The most operations that run, those of called blocks included.
    pub(crate) cost: u32,
    /// The most values on the stack, those of called blocks included.
    pub(crate) stack: u8,
    /// How deep blocks call blocks from here; 0 for one that calls none.
    pub(crate) calls: u8,
    /// Reads `dt`.
    pub(crate) dt: bool,
    /// Reads the pointer's place.
    pub(crate) pointer: bool,
    /// The last smoothed value it reads.
    pub(crate) damp: Option<DampId>,
}

/// Checks the blocks of a behavior; `inner` are the facts about those of its components.
pub(super) fn check(
    context: &Context<'_>,
    rows: &Behavior,
    inner: &[Vec<CodeFacts>],
) -> Result<Vec<CodeFacts>, LoadError> {
    let mut facts = Vec::with_capacity(rows.codes.len());
    // Empty after each block; it keeps its memory.
    let mut waiting = BTreeMap::new();
    for (row, code) in rows.codes.iter().enumerate() {
        let mut block = Block {
            rows,
            earlier: &facts,
            inner,
            code: *code,
            first: code.ops.first as usize,
            context,
            stack: Some(Stack::default()),
            waiting,
            nearest: usize::MAX,
            facts: CodeFacts::default(),
        };
        block.run(context.row("codes", row))?;
        let known = block.facts;
        waiting = block.waiting;
        facts.push(known);
    }
    Ok(facts)
}

/// One block under simulation.
struct Block<'a, 't> {
    rows: &'a Behavior,
    earlier: &'a [CodeFacts],
    inner: &'a [Vec<CodeFacts>],
    code: Code,
    first: usize,
    context: &'a Context<'t>,
    /// The stack here; `None` after a jump, until a place that is jumped to.
    stack: Option<Stack>,
    /// The stacks with which jumps arrive at later places, by the place's distance from the start.
    waiting: BTreeMap<usize, Stack>,
    /// The first of these places.
    nearest: usize,
    facts: CodeFacts,
}

impl Block<'_, '_> {
    fn run(&mut self, block: At<'_, '_>) -> Result<(), LoadError> {
        let ops = self.code.ops.of(&self.rows.ops);
        for (place, op) in ops.iter().enumerate() {
            let at = self.context.row("ops", self.first + place);
            self.arrive(at, place)?;
            self.facts.cost = self.facts.cost.saturating_add(1);
            self.operation(at, place, *op)?;
            at.limit(Limit::Cost, self.facts.cost as usize)?;
        }
        self.arrive(block, ops.len())?;
        let mut expected = Stack::default();
        if let Some(word) = self.code.result {
            expected.push(word);
        }
        block.require(self.stack == Some(expected), Kind::BadResult, "")
    }

    /// Joins the ways to a place.
    fn arrive(&mut self, at: At<'_, '_>, place: usize) -> Result<(), LoadError> {
        let mut jumped = None;
        if place == self.nearest {
            jumped = self.waiting.remove(&place);
            self.nearest = self.waiting.keys().next().copied().unwrap_or(usize::MAX);
        }
        match (self.stack, jumped) {
            (None, None) => Err(at.error(Kind::Unreachable, "")),
            (Some(here), Some(jumped)) if here != jumped => Err(at.error(Kind::StackJoin, "")),
            (here, jumped) => {
                self.stack = here.or(jumped);
                Ok(())
            }
        }
    }

    fn pop(&mut self, at: At<'_, '_>, expected: Word) -> Result<(), LoadError> {
        match self.stack.as_mut().and_then(Stack::pop) {
            None => Err(at.error(Kind::StackUnderflow, "")),
            Some(found) if found == expected => Ok(()),
            Some(found) => {
                let detail = alloc::format!("{} where {} is needed", found.name(), expected.name());
                Err(at.error(Kind::StackType, detail))
            }
        }
    }

    fn push(&mut self, at: At<'_, '_>, word: Word) -> Result<(), LoadError> {
        let Some(stack) = &mut self.stack else { return Ok(()) };
        at.limit(Limit::Stack, stack.len() + 1)?;
        stack.push(word);
        self.facts.stack = self.facts.stack.max(stack.len);
        Ok(())
    }

    fn jump(&mut self, at: At<'_, '_>, place: usize, skip: u16) -> Result<(), LoadError> {
        let target = place + 1 + usize::from(skip);
        at.require(target <= self.code.ops.count as usize, Kind::BadJump, "")?;
        let Some(stack) = self.stack else { return Ok(()) };
        self.nearest = self.nearest.min(target);
        match self.waiting.insert(target, stack) {
            Some(other) if other != stack => Err(at.error(Kind::StackJoin, "")),
            _ => Ok(()),
        }
    }

    fn operation(&mut self, at: At<'_, '_>, place: usize, op: Op) -> Result<(), LoadError> {
        if op.effect() == Effect::Action {
            at.require(self.code.result.is_none(), Kind::Impure, op.mnemonic())?;
        }
        operand(at, self.rows, op)?;
        if let Signature::Fixed(pops, push) = op.signature() {
            for word in pops.iter().rev() {
                self.pop(at, *word)?;
            }
            if let Some(word) = push {
                self.push(at, word)?;
            }
        }
        match op {
            Op::Dt => self.facts.dt = true,
            Op::PointerX | Op::PointerY => self.facts.pointer = true,
            Op::Damped { damp } => {
                let input = self.rows.damps.get(damp.index()).map(|row| row.input.index());
                at.require(
                    input.is_some_and(|input| input < self.earlier.len()),
                    Kind::DampOrder,
                    "what a smoothed value follows is an earlier block than those that read it",
                )?;
                self.facts.damp = self.facts.damp.max(Some(damp));
            }
            Op::Param { param } => {
                let word = self.rows.params.get(param.index()).map_or(Word::Bool, |row| row.ty.word());
                self.push(at, word)?;
            }
            Op::Value { property } => {
                let row = self.rows.properties.get(property.index());
                self.push(at, row.map_or(Word::Number, |row| row.ty.word()))?;
            }
            Op::Call { code } => self.call(at, code)?,
            Op::Inside { component, probe } => self.inside(at, component, probe)?,
            Op::Builtin { builtin } => {
                for _ in builtin.arguments() {
                    self.pop(at, Word::Number)?;
                }
                self.push(at, Word::Number)?;
            }
            Op::Jump { skip } => {
                self.jump(at, place, skip)?;
                self.stack = None;
            }
            Op::JumpIfFalse { skip } => {
                self.pop(at, Word::Bool)?;
                self.jump(at, place, skip)?;
            }
            Op::JumpIfFalseElsePop { skip } | Op::JumpIfTrueElsePop { skip } => {
                self.pop(at, Word::Bool)?;
                self.push(at, Word::Bool)?;
                self.jump(at, place, skip)?;
                self.pop(at, Word::Bool)?;
            }
            Op::Set { param } => {
                let ty = self.rows.params.get(param.index()).map_or(Type::Trigger, |row| row.ty);
                at.require(ty != Type::Trigger, Kind::BadTrigger, "a trigger cannot be set")?;
                self.pop(at, ty.word())?;
            }
            Op::Fire { param } => {
                let ty = self.rows.params.get(param.index()).map(|row| row.ty);
                at.require(ty == Some(Type::Trigger), Kind::BadTrigger, "only a trigger can be fired")?;
            }
            Op::Emit { emit } => {
                let types = self.rows.emits.get(emit.index()).map(|row| row.types).unwrap_or_default();
                for ty in types.of(&self.rows.emit_types).iter().rev() {
                    self.pop(at, ty.word())?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// A probe of a component: a block that is not this behavior's.
    fn inside(&mut self, at: At<'_, '_>, component: u16, probe: u32) -> Result<(), LoadError> {
        let rows = self.rows.components.get(usize::from(component)).map(|row| row.behavior.index());
        let behaviors = &self.context.tables.behaviors;
        let found = rows.and_then(|index| {
            let probe = behaviors.get(index)?.probes.get(probe as usize)?;
            Some((*self.inner.get(index)?.get(probe.code.index())?, probe.ty.word()))
        });
        let Some((called, word)) = found else {
            return Err(at.error(Kind::BadCall, alloc::format!("probe {probe} of component {component}")));
        };
        self.enter(at, called)?;
        self.push(at, word)
    }

    /// Counts what a called block takes.
    fn enter(&mut self, at: At<'_, '_>, called: CodeFacts) -> Result<(), LoadError> {
        let deep = self.stack.map_or(0, |stack| stack.len()) + usize::from(called.stack);
        at.limit(Limit::Stack, deep)?;
        at.limit(Limit::Calls, usize::from(called.calls) + 1)?;
        let facts = &mut self.facts;
        facts.stack = facts.stack.max(u8::try_from(deep).unwrap_or(u8::MAX));
        facts.calls = facts.calls.max(called.calls.saturating_add(1));
        facts.cost = facts.cost.saturating_add(called.cost);
        Ok(())
    }

    fn call(&mut self, at: At<'_, '_>, code: CodeId) -> Result<(), LoadError> {
        let result = self.rows.codes.get(code.index()).and_then(|called| called.result);
        let (Some(called), Some(word)) = (self.earlier.get(code.index()).copied(), result) else {
            return Err(at.error(Kind::BadCall, alloc::format!("block {}", code.0)));
        };
        self.enter(at, called)?;
        let facts = &mut self.facts;
        facts.dt |= called.dt;
        facts.pointer |= called.pointer;
        facts.damp = facts.damp.max(called.damp);
        self.push(at, word)
    }
}

/// What an operation names exists, and its constant is a value.
fn operand(at: At<'_, '_>, rows: &Behavior, op: Op) -> Result<(), LoadError> {
    match op {
        Op::Number { value } => at.number("value", value, f32::MIN, f32::MAX),
        Op::Text { value: text } | Op::Audio { asset: text } | Op::Camera { name: text } => {
            at.text("text", text)
        }
        Op::Param { param } | Op::Set { param } | Op::Fire { param } => {
            at.id("param", param.index(), rows.params.len())
        }
        Op::Damped { damp } => at.id("damp", damp.index(), rows.damps.len()),
        Op::Extern { predicate } => at.id("extern", predicate.index(), rows.externs.len()),
        Op::CameFrom { state } | Op::In { state } | Op::Request { state, .. } => {
            at.id("state", state.index(), rows.states.len())
        }
        Op::Tagged { tag } | Op::PlayTag { tag } | Op::StopTag { tag } => {
            at.id("tag", tag.index(), rows.tags.len())
        }
        Op::Playing { animation }
        | Op::Finished { animation }
        | Op::Time { animation }
        | Op::Phase { animation }
        | Op::Weight { animation }
        | Op::Play { animation }
        | Op::Stop { animation, .. } => at.id("animation", animation.index(), rows.animations.len()),
        Op::Value { property } => at.id("property", property.index(), rows.properties.len()),
        Op::LayerWeight { layer } => at.id("layer", layer.index(), rows.layers.len()),
        Op::Fade { machine } => at.id("machine", machine.index(), rows.machines.len()),
        Op::InSpan { span } => at.id("span", span.index(), rows.spans.len()),
        Op::StopGroup { group, .. } => at.id("group", group.index(), rows.groups.len()),
        Op::Emit { emit } => at.id("emit", emit.index(), rows.emits.len()),
        // No operand, or one that the simulation checks.
        Op::Bool { .. }
        | Op::Variant { .. }
        | Op::Color { .. }
        | Op::Call { .. }
        | Op::Inside { .. }
        | Op::Elapsed
        | Op::Dt
        | Op::PointerX
        | Op::PointerY
        | Op::MotionPhase
        | Op::MotionLoops
        | Op::MotionFinished
        | Op::Neg
        | Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Div
        | Op::Builtin { .. }
        | Op::Less
        | Op::LessEqual
        | Op::Greater
        | Op::GreaterEqual
        | Op::EqualNumber
        | Op::EqualBool
        | Op::EqualVariant
        | Op::EqualColor
        | Op::EqualText
        | Op::Near
        | Op::Not
        | Op::Jump { .. }
        | Op::JumpIfFalse { .. }
        | Op::JumpIfFalseElsePop { .. }
        | Op::JumpIfTrueElsePop { .. }
        | Op::Random => Ok(()),
    }
}

/// The types on the stack, three bits a value, bit by bit: small, because one waits at every place jumped to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Stack {
    planes: [u64; 3],
    len: u8,
}

// One bit of a plane a value.
const _: () = assert!(Limit::Stack.value() <= 64);

impl Stack {
    const WORDS: [Word; 5] = [Word::Number, Word::Bool, Word::Variant, Word::Color, Word::Text];

    fn len(&self) -> usize {
        self.len.into()
    }

    /// The caller keeps the limit.
    fn push(&mut self, word: Word) {
        let number = Self::WORDS.iter().position(|known| *known == word).unwrap_or_default();
        for (bit, plane) in self.planes.iter_mut().enumerate() {
            *plane |= ((number >> bit & 1) as u64) << (self.len & 63);
        }
        self.len += 1;
    }

    fn pop(&mut self) -> Option<Word> {
        self.len = self.len.checked_sub(1)?;
        let mut number = 0;
        for (bit, plane) in self.planes.iter_mut().enumerate() {
            number |= ((*plane >> self.len & 1) as usize) << bit;
            *plane &= !(1 << self.len);
        }
        Self::WORDS.get(number).copied()
    }
}
