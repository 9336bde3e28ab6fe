//! Parsing: from balanced tokens to the syntax tree.
//!
//! The table in [`syntax`](crate::syntax) drives it: a word is looked up among the rows of the block it stands in, the
//! row says what follows. `item.rs` walks the rows, `parts.rs` reads the pieces of a head, `expr.rs` is a chumsky
//! Pratt grammar. The tree is total: what cannot be read is reported once, with an example of the right form, and
//! reading goes on at the next item. Nothing here backtracks over a report, so none is made twice.

mod block;
mod context;
mod entry;
mod expr;
mod foreign;
mod item;
mod keyword;
mod parts;

use chumsky::error::EmptyErr;
use chumsky::input::{Input as _, InputRef, MappedInput};
use chumsky::inspector::SimpleState;
use chumsky::prelude::{Boxed, Parser, custom, extra};

pub use expr::MAX_EXPRESSION_DEPTH;

use crate::ast;
use crate::diagnostic::Diagnostics;
use crate::intern::Interner;
use crate::lex::{Lexed, Token};
use crate::source::{FileId, Span};
use crate::syntax::Place;
use context::Context;

type Input<'t> = MappedInput<'t, Token, Span, &'t [(Token, Span)]>;
type State<'t> = SimpleState<Context<'t>>;
type Extra<'t> = extra::Full<EmptyErr, State<'t>, ()>;
type P<'t, O> = Boxed<'t, 't, Input<'t>, O, Extra<'t>>;
type In<'t, 'p> = InputRef<'t, 'p, Input<'t>, Extra<'t>>;

/// The rules of the grammar that are chumsky parsers.
struct Grammar<'t> {
    /// An expression; never fails.
    value: P<'t, ast::Expr>,
}

/// The tree of a file.
pub fn parse(
    file: FileId,
    lexed: &Lexed<'_>,
    names: &mut Interner,
    diagnostics: &mut Diagnostics,
) -> ast::File {
    let end = lexed.text.len() as u32;
    let whole = Span::new(file, 0, end);
    let mut state = SimpleState(Context::new(file, lexed, names, diagnostics));
    let grammar = Grammar { value: expr::value() };
    let root = custom(move |input: &mut In<'_, '_>| Ok(block::nodes(input, &grammar, Place::File)));
    let tokens = lexed.tokens.split_token_span(Span::new(file, end, end));
    let nodes = root.parse_with_state(tokens, &mut state).into_output().unwrap_or_default();
    ast::File { nodes, span: whole, lost: std::mem::take(&mut state.lost) }
}
