//! Where everything that changes stands in an instance's block, and what a tick reads often, packed densely.
//!
//! A [`Layout`] is computed once for a verified behavior; its size is linear in the tables. It only says where
//! words are and what follows from the tables: what the words mean is the instance's and the tick's concern.
//!
//! Order of the block: flags, random state, parameters, machines, layers, active and finished animations, waiting
//! places, reactions, answers of the host, animations, smoothed values, clocks and memories of composites, tracks,
//! targets, what binds saw last; then the blocks of the components, each laid out as an instance of its behavior.

use alloc::vec;
use alloc::vec::Vec;

use super::asked::Asked;
use super::checks::{self, Check};
use super::masks::Touches;
use super::reads::{self, Reads};
use super::tables::{
    Animation, Behavior, Bind, Direction, Hear, History, Lifetime, LoopMode, MotionKind, Run, Start, State,
    Type,
};
use super::tracks::{self, Pool, Track};
pub(crate) use super::tree::Inner;
use super::tree::Tree;
use super::verify::CodeFacts;
use crate::ids::{
    AnimationId, CodeId, GroupId, LayerId, MachineId, MotionId, ParamId, StateId, TagId, TextId,
};
use crate::input::{InputKind, Source};
use crate::op::Op;
use crate::place;
use crate::time::{self, Fade};

/// The words of a machine: states, request, its priority, time in state (two).
pub(crate) const MACHINE_WORDS: usize = 5;
/// The words of a layer: weight, target.
pub(crate) const LAYER_WORDS: usize = 2;
/// The words that every animation has: place (two), weight, fade, flags.
pub(crate) const SLOT_WORDS: usize = 5;
/// The words of a target on which a press is heard: the pointers that went down on it, and where one was last.
pub(crate) const PRESS_WORDS: usize = 3;
/// As many words of active animations are looked at one by one.
const FEW: usize = 2;
/// Stands where an id or place is missing.
pub(crate) const NONE: u32 = u32::MAX;

