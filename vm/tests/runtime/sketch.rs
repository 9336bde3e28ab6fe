//! Short ways to write what runtime tests need of the builder.

use motix_vm::ids::*;
use motix_vm::op::{Op, Word};
use motix_vm::program::tables::*;

use crate::support::{Builder, to};

pub(crate) fn append<T: Clone>(table: &mut Vec<T>, items: &[T]) -> Run {
    let first = table.len() as u32;
    table.extend_from_slice(items);
    Run { first, count: items.len() as u32 }
}

/// More of the builder.
pub(crate) trait Sketch {
    fn flag(&mut self, name: &str) -> ParamId;
    fn trigger(&mut self, name: &str) -> ParamId;
    /// The condition that a bool or trigger is true.
    fn is(&mut self, param: ParamId) -> CodeId;
    /// The condition that a number equals.
    fn equals(&mut self, param: ParamId, value: f32) -> CodeId;
    /// Gives a state its transitions.
    fn from(&mut self, state: StateId, transitions: &[Transition]);
    /// A transition on a trigger, which it consumes.
    fn on(&mut self, trigger: ParamId, target: StateId) -> Transition;
    fn consumes(&mut self, triggers: &[ParamId]) -> Run;
    fn entry(&mut self, state: StateId, ops: &[Op]);
    fn exit(&mut self, state: StateId, ops: &[Op]);
    /// Gives a state its reactions; those of the behavior must be there before.
    fn whens(&mut self, state: Option<StateId>, whens: &[When]);
    fn group(&mut self, name: &str) -> GroupId;
    /// An operation that reports a custom event with values of these types.
    fn emits(&mut self, name: &str, types: &[Type]) -> Op;
    fn number_code(&mut self, ops: &[Op]) -> CodeId;
    fn marker(&mut self, animation: AnimationId, markers: &[(&str, Place)]);
    fn span(&mut self, animation: AnimationId, spans: &[(&str, Place, Place)]);
    fn row(&mut self, animation: AnimationId) -> &mut Animation;
}

impl Sketch for Builder {
    fn flag(&mut self, name: &str) -> ParamId {
        self.param(name, Type::Bool, 0)
    }

    fn trigger(&mut self, name: &str) -> ParamId {
        self.param(name, Type::Trigger, 0)
    }

    fn is(&mut self, param: ParamId) -> CodeId {
        self.condition(&[Op::Param { param }])
    }

    fn equals(&mut self, param: ParamId, value: f32) -> CodeId {
        self.condition(&[Op::Param { param }, Op::Number { value }, Op::EqualNumber])
    }

    fn from(&mut self, state: StateId, transitions: &[Transition]) {
        self.rows.states[state.index()].transitions = self.transitions(transitions);
    }

    fn on(&mut self, trigger: ParamId, target: StateId) -> Transition {
        let condition = self.is(trigger);
        Transition { triggers: self.consumes(&[trigger]), ..to(target, Some(condition), 0) }
    }

    fn consumes(&mut self, triggers: &[ParamId]) -> Run {
        append(&mut self.rows.triggers, triggers)
    }

    fn entry(&mut self, state: StateId, ops: &[Op]) {
        self.rows.states[state.index()].entry = Some(self.actions(ops));
    }

    fn exit(&mut self, state: StateId, ops: &[Op]) {
        self.rows.states[state.index()].exit = Some(self.actions(ops));
    }

    fn whens(&mut self, state: Option<StateId>, whens: &[When]) {
        let run = append(&mut self.rows.whens, whens);
        match state {
            Some(state) => self.rows.states[state.index()].whens = run,
            None => self.rows.behavior_whens = run.count,
        }
    }

    fn group(&mut self, name: &str) -> GroupId {
        let name = self.text(name);
        self.rows.groups.push(name);
        GroupId(self.rows.groups.len() as u16 - 1)
    }

    fn emits(&mut self, name: &str, types: &[Type]) -> Op {
        let (name, types) = (self.text(name), append(&mut self.rows.emit_types, types));
        self.rows.emits.push(Emit { name, types });
        Op::Emit { emit: EmitId(self.rows.emits.len() as u16 - 1) }
    }

