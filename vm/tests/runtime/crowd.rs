//! Crowds: to each member happens what happens to an instance by itself, bit for bit.

use std::sync::Arc;

use motix_vm::error::{CreateError, RestoreError, TickError};
use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::{Direction, Lifetime, LoopMode, Type};
use motix_vm::{
    Crowd, CrowdFrame, CrowdHost, EventKind, EventValue, Frame, Globals, Instance, Program, Sample, Setup,
    Value,
};

use crate::components::two_inside;
use crate::random::{Dice, Shape, behavior, call, call_member};
use crate::random_motions;
use crate::sketch::{Sketch, humanoid};
use crate::support::{Builder, program, to};

const MEMBERS: usize = 70;

/// A crowd, and the same instances one by one.
struct Both {
    crowd: Crowd,
    frame: CrowdFrame,
    alone: Vec<Instance>,
    frames: Vec<Frame>,
}

impl Both {
    fn new(program: &Arc<Program>) -> Self {
        let mut crowd = Crowd::new(program, BehaviorId(0)).expect("it is there");
        let mut alone = Vec::new();
        for seed in 0..MEMBERS as u64 {
            let setup = Setup { seed, ..Setup::default() };
            assert_eq!(crowd.push(&setup), Ok(seed as usize));
            alone.push(Instance::new(program, BehaviorId(0), &setup).expect("it can be made"));
        }
        let frames = alone.iter().map(|_| Frame::new()).collect();
        Self { crowd, frame: CrowdFrame::new(), alone, frames }
    }

    fn tick(&mut self, dt: f32) {
        self.crowd.tick(dt, &mut self.frame).expect("it ticks");
        for (instance, frame) in self.alone.iter_mut().zip(&mut self.frames) {
            instance.tick(dt, frame).expect("it ticks");
        }
    }

    /// All samples of both are the same.
    #[track_caller]
    fn compare_samples(&self) {
        let mut samples: Vec<(usize, Sample)> = Vec::new();
        self.crowd.for_each_sample(|member, sample| samples.push((member, sample)));
        let alone = self.alone.iter().enumerate();
        let expected =
            alone.flat_map(|(place, instance)| instance.samples().map(move |sample| (place, sample)));
        assert!(expected.eq(samples));
    }

    /// What is read of both is the same.
    #[track_caller]
    fn compare(&self, dice: &mut Dice) {
        self.compare_samples();
        for (place, frame) in self.frames.iter().enumerate() {
            assert_eq!(self.frame.events_of(place).len(), frame.events().len(), "member {place}");
            for (event, expected) in self.frame.events_of(place).iter().zip(frame.events()) {
                let told = (event.offset, event.kind, event.component, event.count);
                assert_eq!(told, (expected.offset, expected.kind, expected.component, expected.count));
                assert_eq!(self.frame.values(event), frame.values(expected));
            }
        }
        let reported = self.frames.iter().map(|frame| frame.events().len()).sum();
        assert_eq!(self.frame.events().count(), reported);
        assert_eq!(self.frame.lost(), 0);
        // A few are looked at closely: what is read and saved of all would take long.
        for _ in 0..3 {
            let place = dice.below(MEMBERS);
            let (member, instance) = (self.crowd.member(place).expect("it is there"), &self.alone[place]);
            assert_eq!(member.save(), instance.save(), "member {place}");
            assert_eq!(member.state_hash(), instance.state_hash(), "member {place}");
            assert_eq!(member.is_settled(), instance.is_settled(), "member {place}");
            for machine in (0..4).map(MachineId) {
                assert_eq!(member.state(machine), instance.state(machine));
                assert_eq!(member.elapsed(machine), instance.elapsed(machine));
                assert_eq!(member.fade(machine), instance.fade(machine));
            }
            for animation in (0..10).map(AnimationId) {
                assert_eq!(member.playing(animation), instance.playing(animation));
                assert_eq!(member.weight(animation), instance.weight(animation));
                assert_eq!(member.time(animation), instance.time(animation));
            }
            for layer in (0..4).map(LayerId) {
                assert_eq!(member.layer_weight(layer), instance.layer_weight(layer));
            }
        }
    }
}

