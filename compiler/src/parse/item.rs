//! An item: its keyword, the pieces of its head as the table has them, its block.
//!
//! An item whose head is broken keeps what was read of it and its block, so that what stands inside is checked too.

use super::context::Tokens;
use super::parts::{self, Reported};
use super::{Grammar, In, foreign};
use super::{block, keyword};
use crate::ast;
use crate::lex::Token;
use crate::source::Span;
use crate::syntax::{self, Keyword, Modifier, Part, Row};

/// Reads an item whose keyword is the next token.
pub(super) fn item<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    keyword: Keyword,
    modifiers: ast::Modifiers,
) -> ast::Item {
    let keyword_span = input.bump();
    after_keyword(input, grammar, keyword, keyword_span, modifiers)
}

/// Reads the rest of an item whose keyword was read, or was left out in a way that is understood.
pub(super) fn after_keyword<'t>(
    input: &mut In<'t, '_>,
    grammar: &Grammar<'t>,
    keyword: Keyword,
    keyword_span: Span,
    modifiers: ast::Modifiers,
) -> ast::Item {
    let row = keyword.row();
    let start = modifiers.first().map_or(keyword_span, |(_, span)| *span);
    let doc = input.cx().doc(start.start);
    let outer = input.cx().row.replace(row);
    foreign::doubled_keyword(input, row);
    foreign::words_before_target(input, row);
    let outer_heads = input.cx().heads.len();
    input.cx().overrides = modifiers.iter().any(|(modifier, _)| *modifier == Modifier::Override);
    let complete = read_head(input, grammar, row).is_ok();
    let head = input.cx().heads.drain(outer_heads..).collect();
    // `Transitions { ... }`: what stands there is written in another manner altogether.
    let foreign = matches!(row.keyword, Keyword::Transition | Keyword::OnDone)
        && input.look(0) == Some(Token::LeftBrace);
    if !complete && foreign {
        input.skip_balanced();
    } else if !complete {
        recover(input, row);
    }
    if !matches!(row.block, syntax::Block::None) {
        // What stands in the block is read as always.
        input.cx().quiet = false;
    }
    let block = block::after_head(input, grammar, row, start, complete);
    input.cx().quiet = false;
    input.cx().row = outer;
    let end = block.as_ref().map_or_else(|| input.previous(), |block: &ast::Block| block.span);
    let span = start.to(if end.end > start.start { end } else { keyword_span });
    let item = ast::Item { keyword, keyword_span, modifiers, head, block, span, doc };
    // What stands in something without a name cannot be found by its path, and is not missed.
    if !complete && item.names().is_empty() {
        keyword::lose(&item, &mut input.cx().lost);
    }
    item
}

/// Reads what follows a word that stands for `Else If`.
pub(super) fn else_if<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, word: Span) -> ast::Item {
    let row = Keyword::Else.row();
    let outer = input.cx().row.replace(row);
    let condition = parts::value(input, grammar);
    let block = block::after_head(input, grammar, row, word, true);
    input.cx().row = outer;
    let span = word.to(input.previous());
    let head = ast::Head::One(ast::Part::If(condition));
    ast::Item {
        keyword: Keyword::Else,
        keyword_span: word,
        modifiers: ast::Modifiers::default(),
        head,
        block,
        span,
        doc: None,
    }
}

fn read_head<'t>(input: &mut In<'t, '_>, grammar: &Grammar<'t>, row: &'static Row) -> Result<(), Reported> {
    for part in row.head {
        let read = parts::part(input, grammar, row, *part)?;
        input.cx().heads.extend(read);
    }
    Ok(())
}

/// Goes to where reading can go on: the item's block, the next item, or the end of the block around.
fn recover(input: &mut In<'_, '_>, row: &Row) {
    loop {
        let index = input.index();
        match input.look(0) {
            None => return,
            Some(Token::LeftBrace) if !matches!(row.block, syntax::Block::None) => return,
            Some(Token::Name(word)) => {
                let cx = input.cx();
                let first = cx.first_on_line(index);
                if cx.keyword(word, cx.place).is_some() || first && cx.any_keyword(word).is_some() {
                    return;
                }
            }
            Some(token) if token.is_closer() => return,
            _ => {}
        }
        // `Layer 0 Body`: what is gone over may be the name.
        if let Some(Token::Name(word)) = input.look(0) {
            input.cx().lost.push(word);
        }
        input.skip_balanced();
    }
}

/// Whether a head of this row has this piece.
pub(super) fn takes(row: &Row, part: Part) -> bool {
    row.head.contains(&part)
}
