//! `extends`: a behavior and what it inherits, merged into one item that is checked like a written one.
//!
//! Every part of the merged item keeps its place, so that messages show it in its own file and names in it mean there
//! what they mean in that file. What is inherited stands before what is added; what is overridden stays where it was.
//! A behavior whose base is missing is kept as it is written, and what it does not declare is not missed. Nothing is
//! checked here but the reuse itself.

mod key;
mod merge;
mod outer;
mod remove;
mod replace;
mod stray;

use crate::hash::HashSet;

use crate::ast::{Item, Node, Part, Path};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::intern::{Interner, Symbol};
use crate::nearest::Nearest;
use crate::source::Span;

use super::{FileScopes, Found, order, unknown_behavior};
use merge::Merger;
pub use remove::{Removed, RemovedNames, Space};

/// How long a chain of behaviors that extend each other may be.
const MOST_BASES: usize = 32;
/// How much text all behaviors of a compilation may inherit together, in bytes: the trees of a base are copied.
const MOST_INHERITED: usize = 16 << 20;

/// What a behavior that extends another is made of.
#[derive(Debug)]
pub struct Inheritance {
    /// All of it, without `Override` and `Remove`.
    pub item: Item,
    /// What it writes itself.
    pub written: Span,
    /// Where it says what it extends.
    pub extends: Span,
    /// The behavior it extends: an index into [`FileScopes::behaviors`]; `None` where there is none.
    pub base: Option<usize>,
    /// Whether something that it extends is missing, so that names it does not know may have been declared there.
    pub lost: bool,
    /// The files of the behaviors it inherits from.
    pub files: Vec<usize>,
    /// What it takes away, and what was taken away before.
    pub removed: RemovedNames,
    /// Whether it was reported that something inherited is declared again: what is wrong in the inherited parts then
    /// may follow from that.
    pub clashes: bool,
}

/// What the behaviors of a compilation inherit.
#[derive(Debug, Default)]
pub struct Reuse {
    rows: Vec<Option<Inheritance>>,
    /// All behaviors, each after the one that it extends.
    pub order: Vec<usize>,
}

