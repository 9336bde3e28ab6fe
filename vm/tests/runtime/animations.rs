//! Section 6 of the contract: play and stop, fades, contention, layer weights.

use motix_vm::StopMode::{FadeOut, Immediate};
use motix_vm::ids::*;
use motix_vm::program::tables::*;

use crate::sketch::*;
use crate::support::Builder;
use crate::world::{World, near};

/// Animations of one second that do not loop and fade for 0.2 s, in a group or not.
fn clips(names: &[&str], grouped: bool) -> Builder {
    let mut b = Builder::new("Clips");
    let base = b.layer("Base");
    let group = grouped.then(|| b.group("Weapons"));
    for name in names {
        let id = b.animation(name, base);
        let row = b.row(id);
        (row.group, row.loop_mode, row.fade_in, row.fade_out) = (group, LoopMode::None, 0.0, 0.2);
    }
    b
}

fn row<'b>(b: &'b mut Builder, name: &str) -> &'b mut Animation {
    let id = b.text(name);
    b.rows.animations.iter_mut().find(|row| row.name == id).expect("it is there")
}

#[test]
fn play_fades_in_linearly_to_its_weight() {
    let mut b = clips(&["A"], false);
    (row(&mut b, "A").fade_in, row(&mut b, "A").weight) = (0.4, 0.6);
    let mut world = World::new(b);
    world.play("A");
    assert_eq!(world.tick(0.1), ["Play(A)"]);
    near(world.weight("A"), 0.15);
    world.tick(0.2);
    near(world.weight("A"), 0.45);
    world.tick(0.1);
    assert_eq!(world.weight("A"), 0.6);
}

#[test]
fn playing_what_plays_is_not_even_an_event() {
    let mut world = World::new(clips(&["A"], false));
    world.play("A");
    world.tick(0.1);
    world.play("A");
    assert_eq!(world.tick(0.1), [""; 0]);
    near(world.time("A"), 0.2);
}

#[test]
fn stop_fades_out_and_immediate_cuts() {
    let mut world = World::new(clips(&["A"], false));
    world.play("A");
    world.tick(0.1);
    world.stop("A", FadeOut);
    assert!(!world.playing("A"));
    assert_eq!(world.tick(0.05), ["Stop(A)"]);
    near(world.weight("A"), 0.75);
    world.stop("A", FadeOut);
    assert_eq!(world.tick(0.05), [""; 0], "it is stopping already");
    near(world.weight("A"), 0.5);
    world.stop("A", Immediate);
    assert_eq!(world.weight("A"), 0.0);
    assert_eq!(world.tick(0.1), [""; 0]);
    world.play("A");
    world.stop("A", Immediate);
    assert_eq!(world.tick(0.1), ["Play(A)", "Stop(A)"]);
    assert_eq!(world.instance.samples().count(), 0);
}

#[test]
fn stopping_what_never_played_is_silent() {
    let mut world = World::new(clips(&["A"], true));
    world.stop("A", FadeOut);
    world.stop("A", Immediate);
    assert_eq!(world.tick(0.1), [""; 0]);
}

#[test]
fn fading_out_it_turns_back_from_its_weight() {
    let mut b = clips(&["Once", "Loop"], false);
    row(&mut b, "Once").additive = true;
    (row(&mut b, "Loop").loop_mode, row(&mut b, "Loop").additive) = (LoopMode::Loop, true);
    for name in ["Once", "Loop"] {
        row(&mut b, name).fade_in = 0.2;
    }
    let mut world = World::new(b);
    for name in ["Once", "Loop"] {
        world.play(name);
    }
    world.tick(0.3);
    for name in ["Once", "Loop"] {
        world.stop(name, FadeOut);
    }
    world.tick(0.1);
    near(world.weight("Loop"), 0.5);
    for name in ["Once", "Loop"] {
        world.play(name);
    }
    assert_eq!(world.tick(0.1), ["Play(Once)", "Play(Loop)"]);
    near(world.weight("Loop"), 0.75);
    near(world.weight("Once"), 0.75);
    near(world.time("Loop"), 0.5);
    near(world.time("Once"), 0.1);
}

