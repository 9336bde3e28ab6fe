//! Walks the statements of a file in order, keeps what its locals stand for, and finds the builders.
//!
//! A builder is a call of `new` on something named `BehaviorBuilder`, or on anything else if builder methods are
//! called on the result. Its chain may go on in later statements through locals and fields. Code under `if` and in
//! loops is read once; that it was is reported. Code that has nothing to do with a builder is reported in runs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::chain::{Cursor, Position};
use super::follow::spelled;
use super::model::{Behavior, ConstId, Constant, Data, Model, Place};
use super::tree::{BinaryOp, Block, ExprId, ExprKind, Key, Stmt, StmtKind, Tree};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Span;

/// What a local stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Binding {
    /// A value that never changes.
    Constant(ConstId),
    /// An expression whose value is not known: a path, a table, a function.
    Expr(ExprId),
    /// A builder, or a part of one.
    Cursor(Cursor),
    /// A value that a loop or a call gave the name.
    Literal(u32),
    /// An expression that a loop or a call gave the name: a field of a list, an argument.
    Element(ExprId),
    /// Nothing, that a call gave the name.
    Nil,
    Unknown,
}

/// What was gone through more often than once.
#[derive(Debug, Default)]
pub(super) struct Followed {
    pub(super) rounds: usize,
    pub(super) depth: usize,
    /// The values of [`Binding::Literal`].
    pub(super) literals: Vec<Data>,
    /// The functions that were.
    pub(super) functions: BTreeSet<Span>,
}

/// Who a comment belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Item(usize, Place),
    Constant(ConstId),
    Nobody,
}

/// A stretch of the file and who its comments belong to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchor {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) owner: Owner,
}

/// The longest text that is joined.
const MAX_JOINED: usize = 4_096;
/// The deepest expression that is looked into.
pub(super) const MAX_LOOK: u32 = 64;