/// Where an instance's words are.
#[derive(Debug)]
pub struct Layout {
    pub(crate) words: usize,
    pub(crate) rng: Option<usize>,
    pub(crate) params: Vec<ParamSlot>,
    /// The triggers, in order of declaration.
    pub(crate) triggers: Vec<ParamId>,
    /// Those that stay armed for some seconds.
    pub(crate) timed_triggers: Vec<ParamId>,
    pub(crate) globals: Vec<ParamId>,
    /// How many texts of the host an instance can hold.
    pub(crate) host_texts: usize,
    /// Words of a trigger that say which machines used it up.
    pub(crate) mask_words: usize,
    pub(crate) machines: usize,
    pub(crate) machine_count: usize,
    pub(crate) layers: usize,
    pub(crate) layer_count: usize,
    /// For each layer with a `Speed`, where it stands; else [`NONE`].
    pub(crate) layer_speed: Vec<u32>,
    /// Whether a layer has a `Weight` or `Speed` expression.
    pub(crate) layer_codes: bool,
    pub(crate) active: usize,
    pub(crate) active_words: usize,
    /// Where there are many, the word that says which of them are not 0, a bit for each group of them; else [`NONE`].
    pub(crate) active_sum: u32,
    /// The words of a group.
    pub(crate) active_group: usize,
    pub(crate) finished: usize,
    pub(crate) waiting: usize,
    pub(crate) whens: usize,
    pub(crate) externs_known: usize,
    pub(crate) externs_true: usize,
    pub(crate) extern_words: usize,
    pub(crate) damps: usize,
    /// The animations by layer, then by declaration.
    pub(crate) slots: Vec<Slot>,
    /// The slot of each animation.
    pub(crate) slot_of: Vec<u16>,
    /// Slots of each tag, in order of declaration: `tagged[first[tag]..first[tag + 1]]`.
    tag_first: Vec<u32>,
    tagged: Vec<u16>,
    pub(crate) states: Vec<StateInfo>,
    pub(crate) codes: Vec<CodeInfo>,
    /// The checks of all conditions that were decoded.
    pub(crate) checks: Vec<Check>,
    /// The conditions that are asked in each state, where [that is all](Self::peeks).
    pub(crate) asked: Asked,
    /// How many playheads each motion has.
    pub(crate) leaves: Vec<u16>,
    /// The machines with motions, fades or gates, in order.
    pub(crate) tracks: Vec<Track>,
    /// The rows of what fades out in all of them.
    pub(crate) pool: Pool,
    /// The same by the layer in which they play, as places in `tracks`.
    pub(crate) tracks_by_layer: Vec<u16>,
    /// The track of each machine; empty where there are none.
    pub(crate) track_of: Vec<Option<u16>>,
    /// The word that counts playheads of motions.
    pub(crate) serial: usize,
    /// For each state, where its own time stands, if it is a composite whose gates count that; else [`NONE`].
    /// Empty where there are none.
    pub(crate) clocks: Vec<u32>,
    /// Which layers touch the targets of tracks.
    pub(crate) touches: Touches,
    /// For each state, where it remembers which one inside it was active, plus 1; [`NONE`] if it does not. Empty where
    /// none does.
    pub(crate) history: Vec<u32>,
    /// The leaf in which each machine is created.
    pub(crate) starts: Vec<StateId>,
    /// Whether an `Entry` is to be decided before the first tick.
    pub(crate) undecided: bool,
    /// The listeners by their targets, those of the scene first; those of one target in order of declaration.
    pub(crate) by_target: Vec<u16>,
    /// The targets on which listeners hear a press, ascending.
    pub(crate) presses: Vec<TextId>,
    /// Where their words begin.
    pub(crate) press: usize,
    /// The word of the target that has the keyboard's focus, if any listener of a target hears keys.
    pub(crate) focus: Option<usize>,
    /// Whether a transition has a gate.
    pub(crate) gates: bool,
    /// Whether a transition is `Instant`.
    pub(crate) instants: bool,
    /// Whether nothing but animations, layers and machines changes by itself, and those at fixed rates.
    pub(crate) glides: bool,
    /// Whether all that it shows, its components included, are animations of a single word; said by
    /// [`place`](super::tree::place).
    pub(crate) few: bool,
    /// Whether all that plays are [simple](Slot::simple) animations, of a single word.
    pub(crate) lean: bool,
    /// Whether any animation has a `MinDuration`.
    pub(crate) protects: bool,
    /// Whether any state has `OnUpdate`.
    pub(crate) updates: bool,
    /// Whether a tick has nothing to do but to decide and to let time pass.
    pub(crate) plain: bool,
    /// What is read whatever the states.
    pub(crate) reads: Reads,
    /// Whether decisions look at nothing but requests, triggers and the conditions of transitions.
    pub(crate) peeks: bool,
    /// The rows that every moment walks.
    pub(crate) sweep: u32,
    /// Whether anything but states reads what changes by itself, in conditions.
    pub(crate) restless: bool,
    /// Whether anything but states reads a clock or chance.
    pub(crate) drifts: bool,
    /// Whether a tick asks the host: its predicates, its store.
    pub(crate) asks: bool,
    /// For each bind, where it keeps what it saw last.
    pub(crate) binds: Vec<BindSlot>,
    /// Where the components are, by component.
    pub(crate) inner: Vec<Inner>,
    /// All of an instance, its components included.
    pub(crate) tree: Tree,
}

/// What a bind saw last of its two sides. One-way binds of values keep nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BindSlot {
    /// The word for the outer side, before that for the component's; [`NONE`] where nothing is kept. Of a trigger, how
    /// often it had been fired.
    pub(crate) at: u32,
    /// The place of a text among the host's texts, else [`NONE`].
    pub(crate) side: u32,
}

/// A parameter in the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParamSlot {
    /// Its word.
    pub(crate) at: u32,
    pub(crate) is_trigger: bool,
    /// A trigger's remaining seconds, or the own value of a global parameter; else [`NONE`].
    pub(crate) extra: u32,
    /// The first word of the machines that used a trigger up; or the place of a text among the host's texts, that of
    /// its own value behind it if it is global; else [`NONE`].
    pub(crate) side: u32,
    /// Where a trigger that is tied to another counts its firings; else [`NONE`].
    pub(crate) fired: u32,
}

