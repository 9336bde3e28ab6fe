//! The words in parts of a file that could not be read.
//!
//! An unknown name that stands in such a part was probably declared there: reporting it would only repeat what the
//! parser said.

use crate::hash::HashSet;

use crate::ast::{Block, EntryValue, File, Node};
use crate::intern::{Interner, Symbol};
use crate::source::{SourceMap, Span};

/// Every name and word in the unreadable parts of `file`, and the names it lost otherwise.
pub fn unread_words(file: &File, sources: &SourceMap, names: &mut Interner) -> HashSet<Symbol> {
    let mut spans = Vec::new();
    let mut open: Vec<&[Node]> = vec![&file.nodes];
    while let Some(nodes) = open.pop() {
        for node in nodes {
            match node {
                Node::Error(span) => spans.push(*span),
                Node::Item(item) => open.extend(item.block.as_ref().map(|block| &block.nodes[..])),
                Node::Entry(entry) => {
                    let inner: [Option<&Block>; 2] = [
                        entry.block.as_ref(),
                        if let EntryValue::Motion(block) = &entry.value { Some(block) } else { None },
                    ];
                    open.extend(inner.into_iter().flatten().map(|block| &block.nodes[..]));
                }
                Node::Name(_) | Node::Field(..) => {}
            }
        }
    }
    let mut words: HashSet<Symbol> = file.lost.iter().copied().collect();
    for span in spans {
        collect(span, sources, names, &mut words);
    }
    words
}

fn collect(span: Span, sources: &SourceMap, names: &mut Interner, words: &mut HashSet<Symbol>) {
    // Plain words, and whatever stands in backquotes or quotes.
    let text = sources.text(span);
    for word in
        text.split(|char: char| !char.is_alphanumeric() && char != '_').filter(|word| !word.is_empty())
    {
        words.insert(names.intern(word));
    }
    for quote in ['`', '"'] {
        for quoted in text.split(quote).skip(1).step_by(2) {
            words.insert(names.intern(quoted));
        }
    }
}
