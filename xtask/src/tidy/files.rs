//! The files of the checkout.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Folders that hold what is made or fetched.
const SKIPPED: [&str; 8] =
    [".git", "target", "var", "node_modules", "dist", "coverage", "test-results", "playwright-report"];

/// A text file of the project.
#[derive(Clone)]
pub(crate) struct SourceFile {
    /// Its place in the checkout, with `/` between the parts.
    pub(crate) path: String,
    /// What it says.
    pub(crate) text: String,
    tree: OnceCell<syn::Result<syn::File>>,
}

impl SourceFile {
    pub(crate) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned(), tree: OnceCell::new() }
    }

    /// What it says in Rust. It is parsed once, for all rules: most of their time is this.
    pub(crate) fn tree(&self) -> &syn::Result<syn::File> {
        self.tree.get_or_init(|| syn::parse_file(&self.text))
    }
}

/// All text files below `root`, in the order of their places; what is not UTF-8 is a picture or the like.
pub(crate) fn read_all(root: &Path) -> Result<Vec<SourceFile>> {
    let read = |path: PathBuf| {
        // A file that went away while we walked (an editor's) is none of the project's.
        Some(SourceFile::new(path.strip_prefix(root).ok()?.to_str()?, &fs::read_to_string(&path).ok()?))
    };
    let mut files: Vec<SourceFile> = walk(root)?.into_iter().filter_map(read).collect();
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// All files below a folder, in no order, without what is made or fetched. Links are not followed.
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

/// Whether a line has a word that is not a part of another one.
pub(super) fn has_word(line: &str, word: &str) -> bool {
    let joins = |character: char| character.is_alphanumeric() || character == '_';
    line.match_indices(word).any(|(at, _)| !line[..at].ends_with(joins) && !line[at + word.len()..].starts_with(joins))
}
