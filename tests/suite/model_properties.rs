//! What holds for every behavior, tried on made-up ones that are compiled from text.

use std::collections::{BTreeMap, BTreeSet};

use motix_tests::model::behavior::{
    Action, Behavior, Easing, Inside, Length, Loop, Machine, Motion, MotionGate, Place, Start, State, Step,
    Transition,
};
use motix_tests::model::invent::{self, Shape};
use motix_tests::model::real::Real;
use motix_tests::model::text::{self, Order};
use motix_tests::model::world::{Kind, Shown, World};
use motix_tests::random::Random;

use crate::model::runs;

fn real(behavior: &Behavior, seed: u64) -> Real {
    made(behavior, &Order::plain(behavior), seed)
}

fn made(behavior: &Behavior, order: &Order, seed: u64) -> Real {
    Real::new(behavior, order, seed)
        .unwrap_or_else(|error| panic!("{error}\n{}", text::source(behavior, order)))
}

fn host(real: &mut Real, step: &Step) {
    real.host(step).unwrap_or_else(|error| panic!("{step:?}: {error}"));
}

/// What a tick reported, counts undone.
fn kinds(real: &Real) -> Vec<(f64, Kind)> {
    let events = real.events().unwrap_or_else(|error| panic!("{error}"));
    let undone = events
        .iter()
        .flat_map(|told| std::iter::repeat_n((told.event.offset, told.event.kind), told.count as usize));
    undone.collect()
}

fn transitions(behavior: &mut Behavior, change: impl Fn(&mut Transition)) {
    for machine in &mut behavior.machines {
        for state in &mut machine.states {
            state.transitions.iter_mut().for_each(&change);
            if let Some(inside) = &mut state.inside {
                inside.any.iter_mut().chain(&mut inside.done).for_each(&change);
            }
        }
        machine.any.iter_mut().for_each(&change);
    }
}

/// The sum of what a machine shows, by layer.
fn sums(shown: &[(u32, Shown)]) -> BTreeMap<usize, f64> {
    let mut sums = BTreeMap::new();
    for (_, shown) in shown {
        *sums.entry(shown.layer).or_insert(0.0) += shown.weight;
    }
    sums
}

#[test]
fn the_motions_of_a_machine_sum_to_one() {
    for seed in runs(150) {
        let shape = Shape { cuts: seed % 2 == 0, blends: seed % 3 == 0, ..Shape::SMOOTH };
        let behavior = invent::behavior(seed, shape);
        let mut real = real(&behavior, seed);
        for step in invent::script(seed, &behavior, 40) {
            if matches!(step, Step::Play(_) | Step::PlayTag(_)) {
                continue;
            }
            host(&mut real, &step);
            let Step::Tick(_) = step else { continue };
            let shown = real.shown();
            for machine in &behavior.machines {
                let sum = sums(&shown).get(&machine.layer).copied().unwrap_or(0.0);
                assert!((sum - 1.0).abs() < 1e-4, "seed {seed}: {sum} in layer {}: {shown:?}", machine.layer);
            }
        }
    }
}

#[test]
fn what_a_machine_shows_never_sums_to_more_than_one() {
    for seed in runs(80) {
        let behavior = invent::behavior(seed, Shape { gaps: true, blends: true, ..Shape::SMOOTH });
        let mut real = real(&behavior, seed);
        for step in invent::script(seed, &behavior, 40) {
            if matches!(step, Step::Play(_) | Step::PlayTag(_)) {
                continue;
            }
            host(&mut real, &step);
            for (layer, sum) in sums(&real.shown()) {
                assert!(sum < 1.0 + 1e-4, "seed {seed}: {sum} in layer {layer}");
            }
        }
    }
}

#[test]
fn no_weight_moves_faster_than_its_fade() {
    const SHORTEST: f64 = 0.2;
    for seed in runs(120) {
        let mut behavior = invent::behavior(seed, Shape::SMOOTH);
        transitions(&mut behavior, |row| {
            row.easing = Easing::Linear;
            if let Length::Seconds(time) = row.duration {
                row.duration = Length::Seconds(time.max(SHORTEST));
            } else {
                row.duration = Length::Seconds(SHORTEST);
            }
        });
        let mut real = real(&behavior, seed);
        let mut before: Option<Vec<(u32, Shown)>> = None;
        for step in invent::script(seed, &behavior, 60) {
            // A request without a transition to follow cuts.
            if matches!(step, Step::Play(_) | Step::PlayTag(_) | Step::Request(..)) {
                continue;
            }
            host(&mut real, &step);
            let Step::Tick(dt) = step else { continue };
            let shown = real.shown();
            let weight = |list: &[(u32, Shown)], key: (u32, usize)| {
                let found = list.iter().find(|(other, shown)| (*other, shown.layer) == key);
                found.map_or(0.0, |(_, shown)| shown.weight)
            };
            // Where there is no room for what fades out, the lightest goes.
            let crowded = |list: &[(u32, Shown)]| list.len() >= 8;
            if let Some(before) = before.filter(|before| !crowded(before) && !crowded(&shown)) {
                let keys = before.iter().chain(&shown).map(|(key, shown)| (*key, shown.layer));
                for key in keys {
                    let moved = (weight(&before, key) - weight(&shown, key)).abs();
                    let most = f64::from(dt) / SHORTEST + 1e-4;
                    assert!(moved <= most, "seed {seed}: {key:?} moved by {moved} in {dt} s");
                }
            }
            before = Some(shown);
        }
    }
}

