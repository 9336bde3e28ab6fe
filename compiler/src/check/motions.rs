//! Motions of states: what each is, in which layer the main machine's play, and lists that depend on them.

use motix_vm::ids::{AnimationId, LayerId, MotionId, StateId};
use motix_vm::program::tables::LoopMode;

use crate::ast::{EntryValue, Item, Name, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, MotionKind, Ty};
use crate::resolve::{Seat, StateRow, saturate};
use crate::source::Span;
use crate::syntax::Keyword;

use super::blends::Around;
use super::context::{Checker, Seen, Site};
use super::limits::ROWS;

/// The motion of a state, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StateMotion {
    /// It has none.
    None,
    /// It has one that is wrong or refused, which was reported.
    Unclear,
    /// That one.
    Known(MotionId),
}

impl<'a> Checker<'a, '_> {
    /// All motions, before the transitions that ask for them.
    pub(super) fn check_motions(&mut self) {
        if !self.motions_fit() {
            self.state_motions = vec![StateMotion::Unclear; self.known.scope.states.len().min(ROWS)];
            return;
        }
        // States beyond the limit were reported as such.
        for index in 0..self.known.scope.states.len().min(ROWS) {
            let row = self.known.scope.states[index];
            let motion = self.state_motion(row, index);
            self.state_motions.push(motion);
        }
    }

    fn state_motion(&mut self, row: StateRow<'a>, index: usize) -> StateMotion {
        // What could not be read may have been a motion.
        let unread = row.item.has_unread();
        let mut found = if unread { StateMotion::Unclear } else { StateMotion::None };
        let mut first: Option<Span> = None;
        for item in row.item.items().filter(|item| is_motion(item.keyword)) {
            let place = item.name().map_or(item.keyword_span, |name| item.keyword_span.to(name.span));
            let seat = Seat::State(StateId(saturate(index)));
            let site = Site::condition(Some(row.machine)).at(seat);
            let motion = self.motion(item, site, None);
            if let Some(first) = first {
                let report = Diagnostic::new(
                    Code::TwoMotions,
                    format!("the state `{}` has two motions", self.text(row.name.symbol)),
                    place,
                    "a second motion",
                )
                .label(first, "the first one")
                .help("keep one of them, or give the other a layer with a machine of its own");
                self.report(report);
                continue;
            }
            first = Some(place);
            found = motion.map_or(StateMotion::Unclear, StateMotion::Known);
        }
        found
    }

    /// Whether the behavior has no more motions than a program can hold; otherwise that is reported.
    fn motions_fit(&mut self) -> bool {
        let mut spans: Vec<Span> = Vec::new();
        let mut open: Vec<&Item> = Vec::new();
        for row in &self.known.scope.states {
            open.extend(row.item.items().filter(|item| is_motion(item.keyword)));
            while let Some(item) = open.pop() {
                spans.push(item.keyword_span);
                for node in item.nodes() {
                    let Node::Entry(entry) = node else { continue };
                    if let EntryValue::Motion(block) = &entry.value {
                        open.extend(block.nodes.iter().filter_map(|node| match node {
                            Node::Item(item) => Some(item),
                            _ => None,
                        }));
                        continue;
                    }
                    spans.push(entry.span);
                }
            }
        }
        if spans.len() > ROWS {
            // In the order of the text.
            spans.sort_unstable_by_key(|span| (span.file, span.start));
        }
        let first = spans.get(ROWS).copied();
        self.check_number("motions", spans.len(), first);
        first.is_none()
    }

    /// A motion of a state, or of an entry of the blend around it; `None` where it is wrong.
    pub(super) fn motion(&mut self, item: &'a Item, site: Site, around: Option<Around>) -> Option<MotionId> {
        let motion = match item.keyword {
            Keyword::Empty => hir::Motion { span: item.span, kind: MotionKind::Empty, speed: None },
            Keyword::Clip => self.clip(item, site, around)?,
            _ => self.blend(item, site, around)?,
        };
        Some(self.add_motion(motion))
    }

    /// Adds the row of a motion, whose children are there.
    pub(super) fn add_motion(&mut self, motion: hir::Motion) -> MotionId {
        let id = MotionId(saturate(self.known.hir.motions.len()));
        self.known.hir.motions.push(motion);
        id
    }

    /// The animation that a motion of a machine plays.
    pub(super) fn played(&mut self, name: Name, site: Site) -> Option<AnimationId> {
        let animation = self.animation(name)?;
        // A layer's machine plays its motions there; the main machine's play where their clips say.
        let machine = site.machine.and_then(|machine| self.known.scope.machines.get(machine.index()));
        if machine.is_some_and(|row| row.layer.is_none()) {
            self.plays(animation, name.span);
        }
        Some(animation)
    }

    fn clip(&mut self, item: &'a Item, site: Site, around: Option<Around>) -> Option<hir::Motion> {
        let animation = item.name().and_then(|name| self.played(name, site));
        let duration = animation.and_then(|id| self.known.hir.animations.get(id.index())?.duration);
        let (mut speed, mut start_at, mut phase, mut mirror) = (None, None, None, false);
        let mut moved: Option<&Item> = None;
        let mut scrubbed = None;
        let synced = around.filter(|around| around.synced);
        let mut misplaced = false;
        let mut seen = Seen::default();
        for property in item.items() {
            if !self.once(&mut seen, property) {
                continue;
            }
            match (property.keyword, property.value()) {
                (Keyword::StartAt | Keyword::Phase, _) if synced.is_some() => {
                    if let Some(around) = synced {
                        self.child_place(property, around);
                        misplaced = true;
                    }
                }
                (Keyword::Speed, Some(value)) => {
                    moved.get_or_insert(property);
                    speed = Some(self.typed(value, Ty::Number, "`Speed`", site));
                }
                (Keyword::StartAt, Some(value)) => {
                    moved.get_or_insert(property);
                    start_at = self.place_within(value, "`StartAt`", duration);
                }
                (Keyword::Phase, Some(value)) => {
                    scrubbed = Some(property.span);
                    phase = Some(self.typed(value, Ty::Number, "`Phase`", site));
                }
                (Keyword::Mirror, _) => mirror = self.flag(property),
                _ => {}
            }
        }
        if let (Some(moved), Some(scrubbed)) = (moved, scrubbed) {
            let word = moved.keyword.name();
            let report = Diagnostic::new(
                Code::Scrubbed,
                format!("`{word}` does nothing beside `Phase`"),
                moved.span,
                "the playhead stands where `Phase` says",
            );
            self.report(report.label(scrubbed, "said here").help("keep one of them"));
        }
        let kind = MotionKind::Clip { animation: animation?, start_at, phase, mirror };
        (!misplaced).then_some(hir::Motion { span: item.span, kind, speed })
    }

    /// The motion that plays in a state without others inside: its own, or that of the innermost one around it that
    /// has one.
    pub(super) fn motion_in(&self, state: StateId) -> StateMotion {
        let mut at = Some(state);
        while let Some(state) = at {
            match self.motion_of(state) {
                StateMotion::None => at = self.known.scope.state_names.parent(state),
                found => return found,
            }
        }
        StateMotion::None
    }

    /// The motion of a state.
    pub(super) fn motion_of(&self, state: StateId) -> StateMotion {
        self.state_motions.get(state.index()).copied().unwrap_or(StateMotion::Unclear)
    }

    /// The row of a motion.
    pub(super) fn motion_row(&self, motion: MotionId) -> Option<&hir::Motion> {
        self.known.hir.motions.get(motion.index())
    }

    /// The layer in which the main machine plays its motions: the lowest of its clips'.
    pub(super) fn main_motion_layer(&mut self, states: std::ops::Range<u16>) -> LayerId {
        let mut clips: Vec<(AnimationId, Span)> = Vec::new();
        for state in states {
            let StateMotion::Known(motion) = self.motion_of(StateId(state)) else { continue };
            for clip in self.known.hir.clips_of(motion) {
                if let (Some((animation, _)), Some(row)) =
                    (self.known.hir.animation_of(clip), self.motion_row(clip))
                {
                    clips.push((animation, row.span));
                }
            }
        }
        let layer_of = |this: &Self, animation: AnimationId| {
            // One whose layer nothing says is reported where it is declared.
            let known = this.layer_known.get(animation.index()).copied().unwrap_or(false);
            this.known.hir.animations.get(animation.index()).filter(|_| known).map(|row| row.layer)
        };
        let lowest = clips
            .iter()
            .filter_map(|(animation, span)| Some((layer_of(self, *animation)?, *span)))
            .min_by_key(|(layer, _)| *layer);
        let Some((lowest, lowest_span)) = lowest else { return LayerId(0) };
        let other = clips
            .iter()
            .filter_map(|(animation, span)| Some((layer_of(self, *animation)?, *span)))
            .find(|(layer, _)| *layer != lowest);
        if let Some((other, span)) = other {
            let name = |layer: LayerId| {
                let row = self.known.hir.layers.get(layer.index());
                row.map_or_else(String::new, |row| self.text(row.name.symbol).to_owned())
            };
            let (low, high) = (name(lowest), name(other));
            let report = Diagnostic::new(
                Code::MotionLayers,
                format!("the main machine's clips are of the layers `{low}` and `{high}`"),
                span,
                format!("it plays in `{low}` here, like all motions of this machine"),
            )
            .label(lowest_span, format!("this one is of `{low}`, the lowest"))
            .help(format!(
                "give their animations one `Layer`, or let the layer `{high}` have states of its own"
            ));
            self.report(report);
        }
        lowest
    }

    /// Whether the motion of a state can end, and whether it can begin another cycle; `None` where it is unclear.
    pub(super) fn ends_and_repeats(&self, state: StateId) -> Option<(bool, bool)> {
        let motion = match self.motion_in(state) {
            StateMotion::Unclear => return None,
            StateMotion::None => return Some((false, false)),
            StateMotion::Known(motion) => motion,
        };
        let (mut ends, mut repeats) = (false, false);
        for clip in self.known.hir.clips_of(motion) {
            if matches!(self.motion_row(clip)?.kind, MotionKind::Clip { phase: None, .. }) {
                let loops = self.known.hir.animation_of(clip)?.1.loop_mode != LoopMode::None;
                (ends, repeats) = (ends || !loops, repeats || loops);
            }
        }
        Some((ends, repeats))
    }

    /// Reports an `OnFinish` or `OnLoop` that the motion of its state never runs.
    pub(super) fn check_runs(&mut self, item: &Item, state: StateId) {
        let Some((ends, repeats)) = self.ends_and_repeats(state) else { return };
        if let StateMotion::Known(motion) = self.motion_of(state)
            && !self.known.hir.is_synced(motion)
        {
            return self.unsynced(item, motion);
        }
        let finish = item.keyword == Keyword::OnFinish;
        if (finish && ends) || (!finish && repeats) {
            return;
        }
        let why = match (self.motion_in(state), ends || repeats) {
            (StateMotion::None, _) => "the state has no motion",
            (_, false) => "the motion of the state goes through no cycle",
            (_, true) if finish => "the motion of the state loops, so it has no end",
            (_, true) => "the motion of the state does not loop",
        };
        let word = item.keyword.name();
        let mut report = Diagnostic::new(
            Code::NeverRuns,
            format!("`{word}` never runs: {why}"),
            item.keyword_span,
            "these actions never run",
        );
        if let StateMotion::Known(motion) = self.motion_in(state)
            && let Some(row) = self.motion_row(motion)
        {
            report = report.label(row.span, "this motion");
        }
        self.report(report.help(match (self.motion_in(state), ends || repeats) {
            (StateMotion::None, _) => "give the state a motion: `Clip ...`",
            (_, false) => "remove it",
            (_, true) if finish => "for each cycle, write `OnLoop`",
            (_, true) => "for its end, write `OnFinish`",
        }));
    }
}

/// Whether an item of a state is a motion.
pub(super) const fn is_motion(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Clip | Keyword::Empty | Keyword::Blend1D | Keyword::Blend2D | Keyword::BlendDirect
    )
}