/// What contends with an animation for its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contest {
    /// Nothing.
    Free,
    /// The members of a group.
    Group(GroupId),
    /// The ungrouped animations of a layer.
    Layer(LayerId),
}

/// An animation, as the tick needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// Its first word.
    pub(crate) at: u32,
    /// The units of time for which it is still protected, two words; [`NONE`] without `MinDuration`.
    pub(crate) protection: u32,
    /// The duration that the host gave; [`NONE`] where the program has it.
    pub(crate) duration_at: u32,
    /// Where its layer's speed stands, or [`NONE`].
    pub(crate) speed_at: u32,
    pub(crate) duration: f32,
    /// The way of a unit of time, without direction, where that is fixed.
    pub(crate) step: u64,
    /// The way within which things count as reached, where that is fixed.
    pub(crate) tolerance: u64,
    /// Whether that is fixed.
    pub(crate) fixed: bool,
    /// Whether it moves, that is fixed, and nothing but its end and its fade lie before it.
    pub(crate) simple: bool,
    pub(crate) speed: f32,
    pub(crate) weight: f32,
    pub(crate) fade_in: Fade,
    pub(crate) fade_out: Fade,
    /// In units of time.
    pub(crate) min_duration: u64,
    pub(crate) priority: i32,
    pub(crate) animation: AnimationId,
    pub(crate) layer: LayerId,
    pub(crate) contest: Contest,
    pub(crate) loop_mode: LoopMode,
    pub(crate) can_interrupt: bool,
    pub(crate) additive: bool,
    /// It has markers or spans.
    pub(crate) marked: bool,
    pub(crate) markers: Run,
    pub(crate) spans: Run,
}

impl Slot {
    /// How many markers and spans it has.
    pub(crate) const fn marks(&self) -> u32 {
        self.markers.count.saturating_add(self.spans.count)
    }
}

/// A state, as the tick needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateInfo {
    /// The leaf that is entered with it, if nothing is remembered and of each `Entry` the last transition is taken.
    pub(crate) leaf: StateId,
    /// Which leaf is entered with it may change without anything set from outside.
    pub(crate) wanders: bool,
    /// A condition of it or of a state around it reads what changes by itself.
    pub(crate) restless: bool,
    /// What is read while it is active reads a clock or chance.
    pub(crate) drifts: bool,
    /// It or a state around it has reactions.
    pub(crate) reacts: bool,
    /// It or a state around it has `OnUpdate`.
    pub(crate) updates: bool,
    /// It or a state around it has transitions, or an `AnyState` concerns it.
    pub(crate) leaves: bool,
    /// A transition of it, of a state around it or of an `AnyState` that concerns it has a gate.
    pub(crate) gated: bool,
    /// It or a state around it has `OnLoop`.
    pub(crate) repeats: bool,
    /// What the conditions read that are asked while it is active, those of states around it too.
    pub(crate) reads: Reads,
}

/// A block of code, as the evaluator needs it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodeInfo {
    pub(crate) ops: Run,
    pub(crate) cost: u32,
    /// What it comes down to, if it is a condition that only compares parameters; else nothing.
    pub(crate) checks: Run,
    /// Reads what changes by itself: time, playheads, weights, other states, the host.
    restless: bool,
    /// Reads what changes though nothing moves: a clock, chance.
    drifts: bool,
}

/// Hands out words.
struct Words(usize);

impl Words {
    fn take(&mut self, count: usize) -> usize {
        let at = self.0;
        self.0 = at.saturating_add(count);
        at
    }

    fn take_u32(&mut self, count: usize) -> u32 {
        u32::try_from(self.take(count)).unwrap_or(NONE)
    }
}

