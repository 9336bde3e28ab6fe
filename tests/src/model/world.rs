//! The reference model: what a behavior does, told as simply as possible, in plain structures and `f64`.
//!
//! It is written from the contract (docs/runtime.md), not from the runtime. Where the runtime computes, it takes small
//! steps; where the runtime keeps tables, it looks everything up anew. It is slow and does not care. What it cannot tell
//! apart from rounding it marks as unsure.

use super::behavior::*;
use super::inputs::Touch;
use super::parts::Part;
use super::playhead::{NEAR, Playhead};
use super::plays::Play;

/// Time passes in whole units; moments are at the first that is not before what is due.
pub(super) const UNIT: f64 = 1.0 / 16_777_216.0;
/// The longest step while rates change within it.
const SHORT: f64 = 4096.0 * UNIT;
/// The most moments of a tick at which something fires.
const MOMENTS: usize = 100;
/// Of more moments of any kind what comes next is not compared.
const LOOKS: usize = 1000;

/// The targets that a behavior may have listeners for.
pub(super) const TARGETS: usize = 3;

/// What happened, by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Enter(usize, usize),
    Exit(usize, usize),
    FadeStart(usize, usize, usize),
    FadeEnd(usize, usize, usize),
    FadeCancel(usize, usize, usize),
    Play(usize),
    Stop(usize),
    Defer(usize),
    Reject(usize),
    Emit(usize),
    Dropped(usize, usize),
    /// Decisions were cut short.
    ChainLimit,
    Finish(usize),
    Loop(usize),
    Marker(usize, usize),
    SpanBegin(usize, usize),
    SpanEnd(usize, usize),
}

impl Kind {
    /// The animation whose playhead reported it; `None` for what was decided.
    #[must_use]
    pub fn animation(self) -> Option<usize> {
        match self {
            Self::Finish(id) | Self::Loop(id) => Some(id),
            Self::Marker(id, _) | Self::SpanBegin(id, _) | Self::SpanEnd(id, _) => Some(id),
            _ => None,
        }
    }
}

/// An event.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub offset: f64,
    pub kind: Kind,
}

/// What is to be shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    pub layer: usize,
    pub animation: usize,
    pub weight: f64,
    pub time: f64,
}

/// The value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Flag(bool),
    Number(f64),
    Trigger(Latch),
}

/// A trigger.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Latch {
    pub armed: bool,
    /// Consumed in this pass; gone when it ends.
    pub spent: bool,
    /// Fired in this pass for the first time.
    pub fresh: bool,
    /// Fired again in this pass: armed anew when it ends.
    pub again: bool,
    /// The number of the last tick that began before it was fired.
    pub born: u64,
    /// Seconds since it was fired.
    pub age: f64,
}

/// A crossfade.
#[derive(Clone, Copy, Debug)]
pub struct Fade {
    pub from: usize,
    pub to: usize,
    pub elapsed: f64,
    pub duration: f64,
    pub easing: Easing,
    pub early_exit: bool,
}

/// How a row's weight comes about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Role {
    /// The motion of the current state.
    Current,
    /// Fades out, from that weight.
    Out(f64),
    /// Held by `Empty`.
    Held(f64),
}

/// A motion that is shown.
#[derive(Clone, Debug)]
pub struct Row {
    pub animation: usize,
    pub speed: Option<usize>,
    /// A parameter at which it stands.
    pub phase: Option<usize>,
    /// Its share of the motion's weight: 1 but in a blend.
    pub share: f64,
    /// In a blend, its cycles a second, without the speed of the layer.
    pub pace: Option<f64>,
    /// It is the heaviest of its motion, and reports what it passes.
    pub speaks: bool,
    pub playhead: Playhead,
    pub role: Role,
    pub frozen: bool,
    /// Rows with the same number share a phase.
    pub lock: Option<usize>,
    /// Markers that the last step passed.
    pub markers: Vec<usize>,
    /// It ended, or began another cycle, in the last step.
    pub arrived: bool,
}

