//! Makes up behaviors and what hosts do with them.
//!
//! What it makes compiles, with warnings. Times are whole milliseconds, so that the text says exactly what the model
//! computes with, and coincidences are rare but for those that are meant.

use super::behavior::*;
use super::world::TARGETS;
use crate::random::Random;

/// What a made-up behavior may have.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Choices by chance.
    pub chance: bool,
    /// Decisions that wait for ticks: conditions on flags and triggers without a gate.
    pub inputs: bool,
    /// Animations that actions start.
    pub plays: bool,
    /// States without a motion, and with `Empty`.
    pub gaps: bool,
    /// Transitions that cut.
    pub cuts: bool,
    /// Blends of motions.
    pub blends: bool,
    /// Blends whose weights do not sum to 1.
    pub loose: bool,
    /// States in states.
    pub nested: bool,
    /// Behaviors inside.
    pub parts: bool,
    /// Machines that share a layer.
    pub shared: bool,
    /// Points of blends on one line, and on one circle.
    pub ties: bool,
}

impl Shape {
    /// Everything that the model can follow.
    pub const ALL: Self = Self {
        chance: true,
        inputs: true,
        plays: true,
        gaps: true,
        cuts: true,
        blends: true,
        loose: true,
        nested: true,
        parts: true,
        shared: true,
        ties: false,
    };
    /// Everything.
    pub const WILD: Self = Self { ties: true, ..Self::ALL };
    /// What depends on time alone.
    pub const TIMED: Self = Self { inputs: false, parts: false, chance: false, ..Self::ALL };
    /// Only motions that fade into each other.
    pub const SMOOTH: Self = Self {
        plays: false,
        gaps: false,
        cuts: false,
        blends: false,
        loose: false,
        shared: false,
        ..Self::ALL
    };
}

const FLAGS: [usize; 3] = [0, 1, 2];
const TRIGGERS: [usize; 3] = [3, 4, 5];
/// A speed above 0, one of either sign, and one that only conditions read.
pub(super) const PACE: usize = 6;
pub(super) const SIGNED: usize = 7;
pub(super) const LEVEL: usize = 8;
/// One from 0 to 1, mostly.
pub(super) const GRIP: usize = 9;

pub(super) struct Inventor {
    pub(super) random: Random,
    pub(super) shape: Shape,
    pub(super) behavior: Behavior,
    /// Animations that actions start.
    played: Vec<usize>,
}

/// A behavior.
#[must_use]
pub fn behavior(seed: u64, shape: Shape) -> Behavior {
    let mut inventor = Inventor {
        random: Random::new(seed),
        shape,
        behavior: Behavior {
            params: Vec::new(),
            damps: Vec::new(),
            layers: Vec::new(),
            animations: Vec::new(),
            groups: 2,
            tags: 2,
            emits: 4,
            machines: Vec::new(),
            whens: Vec::new(),
            components: Vec::new(),
            listeners: Vec::new(),
            rests: Vec::new(),
        },
        played: Vec::new(),
    };
    inventor.fill();
    if shape.parts && inventor.chance(20) {
        inventor.parts(seed);
    }
    inventor.behavior
}

/// What a host does: values, commands and ticks; the last is a tick.
#[must_use]
pub fn script(seed: u64, behavior: &Behavior, ticks: usize) -> Vec<Step> {
    let mut random = Random::new(seed ^ 0x5eed);
    let mut steps = Vec::new();
    let regular = random.below(3) == 0;
    for _ in 0..ticks {
        while random.below(100) < 35 {
            if !targets(behavior).is_empty() && random.below(3) == 0 {
                steps.push(input(&mut random, behavior));
            } else {
                steps.push(call(&mut random, behavior));
            }
        }
        let dts = [0.0, 0.001, 0.016, 1.0 / 60.0, 1.0 / 60.0, 0.033, 0.1, 0.25, 0.07, 0.7];
        let dt = if regular { 1.0 / 30.0 } else { dts[random.below(dts.len())] };
        let dt = if !regular && random.below(4) == 0 { random.below(900) as f32 / 1000.0 } else { dt };
        steps.push(Step::Tick(dt));
    }
    steps
}

