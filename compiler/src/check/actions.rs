//! Actions: what they act on, and what they write.

use motix_vm::ids::{ComponentId, GroupId, ParamId, StateId};

use crate::ast::{Item, Name, Node, Part, Path};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{self, Action, Ty};
use crate::intern::Symbol;
use crate::resolve::{Found, ValueRef, saturate};
use crate::source::Span;
use crate::syntax::Keyword;

use super::context::{Checker, EmitShape, Seen, Site, join};
use super::expr::{Want, make};
use super::unknown::Kind;

/// What an action or a statement of a test writes.
struct Target {
    component: ComponentId,
    param: ParamId,
    ty: Ty,
    name: Name,
}

/// How deep `If` and `Else If` may stand in each other.
const MOST_NESTED: usize = 64;

impl Checker<'_, '_> {
    /// The actions in an item's block.
    pub(super) fn actions(&mut self, item: &Item, site: Site) -> Vec<Action> {
        self.action_list(item.nodes(), site, 0)
    }

    fn action_list(&mut self, nodes: &[Node], site: Site, depth: usize) -> Vec<Action> {
        let mut actions = Vec::new();
        let mut next = 0;
        while let Some(node) = nodes.get(next) {
            next += 1;
            let Node::Item(item) = node else { continue };
            match item.keyword {
                Keyword::If => {
                    let from = next;
                    while matches!(nodes.get(next), Some(Node::Item(item)) if item.keyword == Keyword::Else) {
                        next += 1;
                    }
                    if depth + (next - from) > MOST_NESTED {
                        self.nested_too_deep(item);
                    } else {
                        actions.extend(self.if_action(item, &nodes[from..next], site, depth));
                    }
                }
                Keyword::Else => {
                    // Without an `If` before it; the parser reported that.
                    self.action_list(item.nodes(), site, depth + 1);
                }
                _ => actions.extend(self.action(item, site)),
            }
        }
        actions
    }

    fn nested_too_deep(&mut self, item: &Item) {
        let report = Diagnostic::new(
            Code::NestedTooDeep,
            format!("`If` and `Else If` stand in each other more than {MOST_NESTED} deep"),
            item.keyword_span,
            "this one is too long",
        );
        self.report(report.help("compute what to do in a `Let`, or use states"));
    }

    /// An `If` and the `Else`s that follow it.
    fn if_action(&mut self, item: &Item, elses: &[Node], site: Site, depth: usize) -> Option<Action> {
        let condition = item.value().map(|value| self.condition_of(value, "`If`", site));
        let then = self.action_list(item.nodes(), site, depth + 1);
        let mut branches = Vec::new();
        let mut last: Option<Vec<Action>> = None;
        for (index, node) in elses.iter().enumerate() {
            let Node::Item(other) = node else { continue };
            let asked =
                other.head.iter().find_map(|part| if let Part::If(expr) = part { Some(expr) } else { None });
            let asked = asked.map(|expr| self.condition_of(expr, "`Else If`", site));
            let actions = self.action_list(other.nodes(), site, depth + 1 + index);
            match asked {
                Some(asked) => branches.push((asked, actions)),
                None => last = Some(actions),
            }
        }
        let mut rest = last.unwrap_or_default();
        for (asked, actions) in branches.into_iter().rev() {
            rest = vec![Action::If(asked, actions, rest)];
        }
        Some(Action::If(condition?, then, rest))
    }

