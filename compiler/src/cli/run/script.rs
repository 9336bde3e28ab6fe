//! What a user wants done while a behavior plays: a small grammar, for flags and files alike.
//!
//! ```text
//! speed = 3            set speed = 3       a parameter
//! fire jump            toggle crouched
//! request Jump         request Jump@100    a manual transition, with its priority
//! play Wave            stop Wave           stop Wave immediate
//! stopgroup Arms       stopgroup Arms immediate
//! playtag cheer        stoptag cheer
//! layer Upper = 0.5                        the weight that a layer moves to
//! provide IsGrounded = true                the answer to an extern predicate
//! pointer click icon, card at 0.3, 0.5     what a pointer or the focus does, and the targets from the topmost down
//! key keydown Enter    custom combo    custom combo card
//! ```
//!
//! What is inside a component has the component's path before it, as in tests: `like.liked = true`, `request like.lit`.
//! In one word a colon stands for the first space: `fire:jump`. In a file each line is a command behind its time:
//! `0.5s speed = 3`, `at 0.5s fire jump`, `+100ms stop Wave` (after the line before), or without a time, at that of
//! the line before. `#` and `//` begin comments.

use motix_vm::ids::{AnimationId, ComponentId, ExternId, GroupId, LayerId, ParamId, StateId, TagId};
use motix_vm::program::tables::Type;
use motix_vm::program::{BehaviorRef, LookupError};
use motix_vm::{Color, Value};

use super::sent;
use crate::testing::Sent;

/// A command and when it is carried out.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Seconds from the start.
    pub(super) time: f64,
    /// What it is done to; the ids of the command are of that one's behavior.
    pub(super) component: ComponentId,
    pub(super) command: Command,
    /// As it is shown.
    pub(super) text: String,
}

/// Something that is done to an instance.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    Set(ParamId, Owned),
    Fire(ParamId),
    Toggle(ParamId),
    Request(StateId, i32),
    Play(AnimationId),
    Stop(AnimationId, bool),
    StopGroup(GroupId, bool),
    PlayTag(TagId),
    StopTag(TagId),
    Layer(LayerId, f32),
    Provide(ExternId, bool),
    Input(Sent),
}

/// A value of its own.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Owned {
    Bool(bool),
    Number(f32),
    Text(String),
    Variant(u16, String),
    Color(Color),
}

impl Owned {
    pub(super) fn as_value(&self) -> Value<'_> {
        match self {
            Owned::Bool(value) => Value::Bool(*value),
            Owned::Number(value) => Value::Number(*value),
            Owned::Text(text) => Value::Text(text),
            Owned::Variant(index, name) => Value::Variant { index: *index, name },
            Owned::Color(color) => Value::Color(*color),
        }
    }
}

/// The verbs of commands, and how each is written.
const VERBS: &[(&str, &str)] = &[
    ("set", "set PARAM = VALUE"),
    ("fire", "fire TRIGGER"),
    ("toggle", "toggle PARAM"),
    ("request", "request STATE[@PRIORITY]"),
    ("play", "play ANIMATION"),
    ("stop", "stop ANIMATION [immediate]"),
    ("stopgroup", "stopgroup GROUP [immediate]"),
    ("playtag", "playtag TAG"),
    ("stoptag", "stoptag TAG"),
    ("layer", "layer LAYER = WEIGHT"),
    ("provide", "provide PREDICATE = true|false"),
    ("pointer", "pointer EVENT [TARGET, TARGET] [at X, Y]"),
    ("key", "key keydown|keyup KEY"),
    ("custom", "custom EVENT [TARGET, TARGET]"),
];

/// The longest time that can be named, in seconds.
pub(super) const MAX_TIME: f64 = 1e6;

type Read<T> = Result<T, String>;