/// A machine at work.
#[derive(Clone, Debug)]
pub struct Running {
    pub state: usize,
    pub before: Option<usize>,
    /// Seconds in each state, since it was entered last.
    pub clocks: Vec<f64>,
    /// What each composite remembers.
    pub memory: Vec<Option<usize>>,
    /// Entered since gates were last looked at.
    pub fresh: bool,
    pub rows: Vec<Row>,
    pub fade: Option<Fade>,
    /// How much the weights may differ from what they are to be.
    pub slack: f64,
    /// Seconds of clips that went by in step along a curve, whose paces are known to 1e-4 only.
    pub bent: f64,
    /// A fade with `EarlyExit false` ended at this moment.
    pub released: bool,
    pub request: Option<(usize, i32)>,
    /// What was asked for before this tick.
    pub due: Option<usize>,
    /// Triggers that this machine consumed in this pass.
    pub consumed: Vec<bool>,
    /// What its first motion passed where it started.
    pub first: Vec<Event>,
    /// Which reactions of each state held when they were last looked at.
    pub held: Vec<Vec<bool>>,
}

/// A layer's weight.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    pub weight: f64,
    pub target: f64,
}

/// A behavior that runs.
#[derive(Clone, Debug)]
pub struct World<'b> {
    pub behavior: &'b Behavior,
    pub values: Vec<Value>,
    /// Smoothed values; at their inputs at creation.
    pub soft: Vec<f64>,
    pub machines: Vec<Running>,
    pub plays: Vec<Play>,
    /// Who waits, by group.
    pub waiting: Vec<Option<usize>>,
    pub levels: Vec<Level>,
    pub held: Vec<bool>,
    pub events: Vec<Event>,
    /// Seconds into the tick.
    pub now: f64,
    /// Less than a unit, left of the ticks before.
    pub rest: f64,
    pub ticks: u64,
    pub locks: usize,
    pub began: bool,
    /// Machines decide, or reactions are looked at.
    pub deciding: bool,
    /// Something was decided or done since the last moment.
    pub acted: bool,
    /// At how many moments of this tick something was.
    pub fired: usize,
    /// Decisions are over for this tick.
    pub cut: bool,
    /// How often each trigger was fired.
    pub firings: Vec<u64>,
    pub parts: Vec<Part<'b>>,
    /// By target.
    pub touches: Vec<Touch>,
    /// The target that hears keys.
    pub focus: Option<usize>,
    /// Where the pointer is in the target whose reaction runs.
    pub pointer: [f64; 2],
    /// Whether anything heard the last input.
    pub heard: bool,
    /// What chance is to decide in this tick, one choice after the other.
    pub draws: Vec<usize>,
    /// Among how many it did.
    pub drawn: Vec<usize>,
    /// Why results may differ by more than rounding from here on.
    pub unsure: Option<&'static str>,
}

impl<'b> World<'b> {
    /// As at creation.
    #[must_use]
    pub fn new(behavior: &'b Behavior) -> Self {
        Self::given(behavior, &[])
    }

    /// As at creation, with some values from outside.
    pub(super) fn given(behavior: &'b Behavior, given: &[(usize, Value)]) -> Self {
        let values = behavior.params.iter().map(|param| match param {
            Param::Flag(value) => Value::Flag(*value),
            Param::Number(value) => Value::Number(*value),
            Param::Trigger(_) => Value::Trigger(Latch::default()),
        });
        let machines = behavior.machines.iter().map(|machine| Running {
            state: last_start(machine),
            before: None,
            clocks: vec![0.0; machine.states.len()],
            memory: vec![None; machine.states.len()],
            // What is open at the start is decided at the start of the first tick.
            fresh: false,
            rows: Vec::new(),
            fade: None,
            slack: 0.0,
            bent: 0.0,
            released: false,
            request: None,
            due: None,
            consumed: vec![false; behavior.params.len()],
            first: Vec::new(),
            held: machine.states.iter().map(|state| vec![false; state.whens.len()]).collect(),
        });
        let mut world = Self {
            behavior,
            values: values.collect(),
            soft: Vec::new(),
            machines: machines.collect(),
            plays: behavior.animations.iter().map(|_| Play::default()).collect(),
            waiting: vec![None; behavior.groups],
            levels: behavior
                .layers
                .iter()
                .map(|layer| Level { weight: layer.base_weight, target: layer.base_weight })
                .collect(),
            held: vec![false; behavior.whens.len()],
            events: Vec::new(),
            now: 0.0,
            rest: 0.0,
            ticks: 0,
            locks: 0,
            began: false,
            deciding: false,
            acted: false,
            fired: 0,
            cut: false,
            firings: vec![0; behavior.params.len()],
            parts: Vec::new(),
            touches: vec![Touch::default(); TARGETS],
            focus: None,
            pointer: [0.0; 2],
            heard: false,
            draws: Vec::new(),
            drawn: Vec::new(),
            unsure: None,
        };
        given.iter().for_each(|(param, value)| world.values[*param] = *value);
        world.soft = behavior.damps.iter().map(|(input, _)| world.number(*input)).collect();
        world.create_levels();
        for machine in 0..world.machines.len() {
            world.create_motion(machine);
        }
        world.create_parts();
        world
    }

