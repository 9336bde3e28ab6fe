//! Motions, crossfades and gates in the text form.

use alloc::string::String;
use alloc::vec::Vec;

use super::code;
use super::node::{self, Node};
use super::rows::place;
use super::scope::Scope;
use crate::easing::Easing;
use crate::ids::{CodeId, MotionId};
use crate::program::tables::{self, Length, MotionKind, Point, Run, Transition, Triangle};

/// A state's motion. Motions nest no deeper than `Limit::MotionNesting`.
pub(super) fn motion(scope: &Scope<'_>, id: MotionId) -> Node {
    let Some(row) = scope.rows.motions.get(id.index()) else { return Node::Line(String::new()) };
    let (head, mut items) = match row.kind {
        MotionKind::Clip { animation, .. } => {
            (alloc::format!("Clip {}", scope.animation(animation)), clip(scope, row))
        }
        MotionKind::Blend1D { input, points, .. } => {
            let (text, mut items) = input_of(scope, "Blend1D ", input);
            items.extend(children(scope, points, |point| node::number(point.x)));
            (text, items)
        }
        MotionKind::Blend2D { x, y, points, .. } => {
            let (mut head, mut items) = input_of(scope, "Blend2D ", x);
            let (text, lines) = input_of(scope, ", ", y);
            head.push_str(&text);
            items.extend(lines);
            items.extend(children(scope, points, spot));
            (head, items)
        }
        MotionKind::BlendDirect { points, .. } => {
            ("BlendDirect".into(), children(scope, points, |_| String::new()))
        }
        MotionKind::Empty => ("Empty".into(), Vec::new()),
    };
    items.extend(options(scope, row));
    Node::item(head, items)
}

/// An expression behind a head, its operations as a block where it has no such text.
fn input_of(scope: &Scope<'_>, head: &str, code: CodeId) -> (String, Vec<Node>) {
    let (text, lines) = code::expression(scope, head, code, None);
    let items = (!lines.is_empty()).then(|| Node::block("Input", lines));
    (text, items.into_iter().collect())
}

/// What a clip has besides its animation and its speed.
fn clip(scope: &Scope<'_>, row: &tables::Motion) -> Vec<Node> {
    let mut items = Vec::new();
    if let MotionKind::Clip { start_at, phase, mirror, .. } = row.kind {
        items.extend(start_at.map(|start| Node::Line(alloc::format!("StartAt {}", place(start)))));
        items.extend(phase.map(|phase| {
            let (text, lines) = code::expression(scope, "Phase ", phase, None);
            Node::item(text, lines)
        }));
        items.extend(mirror.then(|| Node::Line("Mirror".into())));
    }
    items
}

/// What follows the children: a triangulation, then what every motion may have.
fn options(scope: &Scope<'_>, row: &tables::Motion) -> Vec<Node> {
    let mut items = Vec::new();
    let sync = match row.kind {
        MotionKind::Blend1D { sync, .. } => sync,
        MotionKind::Blend2D { sync, points, triangles, .. } => {
            let points = points.of(&scope.rows.points);
            let at = |index: u16| points.get(usize::from(index)).map(spot).unwrap_or_default();
            for Triangle { a, b, c } in triangles.of(&scope.rows.triangles) {
                let corners = [*a, *b, *c].map(at);
                items.push(Node::Line(alloc::format!("Triangle {}", node::list(corners.into_iter()))));
            }
            sync
        }
        MotionKind::BlendDirect { sync, normalize, .. } => {
            items.extend(normalize.then(|| Node::Line("Normalize".into())));
            sync
        }
        MotionKind::Clip { .. } | MotionKind::Empty => true,
    };
    items.extend((!sync).then(|| Node::Line("Sync false".into())));
    items.extend(row.speed.map(|speed| {
        let (text, lines) = code::expression(scope, "Speed ", speed, None);
        Node::item(text, lines)
    }));
    items
}

/// A position in the plane.
fn spot(point: &Point) -> String {
    alloc::format!("({}, {})", node::number(point.x), node::number(point.y))
}

/// `position: Animation`, `position: { motion }` where there is more to say.
fn children(scope: &Scope<'_>, points: Run, position: impl Fn(&Point) -> String) -> Vec<Node> {
    let mut items = Vec::new();
    for point in points.of(&scope.rows.points) {
        let (mut head, lines) = match point.weight {
            Some(weight) => code::expression(scope, "", weight, None),
            None => (position(point), Vec::new()),
        };
        let weight = (!lines.is_empty()).then(|| Node::block("Weight", lines));
        let row = scope.rows.motions.get(point.motion.index());
        head.push(':');
        let plain = match row.map(|row| (row.kind, row.speed)) {
            Some((MotionKind::Clip { animation, start_at: None, phase: None, mirror: false }, None)) => {
                Some(animation)
            }
            _ => None,
        };
        items.push(match (plain, weight) {
            (Some(animation), None) => Node::Line(alloc::format!("{head} {}", scope.animation(animation))),
            (_, weight) => {
                let inside = weight.into_iter().chain([motion(scope, point.motion)]);
                Node::block(head, inside.collect())
            }
        });
    }
    items
}

/// How a transition looks and when it is open; what is at its default is left out.
pub(super) fn look(scope: &Scope<'_>, row: &Transition) -> Vec<Node> {
    let mut items = Vec::new();
    let mut line = |text: String| items.push(Node::Line(text));
    match row.fade.duration {
        Length::Seconds(0.0) => {}
        Length::Seconds(seconds) => line(alloc::format!("Duration {}s", node::number(seconds))),
        // As it is stored: a percentage would round.
        Length::Cycles(share) => line(alloc::format!("Duration ratio {}", node::number(share))),
    }
    if row.fade.easing != Easing::Linear {
        line(alloc::format!("Easing {}", easing(row.fade.easing)));
    }
    if let Some(seconds) = row.gate.after {
        line(alloc::format!("After {}s", node::number(seconds)));
    }
    match row.gate.exit {
        Some(tables::Place::Ratio(1.0)) => line("AtEnd".into()),
        Some(exit) => line(alloc::format!("ExitTime {}", place(exit))),
        None => {}
    }
    if let Some(marker) = row.gate.marker {
        line(alloc::format!("AtMarker {}", scope.name(marker)));
    }
    for (holds, word) in [
        (row.gate.lead_out, "LeadOut"),
        (!row.early_exit, "EarlyExit false"),
        (row.pause_on_exit, "PauseOnExit"),
        (row.sync, "Sync"),
    ] {
        if holds {
            line(word.into());
        }
    }
    if let Some(start) = row.start_at {
        line(alloc::format!("StartAt {}", place(start)));
    }
    items
}

pub(super) fn easing(easing: Easing) -> String {
    match easing {
        Easing::CubicBezier { x1, y1, x2, y2 } => {
            let numbers = [x1, y1, x2, y2].into_iter().map(node::number);
            alloc::format!("{}({})", easing.name(), node::list(numbers))
        }
        Easing::Steps(count) => alloc::format!("{}({count})", easing.name()),
        _ => easing.name().into(),
    }
}