/// Reads a command and what it is done to; the error says what is wrong, without a place.
pub(super) fn command(text: &str, behavior: BehaviorRef<'_>) -> Read<(ComponentId, Command)> {
    let text = text.trim();
    let (verb, rest) = split_verb(text);
    let Some(verb) = verb else {
        let Some((name, value)) = text.split_once('=') else {
            return Err(unknown_command(text));
        };
        return set(name, value, behavior);
    };
    let usage = || {
        let form = VERBS.iter().find(|(known, _)| *known == verb).map_or("", |(_, form)| *form);
        format!("`{text}` is not complete; it is written `{form}`")
    };
    if rest.is_empty() {
        return Err(usage());
    }
    let assigned = || rest.split_once('=').map(|(name, value)| (bare(name), value.trim())).ok_or_else(usage);
    let (target, immediate) = match rest.rsplit_once(char::is_whitespace) {
        Some((target, "immediate")) => (bare(target), true),
        _ => (bare(rest), false),
    };
    let root = |command| (ComponentId::ROOT, command);
    match verb {
        "set" => {
            let (name, value) = rest.split_once('=').ok_or_else(usage)?;
            set(name, value, behavior)
        }
        "fire" => within(&bare(rest), behavior, |at, name| Ok(Command::Fire(at.trigger(name)?.id()))),
        "toggle" => within(&bare(rest), behavior, |at, name| Ok(Command::Toggle(at.boolean(name)?.id()))),
        "request" => request(rest, behavior),
        "play" => within(&bare(rest), behavior, |at, name| Ok(Command::Play(at.animation(name)?))),
        "stop" => within(&target, behavior, |at, name| Ok(Command::Stop(at.animation(name)?, immediate))),
        "stopgroup" => {
            within(&target, behavior, |at, name| Ok(Command::StopGroup(at.group(name)?, immediate)))
        }
        "playtag" => within(&bare(rest), behavior, |at, name| Ok(Command::PlayTag(at.tag(name)?))),
        "pointer" => sent::pointer(rest, behavior).map(Command::Input).map(root),
        "key" => sent::key(rest).map(Command::Input).map(root),
        "custom" => sent::custom(rest, behavior).map(Command::Input).map(root),
        "stoptag" => within(&bare(rest), behavior, |at, name| Ok(Command::StopTag(at.tag(name)?))),
        "layer" => {
            let (name, value) = assigned()?;
            let weight = number(value).filter(|weight| (0.0..=1.0).contains(weight));
            let weight =
                weight.ok_or_else(|| format!("a layer's weight is a number from 0 to 1, not `{value}`"));
            let (component, layer) = within(&name, behavior, |at, name| Ok(at.layer(name)?))?;
            Ok((component, Command::Layer(layer, weight?)))
        }
        _ => {
            let (name, value) = assigned()?;
            let (component, predicate) = within(&name, behavior, |at, name| Ok(at.extern_predicate(name)?))?;
            let answer = boolean(value)
                .ok_or_else(|| format!("extern predicate `{name}` is true or false, not `{value}`"))?;
            Ok((component, Command::Provide(predicate, answer)))
        }
    }
}

/// Looks a name up in the behavior or, where a component's path stands before it, in that component's.
fn within<'p, T>(
    name: &str,
    behavior: BehaviorRef<'p>,
    look: impl Fn(BehaviorRef<'p>, &str) -> Result<T, LookupError>,
) -> Read<(ComponentId, T)> {
    let own = match look(behavior, name) {
        Ok(found) => return Ok((ComponentId::ROOT, found)),
        Err(error) => error.to_string(),
    };
    // The longest path that is one: states have dots too.
    let inside = name.rmatch_indices('.').find_map(|(dot, _)| {
        let component = behavior.component(&name[..dot]).ok()?;
        Some((component, behavior.component_behavior(component)?, &name[dot + 1..]))
    });
    let Some((component, inside, name)) = inside else { return Err(own) };
    look(inside, name).map(|found| (component, found)).map_err(|error| error.to_string())
}

/// The verb in front of a command, if there is one, and what follows it.
fn split_verb(text: &str) -> (Option<&str>, &str) {
    let end = text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let known = VERBS.iter().any(|(verb, _)| *verb == word);
    // `fire = 1` sets a parameter that is called like a verb.
    let assigns = rest.trim_start().starts_with('=');
    let separated = rest.is_empty() || rest.starts_with(':') || rest.starts_with(char::is_whitespace);
    if known && separated && !assigns {
        (Some(word), rest.trim_start_matches(':').trim())
    } else {
        (None, text)
    }
}

