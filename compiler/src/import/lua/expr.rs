//! Reads Luau expressions.
//!
//! Operators of one level and calls in a chain are read in loops, so only brackets, functions and operators before an
//! operand take the parser deeper.

use super::parse::{Parser, Read};
use super::token::{self, Token};
use super::tree::{BinaryOp, ExprId, ExprKind, Key};

/// The binding power of operators before an operand: above `*`, below `^`.
const UNARY: u8 = 7;

fn binary(token: Token) -> Option<(BinaryOp, u8)> {
    Some(match token {
        Token::Or => (BinaryOp::Or, 1),
        Token::And => (BinaryOp::And, 2),
        Token::Equal => (BinaryOp::Equal, 3),
        Token::NotEqual => (BinaryOp::NotEqual, 3),
        Token::Less => (BinaryOp::Less, 3),
        Token::LessEqual => (BinaryOp::LessEqual, 3),
        Token::Greater => (BinaryOp::Greater, 3),
        Token::GreaterEqual => (BinaryOp::GreaterEqual, 3),
        Token::Concat => (BinaryOp::Concat, 4),
        Token::Plus => (BinaryOp::Add, 5),
        Token::Minus => (BinaryOp::Sub, 5),
        Token::Star => (BinaryOp::Mul, 6),
        Token::Slash => (BinaryOp::Div, 6),
        Token::FloorSlash => (BinaryOp::FloorDiv, 6),
        Token::Percent => (BinaryOp::Mod, 6),
        Token::Caret => (BinaryOp::Pow, 8),
        _ => return None,
    })
}

impl Parser<'_, '_> {
    pub(super) fn expressions(&mut self) -> Read<Vec<ExprId>> {
        let mut list = vec![self.expression()?];
        while self.eat(Token::Comma) {
            list.push(self.expression()?);
        }
        Ok(list)
    }

    pub(super) fn expression(&mut self) -> Read<ExprId> {
        self.operators(0)
    }

    /// An expression whose operators all bind tighter than `floor`.
    fn operators(&mut self, floor: u8) -> Read<ExprId> {
        self.nested(|parser| {
            let mut left = parser.operand()?;
            while let Some((op, power)) = parser.peek().and_then(binary) {
                if power <= floor {
                    break;
                }
                parser.bump();
                // `^` binds to the right; the order of `..` does not matter here.
                let right = parser.operators(if op == BinaryOp::Pow { power - 1 } else { power })?;
                let span = parser.tree.span(left).to(parser.tree.span(right));
                left = parser.add(ExprKind::Binary(op, left, right), span);
            }
            Ok(left)
        })
    }

