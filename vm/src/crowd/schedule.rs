//! When the members of a crowd are to be woken.
//!
//! A member in which nothing is due is left alone: it is woken when its horizon is reached, or in the tick after the host
//! touched it. A tick looks at blocks of members, and into those in which somebody is to be woken. How far members are
//! behind meanwhile is not known here.
//!
//! The clock counts parts of 2^-48 s, without error, and begins anew after 2^64 of them (18 hours); nobody sleeps for more
//! than a quarter of that.

use alloc::vec::Vec;

use crate::time;

/// Members of a block.
pub(super) const BLOCK: usize = 64;
/// Members of a group, of which a block has so many, too.
const GROUP: usize = 8;
/// Blocks that are looked at together.
const NEAR: usize = 8;
/// Ticks of so many seconds wake everybody: a turn of the clock is still far off.
const LONG: f32 = 8192.0;
/// A moment that is not reached before the next look at it: half a turn of the clock.
const NEVER: u32 = i32::MAX as u32;

/// Members whose times are looked at together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// Those that the host has touched since the last tick, a bit each.
    touched: u64,
    /// No member of a group is to be woken before; a [`moment`].
    least: [u32; GROUP],
}

impl Block {
    /// The members that are to be woken, a bit each; those that were touched are no longer.
    #[inline]
    fn due(&mut self, step: Step, now: u32, wakes: &[u32]) -> u64 {
        if step.all {
            self.touched = 0;
            return u64::MAX;
        }
        let mut due = core::mem::take(&mut self.touched);
        if any_has_come(&self.least, now) {
            for (group, wakes) in wakes.chunks(GROUP).enumerate() {
                if self.least.get(group).is_some_and(|least| has_come(*least, now)) {
                    due |= come(wakes, now) << (group * GROUP);
                }
            }
        }
        due
    }

    /// Looks anew when the groups of those are to be woken.
    #[inline]
    fn look(&mut self, due: u64, now: u32, wakes: &[u32]) {
        let mut due = due;
        for (least, wakes) in self.least.iter_mut().zip(wakes.chunks(GROUP)) {
            if due as u8 != 0 {
                let soonest = wakes.iter().map(|wake| wake.wrapping_sub(now)).min();
                *least = now.wrapping_add(soonest.unwrap_or(NEVER));
            }
            due >>= GROUP;
        }
    }
}

#[inline]
fn each_bit(bits: u64, mut visit: impl FnMut(usize)) {
    let mut bits = bits;
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// What is woken.
pub(super) trait Sleepers {
    /// A member is woken soon.
    fn near(&self, member: usize);

    /// Wakes a member, which the host may have touched since the last tick; gives the parts for which it may then be left
    /// alone, if that is known.
    fn wake(&mut self, member: usize, touched: bool) -> Option<u64>;
}

/// When every member is to be woken.
#[derive(Clone, Debug, Default)]
pub(super) struct Schedule {
    /// The parts that ticks have let pass, modulo 2^64.
    clock: u64,
    /// The [`moment`] in which each member is to be woken.
    wakes: Vec<u32>,
    blocks: Vec<Block>,
}

/// A tick, by the crowd's clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) dt: f32,
    /// The clock when it begins.
    pub(super) before: u64,
    /// The clock when it ends.
    pub(super) after: u64,
    /// It wakes everybody.
    all: bool,
}

/// The times of members that stand side by side, whole blocks of them.
pub(super) struct Times<'c> {
    wakes: &'c mut [u32],
    blocks: &'c mut [Block],
}

/// The clock in 2^-16 s, in which wake-up times are rounded down: a little too early does no harm.
const fn moment(clock: u64) -> u32 {
    (clock >> 32) as u32
}

/// Whether a moment has come. Times are at most a quarter of a turn apart.
const fn has_come(moment: u32, now: u32) -> bool {
    (now.wrapping_sub(moment)).cast_signed() >= 0
}

