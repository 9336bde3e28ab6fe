//! Calls: the pure functions, and the questions about states, animations, layers, spans and tags.

use motix_vm::builtin::Builtin;
use motix_vm::ids::{AnimationId, GroupId, LayerId, SpanId, TagId};

use crate::ast::{self, ExprKind, Name, Path};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Ty};
use crate::intern::Symbol;
use crate::resolve::{Space, saturate};
use crate::source::Span;
use crate::syntax::{Keyword, Place};

use super::context::{Checker, Site, Where};
use super::expr::{Want, bare, error, make};
use super::inside::behind;
use super::unknown::{FEW, Kind};

/// Questions: name, what the argument is, for hints.
pub(super) const QUESTIONS: &[(&str, &str)] = &[
    ("in", "State"),
    ("came_from", "State"),
    ("tagged", "tag"),
    ("playing", "Animation"),
    ("finished", "Animation"),
    ("time", "Animation"),
    ("weight", "Animation"),
    ("layer_weight", "Layer"),
    ("in_span", "Animation.span"),
];

impl Checker<'_, '_> {
    pub(super) fn call(&mut self, path: &Path, arguments: &[ast::Expr], span: Span, site: Site) -> hir::Expr {
        let [name] = &path.names[..] else {
            let text = self.path_text(&path.names);
            let report = Diagnostic::new(
                Code::UnknownFunction,
                format!("there is no function `{text}`"),
                path.span,
                "functions have plain names",
            );
            // `Math.max`, `Mathf.Abs`
            let last = path.names.last().map_or(String::new(), |name| self.text(name.symbol).to_lowercase());
            let report = match Builtin::by_name(&last).filter(|builtin| *builtin != Builtin::Length3) {
                Some(builtin) => {
                    let plain = builtin.name();
                    report.help(format!("write `{plain}`")).fix(path.span, plain)
                }
                None => report,
            };
            self.report(report);
            return error(span);
        };
        let word = self.text(name.symbol).to_owned();
        if let Some(builtin) = Builtin::by_name(&word).filter(|builtin| *builtin != Builtin::Length3) {
            return self.function(builtin, *name, arguments, span, site);
        }
        if site.place == Where::Constant {
            if QUESTIONS.iter().any(|(known, _)| *known == word) || matches!(&word[..], "random" | "damp") {
                let report = Diagnostic::new(
                    Code::NotConstant,
                    format!("`{word}` is not known when compiling"),
                    span,
                    "expected a literal or a `Const`",
                );
                self.report(report);
            } else {
                self.unknown_function(*name, site);
            }
            return error(span);
        }
        match &word[..] {
            "random" => self.random(*name, arguments, span, site),
            "damp" => {
                let report = Diagnostic::new(
                    Code::DampPlace,
                    "`damp` stands alone in a `Let`",
                    span,
                    "it remembers its value, so it needs a name",
                );
                let help = "write `Let smoothed = damp(..., 150ms)` in the behavior, and `smoothed` here";
                self.report(report.help(help));
                error(span)
            }
            "phase" if site.is_test() => self.question(*name, arguments, span, site),
            "phase" => {
                let report = Diagnostic::new(
                    Code::MisplacedBuiltin,
                    "`phase` of an animation is there in tests only",
                    span,
                    "not available here",
                );
                self.report(report.help(
                    "for the state's own motion, write `phase`; for the seconds of an animation, `time(Name)`",
                ));
                error(span)
            }
            "fade" if site.is_test() => self.fade_of(Some(arguments), span),
            "value" if site.is_test() => self.property_value(*name, arguments, span),
            "value" => {
                let report = Diagnostic::new(
                    Code::MisplacedBuiltin,
                    "`value` of a property is there in tests only",
                    span,
                    "not available here",
                );
                self.report(
                    report.help("a behavior decides by its parameters and states; the host shows the values"),
                );
                error(span)
            }
            "state" => {
                self.lonely_state(span, site);
                error(span)
            }
            _ if QUESTIONS.iter().any(|(known, _)| *known == word) => {
                self.question(*name, arguments, span, site)
            }
            _ => {
                self.unknown_function(*name, site);
                error(span)
            }
        }
    }

