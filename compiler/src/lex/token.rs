//! The tokens of the language, and the operators of other languages that are recognized to be explained.
//!
//! A token carries its value: names in NFC, numbers as f32, durations in seconds. It does not carry its spelling,
//! which is the text of its span.

use crate::intern::Symbol;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token {
    /// A word that is not reserved.
    Name(Symbol),
    /// A name in backquotes.
    Quoted(Symbol),
    /// A string literal, its escapes resolved.
    Text(Symbol),
    /// `1.5`
    Number(f32),
    /// `200ms` or `0.2s`, in seconds.
    Duration(f32),
    /// `80%` as 0.8.
    Ratio(f32),
    /// `#ff8800`, RGBA with red in the highest byte.
    Color(u32),
    /// `and`
    And,
    /// `or`
    Or,
    /// `not`
    Not,
    /// `true`
    True,
    /// `false`
    False,
    /// `if`
    If,
    /// `then`
    Then,
    /// `else`
    Else,
    /// `when`
    When,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `.`
    Dot,
    /// `=`
    Assign,
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
    /// `~=`
    Near,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Star,
    /// `/`
    Slash,
    /// `->`
    Arrow,
    /// An operator of another language.
    Foreign(Foreign),
    /// Something whose diagnostic was reported; what follows from it stays silent.
    Error,
}

impl Token {
    /// The token of a reserved word.
    #[must_use]
    pub fn reserved(word: &str) -> Option<Self> {
        Some(match word {
            "and" => Token::And,
            "or" => Token::Or,
            "not" => Token::Not,
            "true" => Token::True,
            "false" => Token::False,
            "if" => Token::If,
            "then" => Token::Then,
            "else" => Token::Else,
            "when" => Token::When,
            _ => return None,
        })
    }

    /// Whether it is a reserved word.
    #[must_use]
    pub const fn is_reserved(self) -> bool {
        matches!(
            self,
            Token::And
                | Token::Or
                | Token::Not
                | Token::True
                | Token::False
                | Token::If
                | Token::Then
                | Token::Else
                | Token::When
        )
    }

    /// The closer that belongs to it, where it opens something.
    #[must_use]
    pub const fn closer(self) -> Option<Token> {
        match self {
            Token::LeftBrace => Some(Token::RightBrace),
            Token::LeftParen => Some(Token::RightParen),
            Token::LeftBracket => Some(Token::RightBracket),
            _ => None,
        }
    }

    /// Whether it closes something.
    #[must_use]
    pub const fn is_closer(self) -> bool {
        matches!(self, Token::RightBrace | Token::RightParen | Token::RightBracket)
    }

    /// Whether it is a value by itself.
    #[must_use]
    pub const fn is_literal(self) -> bool {
        matches!(
            self,
            Token::Text(_)
                | Token::Number(_)
                | Token::Duration(_)
                | Token::Ratio(_)
                | Token::Color(_)
                | Token::True
                | Token::False
        )
    }

    /// Whether a value ends with it, so that no other value can follow at once.
    #[must_use]
    pub const fn ends_value(self) -> bool {
        self.is_literal()
            || matches!(self, Token::Name(_) | Token::Quoted(_) | Token::RightParen | Token::RightBracket)
    }
}

macro_rules! foreign {
    ($( $name:ident $text:literal $advice:literal; )+) => {
        /// An operator of another language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Foreign { $( #[doc = concat!("`", $text, "`")] $name, )+ }

        impl Foreign {
            /// All of them.
            pub const ALL: &'static [Foreign] = &[ $( Foreign::$name, )+ ];

            /// How it is written.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $( Self::$name => $text, )+ }
            }

            /// What to write instead.
            #[must_use]
            pub const fn advice(self) -> &'static str {
                match self { $( Self::$name => $advice, )+ }
            }
        }
    };
}

foreign! {
    AndAnd "&&" "write `and`";
    Ampersand "&" "write `and`";
    OrOr "||" "write `or`";
    Pipe "|" "write `or`";
    Bang "!" "write `not`";
    TripleEqual "===" "write `==`";
    NotTripleEqual "!==" "write `!=`";
    PlusPlus "++" "write `Set x = x + 1`";
    PlusAssign "+=" "write `Set x = x + 1`";
    MinusAssign "-=" "write `Set x = x - 1`";
    StarAssign "*=" "write `Set x = x * 2`";
    SlashAssign "/=" "write `Set x = x / 2`";
    FatArrow "=>" "a transition is written `Transition Target when condition`";
    ColonAssign ":=" "write `=`";
    Semicolon ";" "leave it out: nothing ends an item but the next one";
    Question "?" "write `if condition then a else b`";
    Percent "%" "write `mod(a, b)`; a ratio is a number with `%`, such as `80%`";
    Caret "^" "write `pow(a, b)`";
    StarStar "**" "write `pow(a, b)`";
    ColonColon "::" "write `.`";
    DotDot ".." "texts cannot be joined";
}
