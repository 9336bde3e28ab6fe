//! Section 2 of the contract: what a tick covers, its moments, its limits.

use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::*;
use motix_vm::{Frame, Instance, Setup};

use crate::sketch::*;
use crate::support::{Builder, program, to};
use crate::world::{World, near};

/// A clip `A` of a second that does not loop, and a reaction that runs `ops` when it has finished.
fn on_finish(ops: impl FnOnce(&mut Builder, AnimationId) -> Vec<Op>) -> Builder {
    let mut b = Builder::new("Finish");
    let base = b.layer("Base");
    let clip = b.animation("A", base);
    (b.row(clip).loop_mode, b.row(clip).fade_out) = (LoopMode::None, 0.0);
    let condition = b.condition(&[Op::Finished { animation: clip }]);
    let ops = ops(&mut b, clip);
    let actions = b.actions(&ops);
    b.whens(None, &[When { condition, triggers: Run::default(), actions }]);
    b
}

#[test]
fn a_bad_dt_changes_nothing() {
    let mut world = World::new(humanoid());
    world.set("moveMagnitude", 0.5);
    world.tick(0.1);
    world.set("moveMagnitude", 0.0);
    let before = world.instance.save();
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.1] {
        assert!(world.instance.tick(bad, &mut world.frame).is_err());
        assert_eq!(world.frame.events(), []);
    }
    assert_eq!(world.instance.save(), before);
}

#[test]
fn dt_of_zero_decides_and_lets_no_time_pass() {
    let mut world = World::new(humanoid());
    world.set("moveMagnitude", 0.5);
    world.tick(0.0);
    assert_eq!((world.state(), world.time("Walk"), world.weight("Walk")), ("Walk", 0.0, 0.0));
    assert_eq!(world.ticks(10, 0.0), [""; 0]);
    assert_eq!(world.instance.elapsed(MachineId(0)), 0.0);
}

#[test]
fn what_starts_at_a_moment_runs_for_the_rest_of_the_tick() {
    let b = on_finish(|b, _| {
        let base = LayerId(0);
        let next = b.animation("B", base);
        vec![play(next)]
    });
    let mut world = World::new(b);
    world.play("A");
    world.tick(0.9);
    world.tick(0.18);
    assert_eq!(world.timed(), ["0.100 Finish(A)", "0.100 Play(B)"]);
    near(world.time("B"), 0.08);
}

#[test]
fn what_is_due_just_after_the_tick_is_due_now_once() {
    let mut world = World::new(on_finish(|b, _| vec![b.emits("done", &[])]));
    world.play("A");
    let events = world.ticks(60, 1.0 / 60.0);
    assert_eq!(events, ["Play(A)", "Finish(A)", "Emit(done)"]);
    assert_eq!(world.ticks(5, 1.0 / 60.0), [""; 0]);
}

#[test]
fn a_tick_of_a_second_equals_sixty_sixtieths() {
    let build = || {
        let mut b = humanoid();
        let upper = b.layer("Upper");
        let slash = b.animation("Slash", upper);
        let row = b.row(slash);
        (row.loop_mode, row.duration, row.fade_out) = (LoopMode::None, Some(0.35), 0.3);
        b.marker(slash, &[("hit", Place::Ratio(0.4)), ("end", Place::Ratio(1.0))]);
        b.span(slash, &[("safe", Place::Seconds(0.05), Place::Seconds(0.3))]);
        b.marker(AnimationId(1), &[("left", Place::Ratio(0.0)), ("right", Place::Ratio(0.5))]);
        b
    };
    let start = || {
        let mut world = World::new(build());
        world.set("moveMagnitude", 0.5);
        world.play("Slash");
        world
    };
    let (mut one, mut many) = (start(), start());
    let whole = one.tick(1.0);
    let parts = many.ticks(60, 1.0 / 60.0);
    assert_eq!(whole, parts);
    for name in ["Idle", "Walk", "Slash"] {
        near(one.weight(name), many.weight(name));
        near(one.time(name), many.time(name));
    }
}

#[test]
fn more_than_a_hundred_moments_end_decisions() {
    // Finishing starts it anew, ten thousand times a second.
    let mut b = on_finish(|_, clip| vec![play(clip)]);
    b.row(AnimationId(0)).duration = Some(0.0001);
    let mut world = World::new(b);
    world.play("A");
    let events = world.tick(1.0);
    assert_eq!(events.iter().filter(|event| *event == "ChainLimit").count(), 1);
    assert!(events.iter().filter(|event| *event == "Finish(A)").count() <= 102, "{events:?}");
    // It stays usable: the reaction that was held back runs in the next decision.
    assert_eq!(world.tick(0.0), ["Play(A)"]);
}

