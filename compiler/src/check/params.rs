//! Parameters: type, initial value, range, lifetime.

use motix_vm::program::tables::Lifetime;

use crate::ast::{self, ExprKind, Item, Part};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Literal, Ty};
use crate::resolve::{Declaration, Space, ValueRef};
use crate::syntax::{Keyword, Modifier};

use super::context::{Checker, Seen, Site};
use super::expr::as_name;
use super::units::{Range, Unit};

/// What the block of a parameter says.
#[derive(Clone, Copy, Default)]
struct Properties {
    min: Option<f32>,
    max: Option<f32>,
    step: Option<f32>,
    lifetime: Option<Lifetime>,
}

impl Checker<'_, '_> {
    pub(super) fn check_params(&mut self) {
        // The names of one declaration share its type, so that they can be compared, and its messages.
        let mut last: Option<(*const Item, hir::Param)> = None;
        for row in self.known.scope.params.clone() {
            let param = match &last {
                Some((item, param)) if std::ptr::eq(*item, row.item) => {
                    hir::Param { name: self.declared(row.item, row.name), ..param.clone() }
                }
                _ => self.param(row),
            };
            self.known.param_types.push(param.ty);
            self.known.hir.params.push(param.clone());
            last = Some((std::ptr::from_ref(row.item), param));
        }
        // Of two with one name and different types, either may be meant.
        for again in self.known.scope.again.clone() {
            let first = match self.known.scope.values.get(&again.name.symbol) {
                Some((ValueRef::Param(index), _)) if again.space == Space::Value => *index,
                _ => continue,
            };
            let mut rows = self.known.scope.params.iter().zip(&self.known.param_types);
            let types = &self.known.param_types;
            if rows.any(|(row, ty)| row.name.symbol == again.name.symbol && *ty != types[first]) {
                self.known.param_types[first] = Ty::Error;
            }
        }
    }

    fn param(&mut self, row: Declaration<'_>) -> hir::Param {
        let Declaration { item, name } = row;
        let written =
            item.head.iter().find_map(|part| if let Part::Type(ty) = part { Some(ty) } else { None });
        let ty = written.map_or(Ty::Error, |ty| self.ty(ty));
        let global = item.modifiers.iter().find(|(modifier, _)| *modifier == Modifier::Global);
        if ty == Ty::Trigger
            && let Some((_, span)) = global
        {
            let report = Diagnostic::new(
                Code::TriggerDeclaration,
                format!("the trigger `{}` cannot be `Global`", self.text(name.symbol)),
                *span,
                "a firing is for one instance",
            );
            self.report(report.help("remove `Global`; the host can fire the trigger of each instance"));
        }
        let properties = self.param_properties(item, ty);
        let initial = match item.assigned() {
            Some(value) => self.initial(item, value, ty, properties, name),
            None => self.default_of(ty, properties),
        };
        hir::Param {
            name: self.declared(item, name),
            ty,
            initial,
            min: properties.min,
            max: properties.max,
            step: properties.step,
            lifetime: properties.lifetime.unwrap_or(Lifetime::Consumed),
            global: global.is_some(),
        }
    }

    fn default_of(&self, ty: Ty, properties: Properties) -> Option<Literal> {
        match ty {
            Ty::Bool => Some(Literal::Bool(false)),
            Ty::Number => Some(Literal::Number(properties.nearest(0.0))),
            Ty::Text => Some(Literal::Text(self.names.get("")?)),
            Ty::Color => Some(Literal::Color(0)),
            Ty::Enum(id) => Some(Literal::Variant(id, 0)),
            Ty::Trigger | Ty::Error => None,
        }
    }

    fn initial(
        &mut self,
        item: &Item,
        value: &ast::Expr,
        ty: Ty,
        properties: Properties,
        name: ast::Name,
    ) -> Option<Literal> {
        let word = self.text(name.symbol).to_owned();
        if ty == Ty::Trigger {
            let report = Diagnostic::new(
                Code::TriggerDeclaration,
                format!("the trigger `{word}` has an initial value"),
                value.span,
                "a trigger begins not fired",
            );
            self.report(report.help(format!("write `Param {}: trigger`", self.written(name.symbol))));
            return None;
        }
        if ty == Ty::Error {
            // Whatever its type is, what is wrong in the value itself can be told.
            if as_name(value).is_none() {
                self.expr(value, super::expr::Want::ANY, Site::CONSTANT);
            }
            return None;
        }
        let literal = self.constant(value, ty, &format!("the initial value of `{word}`"))?;
        let Literal::Number(number) = literal else { return Some(literal) };
        let below = properties.min.filter(|min| number < *min);
        let above = properties.max.filter(|max| number > *max);
        let (bound, limit, side) = match (below, above) {
            (Some(min), _) => (min, Keyword::Min, "below"),
            (None, Some(max)) => (max, Keyword::Max, "above"),
            (None, None) => return Some(Literal::Number(properties.nearest(number))),
        };
        let mut report = Diagnostic::new(
            Code::InitialOutside,
            format!("`{word}` begins at {number}, {side} its `{}` of {bound}", limit.name()),
            value.span,
            "this is outside of the range",
        );
        if let Some(property) = item.items().find(|property| property.keyword == limit) {
            report = report.label(property.span, "the range ends here");
        }
        report = report.help(format!("begin at {bound}, or change `{}`", limit.name()));
        self.report(report);
        None
    }