/// What a behavior extends.
enum Base<'a> {
    Nothing,
    Known(usize, &'a Path),
    Unknown(&'a Path),
}

impl Reuse {
    /// What the behavior with this index in [`FileScopes::behaviors`] inherits, if it extends another.
    #[must_use]
    pub fn of(&self, behavior: usize) -> Option<&Inheritance> {
        self.rows.get(behavior).and_then(Option::as_ref)
    }

    /// Merges every behavior with what it extends, reporting what does not fit.
    pub fn collect(
        files: &FileScopes<'_>,
        names: &mut Interner,
        nearest: &mut Nearest,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let bases = bases(files, names, nearest, diagnostics);
        let needs: Vec<Vec<usize>> = bases
            .iter()
            .map(|base| match base {
                Base::Known(index, _) => vec![*index],
                _ => Vec::new(),
            })
            .collect();
        let ordered = order(&needs);
        report_rings(files, &bases, &ordered.rings, names, diagnostics);
        let in_ring: HashSet<usize> = ordered.rings.iter().flatten().copied().collect();
        let mut this = Self { rows: Vec::new(), order: ordered.sorted };
        this.rows.resize_with(bases.len(), || None);
        let mut depths = vec![0_usize; bases.len()];
        let mut sizes = vec![0_usize; bases.len()];
        let mut total = 0_usize;
        for index in this.order.clone() {
            let row = files.behaviors[index];
            sizes[index] = row.item.span.range().len();
            let (base, path) = match bases[index] {
                Base::Nothing => {
                    stray::report(row.item.nodes(), stray::Why::ExtendsNothing(row.name), names, diagnostics);
                    continue;
                }
                Base::Known(base, path) if !in_ring.contains(&index) => (base, path),
                Base::Known(_, path) | Base::Unknown(path) => {
                    this.rows[index] = Some(alone(row.item, path.span));
                    continue;
                }
            };
            depths[index] = depths[base] + 1;
            sizes[index] += sizes[base];
            total += sizes[base];
            let name = names.text(row.name.symbol);
            if depths[index] > MOST_BASES || total > MOST_INHERITED {
                if depths[index] == MOST_BASES + 1 {
                    diagnostics.push(too_deep(name, path.span));
                } else if depths[index] <= MOST_BASES {
                    diagnostics.push(too_much(name, path.span));
                }
                total -= sizes[base];
                sizes[index] = row.item.span.range().len();
                this.rows[index] = Some(alone(row.item, path.span));
                continue;
            }
            let merged = this.merge(files, index, base, path, names, nearest, diagnostics);
            this.rows[index] = Some(merged);
        }
        this
    }

    #[expect(clippy::too_many_arguments, reason = "one call, of what one compilation shares")]
    fn merge(
        &self,
        files: &FileScopes<'_>,
        index: usize,
        base: usize,
        path: &Path,
        names: &mut Interner,
        nearest: &mut Nearest,
        diagnostics: &mut Diagnostics,
    ) -> Inheritance {
        let row = files.behaviors[index];
        let base_row = files.behaviors[base];
        let above = self.of(base);
        let mut chain = above.map_or_else(Vec::new, |above| above.files.clone());
        if !chain.contains(&base_row.file) {
            chain.push(base_row.file);
        }
        // What a base that is missing would have declared is not missed here either.
        let unsure = above.is_some_and(|above| above.lost);
        let merger = Merger {
            files,
            names,
            nearest,
            diagnostics,
            derived: row.name,
            base: base_row.name,
            extends: path.span,
            chain: &chain,
            unsure,
            removed: above.map_or_else(RemovedNames::default, |above| above.removed.clone()),
            animations: Default::default(),
            clashes: false,
        };
        let inherited = above.map_or(base_row.item, |above| &above.item);
        let (nodes, removed, clashes) = merger.behavior(inherited, row.item);
        let mut item = without_block(row.item);
        let span = row.item.block.as_ref().map_or(row.item.span, |block| block.span);
        item.block = Some(crate::ast::Block { nodes, span });
        Inheritance {
            item,
            written: row.item.span,
            extends: path.span,
            base: Some(base),
            lost: unsure,
            files: chain,
            removed,
            clashes,
        }
    }
}

/// An item without what stands in its block.
fn without_block(item: &Item) -> Item {
    Item {
        keyword: item.keyword,
        keyword_span: item.keyword_span,
        modifiers: item.modifiers.clone(),
        head: item.head.clone(),
        block: None,
        span: item.span,
        doc: item.doc,
    }
}

/// A behavior whose base is missing.
fn alone(item: &Item, extends: Span) -> Inheritance {
    let mut nodes = item.nodes().to_vec();
    stray::strip(&mut nodes);
    let mut whole = without_block(item);
    whole.block = item.block.as_ref().map(|block| crate::ast::Block { nodes, span: block.span });
    Inheritance {
        item: whole,
        written: item.span,
        extends,
        base: None,
        lost: true,
        files: Vec::new(),
        removed: RemovedNames::default(),
        clashes: false,
    }
}

fn bases<'a>(
    files: &FileScopes<'a>,
    names: &Interner,
    nearest: &mut Nearest,
    diagnostics: &mut Diagnostics,
) -> Vec<Base<'a>> {
    for file in files.files {
        // Items of files cannot inherit.
        let outside = file.tree.nodes.iter().filter_map(|node| match node {
            Node::Item(item) => Some(item),
            _ => None,
        });
        for item in outside {
            stray::report_modifier(item, stray::Why::Outside, names, diagnostics);
        }
    }
    let mut bases = Vec::with_capacity(files.behaviors.len());
    for row in &files.behaviors {
        let path = row.item.head.iter().find_map(|part| match part {
            Part::Extends(path) => Some(path),
            _ => None,
        });
        bases.push(match path.map(|path| (files.behavior(&path.names), path)) {
            None => Base::Nothing,
            Some((Found::Yes(base), path)) => Base::Known(base, path),
            Some((Found::Lost, path)) => Base::Unknown(path),
            Some((Found::No, path)) => {
                diagnostics.push(unknown_behavior(files, path, names, nearest));
                Base::Unknown(path)
            }
        });
    }
    bases
}

fn report_rings(
    files: &FileScopes<'_>,
    bases: &[Base<'_>],
    rings: &[Vec<usize>],
    names: &Interner,
    diagnostics: &mut Diagnostics,
) {
    for ring in rings {
        let text = |index: usize| names.text(files.behaviors[index].name.symbol);
        let place = |index: usize| match bases[index] {
            Base::Known(_, path) => path.span,
            _ => files.behaviors[index].name.span,
        };
        let message = match &ring[..] {
            [one] => format!("the behavior `{}` extends itself", text(*one)),
            _ => {
                let path: Vec<String> = ring
                    .iter()
                    .chain(ring.first())
                    .take(9)
                    .map(|index| format!("`{}`", text(*index)))
                    .collect();
                let rest = if ring.len() > 8 { " -> ..." } else { "" };
                format!("behaviors extend each other in a ring: {}{rest}", path.join(" -> "))
            }
        };
        let mut report = Diagnostic::new(
            Code::ExtendsCycle,
            message,
            place(ring[0]),
            "expected a behavior that does not extend this one",
        );
        for index in ring.iter().take(8).skip(1) {
            report = report.label(place(*index), format!("`{}` extends it here", text(*index)));
        }
        diagnostics
            .push(report.help("write what they share in a behavior of its own, and let each extend that"));
    }
}

fn too_deep(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::NestedTooDeep,
        format!("`{name}` inherits through more than {MOST_BASES} behaviors"),
        span,
        "this chain of `extends` is too long",
    )
    .help("extend a behavior that stands earlier in the chain")
}

fn too_much(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::TooMany,
        format!("with what `{name}` inherits, the behaviors inherit more than {} MiB", MOST_INHERITED >> 20),
        span,
        "this is too much",
    )
    .help("split the file, or move what differs into parameters")
}

impl Inheritance {
    /// What took the name away, if it was.
    #[must_use]
    pub fn removed(&self, space: Space, name: Symbol) -> Option<Removed> {
        self.removed.get(&(space, name)).copied()
    }
}
