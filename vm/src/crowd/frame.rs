//! What a tick of a crowd reports: the events of all members, by their places, and the values of custom events.
//!
//! The caller owns the frame, as it does that of an instance. It is filled by members one after the other; where several
//! run at once, each fills a part of its own, and the parts are put together in the order of the members, so that nobody
//! sees who ran when.

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
    part: Part,
    /// Those of members that tick at once, until they are put together.
    #[cfg(feature = "rayon")]
    parts: Vec<Part>,
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

    /// Takes over what the members behind have reported, as if they had reported it here.
    #[cfg(feature = "rayon")]
    fn append(&mut self, part: &mut Self) {
        let mut begin = 0;
        let values = self.out.values.len();
        self.out.values.append(&mut part.out.values);
        for report in &part.reports {
            self.out.begin();
            for event in part.out.events.get(begin..report.end).unwrap_or_default() {
                self.out.events.push(event.behind(values));
            }
            begin = report.end;
            self.keep(report.member);
        }
        self.lost = self.lost.saturating_add(part.lost);
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
        Self {
            part: Part::new(events.min(u32::MAX as usize)),
            #[cfg(feature = "rayon")]
            parts: Vec::new(),
        }
    }

    /// Makes room, so that ticks with no more events and values than that allocate nothing.
    pub fn reserve(&mut self, events: usize, values: usize) {
        let events = events.min(self.part.limit);
        self.part.out.events.reserve(events);
        self.part.out.values.reserve(values.min(self.part.limit.saturating_mul(4)));
        self.part.reports.reserve(events);
    }

    /// The members that reported something in the last tick, with what they reported in the order of time; by their
    /// places.
    pub fn members(&self) -> impl Iterator<Item = (usize, &[Event])> {
        let mut begin = 0;
        self.part.reports.iter().map(move |report| {
            let events = self.part.out.events.get(begin..report.end).unwrap_or_default();
            begin = report.end;
            (report.member, events)
        })
    }

    /// The events of the last tick, member by member, those of each in the order of time.
    pub fn events(&self) -> impl Iterator<Item = (usize, &Event)> {
        self.members().flat_map(|(member, events)| events.iter().map(move |event| (member, event)))
    }

    /// The events of a member.
    #[must_use]
    pub fn events_of(&self, member: usize) -> &[Event] {
        let reports = &self.part.reports;
        let Ok(index) = reports.binary_search_by_key(&member, |report| report.member) else { return &[] };
        let begin =
            index.checked_sub(1).and_then(|before| reports.get(before)).map_or(0, |report| report.end);
        let end = reports.get(index).map_or(begin, |report| report.end);
        self.part.out.events.get(begin..end).unwrap_or_default()
    }

    /// What a custom event of this frame carries, in order; empty for other events.
    #[must_use]
    pub fn values(&self, event: &Event) -> &[EventValue] {
        self.part.out.values_of(event)
    }

    /// How many events of the last tick were lost, because there were more than the limit.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.part.lost
    }

    /// Forgets the events; the memory stays.
    pub fn clear(&mut self) {
        self.part.clear();
    }

    /// What members fill that run one after the other.
    pub(super) fn only_part(&mut self) -> &mut Part {
        &mut self.part
    }

    /// What members fill that run at once.
    #[cfg(feature = "rayon")]
    pub(super) fn parts(&mut self, count: usize) -> &mut [Part] {
        let limit = self.part.limit;
        self.parts.resize_with(count, || Part::new(limit));
        self.parts.iter_mut().for_each(Part::clear);
        &mut self.parts
    }

    /// Moves what is in the parts to where it is read.
    #[cfg(feature = "rayon")]
    pub(super) fn put_together(&mut self) {
        self.parts.iter_mut().for_each(|part| self.part.append(part));
    }
}

impl Default for CrowdFrame {
    fn default() -> Self {
        Self::new()
    }
}
