//! String literals and odd names: from their spelling to their text.
//!
//! Faults are reported here and the text goes on without the faulty piece, so that one mistake gives one message.

use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::intern::{Interner, Symbol};
use crate::source::Span;

/// The symbol of a name, which is its NFC form.
pub(super) fn intern_name(names: &mut Interner, name: &str) -> Symbol {
    if name.is_ascii() || is_nfc(name) {
        names.intern(name)
    } else {
        let normal: String = name.nfc().collect();
        names.intern(&normal)
    }
}

/// The symbol of what stands between quotes; `span` is that stretch.
pub(super) fn intern_text(
    names: &mut Interner,
    raw: &str,
    span: Span,
    diagnostics: &mut Diagnostics,
) -> Symbol {
    if !raw.contains('\\') {
        return names.intern(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let start = raw.len() - rest.len() + at;
        let (escape, read) = escape(&rest[at..]);
        match escape {
            Ok(c) => text.push(c),
            Err(why) => {
                let place =
                    Span::new(span.file, span.start + start as u32, span.start + (start + read) as u32);
                diagnostics.push(Diagnostic::new(Code::UnknownEscape, why, place, "no such escape").help(
                    r#"escapes are `\"`, `\\`, `\n`, `\t` and `\u{1F600}`; a backslash itself is `\\`"#,
                ));
            }
        }
        rest = &rest[at + read..];
    }
    text.push_str(rest);
    names.intern(&text)
}

/// The character of the escape at the start of `text`, and its length.
fn escape(text: &str) -> (Result<char, String>, usize) {
    let mut chars = text.chars().skip(1);
    let Some(kind) = chars.next() else {
        return (Err("a lone `\\` ends the text".to_owned()), 1);
    };
    let plain = match kind {
        '"' => '"',
        '\\' => '\\',
        'n' => '\n',
        't' => '\t',
        'u' => return code_point(text),
        _ => return (Err(format!("unknown escape `\\{kind}`")), 1 + kind.len_utf8()),
    };
    (Ok(plain), 2)
}

fn code_point(text: &str) -> (Result<char, String>, usize) {
    let Some(end) = text.strip_prefix("\\u{").and_then(|rest| rest.find('}')) else {
        return (Err("`\\u` without a code point in braces".to_owned()), 2);
    };
    let (hex, read) = (&text[3..3 + end], end + 4);
    let digits = !hex.is_empty() && hex.len() <= 8 && hex.bytes().all(|b| b.is_ascii_hexdigit());
    let value = digits.then(|| u32::from_str_radix(hex, 16).ok()).flatten().and_then(char::from_u32);
    match value {
        Some(c) => (Ok(c), read),
        None => (Err(format!("`{}` is not a code point of Unicode", clip(&text[..read]))), read),
    }
}

/// At most 40 characters of a text, for a message.
pub(crate) fn clip(text: &str) -> String {
    let text = text.lines().next().unwrap_or("");
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}