/// Whether a moment of any has come: their signs together say it, which is quick.
#[inline]
fn any_has_come(moments: &[u32; GROUP], now: u32) -> bool {
    let any = moments.iter().fold(0, |any, moment| any | moment.wrapping_sub(now).wrapping_sub(1));
    any.cast_signed() < 0
}

/// Those whose moments have come, a bit each.
#[inline]
fn come(moments: &[u32], now: u32) -> u64 {
    let bits = (0..).zip(moments).map(|(bit, moment)| u64::from(has_come(*moment, now)) << bit);
    bits.fold(0, |all, bit: u64| all | bit)
}

impl Schedule {
    pub(super) fn len(&self) -> usize {
        self.wakes.len()
    }

    pub(super) fn reserve(&mut self, members: usize) {
        self.wakes.reserve(members);
        self.blocks.reserve(members.div_ceil(BLOCK));
    }

    /// Another member, to be woken in the next tick.
    pub(super) fn push(&mut self) {
        let now = moment(self.clock);
        if self.len().is_multiple_of(BLOCK) {
            self.blocks.push(Block { touched: 0, least: [now.wrapping_add(NEVER); GROUP] });
        }
        self.wakes.push(now);
        self.touch(self.len() - 1);
    }

    /// The last member takes the place of another.
    pub(super) fn swap_remove(&mut self, member: usize) {
        if member >= self.len() {
            return;
        }
        self.wakes.swap_remove(member);
        self.blocks.truncate(self.len().div_ceil(BLOCK));
        // Which bit of its block the last one had is forgotten.
        self.touch(member);
    }

    pub(super) fn clear(&mut self) {
        self.wakes.clear();
        self.blocks.clear();
    }

    /// The parts that have passed, modulo 2^64.
    pub(super) fn clock(&self) -> u64 {
        self.clock
    }

    /// The member is to be woken in the next tick.
    pub(super) fn touch(&mut self, member: usize) {
        if let Some(block) = self.blocks.get_mut(member / BLOCK) {
            block.touched |= 1 << (member % BLOCK);
        }
    }

    /// Lets the clock go on by a tick, and gives the times of all members.
    pub(super) fn step(&mut self, dt: f32) -> (Step, Times<'_>) {
        let before = self.clock;
        let after = before.wrapping_add(time::parts(dt).unwrap_or(0));
        self.clock = after;
        let step = Step { dt, before, after, all: dt >= LONG };
        (step, Times { wakes: &mut self.wakes, blocks: &mut self.blocks })
    }
}

