//! What must hold of an instance whatever happened to it, and of the events of a tick.

use std::sync::Arc;

use motix_vm::ids::{ComponentId, LayerId, MachineId};
use motix_vm::program::tables::Type;
use motix_vm::{EventValue, Frame, Globals, Host, Instance, Sample, Value, Values};

/// How much a sum of rounded weights may be above 1.
const ROUNDING: f32 = 1e-4;

/// Lists that are used again and again, as a host's would be.
#[derive(Default)]
pub(super) struct Lists {
    samples: Vec<Sample>,
    values: Values,
}

/// Reads all that a host can read.
pub(super) fn instance(instance: &Instance, lists: &mut Lists) {
    let program = instance.program().clone();
    let Some(own) = program.at(instance.behavior()) else {
        panic!("an instance is of a behavior of its program")
    };
    instance.samples().for_each(|found| sample(&found));
    for id in std::iter::once(ComponentId::ROOT).chain(own.components()) {
        let (Some(part), Some(behavior)) = (instance.component(id), own.component_behavior(id)) else {
            panic!("{id:?} is a component")
        };
        let rows = behavior.rows();
        for layer in (0..rows.layers.len()).filter_map(LayerId::from_index) {
            let weight = part.layer_weight(layer);
            assert!((0.0..=1.0).contains(&weight), "{layer:?}: {weight}");
        }
        for machine in (0..rows.machines.len()).filter_map(MachineId::from_index) {
            let (fade, elapsed) = (part.fade(machine), part.elapsed(machine));
            assert!((0.0..=1.0).contains(&fade), "{machine:?}: fade {fade}");
            assert!(elapsed >= 0.0 && elapsed.is_finite(), "{machine:?}: {elapsed}");
            let states = rows.machines[machine.index()].states;
            let state = part.state(machine).unwrap_or_else(|| panic!("{machine:?} is in no state"));
            assert!(states.indices().contains(&state.index()) && part.is_in(state), "{machine:?}: {state:?}");
            assert!(rows.states[state.index()].start.is_none(), "{machine:?}: {state:?} is no leaf");
        }
        for info in behavior.params() {
            match part.get(info.id).unwrap_or_else(|| panic!("{} has no value", info.name)) {
                Value::Number(number) => {
                    assert!((info.row.min..=info.row.max).contains(&number), "{}: {number}", info.name);
                }
                Value::Variant { index, name } => {
                    let Type::Enum(of) = info.ty else { panic!("{}: a variant", info.name) };
                    assert_eq!(behavior.variants(of).nth(index.into()), Some(name), "{}", info.name);
                }
                _ => {}
            }
        }
        part.read_values(&mut lists.values);
        for (property, value) in lists.values.iter() {
            assert!(
                !matches!(value, Value::Number(number) if !number.is_finite()),
                "{property:?}: {value:?}"
            );
        }
        part.merged_samples(&mut lists.samples);
        lists.samples.iter().for_each(sample);
        part.resolved(&behavior.unmasked(), &mut lists.samples);
        lists.samples.iter().for_each(sample);
        let sum: f32 =
            lists.samples.iter().filter(|sample| !sample.additive).map(|sample| sample.weight).sum();
        assert!(sum <= 1.0 + ROUNDING, "weights are {sum} in all");
    }
}

fn sample(sample: &Sample) {
    assert!(sample.weight > 0.0 && sample.weight <= 1.0, "{sample:?}");
    assert!((0.0..=1.0).contains(&sample.phase), "{sample:?}");
    assert!(sample.time >= 0.0 && sample.time.is_finite(), "{sample:?}");
}

/// Reads a tick's events.
pub(super) fn events(frame: &Frame, dt: f32) {
    let mut before = 0.0;
    for event in frame.events() {
        assert!(
            (before..=dt).contains(&event.offset) && event.count > 0,
            "{event:?}, before at {before}, dt {dt}"
        );
        before = event.offset;
        for value in frame.values(event) {
            assert!(
                !matches!(value, EventValue::Number(number) if !number.is_finite()),
                "{event:?}: {value:?}"
            );
        }
    }
}

/// A settled instance shows and says nothing new, however long a tick is.
pub(super) fn settled(
    instance: &Instance,
    dt: f32,
    globals: &Globals,
    answer: &mut dyn FnMut(ComponentId, motix_vm::ids::ExternId) -> bool,
) {
    if !instance.is_settled() {
        return;
    }
    let (mut later, mut globals, mut frame) = (instance.clone(), globals.clone(), Frame::new());
    let mut host = Host { predicates: Some(answer), globals: Some(&mut globals) };
    let ticked = later.tick_with(dt, &mut host, &mut frame);
    assert!(ticked.is_ok(), "{ticked:?}");
    assert!(frame.events().is_empty(), "settled, and then: {:?}", frame.events());
    assert!(instance.samples().eq(later.samples()), "settled, and samples change");
    let rows = |instance: &Instance| Arc::clone(instance.program()).behavior(instance.behavior()).cloned();
    let Some(rows) = rows(instance) else { return };
    for machine in (0..rows.machines.len()).filter_map(MachineId::from_index) {
        assert_eq!(instance.state(machine), later.state(machine), "settled, and {machine:?} moves");
    }
    for layer in (0..rows.layers.len()).filter_map(LayerId::from_index) {
        assert_eq!(instance.layer_weight(layer), later.layer_weight(layer), "settled, and {layer:?} moves");
    }
}
