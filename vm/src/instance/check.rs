//! Whether words are a state that an instance can be in: the gate that a restored block passes.
//!
//! Every word is looked at. What passes cannot make a tick misbehave: ids are in range and of the right kind, numbers
//! finite and in their ranges, one animation holds a place, what waits has someone to wait for, and nothing is set
//! that only exists within a tick.

use alloc::sync::Arc;
use alloc::vec::Vec;

use super::view::{NO_STATE, View, flag, play, trigger, word};
use crate::ids::{GroupId, MachineId, StateId, TextId};
use crate::place::FAR_END;
use crate::program::Program;
use crate::program::layout::{Contest, LAYER_WORDS, NONE, PRESS_WORDS, SLOT_WORDS, Slot};
use crate::program::tables::{Lifetime, LoopMode, Param, Type};
use crate::program::tree::Part;
use crate::tick::FOLLOW;
use crate::time;

type Checked = Result<(), &'static str>;

/// Room for so many; memory is taken only where they are not few.
pub(super) fn room<'r, T: Copy + Default>(
    few: &'r mut [T],
    many: &'r mut Vec<T>,
    count: usize,
) -> &'r mut [T] {
    match few.get_mut(..count) {
        Some(room) => room,
        None => {
            many.resize(count, T::default());
            many
        }
    }
}

fn require(holds: bool, what: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(what) }
}

/// Checks the words of one part of an instance and the texts beside it, given all of them.
pub(super) fn check(program: &Program, part: Part, words: &[u32], texts: &[Option<Arc<str>>]) -> Checked {
    let (Some(rows), Some(layout)) = (program.behavior(part.behavior), program.layout(part.behavior)) else {
        return Err("a component");
    };
    let own = words.get(part.words..).and_then(|rest| rest.get(..layout.words)).ok_or("its length")?;
    let view = View::new(rows, layout, own);
    let texts = texts.get(part.texts..).and_then(|rest| rest.get(..layout.host_texts));
    let texts = texts.ok_or("the number of its texts")?;
    // Time is counted for all parts at once.
    let rest = if part.words == 0 { time::REST } else { 0 };
    require(view.word(0) & !rest & !flag::STARTED == 0, "its flags")?;
    let check = Check { program, view, texts };
    check.params()?;
    check.binds()?;
    check.machines()?;
    check.layers()?;
    check.reactions()?;
    check.slots()?;
    check.places()?;
    check.targets()?;
    super::check_tracks::check(view)?;
    let damps = view.layout.damps;
    require(finite(&view, damps..damps + view.rows.damps.len()), "a smoothed value")
}

fn finite(view: &View<'_>, mut words: core::ops::Range<usize>) -> bool {
    words.all(|at| view.number(at).is_finite())
}

struct Check<'a> {
    program: &'a Program,
    view: View<'a>,
    texts: &'a [Option<Arc<str>>],
}

