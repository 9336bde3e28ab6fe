//! Nested machines: components of the behavior, whose files are imported by themselves.
//!
//! What is bound is compared with the parameters of the nested file, where that lies beside this one.

use std::collections::{BTreeMap, BTreeSet};

use super::json::{self, Id};
use super::keys;
use super::model::{Component, Param, Ty, Use};
use super::parameters::{self, Params};
use super::reader::{Reader, Word};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::import::names::{Taken, clean, pascal, written};
use crate::import::page::{number_text, quoted};
use crate::import::{base, behavior_name, stem};
use crate::source::{FileId, Loader};

/// What a nested file offers.
struct Offer {
    /// Its behavior, with the alias of its file.
    behavior: String,
    /// `None` where the file is not there to be read.
    params: Option<Params>,
}

/// Where nested files are looked for, and what the behavior at hand is called.
pub(super) struct Around<'a> {
    pub(super) files: &'a dyn Loader,
    pub(super) from: &'a str,
    pub(super) behavior: &'a str,
}

/// Reads the nested machines, and the files that they need.
pub(super) fn read(
    reader: &mut Reader<'_, '_>,
    params: &Params,
    machine: Id,
    around: &Around<'_>,
) -> (Vec<Use>, Vec<Component>) {
    let mut uses = Vec::new();
    let mut components = Vec::new();
    let mut offers: BTreeMap<String, Offer> = BTreeMap::new();
    let mut taken = Taken::default();
    let mut behaviors = Taken::default();
    behaviors.fresh(around.behavior);
    let mut targets = Taken::default();
    // A parameter of this machine follows one thing.
    let mut followers = BTreeSet::new();
    let list = reader.list(machine, "nested");
    reader.keep(&list, "id", &mut taken);
    for id in list {
        if !reader.object(id, keys::NESTED) {
            continue;
        }
        let Some((word, path)) = file(reader, id) else { continue };
        if path == format!("./{}.motix", stem(around.from)) {
            let message = "the machine is nested in itself";
            reader.report(Code::NotInMotix, word.id, message, "this nested machine is not carried over");
            continue;
        }
        let offer = offers.entry(path.clone()).or_insert_with(|| {
            let (own, found) = look(reader, &word, around);
            let alias = behaviors.contains(&own).then(|| behaviors.fresh(&own.to_lowercase()));
            let behavior = match &alias {
                Some(alias) => format!("{}.{}", written(alias), written(&own)),
                None => written(&behaviors.fresh(&own)),
            };
            uses.push(Use { path, alias });
            Offer { behavior, params: found }
        });
        let name = match reader.text(id, "id") {
            Some(word) => reader.name(&word, &mut taken),
            None => taken.fresh(&clean(stem(&word.text))),
        };
        let target = target(reader, id, &name, &mut targets);
        let doc = reader.doc(id);
        let binds = binds(reader, params, offer.params.as_ref(), id, &mut followers);
        components.push(Component { doc, name, behavior: offer.behavior.clone(), target, binds });
    }
    (uses, components)
}

/// Where a component is in the host's scene, if that is not its name: no other one is there.
fn target(reader: &mut Reader<'_, '_>, id: Id, name: &str, taken: &mut Taken) -> Option<String> {
    let word = reader.text(id, "target");
    let wanted = word.as_ref().map_or(name, |word| word.text.trim_matches('/'));
    let target = taken.fresh(if wanted.is_empty() { name } else { wanted });
    if let Some(word) = &word
        && word.text != target
    {
        let message = if taken.contains(wanted) && wanted != target && !wanted.is_empty() {
            format!("the target `{}` is there twice", word.text.escape_debug())
        } else {
            format!("the target \"{}\" cannot stand here", word.text.escape_debug())
        };
        reader.report(Code::AdjustedValue, word.id, message, &format!("it became `{target}`"));
    }
    (target != name).then_some(target)
}

/// The file of a nested machine, and the path under which its result is used.
fn file(reader: &mut Reader<'_, '_>, id: Id) -> Option<(Word, String)> {
    let label = "this nested machine is not carried over";
    let word = reader.needed(id, "file", label)?;
    let path = word.text.replace('\\', "/");
    let relative = !path.starts_with('/') && !path.contains(':');
    let bare = stem(&path);
    if bare.is_empty() || !relative || path.chars().any(char::is_control) {
        let message = format!("`{}` is no file beside this one", word.text.escape_debug());
        reader.report(Code::NotInMotix, word.id, message, label);
        return None;
    }
    let folder = &path[..path.len() - base(&path).len()];
    let folder = folder.strip_prefix("./").unwrap_or(folder);
    let start = if folder.starts_with("../") { "" } else { "./" };
    let path = format!("{start}{folder}{bare}.motix");
    Some((word, path))
}

/// The behavior of a nested file and its parameters, as the import of that file calls them.
fn look(reader: &mut Reader<'_, '_>, word: &Word, around: &Around<'_>) -> (String, Option<Params>) {
    let path = word.text.replace('\\', "/");
    let known = [".fmtion", ".json"].iter().any(|ending| path.ends_with(ending));
    let text = around.files.load(&path, around.from).ok().filter(|_| known);
    let text = text.and_then(|(_, bytes)| String::from_utf8(bytes).ok());
    let found = text.and_then(|text| offer(&text, &path));
    let result = format!("{}.motix", stem(&path));
    let span = reader.json.span(word.id);
    let shown = word.text.escape_debug();
    let label = format!("import it too: `motixc import {shown} -o {result}`");
    let message = match found {
        Some(_) => format!("the nested machine is in `{shown}`"),
        None => format!(
            "the nested machine in `{shown}` could not be read, so nothing is known about its parameters"
        ),
    };
    reader.push(Diagnostic::new(Code::NestedFile, message, span, label));
    let (behavior, params) = found.unzip();
    (behavior.unwrap_or_else(|| behavior_name(stem(&path))), params)
}

