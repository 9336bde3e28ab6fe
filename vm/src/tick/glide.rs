//! The common tick: time passes, and nothing is due in it.
//!
//! It does what `advance.rs` does with one step in which nothing happens, for behaviors in which only fixed rates
//! are at work; where anything is due, or a playhead would pass something, it declines and changes nothing. What
//! moves in it adds up: so many glides leave the block that one over their sum does, bit for bit. Therefore a block may be
//! left alone as far as its [`horizon`], be read meanwhile as if it were not behind, and be caught up with later.

use super::advance::{left_after, lerp};
use crate::instance::track::head;
use crate::instance::view::{View, flag, play, word};
use crate::place::{self, FAR_END};
use crate::program::layout::{Contest, LAYER_WORDS, Layout, MACHINE_WORDS, NONE, Slot};
use crate::program::tables::{Behavior, LoopMode};
use crate::program::tracks::Track;
use crate::time::SAME_MOMENT;

/// As far as a block is said to go without a tick: longer than anything lasts.
const ENDLESS: u64 = 1 << 62;
/// Animations that one glide moves; with more it declines.
const MOST: usize = 8;

/// Lets so many units of time pass if nothing is due in them.
#[inline]
pub(crate) fn glide(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) -> bool {
    if !layout.glides {
        return false;
    }
    let mut moves = [Move::default(); MOST];
    let (mut count, mut still) = (0, true);
    let view = View::new(rows, layout, words);
    for track in &layout.tracks {
        let (Some((moved, stands)), Some(to)) = (glide_track(view, track, units), moves.get_mut(count))
        else {
            return false;
        };
        if let Some(moved) = moved {
            *to = moved;
            count += 1;
        }
        still &= stands;
    }
    for index in view.active_words() {
        let mut bits = view.word(layout.active + index);
        while bits != 0 {
            let slot = layout.slots.get(index * 32 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
            let (Some(slot), Some(to)) = (slot, moves.get_mut(count)) else { return false };
            let moved =
                if slot.simple { glide_simple(view, slot, units) } else { glide_any(view, slot, units) };
            let Some((moved, stands)) = moved else { return false };
            *to = moved;
            count += 1;
            still &= stands;
        }
    }
    if still && !layout.tracks.is_empty() {
        // Whether machines with motions are settled is more than can be told here.
        return false;
    }
    for to in moves.iter().take(count) {
        to.put(words);
    }
    if layout.protects {
        protect_less(rows, layout, words, units);
    }
    age(rows, layout, words, units);
    still &= !glide_layers(rows, layout, words, units);
    if still
        && !layout.updates
        && let Some(first) = words.first_mut()
        && *first & flag::QUIET != 0
    {
        *first |= flag::SETTLED;
    }
    true
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
    let (mut units, mut still) = (ENDLESS, true);
    for track in &layout.tracks {
        let course = TrackCourse::of(view, track)?;
        let room = course.room(view, track);
        units = units.min(room.units(course.step())?);
        still &= course.step() == 0 && !room.young;
    }
    for index in view.active_words() {
        let mut bits = view.word(layout.active + index);
        while bits != 0 {
            let slot = layout.slots.get(index * 32 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
            let slot = slot?;
            let course = Course::of::<false>(view, slot)?;
            let room = course.room::<false>(view, slot);
            units = units.min(room.units(course.step)?);
            still &= course.is_still() && !room.young;
        }
    }
    // That it is settled, a tick has to find out.
    (!still || first & flag::SETTLED != 0).then_some(units)
}

/// Brings a block forward by units of time within its [`horizon`].
#[inline]
pub(crate) fn catch_up(rows: &Behavior, layout: &Layout, words: &mut [u32], units: u64) {
    age(rows, layout, words, units);
    if words.first().is_some_and(|first| first & flag::SETTLED != 0) {
        return;
    }
    for track in &layout.tracks {
        let view = View::new(rows, layout, words);
        let moved = TrackCourse::of(view, track).and_then(|course| course.after(view, units));
        if let Some(moved) = moved {
            moved.put(words);
        }
    }
    for index in View::new(rows, layout, words).active_words() {
        let mut bits = words.get(layout.active + index).copied().unwrap_or(0);
        while bits != 0 {
            let slot = layout.slots.get(index * 32 + bits.trailing_zeros() as usize);
            bits &= bits - 1;
            if let Some(course) =
                slot.and_then(|slot| Course::of::<false>(View::new(rows, layout, words), slot))
            {
                course.after(course.step.wrapping_mul(units), units).put(words);
            }
        }
    }
    if layout.protects {
        protect_less(rows, layout, words, units);
    }
}

/// What a slot's words become if nothing is due in so many units, and whether that is what they are: of a slot that is
/// [simple](Slot::simple).
#[inline]
fn glide_simple(view: View<'_>, slot: &Slot, units: u64) -> Option<(Move, bool)> {
    glide_slot::<true>(view, slot, units)
}

/// The same of any slot.
#[inline(never)]
fn glide_any(view: View<'_>, slot: &Slot, units: u64) -> Option<(Move, bool)> {
    glide_slot::<false>(view, slot, units)
}

#[inline]
fn glide_slot<const SIMPLE: bool>(view: View<'_>, slot: &Slot, units: u64) -> Option<(Move, bool)> {
    let course = Course::of::<SIMPLE>(view, slot)?;
    let room = course.room::<SIMPLE>(view, slot);
    let way = course.step.checked_mul(units)?;
    room.holds(way, units).then(|| (course.after(way, units), course.is_still() && !room.young))
}

/// What becomes of the words of a machine's playhead if nothing is due in so many units, and whether time changes nothing.
#[inline(never)]
fn glide_track(view: View<'_>, track: &Track, units: u64) -> Option<(Option<Move>, bool)> {
    let course = TrackCourse::of(view, track)?;
    let room = course.room(view, track);
    let way = course.step().checked_mul(units)?;
    let stands = course.step() == 0 && !room.young;
    room.holds(way, units).then(|| (course.after(view, units), stands))
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

/// How an animation moves as long as nothing is due.
struct Course {
    /// Its first word.
    at: u32,
    /// Units of its fade that are left.
    fade: u32,
    place: u64,
    /// The way of a unit; 0 where it stands.
    step: u64,
    backward: bool,
}

impl Course {
    /// `None` where only a tick can tell.
    #[inline]
    fn of<const SIMPLE: bool>(view: View<'_>, slot: &Slot) -> Option<Self> {
        let [fraction, position, _, fade, flags] = *view.words.get(slot.at as usize..)?.first_chunk()?;
        if fade == 0 && flags & play::FADING != 0 {
            return None;
        }
        Self::with::<SIMPLE>(view, slot, place::join(fraction, position), fade, flags)
    }

    #[inline]
    fn with<const SIMPLE: bool>(
        view: View<'_>,
        slot: &Slot,
        place: u64,
        fade: u32,
        flags: u32,
    ) -> Option<Self> {
        let backward = flags & play::BACKWARD != 0;
        let mut course = Self { at: slot.at, fade, place, step: 0, backward };
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
    #[inline]
    fn room<const SIMPLE: bool>(&self, view: View<'_>, slot: &Slot) -> Room {
        let mut room = Room { wait: ENDLESS, way: FAR_END, young: false };
        if self.fade != 0 {
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
        Move { at: self.at, fade: u64::from(self.fade).saturating_sub(units) as u32, place }
    }
}

/// What an animation's words become.
#[derive(Clone, Copy, Default)]
struct Move {
    at: u32,
    fade: u32,
    place: u64,
}

impl Move {
    #[inline]
    fn put(&self, words: &mut [u32]) {
        if let Some([low, high, _, fade]) =
            words.get_mut(self.at as usize..).and_then(|words| words.first_chunk_mut())
        {
            [*low, *high] = place::split(self.place);
            *fade = self.fade;
        }
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

    /// Whether nothing is due in so many units, in which it goes so far.
    #[inline]
    fn holds(&self, way: u64, units: u64) -> bool {
        units < self.wait && way < self.way
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