/// The targets of a behavior and of its components, where any of them has listeners.
fn targets(behavior: &Behavior) -> Vec<Spot> {
    let own = if behavior.listeners.is_empty() { 0 } else { TARGETS };
    let mut all: Vec<Spot> = (0..own).map(|name| Spot { path: Vec::new(), name }).collect();
    for (index, component) in behavior.components.iter().enumerate() {
        for mut spot in targets(&component.behavior) {
            spot.path.insert(0, index);
            all.push(spot);
        }
    }
    all
}

fn input(random: &mut Random, behavior: &Behavior) -> Step {
    let mut place = || [0, 1].map(|_| random.below(1400) as f64 / 1000.0 - 0.1997);
    let (scene, places) = (place(), [place(), place(), place()]);
    let all = targets(behavior);
    let key = random.below(2);
    let signal = match random.below(12) {
        0 => Signal::Enter,
        1 => Signal::Leave,
        2 | 3 => Signal::Down,
        4 | 5 => Signal::Up,
        6 => Signal::Move,
        7 => Signal::Click,
        8 => Signal::KeyDown(Some(key)),
        9 => [Signal::KeyUp(Some(key)), Signal::Blur][random.below(2)],
        10 => Signal::Focus,
        _ => Signal::Custom(key),
    };
    if random.below(30) == 0 {
        return Step::Cancel(key as u8);
    }
    let count = match signal {
        Signal::Focus | Signal::Blur => 1,
        Signal::KeyDown(_) | Signal::KeyUp(_) => 0,
        _ => random.below(4),
    };
    let mut hit: Vec<(Spot, [f64; 2])> = Vec::new();
    for place in &places[..count] {
        let spot = all[random.below(all.len())].clone();
        if hit.iter().all(|(other, _)| *other != spot) {
            hit.push((spot, *place));
        }
    }
    Step::Send(Input { signal, pointer: random.below(4) as u8 / 3, targets: hit, scene })
}

fn call(random: &mut Random, behavior: &Behavior) -> Step {
    let parts = behavior.components.len();
    if parts > 0 && random.below(3) == 0 {
        let index = random.below(parts);
        return Step::Inner(index, Box::new(call(random, &behavior.components[index].behavior)));
    }
    let animation = random.below(behavior.animations.len());
    let cut = random.below(3) == 0;
    let grip = random.below(1000) as f64 / 1000.0 + 0.0003;
    match random.below(12) {
        0..=3 => Step::SetFlag(FLAGS[random.below(3)], random.below(2) == 0),
        4..=6 => Step::Fire(TRIGGERS[random.below(3)]),
        7 => match random.below(4) {
            0 => Step::SetNumber(PACE, [0.5, 1.0, 2.0, 1.25][random.below(4)]),
            1 => Step::SetNumber(SIGNED, [-1.0, 0.0, 1.0, 0.6][random.below(4)]),
            2 => Step::SetNumber(LEVEL, random.below(7) as f64 / 2.0),
            _ => Step::SetNumber(GRIP, [0.0, 1.0, -0.5, 1.5, grip, grip, grip][random.below(7)]),
        },
        8 => {
            let machine = random.below(behavior.machines.len());
            let state = random.below(behavior.machines[machine].states.len());
            Step::Request(machine, state, random.below(3) as i32)
        }
        9 => Step::Play(animation),
        10 => Step::Stop(animation, cut),
        _ => match random.below(3) {
            0 => Step::StopGroup(random.below(behavior.groups), cut),
            1 => Step::PlayTag(random.below(behavior.tags)),
            _ => Step::StopTag(random.below(behavior.tags)),
        },
    }
}

