//! The lexical grammar, for logos: shapes only; `mod.rs` turns them into tokens with values.
//!
//! Every byte of a source belongs to a raw token, to blank space, or to a run that logos reports as an error.

use logos::{Lexer, Logos};

/// A shape.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0c]+")]
pub(super) enum Raw {
    #[regex(r"[\p{XID_Start}_]\p{XID_Continue}*")]
    Word,
    #[regex(r"`[^`\r\n]*`")]
    Quoted,
    #[regex(r"`[^`\r\n]*", priority = 1)]
    OpenQuoted,
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    Text,
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*\\?"#, priority = 1)]
    OpenText,
    // A number with whatever clings to it; `number.rs` says what is wrong with it.
    #[regex(r"\.?[0-9]([eE][+\-][0-9]|[0-9A-Za-z_.%\u{80}-\u{10ffff}])*")]
    Number,
    #[regex(r"#[0-9A-Za-z_]*")]
    Color,

    #[token("//", line_rest)]
    LineComment,
    #[token("/*", block_comment)]
    BlockComment,
    #[token("<<<<<<<")]
    MergeOurs,
    #[token("|||||||")]
    MergeBase,
    #[token("=======")]
    MergeMiddle,
    #[token(">>>>>>>")]
    MergeTheirs,

    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token(".")]
    Dot,
    #[token("=")]
    Assign,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("~=")]
    Near,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("->")]
    Arrow,

    #[token("&&")]
    AndAnd,
    #[token("&")]
    Ampersand,
    #[token("||")]
    OrOr,
    #[token("|")]
    Pipe,
    #[token("!")]
    Bang,
    #[token("===")]
    TripleEqual,
    #[token("!==")]
    NotTripleEqual,
    #[token("++")]
    PlusPlus,
    #[token("+=")]
    PlusAssign,
    #[token("-=")]
    MinusAssign,
    #[token("*=")]
    StarAssign,
    #[token("/=")]
    SlashAssign,
    #[token("=>")]
    FatArrow,
    #[token(":=")]
    ColonAssign,
    #[token(";")]
    Semicolon,
    #[token("?")]
    Question,
    #[token("%")]
    Percent,
    #[token("^")]
    Caret,
    #[token("**")]
    StarStar,
    #[token("::")]
    ColonColon,
    #[token("..")]
    DotDot,
}

fn line_rest(lexer: &mut Lexer<'_, Raw>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find('\n').unwrap_or(rest.len()));
}

// The caller sees an unclosed one by its end.
fn block_comment(lexer: &mut Lexer<'_, Raw>) {
    let rest = lexer.remainder();
    lexer.bump(block_end(rest).unwrap_or(rest.len()));
}

/// How far a comment reaches whose `/*` stands before `rest`; comments nest.
pub(super) fn block_end(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let mut depth = 1usize;
    let mut at = 0;
    while at + 1 < bytes.len() {
        match (bytes[at], bytes[at + 1]) {
            (b'*', b'/') => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return Some(at);
                }
            }
            (b'/', b'*') => {
                depth += 1;
                at += 2;
            }
            _ => at += 1,
        }
    }
    None
}
