//! Each rule of the verifier: the sample with one change is refused for the right reason.

use motix_vm::builtin::Builtin;
use motix_vm::easing::Easing;
use motix_vm::ids::*;
use motix_vm::op::{Op, Word};
use motix_vm::program::debug::Spot;
use motix_vm::program::limits::Limit;
use motix_vm::program::tables::*;
use motix_vm::program::{LoadErrorKind as Kind, Program};

use crate::support::{Builder, clip, program, sample, smallest, to, with_code};

pub(crate) type Change = fn(&mut Tables);

/// The kind of error, the table and the row that a changed sample gives.
pub(crate) fn refused(text: &str, change: Change) -> (Kind, Option<&'static str>, Option<usize>) {
    let mut tables = sample();
    change(&mut tables);
    let error = Program::verify(tables).map(|_| ()).expect_err(text);
    assert!(error.to_string().contains("table `"), "{error}");
    (error.kind(), error.place().table, error.place().row)
}

macro_rules! cases {
    ($( $kind:ident $table:literal $row:expr, |$t:ident, $b:ident| $change:expr; )+) => {
        /// Kind, table, row, change.
        const CASES: &[(Kind, &str, Option<usize>, &str, Change)] = &[
            $( (Kind::$kind, $table, $row, stringify!($change), |$t: &mut Tables| {
                let $b = &mut $t.behaviors[0];
                $change;
            }), )+
        ];
    };
}

const FAR: u16 = 60_000;
const FAR_TEXT: TextId = TextId(60_000);
const FAR_CODE: CodeId = CodeId(60_000);
const FAR_STATE: StateId = StateId(FAR);

/// A blend along a line, of these points.
fn line(points: Run) -> MotionKind {
    MotionKind::Blend1D { input: CodeId(1), points, sync: true }
}

pub(crate) const fn triangle(a: u16, b: u16, c: u16) -> Triangle {
    Triangle { a, b, c }
}

const fn bezier([x1, y1, x2, y2]: [f32; 4]) -> Easing {
    Easing::CubicBezier { x1, y1, x2, y2 }
}

/// Changes the runs of a `Blend2D`.
fn set(motion: &mut Motion, change: fn(&mut Run, &mut Run)) {
    if let MotionKind::Blend2D { points, triangles, .. } = &mut motion.kind {
        change(points, triangles);
    }
}

fn set_phase(motion: &mut Motion, code: CodeId) {
    if let MotionKind::Clip { phase, .. } = &mut motion.kind {
        *phase = Some(code);
    }
}

/// The input of a `Blend1D` is the last one.
fn set_inputs(motion: &mut Motion, first: Option<CodeId>, last: CodeId) {
    match &mut motion.kind {
        MotionKind::Blend1D { input, .. } => *input = last,
        MotionKind::Blend2D { x, y, .. } => (*x, *y) = (first.unwrap_or(last), last),
        _ => {}
    }
}

