//! Values of tracks and views of samples: the interface of the host, and what holds for all behaviors.

use std::sync::Arc;

use motix_vm::easing::Easing;
use motix_vm::ids::*;
use motix_vm::program::tables::*;
use motix_vm::{Color, Frame, Instance, Program, Sample, Setup, StopMode, Value, Values};

use crate::motions::{faded, motion};
use crate::random::Dice;
use crate::sketch::*;
use crate::support::{Builder, program, to};

/// A property of a target.
fn property(b: &mut Builder, target: &str, name: &str, ty: Type, rest: Option<u32>) -> PropertyId {
    let (target, name) = (b.text(target), b.text(name));
    b.rows.properties.push(Property { target, name, ty, rest });
    PropertyId(b.rows.properties.len() as u16 - 1)
}

/// Gives an animation its tracks: properties ascending, keys at shares of the clip.
fn tracks(b: &mut Builder, animation: AnimationId, tracks: &[(PropertyId, &[(f32, u32)])]) {
    let mut curves = Vec::new();
    for (property, keys) in tracks {
        let easing = Easing::EaseInOut;
        let keys: Vec<Key> = keys.iter().map(|(at, value)| Key { at: *at, value: *value, easing }).collect();
        let keys = append(&mut b.rows.keys, &keys);
        curves.push(Curve { property: *property, seconds: false, keys });
    }
    b.row(animation).curves = append(&mut b.rows.curves, &curves);
}

fn mask(b: &mut Builder, name: &str, include: &[&str], exclude: &[&str]) -> MaskId {
    let name = b.text(name);
    let include: Vec<TextId> = include.iter().map(|pattern| b.text(pattern)).collect();
    let exclude: Vec<TextId> = exclude.iter().map(|pattern| b.text(pattern)).collect();
    let (include, exclude) = (append(&mut b.rows.patterns, &include), append(&mut b.rows.patterns, &exclude));
    b.rows.masks.push(Mask { name, include, exclude });
    MaskId(b.rows.masks.len() as u16 - 1)
}

/// Two properties of a button; one animation that an action starts at once.
fn button() -> Arc<Program> {
    let mut b = Builder::new("Button");
    let base = b.layer("Base");
    let opacity = property(&mut b, "button-bg", "opacity", Type::Number, Some(0.5_f32.to_bits()));
    let tint = property(&mut b, "button-bg", "tint", Type::Color, None);
    property(&mut b, "icon", "opacity", Type::Number, None);
    let pulse = b.animation("Pulse", base);
    (b.row(pulse).fade_in, b.row(pulse).fade_out) = (0.0, 0.0);
    let bits = f32::to_bits;
    tracks(&mut b, pulse, &[(opacity, &[(0.0, bits(0.0)), (1.0, bits(1.0))]), (tint, &[(0.0, 0xFF00_00FF)])]);
    Arc::new(program(b.tables()))
}

#[test]
fn properties_are_listed_and_found_by_name() {
    let program = button();
    let button = program.at(BehaviorId(0)).expect("it is there");
    let listed: Vec<_> =
        button.properties().map(|row| (row.id.0, row.target, row.name, row.ty, row.rest)).collect();
    let clear = Value::Color(Color::default());
    assert_eq!(
        listed,
        [
            (0, "button-bg", "opacity", Type::Number, Value::Number(0.5)),
            (1, "button-bg", "tint", Type::Color, clear),
            (2, "icon", "opacity", Type::Number, Value::Number(0.0)),
        ]
    );
    assert_eq!(button.property("button-bg", "tint"), Ok(PropertyId(1)));
    let wrong = |target, name| button.property(target, name).map_err(|error| error.to_string());
    assert_eq!(wrong("buton-bg", "tint"), Err("unknown target `buton-bg`; did you mean `button-bg`?".into()));
    assert_eq!(wrong("icon", "opacty"), Err("unknown property `opacty`; did you mean `opacity`?".into()));
    assert_eq!(wrong("icon", "tint"), Err("unknown property `tint`".into()));
}

