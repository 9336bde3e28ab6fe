//! What names a behavior's things have in the text form, and where its blocks of code are printed.
//!
//! A block is printed in place where it has one user or is a short expression, at its `Predicate` or `Let` where it
//! has one name, else once at the end, named by a hash of its text: so that names do not shift and no long text is
//! printed twice.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

use super::code::{self, Body};
use super::node::name;
use crate::ids::*;
use crate::op::Op;
use crate::program::BehaviorRef;
use crate::program::envelope::Fnv;
use crate::program::tables::{Behavior, MotionKind, Run, Type};

/// An expression of at most so many bytes is printed in place for each of its users.
const SHORT: usize = 80;

/// Where a block is printed.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Home {
    /// Where it is used.
    InPlace,
    /// Elsewhere; it is called by this name.
    Named(String),
}

static EMPTY: Body = Body::Lines(Vec::new());

pub(super) struct Scope<'p> {
    pub(super) behavior: BehaviorRef<'p>,
    pub(super) rows: &'p Behavior,
    homes: Vec<Home>,
    /// The texts of the blocks that are printed in place or under a name, until their user has taken them.
    bodies: Vec<Body>,
    /// The blocks with several users and no name, by label.
    pub(super) shared: BTreeMap<String, Body>,
    /// The enum of each block's value, where it is clear.
    pub(super) enums: Vec<Option<EnumId>>,
    /// Smoothed values that some operation reads.
    pub(super) read_damps: Vec<bool>,
    /// The block with a name that gives nothing but the smoothed value, and its name.
    damp_homes: Vec<Option<(CodeId, TextId)>>,
    /// Names of parameters, and of values with names: what an extern predicate's name may clash with.
    params: BTreeSet<TextId>,
    values: BTreeSet<TextId>,
    /// Names of the main machine's outermost states: what a layer's name before a dot may clash with.
    roots: BTreeSet<TextId>,
}

impl<'p> Scope<'p> {
    pub(super) fn new(behavior: BehaviorRef<'p>) -> Self {
        let rows = behavior.rows();
        let mut reads = alloc::vec![0_usize; rows.damps.len()];
        for op in &rows.ops {
            if let Op::Damped { damp } = op
                && let Some(count) = reads.get_mut(damp.index())
            {
                *count += 1;
            }
        }
        let damp_homes = damp_homes(rows);
        let read_damps = reads.iter().map(|count| *count > 0).collect();
        // Where it has a name, what it follows is printed once, at the name.
        for (count, _) in reads.iter_mut().zip(&damp_homes).filter(|(_, home)| home.is_some()) {
            *count = 1;
        }
        let main = behavior.main_machine();
        let mut scope = Self {
            behavior,
            rows,
            homes: alloc::vec![Home::InPlace; rows.codes.len()],
            bodies: alloc::vec![EMPTY.clone(); rows.codes.len()],
            shared: BTreeMap::new(),
            enums: enums(rows),
            read_damps,
            damp_homes,
            params: rows.params.iter().map(|row| row.name).collect(),
            values: rows.predicates.iter().map(|row| row.name).collect(),
            roots: rows
                .states
                .iter()
                .filter(|state| state.parent.is_none() && Some(state.machine) == main)
                .map(|state| state.name)
                .collect(),
        };
        scope.find_homes(&reads);
        scope
    }

    fn find_homes(&mut self, reads: &[usize]) {
        let users = users(self.rows, reads);
        let mut names: Vec<Option<TextId>> = alloc::vec![None; self.rows.codes.len()];
        let mut named = alloc::vec![0_u32; self.rows.codes.len()];
        for predicate in &self.rows.predicates {
            let index = predicate.condition.index();
            if let (Some(name), Some(count)) = (names.get_mut(index), named.get_mut(index)) {
                *name = Some(predicate.name);
                *count += 1;
            }
        }
        // Blocks use earlier ones only, through calls and through smoothed values.
        for code in (0..self.rows.codes.len()).filter_map(CodeId::from_index) {
            let index = code.index();
            let body = code::body(self, code);
            self.forget_used(code, &users);
            let home = match (names.get(index).copied().flatten(), named.get(index)) {
                (Some(name), Some(1)) => Home::Named(self.value(name)),
                _ if users.get(index).is_some_and(|count| *count > 1) && !body.is_short(SHORT) => {
                    Home::Named(self.share(body.clone()))
                }
                _ => Home::InPlace,
            };
            if let (Some(place), Some(text)) = (self.homes.get_mut(index), self.bodies.get_mut(index)) {
                *place = home;
                *text = body;
            }
        }
    }

