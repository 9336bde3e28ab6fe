//! Runs the model and the runtime side by side, and says where they part.

use std::fmt::Write as _;

use super::behavior::{Behavior, Step};
use super::playhead::NEAR;
use super::real::{Counted, Real};
use super::text::{self, Order};
use super::world::{Event, Kind, Shown, World};

/// How far times and weights may differ.
const APART: f64 = 1e-4;

/// More combinations of what chance may decide in a tick are not tried.
const CHOICES: usize = 200;
/// More that chance may have decided so far are not followed.
const MODELS: usize = 16;

/// The most events of a tick that a frame holds.
const FRAME: usize = 1 << 16;

/// How far values of tracks may be outside of their range.
const VALUES_APART: f64 = 0.01;

/// How a run went.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// To the end.
    Same,
    /// Up to where the model cannot tell rounding from a difference.
    Unsure(&'static str),
    /// They part: at which step of the script, and how.
    Differ(usize, String),
}

/// Runs both.
#[must_use]
pub fn compare(behavior: &Behavior, script: &[Step]) -> Verdict {
    let mut real = match Real::new(behavior, &Order::plain(behavior), 0) {
        Ok(real) => real,
        Err(error) => return Verdict::Differ(0, error),
    };
    // Where chance decided, all that it may have been.
    let mut models = vec![World::new(behavior)];
    for (index, step) in script.iter().enumerate() {
        if let Err(error) = real.host(step) {
            return Verdict::Differ(index, error);
        }
        if !matches!(step, Step::Tick(_)) {
            models.iter_mut().for_each(|model| model.host(step));
            if let Some(model) = models.iter().find(|model| model.heard != real.heard) {
                let difference = format!("heard: model {}, runtime {}", model.heard, real.heard);
                return Verdict::Differ(index, difference);
            }
            continue;
        }
        match tick(&models, step, &real) {
            Ok(next) => models = next,
            Err(verdict) => return verdict.unwrap_or_else(|difference| Verdict::Differ(index, difference)),
        }
        models.iter_mut().for_each(World::forget);
    }
    Verdict::Same
}

/// The models after a tick that are like the runtime, whatever chance decided. Otherwise why they cannot be compared, or
/// how they differ where chance decides for the first of each choice.
fn tick<'b>(
    before: &[World<'b>],
    step: &Step,
    real: &Real,
) -> Result<Vec<World<'b>>, Result<Verdict, String>> {
    let (mut next, mut first, mut tried) = (Vec::new(), None, 0);
    for before in before {
        let mut draws = before.drawn_by_part();
        draws.iter_mut().for_each(Vec::clear);
        loop {
            let mut model = before.clone();
            model.prescribe(&mut draws.iter());
            model.host(step);
            if let Some(why) = model.unsure {
                return Err(Ok(Verdict::Unsure(why)));
            }
            // A frame has no room for all that they say.
            if told(&model) > FRAME {
                return Err(Ok(Verdict::Unsure("many events")));
            }
            let more = advance(&mut draws, &model.drawn_by_part());
            match same(&model, real, 0) {
                Ok(()) => next.push(model),
                Err(difference) => {
                    first.get_or_insert(difference);
                }
            }
            tried += 1;
            if tried > CHOICES || next.len() > MODELS {
                return Err(Ok(Verdict::Unsure("many choices")));
            }
            if !more {
                break;
            }
        }
    }
    match first {
        Some(difference) if next.is_empty() => Err(Err(difference)),
        _ => Ok(next),
    }
}

/// How much a part and those inside it report.
fn told(world: &World<'_>) -> usize {
    world.parts.iter().fold(world.events.len(), |sum, part| sum + told(&part.world))
}

/// The next combination of choices, by part; `options` says among how many each was.
fn advance(draws: &mut [Vec<usize>], options: &[Vec<usize>]) -> bool {
    for part in (0..options.len()).rev() {
        draws[part].resize(options[part].len(), 0);
        while let (Some(draw), Some(count)) = (draws[part].pop(), options[part].get(draws[part].len())) {
            if draw + 1 < *count {
                draws[part].push(draw + 1);
                return true;
            }
        }
    }
    false
}

/// Of a part of the instance and of those inside it.
fn same(model: &World<'_>, real: &Real, part: usize) -> Result<(), String> {
    let events = real.events_of(part)?;
    same_events(model.behavior, &model.events, &events)
        .map_err(|error| format!("part {part}: {error}\n{}", side_by_side(&model.events, &events)))?;
    let states: Vec<usize> = model.machines.iter().map(|machine| machine.state).collect();
    let now = real.now(part);
    if states != now.states {
        return Err(format!("states of part {part}: model {states:?}, runtime {:?}", now.states));
    }
    for (index, (machine, other)) in model.machines.iter().zip(now.fades).enumerate() {
        let fade = machine.progress();
        if (fade - other).abs() > APART + machine.slack {
            return Err(format!("fade of machine {index} of part {part}: model {fade}, runtime {other}"));
        }
    }
    for (index, (level, other)) in model.levels.iter().zip(now.levels).enumerate() {
        if (level.weight - other).abs() > APART {
            let weight = level.weight;
            return Err(format!("weight of layer {index} of part {part}: model {weight}, runtime {other}"));
        }
    }
    let shown: Vec<Shown> = now.shown.into_iter().map(|(_, shown)| shown).collect();
    same_samples(model, &model.shown(), &shown).map_err(|error| {
        format!(
            "part {part}: {error}\nmodel {:#?}\nruntime {shown:#?}\n{}",
            model.shown(),
            side_by_side(&model.events, &events)
        )
    })?;
    for (index, ([low, high], other)) in model.properties().into_iter().zip(now.properties).enumerate() {
        // What is all but invisible, and weights that differ a little, sum up.
        if other.is_some_and(|other| other < low - VALUES_APART || other > high + VALUES_APART) {
            return Err(format!(
                "property {index} of part {part}: model {low} to {high}, runtime {other:?}\n{:#?}",
                model.shown()
            ));
        }
    }
    let inner = model.parts.iter().zip(real.inside(part));
    inner.into_iter().try_for_each(|(inner, part)| same(&inner.world, real, part))
}

