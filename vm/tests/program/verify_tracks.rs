//! The verifier's rules of properties, tracks and keys; what matching masks may cost.

use motix_vm::easing::Easing;
use motix_vm::ids::*;
use motix_vm::op::{Op, Word};
use motix_vm::program::limits::Limit;
use motix_vm::program::tables::*;
use motix_vm::program::{LoadErrorKind as Kind, Program};

use crate::support::{Builder, program, sample, with_code};
use crate::verify::{Change, over, refused};

const FAR: TextId = TextId(60_000);
const NAN: u32 = 0x7FC0_0000;

/// Properties: 0 a number with a rest value, 1 a color, 2 a number. Curves: 0 of `Walk` with keys 0 to 2, 1 and 2 of
/// `Slash`, the first in seconds.
#[test]
fn tracks_are_verified() {
    let cases: &[(Kind, &str, Option<usize>, Change)] = &[
        (Kind::UnknownId, "properties", Some(0), |t| t.behaviors[0].properties[0].target = FAR),
        (Kind::UnknownId, "properties", Some(1), |t| t.behaviors[0].properties[1].name = FAR),
        (Kind::UnknownId, "curves", Some(1), |t| t.behaviors[0].curves[1].property = PropertyId(3)),
        (Kind::BadRun, "animations", Some(1), |t| t.behaviors[0].animations[1].curves.count = 4),
        (Kind::SharedRows, "animations", Some(2), |t| t.behaviors[0].animations[2].curves.first = 0),
        (Kind::BadRun, "curves", Some(2), |t| t.behaviors[0].curves[2].keys.count = 2),
        (Kind::SharedRows, "curves", Some(1), |t| t.behaviors[0].curves[1].keys.first = 2),
        (Kind::EmptyTable, "curves", Some(2), |t| t.behaviors[0].curves[2].keys.count = 0),
        (Kind::BadTrack, "properties", Some(2), |t| t.behaviors[0].properties[2].ty = Type::Text),
        (Kind::DuplicateName, "properties", Some(1), |t| {
            t.behaviors[0].properties[1].name = t.behaviors[0].properties[0].name;
        }),
        (Kind::BadNumber, "properties", Some(0), |t| t.behaviors[0].properties[0].rest = Some(NAN)),
        (Kind::BadNumber, "keys", Some(0), |t| t.behaviors[0].keys[0].at = -0.5),
        (Kind::BadNumber, "keys", Some(2), |t| t.behaviors[0].keys[2].at = 1.5),
        (Kind::BadNumber, "keys", Some(4), |t| t.behaviors[0].keys[4].at = f32::INFINITY),
        (Kind::BadNumber, "keys", Some(1), |t| t.behaviors[0].keys[1].value = NAN),
        (Kind::BadNumber, "keys", Some(0), |t| {
            t.behaviors[0].keys[0].easing = Easing::CubicBezier { x1: 2.0, y1: 0.0, x2: 0.5, y2: 1.0 };
        }),
        (Kind::BadNumber, "keys", Some(3), |t| t.behaviors[0].keys[3].easing = Easing::Steps(0)),
        (Kind::Unsorted, "keys", Some(2), |t| t.behaviors[0].keys[2].at = 0.25),
        (Kind::Unsorted, "keys", Some(1), |t| t.behaviors[0].keys[1].at = 0.0),
        (Kind::Unsorted, "animations", Some(2), |t| {
            t.behaviors[0].curves[1].property = PropertyId(2);
            t.behaviors[0].curves[2].property = PropertyId(0);
        }),
        (Kind::Unsorted, "animations", Some(2), |t| {
            // Two tracks of one property: the color's key would be no number.
            t.behaviors[0].curves[1].keys = Run::default();
            t.behaviors[0].curves[1].keys.count = 1;
            t.behaviors[0].curves[0].keys = Run { first: 1, count: 2 };
            t.behaviors[0].curves[1].property = PropertyId(2);
        }),
        (Kind::BadDebug, "debug", Some(0), |t| {
            t.debug.as_mut().map(|debug| debug.behaviors[0].properties.pop());
        }),
    ];
    for (index, (kind, table, row, change)) in cases.iter().enumerate() {
        assert_eq!(refused("a change that is refused", *change), (*kind, Some(*table), *row), "case {index}");
    }
}

#[test]
fn any_word_is_a_color_and_times_may_be_beyond_the_clip() {
    let mut tables = sample();
    let rows = &mut tables.behaviors[0];
    rows.properties[1].rest = Some(NAN);
    rows.keys[3].value = NAN;
    rows.keys[4].at = 1e30;
    program(tables);
}

#[test]
fn reading_a_value_gives_what_the_property_is() {
    let reading = |result, property| {
        let mut tables = with_code(Some(result), &[Op::Value { property: PropertyId(property) }]);
        let name = tables.behaviors[0].name;
        let property = |target, ty| Property { target, name, ty, rest: None };
        tables.behaviors[0].properties =
            vec![property(TextId(0), Type::Number), property(TextId(1), Type::Color)];
        Program::verify(tables).map(|_| ()).map_err(|error| error.kind())
    };
    assert_eq!(reading(Word::Number, 0), Ok(()));
    assert_eq!(reading(Word::Color, 1), Ok(()));
    assert_eq!(reading(Word::Color, 0), Err(Kind::BadResult));
    assert_eq!(reading(Word::Number, 2), Err(Kind::UnknownId));
}

/// A behavior with a property of a target of that length, and so many masked layers with a pattern of that length.
fn masked(target: usize, layers: u16, pattern: usize) -> Tables {
    let mut b = Builder::new("Masked");
    let (target, name) = (b.text(&"t".repeat(target)), b.text("x"));
    b.rows.properties.push(Property { target, name, ty: Type::Number, rest: None });
    let pattern = b.text(&"p".repeat(pattern));
    b.rows.patterns.push(pattern);
    let name = b.text("Mask");
    b.rows.masks.push(Mask { name, include: Run { first: 0, count: 1 }, exclude: Run::default() });
    for layer in 0..layers {
        let id = b.layer(&format!("L{layer}"));
        b.rows.layers[id.index()].mask = Some(MaskId(0));
    }
    b.tables()
}

#[test]
fn matching_masks_takes_bounded_time() {
    // (target + 1) times (pattern + 2), once for each layer.
    program(masked(65_535, 1, 1_022));
    assert_eq!(over(masked(65_535, 1, 1_023)), Some(Kind::Limit(Limit::MaskWork)));
    assert_eq!(over(masked(65_535, 2, 1_022)), Some(Kind::Limit(Limit::MaskWork)));
    let mut none = masked(65_535, 2, 1_022);
    none.behaviors[0].properties.clear();
    program(none);
}
