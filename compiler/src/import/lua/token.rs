//! The tokens of Luau.
//!
//! Texts and comments are whole tokens, however they are bracketed; their contents are decoded on demand. A text or
//! comment without its end reaches to the end of its line or of the file and is reported, so every byte belongs to a
//! token or to space, and reading goes on behind it.

use logos::{Lexer, Logos};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{FileId, Span};

/// What a character sequence that is no token has wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fault {
    /// A character that means nothing in Luau.
    #[default]
    Character,
    /// A text without its end.
    Text,
    /// A comment without its end.
    Comment,
}

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(error = Fault)]
#[logos(skip r"[ \t\r\n\x0B\x0C\u{feff}]+")]
pub(super) enum Token {
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    #[regex(r"0[xX][0-9a-fA-F_]+")]
    #[regex(r"0[bB][01_]+")]
    #[regex(r"[0-9][0-9_]*(\.[0-9_]*)?([eE][+-]?[0-9_]+)?")]
    #[regex(r"\.[0-9][0-9_]*([eE][+-]?[0-9_]+)?")]
    Number,
    #[token("\"", short_text)]
    #[token("'", short_text)]
    #[regex(r"\[=*\[", long_text)]
    Text,
    #[token("`", interpolated)]
    Interpolated,
    #[token("--", comment)]
    #[regex(r"#!", shebang)]
    Comment,

    #[token("and")]
    And,
    #[token("break")]
    Break,
    #[token("do")]
    Do,
    #[token("else")]
    Else,
    #[token("elseif")]
    ElseIf,
    #[token("end")]
    End,
    #[token("false")]
    False,
    #[token("for")]
    For,
    #[token("function")]
    Function,
    #[token("if")]
    If,
    #[token("in")]
    In,
    #[token("local")]
    Local,
    #[token("nil")]
    Nil,
    #[token("not")]
    Not,
    #[token("or")]
    Or,
    #[token("repeat")]
    Repeat,
    #[token("return")]
    Return,
    #[token("then")]
    Then,
    #[token("true")]
    True,
    #[token("until")]
    Until,
    #[token("while")]
    While,

    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("//")]
    FloorSlash,
    #[token("%")]
    Percent,
    #[token("^")]
    Caret,
    #[token("#")]
    Hash,
    #[token("==")]
    Equal,
    #[token("~=")]
    NotEqual,
    #[token("<=")]
    LessEqual,
    #[token(">=")]
    GreaterEqual,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("=")]
    Assign,
    #[token("+=")]
    #[token("-=")]
    #[token("*=")]
    #[token("/=")]
    #[token("//=")]
    #[token("%=")]
    #[token("^=")]
    #[token("..=")]
    CompoundAssign,
    #[token("(")]
    OpenParen,
    #[token(")")]
    CloseParen,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token("[")]
    OpenBracket,
    #[token("]")]
    CloseBracket,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("::")]
    DoubleColon,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token("..")]
    Concat,
    #[token("...")]
    Dots,
    #[token("->")]
    Arrow,
    #[token("?")]
    Question,
    #[token("|")]
    Pipe,
    #[token("&")]
    Ampersand,
    #[token("@")]
    At,

    /// Something that was reported.
    Bad,
}

fn short_text(lexer: &mut Lexer<'_, Token>) -> Result<(), Fault> {
    let quote = lexer.slice().as_bytes().first().copied().unwrap_or(b'"');
    let rest = lexer.remainder().as_bytes();
    let mut at = 0;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' => {
                // `\z` swallows the space after it, line ends included; a backslash before a line end continues it.
                if rest.get(at + 1) == Some(&b'z') {
                    at += 2;
                    while rest.get(at).is_some_and(u8::is_ascii_whitespace) {
                        at += 1;
                    }
                } else if rest.get(at + 1) == Some(&b'\r') && rest.get(at + 2) == Some(&b'\n') {
                    at += 3;
                } else {
                    at += 2;
                }
            }
            b'\n' => break,
            byte if *byte == quote => {
                lexer.bump(at + 1);
                return Ok(());
            }
            _ => at += 1,
        }
    }
    bump_to_boundary(lexer, at);
    Err(Fault::Text)
}

/// Where the long bracket that opens with `open` ends in `rest`.
fn long_end(open: &str, rest: &str) -> Option<usize> {
    let close = open.replace('[', "]");
    rest.find(&close).map(|at| at + close.len())
}

fn long_text(lexer: &mut Lexer<'_, Token>) -> Result<(), Fault> {
    let length = long_end(lexer.slice(), lexer.remainder());
    lexer.bump(length.unwrap_or(lexer.remainder().len()));
    length.map(|_| ()).ok_or(Fault::Text)
}

fn comment(lexer: &mut Lexer<'_, Token>) -> Result<(), Fault> {
    let rest = lexer.remainder();
    if let Some(open) = long_opening(rest) {
        let length = long_end(open, &rest[open.len()..]);
        lexer.bump(length.map_or(rest.len(), |length| open.len() + length));
        return length.map(|_| ()).ok_or(Fault::Comment);
    }
    lexer.bump(rest.find('\n').unwrap_or(rest.len()));
    Ok(())
}

/// `[[`, `[=[`, ... at the start of a text.
fn long_opening(text: &str) -> Option<&str> {
    let level = text.strip_prefix('[')?.bytes().take_while(|byte| *byte == b'=').count();
    text[1 + level..].starts_with('[').then(|| &text[..level + 2])
}