    pub(super) fn count(&mut self, name: Name, expected: &str, found: usize, span: Span) {
        let word = self.text(name.symbol);
        let given = match found {
            0 => "none is".to_owned(),
            1 => "one is".to_owned(),
            _ => format!("{found} are"),
        };
        let report = Diagnostic::new(
            Code::ArgumentCount,
            format!("`{word}` takes {expected}, and {given} given"),
            span,
            format!("expected `{word}` with {expected}"),
        );
        self.report(report);
    }

    fn function(
        &mut self,
        builtin: Builtin,
        name: Name,
        arguments: &[ast::Expr],
        span: Span,
        site: Site,
    ) -> hir::Expr {
        let names = builtin.arguments();
        let variadic = matches!(builtin, Builtin::Min | Builtin::Max);
        let three = builtin == Builtin::Length && arguments.len() == 3;
        let typed: Vec<hir::Expr> =
            arguments.iter().map(|argument| self.argument(argument, name, Ty::Number, site)).collect();
        let fits = if variadic { arguments.len() >= 2 } else { arguments.len() == names.len() || three };
        if !fits {
            let expected = match builtin {
                _ if variadic => "two or more numbers".to_owned(),
                Builtin::Length => "two or three numbers: `length(x, y)`, `length(x, y, z)`".to_owned(),
                _ => {
                    let count = ["no", "one", "two", "three"].get(names.len()).copied().unwrap_or("more");
                    let plural = if names.len() == 1 { "number" } else { "numbers" };
                    format!("{count} {plural}: `{}({})`", builtin.name(), names.join(", "))
                }
            };
            self.count(name, &expected, arguments.len(), span);
            return error(span);
        }
        if variadic {
            return halves(builtin, typed, span);
        }
        let builtin = if three { Builtin::Length3 } else { builtin };
        make(hir::ExprKind::Call(builtin, typed), Ty::Number, span)
    }

    /// An argument of a function, which has a type.
    fn argument(&mut self, expr: &ast::Expr, name: Name, ty: Ty, site: Site) -> hir::Expr {
        let found = self.expr(expr, Want::of(ty), site);
        if found.ty == ty || found.ty == Ty::Error {
            return found;
        }
        let (is, needed) = (self.ty_text(found.ty), self.ty_text(ty));
        let report = Diagnostic::new(
            Code::ArgumentType,
            format!("`{}` takes {needed}, and this is {is}", self.text(name.symbol)),
            expr.span,
            format!("expected {needed}"),
        );
        let report = self.number_help(report, expr, found.ty);
        self.report(report);
        error(expr.span)
    }

    fn random(&mut self, name: Name, arguments: &[ast::Expr], span: Span, site: Site) -> hir::Expr {
        if !matches!(site.place, Where::Actions | Where::Update | Where::Pointer) {
            let report = Diagnostic::new(
                Code::MisplacedBuiltin,
                "`random` is there in actions only",
                span,
                "this may be evaluated any number of times",
            );
            let help = "draw it in an action: `OnEntry { Set x = random(0, 1) }`, and use `x` here";
            self.report(report.help(help));
            return error(span);
        }
        let [low, high] = arguments else {
            self.count(name, "two numbers: `random(low, high)`", arguments.len(), span);
            return error(span);
        };
        let low = self.argument(low, name, Ty::Number, site);
        let high = self.argument(high, name, Ty::Number, site);
        make(hir::ExprKind::Random(Box::new([low, high])), Ty::Number, span)
    }

    fn question(&mut self, name: Name, arguments: &[ast::Expr], span: Span, site: Site) -> hir::Expr {
        let word = self.text(name.symbol).to_owned();
        let what = QUESTIONS.iter().find(|(known, _)| *known == word).map_or("Animation", |(_, what)| *what);
        let [argument] = arguments else {
            self.count(name, &format!("one name: `{word}({what})`"), arguments.len(), span);
            return error(span);
        };
        let path = match &bare(argument).kind {
            ExprKind::Path(path) => path,
            ExprKind::Error => return error(span),
            ExprKind::Text(text) => {
                let plain = self.written(*text);
                let report = Diagnostic::new(
                    Code::ArgumentType,
                    format!("`{word}` takes a name, and this is a string"),
                    argument.span,
                    "expected a name",
                );
                let mended = plain.clone();
                self.report(report.help(format!("write `{word}({plain})`")).fix(argument.span, mended));
                return error(span);
            }
            _ => {
                let report = Diagnostic::new(
                    Code::ArgumentType,
                    format!("`{word}` takes a name"),
                    argument.span,
                    format!("expected a name: `{word}({what})`"),
                );
                self.report(report);
                return error(span);
            }
        };
        self.asked(&word, path, span, site)
    }

