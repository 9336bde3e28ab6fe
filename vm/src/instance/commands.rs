//! What a host asks an instance to do between ticks: requests, animations, layer targets.
//!
//! Commands act at once; what they report comes first in the next tick.

use super::Instance;
use crate::error::CommandError;
use crate::ids::{AnimationId, GroupId, LayerId, StateId, TagId};
use crate::tick::Core;

/// How an animation stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum StopMode {
    /// Over its `FadeOut`.
    #[default]
    FadeOut,
    /// At once.
    Immediate,
}

acting! {
    /// Queues a manual transition, to be decided first in the next tick. Of several for one machine the highest
    /// priority is kept, of equals the first; others are reported as `Dropped`.
    ///
    /// # Errors
    ///
    /// The id is of another behavior.
    pub fn request(&mut self, state: StateId, priority: i32) -> Result<(), CommandError> {
        self.known(state.index(), |core| core.rows.states.len())?;
        self.command(|core| core.request(state, priority));
        Ok(())
    }

    /// Starts an animation, as the action does: it contends for its group or layer.
    ///
    /// # Errors
    ///
    /// The id is of another behavior.
    pub fn play(&mut self, animation: AnimationId) -> Result<(), CommandError> {
        self.known(animation.index(), |core| core.rows.animations.len())?;
        self.command(|core| core.play(animation));
        Ok(())
    }

    /// Stops an animation, or cancels it while it waits. What does not play is left alone.
    ///
    /// # Errors
    ///
    /// The id is of another behavior.
    pub fn stop(&mut self, animation: AnimationId, mode: StopMode) -> Result<(), CommandError> {
        self.known(animation.index(), |core| core.rows.animations.len())?;
        self.command(|core| core.stop(animation, mode == StopMode::Immediate));
        Ok(())
    }

    /// Stops whatever plays or waits in a group.
    ///
    /// # Errors
    ///
    /// The id is of another behavior.
    pub fn stop_group(&mut self, group: GroupId, mode: StopMode) -> Result<(), CommandError> {
        self.known(group.index(), |core| core.rows.groups.len())?;
        self.command(|core| core.stop_group(group, mode == StopMode::Immediate));
        Ok(())
    }

    /// Starts the animations that carry a tag, in order of declaration.
    ///
    /// # Errors
    ///
    /// The id is of another behavior.
    pub fn play_tag(&mut self, tag: TagId) -> Result<(), CommandError> {
        self.known(tag.index(), |core| core.rows.tags.len())?;
        self.command(|core| core.play_tag(tag));
        Ok(())
    }

    /// Stops the animations that carry a tag.
    ///
    /// # Errors
    ///
    /// The id is of another behavior.
    pub fn stop_tag(&mut self, tag: TagId, mode: StopMode) -> Result<(), CommandError> {
        self.known(tag.index(), |core| core.rows.tags.len())?;
        self.command(|core| core.stop_tag(tag, mode == StopMode::Immediate));
        Ok(())
    }

    /// Sets the weight that a layer moves to, clamped to 0..1, until a state asks for another.
    ///
    /// # Errors
    ///
    /// The number is not finite; the id is of another behavior.
    pub fn set_layer_target(&mut self, layer: LayerId, weight: f32) -> Result<(), CommandError> {
        self.known(layer.index(), |core| core.rows.layers.len())?;
        if !weight.is_finite() {
            return Err(CommandError::NotFinite);
        }
        self.quietly(|core| core.set_layer_target(layer, weight));
        Ok(())
    }

    fn known(&mut self, index: usize, len: impl FnOnce(&Core<'_, '_>) -> usize) -> Result<(), CommandError> {
        if self.quietly(|core| index < len(core)) { Ok(()) } else { Err(CommandError::UnknownId) }
    }
}
