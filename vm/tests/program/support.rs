//! A small builder of tables, and a sample program that uses every table.

use motix_vm::easing::Easing;
use motix_vm::ids::*;
use motix_vm::input::InputKind;
use motix_vm::op::{Op, Word};
use motix_vm::program::Program;
use motix_vm::program::debug::{BehaviorDebug, Debug, Spot};
use motix_vm::program::tables::*;

/// Builds the tables of a program with one behavior. Each method adds rows and gives the id or the run.
#[derive(Default)]
pub(crate) struct Builder {
    pub(crate) texts: Vec<String>,
    pub(crate) rows: Behavior,
}

fn run(first: usize, end: usize) -> Run {
    Run { first: first as u32, count: (end - first) as u32 }
}

fn append<T: Clone>(table: &mut Vec<T>, items: &[T]) -> Run {
    let first = table.len();
    table.extend_from_slice(items);
    run(first, table.len())
}

impl Builder {
    pub(crate) fn new(name: &str) -> Self {
        let mut builder = Self::default();
        builder.rows.name = builder.text(name);
        builder
    }

    pub(crate) fn text(&mut self, text: &str) -> TextId {
        let found = self.texts.iter().position(|known| known == text);
        let index = found.unwrap_or_else(|| {
            self.texts.push(text.to_owned());
            self.texts.len() - 1
        });
        TextId(index as u32)
    }

    pub(crate) fn param(&mut self, name: &str, ty: Type, initial: u32) -> ParamId {
        let name = self.text(name);
        self.rows.params.push(Param {
            name,
            ty,
            initial,
            min: f32::MIN,
            max: f32::MAX,
            step: 0.0,
            lifetime: Lifetime::Consumed,
            global: false,
        });
        ParamId(self.rows.params.len() as u16 - 1)
    }

    pub(crate) fn number(&mut self, name: &str, initial: f32) -> ParamId {
        self.param(name, Type::Number, initial.to_bits())
    }

    pub(crate) fn enumeration(&mut self, name: Option<&str>, variants: &[&str]) -> EnumId {
        let name = name.map(|name| self.text(name));
        let variants: Vec<TextId> = variants.iter().map(|name| self.text(name)).collect();
        let variants = append(&mut self.rows.variants, &variants);
        self.rows.enums.push(Enum { name, variants });
        EnumId(self.rows.enums.len() as u16 - 1)
    }

    pub(crate) fn layer(&mut self, name: &str) -> LayerId {
        let name = self.text(name);
        let order = self.rows.layers.len() as i32;
        self.rows.layers.push(Layer {
            name,
            order,
            base_weight: 1.0,
            lerp_rate: 8.0,
            additive: false,
            mask: None,
            weight: None,
            speed: None,
        });
        LayerId(order as u16)
    }

    pub(crate) fn animation(&mut self, name: &str, layer: LayerId) -> AnimationId {
        let name = self.text(name);
        self.rows.animations.push(Animation {
            name,
            asset: name,
            duration: Some(1.0),
            layer,
            group: None,
            loop_mode: LoopMode::Loop,
            priority: 0,
            fade_in: 0.1,
            fade_out: 0.1,
            speed: 1.0,
            weight: 1.0,
            can_interrupt: true,
            min_duration: 0.0,
            additive: false,
            tags: Run::default(),
            markers: Run::default(),
            spans: Run::default(),
            metadata: Run::default(),
            curves: Run::default(),
        });
        AnimationId(self.rows.animations.len() as u16 - 1)
    }

    pub(crate) fn code(&mut self, result: Option<Word>, ops: &[Op]) -> CodeId {
        let ops = append(&mut self.rows.ops, ops);
        self.rows.codes.push(Code { ops, result });
        CodeId(self.rows.codes.len() as u32 - 1)
    }

    pub(crate) fn condition(&mut self, ops: &[Op]) -> CodeId {
        self.code(Some(Word::Bool), ops)
    }

    pub(crate) fn actions(&mut self, ops: &[Op]) -> CodeId {
        self.code(None, ops)
    }