    /// The path of an action, which leads to something of the behavior's own.
    fn own<'i>(&mut self, item: &'i Item, site: Site) -> Option<&'i Path> {
        item.path().filter(|path| !self.is_hidden(path, site))
    }

    fn action(&mut self, item: &Item, site: Site) -> Option<Action> {
        match item.keyword {
            Keyword::Play => {
                let path = self.own(item, site)?;
                let animation = self.find_animation(path)?;
                self.plays(animation, path.span);
                Some(Action::Play(animation))
            }
            Keyword::Stop => {
                let path = self.own(item, site)?;
                Some(Action::Stop(self.find_animation(path)?, is_immediate(item)))
            }
            Keyword::StopGroup => {
                let path = self.own(item, site)?;
                Some(Action::StopGroup(self.find_group(path)?, is_immediate(item)))
            }
            Keyword::PlayTag => {
                let path = self.own(item, site)?;
                let tag = self.find_animation_tag(path)?;
                self.tags_played.entry(tag).or_insert(path.span);
                Some(Action::PlayTag(tag))
            }
            Keyword::StopTag => {
                let path = self.own(item, site)?;
                Some(Action::StopTag(self.find_animation_tag(path)?))
            }
            Keyword::Set | Keyword::SetTrue | Keyword::SetFalse | Keyword::Toggle => {
                let (_, param, value) = self.assignment(item, site)?;
                Some(Action::Set(param, value))
            }
            Keyword::Fire => Some(Action::Fire(self.fired(item, site)?.1)),
            Keyword::Emit => self.emit(item, site),
            Keyword::PlayAudio => {
                let text = self.constant_text(item.value()?, "`PlayAudio`")?;
                if self.known.audios.insert(text) {
                    self.known.audio_names.push(text);
                }
                Some(Action::Audio(text))
            }
            Keyword::SwitchCamera => {
                let text = self.constant_text(item.value()?, "`SwitchCamera`")?;
                if self.known.cameras.insert(text) {
                    self.known.camera_names.push(text);
                }
                Some(Action::Camera(text))
            }
            Keyword::Request => {
                let (_, state, priority) = self.request(item, site)?;
                Some(Action::Request(state, priority))
            }
            _ => None,
        }
    }

    /// The group of that name; otherwise it is reported.
    pub(super) fn group(&mut self, name: Name) -> Option<GroupId> {
        let found = self.known.scope.group_index.get(&name.symbol).copied();
        if found.is_none() {
            self.unknown(Kind::Group, name);
        }
        found
    }

    /// The state and priority of a `Request`.
    pub(super) fn request(&mut self, item: &Item, site: Site) -> Option<(ComponentId, StateId, i32)> {
        let mut priority = 0;
        let mut seen = Seen::default();
        for property in item.items() {
            if property.keyword == Keyword::Priority
                && self.once(&mut seen, property)
                && let Some(value) = property.value()
            {
                priority = self.priority(value).unwrap_or(0);
            }
        }
        let path = item.path()?;
        if self.is_hidden(path, site) {
            return None;
        }
        let (machine, seat) = (site.machine, site.seat);
        let (component, state) = self.located(path, |inside, rest| inside.find_state(rest, machine, seat))?;
        Some((component, state, priority))
    }

    /// The parameter that an action writes, or, in a test, one of a component.
    fn written_param(&mut self, path: &Path, action: &str, site: Site) -> Option<Target> {
        if self.is_hidden(path, site) {
            return None;
        }
        let way = self.way(&path.names, false);
        if way.is_empty() {
            if site.is_test() && self.near_component(path) {
                return None;
            }
            let name = self.single(path, Kind::Param)?;
            let (param, ty, name) = self.param_of(name, action, "writes")?;
            return Some(Target { component: ComponentId::ROOT, param, ty, name });
        }
        let (component, (param, ty, name)) = self.located(path, |inside, rest| {
            let name = inside.single(rest, Kind::Param)?;
            inside.param_of(name, action, "writes")
        })?;
        let ty = self.brought_out(&way, ty);
        Some(Target { component, param, ty, name })
    }

    /// The parameter of that name; what stands there instead is reported. `action` is the keyword that `does`
    /// something with it.
    pub(super) fn param_of(&mut self, name: Name, action: &str, does: &str) -> Option<(ParamId, Ty, Name)> {
        let constant = || self.files.constant(&[name]);
        let (what, span) = match self.known.scope.values.get(&name.symbol).copied() {
            Some((ValueRef::Param(index), _)) => {
                let ty = self.known.param_types.get(index).copied().unwrap_or(Ty::Error);
                return Some((ParamId(saturate(index)), ty, name));
            }
            Some((ValueRef::Const(_), span)) => ("a constant", span),
            Some((ValueRef::Extern(_), span)) => ("answered by the host", span),
            Some((ValueRef::Value(index), span)) if self.known.scope.lets[index].predicate => {
                ("a predicate", span)
            }
            Some((ValueRef::Value(_), span)) => ("computed by a `Let`", span),
            None => match constant() {
                Found::Yes(index) => ("a constant", self.files.consts[index].name.span),
                Found::Lost => return None,
                Found::No => {
                    self.unknown(Kind::Param, name);
                    return None;
                }
            },
        };
        let word = self.text(name.symbol).to_owned();
        let report = Diagnostic::new(
            Code::NotAParam,
            format!("`{word}` is {what}, and `{action}` {does} parameters"),
            name.span,
            "expected a parameter",
        )
        .label(span, "declared here");
        self.report(report.help("change a parameter that it is made from, or declare a `Param`"));
        None
    }

    /// The parameter and new value of `Set`, `SetTrue`, `SetFalse` or `Toggle`.
    pub(super) fn assignment(
        &mut self,
        item: &Item,
        site: Site,
    ) -> Option<(ComponentId, ParamId, hir::Expr)> {
        let action = item.keyword.name();
        let path = item.path();
        let target = path.and_then(|path| self.written_param(path, action, site));
        let Some(Target { component, param, ty, name }) = target else {
            if let Some(value) = item.assigned() {
                // The value may have faults of its own; a variant alone cannot be told without its enum.
                if !self.needs_enum(value) {
                    self.expr(value, Want::ANY, site);
                }
            }
            return None;
        };
        if ty == Ty::Error {
            return None;
        }
        let span = item.span;
        // `Set jump` without a value was reported, with what to write.
        if ty == Ty::Trigger && item.keyword == Keyword::Set && item.assigned().is_none() {
            return None;
        }
        if ty == Ty::Trigger {
            let word = self.written(name.symbol);
            let report = Diagnostic::new(
                Code::TriggerAsValue,
                format!("the trigger `{}` cannot be set", self.text(name.symbol)),
                name.span,
                "a trigger is fired, and ends by itself",
            );
            let report = match item.keyword {
                Keyword::SetFalse => {
                    report.help("a trigger ends when a transition consumes it, or by its `Lifetime`")
                }
                _ => report.help(format!("write `Fire {word}`")).fix(span, format!("Fire {word}")),
            };
            self.report(report);
            return None;
        }
        if item.keyword == Keyword::Set {
            let value = item.assigned()?;
            let what = format!("`{}`", self.text(name.symbol));
            return Some((component, param, self.typed(value, ty, &what, site)));
        }
        if ty != Ty::Bool {
            let is = self.ty_text(ty);
            let word = self.written(name.symbol);
            let report = Diagnostic::new(
                Code::WrongAction,
                format!("`{action}` is for bools, and `{}` is {is}", self.text(name.symbol)),
                name.span,
                "expected a bool",
            );
            self.report(report.help(format!("write `Set {word} = ...`")));
            return None;
        }
        let literal = |value: bool| hir::ExprKind::Literal(hir::Literal::Bool(value));
        let kind = match item.keyword {
            Keyword::SetTrue => literal(true),
            Keyword::SetFalse => literal(false),
            _ => {
                let way = path.map_or_else(Vec::new, |path| self.way(&path.names, false));
                let now =
                    self.wrapped(&way, name.span, |_| make(hir::ExprKind::Param(param), Ty::Bool, name.span));
                hir::ExprKind::Not(Box::new(now))
            }
        };
        Some((component, param, make(kind, Ty::Bool, span)))
    }

    /// The trigger of a `Fire`.
    pub(super) fn fired(&mut self, item: &Item, site: Site) -> Option<(ComponentId, ParamId)> {
        let Target { component, param, ty, name } = self.written_param(item.path()?, "Fire", site)?;
        if ty == Ty::Trigger || ty == Ty::Error {
            return Some((component, param));
        }
        let is = self.ty_text(ty);
        let word = self.written(name.symbol);
        let report = Diagnostic::new(
            Code::WrongAction,
            format!("`Fire` is for triggers, and `{}` is {is}", self.text(name.symbol)),
            name.span,
            "expected a trigger",
        );
        let report = if ty == Ty::Bool {
            report.help(format!("write `SetTrue {word}`")).fix(item.span, format!("SetTrue {word}"))
        } else {
            report.help(format!("write `Set {word} = ...`"))
        };
        self.report(report);
        None
    }

    fn emit(&mut self, item: &Item, site: Site) -> Option<Action> {
        let name = item.name()?;
        let arguments = item
            .head
            .iter()
            .find_map(|part| if let Part::Arguments(list) = part { Some(&list[..]) } else { None });
        let values: Vec<hir::Expr> =
            arguments.unwrap_or(&[]).iter().map(|argument| self.expr(argument, Want::ANY, site)).collect();
        let types: Vec<Ty> = values.iter().map(|value| value.ty).collect();
        match self.known.emits.get(&name.symbol).cloned() {
            None => {
                self.known.emit_names.push(name.symbol);
                self.known.emits.insert(name.symbol, EmitShape { types, span: item.span });
            }
            Some(shape) => {
                let fits = shape.types.len() == types.len()
                    && shape
                        .types
                        .iter()
                        .zip(&types)
                        .all(|(a, b)| a == b || *a == Ty::Error || *b == Ty::Error);
                if !fits {
                    self.emit_shape(name.symbol, item.span, &types, &shape);
                }
            }
        }
        Some(Action::Emit(name.symbol, values))
    }

    fn emit_shape(&mut self, name: Symbol, span: Span, types: &[Ty], shape: &EmitShape) {
        let text = |types: &[Ty]| {
            let list: Vec<String> = types.iter().map(|ty| self.ty_text(*ty)).collect();
            if list.is_empty() { "no values".to_owned() } else { join(&list, "and") }
        };
        let report = Diagnostic::new(
            Code::EmitShape,
            format!("the event `{}` has different values in different places", self.text(name)),
            span,
            format!("here it has {}", text(types)),
        )
        .label(shape.span, format!("here it has {}", text(&shape.types)))
        .help("an event of one name always has the same values; use another name");
        self.report(report);
    }
}

/// Whether `immediate` stands in the head.
pub(super) fn is_immediate(item: &Item) -> bool {
    item.head.iter().any(|part| matches!(part, Part::Immediate(_)))
}
