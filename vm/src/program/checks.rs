//! Conditions that only compare parameters, decoded once, so that deciding need not interpret them.
//!
//! Most conditions are comparisons of parameters with constants, joined by `and`, `or` and `not`. Their blocks are walked
//! here along every way, calls included, and become chains of checks, each of which says which one follows if it holds
//! and which if not. A chain gives what its block gives, for any verified block; one that does anything else, or whose
//! chain would be long, has none. What a block costs is counted by its operations all the same.

use alloc::vec;
use alloc::vec::Vec;

use super::layout::{CodeInfo, ParamSlot};
use super::tables::{Behavior, Run};
use crate::ids::CodeId;
use crate::op::Op;

/// Follows the last check of a way on which the condition holds.
pub(crate) const HOLDS: u16 = u16::MAX;
/// Follows the last check of a way on which it does not.
const FAILS: u16 = HOLDS - 1;
/// The most checks of a chain.
const MOST: usize = 24;
/// The most operations that are walked for a chain.
const STEPS: u32 = 1024;
/// The most values, and calls, that wait for each other on a way.
const DEPTH: usize = 8;

/// A comparison of a parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    /// Its word.
    pub(crate) at: u32,
    /// What it is compared with; of a trigger, its place among the parameters.
    pub(crate) value: u32,
    pub(crate) test: Test,
    /// The check that follows if it holds, counted from the first of its chain.
    pub(crate) yes: u16,
    /// The one that follows if not.
    pub(crate) no: u16,
}

/// How a parameter is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Test {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    Near,
    /// It is the same word.
    Same,
    /// It is a trigger, and armed for the machine that asks.
    Armed,
}

impl Test {
    /// The test of the same comparison with its sides exchanged.
    const fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessEqual => Self::GreaterEqual,
            Self::Greater => Self::Less,
            Self::GreaterEqual => Self::LessEqual,
            Self::Equal | Self::Near | Self::Same | Self::Armed => self,
        }
    }
}

/// Decodes the conditions of transitions and reactions; each of their blocks is told where its chain is.
pub(super) fn decode(rows: &Behavior, params: &[ParamSlot], codes: &mut [CodeInfo]) -> Vec<Check> {
    let mut chains: Vec<Option<Run>> = vec![None; codes.len()];
    let mut walk = Walk { rows, params, checks: Vec::new(), first: 0, known: Vec::new(), steps: 0 };
    let transitions = rows.transitions.iter().filter_map(|transition| transition.condition);
    for code in transitions.chain(rows.whens.iter().map(|when| when.condition)) {
        let meant = meant(rows, code);
        if let (Some(info), Some(chain)) = (codes.get_mut(code.index()), chains.get_mut(meant.index())) {
            info.checks = *chain.get_or_insert_with(|| walk.chain(info.ops));
        }
    }
    walk.checks.shrink_to_fit();
    walk.checks
}

/// The block that a block stands for: where it is nothing but a call, what is called. `when IsMoving` is such a block, and
/// there are many of them for one predicate.
fn meant(rows: &Behavior, mut code: CodeId) -> CodeId {
    // Calls go to earlier blocks.
    while let Some([Op::Call { code: called }]) =
        rows.codes.get(code.index()).map(|row| row.ops.of(&rows.ops))
    {
        code = *called;
    }
    code
}

/// A value that a block would have on its stack.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    Constant(u32),
    /// The word of a parameter that is no trigger.
    Param(u32),
    /// Whether the test of a parameter's word and a value is `holds`.
    Tested {
        test: Test,
        at: u32,
        value: u32,
        holds: bool,
    },
}

/// At most [`DEPTH`] things, the last on top; it takes no memory of its own.
#[derive(Clone, Copy, Debug)]
struct Pile<T> {
    all: [T; DEPTH],
    count: usize,
}

impl<T: Copy> Pile<T> {
    const fn new(filler: T) -> Self {
        Self { all: [filler; DEPTH], count: 0 }
    }

    /// `None` where it is full.
    fn push(&mut self, item: T) -> Option<()> {
        *self.all.get_mut(self.count)? = item;
        self.count += 1;
        Some(())
    }