pub(super) struct Reader<'a, 'd> {
    pub(super) tree: &'a Tree<'a>,
    pub(super) text: &'a str,
    pub(super) model: Model,
    pub(super) anchors: Vec<Anchor>,
    pub(super) diagnostics: &'d mut Diagnostics,
    scopes: Vec<HashMap<String, Binding>>,
    /// Names that are written somewhere, fields of theirs included: no constants.
    written: HashSet<&'a str>,
    /// Names on which builder methods are called.
    builders: HashSet<&'a str>,
    constants: BTreeMap<ExprId, ConstId>,
    /// The `if`s and loops around, and whether each was reported.
    around: Vec<(Span, &'static str, bool)>,
    /// Whether the statement at hand has to do with a builder.
    touched: bool,
    /// Runs of statements that belong to no builder.
    strays: BTreeMap<Span, Vec<Span>>,
    /// How many folds are under way.
    folding: u32,
    pub(super) followed: Followed,
}

/// Methods that only a builder has.
const TELLING: &[&str] = &["State", "Animation", "InitialState", "Predicate"];

impl<'a, 'd> Reader<'a, 'd> {
    pub(super) fn new(tree: &'a Tree<'a>, text: &'a str, diagnostics: &'d mut Diagnostics) -> Self {
        let mut builders = HashSet::new();
        for expr in &tree.exprs {
            if let ExprKind::Method(base, name, _, _) = &expr.kind
                && TELLING.contains(name)
                && let ExprKind::Name(base) = tree.kind(tree.bare(*base))
            {
                builders.insert(*base);
            }
        }
        let mut written = HashSet::new();
        for expr in &tree.exprs {
            // `table.insert(list, item)`
            if let ExprKind::Call(callee, arguments) = &expr.kind
                && let Some(["table", _]) = tree.path(*callee).as_deref()
                && let Some(path) = arguments.first().and_then(|list| tree.path(*list))
                && let Some(name) = path.first()
            {
                written.insert(*name);
            }
        }
        collect_written(tree, &tree.block, &mut written);
        for expr in &tree.exprs {
            if let ExprKind::Function(body) = &expr.kind {
                collect_written(tree, &body.block, &mut written);
            }
        }
        Self {
            tree,
            text,
            model: Model::default(),
            anchors: Vec::new(),
            diagnostics,
            scopes: vec![HashMap::new()],
            written,
            builders,
            constants: BTreeMap::new(),
            around: Vec::new(),
            touched: false,
            strays: BTreeMap::new(),
            folding: 0,
            followed: Followed::default(),
        }
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Binding> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    pub(super) fn bind(&mut self, name: &str, binding: Binding) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), binding);
        }
    }

    /// Opens a scope.
    pub(super) fn open(&mut self) {
        self.scopes.push(HashMap::new());
    }

    /// Closes the scope opened last.
    pub(super) fn close(&mut self) {
        self.scopes.pop();
    }

    /// How many scopes are open.
    pub(super) fn scopes(&self) -> usize {
        self.scopes.len()
    }

    /// Leaves only the outer `count` scopes open; the others are to be put back.
    pub(super) fn set_aside(&mut self, count: usize) -> Vec<HashMap<String, Binding>> {
        self.scopes.split_off(count.min(self.scopes.len()))
    }

    /// Opens the scopes that were set aside.
    pub(super) fn put_back(&mut self, mut scopes: Vec<HashMap<String, Binding>>) {
        self.scopes.append(&mut scopes);
    }

    /// Whether a name that is read at `at` has come to stand for something that is declared after that.
    pub(super) fn declared_again(&self, name: &str, at: ExprId) -> bool {
        match self.lookup(name) {
            Some(Binding::Expr(value)) => value.0 >= at.0,
            Some(Binding::Constant(id)) => {
                self.model.constants.get(id.0 as usize).is_some_and(|constant| constant.value.0 >= at.0)
            }
            Some(_) | None => false,
        }
    }

    /// Runs in a scope of its own.
    fn scoped(&mut self, run: impl FnOnce(&mut Self)) {
        self.open();
        run(self);
        self.close();
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        // What is gone through again says the same again.
        if self.followed.depth == 0 || !self.diagnostics.list().contains(&diagnostic) {
            self.diagnostics.push(diagnostic);
        }
    }

    /// How many scopes are around the one that declares a name.
    pub(super) fn depth_of(&self, name: &str) -> usize {
        self.scopes.iter().rposition(|scope| scope.contains_key(name)).unwrap_or(0)
    }

    pub(super) fn source(&self, span: Span) -> &'a str {
        self.text.get(span.range()).unwrap_or("")
    }

    pub(super) fn anchor(&mut self, start: u32, end: u32, owner: Owner) {
        self.anchors.push(Anchor { start, end, owner });
    }

    /// Walks the statements of a block.
    pub(super) fn block(&mut self, block: &'a [Stmt<'a>]) {
        let mut strays: Vec<Vec<Span>> = Vec::new();
        let mut last_stray = false;
        let outer = std::mem::replace(&mut self.touched, false);
        let mut any = false;
        for statement in block {
            self.touched = false;
            let behaviors = self.model.behaviors.len();
            let anchor = self.anchors.len();
            self.anchor(statement.span.start, statement.span.start, Owner::Nobody);
            self.statement(statement);
            let owner = if self.model.behaviors.len() > behaviors {
                Some(Owner::Item(behaviors, Place::Behavior))
            } else {
                self.anchors[anchor..].iter().map(|inner| inner.owner).find(|owner| *owner != Owner::Nobody)
            };
            self.anchors[anchor].owner = owner.unwrap_or(Owner::Nobody);
            any |= self.touched;
            let stray = !self.touched && !self.is_plumbing(statement);
            match strays.last_mut() {
                Some(last) if stray && last_stray => last.push(statement.span),
                _ if stray => strays.push(vec![statement.span]),
                _ => {}
            }
            last_stray = stray;
        }
        // A block without a builder is part of a statement that is reported as a whole.
        if any || self.scopes.len() == 1 {
            self.strays.extend(strays.into_iter().map(|run| (run[0], run)));
        }
        self.touched = outer | any;
    }

    /// Reports the code that belongs to no builder.
    pub(super) fn report_strays(&mut self) {
        let functions = std::mem::take(&mut self.followed.functions);
        // Functions that a builder was given are no strays.
        let is_followed = |span: &Span| {
            let inside = |function: &Span| span.start <= function.start && function.end <= span.end;
            functions.range(*span..).take_while(|function| function.start < span.end).any(inside)
        };
        for run in std::mem::take(&mut self.strays).into_values() {
            for part in run.split(is_followed).filter(|part| !part.is_empty()) {
                let span = part[0].to(part[part.len() - 1]);
                let line = self.source(span).lines().next().unwrap_or("").len() as u32;
                let head = Span::new(span.file, span.start, span.start + line);
                let message = match self.source(span).lines().count() {
                    1 => "this statement is not part of a builder".to_owned(),
                    lines => format!("these {lines} lines are not part of a builder"),
                };
                self.push(Diagnostic::new(Code::OtherCode, message, head, "not carried over"));
            }
        }
    }

    /// Whether a statement only prepares what builders and predicates read, or hands a result on.
    fn is_plumbing(&self, statement: &Stmt<'_>) -> bool {
        match &statement.kind {
            StmtKind::Local(_, values) => values.iter().all(|value| {
                // Services, modules and instances are fetched by calls.
                !matches!(self.tree.kind(self.tree.bare(*value)), ExprKind::Function(_))
            }),
            StmtKind::Return(values) => values.iter().all(|value| {
                self.tree.path(*value).is_some() || matches!(self.tree.kind(*value), ExprKind::Table(_))
            }),
            StmtKind::Function { function, .. } => match self.tree.kind(*function) {
                // A function that only gives a value serves predicates.
                ExprKind::Function(body) => body
                    .block
                    .iter()
                    .all(|inner| matches!(inner.kind, StmtKind::Return(_) | StmtKind::Local(..))),
                _ => false,
            },
            StmtKind::Assign(targets, _) => targets.iter().all(|target| self.tree.path(*target).is_some()),
            StmtKind::Other => true,
            _ => false,
        }
    }

    fn statement(&mut self, statement: &'a Stmt<'a>) {
        match &statement.kind {
            StmtKind::Local(names, values) => {
                for (index, name) in names.iter().enumerate() {
                    match values.get(index) {
                        Some(value) => self.local(name, *value, statement.span),
                        None => self.bind(name, Binding::Unknown),
                    }
                }
                for value in values.iter().skip(names.len()) {
                    self.scan(*value, None);
                }
            }
            StmtKind::Assign(targets, values) => {
                for (index, value) in values.iter().enumerate() {
                    let path = targets.get(index).and_then(|target| self.tree.path(*target));
                    let hint = path.as_ref().and_then(|path| path.last().map(|name| (*name).to_owned()));
                    if let Some(cursor) = self.scan(*value, hint.as_deref())
                        && let Some(path) = path
                    {
                        self.rebind(&path.join("."), Binding::Cursor(cursor));
                    }
                }
            }
            StmtKind::Expr(value) => {
                self.scan(*value, None);
            }
            StmtKind::Function { name, function } => {
                self.bind(name, Binding::Expr(*function));
                self.scan(*function, None);
            }
            StmtKind::Return(values) => {
                for value in values {
                    self.scan(*value, None);
                }
            }
            StmtKind::If(branches, otherwise) => {
                if let Some(taken) = self.taken(branches, otherwise.as_ref()) {
                    // That nothing is done is all that there is to it.
                    self.touched |= taken.is_empty();
                    return self.scoped(|reader| reader.block(taken));
                }
                self.around.push((statement.span, "an `if`", false));
                for (condition, block) in branches {
                    self.scan(*condition, None);
                    self.scoped(|reader| reader.block(block));
                }
                if let Some(block) = otherwise {
                    self.scoped(|reader| reader.block(block));
                }
                self.around.pop();
            }
            StmtKind::Loop(values, names, block) => {
                for value in values {
                    self.scan(*value, None);
                }
                if let Some(rounds) = self.rounds(values, names) {
                    return self.repeat(rounds, names, block);
                }
                self.around.push((statement.span, "a loop", false));
                self.scoped(|reader| {
                    for name in names {
                        reader.bind(name, Binding::Unknown);
                    }
                    reader.block(block);
                });
                self.around.pop();
            }
            StmtKind::Do(block) => self.scoped(|reader| reader.block(block)),
            StmtKind::Other => {}
        }
    }

    /// Sets a name where it was declared, or in the file.
    fn rebind(&mut self, name: &str, binding: Binding) {
        let index = self.scopes.iter().rposition(|scope| scope.contains_key(name)).unwrap_or(0);
        if let Some(scope) = self.scopes.get_mut(index) {
            scope.insert(name.to_owned(), binding);
        }
    }

    fn local(&mut self, name: &'a str, value: ExprId, statement: Span) {
        // What is gone through again has another value each time.
        if self.followed.depth > 0
            && !self.written.contains(name)
            && let Some(known) = self.known(value)
        {
            return self.bind(name, known);
        }
        if !self.written.contains(name)
            && let Some(data) = self.fold(value)
        {
            let id = self.constant(value, name, data);
            self.anchor(statement.start, statement.end, Owner::Constant(id));
            self.bind(name, Binding::Constant(id));
            return;
        }
        let binding = match self.scan(value, Some(name)) {
            Some(cursor) => Binding::Cursor(cursor),
            None if self.written.contains(name) => Binding::Unknown,
            None => Binding::Expr(value),
        };
        self.bind(name, binding);
    }

    /// The constant that a value is, named by where it was first seen.
    fn constant(&mut self, value: ExprId, name: &str, data: Data) -> ConstId {
        if let Some(id) = self.constants.get(&value) {
            return *id;
        }
        let id = ConstId(self.model.constants.len() as u32);
        self.model.constants.push(Constant { name: name.to_owned(), value, data });
        self.constants.insert(value, id);
        id
    }

    /// The constant that a name or a field of a table of constants stands for.
    pub(super) fn constant_at(&mut self, id: ExprId) -> Option<ConstId> {
        let path = self.tree.path(id)?;
        if self.declared_again(path.first()?, id) || self.is_given(path.first()?) {
            return None;
        }
        if let [name] = path[..]
            && let Some(Binding::Constant(id)) = self.lookup(name)
        {
            return Some(id);
        }
        let at = self.field(&path)?;
        let data = self.fold(at)?;
        let name = path.join("_");
        Some(self.constant(at, &name, data))
    }

    /// The expression that a path leads to, through tables that are never written again.
    pub(super) fn field(&self, path: &[&str]) -> Option<ExprId> {
        let (first, rest) = path.split_first()?;
        let mut at = match self.lookup(first)? {
            Binding::Expr(table) if !self.written.contains(first) => table,
            Binding::Element(given) => given,
            _ => return None,
        };
        for part in rest {
            let ExprKind::Table(fields) = self.tree.kind(self.tree.bare(at)) else { return None };
            at = fields.iter().find(|(key, _)| self.is_key(key, part)).map(|(_, value)| *value)?;
        }
        Some(at)
    }

    /// The table that an expression is or names, for lists in arguments.
    pub(super) fn table(&self, id: ExprId) -> Option<&'a [(Key<'a>, ExprId)]> {
        let tree = self.tree;
        let bare = tree.bare(id);
        let at = tree.path(bare).and_then(|path| self.field(&path)).map_or(bare, |found| tree.bare(found));
        match tree.kind(at) {
            ExprKind::Table(fields) => Some(fields),
            _ => None,
        }
    }

    pub(super) fn is_key(&self, key: &Key<'_>, name: &str) -> bool {
        match key {
            Key::Name(key) => *key == name,
            Key::Expr(key) => {
                matches!(self.tree.kind(self.tree.bare(*key)), ExprKind::Text(text) if text == name)
            }
            Key::None => false,
        }
    }

    /// The value of an expression made of literals and constants.
    pub(super) fn fold(&mut self, id: ExprId) -> Option<Data> {
        // Constants may name each other, in a table even themselves.
        if self.tree.get(id).depth > MAX_LOOK || self.folding > MAX_LOOK {
            return None;
        }
        self.folding += 1;
        let data = self.fold_inside(id);
        self.folding -= 1;
        data
    }

    fn fold_inside(&mut self, id: ExprId) -> Option<Data> {
        let number = |data| if let Data::Number(value) = data { Some(value) } else { None };
        let tree = self.tree;
        Some(match tree.kind(id) {
            ExprKind::Bool(value) => Data::Bool(*value),
            ExprKind::Number(value) => Data::Number(*value),
            ExprKind::Text(text) => Data::Text(text.clone()),
            ExprKind::Group(inner) => self.fold(*inner)?,
            ExprKind::Negate(inner) => Data::Number(-number(self.fold(*inner)?)?),
            ExprKind::Interpolated => self.interpolated(id)?,
            ExprKind::Binary(BinaryOp::Concat, a, b) => {
                let (a, b) = (spelled(self.fold(*a)?)?, spelled(self.fold(*b)?)?);
                if a.len() + b.len() > MAX_JOINED {
                    return None;
                }
                Data::Text(a + &b)
            }
            ExprKind::Binary(BinaryOp::Or, a, b) => match self.fold(*a) {
                Some(Data::Bool(false)) => self.fold(*b)?,
                Some(data) => data,
                None if self.is_nil(*a) => self.fold(*b)?,
                None => return None,
            },
            ExprKind::Binary(op @ (BinaryOp::Equal | BinaryOp::NotEqual), a, b) => {
                let (a, b) = (self.fold(*a)?, self.fold(*b)?);
                Data::Bool((a == b) == (*op == BinaryOp::Equal))
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (number(self.fold(*a)?)?, number(self.fold(*b)?)?);
                let value = match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Sub => a - b,
                    BinaryOp::Mul => a * b,
                    BinaryOp::Div => a / b,
                    _ => return None,
                };
                if !value.is_finite() {
                    return None;
                }
                Data::Number(value)
            }
            ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..) => {
                if let Some(data) = self.given(id) {
                    return Some(data);
                }
                if let Some(id) = self.constant_at(id) {
                    return Some(self.model.constants[id.0 as usize].data.clone());
                }
                let value = self.located(id)?;
                self.fold(value)?
            }
            _ => return None,
        })
    }

    /// Whether an expression is `nil` for certain: a parameter that a call gave nothing, a field that a table lacks.
    pub(super) fn is_nil(&self, id: ExprId) -> bool {
        let Some(path) = self.tree.path(id) else { return false };
        let Some((first, rest)) = path.split_first() else { return false };
        match (self.lookup(first), rest) {
            (Some(Binding::Nil), _) => true,
            (Some(Binding::Element(given)), [name]) => match self.tree.kind(self.tree.bare(given)) {
                ExprKind::Table(fields) => !fields.iter().any(|(key, _)| self.is_key(key, name)),
                _ => false,
            },
            _ => false,
        }
    }

    /// Looks for builders in an expression; gives where its chain ends, if it is one.
    pub(super) fn scan(&mut self, root: ExprId, hint: Option<&str>) -> Option<Cursor> {
        let mut result = None;
        let mut stack = vec![(root, hint.map(str::to_owned))];
        while let Some((id, hint)) = stack.pop() {
            let id = self.tree.bare(id);
            match self.tree.kind(id) {
                ExprKind::Method(..) | ExprKind::Call(..) | ExprKind::Name(_) | ExprKind::Field(..) => {
                    let (base, calls) = self.unroll(id);
                    if let Some(cursor) = self.chain_start(base, &calls, hint) {
                        self.touch();
                        let cursor = self.apply_all(cursor, &calls);
                        result = if id == self.tree.bare(root) { cursor } else { result };
                        continue;
                    }
                    if self.follow(base) {
                        continue;
                    }
                    for call in calls.iter() {
                        if let ExprKind::Method(_, _, _, arguments) = self.tree.kind(*call) {
                            stack.extend(arguments.iter().rev().map(|argument| (*argument, None)));
                        }
                    }
                    stack.extend(self.tree.children(base).into_iter().rev().map(|child| (child, None)));
                }
                ExprKind::Function(body) => self.scoped(|reader| {
                    for param in &body.params {
                        reader.bind(param, Binding::Unknown);
                    }
                    reader.block(&body.block);
                }),
                ExprKind::Table(fields) => {
                    for (key, value) in fields.iter().rev() {
                        let hint = match key {
                            Key::Name(name) => Some((*name).to_owned()),
                            _ => None,
                        };
                        stack.push((*value, hint));
                    }
                }
                _ => stack.extend(self.tree.children(id).into_iter().rev().map(|child| (child, None))),
            }
        }
        result
    }

    /// The expression that a chain of methods begins with, and its calls, the first one first.
    fn unroll(&self, id: ExprId) -> (ExprId, Vec<ExprId>) {
        let mut calls = Vec::new();
        let mut at = id;
        while let ExprKind::Method(base, ..) = self.tree.kind(at) {
            calls.push(at);
            at = self.tree.bare(*base);
        }
        calls.reverse();
        (at, calls)
    }

    /// Where a chain begins, if it is one of a builder: in a new behavior or in one kept by a name.
    fn chain_start(&mut self, base: ExprId, calls: &[ExprId], hint: Option<String>) -> Option<Cursor> {
        let tree = self.tree;
        match tree.kind(base) {
            ExprKind::Call(callee, _) => {
                let path = tree.path(*callee)?;
                let (last, before) = path.split_last()?;
                if !matches!(*last, "new" | "New" | "create" | "Create") {
                    return None;
                }
                let named = self.names_builder(before);
                let called = calls.iter().any(
                    |call| matches!(tree.kind(*call), ExprKind::Method(_, name, ..) if TELLING.contains(name)),
                );
                let kept =
                    calls.is_empty() && hint.as_deref().is_some_and(|hint| self.builders.contains(hint));
                if !(named || called || kept) {
                    return None;
                }
                self.model.behaviors.push(Behavior::new(hint));
                let behavior = self.model.behaviors.len() - 1;
                Some(Cursor { behavior, position: Position::Root })
            }
            ExprKind::Name(_) | ExprKind::Field(..) => {
                let path = tree.path(base)?.join(".");
                match self.lookup(&path)? {
                    Binding::Cursor(cursor) => Some(cursor),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a path is a builder's module: by its last name, or by what its name was fetched from.
    fn names_builder(&self, path: &[&str]) -> bool {
        let Some(last) = path.last() else { return false };
        if last.contains("BehaviorBuilder") {
            return true;
        }
        match self.lookup(last) {
            Some(Binding::Expr(value)) if path.len() == 1 => {
                let text = self.source(self.tree.span(value));
                text.len() < 200 && text.trim_end_matches([')', '"', '\'', ']']).ends_with("BehaviorBuilder")
            }
            _ => false,
        }
    }

    /// Notes that the statement at hand has to do with a builder, and reports what stands around it.
    pub(super) fn touch(&mut self) {
        self.touched = true;
        let Some((span, what, reported)) = self.around.last().copied() else { return };
        if reported {
            return;
        }
        if let Some(last) = self.around.last_mut() {
            last.2 = true;
        }
        let first = self.source(span).split_whitespace().next().unwrap_or("").len() as u32;
        let head = Span::new(span.file, span.start, span.start + first);
        let help = match what {
            "a loop" => "its body was carried over once; repeat by hand what it repeats",
            _ => "all its branches were carried over as if they always ran; remove what should not be there",
        };
        let message = format!("builder calls inside {what}");
        let label = format!("{what} has no counterpart");
        self.push(Diagnostic::new(Code::ConditionalBuilder, message, head, label).help(help));
    }

    /// Whether a name is written somewhere.
    pub(super) fn is_written(&self, name: &str) -> bool {
        self.written.contains(name)
    }
}

fn collect_written<'a>(tree: &'a Tree<'a>, block: &'a Block<'a>, written: &mut HashSet<&'a str>) {
    for statement in block {
        match &statement.kind {
            StmtKind::Assign(targets, _) => {
                for target in targets {
                    let mut at = tree.bare(*target);
                    loop {
                        match tree.kind(at) {
                            ExprKind::Field(base, _) | ExprKind::Index(base, _) => at = tree.bare(*base),
                            ExprKind::Name(name) => {
                                written.insert(*name);
                                break;
                            }
                            _ => break,
                        }
                    }
                }
            }
            StmtKind::If(branches, otherwise) => {
                for (_, block) in branches {
                    collect_written(tree, block, written);
                }
                if let Some(block) = otherwise {
                    collect_written(tree, block, written);
                }
            }
            StmtKind::Loop(_, _, block) | StmtKind::Do(block) => collect_written(tree, block, written),
            _ => {}
        }
    }
}
