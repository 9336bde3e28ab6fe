//! Whether a space stands between two tokens that share a line.

use super::marks::Marks;
use crate::lex::Token;
use crate::source::Span;

/// Whether a space stands between two neighboring tokens of a line.
pub(super) fn between(marks: &Marks, left: (Token, Span), right: (Token, Span)) -> bool {
    let (before, after) = (left.0, right.0);
    match (before, after) {
        (Token::LeftBrace, Token::RightBrace) => false,
        (Token::LeftParen | Token::LeftBracket | Token::Dot, _) => false,
        (_, Token::RightParen | Token::RightBracket | Token::Dot | Token::Comma | Token::Colon) => false,
        (_, Token::LeftParen) => !marks.calls.contains(&left.1.end),
        // Two signs in a row would look like the comment of another language.
        (Token::Minus, _) if marks.signs.contains(&left.1.start) => after == Token::Minus,
        (Token::Less, Token::Minus | Token::Arrow) => !marks.arrows.contains(&left.1.start),
        _ => true,
    }
}

/// Whether a line that is too long may be broken between two tokens.
pub(super) const fn breaks(before: Token, after: Token) -> bool {
    matches!(before, Token::Comma) || matches!(after, Token::And | Token::Or | Token::Then | Token::Else)
}
