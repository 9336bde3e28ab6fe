//! Turns the function of a predicate into an expression of the language, where it is simple enough.
//!
//! Names mean what they mean in Lua where they are read: each block has its own locals, and what follows a block does
//! not see them. Where a name was declared again in between, the predicate is refused.
//!
//! Simple is: locals, `if`s and a `return`, of comparisons, `and`, `or`, `not`, arithmetic and `math` functions over
//! literals, constants, fields, variables and attributes. What is read from outside becomes a parameter. Everything
//! else, a call with an effect above all, stays with the host: its text is kept beside an `Extern Predicate`.

use super::model::{ConstId, Data, Param, PredicateBody, Ty};
use super::scope::{Binding, MAX_LOOK, Reader};
use super::tree::{BinaryOp, ExprId, ExprKind, Stmt, StmtKind};
use super::types;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// An expression of the language. Its nesting and size are limited.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Literal(Data),
    Constant(ConstId),
    /// A parameter of the behavior.
    Param(usize),
    Not(Box<Condition>),
    Negate(Box<Condition>),
    Binary(BinaryOp, Box<Condition>, Box<Condition>),
    Call(&'static str, Vec<Condition>),
    If(Box<Condition>, Box<Condition>, Box<Condition>),
}

/// Why a predicate stays with the host.
struct Refusal(String, Span);

/// The most nodes an expression may have, and how deep functions may call each other.
const MAX_NODES: usize = 400;
const MAX_INLINE: usize = 4;
/// How deep an expression may nest; the language takes more.
const MAX_NESTING: u32 = 32;
/// The most lines of Lua that are kept beside an `Extern Predicate`.
const MAX_LINES: usize = 60;

struct Converter<'r, 'a, 'd> {
    reader: &'r mut Reader<'a, 'd>,
    behavior: usize,
    /// Parameters that may have changed, as they were: all of it is undone if the predicate is refused.
    journal: Vec<(usize, Option<Ty>, Option<Data>)>,
    nodes: usize,
    inlined: usize,
    nesting: u32,
}

/// What follows a block that ends without a `return`: the statements behind it, and what follows those.
#[derive(Clone, Copy)]
struct Then<'t, 'a> {
    statements: &'a [Stmt<'a>],
    /// How many scopes these statements see: not those of the block before them.
    scopes: usize,
    then: Option<&'t Then<'t, 'a>>,
}

/// The body of a predicate that is given by `value`: a function, the name of one, or a value.
pub(super) fn predicate<'a>(reader: &mut Reader<'a, '_>, behavior: usize, value: ExprId) -> PredicateBody {
    let tree = reader.tree;
    let mut value = tree.bare(value);
    if let ExprKind::Name(name) = tree.kind(value)
        && let Some(Binding::Expr(target)) = reader.lookup(name)
        && matches!(tree.kind(target), ExprKind::Function(_))
    {
        value = target;
    }
    let span = tree.span(value);
    let before = reader.model.behaviors[behavior].params.len();
    let mut converter = Converter { reader, behavior, journal: Vec::new(), nodes: 0, inlined: 0, nesting: 0 };
    let result = match tree.kind(value) {
        ExprKind::Function(body) => converter.function(&body.params, &body.block, span),
        ExprKind::Bool(value) => Ok(Condition::Literal(Data::Bool(*value))),
        _ => Err(Refusal("it is not a function that is written here".to_owned(), span)),
    };
    let result = result.and_then(|condition| converter.accept(condition, span));
    match result {
        Ok(condition) => PredicateBody::Condition(condition),
        Err(Refusal(why, place)) => {
            converter.undo(before);
            let text = lua_text(reader.text, span);
            let message = "this predicate is left to the host";
            let diagnostic = Diagnostic::new(Code::PredicateLeftToHost, message, place, &*why);
            reader.push(diagnostic.help("it became an `Extern Predicate`; the host answers it each time"));
            PredicateBody::Host(why, text)
        }
    }
}