impl Check<'_> {
    fn params(&self) -> Checked {
        let layout = self.view.layout;
        for (slot, row) in layout.params.iter().zip(&self.view.rows.params) {
            if row.ty == Type::Trigger {
                let armed = self.view.word(slot.at as usize);
                require(armed & !trigger::ARMED == 0, "a trigger")?;
                if let Lifetime::Seconds(seconds) = row.lifetime {
                    let most = if armed != 0 { seconds } else { 0.0 };
                    require(self.within(slot.extra as usize, 0.0, most), "a trigger's lifetime")?;
                }
                let masks = slot.side as usize..slot.side as usize + layout.mask_words;
                require(masks.into_iter().all(|at| self.view.word(at) == 0), "a trigger")?;
                continue;
            }
            self.param(row, slot.at as usize, slot.side)?;
            if row.global {
                self.param(row, slot.extra as usize, slot.side.wrapping_add(1))?;
            }
        }
        Ok(())
    }

    fn within(&self, at: usize, low: f32, high: f32) -> bool {
        (low..=high).contains(&self.view.number(at))
    }

    fn param(&self, row: &Param, at: usize, side: u32) -> Checked {
        let word = self.view.word(at);
        let holds = match row.ty {
            Type::Bool => word <= 1,
            Type::Number => self.within(at, row.min, row.max),
            Type::Enum(id) => {
                self.view.rows.enums.get(id.index()).is_some_and(|item| word < item.variants.count)
            }
            Type::Text => {
                let known = self.program.tables().texts.len();
                let given = self.texts.get(side as usize).is_some_and(Option::is_some);
                if given { word as usize == known + side as usize } else { (word as usize) < known }
            }
            Type::Color | Type::Trigger => true,
        };
        require(holds, "a parameter")
    }

    /// What two-way binds saw: a value that the parameter may have, of both sides. How often triggers were fired may be
    /// any number.
    fn binds(&self) -> Checked {
        let rows = self.view.rows;
        for component in &rows.components {
            let inner = self.program.behavior(component.behavior).map_or(&[][..], |rows| &rows.params);
            let slots = self.view.layout.binds.get(component.binds.indices()).unwrap_or_default();
            for (bind, slot) in component.binds.of(&rows.binds).iter().zip(slots) {
                let (Some(row), Some(inner)) =
                    (rows.params.get(bind.param.index()), inner.get(bind.inner.index()))
                else {
                    return Err("a bind");
                };
                if slot.at == NONE || row.ty == Type::Trigger {
                    continue;
                }
                let at = slot.at as usize;
                self.param(row, at, slot.side)?;
                match row.ty {
                    Type::Text => require(self.view.word(at + 1) == 0, "a bind")?,
                    // Of the same variants as that of the component.
                    Type::Enum(_) => self.param(row, at + 1, NONE)?,
                    _ => self.param(inner, at + 1, NONE)?,
                }
            }
        }
        Ok(())
    }

    fn machines(&self) -> Checked {
        for (index, row) in self.view.rows.machines.iter().enumerate() {
            let Some(machine) = MachineId::from_index(index) else { return Err("a machine") };
            let own = |state: StateId| row.states.indices().contains(&state.index());
            let leaf = |state: StateId| {
                own(state)
                    && self.view.layout.states.get(state.index()).is_some_and(|info| info.leaf == state)
            };
            require(self.view.leaf(machine).is_some_and(leaf), "a machine's state")?;
            require(self.view.previous(machine).is_none_or(leaf), "a machine's previous state")?;
            require(self.view.requested(machine).is_none_or(own), "a request")?;
            require(self.view.word(self.view.machine_at(machine) + 1) >> 16 == NO_STATE, "a request")?;
        }
        Ok(())
    }

    fn layers(&self) -> Checked {
        let layout = self.view.layout;
        for (index, row) in self.view.rows.layers.iter().enumerate() {
            let at = layout.layers + index * LAYER_WORDS;
            require(self.within(at, 0.0, 1.0), "a layer's weight")?;
            let follows = self.view.word(at + 1) == FOLLOW && row.weight.is_some();
            require(follows || self.within(at + 1, 0.0, 1.0), "a layer's target")?;
        }
        let speeds = layout.layer_speed.iter().filter(|at| **at != NONE);
        require(speeds.into_iter().all(|at| self.view.number(*at as usize).is_finite()), "a layer's speed")
    }

    /// Reactions are remembered of active states only; answers of the host not beyond a decision.
    fn reactions(&self) -> Checked {
        let (layout, rows) = (self.view.layout, self.view.rows);
        require(self.spare(layout.whens, rows.whens.len()), "a reaction")?;
        for (index, state) in rows.states.iter().enumerate() {
            let mut whens = state.whens.indices();
            let held = whens.any(|when| self.view.bit(layout.whens, when));
            let active = || StateId::from_index(index).is_some_and(|state| self.view.is_in(state));
            require(!held || active(), "a reaction")?;
        }
        let answers = layout.externs_known..layout.externs_known + 2 * layout.extern_words;
        require(answers.into_iter().all(|at| self.view.word(at) == 0), "an answer of the host")
    }

    /// Bits beyond the last are 0.
    fn spare(&self, first: usize, bits: usize) -> bool {
        bits.is_multiple_of(32) || self.view.word(first + bits / 32) >> (bits % 32) == 0
    }

    fn slots(&self) -> Checked {
        let (layout, count) = (self.view.layout, self.view.layout.slots.len());
        require(self.spare(layout.active, count) && self.spare(layout.finished, count), "an animation")?;
        let sum = if layout.active_sum == NONE { 0 } else { self.view.word(layout.active_sum as usize) };
        require(sum == self.view.sum_of_active(), "an animation")?;
        for (index, slot) in layout.slots.iter().enumerate() {
            if slot.duration_at != NONE {
                require(self.within(slot.duration_at as usize, 0.0, f32::MAX), "a duration")?;
            }
            if self.view.is_active(index) {
                self.active(index, slot)?;
                continue;
            }
            let own = slot.at as usize..slot.at as usize + SLOT_WORDS;
            let rest = slot.protection != NONE && self.view.long(slot.protection as usize) != 0;
            let clear = own.into_iter().all(|at| self.view.word(at) == 0) && !rest;
            require(clear, "an animation that does not play")?;
        }
        Ok(())
    }

    fn active(&self, index: usize, slot: &Slot) -> Checked {
        let at = slot.at as usize;
        let (flags, place) = (self.view.flags(slot), self.view.long(at + word::FRACTION));
        let fading = flags & play::FADING != 0;
        require(place <= FAR_END, "a playhead")?;
        require(self.within(at + word::WEIGHT, 0.0, slot.weight), "an animation's weight")?;
        let longest = if fading { slot.fade_out } else { slot.fade_in };
        require(self.view.word(at + word::FADE) <= longest.units, "an animation's fade")?;
        let steady = self.view.word(at + word::FADE) == 0;
        let full = self.view.number(at + word::WEIGHT) == slot.weight;
        require(if steady { full && !fading } else { true }, "an animation's fade")?;
        require(flags & play::TURNED == 0 || slot.loop_mode == LoopMode::PingPong, "a playhead")?;
        if flags & play::ENDED != 0 {
            let once = slot.loop_mode == LoopMode::None && fading;
            let at_end = place == 0 || place == FAR_END;
            require(once && at_end && self.view.bit(self.view.layout.finished, index), "a playhead")?;
        }
        if slot.protection != NONE {
            let most = if fading { 0 } else { slot.min_duration };
            require(self.view.long(slot.protection as usize) <= most, "an animation's protection")?;
        }
        Ok(())
    }

    /// The pointer was somewhere in a target; what has the focus is a target.
    fn targets(&self) -> Checked {
        let (layout, rows) = (self.view.layout, self.view.rows);
        for place in 0..layout.presses.len() {
            let at = layout.press + place * PRESS_WORDS;
            require(self.within(at + 1, 0.0, 1.0) && self.within(at + 2, 0.0, 1.0), "a pointer")?;
        }
        let focused = layout.focus.and_then(|at| self.view.word(at).checked_sub(1)).map(TextId);
        let known = |target| rows.listeners.iter().any(|listener| listener.target == Some(target));
        require(focused.is_none_or(known), "the focus")
    }

    /// One holds a place, and who waits waits for one who does.
    fn places(&self) -> Checked {
        let layout = self.view.layout;
        let slots = layout.slots.iter().enumerate();
        let holders = slots.filter_map(|(index, slot)| match slot.contest {
            _ if !self.view.is_active(index) || self.view.flags(slot) & play::FADING != 0 => None,
            Contest::Free => None,
            Contest::Group(group) => Some((0, group.0)),
            Contest::Layer(layer) => Some((1, layer.0)),
        });
        let (mut few, mut many) = ([(0_u8, 0_u16); 16], Vec::new());
        let held = room(&mut few, &mut many, holders.clone().count());
        held.iter_mut().zip(holders).for_each(|(place, holder)| *place = holder);
        held.sort_unstable();
        let alone = held.windows(2).all(|pair| !matches!(pair, [a, b] if a == b));
        require(alone, "two animations in one place")?;
        for group in 0..self.view.rows.groups.len() {
            let word = self.view.word(layout.waiting + group);
            let Some(index) = (word as usize).checked_sub(1) else { continue };
            let Some(group) = GroupId::from_index(group) else { continue };
            let member = layout.slots.get(index).is_some_and(|slot| slot.contest == Contest::Group(group));
            let idle = layout.slots.get(index).is_some_and(|slot| !self.view.playing(slot.animation));
            let taken = held.binary_search(&(0, group.0)).is_ok();
            require(member && idle && taken, "an animation that waits")?;
        }
        Ok(())
    }
}