#[test]
fn values_are_read_one_by_one_and_all_at_once() {
    let program = button();
    let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
    let (mut frame, mut values) = (Frame::new(), Values::new());
    assert_eq!(values.get(PropertyId(0)), None);
    instance.read_values(&mut values);
    assert_eq!(values.changed().count(), 3);
    assert_eq!(values.get(PropertyId(0)), Some(Value::Number(0.5)));
    instance.play(AnimationId(0)).expect("it is there");
    instance.tick(0.5, &mut frame).expect("it ticks");
    instance.read_values(&mut values);
    // Half way is half, and 0.5 was read before.
    let red = Value::Color(Color { r: 255, g: 0, b: 0, a: 255 });
    assert_eq!(values.changed().collect::<Vec<_>>(), [(PropertyId(1), red)]);
    let all = [Value::Number(0.5), red, Value::Number(0.0)];
    assert_eq!(values.iter().map(|(_, value)| value).collect::<Vec<_>>(), all);
    assert_eq!(values.get(PropertyId(3)), None);
    for (property, value) in values.iter() {
        assert_eq!(instance.property(property), value);
    }
    assert_eq!(instance.property(PropertyId(3)), Value::Number(0.0));
}

#[test]
fn values_of_any_size_stay_finite() {
    let mut b = Builder::new("Large");
    let base = b.layer("Base");
    let x = property(&mut b, "box", "x", Type::Number, Some(f32::MAX.to_bits()));
    let clips: Vec<AnimationId> = (0..3).map(|index| b.animation(&format!("c{index}"), base)).collect();
    for clip in &clips {
        let most = f32::MAX.to_bits();
        tracks(&mut b, *clip, &[(x, &[(0.0, most), (0.5, (-f32::MAX).to_bits()), (1.0, most)])]);
        b.row(*clip).additive = true;
    }
    let wild = Easing::CubicBezier { x1: 0.5, y1: f32::MAX, x2: 0.5, y2: -f32::MAX };
    b.rows.keys.iter_mut().for_each(|key| key.easing = wild);
    let program = Arc::new(program(b.tables()));
    let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
    let mut frame = Frame::new();
    clips.iter().for_each(|clip| instance.play(*clip).expect("it is there"));
    for _ in 0..40 {
        instance.tick(0.03, &mut frame).expect("it ticks");
        let Value::Number(value) = instance.property(x) else { panic!("it is a number") };
        assert!(value.is_finite(), "{value}");
    }
}

/// What a random behavior has.
#[derive(Clone, Copy)]
struct Shape {
    additive: bool,
    /// Every animation has a track of one key for every property.
    whole: bool,
    /// Properties in another order.
    turned: bool,
}

const TARGETS: [&str; 3] = ["arm-left", "arm-right", "leg"];

/// Two layers with machines that fade all the time and one without, all three with animations that actions start.
fn behavior(seed: u64, shape: Shape) -> Builder {
    let mut dice = Dice::new(seed);
    let mut b = Builder::new("Values");
    let layers = [b.layer("Low"), b.layer("Middle"), b.layer("High")];
    let masks =
        [mask(&mut b, "Arms", &["arm*"], &["*right"]), mask(&mut b, "Legs", &["*g", "?rm-left"], &[])];
    for layer in layers {
        let row = &mut b.rows.layers[layer.index()];
        (row.base_weight, row.lerp_rate) = (0.5 + dice.number(0.5), 2.0);
        row.mask = [None, Some(masks[0]), Some(masks[1])][dice.below(3)];
        row.additive = shape.additive && dice.chance(20);
    }
    let mut rows: Vec<(&str, Type, Option<u32>)> = Vec::new();
    for target in TARGETS {
        rows.push((target, Type::Number, dice.chance(70).then(|| (dice.number(10.0) - 5.0).to_bits())));
        rows.push((target, Type::Color, dice.chance(70).then(|| dice.below(u32::MAX as usize) as u32)));
    }
    let place = |index: usize| if shape.turned { rows.len() - 1 - index } else { index };
    for index in 0..rows.len() {
        let (target, ty, rest) = rows[place(index)];
        property(&mut b, target, ty.name(), ty, rest);
    }
    let mut clips = Vec::new();
    for index in 0..9 {
        let clip = b.animation(&format!("c{index}"), layers[dice.below(3)]);
        let row = b.row(clip);
        (row.fade_in, row.fade_out, row.duration) = (0.5, 0.5, Some(0.5 + dice.number(1.0)));
        row.weight = 0.5 + dice.number(0.5);
        row.loop_mode = [LoopMode::Loop, LoopMode::PingPong][dice.below(2)];
        row.additive = shape.additive && dice.chance(20);
        let mut own: Vec<(PropertyId, Vec<(f32, u32)>)> = Vec::new();
        for (at, (_, ty, _)) in rows.iter().enumerate() {
            let keys: Vec<(f32, u32)> = (0..if shape.whole { 1 } else { 1 + dice.below(3) })
                .map(|key| {
                    let number = (dice.number(10.0) - 5.0).to_bits();
                    let color = dice.below(u32::MAX as usize) as u32;
                    (key as f32 / 4.0, if *ty == Type::Number { number } else { color })
                })
                .collect();
            if shape.whole || dice.chance(60) {
                own.push((PropertyId(place(at) as u16), keys));
            }
        }
        own.sort_by_key(|(property, _)| *property);
        let own: Vec<(PropertyId, &[(f32, u32)])> = own.iter().map(|(id, keys)| (*id, &keys[..])).collect();
        tracks(&mut b, clip, &own);
        clips.push(clip);
    }
    for layer in [None, Some(layers[1])] {
        let names = ["A", "B", "C"];
        let states = b.machine(layer, &names);
        for state in &states {
            let clip = motion(&mut b, clips[dice.below(clips.len())]);
            b.rows.states[state.index()].motion = Some(clip);
            let targets: Vec<Transition> =
                states.iter().filter(|to| *to != state).map(|id| faded(0.5, to(*id, None, 0))).collect();
            let on_request: Vec<Transition> =
                targets.into_iter().map(|row| Transition { on_request: true, ..row }).collect();
            b.from(*state, &on_request);
        }
    }
    b
}