/// Lets a random host loose on both. `busy` in a thousand members are called each tick.
fn agree(program: &Arc<Program>, seed: u64, busy: usize, ticks: usize) -> usize {
    let mut dice = Dice::new(seed);
    let mut both = Both::new(program);
    let mut events = 0;
    for _ in 0..ticks {
        let mut called = false;
        for place in 0..MEMBERS {
            if dice.below(1000) < busy {
                called = true;
                let mut same = dice.clone();
                let mut member = both.crowd.member_mut(place).expect("it is there");
                let taken = call_member(&mut dice, &mut member);
                assert_eq!(taken, call(&mut same, &mut both.alone[place]));
            }
        }
        if called {
            both.compare_samples();
        }
        let dt = [0.0, 1e-9, 0.001, 1.0 / 60.0, 1.0 / 60.0, 1.0 / 60.0, 0.1, 0.7, 5.0][dice.below(9)];
        // Now and then for longer than the clock of a crowd can count at once.
        let dt = if dice.below(50) == 0 { [9000.0, 40_000.0][dice.below(2)] } else { dt };
        both.tick(dt);
        both.compare(&mut dice);
        events += both.frame.events().count();
    }
    events
}

#[test]
fn a_crowd_is_its_members_one_by_one() {
    let mut events = 0;
    for seed in 0..8 {
        let b = behavior(&mut Dice::new(seed), Shape { timed: seed % 3 != 0 });
        let program = Arc::new(program(b.tables()));
        events += agree(&program, seed, [300, 20][seed as usize % 2], 60);
    }
    assert!(events > 5000, "{events}");
}

#[test]
fn a_crowd_in_which_little_happens_is_its_members_one_by_one() {
    let mut events = 0;
    for seed in 0..12 {
        let mut b = behavior(&mut Dice::new(40 + seed), Shape { timed: false });
        // Nothing but animations moves by itself, so that members are left alone.
        b.rows.damps.clear();
        b.rows.layers.iter_mut().for_each(|layer| (layer.weight, layer.speed) = (None, None));
        b.rows.params.iter_mut().for_each(|param| param.lifetime = Lifetime::Consumed);
        events += agree(&Arc::new(program(b.tables())), seed, 10, 100);
    }
    assert!(events > 2000, "{events}");
}

#[test]
fn a_crowd_with_motions_is_its_members_one_by_one() {
    let mut events = 0;
    for seed in 0..8 {
        let flags = seed % 2 == 0;
        let shape = random_motions::Shape { gaps: true, flags, cuts: flags };
        let b = random_motions::behavior(&mut Dice::new(seed), shape);
        events += agree(&Arc::new(program(b.tables())), seed, 50, 60);
    }
    assert!(events > 5000, "{events}");
}

#[test]
fn a_crowd_of_humanoids_is_its_members_one_by_one() {
    let mut b = humanoid();
    // Plays beside the others.
    let beside = AnimationId(3);
    (b.row(beside).additive, b.row(beside).loop_mode) = (true, LoopMode::Loop);
    let mut both = Both::new(&Arc::new(program(b.tables())));
    let mut dice = Dice::new(5);
    for round in 0..400 {
        // Long spells in which nobody is touched, and long ones in which few are.
        for _ in 0..[0, 2][round / 100 % 2] {
            let (place, speed) = (dice.below(MEMBERS), [0.0, 1.0][dice.below(2)]);
            let mut member = both.crowd.member_mut(place).expect("it is there");
            member.set("moveMagnitude", speed).expect("it fits");
            both.alone[place].set("moveMagnitude", speed).expect("it fits");
            if dice.below(4) == 0 {
                member.play(beside).expect("it is there");
                both.alone[place].play(beside).expect("it is there");
            }
        }
        both.tick([1.0 / 60.0, 0.004, 0.033][dice.below(3)]);
        both.compare(&mut dice);
    }
}