    fn pop(&mut self) -> Option<T> {
        self.count = self.count.checked_sub(1)?;
        self.all.get(self.count).copied()
    }

    fn top(&mut self) -> Option<&mut T> {
        self.all.get_mut(self.count.checked_sub(1)?)
    }

    fn items(&self) -> &[T] {
        self.all.get(..self.count).unwrap_or_default()
    }
}

/// The operations of a block that are still to be done.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rest {
    next: u32,
    end: u32,
}

impl Rest {
    const NOTHING: Self = Self { next: 0, end: 0 };

    const fn of(run: Run) -> Self {
        Self { next: run.first, end: run.first.saturating_add(run.count) }
    }
}

/// How far a walk is: what is left of the blocks under way, and the stack.
#[derive(Clone, Copy, Debug)]
struct Way {
    calls: Pile<Rest>,
    stack: Pile<Item>,
}

impl PartialEq for Way {
    fn eq(&self, other: &Self) -> bool {
        self.calls.items() == other.calls.items() && self.stack.items() == other.stack.items()
    }
}

impl Way {
    const START: Self = Self { calls: Pile::new(Rest::NOTHING), stack: Pile::new(Item::Constant(0)) };

    fn push(&mut self, item: Item) -> Option<()> {
        self.stack.push(item)
    }

    fn jump(&mut self, skip: u16) -> Option<()> {
        let rest = self.calls.top()?;
        rest.next = rest.next.saturating_add(skip.into());
        Some(())
    }

    /// Goes on where the value that was taken from the stack decides for a jump, or against it.
    fn decide(&mut self, jump: Jump, truth: bool) -> Option<()> {
        if truth == jump.on {
            if jump.keeps {
                self.push(Item::Constant(u32::from(truth)))?;
            }
            self.jump(jump.skip)?;
        }
        Some(())
    }
}

/// A jump that a value decides.
#[derive(Clone, Copy)]
struct Jump {
    skip: u16,
    /// The value for which it jumps.
    on: bool,
    /// The value stays on the stack where it jumps.
    keeps: bool,
}

struct Walk<'a> {
    rows: &'a Behavior,
    params: &'a [ParamSlot],
    checks: Vec<Check>,
    /// The first check of the chain under way.
    first: usize,
    /// Where ways of the chain go on that were walked.
    known: Vec<(Way, u16)>,
    steps: u32,
}

