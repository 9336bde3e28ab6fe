//! Links in the docs lead somewhere: files exist, headings exist. Links to other sites are not followed.

use std::collections::BTreeSet;

use motix_tests::{files, read, root};

/// The pages that are checked.
fn pages() -> Vec<String> {
    let mut pages = files("docs", "md");
    pages.extend(files("compiler", "md"));
    pages.extend(["README.md".to_owned(), "CONTRIBUTING.md".to_owned(), "CHANGELOG.md".to_owned()]);
    pages
}

/// The text without its blocks of code.
fn prose(text: &str) -> String {
    let mut code = false;
    text.lines()
        .filter(|line| {
            let fence = line.trim_start().starts_with("```");
            code ^= fence;
            !code && !fence && !line.starts_with("    ")
        })
        .flat_map(|line| [line, "\n"])
        .collect()
}

/// The names by which links reach a page's headings: lower case, words joined by hyphens.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter_map(|line| line.strip_prefix('#'));
    headings
        .map(|line| {
            let name = line.trim_start_matches('#').trim().to_lowercase();
            let kept = name.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// The page that `target`, beside `page`, means.
fn resolve(page: &str, target: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    parts.join("/")
}

#[test]
fn links_lead_somewhere() {
    let mut broken = Vec::new();
    for page in pages() {
        let text = prose(&read(&page));
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if path.is_empty() { page.clone() } else { resolve(&page, path) };
            if !root().join(&file).exists() {
                broken.push(format!("{page}: {target}"));
            } else if !anchor.is_empty() && !anchors(&prose(&read(&file))).contains(anchor) {
                broken.push(format!("{page}: {target} (no such heading)"));
            }
        }
    }
    assert!(broken.is_empty(), "links that lead nowhere:\n{}", broken.join("\n"));
}
