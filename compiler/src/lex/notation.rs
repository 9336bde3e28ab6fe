//! Texts that are no Motix at all: another notation, prose, a binary file. Told by how they begin, so that such a file
//! gives one report and not one a line.
//!
//! Whatever declares something of this language on a line of its own is read as Motix, with all its faults.

use crate::diagnostic::{Code, Diagnostic};
use crate::nearest::Nearest;
use crate::source::{FileId, Span};
use crate::syntax::{Keyword, Modifier, Place};

use super::text::clip;

/// What a text is instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    Binary(&'static str),
    Json,
    Lua,
    Xml,
    Yaml,
    Other,
}

/// How binary files begin that stand where animations do.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"glTF", "a binary glTF model"),
    (b"Kaydara FBX", "a binary FBX file"),
    (b"BLENDER", "a Blender file"),
    (b"\x89PNG", "a PNG image"),
    (b"PK\x03\x04", "a zip archive"),
];

/// A text shorter than this is one mistake in any case.
const SHORT: usize = 80;
/// So many bytes at the beginning tell whether a file is binary.
const HEAD: usize = 1024;

/// What the bytes are if they are no text.
pub(super) fn binary(bytes: &[u8]) -> Option<&'static str> {
    if let Some((_, what)) = SIGNATURES.iter().find(|(sign, _)| bytes.starts_with(sign)) {
        return Some(what);
    }
    let head = &bytes[..bytes.len().min(HEAD)];
    let control = |byte: &&u8| **byte < b' ' && !matches!(**byte, b'\t' | b'\n' | b'\r' | b'\x0c');
    let count = head.iter().filter(control).count();
    // A stray one may be in any text; in UTF-16 every other byte is one.
    let wide = matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
    (count > 4 && count * 20 > head.len() && !wide).then_some("a binary file")
}

/// What to do with a binary file.
pub(super) const BINARY_HELP: &str =
    "a clip is named in the source: `Animation Walk { AssetId \"walk.glb\" }`, and loaded by the host";

/// The report of a text that is no Motix.
pub(super) fn report(file: FileId, text: &str) -> Option<Diagnostic> {
    let body = without_comments(text.trim_start_matches('\u{feff}'));
    let start = text.len() - body.len();
    let notation = notation(body)?;
    let line = body.lines().next().unwrap_or_default().trim_end();
    let shown = line.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|end| *end <= 60).last();
    let end = start + shown.unwrap_or(0);
    let (what, help) = match notation {
        Notation::Binary(what) => (what, BINARY_HELP),
        Notation::Json => ("JSON", "`motixc import FILE.json` turns a state machine in JSON into Motix"),
        Notation::Lua => ("Lua", "`motixc import FILE.lua` turns behavior builders in Lua into Motix"),
        Notation::Xml => ("XML", "`motixc import` reads builders in Lua and state machines in JSON"),
        Notation::Yaml => ("YAML", "`motixc import` reads builders in Lua and state machines in JSON"),
        Notation::Other => ("", "a behavior is written `Behavior Door { InitialState Closed State Closed }`"),
    };
    let message = if what.is_empty() {
        format!("this file is not Motix: it begins with `{}`", clip(&body[..end - start]))
    } else {
        format!("this file is not Motix but {what}")
    };
    let label = "expected `Use`, `Const`, `Enum`, `Behavior` or `Test`";
    let span = Span::new(file, start as u32, end as u32);
    Some(Diagnostic::new(Code::NotMotix, message, span, label).help(help))
}

/// What a text behind its comments is, if it is no Motix.
fn notation(body: &str) -> Option<Notation> {
    if body.is_empty() || is_keyword(leading_word(body)) {
        return None;
    }
    let found =
        if let Some(what) = binary(body.as_bytes()) { Notation::Binary(what) } else { by_beginning(body)? };
    (!body.lines().any(declares)).then_some(found)
}

/// The text behind comments of ours and of Lua.
fn without_comments(body: &str) -> &str {
    let mut rest = body;
    loop {
        rest = rest.trim_start();
        let end = if rest.starts_with("//") || rest.starts_with("-- ") {
            rest.find('\n')
        } else if let Some(inner) = rest.strip_prefix("/*") {
            super::raw::block_end(inner).map(|end| end + 2)
        } else {
            return rest;
        };
        match end {
            Some(end) => rest = &rest[end..],
            None => return "",
        }
    }
}

