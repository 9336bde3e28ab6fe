//! The model's machines: which transition is taken when, and in which order its effects come.

use super::behavior::*;
use super::mixes::Leaf;
use super::playhead::{NEAR, Passed, Playhead, share};
use super::routes::{Candidate, Change};
use super::values::{mentions, takes_time};
use super::world::{Fade, Kind, Role, Row, Running, World};

/// The most `Instant` transitions in a row.
const HOPS: usize = 100;

impl<'b> World<'b> {
    pub(super) fn request(&mut self, machine: usize, state: usize, priority: i32) {
        let dropped = match &mut self.machines[machine].request {
            Some((best, highest)) if priority > *highest => {
                let other = *best;
                (*best, *highest) = (state, priority);
                Some(other)
            }
            Some(_) => Some(state),
            none => {
                *none = Some((state, priority));
                None
            }
        };
        if let Some(other) = dropped {
            self.say(Kind::Dropped(machine, other));
        }
    }

    /// The start of a tick.
    pub(super) fn decide(&mut self, machine: usize) {
        let leaf = self.machines[machine].state;
        if let Some(target) = self.machines[machine].due.take()
            && !self.behavior.machines[machine].within(leaf, target)
        {
            let look = self.declared(machine).into_iter().find(|row| row.row.target == Target::State(target));
            let change = self.change_to(machine, target, false, look.map(|look| look.row));
            change.passed.iter().for_each(|test| self.consume(Some(machine), test));
            self.change(machine, &change);
            self.hop(machine);
            return;
        }
        if self.choose(machine, |_| true) {
            self.hop(machine);
        }
    }

    /// A moment: what waits for a gate; and where a fade with `EarlyExit false` ended, what it held back.
    pub(super) fn decide_gated(&mut self, machine: usize) {
        let released = std::mem::take(&mut self.machines[machine].released);
        let taken = self.choose(machine, |row| released || row.gate.any());
        if taken {
            self.hop(machine);
        } else {
            self.machines[machine].fresh = false;
        }
    }

    /// Instant transitions follow in the same moment.
    fn hop(&mut self, machine: usize) {
        for _ in 0..HOPS {
            if !self.choose(machine, |row| row.instant) {
                return;
            }
        }
        if !self.is_held(machine) && !self.options(machine, |row| row.instant, false).is_empty() {
            self.say(Kind::ChainLimit);
        }
    }

    /// Whether a fade with `EarlyExit false` holds back every transition.
    fn is_held(&self, machine: usize) -> bool {
        self.machines[machine].fade.is_some_and(|fade| !fade.early_exit)
    }

    /// Takes the first transition, of those that are asked, that holds.
    fn choose(&mut self, machine: usize, asked: impl Fn(&Transition) -> bool) -> bool {
        if self.is_held(machine) {
            return false;
        }
        let mut options = self.options(machine, asked, true);
        if options.is_empty() {
            return false;
        }
        let place = if options.len() > 1 { self.draw(options.len()) } else { 0 };
        let (row, change) = options.swap_remove(place);
        self.consume(Some(machine), &row.test);
        change.passed.iter().for_each(|test| self.consume(Some(machine), test));
        self.change(machine, &change);
        true
    }

    /// Those among which chance decides. With `consume`, triggers of what asks for what is so are used up.
    fn options(
        &mut self,
        machine: usize,
        asked: impl Fn(&Transition) -> bool,
        consume: bool,
    ) -> Vec<(&'b Transition, Change<'b>)> {
        let mut options: Vec<(&'b Transition, Change<'b>)> = Vec::new();
        for candidate in self.candidates(machine) {
            let row = candidate.row;
            if let Some((first, _)) = options.first()
                && (first.random_weight.is_none() || first.priority != row.priority)
            {
                // Where nothing had a chance, a lower priority is asked.
                if first.random_weight.is_none()
                    || options.iter().any(|(row, _)| row.random_weight != Some(0.0))
                {
                    break;
                }
                options.clear();
            }
            if row.on_request
                || !asked(row)
                || !self.open(machine, candidate)
                || !self.holds(Some(machine), &row.test)
            {
                continue;
            }
            match self.change_of(machine, candidate) {
                Ok(change) => options.push((row, change)),
                // What it asks for is already so.
                Err(true) if consume => self.consume(Some(machine), &row.test),
                Err(_) => {}
            }
        }
        if options.first().is_some_and(|(first, _)| first.random_weight.is_some()) {
            options.retain(|(row, _)| row.random_weight != Some(0.0));
        }
        options
    }