#[test]
fn what_does_not_loop_finishes_and_fades_out() {
    let mut world = World::new(clips(&["A"], false));
    world.play("A");
    world.tick(0.95);
    assert_eq!(world.tick(0.15), ["Finish(A)"]);
    assert_eq!(world.timed(), ["0.050 Finish(A)"]);
    near(world.weight("A"), 0.5);
    near(world.time("A"), 1.0);
    assert!(world.instance.finished(world.clip("A")) && !world.playing("A"));
    world.tick(0.1);
    assert_eq!(world.instance.samples().count(), 0);
    assert!(world.instance.finished(world.clip("A")));
    world.play("A");
    assert!(!world.instance.finished(world.clip("A")));
}

#[test]
fn an_equal_or_higher_priority_replaces_the_holder() {
    for grouped in [true, false] {
        let mut world = World::new(clips(&["Swing", "Parry"], grouped));
        world.play("Swing");
        world.tick(0.1);
        world.play("Parry");
        assert_eq!(world.tick(0.1), ["Stop(Swing)", "Play(Parry)"]);
        assert!(world.playing("Parry") && !world.playing("Swing"));
        near(world.weight("Swing"), 0.5);
    }
}

#[test]
fn a_replacement_in_the_middle_of_a_tick_fades_for_the_rest_of_it() {
    // Heavy is protected until 0.05 s into the second tick of 0.2 s; then Swing replaces it.
    let mut b = clips(&["Heavy", "Swing"], true);
    (row(&mut b, "Heavy").min_duration, row(&mut b, "Heavy").fade_out) = (0.25, 0.5);
    row(&mut b, "Swing").fade_in = 0.3;
    let mut world = World::new(b);
    world.play("Heavy");
    world.tick(0.2);
    world.play("Swing");
    world.tick(0.2);
    assert_eq!(world.timed(), ["0.000 Defer(Swing)", "0.050 Stop(Heavy)", "0.050 Play(Swing)"]);
    near(world.weight("Heavy"), 0.7);
    near(world.weight("Swing"), 0.5);
    near(world.time("Swing"), 0.15);
}

#[test]
fn a_lower_one_waits_until_the_holder_is_done() {
    let mut b = clips(&["Swing", "Taunt"], true);
    row(&mut b, "Swing").priority = 1;
    let mut world = World::new(b);
    world.play("Swing");
    world.tick(0.1);
    world.play("Taunt");
    assert_eq!(world.tick(0.1), ["Defer(Taunt)"]);
    assert!(!world.playing("Taunt"));
    assert_eq!(world.tick(0.9), ["Finish(Swing)", "Play(Taunt)"]);
    near(world.time("Taunt"), 0.1);
}

#[test]
fn a_holder_that_stops_lets_the_waiting_one_in() {
    let mut b = clips(&["Swing", "Taunt"], true);
    row(&mut b, "Swing").priority = 1;
    let mut world = World::new(b);
    world.play("Swing");
    world.play("Taunt");
    world.stop("Swing", FadeOut);
    assert_eq!(world.tick(0.1), ["Play(Swing)", "Defer(Taunt)", "Stop(Swing)", "Play(Taunt)"]);
}

#[test]
fn one_waits_and_a_later_one_evicts_it() {
    let mut b = clips(&["Swing", "Taunt", "Wave"], true);
    row(&mut b, "Swing").priority = 1;
    let mut world = World::new(b);
    for name in ["Swing", "Taunt", "Wave", "Wave"] {
        world.play(name);
    }
    assert_eq!(world.tick(0.1), ["Play(Swing)", "Defer(Taunt)", "Reject(Taunt)", "Defer(Wave)"]);
    world.stop("Wave", FadeOut);
    assert_eq!(world.tick(1.0), ["Finish(Swing)"], "stopped, it waits no more");
}

#[test]
fn nothing_waits_for_a_loop_without_protection() {
    let mut b = clips(&["Loop", "Taunt"], true);
    let holder = row(&mut b, "Loop");
    (holder.loop_mode, holder.priority, holder.min_duration) = (LoopMode::Loop, 1, 0.3);
    let mut world = World::new(b);
    world.play("Loop");
    world.play("Taunt");
    assert_eq!(world.tick(0.2), ["Play(Loop)", "Defer(Taunt)"]);
    // When the protection ends it is judged again.
    world.tick(0.2);
    assert_eq!(world.timed(), ["0.100 Reject(Taunt)"]);
    world.play("Taunt");
    assert_eq!(world.tick(0.1), ["Reject(Taunt)"]);
}