    fn param_properties(&mut self, item: &Item, ty: Ty) -> Properties {
        let mut seen = Seen::default();
        let mut found = Properties::default();
        let mut spans = (None, None, None);
        for property in item.items() {
            if !self.once(&mut seen, property) {
                continue;
            }
            let Some(value) = property.value() else { continue };
            let keyword = property.keyword.name();
            let fits = match property.keyword {
                Keyword::Lifetime => matches!(ty, Ty::Trigger | Ty::Error),
                _ => matches!(ty, Ty::Number | Ty::Error),
            };
            if !fits {
                let is = self.ty_text(ty);
                let needs = if property.keyword == Keyword::Lifetime { "triggers" } else { "numbers" };
                let report = Diagnostic::new(
                    Code::PropertyOfType,
                    format!("`{keyword}` is for {needs}, and this parameter is {is}"),
                    property.span,
                    format!("{is} has no `{keyword}`"),
                );
                self.report(report.help("remove it, or give the parameter another type"));
                continue;
            }
            match property.keyword {
                Keyword::Min => {
                    found.min = self.plain_number(value, "`Min`");
                    spans.0 = Some(property.span);
                }
                Keyword::Max => {
                    found.max = self.plain_number(value, "`Max`");
                    spans.1 = Some(property.span);
                }
                Keyword::Step => {
                    let step = self.plain_number(value, "`Step`");
                    found.step = step.and_then(|step| self.in_range(value, step, "`Step`", Range::Positive));
                    spans.2 = Some(property.span);
                }
                Keyword::Lifetime => found.lifetime = self.lifetime(value),
                _ => {}
            }
        }
        if let (Some(min), Some(max), (Some(min_span), Some(max_span), _)) = (found.min, found.max, spans)
            && min > max
        {
            let report = Diagnostic::new(
                Code::MinAboveMax,
                format!("`Min` is {min}, above `Max`, which is {max}"),
                max_span,
                "the greatest value",
            )
            .label(min_span, "the least value");
            self.report(report.help(format!("exchange them: `Min {max} Max {min}`")));
            found.max = None;
            found.min = None;
            found.step = None;
        }
        if let (Some(_), None, (None, _, Some(span))) = (found.step, found.min, spans) {
            let report = Diagnostic::new(
                Code::StepWithoutMin,
                "`Step` counts from `Min`, and there is none",
                span,
                "counts from where?",
            );
            self.report(report.help("write a `Min` beside it, such as `Min 0`"));
            found.step = None;
        }
        found
    }

    /// A number with whatever unit: a parameter may hold seconds or shares.
    fn plain_number(&mut self, expr: &ast::Expr, what: &str) -> Option<f32> {
        match self.constant(expr, Ty::Number, what) {
            Some(Literal::Number(value)) => Some(value),
            _ => None,
        }
    }

    fn lifetime(&mut self, value: &ast::Expr) -> Option<Lifetime> {
        if as_name(value).is_some_and(|name| self.text(name.symbol) == "tick") {
            return Some(Lifetime::Tick);
        }
        if let ExprKind::Text(text) = &value.kind
            && self.text(*text) == "tick"
        {
            let report = Diagnostic::new(
                Code::UnknownChoice,
                "`Lifetime` cannot be a string",
                value.span,
                "expected `tick` or a duration",
            );
            self.report(report.help("write `tick`, without quotes").fix(value.span, "tick"));
            return None;
        }
        if let Some(name) = as_name(value)
            && self.unit_of(value) == Unit::None
            && !self.known.scope.values.contains_key(&name.symbol)
        {
            let word = self.text(name.symbol).to_owned();
            let near = self.nearest_word(&word, ["tick"]);
            let mut report = Diagnostic::new(
                Code::UnknownChoice,
                format!("`Lifetime` cannot be `{word}`"),
                value.span,
                "expected `tick` or a duration",
            );
            report = match near {
                Some(near) => report.help(format!("did you mean `{near}`?")).fix(value.span, near),
                None => {
                    report.help("without a `Lifetime` a trigger stays fired until a transition consumes it")
                }
            };
            self.report(report);
            return None;
        }
        self.duration(value, "`Lifetime`").map(Lifetime::Seconds)
    }
}

impl Properties {
    /// The allowed value nearest to `value`: on the steps, halves up, and inside the range.
    fn nearest(self, value: f32) -> f32 {
        let low = self.min.unwrap_or(f32::MIN);
        let high = self.max.unwrap_or(f32::MAX);
        let clamped = value.max(low).min(high);
        let (Some(step), Some(min)) = (self.step, self.min) else { return clamped };
        let (step, min) = (f64::from(step), f64::from(min));
        // As at run time: the limits and the step are rounded themselves.
        let slack = (f64::from(high).abs() + min.abs()) * 1.2e-7 / step + 1e-6;
        let most = ((f64::from(high) - min) / step + slack).floor();
        let steps = ((f64::from(clamped) - min) / step + 0.5).floor().clamp(0.0, most.max(0.0));
        ((min + steps * step) as f32).min(high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_snap_to_steps_inside_the_range() {
        let range = Properties { min: Some(0.0), max: Some(1.0), step: Some(0.4), lifetime: None };
        assert_eq!(range.nearest(1.0), 0.8);
        assert_eq!(range.nearest(0.2), 0.4);
        assert_eq!(range.nearest(-3.0), 0.0);
        let tenths = Properties { min: Some(0.0), max: Some(10.0), step: Some(0.1), lifetime: None };
        assert_eq!(tenths.nearest(10.0), 10.0);
        let from = Properties { min: Some(2.0), ..Properties::default() };
        assert_eq!(from.nearest(0.0), 2.0);
    }
}
