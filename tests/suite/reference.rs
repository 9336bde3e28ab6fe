//! Pages of the language reference that are written from tables: every keyword, every function of numbers.
//!
//! Prose stands in the other pages; these only list what the compiler and the runtime know (see `generated.rs`).

use std::fmt::Write as _;

use motix_compiler::syntax::{Block, Keyword, Modifier, Part, Place, RESERVED};
use motix_vm::builtin::Builtin;

use crate::generated::compare;

/// The places in the order of the page, with what their heading says.
const PLACES: &[(Place, &str)] = &[
    (Place::File, "A file"),
    (Place::Behavior, "`Behavior`"),
    (Place::Param, "`Param`"),
    (Place::Mask, "`Mask`"),
    (Place::Layer, "`Layer`"),
    (Place::Animation, "`Animation`"),
    (Place::Key, "A key of a `Track`"),
    (Place::InitialState, "`InitialState`"),
    (Place::State, "`State`"),
    (Place::Transitions, "`AnyState`, `Entry`"),
    (Place::Transition, "`Transition`, `OnDone`"),
    (Place::Defaults, "`TransitionDefaults`"),
    (Place::Actions, "Actions"),
    (Place::Request, "`Request`"),
    (Place::Motion, "A motion"),
    (Place::Clip, "`Clip`"),
    (Place::Blend, "`Blend1D`, `Blend2D`, `BlendDirect`"),
    (Place::Listener, "`Listener`"),
    (Place::Component, "`Component`"),
    (Place::Test, "`Test`, `Repeat`"),
];

/// Blocks of names and values, which hold no keywords.
const PLAIN: &[Place] = &[Place::Variants, Place::Metadata, Place::Track];

const fn part(part: Part) -> &'static str {
    match part {
        Part::Name => "Name",
        Part::Names => "Name, …",
        Part::Path => "Name.Name",
        Part::Text => "\"text\"",
        Part::OptText => "[\"text\"]",
        Part::Texts => "\"text\", …",
        Part::Value => "value",
        Part::OptLiteral => "[literal]",
        Part::Pair => "value, value",
        Part::Type => ": type",
        Part::Of => ": Behavior",
        Part::Assign => "= value",
        Part::OptAssign => "[= value]",
        Part::OptWhen => "[when condition]",
        Part::OptOnRequest => "[on request]",
        Part::OptFromState => "[from State]",
        Part::At => "at value",
        Part::OptAtPoint => "[at (x, y)]",
        Part::From => "from value",
        Part::To => "to value",
        Part::OptAs => "[as name]",
        Part::For => "for Behavior",
        Part::OptExtends => "[extends Behavior]",
        Part::OptImmediate => "[immediate]",
        Part::OptArguments => "[(value, …)]",
        Part::Arrow => "-> | <- | <->",
        Part::OptIf => "[If condition]",
        Part::Event => "event",
        Part::Expectation => "condition | events has E | events lacks E | events == [E, …]",
        Part::OptDuration => "[Duration]",
        Part::Declaration => "Keyword",
    }
}

fn form(keyword: Keyword) -> String {
    let row = keyword.row();
    let mut text = row.name.to_owned();
    for piece in row.head {
        let piece = part(*piece);
        if !piece.starts_with(':') && !piece.starts_with("[(") {
            text.push(' ');
        }
        text.push_str(piece);
    }
    match row.block {
        Block::None => {}
        Block::Optional(_) => text.push_str(" [{ … }]"),
        Block::Required(_) => text.push_str(" { … }"),
    }
    text.replace('|', "\\|")
}

#[test]
fn the_page_of_keywords_is_what_the_table_says() {
    let mut page = String::from(
        "# Keywords\n\nWritten from the compiler's table of keywords (`compiler/src/syntax.rs`) by `tests/suite/reference.rs`.\n\
         What stands in `[ ]` may be left out. A `value` is a literal, a constant or an expression, as the page on the item\n\
         says. Not everything that can be read can be built today: [what is missing](README.md#not-yet).\n",
    );
    let modifiers: Vec<_> = Modifier::ALL.iter().map(|modifier| format!("`{}`", modifier.name())).collect();
    let reserved: Vec<_> = RESERVED.iter().map(|word| format!("`{word}`")).collect();
    let _ = write!(
        page,
        "\nWords before a keyword: {}. Reserved words: {}.\n",
        modifiers.join(", "),
        reserved.join(", ")
    );
    for (place, heading) in PLACES {
        let _ = write!(page, "\n## {heading}\n\n| form | meaning |\n|---|---|\n");
        for keyword in Keyword::ALL.iter().filter(|keyword| keyword.stands_in(*place)) {
            let _ = writeln!(page, "| `{}` | {} |", form(*keyword), keyword.row().doc);
        }
    }
    compare("docs/language/keywords.md", &page);
}

#[test]
fn every_keyword_is_on_the_page() {
    for keyword in Keyword::ALL {
        for place in keyword.row().places {
            assert!(
                PLACES.iter().any(|(listed, _)| listed == place) || PLAIN.contains(place),
                "`{}` stands in {place:?}, which the page does not list",
                keyword.name()
            );
        }
    }
}

#[test]
fn the_page_of_functions_is_what_the_table_says() {
    let mut page = String::from(
        "# Functions of numbers\n\nWritten from the runtime's table of functions (`vm/src/builtin.rs`) by `tests/suite/reference.rs`.\n\
         All take and give numbers. Where a result would not be finite, it is 0. Functions that read the instance stand in\n\
         [expressions.md](expressions.md#functions).\n\n| function | gives |\n|---|---|\n",
    );
    for builtin in Builtin::ALL {
        let _ = writeln!(
            page,
            "| `{}({})` | {} |",
            builtin.name(),
            builtin.arguments().join(", "),
            builtin.doc()
        );
    }
    compare("docs/language/functions.md", &page);
}
