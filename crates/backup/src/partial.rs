//! Files that have their final name only when they are complete.

use std::{
    fs::{File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use crate::BackupError;

/// An incomplete file, under a name that ends with `.partial`; it is removed unless it is completed. Only its owner may read it.
pub(crate) struct Partial {
    path: PathBuf,
    pub(crate) file: File,
    is_complete: bool,
}

impl Partial {
    /// # Errors
    /// A file has the final name already.
    pub(crate) fn create(target: &Path) -> Result<Self, BackupError> {
        if target.exists() {
            return Err(BackupError::Exists);
        }
        let path = partial_path(target);
        let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path)?;
        Ok(Self { path, file, is_complete: false })
    }

    /// Gives the file its final name.
    pub(crate) fn complete(mut self, target: &Path) -> io::Result<()> {
        durable_fs::rename(&self.path, target)?;
        self.is_complete = true;
        Ok(())
    }
}

/// Where a file lies until it is complete.
pub(crate) fn partial_path(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.is_complete {
            // If this fails too, the file that stays has a name that says it is partial.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
