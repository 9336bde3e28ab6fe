//! Listeners: what an input reaches, what is remembered of a press and of the focus, and what the host is told.

use motix_vm::ids::*;
use motix_vm::input::{InputError, POINTERS};
use motix_vm::op::Op;
use motix_vm::program::tables::*;
use motix_vm::{Hit, Host, Input, InputKind, Instance, PointerInput, PointerKind, Setup};

use crate::sketch::{Sketch, append};
use crate::support::Builder;
use crate::world::World;

/// More of the builder.
trait Listening {
    /// A listener that emits, for each of these, an event of that name.
    fn listens(&mut self, target: Option<&str>, pass_through: bool, hears: &[(InputKind, &str, &str)]);
}

impl Listening for Builder {
    fn listens(&mut self, target: Option<&str>, pass_through: bool, hears: &[(InputKind, &str, &str)]) {
        let target = target.map(|target| self.text(target));
        let rows: Vec<Hear> = hears
            .iter()
            .map(|(input, name, event)| {
                let name = (!name.is_empty()).then(|| self.text(name));
                let emit = self.emits(event, &[]);
                Hear { input: *input, name, actions: self.actions(&[emit]) }
            })
            .collect();
        let hears = append(&mut self.rows.hears, &rows);
        self.rows.listeners.push(Listener { target, pass_through, hears });
    }
}

fn stage() -> Builder {
    let mut b = Builder::new("Stage");
    b.layer("Base");
    b
}

const PRESS: &[(InputKind, &str, &str)] =
    &[(InputKind::Down, "", "down"), (InputKind::Up, "", "up"), (InputKind::Click, "", "click")];

/// What an input does: whether it was heard, and the events of the next tick.
fn send(world: &mut World, input: &Input<'_>) -> (bool, Vec<String>) {
    let heard = world.instance.send(input).expect("it can be sent");
    (heard, world.tick(0.0))
}

fn pointed(world: &mut World, kind: PointerKind, targets: &[&str]) -> (bool, Vec<String>) {
    let hits: Vec<Hit<'_>> = targets.iter().map(|target| Hit::new(target, [0.5, 0.5])).collect();
    send(world, &Input::pointer(kind, &hits))
}

fn heard(events: &[&str]) -> (bool, Vec<String>) {
    (true, events.iter().map(|event| format!("Emit({event})")).collect())
}

fn unheard() -> (bool, Vec<String>) {
    (false, Vec::new())
}

#[test]
fn all_listeners_of_a_target_hear_in_order_and_the_scene_last() {
    let mut b = stage();
    b.listens(None, false, &[(InputKind::Click, "", "scene")]);
    b.listens(Some("card"), false, &[(InputKind::Click, "", "first"), (InputKind::Click, "", "second")]);
    b.listens(Some("other"), false, &[(InputKind::Click, "", "other")]);
    b.listens(Some("card"), false, &[(InputKind::Click, "", "third")]);
    let mut world = World::new(b);
    let click = |world: &mut World, targets: &[&str]| pointed(world, PointerKind::Click, targets);
    assert_eq!(click(&mut world, &["card"]), heard(&["first", "second", "third", "scene"]));
    assert_eq!(click(&mut world, &["nothing of ours"]), heard(&["scene"]));
    assert_eq!(click(&mut world, &[]), heard(&["scene"]));
    assert_eq!(pointed(&mut world, PointerKind::Move, &["card"]), unheard());
}

#[test]
fn an_input_stops_at_the_topmost_that_hears_it() {
    let mut b = stage();
    b.listens(Some("icon"), false, &[(InputKind::Click, "", "icon")]);
    b.listens(Some("card"), false, &[(InputKind::Click, "", "card"), (InputKind::Move, "", "moved")]);
    let mut world = World::new(b);
    assert_eq!(pointed(&mut world, PointerKind::Click, &["icon", "card"]), heard(&["icon"]));
    assert_eq!(pointed(&mut world, PointerKind::Click, &["card", "icon"]), heard(&["card"]));
    assert_eq!(pointed(&mut world, PointerKind::Click, &["unknown", "card"]), heard(&["card"]));
    // What does not hear it does not stop it.
    assert_eq!(pointed(&mut world, PointerKind::Move, &["icon", "card"]), heard(&["moved"]));
}

