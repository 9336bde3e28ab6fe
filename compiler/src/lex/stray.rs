//! What is no token of the language: look-alikes from other keyboards, control characters, left-over merge markers.

use super::token::{Foreign, Token};

/// What a character outside the language stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Stray {
    /// It looks like this token, which is written so.
    Like(Token, &'static str),
    /// It opens or closes a quotation.
    Quote,
    /// It looks like a space, or like nothing.
    Space,
    /// Nothing of the kind.
    Unknown,
}

/// What a character that no token begins with stands for.
pub(super) fn stray(c: char) -> Stray {
    let (token, text) = match c {
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' | '\u{ff02}' => return Stray::Quote,
        '\u{2018}' | '\u{2019}' | '\'' => return Stray::Quote,
        '\u{a0}' | '\u{200b}'..='\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{3000}' | '\u{feff}' | '\u{b}' => {
            return Stray::Space;
        }
        '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{2060}' => return Stray::Space,
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ff0d}' => (Token::Minus, "-"),
        '\u{d7}' | '\u{2217}' | '\u{ff0a}' => (Token::Star, "*"),
        '\u{f7}' | '\u{2215}' | '\u{ff0f}' => (Token::Slash, "/"),
        '\u{ff0b}' => (Token::Plus, "+"),
        '\u{2264}' => (Token::LessEqual, "<="),
        '\u{2265}' => (Token::GreaterEqual, ">="),
        '\u{2260}' => (Token::NotEqual, "!="),
        '\u{2248}' => (Token::Near, "~="),
        '\u{2192}' | '\u{21d2}' => (Token::Arrow, "->"),
        '\u{ff1d}' => (Token::Assign, "="),
        '\u{ff1c}' => (Token::Less, "<"),
        '\u{ff1e}' => (Token::Greater, ">"),
        '\u{ff08}' => (Token::LeftParen, "("),
        '\u{ff09}' => (Token::RightParen, ")"),
        '\u{ff3b}' => (Token::LeftBracket, "["),
        '\u{ff3d}' => (Token::RightBracket, "]"),
        '\u{ff5b}' => (Token::LeftBrace, "{"),
        '\u{ff5d}' => (Token::RightBrace, "}"),
        '\u{ff0c}' | '\u{3001}' => (Token::Comma, ","),
        '\u{ff1a}' => (Token::Colon, ":"),
        '\u{ff0e}' | '\u{3002}' => (Token::Dot, "."),
        '\u{ff1b}' => (Token::Foreign(Foreign::Semicolon), ";"),
        '\u{2227}' => (Token::And, "and"),
        '\u{2228}' => (Token::Or, "or"),
        '\u{ac}' => (Token::Not, "not"),
        _ => return Stray::Unknown,
    };
    Stray::Like(token, text)
}

/// Whether a quotation that `open` begins ends with `c`.
pub(super) fn closes(open: char, c: char) -> bool {
    match open {
        '\'' | '\u{2018}' | '\u{2019}' => matches!(c, '\'' | '\u{2018}' | '\u{2019}'),
        _ => matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' | '\u{ff02}'),
    }
}

/// A character as messages show it.
pub(super) fn show(c: char) -> String {
    match c {
        '\0' => "a NUL byte".to_owned(),
        c if c.is_control() || matches!(stray(c), Stray::Space) => {
            format!("the character U+{:04X}", c as u32)
        }
        c if c.is_ascii() => format!("`{c}`"),
        c => format!("`{c}` (U+{:04X})", c as u32),
    }
}