/// `#!` at the very start of a file is a line for the shell.
fn shebang(lexer: &mut Lexer<'_, Token>) -> Result<(), Fault> {
    if lexer.span().start != 0 {
        return Err(Fault::Character);
    }
    let rest = lexer.remainder();
    lexer.bump(rest.find('\n').unwrap_or(rest.len()));
    Ok(())
}

fn interpolated(lexer: &mut Lexer<'_, Token>) -> Result<(), Fault> {
    let rest = lexer.remainder().as_bytes();
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' => at += 1,
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'`' if depth == 0 => {
                lexer.bump(at + 1);
                return Ok(());
            }
            b'\n' if depth == 0 => break,
            _ => {}
        }
        at += 1;
    }
    bump_to_boundary(lexer, at);
    Err(Fault::Text)
}

fn bump_to_boundary(lexer: &mut Lexer<'_, Token>, mut at: usize) {
    let rest = lexer.remainder();
    at = at.min(rest.len());
    while !rest.is_char_boundary(at) {
        at += 1;
    }
    lexer.bump(at);
}

/// The tokens of a file, and beside them its comments.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) tokens: Vec<(Token, Span)>,
    pub(super) comments: Vec<Span>,
}

/// How many faults of a kind are reported one by one.
const MAX_REPORTS: usize = 20;

/// Reads the tokens of a text of at most `u32::MAX` bytes.
pub(super) fn lex(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Tokens {
    let mut result = Tokens::default();
    let mut faults = 0;
    for (token, range) in Token::lexer(text).spanned() {
        let span = Span::new(file, range.start as u32, range.end as u32);
        match token {
            Ok(Token::Comment) => result.comments.push(span),
            Ok(token) => result.tokens.push((token, span)),
            Err(Fault::Comment) => {
                result.comments.push(span);
                report(diagnostics, &mut faults, Fault::Comment, span, text);
            }
            Err(fault) => {
                // Neighbors of one kind are one fault: a file of noise is not a million messages.
                if let Some((Token::Bad, last)) = result.tokens.last_mut()
                    && fault == Fault::Character
                    && last.end == span.start
                {
                    last.end = span.end;
                    continue;
                }
                result.tokens.push((Token::Bad, span));
                report(diagnostics, &mut faults, fault, span, text);
            }
        }
    }
    result
}

fn report(diagnostics: &mut Diagnostics, faults: &mut usize, fault: Fault, span: Span, text: &str) {
    *faults += 1;
    if *faults > MAX_REPORTS {
        return;
    }
    let start = Span::new(span.file, span.start, span.end.min(span.start + first_width(text, span)));
    let (message, label) = match fault {
        Fault::Character => ("a character that means nothing in Luau", "not Luau"),
        Fault::Text => ("a text without its end", "opened here"),
        Fault::Comment => ("a comment without its end", "opened here"),
    };
    diagnostics.push(Diagnostic::new(Code::UnreadableLua, message, start, label));
}

fn first_width(text: &str, span: Span) -> u32 {
    text.get(span.range()).and_then(|text| text.chars().next()).map_or(1, |first| first.len_utf8() as u32)
}

/// What a text token stands for; `None` where an escape cannot be read, or makes what is not UTF-8.
pub(super) fn decode(token: &str) -> Option<String> {
    if let Some(open) = long_opening(token) {
        let inner = token.get(open.len()..token.len() - open.len())?;
        let inner = inner.strip_prefix("\r\n").or_else(|| inner.strip_prefix('\n')).unwrap_or(inner);
        return Some(inner.to_owned());
    }
    let inner = token.get(1..token.len().checked_sub(1)?)?;
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner.chars().peekable();
    while let Some(next) = rest.next() {
        if next != '\\' {
            bytes.extend(next.encode_utf8(&mut [0; 4]).bytes());
            continue;
        }
        match rest.next()? {
            'n' => bytes.push(b'\n'),
            't' => bytes.push(b'\t'),
            'r' => bytes.push(b'\r'),
            'a' => bytes.push(7),
            'b' => bytes.push(8),
            'f' => bytes.push(12),
            'v' => bytes.push(11),
            'z' => while rest.next_if(char::is_ascii_whitespace).is_some() {},
            'x' => {
                let (high, low) = (rest.next()?.to_digit(16)?, rest.next()?.to_digit(16)?);
                bytes.push((high * 16 + low) as u8);
            }
            'u' => {
                rest.next_if_eq(&'{')?;
                let mut code = 0u32;
                while let Some(digit) = rest.next_if(char::is_ascii_hexdigit) {
                    code = code.checked_mul(16)?.checked_add(digit.to_digit(16)?)?;
                }
                rest.next_if_eq(&'}')?;
                bytes.extend(char::from_u32(code)?.encode_utf8(&mut [0; 4]).bytes());
            }
            digit if digit.is_ascii_digit() => {
                let mut code = digit.to_digit(10)?;
                for _ in 0..2 {
                    if let Some(next) = rest.next_if(char::is_ascii_digit) {
                        code = code * 10 + next.to_digit(10)?;
                    }
                }
                bytes.push(u8::try_from(code).ok()?);
            }
            '\r' => {
                rest.next_if_eq(&'\n');
                bytes.push(b'\n');
            }
            other => bytes.extend(other.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    String::from_utf8(bytes).ok()
}

/// What a number token stands for; `None` where it cannot be read.
pub(super) fn number(token: &str) -> Option<f64> {
    let digits = token.replace('_', "");
    let lower = digits.to_ascii_lowercase();
    if let Some(hex) = lower.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok().map(|value| value as f64);
    }
    if let Some(binary) = lower.strip_prefix("0b") {
        return u64::from_str_radix(binary, 2).ok().map(|value| value as f64);
    }
    lower.parse().ok()
}