cases! {
    // References.
    UnknownId "behaviors" Some(0), |t, b| b.name = FAR_TEXT;
    UnknownId "params" Some(1), |t, b| b.params[1].name = FAR_TEXT;
    UnknownId "params" Some(1), |t, b| b.params[1].ty = Type::Enum(EnumId(2));
    UnknownId "enums" Some(0), |t, b| b.enums[0].name = Some(FAR_TEXT);
    UnknownId "variants" Some(4), |t, b| b.variants[4] = FAR_TEXT;
    UnknownId "patterns" Some(0), |t, b| b.patterns[0] = FAR_TEXT;
    UnknownId "groups" Some(0), |t, b| b.groups[0] = FAR_TEXT;
    UnknownId "tags" Some(1), |t, b| b.tags[1] = FAR_TEXT;
    UnknownId "externs" Some(0), |t, b| b.externs[0] = FAR_TEXT;
    UnknownId "layers" Some(0), |t, b| b.layers[0].name = FAR_TEXT;
    UnknownId "layers" Some(0), |t, b| b.layers[0].mask = Some(MaskId(1));
    UnknownId "layers" Some(0), |t, b| b.layers[0].weight = Some(FAR_CODE);
    UnknownId "layers" Some(0), |t, b| b.layers[0].speed = Some(FAR_CODE);
    UnknownId "masks" Some(0), |t, b| b.masks[0].name = FAR_TEXT;
    UnknownId "animations" Some(0), |t, b| b.animations[0].name = FAR_TEXT;
    UnknownId "animations" Some(0), |t, b| b.animations[0].asset = FAR_TEXT;
    UnknownId "animations" Some(0), |t, b| b.animations[0].layer = LayerId(2);
    UnknownId "animations" Some(0), |t, b| b.animations[0].group = Some(GroupId(1));
    UnknownId "tag_lists" Some(0), |t, b| b.tag_lists[0] = TagId(2);
    UnknownId "markers" Some(0), |t, b| b.markers[0].name = FAR_TEXT;
    UnknownId "spans" Some(0), |t, b| b.spans[0].name = FAR_TEXT;
    UnknownId "spans" Some(0), |t, b| b.spans[0].animation = AnimationId(3);
    UnknownId "metadata" Some(0), |t, b| b.metadata[0].key = FAR_TEXT;
    UnknownId "metadata" Some(0), |t, b| b.metadata[0].value = MetadataValue::Text(FAR_TEXT);
    UnknownId "machines" Some(1), |t, b| b.machines[1].layer = Some(LayerId(2));
    UnknownId "machines" Some(1), |t, b| b.machines[1].start = Start::State(FAR_STATE);
    UnknownId "states" Some(0), |t, b| b.states[0].name = FAR_TEXT;
    UnknownId "states" Some(0), |t, b| b.states[0].machine = MachineId(2);
    UnknownId "states" Some(4), |t, b| b.states[4].parent = Some(FAR_STATE);
    UnknownId "states" Some(2), |t, b| b.states[2].start = Some(Start::State(FAR_STATE));
    UnknownId "states" Some(0), |t, b| b.states[0].entry = Some(FAR_CODE);
    UnknownId "states" Some(0), |t, b| b.states[0].exit = Some(FAR_CODE);
    UnknownId "states" Some(0), |t, b| b.states[0].update = Some(FAR_CODE);
    UnknownId "states" Some(0), |t, b| b.states[0].motion = Some(MotionId(15));
    UnknownId "states" Some(0), |t, b| b.states[0].finish = Some(FAR_CODE);
    UnknownId "states" Some(0), |t, b| b.states[0].repeat = Some(FAR_CODE);
    UnknownId "machines" Some(0), |t, b| b.machines[0].motion_layer = LayerId(2);
    UnknownId "motions" Some(1), |t, b| b.motions[1].speed = Some(FAR_CODE);
    UnknownId "motions" Some(1), |t, b| b.motions[1].kind = clip(AnimationId(3));
    UnknownId "motions" Some(3), |t, b| set_phase(&mut b.motions[3], FAR_CODE);
    UnknownId "motions" Some(2), |t, b| set_inputs(&mut b.motions[2], None, FAR_CODE);
    UnknownId "motions" Some(8), |t, b| set_inputs(&mut b.motions[8], Some(CodeId(1)), FAR_CODE);
    UnknownId "motions" Some(8), |t, b| set_inputs(&mut b.motions[8], Some(FAR_CODE), CodeId(1));
    UnknownId "points" Some(0), |t, b| b.points[0].motion = MotionId(15);
    UnknownId "points" Some(6), |t, b| b.points[6].weight = Some(FAR_CODE);
    UnknownId "triangles" Some(0), |t, b| b.triangles[0].b = 4;
    UnknownId "transitions" Some(8), |t, b| b.transitions[8].gate.marker = Some(FAR_TEXT);
    UnknownId "marks" Some(0), |t, b| b.marks[0].layer = LayerId(2);
    UnknownId "transitions" Some(0), |t, b| b.transitions[0].target = Target::State(FAR_STATE);
    UnknownId "transitions" Some(0), |t, b| b.transitions[0].condition = Some(FAR_CODE);
    UnknownId "transitions" Some(0), |t, b| b.transitions[0].actions = Some(FAR_CODE);
    UnknownId "triggers" Some(0), |t, b| b.triggers[0] = ParamId(FAR);
    UnknownId "entries_from" Some(0), |t, b| b.entries_from[0].from = FAR_STATE;
    UnknownId "entries_from" Some(0), |t, b| b.entries_from[0].actions = FAR_CODE;
    UnknownId "whens" Some(1), |t, b| b.whens[1].condition = FAR_CODE;
    UnknownId "whens" Some(1), |t, b| b.whens[1].actions = FAR_CODE;
    UnknownId "predicates" Some(0), |t, b| b.predicates[0].name = FAR_TEXT;
    UnknownId "predicates" Some(0), |t, b| b.predicates[0].condition = FAR_CODE;
    UnknownId "damps" Some(0), |t, b| b.damps[0].input = FAR_CODE;
    UnknownId "emits" Some(0), |t, b| b.emits[0].name = FAR_TEXT;
    UnknownId "emit_types" Some(1), |t, b| b.emit_types[1] = Type::Enum(EnumId(2));
    UnknownId "probes" Some(0), |t, b| b.probes[0].code = FAR_CODE;
    UnknownId "probes" Some(0), |t, b| b.probes[0].machine = Some(MachineId(2));
    UnknownId "probes" Some(0), |t, b| b.probes[0].ty = Type::Enum(EnumId(2));
    // Runs.
    BadRun "enums" Some(1), |t, b| b.enums[1].variants.count += 1;
    BadRun "masks" Some(0), |t, b| b.masks[0].exclude.first = u32::MAX;
    BadRun "masks" Some(0), |t, b| b.masks[0].include = Run { first: u32::MAX, count: u32::MAX };
    BadRun "animations" Some(0), |t, b| b.animations[0].tags = Run { first: 2, count: 1 };
    BadRun "animations" Some(0), |t, b| b.animations[0].markers.first = 4;
    BadRun "animations" Some(2), |t, b| b.animations[2].spans.count = 2;
    BadRun "animations" Some(2), |t, b| b.animations[2].metadata.count = 3;
    BadRun "machines" Some(1), |t, b| b.machines[1].states.count = 3;
    BadRun "machines" Some(1), |t, b| b.machines[1].any.first = 99;
    BadRun "states" Some(1), |t, b| b.states[1].entry_from.count = 2;
    BadRun "states" Some(1), |t, b| b.states[1].whens = Run { first: 2, count: 1 };
    BadRun "states" Some(1), |t, b| b.states[1].marks.count = 2;
    BadRun "states" Some(1), |t, b| b.states[1].tags.count = 2;
    BadRun "states" Some(6), |t, b| b.states[6].transitions.count = 100;
    BadRun "motions" Some(2), |t, b| b.motions[2].kind = line(Run { first: 9, count: 2 });
    BadRun "motions" Some(8), |t, b| set(&mut b.motions[8], |_, triangles| triangles.count = 3);
    SharedRows "motions" Some(8), |t, b| b.motions[2].kind = line(Run { first: 0, count: 3 });
    SharedRows "motions" Some(13), |t, b| {
        set(&mut b.motions[13], |_, triangles| *triangles = Run { first: 0, count: 2 })
    };
    BadRun "transitions" Some(0), |t, b| b.transitions[0].triggers.count = 9;
    BadRun "whens" Some(1), |t, b| b.whens[1].triggers = Run { first: 4, count: 0 };
    BadRun "emits" Some(0), |t, b| b.emits[0].types.count = 3;
    BadRun "codes" Some(0), |t, b| b.codes[0].ops.count = u32::MAX;
    BadRun "whens" None, |t, b| b.behavior_whens = 3;
    SharedRows "enums" Some(1), |t, b| b.enums[1].variants = b.enums[0].variants;
    SharedRows "masks" Some(0), |t, b| b.masks[0].exclude = b.masks[0].include;
    SharedRows "animations" Some(2), |t, b| b.animations[0].markers = b.animations[2].markers;
    SharedRows "states" Some(1), |t, b| b.states[1].transitions = b.states[0].transitions;
    SharedRows "states" Some(1), |t, b| b.states[1].transitions = b.machines[0].any;
    SharedRows "machines" Some(1), |t, b| b.machines[1].states.first -= 1;
    SharedRows "whens" Some(0), |t, b| b.whens[0].triggers = b.transitions[0].triggers;
    SharedRows "codes" Some(1), |t, b| b.codes[1].ops = b.codes[0].ops;
    // Names.
    DuplicateText "texts" Some(3), |t, b| { let _ = &b; t.texts[3] = t.texts[1].clone() };
    DuplicateName "params" Some(1), |t, b| b.params[1].name = b.params[0].name;
    DuplicateName "layers" Some(1), |t, b| b.layers[1].name = b.layers[0].name;
    DuplicateName "tags" Some(1), |t, b| b.tags[1] = b.tags[0];
    DuplicateName "animations" Some(1), |t, b| b.animations[1].name = b.animations[0].name;
    DuplicateName "predicates" Some(1), |t, b| b.predicates[1].name = b.predicates[0].name;
    DuplicateName "states" Some(1), |t, b| b.states[1].name = b.states[0].name;
    DuplicateName "states" Some(4), |t, b| b.states[4].name = b.states[3].name;
    DuplicateName "enums" Some(1), |t, b| b.enums[1].name = b.enums[0].name;
    DuplicateName "variants" Some(1), |t, b| b.variants[1] = b.variants[0];
    DuplicateName "behaviors" Some(1), |t, b| { let copy = b.clone(); t.behaviors.push(copy); t.debug = None };
    // Numbers.
    BadNumber "params" Some(0), |t, b| b.params[0].min = f32::NAN;
    BadNumber "params" Some(0), |t, b| b.params[0].max = f32::INFINITY;
    BadNumber "params" Some(0), |t, b| b.params[0].step = -1.0;
    BadNumber "params" Some(0), |t, b| b.params[0].min = 11.0;
    BadNumber "params" Some(2), |t, b| b.params[2].lifetime = Lifetime::Seconds(-0.1);
    BadNumber "layers" Some(0), |t, b| b.layers[0].base_weight = 1.5;
    BadNumber "layers" Some(0), |t, b| b.layers[0].lerp_rate = 0.0;
    BadNumber "animations" Some(0), |t, b| b.animations[0].duration = Some(-1.0);
    BadNumber "animations" Some(0), |t, b| b.animations[0].fade_in = f32::NAN;
    BadNumber "animations" Some(0), |t, b| b.animations[0].fade_out = -1.0;
    BadNumber "animations" Some(0), |t, b| b.animations[0].fade_in = 241.0;
    BadNumber "animations" Some(0), |t, b| b.animations[0].fade_out = 1e9;
    BadNumber "animations" Some(0), |t, b| b.animations[0].speed = f32::NEG_INFINITY;
    BadNumber "animations" Some(0), |t, b| b.animations[0].weight = 0.0;
    BadNumber "animations" Some(0), |t, b| b.animations[0].weight = 1.01;
    BadNumber "animations" Some(0), |t, b| b.animations[0].min_duration = -1.0;
    BadNumber "markers" Some(0), |t, b| b.markers[0].at = Place::Ratio(1.5);
    BadNumber "markers" Some(1), |t, b| b.markers[1].at = Place::Seconds(f32::INFINITY);
    BadNumber "spans" Some(0), |t, b| b.spans[0].from = Place::Seconds(-1.0);
    BadNumber "spans" Some(0), |t, b| b.spans[0].to = Place::Ratio(f32::NAN);
    BadNumber "metadata" Some(1), |t, b| b.metadata[1].value = MetadataValue::Number(f32::NAN);
    BadNumber "marks" Some(1), |t, b| b.marks[1].target = MarkTarget::Weight(-0.1);
    BadNumber "transitions" Some(1), |t, b| b.transitions[1].random_weight = Some(-1.0);
    BadNumber "transitions" Some(9), |t, b| b.transitions[9].fade.duration = Length::Seconds(-0.1);
    BadNumber "transitions" Some(9), |t, b| b.transitions[9].fade.duration = Length::Seconds(f32::INFINITY);
    BadNumber "transitions" Some(8), |t, b| b.transitions[8].fade.duration = Length::Cycles(-0.1);
    BadNumber "transitions" Some(8), |t, b| b.transitions[8].fade.duration = Length::Cycles(f32::NAN);
    BadNumber "transitions" Some(8), |t, b| b.transitions[8].fade.easing = Easing::Steps(0);
    BadNumber "transitions" Some(8), |t, b| b.transitions[8].fade.easing = Easing::Steps(1001);
    BadNumber "transitions" Some(8), |t, b| b.transitions[8].fade.easing = bezier([-0.1, 0.0, 0.5, 1.0]);
    BadNumber "transitions" Some(8), |t, b| b.transitions[8].fade.easing = bezier([0.1, 0.0, 1.1, 1.0]);
    BadNumber "transitions" Some(8), |t, b| b.transitions[8].fade.easing = bezier([0.1, f32::NAN, 0.5, 1.0]);
    BadNumber "transitions" Some(8), |t, b| {
        b.transitions[8].fade.easing = bezier([0.1, 0.0, 0.5, f32::INFINITY])
    };
    BadNumber "transitions" Some(9), |t, b| b.transitions[9].gate.after = Some(-0.5);
    BadNumber "transitions" Some(9), |t, b| b.transitions[9].gate.exit = Some(Place::Seconds(-0.5));
    BadNumber "transitions" Some(10), |t, b| b.transitions[10].gate.exit = Some(Place::Ratio(f32::INFINITY));
    BadNumber "transitions" Some(10), |t, b| b.transitions[10].start_at = Some(Place::Ratio(1.1));
    BadNumber "motions" Some(0), |t, b| {
        b.motions[0].kind = MotionKind::Clip {
            animation: AnimationId(0),
            start_at: Some(Place::Ratio(1.1)),
            phase: None,
            mirror: false,
        }
    };
    BadNumber "points" Some(1), |t, b| b.points[1].x = f32::NAN;
    BadNumber "points" Some(3), |t, b| b.points[3].y = f32::INFINITY;
    BadNumber "damps" Some(0), |t, b| b.damps[0].time = -0.1;
    BadNumber "ops" Some(1), |t, b| b.ops[1] = Op::Number { value: f32::NAN };
    // Initial values.
    BadInitial "params" Some(0), |t, b| b.params[0].initial = 11.0_f32.to_bits();
    BadInitial "params" Some(0), |t, b| b.params[0].initial = 0.7_f32.to_bits();
    BadInitial "params" Some(0), |t, b| b.params[0].initial = f32::NAN.to_bits();
    BadInitial "params" Some(1), |t, b| b.params[1].initial = 2;
    BadInitial "params" Some(2), |t, b| b.params[2].initial = 1;
    BadInitial "params" Some(3), |t, b| b.params[3].initial = 60_000;
    BadInitial "params" Some(4), |t, b| b.params[4].initial = 2;
    BadInitial "params" Some(7), |t, b| b.params[7].initial = f32::INFINITY.to_bits();
    BadTrigger "params" Some(2), |t, b| b.params[2].global = true;
    BadTrigger "triggers" Some(0), |t, b| b.triggers[0] = ParamId(0);
    EmptyTable "enums" Some(1), |t, b| b.enums[1].variants.count = 0;
    EmptyTable "motions" Some(2), |t, b| b.motions[2].kind = line(Run::default());
    EmptyTable "machines" Some(1), |t, b| b.machines[1].states.count = 0;
    // Order and structure.
    Unsorted "layers" Some(1), |t, b| b.layers[1].order = 0;
    Unsorted "animations" Some(2), |t, b| b.markers.swap(0, 2);
    Unsorted "machines" Some(1), |t, b| b.machines[1].layer = None;
    Unsorted "transitions" Some(1), |t, b| b.transitions[1].priority = 21;
    Unsorted "transitions" Some(5), |t, b| b.transitions[5].priority = 101;
    BadMachine "machines" Some(0), |t, b| b.machines[0].states = Run { first: 1, count: 5 };
    BadMachine "machines" Some(1), |t, b| { b.machines[0].states.count = 5; b.machines[1].states.first = 6 };
    BadMachine "machines" None, |t, b| { b.machines[1].states.count = 1; b.machines[1].start = Start::State(StateId(6)) };
    BadMachine "states" Some(6), |t, b| b.states[6].machine = MachineId(0);
    BadParent "states" Some(3), |t, b| b.states[3].parent = Some(StateId(3));
    BadParent "states" Some(0), |t, b| b.states[0].parent = Some(StateId(2));
    BadParent "states" Some(7), |t, b| b.states[7].parent = Some(StateId(2));
    BadStart "machines" Some(1), |t, b| b.machines[1].start = Start::State(StateId(0));
    BadStart "machines" Some(0), |t, b| b.machines[0].start = Start::Entry(Run::default());
    BadStart "states" Some(2), |t, b| b.states[2].start = None;
    BadStart "states" Some(0), |t, b| b.states[0].start = Some(Start::State(StateId(0)));
    BadStart "states" Some(2), |t, b| b.states[2].start = Some(Start::State(StateId(2)));
    BadStart "states" Some(2), |t, b| b.states[2].start = Some(Start::State(StateId(1)));
    BadStart "transitions" Some(16), |t, b| b.transitions[16].condition = b.transitions[0].condition;
    BadStart "transitions" Some(15), |t, b| b.transitions[15].target = Target::State(StateId(0));
    BadStart "transitions" Some(15), |t, b| b.transitions[15].target = Target::Exit;
    BadStart "transitions" Some(15), |t, b| b.transitions[15].priority = 1;
    BadStart "transitions" Some(15), |t, b| b.transitions[15].gate.after = Some(1.0);
    BadStart "transitions" Some(15), |t, b| b.transitions[15].fade.duration = Length::Seconds(1.0);
    BadComposite "states" Some(0), |t, b| b.states[0].history = History::Deep;
    BadComposite "states" Some(4), |t, b| b.states[4].any = std::mem::take(&mut b.states[2].any);
    BadComposite "states" Some(4), |t, b| b.states[4].done = std::mem::take(&mut b.states[2].done);
    BadComposite "transitions" Some(14), |t, b| b.transitions[14].restart = true;
    BadComposite "transitions" Some(14), |t, b| b.transitions[14].on_request = true;
    BadComposite "transitions" Some(13), |t, b| b.transitions[13].instant = true;
    BadComposite "transitions" Some(13), |t, b| b.transitions[13].restart = true;
    BadComposite "transitions" Some(13), |t, b| b.transitions[13].on_request = true;
    BadComposite "transitions" Some(13), |t, b| b.transitions[13].random_weight = Some(1.0);
    BadComposite "transitions" Some(13), |t, b| b.transitions[13].gate.after = Some(1.0);
    ForeignState "transitions" Some(11), |t, b| b.transitions[11].target = Target::State(StateId(7));
    ForeignState "transitions" Some(13), |t, b| b.transitions[13].target = Target::State(StateId(7));
    Unsorted "transitions" Some(13), |t, b| b.transitions[13].priority = 1;
    SharedRows "machines" Some(1), |t, b| b.machines[1].start = Start::Entry(Run { first: 4, count: 1 });
    SharedRows "states" Some(2), |t, b| b.states[2].start = Some(Start::Entry(Run { first: 16, count: 1 }));
    SharedRows "states" Some(2), |t, b| b.states[2].any = b.machines[0].any;
    SharedRows "states" Some(2), |t, b| b.states[2].done = b.machines[0].any;
    ForeignState "transitions" Some(0), |t, b| b.transitions[0].target = Target::State(StateId(7));
    ForeignState "transitions" Some(4), |t, b| b.transitions[4].target = Target::State(StateId(7));
    ForeignState "states" Some(1), |t, b| b.entries_from[0].from = StateId(7);
    BadTerminal "states" Some(0), |t, b| b.states[0].terminal = true;
    BadTerminal "states" Some(2), |t, b| b.states[2].terminal = true;
    BadSpan "spans" Some(0), |t, b| b.spans[0].animation = AnimationId(0);
    BadSpan "spans" Some(0), |t, b| b.animations[2].spans.count = 0;
    BadSpan "spans" Some(0), |t, b| b.spans[0].to = Place::Seconds(0.05);
    BadReactions "states" Some(0), |t, b| b.behavior_whens = 2;
    // Motions. Points: 0 and 1 on a line, 2 to 5 a square, 6 and 7 with weights, 8 and 9 on a line of the plane.
    BadMachine "machines" Some(1), |t, b| b.machines[1].motion_layer = LayerId(0);
    BadMotion "motions" Some(2), |t, b| b.points[0].motion = MotionId(2);
    BadMotion "motions" Some(2), |t, b| b.points[0].motion = MotionId(11);
    BadMotion "motions" Some(2), |t, b| b.points[0].motion = MotionId(1);
    BadMotion "motions" Some(8), |t, b| b.points[2].motion = MotionId(0);
    BadMotion "motions" Some(2), |t, b| b.motions[0] = Motion { kind: MotionKind::Empty, speed: None };
    BadMotion "motions" Some(14), |t, b| b.motions[14].speed = b.motions[0].speed;
    BadMotion "states" Some(4), |t, b| b.states[4].motion = b.states[1].motion;
    BadMotion "states" Some(4), |t, b| b.states[4].motion = Some(MotionId(8));
    BadPoints "motions" Some(2), |t, b| b.points[0].y = 1.0;
    BadPoints "motions" Some(2), |t, b| b.points[0].weight = b.points[6].weight;
    BadPoints "motions" Some(8), |t, b| b.points[2].weight = b.points[6].weight;
    BadPoints "motions" Some(10), |t, b| b.points[6].weight = None;
    BadPoints "motions" Some(10), |t, b| b.points[6].x = 1.0;
    BadPoints "motions" Some(10), |t, b| b.points[6].y = 1.0;
    Unsorted "motions" Some(2), |t, b| b.points[0].x = 1.5;
    Unsorted "motions" Some(2), |t, b| b.points[0].x = 2.0;
    Unsorted "motions" Some(13), |t, b| b.points.swap(8, 9);
    Unsorted "motions" Some(8), |t, b| set(&mut b.motions[8], |_, triangles| triangles.count = 0);
    BadTriangles "motions" Some(8), |t, b| set(&mut b.motions[8], |_, triangles| triangles.count = 1);
    BadTriangles "triangles" Some(0), |t, b| b.triangles[0] = triangle(0, 3, 1);
    BadTriangles "triangles" Some(0), |t, b| b.triangles[0] = triangle(0, 1, 1);
    Unsorted "triangles" Some(0), |t, b| b.triangles[0] = triangle(1, 3, 0);
    Unsorted "triangles" Some(0), |t, b| b.triangles[0] = triangle(3, 0, 1);
    Unsorted "triangles" Some(1), |t, b| b.triangles.swap(0, 1);
    Unsorted "triangles" Some(1), |t, b| b.triangles[1] = b.triangles[0];
    // Both on the upper side of the lowest edge.
    BadTriangles "motions" Some(8), |t, b| b.triangles = vec![triangle(0, 1, 2), triangle(0, 1, 3)];
    BadTriangles "motions" Some(8), |t, b| {
        (b.points[5].x, b.points[5].y) = (0.4, 0.4);
        b.triangles.swap(0, 1)
    };
    BadFade "transitions" Some(9), |t, b| b.transitions[9].instant = true;
    BadFade "transitions" Some(8), |t, b| b.transitions[8].instant = true;
    // `Idle` has no motion, and none around or inside it.
    BadGate "transitions" Some(0), |t, b| b.transitions[0].gate.exit = Some(Place::Ratio(0.5));
    BadGate "transitions" Some(0), |t, b| b.transitions[0].gate.marker = b.transitions[8].gate.marker;
    BadGate "transitions" Some(4), |t, b| {
        b.states.iter_mut().for_each(|state| state.motion = None);
        b.transitions[4].gate.exit = Some(Place::Ratio(0.5))
    };
    BadGate "transitions" Some(8), |t, b| b.transitions[8].gate.marker = Some(TextId(0));
    BadGate "transitions" Some(8), |t, b| b.transitions[8].gate.exit = Some(Place::Ratio(0.9));
    BadGate "transitions" Some(9), |t, b| b.transitions[9].gate.lead_out = true;
    BadTrack "properties" Some(0), |t, b| b.properties[0].ty = Type::Bool;

    // Uses of code. Blocks 0 to 3: a condition, numbers.
    BadUse "layers" Some(1), |t, b| b.layers[1].weight = Some(CodeId(0));
    BadUse "layers" Some(1), |t, b| b.layers[1].speed = b.states[0].entry;
    BadUse "states" Some(0), |t, b| b.states[0].entry = Some(CodeId(0));
    BadUse "states" Some(0), |t, b| b.states[0].exit = Some(CodeId(1));
    BadUse "states" Some(1), |t, b| b.states[1].update = Some(CodeId(1));
    BadUse "states" Some(1), |t, b| b.states[1].finish = Some(CodeId(1));
    BadUse "states" Some(1), |t, b| b.states[1].repeat = Some(CodeId(1));
    BadUse "motions" Some(0), |t, b| b.motions[0].speed = Some(CodeId(0));
    BadUse "motions" Some(0), |t, b| b.motions[0].speed = b.states[0].entry;
    BadUse "motions" Some(3), |t, b| set_phase(&mut b.motions[3], CodeId(0));
    BadUse "motions" Some(2), |t, b| set_inputs(&mut b.motions[2], None, CodeId(0));
    BadUse "motions" Some(8), |t, b| set_inputs(&mut b.motions[8], Some(CodeId(0)), CodeId(1));
    BadUse "motions" Some(8), |t, b| set_inputs(&mut b.motions[8], Some(CodeId(1)), CodeId(0));
    BadUse "points" Some(6), |t, b| b.points[6].weight = Some(CodeId(0));
    BadUse "entries_from" Some(0), |t, b| b.entries_from[0].actions = CodeId(0);
    BadUse "transitions" Some(0), |t, b| b.transitions[0].condition = Some(CodeId(1));
    BadUse "transitions" Some(0), |t, b| b.transitions[0].actions = Some(CodeId(0));
    BadUse "whens" Some(0), |t, b| b.whens[0].condition = CodeId(1);
    BadUse "whens" Some(0), |t, b| b.whens[0].actions = CodeId(0);
    BadUse "predicates" Some(0), |t, b| b.predicates[0].condition = b.whens[0].actions;
    BadUse "damps" Some(0), |t, b| b.damps[0].input = CodeId(0);
    BadUse "probes" Some(0), |t, b| b.probes[0].ty = Type::Bool;
    BadDt "states" Some(0), |t, b| b.states[0].entry = b.states[1].update;
    BadDt "states" Some(0), |t, b| b.states[0].exit = b.states[1].update;
    BadDt "transitions" Some(0), |t, b| b.transitions[0].actions = b.states[1].update;
    BadDt "layers" Some(1), |t, b| {
        let first = b.ops.len() as u32;
        b.ops.push(Op::Dt);
        b.codes.push(Code { ops: Run { first, count: 1 }, result: Some(Word::Number) });
        b.layers[1].speed = Some(CodeId(b.codes.len() as u32 - 1))
    };
    BadDt "states" Some(1), |t, b| b.states[1].finish = b.states[1].update;
    BadDt "states" Some(1), |t, b| b.states[1].repeat = b.states[1].update;
    DampOrder "ops" Some(11), |t, b| b.damps[0].input = b.layers[1].weight.unwrap();
    DampOrder "ops" Some(11), |t, b| b.damps[0].input = b.layers[1].speed.unwrap();
    // Listeners. The first hears a pointer and a key on its target, the second names and the focus in the scene.
    UnknownId "listeners" Some(0), |t, b| b.listeners[0].target = Some(FAR_TEXT);
    UnknownId "hears" Some(1), |t, b| b.hears[1].name = Some(FAR_TEXT);
    UnknownId "hears" Some(0), |t, b| b.hears[0].actions = FAR_CODE;
    BadRun "listeners" Some(1), |t, b| b.listeners[1].hears.count = 4;
    SharedRows "listeners" Some(1), |t, b| b.listeners[1].hears.first = 1;
    BadListener "listeners" Some(1), |t, b| b.listeners[1].pass_through = true;
    BadListener "hears" Some(0), |t, b| b.hears[0].name = Some(TextId(0));
    BadListener "hears" Some(3), |t, b| b.hears[3].name = Some(TextId(0));
    BadListener "hears" Some(2), |t, b| b.hears[2].name = None;
    BadUse "hears" Some(0), |t, b| b.hears[0].actions = CodeId(0);
    BadDt "hears" Some(0), |t, b| b.hears[0].actions = b.states[1].update.unwrap();
    BadPointer "hears" Some(1), |t, b| b.hears[1].actions = b.hears[0].actions;
    BadPointer "states" Some(0), |t, b| b.states[0].entry = Some(b.hears[0].actions);
    BadPointer "states" Some(1), |t, b| b.states[1].update = Some(b.hears[0].actions);
    // The debug section.
    BadDebug "debug" None, |t, b| { let _ = &b; t.debug.as_mut().unwrap().behaviors.clear() };
    BadDebug "debug" Some(0), |t, b| { let _ = &b; t.debug.as_mut().unwrap().behaviors[0].states.truncate(2) };
    BadDebug "debug" Some(0), |t, b| { let _ = &b; t.debug.as_mut().unwrap().behaviors[0].params[0].file = 1 };
    BadDebug "debug" Some(0), |t, b| {
        let _ = &b;
        t.debug.as_mut().unwrap().behaviors[0].at = Spot { file: 7, line: 1, column: 1 }
    };
}