#[test]
fn pass_through_lets_it_reach_what_lies_below() {
    let mut b = stage();
    b.listens(Some("icon"), true, &[(InputKind::Click, "", "icon")]);
    b.listens(Some("card"), true, &[(InputKind::Click, "", "card")]);
    b.listens(Some("card"), false, &[(InputKind::Click, "", "solid")]);
    b.listens(Some("page"), false, &[(InputKind::Click, "", "page")]);
    let mut world = World::new(b);
    // One listener of a target that does not let it through is enough to stop it.
    let click = pointed(&mut world, PointerKind::Click, &["icon", "card", "page"]);
    assert_eq!(click, heard(&["icon", "card", "solid"]));
}

#[test]
fn who_got_the_press_gets_the_release() {
    let mut b = stage();
    b.listens(Some("icon"), true, PRESS);
    b.listens(Some("card"), false, &[(InputKind::Down, "", "card down"), (InputKind::Up, "", "card up")]);
    b.listens(Some("drop"), false, &[(InputKind::Up, "", "drop")]);
    b.listens(None, false, &[(InputKind::Up, "", "scene")]);
    let mut world = World::new(b);
    let (down, up) = (PointerKind::Down, PointerKind::Up);
    assert_eq!(pointed(&mut world, down, &["icon", "card"]), heard(&["down", "card down"]));
    assert_eq!(pointed(&mut world, up, &["drop"]), heard(&["up", "card up", "scene"]));
    // Once.
    assert_eq!(pointed(&mut world, up, &["drop"]), heard(&["drop", "scene"]));
    // Pressed where nothing hears it, it is released where the pointer is.
    assert_eq!(pointed(&mut world, down, &["drop"]), unheard());
    assert_eq!(pointed(&mut world, up, &["icon"]), heard(&["up", "scene"]));
    // A second press forgets the first.
    pointed(&mut world, down, &["card"]);
    pointed(&mut world, down, &["icon"]);
    assert_eq!(pointed(&mut world, up, &[]), heard(&["up", "scene"]));
    // As does the system that takes the pointer away.
    pointed(&mut world, down, &["card"]);
    world.instance.cancel_pointer(0);
    world.instance.cancel_pointer(200);
    assert_eq!(pointed(&mut world, up, &["drop"]), heard(&["drop", "scene"]));
}

#[test]
fn all_listeners_of_what_was_pressed_hear_the_release() {
    let mut b = stage();
    b.listens(Some("card"), false, &[(InputKind::Up, "", "first")]);
    b.listens(Some("card"), false, &[(InputKind::Down, "", "down")]);
    let mut world = World::new(b);
    assert_eq!(pointed(&mut world, PointerKind::Down, &["card"]), heard(&["down"]));
    assert_eq!(pointed(&mut world, PointerKind::Up, &[]), heard(&["first"]));
}

#[test]
fn each_pointer_has_its_own_press_and_a_save_keeps_them() {
    let mut b = stage();
    b.listens(Some("left"), false, &[(InputKind::Down, "", "ld"), (InputKind::Up, "", "lu")]);
    b.listens(Some("right"), false, &[(InputKind::Down, "", "rd"), (InputKind::Up, "", "ru")]);
    let mut world = World::new(b);
    let finger = |world: &mut World, kind, pointer, target| {
        let hits = [Hit::new(target, [0.5, 0.5])];
        send(world, &Input::Pointer(PointerInput { kind, pointer, hits: &hits, scene: [0.5, 0.5] }))
    };
    assert_eq!(finger(&mut world, PointerKind::Down, 0, "left"), heard(&["ld"]));
    assert_eq!(finger(&mut world, PointerKind::Down, 31, "right"), heard(&["rd"]));
    let save = world.instance.save();
    assert_eq!(finger(&mut world, PointerKind::Up, 0, "right"), heard(&["lu"]));
    assert_eq!(finger(&mut world, PointerKind::Up, 31, "left"), heard(&["ru"]));
    world.instance.restore(&save).expect("it is a save");
    assert_eq!(finger(&mut world, PointerKind::Up, 31, "left"), heard(&["ru"]));
    assert_eq!(finger(&mut world, PointerKind::Up, 0, "right"), heard(&["lu"]));
}