/// What depends on nothing but time: no reactions, which are looked at tick by tick, and no updates.
fn timed(seed: u64) -> Behavior {
    let mut behavior = invent::behavior(seed, Shape::TIMED);
    behavior.whens.clear();
    for state in behavior.machines.iter_mut().flat_map(|machine| &mut machine.states) {
        state.whens.clear();
        state.update.clear();
    }
    behavior
}

/// Runs a second in ticks of those lengths, after the decisions of the first tick.
fn second(real: &mut Real, parts: &[f32]) -> Vec<(f64, Kind)> {
    let mut all = Vec::new();
    let mut begun = 0.0;
    for part in parts {
        host(real, &Step::Tick(*part));
        all.extend(kinds(real).into_iter().map(|(offset, kind)| (begun + offset, kind)));
        begun += f64::from(*part);
    }
    all
}

#[test]
fn one_tick_is_any_number_of_parts() {
    let (mut compared, mut unsure) = (0, 0);
    for seed in runs(300) {
        let behavior = timed(seed);
        let mut random = Random::new(seed);
        // Where rounding decides, it may decide differently for other parts.
        let mut model = World::new(&behavior);
        for step in [Step::Tick(0.0), Step::Tick(1.0)] {
            model.host(&step);
        }
        // So may the most that is decided in a tick, which is less than in all parts together.
        let cut = model.events.iter().any(|event| event.kind == Kind::ChainLimit);
        if model.unsure.is_some() || cut {
            unsure += 1;
            continue;
        }
        let mut whole = real(&behavior, seed);
        host(&mut whole, &Step::Tick(0.0));
        let mut cuts: Vec<f32> =
            (0..1 + random.below(20)).map(|_| random.below(1000) as f32 / 1000.0).collect();
        cuts.push(1.0);
        cuts.sort_by(f32::total_cmp);
        let mut from = 0.0;
        let lengths: Vec<f32> = cuts.iter().map(|to| to - std::mem::replace(&mut from, *to)).collect();
        for parts in [vec![1.0 / 60.0; 60], lengths] {
            compared += 1;
            let mut one = real(&behavior, seed);
            let mut many = real(&behavior, seed);
            host(&mut one, &Step::Tick(0.0));
            host(&mut many, &Step::Tick(0.0));
            let (first, second) = (second(&mut one, &[1.0]), second(&mut many, &parts));
            let decided = |events: &[(f64, Kind)]| -> Vec<Kind> {
                events.iter().map(|(_, kind)| *kind).filter(|kind| kind.animation().is_none()).collect()
            };
            let passed = |events: &[(f64, Kind)]| {
                let mut kinds: Vec<Kind> =
                    events.iter().map(|(_, kind)| *kind).filter(|kind| kind.animation().is_some()).collect();
                kinds.sort_unstable();
                kinds
            };
            let source = || text::source(&behavior, &Order::plain(&behavior));
            assert_eq!(decided(&first), decided(&second), "seed {seed}, {parts:?}\n{}", source());
            assert_eq!(passed(&first), passed(&second), "seed {seed}, {parts:?}\n{}", source());
            assert_eq!(one.states(), many.states(), "seed {seed}");
            for (a, b) in one.levels().iter().zip(many.levels()) {
                assert!((a - b).abs() < 1e-4, "seed {seed}");
            }
            assert!(alike(&behavior, &one.shown(), &many.shown()), "seed {seed}, {parts:?}\n{}", source());
        }
    }
    assert!(compared > 4 * unsure, "{unsure} behaviors cannot be compared");
}