/// The text of a function with the indentation of its last line taken off all.
fn lua_text(text: &str, span: Span) -> String {
    let body = text.get(span.range()).unwrap_or("");
    let last = body.lines().next_back().unwrap_or("");
    let indent = last.len() - last.trim_start().len();
    let mut lines: Vec<&str> = body
        .lines()
        .map(|line| match line.get(..indent) {
            Some(head) if head.trim().is_empty() => line[indent..].trim_end(),
            _ => line.trim_end(),
        })
        .collect();
    let total = lines.len();
    if total > MAX_LINES {
        lines.truncate(MAX_LINES);
        lines.push("...");
    }
    lines.join("\n")
}

type Converted = Result<Condition, Refusal>;

impl<'a> Converter<'_, 'a, '_> {
    /// Infers the types of the parameters that a condition reads.
    fn accept(&mut self, condition: Condition, span: Span) -> Converted {
        condition.each_param(&mut |index| self.note(index));
        let model = &mut self.reader.model;
        let params = &mut model.behaviors[self.behavior].params;
        types::infer(&condition, Ty::Bool, params, &model.constants).map_err(|why| Refusal(why, span))?;
        Ok(condition)
    }

    fn params(&mut self) -> &mut Vec<Param> {
        &mut self.reader.model.behaviors[self.behavior].params
    }

    fn note(&mut self, index: usize) {
        let param = &self.params()[index];
        let entry = (index, param.ty, param.default.clone());
        self.journal.push(entry);
    }

    /// Takes back what a refused predicate did to the parameters.
    fn undo(&mut self, before: usize) {
        while let Some((index, ty, default)) = self.journal.pop() {
            let param = &mut self.params()[index];
            (param.ty, param.default) = (ty, default);
        }
        let behavior = &mut self.reader.model.behaviors[self.behavior];
        for param in behavior.params.drain(before..) {
            behavior.sources.remove(&param.source);
        }
    }

