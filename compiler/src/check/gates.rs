//! Gates of transitions: what they ask of the source's motion, and whether they can ever open.

use motix_vm::ids::{MachineId, MotionId, StateId};
use motix_vm::program::tables::{LoopMode, Place};

use crate::ast::{Item, Name};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, MotionKind};
use crate::intern::Symbol;
use crate::resolve::saturate;
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::Checker;
use super::motions::StateMotion;
use super::transitions::Role;
use super::unknown::FEW;

/// The gates of a transition, and where they are written.
#[derive(Default)]
pub(super) struct Gates<'i> {
    pub(super) gate: hir::Gate,
    after: Option<&'i Item>,
    exit: Option<&'i Item>,
    pub(super) lead_out: Option<&'i Item>,
    marker: Option<(&'i Item, Name)>,
}

/// Why a motion never opens a gate.
#[derive(Clone, Copy)]
pub(super) enum Fault {
    /// There is none.
    NoMotion,
    /// It has no playhead, or one that stands where an expression says.
    Still,
    /// It ends before that share of it.
    Ends,
    /// It is not that many seconds long.
    Short(f32),
    /// None of its clips has a marker of that name.
    NoMarker(MotionId),
    /// It is a blend whose children run by themselves.
    Unsynced(MotionId),
    /// It is a blend, whose cycle has no fixed length, and the place is in seconds.
    NoLength,
}

