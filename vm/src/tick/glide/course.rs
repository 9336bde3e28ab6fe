//! How what plays moves as long as nothing is due in it, and how far that goes: animations, and the steady clips of
//! machines.

use super::ENDLESS;
use crate::instance::track::head;
use crate::instance::view::{View, play, word};
use crate::place::{self, FAR_END};
use crate::program::layout::{Contest, NONE, SLOT_WORDS, Slot};
use crate::program::tables::LoopMode;
use crate::program::tracks::Track;
use crate::time::SAME_MOMENT;

/// A fade with no more units than that left is over.
const ARRIVED: u32 = SAME_MOMENT as u32;

/// How the motion of a machine moves as long as nothing is due: a clip at a fixed pace, outside of fades. Without a motion
/// there is nothing to move.
pub(super) struct TrackCourse(Option<(Slot, Course)>);

impl TrackCourse {
    /// `None` where only a tick can tell.
    pub(super) fn of(view: View<'_>, track: &Track) -> Option<Self> {
        if view.fading(track) || view.word(track.at + head::OWNER) & !0xFFFF != 0 {
            return None;
        }
        if view.motion(track).is_none() {
            return Some(Self(None));
        }
        let slot = view.live_slot(track, 0).filter(|_| view.is_steady(track, 0))?;
        let course = Course::with::<false>(view, &slot, view.place(&slot), 0, view.flags(&slot))?;
        Some(Self(Some((slot, course))))
    }

    pub(super) fn step(&self) -> u64 {
        self.0.as_ref().map_or(0, |(_, course)| course.step)
    }

    /// How far it goes before anything is due, gates included.
    pub(super) fn room(&self, view: View<'_>, track: &Track) -> Room {
        let moving = self.0.as_ref();
        let (wait, next) = view.next_gate(track, moving.map(|(slot, _)| slot));
        let none = Room { wait: ENDLESS, way: FAR_END, young: false };
        let mut room = moving.map_or(none, |(slot, course)| {
            let room = course.room::<false>(view, slot);
            let way = course.way_to(place::join(0, next), place::tolerance(course.step));
            Room { way: if course.step == 0 { room.way } else { room.way.min(way) }, ..room }
        });
        room.young = wait != u64::MAX;
        room.wait = room.wait.min(wait.saturating_sub(SAME_MOMENT));
        room
    }

    pub(super) fn after(&self, view: View<'_>, units: u64) -> Option<Move> {
        let (_, course) = self.0.as_ref()?;
        let moved = course.after(course.step.wrapping_mul(units), units);
        // Where an animation has its fade, a playhead of a motion has something that stays.
        Some(Move { fade: view.word(course.at as usize + word::FADE), ..moved })
    }
}

/// What the end of a fade is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FadeEnd {
    /// Something that only a tick knows.
    Due,
    /// From then on the weight is that.
    Arrives(u32),
    /// From then on the animation does not play.
    Gone,
}

/// How an animation moves as long as nothing is due.
pub(super) struct Course {
    /// Its first word.
    pub(super) at: u32,
    /// Units of its fade that are left.
    pub(super) fade: u32,
    pub(super) end: FadeEnd,
    pub(super) place: u64,
    /// The way of a unit; 0 where it stands.
    pub(super) step: u64,
    pub(super) backward: bool,
}

impl Course {
    /// `None` where only a tick can tell. How its fade ends is said where that is `plain`: where nobody decides at that
    /// moment and nothing protects or marks it.
    #[inline(always)] // so that it stays in registers
    pub(super) fn of<const SIMPLE: bool>(view: View<'_>, slot: &Slot, plain: bool) -> Option<Self> {
        let [fraction, position, _, fade, flags] = *view.words.get(slot.at as usize..)?.first_chunk()?;
        if fade == 0 && flags & play::FADING != 0 {
            return None;
        }
        let mut course = Self::with::<SIMPLE>(view, slot, place::join(fraction, position), fade, flags)?;
        if plain && fade != 0 {
            course.end = match flags & play::FADING {
                0 => FadeEnd::Arrives(slot.weight.to_bits()),
                _ => FadeEnd::Gone,
            };
        }
        Some(course)
    }

    #[inline(always)] // so that it stays in registers
    pub(super) fn with<const SIMPLE: bool>(
        view: View<'_>,
        slot: &Slot,
        place: u64,
        fade: u32,
        flags: u32,
    ) -> Option<Self> {
        let backward = flags & play::BACKWARD != 0;
        let mut course = Self { at: slot.at, fade, end: FadeEnd::Due, place, step: 0, backward };
        if flags & play::ENDED != 0 {
            return Some(course);
        }
        course.step = if SIMPLE { slot.step } else { view.step(slot) };
        if !SIMPLE && course.step == 0 {
            // What has no length is at its end at once.
            let stands = slot.loop_mode != LoopMode::None || view.duration(slot) > 0.0;
            return stands.then_some(course);
        }
        let reversed = if SIMPLE { slot.speed < 0.0 } else { view.rate(slot) < 0.0 };
        // What is to turn around does so first.
        (backward == (reversed != (flags & play::TURNED != 0))).then_some(course)
    }

