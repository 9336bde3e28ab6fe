//! Lists of actions to operations.

use motix_vm::ids::CodeId;
use motix_vm::op::Op;

use super::Lowerer;
use super::code::Block;
use crate::hir::{Action, Expr, Ty};
use crate::source::Span;

impl Lowerer<'_> {
    /// A block that runs actions; `None` for an empty list. `span` is where the list belongs to.
    pub(super) fn action_block(&mut self, actions: &[Action], span: Span) -> Option<CodeId> {
        if actions.is_empty() { None } else { Some(self.required_action_block(actions, span)) }
    }

    /// A block that runs actions, also where there are none.
    pub(super) fn required_action_block(&mut self, actions: &[Action], span: Span) -> CodeId {
        let mut block = self.blocks.begin();
        self.actions(&mut block, actions);
        self.add_block(block, None, span)
    }

    fn actions(&mut self, block: &mut Block, actions: &[Action]) {
        for action in actions {
            self.action(block, action);
        }
    }

    fn action(&mut self, block: &mut Block, action: &Action) {
        let (op, pops) = match action {
            Action::Play(animation) => (Op::Play { animation: *animation }, 0),
            Action::Stop(animation, immediate) => {
                (Op::Stop { animation: *animation, immediate: *immediate }, 0)
            }
            Action::StopGroup(group, immediate) => {
                (Op::StopGroup { group: *group, immediate: *immediate }, 0)
            }
            Action::PlayTag(tag) => (Op::PlayTag { tag: *tag }, 0),
            Action::StopTag(tag) => (Op::StopTag { tag: *tag }, 0),
            Action::Set(param, value) => {
                self.expression(block, value);
                (Op::Set { param: *param }, 1)
            }
            Action::Fire(param) => (Op::Fire { param: *param }, 0),
            Action::Emit(name, values) => {
                for value in values {
                    self.expression(block, value);
                }
                let types: Vec<Ty> = values.iter().map(|value| value.ty).collect();
                (Op::Emit { emit: self.emit(*name, &types) }, values.len())
            }
            Action::Audio(asset) => (Op::Audio { asset: self.text(*asset) }, 0),
            Action::Camera(name) => (Op::Camera { name: self.text(*name) }, 0),
            Action::Request(state, priority) => (Op::Request { state: *state, priority: *priority }, 0),
            Action::If(condition, then, otherwise) => return self.choice(block, condition, then, otherwise),
        };
        block.op(op, pops, 0);
    }

    /// `If`, and the chain of `Else If` that hangs on it, which may be long.
    fn choice(&mut self, block: &mut Block, condition: &Expr, then: &[Action], otherwise: &[Action]) {
        let mut ends = Vec::new();
        let (mut condition, mut then, mut otherwise) = (condition, then, otherwise);
        loop {
            self.expression(block, condition);
            let no = block.jump(Op::JumpIfFalse { skip: 0 }, 1);
            self.actions(block, then);
            if otherwise.is_empty() {
                block.land(no);
                break;
            }
            ends.push(block.jump(Op::Jump { skip: 0 }, 0));
            block.land(no);
            match otherwise {
                [Action::If(next, inner, last)] => (condition, then, otherwise) = (next, inner, last),
                _ => {
                    self.actions(block, otherwise);
                    break;
                }
            }
        }
        for end in ends {
            block.land(end);
        }
    }
}
