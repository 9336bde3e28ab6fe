//! Reads JSON into a tree that knows where everything stands.
//!
//! Strict JSON, after a byte-order mark if there is one. The first fault is reported with what is expected there, and
//! ends the reading. Nesting is limited, so no text overflows the stack.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::source::{FileId, Span};

/// How deep objects and lists may stand in each other.
const DEEPEST: usize = 128;

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Id(u32);

/// What a node is.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// May be infinite where the text says more than a number can be.
    Number(f64),
    Text(String),
    List(Vec<Id>),
    Object(Vec<Member>),
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) key: String,
    pub(super) span: Span,
    pub(super) value: Id,
}

#[derive(Clone, Debug)]
struct Node {
    value: Value,
    span: Span,
    /// What it stands in, and as which of its members or items.
    parent: Option<(Id, u32)>,
}

/// A tree.
#[derive(Debug)]
pub(super) struct Json {
    nodes: Vec<Node>,
}

impl Json {
    /// The outermost value.
    pub(super) fn root(&self) -> Id {
        Id(0)
    }

    pub(super) fn value(&self, id: Id) -> &Value {
        &self.nodes[id.0 as usize].value
    }

    pub(super) fn span(&self, id: Id) -> Span {
        self.nodes[id.0 as usize].span
    }

    /// Where a node is: `stateMachine.layers[0].name`.
    pub(super) fn path(&self, id: Id) -> String {
        let mut steps = Vec::new();
        let mut at = id;
        while let Some((parent, index)) = self.nodes[at.0 as usize].parent {
            steps.push(match self.value(parent) {
                Value::Object(members) => step(&members[index as usize].key, parent == self.root()),
                _ => format!("[{index}]"),
            });
            at = parent;
        }
        steps.reverse();
        steps.concat()
    }

    /// Where a key of an object is.
    pub(super) fn key_path(&self, object: Id, key: &str) -> String {
        self.path(object) + &step(key, object == self.root())
    }
}

/// A key in a path.
fn step(key: &str, first: bool) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    if key.is_empty() || !key.chars().all(plain) {
        return format!("[\"{}\"]", key.escape_debug());
    }
    if first { key.to_owned() } else { format!(".{key}") }
}

/// The fault that ended the reading was reported.
struct Broken;

type Read<T> = Result<T, Broken>;

