//! Numbers, durations, ratios and colors: from their spelling to a token, or to what is wrong with them.

use super::text::clip;
use super::token::Token;

/// What is wrong with a number or color.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Not a number: the fact, and the text that was probably meant.
    Malformed(String, Option<String>),
    /// A number, then this, which is no unit; the texts that may have been meant.
    Unit(String, Vec<String>),
    /// Two numbers with dots between, and whether they are times.
    Range(String, String, bool),
}

/// Reads a number with its unit.
pub(super) fn number(text: &str) -> Result<Token, Fault> {
    if let Some(range) = range(text) {
        return Err(range);
    }
    let digits = digits_end(text);
    let (number, unit) = text.split_at(digits);
    // `1_000`, `0x1f`, `1.2.3`: no unit begins so.
    if unit.starts_with('_') {
        let plain: String = text.chars().filter(|c| *c != '_').collect();
        let plain = number_like(&plain).then_some(plain);
        return Err(Fault::Malformed(
            format!("`{}` is not a number: digits cannot be grouped", clip(text)),
            plain,
        ));
    }
    if number == "0" && unit.starts_with(['x', 'X', 'b', 'B']) && unit.len() > 1 {
        return Err(Fault::Malformed(
            format!("`{}` is not a number: only decimal ones are", clip(text)),
            None,
        ));
    }
    if unit.starts_with(['.', '%']) && unit != "%" || number.ends_with('.') && unit.is_empty() {
        let plain = number
            .strip_suffix('.')
            .filter(|plain| number_like(plain) && !unit.starts_with('.'))
            .map(str::to_owned);
        return Err(Fault::Malformed(format!("`{}` is not a number", clip(text)), plain));
    }
    if number.ends_with('.') {
        return Err(Fault::Malformed(format!("`{}` is not a number", clip(text)), None));
    }
    let Ok(value) = number.parse::<f64>() else {
        return Err(Fault::Malformed(format!("`{}` is not a number", clip(text)), None));
    };
    let (token, value): (fn(f32) -> Token, f64) = match unit {
        "" => (Token::Number, value),
        "s" => (Token::Duration, value),
        "ms" => (Token::Duration, value / 1000.0),
        "%" => (Token::Ratio, value / 100.0),
        _ => return Err(Fault::Unit(unit.to_owned(), units(number, value, unit))),
    };
    let value = value as f32;
    if value.is_finite() {
        Ok(token(value))
    } else {
        Err(Fault::Malformed(format!("`{}` is too large", clip(text)), None))
    }
}

/// `0s..3s`, `0..10`
fn range(text: &str) -> Option<Fault> {
    let (from, to) = text.split_once("..")?;
    let to = to.trim_start_matches(['.', '=']);
    let (start, end) = (number(from).ok()?, number(to).ok()?);
    let time = |token| matches!(token, Token::Duration(_) | Token::Ratio(_));
    // `0..3s` means seconds on both sides.
    let from = if matches!(end, Token::Duration(_)) && start == Token::Number(0.0) { "0s" } else { from };
    Some(Fault::Range(from.to_owned(), to.to_owned(), time(start) || time(end)))
}

fn number_like(text: &str) -> bool {
    digits_end(text) == text.len() && text.parse::<f64>().is_ok()
}

/// Where the number proper ends: digits, a point, digits, an exponent.
fn digits_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let run = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let mut at = run(0);
    if bytes.get(at) == Some(&b'.') {
        at = run(at + 1);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let end = run(at + 1 + sign);
        if end > at + 1 + sign {
            at = end;
        }
    }
    at
}

/// What may have been meant with an unknown unit.
fn units(number: &str, value: f64, unit: &str) -> Vec<String> {
    match unit.to_ascii_lowercase().as_str() {
        "sec" | "secs" | "second" | "seconds" | "s" => vec![format!("{number}s")],
        "msec" | "msecs" | "millis" | "milliseconds" | "ms" => vec![format!("{number}ms")],
        "m" | "min" | "mins" | "minute" | "minutes" => {
            vec![format!("{number}ms"), format!("{}s", value * 60.0)]
        }
        "us" | "µs" | "μs" => vec![format!("{}ms", value / 1000.0)],
        "h" => vec![format!("{}s", value * 3600.0)],
        "f" | "d" | "u" | "l" | "px" => vec![number.to_owned()],
        "pct" | "percent" => vec![format!("{number}%")],
        _ => Vec::new(),
    }
}

/// Reads a color, `#` included.
pub(super) fn color(text: &str) -> Result<Token, Fault> {
    let shown = clip(text);
    let hex = &text[1..];
    let malformed = |why: String| Fault::Malformed(why, None);
    if let Some(bad) = hex.chars().find(|c| !c.is_ascii_hexdigit()) {
        return Err(malformed(format!("`{shown}` is not a color: `{bad}` is not a hexadecimal digit")));
    }
    let parse =
        |hex: &str| u32::from_str_radix(hex, 16).map_err(|_| malformed(format!("`{shown}` is not a color")));
    Ok(Token::Color(match hex.len() {
        3 => {
            let value = parse(hex)?;
            let wide = |shift: u32| ((value >> shift) & 0xf) * 0x11;
            wide(8) << 24 | wide(4) << 16 | wide(0) << 8 | 0xff
        }
        6 => parse(hex)? << 8 | 0xff,
        8 => parse(hex)?,
        digits => return Err(malformed(format!("`{shown}` is not a color: it has {digits} digits"))),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_units() {
        assert_eq!(number(".5"), Ok(Token::Number(0.5)));
        assert_eq!(number("1e3"), Ok(Token::Number(1000.0)));
        assert_eq!(number("1.5e-3"), Ok(Token::Number(0.0015)));
        assert_eq!(number("200ms"), Ok(Token::Duration(0.2)));
        assert_eq!(number("0.2s"), Ok(Token::Duration(0.2)));
        assert_eq!(number("80%"), Ok(Token::Ratio(0.8)));
        assert_eq!(number("340282350000000000000000000000000000000"), Ok(Token::Number(f32::MAX)));
    }

    #[test]
    fn faults() {
        assert_eq!(number("0.2sec"), Err(Fault::Unit("sec".into(), vec!["0.2s".into()])));
        assert_eq!(number("3m"), Err(Fault::Unit("m".into(), vec!["3ms".into(), "180s".into()])));
        for text in ["1e99", "1.2.3", "5.", "5.s", "1_000", "0x1f", "50%%", "1e400"] {
            assert!(matches!(number(text), Err(Fault::Malformed(..))), "{text}");
        }
        assert!(matches!(number("1e"), Err(Fault::Unit(..))));
        let range = |from: &str, to: &str, time| Err(Fault::Range(from.into(), to.into(), time));
        assert_eq!(number("0s..3s"), range("0s", "3s", true));
        assert_eq!(number("0..3s"), range("0s", "3s", true));
        assert_eq!(number("0..10"), range("0", "10", false));
        assert!(matches!(number("1..2..3"), Err(Fault::Malformed(..))));
    }

    #[test]
    fn colors() {
        assert_eq!(color("#f80"), Ok(Token::Color(0xff88_00ff)));
        assert_eq!(color("#ff8800"), Ok(Token::Color(0xff88_00ff)));
        assert_eq!(color("#ff880080"), Ok(Token::Color(0xff88_0080)));
        for text in ["#", "#ff", "#ff88", "#ggg", "#ff88001"] {
            assert!(color(text).is_err(), "{text}");
        }
    }
}
