//! The comment at the top of a result: where the text comes from, and what to look at.

use std::fmt::Write as _;

use crate::diagnostic::Diagnostic;

/// The most remarks that are listed.
const MAX_LISTED: usize = 100;

/// The comment about a result that comes from `text`, a file of that name. Each diagnostic is a line of it.
pub(super) fn head(text: &str, name: &str, diagnostics: &[Diagnostic]) -> String {
    let name: String = name.chars().filter(|c| !c.is_control()).collect();
    let mut out = format!("// Imported from {name}.\n");
    let mut remarks: Vec<&Diagnostic> = diagnostics.iter().collect();
    remarks.sort_by_key(|remark| remark.span());
    if !remarks.is_empty() {
        out.push_str("//\n// To be looked at, with the lines of that file:\n");
    }
    let mut line = 1;
    let mut at = 0;
    for remark in remarks.iter().take(MAX_LISTED) {
        let start = remark.span().map_or(0, |span| span.start as usize).min(text.len());
        line += text.as_bytes()[at.min(start)..start].iter().filter(|byte| **byte == b'\n').count();
        at = at.max(start);
        let label = remark.labels.first().map_or("", |label| label.message.as_str());
        let _ = writeln!(out, "//   {line}: {} ({})", one_line(&remark.message), one_line(label));
    }
    if remarks.len() > MAX_LISTED {
        let _ = writeln!(out, "//   and {} more", remarks.len() - MAX_LISTED);
    }
    out.push('\n');
    out
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
