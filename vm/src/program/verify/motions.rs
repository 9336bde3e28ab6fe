//! Motions form trees, blends can be evaluated everywhere, fades and gates can do what they say.
//!
//! Relies on what was checked before: ids and runs in range, numbers finite, parents before their children. That a
//! gate's marker belongs to the very motion of its state is the compiler's to say: here some motion has to play it.

use alloc::vec::Vec;
use core::cmp::Ordering;

use super::{At, Checked, Context};
use crate::ids::{MotionId, TextId};
use crate::plane::{order, turn};
use crate::program::error::LoadErrorKind as Kind;
use crate::program::limits::Limit;
use crate::program::tables::{Behavior, MotionKind, Place, Point, Run, Transition};

pub(super) fn check(context: &Context<'_>, rows: &Behavior) -> Checked {
    trees(context, rows)?;
    for (row, motion) in rows.motions.iter().enumerate() {
        let at = context.row("motions", row);
        let points = motion.kind.points().of(&rows.points);
        match motion.kind {
            MotionKind::Clip { .. } => {}
            MotionKind::Empty => {
                at.require(motion.speed.is_none(), Kind::BadMotion, "an empty motion has a speed")?;
            }
            MotionKind::Blend1D { .. } => {
                let flat = points.iter().all(|point| point.weight.is_none() && point.y == 0.0);
                at.require(flat, Kind::BadPoints, "a point of a `Blend1D` has `x` alone")?;
                ascending(at, points)?;
            }
            MotionKind::BlendDirect { .. } => {
                let weighted =
                    points.iter().all(|point| point.weight.is_some() && point.x == 0.0 && point.y == 0.0);
                at.require(weighted, Kind::BadPoints, "a point of a `BlendDirect` has a weight alone")?;
            }
            MotionKind::Blend2D { triangles: run, .. } => {
                let placed = points.iter().all(|point| point.weight.is_none());
                at.require(placed, Kind::BadPoints, "a point of a `Blend2D` has no weight")?;
                if run.count == 0 { line(at, points)? } else { triangles(context, rows, row, run)? }
            }
        }
    }
    fades(context, rows)
}

/// Each motion stands in one place; children are earlier rows; trees are small.
fn trees(context: &Context<'_>, rows: &Behavior) -> Checked {
    let mut used = alloc::vec![false; rows.motions.len()];
    let mut place = |at: At<'_, '_>, motion: MotionId| {
        let once = used.get_mut(motion.index()).is_some_and(|used| !core::mem::replace(used, true));
        at.require(once, Kind::BadMotion, "it stands in two places")
    };
    // Of each motion: how deep it nests, and how many clips it has.
    let mut sizes: Vec<(usize, usize)> = Vec::with_capacity(rows.motions.len());
    for (row, motion) in rows.motions.iter().enumerate() {
        let at = context.row("motions", row);
        let points = motion.kind.points();
        let (mut depth, mut clips) = (1, 0);
        for point in points.of(&rows.points) {
            let child = sizes.get(point.motion.index());
            let (deep, wide) =
                *child.ok_or_else(|| at.error(Kind::BadMotion, "a child is not an earlier motion"))?;
            let kind = rows.motions.get(point.motion.index()).map(|child| child.kind);
            at.require(kind != Some(MotionKind::Empty), Kind::BadMotion, "a child is an empty motion")?;
            place(at, point.motion)?;
            depth = depth.max(deep + 1);
            clips += wide;
            at.limit(Limit::MotionNesting, depth)?;
            at.limit(Limit::MotionClips, clips)?;
        }
        match motion.kind {
            MotionKind::Clip { .. } | MotionKind::Empty => clips = 1,
            _ => at.require(points.count > 0, Kind::EmptyTable, "a blend has no points")?,
        }
        sizes.push((depth, clips));
    }
    for (row, state) in rows.states.iter().enumerate() {
        state.motion.map_or(Ok(()), |motion| place(context.row("states", row), motion))?;
    }
    Ok(())
}

fn spot(point: &Point) -> [f32; 2] {
    [point.x, point.y]
}