#[test]
fn the_sample_is_fine() {
    program(sample());
    program(smallest());
    program(Tables::default());
}

#[test]
fn each_rule_refuses() {
    let mut wrong = Vec::new();
    for (kind, table, row, change, apply) in CASES {
        let found = refused(change, *apply);
        if found != (*kind, Some(*table), *row) {
            wrong.push((change, found));
        }
    }
    assert_eq!(wrong, []);
}

#[test]
fn a_layer_is_needed() {
    let mut tables = smallest();
    tables.behaviors[0].layers.clear();
    assert_eq!(Program::verify(tables).map(|_| ()).map_err(|error| error.kind()), Err(Kind::EmptyTable));
}

#[test]
fn a_damp_reads_earlier_ones_only() {
    let mut b = Builder::new("Damps");
    b.layer("Base");
    let first = b.code(Some(Word::Number), &[Op::Elapsed]);
    let reads_second = b.code(Some(Word::Number), &[Op::Damped { damp: DampId(1) }]);
    b.rows.damps.push(Damp { input: reads_second, time: 1.0 });
    b.rows.damps.push(Damp { input: first, time: 1.0 });
    let error = Program::verify(b.tables()).map(|_| ()).expect_err("it reads a later one");
    assert_eq!(
        (error.kind(), error.place().table, error.place().row),
        (Kind::DampOrder, Some("damps"), Some(0))
    );
}