impl Times<'_> {
    /// Wakes each member that is to be woken.
    #[inline]
    pub(super) fn wake(&mut self, step: Step, members: &mut impl Sleepers) {
        let now = moment(step.after);
        let mut first = 0;
        for (wakes, blocks) in self.wakes.chunks_mut(BLOCK * NEAR).zip(self.blocks.chunks_mut(NEAR)) {
            // Seen first, woken then: meanwhile what they need comes near.
            let mut due = [(0, 0); NEAR];
            for ((due, block), wakes) in due.iter_mut().zip(&mut *blocks).zip(wakes.chunks(BLOCK)) {
                let touched = block.touched;
                *due = (block.due(step, now, wakes), touched);
                each_bit(due.0, |bit| members.near(first + bit));
                first += BLOCK;
            }
            first -= BLOCK * blocks.len();
            for (((due, touched), block), wakes) in due.into_iter().zip(blocks).zip(wakes.chunks_mut(BLOCK)) {
                each_bit(due, |bit| {
                    let Some(to) = wakes.get_mut(bit) else { return };
                    let touched = touched >> bit & 1 != 0;
                    let horizon = members.wake(first + bit, touched).unwrap_or(0);
                    *to = moment(step.after.wrapping_add(horizon));
                });
                block.look(due, now, wakes);
                first += BLOCK;
            }
        }
    }

    /// The first members, so many, and the others: whole blocks.
    #[cfg(feature = "rayon")]
    pub(super) fn split(self, members: usize) -> Option<(Self, Self)> {
        let wakes = self.wakes.split_at_mut_checked(members)?;
        let blocks = self.blocks.split_at_mut_checked(members.div_ceil(BLOCK))?;
        let first = Times { wakes: wakes.0, blocks: blocks.0 };
        Some((first, Times { wakes: wakes.1, blocks: blocks.1 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a tick wakes.
    fn woken(schedule: &mut Schedule, dt: f32, horizon: Option<u64>) -> Vec<usize> {
        let (step, mut times) = schedule.step(dt);
        let mut all = All { horizon, woken: Vec::new() };
        times.wake(step, &mut all);
        all.woken
    }

    struct All {
        horizon: Option<u64>,
        woken: Vec<usize>,
    }

    impl Sleepers for All {
        fn near(&self, member: usize) {
            assert!(self.woken.last().is_none_or(|last| *last < member));
        }

        fn wake(&mut self, member: usize, _: bool) -> Option<u64> {
            self.woken.push(member);
            self.horizon
        }
    }

    fn schedule(members: usize) -> Schedule {
        let mut schedule = Schedule::default();
        (0..members).for_each(|_| schedule.push());
        schedule
    }

    const SECOND: u64 = 1 << 48;

    #[test]
    fn members_wake_when_their_time_has_come() {
        let mut schedule = schedule(130);
        assert_eq!(woken(&mut schedule, 0.5, Some(SECOND)).len(), 130);
        assert_eq!(woken(&mut schedule, 0.5, None), []);
        assert_eq!(woken(&mut schedule, 0.0, None), []);
        schedule.touch(65);
        assert_eq!(woken(&mut schedule, 0.25, Some(SECOND)), [65]);
        assert_eq!(woken(&mut schedule, 0.5, Some(4 * SECOND)).len(), 129);
        assert_eq!(woken(&mut schedule, 1.0, None), [65]);
        assert_eq!(woken(&mut schedule, 0.0, Some(SECOND)), [65]);
    }

    #[test]
    fn the_clock_begins_anew_and_nobody_is_missed() {
        let mut schedule = schedule(70);
        schedule.clock = u64::MAX - SECOND;
        (0..70).for_each(|member| schedule.touch(member));
        assert_eq!(woken(&mut schedule, 0.5, Some(2 * SECOND)).len(), 70);
        assert_eq!(woken(&mut schedule, 1.0, None), []);
        assert_eq!(woken(&mut schedule, 1.5, Some(1 << 62)).len(), 70);
        // As long as nobody is to be missed, and as long as a tick may be.
        for dt in [8191.0, 8000.0, 100.0] {
            assert_eq!(woken(&mut schedule, dt, Some(1 << 62)), []);
        }
        assert_eq!(woken(&mut schedule, 200.0, Some(1 << 62)).len(), 70);
        for dt in [8192.0, 30_000.0, 32_767.9, 32_768.0, f32::MAX] {
            assert_eq!(woken(&mut schedule, dt, Some(1 << 62)).len(), 70);
            assert_eq!(woken(&mut schedule, 1.0, None), []);
        }
    }

    #[test]
    fn members_that_move_are_woken() {
        let mut schedule = schedule(65);
        woken(&mut schedule, 0.5, Some(SECOND));
        schedule.swap_remove(3);
        assert_eq!((schedule.len(), schedule.blocks.len()), (64, 1));
        assert_eq!(woken(&mut schedule, 0.1, Some(SECOND)), [3]);
        schedule.swap_remove(63);
        schedule.push();
        assert_eq!(woken(&mut schedule, 0.1, Some(SECOND)), [63]);
        schedule.swap_remove(64);
        schedule.clear();
        assert_eq!(woken(&mut schedule, 9.0, None), []);
    }
}
