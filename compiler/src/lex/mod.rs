//! Lexing: from text to tokens whose delimiters are balanced, with comments kept aside.
//!
//! Every fault is reported once and leaves a token in its place, [`Token::Error`] where nothing better is known, so
//! that the rest of the file can be read. Time and memory are linear in the text whatever it holds. Positions of
//! tokens count bytes of the whole text, a byte-order mark included.

mod balance;
mod notation;
mod number;
mod odd_names;
mod raw;
mod stray;
mod text;
mod token;

use logos::Logos;
use motix_vm::program::limits::Limit;

pub use balance::MAX_NESTING;
pub(crate) use text::clip;
pub use token::{Foreign, Token};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::intern::{Interner, Symbol};
use crate::source::{FileId, Span};
use number::Fault;
use raw::Raw;
use stray::Stray;

/// What a file consists of.
#[derive(Clone, Debug)]
pub struct Lexed<'t> {
    /// The text.
    pub text: &'t str,
    /// The tokens, each with its place. Closers that were missing are there, with an empty place.
    pub tokens: Vec<(Token, Span)>,
    /// The comments in order.
    pub comments: Vec<Comment>,
    /// Doc comments: the offset of the token that follows, and the lines without `///`.
    pub docs: Vec<(u32, Symbol)>,
    /// Words of the sides of merge conflicts that were left out.
    pub lost: Vec<Symbol>,
}

/// A comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its place, without the line's end.
    pub span: Span,
    /// Its kind.
    pub kind: CommentKind,
}

/// The kinds of comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentKind {
    /// `// ...`
    Line,
    /// `/* ... */`
    Block,
    /// `/// ...`
    Doc,
}

/// The text of a source file.
///
/// # Errors
/// Where `bytes` are not UTF-8: [`Code::InvalidUtf8`] with the offset of the first wrong byte.
pub fn decode<'b>(name: &str, bytes: &'b [u8]) -> Result<&'b str, Diagnostic> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        if let Some(what) = notation::binary(bytes) {
            let message = format!("`{name}` is {what}, not text");
            return Diagnostic::global(Code::InvalidUtf8, message).help(notation::BINARY_HELP);
        }
        let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        let byte = bytes.get(at).copied().unwrap_or(0);
        let message =
            format!("`{name}` is not valid UTF-8: byte 0x{byte:02X} at offset {at}, in line {line}");
        let help = match bytes {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "it looks like UTF-16: save the file as UTF-8",
            _ => "save the file as UTF-8",
        };
        Diagnostic::global(Code::InvalidUtf8, message).help(help)
    })
}

/// The tokens of a text. `text` is at most `u32::MAX` bytes long, which the loader guarantees.
pub fn lex<'t>(
    file: FileId,
    text: &'t str,
    names: &mut Interner,
    diagnostics: &mut Diagnostics,
) -> Lexed<'t> {
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    if let Some(report) = notation::report(file, text) {
        diagnostics.push(report);
        let tokens = vec![(Token::Error, Span::new(file, start as u32, text.len() as u32))];
        return Lexed { text, tokens, comments: Vec::new(), docs: Vec::new(), lost: Vec::new() };
    }
    let mut reader = Reader {
        file,
        text,
        names,
        diagnostics,
        tokens: Vec::with_capacity(text.len() / 5),
        comments: Vec::new(),
        docs: Vec::new(),
        lost: Vec::new(),
        doc: String::new(),
        markers: Vec::new(),
        more_markers: true,
        last_end: start,
        base: start,
        lexer: Raw::lexer(&text[start..]),
    };
    reader.run();
    let Reader { tokens, comments, docs, lost, markers, .. } = reader;
    report_markers(&markers, diagnostics);
    let tokens = balance::balance(text, tokens, diagnostics);
    Lexed { text, tokens, comments, docs, lost }
}