impl Walk<'_> {
    /// Appends the chain of a block, if it has one.
    fn chain(&mut self, block: Run) -> Run {
        (self.first, self.steps) = (self.checks.len(), STEPS);
        self.known.clear();
        let mut start = Way::START;
        let walked = start.calls.push(Rest::of(block)).and_then(|()| self.walk(&start));
        // What holds always, or never, is not worth a chain.
        if walked == Some(0)
            && let (Ok(first), Ok(count)) =
                (u32::try_from(self.first), u32::try_from(self.checks.len() - self.first))
        {
            return Run { first, count };
        }
        self.checks.truncate(self.first);
        Run::default()
    }

    /// Walks on; gives what follows: a check, or the end. `None` where the condition is not to be decoded.
    fn walk(&mut self, start: &Way) -> Option<u16> {
        if let Some((_, next)) = self.known.iter().find(|(known, _)| known == start) {
            return Some(*next);
        }
        let mut way = *start;
        loop {
            self.steps = self.steps.checked_sub(1)?;
            let Some(rest) = way.calls.top() else {
                let (truth, item) = (|next: bool| if next { HOLDS } else { FAILS }, way.stack.pop()?);
                return match Self::truth(item) {
                    Item::Constant(word) => Some(truth(word != 0)),
                    Item::Tested { test, at, value, holds } => {
                        let check = Check { at, value, test, yes: truth(holds), no: truth(!holds) };
                        Some(self.add(start, check)?.1)
                    }
                    Item::Param(_) => None,
                };
            };
            if rest.next >= rest.end {
                way.calls.pop();
                continue;
            }
            let op = self.rows.ops.get(rest.next as usize)?;
            rest.next += 1;
            let jump = match *op {
                Op::JumpIfFalse { skip } => Jump { skip, on: false, keeps: false },
                Op::JumpIfFalseElsePop { skip } => Jump { skip, on: false, keeps: true },
                Op::JumpIfTrueElsePop { skip } => Jump { skip, on: true, keeps: true },
                op => {
                    self.step(&mut way, op)?;
                    continue;
                }
            };
            match Self::truth(way.stack.pop()?) {
                Item::Constant(word) => way.decide(jump, word != 0)?,
                Item::Tested { test, at, value, holds } => {
                    let check = Check { at, value, test, yes: FAILS, no: FAILS };
                    let (index, next) = self.add(start, check)?;
                    let mut other = way;
                    other.decide(jump, holds)?;
                    let yes = self.walk(&other)?;
                    way.decide(jump, !holds)?;
                    let no = self.walk(&way)?;
                    let check = self.checks.get_mut(self.first + index)?;
                    (check.yes, check.no) = (yes, no);
                    return Some(next);
                }
                Item::Param(_) => return None,
            }
        }
    }

    fn add(&mut self, start: &Way, check: Check) -> Option<(usize, u16)> {
        let index = self.checks.len() - self.first;
        let next = u16::try_from(index).ok().filter(|_| index < MOST)?;
        self.checks.push(check);
        self.known.push((*start, next));
        Some((index, next))
    }

    /// A value of type bool as a constant or a test.
    const fn truth(item: Item) -> Item {
        match item {
            Item::Param(at) => Item::Tested { test: Test::Same, at, value: 0, holds: false },
            other => other,
        }
    }

    /// Does what an operation does that decides nothing.
    fn step(&mut self, way: &mut Way, op: Op) -> Option<()> {
        match op {
            Op::Number { value } => way.push(Item::Constant(value.to_bits())),
            Op::Bool { value } => way.push(Item::Constant(u32::from(value))),
            Op::Variant { value } => way.push(Item::Constant(u32::from(value))),
            Op::Color { value } => way.push(Item::Constant(value)),
            Op::Param { param } => {
                let slot = self.params.get(param.index())?;
                let value = u32::from(param.0);
                way.push(if slot.is_trigger {
                    Item::Tested { test: Test::Armed, at: slot.at, value, holds: true }
                } else {
                    Item::Param(slot.at)
                })
            }
            Op::Call { code } => self.call(way, code),
            Op::Jump { skip } => way.jump(skip),
            Op::Not => {
                let item = match Self::truth(way.stack.pop()?) {
                    Item::Tested { test, at, value, holds } => {
                        Item::Tested { test, at, value, holds: !holds }
                    }
                    Item::Constant(word) => Item::Constant(u32::from(word == 0)),
                    Item::Param(_) => return None,
                };
                way.push(item)
            }
            Op::Less => Self::compare(way, Test::Less),
            Op::LessEqual => Self::compare(way, Test::LessEqual),
            Op::Greater => Self::compare(way, Test::Greater),
            Op::GreaterEqual => Self::compare(way, Test::GreaterEqual),
            Op::EqualNumber => Self::compare(way, Test::Equal),
            Op::Near => Self::compare(way, Test::Near),
            Op::EqualBool | Op::EqualVariant | Op::EqualColor => Self::compare(way, Test::Same),
            _ => None,
        }
    }

    fn call(&self, way: &mut Way, code: CodeId) -> Option<()> {
        way.calls.push(Rest::of(self.rows.codes.get(code.index())?.ops))
    }

    /// Compares the two values on top of the stack: a parameter and a constant.
    fn compare(way: &mut Way, test: Test) -> Option<()> {
        let (b, a) = (way.stack.pop()?, way.stack.pop()?);
        let (at, value, test) = match (a, b) {
            (Item::Param(at), Item::Constant(value)) => (at, value, test),
            (Item::Constant(value), Item::Param(at)) => (at, value, test.mirrored()),
            _ => return None,
        };
        way.push(Item::Tested { test, at, value, holds: true })
    }
}