/// What a nested file offers; what is wrong in it is told when it is imported itself.
fn offer(text: &str, name: &str) -> Option<(String, Params)> {
    let mut diagnostics = Diagnostics::default();
    let json = json::read(FileId(0), text, &mut diagnostics)?;
    let mut reader = Reader::new(&json, &mut diagnostics);
    let machine = super::machine_of(&mut reader)?;
    let behavior = super::name_of(&mut reader, machine, name);
    Some((behavior, parameters::read(&mut reader, machine)))
}

/// The bindings of a nested machine as they are written.
fn binds(
    reader: &mut Reader<'_, '_>,
    params: &Params,
    inner: Option<&Params>,
    nested: Id,
    followers: &mut BTreeSet<String>,
) -> Vec<String> {
    let mut binds = Vec::new();
    let mut led = BTreeSet::new();
    let label = "this binding is not carried over";
    for id in reader.list(nested, "proxies") {
        if !reader.object(id, keys::PROXY) {
            continue;
        }
        let outer = params.named(reader, id, "parent", label);
        let Some(child) = reader.needed(id, "child", label) else { continue };
        let Some(arrow) = arrow(reader, id, label) else { continue };
        let Some(outer) = outer else { continue };
        let found = match inner {
            None => None,
            Some(inner) => match inner.find(&child.text) {
                Some(found) => Some(found),
                None => {
                    reader.unknown("parameter of the nested machine", &child, inner.sources(), label);
                    continue;
                }
            },
        };
        if !found.is_none_or(|found| fits(reader, outer, found, id, label)) {
            continue;
        }
        let name = found.map_or_else(|| clean(&child.text), |found| found.name.clone());
        let (up, down) = (arrow != "->", arrow != "<-");
        if (up && followers.contains(&outer.name)) || (down && led.contains(&name)) {
            let twice = if up && followers.contains(&outer.name) { &outer.name } else { &name };
            reader.report(Code::DuplicateInMachine, id, format!("two bindings write `{twice}`"), label);
            continue;
        }
        if up {
            followers.insert(outer.name.clone());
        }
        if down {
            led.insert(name.clone());
        }
        binds.push(format!("Bind {} {arrow} {}", written(&outer.name), written(&name)));
    }
    binds
}

fn arrow(reader: &mut Reader<'_, '_>, id: Id, label: &str) -> Option<&'static str> {
    let word = reader.needed(id, "mode", label)?;
    match word.text.as_str() {
        "parentToChild" => Some("->"),
        "childToParent" => Some("<-"),
        "bidirectional" => Some("<->"),
        _ => {
            reader.no_choice(&word, &["parentToChild", "childToParent", "bidirectional"], label);
            None
        }
    }
}

/// Whether two parameters can be bound; a difference of ranges is reported, and does not stand in the way.
fn fits(reader: &mut Reader<'_, '_>, outer: &Param, inner: &Param, id: Id, label: &str) -> bool {
    let (left, right) = (outer.source.escape_debug(), inner.source.escape_debug());
    let same = match (&outer.ty, &inner.ty) {
        (Ty::Enum(a), Ty::Enum(b)) => a.iter().map(|row| &row.name).eq(b.iter().map(|row| &row.name)),
        (a, b) => a == b,
    };
    if !same {
        let message = match (&outer.ty, &inner.ty) {
            (Ty::Enum(_), Ty::Enum(_)) => format!("`{left}` and `{right}` have different options"),
            (a, b) => {
                format!("`{left}` is {}, and `{right}` of the nested machine is {}", a.name(), b.name())
            }
        };
        reader.report(Code::WrongJsonType, id, message, label);
        return false;
    }
    let (outer, inner) = ([outer.min, outer.max, outer.step], [inner.min, inner.max, inner.step]);
    if outer != inner {
        let message =
            format!("`{left}` is {}, and `{right}` of the nested machine is {}", range(outer), range(inner));
        reader.report(
            Code::RangesDiffer,
            id,
            message,
            "what one of them cannot hold is moved into its range",
        );
    }
    true
}

fn range([min, max, step]: [Option<f64>; 3]) -> String {
    let mut text = match (min, max) {
        (None, None) => "any number".to_owned(),
        (Some(min), None) => format!("{} or more", number_text(min)),
        (None, Some(max)) => format!("{} or less", number_text(max)),
        (Some(min), Some(max)) => format!("{} to {}", number_text(min), number_text(max)),
    };
    if let Some(step) = step {
        text += &format!(" in steps of {}", number_text(step));
    }
    text
}

/// The name of a behavior that its file names.
pub(super) fn given_name(word: Option<Word>) -> Option<String> {
    word.map(|word| pascal(&word.text)).filter(|name| !name.is_empty())
}

impl Component {
    /// Its properties as they are written.
    pub(super) fn parts(&self) -> Vec<String> {
        let target = self.target.iter().map(|target| format!("Target {}", quoted(target)));
        target.chain(self.binds.iter().cloned()).collect()
    }
}
