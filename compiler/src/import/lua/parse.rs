//! Reads Luau statements, and what expressions and statements share: the cursor, the limit of nesting, recovery.
//!
//! The reader is tolerant: what it cannot read it reports once and skips to the next place where something can begin.
//! Every loop takes a token or ends. Nesting is limited; past the limit the rest of the file is left unread, which is
//! reported. Types are skipped.

use super::token::{self, Token, Tokens};
use super::tree::{Block, Body, Expr, ExprId, ExprKind, Stmt, StmtKind, Tree};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{FileId, Span};

/// How deep blocks and expressions may nest.
pub(super) const MAX_DEPTH: u32 = 96;
/// How many places that cannot be read are reported.
const MAX_REPORTS: usize = 20;

pub(super) struct Parser<'t, 'd> {
    pub(super) text: &'t str,
    pub(super) tree: Tree<'t>,
    tokens: &'d [(Token, Span)],
    at: usize,
    depth: u32,
    end: Span,
    reports: usize,
    diagnostics: &'d mut Diagnostics,
}

/// Something could not be read; it was reported.
pub(super) struct Unread;

pub(super) type Read<T> = Result<T, Unread>;

/// Reads a file.
pub(super) fn parse<'t>(
    file: FileId,
    text: &'t str,
    tokens: &Tokens,
    diagnostics: &mut Diagnostics,
) -> Tree<'t> {
    let end = Span::new(file, text.len() as u32, text.len() as u32);
    let tokens = &tokens.tokens[..];
    let tree = Tree::default();
    let mut parser = Parser { text, tree, tokens, at: 0, depth: 0, end, reports: 0, diagnostics };
    let mut block = Vec::new();
    while parser.peek().is_some() {
        block.extend(parser.block());
        if parser.peek().is_some() {
            parser.report("this closes nothing", "not expected here");
            parser.at += 1;
        }
    }
    parser.tree.block = block;
    parser.tree
}