/// Runs a random behavior; `look` is called after each tick.
fn play(seed: u64, shape: Shape, dt: f32, mut look: impl FnMut(&Instance)) {
    let program = Arc::new(program(behavior(seed, shape).tables()));
    let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
    let mut frame = Frame::new();
    let mut dice = Dice::new(seed + 1_000);
    let rare = (0.05 / dt) as usize;
    for _ in 0..400 {
        if dice.below(rare.max(1)) == 0 {
            match dice.below(4) {
                0 => instance.play(AnimationId(dice.below(9) as u16)).expect("it is there"),
                1 => {
                    instance.stop(AnimationId(dice.below(9) as u16), StopMode::FadeOut).expect("it is there")
                }
                2 => {
                    let layer = LayerId(dice.below(3) as u16);
                    instance.set_layer_target(layer, dice.number(1.0)).expect("it is there");
                }
                _ => instance.request(StateId(dice.below(6) as u16), 0).expect("it is there"),
            }
        }
        instance.tick(dt, &mut frame).expect("it ticks");
        look(&instance);
    }
}

fn numbers(value: Value<'_>) -> Vec<f64> {
    match value {
        Value::Color(color) => color.to_word().to_be_bytes().map(f64::from).to_vec(),
        Value::Number(number) => vec![number.into()],
        _ => vec![],
    }
}

const PLAIN: Shape = Shape { additive: false, whole: false, turned: false };

#[test]
fn a_value_lies_between_those_that_go_into_it() {
    for seed in 0..20 {
        let rows = behavior(seed, PLAIN).rows;
        let hulls: Vec<Vec<(f64, f64)>> = (0..rows.properties.len())
            .map(|index| {
                let row = rows.properties[index];
                let own = rows.curves.iter().filter(|curve| curve.property.index() == index);
                let words = own.flat_map(|curve| curve.keys.of(&rows.keys)).map(|key| key.value);
                let mut hull: Vec<(f64, f64)> = Vec::new();
                for word in words.chain([row.rest.unwrap_or(0)]) {
                    let value = match row.ty {
                        Type::Color => numbers(Value::Color(Color::from_word(word))),
                        _ => numbers(Value::Number(f32::from_bits(word))),
                    };
                    hull.resize(value.len(), (f64::MAX, f64::MIN));
                    for (place, value) in hull.iter_mut().zip(value) {
                        *place = (place.0.min(value), place.1.max(value));
                    }
                }
                hull
            })
            .collect();
        play(seed, PLAIN, 0.05, |instance| {
            for (index, hull) in hulls.iter().enumerate() {
                let value = numbers(instance.property(PropertyId(index as u16)));
                for (value, (low, high)) in value.iter().zip(hull) {
                    assert!((low..=high).contains(&value), "seed {seed}, property {index}: {value}");
                }
            }
        });
    }
}