    fn function(&mut self, params: &'a [&'a str], block: &'a [Stmt<'a>], span: Span) -> Converted {
        // A scope as in Lua: parameters and locals of the function hide those outside.
        self.reader.open();
        for param in params {
            self.reader.bind(param, Binding::Unknown);
        }
        let result = self.statements(block, None, span);
        self.reader.close();
        result
    }

    /// The value of a block, whose locals are its own; `then` follows where it gives none.
    fn block(&mut self, block: &'a [Stmt<'a>], then: Option<&Then<'_, 'a>>, span: Span) -> Converted {
        self.reader.open();
        let result = self.statements(block, then, span);
        self.reader.close();
        result
    }

    fn statements(&mut self, block: &'a [Stmt<'a>], then: Option<&Then<'_, 'a>>, span: Span) -> Converted {
        let mut block = block;
        // Locals first, in a loop: there may be very many.
        while let Some((first, rest)) = block.split_first()
            && let StmtKind::Local(names, values) = &first.kind
            && names.len() == values.len()
        {
            if let Some(name) = names.iter().find(|name| self.reader.is_written(name)) {
                return Err(Refusal(format!("`{name}` changes"), first.span));
            }
            for (name, value) in names.iter().zip(values) {
                self.reader.bind(name, Binding::Expr(*value));
            }
            block = rest;
        }
        let Some((first, rest)) = block.split_first() else {
            let Some(then) = then else {
                return Err(Refusal("it may end without a value".to_owned(), span));
            };
            // What follows is converted once for each way to it.
            self.nodes += 1;
            if self.nodes > MAX_NODES {
                return Err(Refusal("it is too long".to_owned(), span));
            }
            let aside = self.reader.set_aside(then.scopes);
            let result = self.block(then.statements, then.then, span);
            self.reader.put_back(aside);
            return result;
        };
        match &first.kind {
            StmtKind::Return(values) if values.len() == 1 => self.expression(values[0]),
            StmtKind::If(branches, otherwise) => {
                let behind = Then { statements: rest, scopes: self.reader.scopes(), then };
                // Behind the last statement there is only what follows the block.
                let then = if rest.is_empty() { then } else { Some(&behind) };
                let otherwise = self.block(otherwise.as_deref().unwrap_or(&[]), then, first.span)?;
                branches.iter().rev().try_fold(otherwise, |otherwise, (condition, block)| {
                    let condition = self.expression(*condition)?;
                    let value = self.block(block, then, first.span)?;
                    Ok(choose(condition, value, otherwise))
                })
            }
            StmtKind::Do(block) => {
                let behind = Then { statements: rest, scopes: self.reader.scopes(), then };
                self.block(block, if rest.is_empty() { then } else { Some(&behind) }, span)
            }
            _ => Err(Refusal("it does more than return a value".to_owned(), first.span)),
        }
    }

    fn expression(&mut self, id: ExprId) -> Converted {
        let span = self.reader.tree.span(id);
        self.nodes += 1;
        if self.nodes > MAX_NODES || self.nesting >= MAX_NESTING || self.reader.tree.get(id).depth > MAX_LOOK
        {
            return Err(Refusal("it is too long".to_owned(), span));
        }
        self.nesting += 1;
        let result = self.inside(id, span);
        self.nesting -= 1;
        result
    }

    fn boxed(&mut self, id: ExprId) -> Result<Box<Condition>, Refusal> {
        self.expression(id).map(Box::new)
    }

    fn inside(&mut self, id: ExprId, span: Span) -> Converted {
        let tree = self.reader.tree;
        let refuse = |why: &str| Err(Refusal(why.to_owned(), span));
        match tree.kind(id) {
            ExprKind::Bool(value) => Ok(Condition::Literal(Data::Bool(*value))),
            ExprKind::Number(value) if value.abs() <= f64::from(f32::MAX) => {
                Ok(Condition::Literal(Data::Number(*value)))
            }
            ExprKind::Text(text) => Ok(Condition::Literal(Data::Text(text.clone()))),
            ExprKind::Group(inner) => self.expression(*inner),
            ExprKind::Not(inner) => Ok(negation(self.expression(*inner)?)),
            ExprKind::Negate(inner) => Ok(Condition::Negate(self.boxed(*inner)?)),
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b, span),
            ExprKind::If(c, a, b) => {
                Ok(choose(self.expression(*c)?, self.expression(*a)?, self.expression(*b)?))
            }
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..) => self.read(id, span),
            ExprKind::Method(base, "GetAttribute", _, arguments) => {
                let name = match arguments[..] {
                    [argument] => self.reader.fold(argument),
                    _ => None,
                };
                let (Some(path), Some(Data::Text(name))) = (self.full_path(*base), name) else {
                    return refuse("the attribute is not named by a literal");
                };
                let source = format!("{}:GetAttribute({name:?})", path.join("."));
                let words = path.into_iter().chain([name]).collect();
                Ok(self.param(source, words))
            }
            ExprKind::Method(_, name, ..) => Err(Refusal(format!("it calls `:{name}(...)`"), span)),
            ExprKind::Call(callee, arguments) => self.call(*callee, arguments, span),
            ExprKind::Nil => refuse("it compares with nil"),
            ExprKind::Length(_) => refuse("it counts elements"),
            ExprKind::Error => refuse("it could not be read"),
            _ => refuse("it needs more than fields and constants"),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, span: Span) -> Converted {
        if op == BinaryOp::Concat {
            return Err(Refusal("it joins texts".to_owned(), span));
        }
        let (left, right) = (self.expression(a)?, self.expression(b)?);
        if matches!(op, BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::Mod)
            && matches!(self.reader.fold(b), Some(Data::Number(0.0)))
        {
            // Infinite in Lua, 0 here.
            return Err(Refusal("it divides by zero".to_owned(), span));
        }
        if op == BinaryOp::Or
            && let Condition::Param(index) = left
            && let Condition::Literal(default @ (Data::Number(_) | Data::Text(_))) = &right
        {
            // `x or 0`: what an unset value counts as.
            let default = default.clone();
            self.note(index);
            self.params()[index].default = Some(default);
            return Ok(Condition::Param(index));
        }
        let two = |name, left, right| Ok(Condition::Call(name, vec![left, right]));
        match op {
            BinaryOp::Mod => two("mod", left, right),
            BinaryOp::Pow => two("pow", left, right),
            BinaryOp::FloorDiv => {
                let quotient = Condition::Binary(BinaryOp::Div, Box::new(left), Box::new(right));
                Ok(Condition::Call("floor", vec![quotient]))
            }
            BinaryOp::Equal | BinaryOp::NotEqual => {
                Ok(match (left, right) {
                    (value, Condition::Literal(Data::Bool(literal)))
                    | (Condition::Literal(Data::Bool(literal)), value) => {
                        if literal == (op == BinaryOp::Equal) { value } else { negation(value) }
                    }
                    (left, right) => Condition::Binary(op, Box::new(left), Box::new(right)),
                })
            }
            _ => Ok(Condition::Binary(op, Box::new(left), Box::new(right))),
        }
    }

    fn call(&mut self, callee: ExprId, arguments: &[ExprId], span: Span) -> Converted {
        let tree = self.reader.tree;
        let path = tree.path(callee).unwrap_or_default();
        if let ["math", function] = path[..]
            && let Some((_, name, count)) = MATH.iter().find(|(lua, ..)| *lua == function)
        {
            if arguments.len() != *count {
                return Err(Refusal(format!("`math.{function}` takes {count} arguments here"), span));
            }
            let arguments = arguments.iter().map(|id| self.expression(*id)).collect::<Result<_, _>>()?;
            return Ok(Condition::Call(name, arguments));
        }
        if let [name] = path[..]
            && arguments.is_empty()
            && self.inlined < MAX_INLINE
            && let Some(Binding::Expr(function)) = self.reader.lookup(name)
            && let ExprKind::Function(body) = tree.kind(function)
            && body.params.is_empty()
        {
            self.inlined += 1;
            let result = self.function(&body.params, &body.block, span);
            self.inlined -= 1;
            return result;
        }
        let name =
            if path.is_empty() { "a function".to_owned() } else { format!("`{}(...)`", path.join(".")) };
        Err(Refusal(format!("it calls {name}"), span))
    }

    /// A name or field: a constant, a local of the function, or a parameter.
    fn read(&mut self, id: ExprId, span: Span) -> Converted {
        let tree = self.reader.tree;
        if let Some(name) = tree.path(id).and_then(|path| path.first().copied())
            && self.reader.declared_again(name, id)
        {
            return Err(Refusal(format!("`{name}` is declared again before it is read"), span));
        }
        if let Some(data) = self.reader.given(id) {
            return match data {
                Data::Number(value) if value.abs() > f64::from(f32::MAX) => {
                    Err(Refusal("it uses a number that is too large".to_owned(), span))
                }
                data => Ok(Condition::Literal(data)),
            };
        }
        if let Some(constant) = self.reader.constant_at(id) {
            return match self.reader.model.constants[constant.0 as usize].data {
                Data::Number(value) if value.abs() > f64::from(f32::MAX) => {
                    Err(Refusal("it uses a number that is too large".to_owned(), span))
                }
                _ => Ok(Condition::Constant(constant)),
            };
        }
        if let ExprKind::Name(name) = tree.kind(id)
            && let Some(Binding::Expr(value)) = self.reader.lookup(name)
            && tree.path(value).is_none()
        {
            return match tree.kind(value) {
                ExprKind::Table(_) | ExprKind::Function(_) => {
                    Err(Refusal(format!("`{name}` is not a plain value"), span))
                }
                _ if value.0 < id.0 => self.expression(value),
                _ => Err(Refusal(format!("`{name}` is not known"), span)),
            };
        }
        let Some(path) = self.full_path(id) else {
            return Err(Refusal("it reads a field of a computed value".to_owned(), span));
        };
        match &path[..] {
            [first, _, item] if first == "Enum" => Ok(Condition::Literal(Data::Text(item.clone()))),
            [first, second] if first == "math" && second == "pi" => {
                Ok(Condition::Literal(Data::Number(std::f64::consts::PI)))
            }
            [first, ..] if first == "math" => Err(Refusal(format!("it reads `{}`", path.join(".")), span)),
            _ => Ok(self.param(path.join("."), path)),
        }
    }

    /// The parts of a path, with the locals in front that only name another path written out.
    fn full_path(&mut self, id: ExprId) -> Option<Vec<String>> {
        let tree = self.reader.tree;
        let mut path: Vec<String> = tree.path(id)?.into_iter().map(str::to_owned).collect();
        let mut at = id;
        for _ in 0..8 {
            if self.reader.declared_again(&path[0], at) {
                return None;
            }
            let Some(Binding::Expr(value)) = self.reader.lookup(&path[0]) else { break };
            let Some(head) = tree.path(value) else { break };
            let head: Vec<String> = head.into_iter().map(str::to_owned).collect();
            if path.len() + head.len() > 32 || head[0] == path[0] {
                break;
            }
            path.splice(..1, head);
            at = value;
        }
        Some(path)
    }

    fn param(&mut self, source: String, words: Vec<String>) -> Condition {
        let behavior = &mut self.reader.model.behaviors[self.behavior];
        let next = behavior.params.len();
        let index = *behavior.sources.entry(source.clone()).or_insert(next);
        if index == next {
            behavior.params.push(Param { source, words, ty: None, default: None });
        }
        Condition::Param(index)
    }
}

