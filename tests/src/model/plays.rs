//! The model's animations that actions and the host start: their fades, and who may hold a place.

use super::behavior::*;
use super::playhead::{NEAR, Passed, Playhead};
use super::rows::FAINT;
use super::world::{Event, Kind, UNIT, World};

/// An animation that an action may start.
#[derive(Clone, Debug, Default)]
pub struct Play {
    /// Plays and does not fade out.
    pub playing: bool,
    /// Reached its end since it was last started.
    pub finished: bool,
    pub playhead: Option<Playhead>,
    pub from: f64,
    pub to: f64,
    pub elapsed: f64,
    pub duration: f64,
    /// Seconds since it was last started.
    pub age: f64,
    /// It reached its end in the last step.
    pub arrived: bool,
}

impl Play {
    /// Its weight now.
    #[must_use]
    pub fn weight(&self) -> f64 {
        if self.elapsed + NEAR >= self.duration {
            return self.to;
        }
        self.from + (self.to - self.from) * self.elapsed / self.duration
    }

    fn fade(&mut self, to: f64, duration: f64) {
        self.from = self.weight();
        self.to = to;
        self.elapsed = 0.0;
        self.duration = (duration / UNIT).round() * UNIT;
    }
}

/// Where animations compete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Group(usize),
    Layer(usize),
}

fn place(row: &Animation) -> Option<Place> {
    match row.group {
        Some(group) => Some(Place::Group(group)),
        None => (!row.additive).then_some(Place::Layer(row.layer)),
    }
}