#[test]
fn keys_go_to_what_has_the_focus_and_to_the_scene() {
    let mut b = stage();
    b.listens(
        Some("field"),
        false,
        &[
            (InputKind::KeyDown, "Enter", "enter"),
            (InputKind::KeyDown, "", "any"),
            (InputKind::Focus, "", "focus"),
            (InputKind::Blur, "", "blur"),
        ],
    );
    b.listens(None, false, &[(InputKind::KeyUp, "Escape", "escape")]);
    let mut world = World::new(b);
    assert_eq!(send(&mut world, &Input::KeyDown("Enter")), unheard());
    assert_eq!(send(&mut world, &Input::KeyUp("Escape")), heard(&["escape"]));
    assert_eq!(send(&mut world, &Input::KeyUp("Enter")), unheard());
    assert_eq!(send(&mut world, &Input::Focus("field")), heard(&["focus"]));
    assert_eq!(send(&mut world, &Input::KeyDown("Enter")), heard(&["enter", "any"]));
    assert_eq!(send(&mut world, &Input::KeyDown("no text of the program")), heard(&["any"]));
    // The focus of something else ends nothing here but keys; only its end is told by the host.
    assert_eq!(send(&mut world, &Input::Blur("elsewhere")), unheard());
    assert_eq!(send(&mut world, &Input::KeyDown("a")), heard(&["any"]));
    let save = world.instance.save();
    assert_eq!(send(&mut world, &Input::Focus("elsewhere")), unheard());
    assert_eq!(send(&mut world, &Input::KeyDown("a")), unheard());
    world.instance.restore(&save).expect("it is a save");
    assert_eq!(send(&mut world, &Input::KeyDown("a")), heard(&["any"]));
    assert_eq!(send(&mut world, &Input::Blur("field")), heard(&["blur"]));
    assert_eq!(send(&mut world, &Input::KeyDown("a")), unheard());
}

#[test]
fn a_custom_event_is_for_its_targets_or_for_all() {
    let mut b = stage();
    b.listens(None, false, &[(InputKind::Custom, "combo", "scene")]);
    b.listens(Some("left"), false, &[(InputKind::Custom, "combo", "left")]);
    b.listens(
        Some("right"),
        false,
        &[(InputKind::Custom, "combo", "right"), (InputKind::Click, "", "click")],
    );
    let mut world = World::new(b);
    let combo = |targets| Input::Custom { name: "combo", targets };
    assert_eq!(send(&mut world, &combo(&[])), heard(&["left", "right", "scene"]));
    assert_eq!(send(&mut world, &combo(&["right", "left"])), heard(&["right", "scene"]));
    assert_eq!(send(&mut world, &Input::Custom { name: "kombo", targets: &[] }), unheard());
    assert_eq!(send(&mut world, &Input::Custom { name: "click", targets: &[] }), unheard());
}

/// A slider: it follows the pointer, and reports where it was released.
fn slider() -> Builder {
    let mut b = stage();
    let (x, y) = (b.number("x", -1.0), b.number("y", -1.0));
    let ops = [Op::PointerX, Op::Set { param: x }, Op::PointerY, Op::Set { param: y }];
    let actions = b.actions(&ops);
    let hear = |input| Hear { input, name: None, actions };
    let hears =
        append(&mut b.rows.hears, &[hear(InputKind::Down), hear(InputKind::Move), hear(InputKind::Up)]);
    let target = Some(b.text("track"));
    b.rows.listeners.push(Listener { target, pass_through: false, hears });
    let hears = append(&mut b.rows.hears, &[hear(InputKind::Click)]);
    b.rows.listeners.push(Listener { target: None, pass_through: false, hears });
    b
}

fn place(world: &World) -> [f32; 2] {
    let number = |name| match world.instance.get_by_name(name) {
        Ok(motix_vm::Value::Number(value)) => value,
        other => panic!("{other:?}"),
    };
    [number("x"), number("y")]
}

#[test]
fn the_pointers_place_is_that_in_the_target() {
    let mut world = World::new(slider());
    let mut point = |kind, hits: &[Hit<'_>], scene| {
        let input = PointerInput { kind, pointer: 0, hits, scene };
        let heard = world.instance.send(&Input::Pointer(input)).expect("it can be sent");
        assert!(heard);
        place(&world)
    };
    let (down, moved, up) = (PointerKind::Down, PointerKind::Move, PointerKind::Up);
    assert_eq!(point(down, &[Hit::new("track", [0.25, 0.5])], [0.9, 0.9]), [0.25, 0.5]);
    // It is clamped.
    assert_eq!(point(moved, &[Hit::new("track", [1.5, -3.0])], [0.9, 0.9]), [1.0, 0.0]);
    assert_eq!(point(moved, &[Hit::new("track", [0.75, 0.5])], [0.9, 0.9]), [0.75, 0.5]);
    // Released outside, it is where it was last seen inside.
    assert_eq!(point(up, &[], [0.9, 0.9]), [0.75, 0.5]);
    // Unless the host knows it better.
    point(down, &[Hit::new("track", [0.25, 0.5])], [0.9, 0.9]);
    assert_eq!(point(up, &[Hit::new("track", [2.0, 0.5])], [0.9, 0.9]), [1.0, 0.5]);
    // For the scene, it is that in the scene.
    assert_eq!(point(PointerKind::Click, &[Hit::new("track", [0.25, 0.5])], [0.125, 2.0]), [0.125, 1.0]);
}

