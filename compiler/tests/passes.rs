//! Lints: each reports what it is about, and stays silent beside it.

mod common;

use common::{codes, compile};

/// The codes, without the lines, of a behavior with this body.
fn lints(body: &str) -> Vec<String> {
    let compiled = compile(&format!("Behavior X {{ {body} }}"));
    assert!(!compiled.diagnostics.has_errors(), "{:?}", compiled.diagnostics.list());
    codes(&compiled).iter().map(|code| code[..6].to_owned()).collect()
}

const SILENT: [&str; 0] = [];

#[test]
fn unused_things_are_reported_and_used_ones_are_not() {
    let used = "InitialState A State A { OnUpdate { Emit tick } }";
    assert_eq!(lints(&format!("Param p: bool {used}")), ["MX1005"]);
    assert_eq!(lints(&format!("Param _p: bool {used}")), SILENT);
    assert_eq!(lints(&format!("Param p: bool When p {{ Emit x }} {used}")), SILENT);
    assert_eq!(
        lints(&format!("Param p: bool When dt2 > 0 {{ Emit x }} Let dt2 = if p then 1 else 0 {used}")),
        SILENT
    );
    assert_eq!(lints(&format!("Param p: bool Let a = not p {used}")), ["MX1006"]);
    assert_eq!(lints(&format!("Param p: bool Let a = not p Let b = not a {used}")), ["MX1006"]);
    assert_eq!(lints(&format!("Animation a {used}")), ["MX1007"]);
    assert_eq!(
        lints(&format!("Animation a {{ Tags t }} Param go: trigger When go {{ PlayTag t }} {used}")),
        SILENT
    );
}

#[test]
fn a_mention_in_a_test_counts_as_use() {
    let text = "Behavior X { Animation a { Duration 1s } InitialState A State A }
        Test \"t\" for X { Play a  Step  Expect playing(a) }";
    assert!(compile(text).diagnostics.list().is_empty());
}

#[test]
fn a_state_that_is_left_at_once_is_reported() {
    let machine = |transition: &str| {
        format!("Param p: bool InitialState A State A {{ Transition B when p }} State B {{ {transition} }}")
    };
    assert_eq!(lints(&machine("Transition A")), ["MX1003"]);
    assert_eq!(lints(&machine("Transition A { Instant }")), SILENT);
    assert_eq!(lints(&machine("Transition A when not p")), SILENT);
    assert_eq!(lints(&machine("Transition A when true")), SILENT);
    assert_eq!(lints(&machine("Transition A on request")), SILENT);
    assert_eq!(lints(&machine("Transition A { RandomWeight 1 } Transition A { RandomWeight 2 }")), SILENT);
}

#[test]
fn a_transition_after_one_that_always_goes_first_is_reported() {
    let machine = |transitions: &str| {
        format!(
            "Param p: bool InitialState A State A {{ Transition B when p Transition C when not p }}
             State B {{ {transitions} }} State C {{ Transition A when p }}"
        )
    };
    let shadowed = |transitions: &str| lints(&machine(transitions)).contains(&"MX1002".to_owned());
    assert!(shadowed("Transition A { Instant } Transition C when p { Instant }"));
    assert!(shadowed("Transition C when p { Instant } Transition A { Instant Priority 1 }"));
    assert!(shadowed("Transition A Transition C when p"));
    assert!(shadowed("Transition A when 1 < 2 Transition C when p"));
    assert!(!shadowed("Transition C when p Transition A"));
    assert!(!shadowed("Transition A Transition C when p { Priority 1 }"));
    assert!(!shadowed("Transition A Transition C when p { Instant }"));
    assert!(!shadowed("Transition A Transition C on request"));
    assert!(!shadowed("Transition A { RandomWeight 1 } Transition C { RandomWeight 1 }"));
    assert!(!shadowed("Transition A when false Transition C when p"));
}

#[test]
fn any_state_goes_before_what_is_of_equal_priority() {
    let machine = |any: &str, own: &str| {
        format!(
            "Param p: bool InitialState A AnyState {{ {any} }}
             State A {{ {own} }} State B {{ Transition A when p {{ Priority 9 }} }}"
        )
    };
    let shadowed = |any: &str, own: &str| lints(&machine(any, own)).contains(&"MX1002".to_owned());
    assert!(shadowed("Transition B when true", "Transition B when p"));
    assert!(!shadowed("Transition B when true", "Transition B when p { Priority 1 }"));
    // In its own target it is not taken and stands in no other's way.
    assert!(!shadowed("Transition A when true", "Transition B when p"));
}

#[test]
fn a_state_that_nothing_leads_to_is_reported_once_for_all_behind_it() {
    let machine = |rest: &str| {
        format!(
            "Param p: bool InitialState A State A {{ Transition B when p }} State B {{ Transition A when not p }} {rest}"
        )
    };
    assert_eq!(
        lints(&machine("State C { Transition D when p } State D { Transition A when p }")),
        ["MX1001"]
    );
    assert_eq!(
        lints(&machine("State C { Transition D when p } State D { Transition C when p }")),
        ["MX1001"]
    );
    assert_eq!(lints(&machine("AnyState { Transition C when p } State C")), SILENT);
    assert_eq!(lints(&machine("AnyState { Transition C on request } State C")), SILENT);
    assert_eq!(lints(&machine("AnyState { Transition C when false } State C")), ["MX1001"]);
    assert_eq!(lints(&machine("When p { Request C } State C")), SILENT);
    let compiled = compile(&format!(
        "Behavior X {{ {} }} Test \"t\" for X {{ Repeat 2 {{ Request C Step }} }}",
        machine("State C")
    ));
    assert!(compiled.diagnostics.list().is_empty());
}