fn unknown_command(text: &str) -> String {
    let forms: Vec<String> = VERBS.iter().map(|(_, form)| format!("`{form}`")).collect();
    format!("`{text}` is no command; there are `PARAM=VALUE`, {}", forms.join(", "))
}

/// A name without the backquotes or quotes around it.
pub(super) fn bare(name: &str) -> String {
    let name = name.trim();
    for quote in ['`', '"'] {
        if let Some(inner) = name.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)) {
            return inner.to_owned();
        }
    }
    name.to_owned()
}

fn request(rest: &str, behavior: BehaviorRef<'_>) -> Read<(ComponentId, Command)> {
    let (name, priority) = match rest.rsplit_once('@') {
        // A state may have an @ in its name, in quotes.
        Some((name, priority)) if !priority.ends_with(['`', '"']) => {
            let priority = priority.trim();
            let number = priority.parse();
            (name, number.map_err(|_| format!("a priority is a whole number, not `{priority}`"))?)
        }
        _ => (rest, 0),
    };
    within(&bare(name), behavior, |at, name| Ok(Command::Request(at.state(name)?, priority)))
}

fn set(name: &str, value: &str, behavior: BehaviorRef<'_>) -> Read<(ComponentId, Command)> {
    let name = bare(name);
    let (component, (behavior, param)) = within(&name, behavior, |at, name| Ok((at, at.param(name)?)))?;
    let Some(row) = behavior.rows().params.get(param.index()) else {
        return Err(format!("unknown parameter `{name}`"));
    };
    let value = value.trim();
    let wrong = |expected: &str| format!("parameter `{name}` is {expected}, not `{value}`");
    let owned = match row.ty {
        Type::Bool => Owned::Bool(boolean(value).ok_or_else(|| wrong("a bool, true or false"))?),
        Type::Number => Owned::Number(number(value).ok_or_else(|| wrong("a number"))?),
        Type::Text => Owned::Text(bare(value)),
        Type::Color => Owned::Color(color(value).ok_or_else(|| wrong("a color such as #ff8800"))?),
        Type::Trigger => return Err(format!("parameter `{name}` is a trigger; fire it with `fire:{name}`")),
        Type::Enum(id) => {
            let variant = bare(value);
            let index = behavior.variant_index(id, &variant).map_err(|_| {
                let variants: Vec<String> =
                    behavior.variants(id).map(|variant| format!("`{variant}`")).collect();
                wrong(&format!("one of {}", variants.join(", ")))
            })?;
            Owned::Variant(index, variant)
        }
    };
    Ok((component, Command::Set(param, owned)))
}

fn boolean(text: &str) -> Option<bool> {
    match text.trim() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// A finite number, with a unit or without: `1.5`, `200ms`, `80%`.
pub(super) fn number(text: &str) -> Option<f32> {
    let text = text.trim();
    let (digits, factor) = if let Some(digits) = text.strip_suffix("ms") {
        (digits, 0.001)
    } else if let Some(digits) = text.strip_suffix('s') {
        (digits, 1.0)
    } else if let Some(digits) = text.strip_suffix('%') {
        (digits, 0.01)
    } else {
        (text, 1.0)
    };
    // Only what the language takes as a number: no `inf`, no `nan`.
    if !digits.contains(|c: char| c.is_ascii_digit())
        || digits.contains(|c: char| c.is_ascii_alphabetic() && c != 'e')
    {
        return None;
    }
    let value = (digits.parse::<f64>().ok()? * factor) as f32;
    value.is_finite().then_some(value)
}

fn color(text: &str) -> Option<Color> {
    let digits = text.strip_prefix('#')?;
    let wide = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).chain("ff".chars()).collect(),
        6 => format!("{digits}ff"),
        8 => digits.to_owned(),
        _ => return None,
    };
    if !wide.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    u32::from_str_radix(&wide, 16).ok().map(Color::from_word)
}

/// A time in seconds: `0.5s`, `500ms`, `0.5`.
pub(super) fn time(text: &str) -> Read<f64> {
    let value = text.trim();
    let (digits, factor) = match value.strip_suffix("ms") {
        Some(digits) => (digits, 0.001),
        None => (value.strip_suffix('s').unwrap_or(value), 1.0),
    };
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && !digits.is_empty();
    let time = digits.parse::<f64>().ok().filter(|_| plain).map(|time| time * factor);
    match time {
        Some(time) if time <= MAX_TIME => Ok(time),
        Some(_) => Err(format!("`{value}` is too long: at most {MAX_TIME} s")),
        None => Err(format!("`{value}` is no time; write `0.5s` or `500ms`")),
    }
}