impl Layout {
    /// The layout of a verified behavior; `tied` are the triggers that are tied to others. Where its components are is
    /// said by [`place`](super::tree::place).
    pub(super) fn of(rows: &Behavior, facts: &[CodeFacts], touches: Touches, tied: &[ParamId]) -> Self {
        let mut words = Words(1);
        let mut codes = codes(rows, facts);
        let random = rows.ops.iter().any(|op| matches!(op, Op::Random))
            || rows.transitions.iter().any(|transition| transition.random_weight.is_some());
        let rng = random.then(|| words.take(2));
        let mask_words = rows.machines.len().div_ceil(32);
        let mut host_texts = Words(0);
        let mut counted = vec![false; rows.params.len()];
        for param in tied {
            if let Some(counted) = counted.get_mut(param.index()) {
                *counted = true;
            }
        }
        let params: Vec<ParamSlot> = rows
            .params
            .iter()
            .zip(counted)
            .map(|(param, counted)| {
                let is_trigger = param.ty == Type::Trigger;
                let at = words.take_u32(1);
                let extra = match (param.ty, param.lifetime) {
                    (Type::Trigger, Lifetime::Seconds(_)) => words.take_u32(1),
                    _ if param.global => words.take_u32(1),
                    _ => NONE,
                };
                let side = match param.ty {
                    Type::Trigger => words.take_u32(mask_words),
                    Type::Text => host_texts.take_u32(1 + usize::from(param.global)),
                    _ => NONE,
                };
                let fired = if counted { words.take_u32(1) } else { NONE };
                ParamSlot { at, is_trigger, extra, side, fired }
            })
            .collect();
        let checks = checks::decode(rows, &params, &mut codes);
        let machines = words.take(rows.machines.len() * MACHINE_WORDS);
        let layers = words.take(rows.layers.len() * LAYER_WORDS);
        let layer_speed: Vec<u32> = rows
            .layers
            .iter()
            .map(|layer| if layer.speed.is_some() { words.take_u32(1) } else { NONE })
            .collect();
        let layer_codes = rows.layers.iter().any(|layer| layer.weight.is_some() || layer.speed.is_some());
        let active_words = rows.animations.len().div_ceil(32);
        let active = words.take(active_words);
        let active_sum = if active_words > FEW { words.take_u32(1) } else { NONE };
        let finished = words.take(active_words);
        let waiting = words.take(rows.groups.len());
        let whens = words.take(rows.whens.len().div_ceil(32));
        let extern_words = rows.externs.len().div_ceil(32);
        let externs_known = words.take(extern_words);
        let externs_true = words.take(extern_words);
        let (slots, slot_of) = slots(rows, &layer_speed, &mut words);
        let all_simple = active_words == 1 && slots.iter().all(|slot| slot.simple);
        let (tag_first, tagged) = tagged(rows, &slot_of);
        let damps = words.take(rows.damps.len());
        let clocks = tracks::clocks(rows, |count| words.take_u32(count));
        let history = memories(rows, &mut words);
        let leaves = tracks::leaves(rows);
        let (tracks, pool) = tracks::tracks(rows, &leaves, &layer_speed, |count| words.take(count));
        let moving = tracks.iter().any(|track| track.rows() > 0);
        let serial = if moving { words.take(1) } else { 0 };
        let presses = targets(rows, |hear| hear.input == InputKind::Down);
        let press = words.take(presses.len() * PRESS_WORDS);
        let keys = !targets(rows, |hear| hear.input.source() == Source::Key).is_empty();
        let focus = keys.then(|| words.take(1));
        let binds =
            rows.binds.iter().map(|bind| bind_slot(rows, bind, &mut words, &mut host_texts)).collect();
        let restless_code = |code: CodeId| codes.get(code.index()).is_none_or(|known| known.restless);
        let restless = rows
            .machines
            .iter()
            .flat_map(|machine| machine.any.of(&rows.transitions))
            .filter_map(|transition| transition.condition)
            .chain(rows.whens.iter().take(rows.behavior_whens as usize).map(|when| when.condition))
            .any(restless_code);
        let drifting = |code: CodeId| codes.get(code.index()).is_none_or(|known| known.drifts);
        let drifts = drifts(rows, drifting);
        let reads = reads::of_codes(rows);
        let states = states(rows, restless_code, drifting, |code| reads::of(&reads, code));
        let glides = rows.damps.is_empty()
            && !layer_codes
            && !rows.params.iter().any(|param| matches!(param.lifetime, Lifetime::Seconds(_)));
        let plain = rows.damps.is_empty()
            && !rows.params.iter().any(|param| param.global)
            && !rows.states.iter().any(|state| state.update.is_some());
        let alone = tracks.is_empty() && rows.whens.is_empty() && rows.externs.is_empty();
        let peeks = glides && plain && !restless && alone;
        Self {
            words: words.0,
            rng,
            params,
            triggers: ids_where(rows, |param| param.ty == Type::Trigger),
            timed_triggers: ids_where(rows, |param| {
                param.ty == Type::Trigger && matches!(param.lifetime, Lifetime::Seconds(_))
            }),
            globals: ids_where(rows, |param| param.global),
            host_texts: host_texts.0,
            mask_words,
            machines,
            machine_count: rows.machines.len(),
            layers,
            layer_count: rows.layers.len(),
            layer_codes,
            layer_speed,
            active,
            active_words,
            active_sum,
            active_group: active_words.div_ceil(32).max(1),
            finished,
            waiting,
            whens,
            externs_known,
            externs_true,
            extern_words,
            damps,
            slots,
            slot_of,
            tag_first,
            tagged,
            starts: rows.machines.iter().map(|machine| start_of(rows, &states, machine.start)).collect(),
            undecided: rows.machines.iter().any(|machine| is_undecided(rows, machine.start)),
            asked: if peeks { Asked::new(rows, &states, &codes) } else { Asked::default() },
            states,
            codes,
            checks,
            leaves,
            tracks_by_layer: tracks::by_layer(&tracks),
            track_of: tracks::of_machines(rows, &tracks),
            serial,
            clocks,
            touches,
            history,
            by_target: by_target(rows),
            presses,
            press,
            focus,
            instants: rows.transitions.iter().any(|transition| transition.instant),
            gates: rows.transitions.iter().any(|transition| transition.gate.is_some()),
            glides,
            few: false,
            lean: all_simple && tracks.is_empty(),
            plain,
            protects: rows.animations.iter().any(|animation| animation.min_duration > 0.0),
            updates: rows.states.iter().any(|state| state.update.is_some()),
            reads: reads::always(rows, &reads),
            peeks,
            sweep: sweep(rows),
            restless,
            drifts,
            asks: !rows.externs.is_empty() || rows.params.iter().any(|param| param.global),
            tracks,
            pool,
            binds,
            inner: Vec::new(),
            tree: Tree::default(),
        }
    }

