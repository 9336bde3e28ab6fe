//! Plays a script on an instance, tick by tick, and records it.
//!
//! A command is carried out before the first tick that begins at its time or later, as a game would that reads its
//! input once a frame.

use std::collections::BTreeMap;
use std::sync::Arc;

use motix_vm::ids::{AnimationId, ComponentId, ExternId};
use motix_vm::program::BehaviorRef;
use motix_vm::{ComponentMut, Frame, Host, Instance, Program, Setup, StopMode, Value};

use super::recorder::Recorder;
use super::script::{Command, Entry};
use crate::cli::timeline::{MarkKind, Recording};

/// What to play.
pub(super) struct Plan {
    /// By time; equal times in their order.
    pub(super) entries: Vec<Entry>,
    /// Ticks a second.
    pub(super) fps: f32,
    /// Seconds.
    pub(super) length: f64,
    pub(super) seed: u64,
    /// Seconds of animations whose durations the program leaves to the host.
    pub(super) durations: BTreeMap<AnimationId, f32>,
}

/// The length of an animation whose duration nothing gives, in seconds; as in tests.
pub(super) const DEFAULT_DURATION: f32 = 1.0;
/// The most ticks that are recorded.
pub(super) const MAX_TICKS: usize = 100_000;
/// Ticks that begin within this of a command's time are not before it, in seconds.
const NOW: f64 = 10e-6;

/// Plays a plan; the error says what the runtime refuses.
pub(super) fn play(
    program: &Arc<Program>,
    behavior: BehaviorRef<'_>,
    plan: &Plan,
) -> Result<Recording, String> {
    let own: Vec<(AnimationId, f32)> = plan.durations.iter().map(|(id, length)| (*id, *length)).collect();
    let inside: Vec<(ComponentId, AnimationId, f32)> = (behavior.open_durations())
        .filter(|(owner, _)| *owner != ComponentId::ROOT)
        .map(|(owner, animation)| (owner, animation, DEFAULT_DURATION))
        .collect();
    let setup = Setup { seed: plan.seed, durations: &own, component_durations: &inside };
    let mut instance = Instance::new(program, behavior.id(), &setup).map_err(|error| error.to_string())?;
    let mut recorder = Recorder::new(behavior, &instance, plan.fps);
    let mut frame = Frame::new();
    let mut answers: BTreeMap<(ComponentId, ExternId), bool> = BTreeMap::new();
    let mut entries = plan.entries.iter().peekable();
    let length = 1.0 / f64::from(plan.fps);
    let whole = ((plan.length + NOW) / length).floor();
    let rest = plan.length - whole * length;
    let count = (whole as usize).min(MAX_TICKS);
    let ticks = std::iter::repeat_n(length as f32, count);
    let last = (rest > NOW && count < MAX_TICKS).then_some(rest as f32);
    for dt in ticks.chain(last) {
        while let Some(entry) = entries.next_if(|entry| entry.time <= recorder.time() + NOW) {
            let heard = carry_out(&mut instance, behavior, entry, &mut answers)?;
            let text = if heard { entry.text.clone() } else { format!("{} (not heard)", entry.text) };
            recorder.mark(MarkKind::Input, text);
        }
        let mut answer = |owner, predicate| answers.get(&(owner, predicate)).copied().unwrap_or(false);
        let mut host = Host { predicates: Some(&mut answer), globals: None };
        instance.tick_with(dt, &mut host, &mut frame).map_err(|error| error.to_string())?;
        recorder.tick(&instance, &frame, dt);
    }
    Ok(recorder.finish(None))
}

/// Carries a command out; whether anything took it.
fn carry_out(
    instance: &mut Instance,
    behavior: BehaviorRef<'_>,
    entry: &Entry,
    answers: &mut BTreeMap<(ComponentId, ExternId), bool>,
) -> Result<bool, String> {
    let mode = |immediate: bool| if immediate { StopMode::Immediate } else { StopMode::FadeOut };
    let component = entry.component;
    match &entry.command {
        Command::Provide(predicate, answer) => {
            answers.insert((component, *predicate), *answer);
            return Ok(true);
        }
        Command::Input(sent) => {
            let mut answer = |owner, predicate| answers.get(&(owner, predicate)).copied().unwrap_or(false);
            let mut host = Host { predicates: Some(&mut answer), globals: None };
            let heard = sent.with(|input| instance.send_with(input, &mut host));
            return heard.map_err(|error| error.to_string());
        }
        _ => {}
    }
    let inside = behavior.component_behavior(component).unwrap_or(behavior);
    let Some(mut part) = instance.component_mut(component) else {
        return Err("there is no such component".to_owned());
    };
    let set = |part: &mut ComponentMut<'_>, param, value: Value<'_>| {
        part.set(inside.param_name(param), value).map(|()| true).map_err(|error| error.to_string())
    };
    let done = match &entry.command {
        Command::Set(param, value) => return set(&mut part, *param, value.as_value()),
        Command::Fire(param) => return set(&mut part, *param, Value::Trigger(true)),
        Command::Toggle(param) => {
            let before = matches!(part.get(*param), Some(Value::Bool(true)));
            return set(&mut part, *param, Value::Bool(!before));
        }
        Command::Request(state, priority) => part.request(*state, *priority),
        Command::Play(animation) => part.play(*animation),
        Command::Stop(animation, immediate) => part.stop(*animation, mode(*immediate)),
        Command::StopGroup(group, immediate) => part.stop_group(*group, mode(*immediate)),
        Command::PlayTag(tag) => part.play_tag(*tag),
        Command::StopTag(tag) => part.stop_tag(*tag, StopMode::FadeOut),
        Command::Layer(layer, weight) => part.set_layer_target(*layer, *weight),
        Command::Provide(..) | Command::Input(_) => Ok(()),
    };
    done.map(|()| true).map_err(|error| error.to_string())
}
