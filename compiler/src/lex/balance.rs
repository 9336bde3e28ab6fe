//! Balancing: after this pass every opener has its closer, so that a parser can trust nesting.
//!
//! A missing closer is inserted with an empty place, a stray one dropped, nesting beyond [`MAX_NESTING`] replaced by
//! one [`Token::Error`]. Where something is missing, indentation tells where: the file is balanced once by its
//! brackets alone and, only when that finds a fault, once more by its indentation; whichever finds fewer faults is
//! reported. A file without indentation is balanced by its keywords instead: one that cannot stand in a block, but in
//! one around it, ends the block. All are linear in the number of tokens. Braces never stand in parentheses, which the
//! pass knows.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::Span;

use super::token::Token;
use crate::syntax::{Block, Keyword, Modifier, Place};

/// How deep braces, parentheses and brackets may nest.
pub const MAX_NESTING: usize = 64;

/// How many faults are worth remembering; a file with more is not a source that somebody wrote.
const MAX_FAULTS: usize = 500;

type Tokens = [(Token, Span)];

/// A change of the token list.
#[derive(Clone, Copy, Debug)]
enum Edit {
    /// Insert this before the token of this index.
    Insert(usize, Token),
    /// Leave this token out.
    Drop(usize),
    /// Put one error in place of these tokens, the end excluded.
    Replace(usize, usize),
}

impl Edit {
    fn at(self) -> usize {
        match self {
            Edit::Insert(at, _) | Edit::Drop(at) | Edit::Replace(at, _) => at,
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The opener of the first index is not closed before the second one.
    Unclosed(usize, usize),
    /// The closer of this index closes nothing.
    Stray(usize),
    /// The closer of this index closes a block that goes on after it.
    Early(usize),
    /// An opening brace is missing before the first index; the second is its closer.
    Unopened(usize, usize),
    /// This opener is nested too deep.
    Deep(usize),
}

#[derive(Default)]
struct Plan {
    edits: Vec<Edit>,
    faults: Vec<Fault>,
    count: usize,
}

impl Plan {
    fn fault(&mut self, fault: Fault) {
        self.count += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(fault);
        }
    }
}

/// An opener that waits for its closer.
#[derive(Clone, Copy)]
struct Open {
    index: usize,
    closer: Token,
    /// The indentation of the line that it stands on.
    indent: usize,
    /// What the block holds, where its keyword says so.
    place: Option<Place>,
}

/// What tells where something is missing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guide {
    Brackets,
    Indent,
    Keywords,
}

/// A line whose block may have lost its opening brace.
#[derive(Clone, Copy)]
struct Line {
    indent: usize,
    /// The token after its last one.
    next: usize,
    /// Whether it begins with a word and opens nothing.
    bare: bool,
}

/// The tokens with every opener closed.
pub(super) fn balance(
    text: &str,
    tokens: Vec<(Token, Span)>,
    diagnostics: &mut Diagnostics,
) -> Vec<(Token, Span)> {
    let mut plan = Walk::new(text, &tokens, Guide::Brackets).run();
    if plan.count > 0 {
        for guide in [Guide::Indent, Guide::Keywords] {
            let guided = Walk::new(text, &tokens, guide).run();
            if guided.count <= plan.count {
                plan = guided;
                break;
            }
        }
    }
    if plan.edits.is_empty() {
        return tokens;
    }
    report(text, &tokens, &plan, diagnostics);
    apply(&tokens, plan.edits)
}

