//! The common tick: time passes, and nothing is due in it.
//!
//! It does what `advance.rs` does with one step in which nothing happens, for behaviors in which only fixed rates
//! are at work; where anything is due, or a playhead would pass something, it declines and changes nothing. What
//! moves in it adds up: so many glides leave the block that one over their sum does, bit for bit. Therefore a block may be
//! left alone as far as its [`horizon`], be read meanwhile as if it were not behind, and be caught up with later.

use super::advance::{Clock, left_after, lerp};
use super::playhead::Trip;
use crate::frame::{EventKind, Output};
use crate::instance::active::{ActiveWords, sum_up};
use crate::instance::track::head;
use crate::instance::view::{View, flag, play, word};
use crate::place::{self, FAR_END};
use crate::program::layout::{Contest, LAYER_WORDS, Layout, MACHINE_WORDS, NONE, SLOT_WORDS, Slot};
use crate::program::tables::{Behavior, LoopMode};
use crate::program::tracks::Track;
use crate::time::SAME_MOMENT;

/// As far as a block is said to go without a tick: longer than anything lasts.
const ENDLESS: u64 = 1 << 62;
/// A fade with no more units than that left is over.
const ARRIVED: u32 = SAME_MOMENT as u32;

/// Lets so many units of time pass, `dt` seconds, if nothing is due in them but that a single animation begins anew: that
/// is reported.
#[inline]
pub(crate) fn glide(
    rows: &Behavior,
    layout: &Layout,
    words: &mut [u32],
    (units, dt): (u64, f32),
    out: &mut Output,
) -> bool {
    if !layout.glides {
        return false;
    }
    let view = View::new(rows, layout, words);
    let ahead = match layout.lean {
        true => look_ahead::<true>(view, units),
        false => look_ahead::<false>(view, units),
    };
    let Some(Ahead { still, lap }) = ahead else { return false };
    if still && !layout.tracks.is_empty() {
        // Whether machines with motions are settled is more than can be told here.
        return false;
    }
    let lap = lap.and_then(|slot| Lap::of(view, slot, units, dt));
    move_all(rows, layout, words, units);
    if let Some(lap) = lap {
        lap.put(words);
        out.push(lap.offset, lap.kind, lap.count);
    }
    age(rows, layout, words, units);
    let still = !glide_layers(rows, layout, words, units) && still;
    if still
        && !layout.updates
        && let Some(first) = words.first_mut()
        && *first & flag::QUIET != 0
    {
        *first |= flag::SETTLED;
    }
    true
}

/// What is ahead of a block in which nothing is due.
struct Ahead<'a> {
    /// Time changes nothing of what plays.
    still: bool,
    /// The animation that begins anew.
    lap: Option<&'a Slot>,
}

