//! Each rule of components: a program of a card with a button in it, with one change, is refused for the right reason.

use motix_vm::disasm::disassemble;
use motix_vm::ids::*;
use motix_vm::op::{Op, Word};
use motix_vm::program::limits::Limit;
use motix_vm::program::tables::*;
use motix_vm::program::{LoadErrorKind as Kind, Program};

use crate::support::{Builder, program};

/// `Card` with the component `like` of `Button`; both have a bool, an enum, a trigger and a text.
fn card() -> Tables {
    let mut b = Builder::new("Card");
    b.layer("Base");
    parameters(&mut b);
    let (like, target) = (b.text("like"), b.text("like-root"));
    let ask = b.code(Some(Word::Bool), &[Op::Inside { component: 0, probe: 0 }, Op::Not]);
    b.rows.probes.push(Probe { code: ask, machine: None, ty: Type::Bool });
    let tie = |param, inner, direction| Bind { param: ParamId(param), inner: ParamId(inner), direction };
    b.rows.binds = vec![tie(0, 0, Direction::Down), tie(1, 1, Direction::Both), tie(2, 2, Direction::Up)];
    let binds = Run { first: 0, count: 3 };
    b.rows.components = vec![Component { name: like, behavior: BehaviorId(1), target, binds }];
    let outer = core::mem::take(&mut b.rows);
    b.rows.name = b.text("Button");
    b.layer("Base");
    parameters(&mut b);
    let read = b.condition(&[Op::Param { param: ParamId(0) }]);
    b.rows.probes.push(Probe { code: read, machine: None, ty: Type::Bool });
    Tables { texts: b.texts, behaviors: vec![outer, b.rows], debug: None }
}

fn parameters(b: &mut Builder) {
    let mood = b.enumeration(None, &["calm", "angry"]);
    b.param("on", Type::Bool, 0);
    b.param("mood", Type::Enum(mood), 0);
    b.param("go", Type::Trigger, 0);
    let none = b.text("none").0;
    b.param("label", Type::Text, none);
}

type Change = fn(&mut Tables);

macro_rules! cases {
    ($( $kind:ident $table:literal $row:expr, |$t:ident| $change:expr; )+) => {
        /// Kind, table, row, change.
        pub(crate) const CASES: &[(Kind, &str, Option<usize>, &str, Change)] = &[
            $( (Kind::$kind, $table, $row, stringify!($change), |$t: &mut Tables| { $change; }), )+
        ];
    };
}

const FAR_TEXT: TextId = TextId(60_000);

cases! {
    UnknownId "components" Some(0), |t| t.behaviors[0].components[0].behavior = BehaviorId(2);
    UnknownId "components" Some(0), |t| t.behaviors[0].components[0].name = FAR_TEXT;
    UnknownId "components" Some(0), |t| t.behaviors[0].components[0].target = FAR_TEXT;
    UnknownId "binds" Some(1), |t| t.behaviors[0].binds[1].param = ParamId(4);
    UnknownId "binds" Some(1), |t| t.behaviors[0].binds[1].inner = ParamId(4);
    BadRun "components" Some(0), |t| t.behaviors[0].components[0].binds.count = 4;
    SharedRows "components" Some(1), |t| again(t, |row| row.binds.count = 1);
    DuplicateName "components" Some(1), |t| again(t, |row| row.target = TextId(1));
    ComponentRing "components" None, |t| t.behaviors[0].components[0].behavior = BehaviorId(0);
    ComponentRing "components" None, |t| ring(t);
    BadTarget "components" Some(1), |t| again(t, |row| row.name = TextId(0));
    BadTarget "components" Some(0), |t| target(t, "");
    BadTarget "components" Some(0), |t| target(t, "/like");
    BadTarget "components" Some(0), |t| target(t, "like/");
    BadBind "binds" Some(0), |t| t.behaviors[0].binds[0].inner = ParamId(3);
    BadBind "binds" Some(1), |t| t.behaviors[1].variants.swap(0, 1);
    BadBind "binds" Some(2), |t| t.behaviors[0].binds[2].param = ParamId(0);
    BadBind "binds" Some(1), |t| t.behaviors[0].binds[1] = t.behaviors[0].binds[0];
    BadBind "binds" Some(2), |t| t.behaviors[0].binds[2] = t.behaviors[0].binds[1];
    BadCall "ops" Some(0), |t| t.behaviors[0].ops[0] = Op::Inside { component: 1, probe: 0 };
    BadCall "ops" Some(0), |t| t.behaviors[0].ops[0] = Op::Inside { component: 0, probe: 1 };
    StackType "ops" Some(1), |t| t.behaviors[0].ops[1] = Op::Neg;
}

/// A second component like the first, but for `change`.
fn again(tables: &mut Tables, change: fn(&mut Component)) {
    let rows = &mut tables.behaviors[0].components;
    let mut row = Component { binds: Run::default(), ..rows[0] };
    change(&mut row);
    rows.push(row);
}

