//! States: what each plays, told by its type or, where it has none, by its keys.

use std::collections::BTreeSet;

use super::clips::{self, Clips};
use super::json::Id;
use super::keys::{self, Kind};
use super::model::{LoopMode, Motion, Param, Ty};
use super::parameters::Params;
use super::reader::{Reader, Word};
use crate::diagnostic::Code;
use crate::import::names::written;
use crate::import::page::number_text;

/// What a state is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It plays one animation.
    Clip,
    Blend1D,
    Blend2D,
    BlendDirect,
    /// It holds the pose.
    Empty,
    /// It shows nothing.
    Bare,
    /// The machine begins here.
    Entry,
    /// The machine ends here.
    Exit,
    /// Its transitions are those of every state.
    Any,
}

const ROLES: &[(&str, Role)] = &[
    ("animation", Role::Clip),
    ("blend1d", Role::Blend1D),
    ("blend2d", Role::Blend2D),
    ("blendDirect", Role::BlendDirect),
    ("empty", Role::Empty),
    ("entry", Role::Entry),
    ("exit", Role::Exit),
    ("any", Role::Any),
];

/// The most clips of one blend.
const MOST_CLIPS: usize = motix_vm::program::limits::Limit::MotionClips.value();

/// Words with which an option of a blend begins, so that a weight that is called so stands in parentheses.
const OPTIONS: &[&str] = &["Sync", "Speed", "Normalize"];

/// What a state is for; keys that do not belong to that are reported.
pub(super) fn role(reader: &mut Reader<'_, '_>, id: Id) -> Role {
    let role = match reader.text(id, "type") {
        Some(word) => {
            ROLES.iter().find(|(known, _)| *known == word.text).map(|(_, role)| *role).unwrap_or_else(|| {
                let known: Vec<&str> = ROLES.iter().map(|(known, _)| *known).collect();
                reader.no_choice(&word, &known, "it is told by its keys now");
                by_keys(reader, id)
            })
        }
        None => by_keys(reader, id),
    };
    reader.object(id, kind(role));
    role
}

fn by_keys(reader: &Reader<'_, '_>, id: Id) -> Role {
    let has = |key| reader.get(id, key).is_some();
    match () {
        () if has("animationId") => Role::Clip,
        () if has("children") => Role::BlendDirect,
        () if has("parameterX") || has("parameterY") => Role::Blend2D,
        () if has("points") => Role::Blend1D,
        () => Role::Bare,
    }
}

fn kind(role: Role) -> &'static Kind {
    match role {
        Role::Clip => keys::CLIP_STATE,
        Role::Blend1D => keys::BLEND_1D_STATE,
        Role::Blend2D => keys::BLEND_2D_STATE,
        Role::BlendDirect => keys::BLEND_DIRECT_STATE,
        Role::Empty | Role::Bare | Role::Entry | Role::Exit | Role::Any => keys::PLAIN_STATE,
    }
}

/// What a state plays.
pub(super) fn motion(
    reader: &mut Reader<'_, '_>,
    params: &Params,
    clips: &mut Clips,
    id: Id,
    role: Role,
) -> Option<Motion> {
    let speed = |reader: &mut Reader<'_, '_>| reader.number(id, "speed").filter(|speed| *speed != 1.0);
    match role {
        Role::Clip => {
            let word = reader.needed(id, "animationId", "the state plays nothing now")?;
            let mode =
                clips::loop_mode(reader, id).or_else(|| clips.own_mode(&word.text)).unwrap_or_default();
            Some(Motion::Clip { clip: clips.take(reader, &word, mode), speed: speed(reader) })
        }
        Role::Blend1D => {
            let param = input(reader, params, id, "parameterId")?;
            let head = format!("Blend1D {}", written(&param.name));
            let points = points(reader, id, keys::POINT_1D, &["value"]);
            blend(reader, clips, id, head, points, speed)
        }
        Role::Blend2D => {
            let x = input(reader, params, id, "parameterX")?;
            let y = input(reader, params, id, "parameterY")?;
            let head = format!("Blend2D {}, {}", written(&x.name), written(&y.name));
            let points = points(reader, id, keys::POINT_2D, &["x", "y"]);
            blend(reader, clips, id, head, points, speed)
        }
        Role::BlendDirect => {
            let children = children(reader, params, id);
            blend(reader, clips, id, "BlendDirect".to_owned(), children, speed)
        }
        Role::Empty => Some(Motion::Empty),
        Role::Bare | Role::Entry | Role::Exit | Role::Any => None,
    }
}

/// The parameter that a blend follows.
fn input<'p>(reader: &mut Reader<'_, '_>, params: &'p Params, id: Id, key: &str) -> Option<&'p Param> {
    params.typed(reader, id, key, &Ty::Number, "the state plays nothing now")
}