fn ascending(at: At<'_, '_>, points: &[Point]) -> Checked {
    let sorted =
        points.windows(2).all(|pair| matches!(pair, [a, b] if order(spot(a), spot(b)) == Ordering::Less));
    at.require(sorted, Kind::Unsorted, "points stand by ascending place, each at its own")
}

/// Points without triangles lie on one line, in their order along it.
fn line(at: At<'_, '_>, points: &[Point]) -> Checked {
    ascending(at, points)?;
    if let [first, .., last] = points {
        let straight =
            points.iter().all(|point| turn(spot(first), spot(last), spot(point)) == Ordering::Equal);
        at.require(straight, Kind::BadTriangles, "points that are not on one line have none")?;
    }
    Ok(())
}

/// Triangles are counterclockwise and in order, and cover a convex outline around all points exactly once.
fn triangles(context: &Context<'_>, rows: &Behavior, motion: usize, run: Run) -> Checked {
    let at = context.row("motions", motion);
    let points: Vec<[f32; 2]> = rows
        .motions
        .get(motion)
        .map_or(&[][..], |motion| motion.kind.points().of(&rows.points))
        .iter()
        .map(spot)
        .collect();
    let of = |index: u16| points.get(usize::from(index)).copied().unwrap_or_default();
    let mut edges: Vec<(u16, u16)> = Vec::new();
    let mut last: Option<[[f32; 2]; 3]> = None;
    at.require(
        (run.count as usize) < 2 * points.len(),
        Kind::BadTriangles,
        "there are more than the points can have",
    )?;
    for (row, triangle) in run.indices().zip(run.of(&rows.triangles)) {
        let at = context.row("triangles", row);
        for (field, index) in [("a", triangle.a), ("b", triangle.b), ("c", triangle.c)] {
            at.id(field, index.into(), points.len())?;
        }
        let corners @ [a, b, c] = [of(triangle.a), of(triangle.b), of(triangle.c)];
        at.require(
            turn(a, b, c) == Ordering::Greater,
            Kind::BadTriangles,
            "its points are not counterclockwise",
        )?;
        at.require(
            order(a, b) == Ordering::Less && order(a, c) == Ordering::Less,
            Kind::Unsorted,
            "a triangle begins with its least point",
        )?;
        let after = last.is_none_or(|last| {
            let pairs = last.into_iter().zip(corners).map(|(before, corner)| order(before, corner));
            pairs.fold(Ordering::Equal, Ordering::then) == Ordering::Less
        });
        at.require(after, Kind::Unsorted, "the triangles of a blend stand in the order of their points")?;
        last = Some(corners);
        edges.extend([(triangle.a, triangle.b), (triangle.b, triangle.c), (triangle.c, triangle.a)]);
    }
    edges.sort_unstable();
    let twice = edges.windows(2).any(|pair| matches!(pair, [a, b] if a == b));
    at.require(!twice, Kind::BadTriangles, "two of them lie on one side of an edge")?;
    outline(at, &points, &edges)?;
    // All points have triangles, and none stands where another does.
    let mut reached = alloc::vec![false; points.len()];
    for (from, _) in &edges {
        if let Some(flag) = reached.get_mut(usize::from(*from)) {
            *flag = true;
        }
    }
    at.require(reached.iter().all(|reached| *reached), Kind::BadTriangles, "a point has no triangle")?;
    let mut sorted = points;
    sorted.sort_unstable_by(|a, b| order(*a, *b));
    let distinct = sorted.windows(2).all(|pair| matches!(pair, [a, b] if order(*a, *b) == Ordering::Less));
    at.require(distinct, Kind::BadPoints, "two points of a `Blend2D` are at one place")
}

