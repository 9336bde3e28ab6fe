//! What must hold for any text: lexing, parsing and formatting end, quickly, without a panic; a formatted text is a
//! fixed point and the same program.

use motix_compiler::ast::{EntryValue, File, Node};
use motix_compiler::diagnostic::{Code, Diagnostics};
use motix_compiler::format::format;
use motix_compiler::intern::Interner;
use motix_compiler::source::FileId;
use motix_compiler::syntax::{Keyword, Place};
use motix_compiler::{lex, parse};

fn read(text: &str) -> (File, Diagnostics) {
    let mut names = Interner::default();
    let mut diagnostics = Diagnostics::default();
    let lexed = lex::lex(FileId(0), text, &mut names, &mut diagnostics);
    let file = parse::parse(FileId(0), &lexed, &mut names, &mut diagnostics);
    for diagnostic in diagnostics.list() {
        for label in &diagnostic.labels {
            assert!(text.get(label.span.range()).is_some(), "a label outside of the text: {diagnostic:?}");
        }
    }
    (file, diagnostics)
}

fn codes(text: &str) -> Vec<Code> {
    let (_, diagnostics) = read(text);
    diagnostics.sorted().iter().map(|diagnostic| diagnostic.code).collect()
}

/// The sources of the fixtures, which hold every construct and every mistake.
fn sources() -> Vec<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures");
    let mut paths: Vec<_> = ["lex", "parse", "format"]
        .iter()
        .flat_map(|stage| std::fs::read_dir(format!("{root}/{stage}")).expect("the fixtures are there"))
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "motix"))
        .collect();
    paths.sort();
    assert!(paths.len() > 50, "the fixtures are there");
    let fixtures = paths.iter().map(|path| std::fs::read_to_string(path).expect("a readable fixture"));
    fixtures.chain([WHOLE_LANGUAGE.to_owned()]).collect()
}

/// Everything that the grammar knows.
const WHOLE_LANGUAGE: &str = include_str!("syntax/whole_language.motix");

#[test]
fn the_whole_language_is_read() {
    let (file, diagnostics) = read(WHOLE_LANGUAGE);
    assert!(diagnostics.list().is_empty(), "{:?}", diagnostics.list());
    assert_eq!(file.nodes.len(), 5);
    let used: std::collections::BTreeSet<Keyword> = used(&file.nodes).into_iter().collect();
    let unused: Vec<_> = Keyword::ALL.iter().filter(|keyword| !used.contains(keyword)).collect();
    assert!(unused.is_empty(), "not in the source: {unused:?}");
    assert!(check_format(WHOLE_LANGUAGE));
}

/// The keywords of nodes and what is in them.
fn used(nodes: &[Node]) -> Vec<Keyword> {
    let mut found = Vec::new();
    for node in nodes {
        match node {
            Node::Item(item) => {
                found.push(item.keyword);
                found.extend(used(item.nodes()));
            }
            Node::Entry(entry) => {
                if let EntryValue::Motion(block) = &entry.value {
                    found.extend(used(&block.nodes));
                }
                found.extend(entry.block.as_ref().map(|block| used(&block.nodes)).unwrap_or_default());
            }
            _ => {}
        }
    }
    found
}

/// A small generator of random numbers; the same seed gives the same ones.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// A place between two characters.
fn boundary(text: &str, rng: &mut Rng) -> usize {
    let mut at = rng.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "`",
    "/*",
    "*/",
    "//",
    "///",
    "\n",
    ",",
    ":",
    ".",
    "=",
    "==",
    "<",
    "->",
    "-",
    "!",
    "&&",
    ";",
    "?",
    "%",
    "#ff",
    "1e9",
    "3m",
    "when",
    "if",
    "then",
    "else",
    "not ",
    "Transition",
    "State X {",
    "OnEntry",
    "If",
    "Else",
    "When",
    "events",
    "has",
    "\0",
    "é",
    "\u{feff}",
    "<<<<<<<",
    "=======",
    ">>>>>>>",
    ":State(\"x\")",
    "~=",
    "++",
    "+=",
    "Set",
    "to",
    "on request",
    "at",
    "true",
    " ",
    "\r\n",
    "--",
    "'",
    "“",
    "Override",
    "Global",
];

