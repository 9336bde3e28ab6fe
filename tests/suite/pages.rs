//! What the docs show is true: every Motix block compiles, every page of a diagnostic shows it, generated pages are
//! fresh.

use motix_compiler::diagnostic::Code;
use motix_tests::{code_blocks, codes, files, motixc, motixc_with, read};

/// What no block of Motix can show: bytes that are not text, several files, more than fits a page; loading, faults of
/// the compiler, other languages.
const NOT_SHOWN: &[&str] = &["MX0001", "MX0220", "MX0702", "MX08", "MX09", "MX11"];

#[test]
fn every_code_has_a_page_whose_examples_hold() {
    for code in Code::ALL {
        let path = format!("compiler/src/diagnostic/pages/{}.md", code.id());
        let page = read(&path);
        let title = format!("# {}: {}\n", code.id(), code.title());
        assert!(page.starts_with(&title), "{path} does not begin with {title:?}");
        assert_eq!(motixc(&["explain", code.id()]).out.trim(), page.trim(), "{path}: explain shows the page");
        let blocks = code_blocks(&page, "motix");
        if NOT_SHOWN.iter().any(|prefix| code.id().starts_with(prefix)) {
            continue;
        }
        let kinds: Vec<_> = blocks.iter().map(|block| block.info.as_str()).collect();
        assert!(kinds.contains(&"motix,wrong"), "{path} has no wrong example");
        for block in &blocks {
            let run = motixc_with(&["check", "--format", "json", "-"], &block.text);
            let found = codes(&run.err);
            match block.info.as_str() {
                "motix,wrong" => assert_eq!(
                    found.first().map(String::as_str),
                    Some(code.id()),
                    "{path}:{}: {}",
                    block.line,
                    run.err
                ),
                _ => assert!(
                    run.code == 0 && !found.iter().any(|found| found == code.id()),
                    "{path}:{}: {}",
                    block.line,
                    run.err
                ),
            }
        }
    }
}

#[test]
fn every_block_of_the_docs_compiles() {
    let mut pages = files("docs", "md");
    pages.extend(["README.md".to_owned(), "CONTRIBUTING.md".to_owned()]);
    for path in pages.iter().filter(|path| *path != "docs/diagnostics.md") {
        for block in code_blocks(&read(path), "motix") {
            let place = format!("{path}:{}", block.line);
            let run = motixc_with(&["check", "--format", "json", "-"], &block.text);
            let found = codes(&run.err);
            match block.info.strip_prefix("motix,wrong").map(str::trim) {
                Some(code) => {
                    assert!(found.iter().any(|found| found == code), "{place}: {code} is not among {found:?}")
                }
                None => assert_eq!(run.code, 0, "{place}: {}", run.err),
            }
        }
    }
}
