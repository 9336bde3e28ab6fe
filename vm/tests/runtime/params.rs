//! Parameters: types, ranges, names, texts, the store of global ones.

use motix_vm::ids::*;
use motix_vm::op::Op;
use motix_vm::program::tables::*;
use motix_vm::{Color, Globals, Host, Value};

use crate::sketch::*;
use crate::support::{Builder, to};
use crate::world::World;

/// One parameter of each type, and a state that is reached when all of them have other values.
fn typed() -> Builder {
    let mut b = Builder::new("Parameters");
    b.layer("Base");
    let mood = b.enumeration(None, &["calm", "angry", "sad"]);
    let level = b.number("level", 5.0);
    let row = &mut b.rows.params[level.index()];
    (row.min, row.max, row.step) = (0.0, 10.0, 0.5);
    let (none, sword) = (b.text("none"), b.text("sword"));
    let mood = b.param("mood", Type::Enum(mood), 0);
    let weapon = b.param("weapon", Type::Text, none.0);
    let tint = b.param("tint", Type::Color, 0xFF88_00FF);
    let ready = b.flag("ready");
    b.trigger("go");
    let s = b.machine(None, &["A", "B"]);
    let mut all = vec![Op::Param { param: level }, Op::Number { value: 7.5 }, Op::EqualNumber];
    let tests = [
        [Op::Param { param: mood }, Op::Variant { value: 1 }, Op::EqualVariant],
        [Op::Param { param: weapon }, Op::Text { value: sword }, Op::EqualText],
        [Op::Param { param: tint }, Op::Color { value: 0xFF00_00FF }, Op::EqualColor],
        [Op::Param { param: ready }, Op::Bool { value: true }, Op::EqualBool],
    ];
    for test in tests {
        all.push(Op::JumpIfFalseElsePop { skip: 3 });
        all.extend(test);
    }
    let condition = b.condition(&all);
    b.from(s[0], &[to(s[1], Some(condition), 0)]);
    b
}

#[test]
fn a_number_is_clamped_and_snapped_and_each_type_compares() {
    let mut world = World::new(typed());
    let level =
        |world: &World| world.instance.get_by_name("level").ok().map(|value| value == Value::Number(7.5));
    world.set("level", 12.0);
    assert_eq!(world.instance.get_by_name("level"), Ok(Value::Number(10.0)));
    world.set("level", 7.6);
    assert_eq!(level(&world), Some(true));
    world.set("mood", "angry");
    world.set("weapon", "sword");
    world.set("tint", Color { r: 255, g: 0, b: 0, a: 255 });
    world.tick(0.1);
    assert_eq!(world.state(), "A");
    world.set("ready", true);
    world.tick(0.1);
    assert_eq!(world.state(), "B");
}

#[test]
fn values_are_read_back() {
    let mut world = World::new(typed());
    world.set("mood", "sad");
    world.set("weapon", "a text the program has not");
    world.fire("go");
    assert_eq!(world.instance.get_by_name("mood"), Ok(Value::Variant { index: 2, name: "sad" }));
    assert_eq!(world.instance.get_by_name("weapon"), Ok(Value::Text("a text the program has not")));
    assert_eq!(world.instance.get_by_name("go"), Ok(Value::Trigger(true)));
    world.set("weapon", "none");
    assert_eq!(world.instance.get_by_name("weapon"), Ok(Value::Text("none")));
}

#[test]
fn what_does_not_fit_is_refused_and_the_old_value_stays() {
    let mut world = World::new(typed());
    let before = world.instance.save();
    let mut refuse = |name: &str, value: Value<'_>, message: &str| {
        assert_eq!(
            world.instance.set(name, value).map_err(|error| error.to_string()),
            Err(message.to_owned())
        );
    };
    refuse("levl", Value::Number(1.0), "unknown parameter `levl`; did you mean `level`?");
    refuse("level", Value::Bool(true), "parameter `level` is of type number, not bool");
    refuse("level", Value::Number(f32::NAN), "parameter `level` takes finite numbers only");
    refuse("level", Value::Number(f32::INFINITY), "parameter `level` takes finite numbers only");
    refuse("mood", Value::Text("angri"), "unknown variant `angri`; did you mean `angry`?");
    refuse("weapon", Value::Number(1.0), "parameter `weapon` is of type string, not number");
    assert_eq!(world.instance.save(), before);
}