/// Reads a file.
pub(super) fn read(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Option<Json> {
    let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut reader = Reader { file, text, at, nodes: Vec::new(), depth: 0, diagnostics };
    reader.file().ok().map(|()| Json { nodes: reader.nodes })
}

struct Reader<'t, 'd> {
    file: FileId,
    text: &'t str,
    at: usize,
    nodes: Vec<Node>,
    depth: usize,
    diagnostics: &'d mut Diagnostics,
}

impl Reader<'_, '_> {
    fn file(&mut self) -> Read<()> {
        self.space();
        if self.at == self.text.len() {
            return Err(self.fault("the file is empty", "expected `{`"));
        }
        self.value(None)?;
        self.space();
        if self.at < self.text.len() {
            return Err(self.fault("there is more text after the end of the JSON", "expected nothing here"));
        }
        Ok(())
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    /// Reports a fault at the character at hand.
    fn fault(&mut self, message: impl Into<String>, label: impl Into<String>) -> Broken {
        let end = self.at + self.rest().chars().next().map_or(0, char::len_utf8);
        let span = self.span(self.at, end);
        self.diagnostics.push(Diagnostic::new(Code::UnreadableJson, message, span, label));
        Broken
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Reports what stands here in place of `expected`.
    fn unexpected(&mut self, expected: &str) -> Broken {
        let label = format!("expected {expected}");
        let rest = self.rest();
        if rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with('#') {
            return self.fault("JSON has no comments", label);
        }
        let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').take(32).collect();
        let message = match rest.chars().next() {
            None => "the JSON ends in the middle".to_owned(),
            Some('\'') => "texts stand in double quotes".to_owned(),
            Some(letter) if word.is_empty() => format!("`{}` cannot stand here", letter.escape_debug()),
            Some(_) => format!("`{word}` cannot stand here"),
        };
        self.fault(message, label)
    }

    fn add(&mut self, value: Value, span: Span, parent: Option<(Id, u32)>) -> Id {
        self.nodes.push(Node { value, span, parent });
        Id(self.nodes.len() as u32 - 1)
    }

    fn value(&mut self, parent: Option<(Id, u32)>) -> Read<Id> {
        self.space();
        let start = self.at;
        let value = match self.peek() {
            Some(b'{') => return self.container(parent, Self::members),
            Some(b'[') => return self.container(parent, Self::items),
            Some(b'"') => Value::Text(self.text_value()?),
            Some(b'-' | b'0'..=b'9') => Value::Number(self.number()?),
            _ => self.word()?,
        };
        let span = self.span(start, self.at);
        Ok(self.add(value, span, parent))
    }

    fn word(&mut self) -> Read<Value> {
        let word = self.rest().bytes().take_while(u8::is_ascii_alphanumeric).count();
        let value = match &self.rest()[..word] {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            _ => return Err(self.unexpected("a value")),
        };
        self.at += word;
        Ok(value)
    }

    /// An object or a list.
    fn container(&mut self, parent: Option<(Id, u32)>, inner: fn(&mut Self, Id) -> Read<Value>) -> Read<Id> {
        if self.depth == DEEPEST {
            return Err(self.fault(
                format!("objects and lists stand in each other more than {DEEPEST} deep"),
                "too deep from here on",
            ));
        }
        let start = self.at;
        let span = self.span(start, start);
        let id = self.add(Value::Null, span, parent);
        self.at += 1;
        self.depth += 1;
        let value = inner(self, id)?;
        self.depth -= 1;
        let span = self.span(start, self.at);
        let node = &mut self.nodes[id.0 as usize];
        (node.value, node.span) = (value, span);
        Ok(id)
    }

    /// Whether another one follows in a list; otherwise it is closed.
    fn next(&mut self, first: bool, close: u8, what: &str) -> Read<bool> {
        self.space();
        if self.peek() == Some(close) {
            self.at += 1;
            return Ok(false);
        }
        if first {
            return Ok(true);
        }
        if self.peek() != Some(b',') {
            return Err(self.unexpected(&format!("`,` or `{}`", char::from(close))));
        }
        let comma = self.at;
        self.at += 1;
        self.space();
        if self.peek() == Some(close) {
            self.at = comma;
            let message = format!("a comma before `{}`", char::from(close));
            return Err(self.fault(message, format!("expected {what} after it, or no comma")));
        }
        Ok(true)
    }

    fn members(&mut self, id: Id) -> Read<Value> {
        let mut members: Vec<Member> = Vec::new();
        while self.next(members.is_empty(), b'}', "a key")? {
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a key in double quotes"));
            }
            let start = self.at;
            let key = self.text_value()?;
            let span = self.span(start, self.at);
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.unexpected("`:`"));
            }
            self.at += 1;
            let value = self.value(Some((id, members.len() as u32)))?;
            members.push(Member { key, span, value });
        }
        Ok(Value::Object(members))
    }

    fn items(&mut self, id: Id) -> Read<Value> {
        let mut items = Vec::new();
        while self.next(items.is_empty(), b']', "a value")? {
            items.push(self.value(Some((id, items.len() as u32)))?);
        }
        Ok(Value::List(items))
    }

    fn number(&mut self) -> Read<f64> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let whole = self.digits()?;
        if whole > 1 && self.text.as_bytes()[self.at - whole] == b'0' {
            self.at = start;
            return Err(self.fault("a number begins with `0`", "expected a number without it"));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(self.text[start..self.at].parse().unwrap_or(f64::INFINITY))
    }

    fn digits(&mut self) -> Read<usize> {
        let count = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        if count == 0 {
            return Err(self.unexpected("a digit"));
        }
        self.at += count;
        Ok(count)
    }

    fn text_value(&mut self) -> Read<String> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let plain =
                self.rest().bytes().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1f)).count();
            text.push_str(&self.rest()[..plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(b'\n' | b'\r') | None => {
                    self.at = start;
                    return Err(self.fault("a text without its closing quote", "it begins here"));
                }
                Some(_) => {
                    return Err(self.fault("a control character in a text", "expected an escape: `\\u0000`"));
                }
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        let start = self.at;
        let letter = self.rest().chars().nth(1);
        self.at += 1 + letter.map_or(0, char::len_utf8);
        Ok(match letter {
            Some(plain @ ('"' | '\\' | '/')) => plain,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let first = self.hex(start)?;
                let paired = (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u");
                let code = if paired {
                    self.at += 2;
                    let second = self.hex(start)?;
                    (0xdc00..0xe000)
                        .contains(&second)
                        .then(|| 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00))
                } else {
                    Some(first)
                };
                match code.and_then(char::from_u32) {
                    Some(letter) => letter,
                    None => return Err(self.bad_escape(start)),
                }
            }
            _ => return Err(self.bad_escape(start)),
        })
    }

    fn hex(&mut self, start: usize) -> Read<u32> {
        let digits =
            self.text.get(self.at..self.at + 4).filter(|word| word.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) {
            Some(code) => {
                self.at += 4;
                Ok(code)
            }
            None => Err(self.bad_escape(start)),
        }
    }

    fn bad_escape(&mut self, start: usize) -> Broken {
        self.at = start;
        self.fault(
            "an unknown escape in a text",
            "expected `\\\"`, `\\\\`, `\\n`, `\\t` or `\\u` and four digits",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> Result<Json, String> {
        let mut diagnostics = Diagnostics::default();
        read(FileId(0), text, &mut diagnostics)
            .ok_or_else(|| diagnostics.list().first().map_or_else(String::new, |found| found.message.clone()))
    }

    #[test]
    fn values_and_paths() {
        let json = read_text(
            "\u{feff} {\"a\": [1, -2.5e1, true, null], \"b c\": {\"d\": \"\\u00e9\\ud83d\\ude00\\n\"}} ",
        )
        .ok();
        let json = json.as_ref().map(|json| {
            let ids = (0..json.nodes.len() as u32).map(Id);
            ids.map(|id| (json.path(id), json.value(id).clone())).collect::<Vec<_>>()
        });
        let shown = format!("{json:?}");
        for part in ["(\"a[1]\", Number(-25.0))", "(\"a[3]\", Null)", "([\\\"b c\\\"].d\", Text(\"é😀\\n\"))"]
        {
            let part = part.replace("([", "(\"[");
            assert!(shown.contains(&part), "{part} in {shown}");
        }
    }

    #[test]
    fn faults_are_told() {
        for (text, fault) in [
            ("", "the file is empty"),
            (" \n", "the file is empty"),
            ("{\"a\": 1,}", "a comma before `}`"),
            ("[1 2]", "`2` cannot stand here"),
            ("{a: 1}", "`a` cannot stand here"),
            ("{'a': 1}", "texts stand in double quotes"),
            ("// x\n{}", "JSON has no comments"),
            ("[NaN]", "`NaN` cannot stand here"),
            ("[-Infinity]", "`Infinity` cannot stand here"),
            ("[01]", "a number begins with `0`"),
            ("[1.]", "`]` cannot stand here"),
            ("\"a", "a text without its closing quote"),
            ("\"\\x\"", "an unknown escape in a text"),
            ("\"\\ud800\"", "an unknown escape in a text"),
            ("\"\\ud800\\u0041\"", "an unknown escape in a text"),
            ("{} {}", "there is more text after the end of the JSON"),
            ("{\"a\"", "the JSON ends in the middle"),
            ("\"\u{1}\"", "a control character in a text"),
        ] {
            assert_eq!(read_text(text).map(|_| ()), Err(fault.to_owned()), "{text}");
        }
        assert!(read_text("[1e999, -1e-999, 123456789012345678901234567890]").is_ok());
        let deep = "[".repeat(200_000);
        assert!(read_text(&deep).is_err_and(|message| message.contains("more than 128 deep")));
    }
}