#[test]
fn min_duration_protects_against_everything() {
    let mut b = clips(&["Heavy", "Swing"], true);
    row(&mut b, "Heavy").min_duration = 0.4;
    row(&mut b, "Swing").priority = 99;
    let mut world = World::new(b);
    world.play("Heavy");
    world.tick(0.1);
    world.play("Swing");
    world.tick(0.2);
    assert!(world.playing("Heavy"));
    world.tick(0.2);
    assert!(world.playing("Swing"));
    near(world.time("Swing"), 0.1);
}

#[test]
fn can_interrupt_false_protects_against_its_equals() {
    let mut b = clips(&["Slow", "Equal", "Higher"], true);
    row(&mut b, "Slow").can_interrupt = false;
    row(&mut b, "Higher").priority = 1;
    let mut world = World::new(b);
    world.play("Slow");
    world.play("Equal");
    assert_eq!(world.tick(0.1), ["Play(Slow)", "Defer(Equal)"]);
    world.play("Higher");
    // Who waits goes on waiting, now for the new holder.
    assert_eq!(world.tick(0.1), ["Stop(Slow)", "Play(Higher)"]);
    assert_eq!(world.tick(0.9), ["Finish(Higher)", "Play(Equal)"]);
}

#[test]
fn ungrouped_ones_of_a_layer_contend_and_additive_ones_do_not() {
    let mut b = clips(&["High", "Low", "Add"], false);
    row(&mut b, "High").priority = 1;
    row(&mut b, "Add").additive = true;
    let upper = b.layer("Upper");
    let other = b.animation("Other", upper);
    let mut world = World::new(b);
    for name in ["High", "Low", "Add", "Other"] {
        world.play(name);
    }
    assert_eq!(world.tick(0.1), ["Play(High)", "Reject(Low)", "Play(Add)", "Play(Other)"]);
    let layers: Vec<(u16, bool)> =
        world.instance.samples().map(|sample| (sample.layer.0, sample.additive)).collect();
    assert_eq!(layers, [(0, false), (0, true), (1, false)]);
    assert!(world.instance.playing(other));
}

#[test]
fn one_that_fades_out_holds_no_place() {
    let mut b = clips(&["High", "Low"], false);
    row(&mut b, "High").priority = 1;
    let mut world = World::new(b);
    world.play("High");
    world.stop("High", FadeOut);
    world.play("Low");
    assert_eq!(world.tick(0.1), ["Play(High)", "Stop(High)", "Play(Low)"]);
}

#[test]
fn groups_and_tags_are_stopped_and_played_together() {
    let mut b = clips(&["Swing", "Taunt", "Hum"], true);
    row(&mut b, "Swing").priority = 1;
    row(&mut b, "Hum").group = None;
    let tag = b.text("combat");
    b.rows.tags.push(tag);
    for name in ["Taunt", "Hum"] {
        let tags = append(&mut b.rows.tag_lists, &[TagId(0)]);
        row(&mut b, name).tags = tags;
    }
    let mut world = World::new(b);
    world.play("Swing");
    world.instance.play_tag(TagId(0)).expect("it is there");
    assert_eq!(world.tick(0.1), ["Play(Swing)", "Defer(Taunt)", "Play(Hum)"]);
    world.instance.stop_tag(TagId(0), FadeOut).expect("it is there");
    assert_eq!(world.tick(0.1), ["Stop(Hum)"]);
    world.play("Taunt");
    world.instance.stop_group(GroupId(0), Immediate).expect("it is there");
    assert_eq!(world.tick(0.01), ["Defer(Taunt)", "Stop(Swing)"]);
    assert_eq!(world.weight("Swing"), 0.0);
    assert!(!world.playing("Taunt"));
}

