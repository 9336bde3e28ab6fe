//! Names that are no plain words, written without backquotes: `State 💀`, `State 3rd`. They are taken as the names that
//! were meant, where a name must stand.

use super::Reader;
use super::stray::{self, Stray};
use super::text;
use super::token::Token;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::{Keyword, Part};

impl Reader<'_, '_> {
    /// Reads a name with characters that no plain name has; false where none is meant.
    pub(super) fn odd_name(&mut self, start: usize, end: usize) -> bool {
        let odd = self.text[start..end].chars().all(|c| !c.is_ascii() && !c.is_control());
        let begin = self.name_begin(start);
        let Some(begin) = begin.filter(|_| odd) else { return false };
        let ends = |c: char| {
            c.is_whitespace() || c.is_ascii_punctuation() && c != '_' || stray::stray(c) == Stray::Space
        };
        let stop = self.text[end..].find(ends).map_or(self.text.len(), |at| end + at);
        let sign = text::clip(&self.text[start..end]);
        self.quoted_name(begin, stop, format!("`{sign}` cannot stand in a plain name"));
        true
    }

    /// The same for a name that begins with a digit.
    pub(super) fn digit_name(&mut self, start: usize, end: usize) -> bool {
        let slice = &self.text[start..end];
        let word = slice.chars().all(|c| c.is_alphanumeric() || c == '_');
        if !word || self.name_begin(start) != Some(start) {
            return false;
        }
        self.quoted_name(start, end, format!("`{}` begins with a digit", text::clip(slice)));
        true
    }

    fn quoted_name(&mut self, begin: usize, end: usize, message: String) {
        let name = &self.text[begin..end];
        let span = self.span(begin, end);
        let mended = format!("`{name}`");
        self.diagnostics.push(
            Diagnostic::new(
                Code::UnknownCharacter,
                message,
                span,
                "expected a name of letters, digits and `_`, not beginning with a digit",
            )
            .help(format!(
                "another name stands in backquotes, wherever it is used: `` `{}` ``",
                text::clip(name)
            ))
            .fix(span, mended),
        );
        let symbol = text::intern_name(self.names, name);
        self.push(Token::Quoted(symbol), begin, end);
        self.resume(end);
    }

    /// Where the name begins of which a piece stands at `start`: there, after the keyword of something named or a dot,
    /// or before, at a word that it clings to, which is taken back. `None` where no name is expected.
    fn name_begin(&mut self, start: usize) -> Option<usize> {
        let (last, span) = *self.tokens.last()?;
        let at = |back: usize| self.tokens.len().checked_sub(back).and_then(|at| self.tokens.get(at));
        let clings = span.end as usize == start;
        match last {
            Token::Name(_) if clings => {
                let before = at(2).map(|(token, _)| *token);
                let named = before.is_some_and(|before| self.names_something(before));
                named.then(|| {
                    self.tokens.pop();
                    span.start as usize
                })
            }
            Token::Dot if clings => Some(start),
            token if !clings && self.names_something(token) => {
                let gap = &self.text[span.end as usize..start];
                (!gap.contains('\n')).then_some(start)
            }
            _ => None,
        }
    }

    /// Whether a name must follow a token.
    fn names_something(&self, token: Token) -> bool {
        let Token::Name(symbol) = token else { return false };
        let word = self.names.text(symbol);
        Keyword::ALL.iter().map(|keyword| keyword.row()).any(|row| {
            row.name == word && matches!(row.head.first(), Some(Part::Name | Part::Names | Part::Path))
        })
    }
}