    /// A machine of states with these names, no state in another; it starts in the first.
    pub(crate) fn machine(&mut self, layer: Option<LayerId>, names: &[&str]) -> Vec<StateId> {
        let machine = MachineId(self.rows.machines.len() as u16);
        let first = self.rows.states.len();
        for name in names {
            let name = self.text(name);
            self.rows.states.push(State {
                name,
                machine,
                parent: None,
                start: None,
                history: History::None,
                terminal: false,
                entry: None,
                entry_from: Run::default(),
                exit: None,
                update: None,
                motion: None,
                finish: None,
                repeat: None,
                whens: Run::default(),
                marks: Run::default(),
                tags: Run::default(),
                transitions: Run::default(),
                any: Run::default(),
                done: Run::default(),
            });
        }
        let states = run(first, self.rows.states.len());
        let ids: Vec<StateId> = states.indices().map(|index| StateId(index as u16)).collect();
        self.rows.machines.push(Machine {
            layer,
            motion_layer: layer.unwrap_or_default(),
            states,
            start: Start::State(ids[0]),
            enter: false,
            any: Run::default(),
        });
        ids
    }

    /// Puts states into another, which is entered at the first of them.
    pub(crate) fn inside(&mut self, outer: StateId, inner: &[StateId]) {
        for state in inner {
            self.rows.states[state.index()].parent = Some(outer);
        }
        self.rows.states[outer.index()].start = Some(Start::State(inner[0]));
    }

    pub(crate) fn transitions(&mut self, transitions: &[Transition]) -> Run {
        append(&mut self.rows.transitions, transitions)
    }

    pub(crate) fn tables(self) -> Tables {
        Tables { texts: self.texts, behaviors: vec![self.rows], debug: None }
    }
}

pub(crate) fn to(target: StateId, condition: Option<CodeId>, priority: i32) -> Transition {
    Transition { condition, priority, ..Transition::new(Target::State(target)) }
}

/// Out of the composite around.
pub(crate) fn leave(condition: Option<CodeId>) -> Transition {
    Transition { condition, ..Transition::new(Target::Exit) }
}

/// The smallest program: a behavior with a layer.
pub(crate) fn smallest() -> Tables {
    let mut builder = Builder::new("Empty");
    builder.layer("Base");
    builder.tables()
}

/// A program with one block of code, which nothing uses, beside parameters of all types.
pub(crate) fn with_code(result: Option<Word>, ops: &[Op]) -> Tables {
    let mut builder = Builder::new("Code");
    builder.layer("Base");
    builder.param("on", Type::Bool, 0);
    builder.number("speed", 0.0);
    builder.param("jump", Type::Trigger, 0);
    builder.code(result, ops);
    builder.tables()
}

/// The sample's motions: of every kind, nested, with and without triangles.
fn motions(b: &mut Builder, [idle, walk, slash]: [AnimationId; 3], [speed, wind]: [ParamId; 2]) {
    let mut number = |ops: &[Op]| b.code(Some(Word::Number), ops);
    let (read_speed, read_wind) =
        (number(&[Op::Param { param: speed }]), number(&[Op::Param { param: wind }]));
    let half = number(&[Op::Param { param: speed }, Op::Number { value: 0.5 }, Op::Mul]);
    let weight = number(&[Op::Param { param: wind }, Op::Neg]);
    let started =
        MotionKind::Clip { animation: idle, start_at: Some(Place::Ratio(0.2)), phase: None, mirror: true };
    let scrubbed = MotionKind::Clip {
        animation: slash,
        start_at: Some(Place::Seconds(0.1)),
        phase: Some(half),
        mirror: false,
    };
    let at = |motion, x, y| Point { motion: MotionId(motion), x, y, weight: None };
    let direct = |motion, weight| Point { weight: Some(weight), ..at(motion, 0.0, 0.0) };
    let row = append(&mut b.rows.points, &[at(0, -1.0, 0.0), at(1, 1.5, 0.0)]);
    let square =
        append(&mut b.rows.points, &[at(4, 0.0, 0.0), at(5, 1.0, 0.0), at(6, 0.0, 1.0), at(7, 1.0, 1.0)]);
    let weighted = append(&mut b.rows.points, &[direct(8, read_speed), direct(9, weight)]);
    let line = append(&mut b.rows.points, &[at(11, 0.0, 0.0), at(12, 2.0, 1.0)]);
    let triangles =
        append(&mut b.rows.triangles, &[Triangle { a: 0, b: 1, c: 3 }, Triangle { a: 0, b: 3, c: 2 }]);
    let plane = MotionKind::Blend2D { x: read_speed, y: half, points: square, triangles, sync: true };
    let along =
        MotionKind::Blend2D { x: half, y: read_wind, points: line, triangles: Run::default(), sync: false };
    let kinds = [
        started,
        clip(walk),
        MotionKind::Blend1D { input: read_speed, points: row, sync: true },
        scrubbed,
        clip(idle),
        clip(walk),
        clip(slash),
        clip(idle),
        plane,
        clip(walk),
        MotionKind::BlendDirect { points: weighted, sync: false, normalize: true },
        clip(slash),
        clip(walk),
        along,
        MotionKind::Empty,
    ];
    b.rows.motions = kinds.into_iter().map(|kind| Motion { kind, speed: None }).collect();
    b.rows.motions[0].speed = Some(read_wind);
    b.rows.motions[10].speed = Some(half);
}

