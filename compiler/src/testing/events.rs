//! Events as tests name them: matching patterns against what happened, and writing events as in source.

use std::mem::discriminant;

use motix_vm::ids::{AnimationId, ComponentId, MarkerId, SpanId};
use motix_vm::program::BehaviorRef;
use motix_vm::{Event, EventKind};

use crate::hir::{EventPattern, TestEvent};
use crate::intern::Interner;

/// An event of a window: what happened, and how often in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    component: ComponentId,
    pub(super) kind: EventKind,
    pub(super) count: u32,
}

impl Seen {
    pub(super) fn of(event: &Event) -> Self {
        Self { component: event.component, kind: event.kind, count: event.count }
    }
}

/// Whether the event is one that the pattern names. Sounds, cameras and limits may be those of any component.
pub(super) fn matches(wanted: TestEvent, seen: Seen, behavior: BehaviorRef<'_>, names: &Interner) -> bool {
    let TestEvent { component, pattern } = wanted;
    let Some(behavior) = behavior.component_behavior(seen.component) else { return false };
    if component != seen.component && !is_of_any(pattern) {
        return false;
    }
    let program = behavior.program();
    match (pattern, seen.kind) {
        (EventPattern::Enter(wanted), EventKind::Enter { state, .. })
        | (EventPattern::Exit(wanted), EventKind::Exit { state, .. })
        | (EventPattern::Dropped(wanted), EventKind::Dropped { state, .. }) => wanted == state,
        (EventPattern::Play(wanted), EventKind::Play { animation })
        | (EventPattern::Stop(wanted), EventKind::Stop { animation })
        | (EventPattern::Finish(wanted), EventKind::Finish { animation })
        | (EventPattern::Loop(wanted), EventKind::Loop { animation })
        | (EventPattern::Reject(wanted), EventKind::Reject { animation })
        | (EventPattern::Defer(wanted), EventKind::Defer { animation }) => wanted == animation,
        (EventPattern::Marker(wanted, name), EventKind::Marker { animation, marker }) => {
            wanted == animation && marker_name(behavior, marker) == names.text(name)
        }
        (EventPattern::SpanBegin(wanted), EventKind::SpanBegin { span, .. })
        | (EventPattern::SpanEnd(wanted), EventKind::SpanEnd { span, .. }) => wanted == span,
        (EventPattern::Audio(wanted), EventKind::Audio { asset }) => {
            program.text(asset) == names.text(wanted)
        }
        (EventPattern::Camera(wanted), EventKind::Camera { name }) => {
            program.text(name) == names.text(wanted)
        }
        (EventPattern::Emit(wanted), EventKind::Emit { emit }) => {
            behavior.emit_name(emit) == names.text(wanted)
        }
        (EventPattern::FadeStart(wanted_from, wanted_to), EventKind::FadeStart { from, to, .. })
        | (EventPattern::FadeEnd(wanted_from, wanted_to), EventKind::FadeEnd { from, to, .. })
        | (EventPattern::FadeCancel(wanted_from, wanted_to), EventKind::FadeCancel { from, to, .. }) => {
            (wanted_from, wanted_to) == (from, to)
        }
        (EventPattern::ChainLimit, EventKind::ChainLimit { .. }) => true,
        _ => false,
    }
}

/// Whether it does not matter to which component something happens.
const fn is_of_any(pattern: EventPattern) -> bool {
    matches!(pattern, EventPattern::Audio(_) | EventPattern::Camera(_) | EventPattern::ChainLimit)
}

/// Whether the event is of the pattern's kind and component, whatever it is about.
fn same_kind(wanted: TestEvent, seen: Seen) -> bool {
    let TestEvent { component, pattern } = wanted;
    if component != seen.component && !is_of_any(pattern) {
        return false;
    }
    let (animation, marker, span) = (AnimationId::default(), MarkerId::default(), SpanId::default());
    let (state, machine) = (motix_vm::ids::StateId::default(), motix_vm::ids::MachineId::default());
    let text = motix_vm::ids::TextId::default();
    let kind = match pattern {
        EventPattern::Enter(_) => EventKind::Enter { machine, state },
        EventPattern::Exit(_) => EventKind::Exit { machine, state },
        EventPattern::Play(_) => EventKind::Play { animation },
        EventPattern::Stop(_) => EventKind::Stop { animation },
        EventPattern::Finish(_) => EventKind::Finish { animation },
        EventPattern::Loop(_) => EventKind::Loop { animation },
        EventPattern::Reject(_) => EventKind::Reject { animation },
        EventPattern::Defer(_) => EventKind::Defer { animation },
        EventPattern::Marker(..) => EventKind::Marker { animation, marker },
        EventPattern::SpanBegin(_) => EventKind::SpanBegin { animation, span },
        EventPattern::SpanEnd(_) => EventKind::SpanEnd { animation, span },
        EventPattern::Audio(_) => EventKind::Audio { asset: text },
        EventPattern::Camera(_) => EventKind::Camera { name: text },
        EventPattern::Emit(_) => EventKind::Emit { emit: motix_vm::ids::EmitId::default() },
        EventPattern::ChainLimit => EventKind::ChainLimit { machine: None },
        EventPattern::Dropped(_) => EventKind::Dropped { machine, state },
        EventPattern::FadeStart(..) => EventKind::FadeStart { machine, from: state, to: state },
        EventPattern::FadeEnd(..) => EventKind::FadeEnd { machine, from: state, to: state },
        EventPattern::FadeCancel(..) => EventKind::FadeCancel { machine, from: state, to: state },
    };
    discriminant(&kind) == discriminant(&seen.kind)
}

