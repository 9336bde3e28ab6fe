//! Blocks of code as expressions and actions, where they have the shape that the compiler gives them.
//!
//! A block is run with texts on the stack instead of values. Jumps that form an `and`, an `or`, an `if` are read as
//! such. What does not fit (also: an action while a value waits on the stack, whose order a nested text would hide)
//! is printed operation by operation instead, so that nothing is shown as what it is not.

use alloc::string::String;
use alloc::vec::Vec;

use super::node::{self, Node};
use super::ops;
use super::scope::{Home, Scope};
use crate::ids::{CodeId, DampId, EnumId};
use crate::op::{Op, Signature};
use crate::program::tables::Type;

/// Longer blocks, longer expressions and deeper nesting are printed operation by operation.
const LONGEST_BLOCK: usize = 4096;
const LONGEST_TEXT: usize = 2000;
const DEEPEST: usize = 48;

/// A block's text. An expression is [resolved](Text::resolve) where it is used.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Body {
    Expression(Text),
    Lines(Vec<Node>),
}

impl Body {
    /// Whether it is an expression of at most so many bytes.
    pub(super) fn is_short(&self, most: usize) -> bool {
        matches!(self, Self::Expression(text) if text.text.len() <= most)
    }
}

/// The text of a block; what it calls was read before.
pub(super) fn body(scope: &Scope<'_>, code: CodeId) -> Body {
    let Some(row) = scope.rows.codes.get(code.index()) else { return Body::Lines(Vec::new()) };
    let ops = row.ops.of(&scope.rows.ops);
    let reader = Reader { scope, code, ops };
    match (ops.len() <= LONGEST_BLOCK).then(|| reader.region(0, ops.len(), 0)).flatten() {
        Some((lines, stack)) => match <[Text; 1]>::try_from(stack) {
            Ok([text]) if lines.is_empty() => Body::Expression(text),
            Err(stack) if stack.is_empty() => Body::Lines(lines),
            _ => Body::Lines(alloc::vec![ops::block(scope, code, ops)]),
        },
        None => Body::Lines(alloc::vec![ops::block(scope, code, ops)]),
    }
}

/// The text that stands where a block is used as an expression: `head`, then its name or its text; where it has no
/// such text, its operations as items.
pub(super) fn expression(
    scope: &Scope<'_>,
    head: &str,
    code: CodeId,
    variants: Option<EnumId>,
) -> (String, Vec<Node>) {
    match scope.home(code) {
        Home::Named(name) => (alloc::format!("{head}{name}"), Vec::new()),
        Home::InPlace => definition(scope, head, code, variants),
    }
}

/// The same where the block is printed, whoever else uses it.
pub(super) fn definition(
    scope: &Scope<'_>,
    head: &str,
    code: CodeId,
    variants: Option<EnumId>,
) -> (String, Vec<Node>) {
    match scope.body(code) {
        Body::Expression(value) => (alloc::format!("{head}{}", value.resolve(scope, variants)), Vec::new()),
        Body::Lines(lines) => (alloc::format!("{head}ops"), lines.clone()),
    }
}

/// An action list under its head.
pub(super) fn actions(scope: &Scope<'_>, head: impl Into<String>, code: CodeId) -> Node {
    let lines = match (scope.home(code), scope.body(code)) {
        (Home::Named(name), _) => alloc::vec![Node::Line(name.clone())],
        (Home::InPlace, Body::Expression(value)) => alloc::vec![Node::Line(value.resolve(scope, None))],
        (Home::InPlace, Body::Lines(lines)) => lines.clone(),
    };
    Node::block(head, lines)
}

/// How tightly a text binds, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    If,
    Or,
    And,
    Not,
    Compare,
    Sum,
    Product,
    Negative,
    Atom,
}

/// An expression; its variants may not have their names yet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Text {
    text: String,
    level: Level,
    /// The enum it is of.
    variants: Option<EnumId>,
    /// Where its `==` stands, if it is one.
    equal: Option<usize>,
}

impl Text {
    fn new(text: String, level: Level) -> Self {
        Self { text, level, variants: None, equal: None }
    }

