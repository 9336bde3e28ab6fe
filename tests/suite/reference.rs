//! Pages of the language reference that are written from tables: every keyword, function of numbers, diagnostic code.
//!
//! Prose stands in the other pages; these only list what the compiler and the runtime know (see `generated.rs`).

use std::fmt::Write as _;

use motix_compiler::diagnostic::Code;
use motix_compiler::syntax::{Block, Keyword, Modifier, Part, Place, RESERVED};
use motix_tests::root;
use motix_vm::builtin::Builtin;
use motix_vm::program::LoadErrorKind;
use motix_vm::program::limits::Limit;

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
        Part::OptTexts => "[\"text\", …]",
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
         says.\n",
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
        // In source both are `length`, so what the table says of that stays away.
        let three = *builtin == Builtin::Length3;
        let name = if three { Builtin::Length.name() } else { builtin.name() };
        let doc = if three { builtin.doc().split(';').next().unwrap_or("") } else { builtin.doc() };
        let arguments = builtin.arguments().join(", ");
        let _ = writeln!(page, "| `{name}({arguments})` | {}. |", doc.trim_end_matches('.'));
    }
    compare("docs/language/functions.md", &page);
}

#[test]
fn the_index_of_diagnostics_is_what_the_tables_say() {
    let mut page = String::from(
        "# Diagnostics\n\nWritten from the tables of codes (`compiler/src/diagnostic/codes.rs`, `vm/src/program/error.rs`,\n\
         `vm/src/program/limits.rs`) by `tests/suite/reference.rs`. `motixc explain MX0202` prints the page of a code: what is\n\
         wrong, why, and a mended example.\n",
    );
    for (group, heading) in GROUPS {
        let mut rows: Vec<_> = Code::ALL
            .iter()
            .filter(|code| code.id().starts_with(group))
            .map(|code| (code.id(), code.severity().name(), code.title()))
            .collect();
        if *group == "MX08" {
            rows.extend(LoadErrorKind::ALL.iter().map(|kind| (kind.code(), "error", kind.text())));
            rows.extend(Limit::ALL.iter().map(|limit| (limit.code(), "error", limit.text())));
        }
        rows.sort_unstable();
        rows.dedup_by_key(|row| row.0);
        let _ = write!(page, "\n## {heading}\n\n| code | | about |\n|---|---|---|\n");
        for (code, severity, title) in rows {
            let path = format!("compiler/src/diagnostic/pages/{code}.md");
            let shown =
                if root().join(&path).exists() { format!("[{code}](../{path})") } else { code.to_owned() };
            let _ = writeln!(page, "| {shown} | {severity} | {title} |");
        }
    }
    compare("docs/diagnostics.md", &page);
}

/// The groups of codes.
const GROUPS: &[(&str, &str)] = &[
    ("MX00", "Characters and words"),
    ("MX01", "Syntax"),
    ("MX02", "Names and files"),
    ("MX03", "Types"),
    ("MX04", "Structure of machines"),
    ("MX05", "Clips, time and events"),
    ("MX06", "Constants and ranges"),
    ("MX07", "Limits"),
    ("MX08", "Loading a program"),
    ("MX09", "Faults of the compiler"),
    ("MX10", "Lints"),
    ("MX11", "Importing"),
];

#[test]
fn every_code_is_in_a_group() {
    for code in Code::ALL {
        assert!(GROUPS.iter().any(|(group, _)| code.id().starts_with(group)), "{}", code.id());
    }
}
