//! The files of the checkout.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Folders with generated or downloaded files.
const SKIPPED: [&str; 8] =
    [".git", "target", "var", "node_modules", "dist", "coverage", "test-results", "playwright-report"];

/// A text file of the project.
#[derive(Clone)]
pub(crate) struct SourceFile {
    /// Its path in the checkout, with `/` as separator.
    pub(crate) path: String,
    pub(crate) text: String,
    tree: OnceCell<syn::Result<syn::File>>,
}

impl SourceFile {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned(), tree: OnceCell::new() }
    }

    /// Its Rust syntax tree. Parsed once for all rules, because parsing takes most of their time.
    pub(crate) fn tree(&self) -> &syn::Result<syn::File> {
        self.tree.get_or_init(|| syn::parse_file(&self.text))
    }
}

/// All text files below `root`, sorted by path; files that are not UTF-8 (pictures and the like) are skipped.
pub(crate) fn read_all(root: &Path) -> Result<Vec<SourceFile>> {
    let read = |path: PathBuf| {
        // A file that was removed during the walk (an editor's temporary file) is skipped.
        Some(SourceFile::new(path.strip_prefix(root).ok()?.to_str()?, &fs::read_to_string(&path).ok()?))
    };
    let mut files: Vec<SourceFile> = walk(root)?.into_iter().filter_map(read).collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// All files below a folder, unsorted, without generated and downloaded ones. Symbolic links are not followed.
pub(crate) fn walk(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() && !SKIPPED.iter().any(|skipped| entry.file_name() == *skipped) {
            files.extend(walk(&entry.path())?);
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(files)
}

/// Whether a line contains a word that is not part of a longer one.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    let joins = |character: char| character.is_alphanumeric() || character == '_';
    line.match_indices(word).any(|(at, _)| !line[..at].ends_with(joins) && !line[at + word.len()..].starts_with(joins))
}
