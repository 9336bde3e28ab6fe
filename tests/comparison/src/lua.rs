//! The processes that run Lua: built and asked here.

use std::path::PathBuf;
use std::process::Command;

use crate::machines::Row;

/// The programs, one a Lua.
pub(crate) struct Engines {
    programs: Vec<PathBuf>,
}

/// What a compiler of Lua took for some behaviors.
pub(crate) struct Compiled {
    pub(crate) engine: String,
    pub(crate) lines: usize,
    pub(crate) nanoseconds: f64,
}

impl Engines {
    /// Builds them: one package, once with each Lua.
    pub(crate) fn build() -> Self {
        let release = crate::release();
        let build = |engine: &str| {
            crate::cargo(&["--package", "motix-comparison-lua", "--features", engine], "tests/comparison");
            let program = release.join(format!("motix-comparison-{engine}"));
            let copied = std::fs::copy(release.join("motix-comparison-lua"), &program);
            copied.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
            program
        };
        Self { programs: ["luajit", "luau"].map(build).into() }
    }

    /// The rows of whole machines and of predicates.
    pub(crate) fn machines(&self, instances: usize, frames: usize) -> Vec<Row> {
        let lines = self.run(&["machines", &instances.to_string(), &frames.to_string()]);
        lines.iter().map(|line| Row::read(line).unwrap_or_else(|| panic!("not a row: {line}"))).collect()
    }

    /// What each compiler takes for the generated behaviors.
    pub(crate) fn compile(&self, behaviors: usize, runs: usize) -> Vec<Compiled> {
        let lines = self.run(&["compile", &behaviors.to_string(), &runs.to_string()]);
        let read = |line: &String| {
            let mut parts = line.split('\t');
            Some(Compiled {
                engine: parts.next()?.to_owned(),
                lines: parts.next()?.parse().ok()?,
                nanoseconds: parts.next()?.parse().ok()?,
            })
        };
        lines.iter().map(|line| read(line).unwrap_or_else(|| panic!("not a row: {line}"))).collect()
    }

    fn run(&self, arguments: &[&str]) -> Vec<String> {
        let mut lines = Vec::new();
        for program in &self.programs {
            let run = Command::new(program).args(arguments).stderr(std::process::Stdio::inherit()).output();
            let run = run.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
            assert!(run.status.success(), "{} {arguments:?} failed", program.display());
            lines.extend(String::from_utf8_lossy(&run.stdout).lines().map(str::to_owned));
        }
        lines
    }
}