/// What was decided must be the same in the same order; and for each animation, what its playheads passed.
fn same_events(behavior: &Behavior, model: &[Event], real: &[Counted]) -> Result<(), String> {
    let decided: Vec<&Event> = model.iter().filter(|event| event.kind.animation().is_none()).collect();
    let others: Vec<&Counted> = real.iter().filter(|other| other.event.kind.animation().is_none()).collect();
    for index in 0..decided.len().max(others.len()) {
        let (event, other) = (decided.get(index), others.get(index).map(|other| &other.event));
        match (event, other) {
            (Some(event), Some(other)) if event.kind == other.kind => {
                if (event.offset - other.offset).abs() > APART {
                    return Err(format!("offset: model {event:?}, runtime {other:?}"));
                }
            }
            _ => return Err(format!("decision {index}: model {event:?}, runtime {other:?}")),
        }
    }
    let mut animations: Vec<usize> = model.iter().filter_map(|event| event.kind.animation()).collect();
    animations.extend(real.iter().filter_map(|other| other.event.kind.animation()));
    animations.sort_unstable();
    animations.dedup();
    for animation in animations {
        let of = |kind: Kind| kind.animation() == Some(animation);
        let mut passed: Vec<Kind> = model.iter().map(|event| event.kind).filter(|kind| of(*kind)).collect();
        let others = real.iter().filter(|other| of(other.event.kind));
        // When one that stands at an expression is on its way there within a tick is not said.
        let mut many = behavior.scrubs(animation);
        let mut counted = Vec::new();
        for other in others {
            many |= other.count > 1;
            counted.extend(std::iter::repeat_n(other.event.kind, other.count as usize));
        }
        if many {
            passed.sort_unstable();
            counted.sort_unstable();
        }
        // Playheads of one animation that pass something together may speak in either order.
        let together = || {
            let mut left: Vec<&Event> =
                real.iter().map(|other| &other.event).filter(|other| of(other.kind)).collect();
            let mut events = model.iter().filter(|event| of(event.kind));
            let met = |event: &Event, left: &mut Vec<&Event>| {
                let near =
                    |other: &&Event| other.kind == event.kind && (other.offset - event.offset).abs() <= APART;
                left.iter().position(near).map(|place| left.remove(place)).is_some()
            };
            let all = events.all(|event| met(event, &mut left));
            all && left.is_empty()
        };
        if passed != counted && (many || !together()) {
            return Err(format!("what A{animation} passed: model {passed:?}, runtime {counted:?}"));
        }
    }
    Ok(())
}

/// The same rows with the same weights at the same times, in whatever order.
fn same_samples(model: &World<'_>, expected: &[Shown], found: &[Shown]) -> Result<(), String> {
    let slack = model.machines.iter().fold(APART, |most, machine| most.max(APART + machine.slack));
    let plays =
        model.plays.iter().zip(&model.behavior.animations).filter(|(play, _)| play.playhead.is_some());
    let times = plays.flat_map(|(_, row)| [row.fade_in, row.fade_out]).filter(|time| *time > 0.0);
    let slack = times.fold(slack, |most, time| most.max(APART + NEAR / time));
    // What is all but invisible may be gone a little earlier.
    let mut left: Vec<&Shown> = found.iter().filter(|shown| shown.weight > APART).collect();
    let bent = model.machines.iter().fold(0.0, |most, machine| machine.bent.max(most));
    // The heaviest first, so that what is left over is light.
    let mut expected: Vec<&Shown> = expected.iter().collect();
    expected.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    for shown in expected {
        let duration = model.behavior.animations[shown.animation].duration;
        let near = |other: &Shown| {
            let apart = (shown.time - other.time).abs();
            let apart = apart.min((duration - apart).abs());
            other.animation == shown.animation
                && other.layer == shown.layer
                && (other.weight - shown.weight).abs() <= slack
                && apart <= APART * (2.0 + bent)
        };
        let nearest = (0..left.len()).filter(|index| near(left[*index])).min_by(|a, b| {
            let apart = |index: &usize| (left[*index].weight - shown.weight).abs();
            apart(a).total_cmp(&apart(b))
        });
        match nearest {
            Some(place) => {
                left.remove(place);
            }
            None if shown.weight <= slack + APART => {}
            None => return Err(format!("the runtime does not show {shown:?}")),
        }
    }
    left.retain(|shown| shown.weight > slack + APART);
    if left.is_empty() { Ok(()) } else { Err(format!("the runtime shows also {left:?}")) }
}

fn side_by_side(model: &[Event], real: &[Counted]) -> String {
    let mut out = String::from("model:\n");
    for event in model {
        let _ = writeln!(out, "  {:.5} {:?}", event.offset, event.kind);
    }
    out.push_str("runtime:\n");
    for other in real {
        let _ = writeln!(out, "  {:.5} {:?} x{}", other.event.offset, other.event.kind, other.count);
    }
    out
}

/// What to read when they part: the source, the script up to there, the difference.
#[must_use]
pub fn report(behavior: &Behavior, script: &[Step], at: usize, difference: &str) -> String {
    let source = text::source(behavior, &Order::plain(behavior));
    let steps: String = script.iter().take(at + 1).map(|step| format!("  {step:?}\n")).collect();
    format!("{source}\n{steps}\n{difference}")
}
