//! Random behaviors and random hosts, from a seed.

use motix_vm::ids::*;
use motix_vm::input::{InputKind, Source};
use motix_vm::op::Op;
use motix_vm::program::tables::*;
use motix_vm::{
    Color, Frame, Hit, Host, Input, Instance, MemberMut, PointerInput, PointerKind, StopMode, Value,
};

use crate::sketch::*;
use crate::support::{Builder, to};

/// A small generator, the same everywhere.
#[derive(Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// A number with few digits.
    pub(crate) fn number(&mut self, most: f32) -> f32 {
        self.below(21) as f32 / 20.0 * most
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// What a random behavior may have.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// Conditions read time and playheads, so that decisions depend on where ticks fall.
    pub(crate) timed: bool,
}

/// A behavior with a bit of everything.
pub(crate) fn behavior(dice: &mut Dice, shape: Shape) -> Builder {
    let mut b = Builder::new("Random");
    let layers: Vec<LayerId> = (0..1 + dice.below(3)).map(|index| b.layer(&format!("L{index}"))).collect();
    let numbers: Vec<ParamId> = (0..2).map(|index| b.number(&format!("n{index}"), 0.0)).collect();
    let flags: Vec<ParamId> = (0..2).map(|index| b.flag(&format!("f{index}"))).collect();
    let triggers: Vec<ParamId> = (0..3).map(|index| b.trigger(&format!("t{index}"))).collect();
    for (trigger, lifetime) in
        triggers.iter().zip([Lifetime::Consumed, Lifetime::Tick, Lifetime::Seconds(dice.number(0.5))])
    {
        b.rows.params[trigger.index()].lifetime = lifetime;
    }
    let text = b.text("none").0;
    b.param("text", Type::Text, text);
    let groups: Vec<GroupId> = (0..2).map(|index| b.group(&format!("G{index}"))).collect();
    let tag = b.text("tag");
    b.rows.tags.push(tag);
    let clips: Vec<AnimationId> = (0..3 + dice.below(5))
        .map(|index| {
            let id = b.animation(&format!("A{index}"), dice.pick(&layers));
            clip(&mut b, dice, id, &groups);
            id
        })
        .collect();
    for layer in &layers {
        if dice.chance(30) {
            let code = b.number_code(&[Op::Param { param: numbers[0] }]);
            b.rows.layers[layer.index()].weight = Some(code);
        }
        if dice.chance(30) {
            let code = b.number_code(&[Op::Param { param: numbers[1] }, Op::Number { value: 0.5 }, Op::Sub]);
            b.rows.layers[layer.index()].speed = Some(code);
        }
    }
    let input = b.number_code(&[Op::Param { param: numbers[0] }]);
    b.rows.damps.push(Damp { input, time: dice.number(0.3) });
    let emit = b.emits("event", &[]);
    let mut whens = Vec::new();
    for machine in 0..=dice.below(layers.len()) {
        let names: Vec<String> = (0..3 + dice.below(4)).map(|index| format!("S{machine}{index}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let s = b.machine(Some(layers[machine]), &names);
        // The second state is a composite around the third; in larger machines also around the fourth, another one.
        let mut composites = vec![s[1]];
        if s.len() > 4 {
            b.inside(s[1], &[s[2], s[3]]);
            b.inside(s[3], &[s[4]]);
            composites.push(s[3]);
        } else {
            b.inside(s[1], &[s[2]]);
        }
        let condition = |b: &mut Builder, dice: &mut Dice| -> (CodeId, Run) {
            match dice.below(if shape.timed { 7 } else { 4 }) {
                0 | 1 => {
                    let trigger = dice.pick(&triggers);
                    (b.is(trigger), b.consumes(&[trigger]))
                }
                2 => (b.is(dice.pick(&flags)), Run::default()),
                3 => {
                    let value = Op::Number { value: dice.number(1.0) };
                    (
                        b.condition(&[Op::Param { param: dice.pick(&numbers) }, value, Op::Greater]),
                        Run::default(),
                    )
                }
                4 => {
                    let late = Op::Number { value: dice.number(2.0) };
                    (b.condition(&[Op::Elapsed, late, Op::Greater]), Run::default())
                }
                5 => (b.condition(&[Op::Finished { animation: dice.pick(&clips) }]), Run::default()),
                _ => (b.condition(&[Op::Playing { animation: dice.pick(&clips) }, Op::Not]), Run::default()),
            }
        };
        let list = |b: &mut Builder, dice: &mut Dice| -> CodeId {
            let ops: Vec<Op> = (0..1 + dice.below(3))
                .flat_map(|_| match dice.below(if shape.timed { 9 } else { 6 }) {
                    0 | 1 => vec![play(dice.pick(&clips))],
                    2 => vec![stop(dice.pick(&clips))],
                    3 => vec![Op::StopGroup { group: dice.pick(&groups), immediate: dice.chance(50) }],
                    4 => vec![emit],
                    5 => vec![Op::PlayTag { tag: TagId(0) }],
                    6 => vec![Op::Fire { param: dice.pick(&triggers) }],
                    7 => vec![Op::Request { state: dice.pick(&s), priority: 1 }],
                    _ => vec![
                        Op::Number { value: 0.0 },
                        Op::Number { value: 1.0 },
                        Op::Random,
                        Op::Set { param: dice.pick(&numbers) },
                    ],
                })
                .collect();
            b.actions(&ops)
        };
        for state in &s {
            let mut transitions = Vec::new();
            for priority in (0..dice.below(3) as i32).rev() {
                let (code, consumed) = condition(&mut b, dice);
                let mut transition = Transition {
                    instant: dice.chance(20),
                    restart: dice.chance(20),
                    random_weight: dice.chance(20).then(|| dice.number(2.0)),
                    triggers: consumed,
                    ..to(dice.pick(&s), Some(code), priority)
                };
                if dice.chance(20) {
                    (transition.target, transition.restart) = (Target::Exit, false);
                }
                transitions.push(transition);
            }
            b.from(*state, &transitions);
            let (entry, exit) = (list(&mut b, dice), list(&mut b, dice));
            let marks = [Mark { layer: dice.pick(&layers), target: MarkTarget::Weight(dice.number(1.0)) }];
            let marks = append(&mut b.rows.marks, &marks);
            let row = &mut b.rows.states[state.index()];
            (row.entry, row.exit, row.marks) = (Some(entry), Some(exit), marks);
            if dice.chance(40) {
                let (condition, triggers) = condition(&mut b, dice);
                let actions = list(&mut b, dice);
                whens.push((*state, When { condition, triggers, actions }));
            }
        }
        for outer in composites {
            let (code, consumed) = condition(&mut b, dice);
            let mut done = Transition { triggers: consumed, ..to(dice.pick(&s), Some(code), 0) };
            if dice.chance(30) {
                done.target = Target::Exit;
            }
            let inner = [s[outer.index() - s[0].index() + 1]];
            let (code, consumed) = condition(&mut b, dice);
            let any =
                Transition { triggers: consumed, ..to(dice.pick(&s), Some(code), dice.below(2) as i32) };
            let (code, consumed) = condition(&mut b, dice);
            let deeper = s.last().copied().filter(|_| s.len() == 5).unwrap_or(inner[0]);
            let entry = Transition { triggers: consumed, ..to(deeper, Some(code), 0) };
            let done = b.transitions(&[done]);
            let any = if dice.chance(50) { b.transitions(&[any]) } else { Run::default() };
            let start = if dice.chance(40) {
                Start::Entry(b.transitions(&[entry, to(inner[0], None, 0)]))
            } else {
                Start::State(inner[0])
            };
            let row = &mut b.rows.states[outer.index()];
            row.history = dice.pick(&[History::None, History::Shallow, History::Deep]);
            (row.done, row.any, row.start) = (done, any, Some(start));
        }
        if dice.chance(50) {
            let (code, consumed) = condition(&mut b, dice);
            let any = Transition { triggers: consumed, ..to(dice.pick(&s), Some(code), 1) };
            b.rows.machines[machine].any = b.transitions(&[any]);
        }
    }
    for (state, when) in whens {
        b.whens(Some(state), &[when]);
    }
    listeners(&mut b, dice, &clips, &triggers, numbers[0]);
    b
}

/// Listeners of two targets and of the scene, for inputs of all kinds.
fn listeners(b: &mut Builder, dice: &mut Dice, clips: &[AnimationId], triggers: &[ParamId], number: ParamId) {
    let text = b.rows.params.iter().position(|row| row.ty == Type::Text).map(|row| ParamId(row as u16));
    let said = b.emits("said", &[Type::Text, Type::Number]);
    for target in [Some("left"), Some("right"), None, Some("left")] {
        let target = target.map(|target| b.text(target));
        let mut hears = Vec::new();
        for input in InputKind::ALL.iter().copied() {
            if dice.chance(40) {
                continue;
            }
            let name = match input.source() {
                Source::Custom => Some(b.text("left")),
                Source::Key => dice.chance(50).then(|| b.text("right")),
                _ => None,
            };
            let mut ops = match dice.below(4) {
                0 => vec![play(dice.pick(clips))],
                1 => vec![stop(dice.pick(clips))],
                2 => vec![Op::Fire { param: dice.pick(triggers) }],
                _ => vec![Op::Param { param: text.unwrap_or_default() }, Op::Param { param: number }, said],
            };
            if input.source() == Source::Pointer {
                ops.extend([Op::PointerX, Op::PointerY, Op::Sub, Op::Set { param: number }]);
            }
            hears.push(Hear { input, name, actions: b.actions(&ops) });
        }
        let hears = append(&mut b.rows.hears, &hears);
        let pass_through = target.is_some() && dice.chance(50);
        b.rows.listeners.push(Listener { target, pass_through, hears });
    }
}

fn clip(b: &mut Builder, dice: &mut Dice, id: AnimationId, groups: &[GroupId]) {
    let modes = [LoopMode::None, LoopMode::None, LoopMode::Loop, LoopMode::PingPong];
    b.marker(id, &[("start", Place::Ratio(0.0)), ("mid", Place::Ratio(dice.number(1.0)))]);
    let from = dice.number(1.0);
    b.span(id, &[("span", Place::Ratio(from * 0.5), Place::Ratio(from))]);
    let tags = if dice.chance(40) { append(&mut b.rows.tag_lists, &[TagId(0)]) } else { Run::default() };
    let row = b.row(id);
    row.tags = tags;
    row.loop_mode = dice.pick(&modes);
    row.group = dice.chance(50).then(|| dice.pick(groups));
    row.priority = dice.below(3) as i32;
    row.duration = Some(if dice.chance(10) { 0.0 } else { 0.05 + dice.number(1.5) });
    (row.fade_in, row.fade_out) = (dice.number(0.3), dice.number(0.3));
    row.speed = dice.pick(&[1.0, 1.0, 2.0, 0.5, -1.0, 0.0]);
    row.weight = 0.05 + dice.number(0.95);
    row.can_interrupt = dice.chance(70);
    row.min_duration = if dice.chance(40) { dice.number(0.5) } else { 0.0 };
    row.additive = dice.chance(20);
}

/// The same host for an instance and for a member of a crowd.
macro_rules! hosts {
    ($( $call:ident $send:ident $instance:ty; )+) => { $(
        /// One random input.
        fn $send(dice: &mut Dice, instance: &mut $instance) -> bool {
            let names = ["left", "right", "nowhere"];
            let place = |dice: &mut Dice| [0.0; 2].map(|_| dice.pick(&[0.0, 0.25, 1.0, 7.0, -1.0, f32::NAN]));
            let name = dice.pick(&names);
            let input = match dice.below(8) {
                0 => Input::Focus(name),
                1 => Input::Blur(name),
                2 => Input::KeyDown(name),
                3 => Input::KeyUp(name),
                4 => Input::Custom { name, targets: &names[..dice.below(4)] },
                _ => {
                    use PointerKind::{Click, Down, Enter, Leave, Move, Up};
                    let hits = names.map(|target| Hit::new(target, place(dice)));
                    let kind = dice.pick(&[Down, Up, Down, Up, Move, Click, Enter, Leave]);
                    let (pointer, first) = (dice.below(33) as u8, dice.below(4));
                    let scene = place(dice);
                    let input = PointerInput { kind, pointer, hits: &hits[first..], scene };
                    return instance.send(&Input::Pointer(input)).is_ok();
                }
            };
            instance.send(&input).is_ok()
        }

        /// One random call of the host, and whether it was accepted. Half of the ids mean nothing.
        pub(crate) fn $call(dice: &mut Dice, instance: &mut $instance) -> bool {
            let id = dice.below(20) as u16;
            let mode = if dice.chance(50) { StopMode::FadeOut } else { StopMode::Immediate };
            let names = ["n0", "n1", "f0", "f1", "t0", "t1", "t2", "text", "nothing"];
            // What does not fit is refused; that it is, is tested elsewhere.
            match dice.below(14) {
                11 | 12 => $send(dice, instance),
                0 => instance.play(AnimationId(id)).is_ok(),
                1 => instance.stop(AnimationId(id), mode).is_ok(),
                2 => instance.stop_group(GroupId(id), mode).is_ok(),
                3 => instance.play_tag(TagId(id)).is_ok(),
                4 => instance.stop_tag(TagId(id), mode).is_ok(),
                5 => instance.request(StateId(id), id.into()).is_ok(),
                6 => {
                    let weight = dice.pick(&[f32::NAN, f32::INFINITY, -1.0, 0.3, 9.0]);
                    instance.set_layer_target(LayerId(id), weight).is_ok()
                }
                _ => {
                    let values = [
                        Value::Bool(dice.chance(50)),
                        Value::Number(dice.pick(&[0.0, 0.3, 0.7, 1.0, 1e30, -5.0, f32::NAN])),
                        Value::Text(dice.pick(&["none", "given", "another"])),
                        Value::Color(Color::default()),
                        Value::Trigger(true),
                    ];
                    instance.set(dice.pick(&names), dice.pick(&values)).is_ok()
                }
            }
        }
    )+ };
}

hosts! {
    call send Instance;
    call_member send_member MemberMut<'_>;
}

/// A tick of a random length.
pub(crate) fn tick(dice: &mut Dice, instance: &mut Instance, frame: &mut Frame) {
    let dt = dice.pick(&[0.0, 1e-6, 0.001, 1.0 / 60.0, 1.0 / 60.0, 0.1, 0.7, 5.0]);
    instance.tick_with(dt, &mut Host::default(), frame).expect("it ticks");
}
