//! The syntax tree: what was written, in the uniform shape of the language, with the place of everything.
//!
//! A tree is total: where something could not be read stands an `Error` node, and its diagnostic was reported.
//! Parts of an item stand in the order of its row in [`syntax`](crate::syntax); a part that is missing was reported.
//! The tree resolves nothing and checks nothing.

mod short;

pub use short::{Head, Modifiers, Names};

use crate::intern::Symbol;
use crate::source::Span;
use crate::syntax::{Keyword, Modifier};

/// A file.
#[derive(Clone, Debug)]
pub struct File {
    /// Its items.
    pub nodes: Vec<Node>,
    /// All of it.
    pub span: Span,
    /// Names that were declared where no declaration of theirs can stand, or the like: each was reported, and what
    /// refers to them needs no report of its own.
    pub lost: Vec<Symbol>,
}

/// What stands in a block.
#[derive(Clone, Debug)]
pub enum Node {
    /// A keyword and what follows.
    Item(Item),
    /// `key: value`, in blends and tracks.
    Entry(Box<Entry>),
    /// A name, in an `Enum`.
    Name(Name),
    /// A key and its literal, in `Metadata`.
    Field(Name, Expr),
    /// Something that could not be read.
    Error(Span),
}

/// A keyword and what follows.
#[derive(Clone, Debug)]
pub struct Item {
    /// The keyword.
    pub keyword: Keyword,
    /// Where the keyword stands.
    pub keyword_span: Span,
    /// The words before it.
    pub modifiers: Modifiers,
    /// The pieces of its head, in the order of its row; optional ones only where they stand.
    pub head: Head,
    /// Its block.
    pub block: Option<Block>,
    /// From its first word to its end.
    pub span: Span,
    /// The `///` lines before it, without the slashes, joined by newlines.
    pub doc: Option<Symbol>,
}

/// A block in braces.
#[derive(Clone, Debug)]
pub struct Block {
    /// What stands in it.
    pub nodes: Vec<Node>,
    /// With its braces.
    pub span: Span,
}

/// `key: value { options }`.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Before the colon: a number, a point, a weight, a time.
    pub key: EntryKey,
    /// After it.
    pub value: EntryValue,
    /// The options of a track's key.
    pub block: Option<Block>,
    /// All of it.
    pub span: Span,
}

/// What stands before an entry's colon.
#[derive(Clone, Debug)]
pub enum EntryKey {
    /// An expression.
    Value(Expr),
    /// `(x, y)`.
    Point(Expr, Expr),
}

/// What stands after an entry's colon.
#[derive(Clone, Debug)]
pub enum EntryValue {
    /// A name or a literal.
    Value(Expr),
    /// `{ motion }`.
    Motion(Block),
}

/// A piece of an item's head.
#[derive(Clone, Debug)]
pub enum Part {
    /// A name, or several separated by commas.
    Names(Names),
    /// Names joined by dots.
    Path(Path),
    /// String literals.
    Texts(Vec<Text>),
    /// An expression: `Value`, `OptLiteral`.
    Value(Expr),
    /// Two expressions.
    Pair(Box<[Expr; 2]>),
    /// `: type`.
    Type(Type),
    /// `: Behavior`.
    Of(Path),
    /// `= expression`.
    Assign(Expr),
    /// `when expression`.
    When(Expr),
    /// `on request`.
    OnRequest(Span),
    /// `from State`.
    FromState(Path),
    /// `at expression`.
    At(Expr),
    /// `at (x, y)`.
    AtPoint(Box<[Expr; 2]>),
    /// `from expression`.
    From(Expr),
    /// `to expression`.
    To(Expr),
    /// `as name`.
    As(Name),
    /// `for Behavior`.
    For(Path),
    /// `extends Behavior`.
    Extends(Path),
    /// `immediate`.
    Immediate(Span),
    /// `(expression, ...)`.
    Arguments(Vec<Expr>),
    /// `->`, `<-` or `<->`.
    Arrow(Arrow, Span),
    /// `If expression` after `Else`.
    If(Expr),
    /// An event to listen to.
    Event(Name),
    /// What a test expects of events.
    Events(EventExpectation),
    /// `Duration` after `Provide`.
    Duration(Span),
    /// A keyword after `Remove`.
    Declaration(Keyword, Span),
}

/// The direction of a `Bind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrow {
    /// `->`.
    ToChild,
    /// `<-`.
    ToParent,
    /// `<->`.
    Both,
}

/// `events has E`, `events lacks E`, `events == [E, ...]`.
#[derive(Clone, Debug)]
pub struct EventExpectation {
    /// How.
    pub relation: EventRelation,
    /// The events: one, or those of the list.
    pub events: Vec<EventPattern>,
    /// All of it.
    pub span: Span,
}

/// How events are expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventRelation {
    /// At least one such.
    Has,
    /// None such.
    Lacks,
    /// Those of the given kinds are exactly these, in this order.
    Equal,
}

/// `Enter(Walk)`, `ChainLimit`, `Audio("x")`.
#[derive(Clone, Debug)]
pub struct EventPattern {
    /// The kind of event.
    pub kind: Name,
    /// Its arguments.
    pub arguments: Vec<Expr>,
    /// All of it.
    pub span: Span,
}

/// A type as written.
#[derive(Clone, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// Where.
    pub span: Span,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeKind {
    /// A name: `number`, `Mood`, `guard.Mood`.
    Named(Path),
    /// `enum(a, b)`.
    Enum(Vec<Name>),
    /// Could not be read.
    Error,
}

/// A name.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    /// Its text, in NFC.
    pub symbol: Symbol,
    /// Where, with its quotes.
    pub span: Span,
    /// Whether it stands in backquotes or quotes.
    pub quoted: bool,
}

