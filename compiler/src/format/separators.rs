//! The commas between entries and between variants: they mean nothing, and the layout has none.

use crate::ast::{self, EntryValue, Node};
use crate::lex::{Lexed, Token};

/// The tokens of a file without these commas.
pub(super) fn leave_out<'t>(lexed: Lexed<'t>, tree: &ast::File) -> Lexed<'t> {
    let mut commas = Vec::new();
    collect(&tree.nodes, &lexed, &mut commas);
    if commas.is_empty() {
        return lexed;
    }
    commas.sort_unstable();
    let mut tokens = lexed.tokens;
    tokens.retain(|(_, span)| commas.binary_search(&span.start).is_err());
    Lexed { tokens, ..lexed }
}

/// The starts of the commas that stand right behind entries and variants.
fn collect(nodes: &[Node], lexed: &Lexed<'_>, commas: &mut Vec<u32>) {
    for node in nodes {
        let end = match node {
            Node::Item(item) => {
                collect(item.nodes(), lexed, commas);
                continue;
            }
            Node::Entry(entry) => {
                if let EntryValue::Motion(block) = &entry.value {
                    collect(&block.nodes, lexed, commas);
                }
                entry.span.end
            }
            Node::Name(name) => name.span.end,
            Node::Field(..) | Node::Error(_) => continue,
        };
        let next = lexed.tokens.partition_point(|(_, span)| span.start < end);
        if let Some((Token::Comma, span)) = lexed.tokens.get(next) {
            commas.push(span.start);
        }
    }
}