/// A clip that runs from its start.
pub(crate) fn clip(animation: AnimationId) -> MotionKind {
    MotionKind::Clip { animation, start_at: None, phase: None, mirror: false }
}

/// The sample's tracks: of numbers and colors, at shares and at times, with and without a rest value.
fn tracks(b: &mut Builder, [walk, slash]: [AnimationId; 2]) {
    let (icon, arm) = (b.text("icon"), b.text("LeftArm"));
    let (opacity, tint) = (b.text("opacity"), b.text("tint"));
    b.rows.properties = vec![
        Property { target: icon, name: opacity, ty: Type::Number, rest: Some(1.0_f32.to_bits()) },
        Property { target: icon, name: tint, ty: Type::Color, rest: None },
        Property { target: arm, name: opacity, ty: Type::Number, rest: None },
    ];
    let key = |at, value| Key { at, value, easing: Easing::Linear };
    let number = |at, value: f32| key(at, value.to_bits());
    let bent = Key { easing: Easing::CubicBezier { x1: 0.5, y1: 0.0, x2: 0.5, y2: 1.0 }, ..number(0.0, 1.0) };
    let stepped = Key { easing: Easing::Steps(3), ..key(0.1, 0xFF00_00FF) };
    let of_walk = append(&mut b.rows.keys, &[bent, number(0.5, 0.25), number(1.0, 1.0)]);
    let of_slash = append(&mut b.rows.keys, &[stepped, key(0.4, 0x00FF_00FF)]);
    let of_arm = append(&mut b.rows.keys, &[number(0.5, -2.0)]);
    let curve = |property, seconds, keys| Curve { property: PropertyId(property), seconds, keys };
    let walk_curves = append(&mut b.rows.curves, &[curve(0, false, of_walk)]);
    let slash_curves = append(&mut b.rows.curves, &[curve(1, true, of_slash), curve(2, false, of_arm)]);
    b.rows.animations[walk.index()].curves = walk_curves;
    b.rows.animations[slash.index()].curves = slash_curves;
}

