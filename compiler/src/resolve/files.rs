//! What each file declares, and what its `Use` items bring in: behaviors, constants and enums, each kind by itself.
//!
//! A file sees its own names, those of the files it uses without `as`, and behind a dot those of the files it uses
//! with `as`. What a used file itself uses is not passed on. A name is looked up in the file in which it is written,
//! so that what a behavior inherits keeps its meaning.

use crate::hash::{HashMap, HashSet};

use crate::ast::{Item, Name, Node};
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::intern::{Interner, Symbol};
use crate::source::{FileId, Span};
use crate::syntax::Keyword;

use super::{Declared, LoadedFile, duplicate};

/// The result of a look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<T> {
    /// It is there.
    Yes(T),
    /// Nothing has that name.
    No,
    /// Something that could not be read may have had it, or two things have it; nothing is to be said.
    Lost,
}

/// A kind of name that files exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Behavior,
    Const,
    Enum,
}

const KINDS: [(Kind, &str); 3] =
    [(Kind::Behavior, "behavior"), (Kind::Const, "constant"), (Kind::Enum, "enum")];

/// A behavior, constant or enum of a file.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// The item.
    pub item: &'a Item,
    /// Its name.
    pub name: Name,
    /// Its file.
    pub file: usize,
}

/// A constant of a file.
pub type ConstRow<'a> = Row<'a>;
/// An enum of a file.
pub type EnumRow<'a> = Row<'a>;

/// Of behaviors that are declared again, no more are kept: nobody reads what would be told of them.
const FEW: usize = 64;

#[derive(Debug, Default)]
struct OneFile {
    own: [HashMap<Symbol, usize>; 3],
    /// Where its rows of each kind stand among all.
    rows: [std::ops::Range<usize>; 3],
    brought: [HashMap<Symbol, usize>; 3],
    aliases: HashMap<Symbol, usize>,
    /// Names of its own that are declared more than once, which was reported.
    twice: [HashSet<Symbol>; 3],
    /// Of behaviors, where they are declared again.
    again: Vec<Name>,
    /// Its own rows and those brought in, of each kind.
    visible: [Vec<usize>; 3],
}

/// The names of all files.
#[derive(Debug)]
pub struct FileScopes<'a> {
    /// The files.
    pub files: &'a [LoadedFile],
    places: HashMap<FileId, usize>,
    /// All behaviors, file by file.
    pub behaviors: Vec<Row<'a>>,
    /// All constants of files.
    pub consts: Vec<ConstRow<'a>>,
    /// All enums of files.
    pub enums: Vec<EnumRow<'a>>,
    scopes: Vec<OneFile>,
}

impl<'a> FileScopes<'a> {
    /// Collects the names of `files`, reporting those that are declared twice or clash.
    #[must_use]
    pub fn collect(files: &'a [LoadedFile], names: &Interner, diagnostics: &mut Diagnostics) -> Self {
        let mut this = Self {
            files,
            places: files.iter().enumerate().map(|(index, file)| (file.id, index)).collect(),
            behaviors: Vec::new(),
            consts: Vec::new(),
            enums: Vec::new(),
            scopes: Vec::with_capacity(files.len()),
        };
        for index in 0..files.len() {
            this.collect_own(index, names, diagnostics);
        }
        for index in 0..files.len() {
            this.bring_in(index, names, diagnostics);
        }
        this
    }