/// The same weights at the same times.
fn alike(behavior: &Behavior, one: &[(u32, Shown)], other: &[(u32, Shown)]) -> bool {
    let mut left: Vec<&Shown> = other.iter().map(|(_, shown)| shown).collect();
    let all = one.iter().filter(|(_, shown)| shown.weight > 2e-4).all(|(_, shown)| {
        let duration = behavior.animations[shown.animation].duration;
        let place = left.iter().position(|other| {
            let apart = (shown.time - other.time).abs();
            (other.layer, other.animation) == (shown.layer, shown.animation)
                && (other.weight - shown.weight).abs() < 1e-4
                && apart.min((duration - apart).abs()) < 2e-4
        });
        place.map(|place| left.remove(place)).is_some()
    });
    all && left.iter().all(|shown| shown.weight < 3e-4)
}

#[test]
fn a_save_at_any_tick_goes_on_bit_for_bit() {
    for seed in runs(80) {
        let behavior = invent::behavior(seed, Shape::WILD);
        let mut real = real(&behavior, seed);
        let script = invent::script(seed, &behavior, 40);
        let at = seed as usize % script.len();
        script[..at].iter().for_each(|step| host(&mut real, step));
        let save = real.instance.save();
        let mut other = made(&behavior, &Order::plain(&behavior), seed + 1);
        other.instance.restore(&save).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(other.instance.save(), save, "seed {seed}");
        for step in &script[at..] {
            host(&mut real, step);
            host(&mut other, step);
            if matches!(step, Step::Tick(_)) {
                assert_eq!(real.frame.events(), other.frame.events(), "seed {seed}");
                assert_eq!(real.instance.save(), other.instance.save(), "seed {seed}");
            }
        }
    }
}

/// A random order of so many.
fn shuffled(random: &mut Random, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, random.below(last + 1));
    }
    order
}

/// Commands by tag follow the order of declaration: that order has a meaning.
fn without_tags(list: &mut Vec<Action>) {
    list.retain_mut(|action| match action {
        Action::PlayTag(_) | Action::StopTag(_) => false,
        Action::If(_, yes, no) => {
            without_tags(yes);
            without_tags(no);
            !yes.is_empty()
        }
        _ => true,
    });
}

#[test]
fn the_order_of_declaration_changes_nothing() {
    // As many fade out at most.
    const ROOM: usize = 8;
    let (mut compared, mut swapped) = (0, 0);
    for seed in runs(80) {
        let mut behavior = invent::behavior(seed, Shape { blends: true, ..Shape::ALL });
        transitions(&mut behavior, |row| without_tags(&mut row.actions));
        behavior.whens.iter_mut().for_each(|when| without_tags(&mut when.actions));
        let hears = behavior.listeners.iter_mut().flat_map(|listener| &mut listener.hears);
        hears.for_each(|(_, list)| without_tags(list));
        for state in behavior.machines.iter_mut().flat_map(|machine| &mut machine.states) {
            for list in [&mut state.entry, &mut state.exit, &mut state.finish, &mut state.repeat] {
                without_tags(list);
            }
            state.whens.iter_mut().for_each(|when| without_tags(&mut when.actions));
            if let Some((_, list)) = &mut state.entry_from {
                without_tags(list);
            }
        }
        let mut random = Random::new(seed);
        let order = Order {
            layers: shuffled(&mut random, behavior.layers.len()),
            animations: shuffled(&mut random, behavior.animations.len()),
            params: shuffled(&mut random, behavior.params.len()),
            backward: true,
        };
        let (mut plain, mut other) = (real(&behavior, seed), made(&behavior, &order, seed));
        for step in invent::script(seed, &behavior, 30) {
            if matches!(step, Step::PlayTag(_) | Step::StopTag(_)) {
                continue;
            }
            host(&mut plain, &step);
            host(&mut other, &step);
            let Step::Tick(_) = step else { continue };
            assert_eq!(plain.states(), other.states(), "seed {seed}");
            let decided = |real: &Real| -> Vec<(f64, Kind)> {
                kinds(real).into_iter().filter(|(_, kind)| kind.animation().is_none()).collect()
            };
            assert_eq!(decided(&plain), decided(&other), "seed {seed}");
            let sorted = |real: &Real| {
                let mut all: Vec<(usize, u64, usize, u64)> = real
                    .shown()
                    .iter()
                    .map(|(_, shown)| {
                        (shown.layer, shown.weight.to_bits(), shown.animation, shown.time.to_bits())
                    })
                    .collect();
                all.sort_unstable();
                all
            };
            let (one, two) = (sorted(&plain), sorted(&other));
            // Of children of a blend that weigh the same, which one has no room is not promised; all else is.
            let alike = one.len() == two.len() && one.iter().zip(&two).all(|(a, b)| (a.0, a.1) == (b.0, b.1));
            if one != two && alike && one.len() > ROOM {
                swapped += 1;
                break;
            }
            assert_eq!(one, two, "seed {seed}");
            compared += 1;
        }
    }
    assert!(swapped * 400 < compared, "{swapped} of {compared} ticks differ in what has no room");
}