/// Uses every table and every kind of value.
pub(crate) fn sample() -> Tables {
    let mut b = Builder::new("Sample");
    let mood = b.enumeration(Some("Mood"), &["calm", "angry"]);
    let grip = b.enumeration(None, &["open", "shut", "tight"]);
    let speed = b.number("speed", 1.0);
    let grounded = b.param("grounded", Type::Bool, 1);
    let jump = b.param("jump", Type::Trigger, 0);
    let none = b.text("none").0;
    let weapon = b.param("weapon", Type::Text, none);
    let mood_now = b.param("mood", Type::Enum(mood), 1);
    let grip_now = b.param("grip", Type::Enum(grip), 2);
    let tint = b.param("tint", Type::Color, 0xFF88_00FF);
    let wind = b.number("wind", 0.0);
    let params = &mut b.rows.params;
    (params[0].min, params[0].max, params[0].step) = (0.0, 10.0, 0.5);
    params[2].lifetime = Lifetime::Seconds(0.15);
    params[7].global = true;

    let (base, upper) = (b.layer("Base"), b.layer("Upper"));
    let patterns = ["Spine*", "LeftArm", "SpineRoot"].map(|pattern| b.text(pattern));
    let include = append(&mut b.rows.patterns, &patterns[..2]);
    let exclude = append(&mut b.rows.patterns, &patterns[2..]);
    let torso = b.text("Torso");
    b.rows.masks.push(Mask { name: torso, include, exclude });
    let weapons = b.text("Weapons");
    b.rows.groups.push(weapons);
    let (combat_tag, moving_tag) = (TagId(0), TagId(1));
    for tag in ["combat", "moving"] {
        let tag = b.text(tag);
        b.rows.tags.push(tag);
    }

    let (idle_clip, walk_clip, slash) =
        (b.animation("Idle", base), b.animation("Walk", base), b.animation("Slash", upper));
    let asset = b.text("anim/slash.glb#Slash");
    let (hit, step) = (b.text("hit"), b.text("step"));
    let markers = append(
        &mut b.rows.markers,
        &[
            Marker { name: step, at: Place::Ratio(0.25) },
            Marker { name: hit, at: Place::Seconds(0.3) },
            Marker { name: step, at: Place::Ratio(0.75) },
        ],
    );
    let invulnerable = b.text("invulnerable");
    let spans = append(
        &mut b.rows.spans,
        &[Span { name: invulnerable, animation: slash, from: Place::Seconds(0.1), to: Place::Seconds(0.5) }],
    );
    let (author, kit, footage) = (b.text("Author"), b.text("kit"), b.text("Footage"));
    let metadata = append(
        &mut b.rows.metadata,
        &[
            Metadata { key: author, value: MetadataValue::Text(kit) },
            Metadata { key: footage, value: MetadataValue::Number(12.0) },
        ],
    );
    let tags = append(&mut b.rows.tag_lists, &[combat_tag]);
    let row = &mut b.rows.animations[slash.index()];
    *row = Animation {
        asset,
        duration: None,
        group: Some(GroupId(0)),
        loop_mode: LoopMode::None,
        priority: 5,
        fade_in: 0.05,
        fade_out: 0.2,
        speed: -1.5,
        weight: 0.5,
        can_interrupt: false,
        min_duration: 0.2,
        additive: true,
        tags,
        markers,
        spans,
        metadata,
        ..*row
    };

    tracks(&mut b, [walk_clip, slash]);

    let on_ground = b.text("OnGround");
    b.rows.externs.push(on_ground);
    let (done, types) = (b.text("done"), [Type::Number, Type::Enum(mood)]);
    let types = append(&mut b.rows.emit_types, &types);
    b.rows.emits.push(Emit { name: done, types });

    // Predicate IsMoving = speed > 0.1 and grounded; Let twice = speed * 2.0
    let is_moving = b.condition(&[
        Op::Param { param: speed },
        Op::Number { value: 0.1 },
        Op::Greater,
        Op::JumpIfFalseElsePop { skip: 1 },
        Op::Param { param: grounded },
    ]);
    let twice = b.code(Some(Word::Number), &[Op::Param { param: speed }, Op::Number { value: 2.0 }, Op::Mul]);
    let (name, let_name) = (b.text("IsMoving"), b.text("twice"));
    b.rows.predicates.push(Predicate { name, condition: is_moving });
    b.rows.predicates.push(Predicate { name: let_name, condition: twice });
    let damp_input =
        b.code(Some(Word::Number), &[Op::Call { code: twice }, Op::Param { param: wind }, Op::Add]);
    b.rows.damps.push(Damp { input: damp_input, time: 0.15 });
    let layer_weight = b.code(Some(Word::Number), &[Op::Damped { damp: DampId(0) }]);
    let layer_speed = b.code(Some(Word::Number), &[Op::Number { value: 1.5 }]);
    b.rows.layers[1] = Layer {
        base_weight: 0.8,
        lerp_rate: 6.0,
        additive: true,
        mask: Some(MaskId(0)),
        weight: Some(layer_weight),
        speed: Some(layer_speed),
        ..b.rows.layers[1]
    };

    let main = b.machine(None, &["Idle", "Walk", "Combat", "Stance", "Attack", "Dead"]);
    let [idle, walk, combat, stance, attack, dead] = main[..] else { unreachable!() };
    b.inside(combat, &[stance, attack]);
    b.rows.states[combat.index()].history = History::Shallow;
    b.rows.states[dead.index()].terminal = true;
    let side = b.machine(Some(upper), &["Off", "Walk"]);
    b.rows.machines[0].enter = true;

    let play = |animation| Op::Play { animation };
    let entry = b.actions(&[play(idle_clip), Op::PlayTag { tag: combat_tag }]);
    let exit = b.actions(&[Op::Stop { animation: idle_clip, immediate: false }]);
    let asset = b.text("skid");
    let skid = b.actions(&[Op::Audio { asset }]);
    // Set speed = max(0.0, speed - dt); If grounded { Fire jump } Else { Emit done(random(0, 1), mood) }
    let update = b.actions(&[
        Op::Number { value: 0.0 },
        Op::Param { param: speed },
        Op::Dt,
        Op::Sub,
        Op::Builtin { builtin: motix_vm::builtin::Builtin::Max },
        Op::Set { param: speed },
        Op::Param { param: grounded },
        Op::JumpIfFalse { skip: 2 },
        Op::Fire { param: jump },
        Op::Jump { skip: 5 },
        Op::Number { value: 0.0 },
        Op::Number { value: 1.0 },
        Op::Random,
        Op::Param { param: mood_now },
        Op::Emit { emit: EmitId(0) },
    ]);
    let entry_from = append(&mut b.rows.entries_from, &[EntryFrom { from: combat, actions: skid }]);
    let marks = append(
        &mut b.rows.marks,
        &[
            Mark { layer: base, target: MarkTarget::Base },
            Mark { layer: upper, target: MarkTarget::Weight(0.6) },
        ],
    );
    let suppress = append(&mut b.rows.marks, &[Mark { layer: upper, target: MarkTarget::Zero }]);
    let tags = append(&mut b.rows.tag_lists, &[moving_tag]);

    let wave = b.condition(&[Op::Param { param: jump }]);
    let camera = b.text("close");
    let wave_actions = b.actions(&[Op::Camera { name: camera }, Op::StopTag { tag: combat_tag }]);
    let consumed = append(&mut b.rows.triggers, &[jump]);
    let angry =
        b.condition(&[Op::Param { param: mood_now }, Op::Variant { value: 1 }, Op::EqualVariant, Op::Not]);
    let angry_actions = b.actions(&[
        Op::StopGroup { group: GroupId(0), immediate: true },
        Op::Request { state: attack, priority: 50 },
        Op::Variant { value: 0 },
        Op::Set { param: mood_now },
    ]);
    b.rows.whens.push(When { condition: wave, triggers: consumed, actions: wave_actions });
    b.rows.whens.push(When { condition: angry, triggers: Run::default(), actions: angry_actions });
    b.rows.behavior_whens = 1;

    let moving = b.condition(&[Op::Call { code: is_moving }]);
    let text = b.text("sword");
    let armed = b.condition(&[
        Op::Param { param: weapon },
        Op::Text { value: text },
        Op::EqualText,
        Op::JumpIfTrueElsePop { skip: 3 },
        Op::Param { param: tint },
        Op::Color { value: 0x1122_3344 },
        Op::EqualColor,
    ]);
    let late = b.condition(&[Op::Elapsed, Op::Number { value: 2.5 }, Op::GreaterEqual]);
    let jumped = b.condition(&[Op::Param { param: jump }]);
    let on_transition = b.actions(&[play(slash), Op::Stop { animation: walk_clip, immediate: true }]);
    let jump_used = append(&mut b.rows.triggers, &[jump]);
    let from_idle = b.transitions(&[
        Transition { triggers: jump_used, actions: Some(on_transition), ..to(combat, Some(jumped), 20) },
        Transition { random_weight: Some(2.0), ..to(walk, Some(moving), 10) },
        Transition { random_weight: Some(1.0), ..to(stance, Some(armed), 10) },
    ]);
    let from_walk = b.transitions(&[Transition { instant: true, ..to(idle, Some(late), 0) }]);
    let fallen = b.condition(&[Op::Extern { predicate: ExternId(0) }, Op::Not]);
    let any = b.transitions(&[
        Transition { restart: true, ..to(dead, Some(fallen), 100) },
        Transition { on_request: true, ..to(idle, None, -1) },
    ]);
    let states_code = b.condition(&[
        Op::In { state: attack },
        Op::JumpIfTrueElsePop { skip: 5 },
        Op::CameFrom { state: combat },
        Op::JumpIfFalseElsePop { skip: 3 },
        Op::Tagged { tag: moving_tag },
        Op::In { state: side[1] },
        Op::EqualBool,
    ]);
    let clips_code = b.condition(&[
        Op::Playing { animation: walk_clip },
        Op::Finished { animation: slash },
        Op::InSpan { span: SpanId(0) },
        Op::EqualBool,
        Op::EqualBool,
    ]);
    let from_off = b.transitions(&[to(side[1], Some(states_code), 3), to(side[1], Some(clips_code), 2)]);
    let repeat = b.actions(&[Op::Audio { asset }]);
    let finish = b.actions(&[Op::Fire { param: jump }]);
    motions(&mut b, [idle_clip, walk_clip, slash], [speed, wind]);
    let from_attack = b.transitions(&[
        Transition {
            fade: Fade { duration: Length::Cycles(0.25), easing: Easing::Steps(4) },
            gate: Gate { exit: Some(Place::Ratio(1.0)), lead_out: true, marker: Some(hit), after: None },
            ..to(stance, None, 1)
        },
        Transition {
            fade: Fade { duration: Length::Seconds(0.2), easing: Easing::EaseInOut },
            gate: Gate { after: Some(0.5), exit: Some(Place::Seconds(0.4)), ..Gate::default() },
            sync: true,
            ..to(idle, None, 0)
        },
    ]);
    let bezier = Easing::CubicBezier { x1: 0.25, y1: -0.5, x2: 0.75, y2: 1.5 };
    let from_combat = b.transitions(&[Transition {
        fade: Fade { duration: Length::Seconds(0.3), easing: bezier },
        gate: Gate { exit: Some(Place::Ratio(2.5)), marker: Some(step), ..Gate::default() },
        early_exit: false,
        pause_on_exit: true,
        start_at: Some(Place::Ratio(0.5)),
        ..to(walk, None, 0)
    }]);
    let sheathe = b.actions(&[Op::Audio { asset }]);
    let within = b.transitions(&[Transition { restart: true, ..to(attack, Some(armed), 7) }]);
    let done = b.transitions(&[
        Transition { condition: Some(moving), ..leave(None) },
        Transition {
            actions: Some(sheathe),
            fade: Fade { duration: Length::Seconds(0.1), ..Fade::default() },
            ..to(walk, None, 0)
        },
    ]);
    let from_stance = b.transitions(&[leave(Some(late))]);
    let entry_used = append(&mut b.rows.triggers, &[jump]);
    let starts = b.transitions(&[
        Transition { triggers: entry_used, ..to(side[1], Some(jumped), 0) },
        to(side[0], None, 0),
    ]);
    b.rows.machines[1].start = Start::Entry(starts);
    let state = &mut b.rows.states;
    state[combat.index()] = State { any: within, done, ..state[combat.index()] };
    state[stance.index()].transitions = from_stance;
    let moves = |at: StateId, motion, transitions| State {
        motion: Some(MotionId(motion)),
        transitions,
        ..state[at.index()]
    };
    let [in_walk, in_combat, in_attack, in_off, in_run] = [
        moves(walk, 2, from_walk),
        moves(combat, 10, from_combat),
        State { finish: Some(finish), ..moves(attack, 3, from_attack) },
        moves(side[0], 14, from_off),
        moves(side[1], 13, Run::default()),
    ];
    state[combat.index()] = in_combat;
    state[attack.index()] = in_attack;
    state[side[0].index()] = in_off;
    state[side[1].index()] = in_run;
    state[idle.index()] = State {
        entry: Some(entry),
        exit: Some(exit),
        marks,
        transitions: from_idle,
        whens: Run { first: 1, count: 1 },
        ..state[idle.index()]
    };
    state[walk.index()] =
        State { entry_from, update: Some(update), repeat: Some(repeat), marks: suppress, tags, ..in_walk };
    b.rows.machines[0].motion_layer = upper;
    b.rows.machines[0].any = any;

    // Listener "card" { PassThrough  On pointerdown { Set speed = pointer_x + pointer_y }  On keydown "Enter" { ... } }
    let place = b.actions(&[Op::PointerX, Op::PointerY, Op::Add, Op::Set { param: speed }]);
    let asked = b.actions(&[Op::Fire { param: jump }]);
    let (card, enter, combo) = (b.text("card"), b.text("Enter"), b.text("combo"));
    let hear = |input, name| Hear { input, name, actions: asked };
    let on_card = append(
        &mut b.rows.hears,
        &[Hear { actions: place, ..hear(InputKind::Down, None) }, hear(InputKind::KeyDown, Some(enter))],
    );
    let on_scene = append(
        &mut b.rows.hears,
        &[hear(InputKind::Custom, Some(combo)), hear(InputKind::Focus, None), hear(InputKind::KeyUp, None)],
    );
    b.rows.listeners.push(Listener { target: Some(card), pass_through: true, hears: on_card });
    b.rows.listeners.push(Listener { target: None, pass_through: false, hears: on_scene });

    // Probe: if grip == tight then time(Walk) else -phase(Walk) + weight(Slash) / layer_weight(Upper)
    let probe = b.code(
        Some(Word::Number),
        &[
            Op::Param { param: grip_now },
            Op::Variant { value: 2 },
            Op::EqualVariant,
            Op::JumpIfFalse { skip: 2 },
            Op::Time { animation: walk_clip },
            Op::Jump { skip: 6 },
            Op::Phase { animation: walk_clip },
            Op::Neg,
            Op::Weight { animation: slash },
            Op::LayerWeight { layer: upper },
            Op::Div,
            Op::Add,
        ],
    );
    b.rows.probes.push(Probe { code: probe, machine: Some(MachineId(1)), ty: Type::Number });

    // Probe: (if finished then phase else loops) * fade - fade(Upper)
    let probe = b.code(
        Some(Word::Number),
        &[
            Op::MotionFinished,
            Op::JumpIfFalse { skip: 2 },
            Op::MotionPhase,
            Op::Jump { skip: 1 },
            Op::MotionLoops,
            Op::Fade { machine: MachineId(0) },
            Op::Mul,
            Op::Fade { machine: MachineId(1) },
            Op::Sub,
        ],
    );
    b.rows.probes.push(Probe { code: probe, machine: None, ty: Type::Number });
    let probe = b.code(Some(Word::Number), &[Op::Value { property: PropertyId(0) }]);
    b.rows.probes.push(Probe { code: probe, machine: None, ty: Type::Number });

    let mut tables = b.tables();
    let rows = &tables.behaviors[0];
    let spots =
        |count: usize| (0..count).map(|row| Spot { file: 0, line: row as u32 + 1, column: 5 }).collect();
    tables.debug = Some(Debug {
        files: vec!["sample.motix".to_owned()],
        behaviors: vec![BehaviorDebug {
            at: Spot { file: 0, line: 1, column: 1 },
            params: spots(rows.params.len()),
            animations: spots(rows.animations.len()),
            states: spots(rows.states.len()),
            transitions: spots(rows.transitions.len()),
            properties: spots(rows.properties.len()),
        }],
    });
    tables
}

pub(crate) fn program(tables: Tables) -> Program {
    Program::verify(tables).unwrap_or_else(|error| panic!("{error}"))
}
