//! `SHA256SUMS`, which `sha256sum --check` reads.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};

/// Writes the sums of these files in the folder, sorted by name.
pub(super) fn write(files: &[PathBuf], folder: &Path) -> Result<PathBuf> {
    let mut files: Vec<&PathBuf> = files.iter().collect();
    files.sort();
    let mut text = String::new();
    for file in files {
        let mut hash = Sha256::new();
        let mut opened = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
        io::copy(&mut opened, &mut hash)?;
        let name = file.strip_prefix(folder).context("a file of the release lies elsewhere")?;
        writeln!(text, "{}  {}", hex::encode(hash.finalize()), name.display())?;
    }
    let path = folder.join("SHA256SUMS");
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}
