//! Files that are on their way into the store: written beside it first, so that a file is there whole or not at all.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::error::MediaError;
use crate::durable;

/// What nobody writes any more and is older than this is swept away.
const LEFT_BEHIND: Duration = Duration::from_mins(10);

/// The permissions of new folders, less the process' mask.
const FOLDERS_MODE: u32 = 0o777;

/// A file on its way. It is gone when it is dropped before it has arrived.
#[derive(Debug)]
pub(super) struct Incoming {
    path: PathBuf,
    file: File,
    hash: Sha256,
    arrived: bool,
}

impl Incoming {
    /// Begins a file of this name, which nobody else has, in the folder of what is on its way.
    pub(super) fn begin(folder: &Path, name: &str) -> Result<Self, MediaError> {
        durable::make_folder(folder, FOLDERS_MODE)?;
        let path = folder.join(name);
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        // Held as long as somebody writes: the sweeper of another process leaves it alone.
        file.lock()?;
        Ok(Self { path, file, hash: Sha256::new(), arrived: false })
    }

    /// Writes what came.
    pub(super) fn write(&mut self, bytes: &Bytes) -> Result<(), MediaError> {
        self.hash.update(bytes);
        Ok(self.file.write_all(bytes)?)
    }

    /// All is there: gives its hash, once it is safe on the disk.
    pub(super) fn finish(&mut self) -> Result<[u8; 32], MediaError> {
        self.file.sync_all()?;
        Ok(std::mem::take(&mut self.hash).finalize().into())
    }

    /// Where it lies.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Moves it to where it belongs; `false` when that is on another disk.
    pub(super) fn move_to(&mut self, place: &Path) -> Result<bool, MediaError> {
        if let Some(folder) = place.parent() {
            durable::make_folder(folder, FOLDERS_MODE)?;
        }
        match durable::rename(&self.path, place) {
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

/// Removes what a process left behind that was killed in the middle of a file; gives how many there were.
pub(super) fn sweep(folder: &Path, now: SystemTime) -> io::Result<usize> {
    let mut swept = 0;
    for entry in match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    } {
        let path = entry?.path();
        let Ok(file) = File::options().write(true).open(&path) else { continue };
        let old = now.duration_since(file.metadata()?.modified()?).is_ok_and(|age| age >= LEFT_BEHIND);
        if old && file.try_lock().is_ok() && fs::remove_file(&path).is_ok() {
            swept += 1;
        }
    }
    Ok(swept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_behind_is_swept_and_what_is_being_written_is_not() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("incoming");
        let later = |minutes| fs::metadata(home.path()).unwrap().modified().unwrap() + Duration::from_mins(minutes);
        assert_eq!(sweep(&folder, later(60)).unwrap(), 0, "no folder yet");
        let mut running = Incoming::begin(&folder, "running").unwrap();
        running.write(&Bytes::from_static(b"half")).unwrap();
        fs::write(folder.join("dead"), b"half").unwrap();
        assert_eq!(sweep(&folder, later(5)).unwrap(), 0, "too young to be left behind");
        assert_eq!(sweep(&folder, later(60)).unwrap(), 1);
        assert!(running.path().exists() && !folder.join("dead").exists());
        drop(running);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0, "what did not arrive is gone");
    }

    #[test]
    fn a_name_is_nobody_elses() {
        let home = tempfile::tempdir().unwrap();
        let _first = Incoming::begin(home.path(), "a").unwrap();
        assert!(Incoming::begin(home.path(), "a").is_err());
    }
}
