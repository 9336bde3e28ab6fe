//! Expressions: what names and literals stand for, and the type of each part.
//!
//! Types are strict. What is wrong is reported once and becomes `Error`, which fits everything. Depth is bounded by
//! the parser.

use crate::ast::{self, ExprKind, Name, Path, UnaryOp};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Literal, Ty};
use crate::intern::Symbol;
use crate::resolve::{Found, ValueRef};
use crate::source::Span;

use super::calls::QUESTIONS;
use super::context::{Checker, Site, Where, written};
use super::inside::behind;
use super::unknown::{FEW, Kind};

/// What the place of an expression asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Want {
    /// The type, where it is known: names of variants are looked up in it.
    pub(super) ty: Option<Ty>,
    /// A condition: a trigger may stand here.
    pub(super) condition: bool,
}

impl Want {
    pub(super) const ANY: Self = Self { ty: None, condition: false };
    pub(super) const CONDITION: Self = Self { ty: Some(Ty::Bool), condition: true };

    pub(super) fn of(ty: Ty) -> Self {
        Self { ty: Some(ty), condition: false }
    }
}

pub(super) fn make(kind: hir::ExprKind, ty: Ty, span: Span) -> hir::Expr {
    hir::Expr { kind, ty, span }
}

pub(super) fn error(span: Span) -> hir::Expr {
    make(hir::ExprKind::Error, Ty::Error, span)
}

