//! Making an instance: its block, and those of its components, as they are before anything happened.

use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

use super::rest::Rest;
use super::{Instance, view};
use crate::error::CreateError;
use crate::ids::{AnimationId, BehaviorId, ComponentId};
use crate::program::Program;
use crate::program::layout::{Layout, MACHINE_WORDS, NONE};
use crate::program::tables::{Behavior, Type};
use crate::program::tree::Part;
use crate::rng;
use crate::tick::Host;

/// What an instance starts with.
#[derive(Clone, Copy, Debug, Default)]
pub struct Setup<'s> {
    /// For `random` and `RandomWeight`. Components have seeds of their own, made of this one and their names.
    pub seed: u64,
    /// Seconds, for animations whose durations the program leaves to the host; others keep their own.
    pub durations: &'s [(AnimationId, f32)],
    /// The same for animations of components; [`ComponentId::ROOT`] stands for the instance itself.
    pub component_durations: &'s [(ComponentId, AnimationId, f32)],
}

impl Instance {
    /// A new instance, in the initial states of its machines. No action runs.
    ///
    /// # Errors
    ///
    /// The behavior is not in the program; durations are missing, those of components included (all of them are
    /// listed), negative or not finite.
    pub fn new(program: &Arc<Program>, behavior: BehaviorId, setup: &Setup<'_>) -> Result<Self, CreateError> {
        let Some(tree) = program.layout(behavior).map(|layout| layout.tree) else {
            return Err(CreateError::UnknownBehavior);
        };
        let mut words = vec![0; tree.words].into_boxed_slice();
        durations(program, behavior, setup, &mut words)?;
        initial_words(program, behavior, setup.seed, &mut words);
        let mut instance = Self {
            program: program.clone(),
            behavior,
            words,
            texts: vec![None; tree.texts].into_boxed_slice(),
            pending: None,
            rest: Rest::default(),
        };
        instance.evaluate(&mut Host::default(), |core| core.create());
        Ok(instance)
    }
}

/// Brings the host's durations into the block.
fn durations(
    program: &Program,
    behavior: BehaviorId,
    setup: &Setup<'_>,
    words: &mut [u32],
) -> Result<(), CreateError> {
    // No duration is NaN, so that marks what is missing.
    let missing = f32::NAN.to_bits();
    let open = |part: &Part| {
        let slots = program.layout(part.behavior).map_or(&[][..], |layout| &layout.slots);
        let first = part.words;
        let open = slots.iter().filter(|slot| slot.duration_at != NONE);
        open.map(move |slot| (slot.animation, first + slot.duration_at as usize)).collect::<Vec<_>>()
    };
    for (_, at) in program.parts(behavior).flat_map(|(_, part)| open(&part)) {
        if let Some(word) = words.get_mut(at) {
            *word = missing;
        }
    }
    let own = setup.durations.iter().map(|(animation, seconds)| (ComponentId::ROOT, *animation, *seconds));
    for (id, animation, seconds) in own.chain(setup.component_durations.iter().copied()) {
        let Some(part) = program.part(behavior, id) else { return Err(CreateError::UnknownComponent(id)) };
        let slot = program.layout(part.behavior).and_then(|layout| {
            layout.slot_of.get(animation.index()).and_then(|slot| layout.slots.get(usize::from(*slot)))
        });
        let Some(slot) = slot else { return Err(CreateError::UnknownAnimation(animation.0)) };
        if !(seconds >= 0.0 && seconds.is_finite()) {
            let name = program.animation_text(behavior, id, animation);
            return Err(CreateError::BadDuration { name, seconds });
        }
        if slot.duration_at != NONE
            && let Some(word) = words.get_mut(part.words + slot.duration_at as usize)
        {
            // Not -0.
            *word = (seconds + 0.0).to_bits();
        }
    }
    let mut lacking: Vec<(ComponentId, AnimationId)> = program
        .parts(behavior)
        .flat_map(|(id, part)| open(&part).into_iter().map(move |(animation, at)| (id, animation, at)))
        .filter(|(_, _, at)| words.get(*at) == Some(&missing))
        .map(|(id, animation, _)| (id, animation))
        .collect();
    if lacking.is_empty() {
        return Ok(());
    }
    lacking.sort_unstable();
    let names = lacking.into_iter().map(|(id, animation)| program.animation_text(behavior, id, animation));
    Err(CreateError::MissingDurations(names.collect()))
}

/// Parameters, states and random state as they are at creation, of the behavior and of all inside it.
fn initial_words(program: &Program, behavior: BehaviorId, seed: u64, words: &mut [u32]) {
    let (Some(rows), Some(layout)) = (program.behavior(behavior), program.layout(behavior)) else { return };
    own_words(rows, layout, seed, words);
    for (component, inner) in rows.components.iter().zip(&layout.inner) {
        let seed = rng::seed_of(seed, program.text(component.name));
        initial_words(program, component.behavior, seed, words.get_mut(inner.words..).unwrap_or_default());
    }
}

fn own_words(rows: &Behavior, layout: &Layout, seed: u64, words: &mut [u32]) {
    let mut put = |at: usize, word: u32| {
        if let Some(to) = words.get_mut(at) {
            *to = word;
        }
    };
    if let Some(at) = layout.rng {
        let state = rng::seed(seed);
        put(at, state as u32);
        put(at + 1, (state >> 32) as u32);
    }
    for (slot, row) in layout.params.iter().zip(&rows.params) {
        put(slot.at as usize, row.initial);
        if slot.extra != NONE && row.ty != Type::Trigger {
            put(slot.extra as usize, row.initial);
        }
    }
    for (index, start) in layout.starts.iter().enumerate() {
        let at = layout.machines + index * MACHINE_WORDS;
        put(at, u32::from(start.0) | view::NO_STATE << 16);
        put(at + 1, view::NO_STATE | view::NO_STATE << 16);
    }
}
