//! Easings, in the spellings that files use: `easeOutCubic`, `ease-in-out`, `cubic-bezier(...)`, four numbers.

use motix_vm::easing::{Easing, MOST_STEPS};

use super::json::{Id, Value};
use super::keys;
use super::reader::Reader;
use crate::diagnostic::Code;
use crate::import::page::number_text;

/// An easing as it is written; `None` for a linear one. What has no counterpart is reported.
pub(super) fn easing(reader: &mut Reader<'_, '_>, object: Id) -> Option<String> {
    let id = reader.get(object, "easing")?;
    let found = match reader.json.value(id) {
        Value::Text(text) => named(text),
        Value::List(items) => {
            let items = items.clone();
            numbers(reader, &items).and_then(|points| bezier(&points))
        }
        Value::Object(_) => {
            reader.object(id, keys::BEZIER);
            let points = reader.list(id, "controlPoints");
            numbers(reader, &points).and_then(|points| bezier(&points))
        }
        _ => {
            reader.wrong(id, "the name of an easing, or four numbers");
            return None;
        }
    };
    if found.is_none() {
        let path = reader.json.path(id);
        let message = match reader.json.value(id) {
            Value::Text(text) => format!("`{path}` is `{}`, which has no counterpart", text.escape_debug()),
            _ => format!("`{path}` is no Bézier curve with times from 0 to 1"),
        };
        reader.report(Code::NotInMotix, id, message, "it became linear");
    }
    found.filter(|easing| easing != "linear")
}

/// The easing with that name, in any spelling.
fn named(text: &str) -> Option<String> {
    let text = text.trim();
    if let Some((head, rest)) = text.split_once('(') {
        let arguments: Option<Vec<f64>> =
            rest.strip_suffix(')')?.split(',').map(|part| part.trim().parse().ok()).collect();
        return match (plain(head).as_str(), arguments?.as_slice()) {
            ("cubicbezier", points) => bezier(points),
            ("steps", [count])
                if *count >= 1.0 && *count <= f64::from(MOST_STEPS) && count.fract() == 0.0 =>
            {
                Some(format!("steps({count})"))
            }
            _ => None,
        };
    }
    let word = plain(text);
    if word == "ease" {
        // As CSS defines it.
        return bezier(&[0.25, 0.1, 0.25, 1.0]);
    }
    Easing::NAMED.iter().map(|easing| easing.name()).find(|name| plain(name) == word).map(str::to_owned)
}

/// A word without the marks and the case that spellings differ in.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

fn numbers(reader: &mut Reader<'_, '_>, items: &[Id]) -> Option<Vec<f64>> {
    items.iter().take(5).map(|item| reader.number_of(*item)).collect()
}

fn bezier(points: &[f64]) -> Option<String> {
    let [x1, y1, x2, y2] = points else { return None };
    let times = [x1, x2].iter().all(|x| (0.0..=1.0).contains(*x));
    // Farther than any curve of use, and than the language takes.
    let heights = [y1, y2].iter().all(|y| y.abs() <= 1_000.0);
    let text = |number: &f64| number_text(*number);
    (times && heights).then(|| format!("cubicBezier({}, {}, {}, {})", text(x1), text(y1), text(x2), text(y2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings() {
        for (text, easing) in [
            ("ease-in-out", "easeInOut"),
            ("easeOutCubic", "easeOutCubic"),
            ("ease-out-cubic", "easeOutCubic"),
            ("EASE_IN_BACK", "easeInBack"),
            ("linear", "linear"),
            ("ease", "cubicBezier(0.25, 0.1, 0.25, 1)"),
            ("cubic-bezier(.4, 0, 0.2, 1)", "cubicBezier(0.4, 0, 0.2, 1)"),
            ("steps(4)", "steps(4)"),
        ] {
            assert_eq!(named(text).as_deref(), Some(easing), "{text}");
        }
        for text in [
            "spring.bouncy",
            "elastic.out(1, 0.3)",
            "cubic-bezier(2, 0, 0, 1)",
            "steps(0)",
            "steps(1.5)",
            "(",
        ] {
            assert_eq!(named(text), None, "{text}");
        }
    }
}