fn ring(tables: &mut Tables) {
    let row =
        Component { behavior: BehaviorId(0), binds: Run::default(), ..tables.behaviors[0].components[0] };
    tables.behaviors[1].components.push(row);
}

fn target(tables: &mut Tables, text: &str) {
    tables.behaviors[0].components[0].target = TextId(tables.texts.len() as u32);
    tables.texts.push(text.into());
}

#[test]
fn each_rule_refuses_what_breaks_it() {
    assert!(Program::verify(card()).is_ok(), "{:?}", Program::verify(card()).err());
    for (kind, table, row, text, change) in CASES {
        let mut tables = card();
        change(&mut tables);
        let error = Program::verify(tables).map(|_| ()).expect_err(text);
        assert_eq!(
            (error.kind(), error.place().table, error.place().row),
            (*kind, Some(*table), *row),
            "{text}"
        );
    }
}

/// Behaviors of which each has `count` of the next one inside.
fn nest(depth: usize, count: usize) -> Tables {
    let mut b = Builder::default();
    let mut behaviors = Vec::new();
    let names: Vec<TextId> = (0..count).map(|name| b.text(&name.to_string())).collect();
    for level in 0..=depth {
        b.rows = Behavior::default();
        b.rows.name = b.text(&format!("level {level}"));
        b.layer("Base");
        if level < depth {
            let behavior = BehaviorId(level as u16 + 1);
            let row =
                |name: &TextId| Component { name: *name, behavior, target: *name, binds: Run::default() };
            b.rows.components = names.iter().map(row).collect();
        }
        behaviors.push(core::mem::take(&mut b.rows));
    }
    Tables { texts: b.texts, behaviors, debug: None }
}

#[test]
fn what_is_inside_is_bounded() {
    let limit = |tables| Program::verify(tables).err().map(|error| error.kind());
    assert_eq!(limit(nest(16, 1)), None);
    assert_eq!(limit(nest(17, 1)), Some(Kind::Limit(Limit::ComponentNesting)));
    // 2 + 4 + … + 65,536 components, of a file of no size.
    assert_eq!(limit(nest(15, 2)), None);
    assert_eq!(limit(nest(16, 2)), Some(Kind::Limit(Limit::Components)));
    // Few components with many words.
    let mut tables = nest(1, 300);
    let name = tables.behaviors[1].name;
    let row = Enum { name: None, variants: Run { first: 0, count: 1 } };
    tables.behaviors[1].enums = vec![row];
    tables.behaviors[1].variants = vec![name];
    let param = |text: u32| Param {
        name: TextId(text),
        ty: Type::Bool,
        initial: 0,
        min: f32::MIN,
        max: f32::MAX,
        step: 0.0,
        lifetime: Lifetime::Consumed,
        global: false,
    };
    let first = tables.texts.len() as u32;
    tables.texts.extend((0..60_000).map(|text| format!("p{text}")));
    tables.behaviors[1].params = (0..60_000).map(|text| param(first + text)).collect();
    assert_eq!(limit(tables), Some(Kind::Limit(Limit::StateWords)));
}

#[test]
fn components_survive_bytes_and_are_shown() {
    let shown = disassemble(&program(card()));
    let bytes = program(card()).encode(motix_vm::program::EncodeOptions::default());
    let loaded = Program::load(&bytes).expect("its own bytes load");
    assert_eq!(disassemble(&loaded), shown);
    let component = "    Component like: Button {\n        Target \"like-root\"\n        Bind on -> on\n        \
                     Bind mood <-> mood\n        Bind go <- go\n    }\n";
    let short = "    Component like: Button { Target \"like-root\"  Bind on -> on  Bind mood <-> mood  Bind go <- go }\n";
    assert!(shown.contains(component) || shown.contains(short), "{shown}");
    assert!(shown.contains("inside(like, probe 0)"), "{shown}");
}

#[test]
fn components_are_found_by_name() {
    let program = program(nest(2, 3));
    let behavior = program.find("level 0").expect("it is there");
    let id = |path: &str| behavior.component(path).map(|id| id.0);
    assert_eq!([id("0"), id("1"), id("1.2"), id("2.0")], [Ok(1), Ok(5), Ok(8), Ok(10)]);
    assert_eq!(behavior.components().count(), 12);
    assert_eq!(behavior.component_path(ComponentId(8)), "1.2");
    assert_eq!(behavior.component_target(ComponentId(8)), "1/2");
    assert_eq!(behavior.component_path(ComponentId(13)), "");
    assert_eq!(behavior.component_behavior(ComponentId(8)).map(|inside| inside.name()), Some("level 2"));
    assert!(behavior.component_behavior(ComponentId(13)).is_none());
    assert!(behavior.component("1.7").is_err());
    assert!(behavior.component("").is_err());
    assert!(behavior.component("1.").is_err());
}
