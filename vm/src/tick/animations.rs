//! Animations that actions and the host start: playing, stopping, and who may hold a place.
//!
//! In a group, and among the ungrouped animations of a layer, at most one plays that is not fading out. A group has
//! one waiting place. Only `start` and `cut` make slots active and inactive.

use super::Core;
use crate::frame::EventKind;
use crate::ids::{AnimationId, GroupId, SpanId, TagId};
use crate::instance::active::sum_up;
use crate::instance::view::{play, word};
use crate::place::FAR_END;
use crate::program::layout::{Contest, NONE, SLOT_WORDS, Slot};
use crate::program::tables::LoopMode;

/// What becomes of an animation that wants to play.
enum Verdict {
    Play,
    /// In the place of that slot.
    Replace(usize),
    Wait,
    Reject,
}

impl<'a> Core<'a, '_> {
    /// An animation's slot and the slot's index.
    fn slot(&self, animation: AnimationId) -> Option<(usize, &'a Slot)> {
        let index = usize::from(*self.layout.slot_of.get(animation.index())?);
        Some((index, self.layout.slots.get(index)?))
    }

    /// The first active slot from `from` on.
    #[inline]
    pub(crate) fn next_active(&self, from: usize) -> Option<(usize, &'a Slot)> {
        let words = self.words.get(self.layout.active..)?.get(..self.layout.active_words)?;
        let mut word = from / 32;
        let mut bits = words.get(word)? & (u32::MAX << (from % 32));
        while bits == 0 {
            word = self.view().active_word_from(word + 1)?;
            bits = *words.get(word)?;
        }
        let index = word * 32 + bits.trailing_zeros() as usize;
        Some((index, self.layout.slots.get(index)?))
    }

    fn put_active(&mut self, index: usize, active: bool) {
        self.put_bit(self.layout.active, index, active);
        sum_up(self.layout, self.words, index, active);
    }

    /// The slot that holds a place.
    fn holder(&mut self, contest: Contest) -> Option<(usize, &'a Slot)> {
        if contest == Contest::Free {
            return None;
        }
        let mut from = 0;
        while let Some((index, slot)) = self.next_active(from) {
            if slot.contest == contest && self.view().flags(slot) & play::FADING == 0 {
                return Some((index, slot));
            }
            self.charge(1);
            from = index + 1;
        }
        None
    }

    fn waiting(&self, group: GroupId) -> Option<usize> {
        (self.word(self.layout.waiting + group.index()) as usize).checked_sub(1)
    }

    fn set_waiting(&mut self, group: GroupId, slot: Option<usize>) {
        self.unsettle();
        let word = slot.and_then(|slot| u32::try_from(slot + 1).ok()).unwrap_or(0);
        self.put(self.layout.waiting + group.index(), word);
    }

    /// Whether nothing of that priority may replace a holder.
    fn is_protected(&self, holder: &Slot, priority: i32) -> bool {
        let young = holder.protection != NONE && self.view().long(holder.protection as usize) != 0;
        young || !holder.can_interrupt && priority <= holder.priority
    }

    fn judge(&mut self, slot: &Slot) -> Verdict {
        let Some((index, holder)) = self.holder(slot.contest) else { return Verdict::Play };
        let protected = self.is_protected(holder, slot.priority);
        if !protected && slot.priority >= holder.priority {
            return Verdict::Replace(index);
        }
        let hopeless = holder.loop_mode != LoopMode::None && !protected;
        match slot.contest {
            Contest::Group(_) if !hopeless => Verdict::Wait,
            _ => Verdict::Reject,
        }
    }

    /// `Play`.
    pub(crate) fn play(&mut self, animation: AnimationId) {
        self.charge(1);
        let Some((index, slot)) = self.slot(animation) else { return };
        let playing = self.view().is_active(index) && self.view().flags(slot) & play::FADING == 0;
        let group = match slot.contest {
            Contest::Group(group) => Some(group),
            _ => None,
        };
        if playing || group.is_some_and(|group| self.waiting(group) == Some(index)) {
            return;
        }
        match self.judge(slot) {
            Verdict::Play => self.start(index, slot),
            Verdict::Replace(holder) => {
                self.fade_out(holder);
                self.start(index, slot);
                // Who waits goes on waiting, unless the new holder would never let it in.
                if let Some(group) = group
                    && let Some((waiting, other)) = self.waiting_slot(group)
                    && matches!(self.judge(other), Verdict::Reject)
                {
                    self.set_waiting(group, None);
                    self.reject(waiting);
                }
            }
            Verdict::Wait => {
                let Some(group) = group else { return };
                if let Some(evicted) = self.waiting(group) {
                    self.reject(evicted);
                }
                self.set_waiting(group, Some(index));
                self.event(EventKind::Defer { animation });
            }
            Verdict::Reject => self.reject(index),
        }
    }

    fn waiting_slot(&self, group: GroupId) -> Option<(usize, &'a Slot)> {
        let index = self.waiting(group)?;
        Some((index, self.layout.slots.get(index)?))
    }

    fn reject(&mut self, index: usize) {
        if let Some(slot) = self.layout.slots.get(index) {
            self.event(EventKind::Reject { animation: slot.animation });
        }
    }

    /// Judges the one that waits for a group anew.
    pub(crate) fn settle_group(&mut self, group: GroupId) {
        let Some((index, slot)) = self.waiting_slot(group) else { return };
        match self.judge(slot) {
            Verdict::Wait => {}
            Verdict::Play => {
                self.set_waiting(group, None);
                self.start(index, slot);
            }
            Verdict::Replace(holder) => {
                self.set_waiting(group, None);
                self.fade_out(holder);
                self.start(index, slot);
            }
            Verdict::Reject => {
                self.set_waiting(group, None);
                self.reject(index);
            }
        }
    }

    /// Judges all who wait.
    pub(crate) fn settle_groups(&mut self) {
        for group in 0..self.rows.groups.len() {
            if self.word(self.layout.waiting + group) != 0
                && let Some(group) = GroupId::from_index(group)
            {
                self.settle_group(group);
            }
        }
    }

    /// Starts a slot, or turns it back while it fades out.
    fn start(&mut self, index: usize, slot: &Slot) {
        let at = slot.at as usize;
        let was_active = self.view().is_active(index);
        let anew = !was_active || slot.loop_mode == LoopMode::None;
        if was_active && anew {
            self.end_spans(slot);
        }
        self.event(EventKind::Play { animation: slot.animation });
        self.put_active(index, true);
        self.put_bit(self.layout.finished, index, false);
        let weight = if slot.fade_in.units == 0 { slot.weight } else { self.view().weight(slot) };
        self.put_number(at + word::WEIGHT, weight);
        self.put(at + word::FADE, slot.fade_in.units);
        if anew {
            let backward = self.view().rate(slot) < 0.0;
            self.put_long(at + word::FRACTION, if backward { FAR_END } else { 0 });
            self.put(at + word::FLAGS, if backward { play::BACKWARD } else { 0 });
        } else {
            let flags = self.word(at + word::FLAGS);
            self.put(at + word::FLAGS, flags & !play::FADING);
        }
        if slot.protection != NONE {
            self.put_long(slot.protection as usize, slot.min_duration);
        }
        if anew && slot.marked {
            self.pass_start(slot);
        }
    }

    /// The markers that stand where a playhead starts, and the spans that it starts in.
    pub(super) fn pass_start(&mut self, slot: &Slot) {
        let rows = self.rows;
        self.charge_rows(slot.marks());
        let (animation, position) = (slot.animation, self.view().reached(slot));
        for (index, marker) in slot.markers.indices().zip(slot.markers.of(&rows.markers)) {
            let without_length = self.view().duration(slot) == 0.0;
            if (without_length || self.view().position(slot, marker.at) == position)
                && let Some(marker) = crate::ids::MarkerId::from_index(index)
            {
                self.event(EventKind::Marker { animation, marker });
            }
        }
        self.for_spans(slot, |core, span| core.event(EventKind::SpanBegin { animation, span }));
    }

    /// Calls `visit` for each span that the playhead is in.
    pub(super) fn for_spans(&mut self, slot: &Slot, mut visit: impl FnMut(&mut Self, SpanId)) {
        let rows = self.rows;
        self.charge_rows(slot.spans.count);
        for (index, span) in slot.spans.indices().zip(slot.spans.of(&rows.spans)) {
            let inside = self.view().edges(slot, span).is_some_and(|edges| self.view().between(slot, edges));
            if let (true, Some(span)) = (inside, SpanId::from_index(index)) {
                visit(self, span);
            }
        }
    }

    /// Ends the spans that a playhead is in, because it is cut.
    pub(super) fn end_spans(&mut self, slot: &Slot) {
        let animation = slot.animation;
        if slot.marked {
            self.for_spans(slot, |core, span| core.event(EventKind::SpanEnd { animation, span }));
        }
    }

    /// Makes a slot inactive.
    pub(crate) fn cut(&mut self, index: usize, slot: &Slot) {
        self.unsettle();
        self.end_spans(slot);
        self.put_active(index, false);
        for offset in 0..SLOT_WORDS {
            self.put(slot.at as usize + offset, 0);
        }
        if slot.protection != NONE {
            self.put_long(slot.protection as usize, 0);
        }
    }

    /// Lets a playing slot fade out, and says so.
    fn fade_out(&mut self, index: usize) {
        let Some(slot) = self.layout.slots.get(index) else { return };
        self.event(EventKind::Stop { animation: slot.animation });
        self.begin_fade_out(slot);
        if self.word(slot.at as usize + word::FADE) == 0 {
            self.cut(index, slot);
        }
    }

    /// From here on the slot fades out and holds no place. One without weight has no way to go.
    pub(crate) fn begin_fade_out(&mut self, slot: &Slot) {
        let at = slot.at as usize;
        let weight = self.view().weight(slot);
        self.put_number(at + word::WEIGHT, weight);
        self.put(at + word::FADE, if weight == 0.0 { 0 } else { slot.fade_out.units });
        self.put(at + word::FLAGS, self.word(at + word::FLAGS) | play::FADING);
        if slot.protection != NONE {
            self.put_long(slot.protection as usize, 0);
        }
    }

    /// `Stop`: fades out, or cuts. What waits is cancelled, what does not play is left alone.
    pub(crate) fn stop(&mut self, animation: AnimationId, immediate: bool) {
        self.charge(1);
        let Some((index, slot)) = self.slot(animation) else { return };
        self.cancel(index, slot);
        self.stop_slot(index, slot, immediate);
    }

    fn cancel(&mut self, index: usize, slot: &Slot) {
        if let Contest::Group(group) = slot.contest
            && self.waiting(group) == Some(index)
        {
            self.set_waiting(group, None);
        }
    }

    fn stop_slot(&mut self, index: usize, slot: &Slot, immediate: bool) {
        if !self.view().is_active(index) {
            return;
        }
        let held = self.view().flags(slot) & play::FADING == 0;
        if held && !immediate {
            self.fade_out(index);
        } else if immediate {
            if held {
                self.event(EventKind::Stop { animation: slot.animation });
            }
            self.cut(index, slot);
        }
        if let (true, Contest::Group(group)) = (held, slot.contest) {
            self.settle_group(group);
        }
    }

    /// `StopGroup`: whoever plays, fades out or waits.
    pub(crate) fn stop_group(&mut self, group: GroupId, immediate: bool) {
        if group.index() >= self.rows.groups.len() {
            return;
        }
        self.set_waiting(group, None);
        let mut from = 0;
        while let Some((index, slot)) = self.next_active(from) {
            self.charge(1);
            if slot.contest == Contest::Group(group) {
                self.stop_slot(index, slot, immediate);
            }
            from = index + 1;
        }
    }

    /// `PlayTag`: in order of declaration.
    pub(crate) fn play_tag(&mut self, tag: TagId) {
        let layout = self.layout;
        for index in layout.tagged(tag) {
            if let Some(slot) = layout.slots.get(usize::from(*index)) {
                self.play(slot.animation);
            }
            if self.budget == 0 {
                return;
            }
        }
    }

    /// `StopTag`: those that wait first, so that none starts in another's place.
    pub(crate) fn stop_tag(&mut self, tag: TagId, immediate: bool) {
        let layout = self.layout;
        let slots = || {
            let tagged = layout.tagged(tag).iter().map(|index| usize::from(*index));
            tagged.filter_map(|index| Some((index, layout.slots.get(index)?)))
        };
        self.charge(u32::try_from(layout.tagged(tag).len()).unwrap_or(u32::MAX));
        for (index, slot) in slots() {
            self.cancel(index, slot);
        }
        for (index, slot) in slots() {
            self.stop_slot(index, slot, immediate);
        }
    }
}