    fn atom(text: impl Into<String>) -> Self {
        Self::new(text.into(), Level::Atom)
    }

    /// The text. `variants` is the enum that the place of use expects.
    pub(super) fn resolve(&self, scope: &Scope<'_>, variants: Option<EnumId>) -> String {
        resolve(scope, self.text.clone(), self.variants.or(variants))
    }

    fn at_least(mut self, level: Level) -> String {
        if self.level < level {
            self.text.insert(0, '(');
            self.text.push(')');
        }
        self.text
    }
}

/// What stands for a variant whose enum is not known yet: no quoted name holds these characters.
const VARIANT: (char, char) = ('\u{1}', '\u{2}');

fn resolve(scope: &Scope<'_>, text: String, variants: Option<EnumId>) -> String {
    if !text.contains(VARIANT.0) {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for piece in text.split(VARIANT.0) {
        match piece.split_once(VARIANT.1) {
            Some((digits, rest)) => {
                out.push_str(&scope.variant(variants, digits.parse().unwrap_or(u32::MAX)));
                out.push_str(rest);
            }
            None => out.push_str(piece),
        }
    }
    out
}

struct Reader<'s, 'p> {
    scope: &'s Scope<'p>,
    code: CodeId,
    ops: &'s [Op],
}

type Region = (Vec<Node>, Vec<Text>);

impl Reader<'_, '_> {
    /// The actions and the values of the operations `from..to`; `None` where they have no such form.
    fn region(&self, from: usize, to: usize, depth: usize) -> Option<Region> {
        if depth > DEEPEST {
            return None;
        }
        let (mut lines, mut stack) = (Vec::new(), Vec::new());
        let mut at = from;
        while at < to {
            let op = *self.ops.get(at)?;
            at += 1;
            match op {
                Op::JumpIfFalseElsePop { skip } | Op::JumpIfTrueElsePop { skip } => {
                    let end = at + usize::from(skip);
                    let (word, level) = match op {
                        Op::JumpIfFalseElsePop { .. } => (" and ", Level::And),
                        _ => (" or ", Level::Or),
                    };
                    let right = self.value(at, end, to, depth)?;
                    let left = stack.pop()?;
                    stack.push(binary(left, word, right, level, level, level));
                    at = end;
                }
                Op::JumpIfFalse { skip } => {
                    let condition: Text = stack.pop()?;
                    at =
                        self.branches(condition, at, usize::from(skip), to, depth, &mut lines, &mut stack)?;
                }
                Op::Jump { .. } => return None,
                _ => self.operation(op, &mut lines, &mut stack)?,
            }
            if stack.last().is_some_and(|top| top.text.len() > LONGEST_TEXT) {
                return None;
            }
        }
        Some((lines, stack))
    }

    /// A region that leaves one value and does nothing.
    fn value(&self, from: usize, end: usize, limit: usize, depth: usize) -> Option<Text> {
        if end > limit {
            return None;
        }
        let (lines, stack) = self.region(from, end, depth + 1)?;
        let [text] = <[Text; 1]>::try_from(stack).ok()?;
        lines.is_empty().then_some(text)
    }

    /// An `if` of values or of actions. `at` is the place behind the jump. Gives the place behind it all.
    #[allow(clippy::too_many_arguments, reason = "the state of one walk, not worth a struct for one caller")]
    fn branches(
        &self,
        condition: Text,
        at: usize,
        skip: usize,
        limit: usize,
        depth: usize,
        lines: &mut Vec<Node>,
        stack: &mut Vec<Text>,
    ) -> Option<usize> {
        let otherwise = at + skip;
        if otherwise > limit {
            return None;
        }
        let jump =
            match otherwise.checked_sub(1).filter(|last| *last >= at).and_then(|last| self.ops.get(last)) {
                Some(Op::Jump { skip }) => Some(usize::from(*skip)),
                _ => None,
            };
        let then_end = if jump.is_some() { otherwise - 1 } else { otherwise };
        let end = otherwise + jump.unwrap_or(0);
        if end > limit {
            return None;
        }
        let (then_lines, then_stack) = self.region(at, then_end, depth + 1)?;
        let (else_lines, else_stack) = self.region(otherwise, end, depth + 1)?;
        match (<[Text; 1]>::try_from(then_stack), <[Text; 1]>::try_from(else_stack)) {
            (Ok([then]), Ok([other])) if then_lines.is_empty() && else_lines.is_empty() => {
                let variants = then.variants.or(other.variants);
                let mut text = String::from("if ");
                text.push_str(&condition.at_least(Level::Or));
                text.push_str(" then ");
                text.push_str(&then.at_least(Level::Or));
                text.push_str(" else ");
                text.push_str(&other.text);
                stack.push(Text { variants, ..Text::new(text, Level::If) });
            }
            (Err(then), Err(other)) if then.is_empty() && other.is_empty() && stack.is_empty() => {
                lines.push(Node::block(alloc::format!("If {}", condition.text), then_lines));
                if jump.is_some() {
                    otherwise_lines(else_lines, lines);
                }
            }
            _ => return None,
        }
        Some(end)
    }

    fn operation(&self, op: Op, lines: &mut Vec<Node>, stack: &mut Vec<Text>) -> Option<()> {
        let scope = self.scope;
        let text = match op {
            Op::Neg => {
                let operand = stack.pop()?.at_least(Level::Atom);
                Text::new(["-", &operand].concat(), Level::Negative)
            }
            Op::Add => infix(stack, " + ", Level::Sum)?,
            Op::Sub => infix(stack, " - ", Level::Sum)?,
            Op::Mul => infix(stack, " * ", Level::Product)?,
            Op::Div => infix(stack, " / ", Level::Product)?,
            Op::Less => infix(stack, " < ", Level::Compare)?,
            Op::LessEqual => infix(stack, " <= ", Level::Compare)?,
            Op::Greater => infix(stack, " > ", Level::Compare)?,
            Op::GreaterEqual => infix(stack, " >= ", Level::Compare)?,
            Op::Near => infix(stack, " ~= ", Level::Compare)?,
            Op::EqualNumber | Op::EqualBool | Op::EqualColor | Op::EqualText | Op::EqualVariant => {
                self.equal(stack)?
            }
            Op::Not => not(stack.pop()?),
            Op::Number { value } if value.is_sign_negative() => {
                Text::new(node::number(value), Level::Negative)
            }
            Op::Variant { value } => Text::atom(alloc::format!("{}{value}{}", VARIANT.0, VARIANT.1)),
            Op::Param { param } => {
                let variants = match scope.rows.params.get(param.index())?.ty {
                    Type::Enum(id) => Some(id),
                    _ => None,
                };
                Text { variants, ..Text::atom(scope.param(param)) }
            }
            Op::Value { .. } => Text::atom(ops::operation(scope, op)),
            Op::Call { code } => called(scope, code)?,
            Op::Damped { damp } => Text::atom(match scope.damp_name(damp, self.code) {
                Some(name) => name,
                None => damped(scope, damp)?,
            }),
            Op::Inside { .. } => Text::atom(ops::operation(scope, op)),
            Op::Builtin { builtin } => call(stack, builtin.name(), builtin.arguments().len())?,
            Op::Random => call(stack, "random", 2)?,
            Op::Set { param } => {
                let value = stack.pop()?;
                let variants = match scope.rows.params.get(param.index())?.ty {
                    Type::Enum(id) => Some(id),
                    _ => None,
                };
                let value = resolve(scope, value.text, variants.or(value.variants));
                return action(lines, stack, alloc::format!("Set {} = {value}", scope.param(param)));
            }
            Op::Emit { emit } => {
                let row = scope.rows.emits.get(emit.index())?;
                let types = row.types.of(&scope.rows.emit_types);
                let values = stack.split_off(stack.len().checked_sub(types.len())?);
                let values = node::list(values.into_iter().zip(types).map(|(value, ty)| {
                    let variants = if let Type::Enum(id) = ty { Some(*id) } else { value.variants };
                    resolve(scope, value.text, variants)
                }));
                let name = scope.name(row.name);
                let text = if types.is_empty() {
                    alloc::format!("Emit {name}")
                } else {
                    alloc::format!("Emit {name}({values})")
                };
                return action(lines, stack, text);
            }
            _ => {
                let text = ops::operation(scope, op);
                return match op.signature() {
                    Signature::Fixed([], None) => action(lines, stack, text),
                    Signature::Fixed([], Some(_)) => {
                        stack.push(Text::atom(text));
                        Some(())
                    }
                    // `Fire`: takes nothing.
                    _ => action(lines, stack, text),
                };
            }
        };
        stack.push(text);
        Some(())
    }

    fn equal(&self, stack: &mut Vec<Text>) -> Option<Text> {
        let (mut right, mut left) = (stack.pop()?, stack.pop()?);
        let variants = left.variants.or(right.variants);
        left.text = resolve(self.scope, left.text, variants);
        right.text = resolve(self.scope, right.text, variants);
        let left = Text::atom(left.at_least(Level::Sum));
        let at = left.text.len() + 1;
        let text = binary(left, " == ", right, Level::Compare, Level::Sum, Level::Sum);
        Some(Text { equal: Some(at), ..text })
    }
}

/// What follows an `If`: `Else If`s, where that is all there is, or `Else`.
fn otherwise_lines(mut inner: Vec<Node>, lines: &mut Vec<Node>) {
    let is_if = |node: &Node| matches!(node, Node::Block { head, .. } if head.starts_with("If "));
    let is_else = |node: &Node| matches!(node, Node::Block { head, .. } if head.starts_with("Else"));
    match inner.split_first_mut() {
        Some((first, rest)) if is_if(first) && rest.iter().all(is_else) => {
            if let Node::Block { head, .. } = first {
                head.insert_str(0, "Else ");
            }
            lines.append(&mut inner);
        }
        _ => lines.push(Node::block("Else", inner)),
    }
}

/// An action runs when nothing waits on the stack.
fn action(lines: &mut Vec<Node>, stack: &[Text], text: String) -> Option<()> {
    lines.push(Node::Line(text));
    stack.is_empty().then_some(())
}

fn infix(stack: &mut Vec<Text>, word: &str, level: Level) -> Option<Text> {
    let (right, left) = (stack.pop()?, stack.pop()?);
    let (low, high) = match level {
        Level::Sum => (Level::Sum, Level::Product),
        Level::Product => (Level::Product, Level::Negative),
        _ => (Level::Sum, Level::Sum),
    };
    Some(binary(left, word, right, level, low, high))
}

fn binary(left: Text, word: &str, right: Text, level: Level, low: Level, high: Level) -> Text {
    // The right side of `and` and `or` may be one again: both ways mean the same.
    let mut text = left.at_least(low);
    text.push_str(word);
    text.push_str(&right.at_least(high));
    Text::new(text, level)
}

fn not(operand: Text) -> Text {
    if let Some(at) = operand.equal {
        let mut text = operand.text;
        text.replace_range(at..at + 2, "!=");
        return Text::new(text, Level::Compare);
    }
    Text::new(["not ", &operand.at_least(Level::Not)].concat(), Level::Not)
}

fn call(stack: &mut Vec<Text>, name: &str, count: usize) -> Option<Text> {
    let values = stack.split_off(stack.len().checked_sub(count)?);
    let values = node::list(values.into_iter().map(|value| value.text));
    Some(Text::atom(alloc::format!("{name}({values})")))
}

/// A block as a value in an expression; `None` where it is no expression.
fn called(scope: &Scope<'_>, code: CodeId) -> Option<Text> {
    let variants = scope.enums.get(code.index()).copied().flatten();
    match (scope.home(code), scope.body(code)) {
        (Home::Named(name), _) => Some(Text { variants, ..Text::atom(name.clone()) }),
        (Home::InPlace, Body::Expression(text)) => Some(text.clone()),
        (Home::InPlace, Body::Lines(_)) => None,
    }
}

fn damped(scope: &Scope<'_>, damp: DampId) -> Option<String> {
    let row = scope.rows.damps.get(damp.index())?;
    let input = called(scope, row.input)?;
    Some(alloc::format!("damp({}, {}s)", input.text, node::number(row.time)))
}
