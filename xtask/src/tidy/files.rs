//! The text files of the checkout.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Folders that hold what is made or fetched.
const SKIPPED: [&str; 8] =
    [".git", "target", "var", "node_modules", "dist", "coverage", "test-results", "playwright-report"];

/// A text file of the project.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    /// Its place in the checkout, with `/` between the parts.
    pub(crate) path: String,
    /// What it says.
    pub(crate) text: String,
}

/// All text files below `root`, in the order of their places; what is not UTF-8 is a picture or the like.
pub(crate) fn read_all(root: &Path) -> Result<Vec<SourceFile>> {
    let mut files = Vec::new();
    read_into(root, "", &mut files)?;
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn read_into(folder: &Path, prefix: &str, files: &mut Vec<SourceFile>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if !SKIPPED.contains(&name.as_str()) {
                read_into(&entry.path(), &format!("{path}/"), files)?;
            }
        } else if kind.is_file() {
            // A file that went away while we walked (an editor's) is none of the project's.
            if let Some(text) = fs::read(entry.path()).ok().and_then(|bytes| String::from_utf8(bytes).ok()) {
                files.push(SourceFile { path, text });
            }
        }
    }
    Ok(())
}

#[cfg(test)]
pub(crate) fn file(path: &str, text: &str) -> SourceFile {
    SourceFile { path: path.to_owned(), text: text.to_owned() }
}
