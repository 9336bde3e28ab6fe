//! A tick allocates nothing, nor does rolling back: counted by the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use motix_vm::easing::Easing;
use motix_vm::ids::*;
use motix_vm::program::tables::*;
use motix_vm::{Crowd, CrowdFrame, Frame, Host, Instance, Setup};

#[path = "runtime/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "runtime/sketch.rs"]
#[allow(dead_code)]
mod sketch;
#[path = "program/support.rs"]
#[allow(dead_code)]
mod support;

/// Counts the allocations of each thread.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: all calls go to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_tick_allocates_nothing() {
    let mut ticks = 0;
    for seed in 0..100 {
        let mut dice = random::Dice::new(seed);
        let mut b = random::behavior(&mut dice, random::Shape { timed: true });
        let emit = sketch::Sketch::emits(&mut b, "values", &[Type::Number, Type::Text]);
        let text = b.text("none");
        let ops = [motix_vm::op::Op::Dt, motix_vm::op::Op::Text { value: text }, emit];
        b.rows.states[0].update = Some(b.actions(&ops));
        if seed % 2 == 1 {
            motions(&mut b.rows, &mut dice);
        }
        let program = Arc::new(support::program(b.tables()));
        let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
        let mut frame = Frame::new();
        frame.reserve(usize::MAX, usize::MAX);
        for _ in 0..200 {
            for _ in 0..dice.below(4) {
                random::call(&mut dice, &mut instance);
            }
            let dt = [0.0, 0.001, 1.0 / 60.0, 0.7][dice.below(4)];
            let before = COUNT.get();
            instance.tick_with(dt, &mut Host::default(), &mut frame).expect("it ticks");
            assert!(instance.samples().all(|sample| sample.weight > 0.0));
            assert_eq!(COUNT.get(), before, "seed {seed}");
            ticks += frame.events().len();
        }
    }
    assert!(ticks > 1000, "there was something to report");
}

#[test]
fn a_tick_of_a_crowd_allocates_nothing() {
    let mut events = 0;
    for seed in 0..20 {
        let mut dice = random::Dice::new(seed);
        let mut b = random::behavior(&mut dice, random::Shape { timed: true });
        if seed % 2 == 1 {
            motions(&mut b.rows, &mut dice);
        }
        let program = Arc::new(support::program(b.tables()));
        let mut crowd = Crowd::new(&program, BehaviorId(0)).expect("it is there");
        for seed in 0..100 {
            crowd.push(&Setup { seed, ..Setup::default() }).expect("it can be made");
        }
        let mut frame = CrowdFrame::new();
        frame.reserve(100_000, 100_000);
        for _ in 0..50 {
            for _ in 0..dice.below(10) {
                let place = dice.below(100);
                let mut member = crowd.member_mut(place).expect("it is there");
                random::call_member(&mut dice, &mut member);
            }
            let dt = [0.0, 0.001, 1.0 / 60.0, 0.7][dice.below(4)];
            let before = COUNT.get();
            crowd.tick(dt, &mut frame).expect("it ticks");
            crowd.for_each_sample(|_, sample| assert!(sample.weight > 0.0));
            assert_eq!(COUNT.get(), before, "seed {seed}");
            events += frame.events().count();
        }
    }
    assert!(events > 1000, "there was something to report");
}

/// Gives states motions, and transitions fades and gates.
fn motions(rows: &mut Behavior, dice: &mut random::Dice) {
    let clips = rows.animations.len();
    // Each motion has one user; every state has one, so that every gate can open.
    for (index, state) in rows.states.iter_mut().enumerate() {
        let animation = AnimationId(dice.below(clips) as u16);
        let kind = MotionKind::Clip { animation, start_at: None, phase: None, mirror: false };
        rows.motions.push(Motion { kind, speed: None });
        state.motion = Some(MotionId(index as u16));
    }
    let done: Vec<Run> = rows.states.iter().map(|state| state.done).collect();
    let starts = rows.states.iter().filter_map(|state| state.start).map(Start::entry);
    let bare: Vec<usize> = done.iter().copied().chain(starts).flat_map(Run::indices).collect();
    let all = rows.transitions.iter_mut().enumerate();
    // A transition of an `Entry` or `OnDone` has none.
    for (_, transition) in all.filter(|(row, _)| !bare.contains(row)) {
        let easing = if dice.chance(50) { Easing::Linear } else { Easing::EaseInOutBounce };
        // What is instant does not fade.
        let seconds = if transition.instant { 0.0 } else { dice.number(0.5) };
        transition.fade = Fade { duration: Length::Seconds(seconds), easing };
        transition.sync = dice.chance(50);
        if dice.chance(40) {
            transition.gate.exit = Some(Place::Ratio(dice.number(1.5)));
        }
        if dice.chance(20) {
            transition.gate.after = Some(dice.number(1.0));
        }
    }
}

#[test]
fn an_empty_frame_grows_only_when_a_tick_has_more_than_ever() {
    let program = Arc::new(support::program(sketch::humanoid().tables()));
    let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
    let mut frame = Frame::new();
    let mut grown = 0;
    for round in 0..100 {
        instance.set("moveMagnitude", if round % 2 == 0 { 1.0 } else { 0.0 }).expect("it fits");
        let before = COUNT.get();
        instance.tick(0.05, &mut frame).expect("it ticks");
        grown += COUNT.get() - before;
    }
    assert!(grown <= 2, "{grown}");
}