#[test]
fn typed_ids_set_without_a_name() {
    let mut world = World::new(typed());
    let program = world.program.clone();
    let b = program.find("Parameters").expect("it is there");
    world.instance.set_number(b.number("level").expect("number"), 2.3).expect("it fits");
    world.instance.set_bool(b.boolean("ready").expect("bool"), true).expect("it fits");
    world.instance.set_text(b.text("weapon").expect("text"), "bow").expect("it fits");
    world.instance.set_variant(b.variant("mood").expect("enum"), 1).expect("it fits");
    assert!(world.instance.set_variant(b.variant("mood").expect("enum"), 3).is_err());
    world.instance.set_color(b.color("tint").expect("color"), Color::from_word(7)).expect("it fits");
    world.instance.fire(b.trigger("go").expect("trigger")).expect("it fits");
    assert_eq!(world.instance.get(b.number("level").expect("number")), Some(Value::Number(2.5)));
    assert_eq!(world.instance.get(ParamId(99)), None);
}

#[test]
fn an_action_sets_within_the_range_too() {
    let mut b = Builder::new("Set");
    b.layer("Base");
    let (level, name, copy) = (b.number("level", 0.0), b.text("x"), b.text("copy"));
    let row = &mut b.rows.params[level.index()];
    (row.min, row.max, row.step) = (0.0, 1.0, 0.25);
    let (from, into) = (b.param("from", Type::Text, name.0), b.param("into", Type::Text, copy.0));
    b.machine(None, &["A"]);
    let update = [
        Op::Number { value: 0.6 },
        Op::Set { param: level },
        Op::Param { param: from },
        Op::Set { param: into },
    ];
    b.rows.states[0].update = Some(b.actions(&update));
    let mut world = World::new(b);
    world.set("from", "given by the host");
    world.tick(0.1);
    assert_eq!(world.instance.get_by_name("level"), Ok(Value::Number(0.5)));
    world.set("from", "another");
    assert_eq!(world.instance.get_by_name("into"), Ok(Value::Text("given by the host")));
}

/// A global number, text and enum; an update that writes the number.
fn global() -> Builder {
    let mut b = Builder::new("Global");
    b.layer("Base");
    let calm = b.text("calm day");
    let weather = b.enumeration(None, &["sun", "rain"]);
    let wind = b.number("wind", 1.0);
    b.param("sky", Type::Text, calm.0);
    b.param("weather", Type::Enum(weather), 0);
    for row in &mut b.rows.params {
        row.global = true;
    }
    b.rows.params[0].max = 10.0;
    let s = b.machine(None, &["A", "B"]);
    let go = b.flag("go");
    let go = b.is(go);
    b.from(s[0], &[to(s[1], Some(go), 0)]);
    b.entry(s[1], &[Op::Number { value: 4.0 }, Op::Set { param: wind }]);
    b
}

#[test]
fn a_global_parameter_reads_the_store_and_falls_back() {
    let mut world = World::new(global());
    let mut store = Globals::new();
    store.set("wind", 50.0).expect("it is finite");
    store.set("sky", "stormy").expect("it is a text");
    store.set("weather", "rain").expect("it is a text");
    world.tick_with(0.1, &mut Host { predicates: None, globals: Some(&mut store) });
    assert_eq!(world.instance.get_by_name("wind"), Ok(Value::Number(10.0)));
    assert_eq!(world.instance.get_by_name("sky"), Ok(Value::Text("stormy")));
    assert_eq!(world.instance.get_by_name("weather"), Ok(Value::Variant { index: 1, name: "rain" }));
    world.tick(0.1);
    assert_eq!(world.instance.get_by_name("wind"), Ok(Value::Number(1.0)));
    assert_eq!(world.instance.get_by_name("sky"), Ok(Value::Text("calm day")));
    // A value of another type is none.
    store.set("wind", true).expect("it is a bool");
    world.set("wind", 2.0);
    world.tick_with(0.1, &mut Host { predicates: None, globals: Some(&mut store) });
    assert_eq!(world.instance.get_by_name("wind"), Ok(Value::Number(2.0)));
}

#[test]
fn an_action_writes_the_store_where_the_store_has_it() {
    let mut world = World::new(global());
    let mut store = Globals::new();
    store.set("wind", 2.0).expect("it is finite");
    world.set("go", true);
    world.tick_with(0.1, &mut Host { predicates: None, globals: Some(&mut store) });
    assert_eq!(store.get("wind"), Some(Value::Number(4.0)));
    world.tick(0.1);
    assert_eq!(world.instance.get_by_name("wind"), Ok(Value::Number(1.0)), "its own is untouched");
    let mut world = World::new(global());
    world.set("go", true);
    world.tick(0.1);
    world.tick(0.1);
    assert_eq!(world.instance.get_by_name("wind"), Ok(Value::Number(4.0)));
}