fn mutate(text: &mut String, rng: &mut Rng) {
    let (a, b) = (boundary(text, rng), boundary(text, rng));
    let (start, end) = (a.min(b), a.max(b).min(a.min(b) + 60));
    let end = (end..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    match rng.below(5) {
        0 => text.replace_range(start..end, ""),
        1 => {
            let piece = text[start..end].to_owned();
            let at = boundary(text, rng);
            text.insert_str(at, &piece);
        }
        2 => {
            let end = text[start..].chars().next().map_or(start, |c| start + c.len_utf8());
            text.replace_range(start..end, "");
        }
        _ => text.insert_str(start, PIECES[rng.below(PIECES.len())]),
    }
}

/// Formats twice; gives whether the text could be formatted.
fn check_format(text: &str) -> bool {
    let once = match format(text) {
        Ok(once) => once,
        Err(diagnostics) => {
            let internal = diagnostics.list().iter().any(|diagnostic| diagnostic.code == Code::Internal);
            assert!(!internal, "the formatter changed a program:\n{text}");
            return false;
        }
    };
    let twice = format(&once).unwrap_or_else(|_| panic!("a formatted text is refused:\n{once}"));
    assert_eq!(once, twice, "formatting is not idempotent for:\n{text}");
    assert!(once.is_empty() || once.ends_with('\n') && !once.contains('\r'));
    true
}

#[test]
fn mutated_sources_end_in_a_tree_and_formatting_is_a_fixed_point() {
    let sources = sources();
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    let mut formatted = 0;
    for round in 0..6 {
        for source in &sources {
            // Right sources get more attempts: few mutations leave one right.
            for _ in 0..if codes(source).is_empty() { 15 } else { 1 } {
                let mut text = source.clone();
                for _ in 0..=round {
                    mutate(&mut text, &mut rng);
                }
                read(&text);
                formatted += usize::from(check_format(&text));
            }
        }
    }
    assert!(formatted > 20, "some mutations must be harmless: {formatted}");
}

#[test]
fn blank_space_and_comments_do_not_matter() {
    const BLANKS: &[&str] = &[
        " ",
        "\n",
        "\n\n\n",
        "  // c\n",
        " /* c */ ",
        "\t",
        "\r\n",
        "\n/* a\n  b */\n",
        "\n// own\n\n",
        "/**/",
        "\n/// d\n",
    ];
    let mut rng = Rng(42);
    let mut formatted = 0;
    for source in sources() {
        if codes(&source).is_empty() {
            for _ in 0..20 {
                let mut names = Interner::default();
                let lexed = lex::lex(FileId(0), &source, &mut names, &mut Diagnostics::default());
                let mut text = String::new();
                for (_, span) in &lexed.tokens {
                    // What stands close may have to: only some gaps grow.
                    let gap = if rng.below(3) == 0 { BLANKS[rng.below(BLANKS.len())] } else { " " };
                    text.push_str(gap);
                    text.push_str(&source[span.range()]);
                }
                formatted += usize::from(check_format(&text));
            }
        }
    }
    assert!(formatted >= 40, "{formatted}");
}

#[test]
fn every_example_of_the_table_is_right() {
    for keyword in Keyword::ALL {
        let row = keyword.row();
        for place in row.places {
            let text = wrap(row.example, *place);
            let (_, diagnostics) = read(&text);
            assert!(diagnostics.list().is_empty(), "{text}\n{:?}", diagnostics.list());
            assert!(check_format(&text), "{text}");
        }
    }
}

fn wrap(item: &str, place: Place) -> String {
    let state = |inner: &str| format!("Behavior B {{ State S {{ {inner} }} }}");
    let behavior = |inner: &str| format!("Behavior B {{ {inner} }}");
    match place {
        Place::File => item.to_owned(),
        Place::Behavior => behavior(item),
        Place::Param => behavior(&format!("Param p: number {{ {item} }}")),
        Place::Variants => behavior(&format!("Enum E {{ {item} }}")),
        Place::Mask => behavior(&format!("Mask M {{ {item} }}")),
        Place::Layer => behavior(&format!("Layer L {{ {item} }}")),
        Place::Animation => behavior(&format!("Animation A {{ {item} }}")),
        Place::Metadata => behavior(&format!("Animation A {{ Metadata {{ {item} }} }}")),
        Place::Track => behavior(&format!("Animation A {{ Track \"t\" p {{ {item} }} }}")),
        Place::Key => behavior(&format!("Animation A {{ Track \"t\" p {{ 0%: 1 {{ {item} }} }} }}")),
        Place::InitialState => behavior(&format!("InitialState S {{ {item} }}")),
        Place::Transitions => behavior(&format!("AnyState {{ {item} }}")),
        Place::Defaults => behavior(&format!("TransitionDefaults {{ {item} }}")),
        Place::State => state(item),
        Place::Transition => state(&format!("Transition S {{ {item} }}")),
        Place::Actions => {
            let before = if item.starts_with("Else") { "If a { }" } else { "" };
            state(&format!("OnEntry {{ {before} {item} }}"))
        }
        Place::Request => state(&format!("OnEntry {{ Request S {{ {item} }} }}")),
        Place::Clip => state(&format!("Clip A {{ {item} }}")),
        Place::Blend => state(&format!("BlendDirect {{ a: A {item} }}")),
        Place::Motion => state(&format!("BlendDirect {{ a: {{ {item} }} }}")),
        Place::Listener => behavior(&format!("Listener {{ {item} }}")),
        Place::Component => behavior(&format!("Component c: C {{ {item} }}")),
        Place::Test => format!("Test \"t\" for B {{ {item} }}"),
    }
}

#[test]
fn deep_and_long_texts_are_refused_or_read() {
    let condition = |text: String| format!("Behavior B {{ Predicate P = {text} }}");
    let n = 100_000;
    // Each of these has one mistake, however long it is.
    for text in [
        condition(format!("{}a{}", "(".repeat(n), ")".repeat(n))),
        condition("(".repeat(n)),
        condition("a(".repeat(n)),
        condition(vec!["a"; n].join(" or ")),
        condition(vec!["a"; n].join(" + ")),
        condition(format!("{}a", "-".repeat(n))),
        condition(format!("{}a", "not ".repeat(n))),
        condition(format!("{}a", "- not ".repeat(n))),
        condition(format!("{}a{}", "if a then ".repeat(n), " else b".repeat(n))),
        condition(format!("{}a", "if a then b else ".repeat(n))),
        "Behavior B ".to_owned() + &"{".repeat(n),
        "Behavior B { ".to_owned() + &"State S { ".repeat(n),
    ] {
        let found = codes(&text);
        let deep = found.iter().filter(|code| **code == Code::NestedTooDeep).count();
        assert!(deep == 1 && found.len() <= 3, "{}: {found:?}", &text[..60]);
    }
    let nested = |open: &str, close: &str, n: usize| format!("{}{}", open.repeat(n), close.repeat(n));
    assert!(codes(&format!("Behavior B {{ {} }}", nested("State S { ", "}", 60))).is_empty());
    assert!(codes(&condition(format!("{}a{}", "(".repeat(60), ")".repeat(60)))).is_empty());
    assert!(codes(&condition(vec!["a"; 200].join(" or "))).is_empty());
    let ifs = "If a { } ".to_owned() + &"Else If a { Emit x } ".repeat(20_000) + "Else { Emit y }";
    assert!(codes(&format!("Behavior B {{ State S {{ OnEntry {{ {ifs} }} }} }}")).is_empty());
}

#[test]
fn hostile_texts_end_with_few_words() {
    let n = 100_000;
    for text in [
        "\0".repeat(n),
        "}".repeat(n),
        "{)".repeat(n),
        "({".repeat(n),
        "@a ".repeat(n),
        "\"".repeat(n + 1),
        "`a\n".repeat(n),
        "'".repeat(n),
        "“a’".repeat(n),
        "=======\n".repeat(n),
        "<<<<<<<\n".repeat(n),
        "/*".repeat(n),
        "/* */".repeat(n),
        "a".repeat(10_000_000),
        "Behavior B { ".to_owned() + &"State S ".repeat(1_000_000),
        "x ".repeat(n),
        "Sttae X ".repeat(n),
        ", ".repeat(n),
        "1 ".repeat(n),
        "Behavior B { State S { -> X ".repeat(n / 10),
        ":State(".repeat(n),
        "Enum E { a b ".repeat(n / 10),
        "Behavior B\n{\n".repeat(n / 10),
        " }\n".repeat(n / 10) + &"Behavior B\n".repeat(n / 10),
    ] {
        // Alone, most are told to be no Motix at all.
        for text in [format!("Behavior A {{ }}\n{text}"), text] {
            let (_, diagnostics) = read(&text);
            assert!(diagnostics.list().len() <= 1000, "{}", diagnostics.list().len());
        }
    }
}

#[test]
fn one_error_does_not_hide_another() {
    let text = "Behavior B {\n    Param x number\n    State A {\n        OnEntry { Play }\n        Transition when x\n    }\n    Statee C { Tags a b }\n}\n";
    let found = codes(text);
    assert_eq!(found.len(), 5, "{found:?}");
}

#[test]
fn docs_attach_to_the_item_that_follows() {
    let text =
        "/// One.\n/// Two.\nBehavior B {\n    /// Three.\n    Global Param p: bool\n    Param q: bool\n}\n";
    let mut names = Interner::default();
    let mut diagnostics = Diagnostics::default();
    let lexed = lex::lex(FileId(0), text, &mut names, &mut diagnostics);
    let file = parse::parse(FileId(0), &lexed, &mut names, &mut diagnostics);
    let Some(Node::Item(behavior)) = file.nodes.first() else { panic!("a behavior") };
    let doc = |doc: Option<motix_compiler::intern::Symbol>| doc.map(|doc| names.text(doc).to_owned());
    assert_eq!(doc(behavior.doc).as_deref(), Some("One.\nTwo."));
    let docs: Vec<_> = behavior.items().map(|item| doc(item.doc)).collect();
    assert_eq!(docs, [Some("Three.".to_owned()), None]);
}

#[test]
fn names_are_equal_in_any_normal_form() {
    let mut names = Interner::default();
    let mut diagnostics = Diagnostics::default();
    let text = "Const e\u{301} = 1 Const `\u{e9}` = 2";
    let lexed = lex::lex(FileId(0), text, &mut names, &mut diagnostics);
    let file = parse::parse(FileId(0), &lexed, &mut names, &mut diagnostics);
    let symbols: Vec<_> = file
        .nodes
        .iter()
        .filter_map(|node| if let Node::Item(item) = node { item.name() } else { None })
        .map(|name| name.symbol)
        .collect();
    assert!(diagnostics.list().is_empty());
    assert_eq!(symbols[0], symbols[1]);
}

#[test]
fn bytes_that_are_no_text_are_refused_with_their_offset() {
    assert_eq!(lex::decode("a.motix", b"State A").as_deref(), Ok("State A"));
    let error = lex::decode("a.motix", b"ab\ncd\xff").expect_err("not UTF-8");
    assert_eq!(error.code, Code::InvalidUtf8);
    assert!(
        error.message.contains("0xFF")
            && error.message.contains("offset 5")
            && error.message.contains("line 2")
    );
}

/// `cargo test --release -p motix-compiler --test syntax -- --ignored --nocapture`
#[test]
#[ignore = "measures"]
#[expect(clippy::print_stdout, reason = "the figures are what it is for")]
fn speed() {
    const STATE: &str = "    State Walk0 {\n        OnEntry { Play Walk }\n        OnExit { Stop Walk }\n        ActiveLayer Base\n        Transition Idle when moveMagnitude <= 0.1 and not grounded { Priority 10 }\n        Transition Run when IsRunning { Priority 11 }\n    }\n";
    for lines in [1_000, 10_000, 100_000] {
        let mut text = "Behavior B {\n".to_owned();
        for index in 0..lines / 7 {
            text.push_str(&STATE.replace("Walk0", &format!("Walk{index}")));
        }
        text.push_str("}\n");
        let mut names = Interner::default();
        let mut diagnostics = Diagnostics::default();
        let start = std::time::Instant::now();
        let lexed = lex::lex(FileId(0), &text, &mut names, &mut diagnostics);
        let lexing = start.elapsed();
        let start = std::time::Instant::now();
        let file = parse::parse(FileId(0), &lexed, &mut names, &mut diagnostics);
        let parsing = start.elapsed();
        let start = std::time::Instant::now();
        drop(file);
        let dropping = start.elapsed();
        let start = std::time::Instant::now();
        let formatted = format(&text).expect("a right source");
        let formatting = start.elapsed();
        assert!(diagnostics.list().is_empty() && formatted == text);
        let tokens = lexed.tokens.len();
        println!(
            "{lines} lines, {} kB, {tokens} tokens: lex {lexing:?}, parse {parsing:?}, drop {dropping:?}, format {formatting:?}",
            text.len() / 1000
        );
    }
}
