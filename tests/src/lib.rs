//! The harness of Motix's tests: where things lie and how a source is run through the compiler.
//!
//! The tests themselves stand in `suite/`; this crate holds only what several of them share.

pub mod generate;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// All files under `folder` (relative to the root) whose names end in `.extension`, sorted, as paths relative to the
/// root with `/`. Build products and version control are passed over.
#[must_use]
pub fn files(folder: &str, extension: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = entry.file_name();
            if path.is_dir() {
                if name != "target" && name != ".git" {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(relative(&path));
            }
        }
    }
    found.sort();
    found
}

/// The text of a file, by its path relative to the root.
///
/// # Panics
/// Where it cannot be read: a test then fails with the path.
#[must_use]
pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap_or(path);
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
