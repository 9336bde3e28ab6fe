//! Carrying instances to changed programs: what must hold for every behavior, tried on made-up ones, and what is told
//! of written ones.

use motix_tests::model::behavior::Step;
use motix_tests::model::invent::{self, Shape};
use motix_tests::model::real::{Real, program};
use motix_tests::model::text::{self, Order};
use motix_tests::random::Random;
use motix_vm::{Frame, Instance, Setup};

use crate::model::runs;

/// A random order of so many.
fn shuffled(random: &mut Random, count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, random.below(last + 1));
    }
    order
}

fn seen(real: &Real) -> String {
    let mut shown: Vec<String> = real.shown().iter().map(|(_, shown)| format!("{shown:?}")).collect();
    shown.sort_unstable();
    format!("{:?} {:?} {shown:?}", real.states(), real.levels())
}

#[test]
fn the_same_behavior_in_another_order_goes_on_as_it_was() {
    let mut tried = 0;
    for seed in runs(200) {
        let mut random = Random::new(seed);
        let behavior = invent::behavior(seed, Shape::ALL);
        // Commands by tag follow the order of declaration: that order has a meaning.
        if text::source(&behavior, &Order::plain(&behavior)).contains("Tag t") {
            continue;
        }
        tried += 1;
        let order = Order {
            params: shuffled(&mut random, behavior.params.len()),
            animations: shuffled(&mut random, behavior.animations.len()),
            ..Order::plain(&behavior)
        };
        let new = |order: &Order| Real::new(&behavior, order, seed).unwrap_or_else(|error| panic!("{error}"));
        let (mut one, mut other) = (new(&Order::plain(&behavior)), new(&order));
        let mut script = invent::script(seed, &behavior, 40);
        script.retain(|step| !matches!(step, Step::PlayTag(_) | Step::StopTag(_)));
        let at = script.len() / 2;
        let at = (at..script.len()).find(|at| matches!(script[*at - 1], Step::Tick(_))).unwrap_or(at);
        for step in &script[..at] {
            one.host(step).unwrap_or_else(|error| panic!("{error}"));
        }
        let (moved, report) = one
            .instance
            .migrate(&other.program, other.instance.behavior(), &Setup::default())
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(report.lost.is_empty(), "seed {seed}: {report}\n{}", text::source(&behavior, &order));
        other.instance = moved;
        assert_eq!(seen(&one), seen(&other), "seed {seed}");
        for step in &script[at..] {
            one.host(step).unwrap_or_else(|error| panic!("{error}"));
            other.host(step).unwrap_or_else(|error| panic!("{error}"));
            let source = || text::source(&behavior, &order);
            assert_eq!(seen(&one), seen(&other), "seed {seed}, {step:?}\n{}", source());
        }
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn any_other_behavior_is_reached_in_a_state_that_it_can_be_in() {
    for seed in runs(60) {
        let behavior = invent::behavior(seed, Shape::WILD);
        let mut one =
            Real::new(&behavior, &Order::plain(&behavior), seed).unwrap_or_else(|error| panic!("{error}"));
        for step in invent::script(seed, &behavior, 20) {
            one.host(&step).unwrap_or_else(|error| panic!("{error}"));
            let (same, report) = one
                .instance
                .migrate(&one.program, one.instance.behavior(), &Setup::default())
                .unwrap_or_else(|error| panic!("{error}"));
            assert!(report.lost.is_empty() && same.save() == one.instance.save(), "seed {seed}");
        }
        for other in [seed + 1, seed + 1000] {
            let changed = invent::behavior(other, Shape::WILD);
            let changed = program(&text::source(&changed, &Order::plain(&changed)))
                .unwrap_or_else(|error| panic!("{error}"));
            let id = changed.find(text::NAME).unwrap_or_else(|error| panic!("{error}")).id();
            let (mut moved, report) = one
                .instance
                .migrate(&changed, id, &Setup::default())
                .unwrap_or_else(|error| panic!("{error}"));
            assert!(
                report.lost.iter().all(|lost| !lost.what.starts_with("all but")),
                "seed {seed}, {other}: {report}"
            );
            let save = moved.save();
            moved.restore(&save).unwrap_or_else(|error| panic!("seed {seed}, {other}: {error}"));
            let mut frame = Frame::new();
            for _ in 0..20 {
                moved.tick(0.1, &mut frame).unwrap_or_else(|error| panic!("{error}"));
            }
        }
    }
}

fn instance(source: &str) -> (std::sync::Arc<motix_vm::Program>, Instance) {
    let program = program(source).unwrap_or_else(|error| panic!("{error}"));
    let id = program.find("Guard").unwrap_or_else(|error| panic!("{error}")).id();
    let instance = Instance::new(&program, id, &Setup::default()).unwrap_or_else(|error| panic!("{error}"));
    (program, instance)
}

#[test]
fn what_is_gone_is_told_by_name_and_the_nearest_state_around_stands_for_one() {
    const OLD: &str = "Behavior Guard {
        Param alert: bool
        Param steps: number
        Param name: string = \"a\"
        Animation Walk { Looped Duration 2s }
        Animation Run { Looped Duration 1s }
        InitialState Calm
        State Calm { Clip Walk  Transition Fight.Rage when alert { Duration 0.2s } }
        State Fight {
            InitialState Look
            State Look { Clip Walk }
            State Rage { Clip Run }
        }
    }";
    const NEW: &str = "Behavior Guard {
        Param name: string = \"a\"
        Param steps: bool
        Param alert: bool
        Animation Walk { Looped Duration 2s }
        InitialState Calm
        State Fight {
            InitialState Look
            State Look { Clip Walk }
        }
        State Calm { Clip Walk  Transition Fight when alert { Duration 0.2s } }
    }";
    let (_, mut old) = instance(OLD);
    let mut frame = Frame::new();
    old.set("alert", true).unwrap_or_else(|error| panic!("{error}"));
    old.set("name", "given by the host").unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..30 {
        old.tick(1.0 / 60.0, &mut frame).unwrap_or_else(|error| panic!("{error}"));
    }
    let (program, _) = instance(NEW);
    let guard = program.find("Guard").unwrap_or_else(|error| panic!("{error}"));
    let (new, report) =
        old.migrate(&program, guard.id(), &Setup::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(report.to_string(), "parameter `steps`, state `Fight.Rage`, motion of the state `Fight.Rage`");
    let main = guard.main_machine().unwrap_or_else(|| panic!("a main machine"));
    assert_eq!(new.state(main), guard.state("Fight.Look").ok());
    for (name, value) in [("name", "Text(\"given by the host\")"), ("alert", "Bool(true)")] {
        let param = guard.param(name).unwrap_or_else(|error| panic!("{error}"));
        let found = new.get(param).unwrap_or_else(|| panic!("a value"));
        assert_eq!(format!("{found:?}"), value);
    }
}

#[test]
fn components_go_on_by_their_paths() {
    const LAMP: &str = "Behavior Lamp {
        Param on: bool
        Param level: number
        Animation Glow { Looped Duration 2s }
        InitialState Dark
        State Dark { Transition Lit when on }
        State Lit { Clip Glow }
    }";
    let source = |components: &str| {
        format!("{LAMP} Behavior Guard {{ Param alert: bool {components} InitialState A State A }}")
    };
    let (_, mut old) = instance(&source("Component left: Lamp { Bind alert -> on } Component gone: Lamp"));
    let mut frame = Frame::new();
    old.set("alert", true).unwrap_or_else(|error| panic!("{error}"));
    for _ in 0..30 {
        old.tick(1.0 / 60.0, &mut frame).unwrap_or_else(|error| panic!("{error}"));
    }
    let (program, _) = instance(&source("Component right: Lamp Component left: Lamp { Bind alert -> on }"));
    let guard = program.find("Guard").unwrap_or_else(|error| panic!("{error}"));
    let (mut new, report) =
        old.migrate(&program, guard.id(), &Setup::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(report.to_string(), "component `gone`");
    let lamp = program.find("Lamp").unwrap_or_else(|error| panic!("{error}"));
    let (lit, glow) = (lamp.state("Lit"), lamp.animation("Glow"));
    let glow = glow.unwrap_or_else(|error| panic!("{error}"));
    let lit = lit.unwrap_or_else(|error| panic!("{error}"));
    for instance in [&mut old, &mut new] {
        instance.tick(0.25, &mut frame).unwrap_or_else(|error| panic!("{error}"));
        assert!(frame.events().is_empty(), "{:?}", frame.events());
    }
    let part = |instance: &Instance, path: &str| {
        let own = instance.program().at(instance.behavior()).map(|own| own.component(path));
        let id = own.and_then(Result::ok).unwrap_or_else(|| panic!("{path}"));
        let part = instance.component(id).unwrap_or_else(|| panic!("{path}"));
        (part.is_in(lit), part.time(glow))
    };
    assert_eq!(part(&new, "left"), part(&old, "left"));
    assert_eq!(part(&new, "right"), (false, 0.0));
}