    /// The motion of the state that a machine begins in, alone; the first tick reports where it starts.
    fn create_motion(&mut self, machine: usize) {
        let before = std::mem::take(&mut self.events);
        self.machines[machine].rows.clear();
        self.start_motion(machine, None, None);
        self.machines[machine].first = std::mem::replace(&mut self.events, before);
    }

    /// Every layer stands where the marks of the first states put it.
    fn create_levels(&mut self) {
        for (level, layer) in self.levels.iter_mut().zip(&self.behavior.layers) {
            level.target = layer.base_weight;
        }
        for machine in 0..self.machines.len() {
            for state in self.active(machine) {
                let marks = &self.behavior.machines[machine].states[state].marks;
                marks.iter().for_each(|mark| self.mark(*mark));
            }
        }
        for level in &mut self.levels {
            level.weight = level.target;
        }
    }

    /// Reports something that happens now.
    pub(super) fn say(&mut self, kind: Kind) {
        self.acted = true;
        self.events.push(Event { offset: self.now, kind });
    }

    /// Forgets what was reported.
    pub fn forget(&mut self) {
        self.events.clear();
        self.parts.iter_mut().for_each(|part| part.world.forget());
    }

    /// Something that the host does; its reports are the first of the next tick.
    pub fn host(&mut self, step: &Step) {
        self.now = 0.0;
        match *step {
            Step::SetFlag(param, value) => self.values[param] = Value::Flag(value),
            Step::SetNumber(param, value) => self.values[param] = Value::Number(value),
            Step::Fire(param) => self.fire(param),
            Step::Request(machine, state, priority) => self.request(machine, state, priority),
            Step::Play(animation) => self.play(animation),
            Step::Stop(animation, cut) => self.stop(animation, cut),
            Step::StopGroup(group, cut) => self.stop_group(group, cut),
            Step::PlayTag(tag) => self.play_tag(tag),
            Step::StopTag(tag) => self.stop_tag(tag),
            Step::Send(ref input) => self.heard = self.send(input),
            Step::Cancel(pointer) => self.let_go_of(pointer),
            Step::Inner(index, ref inner) => {
                if let Some(part) = self.parts.get_mut(index) {
                    part.world.host(inner);
                }
            }
            Step::Tick(dt) => {
                let time = f64::from(dt) + self.rest;
                let whole = (time / UNIT).floor() * UNIT;
                self.rest = time - whole;
                self.tick(whole);
            }
        }
    }

    /// Lets `dt` seconds pass, which are whole units.
    pub fn tick(&mut self, dt: f64) {
        self.now = 0.0;
        if self.began {
            for machine in &mut self.machines {
                // What was passed in the tick before was decided there; but what was entered without time to decide is new.
                for row in machine.rows.iter_mut().filter(|row| !(machine.fresh && row.playhead.window.2)) {
                    row.playhead.window = (row.playhead.seen, row.playhead.seen, false);
                    row.markers.clear();
                }
            }
        } else {
            self.began = true;
            self.begin();
        }
        // What the first entries fired is there before anything is decided.
        self.ticks += 1;
        for machine in &mut self.machines {
            machine.due = machine.request.take().map(|(state, _)| state);
        }
        self.deciding = true;
        for machine in 0..self.machines.len() {
            self.decide(machine);
        }
        let reacted = self.react();
        self.deciding = false;
        self.spend();
        if reacted {
            self.release();
        }
        self.expire_ticks();
        let mut updated = false;
        for machine in 0..self.machines.len() {
            for state in self.active(machine) {
                let update = &self.behavior.machines[machine].states[state].update;
                updated |= !update.is_empty();
                self.run(machine, update);
            }
        }
        if updated {
            self.release();
        }
        self.advance(dt);
        (0..self.machines.len()).for_each(|machine| self.refresh(machine));
        // Time order; what happened at one time keeps its order.
        self.events.sort_by(|a, b| a.offset.total_cmp(&b.offset));
        self.tick_parts(dt);
    }