struct Walk<'a> {
    text: &'a str,
    tokens: &'a Tokens,
    guide: Guide,
    plan: Plan,
    open: Vec<Open>,
    lines: Vec<Line>,
    line_indent: usize,
    line_start: usize,
    /// What was closed last, and by which token.
    last_closed: Option<(usize, Open)>,
    /// The keyword whose block may be next.
    head: Option<Keyword>,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, tokens: &'a Tokens, guide: Guide) -> Self {
        Self {
            text,
            tokens,
            guide,
            plan: Plan::default(),
            open: Vec::new(),
            lines: Vec::new(),
            line_indent: 0,
            line_start: 0,
            last_closed: None,
            head: None,
        }
    }

    fn run(mut self) -> Plan {
        let mut index = 0;
        let mut end = 0;
        let mut cut = false;
        while let Some((token, span)) = self.tokens.get(index).copied() {
            if self.guide != Guide::Brackets {
                let first = index == 0 || self.text[end..span.start as usize].contains('\n');
                match self.guide {
                    Guide::Indent if first => self.new_line(index, token, span),
                    Guide::Keywords => self.word(index, first),
                    _ => {}
                }
                end = span.end as usize;
            }
            if let Some(closer) = token.closer() {
                if closer == Token::RightBrace {
                    self.close_parens(index);
                }
                if self.open.len() >= MAX_NESTING {
                    let after = self.skip_nested(index);
                    self.plan.fault(Fault::Deep(index));
                    self.plan.edits.push(Edit::Replace(index, after));
                    cut = after == self.tokens.len();
                    if after > index {
                        end = self.tokens[after - 1].1.end as usize;
                    }
                    index = after;
                    continue;
                }
                let place = self.head.take().and_then(|head| match head.row().block {
                    Block::Optional(place) | Block::Required(place) => Some(place),
                    Block::None => None,
                });
                self.open.push(Open { index, closer, indent: self.line_indent, place });
            } else if token.is_closer() {
                self.close(index, token);
            }
            index += 1;
        }
        // What stands too deep and never ends has been reported as such.
        while let Some(open) = self.open.pop() {
            self.plan.edits.push(Edit::Insert(index, open.closer));
            if !cut {
                self.plan.fault(Fault::Unclosed(open.index, index));
            }
        }
        self.plan
    }

    /// The index after the closer of the opener at `index`, whatever stands between; the end where there is none.
    fn skip_nested(&self, index: usize) -> usize {
        let mut depth = 0usize;
        for (at, (token, _)) in self.tokens.iter().enumerate().skip(index) {
            if token.closer().is_some() {
                depth += 1;
            } else if token.is_closer() {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
        }
        self.tokens.len()
    }

    fn close_top(&mut self, before: usize) {
        if let Some(open) = self.open.pop() {
            self.plan.edits.push(Edit::Insert(before, open.closer));
            self.plan.fault(Fault::Unclosed(open.index, before));
        }
    }

    fn close_parens(&mut self, before: usize) {
        while self.open.last().is_some_and(|open| open.closer != Token::RightBrace) {
            self.close_top(before);
        }
    }

    fn close(&mut self, index: usize, closer: Token) {
        if closer == Token::RightBrace {
            self.close_parens(index);
        } else if self
            .open
            .last()
            .is_some_and(|open| open.closer != closer && open.closer != Token::RightBrace)
        {
            // `(a]` where something else waits for the bracket.
            let waits = |open: &&Open| open.closer == Token::RightBrace || open.closer == closer;
            if self.open.iter().rev().find(waits).is_some_and(|open| open.closer == closer) {
                while self.open.last().is_some_and(|open| open.closer != closer) {
                    self.close_top(index);
                }
            }
        }
        if let Some(open) = self.open.pop_if(|open| open.closer == closer) {
            self.last_closed = Some((index, open));
        } else {
            self.plan.edits.push(Edit::Drop(index));
            self.plan.fault(Fault::Stray(index));
        }
    }

    /// What a word says about the blocks around it: at the beginning of a line it may be a keyword that ends some.
    fn word(&mut self, index: usize, first: bool) {
        let Some(word) = self.text_of(index) else { return };
        let modifies = Modifier::ALL.iter().any(|modifier| modifier.name() == word);
        let Some(word) = (if modifies { self.text_of(index + 1) } else { Some(word) }) else { return };
        let place_of = |open: Option<&Open>| open.map_or(Some(Place::File), |open| open.place);
        let stands = |place: Option<Place>| place.and_then(|place| Keyword::find(word, place));
        let mut keep = self.open.len();
        // Names and keys are words of the writer.
        let free = [Place::Variants, Place::Metadata, Place::Blend, Place::Track];
        let place = place_of(self.open.last());
        if first && place.is_some_and(|place| !free.contains(&place)) && stands(place).is_none() {
            let around = (0..self.open.len()).rev().find(|depth| {
                let open = depth.checked_sub(1).and_then(|depth| self.open.get(depth));
                stands(place_of(open)).is_some()
            });
            keep = around.unwrap_or(keep);
        }
        while self.open.len() > keep {
            self.close_top(index);
        }
        if let Some(keyword) = stands(place_of(self.open.last())) {
            self.head = Some(keyword);
        }
    }

    fn text_of(&self, index: usize) -> Option<&'a str> {
        match self.tokens.get(index)? {
            (Token::Name(_), span) => self.text.get(span.range()),
            _ => None,
        }
    }

    /// What the indentation of a line says about the blocks around it.
    fn new_line(&mut self, index: usize, token: Token, span: Span) {
        let previous = self.line_indent;
        self.line_indent = self.indent(span.start as usize);
        if index > 0 {
            self.remember_line(index, previous);
        }
        let closes = token == Token::RightBrace;
        // What goes on further in than its block was closed too early.
        if let Some((closer, open)) = self.last_closed.take()
            && open.closer == Token::RightBrace
            && self.line_indent > open.indent
            && !closes
        {
            self.plan.edits.push(Edit::Drop(closer));
            self.plan.fault(Fault::Early(closer));
            self.open.push(open);
        }
        // In parentheses no word follows a value.
        if matches!(token, Token::Name(_)) && index > 0 && self.tokens[index - 1].0.ends_value() {
            self.close_parens(index);
        }
        if matches!(token, Token::LeftBrace) || token.is_closer() && !closes {
            return;
        }
        while let Some(open) = self.open.last() {
            let ended = if closes { self.line_indent < open.indent } else { self.line_indent <= open.indent };
            let in_braces = open.closer == Token::RightBrace;
            if !(in_braces && ended && self.tokens[open.index].1.start < span.start) {
                break;
            }
            // A line that stands further left than all blocks says nothing, except at the very left.
            self.close_top(index);
        }
        if closes && self.open.last().is_none_or(|open| self.line_indent > open.indent) {
            self.insert_opener(index);
        }
    }

    /// Remembers the line that ends before `index`.
    fn remember_line(&mut self, index: usize, indent: usize) {
        while self.lines.last().is_some_and(|line| line.indent >= indent) {
            self.lines.pop();
        }
        let line = &self.tokens[self.line_start..index];
        let bare = matches!(line.first(), Some((Token::Name(_), _)))
            && line.iter().all(|(token, _)| *token != Token::LeftBrace);
        self.lines.push(Line { indent, next: index, bare });
        self.line_start = index;
    }

    /// Looks for the line that lost the opener of the closer at `index`.
    fn insert_opener(&mut self, index: usize) {
        while self.lines.last().is_some_and(|line| line.indent > self.line_indent) {
            self.lines.pop();
        }
        let Some(line) = self.lines.last().copied() else { return };
        if line.indent == self.line_indent && line.bare && line.next < index {
            self.plan.edits.push(Edit::Insert(line.next, Token::LeftBrace));
            self.plan.fault(Fault::Unopened(line.next, index));
            let (index, indent) = (line.next, self.line_indent);
            self.open.push(Open { index, closer: Token::RightBrace, indent, place: None });
        }
    }

    /// The width of the blank space before `start` on its line; a tab counts as four.
    fn indent(&self, start: usize) -> usize {
        let head = &self.text[..start];
        let blank = head.bytes().rev().take_while(|byte| matches!(byte, b' ' | b'\t'));
        blank.map(|byte| if byte == b'\t' { 4 } else { 1 }).sum()
    }
}

