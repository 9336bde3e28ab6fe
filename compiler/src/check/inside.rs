//! Things of components: what a test may name by path, and what a behavior may not.
//!
//! A path that begins with the names of components leads into them; the rest is looked up in the behavior that the
//! last of them runs, by the same rules and with the same messages as there. Its own names a behavior sees first.

use crate::hash::HashSet;

use motix_vm::ids::{ComponentId, EnumId};

use crate::ast::{Name, Names, Part, Path};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, ExprKind, Ty};
use crate::intern::Symbol;
use crate::resolve::{Declaration, Found, Seat, Space, StateLookup, saturate};
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, Known, Site};
use super::expr::{error, make};

/// A component on the way that a path leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inward {
    /// Its place among those of the behavior around it.
    pub(super) row: usize,
    /// What it runs: an index into the behaviors of all files.
    pub(super) behavior: usize,
}

impl<'a> Checker<'a, '_> {
    /// Does something as the checker of another behavior that was checked.
    pub(super) fn as_other<R>(&mut self, behavior: usize, act: impl FnOnce(&mut Self) -> R) -> Option<R> {
        std::mem::swap(&mut self.known, self.others.get_mut(behavior)?.as_mut()?);
        let result = act(self);
        if let Some(Some(other)) = self.others.get_mut(behavior) {
            std::mem::swap(&mut self.known, other);
        }
        Some(result)
    }

    /// The same at the end of a way.
    fn within<R>(&mut self, way: &[Inward], act: impl FnOnce(&mut Self) -> R) -> Option<R> {
        match way {
            [] => Some(act(self)),
            [first, rest @ ..] => self.as_other(first.behavior, |inside| inside.within(rest, act)).flatten(),
        }
    }

    /// The same for what may not be found.
    pub(super) fn at_end<R>(
        &mut self,
        way: &[Inward],
        find: impl FnOnce(&mut Self) -> Option<R>,
    ) -> Option<R> {
        self.within(way, find).flatten()
    }

    /// Whether something holds of this behavior, or of one that is inside it, at any depth.
    pub(super) fn anywhere_inside(&self, holds: impl Fn(&Known<'a>) -> bool) -> bool {
        if holds(&self.known) {
            return true;
        }
        let mut seen: HashSet<usize> = HashSet::default();
        let mut open: Vec<usize> = self.known.inner.iter().copied().flatten().collect();
        while let Some(index) = open.pop() {
            let Some(Some(known)) = self.others.get(index).filter(|_| seen.insert(index)) else { continue };
            if holds(known) {
                return true;
            }
            open.extend(known.inner.iter().copied().flatten());
        }
        false
    }

    /// The components that the first names of a path lead through. Its last name is one of them only with `whole`.
    pub(super) fn way(&self, names: &[Name], whole: bool) -> Vec<Inward> {
        let mut way: Vec<Inward> = Vec::new();
        let mut rest = names;
        let mut known = &self.known;
        while let [name, after @ ..] = rest
            && (whole || !after.is_empty())
            && !is_own(known, rest)
            && let Some(row) = known.scope.component_index.get(&name.symbol).copied()
            && let Some(behavior) = known.inner.get(row).copied().flatten()
            && let Some(Some(inside)) = self.others.get(behavior)
        {
            way.push(Inward { row, behavior });
            (known, rest) = (inside, after);
        }
        way
    }

    /// Which part of an instance a way leads to.
    pub(super) fn part_of(&self, way: &[Inward]) -> ComponentId {
        let mut known = &self.known;
        let mut number = 0_u32;
        for Inward { row, behavior } in way.iter().copied() {
            let before = known.inner.iter().take(row).flatten();
            let parts = before.map(|index| self.parts.get(*index).copied().unwrap_or(1));
            number = parts.fold(number.saturating_add(1), u32::saturating_add);
            match self.others.get(behavior) {
                Some(Some(inside)) => known = inside,
                _ => break,
            }
        }
        ComponentId(number)
    }

    /// Looks a path of a test up where it leads.
    pub(super) fn located<R>(
        &mut self,
        path: &Path,
        find: impl FnOnce(&mut Self, &Path) -> Option<R>,
    ) -> Option<(ComponentId, R)> {
        let way = self.way(&path.names, false);
        let rest = behind(path, way.len());
        let found = self.at_end(&way, |inside| find(inside, &rest))?;
        Some((self.part_of(&way), found))
    }

    /// An expression about what is at the end of a way, with a type that is understood here.
    pub(super) fn wrapped(
        &mut self,
        way: &[Inward],
        span: Span,
        find: impl FnOnce(&mut Self) -> hir::Expr,
    ) -> hir::Expr {
        let [first, rest @ ..] = way else { return find(self) };
        let found = self.as_other(first.behavior, |inside| {
            let inner = inside.wrapped(rest, span, find);
            let variants = match inner.ty {
                Ty::Enum(id) => inside.known.hir.enums.get(id.index()).map(|row| row.variants.clone()),
                _ => None,
            };
            (inner, variants)
        });
        match found {
            Some((inner, variants)) if inner.ty != Ty::Error => {
                let ty = variants.map_or(inner.ty, |variants| Ty::Enum(self.enum_like(variants)));
                make(ExprKind::Inside(saturate(first.row), Box::new(inner)), ty, span)
            }
            _ => error(span),
        }
    }

    /// A type of the behavior at the end of a way, as it is understood here.
    pub(super) fn brought_out(&mut self, way: &[Inward], ty: Ty) -> Ty {
        let Ty::Enum(id) = ty else { return ty };
        let variants =
            self.within(way, |inside| inside.known.hir.enums.get(id.index()).map(|row| row.variants.clone()));
        variants.flatten().map_or(Ty::Error, |variants| Ty::Enum(self.enum_like(variants)))
    }

    /// An enum type of the behavior with these variants.
    fn enum_like(&mut self, variants: Vec<Symbol>) -> EnumId {
        let enums = &mut self.known.hir.enums;
        let found = enums.iter().position(|row| row.variants == variants);
        let index = found.unwrap_or(enums.len());
        let id = EnumId(saturate(index));
        if found.is_none() {
            for (place, variant) in variants.iter().enumerate() {
                self.known.variants.entry((id, *variant)).or_insert(saturate(place));
            }
            enums.push(hir::Enum { name: None, variants });
        }
        id
    }

    /// Whether a path of a behavior's own leads into a component, of which it sees only what it binds; that is
    /// reported.
    pub(super) fn is_hidden(&mut self, path: &Path, site: Site) -> bool {
        let [first, .., last] = &path.names[..] else { return false };
        let Some(row) = self.known.scope.component_index.get(&first.symbol).copied() else { return false };
        if site.is_test() || is_own(&self.known, &path.names) {
            return false;
        }
        let row = self.known.scope.components[row];
        let (component, word) = (self.written(row.name.symbol), self.written(last.symbol));
        let text = self.path_text(&path.names);
        let report = Diagnostic::new(
            Code::InsideComponent,
            format!("`{text}` is inside a component, and a behavior sees only what it binds"),
            path.span,
            "not visible from here",
        )
        .label(row.name.span, "the component is declared here");
        self.report(if path.names.len() == 2 && self.has_param(row, last.symbol) {
            report.help(format!(
                "declare a `Param {word}` of the same type here, and tie it in `Component {component}`: \
                 `Bind {word} <- {word}` to read it, `Bind {word} -> {word}` to set it, `<->` for both"
            ))
        } else {
            report.help(format!(
                "let it set a parameter of its own, and tie that in `Component {component}`: `Bind here <- there`"
            ))
        });
        true
    }

    /// Whether the behavior of a component declares a parameter.
    fn has_param(&self, row: Declaration<'a>, name: Symbol) -> bool {
        let of =
            row.item.head.iter().find_map(|part| if let Part::Of(path) = part { Some(path) } else { None });
        let found = of.map(|path| self.files.behavior(&path.names));
        let Some(Found::Yes(index)) = found else { return false };
        let mut params =
            self.files.behaviors[index].item.items().filter(|item| item.keyword == Keyword::Param);
        params.any(|item| item.names().iter().any(|known| known.symbol == name))
    }

    /// Reports a path of a test whose first name is nearly that of a component; false where it is not.
    pub(super) fn near_component(&mut self, path: &Path) -> bool {
        let [first, _, ..] = &path.names[..] else { return false };
        self.near_component_name(*first)
    }

    /// The same for a name alone where a component may stand.
    pub(super) fn near_component_name(&mut self, first: Name) -> bool {
        if self.is_lost(first.symbol) || self.removed(Space::Component, first.symbol, first.span) {
            return true;
        }
        let wrong = self.text(first.symbol).to_owned();
        let known: Vec<Symbol> = self.known.scope.components.iter().map(|row| row.name.symbol).collect();
        let Some(near) = self.nearest_of(&wrong, known) else { return false };
        let owner = self.behavior_text();
        let report = Diagnostic::new(
            Code::UnknownComponent,
            format!("there is no component `{wrong}`"),
            first.span,
            format!("expected a component of {owner}"),
        );
        let mended = super::context::written(&near);
        self.report_name(report.help(format!("did you mean `{near}`?")).fix(first.span, mended));
        true
    }
}

/// The path without its first names.
pub(super) fn behind(path: &Path, skipped: usize) -> Path {
    let names = Names::from(path.names.get(skipped..).unwrap_or_default());
    let span = match (names.first(), names.last()) {
        (Some(first), Some(last)) => first.span.to(last.span),
        _ => path.span,
    };
    Path { names, span }
}

/// Whether the names mean something of the behavior itself.
fn is_own(known: &Known<'_>, names: &[Name]) -> bool {
    let scope = &known.scope;
    match names {
        [layer] => scope.layer_index.contains_key(&layer.symbol),
        [first, second] if scope.animation_index.contains_key(&first.symbol) => {
            let animation = motix_vm::ids::AnimationId(saturate(scope.animation_index[&first.symbol]));
            known.spans.contains_key(&(animation, second.symbol))
        }
        _ => matches!(
            scope.state_names.find(names, None, Seat::Machine),
            StateLookup::Found(_) | StateLookup::Ambiguous(_)
        ),
    }
}
