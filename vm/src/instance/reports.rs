//! Reports of what was done between ticks, as they stand in a save.
//!
//! Each is five words: kind, two ids, count, component; a custom event's values follow, each a tag and a word, or a text. What
//! could not have been reported is refused.

use alloc::sync::Arc;

use super::PENDING;
use super::save::Reader;
use super::sink::Sink;
use crate::error::RestoreError;
use crate::frame::{Event, EventKind, Output};
use crate::ids::{
    AnimationId, BehaviorId, ComponentId, EmitId, MachineId, MarkerId, SpanId, StateId, TextId,
};
use crate::program::Program;
use crate::program::tables::{Behavior, Type};
use crate::value::{Color, EventValue};

const INVALID: RestoreError = RestoreError::Invalid("a report");

/// The tag of a text that the host gave; the others are those of types.
const HOST_TEXT: u32 = 5;

/// Gives the reports.
pub(super) fn put(sink: &mut impl Sink, pending: Option<&Output>) {
    let events = pending.map_or(&[][..], |pending| &pending.events);
    let values = pending.map_or(&[][..], |pending| &pending.values);
    sink.words([u32::try_from(events.len()).unwrap_or(0), pending.map_or(0, |pending| pending.lost)]);
    for event in events {
        let (kind, a, b) = words(event.kind);
        sink.words([kind, a, b, event.count, event.component.0]);
        let first = event.first as usize;
        let own = values.get(first..first.saturating_add(event.values as usize)).unwrap_or_default();
        for value in own {
            match value {
                EventValue::Bool(value) => sink.words([0, u32::from(*value)]),
                EventValue::Number(value) => sink.words([1, value.to_bits()]),
                EventValue::Text(text) => sink.words([2, text.0]),
                EventValue::Variant(index) => sink.words([3, u32::from(*index)]),
                EventValue::Color(color) => sink.words([4, color.to_word()]),
                EventValue::HostText(text) => {
                    sink.words([HOST_TEXT]);
                    sink.text(Some(text));
                }
            }
        }
    }
}

/// What commands and listeners report, as words: a kind and two ids.
fn words(kind: EventKind) -> (u32, u32, u32) {
    let two = |kind, a: u16, b: u16| (kind, u32::from(a), u32::from(b));
    match kind {
        EventKind::Play { animation } => two(1, animation.0, 0),
        EventKind::Stop { animation } => two(2, animation.0, 0),
        EventKind::Reject { animation } => two(3, animation.0, 0),
        EventKind::Defer { animation } => two(4, animation.0, 0),
        EventKind::Marker { animation, marker } => two(5, animation.0, marker.0),
        EventKind::SpanBegin { animation, span } => two(6, animation.0, span.0),
        EventKind::SpanEnd { animation, span } => two(7, animation.0, span.0),
        EventKind::Dropped { machine, state } => two(8, machine.0, state.0),
        EventKind::Audio { asset } => (9, asset.0, 0),
        EventKind::Camera { name } => (10, name.0, 0),
        EventKind::Emit { emit } => two(11, emit.0, 0),
        // Nothing else is reported between ticks but that it was too much.
        _ => (0, 0, 0),
    }
}

/// Reads the reports.
pub(super) fn take(
    reader: &mut Reader<'_>,
    program: &Program,
    behavior: BehaviorId,
) -> Result<Output, RestoreError> {
    let mut pending = Output::new(PENDING);
    let count = reader.word()? as usize;
    pending.lost = reader.word()?;
    // Some are lost only where there were too many.
    if count > PENDING || (count == 0 && pending.lost > 0) {
        return Err(INVALID);
    }
    for _ in 0..count {
        let (kind, a, b, count) = (reader.word()?, reader.word()?, reader.word()?, reader.word()?);
        let component = ComponentId(reader.word()?);
        let rows = program.part(behavior, component).and_then(|part| program.behavior(part.behavior));
        let rows = rows.ok_or(INVALID)?;
        let kind = report(program, rows, kind, a, b)
            .filter(|report| count == 1 && words(*report) == (kind, a, b))
            .ok_or(INVALID)?;
        let first = pending.values.len();
        if let EventKind::Emit { emit } = kind {
            let types = rows.emits.get(emit.index()).map(|row| row.types).unwrap_or_default();
            if !pending.room(types.count as usize) {
                return Err(INVALID);
            }
            for ty in types.of(&rows.emit_types) {
                pending.values.push(value(reader, program, *ty)?);
            }
        }
        let values = pending.values.len() - first;
        let first = if values > 0 { first } else { 0 };
        let [first, values] = [first, values].map(|number| u32::try_from(number).unwrap_or(0));
        pending.push_event(Event { offset: 0.0, kind, component, count, order: 0, first, values });
    }
    Ok(pending)
}

fn report(program: &Program, rows: &Behavior, kind: u32, a: u32, b: u32) -> Option<EventKind> {
    let text = |id: u32| Some(TextId(id)).filter(|id| id.index() < program.tables().texts.len());
    match kind {
        0 => return Some(EventKind::ChainLimit { machine: None }),
        9 => return text(a).map(|asset| EventKind::Audio { asset }),
        10 => return text(a).map(|name| EventKind::Camera { name }),
        _ => {}
    }
    let (a, b) = (u16::try_from(a).ok()?, u16::try_from(b).ok()?);
    let animation = AnimationId(a);
    let row = rows.animations.get(animation.index());
    let (marker, span) = (MarkerId(b), SpanId(b));
    Some(match kind {
        1 if row.is_some() => EventKind::Play { animation },
        2 if row.is_some() => EventKind::Stop { animation },
        3 if row.is_some() => EventKind::Reject { animation },
        4 if row.is_some() => EventKind::Defer { animation },
        5 if row?.markers.indices().contains(&marker.index()) => EventKind::Marker { animation, marker },
        6 if row?.spans.indices().contains(&span.index()) => EventKind::SpanBegin { animation, span },
        7 if row?.spans.indices().contains(&span.index()) => EventKind::SpanEnd { animation, span },
        8 if rows.states.get(usize::from(b))?.machine == MachineId(a) => {
            EventKind::Dropped { machine: MachineId(a), state: StateId(b) }
        }
        11 if usize::from(a) < rows.emits.len() => EventKind::Emit { emit: EmitId(a) },
        _ => return None,
    })
}

/// A value of a custom event, which must be of that type. A variant of an expression may be any, as in a tick.
fn value(reader: &mut Reader<'_>, program: &Program, ty: Type) -> Result<EventValue, RestoreError> {
    let tag = reader.word()?;
    if tag == HOST_TEXT {
        let text: Option<Arc<str>> = if ty == Type::Text { reader.text()? } else { None };
        return text.map(EventValue::HostText).ok_or(INVALID);
    }
    let word = reader.word()?;
    let value = match (tag, ty) {
        (0, Type::Bool | Type::Trigger) if word <= 1 => EventValue::Bool(word != 0),
        (1, Type::Number) if f32::from_bits(word).is_finite() => EventValue::Number(f32::from_bits(word)),
        (2, Type::Text) if (word as usize) < program.tables().texts.len() => EventValue::Text(TextId(word)),
        (3, Type::Enum(_)) => EventValue::Variant(u16::try_from(word).map_err(|_| INVALID)?),
        (4, Type::Color) => EventValue::Color(Color::from_word(word)),
        _ => return Err(INVALID),
    };
    Ok(value)
}