impl World<'_> {
    fn rate(&self, animation: usize) -> f64 {
        let row = &self.behavior.animations[animation];
        row.speed * self.layer_speed(row.layer)
    }

    pub(super) fn layer_speed(&self, layer: usize) -> f64 {
        self.behavior.layers[layer].speed.map_or(1.0, |param| self.number(param))
    }

    fn holder(&self, of: Place) -> Option<usize> {
        (0..self.plays.len())
            .find(|id| self.plays[*id].playing && place(&self.behavior.animations[*id]) == Some(of))
    }

    fn waits(&self, animation: usize) -> bool {
        self.waiting.contains(&Some(animation))
    }

    fn protected(&self, holder: usize, newcomer: usize) -> bool {
        let (row, other) = (&self.behavior.animations[holder], &self.behavior.animations[newcomer]);
        self.plays[holder].age + NEAR < row.min_duration
            || !row.can_interrupt && other.priority <= row.priority
    }

    fn may_replace(&self, holder: usize, newcomer: usize) -> bool {
        let (row, other) = (&self.behavior.animations[holder], &self.behavior.animations[newcomer]);
        !self.protected(holder, newcomer) && other.priority >= row.priority
    }

    /// Whether waiting for this holder could take forever.
    fn hopeless(&self, holder: usize, newcomer: usize) -> bool {
        self.behavior.animations[holder].mode != Loop::Once && !self.protected(holder, newcomer)
    }

    pub(super) fn play(&mut self, animation: usize) {
        if self.plays[animation].playing || self.waits(animation) {
            return;
        }
        let of = place(&self.behavior.animations[animation]);
        let Some(holder) = of.and_then(|of| self.holder(of)) else { return self.start(animation) };
        if self.may_replace(holder, animation) {
            self.let_go(holder);
            self.start(animation);
            self.judge_waiting(of, false);
            return;
        }
        match self.behavior.animations[animation].group {
            Some(group) if !self.hopeless(holder, animation) => {
                if let Some(other) = self.waiting[group].replace(animation) {
                    // The later one is heard of after the one that it evicts.
                    self.say(Kind::Reject(other));
                }
                self.say(Kind::Defer(animation));
            }
            _ => self.say(Kind::Reject(animation)),
        }
    }

    /// The one that waits for a place: it plays where nobody holds it; `newly` says that a protection ended.
    fn judge_waiting(&mut self, of: Option<Place>, newly: bool) {
        let Some(Place::Group(group)) = of else { return };
        let Some(animation) = self.waiting[group] else { return };
        match self.holder(Place::Group(group)) {
            None => {
                self.waiting[group] = None;
                self.start(animation);
            }
            Some(holder) if newly && self.may_replace(holder, animation) => {
                self.waiting[group] = None;
                self.let_go(holder);
                self.start(animation);
            }
            Some(holder) if !self.may_replace(holder, animation) && self.hopeless(holder, animation) => {
                self.waiting[group] = None;
                self.say(Kind::Reject(animation));
            }
            Some(_) => {}
        }
    }

    fn start(&mut self, animation: usize) {
        let row = &self.behavior.animations[animation];
        let rate = self.rate(animation);
        let play = &mut self.plays[animation];
        play.finished = false;
        play.playing = true;
        play.age = 0.0;
        play.arrived = false;
        play.fade(row.weight, row.fade_in);
        let goes_on = play.playhead.is_some() && row.mode != Loop::Once;
        if !goes_on {
            self.end_spans(animation);
        }
        self.say(Kind::Play(animation));
        if goes_on {
            return;
        }
        let (playhead, passed) = Playhead::start(row, if rate < 0.0 { row.duration } else { 0.0 }, rate);
        self.plays[animation].playhead = Some(playhead);
        for what in passed {
            self.say(kind(animation, what));
        }
    }

    fn end_spans(&mut self, animation: usize) {
        let Some(playhead) = &mut self.plays[animation].playhead else { return };
        let inside = std::mem::take(&mut playhead.inside);
        for (index, inside) in inside.into_iter().enumerate() {
            if inside {
                self.say(Kind::SpanEnd(animation, index));
            }
        }
    }

    fn remove(&mut self, animation: usize) {
        self.end_spans(animation);
        let finished = self.plays[animation].finished;
        self.plays[animation] = Play { finished, ..Play::default() };
    }

    /// Begins to fade out, with a `Stop`.
    fn let_go(&mut self, animation: usize) {
        self.say(Kind::Stop(animation));
        self.fade_out(animation);
    }

    fn fade_out(&mut self, animation: usize) {
        let time = self.behavior.animations[animation].fade_out;
        let play = &mut self.plays[animation];
        play.playing = false;
        play.fade(0.0, time);
        if play.from > 0.0 && play.from < FAINT {
            self.unsure = Some("an animation has next to no weight");
        }
        // What has no weight has nothing to fade out.
        if time == 0.0 || play.from == 0.0 {
            self.remove(animation);
        }
    }

    pub(super) fn stop(&mut self, animation: usize, cut: bool) {
        for waiting in &mut self.waiting {
            if *waiting == Some(animation) {
                *waiting = None;
            }
        }
        let playing = self.plays[animation].playing;
        if playing {
            self.say(Kind::Stop(animation));
        }
        if cut {
            self.remove(animation);
        } else if playing {
            self.fade_out(animation);
        }
        if playing {
            self.judge_waiting(place(&self.behavior.animations[animation]), false);
        }
    }

    fn stop_all(&mut self, cut: bool, chosen: impl Fn(&Animation) -> bool) {
        let chosen: Vec<usize> =
            (0..self.plays.len()).filter(|id| chosen(&self.behavior.animations[*id])).collect();
        // Those that wait first, so that none of them starts in another's place.
        for waiting in &mut self.waiting {
            if waiting.is_some_and(|id| chosen.contains(&id)) {
                *waiting = None;
            }
        }
        for id in chosen {
            self.stop(id, cut);
        }
    }

    pub(super) fn stop_group(&mut self, group: usize, cut: bool) {
        self.stop_all(cut, |row| row.group == Some(group));
    }

    pub(super) fn stop_tag(&mut self, tag: usize) {
        self.stop_all(false, |row| row.tags.contains(&tag));
    }

    pub(super) fn play_tag(&mut self, tag: usize) {
        for id in 0..self.plays.len() {
            if self.behavior.animations[id].tags.contains(&tag) {
                self.play(id);
            }
        }
    }

    pub(super) fn move_plays(&mut self, step: f64) {
        let now = self.now;
        for id in 0..self.plays.len() {
            let rate = self.rate(id);
            let row = &self.behavior.animations[id];
            let play = &mut self.plays[id];
            play.elapsed += step;
            play.age += step;
            let Some(playhead) = &mut play.playhead else { continue };
            let passed = playhead.travel(row, rate * step, rate);
            if playhead.unclear {
                self.unsure = Some("a playhead stands where something lies");
            }
            for (behind, what) in passed {
                if what == Passed::Finish {
                    // Reported when it is due, before the fade that it begins.
                    play.arrived = true;
                    if !play.playing {
                        continue;
                    }
                    self.acted = true;
                }
                let offset = (now - behind / rate.abs().max(1e-9)).min(now);
                self.events.push(Event { offset, kind: kind(id, what) });
            }
        }
    }

    pub(super) fn next_of_plays(&self, at: &mut impl FnMut(f64)) {
        for (id, play) in self.plays.iter().enumerate() {
            let row = &self.behavior.animations[id];
            let Some(playhead) = &play.playhead else { continue };
            let rate = self.rate(id);
            if row.mode == Loop::Once && !playhead.ended && rate != 0.0 {
                let end = if rate > 0.0 { row.duration - playhead.along } else { playhead.along };
                at(end / rate.abs());
            }
            at(play.duration - play.elapsed);
            if play.playing {
                at(row.min_duration - play.age);
            }
        }
    }

    /// What reached its end fades out.
    pub(super) fn finish_plays(&mut self) -> bool {
        let mut any = false;
        for id in 0..self.plays.len() {
            // A clip of no length is at its end as soon as it is looked at.
            let row = &self.behavior.animations[id];
            let play = &mut self.plays[id];
            if row.duration == 0.0
                && row.mode == Loop::Once
                && !play.arrived
                && let Some(playhead) = &mut play.playhead
            {
                let passed = playhead.travel(row, 0.0, 1.0);
                play.arrived = !passed.is_empty();
                let playing = play.playing;
                for (_, what) in passed.into_iter().filter(|_| playing) {
                    self.say(kind(id, what));
                }
            }
            if std::mem::take(&mut self.plays[id].arrived) {
                any = true;
                self.plays[id].finished = true;
                // One that fades out already comes to its end without a word.
                if self.plays[id].playing {
                    self.fade_out(id);
                }
            }
        }
        any
    }

    /// Fades that end, in and out.
    pub(super) fn end_play_fades(&mut self, step: f64) -> bool {
        let mut any = false;
        for id in 0..self.plays.len() {
            let play = &self.plays[id];
            let left = play.duration - play.elapsed;
            any |= play.playing && left <= NEAR && left + step > NEAR;
            if play.playhead.is_some() && !play.playing && left <= NEAR {
                self.remove(id);
                any = true;
            }
        }
        any
    }

    /// Who waits plays where the holder ended, or is judged again where a protection ended.
    pub(super) fn settle(&mut self, step: f64) -> bool {
        let mut any = false;
        for group in 0..self.waiting.len() {
            let place = Place::Group(group);
            // Of use only to one that waits.
            if self.waiting[group].is_none() {
                continue;
            }
            let ended = self.holder(place).is_some_and(|holder| {
                let left = self.behavior.animations[holder].min_duration - self.plays[holder].age;
                left <= NEAR && left + step > NEAR
            });
            any |= ended;
            if ended || self.holder(place).is_none() {
                self.judge_waiting(Some(place), ended);
                any = true;
            }
        }
        any
    }
}

/// A report of an animation's playhead.
pub(super) fn kind(animation: usize, what: Passed) -> Kind {
    match what {
        Passed::Finish => Kind::Finish(animation),
        Passed::Loop => Kind::Loop(animation),
        Passed::Marker(index) => Kind::Marker(animation, index),
        Passed::SpanBegin(index) => Kind::SpanBegin(animation, index),
        Passed::SpanEnd(index) => Kind::SpanEnd(animation, index),
    }
}