    /// The size of an instance's block in bytes, its components included.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.tree.words.saturating_mul(4)
    }

    /// The track of a machine.
    pub(crate) fn track(&self, machine: MachineId) -> Option<&Track> {
        let index = (*self.track_of.get(machine.index())?)?;
        self.tracks.get(usize::from(index))
    }

    /// How many playheads a motion has.
    pub(crate) fn leaves_of(&self, motion: Option<MotionId>) -> usize {
        let count = motion.and_then(|motion| self.leaves.get(motion.index()));
        count.copied().unwrap_or(0).into()
    }

    /// Whether the value of a block changes only with what is set from outside it.
    pub(crate) fn is_fixed(&self, code: CodeId) -> bool {
        self.codes.get(code.index()).is_some_and(|known| !known.restless)
    }

    /// The slots of the animations that carry a tag, in order of declaration.
    pub(crate) fn tagged(&self, tag: TagId) -> &[u16] {
        let bound = |index: usize| self.tag_first.get(index).map_or(0, |first| *first as usize);
        self.tagged.get(bound(tag.index())..bound(tag.index() + 1)).unwrap_or_default()
    }
}

/// The listeners, sorted by target.
fn by_target(rows: &Behavior) -> Vec<u16> {
    let mut order: Vec<u16> = (0..rows.listeners.len()).filter_map(|row| u16::try_from(row).ok()).collect();
    order.sort_by_key(|row| rows.listeners.get(usize::from(*row)).and_then(|listener| listener.target));
    order
}

