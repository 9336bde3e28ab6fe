//! Blends: their children, where these stand, and what the children of one phase have to agree on.
//!
//! A child is an animation or, in braces, another motion. Children stand in the program before what they are part
//! of; those with positions are put in the order of these, so that the order of declaration means nothing. How large
//! a motion may be is said here, so that it is known before anything is built.

use crate::hash::HashMap;

use motix_vm::ids::MotionId;
use motix_vm::program::limits::Limit;
use motix_vm::program::tables::LoopMode;

use crate::ast::{Entry, EntryKey, EntryValue, Expr, ExprKind, Item, Node, Part};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, BlendBy, MotionKind, Point, Ty};
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, Seen, Site};
use super::motions::is_motion;
use super::units::Range;
use super::unknown::Kind;

/// The blend around a motion.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// Its children share one phase.
    pub(super) synced: bool,
    /// Its head.
    pub(super) head: Span,
    /// How many motions stand around its children.
    depth: usize,
}

/// The options of a blend.
struct Choices {
    sync: bool,
    normalize: bool,
    speed: Option<hir::Expr>,
}

impl<'a> Checker<'a, '_> {
    /// A blend and all in it.
    pub(super) fn blend(
        &mut self,
        item: &'a Item,
        site: Site,
        around: Option<Around>,
    ) -> Option<hir::Motion> {
        let by = self.blend_by(item, site);
        let options = self.blend_options(item, site);
        let depth = around.map_or(0, |around| around.depth) + 1;
        let head = self.blend_head(item);
        let inner = Around { synced: options.sync, head, depth };
        let entries =
            || item.nodes().iter().filter_map(|node| if let Node::Entry(e) = node { Some(e) } else { None });
        if entries().next().is_none() {
            // What could not be read was reported.
            if item.block.is_some() && !item.has_unread() {
                self.empty_blend(item, head);
            }
            return None;
        }
        if depth >= Limit::MotionNesting.value() {
            let most = Limit::MotionNesting.value();
            let report = Diagnostic::new(
                Code::MotionTooDeep,
                format!("motions stand in motions more than {most} deep"),
                head,
                format!("this is number {depth}, and what it holds would be one more"),
            );
            self.report(report.help("blend fewer things in one state, or give a part of them its own layer"));
            return None;
        }
        let mut points: Option<Vec<Point>> = Some(Vec::new());
        for entry in entries() {
            let place = self.entry_key(item, entry, site);
            let motion = self.entry_motion(entry, site, inner);
            points = match (points, place, motion) {
                (Some(mut points), Some((at, weight)), Some(motion)) => {
                    points.push(Point { motion, at, weight, span: key_span(entry) });
                    Some(points)
                }
                _ => None,
            };
        }
        let mut points = points?;
        if item.keyword != Keyword::BlendDirect {
            if !self.are_distinct(item, &points) {
                return None;
            }
            points.sort_by(|a, b| motix_vm::plane::order(a.at, b.at));
        }
        let clips: usize = points.iter().map(|point| self.known.hir.clips_of(point.motion).len()).sum();
        if clips > Limit::MotionClips.value() {
            let most = Limit::MotionClips.value();
            // In the order in which they are written, not of their places.
            points.sort_by_key(|point| point.span.start);
            let mut sum = 0;
            let first = points.iter().find(|point| {
                sum += self.known.hir.clips_of(point.motion).len();
                sum > most
            });
            let report = Diagnostic::new(
                Code::MotionTooLarge,
                format!("this motion has {clips} clips, and {most} is the most"),
                first.map_or(head, |point| point.span),
                "the first that is too much; all that stands in it is counted",
            )
            .label(head, "this motion");
            self.report(report.help("choose among fewer clips, or share them out over several states"));
            return None;
        }
        if options.sync && !self.agree(&points, head) {
            return None;
        }
        let mut by = by?;
        if let BlendBy::Weights { normalize } = &mut by {
            *normalize = options.normalize;
        }
        let kind = MotionKind::Blend { by, points, sync: options.sync };
        Some(hir::Motion { span: head, kind, speed: options.speed })
    }

    /// What a message shows of a blend: its keyword and inputs.
    fn blend_head(&self, item: &Item) -> Span {
        match item.head.last() {
            Some(part @ (Part::Value(_) | Part::Pair(_))) => {
                part.expressions().last().map_or(item.keyword_span, |input| item.keyword_span.to(input.span))
            }
            _ => item.keyword_span,
        }
    }

    fn blend_by(&mut self, item: &Item, site: Site) -> Option<BlendBy> {
        match (item.keyword, item.head.first()) {
            (Keyword::Blend1D, Some(Part::Value(input))) => {
                Some(BlendBy::Line(self.typed(input, Ty::Number, "`Blend1D`", site)))
            }
            (Keyword::Blend2D, Some(Part::Pair(pair))) => {
                let [x, y] = &**pair;
                let x = self.typed(x, Ty::Number, "`Blend2D`", site);
                let y = self.typed(y, Ty::Number, "`Blend2D`", site);
                Some(BlendBy::Plane { x, y, triangles: Vec::new() })
            }
            (Keyword::BlendDirect, _) => Some(BlendBy::Weights { normalize: false }),
            _ => None,
        }
    }

    fn blend_options(&mut self, item: &Item, site: Site) -> Choices {
        let mut options = Choices { sync: true, normalize: false, speed: None };
        let mut seen = Seen::default();
        for option in item.items() {
            if !self.once(&mut seen, option) {
                continue;
            }
            match (option.keyword, option.value()) {
                (Keyword::Sync, _) => options.sync = self.flag(option),
                (Keyword::Speed, Some(value)) => {
                    options.speed = Some(self.typed(value, Ty::Number, "`Speed`", site));
                }
                (Keyword::Normalize, _) if item.keyword == Keyword::BlendDirect => {
                    options.normalize = self.flag(option);
                }
                (Keyword::Normalize, _) => {
                    let word = item.keyword.name();
                    let report = Diagnostic::new(
                        Code::NormalizeElsewhere,
                        format!("the weights of a `{word}` always sum to 1, so `Normalize` does nothing"),
                        option.span,
                        "expected in a `BlendDirect` only",
                    );
                    self.report(report.label(item.keyword_span, "this blend").help("remove it"));
                }
                _ => {}
            }
        }
        options
    }

    fn empty_blend(&mut self, item: &Item, head: Span) {
        let word = item.keyword.name();
        let (form, help) = match item.keyword {
            Keyword::Blend1D => ("`position: Animation`", "`Blend1D speed { 0: Idle 1.4: Walk }`"),
            Keyword::Blend2D => {
                ("`(x, y): Animation`", "`Blend2D moveX, moveY { (0, 0): Idle (0, 1): Walk }`")
            }
            _ => ("`weight: Animation`", "`BlendDirect { smile: Smile }`"),
        };
        let report = Diagnostic::new(
            Code::EmptyBlend,
            format!("this `{word}` has nothing to blend"),
            head,
            format!("expected at least one entry {form}"),
        );
        self.report(report.help(format!("the form is {help}; to hold the pose, write `Empty` in the state")));
    }

    /// Where an entry stands, or its weight.
    fn entry_key(&mut self, item: &Item, entry: &Entry, site: Site) -> Option<([f32; 2], Option<hir::Expr>)> {
        let what = "the position";
        match (item.keyword, &entry.key) {
            (Keyword::Blend1D, EntryKey::Value(x)) => {
                let x = self.number(x, what, Range::Any)?;
                Some(([x + 0.0, 0.0], None))
            }
            (Keyword::Blend2D, EntryKey::Point(x, y)) => {
                let (x, y) = (self.number(x, what, Range::Any), self.number(y, what, Range::Any));
                Some(([x? + 0.0, y? + 0.0], None))
            }
            (Keyword::BlendDirect, EntryKey::Value(weight)) => {
                let weight = self.typed(weight, Ty::Number, "a weight", site);
                (weight.ty == Ty::Number).then_some(([0.0; 2], Some(weight)))
            }
            (_, EntryKey::Value(Expr { kind: ExprKind::Error, .. })) => None,
            _ => {
                self.wrong_key(item, entry);
                None
            }
        }
    }

    fn wrong_key(&mut self, item: &Item, entry: &Entry) {
        let word = item.keyword.name();
        let (message, label, help) = match (item.keyword, &entry.key) {
            (Keyword::Blend2D, _) => (
                "a position of a `Blend2D` is two numbers, and this is one".to_owned(),
                "expected `(x, y)`",
                "write both, such as `(0, 1): Walk`; along one number, write `Blend1D`",
            ),
            (Keyword::Blend1D, _) => (
                "a position of a `Blend1D` is one number, and these are two".to_owned(),
                "expected one number",
                "write one, such as `1.4: Walk`; in the plane, write `Blend2D x, y`",
            ),
            _ => (
                format!("an entry of a `{word}` begins with its weight, and this is a position"),
                "expected a number or an expression",
                "write a weight, such as `smile: Smile`; in the plane, write `Blend2D x, y`",
            ),
        };
        let report = Diagnostic::new(Code::EntryKey, message, key_span(entry), label);
        self.report(report.label(item.keyword_span, "in this blend").help(help));
    }

    /// The motion of an entry.
    fn entry_motion(&mut self, entry: &'a Entry, site: Site, around: Around) -> Option<MotionId> {
        let block = match &entry.value {
            EntryValue::Value(Expr { kind: ExprKind::Path(path), span }) => {
                let name = self.single(path, Kind::Animation)?;
                let animation = self.played(name, site)?;
                let kind = MotionKind::Clip { animation, start_at: None, phase: None, mirror: false };
                return Some(self.add_motion(hir::Motion { span: *span, kind, speed: None }));
            }
            EntryValue::Value(_) => return None,
            EntryValue::Motion(block) => block,
        };
        let mut found = None;
        let mut first: Option<Span> = None;
        for node in &block.nodes {
            let Node::Item(item) = node else { return None };
            if !is_motion(item.keyword) {
                continue;
            }
            let place = item.name().map_or(item.keyword_span, |name| item.keyword_span.to(name.span));
            if let Some(first) = first {
                let report = Diagnostic::new(
                    Code::EntryMotion,
                    "an entry of a blend has one motion, and this one has two",
                    place,
                    "a second motion",
                );
                let report = report.label(first, "the first one");
                self.report(
                    report.help("give each an entry of its own, or blend them in a blend of their own"),
                );
                continue;
            }
            first = Some(place);
            if item.keyword == Keyword::Empty {
                let report = Diagnostic::new(
                    Code::EmptyInBlend,
                    "`Empty` holds a whole pose, and has no share in a blend",
                    item.keyword_span,
                    "expected a clip or a blend",
                );
                let report = report.label(around.head, "in this blend");
                self.report(report.help(
                    "remove the entry; where nothing is to play, let `BlendDirect` weights be 0, or use a state \
                     without a motion",
                ));
                continue;
            }
            found = self.motion(item, site, Some(around));
        }
        if first.is_none() {
            let report = Diagnostic::new(
                Code::EntryMotion,
                "this entry of a blend has no motion",
                block.span,
                "expected a motion, such as `Clip Walk`",
            );
            self.report(
                report.help("name an animation: `0: Walk`, or write a motion: `0: { Clip Walk { Mirror } }`"),
            );
        }
        found
    }

    /// Whether all positions differ; otherwise that is reported.
    fn are_distinct(&mut self, item: &Item, points: &[Point]) -> bool {
        let mut places: HashMap<[u32; 2], Span> =
            HashMap::with_capacity_and_hasher(points.len(), Default::default());
        let mut distinct = true;
        for point in points {
            if let Some(first) = places.insert(point.at.map(f32::to_bits), point.span) {
                distinct = false;
                let [x, y] = point.at;
                let place =
                    if item.keyword == Keyword::Blend1D { x.to_string() } else { format!("({x}, {y})") };
                let report = Diagnostic::new(
                    Code::PointTwice,
                    format!("two entries of this blend are at {place}"),
                    point.span,
                    "this position is taken",
                )
                .label(first, "by this entry");
                self.report(report.help("move one of them, or remove it"));
            }
        }
        distinct
    }

    /// Whether the clips of one phase all loop, or none does; otherwise that is reported.
    fn agree(&mut self, points: &[Point], head: Span) -> bool {
        let (mut looping, mut once) = (None, None);
        let mut open: Vec<MotionId> = points.iter().rev().map(|point| point.motion).collect();
        while let Some(motion) = open.pop() {
            let Some(row) = self.motion_row(motion) else { continue };
            if matches!(row.kind, MotionKind::Blend { sync: false, .. }) {
                continue;
            }
            open.extend(row.points().iter().rev().map(|point| point.motion));
            let span = row.span;
            if let Some((_, animation)) = self.known.hir.animation_of(motion) {
                let place = if animation.loop_mode == LoopMode::None { &mut once } else { &mut looping };
                place.get_or_insert((animation.name.symbol, span));
            }
        }
        let (Some((looping, loops)), Some((once, ends))) = (looping, once) else { return true };
        let (looping, once) = (self.text(looping).to_owned(), self.text(once).to_owned());
        let report = Diagnostic::new(
            Code::LoopsDiffer,
            format!("`{looping}` loops and `{once}` does not, and this blend keeps them at one phase"),
            head,
            "its children share one phase",
        )
        .label(loops, format!("`{looping}` loops"))
        .label(ends, format!("`{once}` ends"));
        self.report(report.help(
            "write `Looped` in both animations or in neither; with `Sync false` in the blend, each runs by itself",
        ));
        false
    }

    /// Reports what places a clip by itself in a blend whose children share one phase.
    pub(super) fn child_place(&mut self, property: &Item, around: Around) {
        let word = property.keyword.name();
        let does = if property.keyword == Keyword::Phase { "places" } else { "starts" };
        let report = Diagnostic::new(
            Code::ChildPlace,
            format!("`{word}` {does} this clip by itself, and the children of its blend share one phase"),
            property.span,
            "this clip stands where the others do",
        )
        .label(around.head, "the blend around it");
        let help = match property.keyword {
            Keyword::Phase => "write `Sync false` in the blend, so that each child has a place of its own",
            _ => {
                "to start all of them there, write `StartAt` in the transition; with `Sync false` in the blend, each \
                 child starts by itself"
            }
        };
        self.report(report.help(help));
    }
}

fn key_span(entry: &Entry) -> Span {
    match &entry.key {
        EntryKey::Value(value) => value.span,
        EntryKey::Point(x, y) => x.span.to(y.span),
    }
}