struct Reader<'t, 'c> {
    file: FileId,
    text: &'t str,
    names: &'c mut Interner,
    diagnostics: &'c mut Diagnostics,
    tokens: Vec<(Token, Span)>,
    comments: Vec<Comment>,
    docs: Vec<(u32, Symbol)>,
    lost: Vec<Symbol>,
    /// Lines of a doc comment that wait for their token.
    doc: String,
    /// Merge markers; true where one begins a conflict.
    markers: Vec<(Span, bool)>,
    /// Whether a conflict's end may still stand ahead.
    more_markers: bool,
    /// The end of what was read before.
    last_end: usize,
    /// Where the text of `lexer` begins.
    base: usize,
    lexer: logos::Lexer<'t, Raw>,
}

impl<'t> Reader<'t, '_> {
    fn run(&mut self) {
        while let Some(raw) = self.lexer.next() {
            let range = self.lexer.span();
            let (start, end) = (range.start + self.base, range.end + self.base);
            match raw {
                Ok(raw) => self.token(raw, start, end),
                Err(()) => self.strays(start, end),
            }
            self.last_end = self.lexer.span().end + self.base;
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    fn push(&mut self, token: Token, start: usize, end: usize) {
        if !self.doc.is_empty() {
            let doc = std::mem::take(&mut self.doc);
            self.docs.push((start as u32, self.names.intern(doc.trim_end_matches('\n'))));
        }
        let span = self.span(start, end);
        self.tokens.push((token, span));
        if end - start > Limit::TextBytes.value() {
            self.too_long(token, span);
        }
    }

    /// Reports a name or text that no program can hold.
    fn too_long(&mut self, token: Token, span: Span) {
        let (Token::Name(symbol) | Token::Quoted(symbol) | Token::Text(symbol)) = token else { return };
        let (length, most) = (self.names.text(symbol).len(), Limit::TextBytes.value());
        if length > most {
            let message = format!("a text of {length} bytes, and {most} is the most");
            let place = self.span(span.start as usize, span.start as usize + 1);
            let report = Diagnostic::new(Code::TooMany, message, place, "this text begins here");
            self.diagnostics.push(report.help("keep it in a file of its own, and name that"));
        }
    }

    /// Goes on reading at an offset.
    fn resume(&mut self, at: usize) {
        self.base = at;
        self.lexer = Raw::lexer(&self.text[at..]);
    }

    /// Whether nothing but blank space stands before `start` on its line.
    fn first_on_line(&self, start: usize) -> bool {
        let gap = &self.text[self.last_end.min(start)..start];
        self.tokens.is_empty() && self.comments.is_empty() || gap.contains('\n')
    }

    fn line_end(&self, from: usize) -> usize {
        self.text[from..].find('\n').map_or(self.text.len(), |at| from + at)
    }

    fn token(&mut self, raw: Raw, start: usize, end: usize) {
        let slice = &self.text[start..end];
        let token = match raw {
            Raw::Word => match Token::reserved(slice) {
                Some(token) => token,
                None => Token::Name(text::intern_name(self.names, slice)),
            },
            Raw::Quoted => self.quoted(&slice[1..slice.len() - 1], start, end),
            Raw::OpenQuoted => return self.open_quoted(start, end),
            Raw::Text => {
                let inner = self.span(start + 1, end - 1);
                Token::Text(text::intern_text(
                    self.names,
                    &slice[1..slice.len() - 1],
                    inner,
                    self.diagnostics,
                ))
            }
            Raw::OpenText => return self.open_text(start, end),
            Raw::Number => match number::number(slice) {
                Ok(token) => token,
                Err(_) if self.digit_name(start, end) => return,
                Err(fault) => self.number_fault(fault, start, end),
            },
            Raw::Color if slice == "#" => return self.hash(start, end),
            Raw::Color => match number::color(slice) {
                Ok(token) => token,
                Err(fault) => self.number_fault(fault, start, end),
            },
            Raw::LineComment | Raw::BlockComment => return self.comment(raw, start, end),
            Raw::MergeOurs | Raw::MergeBase | Raw::MergeMiddle | Raw::MergeTheirs => {
                return self.merge_marker(raw, start, end);
            }
            Raw::Assign | Raw::Greater | Raw::Less | Raw::Bang if self.torn_operator(raw, start, end) => {
                return;
            }
            Raw::Minus if self.text[end..].starts_with('-') && self.first_on_line(start) => {
                return self.dashes(start);
            }
            Raw::LeftBrace => Token::LeftBrace,
            Raw::RightBrace => Token::RightBrace,
            Raw::LeftParen => Token::LeftParen,
            Raw::RightParen => Token::RightParen,
            Raw::LeftBracket => Token::LeftBracket,
            Raw::RightBracket => Token::RightBracket,
            Raw::Comma => Token::Comma,
            Raw::Colon => Token::Colon,
            Raw::Dot => Token::Dot,
            Raw::Assign => Token::Assign,
            Raw::Equal => Token::Equal,
            Raw::NotEqual => Token::NotEqual,
            Raw::Less => Token::Less,
            Raw::LessEqual => Token::LessEqual,
            Raw::Greater => Token::Greater,
            Raw::GreaterEqual => Token::GreaterEqual,
            Raw::Near => Token::Near,
            Raw::Plus => Token::Plus,
            Raw::Minus => Token::Minus,
            Raw::Star => Token::Star,
            Raw::Slash => Token::Slash,
            Raw::Arrow => Token::Arrow,
            Raw::AndAnd => Token::Foreign(Foreign::AndAnd),
            Raw::Ampersand => Token::Foreign(Foreign::Ampersand),
            Raw::OrOr => Token::Foreign(Foreign::OrOr),
            Raw::Pipe => Token::Foreign(Foreign::Pipe),
            Raw::Bang => Token::Foreign(Foreign::Bang),
            Raw::TripleEqual => Token::Foreign(Foreign::TripleEqual),
            Raw::NotTripleEqual => Token::Foreign(Foreign::NotTripleEqual),
            Raw::PlusPlus => Token::Foreign(Foreign::PlusPlus),
            Raw::PlusAssign => Token::Foreign(Foreign::PlusAssign),
            Raw::MinusAssign => Token::Foreign(Foreign::MinusAssign),
            Raw::StarAssign => Token::Foreign(Foreign::StarAssign),
            Raw::SlashAssign => Token::Foreign(Foreign::SlashAssign),
            Raw::FatArrow => Token::Foreign(Foreign::FatArrow),
            Raw::ColonAssign => Token::Foreign(Foreign::ColonAssign),
            Raw::Semicolon => Token::Foreign(Foreign::Semicolon),
            Raw::Question => Token::Foreign(Foreign::Question),
            Raw::Percent => Token::Foreign(Foreign::Percent),
            Raw::Caret => Token::Foreign(Foreign::Caret),
            Raw::StarStar => Token::Foreign(Foreign::StarStar),
            Raw::ColonColon => Token::Foreign(Foreign::ColonColon),
            Raw::DotDot => Token::Foreign(Foreign::DotDot),
        };
        self.push(token, start, end);
    }

    /// `=<`, `= =`, `> =`: a comparison with its signs exchanged or apart.
    fn torn_operator(&mut self, raw: Raw, start: usize, end: usize) -> bool {
        let rest = &self.text[end..];
        let gap = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let (token, meant, after) = if raw == Raw::Assign && rest.starts_with('<') && !rest.starts_with("<-")
        {
            (Token::LessEqual, "<=", end + 1)
        } else if gap > 0 && rest[gap..].starts_with('=') && !rest[gap..].starts_with("==") {
            let (token, meant) = match raw {
                Raw::Assign => (Token::Equal, "=="),
                Raw::Greater => (Token::GreaterEqual, ">="),
                Raw::Less => (Token::LessEqual, "<="),
                _ => (Token::NotEqual, "!="),
            };
            (token, meant, end + gap + 1)
        } else {
            return false;
        };
        let span = self.span(start, after);
        let message = format!("`{}` is no operator of this language", &self.text[start..after]);
        let report = Diagnostic::new(Code::ForeignOperator, message, span, format!("expected `{meant}`"));
        self.diagnostics.push(report.help(format!("write `{meant}`")).fix(span, meant));
        self.push(token, start, after);
        self.resume(after);
        true
    }

    fn comment(&mut self, raw: Raw, start: usize, end: usize) {
        let slice = &self.text[start..end];
        let trimmed = slice.trim_end();
        let doc = trimmed.strip_prefix("///").filter(|rest| !rest.starts_with('/'));
        let kind = match (raw, doc) {
            (Raw::BlockComment, _) => CommentKind::Block,
            (_, Some(line)) => {
                self.doc.push_str(line.strip_prefix(' ').unwrap_or(line));
                self.doc.push('\n');
                CommentKind::Doc
            }
            _ => CommentKind::Line,
        };
        if raw == Raw::BlockComment && raw::block_end(&slice[2..]).is_none() {
            let open = self.span(start, start + 2);
            self.diagnostics.push(
                Diagnostic::new(Code::UnterminatedComment, "this comment is not closed", open, "opened here")
                    .help("block comments nest: each `/*` in one needs a `*/` of its own"),
            );
        }
        let span = self.span(start, start + trimmed.len());
        self.comments.push(Comment { span, kind });
    }

    fn quoted(&mut self, name: &str, start: usize, end: usize) -> Token {
        if name.is_empty() {
            let span = self.span(start, end);
            self.diagnostics.push(Diagnostic::new(
                Code::UnexpectedToken,
                "an empty name",
                span,
                "expected a name in the backquotes",
            ));
            return Token::Error;
        }
        Token::Quoted(text::intern_name(self.names, name))
    }

    /// A backquoted name that is not closed ends with its word.
    fn open_quoted(&mut self, start: usize, end: usize) {
        let slice = &self.text[start + 1..end];
        let stop = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | ',' | ':' | '"');
        let length = slice.find(stop).unwrap_or(slice.len());
        let (word, after) = (&slice[..length], start + 1 + length);
        let span = self.span(start, after);
        self.diagnostics.push(
            Diagnostic::new(
                Code::UnterminatedName,
                "this name has no closing backquote",
                span,
                "opened here",
            )
            .help(format!("write `` `{}` ``", clip(word)))
            .fix(self.span(after, after), "`"),
        );
        let token =
            if word.is_empty() { Token::Error } else { Token::Quoted(text::intern_name(self.names, word)) };
        self.push(token, start, after);
        self.resume(after);
    }

    /// A text that is not closed ends with its line; braces at the line's end are taken as not meant to be in it.
    fn open_text(&mut self, start: usize, end: usize) {
        // A block that begins on the line was not meant to be in it either.
        let slice = &self.text[start + 1..end];
        let slice = slice.find('{').map_or(slice, |at| &slice[..at]);
        let inner =
            slice.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '{' | '}' | ')' | ']' | ','));
        let after = start + 1 + inner.len();
        let span = self.span(start, after);
        self.diagnostics.push(
            Diagnostic::new(Code::UnterminatedText, "this text has no closing quote", span, "opened here")
                .help("a text ends on its line, with `\"`; a line break in it is written `\\n`"),
        );
        let inner_span = self.span(start + 1, after);
        let symbol = text::intern_text(self.names, inner, inner_span, self.diagnostics);
        self.push(Token::Text(symbol), start, after);
        if !self.text[after..end].trim_start().starts_with('{') {
            self.push(Token::Error, after, after);
        }
        self.resume(after);
    }

    fn number_fault(&mut self, fault: Fault, start: usize, end: usize) -> Token {
        let span = self.span(start, end);
        let slice = &self.text[start..end];
        let diagnostic = match fault {
            Fault::Range(from, to, true) => Diagnostic::new(
                Code::MalformedNumber,
                format!("`{}` is a range, and this is one point in time", clip(slice)),
                span,
                "expected one time or share",
            )
            .help(format!(
                "write one of them: `{to}`; a stretch of a clip is `Span name from {from} to {to}`"
            )),
            Fault::Range(from, to, false) => Diagnostic::new(
                Code::MalformedNumber,
                format!("`{}` is a range, and this is one number", clip(slice)),
                span,
                "expected a number",
            )
            .help(format!("the range of a parameter is `{{ Min {from} Max {to} }}`")),
            Fault::Malformed(why, meant) if slice.starts_with('#') => {
                debug_assert!(meant.is_none());
                Diagnostic::new(Code::MalformedColor, why, span, "expected a color")
                    .help("colors are `#rgb`, `#rrggbb` or `#rrggbbaa`, in hexadecimal")
            }
            Fault::Malformed(why, meant) => {
                let diagnostic = Diagnostic::new(Code::MalformedNumber, why, span, "expected a number");
                match meant {
                    Some(meant) => diagnostic.help(format!("write `{meant}`")).fix(span, meant),
                    None => diagnostic.help("numbers are `1`, `0.5`, `.5` and `1e3`, at most 3.4e38"),
                }
            }
            Fault::Unit(unit, meant) => {
                let message = format!("unknown unit `{}`", clip(&unit));
                let diagnostic =
                    Diagnostic::new(Code::UnknownUnit, message, span, "expected `ms`, `s`, `%` or no unit");
                match &meant[..] {
                    [] if matches!(&*unit.to_lowercase(), "tick" | "ticks" | "frame" | "frames" | "fr") => {
                        diagnostic.help(
                            "ticks and frames are no unit: write the time, or `Lifetime tick` for a trigger",
                        )
                    }
                    [] => diagnostic.help("durations are `200ms` or `0.2s`, ratios `80%`"),
                    [one] => diagnostic.help(format!("write `{one}`")).fix(span, one.clone()),
                    several => diagnostic.help(format!("write `{}`", several.join("` or `"))),
                }
            }
        };
        self.diagnostics.push(diagnostic);
        Token::Error
    }

    /// `# comment`
    fn hash(&mut self, start: usize, end: usize) {
        if self.text[end..].starts_with([' ', '\t', '!']) {
            self.foreign_comment(start, end, "#");
        } else {
            self.strays(start, end);
        }
    }

    /// `-- comment`
    fn dashes(&mut self, start: usize) {
        self.foreign_comment(start, start + 2, "--");
    }

    fn foreign_comment(&mut self, start: usize, end: usize, sign: &str) {
        let span = self.span(start, end);
        self.diagnostics.push(
            Diagnostic::new(
                Code::ForeignOperator,
                format!("`{sign}` does not begin a comment"),
                span,
                "expected `//`",
            )
            .help("comments are `// to the end of the line` and `/* ... */`")
            .fix(span, "//"),
        );
        let end = self.line_end(end);
        self.resume(end);
    }

    fn merge_marker(&mut self, raw: Raw, start: usize, end: usize) {
        if !self.first_on_line(start) {
            return self.unknown(start, end);
        }
        let line_end = self.line_end(end);
        let span = self.span(start, end);
        self.markers.push((span, raw == Raw::MergeOurs));
        let resume = match raw {
            // Of the two sides the first one is read.
            Raw::MergeMiddle | Raw::MergeBase if self.more_markers => {
                let end_marker = self.text[end..].find("\n>>>>>>>");
                self.more_markers = end_marker.is_some();
                end_marker.map_or(line_end, |at| self.line_end(end + at + 1))
            }
            _ => line_end,
        };
        let left_out = &self.text[line_end..resume];
        for word in left_out.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
        {
            self.lost.push(self.names.intern(word));
        }
        self.resume(resume);
    }

    /// Characters that no token begins with.
    fn strays(&mut self, start: usize, end: usize) {
        let Some(c) = self.text[start..end].chars().next() else { return };
        let after = start + c.len_utf8();
        match stray::stray(c) {
            Stray::Like(token, text) => {
                let span = self.span(start, after);
                self.diagnostics.push(
                    Diagnostic::new(
                        Code::UnknownCharacter,
                        format!("{} looks like `{text}` but is another character", stray::show(c)),
                        span,
                        format!("expected `{text}`"),
                    )
                    .help(format!("write `{text}`"))
                    .fix(span, text),
                );
                self.push(token, start, after);
                self.resume(after);
            }
            Stray::Quote => self.foreign_quote(c, start, after),
            Stray::Space => {
                let run = |c: char| stray::stray(c) == Stray::Space;
                let length = self.text[after..].find(|c| !run(c)).unwrap_or(self.text.len() - after);
                let span = self.span(start, after + length);
                self.diagnostics.push(
                    Diagnostic::new(
                        Code::UnknownCharacter,
                        format!("{} looks like a space but is another character", stray::show(c)),
                        span,
                        "expected a plain space",
                    )
                    .fix(span, " "),
                );
                self.resume(after + length);
            }
            Stray::Unknown => {
                // One message for a run of them.
                let known = |c: char| {
                    c.is_ascii_graphic() && !matches!(c, '@' | '$' | '\\' | '~')
                        || c.is_ascii_whitespace()
                        || c.is_alphanumeric()
                        || stray::stray(c) != Stray::Unknown
                };
                let length = self.text[after..].find(known).unwrap_or(self.text.len() - after);
                if !self.odd_name(start, after + length) {
                    self.unknown(start, after + length);
                }
            }
        }
    }

    fn unknown(&mut self, start: usize, end: usize) {
        let span = self.span(start, end);
        let c = self.text[start..].chars().next().unwrap_or('\0');
        self.diagnostics.push(Diagnostic::new(
            Code::UnknownCharacter,
            format!("{} means nothing here", stray::show(c)),
            span,
            "not part of the language outside of texts and backquoted names",
        ));
        self.push(Token::Error, start, end);
        self.resume(end);
    }

    fn foreign_quote(&mut self, open: char, start: usize, after: usize) {
        let rest = self.text[after..].char_indices().take_while(|(_, c)| *c != '\n');
        let close = rest.into_iter().find(|(_, c)| stray::closes(open, *c));
        let Some((length, c)) = close else { return self.unknown(start, after) };
        let (inner, end) = (&self.text[after..after + length], after + length + c.len_utf8());
        let span = self.span(start, end);
        self.diagnostics.push(
            Diagnostic::new(
                Code::UnknownCharacter,
                "texts stand in double quotes",
                span,
                format!("expected `\"{}\"`", clip(inner)),
            )
            .help(format!("write `\"{}\"`", clip(inner)))
            .fix(span, format!("\"{inner}\"")),
        );
        let symbol = self.names.intern(inner);
        self.push(Token::Text(symbol), start, end);
        self.resume(end);
    }
}

/// All merge markers are one mistake.
fn report_markers(markers: &[(Span, bool)], diagnostics: &mut Diagnostics) {
    let Some((first, _)) = markers.first() else { return };
    let conflicts = markers.iter().filter(|(_, begins)| *begins).count();
    let message = match conflicts {
        0 | 1 => "an unresolved merge conflict".to_owned(),
        n => format!("{n} unresolved merge conflicts"),
    };
    let mut diagnostic = Diagnostic::new(Code::MergeMarker, message, *first, "the first marker").help(
        "keep one side or mix both, and remove the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`",
    );
    for (span, _) in markers.iter().filter(|(span, begins)| *begins && span != first).take(3) {
        diagnostic = diagnostic.label(*span, "another conflict");
    }
    diagnostics.push(diagnostic);
}
