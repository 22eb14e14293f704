//! Scratch folders for recordings in progress. They are in the data folder, so that a sweep finds and removes those of killed
//! processes.

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use tempfile::TempDir;

/// The parent of all scratch folders, in the data folder.
const FOLDER: &str = "narration";
/// The file in each scratch folder that is locked while the folder is in use.
const LOCK: &str = "lock";
/// An unlocked folder is removed once it is older than this.
const ABANDONED_AFTER: Duration = Duration::from_mins(10);

/// A scratch folder for one job. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct ScratchDir {
    // Declared, and so dropped, before the lock: a sweep must not find the folder unlocked.
    folder: TempDir,
    _lock: File,
}

impl ScratchDir {
    /// Creates and locks a scratch folder. `home` is the data folder.
    pub(crate) fn create(home: &Path) -> io::Result<Self> {
        let parent = home.join(FOLDER);
        fs::create_dir_all(&parent)?;
        let folder = tempfile::Builder::new().prefix("").tempdir_in(parent)?;
        let lock = File::create(folder.path().join(LOCK))?;
        lock.lock()?;
        Ok(Self { folder, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the scratch folders of killed processes; returns their number.
pub(crate) fn sweep(home: &Path, now: SystemTime) -> io::Result<usize> {
    let mut swept = 0;
    for entry in match fs::read_dir(home.join(FOLDER)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(error),
    } {
        let path: PathBuf = entry?.path();
        let Ok(changed) = fs::metadata(&path).and_then(|folder| folder.modified()) else { continue };
        let old = now.duration_since(changed).is_ok_and(|age| age >= ABANDONED_AFTER);
        // A folder without a lock file belongs to a process that was killed before it created one.
        let free = File::open(path.join(LOCK)).map_or(true, |lock| lock.try_lock().is_ok());
        if old && free && fs::remove_dir_all(&path).is_ok() {
            swept += 1;
        }
    }
    Ok(swept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweep_removes_abandoned_folders_and_keeps_those_in_use() {
        let home = tempfile::tempdir().unwrap();
        let later = |minutes| fs::metadata(home.path()).unwrap().modified().unwrap() + Duration::from_mins(minutes);
        assert_eq!(sweep(home.path(), later(60)).unwrap(), 0, "no folder yet");
        let in_use = ScratchDir::create(home.path()).unwrap();
        fs::write(in_use.path().join("0.wav"), "half").unwrap();
        let dead = home.path().join(FOLDER).join("dead");
        fs::create_dir(&dead).unwrap();
        fs::write(dead.join(LOCK), "").unwrap();
        fs::write(dead.join("0.wav"), "half").unwrap();
        fs::create_dir(home.path().join(FOLDER).join("empty")).unwrap();
        assert_eq!(sweep(home.path(), later(5)).unwrap(), 0, "too young to be left behind");
        assert_eq!(sweep(home.path(), later(60)).unwrap(), 2);
        assert!(in_use.path().join("0.wav").exists() && !dead.exists());
        drop(in_use);
        assert_eq!(fs::read_dir(home.path().join(FOLDER)).unwrap().count(), 0);
    }
}