    /// Whether time changes nothing of it.
    #[inline]
    pub(super) fn is_still(&self) -> bool {
        self.step == 0 && self.fade == 0
    }

    /// How far it goes before anything is due.
    #[inline(always)] // so that it stays in registers
    pub(super) fn room<const SIMPLE: bool>(&self, view: View<'_>, slot: &Slot) -> Room {
        let mut room = Room { wait: ENDLESS, way: FAR_END, young: false };
        if self.fade != 0 && self.end == FadeEnd::Due {
            room.wait = u64::from(self.fade).saturating_sub(SAME_MOMENT);
        }
        if !SIMPLE && slot.protection != NONE {
            room.protect(view, slot);
        }
        if self.step != 0 {
            let marked = !SIMPLE && slot.marked;
            let next = if marked { next_mark(view, slot, self.from(), self.backward) } else { FAR_END };
            let tolerance = if SIMPLE { slot.tolerance } else { place::tolerance(self.step) };
            room.way = self.way_to(next, tolerance);
        }
        room
    }

    /// Its place in the direction of travel.
    #[inline]
    pub(super) fn from(&self) -> u64 {
        if self.backward { FAR_END.saturating_sub(self.place) } else { self.place }
    }

    /// Less than so far it goes without coming to a place before it, in the direction of travel.
    #[inline]
    pub(super) fn way_to(&self, next: u64, tolerance: u64) -> u64 {
        next.saturating_sub(self.from()).saturating_sub(tolerance)
    }

    /// Where it is after so many units, in which it goes so far.
    #[inline]
    pub(super) fn after(&self, way: u64, units: u64) -> Move {
        let place = if self.backward { self.place.wrapping_sub(way) } else { self.place.wrapping_add(way) };
        let left = u64::from(self.fade).saturating_sub(units) as u32;
        let moved = Move { at: self.at, fade: left, place, ..Move::default() };
        match self.end {
            FadeEnd::Arrives(weight) if left <= ARRIVED => Move { fade: 0, weight: Some(weight), ..moved },
            FadeEnd::Gone if left <= ARRIVED => Move { gone: true, ..moved },
            _ => moved,
        }
    }
}

/// What an animation's words become.
#[derive(Clone, Copy, Default)]
pub(super) struct Move {
    pub(super) at: u32,
    pub(super) fade: u32,
    pub(super) place: u64,
    /// Where the fade has ended.
    pub(super) weight: Option<u32>,
    /// It does not play any more.
    pub(super) gone: bool,
}

impl Move {
    #[inline]
    pub(super) fn put(&self, words: &mut [u32]) {
        let slot = words.get_mut(self.at as usize..).and_then(|words| words.first_chunk_mut());
        let Some(slot @ &mut [_, _, weight, _, flags]) = slot else { return };
        let [low, high] = place::split(self.place);
        *slot = match self.gone {
            false => [low, high, self.weight.unwrap_or(weight), self.fade, flags],
            true => [0; SLOT_WORDS],
        };
    }
}

/// What is before an animation.
pub(super) struct Room {
    /// Less than so many units until a fade is over, or what somebody waits for.
    pub(super) wait: u64,
    /// A shorter way than that until it passes something.
    pub(super) way: u64,
    /// It is still protected, or a gate waits for its time.
    pub(super) young: bool,
}

impl Room {
    /// The end of its protection is of interest where somebody waits for it.
    fn protect(&mut self, view: View<'_>, slot: &Slot) {
        let left = view.long(slot.protection as usize);
        self.young = left != 0;
        if let Contest::Group(group) = slot.contest
            && left != 0
            && view.word(view.layout.waiting + group.index()) != 0
        {
            self.wait = self.wait.min(left.saturating_sub(SAME_MOMENT));
        }
    }

    /// The most units in which nothing is due, where it goes so far in one.
    #[inline]
    pub(super) fn units(&self, step: u64) -> Option<u64> {
        let most = self.way.checked_sub(1)?.checked_div(step).unwrap_or(ENDLESS);
        Some(most.min(self.wait.checked_sub(1)?))
    }
}

/// The first mark behind a place, both in the direction of travel: where nothing is, the end.
#[inline(never)]
fn next_mark(view: View<'_>, slot: &Slot, from: u64, backward: bool) -> u64 {
    let [_, here] = place::split(from);
    let [_, mut next] = place::split(FAR_END);
    let end = next;
    let mut pass = |position: u32| {
        let place = if backward { end.saturating_sub(position) } else { position };
        if place > here {
            next = next.min(place);
        }
    };
    for marker in slot.markers.of(&view.rows.markers) {
        pass(view.position(slot, marker.at));
    }
    for (from, to) in slot.spans.of(&view.rows.spans).iter().filter_map(|span| view.edges(slot, span)) {
        pass(from);
        pass(to);
    }
    place::join(0, next)
}