impl<'t> Parser<'t, '_> {
    pub(super) fn peek(&self) -> Option<Token> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<Token> {
        self.tokens.get(self.at + ahead).map(|(token, _)| *token)
    }

    /// Where the next token stands.
    pub(super) fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |(_, span)| *span)
    }

    /// Where the token before stands.
    pub(super) fn previous(&self) -> Span {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(self.end, |(_, span)| *span)
    }

    pub(super) fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// The text of the next token.
    pub(super) fn word(&self) -> &'t str {
        self.slice(self.span())
    }

    pub(super) fn bump(&mut self) -> Span {
        let span = self.span();
        self.at += 1;
        span
    }

    pub(super) fn eat(&mut self, token: Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, token: Token, expected: &str) -> Read<Span> {
        if self.peek() == Some(token) { Ok(self.bump()) } else { Err(self.unexpected(expected)) }
    }

    fn name(&mut self) -> Read<&'t str> {
        let span = self.expect(Token::Name, "a name")?;
        Ok(self.slice(span))
    }

    pub(super) fn add(&mut self, kind: ExprKind<'t>, span: Span) -> ExprId {
        let id = ExprId(self.tree.exprs.len() as u32);
        self.tree.exprs.push(Expr { kind, span, depth: 0 });
        let depth = self.tree.children(id).iter().map(|child| self.tree.get(*child).depth).max();
        if let Some(expr) = self.tree.exprs.last_mut() {
            expr.depth = depth.map_or(0, |depth| depth.saturating_add(1));
        }
        id
    }

    fn report(&mut self, message: &str, label: &str) {
        self.reports += 1;
        // What the lexer reported needs no second word.
        if self.reports <= MAX_REPORTS && self.peek() != Some(Token::Bad) {
            let span = self.span();
            self.diagnostics.push(Diagnostic::new(Code::UnreadableLua, message, span, label));
        }
    }

    pub(super) fn unexpected(&mut self, expected: &str) -> Unread {
        let found = match self.peek() {
            None => "unexpected end of the file".to_owned(),
            Some(_) => format!("unexpected `{}`", shortened(self.word())),
        };
        self.report(&found, &format!("expected {expected}"));
        Unread
    }

    /// Reads something nested one level deeper.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            if self.at < self.tokens.len() {
                let message = format!("more than {MAX_DEPTH} levels of nesting");
                let diagnostic = Diagnostic::new(Code::UnreadableLua, message, self.span(), "too deep here");
                self.diagnostics.push(diagnostic.help("from here on the file was not read"));
            }
            self.at = self.tokens.len();
            self.reports = MAX_REPORTS;
            return Err(Unread);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Reads statements up to a word that ends a block, which stays.
    pub(super) fn block(&mut self) -> Block<'t> {
        let mut block = Vec::new();
        while let Some(token) = self.peek() {
            if matches!(token, Token::End | Token::Else | Token::ElseIf | Token::Until) {
                break;
            }
            if self.eat(Token::Semicolon) {
                continue;
            }
            let (start, first) = (self.at, self.span());
            match self.nested(Self::statement) {
                Ok(kind) => block.push(Stmt { kind, span: first.to(self.previous()) }),
                Err(Unread) => self.recover(start),
            }
        }
        block
    }

    /// Skips to where a statement can begin: a word that begins or ends one, or a name that is first on its line.
    fn recover(&mut self, start: usize) {
        self.at = self.at.max(start + 1);
        while let Some(token) = self.peek() {
            let begins = match token {
                Token::Local | Token::Function | Token::If | Token::For | Token::While | Token::Repeat => {
                    true
                }
                Token::Do | Token::Return | Token::End | Token::Else | Token::ElseIf | Token::Until => true,
                Token::Name => self.first_on_line(),
                _ => false,
            };
            if begins {
                return;
            }
            self.at += 1;
        }
    }

    /// Whether the next token is the first of its line.
    pub(super) fn first_on_line(&self) -> bool {
        let before = if self.at == 0 { 0 } else { self.previous().end as usize };
        self.text.get(before..self.span().start as usize).is_some_and(|gap| gap.contains('\n'))
    }

    fn statement(&mut self) -> Read<StmtKind<'t>> {
        match self.peek() {
            Some(Token::Local) => self.local(),
            Some(Token::Function) => {
                self.bump();
                let mut name = self.name()?;
                while self.eat(Token::Dot) || self.eat(Token::Colon) {
                    name = self.name()?;
                }
                let function = self.function()?;
                Ok(StmtKind::Function { name, function })
            }
            Some(Token::Return) => {
                self.bump();
                let values = if self.ends_return() { Vec::new() } else { self.expressions()? };
                Ok(StmtKind::Return(values))
            }
            Some(Token::If) => self.branches(),
            Some(Token::While) => {
                self.bump();
                let condition = self.expression()?;
                self.expect(Token::Do, "`do`")?;
                let block = self.closed_block()?;
                Ok(StmtKind::Loop(vec![condition], Vec::new(), block))
            }
            Some(Token::For) => self.for_loop(),
            Some(Token::Repeat) => {
                self.bump();
                let block = self.block();
                self.expect(Token::Until, "`until`")?;
                let condition = self.expression()?;
                Ok(StmtKind::Loop(vec![condition], Vec::new(), block))
            }
            Some(Token::Do) => {
                self.bump();
                Ok(StmtKind::Do(self.closed_block()?))
            }
            Some(Token::Break) => {
                self.bump();
                Ok(StmtKind::Other)
            }
            Some(Token::At) => {
                self.bump();
                self.name()?;
                Ok(StmtKind::Other)
            }
            Some(Token::Name) => self.expression_statement(),
            _ => {
                let value = self.suffixed()?;
                self.finish_expression(value)
            }
        }
    }

    fn ends_return(&self) -> bool {
        use Token::{Else, ElseIf, End, Semicolon, Until};
        matches!(self.peek(), None | Some(End | Else | ElseIf | Until | Semicolon))
    }

    /// `continue`, `type X = ...`, an assignment or a call.
    fn expression_statement(&mut self) -> Read<StmtKind<'t>> {
        let next = self.peek_at(1);
        match self.word() {
            "continue"
                if !matches!(next, Some(Token::Assign | Token::OpenParen | Token::Dot | Token::Colon)) =>
            {
                self.bump();
                return Ok(StmtKind::Other);
            }
            "export" | "type" if next == Some(Token::Name) || next == Some(Token::Function) => {
                if self.word() == "export" {
                    self.bump();
                }
                self.bump();
                if self.eat(Token::Function) {
                    self.name()?;
                    self.function()?;
                    return Ok(StmtKind::Other);
                }
                self.name()?;
                if self.peek() == Some(Token::Less) {
                    self.skip_angles();
                }
                self.expect(Token::Assign, "`=`")?;
                self.skip_type()?;
                return Ok(StmtKind::Other);
            }
            _ => {}
        }
        let value = self.suffixed()?;
        self.finish_expression(value)
    }

    fn finish_expression(&mut self, first: ExprId) -> Read<StmtKind<'t>> {
        if self.eat(Token::CompoundAssign) {
            let value = self.expression()?;
            return Ok(StmtKind::Assign(vec![first], vec![value]));
        }
        let mut targets = vec![first];
        while self.eat(Token::Comma) {
            targets.push(self.suffixed()?);
        }
        if targets.len() > 1 || self.peek() == Some(Token::Assign) {
            self.expect(Token::Assign, "`=`")?;
            let values = self.expressions()?;
            return Ok(StmtKind::Assign(targets, values));
        }
        Ok(StmtKind::Expr(first))
    }

    fn local(&mut self) -> Read<StmtKind<'t>> {
        self.bump();
        if self.eat(Token::Function) {
            let name = self.name()?;
            let function = self.function()?;
            return Ok(StmtKind::Function { name, function });
        }
        let names = self.bindings()?;
        let values = if self.eat(Token::Assign) { self.expressions()? } else { Vec::new() };
        Ok(StmtKind::Local(names, values))
    }

    /// Names separated by commas, with or without types and attributes.
    fn bindings(&mut self) -> Read<Vec<&'t str>> {
        let mut names = Vec::new();
        loop {
            names.push(self.name()?);
            if self.peek() == Some(Token::Less) {
                self.skip_angles();
            }
            if self.eat(Token::Colon) {
                self.skip_type()?;
            }
            if !self.eat(Token::Comma) {
                return Ok(names);
            }
        }
    }

    fn branches(&mut self) -> Read<StmtKind<'t>> {
        let mut branches = Vec::new();
        loop {
            self.bump();
            let condition = self.expression()?;
            self.expect(Token::Then, "`then`")?;
            let block = self.block();
            branches.push((condition, block));
            if self.peek() != Some(Token::ElseIf) {
                break;
            }
        }
        let otherwise = if self.eat(Token::Else) { Some(self.block()) } else { None };
        self.expect(Token::End, "`end`")?;
        Ok(StmtKind::If(branches, otherwise))
    }

    fn for_loop(&mut self) -> Read<StmtKind<'t>> {
        self.bump();
        let names = self.bindings()?;
        if !self.eat(Token::In) {
            self.expect(Token::Assign, "`in` or `=`")?;
        }
        let values = self.expressions()?;
        self.expect(Token::Do, "`do`")?;
        let block = self.closed_block()?;
        Ok(StmtKind::Loop(values, names, block))
    }

    /// A block and its `end`.
    fn closed_block(&mut self) -> Read<Block<'t>> {
        let block = self.block();
        if self.peek() == Some(Token::End) {
            self.bump();
        } else {
            // The block is kept: everything in it was read.
            let _ = self.unexpected("`end`");
        }
        Ok(block)
    }

    /// What follows `function` and its name.
    pub(super) fn function(&mut self) -> Read<ExprId> {
        let start = self.previous();
        if self.peek() == Some(Token::Less) {
            self.skip_angles();
        }
        self.expect(Token::OpenParen, "`(`")?;
        let mut params = Vec::new();
        while !matches!(self.peek(), Some(Token::CloseParen) | None) {
            if self.eat(Token::Dots) {
                if self.eat(Token::Colon) {
                    self.skip_type()?;
                }
                break;
            }
            params.push(self.name()?);
            if self.eat(Token::Colon) {
                self.skip_type()?;
            }
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.expect(Token::CloseParen, "`)`")?;
        if self.eat(Token::Colon) {
            self.skip_type()?;
        }
        let block = self.nested(Self::closed_block)?;
        let span = start.to(self.previous());
        Ok(self.add(ExprKind::Function(Body { params, block }), span))
    }

    /// Skips a type.
    pub(super) fn skip_type(&mut self) -> Read<()> {
        let _ = self.eat(Token::Pipe) || self.eat(Token::Ampersand);
        loop {
            self.eat(Token::Dots);
            match self.peek() {
                Some(Token::Name) => {
                    let typeof_ = self.word() == "typeof";
                    self.bump();
                    while self.eat(Token::Dot) {
                        self.name()?;
                    }
                    if typeof_ && self.peek() == Some(Token::OpenParen) {
                        self.skip_balanced();
                    }
                    if self.peek() == Some(Token::Less) {
                        self.skip_angles();
                    }
                }
                Some(Token::Nil | Token::True | Token::False | Token::Text) => {
                    self.bump();
                }
                Some(Token::OpenBrace | Token::OpenParen) => {
                    self.skip_balanced();
                }
                Some(Token::Less) => {
                    self.skip_angles();
                    continue;
                }
                _ => return Err(self.unexpected("a type")),
            }
            while self.eat(Token::Question) {}
            let joined = self.eat(Token::Arrow) || self.eat(Token::Pipe) || self.eat(Token::Ampersand);
            if !joined {
                return Ok(());
            }
        }
    }

    /// Skips `<...>`, by counting.
    fn skip_angles(&mut self) {
        let mut depth = 0usize;
        while let Some(token) = self.peek() {
            match token {
                Token::Less => depth += 1,
                Token::Greater => depth -= 1,
                Token::End | Token::Local | Token::Function => return,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips an opening bracket and all to its partner, by counting.
    pub(super) fn skip_balanced(&mut self) {
        let mut depth = 0usize;
        while let Some(token) = self.peek() {
            match token {
                Token::OpenParen | Token::OpenBrace | Token::OpenBracket => depth += 1,
                Token::CloseParen | Token::CloseBrace | Token::CloseBracket => {
                    depth = depth.saturating_sub(1)
                }
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// The value of the next token, a text.
    pub(super) fn text_value(&mut self) -> ExprId {
        let span = self.bump();
        let kind = token::decode(self.slice(span)).map_or(ExprKind::Interpolated, ExprKind::Text);
        self.add(kind, span)
    }
}

/// The head of a long text, for messages.
pub(super) fn shortened(text: &str) -> String {
    let line = text.lines().next().unwrap_or("");
    match line.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &line[..at]),
        None => line.to_owned(),
    }
}
