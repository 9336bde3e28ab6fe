//! The files that belong together: the first one and all that `Use` reaches.
//!
//! Every file is read and parsed once, however it is reached. A file that cannot be read is an error at its `Use`,
//! and its names are then not missed.

use crate::hash::{HashMap, HashSet};

use crate::ast::{File, Name, Part, Text};
use crate::diagnostic::{Code, Diagnostic, Diagnostics, Label};
use crate::intern::{Interner, Symbol};
use crate::lex::decode;
use crate::nearest::Nearest;
use crate::source::{FileId, Loader, ReadError, SourceMap, Span};
use crate::syntax::Keyword;

use super::{order, unread_words};

/// The files of a compilation.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The first one, then the others in the order in which they were reached.
    pub files: Vec<LoadedFile>,
}

/// A file and what it uses.
#[derive(Debug)]
pub struct LoadedFile {
    /// Its place in the source map.
    pub id: FileId,
    /// Its tree.
    pub tree: File,
    /// Its `Use` items whose file could be read.
    pub uses: Vec<UseEdge>,
    /// Words that parts which could not be read might have declared.
    pub unread: HashSet<Symbol>,
    /// Names that a file which could not be read was to be known by.
    pub lost_aliases: HashSet<Symbol>,
    /// Whether a file whose names it would bring in could not be read.
    pub lost_uses: bool,
}

/// A `Use`.
#[derive(Clone, Copy, Debug)]
pub struct UseEdge {
    /// The file it means: an index into [`Loaded::files`].
    pub file: usize,
    /// The name before its names.
    pub alias: Option<Name>,
    /// Where it says which file.
    pub span: Span,
}

/// What turns a text into a tree: the stages before this one.
pub type Parse<'p> = dyn FnMut(FileId, &str, &mut Interner, &mut Diagnostics) -> File + 'p;

/// Reads and parses the file `root` and everything it uses.
pub fn load(
    root: FileId,
    sources: &mut SourceMap,
    loader: &dyn Loader,
    names: &mut Interner,
    parse: &mut Parse<'_>,
    diagnostics: &mut Diagnostics,
) -> Loaded {
    let mut loaded = Loaded::default();
    let mut known = HashMap::from_iter([(sources.file(root).name.clone(), 0)]);
    let mut ids = vec![root];
    let mut next = 0;
    while let Some(id) = ids.get(next).copied() {
        next += 1;
        let tree = parse(id, &sources.file(id).text, names, diagnostics);
        let mut file = LoadedFile {
            id,
            unread: unread_words(&tree, sources, names),
            tree,
            uses: Vec::new(),
            lost_aliases: HashSet::default(),
            lost_uses: false,
        };
        for (path, alias) in uses(&file.tree) {
            let written = names.text(path.symbol).to_owned();
            let from = sources.file(id).name.clone();
            match read(&written, &from, path.span, loader) {
                Ok((name, text)) => {
                    let target = *known.entry(name).or_insert_with_key(|name| {
                        ids.push(sources.add(name.clone(), text));
                        ids.len() - 1
                    });
                    file.uses.push(UseEdge { file: target, alias, span: path.span });
                }
                Err(report) => {
                    diagnostics.push(report);
                    match alias {
                        Some(alias) => drop(file.lost_aliases.insert(alias.symbol)),
                        None => file.lost_uses = true,
                    }
                }
            }
        }
        loaded.files.push(file);
    }
    report_rings(&loaded, sources, diagnostics);
    loaded
}

fn uses(tree: &File) -> Vec<(Text, Option<Name>)> {
    let items = tree.nodes.iter().filter_map(|node| match node {
        crate::ast::Node::Item(item) if item.keyword == Keyword::Use => Some(item),
        _ => None,
    });
    let alias = |part: &Part| if let Part::As(name) = part { Some(*name) } else { None };
    items.filter_map(|item| Some((*item.texts().first()?, item.head.iter().find_map(alias)))).collect()
}