impl Inventor {
    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    pub(super) fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.random.below(list.len())]
    }

    /// Milliseconds as seconds.
    fn time(&mut self, from: usize, to: usize) -> f64 {
        (from + self.random.below(to - from)) as f64 / 1000.0
    }

    pub(super) fn share(&mut self) -> Place {
        Place::Share(self.random.below(1000) as f64 / 1000.0)
    }

    fn fill(&mut self) {
        for index in 0..3 {
            let initial = index == 1 && self.chance(30);
            self.behavior.params.push(Param::Flag(initial));
        }
        for _ in 0..3 {
            let life = self.time(30, 300);
            let life = self.of(&[Lifetime::Kept, Lifetime::Kept, Lifetime::Tick, Lifetime::Seconds(life)]);
            self.behavior.params.push(Param::Trigger(life));
        }
        self.behavior.params.extend([Param::Number(1.0), Param::Number(1.0), Param::Number(0.0)]);
        self.behavior.params.push(Param::Number(0.3));
        if self.shape.inputs && self.chance(40) {
            let time = self.time(40, 800);
            self.behavior.damps.push((LEVEL, time));
        }
        let rest = self.time(0, 1000);
        self.behavior.rests = vec![None, Some(rest)];
        let layers = 1 + self.random.below(3);
        for _ in 0..layers {
            let base_weight = self.of(&[1.0, 1.0, 0.8, 0.5]);
            let lerp_rate = self.of(&[8.0, 2.5, 1.0]);
            let speed = if self.chance(25) { Some(PACE) } else { None };
            let (additive, masked) = (self.chance(15), self.chance(25));
            let mask = if masked { Some(self.chance(60)) } else { None };
            self.behavior.layers.push(Layer { base_weight, lerp_rate, speed, additive, mask });
        }
        let plays = if self.shape.plays { 2 + self.random.below(5) } else { 1 };
        for _ in 0..plays {
            let layer = self.random.below(layers);
            let id = self.animation(layer, 15);
            self.played.push(id);
        }
        // Every group and tag that something may name is there.
        for index in 0..plays.min(2) {
            let row = &mut self.behavior.animations[index];
            row.group = Some(index);
            row.tags = vec![index];
        }
        for layer in 0..layers {
            if layer == 0 || self.chance(60) {
                self.machine(layer);
            }
            if layer == 0 && self.shape.shared && self.chance(12) {
                self.machine(layer);
            }
        }
        if self.chance(60) {
            for _ in 0..1 + self.random.below(2) {
                let when = self.when(None);
                self.behavior.whens.push(when);
            }
        }
        if self.shape.inputs && self.chance(30) {
            self.listeners();
        }
        // Lists may name what is made after them.
        for machine in 0..self.behavior.machines.len() {
            self.fill_machine(machine);
        }
    }

    fn listeners(&mut self) {
        for _ in 0..1 + self.random.below(4) {
            let target = if self.chance(80) { Some(self.random.below(TARGETS)) } else { None };
            let mut hears: Vec<(Signal, Vec<Action>)> = Vec::new();
            for _ in 0..1 + self.random.below(3) {
                let key = self.of(&[None, Some(0), Some(1)]);
                let signal = match self.random.below(10) {
                    0 => self.of(&[Signal::Enter, Signal::Leave]),
                    1 | 2 => Signal::Down,
                    3 | 4 => Signal::Up,
                    5 => self.of(&[Signal::Move, Signal::Click]),
                    6 => self.of(&[Signal::Focus, Signal::Blur]),
                    7 => Signal::KeyDown(key),
                    8 => Signal::KeyUp(key),
                    _ => Signal::Custom(key.unwrap_or(0)),
                };
                let points =
                    [Signal::Enter, Signal::Leave, Signal::Down, Signal::Up, Signal::Move, Signal::Click];
                let mut actions = self.list(0, 90);
                if points.contains(&signal) && self.chance(50) {
                    actions.push(Action::SetPointer(self.of(&[LEVEL, GRIP]), self.chance(50)));
                }
                if hears.iter().all(|(other, _)| *other != signal) {
                    hears.push((signal, actions));
                }
            }
            let pass_through = target.is_some() && self.chance(30);
            self.behavior.listeners.push(Listener { target, pass_through, hears });
        }
    }

    /// Behaviors inside, tied to this one.
    fn parts(&mut self, seed: u64) {
        for index in 0..1 + self.random.below(2) as u64 {
            let inside =
                behavior(seed * 3 + index + 7_000_000, Shape { parts: self.chance(15), ..self.shape });
            let mut binds: Vec<Bind> = Vec::new();
            for inner in 0..self.behavior.params.len() {
                let kinds: [&[usize]; 2] = [&FLAGS, &TRIGGERS];
                let kind = kinds.into_iter().find(|kind| kind.contains(&inner));
                let outer = kind.map_or(inner, |kind| self.of(kind));
                let way = self.of(&[Way::Down, Way::Up, Way::Both]);
                // A parameter takes its value from one bind only.
                let given = |bind: &Bind| bind.outer == outer && bind.way != Way::Down;
                let others = self.behavior.components.iter().flat_map(|component| &component.binds);
                let taken = way != Way::Down && others.chain(&binds).any(given);
                if self.chance(45) && !taken {
                    binds.push(Bind { outer, inner, way });
                }
            }
            self.behavior.components.push(Component { behavior: inside, binds });
        }
    }

    pub(super) fn animation(&mut self, layer: usize, backward: usize) -> usize {
        let duration = if self.chance(4) { 0.0 } else { self.time(80, 1400) };
        let mode = self.of(&[Loop::Once, Loop::Once, Loop::Loop, Loop::Loop, Loop::PingPong]);
        let markers = (0..self.random.below(3))
            .map(|index| {
                let share = self.share();
                if index == 0 { self.of(&[Place::Share(0.0), Place::Share(1.0), share]) } else { share }
            })
            .collect();
        let spans = (0..self.random.below(2))
            .map(|_| {
                let from = self.random.below(700);
                let to = from + 20 + self.random.below(980 - from);
                let to = if self.chance(20) { 1000 } else { to };
                (Place::Share(from as f64 / 1000.0), Place::Share(to as f64 / 1000.0))
            })
            .collect();
        let speed = if self.chance(backward) { -1.0 } else { self.of(&[1.0, 1.0, 1.0, 2.0, 0.5]) };
        let row = Animation {
            layer,
            duration,
            mode,
            speed,
            group: if self.chance(50) { Some(self.random.below(2)) } else { None },
            priority: self.random.below(3) as i32,
            fade_in: if self.chance(30) { 0.0 } else { self.time(20, 300) },
            fade_out: if self.chance(30) { 0.0 } else { self.time(20, 300) },
            weight: self.of(&[1.0, 1.0, 0.5]),
            can_interrupt: self.chance(70),
            min_duration: if self.chance(35) { self.time(30, 500) } else { 0.0 },
            additive: self.chance(20),
            tags: (0..2).filter(|_| self.chance(30)).collect(),
            markers,
            spans,
            tracks: (0..2).filter_map(|property| self.track(property)).collect(),
        };
        self.behavior.animations.push(row);
        self.behavior.animations.len() - 1
    }

    fn track(&mut self, property: usize) -> Option<Track> {
        if !self.chance(40) {
            return None;
        }
        let mut keys = Vec::new();
        for quarter in 0..4 {
            if self.chance(40) {
                continue;
            }
            let (share, value) = (quarter as f64 * 0.25 + self.time(0, 150), self.time(0, 1000));
            let easing = self.of(&[Easing::Linear, Easing::In, Easing::Out, Easing::InOut]);
            keys.push(((share * 1000.0).round() / 1000.0, value, easing));
        }
        (!keys.is_empty()).then_some(Track { property, keys })
    }

    /// A machine whose states have motions and nothing else yet.
    fn machine(&mut self, layer: usize) {
        let count = 2 + self.random.below(5);
        let states = (0..count).map(|_| {
            let motion = self.motion(layer);
            State {
                parent: None,
                inside: None,
                terminal: false,
                marks: Vec::new(),
                motion,
                entry: Vec::new(),
                entry_from: None,
                exit: Vec::new(),
                update: Vec::new(),
                finish: Vec::new(),
                repeat: Vec::new(),
                whens: Vec::new(),
                transitions: Vec::new(),
            }
        });
        let states = states.collect();
        let enter = self.chance(40);
        let start = Start::State(0);
        self.behavior.machines.push(Machine { layer, start, enter, states, any: Vec::new() });
        if self.shape.nested && self.chance(45) {
            self.nest();
        }
    }

    /// Puts states of the last machine into others. The first stays where it is.
    fn nest(&mut self) {
        let machine = self.behavior.machines.len() - 1;
        let count = self.behavior.machines[machine].states.len();
        for index in 1..count {
            if self.chance(55) {
                let parent = self.random.below(index);
                let history = self.of(&[History::None, History::Shallow, History::Deep]);
                let states = &mut self.behavior.machines[machine].states;
                states[index].parent = Some(parent);
                states[parent].inside.get_or_insert(Inside {
                    start: Start::State(index),
                    history,
                    any: Vec::new(),
                    done: Vec::new(),
                });
            }
        }
        for index in 0..count {
            let (outer, around) = (self.chance(60), self.chance(40));
            let rows = &self.behavior.machines[machine];
            let inherits = rows.states[index].parent.is_some_and(|parent| rows.owner(parent).is_some());
            // A leaf always has a motion to show, its own or one around it.
            if rows.states[index].inside.is_some() && outer || inherits && around {
                self.behavior.machines[machine].states[index].motion = Motion::None;
            }
        }
    }

    fn fill_machine(&mut self, machine: usize) {
        let count = self.behavior.machines[machine].states.len();
        if self.shape.inputs && self.shape.nested && self.chance(12) {
            let states = &self.behavior.machines[machine].states;
            let outer: Vec<usize> = (0..count).filter(|state| states[*state].parent.is_none()).collect();
            self.behavior.machines[machine].start = self.entry(machine, &outer);
        }
        if self.shape.inputs && self.chance(40) {
            for _ in 0..1 + self.random.below(2) {
                let mut row = self.transition(machine, None, true);
                row.priority = self.random.below(3) as i32;
                self.behavior.machines[machine].any.push(row);
            }
        }
        for index in 0..count {
            let transitions: Vec<Transition> =
                (0..self.random.below(4)).map(|_| self.transition(machine, Some(index), false)).collect();
            let terminal = transitions.is_empty() && self.chance(20);
            let marks = self.marks();
            let entry = self.list(machine, 50);
            let exit = self.list(machine, 40);
            let update = if self.chance(8) { vec![Action::Emit(3)] } else { Vec::new() };
            let from = self.random.below(count);
            let entry_from = if self.chance(15) {
                let list = self.list(machine, 100);
                Some((from, list))
            } else {
                None
            };
            let mode = self.mode(machine, index);
            let finish = if mode == Some(Loop::Once) { self.list(machine, 30) } else { Vec::new() };
            let repeat =
                if mode.is_some_and(|mode| mode != Loop::Once) { self.list(machine, 30) } else { Vec::new() };
            let whens = (0..usize::from(self.chance(25))).map(|_| self.when(Some(machine))).collect();
            let inside = self.inside(machine, index);
            let state = &mut self.behavior.machines[machine].states[index];
            *state = State {
                parent: state.parent,
                terminal: terminal && inside.is_none(),
                inside,
                marks,
                motion: state.motion.clone(),
                entry,
                entry_from,
                exit,
                update,
                finish,
                repeat,
                whens,
                transitions,
            };
        }
    }

    /// What a composite says of the states inside it.
    fn inside(&mut self, machine: usize, index: usize) -> Option<Inside> {
        let mut inside = self.behavior.machines[machine].states[index].inside.clone()?;
        if self.shape.inputs && self.chance(30) {
            inside.any.push(self.transition(machine, Some(index), true));
        }
        for _ in 0..1 + self.random.below(2) {
            let mut row = self.transition(machine, Some(index), true);
            row.test = if self.shape.inputs && self.chance(60) {
                self.test(Some(machine), None, false)
            } else {
                Test::Always
            };
            row.gate = Gate::default();
            row.instant = false;
            (row.on_request, row.restart, row.random_weight, row.start) = (false, false, None, None);
            inside.done.push(row);
        }
        if self.shape.inputs && self.chance(25) {
            let states = &self.behavior.machines[machine].states;
            let inner: Vec<usize> =
                (0..states.len()).filter(|inner| states[*inner].parent == Some(index)).collect();
            inside.start = self.entry(machine, &inner);
        }
        Some(inside)
    }

    /// An `Entry` of some of these states.
    fn entry(&mut self, machine: usize, states: &[usize]) -> Start {
        let first = self.of(states);
        let last = self.of(states);
        Start::Entry(vec![(self.test(Some(machine), None, false), first), (Test::Always, last)])
    }

    fn marks(&mut self) -> Vec<Mark> {
        let mut marks = Vec::new();
        for layer in 0..self.behavior.layers.len() {
            if self.chance(20) {
                let mark = self.of(&[Mark::Active(layer), Mark::ActiveAt(layer, 0.3), Mark::Suppress(layer)]);
                marks.push(mark);
            }
        }
        marks
    }

    /// The clip that plays while a state is active, where that is always the same.
    fn clip(&self, machine: usize, state: usize) -> Option<&Animation> {
        match self.shown(machine, state) {
            Motion::Clip(Clip { animation, phase: None, .. }) => Some(&self.behavior.animations[*animation]),
            _ => None,
        }
    }

    fn shown(&self, machine: usize, state: usize) -> &Motion {
        let rows = &self.behavior.machines[machine];
        let inner = (0..rows.states.len()).filter(|inner| *inner != state && rows.within(*inner, state));
        let varies = inner.into_iter().any(|inner| !matches!(rows.states[inner].motion, Motion::None));
        let owner = rows.owner(state).filter(|_| !varies);
        owner.map_or(&Motion::None, |owner| &rows.states[owner].motion)
    }

    fn mode(&self, machine: usize, state: usize) -> Option<Loop> {
        self.clip(machine, state).map(|row| row.mode)
    }

    /// Whether a state's clip may keep step with another's: it loops and takes time.
    fn steps(&self, machine: usize, state: usize) -> bool {
        let signed = matches!(self.shown(machine, state), Motion::Clip(Clip { speed: Some(SIGNED), .. }));
        self.clip(machine, state).is_some_and(|row| row.mode == Loop::Loop && row.duration > 0.0 && !signed)
    }

    /// A transition of a state, of `AnyState` in it, or of that of the machine.
    fn transition(&mut self, machine: usize, owner: Option<usize>, any: bool) -> Transition {
        let state = owner.filter(|_| !any);
        let target = self.random.below(self.behavior.machines[machine].states.len());
        let around = match owner {
            Some(owner) if !any => self.behavior.machines[machine].states[owner].parent,
            other => other,
        };
        let exit = self.shape.nested && self.chance(if around.is_some() { 20 } else { 2 });
        let mut gate = self.gate(machine, state);
        let gated = gate.any();
        let on_request = !gated && !exit && self.chance(5);
        let instant = !gated && !on_request && self.shape.cuts && self.chance(12);
        let test = match () {
            () if on_request || gated && (!self.shape.inputs || self.chance(50)) => Test::Always,
            () => self.test(Some(machine), state, true),
        };
        let cut = instant || self.shape.cuts && self.chance(35);
        let duration = if cut { Length::Seconds(0.0) } else { Length::Seconds(self.time(30, 600)) };
        let lasting = state.and_then(|state| self.clip(machine, state)).is_some_and(|row| row.duration > 0.0);
        // A share of a cycle is one of the cycle as it is; of one whose pace the host changes, that is not asked here.
        let steady = state.is_some_and(|state| {
            matches!(self.shown(machine, state), Motion::Clip(Clip { speed: None, .. }))
        }) && self.behavior.layers[self.behavior.machines[machine].layer].speed.is_none();
        let duration =
            if !cut && lasting && steady && self.chance(15) { Length::Cycles(0.25) } else { duration };
        if !cut && matches!(gate.motion, Some(MotionGate::AtEnd)) && self.chance(50) {
            gate.motion = Some(MotionGate::LeadOut);
        }
        let in_step =
            !exit && state.is_some_and(|state| self.steps(machine, state)) && self.steps(machine, target);
        let sync = !cut && in_step && self.chance(60);
        let easings = [
            Easing::Linear,
            Easing::Linear,
            Easing::In,
            Easing::Out,
            Easing::InOut,
            Easing::OutBack,
            Easing::InOutSine,
        ];
        let easing = if cut { Easing::Linear } else { self.of(&easings) };
        let start = self.share();
        let weight = self.of(&[1.5, 1.0, 0.25]);
        let restart = Some(target) == state && self.chance(70) || state.is_none() && self.chance(20);
        Transition {
            target: if exit { Target::Exit } else { Target::State(target) },
            test,
            gate,
            on_request,
            priority: self.random.below(3) as i32,
            duration,
            easing,
            early_exit: cut || self.chance(80),
            pause: !cut && !sync && self.chance(15),
            sync,
            start: if !exit && !sync && self.chance(12) && self.clip(machine, target).is_some() {
                Some(start)
            } else {
                None
            },
            random_weight: if self.shape.chance && self.chance(20) { Some(weight) } else { None },
            instant,
            restart: restart && !exit,
            actions: self.list(machine, 20),
        }
    }

    fn gate(&mut self, machine: usize, state: Option<usize>) -> Gate {
        let mut gate = Gate::default();
        if self.shape.inputs && self.chance(45) {
            return gate;
        }
        let clip = state.and_then(|state| self.clip(machine, state)).filter(|row| row.duration > 0.0);
        let (duration, markers) = clip.map_or((0.0, 0), |row| (row.duration, row.markers.len()));
        let looped = clip.is_some_and(|row| row.mode != Loop::Once);
        if duration == 0.0 || self.chance(35) {
            gate.after = Some(if self.chance(8) { 0.0 } else { self.time(20, 900) });
        }
        if duration == 0.0 || gate.after.is_some() && self.chance(70) {
            return gate;
        }
        let share = self.share();
        gate.motion = Some(match self.random.below(8) {
            0 => MotionGate::AtEnd,
            1 if markers > 0 => MotionGate::Marker(self.random.below(markers)),
            2 if looped => MotionGate::Exit(Place::Share(1.0 + self.random.below(2000) as f64 / 1000.0)),
            3 => MotionGate::Exit(Place::Seconds(((duration * 600.0).floor()) / 1000.0)),
            4 => MotionGate::Exit(Place::Share(0.02)),
            _ => MotionGate::Exit(share),
        });
        gate
    }

    /// A condition of a transition or, if not `timed`, of a reaction.
    fn test(&mut self, machine: Option<usize>, state: Option<usize>, timed: bool) -> Test {
        let pick = self.random.below(if timed { 20 } else { 15 });
        match pick {
            0..=4 => Test::Flag(self.of(&FLAGS)),
            5..=7 => Test::Fired(self.of(&TRIGGERS)),
            8 => Test::Above(LEVEL, self.random.below(3) as f64),
            9 => Test::Not(Box::new(self.test(machine, state, timed))),
            10 => self.both(machine, state, timed, Test::And),
            11 => self.both(machine, state, timed, Test::Or),
            12 => Test::Playing(self.of(&self.played.clone())),
            13 => Test::Finished(self.of(&self.played.clone())),
            14 => {
                let other = self.random.below(self.behavior.machines.len());
                Test::In(other, self.random.below(self.behavior.machines[other].states.len()))
            }
            15 if !self.behavior.damps.is_empty() => Test::Soft(0, self.random.below(5) as f64 / 2.0 + 0.27),
            15 | 16 => Test::Elapsed(self.time(20, 700)),
            17 if state.is_some() => {
                let machine = machine.unwrap_or(0);
                Test::CameFrom(self.random.below(self.behavior.machines[machine].states.len()))
            }
            18 if state.is_some_and(|state| self.mode(machine.unwrap_or(0), state) == Some(Loop::Once)) => {
                Test::Ended
            }
            19 if state.is_some_and(|state| {
                self.mode(machine.unwrap_or(0), state).is_some_and(|mode| mode != Loop::Once)
            }) =>
            {
                Test::Loops(1.0 + self.random.below(2) as f64)
            }
            _ => Test::Flag(self.of(&FLAGS)),
        }
    }

    fn both(
        &mut self,
        machine: Option<usize>,
        state: Option<usize>,
        timed: bool,
        join: fn(Box<Test>, Box<Test>) -> Test,
    ) -> Test {
        let a = self.test(machine, state, timed);
        join(Box::new(a), Box::new(self.test(machine, state, timed)))
    }

    fn when(&mut self, machine: Option<usize>) -> When {
        let test = self.test(machine, None, false);
        When { test, actions: self.list(machine.unwrap_or(0), 100) }
    }

    fn list(&mut self, machine: usize, percent: usize) -> Vec<Action> {
        if !self.chance(percent) {
            return Vec::new();
        }
        (0..1 + self.random.below(2)).map(|_| self.action(machine, 0)).collect()
    }

    fn action(&mut self, machine: usize, depth: usize) -> Action {
        let animation = self.of(&self.played.clone());
        let pick = self.random.below(24);
        match pick {
            0..=7 if self.shape.plays => match pick {
                0..=3 => Action::Play(animation),
                4 | 5 => Action::Stop(animation, self.chance(30)),
                6 => Action::StopGroup(self.random.below(2), self.chance(30)),
                _ if self.chance(60) => Action::PlayTag(self.random.below(2)),
                _ => Action::StopTag(self.random.below(2)),
            },
            8 | 9 if self.shape.inputs => Action::SetFlag(self.of(&FLAGS), self.chance(40)),
            10 if self.shape.inputs => Action::Toggle(self.of(&FLAGS)),
            11 | 12 if self.shape.inputs => Action::Fire(self.of(&TRIGGERS)),
            // A request that no transition leads to cuts.
            13 if self.shape.inputs && self.shape.cuts => {
                let other = self.random.below(self.behavior.machines.len());
                let state = self.random.below(self.behavior.machines[other].states.len());
                Action::Request(other, state, self.random.below(3) as i32)
            }
            14 => Action::SetNumber(LEVEL, self.random.below(4) as f64),
            15 if depth == 0 => {
                let test = self.test(Some(machine), None, false);
                let yes = vec![self.action(machine, 1)];
                let no = if self.chance(50) { vec![self.action(machine, 1)] } else { Vec::new() };
                Action::If(test, yes, no)
            }
            _ => Action::Emit(self.random.below(3)),
        }
    }
}