    /// Whether a transition's gates are open.
    fn open(&self, machine: usize, candidate: Candidate<'_>) -> bool {
        let (row, elapsed) = (candidate.row, self.clock(machine, candidate));
        after(row).is_none_or(|time| elapsed + NEAR >= time)
            && row
                .gate
                .motion
                .is_none_or(|gate| self.motion_gate(machine, row, gate).is_some_and(|(open, _)| open))
    }

    /// Seconds in the state that owns a transition; for `AnyState`, in the leaf.
    fn clock(&self, machine: usize, candidate: Candidate<'_>) -> f64 {
        let leaf = self.machines[machine].state;
        let owner = candidate.owner.filter(|_| !candidate.any).unwrap_or(leaf);
        self.machines[machine].clocks[owner]
    }

    /// Whether a gate is open, and the seconds to the next time it opens (infinite if it is not known to).
    fn motion_gate(&self, machine: usize, row: &Transition, gate: MotionGate) -> Option<(bool, f64)> {
        let current = self.current(machine)?;
        let clip = &self.behavior.animations[current.animation];
        let playhead = &current.playhead;
        let rate = self.row_rate(machine, current).abs();
        let wait =
            |share: f64| if rate > 0.0 { playhead.distance(clip, share) / rate } else { f64::INFINITY };
        let once = clip.mode == Loop::Once;
        let at = |share: f64| {
            if clip.duration == 0.0 {
                return (once && playhead.ended, f64::INFINITY);
            }
            if once {
                let passed = playhead.beyond(clip, share);
                return (passed, wait(share));
            }
            if share > 1.0 {
                let done = playhead.cycles + playhead.cycle_seen(clip);
                let left = (share - done) * clip.duration / rate.max(1e-9);
                return (left <= NEAR, if left <= NEAR { f64::INFINITY } else { left });
            }
            (playhead.just_passed(clip, share), wait(share))
        };
        Some(match gate {
            MotionGate::Exit(place) => at(share(clip, place)),
            MotionGate::AtEnd => at(1.0),
            MotionGate::LeadOut => {
                let time = self.fade_time(machine, row);
                at((1.0 - time * rate / clip.duration.max(1e-9)).max(0.0))
            }
            MotionGate::Marker(index) => {
                let place = clip.markers[index].seconds(clip.duration);
                let mut share = place / clip.duration.max(1e-9);
                if !playhead.forward {
                    share = 1.0 - share;
                }
                if once {
                    return Some(at(share));
                }
                let mut next = wait(share);
                if clip.mode == Loop::PingPong {
                    next = next.min(wait(1.0 - share)).min(wait(1.0));
                }
                (current.markers.contains(&index), next)
            }
        })
    }

    /// Whether a gate of the machine opened in the last `step` seconds, or its motion arrived.
    pub(super) fn opens(&mut self, machine: usize, step: f64) -> bool {
        if self.machines[machine].released || self.current(machine).is_some_and(|row| row.arrived) {
            return true;
        }
        if self.cut || self.is_held(machine) {
            return false;
        }
        let fresh = self.machines[machine].fresh;
        self.candidates(machine).into_iter().any(|candidate| {
            let row = candidate.row;
            if row.on_request || !row.gate.any() {
                return false;
            }
            let elapsed = self.clock(machine, candidate);
            let after = after(row).is_some_and(|after| {
                let left = after - elapsed;
                left <= NEAR && left + step > NEAR
            });
            let motion = row.gate.motion.is_some_and(|gate| step > 0.0 && !self.was_open(machine, row, gate));
            // A state that waits for something looks around as soon as it is entered.
            fresh
                || after && (self.recurs(machine, row) || self.open(machine, candidate))
                || motion && self.open(machine, candidate) && self.may_take(machine, candidate)
        })
    }