    /// What a question about the thing that a path names gives.
    fn asked(&mut self, word: &str, path: &Path, span: Span, site: Site) -> hir::Expr {
        if self.is_hidden(path, site) {
            return error(span);
        }
        let way = self.way(&path.names, false);
        if !way.is_empty() {
            let rest = behind(path, way.len());
            return self.wrapped(&way, span, |inside| inside.asked(word, &rest, span, Site::TEST));
        }
        let kind_and_type = match word {
            "in" | "came_from" => self.find_state(path, site.machine, site.seat).map(|state| match word {
                "in" => (hir::ExprKind::In(state), Ty::Bool),
                _ => (hir::ExprKind::CameFrom(state), Ty::Bool),
            }),
            "tagged" => self.find_tag(path, Kind::StateTag).map(|tag| (hir::ExprKind::Tagged(tag), Ty::Bool)),
            "layer_weight" => {
                self.find_layer(path).map(|layer| (hir::ExprKind::LayerWeight(layer), Ty::Number))
            }
            "in_span" => self.find_span(path).map(|span| (hir::ExprKind::InSpan(span), Ty::Bool)),
            _ => self.find_animation(path).map(|animation| match word {
                "playing" => (hir::ExprKind::Playing(animation), Ty::Bool),
                "finished" => (hir::ExprKind::Finished(animation), Ty::Bool),
                "time" => (hir::ExprKind::Time(animation), Ty::Number),
                "phase" => (hir::ExprKind::Phase(animation), Ty::Number),
                _ => (hir::ExprKind::Weight(animation), Ty::Number),
            }),
        };
        match kind_and_type {
            Some((kind, ty)) => make(kind, ty, span),
            None => error(span),
        }
    }

    /// The only name of a path; of a longer one that was reported.
    pub(super) fn single(&mut self, path: &Path, kind: Kind) -> Option<Name> {
        if let [name] = &path.names[..] {
            return Some(*name);
        }
        if !self.is_lost(path.names[0].symbol) {
            let text = self.path_text(&path.names);
            let last = path.names[path.names.len() - 1];
            let known = self.candidates(kind, None).any(|name| name == last.symbol);
            let components: Vec<Symbol> =
                self.known.scope.components.iter().take(FEW).map(|row| row.name.symbol).collect();
            let report = Diagnostic::new(
                Code::WrongKind,
                format!("`{text}` is not {} of {}", kind.one(), self.behavior_text()),
                path.span,
                format!("expected {}, named without dots", kind.one()),
            );
            let report = if known {
                let plain = self.written(last.symbol);
                report.help(format!("write `{plain}`")).fix(path.span, plain)
            } else if components.is_empty() || !components_count(kind) {
                report
            } else {
                let verb = if components.len() == 1 { "component is" } else { "components are" };
                report.help(format!("its {verb} {}", self.choices(components, "and")))
            };
            self.report_name(report);
        }
        None
    }

    pub(super) fn find_animation(&mut self, path: &Path) -> Option<AnimationId> {
        let name = self.single(path, Kind::Animation)?;
        self.animation(name)
    }

    pub(super) fn find_group(&mut self, path: &Path) -> Option<GroupId> {
        let name = self.single(path, Kind::Group)?;
        self.group(name)
    }

    pub(super) fn find_animation_tag(&mut self, path: &Path) -> Option<TagId> {
        let name = self.single(path, Kind::AnimationTag)?;
        self.tag(name, Kind::AnimationTag)
    }

