//! What is played: a source or a built program, and the behavior of it that was meant.

use std::sync::Arc;

use motix_vm::Program;
use motix_vm::program::BehaviorRef;

use crate::cli::report::{self, Findings};
use crate::cli::{Context, Failure, disasm, files};
use crate::pipeline::{Compiled, Options};
use crate::source::FileId;

/// A program to play, and what it was compiled from, if it was.
pub(super) struct Played {
    program: Arc<Program>,
    compiled: Option<Compiled>,
}

impl Played {
    /// Reads a file: compiles it, or loads it where it is a program. `None` where it has errors; they were reported.
    pub(super) fn read(context: &mut Context<'_>, path: &str) -> Result<Option<Self>, Failure> {
        let bytes = files::read(context, path)?;
        if files::is_program(path, &bytes) {
            let program = disasm::load(context, path, &bytes)?;
            return Ok(program.map(|program| Self { program, compiled: None }));
        }
        let compiled = files::compile_bytes(path, bytes, Options { tests: true })?;
        let Some(program) = compiled.program.clone() else {
            report::diagnostics(context, &[Findings::of(&compiled)])?;
            return Ok(None);
        };
        Ok(Some(Self { program, compiled: Some(compiled) }))
    }

    pub(super) fn program(&self) -> &Arc<Program> {
        &self.program
    }

    pub(super) fn compiled(&self) -> Option<&Compiled> {
        self.compiled.as_ref()
    }

    /// The behavior of that name; without a name the only one that the file itself declares.
    pub(super) fn behavior(&self, name: Option<&str>) -> Result<BehaviorRef<'_>, Failure> {
        if let Some(name) = name {
            return self.program.find(name).map_err(|error| Failure::Usage(format!("`--behavior`: {error}")));
        }
        let own = |behavior: &BehaviorRef<'_>| {
            // Behaviors of files that this one uses stand behind its own.
            let row =
                self.compiled.as_ref().and_then(|compiled| compiled.hir.behaviors.get(behavior.id().index()));
            row.is_none_or(|row| row.name.span.file == FileId(0))
        };
        let all: Vec<BehaviorRef<'_>> = self.program.iter().filter(own).collect();
        match &all[..] {
            [] => Err(Failure::Usage("there is no behavior in the file".into())),
            [only] => Ok(*only),
            several => {
                let names: Vec<String> =
                    several.iter().take(20).map(|one| format!("`{}`", one.name())).collect();
                let more = several.len().saturating_sub(20);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                Err(Failure::Usage(format!(
                    "the file has several behaviors; `--behavior NAME` says which to play: {}{more}",
                    names.join(", ")
                )))
            }
        }
    }

    /// The name of the file's first test.
    pub(super) fn first_test(&self) -> Option<&str> {
        let compiled = self.compiled.as_ref()?;
        compiled.hir.tests.first().map(|test| compiled.names.text(test.name))
    }
}