#[test]
fn a_crowd_with_components_is_its_members_one_by_one() {
    let mut events = 0;
    for seed in 0..4 {
        let b = behavior(&mut Dice::new(seed), Shape { timed: true });
        let ties = [("n0", Type::Number, Direction::Down), ("text", Type::Text, Direction::Both)];
        events += agree(&two_inside(b, &ties), seed, 300, 40);
    }
    assert!(events > 5000, "{events}");
}

fn crowd(b: Builder) -> (Arc<Program>, Crowd) {
    let program = Arc::new(program(b.tables()));
    let crowd = Crowd::new(&program, BehaviorId(0)).expect("it is there");
    (program, crowd)
}

#[test]
fn members_come_and_go() {
    let mut b = humanoid();
    let none = b.text("none");
    b.param("weapon", Type::Text, none.0);
    let (program, mut crowd) = crowd(b);
    assert!(crowd.is_empty() && crowd.member(0).is_none() && crowd.member_mut(0).is_none());
    assert!(crowd.swap_remove(0).is_none());
    let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
    instance.set("weapon", "an axe").expect("it fits");
    instance.play(AnimationId(3)).expect("it is there");
    for place in 0..3 {
        assert_eq!(crowd.push(&Setup::default()), Ok(place));
    }
    assert_eq!(crowd.add(&instance), Ok(3));
    // The last one takes the place of one that leaves, with its texts and reports.
    let first = crowd.swap_remove(0).expect("it is there");
    assert_eq!(first.get_by_name("weapon"), Ok(Value::Text("none")));
    assert_eq!(crowd.len(), 3);
    let member = crowd.member(0).expect("it is there");
    assert_eq!(member.save(), instance.save());
    assert_eq!(member.to_instance().save(), instance.save());
    assert!(!member.is_settled(), "it has something to report");
    let mut frame = CrowdFrame::new();
    crowd.tick(0.1, &mut frame).expect("it ticks");
    let played = EventKind::Play { animation: AnimationId(3) };
    assert_eq!(frame.events_of(0).first().map(|event| event.kind), Some(played));
    assert_eq!(crowd.swap_remove(2).map(|instance| instance.behavior()), Some(BehaviorId(0)));
    assert!(crowd.swap_remove(2).is_none());
    crowd.clear();
    assert_eq!((crowd.len(), crowd.members().count()), (0, 0));
    assert_eq!(crowd.tick(0.1, &mut frame), Ok(()));
    assert_eq!(frame.events().count(), 0);
}

#[test]
fn a_member_is_restored_like_an_instance() {
    let (_, mut crowd) = crowd(humanoid());
    crowd.push(&Setup::default()).expect("it can be made");
    crowd.push(&Setup::default()).expect("it can be made");
    let mut frame = CrowdFrame::new();
    crowd.member_mut(1).expect("it is there").set("moveMagnitude", 1.0).expect("it fits");
    // Neither is a whole number of units; what they leave over differs.
    crowd.tick(0.1, &mut frame).expect("it ticks");
    let save = crowd.member(1).expect("it is there").save();
    crowd.tick(1.0 / 60.0, &mut frame).expect("it ticks");
    for place in 0..2 {
        let mut member = crowd.member_mut(place).expect("it is there");
        assert_eq!(member.restore(&save[1..]), Err(RestoreError::NotASave));
        member.restore(&save).expect("it is a save");
    }
    let mut alone = crowd.member(1).expect("it is there").to_instance();
    alone.restore(&save).expect("it is a save");
    let mut own = Frame::new();
    for _ in 0..20 {
        crowd.tick(0.1, &mut frame).expect("it ticks");
        alone.tick(0.1, &mut own).expect("it ticks");
        for place in 0..2 {
            assert_eq!(crowd.member(place).expect("it is there").save(), alone.save());
        }
    }
}