/// Whether the events of the patterns' kinds are exactly these, in this order; an empty list stands for no events.
pub(super) fn are(
    patterns: &[TestEvent],
    window: &[Seen],
    behavior: BehaviorRef<'_>,
    names: &Interner,
) -> bool {
    if patterns.is_empty() {
        return window.is_empty();
    }
    let mut wanted = patterns.iter();
    for seen in window {
        if !patterns.iter().any(|pattern| same_kind(*pattern, *seen)) {
            continue;
        }
        for _ in 0..seen.count {
            match wanted.next() {
                Some(pattern) if matches(*pattern, *seen, behavior, names) => {}
                _ => return false,
            }
        }
    }
    wanted.next().is_none()
}

/// The event as it is written in a test.
pub(super) fn text(seen: Seen, behavior: BehaviorRef<'_>) -> String {
    let program = behavior.program();
    let path = behavior.component_path(seen.component);
    let behavior = behavior.component_behavior(seen.component).unwrap_or(behavior);
    let of = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    let state = |id| of(&behavior.state_full_path(id));
    let fade = |from, to| format!("{}, {}", state(from), state(to));
    let animation_name = |id| of(behavior.animation_name(id));
    let text = match seen.kind {
        EventKind::Enter { state: id, .. } => format!("Enter({})", state(id)),
        EventKind::Exit { state: id, .. } => format!("Exit({})", state(id)),
        EventKind::FadeStart { from, to, .. } => format!("FadeStart({})", fade(from, to)),
        EventKind::FadeEnd { from, to, .. } => format!("FadeEnd({})", fade(from, to)),
        EventKind::FadeCancel { from, to, .. } => format!("FadeCancel({})", fade(from, to)),
        EventKind::Play { animation } => format!("Play({})", animation_name(animation)),
        EventKind::Stop { animation } => format!("Stop({})", animation_name(animation)),
        EventKind::Finish { animation } => format!("Finish({})", animation_name(animation)),
        EventKind::Loop { animation } => format!("Loop({})", animation_name(animation)),
        EventKind::Reject { animation } => format!("Reject({})", animation_name(animation)),
        EventKind::Defer { animation } => format!("Defer({})", animation_name(animation)),
        EventKind::Marker { animation, marker } => {
            format!("Marker({}, {})", animation_name(animation), marker_name(behavior, marker))
        }
        EventKind::SpanBegin { animation, span } => {
            format!("SpanBegin({}, {})", animation_name(animation), span_name(behavior, span))
        }
        EventKind::SpanEnd { animation, span } => {
            format!("SpanEnd({}, {})", animation_name(animation), span_name(behavior, span))
        }
        EventKind::Audio { asset } => format!("Audio(\"{}\")", program.text(asset).escape_debug()),
        EventKind::Camera { name } => format!("Camera(\"{}\")", program.text(name).escape_debug()),
        EventKind::Emit { emit } => format!("Emit({})", of(behavior.emit_name(emit))),
        EventKind::ChainLimit { .. } => "ChainLimit".into(),
        EventKind::Dropped { state, .. } => format!("Dropped({})", of(&behavior.state_full_path(state))),
        EventKind::EventLimit => return format!("{} events that were lost", seen.count),
    };
    if seen.count == 1 { text } else { format!("{text} x{}", seen.count) }
}

fn marker_name(behavior: BehaviorRef<'_>, marker: MarkerId) -> &str {
    behavior.rows().markers.get(marker.index()).map_or("", |row| behavior.program().text(row.name))
}

fn span_name(behavior: BehaviorRef<'_>, span: SpanId) -> &str {
    behavior.rows().spans.get(span.index()).map_or("", |row| behavior.program().text(row.name))
}