#[test]
fn all_at_once_is_as_one_by_one() {
    for seed in 0..12 {
        let mut values = Values::new();
        let mut before: Vec<Value<'static>> = Vec::new();
        play(seed, Shape { additive: true, ..PLAIN }, 0.05, |instance| {
            instance.read_values(&mut values);
            let all: Vec<Value<'static>> = values.iter().map(|(_, value)| value).collect();
            for (index, value) in all.iter().enumerate() {
                assert_eq!(instance.property(PropertyId(index as u16)), *value, "seed {seed}");
                let changed = before.get(index) != Some(value);
                assert_eq!(values.changed().any(|(id, _)| id.index() == index), changed, "seed {seed}");
            }
            before = all;
        });
    }
}

#[test]
fn the_order_of_properties_changes_nothing() {
    for seed in 0..12 {
        let run = |turned| {
            let mut found = Vec::new();
            play(seed, Shape { additive: true, whole: false, turned }, 0.05, |instance| {
                let behavior = instance.program().at(BehaviorId(0)).expect("it is there");
                for target in TARGETS {
                    for name in ["number", "color"] {
                        let id = behavior.property(target, name).expect("it is there");
                        found.push(numbers(instance.property(id)));
                    }
                }
            });
            found
        };
        assert_eq!(run(false), run(true), "seed {seed}");
    }
}

/// Fades of half a second, layers that move by 2 a second: in a thousandth nothing moves far, whatever interrupts it.
#[test]
fn no_interruption_makes_a_value_jump() {
    let shape = Shape { whole: true, ..PLAIN };
    for seed in 0..20 {
        let mut before: Option<Vec<f64>> = None;
        play(seed, shape, 0.001, |instance| {
            let now: Vec<f64> =
                (0..6).step_by(2).flat_map(|index| numbers(instance.property(PropertyId(index)))).collect();
            if let Some(before) = &before {
                for (before, now) in before.iter().zip(&now) {
                    assert!((before - now).abs() < 0.2, "seed {seed}: from {before} to {now}");
                }
            }
            before = Some(now);
        });
    }
}

#[test]
fn resolved_weights_give_the_mixed_values() {
    let shape = Shape { whole: true, ..PLAIN };
    for seed in 0..20 {
        let rows = behavior(seed, shape).rows;
        let mut samples = Vec::new();
        play(seed, shape, 0.05, |instance| {
            let behavior = instance.program().at(BehaviorId(0)).expect("it is there");
            for (index, row) in rows.properties.iter().enumerate().filter(|(_, row)| row.ty == Type::Number) {
                let region = behavior.region_of(instance.program().text(row.target));
                instance.resolved(&region, &mut samples);
                let sum: f64 = samples.iter().map(|sample| f64::from(sample.weight)).sum();
                assert!(sum <= 1.0 + 1e-6, "seed {seed}: {sum}");
                let mut mixed = (1.0 - sum) * f64::from(f32::from_bits(row.rest.unwrap_or(0)));
                for sample in &samples {
                    let curves = rows.animations[sample.animation.index()].curves.of(&rows.curves);
                    let curve = curves.iter().find(|curve| curve.property.index() == index);
                    let key = curve.expect("it has all").keys.of(&rows.keys)[0];
                    mixed += f64::from(sample.weight) * f64::from(f32::from_bits(key.value));
                }
                let found = numbers(instance.property(PropertyId(index as u16)))[0];
                assert!((found - mixed).abs() < 1e-4, "seed {seed}: {found} and {mixed}");
            }
        });
    }
}

/// One layer over another, which has a mask.
fn layered() -> (Arc<Program>, [AnimationId; 4]) {
    let mut b = Builder::new("Layered");
    let (base, upper) = (b.layer("Base"), b.layer("Upper"));
    let arms = mask(&mut b, "Arms", &["Arm*"], &[]);
    b.rows.layers[upper.index()].mask = Some(arms);
    b.rows.layers[upper.index()].base_weight = 0.75;
    let clips = [
        b.animation("Walk", base),
        b.animation("Wave", base),
        b.animation("Aim", upper),
        b.animation("Breathe", base),
    ];
    for clip in clips {
        b.row(clip).fade_in = 0.0;
    }
    b.row(clips[1]).weight = 0.25;
    b.row(clips[3]).additive = true;
    let state = b.machine(None, &["Walk"])[0];
    let walk = motion(&mut b, clips[0]);
    b.rows.states[state.index()].motion = Some(walk);
    (Arc::new(program(b.tables())), clips)
}

