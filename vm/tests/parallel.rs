//! Crowds on several threads: nobody can tell how many there were.
//!
//! Only with the feature: `cargo test -p motix-vm --features rayon --test parallel`.

use std::sync::Arc;

use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::*;
use motix_vm::{Crowd, CrowdFrame, CrowdHost, EventKind, EventValue, Setup};

#[path = "runtime/random.rs"]
#[allow(dead_code)]
mod random;
#[path = "runtime/sketch.rs"]
#[allow(dead_code)]
mod sketch;
#[path = "program/support.rs"]
#[allow(dead_code)]
mod support;

use sketch::Sketch;

const MEMBERS: usize = 2500;

fn crowd(seed: u64) -> Crowd {
    let mut b = random::behavior(&mut random::Dice::new(seed), random::Shape { timed: true });
    let said = b.emits("values", &[Type::Number, Type::Text]);
    let text = b.text("none");
    b.rows.states[0].update = Some(b.actions(&[Op::Dt, Op::Text { value: text }, said]));
    let program = Arc::new(support::program(b.tables()));
    let mut crowd = Crowd::new(&program, BehaviorId(0)).expect("it is there");
    for seed in 0..MEMBERS as u64 {
        crowd.push(&Setup { seed, ..Setup::default() }).expect("it can be made");
    }
    crowd
}

type Told = (usize, f32, EventKind, ComponentId, u32, Vec<EventValue>);

fn told(frame: &CrowdFrame) -> Vec<Told> {
    frame
        .events()
        .map(|(member, event)| {
            let values = frame.values(event).to_vec();
            (member, event.offset, event.kind, event.component, event.count, values)
        })
        .collect()
}

#[test]
fn threads_are_not_seen() {
    let mut events = 0;
    for seed in 0..3 {
        let mut one = crowd(seed);
        let mut others: Vec<_> = [1, 2, 5]
            .into_iter()
            .map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                (pool.expect("it can be made"), one.clone(), CrowdFrame::new())
            })
            .collect();
        let mut frame = CrowdFrame::new();
        let mut dice = random::Dice::new(seed);
        for _ in 0..8 {
            for _ in 0..100 {
                let (place, same) = (dice.below(MEMBERS), dice.clone());
                let mut member = one.member_mut(place).expect("it is there");
                random::call_member(&mut dice, &mut member);
                for (_, crowd, _) in &mut others {
                    let mut member = crowd.member_mut(place).expect("it is there");
                    random::call_member(&mut same.clone(), &mut member);
                }
            }
            let dt = [0.0, 1.0 / 60.0, 0.7][dice.below(3)];
            one.tick(dt, &mut frame).expect("it ticks");
            let expected = told(&frame);
            events += expected.len();
            for (pool, crowd, frame) in &mut others {
                pool.install(|| crowd.par_tick(dt, frame)).expect("it ticks");
                assert_eq!(told(frame), expected);
                assert_eq!(frame.lost(), 0);
                for (member, expected) in crowd.members().zip(one.members()).step_by(97) {
                    assert_eq!(member.save(), expected.save());
                }
            }
        }
    }
    assert!(events > 20_000, "{events}");
}

#[test]
fn the_limit_is_the_same_on_several_threads() {
    let crowd = crowd(1);
    let mut whole = CrowdFrame::new();
    crowd.clone().tick(0.1, &mut whole).expect("it ticks");
    let count = told(&whole).len();
    for limit in [0, 1, 100, count / 2, count - 1, count] {
        let (mut frame, mut other) = (CrowdFrame::with_limit(limit), CrowdFrame::with_limit(limit));
        crowd.clone().tick(0.1, &mut frame).expect("it ticks");
        crowd.clone().par_tick(0.1, &mut other).expect("it ticks");
        assert_eq!(told(&frame), told(&other));
        assert_eq!(frame.lost(), other.lost());
        assert_eq!(told(&frame).len(), limit);
    }
}

#[test]
fn several_threads_may_ask_the_host() {
    let mut b = sketch::humanoid();
    let name = b.text("Sees");
    b.rows.externs.push(name);
    let sees = b.condition(&[Op::Extern { predicate: ExternId(0) }]);
    b.from(StateId(0), &[support::to(StateId(3), Some(sees), 0)]);
    let program = Arc::new(support::program(b.tables()));
    let mut crowd = Crowd::new(&program, BehaviorId(0)).expect("it is there");
    for _ in 0..MEMBERS {
        crowd.push(&Setup::default()).expect("it can be made");
    }
    let (mut frame, mut same) = (CrowdFrame::new(), crowd.clone());
    assert!(crowd.par_tick(0.1, &mut frame).is_err());
    crowd.par_tick_with(0.1, &|member: usize, _, _| member.is_multiple_of(3), &mut frame).expect("it ticks");
    let events = told(&frame);
    let mut third = |member: usize, _, _| member.is_multiple_of(3);
    let mut host = CrowdHost { predicates: Some(&mut third), globals: None };
    same.tick_with(0.1, &mut host, &mut frame).expect("it ticks");
    assert_eq!(told(&frame), events);
    assert!(crowd.par_tick_with(-0.1, &|_, _, _| true, &mut frame).is_err());
}