    fn operand(&mut self) -> Read<ExprId> {
        let start = self.span();
        let make: fn(ExprId) -> ExprKind<'static> = match self.peek() {
            Some(Token::Not) => ExprKind::Not,
            Some(Token::Minus) => ExprKind::Negate,
            Some(Token::Hash) => ExprKind::Length,
            _ => {
                let value = self.simple()?;
                // A cast says nothing about the value.
                while self.eat(Token::DoubleColon) {
                    self.skip_type()?;
                }
                return Ok(value);
            }
        };
        self.bump();
        let value = self.operators(UNARY)?;
        let span = start.to(self.tree.span(value));
        Ok(self.add(make(value), span))
    }

    fn simple(&mut self) -> Read<ExprId> {
        let kind = match self.peek() {
            Some(Token::Nil) => ExprKind::Nil,
            Some(Token::True) => ExprKind::Bool(true),
            Some(Token::False) => ExprKind::Bool(false),
            Some(Token::Dots) => ExprKind::Dots,
            Some(Token::Number) => token::number(self.word()).map_or(ExprKind::Error, ExprKind::Number),
            Some(Token::Function) => {
                self.bump();
                return self.function();
            }
            Some(Token::If) => return self.conditional(),
            _ => return self.suffixed(),
        };
        let span = self.bump();
        Ok(self.add(kind, span))
    }

    /// `if c then a elseif d then b else e`
    fn conditional(&mut self) -> Read<ExprId> {
        let start = self.bump();
        let condition = self.expression()?;
        self.expect(Token::Then, "`then`")?;
        let yes = self.expression()?;
        let no = if self.peek() == Some(Token::ElseIf) {
            self.nested(Self::conditional)?
        } else {
            self.expect(Token::Else, "`else`")?;
            self.expression()?
        };
        let span = start.to(self.tree.span(no));
        Ok(self.add(ExprKind::If(condition, yes, no), span))
    }

    /// A name, text, table or parenthesis with its fields, calls and methods.
    pub(super) fn suffixed(&mut self) -> Read<ExprId> {
        let start = self.span();
        let mut value = match self.peek() {
            Some(Token::Name) => {
                let word = self.word();
                self.bump();
                self.add(ExprKind::Name(word), start)
            }
            Some(Token::Text) => self.text_value(),
            Some(Token::Interpolated) => {
                let plain = !self.word().contains('{');
                if plain {
                    self.text_value()
                } else {
                    self.bump();
                    self.add(ExprKind::Interpolated, start)
                }
            }
            Some(Token::OpenBrace) => self.table()?,
            Some(Token::OpenParen) => {
                self.bump();
                let inner = self.expression()?;
                let end = self.expect(Token::CloseParen, "`)`")?;
                self.add(ExprKind::Group(inner), start.to(end))
            }
            _ => return Err(self.unexpected("an expression")),
        };
        loop {
            let kind = match self.peek() {
                Some(Token::Dot) => {
                    self.bump();
                    let name = self.expect(Token::Name, "the name of a field")?;
                    ExprKind::Field(value, self.slice(name))
                }
                Some(Token::OpenBracket) => {
                    self.bump();
                    let index = self.expression()?;
                    self.expect(Token::CloseBracket, "`]`")?;
                    ExprKind::Index(value, index)
                }
                Some(Token::Colon) => {
                    self.bump();
                    let name = self.expect(Token::Name, "the name of a method")?;
                    let arguments = self.arguments()?;
                    ExprKind::Method(value, self.slice(name), name, arguments)
                }
                // A parenthesis on a new line begins another statement.
                Some(Token::OpenParen) if self.first_on_line() => break,
                Some(Token::OpenParen | Token::OpenBrace | Token::Text | Token::Interpolated) => {
                    ExprKind::Call(value, self.arguments()?)
                }
                _ => break,
            };
            let span = start.to(self.previous());
            value = self.add(kind, span);
        }
        Ok(value)
    }

    /// `(a, b)`, `"text"` or `{table}`. What cannot be read in it is an error expression, and the chain goes on.
    fn arguments(&mut self) -> Read<Vec<ExprId>> {
        match self.peek() {
            Some(Token::Text | Token::Interpolated) => return Ok(vec![self.text_value()]),
            Some(Token::OpenBrace) => return Ok(vec![self.table()?]),
            _ => {}
        }
        self.expect(Token::OpenParen, "`(`")?;
        let mut list = Vec::new();
        while !matches!(self.peek(), Some(Token::CloseParen) | None) {
            let start = self.span();
            match self.expression() {
                Ok(value) => list.push(value),
                Err(_) => {
                    list.push(self.add(ExprKind::Error, start));
                    self.skip_argument();
                }
            }
            if self.eat(Token::Comma) || self.peek() == Some(Token::CloseParen) {
                continue;
            }
            let _ = self.unexpected("`,` or `)`");
            self.skip_argument();
            if !self.eat(Token::Comma) {
                break;
            }
        }
        self.eat(Token::CloseParen);
        Ok(list)
    }

    /// Skips to the comma or parenthesis after an argument, but never into the next line of a chain or statement.
    fn skip_argument(&mut self) {
        while let Some(token) = self.peek() {
            match token {
                Token::Comma | Token::CloseParen => return,
                Token::End | Token::Local | Token::Return | Token::Function => return,
                Token::Colon if self.first_on_line() || self.is_method_call() => return,
                Token::OpenParen | Token::OpenBrace | Token::OpenBracket => self.skip_balanced(),
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Whether `:name(` comes next.
    fn is_method_call(&self) -> bool {
        self.peek_at(1) == Some(Token::Name) && self.peek_at(2) == Some(Token::OpenParen)
    }

    fn table(&mut self) -> Read<ExprId> {
        self.nested(|parser| {
            let start = parser.bump();
            let mut fields = Vec::new();
            while !matches!(parser.peek(), Some(Token::CloseBrace) | None) {
                let key = match (parser.peek(), parser.peek_at(1)) {
                    (Some(Token::Name), Some(Token::Assign)) => {
                        let word = parser.word();
                        parser.bump();
                        parser.bump();
                        Key::Name(word)
                    }
                    (Some(Token::OpenBracket), _) => {
                        parser.bump();
                        let key = parser.expression()?;
                        parser.expect(Token::CloseBracket, "`]`")?;
                        parser.expect(Token::Assign, "`=`")?;
                        Key::Expr(key)
                    }
                    _ => Key::None,
                };
                fields.push((key, parser.expression()?));
                if !parser.eat(Token::Comma) && !parser.eat(Token::Semicolon) {
                    break;
                }
            }
            let end = parser.expect(Token::CloseBrace, "`}`")?;
            Ok(parser.add(ExprKind::Table(fields), start.to(end)))
        })
    }
}