    /// The animation of that name; otherwise it is reported.
    pub(super) fn animation(&mut self, name: Name) -> Option<AnimationId> {
        let found = self.known.scope.animation_index.get(&name.symbol).copied();
        if found.is_none() {
            self.unknown(Kind::Animation, name);
        }
        found.map(|index| AnimationId(saturate(index)))
    }

    fn find_layer(&mut self, path: &Path) -> Option<LayerId> {
        let name = self.single(path, Kind::Layer)?;
        self.layer(name)
    }

    /// The layer of that name; otherwise it is reported.
    pub(super) fn layer(&mut self, name: Name) -> Option<LayerId> {
        let found = self.known.scope.layer_index.get(&name.symbol).copied();
        if found.is_none() {
            self.unknown(Kind::Layer, name);
        }
        found.and_then(|index| self.known.scope.layer_ids.get(index).copied())
    }

    fn find_tag(&mut self, path: &Path, kind: Kind) -> Option<TagId> {
        let name = self.single(path, kind)?;
        self.tag(name, kind)
    }

    /// The tag of that name, if things of the kind carry it; otherwise it is reported.
    pub(super) fn tag(&mut self, name: Name, kind: Kind) -> Option<TagId> {
        let scope = &self.known.scope;
        let carried = if kind == Kind::StateTag { &scope.state_tags } else { &scope.animation_tags };
        let found = scope.tag_index.get(&name.symbol).copied().filter(|tag| carried.contains(*tag));
        if found.is_none() {
            self.unknown(kind, name);
        }
        found
    }

    fn find_span(&mut self, path: &Path) -> Option<SpanId> {
        let [animation, name] = &path.names[..] else {
            let report = Diagnostic::new(
                Code::ArgumentType,
                "`in_span` takes a span of an animation",
                path.span,
                "expected `Animation.span`",
            );
            let rows = &self.known.hir.spans;
            let row =
                path.names.last().and_then(|name| rows.iter().find(|row| row.name.symbol == name.symbol));
            let report = match row.and_then(|row| self.known.hir.animations.get(row.animation.index())) {
                Some(animation) => {
                    let mended =
                        format!("{}.{}", self.written(animation.name.symbol), self.path_text(&path.names));
                    report.help(format!("did you mean `{mended}`?")).fix(path.span, mended)
                }
                None => report,
            };
            self.report(report);
            return None;
        };
        let animation = self.animation(*animation)?;
        self.span_of(animation, *name)
    }

    /// The span of that name in an animation; otherwise it is reported.
    pub(super) fn span_of(&mut self, animation: AnimationId, name: Name) -> Option<SpanId> {
        if let Some(span) = self.known.spans.get(&(animation, name.symbol)) {
            return Some(*span);
        }
        if self.is_lost(name.symbol) {
            return None;
        }
        let row = self.known.hir.animations.get(animation.index())?;
        let of = self.text(row.name.symbol).to_owned();
        let range = row.spans.start as usize..row.spans.end as usize;
        let known: Vec<_> =
            self.known.hir.spans.get(range)?.iter().take(FEW).map(|span| span.name.symbol).collect();
        self.no_mark("span", &of, name, known);
        None
    }

    /// Reports a span or marker that an animation does not have.
    pub(super) fn no_mark(&mut self, what: &str, of: &str, name: Name, known: Vec<Symbol>) {
        // Of two animations with one name, the other may have it.
        if self.names.get(of).is_some_and(|of| self.is_declared_twice(Space::Animation, of)) {
            return;
        }
        let word = self.text(name.symbol).to_owned();
        let near = self.nearest_of(&word, known.iter().copied());
        let mut report = Diagnostic::new(
            if what == "marker" { Code::UnknownMarker } else { Code::UnknownSpan },
            format!("`{of}` has no {what} `{word}`"),
            name.span,
            format!("expected a {what} of `{of}`"),
        );
        if let Some(near) = near {
            let mended = super::context::written(&near);
            report = report.help(format!("did you mean `{near}`?")).fix(name.span, mended);
        } else if !known.is_empty() {
            report = report.help(format!("it has {}", self.choices(known, "and")));
        }
        self.report_name(report);
    }