    fn rows(&mut self, kind: Kind) -> &mut Vec<Row<'a>> {
        match kind {
            Kind::Behavior => &mut self.behaviors,
            Kind::Const => &mut self.consts,
            Kind::Enum => &mut self.enums,
        }
    }

    fn row(&self, kind: Kind, index: usize) -> Row<'a> {
        match kind {
            Kind::Behavior => self.behaviors[index],
            Kind::Const => self.consts[index],
            Kind::Enum => self.enums[index],
        }
    }

    fn collect_own(&mut self, file: usize, names: &Interner, diagnostics: &mut Diagnostics) {
        let mut scope = OneFile::default();
        let mut declared: [Declared; 3] = Default::default();
        let starts = [self.behaviors.len(), self.consts.len(), self.enums.len()];
        let files = self.files;
        for node in &files[file].tree.nodes {
            let Node::Item(item) = node else { continue };
            let kind = match item.keyword {
                Keyword::Behavior => Kind::Behavior,
                Keyword::Const => Kind::Const,
                Keyword::Enum => Kind::Enum,
                _ => continue,
            };
            let Some(name) = item.name() else { continue };
            let rows = self.rows(kind);
            rows.push(Row { item, name, file });
            let index = rows.len() - 1;
            if declared[kind as usize].declare(KINDS[kind as usize].1, name, names, diagnostics) {
                scope.own[kind as usize].insert(name.symbol, index);
                scope.visible[kind as usize].push(index);
            } else {
                scope.twice[kind as usize].insert(name.symbol);
                if kind == Kind::Behavior && scope.again.len() < FEW {
                    scope.again.push(name);
                }
            }
        }
        let ends = [self.behaviors.len(), self.consts.len(), self.enums.len()];
        scope.rows = std::array::from_fn(|kind| starts[kind]..ends[kind]);
        self.scopes.push(scope);
    }

    fn bring_in(&mut self, file: usize, names: &Interner, diagnostics: &mut Diagnostics) {
        let mut aliases = Declared::default();
        let mut whole: HashMap<usize, Span> = HashMap::default();
        let files = self.files;
        for edge in &files[file].uses {
            if let Some(alias) = edge.alias {
                if aliases.declare("file name", alias, names, diagnostics) {
                    self.scopes[file].aliases.insert(alias.symbol, edge.file);
                }
                continue;
            }
            if let Some(first) = whole.insert(edge.file, edge.span) {
                let report =
                    Diagnostic::new(Code::DuplicateName, "a file is used twice", edge.span, "again here");
                diagnostics.push(report.label(first, "first used here").help("remove one of them"));
                continue;
            }
            if edge.file == file {
                continue;
            }
            // In order of declaration, so that reports have an order.
            for (kind, what) in KINDS {
                for index in self.scopes[edge.file].rows[kind as usize].clone() {
                    let row = self.row(kind, index);
                    if self.scopes[edge.file].own[kind as usize].get(&row.name.symbol) != Some(&index) {
                        continue;
                    }
                    let scope = &self.scopes[file];
                    let own = scope.own[kind as usize].get(&row.name.symbol);
                    let other = own.or_else(|| scope.brought[kind as usize].get(&row.name.symbol)).copied();
                    if let Some(other) = other {
                        let first = self.row(kind, other).name.span;
                        let name = names.text(row.name.symbol);
                        diagnostics.push(clash(what, name, edge.span, first, row.name.span));
                    } else {
                        let scope = &mut self.scopes[file];
                        scope.brought[kind as usize].insert(row.name.symbol, index);
                        scope.visible[kind as usize].push(index);
                    }
                }
            }
        }
    }

    /// The file in which something is written: an index into [`files`](Self::files).
    #[must_use]
    pub fn file_at(&self, span: Span) -> usize {
        self.places.get(&span.file).copied().unwrap_or(0)
    }

    /// The behavior that a path names where it is written: an index into [`behaviors`](Self::behaviors).
    #[must_use]
    pub fn behavior(&self, path: &[Name]) -> Found<usize> {
        self.find(Kind::Behavior, path)
    }

    /// The first behaviors of a file that are declared more than once: where they are declared again.
    #[must_use]
    pub fn behaviors_again(&self, file: usize) -> &[Name] {
        &self.scopes[file].again
    }

    /// The constant that a path names where it is written: an index into [`consts`](Self::consts).
    #[must_use]
    pub fn constant(&self, path: &[Name]) -> Found<usize> {
        self.find(Kind::Const, path)
    }

    /// The constant that a plain name means in a file.
    #[must_use]
    pub fn constant_in(&self, file: usize, name: Symbol) -> Option<usize> {
        self.plain(Kind::Const, file, name)
    }

    /// The enum that a plain name means in a file.
    #[must_use]
    pub fn enumeration_in(&self, file: usize, name: Symbol) -> Option<usize> {
        self.plain(Kind::Enum, file, name)
    }

    fn plain(&self, kind: Kind, file: usize, name: Symbol) -> Option<usize> {
        let scope = &self.scopes[file];
        let kind = kind as usize;
        scope.own[kind].get(&name).or_else(|| scope.brought[kind].get(&name)).copied()
    }

    /// The enum that a path names where it is written: an index into [`enums`](Self::enums).
    #[must_use]
    pub fn enumeration(&self, path: &[Name]) -> Found<usize> {
        self.find(Kind::Enum, path)
    }

    fn find(&self, kind: Kind, path: &[Name]) -> Found<usize> {
        let Some(first) = path.first() else { return Found::No };
        let file = self.file_at(first.span);
        match path {
            [name] if self.scopes[file].twice[kind as usize].contains(&name.symbol) => Found::Lost,
            [name] => match self.plain(kind, file, name.symbol) {
                Some(index) => Found::Yes(index),
                None if self.lost(file, name.symbol) => Found::Lost,
                None => Found::No,
            },
            [alias, name] => match self.scopes[file].aliases.get(&alias.symbol) {
                Some(target) => match self.scopes[*target].own[kind as usize].get(&name.symbol) {
                    Some(index) => Found::Yes(*index),
                    None if self.files[*target].unread.contains(&name.symbol) => Found::Lost,
                    None => Found::No,
                },
                None if self.files[file].lost_aliases.contains(&alias.symbol) => Found::Lost,
                None => Found::No,
            },
            _ => Found::No,
        }
    }

    /// Whether something that could not be read may have declared the name in this file.
    #[must_use]
    pub fn lost(&self, file: usize, name: Symbol) -> bool {
        let file = &self.files[file];
        file.lost_uses
            || file.unread.contains(&name)
            || file
                .uses
                .iter()
                .any(|edge| edge.alias.is_none() && self.files[edge.file].unread.contains(&name))
    }

    /// Whether the name stands for a used file.
    #[must_use]
    pub fn is_alias(&self, file: usize, name: Symbol) -> bool {
        self.scopes[file].aliases.contains_key(&name)
    }

    /// The behaviors that the file sees by their plain names.
    pub fn visible_behaviors(&self, file: usize) -> impl Iterator<Item = Row<'a>> + '_ {
        self.scopes[file].visible[Kind::Behavior as usize].iter().map(|index| self.behaviors[*index])
    }

    /// The constants that the file sees by their plain names.
    pub fn visible_consts(&self, file: usize) -> impl Iterator<Item = Row<'a>> + '_ {
        self.scopes[file].visible[Kind::Const as usize].iter().map(|index| self.consts[*index])
    }

    /// The enums that the file sees by their plain names.
    pub fn visible_enums(&self, file: usize) -> impl Iterator<Item = Row<'a>> + '_ {
        self.scopes[file].visible[Kind::Enum as usize].iter().map(|index| self.enums[*index])
    }

    /// The constants of the file that a name stands for.
    pub fn consts_behind(&self, file: usize, alias: Symbol) -> impl Iterator<Item = Symbol> + '_ {
        let rows = self.rows_behind(Kind::Const, file, alias);
        rows.map(|index| self.consts[index].name.symbol)
    }

    /// The behaviors of the file that a name stands for.
    pub fn behaviors_behind(&self, file: usize, alias: Symbol) -> impl Iterator<Item = Symbol> + '_ {
        let rows = self.rows_behind(Kind::Behavior, file, alias);
        rows.map(|index| self.behaviors[index].name.symbol)
    }

    fn rows_behind(&self, kind: Kind, file: usize, alias: Symbol) -> std::ops::Range<usize> {
        let target = self.scopes[file].aliases.get(&alias);
        target.map_or(0..0, |target| self.scopes[*target].rows[kind as usize].clone())
    }

    /// The behaviors of the first file, then those it brings in, with the name of the file where it has one: the
    /// behaviors of the program, as indices.
    #[must_use]
    pub fn program_behaviors(&self) -> Vec<(Option<Symbol>, usize)> {
        let of = |file: usize| self.scopes[file].rows[Kind::Behavior as usize].clone();
        let mut list: Vec<(Option<Symbol>, usize)> = of(0).map(|index| (None, index)).collect();
        for edge in self.files.iter().take(1).flat_map(|file| &file.uses) {
            if edge.file != 0 {
                list.extend(of(edge.file).map(|index| (edge.alias.map(|alias| alias.symbol), index)));
            }
        }
        list
    }
}

fn clash(what: &str, name: &str, used: Span, first: Span, second: Span) -> Diagnostic {
    let mut report = duplicate(what, name, first, second);
    report.code = Code::UseClash;
    report.message = format!("`Use` brings in the {what} `{name}`, which is there already");
    report.labels[0].message = "and declared here, in the used file".to_owned();
    report.labels[1].message = "declared here".to_owned();
    report.labels.insert(0, crate::diagnostic::Label { span: used, message: format!("brings in `{name}`") });
    report.help = vec![format!("give the file a name: `Use \"...\" as other`, and write `other.{name}`")];
    report
}