#[test]
fn events_of_several_playheads_come_in_the_order_of_time() {
    let mut b = Builder::new("Order");
    let layers = [b.layer("One"), b.layer("Two")];
    let clips = [b.animation("A", layers[0]), b.animation("B", layers[1])];
    b.marker(clips[0], &[("a", Place::Ratio(0.3)), ("c", Place::Ratio(0.7))]);
    b.marker(clips[1], &[("b", Place::Ratio(0.5)), ("c", Place::Ratio(0.7))]);
    let mut world = World::new(b);
    world.play("B");
    world.play("A");
    world.tick(0.0);
    let expected = ["0.300 Marker(A, a)", "0.500 Marker(B, b)", "0.700 Marker(A, c)", "0.700 Marker(B, c)"];
    world.tick(0.9);
    assert_eq!(world.timed(), expected);
}

#[test]
fn time_in_a_state_does_not_degrade() {
    let mut world = World::new(humanoid());
    world.tick(100_000.0);
    world.ticks(1000, 0.001);
    assert_eq!(world.instance.elapsed(MachineId(0)), 100_001.0);
    for _ in 0..3 {
        world.tick(f32::MAX);
    }
    assert!(world.instance.elapsed(MachineId(0)) >= 4.0e9);
}

#[test]
fn a_frame_never_holds_more_than_its_limit() {
    let mut b = Builder::new("Many");
    b.layer("Base");
    let many = vec![b.emits("many", &[]); 50];
    let s = b.machine(None, &["A", "B"]);
    b.entry(s[1], &many);
    b.from(s[0], &[to(s[1], None, 0)]);
    let program = std::sync::Arc::new(program(b.tables()));
    let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
    let mut frame = Frame::with_limit(10);
    instance.tick(0.1, &mut frame).expect("it ticks");
    assert_eq!(frame.events().len(), 11);
    let last = frame.events().last().map(|event| (event.kind, event.count));
    assert_eq!(last, Some((motix_vm::EventKind::EventLimit, 42)));
}

#[test]
fn reports_between_ticks_are_bounded() {
    let mut world = World::new(humanoid());
    for _ in 0..10_000 {
        world.request(StateId(1), 0);
    }
    let events = world.tick(0.1);
    assert!(events.len() < 300, "{}", events.len());
    assert!(events.iter().any(|event| event.starts_with("EventLimit")));
}

#[test]
fn a_program_made_to_keep_a_tick_busy_is_cut_off() {
    // Two states that go to each other at once; each entry runs a list near the greatest cost of a block.
    let mut b = Builder::new("Busy");
    b.layer("Base");
    let s = b.machine(None, &["A", "B"]);
    let noise = b.number_code(&vec![[Op::Number { value: 1.0 }, Op::Neg]; 30_000].concat()[..2]);
    let heavy: Vec<Op> =
        std::iter::repeat_n([Op::Call { code: noise }, Op::Set { param: ParamId(0) }], 16_000)
            .flatten()
            .collect();
    b.number("x", 0.0);
    b.entry(s[0], &heavy);
    let list = b.rows.states[s[0].index()].entry;
    b.rows.states[s[1].index()].entry = list;
    for (from, target) in [(s[0], s[1]), (s[1], s[0])] {
        b.from(from, &[Transition { instant: true, ..to(target, None, 0) }]);
    }
    let mut world = World::new(b);
    assert!(world.tick(0.1).contains(&"ChainLimit".to_owned()));
}

#[test]
fn thousands_of_ends_at_different_times_do_not_cost_their_square() {
    let mut b = Builder::new("Wide");
    let base = b.layer("Base");
    let tag = b.text("all");
    b.rows.tags.push(tag);
    for index in 0..20_000 {
        let id = b.animation(&format!("A{index}"), base);
        let tags = append(&mut b.rows.tag_lists, &[TagId(0)]);
        let row = b.row(id);
        (row.additive, row.loop_mode, row.tags) = (true, LoopMode::None, tags);
        row.duration = Some(1.0 + index as f32 * 1e-3);
    }
    let mut world = World::new(b);
    world.instance.play_tag(TagId(0)).expect("it is there");
    assert!(world.tick(100.0).contains(&"ChainLimit".to_owned()));
    // The rest of the tick was one step: all have ended, and fade out from here.
    world.tick(0.2);
    assert_eq!(world.instance.samples().count(), 0);
}