impl Condition {
    /// Calls `each` with every parameter that is read.
    pub(super) fn each_param(&self, each: &mut impl FnMut(usize)) {
        match self {
            Condition::Param(index) => each(*index),
            Condition::Literal(_) | Condition::Constant(_) => {}
            Condition::Not(inner) | Condition::Negate(inner) => inner.each_param(each),
            Condition::Binary(_, a, b) => {
                a.each_param(each);
                b.each_param(each);
            }
            Condition::Call(_, arguments) => arguments.iter().for_each(|inner| inner.each_param(each)),
            Condition::If(a, b, c) => [a, b, c].into_iter().for_each(|inner| inner.each_param(each)),
        }
    }
}

/// Functions of `math` with their counterparts and how many arguments both take.
const MATH: &[(&str, &str, usize)] = &[
    ("abs", "abs", 1),
    ("atan2", "atan2", 2),
    ("ceil", "ceil", 1),
    ("clamp", "clamp", 3),
    ("cos", "cos", 1),
    ("floor", "floor", 1),
    ("lerp", "lerp", 3),
    ("max", "max", 2),
    ("min", "min", 2),
    ("pow", "pow", 2),
    ("round", "round", 1),
    ("sign", "sign", 1),
    ("sin", "sin", 1),
    ("sqrt", "sqrt", 1),
];

fn negation(value: Condition) -> Condition {
    match value {
        Condition::Not(inner) => *inner,
        Condition::Literal(Data::Bool(value)) => Condition::Literal(Data::Bool(!value)),
        value => Condition::Not(Box::new(value)),
    }
}

/// `if condition then value else otherwise`, shorter where a branch is a literal.
fn choose(condition: Condition, value: Condition, otherwise: Condition) -> Condition {
    let literal = |branch: &Condition| match branch {
        Condition::Literal(Data::Bool(value)) => Some(*value),
        _ => None,
    };
    let (condition, value, otherwise) = (Box::new(condition), Box::new(value), Box::new(otherwise));
    match (literal(&value), literal(&otherwise)) {
        (Some(true), Some(false)) => *condition,
        (Some(false), Some(true)) => negation(*condition),
        (Some(true), None) => Condition::Binary(BinaryOp::Or, condition, otherwise),
        (None, Some(false)) => Condition::Binary(BinaryOp::And, condition, value),
        (Some(false), None) => Condition::Binary(BinaryOp::And, Box::new(negation(*condition)), otherwise),
        _ => Condition::If(condition, value, otherwise),
    }
}
