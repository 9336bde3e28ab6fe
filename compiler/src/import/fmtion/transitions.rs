//! Transitions: ends, condition, gate, crossfade.
//!
//! A crossfade of the notation cannot be interrupted unless `earlyExit` says so; in the language it can, unless
//! `EarlyExit false` says otherwise. What concerns a crossfade is left out where there is none.

use super::clips::Clips;
use super::conditions;
use super::easing;
use super::json::{Id, Value};
use super::keys;
use super::machine::{End, States};
use super::model::{LoopMode, Motion, Transition};
use super::parameters::Params;
use super::reader::Reader;
use crate::diagnostic::Code;
use crate::import::page::number_text;

const LOST: &str = "this transition is not carried over";

/// Reads a transition: where it is from, and what it is.
pub(super) fn read(
    reader: &mut Reader<'_, '_>,
    params: &Params,
    clips: &Clips,
    states: &mut States,
    id: Id,
) -> Option<(End, Transition)> {
    if !reader.object(id, keys::TRANSITION) {
        return None;
    }
    let (from, to) = (reader.needed(id, "from", LOST), reader.needed(id, "to", LOST));
    let from_end = from.as_ref().and_then(|word| states.find(reader, word, LOST));
    let to_end = to.as_ref().and_then(|word| states.find(reader, word, LOST));
    let (from, to, from_end, to_end) = (from?, to?, from_end?, to_end?);
    let End::State(target) = to_end else {
        reader.report(Code::NotInMotix, to.id, "a transition cannot lead to every state", LOST);
        return None;
    };
    if from_end == to_end {
        let message = format!("a transition of `{}` to itself does nothing", from.text.escape_debug());
        reader.report(Code::NotInMotix, to.id, message, LOST);
        return None;
    }
    if let End::State(source) = from_end
        && states.exits.contains(&source)
    {
        let message = format!(
            "`{}` is where the machine ends, and nothing leads on from there",
            from.text.escape_debug()
        );
        reader.report(Code::NotInMotix, from.id, message, LOST);
        return None;
    }
    let condition = conditions::condition(reader, params, id).ok()?;
    if let Some(at) = reader.get(id, "exitTime")
        && !matches!(reader.json.value(at), Value::Number(_))
    {
        // Without it, the transition would be taken too soon.
        reader.wrong(at, "a number: this transition is not carried over");
        return None;
    }
    let gate = gate(reader, clips, states, from_end, id);
    let row = Transition {
        doc: reader.doc(id),
        target,
        condition,
        gate,
        fade: fade(reader, id),
        random_weight: reader.number_in(id, "randomWeight", 0.0, f64::MAX),
    };
    Some((from_end, row))
}

/// The place in the source's motion for which a transition waits.
fn gate(reader: &mut Reader<'_, '_>, clips: &Clips, states: &States, from: End, id: Id) -> Option<String> {
    let at = reader.get(id, "exitTime")?;
    let share = reader.number_in(id, "exitTime", 0.0, f64::MAX)?;
    if share as f32 == 0.0 {
        // It is past that place when it begins.
        return None;
    }
    let sources = match from {
        End::State(source) => source..source + 1,
        End::Any => 0..states.rows.len(),
    };
    let mut loops = false;
    let mut plays = false;
    for motion in states.rows[sources].iter().filter_map(|state| state.motion.as_ref()) {
        let clip = match motion {
            Motion::Clip { clip, .. } => Some(*clip),
            Motion::Blend { entries, .. } => entries.first().map(|(_, clip)| *clip),
            Motion::Empty => None,
        };
        let Some(clip) = clip.and_then(|clip| clips.rows.get(clip)) else { continue };
        plays = true;
        loops |= clip.mode != LoopMode::None;
    }
    if !plays {
        let message = "`exitTime` waits for an animation, and the state plays none";
        reader.report(Code::NotInMotix, at, message, "not carried over");
        return None;
    }
    if share > 1.0 && !loops {
        let message = format!("`exitTime` is {}, and the animation ends at 1", number_text(share));
        reader.report(Code::AdjustedValue, at, message, "it became the end");
        return Some("AtEnd".to_owned());
    }
    if share as f32 == 1.0 {
        return Some("AtEnd".to_owned());
    }
    // Without the digits that a share in tens does not have in hundreds.
    let hundred = if share < 1e9 { (share * 1e8).round() / 1e6 } else { share * 100.0 };
    let hundred = if hundred == 0.0 { share * 100.0 } else { hundred };
    Some(format!("ExitTime {}%", number_text(hundred.min(f64::from(f32::MAX)))))
}

/// The properties of the crossfade; none where there is none.
fn fade(reader: &mut Reader<'_, '_>, id: Id) -> Vec<String> {
    let duration = reader.number_in(id, "duration", 0.0, f64::MAX).unwrap_or(0.0);
    let easing = easing::easing(reader, id);
    let pause = reader.flag(id, "pauseOnExit") == Some(true);
    let early = reader.flag(id, "earlyExit") == Some(true);
    if (duration / 1000.0) as f32 == 0.0 {
        return Vec::new();
    }
    let mut fade = vec![format!("Duration {}", time(duration))];
    fade.extend(easing.map(|easing| format!("Easing {easing}")));
    if pause {
        fade.push("PauseOnExit".to_owned());
    }
    if !early {
        fade.push("EarlyExit false".to_owned());
    }
    fade
}

/// A time as it is written: in milliseconds below one second.
pub(super) fn time(milliseconds: f64) -> String {
    if milliseconds < 1000.0 {
        format!("{}ms", number_text(milliseconds))
    } else {
        format!("{}s", number_text(milliseconds / 1000.0))
    }
}
