//! Uploads in progress: written to a temporary file first, so a file is stored completely or not at all.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::error::MediaError;

/// The permissions of new folders, before the process' umask.
const FOLDERS_MODE: u32 = 0o777;

/// An upload in progress. Dropping it removes its file, unless [`Incoming::move_to`] has succeeded.
#[derive(Debug)]
pub(crate) struct Incoming {
    path: PathBuf,
    file: File,
    hash: Sha256,
    arrived: bool,
}

impl Incoming {
    /// Creates and locks a file of this name in the folder of uploads; fails when the name is taken.
    pub(crate) fn begin(folder: &Path, name: &str) -> Result<Self, MediaError> {
        durable_fs::create_dir_all(folder, FOLDERS_MODE)?;
        let path = folder.join(name);
        loop {
            let file = File::options().read(true).write(true).create_new(true).open(&path)?;
            // Locked while the upload runs: the sweep of another process skips locked files.
            file.lock()?;
            // A sweep may have removed the file before it was locked: create it again.
            if file.metadata()?.nlink() > 0 {
                return Ok(Self { path, file, hash: Sha256::new(), arrived: false });
            }
        }
    }

    /// Appends bytes. An error (such as a full disk) ends the upload.
    pub(crate) fn with(mut self, batch: &[Bytes]) -> Result<Self, MediaError> {
        for bytes in batch {
            self.hash.update(bytes);
            self.file.write_all(bytes)?;
        }
        Ok(self)
    }

    /// Completes the upload: syncs the file and returns its SHA-256.
    pub(crate) fn finish(&mut self) -> Result<[u8; 32], MediaError> {
        self.file.sync_all()?;
        Ok(std::mem::take(&mut self.hash).finalize().into())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the file into the store; `false` when the store is on another disk.
    pub(crate) fn move_to(&mut self, place: &Path) -> Result<bool, MediaError> {
        if let Some(folder) = place.parent() {
            durable_fs::create_dir_all(folder, FOLDERS_MODE)?;
        }
        match durable_fs::rename(&self.path, place) {
            Ok(()) => self.arrived = true,
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => return Ok(false),
            Err(error) => return Err(error.into()),
        }
        Ok(true)
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        if !self.arrived {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes the uploads of killed processes (files that no process locks); returns their number.
pub(crate) fn sweep(folder: &Path) -> io::Result<usize> {
    let mut swept = 0;
    for entry in match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    } {
        let path = entry?.path();
        let Ok(file) = File::options().write(true).open(&path) else { continue };
        if file.try_lock().is_ok() && fs::remove_file(&path).is_ok() {
            swept += 1;
        }
    }
    Ok(swept)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn sweep_removes_abandoned_uploads_and_keeps_running_ones() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("incoming");
        assert_eq!(sweep(&folder).unwrap(), 0, "no folder yet");
        let running = Incoming::begin(&folder, "running").unwrap().with(&[Bytes::from_static(b"half")]).unwrap();
        fs::write(folder.join("dead"), b"half").unwrap();
        assert_eq!(sweep(&folder).unwrap(), 1, "at once, however young it is");
        assert!(running.path().exists() && !folder.join("dead").exists());
        drop(running);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "a dropped upload leaves nothing");
    }

    #[test]
    fn uploads_that_begin_during_sweeps_keep_their_files() {
        let home = tempfile::tempdir().unwrap();
        let begun = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !begun.load(Ordering::Relaxed) {
                    sweep(home.path()).unwrap();
                }
            });
            for n in 0..2_000 {
                let upload = Incoming::begin(home.path(), &n.to_string()).unwrap();
                assert!(upload.path().exists(), "upload {n} was swept while it ran");
            }
            begun.store(true, Ordering::Relaxed);
        });
    }

    #[test]
    fn an_upload_refuses_a_name_that_is_taken() {
        let home = tempfile::tempdir().unwrap();
        let _first = Incoming::begin(home.path(), "a").unwrap();
        assert!(Incoming::begin(home.path(), "a").is_err());
    }
}