impl Checker<'_, '_> {
    /// Takes a gate; other properties are left alone.
    pub(super) fn gate<'i>(&mut self, gates: &mut Gates<'i>, property: &'i Item) {
        match (property.keyword, property.value()) {
            (Keyword::After, Some(value)) => {
                gates.after = Some(property);
                gates.gate.after = Some(self.duration(value, "`After`").unwrap_or(0.0));
            }
            (Keyword::ExitTime, Some(value)) => {
                let place = self.place_up_to(value, "`ExitTime`", f32::MAX);
                if self.other_exit(gates, property) {
                    gates.gate.exit = Some(place.unwrap_or(Place::Ratio(1.0)));
                    // A wrong one is not judged further.
                    gates.exit = place.map(|_| property);
                }
            }
            (Keyword::AtEnd, _) if self.flag(property) && self.other_exit(gates, property) => {
                gates.gate.exit = Some(Place::Ratio(1.0));
                gates.exit = Some(property);
            }
            (Keyword::LeadOut, _) if self.flag(property) => {
                gates.gate.lead_out = true;
                gates.lead_out = Some(property);
            }
            (Keyword::AtMarker, _) => {
                if let Some(name) = property.name() {
                    gates.gate.marker = Some(name.symbol);
                    gates.marker = Some((property, name));
                }
            }
            _ => {}
        }
    }

    /// Whether no other gate on the playhead is there; otherwise that is reported.
    fn other_exit(&mut self, gates: &Gates<'_>, property: &Item) -> bool {
        let Some(first) = gates.exit else { return true };
        let report = Diagnostic::new(
            Code::GateConflict,
            "`AtEnd` and `ExitTime` both say when the motion lets go",
            property.span,
            "said again here",
        )
        .label(first.span, "first said here")
        .help("keep one of them: `AtEnd` is `ExitTime 100%`");
        self.report(report);
        false
    }

    /// The rules on gates that need the whole transition.
    pub(super) fn check_gates(&mut self, gates: &Gates<'_>, machine: MachineId, role: Role) {
        if let Some(lead_out) = gates.lead_out
            && gates.exit.is_none_or(|exit| exit.keyword != Keyword::AtEnd)
            && gates.gate.exit.is_none_or(|exit| exit == Place::Ratio(1.0))
        {
            let report = Diagnostic::new(
                Code::GateConflict,
                "`LeadOut` opens `AtEnd` one fade earlier, and there is no `AtEnd`",
                lead_out.span,
                "expected `AtEnd` beside it",
            );
            self.report(report.help("write `AtEnd LeadOut`").fix(lead_out.keyword_span, "AtEnd LeadOut"));
        } else if let (Some(lead_out), Some(exit)) = (gates.lead_out, gates.exit)
            && exit.keyword == Keyword::ExitTime
        {
            let report = Diagnostic::new(
                Code::GateConflict,
                "`LeadOut` belongs to `AtEnd`, and this is `ExitTime`",
                lead_out.span,
                "expected `AtEnd` beside it",
            )
            .label(exit.span, "this place is exact");
            self.report(report.help("write `AtEnd LeadOut`, or leave `LeadOut` out"));
        }
        if let (Some(exit), Some((marker, _))) = (gates.exit, gates.marker) {
            let report = Diagnostic::new(
                Code::GateConflict,
                format!("`AtMarker` and `{}` wait for two moments of one motion", exit.keyword.name()),
                marker.span,
                "this is one moment",
            )
            .label(exit.span, "this is another")
            .help("keep one of them, or write two transitions");
            self.report(report);
            return;
        }
        if let Some(exit) = gates.exit {
            self.check_opens(exit, gates, machine, role);
        }
        if let Some((marker, _)) = gates.marker {
            self.check_opens(marker, gates, machine, role);
        }
    }

    /// Reports gates of a transition that is only requested.
    pub(super) fn check_requested(&mut self, gates: &Gates<'_>, request: Span) {
        let marker = gates.marker.map(|(item, _)| item);
        let Some(first) = [gates.after, gates.exit, marker].into_iter().flatten().next() else { return };
        let report = Diagnostic::new(
            Code::ConditionOnRequest,
            "a transition `on request` is never taken by itself, so its gates are never asked",
            first.span,
            "expected no gate",
        )
        .label(request, "because of this")
        .help("remove one of them");
        self.report(report);
    }

    /// Reports a gate that no state it stands for can open.
    fn check_opens(&mut self, property: &Item, gates: &Gates<'_>, machine: MachineId, role: Role) {
        let Some(fault) = self.all_fail(machine, role, |this, motion| this.opens(motion, &gates.gate)) else {
            return;
        };
        let word = property.keyword.name();
        let report = match fault {
            Fault::NoMotion => return self.no_motion(property, machine, role),
            Fault::NoMarker(motion) => {
                if let Some((_, name)) = gates.marker {
                    self.no_marker(name, motion, role);
                }
                return;
            }
            Fault::Unsynced(motion) => return self.unsynced(property, motion),
            Fault::NoLength => Diagnostic::new(
                Code::BlendSeconds,
                format!("`{word}` is a time, and the cycle of a blend has no fixed length"),
                property.span,
                "expected a share of the cycle",
            )
            .help("write a share, such as `ExitTime 40%`; for the time in the state, `After 0.5s`"),
            Fault::Still => Diagnostic::new(
                Code::NeverOpens,
                format!("`{word}` never opens: the motion goes through no cycle"),
                property.span,
                "nothing passes this",
            )
            .help("for the time in the state, write `After 0.5s`; for anything else, a condition"),
            Fault::Ends => Diagnostic::new(
                Code::NeverOpens,
                format!("`{word}` never opens: the motion does not loop, so it ends at 100%"),
                property.span,
                "expected a place from 0% to 100%",
            )
            .help("for its end, write `AtEnd`; for a time after it, `After`"),
            Fault::Short(duration) => Diagnostic::new(
                Code::NeverOpens,
                format!("`{word}` never opens: it is after the clip's end"),
                property.span,
                format!("the clip is {}s long", super::units::shorten(duration)),
            )
            .help("for a later cycle of a clip that loops, write a share above 100%: `250%`"),
        };
        let report = self.at_motion(report, role);
        self.report(report);
    }

    /// With a label at the motion of a state.
    fn at_motion(&self, report: Diagnostic, role: Role) -> Diagnostic {
        match role.source().map(|state| self.motion_in(state)) {
            Some(StateMotion::Known(motion)) => match self.motion_row(motion) {
                Some(row) => report.label(row.span, "this motion"),
                None => report,
            },
            _ => report,
        }
    }

    /// Why none of the states that a transition stands in passes; `None` where one does, or is unclear.
    pub(super) fn all_fail(
        &self,
        machine: MachineId,
        role: Role,
        test: impl Fn(&Self, StateMotion) -> Result<(), Fault>,
    ) -> Option<Fault> {
        let mut fault = None;
        for state in self.concerned(machine, role) {
            match test(self, self.motion_in(state)) {
                Ok(()) => return None,
                // The fault of a motion says more than that there is none.
                Err(Fault::NoMotion) if fault.is_some() => {}
                Err(found) => {
                    if matches!(fault, None | Some(Fault::NoMotion)) {
                        fault = Some(found);
                    }
                }
            }
        }
        fault
    }

    /// The states without others inside in which a transition may be taken.
    fn concerned(&self, machine: MachineId, role: Role) -> impl Iterator<Item = StateId> {
        let states = match role {
            Role::State(state) | Role::Done(state) | Role::Any(Some(state)) => {
                let end = self.known.scope.states.get(state.index()).map_or(0, |row| saturate(row.end));
                // Beyond the limit on states, ids stand for several.
                state.0..end.max(state.0.saturating_add(1))
            }
            Role::Any(None) => {
                self.known.hir.machines.get(machine.index()).map_or(0..0, |row| row.states.clone())
            }
        };
        states.map(StateId).filter(|state| !self.is_composite(*state))
    }

    fn opens(&self, motion: StateMotion, gate: &hir::Gate) -> Result<(), Fault> {
        let row = match motion {
            StateMotion::None => return Err(Fault::NoMotion),
            StateMotion::Unclear => return Ok(()),
            StateMotion::Known(motion) => self.motion_row(motion),
        };
        let (Some(row), StateMotion::Known(motion)) = (row, motion) else { return Ok(()) };
        if matches!(row.kind, MotionKind::Clip { phase: Some(_), .. } | MotionKind::Empty) {
            return Err(Fault::Still);
        }
        let hir = &self.known.hir;
        if !hir.is_synced(motion) {
            return Err(Fault::Unsynced(motion));
        }
        let clips = hir.clips_of(motion);
        // All clips of one phase loop, or none does.
        let Some((_, first)) = clips.first().and_then(|clip| hir.animation_of(*clip)) else { return Ok(()) };
        match (gate.exit, first.duration) {
            (Some(Place::Ratio(share)), _) if share > 1.0 && first.loop_mode == LoopMode::None => {
                return Err(Fault::Ends);
            }
            (Some(Place::Seconds(_)), _) if matches!(row.kind, MotionKind::Blend { .. }) => {
                return Err(Fault::NoLength);
            }
            (Some(Place::Seconds(at)), Some(duration)) if at > duration => {
                return Err(Fault::Short(duration));
            }
            _ => {}
        }
        let has = |marker: Symbol| {
            let mut rows = clips.iter().filter_map(|clip| hir.animation_of(*clip));
            rows.any(|(_, row)| row.markers.iter().any(|(known, _)| known.symbol == marker))
        };
        match gate.marker {
            Some(marker) if !has(marker) => Err(Fault::NoMarker(motion)),
            _ => Ok(()),
        }
    }

    fn no_marker(&mut self, name: Name, motion: MotionId, role: Role) {
        if self.is_lost(name.symbol) {
            return;
        }
        let clips = self.known.hir.clips_of(motion);
        let rows = clips.iter().filter_map(|clip| self.known.hir.animation_of(*clip));
        if role.source().is_some()
            && let [clip] = clips[..]
            && let Some((_, row)) = self.known.hir.animation_of(clip)
        {
            let known: Vec<Symbol> = row.markers.iter().take(FEW).map(|(marker, _)| marker.symbol).collect();
            let of = self.text(row.name.symbol).to_owned();
            self.no_mark("marker", &of, name, known);
            return;
        }
        let word = self.text(name.symbol).to_owned();
        let (message, label) = match role.source() {
            Some(_) => {
                (format!("no clip of this blend has a marker `{word}`"), "expected a marker of one of them")
            }
            None => (
                format!("no state here plays a clip with a marker `{word}`"),
                "expected a marker of a state's motion",
            ),
        };
        let known: Vec<Symbol> = match role.source() {
            Some(_) => {
                rows.flat_map(|(_, row)| &row.markers).take(FEW).map(|(marker, _)| marker.symbol).collect()
            }
            None => {
                let all = self.known.hir.animations.iter().flat_map(|row| &row.markers);
                all.take(FEW).map(|(marker, _)| marker.symbol).collect()
            }
        };
        let mut report =
            self.at_motion(Diagnostic::new(Code::UnknownMarker, message, name.span, label), role);
        let near = self.nearest_of(&word, known.iter().copied());
        if let Some(near) = near {
            let mended = super::context::written(&near);
            report = report.help(format!("did you mean `{near}`?")).fix(name.span, mended);
        } else if role.source().is_some() && !known.is_empty() {
            report = report.help(format!("there are {}", self.choices(known.iter().copied(), "and")));
        }
        self.report_name(report);
    }

    /// Reports what asks for the one phase of a motion whose children run by themselves.
    pub(super) fn unsynced(&mut self, property: &Item, motion: MotionId) {
        let word = property.keyword.name();
        let (message, label) = match property.keyword {
            Keyword::Duration => {
                (format!("`{word}` is a share of a cycle"), "there is no one cycle to take a share of")
            }
            Keyword::Sync => (format!("`{word}` keeps one phase"), "there is no one phase to keep"),
            Keyword::OnFinish => (format!("`{word}` waits for an end"), "there is no one end to wait for"),
            Keyword::OnLoop => (format!("`{word}` waits for a cycle"), "there is no one cycle to wait for"),
            _ => {
                (format!("`{word}` waits for a place in the motion"), "there is no one playhead to wait for")
            }
        };
        let mut report = Diagnostic::new(
            Code::Unsynced,
            format!("{message}, and the clips of this motion run each by itself"),
            property.keyword_span,
            label,
        );
        let mut open = vec![motion];
        while let Some(motion) = open.pop() {
            let Some(row) = self.motion_row(motion) else { continue };
            if matches!(row.kind, MotionKind::Blend { sync: false, .. }) {
                report = report.label(row.span, "this blend has `Sync false`");
                break;
            }
            open.extend(row.points().iter().rev().map(|point| point.motion));
        }
        self.report(report.help(match property.keyword {
            Keyword::Duration => "write a time: `Duration 200ms`, or remove the blend's `Sync false`",
            Keyword::Sync => "remove it, or remove the blend's `Sync false`",
            Keyword::OnFinish | Keyword::OnLoop => {
                "remove the blend's `Sync false`; for the time in the state, write `When elapsed >= 0.5 { ... }`"
            }
            _ => "remove the blend's `Sync false`; for the time in the state, write `After 0.5s`",
        }));
    }

    /// Reports a property that asks for the motion of a state without one.
    pub(super) fn no_motion(&mut self, property: &Item, machine: MachineId, role: Role) {
        let word = property.keyword.name();
        let asks = match property.keyword {
            Keyword::Duration => "is a share of the motion",
            Keyword::Sync => "keeps time with the motion",
            Keyword::StartAt => "starts the motion",
            _ => "waits for the motion",
        };
        let row = role.source().and_then(|state| self.known.scope.states.get(state.index()).copied());
        let mut report = match row {
            Some(row) => Diagnostic::new(
                Code::NoMotion,
                format!("`{word}` {asks} of `{}`, which has none", self.text(row.name.symbol)),
                property.span,
                "there is no motion to ask",
            )
            .label(row.name.span, "this state has no motion"),
            None => Diagnostic::new(
                Code::NoMotion,
                format!("`{word}` {asks} of a state, and no state of {} has one", self.machine_text(machine)),
                property.span,
                "there is no motion to ask",
            ),
        };
        report = report.help("give the state a motion: `Clip Name`");
        if !matches!(property.keyword, Keyword::Duration | Keyword::Sync | Keyword::StartAt) {
            report = report.help(
                "for the time in the state, write `After 0.5s`; for an animation that an action started, \
                 `when finished(Name)`",
            );
        }
        self.report(report);
    }
}