fn by_beginning(body: &str) -> Option<Notation> {
    let mut chars = body.chars();
    let first = chars.next()?;
    let second = chars.as_str().trim_start().chars().next();
    if first == '{' && matches!(second, Some('"' | '}'))
        || first == '[' && second.is_some_and(|c| matches!(c, '{' | '[' | ']' | '"' | '-' | '0'..='9'))
    {
        return Some(Notation::Json);
    }
    if first == '<' && second.is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '?' | '!')) {
        return Some(Notation::Xml);
    }
    if body.starts_with("%YAML") || body.starts_with("---\n") || body.starts_with("---\r\n") {
        return Some(Notation::Yaml);
    }
    let word = leading_word(body);
    if word == "local" || matches!(word, "function" | "return" | "type" | "export") && ends_in_lua(body) {
        return Some(Notation::Lua);
    }
    // A keyword that is misspelled is a slip.
    let files = Keyword::ALL.iter().filter(|keyword| keyword.stands_in(Place::File)).map(|row| row.name());
    let line = body.lines().next().unwrap_or_default();
    let near = line.contains(['"', '`', '{', '=']) && Nearest::default().find(word, files).is_some();
    (body.len() >= SHORT && !near).then_some(Notation::Other)
}

/// Whether a block ends with `end`, as in Lua alone.
fn ends_in_lua(code: &str) -> bool {
    code.lines().any(|line| matches!(line.trim_end_matches([')', ',', ';', ' ']).trim(), "end"))
}

fn leading_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    &text[..end]
}

fn is_keyword(word: &str) -> bool {
    Keyword::ALL.iter().any(|keyword| keyword.name() == word)
        || Modifier::ALL.iter().any(|modifier| modifier.name() == word)
}

/// Whether a line declares something of this language, or nearly.
fn declares(line: &str) -> bool {
    let line = line.trim_start();
    let word = leading_word(line);
    match word {
        "Behavior" | "behavior" | "Behaviour" | "Transition" | "InitialState" | "OnEntry" | "OnExit"
        | "AnyState" => return true,
        _ => {}
    }
    let inside = |keyword: &&Keyword| {
        [Place::File, Place::Behavior].iter().any(|place| keyword.stands_in(*place))
            && keyword.name().eq_ignore_ascii_case(word)
    };
    if !Keyword::ALL.iter().any(|keyword| inside(&keyword)) {
        return false;
    }
    // `State Idle {`, `Param speed: number`, `Use "std/humanoid"`, and no sentence that begins with the word.
    let rest = line[word.len()..].trim_start();
    let behind = rest[leading_word(rest).len()..].trim_start();
    let upper = word.starts_with(char::is_uppercase);
    upper && rest.starts_with(['"', '`', '{']) || !rest.is_empty() && behind.starts_with(['{', ':', '=', ','])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_are_told_by_how_they_begin() {
        let json = "{\n  \"states\": []\n}";
        assert_eq!(notation(json), Some(Notation::Json));
        assert_eq!(notation("[1, 2]"), Some(Notation::Json));
        assert_eq!(notation("<?xml version=\"1.0\"?>"), Some(Notation::Xml));
        assert_eq!(notation("%YAML 1.1\n"), Some(Notation::Yaml));
        assert_eq!(notation(without_comments("-- a door\nlocal door = {}\n")), Some(Notation::Lua));
        assert_eq!(notation("function f()\n  return 1\nend\n"), Some(Notation::Lua));
        let script = "function f(a, b) { return a ? b : 0; } ".repeat(9);
        assert_eq!(notation(&script), Some(Notation::Other));
        let prose =
            "The humanoid walks when the player presses forward, and it runs when the speed is above 3.";
        assert_eq!(notation(prose), Some(Notation::Other));
        assert_eq!(notation("glTF\u{2}\0\0\0"), Some(Notation::Binary("a binary glTF model")));
        assert_eq!(notation(&"ab\0\u{1}".repeat(20)), Some(Notation::Binary("a binary file")));
    }

    #[test]
    fn what_declares_something_is_motix_however_it_begins() {
        for text in [
            "",
            "Behavior Door { }",
            "Behaviour Door { State Open { } }",
            "{\n  \"states\": []\n}\nBehavior Door { }",
            "local speed = 3\nBehavior Door { }",
            "x",
            "Extern Predicate IsGrounded",
            &format!("{}\nState Idle {{ }}", "machine Door ".repeat(20)),
        ] {
            assert_eq!(notation(text), None, "{text}");
        }
    }
}
