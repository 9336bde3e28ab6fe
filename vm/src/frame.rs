//! What a tick reports: events in time order, and the values of custom events.
//!
//! The caller owns the frame and hands it to every tick of any number of instances; it grows only when a tick has
//! more events than ever before, and never beyond its limit. It does not know what the ids in it are called.

use alloc::vec::Vec;

use crate::ids::{AnimationId, ComponentId, EmitId, MachineId, MarkerId, SpanId, StateId, TextId};
use crate::value::EventValue;

/// The events a frame holds unless told otherwise.
pub(crate) const DEFAULT_LIMIT: usize = 65_536;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the fields' names are their types
pub enum EventKind {
    /// A state was entered; its `OnEntry` follows.
    Enter { machine: MachineId, state: StateId },
    /// A state is left; its `OnExit` follows.
    Exit { machine: MachineId, state: StateId },
    /// An animation was started, or turned back while it faded out.
    Play { animation: AnimationId },
    /// An animation was stopped or replaced.
    Stop { animation: AnimationId },
    /// An animation that does not loop reached its end.
    Finish { animation: AnimationId },
    /// An animation began another cycle; `count` says how many.
    Loop { animation: AnimationId },
    /// An animation may not play.
    Reject { animation: AnimationId },
    /// An animation waits for the one that holds its group.
    Defer { animation: AnimationId },
    /// A playhead passed a marker; `count` says how often.
    Marker { animation: AnimationId, marker: MarkerId },
    /// A playhead entered a span; `count` says how often.
    SpanBegin { animation: AnimationId, span: SpanId },
    /// A playhead left a span, or was cut inside it; `count` says how often.
    SpanEnd { animation: AnimationId, span: SpanId },
    /// A sound is wanted.
    Audio { asset: TextId },
    /// A camera is wanted.
    Camera { name: TextId },
    /// A custom event; [`Frame::values`] gives what it carries.
    Emit { emit: EmitId },
    /// Decisions were cut short: `machine` had a chain of more than 100 `Instant` transitions, or without a machine,
    /// the tick had more than 100 moments at which something fired, or more work than a tick may do.
    ChainLimit { machine: Option<MachineId> },
    /// A crossfade began.
    FadeStart { machine: MachineId, from: StateId, to: StateId },
    /// A crossfade reached its end.
    FadeEnd { machine: MachineId, from: StateId, to: StateId },
    /// Another transition ended a crossfade.
    FadeCancel { machine: MachineId, from: StateId, to: StateId },
    /// A request was displaced by a better one.
    Dropped { machine: MachineId, state: StateId },
    /// Events were lost because there were more than the limit; `count` says how many.
    EventLimit,
}

/// An event of a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Seconds into the tick, from 0 to its dt.
    pub offset: f32,
    /// What happened. Ids are of the component's behavior.
    pub kind: EventKind,
    /// The component to which it happened; [`ComponentId::ROOT`] for the instance itself.
    pub component: ComponentId,
    /// How many times: 1, or for what playheads pass, the number of passes in a row.
    pub count: u32,
    /// While the events of components are sorted, when it was reported.
    pub(crate) order: u32,
    /// The first value in the frame; while a step's events are sorted, their order at one moment.
    pub(crate) first: u32,
    /// How many values.
    pub(crate) values: u32,
}

#[cfg(feature = "rayon")]
impl Event {
    /// The same in a frame in which so many values stand before its own.
    pub(crate) fn behind(self, values: usize) -> Self {
        match self.kind {
            EventKind::Emit { .. } if self.values > 0 => {
                let first = u32::try_from(values).unwrap_or(u32::MAX).saturating_add(self.first);
                Self { first, ..self }
            }
            _ => self,
        }
    }
}

/// The output of a tick.
#[derive(Debug)]
pub struct Frame {
    pub(crate) out: Output,
    /// The evaluator's stack; here so that no tick has to clear it.
    pub(crate) stack: [u32; crate::eval::STACK],
}

impl Frame {
    /// An empty frame that holds at most 65,536 events.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(DEFAULT_LIMIT)
    }

    /// An empty frame that holds at most so many events, and values, of a tick; what is beyond is counted in one
    /// [`EventKind::EventLimit`].
    #[must_use]
    pub fn with_limit(events: usize) -> Self {
        Self { out: Output::new(events.min(u32::MAX as usize)), stack: [0; crate::eval::STACK] }
    }

    /// Makes room, so that ticks with no more events and values than that allocate nothing.
    pub fn reserve(&mut self, events: usize, values: usize) {
        self.out.events.reserve(events.min(self.out.limit + 1));
        self.out.values.reserve(values.min(self.out.limit));
    }

    /// The events of the last tick, in time order.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.out.events
    }

    /// What a custom event of this frame carries, in order; empty for other events.
    #[must_use]
    pub fn values(&self, event: &Event) -> &[EventValue] {
        self.out.values_of(event)
    }

    /// Forgets the events; the memory stays.
    #[inline]
    pub fn clear(&mut self) {
        self.out.clear();
    }
}

