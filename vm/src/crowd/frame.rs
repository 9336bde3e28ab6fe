//! What a tick of a crowd reports: the events of all members, by their places, and the values of custom events.
//!
//! The caller owns the frame, as it does that of an instance. It is filled by members one after the other; where several
//! run at once, each fills a part of its own, and the parts are read in the order of the members, so that nobody sees who
//! ran when.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::eval::STACK;
use crate::frame::{DEFAULT_LIMIT, Event, Output};
use crate::value::EventValue;

/// The events that a frame holds unless told otherwise.
const LIMIT: usize = 1 << 20;

/// The output of a tick of a [`Crowd`](crate::Crowd).
#[derive(Debug)]
pub struct CrowdFrame {
    /// What members reported that stand side by side, in their order; all values are in the first.
    parts: Vec<Part>,
    limit: usize,
}

/// What some members reported.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) out: Output,
    /// The members that reported, ascending.
    reports: Vec<Report>,
    /// Events beyond the limit.
    lost: u64,
    limit: usize,
    /// The evaluator's stack; here so that no tick has to clear it.
    pub(super) stack: Box<[u32; STACK]>,
}

/// Where the events of a member end; they begin where those before it end.
#[derive(Clone, Copy, Debug)]
struct Report {
    member: usize,
    end: usize,
}

impl Part {
    fn new(limit: usize) -> Self {
        Self {
            out: Output::new(limit.min(DEFAULT_LIMIT)),
            reports: Vec::new(),
            lost: 0,
            limit,
            stack: Box::new([0; STACK]),
        }
    }

    pub(super) fn clear(&mut self) {
        self.out.clear();
        self.reports.clear();
        self.lost = 0;
    }

    /// Keeps what a member reported since it began, as far as there is room.
    pub(super) fn keep(&mut self, member: usize) {
        let count = self.out.recent().len();
        if count == 0 {
            return;
        }
        let before = self.out.events.len() - count;
        let room = self.limit.saturating_sub(before);
        if count > room {
            let beyond = self.out.recent().get(room..).unwrap_or_default();
            self.lost = beyond.iter().fold(self.lost, |sum, event| sum.saturating_add(event.count.into()));
            self.out.cut(room);
        }
        if room > 0 {
            self.reports.push(Report { member, end: self.out.events.len() });
        }
    }

    /// Keeps only so many events, the first.
    #[cfg(feature = "rayon")]
    fn trim(&mut self, room: usize) {
        let Some(beyond) = self.out.events.get(room..).filter(|beyond| !beyond.is_empty()) else { return };
        self.lost = beyond.iter().fold(self.lost, |sum, event| sum.saturating_add(event.count.into()));
        self.out.events.truncate(room);
        let whole = self.reports.partition_point(|report| report.end <= room);
        let begin = whole.checked_sub(1).and_then(|last| self.reports.get(last)).map_or(0, |last| last.end);
        self.reports.truncate(if begin < room { whole + 1 } else { whole });
        if let Some(last) = self.reports.get_mut(whole) {
            last.end = room;
        }
    }

    /// Takes over the values of those behind.
    #[cfg(feature = "rayon")]
    fn take_values(&mut self, part: &mut Self) {
        let values = self.out.values.len();
        if !part.out.values.is_empty() {
            part.out.events.iter_mut().for_each(|event| *event = event.behind(values));
            self.out.values.append(&mut part.out.values);
        }
    }

    fn members(&self) -> impl Iterator<Item = (usize, &[Event])> {
        let mut begin = 0;
        self.reports.iter().map(move |report| {
            let events = self.out.events.get(begin..report.end).unwrap_or_default();
            begin = report.end;
            (report.member, events)
        })
    }
}

impl CrowdFrame {
    /// An empty frame that holds at most 1,048,576 events.
    #[must_use]
    pub fn new() -> Self {
        Self::with_limit(LIMIT)
    }

    /// An empty frame that holds at most so many events of a tick. Of the events beyond, those of the last members,
    /// only the number is known: [`lost`](Self::lost). Besides, no member reports more in a tick than it would into a
    /// [`Frame`](crate::Frame) of that limit, or of 65,536 events.
    #[must_use]
    pub fn with_limit(events: usize) -> Self {
        let limit = events.min(u32::MAX as usize);
        Self { parts: alloc::vec![Part::new(limit)], limit }
    }

    /// Makes room, so that ticks with no more events and values than that allocate nothing.
    pub fn reserve(&mut self, events: usize, values: usize) {
        let events = events.min(self.limit);
        if let Some(part) = self.parts.first_mut() {
            part.out.events.reserve(events);
            part.out.values.reserve(values.min(self.limit.saturating_mul(4)));
            part.reports.reserve(events);
        }
    }

    /// The members that reported something in the last tick, with what they reported in the order of time; by their
    /// places.
    pub fn members(&self) -> impl Iterator<Item = (usize, &[Event])> {
        self.parts.iter().flat_map(Part::members)
    }

    /// The events of the last tick, member by member, those of each in the order of time.
    pub fn events(&self) -> impl Iterator<Item = (usize, &Event)> {
        self.members().flat_map(|(member, events)| events.iter().map(move |event| (member, event)))
    }

    /// The events of a member.
    #[must_use]
    pub fn events_of(&self, member: usize) -> &[Event] {
        let of = |part: &&Part| part.reports.last().is_some_and(|last| last.member >= member);
        let Some(Part { out, reports, .. }) = self.parts.iter().find(of) else { return &[] };
        let Ok(index) = reports.binary_search_by_key(&member, |report| report.member) else { return &[] };
        let begin =
            index.checked_sub(1).and_then(|before| reports.get(before)).map_or(0, |report| report.end);
        let end = reports.get(index).map_or(begin, |report| report.end);
        out.events.get(begin..end).unwrap_or_default()
    }

    /// What a custom event of this frame carries, in order; empty for other events.
    #[must_use]
    pub fn values(&self, event: &Event) -> &[EventValue] {
        self.parts.first().map_or(&[], |part| part.out.values_of(event))
    }

    /// How many events of the last tick were lost, because there were more than the limit.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.parts.iter().fold(0, |sum, part| sum.saturating_add(part.lost))
    }

    /// Forgets the events; the memory stays.
    pub fn clear(&mut self) {
        self.parts.iter_mut().for_each(Part::clear);
    }

    /// What so many runs of members fill, cleared before.
    pub(super) fn parts(&mut self, count: usize) -> &mut [Part] {
        if self.parts.len() < count {
            self.parts.resize_with(count, || Part::new(self.limit));
        }
        self.parts.get_mut(..count).unwrap_or_default()
    }

    /// Makes one of the parts that were filled at once.
    #[cfg(feature = "rayon")]
    pub(super) fn put_together(&mut self) {
        let Some((first, others)) = self.parts.split_first_mut() else { return };
        let mut room = self.limit.saturating_sub(first.out.events.len());
        for part in others {
            part.trim(room);
            room = room.saturating_sub(part.out.events.len());
            first.take_values(part);
        }
    }
}

impl Default for CrowdFrame {
    fn default() -> Self {
        Self::new()
    }
}