/// The name and text of a used file. The loader is asked first, also for `std/...`; modules of the standard library
/// that it does not have are taken from there.
fn read(written: &str, from: &str, span: Span, loader: &dyn Loader) -> Result<(String, String), Diagnostic> {
    let bytes = match loader.load(written, from) {
        Ok((name, bytes)) => (name, bytes),
        Err(ReadError::Missing(tried)) => match motix_stdlib::find(written) {
            Some(text) => (written.to_owned(), text.as_bytes().to_vec()),
            None => return Err(missing(written, span, &tried)),
        },
        Err(ReadError::Unreadable(why)) => {
            return Err(Diagnostic::new(
                Code::UnreadableFile,
                format!("`{written}` cannot be read: {why}"),
                span,
                "expected a readable file",
            ));
        }
        Err(ReadError::TooLarge(bytes)) => {
            let most = crate::source::MAX_SOURCE_BYTES;
            return Err(Diagnostic::new(
                Code::UnreadableFile,
                format!("`{written}` has {bytes} bytes, and a source file has at most {most}"),
                span,
                "this file is too large",
            ));
        }
    };
    let (name, bytes) = bytes;
    match decode(&name, &bytes) {
        Ok(text) => Ok((name, text.to_owned())),
        Err(mut report) => {
            report.labels.push(Label { span, message: "this file cannot be used".to_owned() });
            Err(report)
        }
    }
}

fn missing(written: &str, span: Span, tried: &[String]) -> Diagnostic {
    let report = |label: &str| {
        Diagnostic::new(Code::MissingFile, format!("there is no file `{written}`"), span, label)
    };
    let modules = motix_stdlib::MODULES.iter().map(|module| module.name);
    if let Some(module) = Nearest::default().find(written, modules.clone()) {
        return report("no such module of the standard library")
            .help(format!("did you mean `{module}`?"))
            .fix(span, format!("\"{module}\""));
    }
    if written.starts_with("std/") {
        let modules: Vec<String> = modules.map(|module| format!("`{module}`")).collect();
        return report("no such module of the standard library")
            .help(format!("the standard library has {}", modules.join(", ")));
    }
    let mut report = report("not found");
    if !tried.is_empty() {
        let tried: Vec<String> = tried.iter().map(|path| format!("`{path}`")).collect();
        report = report.help(format!("tried {}", tried.join(", ")));
    }
    if !written.ends_with(".motix") && !tried.iter().any(|path| path.ends_with(".motix")) {
        report = report.help(format!("write the whole name of the file: `Use \"{written}.motix\"`"));
    }
    report
}

fn report_rings(loaded: &Loaded, sources: &SourceMap, diagnostics: &mut Diagnostics) {
    let needs: Vec<Vec<usize>> =
        loaded.files.iter().map(|file| file.uses.iter().map(|edge| edge.file).collect()).collect();
    for ring in order(&needs).rings {
        let name = |index: usize| &sources.file(loaded.files[index].id).name;
        let place = |from: usize, to: usize| {
            let edge = loaded.files[from].uses.iter().find(|edge| edge.file == to);
            edge.map_or(loaded.files[from].tree.span, |edge| edge.span)
        };
        let next = |at: usize| ring[(at + 1) % ring.len()];
        let message = match &ring[..] {
            [_] => "a file uses itself".to_owned(),
            _ => {
                let path: Vec<String> =
                    ring.iter().chain(ring.first()).map(|index| format!("`{}`", name(*index))).collect();
                format!("files use each other in a ring: {}", path.join(" -> "))
            }
        };
        let label = |at: usize| format!("uses `{}`", name(next(at)));
        let mut report = Diagnostic::new(Code::UseCycle, message, place(ring[0], next(0)), label(0));
        for (at, from) in ring.iter().enumerate().take(8).skip(1) {
            report = report.label(place(*from, next(at)), label(at));
        }
        diagnostics.push(report.help("move what both need into a third file"));
    }
}
