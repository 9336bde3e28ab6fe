//! The syntax tree of a Luau file, as far as the importer reads it.
//!
//! Expressions live in one arena, children before parents: a chain of a million calls is a flat vector, and nothing
//! that walks or drops it can overflow the stack. Blocks nest, no deeper than the parser's limit. Types are not kept.

use crate::source::Span;

/// An expression of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ExprId(pub(super) u32);

/// A function's body.
#[derive(Debug)]
pub(super) struct Body<'t> {
    pub(super) params: Vec<&'t str>,
    pub(super) block: Block<'t>,
}

pub(super) type Block<'t> = Vec<Stmt<'t>>;

#[derive(Debug)]
pub(super) struct Stmt<'t> {
    pub(super) kind: StmtKind<'t>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum StmtKind<'t> {
    /// `local a, b = x, y`
    Local(Vec<&'t str>, Vec<ExprId>),
    /// `a.b, c = x, y`, and `a += x`.
    Assign(Vec<ExprId>, Vec<ExprId>),
    /// A call or anything else that stands alone.
    Expr(ExprId),
    /// `local function f() end` and `function f() end`; of a longer name the last part.
    Function {
        name: &'t str,
        function: ExprId,
    },
    Return(Vec<ExprId>),
    /// The branches with their conditions, and the one after `else`.
    If(Vec<(ExprId, Block<'t>)>, Option<Block<'t>>),
    /// `for`, `while`, `repeat`: what is evaluated, the names bound, the block.
    Loop(Vec<ExprId>, Vec<&'t str>, Block<'t>),
    Do(Block<'t>),
    /// `break`, `continue`, a type.
    Other,
}

#[derive(Debug)]
pub(super) struct Expr<'t> {
    pub(super) kind: ExprKind<'t>,
    pub(super) span: Span,
    /// How many expressions deep it is; functions count as one.
    pub(super) depth: u32,
}

#[derive(Debug)]
pub(super) enum ExprKind<'t> {
    Nil,
    Bool(bool),
    Number(f64),
    Text(String),
    /// A text with parts to evaluate.
    Interpolated,
    Dots,
    Name(&'t str),
    /// `base.name`
    Field(ExprId, &'t str),
    /// `base[index]`
    Index(ExprId, ExprId),
    Call(ExprId, Vec<ExprId>),
    /// `base:name(arguments)`, and where the name stands.
    Method(ExprId, &'t str, Span, Vec<ExprId>),
    Function(Body<'t>),
    Table(Vec<(Key<'t>, ExprId)>),
    Not(ExprId),
    Negate(ExprId),
    Length(ExprId),
    Binary(BinaryOp, ExprId, ExprId),
    If(ExprId, ExprId, ExprId),
    Group(ExprId),
    /// Reported.
    Error,
}

/// The key of a table's field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Key<'t> {
    None,
    Name(&'t str),
    Expr(ExprId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinaryOp {
    Or,
    And,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Concat,
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
}

/// The longest path that has a meaning here.
const MAX_PATH: usize = 32;

/// A file.
#[derive(Debug, Default)]
pub(super) struct Tree<'t> {
    pub(super) exprs: Vec<Expr<'t>>,
    pub(super) block: Block<'t>,
}

impl<'t> Tree<'t> {
    pub(super) fn get(&self, id: ExprId) -> &Expr<'t> {
        &self.exprs[id.0 as usize]
    }

    pub(super) fn kind(&self, id: ExprId) -> &ExprKind<'t> {
        &self.get(id).kind
    }

    pub(super) fn span(&self, id: ExprId) -> Span {
        self.get(id).span
    }

    /// The expression without parentheses around it.
    pub(super) fn bare(&self, mut id: ExprId) -> ExprId {
        while let ExprKind::Group(inner) = self.kind(id) {
            id = *inner;
        }
        id
    }

    /// The parts of `a.b.c`, `a["b"].c`; `None` for anything else.
    pub(super) fn path(&self, id: ExprId) -> Option<Vec<&str>> {
        let mut parts = Vec::new();
        let mut at = self.bare(id);
        while parts.len() < MAX_PATH {
            match self.kind(at) {
                ExprKind::Name(name) => {
                    parts.push(*name);
                    parts.reverse();
                    return Some(parts);
                }
                ExprKind::Field(base, name) => {
                    parts.push(*name);
                    at = self.bare(*base);
                }
                ExprKind::Index(base, index) => {
                    let ExprKind::Text(text) = self.kind(self.bare(*index)) else { return None };
                    parts.push(text);
                    at = self.bare(*base);
                }
                _ => return None,
            }
        }
        None
    }

    /// The direct parts of an expression in source order, without the bodies of functions.
    pub(super) fn children(&self, id: ExprId) -> Vec<ExprId> {
        match self.kind(id) {
            ExprKind::Field(base, _) => vec![*base],
            ExprKind::Index(a, b) | ExprKind::Binary(_, a, b) => vec![*a, *b],
            ExprKind::Call(callee, arguments) => [&[*callee], &arguments[..]].concat(),
            ExprKind::Method(base, _, _, arguments) => [&[*base], &arguments[..]].concat(),
            ExprKind::Table(fields) => fields
                .iter()
                .flat_map(|(key, value)| match key {
                    Key::Expr(key) => vec![*key, *value],
                    _ => vec![*value],
                })
                .collect(),
            ExprKind::Not(x) | ExprKind::Negate(x) | ExprKind::Length(x) | ExprKind::Group(x) => vec![*x],
            ExprKind::If(a, b, c) => vec![*a, *b, *c],
            _ => Vec::new(),
        }
    }
}
