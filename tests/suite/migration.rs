//! Carrying instances to changed programs: what must hold for every behavior, tried on made-up ones, and what is told
//! of written ones.

use std::sync::Arc;

use motix_tests::model::behavior::Step;
use motix_tests::model::invent::{self, Shape};
use motix_tests::model::real::{Real, program};
use motix_tests::model::text::{self, Order};
use motix_tests::random::Random;
use motix_vm::ids::ComponentId;
use motix_vm::{Event, EventKind, Frame, Input, Instance, Program, Setup, Value};

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

fn instance(source: &str) -> (Arc<Program>, Instance) {
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

/// The parts of a guard with a lamp, before and after an edit that leaves these as they are.
fn lamp(edit: &str) -> String {
    format!(
        "Behavior Lamp {{
            Param level: number
            Param name: string
            Param blink: trigger
            Param done: trigger
            Param blinks: number
            When blink {{ Set blinks = blinks + 1 }}
        }}
        Behavior Guard {{
            {edit}
            Param level: number
            Param name: string
            Param signal: trigger
            Param ready: trigger
            Param seen: number
            When ready {{ Set seen = seen + 1 }}
            Component lamp: Lamp {{
                Bind level <-> level
                Bind name <-> name
                Bind signal -> blink
                Bind ready <- done
            }}
        }}"
    )
}

#[test]
fn what_is_on_its_way_through_a_bind_arrives() {
    let (_, mut old) = instance(&lamp(""));
    let mut frame = Frame::new();
    let id = |instance: &Instance| {
        let own = instance.program().at(instance.behavior()).map(|own| own.component("lamp"));
        own.and_then(Result::ok).unwrap_or_else(|| panic!("a lamp"))
    };
    let set = |instance: &mut Instance, name: &str, value: Value<'_>| {
        let id = id(instance);
        let mut part = instance.component_mut(id).unwrap_or_else(|| panic!("a lamp"));
        part.set(name, value).unwrap_or_else(|error| panic!("{error}"));
    };
    let fire = |instance: &mut Instance, id: ComponentId, name: &str| {
        let program = instance.program().clone();
        let names = program.at(instance.behavior()).and_then(|own| own.component_behavior(id));
        let trigger = names.map(|names| names.trigger(name));
        let trigger = trigger.and_then(Result::ok).unwrap_or_else(|| panic!("{name}"));
        let part = instance.component_mut(id);
        part.unwrap_or_else(|| panic!("a lamp")).fire(trigger).unwrap_or_else(|error| panic!("{error}"));
    };
    old.tick(0.1, &mut frame).unwrap_or_else(|error| panic!("{error}"));
    let inner = id(&old);
    // The component's side changes, and triggers are fired on both.
    set(&mut old, "level", Value::Number(3.0));
    set(&mut old, "name", Value::Text("from inside"));
    fire(&mut old, ComponentId::ROOT, "signal");
    fire(&mut old, inner, "done");
    let (program, _) = instance(&lamp("Param more: number Component other: Lamp { Bind more <-> level }"));
    let guard = program.find("Guard").unwrap_or_else(|error| panic!("{error}"));
    let (mut new, report) =
        old.migrate(&program, guard.id(), &Setup::default()).unwrap_or_else(|error| panic!("{error}"));
    assert!(report.lost.is_empty(), "{report}");
    for instance in [&mut old, &mut new] {
        for _ in 0..3 {
            instance.tick(0.1, &mut frame).unwrap_or_else(|error| panic!("{error}"));
        }
        let text = |name: &str| format!("{:?}", instance.get_by_name(name));
        assert_eq!(text("level"), "Ok(Number(3.0))");
        assert_eq!(text("name"), "Ok(Text(\"from inside\"))");
        assert_eq!(text("seen"), "Ok(Number(1.0))");
        let part = instance.component(id(instance)).unwrap_or_else(|| panic!("a lamp"));
        assert_eq!(format!("{:?}", part.get_by_name("blinks")), "Ok(Number(1.0))");
    }
}

