//! Which triggers a condition consumes: those it mentions, through named values too, but not under a `not`.

use std::collections::BTreeSet;

use motix_vm::ids::ParamId;

use crate::hir::{Behavior, Expr, ExprKind, Ty, ValueKind};

/// The triggers that each named value mentions.
#[derive(Debug)]
pub(super) struct Triggers {
    of_values: Vec<BTreeSet<ParamId>>,
}

impl Triggers {
    pub(super) fn of(behavior: &Behavior) -> Self {
        let mut triggers = Self { of_values: Vec::with_capacity(behavior.values.len()) };
        // Values stand after those they read.
        for value in &behavior.values {
            let mut found = BTreeSet::new();
            // A smoothed value follows its input tick by tick; whoever reads it asks nothing of the trigger.
            if let ValueKind::Expr(expr) = &value.kind {
                triggers.collect(expr, &mut found);
            }
            triggers.of_values.push(found);
        }
        triggers
    }

    /// The triggers that a condition consumes, in order of declaration.
    pub(super) fn mentioned(&self, condition: &Expr) -> BTreeSet<ParamId> {
        let mut found = BTreeSet::new();
        self.collect(condition, &mut found);
        found
    }

    fn collect(&self, expr: &Expr, found: &mut BTreeSet<ParamId>) {
        match &expr.kind {
            ExprKind::Param(param) if expr.ty == Ty::Trigger => {
                found.insert(*param);
            }
            ExprKind::Value(value) => {
                found.extend(self.of_values.get(value.0 as usize).into_iter().flatten())
            }
            // Not under a `not`.
            ExprKind::Not(_) => {}
            _ => expr.operands().iter().for_each(|operand| self.collect(operand, found)),
        }
    }
}