/// What so many units bring; `None` where only a tick can tell.
#[inline]
fn look_ahead<const LEAN: bool>(view: View<'_>, units: u64) -> Option<Ahead<'_>> {
    let layout = view.layout;
    // What is due then would be a moment of decisions, if there were any.
    let quiet = view.word(0) & flag::QUIET != 0;
    let mut ahead = Ahead { still: true, lap: None };
    let mut arrives = false;
    for track in tracks::<LEAN>(layout) {
        ahead.still &= foresee_track(view, track, units)?;
    }
    for index in words_of::<LEAN>(view) {
        let mut bits = view.word(layout.active + index);
        while bits != 0 {
            let slot = layout.slots.get(index * 32 + bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            let next = match LEAN || slot.simple {
                true => foresee::<true>(view, slot, units, quiet)?,
                false => foresee_any(view, slot, units)?,
            };
            arrives |= next.arrives;
            ahead.still &= next.still;
            if next.laps && ahead.lap.replace(slot).is_some() {
                return None;
            }
        }
    }
    // The end of a fade cuts time in two: what is reported after it is reckoned from there.
    (ahead.lap.is_none() || !arrives).then_some(ahead)
}

/// The words of active animations to look at.
#[inline(always)] // so that it stays in registers
fn words_of<const LEAN: bool>(view: View<'_>) -> ActiveWords {
    if LEAN { ActiveWords::first() } else { view.active_words() }
}

#[inline(always)] // nothing is left of it where there are none
fn tracks<const LEAN: bool>(layout: &Layout) -> &[Track] {
    if LEAN { &[] } else { &layout.tracks }
}

/// What an animation does in a glide.
struct Next {
    /// Time changes nothing of it.
    still: bool,
    /// Its fade ends.
    arrives: bool,
    /// It begins anew.
    laps: bool,
}

#[inline(always)] // so that it stays in registers
fn foresee<const SIMPLE: bool>(view: View<'_>, slot: &Slot, units: u64, quiet: bool) -> Option<Next> {
    let course = Course::of::<SIMPLE>(view, slot, SIMPLE && quiet)?;
    let room = course.room::<SIMPLE>(view, slot);
    let way = course.step.checked_mul(units)?;
    let laps = way >= room.way;
    if units >= room.wait || laps && !(SIMPLE && slot.loop_mode == LoopMode::Loop) {
        return None;
    }
    let arrives = course.fade != 0 && u64::from(course.fade) <= units.saturating_add(SAME_MOMENT);
    Some(Next { still: course.is_still() && !room.young, arrives, laps })
}

#[inline(never)]
fn foresee_any(view: View<'_>, slot: &Slot, units: u64) -> Option<Next> {
    foresee::<false>(view, slot, units, false)
}

/// An animation that begins anew.
struct Lap {
    /// Its first word.
    at: usize,
    place: u64,
    flags: u32,
    offset: f32,
    kind: EventKind,
    count: u32,
}

impl Lap {
    /// `None` where it gets to its end only as far as can be told here, not by the measure of a tick.
    #[inline(never)]
    fn of(view: View<'_>, slot: &Slot, units: u64, dt: f32) -> Option<Self> {
        let course = Course::of::<true>(view, slot, false)?;
        let way = u128::from(course.step) * u128::from(units);
        let mut trip = Trip::new(slot.loop_mode, course.from(), way, slot.tolerance);
        let ends = trip.ends()?;
        trip.settle_on(ends);
        let arrival = trip.arrive();
        let seconds = crate::time::seconds(units);
        let clock = Clock::steady(0.0, course.step, seconds);
        let flags = view.flags(slot).wrapping_add((arrival.cycles as u32) << play::CYCLES);
        Some(Self {
            at: slot.at as usize,
            place: if course.backward { FAR_END - arrival.place } else { arrival.place },
            flags,
            offset: (clock.at(ends.first) as f32).min((seconds as f32).min(dt)),
            kind: EventKind::Loop { animation: slot.animation },
            count: u32::try_from(ends.count).unwrap_or(u32::MAX),
        })
    }

    fn put(&self, words: &mut [u32]) {
        let slot = words.get_mut(self.at..).and_then(|words| words.first_chunk_mut::<SLOT_WORDS>());
        if let Some([low, high, _, _, flags]) = slot {
            ([*low, *high], *flags) = (place::split(self.place), self.flags);
        }
    }
}

/// The units of time that a block, as a tick has left it, may be behind: ticks of so many leave what [`catch_up`] does, and
/// report nothing. `None` where only a tick can tell what comes next.
pub(crate) fn horizon(rows: &Behavior, layout: &Layout, words: &[u32]) -> Option<u64> {
    let view = View::new(rows, layout, words);
    let first = view.word(0);
    if first & flag::SETTLED != 0 && !layout.asks {
        return Some(ENDLESS);
    }
    let quiet = flag::STARTED | flag::QUIET;
    if !layout.glides || !layout.plain || first & quiet != quiet || are_layers_moving(view) {
        return None;
    }
    let (units, still) = match layout.lean {
        true => room_ahead::<true>(view)?,
        false => room_ahead::<false>(view)?,
    };
    // That it is settled, a tick has to find out.
    (!still || first & flag::SETTLED != 0).then_some(units)
}

/// How many units pass before anything is due, and whether time changes nothing of what plays.
#[inline]
fn room_ahead<const LEAN: bool>(view: View<'_>) -> Option<(u64, bool)> {
    let layout = view.layout;
    let (mut units, mut still) = (ENDLESS, true);
    for track in tracks::<LEAN>(layout) {
        let course = TrackCourse::of(view, track)?;
        let room = course.room(view, track);
        units = units.min(room.units(course.step())?);
        still &= course.step() == 0 && !room.young;
    }
    for index in words_of::<LEAN>(view) {
        let mut bits = view.word(layout.active + index);
        while bits != 0 {
            let slot = layout.slots.get(index * 32 + bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            let (room, stands) = match LEAN || slot.simple {
                true => room_of::<true>(view, slot)?,
                false => room_of_any(view, slot)?,
            };
            units = units.min(room);
            still &= stands;
        }
    }
    Some((units, still))
}

/// How many units an animation goes before anything is due, and whether time changes nothing of it.
#[inline(always)] // so that it stays in registers
fn room_of<const SIMPLE: bool>(view: View<'_>, slot: &Slot) -> Option<(u64, bool)> {
    let mut course = Course::of::<SIMPLE>(view, slot, SIMPLE)?;
    if course.end == FadeEnd::Gone {
        // Whoever reads the block is not to meet it again and again.
        course.end = FadeEnd::Due;
    }
    let room = course.room::<SIMPLE>(view, slot);
    Some((room.units(course.step)?, course.is_still() && !room.young))
}

#[inline(never)]
fn room_of_any(view: View<'_>, slot: &Slot) -> Option<(u64, bool)> {
    room_of::<false>(view, slot)
}

/// Brings a block forward by units of time within its [`horizon`].
#[inline]
pub(crate) fn catch_up(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    age(rows, layout, words, units);
    if words.first().is_none_or(|first| first & flag::SETTLED == 0) {
        move_all(rows, layout, words, units);
    }
}

/// Moves what plays by units in which nothing is due.
#[inline]
fn move_all(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    match layout.lean {
        true => move_active::<true>(rows, layout, words, units),
        false => move_active::<false>(rows, layout, words, units),
    }
}

#[inline]
fn move_active<const LEAN: bool>(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    for track in tracks::<LEAN>(layout) {
        let view = View::new(rows, layout, words);
        let moved = TrackCourse::of(view, track).and_then(|course| course.after(view, units));
        if let Some(moved) = moved {
            moved.put(words);
        }
    }
    for index in words_of::<LEAN>(View::new(rows, layout, words)) {
        let mut bits = words.get(layout.active + index).copied().unwrap_or(0);
        while bits != 0 {
            let place = index * 32 + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let view = View::new(rows, layout, words);
            let Some(slot) = layout.slots.get(place) else { break };
            let moved = match LEAN || slot.simple {
                true => moved::<true>(view, slot, units),
                false => moved_any(view, slot, units),
            };
            let Some(moved) = moved else { continue };
            moved.put(words);
            if moved.gone {
                let (word, bit) = (layout.active + index, 1 << (place % 32));
                if let Some(word) = words.get_mut(word) {
                    *word &= !bit;
                }
                sum_up(layout, words, place, false);
            }
        }
    }
    if !LEAN && layout.protects {
        protect_less(rows, layout, words, units);
    }
}

#[inline(always)] // so that it stays in registers
fn moved<const SIMPLE: bool>(view: View<'_>, slot: &Slot, units: u64) -> Option<Move> {
    let quiet = view.word(0) & flag::QUIET != 0;
    let course = Course::of::<SIMPLE>(view, slot, SIMPLE && quiet)?;
    Some(course.after(course.step.wrapping_mul(units), units))
}

#[inline(never)]
fn moved_any(view: View<'_>, slot: &Slot, units: u64) -> Option<Move> {
    moved::<false>(view, slot, units)
}

/// Whether time changes nothing of a machine's playhead; `None` where something is due in so many units.
#[inline(never)]
fn foresee_track(view: View<'_>, track: &Track, units: u64) -> Option<bool> {
    let course = TrackCourse::of(view, track)?;
    let room = course.room(view, track);
    let way = course.step().checked_mul(units)?;
    (units < room.wait && way < room.way).then_some(course.step() == 0 && !room.young)
}

/// How the motion of a machine moves as long as nothing is due: a clip at a fixed pace, outside of fades. Without a motion
/// there is nothing to move.
struct TrackCourse(Option<(Slot, Course)>);

impl TrackCourse {
    /// `None` where only a tick can tell.
    fn of(view: View<'_>, track: &Track) -> Option<Self> {
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

    fn step(&self) -> u64 {
        self.0.as_ref().map_or(0, |(_, course)| course.step)
    }

    /// How far it goes before anything is due, gates included.
    fn room(&self, view: View<'_>, track: &Track) -> Room {
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

    fn after(&self, view: View<'_>, units: u64) -> Option<Move> {
        let (_, course) = self.0.as_ref()?;
        let moved = course.after(course.step.wrapping_mul(units), units);
        // Where an animation has its fade, a playhead of a motion has something that stays.
        Some(Move { fade: view.word(course.at as usize + word::FADE), ..moved })
    }
}

/// What the end of a fade is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FadeEnd {
    /// Something that only a tick knows.
    Due,
    /// From then on the weight is that.
    Arrives(u32),
    /// From then on the animation does not play.
    Gone,
}

/// How an animation moves as long as nothing is due.
struct Course {
    /// Its first word.
    at: u32,
    /// Units of its fade that are left.
    fade: u32,
    end: FadeEnd,
    place: u64,
    /// The way of a unit; 0 where it stands.
    step: u64,
    backward: bool,
}

impl Course {
    /// `None` where only a tick can tell. How its fade ends is said where that is `plain`: where nobody decides at that
    /// moment and nothing protects or marks it.
    #[inline(always)] // so that it stays in registers
    fn of<const SIMPLE: bool>(view: View<'_>, slot: &Slot, plain: bool) -> Option<Self> {
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
    fn with<const SIMPLE: bool>(
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
    fn is_still(&self) -> bool {
        self.step == 0 && self.fade == 0
    }

    /// How far it goes before anything is due.
    #[inline(always)] // so that it stays in registers
    fn room<const SIMPLE: bool>(&self, view: View<'_>, slot: &Slot) -> Room {
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
    fn from(&self) -> u64 {
        if self.backward { FAR_END.saturating_sub(self.place) } else { self.place }
    }

    /// Less than so far it goes without coming to a place before it, in the direction of travel.
    #[inline]
    fn way_to(&self, next: u64, tolerance: u64) -> u64 {
        next.saturating_sub(self.from()).saturating_sub(tolerance)
    }

    /// Where it is after so many units, in which it goes so far.
    #[inline]
    fn after(&self, way: u64, units: u64) -> Move {
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
struct Move {
    at: u32,
    fade: u32,
    place: u64,
    /// Where the fade has ended.
    weight: Option<u32>,
    /// It does not play any more.
    gone: bool,
}

impl Move {
    #[inline]
    fn put(&self, words: &mut [u32]) {
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
struct Room {
    /// Less than so many units until a fade is over, or what somebody waits for.
    wait: u64,
    /// A shorter way than that until it passes something.
    way: u64,
    /// It is still protected, or a gate waits for its time.
    young: bool,
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
    fn units(&self, step: u64) -> Option<u64> {
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

/// Lets time pass for what protects active animations.
#[inline(never)]
fn protect_less(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    for index in View::new(rows, layout, words).active_words() {
        let mut bits = words.get(layout.active + index).copied().unwrap_or(0);
        while bits != 0 {
            let slot = layout.slots.get(index * 32 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
            if let Some(slot) = slot.filter(|slot| slot.protection != NONE)
                && let Some(left) =
                    words.get_mut(slot.protection as usize..).and_then(|words| words.first_chunk_mut())
            {
                let [low, high] = *left;
                *left = place::split(left_after(place::join(low, high), units));
            }
        }
    }
}

fn are_layers_moving(view: View<'_>) -> bool {
    let mut at = view.layout.layers;
    for _ in 0..view.layout.layer_count {
        if view.word(at) != view.word(at + 1) {
            return true;
        }
        at += LAYER_WORDS;
    }
    false
}

/// Moves layers toward their targets; whether there are any to move.
#[inline(always)] // a call would cost as much as it does
fn glide_layers(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) -> bool {
    let mut moved = false;
    let mut at = layout.layers;
    for index in 0..layout.layer_count {
        if let Some([weight, target]) = words.get_mut(at..).and_then(|words| words.first_chunk_mut())
            && weight != target
            && let Some(row) = rows.layers.get(index)
        {
            let seconds = crate::time::seconds(units);
            *weight =
                lerp(f32::from_bits(*weight), f32::from_bits(*target), row.lerp_rate, seconds).to_bits();
            moved = true;
        }
        at += LAYER_WORDS;
    }
    moved
}

/// Lets time pass for clocks, those of machines and of the active composites that count it: all that goes on in what is
/// settled.
#[inline(always)] // most have no more than a machine
pub(crate) fn age(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    age_machines(layout, words, units);
    if !layout.clocks.is_empty() {
        age_clocks(rows, layout, words, units);
    }
}

/// Counted by hand: iterators over chunks divide for their lengths.
#[inline(always)] // a call would cost as much as it does
fn age_machines(layout: &Layout, words: &mut [u32], units: u64) {
    let mut at = layout.machines + MACHINE_WORDS - 2;
    for _ in 0..layout.machine_count {
        add(words, at, units);
        at += MACHINE_WORDS;
    }
}

fn age_clocks(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    let mut at = layout.machines;
    for _ in 0..layout.machine_count {
        let leaf = words.get(at).map(|word| *word as u16);
        let mut state = leaf.and_then(|leaf| Some((leaf, rows.states.get(usize::from(leaf))?)));
        while let Some((id, row)) = state {
            if let Some(clock) = layout.clocks.get(usize::from(id)).filter(|clock| **clock != NONE) {
                add(words, *clock as usize, units);
            }
            state = row.parent.and_then(|parent| Some((parent.0, rows.states.get(parent.index())?)));
        }
        at += MACHINE_WORDS;
    }
}

#[inline]
fn add(words: &mut [u32], at: usize, units: u64) {
    if let Some(time) = words.get_mut(at..).and_then(|words| words.first_chunk_mut()) {
        let [low, high] = *time;
        *time = place::split(place::join(low, high).saturating_add(units));
    }
}