#[test]
fn what_is_no_input_is_refused_and_changes_nothing() {
    let mut world = World::new(slider());
    let save = world.instance.save();
    let mut refused = |hits: &[Hit<'_>], pointer, scene| {
        let input = PointerInput { kind: PointerKind::Down, pointer, hits, scene };
        let error = world.instance.send(&Input::Pointer(input)).expect_err("it is refused");
        assert_eq!(world.instance.save(), save);
        error
    };
    let middle = [0.5, 0.5];
    let (good, bad) = (Hit::new("track", middle), Hit::new("thumb", [f32::NAN, 0.0]));
    assert_eq!(refused(&[good, bad], 0, middle), InputError::NotFinite { target: Some("thumb".to_owned()) });
    assert_eq!(refused(&[good], 0, [0.0, f32::INFINITY]), InputError::NotFinite { target: None });
    assert_eq!(refused(&[good], POINTERS, middle), InputError::UnknownPointer(POINTERS));
    assert_eq!(
        InputError::UnknownPointer(40).to_string(),
        "pointers are numbered from 0 to 31, and this is 40"
    );
}

#[test]
fn actions_run_at_once_and_report_in_the_next_tick() {
    let mut b = stage();
    let on = b.flag("on");
    let weapon = b.text("none");
    let weapon = b.param("weapon", Type::Text, weapon.0);
    let clip = b.animation("Clip", LayerId(0));
    let s = b.machine(None, &["A", "B"]);
    let emit = b.emits("pair", &[Type::Text, Type::Bool]);
    let plain = b.emits("plain", &[]);
    let (asset, camera) = (b.text("click.wav"), b.text("close"));
    let actions = b.actions(&[
        plain,
        Op::Param { param: on },
        Op::Not,
        Op::Set { param: on },
        Op::Play { animation: clip },
        Op::Audio { asset },
        Op::Camera { name: camera },
        Op::Param { param: weapon },
        Op::Param { param: on },
        emit,
        Op::Request { state: s[1], priority: 0 },
    ]);
    let hears = append(&mut b.rows.hears, &[Hear { input: InputKind::Click, name: None, actions }]);
    let target = Some(b.text("button"));
    b.rows.listeners.push(Listener { target, pass_through: false, hears });
    let mut world = World::new(b);
    world.tick(0.1);
    world.set("weapon", "a text of the host");
    let hits = [Hit::new("button", [0.5, 0.5])];
    let click = Input::pointer(PointerKind::Click, &hits);
    for _ in 0..2 {
        assert_eq!(world.instance.send(&click), Ok(true));
    }
    assert_eq!(world.instance.get_by_name("on"), Ok(motix_vm::Value::Bool(false)));
    assert!(world.playing("Clip"));
    assert_eq!(world.state(), "A");
    let save = world.instance.save();
    let events = [
        "Emit(plain)",
        "Play(Clip)",
        "Audio(click.wav)",
        "Camera(close)",
        "Emit(pair, a text of the host, true)",
        "Emit(plain)",
        "Audio(click.wav)",
        "Camera(close)",
        "Emit(pair, a text of the host, false)",
        "Dropped(B)",
        "Exit(A)",
        "Enter(B)",
    ];
    assert_eq!(world.tick(0.0), events);
    assert_eq!(world.tick(0.0), [""; 0]);
    // A save keeps what was not reported yet.
    world.instance.restore(&save).expect("it is a save");
    assert_eq!(world.instance.save(), save);
    assert_eq!(world.tick(0.0), events);
}

#[test]
fn reports_between_ticks_have_a_limit() {
    let mut b = stage();
    let number = b.number("n", 0.0);
    let emit = b.emits("many", &[Type::Number; 8]);
    let mut ops = vec![Op::Param { param: number }; 8];
    ops.push(emit);
    let actions = b.actions(&ops);
    let hears = append(&mut b.rows.hears, &[Hear { input: InputKind::Click, name: None, actions }]);
    b.rows.listeners.push(Listener { target: None, pass_through: false, hears });
    let mut world = World::new(b);
    for _ in 0..1000 {
        world.instance.send(&Input::pointer(PointerKind::Click, &[])).expect("it can be sent");
    }
    let save = world.instance.save();
    let mut small = motix_vm::Frame::with_limit(4);
    world.instance.clone().tick(0.0, &mut small).expect("it ticks");
    assert_eq!(small.events().len(), 2 + 1, "two with their sixteen values, and that there were more");
    let events = world.tick(0.0);
    assert_eq!(events.len(), 129, "as many as have room for their values, and that there were more");
    assert_eq!(events.last().map(String::as_str), Some("EventLimit x872"));
    world.instance.restore(&save).expect("it is a save");
    assert_eq!(world.tick(0.0), events);
}

