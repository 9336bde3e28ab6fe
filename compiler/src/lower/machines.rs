//! Rows of machines, states, transitions, reactions and listeners.

use motix_vm::program::tables::{
    EntryFrom, Gate, Hear, Listener, Machine, Mark, Motion, MotionKind, Point, Run, Start, State, Transition,
    Triangle, When,
};

use super::Lowerer;
use super::things::append;
use crate::hir;

impl Lowerer<'_> {
    pub(super) fn machines(&mut self) {
        let behavior = self.behavior;
        for when in &behavior.whens {
            let row = self.when(when);
            self.rows.whens.push(row);
        }
        self.rows.behavior_whens = self.rows.whens.len() as u32;
        for machine in &behavior.machines {
            let any = self.transitions(&machine.any);
            let row = Machine {
                layer: machine.layer,
                motion_layer: machine.motion_layer,
                states: Run {
                    first: machine.states.start.into(),
                    count: machine.states.end.saturating_sub(machine.states.start).into(),
                },
                start: self.start(&machine.start),
                enter: machine.enter,
                any,
            };
            self.rows.machines.push(row);
        }
        for state in &behavior.states {
            let row = self.state(state);
            self.rows.states.push(row);
        }
    }

    pub(super) fn listeners(&mut self) {
        let behavior = self.behavior;
        for listener in &behavior.listeners {
            let mut hears = Vec::with_capacity(listener.hears.len());
            for hear in &listener.hears {
                hears.push(Hear {
                    input: hear.input,
                    name: hear.name.map(|name| self.text(name)),
                    actions: self.required_action_block(&hear.actions, hear.span),
                });
            }
            let row = Listener {
                target: listener.target.map(|target| self.text(target)),
                pass_through: listener.pass_through,
                hears: append(&mut self.rows.hears, hears),
            };
            self.rows.listeners.push(row);
        }
    }

    /// The motions, in the order in which they are made of one another.
    pub(super) fn motions(&mut self) {
        let behavior = self.behavior;
        for motion in &behavior.motions {
            let kind = match &motion.kind {
                hir::MotionKind::Clip { animation, start_at, phase, mirror } => MotionKind::Clip {
                    animation: *animation,
                    start_at: *start_at,
                    phase: phase.as_ref().map(|phase| self.expression_block(phase)),
                    mirror: *mirror,
                },
                hir::MotionKind::Blend { by, points, sync } => self.blend(by, points, *sync),
                hir::MotionKind::Empty => MotionKind::Empty,
            };
            let speed = motion.speed.as_ref().map(|speed| self.expression_block(speed));
            self.rows.motions.push(Motion { kind, speed });
        }
    }

    fn blend(&mut self, by: &hir::BlendBy, points: &[hir::Point], sync: bool) -> MotionKind {
        let rows: Vec<Point> = points
            .iter()
            .map(|point| Point {
                motion: point.motion,
                x: point.at[0],
                y: point.at[1],
                weight: point.weight.as_ref().map(|weight| self.expression_block(weight)),
            })
            .collect();
        let points = append(&mut self.rows.points, rows);
        match by {
            hir::BlendBy::Line(input) => {
                MotionKind::Blend1D { input: self.expression_block(input), points, sync }
            }
            hir::BlendBy::Plane { x, y, triangles } => {
                let triangles = triangles.iter().map(|[a, b, c]| Triangle { a: *a, b: *b, c: *c });
                let triangles = append(&mut self.rows.triangles, triangles);
                let (x, y) = (self.expression_block(x), self.expression_block(y));
                MotionKind::Blend2D { x, y, points, triangles, sync }
            }
            hir::BlendBy::Weights { normalize } => {
                MotionKind::BlendDirect { points, sync, normalize: *normalize }
            }
        }
    }

    fn start(&mut self, start: &hir::Start) -> Start {
        match start {
            hir::Start::State(state) => Start::State(*state),
            hir::Start::Entry(ways) => Start::Entry(self.transitions(ways)),
        }
    }

    fn state(&mut self, state: &hir::State) -> State {
        let span = state.name.span;
        let mut entries = Vec::new();
        for (from, actions) in &state.entry_from {
            let actions = self.required_action_block(actions, span);
            entries.push(EntryFrom { from: *from, actions });
        }
        let whens: Vec<_> = state.whens.iter().map(|when| self.when(when)).collect();
        let marks = state.marks.iter().map(|(layer, target, _)| Mark { layer: *layer, target: *target });
        State {
            name: self.text(state.name.symbol),
            machine: state.machine,
            parent: state.parent,
            start: state.start.as_ref().map(|start| self.start(start)),
            history: state.history,
            terminal: state.terminal,
            entry: self.action_block(&state.entry, span),
            entry_from: append(&mut self.rows.entries_from, entries),
            exit: self.action_block(&state.exit, span),
            update: self.action_block(&state.update, span),
            motion: state.motion,
            finish: self.action_block(&state.finish, span),
            repeat: self.action_block(&state.repeat, span),
            whens: append(&mut self.rows.whens, whens),
            marks: append(&mut self.rows.marks, marks),
            tags: append(&mut self.rows.tag_lists, state.tags.iter().copied()),
            transitions: self.transitions(&state.transitions),
            any: self.transitions(&state.any),
            done: self.transitions(&state.done),
        }
    }

    /// The transitions of one source in the order in which they are decided.
    fn transitions(&mut self, transitions: &[hir::Transition]) -> Run {
        let mut order: Vec<_> = transitions.iter().collect();
        order.sort_by_key(|transition| std::cmp::Reverse(transition.priority));
        let mut rows = Vec::with_capacity(order.len());
        for transition in order {
            rows.push(self.transition(transition));
            self.transition_spans.push(transition.span);
        }
        append(&mut self.rows.transitions, rows)
    }

    fn transition(&mut self, transition: &hir::Transition) -> Transition {
        Transition {
            target: transition.target,
            condition: transition.condition.as_ref().map(|condition| self.expression_block(condition)),
            priority: transition.priority,
            instant: transition.instant,
            restart: transition.restart,
            fade: transition.fade,
            gate: Gate {
                after: transition.gate.after,
                exit: transition.gate.exit,
                lead_out: transition.gate.lead_out,
                marker: transition.gate.marker.map(|marker| self.text(marker)),
            },
            early_exit: transition.early_exit,
            pause_on_exit: transition.pause_on_exit,
            sync: transition.sync,
            start_at: transition.start_at,
            on_request: transition.on_request,
            random_weight: transition.random_weight,
            triggers: transition
                .condition
                .as_ref()
                .map_or_else(Run::default, |condition| self.consumed(condition)),
            actions: self.action_block(&transition.actions, transition.span),
        }
    }

    fn when(&mut self, when: &hir::When) -> When {
        When {
            condition: self.expression_block(&when.condition),
            triggers: self.consumed(&when.condition),
            actions: self.required_action_block(&when.actions, when.span),
        }
    }

    fn consumed(&mut self, condition: &hir::Expr) -> Run {
        append(&mut self.rows.triggers, self.triggers.mentioned(condition))
    }
}