    /// Whether a transition has a gate that comes again with each cycle.
    fn recurs(&self, machine: usize, row: &Transition) -> bool {
        let Some(gate) = row.gate.motion else { return false };
        let Some(current) = self.current(machine) else { return false };
        let clip = &self.behavior.animations[current.animation];
        let once = matches!(gate, MotionGate::Exit(place) if share(clip, place) > 1.0);
        clip.mode != Loop::Once && !once
    }

    /// Whether it is of use to look at a gate that comes again and again.
    fn may_take(&mut self, machine: usize, candidate: Candidate<'b>) -> bool {
        let row = candidate.row;
        let rows = &self.behavior.machines[machine];
        let outside = |state: usize| candidate.any || Some(state) != candidate.owner;
        let around =
            candidate.owner.into_iter().flat_map(|owner| rows.outward(owner)).filter(|it| outside(*it));
        let mut ways = around.filter_map(|state| rows.states[state].inside.as_ref()).flat_map(|it| &it.done);
        let opens = match row.target {
            Target::Exit => ways.any(|way| takes_time(&way.test)),
            Target::State(target) => self.wanders(machine, target),
        };
        let moves = self.change_of(machine, candidate).is_ok() || opens;
        let elsewhere = moves || mentions(&row.test) && row.target != Target::Exit;
        !self.recurs(machine, row)
            || elsewhere && (takes_time(&row.test) || self.holds(Some(machine), &row.test))
    }

    /// Whether the leaf that is entered with a state may change without anybody setting anything.
    fn wanders(&self, machine: usize, target: usize) -> bool {
        let rows = &self.behavior.machines[machine];
        rows.states.iter().enumerate().any(|(state, row)| {
            let start = row.inside.as_ref().map(|inside| &inside.start);
            rows.within(state, target)
                && matches!(start, Some(Start::Entry(rows)) if rows.iter().any(|(test, _)| takes_time(test)))
        })
    }

    /// Whether a gate that stays open was open before the last step.
    fn was_open(&self, machine: usize, row: &Transition, gate: MotionGate) -> bool {
        let Some(current) = self.current(machine) else { return false };
        let clip = &self.behavior.animations[current.animation];
        let share = match gate {
            MotionGate::Exit(place) => share(clip, place),
            MotionGate::AtEnd => 1.0,
            MotionGate::LeadOut => {
                let rate = self.row_rate(machine, current).abs();
                1.0 - self.fade_time(machine, row) * rate / clip.duration.max(1e-9)
            }
            MotionGate::Marker(index) if clip.mode == Loop::Once => {
                let share = clip.markers[index].seconds(clip.duration) / clip.duration.max(1e-9);
                if current.playhead.forward { share } else { 1.0 - share }
            }
            MotionGate::Marker(_) => return false,
        };
        if clip.mode == Loop::Once {
            return current.playhead.was_beyond(clip, share);
        }
        let before =
            current.playhead.cycles + current.playhead.cycle_seen(clip) - current.playhead.stretch(clip);
        share > 1.0 && before >= share - 1e-9
    }

    pub(super) fn next_of_machine(&self, machine: usize, at: &mut impl FnMut(f64)) {
        let running = &self.machines[machine];
        if let Some(fade) = running.fade {
            at(fade.duration - fade.elapsed);
        }
        let asked = if self.cut || self.is_held(machine) { Vec::new() } else { self.candidates(machine) };
        for candidate in asked {
            let row = candidate.row;
            if let Some(after) = after(row) {
                at(after - self.clock(machine, candidate));
            }
            if let Some((_, next)) = row.gate.motion.and_then(|gate| self.motion_gate(machine, row, gate)) {
                at(next);
            }
        }
        if let Some(current) = self.current(machine) {
            let clip = &self.behavior.animations[current.animation];
            let rate = self.row_rate(machine, current).abs();
            let told = clip.mode == Loop::Once || self.counts_cycles(machine);
            if told && rate > 0.0 && !current.playhead.ended && clip.duration > 0.0 {
                at(current.playhead.distance(clip, 1.0) / rate);
            }
        }
    }

