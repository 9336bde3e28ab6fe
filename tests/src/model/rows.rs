//! The model's motions: how fast each runs, what it passes, and when it is gone.

use super::behavior::*;
use super::playhead::{NEAR, Passed};
use super::plays::kind;
use super::routes::Candidate;
use super::world::{Event, Kind, Role, Row, World};

/// The most motions that fade out in a machine.
const MOST: usize = 8;
/// A weight that rounding may have made of nothing: a fade gets as far in a few units of time. The runtime's numbers also come
/// to nothing earlier.
pub(super) const FAINT: f64 = 1e-5;

impl World<'_> {
    pub(super) fn clip_rate(&self, machine: usize, animation: usize, speed: Option<usize>) -> f64 {
        let speed = speed.map_or(1.0, |param| self.number(param));
        let layer = self.behavior.machines[machine].layer;
        self.behavior.animations[animation].speed * speed * self.layer_speed(layer)
    }

    /// Seconds of the clip that a row runs in a second: its own, or what its partners and it agree on.
    pub(super) fn row_rate(&self, machine: usize, row: &Row) -> f64 {
        if row.frozen || row.phase.is_some() {
            return 0.0;
        }
        let length = |row: &Row| self.behavior.animations[row.animation].duration;
        let own = |row: &Row| match row.pace {
            Some(pace) => pace * length(row) * self.layer_speed(self.behavior.machines[machine].layer),
            None => self.clip_rate(machine, row.animation, row.speed),
        };
        let Some(lock) = row.lock else { return own(row) };
        let running = &self.machines[machine];
        // In cycles a second: of those that fade out the mean by weight, and with the current one by the fade.
        let (mut sum, mut weights, mut current) = (0.0, 0.0, None);
        for other in running.rows.iter().filter(|other| other.lock == Some(lock) && !other.frozen) {
            let cycles = own(other) / length(other);
            match other.role {
                Role::Current => current = Some(cycles),
                // By what each had when it began to fade out: that holds where the easing hides them all.
                Role::Out(weight) | Role::Held(weight) => {
                    sum += weight * cycles;
                    weights += weight;
                }
            }
        }
        let out = (weights > 0.0).then(|| sum / weights);
        let progress = running.progress();
        let cycles = match (out, current) {
            (Some(out), Some(current)) => out * (1.0 - progress) + current * progress,
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => return own(row),
        };
        cycles * length(row)
    }

    /// Blends are where their inputs are, clips that stand at an expression there, and playheads turn, before anything is
    /// measured in the direction of play; gates are then seen from the other side.
    pub(super) fn face_rows(&mut self) {
        for machine in 0..self.machines.len() {
            self.refresh(machine);
            for index in 0..self.machines[machine].rows.len() {
                self.scrub(machine, index);
                self.face(machine, index);
            }
        }
    }

    fn face(&mut self, machine: usize, index: usize) {
        let rate = self.row_rate(machine, &self.machines[machine].rows[index]);
        let running = &mut self.machines[machine];
        let row = &mut running.rows[index];
        let clip = &self.behavior.animations[row.animation];
        let turns = rate != 0.0 && row.playhead.forward != (rate > 0.0) && !row.playhead.ended;
        if turns && clip.duration > 0.0 {
            row.playhead.turn(clip, rate);
            if row.playhead.unclear {
                self.unsure = Some("a playhead stands where something lies");
            }
            running.fresh |= row.role == Role::Current && row.speaks;
            self.turned(machine, index);
        }
    }

    /// When those in step turn around is known only as far as steps are short.
    fn turned(&mut self, machine: usize, index: usize) {
        let row = &self.machines[machine].rows[index];
        let leads = row.role == Role::Current && row.speaks && row.lock.is_some();
        let waits = |candidate: Candidate<'_>| candidate.row.gate.motion.is_some();
        if leads && self.candidates(machine).into_iter().any(waits) {
            self.unsure = Some("a motion in step turns around before a gate");
        }
    }

    /// Puts a row where its expression says.
    fn scrub(&mut self, machine: usize, index: usize) {
        let row = &self.machines[machine].rows[index];
        let Some(phase) = row.phase.filter(|_| !row.frozen) else { return };
        let place = self.number(phase).clamp(0.0, 1.0);
        let row = &mut self.machines[machine].rows[index];
        let clip = &self.behavior.animations[row.animation];
        let (animation, speaks) = (row.animation, row.speaks);
        let passed = row.playhead.scrub(clip, place * clip.duration);
        if row.playhead.unclear {
            self.unsure = Some("a playhead stands where something lies");
        }
        for what in passed.into_iter().filter(|_| speaks) {
            self.say(kind(animation, what));
        }
    }

    pub(super) fn move_rows(&mut self, step: f64) {
        for machine in 0..self.machines.len() {
            (0..self.machines[machine].rows.len()).for_each(|index| self.face(machine, index));
            // The rate in the middle of the step.
            if let Some(fade) = &mut self.machines[machine].fade {
                fade.elapsed += step / 2.0;
            }
            let rates: Vec<f64> =
                self.machines[machine].rows.iter().map(|row| self.row_rate(machine, row)).collect();
            if let Some(fade) = &mut self.machines[machine].fade {
                fade.elapsed -= step / 2.0;
            }
            for (index, rate) in rates.into_iter().enumerate() {
                self.move_row(machine, index, rate, step);
            }
        }
    }

    fn move_row(&mut self, machine: usize, index: usize, rate: f64, step: f64) {
        let (now, laps) = (self.now, self.counts_cycles(machine));
        let fade = self.machines[machine].fade;
        if self.machines[machine].rows[index].lock.is_some()
            && fade.is_some_and(|fade| fade.easing != Easing::Linear)
        {
            self.machines[machine].bent += (rate * step).abs();
        }
        let row = &mut self.machines[machine].rows[index];
        let clip = &self.behavior.animations[row.animation];
        row.markers.clear();
        if row.frozen || row.phase.is_some() {
            return;
        }
        let forward = row.playhead.forward;
        let passed = row.playhead.travel(clip, rate * step, rate);
        if row.playhead.unclear {
            self.unsure = Some("a playhead stands where something lies");
        }
        if row.playhead.forward != forward {
            self.turned(machine, index);
        }
        let row = &mut self.machines[machine].rows[index];
        if !row.speaks {
            return;
        }
        for (behind, what) in passed {
            let current = row.role == Role::Current;
            match what {
                Passed::Finish if !current => continue,
                Passed::Finish => (row.arrived, self.acted) = (true, true),
                // Another cycle is a moment only where somebody asked for it.
                Passed::Loop => row.arrived = current && laps,
                Passed::Marker(index) if behind.abs() <= 2.0 * NEAR * rate.abs() => row.markers.push(index),
                _ => {}
            }
            let offset = (now - behind / rate.abs().max(1e-9)).min(now);
            self.events.push(Event { offset, kind: kind(row.animation, what) });
        }
    }

    /// Spans that a row is inside end with it.
    fn end_row(&mut self, row: &Row) {
        if !row.speaks {
            return;
        }
        for (index, inside) in row.playhead.inside.iter().enumerate() {
            if *inside {
                self.say(Kind::SpanEnd(row.animation, index));
            }
        }
    }

    /// A cut: everything that was shown is gone.
    pub(super) fn cut_rows(&mut self, machine: usize) {
        let rows = std::mem::take(&mut self.machines[machine].rows);
        rows.iter().for_each(|row| self.end_row(row));
    }

    /// What has no weight has nothing to fade out.
    pub(super) fn drop_weightless(&mut self, machine: usize) {
        let faint = |weight: f64| weight > 1e-20 && weight < FAINT;
        let mut rows = self.machines[machine].rows.iter();
        if rows.any(|row| matches!(row.role, Role::Out(weight) | Role::Held(weight) if faint(weight))) {
            self.unsure = Some("a motion has next to no weight");
        }
        let rows = std::mem::take(&mut self.machines[machine].rows);
        let (gone, kept): (Vec<Row>, Vec<Row>) = rows
            .into_iter()
            .partition(|row| matches!(row.role, Role::Out(weight) | Role::Held(weight) if weight < 1e-14));
        self.machines[machine].rows = kept;
        gone.iter().for_each(|row| self.end_row(row));
    }

    /// How many fade out in all machines together at most: twice as many as there are machines in which something does,
    /// but eight at least.
    fn pool(&self) -> usize {
        let lasts = |row: &Transition| match row.duration {
            Length::Seconds(length) | Length::Cycles(length) => length > 0.0,
        };
        let shares = |machine: &&Machine| {
            let states = || machine.states.iter();
            let inside = states().filter_map(|state| state.inside.as_ref());
            let runs = inside.flat_map(|inside| [&inside.any, &inside.done]);
            let mut rows =
                runs.chain(states().map(|state| &state.transitions)).chain([&machine.any]).flatten();
            let shows = |state: &State| !matches!(state.motion, Motion::None | Motion::Empty);
            let holds = |state: &State| matches!(state.motion, Motion::Empty);
            states().any(shows) && (rows.any(lasts) || states().any(holds))
        };
        (2 * self.behavior.machines.iter().filter(shares).count()).max(MOST)
    }

    /// At most eight of a machine fade out, and of all so many as the pool holds: the machine that keeps the most gives
    /// way, of several the one in which something is new, else the first. Its lightest goes, and its share to the others.
    pub(super) fn keep_most(&mut self, machine: usize) {
        let pool = self.pool();
        let count = |world: &Self, machine: usize| {
            world.machines[machine].rows.iter().filter(|row| row.role != Role::Current).count()
        };
        while count(self, machine) > MOST {
            self.drop_lightest(machine);
        }
        let all = 0..self.machines.len();
        while all.clone().map(|other| count(self, other)).sum::<usize>() > pool {
            let most = all.clone().map(|other| count(self, other)).max();
            let first = all.clone().find(|other| Some(count(self, *other)) == most);
            let from = if Some(count(self, machine)) == most { machine } else { first.unwrap_or(machine) };
            self.drop_lightest(from);
        }
    }

    fn drop_lightest(&mut self, machine: usize) {
        let rows = &mut self.machines[machine].rows;
        let weight = |row: &Row| match row.role {
            Role::Out(weight) | Role::Held(weight) => weight,
            Role::Current => 0.0,
        };
        let out = |index: &usize| rows[*index].role != Role::Current;
        let lightest =
            (0..rows.len()).filter(out).min_by(|a, b| weight(&rows[*a]).total_cmp(&weight(&rows[*b])));
        let Some(lightest) = lightest else { return };
        let least = weight(&rows[lightest]);
        let mut others = (0..rows.len()).filter(out).filter(|index| *index != lightest);
        if others.any(|index| weight(&rows[index]) < least + 1e-4) {
            self.unsure = Some("two motions are lightest");
        }
        let gone = rows.remove(lightest);
        let total: f64 = rows.iter().map(weight).sum();
        let all = total + weight(&gone);
        for row in rows.iter_mut() {
            if let Role::Out(from) | Role::Held(from) = &mut row.role {
                *from = (*from * if total > 0.0 { all / total } else { 1.0 }).min(1.0);
            }
        }
        self.end_row(&gone);
    }

    /// Crossfades whose time is over.
    pub(super) fn end_fades(&mut self) -> bool {
        let mut any = false;
        for machine in 0..self.machines.len() {
            let Some(fade) = self.machines[machine].fade else { continue };
            if fade.elapsed + NEAR < fade.duration {
                continue;
            }
            any = true;
            self.machines[machine].fade = None;
            self.machines[machine].released = !fade.early_exit;
            self.say(Kind::FadeEnd(machine, fade.from, fade.to));
            let rows = std::mem::take(&mut self.machines[machine].rows);
            let (gone, kept): (Vec<Row>, Vec<Row>) =
                rows.into_iter().partition(|row| matches!(row.role, Role::Out(_)));
            self.machines[machine].rows = kept;
            gone.iter().for_each(|row| self.end_row(row));
        }
        any
    }

    /// A clip of no length that does not loop is at its end in the moment in which it starts.
    pub(super) fn end_short_rows(&mut self) {
        for machine in 0..self.machines.len() {
            for index in 0..self.machines[machine].rows.len() {
                let row = &self.machines[machine].rows[index];
                let clip = &self.behavior.animations[row.animation];
                if clip.duration == 0.0 && clip.mode == Loop::Once && row.role == Role::Current {
                    self.move_row(machine, index, 1.0, 0.0);
                }
            }
        }
    }
}