#[test]
fn a_new_bind_gives_the_outer_value() {
    const LAMP: &str = "Behavior Lamp { Param level: number  Let soft = damp(level, 10s)  Param shown: number
        When soft > 4 { Set shown = 1 } }";
    let source = |bind: &str| {
        format!("{LAMP} Behavior Guard {{ Param level: number Component lamp: Lamp {{ {bind} }} }}")
    };
    let (_, mut old) = instance(&source(""));
    let mut frame = Frame::new();
    old.set("level", 5.0).unwrap_or_else(|error| panic!("{error}"));
    old.tick(0.1, &mut frame).unwrap_or_else(|error| panic!("{error}"));
    for direction in ["->", "<->"] {
        let (program, _) = instance(&source(&format!("Bind level {direction} level")));
        let guard = program.find("Guard").unwrap_or_else(|error| panic!("{error}"));
        let (mut new, report) =
            old.migrate(&program, guard.id(), &Setup::default()).unwrap_or_else(|error| panic!("{error}"));
        assert!(report.lost.is_empty(), "{report}");
        let level = |instance: &Instance| {
            let id = guard.component("lamp").unwrap_or_else(|error| panic!("{error}"));
            format!("{:?}", instance.component(id).map(|part| format!("{:?}", part.get_by_name("level"))))
        };
        assert_eq!(level(&new), "Some(\"Ok(Number(5.0))\")", "{direction}");
        new.tick(0.1, &mut frame).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format!("{:?}", new.get_by_name("level")), "Ok(Number(5.0))", "{direction}");
    }
}

#[test]
fn reports_that_wait_for_the_next_tick_are_told_by_it() {
    let source = |animations: &str, event: &str| {
        format!(
            "Behavior Guard {{
                Param mood: enum(calm, angry) = angry
                {animations}
                InitialState A State A
                Listener {{ On \"ring\" {{ {event} }} }}
            }}"
        )
    };
    let told = |program: &Arc<Program>, frame: &Frame| -> Vec<String> {
        let guard = program.find("Guard").unwrap_or_else(|error| panic!("{error}"));
        let tell = |event: &Event| match event.kind {
            EventKind::Play { animation } => format!("Play {}", guard.animation_name(animation)),
            EventKind::Emit { emit } => {
                format!("Emit {}{:?}", guard.emit_name(emit), frame.values(event))
            }
            other => format!("{other:?}"),
        };
        frame.events().iter().map(tell).collect()
    };
    let (walk, run) =
        ("Animation Walk { Looped Duration 2s }", "Animation Run { Looped Duration 2s Additive }");
    let (program, mut old) = instance(&source(&format!("{walk} {run}"), "Emit rang(mood, 2)"));
    let guard = program.find("Guard").unwrap_or_else(|error| panic!("{error}"));
    let play = |old: &mut Instance, name: &str| {
        let id = guard.animation(name).unwrap_or_else(|error| panic!("{error}"));
        old.play(id).unwrap_or_else(|error| panic!("{error}"));
    };
    play(&mut old, "Walk");
    play(&mut old, "Run");
    let ring = Input::Custom { name: "ring", targets: &[] };
    old.send(&ring).unwrap_or_else(|error| panic!("{error}"));
    let mut frame = Frame::new();
    // Both animations are in another order, and one of the variants is new.
    let changed = source(&format!("{run} {walk}"), "Emit rang(mood, 2)").replace("(calm, ", "(calm, sad, ");
    let (program, _) = instance(&changed);
    let (mut new, report) =
        old.migrate(&program, guard.id(), &Setup::default()).unwrap_or_else(|error| panic!("{error}"));
    assert!(report.lost.is_empty(), "{report}");
    new.tick(0.1, &mut frame).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(told(&program, &frame), ["Play Walk", "Play Run", "Emit rang[Variant(2), Number(2.0)]"]);
    // One is gone, and the event carries something else.
    let (program, _) = instance(&source(walk, "Emit rang(2)"));
    let (mut new, report) =
        old.migrate(&program, guard.id(), &Setup::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(report.to_string(), "animation `Run`, report of `Run`, report of `rang`");
    new.tick(0.1, &mut frame).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(told(&program, &frame), ["Play Walk"]);
}