/// Reads a file of commands; errors begin with their lines.
pub(super) fn file(text: &str, behavior: BehaviorRef<'_>) -> Read<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut now = 0.0;
    for (index, line) in text.lines().enumerate() {
        let line = uncommented(line).trim();
        if line.is_empty() {
            continue;
        }
        let at = |why: String| format!("line {}: {why}", index + 1);
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = match (word, rest.trim_start().split_once(char::is_whitespace)) {
            ("at", Some((time, rest))) => (time, rest),
            _ => (word, rest),
        };
        let command_text = if word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '+')) {
            now = match word.strip_prefix('+') {
                Some(later) => now + time(later).map_err(at)?,
                None => time(word).map_err(at)?,
            };
            if now > MAX_TIME {
                return Err(at(format!("this is too late: at most {MAX_TIME} s")));
            }
            rest.trim()
        } else {
            line
        };
        if command_text.is_empty() {
            return Err(at("a command is missing behind the time".to_owned()));
        }
        let (component, command) = command(command_text, behavior).map_err(at)?;
        entries.push(Entry { time: now, component, command, text: shown(command_text) });
    }
    Ok(entries)
}

/// A command as it is shown: with its verb apart.
pub(super) fn shown(text: &str) -> String {
    let text = text.trim();
    match split_verb(text) {
        (Some(verb), rest) => format!("{verb} {rest}"),
        (None, text) => match text.split_once('=') {
            Some((name, value)) => format!("set {} = {}", name.trim(), value.trim()),
            None => text.to_owned(),
        },
    }
}

/// A line without its comment; `#` and `//` in quotes, and `#` of a color, are none.
fn uncommented(line: &str) -> &str {
    let mut quoted = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match (quoted, c) {
            (Some(quote), c) if c == quote => quoted = None,
            (Some(_), _) => {}
            (None, '"' | '`') => quoted = Some(c),
            (None, '/') if line[at..].starts_with("//") => return &line[..at],
            (None, '#') if before.is_whitespace() && !is_color(&line[at..]) => return &line[..at],
            _ => {}
        }
        before = c;
    }
    line
}

fn is_color(text: &str) -> bool {
    color(text.split_whitespace().next().unwrap_or("")).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(time("0.5s"), Ok(0.5));
        assert_eq!(time("250ms"), Ok(0.25));
        assert_eq!(time("2"), Ok(2.0));
        for wrong in ["", "s", "-1s", "1e9", "inf", "nan", "1m", "9999999s"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_finite() {
        assert_eq!(number("80%"), Some(0.8));
        assert_eq!(number("-2.5"), Some(-2.5));
        assert_eq!(number("1e3"), Some(1000.0));
        for wrong in ["", "inf", "nan", "1e99", "fast", "0x10", "infinity"] {
            assert_eq!(number(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn colors_have_three_six_or_eight_digits() {
        assert_eq!(color("#f80").map(Color::to_word), Some(0xff88_00ff));
        assert_eq!(color("#11223344").map(Color::to_word), Some(0x1122_3344));
        for wrong in ["", "#", "#12", "#ggg", "ff8800", "#é"] {
            assert_eq!(color(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn verbs_stand_alone_or_before_a_colon() {
        assert_eq!(split_verb("fire:jump"), (Some("fire"), "jump"));
        assert_eq!(split_verb("request Jump@100"), (Some("request"), "Jump@100"));
        assert_eq!(split_verb("fire = true"), (None, "fire = true"));
        assert_eq!(split_verb("firepower=1"), (None, "firepower=1"));
    }

    #[test]
    fn comments_end_a_line_but_not_a_color() {
        assert_eq!(uncommented("fire jump # now"), "fire jump ");
        assert_eq!(uncommented("tint = #ff8800 // orange"), "tint = #ff8800 ");
        assert_eq!(uncommented("name = \"# // x\""), "name = \"# // x\"");
    }
}
