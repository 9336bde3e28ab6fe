//! Layout: which tokens begin a line, and how far it is indented.
//!
//! A block that stood on one line stays there if it fits; else each of its nodes begins a line, except small ones
//! that shared a line before. Comments are written between the tokens where they stood: at the end of a line where
//! they ended one, on lines of their own where they had them.

use super::marks::Marks;
use super::{MAX_WIDTH, space};
use crate::ast::{self, EntryValue, Node};
use crate::lex::{CommentKind, Lexed};
use crate::source::Span;
use crate::syntax::Block as RowBlock;

const INDENT: usize = 4;

/// The text of a file in the layout of the language.
pub(super) fn print(lexed: &Lexed<'_>, tree: &ast::File) -> String {
    let mut printer = Printer {
        lexed,
        marks: Marks::of(tree),
        out: String::with_capacity(lexed.text.len() + lexed.text.len() / 8),
        column: 0,
        indent: 0,
        token: 0,
        comment: 0,
        read: 0,
    };
    printer.nodes(&tree.nodes, false);
    printer.comments(u32::MAX, Gap::Line);
    if !printer.out.is_empty() {
        printer.out.push('\n');
    }
    printer.out
}

/// What is between a token and the one before, if no comment says otherwise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    /// What the two tokens want.
    Space,
    /// A new line, one step further in than the item.
    Wrap,
    /// A new line, with the blank line that may stand before it.
    Line,
    /// A new line without one.
    TightLine,
}

/// What must follow a comment.
#[derive(Clone, Copy, PartialEq, Eq)]
enum After {
    /// A new line.
    Line,
    /// A space.
    Space,
}

struct Printer<'a> {
    lexed: &'a Lexed<'a>,
    marks: Marks,
    out: String,
    /// How many characters the last line of `out` has.
    column: usize,
    /// How many blocks are open.
    indent: usize,
    /// The next token.
    token: usize,
    /// The next comment.
    comment: usize,
    /// How far the source has been written.
    read: u32,
}

