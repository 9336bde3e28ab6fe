//! Tests of what is checked as data: the shape of the HIR, limits, work that stays linear.

use motix_vm::ids::{LayerId, MachineId};
use motix_vm::program::tables::{LoopMode, Place};

use crate::diagnostic::Diagnostics;
use crate::hir::{Hir, Literal, ValueKind};
use crate::intern::Interner;
use crate::source::{Loader, ReadError, SourceMap};
use crate::{lex, parse, resolve};

/// Finds nothing.
struct Nowhere;

impl Loader for Nowhere {
    fn load(&self, _: &str, _: &str) -> Result<(String, Vec<u8>), ReadError> {
        Err(ReadError::Missing(Vec::new()))
    }
}

fn check(text: &str) -> (Hir, Interner, Diagnostics) {
    let mut sources = SourceMap::default();
    let root = sources.add("test.motix", text);
    let mut names = Interner::default();
    let mut diagnostics = Diagnostics::default();
    let mut tree = |file, text: &str, names: &mut Interner, diagnostics: &mut Diagnostics| {
        let lexed = lex::lex(file, text, names, diagnostics);
        parse::parse(file, &lexed, names, diagnostics)
    };
    let loaded = resolve::load(root, &mut sources, &Nowhere, &mut names, &mut tree, &mut diagnostics);
    let hir = super::check(&loaded, &mut names, &mut diagnostics);
    (hir, names, diagnostics)
}

fn codes(text: &str) -> Vec<&'static str> {
    let (_, _, diagnostics) = check(text);
    diagnostics.list().iter().map(|diagnostic| diagnostic.code.id()).collect()
}

#[test]
fn layers_stand_by_order_and_machines_as_they_decide() {
    let (hir, names, diagnostics) = check(
        "Behavior B {
            Layer high { Order 5  InitialState a  State a  State b }
            State Main
            Layer low { Order -1  InitialState c  State c }
            Layer plain
            InitialState Main
        }",
    );
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let behavior = &hir.behaviors[0];
    let layers: Vec<_> = behavior.layers.iter().map(|row| (names.text(row.name.symbol), row.order)).collect();
    assert_eq!(layers, [("low", -1), ("plain", 0), ("high", 5)]);
    let machines: Vec<_> = behavior.machines.iter().map(|row| (row.layer, row.states.clone())).collect();
    assert_eq!(machines, [(None, 0..1), (Some(LayerId(0)), 1..2), (Some(LayerId(2)), 2..4)]);
    let states: Vec<_> =
        behavior.states.iter().map(|row| (names.text(row.name.symbol), row.machine)).collect();
    assert_eq!(
        states,
        [("Main", MachineId(0)), ("c", MachineId(1)), ("a", MachineId(2)), ("b", MachineId(2))]
    );
}

#[test]
fn defaults_are_filled_in() {
    let (hir, names, diagnostics) = check(
        "Behavior B {
            Param a: number { Min 2 }
            Param b: number = 0.3 { Min 0  Max 1  Step 0.4 }
            Param c: enum(x, y)
            Param d: string
            Animation Walk, Run { Looped  Marker half at 50%  Span s from 0s to 0.5s }
        }",
    );
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let behavior = &hir.behaviors[0];
    let initial: Vec<_> = behavior.params.iter().map(|row| row.initial).collect();
    assert_eq!(initial[..2], [Some(Literal::Number(2.0)), Some(Literal::Number(0.4))]);
    assert!(matches!(initial[2], Some(Literal::Variant(_, 0))));
    assert!(matches!(initial[3], Some(Literal::Text(text)) if names.text(text).is_empty()));
    assert_eq!(names.text(behavior.layers[0].name.symbol), "Base");
    let run = &behavior.animations[1];
    assert_eq!((names.text(run.asset), run.loop_mode, run.fade_in), ("Run", LoopMode::Loop, 0.1));
    assert_eq!((run.markers[0].1, run.spans.clone()), (Place::Ratio(0.5), 1..2));
}

#[test]
fn values_stand_after_what_they_read() {
    let (hir, names, _) = check(
        "Behavior B {
            Param x: number
            Predicate Last = middle > 1
            Let middle = first * 2
            Let first = damp(x, 0.2)
        }",
    );
    let values = &hir.behaviors[0].values;
    let order: Vec<_> = values.iter().map(|value| names.text(value.name.symbol)).collect();
    assert_eq!(order, ["first", "middle", "Last"]);
    assert!(matches!(values[0].kind, ValueKind::Damp(_, seconds) if seconds == 0.2));
    assert!(values[2].predicate);
}

#[test]
fn a_state_is_terminal_where_nothing_leads_out() {
    let (hir, _, _) = check(
        "Behavior B {
            Param go: bool
            Layer free { InitialState a  State a { Transition b when go }  State b }
            Layer caught { InitialState a  AnyState { Transition c when go }  State a  State c { Terminal } }
        }",
    );
    let terminal: Vec<_> = hir.behaviors[0].states.iter().map(|state| state.terminal).collect();
    assert_eq!(terminal, [false, true, false, true]);
}

#[test]
fn more_rows_than_ids_are_one_error() {
    let mut text = "Behavior B { Param go: bool InitialState S0\n".to_owned();
    for index in 0..65_536 {
        text += &format!("State S{index} {{ Transition S{} when go }}\n", (index + 1) % 65_536);
    }
    assert_eq!(codes(&(text + "}")), ["MX0702"]);
}

#[test]
fn near_names_are_looked_for_within_a_budget() {
    // Without one this would compare each of five thousand names with five thousand others.
    let mut text = "Behavior B { Param go: bool InitialState State0\n".to_owned();
    for index in 0..5_000 {
        text += &format!("State State{index} {{ Transition Stote{index} when go }}\n");
    }
    let (_, _, diagnostics) = check(&(text + "}"));
    assert_eq!(diagnostics.error_count(), 5_000);
    let told: Vec<_> = diagnostics.list().iter().map(|diagnostic| diagnostic.fix.is_some()).collect();
    assert!(told[0] && !told[told.len() - 1]);
}

#[test]
fn a_chain_of_values_needs_no_stack() {
    let mut text = "Behavior B { Let v0 = 1\n".to_owned();
    for index in 1..50_000 {
        text += &format!("Let v{index} = v{} + 1\n", index - 1);
    }
    assert!(codes(&(text + "}")).contains(&"MX0703"));
}
