//! The grammar for editors, `compiler/editors/vscode/syntaxes/motix.tmLanguage.json`, written from the keyword table.
//!
//! A TextMate grammar colors by words and neighbors; it does not parse. What it knows of the language comes from
//! `syntax.rs` and `builtin.rs`, so a new keyword is colored once the file is rewritten (see `generated.rs`).

use std::collections::BTreeSet;

use motix_compiler::syntax::{Keyword, Modifier, Part, Place, RESERVED, Row};
use motix_vm::builtin::Builtin;
use serde_json::{Value, json};

use crate::generated::compare;

/// An identifier, a name in backquotes, or a string where only a name can stand.
const NAME: &str = r#"(?:[\p{L}_][\p{L}\p{N}_]*|`[^`\n]*`|"[^"\n]*")"#;

/// Words that mean something only between the pieces of a head.
const CLAUSES: &[&str] =
    &["from", "to", "on", "at", "as", "for", "extends", "has", "lacks", "immediate", "request", "events"];

/// The types of parameters.
const TYPES: &[&str] = &["bool", "number", "trigger", "string", "enum", "color"];

/// Functions that read the instance, besides those of the table of pure ones.
const READERS: &[&str] = &[
    "elapsed",
    "dt",
    "phase",
    "loops",
    "finished",
    "came_from",
    "in",
    "playing",
    "time",
    "weight",
    "layer_weight",
    "in_span",
    "tagged",
    "random",
    "damp",
    "pointer_x",
    "pointer_y",
    "state",
    "fade",
    "settled",
    "value",
];

/// `a|b|c` of words, each once, sorted.
fn alternatives<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    words.into_iter().collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("|")
}

fn words(keep: impl Fn(&Row) -> bool) -> String {
    alternatives(Keyword::ALL.iter().map(|keyword| keyword.row()).filter(|row| keep(row)).map(|row| row.name))
}

fn named(row: &Row) -> bool {
    matches!(row.head.first(), Some(Part::Name | Part::Names | Part::Path))
}

/// Whether the name after the keyword is a new one.
fn declares(row: &Row) -> bool {
    matches!(row.head.first(), Some(Part::Name | Part::Names))
        && row.places.iter().any(|place| matches!(place, Place::File | Place::Behavior | Place::Layer))
}

fn acts(row: &Row) -> bool {
    row.places.iter().any(|place| matches!(place, Place::Actions | Place::Test))
}

/// A keyword with the name after it, which may be spelled like a keyword.
fn with_name(keyword_scope: &str, words: &str, name_scope: &str) -> Value {
    json!({
        "match": format!(r"(?<![.\p{{L}}\p{{N}}_])({words})\s+({NAME}(?:\s*\.\s*{NAME})*)"),
        "captures": { "1": { "name": keyword_scope }, "2": { "name": name_scope } },
    })
}

fn word(scope: &str, words: &str) -> Value {
    json!({ "name": scope, "match": format!(r"(?<![.\p{{L}}\p{{N}}_])(?:{words})(?![\p{{L}}\p{{N}}_])") })
}

fn grammar() -> Value {
    let modifiers = alternatives(Modifier::ALL.iter().map(|modifier| modifier.name()));
    // In source `length3` is `length` with three arguments.
    let pure =
        Builtin::ALL.iter().filter(|builtin| **builtin != Builtin::Length3).map(|builtin| builtin.name());
    let functions = alternatives(pure.chain(READERS.iter().copied()));
    json!({
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "information_for_contributors": "Written by tests/suite/editors.rs from compiler/src/syntax.rs and vm/src/builtin.rs. To change it, change those and run: UPDATE=1 cargo test -p motix-tests",
        "name": "Motix",
        "scopeName": "source.motix",
        "fileTypes": ["motix"],
        "patterns": [
            { "include": "#comments" },
            { "include": "#items" },
            { "include": "#expressions" },
        ],
        "repository": {
            "comments": { "patterns": [
                { "name": "comment.line.documentation.motix", "match": "///.*$" },
                { "name": "comment.line.double-slash.motix", "match": "//.*$" },
                { "include": "#block-comment" },
            ] },
            "block-comment": {
                "name": "comment.block.motix", "begin": r"/\*", "end": r"\*/",
                "patterns": [{ "include": "#block-comment" }],
            },
            "items": { "patterns": [
                word("storage.modifier.motix", &modifiers),
                with_name("storage.type.motix", &words(declares), "entity.name.type.motix"),
                with_name("keyword.control.motix", &words(|row| named(row) && acts(row)), "variable.other.motix"),
                with_name(
                    "keyword.other.motix",
                    &words(|row| named(row) && !declares(row) && !acts(row)),
                    "variable.other.motix",
                ),
                word("keyword.control.motix", &words(|row| !named(row) && acts(row))),
                word("keyword.other.motix", &words(|row| !named(row) && !acts(row))),
            ] },
            "expressions": { "patterns": [
                { "include": "#text" },
                { "name": "variable.other.quoted.motix", "match": "`[^`\\n]*`" },
                { "name": "constant.other.color.motix", "match": "#[0-9a-fA-F]+" },
                {
                    "match": r"(?<![\p{L}_])((?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(ms|s|%)?(?![\p{L}\p{N}_])",
                    "captures": {
                        "1": { "name": "constant.numeric.motix" },
                        "2": { "name": "keyword.other.unit.motix" },
                    },
                },
                word("constant.language.motix", "true|false"),
                word(
                    "keyword.operator.word.motix",
                    &alternatives(RESERVED.iter().copied().filter(|word| !matches!(*word, "true" | "false"))),
                ),
                {
                    "match": format!(r":\s*({})(?![\p{{L}}\p{{N}}_])", alternatives(TYPES.iter().copied())),
                    "captures": { "1": { "name": "support.type.motix" } },
                },
                {
                    "match": format!(r"(?<![.\p{{L}}\p{{N}}_])({functions})(?=\s*\()"),
                    "captures": { "1": { "name": "support.function.motix" } },
                },
                word("support.constant.motix", "elapsed|dt|phase|loops|pointer_x|pointer_y"),
                word("keyword.other.clause.motix", &alternatives(CLAUSES.iter().copied())),
                { "name": "keyword.operator.motix", "match": r"<->|->|<-|==|!=|~=|<=|>=|[-+*/<>=]" },
            ] },
            "text": {
                "name": "string.quoted.double.motix", "begin": "\"", "end": "\"|$",
                "patterns": [
                    { "name": "constant.character.escape.motix", "match": r#"\\(?:["\\nt]|u\{[0-9a-fA-F]+\})"# },
                    { "name": "invalid.illegal.escape.motix", "match": r"\\." },
                ],
            },
        },
    })
}

#[test]
fn the_grammar_for_editors_has_the_keywords_of_the_table() {
    let text = serde_json::to_string_pretty(&grammar()).unwrap_or_default() + "\n";
    compare("compiler/editors/vscode/syntaxes/motix.tmLanguage.json", &text);
}

#[test]
fn every_keyword_is_colored() {
    let text = grammar().to_string();
    for keyword in Keyword::ALL {
        let name = keyword.name();
        assert!(
            text.contains(&format!("({name}|"))
                || text.contains(&format!("|{name}|"))
                || text.contains(&format!("|{name})"))
                || text.contains(&format!("(?:{name}|")),
            "`{name}` is in no pattern"
        );
    }
}
