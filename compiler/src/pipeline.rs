//! The order of the stages, from a file's name to a verified program: the only place that knows it.
//!
//! It reads through a [`Loader`] alone and keeps what tools look at; trees, which take the most memory, live until they
//! are checked. A file with errors has no program.

use std::sync::Arc;

use motix_vm::Program;
use motix_vm::program::LoadErrorKind;

use crate::ast;
use crate::check;
use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::hir::Hir;
use crate::intern::Interner;
use crate::lex;
use crate::lower::{self, LowerOptions, Probes};
use crate::parse;
use crate::passes;
use crate::resolve;
use crate::source::{FileId, Loader, ReadError, SourceMap, Span};

/// What to compile.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// With what the file's tests need at run time, which a program for hosts leaves out.
    pub tests: bool,
}

/// A stage of the pipeline, for measuring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Text to tokens.
    Lex,
    /// Tokens to tree.
    Parse,
    /// `Use`d files were found; their lexing and parsing is reported as such.
    Resolve,
    /// Trees to HIR.
    Check,
    /// Folding and lints.
    Passes,
    /// HIR to tables.
    Lower,
    /// Tables to a program.
    Verify,
}

/// Everything that a compilation made.
#[derive(Debug)]
pub struct Compiled {
    /// The sources; the first one is the file that was asked for.
    pub sources: SourceMap,
    /// All names and texts.
    pub names: Interner,
    /// What there is to say.
    pub diagnostics: Diagnostics,
    /// The checked program; complete only without errors.
    pub hir: Hir,
    /// The program; `None` where there are errors.
    pub program: Option<Arc<Program>>,
    /// Where the expressions of the tests are, with [`Options::tests`].
    pub probes: Probes,
}

/// Compiles the file that `path` means to `loader`, and what it uses.
///
/// # Errors
/// Where the file itself cannot be read. All else is a diagnostic.
pub fn compile(path: &str, loader: &dyn Loader, options: Options) -> Result<Compiled, ReadError> {
    compile_watched(path, loader, options, &mut |_| {})
}

/// Like [`compile`], telling `watch` of each stage when it ends.
///
/// # Errors
/// Where the file itself cannot be read.
pub fn compile_watched(
    path: &str,
    loader: &dyn Loader,
    options: Options,
    watch: &mut dyn FnMut(Stage),
) -> Result<Compiled, ReadError> {
    let (name, bytes) = loader.load(path, "")?;
    let mut compiled = Compiled {
        sources: SourceMap::default(),
        names: Interner::default(),
        diagnostics: Diagnostics::default(),
        hir: Hir::default(),
        program: None,
        probes: Probes::default(),
    };
    let report = lex::decode(&name, &bytes).err();
    let text = String::from_utf8(bytes).unwrap_or_else(|error| lossy(error.as_bytes()));
    let root = compiled.sources.add(name, text);
    if let Some(report) = report {
        compiled.diagnostics.push(not_utf8(report, root, &compiled.sources));
        return Ok(compiled);
    }
    compiled.analyze(root, loader, watch);
    if !compiled.diagnostics.has_errors() {
        passes::run(&mut compiled.hir, root, &compiled.names, &mut compiled.diagnostics);
        watch(Stage::Passes);
        compiled.generate(options, watch);
    }
    Ok(compiled)
}

/// The tokens of a file, and its tree.
fn read_tree(
    file: FileId,
    text: &str,
    names: &mut Interner,
    diagnostics: &mut Diagnostics,
    watch: &mut dyn FnMut(Stage),
) -> ast::File {
    let tokens = lex::lex(file, text, names, diagnostics);
    watch(Stage::Lex);
    let tree = parse::parse(file, &tokens, names, diagnostics);
    watch(Stage::Parse);
    tree
}

impl Compiled {
    /// From texts to the checked program.
    fn analyze(&mut self, root: FileId, loader: &dyn Loader, watch: &mut dyn FnMut(Stage)) {
        let Self { sources, names, diagnostics, .. } = self;
        let mut parse = |file, text: &str, names: &mut Interner, diagnostics: &mut Diagnostics| {
            read_tree(file, text, names, diagnostics, watch)
        };
        let files = resolve::load(root, sources, loader, names, &mut parse, diagnostics);
        watch(Stage::Resolve);
        self.hir = check::check(&files, &mut self.names, &mut self.diagnostics);
        drop(files);
        watch(Stage::Check);
    }

    /// From the checked program to one that can be run.
    fn generate(&mut self, options: Options, watch: &mut dyn FnMut(Stage)) {
        let options = LowerOptions { tests: options.tests };
        let lowered = lower::lower(&self.hir, &self.names, &self.sources, options, &mut self.diagnostics);
        watch(Stage::Lower);
        if self.diagnostics.has_errors() {
            return;
        }
        match Program::verify(lowered.tables) {
            Ok(program) => {
                self.program = Some(Arc::new(program));
                self.probes = lowered.probes;
            }
            Err(error) => self.diagnostics.push(match error.kind() {
                LoadErrorKind::Limit(limit) => {
                    let message = format!(
                        "the program is too large: the limit of {} for {} is exceeded",
                        limit.value(),
                        limit.text()
                    );
                    let help = format!(
                        "share it out over several behaviors or files; the limit is {}",
                        limit.code()
                    );
                    // Tables and the checked program have the behaviors in one order.
                    let behavior = error.place().behavior.and_then(|index| self.hir.behaviors.get(index));
                    let report = match behavior {
                        Some(row) => Diagnostic::new(
                            Code::TooMany,
                            message,
                            row.name.span,
                            "this behavior is too large",
                        ),
                        None => Diagnostic::global(Code::TooMany, message),
                    };
                    report.help(help)
                }
                _ => {
                    Diagnostic::global(Code::Internal, format!("the compiler made a wrong program: {error}"))
                        .help("this is a fault of motixc; please report it together with the source")
                }
            }),
        }
        watch(Stage::Verify);
    }
}

/// The text up to the first byte that is not UTF-8, and a mark in its place: enough to show where it is.
fn lossy(bytes: &[u8]) -> String {
    let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    format!("{valid}\u{fffd}")
}

/// The report with the place of the mark.
fn not_utf8(report: Diagnostic, root: FileId, sources: &SourceMap) -> Diagnostic {
    let end = u32::try_from(sources.file(root).text.len()).unwrap_or(u32::MAX);
    let start = end.saturating_sub(char::REPLACEMENT_CHARACTER.len_utf8() as u32);
    report.label(Span::new(root, start, end), "no character begins with this byte")
}