/// The expression without the parentheses around it.
pub(super) fn bare(expr: &ast::Expr) -> &ast::Expr {
    let mut expr = expr;
    while let ExprKind::Group(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

/// The name that an expression is, where it is one.
pub(super) fn as_name(expr: &ast::Expr) -> Option<Name> {
    match &bare(expr).kind {
        ExprKind::Path(path) if path.names.len() == 1 => Some(path.names[0]),
        _ => None,
    }
}

/// The words that are values by themselves.
pub(super) const VALUES: [&str; 9] =
    ["elapsed", "dt", "state", "phase", "loops", "finished", "fade", "pointer_x", "pointer_y"];

impl Checker<'_, '_> {
    /// An expression of whatever type.
    pub(super) fn expr(&mut self, expr: &ast::Expr, want: Want, site: Site) -> hir::Expr {
        let span = expr.span;
        let literal = |literal: Literal, ty: Ty| make(hir::ExprKind::Literal(literal), ty, span);
        match &expr.kind {
            ExprKind::Number(value) | ExprKind::Duration(value) | ExprKind::Ratio(value) => {
                literal(Literal::Number(*value), Ty::Number)
            }
            ExprKind::Color(value) => literal(Literal::Color(*value), Ty::Color),
            ExprKind::Text(symbol) => literal(Literal::Text(*symbol), Ty::Text),
            ExprKind::Bool(value) => literal(Literal::Bool(*value), Ty::Bool),
            ExprKind::Error => error(span),
            ExprKind::Group(inner) => self.expr(inner, want, site),
            ExprKind::Path(path) => self.path(path, want, site),
            ExprKind::Call(path, arguments) => self.call(path, arguments, span, site),
            ExprKind::Unary(UnaryOp::Neg, inner) => self.negation(inner, span, site),
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let inner = self.condition_of(inner, "`not`", site);
                make(hir::ExprKind::Not(Box::new(inner)), Ty::Bool, span)
            }
            ExprKind::Binary(op, place, sides) => self.binary(*op, *place, sides, span, site),
            ExprKind::If(parts) => self.choice_of(parts, span, want, site),
        }
    }

    /// An expression that must have a type; `what` is what needs it.
    pub(super) fn typed(&mut self, expr: &ast::Expr, ty: Ty, what: &str, site: Site) -> hir::Expr {
        let found = self.expr(expr, Want::of(ty), site);
        self.require(found, expr, ty, what)
    }

    /// A condition; `what` is what needs it.
    pub(super) fn condition_of(&mut self, expr: &ast::Expr, what: &str, site: Site) -> hir::Expr {
        let found = self.expr(expr, Want::CONDITION, site);
        match found.ty {
            Ty::Bool | Ty::Trigger | Ty::Error => found,
            ty => {
                self.not_condition(expr, ty, what);
                error(expr.span)
            }
        }
    }

    fn choice_of(
        &mut self,
        [condition, then, other]: &[ast::Expr; 3],
        span: Span,
        want: Want,
        site: Site,
    ) -> hir::Expr {
        let condition = self.condition_of(condition, "`if`", site);
        let mut want = want;
        // One branch may say which enum the other's variant is of.
        let then_first = want.ty.is_some_and(|ty| ty != Ty::Bool) || !self.needs_enum(then);
        let (first, second) = if then_first { (then, other) } else { (other, then) };
        let first_typed = self.expr(first, want, site);
        if !want.ty.is_some_and(|ty| matches!(ty, Ty::Enum(_))) && first_typed.ty != Ty::Error {
            want.ty = Some(if first_typed.ty == Ty::Trigger { Ty::Bool } else { first_typed.ty });
        }
        let second_typed = self.expr(second, want, site);
        let plain = |ty: Ty| if ty == Ty::Trigger { Ty::Bool } else { ty };
        let (first_ty, second_ty) = (plain(first_typed.ty), plain(second_typed.ty));
        if first_ty == Ty::Error || second_ty == Ty::Error {
            return error(span);
        }
        if first_ty != second_ty {
            let (one, two) = (self.ty_text(first_ty), self.ty_text(second_ty));
            let report = Diagnostic::new(
                Code::TypeMismatch,
                format!("the branches of this `if` are {one} and {two}"),
                second.span,
                format!("this is {two}"),
            )
            .label(first.span, format!("this is {one}"))
            .help("both branches need the same type");
            self.report(report);
            return error(span);
        }
        let (then, other) =
            if then_first { (first_typed, second_typed) } else { (second_typed, first_typed) };
        make(hir::ExprKind::If(Box::new([condition, then, other])), first_ty, span)
    }

    /// Whether an expression is a name that only the type of its place can explain.
    pub(super) fn needs_enum(&self, expr: &ast::Expr) -> bool {
        match &bare(expr).kind {
            ExprKind::If(parts) => parts[1..].iter().all(|branch| self.needs_enum(branch)),
            ExprKind::Path(path) => match &path.names[..] {
                [name] => {
                    !self.known.scope.values.contains_key(&name.symbol)
                        && self.files.constant(&path.names) == Found::No
                        && !VALUES.contains(&self.text(name.symbol))
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn path(&mut self, path: &Path, want: Want, site: Site) -> hir::Expr {
        let span = path.span;
        if let [name] = &path.names[..] {
            if let Some(Ty::Enum(id)) = want.ty
                && let Some(variant) = self.variant(id, *name)
            {
                return make(hir::ExprKind::Literal(Literal::Variant(id, variant)), Ty::Enum(id), span);
            }
            if let Some((reference, declared)) = self.known.scope.values.get(&name.symbol).copied() {
                return self.value(reference, *name, declared, want, site);
            }
        }
        match self.files.constant(&path.names) {
            Found::Yes(index) => return constant(self.file_consts.get(index).copied().flatten(), span),
            Found::Lost => return error(span),
            Found::No => {}
        }
        match &path.names[..] {
            [name] => self.word(*name, want, site),
            names => {
                if self.is_hidden(path, site) {
                    return error(span);
                }
                let way = self.way(names, false);
                if way.is_empty() {
                    self.unknown_path(path, want, site);
                    return error(span);
                }
                let rest = behind(path, way.len());
                // Names of variants are those of that behavior, and come out as values.
                let want = Want { ty: want.ty.filter(|ty| !matches!(ty, Ty::Enum(_))), ..want };
                self.wrapped(&way, span, |inside| inside.path(&rest, want, Site::TEST))
            }
        }
    }

    fn value(
        &mut self,
        reference: ValueRef,
        name: Name,
        declared: Span,
        want: Want,
        site: Site,
    ) -> hir::Expr {
        let span = name.span;
        if site.place == Where::Constant && !matches!(reference, ValueRef::Const(_)) {
            let report = Diagnostic::new(
                Code::NotConstant,
                format!("`{}` is not known when compiling", self.text(name.symbol)),
                span,
                "expected a literal or a `Const`",
            )
            .label(declared, "it is declared here");
            self.report(report);
            return error(span);
        }
        match reference {
            ValueRef::Const(index) => constant(self.known.consts.get(index).copied().flatten(), span),
            ValueRef::Param(index) => {
                let ty = self.known.param_types.get(index).copied().unwrap_or(Ty::Error);
                let id = motix_vm::ids::ParamId(crate::resolve::saturate(index));
                self.no_trigger(make(hir::ExprKind::Param(id), ty, span), name, want)
            }
            ValueRef::Value(index) => {
                let ty = self.known.value_types.get(index).copied().unwrap_or(Ty::Error);
                let Some(id) = self.known.value_ids.get(index).copied() else { return error(span) };
                self.no_trigger(make(hir::ExprKind::Value(id), ty, span), name, want)
            }
            ValueRef::Extern(index) => {
                let id = motix_vm::ids::ExternId(crate::resolve::saturate(index));
                make(hir::ExprKind::Extern(id), Ty::Bool, span)
            }
        }
    }

    /// A trigger may stand as a condition only.
    fn no_trigger(&mut self, expr: hir::Expr, name: Name, want: Want) -> hir::Expr {
        if expr.ty != Ty::Trigger || want.condition {
            return expr;
        }
        let word = self.written(name.symbol);
        let report = Diagnostic::new(
            Code::TriggerAsValue,
            format!("the trigger `{}` is used as a value", self.text(name.symbol)),
            name.span,
            "a trigger can only stand alone as a condition",
        );
        self.report(
            report.help(format!("ask for it in a condition: `when {word}` or `If {word} {{ ... }}`")),
        );
        error(expr.span)
    }

    pub(super) fn variant(&self, id: motix_vm::ids::EnumId, name: Name) -> Option<u16> {
        self.known.variants.get(&(id, name.symbol)).copied()
    }

    /// A name that nothing declares: a builtin, or an error.
    fn word(&mut self, name: Name, want: Want, site: Site) -> hir::Expr {
        let span = name.span;
        let word = self.text(name.symbol).to_owned();
        if !name.quoted {
            match &word[..] {
                "elapsed" if site.place != Where::Constant => {
                    return make(hir::ExprKind::Elapsed, Ty::Number, span);
                }
                "phase" | "loops" if site.place != Where::Constant => {
                    let kind =
                        if word == "phase" { hir::ExprKind::MotionPhase } else { hir::ExprKind::MotionLoops };
                    return make(kind, Ty::Number, span);
                }
                "finished" if site.place != Where::Constant => {
                    return make(hir::ExprKind::MotionFinished, Ty::Bool, span);
                }
                "elapsed" | "dt" | "phase" | "loops" | "finished" if site.place == Where::Constant => {
                    let report = Diagnostic::new(
                        Code::NotConstant,
                        format!("`{word}` is not known when compiling"),
                        span,
                        "expected a literal or a `Const`",
                    );
                    self.report(report);
                    return error(span);
                }
                "dt" if site.place == Where::Update => return make(hir::ExprKind::Dt, Ty::Number, span),
                "dt" => {
                    let report = Diagnostic::new(
                        Code::MisplacedBuiltin,
                        "`dt` is the length of a tick, and is there in `OnUpdate` only",
                        span,
                        "no tick passes here",
                    );
                    self.report(report.help("for the time in the current state, write `elapsed`"));
                    return error(span);
                }
                "pointer_x" if site.place == Where::Pointer => {
                    return make(hir::ExprKind::PointerX, Ty::Number, span);
                }
                "pointer_y" if site.place == Where::Pointer => {
                    return make(hir::ExprKind::PointerY, Ty::Number, span);
                }
                "pointer_x" | "pointer_y" => {
                    let report = Diagnostic::new(
                        Code::MisplacedBuiltin,
                        format!(
                            "`{word}` is where the pointer is in a target, and is there in what a listener does \
                             with the pointer only"
                        ),
                        span,
                        "no pointer is here",
                    );
                    let help = format!("keep it in a parameter: `On mousemove {{ Set x = {word} }}`");
                    self.report(report.help(help));
                    return error(span);
                }
                "fade" if site.is_test() => return self.fade_of(None, span),
                "fade" => {
                    let report = Diagnostic::new(
                        Code::MisplacedBuiltin,
                        "`fade` is there in tests only",
                        span,
                        "not available here",
                    );
                    self.report(report.help("for the time since the state was entered, write `elapsed`"));
                    return error(span);
                }
                "settled" => {
                    self.lonely_settled(span, site);
                    return error(span);
                }
                "state" => {
                    self.lonely_state(span, site);
                    return error(span);
                }
                _ => {}
            }
        }
        if self.is_lost(name.symbol) {
            return error(span);
        }
        if let Some(Ty::Enum(id)) = want.ty {
            self.unknown_variant(id, name);
            return error(span);
        }
        if want.ty != Some(Ty::Bool)
            && let Some(owner) = self.enum_with(name)
        {
            let report = Diagnostic::new(
                Code::VariantAlone,
                format!("`{word}` is a variant, and nothing here says of which enum"),
                span,
                "expected a value",
            );
            self.report(report.help(format!("a variant stands beside {owner}, as in `mood == {word}`")));
            return error(span);
        }
        if let Some((_, what)) = QUESTIONS.iter().find(|(known, _)| *known == word) {
            let report = Diagnostic::new(
                Code::UnknownName,
                format!("`{word}` alone does not say of what"),
                span,
                format!("expected `{word}({what})`"),
            );
            let report = match &word[..] {
                "time" => report.help("the time in the current state is `elapsed`"),
                _ => report,
            };
            self.report_name(report);
            return error(span);
        }
        if let Some(plain) = foreign_word(&word) {
            let report = Diagnostic::new(
                if want.condition { Code::UnknownPredicate } else { Code::UnknownName },
                format!("`{word}` is not a word of Motix"),
                span,
                "expected a value",
            );
            let report = match plain {
                Foreign::Word(plain) => report.help(format!("write `{plain}`")).fix(span, plain),
                Foreign::Advice(advice) => report.help(advice),
            };
            self.report(report);
            return error(span);
        }
        let kind = match site.place {
            Where::Constant => Kind::Constant,
            _ if want.condition => Kind::Condition,
            _ => Kind::Value,
        };
        self.unknown(kind, name);
        error(span)
    }

    /// How messages call the first enum type that has the variant.
    fn enum_with(&self, name: Name) -> Option<String> {
        // Few enums are looked at: this is for a hint.
        let mut some = self.known.hir.enums.iter().take(64).enumerate();
        let (index, _) =
            some.find(|(_, row)| row.variants.iter().take(FEW).any(|variant| *variant == name.symbol))?;
        Some(self.ty_text(Ty::Enum(motix_vm::ids::EnumId(crate::resolve::saturate(index)))))
    }

    pub(super) fn unknown_variant(&mut self, id: motix_vm::ids::EnumId, name: Name) {
        if self.is_lost(name.symbol) {
            return;
        }
        let word = self.text(name.symbol).to_owned();
        let variants: Vec<Symbol> =
            self.known.hir.enums[id.index()].variants.iter().take(FEW).copied().collect();
        let near = self.nearest_of(&word, variants.iter().copied());
        let mut report = Diagnostic::new(
            Code::UnknownVariant,
            match self.known.hir.enums[id.index()].name {
                Some(owner) => format!("`{}` has no variant `{word}`", self.text(owner.symbol)),
                None => format!("there is no variant `{word}` here"),
            },
            name.span,
            format!("expected {}", self.choices(variants, "or")),
        );
        if let Some(near) = near {
            report = report.help(format!("did you mean `{near}`?")).fix(name.span, written(&near));
        }
        self.report_name(report);
    }

    /// What is meant by `Walk.finished` and `Idle.active`.
    fn without_owner(&self, first: Name, second: Name) -> Option<String> {
        let scope = &self.known.scope;
        let asked = self.text(second.symbol);
        let word = self.written(first.symbol);
        if scope.animation_index.contains_key(&first.symbol) {
            match asked {
                "finished" | "done" | "ended" | "isFinished" => return Some(format!("finished({word})")),
                "playing" | "isPlaying" | "active" => return Some(format!("playing({word})")),
                "time" | "weight" => return Some(format!("{asked}({word})")),
                _ => {}
            }
        }
        let active = matches!(asked, "active" | "isActive" | "current");
        (active && scope.state_names.anywhere(first.symbol).is_some()).then(|| format!("in({word})"))
    }

    fn unknown_path(&mut self, path: &Path, want: Want, site: Site) {
        let (names, span) = (&path.names[..], path.span);
        let text = self.path_text(names);
        if self.is_lost(names[0].symbol) {
            return;
        }
        let last = names[names.len() - 1];
        let named = self.find_enum(&names[..names.len() - 1]).is_some();
        let fits = if let Some(Ty::Enum(id)) = want.ty { self.variant(id, last).is_some() } else { false };
        if named || fits {
            let plain = self.written(last.symbol);
            let report = Diagnostic::new(
                Code::UnknownName,
                format!("a variant is named without its enum: `{text}`"),
                span,
                "expected the variant alone",
            );
            self.report(report.help(format!("write `{plain}`")).fix(span, plain));
            return;
        }
        if site.is_test() && self.near_component(path) {
            return;
        }
        let path_is_state = matches!(
            self.known.scope.state_names.find(names, None, crate::resolve::Seat::Machine),
            crate::resolve::StateLookup::Found(_) | crate::resolve::StateLookup::Ambiguous(_)
        );
        if let [first, second] = names
            && let Some(mended) = self.without_owner(*first, *second)
        {
            let report = Diagnostic::new(
                Code::UnknownName,
                format!("there is no value `{text}`"),
                span,
                "expected a value, named without dots",
            );
            return self.report_name(report.help(format!("write `{mended}`")).fix(span, mended));
        }
        let mut report = Diagnostic::new(
            if path_is_state { Code::WrongKind } else { Code::UnknownName },
            if path_is_state {
                format!("`{text}` is a state, not a value")
            } else {
                format!("there is no value `{text}`")
            },
            span,
            "expected a value",
        );
        if path_is_state {
            report = report
                .help(format!("write `in({text})` to ask whether it is active"))
                .fix(span, format!("in({text})"));
        } else if self.files.is_alias(self.files.file_at(span), names[0].symbol) {
            let alias = self.text(names[0].symbol).to_owned();
            let wrong = self.text(last.symbol).to_owned();
            let known: Vec<Symbol> =
                self.files.consts_behind(self.files.file_at(span), names[0].symbol).take(FEW).collect();
            report = match self.nearest_of(&wrong, known.iter().copied()) {
                Some(near) => {
                    report.help(format!("did you mean `{alias}.{near}`?")).fix(last.span, written(&near))
                }
                None => report.help(format!("the file `{alias}` has no constant of that name")),
            };
        } else if self.known.scope.values.contains_key(&last.symbol) {
            let plain = self.written(last.symbol);
            report = report.help(format!("a behavior names its own alone: write `{plain}`")).fix(span, plain);
        } else if let Found::Yes(_) = self.files.behavior(&names[..1]) {
            let other = self.text(names[0].symbol);
            report = report.help(format!(
                "`{other}` is a behavior, which nothing inside another sees: the outer one binds what its component needs, as in \
                 `Bind ready -> enabled`"
            ));
        }
        self.report_name(report);
    }
}

fn constant(value: Option<super::context::Constant>, span: Span) -> hir::Expr {
    match value {
        Some(constant) => make(hir::ExprKind::Literal(constant.literal), constant.ty, span),
        None => error(span),
    }
}

enum Foreign {
    Word(&'static str),
    Advice(&'static str),
}

/// Words that other languages have where Motix has another.
fn foreign_word(word: &str) -> Option<Foreign> {
    Some(match word {
        "True" | "TRUE" | "yes" | "on" => Foreign::Word("true"),
        "False" | "FALSE" | "no" | "off" => Foreign::Word("false"),
        "null" | "nil" | "None" | "undefined" => {
            Foreign::Advice("there is no empty value: every parameter always has one, `\"\"` for a string")
        }
        "deltaTime" | "delta" | "delta_time" => Foreign::Word("dt"),
        "self" | "this" => Foreign::Advice("name the parameter alone"),
        "key" | "keyCode" => {
            Foreign::Advice("a key is asked for where it is heard: `On keydown \"Enter\" { ... }`")
        }
        _ => return None,
    })
}