#[test]
fn a_crowd_rolls_back_as_a_whole() {
    let mut both = Both::new(&Arc::new(program(humanoid().tables())));
    let mut dice = Dice::new(9);
    let busy = |both: &mut Both, dice: &mut Dice| {
        for _ in 0..10 {
            let mut member = both.crowd.member_mut(dice.below(MEMBERS)).expect("it is there");
            call_member(dice, &mut member);
        }
    };
    busy(&mut both, &mut dice);
    both.crowd.tick(0.3, &mut both.frame).expect("it ticks");
    busy(&mut both, &mut dice);
    let mut kept = both.crowd.clone();
    let mut frame = CrowdFrame::new();
    for _ in 0..2 {
        busy(&mut both, &mut dice.clone());
        both.crowd.tick(0.1, &mut both.frame).expect("it ticks");
        let (saves, events): (Vec<_>, Vec<_>) = (
            both.crowd.members().map(|member| member.save()).collect(),
            both.frame.events().map(|(member, event)| (member, event.kind)).collect(),
        );
        let before = kept.clone();
        both.crowd.clone_from(&kept);
        busy(&mut both, &mut dice.clone());
        both.crowd.tick(0.1, &mut frame).expect("it ticks");
        assert_eq!(both.crowd.members().map(|member| member.save()).collect::<Vec<_>>(), saves);
        assert_eq!(frame.events().map(|(member, event)| (member, event.kind)).collect::<Vec<_>>(), events);
        kept.clone_from(&before);
        both.crowd.clone_from(&kept);
    }
}

#[test]
fn a_crowd_is_carried_to_a_changed_program_as_its_members_are() {
    let mut both = Both::new(&Arc::new(program(humanoid().tables())));
    for place in 0..MEMBERS / 2 {
        let speed = place as f32 / 10.0;
        let mut member = both.crowd.member_mut(place).expect("it is there");
        member.set("moveMagnitude", speed).expect("it fits");
        both.alone[place].set("moveMagnitude", speed).expect("it fits");
    }
    (0..5).for_each(|_| both.tick(0.03));
    let mut changed = humanoid();
    changed.rows.animations[0].fade_in = 0.7;
    let other = Arc::new(program(changed.tables()));
    let carried = both.crowd.migrate(&other, BehaviorId(0), &Setup::default());
    let (crowd, report) = carried.expect("it can be carried");
    assert_eq!((crowd.len(), report.lost), (MEMBERS, vec![]));
    for (member, instance) in crowd.members().zip(&both.alone) {
        let alone = instance.migrate(&other, BehaviorId(0), &Setup::default()).expect("it can be carried").0;
        assert_eq!(member.save(), alone.save());
    }
}

#[test]
fn what_is_of_another_program_is_no_member() {
    let (program, mut crowd) = crowd(humanoid());
    let mut changed = humanoid();
    changed.rows.animations[0].fade_in = 0.7;
    let other = Arc::new(crate::support::program(changed.tables()));
    let instance = Instance::new(&other, BehaviorId(0), &Setup::default()).expect("it can be made");
    let (saved, here) = (other.hash(), program.hash());
    assert_eq!(crowd.add(&instance), Err(RestoreError::OtherProgram { saved, here }));
    assert!(crowd.is_empty());
    assert_eq!(Crowd::new(&program, BehaviorId(1)).err(), Some(CreateError::UnknownBehavior));
}

#[test]
fn a_tick_that_may_not_be_changes_nothing() {
    let (_, mut crowd) = crowd(humanoid());
    crowd.push(&Setup::default()).expect("it can be made");
    crowd.member_mut(0).expect("it is there").play(AnimationId(3)).expect("it is there");
    let (mut frame, save) = (CrowdFrame::new(), crowd.member(0).expect("it is there").save());
    for dt in [-1.0, f32::INFINITY, f32::NAN] {
        let error = crowd.tick(dt, &mut frame).expect_err("it is no length of time");
        assert!(matches!(error, TickError::BadDt(_)), "{error}");
    }
    assert_eq!(crowd.member(0).expect("it is there").save(), save);
    assert_eq!(frame.events().count(), 0);
}

