//! The common tick: time passes, and nothing is due in it.
//!
//! It does what `advance.rs` does with one step in which nothing happens, for behaviors in which only fixed rates
//! are at work; where anything is due, or a playhead would pass something, it declines and changes nothing.

use super::Core;
use super::advance::{FAR, SAME_MOMENT, TOLERANCE};
use crate::instance::view::{END, flag, play, word};
use crate::program::layout::{NONE, Slot};

impl Core<'_, '_> {
    /// Lets `dt` seconds pass if nothing is due in them.
    #[inline]
    pub(crate) fn glide(&mut self, dt: f32) -> bool {
        if !self.layout.glides || dt == 0.0 {
            return false;
        }
        let step = f64::from(dt);
        let counted = self.word(0).wrapping_add(flag::STEP);
        let dither = Self::dither(counted);
        let mut from = 0;
        while let Some((index, slot)) = self.next_active(from) {
            if !self.is_free(slot, step, dither) {
                return false;
            }
            from = index + 1;
        }
        self.put(0, counted);
        self.age_machines(step);
        self.move_layers(step);
        from = 0;
        while let Some((index, slot)) = self.next_active(from) {
            self.glide_slot(slot, step, dither);
            from = index + 1;
        }
        true
    }

    /// Whether an animation has nothing but a straight way before it.
    #[inline]
    fn is_free(&self, slot: &Slot, step: f64, dither: f64) -> bool {
        let at = slot.at as usize;
        let flags = self.word(at + word::FLAGS);
        let fade = f64::from(self.number(at + word::FADE));
        let fades = fade > step + SAME_MOMENT || fade == 0.0 && flags & play::FADING == 0;
        if slot.marked || slot.pace == 0.0 || !fades {
            return false;
        }
        if slot.protection != NONE && self.word(slot.protection as usize) != 0 {
            return false;
        }
        let position = self.word(at + word::POSITION);
        let left = if flags & play::BACKWARD == 0 { END.saturating_sub(position) } else { position };
        // The tolerance is cut to whole units where it is not less than two.
        let reach = slot.pace * step + dither + (slot.pace * SAME_MOMENT).max(TOLERANCE as f64);
        flags & play::ENDED != 0 || reach < f64::from(left)
    }

    #[inline]
    fn glide_slot(&mut self, slot: &Slot, step: f64, dither: f64) {
        let at = slot.at as usize;
        let flags = self.word(at + word::FLAGS);
        let fade = self.number(at + word::FADE);
        if fade > 0.0 {
            self.move_fade(slot, fade, flags, step);
        }
        if flags & play::ENDED == 0 {
            let distance = (slot.pace * step + dither).min(FAR) as i64 as u32;
            let position = self.word(at + word::POSITION);
            let moved = if flags & play::BACKWARD == 0 {
                position.wrapping_add(distance)
            } else {
                position.wrapping_sub(distance)
            };
            self.put(at + word::POSITION, moved);
        }
    }
}