    fn unknown_function(&mut self, name: Name, site: Site) {
        let word = self.text(name.symbol).to_owned();
        if let Some((reference, span)) = self.known.scope.values.get(&name.symbol).copied() {
            let _ = reference;
            let report = Diagnostic::new(
                Code::WrongKind,
                format!("`{word}` is a value, not a function"),
                name.span,
                "expected the name alone",
            )
            .label(span, "declared here");
            self.report(report.help(format!("write `{word}`, or `{word} * (...)` to multiply")));
            return;
        }
        if matches!(&word[..], "elapsed" | "dt" | "deltaTime" | "delta") {
            let plain = if word == "elapsed" { "elapsed" } else { "dt" };
            let report = Diagnostic::new(
                Code::UnknownFunction,
                format!("`{word}` is no function"),
                name.span,
                "expected a value without parentheses",
            );
            self.report(report.help(format!("write `{plain}`")));
            return;
        }
        let action = Keyword::ALL
            .iter()
            .find(|keyword| keyword.stands_in(Place::Actions) && keyword.name().eq_ignore_ascii_case(&word));
        if let Some(action) = action {
            let report = Diagnostic::new(
                Code::MisplacedBuiltin,
                format!("`{}` is an action, and an expression changes nothing", action.name()),
                name.span,
                "expected a value",
            );
            self.report(
                report.help(format!("write it in a list of actions: `OnEntry {{ {} ... }}`", action.name())),
            );
            return;
        }
        if site.is_test() && super::expectations::is_event(&word) {
            let report = Diagnostic::new(
                Code::UnknownFunction,
                format!("there is no function `{word}`, but an event"),
                name.span,
                "expected a condition",
            );
            self.report(report.help(format!("write `Expect events has {word}(...)`")));
            return;
        }
        let builtins =
            Builtin::ALL.iter().filter(|builtin| **builtin != Builtin::Length3).map(|builtin| builtin.name());
        let known = builtins.chain(QUESTIONS.iter().map(|(known, _)| *known)).chain(["random"]);
        let near = self.nearest_word(&word, known).or(foreign_function(&word));
        let mut report = Diagnostic::new(
            Code::UnknownFunction,
            format!("there is no function `{word}`"),
            name.span,
            "expected a function",
        );
        if let Some(near) = near {
            report = report.help(format!("did you mean `{near}`?")).fix(name.span, near);
        } else if let "rgb" | "rgba" | "hsl" | "hsla" | "color" = &word[..] {
            report = report.help("a color is written `#rrggbb` or `#rrggbbaa`, in hexadecimal");
        } else if let ("exp" | "log" | "tan" | "ln", _) = (&word[..], site) {
            report = report.help("there are `pow`, `sqrt`, `sin` and `cos`");
        }
        self.report_name(report);
    }
}

/// Functions that other languages call otherwise.
fn foreign_function(word: &str) -> Option<&'static str> {
    Some(match word {
        "magnitude" | "hypot" | "distance" | "len" => "length",
        "mix" => "lerp",
        "rand" | "randf_range" | "random_range" => "random",
        "saturate" | "clampf" => "clamp",
        "is_playing" | "isPlaying" => "playing",
        "fmod" | "rem" => "mod",
        "atan" => "atan2",
        "inState" | "is_in" | "in_state" => "in",
        _ => return None,
    })
}

/// `min` or `max` of many, as a tree of pairs: no deeper than its logarithm.
fn halves(builtin: Builtin, mut arguments: Vec<hir::Expr>, span: Span) -> hir::Expr {
    while arguments.len() > 2 {
        let mut pairs = Vec::with_capacity(arguments.len().div_ceil(2));
        let mut rest = arguments.into_iter();
        while let Some(first) = rest.next() {
            pairs.push(match rest.next() {
                Some(second) => make(hir::ExprKind::Call(builtin, vec![first, second]), Ty::Number, span),
                None => first,
            });
        }
        arguments = pairs;
    }
    make(hir::ExprKind::Call(builtin, arguments), Ty::Number, span)
}

/// Whether things of a kind are named in components too, by a path.
const fn components_count(kind: Kind) -> bool {
    matches!(kind, Kind::Param | Kind::Layer | Kind::Animation)
}