    /// The first motions start, and the entry actions that were asked for run.
    fn begin(&mut self) {
        let mut decided = Vec::new();
        for machine in 0..self.machines.len() {
            let mut passed = Vec::new();
            let leaf = self.descend_start(machine, &mut passed);
            passed.into_iter().for_each(|test| self.consume(Some(machine), test));
            if leaf != self.machines[machine].state {
                self.machines[machine].state = leaf;
                decided.push(machine);
            }
        }
        if !decided.is_empty() {
            self.create_levels();
        }
        decided.into_iter().for_each(|machine| self.create_motion(machine));
        for machine in 0..self.machines.len() {
            let rows = &self.behavior.machines[machine];
            let mut first = std::mem::take(&mut self.machines[machine].first);
            self.events.append(&mut first);
            if rows.enter || matches!(rows.start, Start::Entry(_)) {
                for state in self.active(machine) {
                    self.enter(machine, state);
                }
            }
        }
    }

    /// The motion that is to play.
    pub(super) fn motion(&self, machine: usize) -> &'b Motion {
        let behavior: &'b Behavior = self.behavior;
        let rows = &behavior.machines[machine];
        rows.owner(self.machines[machine].state).map_or(&Motion::None, |state| &rows.states[state].motion)
    }

    fn advance(&mut self, dt: f64) {
        let mut left = dt;
        let mut moments = 0;
        (self.acted, self.fired, self.cut) = (false, 0, false);
        self.face_rows();
        if !self.moments(0.0, &mut moments) {
            return;
        }
        while left > 0.0 {
            let next = self.next(left);
            let changing =
                self.machines.iter().any(|machine| machine.rows.iter().any(|row| row.lock.is_some()));
            let next = (next / UNIT).ceil() * UNIT;
            let step = next.min(left).min(if changing { SHORT } else { f64::INFINITY });
            left -= step;
            self.now = dt - left;
            self.acted = false;
            self.pass(step);
            if !self.moments(step, &mut moments) {
                return;
            }
        }
        self.end_cut();
    }

    /// What nobody looked at any more and is due at the very end of the tick is due at the start of the next, or in its
    /// first moment.
    fn end_cut(&mut self) {
        if !std::mem::take(&mut self.cut) {
            return;
        }
        let mut near = false;
        for machine in 0..self.machines.len() {
            self.next_of_machine(machine, &mut |time| near |= time.abs() < 4.0 * NEAR);
        }
        if near {
            self.unsure = Some("something is due at the end of a tick that was cut short");
        }
    }

    /// What is due now and what that leads to; `false` where it does not come to an end.
    fn moments(&mut self, step: f64, moments: &mut usize) -> bool {
        let mut by = step;
        while self.moment(by) {
            by = 0.0;
            self.face_rows();
            self.acted = false;
            *moments += 1;
            if *moments > LOOKS {
                self.unsure = Some("many moments");
                return false;
            }
        }
        true
    }

    /// Everything that only takes time.
    fn pass(&mut self, step: f64) {
        self.move_rows(step);
        self.move_plays(step);
        for (machine, rows) in self.machines.iter_mut().zip(&self.behavior.machines) {
            rows.outward(machine.state).for_each(|state| machine.clocks[state] += step);
            if let Some(fade) = &mut machine.fade {
                fade.elapsed += step;
            }
        }
        for (index, (input, time)) in self.behavior.damps.iter().enumerate() {
            let input = self.number(*input);
            self.soft[index] = input + (self.soft[index] - input) * (-step / time).exp();
        }
        for (level, row) in self.levels.iter_mut().zip(&self.behavior.layers) {
            let most = row.lerp_rate * step;
            level.weight += (level.target - level.weight).clamp(-most, most);
        }
        for value in &mut self.values {
            if let Value::Trigger(latch) = value {
                latch.age += step;
            }
        }
    }

    /// Seconds to the next moment; what is due now does not count.
    fn next(&mut self, left: f64) -> f64 {
        let mut next = f64::INFINITY;
        let mut close = false;
        let mut at = |time: f64| {
            // Rounding may decide whether it is due at this moment, or in this tick.
            let near = |time: f64| time > 0.3 * NEAR && time < 4.0 * NEAR;
            close |= near(time) || near(time - left);
            if time > NEAR && time < next {
                next = time;
            }
        };
        for machine in 0..self.machines.len() {
            self.next_of_machine(machine, &mut at);
        }
        self.next_of_plays(&mut at);
        for (value, row) in self.values.iter().zip(&self.behavior.params) {
            if let (Value::Trigger(latch), Param::Trigger(Lifetime::Seconds(life))) = (value, row)
                && latch.armed
            {
                at(life - latch.age);
            }
        }
        if close {
            self.unsure = Some("two things are due at almost the same time");
        }
        next
    }

    /// What is due now, `step` seconds after it was last looked at. Whether anything was.
    fn moment(&mut self, step: f64) -> bool {
        let before = self.events.len();
        self.end_short_rows();
        let mut due = self.finish_plays();
        due |= self.end_fades();
        due |= self.end_play_fades(step);
        due |= self.settle(step);
        let machines = 0..self.machines.len();
        due |= machines.clone().any(|machine| self.opens(machine, step));
        due |= self.expiring();
        if !due {
            // Who was entered when decisions were over has not been looked at.
            machines.for_each(|machine| self.machines[machine].fresh &= self.cut);
            return false;
        }
        if self.fired == MOMENTS && !self.cut {
            self.cut = true;
            self.events.insert(before, Event { offset: self.now, kind: Kind::ChainLimit });
        }
        for machine in machines.clone() {
            let row =
                self.machines[machine].rows.iter_mut().find(|row| row.role == Role::Current && row.speaks);
            let Some(row) = row.filter(|row| row.arrived) else { continue };
            row.arrived = false;
            let ended = self.behavior.animations[self.current(machine).map_or(0, |row| row.animation)].mode
                == Loop::Once;
            for state in self.moved(machine) {
                let state = &self.behavior.machines[machine].states[state];
                if ended {
                    self.run(machine, &state.finish);
                } else if !self.cut {
                    self.run(machine, &state.repeat);
                }
            }
        }
        if !self.cut {
            self.deciding = true;
            for machine in machines {
                self.decide_gated(machine);
            }
            let reacted = self.react();
            self.deciding = false;
            self.spend();
            if reacted {
                self.release();
            }
        }
        self.expire_seconds();
        self.fired += usize::from(std::mem::take(&mut self.acted));
        true
    }

    pub(super) fn current(&self, machine: usize) -> Option<&Row> {
        self.machines[machine].rows.iter().find(|row| row.role == Role::Current && row.speaks)
    }

    /// What is to be shown now.
    #[must_use]
    pub fn shown(&self) -> Vec<Shown> {
        let mut all = Vec::new();
        for (index, machine) in self.machines.iter().enumerate() {
            for row in &machine.rows {
                let animation = &self.behavior.animations[row.animation];
                all.push(Shown {
                    layer: self.behavior.machines[index].layer,
                    animation: row.animation,
                    weight: machine.weight(row),
                    time: row.playhead.time(animation),
                });
            }
        }
        for (index, play) in self.plays.iter().enumerate() {
            let row = &self.behavior.animations[index];
            if let Some(playhead) = &play.playhead {
                all.push(Shown {
                    layer: row.layer,
                    animation: index,
                    weight: play.weight(),
                    time: playhead.time(row),
                });
            }
        }
        all.retain(|shown| shown.weight > 0.0);
        all
    }
}

/// The leaf in which a machine stands before an `Entry` is decided.
fn last_start(machine: &Machine) -> usize {
    let first = |start: &Start| match start {
        Start::State(state) => *state,
        Start::Entry(rows) => rows.last().map_or(0, |(_, state)| *state),
    };
    let mut state = first(&machine.start);
    while let Some(inside) = &machine.states[state].inside {
        state = first(&inside.start);
    }
    state
}