#[test]
fn what_begins_ends() {
    for seed in runs(120) {
        let mut behavior = invent::behavior(seed, Shape::WILD);
        for machine in &mut behavior.machines {
            // Where an inner `Entry` is decided without a word, there is nothing to follow.
            let entry = |state: &State| matches!(&state.inside, Some(Inside { start: Start::Entry(_), .. }));
            machine.enter |= machine.states.iter().any(entry);
        }
        let mut real = real(&behavior, seed);
        let active = |real: &Real| -> Vec<BTreeSet<usize>> {
            let leaves = behavior.machines.iter().zip(real.states());
            leaves.map(|(machine, leaf)| machine.outward(leaf).collect()).collect()
        };
        let mut states = active(&real);
        let enters = |machine: &Machine| machine.enter || matches!(machine.start, Start::Entry(_));
        let mut entered_first: Vec<bool> = behavior.machines.iter().map(enters).collect();
        let mut fades: Vec<Option<(usize, usize)>> = vec![None; states.len()];
        let mut spans: BTreeMap<(usize, usize), i64> = BTreeMap::new();
        for step in invent::script(seed, &behavior, 40) {
            host(&mut real, &step);
            let Step::Tick(_) = step else { continue };
            for (_, kind) in kinds(&real) {
                match kind {
                    Kind::Exit(machine, state) => {
                        let rows = &behavior.machines[machine];
                        assert!(states[machine].remove(&state), "seed {seed}: {kind:?}");
                        let inner = states[machine].iter().find(|inner| rows.within(**inner, state));
                        assert_eq!(inner, None, "seed {seed}: {kind:?}");
                    }
                    Kind::Enter(machine, state) => {
                        if std::mem::take(&mut entered_first[machine]) {
                            states[machine].clear();
                        }
                        let around = behavior.machines[machine].states[state].parent;
                        let stands = around.is_none_or(|around| states[machine].contains(&around));
                        assert!(stands && states[machine].insert(state), "seed {seed}: {kind:?}");
                    }
                    Kind::FadeStart(machine, from, to) => {
                        assert_eq!(fades[machine].replace((from, to)), None, "seed {seed}: {kind:?}");
                    }
                    Kind::FadeEnd(machine, from, to) | Kind::FadeCancel(machine, from, to) => {
                        assert_eq!(fades[machine].take(), Some((from, to)), "seed {seed}: {kind:?}");
                    }
                    Kind::SpanBegin(animation, span) => *spans.entry((animation, span)).or_insert(0) += 1,
                    Kind::SpanEnd(animation, span) => *spans.entry((animation, span)).or_insert(0) -= 1,
                    _ => {}
                }
            }
            assert_eq!(states, active(&real), "seed {seed}");
            let shown = real.shown();
            for ((animation, span), open) in &spans {
                let moving = behavior
                    .machines
                    .iter()
                    .zip(real.states())
                    .filter_map(|(machine, leaf)| Some(&machine.states[machine.owner(leaf)?].motion))
                    .any(|motion| motion.shows(*animation));
                // An easing that overshoots hides what still fades out.
                let fading = fades.iter().any(Option::is_some);
                // One that has just begun to fade in has no weight yet.
                let plays = real.playing(*animation);
                let shows = shown.iter().any(|(_, shown)| shown.animation == *animation);
                let alive = moving || fading || plays || shows;
                let most = if alive { 10 } else { 0 };
                assert!((0..=most).contains(open), "seed {seed}: span {span} of A{animation} is open {open}");
            }
        }
    }
}

#[test]
fn nothing_that_comes_out_is_not_a_number() {
    for seed in runs(25) {
        let behavior = invent::behavior(seed, Shape::WILD);
        let mut real = real(&behavior, seed);
        let mut random = Random::new(seed);
        for step in invent::script(seed, &behavior, 40) {
            let step = match step {
                Step::SetNumber(param, _) => {
                    let values = [0.0, -0.0, 1e30, -1e30, 1e-38, 3.4e38, 1e-45, 7.0];
                    Step::SetNumber(param, values[random.below(values.len())])
                }
                Step::Tick(dt) if random.below(8) == 0 => {
                    Step::Tick([3600.0, 1e-30, 1e9, f32::MAX, dt][random.below(5)])
                }
                other => other,
            };
            host(&mut real, &step);
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.1] {
                assert!(real.host(&Step::Tick(bad)).is_err());
            }
            for (_, shown) in real.shown() {
                let duration = behavior.animations[shown.animation].duration;
                assert!(shown.weight > 0.0 && shown.weight <= 1.0, "seed {seed}: {shown:?}");
                assert!(shown.time >= 0.0 && shown.time <= duration * (1.0 + 1e-6), "seed {seed}: {shown:?}");
            }
            let shares = real.levels().into_iter().chain(real.fades());
            assert!(shares.into_iter().all(|share| (0.0..=1.0).contains(&share)), "seed {seed}");
            assert!(real.frame.events().iter().all(|event| event.offset.is_finite()), "seed {seed}");
        }
    }
}