#[test]
fn the_host_answers_for_each_member() {
    let mut b = humanoid();
    let name = b.text("Sees");
    b.rows.externs.push(name);
    let sees = b.condition(&[Op::Extern { predicate: ExternId(0) }]);
    b.from(StateId(0), &[to(StateId(3), Some(sees), 0)]);
    let (_, mut crowd) = crowd(b);
    for _ in 0..6 {
        crowd.push(&Setup::default()).expect("it can be made");
    }
    let mut frame = CrowdFrame::new();
    assert_eq!(crowd.tick(0.1, &mut frame), Err(TickError::NoPredicates(vec!["Sees".to_owned()])));
    let mut odd = |member: usize, _, _| member % 2 == 1;
    let mut host = CrowdHost { predicates: Some(&mut odd), globals: None };
    crowd.tick_with(0.1, &mut host, &mut frame).expect("it ticks");
    for (place, member) in crowd.members().enumerate() {
        assert_eq!(member.state(MachineId(0)), Some(StateId(if place % 2 == 1 { 3 } else { 0 })));
    }
    assert_eq!(frame.members().map(|(member, _)| member).collect::<Vec<_>>(), [1, 3, 5]);
}

#[test]
fn members_share_a_store_in_their_order() {
    // Each counts on from what those before it left.
    let mut b = humanoid();
    let count = b.number("count", 0.0);
    b.rows.params[count.index()].global = true;
    let said = b.emits("said", &[Type::Number]);
    let read = Op::Param { param: count };
    let ops = [read, Op::Number { value: 1.0 }, Op::Add, Op::Set { param: count }, read, said];
    b.rows.states[0].update = Some(b.actions(&ops));
    let (_, mut crowd) = crowd(b);
    for _ in 0..4 {
        crowd.push(&Setup::default()).expect("it can be made");
    }
    let mut globals = Globals::new();
    globals.set("count", 10.0).expect("it fits");
    let mut frame = CrowdFrame::new();
    let mut host = CrowdHost { predicates: None, globals: Some(&mut globals) };
    crowd.tick_with(0.1, &mut host, &mut frame).expect("it ticks");
    let said: Vec<_> = frame.events().map(|(member, event)| (member, frame.values(event).to_vec())).collect();
    let expected = [11.0, 12.0, 13.0, 14.0].map(|value| vec![EventValue::Number(value)]);
    assert_eq!(said, (0..).zip(expected).collect::<Vec<_>>());
    assert_eq!(globals.get("count"), Some(Value::Number(14.0)));
}

#[test]
fn events_beyond_the_limit_are_counted() {
    let (_, mut crowd) = crowd(humanoid());
    for _ in 0..5 {
        let member = crowd.push(&Setup::default()).expect("it can be made");
        crowd.member_mut(member).expect("it is there").set("moveMagnitude", 1.0).expect("it fits");
    }
    let mut whole = CrowdFrame::new();
    crowd.clone().tick(0.1, &mut whole).expect("it ticks");
    let all: Vec<_> = whole.events().map(|(member, event)| (member, *event)).collect();
    let each = whole.events_of(0).len();
    assert_eq!(all.len(), each * 5);
    for limit in [0, 1, each, each + 1, each * 5 - 1, each * 5] {
        let mut frame = CrowdFrame::with_limit(limit);
        crowd.clone().tick(0.1, &mut frame).expect("it ticks");
        let kept: Vec<_> = frame.events().map(|(member, event)| (member, *event)).collect();
        if limit >= each {
            assert_eq!(kept, all[..limit]);
            assert_eq!(frame.lost(), (all.len() - limit) as u64);
        } else {
            // A member by itself has too many.
            assert_eq!(kept.len(), limit);
            assert!(frame.lost() > 0);
        }
    }
}