/// The edges with a triangle on one side only are one convex ring. Since all triangles turn the same way and the
/// other edges cancel out, how often the ring goes around a place is how many triangles cover it: once.
fn outline(at: At<'_, '_>, points: &[[f32; 2]], edges: &[(u16, u16)]) -> Checked {
    let bad = |detail| at.error(Kind::BadTriangles, detail);
    let mut next: Vec<Option<u16>> = alloc::vec![None; points.len()];
    let outer = edges.iter().filter(|(from, to)| edges.binary_search(&(*to, *from)).is_err());
    let (mut count, mut start) = (0, 0);
    for (from, to) in outer {
        let after = next.get_mut(usize::from(*from)).and_then(|place| place.replace(*to));
        at.require(after.is_none(), Kind::BadTriangles, "their outline touches itself")?;
        (count, start) = (count + 1, *from);
    }
    let of = |index: u16| points.get(usize::from(index)).copied().unwrap_or_default();
    let after = |index: u16| next.get(usize::from(index)).copied().flatten();
    let (mut here, mut flips) = (start, 0);
    for step in 1..=count {
        let there = after(here).ok_or_else(|| bad("their outline is open"))?;
        let beyond = after(there).ok_or_else(|| bad("their outline is open"))?;
        let (a, b, c) = (of(here), of(there), of(beyond));
        let same_way = order(a, b) == order(b, c);
        let convex = match turn(a, b, c) {
            Ordering::Greater => true,
            Ordering::Equal => same_way,
            Ordering::Less => false,
        };
        at.require(convex, Kind::BadTriangles, "their outline is not convex")?;
        flips += usize::from(!same_way);
        here = there;
        at.require((here == start) == (step == count), Kind::BadTriangles, "they have several outlines")?;
    }
    at.require(flips == 2, Kind::BadTriangles, "they overlap")
}

/// What a gate waits for can come; a step without time has no fade.
fn fades(context: &Context<'_>, rows: &Behavior) -> Checked {
    let markers = markers(rows);
    // Whether a motion can be there while a state is active: its own, one around it, or one inside it.
    let mut moving: Vec<bool> = rows.states.iter().map(|state| state.motion.is_some()).collect();
    let mut above = moving.clone();
    let mut machines = alloc::vec![false; rows.machines.len()];
    for (row, state) in rows.states.iter().enumerate() {
        let around = state.parent.and_then(|parent| above.get(parent.index())).copied();
        if let Some(above) = above.get_mut(row) {
            *above |= around == Some(true);
        }
    }
    for (row, state) in rows.states.iter().enumerate().rev() {
        let inside = moving.get(row) == Some(&true);
        if let Some(parent) = state.parent.and_then(|parent| moving.get_mut(parent.index())) {
            *parent |= inside;
        }
        if let Some(machine) = machines.get_mut(state.machine.index()) {
            *machine |= inside;
        }
    }
    let check = |run: Run, moves: bool| {
        let mut transitions = run.indices().zip(run.of(&rows.transitions));
        transitions.try_for_each(|(row, transition)| {
            gate(context.row("transitions", row), transition, moves, &markers)
        })
    };
    for (machine, moves) in rows.machines.iter().zip(&machines) {
        check(machine.any, *moves)?;
    }
    for (state, (inside, above)) in rows.states.iter().zip(moving.iter().zip(&above)) {
        for run in [state.transitions, state.any, state.done] {
            check(run, *inside || *above)?;
        }
    }
    Ok(())
}

fn gate(at: At<'_, '_>, transition: &Transition, moves: bool, markers: &[TextId]) -> Checked {
    let gate = transition.gate;
    at.require(moves || !gate.follows_motion(), Kind::BadGate, "its state has no motion")?;
    at.require(
        gate.marker.is_none_or(|marker| markers.binary_search(&marker).is_ok()),
        Kind::BadGate,
        "no motion plays an animation with that marker",
    )?;
    at.require(
        !gate.lead_out || gate.exit == Some(Place::Ratio(1.0)),
        Kind::BadGate,
        "`lead_out` needs the end of the motion as `exit`",
    )?;
    at.require(!transition.instant || transition.fade.duration.number() == 0.0, Kind::BadFade, "")
}

/// The names of the markers of all animations that motions play, in order.
fn markers(rows: &Behavior) -> Vec<TextId> {
    let mut played = alloc::vec![false; rows.animations.len()];
    for motion in &rows.motions {
        if let MotionKind::Clip { animation, .. } = motion.kind
            && let Some(flag) = played.get_mut(animation.index())
        {
            *flag = true;
        }
    }
    let animations = rows.animations.iter().zip(played).filter(|(_, played)| *played);
    let mut names: Vec<TextId> = animations
        .flat_map(|(animation, _)| animation.markers.of(&rows.markers))
        .map(|marker| marker.name)
        .collect();
    names.sort_unstable();
    names
}