/// Names joined by dots; never empty.
#[derive(Clone, Debug)]
pub struct Path {
    /// The names.
    pub names: Names,
    /// All of it.
    pub span: Span,
}

/// A string literal.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// Its text.
    pub symbol: Symbol,
    /// Where, with its quotes.
    pub span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// What an expression is. Nesting is at most `parse::MAX_EXPRESSION_DEPTH`.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `1.5`
    Number(f32),
    /// `200ms`, in seconds.
    Duration(f32),
    /// `80%` as 0.8.
    Ratio(f32),
    /// `#ff8800`, RGBA with red in the highest byte.
    Color(u32),
    /// `"text"`
    Text(Symbol),
    /// `true`
    Bool(bool),
    /// `name` or `Layer.State`.
    Path(Path),
    /// `name(arguments)`; the name may have dots.
    Call(Box<Path>, Vec<Expr>),
    /// `-x`, `not x`.
    Unary(UnaryOp, Box<Expr>),
    /// `a + b`; the operator's place.
    Binary(BinaryOp, Span, Box<[Expr; 2]>),
    /// `if c then a else b`
    If(Box<[Expr; 3]>),
    /// `(x)`
    Group(Box<Expr>),
    /// Could not be read.
    Error,
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `not`
    Not,
}

/// An operator between its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `or`
    Or,
    /// `and`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `~=`, in tests
    Near,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
}

impl Expr {
    /// The expressions that it is made of, from left to right.
    #[must_use]
    pub fn operands(&self) -> &[Expr] {
        match &self.kind {
            ExprKind::Call(_, arguments) => arguments,
            ExprKind::Unary(_, operand) | ExprKind::Group(operand) => std::slice::from_ref(operand),
            ExprKind::Binary(_, _, sides) => &sides[..],
            ExprKind::If(parts) => &parts[..],
            _ => &[],
        }
    }
}

impl Part {
    /// The expressions that stand in it, from left to right; those of events are their own.
    #[must_use]
    pub fn expressions(&self) -> &[Expr] {
        match self {
            Part::Value(value)
            | Part::Assign(value)
            | Part::When(value)
            | Part::At(value)
            | Part::From(value)
            | Part::To(value)
            | Part::If(value) => std::slice::from_ref(value),
            Part::Pair(pair) | Part::AtPoint(pair) => &pair[..],
            Part::Arguments(list) => list,
            _ => &[],
        }
    }
}

impl Entry {
    /// The expressions that stand in its key and its value, from left to right.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let (first, second) = match &self.key {
            EntryKey::Value(value) => (value, None),
            EntryKey::Point(x, y) => (x, Some(y)),
        };
        let value = match &self.value {
            EntryValue::Value(value) => Some(value),
            EntryValue::Motion(_) => None,
        };
        std::iter::once(first).chain(second).chain(value)
    }
}

impl BinaryOp {
    /// Whether it compares its sides and gives a bool.
    #[must_use]
    pub const fn is_comparison(self) -> bool {
        matches!(
            self,
            BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
                | BinaryOp::Near
        )
    }

    /// The operator as it is written.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            BinaryOp::Or => "or",
            BinaryOp::And => "and",
            BinaryOp::Equal => "==",
            BinaryOp::NotEqual => "!=",
            BinaryOp::Less => "<",
            BinaryOp::LessEqual => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::GreaterEqual => ">=",
            BinaryOp::Near => "~=",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
        }
    }
}

impl Item {
    /// Its first name.
    #[must_use]
    pub fn name(&self) -> Option<Name> {
        self.names().first().copied()
    }

    /// Its names.
    #[must_use]
    pub fn names(&self) -> &[Name] {
        self.head
            .iter()
            .find_map(|part| if let Part::Names(names) = part { Some(&names[..]) } else { None })
            .unwrap_or(&[])
    }

    /// Its first path.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.head.iter().find_map(|part| if let Part::Path(path) = part { Some(path) } else { None })
    }

    /// Its string literals.
    #[must_use]
    pub fn texts(&self) -> &[Text] {
        self.head
            .iter()
            .find_map(|part| if let Part::Texts(texts) = part { Some(&texts[..]) } else { None })
            .unwrap_or(&[])
    }

    /// The event that it is about.
    #[must_use]
    pub fn event(&self) -> Option<Name> {
        self.head.iter().find_map(|part| if let Part::Event(name) = part { Some(*name) } else { None })
    }

    /// Its value.
    #[must_use]
    pub fn value(&self) -> Option<&Expr> {
        self.head.iter().find_map(|part| if let Part::Value(value) = part { Some(value) } else { None })
    }

    /// What stands after its `=`.
    #[must_use]
    pub fn assigned(&self) -> Option<&Expr> {
        self.head.iter().find_map(|part| if let Part::Assign(value) = part { Some(value) } else { None })
    }

    /// What stands after its `when`.
    #[must_use]
    pub fn when(&self) -> Option<&Expr> {
        self.head.iter().find_map(|part| if let Part::When(value) = part { Some(value) } else { None })
    }

    /// Whether the modifier stands before it.
    #[must_use]
    pub fn has(&self, modifier: Modifier) -> bool {
        self.modifiers.iter().any(|(found, _)| *found == modifier)
    }

    /// The nodes of its block; none where there is no block.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        self.block.as_ref().map_or(&[], |block| &block.nodes)
    }

    /// Whether something in its block could not be read; that was reported.
    #[must_use]
    pub fn has_unread(&self) -> bool {
        self.nodes().iter().any(|node| matches!(node, Node::Error(_)))
    }

    /// The items of its block.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.nodes().iter().filter_map(|node| if let Node::Item(item) = node { Some(item) } else { None })
    }
}
