//! Blocks of code while they are built: operations, jumps that are set later, and how much a block takes.
//!
//! The stack, the calls and the cost of a block are counted as the verifier counts them, so that what is too large
//! can be reported with its place.

use motix_vm::ids::CodeId;
use motix_vm::op::{Op, Word};
use motix_vm::program::limits::Limit;
use motix_vm::program::tables::{Code, Run};

/// What a finished block takes when it runs.
#[derive(Clone, Copy, Debug, Default)]
struct Needs {
    cost: usize,
    stack: usize,
    calls: usize,
}

/// All blocks of a behavior.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    codes: Vec<Code>,
    ops: Vec<Op>,
    needs: Vec<Needs>,
    /// Lists of operations to use again, all empty.
    spare: Vec<Vec<Op>>,
}

/// A jump whose distance is not known yet.
#[derive(Debug)]
#[must_use]
pub(super) struct Hole(usize);

/// A block that is being written.
#[derive(Debug, Default)]
pub(super) struct Block {
    ops: Vec<Op>,
    depth: usize,
    needs: Needs,
    too_far: bool,
}

impl Block {
    /// Appends an operation that pops and pushes so many values.
    pub(super) fn op(&mut self, op: Op, pops: usize, pushes: usize) {
        self.ops.push(op);
        self.needs.cost += 1;
        self.depth = self.depth.saturating_sub(pops) + pushes;
        self.needs.stack = self.needs.stack.max(self.depth);
    }

    /// Appends a call, which pushes one value.
    pub(super) fn call(&mut self, blocks: &Blocks, code: CodeId) {
        let called = blocks.needs.get(code.index()).copied().unwrap_or_default();
        self.needs.cost = self.needs.cost.saturating_add(called.cost);
        self.needs.calls = self.needs.calls.max(called.calls + 1);
        self.needs.stack = self.needs.stack.max(self.depth + called.stack);
        self.op(Op::Call { code }, 0, 1);
    }

    /// Appends a jump that leads to where [`Block::land`] is called with what this returns.
    pub(super) fn jump(&mut self, op: Op, pops: usize) -> Hole {
        self.op(op, pops, 0);
        Hole(self.ops.len() - 1)
    }

    /// Lets the jump lead here.
    pub(super) fn land(&mut self, hole: Hole) {
        let distance = self.ops.len() - hole.0 - 1;
        let Ok(distance) = u16::try_from(distance) else {
            self.too_far = true;
            return;
        };
        if let Some(
            Op::Jump { skip }
            | Op::JumpIfFalse { skip }
            | Op::JumpIfFalseElsePop { skip }
            | Op::JumpIfTrueElsePop { skip },
        ) = self.ops.get_mut(hole.0)
        {
            *skip = distance;
        }
    }

    /// Goes on with one value less: of two ways that push a value each, one is taken.
    pub(super) fn other_way(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// The first limit that the block exceeds.
    pub(super) fn exceeds(&self) -> Option<Limit> {
        [(Limit::Cost, self.needs.cost), (Limit::Stack, self.needs.stack), (Limit::Calls, self.needs.calls)]
            .into_iter()
            .find(|(limit, value)| *value > limit.value())
            .map(|(limit, _)| limit)
            .or(self.too_far.then_some(Limit::Cost))
    }
}

impl Blocks {
    /// Begins a block.
    pub(super) fn begin(&mut self) -> Block {
        Block { ops: self.spare.pop().unwrap_or_default(), ..Block::default() }
    }

    /// Adds a finished block.
    pub(super) fn add(&mut self, mut block: Block, result: Option<Word>) -> CodeId {
        // What is too large was reported; whoever calls it is not at fault.
        self.needs.push(if block.exceeds().is_some() { Needs::default() } else { block.needs });
        let run = Run { first: self.ops.len() as u32, count: block.ops.len() as u32 };
        self.ops.append(&mut block.ops);
        self.spare.push(block.ops);
        self.codes.push(Code { ops: run, result });
        CodeId(self.codes.len() as u32 - 1)
    }

    pub(super) fn into_rows(self) -> (Vec<Code>, Vec<Op>) {
        (self.codes, self.ops)
    }
}
