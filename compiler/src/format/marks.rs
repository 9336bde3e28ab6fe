//! What the tree knows about tokens that their shape does not tell: calls, signs, arrows, and where blocks and nodes
//! begin.

use crate::hash::HashSet;

use crate::ast::{self, Entry, EntryValue, Expr, ExprKind, Node, Part, TypeKind, UnaryOp};

/// Offsets of tokens with a special meaning. Only membership is asked for, so their order means nothing.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Ends of names whose parenthesis follows without a space.
    pub(super) calls: HashSet<u32>,
    /// Starts of minus signs before an operand.
    pub(super) signs: HashSet<u32>,
    /// Starts of arrows that consist of two tokens.
    pub(super) arrows: HashSet<u32>,
}

impl Marks {
    /// The marks of a file.
    pub(super) fn of(file: &ast::File) -> Self {
        let mut marks = Self::default();
        marks.nodes(&file.nodes);
        marks
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Item(item) => {
                    for part in item.head.iter() {
                        self.part(part);
                    }
                    self.block(item.block.as_ref());
                }
                Node::Entry(entry) => self.entry(entry),
                Node::Field(_, value) => self.expr(value),
                Node::Name(_) | Node::Error(_) => {}
            }
        }
    }

    fn block(&mut self, block: Option<&ast::Block>) {
        if let Some(block) = block {
            self.nodes(&block.nodes);
        }
    }

    fn entry(&mut self, entry: &Entry) {
        entry.expressions().for_each(|value| self.expr(value));
        if let EntryValue::Motion(block) = &entry.value {
            self.nodes(&block.nodes);
        }
        self.block(entry.block.as_ref());
    }

    fn part(&mut self, part: &Part) {
        part.expressions().iter().for_each(|value| self.expr(value));
        match part {
            Part::Events(expected) => {
                for event in &expected.events {
                    self.calls.insert(event.kind.span.end);
                    event.arguments.iter().for_each(|value| self.expr(value));
                }
            }
            Part::Type(of) if matches!(of.kind, TypeKind::Enum(_)) => {
                self.calls.insert(of.span.start + "enum".len() as u32);
            }
            // `Emit name(...)`: nothing else has a parenthesis after its name.
            Part::Names(names) => self.calls.extend(names.last().map(|name| name.span.end)),
            Part::Arrow(_, span) => {
                self.arrows.insert(span.start);
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Call(path, _) => drop(self.calls.insert(path.span.end)),
            ExprKind::Unary(UnaryOp::Neg, _) => drop(self.signs.insert(expr.span.start)),
            _ => {}
        }
        expr.operands().iter().for_each(|operand| self.expr(operand));
    }
}
