//! Reports of what was done since the last tick, which the next one gives: by the names of what they tell.
//!
//! What the changed program cannot tell is listed as lost. The values of a custom event go with it where its types are
//! the same.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Instance, Lost, MigrationReport};
use crate::frame::{Event, EventKind, Output};
use crate::ids::{ComponentId, EmitId, MachineId};
use crate::instance::PENDING;
use crate::program::BehaviorRef;
use crate::program::tables::Type;
use crate::value::EventValue;

impl Instance {
    /// Takes over what the other one has to report.
    pub(super) fn carry_reports(&mut self, from: &Self, report: &mut MigrationReport) {
        let Some(pending) = &from.pending else { return };
        let program = self.program.clone();
        let (Some(old), Some(new)) = (from.program.at(from.behavior), program.at(self.behavior)) else {
            return;
        };
        let mut kept = Output::new(PENDING);
        kept.lost = pending.lost;
        for event in &pending.events {
            let Some(inside) = old.component_behavior(event.component) else { continue };
            let path = old.component_path(event.component);
            let component = if path.is_empty() { Ok(ComponentId::ROOT) } else { new.component(&path) };
            // That a component is gone is told of the component.
            let Ok(component) = component else { continue };
            let carried = new.component_behavior(component).and_then(|is| {
                let names = Names { old: inside, new: is };
                Some((names.kind(event.kind)?, names.values(pending, event)?))
            });
            let Some((kind, values)) = carried else {
                let dot = if path.is_empty() { "" } else { "." };
                let lost =
                    Lost { what: "report of", name: format!("{path}{dot}{}", told(inside, event.kind)) };
                if !report.lost.contains(&lost) {
                    report.lost.push(lost);
                }
                continue;
            };
            let first = if values.is_empty() { 0 } else { kept.values.len() };
            let [first, count] = [first, values.len()].map(|number| u32::try_from(number).unwrap_or(0));
            kept.values.extend(values);
            kept.push_event(Event { kind, component, first, values: count, ..*event });
        }
        if !kept.events.is_empty() || kept.lost > 0 {
            self.pending = Some(Box::new(kept));
        }
    }
}

/// What a report tells of, by its name.
fn told(names: BehaviorRef<'_>, kind: EventKind) -> String {
    let text = |id| names.program().text(id);
    String::from(match kind {
        EventKind::Play { animation }
        | EventKind::Stop { animation }
        | EventKind::Reject { animation }
        | EventKind::Defer { animation }
        | EventKind::Finish { animation }
        | EventKind::Loop { animation }
        | EventKind::Marker { animation, .. }
        | EventKind::SpanBegin { animation, .. }
        | EventKind::SpanEnd { animation, .. } => names.animation_name(animation),
        EventKind::Audio { asset } => text(asset),
        EventKind::Camera { name } => text(name),
        EventKind::Emit { emit } => names.emit_name(emit),
        EventKind::Enter { state, .. }
        | EventKind::Exit { state, .. }
        | EventKind::Dropped { state, .. }
        | EventKind::FadeStart { to: state, .. }
        | EventKind::FadeEnd { to: state, .. }
        | EventKind::FadeCancel { to: state, .. } => return names.state_full_path(state),
        EventKind::ChainLimit { .. } | EventKind::EventLimit => "a limit",
    })
}

/// A part of an instance, before and after.
struct Names<'p> {
    old: BehaviorRef<'p>,
    new: BehaviorRef<'p>,
}

impl Names<'_> {
    fn machine(&self, machine: MachineId) -> Option<MachineId> {
        match self.old.machine_name(machine) {
            None => self.new.main_machine(),
            Some(layer) => self.new.machine(layer).ok(),
        }
    }

    /// A report of a command or a listener, in the changed program.
    fn kind(&self, kind: EventKind) -> Option<EventKind> {
        let (old, new) = (self.old, self.new);
        let animation = |id| new.animation(old.animation_name(id)).ok();
        let text = |id| new.program().text_id(old.program().text(id));
        Some(match kind {
            EventKind::Play { animation: id } => EventKind::Play { animation: animation(id)? },
            EventKind::Stop { animation: id } => EventKind::Stop { animation: animation(id)? },
            EventKind::Reject { animation: id } => EventKind::Reject { animation: animation(id)? },
            EventKind::Defer { animation: id } => EventKind::Defer { animation: animation(id)? },
            EventKind::Marker { animation: id, marker } => {
                let animation = animation(id)?;
                EventKind::Marker { animation, marker: new.marker(animation, old.marker_name(marker)).ok()? }
            }
            EventKind::SpanBegin { animation: id, span } => {
                let animation = animation(id)?;
                EventKind::SpanBegin { animation, span: new.span(animation, old.span_name(span)).ok()? }
            }
            EventKind::SpanEnd { animation: id, span } => {
                let animation = animation(id)?;
                EventKind::SpanEnd { animation, span: new.span(animation, old.span_name(span)).ok()? }
            }
            EventKind::Audio { asset } => EventKind::Audio { asset: text(asset)? },
            EventKind::Camera { name } => EventKind::Camera { name: text(name)? },
            EventKind::Emit { emit } => EventKind::Emit { emit: new.emit(old.emit_name(emit)).ok()? },
            EventKind::Dropped { machine, state } => {
                let machine = self.machine(machine)?;
                let path = old.state_path(state);
                let states = new.rows().machines.get(machine.index())?.states;
                let mut states = states.indices().filter_map(crate::ids::StateId::from_index);
                EventKind::Dropped { machine, state: states.find(|id| new.state_path(*id) == path)? }
            }
            EventKind::ChainLimit { machine: None } => kind,
            _ => return None,
        })
    }

    fn types(names: BehaviorRef<'_>, emit: EmitId) -> Option<&[Type]> {
        Some(names.rows().emits.get(emit.index())?.types.of(&names.rows().emit_types))
    }

    /// What a custom event carries, in the changed program.
    fn values(&self, pending: &Output, event: &Event) -> Option<Vec<EventValue>> {
        let EventKind::Emit { emit } = event.kind else { return Some(Vec::new()) };
        let was = Self::types(self.old, emit)?;
        let is = Self::types(self.new, self.new.emit(self.old.emit_name(emit)).ok()?)?;
        let first = event.first as usize;
        let values = pending.values.get(first..first.checked_add(event.values as usize)?)?;
        if was.len() != is.len() || values.len() != is.len() {
            return None;
        }
        let value = |((was, is), value): ((&Type, &Type), &EventValue)| {
            Some(match (was, is, value) {
                (Type::Enum(was), Type::Enum(is), EventValue::Variant(index)) => {
                    let name = self.old.variants(*was).nth(usize::from(*index))?;
                    EventValue::Variant(self.new.variant_index(*is, name).ok()?)
                }
                (Type::Text, Type::Text, EventValue::Text(id)) => {
                    let text = self.old.program().text(*id);
                    self.new
                        .program()
                        .text_id(text)
                        .map_or_else(|| EventValue::HostText(text.into()), EventValue::Text)
                }
                (was, is, value) if was == is => value.clone(),
                _ => return None,
            })
        };
        was.iter().zip(is).zip(values).map(value).collect()
    }
}