    /// What was printed in place in this block has no other user: without it, nested texts are not kept twice.
    fn forget_used(&mut self, code: CodeId, users: &[usize]) {
        let run = self.rows.codes.get(code.index()).map_or(Run::default(), |row| row.ops);
        for op in run.of(&self.rows.ops) {
            let used = match op {
                Op::Call { code } => Some(*code),
                Op::Damped { damp } if self.damp_name(*damp, code).is_none() => {
                    self.rows.damps.get(damp.index()).map(|row| row.input)
                }
                _ => None,
            };
            if let Some(used) = used
                && users.get(used.index()) == Some(&1)
                && *self.home(used) == Home::InPlace
                && let Some(text) = self.bodies.get_mut(used.index())
            {
                *text = EMPTY.clone();
            }
        }
    }

    /// Gives a block that has several users its label.
    fn share(&mut self, body: Body) -> String {
        let mut text = String::new();
        match &body {
            Body::Expression(value) => text.push_str(&value.resolve(self, None)),
            Body::Lines(lines) => lines.iter().for_each(|line| line.print(0, &mut text)),
        }
        let mut hash = Fnv::new();
        hash.write(text.as_bytes());
        let mut label = alloc::format!("block({:016x})", hash.0);
        // Equal texts are one block; different ones with one hash were made so on purpose.
        while self.shared.get(&label).is_some_and(|other| *other != body) {
            label.push('\'');
        }
        self.shared.insert(label.clone(), body);
        label
    }

    pub(super) fn body(&self, code: CodeId) -> &Body {
        self.bodies.get(code.index()).unwrap_or(&EMPTY)
    }

    /// The name of a smoothed value in a block other than the one that gives it the name.
    pub(super) fn damp_name(&self, damp: DampId, within: CodeId) -> Option<String> {
        let (code, name) = self.damp_homes.get(damp.index()).copied().flatten()?;
        (code != within).then(|| self.value(name))
    }

    pub(super) fn home(&self, code: CodeId) -> &Home {
        self.homes.get(code.index()).unwrap_or(&Home::InPlace)
    }

    pub(super) fn text(&self, id: TextId) -> &'p str {
        self.behavior.program().text(id)
    }

    pub(super) fn name(&self, id: TextId) -> String {
        name(self.text(id))
    }

    /// The name of a `Predicate` or `Let` in an expression.
    pub(super) fn value(&self, id: TextId) -> String {
        let text = self.name(id);
        if self.params.contains(&id) { alloc::format!("predicate({text})") } else { text }
    }

    /// The name of an extern predicate in an expression.
    pub(super) fn external(&self, id: ExternId) -> String {
        let Some(id) = self.rows.externs.get(id.index()) else { return String::new() };
        let text = self.name(*id);
        if self.params.contains(id) || self.values.contains(id) {
            alloc::format!("extern({text})")
        } else {
            text
        }
    }

    pub(super) fn animation(&self, id: AnimationId) -> String {
        name(self.behavior.animation_name(id))
    }

    pub(super) fn param(&self, id: ParamId) -> String {
        name(self.behavior.param_name(id))
    }

    pub(super) fn layer(&self, id: LayerId) -> String {
        name(self.behavior.layer_name(id))
    }

    /// A state's path from the root of its machine.
    pub(super) fn path(&self, id: StateId) -> String {
        let mut names = Vec::new();
        let mut at = self.rows.states.get(id.index());
        while let Some(state) = at {
            names.push(self.name(state.name));
            at = state.parent.and_then(|parent| self.rows.states.get(parent.index()));
        }
        names.reverse();
        names.join(".")
    }

    /// A state's path with its layer, where it is not of the main machine.
    pub(super) fn full_path(&self, id: StateId) -> String {
        let path = self.path(id);
        let machine = self.rows.states.get(id.index()).map_or(MachineId(0), |state| state.machine);
        let layer = self.rows.machines.get(machine.index()).and_then(|machine| machine.layer);
        let Some(layer) = layer.and_then(|id| self.rows.layers.get(id.index())) else { return path };
        let between = if self.roots.contains(&layer.name) { "/" } else { "." };
        [self.name(layer.name), path].join(between)
    }

    pub(super) fn span(&self, id: SpanId) -> String {
        self.rows
            .spans
            .get(id.index())
            .map_or_else(String::new, |span| [self.animation(span.animation), self.name(span.name)].join("."))
    }

    /// A variant by its name, in an expression.
    pub(super) fn variant(&self, id: Option<EnumId>, variant: u32) -> String {
        let run =
            id.and_then(|id| self.rows.enums.get(id.index())).map_or(Run::default(), |item| item.variants);
        match run.of(&self.rows.variants).get(variant as usize) {
            Some(text) => [".", &self.name(*text)].concat(),
            None => alloc::format!("variant {variant}"),
        }
    }
}

