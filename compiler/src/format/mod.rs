//! The formatter: one layout for every source, made from its tokens, its tree and its comments.
//!
//! It changes blank space, and leaves out the commas between entries and variants, which mean nothing. Otherwise the
//! token sequence stays as it is, so do the spellings of numbers, names and texts; every comment keeps its place
//! between the same tokens. Formatting twice changes nothing the second time. Before a result is handed out it is read
//! again and compared with the source, so that a fault here can spoil no file. Files with errors are refused.

mod marks;
mod print;
mod separators;
mod space;

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::intern::Interner;
use crate::lex::{self, Lexed};
use crate::parse;
use crate::source::FileId;

/// The longest line that the formatter makes where it has a choice, in characters.
pub const MAX_WIDTH: usize = 100;

/// The text in the layout of the language.
///
/// # Errors
/// The syntax errors of the text, their places in `FileId(0)`; a text with errors is not formatted.
pub fn format(text: &str) -> Result<String, Diagnostics> {
    let file = FileId(0);
    let mut names = Interner::default();
    let mut diagnostics = Diagnostics::default();
    let lexed = lex::lex(file, text, &mut names, &mut diagnostics);
    let tree = parse::parse(file, &lexed, &mut names, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let lexed = separators::leave_out(lexed, &tree);
    let out = print::print(&lexed, &tree);
    let mut again = Diagnostics::default();
    let relexed = lex::lex(file, &out, &mut names, &mut again);
    if again.has_errors() || !same(&lexed, &relexed) {
        let message = "the formatted text would not be the same program; the file is left as it is";
        diagnostics.push(Diagnostic::global(Code::Internal, message));
        return Err(diagnostics);
    }
    Ok(out)
}

/// Whether two texts have the same tokens, spelled in the same way, and the same comments between them.
fn same(a: &Lexed<'_>, b: &Lexed<'_>) -> bool {
    let tokens = a.tokens.len() == b.tokens.len()
        && a.tokens.iter().zip(&b.tokens).all(|((_, x), (_, y))| a.text[x.range()] == b.text[y.range()]);
    let before =
        |lexed: &Lexed<'_>, offset: u32| lexed.tokens.partition_point(|(_, span)| span.start < offset);
    let comments = a.comments.len() == b.comments.len()
        && a.comments.iter().zip(&b.comments).all(|(x, y)| {
            before(a, x.span.start) == before(b, y.span.start)
                && a.text[x.span.range()].replace('\r', "") == b.text[y.span.range()].replace('\r', "")
        });
    tokens && comments
}