#[test]
fn a_shadowed_transition_is_no_way_to_a_state() {
    let body = "Param p: bool InitialState A
        State A { Transition B when p }
        State B { Transition A { Instant } Transition C when p { Instant } }
        State C { Transition A when p }";
    assert_eq!(lints(body), ["MX1002", "MX1001"]);
}

#[test]
fn a_ring_of_instant_transitions_is_reported_where_it_holds_together() {
    let ring = |forth: &str, back: &str| {
        format!(
            "Param p, q: bool Param t: trigger Predicate P = p When q or t {{ Emit x }} When P {{ Emit x }}
             InitialState A State A {{ Transition B when q }}
             State B {{ Transition C {forth} }} State C {{ Transition B {back} }}"
        )
    };
    let rings = |forth: &str, back: &str| lints(&ring(forth, back)).contains(&"MX1004".to_owned());
    assert!(rings("{ Instant }", "{ Instant }"));
    assert!(rings("when p { Instant }", "when p { Instant }"));
    assert!(rings("when P { Instant }", "when P { Instant }"));
    assert!(rings("when p { Instant }", "{ Instant }"));
    assert!(!rings("when p { Instant }", "when q { Instant }"));
    assert!(!rings("when p { Instant }", "when not p { Instant }"));
    assert!(!rings("when p { Instant }", "when p"));
    // A firing drives one hop.
    assert!(!rings("when t { Instant }", "when t { Instant }"));
    // The way changes what it depends on.
    assert!(!rings("when p { Instant OnTransition { SetFalse p } }", "when p { Instant }"));
    assert!(!rings("when elapsed > 1 { Instant }", "when elapsed > 1 { Instant }"));
    // Another one always goes first.
    assert!(!rings("when p { Instant } Transition A { Instant Priority 5 }", "when p { Instant }"));
}

#[test]
fn a_ring_through_any_state_is_found_too() {
    let body = |back: &str| {
        format!(
            "Param p, q: bool InitialState A AnyState {{ Transition B when p {{ Instant }} }}
             State A {{ Transition B when q }} State B {{ Transition A when {back} {{ Instant }} }}"
        )
    };
    assert!(lints(&body("p")).contains(&"MX1004".to_owned()));
    assert!(!lints(&body("q")).contains(&"MX1004".to_owned()));
}

#[test]
fn long_chains_and_wide_machines_are_linted_in_good_time() {
    let mut body = String::from("Param p: bool InitialState s0\n");
    for state in 0..20_000 {
        body += &format!("State s{state} {{ Transition s{} when p {{ Instant }} }}\n", (state + 1) % 20_000);
    }
    assert_eq!(lints(&body), ["MX1004"]);
    let mut body = String::from("Param p: bool InitialState A State A {\n");
    for _ in 0..20_000 {
        body += "Transition A when true { Restart }\n";
    }
    let found = lints(&(body + "} When p { Emit x }"));
    assert_eq!(found.len(), motix_compiler::diagnostic::MAX_DIAGNOSTICS);
}

#[test]
fn what_a_blend_mentions_is_used() {
    let body = "Param x, y, w: number Let pace = w * 2 Animation A, B { Looped }
        InitialState S State S { Blend1D x { 0: A 1: { BlendDirect { y: B Speed pace } } } }";
    assert_eq!(lints(body), SILENT);
}

#[test]
fn a_brief_trigger_beside_a_gate_on_a_blend_is_reported() {
    let body = |exit: &str, lifetime: &str| {
        format!(
            "Param x: number Param go: trigger {{ Lifetime {lifetime} }} Animation A, B {{ Looped }}
             InitialState S State S {{ Blend1D x {{ 0: A 1: B }} Transition T when go {{ {exit} }} }}
             State T {{ Transition S when x > 1 }}"
        )
    };
    assert_eq!(lints(&body("ExitTime 50%", "tick")), ["MX1008"]);
    assert_eq!(lints(&body("ExitTime 50%", "200ms")), SILENT);
    assert_eq!(lints(&body("ExitTime 150%", "tick")), SILENT);
}

#[test]
fn more_motions_than_a_program_can_hold_are_one_error() {
    let mut body = String::from("Param x: number Animation A InitialState s0 State s0\n");
    for state in 1..300 {
        body += &format!("State s{state} {{ BlendDirect {{");
        body += &" x: A".repeat(250);
        body += " } Transition s0 when x > 1 }\n";
    }
    let compiled = compile(&format!("Behavior X {{ {body} }}"));
    assert_eq!(codes(&compiled), ["MX0702 263"]);
}

#[test]
fn more_listeners_than_a_program_can_hold_are_one_error() {
    let mut body = String::from("Param x: number\n");
    for listener in 0..65_536 {
        body += &format!("Listener \"t{listener}\" {{ On click {{ Set x = pointer_x }} }}\n");
    }
    let compiled = compile(&format!("Behavior X {{ {body} }}"));
    assert_eq!(codes(&compiled), ["MX0702 65537"]);
}
