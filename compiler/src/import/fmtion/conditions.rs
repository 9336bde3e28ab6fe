//! Conditions of transitions: comparisons of parameters with values, joined by `and` or by `or`.
//!
//! A condition that cannot be read never makes a transition easier to take: where all must hold, the transition is
//! left out; where one is enough, that one is.

use super::json::{Id, Value};
use super::keys;
use super::model::{Param, Ty};
use super::parameters::{self, Params};
use super::reader::Reader;
use crate::diagnostic::Code;
use crate::import::names::written;

/// The condition of a transition could not be read, which was reported.
pub(super) struct Lost;

/// The operators in all spellings, and as they are written here.
const OPERATORS: &[(&str, &str)] = &[
    ("==", "=="),
    ("!=", "!="),
    ("<", "<"),
    ("<=", "<="),
    (">", ">"),
    (">=", ">="),
    // Other spellings of them.
    ("=", "=="),
    ("===", "=="),
    ("!==", "!="),
];

/// The condition of a transition as it is written; `None` where it has none.
pub(super) fn condition(
    reader: &mut Reader<'_, '_>,
    params: &Params,
    transition: Id,
) -> Result<Option<String>, Lost> {
    let any = is_any(reader, transition);
    if let Some(list) = reader.get(transition, "conditions")
        && !matches!(reader.json.value(list), Value::List(_))
    {
        reader.wrong(list, "a list: this transition is not carried over");
        return Err(Lost);
    }
    let items = reader.list(transition, "conditions");
    if items.is_empty() {
        return Ok(None);
    }
    let label =
        if any { "this condition is not carried over" } else { "this transition is not carried over" };
    let mut parts: Vec<String> = Vec::new();
    for item in items {
        match one(reader, params, item, label) {
            // Said twice, it holds as often.
            Some(part) if parts.contains(&part) => {}
            Some(part) => parts.push(part),
            None if any => {}
            None => return Err(Lost),
        }
    }
    if parts.is_empty() {
        let message = "none of the conditions of this transition can be read";
        reader.report(Code::NotInMotix, transition, message, "this transition is not carried over");
        return Err(Lost);
    }
    Ok(Some(parts.join(if any { " or " } else { " and " })))
}

fn is_any(reader: &mut Reader<'_, '_>, transition: Id) -> bool {
    let Some(word) = reader.text(transition, "conditionMode") else { return false };
    match word.text.as_str() {
        "any" => true,
        "all" => false,
        _ => {
            reader.no_choice(&word, &["all", "any"], "all of the conditions must hold now");
            false
        }
    }
}

/// One comparison.
fn one(reader: &mut Reader<'_, '_>, params: &Params, id: Id, label: &str) -> Option<String> {
    if !reader.object(id, keys::CONDITION) {
        return None;
    }
    let param = params.named(reader, id, "parameterId", label)?;
    let operator = operator(reader, id, label)?;
    let name = written(&param.name);
    if matches!(param.ty, Ty::Bool | Ty::Trigger) {
        let holds = truth(reader, param, id, operator, label)?;
        return Some(if holds { name } else { format!("not {name}") });
    }
    if param.ty != Ty::Number && !matches!(operator, "==" | "!=") {
        let message = format!(
            "`{}` is {}, which `{operator}` does not order",
            param.source.escape_debug(),
            param.ty.name()
        );
        reader.report(Code::NotInMotix, id, message, label);
        return None;
    }
    let Some(value) = reader.get(id, "value") else {
        reader.missing(id, "value", label);
        return None;
    };
    let value = parameters::literal(reader, value, param, label)?;
    Some(format!("{name} {operator} {value}"))
}

fn operator(reader: &mut Reader<'_, '_>, id: Id, label: &str) -> Option<&'static str> {
    if reader.get(id, "operator").is_none() {
        return Some("==");
    }
    let word = reader.text(id, "operator")?;
    let found = OPERATORS.iter().find(|(known, _)| *known == word.text).map(|(_, operator)| *operator);
    if found.is_none() {
        let known: Vec<&str> = OPERATORS.iter().take(6).map(|(known, _)| *known).collect();
        reader.no_choice(&word, &known, label);
    }
    found
}

/// Whether a comparison of a bool or a trigger asks for true.
fn truth(reader: &mut Reader<'_, '_>, param: &Param, id: Id, operator: &str, label: &str) -> Option<bool> {
    let value = match reader.get(id, "value") {
        None => true,
        Some(value) => match reader.json.value(value) {
            Value::Bool(value) => *value,
            _ => {
                reader.wrong(value, &format!("true or false: {label}"));
                return None;
            }
        },
    };
    match operator {
        "==" => Some(value),
        "!=" => Some(!value),
        _ => {
            let message = format!(
                "`{}` is {}, which `{operator}` does not order",
                param.source.escape_debug(),
                param.ty.name()
            );
            reader.report(Code::NotInMotix, id, message, label);
            None
        }
    }
}