/// The targets of listeners that hear something of a kind, ascending, each once.
fn targets(rows: &Behavior, kind: impl Fn(&Hear) -> bool) -> Vec<TextId> {
    let listeners = rows.listeners.iter().filter(|listener| listener.hears.of(&rows.hears).iter().any(&kind));
    let mut targets: Vec<TextId> = listeners.filter_map(|listener| listener.target).collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

fn bind_slot(rows: &Behavior, bind: &Bind, words: &mut Words, host_texts: &mut Words) -> BindSlot {
    let ty = rows.params.get(bind.param.index()).map(|param| param.ty);
    let keeps = ty == Some(Type::Trigger) || bind.direction == Direction::Both;
    BindSlot {
        at: if keeps { words.take_u32(2) } else { NONE },
        side: if keeps && ty == Some(Type::Text) { host_texts.take_u32(1) } else { NONE },
    }
}

fn sweep(rows: &Behavior) -> u32 {
    let all =
        [rows.machines.len(), rows.layers.len(), rows.groups.len(), rows.params.len(), rows.damps.len()];
    u32::try_from(all.iter().sum::<usize>() + rows.animations.len() / 32).unwrap_or(u32::MAX)
}

fn ids_where(rows: &Behavior, keep: impl Fn(&super::tables::Param) -> bool) -> Vec<ParamId> {
    let kept = rows.params.iter().enumerate().filter(|(_, param)| keep(param));
    kept.filter_map(|(index, _)| ParamId::from_index(index)).collect()
}

fn codes(rows: &Behavior, facts: &[CodeFacts]) -> Vec<CodeInfo> {
    let mut codes: Vec<CodeInfo> = Vec::with_capacity(rows.codes.len());
    for (row, code) in rows.codes.iter().enumerate() {
        let restless = code.ops.of(&rows.ops).iter().any(|op| match *op {
            Op::Call { code } => codes.get(code.index()).is_none_or(|known| known.restless),
            Op::Damped { .. }
            | Op::Extern { .. }
            | Op::Elapsed
            | Op::Dt
            | Op::CameFrom { .. }
            | Op::In { .. }
            | Op::Tagged { .. }
            | Op::Playing { .. }
            | Op::Finished { .. }
            | Op::Time { .. }
            | Op::Phase { .. }
            | Op::Weight { .. }
            | Op::LayerWeight { .. }
            | Op::InSpan { .. }
            | Op::MotionPhase
            | Op::MotionLoops
            | Op::MotionFinished
            | Op::Fade { .. }
            | Op::Value { .. }
            | Op::Inside { .. } => true,
            // The store may change between any two ticks.
            Op::Param { param } => rows.params.get(param.index()).is_none_or(|param| param.global),
            _ => false,
        });
        let cost = facts.get(row).map_or(0, |known| known.cost);
        // A block that is nothing but a call stands for what it calls.
        let run = match code.ops.of(&rows.ops) {
            [Op::Call { code }] => codes.get(code.index()).map_or(Run::default(), |known| known.ops),
            _ => code.ops,
        };
        let drifts = code.ops.of(&rows.ops).iter().any(|op| match *op {
            Op::Call { code } => codes.get(code.index()).is_none_or(|known| known.drifts),
            Op::Elapsed | Op::Dt | Op::Random => true,
            _ => false,
        });
        codes.push(CodeInfo { ops: run, cost, checks: Run::default(), restless, drifts });
    }
    codes
}

fn slots(rows: &Behavior, layer_speed: &[u32], words: &mut Words) -> (Vec<Slot>, Vec<u16>) {
    let mut order: Vec<(AnimationId, &Animation)> = rows
        .animations
        .iter()
        .enumerate()
        .filter_map(|(index, animation)| Some((AnimationId::from_index(index)?, animation)))
        .collect();
    order.sort_by_key(|(_, animation)| animation.layer);
    let mut slot_of = vec![0; order.len()];
    let mut slots = Vec::with_capacity(order.len());
    for (index, (id, animation)) in order.iter().enumerate() {
        let layer = rows.layers.get(animation.layer.index());
        let fixed = animation.duration.filter(|_| layer.is_some_and(|layer| layer.speed.is_none()));
        let step = fixed.map_or(0, |duration| place::step(animation.speed.into(), duration));
        let marked = animation.markers.count > 0 || animation.spans.count > 0;
        let protected = animation.min_duration > 0.0;
        if let Some(slot) = slot_of.get_mut(id.index()) {
            *slot = u16::try_from(index).unwrap_or(u16::MAX);
        }
        let at = words.take_u32(SLOT_WORDS);
        let contest = match animation.group {
            Some(group) => Contest::Group(group),
            None if animation.additive => Contest::Free,
            None => Contest::Layer(animation.layer),
        };
        slots.push(Slot {
            at,
            protection: if protected { words.take_u32(2) } else { NONE },
            duration_at: if animation.duration.is_none() { words.take_u32(1) } else { NONE },
            speed_at: layer_speed.get(animation.layer.index()).copied().unwrap_or(NONE),
            duration: animation.duration.unwrap_or(0.0),
            step,
            tolerance: place::tolerance(step),
            fixed: fixed.is_some(),
            simple: step > 0 && !marked && !protected,
            speed: animation.speed,
            weight: animation.weight,
            fade_in: Fade::of(animation.fade_in),
            fade_out: Fade::of(animation.fade_out),
            min_duration: time::units(animation.min_duration.into()),
            priority: animation.priority,
            animation: *id,
            layer: animation.layer,
            contest,
            loop_mode: animation.loop_mode,
            can_interrupt: animation.can_interrupt,
            additive: animation.additive || layer.is_some_and(|layer| layer.additive),
            marked,
            markers: animation.markers,
            spans: animation.spans,
        });
    }
    (slots, slot_of)
}

/// Counting sort of the animations by tag.
fn tagged(rows: &Behavior, slot_of: &[u16]) -> (Vec<u32>, Vec<u16>) {
    let mut first = vec![0_u32; rows.tags.len() + 1];
    let carried = || {
        rows.animations.iter().zip(slot_of).flat_map(|(animation, slot)| {
            animation.tags.of(&rows.tag_lists).iter().map(move |tag| (tag.index(), *slot))
        })
    };
    for (tag, _) in carried() {
        if let Some(count) = first.get_mut(tag + 1) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for count in &mut first {
        sum += *count;
        *count = sum;
    }
    let mut next = first.clone();
    let mut slots = vec![0; sum as usize];
    for (tag, slot) in carried() {
        if let Some(place) = next.get_mut(tag) {
            if let Some(to) = slots.get_mut(*place as usize) {
                *to = slot;
            }
            *place += 1;
        }
    }
    (first, slots)
}

/// Whether what is read in every state reads a clock or chance.
fn drifts(rows: &Behavior, drifting: impl Fn(CodeId) -> bool) -> bool {
    let any = rows.machines.iter().flat_map(|machine| machine.any.of(&rows.transitions));
    let whens = rows.whens.iter().take(rows.behavior_whens as usize).map(|when| when.condition);
    let layers = rows.layers.iter().flat_map(|layer| [layer.weight, layer.speed]).flatten();
    let damps = rows.damps.iter().map(|damp| damp.input);
    any.filter_map(|transition| transition.condition).chain(whens).chain(layers).chain(damps).any(drifting)
}

/// The motions that read a clock or chance, they or those in them.
fn drifting_motions(rows: &Behavior, drifting: impl Fn(CodeId) -> bool) -> Vec<bool> {
    let mut drifts: Vec<bool> = Vec::with_capacity(rows.motions.len());
    for motion in &rows.motions {
        let inputs = match motion.kind {
            MotionKind::Clip { phase, .. } => [phase, None],
            MotionKind::Blend1D { input, .. } => [Some(input), None],
            MotionKind::Blend2D { x, y, .. } => [Some(x), Some(y)],
            MotionKind::BlendDirect { .. } | MotionKind::Empty => [None, None],
        };
        let points = || motion.kind.points().of(&rows.points).iter();
        let codes = inputs.into_iter().flatten().chain(motion.speed);
        let own = codes.chain(points().filter_map(|point| point.weight)).any(&drifting);
        let inner = points().any(|point| drifts.get(point.motion.index()).copied().unwrap_or(true));
        drifts.push(own || inner);
    }
    drifts
}

fn states(
    rows: &Behavior,
    restless_code: impl Fn(CodeId) -> bool,
    drifting: impl Fn(CodeId) -> bool,
    reads: impl Fn(CodeId) -> Reads,
) -> Vec<StateInfo> {
    let motions = drifting_motions(rows, &drifting);
    let mut states: Vec<StateInfo> = Vec::with_capacity(rows.states.len());
    let gated = |run: Run| run.of(&rows.transitions).iter().any(|transition| transition.gate.is_some());
    let any: Vec<bool> = rows.machines.iter().map(|machine| gated(machine.any)).collect();
    for (index, state) in rows.states.iter().enumerate() {
        let outer = state.parent.and_then(|parent| states.get(parent.index()).copied());
        let machine = rows.machines.get(state.machine.index());
        let info = StateInfo {
            leaf: StateId::from_index(index).unwrap_or_default(),
            wanders: entry_conditions(rows, state).any(&restless_code),
            restless: own_conditions(rows, state).any(&restless_code)
                || outer.is_some_and(|outer| outer.restless),
            drifts: own_conditions(rows, state).chain(state.update).any(&drifting)
                || state.motion.is_some_and(|motion| motions.get(motion.index()).copied().unwrap_or(true))
                || outer.is_some_and(|outer| outer.drifts),
            reacts: state.whens.count > 0 || outer.is_some_and(|outer| outer.reacts),
            updates: state.update.is_some() || outer.is_some_and(|outer| outer.updates),
            leaves: state.transitions.count + state.any.count > 0
                || match outer {
                    Some(outer) => outer.leaves,
                    None => machine.is_some_and(|machine| machine.any.count > 0),
                },
            gated: gated(state.transitions)
                || gated(state.any)
                || match outer {
                    Some(outer) => outer.gated,
                    None => any.get(state.machine.index()).copied().unwrap_or(false),
                },
            repeats: state.repeat.is_some() || outer.is_some_and(|outer| outer.repeats),
            reads: Reads::all(own_conditions(rows, state).map(&reads).chain(outer.map(|outer| outer.reads))),
        };
        states.push(info);
    }
    // From the last row on: what is inside a state stands behind it.
    for (index, state) in rows.states.iter().enumerate().rev() {
        let Some(info) = states.get(index).copied() else { continue };
        if let Some(outer) = state.parent.and_then(|parent| states.get_mut(parent.index())) {
            outer.wanders |= info.wanders;
        }
        let leaf = state.start.map(|start| start_of(rows, &states, start));
        if let (Some(leaf), Some(info)) = (leaf, states.get_mut(index)) {
            info.leaf = leaf;
        }
    }
    states
}

/// The leaf of a start, of an `Entry` the last one.
fn start_of(rows: &Behavior, states: &[StateInfo], start: Start) -> StateId {
    let first = match start {
        Start::State(state) => Some(state),
        Start::Entry(run) => {
            run.of(&rows.transitions).last().and_then(|transition| transition.target.state())
        }
    };
    first.and_then(|first| states.get(first.index())).map(|info| info.leaf).unwrap_or_default()
}

/// Whether an `Entry` is on the way from a start to a leaf. It goes inward with each step.
fn is_undecided(rows: &Behavior, mut start: Start) -> bool {
    loop {
        let Start::State(state) = start else { return true };
        match rows.states.get(state.index()).and_then(|row| row.start) {
            Some(inner) => start = inner,
            None => return false,
        }
    }
}

/// Where composites remember; one that has not been left remembers nothing.
fn memories(rows: &Behavior, words: &mut Words) -> Vec<u32> {
    if rows.states.iter().all(|state| state.history == History::None) {
        return Vec::new();
    }
    let place = |state: &State| if state.history == History::None { NONE } else { words.take_u32(1) };
    rows.states.iter().map(place).collect()
}

/// The conditions that are asked while a state is active, without those of states around it.
fn own_conditions<'a>(rows: &'a Behavior, state: &State) -> impl Iterator<Item = CodeId> + use<'a> {
    let runs = [state.transitions, state.any, state.done];
    let transitions = runs.into_iter().flat_map(|run| run.of(&rows.transitions));
    let whens = state.whens.of(&rows.whens).iter();
    transitions
        .filter_map(|transition| transition.condition)
        .chain(whens.map(|when| when.condition))
        .chain(entry_conditions(rows, state))
}

fn entry_conditions<'a>(rows: &'a Behavior, state: &State) -> impl Iterator<Item = CodeId> + use<'a> {
    let entry = state.start.map_or(Run::default(), Start::entry);
    entry.of(&rows.transitions).iter().filter_map(|transition| transition.condition)
}