    /// Whether somebody asked for each cycle of the motion.
    pub(super) fn counts_cycles(&self, machine: usize) -> bool {
        let states = &self.behavior.machines[machine].states;
        !self.cut && self.moved(machine).into_iter().any(|state| !states[state].repeat.is_empty())
    }

    /// The length of a transition's fade, in seconds.
    pub(super) fn fade_time(&self, machine: usize, row: &Transition) -> f64 {
        match row.duration {
            Length::Seconds(time) => time,
            Length::Cycles(share) => {
                let Some(current) = self.current(machine) else { return 0.0 };
                // Its own cycle, whoever it keeps step with.
                let rate = self.clip_rate(machine, current.animation, current.speed).abs();
                let clip = &self.behavior.animations[current.animation];
                if rate > 0.0 { share * clip.duration / rate } else { 0.0 }
            }
        }
    }

    /// Shows the motion of the current state, over what was shown; `from` is the state left and the fade's length.
    pub(super) fn start_motion(
        &mut self,
        machine: usize,
        look: Option<&Transition>,
        from: Option<(usize, f64)>,
    ) {
        let target = self.machines[machine].state;
        let empty = matches!(self.motion(machine), Motion::Empty);
        let source = self.current(machine).cloned().filter(|_| look.is_some_and(|row| row.sync));
        let time = from.map_or(0.0, |(_, time)| time);
        let lock = source.as_ref().filter(|_| time > 0.0).map(|source| source.lock.unwrap_or(self.locks));
        self.locks += 1;
        let running = &mut self.machines[machine];
        // The mix as it stands is what fades out.
        let weights: Vec<f64> = running.rows.iter().map(|row| running.weight(row)).collect();
        for (row, weight) in running.rows.iter_mut().zip(weights) {
            if row.role == Role::Current && lock.is_some() {
                row.lock = lock;
            }
            row.role = if empty { Role::Held(weight) } else { Role::Out(weight) };
            row.frozen |= look.is_some_and(|row| row.pause) || empty;
            row.arrived = false;
        }
        if running.fade.take().is_none() && !running.rows.iter().any(|row| matches!(row.role, Role::Held(_)))
        {
            running.slack = 0.0;
        }
        if let (Some((from, _)), true) = (from, time > 0.0) {
            // How far a fade goes in the time in which things count as simultaneous.
            let easing = look.map_or(Easing::Linear, |row| row.easing);
            running.slack = running.slack.max(4.0 * NEAR / time * steepest(easing));
            running.fade = Some(Fade {
                from,
                to: target,
                elapsed: 0.0,
                duration: time,
                easing,
                early_exit: look.is_none_or(|row| row.early_exit),
            });
            self.say(Kind::FadeStart(machine, from, target));
        } else if !empty {
            self.cut_rows(machine);
            self.machines[machine].bent = 0.0;
        }
        self.drop_weightless(machine);
        self.keep_most(machine);
        let leaves = self.leaves(machine);
        let heaviest = self.heaviest(&leaves);
        for (index, leaf) in leaves.into_iter().enumerate() {
            let start = look.and_then(|row| row.start);
            self.start_row(machine, &leaf, index == heaviest, start, source.as_ref().map(|row| (row, lock)));
        }
    }