/// The points of a blend: positions as they are written, and animations. Two in one place are reported.
fn points(reader: &mut Reader<'_, '_>, state: Id, kind: &Kind, axes: &[&str]) -> Vec<(String, Word)> {
    let mut points = Vec::new();
    let mut seen: BTreeSet<Vec<u32>> = BTreeSet::new();
    for point in reader.list(state, "points") {
        if !reader.object(point, kind) {
            continue;
        }
        let label = "this point is not carried over";
        let mut position = Vec::new();
        for axis in axes {
            if reader.get(point, axis).is_none() {
                reader.missing(point, axis, label);
            }
            position.extend(reader.number(point, axis));
        }
        let Some(word) = reader.needed(point, "animationId", label) else { continue };
        if position.len() < axes.len() {
            continue;
        }
        // -0 is 0, and the language counts in 32 bits.
        if !seen.insert(position.iter().map(|value| ((*value as f32) + 0.0).to_bits()).collect()) {
            reader.report(Code::DuplicateInMachine, point, "two points of the blend are in one place", label);
            continue;
        }
        let text: Vec<String> = position.iter().map(|value| number_text(*value)).collect();
        let text = if axes.len() > 1 { format!("({})", text.join(", ")) } else { text.concat() };
        points.push((text, word));
    }
    points
}

/// The children of a direct blend: weights as they are written, and animations.
fn children(reader: &mut Reader<'_, '_>, params: &Params, state: Id) -> Vec<(String, Word)> {
    let mut children = Vec::new();
    for child in reader.list(state, "children") {
        if !reader.object(child, keys::CHILD) {
            continue;
        }
        let label = "this child is not carried over";
        let weight = match reader.get(child, "weight") {
            Some(_) if reader.get(child, "parameterId").is_none() => {
                reader.number_in(child, "weight", 0.0, 1.0).map(number_text)
            }
            extra => {
                if let Some(extra) = extra {
                    let message = format!("`{}` is not carried over", reader.json.path(extra));
                    reader.report(Code::UnknownKey, extra, message, "the parameter gives the weight");
                }
                params
                    .typed(reader, child, "parameterId", &Ty::Number, label)
                    .map(|param| weight(reader, child, param))
            }
        };
        let word = reader.needed(child, "animationId", label);
        children.extend(weight.zip(word));
    }
    children
}

/// The weight that a parameter gives: as it is where it goes to 1, else as a share of its `max`.
fn weight(reader: &mut Reader<'_, '_>, child: Id, param: &Param) -> String {
    let name = written(&param.name);
    match param.max {
        Some(max) if max > 1.0 => {
            let max = number_text(max);
            if let Some(id) = reader.get(child, "parameterId") {
                let message = format!("`{}` goes to {max}, and a weight to 1", param.source.escape_debug());
                reader.report(Code::Assumed, id, message, &format!("the weight is `{name} / {max}`"));
            }
            if OPTIONS.contains(&name.as_str()) {
                format!("({name} / {max})")
            } else {
                format!("{name} / {max}")
            }
        }
        _ if OPTIONS.contains(&name.as_str()) => format!("({name})"),
        _ => name,
    }
}

/// A blend of these entries; one without any is reported.
fn blend(
    reader: &mut Reader<'_, '_>,
    clips: &mut Clips,
    id: Id,
    head: String,
    mut entries: Vec<(String, Word)>,
    speed: impl Fn(&mut Reader<'_, '_>) -> Option<f64>,
) -> Option<Motion> {
    if entries.len() > MOST_CLIPS {
        let message = format!("the blend has {} clips, and {MOST_CLIPS} is the most", entries.len());
        reader.report(Code::AdjustedValue, id, message, "the others are left out");
        entries.truncate(MOST_CLIPS);
    }
    if entries.is_empty() {
        reader.report(Code::MissingPart, id, "the blend has nothing to blend", "the state plays nothing now");
        return None;
    }
    let modes = modes(reader, clips, id, &entries);
    let entries: Vec<(String, usize)> = entries
        .iter()
        .zip(modes)
        .map(|((position, word), mode)| (position.clone(), clips.take(reader, word, mode)))
        .collect();
    Some(Motion::Blend { head, entries, speed: speed(reader) })
}

/// How the clips of a blend repeat: as the state says, or each as it says itself; they loop where nothing is said,
/// and where only some would.
fn modes(reader: &mut Reader<'_, '_>, clips: &Clips, id: Id, entries: &[(String, Word)]) -> Vec<LoopMode> {
    if let Some(mode) = clips::loop_mode(reader, id) {
        return vec![mode; entries.len()];
    }
    let own: Vec<Option<LoopMode>> = entries.iter().map(|(_, word)| clips.own_mode(&word.text)).collect();
    if own.iter().all(|mode| *mode == Some(LoopMode::None)) {
        return vec![LoopMode::None; entries.len()];
    }
    let at = reader.get(id, "id").unwrap_or(id);
    if own.iter().all(Option::is_none) {
        let message = "nothing says whether the clips of this blend loop";
        reader.report(Code::Assumed, at, message, "they loop now");
    } else if own.contains(&Some(LoopMode::None)) {
        let message = "some clips of this blend loop and some do not";
        reader.report(Code::AdjustedValue, at, message, "all of them loop now");
    }
    own.into_iter()
        .map(|mode| mode.filter(|mode| *mode != LoopMode::None).unwrap_or(LoopMode::Loop))
        .collect()
}
