//! `Override` and `Remove` where nothing is inherited.

use crate::ast::{Item, Name, Node};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::intern::Interner;
use crate::syntax::{Keyword, Modifier, written};

/// Why nothing is inherited there.
#[derive(Clone, Copy, Debug)]
pub(super) enum Why {
    /// The behavior extends nothing.
    ExtendsNothing(Name),
    /// What it stands in is new.
    New,
    /// What it stands in is being overridden, and changes what it names anyway.
    Inside,
    /// It stands in a file.
    Outside,
}

/// Reports every `Override` and `Remove` in these nodes.
pub(super) fn report(nodes: &[Node], why: Why, names: &Interner, diagnostics: &mut Diagnostics) {
    let mut open: Vec<&Node> = nodes.iter().rev().collect();
    while let Some(node) = open.pop() {
        let Node::Item(item) = node else { continue };
        report_modifier(item, why, names, diagnostics);
        if item.keyword == Keyword::Remove {
            let diagnostic = Diagnostic::new(
                Code::NothingInherited,
                format!("`Remove` takes away what is inherited, and {}", reason(why, names)),
                item.span,
                "there is nothing to remove here",
            );
            diagnostics.push(diagnostic.help(match why {
                Why::ExtendsNothing(name) => extend(name, names),
                _ => "remove it here, and what it names where that is written".to_owned(),
            }));
        }
        open.extend(item.nodes().iter().rev());
    }
}

/// Reports the `Override` of one item.
pub(super) fn report_modifier(item: &Item, why: Why, names: &Interner, diagnostics: &mut Diagnostics) {
    let Some((_, span)) = item.modifiers.iter().find(|(modifier, _)| *modifier == Modifier::Override) else {
        return;
    };
    let diagnostic = Diagnostic::new(
        Code::NothingInherited,
        format!("`Override` changes what is inherited, and {}", reason(why, names)),
        *span,
        "there is nothing to override here",
    );
    let diagnostic = diagnostic.help(match why {
        Why::ExtendsNothing(name) => extend(name, names),
        Why::New => "remove `Override`".to_owned(),
        Why::Inside => "remove this `Override`; the one around it is enough".to_owned(),
        Why::Outside => "write it inside of the behavior that inherits it, or remove `Override`".to_owned(),
    });
    let end = item.modifiers.iter().map(|(_, span)| *span).find(|other| other.start > span.start);
    let end = end.unwrap_or(item.keyword_span).start;
    let mut gap = *span;
    gap.end = end;
    diagnostics.push(diagnostic.fix(gap, ""));
}

fn reason(why: Why, names: &Interner) -> String {
    match why {
        Why::ExtendsNothing(name) => format!("`{}` extends nothing", names.text(name.symbol)),
        Why::New => "what it stands in is new".to_owned(),
        Why::Inside => "what stands in an `Override` does so anyway".to_owned(),
        Why::Outside => "a file inherits nothing".to_owned(),
    }
}

fn extend(name: Name, names: &Interner) -> String {
    format!("write what it inherits from: `Behavior {} extends ...`", written(names.text(name.symbol)))
}

/// Takes every `Override` and `Remove` away.
pub(super) fn strip(nodes: &mut Vec<Node>) {
    nodes.retain(|node| !matches!(node, Node::Item(item) if item.keyword == Keyword::Remove));
    for node in nodes {
        if let Node::Item(item) = node {
            item.modifiers.remove(Modifier::Override);
            if let Some(block) = &mut item.block {
                strip(&mut block.nodes);
            }
        }
    }
}
