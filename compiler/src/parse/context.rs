//! What all parsing functions share: the tokens, the sink, the words of the table, and the one way to report.
//!
//! At a token that is an error already, and at a token where something was reported, a further fault stays silent:
//! that is what keeps one mistake one message.

use crate::hash::HashMap;

use super::In;
use crate::ast::{self, Expr, ExprKind, Node};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::intern::{Interner, Symbol};
use crate::lex::{Lexed, Token, clip};
use crate::nearest::Nearest;
use crate::source::{FileId, Span};
use crate::syntax::{Keyword, Modifier, Part, Place, Row};

/// The state of a parse.
pub(super) struct Context<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: &'t [(Token, Span)],
    docs: &'t [(u32, Symbol)],
    end: Span,
    pub(super) names: &'t mut Interner,
    diagnostics: &'t mut Diagnostics,
    keywords: HashMap<Symbol, Vec<Keyword>>,
    pub(super) words: Words,
    /// The block that is being read.
    pub(super) place: Place,
    /// Whether it is, or stands in, a `Test`.
    pub(super) in_test: bool,
    /// How deep expressions nest here.
    pub(super) expression_depth: usize,
    /// Finds keywords that were meant.
    pub(super) nearest: Nearest,
    /// The index of the token where the last fault was reported.
    reported: Option<usize>,
    /// The item whose head is being read.
    pub(super) row: Option<&'static Row>,
    /// Whether `Override` stands before that item, which then may leave out what it does not change.
    pub(super) overrides: bool,
    /// Whether faults stay silent: in the head of an item that was reported as a whole.
    pub(super) quiet: bool,
    /// What follows an `If` or `Else` that had no braces; how deep such stand in each other.
    pub(super) loose_end: Option<Span>,
    pub(super) loose_depth: u32,
    /// Whether a `;`, a sign before a value, a comma between items was reported; a file that has one has many.
    pub(super) semicolon: bool,
    pub(super) sign: bool,
    pub(super) comma: bool,
    /// Whether Lua was reported.
    pub(super) lua: bool,
    /// Names whose declarations could not be kept.
    pub(super) lost: Vec<Symbol>,
    /// Lists of nodes to use again, all empty.
    pub(super) spare: Vec<Vec<Node>>,
    /// The pieces of the heads that are being read, the innermost last.
    pub(super) heads: Vec<ast::Part>,
}

macro_rules! words {
    ($( $field:ident $text:literal )+) => {
        /// The words that mean something in their place only.
        pub(super) struct Words { $( pub(super) $field: Symbol, )+ }

        impl Words {
            fn new(names: &mut Interner) -> Self {
                Self { $( $field: names.intern($text), )+ }
            }
        }
    };
}

words! {
    from "from" to "to" on "on" at "at" as_ "as" for_ "for" extends "extends" has "has" lacks "lacks"
    immediate "immediate" request "request" events "events" enum_ "enum" if_ "If" duration "Duration"
}

impl<'t> Context<'t> {
    pub(super) fn new(
        file: FileId,
        lexed: &'t Lexed<'_>,
        names: &'t mut Interner,
        diagnostics: &'t mut Diagnostics,
    ) -> Self {
        let mut keywords: HashMap<Symbol, Vec<Keyword>> = HashMap::default();
        for keyword in Keyword::ALL {
            keywords.entry(names.intern(keyword.name())).or_default().push(*keyword);
        }
        let end = lexed.text.len() as u32;
        Self {
            text: lexed.text,
            tokens: &lexed.tokens,
            docs: &lexed.docs,
            end: Span::new(file, end, end),
            words: Words::new(names),
            names,
            diagnostics,
            keywords,
            place: Place::File,
            in_test: false,
            expression_depth: 0,
            nearest: Nearest::default(),
            reported: None,
            row: None,
            overrides: false,
            quiet: false,
            loose_end: None,
            loose_depth: 0,
            semicolon: false,
            sign: false,
            comma: false,
            lua: false,
            lost: lexed.lost.clone(),
            spare: Vec::new(),
            heads: Vec::new(),
        }
    }

    /// The keyword that a word is in a block.
    pub(super) fn keyword(&self, word: Symbol, place: Place) -> Option<Keyword> {
        self.keywords.get(&word)?.iter().copied().find(|keyword| keyword.stands_in(place))
    }

    /// The keyword that a word is in any block.
    pub(super) fn any_keyword(&self, word: Symbol) -> Option<Keyword> {
        self.keywords.get(&word)?.first().copied()
    }

    pub(super) fn modifier(&self, word: Symbol) -> Option<Modifier> {
        let text = self.names.text(word);
        Modifier::ALL.iter().copied().find(|modifier| modifier.name() == text)
    }

    /// The doc comment before the token at an offset.
    pub(super) fn doc(&self, offset: u32) -> Option<Symbol> {
        let at = self.docs.binary_search_by_key(&offset, |(offset, _)| *offset).ok()?;
        Some(self.docs[at].1)
    }

    pub(super) fn token(&self, index: usize) -> Option<Token> {
        self.tokens.get(index).map(|(token, _)| *token)
    }

    pub(super) fn span(&self, index: usize) -> Span {
        self.tokens.get(index).map_or(self.end, |(_, span)| *span)
    }

