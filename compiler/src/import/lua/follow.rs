//! Loops whose rounds are known, and functions that are given a builder: gone through as often as Lua would.
//!
//! A `for` over known numbers, or over the fields of a table that is never written, is read once for each round; a
//! call of a function of the file that hands on a builder is read with what it is given. Both are bounded. What a call
//! of any other function does with a builder is not known, and reported.

use super::model::Data;
use super::scope::{Binding, MAX_LOOK, Reader};
use super::tree::{Block, ExprId, ExprKind, Key, Stmt};
use crate::diagnostic::{Code, Diagnostic};

/// The most rounds and calls of a file that are gone through.
const MOST_ROUNDS: usize = 2_000;
/// How deep calls are followed.
const DEEPEST: usize = 8;

impl<'a> Reader<'a, '_> {
    /// What the names of a loop stand for in each of its rounds, where that is known.
    pub(super) fn rounds(&mut self, values: &[ExprId], names: &[&'a str]) -> Option<Vec<Vec<Binding>>> {
        let left = MOST_ROUNDS.saturating_sub(self.followed.rounds);
        let rounds = match (values, names) {
            ([_, _] | [_, _, _], [_]) => self.counted(values, left)?,
            ([list], [_, ..]) => self.listed(*list, left)?,
            _ => return None,
        };
        self.followed.rounds += rounds.len();
        Some(rounds)
    }

    /// The rounds of `for n = 1, 3`.
    fn counted(&mut self, values: &[ExprId], left: usize) -> Option<Vec<Vec<Binding>>> {
        let mut numbers = Vec::new();
        for value in values {
            numbers.push(self.fold(*value)?.number()?);
        }
        let (first, last, step) = (numbers[0], numbers[1], numbers.get(2).copied().unwrap_or(1.0));
        let count = ((last - first) / step).floor() + 1.0;
        // Not for a step of 0.
        if !count.is_finite() || count > left as f64 {
            return None;
        }
        let count = count.max(0.0) as usize;
        Some((0..count).map(|round| vec![self.literal(Data::Number(first + step * round as f64))]).collect())
    }

    /// The rounds of `for key, value in pairs(list)`, of `ipairs`, and of the list alone.
    fn listed(&mut self, list: ExprId, left: usize) -> Option<Vec<Vec<Binding>>> {
        let list = match self.tree.kind(self.tree.bare(list)) {
            ExprKind::Call(callee, arguments) => {
                match (self.tree.path(*callee)?[..].as_ref(), &arguments[..]) {
                    (["ipairs" | "pairs"], [list]) => *list,
                    _ => return None,
                }
            }
            _ => list,
        };
        let fields = self.table(list)?;
        if fields.len() > left {
            return None;
        }
        let mut position = 0.0;
        let mut rounds = Vec::new();
        for (key, value) in fields {
            let key = match key {
                Key::None => {
                    position += 1.0;
                    Some(Data::Number(position))
                }
                Key::Name(name) => Some(Data::Text((*name).to_owned())),
                Key::Expr(key) => self.fold(*key),
            };
            let key = key.map_or(Binding::Unknown, |key| self.literal(key));
            rounds.push(vec![key, Binding::Element(*value)]);
        }
        Some(rounds)
    }

    /// Reads the block of a loop once for each round.
    pub(super) fn repeat(&mut self, rounds: Vec<Vec<Binding>>, names: &[&'a str], block: &'a Block<'a>) {
        self.followed.depth += 1;
        for round in rounds {
            self.open();
            for (index, name) in names.iter().enumerate() {
                self.bind(name, round.get(index).copied().unwrap_or(Binding::Unknown));
            }
            self.block(block);
            self.close();
        }
        self.followed.depth -= 1;
    }

    /// Reads a call that is given a builder; false for any other expression.
    pub(super) fn follow(&mut self, id: ExprId) -> bool {
        let tree = self.tree;
        let ExprKind::Call(callee, arguments) = tree.kind(id) else { return false };
        let is_cursor = |reader: &Self, id: &ExprId| matches!(reader.binding(*id), Some(Binding::Cursor(_)));
        if !arguments.iter().any(|argument| is_cursor(self, argument)) {
            return false;
        }
        self.touch();
        let path = tree.path(*callee).unwrap_or_default();
        let known = path.last().and_then(|name| Some((*name, self.lookup(name)?)));
        if let Some((name, Binding::Expr(function))) = known
            && let ExprKind::Function(body) = tree.kind(function)
            && self.followed.depth < DEEPEST
            && self.followed.rounds < MOST_ROUNDS
        {
            let given: Vec<Binding> = arguments.iter().map(|argument| self.argument(*argument)).collect();
            self.followed.rounds += 1;
            self.followed.functions.insert(tree.span(function));
            // A function sees the names around it, not those of its caller.
            let aside = self.set_aside(self.depth_of(name) + 1);
            self.repeat(vec![self.filled(given, body.params.len())], &body.params, &body.block);
            self.put_back(aside);
        } else {
            let name =
                if path.is_empty() { "a function".to_owned() } else { format!("`{}(...)`", path.join(".")) };
            let message = format!("{name} is given the builder");
            let span = tree.span(id);
            let diagnostic =
                Diagnostic::new(Code::NotCarriedOver, message, span, "what it adds is not carried over");
            self.push(diagnostic.help("only functions of this file are followed; write its part by hand"));
        }
        true
    }

    /// What a function's parameters stand for: those that are given nothing are `nil`.
    fn filled(&self, mut given: Vec<Binding>, count: usize) -> Vec<Binding> {
        given.resize(count, Binding::Nil);
        given
    }

    /// What a name stands for.
    fn binding(&self, id: ExprId) -> Option<Binding> {
        self.lookup(&self.tree.path(id)?.join("."))
    }

    /// What a parameter stands for that is given an expression.
    fn argument(&mut self, id: ExprId) -> Binding {
        let id = self.tree.bare(id);
        if let Some(known @ (Binding::Cursor(_) | Binding::Nil)) = self.binding(id) {
            return known;
        }
        if let Some(known) = self.known(id) {
            return known;
        }
        match self.tree.kind(id) {
            ExprKind::Nil => Binding::Nil,
            _ if self.is_nil(id) => Binding::Nil,
            ExprKind::Function(_) => Binding::Expr(id),
            _ => Binding::Unknown,
        }
    }

    /// A value or a table that is known.
    pub(super) fn known(&mut self, id: ExprId) -> Option<Binding> {
        let tree = self.tree;
        let id = tree.bare(id);
        if let Some(data) = self.fold(id) {
            return Some(self.literal(data));
        }
        let at = self.located(id)?;
        matches!(tree.kind(tree.bare(at)), ExprKind::Table(_)).then_some(Binding::Element(at))
    }

    /// The expression that a path with known keys leads to, through tables that are never written again.
    pub(super) fn located(&mut self, id: ExprId) -> Option<ExprId> {
        let tree = self.tree;
        let id = tree.bare(id);
        if tree.get(id).depth > MAX_LOOK {
            return None;
        }
        if let Some(path) = tree.path(id) {
            let later = self.declared_again(path.first()?, id);
            return self.field(&path).filter(|_| !later);
        }
        let (base, key) = match tree.kind(id) {
            ExprKind::Table(_) => return Some(id),
            ExprKind::Field(base, name) => (*base, Data::Text((*name).to_owned())),
            ExprKind::Index(base, index) => (*base, self.fold(*index)?),
            _ => return None,
        };
        let table = self.located(base)?;
        let ExprKind::Table(fields) = tree.kind(tree.bare(table)) else { return None };
        match key {
            Data::Text(key) => Some(fields.iter().find(|(field, _)| self.is_key(field, &key))?.1),
            // Items without a key are numbered from 1.
            Data::Number(key) => {
                let mut items = fields.iter().filter(|(field, _)| matches!(field, Key::None)).zip(1u32..);
                Some(items.find(|(_, number)| f64::from(*number) == key)?.0.1)
            }
            Data::Bool(_) => None,
        }
    }

    /// The branch of an `if` that is taken in this round, where that is known; an empty one where none is.
    pub(super) fn taken(
        &mut self,
        branches: &'a [(ExprId, Block<'a>)],
        otherwise: Option<&'a Block<'a>>,
    ) -> Option<&'a [Stmt<'a>]> {
        if self.followed.depth == 0 {
            return None;
        }
        for (condition, block) in branches {
            let holds = match self.fold(*condition) {
                Some(data) => data != Data::Bool(false),
                None if self.is_nil(*condition) => false,
                None => return None,
            };
            if holds {
                return Some(block);
            }
        }
        Some(otherwise.map_or(&[], |block| block.as_slice()))
    }

    fn literal(&mut self, data: Data) -> Binding {
        self.followed.literals.push(data);
        Binding::Literal(self.followed.literals.len() as u32 - 1)
    }

    /// The value of a name that stands for one, or of a field of a table that a loop or a call gave a name.
    pub(super) fn given(&mut self, id: ExprId) -> Option<Data> {
        let path = self.tree.path(id)?;
        self.given_path(&path)
    }

    fn given_path(&mut self, path: &[&str]) -> Option<Data> {
        match self.lookup(path.first()?)? {
            Binding::Literal(index) if path.len() == 1 => self.followed.literals.get(index as usize).cloned(),
            Binding::Element(_) => {
                let at = self.field(path)?;
                self.fold(at)
            }
            _ => None,
        }
    }

    /// Whether a name stands for what a loop or a call gave it.
    pub(super) fn is_given(&self, name: &str) -> bool {
        matches!(self.lookup(name), Some(Binding::Literal(_) | Binding::Element(_) | Binding::Nil))
    }

    /// The text of `` `walk{n}` ``, where its parts are names whose values are known.
    pub(super) fn interpolated(&mut self, id: ExprId) -> Option<Data> {
        let text = self.source(self.tree.span(id)).strip_prefix('`')?.strip_suffix('`')?;
        if text.contains('\\') {
            return None;
        }
        let mut parts = text.split('{');
        let mut out = parts.next()?.to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}')?;
            let path: Vec<&str> = name.trim().split('.').collect();
            out += &spelled(self.given_path(&path).or_else(|| self.known_path(&path))?)?;
            out += rest;
        }
        Some(Data::Text(out))
    }

    /// The value of a name that is a constant.
    fn known_path(&mut self, path: &[&str]) -> Option<Data> {
        match (path, self.lookup(path.first()?)?) {
            ([_], Binding::Constant(id)) => {
                self.model.constants.get(id.0 as usize).map(|row| row.data.clone())
            }
            _ => None,
        }
    }
}

/// A value as Lua writes it into a text.
pub(super) fn spelled(data: Data) -> Option<String> {
    match data {
        Data::Text(text) => Some(text),
        // Others have an exponent or many digits, which Lua writes in its own way.
        Data::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => Some(format!("{number}")),
        Data::Number(number) => Some(format!("{number}")).filter(|text| text.len() < 10),
        Data::Bool(_) => None,
    }
}