    /// Starts a clip of a motion, in step with another if there is one.
    fn start_row(
        &mut self,
        machine: usize,
        leaf: &Leaf,
        speaks: bool,
        start: Option<Place>,
        source: Option<(&Row, Option<usize>)>,
    ) {
        let Clip { animation, speed, phase, .. } = leaf.clip;
        let clip = &self.behavior.animations[animation];
        let mut row = Row {
            animation,
            speed,
            phase,
            share: leaf.share,
            pace: leaf.pace,
            speaks,
            playhead: Playhead::start(clip, 0.0, 1.0).0,
            role: Role::Current,
            frozen: false,
            lock: source.and_then(|(_, lock)| lock),
            markers: Vec::new(),
            arrived: false,
        };
        let rate = self.row_rate(machine, &row);
        let mut place = if rate < 0.0 { clip.duration } else { 0.0 };
        if let Some(start) = start.or(leaf.clip.start) {
            place = start.seconds(clip.duration);
        }
        if let Some((source, _)) = source {
            let other = &self.behavior.animations[source.animation];
            let share = source.playhead.cycle_seen(other);
            place = if source.playhead.forward { share } else { 1.0 - share } * clip.duration;
        }
        // What starts at the end of a cycle starts the next.
        let end = if rate < 0.0 { 0.0 } else { clip.duration };
        if clip.mode == Loop::Loop && place == end {
            place = clip.duration - end;
        }
        if let Some(phase) = phase {
            place = self.number(phase).clamp(0.0, 1.0) * clip.duration;
        }
        let (playhead, passed) = Playhead::start(clip, place, rate);
        let near_gate =
            self.candidates(machine).into_iter().any(|candidate| match candidate.row.gate.motion {
                Some(MotionGate::Exit(gate)) => {
                    let gate = share(clip, gate) * clip.duration;
                    (if rate < 0.0 { clip.duration - gate } else { gate } - place).abs() < 10.0 * NEAR
                }
                _ => false,
            });
        if source.is_some() && (near_gate || playhead.lies_near(clip)) {
            self.unsure = Some("a motion in step with another starts where something lies");
        }
        row.playhead = playhead;
        for what in passed.into_iter().filter(|_| speaks) {
            if let Passed::Marker(index) = what {
                row.markers.push(index);
            }
            self.say(super::plays::kind(animation, what));
        }
        self.machines[machine].rows.push(row);
    }

    pub(super) fn mark(&mut self, mark: Mark) {
        let layers = &self.behavior.layers;
        match mark {
            Mark::Active(layer) => self.levels[layer].target = layers[layer].base_weight,
            Mark::ActiveAt(layer, weight) => self.levels[layer].target = weight,
            Mark::Suppress(layer) => self.levels[layer].target = 0.0,
        }
    }
}

impl Running {
    /// The eased progress of the fade; 1 where none runs.
    #[must_use]
    pub fn progress(&self) -> f64 {
        self.fade.map_or(1.0, |fade| ease(fade.easing, (fade.elapsed / fade.duration).clamp(0.0, 1.0)))
    }

    /// The weight of one of its rows.
    #[must_use]
    pub fn weight(&self, row: &Row) -> f64 {
        match row.role {
            Role::Current => self.progress() * row.share,
            Role::Out(from) => from * (1.0 - self.progress()),
            Role::Held(weight) => weight,
        }
    }
}

/// The time of a transition's `After`, as a program holds it.
fn after(row: &Transition) -> Option<f64> {
    row.gate.after.map(|time| f64::from(time as f32))
}

/// How much faster than a linear one a fade goes at most, but for the jumps of steps.
fn steepest(easing: Easing) -> f64 {
    match easing {
        Easing::Linear | Easing::Steps4 => 1.0,
        Easing::In | Easing::Out | Easing::InOut | Easing::InOutSine => 2.0,
        Easing::OutBack => 5.0,
    }
}

/// The easings, clamped to 0..1.
#[must_use]
pub(super) fn ease(easing: Easing, t: f64) -> f64 {
    let value = match easing {
        Easing::Linear => t,
        Easing::In => t * t,
        Easing::Out => 1.0 - (1.0 - t) * (1.0 - t),
        Easing::InOut if t < 0.5 => 2.0 * t * t,
        Easing::InOut => 1.0 - 2.0 * (1.0 - t) * (1.0 - t),
        Easing::OutBack => {
            let s = 1.70158;
            1.0 + (s + 1.0) * (t - 1.0).powi(3) + s * (t - 1.0) * (t - 1.0)
        }
        Easing::InOutSine => (1.0 - (std::f64::consts::PI * t).cos()) / 2.0,
        Easing::Steps4 => (t * 4.0).floor() / 4.0,
    };
    value.clamp(0.0, 1.0)
}