    pub(super) fn slice(&self, span: Span) -> &'t str {
        self.text.get(span.range()).unwrap_or("")
    }

    /// Whether a line begins between the token of this index and the one before.
    pub(super) fn first_on_line(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1) else { return true };
        let gap = self.span(before).end as usize..self.span(index).start as usize;
        self.text.as_bytes().get(gap).is_some_and(|gap| gap.contains(&b'\n'))
    }

    /// Whether nothing but blank space stands before an offset on its line.
    pub(super) fn begins_line(&self, offset: u32) -> bool {
        let head = self.text[..offset as usize].trim_end_matches([' ', '\t']);
        head.is_empty() || head.ends_with('\n')
    }

    /// The blank space with which the line of a place begins; for messages and recovery only.
    pub(super) fn indent(&self, offset: u32) -> usize {
        let head = &self.text.as_bytes()[..offset as usize];
        let near = &head[head.len().saturating_sub(4096)..];
        let line = near.iter().rposition(|byte| *byte == b'\n').map_or(near, |at| &near[at + 1..]);
        line.iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .map(|b| if *b == b'\t' { 4 } else { 1 })
            .sum()
    }

    /// The token of this index, for a message.
    pub(super) fn found(&self, index: usize) -> String {
        match self.tokens.get(index) {
            None => "the end of the file".to_owned(),
            Some((_, span)) if span.start == span.end => "the end of the block".to_owned(),
            Some((_, span)) => format!("`{}`", clip(self.slice(*span))),
        }
    }

    /// Reports, unless the token of this index was reported on already.
    pub(super) fn report(&mut self, index: usize, diagnostic: Diagnostic) {
        let silent = self.silent(index);
        self.reported = Some(index);
        if !silent {
            self.push(diagnostic);
        }
    }

    /// Reports in any case, without making other faults silent.
    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        if !self.quiet {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether a report at the token of this index would be silent.
    pub(super) fn silent(&self, index: usize) -> bool {
        self.quiet || self.token(index) == Some(Token::Error) || self.reported == Some(index)
    }

    /// The item right before a token that could have taken a literal from it.
    pub(super) fn previous_literal(&self, index: usize) -> Option<&'static Row> {
        let Some(Token::Name(word)) = self.token(index.checked_sub(1)?) else { return None };
        let row = self.keyword(word, self.place)?.row();
        matches!(row.head, [Part::OptLiteral]).then_some(row)
    }

    /// Whether no more reports are kept.
    pub(super) fn is_full(&self) -> bool {
        self.diagnostics.is_full()
    }

    /// Makes further faults at the token of this index silent.
    pub(super) fn mute(&mut self, index: usize) {
        self.reported = Some(index);
    }
}

/// Reading tokens.
pub(super) trait Tokens<'t> {
    /// The index of the next token.
    fn index(&self) -> usize;
    /// The shared state.
    fn cx(&mut self) -> &mut Context<'t>;
    /// Goes over the next token and gives its place.
    fn bump(&mut self) -> Span;

    /// The token that stands `ahead` places further.
    fn look(&mut self, ahead: usize) -> Option<Token> {
        let index = self.index() + ahead;
        self.cx().token(index)
    }

    /// The place of the next token.
    fn place(&mut self) -> Span {
        let index = self.index();
        self.cx().span(index)
    }

    /// The place of the token before.
    fn previous(&mut self) -> Span {
        match self.index().checked_sub(1) {
            Some(index) => self.cx().span(index),
            None => Span { end: 0, start: 0, ..self.place() },
        }
    }

    /// Goes over the next token if it is this one.
    fn eat(&mut self, token: Token) -> Option<Span> {
        (self.look(0) == Some(token)).then(|| self.bump())
    }

    /// Whether the next token is this word.
    fn is_word(&mut self, word: Symbol) -> bool {
        self.look(0) == Some(Token::Name(word))
    }

    /// Goes over the next token and, where it opens something, over all of that.
    fn skip_balanced(&mut self) {
        let mut depth = 0usize;
        while let Some(token) = self.look(0) {
            if token.closer().is_some() {
                depth += 1;
            } else if token.is_closer() {
                depth = depth.saturating_sub(1);
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    /// Reports that something else was expected at the next token.
    fn expected(&mut self, what: &str, help: Option<String>) {
        let index = self.index();
        let place = self.place();
        let after = self.previous();
        let cx = self.cx();
        if cx.silent(index) || cx.is_full() {
            return cx.mute(index);
        }
        let before = (after.end > after.start).then(|| clip(cx.slice(after)));
        // At the end of a line or block the place before it shows better where something is missing.
        let ends = cx.first_on_line(index) || cx.token(index).is_none_or(Token::is_closer);
        let mut diagnostic = match before {
            Some(before) if ends && before != "{" => Diagnostic::new(
                Code::UnexpectedToken,
                format!("nothing after `{before}`"),
                after.after(),
                format!("expected {what}"),
            ),
            Some(before) => Diagnostic::new(
                Code::UnexpectedToken,
                format!("unexpected {} after `{before}`", cx.found(index)),
                place,
                format!("expected {what}"),
            ),
            None => Diagnostic::new(
                Code::UnexpectedToken,
                format!("unexpected {}", cx.found(index)),
                place,
                format!("expected {what}"),
            ),
        };
        diagnostic.help.extend(help);
        cx.report(index, diagnostic);
    }

    /// An expression that could not be read, of no extent.
    fn no_value(&mut self) -> Expr {
        Expr { kind: ExprKind::Error, span: self.previous().after() }
    }
}

impl<'t> Tokens<'t> for In<'t, '_> {
    fn index(&self) -> usize {
        self.cursor().inner().0
    }

    fn cx(&mut self) -> &mut Context<'t> {
        self.state()
    }

    fn bump(&mut self) -> Span {
        let place = self.place();
        self.skip();
        place
    }
}