#[test]
fn a_lower_layer_gets_what_a_higher_one_leaves() {
    let (program, [walk, wave, aim, breathe]) = layered();
    let behavior = program.at(BehaviorId(0)).expect("it is there");
    let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
    [wave, aim, breathe].into_iter().for_each(|clip| instance.play(clip).expect("it is there"));
    instance.tick(0.1, &mut Frame::new()).expect("it ticks");
    let weights = |region: &motix_vm::Region| {
        let mut out = Vec::new();
        instance.resolved(region, &mut out);
        let of = |id| {
            out.iter().find(|sample| sample.animation == id).map_or(0.0, |sample: &Sample| sample.weight)
        };
        [walk, wave, aim, breathe].map(of)
    };
    let (arm, leg) = (behavior.region_of("ArmL"), behavior.region_of("Leg"));
    assert_eq!(weights(&leg), [0.75, 0.25, 0.0, 1.0]);
    assert_eq!(weights(&arm), [0.1875, 0.0625, 0.75, 0.25]);
    assert_eq!(behavior.unmasked(), leg);
    assert_eq!(arm.layers().collect::<Vec<_>>(), [LayerId(0), LayerId(1)]);
    let (regions, of) = behavior.regions(["Leg", "ArmL", "Spine", "ArmR"]);
    assert_eq!((regions, of), (vec![leg, arm], vec![0, 1, 0, 1]));
    assert!(behavior.mask_includes(MaskId(0), "Arm") && !behavior.mask_includes(MaskId(0), "Leg"));
}

#[test]
fn playheads_of_one_animation_are_merged() {
    let mut b = Builder::new("Merged");
    let (base, upper) = (b.layer("Base"), b.layer("Upper"));
    let [walk, run] = [b.animation("Walk", base), b.animation("Run", base)];
    let go = b.flag("go");
    let states = b.machine(None, &["Walk", "Run"]);
    for (state, clip) in states.iter().zip([walk, run]) {
        let motion = motion(&mut b, clip);
        b.rows.states[state.index()].motion = Some(motion);
    }
    let (is, not) = (b.is(go), b.condition(&[motix_vm::op::Op::Param { param: go }, motix_vm::op::Op::Not]));
    b.from(states[0], &[faded(1.0, to(states[1], Some(is), 0))]);
    b.from(states[1], &[faded(1.0, to(states[0], Some(not), 0))]);
    b.row(run).layer = upper;
    (b.row(run).fade_in, b.row(run).weight) = (0.0, 0.5);
    let program = Arc::new(program(b.tables()));
    let mut instance = Instance::new(&program, BehaviorId(0), &Setup::default()).expect("it can be made");
    let (mut frame, mut out) = (Frame::new(), Vec::new());
    instance.set("go", true).expect("it fits");
    instance.tick(0.25, &mut frame).expect("it ticks");
    instance.set("go", false).expect("it fits");
    instance.tick(0.25, &mut frame).expect("it ticks");
    instance.play(run).expect("it is there");
    instance.tick(0.0, &mut frame).expect("it ticks");
    let walks: Vec<Sample> = instance.samples().filter(|sample| sample.animation == walk).collect();
    assert_eq!(walks.iter().map(|sample| sample.time).collect::<Vec<_>>(), [0.25, 0.5]);
    let heaviest = if walks[0].weight > walks[1].weight { walks[0] } else { walks[1] };
    instance.merged_samples(&mut out);
    let merged: Vec<_> = out.iter().map(|sample| (sample.layer, sample.animation)).collect();
    assert_eq!(merged, [(base, walk), (base, run), (upper, run)]);
    assert_eq!((out[0].key, out[0].time), (heaviest.key, heaviest.time));
    assert!((out[0].weight - walks[0].weight - walks[1].weight).abs() < 1e-6);
    let unmasked = program.at(BehaviorId(0)).expect("it is there").unmasked();
    instance.merged_resolved(&unmasked, &mut out);
    assert_eq!(out.iter().map(|sample| sample.animation).collect::<Vec<_>>(), [walk, run]);
    let sum: f32 = out.iter().map(|sample| sample.weight).sum();
    assert!((sum - 1.0).abs() < 1e-6, "{sum}");
}