#[test]
fn components_allocate_nothing_either() {
    let mut b = sketch::humanoid();
    let text = b.text("none").0;
    b.param("label", Type::Text, text);
    let inner = std::mem::take(&mut b.rows);
    b.rows.name = b.text("Outer");
    b.layer("Base");
    b.param("moveMagnitude", Type::Number, 0);
    b.param("label", Type::Text, text);
    let tie = |param, inner, direction| Bind { param: ParamId(param), inner: ParamId(inner), direction };
    b.rows.binds = vec![tie(0, 0, Direction::Down), tie(1, 2, Direction::Both)];
    let binds = Run { first: 0, count: 2 };
    for (index, name) in ["first", "second"].into_iter().enumerate() {
        let name = b.text(name);
        let binds = if index == 0 { binds } else { Run::default() };
        b.rows.components.push(Component { name, behavior: BehaviorId(1), target: name, binds });
    }
    let tables = Tables { texts: b.texts, behaviors: vec![b.rows, inner], debug: None };
    let program = Arc::new(support::program(tables));
    let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
    let mut frame = Frame::new();
    frame.reserve(1000, 1000);
    let mut events = 0;
    for round in 0..200 {
        instance.set("moveMagnitude", if round % 20 < 10 { 1.0 } else { 0.0 }).expect("it fits");
        instance.set("label", ["one of the host's", "another"][round / 3 % 2]).expect("it fits");
        let before = COUNT.get();
        instance.tick(0.05, &mut frame).expect("it ticks");
        assert!(instance.samples().all(|sample| sample.weight > 0.0));
        assert_eq!(COUNT.get(), before, "round {round}");
        events += frame.events().len();
    }
    assert!(events > 20, "{events}");
}

#[test]
fn an_input_allocates_nothing_once_there_was_as_much_to_report() {
    use motix_vm::{Hit, Input, PointerKind};
    for seed in 0..20 {
        let mut dice = random::Dice::new(seed);
        let b = random::behavior(&mut dice, random::Shape { timed: true });
        let program = Arc::new(support::program(b.tables()));
        let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
        let mut frame = Frame::new();
        let hits = ["left", "right"].map(|target| Hit::new(target, [0.25, 0.5]));
        let inputs = [
            Input::pointer(PointerKind::Down, &hits),
            Input::pointer(PointerKind::Move, &hits),
            Input::Focus("left"),
            Input::KeyDown("right"),
            Input::Custom { name: "left", targets: &[] },
            Input::pointer(PointerKind::Up, &[]),
        ];
        for _ in 0..300 {
            for input in &inputs {
                instance.send(input).expect("it can be sent");
            }
        }
        instance.tick(0.1, &mut frame).expect("it ticks");
        let before = COUNT.get();
        for input in &inputs {
            instance.send(input).expect("it can be sent");
        }
        assert_eq!(COUNT.get(), before, "seed {seed}");
    }
}

#[test]
fn reading_allocates_nothing_once_lists_have_grown() {
    let bytes = include_bytes!("golden/humanoid.motixb");
    let mut tables = motix_vm::Program::load(bytes).expect("it can be loaded").tables().clone();
    let rows = &mut tables.behaviors[0];
    let name = rows.name;
    rows.properties.push(Property { target: name, name, ty: Type::Number, rest: Some(0) });
    for (index, animation) in rows.animations.iter_mut().enumerate() {
        let run = Run { first: index as u32, count: 1 };
        rows.keys.push(Key { at: 0.0, value: 1.0_f32.to_bits(), easing: Easing::Linear });
        rows.curves.push(Curve { property: PropertyId(0), seconds: false, keys: run });
        animation.curves = run;
    }
    tables.debug = None;
    let program = Arc::new(support::program(tables));
    let region = program.at(BehaviorId(0)).expect("it is there").region_of("Hips");
    let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
    let (mut frame, mut values, mut samples) =
        (Frame::new(), motix_vm::Values::new(), Vec::with_capacity(16));
    instance.read_values(&mut values);
    let mut read = 0;
    for round in 0..100 {
        instance.set("moveMagnitude", if round % 20 < 10 { 1.0 } else { 0.0 }).expect("it fits");
        instance.tick(0.05, &mut frame).expect("it ticks");
        let before = COUNT.get();
        instance.read_values(&mut values);
        instance.merged_samples(&mut samples);
        instance.resolved(&region, &mut samples);
        instance.merged_resolved(&region, &mut samples);
        read += samples.len() + values.changed().count();
        assert_eq!(COUNT.get(), before, "round {round}");
    }
    assert!(read > 100);
}

#[test]
fn rolling_back_allocates_nothing_once_there_is_room() {
    let program = Arc::new(support::program(sketch::humanoid().tables()));
    let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
    let mut kept = instance.clone();
    let (mut frame, mut bytes) = (Frame::new(), instance.save());
    for round in 0..100 {
        instance.set("moveMagnitude", if round % 2 == 0 { 1.0 } else { 0.0 }).expect("it fits");
        // After the second tick nothing is due for a while, and the block is left alone.
        for dt in [0.05, 0.001, 0.001] {
            instance.tick(dt, &mut frame).expect("it ticks");
        }
        let before = COUNT.get();
        bytes.clear();
        instance.save_into(&mut bytes);
        instance.restore(&bytes).expect("it is a save");
        kept.clone_from(&instance);
        assert_eq!((kept.state_hash(), COUNT.get()), (instance.state_hash(), before), "round {round}");
    }
}