impl Printer<'_> {
    fn span(&self, index: usize) -> Span {
        self.lexed.tokens[index].1
    }

    fn source(&self, from: u32, to: u32) -> &str {
        self.lexed.text.get(from as usize..to as usize).unwrap_or("")
    }

    fn newlines(&self, from: u32, to: u32) -> usize {
        self.source(from, to).bytes().filter(|byte| *byte == b'\n').count()
    }

    /// Writes text that holds no line break.
    fn write(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += width(text);
    }

    fn line(&mut self, indent: usize, blank: bool) {
        if self.out.is_empty() {
            return;
        }
        self.out.push('\n');
        if blank {
            self.out.push('\n');
        }
        self.column = 0;
        for _ in 0..indent * INDENT {
            self.out.push(' ');
        }
        self.column = indent * INDENT;
    }

    /// Begins a line as a gap asks for, with the blank line that stood in the source after `self.read`.
    fn gap_line(&mut self, gap: Gap, to: u32) {
        let blank = gap == Gap::Line && self.newlines(self.read, to) > 1 && !self.out.ends_with('{');
        let wrapped = matches!(gap, Gap::Space | Gap::Wrap);
        self.line(self.indent + if wrapped { 2 } else { 0 }, blank);
    }

    /// Writes the comments before an offset, of which `gap` separates what stands there from the token before. Gives
    /// what must follow them: nothing where there were none.
    fn comments(&mut self, to: u32, gap: Gap) -> Option<After> {
        let mut after = None;
        while let Some(comment) =
            self.lexed.comments.get(self.comment).filter(|comment| comment.span.start < to)
        {
            let span = comment.span;
            let doc = comment.kind == CommentKind::Doc;
            let own_line = self.newlines(self.read, span.start) > 0 || self.out.is_empty();
            let fresh = own_line || doc || after == Some(After::Line);
            if fresh {
                let gap = if gap == Gap::TightLine && after.is_some() { Gap::Line } else { gap };
                self.gap_line(gap, span.start);
            } else if !self.out.ends_with(['(', '[']) {
                self.write(" ");
            }
            let text = self.source(span.start, span.end).replace('\r', "");
            self.out.push_str(&text);
            match text.rsplit_once('\n') {
                Some((_, last)) => self.column = width(last),
                None => self.column += width(&text),
            }
            self.read = span.end;
            self.comment += 1;
            let next = self.lexed.comments.get(self.comment).map_or(to, |next| next.span.start.min(to));
            let ends_line = comment.kind != CommentKind::Block
                || next < u32::MAX && self.newlines(self.read, next) > 0
                || !fresh && matches!(gap, Gap::Line | Gap::TightLine);
            after = Some(if ends_line { After::Line } else { After::Space });
        }
        after
    }

    /// Writes the next token after a gap.
    fn token(&mut self, gap: Gap) {
        let (token, span) = self.lexed.tokens[self.token];
        match (self.comments(span.start, gap), gap) {
            (Some(After::Line), Gap::TightLine) => self.gap_line(Gap::Line, span.start),
            (Some(After::Line), _) | (Some(After::Space), Gap::Wrap) => self.gap_line(gap, span.start),
            (Some(After::Space), _) => self.write(" "),
            (None, Gap::Space) => {
                let left = self.token.checked_sub(1).map(|index| self.lexed.tokens[index]);
                if left.is_some_and(|left| space::between(&self.marks, left, (token, span))) {
                    self.write(" ");
                }
            }
            (None, _) => self.gap_line(gap, span.start),
        }
        let text = &self.lexed.text[span.range()];
        self.out.push_str(text);
        self.column += width(text);
        self.read = span.end;
        self.token += 1;
    }

    /// Writes tokens up to an offset on one line.
    fn flat(&mut self, to: u32) {
        while self.token < self.lexed.tokens.len() && self.span(self.token).start < to {
            self.token(Gap::Space);
        }
    }

    /// How wide the tokens up to an offset are on one line, with the comments between them.
    fn flat_width(&self, from: usize, to: u32) -> usize {
        let mut wide = 0;
        let mut index = from;
        while let Some((token, span)) = self.lexed.tokens.get(index).filter(|(_, span)| span.start < to) {
            let left = index.checked_sub(1).map(|index| self.lexed.tokens[index]);
            let spaced = left.is_some_and(|left| space::between(&self.marks, left, (*token, *span)));
            wide += usize::from(spaced) + width(&self.lexed.text[span.range()]);
            index += 1;
            if wide > MAX_WIDTH {
                return wide;
            }
        }
        let (start, end) = (self.span(from).start, self.span(index - 1).end);
        let first = self.lexed.comments.partition_point(|comment| comment.span.start < start);
        let inside = self.lexed.comments[first..].iter().take_while(|comment| comment.span.start < end);
        wide + inside
            .map(|comment| 1 + width(self.source(comment.span.start, comment.span.end)))
            .sum::<usize>()
    }

    /// Writes the head of an item: on one line, or broken where that is too long.
    fn head(&mut self, first: Gap, to: u32, room: usize) {
        self.token(first);
        while self.token < self.lexed.tokens.len() && self.span(self.token).start < to {
            let (before, after) = (self.lexed.tokens[self.token - 1].0, self.lexed.tokens[self.token].0);
            let too_long = space::breaks(before, after) && {
                let next = self.next_break(to);
                let last = self.lexed.tokens.get(next).is_none_or(|(_, span)| span.start >= to);
                let end = self.lexed.tokens.get(next).map_or(to, |(_, span)| span.start.min(to));
                self.column + self.flat_width(self.token, end) + if last { room } else { 0 } > MAX_WIDTH
            };
            self.token(if too_long { Gap::Wrap } else { Gap::Space });
        }
    }

    /// The token before which a line can be broken next.
    fn next_break(&self, to: u32) -> usize {
        let mut index = self.token + 1;
        while let Some((token, span)) = self.lexed.tokens.get(index) {
            if span.start >= to || space::breaks(self.lexed.tokens[index - 1].0, *token) {
                break;
            }
            index += 1;
        }
        index
    }

    /// Writes the nodes of a block, or of the file. `spread`: each on a line of its own, wherever it stood.
    fn nodes(&mut self, nodes: &[Node], spread: bool) {
        let mut before: Option<&Node> = None;
        for node in nodes {
            let start = start(node);
            let shares = !spread
                && before.is_some_and(|before| small(before) && small(node))
                && self.newlines(self.read, start) == 0
                && self.column + 1 + self.flat_width(self.token, end(node)) <= MAX_WIDTH;
            let gap = match before {
                _ if shares => Gap::Space,
                None => Gap::TightLine,
                Some(_) => Gap::Line,
            };
            self.node(node, gap);
            before = Some(node);
        }
    }

    fn node(&mut self, node: &Node, gap: Gap) {
        match node {
            Node::Item(item) => self.with_block(gap, item.span.end, item.block.as_ref()),
            Node::Entry(entry) => match (&entry.value, &entry.block) {
                (EntryValue::Motion(block), options) => {
                    self.with_block(gap, entry.span.end, Some(block));
                    if let Some(options) = options {
                        self.block(options);
                    }
                }
                (_, options) => self.with_block(gap, entry.span.end, options.as_ref()),
            },
            Node::Name(_) | Node::Field(..) | Node::Error(_) => self.head(gap, end(node), 0),
        }
    }

    fn with_block(&mut self, gap: Gap, to: u32, block: Option<&ast::Block>) {
        match block {
            Some(block) => {
                self.head(gap, block.span.start, 2);
                self.block(block);
            }
            None => self.head(gap, to, 0),
        }
    }

    fn block(&mut self, block: &ast::Block) {
        let next = self.lexed.comments.get(self.comment).map_or(u32::MAX, |comment| comment.span.start);
        let empty = block.nodes.is_empty() && next >= block.span.end;
        let one_line = empty || self.newlines(block.span.start, block.span.end) == 0;
        if one_line && self.column + self.flat_width(self.token, block.span.end) <= MAX_WIDTH {
            return self.flat(block.span.end);
        }
        self.token(Gap::Space);
        self.indent += 1;
        self.nodes(&block.nodes, one_line);
        let span = self.span(self.token);
        // The comments before the closer belong to what it closes.
        let first = if block.nodes.is_empty() { Gap::TightLine } else { Gap::Line };
        self.comments(span.start, first);
        self.indent -= 1;
        self.line(self.indent, false);
        self.write("}");
        self.read = span.end;
        self.token += 1;
    }
}

fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

fn start(node: &Node) -> u32 {
    match node {
        Node::Item(item) => item.span.start,
        Node::Entry(entry) => entry.span.start,
        Node::Name(name) | Node::Field(name, _) => name.span.start,
        Node::Error(span) => span.start,
    }
}

fn end(node: &Node) -> u32 {
    match node {
        Node::Item(item) => item.span.end,
        Node::Entry(entry) => entry.span.end,
        Node::Name(name) => name.span.end,
        Node::Field(_, value) => value.span.end,
        Node::Error(span) => span.end,
    }
}

/// Whether a node may share a line with others of its kind.
fn small(node: &Node) -> bool {
    match node {
        Node::Item(item) => item.keyword.row().block == RowBlock::None,
        Node::Entry(entry) => entry.block.is_none() && matches!(entry.value, EntryValue::Value(_)),
        Node::Name(_) | Node::Field(..) => true,
        Node::Error(_) => false,
    }
}