#[test]
fn conditions_of_reactions_ask_the_host_anew() {
    let mut b = stage();
    let on = b.flag("on");
    let ground = b.text("OnGround");
    b.rows.externs.push(ground);
    let actions = b.actions(&[Op::Extern { predicate: ExternId(0) }, Op::Set { param: on }]);
    let hears = append(&mut b.rows.hears, &[Hear { input: InputKind::Click, name: None, actions }]);
    b.rows.listeners.push(Listener { target: None, pass_through: false, hears });
    let mut world = World::new(b);
    let click = Input::pointer(PointerKind::Click, &[]);
    assert_eq!(
        world.instance.send(&click),
        Err(InputError::NoPredicates(vec!["OnGround".to_owned()])),
        "as a tick would"
    );
    for answer in [true, false] {
        let mut ask = |_, _| answer;
        let mut host = Host { predicates: Some(&mut ask), globals: None };
        assert_eq!(world.instance.send_with(&click, &mut host), Ok(true));
        assert_eq!(world.instance.get_by_name("on"), Ok(motix_vm::Value::Bool(answer)));
    }
}

#[test]
fn a_settled_instance_wakes() {
    let mut b = stage();
    let on = b.flag("on");
    let actions = b.actions(&[Op::Bool { value: true }, Op::Set { param: on }]);
    let hears = append(&mut b.rows.hears, &[Hear { input: InputKind::Click, name: None, actions }]);
    b.rows.listeners.push(Listener { target: None, pass_through: false, hears });
    let s = b.machine(None, &["Off", "On"]);
    let condition = b.is(on);
    b.from(s[0], &[crate::support::to(s[1], Some(condition), 0)]);
    let mut world = World::new(b);
    world.ticks(5, 0.1);
    world.instance.send(&Input::pointer(PointerKind::Click, &[])).expect("it can be sent");
    assert_eq!(world.tick(0.1), ["Exit(Off)", "Enter(On)"]);
}

#[test]
fn without_listeners_nothing_is_heard_and_nothing_kept() {
    let mut with = stage();
    with.listens(Some("card"), false, &[(InputKind::Click, "", "click"), (InputKind::Up, "", "up")]);
    let (mut world, other) = (World::new(stage()), World::new(with));
    assert_eq!(pointed(&mut world, PointerKind::Down, &["card"]), unheard());
    // What hears neither a press nor, on a target, keys keeps nothing of them.
    assert_eq!(world.instance.size_of_state(), other.instance.size_of_state());
}

#[test]
fn damaged_presses_and_focus_are_refused() {
    let mut b = slider();
    b.listens(Some("track"), false, &[(InputKind::KeyDown, "", "key")]);
    let mut world = World::new(b);
    let save = world.instance.save();
    let count = world.instance.size_of_state() / 4;
    // The last words: pointers that are down, where one was last, the focus.
    let mut changed = |word: usize, value: u32| {
        let mut bytes = save.clone();
        bytes[16 + 4 * word..20 + 4 * word].copy_from_slice(&value.to_le_bytes());
        world.instance.restore(&bytes).is_ok()
    };
    assert!(changed(count - 4, 5));
    assert!(changed(count - 3, 0.5_f32.to_bits()));
    assert!(!changed(count - 3, 1.5_f32.to_bits()));
    assert!(!changed(count - 2, f32::NAN.to_bits()));
    let track = world.program.text_id("track").expect("it is there").0;
    let mut changed = |value: u32| {
        let mut bytes = save.clone();
        let word = count - 1;
        bytes[16 + 4 * word..20 + 4 * word].copy_from_slice(&value.to_le_bytes());
        world.instance.restore(&bytes).is_ok()
    };
    assert!(changed(track + 1));
    assert!(!changed(track + 2));
    assert!(!changed(u32::MAX));
}

#[test]
fn an_instance_hears_before_its_first_tick() {
    let mut b = stage();
    b.listens(None, false, &[(InputKind::Click, "", "click")]);
    let program = std::sync::Arc::new(crate::support::program(b.tables()));
    let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
    assert_eq!(instance.send(&Input::pointer(PointerKind::Click, &[])), Ok(true));
}