    fn number_code(&mut self, ops: &[Op]) -> CodeId {
        self.code(Some(Word::Number), ops)
    }

    fn marker(&mut self, animation: AnimationId, markers: &[(&str, Place)]) {
        let markers: Vec<Marker> =
            markers.iter().map(|(name, at)| Marker { name: self.text(name), at: *at }).collect();
        let run = append(&mut self.rows.markers, &markers);
        self.row(animation).markers = run;
    }

    fn span(&mut self, animation: AnimationId, spans: &[(&str, Place, Place)]) {
        let spans: Vec<Span> = spans
            .iter()
            .map(|(name, from, to)| Span { name: self.text(name), animation, from: *from, to: *to })
            .collect();
        let run = append(&mut self.rows.spans, &spans);
        self.row(animation).spans = run;
    }

    fn row(&mut self, animation: AnimationId) -> &mut Animation {
        &mut self.rows.animations[animation.index()]
    }
}

/// `Play` as an operation.
pub(crate) fn play(animation: AnimationId) -> Op {
    Op::Play { animation }
}

/// `Stop` as an operation.
pub(crate) fn stop(animation: AnimationId) -> Op {
    Op::Stop { animation, immediate: false }
}

/// The humanoid: two numbers, one machine, one layer, four animations.
pub(crate) fn humanoid() -> Builder {
    let mut b = Builder::new("Humanoid");
    let magnitude = b.number("moveMagnitude", 0.0);
    let speed = b.number("walkSpeed", 16.0);
    b.rows.params[0].min = 0.0;
    let base = b.layer("Base");
    let mut clip = |name, duration, fade_in, fade_out, priority, loop_mode| {
        let id = b.animation(name, base);
        let row = b.row(id);
        (row.duration, row.fade_in, row.fade_out) = (Some(duration), fade_in, fade_out);
        (row.priority, row.loop_mode) = (priority, loop_mode);
        id
    };
    let clips = [
        clip("Idle", 2.0, 0.2, 0.2, 0, LoopMode::Loop),
        clip("Walk", 1.0, 0.15, 0.15, 1, LoopMode::Loop),
        clip("Run", 0.7, 0.1, 0.1, 2, LoopMode::Loop),
        clip("Jump", 0.6, 0.05, 0.1, 5, LoopMode::None),
    ];
    let moves = [Op::Param { param: magnitude }, Op::Number { value: 0.1 }];
    let fast = [Op::Param { param: speed }, Op::Number { value: 18.0 }];
    let is_idle = b.condition(&[moves[0], moves[1], Op::LessEqual]);
    let mut moving = |last| {
        b.condition(&[
            moves[0],
            moves[1],
            Op::Greater,
            Op::JumpIfFalseElsePop { skip: 3 },
            fast[0],
            fast[1],
            last,
        ])
    };
    let (is_walking, is_running) = (moving(Op::Less), moving(Op::GreaterEqual));
    let states = b.machine(None, &["Idle", "Walk", "Run", "Jump"]);
    let mark = Mark { layer: base, target: MarkTarget::Base };
    for (state, clip) in states.iter().zip(clips) {
        b.entry(*state, &[play(clip)]);
        b.exit(*state, &[stop(clip)]);
        b.rows.states[state.index()].marks = append(&mut b.rows.marks, &[mark]);
    }
    let mut when = |predicate| Some(b.condition(&[Op::Call { code: predicate }]));
    let [idle, walk, run, jump] = states[..] else { unreachable!() };
    let lists = [
        (idle, vec![to(run, when(is_running), 11), to(walk, when(is_walking), 10)]),
        (walk, vec![to(run, when(is_running), 11), to(idle, when(is_idle), 10)]),
        (run, vec![to(idle, when(is_idle), 10), to(walk, when(is_walking), 9)]),
        (jump, vec![to(idle, when(is_idle), 10)]),
    ];
    for (state, list) in lists {
        b.from(state, &list);
    }
    b
}