/// States, layer weights, and what is to be shown.
fn seen(real: &Real) -> impl PartialEq + std::fmt::Debug + use<> {
    let shown: Vec<String> = real.shown().iter().map(|shown| format!("{shown:?}")).collect();
    (real.states(), format!("{:?}", real.levels()), shown)
}

#[test]
fn what_is_settled_stays_as_it_is_and_ticks_as_it_always_would() {
    let mut settled = 0;
    for seed in runs(120) {
        let mut random = Random::new(seed);
        let shape = Shape { cuts: true, ..if seed % 2 == 0 { Shape::WILD } else { Shape::ALL } };
        let behavior = invent::behavior(seed, shape);
        let mut real = real(&behavior, seed);
        for step in invent::script(seed, &behavior, 60) {
            host(&mut real, &step);
            if !real.instance.is_settled() {
                continue;
            }
            settled += 1;
            let before = seen(&real);
            // What was saved does not know that it is settled: it decides, and looks for what is due.
            let (mut quick, mut whole) = (real.instance.clone(), real.instance.clone());
            whole.restore(&real.instance.save()).unwrap_or_else(|error| panic!("{error}"));
            for _ in 0..4 {
                let dt = [0.0, 0.001, 1.0 / 60.0, 0.3, 7.0, 1000.0][random.below(6)];
                for instance in [&mut quick, &mut whole] {
                    instance.tick(dt, &mut real.frame).unwrap_or_else(|error| panic!("{error}"));
                    assert!(real.frame.events().is_empty(), "seed {seed}: {:?}", real.frame.events());
                }
                assert_eq!(quick.save(), whole.save(), "seed {seed}, {dt}");
            }
            let resting = std::mem::replace(&mut real.instance, quick);
            assert!(seen(&real) == before, "seed {seed}: {before:?}, then {:?}", seen(&real));
            assert!(real.instance.is_settled(), "seed {seed}");
            real.instance = resting;
        }
    }
    assert!(settled > 100, "{settled} settled");
}

/// Lets all clips play to their ends, so that more of them come to rest.
fn end_all(behavior: &mut Behavior) {
    behavior.animations.iter_mut().for_each(|animation| animation.mode = Loop::Once);
    transitions(behavior, |row| {
        if let Some(MotionGate::Exit(Place::Share(share))) = &mut row.gate.motion {
            *share = share.min(1.0);
        }
    });
    behavior.components.iter_mut().for_each(|component| end_all(&mut component.behavior));
}

#[test]
fn what_does_not_change_for_long_is_settled() {
    // Of those without blends and components, and of those that have some.
    let mut unmoved = [0; 2];
    for seed in runs(120) {
        let shape = Shape { cuts: true, ..Shape::ALL };
        let mut behavior = invent::behavior(seed, shape);
        if seed % 2 == 0 {
            end_all(&mut behavior);
        }
        let blends = |state: &State| matches!(state.motion, Motion::Blend(_));
        let mut states = behavior.machines.iter().flat_map(|machine| &machine.states);
        let rich = !behavior.components.is_empty() || states.any(blends);
        let source = text::source(&behavior, &Order::plain(&behavior));
        let mut real = real(&behavior, seed);
        for step in invent::script(seed, &behavior, 20) {
            host(&mut real, &step);
        }
        let mut before = None;
        let mut alike = 0;
        for _ in 0..400 {
            host(&mut real, &Step::Tick(0.37));
            let now = seen(&real);
            let same = real.frame.events().is_empty() && before.as_ref() == Some(&now);
            alike = if same { alike + 1 } else { 0 };
            before = Some(now);
        }
        // A condition on `elapsed` reads a clock.
        if alike > 100 && !source.contains("elapsed") {
            unmoved[usize::from(rich)] += 1;
            assert!(real.instance.is_settled(), "seed {seed}:\n{source}");
        }
    }
    assert!(unmoved.into_iter().all(|count| count > 3), "{unmoved:?}");
}
