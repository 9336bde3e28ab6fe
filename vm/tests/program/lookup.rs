//! Names to ids: typed parameters, near names, paths of states.

use motix_vm::ids::*;
use motix_vm::program::LookupError;

use crate::support::{Builder, program, sample};

#[test]
fn parameters_have_types() {
    let program = program(sample());
    let sample = program.find("Sample").expect("it is there");
    assert_eq!(sample.number("speed").map(|id| id.id()), Ok(ParamId(0)));
    assert_eq!(sample.trigger("jump").map(ParamId::from), Ok(ParamId(2)));
    assert_eq!(sample.variant("mood").map(|id| id.id()), Ok(ParamId(4)));
    assert_eq!(
        sample.boolean("speed").map_err(|error| error.to_string()),
        Err("parameter `speed` is of type number, not bool".to_owned())
    );
    assert_eq!(
        sample.number("sped").map_err(|error| error.to_string()),
        Err("unknown parameter `sped`; did you mean `speed`?".to_owned())
    );
    assert_eq!(sample.variant_index(EnumId(0), "angry"), Ok(1));
    assert!(
        sample
            .params()
            .map(|param| param.name)
            .eq(["speed", "grounded", "jump", "weapon", "mood", "grip", "tint", "wind"])
    );
}

#[test]
fn things_have_names() {
    let program = program(sample());
    let sample = program.find("Sample").expect("it is there");
    assert_eq!(sample.animation("Slash"), Ok(AnimationId(2)));
    assert_eq!(sample.animation_name(AnimationId(2)), "Slash");
    assert_eq!(sample.layer("Upper"), Ok(LayerId(1)));
    assert_eq!(sample.group("Weapons"), Ok(GroupId(0)));
    assert_eq!(sample.tag("moving"), Ok(TagId(1)));
    assert_eq!(sample.extern_predicate("OnGround"), Ok(ExternId(0)));
    assert_eq!(sample.emit("done"), Ok(EmitId(0)));
    for (row, marker) in sample.rows().markers.iter().enumerate() {
        let id = MarkerId::from_index(row).expect("it is a small table");
        assert_eq!(sample.marker_name(id), program.text(marker.name));
    }
    let slash = AnimationId(2);
    let first = sample.rows().animations[slash.index()].markers.first as u16;
    assert_eq!(sample.marker(slash, sample.marker_name(MarkerId(first))), Ok(MarkerId(first)));
    assert!(sample.marker(slash, "nothing like it").is_err());
    let first = sample.rows().animations[slash.index()].spans.first as u16;
    assert_eq!(sample.span(slash, sample.span_name(SpanId(first))), Ok(SpanId(first)));
    assert!(sample.span(slash, "nothing like it").is_err());
    assert_eq!((sample.marker_name(MarkerId(99)), sample.span_name(SpanId(99))), ("", ""));
    assert_eq!(sample.main_machine(), Some(MachineId(0)));
    assert_eq!(sample.machine("Upper"), Ok(MachineId(1)));
    assert_eq!(
        sample.machine("Uper").map_err(|error| error.to_string()),
        Err("unknown machine of the layer `Uper`; did you mean `Upper`?".to_owned())
    );
    assert_eq!(sample.animation_name(AnimationId(99)), "");
    assert_eq!(
        program.find("sample").map(|found| found.id()).map_err(|error| error.to_string()),
        Err("unknown behavior `sample`; did you mean `Sample`?".to_owned())
    );
}

#[test]
fn states_have_paths() {
    let program = program(sample());
    let sample = program.find("Sample").expect("it is there");
    let find = |name: &str| sample.state(name).map(|id| id.0);
    // The main machine comes before others; a layer's name reaches those.
    assert_eq!(find("Walk"), Ok(1));
    assert_eq!(find("Upper.Walk"), Ok(7));
    assert_eq!(find("Off"), Ok(6));
    assert_eq!(find("Combat.Attack"), Ok(4));
    assert_eq!(find("Attack"), Ok(4));
    assert_eq!(sample.state_path(StateId(4)), "Combat.Attack");
    assert_eq!(sample.state_full_path(StateId(7)), "Upper.Walk");
    assert_eq!(
        sample.state("Combat.Atack").map_err(|error| error.to_string()),
        Err("unknown state `Combat.Atack`; did you mean `Combat.Attack`?".to_owned())
    );
}

#[test]
fn several_states_of_one_name_are_listed() {
    let mut builder = Builder::new("Twins");
    let (left, right) = (builder.layer("Left"), builder.layer("Right"));
    builder.machine(Some(left), &["Idle", "Busy"]);
    builder.machine(Some(right), &["Idle"]);
    let program = program(builder.tables());
    let twins = program.find("Twins").expect("it is there");
    assert_eq!(twins.main_machine(), None);
    assert_eq!(twins.state("Busy"), Ok(StateId(1)));
    assert_eq!(
        twins.state("Idle"),
        Err(LookupError::Ambiguous {
            name: "Idle".to_owned(),
            candidates: vec!["Left.Idle".to_owned(), "Right.Idle".to_owned()],
        })
    );
    assert_eq!(
        twins.state("Idle").map_err(|error| error.to_string()),
        Err("state `Idle` could be `Left.Idle` or `Right.Idle`".to_owned())
    );
}

#[test]
fn debug_places_are_found() {
    let program = program(sample());
    let place = program.state_source(BehaviorId(0), StateId(4)).map(|place| place.to_string());
    assert_eq!(place.as_deref(), Some("sample.motix:5:5"));
    assert_eq!(program.param_source(BehaviorId(0), ParamId(99)), None);
}

#[test]
fn texts_have_ids() {
    let program = program(sample());
    for (index, text) in program.tables().texts.iter().enumerate() {
        assert_eq!(program.text_id(text), Some(TextId(index as u32)));
    }
    assert_eq!(program.text_id("no such text"), None);
    assert_eq!(program.text(TextId(1000)), "");
}

#[test]
fn parameters_tell_their_defaults_and_ranges() {
    use motix_vm::{Color, Value};
    let program = program(sample());
    let sample = program.find("Sample").expect("it is there");
    let shown: Vec<_> = sample.params().map(|param| (param.default, param.min, param.max)).collect();
    let plain = |value| (value, None, None);
    assert_eq!(
        shown,
        [
            (Value::Number(1.0), Some(0.0), Some(10.0)),
            plain(Value::Bool(true)),
            plain(Value::Trigger(false)),
            plain(Value::Text("none")),
            plain(Value::Variant { index: 1, name: "angry" }),
            plain(Value::Variant { index: 2, name: "tight" }),
            plain(Value::Color(Color { r: 0xFF, g: 0x88, b: 0, a: 0xFF })),
            plain(Value::Number(0.0)),
        ]
    );
}

#[test]
fn targets_and_custom_events_are_found() {
    let program = program(sample());
    let sample = program.find("Sample").expect("it is there");
    assert_eq!(sample.targets().collect::<Vec<_>>(), ["card"]);
    assert_eq!(sample.target("card").ok(), program.text_id("card"));
    let error = sample.target("cart").expect_err("it is not there");
    assert_eq!(error.to_string(), "unknown target `cart`; did you mean `card`?");
    // A text of the program that is no target.
    assert!(sample.target("Enter").is_err());
    assert_eq!(sample.custom_inputs().collect::<Vec<_>>(), ["combo"]);
    assert_eq!(sample.custom_input("combo").ok(), program.text_id("combo"));
    assert!(sample.custom_input("Enter").is_err());
}
