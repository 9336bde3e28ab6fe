//! Reads source files from the file system, the standard library and standard input.
//!
//! A file has one name however it is reached: the one under which it was first read, with `/`, without `.` and
//! `..` that cancel. Nothing is read past [`MAX_SOURCE_BYTES`]. It decodes nothing.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::source::{Loader, MAX_SOURCE_BYTES, ReadError};

/// The name of standard input in messages.
pub const STDIN_NAME: &str = "<stdin>";

/// The loader of the command line.
#[derive(Debug, Default)]
pub struct FileLoader {
    /// What `-` means, where it is the root.
    stdin: Option<Vec<u8>>,
    /// The names given so far, by resolved path.
    names: RefCell<HashMap<PathBuf, String>>,
}

impl FileLoader {
    /// A loader for a compilation whose root is `path`; reads `input` to its end where that is `-`.
    ///
    /// # Errors
    /// Where standard input cannot be read or is too large.
    pub fn new(path: &str, input: &mut dyn Read) -> Result<Self, ReadError> {
        let stdin = if path == "-" { Some(read_limited(input)?) } else { None };
        Ok(Self { stdin, names: RefCell::default() })
    }

    /// The name of a file that the user named.
    #[must_use]
    pub fn name(&self, path: &str) -> String {
        let shown = normalize(&path.replace('\\', "/"));
        self.name_of(Path::new(path), shown)
    }

    fn name_of(&self, path: &Path, shown: String) -> String {
        let Ok(real) = fs::canonicalize(path) else { return shown };
        self.names.borrow_mut().entry(real).or_insert(shown).clone()
    }
}

impl Loader for FileLoader {
    fn load(&self, path: &str, from: &str) -> Result<(String, Vec<u8>), ReadError> {
        if from.is_empty() && path == "-" {
            return Ok((STDIN_NAME.into(), self.stdin.clone().unwrap_or_default()));
        }
        if path.is_empty() {
            return Err(ReadError::Unreadable("the name is empty".into()));
        }
        // Files are shared between systems, so both ways of writing a path are taken on each.
        let path = path.replace('\\', "/");
        if !from.is_empty() && path.starts_with("std/") {
            return module(&path).ok_or_else(|| {
                let name = path.trim_end_matches(".motix");
                ReadError::Missing(vec![format!("{name} (standard library)")])
            });
        }
        let joined = match from.rsplit_once('/') {
            Some((directory, _)) if !is_absolute(&path) => format!("{directory}/{path}"),
            _ => path,
        };
        let shown = normalize(&joined);
        let mut tried = vec![shown];
        // `Use "./guard"` may leave the extension out; the file that the user names on the command line may not.
        if !from.is_empty() && !tried[0].ends_with(".motix") {
            tried.push(format!("{}.motix", tried[0]));
        }
        for shown in &tried {
            match read_file(Path::new(shown)) {
                Ok(bytes) => return Ok((self.name_of(Path::new(shown), shown.clone()), bytes)),
                Err(ReadError::Missing(_)) => {}
                Err(other) => return Err(other),
            }
        }
        // The user may name a module as `Use` does; a file of that name goes first.
        match module(&tried[0]).filter(|_| from.is_empty()) {
            Some(found) => Ok(found),
            None => Err(ReadError::Missing(tried)),
        }
    }
}

/// A module of the standard library: its name and its text.
fn module(path: &str) -> Option<(String, Vec<u8>)> {
    let name = path.trim_end_matches(".motix");
    motix_stdlib::find(name).map(|text| (name.to_owned(), text.as_bytes().to_vec()))
}

/// Reads what the user named to look at: a file, or a module of the standard library.
pub(super) fn read_source(path: &str) -> Result<Vec<u8>, ReadError> {
    match read_file(Path::new(path)) {
        Err(ReadError::Missing(tried)) => module(path).map(|(_, text)| text).ok_or(ReadError::Missing(tried)),
        read => read,
    }
}

/// Reads a file whole.
///
/// # Errors
/// Where it is missing, a directory, unreadable or longer than [`MAX_SOURCE_BYTES`].
pub fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    let mut file = fs::File::open(path).map_err(|error| read_error(path, &error))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(ReadError::Unreadable("it is a directory".into()));
    }
    read_limited(&mut file)
}

pub(super) fn read_limited(input: &mut dyn Read) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    match input.take(MAX_SOURCE_BYTES + 1).read_to_end(&mut bytes) {
        Ok(read) if read as u64 > MAX_SOURCE_BYTES => Err(ReadError::TooLarge(read as u64)),
        Ok(_) => Ok(bytes),
        Err(error) => Err(ReadError::Unreadable(words(&error))),
    }
}

fn read_error(path: &Path, error: &io::Error) -> ReadError {
    match error.kind() {
        io::ErrorKind::NotFound => ReadError::Missing(vec![path.display().to_string()]),
        io::ErrorKind::NotADirectory => ReadError::Missing(vec![path.display().to_string()]),
        _ => ReadError::Unreadable(words(error)),
    }
}

/// The system's words without the number that it adds.
pub fn words(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

/// What to say about a file that the user named and that cannot be read.
#[must_use]
pub fn describe(path: &str, error: &ReadError) -> String {
    format!("cannot read `{path}`: {error}")
}

/// Whether a path says where it begins: at the root, or with the letter of a drive.
fn is_absolute(path: &str) -> bool {
    let drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    path.starts_with('/') || drive
}

/// The path with `/`, without `.` and without `..` that cancel something.
fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    let joined = parts.join("/");
    match (path.starts_with('/'), joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_keep_one_form() {
        for (path, expected) in [
            ("./a/../b.motix", "b.motix"),
            ("../x/./y.motix", "../x/y.motix"),
            ("../../y", "../../y"),
            ("/a//b", "/a/b"),
            ("a/..", "."),
        ] {
            assert_eq!(normalize(path), expected);
        }
    }

    #[test]
    fn paths_of_other_systems_are_read() {
        let loader = FileLoader::default();
        let tried = |path: &str| match loader.load(path, "here/a.motix") {
            Err(ReadError::Missing(tried)) => tried[0].clone(),
            other => format!("{other:?}"),
        };
        assert_eq!(tried(".\\parts\\b.motix"), "here/parts/b.motix");
        assert_eq!(tried("C:\\game\\b.motix"), "C:/game/b.motix");
        assert_eq!(tried("/nowhere/b.motix"), "/nowhere/b.motix");
        assert!(loader.load("std\\humanoid", "here/a.motix").is_ok());
        assert!(matches!(loader.load("", "here/a.motix"), Err(ReadError::Unreadable(_))));
    }

    #[test]
    fn reading_stops_at_the_limit() {
        let mut endless = io::repeat(b' ');
        assert_eq!(read_limited(&mut endless), Err(ReadError::TooLarge(MAX_SOURCE_BYTES + 1)));
    }
}