const ON: Op = Op::Param { param: ParamId(0) };
const SPEED: Op = Op::Param { param: ParamId(1) };
const BOOL: Option<Word> = Some(Word::Bool);
pub(crate) const NUMBER: Option<Word> = Some(Word::Number);

/// A block of code, what it is refused for, and at which operation.
type BadCode = (Option<Word>, &'static [Op], Kind, Option<usize>);

const CODE: &[BadCode] = &[
    (NUMBER, &[Op::Add], Kind::StackUnderflow, Some(0)),
    (NUMBER, &[SPEED, Op::Add], Kind::StackUnderflow, Some(1)),
    (None, &[Op::Set { param: ParamId(1) }], Kind::StackUnderflow, Some(0)),
    (NUMBER, &[SPEED, Op::Builtin { builtin: Builtin::Max }], Kind::StackUnderflow, Some(1)),
    (NUMBER, &[SPEED, ON, Op::Add], Kind::StackType, Some(2)),
    (BOOL, &[SPEED, Op::Not], Kind::StackType, Some(1)),
    (None, &[ON, Op::Set { param: ParamId(1) }], Kind::StackType, Some(1)),
    (BOOL, &[SPEED, Op::JumpIfFalseElsePop { skip: 1 }, ON], Kind::StackType, Some(1)),
    (NUMBER, &[], Kind::BadResult, None),
    (NUMBER, &[ON], Kind::BadResult, None),
    (NUMBER, &[SPEED, SPEED], Kind::BadResult, None),
    (None, &[SPEED], Kind::BadResult, None),
    (BOOL, &[ON, Op::JumpIfFalseElsePop { skip: 2 }, ON], Kind::BadJump, Some(1)),
    (NUMBER, &[ON, Op::JumpIfFalse { skip: u16::MAX }, SPEED], Kind::BadJump, Some(1)),
    // One way leaves a number, the other nothing, or a bool.
    (NUMBER, &[ON, Op::JumpIfFalse { skip: 1 }, SPEED], Kind::StackJoin, None),
    (
        NUMBER,
        &[ON, Op::JumpIfFalse { skip: 2 }, SPEED, Op::Jump { skip: 1 }, ON, SPEED, Op::Add],
        Kind::StackJoin,
        Some(5),
    ),
    // Two jumps arrive with different stacks.
    (
        NUMBER,
        &[ON, Op::JumpIfFalse { skip: 4 }, SPEED, ON, Op::JumpIfFalse { skip: 1 }, SPEED, SPEED],
        Kind::StackJoin,
        Some(4),
    ),
    (None, &[Op::Jump { skip: 1 }, Op::Play { animation: AnimationId(0) }], Kind::Unreachable, Some(1)),
    (BOOL, &[Op::Call { code: CodeId(0) }], Kind::BadCall, Some(0)),
    (BOOL, &[Op::Call { code: CodeId(1) }], Kind::BadCall, Some(0)),
    (BOOL, &[Op::Call { code: CodeId(u32::MAX) }], Kind::BadCall, Some(0)),
    (NUMBER, &[SPEED, SPEED, Op::Random], Kind::Impure, Some(2)),
    (BOOL, &[Op::Fire { param: ParamId(2) }, ON], Kind::Impure, Some(0)),
    (None, &[Op::Fire { param: ParamId(0) }], Kind::BadTrigger, Some(0)),
    (None, &[ON, Op::Set { param: ParamId(2) }], Kind::BadTrigger, Some(1)),
    // Operands.
    (NUMBER, &[Op::Number { value: f32::INFINITY }], Kind::BadNumber, Some(0)),
    (BOOL, &[Op::Param { param: ParamId(3) }], Kind::UnknownId, Some(0)),
    (None, &[SPEED, Op::Set { param: ParamId(3) }], Kind::UnknownId, Some(1)),
    (None, &[Op::Fire { param: ParamId(3) }], Kind::UnknownId, Some(0)),
    (Some(Word::Text), &[Op::Text { value: FAR_TEXT }], Kind::UnknownId, Some(0)),
    (None, &[Op::Audio { asset: FAR_TEXT }], Kind::UnknownId, Some(0)),
    (None, &[Op::Camera { name: FAR_TEXT }], Kind::UnknownId, Some(0)),
    (NUMBER, &[Op::Damped { damp: DampId(0) }], Kind::UnknownId, Some(0)),
    (BOOL, &[Op::Extern { predicate: ExternId(0) }], Kind::UnknownId, Some(0)),
    (BOOL, &[Op::CameFrom { state: StateId(0) }], Kind::UnknownId, Some(0)),
    (BOOL, &[Op::In { state: StateId(0) }], Kind::UnknownId, Some(0)),
    (None, &[Op::Request { state: StateId(0), priority: 0 }], Kind::UnknownId, Some(0)),
    (BOOL, &[Op::Tagged { tag: TagId(0) }], Kind::UnknownId, Some(0)),
    (None, &[Op::PlayTag { tag: TagId(0) }], Kind::UnknownId, Some(0)),
    (None, &[Op::StopTag { tag: TagId(0) }], Kind::UnknownId, Some(0)),
    (BOOL, &[Op::Playing { animation: AnimationId(0) }], Kind::UnknownId, Some(0)),
    (BOOL, &[Op::Finished { animation: AnimationId(0) }], Kind::UnknownId, Some(0)),
    (NUMBER, &[Op::Time { animation: AnimationId(0) }], Kind::UnknownId, Some(0)),
    (NUMBER, &[Op::Phase { animation: AnimationId(0) }], Kind::UnknownId, Some(0)),
    (NUMBER, &[Op::Weight { animation: AnimationId(0) }], Kind::UnknownId, Some(0)),
    (None, &[Op::Play { animation: AnimationId(0) }], Kind::UnknownId, Some(0)),
    (None, &[Op::Stop { animation: AnimationId(0), immediate: true }], Kind::UnknownId, Some(0)),
    (NUMBER, &[Op::Fade { machine: MachineId(0) }], Kind::UnknownId, Some(0)),
    (BOOL, &[Op::MotionPhase], Kind::BadResult, None),
    (BOOL, &[Op::MotionLoops], Kind::BadResult, None),
    (NUMBER, &[Op::MotionFinished], Kind::BadResult, None),
    (NUMBER, &[Op::LayerWeight { layer: LayerId(1) }], Kind::UnknownId, Some(0)),
    (BOOL, &[Op::InSpan { span: SpanId(0) }], Kind::UnknownId, Some(0)),
    (None, &[Op::StopGroup { group: GroupId(0), immediate: true }], Kind::UnknownId, Some(0)),
    (None, &[Op::Emit { emit: EmitId(0) }], Kind::UnknownId, Some(0)),
];

#[test]
fn bad_code_is_refused() {
    for (result, ops, kind, place) in CODE {
        let error =
            Program::verify(with_code(*result, ops)).map(|_| ()).expect_err("the code must be refused");
        let found = (error.kind(), error.place().row.filter(|_| error.place().table == Some("ops")));
        assert_eq!(found, (*kind, *place), "{ops:?}");
    }
}

#[test]
fn a_call_goes_to_a_value() {
    let mut b = Builder::new("Calls");
    b.layer("Base");
    b.actions(&[]);
    b.condition(&[Op::Call { code: CodeId(0) }]);
    assert_eq!(Program::verify(b.tables()).map(|_| ()).map_err(|error| error.kind()), Err(Kind::BadCall));
}

#[test]
fn an_emit_takes_its_types() {
    let mut tables = sample();
    // The block `Emit done(random(..), mood)` with its values exchanged.
    let rows = &mut tables.behaviors[0];
    rows.emit_types.swap(0, 1);
    assert_eq!(Program::verify(tables).map(|_| ()).map_err(|error| error.kind()), Err(Kind::StackType));
}

pub(crate) fn over(tables: Tables) -> Option<Kind> {
    Program::verify(tables).err().map(|error| {
        assert!(error.to_string().starts_with("a limit is exceeded: "), "{error}");
        error.kind()
    })
}

#[test]
fn the_stack_is_limited() {
    let deep = |count: usize| {
        let mut ops = vec![SPEED; count];
        ops.extend(vec![Op::Add; count - 1]);
        with_code(NUMBER, &ops)
    };
    let limit = Limit::Stack.value();
    let verified = program(deep(limit));
    assert_eq!(verified.stack_depth(BehaviorId(0), CodeId(0)), limit);
    assert_eq!(over(deep(limit + 1)), Some(Kind::Limit(Limit::Stack)));
    // Through a call: the called block's values stand on the caller's.
    let mut tables = deep(limit);
    let rows = &mut tables.behaviors[0];
    let first = rows.ops.len() as u32;
    rows.ops.extend([SPEED, Op::Call { code: CodeId(0) }, Op::Add]);
    rows.codes.push(Code { ops: Run { first, count: 3 }, result: NUMBER });
    assert_eq!(over(tables), Some(Kind::Limit(Limit::Stack)));
}

/// Blocks of which each calls the one before that many times.
fn calling(blocks: usize, times: usize) -> Tables {
    let mut b = Builder::new("Calls");
    b.layer("Base");
    b.code(NUMBER, &[Op::Elapsed]);
    for block in 1..blocks {
        let call = Op::Call { code: CodeId(block as u32 - 1) };
        let mut ops = vec![call];
        for _ in 1..times {
            ops.extend([call, Op::Add]);
        }
        b.code(NUMBER, &ops);
    }
    b.tables()
}

#[test]
fn calls_do_not_multiply_without_bound() {
    let verified = program(calling(10, 2));
    // Each block: two calls and an addition, and what they call.
    assert_eq!(verified.cost(BehaviorId(0), CodeId(0)), 1);
    assert_eq!(verified.cost(BehaviorId(0), CodeId(9)), 4 * 512 - 3);
    assert_eq!(over(calling(40, 2)), Some(Kind::Limit(Limit::Cost)));
    assert_eq!(over(calling(60, 3)), Some(Kind::Limit(Limit::Cost)));
}

#[test]
fn calls_do_not_nest_without_bound() {
    program(calling(Limit::Calls.value() + 1, 1));
    assert_eq!(over(calling(Limit::Calls.value() + 2, 1)), Some(Kind::Limit(Limit::Calls)));
}

#[test]
fn states_do_not_nest_without_bound() {
    let nested = |count: usize| {
        let mut b = Builder::new("Nested");
        b.layer("Base");
        let names: Vec<String> = (0..count).map(|index| format!("S{index}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let states = b.machine(None, &names);
        for pair in states.windows(2) {
            b.inside(pair[0], &[pair[1]]);
        }
        b.rows.machines[0].start = Start::State(states[count - 1]);
        b.tables()
    };
    program(nested(Limit::Nesting.value()));
    assert_eq!(over(nested(Limit::Nesting.value() + 1)), Some(Kind::Limit(Limit::Nesting)));
}

#[test]
fn tables_are_limited() {
    let mut tables = smallest();
    tables.behaviors[0].groups = vec![TextId(0); Limit::Rows.value() + 1];
    assert_eq!(over(tables), Some(Kind::Limit(Limit::Rows)));
    let mut tables = smallest();
    tables.behaviors[0].layers = vec![tables.behaviors[0].layers[0]; Limit::Layers.value() + 1];
    assert_eq!(over(tables), Some(Kind::Limit(Limit::Layers)));
    let mut tables = smallest();
    tables.behaviors = vec![Behavior::default(); Limit::Behaviors.value() + 1];
    assert_eq!(over(tables), Some(Kind::Limit(Limit::Behaviors)));
    let mut tables = smallest();
    tables.behaviors[0].triggers = vec![ParamId(0); Limit::LongRows.value() + 1];
    assert_eq!(over(tables), Some(Kind::Limit(Limit::LongRows)));
    let mut tables = smallest();
    tables.texts[0] = "x".repeat(Limit::TextBytes.value() + 1);
    assert_eq!(over(tables), Some(Kind::Limit(Limit::TextBytes)));
    let mut tables = smallest();
    tables.texts.extend((0..51).map(|text| format!("{text}{}", "x".repeat(1_000_000))));
    assert_eq!(over(tables), Some(Kind::Limit(Limit::FileBytes)));
}

#[test]
fn messages_say_what_and_where() {
    let message = |change: Change| {
        let mut tables = sample();
        change(&mut tables);
        Program::verify(tables).err().map(|error| format!("{}: {error}", error.code())).unwrap_or_default()
    };
    assert_eq!(
        message(|tables| tables.behaviors[0].animations[2].fade_in = -1.0),
        "MX0825: a number is not finite or not in its range: `fade_in` is -1, must be from 0 to 240 \
         (behavior `Sample`, table `animations`, row 2)"
    );
    assert_eq!(
        message(|tables| tables.behaviors[0].transitions[0].condition = Some(CodeId(1))),
        "MX0848: a block stands where one of another type is needed: `condition` is number, must be bool \
         (behavior `Sample`, table `transitions`, row 0)"
    );
    assert_eq!(
        message(|tables| tables.behaviors[0].name = FAR_TEXT),
        "MX0820: a row refers to a row that does not exist: `name` is 60000, and there are 52 \
         (behavior 0, table `behaviors`, row 0)"
    );
}

#[test]
fn codes_are_stable_and_distinct() {
    let mut codes: Vec<&str> = Kind::ALL.iter().map(|kind| kind.code()).collect();
    codes.extend(Limit::ALL.iter().map(|limit| limit.code()));
    assert!(codes.iter().all(|code| code.len() == 6 && code.starts_with("MX08")), "{codes:?}");
    let count = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), count);
}

/// Every kind that is not about the file has a case here.
#[test]
fn every_rule_has_a_case() {
    let components = crate::verify_components::CASES.iter().map(|case| case.0);
    let tried: Vec<Kind> =
        CASES.iter().map(|case| case.0).chain(CODE.iter().map(|case| case.2)).chain(components).collect();
    for kind in Kind::ALL.iter().filter(|kind| kind.code() >= "MX0820") {
        assert!(tried.contains(kind), "{kind:?}");
    }
}

#[test]
fn rows_that_nothing_refers_to_are_harmless() {
    let mut tables = sample();
    let rows = &mut tables.behaviors[0];
    rows.tag_lists.push(TagId(0));
    rows.transitions.push(to(StateId(7), None, 5));
    rows.ops.push(Op::Add);
    tables.debug = None;
    let idle = program(tables);
    assert_eq!(motix_vm::disasm::disassemble(&idle), motix_vm::disasm::disassemble(&program(sample())));
}