impl Default for Frame {
    fn default() -> Self {
        Self::new()
    }
}

/// Events on their way to the host, with a limit.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    pub(crate) events: Vec<Event>,
    pub(crate) values: Vec<EventValue>,
    /// The component that reports.
    pub(crate) component: ComponentId,
    limit: usize,
    pub(crate) lost: u32,
    /// Where the events and values of this tick begin: those before are of other members of a crowd.
    first: usize,
    first_value: usize,
}

impl Output {
    pub(crate) const fn new(limit: usize) -> Self {
        Self {
            events: Vec::new(),
            values: Vec::new(),
            component: ComponentId::ROOT,
            limit,
            lost: 0,
            first: 0,
            first_value: 0,
        }
    }

    /// What is reported from here on is another's: it has the limit for itself.
    pub(crate) const fn begin(&mut self) {
        (self.first, self.first_value) = (self.events.len(), self.values.len());
    }

    /// What was reported since it [began](Self::begin).
    pub(crate) fn recent(&self) -> &[Event] {
        self.events.get(self.first..).unwrap_or_default()
    }

    /// Whether there is anything to report.
    pub(crate) fn is_empty(&self) -> bool {
        self.events.is_empty() && self.lost == 0
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.events.clear();
        if !self.values.is_empty() {
            self.values.clear();
        }
        self.lost = 0;
        (self.first, self.first_value) = (0, 0);
    }

    pub(crate) fn push(&mut self, offset: f32, kind: EventKind, count: u32) {
        let component = self.component;
        self.push_event(Event { offset, kind, component, count, order: 0, first: 0, values: 0 });
    }

    pub(crate) fn push_event(&mut self, event: Event) {
        if self.events.len() - self.first < self.limit {
            self.events.push(event);
        } else {
            self.lost = self.lost.saturating_add(event.count);
        }
    }

    /// Keeps only so many of the recent events.
    pub(crate) fn cut(&mut self, events: usize) {
        self.events.truncate(self.first.saturating_add(events));
        if events == 0 {
            self.values.truncate(self.first_value);
        }
    }

    /// What a custom event carries.
    pub(crate) fn values_of(&self, event: &Event) -> &[EventValue] {
        let EventKind::Emit { .. } = event.kind else { return &[] };
        let first = event.first as usize;
        self.values.get(first..first.saturating_add(event.values as usize)).unwrap_or_default()
    }

    /// Takes what was reported between ticks, at the start of one; nothing is here yet.
    pub(crate) fn take_over(&mut self, pending: &mut Self) {
        for mut event in pending.events.drain(..) {
            let first = event.first as usize;
            let values = first..first.saturating_add(event.values as usize);
            if event.values > 0 {
                if !self.room(values.len()) {
                    self.lost = self.lost.saturating_add(1);
                    continue;
                }
                event.first = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
                self.values.extend_from_slice(pending.values.get(values).unwrap_or_default());
            }
            self.push_event(event);
        }
        pending.values.clear();
        self.lost = self.lost.saturating_add(core::mem::take(&mut pending.lost));
    }

    /// Whether so many values have room.
    pub(crate) fn room(&self, values: usize) -> bool {
        let own = self.values.len() - self.first_value;
        own.saturating_add(values) <= self.limit.saturating_mul(4)
    }

    /// Reports what was lost, once.
    pub(crate) fn finish(&mut self, offset: f32) {
        if self.lost > 0 {
            let (kind, component) = (EventKind::EventLimit, ComponentId::ROOT);
            let count = core::mem::take(&mut self.lost);
            self.events.push(Event { offset, kind, component, count, order: 0, first: 0, values: 0 });
        }
    }

    /// Brings the events from `from` on, which components reported one after the other, into the order of time among
    /// all. At one moment those that were reported first stay first.
    pub(crate) fn merge(&mut self, from: usize) {
        if self.events.len() == from {
            return;
        }
        let Some(events) = self.events.get_mut(self.first..) else { return };
        for (order, event) in (0..).zip(&mut *events) {
            event.order = order;
        }
        events.sort_unstable_by(|a, b| a.offset.total_cmp(&b.offset).then(a.order.cmp(&b.order)));
        for event in events {
            event.order = 0;
        }
    }
}