#[test]
fn layers_move_at_their_rate_and_reach_their_target() {
    let mut b = Builder::new("LayerMarks");
    let (base, upper) = (b.layer("Base"), b.layer("Upper"));
    (b.rows.layers[1].base_weight, b.rows.layers[1].lerp_rate) = (0.8, 4.0);
    let to_param = b.number("to", 0.0);
    let s = b.machine(None, &["Idle", "Aim", "Plain", "Half"]);
    let mark = |layer, target| Mark { layer, target };
    let marks = [
        vec![mark(base, MarkTarget::Base), mark(upper, MarkTarget::Zero)],
        vec![mark(upper, MarkTarget::Base)],
        vec![],
        vec![mark(upper, MarkTarget::Weight(0.5))],
    ];
    for (state, marks) in s.iter().zip(marks) {
        b.rows.states[state.index()].marks = append(&mut b.rows.marks, &marks);
    }
    let conditions: Vec<CodeId> = (0..4).map(|index| b.equals(to_param, index as f32)).collect();
    let transitions: Vec<Transition> =
        s.iter().zip(&conditions).map(|(state, code)| crate::support::to(*state, Some(*code), 0)).collect();
    b.rows.machines[0].any = b.transitions(&transitions);
    let mut world = World::new(b);
    let upper_weight = |world: &World| world.instance.layer_weight(upper);
    assert_eq!((world.instance.layer_weight(base), upper_weight(&world)), (1.0, 0.0));
    world.set("to", 1.0);
    world.tick(0.1);
    near(upper_weight(&world), 0.4);
    world.tick(0.3);
    assert_eq!(upper_weight(&world), 0.8);
    // A state that does not mention it leaves it.
    world.set("to", 2.0);
    world.tick(1.0);
    assert_eq!(upper_weight(&world), 0.8);
    world.set("to", 3.0);
    world.tick(1.0);
    assert_eq!(upper_weight(&world), 0.5);
    world.set("to", 0.0);
    world.tick(0.05);
    near(upper_weight(&world), 0.3);
    world.tick(0.3);
    assert_eq!(upper_weight(&world), 0.0);
    world.instance.set_layer_target(upper, 7.0).expect("it is there");
    world.tick(1.0);
    assert_eq!(upper_weight(&world), 1.0);
}

#[test]
fn a_layer_follows_its_weight_expression_while_active() {
    let mut b = Builder::new("Aim");
    let (_, upper) = (b.layer("Base"), b.layer("Upper"));
    let aim = b.number("aim", 0.25);
    b.rows.layers[1].weight = Some(b.number_code(&[motix_vm::op::Op::Param { param: aim }]));
    b.rows.layers[1].lerp_rate = 1.0;
    let mut world = World::new(b);
    assert_eq!(world.instance.layer_weight(upper), 0.25);
    world.set("aim", 5.0);
    world.tick(0.25);
    near(world.instance.layer_weight(upper), 0.5);
    world.tick(5.0);
    assert_eq!(world.instance.layer_weight(upper), 1.0);
}

/// Only those that play are looked at; it must be those, however many there are.
#[test]
fn of_many_those_that_play_are_shown_and_move() {
    for count in [40_u16, 200, 3000] {
        let mut b = Builder::new("Many");
        let base = b.layer("Base");
        for index in 0..count {
            let id = b.animation(&format!("A{index}"), base);
            let row = b.row(id);
            (row.additive, row.fade_in, row.fade_out) = (true, 0.0, 0.0);
        }
        let mut world = World::new(b);
        let mut dice = crate::random::Dice::new(count.into());
        let mut plays = std::collections::BTreeMap::new();
        for tick in 0..200 {
            let id = AnimationId(dice.below(count.into()) as u16);
            let any = plays.keys().nth(dice.below(plays.len().max(1))).copied();
            match any.filter(|_| dice.chance(45)) {
                Some(stopped) => {
                    world.instance.stop(stopped, Immediate).expect("it can be stopped");
                    plays.remove(&stopped);
                }
                None => {
                    world.instance.play(id).expect("it can be played");
                    plays.entry(id).or_insert(tick);
                }
            }
            world.tick(1.0 / 512.0);
            if dice.chance(10) {
                let save = world.instance.save();
                world.instance.restore(&save).expect("it can be restored");
            }
            let shown: Vec<_> =
                world.instance.samples().map(|sample| (sample.animation, sample.time)).collect();
            let expected = plays.iter().map(|(id, start)| (*id, (tick + 1 - start) as f32 / 512.0));
            assert_eq!(shown.len(), plays.len());
            for ((id, time), (expected, since)) in shown.into_iter().zip(expected) {
                assert_eq!(id, expected);
                near(time, since);
            }
        }
    }
}