fn apply(tokens: &Tokens, mut edits: Vec<Edit>) -> Vec<(Token, Span)> {
    edits.sort_by_key(|edit| edit.at());
    let mut out = Vec::with_capacity(tokens.len() + edits.len());
    let mut next = 0;
    for edit in edits {
        let at = edit.at();
        if at < next {
            continue;
        }
        out.extend_from_slice(&tokens[next..at]);
        next = at;
        match edit {
            Edit::Insert(_, token) => {
                let place = match at {
                    0 => tokens.first().map(|(_, span)| Span::new(span.file, span.start, span.start)),
                    _ => tokens.get(at - 1).map(|(_, span)| span.after()),
                };
                out.extend(place.map(|place| (token, place)));
            }
            Edit::Drop(_) => next = at + 1,
            Edit::Replace(_, end) => {
                out.push((Token::Error, tokens[at].1.to(tokens[end - 1].1)));
                next = end;
            }
        }
    }
    out.extend_from_slice(&tokens[next..]);
    out
}

fn report(text: &str, tokens: &Tokens, plan: &Plan, diagnostics: &mut Diagnostics) {
    let spelled = |span: Span| &text[span.range()];
    let mut deep = false;
    let mut strays_end = None;
    for fault in &plan.faults {
        match *fault {
            Fault::Unclosed(opener, before) => {
                let (token, span) = tokens[opener];
                let closer = match token {
                    Token::LeftBrace => "}",
                    Token::LeftParen => ")",
                    _ => "]",
                };
                let message = format!("unclosed `{}`", spelled(span));
                let place = tokens[before - 1].1.after();
                let mut diagnostic = Diagnostic::new(Code::UnclosedDelimiter, message, span, "opened here")
                    .fix(place, if closer == "}" { " }" } else { closer });
                diagnostic = match tokens.get(before) {
                    Some((_, next)) => diagnostic.label(*next, format!("expected `{closer}` before this")),
                    None => {
                        diagnostic.label(place, format!("expected `{closer}` before the end of the file"))
                    }
                };
                diagnostics.push(diagnostic.help(format!("add the missing `{closer}`")));
            }
            Fault::Stray(index) => {
                // A run of them is one mistake.
                let run_on = strays_end == Some(index);
                strays_end = Some(index + 1);
                if run_on {
                    continue;
                }
                let span = tokens[index].1;
                let closer = spelled(span);
                diagnostics.push(
                    Diagnostic::new(
                        Code::StrayDelimiter,
                        format!("`{closer}` closes nothing"),
                        span,
                        "nothing is open here that it could close",
                    )
                    .help("remove it, or add what it should close before it")
                    .fix(span, ""),
                );
            }
            Fault::Early(index) => {
                let span = tokens[index].1;
                diagnostics.push(
                    Diagnostic::new(
                        Code::StrayDelimiter,
                        "`}` closes its block too early",
                        span,
                        "the lines that follow are indented as part of the block",
                    )
                    .help("remove it: the block is closed again further down")
                    .fix(span, ""),
                );
            }
            Fault::Unopened(next, closer) => {
                let place = tokens[next - 1].1;
                diagnostics.push(
                    Diagnostic::new(
                        Code::StrayDelimiter,
                        "a block without its `{`",
                        place.after(),
                        "expected `{` here",
                    )
                    .label(tokens[closer].1, "by its indentation, this closes the block")
                    .help("add the missing `{`")
                    .fix(place.after(), " {"),
                );
            }
            Fault::Deep(index) => {
                if !std::mem::replace(&mut deep, true) {
                    diagnostics.push(
                        Diagnostic::new(
                            Code::NestedTooDeep,
                            format!("braces, parentheses and brackets nest more than {MAX_NESTING} deep"),
                            tokens[index].1,
                            "too deep from here on",
                        )
                        .help("give parts of it a name with `Let` or `Predicate`, or move them to states of their own"),
                    );
                }
            }
        }
    }
}
