//! `Component` and `Bind`: which behavior is inside which, what they share, and under which targets.
//!
//! It runs when all behaviors are known by themselves, so that both sides of a `Bind` have their types. What is inside
//! a component is nobody else's business but a test's; see `inside.rs`.

use crate::hash::HashMap;

use motix_vm::ids::{BehaviorId, ParamId};

use crate::ast::{Arrow, Item, Name, Part, Path};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Direction, Ty};
use crate::intern::Symbol;
use crate::resolve::{Declaration, ValueRef};
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, Seen};
use super::unknown::Kind;

/// What binds wrote so far, and where.
#[derive(Default)]
struct Written {
    /// Parameters of the behavior.
    outer: HashMap<ParamId, Span>,
    /// Parameters of the component.
    inner: HashMap<ParamId, Span>,
}

/// A parameter that a bind names.
#[derive(Clone, Copy)]
struct Side {
    id: ParamId,
    ty: Ty,
    name: Name,
    declared: Span,
}

impl<'a> Checker<'a, '_> {
    /// The components of the behavior; `ids` are the behaviors of the program, as indices.
    pub(super) fn check_components(&mut self, ids: &HashMap<usize, BehaviorId>) {
        let mut written = Written::default();
        let mut targets: HashMap<Symbol, Span> = HashMap::default();
        let rows = self.known.scope.components.clone().into_iter().zip(self.known.inner.clone());
        for (index, (row, behavior)) in rows.enumerate() {
            let (target, place) = self.target(row);
            if self.known.scope.component_index.get(&row.name.symbol) != Some(&index) {
                // Declared twice, which was reported.
                continue;
            }
            if let Some(first) = targets.insert(target, place) {
                self.target_taken(target, first, place);
            }
            written.inner.clear();
            let binds = (row.item.items())
                .filter(|item| item.keyword == Keyword::Bind)
                .filter_map(|item| self.bind(item, behavior?, &mut written))
                .collect();
            let name = self.declared(row.item, row.name);
            let behavior = behavior.and_then(|index| ids.get(&index)).copied().unwrap_or_default();
            self.known.hir.components.push(hir::Component { name, behavior, target, binds });
        }
    }

    /// What stands before the names of a component's targets; its own name where nothing is written.
    fn target(&mut self, row: Declaration<'a>) -> (Symbol, Span) {
        let mut seen = Seen::default();
        let mut found = None;
        for item in row.item.items().filter(|item| item.keyword == Keyword::Target) {
            if !self.once(&mut seen, item) {
                continue;
            }
            let Some(value) = item.value() else { continue };
            let Some(text) = self.constant_text(value, "`Target`") else { continue };
            found = Some((text, value.span));
            let word = self.text(text);
            let mended = word.trim_matches('/');
            if mended == word && !word.is_empty() {
                continue;
            }
            let what = if word.is_empty() { "empty".to_owned() } else { format!("`{word}`") };
            let report = Diagnostic::new(
                Code::BadTarget,
                format!("the `Target` of `{}` is {what}", self.text(row.name.symbol)),
                value.span,
                "expected a name without `/` at its ends",
            );
            let example = if mended.is_empty() { self.text(row.name.symbol) } else { mended };
            let fix = format!("\"{example}\"");
            let help = format!("write `Target {fix}`: its targets are then `{example}/...`");
            self.report(report.help(help).fix(value.span, fix));
        }
        found.unwrap_or((row.name.symbol, row.name.span))
    }

    fn target_taken(&mut self, target: Symbol, first: Span, second: Span) {
        let word = self.text(target).to_owned();
        let report = Diagnostic::new(
            Code::TargetTaken,
            format!("two components have the target `{word}`"),
            second,
            "this one is never reached",
        )
        .label(first, "the other has it");
        self.report(report.help(format!("give one of them another `Target`, such as `Target \"{word}-2\"`")));
    }

    fn bind(&mut self, item: &Item, behavior: usize, written: &mut Written) -> Option<hir::Bind> {
        let mut paths = item.head.iter().filter_map(|part| match part {
            Part::Path(path) => Some(path),
            _ => None,
        });
        let (left, right) = (paths.next()?, paths.next()?);
        let arrow = item.head.iter().find_map(|part| match part {
            Part::Arrow(arrow, _) => Some(*arrow),
            _ => None,
        })?;
        if self.is_turned(left, right, behavior) {
            self.turned(item, left, right, arrow, behavior);
            return None;
        }
        let outer = self.bound(left);
        let inner = self.as_other(behavior, |inside| inside.bound(right)).flatten();
        let (outer, inner) = (outer?, inner?);
        if outer.ty == Ty::Error || inner.ty == Ty::Error {
            return None;
        }
        if !self.same_types(outer.ty, inner.ty, behavior) {
            self.bind_types(outer, inner, behavior);
            return None;
        }
        let direction = match arrow {
            Arrow::ToChild => Direction::Down,
            Arrow::ToParent => Direction::Up,
            Arrow::Both => Direction::Both,
        };
        let outer_first = if direction.is_up() { written.outer.insert(outer.id, item.span) } else { None };
        let inner_first = if direction.is_down() { written.inner.insert(inner.id, item.span) } else { None };
        if let Some(first) = outer_first {
            self.bound_twice(outer, "the behavior's", first, item.span);
        } else if let Some(first) = inner_first {
            self.bound_twice(inner, "the component's", first, item.span);
        }
        Some(hir::Bind { span: item.span, param: outer.id, inner: inner.id, direction })
    }

    /// The parameter that one side of a `Bind` names; otherwise it is reported.
    fn bound(&mut self, path: &Path) -> Option<Side> {
        let name = self.single(path, Kind::Param)?;
        let (id, ty, name) = self.param_of(name, "Bind", "ties")?;
        let (_, declared) = self.known.scope.values.get(&name.symbol).copied()?;
        Some(Side { id, ty, name, declared })
    }

    /// Whether both names are parameters, but each of the other side.
    fn is_turned(&self, left: &Path, right: &Path, behavior: usize) -> bool {
        let ([left], [right]) = (&left.names[..], &right.names[..]) else { return false };
        let Some(inner) = self.others.get(behavior).and_then(Option::as_ref) else { return false };
        let is = |known: &super::context::Known<'_>, name: &Name| {
            matches!(known.scope.values.get(&name.symbol), Some((ValueRef::Param(_), _)))
        };
        let here = &self.known;
        !is(here, left) && !is(inner, right) && is(here, right) && is(inner, left)
    }

    fn turned(&mut self, item: &Item, left: &Path, right: &Path, arrow: Arrow, behavior: usize) {
        let owner = self.behavior_text();
        let inner = self.as_other(behavior, |inside| inside.behavior_text()).unwrap_or_default();
        let (outer_name, inner_name) =
            (self.written(right.names[0].symbol), self.written(left.names[0].symbol));
        let turned = match arrow {
            Arrow::ToChild => "<-",
            Arrow::ToParent => "->",
            Arrow::Both => "<->",
        };
        let mended = format!("Bind {outer_name} {turned} {inner_name}");
        let report = Diagnostic::new(
            Code::UnknownParam,
            format!("the two sides of this `Bind` are exchanged: `{inner_name}` is a parameter of {inner}"),
            left.span,
            format!("expected a parameter of {owner} on the left"),
        );
        self.report(report.help(format!("write `{mended}`")).fix(item.span, mended));
    }

    /// Whether a type of this behavior is one of another; enums are where their variants are, in their order.
    fn same_types(&self, here: Ty, there: Ty, behavior: usize) -> bool {
        match (here, there) {
            (Ty::Enum(a), Ty::Enum(b)) => {
                let own = self.known.hir.enums.get(a.index()).map(|row| &row.variants);
                let other = self.others.get(behavior).and_then(Option::as_ref);
                own.is_some()
                    && own == other.and_then(|known| known.hir.enums.get(b.index())).map(|row| &row.variants)
            }
            (a, b) => a == b,
        }
    }

    fn bind_types(&mut self, outer: Side, inner: Side, behavior: usize) {
        let (is, owner) = (self.ty_text(outer.ty), self.behavior_text());
        let there = self.as_other(behavior, |inside| (inside.ty_text(inner.ty), inside.behavior_text()));
        let (needed, component) = there.unwrap_or_default();
        let (one, two) = (self.text(outer.name.symbol), self.text(inner.name.symbol));
        let report = Diagnostic::new(
            Code::BindTypes,
            format!("`{one}` of {owner} is {is}, and `{two}` of {component} is {needed}"),
            outer.name.span.to(inner.name.span),
            "expected two parameters of one type",
        )
        .label(outer.declared, is.clone())
        .label(inner.declared, needed.clone());
        let both_enums = matches!((outer.ty, inner.ty), (Ty::Enum(_), Ty::Enum(_)));
        self.report(report.help(if both_enums {
            "give both the same variants in the same order: declare one `Enum` in a file that both use"
                .to_owned()
        } else {
            "give one of them the other's type, or tie another parameter".to_owned()
        }));
    }

    fn bound_twice(&mut self, side: Side, whose: &str, first: Span, second: Span) {
        let word = self.text(side.name.symbol).to_owned();
        let report = Diagnostic::new(
            Code::BoundTwice,
            format!("two `Bind`s write {whose} `{word}`"),
            second,
            "written again here",
        )
        .label(first, "written here already");
        self.report(
            report.help("a value can come from one place only: remove one of them, or turn its arrow"),
        );
    }
}