/// For each smoothed value, the first `Let` that is it.
fn damp_homes(rows: &Behavior) -> Vec<Option<(CodeId, TextId)>> {
    let mut homes = alloc::vec![None; rows.damps.len()];
    for predicate in &rows.predicates {
        let code = rows.codes.get(predicate.condition.index());
        if let Some([Op::Damped { damp }]) = code.map(|code| code.ops.of(&rows.ops))
            && let Some(home @ None) = homes.get_mut(damp.index())
        {
            *home = Some((predicate.condition, predicate.name));
        }
    }
    homes
}

/// How many places use each block. What a smoothed value follows counts as often as the value is read.
fn users(rows: &Behavior, reads: &[usize]) -> Vec<usize> {
    let mut users = alloc::vec![0_usize; rows.codes.len()];
    let mut add = |code: Option<CodeId>, times: usize| {
        if let Some(count) = code.and_then(|code| users.get_mut(code.index())) {
            *count += times;
        }
    };
    for op in &rows.ops {
        if let Op::Call { code } = op {
            add(Some(*code), 1);
        }
    }
    for layer in &rows.layers {
        add(layer.weight, 1);
        add(layer.speed, 1);
    }
    for state in &rows.states {
        add(state.entry, 1);
        add(state.exit, 1);
        add(state.update, 1);
        add(state.finish, 1);
        add(state.repeat, 1);
    }
    for motion in &rows.motions {
        add(motion.speed, 1);
        match motion.kind {
            MotionKind::Clip { phase, .. } => add(phase, 1),
            MotionKind::Blend1D { input, .. } => add(Some(input), 1),
            MotionKind::Blend2D { x, y, .. } => {
                add(Some(x), 1);
                add(Some(y), 1);
            }
            MotionKind::BlendDirect { .. } | MotionKind::Empty => {}
        }
    }
    rows.points.iter().for_each(|point| add(point.weight, 1));
    rows.entries_from.iter().for_each(|entry| add(Some(entry.actions), 1));
    for transition in &rows.transitions {
        add(transition.condition, 1);
        add(transition.actions, 1);
    }
    for when in &rows.whens {
        add(Some(when.condition), 1);
        add(Some(when.actions), 1);
    }
    rows.hears.iter().for_each(|hear| add(Some(hear.actions), 1));
    rows.predicates.iter().for_each(|predicate| add(Some(predicate.condition), 1));
    rows.probes.iter().for_each(|probe| add(Some(probe.code), 1));
    for (damp, reads) in rows.damps.iter().zip(reads) {
        add(Some(damp.input), (*reads).max(1));
    }
    users
}

/// The enum of each block's value, where all that the block reads is of one.
fn enums(rows: &Behavior) -> Vec<Option<EnumId>> {
    let mut known: Vec<Option<EnumId>> = Vec::with_capacity(rows.codes.len());
    for code in &rows.codes {
        let mut found = code.ops.of(&rows.ops).iter().filter_map(|op| match op {
            Op::Param { param } => match rows.params.get(param.index())?.ty {
                Type::Enum(id) => Some(id),
                _ => None,
            },
            Op::Call { code } => *known.get(code.index())?,
            _ => None,
        });
        let first = found.next();
        let clear = code.result == Some(crate::op::Word::Variant) && found.all(|other| Some(other) == first);
        known.push(first.filter(|_| clear));
    }
    known
}
